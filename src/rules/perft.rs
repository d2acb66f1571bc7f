//! Counting lines of play: the usual test of a move generator.
//!
//! A line of n plies is a sequence of n legal moves. In the complete game nothing follows an end, so a shorter line that ends the
//! game is not counted; claims are no moves, and dead positions are passed over as if they were not known.

use std::collections::HashMap;

use rayon::prelude::*;
use shakmaty::{Chess, Move, Position};

use super::notation::moves_in_order;
use super::state::{FIVEFOLD, SEVENTY_FIVE_MOVES, State};

/// The bytes that a remembered position is taken to need.
const ENTRY_BYTES: usize = 192;

/// The lines of so many plies, one at least, from a position of the game *board*, by their first moves.
///
/// Up to `memory_bytes` are spent on positions that are met again, shared out among the threads. What is remembered is the whole
/// position, so the count is exact.
pub fn divide(position: &Chess, plies: u32, memory_bytes: usize) -> Vec<(Move, u64)> {
    let firsts = moves_in_order(position);
    let entries = memory_bytes / ENTRY_BYTES / rayon::current_num_threads().max(1);
    // The second moves are shared out as well: there are too few first ones to keep the threads busy.
    let pairs: Vec<(usize, Chess)> = firsts
        .iter()
        .enumerate()
        .flat_map(|(first, &mv)| {
            let next = played(position, mv);
            let seconds = match plies {
                0..=2 => vec![next],
                _ => {
                    let moves = next.legal_moves();
                    moves.iter().map(|&mv| played(&next, mv)).collect()
                }
            };
            seconds.into_iter().map(move |next| (first, next))
        })
        .collect();
    let left = plies.saturating_sub(if plies > 2 { 2 } else { 1 });
    let counts: Vec<(usize, u64)> = pairs
        .par_iter()
        .map_init(
            || Remembered::new(entries),
            |remembered, (first, next)| (*first, remembered.count(next, left)),
        )
        .collect();
    let mut lines = vec![0; firsts.len()];
    for (first, count) in counts {
        lines[first] += count;
    }
    firsts.into_iter().zip(lines).collect()
}

/// The same from a state of the complete game; nothing if it has ended.
pub fn state_divide(state: &State, plies: u32, memory_bytes: usize) -> Vec<(Move, u64)> {
    if state.end().is_some() {
        return Vec::new();
    }
    if !may_end_by_count(state, plies) {
        return divide(state.position(), plies, memory_bytes);
    }
    let firsts = moves_in_order(state.position());
    let lines = |mv: Move| {
        let next = state.after(mv);
        (
            mv,
            next.map_or(0, |next| count_states(&next, plies.saturating_sub(1))),
        )
    };
    firsts.into_par_iter().map(lines).collect()
}

/// Whether a line of so many plies can meet an end by repetition or by the clock before its last position.
fn may_end_by_count(state: &State, plies: u32) -> bool {
    // The first return to a key takes a ply at least, every other one four: each side leaves and comes back.
    let most = state.earlier().map(|(_, count)| count).max();
    let most = most.unwrap_or(0).max(state.occurrences());
    let returns = u32::from(FIVEFOLD.saturating_sub(most)).max(1);
    state.clock_plies() + plies > SEVENTY_FIVE_MOVES || plies > 1 + 4 * (returns - 1)
}

fn count_states(state: &State, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    if !may_end_by_count(state, plies) {
        return count(state.position(), plies);
    }
    if state.end().is_some() {
        return 0;
    }
    let moves = state.position().legal_moves();
    let nexts = moves.iter().filter_map(|&mv| state.after(mv));
    nexts.map(|next| count_states(&next, plies - 1)).sum()
}

/// The lines of so many plies.
fn count(position: &Chess, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    match plies {
        1 => moves.len() as u64,
        _ => moves
            .iter()
            .map(|&mv| count(&played(position, mv), plies - 1))
            .sum(),
    }
}

fn played(position: &Chess, mv: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// Counts that a thread remembers.
struct Remembered {
    counts: HashMap<(Chess, u32), u64>,
    most: usize,
}

impl Remembered {
    fn new(most: usize) -> Remembered {
        let counts = HashMap::new();
        Remembered { counts, most }
    }

    fn count(&mut self, position: &Chess, plies: u32) -> u64 {
        // A count of two plies is sooner made than remembered.
        if self.most == 0 || plies < 3 {
            return count(position, plies);
        }
        let key = (position.clone(), plies);
        if let Some(&count) = self.counts.get(&key) {
            return count;
        }
        let moves = position.legal_moves();
        let counts = moves
            .iter()
            .map(|&mv| self.count(&played(position, mv), plies - 1));
        let count = counts.sum();
        if self.counts.len() < self.most {
            self.counts.insert(key, count);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    fn lines(fen: &str, plies: u32, memory_bytes: usize) -> u64 {
        let divided = divide(&parse_fen(fen).unwrap(), plies, memory_bytes);
        divided.iter().map(|(_, lines)| lines).sum()
    }

    #[test]
    fn remembering_changes_no_count() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        for (plies, known) in [(1, 48), (2, 2039), (3, 97_862), (4, 4_085_603)] {
            for memory in [0, 1 << 10, 1 << 26] {
                assert_eq!(lines(kiwipete, plies, memory), known, "{plies} {memory}");
            }
        }
    }

    /// Two kings and a white pawn far from each other: counted state by state, with and without an end in the way.
    #[test]
    fn an_end_by_the_clock_cuts_lines_off() {
        let at = |clock: u32| {
            let fen = format!("k7/8/8/8/8/8/8/K7 w - - {clock} 90");
            State::new(parse_fen(&fen).unwrap()).unwrap()
        };
        let total = |state: &State, plies| -> u64 {
            state_divide(state, plies, 0)
                .iter()
                .map(|(_, lines)| lines)
                .sum()
        };
        // A king in the corner has 3 moves.
        assert_eq!(total(&at(149), 1), 3);
        assert_eq!(total(&at(149), 2), 0);
        assert_eq!(total(&at(148), 2), 9);
        assert_eq!(total(&at(148), 3), 0);
        assert_eq!(total(&at(150), 1), 0);
    }
}
