//! The bounds of a universe, and the moves that they let delete.
//!
//! White is the maximizer. The vertices are the canonical states, then the canonical en-passant states; the values
//! of children come in as ends. The table of the class itself is no part of this.

use shakmaty::Color;

use super::MoveGraph;
use crate::game::{Interrupted, Interval, Observer, Player, StateIndex};
use crate::solve::bounds::{Bounds, NEVER};
use crate::solve::dominance::Dominance;

/// Bounds on the value of every vertex, round by round, and what becomes of every move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// Canonical states.
    pub states: usize,
    /// Canonical en-passant states.
    pub en_passant_states: usize,
    /// Distinct pairs of a state and a successor, the sink included; en-passant states left out.
    pub edges: u64,
    /// Who is to move in each state of the graph; White is the maximizer.
    pub players: Vec<Player>,
    /// The bounds.
    pub bounds: Bounds,
    /// The deletions.
    pub dominance: Dominance,
}

/// How many states each kind of fact bounds. A state that White wins is not counted as one that White holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// States with D⁻ = +1.
    pub white_wins: u64,
    /// States with D⁺ = −1.
    pub black_wins: u64,
    /// States with D⁺ ≤ 0 that Black does not win.
    pub black_holds: u64,
    /// States with D⁻ ≥ 0 that White does not win.
    pub white_holds: u64,
    /// Of those held by either side, the states where it took a closed set.
    pub closed_sets: u64,
}

impl Bounded {
    /// Bounds the values of a universe, whose graph tells all states of children apart. Runs on the current
    /// rayon pool; the result is the same for any number of threads.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn of(moves: &MoveGraph, observer: &dyn Observer) -> Result<Bounded, Interrupted> {
        let players = players(moves);
        let bounds = Bounds::of(&moves.graph, &players, observer)?;
        let (vertices, states) = (moves.vertices(), moves.states);
        let dominance = Dominance::of(&moves.graph, &players, &bounds, vertices, states, observer)?;
        Ok(Bounded {
            states,
            en_passant_states: moves.en_passant_states,
            edges: moves.edges,
            players,
            bounds,
            dominance,
        })
    }

    /// How many states and en-passant states there are.
    pub const fn vertices(&self) -> usize {
        self.states + self.en_passant_states
    }

    /// Moves of all vertices, each of which is looked at once for its deletion.
    pub const fn moves(&self) -> u64 {
        self.dominance.dominators.len() as u64
    }

    /// How often a checker looks at a successor: each move in the four steps of the format page that are about moves (6, 7,
    /// 8 and 10).
    pub const fn verify_lookups(&self) -> u64 {
        4 * self.moves()
    }

    /// The bounds of a vertex in the end.
    pub fn interval(&self, vertex: usize) -> Interval {
        let bounds = &self.bounds;
        bounds.interval(StateIndex::new(vertex), bounds.rounds)
    }

    /// How many states have a value that is known; en-passant states are left out.
    pub fn decided(&self) -> u64 {
        let points = (0..self.states).filter(|&state| self.interval(state).is_point());
        points.count() as u64
    }

    /// How many states each kind of fact bounds; en-passant states are left out.
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        let bounds = &self.bounds;
        for state in 0..self.states {
            let white_wins = bounds.max_wins[state] != NEVER;
            let black_wins = bounds.min_wins[state] != NEVER;
            let white_holds = !white_wins && bounds.max_holds[state] != NEVER;
            let black_holds = !black_wins && bounds.min_holds[state] != NEVER;
            facts.white_wins += u64::from(white_wins);
            facts.black_wins += u64::from(black_wins);
            facts.white_holds += u64::from(white_holds);
            facts.black_holds += u64::from(black_holds);
            let is_closed = |holds: bool, round| holds && round == bounds.rounds;
            facts.closed_sets += u64::from(
                is_closed(white_holds, bounds.max_holds[state])
                    || is_closed(black_holds, bounds.min_holds[state]),
            );
        }
        facts
    }
}

/// Who is to move in each state of a graph.
pub(super) fn players(moves: &MoveGraph) -> Vec<Player> {
    let states = moves.graph.states();
    states
        .map(|state| player(moves.label(state).turn()))
        .collect()
}

/// The side of a colour.
pub(super) const fn player(color: Color) -> Player {
    match color {
        Color::White => Player::Max,
        Color::Black => Player::Min,
    }
}
