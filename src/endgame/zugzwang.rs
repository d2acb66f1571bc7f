//! Mutual zugzwang: a placement in which whoever is to move would rather not be.

use crate::game::Outcome;

/// The kinds of mutual zugzwang, by what is at stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zugzwang {
    /// White to move: draw; Black to move: Black loses.
    WhiteDrawsBlackLoses,
    /// White to move: White loses; Black to move: draw.
    WhiteLosesBlackDraws,
    /// Whoever moves loses: a full point is at stake.
    FullPoint,
}

impl Zugzwang {
    /// The kind of a placement with these results, each for the side to move: White's with White to
    /// move, Black's with Black to move. `None` if it is no mutual zugzwang.
    pub const fn of(white: Outcome, black: Outcome) -> Option<Zugzwang> {
        match (white, black) {
            (Outcome::Draw, Outcome::Loss) => Some(Zugzwang::WhiteDrawsBlackLoses),
            (Outcome::Loss, Outcome::Draw) => Some(Zugzwang::WhiteLosesBlackDraws),
            (Outcome::Loss, Outcome::Loss) => Some(Zugzwang::FullPoint),
            _ => None,
        }
    }

    /// The name used in reports: `white-draws-black-loses`, `white-loses-black-draws`, `full-point`.
    pub const fn word(self) -> &'static str {
        match self {
            Zugzwang::WhiteDrawsBlackLoses => "white-draws-black-loses",
            Zugzwang::WhiteLosesBlackDraws => "white-loses-black-draws",
            Zugzwang::FullPoint => "full-point",
        }
    }
}
