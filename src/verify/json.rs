//! The JSON form of a certificate: the same content as text.
//!
//! The text is read twice. The heading (format, version, kind) first, whatever else the object holds, since a later
//! version may have other keys; then the whole object, with exactly the keys of its kind. At every level a key that is
//! unknown, missing or given twice is an error, and so is an array in the place of an object, which serde alone would
//! accept. The content is then written as a payload, whose id has to be the one in the text.
//!
//! Source: `docs/certificate-format.md`, *JSON* and *Payload*.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::base64::Base64;
use super::read::{LONGEST_PAYLOAD, VERSION};
use super::refusal::one_line;
use super::{Body, Certificate, Child, Encoding, EndgameTable, Id, Move, Reason, Refusal, payload};

/// Reads a text, the whole file.
pub(super) fn read(text: &[u8]) -> Result<Certificate, Refusal> {
    let heading: Heading = serde_json::from_slice(text).map_err(malformed)?;
    if heading.format != "dchess" {
        let place = format_args!("format: {}", heading.format);
        return Err(Refusal::new(Reason::MalformedJson, place));
    }
    if heading.version != VERSION {
        let place = format_args!("version: {}", heading.version);
        return Err(Refusal::new(Reason::UnknownVersion, place));
    }
    if heading.kind != EndgameTable::KIND_NAME {
        let place = format_args!("kind: {}", heading.kind);
        return Err(Refusal::new(Reason::UnknownKind, place));
    }
    let object: EndgameObject = serde_json::from_slice(text).map_err(malformed)?;
    let (stored, claim, children, table) = object.content();

    let payload = payload::write(&claim, &children, &table);
    if payload.len() as u64 > LONGEST_PAYLOAD {
        let place = format_args!("the payload of {} bytes, the limit is {LONGEST_PAYLOAD}", payload.len());
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    let id = Id::of_content(VERSION, EndgameTable::KIND, &payload);
    if stored != id {
        let place = format_args!("id: stored {stored}, found {id}");
        return Err(Refusal::new(Reason::IdMismatch, place).of(id));
    }
    Ok(Certificate {
        version: VERSION,
        encoding: Encoding::Json,
        bytes: text.len() as u64,
        id,
        claim,
        children,
        body: Body::EndgameTable(table),
    })
}

/// The refusal for an error of the JSON reader: its line and column first, since the rest may be cut off.
fn malformed(error: serde_json::Error) -> Refusal {
    let position = format!("line {} column {}", error.line(), error.column());
    let text = one_line(&error);
    let what = text.strip_suffix(&format!(" at {position}")).unwrap_or(&text);
    Refusal::new(Reason::MalformedJson, format_args!("{position}: {what}"))
}

/// What every version and kind has, among other keys.
#[derive(Deserialize)]
struct Heading {
    format: String,
    version: u32,
    kind: String,
}

/// The keys of an endgame table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EndgameObject {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    id: Text<Id>,
    claim: Text<Line>,
    children: Vec<Object<ChildObject>>,
    raw_states: u64,
    states: u64,
    edges: u64,
    legal_moves: u64,
    symmetry_comparisons: u64,
    checkmates: u64,
    stalemates: u64,
    by_side: Object<BySide>,
    max_dtm_plies: u16,
    max_dtm_states: u64,
    longest_line: Vec<Text<Move>>,
    values: Text<Base64>,
    policy: Text<Moves>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChildObject {
    claim: Text<Line>,
    id: Text<Id>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BySide {
    white: Object<Results>,
    black: Object<Results>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Results {
    wins: u64,
    losses: u64,
    draws: u64,
}

impl EndgameObject {
    /// The id in the text, the claim, the children and the witnesses.
    fn content(self) -> (Id, String, Vec<Child>, EndgameTable) {
        let BySide { white: Object(white), black: Object(black) } = self.by_side.0;
        let child = |Object(child): Object<ChildObject>| Child { claim: child.claim.0.0, id: child.id.0 };
        let table = EndgameTable {
            raw_states: self.raw_states,
            states: self.states,
            edges: self.edges,
            legal_moves: self.legal_moves,
            symmetry_comparisons: self.symmetry_comparisons,
            checkmates: self.checkmates,
            stalemates: self.stalemates,
            white_wins: white.wins,
            white_losses: white.losses,
            white_draws: white.draws,
            black_wins: black.wins,
            black_losses: black.losses,
            black_draws: black.draws,
            max_dtm_plies: self.max_dtm_plies,
            max_dtm_states: self.max_dtm_states,
            longest_line: self.longest_line.into_iter().map(|text| text.0).collect(),
            values: self.values.0.0,
            policy: self.policy.0.0,
        };
        (self.id.0, self.claim.0.0, self.children.into_iter().map(child).collect(), table)
    }
}

/// A JSON object, and never an array of its values.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

/// A JSON string that stands for something.
struct Text<T>(T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor(PhantomData))
    }
}

struct TextVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for TextVisitor<T> {
    type Value = Text<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text<T>, E> {
        text.parse().map(Text).map_err(E::custom)
    }
}

/// A line of printable ASCII.
struct Line(String);

impl FromStr for Line {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Line, &'static str> {
        payload::printable(text.as_bytes()).map(|line| Line(line.to_string())).ok_or("not printable ASCII")
    }
}

/// Moves as base64 of two bytes each.
struct Moves(Vec<Move>);

impl FromStr for Moves {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Moves, &'static str> {
        let Base64(bytes) = text.parse().map_err(|_| "not canonical base64")?;
        payload::moves_from_bytes(&bytes).map(Moves).ok_or("not a whole number of moves")
    }
}
