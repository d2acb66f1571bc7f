//! The states and nodes of a proof, as they stand in two lists of bytes.
//!
//! Nothing is said here of positions. What is judged is that the bytes are whole records, that bounds, ranks and clocks are
//! some, and that references lead to records of the lists, those from a state to a state to a later one.
//!
//! Source: `docs/certificate-format.md`, *Kind 9: proof*.

use std::marker::PhantomData;

use super::interval::Interval;
use super::man::Side;
use super::{Reason, Refusal};

/// The reference of a move of which nothing is said.
pub(super) const OPEN: u32 = u32::MAX;

/// From here on a reference of a state is one to a node.
const NODES: u32 = 1 << 31;

/// The largest clock of a node. At 150 the game has ended.
const LATEST_CLOCK: u8 = 149;

/// The rank of a node with moves in which nobody is said to win.
const NO_RANK: u16 = u16::MAX;

/// A record in a list of bytes.
pub(super) trait Record<'a>: Sized {
    /// What a record is called in places.
    const NAME: &'static str;
    /// The record that the bytes begin with, and those behind it; none if it is not whole, or of no known kind.
    fn read(bytes: &'a [u8]) -> Option<(Self, &'a [u8])>;
}

/// A state of the complete game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State<'a> {
    bounds: u8,
    pub(super) kind: StateKind<'a>,
}

/// What is said of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StateKind<'a> {
    /// A reference for each legal move in order, in four bytes.
    Moves(&'a [[u8; 4]]),
    /// The number of a node with its position.
    Node(u32),
}

/// What a reference of a state leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// Nothing is said of it.
    Open,
    State(u32),
    Node(u32),
}

/// A node: a position, and what is said of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node<'a> {
    bounds: u8,
    pub(super) clock: u8,
    pub(super) kind: NodeKind<'a>,
}

/// How the bounds of a node are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind<'a> {
    /// By its moves.
    Moves {
        /// How far it is to the win.
        rank: u16,
        /// A reference for each legal move in order, in four bytes.
        references: &'a [[u8; 4]],
        /// For each of them the place of the move that dominates it, 255 if it is kept.
        dominators: &'a [u8],
    },
    /// There is no legal move.
    End,
    /// The position is dead by its material.
    Material,
    /// The position is dead by walls.
    Walls,
    /// By the table of a child.
    Table,
}

impl<'a> Record<'a> for State<'a> {
    const NAME: &'static str = "state";

    fn read(bytes: &'a [u8]) -> Option<(State<'a>, &'a [u8])> {
        let (&[kind, bounds], rest) = bytes.split_first_chunk::<2>()?;
        let (kind, rest) = match kind {
            0 => {
                let (&count, rest) = rest.split_first()?;
                let (references, rest) = references(rest, count)?;
                (StateKind::Moves(references), rest)
            }
            1 => {
                let (&number, rest) = rest.split_first_chunk::<4>()?;
                (StateKind::Node(u32::from_le_bytes(number)), rest)
            }
            _ => return None,
        };
        Some((State { bounds, kind }, rest))
    }
}

impl<'a> Record<'a> for Node<'a> {
    const NAME: &'static str = "node";

    fn read(bytes: &'a [u8]) -> Option<(Node<'a>, &'a [u8])> {
        let (&[kind, bounds, clock], rest) = bytes.split_first_chunk::<3>()?;
        let (kind, rest) = match kind {
            0 => {
                let (&[low, high, count], rest) = rest.split_first_chunk::<3>()?;
                if count == 0 {
                    return None;
                }
                let (references, rest) = references(rest, count)?;
                let (dominators, rest) = rest.split_at_checked(count.into())?;
                let kind = NodeKind::Moves {
                    rank: u16::from_le_bytes([low, high]),
                    references,
                    dominators,
                };
                (kind, rest)
            }
            1 => (NodeKind::End, rest),
            2 => (NodeKind::Material, rest),
            3 => (NodeKind::Walls, rest),
            4 => (NodeKind::Table, rest),
            _ => return None,
        };
        let node = Node {
            bounds,
            clock,
            kind,
        };
        Some((node, rest))
    }
}

/// So many references, and the bytes behind them.
fn references(bytes: &[u8], count: u8) -> Option<(&[[u8; 4]], &[u8])> {
    let (references, rest) = bytes.split_at_checked(4 * usize::from(count))?;
    Some((references.as_chunks::<4>().0, rest))
}

/// The bounds with a number; none if there are no such, or if the lower one is above the upper one.
fn bounds(number: u8) -> Option<Interval> {
    let (low, high) = (number % 3, number / 3);
    (low <= high && high < 3).then(|| Interval {
        low: low as i8 - 1,
        high: high as i8 - 1,
    })
}

impl State<'_> {
    /// The bounds. (Those that are none were refused, and say nothing.)
    pub(super) fn interval(&self) -> Interval {
        bounds(self.bounds).unwrap_or(Interval::OPEN)
    }
}

impl Target {
    /// What a reference of a state leads to.
    pub(super) fn of(reference: [u8; 4]) -> Target {
        match u32::from_le_bytes(reference) {
            OPEN => Target::Open,
            number if number < NODES => Target::State(number),
            number => Target::Node(number - NODES),
        }
    }
}

impl Node<'_> {
    /// The bounds. (Those that are none were refused, and say nothing.)
    pub(super) fn interval(&self) -> Interval {
        bounds(self.bounds).unwrap_or(Interval::OPEN)
    }

    /// The rank: how far it is to the win, 0 where that is known without moves.
    pub(super) fn rank(&self) -> u16 {
        match self.kind {
            NodeKind::Moves { rank, .. } => rank,
            _ => 0,
        }
    }

    /// Whether the rank is one that a node with such bounds may have.
    fn has_right_rank(&self) -> bool {
        let NodeKind::Moves { rank, .. } = self.kind else {
            return true;
        };
        let is_won = Side::BOTH.map(|side| self.interval().least_for(side) == 1);
        match is_won.contains(&true) {
            true => rank > 0 && rank < NO_RANK,
            false => rank == NO_RANK,
        }
    }
}

/// The records of a list. Invariant: `starts` has the place of each record, where a whole one stands.
pub(super) struct Records<'a, R> {
    bytes: &'a [u8],
    starts: Vec<u32>,
    record: PhantomData<R>,
}

impl<'a, R: Record<'a>> Records<'a, R> {
    /// The records that these bytes are.
    pub(super) fn of(bytes: &'a [u8]) -> Result<Records<'a, R>, Refusal> {
        let mut starts = Vec::new();
        let mut left = bytes;
        while !left.is_empty() {
            let at = bytes.len() - left.len();
            // No payload has as many bytes as there are numbers of four.
            let (Some((_, rest)), Ok(start)) = (R::read(left), u32::try_from(at)) else {
                let (name, number) = (R::NAME, starts.len());
                let place = format_args!("{name} {number}, byte {at}: it is not whole");
                return Err(Refusal::new(Reason::MalformedPayload, place));
            };
            starts.push(start);
            left = rest;
        }
        Ok(Records {
            bytes,
            starts,
            record: PhantomData,
        })
    }

    /// How many records there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The record with a number; none if there is none.
    pub(super) fn get(&self, number: u32) -> Option<R> {
        let &start = self.starts.get(number as usize)?;
        let (record, _) = R::read(self.bytes.get(start as usize..)?)?;
        Some(record)
    }

    /// The records with their numbers, in order.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u32, R)> {
        (0..).map_while(|number| Some((number, self.get(number)?)))
    }
}

/// Judges all that is said in the records without regard to positions, in the complete game or in the game `board`.
pub(super) fn judge<'a>(
    states: &Records<'a, State<'a>>,
    nodes: &Records<'a, Node<'a>>,
    is_complete: bool,
) -> Result<(), Refusal> {
    for (number, state) in states.numbered() {
        let judged = judge_state(number, &state, states, nodes);
        judged.map_err(|reason| Refusal::new(reason, format_args!("state {number}")))?;
    }
    for (number, node) in nodes.numbered() {
        let judged = judge_node(&node, nodes, is_complete);
        judged.map_err(|reason| Refusal::new(reason, format_args!("node {number}")))?;
    }
    let (name, is_missing) = match is_complete {
        true => ("states", states.len() == 0),
        false => ("nodes", nodes.len() == 0),
    };
    match is_missing {
        true => Err(Refusal::new(
            Reason::MissingRoot,
            format_args!("{name}: none"),
        )),
        false => Ok(()),
    }
}

fn judge_state<'a>(
    number: u32,
    state: &State<'a>,
    states: &Records<'a, State<'a>>,
    nodes: &Records<'a, Node<'a>>,
) -> Result<(), Reason> {
    bounds(state.bounds).ok_or(Reason::WrongInterval)?;
    let is_node = |target: u32| (target as usize) < nodes.len();
    match state.kind {
        // A state cannot be its own open move, so here too the number is that of a node.
        StateKind::Node(target) if !is_node(target) => return Err(Reason::UnknownNode),
        StateKind::Node(_) => {}
        StateKind::Moves(references) => {
            for &reference in references {
                match Target::of(reference) {
                    Target::State(target) if target <= number => {
                        return Err(Reason::RankDoesNotFall);
                    }
                    Target::State(target) if target as usize >= states.len() => {
                        return Err(Reason::UnknownNode);
                    }
                    Target::Node(target) if !is_node(target) => return Err(Reason::UnknownNode),
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

fn judge_node<'a>(
    node: &Node<'a>,
    nodes: &Records<'a, Node<'a>>,
    is_complete: bool,
) -> Result<(), Reason> {
    bounds(node.bounds).ok_or(Reason::WrongInterval)?;
    if let NodeKind::Moves { references, .. } = node.kind {
        let mut targets = references.iter().map(|&bytes| u32::from_le_bytes(bytes));
        if targets.any(|target| target != OPEN && target as usize >= nodes.len()) {
            return Err(Reason::UnknownNode);
        }
    }
    if !node.has_right_rank() {
        return Err(Reason::WrongRank);
    }
    let latest = if is_complete { LATEST_CLOCK } else { 0 };
    match node.clock > latest {
        true => Err(Reason::WrongClock),
        false => Ok(()),
    }
}
