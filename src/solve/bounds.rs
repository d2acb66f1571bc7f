//! Bounds: intervals [D⁻, D⁺] around the value of every state, from the ends of the game alone (C2.2, C2.3).
//!
//! In round 0 the ends are known and nothing else is. In each further round every state takes the best
//! lower and the best upper bound that its successors had in the round before. This is plain iteration of
//! C2.3: it finds every forced win, but never that play without end is a draw. So the first round in
//! which iteration changes nothing closes the rest by *closed sets*: a side that cannot be beaten by force has,
//! wherever it is to move, a move after which it cannot either, and may go on like that for ever.
//!
//! A bound only ever tightens, so four numbers say everything about a state: the rounds in which each
//! side was first known to win, and to hold at least a draw. Each is found by its own backward search, the
//! same for all: from the ends where the fact is plain, a state of the side in question needs one
//! successor with the fact, a state of the other side needs it in all. The round-by-round definition is the
//! slow twin in the tests.

use crate::game::{
    Graph, Interrupted, Interval, Observer, Player, Predecessors, StateIndex, Successor, Value,
};

/// The number of a round.
pub type Round = u16;

/// No round: the fact was never found.
pub const NEVER: Round = Round::MAX;

/// The bounds of all states, with the rounds in which they were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The round in which D⁻ became +1.
    pub max_wins: Vec<Round>,
    /// The round in which D⁺ became −1.
    pub min_wins: Vec<Round>,
    /// The round in which D⁻ became 0 or more.
    pub max_holds: Vec<Round>,
    /// The round in which D⁺ became 0 or less.
    pub min_holds: Vec<Round>,
    /// The last round: the first in which iteration changed nothing, and in which closed sets were taken.
    pub rounds: Round,
    /// How often a successor or predecessor was looked at.
    pub lookups: u64,
}

/// The value of an end for the maximizer, given the side that would be to move.
pub fn value_for_max(value: Value, player: Player) -> i8 {
    match (value, player) {
        (Value::Draw, _) => 0,
        (Value::Win(_), Player::Max) | (Value::Loss(_), Player::Min) => 1,
        (Value::Win(_), Player::Min) | (Value::Loss(_), Player::Max) => -1,
    }
}

impl Bounds {
    /// Bounds the values of all states; `players` says who is to move in each.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    ///
    /// # Panics
    ///
    /// If there is not one player for each state, or beyond 65,000 rounds.
    pub fn of(
        graph: &Graph,
        players: &[Player],
        observer: &dyn Observer,
    ) -> Result<Bounds, Interrupted> {
        assert_eq!(players.len(), graph.len(), "every state has a player");
        observer.begin("bounding", 4 * graph.len() as u64);
        let mut search = Search {
            graph,
            players,
            predecessors: graph.predecessors(),
            observer,
            lookups: graph.edge_count() as u64,
        };
        let max_wins = search.attract(Player::Max, 1)?;
        let min_wins = search.attract(Player::Min, 1)?;
        let mut max_holds = search.attract(Player::Max, 0)?;
        let mut min_holds = search.attract(Player::Min, 0)?;
        let found = [&max_wins, &min_wins, &max_holds, &min_holds].into_iter();
        let last = found.flatten().copied().filter(|&round| round != NEVER);
        let rounds = last.max().unwrap_or(0) + 1;
        close(&mut max_holds, &min_wins, rounds);
        close(&mut min_holds, &max_wins, rounds);
        Ok(Bounds {
            max_wins,
            min_wins,
            max_holds,
            min_holds,
            rounds,
            lookups: search.lookups,
        })
    }

    /// The bounds of a state after a round.
    pub fn interval(&self, state: StateIndex, round: Round) -> Interval {
        let state = state.get();
        Interval {
            lower: bound(self.max_wins[state], self.max_holds[state], round),
            upper: -bound(self.min_wins[state], self.min_holds[state], round),
        }
    }
}

/// The bound that a side has for itself after a round.
fn bound(wins: Round, holds: Round, round: Round) -> i8 {
    if wins <= round {
        1
    } else if holds <= round {
        0
    } else {
        -1
    }
}

/// Who is not beaten holds.
fn close(holds: &mut [Round], is_beaten: &[Round], rounds: Round) {
    for (holds, &is_beaten) in holds.iter_mut().zip(is_beaten) {
        if is_beaten == NEVER && *holds == NEVER {
            *holds = rounds;
        }
    }
}

struct Search<'a> {
    graph: &'a Graph,
    players: &'a [Player],
    predecessors: Predecessors,
    observer: &'a dyn Observer,
    lookups: u64,
}

impl Search<'_> {
    /// The round in which iteration finds that a side gets at least so much, for each state.
    fn attract(&mut self, side: Player, least: i8) -> Result<Vec<Round>, Interrupted> {
        let mut found = vec![NEVER; self.graph.len()];
        // For states of the other side, how many successors have not been found yet.
        let mut missing: Vec<u32> = self
            .graph
            .states()
            .map(|s| self.graph.degree(s) as u32)
            .collect();
        let mut layer = Vec::new();
        for &(end, value) in self.graph.ends() {
            let value = value_for_max(value, self.players[end.get()]);
            let own = if side == Player::Max { value } else { -value };
            if own >= least {
                found[end.get()] = 0;
                layer.push(end);
            }
        }
        let mut next = Vec::new();
        if least <= 0 {
            for state in self.graph.states() {
                if self.graph.successors(state).last() == Some(&Successor::SINK) {
                    self.reach(state, side, 1, &mut found, &mut missing, &mut next);
                }
            }
        }
        let mut round: Round = 0;
        while !layer.is_empty() || !next.is_empty() {
            self.observer.checkpoint(layer.len() as u64)?;
            round += 1;
            assert!(round < NEVER - 1, "fewer than 65,000 rounds");
            for state in layer.drain(..) {
                for place in 0..self.predecessors.of(state).len() {
                    let origin = self.predecessors.of(state)[place];
                    self.reach(origin, side, round, &mut found, &mut missing, &mut next);
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        Ok(found)
    }

    /// A successor of this state has been found.
    fn reach(
        &mut self,
        state: StateIndex,
        side: Player,
        round: Round,
        found: &mut [Round],
        missing: &mut [u32],
        next: &mut Vec<StateIndex>,
    ) {
        self.lookups += 1;
        let place = state.get();
        missing[place] -= 1;
        if found[place] == NEVER && (self.players[place] == side || missing[place] == 0) {
            found[place] = round;
            next.push(state);
        }
    }
}
