//! `abstract`: the values of a class by blocks of positions that look alike, certified (C2 §9).

use std::path::PathBuf;

use clap::ValueEnum;
use dchess::certificate::{Format, Sealed, is_abstraction_claim};
use dchess::endgame::features::{Feature, KINDS, Language};
use dchess::endgame::{Abstracted, Enumeration, Material, Signed, State};
use dchess::game::StateIndex;
use dchess::solve::abstraction::{Finish, Settings, Watch};

use super::abstraction_bench;
use super::abstraction_features;
use super::abstraction_report::{Figures, SplitList};
use super::abstraction_transfer;
use super::abstraction_universe::AbstractUniverse;
use super::cost::Clock;
use super::destination::{Cost, Destination, FormatArg};
use super::failure::{Exit, Failure};
use super::interrupt;
use super::local_bounds::Root;
use super::output::Output;
use super::plan::closure;
use super::progress::Progress;
use super::resources::Bytes;
use super::seconds::Span;
use super::shelf::Shelf;
use super::threads::Threads;

/// Group the positions of an endgame by what can be seen on the board, and bound the groups
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A decision tree over features of the position (distances, edges, lines, room …) divides a class into blocks, and each block
gets one interval around the values of all its positions. A block is won if from each of its positions the winner can
force, within --horizon plies of play on the board, a position of a block that is won already, or mate. Where nothing more can be decided, a
counterexample asks for a split: two positions of one block that behave differently, and a feature that tells them apart.
When all blocks are decided, --trials times a part of the tree is forgotten and grown again, and kept if it is smaller.

The table of the class is not used. After the run it is solved, only to check the intervals against it and to show the size beside
the partition by value and distance and beside strong bisimulation (--no-check leaves that out). A run that leaves positions open
writes what it has, and ends with exit code 3.

Signatures: `material`, `distance` and `relational` are languages of features, each with those of the one before
(docs/abstraction.md). `bisim` and `backward` are baselines without features and without a certificate: the rounds of bisimulation, and the
distance to mate by another name.

--fen stops when the value of one position is known, and certifies what was bounded until then. --transfer learns a tree on one class and applies it to another.
--bench runs every signature with the horizons 1, 3, 5 and 7; exit code 3 if the time was up in one of these runs.

Examples:
  dchess abstract --universe KRK
  dchess abstract --universe KQK --horizon 1 --json --splits splits.csv --out KQK1.bin
  dchess abstract --universe KRK --fen '8/8/8/8/8/2k5/1R6/K7 w - -' --out root.bin
  dchess abstract --transfer KRK KQK
  dchess abstract --bench KRK,KQK,KPK --budget 1m --csv bench.csv --plot bench.svg")]
pub(crate) struct Args {
    /// The class, like KRK or KQvK
    #[arg(long, value_name = "MATERIAL")]
    universe: Option<Material>,

    /// What tells positions apart
    #[arg(
        long,
        value_name = "NAME",
        default_value = "relational",
        conflicts_with = "bench"
    )]
    pub(crate) signature: Signature,

    /// List the kinds of features, with what each costs and why it is the same for all images of a position
    #[arg(long, conflicts_with_all = ["universe", "bench", "transfer", "fen", "out"])]
    features: bool,

    /// Leave out kinds of features, like `room,region` (--features lists them); all but `side` can be
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = kind)]
    without: Vec<&'static str>,

    /// Plies of play on the board for one step, odd, at most 99 (the format allows 255)
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = horizon, conflicts_with = "bench")]
    pub(crate) horizon: u8,

    /// How often to try and make the finished tree smaller
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) trials: u32,

    /// Where the trials get their chance from
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,

    /// The most time, like 30s or 10m; with --bench for each run
    #[arg(long, value_name = "TIME", default_value = "10m")]
    pub(crate) budget: Span,

    /// The most memory
    #[arg(long, value_name = "BYTES", default_value = "4G")]
    pub(crate) memory: Bytes,

    /// The most blocks, up to 524288
    #[arg(long, value_name = "N", default_value_t = 524_288, value_parser = clap::value_parser!(u32).range(2..=524_288))]
    pub(crate) blocks: u32,

    /// Stop when the value of this position is known
    #[arg(long, value_name = "FEN", conflicts_with_all = ["bench", "transfer"])]
    fen: Option<String>,

    /// Learn a tree on one class, apply it to another, and finish it there; writes no certificate
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"],
        conflicts_with_all = ["universe", "bench", "out", "format", "splits"])]
    transfer: Option<Vec<Material>>,

    /// Run all signatures and horizons on some classes; writes no certificates
    #[arg(long, value_name = "MATERIAL,…", num_args = 0..=1, value_delimiter = ',',
        default_missing_value = "KRK,KQK,KPK,KBNK,KQKR",
        conflicts_with_all = ["universe", "out", "format", "splits"])]
    bench: Option<Vec<Material>>,

    /// Write the figures of --bench as CSV, `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,

    /// Write blocks and decided states after each round of --bench as CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) rounds: Option<PathBuf>,

    /// Draw the figures of --bench as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,

    /// Where the certificate goes, `-` for standard output [default: certificates/<CLASS>.abstract.<format>]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The folder of the tables that the class rests on [default: where the certificate goes, or certificates]
    #[arg(long, value_name = "DIR")]
    pub(crate) children: Option<PathBuf>,

    /// The encoding of the certificate [default: bin, or json if --out ends in .json]
    #[arg(long)]
    format: Option<FormatArg>,

    /// Write the questions of the tree as CSV, `-` for standard output: each with the two positions of its counterexample, one
    /// on each side in no order; the first question, which side is to move, needs none
    #[arg(long, value_name = "FILE")]
    splits: Option<PathBuf>,

    /// Neither compare the intervals with the solved table after the run, nor show other partitions
    #[arg(long)]
    no_check: bool,

    /// Print the figures as JSON, one line a run
    #[arg(long)]
    pub(crate) json: bool,

    /// Replace files that hold something else
    #[arg(long)]
    pub(crate) force: bool,

    /// Print neither progress nor figures; with --json no progress
    #[arg(long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// What tells positions apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Signature {
    /// Side to move, mate, stalemate
    Material,
    /// Files, ranks, distances, edges, corners as well
    Distance,
    /// Lines, protection, attacks, room, opposition, mobility as well
    Relational,
    /// The blocks that moves lead into, round by round (a baseline)
    Bisim,
    /// Side to move, result and distance to mate: backward induction (a baseline)
    Backward,
}

impl Signature {
    /// As on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Signature::Material => "material",
            Signature::Distance => "distance",
            Signature::Relational => "relational",
            Signature::Bisim => "bisim",
            Signature::Backward => "backward",
        }
    }

    /// The language of its features; none for baselines.
    pub(crate) const fn language(self) -> Option<Language> {
        match self {
            Signature::Material => Some(Language::Material),
            Signature::Distance => Some(Language::Distance),
            Signature::Relational => Some(Language::Relational),
            Signature::Bisim | Signature::Backward => None,
        }
    }
}

/// The name of a kind of features that can be left out.
fn kind(text: &str) -> Result<&'static str, String> {
    // Without the side to move no block would have one.
    let mut names = KINDS
        .iter()
        .map(|kind| kind.name)
        .filter(|&name| name != "side");
    let found = names.clone().find(|&name| name == text);
    found.ok_or_else(|| {
        let all = names.by_ref().collect::<Vec<_>>().join(", ");
        format!("the kinds of features that can be left out are {all}")
    })
}

fn horizon(text: &str) -> Result<u8, String> {
    let number = text.parse().ok();
    number
        .filter(|number: &u8| number % 2 == 1 && *number <= 99)
        .ok_or_else(|| "a horizon is an odd number of plies from 1 to 99".to_owned())
}

impl Args {
    /// A language's features, without those that are left out.
    pub(crate) fn kept_features(&self, language: Language) -> Vec<Feature> {
        let mut features = Feature::all();
        features.retain(|feature| {
            feature.kind.language <= language && !self.without.contains(&feature.kind.name)
        });
        features
    }

    /// Those of them that are about men of a class.
    pub(crate) fn features_of(&self, material: &Material, language: Language) -> Vec<Feature> {
        let mut features = self.kept_features(language);
        features.retain(|feature| feature.exists_in(material));
        features
    }

    /// How to look for an abstraction.
    pub(crate) fn settings(&self, horizon: u8) -> Settings {
        Settings {
            horizon,
            trials: self.trials,
            seed: self.seed,
            most_blocks: self.blocks as usize,
            most_depth: MOST_DEPTH,
        }
    }
}

/// The deepest tree, as on the format page.
const MOST_DEPTH: u32 = 4_096;

pub(crate) fn run(args: &Args, stdout: &mut Output) -> Result<Exit, Failure> {
    if args.features {
        abstraction_features::print(args.json, stdout)?;
        return Ok(Exit::Established);
    }
    let of_bench = [
        ("--csv", &args.csv),
        ("--rounds", &args.rounds),
        ("--plot", &args.plot),
    ];
    if let Some((name, _)) = of_bench.iter().find(|(_, path)| path.is_some())
        && args.bench.is_none()
    {
        return Err(Failure::Error(format!("{name} is for --bench alone")));
    }
    if let Some(classes) = &args.bench {
        return abstraction_bench::run(args, classes, stdout);
    }
    if let Some([from, to]) = args.transfer.as_deref() {
        return abstraction_transfer::run(args, from, to, stdout);
    }
    match &args.universe {
        Some(material) => run_universe(args, material, stdout),
        None => Err(Failure::Error(
            "what to group is missing: --universe, --transfer or --bench".to_owned(),
        )),
    }
}

fn run_universe(args: &Args, material: &Material, stdout: &mut Output) -> Result<Exit, Failure> {
    let root = match &args.fen {
        Some(fen) => Some(Root::read(material, fen)?),
        None => None,
    };
    let Some(language) = args.signature.language() else {
        return run_baseline(args, material, stdout);
    };
    let destination = Destination::of(
        args.out.as_deref(),
        args.format,
        &format!("{material}.abstract"),
        Format::Compressed,
    )?;
    let mut shelf = Shelf::new(destination.children_folder(args.children.as_deref())?);
    let features = args.features_of(material, language);
    AbstractUniverse::check_size(material, features.len(), args.memory)?;
    if destination.path.is_none()
        && args
            .splits
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-")
    {
        let reason = "only one of --out and --splits can go to standard output";
        return Err(Failure::Error(reason.to_owned()));
    }
    for path in destination.path.iter().chain(&args.splits) {
        shelf.check_output(path, &closure(material))?;
    }
    destination.check(
        |claim| is_abstraction_claim(material, args.horizon, claim),
        args.force,
    )?;
    let splits = SplitList::begin(args.splits.as_deref(), &destination, args.force)?;
    interrupt::listen();
    let clock = Clock::start();
    let progress = Progress::new(args.quiet);
    let pool = args.threads.pool()?;
    let (universe, abstracted, values, sealed) = pool.install(|| {
        let universe = AbstractUniverse::new(material, &mut shelf, &progress)?;
        let number = match &root {
            Some(root) => Some(number_of(material, root, &progress)?),
            None => None,
        };
        let signed = Signed::new(material, &universe.moves, features, &progress)?;
        let started = std::time::Instant::now();
        let abstracted = signed.abstracted(
            &signed.sides(),
            number,
            &args.settings(args.horizon),
            Watch {
                observer: &progress,
                is_enough: &|| started.elapsed() >= args.budget.0,
                witness: None,
            },
        )?;
        let children = shelf.children_of(material);
        let sealed = Sealed::abstraction(material, &abstracted, &children, destination.format)
            .map_err(|error| Failure::context("cannot build the certificate", &error))?;
        let known = number.map(|number| abstracted.interval(number.get()));
        let feature_values = signed.values();
        Ok::<_, Failure>((universe, abstracted, (feature_values, known), sealed))
    })?;
    let (feature_values, known) = values;
    let cpu_seconds = clock.cpu_seconds();
    let others = match args.no_check {
        true => None,
        // Only now, when all intervals are sealed, is the table of the class solved.
        false => Some(pool.install(|| {
            let others = universe.others(&mut shelf, &progress)?;
            others.check(material, &universe, |vertex| abstracted.interval(vertex))?;
            Ok::<_, Failure>(others)
        })?),
    };
    drop(progress);
    let cost = Cost {
        clock,
        threads: args.threads,
        refinement_seconds: None,
    };
    let (destination, refused) = destination.or_spare(&sealed, args.force);
    let Some(written) = destination.deliver(&sealed, &cost, args.force, stdout)? else {
        return Ok(Exit::Unusable);
    };
    let is_listed = splits.write(material, &abstracted, stdout)?;
    let mut figures = Figures::of_tree(material, args.signature, &abstracted, feature_values);
    figures.compare(others.as_ref());
    figures.cpu_seconds = cpu_seconds;
    figures.certify(&destination, &sealed);
    if let (Some(root), Some(interval)) = (&root, known) {
        figures.show_root(root, interval);
    }
    // What is on standard output already is alone there.
    let mut stderr = Output::stderr();
    let report = match destination.path.is_none() || is_listed {
        true => &mut stderr,
        false => stdout,
    };
    if args.json {
        report.json(&figures)?;
    } else if !args.quiet {
        figures.print(&abstracted, others.is_some(), report)?;
        destination.print(&sealed, written, report)?;
    }
    stderr.finish()?;
    if let Some(refused) = refused {
        return Err(Failure::Error(refused));
    }
    Ok(exit(
        &abstracted,
        known.is_some_and(|interval| interval.is_point()),
    ))
}

/// Established if everything that was asked for is known.
fn exit(abstracted: &Abstracted, is_root_known: bool) -> Exit {
    match abstracted.abstraction.finish {
        Finish::Complete | Finish::Cut | Finish::RootDecided => Exit::Established,
        _ if is_root_known => Exit::Established,
        _ if abstracted.decided() == abstracted.states => Exit::Established,
        _ => Exit::Undecided,
    }
}

/// The number of a position of a class.
fn number_of(material: &Material, root: &Root, progress: &Progress) -> Result<StateIndex, Failure> {
    let state = State::of(material, &root.in_class);
    let number = Enumeration::of(material, progress)?.number_of(&state, progress)?;
    number.ok_or_else(|| Failure::Error("the position is no state of its class".to_owned()))
}

/// Bounds the blocks of a baseline.
fn run_baseline(args: &Args, material: &Material, stdout: &mut Output) -> Result<Exit, Failure> {
    let forbidden = [
        ("--out", args.out.is_some()),
        ("--format", args.format.is_some()),
        ("--splits", args.splits.is_some()),
        ("--fen", args.fen.is_some()),
        ("--no-check", args.no_check),
    ];
    if let Some((name, _)) = forbidden.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::Error(format!(
            "{name} is not there for `{}`, which is a baseline without a certificate",
            args.signature.name()
        )));
    }
    let folder = args.children.clone();
    let mut shelf = Shelf::read_only(folder.unwrap_or_else(|| PathBuf::from("certificates")));
    AbstractUniverse::check_size(material, 0, args.memory)?;
    interrupt::listen();
    let clock = Clock::start();
    let progress = Progress::new(args.quiet);
    let (figures, is_decided) = args.threads.pool()?.install(|| {
        let universe = AbstractUniverse::new(material, &mut shelf, &progress)?;
        let others = universe.others(&mut shelf, &progress)?;
        let found = others.partitioned(&universe, args.signature, args.horizon, &progress)?;
        let mut figures = Figures::of_partition(
            material,
            args.signature,
            args.horizon,
            &universe.moves,
            &found,
        );
        figures.compare(Some(&others));
        let is_decided = found.decided(found.blocks.len()) == found.blocks.len();
        Ok::<_, Failure>((figures, is_decided))
    })?;
    drop(progress);
    let mut figures = figures;
    figures.cpu_seconds = clock.cpu_seconds();
    if args.json {
        stdout.json(&figures)?;
    } else if !args.quiet {
        figures.print_baseline(stdout)?;
    }
    Ok(match is_decided {
        true => Exit::Established,
        false => Exit::Undecided,
    })
}
