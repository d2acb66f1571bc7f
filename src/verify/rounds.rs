//! Steps 5 to 9: the rounds in which something is known of each vertex for the first time.
//!
//! A win is known in the round after that in which it is known of the moves: of one of them where the winner is to move, of
//! all where the other side is. So the numbers are compared with the equations for each vertex and both sides. That a side
//! *holds*, which is to say does not lose, comes in the same way from the moves before the last round, and in the last
//! round for all vertices where the other side's win is never known.
//!
//! Each of these is a comparison of a vertex with its successors, and a step goes through all vertices before the next one
//! begins.
//!
//! Source: `docs/certificate-format.md`, *Kind 3: bounds*.

use super::certificate::Bounds;
use super::graph::{Move, Vertex, Vertices};
use super::interval::Interval;
use super::man::Side;
use super::table::same;
use super::{Reason, Refusal};

/// What stands in the place of a round that never comes.
pub(super) const NEVER: u16 = u16::MAX;

/// In which order the sides are judged as those that hold.
const BLACK_FIRST: [Side; 2] = [Side::Black, Side::White];

/// The rounds of a certificate.
///
/// Invariant: each list has an entry for each vertex.
pub(super) struct Rounds<'a> {
    stored: &'a Bounds,
}

impl<'a> Rounds<'a> {
    /// Step 5: the rounds of a graph with so many vertices.
    pub(super) fn of(stored: &'a Bounds, vertices: usize) -> Result<Rounds<'a>, Refusal> {
        for (field, list) in [
            ("white_wins", &stored.white_wins),
            ("black_wins", &stored.black_wins),
            ("white_holds", &stored.white_holds),
            ("black_holds", &stored.black_holds),
        ] {
            let (length, reason) = (list.len() as u64, Reason::WrongNumberOfRounds);
            same(reason, field, length, vertices as u64)?;
        }
        Ok(Rounds { stored })
    }

    /// Steps 6 to 9.
    pub(super) fn check(&self, vertices: &impl Vertices) -> Result<(), Refusal> {
        vertices.each(&mut |vertex| self.check_sets(vertices, vertex))?;
        vertices.each(&mut |vertex| self.check_wins(vertices, vertex))?;
        vertices.each(&mut |vertex| self.check_holds(vertices, vertex))?;
        self.check_last()
    }

    /// What is known in a round of what a move of a vertex leads to.
    pub(super) fn interval(&self, vertex: &Vertex, to: Move, round: u16) -> Interval {
        let low = match () {
            () if self.win_by(vertex, to, Side::White) <= round => 1,
            () if self.hold_by(vertex, to, Side::White) <= round => 0,
            () => -1,
        };
        let high = match () {
            () if self.win_by(vertex, to, Side::Black) <= round => -1,
            () if self.hold_by(vertex, to, Side::Black) <= round => 0,
            () => 1,
        };
        Interval { low, high }
    }

    /// The list that says when a side is known to win.
    fn wins(&self, side: Side) -> (&'static str, &[u16]) {
        match side {
            Side::White => ("white_wins", &self.stored.white_wins),
            Side::Black => ("black_wins", &self.stored.black_wins),
        }
    }

    /// The list that says when a side is known not to lose.
    fn holds(&self, side: Side) -> (&'static str, &[u16]) {
        match side {
            Side::White => ("white_holds", &self.stored.white_holds),
            Side::Black => ("black_holds", &self.stored.black_holds),
        }
    }

    /// When it is known that a side wins what a move of a vertex leads to.
    fn win_by(&self, vertex: &Vertex, to: Move, side: Side) -> u16 {
        match to {
            Move::Vertex(to) => at(self.wins(side).1, to),
            Move::Child(byte, _) if vertex.winner(byte) == Some(side) => 0,
            Move::Child(..) | Move::Sink => NEVER,
        }
    }

    /// When it is known that a side does not lose what a move of a vertex leads to.
    fn hold_by(&self, vertex: &Vertex, to: Move, side: Side) -> u16 {
        match to {
            Move::Vertex(to) => at(self.holds(side).1, to),
            Move::Child(byte, _) if vertex.winner(byte) == Some(side.other()) => NEVER,
            Move::Child(..) | Move::Sink => 0,
        }
    }

    /// Step 6: where a side holds, it can stay where it does.
    fn check_sets(&self, vertices: &impl Vertices, vertex: &Vertex) -> Result<(), Refusal> {
        for side in BLACK_FIRST {
            let (field, holds) = self.holds(side);
            if at(holds, vertex.number) == NEVER {
                continue;
            }
            let mut stays = vertex
                .moves
                .iter()
                .map(|&to| self.hold_by(vertex, to, side) != NEVER);
            let is_held = match vertex.moves.is_empty() {
                true => vertex.mated != Some(side),
                false if vertex.to_move == side => stays.any(|stays| stays),
                false => stays.all(|stays| stays),
            };
            if !is_held {
                let named = vertices.named(vertex.number);
                let place = format_args!("{field}: vertex {named} is not held");
                return Err(Refusal::new(Reason::LeakingSet, place));
            }
        }
        Ok(())
    }

    /// Step 7.
    fn check_wins(&self, vertices: &impl Vertices, vertex: &Vertex) -> Result<(), Refusal> {
        for side in Side::BOTH {
            let without_moves = match vertex.mated == Some(side.other()) {
                true => 0,
                false => NEVER,
            };
            let of_move = |to| self.win_by(vertex, to, side);
            let found = after(vertex, side, without_moves, of_move);
            let (field, wins) = self.wins(side);
            let stored = at(wins, vertex.number);
            if stored != found {
                let reason = Reason::WrongRank;
                return Err(other_round(vertices, vertex, reason, field, stored, found));
            }
        }
        Ok(())
    }

    /// Step 8.
    fn check_holds(&self, vertices: &impl Vertices, vertex: &Vertex) -> Result<(), Refusal> {
        let last = self.stored.rounds;
        for side in BLACK_FIRST {
            let without_moves = match vertex.mated == Some(side) {
                true => NEVER,
                false => 0,
            };
            // What is known in the last round gives no number up to the last: it does not go on to other vertices.
            let of_move = |to| self.hold_by(vertex, to, side);
            let known = after(vertex, side, without_moves, of_move);
            let is_never_lost = at(self.wins(side.other()).1, vertex.number) == NEVER;
            let found = match known < last {
                true => known,
                false if is_never_lost => last,
                false => NEVER,
            };
            let (field, holds) = self.holds(side);
            let stored = at(holds, vertex.number);
            if stored != found {
                let reason = Reason::WrongRound;
                return Err(other_round(vertices, vertex, reason, field, stored, found));
            }
            // In the last round nothing comes from moves: otherwise it would not be the last.
            if known == last {
                let named = vertices.named(vertex.number);
                let place = format_args!("{field}: vertex {named}: known from moves in {last}");
                return Err(Refusal::new(Reason::WrongRound, place));
            }
        }
        Ok(())
    }

    /// Step 9: the last round is the one after that in which something comes from moves for the last time.
    fn check_last(&self) -> Result<(), Refusal> {
        let stored = self.stored.rounds;
        let wins = Side::BOTH.map(|side| self.wins(side).1);
        let wins = wins.into_iter().flatten().filter(|&&round| round != NEVER);
        let holds = Side::BOTH.map(|side| self.holds(side).1);
        let holds = holds.into_iter().flatten().filter(|&&round| round < stored);
        let largest = wins.chain(holds).max();
        let found = largest.map_or(1, |&largest| largest.saturating_add(1));
        same(Reason::WrongCount, "rounds", stored.into(), found.into())
    }
}

/// The round in which something that is good for a side is known of a vertex, when it is known of its moves in these: after
/// the first of them where the side chooses, after the last where the other side does.
fn after(vertex: &Vertex, side: Side, without_moves: u16, of_move: impl Fn(Move) -> u16) -> u16 {
    let rounds = vertex.moves.iter().map(|&to| of_move(to));
    let round = match vertex.to_move == side {
        true => rounds.min(),
        false => rounds.max(),
    };
    // After never comes never.
    round.map_or(without_moves, |round| round.saturating_add(1))
}

/// The entry of a vertex in a list.
fn at(list: &[u16], vertex: u32) -> u16 {
    list.get(vertex as usize).copied().unwrap_or(NEVER)
}

/// The refusal of a round that is not the one found.
fn other_round(
    vertices: &impl Vertices,
    vertex: &Vertex,
    reason: Reason,
    field: &str,
    stored: u16,
    found: u16,
) -> Refusal {
    let named = vertices.named(vertex.number);
    let [stored, found] = [stored, found].map(|round| match round {
        NEVER => "never".to_string(),
        round => round.to_string(),
    });
    let place = format_args!("{field}: vertex {named}: stored {stored}, found {found}");
    Refusal::new(reason, place)
}
