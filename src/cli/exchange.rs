//! `exchange`: the captures on one square that a capture begins (C6.1, C6.2).

use dchess::mate::{Centipawns, ExchangeError, ExchangeGraph, ExchangeNode};
use dchess::rules::{Notation, parse_fen, position_fen, uci};
use serde::Serialize;
use shakmaty::{Chess, Move};

use super::failure::{Exit, Failure, warn};
use super::move_text::read_move;
use super::output::Output;

/// Show the exchange that a capture begins: its value and its graph
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The capture may be answered by a legal capture on the same square, that by another, and so on; either side may
stop instead. The value is what the side of the first capture wins, in centipawns (P 100, N 320, B 330, R 500,
Q 900), if both do their best. It is exact in this small game alone: checks elsewhere, captures elsewhere and
quiet moves are left out, so it bounds nothing in chess. Nodes are the positions after the first capture, each
once; in checked nodes the side to move is in check, and may have no move that stops.

Examples:
  dchess exchange '4k3/8/2b1p3/3n4/2B5/8/3Q4/4K3 w - - 0 1' Qxd5
  dchess exchange '4k3/8/2b1p3/3n4/2B5/8/3Q4/4K3 w - - 0 1' d2d5 --dot | dot -Tsvg > exchange.svg")]
pub(crate) struct Args {
    /// A position as FEN, in quotes
    #[arg(value_name = "FEN")]
    fen: String,

    /// A legal capture, as UCI or SAN
    #[arg(value_name = "MOVE")]
    capture: String,

    /// The most positions of the graph
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: usize,

    /// Print value and graph as one line of JSON
    #[arg(long)]
    json: bool,

    /// Print the graph for Graphviz
    #[arg(long, conflicts_with = "json")]
    dot: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    fen: String,
    r#move: String,
    value: Centipawns,
    nodes: usize,
    capture_plies: u8,
    checked_nodes: usize,
    graph: Vec<NodeReport>,
}

#[derive(Serialize)]
struct NodeReport {
    fen: String,
    change: Centipawns,
    value: Centipawns,
    check: bool,
    captures: Vec<CaptureReport>,
}

#[derive(Serialize)]
struct CaptureReport {
    r#move: String,
    node: usize,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let position = parse_fen(&args.fen).map_err(|error| Failure::Error(error.to_string()))?;
    let capture = read_move(&position, &args.capture)?;
    let graph = match ExchangeGraph::of(&position, capture, args.nodes) {
        Ok(graph) => graph,
        Err(ExchangeError::NoCapture) => {
            let shown = Notation::of(&position, capture).san;
            return Err(Failure::Error(format!(
                "{shown} captures nothing; an exchange begins with a capture"
            )));
        }
        Err(error @ ExchangeError::TooLarge(_)) => {
            warn(&format!("{error}; --nodes allows more"));
            return Ok(Exit::Undecided);
        }
    };
    if args.json {
        output.json(&report(&position, capture, &graph))?;
    } else if args.dot {
        print_dot(&position, capture, &graph, output)?;
    } else {
        print(&position, capture, &graph, output)?;
    }
    Ok(Exit::Established)
}

fn report(position: &Chess, capture: Move, graph: &ExchangeGraph) -> Report {
    let node = |node: &ExchangeNode| NodeReport {
        fen: position_fen(&node.position()),
        change: node.change,
        value: node.value,
        check: node.is_check,
        captures: node
            .captures
            .iter()
            .map(|&(mv, to)| CaptureReport {
                r#move: uci(mv),
                node: to,
            })
            .collect(),
    };
    Report {
        fen: position_fen(position),
        r#move: uci(capture),
        value: graph.value(),
        nodes: graph.nodes().len(),
        capture_plies: graph.capture_plies(),
        checked_nodes: graph.checked_nodes(),
        graph: graph.nodes().iter().map(node).collect(),
    }
}

fn print(
    position: &Chess,
    capture: Move,
    graph: &ExchangeGraph,
    output: &mut Output,
) -> Result<(), Failure> {
    let san = Notation::of(position, capture).san;
    output.line(&position_fen(position))?;
    output.line(&format!("exchange {san}"))?;
    output.line("")?;
    for (name, figure) in [
        ("value, centipawns", graph.value().to_string()),
        ("nodes", graph.nodes().len().to_string()),
        ("capture plies", graph.capture_plies().to_string()),
        ("checked nodes", graph.checked_nodes().to_string()),
    ] {
        output.line(&format!("{name:18} {figure:>7}"))?;
    }
    output.line("")?;
    output.line("node   change    value  check  captures and where they lead")?;
    for (place, node) in graph.nodes().iter().enumerate() {
        let position = node.position();
        let captures: Vec<String> = node
            .captures
            .iter()
            .map(|&(mv, to)| format!("{} {to}", Notation::of(&position, mv).san))
            .collect();
        let captures = match captures.is_empty() {
            true => "-".to_owned(),
            false => captures.join(", "),
        };
        let check = if node.is_check { "yes" } else { "no" };
        let (change, value) = (node.change.to_string(), node.value.to_string());
        let line = format!("{place:4} {change:>8} {value:>8}  {check:5}  {captures}");
        output.line(&line)?;
    }
    Ok(())
}

fn print_dot(
    position: &Chess,
    capture: Move,
    graph: &ExchangeGraph,
    output: &mut Output,
) -> Result<(), Failure> {
    let san = Notation::of(position, capture).san;
    output.line("digraph exchange {")?;
    output.line(&format!("  label=\"{} {san}\";", position_fen(position)))?;
    for (place, node) in graph.nodes().iter().enumerate() {
        let check = if node.is_check { "\\ncheck" } else { "" };
        output.line(&format!(
            "  n{place} [shape=box, label=\"{}\\n{}{check}\"];",
            node.change, node.value
        ))?;
        let position = node.position();
        for &(mv, to) in &node.captures {
            let san = Notation::of(&position, mv).san;
            output.line(&format!("  n{place} -> n{to} [label=\"{san}\"];"))?;
        }
    }
    output.line("}")
}
