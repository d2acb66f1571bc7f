//! The figures of a refinement, for people and as JSON.

use dchess::certificate::Sealed;
use dchess::endgame::{Material, Quotient, SemanticPartition};
use serde::Serialize;

use super::destination::Destination;
use super::failure::Failure;
use super::output::{Output, grouped};

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    universe: String,
    states: usize,
    edges: u64,
    blocks: usize,
    rounds: usize,
    blocks_per_round: &'a [u32],
    compression: f64,
    semantic_classes: usize,
    semantic_compression: f64,
    certificate: String,
    id: String,
}

/// Prints the figures as one line of JSON.
pub(crate) fn print_json(
    material: &Material,
    quotient: &Quotient,
    semantic: SemanticPartition,
    destination: &Destination,
    sealed: &Sealed,
    report: &mut Output,
) -> Result<(), Failure> {
    report.json(&Report {
        universe: material.to_string(),
        states: quotient.states,
        edges: quotient.edges,
        blocks: quotient.blocks(),
        rounds: quotient.refinement.rounds(),
        blocks_per_round: &quotient.refinement.blocks_per_round,
        compression: quotient.compression(),
        semantic_classes: semantic.classes,
        semantic_compression: semantic.compression(quotient),
        certificate: destination.shown(),
        id: sealed.id().to_string(),
    })
}

/// Prints the figures and conventions for people.
pub(crate) fn print(
    material: &Material,
    quotient: &Quotient,
    semantic: SemanticPartition,
    report: &mut Output,
) -> Result<(), Failure> {
    let refinement = &quotient.refinement;
    let mut figures = vec![
        ("states", grouped(quotient.states as u64)),
        (
            "edges, into the draw sink included",
            grouped(quotient.edges),
        ),
    ];
    if material.has_en_passant() {
        let states = grouped(quotient.en_passant_states as u64);
        figures.push(("en-passant states, partitioned too", states));
    }
    figures.extend([
        ("blocks", grouped(quotient.blocks() as u64)),
        (
            "rounds, that without a change included",
            refinement.rounds().to_string(),
        ),
        (
            "compression, states a block",
            format!("{:.6}x", quotient.compression()),
        ),
        (
            "classes by side, result, distance",
            grouped(semantic.classes as u64),
        ),
        (
            "  their compression",
            format!("{:.0}x", semantic.compression(quotient)),
        ),
    ]);
    report.line(&format!(
        "{material}  the coarsest strong bisimulation of the graph of moves"
    ))?;
    report.line("")?;
    for (name, figure) in figures {
        report.line(&format!("{name:41} {figure}"))?;
    }
    report.line("")?;
    report.line("blocks before the first round and after each")?;
    let counts: Vec<String> = refinement
        .blocks_per_round
        .iter()
        .map(|&count| grouped(count.into()))
        .collect();
    for row in counts.chunks(8) {
        report.line(&format!("  {}", row.join("  ")))?;
    }
    report.line("")?;
    report.line("conventions")?;
    report.line("  label  side to move; ordinary, checkmate or stalemate")?;
    report.line("  edge   distinct pair of a state and a successor, up to symmetry")?;
    report.line("  sink   all positions without a mate, one state; its own block, not counted")?;
    if !material.children().is_empty() {
        report.line("  child  a position of another class is told by side, result and distance")?;
    }
    report.line("  check  every block holds states of one side, result and distance")
}
