//! The men and how they step.
//!
//! A man has a side and a kind. A king and a knight take one step in any of their eight directions; a queen, a rook
//! and a bishop slide: they repeat a step until a man or the edge stops them.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 3.2 to 3.4, 3.6 and 3.8.1.

use super::square::Step;

/// A player. White is before Black, as in tuples.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Side {
    White,
    Black,
}

impl Side {
    pub(super) fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// What a man is, without its side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
}

const EVERY_WAY: [Step; 8] = [
    (1, 0),
    (0, 1),
    (-1, 0),
    (0, -1),
    (1, 1),
    (-1, 1),
    (-1, -1),
    (1, -1),
];
const STRAIGHT: [Step; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [Step; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const LEAPS: [Step; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

impl Kind {
    /// The steps that the man can take.
    pub(super) fn steps(self) -> &'static [Step] {
        match self {
            Kind::King | Kind::Queen => &EVERY_WAY,
            Kind::Rook => &STRAIGHT,
            Kind::Bishop => &DIAGONAL,
            Kind::Knight => &LEAPS,
        }
    }

    /// Whether the man, on a board that is otherwise empty, attacks the square so many files and ranks away (not both
    /// 0). This is the definition of the Laws, and says the same as `steps` and `slides` do.
    pub(super) fn aims_at(self, files: i8, ranks: i8) -> bool {
        let (files, ranks) = (files.abs(), ranks.abs());
        let straight = files == 0 || ranks == 0;
        let diagonal = files == ranks;
        match self {
            Kind::King => files.max(ranks) == 1,
            Kind::Queen => straight || diagonal,
            Kind::Rook => straight,
            Kind::Bishop => diagonal,
            Kind::Knight => files * ranks == 2,
        }
    }

    /// Whether the man may repeat its step.
    pub(super) fn slides(self) -> bool {
        matches!(self, Kind::Queen | Kind::Rook | Kind::Bishop)
    }
}

/// A man of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Man {
    pub(super) side: Side,
    pub(super) kind: Kind,
}

impl Man {
    /// The letter of the man in a FEN: upper case for White.
    pub(super) fn letter(self) -> char {
        let letter = match self.kind {
            Kind::King => 'K',
            Kind::Queen => 'Q',
            Kind::Rook => 'R',
            Kind::Bishop => 'B',
            Kind::Knight => 'N',
        };
        match self.side {
            Side::White => letter,
            Side::Black => letter.to_ascii_lowercase(),
        }
    }
}
