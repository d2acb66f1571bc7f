//! Where the positions of a suite come from: lines of EPD, or games in PGN.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::epd_line::EpdLine;
use super::failure::Failure;
use super::output::shown_path;
use super::pgn_games::{GameEnd, Games};
use super::text_line::{self, read_line};

/// A line of the suite, or a game.
pub(crate) struct Line {
    pub(crate) number: u64,
    /// The line; of a game, or where it cannot be kept, one that stands for it.
    pub(crate) text: String,
    /// What it says, or why it cannot be used; none if it holds no position.
    pub(crate) content: Option<Result<EpdLine, String>>,
}

/// Where the lines come from.
pub(crate) enum Source {
    Epd {
        lines: Box<dyn BufRead>,
        number: u64,
    },
    Pgn {
        games: Games<Box<dyn BufRead>>,
        number: u64,
    },
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path).map_err(|error| {
        let path = shown_path(path);
        Failure::context(&format!("cannot read {path}"), &error)
    })?;
    Ok(Box::new(BufReader::new(file)))
}

impl Source {
    /// Lines of EPD, `-` for standard input.
    pub(crate) fn epd(path: &Path) -> Result<Source, Failure> {
        let lines = open(path)?;
        Ok(Source::Epd { lines, number: 0 })
    }

    /// Games in PGN, `-` for standard input.
    pub(crate) fn pgn(path: &Path) -> Result<Source, Failure> {
        let games = Games::new(open(path)?);
        Ok(Source::Pgn { games, number: 0 })
    }

    /// The next lines, at most so many; none at the end.
    pub(crate) fn block(&mut self, size: usize) -> Result<Vec<Line>, Failure> {
        let mut block = Vec::new();
        while block.len() < size {
            match self.next()? {
                Some(line) => block.push(line),
                None => break,
            }
        }
        Ok(block)
    }

    fn next(&mut self) -> Result<Option<Line>, Failure> {
        match self {
            Source::Epd { lines, number } => {
                let line = read_line(lines)
                    .map_err(|error| Failure::context("cannot read the suite", &error))?;
                *number += 1;
                Ok(line.map(|line| match line {
                    text_line::Line::Whole(text) => Line::of_epd(*number, text),
                    text_line::Line::TooLong => {
                        Line::unusable(*number, "line", "the line is too long".to_owned())
                    }
                }))
            }
            Source::Pgn { games, number } => {
                let game = games
                    .next()
                    .map_err(|error| Failure::context("cannot read the games", &error))?;
                *number += 1;
                Ok(game.map(|game| match game {
                    Ok(end) => Line::of_game(*number, end),
                    Err(fault) => Line::unusable(*number, "game", fault),
                }))
            }
        }
    }
}

impl Line {
    fn of_epd(number: u64, text: String) -> Line {
        let said = text.trim();
        let is_remark = said.is_empty() || said.starts_with('#');
        let content = (!is_remark).then(|| EpdLine::parse(said).map_err(|error| error.to_string()));
        Line {
            number,
            text,
            content,
        }
    }

    fn of_game(number: u64, end: GameEnd) -> Line {
        let epd = EpdLine::bare(end.position, end.name);
        Line {
            number,
            text: epd.rewritten(&[], |_| false),
            content: Some(Ok(epd)),
        }
    }

    fn unusable(number: u64, what: &str, fault: String) -> Line {
        Line {
            number,
            text: format!("# {what} {number}: {fault}"),
            content: Some(Err(fault)),
        }
    }
}
