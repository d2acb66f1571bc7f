//! What can be forced from each vertex while blocks are decided.

use super::arena::Arena;
use super::block_bounds::ends_worth;
use super::forcing::{Depth, Forcing};
use crate::game::{Interval, Player, StateIndex};

/// What becomes of a block that is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    MaxWins,
    MinWins,
    Drawn,
}

impl Outcome {
    pub(super) const ALL: [Outcome; 3] = [Outcome::MaxWins, Outcome::MinWins, Outcome::Drawn];
    pub(super) const WINS: [Outcome; 2] = [Outcome::MaxWins, Outcome::MinWins];
}

/// What each side can force: to win, and to hold where the other side might win. A side for which no end is a win is
/// left out: the other one holds everything.
#[derive(Clone)]
pub(super) struct Knowledge {
    wins: [Option<Forcing>; 2],
    holds: [Option<Forcing>; 2],
}

const SIDES: [Player; 2] = [Player::Max, Player::Min];

impl Knowledge {
    /// What can be forced as long as no block is decided.
    pub(super) fn new(arena: &Arena, horizon: Depth) -> Knowledge {
        // Ends that no move leads to are no danger.
        let matters = |end: &StateIndex| {
            end.get() < arena.vertices || !arena.predecessors.of(*end).is_empty()
        };
        let forcing = |side, least, with_sink| {
            let ends = ends_worth(arena, side, least).filter(matters);
            Forcing::new(arena, side, horizon, ends, with_sink)
        };
        let can_win = |side| ends_worth(arena, side, 1).any(|end| matters(&end));
        Knowledge {
            wins: SIDES.map(|side| can_win(side).then(|| forcing(side, 1, false))),
            holds: SIDES.map(|side| can_win(side.opponent()).then(|| forcing(side, 0, true))),
        }
    }

    /// Becomes equal to another one of the same game.
    pub(super) fn copy_from(&mut self, other: &Knowledge) {
        let own = self.wins.iter_mut().chain(&mut self.holds);
        for (own, other) in own.zip(other.wins.iter().chain(&other.holds)) {
            if let (Some(own), Some(other)) = (own, other) {
                own.copy_from(other);
            }
        }
    }

    /// Whether a vertex has an outcome if the blocks that are decided have theirs.
    pub(super) fn is_ready(&self, vertex: StateIndex, outcome: Outcome) -> bool {
        let forces = |forcing: &Option<Forcing>| {
            forcing
                .as_ref()
                .is_some_and(|forcing| forcing.is_forced(vertex))
        };
        match outcome {
            Outcome::MaxWins => forces(&self.wins[0]),
            Outcome::MinWins => forces(&self.wins[1]),
            Outcome::Drawn => {
                let mut holds = self.holds.iter().flatten();
                holds.all(|forcing| forcing.is_forced(vertex))
            }
        }
    }

    /// Learns the outcome of a vertex, and calls for each vertex that is ready for an outcome now and was not before.
    pub(super) fn learn(
        &mut self,
        arena: &Arena,
        vertex: StateIndex,
        outcome: Outcome,
        newly: &mut impl FnMut(StateIndex, Outcome),
    ) {
        let [max_wins, min_wins] = &mut self.wins;
        match outcome {
            Outcome::MaxWins => {
                if let Some(forcing) = max_wins {
                    forcing.add(arena, vertex, &mut |state| newly(state, Outcome::MaxWins));
                }
            }
            Outcome::MinWins => {
                if let Some(forcing) = min_wins {
                    forcing.add(arena, vertex, &mut |state| newly(state, Outcome::MinWins));
                }
            }
            Outcome::Drawn => {}
        }
        let [max_holds, min_holds] = &mut self.holds;
        if outcome != Outcome::MinWins
            && let Some(forcing) = max_holds
        {
            let other = &*min_holds;
            let is_held = |state| other.as_ref().is_none_or(|other| other.is_forced(state));
            forcing.add(arena, vertex, &mut |state| {
                if is_held(state) {
                    newly(state, Outcome::Drawn);
                }
            });
        }
        if outcome != Outcome::MaxWins
            && let Some(forcing) = min_holds
        {
            let other = &*max_holds;
            let is_held = |state| other.as_ref().is_none_or(|other| other.is_forced(state));
            forcing.add(arena, vertex, &mut |state| {
                if is_held(state) {
                    newly(state, Outcome::Drawn);
                }
            });
        }
    }

    /// What is known of a state of which nothing is known: a side that has no end to win does not win.
    pub(super) fn unknown(&self) -> Interval {
        let [max, min] = self.wins.each_ref().map(|wins| i8::from(wins.is_some()));
        Interval {
            lower: -min,
            upper: max,
        }
    }

    /// How often a predecessor was looked at.
    pub(super) fn lookups(&self) -> u64 {
        let forcings = self.wins.iter().chain(&self.holds).flatten();
        forcings.map(|forcing| forcing.lookups).sum()
    }
}
