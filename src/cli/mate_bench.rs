//! `mate-bench`: orders of moves compared on one plain search (C6).

use std::path::{Path, PathBuf};

use dchess::certificate::{BenchedPosition, Format, Orderings, is_orderings_claim};
use dchess::game::Observer;
use dchess::mate::{Corpus, MoveOrdering, Moves, TwoMover};
use dchess::rules::{placement_fen, position_fen};
use serde::Serialize;
use shakmaty::Chess;

use super::bench_plot;
use super::bench_report::{Comparison, OrderingReport, Score};
use super::bench_run::{Measured, ORDERINGS, measure};
use super::cost::Clock;
use super::destination::{Cost, Destination, FormatArg};
use super::failure::{Exit, Failure, warn};
use super::interrupt;
use super::ordering_page;
use super::output::{Output, grouped, shown_path};
use super::place::is_same;
use super::progress::Progress;
use super::sink::Sink;
use super::suite_source::Source;
use super::threads::Threads;
use super::tried_ordering::TriedOrdering;

/// Compare orders of moves on mates in two that are drawn from a seed, or on a suite
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One depth-first search without a memory looks for a mate in two with five orders of moves: lexical, forcing, tension (C5),
exchange (C6) and best (docs/ordering.md). A proof node is one evaluation of the mate predicate. An order changes what
is looked at first, never what is proved.

The positions are drawn from the seed (docs/certificate-format.md says how) and admitted if there is a capture with a
recapture, no mate in one, and a mate in two; no order has a say in it. The certificate holds all of that and the proof
nodes of the first four orders; `dchess verify` draws and counts again. Times are in the figures alone. What the run cost goes
to X.run.json beside X.bin or X.json.

With --epd the positions are those of a suite, mates or not, and no certificate is written; a position that any order does not decide
within --nodes is left out of the figures. --try adds an order of your own to the figures; its criteria are those that the page lists. With --explain the first moves of one position are listed in each order.

Examples:
  dchess mate-bench --seed 20260915
  dchess mate-bench --seed 1 --count 1000 --repeat 5 --json
  dchess mate-bench --seed 1 --count 1000 --try mate,grip/check,captured
  dchess mate-bench --epd problems.epd --moves 3
  dchess mate-bench --explain '7k/8/8/6K1/8/8/8/5Q2 w - - 0 1'")]
pub(crate) struct Args {
    /// What the positions are drawn from, and the resamples of the intervals
    #[arg(long, value_name = "SEED", default_value_t = 20_260_915)]
    seed: u64,

    /// How many positions to draw, at most 1000000
    #[arg(long = "count", value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,

    /// Take the positions of a file in EPD instead, `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["positions", "out", "format", "epd_out"])]
    epd: Option<PathBuf>,

    /// Mates in so many moves, at most 10, with --epd
    #[arg(long, value_name = "N", requires = "epd", default_value_t = 2,
        value_parser = clap::value_parser!(u8).range(1..=10))]
    moves: u8,

    /// The most proof nodes for a position and an order, with --epd
    #[arg(long, value_name = "N", requires = "epd", default_value_t = 10_000_000)]
    nodes: u64,

    /// Search everything so many times, in turns, and tell the median of the times
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1_000))]
    repeat: u16,

    /// Compare one more order, as often as wanted: criteria of the attacker, a slash, and those of the defender, like `mate,grip/check,captured`
    #[arg(long = "try", value_name = "ORDER", allow_hyphen_values = true)]
    tries: Vec<TriedOrdering>,

    /// List the first moves of a position in each order instead; the side to move is the one that is to mate
    #[arg(long, value_name = "FEN", conflicts_with_all = ["positions", "epd", "out", "format", "epd_out", "plot", "repeat", "force", "quiet"])]
    explain: Option<String>,

    /// Where the certificate goes, `-` for standard output [default: certificates/c6-<SEED>.<format>, with --count certificates/c6-<SEED>-<N>.<format>]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The encoding of the certificate [default: bin, or json if --out ends in .json]
    #[arg(long)]
    format: Option<FormatArg>,

    /// Write the positions as EPD, `-` for standard output
    #[arg(long, value_name = "FILE")]
    epd_out: Option<PathBuf>,

    /// Draw the comparison as SVG, `-` for standard output
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Print the figures as one line of JSON
    #[arg(long)]
    json: bool,

    /// Replace files that hold something else
    #[arg(long)]
    force: bool,

    /// Print no progress, and the figures only with --json
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    threads: Threads,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    seed: Option<u64>,
    positions: usize,
    attempts: Option<u64>,
    mates: usize,
    undecided: usize,
    moves: u8,
    orderings: &'a [OrderingReport],
    exchange_vs_forcing: &'a Score,
    best_vs_forcing: &'a Score,
    reply_branches: Option<u64>,
    mating_continuations: Option<u64>,
    certificate: Option<String>,
    id: Option<String>,
}

pub(crate) fn run(args: &Args, stdout: &mut Output) -> Result<Exit, Failure> {
    if let Some(fen) = &args.explain {
        return ordering_page::explain(fen, &args.orderings(), args.json, stdout);
    }
    args.check_outputs()?;
    interrupt::listen();
    match &args.epd {
        Some(path) => run_suite(args, path, stdout),
        None => run_corpus(args, stdout),
    }
}

impl Args {
    /// How the certificate is named by default.
    fn stem(&self) -> String {
        match self.positions {
            8 => format!("c6-{}", self.seed),
            count => format!("c6-{}-{count}", self.seed),
        }
    }

    fn plot(&self, comparison: &Comparison, stdout: &mut Output) -> Result<(), Failure> {
        let Some(path) = &self.plot else {
            return Ok(());
        };
        let subject = match &self.epd {
            Some(path) => format!("{}, mates in {}", shown_path(path), self.moves),
            None => format!("{} positions from seed {}", self.positions, self.seed),
        };
        let svg = bench_plot::svg(comparison, &subject)?;
        let mut sink = Sink::open(Some(path), self.epd.as_deref(), self.force, stdout)?;
        let _ = sink.bytes(svg.as_bytes())?;
        sink.finish().map(|_| ())
    }

    /// The orders that are compared.
    fn orderings(&self) -> Vec<MoveOrdering<'_>> {
        let tried = self.tries.iter().map(TriedOrdering::ordering);
        ORDERINGS.into_iter().chain(tried).collect()
    }

    /// Refuses to begin what could not be written in the end.
    fn check_outputs(&self) -> Result<(), Failure> {
        let outputs = [
            ("--out", &self.out),
            ("--epd-out", &self.epd_out),
            ("--plot", &self.plot),
        ];
        for (place, (name, path)) in outputs.iter().enumerate() {
            let Some(path) = path.as_deref() else {
                continue;
            };
            for (other_name, other) in &outputs[..place] {
                let is_other = |other: &PathBuf| other == path || is_same(path, other);
                if other.as_ref().is_some_and(is_other) {
                    return Err(Failure::Error(format!(
                        "{other_name} and {name} are the same place"
                    )));
                }
            }
            // The certificate may be there already, as it will be again.
            let is_there = *name != "--out" && path.as_os_str() != "-" && path.exists();
            if is_there && !self.force {
                return Err(Failure::Error(format!(
                    "{} is there already; use --force to replace it, or choose another name",
                    shown_path(path)
                )));
            }
        }
        Ok(())
    }

    /// How many of the outputs go to standard output, besides the figures.
    fn streams(&self) -> usize {
        let outputs = [&self.out, &self.epd_out, &self.plot];
        let is_stream =
            |path: &&&Option<PathBuf>| path.as_ref().is_some_and(|path| path.as_os_str() == "-");
        outputs.iter().filter(is_stream).count()
    }
}

fn run_corpus(args: &Args, stdout: &mut Output) -> Result<Exit, Failure> {
    if args.streams() > 1 {
        return Err(Failure::Error(
            "only one of --out, --epd-out and --plot can go to standard output".to_owned(),
        ));
    }
    let destination = Destination::of(
        args.out.as_deref(),
        args.format,
        &args.stem(),
        Format::Compressed,
    )?;
    destination.check(is_orderings_claim, args.force)?;
    let clock = Clock::start();
    let progress = Progress::new(args.quiet);
    progress.begin("drawing positions", args.positions.into());
    let pool = args.threads.pool()?;
    let corpus = pool.install(|| Corpus::draw(args.seed, args.positions as usize, &progress))?;
    let positions: Vec<Chess> = corpus
        .positions
        .iter()
        .map(|drawn| drawn.position.clone())
        .collect();
    let two = Moves::new(2).unwrap_or(Moves::ZERO);
    let measured = measure(
        &args.orderings(),
        &positions,
        two,
        u64::MAX,
        args.repeat,
        &progress,
    )?;
    drop(progress);
    let comparison = Comparison::of(&measured, args.seed)?;
    let orderings = orderings(&corpus, &measured);
    let format = destination.format;
    let sealed = pool
        .install(|| orderings.seal(format))
        .map_err(|error| Failure::context("cannot build the certificate", &error))?;
    args.plot(&comparison, stdout)?;
    write_epd(args, &corpus, stdout)?;
    let cost = Cost {
        clock,
        threads: args.threads,
        refinement_seconds: None,
    };
    let Some(written) = destination.deliver(&sealed, &cost, args.force, stdout)? else {
        return Ok(Exit::Unusable);
    };
    let mut stderr = Output::stderr();
    let report = match args.streams() {
        0 => stdout,
        _ => &mut stderr,
    };
    if args.json {
        report.json(&Report {
            seed: Some(args.seed),
            positions: positions.len(),
            attempts: Some(corpus.attempts()),
            mates: comparison.mates,
            undecided: 0,
            moves: 2,
            orderings: &comparison.orderings,
            exchange_vs_forcing: &comparison.exchange_vs_forcing,
            best_vs_forcing: &comparison.best_vs_forcing,
            reply_branches: Some(orderings.reply_branches()),
            mating_continuations: Some(orderings.mating_continuations()),
            certificate: Some(destination.shown()),
            id: Some(sealed.id().to_string()),
        })?;
    } else if !args.quiet {
        report.line(&format!(
            "{} positions from seed {}, {} attempts",
            grouped(positions.len() as u64),
            args.seed,
            grouped(corpus.attempts())
        ))?;
        report.line("")?;
        print_positions(&corpus, &measured, report)?;
        comparison.print(report)?;
        report.line(&format!(
            "winning moves: {} reply branches, {} mating continuations",
            grouped(orderings.reply_branches()),
            grouped(orderings.mating_continuations())
        ))?;
        destination.print(&sealed, written, report)?;
    }
    stderr.finish()?;
    Ok(Exit::Established)
}

/// What the certificate is about.
fn orderings(corpus: &Corpus, measured: &[Measured<'_>]) -> Orderings {
    let positions = corpus.positions.iter().enumerate();
    let positions = positions
        .map(|(place, drawn)| BenchedPosition {
            position: drawn.position.clone(),
            attempt: drawn.attempt,
            content: TwoMover::of(&drawn.position),
            proof_nodes: std::array::from_fn(|order| {
                measured[order].proofs[place].map_or(0, |proof| proof.proof_nodes)
            }),
        })
        .collect();
    Orderings {
        seed: corpus.seed,
        positions,
    }
}

fn write_epd(args: &Args, corpus: &Corpus, stdout: &mut Output) -> Result<(), Failure> {
    let Some(path) = &args.epd_out else {
        return Ok(());
    };
    let mut sink = Sink::open(Some(path), None, args.force, stdout)?;
    for (place, drawn) in corpus.positions.iter().enumerate() {
        let fen = placement_fen(&drawn.position);
        let line = format!(
            "{fen} dm 2; id \"c6-{}-{:03}\"; attempt {};\n",
            corpus.seed,
            place + 1,
            drawn.attempt
        );
        if sink.bytes(line.as_bytes())?.is_break() {
            break;
        }
    }
    sink.finish().map(|_| ())
}

/// Positions are listed one by one up to so many.
const MOST_LISTED: usize = 40;

fn print_positions(
    corpus: &Corpus,
    measured: &[Measured<'_>],
    report: &mut Output,
) -> Result<(), Failure> {
    if corpus.positions.len() > MOST_LISTED {
        return Ok(());
    }
    let mut head = " no  attempt".to_owned();
    for each in measured {
        head.push_str(&format!(" {:>9}", each.ordering.name));
    }
    report.line(&format!("{head}  position"))?;
    for (place, drawn) in corpus.positions.iter().enumerate() {
        let mut line = format!("{:3} {:8}", place + 1, drawn.attempt);
        for each in measured {
            let nodes = each.proofs[place].map_or(0, |proof| proof.proof_nodes);
            line.push_str(&format!(" {:>9}", grouped(nodes)));
        }
        report.line(&format!("{line}  {}", position_fen(&drawn.position)))?;
    }
    report.line("")
}

fn run_suite(args: &Args, path: &Path, stdout: &mut Output) -> Result<Exit, Failure> {
    let mut source = Source::epd(path)?;
    let mut positions = Vec::new();
    let mut bad = 0;
    loop {
        let block = source.block(1_024)?;
        if block.is_empty() {
            break;
        }
        for line in block {
            match line.content {
                None => {}
                Some(Ok(epd)) => positions.push(epd.position),
                Some(Err(fault)) => {
                    bad += 1;
                    warn(&format!("line {}: {fault}", line.number));
                }
            }
        }
    }
    if positions.is_empty() {
        let shown = shown_path(path);
        return Err(Failure::Error(format!("there is no position in {shown}")));
    }
    let progress = Progress::new(args.quiet);
    let within = Moves::new(args.moves).unwrap_or(Moves::ZERO);
    let measured = measure(
        &args.orderings(),
        &positions,
        within,
        args.nodes,
        args.repeat,
        &progress,
    )?;
    drop(progress);
    let comparison = Comparison::of(&measured, args.seed)?;
    args.plot(&comparison, stdout)?;
    let undecided = positions.len() - comparison.decided;
    let mut stderr = Output::stderr();
    let report = match args.streams() {
        0 => stdout,
        _ => &mut stderr,
    };
    if args.json {
        report.json(&Report {
            seed: None,
            positions: positions.len(),
            attempts: None,
            mates: comparison.mates,
            undecided,
            moves: args.moves,
            orderings: &comparison.orderings,
            exchange_vs_forcing: &comparison.exchange_vs_forcing,
            best_vs_forcing: &comparison.best_vs_forcing,
            reply_branches: None,
            mating_continuations: None,
            certificate: None,
            id: None,
        })?;
    } else if !args.quiet {
        report.line(&format!(
            "{} positions, {} of them mates in {} or fewer, {undecided} undecided within {} proof nodes",
            grouped(positions.len() as u64),
            grouped(comparison.mates as u64),
            args.moves,
            grouped(args.nodes)
        ))?;
        report.line("")?;
        comparison.print(report)?;
    }
    stderr.finish()?;
    Ok(match (bad, undecided) {
        (0, 0) => Exit::Established,
        (0, _) => Exit::Undecided,
        _ => Exit::Unusable,
    })
}
