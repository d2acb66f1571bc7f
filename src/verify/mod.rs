//! The verifier, an island: it reads certificates and checks their claims, and shares no code with what writes them.
//!
//! It imports nothing but `std`, `serde`, `serde_json`, `sha2` and `miniz_oxide`, has its own rules of chess, its own
//! enumeration of states and its own readers, and is written from `docs/certificate-format.md` alone. Input is hostile:
//! every byte sequence gives an answer, in memory in proportion to what was read or to what its class may need.
//!
//! [`read()`] checks the form and the digest or id, [`Session::verify`] everything else; an [`Outline`] is for looking at
//! single states of a table that is too large to be read whole. A bundle may be that too: its mates are judged by [`read()`],
//! while they pass, and [`Session::verify`] says what was found; [`read_each`] lists them instead.
//!
//! | file | holds |
//! |---|---|
//! | `read`, `container`, `blocks`, `ends`, `inflation`, `passing_blocks`, `payload`, `fields`, `orderings_fields`, `abstraction_fields`, `outline`, `json`, `json_objects`, `json_orderings`, `json_lists`, `json_value`, `base64` | readers |
//! | `certificate`, `certificate_kind`, `claim`, `material`, `id`, `chess_move`, `refusal` | what they give |
//! | `square`, `man`, `reach`, `squares`, `position` | the rules of chess for few men |
//! | `square`, `man`, `reach`, `castling`, `board`, `candidates`, `packed_board` | the rules of chess for any men, castling included |
//! | `slow_board` | the same rules stepping over squares, for tests |
//! | `symmetry`, `states`, `routes`, `class`, `images` | the states of a class and their successors |
//! | `value`, `counts`, `table` | the check of an endgame table |
//! | `graph`, `partition`, `refinement`, `bisimulation` | the check of a bisimulation |
//! | `interval`, `graph`, `rounds`, `deletions`, `bounds` | the check of bounds |
//! | `fen`, `root`, `tuple`, `branches`, `interval`, `listing`, `records`, `local_proof` | the check of a local proof |
//! | `fen`, `mate_claim`, `nodes`, `reached`, `strategy`, `refutation`, `mate` | the check of a mate |
//! | `bundle_claim`, `bundle`, `passing_mates` | the check of a bundle, while it is read |
//! | `orderings_claim`, `key_stream`, `attempts`, `tree`, `exchange`, `orders`, `proof_nodes`, `orderings` | the check of orderings |
//! | `abstraction_claim`, `oriented`, `feature_value`, `features`, `decision_tree`, `interval`, `intervals`, `graph`, `horizon`, `abstraction` | the check of an abstraction |
//! | `proof_claim`, `proof_records`, `proof_view`, `proof_tables`, `proof_positions`, `proof_states`, `proof_bounds`, `records`, `interval`, `proof` | the check of a proof |
//! | `board`, `game_state`, `game_bytes`, `admission`, `packed_board`, `walls`, `deadness`, `perft` | the states of the complete game, and dead positions |
//! | `session` | certificates that rest on each other |
//!
//! # Why the check of an endgame table proves its claim
//!
//! The game is played on *raw legal states*: placements with a side to move, or with an en-passant square besides. The
//! table has a value only for each *canonical* state. Let *c(r)* be the canonical image of a raw legal state *r*.
//!
//! **Every raw placement is covered.** With three men the enumeration goes through all placements and finds *c(r)* for
//! each raw legal *r*, and for each canonical state and each image the set of canonical successors is found to be that of
//! the state; an image without moves is mate or stalemate as the state is. With more men the enumeration goes through
//! all placements whose white king stands at home; every other one is brought there by a symmetry of the board, and that
//! symmetries carry legal moves to legal moves, mates to mates and stalemates to stalemates is taken from the format
//! page and looked at in a sample. Each move is looked up in the same list or in that of a child, so the states are closed
//! under moves. So what *c* forgets makes no difference to the game: a line of play from *r* maps to a line from *c(r)*,
//! and a line from *c(r)* lifts to one from *r*, move by move and with the same end.
//!
//! **Children.** The bytes of a child are those of a table that was verified before, in the same session, under the id
//! that the parent names. Material only ever gets less or is promoted, so the argument goes by induction on the classes:
//! for the states of children what follows is already known.
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
//!
//! # Why the check of a bisimulation proves its claim
//!
//! Let *P(0), P(1), …* be the partitions of the format page, which follow from the graph alone, and *Q(0), Q(1), …* those
//! that the certificate says.
//!
//! **Each partition is the right one, by induction on the round.** In round 0 two vertices are found to be in the same
//! block of *Q(0)* exactly if they have the same label, so *Q(0)* is *P(0)*. Let *Q(k)* be *P(k)*. In round *k* + 1 two
//! vertices of the same block of *Q(k)* are found to be in the same block of *Q(k + 1)* exactly if they have the same
//! signature in *Q(k)*. Two vertices of different blocks of *Q(k)* are in different blocks of *Q(k + 1)*: in the tree a
//! block has one parent, so what is together in a round was together in all before. Hence *Q(k + 1)* is *P(k + 1)*.
//!
//! That two vertices have the same signature is an equality, so it is enough to compare each vertex with the first of its
//! block, and the first ones with each other.
//!
//! **The last one is the first that is equal to the one before it.** No block appears in the last round, and one in every
//! round before. So the last partition is stable: vertices of a block have the same label and the same signature in it,
//! which says that it is a bisimulation. It is the coarsest: vertices that any bisimulation puts together are together in
//! *P(0)*, and if they are in *P(k)* for all its blocks, their signatures in *P(k)* are the same, so they are in *P(k + 1)*.
//!
//! The vertices are the canonical states, which stand for all placements as is said above (here only a sample of these is
//! looked at, also with three men); the bytes of children are those of verified tables.
//!
//! # Why the check of bounds proves its claim
//!
//! Let *(L, U)* be the interval that the four lists give a vertex in a round *k*: L is +1 if `white_wins` is at most
//! *k*, otherwise 0 if `white_holds` is, otherwise −1; U in the same way. Let *c* be the last round.
//!
//! **Wins are what they are said to be.** For each vertex `white_wins` is found to be 0 for a checkmate of Black, and
//! otherwise one more than the smallest number of its moves if White is to move, the largest if Black is. By
//! induction on the number, White wins where it is not 65,535: it is mate, or White has a move to a smaller number,
//! or Black has no other. Where it is 65,535, it is no checkmate of Black, and White has no move to another number,
//! or Black has one to 65,535, to the sink or to a state of a child that White does not win: Black can stay among
//! these vertices, and is never mated. So the number is there exactly where White wins; the equations are those of
//! the rounds, so it is also the first round with L = +1. The same holds for Black.
//!
//! **Holds are what they are said to be.** Below *c* they come from the same kind of equations, so by induction they
//! are true, and the first rounds with U ≤ 0 or L ≥ 0. In round *c* all other vertices follow where the win of the
//! other side is 65,535, and no more: by the above these are the closed sets. So each interval of each round has the
//! value in it, and in round *c* it is a point.
//!
//! **The last round is the first that changes nothing.** A number that comes from moves is *c* − 1 (or nothing
//! changes at all and *c* is 1), so something changes in that round and therefore in all before. None is *c* or more:
//! wins are looked at in step 9, holds in step 8.
//!
//! That the sets do not leak follows from all this. It is looked at first and by itself, since it is the whole reason
//! why a vertex without a way to mate is no loss.
//!
//! **Deletions.** Let White be to move (for Black the signs are exchanged), and the move *b* dominate *a* in a round.
//! Then *b* is worth at least its L in that round, which is at least the U of *a*, and *a* is worth no more than
//! that. Since *b* is kept, no record rests on another one. So of the moves of a vertex one is kept that is worth as
//! much as the best. (This is about one move at a time: whoever wins with kept moves alone may have to take care that
//! he comes nearer to mate.)
//!
//! # Why the check of a local proof proves its claim
//!
//! The file lists some canonical states and en-passant states of a class, each with an interval *[L, U]* and a rank. What
//! a move leads to has the interval of its entry, of its value in the table of a child, or of the sink; if it is none of
//! these, it has [−1, +1], which says nothing. So nothing rests on what is not listed.
//!
//! **The listed positions stand for what they are images of.** Here the class is not enumerated. That every raw legal
//! state has the moves and the ends of its canonical image is the lemma on symmetries of the format page, and that of
//! colours, when the root is exchanged: the rules know no other difference between the sides than the direction of pawns.
//! A listed position is found to be legal, and to be the smallest of its images, so two entries are never the same state.
//!
//! **Wins, by induction on the rank.** Let White be said to win (for Black the signs are exchanged), L = +1. Without a
//! move it is found to be a checkmate of Black. With White to move, there is a move to L = +1, and the rank is one more
//! than the smallest of such moves; with Black to move, all moves are to L = +1, and the rank is one more than the
//! largest. So White has a move to a smaller rank that is a win, or Black has no other; and a state of a child counts as
//! rank 0 and is won by its table. Ranks are numbers below 65,535, so they cannot fall for ever: White wins, in at most
//! as many plies as the rank says up to a mate or a child. A rank that cannot be written is refused, not cut off,
//! so two positions never justify each other's win.
//!
//! **Holds, by a closed set.** Let *H* be the listed positions with L ≥ 0, and what is known of children and of the sink
//! to be at least a draw for White. A position of *H* with L = +1 is won by the above. Any other one without a move is found
//! to be a stalemate; with White to move it has a move into *H*, and with Black to move all its moves stay in *H*. So White
//! can stay in *H*, or comes to a win: he is never mated, and play that never ends is a draw. The same holds for Black and
//! U ≤ 0. All moves are looked at here, deleted ones too.
//!
//! Hence every interval has the value of its position in it, and the root's is the one that is claimed.
//!
//! **Deletions.** The argument is that for bounds, with what is known in the end instead of in a round: the move *b* that
//! dominates *a* is worth at least its L, which is at least the U of *a*. Since *b* is kept, no record rests on another.
//!
//! # Why the check of a mate proves its claim
//!
//! *M(s, d)* says that the attacker forces mate from *s* within *d* plies, as the format page defines it. A larger *d* never
//! makes it false, which follows by induction on *d*. No table is used, and nothing is known beforehand.
//!
//! **Every node stands for one position.** References fall, so all that refers to a node comes after it in the list, and
//! has been met when its turn comes. Some root or node refers to it, and all agree on its position, and in a refutation on
//! the plies left: the first is found to be so, and boards are the same exactly if the positions are, because an en-passant
//! square is kept only where a capture is legal. So what is said of a node's position is said of the only one it has, and what
//! follows is by induction on the number of the node.
//!
//! **A strategy wins in time.** For a node with *p* plies *M(s, p)* holds. If the attacker is to move, its move is found to be
//! legal, and leads to a checkmate or to a node with *p* − 1 plies. If the defender is to move, there are as many references
//! as legal moves, one at least, and each leads to a node with at most *p* − 1 plies. A root with at most the claimed plies
//! therefore gives what is claimed; behind a first move of the attacker one ply more.
//!
//! **A refutation denies.** For a node with *d* plies left *M(s, d)* does not hold, and neither does it for a leaf. The
//! defender is not checkmated when he is not to move, and he is not where he has a legal move. If the attacker is to move, after
//! every legal move it is found not to hold with *d* − 1; if the defender is, after one. A leaf is judged by the definition
//! alone: no ply is left and the defender is not checkmated, or the side to move has no move and is not a checkmated
//! defender, or one ply is left and no move of the attacker gives checkmate. (Only those of his moves are looked at that may
//! give check at all; that no other one does is said in `candidates`.)
//!
//! **The claim.** *Forced* is the strategy, *not forced* the refutation of the position itself with the claimed plies, and
//! *shortest* that with two plies less. (With a parity that does not fit nothing changes: from a position with the attacker
//! to move mate comes after an odd number of plies.) For the keys each legal move is looked at: those that are named have a
//! strategy, all others a refutation with the same number of plies.
//!
//! # Why the check of a bundle proves its claim
//!
//! The claim says that the claims of *N* mates hold, and no more. Each of the mates is judged by the check above, from its own
//! bytes and by itself; none rests on another, so it makes no difference that it is forgotten then. They are counted, and the
//! count is the *N* of the claim. All bytes of the payload are part of one of them, or of the claim, the count or a length, and
//! all go into the id, in their order: so what was judged is what the id names. The first fault is kept, and nothing that comes
//! after it can take it back.
//!
//! # Why the check of orderings proves its claim
//!
//! Nothing in the file is a premise. The words follow from the seed, the attempts from the words, and whether one is admitted from
//! its position, as the page defines it; each position is compared with the next of these. What is said of a position is found
//! anew from the legal moves and compared, and the totals are sums over the positions. Where less is done than the page
//! says, it comes to the same:
//!
//! **The same position twice.** Whether a position is admitted follows from the position, but for what came before. So if an
//! attempt gave it before, either that attempt was admitted, or the position is admitted never; and only those that
//! were admitted have to be remembered.
//!
//! **Exchanges in layers.** Each capture takes a man from the board, so all ways to a position of an exchange have the same
//! number of captures. What the player has gained is what his men are worth more than those of his opponent, less what they were
//! before, so it is the same on all ways too.
//!
//! **The last ply.** Where one ply is left to the attacker, the evaluations are those after his moves, up to the first that
//! gives checkmate. In an order whose first key is *mate* that is the first of all moves, if there is one.
//!
//! # Why the check of an abstraction proves its claim
//!
//! Each vertex is in one block: the tree is found to be whole, so its questions lead every vertex to one leaf. What features
//! mean makes no difference to the argument. It rests on what is found of each vertex by its own moves, and says so of all
//! vertices; they stand for all placements as is said above, and the bytes of children are those of verified tables.
//!
//! **Wins, by induction on the rank.** Let White be said to win in a block (for Black colours are exchanged), L = +1, and *r*
//! be its rank. A vertex of it is found to be a checkmate of Black, or White can force within the horizon, after one ply at
//! least, a checkmate of Black, a state that White wins by the table of a child, or a vertex of a block with L = +1 and a
//! smaller rank, in which White wins by induction. So he wins. The blocks on the way do not matter, and neither does how
//! ranks were found.
//!
//! **Holds, by coming back.** Let *H* be the vertices with moves of blocks with L ≥ 0, the stalemates, the checkmates of Black,
//! and what is known of children and of the sink to be at least a draw for White. From a vertex of *H* with moves White wins,
//! by the above, or he can force within the horizon, after one ply at least, another member of *H*. A checkmate of White
//! counts for nothing in any sweep, so he is not mated on the way. Either play ends with a draw or a win, or it comes back
//! to *H* over and over, and play that never ends is a draw. The same holds for Black and U ≤ 0.
//!
//! A vertex without moves has its value in the interval by itself. So each interval has the value of all vertices of its block
//! in it, and where its bounds are the same the value is known; these states are counted.
//!
//! **Sweeps that are left out.** The numbers of a sweep follow from those of the one before. If they are the same, so are those
//! of all later ones.
//!
//! # Why the check of a proof proves its claim
//!
//! Every node stands for one position, which the first reference to it gives; all others are found to give the same. Of an open
//! move nothing is said, so nothing rests on what is not in the file. White and Black are alike below.
//!
//! **In the game `board`** the argument is that of a local proof: with L = +1 White has a move to such a node with a smaller rank,
//! or Black has no other, until it is mate or a table says so; the nodes with L ≥ 0 are a closed set, and play without
//! end is a draw.
//!
//! **In the complete game White does not lose from a node with L = +1**, whatever the clock is and whatever has occurred. The
//! ranks fall in the same way, and what a table wins White can play without ever being mated; that Black may claim, or that
//! the game ends by what is counted, makes it a draw.
//!
//! **He wins if the clock is at most that of the node, the key has occurred at most twice, and every other key at most once.** He
//! plays to nodes with smaller ranks that are won as seen from the node. So the clock is never above that of the node that he is
//! in: a quiet move makes it one larger and is seen from one more than the node's clock; any other move makes it 0. (A
//! node with an end is mate, whatever the clock is.) The game does not end before by the clock, since a node's is at most
//! 149, and of a move to 150 nothing is said but that it mates. Black cannot claim by the clock: where he is to move the node may not
//! be claimed at its own clock, and at a smaller one he could do it even less. Nor can he claim a repetition. No two
//! nodes with moves that White wins have the same position, and their ranks fall, so on the way no position comes twice. What
//! comes new had occurred once at most, and occurs for the second time at most, also after the move that he intends. At last
//! there is mate, or a table. There the bytes fall, so again no position comes twice. None came before on the way: a node with
//! moves is not of the class of a child, or has a castling right, which the positions of a table have not and which is lost for
//! good. With *b* plies to go from the clock *c* the clock is below 100 after each reply that Black may intend, if *c* + *b* ≤ 100;
//! and if *b* is 1 White mates whatever he could claim.
//!
//! **From a node with L = 0 White does not lose if the clock is at least that of the node**, whatever has occurred. With White to
//! move he may claim, now or with a quiet move, or he has a move to a node that says as much: one that is a draw for good, one with
//! L = +1, or one with L = 0 and a clock that is not above the one from which the move is seen, nor then above the real one. With Black
//! to move all moves lead to such nodes. So White stays among them, and the complete game has no play without end.
//! What ends the game by counting is a draw.
//!
//! **States** refer to later ones and to nodes. What a state rests on is judged with its own clock and with all that has
//! occurred: of a node, what is said above, a win only if so little has occurred; of its moves, the best one, a claim among
//! them. Since states refer to later ones, this is an induction from the last state to the first.
//!
//! That a position is dead (ruleset, 5.3) is asked nowhere but where a node says so. No mate comes after it, so every play from it is a
//! draw, and it makes no difference when that is seen.
//!
//! **Deletions** are said of states with the clock of the node in which no other key has occurred, and the present one once; the
//! argument is that for local proofs. No bound rests on them.

mod abstraction;
mod abstraction_claim;
mod abstraction_fields;
mod admission;
mod attempts;
mod base64;
mod bisimulation;
mod blocks;
mod board;
mod bounds;
mod branches;
mod bundle;
mod bundle_claim;
mod candidates;
mod castling;
mod certificate;
mod certificate_kind;
mod chess_move;
mod claim;
mod class;
mod container;
mod counts;
mod deadness;
mod decision_tree;
mod deletions;
mod ends;
mod exchange;
mod feature_value;
mod features;
mod fen;
mod fields;
mod game_bytes;
mod game_state;
mod graph;
mod horizon;
mod id;
mod images;
mod inflation;
mod interval;
mod intervals;
mod json;
mod json_lists;
mod json_objects;
mod json_orderings;
mod json_value;
mod key_stream;
mod listing;
mod local_proof;
mod man;
mod mate;
mod mate_claim;
mod material;
mod nodes;
mod orderings;
mod orderings_claim;
mod orderings_fields;
mod orders;
mod oriented;
mod outline;
mod packed_board;
mod partition;
mod passing_blocks;
mod passing_mates;
mod payload;
mod perft;
mod position;
mod proof;
mod proof_bounds;
mod proof_claim;
mod proof_nodes;
mod proof_positions;
mod proof_records;
mod proof_states;
mod proof_tables;
mod proof_view;
mod reach;
mod reached;
mod read;
mod records;
mod refinement;
mod refusal;
mod refutation;
mod root;
mod rounds;
mod routes;
mod ruleset;
mod session;
#[cfg(test)]
mod slow_board;
mod square;
mod squares;
mod states;
mod strategy;
mod symmetry;
mod table;
mod tree;
mod tuple;
mod value;
mod walls;

pub use abstraction_claim::AbstractionClaim;
pub use certificate::{
    Abstraction, Bisimulation, Body, Bounds, Bundle, Certificate, Child, EnPassant, Encoding,
    EndgameTable, Exchange, LocalProof, Mate, OrderedPosition, Orderings, Proof, Reply,
    WinningMove,
};
pub use chess_move::{Move, ParseMoveError};
pub use claim::{is_claim, rank, supports};
pub use deadness::{DeadReason, Deadness};
pub use game_state::{Claim, End, GameState};
pub use id::{Id, ParseIdError};
pub use outline::Outline;
pub use perft::perft;
pub use read::{read, read_each};
pub use refusal::{Reason, Refusal, Verdict};
pub use session::{Again, Session};
pub use square::Square;

/// What [`verify`] went through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Canonical states; of a local proof the positions that it lists, of a mate the nodes of strategy and refutation,
    /// of a bundle those of all its mates, of orderings the positions, of a proof its states and nodes.
    pub states: u64,
    /// Distinct pairs of one of these and a successor, the draw sink included; of a mate the references of the nodes,
    /// of a bundle those of all its mates, of orderings the legal moves, of a proof those of its states and nodes.
    pub edges: u64,
}

/// Establishes the claim of a certificate from its witnesses, in the order of the format page; the first failure is
/// the verdict. This is a [`Session`] of its own: a certificate that needs children is declined.
///
/// # Errors
///
/// The reasons from `unknown claim` to `not coarsest` of the format page, except `claim differs`, for which
/// there is [`Certificate::check_claim`], and those from `wrong state` on; and `malformed payload` for nodes of a mate or a proof
/// that are not whole. Every refusal has the id of the certificate.
pub fn verify(certificate: &Certificate) -> Result<Checked, Refusal> {
    Session::new().verify(certificate)
}
