//! What is stated about a position, held against what was found.

use dchess::mate::{Answer, Mover, Question, Verdict};
use shakmaty::Move;

use super::epd_line::EpdLine;
use super::mate_report::length;
use super::solution_json::Judged;

/// How a position compares with what is stated about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// The shortest mate has the stated length, and the stated moves are the keys.
    AsStated,
    /// There is a shorter mate.
    Shorter,
    /// There is a mate, but a longer one.
    Longer,
    /// There is no mate within the stated length, nor as far as was looked.
    Refuted,
    /// The stated moves are keys, but there are others besides.
    Cooked,
    /// The length is as stated, the keys are not.
    OtherKeys,
    /// The budget was spent before all was known, or --max-moves is less than the stated length, or keys are stated without a length and
    /// no mate was found.
    Undecided,
    /// Nothing is stated.
    NothingStated,
}

impl Comparison {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Comparison::AsStated => "as stated",
            Comparison::Shorter => "shorter",
            Comparison::Longer => "longer",
            Comparison::Refuted => "refuted",
            Comparison::Cooked => "cooked",
            Comparison::OtherKeys => "other keys",
            Comparison::Undecided => "undecided",
            Comparison::NothingStated => "nothing stated",
        }
    }
}

/// How an answer compares with its line.
pub(crate) fn compare(epd: &EpdLine, question: &Question, answer: &Answer) -> Comparison {
    let stated = epd.stated.map(|stated| stated.moves);
    // Of a side that is mated, moves are no keys.
    let has_keys =
        question.mover == Mover::Attacker && !(epd.best.is_empty() && epd.avoided.is_empty());
    match (answer.verdict, stated) {
        (_, None) if !has_keys => Comparison::NothingStated,
        (Verdict::Undecided, _) => Comparison::Undecided,
        (Verdict::Proved(length), Some(stated)) if length < stated => Comparison::Shorter,
        (Verdict::Proved(length), Some(stated)) if length > stated => Comparison::Longer,
        (Verdict::Proved(_), _) if has_keys => compare_keys(epd, answer),
        (Verdict::Proved(_), Some(_)) => Comparison::AsStated,
        (Verdict::Refuted, Some(stated)) if question.max_moves < stated => Comparison::Undecided,
        (Verdict::Refuted, Some(_)) => Comparison::Refuted,
        // Keys are stated, and no length: nobody knows how far to look.
        (Verdict::Refuted, None) => Comparison::Undecided,
        (Verdict::Proved(_), None) => Comparison::NothingStated,
    }
}

fn compare_keys(epd: &EpdLine, answer: &Answer) -> Comparison {
    let is_key = |mv: &Move| answer.keys.contains(mv);
    if epd.avoided.iter().any(is_key) {
        Comparison::OtherKeys
    } else if !answer.are_all_keys {
        Comparison::Undecided
    } else if !epd.best.iter().all(is_key) {
        Comparison::OtherKeys
    } else if epd.best.is_empty() || is_same_set(&epd.best, &answer.keys) {
        Comparison::AsStated
    } else {
        Comparison::Cooked
    }
}

/// Whether two lists have the same moves.
pub(crate) fn is_same_set(some: &[Move], others: &[Move]) -> bool {
    some.iter().all(|mv| others.contains(mv)) && others.iter().all(|mv| some.contains(mv))
}

/// The keys held against what is stated.
pub(crate) fn judged(epd: &EpdLine, answer: &Answer) -> Judged {
    let stated = epd.stated.map(|stated| stated.moves);
    let is_short =
        length(answer).is_some_and(|length| stated.is_some_and(|stated| length < stated));
    let intended = epd.best.clone();
    let others = answer.keys.iter().filter(|key| !intended.contains(key));
    Judged {
        cooks: match is_short || intended.is_empty() {
            true => Vec::new(),
            false => others.copied().collect(),
        },
        short: match is_short {
            true => answer.keys.clone(),
            false => Vec::new(),
        },
        intended,
    }
}
