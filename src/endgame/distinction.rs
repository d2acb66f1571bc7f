//! Why two positions are not bisimilar: a play that tells them apart.
//!
//! States that part in round *k* have the same block in round *k* − 1, and one of them has a move into
//! a block of that partition that no move of the other reaches. Played there, every answer in the
//! other position leads to a state that parted from the one reached in an earlier round. Going on like
//! this one comes to two states with different labels, after *k* moves at most: the game of
//! Ehrenfeucht and Fraïssé on transition systems (Stirling 1995), played by the one who tells apart.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};

use super::material::normal;
use super::value_byte::byte_of;
use super::{Library, LookupError, Material, Quotient, State, StateNumbers};
use crate::game::{StateIndex, Value};
use crate::rules::{exchange_colors, uci_order};

/// What a position is in the game of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A state or en-passant state of the class.
    Own(StateIndex),
    /// A state of a child, told apart by its value alone.
    Child(Material, Value),
    /// The draw sink.
    Sink,
}

/// One step of a play: a move in one of two positions and the answer in the other.
#[derive(Clone, Debug)]
pub struct Step {
    /// The round in which the two states part.
    pub round: u32,
    /// In which of the two the telling move is: 0 or 1.
    pub side: usize,
    /// That move.
    pub telling: Move,
    /// The move in the other that stays together with it longest.
    pub answer: Move,
    /// The positions after both moves.
    pub positions: [Chess; 2],
    /// What these are.
    pub places: [Place; 2],
}

/// Two positions compared.
#[derive(Clone, Debug)]
pub struct Distinction {
    /// The states of the positions.
    pub states: [StateIndex; 2],
    /// Their blocks.
    pub blocks: [u32; 2],
    /// The round in which they part, 0 if their labels differ; `None` if they are bisimilar.
    pub round: Option<u32>,
    /// The play down to two places that differ by themselves; empty if the positions do already, or
    /// not at all.
    pub steps: Vec<Step>,
}

/// Compares positions of a class by its quotient.
pub struct Comparer<'a> {
    material: &'a Material,
    library: &'a Library,
    quotient: &'a Quotient,
    numbers: StateNumbers<'a>,
}

impl<'a> Comparer<'a> {
    /// For a class with its quotient, over a library that holds the class and its children; `None` if
    /// the class is not there.
    pub fn new(
        material: &'a Material,
        library: &'a Library,
        quotient: &'a Quotient,
    ) -> Option<Comparer<'a>> {
        Some(Comparer {
            material,
            library,
            quotient,
            numbers: StateNumbers::of(material, library)?,
        })
    }

    /// The class.
    pub const fn material(&self) -> &Material {
        self.material
    }

    /// Compares two positions of the class, in any orientation and either colour.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if a position is of another class, or one after a move in no table.
    pub fn compare(&self, first: &Chess, second: &Chess) -> Result<Distinction, LookupError> {
        let mut positions = [first.clone(), second.clone()];
        let [own, other] = [self.own(first)?, self.own(second)?];
        let mut places = [own, other].map(Place::Own);
        let block = |state: StateIndex| self.quotient.refinement.blocks[state.get()];
        let round = self.parting(&places[0], &places[1]);
        let mut steps = Vec::new();
        let mut next = round;
        while let Some(round) = next.filter(|&round| round > 0) {
            let Some(step) = self.step(&positions, round)? else {
                break;
            };
            positions = step.positions.clone();
            places = step.places.clone();
            steps.push(step);
            next = self.parting(&places[0], &places[1]);
        }
        Ok(Distinction {
            states: [own, other],
            blocks: [block(own), block(other)],
            round,
            steps,
        })
    }

    /// The state of a position of the class.
    fn own(&self, position: &Chess) -> Result<StateIndex, LookupError> {
        match self.place(position)? {
            Place::Own(state) => Ok(state),
            Place::Child(material, _) => Err(LookupError::NoTable(material)),
            Place::Sink => Err(LookupError::NoTable(class_of(position).0)),
        }
    }

    fn place(&self, position: &Chess) -> Result<Place, LookupError> {
        if !position.castles().is_empty() {
            return Err(LookupError::CastlingRights);
        }
        let (material, is_exchanged) = class_of(position);
        if material == *self.material {
            let state = if is_exchanged {
                State::of(&material, &exchange_colors(position))
            } else {
                State::of(&material, position)
            };
            // The number is there: a legal position is a state, or an en-passant state.
            let number = self.numbers.number(&state);
            return number.map(Place::Own).ok_or(LookupError::NoTable(material));
        }
        if material.is_sink() {
            return Ok(Place::Sink);
        }
        let value = self.library.value(position)?;
        Ok(Place::Child(material, value))
    }

    /// The round in which two places part; 0 if they differ by themselves, `None` if they never do.
    fn parting(&self, a: &Place, b: &Place) -> Option<u32> {
        let block = |state: &StateIndex| self.quotient.refinement.blocks[state.get()];
        let part = |is_same: bool| (!is_same).then_some(0);
        match (a, b) {
            (Place::Own(a), Place::Own(b)) => self.quotient.parting_round(block(a), block(b)),
            (Place::Child(_, a), Place::Child(_, b)) => part(byte_of(*a) == byte_of(*b)),
            (Place::Sink, Place::Sink) => None,
            _ => Some(0),
        }
    }

    /// The move after which the positions, which part in this round, are told apart soonest whatever the answer;
    /// of several the first by position and UCI text.
    fn step(&self, positions: &[Chess; 2], round: u32) -> Result<Option<Step>, LookupError> {
        let moves = [self.moves(&positions[0])?, self.moves(&positions[1])?];
        let mut best: Option<(u32, Step)> = None;
        for side in [0, 1] {
            for (telling, own_position, own_place) in &moves[side] {
                // `None` is the longest: together for ever. Of equals the first stays.
                let length = |place: &Place| self.parting(own_place, place).unwrap_or(u32::MAX);
                let mut answers = moves[1 - side].iter();
                let Some(mut closest) = answers.next() else {
                    continue;
                };
                for answer in answers {
                    if length(&answer.2) > length(&closest.2) {
                        closest = answer;
                    }
                }
                let (answer, position, place) = closest;
                let length = length(place);
                if length < best.as_ref().map_or(u32::MAX, |(least, _)| *least) {
                    let mut positions = [own_position.clone(), position.clone()];
                    let mut places = [own_place.clone(), place.clone()];
                    if side == 1 {
                        positions.reverse();
                        places.reverse();
                    }
                    let step = Step {
                        round,
                        side,
                        telling: *telling,
                        answer: *answer,
                        positions,
                        places,
                    };
                    best = Some((length, step));
                }
            }
        }
        // Whoever parts in a round has a move that tells in the round before; without one the quotient would not
        // be that of this game.
        Ok(best
            .filter(|&(length, _)| length < round)
            .map(|(_, step)| step))
    }

    /// The legal moves by UCI text, with where they lead.
    fn moves(&self, position: &Chess) -> Result<Vec<(Move, Chess, Place)>, LookupError> {
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        moves.sort_unstable_by_key(|&mv| uci_order(UciMove::from_standard(mv)));
        let reached = |mv: Move| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let place = self.place(&next)?;
            Ok((mv, next, place))
        };
        moves.into_iter().map(reached).collect()
    }
}

/// The class of a position, and whether its colours are the other way round.
fn class_of(position: &Chess) -> (Material, bool) {
    normal(position.board().clone().into_iter().map(|(_, man)| man))
}
