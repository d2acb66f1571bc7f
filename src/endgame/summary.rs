//! The figures of a solved universe.

use std::collections::BTreeMap;

use serde::Serialize;
use shakmaty::Color;

use super::{Table, Transitions};
use crate::game::{Outcome, Plies, StateIndex, Terminal, Value};

/// How many canonical states are won, lost and drawn for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// States that the side to move wins.
    pub wins: u64,
    /// States that the side to move loses.
    pub losses: u64,
    /// Drawn states.
    pub draws: u64,
}

impl Results {
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Loss => self.losses += 1,
            Outcome::Draw => self.draws += 1,
        }
    }
}

/// How many canonical states have one side to move, one result and one distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HistogramRow {
    /// The side to move: `white` or `black`.
    pub side: &'static str,
    /// The result for the side to move: `win` or `loss`.
    pub result: &'static str,
    /// The distance to mate.
    pub plies: u16,
    /// Canonical states.
    pub states: u64,
}

/// What there is to count in a solved universe. Counts are of canonical states where nothing else
/// is said.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Legal states before symmetry.
    pub raw_states: u64,
    /// Canonical states.
    pub states: u64,
    /// Distinct pairs of a state and a successor, the sink included.
    pub edges: u64,
    /// Legal moves.
    pub legal_moves: u64,
    /// Successor sets of images compared with those of their state.
    pub symmetry_comparisons: u64,
    /// States that are checkmate.
    pub checkmates: u64,
    /// States that are stalemate.
    pub stalemates: u64,
    /// States with White to move.
    pub white: Results,
    /// States with Black to move.
    pub black: Results,
    /// The longest distance to mate; zero if every state is drawn.
    pub max_dtm: Plies,
    /// How many states have it; zero if every state is drawn.
    pub max_dtm_states: u64,
    /// The first state that has it; `None` if every state is drawn.
    pub longest: Option<StateIndex>,
    /// Classes of states with the same side, result and distance.
    pub dtm_classes: u64,
    /// The classes that are won or lost: White first, wins before losses, by distance.
    pub histogram: Vec<HistogramRow>,
}

impl Summary {
    /// Counts.
    pub fn of(table: &Table, transitions: &Transitions) -> Summary {
        let universe = table.universe();
        let mut results = [Results::default(); 2];
        let mut classes: BTreeMap<(bool, Class), u64> = BTreeMap::new();
        let mut longest: Option<(Plies, StateIndex)> = None;
        let mut terminals = [0_u64; 2];
        for index in universe.indices() {
            let value = table.values().of(index);
            let black_moves = universe.state(index).turn() == Color::Black;
            results[usize::from(black_moves)].add(value.outcome());
            *classes.entry((black_moves, Class::of(value))).or_default() += 1;
            if let Some(plies) = value.distance()
                && longest.is_none_or(|(most, _)| plies > most)
            {
                longest = Some((plies, index));
            }
            match transitions.graph.terminal(index) {
                Some(Terminal::Lost) => terminals[0] += 1,
                Some(Terminal::Drawn) => terminals[1] += 1,
                None => {}
            }
        }
        let max_dtm = longest.map_or(Plies::ZERO, |(plies, _)| plies);
        let has_longest = |value: Value| longest.is_some() && value.distance() == Some(max_dtm);
        Summary {
            raw_states: universe.raw_states() as u64,
            states: universe.len() as u64,
            edges: transitions.graph.edge_count() as u64,
            legal_moves: transitions.legal_moves as u64,
            symmetry_comparisons: transitions.symmetry_comparisons as u64,
            checkmates: terminals[0],
            stalemates: terminals[1],
            white: results[0],
            black: results[1],
            max_dtm,
            max_dtm_states: table
                .values()
                .iter()
                .filter(|&value| has_longest(value))
                .count() as u64,
            longest: longest.map(|(_, index)| index),
            dtm_classes: classes.len() as u64,
            histogram: classes.into_iter().filter_map(row).collect(),
        }
    }

    /// Results for the side to move, both sides together.
    pub fn results(&self) -> Results {
        Results {
            wins: self.white.wins + self.black.wins,
            losses: self.white.losses + self.black.losses,
            draws: self.white.draws + self.black.draws,
        }
    }

    /// Edges a state that has a legal move.
    pub fn branching(&self) -> f64 {
        self.edges as f64 / (self.states - self.checkmates - self.stalemates) as f64
    }

    /// States a class of [`Summary::dtm_classes`].
    pub fn class_compression(&self) -> f64 {
        self.states as f64 / self.dtm_classes as f64
    }
}

/// A result and distance, ordered as the histogram lists them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Win(Plies),
    Loss(Plies),
    Draw,
}

impl Class {
    const fn of(value: Value) -> Class {
        match value {
            Value::Win(plies) => Class::Win(plies),
            Value::Loss(plies) => Class::Loss(plies),
            Value::Draw => Class::Draw,
        }
    }
}

fn row(((black_moves, class), states): ((bool, Class), u64)) -> Option<HistogramRow> {
    let side = if black_moves { "black" } else { "white" };
    let (result, plies) = match class {
        Class::Win(plies) => ("win", plies.get()),
        Class::Loss(plies) => ("loss", plies.get()),
        Class::Draw => return None,
    };
    Some(HistogramRow {
        side,
        result,
        plies,
        states,
    })
}
