//! What solving a class takes: the classes it rests on, states, bytes, memory, time.

use std::collections::BTreeSet;

use dchess::endgame::Material;

/// The classes that have to be there before a class can be solved, children before parents; the class
/// itself is the last.
pub(crate) fn closure(material: &Material) -> Vec<Material> {
    fn visit(material: &Material, seen: &mut BTreeSet<Material>, order: &mut Vec<Material>) {
        if seen.insert(material.clone()) {
            for child in material.children() {
                visit(&child, seen, order);
            }
            order.push(material.clone());
        }
    }
    let mut order = Vec::new();
    visit(material, &mut BTreeSet::new(), &mut order);
    order
}

/// Upper bounds and estimates for one class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    /// Canonical states, at most.
    pub(crate) states: u64,
    /// The certificate before compression, at most.
    pub(crate) bytes: u64,
    /// Memory while the class is solved, its children included.
    pub(crate) memory: u64,
    /// Processor seconds, roughly.
    pub(crate) seconds: f64,
}

impl Estimate {
    /// For a class whose children are solved.
    pub(crate) fn of(material: &Material) -> Estimate {
        /// Measured on the classes of `docs/benchmarks.md`.
        const SECONDS_AN_ENTRY: f64 = 8e-8;
        // The longest line may lead through all classes that this one rests on.
        let rests_on: u64 = closure(material).iter().map(entries).sum();
        let entries = entries(material);
        Estimate {
            states: entries,
            bytes: entries + 8 * 64_u64.pow(material.men().len() as u32 - 2),
            // The values of all classes; its sets and layers, and later the values in order twice,
            // as they are and as the certificate has them.
            memory: rests_on + entries / 2 * 3 + (16 << 20),
            seconds: entries as f64 * SECONDS_AN_ENTRY,
        }
    }
}

/// Placements with White's king where a canonical state can have it, for both sides to move.
fn entries(material: &Material) -> u64 {
    let kings = if material.has_pawns() { 32 } else { 10 };
    2 * kings * 64_u64.pow(material.men().len() as u32 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_come_before_parents() {
        for (name, classes) in [("KQK", 1), ("KPK", 3), ("KPKP", 18), ("KRPKR", 18)] {
            let material: Material = name.parse().unwrap();
            let order = closure(&material);
            for (place, class) in order.iter().enumerate() {
                assert!(
                    class
                        .children()
                        .iter()
                        .all(|child| order[..place].contains(child))
                );
            }
            assert_eq!(order.last(), Some(&material));
            assert_eq!(order.len(), classes, "{name}: {order:?}");
        }
    }
}
