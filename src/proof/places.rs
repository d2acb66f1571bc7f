//! Positions with a clock, as a game that is searched.
//!
//! Without the clock this is the game on the board. With it, repetition plays no part, but claims and ends by the clock do: who
//! does not lose there does not lose whatever has occurred before.

use shakmaty::{Chess, Color, Position};

use super::ground::{AtSight, Ground};
use crate::game::{Player, Plies};
use crate::rules::{ClockLimits, Past};
use crate::solve::local::{Expansion, Positions, Target};

/// The rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The game `board`: no history.
    Board,
    /// The complete game FCS-2023.
    Fcs,
}

/// Plies with which a draw can be claimed.
pub(super) const CLAIMABLE: u8 = 100;

/// Plies with which the game is over.
pub(super) const OVER: u8 = 150;

/// A position, and the plies since the last capture or pawn move; always 0 where nobody counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The position. Its own clock is no part of it.
    pub position: Chess,
    /// The plies.
    pub clock: u8,
}

/// The side that a player is.
pub(super) const fn player(color: Color) -> Player {
    match color {
        Color::White => Player::Max,
        Color::Black => Player::Min,
    }
}

/// A win for this side, in White's value.
pub(super) const fn win_of(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Whether a win in so many plies stands with this clock, if no key has occurred before.
pub(super) const fn stands(plies: Plies, clock: u8) -> bool {
    let past = Past {
        clock_plies: clock as u32,
        occurrences: 1,
        most_of_others: 0,
    };
    past.win_transfers(plies, ClockLimits::FIDE)
}

/// Whether the side to move may claim a draw by the clock.
pub(super) fn may_claim(position: &Chess, clock: u8) -> bool {
    let has_quiet_move = || position.legal_moves().iter().any(|mv| !mv.is_zeroing());
    clock >= CLAIMABLE || clock + 1 == CLAIMABLE && has_quiet_move()
}

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    ground: Ground<'a>,
    counts_plies: bool,
}

impl<'a> Places<'a> {
    /// The game on the board.
    pub(super) const fn on_the_board(ground: Ground<'a>) -> Places<'a> {
        Places {
            ground,
            counts_plies: false,
        }
    }

    /// The same with the clock.
    pub(super) const fn with_clock(ground: Ground<'a>) -> Places<'a> {
        Places {
            ground,
            counts_plies: true,
        }
    }
}

impl Positions for Places<'_> {
    type State = Place;

    fn player(&self, place: &Place) -> Player {
        player(place.position.turn())
    }

    fn expand(&mut self, place: &Place) -> Expansion<Place> {
        let Place { position, clock } = place;
        let won = |color| Expansion::End(win_of(color));
        match self.ground.at_sight(position) {
            AtSight::Checkmate => return won(!position.turn()),
            AtSight::Stalemate | AtSight::Dead(_) | AtSight::Table(None) => {
                return Expansion::End(0);
            }
            AtSight::Table(Some((winner, plies))) => {
                // A win that the clock may spoil has to be looked into.
                if !self.counts_plies || stands(plies, *clock) {
                    return won(winner);
                }
            }
            AtSight::Nothing => {}
        }
        if self.counts_plies && *clock >= OVER {
            return Expansion::End(0);
        }
        let mut targets = Vec::new();
        if self.counts_plies && may_claim(position, *clock) {
            targets.push(Target::Known(0));
        }
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let clock = match self.counts_plies && !mv.is_zeroing() {
                true => clock + 1,
                false => 0,
            };
            targets.push(Target::State(Place {
                position: next,
                clock,
            }));
        }
        Expansion::Moves(targets)
    }

    /// A win is the nearer, the fewer moves the other side has, and the fewer squares its king can go to. With few men left, also
    /// the nearer its king is to a corner, and the kings to each other.
    fn estimate(&self, place: &Place, winner: Player) -> u32 {
        /// Positions with more men are decided by other things than where the kings are.
        const FEW_MEN: usize = 6;
        /// A bare king wins nothing.
        const HOPELESS: u32 = 1 << 24;
        let position = &place.position;
        let board = position.board();
        let color = match winner {
            Player::Max => Color::White,
            Player::Min => Color::Black,
        };
        let (Some(own), Some(other)) = (board.king_of(color), board.king_of(!color)) else {
            return 0;
        };
        if board.by_color(color).count() == 1 {
            return HOPELESS;
        }
        let replies = match position.turn() == color {
            true => {
                let around = shakmaty::attacks::king_attacks(other) & !board.by_color(!color);
                let occupied = board.occupied().without(other);
                let is_free = |square| board.attacks_to(square, color, occupied).is_empty();
                1 + around.into_iter().filter(|&square| is_free(square)).count() as u32
            }
            false => position.legal_moves().len() as u32,
        };
        let few = match board.occupied().count() <= FEW_MEN {
            false => 0,
            true => {
                let to_edge = |coordinate: u32| coordinate.min(7 - coordinate);
                let corner = to_edge(other.file().to_u32()) + to_edge(other.rank().to_u32());
                let kings = own.distance(other);
                2 * corner * corner + kings * kings
            }
        };
        4 * (replies * replies + few)
    }
}
