//! `mate`: the shortest forced mate of a position, or of every position of a suite.

use std::path::{Path, PathBuf};
use std::time::Instant;

use dchess::certificate::{Format, Sealed, mate_claim_start};
use dchess::game::{Observer, Plies};
use dchess::mate::{
    Answer, Budget, Mover, Moves, Question, Verdict, WitnessError, shortest_mate, solve_problem,
    witnessed_mate,
};
use dchess::rules::{Notation, parse_fen, position_fen, san_line, uci, win_transfers};
use serde::Serialize;
use shakmaty::{Chess, Position};

use super::cost::Clock;
use super::destination::{Cost, Destination, FormatArg};
use super::failure::{Exit, Failure};
use super::interrupt;
use super::mate_suite;
use super::output::{Output, grouped, one_line};
use super::popeye;
use super::resources::Bytes;
use super::seconds::Span;
use super::threads::Threads;

/// Positions and moves of a witness, at most.
const LARGEST_WITNESS: usize = 1 << 27;

/// Prove the shortest forced mate of a position, or that there is none
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A mate in N is proved, and it is proved that there is none in N-1; or it is refuted that there is one
within --max-moves; or the budget ends first, and it is undecided. Castling and en passant exist as the
FEN says. The rules are those of the board, without history; whether a mate stands under the fifty-move
rule and repetition is said apart, for the halfmove clock of the FEN and no earlier occurrences.

A key is a first move that mates in N. One is shown, or with --all-keys all. Which one is shown
without --all-keys may depend on --threads and --hash; nothing else does.

--epd takes positions from a file, `-` for standard input: four fields, then operations. A length stated
as `dm N`, `bm #N` or `bm #-N` (the side to move is mated) is compared with the one that is proved, and moves
after `bm` and `am` with the keys. Empty lines and lines that begin with # are passed over; a line that cannot
be used is reported with its number, and the run goes on. Without --max-moves a position is searched up to
its stated length. Budgets are for each position.

Exit codes: 0 proved, or all positions of a suite as stated; 1 refuted, or any differs; 2 wrong input;
3 undecided.

Examples:
  dchess mate '7k/8/8/6K1/8/8/8/5Q2 w - - 0 1' --max-moves 3
  dchess mate --mated '7k/8/6K1/8/8/8/8/5Q2 b - - 0 1' --max-moves 3 --json
  dchess mate '8/8/6N1/b7/6R1/2k5/B7/R3K3 w Q - 0 1' --max-moves 2 --solution
  dchess mate --epd problems.epd --all-keys --epd-out solved.epd")]
pub(crate) struct Args {
    /// A position as FEN, in quotes
    #[arg(
        value_name = "FEN",
        required_unless_present = "epd",
        conflicts_with = "epd"
    )]
    fen: Option<String>,

    /// Look for mates in at most N moves
    #[arg(long, value_name = "N", required_unless_present = "epd",
        value_parser = clap::value_parser!(u8).range(1..=i64::from(Moves::LONGEST.get())))]
    max_moves: Option<u8>,

    /// Solve the positions of a file in EPD, `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) epd: Option<PathBuf>,

    /// Write the lines of --epd with `dm`, `bm` and `pv` as they were found
    #[arg(long, value_name = "FILE", requires = "epd")]
    pub(crate) epd_out: Option<PathBuf>,

    /// Positions of --epd to work on at a time [default: as many as threads]
    #[arg(long, value_name = "N", requires = "epd",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// The most positions to look at, for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// The most time for each position, like 10s or 2m
    #[arg(long, value_name = "TIME")]
    time: Option<Span>,

    /// Memory for what a search remembers, like 64M or 4G [default: 256M]
    #[arg(long, value_name = "BYTES")]
    hash: Option<Bytes>,

    /// The side to move is to be mated
    #[arg(long)]
    pub(crate) mated: bool,

    /// Find every key
    #[arg(long)]
    pub(crate) all_keys: bool,

    /// Print the whole solution as composers read it: set play, tries, keys, threats, variations, duals
    #[arg(long, conflicts_with_all = ["epd", "json", "mated"])]
    solution: bool,

    /// With --solution, show first moves with up to K refutations
    #[arg(long, value_name = "K", requires = "solution", default_value_t = 1)]
    tries: u16,

    /// How --solution writes moves
    #[arg(long, requires = "solution", default_value = "long")]
    notation: popeye::Moves,

    /// The letter of a knight in --solution
    #[arg(long, requires = "solution", default_value = "S", value_parser = ["N", "S"])]
    knight: String,

    /// Print one line of JSON a position
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the certificate of the answer, `-` for standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["epd", "solution"])]
    out: Option<PathBuf>,

    /// The encoding of the certificate [default: bin, or json if --out ends in .json]
    #[arg(long, requires = "out")]
    format: Option<FormatArg>,

    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but faults
    #[arg(long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    threads: Threads,
}

impl Args {
    /// The longest mate to look for.
    pub(crate) fn max_moves(&self) -> Option<Moves> {
        self.max_moves.and_then(Moves::new)
    }

    /// Positions to work on at a time.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| self.threads.count(), usize::from)
    }

    /// The budget of one position, when so many are worked on.
    fn budget(&self, jobs: usize) -> Budget {
        Budget {
            nodes: self.nodes.unwrap_or(u64::MAX),
            hash_bytes: self.hash.map_or(Budget::DEFAULT_HASH_BYTES, |hash| hash.0),
            threads: (self.threads.count() / jobs).max(1),
        }
    }

    /// When a search that begins now is to end.
    fn deadline(&self, start: Instant) -> Deadline {
        Deadline {
            end: self.time.and_then(|span| start.checked_add(span.0)),
        }
    }

    /// Answers a question within the budget of one position.
    ///
    /// # Errors
    ///
    /// If somebody interrupts it.
    pub(crate) fn solve(&self, question: &Question, jobs: usize) -> Result<Solved, Failure> {
        let start = Instant::now();
        let deadline = self.deadline(start);
        let answer = shortest_mate(question, &self.budget(jobs), &deadline);
        if interrupt::is_requested() {
            return Err(Failure::Interrupted);
        }
        Ok(Solved {
            answer,
            wall_seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// Stops a search when its time is over, or somebody interrupts it.
struct Deadline {
    end: Option<Instant>,
}

impl Observer for Deadline {
    fn begin(&self, _stage: &str, _steps: u64) {}

    fn advance(&self, _steps: u64) {}

    fn is_interrupted(&self) -> bool {
        interrupt::is_requested() || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// An answer and how long it took.
pub(crate) struct Solved {
    pub(crate) answer: Answer,
    wall_seconds: f64,
}

/// What `--json` prints for a position.
#[derive(Serialize)]
pub(crate) struct Report {
    fen: String,
    status: &'static str,
    mate_in: Option<u8>,
    plies: Option<u16>,
    keys: Vec<String>,
    nodes: u64,
    wall_seconds: f64,
    stands_under_fcs: Option<bool>,
    certificate: Option<String>,
}

impl Report {
    pub(crate) fn of(question: &Question, solved: &Solved) -> Report {
        let answer = &solved.answer;
        let length = length(answer);
        let plies = length.map(|length| length.plies(question.mover));
        Report {
            fen: position_fen(&question.position),
            status: status(answer.verdict),
            mate_in: length.map(Moves::get),
            plies: plies.map(Plies::get),
            keys: answer.keys.iter().map(|&key| uci(key)).collect(),
            nodes: answer.nodes,
            wall_seconds: solved.wall_seconds,
            stands_under_fcs: plies.map(|plies| stands(&question.position, plies)),
            certificate: None,
        }
    }
}

const fn status(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved(_) => "proved",
        Verdict::Refuted => "refuted",
        Verdict::Undecided => "undecided",
    }
}

/// The length of the mate that is proved.
pub(crate) const fn length(answer: &Answer) -> Option<Moves> {
    match answer.verdict {
        Verdict::Proved(length) => Some(length),
        Verdict::Refuted | Verdict::Undecided => None,
    }
}

/// Whether a mate certainly stands under the complete rules, with the clock of the position.
fn stands(position: &Chess, plies: Plies) -> bool {
    win_transfers(plies, position.halfmoves())
}

/// The keys in SAN, in one line.
pub(crate) fn keys_line(position: &Chess, answer: &Answer) -> String {
    let keys = answer.keys.iter();
    let keys: Vec<String> = keys.map(|&key| Notation::of(position, key).san).collect();
    keys.join(" ")
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    interrupt::listen();
    match (&args.epd, &args.fen, args.max_moves()) {
        (Some(path), _, _) => mate_suite::run(args, path, output),
        (None, Some(fen), Some(max_moves)) => run_one(args, fen, max_moves, output),
        (None, _, _) => Err(Failure::Error("a FEN and --max-moves are needed".into())),
    }
}

fn run_one(args: &Args, fen: &str, max_moves: Moves, output: &mut Output) -> Result<Exit, Failure> {
    let position =
        parse_fen(fen).map_err(|error| Failure::Error(format!("`{}`: {error}", one_line(fen))))?;
    let question = Question {
        position,
        mover: if args.mated {
            Mover::Defender
        } else {
            Mover::Attacker
        },
        max_moves,
        all_keys: args.all_keys,
        line: !args.json && !args.quiet,
    };
    if args.solution {
        return run_solution(args, &question, output);
    }
    if args.force && args.out.is_none() {
        let reason = "--force is about a file, which is written only with --out or --epd-out";
        return Err(Failure::Error(reason.to_owned()));
    }
    let Some(out) = &args.out else {
        let solved = args.solve(&question, 1)?;
        if args.json {
            output.json(&Report::of(&question, &solved))?;
        } else if !args.quiet {
            print_page(&question, &solved, output)?;
        }
        return Ok(exit(&question, &solved.answer));
    };
    run_certified(args, &question, out, output)
}

/// Answers a question and writes the certificate of the answer.
fn run_certified(
    args: &Args,
    question: &Question,
    out: &Path,
    stdout: &mut Output,
) -> Result<Exit, Failure> {
    let destination = Destination::of(Some(out), args.format, "", Format::Compressed)?;
    let start = mate_claim_start(question);
    destination.check(|claim| claim.starts_with(&start), args.force)?;
    let clock = Clock::start();
    let start = Instant::now();
    let deadline = args.deadline(start);
    let (answer, witness) = witnessed_mate(question, &args.budget(1), LARGEST_WITNESS, &deadline);
    if interrupt::is_requested() {
        return Err(Failure::Interrupted);
    }
    let solved = Solved {
        answer,
        wall_seconds: start.elapsed().as_secs_f64(),
    };
    let sealed = match witness {
        Ok(witness) => Sealed::mate(question, &solved.answer, &witness, destination.format)
            .map_err(|error| Failure::context("cannot build the certificate", &error))?,
        Err(WitnessError::Undecided | WitnessError::Stopped) => None,
        Err(error) => return Err(Failure::context("cannot build the certificate", &error)),
    };
    let cost = Cost {
        clock,
        threads: args.threads,
        refinement_seconds: None,
    };
    let written = match &sealed {
        None => None,
        Some(sealed) => match destination.deliver(sealed, &cost, args.force, stdout)? {
            None => return Ok(Exit::Unusable),
            written => written,
        },
    };
    let mut stderr = Output::stderr();
    let report = match &destination.path {
        // A certificate on standard output is alone there.
        None => &mut stderr,
        Some(_) => stdout,
    };
    if args.json {
        let mut line = Report::of(question, &solved);
        line.certificate = sealed.as_ref().map(|_| destination.shown());
        report.json(&line)?;
    } else if !args.quiet {
        print_page(question, &solved, report)?;
        if let (Some(sealed), Some(written)) = (&sealed, written) {
            destination.print(sealed, written, report)?;
        }
    }
    stderr.finish()?;
    match sealed {
        None => Ok(Exit::Undecided),
        Some(_) => Ok(exit(question, &solved.answer)),
    }
}

fn run_solution(args: &Args, question: &Question, output: &mut Output) -> Result<Exit, Failure> {
    let start = Instant::now();
    let deadline = args.deadline(start);
    let tries = usize::from(args.tries);
    let (answer, solution) = solve_problem(question, &args.budget(1), tries, &deadline);
    if interrupt::is_requested() {
        return Err(Failure::Interrupted);
    }
    let solved = Solved {
        answer,
        wall_seconds: start.elapsed().as_secs_f64(),
    };
    let exit = match (&solution, solved.answer.verdict) {
        (None, Verdict::Proved(_)) => Exit::Undecided,
        _ => exit(question, &solved.answer),
    };
    if args.quiet {
        return Ok(exit);
    }
    let style = popeye::Style {
        moves: args.notation,
        knight: if args.knight == "N" { 'N' } else { 'S' },
    };
    output.line(&position_fen(&question.position))?;
    output.line(&sentence(question, &solved.answer))?;
    output.line("")?;
    if let Some(solution) = &solution {
        for line in popeye::lines(solution, style) {
            output.line(&line)?;
        }
        for line in popeye::remarks(solution, style) {
            output.line(&line)?;
        }
    }
    output.line(&spent(&solved))?;
    Ok(exit)
}

/// What the answer took.
fn spent(solved: &Solved) -> String {
    format!(
        "{} positions looked at in {:.2} s",
        grouped(solved.answer.nodes),
        solved.wall_seconds
    )
}

/// A set of keys that was asked for and is not complete leaves the question open.
fn exit(question: &Question, answer: &Answer) -> Exit {
    let wants_keys = question.all_keys && question.mover == Mover::Attacker;
    match answer.verdict {
        Verdict::Proved(_) if wants_keys && !answer.are_all_keys => Exit::Undecided,
        Verdict::Proved(_) => Exit::Established,
        Verdict::Refuted => Exit::DoesNotHold,
        Verdict::Undecided => Exit::Undecided,
    }
}

fn print_page(question: &Question, solved: &Solved, output: &mut Output) -> Result<(), Failure> {
    let Question { position, .. } = question;
    let answer = &solved.answer;
    output.line(&position_fen(position))?;
    output.line(&sentence(question, answer))?;
    if !answer.keys.is_empty() {
        let word = match (question.all_keys, answer.are_all_keys, answer.keys.len()) {
            (true, true, 1) => "the only key",
            (true, true, _) => "all keys",
            (true, false, _) => "a key; others are undecided",
            (false, _, _) => "a key",
        };
        output.line(&format!("{}  ({word})", keys_line(position, answer)))?;
    }
    if !answer.line.is_empty() {
        output.line(&san_line(position, &answer.line))?;
    }
    if let Some(length) = length(answer) {
        let plies = length.plies(question.mover);
        output.line(if stands(position, plies) {
            "It stands under the fifty-move rule and repetition; assumes no earlier occurrences."
        } else {
            "Whether it stands under the fifty-move rule is not said: the halfmove clock is too far."
        })?;
    }
    output.line(&spent(solved))
}

fn sentence(question: &Question, answer: &Answer) -> String {
    let Question {
        position, mover, ..
    } = question;
    let side = position.turn().fold_wb("White", "Black");
    let (mates, mate) = match mover {
        Mover::Attacker => ("mates", "mate"),
        Mover::Defender => ("is mated", "be mated"),
    };
    match (answer.verdict, answer.refuted) {
        (Verdict::Proved(Moves::ZERO), _) => format!("{side} is checkmated"),
        (Verdict::Proved(length), _) => format!("{side} {mates} in {length}, and no sooner"),
        (Verdict::Refuted, _) => format!(
            "{side} cannot be made to {mate} within {}",
            question.max_moves
        )
        .replace("be made to mate", "force mate"),
        (Verdict::Undecided, Some(refuted)) if refuted > Moves::ZERO => {
            format!("undecided; no mate within {refuted}")
        }
        (Verdict::Undecided, _) => "undecided".to_owned(),
    }
}
