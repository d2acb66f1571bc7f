//! Material classes: which men are on the board.
//!
//! The name of a class lists the side with more men first, or, with equally many, the one whose men
//! come first in the order Q R B N P; that side is White. `KRK` is White's king and rook against
//! Black's king.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use shakmaty::{Board, Color, Piece, Role};
use thiserror::Error;

/// A material class that can be solved: three men, no pawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    men: [Piece; Material::MEN],
}

/// Why a text does not name a class that can be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MaterialError {
    /// A letter that is no man.
    #[error("`{}` is no man; a material class is written with K Q R B N P, like KQK or KRvK", .0.escape_default())]
    Letter(char),
    /// Not one king a side.
    #[error("a material class has one king a side, written first, like KQK or KRvK")]
    Kings,
    /// A class outside the supported ones.
    #[error("{name} is not supported: the classes are KQK, KRK, KBK and KNK")]
    Unsupported {
        /// The normalised name.
        name: String,
    },
}

impl Material {
    /// Men on the board, kings included.
    pub const MEN: usize = 3;

    /// The men in the order of a state's tuple: White's king, White's others, Black's king.
    pub fn men(&self) -> &[Piece; Material::MEN] {
        &self.men
    }

    /// The class of a placement and whether its colours are the other way round, as when Black has
    /// the queen of `KQK`.
    ///
    /// # Errors
    ///
    /// [`MaterialError`] if the placement belongs to no class that can be solved.
    pub fn of_board(board: &Board) -> Result<(Material, bool), MaterialError> {
        let side = |color| {
            let count = board.material_side(color);
            Role::ALL
                .into_iter()
                .flat_map(|role| std::iter::repeat_n(role, usize::from(*count.get(role))))
                .collect()
        };
        Material::from_sides(side(Color::White), side(Color::Black))
    }

    /// Normalises two sides; the flag says whether they were exchanged.
    fn from_sides(
        mut first: Vec<Role>,
        mut second: Vec<Role>,
    ) -> Result<(Material, bool), MaterialError> {
        for side in [&mut first, &mut second] {
            side.sort_by_key(|&role| Reverse(role));
            if side.iter().filter(|&&role| role == Role::King).count() != 1 {
                return Err(MaterialError::Kings);
            }
        }
        // More men first; then the higher men. Roles are ordered pawn to king.
        let exchanged = (second.len(), &second) > (first.len(), &first);
        let (white, black) = if exchanged {
            (second, first)
        } else {
            (first, second)
        };
        match (white.as_slice(), black.as_slice()) {
            (&[king, piece], &[_]) if piece != Role::Pawn => Ok((
                Material {
                    men: [
                        king.of(Color::White),
                        piece.of(Color::White),
                        king.of(Color::Black),
                    ],
                },
                exchanged,
            )),
            _ => {
                let letters = white.iter().chain(&black);
                let name = letters.map(|role| role.upper_char()).collect();
                Err(MaterialError::Unsupported { name })
            }
        }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.men
            .iter()
            .try_for_each(|man| write!(f, "{}", man.role.upper_char()))
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
        let mut sides: Vec<Vec<Role>> = Vec::new();
        for letter in text
            .chars()
            .filter(|letter| !letter.eq_ignore_ascii_case(&'v'))
        {
            let role = Role::from_char(letter).ok_or(MaterialError::Letter(letter))?;
            match sides.last_mut() {
                Some(side) if role != Role::King => side.push(role),
                None if role != Role::King => return Err(MaterialError::Kings),
                _ => sides.push(vec![role]),
            }
        }
        let [first, second] =
            <[Vec<Role>; 2]>::try_from(sides).map_err(|_| MaterialError::Kings)?;
        Ok(Material::from_sides(first, second)?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(text: &str) -> String {
        text.parse::<Material>()
            .map_or_else(|error| error.to_string(), |found| found.to_string())
    }

    #[test]
    fn names_are_normalised() {
        for text in ["KQK", "kqk", "KQvK", "kQVk", "KKQ", "KvKQ"] {
            assert_eq!(normalised(text), "KQK", "{text}");
        }
        assert_eq!(normalised("KKN"), "KNK");
    }

    #[test]
    fn refusals_name_the_class_or_the_fault() {
        assert!(normalised("KXK").starts_with("`X` is no man"));
        for text in ["", "K", "QKK", "KQ", "KKK", "v"] {
            assert!(
                normalised(text).starts_with("a material class has one king a side"),
                "{text}"
            );
        }
        for (text, name) in [
            ("KK", "KK"),
            ("KPK", "KPK"),
            ("KNBK", "KBNK"),
            ("krkq", "KQKR"),
            ("KKBN", "KBNK"),
            ("KPPKQ", "KPPKQ"),
            ("KRPKRB", "KRBKRP"),
        ] {
            assert!(
                normalised(text).starts_with(&format!("{name} is not supported")),
                "{text}"
            );
        }
    }
}
