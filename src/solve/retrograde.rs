//! Retrograde analysis: the exact value and distance of every state of a finite game.
//!
//! The states lost at once form layer 0. Every undecided state with a successor in an even layer
//! *n* is won in *n* + 1 plies; an undecided state all of whose successors are won is lost one ply
//! after the latest of them. Layers are finished one after the other, so the first win found is the
//! quickest and the last refuted defence the longest. What no layer reaches is drawn: there a side can avoid
//! losing for ever. (Bellman 1965; Ströhlein 1970; the attractor of the games literature.)

use crate::game::{Graph, Interrupted, Observer, Plies, StateIndex, Value, Values};

/// The value of every state of the game, by state number.
///
/// # Errors
///
/// [`Interrupted`] if the observer says so.
pub fn solve(graph: &Graph, observer: &dyn Observer) -> Result<Values, Interrupted> {
    observer.begin("retrograde analysis", graph.len() as u64);
    let predecessors = graph.predecessors();
    let mut values: Vec<Option<Value>> = vec![None; graph.len()];
    let mut unrefuted: Vec<usize> = graph.states().map(|state| graph.degree(state)).collect();

    let mut layer: Vec<StateIndex> = graph.lost().to_vec();
    let mut value = Value::Loss(Plies::ZERO);
    for &state in &layer {
        values[state.get()] = Some(value);
    }
    while !layer.is_empty() {
        observer.checkpoint(layer.len() as u64)?;
        value = value.for_the_mover();
        let mut next = Vec::new();
        for &origin in layer.iter().flat_map(|&state| predecessors.of(state)) {
            if values[origin.get()].is_some() {
                continue;
            }
            let decided = match value {
                Value::Win(_) => true,
                _ => {
                    unrefuted[origin.get()] -= 1;
                    unrefuted[origin.get()] == 0
                }
            };
            if decided {
                values[origin.get()] = Some(value);
                next.push(origin);
            }
        }
        layer = next;
    }
    let drawn_unless_reached = |value: Option<Value>| value.unwrap_or(Value::Draw);
    Ok(Values::new(
        values.into_iter().map(drawn_unless_reached).collect(),
    ))
}
