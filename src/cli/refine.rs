//! `refine`: the coarsest strong bisimulation of a class, certified, and how little it saves (C2.2).

use std::path::PathBuf;

use dchess::certificate::{Format, Sealed, bisimulation_claim};
use dchess::endgame::{Comparer, Endgame, Material, MoveGraph, Quotient, SemanticPartition};
use serde::Serialize;

use super::aldebaran;
use super::artifact::{Draft, Written};
use super::block_map;
use super::cost::Clock;
use super::destination::{Destination, FormatArg, LONGEST_JSON, write_run_record};
use super::explain::{self, Pair};
use super::failure::{Exit, Failure};
use super::interrupt;
use super::output::{Output, grouped, shown_path};
use super::plan::{Estimate, RefinementEstimate, closure};
use super::progress::Progress;
use super::resources::{Bytes, free_memory, shown};
use super::shelf::{self, Shelf};
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

--export-aut writes the graph in Aldebaran format for LTS tools (docs/refinement.md). State 0 is a root
with an `init` edge to every state; moves are `m`; labels are self-loops. So a tool that minimises it
finds the blocks, and one more each for the root, for the draw sink if there is one, and for each
value of another class that moves lead to. --export-map writes a row of CSV for each state, and then for each
en-passant state: its number from 0, its block and its FEN. State n is state n + 1 in Aldebaran.

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

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    universe: String,
    states: usize,
    edges: u64,
    blocks: usize,
    rounds: usize,
    blocks_per_round: &'a [u32],
    compression: f64,
    semantic_classes: usize,
    semantic_compression: f64,
    certificate: String,
    id: String,
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
    check_size(args, destination.format)?;
    check_places(args, &destination, &shelf)?;
    interrupt::listen()?;
    let clock = Clock::start();
    let progress = Progress::new(args.quiet);
    let pool = args.threads.pool()?;
    let refined = pool.install(|| refine(material, &mut shelf, &progress))?;
    // A stream of data on standard output is alone there.
    let mut stderr = Output::stderr();
    let force = args.force;
    pool.install(|| {
        if let Some(path) = &args.export_aut {
            let mut sink = Sink::open(Some(path), force, stdout)?;
            aldebaran::write(&refined.moves, &progress, &mut sink)?;
            sink.finish()?;
        }
        if let Some(path) = &args.export_map {
            let mut sink = Sink::open(Some(path), force, stdout)?;
            block_map::write(material, &refined.quotient, &progress, &mut sink)?;
            sink.finish()?;
        }
        Ok::<_, Failure>(())
    })?;
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
    let written = match &destination.path {
        None => {
            stdout.bytes(sealed.bytes())?;
            stdout.flush()?;
            if stdout.is_closed() {
                // The reader left before it had the certificate.
                return Ok(Exit::Unusable);
            }
            None
        }
        Some(path) => {
            let written = shelf::write_certificate(path, sealed.bytes(), args.force)?;
            write_run_record(path, &sealed, &clock, args.threads, seconds)?;
            Some(written)
        }
    };
    let report = match streams(args) {
        0 => stdout,
        _ => &mut stderr,
    };
    let certificate = destination.shown();
    if args.json {
        report.json(&Report {
            universe: material.to_string(),
            states: quotient.states,
            edges: quotient.edges,
            blocks: quotient.blocks(),
            rounds: quotient.refinement.rounds(),
            blocks_per_round: &quotient.refinement.blocks_per_round,
            compression: quotient.compression(),
            semantic_classes: semantic.classes,
            semantic_compression: semantic.compression(&quotient),
            certificate,
            id: sealed.id().to_string(),
        })?;
    } else if !args.quiet {
        print_figures(material, &quotient, semantic, report)?;
        report.line("")?;
        report.line(&format!("claim        {}", sealed.claim()))?;
        let note = match written {
            Some(Written::Unchanged) => " (unchanged)",
            _ => "",
        };
        report.line(&format!(
            "certificate  {certificate}, {} bytes{note}",
            grouped(sealed.bytes().len() as u64)
        ))?;
        report.line(&format!("id           {}", sealed.id()))?;
    }
    stderr.finish()?;
    Ok(Exit::Established)
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
    for (place, child) in children.iter().enumerate() {
        progress.class(place + 1, classes.len(), child);
        shelf.provide(child, progress)?;
    }
    progress.class(classes.len(), classes.len(), material);
    let endgame = shelf.solve(material, progress)?;
    let moves = MoveGraph::of(material, shelf.library(), progress)?
        .ok_or_else(|| fault("the class was solved and is not there"))?;
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
    check_size(args, Format::Compressed)?;
    interrupt::listen()?;
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
fn check_size(args: &Args, format: Format) -> Result<(), Failure> {
    let material = &args.universe;
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
    let limit = args.memory.map(|bytes| bytes.0).or_else(free_memory);
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
        if outputs[..place].contains(path) {
            return Err(Failure::Error(format!(
                "{} is named for two outputs",
                shown_path(path)
            )));
        }
        let is_table = |class: &&Material| shelf.path(class) == **path;
        if let Some(class) = classes.iter().find(is_table) {
            return Err(Failure::Error(format!(
                "{} is where the table of {class} stands or will stand; choose another name",
                shown_path(path)
            )));
        }
    }
    destination.check(&bisimulation_claim(&args.universe), args.force)?;
    for path in files {
        Draft::begin(path, args.force)?;
    }
    Ok(())
}

fn print_figures(
    material: &Material,
    quotient: &Quotient,
    semantic: SemanticPartition,
    report: &mut Output,
) -> Result<(), Failure> {
    let refinement = &quotient.refinement;
    let mut figures = vec![
        ("states", grouped(quotient.states as u64)),
        (
            "edges, into the draw sink included",
            grouped(quotient.edges),
        ),
    ];
    if material.has_en_passant() {
        let states = grouped(quotient.en_passant_states as u64);
        figures.push(("en-passant states, partitioned too", states));
    }
    figures.extend([
        ("blocks", grouped(quotient.blocks() as u64)),
        (
            "rounds, that without a change included",
            refinement.rounds().to_string(),
        ),
        (
            "compression, states a block",
            format!("{:.6}x", quotient.compression()),
        ),
        (
            "classes by side, result, distance",
            grouped(semantic.classes as u64),
        ),
        (
            "  their compression",
            format!("{:.0}x", semantic.compression(quotient)),
        ),
    ]);
    report.line(&format!(
        "{material}  the coarsest strong bisimulation of the graph of moves"
    ))?;
    report.line("")?;
    for (name, figure) in figures {
        report.line(&format!("{name:41} {figure}"))?;
    }
    report.line("")?;
    report.line("blocks before the first round and after each")?;
    let counts: Vec<String> = refinement
        .blocks_per_round
        .iter()
        .map(|&count| grouped(count.into()))
        .collect();
    for row in counts.chunks(8) {
        report.line(&format!("  {}", row.join("  ")))?;
    }
    report.line("")?;
    report.line("conventions")?;
    report.line("  label  side to move; ordinary, checkmate or stalemate")?;
    report.line("  edge   distinct pair of a state and a successor, up to symmetry")?;
    report.line("  sink   all positions without a mate, one state; its own block, not counted")?;
    if !material.children().is_empty() {
        report.line("  child  a position of another class is told by side, result and distance")?;
    }
    report.line("  check  every block holds states of one side, result and distance")
}
