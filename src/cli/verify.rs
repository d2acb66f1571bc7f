//! `verify`: checks certificates with the island's own rules of chess.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dchess::verify::{self, Certificate, Checked, Reason, Refusal, Session, Verdict};
use serde::Serialize;

use super::cost::{Clock, peak_rss_bytes};
use super::failure::{Exit, Failure};
use super::input::{claim_of, read_certificate};
use super::output::{Output, one_line, shown_path};
use super::progress::Progress;

/// Check certificates from the rules of chess up, trusting nothing in them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints, for each file in order, a line `c <file>` and one line `s VERIFIED <id> <claim>`,
`s REFUTED <id or -> <reason> at <place>` or `s DECLINED <id or -> <reason> at <place>`.
Of a folder, and the folders in it, all files with the extension bin or json are checked, except
hidden files and folders and the cost records .run.json; links to folders are not followed.

A table is verified only together with the tables that it rests on: give them in the same call, in
any order, or their folder. With --claim, these may make claims of their own; every other
certificate has to make the claim that is asked for.

A bundle of mates is judged mate by mate while it is read, so it may be larger than the memory. Its
line speaks for all of them; a refusal says in which of them it is.

The lines of a file are printed as soon as it and all files before it are judged.

Exit codes: 0 all verified, 1 any refuted (false or malformed), 2 otherwise.

Examples:
  dchess verify certificates/KQK.bin
  dchess verify certificates --json
  dchess verify --claim 'endgame KQK board dtm' table.bin
  dchess verify --claim 'bundle of 600 mates' suite.bin")]
pub(crate) struct Args {
    /// Certificates, folders, or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR|-")]
    paths: Vec<PathBuf>,

    /// The claim that a certificate must make, word for word
    #[arg(long, value_name = "CLAIM")]
    claim: Option<String>,

    /// Print one line of JSON a certificate
    #[arg(long)]
    json: bool,

    /// Print no progress
    #[arg(long)]
    quiet: bool,
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

/// Judges what is in a folder and passes on path, claim and verdict of each file, in the order of the names. There is no file
/// where the folder has none.
pub(crate) fn verdicts(
    folder: &Path,
    progress: &Progress,
    mut pass_on: impl FnMut(&Path, Option<&str>, Verdict) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let subjects = subjects_of(folder);
    let is_file = |subject: &Subject| subject.path != folder;
    judge_all(&subjects, None, progress, |subject, judged| {
        match is_file(subject) {
            true => pass_on(&subject.path, judged.claim.as_deref(), judged.verdict()),
            false => Ok(()),
        }
    })
}

/// What is known of a certificate after the check.
struct Judged {
    claim: Option<String>,
    id: Option<String>,
    outcome: Result<Checked, Refusal>,
    cpu_seconds: Option<f64>,
    peak_rss_bytes: Option<u64>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    if args.paths.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Failure::Error(
            "`-` is standard input, which can be read only once".to_owned(),
        ));
    }
    if let Some(line) = args.claim.as_deref().filter(|line| !verify::is_claim(line)) {
        return Err(Failure::Error(format!(
            "--claim `{}` is no claim; a claim is one line like `endgame KQK board dtm`, \
             `bisimulation KQK board`, `bounds KPK board from KQK KRK` or `bundle of 600 mates`",
            one_line(line)
        )));
    }
    let subjects: Vec<Subject> = args
        .paths
        .iter()
        .flat_map(|path| subjects_of(path))
        .collect();
    let mut exit = Exit::Established;
    judge_all(
        &subjects,
        args.claim.as_deref(),
        &Progress::new(args.quiet),
        |subject, judged| {
            exit = worse(exit, judged.verdict());
            print(shown_path(&subject.path), judged, args.json, output)
        },
    )?;
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

impl Judged {
    fn verdict(&self) -> Verdict {
        match &self.outcome {
            Ok(_) => Verdict::Verified,
            Err(refusal) => refusal.reason.verdict(),
        }
    }
}

/// Judges all subjects, children before the tables that rest on them; the judgements are passed on in the
/// order of the subjects, each as soon as those before it are there.
///
/// Tables can be larger than the memory, so at first only the claims are read, for the order. Each file is
/// read when its turn comes, and what is read then is judged, whatever the file held before.
fn judge_all(
    subjects: &[Subject],
    wanted: Option<&str>,
    progress: &Progress,
    mut pass_on: impl FnMut(&Subject, &Judged) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut pending: Vec<(usize, Pending)> = subjects.iter().map(Pending::of).enumerate().collect();
    pending.sort_by_key(|(_, pending)| verify::rank(&pending.claim));
    let wanted = wanted.map(|claim| Wanted {
        claim,
        supports: if pending.iter().any(|(_, pending)| pending.claim == claim) {
            verify::supports(claim)
        } else {
            BTreeSet::new()
        },
    });
    let mut session = Session::new();
    let mut judged: BTreeMap<usize, Judged> = BTreeMap::new();
    let mut next = 0;
    let count = pending.len();
    for (turn, (place, pending)) in pending.into_iter().enumerate() {
        progress.file(turn + 1, count, &subjects[place].path);
        session.make_room_for(&pending.claim);
        judged.insert(
            place,
            pending.judge(&subjects[place], wanted.as_ref(), &mut session),
        );
        while let Some(judged) = judged.remove(&next) {
            progress.suspend(|| pass_on(&subjects[next], &judged))?;
            next += 1;
        }
    }
    Ok(())
}

/// The claim that is asked for.
struct Wanted<'a> {
    claim: &'a str,
    /// The claims of the tables that it rests on, if a certificate makes it at all.
    supports: BTreeSet<String>,
}

/// A subject whose turn has not come yet.
struct Pending {
    /// What it claimed at first sight; nothing if that could not be read.
    claim: String,
    /// The certificate, if it can be read only once.
    read: Option<Result<Certificate, Refusal>>,
    cpu_seconds: Option<f64>,
}

impl Pending {
    fn of(subject: &Subject) -> Pending {
        let clock = Clock::start();
        let read = (!subject.is_lasting()).then(|| subject.read());
        let claim = match &read {
            Some(read) => read.as_ref().ok().map(|read| read.claim.clone()),
            None => claim_of(&subject.path),
        };
        Pending {
            claim: claim.unwrap_or_default(),
            read,
            cpu_seconds: clock.cpu_seconds(),
        }
    }

    fn judge(self, subject: &Subject, wanted: Option<&Wanted>, session: &mut Session) -> Judged {
        let clock = Clock::start();
        let seconds = || {
            let seconds = self.cpu_seconds? + clock.cpu_seconds()?;
            Some((seconds * 1e6).round() / 1e6)
        };
        let again = self.read.is_none().then(|| {
            let path = subject.path.clone();
            Box::new(move || read_certificate(&path)) as verify::Again
        });
        let certificate = match self.read.unwrap_or_else(|| subject.read()) {
            Ok(certificate) => certificate,
            Err(refusal) => {
                return Judged {
                    claim: None,
                    id: refusal.id.map(|id| id.to_string()),
                    outcome: Err(refusal),
                    cpu_seconds: seconds(),
                    peak_rss_bytes: peak_rss_bytes(),
                };
            }
        };
        let (claim, id) = (one_line(&certificate.claim), certificate.id.to_string());
        let fits = match wanted {
            Some(wanted) if !wanted.supports.contains(&certificate.claim) => {
                certificate.check_claim(wanted.claim)
            }
            _ => Ok(()),
        };
        let outcome = fits.and_then(|()| session.judge(certificate, again));
        Judged {
            claim: Some(claim),
            id: Some(id),
            outcome,
            cpu_seconds: seconds(),
            peak_rss_bytes: peak_rss_bytes(),
        }
    }
}

fn print(file: String, judged: &Judged, as_json: bool, output: &mut Output) -> Result<(), Failure> {
    let verdict = judged.verdict();
    if as_json {
        output.json(&report(file, verdict, judged))?;
    } else {
        output.line(&format!("c {file}"))?;
        let id = judged.id.as_deref().unwrap_or("-");
        output.line(&match &judged.outcome {
            Ok(_) => format!(
                "s {verdict} {id} {}",
                judged.claim.as_deref().unwrap_or("-")
            ),
            Err(refusal) => format!("s {verdict} {id} {} at {}", refusal.reason, refusal.place),
        })?;
    }
    output.flush()
}

fn report(file: String, verdict: Verdict, judged: &Judged) -> Report {
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
        cpu_seconds: judged.cpu_seconds,
        peak_rss_bytes: judged.peak_rss_bytes,
    }
}

/// A file to be judged, or something in its place that cannot be.
struct Subject {
    path: PathBuf,
    /// Why it cannot be read.
    obstacle: Option<String>,
}

impl Subject {
    /// Whether it can be read more than once.
    fn is_lasting(&self) -> bool {
        self.obstacle.is_none() && self.path.is_file()
    }

    fn read(&self) -> Result<Certificate, Refusal> {
        match &self.obstacle {
            None => read_certificate(&self.path),
            Some(obstacle) => {
                let place = one_line(obstacle);
                Err(Refusal {
                    id: None,
                    reason: Reason::Unreadable,
                    place,
                })
            }
        }
    }

    fn file(path: &Path) -> Subject {
        Subject {
            path: path.to_path_buf(),
            obstacle: None,
        }
    }

    fn unreadable(path: &Path, why: &str) -> Subject {
        Subject {
            path: path.to_path_buf(),
            obstacle: Some(why.to_owned()),
        }
    }
}

/// Whether a path stands for standard input.
fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The file itself, or what is to be judged in and below a folder, in the order of the names.
fn subjects_of(path: &Path) -> Vec<Subject> {
    if is_stdin(path) || !path.is_dir() {
        return vec![Subject::file(path)];
    }
    let mut subjects = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        if let Err(error) = list(&folder, &mut folders, &mut subjects) {
            subjects.push(Subject::unreadable(&folder, &error.to_string()));
        }
    }
    if subjects.is_empty() {
        subjects.push(Subject::unreadable(
            path,
            "there is no certificate in this folder",
        ));
    }
    subjects.sort_by(|a, b| a.path.cmp(&b.path));
    subjects
}

/// Lists one folder: the folders in it, and what is meant to be a certificate. Links to folders are
/// not followed, they could run in circles.
fn list(folder: &Path, folders: &mut Vec<PathBuf>, subjects: &mut Vec<Subject>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if is_hidden(&path) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            folders.push(path);
        } else if is_certificate(&path) {
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => subjects.push(Subject::file(&path)),
                Ok(metadata) if metadata.is_dir() => {}
                Ok(_) => subjects.push(Subject::unreadable(&path, "not a regular file")),
                Err(error) => subjects.push(Subject::unreadable(&path, &error.to_string())),
            }
        }
    }
    Ok(())
}

fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .starts_with('.')
}

/// Whether a file of a folder is meant to be a certificate.
fn is_certificate(path: &Path) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    !name.ends_with(".run.json") && (name.ends_with(".bin") || name.ends_with(".json"))
}
