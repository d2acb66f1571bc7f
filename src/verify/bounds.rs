//! The check of bounds: steps 2 to 11 of what a checker must establish.
//!
//! The vertices, their moves and the ends of games come from the island's own enumeration and move generator, the bytes of
//! children from tables that were verified before. The file says in which round something is known of each vertex, and
//! which moves are deleted; both are compared with what the moves lead to. Why this proves the claim is said in the
//! soundness argument of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 3: bounds*.

use super::certificate::{Bounds, Child};
use super::claim::material_of_bounds;
use super::class::Class;
use super::graph::Graph;
use super::rounds::Rounds;
use super::session::Tables;
use super::states::States;
use super::table::{check_children, same};
use super::{Checked, Reason, Refusal, deletions, images};

/// Establishes the claim, or says why not.
pub(super) fn check(
    claim: &str,
    named: Vec<Child>,
    stored: &Bounds,
    tables: &mut Tables,
) -> Result<Checked, Refusal> {
    let material = material_of_bounds(claim)?;
    check_children(&material, &named, tables)?;
    let children = named.iter().map(|child| tables.states_of(child));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    let (states, census) = States::of(&material, named);
    let reason = Reason::WrongNumberOfStates;
    same(reason, "states", stored.states, census.states)?;
    if let Some(stored) = stored.en_passant_states {
        let found = census.en_passant_states;
        same(reason, "en_passant_states", stored, found)?;
    }
    let class = Class::of(&states, &children);
    images::check_sample(&class)?;
    let graph = Graph::of(class);
    let rounds = Rounds::of(stored, graph.vertices())?;
    rounds.check(&graph)?;
    let edges = deletions::check(&graph, &rounds, stored)?;
    Ok(Checked {
        states: census.states,
        edges,
    })
}
