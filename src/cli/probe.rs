//! `probe`: asks a table about positions.

use std::io::{self, BufRead, Read};
use std::path::PathBuf;

use dchess::endgame::{EvaluatedMove, LookupError, Material, Table, Universe};
use dchess::game::{Plies, Silent, Value, Values};
use dchess::rules::{Notation, parse_fen, position_fen, san_line, uci};
use dchess::verify::{Body, Certificate, Refusal, Verdict};
use serde::Serialize;
use shakmaty::{Chess, Color, Move, Position};

use super::failure::{Exit, Failure, warn};
use super::input::read_certificate;
use super::output::{Output, one_line, shown_path};

/// Look up positions in a table: value, distance, every move, best line
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One FEN gets a page. Several FENs, or FENs on standard input, get one line each, with fields
separated by tabs: FEN, value, plies to mate, every move as SAN=value, best line, status; or FEN,
`error`, reason. Empty lines and lines that begin with # are passed over.

Values are for the side to move, counted in plies from the position asked about: the best move has
the value of the position. A position with the colours the other way round is looked up too. The
answers are those of the certificate, which is checked only with --verify. The halfmove clock of a
FEN plays no part.

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
    value: &'static str,
    dtm_plies: Option<u16>,
}

/// What `--json` prints for a text that is no position of the table.
#[derive(Serialize)]
struct Fault<'a> {
    fen: &'a str,
    verified: bool,
    error: String,
}

/// A table with what is known of its truth.
struct Source {
    table: Table,
    is_verified: bool,
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
    let source = match open(args)? {
        Opened::Table(source) => source,
        Opened::Refuted(refusal) => {
            let file = shown_path(&args.certificate);
            warn(&format!("{file}: {} {refusal}", refusal.reason.verdict()));
            return Ok(Exit::DoesNotHold);
        }
    };
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

/// What opening a certificate came to.
enum Opened {
    Table(Source),
    Refuted(Refusal),
}

/// Reads the certificate and, if the user asked for it, checks it.
fn open(args: &Args) -> Result<Opened, Failure> {
    let file = shown_path(&args.certificate);
    let unusable = |refusal: Refusal| {
        Failure::Error(format!("{file}: {} {refusal}", refusal.reason.verdict()))
    };
    let is_refuted = |refusal: &Refusal| refusal.reason.verdict() == Verdict::Refuted;
    let read = read_certificate(&args.certificate);
    let checked = read.and_then(|certificate| {
        if args.verify {
            dchess::verify::verify(&certificate)?;
        }
        Ok(certificate)
    });
    match checked {
        Ok(certificate) => Ok(Opened::Table(Source {
            table: table(&certificate, &file)?,
            is_verified: args.verify,
        })),
        Err(refusal) if args.verify && is_refuted(&refusal) => Ok(Opened::Refuted(refusal)),
        Err(refusal) => Err(unusable(refusal)),
    }
}

/// The table in a certificate, as the verifier reads it.
fn table(certificate: &Certificate, file: &str) -> Result<Table, Failure> {
    let Body::EndgameTable(body) = &certificate.body;
    let no_table =
        |reason: String| Failure::Error(format!("{file} holds no table to look at: {reason}"));
    let claim = &certificate.claim;
    let named = claim
        .strip_prefix("endgame ")
        .and_then(|rest| rest.strip_suffix(" board dtm"));
    let material: Material = named
        .and_then(|name| name.parse().ok())
        .filter(|material: &Material| named == Some(&material.to_string()))
        .ok_or_else(|| no_table(format!("its claim is `{}`", one_line(claim))))?;
    let universe = Universe::enumerate(material, &Silent)?;
    if universe.len() != body.values.len() {
        return Err(no_table(format!(
            "it has {} values, {} has {} states",
            body.values.len(),
            universe.material(),
            universe.len()
        )));
    }
    let values = body.values.iter().map(|&byte| value(byte)).collect();
    Ok(Table::new(universe, Values::new(values)))
}

/// The value of a byte: a distance, whose parity tells a win from a loss, or 255 for a draw.
fn value(byte: u8) -> Value {
    let plies = Plies::new(byte.into());
    match byte {
        255 => Value::Draw,
        _ if byte.is_multiple_of(2) => Value::Loss(plies),
        _ => Value::Win(plies),
    }
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
    moves: Vec<EvaluatedMove>,
    line: Vec<Move>,
}

fn look_up(source: &Source, text: &str) -> Result<Found, String> {
    let position = parse_fen(text).map_err(|error| error.to_string())?;
    let look_up = || {
        let value = source.table.value(&position)?;
        let moves = source.table.moves(&position)?;
        let line = source.table.best_line(&position)?;
        Ok((value, moves, line))
    };
    let (value, moves, line) = look_up().map_err(|error: LookupError| error.to_string())?;
    Ok(Found {
        position,
        value,
        moves,
        line,
    })
}

fn json_answer(found: &Found, verified: bool) -> Answer {
    let plies = |value: Value| value.distance().map(Plies::get);
    let moves = found.moves.iter().map(|evaluated| {
        let Notation { uci, san } = Notation::of(&found.position, evaluated.mv);
        let value = evaluated.value;
        MoveAnswer {
            uci,
            san,
            value: value.outcome().word(),
            dtm_plies: plies(value),
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
        .map(|evaluated| {
            let san = Notation::of(&found.position, evaluated.mv).san;
            let word = evaluated.value.outcome().word();
            match evaluated.value {
                Value::Draw => format!("{san}={word}"),
                value => format!("{san}={word}:{}", plies(value)),
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
    for evaluated in &found.moves {
        let Notation { uci, san } = Notation::of(position, evaluated.mv);
        output.line(&format!("  {san:8} {uci:6} {}", evaluated.value))?;
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
