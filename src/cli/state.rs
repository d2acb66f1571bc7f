//! `state`: states of the complete game, as bytes and for people.

use std::io::{self, BufRead};

use clap::Subcommand;
use dchess::rules::State;

use super::failure::{Exit, Failure, warn};
use super::history::{History, HistoryArgs};
use super::output::{Output, one_line};
use super::state_report::{Report, Told, print_decoded, print_state};

/// Encode, decode and show states of the complete game: position, clock, and what has occurred
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A state of FCS-2023 is the position with its halfmove clock and the positions that have occurred since the last
irreversible move, each with how often (docs/rules.md). It has exactly one writing in bytes, shown as hexadecimal
digits, and SHA-256 of them as its digest (docs/certificate-format.md). The number of the move is no part of it.

Moves after the end of a game are refused, but for dead positions, which no value depends on.

Examples:
  dchess state show --moves 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1'
  dchess state encode '8/8/8/4k3/8/8/P7/K6R w - - 99 90'
  dchess state encode --pgn games.pgn | dchess state decode - --json")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print the bytes of a state and their digest
    Encode(EncodeArgs),
    /// Give the state of some bytes
    Decode(DecodeArgs),
    /// Show a state for people: board, occurrences, claims and why, whether the game has ended
    Show(EncodeArgs),
}

#[derive(Debug, clap::Args)]
struct EncodeArgs {
    #[command(flatten)]
    history: HistoryArgs,

    #[command(flatten)]
    options: Options,

    /// Go through the states before each move as well, not the last one alone
    #[arg(long)]
    every_ply: bool,
}

#[derive(Debug, clap::Args)]
struct DecodeArgs {
    /// Hexadecimal digits, or `-` for a state on each line of standard input; a line with a digest is compared with the state before
    #[arg(value_name = "HEX")]
    bytes: String,

    #[command(flatten)]
    options: Options,
}

#[derive(Debug, clap::Args)]
struct Options {
    /// The most positions to look at to see whether a position is dead
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: usize,

    /// Print each state as one line of JSON
    #[arg(long)]
    json: bool,
}

/// How a state is printed.
#[derive(Clone, Copy)]
enum Layout {
    Bytes,
    Decoded,
    Page,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    match &args.action {
        Action::Encode(args) => encode(args, Layout::Bytes, output),
        Action::Show(args) => encode(args, Layout::Page, output),
        Action::Decode(args) => decode(args, output),
    }
}

fn encode(args: &EncodeArgs, layout: Layout, output: &mut Output) -> Result<Exit, Failure> {
    let mut exit = Exit::Established;
    let mut game = 0;
    let several = args.history.may_be_several();
    args.history.each(|history| {
        game += 1;
        let number = several.then_some(game);
        let done = match history {
            Ok(history) => show_history(&history, number, args, layout, output)?,
            Err(fault) => Err(fault),
        };
        match done {
            Ok(()) => Ok(()),
            Err(fault) if !several => Err(Failure::Error(fault)),
            Err(fault) => {
                exit = Exit::Unusable;
                let fault = format!("game {game}: {fault}");
                match args.options.json {
                    true => output.json(&serde_json::json!({"game": game, "error": fault})),
                    false => {
                        warn(&fault);
                        Ok(())
                    }
                }
            }
        }
    })?;
    Ok(exit)
}

/// Prints the last state of a history, or all of them.
fn show_history(
    history: &History,
    game: Option<usize>,
    args: &EncodeArgs,
    layout: Layout,
    output: &mut Output,
) -> Result<Result<(), String>, Failure> {
    let last = history.moves.len();
    let mut shown = None;
    let told = |state: &State, ply| Told {
        game,
        ply,
        assumes: Some(history.assumes(state)),
        state: state.clone(),
    };
    let done = history.each_state(|ply, state| {
        if args.every_ply {
            let told = told(state, Some(ply));
            return show(&told, &args.options, layout, output);
        }
        if ply == last {
            shown = Some(told(state, None));
        }
        Ok(())
    })?;
    if let Some(told) = shown {
        show(&told, &args.options, layout, output)?;
    }
    Ok(done)
}

fn decode(args: &DecodeArgs, output: &mut Output) -> Result<Exit, Failure> {
    if args.bytes != "-" {
        let state = state_of(&args.bytes).map_err(Failure::Error)?;
        show(&Told::alone(state), &args.options, Layout::Decoded, output)?;
        return Ok(Exit::Established);
    }
    let mut exit = Exit::Established;
    let mut digest = None;
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| Failure::context("reading standard input", &error))?;
        if line.trim().is_empty() {
            continue;
        }
        let read = match line.trim().strip_prefix("sha256:") {
            None => state_of(line.trim()).map(Some),
            Some(found) if digest.as_deref() == Some(found) => Ok(None),
            Some(_) => Err("that is not the digest of the state before it".to_owned()),
        };
        if let Ok(Some(state)) = &read {
            digest = Some(hex(&state.digest()));
        }
        match read {
            Ok(None) => {}
            Ok(Some(state)) => show(&Told::alone(state), &args.options, Layout::Decoded, output)?,
            Err(fault) => {
                exit = Exit::Unusable;
                let fault = format!("line {}: {fault}", number + 1);
                match args.options.json {
                    true => output.json(&serde_json::json!({"error": fault}))?,
                    false => warn(&fault),
                }
            }
        }
    }
    Ok(exit)
}

fn show(
    told: &Told,
    options: &Options,
    layout: Layout,
    output: &mut Output,
) -> Result<(), Failure> {
    let state = &told.state;
    if options.json {
        return output.json(&Report::of(told, options.nodes));
    }
    match layout {
        Layout::Bytes => {
            output.line(&hex(&state.bytes()))?;
            output.line(&format!("sha256:{}", hex(&state.digest())))
        }
        Layout::Decoded => print_decoded(state, output),
        Layout::Page => print_state(told, options.nodes, output),
    }
}

/// The state of hexadecimal digits.
fn state_of(text: &str) -> Result<State, String> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pairs = text.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = pairs
        .map(|pair| match *pair {
            [high, low] => Some(digit(high)? << 4 | digit(low)?),
            _ => None,
        })
        .collect();
    let bytes = bytes.ok_or_else(|| {
        format!(
            "`{}` is not a state in hexadecimal digits, two a byte",
            one_line(text)
        )
    })?;
    State::of_bytes(&bytes).map_err(|error| error.to_string())
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
