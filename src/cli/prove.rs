//! `prove`: bounds of the value of any position, certified.

use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use dchess::certificate::{Format, Sealed, proof_claim};
use dchess::endgame::{Library, Material};
use dchess::game::Interval;
use dchess::proof::{Effort, Ground, Profile, Proved, Stop, prove};
use dchess::rules::{State, position_fen};
use shakmaty::{Color, Position, Role};

use super::cost::Clock;
use super::destination::{Cost, Destination, FormatArg};
use super::failure::{Exit, Failure};
use super::history::read_history;
use super::interrupt;
use super::output::{Output, shown_path};
use super::plan::closure;
use super::progress::Progress;
use super::prove_report;
use super::resources::Bytes;
use super::seconds::Span;
use super::shelf::{Shelf, own_fault};
use super::threads::Threads;

/// Memory that a position that is kept takes, roughly, with all that refers to it.
const BYTES_A_POSITION: u64 = 800;

/// Prove the value of any position, or bounds of it, under the complete rules or on the board alone
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The value is White's: +1 if White wins, 0 for a draw, -1 if Black wins. A search begins with [-1, +1] and narrows
it as far as it gets; whatever was proved by then is certified, also if it is nothing. With the profile fcs, the
clock and the repetitions of the FEN and the moves count, and draws may be claimed; a FEN alone says nothing of
what has occurred before. With the profile board they do not.

Play ends at mates, stalemates, dead positions, and at the tables of --tables, which are verified first. All
positions are kept in memory; the search ends when --hash is full.

Exit codes: 0 the value is known; 3 it is not, after --nodes, --time or --hash.

Examples:
  dchess prove '8/8/8/8/8/4k3/4p3/4K3 b - - 0 1'
  dchess prove '7k/5K2/8/6Q1/8/8/8/8 w - - 98 90' --out proof.bin
  dchess prove '8/8/1KP5/3r4/8/8/8/k7 w - - 0 1' --tables certificates
  dchess prove --time 60s --hash 2G")]
pub(crate) struct Args {
    /// The position, as FEN in quotes [default: the initial position]
    #[arg(value_name = "FEN")]
    fen: Option<String>,

    /// Moves from there, as UCI or SAN, in quotes: the value of the position after them is proved, with its history
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    /// The rules
    #[arg(long, value_enum, default_value_t = ProfileArg::Fcs)]
    profile: ProfileArg,

    /// A folder of tables to use; those that the position can come to are verified first
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// The most positions to look at, about [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// The most time to search, like 10s or 2m [default: no limit]
    #[arg(long, value_name = "TIME")]
    time: Option<Span>,

    /// The most memory for the positions of the search
    #[arg(long, value_name = "BYTES", default_value = "1G")]
    hash: Bytes,

    /// Where the certificate goes, `-` for standard output [default: none is written]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The encoding of the certificate [default: bin, or json if --out ends in .json]
    #[arg(long, requires = "out")]
    format: Option<FormatArg>,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    /// Replace a file that holds something else
    #[arg(long, requires = "out")]
    force: bool,

    /// Print neither progress nor the result
    #[arg(long)]
    quiet: bool,
}

/// `--profile`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProfileArg {
    /// The complete game: claims, repetition, the clock
    Fcs,
    /// Without history: nothing is counted
    Board,
}

/// What was proved, for the report.
pub(crate) struct Found<'a> {
    pub(crate) state: &'a State,
    pub(crate) proved: &'a Proved,
    pub(crate) sealed: &'a Sealed,
    /// Whether earlier occurrences may be missing.
    pub(crate) assumes: bool,
    /// Classes whose tables the proof rests on.
    pub(crate) tables: &'a [Material],
}

pub(crate) fn run(args: &Args, stdout: &mut Output) -> Result<Exit, Failure> {
    let clock = Clock::start();
    let begin = Instant::now();
    let history = read_history(args.fen.as_deref(), args.moves.as_deref())?;
    let state = history.last_state()?;
    let profile = match args.profile {
        ProfileArg::Fcs => Profile::Fcs,
        ProfileArg::Board => Profile::Board,
    };
    let moves = state.position().legal_moves().len();
    if moves > usize::from(u8::MAX) {
        return Err(Failure::Error(format!(
            "{} has {moves} legal moves; a proof can say something of 255 at most",
            position_fen(state.position())
        )));
    }
    let destination = match &args.out {
        Some(out) => Some(Destination::of(
            Some(out),
            args.format,
            "",
            Format::Compressed,
        )?),
        None => None,
    };
    if let Some(destination) = &destination {
        let claims: Vec<String> = claims(profile, &state);
        destination.check(|claim| claims.iter().any(|ours| ours == claim), args.force)?;
    }
    interrupt::listen();
    let progress = Progress::new(args.quiet);
    let mut shelf = Shelf::read_only(match &args.tables {
        Some(folder) if !folder.is_dir() => {
            return Err(Failure::Error(format!(
                "{} is not a folder",
                shown_path(folder)
            )));
        }
        Some(folder) => folder.clone(),
        None => PathBuf::new(),
    });
    if args.tables.is_some() {
        load(&mut shelf, &state, &progress)?;
    }
    let is_late = || {
        let is_over = args.time.is_some_and(|time| begin.elapsed() >= time.0);
        is_over || interrupt::is_requested()
    };
    let limit = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let effort = Effort {
        nodes: args.nodes.map_or(usize::MAX, limit),
        kept: limit(args.hash.0 / BYTES_A_POSITION).min(1 << 30),
        is_late: &is_late,
    };
    let proved = prove(
        profile,
        &state,
        Ground::new(shelf.library()),
        effort,
        &progress,
    )?;
    let tables = tables_of(shelf.library(), &proved);
    let children: Vec<_> = tables
        .iter()
        .filter_map(|class| shelf.id(class).map(|id| (class.clone(), id)))
        .collect();
    let format = destination
        .as_ref()
        .map_or(Format::Compressed, |destination| destination.format);
    let sealed = Sealed::proof(&state, &proved, &children, format)
        .map_err(|error| Failure::context("cannot build the certificate", &error))?;
    shelf
        .judge(&sealed)
        .map_err(|refusal| own_fault(sealed.claim(), &refusal))?;
    drop(progress);
    let exit = match proved.stop {
        Stop::Decided => Exit::Established,
        Stop::Budget | Stop::Exhausted => Exit::Undecided,
    };
    let found = Found {
        state: &state,
        proved: &proved,
        sealed: &sealed,
        assumes: profile == Profile::Fcs && history.assumes(&state),
        tables: &tables,
    };
    deliver(args, destination, &found, clock, stdout, exit)
}

/// Writes the certificate if it is wanted, and says what was proved.
fn deliver(
    args: &Args,
    destination: Option<Destination>,
    found: &Found<'_>,
    clock: Clock,
    stdout: &mut Output,
    exit: Exit,
) -> Result<Exit, Failure> {
    let mut spare = None;
    let mut delivered = None;
    if let Some(destination) = destination {
        let (destination, note) = destination.or_spare(found.sealed, args.force);
        spare = note;
        let cost = Cost {
            clock,
            threads: Threads::ONE,
            refinement_seconds: None,
        };
        let written = destination.deliver(found.sealed, &cost, args.force, stdout)?;
        let Some(written) = written else {
            return Ok(Exit::Unusable);
        };
        delivered = Some((destination, written));
    }
    let mut stderr = Output::stderr();
    let report = match &delivered {
        // A certificate on standard output is alone there.
        Some((Destination { path: None, .. }, _)) => &mut stderr,
        _ => stdout,
    };
    if args.json {
        let shown = delivered.as_ref().map(|(place, _)| place.shown());
        prove_report::print_json(found, shown.as_deref(), report)?;
    } else if !args.quiet {
        prove_report::print(found, report)?;
        if let Some((destination, written)) = &delivered {
            destination.print(found.sealed, *written, report)?;
        }
    }
    stderr.finish()?;
    match spare {
        Some(text) => Err(Failure::Error(text)),
        None => Ok(exit),
    }
}

/// What may be found out.
fn claims(profile: Profile, state: &State) -> Vec<String> {
    let bounds = (-1..=1).flat_map(|lower| (lower..=1).map(move |upper| (lower, upper)));
    let claim = |(lower, upper)| proof_claim(profile, state, Interval { lower, upper });
    bounds.map(claim).collect()
}

/// Makes those tables of the folder available that the position can come to, if all that they rest on are there too.
fn load(shelf: &mut Shelf, state: &State, progress: &Progress) -> Result<(), Failure> {
    for class in shelf.classes()? {
        let needed = closure(&class);
        let is_there = needed.iter().all(|class| shelf.path(class).is_file());
        if is_there && may_arise(state, &class) {
            for class in &needed {
                shelf.provide(class, progress)?;
            }
        }
    }
    Ok(())
}

/// Whether captures and promotions may lead from a state to a class, its colours exchanged if need be.
fn may_arise(state: &State, class: &Material) -> bool {
    let board = state.position().board();
    let may_have = |color: Color, of_class: Color| {
        let count = |role| {
            let men = class.men().iter();
            men.filter(|man| man.color == of_class && man.role == role)
                .count()
        };
        let pawns = board.by_piece(Role::Pawn.of(color)).count();
        let made: usize = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .map(|role| count(role).saturating_sub(board.by_piece(role.of(color)).count()))
            .sum();
        made + count(Role::Pawn) <= pawns
    };
    [Color::White, Color::Black]
        .into_iter()
        .any(|white| may_have(white, Color::White) && may_have(!white, Color::Black))
}

/// The classes whose tables a proof rests on, in the order of their claims.
fn tables_of(library: &Library, proved: &Proved) -> Vec<Material> {
    let mut classes: Vec<Material> = Vec::new();
    for position in proved.table_positions() {
        let class = Material::of_board(position.board()).map(|(class, _)| class);
        match class {
            Ok(class) if library.contains(&class) && !classes.contains(&class) => {
                classes.push(class);
            }
            _ => {}
        }
    }
    classes.sort_by_key(ToString::to_string);
    classes
}
