//! The id of a certificate: SHA-256 of its format version, its kind, its ruleset and its expanded payload.
//!
//! The id names the content. It is the same for every codec and for both encodings, and it is the name by which one
//! certificate refers to another. It is written `sha256:` and 64 lower-case hexadecimal digits; no other spelling is
//! an id.
//!
//! Source: `docs/certificate-format.md`, *Identity*.

use std::fmt::{self, Display};
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::ruleset::ruleset;

/// The id of a certificate. `Display` and `FromStr` use the form `sha256:…`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id([u8; 32]);

impl Id {
    /// The 32 bytes of the digest.
    pub fn bytes(self) -> [u8; 32] {
        self.0
    }

    pub(super) fn from_bytes(bytes: [u8; 32]) -> Id {
        Id(bytes)
    }

    /// The id of a content, by its definition.
    pub(super) fn of_content(version: u32, kind: u32, payload: &[u8]) -> Id {
        Id::of_hash(Id::hash(version, kind).chain_update(payload))
    }

    /// The digest of what comes before the payload.
    pub(super) fn hash(version: u32, kind: u32) -> Sha256 {
        let hash = Sha256::new().chain_update(version.to_le_bytes());
        let hash = hash.chain_update(kind.to_le_bytes());
        hash.chain_update(ruleset().bytes())
    }

    /// The id of a content of which this is the digest.
    pub(super) fn of_hash(hash: Sha256) -> Id {
        Id(hash.finalize().into())
    }
}

impl Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Id {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Id, ParseIdError> {
        let digits = text.strip_prefix("sha256:").ok_or(ParseIdError)?.as_bytes();
        let (pairs, odd) = digits.as_chunks::<2>();
        if pairs.len() != 32 || !odd.is_empty() {
            return Err(ParseIdError);
        }
        let mut bytes = [0; 32];
        for (byte, &[high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = 16 * nibble(high)? + nibble(low)?;
        }
        Ok(Id(bytes))
    }
}

/// The value of a lower-case hexadecimal digit, 0 to 15.
fn nibble(digit: u8) -> Result<u8, ParseIdError> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(ParseIdError),
    }
}

/// The text is not an id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseIdError;

impl Display for ParseIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not `sha256:` and 64 lower-case hexadecimal digits")
    }
}

impl std::error::Error for ParseIdError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_the_digest_of_version_kind_ruleset_and_payload() {
        // Source: (printf '\001\0\0\0\001\0\0\0'; sha256sum docs/ruleset.txt | xxd -r -p; printf abc) | sha256sum
        let id = Id::of_content(1, 1, b"abc");
        let expected = "sha256:113db557bfeb19c270aea580683ef0158a6a85b2943bf30654c17823ef429a2e";
        assert_eq!(id.to_string(), expected);
        let others = [
            Id::of_content(2, 1, b"abc"),
            Id::of_content(1, 2, b"abc"),
            Id::of_content(1, 1, b"ab"),
        ];
        assert!(!others.contains(&id));
    }

    #[test]
    fn only_the_canonical_spelling_is_an_id() {
        let id = Id(std::array::from_fn(|i| (7 * i + 0x9a) as u8));
        let text = id.to_string();
        assert_eq!(text.parse(), Ok(id));
        assert!(text.starts_with("sha256:9aa1a8"));
        let wrong = [
            text.to_uppercase(),
            text.replace("sha256:", "sha256:A").replace('a', "A"),
            text.replace("sha256:", ""),
            text.replace("sha256:", "sha512:"),
            format!("{text}0"),
            format!("{text}00"),
            format!(" {text}"),
            text[..text.len() - 1].to_string(),
            text[..text.len() - 2].to_string(),
            text.replacen('a', "g", 2),
            format!("sha256:{}", "\u{e9}".repeat(32)),
            String::new(),
        ];
        for text in wrong {
            assert_eq!(text.parse::<Id>(), Err(ParseIdError), "{text}");
        }
    }
}
