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
    fn fault(&self, vertex: &Vertex, said: Said, plies: u8) -> Option<(Reason, String)> {
        let number = self.of_moves(vertex);
        let bound = match (self.side, self.aim) {
            (Side::White, Aim::Win) => "lower 2",
            (Side::White, Aim::Hold) => "lower 1",
            (Side::Black, Aim::Win) => "upper 0",
            (Side::Black, Aim::Hold) => "upper 1",
        };
        let does_not_follow = format!("{bound} does not follow within {plies} plies");
        match self.aim {
            Aim::Win if number == NEVER => Some((Reason::UnwitnessedBound, does_not_follow)),
            Aim::Win if number >= said.rank => {
                let what = format!(
                    "rank {}, only {number} can be forced within {plies} plies",
                    said.rank
                );
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
            let checked = self.check_vertex(&sweeps, vertex, plies);
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
    fn check_vertex(
        &self,
        sweeps: &[Sweep],
        vertex: &Vertex,
        plies: u8,
    ) -> Result<(), (Reason, String)> {
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
        let faults = asked.filter_map(|sweep| sweep.fault(vertex, said, plies));
        faults.take(1).try_for_each(Err)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::certificate::Abstraction;
    use super::super::class::Successor;
    use super::super::decision_tree::DecisionTree;
    use super::*;

    /// Vertices from wherever, with their blocks and what is said of these.
    #[derive(Clone)]
    struct Toy {
        vertices: Vec<Vertex>,
        blocks: Vec<u32>,
        stored: Abstraction,
        plies: u8,
    }

    impl Vertices for Toy {
        fn states(&self) -> usize {
            self.vertices.len() - 1
        }

        fn each(
            &self,
            visit: &mut dyn FnMut(&Vertex) -> Result<(), Refusal>,
        ) -> Result<(), Refusal> {
            self.vertices.iter().try_for_each(visit)
        }

        fn named(&self, vertex: u32) -> String {
            vertex.to_string()
        }
    }

    /// A tree with so many leaves.
    fn tree(leaves: usize) -> DecisionTree {
        let question = ["side <= 0".to_string(), "leaf".to_string()];
        let mut lines = vec![question; leaves - 1].concat();
        lines.push("leaf".to_string());
        DecisionTree::of(&lines).unwrap()
    }

    impl Toy {
        /// What is said of the blocks: bounds from −1 to 1, and ranks.
        fn of(vertices: Vec<Vertex>, blocks: Vec<u32>, said: &[(i8, i8, u16)], plies: u8) -> Toy {
            let bytes = |bound: fn(&(i8, i8, u16)) -> i8| {
                said.iter().map(|said| (bound(said) + 1) as u8).collect()
            };
            let stored = Abstraction {
                states: 0,
                edges: 0,
                en_passant_states: None,
                tree: Vec::new(),
                lower: bytes(|said| said.0),
                upper: bytes(|said| said.1),
                ranks: said.iter().map(|said| said.2).collect(),
            };
            Toy {
                vertices,
                blocks,
                stored,
                plies,
            }
        }

        fn judge(&self) -> Result<u64, Refusal> {
            let tree = tree(self.stored.lower.len());
            let intervals = Intervals::of(&self.stored, &tree).unwrap();
            let horizon = Horizon {
                vertices: self,
                blocks: &self.blocks,
                intervals: &intervals,
            };
            horizon.check(self.plies, &|block| format!("block {block}"))
        }

        /// The block of a vertex: its bounds and its rank.
        fn said(&self, vertex: u32) -> (i8, i8, u16) {
            let block = self.blocks[vertex as usize] as usize;
            let bound = |list: &[u8]| list[block] as i8 - 1;
            let (lower, upper) = (bound(&self.stored.lower), bound(&self.stored.upper));
            (lower, upper, self.stored.ranks[block])
        }

        /// The number *w* of the page after some plies; none for one that is infinite.
        fn w(&self, side: Side, vertex: u32, plies: u8) -> Option<u16> {
            let here = &self.vertices[vertex as usize];
            if here.mated == Some(side.other()) {
                return Some(0);
            }
            if here.moves.is_empty() {
                return None;
            }
            let (lower, upper, rank) = self.said(vertex);
            let is_won = match side {
                Side::White => lower == 1,
                Side::Black => upper == -1,
            };
            let first = is_won.then_some(rank);
            let later = match plies {
                0 => None,
                _ => self.m(side, here, plies),
            };
            [first, later].into_iter().flatten().min()
        }

        /// The number *m* of the page.
        fn m(&self, side: Side, here: &Vertex, plies: u8) -> Option<u16> {
            let numbers = here.moves.iter().map(|&to| match to {
                Move::Vertex(to) => self.w(side, to, plies - 1),
                Move::Child(byte, _) if here.winner(byte) == Some(side) => Some(0),
                _ => None,
            });
            let key = |number: &Option<u16>| number.map_or(u32::MAX, u32::from);
            match here.to_move == side {
                true => numbers.min_by_key(key).unwrap(),
                false => numbers.max_by_key(key).unwrap(),
            }
        }

        /// Whether *h* of the page is so.
        fn h(&self, side: Side, vertex: u32, plies: u8) -> bool {
            let here = &self.vertices[vertex as usize];
            if here.moves.is_empty() {
                return here.mated != Some(side);
            }
            let (lower, upper, _) = self.said(vertex);
            let is_held = match side {
                Side::White => lower >= 0,
                Side::Black => upper <= 0,
            };
            is_held || plies > 0 && self.n(side, here, plies)
        }

        /// Whether *n* of the page is so.
        fn n(&self, side: Side, here: &Vertex, plies: u8) -> bool {
            let mut holds = here.moves.iter().map(|&to| match to {
                Move::Vertex(to) => self.h(side, to, plies - 1),
                Move::Child(byte, _) => here.winner(byte) != Some(side.other()),
                Move::Sink => true,
            });
            match here.to_move == side {
                true => holds.any(|holds| holds),
                false => holds.all(|holds| holds),
            }
        }

        /// Step 9 by definition: the first vertex that is at fault, and why.
        fn wanted(&self) -> Option<(u32, Reason)> {
            for here in &self.vertices {
                let (lower, upper, rank) = self.said(here.number);
                let fault = |reason| Some((here.number, reason));
                if here.moves.is_empty() {
                    let value = match here.mated {
                        Some(Side::White) => -1,
                        Some(Side::Black) => 1,
                        None => 0,
                    };
                    if value < lower || upper < value {
                        return fault(Reason::UnwitnessedBound);
                    }
                    continue;
                }
                for (side, is_won) in [(Side::White, lower == 1), (Side::Black, upper == -1)] {
                    match self.m(side, here, self.plies) {
                        _ if !is_won => {}
                        None => return fault(Reason::UnwitnessedBound),
                        Some(number) if number >= rank => return fault(Reason::RankDoesNotFall),
                        Some(_) => {}
                    }
                }
                for (side, is_held) in [(Side::White, lower == 0), (Side::Black, upper == 0)] {
                    if is_held && !self.n(side, here, self.plies) {
                        return fault(Reason::LeakingSet);
                    }
                }
            }
            None
        }
    }

    /// A vertex with these moves. Without moves it is a checkmate, or a stalemate.
    fn vertex(number: u32, to_move: Side, is_mate: bool, moves: &[Move]) -> Vertex {
        Vertex {
            number,
            to_move,
            mated: is_mate.then_some(to_move),
            moves: moves.to_vec(),
        }
    }

    /// Vertices, even ones with White to move: 0 and 2 lead to 1 and 3, from 1 one comes back to 0 or on to 2, from 3 on
    /// to 4 only, from there to the checkmate of Black, 5.
    fn ladder() -> Vec<Vertex> {
        let (white, black) = (Side::White, Side::Black);
        let to = Move::Vertex;
        vec![
            vertex(0, white, false, &[to(1), to(3)]),
            vertex(1, black, false, &[to(0), to(2)]),
            vertex(2, white, false, &[to(3)]),
            vertex(3, black, false, &[to(4)]),
            vertex(4, white, false, &[to(1), to(5)]),
            vertex(5, black, true, &[]),
        ]
    }

    #[test]
    fn a_win_is_forced_within_the_horizon() {
        let blocks = vec![0, 1, 0, 1, 2, 3];
        let judge = |ranks: [u16; 4], plies| {
            let said = ranks.map(|rank| (1, 1, rank));
            let found = Toy::of(ladder(), blocks.clone(), &said, plies).judge();
            found.map_err(|refusal| (refusal.reason, refusal.place))
        };
        let fall = Reason::RankDoesNotFall;
        // A ply at a time: 4 mates, 3 leads there, 0 and 2 lead to 3. But 1 is in a block with 3, and leads back.
        assert_eq!(
            judge([3, 2, 1, 1], 1),
            Err((
                fall,
                "vertex 1, block 1: rank 2, only 3 can be forced within 1 plies".to_string()
            ))
        );
        // From 1 the block of 4 is forced in three plies: there, to 3, and on.
        assert!(judge([3, 2, 1, 1], 3).is_ok());
        // The ranks of the blocks of 0 and 1 may be the same then: each forces the next block.
        assert!(judge([2, 2, 1, 1], 3).is_ok());
        // Everything at once takes four plies: from 1 to 0 or 2, to 3, to 4, and to the mate.
        assert!(judge([1, 1, 1, 1], 3).is_err());
        let found = judge([1, 1, 1, 1], 4).map_err(|(reason, _)| reason);
        assert_eq!(found, Ok(8));
        // The rank of a checkmate says nothing.
        assert!(judge([2, 2, 1, 9], 3).is_ok());
        // A block that is said to be won by nobody is no aim, but the way may go through it.
        let said = [(1, 1, 2), (1, 1, 2), (-1, 1, NEVER), (1, 1, 1)];
        let toy = |plies| Toy::of(ladder(), blocks.clone(), &said, plies).judge();
        let found = toy(2).unwrap_err();
        assert_eq!(found.reason, fall);
        assert_eq!(
            found.place,
            "vertex 0, block 0: rank 2, only 2 can be forced within 2 plies"
        );
        assert!(toy(4).is_ok());
        // If no rank is in reach, it is the bound that is missing.
        let said = [(1, 1, 2), (-1, 1, NEVER), (-1, 1, NEVER), (1, 1, 1)];
        let found = Toy::of(ladder(), blocks.clone(), &said, 1).judge();
        let found = found.unwrap_err();
        assert_eq!(found.reason, Reason::UnwitnessedBound);
        let place = "vertex 0, block 0: lower 2 does not follow within 1 plies";
        assert_eq!(found.place, place);
    }

    #[test]
    fn a_hold_comes_back_within_the_horizon() {
        let (white, black) = (Side::White, Side::Black);
        let to = Move::Vertex;
        // White goes to and fro between 0 and 1, by way of 2 and 3 if Black wants so; from 3 he can be mated in 4.
        let vertices = vec![
            vertex(0, white, false, &[to(1)]),
            vertex(1, black, false, &[to(0), to(2)]),
            vertex(2, white, false, &[to(3), to(5)]),
            vertex(3, black, false, &[to(4)]),
            vertex(4, white, true, &[]),
            vertex(5, black, false, &[to(0)]),
            vertex(6, white, false, &[to(1)]),
        ];
        let judge = |said: &[(i8, i8, u16)], plies| {
            let blocks = vec![0, 1, 2, 2, 2, 2, 0];
            Toy::of(vertices.clone(), blocks, said, plies).judge()
        };
        let (held, open) = ((0, 1, NEVER), (-1, 1, NEVER));
        // All but the three vertices behind 1: the set leaks in one ply, and is closed after three.
        let found = judge(&[held, held, open], 1).unwrap_err();
        assert_eq!(found.reason, Reason::LeakingSet);
        let place = "vertex 1, block 1: lower 1 does not follow within 1 plies";
        assert_eq!(found.place, place);
        assert_eq!(
            judge(&[held, held, open], 2).unwrap_err().reason,
            Reason::LeakingSet
        );
        // Of the eight moves seven are those of states: the last vertex is none.
        assert_eq!(judge(&[held, held, open], 3), Ok(7));
        // A checkmate is not held.
        let found = judge(&[held, held, held], 3).unwrap_err();
        assert_eq!(found.reason, Reason::LeakingSet);
        // To 0 alone White comes back in four plies, not in two.
        assert_eq!(
            judge(&[held, open, open], 2).unwrap_err().reason,
            Reason::LeakingSet
        );
        assert_eq!(judge(&[held, open, open], 4), Ok(7));
        let value = Toy::of(
            vec![vertex(0, white, true, &[]), vertex(1, black, false, &[])],
            vec![0, 1],
            &[(0, 1, NEVER), (0, 0, NEVER)],
            1,
        );
        let found = value.judge().unwrap_err();
        assert_eq!(found.reason, Reason::UnwitnessedBound);
        assert_eq!(
            found.place,
            "vertex 0, block 0: the value -1 is not in 0 to 1"
        );
    }

    /// A line of vertices with one move each, at whose end Black is checkmated; it takes so many plies. Behind it stands a
    /// stalemate.
    fn line(plies: u32) -> Vec<Vertex> {
        let mut vertices: Vec<Vertex> = (0..=plies)
            .map(|number| {
                let to_move = Side::BOTH[usize::from((plies - number).is_multiple_of(2))];
                let is_end = number == plies;
                let moves = [Move::Vertex(number + 1)];
                vertex(number, to_move, is_end, if is_end { &[] } else { &moves })
            })
            .collect();
        vertices.push(vertex(plies + 1, Side::White, false, &[]));
        vertices
    }

    /// A line in which the first vertex alone is said to be won, with this rank.
    fn judge_line(length: u32, rank: u16, plies: u8) -> Result<u64, Reason> {
        let mut blocks = vec![1; length as usize + 2];
        blocks[0] = 0;
        let said = [(1, 1, rank), (-1, 1, NEVER)];
        let found = Toy::of(line(length), blocks, &said, plies).judge();
        found.map_err(|refusal| refusal.reason)
    }

    #[test]
    fn the_horizon_is_exact() {
        for plies in [1, 3, 5, 127, 253, 255] {
            let length = u32::from(plies);
            assert_eq!(judge_line(length, 1, plies), Ok(length.into()));
            for rank in [1, NEVER - 1] {
                let found = judge_line(length + 1, rank, plies);
                assert_eq!(found, Err(Reason::UnwitnessedBound), "{plies}");
            }
        }
    }

    #[test]
    fn the_largest_rank_is_no_infinity() {
        let judge = |first, second| {
            let said = [(1, 1, first), (1, 1, second), (-1, 1, NEVER)];
            let mut blocks = vec![2; 9];
            (blocks[0], blocks[1]) = (0, 1);
            let found = Toy::of(line(7), blocks, &said, 1).judge();
            found.map_err(|refusal| (refusal.reason, refusal.place))
        };
        // The second one does not follow from anything. The first one does, if its rank is larger.
        let fault = |vertex| format!("vertex {vertex}, block {vertex}: ");
        for (first, second, reason, vertex) in [
            (NEVER - 1, NEVER - 2, Reason::UnwitnessedBound, 1),
            (2, 1, Reason::UnwitnessedBound, 1),
            (NEVER - 1, NEVER - 1, Reason::RankDoesNotFall, 0),
            (1, NEVER - 1, Reason::RankDoesNotFall, 0),
            (1, 1, Reason::RankDoesNotFall, 0),
        ] {
            let (found, place) = judge(first, second).unwrap_err();
            assert_eq!(found, reason, "{first} {second}");
            assert!(place.starts_with(&fault(vertex)), "{place}");
        }
    }

    #[test]
    fn nothing_is_won_or_held_by_going_round() {
        let (white, black) = (Side::White, Side::Black);
        let round = |out: &[Move]| {
            let back = [&[Move::Vertex(0)], out].concat();
            vec![
                vertex(0, white, false, &[Move::Vertex(1)]),
                vertex(1, black, false, &back),
                vertex(2, white, true, &[]),
            ]
        };
        let judge = |out: &[Move], said: [(i8, i8, u16); 2], plies| {
            let said = [said[0], said[1], (-1, -1, 1)];
            let toy = Toy::of(round(out), vec![0, 1, 2], &said, plies);
            toy.judge().map_err(|refusal| refusal.reason)
        };
        let open = (-1, 1, NEVER);
        for plies in [1, 3, 255] {
            for (first, second) in [(1, 1), (1, 2), (2, 1), (65_534, 65_534)] {
                let said = [(1, 1, first), (1, 1, second)];
                let found = judge(&[], said, plies);
                assert_eq!(found, Err(Reason::RankDoesNotFall), "{plies}");
            }
            // A draw is held so, but not where Black can mate instead.
            let (held, drawn) = ((0, 1, NEVER), (0, 0, NEVER));
            assert!(judge(&[], [drawn, drawn], plies).is_ok());
            let mate = &[Move::Vertex(2)];
            for said in [[held, held], [held, open], [open, held]] {
                let found = judge(mate, said, plies);
                assert_eq!(found, Err(Reason::LeakingSet), "{plies}");
            }
            // The sink and a drawn child are held, and won by nobody; a child that Black wins is none of it.
            let child = |byte| Move::Child(byte, Successor::in_a_child(1));
            for out in [Move::Sink, child(255)] {
                assert!(judge(&[out], [held, held], plies).is_ok());
                let found = judge(&[out], [open, (1, 1, 1)], plies);
                assert_eq!(found, Err(Reason::UnwitnessedBound), "{plies}");
            }
            assert!(judge(&[child(254)], [held, held], plies) == Err(Reason::LeakingSet));
        }
    }

    #[test]
    fn ends_are_judged_by_what_they_are() {
        let (white, black) = (Side::White, Side::Black);
        // Each of the three ends in each block, behind states or as the last vertex, which is none.
        for (mated, to_move, value) in [
            (true, white, -1),
            (true, black, 1),
            (false, white, 0),
            (false, black, 0),
        ] {
            for (low, high) in [(-1, -1), (-1, 0), (-1, 1), (0, 0), (0, 1), (1, 1)] {
                let rank = if low == 1 || high == -1 { 1 } else { NEVER };
                let end = vertex(0, to_move, mated, &[]);
                let last = Vertex {
                    number: 1,
                    ..end.clone()
                };
                for blocks in [[0, 1], [1, 0], [0, 0]] {
                    let said = [(low, high, rank), (-1, 1, NEVER)];
                    let vertices = vec![end.clone(), last.clone()];
                    let found = Toy::of(vertices, blocks.to_vec(), &said, 1).judge();
                    let found = found.map_err(|refusal| refusal.reason);
                    let wanted = match (low..=high).contains(&value) {
                        true => Ok(0),
                        false => Err(Reason::UnwitnessedBound),
                    };
                    assert_eq!(found, wanted, "{value} in {low} to {high}");
                }
            }
        }
    }

    #[test]
    fn toys_are_judged_as_the_page_says() {
        let mut seed = 1_u64;
        let mut draw = move |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let (mut good, mut reasons) = (0, Vec::new());
        for _ in 0..40_000 {
            let size = 4 + 2 * draw(4);
            let mut vertices = Vec::new();
            for number in 0..size {
                let mut moves = BTreeSet::new();
                for _ in 0..draw(4) {
                    moves.insert(match draw(16) {
                        0 => Move::Sink,
                        1 => Move::Child(draw(256) as u8, Successor::in_a_child(1)),
                        // The other side is to move there.
                        _ => Move::Vertex((2 * draw(size / 2) + (number + 1) % 2) as u32),
                    });
                }
                let moves: Vec<Move> = moves.into_iter().collect();
                let is_mate = moves.is_empty() && draw(3) > 0;
                let to_move = Side::BOTH[(number % 2) as usize];
                vertices.push(vertex(number as u32, to_move, is_mate, &moves));
            }
            // A vertex has a block for itself, or shares it with some other. Those where the game is over mostly have
            // the value in their interval.
            let mut said = Vec::new();
            for number in 0..size {
                let here = &vertices[number as usize];
                let [a, b] = [0, 1].map(|_| draw(3) as i8 - 1);
                let (low, high) = match here.mated {
                    Some(Side::White) if draw(8) > 0 => (-1, -1),
                    Some(Side::Black) if draw(8) > 0 => (1, 1),
                    None if here.moves.is_empty() && draw(8) > 0 => (0, 0),
                    _ if draw(3) == 0 => (-1, 1),
                    _ => (a.min(b), a.max(b)),
                };
                let has_rank = low == 1 || high == -1;
                said.push((low, high, if has_rank { 1 + draw(4) as u16 } else { NEVER }));
            }
            let block = |number| match draw(8) {
                0 => (number + 2) % size as u32,
                _ => number,
            };
            let blocks = (0..size as u32).map(block).collect();
            let toy = Toy::of(vertices, blocks, &said, 1 + draw(5) as u8);
            let wanted = toy.wanted();
            match toy.judge() {
                Ok(edges) => {
                    assert_eq!(wanted, None);
                    let states = toy.vertices.iter().take(toy.states());
                    let moves: usize = states.map(|vertex| vertex.moves.len()).sum();
                    assert_eq!(edges as usize, moves);
                    good += 1;
                }
                Err(refusal) => {
                    let (vertex, reason) = wanted.unwrap();
                    assert_eq!(refusal.reason, reason);
                    let place = format!("vertex {vertex}, block {}: ", toy.blocks[vertex as usize]);
                    assert!(refusal.place.starts_with(&place), "{refusal}");
                    reasons.push(reason);
                }
            }
        }
        // There is enough of everything.
        let count = |reason| reasons.iter().filter(|&&found| found == reason).count();
        assert!(good > 100, "{good}");
        for reason in [
            Reason::UnwitnessedBound,
            Reason::RankDoesNotFall,
            Reason::LeakingSet,
        ] {
            assert!(count(reason) > 100, "{reason}");
        }
    }
}
