//! Mate in one: the moves that may give check, and whether a check is mate.
//!
//! Nearly all work of a mate search is done here, so nothing is generated that is not needed: only moves that
//! may give check are played, and a check is no mate as soon as one answer to it is found, the king's first.

use std::ops::ControlFlow;

use shakmaty::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, ray, rook_attacks,
};
use shakmaty::{Bitboard, Color, Rank, Role, Square};

use super::diagram::Diagram;
use super::moves::Guard;
use super::step::{Kind, Step};

/// Where the men of the side to move must go to check the other king.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckAim {
    king: Square,
    /// From which squares each role gives check, as the board stands.
    squares: [Bitboard; 6],
    /// Men whose leaving opens a line to the king.
    screens: Bitboard,
}

impl CheckAim {
    /// The targets from which this man may give check. A move to any other square gives none, unless it is special.
    #[inline]
    pub(crate) fn targets(&self, role: Role, from: Square) -> Bitboard {
        let direct = self.squares[role as usize - 1];
        if self.screens.contains(from) {
            direct | !ray(self.king, from)
        } else {
            direct
        }
    }

    /// Whether a move may give check; if not special, whether it does.
    #[inline]
    pub(crate) fn may_check(&self, step: Step) -> bool {
        step.is_special() || self.targets(step.role, step.from).contains(step.to)
    }
}

impl Diagram {
    /// Where the side to move gives check.
    #[inline]
    pub(crate) fn check_aim(&self) -> CheckAim {
        let us = self.turn();
        let king = self.king(!us);
        let occupied = self.occupied();
        let straight = rook_attacks(king, occupied);
        let diagonal = bishop_attacks(king, occupied);
        CheckAim {
            king,
            squares: [
                pawn_attacks(!us, king),
                knight_attacks(king),
                diagonal,
                straight,
                straight | diagonal,
                Bitboard::EMPTY,
            ],
            screens: self.screens(king, us) & self.of_color(us),
        }
    }

    /// The first mating move, if there is one. Adds the positions that it looks at to `nodes`.
    #[inline]
    pub(crate) fn mate_in_one(&self, nodes: &mut u64) -> Option<Step> {
        let guard = self.guard();
        self.mate_in_one_guarded(&guard, nodes)
    }

    #[inline]
    pub(crate) fn mate_in_one_guarded(&self, guard: &Guard, nodes: &mut u64) -> Option<Step> {
        let aim = self.check_aim();
        let mut found = None;
        let mut flights = None;
        let _ = self.visit(guard, &|role, from| aim.targets(role, from), &mut |step| {
            let flights = *flights.get_or_insert_with(|| self.flights());
            if flights.any() && self.leaves_flight(step, flights) {
                return ControlFlow::Continue(());
            }
            *nodes += 1;
            if self.play(step).is_checkmate() {
                found = Some(step);
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found
    }

    /// Where the king of the other side could go if it were to move now and in check: squares that the side to move does not attack.
    #[inline]
    fn flights(&self) -> Bitboard {
        let us = self.turn();
        let king = self.king(!us);
        let occupied = self.occupied() & !Bitboard::from_square(king);
        let (straight, diagonal) = self.sliders(us);
        let own = self.of_color(us);
        let mut attacked = king_attacks(self.king(us));
        for square in straight {
            attacked |= rook_attacks(square, occupied);
        }
        for square in diagonal {
            attacked |= bishop_attacks(square, occupied);
        }
        for square in own & self.of_role(Role::Knight) {
            attacked |= knight_attacks(square);
        }
        for square in own & self.of_role(Role::Pawn) {
            attacked |= pawn_attacks(us, square);
        }
        king_attacks(king) & !self.of_color(!us) & !attacked
    }

    /// Whether one of these flights is certainly still there after a move: neither the man that moves attacks it from its
    /// target, nor can a slider along a line that it opens, nor does it stand on it.
    #[inline]
    fn leaves_flight(&self, step: Step, flights: Bitboard) -> bool {
        if step.is_special() {
            return false;
        }
        let us = self.turn();
        let from = Bitboard::from_square(step.from);
        let king = Bitboard::from_square(self.king(!us));
        let occupied = self.occupied() & !from & !king;
        let attacks = match step.role {
            Role::Pawn => pawn_attacks(us, step.to),
            Role::Knight => knight_attacks(step.to),
            Role::Bishop => bishop_attacks(step.to, occupied),
            Role::Rook => rook_attacks(step.to, occupied),
            Role::Queen => rook_attacks(step.to, occupied) | bishop_attacks(step.to, occupied),
            Role::King => king_attacks(step.to),
        };
        let mut left = flights & !attacks & !Bitboard::from_square(step.to);
        if left.is_empty() {
            return false;
        }
        let (straight, diagonal) = self.sliders(us);
        let behind = rook_attacks(step.from, occupied) & straight
            | bishop_attacks(step.from, occupied) & diagonal;
        for slider in behind & !from {
            left &= !ray(slider, step.from);
        }
        left.any()
    }

    /// Whether the side to move is checkmated.
    #[inline]
    pub(crate) fn is_checkmate(&self) -> bool {
        let checkers = self.checkers();
        checkers.any() && !self.king_can_move() && !self.can_answer(checkers)
    }

    /// Whether the king of the side to move has a move.
    #[inline]
    pub(crate) fn king_can_move(&self) -> bool {
        let us = self.turn();
        let king = self.king(us);
        let without_king = self.occupied() & !Bitboard::from_square(king);
        (king_attacks(king) & !self.of_color(us))
            .into_iter()
            .any(|to| !self.is_attacked(to, !us, without_king))
    }

    /// Whether another man than the king can end these checks.
    #[inline]
    fn can_answer(&self, checkers: Bitboard) -> bool {
        let Some(checker) = checkers.single_square() else {
            return false; // a double check
        };
        let us = self.turn();
        let king = self.king(us);
        let occupied = self.occupied();
        // A pinned man stands on another line than the check.
        let movable = self.of_color(us) & !self.of_role(Role::King) & !self.screens(king, !us);
        if (self.attackers(checker, us, occupied) & movable).any() {
            return true;
        }
        let pawns = self.of_role(Role::Pawn) & movable;
        let pieces = movable & !pawns;
        let blocks = |to: Square| {
            (self.attackers(to, us, occupied) & pieces).any() || self.can_advance_to(pawns, to)
        };
        if between(king, checker).into_iter().any(blocks) {
            return true;
        }
        self.can_capture_en_passant()
    }

    /// Whether one of these pawns of the side to move can step to this empty square.
    #[inline]
    fn can_advance_to(&self, pawns: Bitboard, to: Square) -> bool {
        let target = Bitboard::from_square(to);
        let empty = !self.occupied();
        let (once, twice) = match self.turn() {
            Color::White => {
                let once = Bitboard(target.0 >> 8);
                (
                    once,
                    Bitboard((once & empty).0 >> 8) & Bitboard::from_rank(Rank::Second),
                )
            }
            Color::Black => {
                let once = Bitboard(target.0 << 8);
                (
                    once,
                    Bitboard((once & empty).0 << 8) & Bitboard::from_rank(Rank::Seventh),
                )
            }
        };
        ((once | twice) & pawns).any()
    }

    /// Whether some capture en passant is legal.
    pub(crate) fn can_capture_en_passant(&self) -> bool {
        let us = self.turn();
        self.en_passant().is_some_and(|to| {
            let capturers = pawn_attacks(!us, to) & self.of_role(Role::Pawn) & self.of_color(us);
            capturers.into_iter().any(|from| {
                self.may_capture_en_passant(Step {
                    from,
                    to,
                    role: Role::Pawn,
                    kind: Kind::EnPassant,
                })
            })
        })
    }
}
