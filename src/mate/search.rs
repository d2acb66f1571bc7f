//! Depth first: does the attacker mate within n moves, when n is small?
//!
//! `wins(s, n)`: some move leads to a position that `loses(·, n − 1)`; `loses(s, n)`: every reply leads to a position that
//! `wins(·, n)`, and there is one, or it is checkmate. The number of moves left falls with every move of the attacker, so cycles need no care.
//!
//! A position is not mate in n in nearly all cases, and then the order of the attacker's moves is all the same, but the
//! first reply should refute. So replies that refuted elsewhere are tried first, before others are generated.

use std::ops::ControlFlow;

use super::deep::Child;
use super::diagram::Diagram;
use super::length::Moves;
use super::meter::{Meter, Stopped};
use super::moves::Guard;
use super::step::Step;
use super::table::Table;

/// Positions between two looks at the meter.
const BETWEEN_REPORTS: u64 = 1_024;

/// A search for mate with its memory, for one attacker.
pub(crate) struct Search<'a> {
    pub(super) table: Table,
    /// Positions looked at.
    pub(super) nodes: u64,
    reported: u64,
    meter: &'a Meter<'a>,
    /// The moves of all positions on the way, one after the other.
    steps: Vec<Step>,
    /// The same for positions with proof numbers.
    pub(super) children: Vec<Child>,
    /// Whether what mated after one reply is played again after the next (`docs/forcing.md`).
    replays: bool,
    /// For each number of moves left the replies that refuted last.
    killers: Vec<[Option<Step>; 2]>,
}

impl<'a> Search<'a> {
    /// A search that remembers up to so many bytes.
    pub(crate) fn new(bytes: u64, replays: bool, meter: &'a Meter<'a>) -> Search<'a> {
        Search {
            table: Table::new(bytes),
            nodes: 0,
            reported: 0,
            meter,
            steps: Vec::new(),
            children: Vec::new(),
            replays,
            killers: vec![[None; 2]; usize::from(Moves::LONGEST.get()) + 1],
        }
    }

    /// Begins with a root: nothing is left of one that was stopped.
    pub(super) fn begin(&mut self) {
        self.steps.clear();
        self.children.clear();
    }

    /// Tells the meter now and then what was spent.
    #[inline]
    pub(super) fn check(&mut self) -> Result<(), Stopped> {
        if self.nodes - self.reported < BETWEEN_REPORTS {
            Ok(())
        } else {
            self.report()
        }
    }

    /// Tells the meter what was spent.
    pub(crate) fn report(&mut self) -> Result<(), Stopped> {
        let nodes = self.nodes - self.reported;
        self.reported = self.nodes;
        self.meter.spend(nodes)
    }

    /// The move with which the attacker, who is to move, mates within `length` moves, if there is one.
    pub(super) fn wins(&mut self, diagram: &Diagram, length: u8) -> Result<Option<Step>, Stopped> {
        self.wins_with(diagram, length, None)
    }

    /// The same, where a move that mates elsewhere is tried first.
    fn wins_with(
        &mut self,
        diagram: &Diagram,
        length: u8,
        witness: Option<Step>,
    ) -> Result<Option<Step>, Stopped> {
        if length == 1
            && let Some(step) = witness
            && diagram.allows(&diagram.guard(), step)
        {
            self.nodes += 1;
            if diagram.play(step).is_checkmate() {
                return Ok(Some(step));
            }
        }
        let guard = diagram.guard();
        let mate = diagram.mate_in_one_guarded(&guard, &mut self.nodes);
        if mate.is_some() || length <= 1 {
            return Ok(mate);
        }
        self.check()?;
        let key = diagram.key();
        let known = self.table.get(key);
        match known.verdict(length) {
            Some(true) => return Ok(known.step),
            Some(false) => return Ok(None),
            None => {}
        }
        let before = self.nodes;
        if let Some(step) = witness
            && diagram.allows(&guard, step)
        {
            self.nodes += 1;
            if self.loses(&diagram.play(step), length - 1)? {
                let entry = self.table.get(key).with_attack(length, Some(step));
                self.table.put(key, entry, self.nodes - before);
                return Ok(Some(step));
            }
        }
        let start = self.steps.len();
        let quiet = self.push_checks_first(diagram, &guard);
        let mut won = None;
        for place in start..self.steps.len() {
            let step = self.steps[place];
            let next = diagram.play(step);
            self.nodes += 1;
            let loses = if place < quiet {
                self.loses_in_check(&next, length - 1)?
            } else {
                self.loses(&next, length - 1)?
            };
            if loses {
                won = Some(step);
                break;
            }
        }
        self.steps.truncate(start);
        let entry = self.table.get(key).with_attack(length, won);
        self.table.put(key, entry, self.nodes - before);
        Ok(won)
    }

    /// Whether the defender, who is to move, is mated within `length` more moves of the attacker.
    pub(super) fn loses(&mut self, diagram: &Diagram, length: u8) -> Result<bool, Stopped> {
        let guard = diagram.guard();
        let killers = self.killers[usize::from(length)];
        for killer in killers.into_iter().flatten() {
            if diagram.allows(&guard, killer) {
                self.nodes += 1;
                if self.wins(&diagram.play(killer), length)?.is_none() {
                    self.remember(length, killer);
                    return Ok(false);
                }
            }
        }
        self.loses_by_all(diagram, &guard, length, killers)
    }

    /// The same, without trying first what refuted elsewhere: checks leave few replies.
    fn loses_in_check(&mut self, diagram: &Diagram, length: u8) -> Result<bool, Stopped> {
        let guard = diagram.guard();
        self.loses_by_all(diagram, &guard, length, [None; 2])
    }

    fn loses_by_all(
        &mut self,
        diagram: &Diagram,
        guard: &Guard,
        length: u8,
        tried: [Option<Step>; 2],
    ) -> Result<bool, Stopped> {
        let start = self.steps.len();
        let steps = &mut self.steps;
        let _ = diagram.visit_all(guard, &mut |step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        if self.steps.len() == start {
            return Ok(guard.checkers.any());
        }
        let mut witness = None;
        for place in start..self.steps.len() {
            let step = self.steps[place];
            if tried.contains(&Some(step)) && !step.is_special() {
                continue;
            }
            self.nodes += 1;
            let answer = self.wins_with(&diagram.play(step), length, witness)?;
            if answer.is_none() {
                self.remember(length, step);
                self.steps.truncate(start);
                return Ok(false);
            }
            if self.replays {
                witness = answer;
            }
        }
        self.steps.truncate(start);
        Ok(true)
    }

    /// Puts the moves of a position on the stack, those first that may give check. Says where the others begin.
    fn push_checks_first(&mut self, diagram: &Diagram, guard: &Guard) -> usize {
        let aim = diagram.check_aim();
        let mut quiet = self.steps.len();
        let steps = &mut self.steps;
        let _ = diagram.visit_all(guard, &mut |step| {
            steps.push(step);
            if aim.may_check(step) {
                let last = steps.len() - 1;
                steps.swap(quiet, last);
                quiet += 1;
            }
            ControlFlow::Continue(())
        });
        quiet
    }

    /// The replies that refuted last with so many moves left.
    pub(super) fn killers(&self, length: u8) -> [Option<Step>; 2] {
        self.killers[usize::from(length)]
    }

    /// Remembers a reply that refuted.
    pub(super) fn remember(&mut self, length: u8, step: Step) {
        let [first, second] = &mut self.killers[usize::from(length)];
        if *first != Some(step) {
            *second = first.replace(step);
        }
    }
}
