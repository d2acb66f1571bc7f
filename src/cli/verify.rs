//! `verify`: checks certificates with the island's own rules of chess.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dchess::verify::{Checked, Refusal, Verdict};
use serde::Serialize;

use super::cost::{Clock, peak_rss_bytes};
use super::failure::{Exit, Failure};
use super::input::read_certificate;
use super::output::{Output, one_line};

/// Check certificates from the rules of chess up, trusting nothing in them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints, for each file in order, a line `c <file>` and one line `s VERIFIED <id> <claim>`,
`s REFUTED <id or -> <reason> at <place>` or `s DECLINED <id or -> <reason> at <place>`.
Of a folder, and the folders in it, all files with the extension bin or json are checked, except
hidden files and the cost records .run.json.

Exit codes: 0 all verified, 1 any refuted, 2 otherwise.

Examples:
  dchess verify certificates/KQK.bin
  dchess verify certificates --json
  dchess verify --claim 'endgame KQK board dtm' table.bin")]
pub(crate) struct Args {
    /// Certificates, folders, or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR|-")]
    paths: Vec<PathBuf>,

    /// The claim that every certificate must make, word for word
    #[arg(long, value_name = "CLAIM")]
    claim: Option<String>,

    /// Print one line of JSON a certificate
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    file: String,
    verdict: String,
    claim: Option<String>,
    id: Option<String>,
    reason: Option<String>,
    place: Option<String>,
    states: Option<u64>,
    edges: Option<u64>,
    cpu_seconds: Option<f64>,
    peak_rss_bytes: Option<u64>,
}

/// What is known of a certificate after the check.
struct Judged {
    claim: Option<String>,
    id: Option<String>,
    outcome: Result<Checked, Refusal>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let mut exit = Exit::Established;
    for path in &args.paths {
        match files_of(path) {
            Ok(files) if files.is_empty() => {
                eprintln!(
                    "dchess: there is no certificate in {}",
                    one_line(&path.to_string_lossy())
                );
                exit = worse(exit, Verdict::Declined);
            }
            Ok(files) => {
                for file in files {
                    exit = worse(exit, judge_and_print(&file, args, output)?);
                }
            }
            Err(error) => {
                let doing = format!("cannot list {}", one_line(&path.to_string_lossy()));
                return Err(Failure::context(&doing, &error));
            }
        }
    }
    Ok(exit)
}

/// The exit code after one more verdict: a refutation outweighs everything.
fn worse(exit: Exit, verdict: Verdict) -> Exit {
    match (exit, verdict) {
        (Exit::DoesNotHold, _) | (_, Verdict::Refuted) => Exit::DoesNotHold,
        (_, Verdict::Declined) => Exit::Unusable,
        (exit, Verdict::Verified) => exit,
    }
}

fn judge_and_print(file: &Path, args: &Args, output: &mut Output) -> Result<Verdict, Failure> {
    let clock = Clock::start();
    let judged = judge(file, args.claim.as_deref());
    let verdict = match &judged.outcome {
        Ok(_) => Verdict::Verified,
        Err(refusal) => refusal.reason.verdict(),
    };
    let name = file.to_string_lossy();
    if args.json {
        output.json(&report(name.into_owned(), verdict, &judged, &clock))?;
    } else {
        output.line(&format!("c {}", one_line(&name)))?;
        let id = judged.id.as_deref().unwrap_or("-");
        output.line(&match &judged.outcome {
            Ok(_) => format!(
                "s {verdict} {id} {}",
                judged.claim.as_deref().unwrap_or("-")
            ),
            Err(refusal) => format!("s {verdict} {id} {} at {}", refusal.reason, refusal.place),
        })?;
    }
    output.flush()?;
    Ok(verdict)
}

fn judge(file: &Path, wanted: Option<&str>) -> Judged {
    match read_certificate(file) {
        Err(refusal) => Judged {
            claim: None,
            id: refusal.id.map(|id| id.to_string()),
            outcome: Err(refusal),
        },
        Ok(certificate) => {
            let same_claim = wanted.map_or(Ok(()), |wanted| certificate.check_claim(wanted));
            Judged {
                claim: Some(certificate.claim.clone()),
                id: Some(certificate.id.to_string()),
                outcome: same_claim.and_then(|()| dchess::verify::verify(&certificate)),
            }
        }
    }
}

fn report(file: String, verdict: Verdict, judged: &Judged, clock: &Clock) -> Report {
    let checked = judged.outcome.as_ref().ok();
    let refusal = judged.outcome.as_ref().err();
    Report {
        file,
        verdict: verdict.to_string(),
        claim: judged.claim.clone(),
        id: judged.id.clone(),
        reason: refusal.map(|refusal| refusal.reason.to_string()),
        place: refusal.map(|refusal| refusal.place.clone()),
        states: checked.map(|checked| checked.states),
        edges: checked.map(|checked| checked.edges),
        cpu_seconds: clock.cpu_seconds(),
        peak_rss_bytes: peak_rss_bytes(),
    }
}

/// The file itself, or the certificates in and below a folder in the order of their names.
fn files_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    if path.as_os_str() == "-" || !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            // Of a link the target counts if it is a file; linked folders could run in circles.
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if entry.path().is_file() && is_certificate(&entry.path()) {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file of a folder is meant to be a certificate.
fn is_certificate(path: &Path) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let is_hidden = name.starts_with('.');
    let is_cost_record = name.ends_with(".run.json");
    !is_hidden && !is_cost_record && (name.ends_with(".bin") || name.ends_with(".json"))
}
