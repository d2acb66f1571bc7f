//! The check of an abstraction: steps 2 to 10 of what a checker must establish.
//!
//! The vertices and their moves come from the island's own enumeration and move generator, the bytes of children from tables
//! that were verified before. The file says how vertices are put into blocks, by features that the island reads off them
//! itself, and what each block is worth; that is compared with what can be forced within some plies, for every vertex.
//! Why this proves the claim is said in the soundness argument of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 8: abstraction*.

use super::abstraction_claim::AbstractionClaim;
use super::certificate::{Abstraction, Child};
use super::class::Class;
use super::decision_tree::DecisionTree;
use super::features::Values;
use super::graph::{Graph, Vertices};
use super::horizon::Horizon;
use super::intervals::Intervals;
use super::man::Side;
use super::session::Tables;
use super::states::States;
use super::table::{check_children, same};
use super::{Checked, Reason, Refusal, images};

/// Establishes the claim, or says why not.
pub(super) fn check(
    claim: &str,
    named: Vec<Child>,
    stored: &Abstraction,
    tables: &mut Tables,
) -> Result<Checked, Refusal> {
    let claim = AbstractionClaim::of(claim)?;
    check_children(&claim.material, &named, tables)?;
    let children = named.iter().map(|child| tables.states_of(child));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    let (states, census) = States::of(&claim.material, named);
    let reason = Reason::WrongNumberOfStates;
    same(reason, "states", stored.states, census.states)?;
    if let Some(stored) = stored.en_passant_states {
        let found = census.en_passant_states;
        same(reason, "en_passant_states", stored, found)?;
    }
    let class = Class::of(&states, &children);
    images::check_sample(&class)?;
    let edges = judge(&claim, stored, &Graph::of(class))?;
    Ok(Checked {
        states: census.states,
        edges,
    })
}

/// Steps 5 to 10. Returns the number of edges.
fn judge(claim: &AbstractionClaim, stored: &Abstraction, graph: &Graph) -> Result<u64, Refusal> {
    let reason = Reason::WrongCount;
    let tree = DecisionTree::of(&stored.tree)?;
    let found = tree.leaves().into();
    same(reason, "blocks", claim.blocks.into(), found)?;
    let intervals = Intervals::of(stored, &tree)?;
    let blocks = blocks(graph, &tree)?;
    let horizon = Horizon {
        vertices: graph,
        blocks: &blocks,
        intervals: &intervals,
    };
    let edges = horizon.check(claim.horizon, &|block| tree.named(block))?;
    let states = blocks.iter().take(graph.states());
    let decided = states.filter(|&&block| intervals.at(block as usize).is_decided());
    let found = decided.count() as u64;
    same(reason, "decided", claim.decided.into(), found)?;
    same(reason, "edges", stored.edges, edges)?;
    Ok(edges)
}

/// Step 8: the block of each vertex.
fn blocks(graph: &Graph, tree: &DecisionTree) -> Result<Vec<u32>, Refusal> {
    let mut values = Values::new();
    let mut blocks = Vec::with_capacity(graph.vertices());
    // The first vertex of each block with each side to move.
    let mut firsts = vec![[None; 2]; tree.leaves() as usize];
    for (vertex, position) in (0..).zip(graph.positions()) {
        let block = tree.block(&mut values.at(&position));
        blocks.push(block);
        if let Some(firsts) = firsts.get_mut(block as usize) {
            firsts[position.to_move.index()].get_or_insert(vertex);
        }
    }
    for (block, firsts) in firsts.into_iter().enumerate() {
        let [white, black] = Side::BOTH.map(|side| firsts[side.index()]);
        match (white, black) {
            (None, None) => {
                let named = tree.named(block);
                return Err(Refusal::new(Reason::UnusedBlock, named));
            }
            (Some(white), Some(black)) => {
                let [white, black] = [white, black].map(|vertex| graph.named(vertex));
                let named = tree.named(block);
                let place = format_args!("{named}: vertex {white} and vertex {black}");
                return Err(Refusal::new(Reason::MixedBlock, place));
            }
            _ => {}
        }
    }
    Ok(blocks)
}
