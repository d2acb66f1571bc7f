//! Abstraction: blocks of states that look alike, bounds for whole blocks, and splits where a counterexample asks for
//! them (C2 §9).
//!
//! A *signature* is a decision tree over small numbers that are read off a state, its features. The states at a
//! leaf are a block, and a block has one interval [D⁻, D⁺] and one rank for all of them. Bounds are *hyper-must* with a
//! horizon of K plies: what a side is said to have it can force from every state of the block, within K plies of concrete
//! play. With K = 1 that is the plain operator of C2.3 on every state, rounded to the block; with K unbounded it would be plain
//! solving.
//!
//! The values of the game are not known here and are looked up nowhere: everything comes from its ends.

mod arena;
mod block_bounds;
mod forcing;
mod growth;
mod knowledge;
mod measures;
mod rows;
mod search;
mod tree;

pub use arena::Arena;
pub use block_bounds::{Block, BlockBounds, NO_RANK, Rank};
pub use growth::Work;
pub use measures::Measures;
pub use rows::Rows;
pub use tree::{Counterexample, DecisionTree, FeatureIndex, Line, Question};

use crate::game::{Draws, Interrupted, Interval, Observer, StateIndex};
use growth::{End, Growth, Taste};
use knowledge::{Knowledge, Outcome};
use search::{Placed, trial};
use tree::NodeIndex;

/// How to look for an abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Plies of concrete play, at most 253.
    pub horizon: u8,
    /// How often to try and make the finished tree smaller.
    pub trials: u32,
    /// Where the trials get their chance from.
    pub seed: u64,
    /// The most blocks.
    pub most_blocks: usize,
    /// The most questions from the root to a leaf.
    pub most_depth: u32,
}

/// How the search for an abstraction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Every block is decided, and all trials were made.
    Complete,
    /// Every block is decided, but somebody said that it was enough before all trials were made.
    Cut,
    /// The state that was asked for is decided.
    RootDecided,
    /// No feature tells apart what behaves differently.
    Inseparable,
    /// There are as many blocks as there may be.
    TooManyBlocks,
    /// Somebody said that it was enough.
    Stopped,
}

/// Where the search was after a split or a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Blocks.
    pub blocks: usize,
    /// Vertices in blocks that are decided.
    pub decided: usize,
}

/// An abstraction of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstraction {
    /// The signature.
    pub tree: DecisionTree,
    /// The block of each vertex.
    pub blocks: Vec<Block>,
    /// The bounds of each block, worked out anew for the tree as it is.
    pub bounds: BlockBounds,
    /// Where the search was before the first split and after each one.
    pub stages: Vec<Stage>,
    /// How many blocks there were when every block was decided for the first time, and after each trial that made
    /// them fewer: trials until then, and blocks.
    pub trials: Vec<(u32, usize)>,
    /// What was done.
    pub work: Work,
    /// How it ended.
    pub finish: Finish,
}

/// Who is shown the intervals of all vertices.
pub type Witness<'a> = dyn FnMut(&[Interval]) + 'a;

/// Who watches the search.
pub struct Watch<'a> {
    /// Told of progress, and asked whether to give up.
    pub observer: &'a dyn Observer,
    /// Asked after every split and trial whether it is enough.
    pub is_enough: &'a dyn Fn() -> bool,
    /// Shown the intervals of all vertices after every split. Intervals are worked out only if somebody is there.
    pub witness: Option<&'a mut Witness<'a>>,
}

impl Abstraction {
    /// Looks for an abstraction, beginning with a tree whose blocks each belong to one side to move; the question at its
    /// root is never given up. With a `root` the search ends when its block is decided.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    ///
    /// # Panics
    ///
    /// If there is not one row for each vertex.
    pub fn find(
        arena: &Arena,
        rows: &Rows,
        start: &DecisionTree,
        root: Option<StateIndex>,
        settings: &Settings,
        mut watch: Watch,
    ) -> Result<Abstraction, Interrupted> {
        assert_eq!(rows.len(), arena.vertices, "every vertex has a row");
        watch.observer.begin("abstracting", arena.vertices as u64);
        let fresh = Knowledge::new(arena, settings.horizon);
        let mut growth = Growth::new(arena, rows, &fresh);
        let leaf_of: Vec<NodeIndex> = arena
            .each_vertex()
            .map(|vertex| start.leaf(DecisionTree::ROOT, rows.of(vertex)))
            .collect();
        growth.begin(start, &leaf_of);
        // Leaves that no vertex reaches are no blocks.
        let (tree, leaf_of) = growth.tidied();
        growth.begin(&tree, &leaf_of);
        let mut stages = Vec::new();
        let mut shown = 0;
        let mut each_round = |growth: &Growth| {
            let stage = Stage {
                blocks: growth.blocks(),
                decided: growth.decided(),
            };
            stages.push(stage);
            watch
                .observer
                .advance((stage.decided - shown.min(stage.decided)) as u64);
            shown = stage.decided;
            if let Some(witness) = &mut watch.witness {
                witness(&growth.intervals());
            }
            let is_root_decided = root.is_some_and(|root| growth.outcome(root).is_some());
            !is_root_decided && !(watch.is_enough)()
        };
        let mut taste = Taste {
            draws: None,
            most_leaves: settings.most_blocks,
            most_depth: settings.most_depth,
        };
        let end = growth.grow(
            DecisionTree::ROOT,
            &mut taste,
            watch.observer,
            &mut each_round,
        )?;
        let (tree, leaf_of) = growth.tidied();
        let mut placed = Placed { tree, leaf_of };
        let mut finish = match end {
            End::Decided => Finish::Complete,
            End::Inseparable => Finish::Inseparable,
            End::Full => Finish::TooManyBlocks,
            End::Stopped if root.is_some_and(|root| growth.outcome(root).is_some()) => {
                Finish::RootDecided
            }
            End::Stopped => Finish::Stopped,
        };
        let mut trials = Vec::new();
        if finish == Finish::Complete {
            let leaves = |placed: &Placed| placed.tree.leaves(DecisionTree::ROOT).len();
            trials.push((0, leaves(&placed)));
            let mut draws = Draws::new(settings.seed);
            watch
                .observer
                .begin("making it smaller", settings.trials.into());
            for number in 1..=settings.trials {
                watch.observer.checkpoint(1)?;
                if (watch.is_enough)() {
                    finish = Finish::Cut;
                    break;
                }
                let is_replaced = trial(
                    &mut growth,
                    &mut placed,
                    &mut draws,
                    settings.most_depth,
                    watch.observer,
                )?;
                let blocks = leaves(&placed);
                if is_replaced && trials.last().is_some_and(|&(_, before)| blocks < before) {
                    trials.push((number, blocks));
                }
            }
        }
        let work = growth.work;
        let Placed { tree, .. } = placed;
        let block_of = tree.block_of();
        let blocks: Vec<Block> = arena
            .each_vertex()
            .map(|vertex| block_of(rows.of(vertex)))
            .collect();
        let bounds = BlockBounds::of(arena, &blocks, settings.horizon, watch.observer)?;
        drop(block_of);
        Ok(Abstraction {
            tree,
            blocks,
            bounds,
            stages,
            trials,
            work,
            finish,
        })
    }
}

impl Growth<'_> {
    /// What is known of every vertex at this moment: the outcome of its block, and in blocks that are open that a side which
    /// cannot win at all does not.
    fn intervals(&self) -> Vec<Interval> {
        let open = self.unknown();
        let vertices = self.leaf_of.iter().enumerate();
        vertices
            .map(|(vertex, _)| match self.outcome(StateIndex::new(vertex)) {
                Some(Outcome::MaxWins) => Interval::point(1),
                Some(Outcome::MinWins) => Interval::point(-1),
                Some(Outcome::Drawn) => Interval::point(0),
                None => open,
            })
            .collect()
    }
}
