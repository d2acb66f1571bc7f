//! What a local proof rests on, laid out as in its certificate: positions, their bounds, and what becomes of every move.
//!
//! Nothing is decided here. Every listed position is looked at once more, for the order of its moves and for those that another
//! one dominates.

use std::cmp::Reverse;
use std::collections::HashMap;

use thiserror::Error;

use super::bounded::player;
use super::local_game::{LocalGame, Successor};
use super::value_byte::byte_of;
use super::{LookupError, Material, State};
use crate::game::{Interval, Player};
use crate::solve::dominance::KEPT;
use crate::solve::local::Proof;

/// A position that nobody is known to win.
const NO_RANK: u16 = u16::MAX;

/// Positions with their bounds. White is the maximizer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalProof {
    /// The listed positions, ascending: a tuple each, then the en-passant square or 64 where both sides have a pawn.
    pub positions: Vec<u8>,
    /// Their bounds.
    pub intervals: Vec<Interval>,
    /// In how many plies the winner wins at most, 65,535 for those that nobody is known to win.
    pub ranks: Vec<u16>,
    /// For each move of each position the place of the move that dominates it, or [`KEPT`].
    pub dominators: Vec<u8>,
    /// Moves that are certainly worse than one that is kept.
    pub deleted_strict: u64,
    /// Moves that are at best as good as one that is kept.
    pub deleted_equal: u64,
}

/// Why a proof cannot be laid out.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LocalProofError {
    /// A win takes more plies than a certificate can say.
    #[error("a win in {0} plies is longer than a certificate can say")]
    TooLong(u32),
    /// A table of a child was not there.
    #[error(transparent)]
    Lookup(#[from] LookupError),
}

impl LocalProof {
    /// Lays out a proof of a game.
    ///
    /// # Errors
    ///
    /// [`LocalProofError`]
    pub fn of(
        mut game: LocalGame<'_>,
        proof: &Proof<State>,
    ) -> Result<LocalProof, LocalProofError> {
        let material = game.material();
        let mut listed: Vec<(Vec<u8>, usize)> = (0..proof.states.len())
            .map(|place| (bytes(material, &proof.states[place].state), place))
            .collect();
        listed.sort_unstable();
        let known: HashMap<State, Interval> = proof
            .states
            .iter()
            .map(|proved| (proved.state, proved.interval))
            .collect();
        let mut laid_out = LocalProof::default();
        for (bytes, place) in listed {
            let proved = &proof.states[place];
            laid_out.positions.extend(bytes);
            laid_out.intervals.push(proved.interval);
            laid_out.ranks.push(match proved.rank {
                None => NO_RANK,
                Some(rank) => match u16::try_from(rank) {
                    Err(_) | Ok(NO_RANK) => return Err(LocalProofError::TooLong(rank)),
                    Ok(rank) => rank,
                },
            });
            let intervals = moves(&mut game, &proved.state, &known);
            laid_out.delete(player(proved.state.turn()), &intervals);
        }
        match game.lacking() {
            Some(error) => Err(error.into()),
            None => Ok(laid_out),
        }
    }

    /// How many moves the positions have, each of which was looked at once to lay out the proof.
    pub const fn moves(&self) -> u64 {
        self.dominators.len() as u64
    }

    /// Deletes the moves of a position that its best move dominates.
    fn delete(&mut self, side: Player, moves: &[Interval]) {
        let own = |interval: &Interval| match side {
            Player::Max => (interval.lower, interval.upper),
            Player::Min => (-interval.upper, -interval.lower),
        };
        // The best is the first of those that hold most, and of these that may be worth most.
        let best = (0..moves.len()).min_by_key(|&place| Reverse(own(&moves[place])));
        let Some(best) = best else {
            return;
        };
        let (lower, _) = own(&moves[best]);
        for (place, interval) in moves.iter().enumerate() {
            let (_, upper) = own(interval);
            let is_deleted = place != best && lower >= upper;
            // A position has 218 moves at most.
            self.dominators
                .push(if is_deleted { best as u8 } else { KEPT });
            self.deleted_strict += u64::from(is_deleted && lower > upper);
            self.deleted_equal += u64::from(is_deleted && lower == upper);
        }
    }
}

/// The intervals that the moves of a state lead to, in the order of a certificate.
fn moves(
    game: &mut LocalGame<'_>,
    state: &State,
    known: &HashMap<State, Interval>,
) -> Vec<Interval> {
    let material = game.material();
    let Some(position) = state.position(material) else {
        return Vec::new();
    };
    let mut moves: Vec<((u8, Vec<u8>), Interval)> = game
        .successors(&position)
        .into_iter()
        .map(|successor| match successor {
            Successor::State(next) => {
                let interval = known.get(&next).copied().unwrap_or(Interval::UNKNOWN);
                ((0, bytes(material, &next)), interval)
            }
            Successor::Child {
                value,
                value_for_white,
                ..
            } => (
                (1, byte_of(value).into_iter().collect()),
                Interval::point(value_for_white),
            ),
            Successor::Sink => ((2, Vec::new()), Interval::point(0)),
        })
        .collect();
    moves.sort_by(|(a, _), (b, _)| a.cmp(b));
    moves.into_iter().map(|(_, interval)| interval).collect()
}

/// A state as it is listed.
fn bytes(material: &Material, state: &State) -> Vec<u8> {
    /// No en-passant square.
    const NONE: u8 = 64;
    let (squares, is_black, en_passant) = state.order();
    let mut bytes: Vec<u8> = squares[..material.men().len()]
        .iter()
        .map(|&square| u8::from(square))
        .collect();
    bytes.push(u8::from(is_black));
    if material.has_en_passant() {
        bytes.push(en_passant.map_or(NONE, u8::from));
    }
    bytes
}
