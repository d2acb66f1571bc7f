//! False and malformed JSON texts.

use dchess::verify::Reason;

use super::support::forge::{id_text, ruleset};
use super::support::suite::Fixture;
use super::{KQK_JSON, KRK_JSON};

pub(super) fn false_texts() -> Vec<Fixture> {
    use Reason::*;
    let text = KQK_JSON.as_str();
    let edited = |text: &str, name, reasons, from: &str, to: &str| {
        assert!(text.contains(from), "{name}: the certificate has no {from}");
        Fixture::new(name, reasons, text.replacen(from, to, 1).into_bytes())
    };
    let replaced = |name, reasons, from: &str, to: &str| edited(text, name, reasons, from, to);
    let padded = |name, from: &str, to: &str| edited(&KRK_JSON, name, &[MalformedJson], from, to);
    vec![
        padded("JSON: no padding", "=\"", "\""),
        padded("JSON: too much padding", "8=\"", "8==\""),
        padded("JSON: unused bits that are set", "8=\"", "9=\""),
        replaced(
            "JSON: a changed count",
            &[IdMismatch],
            "\"edges\": 609873",
            "\"edges\": 609874",
        ),
        replaced(
            "JSON: a number with a fraction",
            &[MalformedJson],
            "609873",
            "609873.0",
        ),
        replaced(
            "JSON: a number with an exponent",
            &[MalformedJson],
            "609873",
            "609873e0",
        ),
        replaced(
            "JSON: a negative number",
            &[MalformedJson],
            "609873",
            "-609873",
        ),
        replaced(
            "JSON: a number as text",
            &[MalformedJson],
            "609873",
            "\"609873\"",
        ),
        replaced(
            "JSON: a number over 64 bits",
            &[MalformedJson],
            "609873",
            "18446744073709551616",
        ),
        replaced(
            "JSON: a duplicate key",
            &[MalformedJson],
            "\"edges\":",
            "\"edges\": 609873, \"edges\":",
        ),
        replaced(
            "JSON: an unknown key",
            &[MalformedJson],
            "\"edges\":",
            "\"edgs\": 1, \"edges\":",
        ),
        replaced(
            "JSON: a missing key",
            &[MalformedJson],
            "\"edges\": 609873,",
            "",
        ),
        replaced(
            "JSON: an unknown key inside",
            &[MalformedJson],
            "\"wins\":",
            "\"x\": 1, \"wins\":",
        ),
        replaced(
            "JSON: a duplicate key inside",
            &[MalformedJson],
            "\"wins\":",
            "\"wins\": 1, \"wins\":",
        ),
        replaced("JSON: a null", &[MalformedJson], "609873", "null"),
        replaced(
            "JSON: another format",
            &[MalformedJson],
            "\"format\": \"dchess\"",
            "\"format\": \"chess\"",
        ),
        replaced(
            "JSON: another version",
            &[UnknownVersion],
            "\"version\": 2",
            "\"version\": 1",
        ),
        replaced(
            "JSON: another ruleset",
            &[UnknownRuleset],
            &id_text(&ruleset()),
            &id_text(&[7; 32]),
        ),
        replaced(
            "JSON: another kind",
            &[UnknownKind],
            "\"endgame-table\"",
            "\"bound\"",
        ),
        replaced(
            "JSON: another id",
            &[IdMismatch],
            "\"id\": \"sha256:96",
            "\"id\": \"sha256:97",
        ),
        replaced(
            "JSON: an id in capitals",
            &[MalformedJson],
            "\"id\": \"sha256:",
            "\"id\": \"SHA256:",
        ),
        replaced(
            "JSON: white space in base64",
            &[MalformedJson],
            "\"values\": \"",
            "\"values\": \" ",
        ),
        replaced("JSON: a comment", &[MalformedJson], "{", "{ /* */ "),
        replaced(
            "JSON: a byte order mark",
            &[NotACertificate],
            "{",
            "\u{feff}{",
        ),
        replaced("JSON: a trailing comma", &[MalformedJson], "\n}", ",\n}"),
        Fixture::new(
            "JSON: trailing text",
            &[MalformedJson],
            format!("{text}x").into_bytes(),
        ),
        Fixture::new(
            "JSON: two documents",
            &[MalformedJson],
            format!("{text}{text}").into_bytes(),
        ),
        Fixture::new("JSON: an open brace", &[MalformedJson], b"{".to_vec()),
        Fixture::new(
            "JSON: deep nesting",
            &[MalformedJson],
            "{\"children\":".repeat(100_000).into_bytes(),
        ),
        Fixture::new(
            "JSON: deep brackets",
            &[MalformedJson],
            ["{\"format\":", &"[".repeat(1_000_000)]
                .concat()
                .into_bytes(),
        ),
    ]
}
