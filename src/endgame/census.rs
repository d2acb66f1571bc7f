//! Counting the moves of a universe: what its values have no part in.

use shakmaty::Color;

use super::conversion::{Conversions, Landing};
use super::index::Index;
use super::men::{Men, Targets};

/// Counts of canonical states, but for `raw_states`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) raw_states: u64,
    pub(super) states: u64,
    pub(super) edges: u64,
    pub(super) legal_moves: u64,
    pub(super) checkmates: u64,
    pub(super) stalemates: u64,
}

impl Census {
    /// Adds the counts of another part.
    pub(super) fn add(&mut self, part: &Census) {
        self.raw_states += part.raw_states;
        self.states += part.states;
        self.edges += part.edges;
        self.legal_moves += part.legal_moves;
        self.checkmates += part.checkmates;
        self.stalemates += part.stalemates;
    }

    /// Counts one canonical state that has `weight` images.
    pub(super) fn count(
        &mut self,
        index: &Index,
        conversions: &Conversions,
        men: &Men,
        targets: &Targets,
        turn: Color,
        weight: u64,
    ) {
        let mut quiet = 0;
        for man in men.side(turn) {
            quiet += (targets.sets[man] & !men.converting(man)).count() as u64;
        }
        let mut landings: Vec<Landing> = Vec::new();
        conversions.each(men, &targets.sets, turn, |landing| landings.push(landing));
        let legal_moves = quiet + landings.len() as u64;
        if landings.len() > 1 {
            for landing in &mut landings {
                *landing = conversions.canonical(*landing);
            }
            landings.sort_unstable();
            landings.dedup();
        }
        if can_coincide(index, men, turn) {
            quiet = distinct_quiet_moves(index, men, targets, turn);
        }
        self.raw_states += weight;
        self.states += 1;
        self.edges += quiet + landings.len() as u64;
        self.legal_moves += legal_moves;
        if legal_moves == 0 {
            self.checkmates += u64::from(targets.is_check);
            self.stalemates += u64::from(!targets.is_check);
        }
    }
}

/// Whether two quiet moves can lead to the same canonical state: a symmetry of the board must then
/// carry the men that do not move, the other side's, to themselves. Only the reflections in the two
/// long diagonals keep a square where it is, and the king must stay.
fn can_coincide(index: &Index, men: &Men, turn: Color) -> bool {
    if index.material().has_pawns() {
        return false;
    }
    let other = men.of(!turn);
    other == other.flip_diagonal() || other == other.flip_anti_diagonal()
}

/// How many different canonical states the quiet moves lead to.
fn distinct_quiet_moves(index: &Index, men: &Men, targets: &Targets, turn: Color) -> u64 {
    let mut reached = Vec::new();
    for man in men.side(turn) {
        for to in targets.sets[man] & !men.converting(man) {
            let mut squares = men.squares;
            squares[man] = to;
            reached.push(index.canonical_entry(index.entry(&squares)));
        }
    }
    reached.sort_unstable();
    reached.dedup();
    reached.len() as u64
}
