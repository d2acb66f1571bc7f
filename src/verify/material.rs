//! A class of endgames: which men stand on the board, in which order of a tuple, and what follows from that alone.
//!
//! A name is accepted exactly if it is the name that its men are given: men are sorted, White is the stronger side, and the name is
//! written anew and compared.
//!
//! Source: `docs/certificate-format.md`, *Claims* and *Children*.

use std::collections::BTreeSet;

use super::certificate_kind::CertificateKind;
use super::man::{Kind, Man, Side};

/// The most men on a board.
pub(super) const MOST_MEN: usize = 5;

/// The fewest men of a class.
const FEWEST_MEN: usize = 3;

/// The men of a class, in the order of its name and of its tuples: White's men, then Black's, each king first.
///
/// Invariant: `men` has 2 to [`MOST_MEN`] men in this order, `groups` has the first and the last place of all men of the
/// same colour and kind that are more than one, `black_king` is the place of Black's king (White's is 0), and `has_pawns` says
/// whether any man is a pawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Material {
    men: Vec<Man>,
    groups: Vec<(usize, usize)>,
    black_king: usize,
    has_pawns: bool,
}

impl Material {
    /// The class of these men, and whether its White is the Black of what was given. None if a side has not exactly
    /// one king, or there are too many men.
    pub(super) fn of(men: &[Man]) -> Option<(Material, bool)> {
        let [mut white, mut black] = Side::BOTH.map(|side| {
            let mut kinds: Vec<Kind> = men
                .iter()
                .filter(|man| man.side == side)
                .map(|man| man.kind)
                .collect();
            kinds.sort();
            kinds
        });
        let one_king = |kinds: &[Kind]| kinds.iter().filter(|&&kind| kind == Kind::King).count();
        if men.len() > MOST_MEN || one_king(&white) != 1 || one_king(&black) != 1 {
            return None;
        }
        // More men are stronger; of equally many those with the earlier letter where they first differ.
        let flipped = (black.len(), &white) > (white.len(), &black);
        if flipped {
            std::mem::swap(&mut white, &mut black);
        }
        let black_king = white.len();
        let of_side =
            |side, kinds: Vec<Kind>| kinds.into_iter().map(move |kind| Man { side, kind });
        let men: Vec<Man> = of_side(Side::White, white)
            .chain(of_side(Side::Black, black))
            .collect();
        let mut groups = Vec::new();
        let mut place = 0;
        for group in men.chunk_by(|a, b| a == b) {
            if group.len() > 1 {
                groups.push((place, place + group.len() - 1));
            }
            place += group.len();
        }
        let has_pawns = men.iter().any(|man| man.kind == Kind::Pawn);
        let material = Material {
            men,
            groups,
            black_king,
            has_pawns,
        };
        Some((material, flipped))
    }

    /// The class of these men as [`Material::of`] says; none if they are too few as well.
    pub(super) fn of_class(men: &[Man]) -> Option<(Material, bool)> {
        let is_class = men.len() >= FEWEST_MEN;
        is_class.then(|| Material::of(men)).flatten()
    }

    /// The class of a name; none if it is not in the list or not written as there.
    pub(super) fn of_name(name: &str) -> Option<Material> {
        if !(FEWEST_MEN..=MOST_MEN).contains(&name.len()) {
            return None;
        }
        let mut men = Vec::new();
        let mut side = Side::White;
        for letter in name.chars() {
            let kind = kind_of(letter)?;
            if kind == Kind::King && !men.is_empty() {
                side = Side::Black;
            }
            men.push(Man { side, kind });
        }
        let (material, flipped) = Material::of(&men)?;
        (!flipped && material.name() == name).then_some(material)
    }

    /// The men in the order of the name.
    pub(super) fn men(&self) -> &[Man] {
        &self.men
    }

    /// The first and last places of men that are not told apart.
    pub(super) fn groups(&self) -> &[(usize, usize)] {
        &self.groups
    }

    /// The place of a side's king.
    pub(super) fn king(&self, side: Side) -> usize {
        match side {
            Side::White => 0,
            Side::Black => self.black_king,
        }
    }

    /// The name of the class.
    pub(super) fn name(&self) -> String {
        self.men.iter().map(|man| man.kind.letter()).collect()
    }

    /// How many pawns there are.
    pub(super) fn pawns(&self) -> usize {
        let pawns = self.men.iter().filter(|man| man.kind == Kind::Pawn);
        pawns.count()
    }

    /// Whether a side has a pawn.
    fn has_pawn(&self, side: Side) -> bool {
        let kind = Kind::Pawn;
        self.men.contains(&Man { side, kind })
    }

    /// Whether any side has a pawn.
    pub(super) fn has_pawns(&self) -> bool {
        self.has_pawns
    }

    /// Whether every raw state and every image is looked at: with three men.
    pub(super) fn is_small(&self) -> bool {
        self.men.len() == FEWEST_MEN
    }

    /// Whether the class is part of the draw sink: two bare kings, or a bishop or knight besides.
    pub(super) fn is_sink(&self) -> bool {
        matches!(self.name().as_str(), "KK" | "KBK" | "KNK")
    }

    /// Whether the payload has the field `starts`.
    pub(super) fn has_starts(&self) -> bool {
        !self.is_small()
    }

    /// Whether the payload has the fields of en-passant states.
    pub(super) fn has_en_passant(&self) -> bool {
        Side::BOTH.into_iter().all(|side| self.has_pawn(side))
    }

    /// The largest payload of a kind that a reader expands for the class.
    pub(super) fn longest_payload(&self, kind: CertificateKind) -> u64 {
        /// A tree has no more for a larger class.
        const LONGEST_ABSTRACTION: u64 = 1 << 26;
        let bytes_each: u64 = match kind {
            CertificateKind::Abstraction => return LONGEST_ABSTRACTION,
            CertificateKind::EndgameTable => 2,
            CertificateKind::Bisimulation => 24,
            // The last four are of no class, so this is not asked of them.
            CertificateKind::Bounds
            | CertificateKind::LocalProof
            | CertificateKind::Mate
            | CertificateKind::Bundle
            | CertificateKind::Orderings
            | CertificateKind::Proof => 128,
        };
        let kings = if self.has_pawns() { 32 } else { 10 };
        let others = self.men.len().saturating_sub(1) as u32;
        (bytes_each * kings).saturating_mul(64_u64.saturating_pow(others)) + (1 << 24)
    }

    /// The claims of the children that the class needs, in order: what is left after a capture, after a promotion, or
    /// after both at once.
    pub(super) fn needed_children(&self) -> BTreeSet<String> {
        let mut children = BTreeSet::new();
        let mut add = |men: &[Man]| {
            if let Some((child, _)) = Material::of(men).filter(|(child, _)| !child.is_sink()) {
                children.insert(child.claim());
            }
        };
        for captured in 0..self.men.len() {
            add(&self.after(Some(captured), None));
        }
        for (pawn, man) in self.men.iter().enumerate() {
            for kind in Kind::PROMOTIONS {
                if man.kind != Kind::Pawn {
                    continue;
                }
                add(&self.after(None, Some((pawn, kind))));
                for (captured, other) in self.men.iter().enumerate() {
                    if other.side != man.side && other.kind != Kind::Pawn {
                        add(&self.after(Some(captured), Some((pawn, kind))));
                    }
                }
            }
        }
        children
    }

    /// The men that are left when the man at a place is captured and the pawn at another becomes something else.
    pub(super) fn after(
        &self,
        captured: Option<usize>,
        promotion: Option<(usize, Kind)>,
    ) -> Vec<Man> {
        let men = self.men.iter().enumerate();
        men.filter(|&(place, _)| Some(place) != captured)
            .map(|(place, &man)| match promotion {
                Some((pawn, kind)) if pawn == place => Man { kind, ..man },
                _ => man,
            })
            .collect()
    }
}

/// The kind with a letter.
pub(super) fn kind_of(letter: char) -> Option<Kind> {
    use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
    [King, Queen, Rook, Bishop, Knight, Pawn]
        .into_iter()
        .find(|kind| kind.letter() == letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Material {
        /// The class of men whose letters are given as a name would, and whether colours are exchanged in it.
        pub(in super::super) fn of_letters(letters: &str) -> (Material, bool) {
            let mut kings = 0;
            let men = letters.chars().map(|letter| {
                kings += usize::from(letter == 'K');
                let side = if kings < 2 { Side::White } else { Side::Black };
                let kind = kind_of(letter).unwrap();
                Man { side, kind }
            });
            Material::of(&men.collect::<Vec<_>>()).unwrap()
        }
    }

    #[test]
    fn known_names_are_as_many_as_there_are_classes() {
        // With k kinds of men beside the kings there are C(n + 4, 4) ways to choose n men: 5, 15, 35 for one to three.
        // Three men: 5. Four: 15 against none and 15 pairs of one each. Five: 35 against none, 15 × 5 of two against one.
        let letters = ["K", "Q", "R", "B", "N", "P"];
        let mut names = vec![String::new()];
        let mut found = [0; 6];
        for length in 1..=6 {
            names = names
                .iter()
                .flat_map(|name| letters.map(|letter| format!("{name}{letter}")))
                .collect();
            let known = names
                .iter()
                .filter(|name| Material::of_name(name).is_some());
            found[length - 1] = known.count();
        }
        assert_eq!(found, [0, 0, 5, 30, 110, 0]);
    }
}
