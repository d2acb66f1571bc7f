//! Kind 9: bounds of the value of any position, and the nodes and states on which they rest.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bincode::Encode;
use serde::Serialize;

use super::child::{self, Child, ChildText};
use super::sealed::{Format, Id, Kind, SealError, Sealed};
use crate::endgame::Material;
use crate::game::Interval;
use crate::proof::{Node, NodeKind, OPEN, Profile, Proved, StateKind, StateNode, StateReference};
use crate::rules::{State, placement_fen};

const KIND: Kind = Kind {
    number: 9,
    name: "proof",
    has_class: false,
};

/// A reference of a state to a node has this bit.
const NODE_BIT: u32 = 1 << 31;

#[derive(Encode)]
struct Payload<'a> {
    claim: &'a str,
    children: Vec<Child>,
    state: &'a [u8],
    states: &'a [u8],
    nodes: &'a [u8],
    deleted_strict: u64,
    deleted_equal: u64,
}

/// The same in JSON.
#[derive(Serialize)]
struct Text {
    claim: String,
    children: Vec<ChildText>,
    state: String,
    states: String,
    nodes: String,
    deleted_strict: u64,
    deleted_equal: u64,
}

/// The claim that the value of a state, White's, lies in an interval; on the board that of its position.
pub fn proof_claim(profile: Profile, state: &State, interval: Interval) -> String {
    let Interval { lower, upper } = interval;
    let placement = placement_fen(state.position());
    match profile {
        Profile::Board => format!("interval {placement} 0 1 board {lower} {upper}"),
        Profile::Fcs => {
            let fen = format!("{placement} {} 1", state.clock_plies());
            let after = match state.has_no_past() {
                true => String::new(),
                false => format!(" after {}", Id(state.digest())),
            };
            format!("interval {fen} fcs{after} {lower} {upper}")
        }
    }
}

impl Sealed {
    /// The certificate of what was proved of a state. Of the tables those are named that a node rests on, which come in the order
    /// of their claims.
    ///
    /// # Errors
    ///
    /// [`SealError`], a fault of this program.
    pub fn proof(
        state: &State,
        proved: &Proved,
        children: &[(Material, Id)],
        format: Format,
    ) -> Result<Sealed, SealError> {
        let claim = proof_claim(proved.profile, state, proved.interval);
        let state = match proved.profile == Profile::Fcs && !state.has_no_past() {
            true => state.bytes(),
            false => Vec::new(),
        };
        let states: Vec<u8> = proved.tree.states.iter().flat_map(state_bytes).collect();
        let nodes: Vec<u8> = proved.nodes.iter().flat_map(node_bytes).collect();
        let deleted = proved.deleted();
        let config = bincode::config::standard()
            .with_little_endian()
            .with_fixed_int_encoding();
        let payload = Payload {
            claim: &claim,
            children: child::in_payload(children),
            state: &state,
            states: &states,
            nodes: &nodes,
            deleted_strict: deleted.strict,
            deleted_equal: deleted.equal,
        };
        let payload = bincode::encode_to_vec(payload, config)?;
        Sealed::new(KIND, claim.clone(), payload, format, || Text {
            claim,
            children: child::in_text(children),
            state: STANDARD.encode(&state),
            states: STANDARD.encode(&states),
            nodes: STANDARD.encode(&nodes),
            deleted_strict: deleted.strict,
            deleted_equal: deleted.equal,
        })
    }
}

fn bounds(interval: Interval) -> u8 {
    ((interval.lower + 1) + 3 * (interval.upper + 1)) as u8
}

fn state_bytes(state: &StateNode) -> Vec<u8> {
    let bounds = bounds(state.interval);
    match &state.kind {
        StateKind::Moves(moves) => {
            let mut bytes = vec![0, bounds, moves.len() as u8];
            bytes.extend(moves.iter().flat_map(|mv| {
                let reference = match *mv {
                    StateReference::Open => OPEN,
                    StateReference::State(number) => number,
                    StateReference::Node(number) => NODE_BIT | number,
                };
                reference.to_le_bytes()
            }));
            bytes
        }
        StateKind::Node(number) => [&[1, bounds][..], &number.to_le_bytes()].concat(),
    }
}

fn node_bytes(node: &Node) -> Vec<u8> {
    let kind = match node.kind {
        NodeKind::Moves => 0,
        NodeKind::End => 1,
        NodeKind::Material => 2,
        NodeKind::Walls => 3,
        NodeKind::Table => 4,
    };
    let mut bytes = vec![kind, bounds(node.interval), node.clock];
    if node.kind == NodeKind::Moves {
        bytes.extend(node.rank.to_le_bytes());
        bytes.push(node.moves.len() as u8);
        bytes.extend(node.moves.iter().flat_map(|mv| mv.to.to_le_bytes()));
        bytes.extend(node.moves.iter().map(|mv| mv.dominator));
    }
    bytes
}
