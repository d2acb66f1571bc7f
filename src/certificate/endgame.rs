//! Kind 1: the table of an endgame.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bincode::Encode;
use serde::Serialize;
use shakmaty::uci::UciMove;

use super::child::{self, Child, ChildText};
use super::move_code::move_code;
use super::sealed::{Format, Id, Kind, SealError, Sealed};
use crate::endgame::{Endgame, Material, Results};
use crate::rules::uci;

const KIND: Kind = Kind {
    number: 1,
    name: "endgame-table",
    has_class: true,
};

/// The payload up to the fields that only some classes have, field by field in the order of the
/// format.
#[derive(Encode)]
struct Payload<'a> {
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
    values: &'a [u8],
    policy: Vec<u16>,
}

#[derive(Encode)]
struct SideCounts {
    wins: u64,
    losses: u64,
    draws: u64,
}

/// The fields of a class in which both sides have a pawn.
#[derive(Encode)]
struct EnPassant<'a> {
    raw_states: u64,
    states: u64,
    values: &'a [u8],
}

/// The same in JSON.
#[derive(Serialize)]
struct Text {
    claim: String,
    children: Vec<ChildText>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    starts: Option<String>,
    #[serde(flatten)]
    en_passant: Option<EnPassantText>,
}

#[derive(Serialize)]
struct BySide {
    white: Results,
    black: Results,
}

#[derive(Serialize)]
struct EnPassantText {
    en_passant_raw_states: u64,
    en_passant_states: u64,
    en_passant_values: String,
}

/// The claim of the table of a class.
pub fn endgame_claim(material: &Material) -> String {
    format!("endgame {material} board dtm")
}

impl Sealed {
    /// The certificate of a solved endgame, which names the certificates of its children.
    ///
    /// # Errors
    ///
    /// [`SealError`], a fault of this program.
    pub fn endgame(
        endgame: &Endgame,
        children: &[(Material, Id)],
        format: Format,
    ) -> Result<Sealed, SealError> {
        let claim = endgame_claim(&endgame.material);
        let payload = payload(endgame, claim.clone(), children)?;
        Sealed::new(KIND, claim.clone(), payload, format, || {
            text(endgame, claim, children)
        })
    }
}

fn payload(
    endgame: &Endgame,
    claim: String,
    children: &[(Material, Id)],
) -> Result<Vec<u8>, SealError> {
    let config = bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding();
    let summary = &endgame.summary;
    let mut bytes = bincode::encode_to_vec(
        Payload {
            claim,
            children: child::in_payload(children),
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
                .map(|&mv| move_code(UciMove::from_standard(mv)))
                .collect(),
            values: &endgame.values,
            policy: policy_codes(endgame),
        },
        config,
    )?;
    if !endgame.starts.is_empty() {
        bytes.extend(bincode::encode_to_vec(&endgame.starts, config)?);
    }
    if let Some(en_passant) = &endgame.en_passant {
        let fields = EnPassant {
            raw_states: en_passant.raw_states,
            states: en_passant.values.len() as u64,
            values: &en_passant.values,
        };
        bytes.extend(bincode::encode_to_vec(fields, config)?);
    }
    Ok(bytes)
}

fn text(endgame: &Endgame, claim: String, children: &[(Material, Id)]) -> Text {
    let summary = &endgame.summary;
    let policy: Vec<u8> = policy_codes(endgame)
        .iter()
        .flat_map(|code| code.to_le_bytes())
        .collect();
    let starts: Vec<u8> = endgame
        .starts
        .iter()
        .flat_map(|start| start.to_le_bytes())
        .collect();
    Text {
        claim,
        children: child::in_text(children),
        raw_states: summary.raw_states,
        states: summary.states,
        edges: summary.edges,
        legal_moves: summary.legal_moves,
        symmetry_comparisons: summary.symmetry_comparisons,
        checkmates: summary.checkmates,
        stalemates: summary.stalemates,
        by_side: BySide {
            white: summary.white,
            black: summary.black,
        },
        max_dtm_plies: summary.max_dtm.get(),
        max_dtm_states: summary.max_dtm_states,
        longest_line: endgame.longest_line.iter().map(|&mv| uci(mv)).collect(),
        values: STANDARD.encode(&endgame.values),
        policy: STANDARD.encode(policy),
        starts: (!endgame.starts.is_empty()).then(|| STANDARD.encode(starts)),
        en_passant: endgame.en_passant.as_ref().map(|en_passant| EnPassantText {
            en_passant_raw_states: en_passant.raw_states,
            en_passant_states: en_passant.values.len() as u64,
            en_passant_values: STANDARD.encode(&en_passant.values),
        }),
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

fn policy_codes(endgame: &Endgame) -> Vec<u16> {
    endgame
        .policy
        .iter()
        .map(|mv| mv.map_or(0, move_code))
        .collect()
}
