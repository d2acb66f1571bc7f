//! Material classes: which men are on the board.
//!
//! The name of a class lists the side with more men first, or, with equally many, the one whose men
//! come first in the order Q R B N P; that side is White. `KRK` is White's king and rook against
//! Black's king, `KRPKR` has five men.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use shakmaty::{Board, Color, Piece, Role};
use thiserror::Error;

use super::Symmetry;

/// A material class of two to five men.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// White's king and other men, Black's king and other men, in the order of the name.
    men: Vec<Piece>,
}

/// Why a text does not name a class that can be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MaterialError {
    /// A letter that is no man.
    #[error("`{}` is no man; a material class is written with K Q R B N P, like KQK or KRPvKR", .0.escape_default())]
    Letter(char),
    /// Not one king a side.
    #[error("a material class has one king a side, written first, like KQK or KRPvKR")]
    Kings,
    /// More men than a table can have.
    #[error("{name} has {men} men; a table has at most 5")]
    TooMany {
        /// The normalised name.
        name: String,
        /// How many men it has.
        men: usize,
    },
    /// Two bare kings.
    #[error("two bare kings are a draw, of which there is no table")]
    BareKings,
}

/// The men that a pawn can become.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Material {
    /// Men on the board at most, kings included.
    pub const MOST_MEN: usize = 5;

    /// The men in the order of a state's tuple: White's king, White's others, Black's king, Black's
    /// others.
    pub fn men(&self) -> &[Piece] {
        &self.men
    }

    /// Whether a pawn is on the board.
    pub fn has_pawns(&self) -> bool {
        self.men.iter().any(|man| man.role == Role::Pawn)
    }

    /// Whether both sides have a pawn, without which there is no en passant.
    pub fn has_en_passant(&self) -> bool {
        let has = |color: Color| self.men.contains(&Role::Pawn.of(color));
        has(Color::White) && has(Color::Black)
    }

    /// The symmetries of its positions.
    pub fn symmetries(&self) -> &'static [Symmetry] {
        if self.has_pawns() {
            &Symmetry::LEFT_RIGHT
        } else {
            &Symmetry::ALL
        }
    }

    /// Whether its positions are the draw sink of other classes: no mate exists with a bare king
    /// against at most one bishop or knight.
    pub fn is_sink(&self) -> bool {
        match self.men.as_slice() {
            [_, _] => true,
            [_, piece, _] => matches!(piece.role, Role::Bishop | Role::Knight),
            _ => false,
        }
    }

    /// The classes that one move can lead into, without the sink, in the order of their names.
    pub fn children(&self) -> Vec<Material> {
        let mut found = BTreeSet::new();
        for (place, man) in self.men.iter().enumerate() {
            if man.role != Role::King {
                found.insert(self.without(place));
            }
            if man.role != Role::Pawn {
                continue;
            }
            for role in PROMOTIONS {
                let mut promoted = self.clone();
                promoted.men[place].role = role;
                found.insert(normal(promoted.men.iter().copied()).0);
                for (taken, other) in self.men.iter().enumerate() {
                    if other.color != man.color && !matches!(other.role, Role::King | Role::Pawn) {
                        found.insert(promoted.without(taken));
                    }
                }
            }
        }
        found.into_iter().filter(|child| !child.is_sink()).collect()
    }

    fn without(&self, place: usize) -> Material {
        let rest = self
            .men
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != place);
        normal(rest.map(|(_, &man)| man)).0
    }

    /// The class of a placement and whether its colours are the other way round, as when Black has
    /// the queen of `KQK`.
    ///
    /// # Errors
    ///
    /// [`MaterialError`] if the placement belongs to no class.
    pub fn of_board(board: &Board) -> Result<(Material, bool), MaterialError> {
        let (material, exchanged) = normal(board.clone().into_iter().map(|(_, man)| man));
        Ok((material.checked()?, exchanged))
    }

    /// The class, if it is one that can be solved.
    fn checked(self) -> Result<Material, MaterialError> {
        let kings = |color: Color| {
            self.men
                .iter()
                .filter(|&&man| man == Role::King.of(color))
                .count()
        };
        match self.men.len() {
            _ if kings(Color::White) != 1 || kings(Color::Black) != 1 => Err(MaterialError::Kings),
            2 => Err(MaterialError::BareKings),
            men if men > Material::MOST_MEN => Err(MaterialError::TooMany {
                name: self.to_string(),
                men,
            }),
            _ => Ok(self),
        }
    }
}

/// The class of some men, and whether the colours had to be exchanged to name it.
pub(super) fn normal(men: impl Iterator<Item = Piece>) -> (Material, bool) {
    let (mut white, mut black): (Vec<Piece>, Vec<Piece>) =
        men.partition(|man| man.color.is_white());
    for side in [&mut white, &mut black] {
        side.sort_unstable_by_key(|man| Reverse(man.role));
    }
    // More men first; then the higher men. Roles are ordered pawn to king.
    let rank = |side: &[Piece]| {
        (
            side.len(),
            side.iter().map(|man| man.role).collect::<Vec<Role>>(),
        )
    };
    let exchanged = rank(&black) > rank(&white);
    let (first, second) = if exchanged {
        (black, white)
    } else {
        (white, black)
    };
    let first = first.into_iter().map(|man| man.role.of(Color::White));
    let second = second.into_iter().map(|man| man.role.of(Color::Black));
    (
        Material {
            men: first.chain(second).collect(),
        },
        exchanged,
    )
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.men
            .iter()
            .try_for_each(|man| write!(f, "{}", man.role.upper_char()))
    }
}

impl Ord for Material {
    /// By name.
    fn cmp(&self, other: &Material) -> Ordering {
        self.to_string().cmp(&other.to_string())
    }
}

impl PartialOrd for Material {
    fn partial_cmp(&self, other: &Material) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    /// Reads a name in any case and order of men, with or without `v` between the sides.
    fn from_str(text: &str) -> Result<Material, MaterialError> {
        // No class of any tablebase has more men; a longer text is not looked at letter by letter.
        if text.len() > 16 {
            return Err(MaterialError::Kings);
        }
        let mut kings = 0;
        let mut men = Vec::new();
        for (place, letter) in text.char_indices() {
            let is_before_king = || text[place + 1..].starts_with(['k', 'K']);
            if letter.eq_ignore_ascii_case(&'v') && kings == 1 && is_before_king() {
                continue;
            }
            let role = Role::from_char(letter).ok_or(MaterialError::Letter(letter))?;
            kings += usize::from(role == Role::King);
            men.push(match kings {
                1 => role.of(Color::White),
                2 => role.of(Color::Black),
                _ => return Err(MaterialError::Kings),
            });
        }
        normal(men.into_iter()).0.checked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(text: &str) -> String {
        text.parse::<Material>()
            .map_or_else(|error| error.to_string(), |found| found.to_string())
    }

    fn children(name: &str) -> Vec<String> {
        let material: Material = name.parse().unwrap();
        material
            .children()
            .iter()
            .map(Material::to_string)
            .collect()
    }

    #[test]
    fn names_are_normalised() {
        for text in ["KQK", "kqk", "KQvK", "kQVk", "KKQ", "KvKQ"] {
            assert_eq!(normalised(text), "KQK", "{text}");
        }
        for (text, name) in [
            ("KKN", "KNK"),
            ("KNBK", "KBNK"),
            ("krkq", "KQKR"),
            ("KPvKN", "KNKP"),
            ("KKBN", "KBNK"),
            ("KPRKR", "KRPKR"),
            ("KRKRP", "KRPKR"),
            ("KPPKP", "KPPKP"),
        ] {
            assert_eq!(normalised(text), name, "{text}");
        }
    }

    #[test]
    fn refusals_name_the_class_or_the_fault() {
        for text in ["KQvKvR", "vKQK", "KQKv", "KvRK", "KvQ", "v"] {
            assert!(normalised(text).starts_with("`v` is no man"), "{text}");
        }
        assert!(normalised("KXK").starts_with("`X` is no man"));
        for text in ["", "K", "QKK", "KQ", "KKK"] {
            assert!(
                normalised(text).starts_with("a material class has one king a side"),
                "{text}"
            );
        }
        assert!(normalised("KK").starts_with("two bare kings"));
        assert_eq!(
            normalised("krpkrb"),
            "KRBKRP has 6 men; a table has at most 5"
        );
    }

    #[test]
    fn children_are_one_move_away() {
        assert!(children("KQK").is_empty());
        assert!(children("KBNK").is_empty());
        assert_eq!(children("KPK"), ["KQK", "KRK"]);
        assert_eq!(children("KQKR"), ["KQK", "KRK"]);
        assert_eq!(children("KPKP"), ["KBKP", "KNKP", "KPK", "KQKP", "KRKP"]);
        assert_eq!(
            children("KRPKR"),
            [
                "KQRK", "KQRKR", "KRBK", "KRBKR", "KRKP", "KRKR", "KRNK", "KRNKR", "KRPK", "KRRK",
                "KRRKR",
            ]
        );
    }
}
