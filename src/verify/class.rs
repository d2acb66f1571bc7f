//! A material class: which men stand on the board, in the order of its tuples.
//!
//! A class is named by White's men, then Black's, each side with its king first and then in the order Q R B N P. The
//! side with more men is White, or, with equally many, the side that is higher at the first man in which they differ.
//! Whatever men are left after a move can be put into this order, by exchanging the colours if need be: [`Class::of`].
//!
//! Invariant: the men are in this order, each side has exactly one king, and there are two to five men.
//!
//! Source: `docs/certificate-format.md`, *Claims*, *The game* and *Payload*.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use super::man::{Kind, Man, Side};

/// The most men of a class that the format knows.
pub(super) const MOST_MEN: usize = 5;

/// A material class. `Display`: its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Class {
    men: Vec<Man>,
}

impl Class {
    /// The class of a name that the format lists.
    pub(super) fn from_name(name: &str) -> Option<Class> {
        let mut men = Vec::new();
        for letter in name.chars() {
            let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == letter)?;
            let side = match (men.len(), kind) {
                (0, _) => Side::White,
                (_, Kind::King) => Side::Black,
                _ => men.last().map(|man: &Man| man.side)?,
            };
            if men.len() == MOST_MEN {
                return None;
            }
            men.push(Man { side, kind });
        }
        let kings = |side| {
            let king = Man {
                side,
                kind: Kind::King,
            };
            men.iter().filter(|&&man| man == king).count()
        };
        if men.len() < 3 || kings(Side::White) != 1 || kings(Side::Black) != 1 {
            return None;
        }
        let (class, _) = Class::of(men);
        (class.to_string() == name).then_some(class)
    }

    /// The class of these men, which are one king a side and at most three others, and whether their colours have to
    /// be exchanged for it.
    pub(super) fn of(mut men: Vec<Man>) -> (Class, bool) {
        men.sort_unstable();
        let kinds = |side| {
            let men = men.iter().filter(move |man| man.side == side);
            men.map(|man| man.kind).collect::<Vec<Kind>>()
        };
        let (white, black) = (kinds(Side::White), kinds(Side::Black));
        let flipped = match black.len() == white.len() {
            true => black < white,
            false => black.len() > white.len(),
        };
        if flipped {
            for man in &mut men {
                man.side = man.side.other();
            }
            men.sort_unstable();
        }
        (Class { men }, flipped)
    }

    /// The men in the order of tuples.
    pub(super) fn men(&self) -> &[Man] {
        &self.men
    }

    /// Whether there is a pawn.
    pub(super) fn has_pawns(&self) -> bool {
        self.men.iter().any(|man| man.kind == Kind::Pawn)
    }

    /// Whether both sides have a pawn, so that there are captures en passant.
    pub(super) fn has_en_passant(&self) -> bool {
        let pawn = |side| {
            let kind = Kind::Pawn;
            self.men.contains(&Man { side, kind })
        };
        pawn(Side::White) && pawn(Side::Black)
    }

    /// Whether all positions of the class are the draw sink when a move leads there: two bare kings, or a king and a
    /// bishop or knight against a bare king.
    pub(super) fn is_sink(&self) -> bool {
        matches!(self.to_string().as_str(), "KK" | "KBK" | "KNK")
    }

    /// The claim of the table of the class.
    pub(super) fn claim(&self) -> String {
        format!("endgame {self} board dtm")
    }

    /// The classes, other than the sink, that a move can lead into, in ascending order of their claims.
    pub(super) fn children(&self) -> Vec<Class> {
        let mut children = BTreeMap::new();
        for change in self.changes() {
            let (class, _) = Class::of(self.after(change));
            if !class.is_sink() {
                children.insert(class.claim(), class);
            }
        }
        children.into_values().collect()
    }

    /// What moves can do to the men: a capture, a promotion, or both.
    pub(super) fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (number, man) in self.men.iter().enumerate() {
            if man.kind != Kind::King {
                changes.push(Change {
                    captured: Some(number),
                    promoted: None,
                });
            }
            if man.kind != Kind::Pawn {
                continue;
            }
            for kind in Kind::PROMOTIONS {
                let promoted = Some((number, kind));
                changes.push(Change {
                    captured: None,
                    promoted,
                });
                for (captured, other) in self.men.iter().enumerate() {
                    if other.side != man.side && !matches!(other.kind, Kind::King | Kind::Pawn) {
                        changes.push(Change {
                            captured: Some(captured),
                            promoted,
                        });
                    }
                }
            }
        }
        changes
    }

    /// The men that are left after a change.
    pub(super) fn after(&self, change: Change) -> Vec<Man> {
        let men = self.men.iter().enumerate();
        men.filter(|&(number, _)| change.captured != Some(number))
            .map(|(number, &man)| match change.promoted {
                Some((promoted, kind)) if promoted == number => Man { kind, ..man },
                _ => man,
            })
            .collect()
    }
}

/// What a move does to the men, by their numbers in the order of the class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    /// The man that is captured.
    pub(super) captured: Option<usize>,
    /// The pawn that becomes something, and what.
    pub(super) promoted: Option<(usize, Kind)>,
}

impl Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut men = self.men.iter();
        men.try_for_each(|man| write!(f, "{}", man.kind.letter()))
    }
}
