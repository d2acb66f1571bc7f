//! A position of a class as a file lists it: its tuple, a byte a number.
//!
//! The squares of the men in the order of the class, those of like men ascending, then the side to move; where both sides
//! have a pawn also the en-passant square, or 64. The order of tuples is that of these bytes. The class is not enumerated:
//! the canonical image of a position is the smallest tuple among its images.
//!
//! Source: `docs/certificate-format.md`, *The states* and *Kind 4: local proof*.

use super::man::Side;
use super::material::{MOST_MEN, Material};
use super::position::Position;
use super::squares::Squares;
use super::symmetry::Symmetry;

/// The most bytes that a position takes.
const MOST_BYTES: usize = MOST_MEN + 2;

/// In the place of an en-passant square: there is none.
const NO_SQUARE: u8 = 64;

/// The bytes of a position; those that its class does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Tuple([u8; MOST_BYTES]);

impl Tuple {
    /// How many bytes a position of the class takes.
    pub(super) fn width(material: &Material) -> usize {
        material.men().len() + 1 + usize::from(material.has_en_passant())
    }

    /// The tuple with these bytes, as many as a position of its class takes.
    pub(super) fn of_bytes(bytes: impl IntoIterator<Item = u8>) -> Tuple {
        let mut tuple = [0; MOST_BYTES];
        for (place, byte) in tuple.iter_mut().zip(bytes) {
            *place = byte;
        }
        Tuple(tuple)
    }

    /// The tuple of the canonical image of a position.
    pub(super) fn canonical(position: &Position) -> Tuple {
        let symmetries = Symmetry::all(position.material.has_pawns());
        let images = symmetries.map(|symmetry| Tuple::of_image(position, symmetry));
        images.fold(Tuple([u8::MAX; MOST_BYTES]), Tuple::min)
    }

    /// The tuple of the image of a position.
    fn of_image(position: &Position, symmetry: Symmetry) -> Tuple {
        let material = position.material;
        let squares = position.squares.image(symmetry);
        let squares = squares.iter().take(material.men().len());
        let en_passant = position.en_passant.map(|square| symmetry.image(square));
        let last = material.has_en_passant();
        let last = last.then(|| en_passant.unwrap_or(NO_SQUARE));
        let side = position.to_move.index() as u8;
        let mut tuple = Tuple::of_bytes(squares.chain([side]).chain(last));
        for &(first, last) in material.groups() {
            if let Some(alike) = tuple.0.get_mut(first..=last) {
                alike.sort_unstable();
            }
        }
        tuple
    }

    /// The position of the class that the bytes are meant to be, whether it is legal or not.
    pub(super) fn placed(self, material: &Material) -> Position<'_> {
        let men = material.men().len();
        let byte = |place: usize| self.0.get(place).copied().unwrap_or_default();
        let to_move = match byte(men) {
            0 => Side::White,
            _ => Side::Black,
        };
        let square = byte(men + 1);
        let has_square = material.has_en_passant() && square < NO_SQUARE;
        Position {
            material,
            squares: Squares::of(self.0.into_iter().take(men)),
            to_move,
            en_passant: has_square.then_some(square),
        }
    }

    /// Whether the bytes are those of a canonical state or en-passant state of the class.
    pub(super) fn is_canonical(self, material: &Material) -> bool {
        let Position {
            squares,
            to_move,
            en_passant,
            ..
        } = self.placed(material);
        let Some(position) = Position::new(material, squares, to_move) else {
            return false;
        };
        let is_legal = position.is_raw_legal() && position.may_have(en_passant);
        let position = Position {
            en_passant,
            ..position
        };
        // Numbers that are no squares or no side do not come back.
        is_legal && Tuple::canonical(&position) == self
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::claim::material_of_endgame;
    use super::super::states::States;
    use super::*;

    impl Tuple {
        /// The bytes of a position of the class.
        pub(in super::super) fn bytes(&self, material: &Material) -> &[u8] {
            &self.0[..Tuple::width(material)]
        }
    }

    /// The canonical states and en-passant states, as the enumeration has them.
    fn enumerated(states: &States) -> BTreeSet<Tuple> {
        let positions = states.positions().map(|(_, position)| position);
        let en_passant = states.en_passant_positions().map(|(_, position)| position);
        let tuple = |position| Tuple::of_image(&position, Symmetry::all(true).next().unwrap());
        positions.chain(en_passant).map(tuple).collect()
    }

    fn states_of(name: &str) -> States {
        let material = material_of_endgame(&format!("endgame {name} board dtm")).unwrap();
        States::of(&material, Vec::new()).0
    }

    #[test]
    fn canonical_tuples_are_those_of_the_enumeration() {
        // Every list of bytes there is, and one beyond the end of each number.
        for name in ["KRK", "KPK"] {
            let states = states_of(name);
            let all = enumerated(&states);
            let mut found = BTreeSet::new();
            for bytes in 0..65 * 65 * 65 * 3 {
                let (side, squares) = (bytes % 3, bytes / 3);
                let bytes = [squares / 65 / 65, squares / 65 % 65, squares % 65, side];
                let tuple = Tuple::of_bytes(bytes.map(|byte: u32| byte as u8));
                if tuple.is_canonical(&states.material) {
                    found.insert(tuple);
                }
            }
            assert!(found == all, "{name}");
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn canonical_tuples_of_more_men_are_those_of_the_enumeration() {
        for name in ["KNNK", "KPPK", "KPKP", "KBKP"] {
            let states = states_of(name);
            let all = enumerated(&states);
            let mut seed = 1_u64;
            let mut draw = |below: u64| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) % below
            };
            assert!(all.iter().all(|tuple| tuple.is_canonical(&states.material)));
            for &tuple in &all {
                // One number is another one.
                let mut changed = tuple;
                changed.0[draw(Tuple::width(&states.material) as u64) as usize] = draw(66) as u8;
                let found = changed.is_canonical(&states.material);
                assert_eq!(found, all.contains(&changed), "{name} {changed:?}");
            }
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn every_image_has_the_tuple_of_its_state() {
        for name in ["KRK", "KPK", "KNNK", "KPKP"] {
            let states = states_of(name);
            let positions = states.positions().map(|(_, position)| position);
            let en_passant = states.en_passant_positions().map(|(_, position)| position);
            for position in positions.chain(en_passant) {
                let tuple = Tuple::of_image(&position, Symmetry::all(true).next().unwrap());
                for symmetry in Symmetry::all(states.material.has_pawns()) {
                    let image = Position {
                        squares: position.squares.image(symmetry),
                        en_passant: position.en_passant.map(|square| symmetry.image(square)),
                        ..position
                    };
                    assert_eq!(Tuple::canonical(&image), tuple, "{name} {image}");
                }
                assert_eq!(
                    tuple.placed(&states.material).to_string(),
                    position.to_string()
                );
            }
        }
    }

    #[test]
    fn tuples_are_written_as_the_page_says() {
        // White Ke4 Pb4, Black Kh8 Pa4, after b2-b4: the file e is mirrored to d.
        let states = states_of("KPKP");
        let material = &states.material;
        let mut position = Position::new(material, Squares::of([28, 25, 63, 24]), Side::Black);
        let position = position.as_mut().unwrap();
        let tuple = Tuple::canonical(position);
        assert_eq!(tuple.bytes(material), [27, 30, 56, 31, 1, 64]);
        position.en_passant = Some(17);
        assert!(position.may_have(position.en_passant));
        let tuple = Tuple::canonical(position);
        assert_eq!(tuple.bytes(material), [27, 30, 56, 31, 1, 22]);
        assert!(tuple.is_canonical(material));
        // Men alike ascend; without pawns the white king comes home, and no byte is left for a square.
        let (material, _) = Material::of_letters("KNNK");
        let position = Position::new(&material, Squares::of([63, 8, 1, 40]), Side::White).unwrap();
        let tuple = Tuple::canonical(&position);
        assert_eq!(tuple.bytes(&material), [0, 55, 62, 23, 0]);
    }
}
