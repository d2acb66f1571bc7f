//! A refusal: why a certificate was not verified, and where.
//!
//! A checker answers with one of three verdicts. VERIFIED is an `Ok`; the other two are carried by a [`Refusal`],
//! which has a reason from the closed list of the format page and a place for people. Whatever text of the file comes
//! into a place is made harmless first: a place is one line of printable ASCII of bounded length, so that nothing in
//! a file can forge a second line of output or command the terminal.
//!
//! Source: `docs/certificate-format.md`, *Verdicts and reasons*.

use std::fmt::{self, Display, Write};

use super::Id;

/// The answer of a checker in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The claim holds and every witness was checked.
    Verified,
    /// The file is malformed, or something in it is false.
    Refuted,
    /// The checker cannot judge this file.
    Declined,
}

impl Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Verified => "VERIFIED",
            Verdict::Refuted => "REFUTED",
            Verdict::Declined => "DECLINED",
        })
    }
}

/// Why a certificate was not verified. `Display` gives the phrase of the format page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// No byte.
    EmptyFile,
    /// Neither the magic nor `{`.
    NotACertificate,
    /// The file ends inside a container field.
    Truncated,
    /// Bytes after the digest.
    TrailingBytes,
    /// A version other than 2.
    UnknownVersion,
    /// A kind that is not on the format page.
    UnknownKind,
    /// A ruleset other than that of the format page.
    UnknownRuleset,
    /// A codec that is not on the format page.
    UnknownCodec,
    /// A length over the limits of the format.
    LengthOutOfBounds,
    /// Codec 0 with different stored and expanded lengths.
    LengthsDisagree,
    /// The digest is not that of the bytes.
    DigestMismatch,
    /// An inner length beyond the bytes present, text that is not printable ASCII, or bytes left over.
    MalformedPayload,
    /// Not JSON, or JSON of another shape than the kind asks for.
    MalformedJson,
    /// The JSON key `id` is not the id of the content.
    IdMismatch,
    /// A line that is not of the form listed for its kind.
    UnknownClaim,
    /// A material that is not in the list.
    UnknownMaterial,
    /// A rules profile other than `board`, of a proof also other than `fcs`.
    UnknownRulesProfile,
    /// The claim is not the one the caller asked for.
    ClaimDiffers,
    /// A child that is not needed, or one that is missing.
    WrongChildren,
    /// A child was verified, but has another id than the one that is named.
    WrongChild,
    /// Children that were not verified in this session.
    MissingChildren,
    /// Codec 1: blocks that are not as the format page describes them.
    MalformedBlock,
    /// `states` is not the number of canonical states.
    WrongNumberOfStates,
    /// `values` has another length than `states`.
    WrongNumberOfValues,
    /// `policy` has another length than `states`.
    WrongNumberOfMoves,
    /// `starts` is not as the format page describes it.
    WrongStarts,
    /// The equations give another of won, drawn, lost.
    WrongResult,
    /// The equations give the same result with another distance.
    WrongDistance,
    /// Not the optimal move with the smallest UCI text.
    WrongPolicy,
    /// An image has other successors than its state.
    SymmetryBroken,
    /// A counted field differs.
    WrongCount,
    /// Not the longest line that the format page defines.
    WrongLongestLine,
    /// `map` has another length than there are vertices.
    WrongMapLength,
    /// There are fewer than two rounds, or a list of blocks has another length than the last round says, or than there are
    /// leaves.
    WrongNumberOfBlocks,
    /// An entry of `map` is no block.
    UnknownBlock,
    /// A block has no vertex.
    UnusedBlock,
    /// Blocks are not numbered by their smallest vertices.
    BlocksOutOfOrder,
    /// A block has a parent that it cannot have.
    WrongParent,
    /// A block does not appear after its parent and before the last round; or something is not known for the first time in
    /// the round that is named.
    WrongRound,
    /// Two vertices with different labels or signatures stay together.
    NotStable,
    /// A list of rounds has another length than there are vertices.
    WrongNumberOfRounds,
    /// A vertex is said to be held, but is not by what its moves lead to.
    LeakingSet,
    /// The first round in which a win is known, or the rank of a position that is won, is not what the successors say; a block
    /// has a rank that none can have with its bounds.
    WrongRank,
    /// A list of records has another length than there are moves.
    WrongNumberOfRecords,
    /// A record is half there, or names no other move of the vertex.
    WrongRecord,
    /// A move is deleted by one that is deleted itself.
    DominatingMoveDeleted,
    /// A move is deleted in a round in which the inequality does not hold.
    NotDominated,
    /// The position of the claim is not a raw legal state or raw en-passant state; that of a mate or a proof is not legal.
    IllegalPosition,
    /// A node refers to itself or to one after it; from a vertex of a block no smaller rank can be forced in time.
    RankDoesNotFall,
    /// Roots are not as many, or not those, that the claim says.
    WrongRoots,
    /// A move is not legal in its position.
    IllegalMove,
    /// A leaf of a strategy is no checkmate.
    NoCheckmate,
    /// A node has not as many references as its position has legal moves.
    WrongNumberOfReplies,
    /// A node has one move where all count, or the other way round, or no ply is left.
    WrongNode,
    /// A node is reached with two positions, or with two numbers of plies left.
    WrongNodePosition,
    /// Nothing refers to a node.
    UnreachedNode,
    /// A strategy takes longer than is claimed.
    TooManyPlies,
    /// A leaf of a refutation where something is left to be shown.
    UnfinishedLeaf,
    /// A bundle has another number of mates than its claim says.
    WrongNumberOfMates,
    /// `positions` is not a whole number of positions, or another list has not one entry for each; of orderings, there are not
    /// as many as the claim says.
    WrongNumberOfPositions,
    /// A listed position is no canonical state or en-passant state of the class.
    WrongPosition,
    /// A listed position is not greater than the one before.
    PositionsOutOfOrder,
    /// Bounds that are none, or an interval of the root that is not that of the claim.
    WrongInterval,
    /// The root is not listed.
    MissingRoot,
    /// A position is said to be won, drawn or lost at its end or by its successors, and is not.
    UnwitnessedBound,
    /// A position is listed twice.
    DuplicatePosition,
    /// A position is not the next one that the seed gives.
    NotFromTheSeed,
    /// A position is said to come from another attempt.
    WrongAttempt,
    /// A list of moves is not exactly the one that is asked for.
    WrongMoves,
    /// An exchange has another value, or another number of nodes, capture plies or checked nodes.
    WrongExchange,
    /// Two vertices with the same label or signature part.
    NotCoarsest,
    /// The file could not be read.
    Unreadable,
    /// A line of a tree is none, one too many, or one too few.
    MalformedTree,
    /// A line of a tree has a feature that is not on the format page.
    UnknownFeature,
    /// A line of a tree is further from the first one than the format allows.
    TreeTooDeep,
    /// A block in which both sides are to move.
    MixedBlock,
    /// The state of a proof is not that of the claim, or none, or there where none belongs.
    WrongState,
    /// The clock of a node is above 149, or with the profile `board` another than 0.
    WrongClock,
    /// A reference to a node or state that is not in the list.
    UnknownNode,
    /// A bound that would follow if a draw could not be claimed.
    ClaimIgnored,
}

impl Reason {
    /// The verdict that goes with this reason; never [`Verdict::Verified`].
    pub fn verdict(self) -> Verdict {
        match self {
            Reason::UnknownVersion
            | Reason::UnknownRuleset
            | Reason::UnknownCodec
            | Reason::MissingChildren
            | Reason::Unreadable => Verdict::Declined,
            _ => Verdict::Refuted,
        }
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Reason::EmptyFile => "empty file",
            Reason::NotACertificate => "not a certificate",
            Reason::Truncated => "truncated",
            Reason::TrailingBytes => "trailing bytes",
            Reason::UnknownVersion => "unknown version",
            Reason::UnknownKind => "unknown kind",
            Reason::UnknownRuleset => "unknown ruleset",
            Reason::UnknownCodec => "unknown codec",
            Reason::LengthOutOfBounds => "length out of bounds",
            Reason::LengthsDisagree => "lengths disagree",
            Reason::DigestMismatch => "digest mismatch",
            Reason::MalformedPayload => "malformed payload",
            Reason::MalformedJson => "malformed JSON",
            Reason::IdMismatch => "id mismatch",
            Reason::UnknownClaim => "unknown claim",
            Reason::UnknownMaterial => "unknown material",
            Reason::UnknownRulesProfile => "unknown rules profile",
            Reason::ClaimDiffers => "claim differs",
            Reason::WrongChildren => "wrong children",
            Reason::WrongChild => "wrong child",
            Reason::MissingChildren => "missing children",
            Reason::MalformedBlock => "malformed block",
            Reason::WrongNumberOfStates => "wrong number of states",
            Reason::WrongNumberOfValues => "wrong number of values",
            Reason::WrongNumberOfMoves => "wrong number of moves",
            Reason::WrongStarts => "wrong starts",
            Reason::WrongResult => "wrong result",
            Reason::WrongDistance => "wrong distance",
            Reason::WrongPolicy => "wrong policy",
            Reason::SymmetryBroken => "symmetry broken",
            Reason::WrongCount => "wrong count",
            Reason::WrongLongestLine => "wrong longest line",
            Reason::WrongMapLength => "wrong map length",
            Reason::WrongNumberOfBlocks => "wrong number of blocks",
            Reason::UnknownBlock => "unknown block",
            Reason::UnusedBlock => "unused block",
            Reason::BlocksOutOfOrder => "blocks out of order",
            Reason::WrongParent => "wrong parent",
            Reason::WrongRound => "wrong round",
            Reason::NotStable => "not stable",
            Reason::WrongNumberOfRounds => "wrong number of rounds",
            Reason::LeakingSet => "leaking set",
            Reason::WrongRank => "wrong rank",
            Reason::WrongNumberOfRecords => "wrong number of records",
            Reason::WrongRecord => "wrong record",
            Reason::DominatingMoveDeleted => "dominating move deleted",
            Reason::NotDominated => "not dominated",
            Reason::IllegalPosition => "illegal position",
            Reason::RankDoesNotFall => "rank does not fall",
            Reason::WrongRoots => "wrong roots",
            Reason::IllegalMove => "illegal move",
            Reason::NoCheckmate => "no checkmate",
            Reason::WrongNumberOfReplies => "wrong number of replies",
            Reason::WrongNode => "wrong node",
            Reason::WrongNodePosition => "wrong node position",
            Reason::UnreachedNode => "unreached node",
            Reason::TooManyPlies => "too many plies",
            Reason::UnfinishedLeaf => "unfinished leaf",
            Reason::WrongNumberOfMates => "wrong number of mates",
            Reason::WrongNumberOfPositions => "wrong number of positions",
            Reason::WrongPosition => "wrong position",
            Reason::PositionsOutOfOrder => "positions out of order",
            Reason::WrongInterval => "wrong interval",
            Reason::MissingRoot => "missing root",
            Reason::UnwitnessedBound => "unwitnessed bound",
            Reason::DuplicatePosition => "duplicate position",
            Reason::NotFromTheSeed => "not from the seed",
            Reason::WrongAttempt => "wrong attempt",
            Reason::WrongMoves => "wrong moves",
            Reason::WrongExchange => "wrong exchange",
            Reason::NotCoarsest => "not coarsest",
            Reason::Unreadable => "unreadable",
            Reason::MalformedTree => "malformed tree",
            Reason::UnknownFeature => "unknown feature",
            Reason::TreeTooDeep => "tree too deep",
            Reason::MixedBlock => "mixed block",
            Reason::WrongState => "wrong state",
            Reason::WrongClock => "wrong clock",
            Reason::UnknownNode => "unknown node",
            Reason::ClaimIgnored => "claim ignored",
        })
    }
}

/// A certificate that was not verified. `Display`: `<reason> at <place>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The id of the certificate, where its whole payload was there to compute it.
    pub id: Option<Id>,
    /// Why.
    pub reason: Reason,
    /// Where, and what was stored and found: one line of printable ASCII.
    pub place: String,
}

impl Refusal {
    pub(super) fn new(reason: Reason, place: impl Display) -> Refusal {
        Refusal {
            id: None,
            reason,
            place: one_line(place),
        }
    }

    /// The refusal with a place that begins with this.
    pub(super) fn within(self, part: impl Display) -> Refusal {
        let place = one_line(format_args!("{part}: {}", self.place));
        Refusal { place, ..self }
    }

    pub(super) fn of(self, id: Id) -> Refusal {
        Refusal {
            id: Some(id),
            ..self
        }
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.reason, self.place)
    }
}

impl std::error::Error for Refusal {}

/// The longest place, in characters, before the dots that say that something was cut off.
const LONGEST_PLACE: usize = 200;

/// The text in printable ASCII, everything else escaped, cut off after [`LONGEST_PLACE`] characters. The text is
/// never held whole: formatting stops at the limit.
pub(super) fn one_line(text: impl Display) -> String {
    let mut line = Line(String::new());
    if write!(line, "{text}").is_err() {
        line.0.push_str("...");
    }
    line.0
}

struct Line(String);

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if self.0.len() >= LONGEST_PLACE {
                return Err(fmt::Error);
            }
            match c {
                ' '..='~' => self.0.push(c),
                _ => self.0.extend(c.escape_unicode()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_one_short_line_of_ascii() {
        assert_eq!(one_line("a1 = 7 \\ ok"), "a1 = 7 \\ ok");
        assert_eq!(one_line("x\ns VERIFIED"), "x\\u{a}s VERIFIED");
        assert_eq!(
            one_line("\x1b[2J\u{202e}\x7f"),
            "\\u{1b}[2J\\u{202e}\\u{7f}"
        );
        assert_eq!(one_line("y".repeat(200)), "y".repeat(200));
        assert_eq!(one_line("y".repeat(201)), "y".repeat(200) + "...");
        let long = one_line("\u{10ffff}".repeat(1_000_000));
        assert!(long.len() <= LONGEST_PLACE + 15 && long.ends_with("..."));
    }

    #[test]
    fn five_reasons_decline_and_none_verifies() {
        let declined = [
            Reason::UnknownVersion,
            Reason::UnknownRuleset,
            Reason::UnknownCodec,
            Reason::MissingChildren,
            Reason::Unreadable,
        ];
        for reason in declined {
            assert_eq!(reason.verdict(), Verdict::Declined);
        }
        assert_eq!(Reason::UnknownKind.verdict(), Verdict::Refuted);
        assert_eq!(Reason::WrongResult.verdict().to_string(), "REFUTED");
        let refusal = Refusal::new(Reason::IdMismatch, "id");
        assert_eq!(refusal.to_string(), "id mismatch at id");
    }
}
