//! Where the positions of a suite come from: lines of EPD, or games in PGN.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::epd_line::EpdLine;
use super::failure::Failure;
use super::output::shown_path;
use super::pgn_games::{GameEnd, Games};

/// A line of the suite, or a game.
pub(crate) struct Line {
    pub(crate) number: u64,
    /// The line, of a game nothing.
    pub(crate) text: String,
    /// Where the game ends.
    pub(crate) game: Option<Result<EpdLine, String>>,
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
                let Some(text) = read_line(lines)? else {
                    return Ok(None);
                };
                *number += 1;
                let text = match *number {
                    1 => text.trim_start_matches('\u{feff}').to_owned(),
                    _ => text,
                };
                Ok(Some(Line {
                    number: *number,
                    text,
                    game: None,
                }))
            }
            Source::Pgn { games, number } => {
                let game = games
                    .next()
                    .map_err(|error| Failure::context("cannot read the games", &error))?;
                *number += 1;
                let end = |end: GameEnd| EpdLine::bare(end.position, end.name);
                Ok(game.map(|game| Line {
                    number: *number,
                    text: String::new(),
                    game: Some(game.map(end)),
                }))
            }
        }
    }
}

/// A line without its end. Of a very long one the rest is dropped, with a mark that makes it a bad line.
fn read_line(lines: &mut dyn BufRead) -> Result<Option<String>, Failure> {
    const LONGEST: u64 = 1 << 16;
    let cannot_read = |error: io::Error| Failure::context("cannot read the suite", &error);
    let mut bytes = Vec::new();
    let mut limited = lines.take(LONGEST);
    limited.read_until(b'\n', &mut bytes).map_err(cannot_read)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let is_cut = bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n');
    let mut text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
    if is_cut {
        lines.skip_until(b'\n').map_err(cannot_read)?;
        text.push_str(" [the line is too long]");
    }
    Ok(Some(text))
}
