//! Kind 5: forced mates, by a strategy, and what cannot be forced, by a refutation.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bincode::Encode;
use serde::Serialize;
use shakmaty::uci::UciMove;

use super::move_code::move_code;
use super::sealed::{Format, Kind, SealError, Sealed};
use crate::mate::{Answer, Dag, Keys, Mover, NodeId, Question, Verdict, Witness};
use crate::rules::{placement_fen, uci, uci_order};

const KIND: Kind = Kind {
    number: 5,
    name: "mate",
    has_class: false,
};

/// A reference to a position that has no node.
const LEAF: u32 = u32::MAX;

/// No move.
const NO_MOVE: u16 = 0;

#[derive(Encode)]
struct Payload<'a> {
    claim: &'a str,
    strategy: &'a [u8],
    refutation: &'a [u8],
    strategy_roots: &'a [(u16, u32)],
    refutation_roots: &'a [u32],
}

/// The same in JSON.
#[derive(Serialize)]
struct Text {
    claim: String,
    strategy: String,
    refutation: String,
    strategy_roots: String,
    refutation_roots: String,
}

/// The claim that an answer comes to; none if nothing is decided. All keys are named if they are known.
fn mate_claim(question: &Question, answer: &Answer) -> Option<String> {
    let start = mate_claim_start(question);
    match answer.verdict {
        Verdict::Undecided => None,
        Verdict::Refuted => Some(format!("{start}not in {}", question.max_moves)),
        Verdict::Proved(length) => {
            let mut claim = format!("{start}in {length} shortest");
            if names_keys(question, answer) {
                claim.push_str(" keys");
                for key in &answer.keys {
                    claim.push(' ');
                    claim.push_str(&uci(*key));
                }
            }
            Some(claim)
        }
    }
}

/// What every claim about the position of a question begins with.
fn mate_claim_start(question: &Question) -> String {
    let word = match question.mover {
        Mover::Attacker => "mate",
        Mover::Defender => "mated",
    };
    format!("{word} {} 0 1 ", placement_fen(&question.position))
}

fn names_keys(question: &Question, answer: &Answer) -> bool {
    question.keys == Keys::All && answer.are_all_keys && question.mover == Mover::Attacker
}

/// Whether a claim is one that the answer to a question may come to.
pub fn may_claim(question: &Question, claim: &str) -> bool {
    let Some(rest) = claim.strip_prefix(&mate_claim_start(question)) else {
        return false;
    };
    if let Some(moves) = rest.strip_prefix("not in ") {
        return moves == question.max_moves.to_string();
    }
    let wants_keys = question.keys == Keys::All && question.mover == Mover::Attacker;
    rest.contains(" shortest") && rest.contains(" keys ") == wants_keys
}

/// What an answer comes to, with its witnesses, as it is written.
#[derive(Clone, Debug)]
pub struct CertifiedMate {
    claim: String,
    strategy: Vec<u8>,
    refutation: Vec<u8>,
    strategy_roots: Vec<(u16, u32)>,
    refutation_roots: Vec<u32>,
}

impl CertifiedMate {
    /// The claim of an answer with its witnesses; none if nothing is decided.
    pub fn of(question: &Question, answer: &Answer, witness: &Witness) -> Option<CertifiedMate> {
        let claim = mate_claim(question, answer)?;
        let mut strategy = Nodes::of(Mover::Attacker);
        let mut strategy_roots = Vec::new();
        if let Some(found) = &witness.mate {
            match question.mover {
                Mover::Attacker => {
                    let root = strategy.below_root(&found.dag);
                    strategy_roots.extend(root.into_iter().map(|(mv, to)| (move_code(mv), to)));
                }
                Mover::Defender => strategy_roots.push((NO_MOVE, strategy.whole(&found.dag))),
            }
        }
        let mut refutation = Nodes::of(Mover::Defender);
        let mut refutation_roots = Vec::new();
        if let Some(found) = &witness.no_shorter {
            refutation_roots.push(refutation.whole(&found.dag));
        }
        if names_keys(question, answer)
            && let Some(found) = &witness.no_other_key
        {
            let root = refutation.below_root(&found.dag);
            refutation_roots.extend(root.into_iter().map(|(_, to)| to));
        }
        Some(CertifiedMate {
            claim,
            strategy: strategy.bytes,
            refutation: refutation.bytes,
            strategy_roots,
            refutation_roots,
        })
    }

    /// The claim.
    pub fn claim(&self) -> &str {
        &self.claim
    }

    /// The payload.
    pub(super) fn payload(&self) -> Result<Vec<u8>, SealError> {
        let config = bincode::config::standard()
            .with_little_endian()
            .with_fixed_int_encoding();
        let payload = Payload {
            claim: &self.claim,
            strategy: &self.strategy,
            refutation: &self.refutation,
            strategy_roots: &self.strategy_roots,
            refutation_roots: &self.refutation_roots,
        };
        Ok(bincode::encode_to_vec(payload, config)?)
    }

    /// The certificate of this mate alone.
    ///
    /// # Errors
    ///
    /// [`SealError`], a fault of this program.
    pub fn seal(&self, format: Format) -> Result<Sealed, SealError> {
        let claim = self.claim.clone();
        Sealed::new(KIND, claim, self.payload()?, format, || {
            let pairs = self.strategy_roots.iter().flat_map(|(mv, to)| {
                let (mv, to) = (mv.to_le_bytes(), to.to_le_bytes());
                mv.into_iter().chain(to)
            });
            let references = self.refutation_roots.iter().flat_map(|to| to.to_le_bytes());
            Text {
                claim: self.claim.clone(),
                strategy: STANDARD.encode(&self.strategy),
                refutation: STANDARD.encode(&self.refutation),
                strategy_roots: STANDARD.encode(pairs.collect::<Vec<u8>>()),
                refutation_roots: STANDARD.encode(references.collect::<Vec<u8>>()),
            }
        })
    }
}

/// Nodes as they are written.
struct Nodes {
    bytes: Vec<u8>,
    count: u32,
    /// Who makes one move where he is to move; of the other side all moves count.
    with_one_move: Mover,
}

impl Nodes {
    const fn of(with_one_move: Mover) -> Nodes {
        Nodes {
            bytes: Vec::new(),
            count: 0,
            with_one_move,
        }
    }

    /// Writes a graph, and says where its root is.
    fn whole(&mut self, dag: &Dag) -> u32 {
        let places = self.add(dag, dag.nodes());
        places.last().copied().unwrap_or(LEAF)
    }

    /// Writes a graph without its root, of which it gives the moves in order and where they lead.
    fn below_root(&mut self, dag: &Dag) -> Vec<(UciMove, u32)> {
        let mut nodes = dag.nodes();
        let root = nodes.next_back();
        let places = self.add(dag, nodes);
        root.map_or_else(Vec::new, |root| moves(dag, root, &places))
    }

    /// Writes nodes of a graph; for each where it is now.
    fn add(&mut self, dag: &Dag, nodes: impl Iterator<Item = NodeId>) -> Vec<u32> {
        let mut places = Vec::with_capacity(dag.len());
        for node in nodes {
            let place = match dag.leaf(node) {
                Some(_) => LEAF,
                None => {
                    let is_attackers = dag.plies(node).get() % 2 == 1;
                    let is_one = is_attackers == (self.with_one_move == Mover::Attacker);
                    let moves = moves(dag, node, &places);
                    // No position has more than 218 moves.
                    self.bytes.push(if is_one { 0 } else { moves.len() as u8 });
                    for (mv, to) in moves {
                        if is_one {
                            self.bytes.extend(move_code(mv).to_le_bytes());
                        }
                        self.bytes.extend(to.to_le_bytes());
                    }
                    self.count += 1;
                    self.count - 1
                }
            };
            places.push(place);
        }
        places
    }
}

/// The moves of a node in the order of their UCI texts, and where they lead.
fn moves(dag: &Dag, node: NodeId, places: &[u32]) -> Vec<(UciMove, u32)> {
    let mut moves: Vec<(UciMove, u32)> = dag
        .moves(node)
        .map(|(mv, to)| (UciMove::from_standard(mv), places[to.place()]))
        .collect();
    moves.sort_unstable_by_key(|&(mv, _)| uci_order(mv));
    moves
}
