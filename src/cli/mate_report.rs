//! The answer to a question about a mate, as `mate` prints it.

use dchess::game::Plies;
use dchess::mate::{Answer, Keys, Mover, Moves, Question, Verdict};
use dchess::rules::{Notation, position_fen, san_line, uci, win_transfers};
use serde::Serialize;
use shakmaty::{Chess, Position};

use super::failure::{Exit, Failure};
use super::mate::Solved;
use super::output::{Output, grouped};
use super::popeye;
use super::solution_json::{Judged, SolutionJson};

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
    /// Only where all keys were asked for, and the budget was spent before these were known to be all: `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    all_keys: Option<bool>,
    /// Only where a solution was asked for and found.
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<SolutionJson>,
}

impl Report {
    /// The report of an answer, where its certificate is, and how it compares with what was meant.
    pub(crate) fn of(
        question: &Question,
        solved: &Solved,
        certificate: Option<String>,
        judged: &Judged,
    ) -> Report {
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
            certificate,
            all_keys: (lacks_keys(question, answer) && length.is_some()).then_some(false),
            solution: solved
                .solution
                .as_ref()
                .map(|solution| SolutionJson::of(solution, judged)),
        }
    }
}

/// Whether all keys were asked for, and not all are known.
pub(crate) fn lacks_keys(question: &Question, answer: &Answer) -> bool {
    question.keys == Keys::All && question.mover == Mover::Attacker && !answer.are_all_keys
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

/// What the answer took.
fn spent(solved: &Solved) -> String {
    format!(
        "{} positions looked at in {:.2} s",
        grouped(solved.answer.nodes),
        solved.wall_seconds
    )
}

/// A set of keys that was asked for and is not complete leaves the question open.
pub(crate) fn exit(question: &Question, answer: &Answer) -> Exit {
    match answer.verdict {
        Verdict::Proved(_) if lacks_keys(question, answer) => Exit::Undecided,
        Verdict::Proved(_) => Exit::Established,
        Verdict::Refuted => Exit::DoesNotHold,
        Verdict::Undecided => Exit::Undecided,
    }
}

pub(crate) fn print_page(
    question: &Question,
    solved: &Solved,
    output: &mut Output,
) -> Result<(), Failure> {
    let Question { position, .. } = question;
    let answer = &solved.answer;
    output.line(&position_fen(position))?;
    output.line(&sentence(question, answer))?;
    if !answer.keys.is_empty() {
        let word = match (
            question.keys == Keys::All,
            answer.are_all_keys,
            answer.keys.len(),
        ) {
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

/// The whole solution as composers read it.
pub(crate) fn print_solution(
    question: &Question,
    solved: &Solved,
    judged: &Judged,
    style: popeye::Style,
    output: &mut Output,
) -> Result<(), Failure> {
    output.line(&position_fen(&question.position))?;
    output.line(&sentence(question, &solved.answer))?;
    output.line("")?;
    if solved.solution.is_none() && length(&solved.answer).is_some() {
        output.line("the budget was spent before the whole solution was there")?;
    }
    if let Some(solution) = &solved.solution {
        let lines = popeye::lines(solution, style).into_iter();
        let judgement = popeye::judgement(&question.position, judged, style);
        for line in lines
            .chain(judgement)
            .chain(popeye::remarks(solution, style))
        {
            output.line(&line)?;
        }
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
