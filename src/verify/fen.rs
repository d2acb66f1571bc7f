//! A position as a FEN says it: the men and their squares, who is to move, the rights to castle, and the en-passant square.
//!
//! One spelling only is read: the clocks at their start, no two digits side by side, and no castling but in a mate. What
//! the position is worth, whether it is legal, and whether there are kings on the board at all is not asked here.
//!
//! Source: `docs/certificate-format.md`, *Claims* and *Kind 5: mate*.

use super::castling::Rights;
use super::man::{Man, Side};
use super::material::kind_of;

/// What a FEN says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fen {
    /// The men with their squares, from the eighth rank to the first.
    pub(super) men: Vec<(Man, u8)>,
    pub(super) to_move: Side,
    pub(super) rights: Rights,
    pub(super) en_passant: Option<u8>,
}

impl Fen {
    /// What these words say; none if they are not six, or not in form, or if they name a right to castle.
    pub(super) fn of_words(words: &[&str]) -> Option<Fen> {
        Fen::with_castling(words).filter(|fen| fen.rights == Rights::NONE)
    }

    /// What these words say, which may name rights to castle; none if they are not six, or not in form.
    pub(super) fn with_castling(words: &[&str]) -> Option<Fen> {
        let &[placement, to_move, rights, en_passant, "0", "1"] = words else {
            return None;
        };
        let to_move = match to_move {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return None,
        };
        let en_passant = match en_passant {
            "-" => None,
            square => Some(en_passant_square(square, to_move)?),
        };
        Some(Fen {
            men: men(placement)?,
            to_move,
            rights: Rights::of_text(rights)?,
            en_passant,
        })
    }
}

/// The square with a name, on the rank over which the side that is not to move has made a double step.
fn en_passant_square(name: &str, to_move: Side) -> Option<u8> {
    let (rank, number) = match to_move {
        Side::White => (b'6', 5),
        Side::Black => (b'3', 2),
    };
    match name.as_bytes() {
        &[file @ b'a'..=b'h', digit] if digit == rank => Some(8 * number + file - b'a'),
        _ => None,
    }
}

/// The men of a placement.
fn men(placement: &str) -> Option<Vec<(Man, u8)>> {
    let mut men = Vec::new();
    let mut ranks = placement.split('/');
    for rank in (0..8).rev() {
        let mut file = 0;
        let mut is_after_digit = false;
        for letter in ranks.next()?.bytes() {
            match letter {
                b'1'..=b'8' if !is_after_digit => file += letter - b'0',
                _ => {
                    men.push((man_of(letter)?, 8 * rank + file));
                    file += 1;
                }
            }
            is_after_digit = letter.is_ascii_digit();
            if file > 8 {
                return None;
            }
        }
        if file != 8 {
            return None;
        }
    }
    ranks.next().is_none().then_some(men)
}

/// The man with a letter: upper case for White.
fn man_of(letter: u8) -> Option<Man> {
    let side = match letter.is_ascii_uppercase() {
        true => Side::White,
        false => Side::Black,
    };
    let kind = kind_of(char::from(letter.to_ascii_uppercase()))?;
    Some(Man { side, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen(text: &str) -> Option<Fen> {
        Fen::of_words(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn a_position_is_read() {
        let found = fen("k6P/8/8/3pP3/8/8/8/R6K w - d6 0 1").unwrap();
        let men: Vec<(char, u8)> = found.men.iter().map(|(m, s)| (m.letter(), *s)).collect();
        let wanted = [
            ('k', 56),
            ('P', 63),
            ('p', 35),
            ('P', 36),
            ('R', 0),
            ('K', 7),
        ];
        assert_eq!(men, wanted);
        assert_eq!((found.to_move, found.en_passant), (Side::White, Some(43)));
        let found = fen("8/8/8/8/8/8/8/8 b - h3 0 1").unwrap();
        assert_eq!((found.to_move, found.en_passant), (Side::Black, Some(23)));
        assert!(found.men.is_empty());
        let full = ["QRBNPqrb"; 8].join("/");
        assert_eq!(fen(&format!("{full} w - - 0 1")).unwrap().men.len(), 64);
    }

    #[test]
    fn castling_is_read_where_it_may_be() {
        let text = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        let words: Vec<&str> = text.split(' ').collect();
        let found = Fen::with_castling(&words).unwrap();
        assert_eq!(found.rights.to_string(), "KQ");
        assert_eq!(Fen::of_words(&words), None);
        let without = fen(&text.replacen("KQ", "-", 1)).unwrap();
        assert_eq!(without.rights, Rights::NONE);
    }

    #[test]
    fn every_other_text_is_none() {
        let good = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
        assert!(fen(good).is_some());
        let changes = [
            ("8/8/8/8/8/2k5/1R6/K7", ""),
            ("8/8/8/8/8/2k5/1R6/K7", "8"),
            ("K7", "K7/"),
            ("K7", "K7/8"),
            ("/K7", ""),
            ("8/8/8", "8//8"),
            ("K7", "K6"),
            ("K7", "K8"),
            ("K7", "K"),
            ("K7", "K43"),
            ("K7", "K61"),
            ("K7", "K07"),
            ("K7", "K9"),
            ("K7", "X7"),
            ("K7", "A7"),
            ("K7", "8K"),
            ("K7", "KKKKKKKKK"),
            ("K7", "K7 "),
            ("1R6", "R16"),
            ("8/8/8/8", "/8/8/8/8"),
            ("2k5", "11k5"),
            (" w ", " W "),
            (" w ", " - "),
            (" w ", "  "),
            (" w ", " "),
            (" w - ", " w K "),
            (" w - - ", " w - -"),
            (" w - -", " w -"),
            (" w - -", " w - - -"),
            (" w - -", " w - e3"),
            (" w - -", " b - e6"),
            (" w - -", " w - e5"),
            (" w - -", " w - i6"),
            (" w - -", " w - E6"),
            (" w - -", " w - e"),
            (" w - -", " w - e6e6"),
            (" w - -", " w - e66"),
            (" 0 1", " 1 1"),
            (" 0 1", " 0 2"),
            (" 0 1", " 0 0"),
            (" 0 1", " 00 1"),
            (" 0 1", " 0"),
            (" 0 1", " 0 1 1"),
        ];
        for (from, to) in changes {
            let changed = good.replacen(from, to, 1);
            assert_ne!(changed, good);
            assert_eq!(fen(&changed), None, "{changed}");
        }
        // Digits that are none of the first eight, and letters that are none of ASCII.
        for letter in ['0', '9', 'ß', 'K', '\u{212a}'] {
            let changed = good.replacen("2k5", &format!("2{letter}5"), 1);
            assert_eq!(fen(&changed).is_some(), letter == 'K', "{changed}");
        }
    }
}
