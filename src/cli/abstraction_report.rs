//! The figures of an abstraction, for people and as JSON, and the list of its splits.

use std::collections::HashMap;
use std::path::Path;

use dchess::certificate::Sealed;
use dchess::endgame::{Abstracted, Enumeration, Material, MoveGraph, Partitioned, Placement};
use dchess::game::{Interrupted, Interval, Silent};
use dchess::rules::position_fen;
use dchess::solve::abstraction::{Finish, Measures, Stage};
use serde::Serialize;

use super::abstraction::Signature;
use super::abstraction_universe::Others;
use super::artifact::Draft;
use super::cost;
use super::destination::{Destination, record_path};
use super::failure::Failure;
use super::local_bounds::Root;
use super::output::{Output, grouped};
use super::sink::Sink;

/// The word for a run whose time was up.
pub(crate) const STOPPED: &str = "stopped";

/// What `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figures {
    pub(crate) universe: String,
    pub(crate) signature: &'static str,
    pub(crate) horizon: u8,
    pub(crate) states: usize,
    pub(crate) blocks: usize,
    pub(crate) decided: usize,
    /// How often everything was decided that could be, before the tree was finished.
    pub(crate) rounds: usize,
    /// Questions asked, those of parts that were given up included; each has its counterexample.
    pub(crate) counterexamples: u64,
    /// Features that the tree asks for.
    pub(crate) features: usize,
    pub(crate) semantic_classes: Option<usize>,
    pub(crate) bisimulation_blocks: Option<usize>,
    pub(crate) lookups_decide: u64,
    pub(crate) lookups_verify: u64,
    /// For deciding or verifying once by a search of every state alone.
    pub(crate) lookups_alone: u64,
    pub(crate) certificate: Option<String>,
    pub(crate) certificate_bytes: Option<u64>,
    pub(crate) id: Option<String>,
    pub(crate) finish: &'static str,
    pub(crate) blocks_before_trials: Option<usize>,
    pub(crate) ranks: u16,
    pub(crate) depth: Option<u32>,
    pub(crate) compression: f64,
    pub(crate) profiles: usize,
    pub(crate) profile_compression: f64,
    pub(crate) edges: u64,
    pub(crate) block_edges: usize,
    pub(crate) deleted_block_edges: usize,
    pub(crate) deleted_strict: u64,
    pub(crate) deleted_equal: u64,
    pub(crate) feature_values: u64,
    pub(crate) comparisons: u64,
    pub(crate) lookups_witness: u64,
    pub(crate) cpu_seconds: Option<f64>,
    pub(crate) peak_rss_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<[i8; 2]>,
    /// Blocks and decided vertices round by round.
    #[serde(skip)]
    pub(crate) stages: Vec<Stage>,
}

impl Figures {
    /// Of an abstraction by a tree.
    pub(crate) fn of_tree(
        material: &Material,
        signature: Signature,
        abstracted: &Abstracted,
        feature_values: u64,
    ) -> Figures {
        let abstraction = &abstracted.abstraction;
        let work = abstraction.work;
        let of_blocks = Figures::of_blocks(
            material,
            signature,
            abstracted.horizon,
            [
                abstracted.states,
                abstracted.vertices(),
                abstracted.blocks(),
            ],
            &abstracted.measures,
        );
        Figures {
            decided: abstracted.decided(),
            rounds: abstraction.stages.len(),
            counterexamples: work.splits,
            features: abstracted.used_features().len(),
            lookups_decide: work.lookups,
            finish: match abstraction.finish {
                Finish::Complete => "complete",
                Finish::Cut => "cut",
                Finish::RootDecided => "root decided",
                Finish::Inseparable => "inseparable",
                Finish::TooManyBlocks => "too many blocks",
                Finish::Stopped => STOPPED,
            },
            blocks_before_trials: abstraction.trials.first().map(|&(_, blocks)| blocks),
            ranks: abstraction.bounds.last_rank(),
            depth: Some(abstraction.tree.depth()),
            feature_values,
            comparisons: work.comparisons,
            lookups_witness: abstraction.bounds.lookups,
            stages: abstraction.stages.clone(),
            ..of_blocks
        }
    }

    /// Of a baseline.
    pub(crate) fn of_partition(
        material: &Material,
        signature: Signature,
        horizon: u8,
        moves: &MoveGraph,
        found: &Partitioned,
    ) -> Figures {
        let blocks = found.bounds.intervals.len();
        let sizes = [moves.states, moves.vertices(), blocks];
        let decided = found.decided(moves.states);
        Figures {
            decided,
            rounds: found.stages.len(),
            lookups_decide: found.lookups,
            finish: match decided == moves.states {
                true => "complete",
                false => "inseparable",
            },
            ranks: found.bounds.last_rank(),
            stages: found.stages.clone(),
            ..Figures::of_blocks(material, signature, horizon, sizes, &found.measures)
        }
    }

    fn of_blocks(
        material: &Material,
        signature: Signature,
        horizon: u8,
        [states, vertices, blocks]: [usize; 3],
        measures: &Measures,
    ) -> Figures {
        Figures {
            universe: material.to_string(),
            signature: signature.name(),
            horizon,
            states,
            blocks,
            decided: 0,
            rounds: 0,
            counterexamples: 0,
            features: 0,
            semantic_classes: None,
            bisimulation_blocks: None,
            lookups_decide: 0,
            lookups_verify: measures.lookups_shared,
            lookups_alone: measures.lookups_alone,
            certificate: None,
            certificate_bytes: None,
            id: None,
            finish: "",
            blocks_before_trials: None,
            ranks: 0,
            depth: None,
            compression: vertices as f64 / blocks.max(1) as f64,
            profiles: measures.profiles,
            profile_compression: vertices as f64 / measures.profiles.max(1) as f64,
            edges: measures.edges,
            block_edges: measures.block_edges,
            deleted_block_edges: measures.deleted_block_edges,
            deleted_strict: measures.deleted_strict,
            deleted_equal: measures.deleted_equal,
            feature_values: 0,
            comparisons: 0,
            lookups_witness: 0,
            cpu_seconds: None,
            peak_rss_bytes: cost::peak_rss_bytes(),
            fen: None,
            interval: None,
            stages: Vec::new(),
        }
    }

    /// Sets other partitions beside it.
    pub(crate) fn compare(&mut self, others: Option<&Others>) {
        self.semantic_classes = others.map(|others| others.semantic_classes);
        self.bisimulation_blocks = others.map(Others::bisimulation_blocks);
    }

    /// Names the certificate.
    pub(crate) fn certify(&mut self, destination: &Destination, sealed: &Sealed) {
        self.certificate = Some(destination.shown());
        self.certificate_bytes = Some(sealed.bytes().len() as u64);
        self.id = Some(sealed.id().to_string());
    }

    /// Tells what is known of the position that was asked for, in its own colours.
    pub(crate) fn show_root(&mut self, root: &Root, interval: Interval) {
        self.fen = Some(root.fen());
        let [lower, upper] = [interval.lower, interval.upper];
        self.interval = Some(match root.is_exchanged {
            true => [-upper, -lower],
            false => [lower, upper],
        });
    }

    /// The share of states that are decided.
    pub(crate) fn decided_share(&self) -> f64 {
        self.decided as f64 / self.states.max(1) as f64
    }

    /// Prints the figures of an abstraction for people.
    pub(crate) fn print(
        &self,
        abstracted: &Abstracted,
        is_checked: bool,
        report: &mut Output,
    ) -> Result<(), Failure> {
        report.line(&format!(
            "{}  by the signature `{}`, with a horizon of {} plies, without its table",
            self.universe, self.signature, self.horizon
        ))?;
        report.line("")?;
        self.print_sizes(report)?;
        let before = self
            .blocks_before_trials
            .map(|blocks| grouped(blocks as u64));
        for (name, figure) in [
            (
                "blocks before trials made them fewer",
                before.unwrap_or("-".to_owned()),
            ),
            (
                "questions asked, each after a counterexample",
                grouped(self.counterexamples),
            ),
            ("features in the tree", self.features.to_string()),
            (
                "questions on the longest way to a block",
                abstracted.abstraction.tree.depth().to_string(),
            ),
            ("values of features computed", grouped(self.feature_values)),
            ("  compared to find questions", grouped(self.comparisons)),
            (
                "looked at a predecessor, times, to decide",
                grouped(self.lookups_decide),
            ),
            (
                "  at either to bound the blocks in the end",
                grouped(self.lookups_witness),
            ),
            (
                "  at a successor to check it, all states at once",
                grouped(self.lookups_verify),
            ),
            ("  every state alone", grouped(self.lookups_alone)),
        ] {
            report.line(&format!("{name:48} {figure}"))?;
        }
        if let (Some(fen), Some([lower, upper])) = (&self.fen, self.interval) {
            report.line("")?;
            report.line(&format!("{fen}  [{lower}, {upper}]"))?;
        }
        report.line("")?;
        match abstracted.abstraction.finish {
            Finish::Complete => {}
            Finish::Cut => {
                report.line("The time was up before all trials were made; every block is decided.")?;
            }
            Finish::RootDecided => {
                report.line("The position is decided, so nothing more was split.")?;
            }
            Finish::Inseparable => report.line(
                "Unfinished: no feature tells apart what behaves differently in the blocks that are open.",
            )?,
            Finish::TooManyBlocks => {
                report.line("Unfinished: there are as many blocks as --blocks allows.")?;
            }
            Finish::Stopped => report.line("Unfinished: the time was up; --budget raises the limit.")?,
        }
        if is_checked {
            report.line(
                "After the run every interval was compared with the solved table and holds its value.",
            )?;
        }
        Ok(())
    }

    /// Prints the figures of a baseline for people.
    pub(crate) fn print_baseline(&self, report: &mut Output) -> Result<(), Failure> {
        report.line(&format!(
            "{}  by the baseline `{}`, with a horizon of {} plies",
            self.universe, self.signature, self.horizon
        ))?;
        report.line("")?;
        self.print_sizes(report)?;
        for (name, figure) in [
            (
                "looked at a successor or predecessor, times",
                self.lookups_decide,
            ),
            ("  to check it, all states at once", self.lookups_verify),
            ("  every state alone", self.lookups_alone),
        ] {
            report.line(&format!("{name:48} {}", grouped(figure)))?;
        }
        report.line("")?;
        report.line("A baseline to compare with: it has no certificate.")
    }

    fn print_sizes(&self, report: &mut Output) -> Result<(), Failure> {
        let shown =
            |count: Option<usize>| count.map_or("-".to_owned(), |count| grouped(count as u64));
        let share = |part: u64, whole: u64| {
            let share = 100.0 * part as f64 / whole.max(1) as f64;
            format!("{} ({share:.2} %)", grouped(part))
        };
        for (name, figure) in [
            ("states", grouped(self.states as u64)),
            (
                "states with a known value",
                share(self.decided as u64, self.states as u64),
            ),
            ("blocks", grouped(self.blocks as u64)),
            ("  states to a block", format!("{:.2}", self.compression)),
            (
                "classes by side, result and distance",
                shown(self.semantic_classes),
            ),
            (
                "blocks of strong bisimulation",
                shown(self.bisimulation_blocks),
            ),
            ("ranks", self.ranks.to_string()),
            ("rounds", grouped(self.rounds as u64)),
            ("profiles of successors", grouped(self.profiles as u64)),
            (
                "  states to a profile",
                format!("{:.2}", self.profile_compression),
            ),
            ("edges, into the draw sink included", grouped(self.edges)),
            (
                "  certainly worse by the bounds of blocks",
                share(self.deleted_strict, self.edges),
            ),
            ("  at best as good", share(self.deleted_equal, self.edges)),
            ("edges between blocks", grouped(self.block_edges as u64)),
            (
                "  that can be deleted",
                share(self.deleted_block_edges as u64, self.block_edges as u64),
            ),
        ] {
            report.line(&format!("{name:48} {figure}"))?;
        }
        Ok(())
    }
}

/// Where the list of splits goes.
pub(crate) enum SplitList {
    Nowhere,
    Stream,
    File(Draft),
}

impl SplitList {
    /// Begins it, and refuses what could not be written in the end.
    pub(crate) fn begin(
        path: Option<&Path>,
        destination: &Destination,
        force: bool,
    ) -> Result<SplitList, Failure> {
        let Some(path) = path else {
            return Ok(SplitList::Nowhere);
        };
        if path.as_os_str() == "-" {
            return Ok(SplitList::Stream);
        }
        let is_certificate =
            |other: &std::path::PathBuf| super::place::is_same(other, path) || other == path;
        if destination.path.as_ref().is_some_and(is_certificate) {
            return Err(Failure::Error(
                "--out and --splits are the same place".to_owned(),
            ));
        }
        let record = destination.path.as_deref().map(record_path);
        if record.as_ref().is_some_and(is_certificate) {
            return Err(Failure::Error(
                "--splits is where the cost of the run goes".to_owned(),
            ));
        }
        Ok(SplitList::File(Draft::begin(path, force)?))
    }

    /// Writes the questions of a tree with their counterexamples; says whether standard output has it.
    pub(crate) fn write(
        self,
        material: &Material,
        abstracted: &Abstracted,
        stdout: &mut Output,
    ) -> Result<bool, Failure> {
        let (mut sink, is_stream) = match self {
            SplitList::Nowhere => return Ok(false),
            SplitList::Stream => (Sink::Stream(stdout), true),
            SplitList::File(draft) => (Sink::File(draft), false),
        };
        let splits = abstracted.splits();
        let named = splits.iter().filter_map(|split| split.why).flatten();
        let mut fens: HashMap<usize, String> =
            named.map(|vertex| (vertex.get(), String::new())).collect();
        let of_block = |placements: &mut dyn Iterator<Item = Placement>| {
            let mut found = Vec::new();
            for placement in placements {
                let states = placement.states().chain(placement.en_passant_states());
                for (number, state) in states.filter(|(number, _)| fens.contains_key(&number.get()))
                {
                    if let Some(position) = state.position(material) {
                        found.push((number.get(), position_fen(&position)));
                    }
                }
            }
            found
        };
        let mut found = Vec::new();
        Enumeration::of(material, &Silent)?.each_block(&Silent, of_block, |block| {
            found.extend(block);
            Ok::<_, Interrupted>(std::ops::ControlFlow::Continue(()))
        })?;
        fens.extend(found);
        let mut text = "question,first,other\n".to_owned();
        for split in &splits {
            let fen = |place: usize| {
                let vertex = split.why.map(|why| why[place].get());
                vertex
                    .and_then(|vertex| fens.get(&vertex))
                    .map_or("", String::as_str)
            };
            text.push_str(&format!("{},{},{}\n", split.question, fen(0), fen(1)));
        }
        let _ = sink.bytes(text.as_bytes())?;
        sink.finish()?;
        Ok(is_stream)
    }
}
