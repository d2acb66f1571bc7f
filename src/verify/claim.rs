//! The claims: `endgame <MATERIAL> board dtm` of an endgame table, `bisimulation <MATERIAL> board` and
//! `bounds <MATERIAL> board`. The latter two go on exactly if the class needs children: with `relative to child values`, and
//! with `from` and the names of all children. The claim of a local proof names a position in the place of the material; how
//! it is read is said in `root`. So does that of a mate, whose men may be any: it is of no class, and read in `mate_claim`.
//! That of an abstraction has numbers as well, and is read in `abstraction_claim`.
//! A bundle is of no class either, and its claim is read in `bundle_claim`; nor are orderings, with `orderings_claim`, nor is a
//! proof, with `proof_claim`, whose claim may be that of a local proof word for word.
//!
//! Words are separated by single spaces. A claim is matched as it stands: no other case, order, spelling or spacing is
//! known. What follows from it is the material, and with it which fields a payload has and which children a table needs. The rules profile `board` is the only one, and the rest of the island is written for it.
//!
//! Source: `docs/certificate-format.md`, *Claims* and *Children*.

use std::collections::BTreeSet;

use super::abstraction_claim::AbstractionClaim;
use super::certificate_kind::CertificateKind;
use super::mate_claim::MateClaim;
use super::material::{MOST_MEN, Material};
use super::orderings_claim::OrderingsClaim;
use super::proof_claim::ProofClaim;
use super::root::Root;
use super::{Reason, Refusal, bundle_claim};

impl Material {
    /// The claim of a table of the class.
    pub(super) fn claim(&self) -> String {
        format!("endgame {} board dtm", self.name())
    }

    /// The claim of a bisimulation of the class.
    pub(super) fn bisimulation_claim(&self) -> String {
        let claim = format!("bisimulation {} board", self.name());
        match self.needed_children().is_empty() {
            true => claim,
            false => format!("{claim} {RELATIVE}"),
        }
    }

    /// The claim of bounds of the class.
    pub(super) fn bounds_claim(&self) -> String {
        format!("bounds {} board{}", self.name(), self.children_clause())
    }

    /// How a claim ends that says from which children values are taken; nothing where none is needed.
    pub(super) fn children_clause(&self) -> String {
        let children = self.needed_children();
        let names = children.iter().map(|child| format!(" {}", name_in(child)));
        let from = if children.is_empty() { "" } else { " from" };
        let names = names.collect::<String>();
        format!("{from}{names}")
    }
}

/// The name of the class in the claim of a table; the claim itself if it is none.
pub(super) fn name_in(claim: &str) -> &str {
    claim.split(' ').nth(1).unwrap_or(claim)
}

/// Where the certificate with this claim comes among those that are verified together: the tables that it rests on have a
/// lower rank, since they have fewer men, or as many and fewer pawns. A claim that is not in the list has the lowest, and so
/// have those of a mate, of a bundle and of orderings, which rest on nothing. A proof may rest on any tables, also on that of
/// the class of its position, so what may be the claim of one has a higher rank than all tables.
pub fn rank(claim: &str) -> (usize, usize) {
    if class_of(CertificateKind::Proof, claim).is_ok() {
        return (MOST_MEN + 1, 0);
    }
    let men = |material: Material| (material.men().len(), material.pawns());
    material_of_any(claim).map_or((0, 0), men)
}

/// The claims of the tables that the certificate with a claim of any kind needs; none for kinds that are of no class, and if it
/// is not in the list.
pub(super) fn needed_by(claim: &str) -> BTreeSet<String> {
    let material = material_of_any(claim);
    material.map_or_else(BTreeSet::new, |material| material.needed_children())
}

/// The material of which a claim of any kind speaks; none for kinds that are of no class, and if it is not in the list.
fn material_of_any(claim: &str) -> Option<Material> {
    let mut kinds = CertificateKind::ALL.into_iter();
    kinds.find_map(|kind| class_of(kind, claim).ok()).flatten()
}

/// Whether a line is a claim: one of the list, of whatever kind.
pub fn is_claim(line: &str) -> bool {
    let mut kinds = CertificateKind::ALL.into_iter();
    kinds.any(|kind| class_of(kind, line).is_ok())
}

/// The class of which a claim of a kind speaks; none for a mate and a proof, whose positions may have any men, for a bundle and
/// for orderings.
pub(super) fn class_of(kind: CertificateKind, claim: &str) -> Result<Option<Material>, Refusal> {
    match kind {
        CertificateKind::Mate => MateClaim::of(claim).map(|_| None),
        CertificateKind::Bundle => bundle_claim::number_of_mates(claim).map(|_| None),
        CertificateKind::Orderings => OrderingsClaim::of(claim).map(|_| None),
        CertificateKind::Proof => ProofClaim::of(claim).map(|_| None),
        _ => material_of(kind, claim).map(Some),
    }
}

/// The claims of all tables that a certificate with this claim rests on, directly or not; none for a claim that is not in
/// the list.
pub fn supports(claim: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![claim.to_string()];
    while let Some(claim) = open.pop() {
        for child in needed_by(&claim) {
            if found.insert(child.clone()) {
                open.push(child);
            }
        }
    }
    found
}

/// The material of which the claim of an endgame table speaks.
pub(super) fn material_of_endgame(claim: &str) -> Result<Material, Refusal> {
    material_of(CertificateKind::EndgameTable, claim)
}

/// The material of which the claim of a bisimulation speaks.
pub(super) fn material_of_bisimulation(claim: &str) -> Result<Material, Refusal> {
    material_of(CertificateKind::Bisimulation, claim)
}

/// The material of which the claim of bounds speaks.
pub(super) fn material_of_bounds(claim: &str) -> Result<Material, Refusal> {
    material_of(CertificateKind::Bounds, claim)
}

/// How a bisimulation says that states of children are told apart by their values alone.
const RELATIVE: &str = "relative to child values";

/// The material of which a claim of a kind speaks.
///
/// Whether a line says of children what it should is known when its material and its profile are.
fn material_of(kind: CertificateKind, claim: &str) -> Result<Material, Refusal> {
    type Form = (
        &'static str,
        fn(Option<&str>) -> bool,
        fn(&Material) -> String,
    );
    let refusal = |reason| Refusal::new(reason, format_args!("claim: stored {claim}"));
    let unknown = || refusal(Reason::UnknownClaim);
    // The first word, whether the line can go on like this behind the profile, and the whole line.
    let (word, can_go_on, whole): Form = match kind {
        CertificateKind::EndgameTable => ("endgame", |rest| rest == Some("dtm"), Material::claim),
        CertificateKind::Bisimulation => (
            "bisimulation",
            |rest| rest.is_none_or(|rest| rest == RELATIVE),
            Material::bisimulation_claim,
        ),
        CertificateKind::Bounds => (
            "bounds",
            |rest| rest.is_none_or(names_children),
            Material::bounds_claim,
        ),
        CertificateKind::LocalProof => return Root::of(claim).map(|root| root.material),
        CertificateKind::Abstraction => {
            return AbstractionClaim::of(claim).map(|claim| claim.material);
        }
        // No line of these kinds speaks of a class.
        CertificateKind::Mate
        | CertificateKind::Bundle
        | CertificateKind::Orderings
        | CertificateKind::Proof => return Err(unknown()),
    };
    let mut words = claim.splitn(4, ' ');
    let (first, material, profile, rest) = (words.next(), words.next(), words.next(), words.next());
    let is_in_form = first == Some(word) && can_go_on(rest);
    let (Some(material), Some(profile), true) = (material, profile, is_in_form) else {
        return Err(unknown());
    };
    let material = Material::of_name(material).ok_or_else(|| refusal(Reason::UnknownMaterial))?;
    if profile != "board" {
        return Err(refusal(Reason::UnknownRulesProfile));
    }
    match claim == whole(&material) {
        true => Ok(material),
        false => Err(unknown()),
    }
}

/// Whether the end of a line says `from` and at least one word more.
pub(super) fn names_children(rest: &str) -> bool {
    rest.strip_prefix("from ")
        .is_some_and(|names| names.split(' ').all(|name| !name.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::super::material::MOST_MEN;
    use super::*;

    fn material(name: &str) -> Material {
        material_of_endgame(&format!("endgame {name} board dtm")).unwrap()
    }

    #[test]
    fn children() {
        let children = |name| {
            let claims = material(name).needed_children().into_iter();
            let names = claims.map(|claim| claim.split(' ').nth(1).unwrap().to_string());
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(children("KQK"), "");
        assert_eq!(children("KPK"), "KQK KRK");
        assert_eq!(children("KBNK"), "");
        assert_eq!(children("KQKR"), "KQK KRK");
        assert_eq!(children("KBKP"), "KBKB KBKN KPK KQK KQKB KRK KRKB");
        assert_eq!(children("KPKP"), "KBKP KNKP KPK KQKP KRKP");
        assert_eq!(children("KRPK"), "KPK KQRK KRBK KRK KRNK KRRK");
        assert!(!material("KPK").has_starts() && material("KRPK").has_starts());
        assert!(!material("KRPK").has_en_passant() && material("KPPKP").has_en_passant());
    }

    #[test]
    fn lines_of_the_list_are_claims() {
        for line in [
            "endgame KQK board dtm",
            "bisimulation KQK board",
            "bisimulation KPK board relative to child values",
            "bounds KQK board",
            "bounds KPK board from KQK KRK",
            "interval 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 board 1 1",
            "mate 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 in 3 shortest keys e1c1 e1g1",
            "mated 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 not in 0",
            "bundle of 600 mates",
            "orderings of 8 positions from seed 20260915",
            "abstraction KQK board horizon 3 decides 46137 states in 600 blocks",
            "abstraction KPK board horizon 1 decides 0 states in 2 blocks from KQK KRK",
        ] {
            assert!(is_claim(line), "{line}");
        }
        for line in [
            "",
            "KQK",
            "endgame KQK",
            "endgame KRKQ board dtm",
            "endgame KQK fcs dtm",
            "endgame KQK board dtm ",
            "bisimulation KPK board",
            "bounds KPK board",
            "interval KRK board 1 1",
            "mate KRK in 3",
            "bundle of 0 mates",
            "orderings of 0 positions from seed 1",
            "abstraction KQK board",
            "abstraction KPK board horizon 1 decides 0 states in 2 blocks",
            "mate 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 board in 3",
        ] {
            assert!(!is_claim(line), "{line}");
        }
    }

    #[test]
    fn children_have_lower_ranks() {
        let letters = ["K", "Q", "R", "B", "N", "P"];
        let mut names = vec![String::new()];
        for length in 1..=MOST_MEN {
            names = names
                .iter()
                .flat_map(|name| letters.map(|letter| format!("{name}{letter}")))
                .collect();
            for known in names.iter().filter_map(|name| Material::of_name(name)) {
                let children = known.needed_children();
                assert!(
                    children
                        .iter()
                        .all(|child| rank(child) < rank(&known.claim()))
                );
                // A place has room for all their names.
                let names: Vec<&str> = children.iter().map(|child| name_in(child)).collect();
                assert!(names.join(", ").len() <= 200, "{length}");
            }
        }
        assert_eq!(rank("endgame KRKQ board dtm"), (0, 0));
        assert_eq!(rank("mate 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 in 9"), (0, 0));
        assert_eq!(rank("bundle of 600 mates"), (0, 0));
        // A proof may rest on any tables.
        for claim in [
            "interval 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 board 1 1",
            "interval 8/8/8/8/8/2k5/1R6/K7 w - - 9 1 fcs 1 1",
        ] {
            assert!(is_claim(claim) && rank(claim) > rank("endgame KRPKP board dtm"));
        }
        assert_eq!(rank("orderings of 8 positions from seed 1"), (0, 0));
    }

    #[test]
    fn supports_are_children_and_their_children() {
        let names = |claim: &str| {
            let claims = supports(claim);
            let names: Vec<&str> = claims.iter().map(|claim| name_in(claim)).collect();
            names.join(" ")
        };
        assert_eq!(names("endgame KQK board dtm"), "");
        assert_eq!(
            names("endgame KBKP board dtm"),
            "KBKB KBKN KPK KQK KQKB KRK KRKB"
        );
        // A name that is not written as in the list.
        assert_eq!(names("endgame KPKN board dtm"), "");
        assert!(supports("endgame KRPKR board dtm").contains("endgame KRRK board dtm"));
        assert_eq!(supports("endgame KRPKR board dtm").len(), 17);
        // A mate rests on nothing, and a bundle neither.
        assert_eq!(names("mate 8/8/8/8/8/2k5/1P6/K7 w - - 0 1 in 9"), "");
        assert_eq!(names("bundle of 600 mates"), "");
        assert_eq!(names("orderings of 8 positions from seed 1"), "");
    }

    #[test]
    fn a_bisimulation_comes_after_the_tables_that_it_rests_on() {
        for name in ["KPK", "KBKP", "KPKP", "KRPKP"] {
            let material = material(name);
            let claim = material.bisimulation_claim();
            let needed = needed_by(&claim);
            assert_eq!(needed, material.needed_children());
            assert!(!needed.is_empty());
            assert!(
                needed.iter().all(|child| rank(child) < rank(&claim)),
                "{name}"
            );
        }
        assert_eq!(needed_by("bisimulation KBNK board"), BTreeSet::new());
        assert_eq!(rank("bisimulation KBNK board"), (4, 0));
        assert_eq!(
            rank("bisimulation KBNK board relative to child values"),
            (0, 0)
        );
        assert_eq!(needed_by("bisimulation KPK board"), BTreeSet::new());
    }

    #[test]
    fn a_bisimulation_says_whether_it_is_relative() {
        let absolute = "bisimulation KQK board";
        let relative = "bisimulation KQKR board relative to child values";
        for (claim, name) in [(absolute, "KQK"), (relative, "KQKR")] {
            let material = material_of_bisimulation(claim).unwrap();
            assert_eq!(
                (material.name().as_str(), material.bisimulation_claim()),
                (name, claim.to_string())
            );
        }
    }

    #[test]
    fn bounds_name_the_children_from_which_they_take_values() {
        for (claim, name) in [
            ("bounds KQK board", "KQK"),
            ("bounds KBNK board", "KBNK"),
            ("bounds KPK board from KQK KRK", "KPK"),
            (
                "bounds KBKP board from KBKB KBKN KPK KQK KQKB KRK KRKB",
                "KBKP",
            ),
        ] {
            let material = material_of_bounds(claim).unwrap();
            assert_eq!(material.name(), name);
            assert_eq!(material.bounds_claim(), claim);
            assert_eq!(needed_by(claim), material.needed_children());
            assert_eq!(rank(claim), rank(&material.claim()));
        }
    }

    #[test]
    fn a_local_proof_needs_the_children_of_its_class() {
        for (claim, name) in [
            ("interval 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 board 1 1", "KRK"),
            ("interval 8/8/8/8/8/2k5/1p6/K7 w - - 0 1 board -1 0", "KPK"),
            (
                "interval 7k/8/8/3pP3/8/8/r7/7K w - d6 0 1 board -1 1",
                "KRPKP",
            ),
        ] {
            let material = material_of(CertificateKind::LocalProof, claim).unwrap();
            assert_eq!(material.name(), name);
            assert_eq!(needed_by(claim), material.needed_children());
            // A proof may have the same claim, and rest on the class itself.
            assert!(rank(claim) > rank(&material.claim()));
            let others = CertificateKind::ALL.into_iter();
            let mut others = others.filter(|&kind| kind != CertificateKind::LocalProof);
            assert!(others.all(|kind| material_of(kind, claim).is_err()));
            assert!(material_of(CertificateKind::LocalProof, &material.claim()).is_err());
        }
    }

    #[test]
    fn every_other_line_of_bounds_is_refused() {
        use Reason::{UnknownClaim, UnknownMaterial, UnknownRulesProfile};
        let lines = [
            ("", UnknownClaim),
            ("bounds", UnknownClaim),
            ("bounds KQK", UnknownClaim),
            ("bounds KQK board ", UnknownClaim),
            (" bounds KQK board", UnknownClaim),
            ("bounds  KQK board", UnknownClaim),
            ("bounds KQK board dtm", UnknownClaim),
            ("bounds KQK board from", UnknownClaim),
            ("bounds KQK board from ", UnknownClaim),
            ("bounds KQK board from KRK", UnknownClaim),
            ("bound KQK board", UnknownClaim),
            ("bisimulation KQK board", UnknownClaim),
            ("endgame KQK board dtm", UnknownClaim),
            ("bounds KPK board", UnknownClaim),
            ("bounds KPK board from", UnknownClaim),
            ("bounds KPK board from KQK", UnknownClaim),
            ("bounds KPK board from KRK KQK", UnknownClaim),
            ("bounds KPK board from KQK KRK ", UnknownClaim),
            ("bounds KPK board from KQK  KRK", UnknownClaim),
            ("bounds KPK board from  KQK KRK", UnknownClaim),
            ("bounds KPK board  from KQK KRK", UnknownClaim),
            ("bounds KPK board from KQK KRK KRK", UnknownClaim),
            ("bounds KPK board from KQK, KRK", UnknownClaim),
            ("bounds KPK board From KQK KRK", UnknownClaim),
            ("bounds KPK board relative to child values", UnknownClaim),
            ("bounds KPK from KQK KRK", UnknownClaim),
            ("bounds KXK board", UnknownMaterial),
            ("bounds KRKQ board from KQK KRK", UnknownMaterial),
            ("bounds  board", UnknownMaterial),
            ("bounds KQK fcs", UnknownRulesProfile),
            ("bounds KPK fcs", UnknownRulesProfile),
            ("bounds KPK fcs from KQK", UnknownRulesProfile),
        ];
        for (line, reason) in lines {
            let found = material_of_bounds(line).unwrap_err();
            assert_eq!(found.reason, reason, "{line}");
        }
    }

    #[test]
    fn every_other_line_of_a_bisimulation_is_refused() {
        use Reason::{UnknownClaim, UnknownMaterial, UnknownRulesProfile};
        let lines = [
            ("", UnknownClaim),
            ("bisimulation", UnknownClaim),
            ("bisimulation KQK", UnknownClaim),
            ("endgame KQK board dtm", UnknownClaim),
            ("endgame KQK board", UnknownClaim),
            ("bisimulation KQK board dtm", UnknownClaim),
            ("Bisimulation KQK board", UnknownClaim),
            ("bisimulation KQK board ", UnknownClaim),
            (" bisimulation KQK board", UnknownClaim),
            ("bisimulation  KQK board", UnknownClaim),
            ("bisimulation KQK  board", UnknownClaim),
            (
                "bisimulation KQK board relative to child values",
                UnknownClaim,
            ),
            (
                "bisimulation KBNK board relative to child values",
                UnknownClaim,
            ),
            ("bisimulation KPK board", UnknownClaim),
            ("bisimulation KQKR board", UnknownClaim),
            ("bisimulation KPK board relative to child", UnknownClaim),
            (
                "bisimulation KPK board relative to child values ",
                UnknownClaim,
            ),
            (
                "bisimulation KPK board relative to child values too",
                UnknownClaim,
            ),
            (
                "bisimulation KPK board  relative to child values",
                UnknownClaim,
            ),
            (
                "bisimulation KPK board relative to  child values",
                UnknownClaim,
            ),
            (
                "bisimulation KPK board Relative to child values",
                UnknownClaim,
            ),
            ("bisimulation KPK relative to child values", UnknownClaim),
            ("bisimulation KRKQ board", UnknownMaterial),
            ("bisimulation kqk board", UnknownMaterial),
            ("bisimulation KK board", UnknownMaterial),
            ("bisimulation  board", UnknownMaterial),
            (
                "bisimulation KRKQ board relative to child values",
                UnknownMaterial,
            ),
            ("bisimulation KQK fcs", UnknownRulesProfile),
            ("bisimulation KQK ", UnknownRulesProfile),
            ("bisimulation KPK fcs", UnknownRulesProfile),
            (
                "bisimulation KPK fcs relative to child values",
                UnknownRulesProfile,
            ),
        ];
        for (line, reason) in lines {
            let found = material_of_bisimulation(line).unwrap_err();
            assert_eq!(found.reason, reason, "{line}");
        }
        assert!(material_of_endgame("bisimulation KQK board").is_err());
    }

    #[test]
    fn every_other_line_is_refused() {
        use Reason::{UnknownClaim, UnknownMaterial, UnknownRulesProfile};
        let lines = [
            ("", UnknownClaim),
            ("endgame", UnknownClaim),
            ("endgame KQK board", UnknownClaim),
            ("endgame KQK board dtm ", UnknownClaim),
            (" endgame KQK board dtm", UnknownClaim),
            ("endgame  KQK board dtm", UnknownClaim),
            ("endgame KQK board  dtm", UnknownClaim),
            ("endgame KQK board dtz", UnknownClaim),
            ("endgame KQK board dtm now", UnknownClaim),
            ("Endgame KQK board dtm", UnknownClaim),
            ("table KQK board dtm", UnknownClaim),
            ("endgame\tKQK board dtm", UnknownClaim),
            ("endgame  board dtm", UnknownMaterial),
            ("endgame kqk board dtm", UnknownMaterial),
            ("endgame KQvK board dtm", UnknownMaterial),
            ("endgame KKQ board dtm", UnknownMaterial),
            ("endgame KRKQ board dtm", UnknownMaterial),
            ("endgame KNBK board dtm", UnknownMaterial),
            ("endgame KKK board dtm", UnknownMaterial),
            ("endgame KQKPP board dtm", UnknownMaterial),
            ("endgame KQQQQK board dtm", UnknownMaterial),
            ("endgame KK fcs dtm", UnknownMaterial),
            ("endgame KQK fcs dtm", UnknownRulesProfile),
            ("endgame KQK Board dtm", UnknownRulesProfile),
            ("endgame KQK  dtm", UnknownRulesProfile),
        ];
        for (line, reason) in lines {
            assert_eq!(
                material_of_endgame(line).unwrap_err().reason,
                reason,
                "{line}"
            );
        }
    }
}
