//! `gate`: how far the project is from the value of the initial position, computed and not typed in (C2 §11).

use std::path::{Path, PathBuf};

use dchess::rules::{divide, ruleset_digest};
use dchess::verify::{self, Verdict};
use serde::Serialize;
use shakmaty::Chess;

use super::closure;
use super::destination::record_path;
use super::failure::{Exit, Failure};
use super::output::{Output, shown_path};
use super::progress::Progress;
use super::state::hex;
use super::verify::verdicts;

/// The initial position, as a claim about it begins.
const INITIAL: &str = "interval rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 fcs ";

/// So ends a claim of bounds that say nothing.
const NOTHING: &str = " -1 1";

/// Plies of the perft that is run, and what it gives (https://www.chessprogramming.org/Perft_Results).
const PERFT: (u32, u64) = (4, 197_281);

/// Random games that are played.
const GAMES: u32 = 5;

/// Positions that are looked at for a dead one, besides what is seen at sight: no matter here, and it takes long.
const NODES: u32 = 0;

/// Show how far full chess is from being solved: the ten gates of C2, each with its evidence
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Everything is computed in this run: the certificates of the folder are verified, the rules counted and played by both
implementations. `passed` is said only where the evidence is whole, `partial` where there is some, `open` where there is
none. Full chess is solved when the root is: when a certificate gives the initial position a value under the complete
rules. Nothing else may say so.

Exit codes: 0 the table could be computed, whatever it says.

Examples:
  dchess gate
  dchess gate proofs --json")]
pub(crate) struct Args {
    /// The folder of certificates
    #[arg(value_name = "DIR", default_value = "certificates")]
    folder: PathBuf,

    /// Print the table as one JSON array
    #[arg(long)]
    json: bool,

    /// Print no progress
    #[arg(long)]
    quiet: bool,
}

/// How far a gate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Passed,
    Partial,
    Open,
}

/// A row of the table.
#[derive(Serialize)]
struct Row {
    gate: &'static str,
    status: Status,
    evidence: Vec<String>,
}

/// A certificate of the folder.
struct Found {
    path: PathBuf,
    claim: Option<String>,
    verdict: Verdict,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let folder = &args.folder;
    if !folder.is_dir() {
        return Err(Failure::Error(format!(
            "{} is not a folder",
            shown_path(folder)
        )));
    }
    let progress = Progress::new(args.quiet);
    let mut found = Vec::new();
    verdicts(folder, &progress, |path, claim, verdict| {
        found.push(Found {
            path: path.to_path_buf(),
            claim: claim.map(str::to_owned),
            verdict,
        });
        Ok(())
    })?;
    drop(progress);
    let rows = rows(&found)?;
    if args.json {
        output.json(&rows)?;
        return Ok(Exit::Established);
    }
    for row in &rows {
        let status = match row.status {
            Status::Passed => "passed",
            Status::Partial => "partial",
            Status::Open => "open",
        };
        let mut evidence = row.evidence.iter();
        let first = evidence.next().map_or("", String::as_str);
        output.line(&format!("{:12} {status:8} {first}", row.gate))?;
        for more in evidence {
            output.line(&format!("{:21} {more}", ""))?;
        }
    }
    output.line("")?;
    let root = rows.iter().find(|row| row.gate == "Root");
    let is_solved = rows.iter().all(|row| row.status == Status::Passed);
    output.line(match root.map(|root| root.status) {
        Some(Status::Passed) if is_solved => "Full chess is solved.",
        Some(Status::Passed) => {
            "The initial position has a value; not all gates are passed, so full chess is not solved."
        }
        _ => "Full chess is not solved: the initial position has no proved value.",
    })?;
    Ok(Exit::Established)
}

/// The ten rows of C2 §11.
fn rows(found: &[Found]) -> Result<Vec<Row>, Failure> {
    let by_claim = |word: &str| -> Vec<&Found> {
        let is_verified = |found: &&Found| found.verdict == Verdict::Verified;
        let begins = |found: &&Found| {
            let claim = found.claim.as_deref().unwrap_or("");
            claim.starts_with(word) && (word == INITIAL || !claim.ends_with(NOTHING))
        };
        found.iter().filter(is_verified).filter(begins).collect()
    };
    let shown = |of: &[&Found]| -> Vec<String> {
        let one = |found: &&Found| {
            let claim = found.claim.as_deref().unwrap_or("-");
            format!("dchess verify {}: {claim}", shown_path(&found.path))
        };
        of.iter().map(one).collect()
    };
    // What holds for the certificates that are there says nothing of the root, so it is never the whole.
    let some = |gate, words: &[&str], missing: &str| {
        let of: Vec<&Found> = words.iter().flat_map(|word| by_claim(word)).collect();
        match of.is_empty() {
            true => Row {
                gate,
                status: Status::Open,
                evidence: vec![missing.to_owned()],
            },
            false => Row {
                gate,
                status: Status::Partial,
                evidence: shown(&of),
            },
        }
    };
    let root = root(&by_claim(INITIAL));
    let is_known = root.status == Status::Passed;
    let mut rows = vec![
        rules()?,
        closed()?,
        some(
            "Bounds",
            &["interval ", "bounds "],
            "no verified certificate of bounds in the folder",
        ),
        some(
            "Pruning",
            &["bounds ", "interval "],
            "no verified certificate of deletions in the folder",
        ),
        some(
            "Abstraction",
            &["abstraction "],
            "no verified certificate of an abstraction in the folder",
        ),
        Row {
            gate: "Strategy",
            status: root.status,
            evidence: vec![match is_known {
                true => "the certificate of the root covers every reply".to_owned(),
                false => "no strategy from the initial position; it would be in the certificate of the root".to_owned(),
            }],
        },
        verification(found),
        cost(found),
        Row {
            gate: "Quantum",
            status: Status::Open,
            evidence: vec!["nothing is claimed, and nothing here could show it".to_owned()],
        },
    ];
    // Whatever certifies the root has every bound and every deletion of it checked.
    for row in &mut rows {
        if is_known && ["Bounds", "Pruning"].contains(&row.gate) {
            row.status = Status::Passed;
        }
    }
    rows.insert(5, root);
    Ok(rows)
}

/// Frozen rules, and two implementations that agree with what is published.
fn rules() -> Result<Row, Failure> {
    let (depth, published) = PERFT;
    let counted = divide(&Chess::default(), depth, 0)
        .map_err(|error| Failure::Error(error.to_string()))?
        .iter()
        .map(|(_, lines)| lines)
        .sum::<u64>();
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let other = verify::perft(fen, depth);
    let agrees = counted == published && other == Some(published);
    Ok(Row {
        gate: "Rules",
        status: if agrees { Status::Passed } else { Status::Open },
        evidence: vec![
            format!(
                "dchess rules text: version 1, sha256:{}",
                hex(&ruleset_digest())
            ),
            format!(
                "dchess rules perft --depth {depth}: {counted} by the solvers, {} by the verifier, {published} published",
                other.map_or("none".to_owned(), |count| count.to_string())
            ),
        ],
    })
}

/// Games under the complete rules, in which every state is one.
fn closed() -> Result<Row, Failure> {
    let command = format!("dchess rules closure --games {GAMES} --seed 1 --nodes {NODES}");
    let (status, evidence) = match closure::states_of_games(GAMES, 1, NODES) {
        Ok(states) => (
            Status::Partial,
            format!("{command}: {states} states, every one inside the law; a sample is no proof"),
        ),
        Err(fault) => (Status::Open, format!("{command}: {fault}")),
    };
    Ok(Row {
        gate: "Closure",
        status,
        evidence: vec![evidence],
    })
}

/// What is proved of the initial position.
fn root(claims: &[&Found]) -> Row {
    let mut best: Option<(i8, &Found)> = None;
    for found in claims {
        let claim = found.claim.as_deref().unwrap_or("");
        let bounds: Vec<i8> = claim[INITIAL.len()..]
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        if let [lower, upper] = bounds[..] {
            let width = upper - lower;
            if best.is_none_or(|(least, _)| width < least) {
                best = Some((width, found));
            }
        }
    }
    let (status, evidence) = match best {
        None => (
            Status::Open,
            "no verified certificate about the initial position in the folder; `dchess prove --out DIR/initial.bin` makes one".to_owned(),
        ),
        Some((width, found)) => {
            let claim = found.claim.as_deref().unwrap_or("-");
            let status = match width {
                0 => Status::Passed,
                1 => Status::Partial,
                _ => Status::Open,
            };
            (status, format!("dchess verify {}: {claim}", shown_path(&found.path)))
        }
    };
    Row {
        gate: "Root",
        status,
        evidence: vec![evidence],
    }
}

/// Whether everything in the folder stands up to the verifier.
fn verification(found: &[Found]) -> Row {
    let verified = found.iter();
    let verified = verified.filter(|found| found.verdict == Verdict::Verified);
    let (verified, all) = (verified.count(), found.len());
    let mut evidence = vec![format!("{verified} of {all} certificates verified")];
    let others = found.iter();
    let others = others.filter(|found| found.verdict != Verdict::Verified);
    evidence.extend(others.map(|found| format!("{}: {}", shown_path(&found.path), found.verdict)));
    Row {
        gate: "Verification",
        status: match (verified, verified == all) {
            (0, _) => Status::Open,
            (_, true) => Status::Passed,
            (_, false) => Status::Partial,
        },
        evidence,
    }
}

/// Whether the cost of every certificate was recorded.
fn cost(found: &[Found]) -> Row {
    let has_record = |found: &&Found| record_path(&found.path).is_file();
    let missing: Vec<&Path> = found
        .iter()
        .filter(|found| !has_record(found))
        .map(|found| found.path.as_path())
        .collect();
    let recorded = found.len() - missing.len();
    let mut evidence = vec![format!(
        "{recorded} of {} certificates with a record of time and memory beside them",
        found.len()
    )];
    evidence.extend(
        missing
            .iter()
            .map(|path| format!("none beside {}", shown_path(path))),
    );
    Row {
        gate: "Cost",
        status: match (recorded, missing.is_empty()) {
            (0, _) => Status::Open,
            (_, true) => Status::Passed,
            (_, false) => Status::Partial,
        },
        evidence,
    }
}
