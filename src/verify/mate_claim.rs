//! The claim of a mate: a position, who attacks, in how many moves, and what is said of that.
//!
//! Source: `docs/certificate-format.md`, *Claims* and *Kind 5: mate*.

use super::fen::Fen;
use super::man::{Kind, Man, Side};
use super::{Move, Reason, Refusal};

/// What a claim of a mate says. The position need not be legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MateClaim {
    pub(super) fen: Fen,
    /// Whether the attacker is to move (`mate`), and not the defender (`mated`).
    pub(super) attacker_moves: bool,
    /// The number N of moves, at most [`MOST_MOVES`].
    moves: u8,
    pub(super) demand: Demand,
}

/// What is said of a mate in N.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Demand {
    /// It can be forced.
    Forced,
    /// It can be forced, and not sooner.
    Shortest,
    /// It can be forced, not sooner, and with exactly these first moves, in the order of their UCI texts.
    Keys(Vec<Move>),
    /// It cannot be forced.
    NotForced,
}

/// The largest N.
const MOST_MOVES: u8 = 127;

/// The most keys.
const MOST_KEYS: usize = 255;

/// The most words of a claim: those before the keys, and the keys.
const MOST_WORDS: usize = 11 + MOST_KEYS;

impl MateClaim {
    /// Reads a claim: first the form of the position, then its kings, then the rest.
    pub(super) fn of(claim: &str) -> Result<MateClaim, Refusal> {
        let refusal = |reason| Refusal::new(reason, format_args!("claim: stored {claim}"));
        let unknown = || refusal(Reason::UnknownClaim);
        // One word more than there can be shows that a line goes on.
        let words: Vec<&str> = claim.split(' ').take(MOST_WORDS + 1).collect();
        let Some((word, rest)) = words.split_first() else {
            return Err(unknown());
        };
        let attacker_moves = match *word {
            "mate" => true,
            "mated" => false,
            _ => return Err(unknown()),
        };
        let (fen, rest) = rest.split_at_checked(6).ok_or_else(unknown)?;
        let fen = Fen::with_castling(fen).ok_or_else(unknown)?;
        if Side::BOTH.into_iter().any(|side| kings(&fen, side) != 1) {
            return Err(refusal(Reason::UnknownMaterial));
        }
        let (moves, demand) = end(rest).ok_or_else(unknown)?;
        let is_known = match (attacker_moves, &demand) {
            (true, _) => moves > 0,
            (false, demand) => !matches!(demand, Demand::Keys(_)),
        };
        if !is_known {
            return Err(unknown());
        }
        Ok(MateClaim {
            fen,
            attacker_moves,
            moves,
            demand,
        })
    }

    /// The side that mates.
    pub(super) fn attacker(&self) -> Side {
        match self.attacker_moves {
            true => self.fen.to_move,
            false => self.fen.to_move.other(),
        }
    }

    /// How many plies the attacker has behind a root of the strategy: one less than are claimed after his move, which is the
    /// root's own.
    pub(super) fn plies_of_strategy(&self) -> u8 {
        match self.attacker_moves {
            true => 2 * self.moves.saturating_sub(1),
            false => 2 * self.moves,
        }
    }

    /// The plies within which it is denied that the attacker mates from the position of the claim; none if nothing is denied.
    pub(super) fn plies_denied(&self) -> Option<u8> {
        let claimed = match self.attacker_moves {
            true => (2 * self.moves).saturating_sub(1),
            false => 2 * self.moves,
        };
        match self.demand {
            Demand::Forced => None,
            Demand::NotForced => Some(claimed),
            // A mate in one after `mate`, and in none after `mated`, is never too long.
            Demand::Shortest | Demand::Keys(_) => claimed.checked_sub(2),
        }
    }
}

/// How many kings a side has.
pub(super) fn kings(fen: &Fen, side: Side) -> usize {
    let kind = Kind::King;
    let men = fen.men.iter();
    men.filter(|(man, _)| *man == Man { side, kind }).count()
}

/// What the words behind the position say.
fn end(words: &[&str]) -> Option<(u8, Demand)> {
    match words {
        ["in", moves] => Some((decimal(moves, MOST_MOVES)?, Demand::Forced)),
        ["in", moves, "shortest"] => Some((decimal(moves, MOST_MOVES)?, Demand::Shortest)),
        ["in", moves, "shortest", "keys", keys @ ..] => {
            Some((decimal(moves, MOST_MOVES)?, Demand::Keys(ascending(keys)?)))
        }
        ["not", "in", moves] => Some((decimal(moves, MOST_MOVES)?, Demand::NotForced)),
        _ => None,
    }
}

/// The number with a text without leading zeros; none if it is more than it may be.
pub(super) fn decimal(text: &str, most: u8) -> Option<u8> {
    let is_decimal = text.bytes().all(|digit| digit.is_ascii_digit());
    let has_zeros = text.len() > 1 && text.starts_with('0');
    let number = text.parse().ok().filter(|&number| number <= most);
    number.filter(|_| is_decimal && !has_zeros)
}

/// At least one move and at most [`MOST_KEYS`], in the order of their texts, each one once.
fn ascending(texts: &[&str]) -> Option<Vec<Move>> {
    let are_few = texts.len() <= MOST_KEYS;
    let is_ascending = texts.is_sorted_by(|a, b| a < b);
    let moves = texts.iter().map(|text| text.parse().ok());
    let moves = moves.collect::<Option<Vec<Move>>>()?;
    (is_ascending && are_few && !moves.is_empty()).then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1";

    fn claim(line: &str) -> MateClaim {
        MateClaim::of(line).unwrap()
    }

    #[test]
    fn the_claims_of_the_page() {
        use Demand::{Forced, Keys, NotForced, Shortest};
        let keys = ["a1a8", "b1b8", "e7e8n", "e7e8q"].map(|text| text.parse().unwrap());
        // The rest of the line, N, what is said, the plies of the strategy, and those that are denied.
        for (word, rest, moves, demand, plies, denied) in [
            ("mate", "in 1", 1, Forced, 0, None),
            ("mate", "in 127", 127, Forced, 252, None),
            ("mate", "in 1 shortest", 1, Shortest, 0, None),
            ("mate", "in 3 shortest", 3, Shortest, 4, Some(3)),
            (
                "mate",
                "in 2 shortest keys a1a8 b1b8 e7e8n e7e8q",
                2,
                Keys(keys.to_vec()),
                2,
                Some(1),
            ),
            (
                "mate",
                "in 1 shortest keys a1a8",
                1,
                Keys(vec![keys[0]]),
                0,
                None,
            ),
            ("mate", "not in 1", 1, NotForced, 0, Some(1)),
            ("mate", "not in 127", 127, NotForced, 252, Some(253)),
            ("mated", "in 0", 0, Forced, 0, None),
            ("mated", "in 2", 2, Forced, 4, None),
            ("mated", "in 0 shortest", 0, Shortest, 0, None),
            ("mated", "in 1 shortest", 1, Shortest, 2, Some(0)),
            ("mated", "not in 0", 0, NotForced, 0, Some(0)),
            ("mated", "not in 127", 127, NotForced, 254, Some(254)),
        ] {
            let found = claim(&format!("{word} {FEN} {rest}"));
            assert_eq!(found.moves, moves, "{rest}");
            assert_eq!(found.demand, demand);
            assert_eq!(found.attacker_moves, word == "mate");
            let attacker = if word == "mate" {
                Side::White
            } else {
                Side::Black
            };
            assert_eq!(found.attacker(), attacker);
            assert_eq!(found.plies_of_strategy(), plies, "{word} {rest}");
            assert_eq!(found.plies_denied(), denied, "{word} {rest}");
        }
        let castling = claim("mate 4k3/8/8/8/8/8/8/4K2R w K - 0 1 in 9");
        assert_eq!(castling.fen.rights.to_string(), "K");
        assert!(
            MateClaim::of(&format!(
                "mate {} w - - 0 1 in 1",
                "QQQQQQQk/".to_string() + &"QQQQQQQQ/".repeat(6) + "QQQQQQQK"
            ))
            .is_ok()
        );
    }

    #[test]
    fn there_are_at_most_255_keys() {
        let squares = (b'a'..=b'h').flat_map(|file| {
            let ranks = b'1'..=b'8';
            ranks.map(move |rank| [file, rank].map(char::from).iter().collect::<String>())
        });
        let squares: Vec<String> = squares.collect();
        let moves = squares.iter().flat_map(|from| {
            let others = squares.iter().filter(move |to| *to != from);
            others.map(move |to| format!(" {from}{to}"))
        });
        let keys: Vec<String> = moves.take(257).collect();
        for (count, is_known) in [
            (1, true),
            (254, true),
            (255, true),
            (256, false),
            (257, false),
        ] {
            let line = format!("mate {FEN} in 2 shortest keys{}", keys[..count].concat());
            match is_known {
                true => assert!(
                    matches!(claim(&line).demand, Demand::Keys(keys) if keys.len() == count)
                ),
                false => assert_eq!(
                    MateClaim::of(&line).unwrap_err().reason,
                    Reason::UnknownClaim
                ),
            }
            // The kings come before.
            let no_king = line.replacen("7k", "8", 1);
            assert_eq!(
                MateClaim::of(&no_king).unwrap_err().reason,
                Reason::UnknownMaterial
            );
        }
    }

    #[test]
    fn every_other_line_is_refused() {
        use Reason::{UnknownClaim, UnknownMaterial};
        let good = format!("mate {FEN} in 2 shortest keys a1a8 b1b8");
        assert!(MateClaim::of(&good).is_ok());
        let changes = [
            (&good[..], "", UnknownClaim),
            (&good, "mate", UnknownClaim),
            (&good, "mate      ", UnknownClaim),
            (&good, "mate       ", UnknownClaim),
            ("mate ", "", UnknownClaim),
            ("mate ", "Mate ", UnknownClaim),
            ("mate ", " mate ", UnknownClaim),
            ("mate ", "mate  ", UnknownClaim),
            ("mate ", "interval ", UnknownClaim),
            // Keys are for the attacker's moves alone.
            ("mate ", "mated ", UnknownClaim),
            (" in 2 shortest keys a1a8 b1b8", "", UnknownClaim),
            (" in 2 shortest keys a1a8 b1b8", " in", UnknownClaim),
            (" in 2 shortest keys a1a8 b1b8", " in ", UnknownClaim),
            (" in 2 shortest keys a1a8 b1b8", " in 2 ", UnknownClaim),
            (" in 2 shortest keys a1a8 b1b8", " not", UnknownClaim),
            (" in 2 shortest keys a1a8 b1b8", " not in", UnknownClaim),
            (
                " in 2 shortest keys a1a8 b1b8",
                " not in 2 shortest",
                UnknownClaim,
            ),
            (" in 2 shortest keys", " in 2 keys", UnknownClaim),
            (
                " in 2 shortest keys",
                " not in 2 shortest keys",
                UnknownClaim,
            ),
            (" keys a1a8 b1b8", " ", UnknownClaim),
            (" a1a8 b1b8", "", UnknownClaim),
            (" a1a8 b1b8", " ", UnknownClaim),
            (" a1a8 b1b8", " b1b8 a1a8", UnknownClaim),
            (" a1a8 b1b8", " a1a8 a1a8", UnknownClaim),
            (" a1a8 b1b8", " e7e8q e7e8n", UnknownClaim),
            (" a1a8", " a1a1", UnknownClaim),
            (" a1a8", " a1a8k", UnknownClaim),
            (" a1a8", "  a1a8", UnknownClaim),
            (" b1b8", " b1b8 ", UnknownClaim),
            ("in 2", "in 0", UnknownClaim),
            ("in 2", "in 128", UnknownClaim),
            ("in 2", "in 258", UnknownClaim),
            ("in 2", "in 02", UnknownClaim),
            ("in 2", "in 00", UnknownClaim),
            ("in 2", "in +2", UnknownClaim),
            ("in 2", "in -2", UnknownClaim),
            ("in 2", "in two", UnknownClaim),
            ("in 2", "in  2", UnknownClaim),
            (" w - - ", " w KK - ", UnknownClaim),
            (" w - - ", " w QK - ", UnknownClaim),
            (" w - - ", " w - e3 ", UnknownClaim),
            (" 0 1 ", " 0 2 ", UnknownClaim),
            ("1Q6", "1Q5", UnknownClaim),
            // The kings come after the form of the position and before the rest.
            ("7k", "8", UnknownMaterial),
            ("7k", "6kk", UnknownMaterial),
            ("6K1", "8", UnknownMaterial),
            ("6K1", "5KK1", UnknownMaterial),
            (
                "7k/8/6K1/8/8/8/8/1Q6 w",
                "8/8/6K1/8/8/8/8/1Q6 x",
                UnknownClaim,
            ),
        ];
        for (from, to, reason) in changes {
            let changed = good.replacen(from, to, 1);
            assert_ne!(changed, good);
            let found = MateClaim::of(&changed).unwrap_err();
            assert_eq!(found.reason, reason, "{changed}");
        }
        let no_king = good.replacen("7k", "8", 1).replacen("in 2", "in 0", 1);
        assert_eq!(MateClaim::of(&no_king).unwrap_err().reason, UnknownMaterial);
        let mated = format!("mated {FEN} in 0 shortest keys a1a8");
        assert_eq!(MateClaim::of(&mated).unwrap_err().reason, UnknownClaim);
        let long = good + &" ".repeat(1 << 20);
        assert_eq!(MateClaim::of(&long).unwrap_err().reason, UnknownClaim);
    }
}
