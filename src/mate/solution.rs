//! A mate as composers look at it: keys, tries, threats, set play, variations and duals.
//!
//! - *Key*: a first move that mates in N. *Try*: one that does not, with few refutations: exactly one, or up to as many as are asked for.
//! - *Threat*: what mates in the moves that are left if the defender passes. After a check he cannot; without a threat he is in zugzwang.
//! - *Set play*: how he is mated in N − 1 if he moves first in the diagram.
//! - *Dual*: two or more continuations that keep the full length at a move of the attacker after the key. Two ways to mate with the last move,
//!   and a mate that is shorter than it need be, are told apart from it.
//!
//! Where the defender has a threat against him, only those replies are variations after which no threat still mates in time.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move};

use super::diagram::Diagram;
use super::length::{Mover, Moves};
use super::meter::{Meter, Stopped};
use super::prover::{Answer, Budget, Keys, Prover, Question, Verdict};
use super::root::steps;
use super::search::Search;
use super::step::Step;
use crate::game::Observer;
use crate::rules::uci_order;

/// What the defender has to reckon with after a move of the attacker.
#[derive(Clone, Debug)]
pub enum Pressure {
    /// He is mated.
    Mate,
    /// He is in check.
    Check,
    /// He would be mated if he passed; these are the shortest ways.
    Threat(Vec<Continuation>),
    /// He would not be mated if he passed.
    Zugzwang,
}

/// A move of the attacker with what follows.
#[derive(Clone, Debug)]
pub struct Continuation {
    /// The move.
    pub mv: Move,
    /// The position before it.
    pub position: Chess,
    /// What it confronts the defender with.
    pub pressure: Pressure,
    /// Whether it gives check.
    pub is_check: bool,
    /// How the defender may reply, in the order of the UCI texts.
    pub variations: Vec<Variation>,
}

/// A reply of the defender with the moves that mate in time: all that mate soonest.
#[derive(Clone, Debug)]
pub struct Variation {
    /// The reply.
    pub reply: Move,
    /// The position before it.
    pub position: Chess,
    /// The moves that the attacker needs after it.
    pub needed: Moves,
    /// The moves that he has.
    pub left: Moves,
    /// His moves, in the order of the UCI texts.
    pub continuations: Vec<Continuation>,
}

impl Variation {
    /// Whether the attacker has a choice that a problem should not leave him.
    pub fn is_dual(&self) -> bool {
        self.continuations.len() > 1 && self.needed == self.left && self.needed.get() > 1
    }

    /// Whether he has several ways to mate with his last move.
    pub fn is_mating_dual(&self) -> bool {
        self.continuations.len() > 1 && self.needed.get() == 1 && self.needed == self.left
    }

    /// Whether he mates before the last move.
    pub fn is_short(&self) -> bool {
        self.needed < self.left
    }
}

/// A first move that a composer wants to see.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The move with its play.
    pub first: Continuation,
    /// What refutes it; none for a key.
    pub refutations: Vec<Move>,
}

/// The solution of a problem.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The length of the mate.
    pub length: Moves,
    /// Variations of the set play.
    pub set_play: Vec<Variation>,
    /// Tries and keys, in the order of the UCI texts.
    pub phases: Vec<Phase>,
}

/// Answers a question with all keys, and if it is mate, with the whole solution. Tries have at most so many refutations.
///
/// No solution if there is no mate, or the budget was spent on the way.
pub fn solve_problem(
    question: &Question,
    budget: &Budget,
    refutations: usize,
    observer: &dyn Observer,
) -> (Answer, Option<Solution>) {
    let meter = Meter::new(budget.nodes, observer);
    let mut prover = Prover::new(&meter, budget);
    let question = Question {
        keys: Keys::All,
        ..question.clone()
    };
    let answer = prover.answer(&question);
    let solution = match (answer.verdict, question.mover) {
        (Verdict::Proved(length), Mover::Attacker) if answer.are_all_keys => {
            let diagram = Diagram::of(&question.position);
            let search = prover.searches.first_mut();
            search.and_then(|search| search.solution(&diagram, length.get(), refutations).ok())
        }
        _ => None,
    };
    let nodes = prover.nodes();
    (Answer { nodes, ..answer }, solution)
}

impl Search<'_> {
    fn solution(
        &mut self,
        diagram: &Diagram,
        length: u8,
        refutations: usize,
    ) -> Result<Solution, Stopped> {
        let mut phases = Vec::new();
        // A move that does not mate in one is no try.
        let refutations = if length == 1 { 0 } else { refutations };
        for step in in_order(diagram) {
            let next = diagram.play(step);
            if let Some(refuting) = self.refutations(&next, length - 1, refutations)? {
                phases.push(Phase {
                    first: self.continuation(diagram, step, length)?,
                    refutations: moves(&next, &refuting),
                });
            }
        }
        let set_play = if diagram.is_check() || length < 2 {
            Vec::new()
        } else {
            self.variations(&diagram.pass(), length - 1, &[])?
        };
        Ok(Solution {
            length: shown(length),
            set_play,
            phases,
        })
    }

    /// The replies after which the attacker does not mate within `length` moves; none if these are more than wanted, or it is stalemate,
    /// which refutes without a move.
    fn refutations(
        &mut self,
        diagram: &Diagram,
        length: u8,
        wanted: usize,
    ) -> Result<Option<Vec<Step>>, Stopped> {
        let replies = in_order(diagram);
        let mut refuting = Vec::new();
        for &reply in &replies {
            if self.attacker_mates(&diagram.play(reply), length)?.is_none() {
                refuting.push(reply);
            }
            if refuting.len() > wanted {
                return Ok(None);
            }
        }
        let is_stalemate = replies.is_empty() && !diagram.is_check();
        Ok((!is_stalemate).then_some(refuting))
    }

    /// The play after a move of the attacker, who has `length` moves with it.
    fn continuation(
        &mut self,
        diagram: &Diagram,
        step: Step,
        length: u8,
    ) -> Result<Continuation, Stopped> {
        let next = diagram.play(step);
        let left = length - 1;
        let is_check = next.is_check();
        let threats = match (is_check, left) {
            (true, _) | (_, 0) => Vec::new(),
            _ => self.continuations(&next.pass(), left)?.1,
        };
        let variations = self.variations(&next, left, &threats)?;
        let pressure = if next.is_checkmate() {
            Pressure::Mate
        } else if is_check {
            Pressure::Check
        } else if threats.is_empty() {
            Pressure::Zugzwang
        } else {
            Pressure::Threat(threats)
        };
        Ok(Continuation {
            mv: diagram.to_move(step),
            position: diagram.to_position(),
            pressure,
            is_check,
            variations,
        })
    }

    /// The replies against which there is a mate within `length` moves, but none by a threat, and the mates.
    fn variations(
        &mut self,
        diagram: &Diagram,
        length: u8,
        threats: &[Continuation],
    ) -> Result<Vec<Variation>, Stopped> {
        let mut variations = Vec::new();
        if length == 0 {
            return Ok(variations);
        }
        for reply in in_order(diagram) {
            let next = diagram.play(reply);
            if self.is_threatened(&next, length, threats)? {
                continue;
            }
            let (needed, continuations) = self.continuations(&next, length)?;
            if !continuations.is_empty() {
                variations.push(Variation {
                    reply: diagram.to_move(reply),
                    position: diagram.to_position(),
                    needed: shown(needed),
                    left: shown(length),
                    continuations,
                });
            }
        }
        Ok(variations)
    }

    /// Whether one of the threats mates within `length` moves here.
    fn is_threatened(
        &mut self,
        diagram: &Diagram,
        length: u8,
        threats: &[Continuation],
    ) -> Result<bool, Stopped> {
        for threat in threats {
            let Some(step) = Diagram::to_step(threat.mv) else {
                continue;
            };
            let is_legal = steps(diagram).contains(&step);
            if is_legal && self.defender_is_mated(&diagram.play(step), length - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// All moves that mate soonest, if that is within `length` moves.
    fn continuations(
        &mut self,
        diagram: &Diagram,
        length: u8,
    ) -> Result<(u8, Vec<Continuation>), Stopped> {
        for needed in 1..=length {
            let mut found = Vec::new();
            if self.attacker_mates(diagram, needed)?.is_none() {
                continue;
            }
            for step in in_order(diagram) {
                if self.defender_is_mated(&diagram.play(step), needed - 1)? {
                    found.push(self.continuation(diagram, step, needed)?);
                }
            }
            return Ok((needed, found));
        }
        Ok((length, Vec::new()))
    }
}

/// The legal moves in the order of their UCI texts.
fn in_order(diagram: &Diagram) -> Vec<Step> {
    let mut steps = steps(diagram);
    steps.sort_by_cached_key(|&step| uci_order(UciMove::from_standard(diagram.to_move(step))));
    steps
}

fn moves(diagram: &Diagram, steps: &[Step]) -> Vec<Move> {
    steps.iter().map(|&step| diagram.to_move(step)).collect()
}

/// A length that a question had.
fn shown(length: u8) -> Moves {
    Moves::new(length).unwrap_or(Moves::LONGEST)
}
