//! The oriented placement of a position: the one among its images from which features are read.
//!
//! All images of a position have the same oriented placement, so whatever is read off it is the same for all of them. It is
//! not the canonical image: here the black king comes first, and stands where the board is folded.
//!
//! Source: `docs/certificate-format.md`, *Features*.

use super::man::Side;
use super::material::{MOST_MEN, Material};
use super::position::Position;
use super::squares::Squares;
use super::symmetry::{IDENTITY, Symmetry};

/// A position in its oriented placement, with the side to move and the en-passant square as they are there.
pub(super) struct Oriented<'m> {
    pub(super) position: Position<'m>,
}

impl<'m> Oriented<'m> {
    /// The oriented placement of a position.
    pub(super) fn of(position: &Position<'m>) -> Oriented<'m> {
        let material = position.material;
        let image = |symmetry: Symmetry| {
            let squares = ascending(material, position.squares.image(symmetry));
            (listed(material, squares), squares, symmetry)
        };
        let mut smallest = image(IDENTITY);
        for symmetry in Symmetry::all(material.has_pawns()) {
            let other = image(symmetry);
            if other.0 < smallest.0 {
                smallest = other;
            }
        }
        let (_, squares, symmetry) = smallest;
        // With pawns the king's file says which of the two images it is, so the square is the same for both.
        let en_passant = position.en_passant.map(|square| symmetry.image(square));
        Oriented {
            position: Position {
                squares,
                en_passant,
                ..*position
            },
        }
    }

    /// The place in the material of a man of a side, its king being the first; none if it has not as many.
    pub(super) fn place(&self, side: Side, number: usize) -> Option<usize> {
        let material = self.position.material;
        let end = match side {
            Side::White => material.king(Side::Black),
            Side::Black => material.men().len(),
        };
        let place = material.king(side) + number;
        (place < end).then_some(place)
    }
}

/// The squares with those of like men in ascending order, and 0 where there is no man.
fn ascending(material: &Material, squares: Squares) -> Squares {
    let mut list = [0; MOST_MEN];
    for (place, square) in list
        .iter_mut()
        .zip(squares.iter())
        .take(material.men().len())
    {
        *place = square;
    }
    for &(first, last) in material.groups() {
        if let Some(alike) = list.get_mut(first..=last) {
            alike.sort_unstable();
        }
    }
    Squares::of(list)
}

/// The squares in the order in which placements are compared: the black king, the white king, White's other men, Black's.
fn listed(material: &Material, squares: Squares) -> Squares {
    let black_king = material.king(Side::Black);
    let kings = [black_king, material.king(Side::White)];
    let others = (0..material.men().len()).filter(|place| !kings.contains(place));
    Squares::of(
        kings
            .into_iter()
            .chain(others)
            .map(|place| squares.at(place)),
    )
}

#[cfg(test)]
mod tests {
    use super::super::claim::material_of_endgame;
    use super::*;

    fn oriented(name: &str, squares: &[u8]) -> Vec<u8> {
        let material = material_of_endgame(&format!("endgame {name} board dtm")).unwrap();
        let squares = Squares::of(squares.iter().copied());
        let position = Position::new(&material, squares, Side::White).unwrap();
        let found = Oriented::of(&position).position.squares;
        found.iter().take(material.men().len()).collect()
    }

    #[test]
    fn the_black_king_comes_first() {
        // White Ke1 Rh8, Black Kg7: g7 goes to b2, by two images, in which the white king is on d8 and on h4.
        assert_eq!(oriented("KRK", &[4, 63, 54]), [31, 0, 9]);
        // White Kf7 Ra1, Black Kh8: the second king is f7 to c2 or to b3, and c2 is smaller.
        assert_eq!(oriented("KRK", &[53, 0, 63]), [10, 63, 0]);
        // Kings on a long diagonal, c3 and a1: the rook decides, b4 or d2.
        assert_eq!(oriented("KRK", &[18, 25, 0]), [18, 11, 0]);
        assert_eq!(oriented("KRK", &[18, 11, 0]), [18, 11, 0]);
    }

    #[test]
    fn with_pawns_only_files_are_mirrored() {
        // White Ka1 Pa2, Black Kh8: the black king goes from h8 to a8.
        assert_eq!(oriented("KPK", &[0, 8, 63]), [7, 15, 56]);
        assert_eq!(oriented("KPK", &[63, 8, 0]), [63, 8, 0]);
    }

    #[test]
    fn like_men_ascend_in_the_image() {
        // White Ka1 Nb1 Nc3, Black Kh8: the board is turned, so c3 comes before b1. The king stays on the diagonal; g8 or
        // h7 from b1, and f6 from c3.
        assert_eq!(oriented("KNNK", &[0, 1, 18, 63]), [63, 45, 55, 0]);
        assert_eq!(oriented("KNNK", &[0, 8, 18, 63]), [63, 45, 55, 0]);
    }
}
