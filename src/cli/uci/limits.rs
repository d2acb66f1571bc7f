//! What `go` asks for and how long it may take.

use std::time::{Duration, Instant};

use dchess::mate::Moves;
use shakmaty::{Chess, Color, Move, Position};

use super::setup::legal_move;

/// How long a search takes that is told nothing about it.
const BARE: Duration = Duration::from_secs(5);

/// No search that has a clock is shorter.
const SHORTEST: Duration = Duration::from_millis(10);

/// What `go` asks for.
#[derive(Debug)]
pub(super) struct Limits {
    /// First moves to search: those after `searchmoves`, or all that are legal.
    pub(super) first: Vec<Move>,
    /// The longest mate to look for with the side to move as the attacker.
    pub(super) longest_attack: Moves,
    /// The same with the side to move as the one that is mated.
    pub(super) longest_defence: Moves,
    /// Positions to look at.
    pub(super) nodes: Option<u64>,
    time: Option<Duration>,
    /// Until `stop`.
    pub(super) is_infinite: bool,
    /// Until `ponderhit`, and from then on within the other limits.
    pub(super) is_ponder: bool,
}

/// The words of `go` that a number follows.
const NUMBERS: [&str; 9] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
];

fn is_keyword(word: &str) -> bool {
    NUMBERS.contains(&word) || ["searchmoves", "infinite", "ponder"].contains(&word)
}

/// The numbers that were read.
#[derive(Default)]
struct Numbers([Option<i64>; NUMBERS.len()]);

impl Numbers {
    fn get(&self, name: &str) -> Option<i64> {
        let place = NUMBERS.iter().position(|&word| word == name)?;
        self.0[place]
    }
}

impl Limits {
    /// Reads what follows `go`. What cannot be used is left out, with a remark.
    pub(super) fn parse(words: &[&str], position: &Chess) -> (Limits, Vec<String>) {
        let mut remarks = Vec::new();
        let mut numbers = Numbers::default();
        let mut first = Vec::new();
        let (mut is_infinite, mut is_ponder) = (false, false);
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = after;
            if let Some(place) = NUMBERS.iter().position(|known| known == word) {
                let value = rest.first().filter(|next| !is_keyword(next));
                rest = &rest[usize::from(value.is_some())..];
                match value.map(|value| value.parse()) {
                    Some(Ok(number)) => numbers.0[place] = Some(number),
                    _ => remarks.push(format!(
                        "`{word}` without a number, or with one that is too large, is passed over"
                    )),
                }
                continue;
            }
            match *word {
                "infinite" => is_infinite = true,
                "ponder" => is_ponder = true,
                "searchmoves" => {
                    while let Some(text) = rest.first().filter(|next| !is_keyword(next)) {
                        rest = &rest[1..];
                        match legal_move(position, text) {
                            Some(mv) if !first.contains(&mv) => first.push(mv),
                            Some(_) => {}
                            None => remarks.push(format!("`{text:.20}` is no legal move here")),
                        }
                    }
                    if first.is_empty() {
                        remarks.push("no legal move after `searchmoves`: all are searched".into());
                    }
                }
                _ => remarks.push(format!("`{word:.20}` after `go` is passed over")),
            }
        }
        if first.is_empty() {
            first = position.legal_moves().into_iter().collect();
        }
        let (longest_attack, longest_defence) = lengths(&numbers, &mut remarks);
        let nodes = numbers.get("nodes");
        let is_bounded = ["mate", "depth", "nodes"]
            .into_iter()
            .any(|name| numbers.get(name).is_some());
        let time = time(&numbers, position.turn());
        let limits = Limits {
            first,
            longest_attack,
            longest_defence,
            nodes: nodes.map(|nodes| u64::try_from(nodes).unwrap_or(0)),
            time: time.or_else(|| (!is_bounded).then_some(BARE)),
            is_infinite,
            is_ponder,
        };
        remarks.truncate(8);
        (limits, remarks)
    }

    /// When a search ends that begins now, or is hit by `ponderhit` now.
    pub(super) fn deadline(&self, now: Instant) -> Option<Instant> {
        let time = self.time.filter(|_| !self.is_infinite && !self.is_ponder)?;
        now.checked_add(time)
    }
}

/// The longest mates to look for: in N moves by either side after `mate N`, of the side to move after `mate -N`; after `depth D` those that
/// take up to D plies.
fn lengths(numbers: &Numbers, remarks: &mut Vec<String>) -> (Moves, Moves) {
    let longest = i64::from(Moves::LONGEST.get());
    let (mut attack, mut defence) = (longest, longest);
    match numbers.get("mate") {
        None => {}
        Some(0) => {
            remarks.push("`mate 0` is passed over: a search looks for mates from 1 on".into())
        }
        Some(mate) => {
            (attack, defence) = (mate, mate.saturating_abs());
            if defence > longest {
                remarks.push(format!(
                    "mates in more than {longest} moves are not looked for"
                ));
            }
        }
    }
    if let Some(depth) = numbers.get("depth") {
        let depth = depth.max(1);
        attack = attack.min(depth / 2 + depth % 2);
        defence = defence.min(depth / 2);
    }
    let moves = |count: i64| {
        let count = u8::try_from(count.clamp(0, longest)).ok();
        count.and_then(Moves::new).unwrap_or(Moves::LONGEST)
    };
    (moves(attack), moves(defence))
}

/// The time of a search, if there is a clock: a small part of what is left.
fn time(numbers: &Numbers, turn: Color) -> Option<Duration> {
    let milliseconds = |name| {
        let number: Option<i64> = numbers.get(name);
        number.map(|number| u64::try_from(number).unwrap_or(0))
    };
    let (left, increment) = turn.fold_wb(("wtime", "winc"), ("btime", "binc"));
    let of_clock = milliseconds(left).map(|left| {
        let moves = milliseconds("movestogo").unwrap_or(40).clamp(2, 40);
        let share = left / moves + milliseconds(increment).unwrap_or(0) / 2;
        Duration::from_millis(share.min(left / 2)).max(SHORTEST)
    });
    milliseconds("movetime")
        .map(Duration::from_millis)
        .or(of_clock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dchess::rules::{parse_fen, uci};

    fn read(line: &str) -> (Limits, Vec<String>) {
        let words: Vec<&str> = line.split_whitespace().collect();
        Limits::parse(&words, &Chess::default())
    }

    fn lengths(line: &str) -> (u8, u8) {
        let limits = read(line).0;
        (limits.longest_attack.get(), limits.longest_defence.get())
    }

    #[test]
    fn lengths_are_in_moves_or_plies() {
        assert_eq!(lengths(""), (120, 120));
        assert_eq!(lengths("mate 3"), (3, 3));
        assert_eq!(lengths("mate -3"), (0, 3));
        assert_eq!(lengths("mate 0"), (120, 120));
        assert_eq!(lengths("mate 1000"), (120, 120));
        assert_eq!(lengths("mate -9223372036854775808"), (0, 120));
        assert_eq!(lengths("depth 5"), (3, 2));
        assert_eq!(lengths("depth 0"), (1, 0));
        assert_eq!(lengths("mate 2 depth 99"), (2, 2));
    }

    #[test]
    fn every_search_ends_but_one_without_end() {
        let time = |line: &str| read(line).0.time.map(|time| time.as_millis());
        assert_eq!(time(""), Some(5_000));
        assert_eq!(time("movetime 70 wtime 1000"), Some(70));
        assert_eq!(time("wtime 40000 btime 1 winc 200"), Some(1_100));
        assert_eq!(time("wtime 40000 movestogo 10"), Some(4_000));
        assert_eq!(time("wtime 100 winc 5000"), Some(50));
        assert_eq!(time("wtime -5"), Some(10));
        assert_eq!(
            time("btime 1000"),
            Some(5_000),
            "the clock of the other side"
        );
        assert_eq!(time("nodes 5"), None);
        let now = Instant::now();
        assert!(read("infinite movetime 5").0.deadline(now).is_none());
        assert!(read("ponder movetime 5").0.deadline(now).is_none());
        assert!(read("movetime 5").0.deadline(now).is_some());
        assert!(read("movetime 9223372036854775807").1.is_empty());
    }

    #[test]
    fn first_moves_may_be_chosen() {
        let first = |line: &str| -> Vec<String> {
            let moves = read(line).0.first;
            moves.into_iter().map(uci).collect()
        };
        assert_eq!(first("searchmoves e2e4 e2e4 d2d4 mate 2"), ["e2e4", "d2d4"]);
        assert_eq!(first("mate 2 searchmoves e2e4 x e2e5"), ["e2e4"]);
        assert_eq!(first("searchmoves e2e5").len(), 20);
        assert_eq!(lengths("searchmoves e2e4 mate 2"), (2, 2));
        assert_eq!(read("searchmoves e2e5").1.len(), 2);
    }

    #[test]
    fn what_cannot_be_used_is_passed_over_with_a_remark() {
        for line in [
            "mate",
            "mate x",
            "nodes",
            "mate infinite",
            "fast",
            "depth 99999999999999999999",
        ] {
            assert_eq!(read(line).1.len(), 1, "{line}");
        }
        assert!(read("mate infinite").0.is_infinite);
        assert_eq!(read("nodes -5").0.nodes, Some(0));
        assert!(read(&"nonsense ".repeat(1_000)).1.len() <= 8);
    }

    #[test]
    fn a_position_without_moves_has_no_first_moves() {
        let mated = parse_fen("7k/5KQ1/8/8/8/8/8/8 b - -").unwrap();
        assert!(Limits::parse(&[], &mated).0.first.is_empty());
    }
}
