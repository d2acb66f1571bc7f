//! Games in PGN: the position in which each of them ends.
//!
//! A game begins where its FEN tag says, and is played to its last move; variations and comments are passed over, and so is
//! what is no move by its form. A game that cannot be used is told with its number, and the next one is read.

use std::io::{self, Read};
use std::ops::ControlFlow;

use dchess::rules::{parse_fen, position_fen};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position};

use super::output::one_line;

/// Where a game ends.
pub(crate) struct GameEnd {
    /// The last position.
    pub(crate) position: Chess,
    /// Players, event and date, as far as they are told.
    pub(crate) name: Option<String>,
}

/// Games one after the other.
pub(crate) struct Games<R> {
    reader: Reader<R>,
}

impl<R: Read> Games<R> {
    pub(crate) fn new(source: R) -> Games<R> {
        Games {
            reader: Reader::new(source),
        }
    }

    /// Where the next game ends, or why it cannot be used; none behind the last one.
    ///
    /// # Errors
    ///
    /// If reading fails.
    pub(crate) fn next(&mut self) -> io::Result<Option<Result<GameEnd, String>>> {
        self.reader.read_game(&mut Player)
    }
}

/// Plays a game.
struct Player;

/// What the tags of a game say.
#[derive(Default)]
struct Tags {
    start: Option<Chess>,
    white: Option<String>,
    black: Option<String>,
    event: Option<String>,
    date: Option<String>,
}

/// A game that is being played.
struct Game {
    position: Chess,
    name: Option<String>,
}

impl Tags {
    fn name(&self) -> Option<String> {
        let players = match (&self.white, &self.black) {
            (None, None) => None,
            (white, black) => {
                let name = |name: &Option<String>| name.clone().unwrap_or("?".to_owned());
                Some(format!("{} - {}", name(white), name(black)))
            }
        };
        let parts = [players, self.event.clone(), self.date.clone()];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

impl Visitor for Player {
    type Tags = Tags;
    type Movetext = Game;
    type Output = Result<GameEnd, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let value = value.decode_utf8_lossy().into_owned();
        // `?` is how PGN says that something is not known.
        let known = (!value.is_empty() && !value.starts_with('?')).then(|| one_line(&value));
        match name {
            b"FEN" => match parse_fen(&value) {
                Ok(position) => tags.start = Some(position),
                Err(error) => {
                    return ControlFlow::Break(Err(format!(
                        "the FEN tag `{}`: {error}",
                        one_line(&value)
                    )));
                }
            },
            b"White" => tags.white = known,
            b"Black" => tags.black = known,
            b"Event" => tags.event = known,
            b"Date" => tags.date = known,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Game> {
        let name = tags.name();
        ControlFlow::Continue(Game {
            position: tags.start.unwrap_or_default(),
            name,
        })
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(&game.position) {
            Ok(mv) => {
                game.position.play_unchecked(mv);
                ControlFlow::Continue(())
            }
            Err(_) => {
                let fen = position_fen(&game.position);
                ControlFlow::Break(Err(format!("`{san}` is not a legal move in {fen}")))
            }
        }
    }

    fn end_game(&mut self, game: Game) -> Self::Output {
        let Game { position, name } = game;
        Ok(GameEnd { position, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(pgn: &str) -> Vec<Result<(String, Option<String>), String>> {
        let mut games = Games::new(pgn.as_bytes());
        let mut ends = Vec::new();
        while let Some(end) = games.next().unwrap() {
            ends.push(end.map(|end| (position_fen(&end.position), end.name)));
        }
        ends
    }

    #[test]
    fn games_are_played_to_their_ends() {
        let pgn = "[White \"A\"]\n[Black \"?\"]\n[Date \"1861.??.??\"]\n\n\
            1. e4 {a comment} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\n\n\
            [FEN \"7k/8/8/6K1/8/8/8/5Q2 w - - 0 1\"]\n\n1. Kg6 Kg8 *\n\n\
            1. e4 e5 2. Ke3 *\n\n\
            [FEN \"k7/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let ends = ends(pgn);
        let fens: Vec<Option<&str>> = ends
            .iter()
            .map(|end| end.as_ref().ok().map(|(fen, _)| fen.as_str()))
            .collect();
        assert_eq!(
            fens,
            [
                Some("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"),
                Some("6k1/8/6K1/8/8/8/8/5Q2 w - - 2 2"),
                None,
                None,
                Some("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
            ]
        );
        assert_eq!(
            ends[0].as_ref().unwrap().1.as_deref(),
            Some("A - ?, 1861.??.??")
        );
        assert_eq!(ends[1].as_ref().unwrap().1, None);
        let fault = ends[2].as_ref().unwrap_err();
        assert!(
            fault.starts_with("`Ke3` is not a legal move in "),
            "{fault}"
        );
        let fault = ends[3].as_ref().unwrap_err();
        assert!(fault.contains("White has no king"), "{fault}");
    }
}
