//! `solve-endgame`: solves a class and writes its certificate.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use dchess::certificate::{Format, Sealed};
use dchess::endgame::{Endgame, HistogramRow, Material, Results, Summary};
use dchess::rules::{position_fen, san_line, uci};
use serde::Serialize;
use shakmaty::Chess;

use super::artifact::{self, Written};
use super::cost::{self, Clock, RunRecord};
use super::failure::{Exit, Failure};
use super::interrupt;
use super::output::{Output, grouped, shown_path};
use super::progress::Progress;
use super::threads::Threads;

/// Solve an endgame exactly and write the certificate of the whole table
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The value and the distance to mate of every position of the class, under the rules without history
(mate, stalemate, endless play is a draw). Classes: KQK, KRK, KBK, KNK, in any case and order.

Examples:
  dchess solve-endgame KQK
  dchess solve-endgame KRvK --json
  dchess solve-endgame KRK --format json --out krk.json
  dchess solve-endgame KQK --out - | dchess verify -")]
pub(crate) struct Args {
    /// The class, like KQK or KRvK
    material: Material,

    /// Where the certificate goes, `-` for standard output [default: certificates/<CLASS>.<format>]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The encoding of the certificate [default: bin, or json if --out ends in .json]
    #[arg(long)]
    format: Option<FormatArg>,

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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArg {
    /// The binary container
    Bin,
    /// JSON text
    Json,
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
}

#[derive(Serialize)]
struct BySide {
    white: Results,
    black: Results,
}

pub(crate) fn run(args: &Args, stdout: &mut Output) -> Result<Exit, Failure> {
    interrupt::listen()?;
    let (format, path) = destination(args);
    if path
        .as_ref()
        .is_some_and(|path| path.to_string_lossy().ends_with(".run.json"))
    {
        let reason =
            "a name that ends in .run.json is for the cost of a run, not for a certificate";
        return Err(Failure::Error(reason.to_owned()));
    }
    let clock = Clock::start();
    let endgame = solve(&args.material, args.threads, args.quiet)?;
    let sealed = Sealed::endgame(&endgame)
        .map_err(|error| Failure::context("cannot build the certificate", &error))?;
    let bytes = sealed.to_bytes(format);

    let mut stderr = Output::stderr();
    let written = match &path {
        None => {
            stdout.bytes(&bytes)?;
            stdout.flush()?;
            if stdout.is_closed() {
                // The reader left before it had the certificate.
                return Ok(Exit::Unusable);
            }
            None
        }
        Some(path) => {
            let written = artifact::write_certificate(path, &bytes, args.force)?;
            write_run_record(path, &sealed, &clock, args.threads)?;
            Some(written)
        }
    };
    // A certificate on standard output is alone there.
    let report = if path.is_some() { stdout } else { &mut stderr };
    let shown = path.as_deref().map_or("-".to_owned(), shown_path);
    if args.json {
        report.json(&json_report(&endgame, shown, &sealed))?;
    } else if !args.quiet {
        print_figures(&endgame, report)?;
        report.line("")?;
        report.line(&format!("claim        {}", sealed.claim()))?;
        let note = if written == Some(Written::Unchanged) {
            " (unchanged)"
        } else {
            ""
        };
        report.line(&format!(
            "certificate  {}, {} bytes{note}",
            shown,
            grouped(bytes.len() as u64)
        ))?;
        report.line(&format!("id           {}", sealed.id()))?;
    }
    stderr.finish()?;
    Ok(Exit::Established)
}

/// Solves a class with the threads and the progress that the user asked for.
pub(super) fn solve(
    material: &Material,
    threads: Threads,
    quiet: bool,
) -> Result<Endgame, Failure> {
    let pool = threads.pool()?;
    let progress = Progress::new(quiet);
    Ok(pool.install(|| Endgame::solve(material.clone(), &progress))?)
}

/// The encoding and the path of the certificate; no path for standard output.
fn destination(args: &Args) -> (Format, Option<PathBuf>) {
    let named_json = || {
        let extension = args.out.as_ref().and_then(|path| path.extension());
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
    };
    let (format, extension) = match args.format {
        Some(FormatArg::Json) => (Format::Json, "json"),
        None if named_json() => (Format::Json, "json"),
        Some(FormatArg::Bin) | None => (Format::Bin, "bin"),
    };
    let path = match &args.out {
        Some(path) if path.as_os_str() == "-" => None,
        Some(path) => Some(path.clone()),
        None => Some(Path::new("certificates").join(format!("{}.{extension}", args.material))),
    };
    (format, path)
}

fn write_run_record(
    path: &Path,
    sealed: &Sealed,
    clock: &Clock,
    threads: Threads,
) -> Result<(), Failure> {
    let record = RunRecord {
        dchess: env!("CARGO_PKG_VERSION"),
        claim: sealed.claim(),
        id: sealed.id().to_string(),
        threads: threads.count(),
        wall_seconds: clock.wall_seconds(),
        cpu_seconds: clock.cpu_seconds(),
        peak_rss_bytes: cost::peak_rss_bytes(),
        platform: cost::platform(),
    };
    let mut text = serde_json::to_vec_pretty(&record)
        .map_err(|error| Failure::context("cannot write the cost of the run", &error))?;
    text.push(b'\n');
    artifact::write_record(&record_path(path), &text);
    Ok(())
}

/// Where the record of a certificate goes: `X.run.json` beside `X.bin` and `X.json`.
fn record_path(path: &Path) -> PathBuf {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let mut name = match extension {
        Some("bin" | "json") => path.with_extension(""),
        _ => path.to_path_buf(),
    }
    .into_os_string();
    name.push(".run.json");
    PathBuf::from(name)
}

/// The position with the longest mate; `None` if every position is drawn.
fn longest_position(endgame: &Endgame) -> Option<Chess> {
    let universe = endgame.table.universe();
    endgame
        .summary
        .longest
        .map(|index| universe.position(&universe.state(index)))
}

fn json_report<'a>(endgame: &'a Endgame, certificate: String, sealed: &Sealed) -> Report<'a> {
    let summary = &endgame.summary;
    Report {
        universe: endgame.table.universe().material().to_string(),
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
        longest_fen: longest_position(endgame).as_ref().map(position_fen),
        branching: summary.branching(),
        dtm_classes: summary.dtm_classes,
        class_compression: summary.class_compression(),
        histogram: &summary.histogram,
        certificate,
        id: sealed.id().to_string(),
    }
}

fn print_figures(endgame: &Endgame, report: &mut Output) -> Result<(), Failure> {
    let summary = &endgame.summary;
    let figures = [
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
    report.line(&format!(
        "{}  every position, up to symmetry: result and distance to mate",
        endgame.table.universe().material()
    ))?;
    report.line("")?;
    for (name, figure) in figures {
        report.line(&format!("{name:36} {figure}"))?;
    }
    print_longest_line(endgame, report)
}

fn print_longest_line(endgame: &Endgame, report: &mut Output) -> Result<(), Failure> {
    let Some(start) = longest_position(endgame) else {
        return Ok(());
    };
    let line = &endgame.longest_line;
    let plies = line.len();
    report.line("")?;
    report.line(&format!("first longest position  {}", position_fen(&start)))?;
    report.line(&format!("optimal line, {plies} plies"))?;
    report.line(&format!("  {}", san_line(&start, line)))?;
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

fn results(results: Results) -> String {
    slashed(&[results.wins, results.losses, results.draws])
}

fn slashed(counts: &[u64]) -> String {
    let texts: Vec<String> = counts.iter().map(|&count| grouped(count)).collect();
    texts.join(" / ")
}
