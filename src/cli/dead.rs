//! `rules dead`: whether any mate can still be reached.

use dchess::rules::{Deadness, deadness, parse_fen, position_fen};
use serde::Serialize;

use super::failure::{Exit, Failure};
use super::output::Output;
use super::state_report::{DeadReport, dead_line};

/// Judge whether a position is dead: no sequence of legal moves leads to a mate (FIDE 5.2.2)
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit codes: 0 it is dead, with the reason; 1 it is not, with a line to a mate; 3 unknown within --nodes.

Examples:
  dchess rules dead '8/8/8/4k3/8/8/8/KB6 w - - 0 1'
  dchess rules dead '4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1' --json")]
pub(crate) struct Args {
    /// A position as FEN, in quotes
    #[arg(value_name = "FEN")]
    fen: String,

    /// The most positions to look at
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: usize,

    /// Print the answer as one line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    #[serde(flatten)]
    dead: DeadReport,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let position = parse_fen(&args.fen).map_err(|error| Failure::Error(error.to_string()))?;
    let deadness = deadness(&position, args.nodes);
    if args.json {
        output.json(&Report {
            fen: position_fen(&position),
            dead: DeadReport::of(&deadness),
        })?;
    } else {
        output.line(&dead_line(&position, &deadness))?;
    }
    Ok(match deadness {
        Deadness::Dead(_) => Exit::Established,
        Deadness::Alive(_) => Exit::DoesNotHold,
        Deadness::Unknown => Exit::Undecided,
    })
}
