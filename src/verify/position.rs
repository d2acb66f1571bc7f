//! A position on a board of 64 squares, and the rules of moving on it.
//!
//! Written from the definition: a man attacks the squares that it steps to; it may move to them unless a man of its own
//! stands there; a move is legal if afterwards the mover's king is not attacked. A king that is attacked and has no move
//! is checkmated. With these men there is neither promotion nor castling nor en passant.
//!
//! Invariant: `occupied` says of each square which side stands there, and agrees with `squares`.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 1.4, 3.1 and 3.9; `docs/certificate-format.md`, *The game*.

use std::fmt::{self, Display};
use std::iter;

use super::claim::{MEN, Material};
use super::man::{Kind, Man, Side};
use super::square::Step;
use super::symmetry::Symmetry;
use super::{Move, Square};

/// The squares of the men in the order of the material; none for a man that was captured.
pub(super) type Squares = [Option<Square>; MEN];

/// A position: which man stands where, and who is to move.
#[derive(Clone)]
pub(super) struct Position<'m> {
    material: &'m Material,
    squares: Squares,
    occupied: [Option<Side>; 64],
    to_move: Side,
}

impl<'m> Position<'m> {
    /// The position with the men on these squares; none if two stand on the same square.
    pub(super) fn new(
        material: &'m Material,
        squares: Squares,
        to_move: Side,
    ) -> Option<Position<'m>> {
        let mut occupied = [None; 64];
        for (man, square) in material.iter().zip(squares) {
            if let Some(square) = square
                && occupied[square.index()].replace(man.side).is_some()
            {
                return None;
            }
        }
        Some(Position {
            material,
            squares,
            occupied,
            to_move,
        })
    }

    /// The squares of the men.
    pub(super) fn squares(&self) -> Squares {
        self.squares
    }

    /// The side to move.
    pub(super) fn to_move(&self) -> Side {
        self.to_move
    }

    /// Where a symmetry sends the position; the side to move stays.
    pub(super) fn image(&self, symmetry: Symmetry) -> Position<'m> {
        let squares = self
            .squares
            .map(|square| square.map(|square| symmetry.image(square)));
        let mut occupied = [None; 64];
        for (man, square) in self.men() {
            occupied[symmetry.image(square).index()] = Some(man.side);
        }
        Position {
            squares,
            occupied,
            ..*self
        }
    }

    /// Whether this is a raw legal state: the kings not on neighbouring squares, the king of the side not to move not
    /// attacked. (All men of the class are on distinct squares by construction.)
    pub(super) fn is_raw_legal(&self) -> bool {
        // A king attacks its neighbouring squares, so the first condition is part of the second.
        !self.king_is_attacked(self.to_move.other())
    }

    /// Whether the king of the side to move is attacked.
    pub(super) fn in_check(&self) -> bool {
        self.king_is_attacked(self.to_move)
    }

    /// The legal moves of the side to move, each with the position after it.
    pub(super) fn legal_moves(&self) -> impl Iterator<Item = (Move, Position<'m>)> {
        self.men()
            .filter(|(man, _)| man.side == self.to_move)
            .flat_map(|(man, from)| self.attacked_by(man.kind, from).map(move |to| (from, to)))
            .filter(|&(_, to)| self.occupied[to.index()] != Some(self.to_move))
            .filter_map(|(from, to)| {
                let after = self.after(from, to);
                (!after.king_is_attacked(self.to_move)).then_some((Move::new(from, to), after))
            })
    }

    /// The men on the board and their squares.
    fn men(&self) -> impl Iterator<Item = (Man, Square)> {
        iter::zip(self.material, self.squares).filter_map(|(&man, square)| Some((man, square?)))
    }

    /// The position after the man on one square has gone to another and captured what stood there.
    fn after(&self, from: Square, to: Square) -> Position<'m> {
        let squares = self.squares.map(|square| match square {
            Some(square) if square == from => Some(to),
            Some(square) if square == to => None,
            other => other,
        });
        let mut occupied = self.occupied;
        occupied[to.index()] = occupied[from.index()].take();
        Position {
            squares,
            occupied,
            to_move: self.to_move.other(),
            ..*self
        }
    }

    /// Whether the king of a side stands on a square that the other side attacks.
    fn king_is_attacked(&self, side: Side) -> bool {
        let king = self
            .men()
            .find(|&(man, _)| {
                man == Man {
                    side,
                    kind: Kind::King,
                }
            })
            .map(|(_, square)| square);
        self.men()
            .filter(|(man, _)| man.side != side)
            .any(|(man, from)| {
                self.attacked_by(man.kind, from)
                    .any(|square| Some(square) == king)
            })
    }

    /// The squares that a man attacks from a square.
    fn attacked_by(&self, kind: Kind, from: Square) -> impl Iterator<Item = Square> {
        kind.steps()
            .iter()
            .flat_map(move |&step| self.ray(from, step, kind.slides()))
    }

    /// The squares one step away and, for a man that slides, on and on up to the first man.
    fn ray(&self, from: Square, step: Step, slides: bool) -> impl Iterator<Item = Square> {
        let mut ahead = from.step(step);
        iter::from_fn(move || {
            let here = ahead?;
            ahead = if slides && self.occupied[here.index()].is_none() {
                here.step(step)
            } else {
                None
            };
            Some(here)
        })
    }
}

/// The FEN of the position; the clocks are no part of it and stand at their start.
impl Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self
                    .men()
                    .find(|&(_, square)| (square.file(), square.rank()) == (file, rank))
                {
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
            Side::White => " w - - 0 1",
            Side::Black => " b - - 0 1",
        })
    }
}

fn write_empty(f: &mut fmt::Formatter<'_>, squares: u8) -> fmt::Result {
    if squares > 0 {
        write!(f, "{squares}")
    } else {
        Ok(())
    }
}
