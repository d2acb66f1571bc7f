//! `rules`: the ruleset, and tests of it.

use clap::Subcommand;
use dchess::rules::{RULESET_TEXT, RULESET_VERSION, ruleset_digest};
use serde::Serialize;

use super::failure::{Exit, Failure};
use super::output::Output;
use super::state::hex;
use super::{closure, dead, perft};

/// Print the frozen rules, count lines of play, play random games, judge whether a position is dead
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Two games have rules here: board, without history, and FCS-2023, the complete game of the FIDE Laws of 2023
(docs/ruleset.txt, explained in docs/rules.md). Both are written twice, for the solvers and, independently, for
the verifier; perft and closure compare the two.

Examples:
  dchess rules text
  dchess rules perft --depth 5 --divide
  dchess rules closure --games 100 --seed 1
  dchess rules dead '4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1'")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print the ruleset that every certificate names, and its digest
    Text(TextArgs),
    Perft(perft::Args),
    Closure(closure::Args),
    Dead(dead::Args),
}

#[derive(Debug, clap::Args)]
struct TextArgs {
    /// Print version, digest and text as one line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    version: u32,
    digest: String,
    text: &'static str,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    match &args.action {
        Action::Text(args) => text(args, output),
        Action::Perft(args) => perft::run(args, output),
        Action::Closure(args) => closure::run(args, output),
        Action::Dead(args) => dead::run(args, output),
    }
}

fn text(args: &TextArgs, output: &mut Output) -> Result<Exit, Failure> {
    let digest = format!("sha256:{}", hex(&ruleset_digest()));
    if args.json {
        output.json(&Report {
            version: RULESET_VERSION,
            digest,
            text: RULESET_TEXT,
        })?;
    } else {
        output.bytes(RULESET_TEXT.as_bytes())?;
        output.line("")?;
        output.line(&digest)?;
    }
    Ok(Exit::Established)
}
