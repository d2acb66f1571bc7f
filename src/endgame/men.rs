//! Men on the board: what they attack, and where the side to move may go.
//!
//! The solver looks at every placement of a class several times. This is the part of the rules that
//! it needs, on bitboards, without history and without castling; en passant is the affair of
//! [`super::en_passant`]. The slow twin is shakmaty's move generator, in the tests.

use shakmaty::attacks::{attacks, between, king_attacks};
use shakmaty::{Bitboard, Color, Piece, Rank, Role, Square};

use super::Material;
use super::index::{Index, Squares};

/// A placement of the men of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Men<'a> {
    index: &'a Index,
    pub(super) squares: Squares,
    pub(super) occupied: Bitboard,
    white: Bitboard,
}

/// Where the men of the side to move may go, man by man.
pub(super) struct Targets {
    pub(super) sets: [Bitboard; Material::MOST_MEN],
    pub(super) is_check: bool,
}

impl<'a> Men<'a> {
    /// The men of a class on these squares.
    pub(super) fn new(index: &'a Index, squares: Squares) -> Men<'a> {
        let mut sides = [Bitboard::EMPTY; 2];
        for color in [Color::White, Color::Black] {
            for man in index.side(color) {
                sides[usize::from(color.is_white())].add(squares[man]);
            }
        }
        Men {
            index,
            squares,
            occupied: sides[0] | sides[1],
            white: sides[1],
        }
    }

    /// The same men on other squares.
    pub(super) fn with_squares(&self, squares: Squares) -> Men<'a> {
        Men::new(self.index, squares)
    }

    /// The numbers of the men of one side: its king comes first.
    pub(super) fn side(&self, color: Color) -> std::ops::Range<usize> {
        self.index.side(color)
    }

    /// The squares of one side.
    pub(super) fn of(&self, color: Color) -> Bitboard {
        if color.is_white() {
            self.white
        } else {
            self.occupied ^ self.white
        }
    }

    /// Which kind of man this is.
    pub(super) fn piece(&self, man: usize) -> Piece {
        self.index.pieces()[man]
    }

    /// The man on a square.
    pub(super) fn man_on(&self, square: Square) -> Option<usize> {
        self.squares[..self.index.men()]
            .iter()
            .position(|&own| own == square)
    }

    /// Whether the men stand on different squares and no pawn on the first or last rank.
    pub(super) fn is_placement(&self) -> bool {
        let on_last_rank = |(piece, square): (&Piece, &Square)| {
            piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(*square)
        };
        self.occupied.count() == self.index.men()
            && !self
                .index
                .pieces()
                .iter()
                .zip(&self.squares)
                .any(on_last_rank)
    }

    /// Whether the king of one side is attacked (also by a king).
    pub(super) fn is_king_attacked(&self, color: Color) -> bool {
        let king = self.squares[self.side(color).start];
        self.side(!color).any(|man| self.reaches(man, king))
    }

    /// Whether a man attacks a square.
    fn reaches(&self, man: usize, square: Square) -> bool {
        let (piece, from) = (self.piece(man), self.squares[man]);
        let on_empty_board = attacks(from, piece, Bitboard::EMPTY).contains(square);
        on_empty_board && (between(from, square) & self.occupied).is_empty()
    }

    /// All squares where the men of the side to move may legally go, captures included, en passant
    /// not.
    pub(super) fn targets(&self, turn: Color) -> Targets {
        let own = self.of(turn);
        let side = self.side(turn);
        let king = self.squares[side.start];
        let without_king = self.occupied.without(king);
        let mut attacked = Bitboard::EMPTY;
        let mut checkers = 0;
        let mut evasions = Bitboard::FULL;
        let mut pins = [Bitboard::FULL; Material::MOST_MEN];
        for man in self.side(!turn) {
            let (piece, from) = (self.piece(man), self.squares[man]);
            attacked |= attacks(from, piece, without_king);
            if !attacks(from, piece, Bitboard::EMPTY).contains(king) {
                continue;
            }
            let line = between(from, king);
            let blockers = line & self.occupied;
            if blockers.is_empty() {
                checkers += 1;
                evasions &= line.with(from);
            } else if let Some(single) = blockers.single_square()
                && own.contains(single)
                && let Some(pinned) = self.man_on(single)
            {
                pins[pinned] &= line.with(from);
            }
        }
        let mut sets = [Bitboard::EMPTY; Material::MOST_MEN];
        sets[side.start] = king_attacks(king) & !own & !attacked;
        if checkers < 2 {
            for man in side.skip(1) {
                sets[man] = self.pseudo_targets(man) & evasions & pins[man];
            }
        }
        Targets {
            sets,
            is_check: checkers > 0,
        }
    }

    /// The squares where a man may go if no king were in danger.
    pub(super) fn pseudo_targets(&self, man: usize) -> Bitboard {
        let (piece, from) = (self.piece(man), self.squares[man]);
        if piece.role == Role::Pawn {
            let captures = attacks(from, piece, self.occupied) & self.of(!piece.color);
            captures | self.pushes(from, piece.color)
        } else {
            attacks(from, piece, self.occupied) & !self.of(piece.color)
        }
    }

    fn pushes(&self, from: Square, color: Color) -> Bitboard {
        let free = !self.occupied;
        let single = step(Bitboard::from(from), color) & free;
        let third = if color.is_white() {
            Rank::Third
        } else {
            Rank::Sixth
        };
        single | (step(single & Bitboard::from(third), color) & free)
    }

    /// The squares on which a move of this man is a capture or a promotion.
    pub(super) fn converting(&self, man: usize) -> Bitboard {
        let piece = self.piece(man);
        let enemies = self.of(!piece.color);
        if piece.role == Role::Pawn {
            enemies | Bitboard::BACKRANKS
        } else {
            enemies
        }
    }

    /// The squares from which a man can have come without capturing and without promoting.
    pub(super) fn origins(&self, man: usize) -> Bitboard {
        let (piece, to) = (self.piece(man), self.squares[man]);
        let free = !self.occupied;
        if piece.role != Role::Pawn {
            return attacks(to, piece, self.occupied) & free;
        }
        let single = step(Bitboard::from(to), !piece.color) & free & !Bitboard::BACKRANKS;
        let third = if piece.color.is_white() {
            Rank::Third
        } else {
            Rank::Sixth
        };
        single | (step(single & Bitboard::from(third), !piece.color) & free)
    }
}

/// Squares one rank further in the direction of a side's pawns.
fn step(squares: Bitboard, color: Color) -> Bitboard {
    if color.is_white() {
        squares.shift(8)
    } else {
        squares.shift(-8)
    }
}

/// Whether a move between these squares is a double step if a pawn makes it.
pub(super) fn is_double_step(from: Square, to: Square) -> bool {
    from.to_u32().abs_diff(to.to_u32()) == 16
}
