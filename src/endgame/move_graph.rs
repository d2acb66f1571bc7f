//! The moves of a universe as a compact game, built from the index without looking at positions.
//!
//! The states come first, in canonical order, then the en-passant states, in theirs. Behind them stands
//! one end for each side to move and byte: the states of children are told apart by these alone. (The
//! side is the one in the game at hand, also where the child is looked up with colours exchanged.)

use std::collections::HashMap;

use rayon::prelude::*;
use shakmaty::{Bitboard, Color, Square};

use super::conversion::{Conversions, Landing, side};
use super::group::Group;
use super::index::Index;
use super::men::{Men, is_double_step, middle};
use super::value_byte::value_of;
use super::{Library, Material, State, en_passant};
use crate::game::{
    Graph, GraphBuilder, Interrupted, Observer, Plies, StateIndex, Successor, Value,
};

/// The moves of a universe, with child states told apart by side to move, result and distance.
#[derive(Clone, Debug)]
pub struct MoveGraph {
    /// The states, the en-passant states, then ends for the states of children.
    pub graph: Graph,
    /// For each state of the graph what can be told without looking at moves: the side to move, and
    /// whether it is an ordinary state, checkmate, stalemate, or a child's with a value.
    pub labels: Vec<u32>,
    /// Canonical states.
    pub states: usize,
    /// Canonical en-passant states.
    pub en_passant_states: usize,
    /// Distinct pairs of a state and a successor, the sink included; en-passant states left out.
    pub edges: u64,
}

/// The number of a state from its entry and side to move.
struct Numbering<'a> {
    index: &'a Index,
    /// How many states stand before those of a group.
    bases: Vec<u32>,
    /// The canonical states of each group, with White and with Black to move.
    states: [Vec<Bitboard>; 2],
    /// The numbers of the en-passant states.
    en_passant: HashMap<(usize, bool, Square), u32>,
}

/// What one state contributes.
#[derive(Default)]
struct Rows {
    /// For each state how many successors it has, and whether its king is attacked.
    lengths: Vec<(u32, bool)>,
    successors: Vec<Successor>,
    edges: u64,
}

const SIDES: [Color; 2] = [Color::White, Color::Black];

/// The labels of states with a side to move: ordinary, checkmate, stalemate; then those of children.
const LABELS: u32 = 3;

/// What is told of the states of children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildStates {
    /// The side to move, result and distance alone: moves into two states that have the same are one edge.
    Merged,
    /// Each is a state of its own for the moves of one state: two moves into different states are two edges.
    Apart,
}

impl ChildStates {
    /// How many ends there are for one side to move and byte: as many as one state can have moves into. (Three men take
    /// at most two men each, and three pawns become one of four men on at most three squares each.)
    const fn copies(self) -> usize {
        match self {
            ChildStates::Merged => 1,
            ChildStates::Apart => 64,
        }
    }
}

/// What can be told of a state of a [`MoveGraph`] without looking at its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// There is a legal move.
    Ordinary(Color),
    /// The side to move is checkmated.
    Checkmate(Color),
    /// The side to move is stalemated.
    Stalemate(Color),
    /// A state of a child, with the byte of its table.
    Child(Color, u8),
}

impl MoveGraph {
    /// The moves of a class, whose children are in the library; the class itself need not be, and its values are
    /// not looked at. Runs on the current rayon pool.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    ///
    /// # Panics
    ///
    /// If a child is missing, or beyond 2³² edges.
    pub fn of(
        material: &Material,
        library: &Library,
        children: ChildStates,
        observer: &dyn Observer,
    ) -> Result<MoveGraph, Interrupted> {
        const GROUPS: usize = 1 << 6;
        const BATCH: usize = 1 << 12;
        let index = Index::new(material);
        let conversions = library.conversions(material);
        let numbering = Numbering::of(&index);
        let states = numbering.len();
        let en_passant_states = numbering.en_passant.len();
        let leaves = states + en_passant_states;
        let groups = index.len() / 64;
        observer.begin("building the graph", groups as u64);
        let builder = Rower {
            numbering: &numbering,
            conversions: &conversions,
            leaves,
            copies: children.copies(),
        };
        let mut graph = GraphBuilder::new();
        let mut labels = Vec::with_capacity(leaves + 512 * children.copies());
        let mut edges = 0;
        let mut sides = numbering.sides();
        let mut en_passant_rows = Vec::new();
        // Batch by batch, so that no successor is held twice for long.
        for batch in (0..groups).step_by(BATCH) {
            let batch_end = (batch + BATCH).min(groups);
            let parts: Vec<(Rows, Rows)> = (batch..batch_end)
                .into_par_iter()
                .step_by(GROUPS)
                .map(|first| {
                    observer.checkpoint(GROUPS as u64)?;
                    let mut rows = (Rows::default(), Rows::default());
                    for group in first..(first + GROUPS).min(batch_end) {
                        builder.add_group(group, &mut rows);
                    }
                    Ok(rows)
                })
                .collect::<Result<_, Interrupted>>()?;
            for (rows, of_en_passant) in parts {
                edges += rows.edges;
                rows.add_to(&mut graph, &mut labels, &mut sides);
                en_passant_rows.push(of_en_passant);
            }
        }
        let mut sides = numbering.en_passant_sides().into_iter();
        for rows in en_passant_rows {
            rows.add_to(&mut graph, &mut labels, &mut sides);
        }
        for turn in SIDES {
            for byte in 0..=255 {
                for _ in 0..children.copies() {
                    graph.push_end(value_of(byte));
                    labels.push(2 * LABELS + side(turn) as u32 * 256 + u32::from(byte));
                }
            }
        }
        Ok(MoveGraph {
            graph: graph.finish(),
            labels,
            states,
            en_passant_states,
            edges,
        })
    }

    /// How many states the graph has without those of children.
    pub const fn vertices(&self) -> usize {
        self.states + self.en_passant_states
    }

    /// What can be told of a state without looking at its moves.
    pub fn label(&self, state: StateIndex) -> Label {
        let label = self.labels[state.get()];
        let color = |is_black: u32| Color::from_white(is_black == 0);
        match label.checked_sub(2 * LABELS) {
            Some(child) => Label::Child(color(child / 256), (child % 256) as u8),
            None => {
                let turn = color(label / LABELS);
                match label % LABELS {
                    0 => Label::Ordinary(turn),
                    1 => Label::Checkmate(turn),
                    _ => Label::Stalemate(turn),
                }
            }
        }
    }
}

impl Label {
    /// The side to move.
    pub const fn turn(self) -> Color {
        match self {
            Label::Ordinary(turn)
            | Label::Checkmate(turn)
            | Label::Stalemate(turn)
            | Label::Child(turn, _) => turn,
        }
    }
}

/// The numbers of the states and en-passant states of a class in its [`MoveGraph`].
pub struct StateNumbers<'a>(Numbering<'a>);

impl<'a> StateNumbers<'a> {
    /// The numbers of a solved class; `None` if it is not in the library.
    pub fn of(material: &Material, library: &'a Library) -> Option<StateNumbers<'a>> {
        library
            .class(material)
            .map(|class| StateNumbers(Numbering::of(&class.index)))
    }

    /// The number of the canonical image of a legal state; `None` if there is no such en-passant
    /// state.
    pub fn number(&self, state: &State) -> Option<StateIndex> {
        let index = self.0.index;
        let (squares, is_black, passed) = state.order();
        let entry = index.entry(&squares);
        let number = match passed {
            None => self.0.number(entry, Color::from_white(!is_black)),
            Some(passed) => {
                let passed = index.symmetry_to_home(squares[0]).apply(passed);
                *self.0.en_passant.get(&(entry, !is_black, passed))?
            }
        };
        Some(StateIndex::new(number as usize))
    }
}

impl<'a> Numbering<'a> {
    fn of(index: &'a Index) -> Numbering<'a> {
        let groups = index.len() / 64;
        let mut numbering = Numbering {
            index,
            bases: Vec::with_capacity(groups + 1),
            states: [Vec::with_capacity(groups), Vec::with_capacity(groups)],
            en_passant: HashMap::new(),
        };
        let mut before = 0;
        for number in 0..groups {
            let group = Group::new(index, number);
            let canonical = group.canonical();
            numbering.bases.push(before);
            for (states, all) in numbering.states.iter_mut().zip(group.states()) {
                states.push(all & canonical);
                before += (all & canonical).count() as u32;
            }
        }
        numbering.bases.push(before);
        if index.material().has_en_passant() {
            numbering.number_en_passant(before);
        }
        numbering
    }

    fn number_en_passant(&mut self, first: u32) {
        let mut next = first;
        for group in 0..self.bases.len() - 1 {
            for (square, turn) in self.states_of(group) {
                let entry = group * 64 + square.to_usize();
                let men = Men::new(self.index, self.index.squares(entry));
                for passed in en_passant::passed_squares(&men, turn) {
                    if en_passant::is_capturable(&men, turn, passed) {
                        let key = (entry, turn.is_white(), passed);
                        self.en_passant.insert(key, next);
                        next += 1;
                    }
                }
            }
        }
    }

    /// How many states there are, en-passant states left out.
    fn len(&self) -> usize {
        self.bases.last().copied().unwrap_or(0) as usize
    }

    /// The canonical states of a group, in order.
    fn states_of(&self, group: usize) -> Vec<(Square, Color)> {
        let sets = [self.states[0][group], self.states[1][group]];
        let squares = (sets[0] | sets[1]).into_iter();
        squares
            .flat_map(|square| SIDES.map(|turn| (square, turn)))
            .filter(|&(square, turn)| sets[side(turn)].contains(square))
            .collect()
    }

    /// The sides to move of all states, in order.
    fn sides(&self) -> impl Iterator<Item = Color> + '_ {
        let groups = 0..self.bases.len() - 1;
        groups.flat_map(|group| self.states_of(group).into_iter().map(|(_, turn)| turn))
    }

    /// The sides to move of all en-passant states, in order.
    fn en_passant_sides(&self) -> Vec<Color> {
        let mut found: Vec<(u32, Color)> = self
            .en_passant
            .iter()
            .map(|(&(_, is_white, _), &number)| (number, Color::from_white(is_white)))
            .collect();
        found.sort_unstable_by_key(|&(number, _)| number);
        found.into_iter().map(|(_, turn)| turn).collect()
    }

    /// The number of a state, given any of its entries.
    fn number(&self, entry: usize, turn: Color) -> u32 {
        let entry = self.index.canonical_entry(entry);
        let (group, square) = (entry / 64, Square::new((entry % 64) as u32));
        let before = Bitboard((1 << square.to_u32()) - 1);
        let [white, black] = [self.states[0][group], self.states[1][group]];
        let placements_before = (white & before).count() + (black & before).count();
        let own_before = usize::from(turn.is_black() && white.contains(square));
        self.bases[group] + (placements_before + own_before) as u32
    }
}

/// Lists the successors of states.
struct Rower<'a> {
    numbering: &'a Numbering<'a>,
    conversions: &'a Conversions<'a>,
    /// The number of the first end for states of children.
    leaves: usize,
    /// How many of these ends there are for one side to move and byte.
    copies: usize,
}

impl Rower<'_> {
    /// Adds the states of a group, and their en-passant states.
    fn add_group(&self, group: usize, (rows, en_passant_rows): &mut (Rows, Rows)) {
        let index = self.numbering.index;
        let mut landings = Vec::new();
        for (square, turn) in self.numbering.states_of(group) {
            let entry = group * 64 + square.to_usize();
            let men = Men::new(index, index.squares(entry));
            let mut successors = Vec::new();
            let is_check = self.collect(&men, turn, &mut successors, &mut landings);
            let quiet = distinct(&mut successors);
            rows.edges += (quiet + distinct(&mut landings)) as u64;
            if self.numbering.en_passant.is_empty() {
                rows.push(
                    successors,
                    &landings,
                    self.leaves_after(turn),
                    self.copies,
                    self.conversions,
                    is_check,
                );
                continue;
            }
            for passed in en_passant::passed_squares(&men, turn) {
                let key = (entry, turn.is_white(), passed);
                if self.numbering.en_passant.contains_key(&key) {
                    let mut landings = landings.clone();
                    en_passant::captures(&men, turn, passed, self.conversions, |landing| {
                        landings.push(self.conversions.canonical(landing));
                    });
                    en_passant_rows.push(
                        successors.clone(),
                        &landings,
                        self.leaves_after(turn),
                        self.copies,
                        self.conversions,
                        is_check,
                    );
                }
            }
            rows.push(
                successors,
                &landings,
                self.leaves_after(turn),
                self.copies,
                self.conversions,
                is_check,
            );
        }
    }

    /// The first end for states of children after a move of this side.
    fn leaves_after(&self, turn: Color) -> usize {
        self.leaves + side(!turn) * 256 * self.copies
    }

    /// Collects the quiet successors and the canonical landings of a state, and says whether its king
    /// is attacked.
    fn collect(
        &self,
        men: &Men,
        turn: Color,
        successors: &mut Vec<Successor>,
        landings: &mut Vec<Landing>,
    ) -> bool {
        let index = self.numbering.index;
        let targets = men.targets(turn);
        landings.clear();
        self.conversions.each(men, &targets.sets, turn, |landing| {
            landings.push(self.conversions.canonical(landing));
        });
        for man in men.side(turn) {
            for to in targets.sets[man] & !men.converting(man) {
                let mut squares = men.squares;
                let from = squares[man];
                squares[man] = to;
                let number = self
                    .en_passant_number(men, turn, man, from, to)
                    .unwrap_or_else(|| self.numbering.number(index.entry(&squares), !turn));
                successors.push(StateIndex::new(number as usize).into());
            }
        }
        targets.is_check
    }

    /// The number of the en-passant state that a double step leads to, if it does.
    fn en_passant_number(
        &self,
        men: &Men,
        turn: Color,
        man: usize,
        from: Square,
        to: Square,
    ) -> Option<u32> {
        if self.numbering.en_passant.is_empty()
            || men.piece(man).role != shakmaty::Role::Pawn
            || !is_double_step(from, to)
        {
            return None;
        }
        let mut squares = men.squares;
        squares[man] = to;
        let passed = middle(from, to);
        if !en_passant::is_capturable(&men.with_squares(squares), !turn, passed) {
            return None;
        }
        let index = self.numbering.index;
        let passed = index.symmetry_to_home(squares[0]).apply(passed);
        let key = (index.entry(&squares), turn.is_black(), passed);
        self.numbering.en_passant.get(&key).copied()
    }
}

/// Sorts a list, drops what is in it twice, and says how much is left.
fn distinct<T: Ord>(list: &mut Vec<T>) -> usize {
    list.sort_unstable();
    list.dedup();
    list.len()
}

impl Rows {
    fn push(
        &mut self,
        mut successors: Vec<Successor>,
        landings: &[Landing],
        leaves: usize,
        copies: usize,
        conversions: &Conversions,
        is_check: bool,
    ) {
        let mut bytes = Vec::new();
        for &landing in landings {
            match landing {
                Landing::Sink => successors.push(Successor::SINK),
                Landing::Child { .. } => bytes.push(usize::from(conversions.byte(landing))),
            }
        }
        bytes.sort_unstable();
        for like in bytes.chunk_by(|a, b| a == b) {
            let ends = like.iter().zip(0..copies);
            successors.extend(ends.map(|(byte, copy)| {
                Successor::from(StateIndex::new(leaves + byte * copies + copy))
            }));
        }
        distinct(&mut successors);
        self.lengths.push((successors.len() as u32, is_check));
        self.successors.extend(successors);
    }

    fn add_to(
        self,
        graph: &mut GraphBuilder,
        labels: &mut Vec<u32>,
        sides: &mut impl Iterator<Item = Color>,
    ) {
        let mut rest = self.successors.as_slice();
        for ((length, is_check), turn) in self.lengths.into_iter().zip(sides) {
            let (own, others) = rest.split_at(length as usize);
            rest = others;
            let kind = match (length, is_check) {
                (0, true) => {
                    graph.push_end(Value::Loss(Plies::ZERO));
                    1
                }
                (0, false) => {
                    graph.push_end(Value::Draw);
                    2
                }
                _ => {
                    graph.push(own);
                    0
                }
            };
            labels.push(side(turn) as u32 * LABELS + kind);
        }
    }
}
