//! `abstract --bench`: every signature with several horizons on several classes.

use std::path::{Path, PathBuf};
use std::time::Instant;

use dchess::certificate::{Format, Sealed};
use dchess::endgame::{Material, Signed};
use dchess::solve::abstraction::Watch;

use super::abstraction::{Args, Signature};
use super::abstraction_plot;
use super::abstraction_report::{Figures, STOPPED};
use super::abstraction_universe::{AbstractUniverse, Others};
use super::artifact::Draft;
use super::cost::Clock;
use super::failure::{Exit, Failure};
use super::interrupt;
use super::output::{Output, grouped, shown_path};
use super::place::is_same;
use super::progress::Progress;
use super::shelf::Shelf;
use super::sink::Sink;

/// The horizons that are compared.
const HORIZONS: [u8; 4] = [1, 3, 5, 7];

const SIGNATURES: [Signature; 5] = [
    Signature::Material,
    Signature::Distance,
    Signature::Relational,
    Signature::Bisim,
    Signature::Backward,
];

pub(crate) fn run(args: &Args, classes: &[Material], stdout: &mut Output) -> Result<Exit, Failure> {
    let folder = args.children.clone();
    let mut shelf = Shelf::read_only(folder.unwrap_or_else(|| PathBuf::from("certificates")));
    for class in classes {
        for language in SIGNATURES.into_iter().filter_map(Signature::language) {
            let features = args.features_of(class, language).len();
            AbstractUniverse::check_size(class, features, args.memory)?;
        }
    }
    let files = Files::begin(args)?;
    interrupt::listen();
    let progress = Progress::new(args.quiet);
    let pool = args.threads.pool()?;
    let is_table = !args.json && !args.quiet && !files.has_stdout;
    if is_table {
        progress.suspend(|| print_head(stdout))?;
    }
    let mut all = Vec::new();
    for class in classes {
        let (universe, others) = pool.install(|| {
            let universe = AbstractUniverse::new(class, &mut shelf, &progress)?;
            let others = universe.others(&mut shelf, &progress)?;
            Ok::<_, Failure>((universe, others))
        })?;
        for signature in SIGNATURES {
            for horizon in HORIZONS {
                let figures = pool.install(|| {
                    let one = Run {
                        args,
                        class,
                        signature,
                        horizon,
                    };
                    one.figures(&universe, &others, &shelf, &progress)
                })?;
                progress.suspend(|| {
                    match (args.json, is_table) {
                        (true, _) if !files.has_stdout => stdout.json(&figures)?,
                        (_, true) => print_row(&figures, stdout)?,
                        _ => {}
                    }
                    // A run takes minutes; nobody should wait for the next one to see this.
                    stdout.flush()
                })?;
                all.push(figures);
            }
        }
    }
    drop(progress);
    files.write(&all, stdout)?;
    Ok(match all.iter().any(|figures| figures.finish == STOPPED) {
        true => Exit::Undecided,
        false => Exit::Established,
    })
}

/// One line of the comparison.
struct Run<'a> {
    args: &'a Args,
    class: &'a Material,
    signature: Signature,
    horizon: u8,
}

impl Run<'_> {
    fn figures(
        &self,
        universe: &AbstractUniverse,
        others: &Others,
        shelf: &Shelf,
        progress: &Progress,
    ) -> Result<Figures, Failure> {
        let clock = Clock::start();
        let mut figures = match self.signature.language() {
            None => {
                let found = others.partitioned(universe, self.signature, self.horizon, progress)?;
                let moves = &universe.moves;
                Figures::of_partition(self.class, self.signature, self.horizon, moves, &found)
            }
            Some(language) => {
                let features = self.args.features_of(self.class, language);
                let signed = Signed::new(self.class, &universe.moves, features, progress)?;
                let started = Instant::now();
                let abstracted = signed.abstracted(
                    &signed.sides(),
                    None,
                    &self.args.settings(self.horizon),
                    Watch {
                        observer: progress,
                        is_enough: &|| started.elapsed() >= self.args.budget.0,
                        witness: None,
                    },
                )?;
                others.check(self.class, universe, |vertex| abstracted.interval(vertex))?;
                let children = shelf.children_of(self.class);
                let sealed =
                    Sealed::abstraction(self.class, &abstracted, &children, Format::Compressed)
                        .map_err(|error| {
                            Failure::context("cannot build the certificate", &error)
                        })?;
                let values = signed.values();
                let mut figures = Figures::of_tree(self.class, self.signature, &abstracted, values);
                figures.certificate_bytes = Some(sealed.bytes().len() as u64);
                figures.id = Some(sealed.id().to_string());
                figures
            }
        };
        figures.compare(Some(others));
        figures.cpu_seconds = clock.cpu_seconds();
        Ok(figures)
    }
}

fn print_head(stdout: &mut Output) -> Result<(), Failure> {
    stdout.line(&format!(
        "{:6} {:10} {:>2} {:>9} {:>8} {:>9} {:>10} {:>14} {:>14} {:>9}  ",
        "class",
        "signature",
        "K",
        "blocks",
        "decided",
        "questions",
        "states/pr.",
        "verify",
        "alone",
        "CPU s"
    ))
}

fn print_row(figures: &Figures, stdout: &mut Output) -> Result<(), Failure> {
    let seconds = figures.cpu_seconds.unwrap_or(0.0);
    stdout.line(&format!(
        "{:6} {:10} {:>2} {:>9} {:>6.2} % {:>9} {:>10.2} {:>14} {:>14} {:>9.1}  {}",
        figures.universe,
        figures.signature,
        figures.horizon,
        grouped(figures.blocks as u64),
        100.0 * figures.decided_share(),
        grouped(figures.counterexamples),
        figures.profile_compression,
        grouped(figures.lookups_verify),
        grouped(figures.lookups_alone),
        seconds,
        figures.finish,
    ))
}

/// What is written in the end.
struct Files<'a> {
    /// The path, what goes there, and the place that was made for it; none for standard output.
    wanted: Vec<(Content, Option<Draft>, &'a Path)>,
    has_stdout: bool,
}

#[derive(Clone, Copy)]
enum Content {
    Figures,
    Rounds,
    Plot,
}

impl<'a> Files<'a> {
    /// Refuses what could not be written in the end.
    fn begin(args: &'a Args) -> Result<Files<'a>, Failure> {
        let named = [
            (Content::Figures, &args.csv),
            (Content::Rounds, &args.rounds),
            (Content::Plot, &args.plot),
        ];
        let mut files = Files {
            wanted: Vec::new(),
            has_stdout: false,
        };
        for (content, path) in named {
            let Some(path) = path.as_deref() else {
                continue;
            };
            let is_other = |(_, _, other): &(_, _, &Path)| *other == path || is_same(path, other);
            if files.wanted.iter().any(is_other) {
                return Err(Failure::Error(format!(
                    "{} is named for two outputs",
                    shown_path(path)
                )));
            }
            let draft = match path.as_os_str() == "-" {
                true => {
                    files.has_stdout = true;
                    None
                }
                false => Some(Draft::begin(path, args.force)?),
            };
            files.wanted.push((content, draft, path));
        }
        Ok(files)
    }

    fn write(self, all: &[Figures], stdout: &mut Output) -> Result<(), Failure> {
        for (content, draft, _) in self.wanted {
            let text = match content {
                Content::Figures => table(all),
                Content::Rounds => rounds(all),
                Content::Plot => abstraction_plot::svg(all)?,
            };
            let mut sink = match draft {
                Some(draft) => Sink::File(draft),
                None => Sink::Stream(stdout),
            };
            let _ = sink.bytes(text.as_bytes())?;
            sink.finish()?;
        }
        Ok(())
    }
}

/// The figures as CSV.
fn table(all: &[Figures]) -> String {
    let mut text = "universe,signature,horizon,states,blocks,decided,decided_share,rounds,counterexamples,features,\
        semantic_classes,bisimulation_blocks,compression,profiles,profile_compression,edges,block_edges,deleted_block_edges,\
        deleted_strict,deleted_equal,lookups_decide,lookups_verify,lookups_alone,comparisons,feature_values,\
        blocks_before_trials,ranks,certificate_bytes,cpu_seconds,peak_rss_bytes,finish\n"
        .to_owned();
    let shown = |count: Option<u64>| count.map_or(String::new(), |count| count.to_string());
    for each in all {
        let columns = [
            each.universe.clone(),
            each.signature.to_owned(),
            each.horizon.to_string(),
            each.states.to_string(),
            each.blocks.to_string(),
            each.decided.to_string(),
            format!("{:.6}", each.decided_share()),
            each.rounds.to_string(),
            each.counterexamples.to_string(),
            each.features.to_string(),
            shown(each.semantic_classes.map(|count| count as u64)),
            shown(each.bisimulation_blocks.map(|count| count as u64)),
            format!("{:.4}", each.compression),
            each.profiles.to_string(),
            format!("{:.4}", each.profile_compression),
            each.edges.to_string(),
            each.block_edges.to_string(),
            each.deleted_block_edges.to_string(),
            each.deleted_strict.to_string(),
            each.deleted_equal.to_string(),
            each.lookups_decide.to_string(),
            each.lookups_verify.to_string(),
            each.lookups_alone.to_string(),
            each.comparisons.to_string(),
            each.feature_values.to_string(),
            shown(each.blocks_before_trials.map(|count| count as u64)),
            each.ranks.to_string(),
            shown(each.certificate_bytes),
            each.cpu_seconds
                .map_or(String::new(), |seconds| format!("{seconds:.2}")),
            shown(each.peak_rss_bytes),
            each.finish.to_owned(),
        ];
        text.push_str(&columns.join(","));
        text.push('\n');
    }
    text
}

/// Blocks and decided vertices after each round as CSV.
fn rounds(all: &[Figures]) -> String {
    let mut text = "universe,signature,horizon,round,blocks,decided\n".to_owned();
    for each in all {
        for (round, stage) in each.stages.iter().enumerate() {
            text.push_str(&format!(
                "{},{},{},{round},{},{}\n",
                each.universe, each.signature, each.horizon, stage.blocks, stage.decided
            ));
        }
    }
    text
}
