//! `mate --epd` and `mate --pgn`: the positions of a suite, compared with what is stated about them.

use std::ops::ControlFlow;
use std::path::Path;

use dchess::mate::{Mover, Moves, Question, Verdict};
use dchess::rules::position_fen;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;
use shakmaty::Position;
use shakmaty::san::SanPlus;

use super::bundle_file::{BundleFile, Delivered};
use super::cost::Clock;
use super::epd_line::{EpdLine, Stated};
use super::failure::{Exit, Failure};
use super::mate::{Args, Solved};
use super::mate_report::{Report, keys_line, lacks_keys, length, print_solution};
use super::output::{Output, one_line};
use super::place::is_same;
use super::sink::Sink;
use super::suite_comparison::{Comparison, compare, is_same_set, judged};
use super::suite_source::{Line, Source};
use super::suite_summary::Summary;

/// What became of a line or a game.
pub(crate) enum Outcome {
    /// It holds no position.
    Remark,
    /// It cannot be used.
    Bad(String),
    Solved(Box<Entry>),
}

/// A position and what was found of it.
pub(crate) struct Entry {
    epd: EpdLine,
    pub(crate) question: Question,
    pub(crate) solved: Solved,
    pub(crate) comparison: Comparison,
    /// Where its certificate is.
    pub(crate) certificate: Option<String>,
}

/// What `--json` prints for a line that cannot be used.
#[derive(Serialize)]
struct Fault<'a> {
    line: u64,
    fen: &'a str,
    error: &'a str,
}

pub(crate) fn run(args: &Args, path: &Path, stdout: &mut Output) -> Result<Exit, Failure> {
    let mut source = match args.pgn {
        None => Source::epd(path)?,
        Some(_) => Source::pgn(path)?,
    };
    check_outputs(args)?;
    let mut second = Output::stdout();
    let mut rewritten = match &args.epd_out {
        Some(out) => Some(Sink::open(Some(out), Some(path), args.force, &mut second)?),
        None => None,
    };
    let bundle = args.out.as_deref();
    let mut bundle = bundle
        .map(|out| BundleFile::begin(out, args.format, path, args.force))
        .transpose()?;
    let mut stderr = Output::stderr();
    // A bundle on standard output is alone there, and so are lines of EPD.
    let is_alone = bundle.as_ref().is_some_and(BundleFile::is_stream)
        || rewritten
            .as_ref()
            .is_some_and(|sink| matches!(sink, Sink::Stream(_)));
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
        if output.is_closed() && rewritten.is_none() && bundle.is_none() {
            // Nobody wants to hear more.
            break;
        }
    }
    if summary.is_empty() {
        let shown = super::output::shown_path(path);
        return Err(Failure::Error(format!("there is no position in {shown}")));
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

/// Two outputs are two places.
fn check_outputs(args: &Args) -> Result<(), Failure> {
    match (&args.out, &args.epd_out) {
        (Some(out), Some(epd_out)) if out == epd_out || is_same(out, epd_out) => Err(
            Failure::Error("--out and --epd-out are the same place".to_owned()),
        ),
        (None, None) if args.force => Err(Failure::Error(
            "--force is about a file, which is written only with --out or --epd-out".to_owned(),
        )),
        _ => Ok(()),
    }
}

fn solve(args: &Args, line: &Line, jobs: usize) -> Result<Outcome, Failure> {
    let epd = match &line.content {
        None => return Ok(Outcome::Remark),
        Some(Err(fault)) => return Ok(Outcome::Bad(fault.clone())),
        Some(Ok(epd)) => epd.clone(),
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
        keys: args.keys(
            args.all_keys
                || args.solution
                || !epd.best.is_empty()
                || !epd.avoided.is_empty()
                // What is written as the keys has to be all of them.
                || args.epd_out.is_some() && !args.is_content_with_any_key(),
        ),
        line: args.epd_out.is_some(),
    };
    let solved = args.solve(&question, jobs)?;
    let comparison = compare(&epd, &question, &solved.answer);
    Ok(Outcome::Solved(Box::new(Entry {
        epd,
        question,
        solved,
        comparison,
        certificate: None,
    })))
}

fn print(args: &Args, line: &Line, outcome: &Outcome, output: &mut Output) -> Result<(), Failure> {
    match outcome {
        Outcome::Remark => Ok(()),
        Outcome::Bad(error) if args.json => output.json(&Fault {
            line: line.number,
            fen: if line.text.starts_with('#') {
                ""
            } else {
                line.text.trim()
            },
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
        (Verdict::Refuted, Mover::Attacker) => {
            format!("no mate within {}", entry.question.max_moves)
        }
        (Verdict::Refuted, Mover::Defender) => {
            format!("not mated within {}", entry.question.max_moves)
        }
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
    let keys = match lacks_keys(&entry.question, answer) && !keys.is_empty() {
        true => format!("{keys} ..."),
        false => keys,
    };
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

/// The line as `--epd-out` has it. A length that was found takes the place of one that was stated. Keys are written if they are known to be
/// all; what was stated of keys and is otherwise is kept under another name, as it was stated first.
fn rewrite(line: &Line, outcome: &Outcome) -> String {
    let Outcome::Solved(entry) = outcome else {
        return line.text.clone();
    };
    let answer = &entry.solved.answer;
    let Some(moves) = length(answer) else {
        return line.text.clone();
    };
    let epd = &entry.epd;
    let position = &entry.question.position;
    let mut first = Vec::new();
    if moves > Moves::ZERO {
        let mover = entry.question.mover;
        first.push(("dm", Stated { mover, moves }.signed().to_string()));
    }
    // What is said under another name already was stated before.
    let keep = |name, said: Option<&str>| {
        Some((name, said?.to_owned())).filter(|_| epd.said(name).is_none())
    };
    if answer.are_all_keys && !answer.keys.is_empty() {
        first.push(("bm", keys_line(position, answer)));
        let has_others = !is_same_set(&epd.best, &answer.keys);
        first.extend(keep("stated_bm", epd.stated_keys().filter(|_| has_others)));
    }
    let avoids_key = epd.avoided.iter().any(|mv| answer.keys.contains(mv));
    if avoids_key {
        first.extend(keep("stated_am", epd.said("am")));
    }
    if !answer.line.is_empty() {
        let mut position = position.clone();
        let mut words = Vec::new();
        for &mv in &answer.line {
            words.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        }
        debug_assert!(position.is_checkmate(), "a line of a mate ends in mate");
        first.push(("pv", words.join(" ")));
    }
    epd.rewritten(&first, |operation| {
        operation.is_length() || avoids_key && operation.opcode == "am"
    })
}
