//! Exchanges and orders of moves against their definitions on shakmaty, the corpus, and what `mate-bench` prints.

mod support;

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fs;
use std::process::Output;

use dchess::game::{Plies, Silent};
use dchess::mate::{
    Budget, Centipawns, Corpus, Criterion, ExchangeGraph, Keys, MoveOrdering, Mover, Moves,
    PlainProof, PlainProver, Question, TwoMover, Verdict, explained, mates_within_naive,
    shortest_mate,
};
use dchess::rules::{parse_fen, position_fen, uci};
use proptest::prelude::*;
use serde_json::Value;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position, Role, Square};
use support::property;
use tempfile::tempdir;

/// The criteria that only orders of one's own have, both ways round.
const LOSS_AND_ROOM: MoveOrdering<'static> = MoveOrdering {
    name: "loss and room",
    attacker: &[Criterion::ExchangeLoss, Criterion::KingRoom],
    defender: &[Criterion::KingRoom, Criterion::ExchangeLoss],
};

const ALL: [MoveOrdering<'static>; 5] = [
    MoveOrdering::LEXICAL,
    MoveOrdering::FORCING,
    MoveOrdering::TENSION,
    MoveOrdering::EXCHANGE,
    MoveOrdering::BEST,
];

/// Positions from which random play goes: castling, en passant, promotions, many queens.
const ROOTS: [&str; 7] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "6k1/2Q5/1Q6/3q4/8/1q3q2/8/4K2R w K - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "3rr1k1/pp3ppp/2n1b3/3q4/3P4/2P1BN2/PQ3PPP/R3R1K1 b - - 0 1",
];

fn two() -> Moves {
    Moves::new(2).unwrap()
}

fn after(position: &Chess, mv: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

fn parse_move(position: &Chess, text: &str) -> Move {
    text.parse::<UciMove>().unwrap().to_move(position).unwrap()
}

// ---- exchanges ----

/// Worth of the men of a side, in centipawns.
fn material(position: &Chess, color: Color) -> i32 {
    let worth = [
        (Role::Pawn, 100),
        (Role::Knight, 320),
        (Role::Bishop, 330),
        (Role::Rook, 500),
        (Role::Queen, 900),
    ];
    let board = position.board();
    let men = |role| (board.by_role(role) & board.by_color(color)).count() as i32;
    worth
        .into_iter()
        .map(|(role, worth)| worth * men(role))
        .sum()
}

fn balance(position: &Chess, player: Color) -> i32 {
    material(position, player) - material(position, !player)
}

fn captures_on(position: &Chess, square: Square) -> Vec<Move> {
    let moves = position.legal_moves();
    let is_one = |mv: &&Move| mv.is_capture() && mv.to() == square;
    moves.iter().filter(is_one).copied().collect()
}

/// C6.2 word for word: the change of the balance since the beginning, or what some capture leads to.
fn naive_value(position: &Chess, square: Square, player: Color, start: i32) -> i32 {
    let stop = balance(position, player) - start;
    let values = captures_on(position, square)
        .into_iter()
        .map(|mv| naive_value(&after(position, mv), square, player, start))
        .chain([stop]);
    match position.turn() == player {
        true => values.max().unwrap(),
        false => values.min().unwrap(),
    }
}

/// Plies to the end of the longest exchange; the positions go into `seen`.
fn naive_graph(position: &Chess, square: Square, seen: &mut HashSet<String>) -> u8 {
    // The clocks tell nothing apart.
    let fen = position_fen(position);
    seen.insert(fen.split(' ').take(4).collect::<Vec<_>>().join(" "));
    let captures = captures_on(position, square).into_iter();
    let plies = captures.map(|mv| 1 + naive_graph(&after(position, mv), square, seen));
    plies.max().unwrap_or(0)
}

fn check_exchange(position: &Chess, capture: Move) -> Result<(), TestCaseError> {
    let graph = ExchangeGraph::of(position, capture, usize::MAX).unwrap();
    let (player, square) = (position.turn(), capture.to());
    let next = after(position, capture);
    let start = balance(position, player);
    let value = naive_value(&next, square, player, start);
    prop_assert_eq!(
        graph.value(),
        Centipawns(value),
        "{} in {}",
        uci(capture),
        position_fen(position)
    );
    let mut seen = HashSet::new();
    let plies = naive_graph(&next, square, &mut seen);
    prop_assert_eq!(graph.capture_plies(), 1 + plies);
    prop_assert_eq!(graph.nodes().len(), seen.len());
    let checked = seen.iter().filter(|fen| parse_fen(fen).unwrap().is_check());
    prop_assert_eq!(graph.checked_nodes(), checked.count());
    Ok(())
}

/// Value, nodes, capture plies and checked nodes.
fn exchange(fen: &str, capture: &str) -> (i32, usize, u8, usize) {
    let position = parse_fen(fen).unwrap();
    let mv = parse_move(&position, capture);
    check_exchange(&position, mv).unwrap();
    let graph = ExchangeGraph::of(&position, mv, usize::MAX).unwrap();
    let Centipawns(value) = graph.value();
    (
        value,
        graph.nodes().len(),
        graph.capture_plies(),
        graph.checked_nodes(),
    )
}

/// Worked out by hand.
#[test]
fn exchanges_by_hand() {
    // Queen takes knight, bishop takes queen, bishop takes bishop.
    let avenged = "4k3/8/2b5/3n4/2B5/8/3Q4/4K3 w - - 0 1";
    assert_eq!(exchange(avenged, "d2d5"), (-250, 3, 3, 0));
    // The bishop that could take back is pinned.
    let pin = "4k3/8/2b5/1B1n4/8/8/3R4/4K3 w - - 0 1";
    assert_eq!(exchange(pin, "d2d5"), (320, 1, 1, 0));
    // A second rook stands behind the first one: Black does better to stop.
    let x_ray = "3r3k/8/8/3n4/8/8/3R4/3RK3 w - - 0 1";
    assert_eq!(exchange(x_ray, "d2d5"), (320, 3, 3, 0));
    // The king may take what nobody defends, and only that.
    let alone = "8/8/2k5/3p4/8/8/3Q4/4K3 w - - 0 1";
    assert_eq!(exchange(alone, "d2d5"), (-800, 2, 2, 1));
    let defended = "8/8/2k5/3p4/8/5B2/3Q4/4K3 w - - 0 1";
    assert_eq!(exchange(defended, "d2d5"), (100, 1, 1, 1));
    // A promotion counts what it makes: 500 + 800, and 900 are lost again; 500 + 220, and 320.
    let promotion = "r2r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(exchange(promotion, "e7d8q"), (400, 2, 2, 1));
    assert_eq!(exchange(promotion, "e7d8n"), (400, 2, 2, 0));
    // A pawn takes back in four ways; as a queen or rook it checks.
    let promotes_back = "k7/8/8/8/8/8/2p5/3nR2K w - - 0 1";
    assert_eq!(exchange(promotes_back, "e1d1"), (-980, 5, 2, 2));
    // The first capture may be en passant.
    let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_eq!(exchange(en_passant, "e5d6"), (100, 1, 1, 0));
    let retaken = "4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_eq!(exchange(retaken, "e5d6"), (0, 2, 2, 0));
    // Two knights take in either order, and the rest is the same position.
    let transposes = "4k3/8/1n3n2/8/3p4/2N1N3/8/4K3 b - - 0 1";
    assert_eq!(exchange(transposes, "d4c3"), (320, 1, 1, 0));
}

#[test]
fn what_captures_nothing_begins_no_exchange() {
    let position = parse_fen("r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq - 0 1").unwrap();
    for quiet in ["e1g1", "e1c1", "e2e4", "e1d1"] {
        let mv = parse_move(&position, quiet);
        assert!(ExchangeGraph::of(&position, mv, 1).is_err(), "{quiet}");
    }
    for capture in ["a1a8", "h1h8"] {
        let mv = parse_move(&position, capture);
        assert!(ExchangeGraph::of(&position, mv, 3).is_ok(), "{capture}");
    }
}

// ---- orders ----

/// What the exchange on the target of a move loses, with the move as its first capture, whatever it captures.
fn naive_loss(position: &Chess, mv: Move) -> i32 {
    let player = position.turn();
    let start = balance(position, player);
    naive_value(&after(position, mv), mv_target(mv), player, start).min(0)
}

/// The square that a move goes to; of castling that of the king.
fn mv_target(mv: Move) -> Square {
    match mv {
        Move::Castle { king, .. } => {
            let side = mv.castling_side().unwrap();
            Square::from_coords(side.king_to(Color::White).file(), king.rank())
        }
        _ => mv.to(),
    }
}

/// A criterion as it is defined, on shakmaty.
fn naive_key(position: &Chess, mv: Move, criterion: Criterion) -> i32 {
    let next = after(position, mv);
    let us = position.turn();
    let target = mv_target(mv);
    let attackers = |by| {
        next.board()
            .attacks_to(target, by, next.board().occupied())
            .count() as i32
    };
    let worth = |role| material_of(role);
    let replies = next.legal_moves();
    let room = replies
        .iter()
        .filter(|reply| reply.role() == Role::King && !reply.is_castle())
        .count() as i32;
    match criterion {
        Criterion::Mate => i32::from(next.is_checkmate()),
        Criterion::Check => i32::from(next.is_check()),
        Criterion::Captured => mv.capture().map_or(0, worth),
        Criterion::FewerReplies => -(replies.len() as i32),
        Criterion::TensionEntry => i32::from(attackers(us) > 0 && attackers(!us) > 0),
        Criterion::AttackSurplus => attackers(us) - attackers(!us),
        Criterion::SquareTension => attackers(us) + attackers(!us),
        Criterion::Exchange if mv.is_capture() => {
            naive_value(&next, target, us, balance(position, us))
        }
        Criterion::Exchange => 0,
        Criterion::SafeCheck => i32::from(next.is_check() && naive_loss(position, mv) == 0),
        Criterion::ExchangeLoss => naive_loss(position, mv),
        Criterion::KingRoom => -room,
        Criterion::Grip => {
            let king = next.board().king_of(!us).unwrap();
            let distance = king.distance(target) as i32;
            2 * naive_loss(position, mv) / 100 - 4 * room - replies.len() as i32 - distance
        }
    }
}

fn material_of(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// The moves sorted by all keys at once, with their keys.
fn naive_order(
    position: &Chess,
    ordering: &MoveOrdering<'_>,
    mover: Mover,
) -> Vec<(Move, Vec<i32>)> {
    let criteria = ordering.criteria(mover);
    let mut moves: Vec<(Move, Vec<i32>)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let keys = criteria.iter().map(|&each| naive_key(position, mv, each));
            (mv, keys.collect())
        })
        .collect();
    moves.sort_by_key(|(mv, keys)| (Reverse(keys.clone()), uci(*mv)));
    moves
}

/// The definition of a proof node.
fn naive_proof(
    position: &Chess,
    ordering: &MoveOrdering<'_>,
    mover: Mover,
    plies: u8,
    nodes: &mut u64,
) -> bool {
    *nodes += 1;
    if mover == Mover::Defender && position.is_checkmate() {
        return true;
    }
    if plies == 0 || position.legal_moves().is_empty() {
        return false;
    }
    let other = match mover {
        Mover::Attacker => Mover::Defender,
        Mover::Defender => Mover::Attacker,
    };
    let mut moves = naive_order(position, ordering, mover).into_iter();
    let mut holds = |mv| naive_proof(&after(position, mv), ordering, other, plies - 1, nodes);
    match mover {
        Mover::Attacker => moves.any(|(mv, _)| holds(mv)),
        Mover::Defender => moves.all(|(mv, _)| holds(mv)),
    }
}

proptest! {
    #![proptest_config(property(40))]

    #[test]
    fn exchanges_and_orders_are_what_they_are_defined_to_be(
        root in 0..ROOTS.len(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 40),
    ) {
        let mut position = parse_fen(ROOTS[root]).unwrap();
        for (ply, choice) in choices.into_iter().enumerate() {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            if ply % 4 == 3 {
                for &mv in moves.iter().filter(|mv| mv.is_capture()) {
                    check_exchange(&position, mv)?;
                }
                for ordering in ALL.into_iter().chain([LOSS_AND_ROOM]) {
                    for mover in [Mover::Attacker, Mover::Defender] {
                        prop_assert_eq!(
                            explained(&position, &ordering, mover),
                            naive_order(&position, &ordering, mover),
                            "{} in {}", ordering.name, position_fen(&position)
                        );
                    }
                }
            }
            position.play_unchecked(moves[choice.index(moves.len())]);
        }
    }
}

/// Where the shortest ways to a value could go wrong: a pawn that takes back promotes, a rook takes a rook, a king takes.
#[test]
fn orders_of_some_positions_are_what_they_are_defined_to_be() {
    for fen in [
        "k7/8/8/8/8/8/2p5/3rR2K w - - 0 1",
        "r2r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1",
        "3r3k/8/8/3r4/8/8/3R4/3RK3 w - - 0 1",
        "8/8/2k5/3p4/8/8/3Q4/4K3 w - - 0 1",
        "4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ] {
        let position = parse_fen(fen).unwrap();
        for ordering in ALL.into_iter().chain([LOSS_AND_ROOM]) {
            for mover in [Mover::Attacker, Mover::Defender] {
                let naive = naive_order(&position, &ordering, mover);
                let found = explained(&position, &ordering, mover);
                assert_eq!(found, naive, "{} in {fen}", ordering.name);
            }
        }
    }
}

#[test]
fn proof_nodes_are_evaluations_of_the_predicate() {
    let corpus = Corpus::draw(7, 12, &Silent).unwrap();
    let drawn = corpus.positions.into_iter().map(|drawn| drawn.position);
    // A stalemate after some first moves, a mate in one, no mate, en passant and castling.
    let others = [
        "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
        "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
        "7k/8/8/6K1/8/8/8/5Q2 w - - 0 1",
        "8/4R3/8/PpR5/1k6/2R5/7K/8 w - b6 0 1",
        "8/8/6N1/b7/6R1/2k5/B7/R3K3 w Q - 0 1",
    ];
    let others = others.into_iter().map(|fen| parse_fen(fen).unwrap());
    for position in drawn.chain(others) {
        for ordering in ALL {
            let mut nodes = 0;
            let mates = naive_proof(&position, &ordering, Mover::Attacker, 3, &mut nodes);
            let naive = PlainProof {
                mates,
                proof_nodes: nodes,
            };
            let found = PlainProver::new(ordering, u64::MAX, &Silent).prove(&position, two());
            assert_eq!(
                found,
                Some(naive),
                "{} {}",
                ordering.name,
                position_fen(&position)
            );
            // One node fewer is not enough.
            assert_eq!(
                PlainProver::new(ordering, nodes, &Silent).prove(&position, two()),
                found
            );
            assert_eq!(
                PlainProver::new(ordering, nodes - 1, &Silent).prove(&position, two()),
                None
            );
        }
    }
}

/// Half of them from the corpus, where there is a mate, half from random play, where there mostly is none.
#[test]
fn every_order_has_the_verdict_of_the_prover() {
    let corpus = Corpus::draw(8, 500, &Silent).unwrap();
    let mut positions: Vec<Chess> = corpus
        .positions
        .into_iter()
        .map(|each| each.position)
        .collect();
    let mut draws = dchess::game::Draws::new(9);
    while positions.len() < 1_000 {
        let root = draws.below(ROOTS.len() as u32) as usize;
        let mut position = parse_fen(ROOTS[root]).unwrap();
        for _ in 0..=draws.below(60) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[draws.below(moves.len() as u32) as usize]);
        }
        positions.push(position);
    }
    let mut mates = 0;
    for position in positions {
        let question = Question {
            position: position.clone(),
            mover: Mover::Attacker,
            max_moves: two(),
            keys: Keys::Any,
            line: false,
        };
        let answer = shortest_mate(&question, &Budget::default(), &Silent);
        let is_mate = matches!(answer.verdict, Verdict::Proved(_));
        mates += usize::from(is_mate);
        for ordering in ALL {
            let proof = PlainProver::new(ordering, u64::MAX, &Silent)
                .prove(&position, two())
                .unwrap();
            assert_eq!(
                proof.mates,
                is_mate,
                "{} {}",
                ordering.name,
                position_fen(&position)
            );
        }
    }
    assert!((500..900).contains(&mates), "{mates}");
}

// ---- the corpus ----

#[test]
fn positions_are_admitted_for_what_is_in_them() {
    let corpus = Corpus::draw(20_260_915, 30, &Silent).unwrap();
    let mut seen = HashSet::new();
    let mut last = 0;
    for drawn in &corpus.positions {
        let position = &drawn.position;
        assert!(seen.insert(position_fen(position)));
        assert!(drawn.attempt > last);
        last = drawn.attempt;
        let mates = |plies| mates_within_naive(position, Mover::Attacker, Plies::new(plies));
        assert!(!mates(1) && mates(3));
        let captures = position.capture_moves();
        let is_answered = |mv: &Move| !captures_on(&after(position, *mv), mv.to()).is_empty();
        assert!(captures.iter().any(is_answered));
        // All that is in it, by the definition.
        let content = TwoMover::of(position);
        let texts: Vec<String> = content.root_moves.iter().map(|&mv| uci(mv)).collect();
        assert!(texts.is_sorted() && texts.len() == position.legal_moves().len());
        assert_eq!(content.exchanges.len(), captures.len());
        for &mv in &content.root_moves {
            let next = after(position, mv);
            let wins = mates_within_naive(&next, Mover::Defender, Plies::new(2));
            let found = content.winning.iter().find(|winning| winning.first == mv);
            assert_eq!(found.is_some(), wins, "{}", uci(mv));
            let Some(winning) = found else {
                continue;
            };
            assert_eq!(winning.replies.len(), next.legal_moves().len());
            for (reply, mates) in &winning.replies {
                let last = after(&next, *reply);
                let all = last.legal_moves().into_iter();
                let mut all: Vec<Move> =
                    all.filter(|&mv| after(&last, mv).is_checkmate()).collect();
                all.sort_by_key(|&mv| uci(mv));
                assert_eq!(mates, &all);
            }
        }
    }
    assert_eq!(corpus.attempts(), last);
}

#[test]
fn a_corpus_does_not_depend_on_threads_and_goes_on_as_it_began() {
    let positions = |corpus: Corpus| -> Vec<(u64, String)> {
        let drawn = corpus.positions.iter();
        drawn
            .map(|each| (each.attempt, position_fen(&each.position)))
            .collect()
    };
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| positions(Corpus::draw(3, 40, &Silent).unwrap()))
    };
    let forty = with_threads(1);
    assert_eq!(forty, with_threads(3));
    assert_eq!(forty[..8], positions(Corpus::draw(3, 8, &Silent).unwrap()));
    assert_ne!(forty[..8], positions(Corpus::draw(4, 8, &Silent).unwrap()));
}

// ---- the command ----

fn run(arguments: &[&str]) -> Output {
    support::dchess().args(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_shipped_corpus_is_drawn_again() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (epd, out) = (path("corpus.epd"), path("c6.bin"));
    let output = run(&[
        "mate-bench",
        "--seed",
        "20260915",
        "--epd-out",
        &epd,
        "--out",
        &out,
        "--quiet",
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let shipped = |name: &str| fs::read(format!("{root}{name}")).unwrap();
    assert_eq!(fs::read(&epd).unwrap(), shipped("corpora/c6-20260915.epd"));
    assert_eq!(
        fs::read(&out).unwrap(),
        shipped("certificates/c6-20260915.bin")
    );
}

#[test]
fn the_figures_have_these_keys() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("c6.json").display().to_string();
    let report = json(&run(&[
        "mate-bench",
        "--count",
        "5",
        "--seed",
        "2",
        "--json",
        "--out",
        &out,
    ]));
    for key in [
        "seed",
        "positions",
        "attempts",
        "orderings",
        "exchange_vs_forcing",
        "reply_branches",
        "mating_continuations",
        "certificate",
        "id",
    ] {
        assert!(!report[key].is_null(), "{key}: {report}");
    }
    assert_eq!(report["positions"], 5);
    let orderings = report["orderings"].as_array().unwrap();
    let names: Vec<&str> = orderings
        .iter()
        .map(|each| each["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["lexical", "forcing", "tension", "exchange", "best"]);
    for each in orderings {
        for key in [
            "proof_nodes",
            "reduction_vs_lexical",
            "wall_seconds",
            "cpu_seconds",
        ] {
            assert!(each[key].is_number(), "{key}: {each}");
        }
    }
    let score = &report["exchange_vs_forcing"];
    let sum: u64 = ["wins", "ties", "losses"]
        .iter()
        .map(|&key| score[key].as_u64().unwrap())
        .sum();
    assert_eq!(sum, 5);
    // The certificate says the same.
    let certificate: Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(certificate["id"], report["id"]);
    for (place, total) in certificate["proof_nodes"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        assert_eq!(total, &orderings[place]["proof_nodes"]);
    }
    for key in ["attempts", "reply_branches", "mating_continuations"] {
        assert_eq!(certificate[key], report[key]);
    }
}

/// The plot is a whole SVG, the same each time, with a name for each order and without anything decided too.
#[test]
fn a_comparison_is_drawn() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let suite = path("a<b.epd");
    fs::write(&suite, "7k/8/8/6K1/8/8/8/5Q2 w - - dm 3;\n").unwrap();
    let out = path("c6.bin");
    let corpus = [
        "mate-bench",
        "--quiet",
        "--seed",
        "2",
        "--count",
        "5",
        "--out",
        &out,
    ];
    let suite = ["mate-bench", "--quiet", "--epd", &suite];
    for (place, (arguments, code)) in [
        (corpus.to_vec(), 0),
        ([&corpus[..], &["--try", "-loss/"]].concat(), 0),
        (suite.to_vec(), 0),
        ([&suite[..], &["--nodes", "1"]].concat(), 3),
    ]
    .into_iter()
    .enumerate()
    {
        let drawn = [0, 1].map(|again| {
            let svg = path(&format!("{place}-{again}.svg"));
            let output = run(&[&arguments[..], &["--plot", &svg]].concat());
            assert_eq!(output.status.code(), Some(code), "{output:?}");
            fs::read_to_string(svg).unwrap()
        });
        let [svg, again] = &drawn;
        assert_eq!(svg, again);
        assert!(
            svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
            "{svg}"
        );
        assert!(
            !svg.contains("a<b") && !svg.contains("NaN") && !svg.contains("inf"),
            "{svg}"
        );
        for name in ["forcing", "tension", "exchange", "best"] {
            assert!(svg.contains(name), "{name}: {svg}");
        }
        assert_eq!(svg.contains("-loss/"), place == 1);
    }
}

/// What could not be written in the end is refused in the beginning, and nothing is lost.
#[test]
fn outputs_are_different_and_new() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (one, there) = (path("one"), path("there"));
    fs::write(&there, "mine").unwrap();
    let few = ["mate-bench", "--count", "2", "--quiet"];
    for (arguments, told) in [
        (
            ["--out", &one, "--epd-out", &one, "--force"],
            "are the same place",
        ),
        (
            ["--out", &one, "--plot", &one, "--force"],
            "are the same place",
        ),
        (
            ["--epd-out", &one, "--plot", &one, "--force"],
            "are the same place",
        ),
        (
            ["--out", &one, "--epd-out", &there, "--quiet"],
            "is there already",
        ),
        (
            ["--out", &one, "--plot", &there, "--quiet"],
            "is there already",
        ),
    ] {
        let arguments: Vec<&str> = few.into_iter().take(3).chain(arguments).collect();
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let found = String::from_utf8(output.stderr).unwrap();
        assert!(found.contains(told), "{found}");
        assert!(!folder.path().join("one").exists());
    }
    assert_eq!(fs::read_to_string(&there).unwrap(), "mine");
}

#[test]
fn an_exchange_is_printed_in_every_way() {
    let fen = "4k3/8/2b5/3n4/2B5/8/3Q4/4K3 w - - 0 1";
    let report = json(&run(&["exchange", fen, "Qxd5", "--json"]));
    assert_eq!(report["move"], "d2d5");
    assert_eq!(report["value"], -250);
    assert_eq!(report["nodes"], 3);
    assert_eq!(report["capture_plies"], 3);
    assert_eq!(report["checked_nodes"], 0);
    let dot = run(&["exchange", fen, "d2d5", "--dot"]);
    let dot = String::from_utf8(dot.stdout).unwrap();
    assert!(
        dot.starts_with("digraph exchange {") && dot.ends_with("}\n"),
        "{dot}"
    );
    assert!(dot.contains("n0 -> n1 [label=\"Bxd5\"];"), "{dot}");
    let output = run(&["exchange", fen, "Qxd5", "--nodes", "2"]);
    assert_eq!(output.status.code(), Some(3));
    for (arguments, told) in [
        (["exchange", fen, "Qd4"], "Qd4 captures nothing"),
        (["exchange", fen, "Qa8"], "`Qa8` is not a legal move in"),
        (["exchange", "8/8", "Qa8"], "a FEN has 4 to 6 fields"),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2));
        let found = String::from_utf8(output.stderr).unwrap();
        assert!(found.contains(told), "{found}");
    }
}

#[test]
fn the_explanation_lists_every_move_in_every_order() {
    let fen = "4k3/8/2b5/3n4/2B5/8/3Q4/4K3 w - - 0 1";
    let report = json(&run(&["mate-bench", "--explain", fen, "--json"]));
    let position = parse_fen(fen).unwrap();
    for (ordering, page) in ALL.iter().zip(report["orderings"].as_array().unwrap()) {
        let naive = naive_order(&position, ordering, Mover::Attacker);
        let told = page["moves"].as_array().unwrap();
        assert_eq!(told.len(), naive.len());
        for ((mv, keys), line) in naive.iter().zip(told) {
            assert_eq!(line["move"], uci(*mv), "{}", ordering.name);
            assert_eq!(line["keys"], serde_json::json!(keys));
        }
    }
}

#[test]
fn suites_are_compared_as_well() {
    let folder = tempdir().unwrap();
    let suite = folder.path().join("suite.epd").display().to_string();
    let lines = "7k/8/8/6K1/8/8/8/5Q2 w - - dm 3;\n2R5/8/8/8/8/1K6/8/1k6 w - -\n";
    fs::write(&suite, lines).unwrap();
    let report = json(&run(&[
        "mate-bench",
        "--epd",
        &suite,
        "--moves",
        "3",
        "--json",
    ]));
    assert_eq!(
        (&report["positions"], &report["mates"]),
        (&2.into(), &2.into())
    );
    assert!(report["seed"].is_null() && report["certificate"].is_null());
    let report = json(&run(&["mate-bench", "--epd", &suite, "--json"]));
    assert_eq!(report["mates"], 1);
    // What takes too long is left out, also of the times, and the run is undecided.
    let output = run(&[
        "mate-bench",
        "--epd",
        &suite,
        "--moves",
        "3",
        "--nodes",
        "100",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["undecided"], 1, "{report}");
    let output = run(&["mate-bench", "--epd", &suite, "--nodes", "0", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let orderings = report["orderings"].as_array().unwrap();
    assert!(
        orderings
            .iter()
            .all(|each| each["reduction_vs_forcing"].is_null()),
        "{report}"
    );
    fs::write(&suite, format!("{lines}nonsense\n")).unwrap();
    let output = run(&["mate-bench", "--epd", &suite]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("line 3: "), "{told}");
}
