//! A certificate as it was read: a claim, the tables that it rests on, and the witnesses.
//!
//! Nothing in it has been judged beyond its form: the digest or the id is right, every field has its type, texts are
//! printable ASCII. Whether any of it is true, [`verify`](super::verify) says.
//!
//! Source: `docs/certificate-format.md`, *Binary container* and the payloads of all kinds.

use std::fmt::{self, Display};

use super::certificate_kind::CertificateKind;
use super::{Checked, Id, Move, Reason, Refusal};

/// A certificate, read and well formed, but not yet verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The version of the format; always 2.
    pub version: u32,
    /// How the file is written.
    pub encoding: Encoding,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The size of the payload in bytes, after decoding.
    pub expanded_bytes: u64,
    /// The name of the content.
    pub id: Id,
    /// What the certificate claims: one line of printable ASCII.
    pub claim: String,
    /// The certificates that this one says it rests on.
    pub children: Vec<Child>,
    /// The witnesses.
    pub body: Body,
}

impl Certificate {
    /// Compares the claim with the one that is wanted, byte by byte.
    ///
    /// # Errors
    ///
    /// [`Reason::ClaimDiffers`].
    pub fn check_claim(&self, wanted: &str) -> Result<(), Refusal> {
        if self.claim == wanted {
            return Ok(());
        }
        let place = format_args!("claim: stored {}, wanted {wanted}", self.claim);
        Err(Refusal::new(Reason::ClaimDiffers, place).of(self.id))
    }
}

/// How a certificate file is written. `Display`: `binary, codec 0` or `JSON`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// The binary container.
    Binary {
        /// How the payload is stored; 0: as it is, 1: in compressed blocks.
        codec: u8,
    },
    /// JSON text.
    Json,
}

impl Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Encoding::Binary { codec } => write!(f, "binary, codec {codec}"),
            Encoding::Json => f.write_str("JSON"),
        }
    }
}

/// A certificate that another one rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Child {
    /// What the child claims: one line of printable ASCII.
    pub claim: String,
    /// The name of the child's content.
    pub id: Id,
}

/// The witnesses, by kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// Kind 1.
    EndgameTable(EndgameTable),
    /// Kind 2.
    Bisimulation(Bisimulation),
    /// Kind 3.
    Bounds(Bounds),
    /// Kind 4.
    LocalProof(LocalProof),
    /// Kind 5.
    Mate(Mate),
    /// Kind 6.
    Bundle(Bundle),
    /// Kind 7.
    Orderings(Orderings),
    /// Kind 8.
    Abstraction(Abstraction),
    /// Kind 9.
    Proof(Proof),
}

impl Body {
    /// The name of the kind, as in JSON.
    pub fn kind_name(&self) -> &'static str {
        self.kind().name()
    }

    pub(super) fn kind(&self) -> CertificateKind {
        match self {
            Body::EndgameTable(_) => CertificateKind::EndgameTable,
            Body::Bisimulation(_) => CertificateKind::Bisimulation,
            Body::Bounds(_) => CertificateKind::Bounds,
            Body::LocalProof(_) => CertificateKind::LocalProof,
            Body::Mate(_) => CertificateKind::Mate,
            Body::Bundle(_) => CertificateKind::Bundle,
            Body::Orderings(_) => CertificateKind::Orderings,
            Body::Abstraction(_) => CertificateKind::Abstraction,
            Body::Proof(_) => CertificateKind::Proof,
        }
    }
}

/// The payload of an endgame table after its claim and its children. States are canonical states; all fields are as
/// stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndgameTable {
    /// Raw legal states.
    pub raw_states: u64,
    /// Canonical states.
    pub states: u64,
    /// Distinct pairs of a state and a successor, the draw sink included.
    pub edges: u64,
    /// Legal moves, summed over the states.
    pub legal_moves: u64,
    /// Comparisons of the successors of an image with those of its state.
    pub symmetry_comparisons: u64,
    /// States that are checkmate.
    pub checkmates: u64,
    /// States that are stalemate.
    pub stalemates: u64,
    /// States with White to move that White wins.
    pub white_wins: u64,
    /// States with White to move that White loses.
    pub white_losses: u64,
    /// States with White to move that are drawn.
    pub white_draws: u64,
    /// States with Black to move that Black wins.
    pub black_wins: u64,
    /// States with Black to move that Black loses.
    pub black_losses: u64,
    /// States with Black to move that are drawn.
    pub black_draws: u64,
    /// The longest distance to mate, in plies; 0 if there is none.
    pub max_dtm_plies: u16,
    /// How many states have the longest distance; 0 if there is none.
    pub max_dtm_states: u64,
    /// Optimal play from the first state with the longest distance.
    pub longest_line: Vec<Move>,
    /// One byte a state, in canonical order: even, lost in that many plies; odd, won in that many plies; 255, drawn.
    pub values: Vec<u8>,
    /// With three men one move a state, in canonical order; with more none.
    pub policy: Vec<Move>,
    /// With more than three men, how many states come before each choice of the first squares of a tuple; with three
    /// none.
    pub starts: Vec<u64>,
    /// Where both sides have a pawn, the states with an en-passant square.
    pub en_passant: Option<EnPassant>,
}

/// The states with an en-passant square of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnPassant {
    /// Raw en-passant states.
    pub raw_states: u64,
    /// Canonical en-passant states.
    pub states: u64,
    /// One byte a canonical en-passant state, in their order.
    pub values: Vec<u8>,
}

/// The payload of a bisimulation after its claim and its children. The vertices are the canonical states in their order
/// and behind them the canonical en-passant states in theirs; all fields are as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bisimulation {
    /// Canonical states.
    pub states: u64,
    /// Distinct pairs of a state and a successor, the draw sink included.
    pub edges: u64,
    /// Where both sides have a pawn, the number of canonical en-passant states.
    pub en_passant_states: Option<u64>,
    /// The number of blocks of each partition, from that by labels to the last.
    pub blocks_per_round: Vec<u64>,
    /// The block of each vertex in the last partition.
    pub map: Vec<u32>,
    /// The block from which each block was split off; its own number where it was there from the beginning.
    pub parents: Vec<u32>,
    /// The round in which each block appears.
    pub split_rounds: Vec<u32>,
}

/// The payload of bounds after its claim and its children. The vertices are those of a [`Bisimulation`]; a list of rounds
/// has for each of them the first round in which something is known, 65,535 if it never is. All fields are as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Canonical states.
    pub states: u64,
    /// Distinct pairs of a state and a successor, the draw sink included.
    pub edges: u64,
    /// Where both sides have a pawn, the number of canonical en-passant states.
    pub en_passant_states: Option<u64>,
    /// The number of the last round.
    pub rounds: u16,
    /// When it is known that White wins.
    pub white_wins: Vec<u16>,
    /// When it is known that Black wins.
    pub black_wins: Vec<u16>,
    /// When it is known that White does not lose.
    pub white_holds: Vec<u16>,
    /// When it is known that Black does not lose.
    pub black_holds: Vec<u16>,
    /// For each move of each vertex the place of the move that dominates it, 255 if it is kept.
    pub dominators: Vec<u8>,
    /// For each move of each vertex the round in which it is deleted, 65,535 if it is kept.
    pub deletion_rounds: Vec<u16>,
    /// Deletions where the two bounds that are compared differ.
    pub deleted_strict: u64,
    /// Deletions where they are equal.
    pub deleted_equal: u64,
    /// Deletions of moves whose value is not known in that round.
    pub deleted_open: u64,
}

/// The payload of a local proof after its claim and its children. It lists positions of a class and says something of each;
/// all fields are as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalProof {
    /// The listed positions, ascending: the squares of the men and the side to move, a byte each; where both sides have a
    /// pawn also the en-passant square, 64 if there is none.
    pub positions: Vec<u8>,
    /// The lower bound of each position as White's: 0 a loss, 1 a draw, 2 a win.
    pub lower: Vec<u8>,
    /// The upper bound of each position.
    pub upper: Vec<u8>,
    /// In how many plies the winner of each position gets to a mate or to a won state of a child, 65,535 if nobody is said
    /// to win.
    pub ranks: Vec<u16>,
    /// For each move of each position the place of the move that dominates it, 255 if it is kept.
    pub dominators: Vec<u8>,
    /// How many moves the positions have.
    pub moves: u64,
    /// Deletions where the two bounds that are compared differ.
    pub deleted_strict: u64,
    /// Deletions where they are equal.
    pub deleted_equal: u64,
}

/// The payload of a mate after its claim: what the attacker plays, and what the defender. A reference is the number of a node
/// of the same list, or 4,294,967,295 for a leaf. All fields are as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// The nodes of the strategy, one after the other.
    pub strategy: Vec<u8>,
    /// The nodes of the refutation, one after the other.
    pub refutation: Vec<u8>,
    /// The first moves, [`Move::NONE`] if the defender is to move, with references to the strategy.
    pub strategy_roots: Vec<(Move, u32)>,
    /// References to the refutation, one for each position of which something is denied.
    pub refutation_roots: Vec<u32>,
}

/// The payload of a bundle after its claim. Its mates are judged while they are read, and not kept: what is left of them is
/// how many they are and what was found. So a bundle comes from nowhere but from reading one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    pub(super) mates: u64,
    /// What was found; none if the mates were not judged.
    pub(super) outcome: Option<Result<Checked, Refusal>>,
}

impl Bundle {
    /// How many mates there are.
    pub fn mates(&self) -> u64 {
        self.mates
    }
}

/// The payload of orderings after its claim: positions that are drawn from a seed, and what is said of them. Where there are
/// four numbers, they are those of the orders lexical, forcing, tension and exchange. All fields are as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orderings {
    /// The attempt of the last position.
    pub attempts: u64,
    /// The proof nodes of all positions with each order.
    pub proof_nodes: [u64; 4],
    /// Positions in which exchange takes fewer proof nodes than forcing.
    pub wins: u64,
    /// Positions in which it takes as many.
    pub ties: u64,
    /// Positions in which it takes more.
    pub losses: u64,
    /// Replies to all winning moves.
    pub reply_branches: u64,
    /// Moves that give checkmate after all these replies.
    pub mating_continuations: u64,
    /// The positions, in the order in which they are drawn.
    pub positions: Vec<OrderedPosition>,
}

/// A position of orderings. Lists of moves are in the order of their UCI texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderedPosition {
    /// The position: six words of printable ASCII.
    pub fen: String,
    /// The number of the attempt that gave it, from 1.
    pub attempt: u64,
    /// The proof nodes with each order.
    pub proof_nodes: [u64; 4],
    /// The legal moves.
    pub root_moves: Vec<Move>,
    /// Those that capture, with what they are worth.
    pub exchanges: Vec<Exchange>,
    /// Those that mate in two.
    pub winning: Vec<WinningMove>,
}

/// What is said of a capture, of which both sides may go on capturing on the same square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// The capture.
    pub capture: Move,
    /// What it is worth, in hundredths of a pawn, if that is not less than nothing; otherwise 0.
    pub gain: u16,
    /// What it costs if it is worth less than nothing; otherwise 0.
    pub loss: u16,
    /// The positions after the captures.
    pub nodes: u32,
    /// The most captures in a row.
    pub capture_plies: u16,
    /// Those of the positions in which the side to move is in check.
    pub checked_nodes: u32,
}

/// A move that mates in two, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WinningMove {
    /// The move.
    pub key: Move,
    /// All replies to it.
    pub replies: Vec<Reply>,
}

/// A reply to a winning move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The reply.
    pub reply: Move,
    /// All moves that give checkmate after it.
    pub mates: Vec<Move>,
}

/// The payload of an abstraction after its claim and its children. The vertices are those of a [`Bisimulation`]; a decision
/// tree puts each of them into a block, and the lists have an entry for each block. All fields are as stored; what the claim
/// says is read by [`AbstractionClaim`](super::AbstractionClaim).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    /// Canonical states.
    pub states: u64,
    /// Distinct pairs of a state and a successor, the draw sink included.
    pub edges: u64,
    /// Where both sides have a pawn, the number of canonical en-passant states.
    pub en_passant_states: Option<u64>,
    /// The lines of the tree: a question, what follows if the answer is yes, and what follows if it is no.
    pub tree: Vec<String>,
    /// The lower bound of each block as White's: 0 a loss, 1 a draw, 2 a win.
    pub lower: Vec<u8>,
    /// The upper bound of each block.
    pub upper: Vec<u8>,
    /// The rank of each block, which is smaller where the winner is nearer to his aim, 65,535 if nobody is said to win.
    pub ranks: Vec<u16>,
}

/// The payload of a proof after its claim and its children: states of the complete game and nodes, which are positions, with what
/// is said of each. All fields are as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The bytes of the state that the claim names by its digest; otherwise none.
    pub state: Vec<u8>,
    /// The states, one after the other.
    pub states: Vec<u8>,
    /// The nodes, one after the other.
    pub nodes: Vec<u8>,
    /// Deletions where the two bounds that are compared differ.
    pub deleted_strict: u64,
    /// Deletions where they are equal.
    pub deleted_equal: u64,
}

#[cfg(test)]
impl EndgameTable {
    /// A table in which nothing stands.
    pub(super) fn empty() -> EndgameTable {
        EndgameTable {
            raw_states: 0,
            states: 0,
            edges: 0,
            legal_moves: 0,
            symmetry_comparisons: 0,
            checkmates: 0,
            stalemates: 0,
            white_wins: 0,
            white_losses: 0,
            white_draws: 0,
            black_wins: 0,
            black_losses: 0,
            black_draws: 0,
            max_dtm_plies: 0,
            max_dtm_states: 0,
            longest_line: Vec::new(),
            values: Vec::new(),
            policy: Vec::new(),
            starts: Vec::new(),
            en_passant: None,
        }
    }
}

#[cfg(test)]
impl Certificate {
    /// A certificate that is well formed, with another number in every field, and says nothing true.
    pub(super) fn example(encoding: Encoding) -> Certificate {
        let table = EndgameTable {
            raw_states: 1,
            states: 2,
            edges: 3,
            legal_moves: 4,
            symmetry_comparisons: 5,
            checkmates: 6,
            stalemates: 7,
            white_wins: 8,
            white_losses: 9,
            white_draws: 10,
            black_wins: 11,
            black_losses: 12,
            black_draws: u64::MAX,
            max_dtm_plies: 0x0e0d,
            max_dtm_states: 15,
            longest_line: vec!["a1b2".parse().unwrap(), "e7e8q".parse().unwrap()],
            values: vec![16, 255, 0],
            policy: vec![Move::NONE, Move::from_bits(0xffff)],
            starts: Vec::new(),
            en_passant: None,
        };
        let claim = "endgame KQK board dtm".to_string();
        let children = vec![Child {
            claim: "a child".to_string(),
            id: Id::from_bytes([0xc1; 32]),
        }];
        Certificate::made_of(encoding, claim, children, Body::EndgameTable(table))
    }

    /// A bisimulation that is well formed, with another number in every field, and says nothing true.
    pub(super) fn example_of_bisimulation(encoding: Encoding) -> Certificate {
        let bisimulation = Bisimulation {
            states: 1,
            edges: u64::MAX,
            en_passant_states: None,
            blocks_per_round: vec![2, 3, 1 << 40],
            map: vec![4, 5, u32::MAX],
            parents: vec![6],
            split_rounds: vec![7, 0x0102_0304],
        };
        let claim = "bisimulation KQK board".to_string();
        let children = vec![Child {
            claim: "a child".to_string(),
            id: Id::from_bytes([0xc1; 32]),
        }];
        Certificate::made_of(encoding, claim, children, Body::Bisimulation(bisimulation))
    }

    /// Bounds that are well formed, with another number in every field, and say nothing true.
    pub(super) fn example_of_bounds(encoding: Encoding) -> Certificate {
        let bounds = Bounds {
            states: 1,
            edges: u64::MAX,
            en_passant_states: None,
            rounds: 0x0302,
            white_wins: vec![4, u16::MAX],
            black_wins: vec![5],
            white_holds: vec![0x0706],
            black_holds: vec![8, 9, 10],
            dominators: vec![11, 255, 0],
            deletion_rounds: vec![12, u16::MAX],
            deleted_strict: 13,
            deleted_equal: 14,
            deleted_open: 1 << 40,
        };
        let claim = "bounds KQK board".to_string();
        let children = vec![Child {
            claim: "a child".to_string(),
            id: Id::from_bytes([0xc1; 32]),
        }];
        Certificate::made_of(encoding, claim, children, Body::Bounds(bounds))
    }

    /// A local proof that is well formed, with another number in every field, and says nothing true.
    pub(super) fn example_of_local_proof(encoding: Encoding) -> Certificate {
        let local_proof = LocalProof {
            positions: vec![1, 2, 3],
            lower: vec![4, 5],
            upper: vec![6],
            ranks: vec![0x0807, u16::MAX],
            dominators: vec![9, 255, 0],
            moves: 10,
            deleted_strict: u64::MAX,
            deleted_equal: 1 << 40,
        };
        let claim = "interval 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 board 1 1".to_string();
        let children = vec![Child {
            claim: "a child".to_string(),
            id: Id::from_bytes([0xc1; 32]),
        }];
        Certificate::made_of(encoding, claim, children, Body::LocalProof(local_proof))
    }

    /// A mate that is well formed, with another number in every field, and says nothing true.
    pub(super) fn example_of_mate(encoding: Encoding) -> Certificate {
        let mate = Mate {
            strategy: vec![1, 2, 3],
            refutation: vec![4, 5],
            strategy_roots: vec![
                ("a1b2".parse().unwrap(), 0x0102_0304),
                (Move::from_bits(0xffff), u32::MAX),
            ],
            refutation_roots: vec![6, 1 << 24, 7],
        };
        let claim = "mate 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1 in 1 shortest".to_string();
        Certificate::made_of(encoding, claim, Vec::new(), Body::Mate(mate))
    }

    /// Orderings that are well formed, with another number in every field, and say nothing true.
    pub(super) fn example_of_orderings(encoding: Encoding) -> Certificate {
        let m = |text: &str| text.parse().unwrap();
        let exchange = Exchange {
            capture: m("a1b2"),
            gain: 0x0b0a,
            loss: 12,
            nodes: 13,
            capture_plies: 14,
            checked_nodes: u32::MAX,
        };
        let reply = Reply {
            reply: m("a1b2"),
            mates: vec![m("e7e8q"), m("e7e8n")],
        };
        let winning = WinningMove {
            key: m("e7e8q"),
            replies: vec![reply],
        };
        let position = OrderedPosition {
            fen: "a position".to_string(),
            attempt: 15,
            proof_nodes: [16, 17, 18, 1 << 40],
            root_moves: vec![m("a1b2"), m("e7e8q")],
            exchanges: vec![exchange],
            winning: vec![winning],
        };
        let orderings = Orderings {
            attempts: 1,
            proof_nodes: [2, 3, 4, u64::MAX],
            wins: 5,
            ties: 6,
            losses: 7,
            reply_branches: 8,
            mating_continuations: 9,
            positions: vec![position],
        };
        let claim = "orderings of 2 positions from seed 15".to_string();
        Certificate::made_of(encoding, claim, Vec::new(), Body::Orderings(orderings))
    }

    /// An abstraction that is well formed, with another number in every field, and says nothing true.
    pub(super) fn example_of_abstraction(encoding: Encoding) -> Certificate {
        let abstraction = Abstraction {
            states: 1,
            edges: u64::MAX,
            en_passant_states: None,
            tree: vec!["a line".to_string(), String::new(), "x".to_string()],
            lower: vec![4, 5],
            upper: vec![6],
            ranks: vec![0x0807, u16::MAX],
        };
        let claim = "abstraction KQK board horizon 3 decides 2 states in 9 blocks".to_string();
        let children = vec![Child {
            claim: "a child".to_string(),
            id: Id::from_bytes([0xc1; 32]),
        }];
        Certificate::made_of(encoding, claim, children, Body::Abstraction(abstraction))
    }

    /// A proof that is well formed, with another number in every field, and says nothing true.
    pub(super) fn example_of_proof(encoding: Encoding) -> Certificate {
        let proof = Proof {
            state: vec![1, 2, 3],
            states: vec![4, 5],
            nodes: vec![6, 255],
            deleted_strict: u64::MAX,
            deleted_equal: 1 << 40,
        };
        let claim = "interval 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1 fcs 0 0".to_string();
        let children = vec![Child {
            claim: "a child".to_string(),
            id: Id::from_bytes([0xc1; 32]),
        }];
        Certificate::made_of(encoding, claim, children, Body::Proof(proof))
    }

    /// The certificate with this content, whose claim is one of the list.
    pub(super) fn made_of(
        encoding: Encoding,
        claim: String,
        children: Vec<Child>,
        body: Body,
    ) -> Certificate {
        let material = super::claim::class_of(body.kind(), &claim).unwrap();
        let payload = super::payload::write(&claim, material.as_ref(), &children, &body);
        Certificate {
            version: super::read::VERSION,
            encoding,
            bytes: 0,
            expanded_bytes: payload.len() as u64,
            id: Id::of_content(super::read::VERSION, body.kind().number(), &payload),
            claim,
            children,
            body,
        }
    }

    /// The payload of the certificate.
    pub(super) fn payload(&self) -> Vec<u8> {
        let material = super::claim::class_of(self.body.kind(), &self.claim).unwrap();
        super::payload::write(&self.claim, material.as_ref(), &self.children, &self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_compared_exactly() {
        let certificate = Certificate::example(Encoding::Json);
        assert_eq!(certificate.check_claim("endgame KQK board dtm"), Ok(()));
        for wanted in ["", "endgame KQK board dtm ", "endgame kqk board dtm"] {
            let refusal = certificate.check_claim(wanted).unwrap_err();
            assert_eq!(refusal.reason, Reason::ClaimDiffers);
            assert_eq!(refusal.id, Some(certificate.id));
        }
    }
}
