//! The frozen rules: a text, and its digest, by which every certificate names it.

use sha2::{Digest, Sha256};

/// The version that the text gives itself.
pub const RULESET_VERSION: u32 = 1;

/// The text: the games *board* and *FCS-2023*, with the articles of the Laws.
pub const RULESET_TEXT: &str = include_str!("../../docs/ruleset.txt");

/// SHA-256 of the text.
pub fn ruleset_digest() -> [u8; 32] {
    Sha256::digest(RULESET_TEXT.as_bytes()).into()
}
