//! What solving a class takes: the classes it rests on, states, bytes, memory, time.

use std::collections::BTreeSet;

use dchess::endgame::Material;
use shakmaty::Role;

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
    /// Memory while the class is solved or its table verified, at most; all that came before stays in memory.
    pub(crate) memory: u64,
    /// Processor seconds to solve it, roughly.
    pub(crate) seconds: f64,
}

impl Estimate {
    /// For the classes that a run goes through, children before parents, given which tables will be
    /// verified.
    pub(crate) fn of_all(
        classes: &[Material],
        is_verified: impl Fn(&Material) -> bool,
    ) -> Vec<Estimate> {
        /// The program itself.
        const BASE: u64 = 20 << 20;
        /// Measured on the classes of `docs/benchmarks.md`.
        const SECONDS_AN_ENTRY: f64 = 8e-8;
        let mut before = BASE;
        let estimate = |class| {
            let entries = entries(class);
            // Its values, its sets and layers, and later the values in order twice, as they are and as
            // the certificate has them; and some air.
            let memory = before + 3 * entries;
            before += entries;
            if is_verified(class) {
                // The verifier keeps a byte for each entry, and a bit.
                before += entries + entries / 8;
            }
            Estimate {
                states: entries,
                bytes: certificate_bytes(class),
                memory,
                seconds: entries as f64 * SECONDS_AN_ENTRY,
            }
        };
        classes.iter().map(estimate).collect()
    }
}

/// Upper bounds for the refinement of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RefinementEstimate {
    /// Canonical states and en-passant states.
    pub(crate) vertices: u64,
    /// Edges.
    pub(crate) edges: u64,
    /// The certificate before compression.
    pub(crate) payload: u64,
    /// Memory for the graph and its refinement.
    pub(crate) memory: u64,
}

impl RefinementEstimate {
    /// For a class.
    pub(crate) fn of(material: &Material) -> RefinementEstimate {
        /// Measured, with some air: a successor and an origin for each edge, and what grows with states.
        const BYTES_AN_EDGE: u64 = 9;
        const BYTES_A_VERTEX: u64 = 48;
        // Moves on an empty board, tenths of them, on average; a pawn with captures and promotions.
        let tenths = |role: Role| match role {
            Role::King => 66,
            Role::Queen => 228,
            Role::Rook => 140,
            Role::Bishop => 88,
            Role::Knight => 53,
            Role::Pawn => 30,
        };
        let men = material.men();
        // Pairs of kings up to symmetry, one square for each other man, and like men in order.
        let kings = if material.has_pawns() { 1806 } else { 462 };
        let orders: u64 = men
            .iter()
            .enumerate()
            .map(|(place, man)| {
                1 + men[..place].iter().filter(|&other| other == man).count() as u64
            })
            .product();
        let placements = kings * 64_u64.pow(men.len() as u32 - 2) / orders;
        let moves: u64 = men.iter().map(|man| tenths(man.role)).sum();
        let (vertices, edges) = (2 * placements, placements * moves / 10);
        RefinementEstimate {
            vertices,
            edges,
            // A block for each vertex: its number in the map, its parent and its round.
            payload: 12 * vertices,
            memory: BYTES_AN_EDGE * edges + BYTES_A_VERTEX * vertices,
        }
    }
}

/// Placements with White's king where a canonical state can have it, for both sides to move.
fn entries(material: &Material) -> u64 {
    let kings = if material.has_pawns() { 32 } else { 10 };
    2 * kings * 64_u64.pow(material.men().len() as u32 - 1)
}

/// The certificate of a class before compression, at most: a byte for each state, and with three men a move of two
/// bytes, with more a list of starts. (En-passant states are fewer than the placements that no state has because of a pawn on the last
/// ranks.)
pub(crate) fn certificate_bytes(material: &Material) -> u64 {
    /// Claims and ids of children, counts, the longest line.
    const REST: u64 = 1 << 12;
    let entries = entries(material);
    REST + match material.men().len() {
        3 => 3 * entries,
        men => entries + 8 * 64_u64.pow(men as u32 - 2),
    }
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
