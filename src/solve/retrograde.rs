//! Retrograde analysis: the exact value and distance of every state of a finite game.
//!
//! The ends that are lost or won in *n* plies stand in layer *n* from the beginning. Then every
//! undecided state with a successor lost in *n* is won in *n* + 1; an undecided state all of whose successors are won
//! is lost one ply after the latest of them. Layers are finished one after the other, so the first win found is the
//! quickest and the last refuted defence the longest. What no layer reaches is drawn: there a side can
//! avoid losing for ever. (Bellman 1965; Ströhlein 1970; the attractor of the games literature.)

use std::collections::BTreeMap;

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

    let mut layers: BTreeMap<Plies, Vec<StateIndex>> = BTreeMap::new();
    for &(state, value) in graph.ends() {
        values[state.get()] = Some(value);
        if let Some(plies) = value.distance() {
            layers.entry(plies).or_default().push(state);
        }
    }
    while let Some((plies, layer)) = layers.pop_first() {
        observer.checkpoint(layer.len() as u64)?;
        for state in layer {
            let Some(value) = values[state.get()] else {
                continue;
            };
            let reached = value.for_the_mover();
            for &origin in predecessors.of(state) {
                if values[origin.get()].is_some() {
                    continue;
                }
                let decided = match reached {
                    Value::Win(_) => true,
                    _ => {
                        unrefuted[origin.get()] -= 1;
                        unrefuted[origin.get()] == 0
                    }
                };
                if decided {
                    values[origin.get()] = Some(reached);
                    let next = plies.next().unwrap_or(plies);
                    layers.entry(next).or_default().push(origin);
                }
            }
        }
    }
    let drawn_unless_reached = |value: Option<Value>| value.unwrap_or(Value::Draw);
    Ok(Values::new(
        values.into_iter().map(drawn_unless_reached).collect(),
    ))
}
