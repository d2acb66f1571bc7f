//! The kinds of certificates: what a claim can be about.
//!
//! Source: `docs/certificate-format.md`, *Binary container* and *JSON*.

use super::read::LONGEST_PAYLOAD;

/// The longest payload of a bundle, stored or expanded, in bytes.
const LONGEST_BUNDLE: u64 = 1 << 40;

/// A kind of certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CertificateKind {
    EndgameTable,
    Bisimulation,
    Bounds,
    LocalProof,
    Mate,
    Bundle,
    Orderings,
    Abstraction,
    Proof,
}

impl CertificateKind {
    /// All kinds of the format page.
    pub(super) const ALL: [CertificateKind; 9] = [
        CertificateKind::EndgameTable,
        CertificateKind::Bisimulation,
        CertificateKind::Bounds,
        CertificateKind::LocalProof,
        CertificateKind::Mate,
        CertificateKind::Bundle,
        CertificateKind::Orderings,
        CertificateKind::Abstraction,
        CertificateKind::Proof,
    ];

    /// The number in a container.
    pub(super) fn number(self) -> u32 {
        match self {
            CertificateKind::EndgameTable => 1,
            CertificateKind::Bisimulation => 2,
            CertificateKind::Bounds => 3,
            CertificateKind::LocalProof => 4,
            CertificateKind::Mate => 5,
            CertificateKind::Bundle => 6,
            CertificateKind::Orderings => 7,
            CertificateKind::Abstraction => 8,
            CertificateKind::Proof => 9,
        }
    }

    /// The name in JSON. (A bundle has a name, but no text.)
    pub(super) fn name(self) -> &'static str {
        match self {
            CertificateKind::EndgameTable => "endgame-table",
            CertificateKind::Bisimulation => "bisimulation",
            CertificateKind::Bounds => "bounds",
            CertificateKind::LocalProof => "local-proof",
            CertificateKind::Mate => "mate",
            CertificateKind::Bundle => "bundle",
            CertificateKind::Orderings => "orderings",
            CertificateKind::Abstraction => "abstraction",
            CertificateKind::Proof => "proof",
        }
    }

    /// The longest payload, stored or expanded, in bytes.
    pub(super) fn longest_payload(self) -> u64 {
        match self {
            CertificateKind::Bundle => LONGEST_BUNDLE,
            _ => LONGEST_PAYLOAD,
        }
    }

    /// The kind with a number.
    pub(super) fn of_number(number: u32) -> Option<CertificateKind> {
        let mut all = CertificateKind::ALL.into_iter();
        all.find(|kind| kind.number() == number)
    }

    /// The kind with a name.
    pub(super) fn of_name(name: &str) -> Option<CertificateKind> {
        let mut all = CertificateKind::ALL.into_iter();
        all.find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_those_of_the_page() {
        let table = CertificateKind::EndgameTable;
        let bisimulation = CertificateKind::Bisimulation;
        let of_number = CertificateKind::of_number;
        let (bounds, local) = (CertificateKind::Bounds, CertificateKind::LocalProof);
        let (mate, bundle) = (CertificateKind::Mate, CertificateKind::Bundle);
        let (orderings, abstraction) = (CertificateKind::Orderings, CertificateKind::Abstraction);
        let proof = CertificateKind::Proof;
        let all = [
            table,
            bisimulation,
            bounds,
            local,
            mate,
            bundle,
            orderings,
            abstraction,
            proof,
        ]
        .map(Some);
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8, 9].map(of_number), all);
        for number in [0, 10, 1 << 16, 1 << 24, u32::MAX] {
            assert_eq!(of_number(number), None);
        }
        let of_name = CertificateKind::of_name;
        let names = [
            "endgame-table",
            "bisimulation",
            "bounds",
            "local-proof",
            "mate",
            "bundle",
            "orderings",
            "abstraction",
            "proof",
        ];
        assert_eq!(names.map(of_name), all);
        for name in ["", "endgame", "Bisimulation", "bounds ", "bound", "3"] {
            assert_eq!(of_name(name), None);
        }
        for name in [
            "local proof",
            "local_proof",
            "interval",
            "local",
            "mated",
            "bundles",
            "ordering",
            "abstractions",
            "proofs",
        ] {
            assert_eq!(of_name(name), None);
        }
    }
}
