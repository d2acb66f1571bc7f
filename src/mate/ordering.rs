//! Orders of moves (C5, C6 §2), and how moves are taken in an order without working it all out.
//!
//! An ordering is a list of criteria: moves are sorted by the first, equal ones by the second, and so on, the rest by their UCI
//! texts. Most moves of a position are never reached, because one before them decides. So a criterion is looked at only for moves that
//! were equal so far and whose turn has come; the order is the same as if all had been looked at.

use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move};

use super::centipawns::Centipawns;
use super::diagram::Diagram;
use super::length::Mover;
use super::mating::CheckAim;
use super::moves::Mobility;
use super::step::Step;
use crate::rules::uci_order;

/// What a move is judged by, for the side that makes it, in the position after it. More comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// 1 if it mates.
    Mate,
    /// 1 if it checks.
    Check,
    /// What it captures, in centipawns.
    Captured,
    /// Minus the number of legal replies.
    FewerReplies,
    /// C5: 1 if both sides attack the square that the move goes to. The man that moved does not attack it.
    TensionEntry,
    /// C5: by how many more men the own side attacks that square.
    AttackSurplus,
    /// C5: how many men attack that square.
    SquareTension,
    /// C6.2: the value of the exchange that a capture begins, in centipawns; 0 of other moves.
    Exchange,
    /// 1 if it checks and loses nothing in the exchange that it begins on the square that it goes to, or that is begun there.
    SafeCheck,
    /// Minus what the exchange on the square that it goes to loses, in centipawns, if the move is taken for the first capture of it, whatever it
    /// captures; 0 if it loses nothing.
    ExchangeLoss,
    /// Minus the number of squares that the other king can go to.
    KingRoom,
    /// Minus the sum of: 4 for each square that the other king can go to, 1 for each legal reply, 2 for each hundred centipawns that the
    /// exchange on the square that the move goes to loses, and the distance of that square from the king.
    Grip,
}

impl Criterion {
    /// All of them.
    pub const ALL: [Criterion; 12] = [
        Mate,
        Check,
        Captured,
        FewerReplies,
        TensionEntry,
        AttackSurplus,
        SquareTension,
        Exchange,
        SafeCheck,
        ExchangeLoss,
        KingRoom,
        Grip,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Mate => "mate",
            Check => "check",
            Captured => "captured",
            FewerReplies => "-replies",
            TensionEntry => "entry",
            AttackSurplus => "surplus",
            SquareTension => "tension",
            Exchange => "exchange",
            SafeCheck => "safe-check",
            ExchangeLoss => "-loss",
            KingRoom => "-room",
            Grip => "grip",
        }
    }
}

/// An order of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveOrdering<'a> {
    /// Its name.
    pub name: &'a str,
    /// By what the side that is to mate sorts its moves.
    pub attacker: &'a [Criterion],
    /// By what the other side does.
    pub defender: &'a [Criterion],
}

use Criterion::{
    AttackSurplus, Captured, Check, Exchange, ExchangeLoss, FewerReplies, Grip, KingRoom, Mate,
    SafeCheck, SquareTension, TensionEntry,
};

impl MoveOrdering<'static> {
    /// By UCI text alone.
    pub const LEXICAL: MoveOrdering<'static> = MoveOrdering::same("lexical", &[]);
    /// The usual one.
    pub const FORCING: MoveOrdering<'static> =
        MoveOrdering::same("forcing", &[Mate, Check, Captured, FewerReplies]);
    /// By local tension (C5).
    pub const TENSION: MoveOrdering<'static> = MoveOrdering::same(
        "tension",
        &[
            Mate,
            Check,
            TensionEntry,
            AttackSurplus,
            SquareTension,
            Captured,
            FewerReplies,
        ],
    );
    /// By exchanges (C6).
    pub const EXCHANGE: MoveOrdering<'static> = MoveOrdering::same(
        "exchange",
        &[
            Mate,
            Check,
            Exchange,
            TensionEntry,
            AttackSurplus,
            SquareTension,
            Captured,
            FewerReplies,
        ],
    );

    /// The best one found (`docs/ordering.md`): the attacker begins with checks that lose nothing on the square that they go to, and goes on with
    /// moves that leave the other side little.
    pub const BEST: MoveOrdering<'static> = MoveOrdering {
        name: "best",
        attacker: &[Mate, SafeCheck, Grip],
        defender: &[Check, Captured],
    };

    /// The four orderings of C6.
    pub const OF_C6: [MoveOrdering<'static>; 4] = [
        MoveOrdering::LEXICAL,
        MoveOrdering::FORCING,
        MoveOrdering::TENSION,
        MoveOrdering::EXCHANGE,
    ];

    const fn same(name: &'static str, criteria: &'static [Criterion]) -> MoveOrdering<'static> {
        MoveOrdering {
            name,
            attacker: criteria,
            defender: criteria,
        }
    }
}

impl<'a> MoveOrdering<'a> {
    /// What is looked at, one after the other.
    pub const fn criteria(&self, mover: Mover) -> &'a [Criterion] {
        match mover {
            Mover::Attacker => self.attacker,
            Mover::Defender => self.defender,
        }
    }
}

/// A position whose moves are judged.
struct Judge<'a> {
    diagram: &'a Diagram,
    aim: CheckAim,
}

impl Judge<'_> {
    fn value(&self, criterion: Criterion, step: Step) -> i32 {
        let next = || self.diagram.play(step);
        let attackers = || {
            let next = next();
            let us = next.turn();
            let count = |by| next.attackers(step.to, by, next.occupied()).count() as i32;
            (count(!us), count(us))
        };
        match criterion {
            Mate => i32::from(self.aim.may_check(step) && next().is_checkmate()),
            Check => i32::from(self.aim.may_check(step) && next().is_check()),
            Captured => self.diagram.captured(step).0,
            FewerReplies => -(next().mobility().moves as i32),
            TensionEntry => {
                let (own, enemy) = attackers();
                i32::from(own > 0 && enemy > 0)
            }
            AttackSurplus => {
                let (own, enemy) = attackers();
                own - enemy
            }
            SquareTension => {
                let (own, enemy) = attackers();
                own + enemy
            }
            Exchange if self.diagram.is_capture(step) => {
                let Centipawns(value) = self.diagram.exchange_value(step);
                value
            }
            Exchange => 0,
            SafeCheck if self.aim.may_check(step) => {
                let next = next();
                let loses_nothing = || self.diagram.exchange_loss(step, &next) == Centipawns(0);
                i32::from(next.is_check() && loses_nothing())
            }
            SafeCheck => 0,
            ExchangeLoss => self.diagram.exchange_loss(step, &next()).0,
            KingRoom => -(next().mobility().room as i32),
            Grip => {
                let next = next();
                let Mobility { moves, room } = next.mobility();
                let Centipawns(loss) = self.diagram.exchange_loss(step, &next);
                let distance = next.king(next.turn()).distance(step.to);
                2 * loss / 100 - (4 * room + moves) as i32 - distance as i32
            }
        }
    }
}

/// The key of a step as [`uci_order`] gives it for its text.
fn text_order(step: Step) -> [u8; 5] {
    uci_order(UciMove::from_standard(step.to_move(None)))
}

/// The moves of a position that are taken in an order, one by one.
#[derive(Debug, Default)]
pub(super) struct Selection {
    moves: Vec<(i32, Step)>,
    /// Moves that are equal by so many criteria, the next ones last.
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    moves: Range<usize>,
    criteria: usize,
    is_sorted: bool,
}

impl Selection {
    /// Begins with the moves of a position.
    pub(super) fn begin(&mut self, diagram: &Diagram) {
        self.moves.clear();
        self.groups.clear();
        let moves = &mut self.moves;
        let _ = diagram.visit_all(&diagram.guard(), &mut |step| {
            moves.push((0, step));
            ControlFlow::Continue(())
        });
        self.groups.push(Group {
            moves: 0..self.moves.len(),
            criteria: 0,
            is_sorted: false,
        });
    }

    /// How many moves the position has.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The next move.
    pub(super) fn next(&mut self, diagram: &Diagram, criteria: &[Criterion]) -> Option<Step> {
        loop {
            let group = self.groups.last_mut()?;
            if group.moves.is_empty() {
                self.groups.pop();
            } else if group.is_sorted || group.moves.len() == 1 {
                return group.moves.next().map(|place| self.moves[place].1);
            } else if let Some(&criterion) = criteria.get(group.criteria) {
                self.split(diagram, criterion);
            } else {
                self.moves[group.moves.clone()].sort_unstable_by_key(|&(_, step)| text_order(step));
                group.is_sorted = true;
            }
        }
    }

    /// Splits the last group by a criterion.
    fn split(&mut self, diagram: &Diagram, criterion: Criterion) {
        let Some(group) = self.groups.pop() else {
            return;
        };
        let judge = Judge {
            diagram,
            aim: diagram.check_aim(),
        };
        let moves = &mut self.moves[group.moves.clone()];
        for (value, step) in &mut *moves {
            *value = judge.value(criterion, *step);
        }
        moves.sort_unstable_by_key(|&(value, _)| Reverse(value));
        let mut end = group.moves.end;
        let equal = moves.chunk_by(|(left, _), (right, _)| left == right);
        for part in equal.rev() {
            let start = end - part.len();
            self.groups.push(Group {
                moves: start..end,
                criteria: group.criteria + 1,
                is_sorted: false,
            });
            end = start;
        }
    }
}

/// The legal moves of a position in an order, each with its values by all criteria.
pub fn explained(position: &Chess, ordering: &MoveOrdering, mover: Mover) -> Vec<(Move, Vec<i32>)> {
    let diagram = Diagram::of(position);
    let judge = Judge {
        diagram: &diagram,
        aim: diagram.check_aim(),
    };
    let criteria = ordering.criteria(mover);
    let mut selection = Selection::default();
    selection.begin(&diagram);
    let in_order = std::iter::from_fn(|| selection.next(&diagram, criteria));
    let values = |step| {
        criteria
            .iter()
            .map(|&each| judge.value(each, step))
            .collect()
    };
    in_order
        .map(|step| (diagram.to_move(step), values(step)))
        .collect()
}
