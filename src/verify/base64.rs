//! Canonical base64: the standard alphabet with padding, RFC 4648 §4.
//!
//! Every four characters are three bytes. The last four may end in `=` for two bytes or in `==` for one; the bits
//! that are then unused are zero. No white space, no other character, no padding elsewhere: a list of bytes has
//! exactly one text.

use std::fmt::{self, Display};
use std::str::FromStr;

/// The bytes that a base64 text stands for.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Base64(pub(super) Vec<u8>);

impl FromStr for Base64 {
    type Err = NotCanonical;

    fn from_str(text: &str) -> Result<Base64, NotCanonical> {
        let (groups, rest) = text.as_bytes().as_chunks::<4>();
        if !rest.is_empty() {
            return Err(NotCanonical);
        }
        let mut bytes = Vec::with_capacity(3 * groups.len());
        let mut groups = groups.iter().peekable();
        while let Some(&group) = groups.next() {
            let is_last = groups.peek().is_none();
            let (characters, count) = match group {
                [a, b, b'=', b'='] if is_last => ([a, b, b'A', b'A'], 1),
                [a, b, c, b'='] if is_last => ([a, b, c, b'A'], 2),
                whole => (whole, 3),
            };
            let three = three_bytes(characters)?;
            let (used, unused) = three.split_at(count);
            if unused.iter().any(|&byte| byte != 0) {
                return Err(NotCanonical);
            }
            bytes.extend_from_slice(used);
        }
        Ok(Base64(bytes))
    }
}

/// The bytes of four characters of six bits each.
fn three_bytes(characters: [u8; 4]) -> Result<[u8; 3], NotCanonical> {
    let mut bits = 0;
    for character in characters {
        bits = bits << 6 | u32::from(six_bits(character)?);
    }
    let [_, bytes @ ..] = bits.to_be_bytes();
    Ok(bytes)
}

fn six_bits(character: u8) -> Result<u8, NotCanonical> {
    match character {
        b'A'..=b'Z' => Ok(character - b'A'),
        b'a'..=b'z' => Ok(character - b'a' + 26),
        b'0'..=b'9' => Ok(character - b'0' + 52),
        b'+' => Ok(62),
        b'/' => Ok(63),
        _ => Err(NotCanonical),
    }
}

/// The text is not the base64 of anything, or not its canonical base64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NotCanonical;

impl Display for NotCanonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not canonical base64")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Result<Vec<u8>, NotCanonical> {
        text.parse::<Base64>().map(|base64| base64.0)
    }

    #[test]
    fn the_vectors_of_the_standard() {
        // RFC 4648 §10.
        let vectors = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ];
        for (text, bytes) in vectors {
            assert_eq!(decoded(text), Ok(bytes.as_bytes().to_vec()));
        }
        assert_eq!(decoded("+/+/AP8="), Ok(vec![0xfb, 0xff, 0xbf, 0x00, 0xff]));
    }

    #[test]
    fn other_forms_are_refused() {
        let texts = [
            "Z",
            "Zg",
            "Zg=",
            "Zm8",
            "Zm9vY",
            "Zg===",
            "Zg==Zg==",
            "Zm8=Zm9v",
            "=",
            "====",
            "=m9v",
            "Z===",
            "Z=8=",
            "Zm=v",
            "Zh==",
            "Zv==",
            "Zm9=",
            "Zm/=",
            "Zm9v\n",
            " Zm9v",
            "Zm9 vYg=",
            "Zm-_",
            "Zm9v!Yg=",
            "Zm\u{e9}v",
            "Zm9vYg=A",
            "Zm9\0",
        ];
        for text in texts {
            assert_eq!(decoded(text), Err(NotCanonical), "{text:?}");
        }
    }

    #[test]
    fn each_list_of_bytes_has_one_text() {
        // Of the 2²⁴ texts of four characters over the alphabet and `=`, each that is accepted gives other bytes.
        let alphabet: Vec<u8> = (0..=255u8)
            .filter(|&c| c == b'=' || six_bits(c).is_ok())
            .collect();
        assert_eq!(alphabet.len(), 65);
        let mut seen = std::collections::HashSet::new();
        for &c in &alphabet {
            for &d in &alphabet {
                for &b in &alphabet {
                    let text = String::from_utf8(vec![b'x', b, c, d]).unwrap();
                    if let Ok(bytes) = decoded(&text) {
                        assert!(seen.insert(bytes), "{text}");
                    }
                }
            }
        }
        // `x` gives six bits: 4 × 256 × 256 triples, 4 × 256 pairs, 4 single bytes.
        assert_eq!(seen.len(), 4 * 65536 + 4 * 256 + 4);
    }
}
