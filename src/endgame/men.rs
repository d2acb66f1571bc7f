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

    /// The index of the class.
    pub(super) fn index(&self) -> &'a Index {
        self.index
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

    /// Whether this is a pawn that has not moved.
    pub(super) fn is_pawn_at_start(&self, man: usize) -> bool {
        let piece = self.piece(man);
        let start = piece.color.fold_wb(Rank::Second, Rank::Seventh);
        piece.role == Role::Pawn && self.squares[man].rank() == start
    }

    /// Whether a capture or promotion leaves the own king safe.
    pub(super) fn is_safe_after(&self, man: usize, to: Square) -> bool {
        let color = self.piece(man).color;
        let occupied = self.occupied.without(self.squares[man]).with(to);
        let king = self.side(color).start;
        let king = if man == king { to } else { self.squares[king] };
        self.side(!color)
            .filter(|&enemy| self.squares[enemy] != to)
            .all(|enemy| !attacks(self.squares[enemy], self.piece(enemy), occupied).contains(king))
    }
}

/// The double steps among the targets: the pawn, and where it goes.
pub(super) fn double_steps<'m>(
    men: &'m Men,
    targets: &'m Targets,
    turn: Color,
) -> impl Iterator<Item = (usize, Square)> + 'm {
    let pawns = men
        .side(turn)
        .filter(|&man| men.piece(man).role == Role::Pawn);
    pawns.flat_map(|man| {
        let from = men.squares[man];
        targets.sets[man]
            .into_iter()
            .filter(move |&to| is_double_step(from, to))
            .map(move |to| (man, to))
    })
}

/// The square that a pawn jumps over.
pub(super) fn middle(from: Square, to: Square) -> Square {
    Square::new((from.to_u32() + to.to_u32()) / 2)
}

/// The placement after a double step, and the square that was jumped over.
pub(super) fn after_double_step<'m>(
    men: &Men<'m>,
    (man, to): (usize, Square),
) -> (Men<'m>, Square) {
    let mut squares = men.squares;
    let passed = middle(squares[man], to);
    squares[man] = to;
    (men.with_squares(squares), passed)
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
