//! A class as a game that is looked at state by state, for local proofs.
//!
//! The states are canonical; nothing of the class is enumerated or solved. Positions of other classes have
//! the values of their tables.

use std::collections::HashSet;

use shakmaty::{Chess, Color, Position};

use super::bounded::player;
use super::material::normal;
use super::{Library, LookupError, Material, State};
use crate::game::{Player, Value};
use crate::rules::exchange_colors;
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

    /// The class.
    pub(super) const fn material(&self) -> &'a Material {
        self.material
    }

    /// The state of a position of this class in these colours.
    pub fn state(&self, position: &Chess) -> State {
        State::of(self.material, position).canonical(self.material)
    }

    /// Why what was found is of no use: a table that was not there.
    pub fn lacking(self) -> Option<LookupError> {
        self.lacking
    }

    /// The distinct successors of a position, in the order in which they are met.
    pub(super) fn successors(&mut self, position: &Chess) -> Vec<Successor> {
        let moves = position.legal_moves();
        let mut met = HashSet::with_capacity(moves.len());
        let mut successors = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let successor = self.successor(&next);
            if met.insert(successor.clone()) {
                successors.push(successor);
            }
        }
        successors
    }

    fn successor(&mut self, next: &Chess) -> Successor {
        let (class, is_exchanged) = normal(next.board().clone().into_iter().map(|(_, man)| man));
        if class == *self.material && !is_exchanged {
            return Successor::State(self.state(next));
        }
        if class.is_sink() {
            return Successor::Sink;
        }
        let value = self.library.value(next).unwrap_or_else(|error| {
            self.lacking.get_or_insert(error);
            Value::Draw
        });
        let in_child = match is_exchanged {
            true => exchange_colors(next),
            false => next.clone(),
        };
        Successor::Child {
            state: State::of(&class, &in_child).canonical(&class),
            class,
            value,
            value_for_white: value_for_max(value, player(next.turn())),
        }
    }
}

/// Where a move leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Successor {
    /// To a state of the class.
    State(State),
    /// To a state of a child.
    Child {
        class: Material,
        state: State,
        /// For the side to move there.
        value: Value,
        value_for_white: i8,
    },
    /// To one of the positions that are all the same draw.
    Sink,
}

/// How a game ends in a position without moves.
pub(super) fn end(position: &Chess) -> i8 {
    match (position.is_check(), player(position.turn())) {
        (false, _) => 0,
        (true, Player::Max) => -1,
        (true, Player::Min) => 1,
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
        let successors = self.successors(&position);
        if successors.is_empty() {
            return Expansion::End(end(&position));
        }
        let target = |successor| match successor {
            Successor::State(state) => Target::State(state),
            Successor::Child {
                value_for_white, ..
            } => Target::Known(value_for_white),
            Successor::Sink => Target::Known(0),
        };
        Expansion::Moves(successors.into_iter().map(target).collect())
    }

    /// A win is the nearer, the fewer moves the other side has, the nearer its king is to a corner, and the nearer the
    /// kings are to each other.
    fn estimate(&self, state: &State, winner: Player) -> u32 {
        let Some(position) = state.position(self.material) else {
            return 0;
        };
        let color = match winner {
            Player::Max => Color::White,
            Player::Min => Color::Black,
        };
        let kings = [color, !color].map(|color| position.board().king_of(color));
        let [Some(own), Some(other)] = kings else {
            return 0;
        };
        let to_edge = |coordinate: u32| coordinate.min(7 - coordinate);
        let corner = to_edge(other.file().to_u32()) + to_edge(other.rank().to_u32());
        let kings = own.distance(other);
        let moves = match position.turn() == color {
            // Its own moves say little.
            true => 0,
            false => position.legal_moves().len() as u32,
        };
        4 * (moves * moves + 2 * corner * corner + kings * kings)
    }
}
