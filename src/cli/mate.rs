//! `mate`: the shortest forced mate of a position, or of every position of a suite.

use std::path::{Path, PathBuf};
use std::time::Instant;

use dchess::certificate::{CertifiedMate, Format, may_claim};
use dchess::game::Observer;
use dchess::mate::{
    Answer, Budget, Keys, Mover, Moves, Question, Solution, WitnessError, shortest_mate,
    solve_problem, witnessed_mate,
};
use dchess::rules::{parse_fen, position_fen};

use super::cost::Clock;
use super::destination::{Cost, Destination, FormatArg};
use super::failure::{Exit, Failure};
use super::interrupt;
use super::mate_report::{Report, exit, length, print_page, print_solution};
use super::mate_suite;
use super::output::{Output, one_line};
use super::popeye;
use super::resources::Bytes;
use super::seconds::Span;
use super::solution_json::Judged;
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

A key is a first move that mates in N. With --all-keys all are shown, otherwise the first one in an order
of its own (checks first, then by the number of replies). With --any-key, --nodes or --time it is the one that
is found first, which may depend on --threads and --hash; nothing else does.

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
        required_unless_present_any = ["epd", "pgn"],
        conflicts_with_all = ["epd", "pgn"]
    )]
    fen: Option<String>,

    /// Look for mates in at most N moves
    #[arg(long, value_name = "N", required_unless_present = "epd",
        value_parser = clap::value_parser!(u8).range(1..=i64::from(Moves::LONGEST.get())))]
    max_moves: Option<u8>,

    /// Solve the positions of a file in EPD, `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) epd: Option<PathBuf>,

    /// Solve the positions in which the games of a file in PGN end, `-` for standard input
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "epd",
        requires = "max_moves"
    )]
    pub(crate) pgn: Option<PathBuf>,

    /// Write the lines of --epd with `dm`, `bm` and `pv` as they were found, `-` for standard output; with --pgn lines for the positions. Without
    /// --any-key and a budget all keys are looked for
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub(crate) epd_out: Option<PathBuf>,

    /// Positions of a suite to work on at a time [default: as many as threads]
    #[arg(long, value_name = "N", conflicts_with = "fen",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// The most positions to look at, about, for each position, and as many again for its certificate: the count is compared now and
    /// then, and some are looked at in any case
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// The most time for each position, like 10s or 2m; a number alone is seconds
    #[arg(long, value_name = "TIME")]
    time: Option<Span>,

    /// Play what mates after one reply again, move by move, after the next one (docs/forcing.md); no verdict depends on it
    #[arg(long)]
    forcing_graph: bool,

    /// Memory for what a search remembers, like 64M or 4G [default: 256M]
    #[arg(long, value_name = "BYTES")]
    hash: Option<Bytes>,

    /// The side to move is to be mated; in a suite where no length is stated
    #[arg(long, conflicts_with = "all_keys")]
    pub(crate) mated: bool,

    /// Find every key
    #[arg(long)]
    pub(crate) all_keys: bool,

    /// Show the key that is found first, which is sooner
    #[arg(long, conflicts_with_all = ["all_keys", "solution", "mated"])]
    any_key: bool,

    /// Print the whole solution as composers read it: set play, tries, keys, threats, variations, duals
    #[arg(long, conflicts_with_all = ["mated", "quiet"])]
    pub(crate) solution: bool,

    /// With --solution, show first moves with up to K refutations
    #[arg(long, value_name = "K", requires = "solution", default_value_t = 1)]
    tries: u16,

    /// How --solution writes moves
    #[arg(
        long,
        requires = "solution",
        conflicts_with = "json",
        default_value = "long"
    )]
    notation: popeye::Moves,

    /// The letter of a knight in --solution
    #[arg(long, requires = "solution", conflicts_with = "json", default_value = "S", value_parser = ["N", "S"])]
    knight: String,

    /// Print one line of JSON a position
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the certificate of the answer, with --epd a bundle of those of all answers; `-` for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "solution")]
    pub(crate) out: Option<PathBuf>,

    /// The encoding of the certificate [default: bin, or json if --out ends in .json]
    #[arg(long, requires = "out")]
    pub(crate) format: Option<FormatArg>,

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

    /// Which keys are wanted. Under a budget it is spent on the proof rather than on the choice among keys.
    pub(crate) const fn keys(&self, all: bool) -> Keys {
        match all {
            true => Keys::All,
            false if self.is_content_with_any_key() => Keys::Any,
            false => Keys::First,
        }
    }

    /// Whether the work is to go into the proof alone.
    pub(crate) const fn is_content_with_any_key(&self) -> bool {
        self.any_key || self.nodes.is_some() || self.time.is_some()
    }

    /// The budget of one position, when so many are worked on.
    fn budget(&self, jobs: usize) -> Budget {
        Budget {
            nodes: self.nodes.unwrap_or(u64::MAX),
            hash_bytes: self.hash.map_or(Budget::DEFAULT_HASH_BYTES, |hash| hash.0),
            threads: (self.threads.count() / jobs).max(1),
            forcing_graph: self.forcing_graph,
        }
    }

    /// When a search that begins now is to end.
    fn deadline(&self, start: Instant) -> Deadline {
        Deadline {
            end: self.time.and_then(|span| start.checked_add(span.0)),
        }
    }

    /// Answers a question within the budget of one position, with a certificate if one is to be written.
    ///
    /// # Errors
    ///
    /// If somebody interrupts it, or the certificate cannot be built.
    pub(crate) fn solve(&self, question: &Question, jobs: usize) -> Result<Solved, Failure> {
        let start = Instant::now();
        let deadline = self.deadline(start);
        let budget = self.budget(jobs);
        let mut solution = None;
        let (answer, witness) = match &self.out {
            None if self.solution && question.mover == Mover::Attacker => {
                let tries = usize::from(self.tries);
                let (answer, found) = solve_problem(question, &budget, tries, &deadline);
                solution = found;
                (answer, None)
            }
            None => (shortest_mate(question, &budget, &deadline), None),
            Some(_) => {
                let (answer, witness) =
                    witnessed_mate(question, &budget, LARGEST_WITNESS, &deadline);
                (answer, Some(witness))
            }
        };
        if interrupt::is_requested() {
            return Err(Failure::Interrupted);
        }
        let wall_seconds = start.elapsed().as_secs_f64();
        let certified = match witness {
            None | Some(Err(WitnessError::Undecided | WitnessError::Stopped)) => None,
            Some(Ok(witness)) => CertifiedMate::of(question, &answer, &witness),
            Some(Err(error @ WitnessError::TooLarge)) => {
                let fen = position_fen(&question.position);
                super::failure::warn(&format!("no certificate of `{fen}`: {error}"));
                None
            }
            Some(Err(error @ WitnessError::DoesNotHold)) => {
                return Err(Failure::context("cannot build the certificate", &error));
            }
        };
        Ok(Solved {
            answer,
            wall_seconds,
            certified,
            solution,
        })
    }

    /// How solutions are written.
    pub(crate) fn style(&self) -> popeye::Style {
        popeye::Style {
            moves: self.notation,
            knight: if self.knight == "N" { 'N' } else { 'S' },
        }
    }

    /// What the run cost so far.
    pub(crate) const fn cost(&self, clock: Clock) -> Cost {
        Cost {
            clock,
            threads: self.threads,
            refinement_seconds: None,
        }
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

/// An answer, how long it took, and what certifies it.
pub(crate) struct Solved {
    pub(crate) answer: Answer,
    pub(crate) wall_seconds: f64,
    /// None if nothing is decided or the budget was spent before it was there, and if none is to be written.
    pub(crate) certified: Option<CertifiedMate>,
    /// None if there is no mate or the budget was spent before it was there, and if it was not asked for.
    pub(crate) solution: Option<Solution>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    interrupt::listen();
    match (
        args.epd.as_ref().or(args.pgn.as_ref()),
        &args.fen,
        args.max_moves(),
    ) {
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
        keys: args.keys(args.all_keys),
        line: !args.json && !args.quiet,
    };
    if args.force && args.out.is_none() {
        let reason = "--force is about a file, which is written only with --out or --epd-out";
        return Err(Failure::Error(reason.to_owned()));
    }
    let Some(out) = &args.out else {
        let solved = args.solve(&question, 1)?;
        if args.json {
            output.json(&Report::of(&question, &solved, None, &Judged::default()))?;
        } else if args.solution && !args.quiet {
            print_solution(&question, &solved, &Judged::default(), args.style(), output)?;
        } else if !args.quiet {
            print_page(&question, &solved, output)?;
        }
        return Ok(match (args.solution, &solved.solution) {
            // The solution was asked for, and the budget was not enough for it.
            (true, None) if length(&solved.answer).is_some() => Exit::Undecided,
            _ => exit(&question, &solved.answer),
        });
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
    destination.check(|claim| may_claim(question, claim), args.force)?;
    let clock = Clock::start();
    let solved = args.solve(question, 1)?;
    let sealed = solved.certified.as_ref();
    let sealed = sealed
        .map(|mate| mate.seal(destination.format))
        .transpose()
        .map_err(|error| Failure::context("cannot build the certificate", &error))?;
    let written = match &sealed {
        None => {
            super::failure::warn("nothing was certified, and nothing is written");
            None
        }
        Some(sealed) => {
            match destination.deliver(sealed, &args.cost(clock), args.force, stdout)? {
                None => return Ok(Exit::Unusable),
                written => written,
            }
        }
    };
    let mut stderr = Output::stderr();
    let report = match &destination.path {
        // A certificate on standard output is alone there.
        None => &mut stderr,
        Some(_) => stdout,
    };
    if args.json {
        let certificate = sealed.as_ref().map(|_| destination.shown());
        report.json(&Report::of(
            question,
            &solved,
            certificate,
            &Judged::default(),
        ))?;
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
