//! Kind 1: the table of an endgame.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bincode::Encode;
use serde::Serialize;
use shakmaty::{Move, Role};

use super::sealed::{Kind, SealError, Sealed};
use crate::endgame::{Endgame, Results};
use crate::game::Value;
use crate::rules::uci;

const KIND: Kind = Kind {
    number: 1,
    name: "endgame-table",
};
const DRAWN: u8 = 255;
const LONGEST_PLIES: u16 = 254;

/// The payload, field by field in the order of the format.
#[derive(Encode)]
struct Payload {
    claim: String,
    children: Vec<Child>,
    raw_states: u64,
    states: u64,
    edges: u64,
    legal_moves: u64,
    symmetry_comparisons: u64,
    checkmates: u64,
    stalemates: u64,
    white: SideCounts,
    black: SideCounts,
    max_dtm_plies: u16,
    max_dtm_states: u64,
    longest_line: Vec<u16>,
    values: Vec<u8>,
    policy: Vec<u16>,
}

/// A table that moves lead into.
#[derive(Encode)]
struct Child {
    claim: String,
    id: [u8; 32],
}

#[derive(Encode)]
struct SideCounts {
    wins: u64,
    losses: u64,
    draws: u64,
}

/// The same in JSON.
#[derive(Serialize)]
struct Text {
    claim: String,
    children: [(); 0],
    raw_states: u64,
    states: u64,
    edges: u64,
    legal_moves: u64,
    symmetry_comparisons: u64,
    checkmates: u64,
    stalemates: u64,
    by_side: BySide,
    max_dtm_plies: u16,
    max_dtm_states: u64,
    longest_line: Vec<String>,
    values: String,
    policy: String,
}

#[derive(Serialize)]
struct BySide {
    white: Results,
    black: Results,
}

impl Sealed {
    /// The certificate of a solved endgame: value, distance and policy of every canonical state.
    ///
    /// # Errors
    ///
    /// [`SealError::Distance`] if a mate takes more than 254 plies.
    pub fn endgame(endgame: &Endgame) -> Result<Sealed, SealError> {
        let summary = &endgame.summary;
        let material = endgame.table.universe().material();
        let values: Vec<u8> = endgame
            .table
            .values()
            .iter()
            .map(value_byte)
            .collect::<Result<_, SealError>>()?;
        let policy: Vec<u16> = endgame
            .policy
            .iter()
            .map(|mv| mv.map_or(0, move_code))
            .collect();
        let payload = Payload {
            claim: format!("endgame {material} board dtm"),
            children: Vec::new(),
            raw_states: summary.raw_states,
            states: summary.states,
            edges: summary.edges,
            legal_moves: summary.legal_moves,
            symmetry_comparisons: summary.symmetry_comparisons,
            checkmates: summary.checkmates,
            stalemates: summary.stalemates,
            white: SideCounts::from(summary.white),
            black: SideCounts::from(summary.black),
            max_dtm_plies: summary.max_dtm.get(),
            max_dtm_states: summary.max_dtm_states,
            longest_line: endgame
                .longest_line
                .iter()
                .map(|&mv| move_code(mv))
                .collect(),
            values,
            policy,
        };
        let policy_bytes: Vec<u8> = payload
            .policy
            .iter()
            .flat_map(|code| code.to_le_bytes())
            .collect();
        let text = Text {
            claim: payload.claim.clone(),
            children: [],
            raw_states: payload.raw_states,
            states: payload.states,
            edges: payload.edges,
            legal_moves: payload.legal_moves,
            symmetry_comparisons: payload.symmetry_comparisons,
            checkmates: payload.checkmates,
            stalemates: payload.stalemates,
            by_side: BySide {
                white: summary.white,
                black: summary.black,
            },
            max_dtm_plies: payload.max_dtm_plies,
            max_dtm_states: payload.max_dtm_states,
            longest_line: endgame.longest_line.iter().map(|&mv| uci(mv)).collect(),
            values: STANDARD.encode(&payload.values),
            policy: STANDARD.encode(policy_bytes),
        };
        let config = bincode::config::standard()
            .with_little_endian()
            .with_fixed_int_encoding();
        let bytes = bincode::encode_to_vec(&payload, config)?;
        Sealed::new(KIND, payload.claim, bytes, text)
    }
}

impl From<Results> for SideCounts {
    fn from(results: Results) -> SideCounts {
        SideCounts {
            wins: results.wins,
            losses: results.losses,
            draws: results.draws,
        }
    }
}

/// The byte of a value: its distance, whose parity tells a win from a loss, or 255 for a draw.
fn value_byte(value: Value) -> Result<u8, SealError> {
    match value.distance().map(|plies| plies.get()) {
        None => Ok(DRAWN),
        Some(plies @ ..=LONGEST_PLIES) => Ok(plies as u8),
        Some(plies) => Err(SealError::Distance(plies)),
    }
}

/// The 16-bit code of a move.
fn move_code(mv: Move) -> u16 {
    let promotion = match mv.promotion() {
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        _ => 0,
    };
    let from = mv.from().map_or(0, |square| square as u16);
    from + 64 * (mv.to() as u16) + 4096 * promotion
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Plies;

    #[test]
    fn a_value_is_its_distance_up_to_254_plies() {
        let win = |plies| value_byte(Value::Win(Plies::new(plies)));
        let loss = |plies| value_byte(Value::Loss(Plies::new(plies)));
        assert_eq!(value_byte(Value::Draw).unwrap(), 255);
        assert_eq!((loss(0).unwrap(), win(1).unwrap()), (0, 1));
        assert_eq!((win(253).unwrap(), loss(254).unwrap()), (253, 254));
        assert!(matches!(win(255), Err(SealError::Distance(255))));
        assert!(matches!(loss(256), Err(SealError::Distance(256))));
    }
}
