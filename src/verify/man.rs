//! The men and how they step.
//!
//! A man has a side and a kind. A king and a knight take one step in any of their eight directions; a queen, a rook
//! and a bishop slide: they repeat a step until a man or the edge stops them. A pawn goes straight ahead and attacks
//! the two squares diagonally ahead; ahead is up the ranks for White and down for Black.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 3.2 to 3.8.1.

use std::ops::Range;

use super::Square;
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

    /// How many ranks up a pawn goes.
    pub(super) fn ahead(self) -> i8 {
        match self {
            Side::White => 1,
            Side::Black => -1,
        }
    }

    /// The rank that the side counts as its rank number `rank`, both from 0.
    pub(super) fn rank(self, rank: i8) -> i8 {
        match self {
            Side::White => rank,
            Side::Black => 7 - rank,
        }
    }
}

/// What a man is, without its side. In the order of names: a class is written K Q R B N P.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
}

/// All steps: four straight, four diagonal, eight of a knight.
pub(super) const STEPS: [Step; 16] = [
    (1, 0),
    (0, 1),
    (-1, 0),
    (0, -1),
    (1, 1),
    (-1, 1),
    (-1, -1),
    (1, -1),
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
    /// What a pawn may become; the code of a promotion in a move is the place here, from 1.
    pub(super) const PROMOTIONS: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

    /// All kinds.
    pub(super) const ALL: [Kind; 6] = [
        Kind::King,
        Kind::Queen,
        Kind::Rook,
        Kind::Bishop,
        Kind::Knight,
        Kind::Pawn,
    ];

    /// Which of [`STEPS`] the man can take. A pawn has none of them: its moves depend on what stands in its way.
    pub(super) fn ways(self) -> Range<usize> {
        match self {
            Kind::King | Kind::Queen => 0..8,
            Kind::Rook => 0..4,
            Kind::Bishop => 4..8,
            Kind::Knight => 8..16,
            Kind::Pawn => 0..0,
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
}

/// A man of a side. Ordered as in the name of a class: White's men first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Man {
    pub(super) side: Side,
    pub(super) kind: Kind,
}

impl Man {
    /// The letter of the man in a FEN: upper case for White.
    pub(super) fn letter(self) -> char {
        match self.side {
            Side::White => self.kind.letter(),
            Side::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// Whether the man, on a board that is otherwise empty, attacks the square so many files and ranks away (not both
    /// 0). This is the definition of the Laws, and says the same as `ways` and `slides` do.
    pub(super) fn aims_at(self, files: i8, ranks: i8) -> bool {
        let straight = files == 0 || ranks == 0;
        let diagonal = files.abs() == ranks.abs();
        match self.kind {
            Kind::King => files.abs().max(ranks.abs()) == 1,
            Kind::Queen => straight || diagonal,
            Kind::Rook => straight,
            Kind::Bishop => diagonal,
            Kind::Knight => files.abs() * ranks.abs() == 2,
            Kind::Pawn => ranks == self.side.ahead() && files.abs() == 1,
        }
    }

    /// Whether the man on one square attacks another. A man that slides is followed along the only step that can lead
    /// there: its files and ranks are the signs of the differences.
    pub(super) fn attacks(
        self,
        from: Square,
        to: Square,
        is_empty: impl Fn(Square) -> bool,
    ) -> bool {
        let (files, ranks) = (to.file() - from.file(), to.rank() - from.rank());
        if !self.aims_at(files, ranks) {
            return false;
        }
        if !self.kind.slides() {
            return true;
        }
        let step = (files.signum(), ranks.signum());
        let mut ahead = from.step(step);
        while let Some(here) = ahead.filter(|&here| here != to) {
            if !is_empty(here) {
                return false;
            }
            ahead = here.step(step);
        }
        true
    }
}
