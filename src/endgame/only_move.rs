//! Only moves: states in which a single move keeps the result.
//!
//! The fast way, on the index; [`Library::moves`] is the slow twin.

use shakmaty::uci::UciMove;
use shakmaty::{Color, Role, Square};

use super::conversion::{Child, Conversions, side};
use super::men::{Men, is_double_step};
use super::value_byte::value_of;
use super::{Library, LookupError, Material, Placement, en_passant};
use crate::game::{Outcome, Value};

/// The only moves of a class.
#[derive(Clone, Debug)]
pub struct OnlyMoves<'a> {
    class: &'a Child,
    conversions: Conversions<'a>,
}

impl<'a> OnlyMoves<'a> {
    /// Those of a class that is in the library, with the classes that one move can lead into.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if one of them is not, or is packed.
    pub fn of(library: &'a Library, material: &Material) -> Result<OnlyMoves<'a>, LookupError> {
        let table = |class: &Material| {
            let missing = || LookupError::NoTable(class.clone());
            library.class(class).ok_or_else(missing)
        };
        let children: Result<Vec<&Child>, LookupError> =
            material.children().iter().map(table).collect();
        Ok(OnlyMoves {
            conversions: Conversions::new(material, children?),
            class: table(material)?,
        })
    }

    /// The move of a state that alone keeps a win, or alone keeps a draw, and the state's value, if the
    /// side to move has other moves too. There is none in a lost state.
    pub fn in_state(&self, placement: &Placement, turn: Color) -> Option<(UciMove, Value)> {
        let index = &self.class.index;
        let mut squares = [Square::A1; Material::MOST_MEN];
        squares[..index.men()].copy_from_slice(placement.squares());
        let men = Men::new(index, squares);
        let value = value_of(self.class.bytes[side(turn)][index.entry_at_home(squares)]);
        if value.outcome() == Outcome::Loss {
            return None;
        }
        let (mut keeping, mut keepers, mut others) = (None, 0, 0);
        self.each(&men, turn, |mv, reached| {
            if reached.outcome() < value.outcome() {
                others += 1;
            } else {
                keepers += 1;
                keeping = Some(mv);
            }
        });
        let is_only = keepers == 1 && others > 0;
        keeping.filter(|_| is_only).map(|mv| (mv, value))
    }

    /// Visits every legal move with its value for the mover.
    fn each(&self, men: &Men, turn: Color, mut visit: impl FnMut(UciMove, Value)) {
        let targets = men.targets(turn);
        for man in men.side(turn) {
            let from = men.squares[man];
            for to in targets.sets[man] {
                let mv = |promotion| UciMove::Normal {
                    from,
                    to,
                    promotion,
                };
                if men.converting(man).contains(to) {
                    self.conversions
                        .each_to(men, man, to, |promotion, landing| {
                            visit(
                                mv(promotion),
                                self.conversions.value(landing).for_the_mover(),
                            );
                        });
                } else {
                    visit(mv(None), self.after(men, turn, man, to).for_the_mover());
                }
            }
        }
    }

    /// The value after a move inside the class, for the side to move then.
    fn after(&self, men: &Men, turn: Color, man: usize, to: Square) -> Value {
        let mut squares = men.squares;
        squares[man] = to;
        let entry = self.class.index.entry(&squares);
        let base = value_of(self.class.bytes[side(!turn)][entry]);
        let from = men.squares[man];
        if men.piece(man).role != Role::Pawn || !is_double_step(from, to) {
            return base;
        }
        let after = men.with_squares(squares);
        let passed = from.offset(if turn.is_white() { 8 } else { -8 });
        match passed.filter(|&passed| en_passant::is_capturable(&after, !turn, passed)) {
            None => base,
            Some(passed) => {
                let has_move = after.targets(!turn).sets.iter().any(|set| set.any());
                let base = has_move.then_some(base);
                en_passant::value(&after, !turn, passed, base, &self.conversions)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use shakmaty::uci::UciMove;

    use super::super::twin::solved;
    use super::*;
    use crate::endgame::Enumeration;
    use crate::game::{Interrupted, Silent};

    /// Compares every state with the values of all its moves; says how many have an only move.
    fn compare(name: &str) -> usize {
        let (endgame, library) = solved(name);
        let material = &endgame.material;
        let only_moves = OnlyMoves::of(&library, material).unwrap();
        let mut found = 0;
        let each: Result<(), Interrupted> = Enumeration::of(material, &Silent).unwrap().each_block(
            &Silent,
            |placements| {
                let mut found = 0;
                for placement in placements {
                    for (_, state) in placement.states() {
                        let position = state.position(material).unwrap();
                        let value = library.value(&position).unwrap();
                        let moves = library.moves(&position).unwrap();
                        let keeps = |value: Value, best: Value| value.outcome() == best.outcome();
                        let expected = match moves.as_slice() {
                            [best, second, ..]
                                if value.outcome() != Outcome::Loss
                                    && !keeps(second.value, best.value) =>
                            {
                                Some((UciMove::from_standard(best.mv), value))
                            }
                            _ => None,
                        };
                        found += usize::from(expected.is_some());
                        assert_eq!(
                            only_moves.in_state(&placement, state.turn()),
                            expected,
                            "{name} {position:?}"
                        );
                    }
                }
                found
            },
            |block| {
                found += block;
                Ok(ControlFlow::Continue(()))
            },
        );
        each.unwrap();
        found
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn three_men() {
        for name in ["KQK", "KRK", "KPK"] {
            assert!(compare(name) > 0, "{name}");
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn four_men() {
        for name in ["KRKB", "KPKP"] {
            assert!(compare(name) > 0, "{name}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let mut library = Library::new();
        let material: Material = "KPK".parse().unwrap();
        let missing = |library: &Library| OnlyMoves::of(library, &material).unwrap_err();
        assert_eq!(
            missing(&library),
            LookupError::NoTable("KQK".parse().unwrap())
        );
        library = solved("KRK").1;
        assert_eq!(
            missing(&library),
            LookupError::NoTable("KQK".parse().unwrap())
        );
    }
}
