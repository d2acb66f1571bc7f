//! The witness that there is no mate within n moves: a refutation.
//!
//! In a node with the attacker to move it has exactly all moves, in one with the defender one. A leaf is a stalemate, a position
//! in which the attacker is mated, or one without plies left that is no checkmate. So the attacker may do what he wants, there is
//! an answer that keeps the defender from mate for n moves.

use super::dag::{Dag, DagBuilder, Leaf, NodeId, plies};
use super::diagram::Diagram;
use super::length::Mover;
use super::root::steps;
use super::search::Search;
use super::step::Step;
use super::witness::WitnessError;

/// A refutation of a mate.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// Its positions and moves.
    pub dag: Dag,
}

/// Builds the refutation of a mate within `length` moves. With the attacker to move, `without` are first moves
/// that are not looked at.
pub(super) fn extract(
    search: &mut Search<'_>,
    diagram: &Diagram,
    mover: Mover,
    length: u8,
    without: &[Step],
    largest: usize,
) -> Result<Refutation, WitnessError> {
    let mut extraction = Extraction {
        search,
        builder: DagBuilder::new(largest),
    };
    match mover {
        Mover::Attacker => extraction.attacker(diagram, length, without)?,
        Mover::Defender => extraction.defender(diagram, length)?,
    };
    Ok(Refutation {
        dag: extraction.builder.build(),
    })
}

struct Extraction<'a, 'b> {
    search: &'a mut Search<'b>,
    builder: DagBuilder,
}

impl Extraction<'_, '_> {
    /// The node of a position in which the attacker has no mate within `length` moves, but perhaps by some first moves.
    fn attacker(
        &mut self,
        diagram: &Diagram,
        length: u8,
        without: &[Step],
    ) -> Result<NodeId, WitnessError> {
        let left = plies(Mover::Attacker, length);
        if let Some(node) = self.builder.find(diagram, left) {
            return Ok(node);
        }
        if length == 0 {
            return Ok(self.builder.leaf(diagram, left, Leaf::NoPlyLeft)?);
        }
        let mut steps = steps(diagram);
        if steps.is_empty() {
            let leaf = if diagram.is_check() {
                Leaf::AttackerMated
            } else {
                Leaf::Stalemate
            };
            return Ok(self.builder.leaf(diagram, left, leaf)?);
        }
        if length == 1 && without.is_empty() {
            return match diagram.mate_in_one(&mut self.search.nodes) {
                Some(_) => Err(WitnessError::DoesNotHold),
                None => Ok(self.builder.leaf(diagram, left, Leaf::NoMateInOne)?),
            };
        }
        steps.retain(|step| !without.contains(step));
        let edges = steps.into_iter().map(|step| {
            let next = self.defender(&diagram.play(step), length - 1)?;
            Ok((step, next))
        });
        let edges = edges.collect::<Result<Vec<_>, WitnessError>>()?;
        Ok(self.builder.node(diagram, left, &edges)?)
    }

    /// The node of a position in which the defender is not mated within `length` more moves.
    fn defender(&mut self, diagram: &Diagram, length: u8) -> Result<NodeId, WitnessError> {
        let left = plies(Mover::Defender, length);
        if let Some(node) = self.builder.find(diagram, left) {
            return Ok(node);
        }
        if diagram.is_checkmate() {
            return Err(WitnessError::DoesNotHold);
        }
        if steps(diagram).is_empty() {
            return Ok(self.builder.leaf(diagram, left, Leaf::Stalemate)?);
        }
        if length == 0 {
            return Ok(self.builder.leaf(diagram, left, Leaf::NoPlyLeft)?);
        }
        let reply = self
            .search
            .refuting_step(diagram, length)?
            .ok_or(WitnessError::DoesNotHold)?;
        let next = self.attacker(&diagram.play(reply), length, &[])?;
        Ok(self.builder.node(diagram, left, &[(reply, next)])?)
    }
}
