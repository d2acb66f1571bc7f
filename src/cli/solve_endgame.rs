//! `solve-endgame`: solves a class and writes its certificate.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dchess::certificate::{Format, Sealed, endgame_claim};
use dchess::endgame::{
    EnPassantSummary, Endgame, HistogramRow, Material, MutualZugzwangs, Results, Summary,
};
use dchess::rules::{position_fen, san_line, uci};
use serde::Serialize;

use super::cost::Clock;
use super::destination::{Cost, Destination, FormatArg, LONGEST_JSON};
use super::failure::{Exit, Failure};
use super::interrupt;
use super::output::{Output, grouped, shown_path};
use super::plan::{Estimate, certificate_bytes, closure};
use super::progress::Progress;
use super::resources::{Bytes, free_disk, free_memory, shown};
use super::shelf::{Shelf, format_of};
use super::threads::Threads;

/// Solve an endgame exactly and write the certificate of the whole table
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The value and the distance to mate of every position of the class, under the rules without history
(mate, stalemate, endless play is a draw). Classes have three to five men, in any case and order.

A capture or promotion leads into another class. Tables of such classes are looked for beside the
certificate as CLASS.bin, used only if they verify, and solved and written there if they are missing. What is
finished stays, so a run that was stopped goes on where it was.

Examples:
  dchess solve-endgame KQK
  dchess solve-endgame KRPvKR --plan
  dchess solve-endgame KBNK --out tables/KBNK.bin --json
  dchess solve-endgame KRK --format json --out krk.json
  dchess solve-endgame KQK --out - | dchess verify -")]
pub(crate) struct Args {
    /// The class, like KQK or KRPvKR
    material: Material,

    /// Where the certificate goes, in a folder that is made if it is not there; `-` for standard output
    /// [default: certificates/<CLASS>.<format>]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The folder of the tables that the class rests on, which has to be there [default: where the
    /// certificate goes]
    #[arg(long, value_name = "DIR")]
    children: Option<PathBuf>,

    /// The encoding of the certificate [default: bin, or json if --out ends in .json]
    #[arg(long)]
    format: Option<FormatArg>,

    /// Show the classes that have to be solved, with states, bytes, memory and time; run nothing
    #[arg(long, conflicts_with_all = ["format", "force"])]
    plan: bool,

    /// The most memory to use, like 4G [default: what is free]
    #[arg(long, value_name = "BYTES")]
    memory: Option<Bytes>,

    /// Print the figures as one line of JSON
    #[arg(long)]
    json: bool,

    /// Replace a file that holds something else
    #[arg(long)]
    force: bool,

    /// Print neither progress nor figures
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    threads: Threads,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    universe: String,
    raw_states: u64,
    states: u64,
    edges: u64,
    legal_moves: u64,
    symmetry_comparisons: u64,
    checkmates: u64,
    stalemates: u64,
    #[serde(flatten)]
    results: Results,
    by_side: BySide,
    max_dtm_plies: u16,
    max_dtm_states: u64,
    longest_fen: Option<String>,
    branching: f64,
    dtm_classes: u64,
    class_compression: f64,
    histogram: &'a [HistogramRow],
    certificate: String,
    id: String,
    children: Vec<ChildReport>,
    en_passant: EnPassantSummary,
    mutual_zugzwangs: MutualZugzwangs,
    transfers_at_h0: u64,
    bytes_per_state: f64,
}

#[derive(Serialize)]
struct ChildReport {
    claim: String,
    id: String,
}

#[derive(Serialize)]
struct BySide {
    white: Results,
    black: Results,
}

pub(crate) fn run(args: &Args, stdout: &mut Output) -> Result<Exit, Failure> {
    let classes = closure(&args.material);
    let binary = format_of(&args.material);
    let stem = args.material.to_string();
    let destination = Destination::of(args.out.as_deref(), args.format, &stem, binary)?;
    let (format, path) = (destination.format, destination.path.clone());
    if format == Format::Json && certificate_bytes(&args.material) > LONGEST_JSON / 4 * 3 {
        return Err(Failure::Error(format!(
            "the table of {} is too large for JSON text, which has at most {}; use --format bin",
            args.material,
            shown(LONGEST_JSON)
        )));
    }
    let folder = destination.children_folder(args.children.as_deref())?;
    let mut shelf = Shelf::new(folder.clone());
    if let (Some(path), Some((_, children))) = (&path, classes.split_last()) {
        shelf.check_output(path, children)?;
    }
    if args.plan {
        print_plan(args, path.as_deref(), &classes, &shelf, stdout)?;
        return Ok(Exit::Established);
    }
    interrupt::listen();
    check_resources(args, &classes, &shelf, &folder)?;
    destination.check(|claim| claim == endgame_claim(&args.material), args.force)?;
    let clock = Clock::start();
    let progress = Progress::new(args.quiet);
    let pool = args.threads.pool()?;
    let (endgame, sealed) = pool.install(|| {
        let (_, children) = classes.split_last().unwrap_or((&args.material, &[]));
        shelf.provide_leaves(children)?;
        for (place, child) in children.iter().enumerate() {
            progress.class(place + 1, classes.len(), child);
            shelf.provide(child, &progress)?;
        }
        progress.class(classes.len(), classes.len(), &args.material);
        let endgame = shelf.solve(&args.material, &progress)?;
        let sealed = shelf.seal(&endgame, format)?;
        Ok::<_, Failure>((endgame, sealed))
    })?;
    drop(progress);

    let mut stderr = Output::stderr();
    let cost = Cost {
        clock,
        threads: args.threads,
        refinement_seconds: None,
    };
    let Some(written) = destination.deliver(&sealed, &cost, args.force, stdout)? else {
        return Ok(Exit::Unusable);
    };
    // A certificate on standard output is alone there.
    let report = if path.is_some() { stdout } else { &mut stderr };
    if args.json {
        let certificate = destination.shown();
        report.json(&json_report(&endgame, &shelf, certificate, &sealed))?;
    } else if !args.quiet {
        print_figures(&endgame, report)?;
        destination.print(&sealed, written, report)?;
    }
    stderr.finish()?;
    Ok(Exit::Established)
}

fn print_plan(
    args: &Args,
    target: Option<&Path>,
    classes: &[Material],
    shelf: &Shelf,
    output: &mut Output,
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Row {
        universe: String,
        children: Vec<String>,
        is_there: bool,
        #[serde(skip)]
        target_is_there: bool,
        states_at_most: u64,
        bytes_at_most: u64,
        memory_bytes: u64,
        cpu_seconds: f64,
    }
    let estimates = estimates(args, classes, shelf);
    let memory = memory_of(&estimates);
    let limit = memory_limit(args);
    let rows: Vec<Row> = classes
        .iter()
        .zip(estimates)
        .map(|(class, estimate)| {
            let Estimate {
                states,
                bytes,
                memory,
                seconds,
            } = estimate;
            Row {
                universe: class.to_string(),
                children: class.children().iter().map(Material::to_string).collect(),
                is_there: is_there(args, shelf, class),
                target_is_there: *class == args.material && target.is_some_and(Path::exists),
                states_at_most: states,
                bytes_at_most: bytes,
                memory_bytes: memory,
                cpu_seconds: seconds,
            }
        })
        .collect();
    if args.json {
        return output.json(&rows);
    }
    output.line(
        "class    states, at most  bytes before compression     memory  cpu seconds  table",
    )?;
    for row in &rows {
        let table = if row.is_there {
            "there, to be verified"
        } else if row.target_is_there {
            "there, to be solved anew"
        } else {
            "to be solved"
        };
        output.line(&format!(
            "{:8} {:>15} {:>25} {:>10} {:>12.1}  {table}",
            row.universe,
            grouped(row.states_at_most),
            shown(row.bytes_at_most),
            shown(row.memory_bytes),
            row.cpu_seconds,
        ))?;
    }
    let seconds: f64 = rows
        .iter()
        .filter(|row| !row.is_there)
        .map(|row| row.cpu_seconds)
        .sum();
    output.line(&format!(
        "about {seconds:.1} cpu seconds to solve what is missing"
    ))?;
    output.line(&format!(
        "{} of memory at most: what came before stays in memory, so the column adds up",
        shown(memory)
    ))?;
    match limit {
        Some(limit) if memory > limit => output.line(&format!(
            "the run would be refused: {} are allowed",
            shown(limit)
        )),
        _ => Ok(()),
    }
}

/// The memory of all steps: tables stay in memory, so a later step takes more.
fn memory_of(estimates: &[Estimate]) -> u64 {
    let memory = estimates.iter().map(|estimate| estimate.memory).max();
    memory.unwrap_or(0)
}

/// The memory that may be used, as far as it is known.
fn memory_limit(args: &Args) -> Option<u64> {
    args.memory.map(|bytes| bytes.0).or_else(free_memory)
}

/// Refuses to begin what memory or disk cannot hold.
fn check_resources(
    args: &Args,
    classes: &[Material],
    shelf: &Shelf,
    folder: &Path,
) -> Result<(), Failure> {
    let estimates = estimates(args, classes, shelf);
    let memory = memory_of(&estimates);
    if let Some(limit) = memory_limit(args)
        && memory > limit
    {
        return Err(Failure::Error(format!(
            "{} takes {} of memory, and {} are allowed; --plan shows every step, --memory raises the limit",
            args.material,
            shown(memory),
            shown(limit)
        )));
    }
    let missing = classes
        .iter()
        .zip(&estimates)
        .filter(|(class, _)| !is_there(args, shelf, class));
    let bytes: u64 = missing.map(|(_, estimate)| estimate.bytes).sum();
    if let Some(free) = free_disk(folder)
        && bytes > free
    {
        return Err(Failure::Error(format!(
            "the tables take up to {} on disk, and {} are free in {}",
            shown(bytes),
            shown(free),
            shown_path(folder)
        )));
    }
    Ok(())
}

/// Whether the run takes a class from its table. The class itself is always solved.
fn is_there(args: &Args, shelf: &Shelf, class: &Material) -> bool {
    *class != args.material && shelf.path(class).exists()
}

/// What each step takes.
fn estimates(args: &Args, classes: &[Material], shelf: &Shelf) -> Vec<Estimate> {
    // A table that is there is verified, and so are all that it rests on.
    let mut verified = BTreeSet::new();
    for class in classes.iter().rev() {
        if verified.contains(class) || is_there(args, shelf, class) {
            verified.insert(class.clone());
            verified.extend(class.children());
        }
    }
    Estimate::of_all(classes, |class| verified.contains(class))
}

fn json_report<'a>(
    endgame: &'a Endgame,
    shelf: &Shelf,
    certificate: String,
    sealed: &Sealed,
) -> Report<'a> {
    let summary = &endgame.summary;
    let children = shelf.children_of(&endgame.material).into_iter();
    Report {
        universe: endgame.material.to_string(),
        raw_states: summary.raw_states,
        states: summary.states,
        edges: summary.edges,
        legal_moves: summary.legal_moves,
        symmetry_comparisons: summary.symmetry_comparisons,
        checkmates: summary.checkmates,
        stalemates: summary.stalemates,
        results: summary.results(),
        by_side: BySide {
            white: summary.white,
            black: summary.black,
        },
        max_dtm_plies: summary.max_dtm.get(),
        max_dtm_states: summary.max_dtm_states,
        longest_fen: summary.longest.as_ref().map(position_fen),
        branching: summary.branching(),
        dtm_classes: summary.dtm_classes,
        class_compression: summary.class_compression(),
        histogram: &summary.histogram,
        certificate,
        id: sealed.id().to_string(),
        children: children
            .map(|(child, id)| ChildReport {
                claim: endgame_claim(&child),
                id: id.to_string(),
            })
            .collect(),
        en_passant: summary.en_passant,
        mutual_zugzwangs: summary.mutual_zugzwangs,
        transfers_at_h0: summary.transfers_at_h0,
        bytes_per_state: sealed.bytes().len() as f64 / summary.states as f64,
    }
}

fn print_figures(endgame: &Endgame, report: &mut Output) -> Result<(), Failure> {
    let summary = &endgame.summary;
    let mut figures = vec![
        ("raw legal states", grouped(summary.raw_states)),
        ("canonical states", grouped(summary.states)),
        ("edges, into the draw sink included", grouped(summary.edges)),
        ("legal moves", grouped(summary.legal_moves)),
        (
            "symmetry-transition comparisons",
            grouped(summary.symmetry_comparisons),
        ),
        (
            "checkmates / stalemates",
            slashed(&[summary.checkmates, summary.stalemates]),
        ),
        (
            "wins / losses / draws, side to move",
            results(summary.results()),
        ),
        ("  White to move", results(summary.white)),
        ("  Black to move", results(summary.black)),
        ("longest mate, plies (states there)", longest(summary)),
        (
            "wins that stand under the complete rules",
            grouped(summary.transfers_at_h0),
        ),
        (
            "mutual zugzwangs",
            mutual_zugzwangs(&summary.mutual_zugzwangs),
        ),
        ("branching", format!("{:.4}", summary.branching())),
        (
            "classes by side, result, distance",
            format!(
                "{} ({:.0}x)",
                summary.dtm_classes,
                summary.class_compression()
            ),
        ),
    ];
    if endgame.en_passant.is_some() {
        let found = &summary.en_passant;
        figures.push(("en-passant states, raw", grouped(found.raw_states)));
        figures.push(("en-passant states, canonical", grouped(found.states)));
        figures.push(("  wins / losses / draws", results(found.results)));
    }
    report.line(&format!(
        "{}  every position, up to symmetry: result and distance to mate",
        endgame.material
    ))?;
    report.line("")?;
    for (name, figure) in figures {
        report.line(&format!("{name:41} {figure}"))?;
    }
    print_longest_line(endgame, report)
}

fn print_longest_line(endgame: &Endgame, report: &mut Output) -> Result<(), Failure> {
    let Some(start) = &endgame.summary.longest else {
        return Ok(());
    };
    let line = &endgame.longest_line;
    let plies = line.len();
    report.line("")?;
    report.line(&format!("first longest position  {}", position_fen(start)))?;
    report.line(&format!("optimal line, {plies} plies"))?;
    report.line(&format!("  {}", san_line(start, line)))?;
    let texts: Vec<String> = line.iter().map(|&mv| uci(mv)).collect();
    report.line(&format!("  {}", texts.join(" ")))
}

fn longest(summary: &Summary) -> String {
    match summary.longest {
        Some(_) => format!(
            "{} ({})",
            summary.max_dtm.get(),
            grouped(summary.max_dtm_states)
        ),
        None => "none, every position is drawn".to_owned(),
    }
}

fn mutual_zugzwangs(found: &MutualZugzwangs) -> String {
    let &MutualZugzwangs {
        white_draws_black_loses,
        white_loses_black_draws,
        full_point,
    } = found;
    let all = white_draws_black_loses + white_loses_black_draws + full_point;
    if all == 0 {
        return "0".to_owned();
    }
    format!(
        "{} (White only draws: {}, Black only draws: {}, whoever moves loses: {})",
        grouped(all),
        grouped(white_draws_black_loses),
        grouped(white_loses_black_draws),
        grouped(full_point)
    )
}

fn results(results: Results) -> String {
    slashed(&[results.wins, results.losses, results.draws])
}

fn slashed(counts: &[u64]) -> String {
    let texts: Vec<String> = counts.iter().map(|&count| grouped(count)).collect();
    texts.join(" / ")
}
