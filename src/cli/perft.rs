//! `rules perft`: lines of play counted by both implementations of the rules.

use clap::ValueEnum;
use dchess::rules::{State, TooManyLines, divide, parse_fen, position_fen, state_divide, uci};
use dchess::verify::{self, GameState};
use serde::Serialize;
use shakmaty::{Chess, Move};

use super::cost::Clock;
use super::failure::{Exit, Failure, warn};
use super::output::{Output, grouped};
use super::resources::Bytes;
use super::threads::Threads;

/// Count the lines of play of a length, by the rules of the solvers and by those of the verifier
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The count of the solvers is that of shakmaty's move generator; the verifier has rules of its own. Exit code 1 if
they disagree. With --profile fcs nothing follows a fivefold repetition or the 75th move, so lines end there as
they do with a mate; claims are no moves, and dead positions are passed over.

Examples:
  dchess rules perft --depth 5
  dchess rules perft 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' --depth 4 --divide
  dchess rules perft --depth 7 --hash 2G --no-check")]
pub(crate) struct Args {
    /// A position as FEN, in quotes [default: the initial position]
    #[arg(value_name = "FEN")]
    fen: Option<String>,

    /// The length of the lines in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,

    /// The rules: the board alone, or the complete game
    #[arg(long, default_value = "board")]
    profile: Profile,

    /// Show the count for each first move
    #[arg(long)]
    divide: bool,

    /// Memory for positions that are met again, like 64M; they are kept whole, so the count stays exact
    #[arg(long, value_name = "BYTES", default_value = "0")]
    hash: Bytes,

    /// Leave out the count of the verifier, which is slower
    #[arg(long)]
    no_check: bool,

    #[command(flatten)]
    threads: Threads,

    /// Print the counts as one line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Profile {
    /// Without history
    Board,
    /// FCS-2023
    Fcs,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    profile: &'static str,
    depth: u32,
    nodes: u64,
    /// The count of the verifier's rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    verifier_nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Divided>>,
    cpu_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verifier_cpu_seconds: Option<f64>,
}

#[derive(Serialize)]
struct Divided {
    r#move: String,
    nodes: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let position = match &args.fen {
        Some(fen) => parse_fen(fen).map_err(|error| Failure::Error(error.to_string()))?,
        None => Chess::default(),
    };
    let state = match args.profile {
        Profile::Board => None,
        Profile::Fcs => {
            let state = State::new(position.clone());
            Some(state.map_err(|error| Failure::Error(error.to_string()))?)
        }
    };
    let clock = Clock::start();
    let counted = args
        .threads
        .pool()?
        .install(|| count(args, &position, state.as_ref()));
    let (nodes, divided) = counted.map_err(|error| Failure::Error(error.to_string()))?;
    let cpu_seconds = clock.cpu_seconds();
    let clock = Clock::start();
    let verifier_nodes = match args.no_check {
        true => None,
        false => Some(count_again(args, &position, state.as_ref())?),
    };
    let report = Report {
        fen: position_fen(&position),
        profile: match args.profile {
            Profile::Board => "board",
            Profile::Fcs => "fcs",
        },
        depth: args.depth,
        nodes,
        verifier_nodes,
        divide: args.divide.then(|| {
            let lines = divided.into_iter();
            lines
                .map(|(mv, nodes)| Divided {
                    r#move: uci(mv),
                    nodes,
                })
                .collect()
        }),
        cpu_seconds,
        verifier_cpu_seconds: clock.cpu_seconds().filter(|_| !args.no_check),
    };
    print(&report, args.hash.0 > 0, args.json, output)?;
    Ok(match verifier_nodes {
        Some(found) if found != nodes => {
            warn("the two implementations of the rules disagree");
            Exit::DoesNotHold
        }
        _ => Exit::Established,
    })
}

/// The count of the solvers' rules, and its parts.
fn count(
    args: &Args,
    position: &Chess,
    state: Option<&State>,
) -> Result<(u64, Vec<(Move, u64)>), TooManyLines> {
    if args.depth == 0 {
        return Ok((1, Vec::new()));
    }
    let memory_bytes = usize::try_from(args.hash.0).unwrap_or(usize::MAX);
    let divided = match state {
        None => divide(position, args.depth, memory_bytes)?,
        Some(state) => state_divide(state, args.depth, memory_bytes)?,
    };
    let mut counts = divided.iter().map(|(_, nodes)| *nodes);
    let nodes = counts.try_fold(0, u64::checked_add).ok_or(TooManyLines)?;
    Ok((nodes, divided))
}

/// The count of the verifier's rules.
fn count_again(args: &Args, position: &Chess, state: Option<&State>) -> Result<u64, Failure> {
    let refused =
        |what: &str| Failure::Error(format!("the verifier does not take the position: {what}"));
    match state {
        None => {
            let fen = dchess::rules::placement_fen(position) + " 0 1";
            verify::perft(&fen, args.depth).ok_or_else(|| refused("it is not legal"))
        }
        Some(state) => {
            let state = GameState::read(&state.bytes()).map_err(|reason| refused(&reason))?;
            Ok(state.perft(args.depth))
        }
    }
}

fn print(
    report: &Report,
    has_memory: bool,
    json: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    if json {
        return output.json(report);
    }
    for divided in report.divide.iter().flatten() {
        output.line(&format!(
            "{:5} {:>15}",
            divided.r#move,
            grouped(divided.nodes)
        ))?;
    }
    let speed = |nodes: u64, seconds: Option<f64>, has_memory: bool| match seconds {
        // Below that the clock says nothing; with memory few of the lines are walked.
        Some(seconds) if seconds >= 0.01 && !has_memory => {
            format!(
                "   {seconds:.2} CPU s, {} a second",
                grouped((nodes as f64 / seconds) as u64)
            )
        }
        _ => String::new(),
    };
    output.line(&format!(
        "nodes    {:>15}{}",
        grouped(report.nodes),
        speed(report.nodes, report.cpu_seconds, has_memory)
    ))?;
    match report.verifier_nodes {
        None => Ok(()),
        Some(found) => output.line(&format!(
            "verifier {:>15}{}",
            grouped(found),
            speed(found, report.verifier_cpu_seconds, false)
        )),
    }
}
