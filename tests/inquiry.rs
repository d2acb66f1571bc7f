//! Questions about some first moves: against the definition, one after the other, with pauses.

use dchess::game::{Observer, Plies, Silent};
use dchess::mate::{Budget, Inquiry, Mates, Meter, Mover, Moves, mates_within_naive};
use dchess::rules::{parse_fen, uci};
use shakmaty::{Chess, Move, Position};
use std::sync::atomic::{AtomicU64, Ordering};

/// A mate in three with three keys.
const THREE: &str = "7k/8/8/6K1/8/8/8/5Q2 w - -";

/// Mated in two.
const MATED: &str = "7k/8/6K1/8/8/8/8/5Q2 b - -";

fn moves(count: u8) -> Moves {
    Moves::new(count).expect("a short mate")
}

fn all_moves(position: &Chess) -> Vec<Move> {
    position.legal_moves().into_iter().collect()
}

fn small() -> Budget {
    Budget {
        hash_bytes: 1 << 16,
        ..Budget::default()
    }
}

/// A line is legal from here and ends in mate after so many plies, or sooner.
fn check_line(position: &Chess, line: &[Move], longest: usize) {
    let mut position = position.clone();
    for &mv in line {
        assert!(position.is_legal(mv), "{mv:?}");
        position.play_unchecked(mv);
    }
    assert!(position.is_checkmate() && line.len() <= longest, "{line:?}");
}

#[test]
fn each_first_move_is_decided_as_defined() {
    let fens = [
        THREE,
        MATED,
        "8/8/6N1/b7/6R1/2k5/B7/R3K3 w Q -",
        "8/4R3/8/PpR5/1k6/2R5/7K/8 w - b6",
        "7k/5Q2/8/6K1/8/8/8/8 w - -",
        "k7/8/1KP5/8/8/8/8/8 b - -",
    ];
    for fen in fens {
        let position = parse_fen(fen).unwrap();
        for mover in [Mover::Attacker, Mover::Defender] {
            let meter = Meter::new(u64::MAX, &Silent);
            let mut inquiry = Inquiry::new(&position, mover, &small(), &meter);
            for mv in all_moves(&position) {
                let mut after = position.clone();
                after.play_unchecked(mv);
                for length in 1..=2 {
                    let other = match mover {
                        Mover::Attacker => Mover::Defender,
                        Mover::Defender => Mover::Attacker,
                    };
                    let plies = Plies::new(moves(length).plies(mover).get() - 1);
                    let expected = mates_within_naive(&after, other, plies);
                    let found = inquiry.decide(&[mv], moves(length)).unwrap();
                    assert_eq!(found != Mates::No, expected, "{fen} {mv:?} {length}");
                    if let (Mates::Yes(key), Mover::Attacker) = (found, mover) {
                        assert_eq!(key, Some(mv));
                    }
                }
            }
        }
    }
}

#[test]
fn keys_are_found_one_after_the_other() {
    let position = parse_fen(THREE).unwrap();
    for threads in [1, 2] {
        let meter = Meter::new(u64::MAX, &Silent);
        let budget = Budget { threads, ..small() };
        let mut inquiry = Inquiry::new(&position, Mover::Attacker, &budget, &meter);
        let mut first = all_moves(&position);
        assert_eq!(inquiry.decide(&first, moves(2)), Ok(Mates::No));
        let mut keys = Vec::new();
        while let Ok(Mates::Yes(Some(key))) = inquiry.decide(&first, moves(3)) {
            first.retain(|&mv| mv != key);
            keys.push(uci(key));
            let line = inquiry.line(&[key], moves(3), true).unwrap();
            check_line(&position, &line, 5);
            assert_eq!((line.len(), line[0]), (5, key));
        }
        keys.sort();
        assert_eq!(keys, ["g5f6", "g5g6", "g5h6"]);
        assert_eq!(inquiry.decide(&first, moves(3)), Ok(Mates::No));
        assert_eq!(inquiry.decide(&[], moves(3)), Ok(Mates::No));
        assert!(matches!(
            inquiry.decide(&first, moves(4)),
            Ok(Mates::Yes(Some(_)))
        ));
    }
}

#[test]
fn a_long_mate_may_be_proved_before_the_shortest() {
    let position = parse_fen(THREE).unwrap();
    let meter = Meter::new(u64::MAX, &Silent);
    let mut inquiry = Inquiry::new(&position, Mover::Attacker, &small(), &meter);
    let first = all_moves(&position);
    let Ok(Mates::Yes(Some(key))) = inquiry.decide(&first, moves(8)) else {
        panic!("it mates in 3");
    };
    let line = inquiry.line(&[key], moves(8), false).unwrap();
    check_line(&position, &line, 15);
    assert_eq!(inquiry.decide(&first, moves(2)), Ok(Mates::No));
    assert!(matches!(
        inquiry.decide(&first, moves(3)),
        Ok(Mates::Yes(_))
    ));
}

#[test]
fn lines_of_the_defender_begin_with_the_moves_that_he_has() {
    let position = parse_fen(MATED).unwrap();
    let meter = Meter::new(u64::MAX, &Silent);
    let mut inquiry = Inquiry::new(&position, Mover::Defender, &small(), &meter);
    let all = all_moves(&position);
    assert_eq!(all.len(), 1);
    let is_mated = |found| found == Ok(Mates::Yes(None));
    let shortest = (1..10).find(|&length| is_mated(inquiry.decide(&all, moves(length))));
    let shortest = shortest.unwrap();
    let line = inquiry.line(&all, moves(shortest), true).unwrap();
    check_line(&position, &line, 2 * usize::from(shortest));
    assert_eq!(line.len(), 2 * usize::from(shortest));
    let line = inquiry.line(&all, moves(shortest + 3), false).unwrap();
    check_line(&position, &line, 2 * usize::from(shortest + 3));
    assert!(!line.is_empty());
}

#[test]
fn the_defender_holds_out_as_long_as_he_can() {
    // On the edge he is mated sooner, and those moves come first.
    let position = parse_fen("1R2K3/R7/8/8/8/8/8/4k3 b - -").unwrap();
    let meter = Meter::new(u64::MAX, &Silent);
    let mut inquiry = Inquiry::new(&position, Mover::Defender, &small(), &meter);
    let all = all_moves(&position);
    let mut shortest = |first: &[Move]| {
        let is_mated = |length: &u8| inquiry.decide(first, moves(*length)) == Ok(Mates::Yes(None));
        (1..10).find(is_mated).unwrap()
    };
    let lengths: Vec<u8> = all.iter().map(|&mv| shortest(&[mv])).collect();
    let longest = shortest(&all);
    assert_eq!(lengths.iter().max(), Some(&longest));
    assert!(lengths.iter().any(|&length| length < longest));
    let line = inquiry.line(&all, moves(longest), true).unwrap();
    check_line(&position, &line, 2 * usize::from(longest));
    assert_eq!(line.len(), 2 * usize::from(longest));
    for (mv, length) in all.into_iter().zip(lengths) {
        let line = inquiry.line(&[mv], moves(length), true).unwrap();
        check_line(&position, &line, 2 * usize::from(length));
        assert_eq!((line[0], line.len()), (mv, 2 * usize::from(length)));
    }
}

#[test]
fn a_pause_is_no_end() {
    let position = parse_fen("1k6/1bpQN3/1p6/p7/6p1/2NP1n2/5PK1/4q3 w - -").unwrap();
    let first = all_moves(&position);
    let whole = Meter::new(u64::MAX, &Silent);
    let mut undisturbed = Inquiry::new(&position, Mover::Attacker, &small(), &whole);
    let expected = undisturbed.decide(&first, moves(5)).unwrap() != Mates::No;
    let meter = Meter::new(u64::MAX, &Silent);
    for threads in [1, 2] {
        let budget = Budget { threads, ..small() };
        let mut inquiry = Inquiry::new(&position, Mover::Attacker, &budget, &meter);
        let mut pauses = 0;
        let mut slice = 1_000;
        let found = loop {
            meter.pause_after(Some(slice));
            match inquiry.decide(&first, moves(5)) {
                Ok(found) => break found,
                Err(_) => pauses += 1,
            }
            assert!(!meter.is_stopped());
            slice *= 2;
        };
        assert!(pauses > 0, "{pauses}");
        assert_eq!(found != Mates::No, expected);
    }
    let short = Meter::new(2_000, &Silent);
    let mut inquiry = Inquiry::new(&position, Mover::Attacker, &small(), &short);
    assert!(inquiry.decide(&first, moves(4)).is_err() && short.is_stopped());
}

/// Adds up the steps that are reported.
#[derive(Default)]
struct Sum(AtomicU64);

impl Observer for Sum {
    fn begin(&self, _stage: &str, _steps: u64) {}

    fn advance(&self, steps: u64) {
        self.0.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_interrupted(&self) -> bool {
        false
    }
}

#[test]
fn the_observer_hears_of_every_position() {
    let position = parse_fen(THREE).unwrap();
    let sum = Sum::default();
    let meter = Meter::new(u64::MAX, &sum);
    let mut inquiry = Inquiry::new(&position, Mover::Attacker, &small(), &meter);
    let found = inquiry.decide(&all_moves(&position), moves(3));
    assert!(matches!(found, Ok(Mates::Yes(_))));
    let nodes = inquiry.nodes();
    assert!(nodes > 100 && nodes == sum.0.load(Ordering::Relaxed));
    assert!(inquiry.permille_remembered() > 0);
}
