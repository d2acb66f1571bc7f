//! The legal moves of a [`Diagram`], visited one by one.
//!
//! A visitor can stop the visit, and an *aim* can narrow it to some targets for each man: that is how the moves
//! that may give check are found without the others. Nothing is left out that the aim wants; special moves
//! (castling, en passant, promotions) are visited whatever the aim.

use std::ops::ControlFlow;

use shakmaty::attacks::{
    attacks, between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, ray, rook_attacks,
};
use shakmaty::{Bitboard, Color, Rank, Role, Square};

use super::diagram::{Diagram, captured_en_passant};
use super::step::{Kind, Step, first_rank, last_rank};

/// What a side that is to move must heed: checks and pins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    pub(crate) checkers: Bitboard,
    /// Men that may move only along the line of their king.
    pinned: Bitboard,
    /// Where men other than the king may go: anywhere, or to where a check ends.
    mask: Bitboard,
}

/// How much the side to move can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mobility {
    /// Its legal moves.
    pub(crate) moves: usize,
    /// The squares that its king can go to by a plain move.
    pub(crate) room: usize,
}

/// Men who may promote, in the order in which they are tried.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

impl Diagram {
    /// The men of either colour that alone stand between a square and a slider of a side.
    #[inline]
    pub(crate) fn screens(&self, square: Square, sliders: Color) -> Bitboard {
        let (straight, diagonal) = self.sliders(sliders);
        let snipers = rook_attacks(square, Bitboard::EMPTY) & straight
            | bishop_attacks(square, Bitboard::EMPTY) & diagonal;
        let occupied = self.occupied();
        let mut screens = Bitboard::EMPTY;
        for sniper in snipers {
            let men = between(square, sniper) & occupied;
            if !men.more_than_one() {
                screens |= men;
            }
        }
        screens
    }

    /// What the side to move must heed.
    #[inline]
    pub(crate) fn guard(&self) -> Guard {
        let us = self.turn();
        let king = self.king(us);
        let checkers = self.checkers();
        let mask = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => between(king, checker) | checkers,
        };
        Guard {
            checkers,
            pinned: self.screens(king, !us) & self.of_color(us),
            mask,
        }
    }

    /// Visits every legal move.
    #[inline]
    pub(crate) fn visit_all(
        &self,
        guard: &Guard,
        visit: &mut impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit(guard, &|_, _| Bitboard::FULL, visit)
    }

    /// Visits every legal move whose target is in the aim of its man, and every special one.
    #[inline]
    pub(crate) fn visit(
        &self,
        guard: &Guard,
        aim: &impl Fn(Role, Square) -> Bitboard,
        visit: &mut impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if guard.mask.any() {
            self.visit_pieces(guard, aim, visit)?;
            self.visit_pawns(guard, aim, visit)?;
        }
        self.visit_king(guard, aim, visit)
    }

    #[inline]
    fn visit_pieces(
        &self,
        guard: &Guard,
        aim: &impl Fn(Role, Square) -> Bitboard,
        visit: &mut impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let own = self.of_color(self.turn());
        let king = self.king(self.turn());
        let occupied = self.occupied();
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            for from in own & self.of_role(role) {
                let attacks = match role {
                    Role::Knight => knight_attacks(from),
                    Role::Bishop => bishop_attacks(from, occupied),
                    Role::Rook => rook_attacks(from, occupied),
                    _ => rook_attacks(from, occupied) | bishop_attacks(from, occupied),
                };
                let mut targets = attacks & !own & guard.mask & aim(role, from);
                if guard.pinned.contains(from) {
                    targets &= ray(king, from);
                }
                for to in targets {
                    visit(Step {
                        from,
                        to,
                        role,
                        kind: Kind::Plain,
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn visit_pawns(
        &self,
        guard: &Guard,
        aim: &impl Fn(Role, Square) -> Bitboard,
        visit: &mut impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let us = self.turn();
        let king = self.king(us);
        let theirs = self.of_color(!us);
        for from in self.of_color(us) & self.of_role(Role::Pawn) {
            let (pushed, jumped) = self.pawn_advances(from);
            let captures = pawn_attacks(us, from) & theirs;
            let mut targets = (pushed | jumped | captures) & guard.mask;
            if guard.pinned.contains(from) {
                targets &= ray(king, from);
            }
            let step = |to, kind| Step {
                from,
                to,
                role: Role::Pawn,
                kind,
            };
            for to in targets & last_rank(us) {
                for role in PROMOTIONS {
                    visit(step(to, Kind::Promotion(role)))?;
                }
            }
            for to in targets & !last_rank(us) & aim(Role::Pawn, from) {
                let kind = if jumped.contains(to) {
                    Kind::Double
                } else {
                    Kind::Plain
                };
                visit(step(to, kind))?;
            }
            if let Some(to) = self.en_passant()
                && pawn_attacks(us, from).contains(to)
                && self.may_capture_en_passant(step(to, Kind::EnPassant))
            {
                visit(step(to, Kind::EnPassant))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// How many legal moves there are, and how many of them are plain moves of the king, without visiting any.
    pub(crate) fn mobility(&self) -> Mobility {
        let guard = self.guard();
        let us = self.turn();
        let own = self.of_color(us);
        let king = self.king(us);
        let occupied = self.occupied();
        let without_king = occupied & !Bitboard::from_square(king);
        let is_safe = |&to: &Square| !self.is_attacked(to, !us, without_king);
        let near = king_attacks(king) & !own;
        let room = near.into_iter().filter(is_safe).count();
        let mut moves = room;
        if guard.mask.any() {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                for from in own & self.of_role(role) {
                    let mut targets = attacks(from, role.of(us), occupied) & !own & guard.mask;
                    if guard.pinned.contains(from) {
                        targets &= ray(king, from);
                    }
                    moves += targets.count();
                }
            }
        }
        let mut count = |_| {
            moves += 1;
            ControlFlow::Continue(())
        };
        if guard.mask.any() {
            let _ = self.visit_pawns(&guard, &|_, _| Bitboard::FULL, &mut count);
        }
        let _ = self.visit_castling(&guard, &mut count);
        Mobility { moves, room }
    }

    /// Where a pawn of the side to move can go by a step, and by a double step.
    #[inline]
    fn pawn_advances(&self, from: Square) -> (Bitboard, Bitboard) {
        let empty = !self.occupied();
        let from = Bitboard::from_square(from);
        match self.turn() {
            Color::White => {
                let pushed = Bitboard(from.0 << 8) & empty;
                let jumped = Bitboard(pushed.0 << 8) & empty & Bitboard::from_rank(Rank::Fourth);
                (pushed, jumped)
            }
            Color::Black => {
                let pushed = Bitboard(from.0 >> 8) & empty;
                let jumped = Bitboard(pushed.0 >> 8) & empty & Bitboard::from_rank(Rank::Fifth);
                (pushed, jumped)
            }
        }
    }

    /// Whether the own king is safe after a capture en passant.
    pub(crate) fn may_capture_en_passant(&self, step: Step) -> bool {
        let us = self.turn();
        let next = self.play(step);
        debug_assert!(
            self.of_color(!us).contains(captured_en_passant(step)),
            "a pawn stands beside the capturer"
        );
        !next.is_attacked(next.king(us), !us, next.occupied())
    }

    #[inline]
    fn visit_king(
        &self,
        guard: &Guard,
        aim: &impl Fn(Role, Square) -> Bitboard,
        visit: &mut impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let us = self.turn();
        let from = self.king(us);
        let without_king = self.occupied() & !Bitboard::from_square(from);
        let targets = king_attacks(from) & !self.of_color(us) & aim(Role::King, from);
        for to in targets {
            if !self.is_attacked(to, !us, without_king) {
                visit(Step {
                    from,
                    to,
                    role: Role::King,
                    kind: Kind::Plain,
                })?;
            }
        }
        self.visit_castling(guard, visit)
    }

    #[inline]
    fn visit_castling(
        &self,
        guard: &Guard,
        visit: &mut impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let us = self.turn();
        let from = self.king(us);
        if guard.checkers.is_empty() {
            for rook in self.castling() & self.of_color(us) & first_rank(us) {
                if let Some(to) = self.castles_to(from, rook) {
                    visit(Step {
                        from,
                        to,
                        role: Role::King,
                        kind: Kind::Castle,
                    })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Where the king goes if it castles with this rook now.
    fn castles_to(&self, king: Square, rook: Square) -> Option<Square> {
        let them = !self.turn();
        let to = if rook > king {
            Square::new(king.to_u32() + 2)
        } else {
            Square::new(king.to_u32() - 2)
        };
        let is_free = (between(king, rook) & self.occupied()).is_empty();
        let path = between(king, to).with(to);
        let is_safe = || {
            path.into_iter()
                .all(|square| !self.is_attacked(square, them, self.occupied()))
        };
        (is_free && is_safe()).then_some(to)
    }

    /// Whether a move of another position of this side is legal here; castling and en passant do not count.
    pub(crate) fn allows(&self, guard: &Guard, step: Step) -> bool {
        let us = self.turn();
        if step.is_special() && !matches!(step.kind, Kind::Promotion(_)) {
            return false;
        }
        let is_own = (self.of_color(us) & self.of_role(step.role)).contains(step.from);
        if !is_own || self.of_color(us).contains(step.to) {
            return false;
        }
        let occupied = self.occupied();
        let reaches = match step.role {
            Role::Pawn => {
                let (pushed, jumped) = self.pawn_advances(step.from);
                let captures = pawn_attacks(us, step.from) & self.of_color(!us);
                pushed | jumped | captures
            }
            Role::Knight => knight_attacks(step.from),
            Role::Bishop => bishop_attacks(step.from, occupied),
            Role::Rook => rook_attacks(step.from, occupied),
            Role::Queen => rook_attacks(step.from, occupied) | bishop_attacks(step.from, occupied),
            Role::King => {
                let without_king = occupied & !Bitboard::from_square(step.from);
                return king_attacks(step.from).contains(step.to)
                    && !self.is_attacked(step.to, !us, without_king);
            }
        };
        let is_free =
            !guard.pinned.contains(step.from) || ray(self.king(us), step.from).contains(step.to);
        (reaches & guard.mask).contains(step.to) && is_free
    }
}
