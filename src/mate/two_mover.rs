//! All that is in a mate in two: its keys, the replies to them and the mates after those, and every exchange that can begin it.

use std::ops::ControlFlow;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move};

use super::diagram::Diagram;
use super::exchange::ExchangeGraph;
use super::root::steps;
use super::step::Step;
use crate::rules::uci_order;

/// What is in a mate in two. All moves are in the order of their UCI texts.
#[derive(Clone, Debug)]
pub struct TwoMover {
    /// The legal moves.
    pub root_moves: Vec<Move>,
    /// Those of them that capture, with their exchanges.
    pub exchanges: Vec<(Move, ExchangeGraph)>,
    /// Those that mate in two, or in one.
    pub winning: Vec<WinningMove>,
}

/// A first move that mates whatever the reply.
#[derive(Clone, Debug)]
pub struct WinningMove {
    /// The move.
    pub first: Move,
    /// The replies, each with the moves that mate then.
    pub replies: Vec<(Move, Vec<Move>)>,
}

impl TwoMover {
    /// Looks at every first move, every reply and every third ply of a position.
    pub fn of(position: &Chess) -> TwoMover {
        let diagram = Diagram::of(position);
        let root_moves = in_order(&diagram, steps(&diagram));
        let exchange = |&mv: &Move| Some((mv, ExchangeGraph::of(position, mv, usize::MAX).ok()?));
        let exchanges = root_moves.iter().filter_map(exchange).collect();
        let winning = |&first: &Move| {
            let next = diagram.play(Diagram::to_step(first)?);
            let replies = replies(&next)?;
            Some(WinningMove { first, replies })
        };
        let winning = root_moves.iter().filter_map(winning).collect();
        TwoMover {
            root_moves,
            exchanges,
            winning,
        }
    }

    /// Replies to all winning moves.
    pub fn reply_branches(&self) -> usize {
        self.winning.iter().map(|each| each.replies.len()).sum()
    }

    /// Mates after all these replies.
    pub fn mating_continuations(&self) -> usize {
        let replies = self.winning.iter().flat_map(|each| &each.replies);
        replies.map(|(_, mates)| mates.len()).sum()
    }
}

/// The replies of a position with the mates after them, if there is a mate after each of them, or it is mate.
fn replies(diagram: &Diagram) -> Option<Vec<(Move, Vec<Move>)>> {
    let replies = in_order(diagram, steps(diagram));
    if replies.is_empty() && !diagram.is_check() {
        return None;
    }
    let with_mates = |reply: Move| {
        let next = diagram.play(Diagram::to_step(reply)?);
        let mates = mates(&next);
        (!mates.is_empty()).then_some((reply, mates))
    };
    replies.into_iter().map(with_mates).collect()
}

/// The moves that mate.
fn mates(diagram: &Diagram) -> Vec<Move> {
    let aim = diagram.check_aim();
    let mut mates = Vec::new();
    let _ = diagram.visit_all(&diagram.guard(), &mut |step| {
        if aim.may_check(step) && diagram.play(step).is_checkmate() {
            mates.push(step);
        }
        ControlFlow::Continue(())
    });
    in_order(diagram, mates)
}

fn in_order(diagram: &Diagram, steps: Vec<Step>) -> Vec<Move> {
    let mut moves: Vec<Move> = steps
        .into_iter()
        .map(|step| diagram.to_move(step))
        .collect();
    moves.sort_by_key(|&mv| uci_order(UciMove::from_standard(mv)));
    moves
}
