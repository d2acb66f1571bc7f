//! Steps 10 and 11: the moves that are deleted, and how many there are.
//!
//! A record names the move that dominates, which has to be one that is kept, and a round. With what is known in that round
//! the deleted move is no better for the side to move than the other one, and with what is known in the round before that is
//! not so yet.
//!
//! Source: `docs/certificate-format.md`, *Deletions*.

use super::certificate::Bounds;
use super::graph::{Move, Vertex, Vertices};
use super::rounds::{NEVER, Rounds};
use super::table::same;
use super::{Reason, Refusal};

/// What stands in the place of a dominating move where a move is kept.
const KEPT: u8 = u8::MAX;

/// What is counted, en-passant states left out.
#[derive(Default)]
struct Counts {
    edges: u64,
    strict: u64,
    equal: u64,
    open: u64,
}

/// Compares the deletions with what the rounds say, and returns the number of edges.
pub(super) fn check(
    vertices: &impl Vertices,
    rounds: &Rounds,
    stored: &Bounds,
) -> Result<u64, Refusal> {
    let mut moves = 0;
    vertices.each(&mut |vertex| {
        moves += vertex.moves.len() as u64;
        Ok(())
    })?;
    let (dominators, deletion_rounds) = (&stored.dominators, &stored.deletion_rounds);
    let reason = Reason::WrongNumberOfRecords;
    same(reason, "dominators", dominators.len() as u64, moves)?;
    same(
        reason,
        "deletion_rounds",
        deletion_rounds.len() as u64,
        moves,
    )?;
    let mut counts = Counts::default();
    let mut records = dominators
        .iter()
        .copied()
        .zip(deletion_rounds.iter().copied());
    let mut of_vertex = Vec::new();
    vertices.each(&mut |vertex| {
        of_vertex.clear();
        of_vertex.extend(records.by_ref().take(vertex.moves.len()));
        let is_counted = (vertex.number as usize) < vertices.states();
        let mut here = Counts::default();
        for place in 0..of_vertex.len() {
            check_record(rounds, vertex, &of_vertex, place, &mut here).map_err(|reason| {
                let named = vertices.named(vertex.number);
                Refusal::new(reason, format_args!("vertex {named}: move {place}"))
            })?;
        }
        if is_counted {
            counts.add(&here);
        }
        Ok(())
    })?;
    let reason = Reason::WrongCount;
    same(reason, "edges", stored.edges, counts.edges)?;
    same(
        reason,
        "deleted_strict",
        stored.deleted_strict,
        counts.strict,
    )?;
    same(reason, "deleted_equal", stored.deleted_equal, counts.equal)?;
    same(reason, "deleted_open", stored.deleted_open, counts.open)?;
    Ok(counts.edges)
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.edges += other.edges;
        self.strict += other.strict;
        self.equal += other.equal;
        self.open += other.open;
    }
}

/// The record of the move at a place among those of its vertex.
fn check_record(
    rounds: &Rounds,
    vertex: &Vertex,
    records: &[(u8, u16)],
    place: usize,
    counts: &mut Counts,
) -> Result<(), Reason> {
    counts.edges += 1;
    let record = records.get(place).copied().unwrap_or((KEPT, NEVER));
    let (dominator, round) = match record {
        (KEPT, NEVER) => return Ok(()),
        (KEPT, _) | (_, NEVER) => return Err(Reason::WrongRecord),
        (dominator, round) => (usize::from(dominator), round),
    };
    let of_place = |place: usize| Some((*vertex.moves.get(place)?, records.get(place)?.0));
    let (Some((deleted, _)), Some((dominating, its_dominator))) =
        (of_place(place), of_place(dominator))
    else {
        return Err(Reason::WrongRecord);
    };
    if dominator == place {
        return Err(Reason::WrongRecord);
    }
    if its_dominator != KEPT {
        return Err(Reason::DominatingMoveDeleted);
    }
    let intervals = |round| {
        let of_move = |to: Move| rounds.interval(vertex, to, round);
        (of_move(dominating), of_move(deleted))
    };
    let (better, worse) = intervals(round);
    let order = better.against(worse, vertex.to_move);
    if order.is_lt() {
        return Err(Reason::NotDominated);
    }
    if let Some(before) = round.checked_sub(1) {
        let (better, worse) = intervals(before);
        if better.against(worse, vertex.to_move).is_ge() {
            return Err(Reason::WrongRound);
        }
    }
    match order.is_eq() {
        true => counts.equal += 1,
        false => counts.strict += 1,
    }
    counts.open += u64::from(worse.low != worse.high);
    Ok(())
}
