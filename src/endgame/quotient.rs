//! The quotient of a universe by strong bisimilarity: which states no sequence of moves tells apart.
//!
//! The vertices are the canonical states, then the canonical en-passant states. The ends that stand
//! for the states of children behind them in a [`MoveGraph`] take part in the refinement and are left
//! out of what is told about it: each has a label of its own, hence a block of its own in every
//! round, and these blocks have the last numbers.

use std::fmt;

use super::MoveGraph;
use crate::game::{Interrupted, Observer, StateIndex};
use crate::solve::refine::{Origin, Refinement, refine};

/// The coarsest strong bisimulation of a universe, with the history of how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotient {
    /// Canonical states.
    pub states: usize,
    /// Canonical en-passant states.
    pub en_passant_states: usize,
    /// Distinct pairs of a state and a successor, the sink included; en-passant states left out.
    pub edges: u64,
    /// The blocks of the vertices, how each came about, and how many there were after each round.
    pub refinement: Refinement,
}

/// The partition by what a table says: side to move, result and distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticPartition {
    /// How many classes it has.
    pub classes: usize,
}

impl SemanticPartition {
    /// How many vertices of the universe there are to a class.
    pub fn compression(self, quotient: &Quotient) -> f64 {
        quotient.vertices() as f64 / self.classes as f64
    }
}

/// Why a table and a quotient do not fit: a fault of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// There is not one byte for each vertex.
    Length {
        /// How many bytes there are.
        values: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Two vertices of a block differ in the side to move, the result or the distance.
    Block {
        /// The block.
        block: u32,
        /// The vertices.
        vertices: [usize; 2],
    },
}

impl std::error::Error for Misfit {}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Length { values, vertices } => {
                write!(f, "there are {values} values for {vertices} states")
            }
            Misfit::Block {
                block,
                vertices: [first, other],
            } => write!(
                f,
                "states {first} and {other} are in block {block} and differ in side, result or distance"
            ),
        }
    }
}

impl Quotient {
    /// Refines the moves of a universe on the current rayon pool. The result is the same for any number
    /// of threads.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn of(moves: &MoveGraph, observer: &dyn Observer) -> Result<Quotient, Interrupted> {
        let mut refinement = refine(&moves.graph, &moves.labels, observer)?;
        let vertices = moves.vertices();
        let leaves = moves.graph.len() - vertices;
        refinement.blocks.truncate(vertices);
        let blocks = refinement.origins.len() - leaves;
        refinement.origins.truncate(blocks);
        for count in &mut refinement.blocks_per_round {
            *count -= leaves as u32;
        }
        let is_own = |origin: &Origin| (origin.parent as usize) < blocks;
        debug_assert!(refinement.origins.iter().all(is_own));
        Ok(Quotient {
            states: moves.states,
            en_passant_states: moves.en_passant_states,
            edges: moves.edges,
            refinement,
        })
    }

    /// How many vertices there are: states and en-passant states.
    pub const fn vertices(&self) -> usize {
        self.states + self.en_passant_states
    }

    /// How many blocks there are.
    pub const fn blocks(&self) -> usize {
        self.refinement.origins.len()
    }

    /// How many vertices there are to a block.
    pub fn compression(&self) -> f64 {
        self.vertices() as f64 / self.blocks() as f64
    }

    /// The partition by what the table says, after a look whether all vertices of a block have the same
    /// side to move, result and distance. `values` are the bytes of the vertices in order, in
    /// parts.
    ///
    /// # Errors
    ///
    /// [`Misfit`] if they have not.
    pub fn semantic_partition(
        &self,
        moves: &MoveGraph,
        values: &[&[u8]],
    ) -> Result<SemanticPartition, Misfit> {
        let vertices = self.vertices();
        let found = values.iter().map(|part| part.len()).sum();
        if found != vertices {
            return Err(Misfit::Length {
                values: found,
                vertices,
            });
        }
        let mut seen = [[false; 256]; 2];
        // For each block, what its first vertex has, and which that is.
        let mut of_block: Vec<Option<(usize, bool, u8)>> = vec![None; self.blocks()];
        let blocks = self.refinement.blocks.iter();
        let values = values.iter().copied().flatten().copied();
        for (vertex, (&block, byte)) in blocks.zip(values).enumerate() {
            let is_black = moves.label(StateIndex::new(vertex)).turn().is_black();
            seen[usize::from(is_black)][usize::from(byte)] = true;
            let found = &mut of_block[block as usize];
            match *found {
                None => *found = Some((vertex, is_black, byte)),
                Some((_, side, other)) if (side, other) == (is_black, byte) => {}
                Some((first, _, _)) => {
                    return Err(Misfit::Block {
                        block,
                        vertices: [first, vertex],
                    });
                }
            }
        }
        let classes = seen.iter().flatten().filter(|&&is_there| is_there).count();
        Ok(SemanticPartition { classes })
    }

    /// The round in which the states of two blocks part, 0 if their labels differ; `None` if they are
    /// the same block.
    pub fn parting_round(&self, a: u32, b: u32) -> Option<u32> {
        let origin = |block: u32| self.refinement.origins[block as usize];
        let (mut a, mut b, mut round) = (a, b, None);
        while a != b {
            let (of_a, of_b) = (origin(a), origin(b));
            if of_a.round == 0 && of_b.round == 0 {
                return Some(0);
            }
            // Go back to before the later of the two split off.
            if of_a.round > of_b.round {
                a = of_a.parent;
            } else {
                b = of_b.parent;
            }
            round = Some(of_a.round.max(of_b.round));
        }
        round
    }
}
