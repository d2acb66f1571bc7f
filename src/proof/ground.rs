//! Where play ends, or its value is known without looking further.

use shakmaty::{Chess, Color, Position};

use crate::endgame::{Library, Material};
use crate::game::{Outcome, Plies};
use crate::rules::{DeadReason, reason_at_sight};

/// What is known of a position at sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtSight {
    /// The side to move is checkmated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The position is dead.
    Dead(DeadReason),
    /// A table says who wins, and in how many plies; nobody for a draw.
    Table(Option<(Color, Plies)>),
    /// Play goes on.
    Nothing,
}

/// Ends of the game and tables.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    tables: &'a Library,
}

impl<'a> Ground<'a> {
    /// With the tables that are given.
    pub const fn new(tables: &'a Library) -> Ground<'a> {
        Ground { tables }
    }

    /// What is known of a position.
    pub(super) fn at_sight(self, position: &Chess) -> AtSight {
        if position.legal_moves().is_empty() {
            return match position.is_check() {
                true => AtSight::Checkmate,
                false => AtSight::Stalemate,
            };
        }
        if let Some(reason) = reason_at_sight(position) {
            return AtSight::Dead(reason);
        }
        if self.class(position).is_none() {
            return AtSight::Nothing;
        }
        match self.tables.value(position) {
            Ok(value) => {
                let winner = match value.outcome() == Outcome::Win {
                    true => position.turn(),
                    false => !position.turn(),
                };
                AtSight::Table(value.distance().map(|plies| (winner, plies)))
            }
            Err(_) => AtSight::Nothing,
        }
    }

    /// The class of a position if its table is here.
    pub(super) fn class(self, position: &Chess) -> Option<Material> {
        if !position.castles().is_empty() {
            return None;
        }
        let (class, _) = Material::of_board(position.board()).ok()?;
        self.tables.contains(&class).then_some(class)
    }
}
