//! Counting lines of play: the usual test of a move generator.
//!
//! A line of n plies is a sequence of n legal moves. In the complete game nothing follows an end, so a shorter line that ends the
//! game is not counted; claims are no moves, and dead positions are passed over as if they were not known.

use std::collections::HashMap;

use rayon::prelude::*;
use shakmaty::{Chess, Move, Position};
use thiserror::Error;

use super::notation::moves_in_order;
use super::state::{FIVEFOLD, SEVENTY_FIVE_MOVES, State};

/// More lines than can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are 2^64 lines or more, which is more than can be counted")]
pub struct TooManyLines;

/// The bytes that a remembered position needs. A table has as many places as a power of two, of which seven in eight are used at
/// most, so the worst is 16 / 7 of a place.
const ENTRY_BYTES: usize = (size_of::<((Chess, u32), u64)>() + 1) * 16 / 7;

/// The lines of so many plies, one at least, from a position of the game *board*, by their first moves.
///
/// Up to `memory_bytes` are spent on positions that are met again, shared out among the threads. What is remembered is the whole
/// position, so the count is exact.
///
/// # Errors
///
/// If there are too many lines after a move.
pub fn divide(
    position: &Chess,
    plies: u32,
    memory_bytes: usize,
) -> Result<Vec<(Move, u64)>, TooManyLines> {
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
    let counts: Result<Vec<(usize, u64)>, TooManyLines> = pairs
        .par_iter()
        .map_init(
            || Remembered::new(entries),
            |remembered, (first, next)| Ok((*first, remembered.count(next, left)?)),
        )
        .collect();
    let mut lines = vec![0; firsts.len()];
    for (first, count) in counts? {
        lines[first] = sum([Ok(lines[first]), Ok(count)].into_iter())?;
    }
    Ok(firsts.into_iter().zip(lines).collect())
}

/// The same from a state of the complete game; nothing if it has ended.
///
/// # Errors
///
/// If there are too many lines after a move.
pub fn state_divide(
    state: &State,
    plies: u32,
    memory_bytes: usize,
) -> Result<Vec<(Move, u64)>, TooManyLines> {
    if state.end().is_some() {
        return Ok(Vec::new());
    }
    if !may_end_by_count(state, plies) {
        return divide(state.position(), plies, memory_bytes);
    }
    let firsts = moves_in_order(state.position());
    let lines = |mv: Move| {
        let count = match state.after(mv) {
            Some(next) => count_states(&next, plies.saturating_sub(1))?,
            None => 0,
        };
        Ok((mv, count))
    };
    firsts.into_par_iter().map(lines).collect()
}

/// The sum of some counts.
fn sum(mut counts: impl Iterator<Item = Result<u64, TooManyLines>>) -> Result<u64, TooManyLines> {
    counts.try_fold(0_u64, |sum, count| {
        sum.checked_add(count?).ok_or(TooManyLines)
    })
}

/// Whether a line of so many plies can meet an end by repetition or by the clock before its last position.
fn may_end_by_count(state: &State, plies: u32) -> bool {
    // The first return to a key takes a ply at least, every other one four: each side leaves and comes back.
    let most = state.earlier().map(|(_, count)| count).max();
    let most = most.unwrap_or(0).max(state.occurrences());
    let returns = u32::from(FIVEFOLD.saturating_sub(most)).max(1);
    state.clock_plies() + plies > SEVENTY_FIVE_MOVES || plies > 1 + 4 * (returns - 1)
}

fn count_states(state: &State, plies: u32) -> Result<u64, TooManyLines> {
    if plies == 0 {
        return Ok(1);
    }
    if !may_end_by_count(state, plies) {
        return count(state.position(), plies);
    }
    if state.end().is_some() {
        return Ok(0);
    }
    let moves = state.position().legal_moves();
    let nexts = moves.iter().filter_map(|&mv| state.after(mv));
    sum(nexts.map(|next| count_states(&next, plies - 1)))
}

/// The lines of so many plies.
fn count(position: &Chess, plies: u32) -> Result<u64, TooManyLines> {
    if plies == 0 {
        return Ok(1);
    }
    let moves = position.legal_moves();
    match plies {
        1 => Ok(moves.len() as u64),
        _ => sum(moves
            .iter()
            .map(|&mv| count(&played(position, mv), plies - 1))),
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
    /// Sets the whole table aside at once, so that it never grows; less if there is not as much memory.
    fn new(mut most: usize) -> Remembered {
        let mut counts = HashMap::new();
        while most > 0 && counts.try_reserve(most).is_err() {
            most /= 2;
        }
        Remembered { counts, most }
    }

    fn count(&mut self, position: &Chess, plies: u32) -> Result<u64, TooManyLines> {
        // A count of two plies is sooner made than remembered.
        if self.most == 0 || plies < 3 {
            return count(position, plies);
        }
        let key = (position.clone(), plies);
        if let Some(&count) = self.counts.get(&key) {
            return Ok(count);
        }
        let moves = position.legal_moves();
        let counts = moves
            .iter()
            .map(|&mv| self.count(&played(position, mv), plies - 1));
        let count = sum(counts)?;
        if self.counts.len() < self.most {
            self.counts.insert(key, count);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    fn lines(fen: &str, plies: u32, memory_bytes: usize) -> u64 {
        let divided = divide(&parse_fen(fen).unwrap(), plies, memory_bytes).unwrap();
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

    /// Bare kings have some six moves each, so that there are 2^64 lines of about 25 plies.
    #[test]
    fn too_many_lines_are_not_counted() {
        let kings = parse_fen("7k/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
        let total = |plies| -> Result<u64, TooManyLines> {
            let divided = divide(&kings, plies, 1 << 26)?;
            sum(divided.into_iter().map(|(_, lines)| Ok(lines)))
        };
        // Counted once more in Python with memory: 65,948,967,885,802,996,486 of 25 plies.
        assert_eq!(total(25), Err(TooManyLines));
        assert!(total(24).is_ok());
    }

    /// Bare kings far from each other: counted state by state, with and without an end in the way.
    #[test]
    fn an_end_by_the_clock_cuts_lines_off() {
        let at = |clock: u32| {
            let fen = format!("k7/8/8/8/8/8/8/K7 w - - {clock} 90");
            State::new(parse_fen(&fen).unwrap()).unwrap()
        };
        let total = |state: &State, plies| -> u64 {
            state_divide(state, plies, 0)
                .unwrap()
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
