//! What `prove` prints.

use dchess::game::Interval;
use dchess::proof::{Profile, StateKind, StateReference, Stop};
use dchess::rules::{End, Notation, moves_in_order, position_fen};
use serde::Serialize;
use shakmaty::Position;

use super::failure::Failure;
use super::output::{Output, grouped};
use super::prove::Found;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    fen: String,
    profile: &'static str,
    interval: [i8; 2],
    status: &'static str,
    nodes: usize,
    edges: usize,
    deleted: u64,
    certificate: Option<&'a str>,
    id: String,
    assumptions: Vec<String>,
    proof_nodes: usize,
    proof_states: usize,
    moves: Vec<MoveReport>,
}

/// A move of the root and the bounds of White's value after it.
#[derive(Serialize)]
struct MoveReport {
    r#move: String,
    interval: [i8; 2],
}

/// Prints the result as one line of JSON.
pub(crate) fn print_json(
    found: &Found<'_>,
    certificate: Option<&str>,
    output: &mut Output,
) -> Result<(), Failure> {
    let proved = found.proved;
    let deleted = proved.deleted();
    let moves = root_moves(found)
        .into_iter()
        .map(|(mv, interval)| MoveReport {
            r#move: mv.uci,
            interval: [interval.lower, interval.upper],
        });
    output.json(&Report {
        fen: position_fen(found.state.position()),
        profile: profile_name(proved.profile),
        interval: [proved.interval.lower, proved.interval.upper],
        status: status(proved.stop),
        nodes: proved.expanded,
        edges: proved.edges,
        deleted: deleted.strict + deleted.equal,
        certificate,
        id: found.sealed.id().to_string(),
        assumptions: assumptions(found),
        proof_nodes: proved.nodes.len(),
        proof_states: proved.tree.states.len(),
        moves: moves.collect(),
    })
}

/// Prints the result for people.
pub(crate) fn print(found: &Found<'_>, output: &mut Output) -> Result<(), Failure> {
    let proved = found.proved;
    let Interval { lower, upper } = proved.interval;
    output.line(&position_fen(found.state.position()))?;
    output.line(&format!(
        "interval [{lower}, {upper}]: {}",
        meaning(proved.interval)
    ))?;
    output.line("")?;
    let deleted = proved.deleted();
    for (name, text) in [
        ("rules", profile_name(proved.profile).to_owned()),
        ("search", why(proved.stop).to_owned()),
        ("positions looked at", grouped(proved.expanded as u64)),
        ("  their moves", grouped(proved.edges as u64)),
        ("positions in the proof", grouped(proved.nodes.len() as u64)),
        (
            "states with history",
            grouped(proved.tree.states.len() as u64),
        ),
        ("moves deleted, certainly worse", grouped(deleted.strict)),
        ("  at best as good", grouped(deleted.equal)),
    ] {
        output.line(&format!("{name:31} {text}"))?;
    }
    for assumption in assumptions(found) {
        output.line(&format!("{:31} {assumption}", "assumes"))?;
    }
    if !proved.interval.is_point() {
        output.line("")?;
        for (mv, interval) in root_moves(found) {
            let Interval { lower, upper } = interval;
            output.line(&format!("{:8} [{lower}, {upper}]", mv.san))?;
        }
    }
    Ok(())
}

const fn profile_name(profile: Profile) -> &'static str {
    match profile {
        Profile::Board => "board",
        Profile::Fcs => "fcs",
    }
}

const fn status(stop: Stop) -> &'static str {
    match stop {
        Stop::Decided => "decided",
        Stop::Budget => "budget",
        Stop::Exhausted => "exhausted",
    }
}

const fn why(stop: Stop) -> &'static str {
    match stop {
        Stop::Decided => "the value is known",
        Stop::Budget => "the budget is spent, the value is open",
        Stop::Exhausted => "everything that is tried was tried, the value is open",
    }
}

/// What bounds say.
pub(crate) const fn meaning(interval: Interval) -> &'static str {
    match (interval.lower, interval.upper) {
        (1, 1) => "White wins",
        (0, 0) => "a draw",
        (-1, -1) => "Black wins",
        (0, 1) => "White does not lose",
        (-1, 0) => "Black does not lose",
        _ => "nothing was proved",
    }
}

/// What the result rests on, besides the certificate.
fn assumptions(found: &Found<'_>) -> Vec<String> {
    let mut all = Vec::new();
    if found.assumes {
        all.push("no earlier occurrences".to_owned());
    }
    let tables = found.tables.iter();
    all.extend(tables.map(|class| format!("the verified table of {class}")));
    all
}

/// The moves of the root with the bounds of White's value after them, as the certificate shows them.
fn root_moves(found: &Found<'_>) -> Vec<(Notation, Interval)> {
    let proved = found.proved;
    let position = found.state.position();
    let told: Vec<Interval> = match proved.tree.states.first().map(|state| &state.kind) {
        Some(StateKind::Moves(moves)) => moves
            .iter()
            .map(|reference| match *reference {
                StateReference::Open => Interval::UNKNOWN,
                StateReference::State(number) => proved.tree.states[number as usize].interval,
                StateReference::Node(number) => proved.nodes[number as usize].interval,
            })
            .collect(),
        Some(StateKind::Node(number)) => proved.moves_of(*number as usize),
        None => proved.moves_of(0),
    };
    let moves = moves_in_order(position).into_iter();
    moves
        .zip(told.into_iter().chain(std::iter::repeat(Interval::UNKNOWN)))
        .map(|(mv, interval)| {
            let end = found.state.after(mv).and_then(|next| next.end());
            let interval = match end {
                Some(End::Checkmate) if position.turn().is_white() => Interval::point(1),
                Some(End::Checkmate) => Interval::point(-1),
                Some(End::Stalemate) => Interval::point(0),
                Some(_) if proved.profile == Profile::Fcs => Interval::point(0),
                _ => interval,
            };
            (Notation::of(position, mv), interval)
        })
        .collect()
}
