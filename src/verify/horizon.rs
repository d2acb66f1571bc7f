//! Step 9: what is said of the vertices of a block follows from what a side can force within the horizon.
//!
//! A side *wins* in a vertex if it can force a checkmate, a won state of a child, or a block of a smaller rank in which it is
//! said to win; it *holds* if it can force a vertex where it is said to hold, and is not mated on the way. Both are found by
//! sweeps: one sweep more looks one ply further. A sweep gives each vertex a number, the smallest rank that the side can
//! force, with 0 for what is won already; for holding there is nothing to compare, and the number is 0 where the side
//! holds.
//!
//! What is known after a sweep follows from what was known before it alone. So if a sweep changes nothing, no later one
//! does, and they are left out.
//!
//! Source: `docs/certificate-format.md`, *What horizon K means*.

use super::graph::{Move, Vertex, Vertices};
use super::interval::Interval;
use super::intervals::{Intervals, NEVER, Said};
use super::man::Side;
use super::{Reason, Refusal};

/// What a side is after.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Win,
    Hold,
}

/// What a side can force in some number of plies.
struct Sweep {
    side: Side,
    aim: Aim,
    /// The number of each vertex.
    now: Vec<u16>,
    /// Those after one ply more, while they are found.
    next: Vec<u16>,
}

impl Sweep {
    /// Whether this is what a block has to be witnessed by.
    fn witnesses(&self, said: Said) -> bool {
        let least = match self.aim {
            Aim::Win => 1,
            Aim::Hold => 0,
        };
        said.interval.least_for(self.side) == least
    }

    /// The number of a vertex before any ply: what is said of its block, unless the game is over.
    fn at_first(&self, vertex: &Vertex, said: Said) -> u16 {
        let least = said.interval.least_for(self.side);
        let loser = self.side.other();
        match (self.aim, vertex.moves.is_empty()) {
            (Aim::Win, true) if vertex.mated == Some(loser) => 0,
            (Aim::Win, true) => NEVER,
            (Aim::Win, false) if least == 1 => said.rank,
            (Aim::Win, false) => NEVER,
            (Aim::Hold, true) if vertex.mated == Some(self.side) => NEVER,
            (Aim::Hold, true) => 0,
            (Aim::Hold, false) if least >= 0 => 0,
            (Aim::Hold, false) => NEVER,
        }
    }

    /// The number of what a move leads to.
    fn of_move(&self, vertex: &Vertex, to: Move) -> u16 {
        let loser = self.side.other();
        let is_good = match (to, self.aim) {
            (Move::Vertex(to), _) => {
                let number = self.now.get(to as usize);
                return number.copied().unwrap_or(NEVER);
            }
            (Move::Child(byte, _), Aim::Win) => vertex.winner(byte) == Some(self.side),
            (Move::Child(byte, _), Aim::Hold) => vertex.winner(byte) != Some(loser),
            (Move::Sink, aim) => aim == Aim::Hold,
        };
        if is_good { 0 } else { NEVER }
    }

    /// The number that the moves of a vertex give: the smallest where the side chooses, the largest where the other side
    /// does.
    fn of_moves(&self, vertex: &Vertex) -> u16 {
        let numbers = vertex.moves.iter().map(|&to| self.of_move(vertex, to));
        let number = match vertex.to_move == self.side {
            true => numbers.min(),
            false => numbers.max(),
        };
        number.unwrap_or(NEVER)
    }

    /// Why what is said of a vertex with moves does not follow from them.
    fn fault(&self, vertex: &Vertex, said: Said) -> Option<(Reason, String)> {
        let number = self.of_moves(vertex);
        let bound = match (self.side, self.aim) {
            (Side::White, Aim::Win) => "lower 2",
            (Side::White, Aim::Hold) => "lower 1",
            (Side::Black, Aim::Win) => "upper 0",
            (Side::Black, Aim::Hold) => "upper 1",
        };
        let does_not_follow = format!("{bound} does not follow within the horizon");
        match self.aim {
            Aim::Win if number == NEVER => Some((Reason::UnwitnessedBound, does_not_follow)),
            Aim::Win if number >= said.rank => {
                let what = format!("rank {}, only {number} can be forced", said.rank);
                Some((Reason::RankDoesNotFall, what))
            }
            Aim::Hold if number == NEVER => Some((Reason::LeakingSet, does_not_follow)),
            _ => None,
        }
    }
}

/// Vertices with their blocks, and what is said of these.
pub(super) struct Horizon<'a, V> {
    pub(super) vertices: &'a V,
    /// The block of each vertex.
    pub(super) blocks: &'a [u32],
    pub(super) intervals: &'a Intervals<'a>,
}

impl<V: Vertices> Horizon<'_, V> {
    /// Step 9 with a horizon of so many plies, one at least. Blocks are named for people as is said. Returns the number of
    /// edges: the moves of all vertices that are states.
    pub(super) fn check(
        &self,
        plies: u8,
        name_of_block: &dyn Fn(usize) -> String,
    ) -> Result<u64, Refusal> {
        let (mut sweeps, edges) = self.first_sweeps()?;
        // The last ply is that of the moves that are looked at in the end.
        for _ in 1..plies {
            if !self.sweep(&mut sweeps)? {
                break;
            }
        }
        self.vertices.each(&mut |vertex| {
            let checked = self.check_vertex(&sweeps, vertex);
            checked.map_err(|(reason, what)| {
                let named = self.vertices.named(vertex.number);
                let block = name_of_block(self.block(vertex));
                Refusal::new(reason, format_args!("vertex {named}, {block}: {what}"))
            })
        })?;
        Ok(edges)
    }

    /// The block of a vertex.
    fn block(&self, vertex: &Vertex) -> usize {
        let block = self.blocks.get(vertex.number as usize);
        block.copied().unwrap_or_default() as usize
    }

    /// The sweeps that some block asks for, before any ply, in the order in which they are judged; and the number of edges.
    fn first_sweeps(&self) -> Result<(Vec<Sweep>, u64), Refusal> {
        let mut sweeps = Vec::new();
        for aim in [Aim::Win, Aim::Hold] {
            for side in Side::BOTH {
                let sweep = Sweep {
                    side,
                    aim,
                    now: Vec::new(),
                    next: Vec::new(),
                };
                if self.intervals.all().any(|said| sweep.witnesses(said)) {
                    sweeps.push(sweep);
                }
            }
        }
        let (states, mut edges) = (self.vertices.states(), 0);
        self.vertices.each(&mut |vertex| {
            let said = self.intervals.at(self.block(vertex));
            for sweep in &mut sweeps {
                sweep.now.push(sweep.at_first(vertex, said));
            }
            if (vertex.number as usize) < states {
                edges += vertex.moves.len() as u64;
            }
            Ok(())
        })?;
        Ok((sweeps, edges))
    }

    /// Looks one ply further. Returns whether anything has changed.
    fn sweep(&self, sweeps: &mut [Sweep]) -> Result<bool, Refusal> {
        sweeps.iter_mut().for_each(|sweep| sweep.next.clear());
        self.vertices.each(&mut |vertex| {
            let said = self.intervals.at(self.block(vertex));
            for sweep in sweeps.iter_mut() {
                let number = sweep.at_first(vertex, said);
                sweep.next.push(number.min(sweep.of_moves(vertex)));
            }
            Ok(())
        })?;
        let mut has_changed = false;
        for sweep in sweeps {
            has_changed |= sweep.now != sweep.next;
            std::mem::swap(&mut sweep.now, &mut sweep.next);
        }
        Ok(has_changed)
    }

    /// What is said of a vertex, by its end or by its moves.
    fn check_vertex(&self, sweeps: &[Sweep], vertex: &Vertex) -> Result<(), (Reason, String)> {
        let said = self.intervals.at(self.block(vertex));
        if vertex.moves.is_empty() {
            let value = Interval::won_by(vertex.mated.map(Side::other)).low;
            let Interval { low, high } = said.interval;
            return match (low..=high).contains(&value) {
                true => Ok(()),
                false => {
                    let what = format!("the value {value} is not in {low} to {high}");
                    Err((Reason::UnwitnessedBound, what))
                }
            };
        }
        let asked = sweeps.iter().filter(|sweep| sweep.witnesses(said));
        let faults = asked.filter_map(|sweep| sweep.fault(vertex, said));
        faults.take(1).try_for_each(Err)
    }
}
