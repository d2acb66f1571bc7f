//! Depth first, without a memory: the search on which orderings are compared.
//!
//! A *proof node* is one evaluation of `B` (C6.3). All moves count, none is looked at twice, and nothing is remembered, so the number
//! of proof nodes depends on the position and the order of moves alone.

use std::fmt;

use shakmaty::Chess;

use super::diagram::Diagram;
use super::length::{Mover, Moves};
use super::ordering::{Criterion, MoveOrdering, Selection};
use super::root::steps;
use crate::game::Observer;

/// Whether there is a mate, and what it took to see that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainProof {
    /// Whether the side to move mates.
    pub mates: bool,
    /// Evaluations of `B`.
    pub proof_nodes: u64,
}

/// Proof nodes between two questions whether the work should end.
const BETWEEN_QUESTIONS: u64 = 1 << 14;

/// A prover with an order of moves.
pub struct PlainProver<'a> {
    ordering: MoveOrdering<'a>,
    proof_nodes: u64,
    limit: u64,
    observer: &'a dyn Observer,
    /// After so many proof nodes it is asked.
    next_question: u64,
    /// For each number of plies left the moves that are being tried.
    selections: Vec<Selection>,
}

/// More proof nodes than allowed, or somebody ended the work.
#[derive(Clone, Copy, Debug)]
struct GivenUp;

impl<'a> PlainProver<'a> {
    /// A prover that gives up after so many proof nodes, or when its observer says so.
    pub const fn new(
        ordering: MoveOrdering<'a>,
        limit: u64,
        observer: &'a dyn Observer,
    ) -> PlainProver<'a> {
        PlainProver {
            ordering,
            proof_nodes: 0,
            limit,
            observer,
            next_question: BETWEEN_QUESTIONS,
            selections: Vec::new(),
        }
    }

    /// Whether the side to move mates within so many moves; none if that took too many proof nodes, or the observer ended it.
    pub fn prove(&mut self, position: &Chess, within: Moves) -> Option<PlainProof> {
        let plies = usize::from(within.plies(Mover::Attacker).get());
        if self.selections.len() <= plies {
            self.selections.resize_with(plies + 1, Selection::default);
        }
        self.proof_nodes = 0;
        self.next_question = BETWEEN_QUESTIONS;
        let diagram = Diagram::of(position);
        let mates = self.attacker_mates(&diagram, plies).ok()?;
        Some(PlainProof {
            mates,
            proof_nodes: self.proof_nodes,
        })
    }

    fn count(&mut self, nodes: u64) -> Result<(), GivenUp> {
        self.proof_nodes += nodes;
        if self.proof_nodes > self.limit {
            return Err(GivenUp);
        }
        if self.proof_nodes >= self.next_question {
            self.next_question = self.proof_nodes + BETWEEN_QUESTIONS;
            if self.observer.is_interrupted() {
                return Err(GivenUp);
            }
        }
        Ok(())
    }

    /// `B` where the attacker is to move.
    fn attacker_mates(&mut self, diagram: &Diagram, plies: usize) -> Result<bool, GivenUp> {
        self.count(1)?;
        match plies {
            0 => Ok(false),
            1 => self.mates_at_once(diagram),
            _ => self.any_child(diagram, plies, Mover::Attacker, true),
        }
    }

    /// `B` where the defender is to move.
    fn defender_is_mated(&mut self, diagram: &Diagram, plies: usize) -> Result<bool, GivenUp> {
        self.count(1)?;
        match plies {
            0 => Ok(diagram.is_checkmate()),
            _ => {
                let finds_a_way_out = self.any_child(diagram, plies, Mover::Defender, false)?;
                let is_over = self.selections[plies].len() == 0;
                Ok(!finds_a_way_out && (!is_over || diagram.is_check()))
            }
        }
    }

    /// Whether `B` is `wanted` after some move.
    fn any_child(
        &mut self,
        diagram: &Diagram,
        plies: usize,
        mover: Mover,
        wanted: bool,
    ) -> Result<bool, GivenUp> {
        let criteria = self.ordering.criteria(mover);
        self.selections[plies].begin(diagram);
        while let Some(step) = self.selections[plies].next(diagram, criteria) {
            let next = diagram.play(step);
            let mates = match mover {
                Mover::Attacker => self.defender_is_mated(&next, plies - 1)?,
                Mover::Defender => self.attacker_mates(&next, plies - 1)?,
            };
            if mates == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// With one ply left: an order that begins with mates meets one in its first move, and without one all moves are equal.
    fn mates_at_once(&mut self, diagram: &Diagram) -> Result<bool, GivenUp> {
        if self.ordering.criteria(Mover::Attacker).first() != Some(&Criterion::Mate) {
            return self.any_child(diagram, 1, Mover::Attacker, true);
        }
        let mates = diagram.mate_in_one(&mut 0).is_some();
        let nodes = match mates {
            true => 1,
            false => steps(diagram).len(),
        };
        self.count(nodes as u64)?;
        Ok(mates)
    }
}

impl fmt::Debug for PlainProver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlainProver")
            .field("ordering", &self.ordering)
            .field("proof_nodes", &self.proof_nodes)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}
