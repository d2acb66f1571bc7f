//! `probe`: asks a table about positions.

use std::cmp::Reverse;
use std::io::{self, BufRead, Read};
use std::path::PathBuf;

use dchess::endgame::Material;
use dchess::game::{Plies, Value};
use dchess::rules::{Notation, parse_fen, position_fen, san_line, uci, uci_order};
use serde::Serialize;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position};

use super::failure::{Exit, Failure};
use super::output::{Output, one_line};
use super::source::Source;

/// Look up positions in a table: value, distance, every move, best line
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One FEN gets a page. Several FENs, or FENs on standard input, get one line each, with fields
separated by tabs: FEN, value, plies to mate, every move as SAN=value, best line, status; or FEN,
`error`, reason. Empty lines and lines that begin with # are passed over.

Values are for the side to move, counted in plies from the position asked about: the best move has
the value of the position. A position with the colours the other way round is looked up too. The
answers are those of the certificate, which is checked only with --verify. Captures and promotions
are looked up in the tables that the certificate names, if they stand in its folder as CLASS.bin;
moves into tables that are not there have no value. Of a binary certificate only the parts are read
that hold the answer, unless it is checked. The halfmove clock of a FEN plays no part.

Exit codes: 0 every FEN was answered, 1 --verify refuted the certificate, 2 otherwise.

Examples:
  dchess probe certificates/KQK.bin '8/8/8/8/4k3/8/1Q6/K7 b - - 0 1'
  dchess probe --verify --json certificates/KRK.bin - < positions.txt")]
pub(crate) struct Args {
    /// The certificate of an endgame
    certificate: PathBuf,

    /// Positions as FEN, each in quotes; `-` reads them from standard input, one a line
    #[arg(required = true, value_name = "FEN|-")]
    fens: Vec<String>,

    /// Check the certificate first
    #[arg(long)]
    verify: bool,

    /// Print one line of JSON a FEN
    #[arg(long)]
    json: bool,
}

/// What `--json` prints for a position.
#[derive(Serialize)]
struct Answer {
    fen: String,
    verified: bool,
    value: &'static str,
    dtm_plies: Option<u16>,
    moves: Vec<MoveAnswer>,
    best_line: Vec<String>,
    best_line_san: String,
}

#[derive(Serialize)]
struct MoveAnswer {
    uci: String,
    san: String,
    /// `null` if the table that the move leads into is not there.
    value: Option<&'static str>,
    dtm_plies: Option<u16>,
}

/// What `--json` prints for a text that is no position of the table.
#[derive(Serialize)]
struct Fault<'a> {
    fen: &'a str,
    verified: bool,
    error: String,
}

/// The shape of an answer.
#[derive(Clone, Copy)]
enum Layout {
    Page,
    Line,
    Json,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let from_stdin = args.fens == ["-"];
    if !from_stdin && args.fens.iter().any(|fen| fen == "-") {
        return Err(Failure::Error(
            "`-` reads the FENs from standard input and stands alone; is a FEN not in quotes?"
                .into(),
        ));
    }
    if from_stdin && args.certificate.as_os_str() == "-" {
        return Err(Failure::Error(
            "standard input is either the certificate or the FENs".into(),
        ));
    }
    let source = Source::open(&args.certificate, args.verify)?;
    let layout = match args.fens.as_slice() {
        _ if args.json => Layout::Json,
        [_] if !from_stdin => Layout::Page,
        _ => Layout::Line,
    };
    let mut exit = Exit::Established;
    if from_stdin {
        let mut lines = io::stdin().lock();
        while let Some(text) = next_line(&mut lines)? {
            if !text.is_empty() && !text.starts_with('#') {
                answer(&source, &text, layout, output, &mut exit)?;
                output.flush()?;
            }
            if output.is_closed() {
                break;
            }
        }
    } else {
        for text in &args.fens {
            answer(&source, text, layout, output, &mut exit)?;
        }
    }
    Ok(exit)
}

/// Answers one FEN; a fault is an answer too, and remembered in the exit code.
fn answer(
    source: &Source,
    text: &str,
    layout: Layout,
    output: &mut Output,
    exit: &mut Exit,
) -> Result<(), Failure> {
    match look_up(source, text) {
        Ok(found) => match layout {
            Layout::Json => output.json(&json_answer(&found, source.is_verified)),
            Layout::Line => output.line(&line_answer(&found, source.is_verified)),
            Layout::Page => print_page(&found, source.is_verified, output),
        },
        Err(reason) => {
            *exit = Exit::Unusable;
            match layout {
                Layout::Json => output.json(&Fault {
                    fen: text,
                    verified: source.is_verified,
                    error: reason,
                }),
                Layout::Line => output.line(&format!("{}\terror\t{reason}", one_line(text))),
                Layout::Page => Err(Failure::Error(format!("`{}`: {reason}", one_line(text)))),
            }
        }
    }
}

/// A position with everything that the table says about it.
struct Found {
    position: Chess,
    value: Value,
    /// The best move first; moves into tables that are not there come last, without value.
    moves: Vec<(Move, Option<Value>)>,
    line: Vec<Move>,
}

fn look_up(source: &Source, text: &str) -> Result<Found, String> {
    let position = parse_fen(text).map_err(|error| error.to_string())?;
    let (found, _) = Material::of_board(position.board()).map_err(|error| error.to_string())?;
    if found != source.material {
        return Err(format!(
            "the position is {found}, the table is {}",
            source.material
        ));
    }
    let library = &source.library;
    let value = library
        .value(&position)
        .map_err(|error| error.to_string())?;
    let evaluate = |mv: Move| (mv, library.after(&position, mv).ok());
    let mut moves: Vec<(Move, Option<Value>)> =
        position.legal_moves().into_iter().map(evaluate).collect();
    moves.sort_unstable_by_key(|&(mv, value)| {
        (
            value.is_none(),
            Reverse(value),
            uci_order(UciMove::from_standard(mv)),
        )
    });
    // Where the line enters a table that is not there, none is shown.
    let line = library.best_line(&position).unwrap_or_default();
    Ok(Found {
        position,
        value,
        moves,
        line,
    })
}

fn json_answer(found: &Found, verified: bool) -> Answer {
    let plies = |value: Value| value.distance().map(Plies::get);
    let moves = found.moves.iter().map(|&(mv, value)| {
        let Notation { uci, san } = Notation::of(&found.position, mv);
        let word = value.map(|value| value.outcome().word());
        MoveAnswer {
            uci,
            san,
            value: word,
            dtm_plies: value.and_then(plies),
        }
    });
    Answer {
        fen: position_fen(&found.position),
        verified,
        value: found.value.outcome().word(),
        dtm_plies: plies(found.value),
        moves: moves.collect(),
        best_line: found.line.iter().map(|&mv| uci(mv)).collect(),
        best_line_san: san_line(&found.position, &found.line),
    }
}

fn line_answer(found: &Found, verified: bool) -> String {
    let plies = |value: Value| {
        value
            .distance()
            .map_or("-".to_owned(), |plies| plies.get().to_string())
    };
    let moves: Vec<String> = found
        .moves
        .iter()
        .map(|&(mv, value)| {
            let san = Notation::of(&found.position, mv).san;
            match value {
                None => format!("{san}=?"),
                Some(Value::Draw) => format!("{san}=draw"),
                Some(value) => format!("{san}={}:{}", value.outcome().word(), plies(value)),
            }
        })
        .collect();
    [
        position_fen(&found.position),
        found.value.outcome().word().to_owned(),
        plies(found.value),
        or_dash(moves.join(" ")),
        or_dash(san_line(&found.position, &found.line)),
        status(verified).to_owned(),
    ]
    .join("\t")
}

fn print_page(found: &Found, verified: bool, output: &mut Output) -> Result<(), Failure> {
    let position = &found.position;
    output.line(status(verified))?;
    output.line(&position_fen(position))?;
    output.line(&sentence(found))?;
    if !found.moves.is_empty() {
        output.line("")?;
    }
    for &(mv, value) in &found.moves {
        let Notation { uci, san } = Notation::of(position, mv);
        let value = value.map_or("unknown, its table is not there".to_owned(), |value| {
            value.to_string()
        });
        output.line(&format!("  {san:8} {uci:6} {value}"))?;
    }
    if !found.line.is_empty() {
        output.line("")?;
        output.line(&format!("best line  {}", san_line(position, &found.line)))?;
    }
    Ok(())
}

fn sentence(found: &Found) -> String {
    let side = match found.position.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    match found.value {
        Value::Loss(Plies::ZERO) => format!("{side} is checkmated"),
        Value::Draw if found.moves.is_empty() => format!("{side} is stalemated: draw"),
        Value::Draw => format!("{side} to move: draw"),
        Value::Win(plies) => format!("{side} to move mates in {plies}"),
        Value::Loss(plies) => format!("{side} to move is mated in {plies}"),
    }
}

fn status(verified: bool) -> &'static str {
    if verified { "verified" } else { "not verified" }
}

fn or_dash(text: String) -> String {
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

/// The next line of the input without its end, or `None` at the end of the input. Of a line of more
/// than 1,000 bytes the beginning is given with a mark behind it that makes it no FEN.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>, Failure> {
    const LONGEST: u64 = 1_000;
    let cannot_read = |error: io::Error| Failure::context("cannot read standard input", &error);
    let mut bytes = Vec::new();
    input
        .take(LONGEST)
        .read_until(b'\n', &mut bytes)
        .map_err(cannot_read)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let mut text = String::from_utf8_lossy(&bytes).trim().to_owned();
    if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n').map_err(cannot_read)?;
        text.push_str(" [the line is longer than 1,000 bytes]");
    }
    Ok(Some(text))
}
