//! The verifier, an island: it reads certificates and checks their claims, and shares no code with what writes them.
//!
//! It imports nothing but `std`, `serde`, `serde_json` and `sha2`, has its own rules of chess, its own enumeration of
//! states and its own readers, and is written from `docs/certificate-format.md` alone. It favours the obvious over
//! the fast. Input is hostile: every byte sequence gives an answer, in memory in proportion to what was read.
//!
//! [`read()`] checks the form and the digest or id, [`verify`] everything else:
//!
//! | file | holds |
//! |---|---|
//! | `read`, `container`, `payload`, `json`, `json_value`, `base64` | readers |
//! | `certificate`, `id`, `chess_move`, `refusal` | what they give |
//! | `square`, `man`, `position` | the rules of chess |
//! | `symmetry`, `states`, `images` | the states of a class and their successors |
//! | `claim`, `value`, `counts`, `table` | the check of an endgame table |
//!
//! # Why the check of an endgame table proves its claim
//!
//! The game is played on *raw legal states*: placements with a side to move. The table has a value only for each
//! *canonical* state. Let *c(r)* be the canonical image of a raw legal state *r*.
//!
//! **Every raw placement is covered.** The enumeration goes through all placements and finds *c(r)* for each raw
//! legal *r*; each move is looked up in the same list, so the raw legal states are closed under moves (up to
//! captures, into the sink). Every *r* is one of the eight images of *c(r)*. For each canonical state and each image,
//! the moves of the image are generated on the board, and the set of canonical successors is found to be that of the
//! state; an image without moves is mate or stalemate as the state is. So what *c* forgets makes no difference to the
//! game: a line of play from *r* maps to a line from *c(r)*, and a line from *c(r)* lifts to one from *r*, move by
//! move and with the same end. Both have the same result and distance. That symmetries carry chess to chess is not
//! assumed but was looked at.
//!
//! **Wins and losses, by induction on the distance.** Let *b(s)* be the byte of a state, 255 for the sink. For each
//! *n* ≤ 254: *b(s) = n* exactly if *s* is decided in *n* plies, won by the side to move if *n* is odd and lost if it
//! is even. Suppose it for all numbers below *n*.
//! - *n* = 0: only the equation of states without moves gives 0 (the others give 1 and more), and it does so exactly
//!   for checkmate.
//! - *n* odd: *b(s) = n* exactly if *n* − 1 is the smallest even byte of a successor. By the supposition this says
//!   that a move leads to a state lost in *n* − 1, and none to one lost in less: *s* is won in *n* and not faster.
//! - *n* even, above 0: *b(s) = n* exactly if all bytes of successors are odd and below 255 and *n* − 1 is the
//!   largest. By the supposition this says that every move leads to a state won for the other side, the most stubborn
//!   one in *n* − 1.
//!
//! No state is decided in more than 254 plies: if one were, then one in exactly 255 (a state decided in *n* > 0 plies
//! has a successor decided in *n* − 1). It has a successor of byte 254, so the equations give *won in 255*, which no
//! byte says; distances are compared as numbers, and such a table is refused.
//!
//! **Draws, by a closed set.** Hence the states of byte 255 are those where neither side can force mate. They hold
//! without counting: each is stalemate, or has a move to a state of byte 255 or to the sink and none to a state lost
//! for the other side. The side to move can stay in the set for ever, and play that never ends is a draw.
//!
//! A *dead* position needs nothing special. No mate can be reached from it, so by the above its byte is 255, and a
//! draw by the equations is the draw that the Laws give it at once.
//!
//! The policy, the counts and the longest line are compared with what follows from the values, so they add no
//! premise.

mod base64;
mod certificate;
mod chess_move;
mod claim;
mod container;
mod counts;
mod id;
mod images;
mod json;
mod json_value;
mod man;
mod payload;
mod position;
mod read;
mod refusal;
mod square;
mod states;
mod symmetry;
mod table;
mod value;

pub use certificate::{Body, Certificate, Child, Encoding, EndgameTable};
pub use chess_move::{Move, ParseMoveError};
pub use id::{Id, ParseIdError};
pub use read::read;
pub use refusal::{Reason, Refusal, Verdict};
pub use square::Square;

/// What [`verify`] went through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Canonical states.
    pub states: u64,
    /// Distinct pairs of a state and a successor, the draw sink included.
    pub edges: u64,
}

/// Establishes the claim of a certificate from its witnesses, in the order of the format page; the first failure is
/// the verdict.
///
/// # Errors
///
/// The reasons from `unknown claim` to `wrong longest line` of the format page, except `claim differs`, for which
/// there is [`Certificate::check_claim`]. Every refusal has the id of the certificate.
pub fn verify(certificate: &Certificate) -> Result<Checked, Refusal> {
    let (claim, children) = (&certificate.claim, &certificate.children);
    let checked = match &certificate.body {
        Body::EndgameTable(table) => table::check(claim, children, table),
    };
    checked.map_err(|refusal| refusal.of(certificate.id))
}

/// STUB
#[derive(Default)]
pub struct Session;
impl Session {
    /// STUB
    pub fn new() -> Session { Session }
    /// STUB
    pub fn verify(&mut self, certificate: &Certificate) -> Result<Checked, Refusal> { verify(certificate) }
}
