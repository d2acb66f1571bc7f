//! Games in PGN: the moves of each, and the position in which it ends.
//!
//! A game begins where its FEN tag says, and is played to its last move; variations and comments are passed over. Readers of PGN
//! usually pass over what they do not understand as well. Here a claim is made about the last position, so a game with anything that is
//! neither a move nor known to be none cannot be used. It is told with its number, and the next one is read.

use std::io::{self, BufRead};

use dchess::rules::{parse_fen, position_fen};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};

use super::output::one_line;
use super::text_line::{Line, read_line};

/// What was played, and where a game ends.
pub(crate) struct GameEnd {
    /// The position in which it begins.
    pub(crate) start: Chess,
    /// The moves from there.
    pub(crate) moves: Vec<Move>,
    /// The last position.
    pub(crate) position: Chess,
    /// Players, event and date, as far as they are told.
    pub(crate) name: Option<String>,
}

/// Games one after the other.
pub(crate) struct Games<R> {
    source: R,
    /// What is left of a line in which a game ended, or the line with which the next one begins.
    rest: Option<String>,
}

impl<R: BufRead> Games<R> {
    pub(crate) fn new(source: R) -> Games<R> {
        Games { source, rest: None }
    }

    /// Where the next game ends, or why it cannot be used; none behind the last one.
    ///
    /// # Errors
    ///
    /// If reading fails.
    pub(crate) fn next(&mut self) -> io::Result<Option<Result<GameEnd, String>>> {
        let mut game = Game::default();
        loop {
            let line = match self.rest.take() {
                Some(rest) => rest,
                None => match read_line(&mut self.source)? {
                    None => return Ok(game.has_begun().then(|| game.end())),
                    Some(Line::Whole(line)) => line,
                    Some(Line::TooLong) => {
                        game.fail("a line is too long".to_owned());
                        game.has_moves = true;
                        continue;
                    }
                },
            };
            if line.starts_with('%') {
                continue;
            }
            if line.trim_start().starts_with('[') {
                if game.is_at_its_end(&line) {
                    self.rest = Some(line);
                    return Ok(Some(game.end()));
                }
                if !game.is_in_comment {
                    game.tag(line.trim());
                    continue;
                }
            }
            if let Some(rest) = game.read(&line) {
                self.rest = Some(rest.to_owned()).filter(|rest| !rest.trim().is_empty());
                return Ok(Some(game.end()));
            }
        }
    }
}

/// A game that is being read.
#[derive(Default)]
struct Game {
    has_tags: bool,
    has_moves: bool,
    start: Chess,
    moves: Vec<Move>,
    position: Chess,
    white: Option<String>,
    black: Option<String>,
    event: Option<String>,
    date: Option<String>,
    is_in_comment: bool,
    /// Variations in each other.
    depth: usize,
    has_event: bool,
    has_fen: bool,
    /// What the SetUp tag says.
    is_set_up: Option<bool>,
    fault: Option<String>,
}

impl Game {
    const fn has_begun(&self) -> bool {
        self.has_tags || self.has_moves
    }

    /// Whether a line that looks like a tag belongs to the next game. In a comment only the first tag of a game is taken for one.
    fn is_at_its_end(&self, line: &str) -> bool {
        let begins = line.trim_start().starts_with("[Event \"");
        match self.has_moves {
            true => !self.is_in_comment || begins,
            // Without a move and without a result a game ends where the next one begins.
            false => self.has_event && begins,
        }
    }

    /// Remembers the first fault.
    fn fail(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }

    fn tag(&mut self, tag: &str) {
        self.has_tags = true;
        let inner = tag.strip_prefix('[').and_then(|tag| tag.strip_suffix(']'));
        let parts = inner.and_then(|inner| inner.trim().split_once(char::is_whitespace));
        let quoted = parts.and_then(|(name, value)| {
            let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
            Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
        });
        let Some((name, value)) = quoted else {
            return self.fail(format!("`{}` is not a tag", one_line(tag)));
        };
        // `?` is how PGN says that something is not known.
        let known = || (!value.is_empty() && !value.starts_with('?')).then(|| one_line(&value));
        match name {
            "FEN" if self.has_fen => self.fail("there are two FEN tags".to_owned()),
            "FEN" => match parse_fen(&value) {
                Ok(position) => {
                    self.start = position.clone();
                    self.position = position;
                    self.has_fen = true;
                }
                Err(error) => self.fail(format!("the FEN tag `{}`: {error}", one_line(&value))),
            },
            "SetUp" => self.is_set_up = Some(value != "0"),
            _ if is_variant(name) && !is_chess(&value) => {
                self.fail(format!("the variant `{}` is not chess", one_line(&value)));
            }
            "White" => self.white = known(),
            "Black" => self.black = known(),
            "Event" => {
                self.has_event = true;
                self.event = known();
            }
            "Date" => self.date = known(),
            _ => {}
        }
    }

    /// Reads a line of moves; if the game ends in it, gives what is left of it.
    fn read<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        const MARKS: &[char] = &['{', '}', '(', ')', ';', '$'];
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            self.has_moves = true;
            if self.is_in_comment {
                let (_, after) = rest.split_once('}')?;
                self.is_in_comment = false;
                rest = after.trim_start();
                continue;
            }
            let end = rest
                .find(|c: char| c.is_whitespace() || MARKS.contains(&c))
                .unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if !word.is_empty() {
                rest = after.trim_start();
                if self.word(word) {
                    return Some(rest);
                }
                continue;
            }
            let mut after = rest.chars();
            match after.next() {
                Some('{') => self.is_in_comment = true,
                Some('(') => self.depth += 1,
                Some(')') => match self.depth.checked_sub(1) {
                    Some(depth) => self.depth = depth,
                    None => self.fail("a variation ends that did not begin".to_owned()),
                },
                Some('$') => {
                    rest = after
                        .as_str()
                        .trim_start_matches(|c: char| c.is_ascii_digit());
                    rest = rest.trim_start();
                    continue;
                }
                Some(';') => return None,
                _ => self.fail("a comment ends that did not begin".to_owned()),
            }
            rest = after.as_str().trim_start();
        }
        None
    }

    /// Plays a word of the moves; whether it is the end of the game.
    fn word(&mut self, word: &str) -> bool {
        if self.depth > 0 {
            return false;
        }
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            return true;
        }
        let unnumbered = match word.trim_start_matches(|c: char| c.is_ascii_digit()) {
            // No move has the number 0: that is how some programs write that nothing was moved.
            _ if word.starts_with('0') && !word.starts_with("0-0") => word,
            "" => "",
            rest if rest.starts_with('.') => rest.trim_start_matches('.'),
            _ => word,
        };
        let san = unnumbered.trim_end_matches(['!', '?']);
        if san.is_empty() || san == "e.p." || self.fault.is_some() {
            return false;
        }
        let castling = san.replace("0-0", "O-O").replace("O-0", "O-O");
        let Ok(parsed) = castling.parse::<SanPlus>() else {
            self.fail(format!("`{}` is not a move", one_line(word)));
            return false;
        };
        match parsed.san.to_move(&self.position) {
            Ok(mv) => {
                self.moves.push(mv);
                self.position.play_unchecked(mv);
            }
            Err(_) if self.position.legal_moves().is_empty() => {
                let shown = one_line(san);
                self.fail(format!("the game has ended before `{shown}`"));
            }
            Err(_) => {
                let fen = position_fen(&self.position);
                self.fail(format!("`{}` is not a legal move in {fen}", one_line(san)));
            }
        }
        false
    }

    fn end(mut self) -> Result<GameEnd, String> {
        if self.is_in_comment {
            self.fail("a comment is not closed".to_owned());
        } else if self.has_fen && self.is_set_up == Some(false) {
            self.fail("the SetUp tag is 0, but there is a FEN tag".to_owned());
        } else if self.depth > 0 {
            self.fail("a variation is not closed".to_owned());
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let players = match (self.white, self.black) {
            (None, None) => None,
            (white, black) => {
                let name = |name: Option<String>| name.unwrap_or("?".to_owned());
                Some(format!("{} - {}", name(white), name(black)))
            }
        };
        let parts = [players, self.event, self.date];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        Ok(GameEnd {
            start: self.start,
            moves: self.moves,
            position: self.position,
            name: (!parts.is_empty()).then(|| parts.join(", ")),
        })
    }
}

/// Whether a tag says which kind of chess is played.
fn is_variant(name: &str) -> bool {
    name.eq_ignore_ascii_case("Variant") || name.eq_ignore_ascii_case("VariantName")
}

/// Whether a variant is none.
fn is_chess(variant: &str) -> bool {
    let known = ["standard", "chess", "normal", "from position"];
    known.contains(&&*variant.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last position of each game, or what is wrong with it.
    fn ends(pgn: &str) -> Vec<String> {
        let mut games = Games::new(pgn.as_bytes());
        let mut ends = Vec::new();
        while let Some(end) = games.next().unwrap() {
            ends.push(end.map_or_else(|fault| fault, |end| position_fen(&end.position)));
        }
        ends
    }

    const OPEN: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";

    #[test]
    fn games_are_played_to_their_ends() {
        let pgn = "[White \"A\"]\n[Black \"?\"]\n[Date \"1861.??.??\"]\n\n\
            1. e4 {a (comment} e5 (1... c5 {[%clk 1]} 2. Nf3 (2. f4)) 2.Nf3!? $1 ; the end\n*\n\n\
            [FEN \"7k/8/8/6K1/8/8/8/5Q2 w - - 0 1\"]\n\n1. Kg6 Kg8 1-0 1. f3 e5 2. g4 Qh4# 0-1\n\
            % escaped\n[Event \"nothing\"]\n\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1.0-0 Ke7\n1/2-1/2";
        let ends = ends(pgn);
        let expected = [
            OPEN,
            "6k1/8/6K1/8/8/8/8/5Q2 w - - 2 2",
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "8/4k3/8/8/8/8/8/5RK1 w - - 2 2",
        ];
        assert_eq!(ends, expected);
        let mut games = Games::new(pgn.as_bytes());
        let name = games.next().unwrap().unwrap().unwrap().name;
        assert_eq!(name.as_deref(), Some("A - ?, 1861.??.??"));
    }

    #[test]
    fn a_game_with_a_fault_is_told_and_the_next_one_is_read() {
        for (game, fault) in [
            ("1. e4 e5 2. Ke3 Ke7 *", "`Ke3` is not a legal move in "),
            ("1. f3 e5 2. g44 *", "`g44` is not a move"),
            ("1. f3 e5 2. Sc3 *", "`Sc3` is not a move"),
            ("1. f2-f3 *", "`f2-f3` is not a"),
            ("1. f3 -- *", "`--` is not a"),
            ("1. f3 0000 *", "`0000` is not a move"),
            ("1. f3 0 *", "`0` is not a move"),
            ("0. f3 *", "`0.` is not a move"),
            ("1. f3 e5 (1... d5 2. g4", "a variation is not closed"),
            ("1. f3 e5 ) *", "a variation ends"),
            ("1. f3 } e5 *", "a comment ends"),
            ("1. f3 { e5 *", "a comment is not closed"),
            (
                "[FEN \"k7/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*",
                "the FEN tag `k7/8/8/8/8/8/8/8 w - - 0 1`: ",
            ),
            ("[FEN 7k/8]\n\n*", "`[FEN 7k/8]` is not a tag"),
            (
                "[FEN \"7k/8/8/6K1/8/8/8/5Q2 w - - 0 1\"]\n[FEN \"7k/8/8/6K1/8/8/8/5Q2 b - - 0 1\"]\n\n*",
                "there are two FEN tags",
            ),
            (
                "[SetUp \"0\"]\n[FEN \"7k/8/8/6K1/8/8/8/5Q2 w - - 0 1\"]\n\n*",
                "the SetUp tag is 0, but there is a FEN tag",
            ),
            ("[variantname \"Atomic\"]\n\n*", "the variant `Atomic` is"),
            (
                "[Variant \"Atomic\"]\n\n1. e4 *",
                "the variant `Atomic` is not chess",
            ),
        ] {
            let pgn = format!("{game}\n\n[Event \"next\"]\n\n1. e4 e5 2. Nf3 *\n");
            let ends = ends(&pgn);
            assert_eq!(ends.len(), 2, "{game}: {ends:?}");
            assert!(ends[0].starts_with(fault), "{game}: {ends:?}");
            assert_eq!(ends[1], OPEN, "{game}");
        }
        // A position that somebody set up is chess, and a game may have no moves.
        let pgn =
            "[Event \"a\"]\n[Variant \"From Position\"]\n\n[Event \"b\"]\n\n1. e4 e5 2. Nf3 *\n";
        assert_eq!(ends(pgn).len(), 2);
        assert_eq!(ends(pgn)[1], OPEN);
        assert_eq!(ends("").len(), 0);
        assert_eq!(ends("\n\n").len(), 0);
    }
}
