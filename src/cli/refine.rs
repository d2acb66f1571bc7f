//! `refine`: the coarsest strong bisimulation of a class, certified, and how little it saves (C2.2).

use std::path::PathBuf;

use dchess::certificate::{Format, Sealed, bisimulation_claim};
use dchess::endgame::{
    ChildStates, Comparer, Endgame, Material, MoveGraph, Quotient, SemanticPartition,
};

use super::aldebaran;
use super::artifact::Draft;
use super::block_map;
use super::cost::Clock;
use super::destination::{Cost, Destination, FormatArg, LONGEST_JSON};
use super::explain::{self, Pair};
use super::failure::{Exit, Failure};
use super::interrupt;
use super::output::{Output, grouped, shown_path};
use super::place::is_same;
use super::plan::{Estimate, RefinementEstimate, closure};
use super::progress::Progress;
use super::refinement_report;
use super::resources::{Bytes, free_memory, shown};
use super::shelf::Shelf;
use super::sink::Sink;
use super::threads::Threads;

/// Compute the coarsest strong bisimulation of an endgame and write its certificate
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Two states are bisimilar if they have the same label and each can match every move of the other by a
move into a bisimilar state. The partition begins with the labels, and each round splits the blocks
by the set of blocks that the moves of a state lead into, until a round changes nothing. That round
is counted. The conventions on labels, edges and the draw sink are printed with the figures.

Where captures or promotions lead into other classes, their tables are looked for beside the
certificate, used only if they verify, and solved and written there if they are missing. Positions
there are told apart by side to move, result and distance; the claim is relative to these values.

--explain takes two positions of the class, in any orientation and either colour, and says that
they are in the same block, or shows a play that tells them apart. It writes no file.

--export-aut writes the graph in Aldebaran format for LTS tools (docs/refinement.md). State 0 is a
root with an `init` edge to every state; moves are `m`; labels are self-loops. So a tool that
minimises it finds the blocks, and one more each for the root, for the draw sink if there is one,
and for each value of another class that moves lead to. --export-map writes a row of CSV for each
state, and then for each en-passant state: its number from 0, its block and its FEN. State n is
state n + 1 in Aldebaran.

Examples:
  dchess refine --universe KRK
  dchess refine --universe KQK --json --out quotients/KQK.refine.bin
  dchess refine --universe KRK --explain '8/8/8/8/8/8/1R6/K1k5 b - -' '8/8/8/8/8/8/R7/1K1k4 b - -'
  dchess refine --universe KQK --export-aut kqk.aut --export-map kqk.csv")]
pub(crate) struct Args {
    /// The class, like KQK or KRvK
    #[arg(long, value_name = "MATERIAL")]
    universe: Material,

    /// Where the certificate goes, `-` for standard output [default: certificates/<CLASS>.refine.<format>]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The folder of the tables that the class rests on [default: where the certificate goes]
    #[arg(long, value_name = "DIR")]
    children: Option<PathBuf>,

    /// The encoding of the certificate [default: bin, or json if --out ends in .json]
    #[arg(long)]
    format: Option<FormatArg>,

    /// Say whether two positions are in the same block, or show a play that tells them apart
    #[arg(long, num_args = 2, value_names = ["FEN", "FEN"],
        conflicts_with_all = ["out", "format", "export_aut", "export_map", "force"])]
    explain: Option<Vec<String>>,

    /// Write the graph in Aldebaran format, `-` for standard output
    #[arg(long, value_name = "FILE")]
    export_aut: Option<PathBuf>,

    /// Write the block and the FEN of every state as CSV, `-` for standard output
    #[arg(long, value_name = "FILE")]
    export_map: Option<PathBuf>,

    /// The most memory to use, like 4G [default: what is free]
    #[arg(long, value_name = "BYTES")]
    memory: Option<Bytes>,

    /// Print the figures as one line of JSON
    #[arg(long)]
    json: bool,

    /// Replace files that hold something else
    #[arg(long)]
    force: bool,

    /// Print neither progress nor figures
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    threads: Threads,
}

/// A refined class.
struct Refined {
    moves: MoveGraph,
    quotient: Quotient,
    semantic: SemanticPartition,
    /// Processor seconds of the refinement alone.
    seconds: Option<f64>,
}

pub(crate) fn run(args: &Args, stdout: &mut Output) -> Result<Exit, Failure> {
    let material = &args.universe;
    let destination = Destination::of(
        args.out.as_deref(),
        args.format,
        &format!("{material}.refine"),
        Format::Compressed,
    )?;
    let folder = destination.children_folder(args.children.as_deref())?;
    if let Some(fens) = &args.explain {
        return explain(args, fens, Shelf::read_only(folder), stdout);
    }
    let mut shelf = Shelf::new(folder);
    check_size(material, args.memory, destination.format)?;
    check_places(args, &destination, &shelf)?;
    interrupt::listen();
    let clock = Clock::start();
    let progress = Progress::new(args.quiet);
    let pool = args.threads.pool()?;
    let refined = pool.install(|| refine(material, &mut shelf, &progress))?;
    // A stream of data on standard output is alone there.
    let mut stderr = Output::stderr();
    pool.install(|| export(args, &refined, &progress, stdout))?;
    drop(progress);
    let Refined {
        moves,
        quotient,
        semantic,
        seconds,
    } = refined;
    // The certificate needs memory too.
    drop(moves);
    let children = shelf.children_of(material);
    let format = destination.format;
    let sealed = pool
        .install(|| Sealed::bisimulation(material, &quotient, &children, format))
        .map_err(|error| Failure::context("cannot build the certificate", &error))?;
    let cost = Cost {
        clock,
        threads: args.threads,
        refinement_seconds: seconds,
    };
    let Some(written) = destination.deliver(&sealed, &cost, args.force, stdout)? else {
        return Ok(Exit::Unusable);
    };
    let report = match streams(args) {
        0 => stdout,
        _ => &mut stderr,
    };
    if args.json {
        refinement_report::print_json(
            material,
            &quotient,
            semantic,
            &destination,
            &sealed,
            report,
        )?;
    } else if !args.quiet {
        refinement_report::print(material, &quotient, semantic, report)?;
        destination.print(&sealed, written, report)?;
    }
    stderr.finish()?;
    Ok(Exit::Established)
}

/// Writes what is asked for besides the certificate.
fn export(
    args: &Args,
    refined: &Refined,
    progress: &Progress,
    stdout: &mut Output,
) -> Result<(), Failure> {
    if let Some(path) = &args.export_aut {
        let mut sink = Sink::open(Some(path), None, args.force, stdout)?;
        aldebaran::write(&refined.moves, progress, &mut sink)?;
        sink.finish()?;
    }
    if let Some(path) = &args.export_map {
        let mut sink = Sink::open(Some(path), None, args.force, stdout)?;
        block_map::write(&args.universe, &refined.quotient, progress, &mut sink)?;
        sink.finish()?;
    }
    Ok(())
}

/// Provides or solves the classes below, solves the class itself and refines it.
fn refine(material: &Material, shelf: &mut Shelf, progress: &Progress) -> Result<Refined, Failure> {
    let fault = |what: &str| {
        Failure::Error(format!(
            "{material}: {what}; this is a fault of dchess, please report it"
        ))
    };
    let classes = closure(material);
    let (_, children) = classes.split_last().unwrap_or((material, &[]));
    shelf.provide_leaves(children)?;
    for (place, child) in children.iter().enumerate() {
        progress.class(place + 1, classes.len(), child);
        shelf.provide(child, progress)?;
    }
    progress.class(classes.len(), classes.len(), material);
    let endgame = shelf.solve(material, progress)?;
    let moves = MoveGraph::of(material, shelf.library(), ChildStates::Merged, progress)?;
    let clock = Clock::start();
    let quotient = Quotient::of(&moves, progress)?;
    let seconds = clock.cpu_seconds();
    let semantic = quotient
        .semantic_partition(&moves, &values(&endgame))
        .map_err(|misfit| fault(&misfit.to_string()))?;
    Ok(Refined {
        moves,
        quotient,
        semantic,
        seconds,
    })
}

/// The bytes of all states, then of all en-passant states.
fn values(endgame: &Endgame) -> [&[u8]; 2] {
    let en_passant = endgame.en_passant.as_ref();
    let en_passant = en_passant.map_or(&[][..], |en_passant| &en_passant.values);
    [&endgame.values, en_passant]
}

/// Compares two positions.
fn explain(
    args: &Args,
    fens: &[String],
    mut shelf: Shelf,
    stdout: &mut Output,
) -> Result<Exit, Failure> {
    let material = &args.universe;
    let pair = Pair::read(material, fens)?;
    check_size(material, args.memory, Format::Compressed)?;
    interrupt::listen();
    let progress = Progress::new(args.quiet);
    let pool = args.threads.pool()?;
    let Refined { quotient, .. } = pool.install(|| refine(material, &mut shelf, &progress))?;
    drop(progress);
    let Some(comparer) = Comparer::new(material, shelf.library(), &quotient) else {
        return Err(Failure::Error(format!("{material} is not there")));
    };
    explain::print(&comparer, &quotient, &pair, args.json, stdout)?;
    Ok(Exit::Established)
}

/// Refuses to begin what memory or the format cannot hold.
pub(crate) fn check_size(
    material: &Material,
    memory_limit: Option<Bytes>,
    format: Format,
) -> Result<(), Failure> {
    let estimate = RefinementEstimate::of(material);
    if estimate.edges > u64::from(u32::MAX) || estimate.payload > LONGEST_PAYLOAD {
        return Err(Failure::Error(format!(
            "{material} is too large to refine: it has up to {} states and {} edges, and a certificate \
             holds {} bytes",
            grouped(estimate.vertices),
            grouped(estimate.edges),
            grouped(LONGEST_PAYLOAD)
        )));
    }
    if format == Format::Json && estimate.payload > LONGEST_JSON / 4 * 3 {
        return Err(Failure::Error(format!(
            "the quotient of {material} is too large for JSON text, which has at most {}; use --format bin",
            shown(LONGEST_JSON)
        )));
    }
    let classes = closure(material);
    let solving = Estimate::of_all(&classes, |class| class != material);
    let solving = solving.iter().map(|estimate| estimate.memory).max();
    let memory = solving.unwrap_or(0) + estimate.memory;
    let limit = memory_limit.map(|bytes| bytes.0).or_else(free_memory);
    if let Some(limit) = limit
        && memory > limit
    {
        return Err(Failure::Error(format!(
            "{material} takes up to {} of memory, and {} are allowed; --memory raises the limit",
            shown(memory),
            shown(limit)
        )));
    }
    Ok(())
}

/// The longest payload of a certificate, as on the format page.
const LONGEST_PAYLOAD: u64 = 1 << 31;

/// How many of the outputs go to standard output.
fn streams(args: &Args) -> usize {
    let outputs = [&args.out, &args.export_aut, &args.export_map];
    let is_stream = |path: &&PathBuf| path.as_os_str() == "-";
    outputs.into_iter().flatten().filter(is_stream).count()
}

/// Refuses to begin what could not be written in the end.
fn check_places(args: &Args, destination: &Destination, shelf: &Shelf) -> Result<(), Failure> {
    if streams(args) > 1 {
        return Err(Failure::Error(
            "only one of --out, --export-aut and --export-map can go to standard output".to_owned(),
        ));
    }
    let classes = closure(&args.universe);
    let exports = [&args.export_aut, &args.export_map].into_iter().flatten();
    let files = exports.filter(|path| path.as_os_str() != "-");
    let outputs: Vec<&PathBuf> = destination.path.iter().chain(files.clone()).collect();
    for (place, path) in outputs.iter().enumerate() {
        if outputs[..place].iter().any(|other| is_same(other, path)) {
            return Err(Failure::Error(format!(
                "{} is named for two outputs",
                shown_path(path)
            )));
        }
        shelf.check_output(path, &classes)?;
    }
    destination.check(
        |claim| claim == bisimulation_claim(&args.universe),
        args.force,
    )?;
    for path in files {
        Draft::begin(path, args.force)?;
    }
    Ok(())
}
