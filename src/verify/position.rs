//! A position on a board of 64 squares, and the rules of moving on it.
//!
//! Written from the definition: a man attacks the squares that it steps to; it may move to them unless a man of its
//! own side stands there; a move is legal if afterwards the mover's king is not attacked. A pawn moves straight ahead to
//! an empty square, from its first rank also two; it captures where it attacks, also en passant; on the last rank it
//! becomes another man. There is no castling. The *moves* here are those that obey all of this but the safety of the
//! king: where a move leads, and with it whether it is legal, says `class`.
//!
//! Squares are numbers below 64. Invariant: as many squares as the material has men are set, no two are the same, and
//! none of a pawn is on the first or the last rank; the others are 0.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 1.4, 3.1 to 3.9; `docs/certificate-format.md`, *The game*.

use std::fmt::{self, Display};
use std::iter;

use super::man::{Kind, Man, Side};
use super::material::{MOST_MEN, Material};
use super::reach::{Reach, bit, squares_of};
use super::squares::Squares;
use super::{Move, Square};

/// In the place of a man that is captured: none is.
pub(super) const NOBODY: usize = MOST_MEN;

/// The squares on which no pawn stands.
const EDGE_RANKS: u64 = 0xff00_0000_0000_00ff;

/// A position: which man stands where, who is to move, and the square on which he may capture en passant.
#[derive(Clone, Copy)]
pub(super) struct Position<'m> {
    pub(super) material: &'m Material,
    pub(super) squares: Squares,
    pub(super) to_move: Side,
    pub(super) en_passant: Option<u8>,
}

/// What a move does: the man at a place of the material goes from one square to another.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub(super) man: usize,
    pub(super) from: u8,
    pub(super) to: u8,
    /// The place of the man that is captured, or [`NOBODY`].
    pub(super) captured: usize,
    pub(super) promotion: Option<Kind>,
    /// Whether a pawn takes two steps.
    pub(super) double_step: bool,
}

impl Change {
    /// A move without promotion that is no double step.
    #[inline(always)]
    pub(super) fn plain(man: usize, from: u8, to: u8, captured: usize) -> Change {
        Change {
            man,
            from,
            to,
            captured,
            promotion: None,
            double_step: false,
        }
    }

    /// The move as it is written.
    pub(super) fn as_move(&self) -> Move {
        let square = |number| Square::from_low_bits(u16::from(number));
        let code = self.promotion.map_or(0, Kind::promotion_code);
        Move::new(square(self.from), square(self.to)).promoting(code)
    }
}

impl<'m> Position<'m> {
    /// The position with these men on the board; none if two stand on the same square or a pawn on an edge rank.
    pub(super) fn new(
        material: &'m Material,
        squares: Squares,
        to_move: Side,
    ) -> Option<Position<'m>> {
        let position = Position {
            material,
            squares,
            to_move,
            en_passant: None,
        };
        let distinct = position.occupied().count_ones() as usize == material.men().len();
        let pawns = position
            .men()
            .all(|(_, man, square)| man.kind != Kind::Pawn || bit(square) & EDGE_RANKS == 0);
        (distinct && pawns).then_some(position)
    }

    /// Whether this is a raw legal state: the kings not on neighbouring squares, and the king of the side not to move
    /// not attacked. The first is part of the second, since a king attacks its neighbouring squares.
    pub(super) fn is_raw_legal(&self) -> bool {
        !self.is_attacked(self.to_move.other())
    }

    /// Whether the king of the side to move is attacked.
    pub(super) fn in_check(&self) -> bool {
        self.is_attacked(self.to_move)
    }

    /// Whether the king of a side is attacked.
    pub(super) fn is_attacked(&self, side: Side) -> bool {
        self.king_is_attacked(side, NOBODY)
    }

    fn king_is_attacked(&self, side: Side, captured: usize) -> bool {
        let reach = Reach::get();
        let king = self.square(self.material.king(side));
        let men = || self.men().filter(move |&(place, _, _)| place != captured);
        let occupied = men().fold(0, |set, (_, _, square)| set | bit(square));
        men().any(|(_, man, from)| man.side != side && reach.attacks(man, from, king, occupied))
    }

    /// Whether the mover's king is attacked after the move. (What a pawn becomes makes no difference to its own king.)
    pub(super) fn is_unsafe(&self, change: &Change) -> bool {
        let after = Position {
            squares: self.squares.with(change.man, change.to),
            ..*self
        };
        after.king_is_attacked(self.to_move, change.captured)
    }

    /// The squares on which the last man makes this a raw legal state with a side to move, wherever it stands now.
    ///
    /// This says for all squares at once what [`Position::new`] and [`Position::is_raw_legal`] say for each.
    pub(super) fn legal_squares_of_last(&self, to_move: Side) -> u64 {
        let reach = Reach::get();
        let last = self.material.men().len().saturating_sub(1);
        let others = || self.men().take(last);
        let squares = || others().map(|man| man.2);
        let occupied = squares().fold(0, |set, square| set | bit(square));
        let Some(&man) = self.material.men().get(last) else {
            return 0;
        };
        if occupied.count_ones() as usize != last {
            return 0;
        }
        let mut legal = !occupied;
        if man.kind == Kind::Pawn {
            legal &= !EDGE_RANKS;
        }
        let safe = to_move.other();
        let king = self.material.king(safe);
        let attackers = others().filter(|(_, man, _)| man.side != safe);
        if king == last {
            // It stands where no man sees it. (Men that see a square through it would stand on a line with it.)
            return attackers.fold(legal, |legal, (_, man, from)| {
                legal & !reach.sees(man, from, squares())
            });
        }
        let king = self.square(king);
        for (_, attacker, from) in attackers {
            if reach.attacks(attacker, from, king, occupied) {
                // Only the last man can stand between.
                legal &= reach.between(from, king);
            }
        }
        if man.side != safe {
            // It must not see the king: from there it would be seen by a man of its kind, a pawn by one of the other side.
            legal &= !reach.sees(Man { side: safe, ..man }, king, squares());
        }
        legal
    }

    /// The men, with their places in the material and their squares.
    pub(super) fn men(&self) -> impl Iterator<Item = (usize, Man, u8)> {
        let men = iter::zip(self.material.men(), self.squares.iter()).enumerate();
        men.map(|(place, (&man, square))| (place, man, square))
    }

    /// The square of the man at a place.
    pub(super) fn square(&self, place: usize) -> u8 {
        self.squares.at(place)
    }

    /// The squares on which men stand.
    fn occupied(&self) -> u64 {
        self.men().fold(0, |set, (_, _, square)| set | bit(square))
    }

    /// The place of the man on a square, or [`NOBODY`].
    pub(super) fn on(&self, square: u8) -> usize {
        let mut men = self.men();
        men.find(|man| man.2 == square).map_or(NOBODY, |man| man.0)
    }

    /// Goes through the moves of the side to move, those that leave its king attacked included.
    pub(super) fn moves(&self, mut visit: impl FnMut(&Change)) {
        for (man, from, targets) in self.targets() {
            for to in squares_of(targets) {
                visit(&Change::plain(man, from, to, self.on(to)));
            }
        }
        self.pawn_moves(visit);
    }

    /// The men of the side to move except pawns: place, square, and the squares that they go to. (The king of the other
    /// side is never there: in a raw legal state it is not attacked.)
    #[inline(always)]
    pub(super) fn targets(&self) -> impl Iterator<Item = (usize, u8, u64)> {
        let own = self.men_of(self.to_move);
        let pieces = self
            .men()
            .filter(|(_, man, _)| man.side == self.to_move && man.kind != Kind::Pawn);
        pieces.map(move |(place, man, from)| {
            let seen = Reach::get().sees(man, from, self.men().map(|man| man.2));
            (place, from, seen & !own)
        })
    }

    /// The squares of the men of a side.
    pub(super) fn men_of(&self, side: Side) -> u64 {
        let men = self.men().filter(|(_, man, _)| man.side == side);
        men.fold(0, |set, (_, _, square)| set | bit(square))
    }

    /// Goes through the moves of the pawns of the side to move.
    pub(super) fn pawn_moves(&self, mut visit: impl FnMut(&Change)) {
        let side = self.to_move;
        let kind = Kind::Pawn;
        if !self.material.has_pawns() {
            return;
        }
        let other = self.men_of(side.other());
        let occupied = other | self.men_of(side);
        for (man, _, from) in self.men().filter(|(_, man, _)| *man == Man { side, kind }) {
            let one = ahead(side, from);
            let two = ahead(side, one);
            if bit(one) & occupied == 0 {
                with_promotions(Change::plain(man, from, one, NOBODY), &mut visit);
                if from / 8 == first_rank(side) && bit(two) & occupied == 0 {
                    visit(&Change {
                        double_step: true,
                        ..Change::plain(man, from, two, NOBODY)
                    });
                }
            }
            let aims = Reach::get().aims(Man { side, kind }, from);
            for to in squares_of(aims & other) {
                with_promotions(Change::plain(man, from, to, self.on(to)), &mut visit);
            }
            if let Some(to) = self.en_passant.filter(|&to| bit(to) & aims != 0) {
                let captured = self.on(ahead(side.other(), to));
                visit(&Change::plain(man, from, to, captured));
            }
        }
    }

    /// Whether this square makes it a raw en-passant state, or none is given, if it is a raw legal state.
    pub(super) fn may_have(&self, en_passant: Option<u8>) -> bool {
        en_passant.is_none_or(|wanted| self.en_passant_squares().any(|square| square == wanted))
    }

    /// The squares on which there is a legal capture en passant if the last move was a double step over them, in
    /// ascending order.
    pub(super) fn en_passant_squares(&self) -> impl Iterator<Item = u8> {
        let (side, other) = (self.to_move, self.to_move.other());
        let kind = Kind::Pawn;
        let (mut occupied, mut pawns) = (0, 0);
        for (_, man, square) in self.men() {
            occupied |= bit(square);
            if man == (Man { side: other, kind }) {
                pawns |= bit(square);
            }
        }
        // Where pawns stand after a double step.
        let stands = match side {
            Side::White => pawns & 0xff << 32,
            Side::Black => pawns & 0xff << 24,
        };
        squares_of(stands).filter_map(move |stands| {
            let passed = ahead(side, stands);
            if (bit(passed) | bit(ahead(side, passed))) & occupied != 0 {
                return None;
            }
            let mut men = self.men();
            let is_capture = men.any(|(man, pawn, from)| {
                pawn == Man { side, kind }
                    && bit(passed) & Reach::get().aims(pawn, from) != 0
                    && !self.is_unsafe(&Change::plain(man, from, passed, self.on(stands)))
            });
            is_capture.then_some(passed)
        })
    }
}

/// The square in front of one that is not on a pawn's last rank.
fn ahead(side: Side, square: u8) -> u8 {
    match side {
        Side::White => square.wrapping_add(8),
        Side::Black => square.wrapping_sub(8),
    }
}

/// The rank, from 0, on which the pawns of a side stand at first.
fn first_rank(side: Side) -> u8 {
    match side {
        Side::White => 1,
        Side::Black => 6,
    }
}

/// A move of a pawn: four if it reaches an edge rank, otherwise one.
#[inline(always)]
fn with_promotions(change: Change, visit: &mut impl FnMut(&Change)) {
    if bit(change.to) & EDGE_RANKS == 0 {
        return visit(&change);
    }
    for kind in Kind::PROMOTIONS {
        let promotion = Some(kind);
        visit(&Change {
            promotion,
            ..change
        });
    }
}

/// The FEN of the position. The clocks are no part of a position and stand at their start.
impl Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.material.men().get(self.on(8 * rank + file)) {
                    None => empty += 1,
                    Some(man) => {
                        write_empty(f, empty)?;
                        empty = 0;
                        write!(f, "{}", man.letter())?;
                    }
                }
            }
            write_empty(f, empty)?;
            f.write_str(if rank > 0 { "/" } else { "" })?;
        }
        f.write_str(match self.to_move {
            Side::White => " w - ",
            Side::Black => " b - ",
        })?;
        match self.en_passant {
            Some(square) => write!(f, "{}", Square::from_low_bits(square.into()))?,
            None => f.write_str("-")?,
        }
        f.write_str(" 0 1")
    }
}

fn write_empty(f: &mut fmt::Formatter<'_>, squares: u8) -> fmt::Result {
    match squares {
        0 => Ok(()),
        _ => write!(f, "{squares}"),
    }
}
