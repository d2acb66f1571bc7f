//! Dominance: which moves may be deleted because another one is at least as good, whatever the values are
//! (C2.4, C2.5).
//!
//! A move is deleted in the first round in which a move that is kept has a lower bound, for the side that
//! moves, no smaller than its upper bound. The kept move is then never deleted itself, so no two records lean on each
//! other. Deleting decides nothing: bounds are those over all moves, and what a deletion saves is that nobody
//! who only wants the value of the state has to look at the move again.

use rayon::prelude::*;

use super::bounds::{Bounds, NEVER, Round};
use crate::game::{Graph, Interrupted, Observer, Player, StateIndex, Successor};

/// For a move: it is kept.
pub const KEPT: u8 = u8::MAX;

/// What becomes of every move, in the order of the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dominance {
    /// For each move of each state the place of the move that dominates it among those of the state,
    /// or [`KEPT`].
    pub dominators: Vec<u8>,
    /// The round in which it was deleted; [`NEVER`] if it is kept.
    pub rounds: Vec<Round>,
    /// The deletions of the states that are counted.
    pub counts: Counts,
}

/// Deletions by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Moves that were certainly worse than the move that is kept.
    pub strict: u64,
    /// Moves that may be as good.
    pub equal: u64,
    /// Of both, those whose own value was not known when they were deleted.
    pub open: u64,
    /// Moves into a worse value than the best one: what perfect knowledge of the results would delete.
    pub worse_in_the_end: u64,
}

/// A move from the point of view of the side that makes it.
#[derive(Clone, Copy)]
struct Prospect {
    /// The rounds in which it was known to hold, and to win.
    holds: Round,
    wins: Round,
    /// The rounds in which it was known not to win, and to lose.
    is_held: Round,
    is_lost: Round,
}

impl Prospect {
    const SINK: Prospect = Prospect {
        holds: 0,
        wins: NEVER,
        is_held: 0,
        is_lost: NEVER,
    };

    fn of(bounds: &Bounds, successor: Successor, side: Player) -> Prospect {
        let Some(state) = successor.state() else {
            return Prospect::SINK;
        };
        let state = state.get();
        let max = (bounds.max_holds[state], bounds.max_wins[state]);
        let min = (bounds.min_holds[state], bounds.min_wins[state]);
        let ((holds, wins), (is_held, is_lost)) = match side {
            Player::Max => (max, min),
            Player::Min => (min, max),
        };
        Prospect {
            holds,
            wins,
            is_held,
            is_lost,
        }
    }

    fn lower(self, round: Round) -> i8 {
        i8::from(self.wins <= round) + i8::from(self.holds <= round) - 1
    }

    fn upper(self, round: Round) -> i8 {
        1 - i8::from(self.is_lost <= round) - i8::from(self.is_held <= round)
    }
}

impl Dominance {
    /// Deletes moves of the first `states` states; those of the first `counted` are counted. Runs on the
    /// current rayon pool; the result is the same for any number of threads.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    ///
    /// # Panics
    ///
    /// If a state has more than 254 moves.
    pub fn of(
        graph: &Graph,
        players: &[Player],
        bounds: &Bounds,
        states: usize,
        counted: usize,
        observer: &dyn Observer,
    ) -> Result<Dominance, Interrupted> {
        const CHUNK: usize = 1 << 14;
        observer.begin("deleting moves", states as u64);
        let parts: Vec<Dominance> = (0..states)
            .into_par_iter()
            .step_by(CHUNK)
            .map(|first| {
                let mut part = Dominance::default();
                let last = (first + CHUNK).min(states);
                for (state, &side) in (first..last).zip(&players[first..last]) {
                    let index = StateIndex::new(state);
                    let moves: Vec<Prospect> = graph
                        .successors(index)
                        .iter()
                        .map(|&successor| Prospect::of(bounds, successor, side))
                        .collect();
                    part.delete(&moves, state < counted);
                }
                observer.checkpoint((last - first) as u64)?;
                Ok(part)
            })
            .collect::<Result<_, Interrupted>>()?;
        let mut whole = Dominance::default();
        for part in parts {
            whole.dominators.extend(part.dominators);
            whole.rounds.extend(part.rounds);
            whole.counts.strict += part.counts.strict;
            whole.counts.equal += part.counts.equal;
            whole.counts.open += part.counts.open;
            whole.counts.worse_in_the_end += part.counts.worse_in_the_end;
        }
        Ok(whole)
    }

    /// Adds the moves of a state.
    fn delete(&mut self, moves: &[Prospect], is_counted: bool) {
        assert!(moves.len() < usize::from(KEPT), "fewer than 255 moves");
        let first = self.dominators.len();
        self.dominators.resize(first + moves.len(), KEPT);
        self.rounds.resize(first + moves.len(), NEVER);
        let dominators = &mut self.dominators[first..];
        let rounds = &mut self.rounds[first..];
        let mut is_needed = vec![false; moves.len()];
        for round in eventful_rounds(moves) {
            let kept = (0..moves.len()).filter(|&place| dominators[place] == KEPT);
            // Of those with the best bound one that may be better still, for it is not dominated by the others;
            // then one that is needed already, so that few are; then the first.
            let best = kept.max_by_key(|&place| {
                (
                    moves[place].lower(round),
                    moves[place].upper(round),
                    is_needed[place],
                    std::cmp::Reverse(place),
                )
            });
            let Some(best) = best else { continue };
            let lower = moves[best].lower(round);
            for place in 0..moves.len() {
                let upper = moves[place].upper(round);
                if place == best || dominators[place] != KEPT || is_needed[place] || lower < upper {
                    continue;
                }
                dominators[place] = best as u8;
                rounds[place] = round;
                is_needed[best] = true;
                if is_counted {
                    self.counts.strict += u64::from(lower > upper);
                    self.counts.equal += u64::from(lower == upper);
                    self.counts.open += u64::from(moves[place].lower(round) < upper);
                }
            }
        }
        if is_counted {
            let last = NEVER - 1;
            let best = moves.iter().map(|found| found.lower(last)).max();
            let worse = moves.iter().filter(|found| Some(found.upper(last)) < best);
            self.counts.worse_in_the_end += worse.count() as u64;
        }
    }
}

/// The rounds in which something about a move became known.
fn eventful_rounds(moves: &[Prospect]) -> Vec<Round> {
    let mut rounds: Vec<Round> = moves
        .iter()
        .flat_map(|found| [found.holds, found.wins, found.is_held, found.is_lost])
        .filter(|&round| round != NEVER)
        .collect();
    rounds.sort_unstable();
    rounds.dedup();
    rounds
}
