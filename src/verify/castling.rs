//! Castling: the four ways to castle, and the rights that are left.
//!
//! A right is held from the beginning of a position, and is lost for good when its king or its rook leaves its square, or
//! when the rook is captured there. That is: when a move begins or ends on one of these two squares. (Nothing else can come
//! to the square of a king or a rook that still stands there.)
//!
//! Source: Laws of Chess (FIDE Handbook E.01), article 3.8.2; `docs/certificate-format.md`, *Kind 5: mate*.

use std::fmt::{self, Display};

use super::Square;
use super::man::Side;

/// One of the four ways to castle, with the numbers of its squares.
pub(super) struct Wing {
    /// The letter in a FEN.
    letter: u8,
    pub(super) side: Side,
    king: (u8, u8),
    rook: (u8, u8),
    /// The squares between king and rook.
    between: &'static [u8],
    /// The squares where the king stands, passes and arrives.
    way: &'static [u8],
}

/// All of them, in the order in which a FEN names them.
const WINGS: [Wing; 4] = [
    Wing {
        letter: b'K',
        side: Side::White,
        king: (4, 6),
        rook: (7, 5),
        between: &[5, 6],
        way: &[4, 5, 6],
    },
    Wing {
        letter: b'Q',
        side: Side::White,
        king: (4, 2),
        rook: (0, 3),
        between: &[1, 2, 3],
        way: &[4, 3, 2],
    },
    Wing {
        letter: b'k',
        side: Side::Black,
        king: (60, 62),
        rook: (63, 61),
        between: &[61, 62],
        way: &[60, 61, 62],
    },
    Wing {
        letter: b'q',
        side: Side::Black,
        king: (60, 58),
        rook: (56, 59),
        between: &[57, 58, 59],
        way: &[60, 59, 58],
    },
];

fn square(number: u8) -> Square {
    Square::from_low_bits(number.into())
}

impl Wing {
    /// Where the king comes from and goes to.
    pub(super) fn king(&self) -> (Square, Square) {
        (square(self.king.0), square(self.king.1))
    }

    /// Where the rook comes from and goes to.
    pub(super) fn rook(&self) -> (Square, Square) {
        (square(self.rook.0), square(self.rook.1))
    }

    /// The squares that have to be empty.
    pub(super) fn between(&self) -> impl Iterator<Item = Square> {
        self.between.iter().map(|&number| square(number))
    }

    /// The squares that must not be attacked.
    pub(super) fn way(&self) -> impl Iterator<Item = Square> {
        self.way.iter().map(|&number| square(number))
    }

    /// The way to castle in which a king goes from one square to another.
    pub(super) fn of_king(from: Square, to: Square) -> Option<&'static Wing> {
        WINGS.iter().find(|wing| wing.king() == (from, to))
    }
}

/// Which rights are left: a bit for each wing, in their order. `Display`: as in a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rights(u8);

impl Rights {
    /// None is left.
    pub(super) const NONE: Rights = Rights(0);

    /// The rights with a text of a FEN: `-`, or some of the letters, each once and in order.
    pub(super) fn of_text(text: &str) -> Option<Rights> {
        if text == "-" {
            return Some(Rights::NONE);
        }
        let mut letters = text.bytes().peekable();
        let mut rights = Rights::NONE;
        for (bit, wing) in WINGS.iter().enumerate() {
            if letters.next_if_eq(&wing.letter).is_some() {
                rights.0 |= 1 << bit;
            }
        }
        (letters.next().is_none() && rights != Rights::NONE).then_some(rights)
    }

    /// The number of the rights, below 16.
    pub(super) fn number(self) -> u8 {
        self.0
    }

    /// The rights with the number in the lowest four bits.
    pub(super) fn of_low_bits(bits: u8) -> Rights {
        Rights(bits & 15)
    }

    /// The wings whose rights are left.
    pub(super) fn wings(self) -> impl Iterator<Item = &'static Wing> {
        let wings = WINGS.iter().enumerate();
        let left = wings.filter(move |(bit, _)| self.0 >> bit & 1 == 1);
        left.map(|(_, wing)| wing)
    }

    /// What is left after a move from one square to another.
    pub(super) fn after(self, from: Square, to: Square) -> Rights {
        let mut left = self;
        for (bit, wing) in WINGS.iter().enumerate() {
            let homes = [wing.king().0, wing.rook().0];
            if homes.contains(&from) || homes.contains(&to) {
                left.0 &= !(1 << bit);
            }
        }
        left
    }
}

impl Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Rights::NONE {
            return f.write_str("-");
        }
        self.wings()
            .try_for_each(|wing| write!(f, "{}", char::from(wing.letter)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_says_its_rights() {
        let mut found = Vec::new();
        for number in 0..16 {
            let rights = Rights::of_low_bits(number);
            assert_eq!(rights.number(), number);
            assert_eq!(Rights::of_text(&rights.to_string()), Some(rights));
            found.push(rights.to_string());
        }
        assert_eq!(found[..6], ["-", "K", "Q", "KQ", "k", "Kk"]);
        assert_eq!(found[15], "KQkq");
        for text in [
            "", " ", "--", "-K", "K-", "KK", "QK", "kK", "qk", "KQkqK", "H", "HAha", "x",
        ] {
            assert_eq!(Rights::of_text(text), None, "{text}");
        }
    }

    #[test]
    fn rights_are_lost_where_the_move_begins_or_ends() {
        let square = |name: &str| Square::all().find(|s| s.to_string() == name).unwrap();
        let all = Rights::of_text("KQkq").unwrap();
        for (from, to, left) in [
            ("e1", "e2", "kq"),
            ("e1", "g1", "kq"),
            ("e8", "d8", "KQ"),
            ("a1", "a5", "Kkq"),
            ("h1", "h2", "Qkq"),
            ("a8", "b8", "KQk"),
            ("h8", "h1", "Qq"),
            ("b7", "a8", "KQk"),
            ("d4", "d5", "KQkq"),
        ] {
            assert_eq!(all.after(square(from), square(to)).to_string(), left);
        }
        let one = Rights::of_text("Q").unwrap();
        assert_eq!(one.after(square("h1"), square("h8")), one);
        assert_eq!(one.after(square("a1"), square("a2")), Rights::NONE);
    }

    #[test]
    fn the_squares_are_those_of_the_laws() {
        for (wing, text) in WINGS.iter().zip([
            "e1g1 h1f1 f1 g1 | e1 f1 g1",
            "e1c1 a1d1 b1 c1 d1 | e1 d1 c1",
            "e8g8 h8f8 f8 g8 | e8 f8 g8",
            "e8c8 a8d8 b8 c8 d8 | e8 d8 c8",
        ]) {
            let list = |squares: Vec<Square>| {
                let names: Vec<String> = squares.iter().map(Square::to_string).collect();
                names.join(" ")
            };
            let ((a, b), (c, d)) = (wing.king(), wing.rook());
            let (between, way) = (list(wing.between().collect()), list(wing.way().collect()));
            assert_eq!(format!("{a}{b} {c}{d} {between} | {way}"), text);
        }
    }
}
