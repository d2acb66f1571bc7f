//! `bounds`: intervals around the values of a class without its table, certified, and what they let delete.

use std::path::{Path, PathBuf};

use dchess::certificate::{Format, Sealed, bounds_claim};
use dchess::endgame::{Bounded, ChildStates, Facts, Material, MoveGraph, value_of};
use dchess::solve::bounds::value_for_max;
use dchess::solve::local::Budget;
use serde::Serialize;

use super::cost::Clock;
use super::destination::{Cost, Destination, FormatArg, existing_folder};
use super::failure::{Exit, Failure};
use super::interrupt;
use super::local_bounds::{self, Plan, Root, Roots};
use super::local_report;
use super::output::{Output, grouped};
use super::plan::closure;
use super::progress::Progress;
use super::resources::Bytes;
use super::shelf::Shelf;
use super::threads::Threads;

/// States to look at for one proof unless the user says otherwise.
const MOST_STATES: u64 = 10_000_000;

/// Bound the values of an endgame without its table, and delete dominated moves
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every position begins with the interval [-1, +1]: Black wins, draw, White wins. Mates, stalemates and
the tables of the classes that captures and promotions lead into are known. In each round a
position takes the best bounds of its successors; in the last one, closed sets prove what play without
end is worth. A move is deleted in the first round in which another move is at least as good whatever
the values are: strictly if it is certainly better, equally if not; openly if the value of the deleted
move was not known yet.

The table of the class is not used. After the run it is solved, only to check the intervals against it
(--no-check leaves that out).

--fen proves the value of one position, without going through the class: positions are looked at only
where the cheapest possible proof needs them. The proof is verified, and written with --out. --sample
does that for positions at random and prints quartiles, or with --json one line a position. Exit code 3
if --nodes were not enough for a value; the bounds that were found by then hold all the same.

Examples:
  dchess bounds --universe KRK
  dchess bounds --universe KRK --fen '8/8/8/8/8/2k5/1R6/K7 w - -' --out proof.bin
  dchess bounds --universe KRK --sample 1000 --seed 1
  dchess bounds --universe KPK --json --out bounds/KPK.bounds.bin")]
pub(crate) struct Args {
    /// The class, like KQK or KRvK
    #[arg(long, value_name = "MATERIAL")]
    universe: Material,

    /// Where the certificate goes, `-` for standard output [default: certificates/<CLASS>.bounds.<format>]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The folder of the tables that the class rests on; those that are missing are solved and put there, or with --fen and
    /// --sample without --out, kept in memory [default: where the certificate goes, or certificates]
    #[arg(long, value_name = "DIR")]
    children: Option<PathBuf>,

    /// The encoding of the certificate [default: bin, or json if --out ends in .json]
    #[arg(long)]
    format: Option<FormatArg>,

    /// Prove the value of this position alone, from few positions; writes a certificate only with --out. Its clocks play no part
    #[arg(long, value_name = "FEN", group = "positions")]
    fen: Option<String>,

    /// Prove the values of N positions at random, each alone; writes no certificate
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), group = "positions",
        conflicts_with_all = ["out", "format", "force"])]
    sample: Option<u32>,

    /// What the sample follows from: the same number gives the same positions
    #[arg(
        long,
        value_name = "N",
        requires = "sample",
        conflicts_with = "fen",
        default_value_t = 0
    )]
    seed: u64,

    /// The most positions to look at for one proof, half a kilobyte each [default: 10000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "positions")]
    nodes: Option<u64>,

    /// Search each position with alpha-beta besides, up to N nodes, to compare
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..), requires = "positions")]
    alpha_beta: Option<u64>,

    /// Do not compare the intervals with the solved table after the run, nor verify the proofs of single positions
    #[arg(long)]
    no_check: bool,

    /// The most memory to use for a whole class, like 4G [default: what is free]
    #[arg(long, value_name = "BYTES", conflicts_with = "positions")]
    memory: Option<Bytes>,

    /// Print the figures as one line of JSON, one a position with --sample
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
struct Report {
    universe: String,
    states: u64,
    decided: u64,
    facts: FactsReport,
    edges: u64,
    deleted_strict: u64,
    deleted_equal: u64,
    deleted_open: u64,
    deleted_open_share: f64,
    strictly_worse: u64,
    rounds: u16,
    lookups: u64,
    witness_lookups: u64,
    verify_lookups: u64,
    certificate: String,
    id: String,
}

#[derive(Serialize)]
struct FactsReport {
    white_wins: u64,
    black_wins: u64,
    black_holds: u64,
    white_holds: u64,
    closed_sets: u64,
}

pub(crate) fn run(args: &Args, stdout: &mut Output) -> Result<Exit, Failure> {
    let material = &args.universe;
    let roots = match (&args.fen, args.sample) {
        (Some(fen), _) => Some(Roots::One(Box::new(Root::read(material, fen)?))),
        (None, Some(size)) => Some(Roots::Sample {
            size: size as usize,
            seed: args.seed,
        }),
        (None, None) => None,
    };
    if let Some(roots) = roots {
        return run_local(args, roots, stdout);
    }
    let destination = Destination::of(
        args.out.as_deref(),
        args.format,
        &format!("{material}.bounds"),
        Format::Compressed,
    )?;
    let mut shelf = Shelf::new(destination.children_folder(args.children.as_deref())?);
    super::refine::check_size(material, args.memory, destination.format)?;
    if let Some(path) = &destination.path {
        shelf.check_output(path, &closure(material))?;
    }
    destination.check(|claim| claim == bounds_claim(material), args.force)?;
    interrupt::listen();
    let clock = Clock::start();
    let progress = Progress::new(args.quiet);
    let pool = args.threads.pool()?;
    let (bounded, sealed) = pool.install(|| {
        let bounded = bound(material, &mut shelf, &progress)?;
        let children = shelf.children_of(material);
        let sealed = Sealed::bounds(material, &bounded, &children, destination.format)
            .map_err(|error| Failure::context("cannot build the certificate", &error))?;
        if !args.no_check {
            // Only now, when all intervals are sealed, is the table of the class solved.
            check(material, &bounded, &mut shelf, &progress)?;
        }
        Ok::<_, Failure>((bounded, sealed))
    })?;
    drop(progress);
    let cost = Cost {
        clock,
        threads: args.threads,
        refinement_seconds: None,
    };
    let Some(written) = destination.deliver(&sealed, &cost, args.force, stdout)? else {
        return Ok(Exit::Unusable);
    };
    // A certificate on standard output is alone there.
    let mut stderr = Output::stderr();
    let report = match &destination.path {
        Some(_) => stdout,
        None => &mut stderr,
    };
    if args.json {
        report.json(&json_report(
            material,
            &bounded,
            destination.shown(),
            &sealed,
        ))?;
    } else if !args.quiet {
        print_figures(material, &bounded, !args.no_check, report)?;
        destination.print(&sealed, written, report)?;
    }
    stderr.finish()?;
    Ok(Exit::Established)
}

/// Proves the values of single positions.
fn run_local(args: &Args, roots: Roots, stdout: &mut Output) -> Result<Exit, Failure> {
    let material = &args.universe;
    let is_one = matches!(roots, Roots::One(_));
    let destination = match &args.out {
        Some(out) => Some(Destination::of(Some(out), args.format, "", Format::Bin)?),
        None if args.format.is_some() || args.force => {
            let reason =
                "--format and --force are about a certificate, which --fen writes only with --out";
            return Err(Failure::Error(reason.to_owned()));
        }
        None => None,
    };
    let default = Path::new("certificates");
    let shelf = match &destination {
        Some(destination) => Shelf::new(destination.children_folder(args.children.as_deref())?),
        // Nobody could verify with what is not written, so nothing is.
        None => Shelf::read_only(match &args.children {
            Some(children) => existing_folder(children)?.to_path_buf(),
            None => default.to_path_buf(),
        }),
    };
    let plan = Plan {
        budget: Budget {
            states: usize::try_from(args.nodes.unwrap_or(MOST_STATES)).unwrap_or(usize::MAX),
        },
        alpha_beta_nodes: args.alpha_beta,
        is_checked: !args.no_check,
        format: destination
            .as_ref()
            .map_or(Format::Bin, |destination| destination.format),
    };
    let mut shelf = match plan.is_checked {
        true => shelf.verifying_all(),
        false => shelf,
    };
    if let Some(wanted) = &destination {
        if let Some(path) = &wanted.path {
            shelf.check_output(path, &closure(material))?;
        }
        let claims: Vec<String> = match &roots {
            Roots::One(root) => root.claims().collect(),
            Roots::Sample { .. } => Vec::new(),
        };
        wanted.check(|claim| claims.iter().any(|ours| ours == claim), args.force)?;
    }
    interrupt::listen();
    let clock = Clock::start();
    let progress = Progress::new(args.quiet);
    let (size, all) = args.threads.pool()?.install(|| {
        provide_children(material, &mut shelf, &progress)?;
        local_bounds::run(material, &mut shelf, roots, plan, &progress)
    })?;
    drop(progress);
    let exit = match all.iter().all(|found| found.interval.is_point()) {
        true => Exit::Established,
        false => Exit::Undecided,
    };
    let cost = Cost {
        clock,
        threads: args.threads,
        refinement_seconds: None,
    };
    let mut delivered = None;
    if let (Some(destination), Some(found)) = (&destination, all.first()) {
        let Some(written) = destination.deliver(&found.sealed, &cost, args.force, stdout)? else {
            return Ok(Exit::Unusable);
        };
        delivered = Some((destination, written));
    }
    let mut stderr = Output::stderr();
    let report = match &destination {
        // A certificate on standard output is alone there.
        Some(Destination { path: None, .. }) => &mut stderr,
        _ => stdout,
    };
    if args.json {
        let shown = destination.as_ref().map(Destination::shown);
        for found in &all {
            local_report::print_json(found, size, shown.as_deref(), report)?;
        }
    } else if args.quiet {
    } else if is_one {
        for found in &all {
            local_report::print(found, size, report)?;
            if let Some((destination, written)) = delivered {
                destination.print(&found.sealed, written, report)?;
            }
        }
    } else {
        local_report::print_summary(&all, size, plan.is_checked, report)?;
    }
    stderr.finish()?;
    Ok(exit)
}

/// Provides the tables that the class rests on.
fn provide_children(
    material: &Material,
    shelf: &mut Shelf,
    progress: &Progress,
) -> Result<(), Failure> {
    let classes = closure(material);
    let (_, children) = classes.split_last().unwrap_or((material, &[]));
    shelf.provide_leaves(children)?;
    for (place, child) in children.iter().enumerate() {
        progress.class(place + 1, classes.len(), child);
        shelf.provide(child, progress)?;
    }
    progress.class(classes.len(), classes.len(), material);
    Ok(())
}

/// Provides the tables that the class rests on, and bounds it.
fn bound(material: &Material, shelf: &mut Shelf, progress: &Progress) -> Result<Bounded, Failure> {
    provide_children(material, shelf, progress)?;
    let moves = MoveGraph::of(material, shelf.library(), ChildStates::Apart, progress)?;
    Ok(Bounded::of(&moves, progress)?)
}

/// Compares the intervals with the table of the class, which is solved now.
fn check(
    material: &Material,
    bounded: &Bounded,
    shelf: &mut Shelf,
    progress: &Progress,
) -> Result<(), Failure> {
    let endgame = shelf.solve(material, progress)?;
    let en_passant = endgame.en_passant.as_ref();
    let en_passant = en_passant.map_or(&[][..], |en_passant| &en_passant.values);
    let values = endgame.values.iter().chain(en_passant);
    let players = bounded.players.iter();
    for (vertex, (&byte, &player)) in values.zip(players).enumerate() {
        let value = value_for_max(value_of(byte), player);
        let interval = bounded.interval(vertex);
        if !interval.contains(value) {
            return Err(Failure::Error(format!(
                "{material}: the interval {interval} of state {vertex} does not hold its value {value}; \
                 this is a fault of dchess, please report it"
            )));
        }
    }
    Ok(())
}

fn json_report(
    material: &Material,
    bounded: &Bounded,
    certificate: String,
    sealed: &Sealed,
) -> Report {
    let Facts {
        white_wins,
        black_wins,
        black_holds,
        white_holds,
        closed_sets,
    } = bounded.facts();
    let counts = bounded.dominance.counts;
    Report {
        universe: material.to_string(),
        states: bounded.states as u64,
        decided: bounded.decided(),
        facts: FactsReport {
            white_wins,
            black_wins,
            black_holds,
            white_holds,
            closed_sets,
        },
        edges: bounded.edges,
        deleted_strict: counts.strict,
        deleted_equal: counts.equal,
        deleted_open: counts.open,
        deleted_open_share: share(counts.open, bounded.edges),
        strictly_worse: counts.worse_in_the_end,
        rounds: bounded.bounds.rounds,
        lookups: bounded.bounds.lookups,
        witness_lookups: bounded.moves(),
        verify_lookups: bounded.verify_lookups(),
        certificate,
        id: sealed.id().to_string(),
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn print_figures(
    material: &Material,
    bounded: &Bounded,
    is_checked: bool,
    report: &mut Output,
) -> Result<(), Failure> {
    let facts = bounded.facts();
    let counts = bounded.dominance.counts;
    let deleted = |count: u64| {
        let share = 100.0 * share(count, bounded.edges);
        format!("{} ({share:.2} %)", grouped(count))
    };
    report.line(&format!(
        "{material}  intervals around the value of every position, without its table"
    ))?;
    report.line("")?;
    for (name, figure) in [
        ("states", grouped(bounded.states as u64)),
        ("rounds", bounded.bounds.rounds.to_string()),
        ("states with a known value", grouped(bounded.decided())),
        ("  White wins", grouped(facts.white_wins)),
        ("  Black wins", grouped(facts.black_wins)),
        ("  Black holds, without a win", grouped(facts.black_holds)),
        ("  White holds, without a win", grouped(facts.white_holds)),
        ("  held by a closed set", grouped(facts.closed_sets)),
        ("edges, into the draw sink included", grouped(bounded.edges)),
        ("deleted, certainly worse", deleted(counts.strict)),
        ("deleted, at best as good", deleted(counts.equal)),
        ("  of both, while the value was open", deleted(counts.open)),
        (
            "worse in the end (the ceiling)",
            deleted(counts.worse_in_the_end),
        ),
        (
            "looked at a successor, times, to bound",
            grouped(bounded.bounds.lookups),
        ),
        ("  to delete", grouped(bounded.moves())),
        ("  to check it", grouped(bounded.verify_lookups())),
    ] {
        report.line(&format!("{name:41} {figure}"))?;
    }
    if is_checked {
        report.line("")?;
        report.line(
            "After the run every interval was compared with the solved table and holds its value.",
        )?;
    }
    Ok(())
}
