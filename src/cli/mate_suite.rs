//! `mate --epd` and `mate --pgn`: the positions of a suite, compared with what is stated about them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use dchess::mate::{Answer, Mover, Moves, Question, Verdict};
use dchess::rules::position_fen;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::{Move, Position};

use super::bundle_file::{BundleFile, Delivered};
use super::cost::Clock;
use super::epd_line::{EpdLine, Stated};
use super::failure::{Exit, Failure};
use super::mate::{Args, Solved};
use super::mate_report::{Report, keys_line, length, print_solution};
use super::output::{Output, grouped, one_line};
use super::pgn_games::{GameEnd, Games};
use super::sink::Sink;
use super::solution_json::Judged;

/// How a position compares with what is stated about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    /// The shortest mate has the stated length, and the stated moves are keys.
    AsStated,
    /// There is a shorter mate.
    Shorter,
    /// There is a mate, but a longer one.
    Longer,
    /// There is no mate within the stated length, nor as far as was looked.
    Refuted,
    /// The length is as stated, the keys are not.
    OtherKeys,
    /// The budget was spent, or --max-moves is less than the stated length.
    Undecided,
    /// Nothing is stated.
    NothingStated,
}

impl Comparison {
    const fn word(self) -> &'static str {
        match self {
            Comparison::AsStated => "as stated",
            Comparison::Shorter => "shorter",
            Comparison::Longer => "longer",
            Comparison::Refuted => "refuted",
            Comparison::OtherKeys => "other keys",
            Comparison::Undecided => "undecided",
            Comparison::NothingStated => "nothing stated",
        }
    }
}

/// A line of the suite, or a game.
struct Line {
    number: u64,
    /// The line, of a game nothing.
    text: String,
    /// Where the game ends.
    game: Option<Result<EpdLine, String>>,
}

/// Where the lines come from.
enum Source {
    Epd {
        lines: Box<dyn BufRead>,
        number: u64,
    },
    Pgn {
        games: Games<Box<dyn BufRead>>,
        number: u64,
    },
}

/// What became of a line.
enum Outcome {
    /// It holds no position.
    Remark,
    /// It cannot be used.
    Bad(String),
    Solved(Box<Entry>),
}

struct Entry {
    epd: EpdLine,
    question: Question,
    solved: Solved,
    comparison: Comparison,
    /// Where its certificate is.
    certificate: Option<String>,
}

/// What `--json` prints for a line that cannot be used.
#[derive(Serialize)]
struct Fault<'a> {
    line: u64,
    fen: &'a str,
    error: &'a str,
}

#[derive(Default)]
struct Summary {
    proved: u64,
    refuted: u64,
    undecided: u64,
    bad: u64,
    stated: Comparisons,
    /// Decided positions without a certificate where there should be one.
    uncertified: u64,
    /// Mates without the solution that was asked for.
    unsolved: u64,
    nodes: u64,
}

/// Of the positions of which something is stated.
#[derive(Default)]
struct Comparisons {
    as_stated: u64,
    shorter: u64,
    longer: u64,
    refuted: u64,
    other_keys: u64,
    open: u64,
}

pub(crate) fn run(args: &Args, path: &Path, stdout: &mut Output) -> Result<Exit, Failure> {
    let mut source = Source::open(args, path)?;
    let mut unused = Output::stderr();
    let mut rewritten = match &args.epd_out {
        Some(out) => Some(Sink::open(Some(out), Some(path), args.force, &mut unused)?),
        None => None,
    };
    let bundle = args.out.as_deref();
    let mut bundle = bundle
        .map(|out| BundleFile::begin(out, args.format, path, args.force))
        .transpose()?;
    let mut stderr = Output::stderr();
    // A bundle on standard output is alone there.
    let is_alone = bundle.as_ref().is_some_and(BundleFile::is_stream);
    let clock = Clock::start();
    let jobs = args.jobs();
    let pool = ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(|error| Failure::Error(format!("cannot start the threads: {error}")))?;
    let mut summary = Summary::default();
    loop {
        let block = source.block(if jobs == 1 { 1 } else { 16 * jobs })?;
        if block.is_empty() {
            break;
        }
        let outcomes: Result<Vec<Outcome>, Failure> = if jobs == 1 {
            block.iter().map(|line| solve(args, line, 1)).collect()
        } else {
            let solve = |line: &Line| solve(args, line, jobs);
            pool.install(|| block.par_iter().map(solve).collect())
        };
        let output = if is_alone { &mut stderr } else { &mut *stdout };
        for (line, mut outcome) in block.iter().zip(outcomes?) {
            if let (Outcome::Solved(entry), Some(bundle)) = (&mut outcome, &mut bundle)
                && let Some(mate) = entry.solved.certified.take()
            {
                entry.certificate = Some(bundle.add(&mate)?);
            }
            summary.add(&outcome, args);
            print(args, line, &outcome, output)?;
            if let Some(rewritten) = &mut rewritten {
                let text = rewrite(line, &outcome) + "\n";
                if rewritten.bytes(text.as_bytes())? == ControlFlow::Break(()) {
                    break;
                }
            }
        }
        output.flush()?;
    }
    if let Some(rewritten) = rewritten {
        rewritten.finish()?;
    }
    let delivered = bundle
        .map(|bundle| bundle.finish(&args.cost(clock), stdout))
        .transpose()?;
    if !args.quiet {
        let report = match args.json || is_alone {
            true => &mut stderr,
            false => stdout,
        };
        for line in summary.lines(&clock) {
            report.line(&line)?;
        }
        if let Some(Delivered::Whole(written)) = &delivered {
            written.print(report)?;
        }
    }
    stderr.finish()?;
    Ok(match delivered {
        Some(Delivered::Lost) => Exit::Unusable,
        _ => summary.exit(),
    })
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path).map_err(|error| {
        let path = super::output::shown_path(path);
        Failure::context(&format!("cannot read {path}"), &error)
    })?;
    Ok(Box::new(BufReader::new(file)))
}

impl Source {
    /// What the arguments name.
    fn open(args: &Args, path: &Path) -> Result<Source, Failure> {
        let number = 0;
        let lines = open(path)?;
        Ok(match args.pgn {
            None => Source::Epd { lines, number },
            Some(_) => Source::Pgn {
                games: Games::new(lines),
                number,
            },
        })
    }

    /// The next lines, at most so many; none at the end.
    fn block(&mut self, size: usize) -> Result<Vec<Line>, Failure> {
        let mut block = Vec::new();
        while block.len() < size {
            match self.next()? {
                Some(line) => block.push(line),
                None => break,
            }
        }
        Ok(block)
    }

    fn next(&mut self) -> Result<Option<Line>, Failure> {
        match self {
            Source::Epd { lines, number } => {
                let Some(text) = read_line(lines)? else {
                    return Ok(None);
                };
                *number += 1;
                let text = match *number {
                    1 => text.trim_start_matches('\u{feff}').to_owned(),
                    _ => text,
                };
                Ok(Some(Line {
                    number: *number,
                    text,
                    game: None,
                }))
            }
            Source::Pgn { games, number } => {
                let game = games
                    .next()
                    .map_err(|error| Failure::context("cannot read the games", &error))?;
                *number += 1;
                let end = |end: GameEnd| EpdLine::bare(end.position, end.name);
                Ok(game.map(|game| Line {
                    number: *number,
                    text: String::new(),
                    game: Some(game.map(end)),
                }))
            }
        }
    }
}

/// A line without its end. Of a very long one the rest is dropped, with a mark that makes it a bad line.
fn read_line(lines: &mut dyn BufRead) -> Result<Option<String>, Failure> {
    const LONGEST: u64 = 1 << 16;
    let cannot_read = |error: io::Error| Failure::context("cannot read the suite", &error);
    let mut bytes = Vec::new();
    let mut limited = lines.take(LONGEST);
    limited.read_until(b'\n', &mut bytes).map_err(cannot_read)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let is_cut = bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n');
    let mut text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
    if is_cut {
        lines.skip_until(b'\n').map_err(cannot_read)?;
        text.push_str(" [the line is too long]");
    }
    Ok(Some(text))
}

fn solve(args: &Args, line: &Line, jobs: usize) -> Result<Outcome, Failure> {
    let text = line.text.trim();
    let epd = match &line.game {
        Some(game) => game.clone(),
        None if text.is_empty() || text.starts_with('#') => return Ok(Outcome::Remark),
        None => EpdLine::parse(text).map_err(|error| error.to_string()),
    };
    let epd = match epd {
        Ok(epd) => epd,
        Err(reason) => return Ok(Outcome::Bad(reason)),
    };
    let stated = epd.stated.map(|stated| stated.moves);
    let Some(max_moves) = args.max_moves().or(stated) else {
        return Ok(Outcome::Bad(
            "no length is stated and no --max-moves given".to_owned(),
        ));
    };
    let mover = match epd.stated {
        Some(stated) => stated.mover,
        None if args.mated => Mover::Defender,
        None => Mover::Attacker,
    };
    let question = Question {
        position: epd.position.clone(),
        mover,
        max_moves,
        all_keys: args.all_keys || args.solution || !epd.best.is_empty() || !epd.avoided.is_empty(),
        line: args.epd_out.is_some(),
    };
    let solved = args.solve(&question, jobs)?;
    let comparison = compare(&epd, &question, &solved);
    Ok(Outcome::Solved(Box::new(Entry {
        epd,
        question,
        solved,
        comparison,
        certificate: None,
    })))
}

fn compare(epd: &EpdLine, question: &Question, solved: &Solved) -> Comparison {
    let answer = &solved.answer;
    let stated = epd.stated.map(|stated| stated.moves);
    let has_keys = !epd.best.is_empty() || !epd.avoided.is_empty();
    match (answer.verdict, stated) {
        (_, None) if !has_keys => Comparison::NothingStated,
        (Verdict::Undecided, _) => Comparison::Undecided,
        (Verdict::Proved(length), Some(stated)) if length < stated => Comparison::Shorter,
        (Verdict::Proved(length), Some(stated)) if length > stated => Comparison::Longer,
        (Verdict::Proved(_), _) if has_keys => compare_keys(epd, answer),
        (Verdict::Proved(_), Some(_)) => Comparison::AsStated,
        (Verdict::Refuted, Some(stated)) if question.max_moves < stated => Comparison::Undecided,
        (Verdict::Refuted, Some(_)) => Comparison::Refuted,
        (_, None) => Comparison::NothingStated,
    }
}

fn compare_keys(epd: &EpdLine, answer: &Answer) -> Comparison {
    let is_key = |mv: &Move| answer.keys.contains(mv);
    if epd.avoided.iter().any(is_key) {
        Comparison::OtherKeys
    } else if epd.best.iter().all(is_key) && (answer.are_all_keys || epd.avoided.is_empty()) {
        Comparison::AsStated
    } else if answer.are_all_keys {
        Comparison::OtherKeys
    } else {
        Comparison::Undecided
    }
}

/// The keys held against what is stated.
fn judged(epd: &EpdLine, answer: &Answer) -> Judged {
    let stated = epd.stated.map(|stated| stated.moves);
    let is_short =
        length(answer).is_some_and(|length| stated.is_some_and(|stated| length < stated));
    let intended = epd.best.clone();
    let others = answer.keys.iter().filter(|key| !intended.contains(key));
    Judged {
        cooks: match is_short || intended.is_empty() {
            true => Vec::new(),
            false => others.copied().collect(),
        },
        short: match is_short {
            true => answer.keys.clone(),
            false => Vec::new(),
        },
        intended,
    }
}

fn print(args: &Args, line: &Line, outcome: &Outcome, output: &mut Output) -> Result<(), Failure> {
    match outcome {
        Outcome::Remark => Ok(()),
        Outcome::Bad(error) if args.json => output.json(&Fault {
            line: line.number,
            fen: line.text.trim(),
            error,
        }),
        Outcome::Bad(error) if args.quiet => {
            super::failure::warn(&format!("line {}: {error}", line.number));
            Ok(())
        }
        Outcome::Bad(error) => output.line(&format!("{}\terror\t{error}", line.number)),
        Outcome::Solved(entry) if args.json => {
            let certificate = entry.certificate.clone();
            let judged = judged(&entry.epd, &entry.solved.answer);
            output.json(&Report::of(
                &entry.question,
                &entry.solved,
                certificate,
                &judged,
            ))
        }
        Outcome::Solved(_) if args.quiet => Ok(()),
        Outcome::Solved(entry) => {
            output.line(&text_line(line.number, entry))?;
            if !args.solution {
                return Ok(());
            }
            let judged = judged(&entry.epd, &entry.solved.answer);
            output.line("")?;
            print_solution(
                &entry.question,
                &entry.solved,
                &judged,
                args.style(),
                output,
            )?;
            output.line("")
        }
    }
}

/// Number, verdict, keys, comparison, FEN, and the name if there is one; separated by tabs.
fn text_line(number: u64, entry: &Entry) -> String {
    let answer = &entry.solved.answer;
    let keys = keys_line(&entry.question.position, answer);
    let verdict = match (answer.verdict, entry.question.mover) {
        (Verdict::Proved(length), Mover::Attacker) => format!("mate in {length}"),
        (Verdict::Proved(length), Mover::Defender) => format!("mated in {length}"),
        (Verdict::Refuted, _) => format!("no mate within {}", entry.question.max_moves),
        (Verdict::Undecided, _) => "undecided".to_owned(),
    };
    let mut comparison = entry.comparison.word().to_owned();
    if let Some(stated) = entry
        .epd
        .stated
        .filter(|_| entry.comparison != Comparison::AsStated)
    {
        comparison.push_str(&format!(" ({} stated)", stated.signed()));
    }
    let mut fields = vec![
        number.to_string(),
        verdict,
        if keys.is_empty() {
            "-".to_owned()
        } else {
            keys
        },
        comparison,
        position_fen(&entry.question.position),
    ];
    fields.extend(entry.epd.id.as_deref().map(one_line));
    fields.join("\t")
}

/// The line as `--epd-out` has it.
fn rewrite(line: &Line, outcome: &Outcome) -> String {
    let entry = match outcome {
        Outcome::Solved(entry) => entry,
        Outcome::Bad(error) if line.game.is_some() => {
            return format!("# game {}: {error}", line.number);
        }
        Outcome::Remark | Outcome::Bad(_) => return line.text.clone(),
    };
    let answer = &entry.solved.answer;
    let Some(moves) = length(answer).filter(|&moves| moves > Moves::ZERO) else {
        return match line.game {
            Some(_) => entry.epd.rewritten(&[]),
            None => line.text.clone(),
        };
    };
    let stated = Stated {
        mover: entry.question.mover,
        moves,
    };
    let mut first = vec![("dm", stated.signed().to_string())];
    if !answer.keys.is_empty() {
        first.push(("bm", keys_line(&entry.question.position, answer)));
    }
    if !answer.line.is_empty() {
        let mut position = entry.question.position.clone();
        let mut words = Vec::new();
        for &mv in &answer.line {
            words.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        }
        debug_assert!(position.is_checkmate(), "a line of a mate ends in mate");
        first.push(("pv", words.join(" ")));
    }
    entry.epd.rewritten(&first)
}

impl Summary {
    fn add(&mut self, outcome: &Outcome, args: &Args) {
        let entry = match outcome {
            Outcome::Remark => return,
            Outcome::Bad(_) => {
                self.bad += 1;
                return;
            }
            Outcome::Solved(entry) => entry,
        };
        let answer = &entry.solved.answer;
        self.nodes += answer.nodes;
        *match answer.verdict {
            Verdict::Proved(_) => &mut self.proved,
            Verdict::Refuted => &mut self.refuted,
            Verdict::Undecided => &mut self.undecided,
        } += 1;
        let is_open = args.out.is_some() && entry.certificate.is_none();
        self.uncertified += u64::from(is_open && answer.verdict != Verdict::Undecided);
        let has_solution = args.solution && entry.question.mover == Mover::Attacker;
        let is_unsolved = has_solution && entry.solved.solution.is_none();
        self.unsolved += u64::from(is_unsolved && length(answer).is_some());
        let stated = &mut self.stated;
        *match entry.comparison {
            Comparison::AsStated => &mut stated.as_stated,
            Comparison::Shorter => &mut stated.shorter,
            Comparison::Longer => &mut stated.longer,
            Comparison::Refuted => &mut stated.refuted,
            Comparison::OtherKeys => &mut stated.other_keys,
            Comparison::Undecided => &mut stated.open,
            Comparison::NothingStated => return,
        } += 1;
    }

    fn lines(&self, clock: &Clock) -> Vec<String> {
        let mut lines = vec![format!(
            "{} positions: {} proved, {} refuted, {} undecided; {} bad lines",
            self.proved + self.refuted + self.undecided,
            self.proved,
            self.refuted,
            self.undecided,
            self.bad,
        )];
        let stated = &self.stated;
        if stated.any() {
            lines.push(format!(
                "compared with what is stated: {} the same, {} shorter, {} longer, {} without such a mate, \
                 {} with other keys, {} open",
                stated.as_stated,
                stated.shorter,
                stated.longer,
                stated.refuted,
                stated.other_keys,
                stated.open,
            ));
        }
        if self.uncertified > 0 {
            let count = self.uncertified;
            lines.push(format!(
                "{count} decided, but not certified within the budget"
            ));
        }
        if self.unsolved > 0 {
            let count = self.unsolved;
            lines.push(format!(
                "{count} proved, but without the whole solution within the budget"
            ));
        }
        let nodes = grouped(self.nodes);
        let mut spent = format!(
            "{nodes} positions looked at in {:.2} s",
            clock.wall_seconds()
        );
        if let Some(seconds) = clock.cpu_seconds() {
            spent.push_str(&format!(", {seconds:.2} s of processor time"));
        }
        lines.push(spent);
        lines
    }

    /// What differs weighs more than what cannot be used, and that more than what is open.
    fn exit(&self) -> Exit {
        if self.stated.differ() {
            Exit::DoesNotHold
        } else if self.bad > 0 {
            Exit::Unusable
        } else if self.undecided + self.stated.open + self.uncertified + self.unsolved > 0 {
            Exit::Undecided
        } else {
            Exit::Established
        }
    }
}

impl Comparisons {
    const fn differ(&self) -> bool {
        self.shorter + self.longer + self.refuted + self.other_keys > 0
    }

    const fn any(&self) -> bool {
        self.differ() || self.as_stated + self.open > 0
    }
}
