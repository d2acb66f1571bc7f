//! Features: small numbers that are read off a state, for any class.
//!
//! They are geometric. None of them looks at a value, at a distance to mate, at another state or at a block. A man is named by
//! side and place in the order of the class's name, and a feature of a man that is not there is 0, so that a
//! decision tree over features can be carried from one class to another. Definitions are in `docs/certificate-format.md`, where the
//! verifier has them from.

mod kind;
mod man;
mod view;

pub use kind::{About, Effort, Invariance, KINDS, Kind, Language};
pub use man::ManName;

use std::fmt;

use kind::{Gap, Value};
use view::View;

use super::{Enumeration, Material, Placement, State};
use crate::game::{Interrupted, Observer, StateIndex};
use std::ops::ControlFlow;

/// One feature: a kind, and the men that it is about.
#[derive(Clone, Copy)]
pub struct Feature {
    /// The kind.
    pub kind: &'static Kind,
    men: [Option<ManName>; 2],
}

impl PartialEq for Feature {
    fn eq(&self, other: &Feature) -> bool {
        (self.kind.name, self.men) == (other.kind.name, other.men)
    }
}

impl Eq for Feature {}

impl fmt::Debug for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// As in certificates: `distance wK bK`.
impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name)?;
        for man in self.men.iter().flatten() {
            write!(f, " {man}")?;
        }
        Ok(())
    }
}

impl Feature {
    /// All features, of all men, in order.
    pub fn all() -> Vec<Feature> {
        let mut all = Vec::new();
        for kind in KINDS {
            let one = |man| Feature {
                kind,
                men: [Some(man), None],
            };
            match kind.about {
                About::Position => all.push(Feature {
                    kind,
                    men: [None; 2],
                }),
                About::Man => all.extend(ManName::all().map(one)),
                About::King => all.extend(ManName::all().filter(|man| man.is_king()).map(one)),
                About::Piece => all.extend(ManName::all().filter(|man| !man.is_king()).map(one)),
                About::Pair => {
                    for first in ManName::all() {
                        let behind = ManName::all().filter(|&man| man > first);
                        all.extend(behind.map(|second| Feature {
                            kind,
                            men: [Some(first), Some(second)],
                        }));
                    }
                }
            }
        }
        all
    }

    /// The feature that is written so.
    pub fn named(text: &str) -> Option<Feature> {
        let mut words = text.split(' ');
        let name = words.next()?;
        let men: Vec<ManName> = words.map(ManName::named).collect::<Option<_>>()?;
        let mut all = Feature::all().into_iter();
        all.find(|feature| feature.kind.name == name && feature.men.iter().flatten().eq(men.iter()))
    }

    /// Whether all men that it is about are in a class.
    pub fn exists_in(&self, material: &Material) -> bool {
        let pieces = material.men();
        let white = pieces.iter().filter(|piece| piece.color.is_white()).count();
        let black = pieces.len() - white;
        let is_there = |man: &ManName| match man.is_white() {
            true => man.place() < white,
            false => man.place() < ManName::BLACK_KING.place() + black,
        };
        self.men.iter().flatten().all(is_there)
    }

    /// Its value; 0 if a man is not there.
    fn value(&self, view: &View) -> u8 {
        match (self.kind.value, self.men) {
            (Value::Position(value), _) => value(view),
            (Value::Man(value), [Some(man), _]) if view.square(man).is_some() => value(view, man),
            (Value::Pair(value), [Some(first), Some(second)]) => {
                match (view.square(first), view.square(second)) {
                    (Some(from), Some(to)) => value(Gap::of(from, to)),
                    _ => 0,
                }
            }
            _ => 0,
        }
    }
}

/// The values of features for all vertices of a class, row by row: the states, then the en-passant states. Runs on the
/// current rayon pool.
///
/// # Errors
///
/// [`Interrupted`] if the observer says so.
pub fn rows_of(
    material: &Material,
    features: &[Feature],
    observer: &dyn Observer,
) -> Result<Vec<u8>, Interrupted> {
    let enumeration = Enumeration::of(material, observer)?;
    let vertices = enumeration.ordinary() + enumeration.en_passant();
    let mut rows = vec![0; vertices * features.len()];
    let row = |state: &State| {
        let position = state.position(material)?;
        let view = View::new(material, state, &position);
        Some(
            features
                .iter()
                .map(move |feature| feature.value(&view))
                .collect(),
        )
    };
    let of_block = |placements: &mut dyn Iterator<Item = Placement>| {
        let mut found: Vec<(StateIndex, Vec<u8>)> = Vec::new();
        for placement in placements {
            let states = placement.states().chain(placement.en_passant_states());
            found.extend(states.filter_map(|(number, state)| Some((number, row(&state)?))));
        }
        found
    };
    enumeration.each_block(observer, of_block, |block| {
        for (number, row) in block {
            let start = number.get() * features.len();
            rows[start..start + features.len()].copy_from_slice(&row);
        }
        Ok::<_, Interrupted>(ControlFlow::Continue(()))
    })?;
    Ok(rows)
}
