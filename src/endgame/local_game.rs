//! A class as a game that is looked at state by state, for local proofs.
//!
//! The states are canonical; nothing of the class is enumerated or solved. Positions of other classes have
//! the values of their tables.

use std::collections::HashSet;

use shakmaty::{Chess, Position};

use super::bounded::player;
use super::material::normal;
use super::{Library, LookupError, Material, State};
use crate::game::Player;
use crate::solve::bounds::value_for_max;
use crate::solve::local::{Expansion, Positions, Target};

/// The states of a class and their moves. White is the maximizer.
#[derive(Debug)]
pub struct LocalGame<'a> {
    material: &'a Material,
    library: &'a Library,
    /// The first table that was not there.
    lacking: Option<LookupError>,
}

impl<'a> LocalGame<'a> {
    /// A class, the tables of whose children are in the library.
    pub const fn new(material: &'a Material, library: &'a Library) -> LocalGame<'a> {
        LocalGame {
            material,
            library,
            lacking: None,
        }
    }

    /// The state of a position of this class in these colours.
    pub fn state(&self, position: &Chess) -> State {
        State::of(self.material, position).canonical(self.material)
    }

    /// Why what was found is of no use: a table that was not there.
    pub fn lacking(self) -> Option<LookupError> {
        self.lacking
    }

    /// Where a move leads; the class and state tell moves apart.
    fn target(&mut self, next: &Chess) -> ((Material, Option<State>), Target<State>) {
        let (class, is_exchanged) = normal(next.board().clone().into_iter().map(|(_, man)| man));
        if class == *self.material && !is_exchanged {
            let state = self.state(next);
            return ((class, Some(state)), Target::State(state));
        }
        if class.is_sink() {
            // All of these positions are one.
            return ((self.material.clone(), None), Target::Known(0));
        }
        let value = self.library.value(next).unwrap_or_else(|error| {
            self.lacking.get_or_insert(error);
            crate::game::Value::Draw
        });
        let in_child = match is_exchanged {
            true => crate::rules::exchange_colors(next),
            false => next.clone(),
        };
        let state = State::of(&class, &in_child).canonical(&class);
        let value = value_for_max(value, player(next.turn()));
        ((class, Some(state)), Target::Known(value))
    }
}

impl Positions for LocalGame<'_> {
    type State = State;

    fn player(&self, state: &State) -> Player {
        player(state.turn())
    }

    fn expand(&mut self, state: &State) -> Expansion<State> {
        let Some(position) = state.position(self.material) else {
            // A state that is met is a position; a draw ends what would be none.
            return Expansion::End(0);
        };
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Expansion::End(match (position.is_check(), player(position.turn())) {
                (false, _) => 0,
                (true, Player::Max) => -1,
                (true, Player::Min) => 1,
            });
        }
        let mut met = HashSet::new();
        let mut targets = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let (key, target) = self.target(&next);
            if met.insert(key) {
                targets.push(target);
            }
        }
        Expansion::Moves(targets)
    }

    /// A win is the nearer, the fewer moves the other side has left.
    fn estimate(&self, state: &State, winner: Player) -> u32 {
        /// What a state is worth where the winner is to move, whose moves say little.
        const OWN_TURN: u32 = 10;
        if player(state.turn()) == winner {
            return OWN_TURN;
        }
        let position = state.position(self.material);
        let moves = position.map_or(0, |position| position.legal_moves().len() as u32);
        moves * moves
    }
}
