//! Men by side and place, so that a feature means something in every class.

use std::fmt;

/// A man: a king, or one of the other men of a side in the order of the class's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ManName(u8);

impl ManName {
    /// The names, White's men first.
    const NAMES: [&'static str; 6] = ["wK", "w1", "w2", "w3", "bK", "b1"];

    /// White's king.
    pub(super) const WHITE_KING: ManName = ManName(0);

    /// Black's king.
    pub(super) const BLACK_KING: ManName = ManName(4);

    /// All men, in order.
    pub(super) fn all() -> impl Iterator<Item = ManName> {
        (0..ManName::NAMES.len() as u8).map(ManName)
    }

    /// The man with this name.
    pub(super) fn named(name: &str) -> Option<ManName> {
        ManName::all().find(|man| man.name() == name)
    }

    pub(super) const fn name(self) -> &'static str {
        ManName::NAMES[self.0 as usize]
    }

    pub(super) const fn place(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn is_white(self) -> bool {
        self.0 < ManName::BLACK_KING.0
    }

    pub(super) const fn is_king(self) -> bool {
        self.0 == ManName::WHITE_KING.0 || self.0 == ManName::BLACK_KING.0
    }
}

impl fmt::Display for ManName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
