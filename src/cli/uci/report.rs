//! What is printed about a search.
//!
//! A mate is printed with its line; without one only if the line does not come for a while, or at the end. Refuted lengths are printed a few times a second:
//! the longest says all about the shorter ones.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dchess::mate::{Mover, Moves};
use dchess::rules::uci;
use shakmaty::{Chess, Move, Position};

use super::hunt::{Mate, News, Watch};
use super::stopgap::stopgap;

/// The time between two lines about refuted lengths.
const BETWEEN: Duration = Duration::from_millis(250);

/// What is known of a search, and what of it was printed.
pub(super) struct Report {
    position: Chess,
    first: Vec<Move>,
    start: Instant,
    watch: Arc<Watch>,
    /// The best that is known of each mate, and whether it was printed.
    mates: Vec<(Mate, bool)>,
    /// The longest mates that are refuted and not yet printed, by either side.
    refuted: [Option<Moves>; 2],
    said_refuted: Option<Instant>,
}

impl Report {
    /// The report of a search that begins now.
    pub(super) fn new(
        position: &Chess,
        first: &[Move],
        start: Instant,
        watch: Arc<Watch>,
    ) -> Report {
        Report {
            position: position.clone(),
            first: first.to_vec(),
            start,
            watch,
            mates: Vec::new(),
            refuted: [None; 2],
            said_refuted: None,
        }
    }

    /// What is to be printed after some news.
    pub(super) fn hear(&mut self, news: News) -> Vec<String> {
        match news {
            News::Refuted(mover, length) => {
                self.refuted[mover as usize] = Some(length);
                let is_soon = |said: Instant| said.elapsed() < BETWEEN;
                if self.said_refuted.is_some_and(is_soon) {
                    Vec::new()
                } else {
                    self.say_refuted()
                }
            }
            News::Found(mate) => {
                let has_line = !mate.line.is_empty();
                self.mates.truncate(mate.rank + 1);
                match self.mates.get_mut(mate.rank) {
                    None => self.mates.push((mate, false)),
                    Some((known, is_said)) => {
                        let is_same =
                            (known.length, known.is_shortest) == (mate.length, mate.is_shortest);
                        *is_said &= is_same && !has_line;
                        *known = mate;
                    }
                }
                if has_line {
                    self.say_mates()
                } else {
                    Vec::new()
                }
            }
            News::Over { .. } => self.say_mates(),
        }
    }

    /// What is to be printed when nothing was for a while.
    pub(super) fn tick(&mut self) -> Vec<String> {
        let mut lines = self.say_mates();
        lines.extend(self.say_refuted());
        lines.push(format!(
            "info depth {} {}",
            self.watch.plies(),
            self.spent()
        ));
        lines
    }

    /// What is printed at the end, `bestmove` last; it is known whether all that was asked is decided.
    pub(super) fn close(&mut self, is_decided: bool) -> Vec<String> {
        if self.first.is_empty() {
            let end = if self.position.is_checkmate() {
                "info depth 0 score mate 0"
            } else {
                "info string stalemate"
            };
            return vec![end.to_owned(), "bestmove (none)".to_owned()];
        }
        let mut lines = self.say_mates();
        lines.extend(self.say_refuted());
        if self.mates.is_empty() && !is_decided {
            lines.push("info string undecided".to_owned());
        }
        let best = self.mates.first().and_then(|(mate, _)| {
            let first = mate.line.first().copied();
            mate.key.or(first)
        });
        let best = best.or_else(|| stopgap(&self.position, &self.first));
        lines.push(best.map_or_else(
            || "bestmove (none)".to_owned(),
            |best| format!("bestmove {}", uci(best)),
        ));
        lines
    }

    fn say_refuted(&mut self) -> Vec<String> {
        let [attack, defence] = std::mem::take(&mut self.refuted);
        let attack = attack.map(|length| format!("info string refuted in {length}"));
        let defence = defence.map(|length| format!("info string refuted in -{length}"));
        let lines: Vec<String> = attack.into_iter().chain(defence).collect();
        if !lines.is_empty() {
            self.said_refuted = Some(Instant::now());
        }
        lines
    }

    fn say_mates(&mut self) -> Vec<String> {
        if self.mates.iter().all(|(_, is_said)| *is_said) {
            return Vec::new();
        }
        let mut lines = self.say_refuted();
        let spent = self.spent();
        for (mate, is_said) in &mut self.mates {
            if !*is_said {
                lines.push(line(mate, &spent));
                *is_said = true;
            }
        }
        lines
    }

    fn spent(&self) -> String {
        let nodes = self.watch.nodes();
        let milliseconds = self.start.elapsed().as_millis();
        let per_second = u128::from(nodes) * 1_000 / milliseconds.max(1);
        let full = self.watch.permille();
        format!("nodes {nodes} nps {per_second} time {milliseconds} hashfull {full}")
    }
}

/// A mate as UCI has it: a length below zero if the side to move is mated, and then an upper bound where the attacker has a lower one.
fn line(mate: &Mate, spent: &str) -> String {
    let plies = mate.length.plies(mate.mover).get();
    let (sign, bound) = match mate.mover {
        Mover::Attacker => ("", " lowerbound"),
        Mover::Defender => ("-", " upperbound"),
    };
    let bound = if mate.is_shortest { "" } else { bound };
    let (rank, length) = (mate.rank + 1, mate.length);
    let mut text =
        format!("info depth {plies} multipv {rank} score mate {sign}{length}{bound} {spent}");
    for (ply, &mv) in mate.line.iter().enumerate() {
        text += if ply == 0 { " pv " } else { " " };
        text += &uci(mv);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let position = Chess::default();
        let first: Vec<Move> = position.legal_moves().into_iter().collect();
        Report::new(&position, &first, Instant::now(), Arc::default())
    }

    fn mate(length: u8, is_shortest: bool, line: bool) -> News {
        let key = Chess::default().legal_moves()[3];
        News::Found(Mate {
            mover: Mover::Attacker,
            length: Moves::new(length).unwrap(),
            is_shortest,
            rank: 0,
            key: Some(key),
            line: if line { vec![key] } else { Vec::new() },
        })
    }

    #[test]
    fn a_mate_is_printed_once_and_again_when_it_is_the_shortest() {
        let mut report = report();
        assert!(report.hear(mate(5, false, false)).is_empty());
        let lines = report.hear(mate(5, false, true));
        assert!(lines[0].contains(" score mate 5 lowerbound ") && lines[0].contains(" pv "));
        assert!(report.hear(mate(5, true, false)).is_empty());
        let lines = report.close(true);
        assert!(lines[0].contains(" score mate 5 nodes") && !lines[0].contains(" pv "));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn a_line_that_comes_late_is_printed() {
        let mut report = report();
        assert!(report.hear(mate(5, true, false)).is_empty());
        assert_eq!(report.tick().len(), 2);
        assert_eq!(report.tick().len(), 1);
        assert!(report.hear(mate(5, true, true))[0].contains(" pv "));
        assert_eq!(report.close(true).len(), 1);
    }

    #[test]
    fn what_is_refuted_is_said_in_the_end() {
        let mut report = report();
        let refuted = |length| News::Refuted(Mover::Attacker, Moves::new(length).unwrap());
        assert_eq!(report.hear(refuted(1)), ["info string refuted in 1"]);
        assert!(report.hear(refuted(2)).is_empty());
        assert!(report.hear(refuted(3)).is_empty());
        let lines = report.close(false);
        assert_eq!(
            lines[..2],
            ["info string refuted in 3", "info string undecided"]
        );
        assert!(lines[2].starts_with("bestmove "));
    }
}
