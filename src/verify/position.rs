//! A position on a board of 64 squares, and the rules of moving on it.
//!
//! Written from the definition: a man attacks the squares that it steps to; it may move to them unless a man of its
//! own side stands there; a move is legal if afterwards the mover's king is not attacked. A king that is attacked and
//! has no move is checkmated. There is no castling. This is the slow and obvious formulation: it judges the images
//! of states, the policy and the longest line, and says what a state is. The many states of a table are gone through
//! by `sweep`, which formulates the same rules once more.
//!
//! Invariant: no two men stand on the same square; an en-passant square is one on which a capture is legal.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 1.4, 3.1 to 3.7 and 3.9; `docs/certificate-format.md`, *The
//! game* and *The states*.

use std::fmt::{self, Display};

use super::class::MOST_MEN;
use super::man::{Kind, Man, STEPS, Side};
use super::symmetry::Symmetry;
use super::{Move, Square};

/// Room for the moves of most positions; a list that needs more grows.
const USUAL_MOVES: usize = 32;

/// A position: which man stands where, who is to move, and over which square a capture en passant is possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    men: [Option<(Man, Square)>; MOST_MEN],
    to_move: Side,
    en_passant: Option<Square>,
}

impl Position {
    /// The position of these men, at most five; none if two stand on the same square.
    pub(super) fn new(
        placed: impl IntoIterator<Item = (Man, Square)>,
        to_move: Side,
    ) -> Option<Position> {
        let mut position = Position {
            men: [None; MOST_MEN],
            to_move,
            en_passant: None,
        };
        let mut placed = placed.into_iter();
        for place in &mut position.men {
            *place = placed.next();
        }
        let all_different = position.men().enumerate().all(|(number, (_, square))| {
            let mut before = position.men().take(number);
            before.all(|(_, other)| other != square)
        });
        (placed.next().is_none() && all_different).then_some(position)
    }

    /// The side to move.
    pub(super) fn side(&self) -> Side {
        self.to_move
    }

    /// The en-passant square.
    pub(super) fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The men on the board and their squares.
    pub(super) fn men(&self) -> impl Iterator<Item = (Man, Square)> {
        self.men.iter().flatten().copied()
    }

    /// Where a symmetry sends the position; the side to move stays.
    pub(super) fn image(&self, symmetry: Symmetry) -> Position {
        let image = |(man, square)| (man, symmetry.image(square));
        Position {
            men: self.men.map(|placed| placed.map(image)),
            to_move: self.to_move,
            en_passant: self.en_passant.map(|square| symmetry.image(square)),
        }
    }

    /// Whether this is a raw legal state: no pawn on the first or last rank, the kings not on neighbouring squares,
    /// and the king of the side not to move not attacked. The second is part of the third, since a king attacks its
    /// neighbouring squares.
    pub(super) fn is_raw_legal(&self) -> bool {
        let misplaced =
            |(man, square): (Man, Square)| man.kind == Kind::Pawn && matches!(square.rank(), 0 | 7);
        !self.men().any(misplaced) && !self.king_is_attacked(self.to_move.other())
    }

    /// Whether the king of the side to move is attacked.
    pub(super) fn in_check(&self) -> bool {
        self.king_is_attacked(self.to_move)
    }

    /// The legal moves of the side to move, each with the position after it.
    pub(super) fn legal_moves(&self) -> Vec<(Move, Position)> {
        let mut moves = Vec::with_capacity(USUAL_MOVES);
        for (man, from) in self.men().filter(|(man, _)| man.side == self.to_move) {
            match man.kind {
                Kind::Pawn => self.pawn_moves(from, &mut moves),
                _ => self.piece_moves(man, from, &mut moves),
            }
        }
        if let Some(over) = self.en_passant {
            moves.extend(self.en_passant_captures(over));
        }
        moves
    }

    /// The legal moves of a man that is not a pawn: step by step up to the first man.
    fn piece_moves(&self, man: Man, from: Square, moves: &mut Vec<(Move, Position)>) {
        for step in man.kind.ways().filter_map(|way| STEPS.get(way).copied()) {
            let mut ahead = from.step(step);
            while let Some(to) = ahead {
                if self.side_on(to) != Some(self.to_move) {
                    self.add_if_legal(from, to, 0, moves);
                }
                let goes_on = man.kind.slides() && self.is_empty(to);
                ahead = if goes_on { to.step(step) } else { None };
            }
        }
    }

    /// The legal moves of a pawn but for captures en passant.
    fn pawn_moves(&self, from: Square, moves: &mut Vec<(Move, Position)>) {
        let side = self.to_move;
        let straight = from.step((0, side.ahead()));
        if let Some(to) = straight.filter(|&to| self.is_empty(to)) {
            self.add_pawn_move(from, to, moves);
            let double = to.step((0, side.ahead()));
            let double = double.filter(|&to| from.rank() == side.rank(1) && self.is_empty(to));
            if let Some(to) = double {
                self.add_if_legal(from, to, 0, moves);
            }
        }
        for files in [-1, 1] {
            let to = from.step((files, side.ahead()));
            if let Some(to) = to.filter(|&to| self.side_on(to) == Some(side.other())) {
                self.add_pawn_move(from, to, moves);
            }
        }
    }

    fn add_pawn_move(&self, from: Square, to: Square, moves: &mut Vec<(Move, Position)>) {
        match to.rank() == self.to_move.rank(7) {
            true => (1..=4).for_each(|code| self.add_if_legal(from, to, code, moves)),
            false => self.add_if_legal(from, to, 0, moves),
        }
    }

    fn add_if_legal(
        &self,
        from: Square,
        to: Square,
        promotion: u8,
        moves: &mut Vec<(Move, Position)>,
    ) {
        let after = self.after(from, to, promotion);
        if !after.king_is_attacked(self.to_move) {
            moves.push((Move::new(from, to, promotion), after));
        }
    }

    /// The position after the man on one square went to another, captured what stood there, and became what the code
    /// of the promotion says. After a double step it has an en-passant square if a capture on it is legal.
    fn after(&self, from: Square, to: Square, promotion: u8) -> Position {
        let becomes = usize::from(promotion).checked_sub(1);
        let becomes = becomes.and_then(|place| Kind::PROMOTIONS.get(place));
        let mut double_step = false;
        let men = self.men.map(|placed| match placed? {
            (man, square) if square == from => {
                double_step = man.kind == Kind::Pawn && (to.rank() - from.rank()).abs() == 2;
                let kind = *becomes.unwrap_or(&man.kind);
                Some((Man { kind, ..man }, to))
            }
            (_, square) if square == to => None,
            stays => Some(stays),
        });
        let after = Position {
            men,
            to_move: self.to_move.other(),
            en_passant: None,
        };
        let over = from.step((0, self.to_move.ahead()));
        match over.filter(|_| double_step) {
            Some(over) => after.with_en_passant(over).unwrap_or(after),
            None => after,
        }
    }

    /// The position as an en-passant state: a pawn of the side not to move stands where a double step over the square
    /// has brought it, and a capture on the square is legal. None if that is not so.
    pub(super) fn with_en_passant(&self, over: Square) -> Option<Position> {
        let stepped = self.to_move.other();
        let pawn = Man {
            side: stepped,
            kind: Kind::Pawn,
        };
        let (from, to) = (
            over.step((0, -stepped.ahead()))?,
            over.step((0, stepped.ahead()))?,
        );
        let possible = over.rank() == stepped.rank(2)
            && self.men().any(|placed| placed == (pawn, to))
            && self.is_empty(over)
            && self.is_empty(from)
            && !self.en_passant_captures(over).is_empty();
        possible.then_some(Position {
            en_passant: Some(over),
            ..*self
        })
    }

    /// The legal captures on the square that a pawn of the other side has just stepped over.
    fn en_passant_captures(&self, over: Square) -> Vec<(Move, Position)> {
        let mut moves = Vec::new();
        let Some(captured) = over.step((0, -self.to_move.ahead())) else {
            return moves;
        };
        for (man, from) in self.men().filter(|(man, _)| man.side == self.to_move) {
            if man.kind == Kind::Pawn && man.attacks(from, over, |_| true) {
                let mut after = Position {
                    en_passant: None,
                    ..*self
                };
                after.men = after
                    .men
                    .map(|placed| placed.filter(|&(_, square)| square != captured));
                let after = after.after(from, over, 0);
                if !after.king_is_attacked(self.to_move) {
                    moves.push((Move::new(from, over, 0), after));
                }
            }
        }
        moves
    }

    fn is_empty(&self, square: Square) -> bool {
        self.men().all(|(_, stands)| stands != square)
    }

    /// Which side has a man on a square.
    fn side_on(&self, square: Square) -> Option<Side> {
        let mut men = self.men();
        men.find_map(|(man, stands)| (stands == square).then_some(man.side))
    }

    /// Whether the king of a side stands on a square that a man of the other side attacks.
    fn king_is_attacked(&self, side: Side) -> bool {
        let kind = Kind::King;
        let mut men = self.men();
        let Some((_, king)) = men.find(|&(man, _)| man == Man { side, kind }) else {
            return false;
        };
        let mut men = self.men();
        men.any(|(man, from)| {
            man.side != side && man.attacks(from, king, |here| self.is_empty(here))
        })
    }
}

/// The FEN of the position. The clocks are no part of a position and stand at their start.
impl Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let here = |&(_, square): &(Man, Square)| Square::at(file, rank) == Some(square);
                match self.men().find(here) {
                    None => empty += 1,
                    Some((man, _)) => {
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
            Some(square) => write!(f, "{square} 0 1"),
            None => f.write_str("- 0 1"),
        }
    }
}

fn write_empty(f: &mut fmt::Formatter<'_>, squares: u8) -> fmt::Result {
    match squares {
        0 => Ok(()),
        _ => write!(f, "{squares}"),
    }
}
