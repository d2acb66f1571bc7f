//! The graph of moves in Aldebaran format, for tools that minimise labelled transition systems.
//!
//! State 0 is a root with an `init` edge to every vertex; then come the vertices, each with a
//! self-loop that says the side to move and, at the end of the game, one more; then what they lead to
//! outside the class: the draw sink and values of children, each with one self-loop.

use dchess::endgame::{Label, MoveGraph, value_of};
use dchess::game::{Observer, StateIndex, Successor};
use shakmaty::Color;

use super::failure::Failure;
use super::progress::Progress;
use super::sink::Sink;

/// The states behind the vertices: the sink and the child states that moves lead to.
struct Outside {
    /// By place behind the vertices in the graph: the number in the file.
    children: Vec<Option<usize>>,
    sink: Option<usize>,
    /// The first number that is free.
    end: usize,
}

impl Outside {
    fn of(moves: &MoveGraph) -> Outside {
        let vertices = moves.vertices();
        let mut is_reached = vec![false; moves.graph.len() - vertices];
        let mut has_sink = false;
        for vertex in (0..vertices).map(StateIndex::new) {
            // Successors are sorted: what is outside stands last.
            for successor in moves.graph.successors(vertex).iter().rev() {
                match successor.state() {
                    None => has_sink = true,
                    Some(state) if state.get() >= vertices => {
                        is_reached[state.get() - vertices] = true;
                    }
                    Some(_) => break,
                }
            }
        }
        let mut end = vertices + 1;
        let mut next = |is_reached: bool| {
            is_reached.then(|| {
                end += 1;
                end - 1
            })
        };
        let sink = next(has_sink);
        let children = is_reached.into_iter().map(&mut next).collect();
        Outside {
            children,
            sink,
            end,
        }
    }
}

/// Writes the graph.
pub(crate) fn write(
    moves: &MoveGraph,
    progress: &Progress,
    sink: &mut Sink,
) -> Result<(), Failure> {
    const CHUNK: usize = 1 << 12;
    let vertices = moves.vertices();
    let outside = Outside::of(moves);
    let ends = moves.graph.ends();
    let terminals = ends.partition_point(|&(state, _)| state.get() < vertices);
    // Behind the vertices nobody moves.
    let edges = moves.graph.edge_count();
    let loops = vertices + terminals + outside.end - vertices - 1;
    let transitions = vertices + edges + loops;
    progress.begin("writing the graph", vertices as u64);
    let head = format!("des (0, {transitions}, {})\n", outside.end);
    if sink.bytes(head.as_bytes())?.is_break() {
        return Ok(());
    }
    for first in (0..vertices).step_by(CHUNK) {
        let chunk = first..(first + CHUNK).min(vertices);
        let edges = chunk.map(|vertex| format!("(0, init, {})\n", vertex + 1));
        if sink.bytes(edges.collect::<String>().as_bytes())?.is_break() {
            return Ok(());
        }
    }
    for first in (0..vertices).step_by(CHUNK) {
        let chunk = first..(first + CHUNK).min(vertices);
        progress.checkpoint(chunk.len() as u64)?;
        let mut text = String::new();
        for vertex in chunk {
            put_vertex(moves, &outside, vertex, &mut text);
        }
        if sink.bytes(text.as_bytes())?.is_break() {
            return Ok(());
        }
    }
    let mut text = String::new();
    if let Some(number) = outside.sink {
        text.push_str(&format!("({number}, sink, {number})\n"));
    }
    for (place, number) in outside.children.iter().enumerate() {
        if let Some(number) = number
            && let Label::Child(turn, byte) = moves.label(StateIndex::new(vertices + place))
        {
            let name = child_name(turn, byte);
            text.push_str(&format!("({number}, {name}, {number})\n"));
        }
    }
    // It is the last of the text, whether or not anybody wants more.
    sink.bytes(text.as_bytes()).map(|_| ())
}

/// Adds the loops and moves of a vertex.
fn put_vertex(moves: &MoveGraph, outside: &Outside, vertex: usize, text: &mut String) {
    let (state, number) = (StateIndex::new(vertex), vertex + 1);
    let label = moves.label(state);
    text.push_str(&format!("({number}, {}, {number})\n", color(label.turn())));
    match label {
        Label::Checkmate(_) => text.push_str(&format!("({number}, checkmate, {number})\n")),
        Label::Stalemate(_) => text.push_str(&format!("({number}, stalemate, {number})\n")),
        Label::Ordinary(_) | Label::Child(..) => {}
    }
    let vertices = moves.vertices();
    let target = |successor: &Successor| match successor.state() {
        None => outside.sink,
        Some(state) => match state.get().checked_sub(vertices) {
            None => Some(state.get() + 1),
            Some(place) => outside.children[place],
        },
    };
    for target in moves.graph.successors(state).iter().filter_map(target) {
        text.push_str(&format!("({number}, m, {target})\n"));
    }
}

fn color(turn: Color) -> &'static str {
    match turn {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The label of a child's state: `child_black_loss_12`, `child_white_draw`.
fn child_name(turn: Color, byte: u8) -> String {
    let value = value_of(byte);
    let (color, word) = (color(turn), value.outcome().word());
    match value.distance() {
        Some(plies) => format!("child_{color}_{word}_{}", plies.get()),
        None => format!("child_{color}_{word}"),
    }
}
