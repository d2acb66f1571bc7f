//! The candidates of a position: what the men of the side to move may do, without regard to their own king.
//!
//! A piece goes to the squares that it sees and where no man of its own side stands; a pawn forward to empty squares, and
//! to those that it aims at for a capture. A candidate is legal if its king is not attacked afterwards, which `board` finds
//! out.
//!
//! **Candidates for check.** The king of the other side is not attacked before a move. If it is attacked after it, then by
//! the man that was moved, or by one whose line to the king was closed and is open now. Where the moved man is still of its
//! kind and alone has left a square, it either has come to a square from which its kind aims at the king, or was the only
//! man between the king and one of its own side that aims at it. All other candidates give no check. (Castling, promotions
//! and captures en passant are all taken for such as may.)
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 3.1 to 3.8.

use super::board::Board;
use super::castling::Wing;
use super::man::{Kind, Man, Side};
use super::reach::{Reach, bit, squares_of};
use super::{Move, Square};

/// The codes of a stored move of a pawn that arrives on the last rank.
const PROMOTIONS: &[u16] = &[4, 3, 2, 1];

/// The first and the last rank.
const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

impl Board {
    /// The candidates, those of the king first: when it is in check, its own moves most often show that it is not mated.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Move> {
        let men = self.men_to_move();
        let moves = men.flat_map(|(kind, from)| moves_to(kind, from, self.targets(kind, from)));
        moves.chain(self.castling())
    }

    /// Those candidates that may give check. No others do.
    pub(super) fn candidates_for_check(&self) -> impl Iterator<Item = Move> {
        let king = Man {
            side: self.to_move.other(),
            kind: Kind::King,
        };
        let king = squares_of(self.all(king)).next().unwrap_or(0);
        let uncovering = self.uncovering(king);
        let men = self.men_to_move();
        let moves = men.flat_map(move |(kind, from)| {
            let targets = match (uncovering & bit(from) != 0, kind) {
                (true, _) => u64::MAX,
                (false, Kind::Pawn) => self.onto(kind, king) | LAST_RANKS | self.passed(),
                (false, _) => self.onto(kind, king),
            };
            moves_to(kind, from, targets & self.targets(kind, from))
        });
        moves.chain(self.castling())
    }

    /// The men of the side to move, with their squares.
    fn men_to_move(&self) -> impl Iterator<Item = (Kind, u8)> {
        let side = self.to_move;
        let kinds = Kind::ALL.into_iter();
        kinds.flat_map(move |kind| {
            squares_of(self.all(Man { side, kind })).map(move |at| (kind, at))
        })
    }

    /// The squares that a man of the side to move may go to, but for castling.
    fn targets(&self, kind: Kind, from: u8) -> u64 {
        let man = Man {
            side: self.to_move,
            kind,
        };
        let (reach, occupied) = (Reach::get(), self.occupied());
        let aims = reach.aims(man, from);
        if kind != Kind::Pawn {
            let seen = reach.sees(man, from, squares_of(aims & occupied));
            return seen & !self.men_of(self.to_move);
        }
        // A second step is made from where the first one of a pawn leads: rank 3 or 6.
        let (one, two) = match self.to_move {
            Side::White => {
                let one = bit(from) << 8 & !occupied;
                (one, (one & 0xff << 16) << 8)
            }
            Side::Black => {
                let one = bit(from) >> 8 & !occupied;
                (one, (one & 0xff << 40) >> 8)
            }
        };
        let captured = self.men_of(self.to_move.other()) | self.passed();
        one | two & !occupied | aims & captured
    }

    /// The set of the en-passant square.
    fn passed(&self) -> u64 {
        self.en_passant.map_or(0, |square| bit(square.number()))
    }

    /// The ways in which the side to move may castle.
    fn castling(&self) -> impl Iterator<Item = Move> {
        let wings = self.rights.wings();
        let ways = wings.filter(|wing| wing.side == self.to_move && self.may_castle(wing));
        ways.map(|wing| Move::new(wing.king().0, wing.king().1))
    }

    /// Whether castling is possible on a wing whose right is left.
    fn may_castle(&self, wing: &Wing) -> bool {
        let is_empty = |square: Square| self.occupied() & bit(square.number()) == 0;
        let is_safe = |square| !self.is_attacked(square, wing.side.other());
        wing.between().all(is_empty) && wing.way().all(is_safe)
    }

    /// The squares from which a man of the side to move aims at a square.
    fn onto(&self, kind: Kind, square: u8) -> u64 {
        Reach::get().aiming(self.to_move, kind, square)
    }

    /// The men that stand alone between a square and a man of the side to move that aims at it.
    fn uncovering(&self, square: u8) -> u64 {
        let (reach, side) = (Reach::get(), self.to_move);
        let aiming = Kind::ALL
            .into_iter()
            .map(|kind| self.all(Man { side, kind }) & self.onto(kind, square));
        let between = aiming
            .flat_map(squares_of)
            .map(|from| reach.between(from, square) & self.occupied());
        between
            .filter(|men| men.is_power_of_two())
            .fold(0, |all, man| all | man)
    }
}

/// The moves of a man to some squares: four for a pawn that arrives on the last rank, otherwise one.
fn moves_to(kind: Kind, from: u8, targets: u64) -> impl Iterator<Item = Move> {
    squares_of(targets).flat_map(move |to| {
        let [from, to] = [from, to].map(|number| Square::from_low_bits(number.into()));
        let promotes = kind == Kind::Pawn && matches!(to.rank(), 0 | 7);
        let codes = if promotes { PROMOTIONS } else { &[0] };
        codes
            .iter()
            .map(move |&code| Move::new(from, to).promoting(code))
    })
}
