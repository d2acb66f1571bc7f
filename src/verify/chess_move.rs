//! A move as it is stored: `from + 64 × to + 4096 × promotion` in a `u16`.
//!
//! Every `u16` is a `Move`, also those that no game can see (a promotion to nothing, a man that stays where it is): a
//! reader takes them as they come, and the checker refuses them because they are not the move it expects. The value 0
//! means *no move*.
//!
//! Source: `docs/certificate-format.md`, *Conventions*.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::Square;

/// A stored move. `Display`: its UCI text, `no move`, or the number itself where it encodes no UCI text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u16);

/// The letters of the promotions 1 to 4; a move without promotion has no fifth letter.
const PROMOTIONS: [(u8, u8); 4] = [(1, b'n'), (2, b'b'), (3, b'r'), (4, b'q')];

impl Move {
    /// *No move*, the policy of a state that has none.
    pub const NONE: Move = Move(0);

    /// The move from one square to another, without promotion.
    pub(super) fn new(from: Square, to: Square) -> Move {
        Move(from.index() as u16 + 64 * to.index() as u16)
    }

    /// The move with a promotion code, 0 to 15, in the place of its own.
    pub(super) fn promoting(self, code: u16) -> Move {
        Move(self.0 & 0x0fff | code << 12)
    }

    /// The move on the board with ranks flipped, 1 for 8.
    pub(super) fn with_ranks_flipped(self) -> Move {
        Move(self.0 ^ (56 | 56 << 6))
    }

    /// The move that a stored number encodes.
    pub(super) fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The stored number.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// The square that the man leaves.
    pub fn from(self) -> Square {
        Square::from_low_bits(self.0)
    }

    /// The square that the man goes to.
    pub fn to(self) -> Square {
        Square::from_low_bits(self.0 >> 6)
    }

    /// 0 none, 1 knight, 2 bishop, 3 rook, 4 queen; 5 to 15 mean nothing, but may be stored.
    pub fn promotion(self) -> u8 {
        (self.0 >> 12) as u8
    }

    /// Whether this is *no move*.
    pub fn is_none(self) -> bool {
        self == Move::NONE
    }

    /// The letters of the UCI text, with 0 for the fifth where there is none: these arrays are ordered as the texts
    /// are. None for a promotion that means nothing.
    pub(super) fn letters(self) -> Option<[u8; 5]> {
        let promotion = match self.promotion() {
            0 => 0,
            code => PROMOTIONS.iter().find(|entry| entry.0 == code)?.1,
        };
        let ([a, b], [c, d]) = (self.from().name(), self.to().name());
        Some([a, b, c, d, promotion])
    }
}

impl Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.letters() {
            _ if self.is_none() => f.write_str("no move"),
            Some([a, b, c, d, 0]) => [a, b, c, d]
                .iter()
                .try_for_each(|&l| write!(f, "{}", char::from(l))),
            Some(letters) => letters
                .iter()
                .try_for_each(|&l| write!(f, "{}", char::from(l))),
            None => write!(f, "{:#06x}", self.0),
        }
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads a UCI text. What `Display` writes for *no move* and for numbers that encode no UCI text is not one.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let (promotion, a, b, c, d) = match *text.as_bytes() {
            [a, b, c, d] => (0, a, b, c, d),
            [a, b, c, d, letter] => {
                let entry = PROMOTIONS.iter().find(|entry| entry.1 == letter);
                (entry.ok_or(ParseMoveError)?.0, a, b, c, d)
            }
            _ => return Err(ParseMoveError),
        };
        let (from, to) = (square(a, b)?, square(c, d)?);
        if from == to {
            return Err(ParseMoveError);
        }
        Ok(Move(Move::new(from, to).0 + 4096 * u16::from(promotion)))
    }
}

fn square(file: u8, rank: u8) -> Result<Square, ParseMoveError> {
    match (file, rank) {
        (b'a'..=b'h', b'1'..=b'8') => {
            Square::at((file - b'a') as i8, (rank - b'1') as i8).ok_or(ParseMoveError)
        }
        _ => Err(ParseMoveError),
    }
}

/// The text is not the UCI text of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseMoveError;

impl Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the UCI text of a move")
    }
}

impl std::error::Error for ParseMoveError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_that_of_the_format_page() {
        // e7 = 8 × 6 + 4 = 52, e8 = 60.
        assert_eq!("e7e8q".parse(), Ok(Move(52 + 64 * 60 + 4096 * 4)));
        assert_eq!("a1b2".parse(), Ok(Move(64 * 9)));
        assert_eq!(Move(64 * 9).to_string(), "a1b2");
        assert_eq!(Move::NONE.to_string(), "no move");
        assert!(Move(0).is_none() && !Move(1).is_none());
    }

    #[test]
    fn every_number_can_be_shown_and_every_text_comes_back() {
        let mut texts = 0;
        for bits in 0..=u16::MAX {
            let m = Move(bits);
            assert_eq!(
                m.from().index() + 64 * m.to().index() + 4096 * usize::from(m.promotion()),
                usize::from(bits)
            );
            assert!(m.to_string().len() <= 7);
            match m.to_string().parse::<Move>() {
                Ok(back) => {
                    assert_eq!(back, m);
                    texts += 1;
                }
                Err(_) => assert!(m.promotion() > 4 || m.from() == m.to()),
            }
        }
        assert_eq!(texts, 5 * 64 * 63);
    }

    #[test]
    fn letters_are_ordered_as_the_texts_are() {
        let moves: Vec<Move> = (0..20480)
            .step_by(7)
            .map(Move)
            .filter(|m| m.from() != m.to())
            .collect();
        for pair in moves
            .windows(60)
            .flat_map(|w| [(w[0], w[1]), (w[0], w[59])])
        {
            let texts = pair.0.to_string().cmp(&pair.1.to_string());
            assert_eq!(pair.0.letters().cmp(&pair.1.letters()), texts);
        }
    }

    #[test]
    fn other_texts_are_no_moves() {
        for text in [
            "", "a1", "a1b", "a1a1", "i1a1", "a9a1", "a0b1", "a1b2k", "a1b2Q", "A1b2", "a1b2qq",
            "0000", "a1\u{e9}",
        ] {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError), "{text}");
        }
    }
}
