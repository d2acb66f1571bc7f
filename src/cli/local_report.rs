//! What `bounds --fen` and `bounds --sample` print.

use dchess::game::Interval;
use dchess::solve::alpha_beta::Searched;
use serde::Serialize;

use super::failure::Failure;
use super::local_bounds::{Found, Size};
use super::output::{Output, grouped};

/// What `--json` prints for a position.
#[derive(Serialize)]
struct Report<'a> {
    fen: &'a str,
    interval: [i8; 2],
    expanded_states: usize,
    expanded_share: f64,
    examined_moves: usize,
    legal_moves: usize,
    legal_moves_share: f64,
    proof_states: usize,
    proof_moves: u64,
    deleted_strict: u64,
    deleted_equal: u64,
    lookups: u64,
    witness_lookups: u64,
    verify_lookups: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha_beta: Option<AlphaBetaReport>,
    certificate: Option<&'a str>,
    id: String,
}

/// What became of the baseline.
#[derive(Serialize)]
struct AlphaBetaReport {
    value: Option<i8>,
    nodes: u64,
    depth: u32,
}

/// Prints a position as one line of JSON.
pub(crate) fn print_json(
    found: &Found,
    size: Size,
    certificate: Option<&str>,
    output: &mut Output,
) -> Result<(), Failure> {
    let report = |Searched {
                      value,
                      nodes,
                      depth,
                  }| AlphaBetaReport {
        value,
        nodes,
        depth,
    };
    output.json(&Report {
        fen: &found.fen,
        interval: [found.interval.lower, found.interval.upper],
        expanded_states: found.expanded,
        expanded_share: share(found.expanded as u64, size.states as u64),
        examined_moves: found.examined,
        legal_moves: found.moves,
        legal_moves_share: share(found.moves as u64, size.edges),
        proof_states: found.proof.intervals.len(),
        proof_moves: found.proof.moves(),
        deleted_strict: found.proof.deleted_strict,
        deleted_equal: found.proof.deleted_equal,
        lookups: found.lookups,
        witness_lookups: found.proof.moves(),
        verify_lookups: found.verify_lookups(),
        alpha_beta: found.alpha_beta.map(report),
        certificate,
        id: found.sealed.id().to_string(),
    })
}

/// Prints a position for people.
pub(crate) fn print(found: &Found, size: Size, output: &mut Output) -> Result<(), Failure> {
    let Interval { lower, upper } = found.interval;
    let meaning = match (lower, upper) {
        (1, 1) => "White wins",
        (0, 0) => "a draw",
        (-1, -1) => "Black wins",
        (0, 1) => "White does not lose",
        (-1, 0) => "Black does not lose",
        _ => "nothing was proved",
    };
    let of = |part: u64, whole: u64| {
        let share = 100.0 * share(part, whole);
        format!("{} of {} ({share:.2} %)", grouped(part), grouped(whole))
    };
    output.line(&found.fen)?;
    output.line(&format!("interval [{lower}, {upper}]: {meaning}"))?;
    output.line("")?;
    let proof = &found.proof;
    for (name, figure) in [
        (
            "states looked at",
            of(found.expanded as u64, size.states as u64),
        ),
        ("their moves", of(found.moves as u64, size.edges)),
        (
            "  looked behind",
            of(found.examined as u64, found.moves as u64),
        ),
        (
            "states that the proof needs",
            grouped(proof.intervals.len() as u64),
        ),
        ("  their moves", grouped(proof.moves())),
        (
            "  deleted, certainly worse",
            of(proof.deleted_strict, proof.moves()),
        ),
        (
            "  deleted, at best as good",
            of(proof.deleted_equal, proof.moves()),
        ),
        (
            "looked at a successor, times, to find it",
            grouped(found.lookups),
        ),
        ("  to write it down", grouped(proof.moves())),
        ("  to check it", grouped(found.verify_lookups())),
    ] {
        output.line(&format!("{name:41} {figure}"))?;
    }
    if let Some(searched) = found.alpha_beta {
        let Searched { nodes, depth, .. } = searched;
        let end = match searched.value {
            Some(_) => format!("{} nodes, {depth} plies", grouped(nodes)),
            None => format!(
                "not finished after {} nodes, at {depth} plies",
                grouped(nodes)
            ),
        };
        output.line(&format!("{:41} {end}", "alpha-beta"))?;
    }
    Ok(())
}

/// Prints the quartiles of a sample.
pub(crate) fn print_summary(
    all: &[Found],
    size: Size,
    is_checked: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let count = |is_counted: &dyn Fn(&Found) -> bool| {
        grouped(all.iter().filter(|found| is_counted(found)).count() as u64)
    };
    let open = count(&|found| !found.interval.is_point());
    output.line(&format!(
        "{} roots, {open} of them not decided within the budget",
        grouped(all.len() as u64),
    ))?;
    if is_checked {
        output.line("every proof was verified")?;
    }
    output.line(&format!(
        "full enumeration: {} states, {} moves",
        grouped(size.states as u64),
        grouped(size.edges)
    ))?;
    output.line("")?;
    output.line(&format!(
        "{:41} {:>12} {:>12} {:>12}",
        "", "quartile", "median", "quartile"
    ))?;
    let mut row = |name: &str, decimals: usize, figure: &dyn Fn(&Found) -> f64| {
        let mut figures: Vec<f64> = all.iter().map(figure).collect();
        figures.sort_unstable_by(f64::total_cmp);
        let at = |part: usize| figures.get(part * figures.len() / 4);
        let [first, median, third] = [1, 2, 3].map(|part| at(part).copied().unwrap_or(0.0));
        output.line(&format!(
            "{name:41} {first:>12.decimals$} {median:>12.decimals$} {third:>12.decimals$}"
        ))
    };
    let per_cent = |part: usize, whole: u64| 100.0 * share(part as u64, whole);
    row("states looked at", 0, &|found| found.expanded as f64)?;
    row("  per cent of all", 2, &|found| {
        per_cent(found.expanded, size.states as u64)
    })?;
    row("their moves", 0, &|found| found.moves as f64)?;
    row("  per cent of all", 2, &|found| {
        per_cent(found.moves, size.edges)
    })?;
    row("  looked behind, per cent of these", 2, &|found| {
        per_cent(found.examined, found.moves as u64)
    })?;
    row("states that the proof needs", 0, &|found| {
        found.proof.intervals.len() as f64
    })?;
    row("looked at a successor, times, to find it", 0, &|found| {
        found.lookups as f64
    })?;
    row("  to write it down", 0, &|found| found.proof.moves() as f64)?;
    row("  to check it", 0, &|found| found.verify_lookups() as f64)?;
    if all.iter().all(|found| found.alpha_beta.is_some()) {
        row("alpha-beta, nodes", 0, &|found| {
            found
                .alpha_beta
                .map_or(0.0, |searched| searched.nodes as f64)
        })?;
        let unfinished = count(&|found| {
            found
                .alpha_beta
                .is_some_and(|searched| searched.value.is_none())
        });
        output.line(&format!("{:41} {unfinished:>12}", "  not finished, roots"))?;
    }
    Ok(())
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}
