//! What stands as a string in a JSON certificate: a line, and lists in base64.
//!
//! Source: `docs/certificate-format.md`, *JSON* and the payloads of all kinds.

use std::str::FromStr;

use super::base64::Base64;
use super::{Move, fields};

/// A line of printable ASCII.
pub(super) struct Line(pub(super) String);

impl FromStr for Line {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Line, &'static str> {
        fields::printable(text.as_bytes())
            .map(|line| Line(line.to_string()))
            .ok_or("not printable ASCII")
    }
}

/// Moves as base64 of two bytes each.
pub(super) struct Moves(pub(super) Vec<Move>);

impl FromStr for Moves {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Moves, &'static str> {
        let Base64(bytes) = text.parse().map_err(|_| "not canonical base64")?;
        fields::moves_from_bytes(&bytes)
            .map(Moves)
            .ok_or("not a whole number of moves")
    }
}

/// Numbers as base64 of eight bytes each.
pub(super) struct Starts(pub(super) Vec<u64>);

impl FromStr for Starts {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Starts, &'static str> {
        let Base64(bytes) = text.parse().map_err(|_| "not canonical base64")?;
        fields::numbers_from_bytes(&bytes)
            .map(Starts)
            .ok_or("not a whole number of numbers")
    }
}

/// Moves and references as base64 of six bytes a pair.
pub(super) struct Roots(pub(super) Vec<(Move, u32)>);

impl FromStr for Roots {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Roots, &'static str> {
        let Base64(bytes) = text.parse().map_err(|_| "not canonical base64")?;
        fields::roots_from_bytes(&bytes)
            .map(Roots)
            .ok_or("not a whole number of pairs")
    }
}

/// Numbers as base64 of four bytes each.
pub(super) struct Blocks(pub(super) Vec<u32>);

impl FromStr for Blocks {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Blocks, &'static str> {
        let Base64(bytes) = text.parse().map_err(|_| "not canonical base64")?;
        fields::short_numbers_from_bytes(&bytes)
            .map(Blocks)
            .ok_or("not a whole number of numbers")
    }
}

/// Numbers of rounds, or ranks, as base64 of two bytes each.
pub(super) struct RoundNumbers(pub(super) Vec<u16>);

impl FromStr for RoundNumbers {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<RoundNumbers, &'static str> {
        let Base64(bytes) = text.parse().map_err(|_| "not canonical base64")?;
        fields::rounds_from_bytes(&bytes)
            .map(RoundNumbers)
            .ok_or("not a whole number of numbers")
    }
}
