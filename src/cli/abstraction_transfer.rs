//! `abstract --transfer`: a tree learned on one class, applied to another one as it is, and finished there.

use std::path::PathBuf;
use std::time::Instant;

use dchess::endgame::{Abstracted, Material, Signed};
use dchess::solve::abstraction::{DecisionTree, Finish, Settings, Watch};
use serde::Serialize;

use super::abstraction::Args;
use super::abstraction_universe::AbstractUniverse;
use super::failure::{Exit, Failure};
use super::interrupt;
use super::output::{Output, grouped};
use super::progress::Progress;
use super::shelf::Shelf;

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    from: String,
    to: String,
    signature: &'static str,
    horizon: u8,
    /// Blocks of the tree where it was learned.
    blocks_from: usize,
    states: usize,
    /// Those of its blocks that have a vertex of the other class.
    blocks: usize,
    decided: usize,
    compression: f64,
    profile_compression: f64,
    /// Blocks until every block is decided.
    blocks_finished: usize,
    blocks_added: usize,
    decided_finished: usize,
    /// Blocks of a tree that is grown on the other class from the beginning, also without trials.
    blocks_afresh: usize,
    /// Whether the time was up before one of these was finished.
    is_stopped: bool,
}

pub(crate) fn run(
    args: &Args,
    from: &Material,
    to: &Material,
    stdout: &mut Output,
) -> Result<Exit, Failure> {
    let Some(language) = args.signature.language() else {
        return Err(Failure::Error(format!(
            "`{}` is a baseline without a tree, so there is nothing to transfer",
            args.signature.name()
        )));
    };
    let folder = args.children.clone();
    let mut shelf = Shelf::read_only(folder.unwrap_or_else(|| PathBuf::from("certificates")));
    for class in [from, to] {
        let features = args.features_of(class, language);
        AbstractUniverse::check_size(class, features.len(), args.memory)?;
    }
    interrupt::listen();
    let progress = Progress::new(args.quiet);
    let (report, is_finished) = args.threads.pool()?.install(|| {
        let learned = with_signed(args, from, &mut shelf, &progress, |signed| {
            find(
                args,
                signed,
                &signed.sides(),
                &args.settings(args.horizon),
                &progress,
            )
        })?;
        let lines = learned.lines();
        with_signed(args, to, &mut shelf, &progress, |signed| {
            let tree = signed.tree(&lines).map_err(|unknown| {
                Failure::Error(format!("the tree of {from} cannot be read: {}", unknown.0))
            })?;
            let settings = args.settings(args.horizon);
            let as_it_is = Settings {
                most_blocks: 0,
                ..settings
            };
            let grown = Settings {
                trials: 0,
                ..settings
            };
            let carried = find(args, signed, &tree, &as_it_is, &progress)?;
            let finished = find(args, signed, &tree, &grown, &progress)?;
            let afresh = find(args, signed, &signed.sides(), &grown, &progress)?;
            let profiles = carried.measures.profiles.max(1);
            let report = Report {
                from: from.to_string(),
                to: to.to_string(),
                signature: args.signature.name(),
                horizon: args.horizon,
                blocks_from: learned.blocks(),
                states: carried.states,
                blocks: carried.blocks(),
                decided: carried.decided(),
                compression: carried.compression(),
                profile_compression: carried.vertices() as f64 / profiles as f64,
                blocks_finished: finished.blocks(),
                blocks_added: finished.blocks() - carried.blocks(),
                decided_finished: finished.decided(),
                blocks_afresh: afresh.blocks(),
                is_stopped: [&learned, &carried, &finished, &afresh]
                    .iter()
                    .any(|found| found.abstraction.finish == Finish::Stopped),
            };
            Ok((report, finished.decided() == finished.states))
        })
    })?;
    drop(progress);
    if args.json {
        stdout.json(&report)?;
    } else if !args.quiet {
        print(&report, stdout)?;
    }
    Ok(match is_finished {
        true => Exit::Established,
        false => Exit::Undecided,
    })
}

/// Does something with a class and its features; those of men that it does not have are 0, and are there for trees of others.
fn with_signed<T>(
    args: &Args,
    material: &Material,
    shelf: &mut Shelf,
    progress: &Progress,
    work: impl FnOnce(&Signed) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let universe = AbstractUniverse::new(material, shelf, progress)?;
    let language = args.signature.language();
    let features = language.map_or(Vec::new(), |language| args.kept_features(language));
    let signed = Signed::new(material, &universe.moves, features, progress)?;
    work(&signed)
}

fn find(
    args: &Args,
    signed: &Signed,
    start: &DecisionTree,
    settings: &Settings,
    progress: &Progress,
) -> Result<Abstracted, Failure> {
    let started = Instant::now();
    let watch = Watch {
        observer: progress,
        is_enough: &|| started.elapsed() >= args.budget.0,
        witness: None,
    };
    Ok(signed.abstracted(start, None, settings, watch)?)
}

fn print(report: &Report, stdout: &mut Output) -> Result<(), Failure> {
    let Report { from, to, .. } = report;
    stdout.line(&format!(
        "{from} to {to}  by the signature `{}`, with a horizon of {} plies",
        report.signature, report.horizon
    ))?;
    stdout.line("")?;
    let share = |part: usize| {
        let share = 100.0 * part as f64 / report.states.max(1) as f64;
        format!("{} ({share:.2} %)", grouped(part as u64))
    };
    for (name, figure) in [
        (
            format!("blocks of the tree on {from}"),
            grouped(report.blocks_from as u64),
        ),
        (format!("states of {to}"), grouped(report.states as u64)),
        (
            "blocks that have one".to_owned(),
            grouped(report.blocks as u64),
        ),
        (
            "  states to a block".to_owned(),
            format!("{:.2}", report.compression),
        ),
        (
            "  states to a profile of successors".to_owned(),
            format!("{:.2}", report.profile_compression),
        ),
        (
            "states with a known value".to_owned(),
            share(report.decided),
        ),
        (
            "blocks when it was grown further".to_owned(),
            grouped(report.blocks_finished as u64),
        ),
        ("  added".to_owned(), grouped(report.blocks_added as u64)),
        (
            "  states with a known value".to_owned(),
            share(report.decided_finished),
        ),
        (
            format!("blocks if grown on {to} alone"),
            grouped(report.blocks_afresh as u64),
        ),
    ] {
        stdout.line(&format!("{name:48} {figure}"))?;
    }
    if report.is_stopped {
        stdout.line("")?;
        stdout.line(
            "Unfinished: the time was up in at least one of these; --budget raises the limit.",
        )?;
    }
    Ok(())
}
