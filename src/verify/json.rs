//! The JSON form of a certificate: the same content as text.
//!
//! The text is read twice. The heading (format, version, kind, ruleset) first, whatever else the object holds, since a later
//! version may have other keys; then the whole object, with exactly the keys of its kind. At every level a key that
//! is unknown, missing or given twice is an error. The content is then written as a payload, whose id has to be the
//! one in the text.
//!
//! Source: `docs/certificate-format.md`, *JSON* and *Payload*.

use serde::Deserialize;

use super::certificate_kind::CertificateKind;
use super::fields;
use super::json_objects::{
    AbstractionObject, BisimulationObject, BoundsObject, EndgameObject, LocalProofObject,
    MateObject, ProofObject,
};
use super::json_orderings::OrderingsObject;
use super::json_value::{Number, Text};
use super::read::{LONGEST_PAYLOAD, VERSION};
use super::refusal::one_line;
use super::ruleset::ruleset;
use super::{Certificate, Encoding, Id, Reason, Refusal, payload};

/// Reads a text, the whole file.
pub(super) fn read(text: &[u8]) -> Result<Certificate, Refusal> {
    check_utf_8(text)?;
    let heading: Heading = whole(text)?;
    if heading.format != "dchess" {
        let place = format_args!("format: {}", heading.format);
        return Err(Refusal::new(Reason::MalformedJson, place));
    }
    if heading.version.0 != VERSION {
        let place = format_args!("version: {}", heading.version.0);
        return Err(Refusal::new(Reason::UnknownVersion, place));
    }
    let unknown_kind = || {
        let place = format_args!("kind: {}", heading.kind);
        Refusal::new(Reason::UnknownKind, place)
    };
    let kind = CertificateKind::of_name(&heading.kind).ok_or_else(unknown_kind)?;
    let named = whole::<Ruleset>(text)?.ruleset.0;
    if named != ruleset() {
        let place = format_args!("ruleset: {named}");
        return Err(Refusal::new(Reason::UnknownRuleset, place));
    }
    let content = match kind {
        CertificateKind::EndgameTable => whole::<EndgameObject>(text)?.content()?,
        CertificateKind::Bisimulation => whole::<BisimulationObject>(text)?.content()?,
        CertificateKind::Bounds => whole::<BoundsObject>(text)?.content()?,
        CertificateKind::LocalProof => whole::<LocalProofObject>(text)?.content()?,
        CertificateKind::Mate => whole::<MateObject>(text)?.content()?,
        // A bundle is binary only.
        CertificateKind::Bundle => return Err(unknown_kind()),
        CertificateKind::Orderings => whole::<OrderingsObject>(text)?.content()?,
        CertificateKind::Abstraction => whole::<AbstractionObject>(text)?.content()?,
        CertificateKind::Proof => whole::<ProofObject>(text)?.content()?,
    };
    fields::check_number_of_children(content.children.len() as u64)?;
    let mut claims = content.children.iter().map(|child| &child.claim);
    claims.try_for_each(|claim| fields::check_claim_of_child(claim))?;
    let (claim, material) = (&content.claim, content.material.as_ref());
    let payload = payload::write(claim, material, &content.children, &content.body);
    if payload.len() as u64 > LONGEST_PAYLOAD {
        let place = format_args!(
            "the payload of {} bytes, the limit is {LONGEST_PAYLOAD}",
            payload.len()
        );
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    let id = Id::of_content(VERSION, kind.number(), &payload);
    let stored = content.id;
    if stored != id {
        let place = format_args!("id: stored {stored}, found {id}");
        return Err(Refusal::new(Reason::IdMismatch, place).of(id));
    }
    Ok(Certificate {
        version: VERSION,
        encoding: Encoding::Json,
        bytes: text.len() as u64,
        expanded_bytes: payload.len() as u64,
        id,
        claim: content.claim,
        children: content.children,
        body: content.body,
    })
}

/// Refuses a text that is not UTF-8, which the JSON reader does not notice in what it passes over.
fn check_utf_8(text: &[u8]) -> Result<(), Refusal> {
    let Err(error) = std::str::from_utf8(text) else {
        return Ok(());
    };
    let before = text.get(..error.valid_up_to()).unwrap_or_default();
    let lines = before.split(|&byte| byte == b'\n');
    let (line, column) = lines.fold((0, 0), |(line, _), bytes| (line + 1, bytes.len() + 1));
    let place = format_args!("line {line} column {column}: not UTF-8");
    Err(Refusal::new(Reason::MalformedJson, place))
}

/// The object of a kind that a text is.
fn whole<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, Refusal> {
    serde_json::from_slice(text).map_err(malformed)
}

/// The refusal for an error of the JSON reader: its line and column first, since the rest may be cut off.
fn malformed(error: serde_json::Error) -> Refusal {
    let position = format!("line {} column {}", error.line(), error.column());
    let text = one_line(&error);
    let what = text
        .strip_suffix(&format!(" at {position}"))
        .unwrap_or(&text);
    Refusal::new(Reason::MalformedJson, format_args!("{position}: {what}"))
}

/// What every version and kind has, among other keys.
#[derive(Deserialize)]
struct Heading {
    format: String,
    version: Number<u32>,
    kind: String,
}

/// What every kind of this version has as well.
#[derive(Deserialize)]
struct Ruleset {
    ruleset: Text<Id>,
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// The example of `certificate` as text, with `id` in the place of its id.
    fn text(id: &str) -> String {
        let ruleset = ruleset();
        format!(
            r#"{{"format": "dchess", "version": 2, "kind": "endgame-table", "id": "{id}", "ruleset": "{ruleset}",
            "claim": "endgame KQK board dtm",
            "children": [{{"claim": "a child", "id": "sha256:{child}"}}],
            "raw_states": 1, "states": 2, "edges": 3, "legal_moves": 4, "symmetry_comparisons": 5,
            "checkmates": 6, "stalemates": 7,
            "by_side": {{"white": {{"wins": 8, "losses": 9, "draws": 10}},
                        "black": {{"wins": 11, "losses": 12, "draws": 18446744073709551615}}}},
            "max_dtm_plies": 3597, "max_dtm_states": 15, "longest_line": ["a1b2", "e7e8q"],
            "values": "EP8A", "policy": "AAD//w=="}}"#,
            child = "c1".repeat(32),
        )
    }

    fn good() -> (Certificate, String) {
        let mut certificate = Certificate::example(Encoding::Json);
        let text = text(&certificate.id.to_string());
        certificate.bytes = text.len() as u64;
        (certificate, text)
    }

    fn refusal(text: impl AsRef<[u8]>) -> Refusal {
        read(&mut text.as_ref()).unwrap_err()
    }

    #[test]
    fn a_good_text_is_read() {
        let (certificate, text) = good();
        assert_eq!(read(&mut text.as_bytes()), Ok(certificate.clone()));
        let spaced = format!("{text} \n\t\r ");
        assert_eq!(read(&mut spaced.as_bytes()).unwrap().id, certificate.id);
        let escaped = text
            .replace("dchess", r"d\u0063hess")
            .replace("EP8A", r"EP8\u0041");
        assert_ne!(escaped, text);
        assert_eq!(read(&mut escaped.as_bytes()).unwrap().id, certificate.id);
    }

    #[test]
    fn the_order_of_keys_is_free() {
        let (certificate, text) = good();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            refusal(value["by_side"].to_string()).reason,
            Reason::MalformedJson
        );
        // serde_json sorts the keys of a value.
        let sorted = value.to_string();
        assert!(sorted.starts_with(r#"{"by_side""#));
        assert_eq!(read(&mut sorted.as_bytes()).unwrap().body, certificate.body);
    }

    #[test]
    fn another_id_is_a_mismatch_and_the_right_one_is_told() {
        let (certificate, _) = good();
        let other = Id::from_bytes([7; 32]);
        let found = refusal(text(&other.to_string()));
        assert_eq!(found.reason, Reason::IdMismatch);
        assert_eq!(found.id, Some(certificate.id));
        assert!(
            found.place.contains(&other.to_string())
                && found.place.ends_with(&certificate.id.to_string())
        );
    }

    #[test]
    fn every_changed_content_has_another_id() {
        let (_, text) = good();
        let changes = [
            ("KQK", "KRK"),
            ("a child", "a chile"),
            ("c1c1", "c1c2"),
            ("\"raw_states\": 1", "\"raw_states\": 0"),
            ("\"wins\": 8", "\"wins\": 9"),
            ("\"draws\": 10", "\"draws\": 11"),
            ("3597", "3598"),
            ("a1b2", "a1b3"),
            ("e7e8q", "e7e8"),
            ("\"a1b2\", ", ""),
            ("EP8A", "EP8B"),
            ("EP8A", "EP8="),
            ("AAD//w==", "AAD//g=="),
            ("AAD//w==", ""),
        ];
        for (from, to) in changes {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text);
            assert_eq!(refusal(changed).reason, Reason::IdMismatch, "{from} {to}");
        }
    }

    #[test]
    fn the_heading_comes_before_everything_else() {
        let (_, text) = good();
        let changes = [
            (
                "\"version\": 2",
                "\"version\": 1, \"new\": [[{}]]",
                Reason::UnknownVersion,
            ),
            ("\"version\": 2", "\"version\": 0", Reason::UnknownVersion),
            ("endgame-table", "endgame-tables", Reason::UnknownKind),
            ("endgame-table", "bundle", Reason::UnknownKind),
            ("endgame-table", "", Reason::UnknownKind),
            ("dchess", "chess", Reason::MalformedJson),
            ("dchess", "dchess ", Reason::MalformedJson),
        ];
        for (from, to, reason) in changes {
            let found = refusal(text.replacen(from, to, 1));
            assert_eq!((found.reason, found.id), (reason, None), "{from} {to}");
        }
    }

    #[test]
    fn other_shapes_are_malformed() {
        let (_, text) = good();
        let changes = [
            // Wrong types, ranges and spellings.
            ("\"version\": 2", "\"version\": 2.0"),
            ("\"version\": 2", "\"version\": \"2\""),
            ("\"version\": 2", "\"version\": 4294967297"),
            ("\"raw_states\": 1", "\"raw_states\": 1.0"),
            ("\"raw_states\": 1", "\"raw_states\": 1e0"),
            ("\"raw_states\": 1", "\"raw_states\": -1"),
            ("\"raw_states\": 1", "\"raw_states\": -0"),
            ("\"raw_states\": 1", "\"raw_states\": +1"),
            ("\"raw_states\": 1", "\"raw_states\": 01"),
            ("\"raw_states\": 1", "\"raw_states\": \"1\""),
            ("\"raw_states\": 1", "\"raw_states\": null"),
            ("\"raw_states\": 1", "\"raw_states\": true"),
            ("\"raw_states\": 1", "\"raw_states\": [1]"),
            ("18446744073709551615", "18446744073709551616"),
            ("3597", "65536"),
            ("\"a1b2\"", "null"),
            ("\"a1b2\"", "576"),
            ("a1b2", "a1a1"),
            ("a1b2", "a1b9"),
            ("a1b2", "A1b2"),
            ("e7e8q", "e7e8k"),
            ("e7e8q", "e7-e8q"),
            ("[\"a1b2\", \"e7e8q\"]", "\"a1b2 e7e8q\""),
            ("EP8A", "EP8"),
            ("EP8A", "EP8A\\n"),
            ("EP8A", "EP 8A"),
            ("AAD//w==", "AAD//w"),
            ("AAD//w==", "AAD//x=="),
            ("AAD//w==", "AAD__w=="),
            ("AAD//w==", "AAD/"),
            ("sha256:c1", "sha256:C1"),
            ("sha256:c1", "c1"),
            ("a child", "a ch\u{ef}ld"),
            ("KQK", "KQK\\n"),
            ("KQK", "KQK\\u0000"),
            ("KQK", "KQK\\ud800"),
            // Arrays in the place of objects.
            ("{\"wins\": 8, \"losses\": 9, \"draws\": 10}", "[8, 9, 10]"),
            ("[{\"claim\": \"a child\", ", "[[\"a child\"], {"),
            // Keys.
            ("\"states\": 2,", ""),
            ("\"states\": 2,", "\"states\": 2, \"states\": 2,"),
            ("\"states\": 2,", "\"states\": 2, \"state\": 2,"),
            ("\"states\": 2,", "\"states\": 2, \"white_wins\": 8,"),
            ("\"format\"", "\"Format\""),
            ("\"format\": \"dchess\",", ""),
            ("\"version\": 2,", "\"version\": 2, \"version\": 2,"),
            ("\"kind\"", "\"format\": \"dchess\", \"kind\""),
            ("\"wins\": 8", "\"wins\": 8, \"wins\": 8"),
            ("\"wins\": 8", "\"wins\": 8, \"x\": 8"),
            ("\"wins\": 8,", ""),
            ("\"white\"", "\"red\""),
            ("\"by_side\": {", "\"by_side\": {\"red\": 1, "),
            (
                "\"claim\": \"a child\"",
                "\"claim\": \"a child\", \"claim\": \"a child\"",
            ),
            ("\"claim\": \"a child\",", ""),
            (
                "\"claim\": \"a child\"",
                "\"claim\": \"a child\", \"kind\": 1",
            ),
            // Not JSON.
            ("\"states\": 2,", "\"states\": 2,,"),
            ("\"states\": 2,", "\"states\": 2, // two\n"),
            ("\"states\": 2,", "states: 2,"),
            ("\"AAD//w==\"}", "\"AAD//w==\",}"),
            ("\"AAD//w==\"}", "\"AAD//w==\"}}"),
            ("\"AAD//w==\"}", "\"AAD//w==\"} x"),
            ("\"AAD//w==\"}", "\"AAD//w==\"}\0"),
            ("\"AAD//w==\"}", "\"AAD//w==\"}{}"),
            ("\"AAD//w==\"}", "\"AAD//w==\"} \u{a0}"),
        ];
        for (from, to) in changes {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            let found = refusal(&changed);
            assert_eq!(
                (found.reason, found.id),
                (Reason::MalformedJson, None),
                "{from} {to}"
            );
            assert!(
                found.place.starts_with("line ") || found.place.starts_with("format"),
                "{found}"
            );
        }
        for length in 1..text.len() {
            assert_eq!(
                refusal(&text[..length]).reason,
                Reason::MalformedJson,
                "{length}"
            );
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_malformed() {
        let (_, text) = good();
        let at = text.find("a child").unwrap();
        let mut bytes = text.into_bytes();
        bytes[at] = 0xff;
        let found = refusal(&bytes);
        assert_eq!(found.reason, Reason::MalformedJson);
        assert_eq!(found.place, "line 3 column 37: not UTF-8");
        // Also where nothing but the heading is looked at, and in keys that are passed over.
        for text in [
            &b"{\"format\": \"dchess\", \"version\": 1, \"kind\": \"x\", \"y\": \"\xff\"}"[..],
            b"{\"format\": \"dchess\", \"version\": 2, \"kind\": \"x\", \"\xc3\": 1}",
            b"{\"\xed\xa0\x80\": [], \"format\": \"dchess\", \"version\": 2, \"kind\": \"x\"}",
            b"{\"format\": \"dchess\", \"version\": 1, \"kind\": \"x\", \"y\": \"\x80\"}",
        ] {
            let found = refusal(text);
            assert_eq!(found.reason, Reason::MalformedJson, "{found}");
        }
    }

    #[test]
    fn places_begin_with_line_and_column_and_are_short() {
        let (_, text) = good();
        let key = "\\u001b[2J".to_string() + &"x".repeat(1000);
        let found = refusal(text.replacen("\"states\"", &format!("\"{key}\""), 1));
        assert!(found.place.starts_with("line 4 column "), "{found}");
        assert!(found.place.len() < 300 && found.place.is_ascii());
        assert_eq!(refusal("{x").place, "line 1 column 2: key must be a string");
    }

    #[test]
    fn conditional_keys_are_there_exactly_where_the_claim_asks_for_them() {
        let (_, text) = good();
        let starts = r#""starts": "AQAAAAAAAAA=","#;
        let en_passant =
            r#""en_passant_raw_states": 2, "en_passant_states": 1, "en_passant_values": "/w==","#;
        let all = [starts, en_passant].concat();
        for (name, keys) in [("KQK", ""), ("KBNK", starts), ("KPKP", all.as_str())] {
            for present in ["", starts, en_passant, all.as_str()] {
                let with = text
                    .replacen("\"states\"", &format!("{present}\"states\""), 1)
                    .replacen("KQK", name, 1);
                let good = read(&mut with.as_bytes());
                let wanted = match present == keys {
                    true => Reason::IdMismatch,
                    false => Reason::MalformedJson,
                };
                match good {
                    Ok(certificate) => assert_eq!(
                        (certificate.claim.as_str(), present),
                        ("endgame KQK board dtm", "")
                    ),
                    Err(refusal) => assert_eq!(refusal.reason, wanted, "{name} {present}"),
                }
            }
        }
        for bad in [
            r#""starts": null,"#,
            r#""starts": "AQAAAAAAAA==","#,
            r#""starts": [1],"#,
        ] {
            let with = text.replacen("\"states\"", &format!("{bad}\"states\""), 1);
            assert_eq!(
                refusal(with.replacen("KQK", "KBNK", 1)).reason,
                Reason::MalformedJson
            );
            assert_eq!(refusal(with).reason, Reason::MalformedJson);
        }
    }

    /// The example of a bisimulation as text.
    fn text_of_bisimulation(id: &str) -> String {
        let ruleset = ruleset();
        format!(
            r#"{{"format": "dchess", "version": 2, "kind": "bisimulation", "id": "{id}", "ruleset": "{ruleset}",
            "claim": "bisimulation KQK board",
            "children": [{{"claim": "a child", "id": "sha256:{child}"}}],
            "states": 1, "edges": 18446744073709551615,
            "blocks_per_round": [2, 3, 1099511627776],
            "map": "BAAAAAUAAAD/////", "parents": "BgAAAA==", "split_rounds": "BwAAAAQDAgE="}}"#,
            child = "c1".repeat(32),
        )
    }

    #[test]
    fn a_good_text_of_a_bisimulation_is_read() {
        let mut certificate = Certificate::example_of_bisimulation(Encoding::Json);
        let text = text_of_bisimulation(&certificate.id.to_string());
        certificate.bytes = text.len() as u64;
        assert_eq!(read(&mut text.as_bytes()), Ok(certificate.clone()));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let sorted = value.to_string();
        assert!(sorted.starts_with(r#"{"blocks_per_round""#));
        assert_eq!(read(&mut sorted.as_bytes()).unwrap().body, certificate.body);
    }

    #[test]
    fn every_changed_content_of_a_bisimulation_has_another_id() {
        let id = Certificate::example_of_bisimulation(Encoding::Json).id;
        let text = text_of_bisimulation(&id.to_string());
        let changes = [
            ("KQK", "KRK"),
            ("a child", "a chile"),
            ("\"states\": 1", "\"states\": 0"),
            ("18446744073709551615", "0"),
            ("[2, 3,", "[2, 4,"),
            ("[2, 3,", "[2,"),
            ("BAAAAAUAAAD/////", "BAAAAAUAAAD////+"),
            ("BAAAAAUAAAD/////", ""),
            ("BgAAAA==", "BwAAAA=="),
            ("BwAAAAQDAgE=", "BwAAAA=="),
        ];
        for (from, to) in changes {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text);
            assert_eq!(refusal(changed).reason, Reason::IdMismatch, "{from} {to}");
        }
        // The same content under another kind is another one, and has other keys.
        let table = text.replacen("\"bisimulation\"", "\"endgame-table\"", 1);
        assert_eq!(refusal(table).reason, Reason::MalformedJson);
    }

    #[test]
    fn other_shapes_of_a_bisimulation_are_malformed() {
        let text = text_of_bisimulation(&Id::from_bytes([7; 32]).to_string());
        assert_eq!(refusal(&text).reason, Reason::IdMismatch);
        let en_passant = "\"states\": 1, \"en_passant_states\": 2,";
        let changes = [
            ("\"states\": 1", "\"states\": -1"),
            ("\"states\": 1", "\"states\": null"),
            ("18446744073709551615", "18446744073709551616"),
            ("[2, 3,", "[2, -3,"),
            ("[2, 3,", "[2, \"3\","),
            ("[2, 3, 1099511627776]", "\"2 3\""),
            ("[2, 3, 1099511627776]", "{}"),
            ("[2, 3, 1099511627776]", "2"),
            // Bytes left over.
            ("BgAAAA==", "BgAAAAA="),
            ("BgAAAA==", "BgAA"),
            ("BgAAAA==", "BgAAAA"),
            ("BgAAAA==", "BgAAAB=="),
            ("\"BgAAAA==\"", "[6]"),
            ("BAAAAAUAAAD/////", "BAAAAAUAAAD____/"),
            // Keys.
            ("\"states\": 1,", ""),
            ("\"states\": 1,", "\"states\": 1, \"states\": 1,"),
            ("\"states\": 1,", "\"states\": 1, \"raw_states\": 1,"),
            ("\"map\"", "\"Map\""),
            ("\"map\": \"BAAAAAUAAAD/////\",", ""),
            ("\"children\"", "\"child\""),
            ("\"states\": 1,", en_passant),
            (
                "\"states\": 1,",
                "\"states\": 1, \"en_passant_states\": null,",
            ),
        ];
        for (from, to) in changes {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            let found = refusal(&changed);
            let wanted = (Reason::MalformedJson, None);
            assert_eq!((found.reason, found.id), wanted, "{from} {to}");
        }
        // Where both sides have a pawn the key has to be there.
        let claim = "KPKP board relative to child values";
        let lacking = text.replacen("KQK board", claim, 1);
        assert_eq!(refusal(&lacking).reason, Reason::MalformedJson);
        let whole = lacking.replacen("\"states\": 1,", en_passant, 1);
        assert_eq!(refusal(whole).reason, Reason::IdMismatch);
        // The claim is judged before that, and is one of its kind.
        for (claim, reason) in [
            ("KPKP board", Reason::UnknownClaim),
            ("KQK board relative to child values", Reason::UnknownClaim),
            ("KXK board", Reason::UnknownMaterial),
            ("KQK fcs", Reason::UnknownRulesProfile),
        ] {
            let changed = text.replacen("KQK board", claim, 1);
            assert_eq!(refusal(changed).reason, reason, "{claim}");
        }
    }

    /// The example of bounds as text.
    fn text_of_bounds(id: &str) -> String {
        let ruleset = ruleset();
        format!(
            r#"{{"format": "dchess", "version": 2, "kind": "bounds", "id": "{id}", "ruleset": "{ruleset}",
            "claim": "bounds KQK board",
            "children": [{{"claim": "a child", "id": "sha256:{child}"}}],
            "states": 1, "edges": 18446744073709551615, "rounds": 770,
            "white_wins": "BAD//w==", "black_wins": "BQA=", "white_holds": "Bgc=",
            "black_holds": "CAAJAAoA", "dominators": "C/8A", "deletion_rounds": "DAD//w==",
            "deleted_strict": 13, "deleted_equal": 14, "deleted_open": 1099511627776}}"#,
            child = "c1".repeat(32),
        )
    }

    #[test]
    fn a_good_text_of_bounds_is_read() {
        let mut certificate = Certificate::example_of_bounds(Encoding::Json);
        let text = text_of_bounds(&certificate.id.to_string());
        certificate.bytes = text.len() as u64;
        assert_eq!(read(&mut text.as_bytes()), Ok(certificate.clone()));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let sorted = value.to_string();
        assert!(sorted.starts_with(r#"{"black_holds""#));
        assert_eq!(read(&mut sorted.as_bytes()).unwrap().body, certificate.body);
    }

    #[test]
    fn every_changed_content_of_bounds_has_another_id() {
        let id = Certificate::example_of_bounds(Encoding::Json).id;
        let text = text_of_bounds(&id.to_string());
        let changes = [
            ("KQK", "KRK"),
            ("a child", "a chile"),
            ("\"states\": 1", "\"states\": 0"),
            ("18446744073709551615", "0"),
            ("770", "771"),
            ("\"BAD//w==\"", "\"BAD//g==\""),
            ("\"BQA=\"", "\"BgA=\""),
            ("\"Bgc=\"", "\"\""),
            ("CAAJAAoA", "CAAJAAsA"),
            ("C/8A", "C/8B"),
            ("DAD//w==", "DAD//g=="),
            ("\"deleted_strict\": 13", "\"deleted_strict\": 14"),
            ("\"deleted_equal\": 14", "\"deleted_equal\": 13"),
            ("1099511627776", "0"),
        ];
        for (from, to) in changes {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            assert_eq!(refusal(changed).reason, Reason::IdMismatch, "{from} {to}");
        }
        let other = text.replacen("\"bounds\"", "\"bisimulation\"", 1);
        assert_eq!(refusal(other).reason, Reason::MalformedJson);
    }

    #[test]
    fn other_shapes_of_bounds_are_malformed() {
        let text = text_of_bounds(&Id::from_bytes([7; 32]).to_string());
        assert_eq!(refusal(&text).reason, Reason::IdMismatch);
        let en_passant = "\"states\": 1, \"en_passant_states\": 2,";
        let changes = [
            ("770", "65536"),
            ("770", "-1"),
            ("770", "\"770\""),
            ("18446744073709551615", "18446744073709551616"),
            ("1099511627776", "1e3"),
            // Bytes left over.
            ("BQA=", "BQ=="),
            ("BQA=", "BQAA"),
            ("BQA=", "BQA"),
            ("BQA=", "BQB="),
            ("\"BQA=\"", "[5]"),
            ("C/8A", "C_8A"),
            ("C/8A", "C/8"),
            ("DAD//w==", "DAD/"),
            // Keys.
            ("\"rounds\": 770,", ""),
            ("\"rounds\": 770,", "\"rounds\": 770, \"rounds\": 770,"),
            ("\"dominators\"", "\"dominator\""),
            ("\"rounds\"", "\"map\": \"\", \"rounds\""),
            ("\"states\": 1,", en_passant),
            (
                "\"states\": 1,",
                "\"states\": 1, \"en_passant_states\": null,",
            ),
        ];
        for (from, to) in changes {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            let found = refusal(&changed);
            let wanted = (Reason::MalformedJson, None);
            assert_eq!((found.reason, found.id), wanted, "{from} {to}");
        }
        // Where both sides have a pawn the key has to be there.
        let claim = "KPKP board from KBKP KNKP KPK KQKP KRKP";
        let lacking = text.replacen("KQK board", claim, 1);
        assert_eq!(refusal(&lacking).reason, Reason::MalformedJson);
        let whole = lacking.replacen("\"states\": 1,", en_passant, 1);
        assert_eq!(refusal(whole).reason, Reason::IdMismatch);
        // The claim is judged before that, and is one of its kind.
        for (claim, reason) in [
            ("KPKP board", Reason::UnknownClaim),
            ("KQK board from KRK", Reason::UnknownClaim),
            ("KXK board", Reason::UnknownMaterial),
            ("KQK fcs", Reason::UnknownRulesProfile),
        ] {
            let changed = text.replacen("KQK board", claim, 1);
            assert_eq!(refusal(changed).reason, reason, "{claim}");
        }
    }

    /// The example of a local proof as text.
    fn text_of_local_proof(id: &str) -> String {
        let ruleset = ruleset();
        format!(
            r#"{{"format": "dchess", "version": 2, "kind": "local-proof", "id": "{id}", "ruleset": "{ruleset}",
            "claim": "interval 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 board 1 1",
            "children": [{{"claim": "a child", "id": "sha256:{child}"}}],
            "positions": "AQID", "lower": "BAU=", "upper": "Bg==", "ranks": "Bwj//w==",
            "dominators": "Cf8A", "moves": 10, "deleted_strict": 18446744073709551615,
            "deleted_equal": 1099511627776}}"#,
            child = "c1".repeat(32),
        )
    }

    #[test]
    fn a_good_text_of_a_local_proof_is_read() {
        let mut certificate = Certificate::example_of_local_proof(Encoding::Json);
        let text = text_of_local_proof(&certificate.id.to_string());
        certificate.bytes = text.len() as u64;
        assert_eq!(read(&mut text.as_bytes()), Ok(certificate.clone()));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let sorted = value.to_string();
        assert!(sorted.starts_with(r#"{"children""#));
        assert_eq!(read(&mut sorted.as_bytes()).unwrap().body, certificate.body);
    }

    #[test]
    fn every_changed_content_of_a_local_proof_has_another_id() {
        let id = Certificate::example_of_local_proof(Encoding::Json).id;
        let text = text_of_local_proof(&id.to_string());
        let changes = [
            ("board 1 1", "board 0 1"),
            ("w - -", "b - -"),
            ("K7", "1K6"),
            ("a child", "a chile"),
            ("AQID", "AQIE"),
            ("AQID", "AQI="),
            ("BAU=", "BAY="),
            ("Bg==", ""),
            ("Bwj//w==", "Bwj//g=="),
            ("Cf8A", "Cf8B"),
            ("\"moves\": 10", "\"moves\": 11"),
            ("18446744073709551615", "0"),
            ("1099511627776", "0"),
        ];
        for (from, to) in changes {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            assert_eq!(refusal(changed).reason, Reason::IdMismatch, "{from} {to}");
        }
        let other = text.replacen("\"local-proof\"", "\"bounds\"", 1);
        assert_eq!(refusal(other).reason, Reason::MalformedJson);
        let other = text.replacen("\"local-proof\"", "\"local proof\"", 1);
        assert_eq!(refusal(other).reason, Reason::UnknownKind);
    }

    #[test]
    fn other_shapes_of_a_local_proof_are_malformed() {
        let text = text_of_local_proof(&Id::from_bytes([7; 32]).to_string());
        assert_eq!(refusal(&text).reason, Reason::IdMismatch);
        let changes = [
            ("10,", "-10,"),
            ("10,", "\"10\","),
            ("18446744073709551615", "18446744073709551616"),
            ("1099511627776", "1e3"),
            // Bytes left over, and other base64.
            ("Bwj//w==", "Bwj/"),
            ("Bwj//w==", "Bwj//w"),
            ("\"Bwj//w==\"", "[2055, 65535]"),
            ("BAU=", "BAU"),
            ("Bg==", "Bh=="),
            ("AQID", "AQI"),
            ("Cf8A", "Cf8_"),
            // Keys.
            ("\"moves\": 10,", "\"moves\": 10, \"moves\": 10,"),
            ("\"ranks\"", "\"rank\""),
            ("\"moves\"", "\"edges\""),
            ("\"moves\"", "\"states\": 1, \"moves\""),
            ("\"moves\"", "\"en_passant_states\": 1, \"moves\""),
        ];
        for (from, to) in changes {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            let found = refusal(&changed);
            let wanted = (Reason::MalformedJson, None);
            assert_eq!((found.reason, found.id), wanted, "{from} {to}");
        }
        // Each key is missing once.
        for key in [
            "positions",
            "lower",
            "upper",
            "ranks",
            "dominators",
            "moves",
        ] {
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            let serde_json::Value::Object(mut object) = value else {
                panic!()
            };
            assert!(object.remove(key).is_some());
            let lacking = serde_json::Value::Object(object).to_string();
            assert_eq!(refusal(lacking).reason, Reason::MalformedJson, "{key}");
        }
        // The claim is judged before the id.
        for (from, to, reason) in [
            ("board 1 1", "board 1 0", Reason::UnknownClaim),
            ("1R6", "8", Reason::UnknownMaterial),
            ("board", "fcs", Reason::UnknownRulesProfile),
            ("interval", "bounds", Reason::UnknownClaim),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_eq!(refusal(changed).reason, reason, "{to}");
        }
    }

    /// The example of an abstraction as text.
    fn text_of_abstraction(id: &str) -> String {
        let ruleset = ruleset();
        format!(
            r#"{{"format": "dchess", "version": 2, "kind": "abstraction", "id": "{id}", "ruleset": "{ruleset}",
            "claim": "abstraction KQK board horizon 3 decides 2 states in 9 blocks",
            "children": [{{"claim": "a child", "id": "sha256:{child}"}}],
            "states": 1, "edges": 18446744073709551615, "tree": ["a line", "", "x"],
            "lower": "BAU=", "upper": "Bg==", "ranks": "Bwj//w=="}}"#,
            child = "c1".repeat(32),
        )
    }

    #[test]
    fn a_good_text_of_an_abstraction_is_read() {
        let mut certificate = Certificate::example_of_abstraction(Encoding::Json);
        let text = text_of_abstraction(&certificate.id.to_string());
        certificate.bytes = text.len() as u64;
        assert_eq!(read(&mut text.as_bytes()), Ok(certificate.clone()));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let sorted = value.to_string();
        assert!(sorted.starts_with(r#"{"children""#));
        assert_eq!(read(&mut sorted.as_bytes()).unwrap().body, certificate.body);
    }

    #[test]
    fn every_changed_content_of_an_abstraction_has_another_id() {
        let id = Certificate::example_of_abstraction(Encoding::Json).id;
        let text = text_of_abstraction(&id.to_string());
        for (from, to) in [
            ("KQK", "KRK"),
            ("horizon 3", "horizon 5"),
            ("decides 2", "decides 3"),
            ("in 9", "in 8"),
            ("a child", "a chile"),
            ("\"states\": 1", "\"states\": 0"),
            ("18446744073709551615", "0"),
            ("a line", "another line"),
            ("\"x\"]", "\"x\", \"\"]"),
            ("[\"a line\", \"\", \"x\"]", "[]"),
            ("BAU=", "BAY="),
            ("Bg==", ""),
            ("Bwj//w==", "Bwj//g=="),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            assert_eq!(refusal(changed).reason, Reason::IdMismatch, "{from} {to}");
        }
        let other = text.replacen("\"abstraction\"", "\"bounds\"", 1);
        assert_eq!(refusal(other).reason, Reason::MalformedJson);
        let other = text.replacen("\"abstraction\"", "\"abstractions\"", 1);
        assert_eq!(refusal(other).reason, Reason::UnknownKind);
    }

    #[test]
    fn other_shapes_of_an_abstraction_are_malformed() {
        let text = text_of_abstraction(&Id::from_bytes([7; 32]).to_string());
        assert_eq!(refusal(&text).reason, Reason::IdMismatch);
        let en_passant = "\"states\": 1, \"en_passant_states\": 2,";
        for (from, to) in [
            ("\"states\": 1", "\"states\": -1"),
            ("18446744073709551615", "18446744073709551616"),
            ("a line", "a l\u{ef}ne"),
            ("a line", "a\\tline"),
            ("a line", "a\\nline"),
            ("a line", "a \\u007f line"),
            ("\"x\"]", "3]"),
            ("\"x\"]", "null]"),
            ("\"x\"]", "[\"x\"]]"),
            ("[\"a line\", \"\", \"x\"]", "\"a line\""),
            ("[\"a line\", \"\", \"x\"]", "{}"),
            // Bytes left over, and other base64.
            ("Bwj//w==", "Bwj/"),
            ("\"Bwj//w==\"", "[2055, 65535]"),
            ("BAU=", "BAU"),
            ("Bg==", "Bh=="),
            // Keys.
            ("\"tree\"", "\"Tree\""),
            ("\"tree\"", "\"tree\": [], \"tree\""),
            ("\"tree\"", "\"map\": \"\", \"tree\""),
            ("\"states\": 1,", en_passant),
            (
                "\"states\": 1,",
                "\"states\": 1, \"en_passant_states\": null,",
            ),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            let found = refusal(&changed);
            let wanted = (Reason::MalformedJson, None);
            assert_eq!((found.reason, found.id), wanted, "{from} {to}");
        }
        // Each key is missing once.
        for key in [
            "children", "states", "edges", "tree", "lower", "upper", "ranks",
        ] {
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            let serde_json::Value::Object(mut object) = value else {
                panic!()
            };
            assert!(object.remove(key).is_some());
            let lacking = serde_json::Value::Object(object).to_string();
            assert_eq!(refusal(lacking).reason, Reason::MalformedJson, "{key}");
        }
        // Where both sides have a pawn the key has to be there.
        let lacking = text.replacen("KQK", "KPKP", 1).replacen(
            "9 blocks",
            "9 blocks from KBKP KNKP KPK KQKP KRKP",
            1,
        );
        assert_eq!(refusal(&lacking).reason, Reason::MalformedJson);
        let whole = lacking.replacen("\"states\": 1,", en_passant, 1);
        assert_eq!(refusal(whole).reason, Reason::IdMismatch);
        // The claim is judged before the id.
        for (from, to, reason) in [
            ("horizon 3", "horizon 4", Reason::UnknownClaim),
            ("9 blocks", "9 blocks from KRK", Reason::UnknownClaim),
            ("KQK", "KXK", Reason::UnknownMaterial),
            ("board", "fcs", Reason::UnknownRulesProfile),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_eq!(refusal(changed).reason, reason, "{to}");
        }
    }

    /// The example of a proof as text.
    fn text_of_proof(id: &str) -> String {
        let ruleset = ruleset();
        format!(
            r#"{{"format": "dchess", "version": 2, "kind": "proof", "id": "{id}", "ruleset": "{ruleset}",
            "claim": "interval 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1 fcs 0 0",
            "children": [{{"claim": "a child", "id": "sha256:{child}"}}],
            "state": "AQID", "states": "BAU=", "nodes": "Bv8=",
            "deleted_strict": 18446744073709551615, "deleted_equal": 1099511627776}}"#,
            child = "c1".repeat(32),
        )
    }

    #[test]
    fn a_good_text_of_a_proof_is_read() {
        let mut certificate = Certificate::example_of_proof(Encoding::Json);
        let text = text_of_proof(&certificate.id.to_string());
        certificate.bytes = text.len() as u64;
        assert_eq!(read(&mut text.as_bytes()), Ok(certificate.clone()));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let sorted = value.to_string();
        assert_eq!(read(&mut sorted.as_bytes()).unwrap().body, certificate.body);
        for (from, to) in [
            ("fcs 0 0", "board 0 0"),
            ("a child", "a chile"),
            ("AQID", "AQIE"),
            ("BAU=", ""),
            ("Bv8=", "Bv8A"),
            ("18446744073709551615", "0"),
            ("1099511627776", "0"),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            assert_eq!(refusal(changed).reason, Reason::IdMismatch, "{from} {to}");
        }
    }

    #[test]
    fn other_shapes_of_a_proof_are_malformed() {
        let text = text_of_proof(&Id::from_bytes([7; 32]).to_string());
        assert_eq!(refusal(&text).reason, Reason::IdMismatch);
        for (from, to) in [
            ("BAU=", "BAU"),
            ("Bv8=", "Bv9="),
            ("\"AQID\"", "[1, 2, 3]"),
            ("\"AQID\"", "null"),
            ("18446744073709551615", "18446744073709551616"),
            ("\"state\"", "\"moves\": 3, \"state\""),
            ("\"state\"", "\"state\": \"\", \"state\""),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            let found = refusal(&changed);
            let wanted = (Reason::MalformedJson, None);
            assert_eq!((found.reason, found.id), wanted, "{from} {to}");
        }
        for key in [
            "children",
            "state",
            "states",
            "nodes",
            "deleted_strict",
            "deleted_equal",
        ] {
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            let serde_json::Value::Object(mut object) = value else {
                panic!()
            };
            assert!(object.remove(key).is_some());
            let lacking = serde_json::Value::Object(object).to_string();
            assert_eq!(refusal(lacking).reason, Reason::MalformedJson, "{key}");
        }
        // The claim is judged before the id.
        for (from, to, reason) in [
            ("fcs 0 0", "fcs 1 0", Reason::UnknownClaim),
            ("fcs", "dtm", Reason::UnknownRulesProfile),
            ("4k3", "8", Reason::UnknownMaterial),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_eq!(refusal(changed).reason, reason, "{to}");
        }
    }

    /// The example of a mate as text.
    fn text_of_mate(id: &str) -> String {
        let ruleset = ruleset();
        format!(
            r#"{{"format": "dchess", "version": 2, "kind": "mate", "id": "{id}", "ruleset": "{ruleset}",
            "claim": "mate 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1 in 1 shortest",
            "strategy": "AQID", "refutation": "BAU=", "strategy_roots": "QAIEAwIB////////",
            "refutation_roots": "BgAAAAAAAAEHAAAA"}}"#
        )
    }

    #[test]
    fn a_good_text_of_a_mate_is_read() {
        let mut certificate = Certificate::example_of_mate(Encoding::Json);
        let text = text_of_mate(&certificate.id.to_string());
        certificate.bytes = text.len() as u64;
        assert_eq!(read(&mut text.as_bytes()), Ok(certificate.clone()));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let sorted = value.to_string();
        assert!(sorted.starts_with(r#"{"claim""#));
        assert_eq!(read(&mut sorted.as_bytes()).unwrap().body, certificate.body);
    }

    #[test]
    fn every_changed_content_of_a_mate_has_another_id() {
        let id = Certificate::example_of_mate(Encoding::Json).id;
        let text = text_of_mate(&id.to_string());
        for (from, to) in [
            (" shortest", ""),
            ("in 1 shortest", "not in 1"),
            ("7k", "6k1"),
            ("AQID", "AQIE"),
            ("AQID", ""),
            ("BAU=", "BAY="),
            ("QAIEAwIB////////", "QAIEAwIB"),
            ("QAIEAwIB////////", "QAIEAwIB///////+"),
            ("BgAAAAAAAAEHAAAA", "BwAAAAAAAAEHAAAA"),
            ("BgAAAAAAAAEHAAAA", ""),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            assert_eq!(refusal(changed).reason, Reason::IdMismatch, "{from} {to}");
        }
    }

    #[test]
    fn other_shapes_of_a_mate_are_malformed() {
        let text = text_of_mate(&Id::from_bytes([7; 32]).to_string());
        assert_eq!(refusal(&text).reason, Reason::IdMismatch);
        for (from, to) in [
            // Bytes left over, and other base64.
            ("QAIEAwIB////////", "QAIEAwIB//8="),
            ("QAIEAwIB////////", "QAIEAwI="),
            ("QAIEAwIB////////", "QAIEAwIB_____w=="),
            ("BgAAAAAAAAEHAAAA", "BgAA"),
            ("BAU=", "BAU"),
            ("BAU=", "BAV="),
            ("\"AQID\"", "[1, 2, 3]"),
            ("\"AQID\"", "null"),
            // Keys.
            ("\"strategy\"", "\"children\": [], \"strategy\""),
            ("\"strategy\"", "\"strategy\": \"\", \"strategy\""),
            ("\"strategy_roots\"", "\"roots\""),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            let found = refusal(&changed);
            let wanted = (Reason::MalformedJson, None);
            assert_eq!((found.reason, found.id), wanted, "{from} {to}");
        }
        // Each key is missing once.
        for key in [
            "strategy",
            "refutation",
            "strategy_roots",
            "refutation_roots",
        ] {
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            let serde_json::Value::Object(mut object) = value else {
                panic!()
            };
            assert!(object.remove(key).is_some());
            let lacking = serde_json::Value::Object(object).to_string();
            assert_eq!(refusal(lacking).reason, Reason::MalformedJson, "{key}");
        }
        // The claim is judged before the id.
        for (from, to, reason) in [
            ("in 1", "in 0", Reason::UnknownClaim),
            ("7k", "8", Reason::UnknownMaterial),
            ("mate 7k", "bounds 7k", Reason::UnknownClaim),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_eq!(refusal(changed).reason, reason, "{to}");
        }
    }

    #[test]
    fn deep_nesting_does_not_recurse() {
        for open in ["[", "{\"a\":"] {
            let deep = r#"{"version": 1, "x": "#.to_string() + &open.repeat(1_000_000);
            assert_eq!(refusal(&deep).reason, Reason::MalformedJson);
            let whole = deep.replacen("version", "version\": 2, \"kind\": \"\", \"format\": \"", 1);
            assert_eq!(refusal(whole).reason, Reason::MalformedJson);
        }
    }
}
