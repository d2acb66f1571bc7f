//! Proofs from any position: against the complete rules by brute force, and on positions whose value is known.

mod support;

use std::collections::HashMap;
use std::sync::LazyLock;

use dchess::certificate::{Format, Sealed};
use dchess::endgame::{Endgame, Library, Material};
use dchess::game::{Interval, Outcome, Silent};
use dchess::proof::{Effort, Ground, Profile, Proved, Stop, prove};
use dchess::rules::{End, State, parse_fen};
use dchess::verify::{self, Session};
use proptest::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position};

static TABLES: LazyLock<Library> = LazyLock::new(|| {
    let mut library = Library::new();
    for class in ["KQK", "KRK", "KPK"] {
        let class: Material = class.parse().unwrap();
        Endgame::solve(&class, &mut library, &Silent).unwrap();
    }
    library
});

static NO_TABLES: LazyLock<Library> = LazyLock::new(Library::new);

fn state(fen: &str) -> State {
    State::new(parse_fen(fen).unwrap()).unwrap()
}

fn played(state: &State, moves: &str) -> State {
    moves.split_whitespace().fold(state.clone(), |state, text| {
        let uci: UciMove = text.parse().unwrap();
        state.after(uci.to_move(state.position()).unwrap()).unwrap()
    })
}

fn proved_with(tables: &Library, profile: Profile, state: &State, nodes: usize) -> Proved {
    let effort = Effort {
        nodes,
        kept: 1_000_000,
        is_late: &|| false,
    };
    prove(profile, state, Ground::new(tables), effort, &Silent).unwrap()
}

/// What is proved without tables; the verifier says the same.
fn proved(profile: Profile, state: &State, nodes: usize) -> Proved {
    let proved = proved_with(&NO_TABLES, profile, state, nodes);
    for format in [Format::Bin, Format::Compressed, Format::Json] {
        let sealed = Sealed::proof(state, &proved, &[], format).unwrap();
        let certificate = verify::read(&mut sealed.bytes()).unwrap();
        let judged = Session::new().judge(certificate, None);
        assert!(judged.is_ok(), "{}: {judged:?}", sealed.claim());
    }
    proved
}

fn value(fen: &str) -> Interval {
    proved(Profile::Fcs, &state(fen), 200_000).interval
}

const WHITE_WINS: Interval = Interval::point(1);
const DRAW: Interval = Interval::point(0);
const BLACK_WINS: Interval = Interval::point(-1);

/// White's value under the complete rules: every line is played to its end. A table tells what a capture or pawn move is worth, after
/// which the clock is 0 and nothing has occurred (the longest win in it takes 32 plies).
fn brute(state: &State, known: &mut HashMap<Vec<u8>, i8>) -> i8 {
    let turn = state.position().turn();
    let own = |value: i8| if turn.is_white() { value } else { -value };
    match state.end() {
        Some(End::Checkmate) => return own(-1),
        Some(_) => return 0,
        None => {}
    }
    let bytes = state.bytes();
    if let Some(&value) = known.get(&bytes) {
        return value;
    }
    let claims = state.claims();
    let by_clock =
        |claim: &dchess::rules::Claim| matches!(claim, dchess::rules::Claim::FiftyMoves(_));
    let may_claim_by_clock = claims.iter().any(by_clock);
    let mut best = if claims.is_empty() { -2 } else { 0 };
    for mv in state.position().legal_moves() {
        let next = state.after(mv).unwrap();
        let value = match (next.end(), mv.is_zeroing()) {
            (None, true) => of_table(next.position()),
            // The other side may claim as well, so this is worth no more than the claim.
            (None, false) if may_claim_by_clock && next.clock_plies() >= 100 => continue,
            _ => brute(&next, known),
        };
        best = best.max(own(value));
    }
    known.insert(bytes, own(best));
    own(best)
}

fn of_table(position: &Chess) -> i8 {
    let men = position.board().occupied().count();
    if men == 2 {
        return 0;
    }
    let own = if position.turn().is_white() { 1 } else { -1 };
    match TABLES.value(position).unwrap().outcome() {
        Outcome::Win => own,
        Outcome::Draw => 0,
        Outcome::Loss => -own,
    }
}

/// A class, and where its men stand; which way the moves before went; how many plies are left before claims by the clock.
#[derive(Clone, Debug)]
struct Past {
    class: usize,
    squares: Vec<usize>,
    is_black: bool,
    choices: Vec<usize>,
    left: u32,
}

const CLASSES: [&str; 4] = ["KQk", "KRk", "KPk", "KQkr"];

fn pasts() -> impl Strategy<Value = Past> {
    let squares = prop::collection::vec(0..64_usize, 4);
    let choices = prop::collection::vec(0..1_000_usize, 0..12);
    (0..CLASSES.len(), squares, any::<bool>(), choices, 1..4_u32).prop_map(
        |(class, squares, is_black, choices, left)| Past {
            class,
            squares,
            is_black,
            choices,
            left,
        },
    )
}

/// The state after moves that go to and fro much, and whether the men make a position at all.
fn state_of(past: &Past) -> Option<State> {
    let mut board = vec!['1'; 64];
    for (man, &square) in CLASSES[past.class].chars().zip(&past.squares) {
        if board[square] != '1' || man == 'P' && !(8..56).contains(&square) {
            return None;
        }
        board[square] = man;
    }
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
    let side = if past.is_black { "b" } else { "w" };
    let clock = 99_u32.saturating_sub(past.left + past.choices.len() as u32);
    let fen = format!("{} {side} - - {clock} 80", ranks.join("/"));
    let mut state = State::new(parse_fen(&fen).ok()?).ok()?;
    let mut last = [None, None];
    for (ply, choice) in past.choices.iter().enumerate() {
        let quiet: Vec<_> = state
            .position()
            .legal_moves()
            .into_iter()
            .filter(|mv| !mv.is_zeroing())
            .collect();
        let back = quiet.iter().copied().find(|mv| {
            last[ply % 2].is_some_and(|(from, to)| mv.from() == Some(to) && mv.to() == from)
        });
        // Three times in four a man goes back to where it came from.
        let mv = match back {
            Some(back) if choice % 4 > 0 => back,
            _ => *quiet.get(choice % quiet.len().max(1))?,
        };
        last[ply % 2] = Some((mv.from()?, mv.to()));
        state = state.after(mv)?;
    }
    state.end().is_none().then_some(state)
}

/// No wrong interval, with tables and without.
fn check(past: &Past, nodes: usize) -> Result<(), TestCaseError> {
    let Some(state) = state_of(past) else {
        return Err(TestCaseError::reject("no state"));
    };
    let value = brute(&state, &mut HashMap::new());
    let alone = proved(Profile::Fcs, &state, nodes).interval;
    prop_assert!(alone.contains(value), "{alone} without tables, {value}");
    let with = proved_with(&TABLES, Profile::Fcs, &state, nodes).interval;
    prop_assert!(with.contains(value), "{with} with tables, {value}");
    Ok(())
}

proptest! {
    #![proptest_config(support::property(48))]

    /// With the clock near its limit and keys that have occurred before.
    #[test]
    fn intervals_hold_the_value(past in pasts(), nodes in 1..4_000_usize) {
        check(&past, nodes)?;
    }

    /// On the board the value is that of the table.
    #[test]
    fn intervals_of_the_board_hold_the_value(past in pasts(), nodes in 1..4_000_usize) {
        let state = state_of(&past).filter(|_| past.class < 3);
        let Some(state) = state else {
            return Err(TestCaseError::reject("no state"));
        };
        let value = of_table(state.position());
        let found = proved(Profile::Board, &state, nodes).interval;
        prop_assert!(found.contains(value), "{found}, {value}");
    }
}

proptest! {
    #![proptest_config(support::property(120))]

    #[test]
    #[ignore = "long tier: many more of the same"]
    fn intervals_hold_the_value_many_times(past in pasts(), nodes in 1..10_000_usize) {
        check(&past, nodes)?;
    }
}

#[test]
fn whoever_is_to_move() {
    assert_eq!(value("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"), DRAW);
    assert_eq!(value("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"), BLACK_WINS);
}

/// White gives check on e8 and h5 for ever, and is mated if he does not.
#[test]
fn perpetual_check() {
    assert_eq!(value("6k1/6p1/4pp2/7Q/8/8/rr6/7K w - - 0 1"), DRAW);
    assert_eq!(value("6k1/6p1/4pp2/7Q/8/8/rr6/7K b - - 0 1"), BLACK_WINS);
}

#[test]
fn a_wall_of_pawns() {
    // Dead at sight.
    assert_eq!(value("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 40 80"), DRAW);
    // First the pawn has to be taken, and Black to move does not get that far.
    assert_eq!(
        value("4k3/8/8/1p1p1p1p/1P1P1P1P/8/4p3/4K3 w - - 0 80"),
        DRAW
    );
}

/// Mate in two: White moves at *h*, Black must not be able to claim with the answer.
#[test]
fn the_clock_decides() {
    let at = |clock: u32| value(&format!("7k/8/5K2/8/8/8/6R1/8 w - - {clock} 90"));
    assert_eq!(at(97), WHITE_WINS);
    assert_eq!(at(98), DRAW);
    // A mate on the board comes before any claim.
    let mate = |clock: u32| value(&format!("7k/5K2/8/8/8/8/8/6R1 w - - {clock} 90"));
    assert_eq!((mate(99), mate(149)), (WHITE_WINS, WHITE_WINS));
    // A pawn move starts the count anew.
    let pawn = |clock: u32| value(&format!("7k/5K2/8/8/8/8/P7/6R1 b - - {clock} 90"));
    assert_eq!((pawn(98), pawn(100)), (WHITE_WINS, DRAW));
}

/// Black, lost on the board, has brought the same position about for the third time.
#[test]
fn an_earlier_occurrence_can_be_claimed() {
    let start = state("7k/8/5K2/8/8/8/6R1/8 b - - 0 90");
    assert_eq!(proved(Profile::Fcs, &start, 100_000).interval, WHITE_WINS);
    let once = played(&start, "h8h7 g2g1 h7h8 g1g2");
    let twice = played(&once, "h8h7 g2g1 h7h8 g1g2");
    assert_eq!(proved(Profile::Fcs, &twice, 100_000).interval, DRAW);
    // On the board nothing has occurred.
    assert_eq!(proved(Profile::Board, &twice, 100_000).interval, WHITE_WINS);
}

/// The trap of graphs with a history: the same position is won or drawn, by the way that led to it. White mates in one from the key
/// that has occurred twice; but any other way through it gives Black the claim.
#[test]
fn one_position_with_two_histories() {
    let start = state("7k/8/5K2/8/8/8/6R1/8 w - - 0 90");
    let fresh = proved(Profile::Fcs, &start, 100_000);
    assert_eq!(fresh.interval, WHITE_WINS);
    // Kf7 Kh7, the line of the mate, has been played twice and taken back: with Kf7 the key would occur for the third time,
    // and Black may claim; but White has other ways.
    let lines = "f6f7 h8h7 f7f6 h7h8";
    let again = played(&played(&start, lines), lines);
    assert_eq!(again.occurrences(), 3);
    let found = proved(Profile::Fcs, &again, 100_000).interval;
    // White is to move and may claim himself, so nobody loses; what he can win is not denied.
    assert!(found.lower >= 0 && found.upper == 1, "{found}");
}

#[test]
fn the_initial_position_is_open() {
    let start = State::new(Chess::default()).unwrap();
    let found = proved(Profile::Fcs, &start, 2_000);
    assert_eq!(found.interval, Interval::UNKNOWN);
    assert_eq!(found.stop, Stop::Budget);
    assert_eq!(start.position().turn(), Color::White);
}
