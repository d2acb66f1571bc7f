//! Exchanges on one square (C6.1, C6.2).
//!
//! A capture may be answered by a capture on the same square, that by another, and so on; each side may stop instead. All of
//! these captures are legal moves of the whole position, so pins, checks and lines that open are in them. What is
//! left out is everything else: the value of an exchange is exact in this small game and bounds nothing outside it, which is why it may
//! order moves and never delete one.

use std::collections::HashMap;
use std::ops::ControlFlow;

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Chess, Color, Move, Square};
use thiserror::Error;

use super::centipawns::Centipawns;
use super::diagram::{Diagram, Key};
use super::step::{Kind, Step};
use crate::rules::uci_order;

impl Diagram {
    /// Whether a move captures.
    #[inline]
    pub(super) fn is_capture(&self, step: Step) -> bool {
        step.kind == Kind::EnPassant || self.occupied().contains(step.to)
    }

    /// What is captured by a move.
    #[inline]
    pub(super) fn captured(&self, step: Step) -> Centipawns {
        let role = match step.kind {
            Kind::EnPassant => Some(step.role),
            _ => self.role_at(step.to),
        };
        // A castling king goes to an empty square.
        role.map_or(Centipawns(0), Centipawns::of)
    }

    /// By how much a move changes the balance for the side that makes it.
    #[inline]
    fn gain(&self, step: Step) -> Centipawns {
        match step.kind {
            Kind::Promotion(role) => {
                self.captured(step) + Centipawns::of(role) - Centipawns::of(step.role)
            }
            _ => self.captured(step),
        }
    }

    /// The legal captures on a square.
    #[inline]
    fn captures_on(&self, square: Square, visit: &mut impl FnMut(Step)) {
        let target = Bitboard::from_square(square);
        let us = self.turn();
        // Most exchanges end here, before pins and checks are looked for.
        if self.attackers(square, us, self.occupied()).is_empty() {
            return;
        }
        let _ = self.visit(&self.guard(), &|_, _| target, &mut |step| {
            if step.to == square && step.kind != Kind::EnPassant {
                visit(step);
            }
            ControlFlow::Continue(())
        });
    }

    /// The value of the exchange that a capture begins, for the side that captures (C6.2). The graph is not built.
    pub(super) fn exchange_value(&self, capture: Step) -> Centipawns {
        let most = Centipawns(Centipawns::MOST);
        self.settled(capture, &self.play(capture), most)
    }

    /// The same of any move, as if it were a capture that may gain nothing, if it is below 0; otherwise 0. `next` is the position after it.
    pub(super) fn exchange_loss(&self, step: Step, next: &Diagram) -> Centipawns {
        let nothing = Centipawns(0);
        let back_rank = Bitboard::BACKRANKS.contains(step.to);
        // Whoever takes a man that is worth no less loses nothing, unless a pawn that takes back promotes.
        if !back_rank && self.captured(step) >= Centipawns::of(step.role) {
            return nothing;
        }
        self.settled(step, next, nothing).min(nothing)
    }

    /// The value of the exchange that a move begins, or if that is more, something at least as large as `enough`.
    fn settled(&self, step: Step, next: &Diagram, enough: Centipawns) -> Centipawns {
        let most = Centipawns(Centipawns::MOST);
        -settle(next, step.to, -self.gain(step), -enough, most)
    }
}

impl Centipawns {
    /// More than any balance can be.
    const MOST: i32 = 1_000_000;
}

/// The value of an exchange for the side to move, whose balance so far is given, if it is between two bounds.
fn settle(
    diagram: &Diagram,
    square: Square,
    balance: Centipawns,
    alpha: Centipawns,
    beta: Centipawns,
) -> Centipawns {
    let mut best = balance;
    if best >= beta {
        return best;
    }
    // The cheapest man first: it is most often the best one.
    let mut captures: [Option<Step>; MOST_CAPTURES] = [None; MOST_CAPTURES];
    let mut count = 0;
    diagram.captures_on(square, &mut |step| {
        captures[count] = Some(step);
        count += 1;
    });
    let captures = &mut captures[..count];
    captures.sort_unstable_by_key(|step| step.map(|step| Centipawns::of(step.role)));
    for &step in captures.iter().flatten() {
        let next = diagram.play(step);
        let balance = balance + diagram.gain(step);
        let value = -settle(&next, square, -balance, -beta, -best.max(alpha));
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    best
}

/// More captures on one square than there can be: eight lines, eight knights, and each pawn in four ways.
const MOST_CAPTURES: usize = 8 + 8 + 2 * 3;

/// Why there is no graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ExchangeError {
    /// The move captures nothing.
    #[error("the move captures nothing; an exchange begins with a capture")]
    NoCapture,
    /// There are more positions than wanted.
    #[error("the exchange has more than {0} positions")]
    TooLarge(usize),
}

/// The graph of an exchange: the positions after its first capture, each once.
#[derive(Clone, Debug)]
pub struct ExchangeGraph {
    square: Square,
    player: Color,
    nodes: Vec<ExchangeNode>,
}

/// A position of an exchange.
#[derive(Clone, Debug)]
pub struct ExchangeNode {
    diagram: Diagram,
    /// `ΔM`: what the player of the first capture has won so far.
    pub change: Centipawns,
    /// `E`: what he wins in the end.
    pub value: Centipawns,
    /// Captures, the first one included, on the longest way on from here, this node's own not included.
    plies_left: u8,
    /// Whether the side to move is in check: then it may have no move that stops the exchange.
    pub is_check: bool,
    /// The captures and the nodes that they lead to, in the order of their UCI texts.
    pub captures: Vec<(Move, usize)>,
}

impl ExchangeNode {
    /// The position.
    pub fn position(&self) -> Chess {
        self.diagram.to_position()
    }
}

impl ExchangeGraph {
    /// The graph of the exchange that a legal capture begins, if it has no more than `most` positions.
    ///
    /// # Errors
    ///
    /// [`ExchangeError`]
    pub fn of(
        position: &Chess,
        capture: Move,
        most: usize,
    ) -> Result<ExchangeGraph, ExchangeError> {
        let diagram = Diagram::of(position);
        let step = Diagram::to_step(capture).filter(|&step| diagram.is_capture(step));
        let step = step.ok_or(ExchangeError::NoCapture)?;
        let mut graph = ExchangeGraph {
            square: step.to,
            player: diagram.turn(),
            nodes: Vec::new(),
        };
        let mut known = HashMap::new();
        graph.add(diagram.play(step), diagram.gain(step), most, &mut known)?;
        Ok(graph)
    }

    /// Adds a position and all that follow, if it is new, and says where it is.
    fn add(
        &mut self,
        diagram: Diagram,
        change: Centipawns,
        most: usize,
        known: &mut HashMap<Key, usize>,
    ) -> Result<usize, ExchangeError> {
        let key = diagram.key();
        if let Some(&place) = known.get(&key) {
            return Ok(place);
        }
        let place = self.nodes.len();
        if place >= most {
            return Err(ExchangeError::TooLarge(most));
        }
        known.insert(key, place);
        self.nodes.push(ExchangeNode {
            diagram,
            change,
            value: change,
            plies_left: 0,
            is_check: diagram.is_check(),
            captures: Vec::new(),
        });
        let mut steps = Vec::new();
        diagram.captures_on(self.square, &mut |step| steps.push(step));
        let mut moves: Vec<(Move, Step)> = steps
            .into_iter()
            .map(|step| (diagram.to_move(step), step))
            .collect();
        moves.sort_by_key(|&(mv, _)| uci_order(UciMove::from_standard(mv)));
        let mut captures = Vec::with_capacity(moves.len());
        let mut value = change;
        let mut plies_left = 0;
        for (mv, step) in moves {
            let gain = diagram.gain(step);
            let (after, better): (_, fn(Centipawns, Centipawns) -> Centipawns) =
                match diagram.turn() == self.player {
                    true => (change + gain, Ord::max),
                    false => (change - gain, Ord::min),
                };
            let to = self.add(diagram.play(step), after, most, known)?;
            value = better(value, self.nodes[to].value);
            plies_left = plies_left.max(1 + self.nodes[to].plies_left);
            captures.push((mv, to));
        }
        let node = &mut self.nodes[place];
        node.value = value;
        node.plies_left = plies_left;
        node.captures = captures;
        Ok(place)
    }

    /// The positions; the first is the one after the first capture.
    pub fn nodes(&self) -> &[ExchangeNode] {
        &self.nodes
    }

    /// What the player of the first capture wins (C6.2).
    pub fn value(&self) -> Centipawns {
        self.nodes[0].value
    }

    /// The most captures in a row, the first one included.
    pub fn capture_plies(&self) -> u8 {
        1 + self.nodes[0].plies_left
    }

    /// Positions whose side to move is in check.
    pub fn checked_nodes(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_check).count()
    }
}
