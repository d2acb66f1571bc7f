//! A move as the search plays it, in four bytes.
//!
//! Unlike a move of shakmaty it does not say what is captured: that stands on the board.

use shakmaty::{Bitboard, Color, File, Move, Role, Square};

/// A move of the side to move in some [`Diagram`](super::diagram::Diagram).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) from: Square,
    /// Where the man goes; of castling, where the king goes.
    pub(crate) to: Square,
    /// The man that moves, before a promotion.
    pub(crate) role: Role,
    pub(crate) kind: Kind,
}

/// What a move does besides going from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    /// A pawn's double step.
    Double,
    EnPassant,
    Castle,
    Promotion(Role),
}

impl Step {
    /// The man that stands on the target square afterwards.
    pub(crate) const fn placed(self) -> Role {
        match self.kind {
            Kind::Promotion(role) => role,
            _ => self.role,
        }
    }

    /// Whether what stands on the target square does not tell which squares the move opens or attacks.
    pub(crate) const fn is_special(self) -> bool {
        !matches!(self.kind, Kind::Plain | Kind::Double)
    }

    /// The squares of the rook before and after, for castling.
    pub(crate) const fn rook(self) -> (Square, Square) {
        let rank = self.from.rank();
        match self.to.file() {
            File::G => (
                Square::from_coords(File::H, rank),
                Square::from_coords(File::F, rank),
            ),
            _ => (
                Square::from_coords(File::A, rank),
                Square::from_coords(File::D, rank),
            ),
        }
    }

    /// The same move in the terms of shakmaty; `captured` is what stands on the target square.
    pub(crate) const fn to_move(self, captured: Option<Role>) -> Move {
        match self.kind {
            Kind::EnPassant => Move::EnPassant {
                from: self.from,
                to: self.to,
            },
            Kind::Castle => Move::Castle {
                king: self.from,
                rook: self.rook().0,
            },
            Kind::Plain | Kind::Double | Kind::Promotion(_) => Move::Normal {
                role: self.role,
                from: self.from,
                capture: captured,
                to: self.to,
                promotion: match self.kind {
                    Kind::Promotion(role) => Some(role),
                    _ => None,
                },
            },
        }
    }
}

/// The rank behind which no pawn of this colour is left a pawn.
pub(crate) const fn last_rank(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0xff00_0000_0000_0000),
        Color::Black => Bitboard(0xff),
    }
}

/// The first rank of this colour.
pub(crate) const fn first_rank(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0xff),
        Color::Black => Bitboard(0xff00_0000_0000_0000),
    }
}
