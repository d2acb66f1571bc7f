//! A universe with the value of every state: what a table answers about a position.

use std::cmp::Reverse;

use shakmaty::{Chess, Move, Position};
use thiserror::Error;

use super::transitions::successor;
use super::{Material, MaterialError, State, Universe};
use crate::game::{Plies, Value, Values};
use crate::rules::uci_order;

/// The values of a universe, however they were come by.
#[derive(Clone, Debug)]
pub struct Table {
    universe: Universe,
    values: Values,
}

/// A legal move and what it is worth to the side that makes it, counted from before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluatedMove {
    /// The move, in the position that was asked about.
    pub mv: Move,
    /// Its value for the mover: the best move has the value of the position.
    pub value: Value,
}

/// Why a legal position is not in a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LookupError {
    /// Its men are those of another class.
    #[error("the position is {found}, the table is {table}")]
    OtherMaterial {
        /// The class of the position.
        found: Material,
        /// The class of the table.
        table: Material,
    },
    /// Its men are of no supported class.
    #[error("the position is outside every table: {0}")]
    NoClass(#[from] MaterialError),
    /// A side may still castle.
    #[error("the position has castling rights; no position of a table has them")]
    CastlingRights,
}

/// A position as the table sees it: colours exchanged if need be.
struct Located {
    state: State,
    is_flipped: bool,
}

impl Table {
    /// Gives every canonical state of the universe its value.
    ///
    /// # Panics
    ///
    /// If there are not as many values as states.
    pub fn new(universe: Universe, values: Values) -> Table {
        assert_eq!(
            universe.len(),
            values.iter().len(),
            "a table has one value a state"
        );
        Table { universe, values }
    }

    /// The universe.
    pub const fn universe(&self) -> &Universe {
        &self.universe
    }

    /// The values in canonical order.
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// The value of a position for the side to move.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if the position is not in the table.
    pub fn value(&self, position: &Chess) -> Result<Value, LookupError> {
        Ok(self.value_of(&self.locate(position)?.state))
    }

    /// All legal moves of a position with their values, the best first, then by UCI text.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if the position is not in the table.
    pub fn moves(&self, position: &Chess) -> Result<Vec<EvaluatedMove>, LookupError> {
        let located = self.locate(position)?;
        let mut moves: Vec<EvaluatedMove> = position
            .legal_moves()
            .into_iter()
            .map(|mv| EvaluatedMove {
                mv,
                value: self.after(&located, mv),
            })
            .collect();
        moves.sort_unstable_by_key(preference);
        Ok(moves)
    }

    /// Optimal play to mate from a position: of the optimal moves always the one with the smallest
    /// UCI text. Empty for a draw. No longer than the distance says, whatever the values are.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if the position is not in the table.
    pub fn best_line(&self, position: &Chess) -> Result<Vec<Move>, LookupError> {
        let plies = self.value(position)?.distance().unwrap_or(Plies::ZERO);
        let mut position = position.clone();
        let mut line = Vec::new();
        for _ in 0..plies.get() {
            let Some(best) = self.moves(&position)?.first().copied() else {
                break;
            };
            line.push(best.mv);
            position.play_unchecked(best.mv);
            if best.mv.is_capture() {
                break;
            }
        }
        Ok(line)
    }

    /// The optimal move with the smallest UCI text of a legal state; `None` where there is no move.
    pub(super) fn best_move(&self, state: &State) -> Option<Move> {
        let located = Located {
            state: *state,
            is_flipped: false,
        };
        let moves = self.universe.position(state).legal_moves();
        let evaluated = moves.into_iter().map(|mv| EvaluatedMove {
            mv,
            value: self.after(&located, mv),
        });
        evaluated.min_by_key(preference).map(|best| best.mv)
    }

    /// What a legal move of the position is worth to the side that makes it.
    fn after(&self, located: &Located, mv: Move) -> Value {
        let seen = if located.is_flipped {
            mv.to_mirrored()
        } else {
            mv
        };
        self.values
            .after(successor(&self.universe, &located.state, seen))
    }

    fn value_of(&self, state: &State) -> Value {
        let index = self
            .universe
            .number_of(state)
            .expect("a legal position is a legal state");
        self.values.of(index)
    }

    fn locate(&self, position: &Chess) -> Result<Located, LookupError> {
        let board = position.board();
        let (found, is_flipped) = Material::of_board(board)?;
        if found != *self.universe.material() {
            return Err(LookupError::OtherMaterial {
                found,
                table: self.universe.material().clone(),
            });
        }
        if !position.castles().is_empty() {
            return Err(LookupError::CastlingRights);
        }
        let state = if is_flipped {
            State::of_board(&found, &board.clone().into_mirrored(), !position.turn())
        } else {
            State::of_board(&found, board, position.turn())
        };
        Ok(Located { state, is_flipped })
    }
}

/// Orders moves: the best value first, then by UCI text.
fn preference(evaluated: &EvaluatedMove) -> (Reverse<Value>, [u8; 5]) {
    (Reverse(evaluated.value), uci_order(evaluated.mv))
}
