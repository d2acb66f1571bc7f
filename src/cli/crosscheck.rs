//! `crosscheck`: compares a table with real Syzygy tables, state by state.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use dchess::endgame::{Endgame, Library, Material};
use dchess::game::{Outcome, Value};
use dchess::rules::position_fen;
use serde::Serialize;
use shakmaty::{Chess, Position};
use shakmaty_syzygy::{Dtz, MaybeRounded, SyzygyError, Tablebase, Wdl};

use super::failure::{Exit, Failure};
use super::interrupt;
use super::output::{Output, grouped, shown_path};
use super::plan::closure;
use super::progress::Progress;
use super::syzygy_files::FilesInMemory;
use super::threads::Threads;

/// Compare every state of a class with Syzygy tables
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The class is solved in memory. Compared are, for every state, en-passant states included: win, draw
or loss exactly (a win that the fifty-move rule cancels counts as a win); and the distance to the
next capture or pawn move, which has the sign of the result and is not longer than the distance to
mate (for KQK, KRK, KBBK and KBNK it is the distance to mate). One ply more or less is allowed where the
Syzygy table rounds to full moves.

Exit codes: 0 every state was compared and agrees, 1 a mismatch, 2 tables are missing or unusable.

Examples:
  dchess crosscheck KRKP --syzygy path/to/syzygy
  dchess crosscheck KBNK --syzygy path/to/syzygy --json")]
pub(crate) struct Args {
    /// The class, like KQK or KRPvKR
    material: Material,

    /// The folder of the Syzygy tables
    #[arg(long, value_name = "DIR")]
    syzygy: PathBuf,

    /// Print one line of JSON
    #[arg(long)]
    json: bool,

    /// Print no progress
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    threads: Threads,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    universe: String,
    states: usize,
    compared_wdl: usize,
    compared_dtz: usize,
    mismatches: usize,
    cursed: usize,
    /// The first mismatches, with both answers.
    examples: Vec<String>,
    missing: BTreeSet<String>,
}

/// How many mismatches are shown.
const EXAMPLES: usize = 20;

/// Classes in which no capture or pawn move helps before mate.
const NO_ZEROING: [&str; 4] = ["KQK", "KRK", "KBBK", "KBNK"];

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    interrupt::listen()?;
    let mut tables: Tablebase<Chess> =
        Tablebase::with_filesystem(Arc::new(FilesInMemory::default()));
    tables.add_directory(&args.syzygy).map_err(|error| {
        Failure::context(&format!("cannot read {}", shown_path(&args.syzygy)), &error)
    })?;
    let progress = Progress::new(args.quiet);
    let report = args
        .threads
        .pool()?
        .install(|| compare(&args.material, &tables, &progress))?;
    drop(progress);
    let exit = if report.mismatches > 0 {
        Exit::DoesNotHold
    } else if report.compared_wdl == report.states && report.compared_dtz == report.states {
        Exit::Established
    } else {
        Exit::Unusable
    };
    if args.json {
        output.json(&report)?;
    } else {
        print(&report, output)?;
    }
    Ok(exit)
}

/// What the comparison of one state found.
#[derive(Default)]
struct Found {
    compared_wdl: bool,
    compared_dtz: bool,
    is_cursed: bool,
    mismatch: Option<String>,
    missing: Option<String>,
}

fn compare(
    material: &Material,
    tables: &Tablebase<Chess>,
    progress: &Progress,
) -> Result<Report, Failure> {
    let mut library = Library::new();
    let classes = closure(material);
    for (place, class) in classes.iter().enumerate() {
        progress.class(place + 1, classes.len(), class);
        Endgame::solve(class, &mut library, progress)?;
    }
    let name = material.to_string();
    let is_dtm = NO_ZEROING.contains(&name.as_str());
    let found = library.ask_all(material, progress, |position, value| {
        compare_state(position, value, tables, is_dtm)
    })?;
    let count = |is: fn(&Found) -> bool| found.iter().filter(|found| is(found)).count();
    Ok(Report {
        universe: name,
        states: found.len(),
        compared_wdl: count(|found| found.compared_wdl),
        compared_dtz: count(|found| found.compared_dtz),
        mismatches: count(|found| found.mismatch.is_some()),
        cursed: count(|found| found.is_cursed),
        examples: found
            .iter()
            .filter_map(|found| found.mismatch.clone())
            .take(EXAMPLES)
            .collect(),
        missing: found
            .into_iter()
            .filter_map(|found| found.missing)
            .collect(),
    })
}

/// Compares one state: its result, and if that agrees its distance.
fn compare_state(position: &Chess, value: Value, tables: &Tablebase<Chess>, is_dtm: bool) -> Found {
    let mut found = Found::default();
    let differs = |theirs: &dyn std::fmt::Display| {
        Some(format!(
            "{}: {value}, Syzygy {theirs}",
            position_fen(position)
        ))
    };
    match tables.probe_wdl_after_zeroing(position) {
        Err(error) => found.missing = Some(missing(&error)),
        Ok(wdl) => {
            found.compared_wdl = true;
            let (outcome, is_cursed) = match wdl {
                Wdl::Win => (Outcome::Win, false),
                Wdl::CursedWin => (Outcome::Win, true),
                Wdl::Draw => (Outcome::Draw, false),
                Wdl::BlessedLoss => (Outcome::Loss, true),
                Wdl::Loss => (Outcome::Loss, false),
            };
            found.is_cursed = is_cursed;
            if outcome != value.outcome() {
                found.mismatch = differs(&outcome.word());
                return found;
            }
        }
    }
    match tables.probe_dtz(position) {
        Err(error) => found.missing = Some(missing(&error)),
        Ok(dtz) => {
            found.compared_dtz = true;
            if !agrees(position, value, dtz, is_dtm) {
                let Dtz(plies) = dtz.ignore_rounding();
                found.mismatch = differs(&format_args!("DTZ {plies}"));
            }
        }
    }
    found
}

/// Whether a distance to zeroing fits a value: the sign is that of the result, and the distance is not
/// longer than that to mate (at least 1, for Syzygy gives a mate 1; one more where it is rounded). Where nothing
/// zeroes before mate it is the distance to mate, but for mates.
fn agrees(position: &Chess, value: Value, dtz: MaybeRounded<Dtz>, is_dtm: bool) -> bool {
    let is_precise = dtz.precise().is_some();
    let Dtz(plies) = dtz.ignore_rounding();
    let distance = value.distance().map_or(0, |plies| i32::from(plies.get()));
    let longest = distance.max(1) + i32::from(!is_precise);
    match value.outcome() {
        Outcome::Draw => plies == 0,
        _ if is_dtm && !position.is_checkmate() => {
            let signed = if value.outcome() == Outcome::Win {
                distance
            } else {
                -distance
            };
            plies.abs_diff(signed) <= u32::from(!is_precise)
        }
        Outcome::Win => (1..=longest).contains(&plies),
        Outcome::Loss => (-longest..=-1).contains(&plies),
    }
}

/// The table that a look-up lacked, or why it could not be used.
fn missing(error: &SyzygyError) -> String {
    match error {
        SyzygyError::MissingTable { metric, material } => format!("{material} ({metric})"),
        error => error.to_string(),
    }
}

fn print(report: &Report, output: &mut Output) -> Result<(), Failure> {
    for (name, count) in [
        ("states, en-passant states included", report.states),
        ("compared in win, draw, loss", report.compared_wdl),
        ("compared in distance to zeroing", report.compared_dtz),
        ("wins that the fifty-move rule cancels", report.cursed),
        ("mismatches", report.mismatches),
    ] {
        output.line(&format!("{name:38} {}", grouped(count as u64)))?;
    }
    for example in &report.examples {
        output.line(&format!("  {example}"))?;
    }
    if !report.missing.is_empty() {
        let names: Vec<&str> = report.missing.iter().map(String::as_str).collect();
        output.line(&format!("missing tables: {}", names.join(" ")))?;
    }
    Ok(())
}
