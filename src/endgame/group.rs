//! Groups: the 64 placements that differ only in the square of the last man.
//!
//! The last man of a class is Black's: his king if it is bare, else the only other man he has (five
//! men leave him no more). Some of the placements of a group are then a set of squares, a bitboard,
//! and a move of one of the *fixed* men carries all of them at once into another group. Only the
//! placements in which the last man stands in the way stay behind.

use shakmaty::attacks::{attacks, between, king_attacks};
use shakmaty::{Bitboard, Color, Piece, Rank, Role, Square};

use super::index::{Index, Squares};
use super::men::{Men, is_double_step, middle};
use super::{Symmetry, en_passant};

/// The fixed men of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<'a> {
    index: &'a Index,
    pub(super) number: usize,
    /// The squares of the fixed men; that of the last man is not to be looked at.
    pub(super) squares: Squares,
    /// The squares of the fixed men as a set.
    pub(super) occupied: Bitboard,
}

/// Moves as they are played, or taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// As they are played.
    Forward,
    /// Taken back.
    Back,
}

/// Another group, and the symmetry that brings the white king to where canonical states have it. It
/// moves the last man too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) group: usize,
    pub(super) symmetry: Symmetry,
}

impl<'a> Group<'a> {
    /// The group of a number: an entry without its last six bits.
    pub(super) fn new(index: &'a Index, number: usize) -> Group<'a> {
        let squares = index.squares(number << 6);
        let fixed = &squares[..index.men() - 1];
        Group {
            index,
            number,
            squares,
            occupied: fixed.iter().copied().collect(),
        }
    }

    /// The number of the last man; the others are fixed.
    pub(super) fn last(&self) -> usize {
        self.index.men() - 1
    }

    /// The fixed men of one side.
    pub(super) fn fixed(&self, color: Color) -> std::ops::Range<usize> {
        let side = self.index.side(color);
        side.start..side.end.min(self.last())
    }

    /// Which kind of man this is.
    pub(super) fn piece(&self, man: usize) -> Piece {
        self.index.pieces()[man]
    }

    /// Whether Black has no man but his king, which is then the last man.
    fn has_bare_king(&self) -> bool {
        self.piece(self.last()).role == Role::King
    }

    /// The squares of all men, with the last man where it is said.
    pub(super) fn with_last(&self, square: Square) -> Squares {
        let mut squares = self.squares;
        squares[self.last()] = square;
        squares
    }

    /// The placements of the group that are states with White, and with Black to move.
    pub(super) fn states(&self) -> [Bitboard; 2] {
        let fixed = 0..self.last();
        let is_possible = self.occupied.count() == self.last()
            && self.index.is_ordered(&self.with_last(Square::H8))
            && !fixed.clone().any(|man| {
                self.piece(man).role == Role::Pawn
                    && Bitboard::BACKRANKS.contains(self.squares[man])
            });
        if !is_possible {
            return [Bitboard::EMPTY; 2];
        }
        let mut free = !self.occupied;
        let last = self.piece(self.last());
        if last.role == Role::Pawn {
            free &= !Bitboard::BACKRANKS;
        }
        let white_king = self.squares[0];
        if self.has_bare_king() {
            let attacked = self
                .fixed(Color::White)
                .map(|man| attacks(self.squares[man], self.piece(man), self.occupied))
                .fold(Bitboard::EMPTY, |all, set| all | set);
            return [free & !attacked, free & !king_attacks(white_king)];
        }
        let black_king = self.squares[self.index.side(Color::Black).start];
        if king_attacks(white_king).contains(black_king) {
            return [Bitboard::EMPTY; 2];
        }
        let mut white = free;
        for man in self.fixed(Color::White) {
            let from = self.squares[man];
            if attacks(from, self.piece(man), self.occupied).contains(black_king) {
                // Only the last man can stand in between.
                white &= between(from, black_king);
            }
        }
        // What the last man would attack from the white king's square with the other colour, it attacks
        // from there.
        let attackers = attacks(white_king, last.role.of(Color::White), self.occupied);
        [white, free & !attackers]
    }

    /// Visits the quiet moves of a fixed man: where it goes, and for which of these squares of the last
    /// man it can.
    pub(super) fn each_step(
        &self,
        man: usize,
        places: Bitboard,
        direction: Direction,
        mut visit: impl FnMut(Square, Bitboard),
    ) {
        let (piece, from) = (self.piece(man), self.squares[man]);
        if piece.role == Role::Pawn {
            let mut places = places;
            for to in pawn_steps(piece.color, from, self.occupied, direction) {
                places.discard(to);
                if places.any() {
                    visit(to, places);
                }
            }
            return;
        }
        for to in attacks(from, piece, self.occupied) & !self.occupied {
            let free = places & !between(from, to).with(to);
            if free.any() {
                visit(to, free);
            }
        }
    }

    /// The squares where the last man goes from a square without capturing or promoting; with
    /// [`Direction::Back`], from where it can have come.
    pub(super) fn steps_of_last(&self, from: Square, direction: Direction) -> Bitboard {
        let piece = self.piece(self.last());
        if piece.role == Role::Pawn {
            return pawn_steps(piece.color, from, self.occupied, direction).collect();
        }
        attacks(from, piece, self.occupied) & !self.occupied
    }

    /// The group after a fixed man has moved.
    pub(super) fn after(&self, man: usize, to: Square) -> Place {
        let mut squares = self.squares;
        if man > 0 && !self.index.has_like(man) {
            let shift = self.index.shift(man) - 6;
            return Place {
                group: (self.number & !(63 << shift)) | to.to_usize() << shift,
                symmetry: Symmetry::ALL[0],
            };
        }
        squares[man] = to;
        squares[self.last()] = Square::A1;
        Place {
            group: self.index.entry(&squares) >> 6,
            symmetry: self.index.symmetry_to_home(squares[0]),
        }
    }

    /// Visits the states from which a quiet move of the other side leads into these states, group by
    /// group, but for double steps after which a capture en passant is legal.
    pub(super) fn each_origin(
        &self,
        turn: Color,
        states: Bitboard,
        mut visit: impl FnMut(usize, Bitboard),
    ) {
        let has_en_passant = self.index.material().has_en_passant();
        for man in self.fixed(!turn) {
            let at = self.squares[man];
            let is_pawn = self.piece(man).role == Role::Pawn;
            self.each_step(man, states, Direction::Back, |from, mut places| {
                if has_en_passant && is_pawn && is_double_step(from, at) {
                    places = self.without_capturable(turn, places, |_| middle(from, at));
                }
                let place = self.after(man, from);
                let origins = place.symmetry.apply_to_all(places);
                visit(place.group, origins);
                // With White's king moving onto the long diagonal there are two groups. (Where it stays
                // there, the other one is found from the other group of these states.)
                if man == 0
                    && let Some(reflection) = self.reflection_of(place.group)
                {
                    visit(reflection, origins.flip_diagonal());
                }
            });
        }
        if turn.is_white() {
            let mut origins = Bitboard::EMPTY;
            for at in states {
                for from in self.steps_of_last(at, Direction::Back) {
                    let is_double = has_en_passant && is_double_step(from, at);
                    let is_quiet = !is_double
                        || self
                            .without_capturable(turn, at.into(), |at| middle(from, at))
                            .any();
                    if is_quiet {
                        origins.add(from);
                    }
                }
            }
            visit(self.number, origins);
        }
    }

    /// Those of these states, with a double step over a square behind them, in which no capture en
    /// passant is legal.
    fn without_capturable(
        &self,
        turn: Color,
        states: Bitboard,
        passed: impl Fn(Square) -> Square,
    ) -> Bitboard {
        let is_quiet = |square: &Square| {
            let men = Men::new(self.index, self.with_last(*square));
            !en_passant::is_capturable(&men, turn, passed(*square))
        };
        states.into_iter().filter(is_quiet).collect()
    }

    /// The other group with the same canonical states: without pawns and with White's king on the long
    /// diagonal, that of the reflection in it.
    pub(super) fn reflection_of(&self, group: usize) -> Option<usize> {
        self.index.reflection(group << 6).map(|entry| entry >> 6)
    }

    /// Which of the states are canonical. The others are reflections of canonical ones.
    pub(super) fn canonical(&self) -> Bitboard {
        /// Squares that are not larger than their reflection.
        const LOWER: Bitboard = Bitboard(0x80c0_e0f0_f8fc_feff);
        match self.reflection_of(self.number) {
            None => Bitboard::FULL,
            Some(other) if self.number < other => Bitboard::FULL,
            Some(other) if self.number > other => Bitboard::EMPTY,
            Some(_) => LOWER,
        }
    }

    /// How many raw states these canonical states stand for.
    pub(super) fn raw_states(&self, canonical: Bitboard) -> u64 {
        let images = self.index.material().symmetries().len() as u64;
        let all = images * canonical.count() as u64;
        if self.reflection_of(self.number) == Some(self.number) {
            // A state on the diagonal is its own reflection.
            all - images / 2 * (canonical & DIAGONAL).count() as u64
        } else {
            all
        }
    }

    /// The class's index.
    pub(super) fn index(&self) -> &'a Index {
        self.index
    }
}

/// The long diagonal a1–h8.
pub(super) const DIAGONAL: Bitboard = Bitboard(0x8040_2010_0804_0201);

/// The single and the double step of a pawn from a square, the nearer first; no promotion, and no
/// step back from where no pawn can have come.
fn pawn_steps(
    color: Color,
    from: Square,
    occupied: Bitboard,
    direction: Direction,
) -> impl Iterator<Item = Square> {
    let is_up = color.is_white() == (direction == Direction::Forward);
    let offset = if is_up { 8 } else { -8 };
    let is_free = move |square: &Square| {
        !occupied.contains(*square) && !Bitboard::BACKRANKS.contains(*square)
    };
    let single = from.offset(offset).filter(is_free);
    let middle = color.fold_wb(Rank::Third, Rank::Sixth);
    let double = single
        .filter(|square| square.rank() == middle)
        .and_then(|square| square.offset(offset))
        .filter(is_free);
    single.into_iter().chain(double)
}
