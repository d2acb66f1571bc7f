//! `info`: what a certificate claims, without checking it.

use std::path::PathBuf;

use dchess::verify::{Body, Certificate, Encoding, EndgameTable};
use serde::Serialize;

use super::failure::{Exit, Failure};
use super::input::read_certificate;
use super::output::{Output, grouped, one_line, shown_path};

/// Show what a certificate claims, without checking the claim
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The container and its digest (or the id of a JSON certificate) are checked, the claim is not: that
is what `dchess verify` does.

Examples:
  dchess info certificates/KQK.bin
  dchess info certificates/KQK.bin --json")]
pub(crate) struct Args {
    /// The certificate, `-` for standard input
    file: PathBuf,

    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    file: String,
    verified: bool,
    claim: String,
    id: String,
    kind: &'static str,
    version: u32,
    encoding: String,
    bytes: u64,
    children: Vec<Child>,
    counts: Counts,
}

#[derive(Serialize)]
struct Child {
    claim: String,
    id: String,
}

/// The counted fields of an endgame table.
#[derive(Serialize)]
struct Counts {
    raw_states: u64,
    states: u64,
    edges: u64,
    legal_moves: u64,
    symmetry_comparisons: u64,
    checkmates: u64,
    stalemates: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    max_dtm_plies: u16,
    max_dtm_states: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let file = shown_path(&args.file);
    let certificate = read_certificate(&args.file)
        .map_err(|refusal| Failure::Error(format!("{file}: {refusal}")))?;
    let Body::EndgameTable(table) = &certificate.body else {
        let kind = certificate.body.kind_name();
        return Err(Failure::Error(format!(
            "{file}: this is a certificate of kind {kind}, not an endgame table"
        )));
    };
    let report = report(file, &certificate, table);
    if args.json {
        output.json(&report)?;
    } else {
        print(&report, output)?;
    }
    Ok(Exit::Established)
}

fn report(file: String, certificate: &Certificate, table: &EndgameTable) -> Report {
    Report {
        file,
        verified: false,
        claim: one_line(&certificate.claim),
        id: certificate.id.to_string(),
        kind: certificate.body.kind_name(),
        version: certificate.version,
        encoding: match certificate.encoding {
            Encoding::Binary { codec } => format!("binary, codec {codec}"),
            Encoding::Json => "JSON".to_owned(),
        },
        bytes: certificate.bytes,
        children: certificate
            .children
            .iter()
            .map(|child| Child {
                claim: one_line(&child.claim),
                id: child.id.to_string(),
            })
            .collect(),
        counts: Counts {
            raw_states: table.raw_states,
            states: table.states,
            edges: table.edges,
            legal_moves: table.legal_moves,
            symmetry_comparisons: table.symmetry_comparisons,
            checkmates: table.checkmates,
            stalemates: table.stalemates,
            wins: table.white_wins.saturating_add(table.black_wins),
            losses: table.white_losses.saturating_add(table.black_losses),
            draws: table.white_draws.saturating_add(table.black_draws),
            max_dtm_plies: table.max_dtm_plies,
            max_dtm_states: table.max_dtm_states,
        },
    }
}

fn print(report: &Report, output: &mut Output) -> Result<(), Failure> {
    let counts = &report.counts;
    let children: Vec<String> = report
        .children
        .iter()
        .map(|child| format!("{} {}", child.claim, child.id))
        .collect();
    output.line("not verified: this is what the file says; `dchess verify` checks it")?;
    output.line("")?;
    for (name, text) in [
        ("file", report.file.clone()),
        ("claim", report.claim.clone()),
        ("id", report.id.clone()),
        (
            "kind",
            format!("{}, version {}", report.kind, report.version),
        ),
        (
            "size",
            format!("{} bytes, {}", grouped(report.bytes), report.encoding),
        ),
        (
            "children",
            if children.is_empty() {
                "none".to_owned()
            } else {
                children.join(&format!("\n{:23}", ""))
            },
        ),
        ("raw legal states", grouped(counts.raw_states)),
        ("canonical states", grouped(counts.states)),
        ("edges", grouped(counts.edges)),
        ("legal moves", grouped(counts.legal_moves)),
        ("symmetry comparisons", grouped(counts.symmetry_comparisons)),
        ("checkmates", grouped(counts.checkmates)),
        ("stalemates", grouped(counts.stalemates)),
        ("wins, side to move", grouped(counts.wins)),
        ("losses, side to move", grouped(counts.losses)),
        ("draws", grouped(counts.draws)),
        ("longest mate", format!("{} plies", counts.max_dtm_plies)),
        ("states there", grouped(counts.max_dtm_states)),
    ] {
        output.line(&format!("{name:22} {text}"))?;
    }
    Ok(())
}
