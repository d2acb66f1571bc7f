//! A universe for `abstract`: its moves without its table, and what to set beside an abstraction afterwards.

use dchess::endgame::{ChildStates, Material, MoveGraph, Partitioned, Quotient, value_of};
use dchess::game::{Interval, Player, StateIndex};
use dchess::solve::bounds::value_for_max;

use super::abstraction::Signature;
use super::failure::Failure;
use super::plan::{Estimate, RefinementEstimate, closure};
use super::progress::Progress;
use super::resources::{Bytes, shown};
use super::shelf::Shelf;

/// The moves of a class, whose table was not looked at.
pub(crate) struct AbstractUniverse {
    material: Material,
    /// The moves.
    pub(crate) moves: MoveGraph,
}

/// What is known of a class from elsewhere.
pub(crate) struct Others {
    /// The bytes of all states, then of all en-passant states.
    values: [Vec<u8>; 2],
    quotient: Quotient,
    /// Classes of states with the same side to move, result and distance.
    pub(crate) semantic_classes: usize,
}

impl AbstractUniverse {
    /// Provides the tables of the children, and lists the moves of the class.
    pub(crate) fn new(
        material: &Material,
        shelf: &mut Shelf,
        progress: &Progress,
    ) -> Result<AbstractUniverse, Failure> {
        let classes = closure(material);
        let (_, children) = classes.split_last().unwrap_or((material, &[]));
        shelf.provide_leaves(children)?;
        for (place, child) in children.iter().enumerate() {
            progress.class(place + 1, classes.len(), child);
            shelf.provide(child, progress)?;
        }
        progress.class(classes.len(), classes.len(), material);
        let moves = MoveGraph::of(material, shelf.library(), ChildStates::Merged, progress)?;
        Ok(AbstractUniverse {
            material: material.clone(),
            moves,
        })
    }

    /// Refuses to begin what memory cannot hold.
    pub(crate) fn check_size(
        material: &Material,
        features: usize,
        memory: Bytes,
    ) -> Result<(), Failure> {
        /// What the search keeps of a vertex besides its features: plies, counts of successors, places.
        const BYTES_A_VERTEX: u64 = 96;
        let classes = closure(material);
        let solving = Estimate::of_all(&classes, |_| true);
        let solving = solving.iter().map(|estimate| estimate.memory).max();
        let estimate = RefinementEstimate::of(material);
        let of_vertices = estimate.vertices * (features as u64 + BYTES_A_VERTEX);
        let needed = solving.unwrap_or(0) + estimate.memory + of_vertices;
        if estimate.edges > u64::from(u32::MAX) || needed > memory.0 {
            return Err(Failure::Error(format!(
                "{material} takes up to {} of memory, and {} are allowed; --memory raises the limit",
                shown(needed),
                shown(memory.0)
            )));
        }
        Ok(())
    }

    /// The table of the class and its coarsest bisimulation.
    pub(crate) fn others(&self, shelf: &mut Shelf, progress: &Progress) -> Result<Others, Failure> {
        let endgame = shelf.solve(&self.material, progress)?;
        let en_passant = endgame.en_passant.map(|en_passant| en_passant.values);
        let values = [endgame.values, en_passant.unwrap_or_default()];
        let quotient = Quotient::of(&self.moves, progress)?;
        let semantic = quotient
            .semantic_partition(&self.moves, &[&values[0], &values[1]])
            .map_err(|misfit| {
                Failure::Error(format!(
                    "{}: {misfit}; this is a fault of dchess, please report it",
                    self.material
                ))
            })?;
        Ok(Others {
            values,
            quotient,
            semantic_classes: semantic.classes,
        })
    }
}

impl Others {
    /// How many blocks the coarsest bisimulation has.
    pub(crate) const fn bisimulation_blocks(&self) -> usize {
        self.quotient.blocks()
    }

    /// Compares the interval of every vertex with its value.
    pub(crate) fn check(
        &self,
        material: &Material,
        universe: &AbstractUniverse,
        interval: impl Fn(usize) -> Interval,
    ) -> Result<(), Failure> {
        for (vertex, &byte) in self.values.iter().flatten().enumerate() {
            let is_black = universe
                .moves
                .label(StateIndex::new(vertex))
                .turn()
                .is_black();
            let player = if is_black { Player::Min } else { Player::Max };
            let value = value_for_max(value_of(byte), player);
            let interval = interval(vertex);
            if !interval.contains(value) {
                return Err(Failure::Error(format!(
                    "{material}: the interval {interval} of state {vertex} does not hold its value {value}; \
                     this is a fault of dchess, please report it"
                )));
            }
        }
        Ok(())
    }

    /// The blocks of a baseline, with their bounds.
    pub(crate) fn partitioned(
        &self,
        universe: &AbstractUniverse,
        signature: Signature,
        horizon: u8,
        progress: &Progress,
    ) -> Result<Partitioned, Failure> {
        let moves = &universe.moves;
        Ok(match signature {
            Signature::Backward => {
                let values = [&self.values[0][..], &self.values[1][..]];
                Partitioned::by_values(moves, &values, horizon, progress)?
            }
            _ => Partitioned::by_rounds(moves, &self.quotient, horizon, progress)?,
        })
    }
}
