//! A class among the tables that its moves lead into: where each move leads, and whether it is legal.
//!
//! A raw legal state is a placement in which the side that has just moved is not in check. So a move that keeps all men
//! is legal exactly if it leads to a state of the class, and one into a child exactly if it leads to a state of the child;
//! only the moves into the sink, which has no list of states, are tested by themselves.
//!
//! Source: `docs/certificate-format.md`, *The game* and *The states*.

use std::sync::Arc;

use super::Move;
use super::man::Side;
use super::position::{Change, NOBODY, Position};
use super::reach::squares_of;
use super::routes::{Route, Routes};
use super::squares::Squares;
use super::states::{Here, States, en_passant_key};
use super::symmetry::on_diagonal;
use super::value::Outlook;

/// The states of a class and the ways out of it.
pub(super) struct Class<'a> {
    pub(super) states: &'a States,
    routes: Routes<'a>,
}

/// What a move leads to, as a number: what kind of successor it is in the highest byte, and which one below. Equal
/// successors have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Successor(u64);

impl Successor {
    /// The draw sink.
    const SINK: Successor = Successor(0);

    /// A state of the class; the other side is to move.
    fn state(entry: usize) -> Successor {
        Successor(1 << 56 | entry as u64)
    }

    /// An en-passant state of the class.
    fn en_passant(key: u64) -> Successor {
        Successor(2 << 56 | key)
    }

    /// A state of the child with a number.
    pub(super) fn of_child(number: usize, entry: usize, side: Side) -> Successor {
        let state = 2 * entry as u64 + side.index() as u64;
        Successor((3 + number as u64) << 56 | state)
    }

    /// Whether this is an en-passant state of the class.
    fn is_en_passant(self) -> bool {
        self.0 >> 56 == 2
    }
}

/// Where a legal move leads: the draw sink, a state, or an en-passant state.
#[derive(Clone, Copy)]
pub(super) enum Arrival {
    Sink,
    /// The state of the class with a number.
    State {
        entry: usize,
        number: usize,
    },
    /// The en-passant state of the class with a number.
    EnPassant {
        key: u64,
        number: usize,
    },
    /// A state of a child, and its byte.
    Child {
        child: usize,
        entry: usize,
        side: Side,
        byte: u8,
    },
}

impl Arrival {
    /// What it is, as a number.
    #[inline(always)]
    pub(super) fn successor(self) -> Successor {
        match self {
            Arrival::Sink => Successor::SINK,
            Arrival::State { entry, .. } => Successor::state(entry),
            Arrival::EnPassant { key, .. } => Successor::en_passant(key),
            Arrival::Child {
                child, entry, side, ..
            } => Successor::of_child(child, entry, side),
        }
    }
}

/// A legal move, what it leads to, and the byte of that.
#[derive(Clone, Copy)]
pub(super) struct Transition {
    pub(super) by: Move,
    pub(super) byte: u8,
    /// The position after the move as its class has it; it means nothing in the sink.
    pub(super) squares: Squares,
    pub(super) to_move: Side,
    pub(super) en_passant: Option<u8>,
    /// The number of the child that the move leads into, and whether colours and ranks are exchanged there.
    pub(super) child: Option<usize>,
    pub(super) flipped: bool,
}

impl<'a> Class<'a> {
    /// The class among these children, which may be some of those that it has.
    pub(super) fn of(states: &'a States, children: &'a [Arc<States>]) -> Class<'a> {
        let routes = Routes::of(&states.material, children);
        Class { states, routes }
    }

    /// What a move leads to and the byte of it; none if it is not legal. The position itself is looked up `here`.
    #[inline(always)]
    pub(super) fn follow(
        &self,
        position: &Position,
        here: Here,
        change: &Change,
    ) -> Option<(Successor, u8)> {
        let arrival = self.arrive(position, here, change)?;
        let byte = match arrival {
            Arrival::Sink => 255,
            Arrival::State { number, .. } => self.states.value(number)?,
            Arrival::EnPassant { number, .. } => self.states.en_passant_value(number)?,
            Arrival::Child { byte, .. } => byte,
        };
        Some((arrival.successor(), byte))
    }

    /// Where a move leads; none if it is not legal. The position itself is looked up `here`. No byte of the class is asked
    /// for.
    #[inline(always)]
    pub(super) fn arrive(
        &self,
        position: &Position,
        here: Here,
        change: &Change,
    ) -> Option<Arrival> {
        let side = position.to_move.other();
        if change.captured == NOBODY && change.promotion.is_none() {
            let &Change { man, from, to, .. } = change;
            let located = self.states.relocate(here, man, from, to);
            let entry = located.entry;
            let number = self.states.number(entry, side)?;
            if change.double_step {
                let passed = change.from.midpoint(change.to);
                let key = en_passant_key(entry, side, located.by.image(passed));
                if let Some(number) = self.states.en_passant_number(key) {
                    return Some(Arrival::EnPassant { key, number });
                }
            }
            return Some(Arrival::State { entry, number });
        }
        match self.routes.by(change)? {
            Route::Sink => (!position.is_unsafe(change)).then_some(Arrival::Sink),
            Route::Child(child) => {
                let after = position.squares.with(change.man, change.to);
                let (squares, side) = child.placement(after, side);
                let entry = child.states.locate(squares).entry;
                let byte = child.states.byte(entry, side)?;
                Some(Arrival::Child {
                    child: child.number,
                    entry,
                    side,
                    byte,
                })
            }
            Route::Missing(_) => None,
        }
    }

    /// The outlook of a position, and the number of its distinct successors.
    #[inline(always)]
    pub(super) fn survey(&self, position: &Position, seen: &mut Vec<Successor>) -> (Outlook, u64) {
        let states = self.states;
        let side = position.to_move.other();
        let may_coincide = self.may_coincide(position);
        let here = states.here(position.squares);
        let others = position.men_of(side);
        let (mut quiet, mut other) = (Outlook::NOTHING, Outlook::NOTHING);
        seen.clear();
        for (man, from, targets) in position.targets() {
            // Most moves are of this kind, so they are followed here, by the same steps as in `follow`.
            for to in squares_of(targets & !others) {
                let located = states.relocate(here, man, from, to);
                if let Some(byte) = states.byte(located.entry, side) {
                    quiet.add(byte);
                    if may_coincide {
                        seen.push(Successor::state(located.entry));
                    }
                }
            }
            for to in squares_of(targets & others) {
                let change = Change::plain(man, from, to, position.on(to));
                if let Some((to, byte)) = self.follow(position, here, &change) {
                    other.add(byte);
                    seen.push(to);
                }
            }
        }
        position.pawn_moves(|change| {
            if let Some((to, byte)) = self.follow(position, here, change) {
                other.add(byte);
                seen.push(to);
            }
        });
        if seen.len() > 1 {
            seen.sort_unstable();
            seen.dedup();
        }
        let unseen = if may_coincide { 0 } else { quiet.moves() };
        (quiet.and(other), u64::from(unseen) + seen.len() as u64)
    }

    /// Goes through the legal moves of a position by where they lead.
    #[inline(always)]
    pub(super) fn arrivals(&self, position: &Position, mut visit: impl FnMut(Arrival)) {
        let states = self.states;
        let side = position.to_move.other();
        let here = states.here(position.squares);
        let others = position.men_of(side);
        for (man, from, targets) in position.targets() {
            // Most moves are of this kind, so they are followed here, by the same steps as in `arrive`.
            for to in squares_of(targets & !others) {
                let entry = states.relocate(here, man, from, to).entry;
                if let Some(number) = states.number(entry, side) {
                    visit(Arrival::State { entry, number });
                }
            }
            for to in squares_of(targets & others) {
                let change = Change::plain(man, from, to, position.on(to));
                if let Some(arrival) = self.arrive(position, here, &change) {
                    visit(arrival);
                }
            }
        }
        position.pawn_moves(|change| {
            if let Some(arrival) = self.arrive(position, here, change) {
                visit(arrival);
            }
        });
    }

    /// Whether two moves that keep all men can lead to the same successor.
    ///
    /// They leave the men of the other side as they are. If they lead to the same canonical state, then a symmetry
    /// sends one placement to the other, and thereby the men of the other side, its king first, to themselves. Only the
    /// identity and the reflections in the two long diagonals leave any square in place, and the latter are no
    /// symmetries if there are pawns. By the identity both moves would give the same placement: then both left the same
    /// square, for the same one.
    fn may_coincide(&self, position: &Position) -> bool {
        if self.states.material.has_pawns() {
            return false;
        }
        let other = position.to_move.other();
        let king = position.square(position.material.king(other));
        // The second long diagonal is the first with files mirrored.
        let other_way = |square: u8| (63 - (square & 63)) >> 3 | ((63 - (square & 63)) & 7) << 3;
        let one_way = |square: u8| (square & 63) >> 3 | (square & 7) << 3;
        let reflects = |way: &dyn Fn(u8) -> u8| {
            let men = || position.men().filter(|(_, man, _)| man.side == other);
            men().all(|(_, man, square)| {
                men().any(|(_, image, there)| image == man && there == way(square))
            })
        };
        on_diagonal(king) && reflects(&one_way) || on_diagonal(king ^ 7) && reflects(&other_way)
    }

    /// The legal moves of a position of the class, and where they lead.
    ///
    /// # Errors
    ///
    /// The claim of a child that was not given, and that a move may lead into.
    pub(super) fn transitions(&self, position: &Position) -> Result<Vec<Transition>, String> {
        let mut transitions = Vec::new();
        let here = self.states.here(position.squares);
        let mut missing = Ok(());
        position.moves(|change| {
            let route = self.leaves_by(change);
            if let Some(Route::Missing(claim)) = route {
                missing = Err(claim.clone());
            }
            let Some((to, byte)) = self.follow(position, here, change) else {
                return;
            };
            let passed = change.from.midpoint(change.to);
            let mut transition = Transition {
                by: change.as_move(),
                byte,
                squares: position.squares.with(change.man, change.to),
                to_move: position.to_move.other(),
                en_passant: to.is_en_passant().then_some(passed),
                child: None,
                flipped: false,
            };
            if let Some(Route::Child(child)) = route {
                let after = child.placement(transition.squares, transition.to_move);
                (transition.squares, transition.to_move) = after;
                transition.child = Some(child.number);
                transition.flipped = child.flipped;
            }
            transitions.push(transition);
        });
        missing.map(|()| transitions)
    }

    /// The route of a move that does not keep all men.
    fn leaves_by(&self, change: &Change) -> Option<&Route<'a>> {
        match (change.captured, change.promotion) {
            (NOBODY, None) => None,
            _ => self.routes.by(change),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::claim::material_of_endgame;
    use super::super::material::Material;
    use super::super::states::Census;
    use super::*;

    impl Successor {
        /// Some state of some child.
        pub(in super::super) fn in_a_child(entry: usize) -> Successor {
            Successor::of_child(0, entry, Side::White)
        }
    }

    /// The states of a class and of all classes below, with whatever values: only legality matters.
    pub(in super::super) fn closure(name: &str) -> Vec<Arc<States>> {
        let mut claims = vec![format!("endgame {name} board dtm")];
        let mut next = 0;
        while let Some(claim) = claims.get(next) {
            for child in material_of_endgame(claim).unwrap().needed_children() {
                if !claims.contains(&child) {
                    claims.push(child);
                }
            }
            next += 1;
        }
        claims
            .iter()
            .map(|claim| Arc::new(drawn(claim).0))
            .collect()
    }

    /// The states of a class, all of them drawn.
    fn drawn(claim: &str) -> (States, Census) {
        let (mut states, census) = States::of(&material_of_endgame(claim).unwrap(), Vec::new());
        let drawn = |count| vec![255; count as usize];
        states.set_values(drawn(census.states), drawn(census.en_passant_states));
        (states, census)
    }

    pub(in super::super) fn class_of(tables: &[Arc<States>]) -> Class<'_> {
        Class::of(&tables[0], tables)
    }

    /// Raw legal and canonical states, edges, legal moves, checkmates and stalemates, as other programs found them.
    const FIGURES: [(&str, [u64; 6]); 7] = [
        ("KQK", [368_452, 46_137, 609_873, 612_173, 46, 109]),
        ("KRK", [399_112, 50_015, 558_816, 560_244, 27, 9]),
        ("KBK", [417_228, 52_234, 494_372, 496_681, 0, 17]),
        ("KNK", [429_440, 53_806, 443_094, 444_001, 0, 5]),
        ("KPK", [331_352, 165_676, 1_111_291, 1_124_417, 0, 11]),
        (
            "KBNK",
            [24_536_088, 3_067_466, 34_105_016, 34_127_951, 58, 1_611],
        ),
        (
            "KNNK",
            [12_579_944, 1_573_368, 15_838_146, 15_852_054, 15, 484],
        ),
    ];

    #[test]
    fn figures_of_the_classes() {
        for (name, figures) in FIGURES {
            let tables = closure(name);
            let class = class_of(&tables);
            let census = drawn(&tables[0].material.claim()).1;
            let mut found = [census.raw_states, census.states, 0, 0, 0, 0];
            let mut seen = Vec::new();
            for (_, position) in class.states.positions() {
                let (outlook, edges) = class.survey(&position, &mut seen);
                found[2] += edges;
                found[3] += u64::from(outlook.moves());
                found[4] += u64::from(outlook.moves() == 0 && position.in_check());
                found[5] += u64::from(outlook.moves() == 0 && !position.in_check());
            }
            assert_eq!(found, figures, "{name}");
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn a_survey_counts_as_one_by_one() {
        for name in ["KQK", "KPK", "KNNK", "KQKQ", "KQKR", "KPKP", "KRPK"] {
            let tables = closure(name);
            let class = class_of(&tables);
            let step = if name.len() == 3 { 1 } else { 31 };
            let mut seen = Vec::new();
            for (_, position) in class.states.positions().step_by(step) {
                let here = class.states.here(position.squares);
                let (mut moves, mut successors) = (0, std::collections::BTreeSet::new());
                position.moves(|change| {
                    if let Some((to, _)) = class.follow(&position, here, change) {
                        moves += 1;
                        successors.insert(to);
                    }
                });
                let (outlook, distinct) = class.survey(&position, &mut seen);
                let found = (outlook.moves(), distinct);
                assert_eq!(found, (moves, successors.len() as u64), "{name} {position}");
                let (mut moves, mut arrivals) = (0, std::collections::BTreeSet::new());
                class.arrivals(&position, |arrival| {
                    moves += 1;
                    arrivals.insert(arrival.successor());
                });
                assert_eq!(
                    (moves, arrivals),
                    (found.0, successors),
                    "{name} {position}"
                );
            }
        }
    }

    /// The legal moves of a position, and how many of them lead to an en-passant state.
    fn moves(
        class: &Class<'_>,
        squares: &str,
        side: Side,
        passed: Option<&str>,
    ) -> (String, usize) {
        let square = |name: &str| {
            let name = name.as_bytes();
            name[0] - b'a' + 8 * (name[1] - b'1')
        };
        let placed = Squares::of(squares.split(' ').map(square));
        let mut position = Position::new(&class.states.material, placed, side).unwrap();
        assert!(position.is_raw_legal());
        position.en_passant = passed.map(square);
        assert!(
            passed.is_none()
                || position
                    .en_passant_squares()
                    .any(|s| Some(s) == position.en_passant)
        );
        let here = class.states.here(placed);
        let mut names = Vec::new();
        let mut opened = 0;
        position.moves(|change| {
            if let Some((to, _)) = class.follow(&position, here, change) {
                names.push(change.as_move().to_string());
                opened += usize::from(to.is_en_passant());
            }
        });
        names.sort();
        (names.join(" "), opened)
    }

    #[test]
    fn captures_en_passant() {
        let tables = closure("KPKP");
        let class = class_of(&tables);
        let white = Side::White;
        // White Ke1 Pe5, Black Kh8 Pd5 after d7-d5.
        let (all, _) = moves(&class, "e1 e5 h8 d5", white, Some("d6"));
        assert_eq!(all, "e1d1 e1d2 e1e2 e1f1 e1f2 e5d6 e5e6");
        let (all, _) = moves(&class, "e1 e5 h8 d5", white, None);
        assert_eq!(all, "e1d1 e1d2 e1e2 e1f1 e1f2 e5e6");
        // The double step that makes it possible, with colours exchanged and not.
        assert_eq!(moves(&class, "e1 e2 h8 d4", white, None).1, 1);
        assert_eq!(moves(&class, "e1 e2 h8 c4", white, None).1, 0);
        assert_eq!(moves(&class, "e1 e5 h8 d7", Side::Black, None).1, 1);
        assert_eq!(moves(&class, "a1 a5 h8 h7", Side::Black, None).1, 0);
        // A capture en passant that ends a check of the pawn that is captured.
        let (all, _) = moves(&class, "e4 e5 h8 d5", white, Some("d6"));
        assert_eq!(all, "e4d3 e4d4 e4d5 e4e3 e4f3 e4f4 e4f5 e5d6");
    }

    #[test]
    fn a_capture_en_passant_that_discovers_a_check_is_illegal() {
        // White Ka5 Pb5, Black Kh1 Rh5 Pc5 after c7-c5: without both pawns the rook attacks the king.
        let (material, flipped) = Material::of_letters("KPKRP");
        assert!(flipped);
        // Named KRPKP: White Kh8 Rh4 Pc4, Black Ka4 Pb4, the colours exchanged.
        let position = |rook: u8| {
            let squares = Squares::of([63, rook, 26, 24, 25]);
            Position::new(&material, squares, Side::Black).unwrap()
        };
        assert_eq!(position(31).en_passant_squares().count(), 0);
        assert_eq!(position(39).en_passant_squares().collect::<Vec<_>>(), [18]);
    }

    #[test]
    fn promotions() {
        let tables = closure("KPK");
        let class = class_of(&tables);
        let (all, _) = moves(&class, "a1 e7 h7", Side::White, None);
        assert_eq!(all, "a1a2 a1b1 a1b2 e7e8b e7e8n e7e8q e7e8r");
        // A pawn of Black, into children that give its men to White: KQK, KRK and the sink by capture, and KQKN.
        let tables = closure("KNKP");
        let class = class_of(&tables);
        let (all, _) = moves(&class, "h2 d1 a8 e2", Side::Black, None);
        let captures = "e2d1b e2d1n e2d1q e2d1r";
        let others = "a8a7 a8b7 a8b8";
        assert_eq!(all, format!("{others} {captures} e2e1b e2e1n e2e1q e2e1r"));
    }

    #[test]
    fn double_checks_and_two_knights() {
        let tables = closure("KQRK");
        let class = class_of(&tables);
        // Qe5 and Rh1 both give check to Kh8... only the king can move.
        let (all, _) = moves(&class, "a1 e5 h1 h8", Side::Black, None);
        assert_eq!(all, "h8g8");
        let tables = closure("KNNK");
        let class = class_of(&tables);
        // Two knights giving check at once cannot arise in a game, but is a state. Nf6 and Ng5 on Kh7.
        let (all, _) = moves(&class, "a1 g5 f6 h7", Side::Black, None);
        assert_eq!(all, "h7g6 h7g7 h7h6 h7h8");
    }
}
