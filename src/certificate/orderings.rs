//! Kind 7: four orders of moves on mates in two that are drawn from a seed.

use std::cmp::Ordering;

use bincode::Encode;
use serde::Serialize;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move};

use super::move_code::move_code;
use super::sealed::{Format, Kind, SealError, Sealed};
use crate::mate::{Centipawns, ExchangeGraph, TwoMover, WinningMove};
use crate::rules::{placement_fen, uci};

const KIND: Kind = Kind {
    number: 7,
    name: "orderings",
    has_class: false,
};

/// The orders in the certificate: lexical, forcing, tension, exchange.
const ORDERS: usize = 4;
const FORCING: usize = 1;
const EXCHANGE: usize = 3;

/// A position of the benchmark.
#[derive(Clone, Debug)]
pub struct BenchedPosition {
    /// The position.
    pub position: Chess,
    /// The attempt that gave it.
    pub attempt: u64,
    /// What is in it.
    pub content: TwoMover,
    /// Proof nodes with the four orders of C6.
    pub proof_nodes: [u64; ORDERS],
}

/// What the benchmark found.
#[derive(Clone, Debug)]
pub struct Orderings {
    /// The seed.
    pub seed: u64,
    /// The positions, in the order in which they were drawn.
    pub positions: Vec<BenchedPosition>,
}

/// What a certificate holds; the same in JSON.
#[derive(Encode, Serialize)]
struct Payload {
    claim: String,
    attempts: u64,
    proof_nodes: [u64; ORDERS],
    wins: u64,
    ties: u64,
    losses: u64,
    reply_branches: u64,
    mating_continuations: u64,
    positions: Vec<PositionEntry>,
}

#[derive(Encode, Serialize)]
struct PositionEntry {
    fen: String,
    attempt: u64,
    proof_nodes: [u64; ORDERS],
    root_moves: Vec<Code>,
    exchanges: Vec<ExchangeEntry>,
    winning: Vec<WinningEntry>,
}

#[derive(Encode, Serialize)]
struct ExchangeEntry {
    r#move: Code,
    gain: u16,
    loss: u16,
    nodes: u32,
    capture_plies: u16,
    checked_nodes: u32,
}

#[derive(Encode, Serialize)]
struct WinningEntry {
    r#move: Code,
    replies: Vec<ReplyEntry>,
}

#[derive(Encode, Serialize)]
struct ReplyEntry {
    r#move: Code,
    mates: Vec<Code>,
}

/// A move: a number in binary, its UCI text in JSON.
struct Code(Move);

impl Encode for Code {
    fn encode<E: bincode::enc::Encoder>(
        &self,
        encoder: &mut E,
    ) -> Result<(), bincode::error::EncodeError> {
        move_code(UciMove::from_standard(self.0)).encode(encoder)
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        uci(self.0).serialize(serializer)
    }
}

fn codes(moves: &[Move]) -> Vec<Code> {
    moves.iter().copied().map(Code).collect()
}

impl ExchangeEntry {
    fn of((mv, graph): &(Move, ExchangeGraph)) -> ExchangeEntry {
        let Centipawns(value) = graph.value();
        // The men on a board are worth less than 65,536 centipawns.
        let size = value.unsigned_abs() as u16;
        let (gain, loss) = match value > 0 {
            true => (size, 0),
            false => (0, size),
        };
        ExchangeEntry {
            r#move: Code(*mv),
            gain,
            loss,
            nodes: graph.nodes().len() as u32,
            capture_plies: graph.capture_plies().into(),
            checked_nodes: graph.checked_nodes() as u32,
        }
    }
}

impl WinningEntry {
    fn of(winning: &WinningMove) -> WinningEntry {
        let reply = |(reply, mates): &(Move, Vec<Move>)| ReplyEntry {
            r#move: Code(*reply),
            mates: codes(mates),
        };
        WinningEntry {
            r#move: Code(winning.first),
            replies: winning.replies.iter().map(reply).collect(),
        }
    }
}

impl PositionEntry {
    fn of(benched: &BenchedPosition) -> PositionEntry {
        let content = &benched.content;
        PositionEntry {
            fen: format!("{} 0 1", placement_fen(&benched.position)),
            attempt: benched.attempt,
            proof_nodes: benched.proof_nodes,
            root_moves: codes(&content.root_moves),
            exchanges: content.exchanges.iter().map(ExchangeEntry::of).collect(),
            winning: content.winning.iter().map(WinningEntry::of).collect(),
        }
    }
}

impl Orderings {
    /// The claim.
    pub fn claim(&self) -> String {
        format!(
            "orderings of {} positions from seed {}",
            self.positions.len(),
            self.seed
        )
    }

    /// Attempts up to the last position.
    pub fn attempts(&self) -> u64 {
        self.positions.last().map_or(0, |last| last.attempt)
    }

    /// Proof nodes over all positions.
    pub fn proof_nodes(&self) -> [u64; ORDERS] {
        let mut totals = [0; ORDERS];
        for benched in &self.positions {
            for (total, nodes) in totals.iter_mut().zip(benched.proof_nodes) {
                *total += nodes;
            }
        }
        totals
    }

    /// Positions in which exchange takes fewer proof nodes than forcing, as many, and more.
    pub fn exchange_vs_forcing(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for benched in &self.positions {
            let [exchange, forcing] = [EXCHANGE, FORCING].map(|order| benched.proof_nodes[order]);
            counts[match exchange.cmp(&forcing) {
                Ordering::Less => 0,
                Ordering::Equal => 1,
                Ordering::Greater => 2,
            }] += 1;
        }
        counts
    }

    /// Replies to all winning moves.
    pub fn reply_branches(&self) -> u64 {
        let contents = self.positions.iter().map(|benched| &benched.content);
        contents
            .map(|content| content.reply_branches() as u64)
            .sum()
    }

    /// Mates after all these replies.
    pub fn mating_continuations(&self) -> u64 {
        let contents = self.positions.iter().map(|benched| &benched.content);
        contents
            .map(|content| content.mating_continuations() as u64)
            .sum()
    }

    /// The certificate.
    ///
    /// # Errors
    ///
    /// [`SealError`], a fault of this program.
    pub fn seal(&self, format: Format) -> Result<Sealed, SealError> {
        let [wins, ties, losses] = self.exchange_vs_forcing();
        let payload = Payload {
            claim: self.claim(),
            attempts: self.attempts(),
            proof_nodes: self.proof_nodes(),
            wins,
            ties,
            losses,
            reply_branches: self.reply_branches(),
            mating_continuations: self.mating_continuations(),
            positions: self.positions.iter().map(PositionEntry::of).collect(),
        };
        let config = bincode::config::standard()
            .with_little_endian()
            .with_fixed_int_encoding();
        let bytes = bincode::encode_to_vec(&payload, config)?;
        Sealed::new(KIND, self.claim(), bytes, format, || payload)
    }
}

/// Whether a claim is one of this kind.
pub fn is_orderings_claim(claim: &str) -> bool {
    claim.starts_with("orderings of ")
}
