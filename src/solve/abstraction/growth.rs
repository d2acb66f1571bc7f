//! Growing a tree until every block is decided.
//!
//! Blocks from all of whose vertices the same outcome can be forced are decided, and what can be forced is brought up
//! to date, until nothing changes: only then is a block split (*patience*). What is split off is the largest part of any
//! block that one question makes pure; if there is none, the question with the most information about what is ready is asked of
//! the block with the most ready vertices. The rest of a block is often decided later by itself.
//!
//! A block without a vertex from which somebody can force a win is never split: it may be a draw as a whole. If there are only
//! such blocks left, they are: nobody can force a win any more, so both sides hold.

use super::arena::Arena;
use super::knowledge::{Knowledge, Outcome};
use super::rows::Rows;
use super::tree::{Counterexample, DecisionTree, NodeIndex, Question};
use crate::game::{Draws, Interrupted, Interval, Observer, StateIndex};

/// What was done to find an abstraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Questions asked, those of trees that were given up included; each has a counterexample of its own.
    pub splits: u64,
    /// Features of vertices looked at to find them.
    pub comparisons: u64,
    /// How often a predecessor was looked at to decide blocks.
    pub lookups: u64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.splits += other.splits;
        self.comparisons += other.comparisons;
        self.lookups += other.lookups;
    }
}

/// How to choose what to ask.
pub(super) struct Taste<'a> {
    /// Where chance comes from; without it the choice is the best by size alone.
    pub(super) draws: Option<&'a mut Draws>,
    /// How many leaves there may be where the tree may grow.
    pub(super) most_leaves: usize,
    /// How deep a leaf may be.
    pub(super) most_depth: u32,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Every block is decided.
    Decided,
    /// No feature separates what is ready from what is not, in some block.
    Inseparable,
    /// There are as many leaves as there may be.
    Full,
    /// Somebody said that it is enough.
    Stopped,
}

/// A tree in growth.
pub(super) struct Growth<'a> {
    arena: &'a Arena<'a>,
    rows: &'a Rows,
    /// What can be forced while nothing is decided.
    fresh: &'a Knowledge,
    knowledge: Knowledge,
    pub(super) tree: DecisionTree,
    /// The leaf of each vertex.
    pub(super) leaf_of: Vec<NodeIndex>,
    /// By node; nothing of it is so for inner nodes.
    leaves: Vec<Leaf>,
    /// Blocks that are decided next.
    due: Vec<(NodeIndex, Outcome)>,
    pub(super) work: Work,
}

#[derive(Clone, Copy, Default)]
struct Leaf {
    size: u32,
    depth: u32,
    /// For each outcome how many vertices are not ready for it.
    missing: [u32; 3],
    outcome: Option<Outcome>,
    /// Whether what is ready has changed since the best question was looked for.
    is_stale: bool,
    is_inseparable: bool,
}

impl Leaf {
    fn is_open(&self) -> bool {
        self.size > 0 && self.outcome.is_none()
    }

    fn ready(&self, outcome: Outcome) -> u32 {
        self.size - self.missing[outcome as usize]
    }

    /// How many vertices somebody can force a win from, for the side for which they are more.
    fn most_wins(&self) -> u32 {
        let wins = Outcome::WINS.into_iter();
        wins.map(|outcome| self.ready(outcome)).max().unwrap_or(0)
    }
}

/// A leaf that may be split, with its vertices and the best question.
struct Plot {
    leaf: NodeIndex,
    members: Vec<StateIndex>,
    best: Option<Cut>,
}

/// A question, and what it is worth.
#[derive(Clone, Copy)]
struct Cut {
    worth: f64,
    question: Question,
    /// For which outcome one side of the question is pure, `None` if neither is.
    outcome: Option<Outcome>,
}

impl<'a> Growth<'a> {
    /// A tree with one leaf.
    pub(super) fn new(arena: &'a Arena<'a>, rows: &'a Rows, fresh: &'a Knowledge) -> Growth<'a> {
        Growth {
            arena,
            rows,
            fresh,
            knowledge: fresh.clone(),
            tree: DecisionTree::default(),
            leaf_of: vec![DecisionTree::ROOT; arena.vertices],
            leaves: Vec::new(),
            due: Vec::new(),
            work: Work::default(),
        }
    }

    /// Forgets everything, and begins with another tree; `leaf_of` says where each vertex is in it.
    pub(super) fn begin(&mut self, tree: &DecisionTree, leaf_of: &[NodeIndex]) {
        self.knowledge.copy_from(self.fresh);
        self.tree.clone_from(tree);
        self.leaf_of.copy_from_slice(leaf_of);
        self.leaves.clear();
        self.leaves.resize(tree.len(), Leaf::default());
        for (node, depth) in tree.preorder(DecisionTree::ROOT) {
            self.leaves[node as usize].depth = depth;
        }
        for vertex in self.arena.each_vertex() {
            let leaf = &mut self.leaves[self.leaf_of[vertex.get()] as usize];
            leaf.size += 1;
            for outcome in Outcome::ALL {
                let is_ready = self.knowledge.is_ready(vertex, outcome);
                leaf.missing[outcome as usize] += u32::from(!is_ready);
            }
        }
        self.due.clear();
        for leaf in 0..self.leaves.len() {
            self.leaves[leaf].is_stale = true;
            self.note(leaf as NodeIndex);
        }
    }

    /// Notes that a leaf is due if it is.
    fn note(&mut self, leaf: NodeIndex) {
        let content = self.leaves[leaf as usize];
        let is_due = |outcome: &Outcome| content.missing[*outcome as usize] == 0;
        if content.is_open()
            && let Some(outcome) = Outcome::ALL.into_iter().find(is_due)
        {
            self.due.push((leaf, outcome));
        }
    }

    /// Decides what can be decided and splits the leaves below a node until every block of the whole tree is decided.
    /// Calls `each_round` whenever all is decided that can be; it says whether to go on.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub(super) fn grow(
        &mut self,
        below: NodeIndex,
        taste: &mut Taste,
        observer: &dyn Observer,
        each_round: &mut dyn FnMut(&Growth) -> bool,
    ) -> Result<End, Interrupted> {
        let mut places = vec![usize::MAX; self.tree.len()];
        let mut plots: Vec<Plot> = Vec::new();
        for leaf in self.tree.leaves(below) {
            places[leaf as usize] = plots.len();
            plots.push(Plot {
                leaf,
                members: Vec::new(),
                best: None,
            });
        }
        for vertex in self.arena.each_vertex() {
            if let Some(plot) = plots.get_mut(places[self.leaf_of[vertex.get()] as usize]) {
                plot.members.push(vertex);
            }
        }
        let elsewhere = Members::of(&self.leaf_of, self.leaves.len());
        loop {
            while let Some((leaf, outcome)) = self.due.pop() {
                match plots.get(places[leaf as usize]) {
                    Some(plot) => self.decide(leaf, outcome, &plot.members),
                    None => self.decide(leaf, outcome, elsewhere.of_leaf(leaf)),
                }
            }
            if !each_round(self) {
                return Ok(End::Stopped);
            }
            observer.checkpoint(0)?;
            let is_won = |leaf: &Leaf| leaf.is_open() && leaf.most_wins() > 0;
            if !self.leaves.iter().any(is_won) {
                if self.close() {
                    each_round(self);
                }
                return Ok(End::Decided);
            }
            if plots.len() >= taste.most_leaves {
                return Ok(End::Full);
            }
            let Some((place, question, why)) = self.choose(&mut plots, taste) else {
                return Ok(End::Inseparable);
            };
            self.split(&mut plots, &mut places, place, question, why);
        }
    }

    /// Decides the leaves that are open when nobody can force a win any more, and says whether there are any.
    fn close(&mut self) -> bool {
        let open = self.leaves.iter_mut().filter(|leaf| leaf.is_open());
        let closed = open.map(|leaf| leaf.outcome = Some(Outcome::Drawn));
        closed.count() > 0
    }

    /// Decides a leaf.
    fn decide(&mut self, leaf: NodeIndex, outcome: Outcome, members: &[StateIndex]) {
        if !self.leaves[leaf as usize].is_open() {
            return;
        }
        self.leaves[leaf as usize].outcome = Some(outcome);
        let before = self.knowledge.lookups();
        let (leaves, leaf_of, due) = (&mut self.leaves, &self.leaf_of, &mut self.due);
        for &vertex in members {
            let mut newly = |state: StateIndex, outcome: Outcome| {
                let number = leaf_of[state.get()];
                let leaf = &mut leaves[number as usize];
                let missing = &mut leaf.missing[outcome as usize];
                *missing -= 1;
                let is_due = *missing == 0;
                leaf.is_stale = true;
                if is_due && leaf.outcome.is_none() {
                    due.push((number, outcome));
                }
            };
            self.knowledge
                .learn(self.arena, vertex, outcome, &mut newly);
        }
        self.work.lookups += self.knowledge.lookups() - before;
    }

    /// The plot to split next, the question, and why.
    fn choose(
        &mut self,
        plots: &mut [Plot],
        taste: &mut Taste,
    ) -> Option<(usize, Question, Counterexample)> {
        let mut best: Option<(f64, usize)> = None;
        for (place, plot) in plots.iter_mut().enumerate() {
            let leaf = self.leaves[plot.leaf as usize];
            if !leaf.is_open() || leaf.most_wins() == 0 || leaf.depth >= taste.most_depth {
                continue;
            }
            if leaf.is_stale || plot.best.is_none() {
                self.leaves[plot.leaf as usize].is_stale = false;
                plot.best = self.best_cut(&plot.members, leaf, taste);
            }
            if let Some(cut) = plot.best
                && best.is_none_or(|(worth, _)| cut.worth > worth)
            {
                best = Some((cut.worth, place));
            }
        }
        let place = match best {
            Some((_, place)) => place,
            None => {
                // Nothing is pure: the block with the most ready vertices that a question separates.
                let mut places: Vec<(u32, usize)> = plots
                    .iter()
                    .enumerate()
                    .map(|(place, plot)| (self.leaves[plot.leaf as usize], place))
                    .filter(|(leaf, _)| {
                        let is_open = leaf.is_open() && !leaf.is_inseparable;
                        is_open && leaf.depth < taste.most_depth
                    })
                    .map(|(leaf, place)| (leaf.most_wins(), place))
                    .filter(|&(wins, _)| wins > 0)
                    .collect();
                places.sort_by_key(|&(wins, place)| (std::cmp::Reverse(wins), place));
                places.into_iter().map(|(_, place)| place).find(|&place| {
                    plots[place].best = self.most_informative(&plots[place].members);
                    let is_separable = plots[place].best.is_some();
                    self.leaves[plots[place].leaf as usize].is_inseparable = !is_separable;
                    is_separable
                })?
            }
        };
        let cut = plots[place].best.take()?;
        let why = self.counterexample(&plots[place].members, cut)?;
        Some((place, cut.question, why))
    }

    /// The best question for a block with ready vertices.
    fn best_cut(&mut self, members: &[StateIndex], leaf: Leaf, taste: &mut Taste) -> Option<Cut> {
        /// The share of blocks of which the most informative question is asked at once, where chance has a say.
        const INFORMED: (u32, u32) = (1, 5);
        /// How much information weighs beside a pure part.
        const WEIGHT: f64 = 1.5;
        let mut best = None;
        let is_informed = |draws: &mut &mut Draws| draws.below(INFORMED.1) < INFORMED.0;
        if taste.draws.as_mut().is_some_and(is_informed) {
            best = self.most_informative(members);
            if let Some(cut) = &mut best {
                cut.worth *= WEIGHT;
            }
        } else {
            for outcome in Outcome::ALL
                .into_iter()
                .filter(|&each| leaf.ready(each) > 0)
            {
                let cut = self.largest_pure_part(members, outcome);
                if let Some(cut) = cut
                    && best.is_none_or(|best: Cut| cut.worth > best.worth)
                {
                    best = Some(cut);
                }
            }
        }
        if let (Some(cut), Some(draws)) = (&mut best, &mut taste.draws) {
            // A factor between e^−½ and e^½.
            let chance = f64::from(draws.below(1 << 20)) / f64::from(1 << 20);
            cut.worth *= (chance - 0.5).exp();
        }
        best
    }

    /// The question that splits off the most vertices, all of them ready for an outcome.
    fn largest_pure_part(&mut self, members: &[StateIndex], outcome: Outcome) -> Option<Cut> {
        let width = self.rows.width();
        // Between which values of each feature the others lie.
        let (mut low, mut high) = (vec![u8::MAX; width], vec![0; width]);
        let is_ready = |vertex: &&StateIndex| self.knowledge.is_ready(**vertex, outcome);
        for &vertex in members.iter().filter(|vertex| !is_ready(vertex)) {
            let row = self.rows.of(vertex);
            for ((low, high), &value) in low.iter_mut().zip(&mut high).zip(row) {
                *low = (*low).min(value);
                *high = (*high).max(value);
            }
        }
        let (mut below, mut above) = (vec![0_u32; width], vec![0_u32; width]);
        for &vertex in members.iter().filter(is_ready) {
            let row = self.rows.of(vertex);
            for place in 0..width {
                below[place] += u32::from(row[place] < low[place]);
                above[place] += u32::from(row[place] > high[place]);
            }
        }
        self.work.comparisons += members.len() as u64 * width as u64;
        let mut best: Option<(u32, Question)> = None;
        for place in 0..width {
            let feature = place as u16;
            let cuts = [
                (below[place], low[place].wrapping_sub(1)),
                (above[place], high[place]),
            ];
            for (size, most) in cuts {
                if size > 0 && best.is_none_or(|(largest, _)| size > largest) {
                    best = Some((size, Question { feature, most }));
                }
            }
        }
        best.map(|(size, question)| Cut {
            worth: size.into(),
            question,
            outcome: Some(outcome),
        })
    }

    /// The question that tells most about what is ready for a win of either side, ready to be held, or neither.
    fn most_informative(&mut self, members: &[StateIndex]) -> Option<Cut> {
        let width = self.rows.width();
        let mut counts = vec![[0_u32; 4]; width * 256];
        let mut total = [0_u32; 4];
        for &vertex in members {
            let class = self.class(vertex);
            total[class] += 1;
            for (place, &value) in self.rows.of(vertex).iter().enumerate() {
                counts[place * 256 + usize::from(value)][class] += 1;
            }
        }
        self.work.comparisons += members.len() as u64 * width as u64;
        let all = disorder(total);
        let mut best: Option<Cut> = None;
        for place in 0..width {
            let mut below = [0; 4];
            for value in 0..=255_u8 {
                let here = counts[place * 256 + usize::from(value)];
                if here == [0; 4] {
                    continue;
                }
                for (below, here) in below.iter_mut().zip(here) {
                    *below += here;
                }
                let above = std::array::from_fn(|class| total[class] - below[class]);
                if above == [0; 4] {
                    break;
                }
                let worth = all - disorder(below) - disorder(above);
                if best.is_none_or(|best| worth > best.worth + 1e-9) {
                    best = Some(Cut {
                        worth: worth.max(1e-9),
                        question: Question {
                            feature: place as u16,
                            most: value,
                        },
                        outcome: None,
                    });
                }
            }
        }
        best
    }

    fn class(&self, vertex: StateIndex) -> usize {
        let is_ready = |&outcome: &Outcome| self.knowledge.is_ready(vertex, outcome);
        Outcome::ALL.iter().position(is_ready).unwrap_or(3)
    }

    /// Two vertices that behave differently and that the question separates.
    fn counterexample(&self, members: &[StateIndex], cut: Cut) -> Option<Counterexample> {
        // The first vertex of each behaviour, for either answer. What can be forced from 0 cannot be forced from 1 …
        let mut firsts = [[None; 4]; 2];
        for &vertex in members {
            let behaviour = match cut.outcome {
                Some(outcome) => usize::from(!self.knowledge.is_ready(vertex, outcome)),
                None => self.class(vertex),
            };
            let answer = usize::from(cut.question.is_so(self.rows.of(vertex)));
            firsts[answer][behaviour].get_or_insert(vertex);
        }
        let pairs = (0..4).flat_map(|good| (good + 1..4).map(move |other| (good, other)));
        let mut pairs = pairs.flat_map(|(good, other)| {
            let separated = [[0, 1], [1, 0]].into_iter();
            separated.filter_map(move |[a, b]| Some([firsts[a][good]?, firsts[b][other]?]))
        });
        pairs.next()
    }

    fn split(
        &mut self,
        plots: &mut Vec<Plot>,
        places: &mut Vec<usize>,
        place: usize,
        question: Question,
        why: Counterexample,
    ) {
        self.work.splits += 1;
        let leaf = plots[place].leaf;
        let members = std::mem::take(&mut plots[place].members);
        let rows = self.rows;
        let parts: (Vec<StateIndex>, Vec<StateIndex>) = members
            .into_iter()
            .partition(|&vertex| question.is_so(rows.of(vertex)));
        let [yes, no] = self.tree.split(leaf, question, Some(why));
        let depth = self.leaves[leaf as usize].depth + 1;
        self.leaves[leaf as usize] = Leaf::default();
        places[leaf as usize] = usize::MAX;
        for (part, members) in [(yes, parts.0), (no, parts.1)] {
            let mut content = Leaf {
                size: members.len() as u32,
                depth,
                is_stale: true,
                ..Leaf::default()
            };
            for &vertex in &members {
                self.leaf_of[vertex.get()] = part;
                for outcome in Outcome::ALL {
                    let is_ready = self.knowledge.is_ready(vertex, outcome);
                    content.missing[outcome as usize] += u32::from(!is_ready);
                }
            }
            self.leaves.push(content);
            self.note(part);
            let plot = Plot {
                leaf: part,
                members,
                best: None,
            };
            if part == yes {
                places.push(place);
                plots[place] = plot;
            } else {
                places.push(plots.len());
                plots.push(plot);
            }
        }
    }

    /// The features of a vertex.
    pub(super) fn row(&self, vertex: usize) -> &'a [u8] {
        self.rows.of(StateIndex::new(vertex))
    }

    /// What is known of a block that is open.
    pub(super) fn unknown(&self) -> Interval {
        self.knowledge.unknown()
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.leaves.iter().filter(|leaf| leaf.size > 0).count()
    }

    /// How many vertices there are in blocks that are decided.
    pub(super) fn decided(&self) -> usize {
        let decided = self.leaves.iter().filter(|leaf| leaf.outcome.is_some());
        decided.map(|leaf| leaf.size as usize).sum()
    }

    /// The outcome of the block of a vertex.
    pub(super) fn outcome(&self, vertex: StateIndex) -> Option<Outcome> {
        self.leaves[self.leaf_of[vertex.get()] as usize].outcome
    }

    /// The tree without what nothing leads to, and where each vertex is in it.
    pub(super) fn tidied(&self) -> (DecisionTree, Vec<NodeIndex>) {
        let is_reached = |leaf: NodeIndex| self.leaves[leaf as usize].size > 0;
        let (tree, became) = self.tree.tidied(is_reached);
        let leaf_of = self.leaf_of.iter().map(|&leaf| became[leaf as usize]);
        let leaf_of = leaf_of.collect();
        (tree, leaf_of)
    }
}

/// What a sum of counts lacks in order: its size times its entropy.
fn disorder(counts: [u32; 4]) -> f64 {
    let part = |count: u32| match count {
        0 => 0.0,
        count => f64::from(count) * f64::from(count).ln(),
    };
    part(counts.iter().sum()) - counts.into_iter().map(part).sum::<f64>()
}

/// The vertices of each leaf.
struct Members {
    starts: Vec<u32>,
    vertices: Vec<StateIndex>,
}

impl Members {
    fn of(leaf_of: &[NodeIndex], nodes: usize) -> Members {
        let mut starts = vec![0_u32; nodes + 1];
        for &leaf in leaf_of {
            starts[leaf as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut free = starts.clone();
        let mut vertices = vec![StateIndex::new(0); leaf_of.len()];
        for (vertex, &leaf) in leaf_of.iter().enumerate() {
            let place = &mut free[leaf as usize];
            vertices[*place as usize] = StateIndex::new(vertex);
            *place += 1;
        }
        Members { starts, vertices }
    }

    fn of_leaf(&self, leaf: NodeIndex) -> &[StateIndex] {
        let [from, to] = [leaf, leaf + 1].map(|node| self.starts[node as usize] as usize);
        &self.vertices[from..to]
    }
}
