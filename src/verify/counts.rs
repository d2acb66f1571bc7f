//! What the checker counts for itself.

use super::certificate::EndgameTable;
use super::man::Side;
use super::position::Position;
use super::states::States;
use super::value::Value;
use super::{Reason, Refusal};

/// Counts over the canonical states.
#[derive(Default)]
pub(super) struct Counts {
    raw_states: u64,
    pub(super) states: u64,
    pub(super) edges: u64,
    legal_moves: u64,
    symmetry_comparisons: u64,
    checkmates: u64,
    stalemates: u64,
    white: Results,
    black: Results,
    max_dtm_plies: u16,
    max_dtm_states: u64,
}

#[derive(Default)]
struct Results {
    wins: u64,
    losses: u64,
    draws: u64,
}

impl Counts {
    pub(super) fn of(states: &States) -> Counts {
        Counts {
            raw_states: states.raw_states(),
            ..Counts::default()
        }
    }

    pub(super) fn add(
        &mut self,
        position: &Position,
        value: Value,
        legal_moves: usize,
        successors: usize,
    ) {
        self.states += 1;
        self.edges += successors as u64;
        self.legal_moves += legal_moves as u64;
        match (legal_moves, value) {
            (0, Value::Lost(_)) => self.checkmates += 1,
            (0, _) => self.stalemates += 1,
            _ => {}
        }
        let results = match position.to_move() {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        };
        match value {
            Value::Won(_) => results.wins += 1,
            Value::Lost(_) => results.losses += 1,
            Value::Drawn => results.draws += 1,
        }
        if let Some(plies) = value.plies() {
            if plies > self.max_dtm_plies {
                (self.max_dtm_plies, self.max_dtm_states) = (plies, 0);
            }
            self.max_dtm_states += u64::from(plies == self.max_dtm_plies);
        }
    }

    pub(super) fn add_comparison(&mut self) {
        self.symmetry_comparisons += 1;
    }

    /// Compares every count with the stored one, in the order of the payload.
    pub(super) fn check(&self, table: &EndgameTable) -> Result<(), Refusal> {
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
            ("white_wins", table.white_wins, self.white.wins),
            ("white_losses", table.white_losses, self.white.losses),
            ("white_draws", table.white_draws, self.white.draws),
            ("black_wins", table.black_wins, self.black.wins),
            ("black_losses", table.black_losses, self.black.losses),
            ("black_draws", table.black_draws, self.black.draws),
            (
                "max_dtm_plies",
                table.max_dtm_plies.into(),
                self.max_dtm_plies.into(),
            ),
            ("max_dtm_states", table.max_dtm_states, self.max_dtm_states),
        ];
        for (field, stored, found) in fields {
            if stored != found {
                let place = format_args!("{field}: stored {stored}, found {found}");
                return Err(Refusal::new(Reason::WrongCount, place));
            }
        }
        Ok(())
    }
}
