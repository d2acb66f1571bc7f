//! `crosscheck`: compares a table with real Syzygy tables, state by state.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::ops::{AddAssign, ControlFlow};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{OsStringValueParser, TypedValueParser};
use dchess::endgame::{Endgame, Enumeration, Library, Material, value_of};
use dchess::game::{Outcome, StateIndex, Value};
use dchess::rules::position_fen;
use serde::Serialize;
use shakmaty::{Chess, Position};
use shakmaty_syzygy::{Dtz, MaybeRounded, SyzygyError, Tablebase, Wdl};

use super::failure::{Exit, Failure, warn};
use super::interrupt;
use super::output::{Output, grouped, shown_path};
use super::plan::closure;
use super::progress::Progress;
use super::subject::Subject;
use super::syzygy_files::FilesInMemory;
use super::table::Table;
use super::threads::Threads;

/// Compare every state of a class or certificate with Syzygy tables
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Of a certificate the values are compared as they stand; a class is solved in memory. An argument
with a dot or a slash in it, or the name of a file that is there, is a certificate, any other a
class.

Compared are, for every state, en-passant states included: win, draw or loss exactly (a win that the
fifty-move rule cancels counts as a win, and such a loss as a loss); and the distance to the next
capture or pawn move, which has the sign of the result and is not longer than the distance to mate
(for KQK, KRK, KBBK and KBNK it is the distance to mate). One ply more or less is allowed where the
Syzygy table rounds to full moves. The first 20 mismatches are shown with their FENs; all count.

Exit codes: 0 every state was compared and agrees, 1 a mismatch, 2 tables are missing or unusable.

Examples:
  dchess crosscheck KRKP --syzygy path/to/syzygy
  dchess crosscheck certificates/KRK.bin --syzygy path/to/syzygy
  dchess crosscheck KBNK --syzygy path/to/syzygy --json")]
pub(crate) struct Args {
    /// The class, like KQK or KRPvKR, or the certificate of one, `-` for standard input
    #[arg(value_name = "MATERIAL|FILE", value_parser = OsStringValueParser::new().try_map(Subject::parse))]
    subject: Subject,

    /// The folder of the Syzygy tables
    #[arg(long, value_name = "DIR")]
    syzygy: PathBuf,

    /// Print one line of JSON
    #[arg(long)]
    json: bool,

    /// Print no progress
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    threads: Threads,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    universe: String,
    states: usize,
    #[serde(flatten)]
    findings: Findings,
}

/// What the comparison of some states found.
#[derive(Default, Serialize)]
struct Findings {
    compared_wdl: usize,
    compared_dtz: usize,
    mismatches: usize,
    cursed: usize,
    /// The first mismatches, with both answers.
    examples: Vec<String>,
    missing: BTreeSet<String>,
    /// Whether a table is damaged: then nothing more is compared.
    #[serde(skip)]
    is_damaged: bool,
}

impl AddAssign for Findings {
    /// Adds what was found in the states behind these.
    fn add_assign(&mut self, next: Findings) {
        self.compared_wdl += next.compared_wdl;
        self.compared_dtz += next.compared_dtz;
        self.mismatches += next.mismatches;
        self.cursed += next.cursed;
        let room = EXAMPLES.saturating_sub(self.examples.len());
        self.examples.extend(next.examples.into_iter().take(room));
        self.missing.extend(next.missing);
        self.is_damaged |= next.is_damaged;
    }
}

/// How many mismatches are shown.
const EXAMPLES: usize = 20;

/// Classes in which no capture or pawn move helps before mate.
const NO_ZEROING: [&str; 4] = ["KQK", "KRK", "KBBK", "KBNK"];

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    interrupt::listen();
    let mut tables: Tablebase<Chess> =
        Tablebase::with_filesystem(Arc::new(FilesInMemory::default()));
    let folder = shown_path(&args.syzygy);
    let found = add_tables(&mut tables, &args.syzygy)
        .map_err(|error| Failure::context(&format!("cannot read {folder}"), &error))?;
    if found == 0 {
        return Err(Failure::Error(format!(
            "{folder} holds no Syzygy tables (files like KQvK.rtbw and KQvK.rtbz)"
        )));
    }
    let progress = Progress::new(args.quiet);
    let report = args.threads.pool()?.install(|| {
        let values = Values::of(&args.subject, &progress)?;
        compare(&values, &tables, &progress)
    })?;
    drop(progress);
    let found = &report.findings;
    let exit = if found.mismatches > 0 {
        Exit::DoesNotHold
    } else if found.compared_wdl == report.states && found.compared_dtz == report.states {
        Exit::Established
    } else {
        Exit::Unusable
    };
    if args.json {
        output.json(&report)?;
    } else {
        print(&report, output)?;
    }
    Ok(exit)
}

/// Adds the tables of a folder and says how many there are. A file that is none is left out: it may not be needed,
/// and is named as missing if it is.
fn add_tables(tables: &mut Tablebase<Chess>, folder: &Path) -> io::Result<usize> {
    let mut found = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension().unwrap_or_default();
        if extension != "rtbw" && extension != "rtbz" {
            continue;
        }
        match tables.add_file(&path) {
            Ok(()) => found += 1,
            Err(error) => warn(&format!("{} is left out: {error}", shown_path(&path))),
        }
    }
    Ok(found)
}

/// The bytes of the states of a class, in canonical order.
struct Values {
    material: Material,
    ordinary: Vec<u8>,
    en_passant: Vec<u8>,
}

impl Values {
    fn of(subject: &Subject, progress: &Progress) -> Result<Values, Failure> {
        match subject {
            Subject::Class(material) => {
                let mut library = Library::new();
                let classes = closure(material);
                let (_, children) = classes.split_last().unwrap_or((material, &[]));
                for (place, class) in children.iter().enumerate() {
                    progress.class(place + 1, classes.len(), class);
                    Endgame::solve(class, &mut library, progress)?;
                }
                progress.class(classes.len(), classes.len(), material);
                let endgame = Endgame::solve(material, &mut library, progress)?;
                Ok(Values {
                    material: endgame.material,
                    ordinary: endgame.values,
                    en_passant: endgame.en_passant.map_or(Vec::new(), |found| found.values),
                })
            }
            Subject::File(path) => {
                let table = Table::open(path, false)?;
                Ok(Values {
                    ordinary: table.values().to_vec(),
                    en_passant: table.en_passant_values().to_vec(),
                    material: table.material,
                })
            }
        }
    }

    fn value(&self, number: StateIndex) -> Value {
        let number = number.get();
        let behind = number.checked_sub(self.ordinary.len());
        value_of(behind.map_or_else(|| self.ordinary[number], |number| self.en_passant[number]))
    }
}

fn compare(
    values: &Values,
    tables: &Tablebase<Chess>,
    progress: &Progress,
) -> Result<Report, Failure> {
    let material = &values.material;
    let enumeration = Enumeration::of(material, progress)?;
    let (ordinary, en_passant) = (values.ordinary.len(), values.en_passant.len());
    if (ordinary, en_passant) != (enumeration.ordinary(), enumeration.en_passant()) {
        return Err(Failure::Error(format!(
            "the certificate does not have one value for each state of {material}"
        )));
    }
    let name = material.to_string();
    let is_dtm = NO_ZEROING.contains(&name.as_str());
    let mut findings = Findings::default();
    enumeration.each_block(
        progress,
        |placements| {
            let mut findings = Findings::default();
            for placement in placements {
                for (number, state) in placement.states().chain(placement.en_passant_states()) {
                    let position = state.position(material).expect("a state is a position");
                    findings.add(&position, values.value(number), tables, is_dtm);
                }
            }
            findings
        },
        |block| {
            findings += block;
            Ok::<_, Failure>(match findings.is_damaged {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        },
    )?;
    Ok(Report {
        universe: name,
        states: enumeration.ordinary() + enumeration.en_passant(),
        findings,
    })
}

impl Findings {
    /// Compares one state: its result, and if that agrees its distance.
    fn add(&mut self, position: &Chess, value: Value, tables: &Tablebase<Chess>, is_dtm: bool) {
        if self.is_damaged {
            return;
        }
        match tables.probe_wdl_after_zeroing(position) {
            Err(error) => self.lack(&error, position, "wdl"),
            Ok(wdl) => {
                self.compared_wdl += 1;
                let (outcome, is_cursed) = match wdl {
                    Wdl::Win => (Outcome::Win, false),
                    Wdl::CursedWin => (Outcome::Win, true),
                    Wdl::Draw => (Outcome::Draw, false),
                    Wdl::BlessedLoss => (Outcome::Loss, true),
                    Wdl::Loss => (Outcome::Loss, false),
                };
                self.cursed += usize::from(is_cursed);
                if outcome != value.outcome() {
                    self.differ(position, value, &outcome.word());
                    return;
                }
            }
        }
        match tables.probe_dtz(position) {
            Err(error) => self.lack(&error, position, "dtz"),
            Ok(dtz) => {
                self.compared_dtz += 1;
                if !agrees(position, value, dtz, is_dtm) {
                    let Dtz(plies) = dtz.ignore_rounding();
                    self.differ(position, value, &format_args!("DTZ {plies}"));
                }
            }
        }
    }

    /// Notes a table that was not there or could not be used.
    fn lack(&mut self, error: &SyzygyError, position: &Chess, metric: &str) {
        self.missing.insert(match error {
            SyzygyError::MissingTable { metric, material } => format!("{material} ({metric})"),
            SyzygyError::ProbeFailed {
                metric, material, ..
            } => {
                self.is_damaged = true;
                format!("{material} ({metric}), damaged")
            }
            // There is no table of so many men at all.
            SyzygyError::TooManyPieces => {
                let class = Material::of_board(position.board());
                let name =
                    class.map_or_else(|error| error.to_string(), |(class, _)| class.to_string());
                let (white, black) = name.split_at(name.rfind('K').unwrap_or(0));
                format!("{white}v{black} ({metric})")
            }
            error => error.to_string(),
        });
    }

    /// Notes a mismatch.
    fn differ(&mut self, position: &Chess, value: Value, theirs: &dyn fmt::Display) {
        self.mismatches += 1;
        if self.examples.len() < EXAMPLES {
            let fen = position_fen(position);
            self.examples
                .push(format!("{fen}: {value}, Syzygy {theirs}"));
        }
    }
}

/// Whether a distance to zeroing fits a value: the sign is that of the result, and the distance is not
/// longer than that to mate (at least 1, for Syzygy gives a mate 1; one more where it is rounded). Where nothing
/// zeroes before mate it is the distance to mate, but for mates.
fn agrees(position: &Chess, value: Value, dtz: MaybeRounded<Dtz>, is_dtm: bool) -> bool {
    let is_precise = dtz.precise().is_some();
    let Dtz(plies) = dtz.ignore_rounding();
    let distance = value.distance().map_or(0, |plies| i32::from(plies.get()));
    let longest = distance.max(1) + i32::from(!is_precise);
    match value.outcome() {
        Outcome::Draw => plies == 0,
        _ if is_dtm && !position.is_checkmate() => {
            let signed = if value.outcome() == Outcome::Win {
                distance
            } else {
                -distance
            };
            plies.abs_diff(signed) <= u32::from(!is_precise)
        }
        Outcome::Win => (1..=longest).contains(&plies),
        Outcome::Loss => (-longest..=-1).contains(&plies),
    }
}

fn print(report: &Report, output: &mut Output) -> Result<(), Failure> {
    let found = &report.findings;
    for (name, count) in [
        ("states, en-passant states included", report.states),
        ("compared in win, draw, loss", found.compared_wdl),
        ("compared in distance to zeroing", found.compared_dtz),
        ("wins that the fifty-move rule cancels", found.cursed),
        ("mismatches", found.mismatches),
    ] {
        output.line(&format!("{name:38} {}", grouped(count as u64)))?;
    }
    for example in &found.examples {
        output.line(&format!("  {example}"))?;
    }
    if !found.missing.is_empty() {
        let names: Vec<&str> = found.missing.iter().map(String::as_str).collect();
        output.line(&format!("missing tables: {}", names.join(", ")))?;
    }
    Ok(())
}
