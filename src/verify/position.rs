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

use super::claim::{MOST_MEN, Material};
use super::man::{Kind, Man, Side};
use super::reach::{Reach, bit};
use super::{Move, Square};

/// The squares of the men in the order of the material.
pub(super) type Squares = [u8; MOST_MEN];

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
        let mut after = *self;
        after.put(change.man, change.to);
        after.king_is_attacked(self.to_move, change.captured)
    }

    /// The men, with their places in the material and their squares.
    pub(super) fn men(&self) -> impl Iterator<Item = (usize, Man, u8)> {
        let men = iter::zip(self.material.men(), self.squares).enumerate();
        men.map(|(place, (&man, square))| (place, man, square))
    }

    /// The square of the man at a place.
    pub(super) fn square(&self, place: usize) -> u8 {
        self.squares.get(place).copied().unwrap_or_default()
    }

    /// Puts the man at a place on another square.
    pub(super) fn put(&mut self, place: usize, to: u8) {
        if let Some(square) = self.squares.get_mut(place) {
            *square = to;
        }
    }

    /// The squares on which men stand.
    fn occupied(&self) -> u64 {
        self.men().fold(0, |set, (_, _, square)| set | bit(square))
    }

    /// The place of the man on a square, or [`NOBODY`].
    fn on(&self, square: u8) -> usize {
        let mut men = self.men();
        men.find(|man| man.2 == square).map_or(NOBODY, |man| man.0)
    }

    /// Goes through the moves of the side to move, those that leave its king attacked included.
    #[inline(always)]
    pub(super) fn moves(&self, mut visit: impl FnMut(&Change)) {
        let reach = Reach::get();
        let (mut own, mut other) = (0, 0);
        for (_, man, square) in self.men() {
            match man.side == self.to_move {
                true => own |= bit(square),
                false => other |= bit(square),
            }
        }
        // The king of the other side is never captured: in a raw legal state it is not attacked.
        for (place, man, from) in self.men().filter(|(_, man, _)| man.side == self.to_move) {
            if man.kind == Kind::Pawn {
                self.pawn_moves(place, from, own | other, other, &mut visit);
                continue;
            }
            let mut change = Change {
                man: place,
                from,
                to: from,
                captured: NOBODY,
                promotion: None,
                double_step: false,
            };
            for way in reach.ways(man.kind, from) {
                for &to in way.squares() {
                    if bit(to) & own != 0 {
                        break;
                    }
                    change.to = to;
                    if bit(to) & other != 0 {
                        change.captured = self.on(to);
                        visit(&change);
                        change.captured = NOBODY;
                        break;
                    }
                    visit(&change);
                }
            }
        }
    }

    #[inline(always)]
    fn pawn_moves(
        &self,
        man: usize,
        from: u8,
        occupied: u64,
        other: u64,
        visit: &mut impl FnMut(&Change),
    ) {
        let side = self.to_move;
        let mut change = Change {
            man,
            from,
            to: ahead(side, from),
            captured: NOBODY,
            promotion: None,
            double_step: false,
        };
        if bit(change.to) & occupied == 0 {
            with_promotions(change, visit);
            let two = ahead(side, change.to);
            if from / 8 == first_rank(side) && bit(two) & occupied == 0 {
                visit(&Change {
                    to: two,
                    double_step: true,
                    ..change
                });
            }
        }
        let kind = Kind::Pawn;
        let aims = Reach::get().aims(Man { side, kind }, from);
        for to in squares_of(aims & other) {
            change.to = to;
            change.captured = self.on(to);
            with_promotions(change, visit);
        }
        if let Some(to) = self.en_passant.filter(|&to| bit(to) & aims != 0) {
            change.to = to;
            change.captured = self.on(ahead(side.other(), to));
            visit(&change);
        }
    }

    /// The squares on which there is a legal capture en passant if the last move was a double step over them, in
    /// ascending order.
    pub(super) fn en_passant_squares(&self) -> impl Iterator<Item = u8> {
        let (side, other) = (self.to_move, self.to_move.other());
        let occupied = self.occupied();
        let kind = Kind::Pawn;
        // The squares in the direction of files, so that they come in ascending order.
        let rank = match side {
            Side::White => 40..48,
            Side::Black => 16..24,
        };
        rank.filter(move |&passed| {
            let came_from = ahead(side, passed);
            let stands = self.on(ahead(other, passed));
            let there = self.material.men().get(stands) == Some(&Man { side: other, kind });
            there && (bit(passed) | bit(came_from)) & occupied == 0 && {
                let mut men = self.men();
                men.any(|(man, pawn, from)| {
                    pawn == Man { side, kind }
                        && bit(passed) & Reach::get().aims(pawn, from) != 0
                        && !self.is_unsafe(&Change {
                            man,
                            from,
                            to: passed,
                            captured: stands,
                            promotion: None,
                            double_step: false,
                        })
                })
            }
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

/// The squares of a set in ascending order.
fn squares_of(mut set: u64) -> impl Iterator<Item = u8> {
    iter::from_fn(move || {
        let square = (set != 0).then_some(set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        square
    })
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
