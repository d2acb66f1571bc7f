//! The ruleset: the frozen text that says what the words of a claim mean. It is named by its digest.
//!
//! Source: `docs/certificate-format.md`, *Conventions*.

use super::Id;

/// The name of the ruleset that this verifier was written for.
pub(super) fn ruleset() -> Id {
    Id::from_bytes([
        0xbe, 0x69, 0x84, 0x3d, 0xe8, 0x97, 0x55, 0x39, 0x73, 0x2e, 0xa1, 0x2d, 0x72, 0x27, 0x8d,
        0xb1, 0xfb, 0xea, 0x22, 0x21, 0xc5, 0x4b, 0xae, 0xfc, 0xa2, 0x9a, 0xe9, 0x31, 0xb9, 0x90,
        0x3d, 0x97,
    ])
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_name_is_the_digest_of_the_text() {
        let text = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/ruleset.txt"));
        assert_eq!(ruleset(), Id::from_bytes(Sha256::digest(text).into()));
    }
}
