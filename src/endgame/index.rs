//! The index: where the value of a placement stands in memory.
//!
//! An *entry* is the squares of the men in the order of the class's name, read as digits: first the
//! place of White's king among the squares where a canonical state can have it (10 without pawns,
//! 32 with pawns), then six bits for every other man. Entries therefore come in canonical order. The
//! side to move is not part of an entry; each side has an array of its own.
//!
//! Entries are simple rather than dense: moving a man adds a constant. The price is that placements
//! which are no states have entries too, and that without pawns a placement with White's king
//! on the long diagonal has two, one the other's reflection.

use shakmaty::{Board, Chess, Color, Piece, Setup, Square};

use super::{Material, Symmetry};
use crate::rules::legal_position;

/// The squares of the men in the order of the class's name; the rest is a1.
pub(super) type Squares = [Square; Material::MOST_MEN];

/// The index of one class.
#[derive(Clone, Debug)]
pub(super) struct Index {
    material: Material,
    /// Squares of White's king in canonical states, ascending.
    king_squares: Vec<Square>,
    /// The place of a square among them.
    king_places: [Option<u8>; 64],
    /// For each square of White's king, where a symmetry that brings it among them sends every square.
    home: Vec<[Square; 64]>,
    /// These symmetries.
    to_home: [Symmetry; 64],
    /// First and last man of each run of men of the same colour and kind.
    like: Vec<(usize, usize)>,
    /// Whether a man stands in such a run.
    has_like: [bool; Material::MOST_MEN],
    white_men: usize,
}

impl Index {
    /// The index of a class.
    pub(super) fn new(material: &Material) -> Index {
        let symmetries = material.symmetries();
        let image = |square: Square| {
            let images = symmetries.iter().map(|&g| (g.apply(square), g));
            images
                .min_by_key(|&(image, _)| image)
                .unwrap_or((square, Symmetry::ALL[0]))
        };
        let king_squares: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&square| image(square).0 == square)
            .collect();
        let mut king_places = [None; 64];
        for (place, &square) in king_squares.iter().enumerate() {
            king_places[square.to_usize()] = Some(place as u8);
        }
        let men = material.men();
        let mut like = Vec::new();
        let mut first = 0;
        for last in 0..men.len() {
            if last + 1 == men.len() || men[last + 1] != men[first] {
                if last > first {
                    like.push((first, last));
                }
                first = last + 1;
            }
        }
        Index {
            material: material.clone(),
            king_squares,
            king_places,
            home: Square::ALL
                .map(|king| Square::ALL.map(|square| image(king).1.apply(square)))
                .to_vec(),
            to_home: Square::ALL.map(|king| image(king).1),
            has_like: std::array::from_fn(|man| {
                like.iter()
                    .any(|&(first, last)| (first..=last).contains(&man))
            }),
            like,
            white_men: men.iter().filter(|man| man.color.is_white()).count(),
        }
    }

    /// The class.
    pub(super) fn material(&self) -> &Material {
        &self.material
    }

    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        self.king_squares.len() << (6 * (self.men() - 1))
    }

    /// How many men there are.
    pub(super) fn men(&self) -> usize {
        self.material.men().len()
    }

    /// Whether a man stands beside others of its colour and kind in the tuple, so that moving it can
    /// change their order.
    pub(super) fn has_like(&self, man: usize) -> bool {
        self.has_like[man]
    }

    /// The men of one side; its king comes first.
    pub(super) fn side(&self, color: Color) -> std::ops::Range<usize> {
        if color.is_white() {
            0..self.white_men
        } else {
            self.white_men..self.men()
        }
    }

    /// By how many bits the square of a man other than White's king is shifted in an entry.
    pub(super) fn shift(&self, man: usize) -> usize {
        6 * (self.men() - 1 - man)
    }

    /// The squares of an entry.
    pub(super) fn squares(&self, entry: usize) -> Squares {
        let mut squares = [Square::A1; Material::MOST_MEN];
        let mut rest = entry;
        for square in squares[1..self.men()].iter_mut().rev() {
            *square = Square::new((rest & 63) as u32);
            rest >>= 6;
        }
        squares[0] = self.king_squares[rest];
        squares
    }

    /// The entry of a placement, after a symmetry and the order of like men have been applied.
    pub(super) fn entry(&self, squares: &Squares) -> usize {
        let home = &self.home[squares[0].to_usize()];
        self.entry_at_home(squares.map(|square| home[square.to_usize()]))
    }

    /// The entry of a placement with White's king where a canonical state can have it.
    pub(super) fn entry_at_home(&self, mut squares: Squares) -> usize {
        for &(first, last) in &self.like {
            squares[first..=last].sort_unstable();
        }
        let king = self.king_places[squares[0].to_usize()].unwrap_or(0);
        let rest = squares[1..self.men()].iter();
        rest.fold(usize::from(king), |entry, &square| {
            entry << 6 | square.to_usize()
        })
    }

    /// The symmetry that brings White's king from a square to where a canonical state can have it.
    pub(super) fn symmetry_to_home(&self, king: Square) -> Symmetry {
        self.to_home[king.to_usize()]
    }

    /// Whether men of the same colour and kind stand in ascending order, as in every tuple.
    pub(super) fn is_ordered(&self, squares: &Squares) -> bool {
        self.like
            .iter()
            .all(|&(first, last)| squares[first..=last].is_sorted())
    }

    /// How often the placement occurs among its images, if it is the first of them: its tuple is not
    /// larger than that of its reflection in the long diagonal. `None` if it is not the first.
    pub(super) fn raw_weight(&self, squares: &Squares) -> Option<u64> {
        let images = self.material.symmetries().len() as u64;
        let on_diagonal = squares[0].flip_diagonal() == squares[0];
        if self.material.has_pawns() || !on_diagonal {
            return Some(images);
        }
        let reflected = self.entry_at_home(squares.map(Square::flip_diagonal));
        match self.entry_at_home(*squares).cmp(&reflected) {
            std::cmp::Ordering::Less => Some(images),
            std::cmp::Ordering::Equal => Some(images / 2),
            std::cmp::Ordering::Greater => None,
        }
    }

    /// The other entry of the same canonical state: without pawns and with White's king on the long
    /// diagonal, that of the reflection in it.
    pub(super) fn reflection(&self, entry: usize) -> Option<usize> {
        let squares = self.squares(entry);
        let has_two = !self.material.has_pawns() && squares[0].flip_diagonal() == squares[0];
        has_two.then(|| self.entry_at_home(squares.map(Square::flip_diagonal)))
    }

    /// The smaller of the entries of a canonical state.
    pub(super) fn canonical_entry(&self, entry: usize) -> usize {
        self.reflection(entry)
            .map_or(entry, |other| entry.min(other))
    }

    /// The position of a placement that is a state, for shakmaty.
    ///
    /// # Panics
    ///
    /// If it is no state.
    pub(super) fn position(&self, squares: &Squares, turn: Color) -> Chess {
        let mut board = Board::empty();
        for (&square, &man) in squares.iter().zip(self.pieces()) {
            board.set_piece_at(square, man);
        }
        legal_position(Setup {
            board,
            turn,
            ..Setup::empty()
        })
        .expect("a state is a position")
    }

    /// The squares of all men but the last two, read as digits, where `prefix` is the number of
    /// 4,096 entries that share them.
    pub(super) fn choice_of_prefix(&self, prefix: usize) -> usize {
        let others = 6 * (self.men() - 3);
        let king = self.king_squares[prefix >> others].to_usize();
        king << others | prefix & ((1 << others) - 1)
    }

    /// The men of the class.
    pub(super) fn pieces(&self) -> &[Piece] {
        self.material.men()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(name: &str) -> Index {
        Index::new(&name.parse().unwrap())
    }

    #[test]
    fn entries_and_ordered_placements_are_the_same_for_three_men() {
        for name in ["KQK", "KPK"] {
            let index = index(name);
            for entry in 0..index.len() {
                assert_eq!(index.entry(&index.squares(entry)), entry, "{name}");
            }
        }
    }

    #[test]
    fn entries_and_ordered_placements_are_the_same_for_more_men() {
        for name in [
            "KBNK", "KBBK", "KPKP", "KNNK", "KRRKR", "KRPKR", "KPPKP", "KBBBK",
        ] {
            let index = index(name);
            for entry in (0..index.len()).step_by(997) {
                let squares = index.squares(entry);
                if index.is_ordered(&squares) {
                    assert_eq!(index.entry(&squares), entry, "{name}");
                }
            }
        }
    }

    #[test]
    fn images_share_the_entry_up_to_the_diagonal() {
        for name in ["KBNK", "KBBK", "KRPKR"] {
            let index = index(name);
            for entry in (0..index.len()).step_by(991) {
                let squares = index.squares(entry);
                let own = [
                    index.entry(&squares),
                    index.entry(&squares.map(Square::flip_diagonal)),
                ];
                for &symmetry in index.material().symmetries() {
                    let image = index.entry(&squares.map(|square| symmetry.apply(square)));
                    assert!(own.contains(&image), "{name} {entry}");
                }
            }
        }
    }
}
