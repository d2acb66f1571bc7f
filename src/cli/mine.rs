//! `mine`: finds remarkable positions in a table.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::ValueEnum;
use dchess::endgame::{Enumeration, Library, OnlyMoves, Placement, Zugzwang, value_of};
use dchess::game::{StateIndex, Value};
use shakmaty::Color;

use super::failure::{Exit, Failure, warn};
use super::find::{Find, Why};
use super::interrupt;
use super::output::{Output, grouped, shown_path};
use super::progress::Progress;
use super::sample::Sample;
use super::sink::Sink;
use super::table::Table;
use super::threads::Threads;

/// Find remarkable positions in a table: longest mates, mutual zugzwangs, only moves
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints the positions in canonical order, up to symmetry, one line of EPD each: the first four
fields of a FEN, then operations. `ce` is the exact value for the side to move (32767 less the plies
to mate; the other sign if it is mated; 0 for a draw), `dm` the moves to mate if it wins, `bm` the
only move, `id` names the position, `c0` says it in words, `c1` whether the table was checked.

--longest    every position with the largest distance to mate, of either side to move
--zugzwang   every placement in which whoever moves would rather not, with White to move:
             white-draws-black-loses  White to move draws, Black to move loses
             white-loses-black-draws  White to move loses, Black to move draws
             full-point               whoever moves loses
--only-move  every position in which one of several moves is the only one that wins or, where none
             wins, the only one that draws; needs the tables that captures and promotions lead into,
             beside the certificate as CLASS.bin

Positions with a right to capture en passant are left out.

Exit codes: 0 searched to the end, 1 --verify refuted the certificate, 2 otherwise.

Examples:
  dchess mine certificates/KRK.bin --longest
  dchess mine tables/KPKP.bin --zugzwang --kind full-point --out trebuchets.epd
  dchess mine tables/KQKR.bin --only-move --sample 100 --seed 7")]
pub(crate) struct Args {
    /// The certificate of an endgame, `-` for standard input
    certificate: PathBuf,

    #[command(flatten)]
    what: What,

    /// Mutual zugzwangs of this kind only
    #[arg(long, value_name = "KIND", conflicts_with_all = ["longest", "only_move"])]
    kind: Option<Kind>,

    /// The first N positions only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// N positions at random, still in canonical order
    #[arg(long, value_name = "N", conflicts_with = "limit", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,

    /// What the sample follows from: the same number gives the same positions
    #[arg(long, value_name = "N", requires = "sample", default_value_t = 0)]
    seed: u64,

    /// Where the positions go, `-` for standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,

    /// Replace a file that is there
    #[arg(long)]
    force: bool,

    /// Check the certificate first
    #[arg(long)]
    verify: bool,

    /// Print one line of JSON a position instead of EPD
    #[arg(long)]
    json: bool,

    /// Print neither progress nor the number of positions
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    threads: Threads,
}

/// What is looked for: one of three things.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct What {
    /// The longest mates
    #[arg(long)]
    longest: bool,

    /// Mutual zugzwangs
    #[arg(long)]
    zugzwang: bool,

    /// Positions with an only move
    #[arg(long)]
    only_move: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// White to move draws, Black to move loses
    WhiteDrawsBlackLoses,
    /// White to move loses, Black to move draws
    WhiteLosesBlackDraws,
    /// Whoever moves loses
    FullPoint,
}

impl Kind {
    fn zugzwang(self) -> Zugzwang {
        match self {
            Kind::WhiteDrawsBlackLoses => Zugzwang::WhiteDrawsBlackLoses,
            Kind::WhiteLosesBlackDraws => Zugzwang::WhiteLosesBlackDraws,
            Kind::FullPoint => Zugzwang::FullPoint,
        }
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let table = Table::open(&args.certificate, args.verify)?;
    let library = match args.what.only_move {
        true => Some(whole_library(&table)?),
        false => None,
    };
    // Until here Ctrl-C ends the process at once: reading and verifying do not look out for it.
    interrupt::listen();
    let mut sink = Sink::open(Some(&args.out), Some(&args.certificate), args.force, output)?;
    let progress = Progress::new(args.quiet || sink.is_terminal());
    let count = args
        .threads
        .pool()?
        .install(|| mine(args, &table, library.as_ref(), &progress, &mut sink))?;
    drop(progress);
    if count == 0 && !args.quiet {
        warn(&format!("no such position in {}", table.material));
    }
    if sink.finish()? && !args.quiet && !args.json {
        let checked = if table.is_verified {
            ""
        } else {
            ", not verified"
        };
        output.line(&format!(
            "{} positions of {}{checked}: {}",
            grouped(count),
            table.material,
            shown_path(&args.out)
        ))?;
    }
    Ok(Exit::Established)
}

/// The table with all tables that a move can lead into.
fn whole_library(table: &Table) -> Result<Library, Failure> {
    let (library, lacking) = table.library()?;
    if lacking.is_empty() {
        return Ok(library);
    }
    Err(Failure::Error(format!(
        "only moves need the tables that captures and promotions lead into: {}",
        lacking.join("; ")
    )))
}

/// Goes through the table and writes what is looked for; says how many positions were written.
fn mine(
    args: &Args,
    table: &Table,
    library: Option<&Library>,
    progress: &Progress,
    sink: &mut Sink,
) -> Result<u64, Failure> {
    let enumeration = Enumeration::of(&table.material, progress)?;
    if enumeration.ordinary() != table.values().len() {
        return Err(table.wrong_number());
    }
    let search = Search::new(args, table, library)?;
    let mut sample = args
        .sample
        .map(|size| Sample::new(size as usize, args.seed));
    let (mut place, mut written) = (0, 0);
    enumeration.each_block(
        progress,
        |placements| {
            let mut finds = Vec::new();
            for placement in placements {
                search.visit(&placement, &mut finds);
            }
            finds
        },
        |finds| {
            for find in finds {
                place += 1;
                if !wanted(args, &find) {
                    continue;
                }
                if let Some(sample) = &mut sample {
                    sample.offer(place, find);
                    continue;
                }
                written += 1;
                let flow = sink.bytes(search.line(place, &find)?.as_bytes())?;
                if flow.is_break() || args.limit == Some(written) {
                    return Ok::<_, Failure>(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    for (place, find) in sample.map(Sample::into_order).unwrap_or_default() {
        written += 1;
        if sink
            .bytes(search.line(place, &find)?.as_bytes())?
            .is_break()
        {
            break;
        }
    }
    Ok(written)
}

/// Whether a find is of the kind that is asked for. One that is not keeps its place in the list, so
/// that the same position always has the same name.
fn wanted(args: &Args, find: &Find) -> bool {
    match (args.kind, &find.why) {
        (Some(kind), Why::Zugzwang(found, _)) => kind.zugzwang() == *found,
        _ => true,
    }
}

/// What is looked for in which table.
struct Search<'a> {
    table: &'a Table,
    json: bool,
    goal: Goal<'a>,
}

enum Goal<'a> {
    /// States with this byte.
    Longest(Option<u8>),
    Zugzwang,
    OnlyMove(OnlyMoves<'a>),
}

impl<'a> Search<'a> {
    fn new(
        args: &Args,
        table: &'a Table,
        library: Option<&'a Library>,
    ) -> Result<Search<'a>, Failure> {
        let goal = match library {
            Some(library) => Goal::OnlyMove(
                OnlyMoves::of(library, &table.material)
                    .map_err(|error| Failure::Error(error.to_string()))?,
            ),
            None if args.what.zugzwang => Goal::Zugzwang,
            None => {
                let decided = |byte: &u8| value_of(*byte) != Value::Draw;
                Goal::Longest(table.values().iter().copied().filter(decided).max())
            }
        };
        Ok(Search {
            table,
            json: args.json,
            goal,
        })
    }

    fn value(&self, number: StateIndex) -> Value {
        value_of(self.table.values()[number.get()])
    }

    /// Adds what is looked for of a placement.
    fn visit(&self, placement: &Placement, finds: &mut Vec<Find>) {
        match &self.goal {
            Goal::Longest(byte) => {
                for (number, state) in placement.states() {
                    if Some(self.table.values()[number.get()]) == *byte {
                        finds.push(Find {
                            state,
                            value: self.value(number),
                            why: Why::Longest,
                        });
                    }
                }
            }
            Goal::Zugzwang => finds.extend(self.zugzwang(placement)),
            Goal::OnlyMove(only_moves) => {
                for (_, state) in placement.states() {
                    if let Some((mv, value)) = only_moves.in_state(placement, state.turn()) {
                        finds.push(Find {
                            state,
                            value,
                            why: Why::OnlyMove(mv),
                        });
                    }
                }
            }
        }
    }

    fn zugzwang(&self, placement: &Placement) -> Option<Find> {
        let white = self.value(placement.number(Color::White)?);
        let black = self.value(placement.number(Color::Black)?);
        let kind = Zugzwang::of(white.outcome(), black.outcome())?;
        Some(Find {
            state: placement.state(Color::White),
            value: white,
            why: Why::Zugzwang(kind, black),
        })
    }

    /// The line of a find.
    fn line(&self, place: u64, find: &Find) -> Result<String, Failure> {
        let line = find.line(self.table, place, self.json);
        line.ok_or_else(|| {
            Failure::Error(format!(
                "the find {place} is no position; this is a fault of dchess, please report it"
            ))
        })
    }
}
