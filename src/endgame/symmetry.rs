//! The eight symmetries of the board.
//!
//! Without pawns and castling the rules of chess know no direction: turning or reflecting the board
//! carries legal moves to legal moves, mates to mates, stalemates to stalemates. (The group is D₄.)

use shakmaty::{Bitboard, Square};

/// One of the eight symmetries: an optional reflection in the long diagonal a1–h8, then optional
/// reflections left–right and up–down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    swaps_files_and_ranks: bool,
    flips_files: bool,
    flips_ranks: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry::from_bits(0); 8];
        let mut bits = 1;
        while bits < 8 {
            all[bits] = Symmetry::from_bits(bits);
            bits += 1;
        }
        all
    };

    /// Those that keep the direction of pawns: the identity and the reflection left–right.
    pub const LEFT_RIGHT: [Symmetry; 2] = [Symmetry::from_bits(0), Symmetry::from_bits(1)];

    const fn from_bits(bits: usize) -> Symmetry {
        Symmetry {
            swaps_files_and_ranks: bits & 4 != 0,
            flips_files: bits & 1 != 0,
            flips_ranks: bits & 2 != 0,
        }
    }

    /// The image of a square.
    pub const fn apply(self, square: Square) -> Square {
        let square = if self.swaps_files_and_ranks {
            square.flip_diagonal()
        } else {
            square
        };
        let square = if self.flips_files {
            square.flip_horizontal()
        } else {
            square
        };
        if self.flips_ranks {
            square.flip_vertical()
        } else {
            square
        }
    }

    /// The images of some squares.
    pub(super) fn apply_to_all(self, squares: Bitboard) -> Bitboard {
        let squares = if self.swaps_files_and_ranks {
            squares.flip_diagonal()
        } else {
            squares
        };
        self.flip(squares)
    }

    /// The squares whose images are given.
    pub(super) fn undo_on_all(self, images: Bitboard) -> Bitboard {
        let squares = self.flip(images);
        if self.swaps_files_and_ranks {
            squares.flip_diagonal()
        } else {
            squares
        }
    }

    fn flip(self, squares: Bitboard) -> Bitboard {
        let squares = if self.flips_files {
            squares.flip_horizontal()
        } else {
            squares
        };
        if self.flips_ranks {
            squares.flip_vertical()
        } else {
            squares
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_eight_different_permutations_that_keep_distances() {
        let images = |symmetry: Symmetry| Square::ALL.map(|square| symmetry.apply(square));
        for (place, &symmetry) in Symmetry::ALL.iter().enumerate() {
            let found = images(symmetry);
            let mut sorted = found;
            sorted.sort_unstable();
            assert_eq!(sorted, Square::ALL);
            assert!(
                Symmetry::ALL[..place]
                    .iter()
                    .all(|&other| images(other) != found)
            );
            let some = Bitboard(0x0102_0408_1020_f0ff);
            let image: Bitboard = some
                .into_iter()
                .map(|square| symmetry.apply(square))
                .collect();
            assert_eq!(symmetry.apply_to_all(some), image);
            assert_eq!(symmetry.undo_on_all(image), some);
            for a in Square::ALL {
                for b in Square::ALL {
                    assert_eq!(a.distance(b), symmetry.apply(a).distance(symmetry.apply(b)));
                }
            }
        }
        assert_eq!(images(Symmetry::ALL[0]), Square::ALL);
    }
}
