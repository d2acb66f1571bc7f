//! Step 8 of a proof: the states of the complete game.
//!
//! A state is not written: number 0 is that of the claim, and each other one follows from the first reference to it. What is
//! kept of a state is its position, its clock, and which state came before it; what has occurred follows by going back. So
//! a state takes as much memory as a node, however much has occurred.
//!
//! Source: `docs/certificate-format.md`, *States* of kind 9.

use super::board::Board;
use super::game_state::{End, GameState};
use super::interval::Interval;
use super::man::Side;
use super::packed_board::PackedBoard;
use super::proof_positions::Positions;
use super::proof_records::{Node, Records, State, StateKind, Target};
use super::proof_view::best;
use super::{Reason, Refusal};

/// Why something said of a state or node is refused, and what it is.
pub(super) type Wrong = (Reason, &'static str);

/// The states of a proof while they are judged in order.
struct States<'a, 'b> {
    stored: &'b Records<'a, State<'a>>,
    nodes: &'b Records<'a, Node<'a>>,
    positions: &'b mut Positions,
    root: &'b GameState,
    /// The states that were reached, but for the root.
    reached: Vec<Option<Reached>>,
    /// How many legal moves were looked at.
    moves: u64,
}

/// What is kept of a state.
#[derive(Clone, Copy)]
struct Reached {
    board: PackedBoard,
    clock: u8,
    /// The state before, which has a smaller number; none if no key from before can occur again.
    before: Option<u32>,
}

/// Judges the states, of which number 0 is the root, and gives nodes their positions. Returns how many legal moves were looked
/// at.
pub(super) fn check<'a>(
    root: &GameState,
    stored: &Records<'a, State<'a>>,
    nodes: &Records<'a, Node<'a>>,
    positions: &mut Positions,
) -> Result<u64, Refusal> {
    let mut states = States {
        stored,
        nodes,
        positions,
        root,
        reached: vec![None; stored.len()],
        moves: 0,
    };
    for (number, record) in stored.numbered() {
        let judged = states.judge(number, &record);
        judged.map_err(|(reason, what)| {
            Refusal::new(reason, format_args!("state {number}: {what}"))
        })?;
    }
    Ok(states.moves)
}

impl States<'_, '_> {
    fn judge(&mut self, number: u32, record: &State) -> Result<(), Wrong> {
        let state = self.state(number);
        let state = state.ok_or((Reason::UnreachedNode, "nothing refers to it"))?;
        let (known, may_claim) = match (record.kind, state.end()) {
            (StateKind::Moves([]), Some(end)) => (Some(worth(end, state.board.to_move)), false),
            (_, Some(_)) => {
                let what = "the game has ended, so there is no move and no node";
                return Err((Reason::WrongNumberOfReplies, what));
            }
            (StateKind::Node(node), None) => (Some(self.of_node(node, &state)?), false),
            (StateKind::Moves(references), None) => {
                let moves = self.moves(number, &state, references)?;
                let known = best(state.board.to_move, moves.into_iter());
                (known, !state.claims().is_empty())
            }
        };
        let claim = may_claim.then_some(Interval::DRAWN);
        let with_claim = best(state.board.to_move, known.into_iter().chain(claim));
        let follows = |known: Option<Interval>| {
            let stored = record.interval();
            known.is_some_and(|known| stored.low <= known.low && known.high <= stored.high)
        };
        match (follows(with_claim), follows(known)) {
            (true, _) => Ok(()),
            (false, true) => Err((Reason::ClaimIgnored, "a draw can be claimed")),
            (false, false) => Err((Reason::UnwitnessedBound, "the bounds do not follow")),
        }
    }

    /// What is known of the moves of a state that is no end, in their order.
    fn moves(
        &mut self,
        number: u32,
        state: &GameState,
        references: &[[u8; 4]],
    ) -> Result<Vec<Interval>, Wrong> {
        let legal = state.board.moves();
        if legal.len() != references.len() {
            let what = "there are not as many references as legal moves";
            return Err((Reason::WrongNumberOfReplies, what));
        }
        self.moves += legal.len() as u64;
        let moves = legal.into_iter().zip(references);
        let known = moves.map(|((played, board), &reference)| {
            let after = state.follow(played, board);
            match (Target::of(reference), after.end()) {
                (Target::Open, Some(end)) => Ok(worth(end, after.board.to_move)),
                (Target::Open, None) => Ok(Interval::OPEN),
                (_, Some(_)) => Err((Reason::WrongNode, "a move that ends the game is not open")),
                (Target::State(target), None) => self.reach(target, number, &after),
                (Target::Node(target), None) => self.of_node(target, &after),
            }
        });
        known.collect()
    }

    /// What a node says of a state with its position.
    fn of_node(&mut self, number: u32, state: &GameState) -> Result<Interval, Wrong> {
        let node = self.nodes.get(number);
        let node = node.filter(|_| self.positions.reach(number, &state.board));
        let node = node.ok_or(ANOTHER)?;
        let seen = node.seen_from(state.clock);
        if may_win(state) {
            return Ok(seen);
        }
        Ok(Interval {
            low: seen.low.min(0),
            high: seen.high.max(0),
        })
    }

    /// Reaches a state by a move from another one, and gives its bounds.
    fn reach(&mut self, target: u32, from: u32, after: &GameState) -> Result<Interval, Wrong> {
        let found = Reached {
            board: PackedBoard::of(&after.board),
            clock: after.clock,
            // After a reversible move the key before it is there besides the present one.
            before: (after.occurrences.len() > 1).then_some(from),
        };
        let place = self.reached.get_mut(target as usize).ok_or(ANOTHER)?;
        let is_same = match place {
            Some(reached) => {
                let looks_same = (reached.board, reached.clock) == (found.board, found.clock);
                looks_same && self.state(target).as_ref() == Some(after)
            }
            None => {
                *place = Some(found);
                true
            }
        };
        let record = self.stored.get(target).filter(|_| is_same);
        Ok(record.ok_or(ANOTHER)?.interval())
    }

    /// The state with a number; none if it was not reached.
    fn state(&self, number: u32) -> Option<GameState> {
        if number == 0 {
            return Some(self.root.clone());
        }
        let reached = |number: u32| *self.reached.get(number as usize)?;
        let Reached { board, clock, .. } = reached(number)?;
        let mut occurrences = Vec::new();
        let mut at = Some(number);
        while let Some(number) = at {
            if number == 0 {
                let keys = self.root.occurrences.iter();
                keys.for_each(|&(key, times)| occur(&mut occurrences, key, times));
                break;
            }
            let Reached { board, before, .. } = reached(number)?;
            occur(&mut occurrences, board.board(), 1);
            at = before;
        }
        Some(GameState {
            board: board.board(),
            clock,
            occurrences,
        })
    }
}

/// The refusal of a reference.
const ANOTHER: Wrong = (
    Reason::WrongNodePosition,
    "a reference to what has another position, or has occurred otherwise",
);

/// A key occurs so many times more.
fn occur(occurrences: &mut Vec<(Board, u8)>, key: Board, times: u8) {
    match occurrences.iter_mut().find(|(other, _)| *other == key) {
        Some((_, so_far)) => *so_far = so_far.saturating_add(times),
        None => occurrences.push((key, times)),
    }
}

/// Whether so little has occurred that a node may say that a side wins: no position can occur for the third time, if none of
/// those to come occurs twice.
fn may_win(state: &GameState) -> bool {
    let mut keys = state.occurrences.iter();
    keys.all(|&(key, times)| times <= if key == state.board { 2 } else { 1 })
}

/// What an end of the game is worth.
fn worth(end: End, to_move: Side) -> Interval {
    let winner = (end == End::Checkmate).then(|| to_move.other());
    Interval::won_by(winner)
}
