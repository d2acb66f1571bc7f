//! The witness of a mate: a strategy.
//!
//! In a node with the attacker to move it has one move, in one with the defender exactly all; the leaves are
//! checkmates. The plies left fall with every move. So whoever follows it mates in time, whatever the defender does. Of the root all keys
//! stand in it that are to be witnessed.

use super::dag::{Dag, DagBuilder, Leaf, NodeId, plies};
use super::diagram::Diagram;
use super::length::Mover;
use super::root::steps;
use super::search::Search;
use super::step::Step;
use super::witness::WitnessError;

/// A strategy that mates.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Its positions and moves.
    pub dag: Dag,
}

/// Builds the strategy of a mate within `length` moves that is there. With the attacker to move it begins with `keys`.
pub(super) fn extract(
    search: &mut Search<'_>,
    diagram: &Diagram,
    mover: Mover,
    length: u8,
    keys: &[Step],
    largest: usize,
) -> Result<Strategy, WitnessError> {
    let mut extraction = Extraction {
        search,
        builder: DagBuilder::new(largest),
    };
    match mover {
        Mover::Defender => extraction.defender(diagram, length)?,
        Mover::Attacker => {
            let edges = keys.iter().map(|&key| {
                let next = extraction.defender(&diagram.play(key), length.saturating_sub(1))?;
                Ok((key, next))
            });
            let edges = edges.collect::<Result<Vec<_>, WitnessError>>()?;
            let plies = plies(Mover::Attacker, length);
            extraction.builder.node(diagram, plies, &edges)?
        }
    };
    Ok(Strategy {
        dag: extraction.builder.build(),
    })
}

struct Extraction<'a, 'b> {
    search: &'a mut Search<'b>,
    builder: DagBuilder,
}

impl Extraction<'_, '_> {
    /// The node of a position in which the attacker mates within `length` moves: with the quickest mate that is at hand.
    fn attacker(&mut self, diagram: &Diagram, length: u8) -> Result<NodeId, WitnessError> {
        let (length, step) = self
            .search
            .mating_step(diagram, length)?
            .ok_or(WitnessError::DoesNotHold)?;
        let left = plies(Mover::Attacker, length);
        if let Some(node) = self.builder.find(diagram, left) {
            return Ok(node);
        }
        let next = self.defender(&diagram.play(step), length - 1)?;
        Ok(self.builder.node(diagram, left, &[(step, next)])?)
    }

    /// The node of a position in which the defender is mated within `length` more moves.
    fn defender(&mut self, diagram: &Diagram, length: u8) -> Result<NodeId, WitnessError> {
        if diagram.is_checkmate() {
            let left = plies(Mover::Defender, 0);
            return Ok(self.builder.leaf(diagram, left, Leaf::Checkmate)?);
        }
        let left = plies(Mover::Defender, length);
        if let Some(node) = self.builder.find(diagram, left) {
            return Ok(node);
        }
        let steps = steps(diagram);
        if steps.is_empty() || length == 0 {
            return Err(WitnessError::DoesNotHold);
        }
        let edges = steps.into_iter().map(|step| {
            let next = self.attacker(&diagram.play(step), length)?;
            Ok((step, next))
        });
        let edges = edges.collect::<Result<Vec<_>, WitnessError>>()?;
        Ok(self.builder.node(diagram, left, &edges)?)
    }
}
