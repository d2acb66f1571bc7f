//! Where the history of a state comes from: a FEN, a list of moves, the games of a PGN file.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use dchess::rules::{Notation, State, parse_fen};
use shakmaty::{Chess, Move};

use super::failure::Failure;
use super::move_text::read_move;
use super::output::shown_path;
use super::pgn_games::Games;

/// A history on the command line.
#[derive(Debug, clap::Args)]
pub(crate) struct HistoryArgs {
    /// The position to begin with, as FEN in quotes [default: the initial position]
    #[arg(value_name = "FEN", conflicts_with = "pgn")]
    fen: Option<String>,

    /// Moves from there, as UCI or SAN, in quotes; move numbers are passed over
    #[arg(long, value_name = "MOVES", conflicts_with = "pgn")]
    moves: Option<String>,

    /// Take the games of a file in PGN, one state a game; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// What was played.
pub(crate) struct History {
    /// The state with which it begins.
    pub(crate) start: State,
    /// The moves from there.
    pub(crate) moves: Vec<Move>,
}

impl HistoryArgs {
    /// Does something with each history, or with what is wrong with it, in the order in which they come.
    pub(crate) fn each(
        &self,
        mut visit: impl FnMut(Result<History, String>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.pgn else {
            let history = self.single()?;
            return visit(Ok(history));
        };
        let reading =
            |error: io::Error| Failure::context(&format!("reading {}", shown_path(path)), &error);
        let mut games = Games::new(open(path).map_err(reading)?);
        let mut is_empty = true;
        while let Some(game) = games.next().map_err(reading)? {
            is_empty = false;
            let history = game.and_then(|game| {
                let start = State::new(game.start).map_err(|error| error.to_string())?;
                let moves = game.moves;
                Ok(History { start, moves })
            });
            visit(history)?;
        }
        match is_empty {
            true => Err(Failure::Error(format!("{} has no game", shown_path(path)))),
            false => Ok(()),
        }
    }

    /// Whether there may be several.
    pub(crate) const fn may_be_several(&self) -> bool {
        self.pgn.is_some()
    }

    fn single(&self) -> Result<History, Failure> {
        read_history(self.fen.as_deref(), self.moves.as_deref())
    }
}

/// The history of a FEN, by default the initial position, and moves.
pub(crate) fn read_history(fen: Option<&str>, moves: Option<&str>) -> Result<History, Failure> {
    let wrong = |error: &dyn std::error::Error| Failure::Error(error.to_string());
    let mut position = match fen {
        Some(fen) => parse_fen(fen).map_err(|error| wrong(&error))?,
        None => Chess::default(),
    };
    let start = State::new(position.clone()).map_err(|error| wrong(&error))?;
    let mut read = Vec::new();
    let words = moves.unwrap_or("").split_whitespace();
    for word in words.map(without_number).filter(|word| !word.is_empty()) {
        let mv = read_move(&position, word)?;
        shakmaty::Position::play_unchecked(&mut position, mv);
        read.push(mv);
    }
    Ok(History { start, moves: read })
}

impl History {
    /// Whether a state of this history takes for granted that nothing has occurred before its beginning: what came before a
    /// position that was given by a FEN is not known.
    pub(crate) fn assumes(&self, state: &State) -> bool {
        let start = self.start.position();
        let is_initial = *start == Chess::default() && self.start.clock_plies() == 0;
        !is_initial && state.occurrences_of(start) > 0
    }

    /// The state after all moves.
    pub(crate) fn last_state(&self) -> Result<State, Failure> {
        let mut last = self.start.clone();
        self.each_state(|_, state| {
            last = state.clone();
            Ok(())
        })?
        .map_err(Failure::Error)?;
        Ok(last)
    }

    /// Does something with the state before each move and with the last one.
    ///
    /// # Errors
    ///
    /// If a move comes after the end of the game.
    pub(crate) fn each_state(
        &self,
        mut visit: impl FnMut(usize, &State) -> Result<(), Failure>,
    ) -> Result<Result<(), String>, Failure> {
        let mut state = self.start.clone();
        visit(0, &state)?;
        for (ply, &mv) in self.moves.iter().enumerate() {
            let Some(next) = state.after(mv) else {
                let san = Notation::of(state.position(), mv).san;
                return Ok(Err(format!(
                    "the game has ended before {san}, ply {}: {}",
                    ply + 1,
                    super::state_report::end_name(state.end())
                )));
            };
            state = next;
            visit(ply + 1, &state)?;
        }
        Ok(Ok(()))
    }
}

/// A word of a list of moves without the number before it: `12.`, `12...`, `12.e4`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(_) if rest.len() < word.len() => rest.trim_start_matches('.'),
        _ => word,
    }
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(match path.as_os_str() == "-" {
        true => Box::new(BufReader::new(io::stdin())),
        false => Box::new(BufReader::new(File::open(path)?)),
    })
}
