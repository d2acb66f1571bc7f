//! Shortest mates: against the definition, under every budget, and of positions in which a rule decides.

mod support;

use dchess::game::{Plies, Silent, Value};
use dchess::mate::{
    Answer, Budget, Continuation, Dag, Keys, Leaf, Mover, Moves, NodeId, Pressure, Question,
    Verdict, Witness, mates_within_naive, shortest_mate, solve_problem, witnessed_mate,
};
use dchess::rules::{Notation, parse_fen, position_fen, uci};
use proptest::prelude::*;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, Move, Piece, Position, Role, Setup, Square,
};

fn moves(count: u8) -> Moves {
    Moves::new(count).expect("a short mate")
}

fn question(position: &Chess, mover: Mover, max_moves: u8) -> Question {
    Question {
        position: position.clone(),
        mover,
        max_moves: moves(max_moves),
        keys: Keys::All,
        line: true,
    }
}

fn budget(hash_bytes: u64, threads: usize) -> Budget {
    Budget {
        hash_bytes,
        threads,
        ..Budget::default()
    }
}

fn answer(fen: &str, max_moves: u8) -> Answer {
    let position = parse_fen(fen).unwrap();
    let question = question(&position, Mover::Attacker, max_moves);
    shortest_mate(&question, &Budget::default(), &Silent)
}

/// The verdict and the keys in SAN.
fn solved(fen: &str, max_moves: u8) -> (Verdict, Vec<String>) {
    let position = parse_fen(fen).unwrap();
    let answer = answer(fen, max_moves);
    let keys = answer.keys.iter();
    let keys = keys.map(|&key| Notation::of(&position, key).san).collect();
    assert!(answer.are_all_keys || answer.verdict == Verdict::Refuted);
    (answer.verdict, keys)
}

fn assert_keys(fen: &str, length: u8, keys: &[&str]) {
    let (verdict, found) = solved(fen, length + 1);
    assert_eq!(verdict, Verdict::Proved(moves(length)), "{fen}");
    assert_eq!(found, keys, "{fen}");
    let position = parse_fen(fen).unwrap();
    let naive = |length: u8| {
        let plies = moves(length).plies(Mover::Attacker);
        mates_within_naive(&position, Mover::Attacker, plies)
    };
    assert!(naive(length) && !naive(length - 1), "{fen}");
}

/// What mates after one reply is played again after the next: verdicts and keys stay, and certificates can be built.
#[test]
fn witnesses_that_are_played_again_change_no_verdict() {
    let classics = include_str!("../corpora/classics.epd");
    let mut looked_at = [0, 0];
    for line in classics.lines().filter(|line| line.contains(" dm 3;")) {
        let fen: Vec<&str> = line.split(' ').take(4).collect();
        let position = parse_fen(&fen.join(" ")).unwrap();
        let question = question(&position, Mover::Attacker, 3);
        let of = |forcing_graph| {
            let budget = Budget {
                forcing_graph,
                ..Budget::default()
            };
            witnessed_mate(&question, &budget, 1 << 20, &Silent)
        };
        let [(without, _), (with, witness)] = [of(false), of(true)];
        assert_eq!(with.verdict, without.verdict, "{line}");
        assert_eq!(with.keys, without.keys, "{line}");
        assert!(witness.is_ok(), "{line}");
        looked_at[0] += without.nodes;
        looked_at[1] += with.nodes;
    }
    assert!(looked_at[1] < looked_at[0], "{looked_at:?}");
}

/// A budget that is just enough for an answer is mostly enough for its witness, which may take as much again.
#[test]
fn the_witness_has_a_budget_of_its_own() {
    let mut counts = [0, 0];
    let classics = include_str!("../corpora/classics.epd");
    for line in classics.lines().filter(|line| line.contains(" dm 4;")) {
        let fen: Vec<&str> = line.split(' ').take(4).collect();
        let position = parse_fen(&fen.join(" ")).unwrap();
        let question = question(&position, Mover::Attacker, 4);
        let answer = shortest_mate(&question, &Budget::default(), &Silent);
        let budget = Budget {
            nodes: answer.nodes,
            ..Budget::default()
        };
        let (again, witness) = witnessed_mate(&question, &budget, 1 << 24, &Silent);
        assert_eq!(again.verdict, answer.verdict, "{line}");
        counts[usize::from(witness.is_ok())] += 1;
    }
    let [without, with] = counts;
    assert!(with > 2 * without, "{counts:?}");
}

/// That nothing is threatened refutes nothing: here White threatens no mate, and whatever Black plays he is mated.
#[test]
fn a_position_without_a_threat_can_be_lost() {
    let lost = parse_fen("8/2R5/8/8/8/1K6/8/1k6 b - - 0 1").unwrap();
    let passed = parse_fen("8/2R5/8/8/8/1K6/8/1k6 w - - 0 1").unwrap();
    assert!(!mates_within_naive(&passed, Mover::Attacker, Plies::new(1)));
    assert!(mates_within_naive(&lost, Mover::Defender, Plies::new(2)));
}

#[test]
fn en_passant_keys_need_the_right() {
    assert_keys("8/4R3/8/PpR5/1k6/2R5/7K/8 w - b6 0 1", 2, &["axb6"]);
    assert_keys("3k4/8/4B3/2Pp2R1/6N1/8/8/3K4 w - d6 0 1", 2, &["cxd6"]);
    assert_eq!(
        solved("3k4/8/4B3/2Pp2R1/6N1/8/8/3K4 w - - 0 1", 2).0,
        Verdict::Refuted
    );
}

#[test]
fn a_capture_en_passant_mates_by_the_line_that_it_opens() {
    assert_keys("7k/7p/4b3/3pP3/8/8/1B6/K5R1 w - d6 0 1", 1, &["exd6#"]);
    let (verdict, keys) = solved("7k/7p/4b3/3pP3/8/8/1B6/K5R1 w - - 0 1", 1);
    assert_eq!((verdict, keys.len()), (Verdict::Refuted, 0));
}

#[test]
fn castling_keys_need_the_right() {
    assert_keys("8/8/6N1/b7/6R1/2k5/B7/R3K3 w Q - 0 1", 2, &["O-O-O"]);
    assert_keys("1R6/4Q3/8/6r1/3k4/8/8/R3K3 w Q - 0 1", 2, &["O-O-O+"]);
    let without = solved("1R6/4Q3/8/6r1/3k4/8/8/R3K3 w - - 0 1", 2);
    assert_eq!(without.0, Verdict::Refuted);
}

#[test]
fn promotion_to_a_knight_is_a_key() {
    assert_keys("8/3P3R/4kr2/1R6/2n1K3/8/8/7B w - - 0 1", 2, &["d8=N+"]);
    assert_keys("3R1B2/7P/p3k3/R7/7K/8/8/8 w - - 0 1", 2, &["h8=N"]);
}

#[test]
fn a_double_check_mates() {
    // Reti against Tartakower, Vienna 1910.
    let fen = "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9";
    let (verdict, keys) = solved(fen, 3);
    assert_eq!(
        (verdict, keys),
        (Verdict::Proved(moves(3)), vec!["Qd8+".to_owned()])
    );
}

#[test]
fn stalemate_is_a_defence() {
    let position = parse_fen("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1").unwrap();
    let stalemate = shortest_mate(
        &question(&position, Mover::Defender, 5),
        &Budget::default(),
        &Silent,
    );
    assert_eq!(stalemate.verdict, Verdict::Refuted);
    // The queen next to the king would leave no move.
    let (verdict, keys) = solved("7k/8/8/6K1/8/8/8/5Q2 w - - 0 1", 4);
    assert!(matches!(verdict, Verdict::Proved(length) if length > moves(1)));
    assert!(
        !keys.contains(&"Qf7".to_owned()) && !keys.is_empty(),
        "{keys:?}"
    );
}

#[test]
fn a_defender_with_many_bishops_holds_where_one_with_pawns_does_not() {
    let bishops = "b5bk/5bbp/8/8/8/8/8/K5RQ w - - 0 1";
    let position = parse_fen(bishops).unwrap();
    for length in 1..=2 {
        let found = answer(bishops, length).verdict;
        let plies = moves(length).plies(Mover::Attacker);
        let naive = mates_within_naive(&position, Mover::Attacker, plies);
        assert_eq!(matches!(found, Verdict::Proved(_)), naive, "{length}");
    }
}

#[test]
fn who_is_mated_already_is_mated_in_none() {
    let position = parse_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    let found = shortest_mate(
        &question(&position, Mover::Defender, 3),
        &Budget::default(),
        &Silent,
    );
    assert_eq!(found.verdict, Verdict::Proved(Moves::ZERO));
    let found = shortest_mate(
        &question(&position, Mover::Attacker, 3),
        &Budget::default(),
        &Silent,
    );
    assert_eq!(found.verdict, Verdict::Refuted);
    assert_eq!(found.refuted, Some(moves(3)));
}

#[test]
fn a_budget_leaves_undecided_what_it_does_not_reach() {
    let fen = "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9";
    let position = parse_fen(fen).unwrap();
    let mut is_decided = false;
    for nodes in [1, 100, 1_000, 10_000, 100_000, 1_000_000] {
        let limited = Budget {
            nodes,
            ..Budget::default()
        };
        let found = shortest_mate(&question(&position, Mover::Attacker, 3), &limited, &Silent);
        match found.verdict {
            Verdict::Undecided => assert!(!is_decided, "{nodes} decide no more than fewer"),
            Verdict::Proved(length) => {
                is_decided = true;
                assert_eq!(length, moves(3));
            }
            Verdict::Refuted => panic!("{nodes} nodes refute a mate"),
        }
        assert!(nodes > 1 || !is_decided, "one position is not enough");
    }
    assert!(is_decided);
}

/// A position of a few men, the defending king near the edge; rights as they fall.
fn few_men(
    kings: (u32, u32),
    men: &[(u32, u8, bool)],
    turn: bool,
    rights: (bool, u32),
) -> Option<Chess> {
    const ROLES: [Role; 5] = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let mut board = Board::empty();
    let mut put = |square: u32, color, role: Role| {
        let square = Square::new(square);
        let is_free = board.piece_at(square).is_none();
        if is_free && !(role == Role::Pawn && Bitboard::BACKRANKS.contains(square)) {
            board.set_piece_at(square, Piece { color, role });
        }
    };
    let (castles, en_passant) = rights;
    if castles {
        put(Square::E1.to_u32(), Color::White, Role::King);
        put(Square::H1.to_u32(), Color::White, Role::Rook);
    } else {
        put(kings.0, Color::White, Role::King);
    }
    put(kings.1, Color::Black, Role::King);
    let double = Square::new(32 + en_passant % 8);
    if en_passant >= 8 {
        put(double.to_u32(), Color::Black, Role::Pawn);
    }
    for &(square, role, is_white) in men {
        let role = ROLES[usize::from(role) % 5];
        put(square, Color::from_white(is_white), role);
    }
    let mut setup = Setup::empty();
    setup.board = board;
    setup.turn = Color::from_white(turn);
    if castles {
        setup.castling_rights = Bitboard::from(Square::H1);
    }
    if en_passant >= 8 && turn {
        setup.ep_square = Some(Square::new(double.to_u32() + 8));
    }
    setup.position(CastlingMode::Standard).ok()
}

proptest! {
    #![proptest_config(support::property(3_000))]

    #[test]
    fn the_shortest_mate_is_that_of_the_definition(
        kings in (0..64_u32, prop_oneof![56..64_u32, 0..64_u32]),
        men in prop::collection::vec((0..64_u32, 0..5_u8, prop::bool::weighted(0.7)), 1..6),
        turn in any::<bool>(),
        rights in (prop::bool::weighted(0.2), 0..16_u32),
    ) {
        let Some(position) = few_men(kings, &men, turn, rights) else {
            return Ok(());
        };
        for mover in [Mover::Attacker, Mover::Defender] {
            let found = shortest_mate(&question(&position, mover, 2), &Budget::default(), &Silent);
            let naive = (0..=2).map(moves).find(|length| {
                mates_within_naive(&position, mover, length.plies(mover))
            });
            let verdict = naive.map_or(Verdict::Refuted, Verdict::Proved);
            prop_assert_eq!(found.verdict, verdict, "{} {:?}", position_fen(&position), mover);
            if let Some(length) = naive {
                assert_eq!(found.line.len(), usize::from(length.plies(mover).get()));
                let mut last = position.clone();
                for &mv in &found.line {
                    assert!(last.is_legal(mv));
                    last.play_unchecked(mv);
                }
                assert!(last.is_checkmate());
            }
            if let (Mover::Attacker, Some(length)) = (mover, naive) {
                let left = length.fewer().unwrap();
                let keys = position.legal_moves().into_iter().filter(|&mv| {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    mates_within_naive(&next, Mover::Defender, left.plies(Mover::Defender))
                });
                let mut keys: Vec<String> = keys.map(uci).collect();
                keys.sort_unstable();
                let found: Vec<String> = found.keys.iter().map(|&mv| uci(mv)).collect();
                prop_assert_eq!(found, keys, "{}", position_fen(&position));
            }
        }
    }
}

proptest! {
    #![proptest_config(support::property(150))]

    #[test]
    fn the_budget_does_not_show_in_what_is_decided(
        kings in (0..64_u32, 56..64_u32),
        men in prop::collection::vec((0..64_u32, 0..5_u8, prop::bool::weighted(0.6)), 2..7),
        rights in (prop::bool::weighted(0.2), 0..16_u32),
    ) {
        let Some(position) = few_men(kings, &men, true, rights) else {
            return Ok(());
        };
        let question = question(&position, Mover::Attacker, 4);
        let large = shortest_mate(&question, &budget(64 << 20, 1), &Silent);
        for other in [budget(0, 1), budget(1 << 14, 1), budget(1 << 20, 3)] {
            let found = shortest_mate(&question, &other, &Silent);
            prop_assert_eq!(found.verdict, large.verdict, "{}", position_fen(&position));
            prop_assert_eq!(&found.keys, &large.keys, "{}", position_fen(&position));
        }
    }
}

proptest! {
    #![proptest_config(support::property(600))]

    #[test]
    fn mates_are_those_of_solved_tables(
        class in 0..3_usize,
        squares in (0..64_u32, 0..64_u32, prop_oneof![56..64_u32, 0..64_u32]),
        turn in any::<bool>(),
    ) {
        let (name, role) = [("KQK", 0), ("KRK", 1), ("KPK", 4)][class];
        let (white, man, black) = squares;
        let position = few_men((white, black), &[(man, role, true)], turn, (false, 0));
        let Some(position) = position.filter(|position| position.board().occupied().count() == 3) else {
            return Ok(());
        };
        let value = support::truth::with_library(name, |library| library.value(&position));
        let value = value.expect("a state of the class");
        let mover = if turn { Mover::Attacker } else { Mover::Defender };
        let found = shortest_mate(&question(&position, mover, 3), &Budget::default(), &Silent);
        let stated = (0..=3).map(moves).find(|length| match value {
            Value::Win(plies) => turn && plies == length.plies(mover),
            Value::Loss(plies) => !turn && plies == length.plies(mover),
            Value::Draw => false,
        });
        let verdict = stated.map_or(Verdict::Refuted, Verdict::Proved);
        prop_assert_eq!(found.verdict, verdict, "{}", position_fen(&position));
    }
}

/// Checks a strategy by what a strategy is.
fn check_strategy(dag: &Dag, root: &Chess, mover: Mover, length: Moves, keys: &[Move]) {
    let last = dag.nodes().next_back().expect("a root");
    assert_eq!(position_fen(&dag.position(last)), board_fen(root));
    assert!(dag.plies(last) <= length.plies(mover));
    for node in dag.nodes() {
        let position = dag.position(node);
        let moves: Vec<(Move, NodeId)> = dag.moves(node).collect();
        match dag.leaf(node) {
            Some(leaf) => assert!(leaf == Leaf::Checkmate && position.is_checkmate()),
            None if dag.plies(node).get() % 2 == 1 => {
                let expected = if node == last { keys.len() } else { 1 };
                assert_eq!(moves.len(), expected);
            }
            None => assert_all_moves(&position, &moves, &[]),
        }
        assert!(dag.leaf(node).is_none() || moves.is_empty());
        check_edges(dag, node, &position, &moves);
    }
}

/// Checks a refutation by what a refutation is.
fn check_refutation(dag: &Dag, root: &Chess, mover: Mover, length: Moves, keys: &[Move]) {
    let last = dag.nodes().next_back().expect("a root");
    assert_eq!(position_fen(&dag.position(last)), board_fen(root));
    assert_eq!(dag.plies(last), length.plies(mover));
    for node in dag.nodes() {
        let position = dag.position(node);
        let moves: Vec<(Move, NodeId)> = dag.moves(node).collect();
        let is_attacker = dag.plies(node).get() % 2 == 1;
        match dag.leaf(node) {
            Some(Leaf::Stalemate) => assert!(position.is_stalemate()),
            Some(Leaf::AttackerMated) => assert!(is_attacker && position.is_checkmate()),
            Some(Leaf::NoPlyLeft) => {
                assert!(dag.plies(node) == Plies::ZERO && !position.is_checkmate());
            }
            Some(Leaf::NoMateInOne) => {
                assert_eq!(dag.plies(node), Plies::new(1));
                assert!(!mates_within_naive(
                    &position,
                    Mover::Attacker,
                    Plies::new(1)
                ));
            }
            Some(Leaf::Checkmate) => panic!("a mate refutes nothing"),
            None if is_attacker => {
                let without = if node == last { keys } else { &[] };
                assert_all_moves(&position, &moves, without);
            }
            None => assert_eq!(moves.len(), 1),
        }
        check_edges(dag, node, &position, &moves);
    }
}

/// The board of a position, without clocks.
fn board_fen(position: &Chess) -> String {
    let fen = position_fen(position);
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ") + " 0 1"
}

fn assert_all_moves(position: &Chess, moves: &[(Move, NodeId)], without: &[Move]) {
    let mut listed: Vec<String> = moves.iter().map(|&(mv, _)| uci(mv)).collect();
    listed.extend(without.iter().map(|&mv| uci(mv)));
    listed.sort_unstable();
    let mut legal: Vec<String> = position.legal_moves().iter().map(|&mv| uci(mv)).collect();
    legal.sort_unstable();
    assert_eq!(listed, legal, "{}", position_fen(position));
}

fn check_edges(dag: &Dag, node: NodeId, position: &Chess, moves: &[(Move, NodeId)]) {
    for &(mv, to) in moves {
        assert!(position.is_legal(mv) && to < node && dag.plies(to) < dag.plies(node));
        let mut next = position.clone();
        next.play_unchecked(mv);
        assert_eq!(position_fen(&dag.position(to)), board_fen(&next));
    }
}

fn check_witness(question: &Question, budget: &Budget) -> (Answer, usize) {
    let (answer, witness) = witnessed_mate(question, budget, 1 << 24, &Silent);
    let Witness {
        mate,
        no_shorter,
        no_other_key,
    } = witness.expect("a witness");
    let (root, mover) = (&question.position, question.mover);
    let mut size = 0;
    match answer.verdict {
        Verdict::Undecided => panic!("there was no budget"),
        Verdict::Refuted => {
            let refutation = no_shorter.expect("a refutation").dag;
            check_refutation(&refutation, root, mover, question.max_moves, &[]);
            assert!(mate.is_none() && no_other_key.is_none());
        }
        Verdict::Proved(length) => {
            let strategy = mate.expect("a strategy").dag;
            check_strategy(&strategy, root, mover, length, &answer.keys);
            size += strategy.len();
            if let Some(refutation) = no_shorter {
                let shorter = length.fewer().expect("something shorter");
                check_refutation(&refutation.dag, root, mover, shorter, &[]);
                size += refutation.dag.len();
            } else {
                assert!(length <= moves(1));
            }
            if let Some(others) = no_other_key {
                check_refutation(&others.dag, root, mover, length, &answer.keys);
            }
        }
    }
    (answer, size)
}

proptest! {
    #![proptest_config(support::property(400))]

    #[test]
    fn every_answer_has_its_witness(
        kings in (0..64_u32, prop_oneof![56..64_u32, 0..64_u32]),
        men in prop::collection::vec((0..64_u32, 0..5_u8, prop::bool::weighted(0.7)), 1..6),
        turn in any::<bool>(),
        rights in (prop::bool::weighted(0.2), 0..16_u32),
    ) {
        let Some(position) = few_men(kings, &men, turn, rights) else {
            return Ok(());
        };
        for mover in [Mover::Attacker, Mover::Defender] {
            for length in [1, 3] {
                check_witness(&question(&position, mover, length), &budget(1 << 14, 1));
            }
        }
    }
}

#[test]
fn a_deep_answer_has_its_witness_whatever_was_forgotten() {
    // Two rooks drive the king to the edge; a queen alone is too slow.
    let rooks = ("8/3k4/8/8/8/8/R7/1R2K3 w - - 0 1", 5, true);
    let queen = ("8/8/8/3k4/8/8/7Q/K7 w - - 0 1", 4, false);
    for (fen, length, mates) in [rooks, queen] {
        let position = parse_fen(fen).unwrap();
        let question = Question {
            keys: Keys::Any,
            ..question(&position, Mover::Attacker, length)
        };
        let (large, size) = check_witness(&question, &budget(64 << 20, 1));
        let (small, other) = check_witness(&question, &budget(1 << 12, 1));
        println!("{size} and {other} nodes, {large:?}");
        assert_eq!(large.verdict, small.verdict);
        assert_eq!(matches!(large.verdict, Verdict::Proved(_)), mates);
    }
}

proptest! {
    #![proptest_config(support::property(1_500))]

    #[test]
    fn solutions_are_as_defined(
        kings in (0..64_u32, prop_oneof![56..64_u32, 0..64_u32]),
        men in prop::collection::vec((0..64_u32, 0..5_u8, prop::bool::weighted(0.7)), 2..6),
        rights in (prop::bool::weighted(0.2), 0..16_u32),
    ) {
        let Some(position) = few_men(kings, &men, true, rights) else {
            return Ok(());
        };
        let question = question(&position, Mover::Attacker, 2);
        let (answer, solution) = solve_problem(&question, &budget(1 << 20, 1), 1, &Silent);
        let Verdict::Proved(length) = answer.verdict else {
            prop_assert!(solution.is_none());
            return Ok(());
        };
        let solution = solution.expect("a solution");
        if length == moves(1) {
            let first: Vec<Move> = solution.phases.iter().map(|phase| phase.first.mv).collect();
            prop_assert_eq!(first, answer.keys);
            return Ok(());
        }
        let left = length.fewer().expect("a move");
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let refuting: Vec<Move> = next
                .legal_moves()
                .into_iter()
                .filter(|&reply| !mates_after(&next, reply, left))
                .collect();
            let phase = solution.phases.iter().find(|phase| phase.first.mv == mv);
            let is_shown = refuting.len() <= 1 && !next.is_stalemate();
            prop_assert_eq!(phase.is_some(), is_shown, "{} {}", position_fen(&position), uci(mv));
            if let Some(phase) = phase {
                prop_assert_eq!(&phase.refutations, &refuting);
                check_play(&next, &phase.first, left)?;
            }
        }
        let passed = position.clone().swap_turn();
        for variation in &solution.set_play {
            let passed = passed.as_ref().expect("no set play in check");
            prop_assert!(mates_after(passed, variation.reply, left));
        }
    }
}

/// Whether the attacker mates within so many moves after a reply.
fn mates_after(position: &Chess, reply: Move, length: Moves) -> bool {
    let mut next = position.clone();
    next.play_unchecked(reply);
    mates_within_naive(&next, Mover::Attacker, length.plies(Mover::Attacker))
}

/// The threat and the variations of a first move of a mate in one or two.
fn check_play(next: &Chess, first: &Continuation, left: Moves) -> Result<(), TestCaseError> {
    let threats = match &first.pressure {
        Pressure::Mate => {
            prop_assert!(next.is_checkmate());
            return Ok(());
        }
        Pressure::Check => {
            prop_assert!(next.is_check());
            Vec::new()
        }
        pressure => {
            prop_assert!(!next.is_check());
            let passed = next.clone().swap_turn().expect("nobody is in check");
            let mut mates: Vec<Move> = passed
                .legal_moves()
                .into_iter()
                .filter(|&mv| is_mate_after(&passed, mv))
                .collect();
            mates.sort_by_key(|&mv| uci(mv));
            match pressure {
                Pressure::Threat(threats) => {
                    let threats: Vec<Move> = threats.iter().map(|threat| threat.mv).collect();
                    prop_assert_eq!(&threats, &mates);
                }
                _ => prop_assert!(mates.is_empty()),
            }
            mates
        }
    };
    for reply in next.legal_moves() {
        let mut after = next.clone();
        after.play_unchecked(reply);
        // A threat is a man that goes to a square, whatever stands there.
        let is_threat = |mv: Move| threats.iter().any(|&threat| uci(threat) == uci(mv));
        let is_threatened = after
            .legal_moves()
            .into_iter()
            .any(|mv| is_threat(mv) && is_mate_after(&after, mv));
        let variation = first
            .variations
            .iter()
            .find(|variation| variation.reply == reply);
        let is_shown = mates_after(next, reply, left) && !is_threatened;
        prop_assert_eq!(
            variation.is_some(),
            is_shown,
            "{} {}",
            position_fen(next),
            uci(reply)
        );
        let mates = after.legal_moves();
        let mates = mates
            .iter()
            .filter(|&&mv| is_mate_after(&after, mv))
            .count();
        if let Some(variation) = variation {
            prop_assert_eq!(variation.continuations.len(), mates);
            prop_assert_eq!(variation.is_mating_dual(), mates > 1);
            prop_assert!(!variation.is_dual() && !variation.is_short());
        }
    }
    Ok(())
}

fn is_mate_after(position: &Chess, mv: Move) -> bool {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next.is_checkmate()
}

/// Nine moves mate; which one is shown must not follow from who found one first.
#[test]
fn the_first_key_follows_from_the_position() {
    let position = parse_fen("8/8/1p5B/1p2p3/4k1P1/1P3n2/P4PB1/K2R4 w - - 0 1").unwrap();
    let answer = |keys, hash_bytes, threads| {
        let question = Question {
            keys,
            ..question(&position, Mover::Attacker, 4)
        };
        shortest_mate(&question, &budget(hash_bytes, threads), &Silent)
    };
    let all = answer(Keys::All, 1 << 26, 1).keys;
    assert_eq!(all.len(), 9);
    let order = |&key: &Move| {
        let mut next = position.clone();
        next.play_unchecked(key);
        (!next.is_check(), next.legal_moves().len(), uci(key))
    };
    let first = all.into_iter().min_by_key(order).unwrap();
    for (hash_bytes, threads) in [(1 << 26, 1), (1, 1), (1 << 26, 3), (1, 3)] {
        let found = answer(Keys::First, hash_bytes, threads);
        assert_eq!(
            (found.verdict, found.keys),
            (Verdict::Proved(moves(4)), vec![first])
        );
    }
}
