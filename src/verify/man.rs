//! The men and how they step.
//!
//! A man has a side and a kind. A king and a knight take one step in any of their eight directions; a queen, a rook
//! and a bishop slide: they repeat a step until a man or the edge stops them. A pawn attacks the two squares diagonally
//! in front of it; where it moves is said in `position`.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 3.2 to 3.4, 3.6, 3.7 and 3.8.1.

use super::square::Step;

/// A player. White is before Black, as in tuples.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Side {
    White,
    Black,
}

impl Side {
    /// Both sides in the order of tuples.
    pub(super) const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// 0 for White, 1 for Black.
    pub(super) fn index(self) -> usize {
        usize::from(self == Side::Black)
    }

    pub(super) fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// What a man is, without its side, in the order of names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
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
    /// All kinds in the order of names.
    pub(super) const ALL: [Kind; 6] = [
        Kind::King,
        Kind::Queen,
        Kind::Rook,
        Kind::Bishop,
        Kind::Knight,
        Kind::Pawn,
    ];

    /// What a pawn may become.
    pub(super) const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

    /// The steps that the man can take; none for a pawn, whose steps depend on what stands there.
    pub(super) fn steps(self) -> &'static [Step] {
        match self {
            Kind::King | Kind::Queen => &EVERY_WAY,
            Kind::Rook => &STRAIGHT,
            Kind::Bishop => &DIAGONAL,
            Kind::Knight => &LEAPS,
            Kind::Pawn => &[],
        }
    }

    /// Whether the man may repeat its step.
    pub(super) fn slides(self) -> bool {
        matches!(self, Kind::Queen | Kind::Rook | Kind::Bishop)
    }

    /// The letter of the kind in a name.
    pub(super) fn letter(self) -> char {
        match self {
            Kind::King => 'K',
            Kind::Queen => 'Q',
            Kind::Rook => 'R',
            Kind::Bishop => 'B',
            Kind::Knight => 'N',
            Kind::Pawn => 'P',
        }
    }

    /// What a pawn becomes by a stored move with this number; none if it stays what it is.
    pub(super) fn of_promotion_code(code: u8) -> Option<Kind> {
        let mut promotions = Kind::PROMOTIONS.into_iter();
        promotions.find(|kind| kind.promotion_code() == u16::from(code))
    }

    /// The number of the kind in a stored move; 0 for those that no pawn becomes.
    pub(super) fn promotion_code(self) -> u16 {
        match self {
            Kind::King | Kind::Pawn => 0,
            Kind::Knight => 1,
            Kind::Bishop => 2,
            Kind::Rook => 3,
            Kind::Queen => 4,
        }
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
        let letter = self.kind.letter();
        match self.side {
            Side::White => letter,
            Side::Black => letter.to_ascii_lowercase(),
        }
    }
}
