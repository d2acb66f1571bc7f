//! Steps 9 and 10 of a proof: what is said of nodes follows from what they are, or from what their moves lead to.
//!
//! The nodes are gone through once, in their order. Whatever the first reference to a node comes from stands before it, so when its
//! turn comes, its position is known; what is said of a node is known from the beginning.
//!
//! Source: `docs/certificate-format.md`, *Kind 9: proof*.

use std::collections::HashSet;

use super::board::Board;
use super::deadness::is_bare;
use super::game_state::{FIFTY_MOVES, counts_anew};
use super::interval::Interval;
use super::man::Side;
use super::packed_board::PackedBoard;
use super::proof_positions::Positions;
use super::proof_records::{Node, NodeKind, OPEN, Records};
use super::proof_states::Wrong;
use super::proof_tables::ProofTables;
use super::proof_view::{end_of, may_claim};
use super::records::{self, Counts};
use super::{Reason, Refusal, walls};

/// The nodes of a proof while they are judged in order.
pub(super) struct Bounds<'a, 'b> {
    pub(super) nodes: &'b Records<'a, Node<'a>>,
    pub(super) positions: Positions,
    pub(super) tables: ProofTables<'b>,
    /// Whether the game is the complete one.
    pub(super) is_complete: bool,
    /// The positions of nodes with moves so far in which White, or Black, is said to win the complete game.
    pub(super) won: [HashSet<PackedBoard>; 2],
    /// The deletions so far.
    pub(super) deletions: Counts,
    /// How many legal moves were looked at.
    pub(super) moves: u64,
}

/// A legal move of a node.
#[derive(Clone, Copy)]
struct Branch {
    /// Its interval as seen from the node.
    interval: Interval,
    /// The rank of the node that it leads to, 0 if it is open.
    rank: u16,
    /// Whether it is neither a capture nor a pawn move.
    is_quiet: bool,
}

impl Bounds<'_, '_> {
    /// Judges all nodes.
    pub(super) fn check(&mut self) -> Result<(), Refusal> {
        let nodes = self.nodes;
        for (number, node) in nodes.numbered() {
            let board = self.positions.board(number).ok_or_else(|| {
                let place = format_args!("node {number}: nothing refers to it");
                Refusal::new(Reason::UnreachedNode, place)
            })?;
            let judged = self.judge(&node, &board);
            judged.map_err(|(reason, what)| {
                Refusal::new(reason, format_args!("node {number}, {board}: {what}"))
            })?;
        }
        Ok(())
    }

    fn judge(&mut self, node: &Node, board: &Board) -> Result<(), Wrong> {
        let known = match node.kind {
            NodeKind::Moves {
                references,
                dominators,
                ..
            } => return self.judge_moves(node, board, references, dominators),
            NodeKind::End => end_of(board),
            NodeKind::Material => is_bare(board).then_some(Interval::DRAWN),
            NodeKind::Walls => walls::hold(board).then_some(Interval::DRAWN),
            NodeKind::Table => {
                let byte = self.tables.byte(board);
                byte.map(|byte| self.of_byte(byte, board.to_move, node.clock))
            }
        };
        let known = known.ok_or((Reason::WrongNode, "the position is not what the kind says"))?;
        match node.interval() == known {
            true => Ok(()),
            false => Err((Reason::UnwitnessedBound, "its kind gives other bounds")),
        }
    }

    /// What the byte of a table says. In the complete game a win has to come before a draw can be claimed.
    fn of_byte(&self, byte: u8, to_move: Side, clock: u8) -> Interval {
        let known = Interval::of_byte(byte, to_move);
        let plies = u16::from(byte);
        let is_late = plies > 1 && u16::from(clock) + plies > u16::from(FIFTY_MOVES);
        match self.is_complete && is_late {
            // A draw stays one.
            true => Interval {
                low: known.low.min(0),
                high: known.high.max(0),
            },
            false => known,
        }
    }

    fn judge_moves(
        &mut self,
        node: &Node,
        board: &Board,
        references: &[[u8; 4]],
        dominators: &[u8],
    ) -> Result<(), Wrong> {
        let branches = self.branches(node, board, references)?;
        let is_won = |side: &Side| node.interval().least_for(*side) == 1;
        if let Some(winner) = Side::BOTH.into_iter().find(is_won) {
            self.meet_win(board, winner)?;
            self.judge_win(node, board, winner, &branches)?;
        }
        let may_claim = self.may_claim(node, &branches);
        for side in Side::BOTH {
            if node.interval().least_for(side) != 0 {
                continue;
            }
            let mut holds = branches
                .iter()
                .map(|branch| branch.interval.least_for(side) >= 0);
            let holds = match board.to_move == side {
                true => may_claim || holds.any(|holds| holds),
                false => holds.all(|holds| holds),
            };
            if !holds {
                return Err((
                    Reason::LeakingSet,
                    "the draw does not follow from the moves",
                ));
            }
        }
        let intervals: Vec<Interval> = branches.iter().map(|branch| branch.interval).collect();
        for place in 0..dominators.len() {
            let deletions = &mut self.deletions;
            let judged =
                records::check_record(board.to_move, &intervals, dominators, place, deletions);
            judged.map_err(|reason| (reason, "a deletion"))?;
        }
        Ok(())
    }

    /// The legal moves in their order, with what is said of them; the nodes that they lead to are given their positions.
    fn branches(
        &mut self,
        node: &Node,
        board: &Board,
        references: &[[u8; 4]],
    ) -> Result<Vec<Branch>, Wrong> {
        let legal = board.moves();
        if legal.len() != references.len() {
            let what = "there are not as many references as legal moves";
            return Err((Reason::WrongNumberOfReplies, what));
        }
        self.moves += legal.len() as u64;
        let mut branches = Vec::with_capacity(legal.len());
        for ((played, after), &reference) in legal.iter().zip(references) {
            let is_quiet = !counts_anew(board, *played);
            let number = u32::from_le_bytes(reference);
            if number != OPEN && !self.positions.reach(number, after) {
                let what = "a reference to a node that has another position";
                return Err((Reason::WrongNodePosition, what));
            }
            // The number of an open move is that of no node.
            let target = self.nodes.get(number);
            let clock = match is_quiet {
                true => node.clock.saturating_add(1),
                false => 0,
            };
            let interval = target.map_or(Interval::OPEN, |target| match self.is_complete {
                true => target.of_move_from(clock),
                false => target.interval(),
            });
            branches.push(Branch {
                interval,
                rank: target.map_or(0, |target| target.rank()),
                is_quiet,
            });
        }
        Ok(branches)
    }

    /// Whether the side to move may claim a draw at the clock of a node with these moves.
    fn may_claim(&self, node: &Node, branches: &[Branch]) -> bool {
        let has_quiet_move = branches.iter().any(|branch| branch.is_quiet);
        self.is_complete && may_claim(node.clock, has_quiet_move)
    }

    /// A position in which a side is said to win. In the complete game no other node says the same of it, so that on the way
    /// to the win no position occurs twice.
    fn meet_win(&mut self, board: &Board, winner: Side) -> Result<(), Wrong> {
        if !self.is_complete {
            return Ok(());
        }
        if self.tables.have(board) {
            let what = "a win by moves, where a child has the position";
            return Err((Reason::WrongNode, what));
        }
        let [white, black] = &mut self.won;
        let won = match winner {
            Side::White => white,
            Side::Black => black,
        };
        match won.insert(PackedBoard::of(board)) {
            true => Ok(()),
            false => Err((Reason::DuplicatePosition, "a node before wins it already")),
        }
    }

    fn judge_win(
        &self,
        node: &Node,
        board: &Board,
        winner: Side,
        branches: &[Branch],
    ) -> Result<(), Wrong> {
        let wins = |branch: &&Branch| branch.interval.least_for(winner) == 1;
        let falls = |branch: &Branch| branch.rank < node.rank();
        let won = || branches.iter().filter(wins);
        let (is_witnessed, does_fall) = match board.to_move == winner {
            true => (won().next().is_some(), won().any(falls)),
            false if self.may_claim(node, branches) => {
                return Err((Reason::ClaimIgnored, "a draw can be claimed"));
            }
            false => (won().count() == branches.len(), won().all(falls)),
        };
        match (is_witnessed, does_fall) {
            (false, _) => Err((
                Reason::UnwitnessedBound,
                "the win does not follow from the moves",
            )),
            (true, false) => Err((Reason::RankDoesNotFall, "no move to a smaller rank")),
            (true, true) => Ok(()),
        }
    }
}
