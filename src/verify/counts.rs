//! The numbers of a table, counted by the checker itself.
//!
//! Every counted field of the payload has its twin here, filled state by state from the enumeration and the values
//! that passed the equations, and compared at the end in the order of the payload.
//!
//! Source: `docs/certificate-format.md`, *Payload*.

use super::certificate::EndgameTable;
use super::man::Side;
use super::states::Census;
use super::table::same;
use super::value::Value;
use super::{Checked, Reason, Refusal};

/// Counts over the canonical states.
#[derive(Default)]
pub(super) struct Counts {
    raw_states: u64,
    states: u64,
    edges: u64,
    legal_moves: u64,
    symmetry_comparisons: u64,
    checkmates: u64,
    stalemates: u64,
    white: Results,
    black: Results,
    max_dtm_plies: u16,
    max_dtm_states: u64,
    en_passant_raw_states: u64,
    en_passant_states: u64,
}

/// Counts of the states with one side to move, from its point of view.
#[derive(Default)]
struct Results {
    wins: u64,
    losses: u64,
    draws: u64,
}

impl Counts {
    /// Before the first state.
    pub(super) fn of(census: &Census) -> Counts {
        Counts {
            raw_states: census.raw_states,
            en_passant_raw_states: census.en_passant_raw_states,
            en_passant_states: census.en_passant_states,
            ..Counts::default()
        }
    }

    /// Counts the comparisons of images with their state.
    pub(super) fn add_comparisons(&mut self, comparisons: u64) {
        self.symmetry_comparisons += comparisons;
    }

    /// Counts a state.
    pub(super) fn add(&mut self, to_move: Side, value: Value, moves: u32, successors: u64) {
        self.states += 1;
        self.edges += successors;
        self.legal_moves += u64::from(moves);
        match (moves, value) {
            (0, Value::Lost(_)) => self.checkmates += 1,
            (0, _) => self.stalemates += 1,
            _ => {}
        }
        let results = match to_move {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        };
        match value {
            Value::Won(_) => results.wins += 1,
            Value::Lost(_) => results.losses += 1,
            Value::Drawn => results.draws += 1,
        }
        if let Some(plies) = value.plies() {
            self.add_distance(plies);
        }
    }

    fn add_distance(&mut self, plies: u16) {
        if plies > self.max_dtm_plies {
            self.max_dtm_plies = plies;
            self.max_dtm_states = 0;
        }
        if plies == self.max_dtm_plies {
            self.max_dtm_states += 1;
        }
    }

    /// Compares every count with the stored one.
    pub(super) fn check(&self, table: &EndgameTable) -> Result<(), Refusal> {
        let (white, black) = (&self.white, &self.black);
        let (stored_plies, plies) = (table.max_dtm_plies.into(), self.max_dtm_plies.into());
        let fields = [
            ("raw_states", table.raw_states, self.raw_states),
            ("states", table.states, self.states),
            ("edges", table.edges, self.edges),
            ("legal_moves", table.legal_moves, self.legal_moves),
            (
                "symmetry_comparisons",
                table.symmetry_comparisons,
                self.symmetry_comparisons,
            ),
            ("checkmates", table.checkmates, self.checkmates),
            ("stalemates", table.stalemates, self.stalemates),
            ("white_wins", table.white_wins, white.wins),
            ("white_losses", table.white_losses, white.losses),
            ("white_draws", table.white_draws, white.draws),
            ("black_wins", table.black_wins, black.wins),
            ("black_losses", table.black_losses, black.losses),
            ("black_draws", table.black_draws, black.draws),
            ("max_dtm_plies", stored_plies, plies),
            ("max_dtm_states", table.max_dtm_states, self.max_dtm_states),
        ];
        for (field, stored, found) in fields {
            same(Reason::WrongCount, field, stored, found)?;
        }
        let Some(stored) = &table.en_passant else {
            return Ok(());
        };
        let (raw, states) = (self.en_passant_raw_states, self.en_passant_states);
        let reason = Reason::WrongCount;
        same(reason, "en_passant_raw_states", stored.raw_states, raw)?;
        same(reason, "en_passant_states", stored.states, states)
    }

    /// What was checked, for the caller.
    pub(super) fn checked(&self) -> Checked {
        Checked {
            states: self.states,
            edges: self.edges,
        }
    }
}
