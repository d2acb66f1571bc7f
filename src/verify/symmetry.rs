//! The eight symmetries of the board: the reflections of files and of ranks, the exchange of the two, and what they
//! compose to. With pawns only the reflection of files is left, and the identity.
//!
//! They name states. That they carry chess to chess is looked at for three men, and argued for more (see the
//! soundness argument of the module).
//!
//! Source: `docs/certificate-format.md`, *The states*.

use super::Square;

/// One of the eight symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symmetry {
    mirror_files: bool,
    mirror_ranks: bool,
    exchange: bool,
}

impl Symmetry {
    /// The exchange of files and ranks: the reflection at the diagonal from a1 to h8.
    pub(super) const EXCHANGE: Symmetry = Symmetry {
        mirror_files: false,
        mirror_ranks: false,
        exchange: true,
    };

    /// The reflection at the other diagonal.
    pub(super) const OTHER_EXCHANGE: Symmetry = Symmetry {
        mirror_files: true,
        mirror_ranks: true,
        exchange: true,
    };

    /// The symmetries of positions with pawns, which tell ranks apart, or without; the identity first.
    pub(super) fn of(pawns: bool) -> impl Iterator<Item = Symmetry> {
        Symmetry::all().take(if pawns { 2 } else { 8 })
    }

    /// The eight, the identity first, then the reflection of files.
    pub(super) fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|number| Symmetry {
            mirror_files: number & 1 != 0,
            mirror_ranks: number & 2 != 0,
            exchange: number & 4 != 0,
        })
    }

    /// Where the symmetry sends a square: with file *f* and rank *r*, first to *(r, f)* if it exchanges them, then
    /// each coordinate *x* that it mirrors to *7 − x*.
    pub(super) fn image(self, square: Square) -> Square {
        let (file, rank) = match self.exchange {
            false => (square.file(), square.rank()),
            true => (square.rank(), square.file()),
        };
        let mirrored = |mirror, x| if mirror { 7 - x } else { x };
        Square::at(
            mirrored(self.mirror_files, file),
            mirrored(self.mirror_ranks, rank),
        )
        .expect("coordinates from 0 to 7 stay there when they are exchanged or taken from 7")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_images_are_those_of_the_format_page() {
        for square in Square::all() {
            let (f, r) = (square.file(), square.rank());
            let page = [
                (f, r),
                (7 - f, r),
                (f, 7 - r),
                (7 - f, 7 - r),
                (r, f),
                (7 - r, f),
                (r, 7 - f),
                (7 - r, 7 - f),
            ];
            let images: Vec<Square> = Symmetry::all().map(|s| s.image(square)).collect();
            assert_eq!(images, page.map(|(f, r)| Square::at(f, r).unwrap()));
        }
    }

    #[test]
    fn the_symmetries_are_a_group_of_eight() {
        let as_table = |s: Symmetry| Square::all().map(|q| s.image(q)).collect::<Vec<_>>();
        let mut tables: Vec<_> = Symmetry::all().map(as_table).collect();
        tables.sort();
        tables.dedup();
        assert_eq!(tables.len(), 8);
        for a in Symmetry::all() {
            for b in Symmetry::all() {
                let product: Vec<Square> = Square::all().map(|q| a.image(b.image(q))).collect();
                assert!(tables.binary_search(&product).is_ok());
            }
        }
    }
}
