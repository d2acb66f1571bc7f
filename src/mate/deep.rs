//! Proof numbers: does the attacker mate within n moves, when n is not small?
//!
//! Depth-first proof-number search (Nagai 2002): always on to the position where, as far as can be seen, least is left to do for a proof or a disproof
//! of the root. The numbers decide nothing; a verdict is reached by moves alone. The number of moves left is a part of every
//! question, so there are no cycles, and a frame keeps the numbers of its children itself, so that a search with hardly any
//! memory comes to its end too.
//!
//! First estimates: a check is worth its replies. After a quiet move it is asked whether the attacker threatens mate in one if the
//! defender passes; without a threat nearly every reply refutes. What is left with few moves is not estimated but decided ([`super::search`]).

use std::ops::ControlFlow;

use super::diagram::Diagram;
use super::meter::Stopped;
use super::moves::Guard;
use super::numbers::{Numbers, for_attacker, for_defender};
use super::search::Search;
use super::step::Step;

/// A move of a position with the numbers of the position after it.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    step: Step,
    numbers: Numbers,
}

/// With so many moves left a position is decided depth first; with more for the longer mates, where memory is short.
const fn shallow(root_length: u8) -> u8 {
    if root_length <= 5 { 2 } else { 3 }
}

/// A question about a root: how many moves are few.
#[derive(Clone, Copy)]
struct Ask {
    shallow: u8,
}

impl Search<'_> {
    /// The move with which the attacker, who is to move, mates within `length` moves, if there is one.
    pub(crate) fn attacker_mates(
        &mut self,
        diagram: &Diagram,
        length: u8,
    ) -> Result<Option<Step>, Stopped> {
        match self
            .numbers_of_attack(diagram, length, Numbers::UNLIMITED)?
            .verdict()
        {
            Some(true) if length <= shallow(length) => self.wins(diagram, length),
            // It was the last thing to be remembered.
            Some(true) => Ok(self.table.get(diagram.key()).step),
            Some(false) => Ok(None),
            None => Err(Stopped),
        }
    }

    /// Whether the defender, who is to move, is mated within `length` more moves of the attacker.
    pub(crate) fn defender_is_mated(
        &mut self,
        diagram: &Diagram,
        length: u8,
    ) -> Result<bool, Stopped> {
        let numbers = self.numbers_of_defence(diagram, length, Numbers::UNLIMITED)?;
        numbers.verdict().ok_or(Stopped)
    }

    /// Whether replies that refute are remembered where the attacker has so many moves left.
    pub(super) const fn is_deep(&self, length: u8) -> bool {
        length > shallow(length)
    }

    /// Searches a root with the attacker to move until a limit is reached.
    pub(crate) fn numbers_of_attack(
        &mut self,
        diagram: &Diagram,
        length: u8,
        limits: Numbers,
    ) -> Result<Numbers, Stopped> {
        self.begin();
        let ask = Ask {
            shallow: shallow(length),
        };
        if length == 0 {
            return Ok(Numbers::REFUTED);
        }
        if length <= ask.shallow {
            return Ok(Numbers::decided(self.wins(diagram, length)?.is_some()));
        }
        let key = diagram.key();
        if let Some(step) = diagram.mate_in_one(&mut self.nodes) {
            let entry = self.table.get(key).with_attack(1, Some(step));
            self.table.put(key, entry, 1);
            return Ok(Numbers::PROVED);
        }
        if let Some(mates) = self.table.get(key).verdict(length) {
            return Ok(Numbers::decided(mates));
        }
        self.attack(ask, diagram, length, limits)
    }

    /// Searches a root with the defender to move until a limit is reached.
    pub(crate) fn numbers_of_defence(
        &mut self,
        diagram: &Diagram,
        length: u8,
        limits: Numbers,
    ) -> Result<Numbers, Stopped> {
        self.begin();
        if length == 0 {
            return Ok(Numbers::decided(diagram.is_checkmate()));
        }
        if let Some(mates) = self.table.get(diagram.key()).verdict(length) {
            return Ok(Numbers::decided(mates));
        }
        let ask = Ask {
            shallow: shallow(length),
        };
        self.defend(ask, diagram, length, limits)
    }

    /// What is remembered about a position.
    fn known(&self, diagram: &Diagram, length: u8) -> Option<Numbers> {
        let entry = self.table.get(diagram.key());
        match entry.verdict(length) {
            Some(mates) => Some(Numbers::decided(mates)),
            None => (entry.length == length).then_some(entry.numbers),
        }
    }

    /// The attacker is to move and has no mate in one.
    fn attack(
        &mut self,
        ask: Ask,
        diagram: &Diagram,
        length: u8,
        limits: Numbers,
    ) -> Result<Numbers, Stopped> {
        self.check()?;
        let before = self.nodes;
        let start = self.children.len();
        self.push_attack(diagram, length);
        let (numbers, place) = loop {
            let children = self.children[start..].iter();
            let choice = for_attacker(children.map(|child| child.numbers), limits);
            if choice.numbers.verdict().is_some() || choice.numbers.reach(limits) {
                break (choice.numbers, choice.place);
            }
            let next = diagram.play(self.children[start + choice.place].step);
            let numbers = self.defend(ask, &next, length - 1, choice.limits)?;
            self.children[start + choice.place].numbers = numbers;
        };
        let best = self.children.get(start + place).map(|child| child.step);
        self.children.truncate(start);
        let key = diagram.key();
        let entry = self.table.get(key);
        let entry = match numbers.verdict() {
            Some(true) => entry.with_attack(length, best),
            Some(false) => entry.with_attack(length, None),
            None => entry.with_numbers(length, numbers),
        };
        self.table.put(key, entry, self.nodes - before);
        Ok(numbers)
    }

    /// Puts the moves of the attacker on the stack, checks first, with what is known or guessed about them.
    fn push_attack(&mut self, diagram: &Diagram, length: u8) {
        let start = self.children.len();
        let guard = diagram.guard();
        let aim = diagram.check_aim();
        self.push_children(diagram, &guard);
        let mut quiet = start;
        for place in start..self.children.len() {
            if aim.may_check(self.children[place].step) {
                self.children.swap(place, quiet);
                quiet += 1;
            }
        }
        for place in start..self.children.len() {
            let next = diagram.play(self.children[place].step);
            self.nodes += 1;
            let known = self.known(&next, length - 1);
            let numbers = known.unwrap_or_else(|| self.guess_defence(&next));
            self.children[place].numbers = numbers;
            if numbers == Numbers::PROVED {
                return;
            }
        }
    }

    fn push_children(&mut self, diagram: &Diagram, guard: &Guard) {
        let children = &mut self.children;
        let _ = diagram.visit_all(guard, &mut |step| {
            children.push(Child {
                step,
                numbers: Numbers {
                    proof: 1,
                    disproof: 1,
                },
            });
            ControlFlow::Continue(())
        });
    }

    /// First numbers of a position with the defender to move. They only order the work, so what is looked at for them is not counted.
    fn guess_defence(&mut self, next: &Diagram) -> Numbers {
        let guard = next.guard();
        let replies = count(next, &guard);
        if replies == 0 {
            return Numbers::decided(guard.checkers.any());
        }
        let proof = if guard.checkers.any() {
            replies
        } else if next.pass().mate_in_one(&mut 0).is_some() {
            2 + replies / 4
        } else {
            3 + replies
        };
        Numbers { proof, disproof: 1 }
    }

    /// The defender is to move.
    fn defend(
        &mut self,
        ask: Ask,
        diagram: &Diagram,
        length: u8,
        limits: Numbers,
    ) -> Result<Numbers, Stopped> {
        let before = self.nodes;
        let key = diagram.key();
        if length <= ask.shallow {
            let mates = self.loses(diagram, length)?;
            let entry = self.table.get(key).with_defence(length, mates, None);
            self.table.put(key, entry, self.nodes - before);
            return Ok(Numbers::decided(mates));
        }
        self.check()?;
        let start = self.children.len();
        let guard = diagram.guard();
        self.push_children(diagram, &guard);
        if self.children.len() == start {
            return Ok(Numbers::decided(guard.checkers.any()));
        }
        self.weigh_replies(diagram, length, start);
        let (numbers, place) = loop {
            let children = self.children[start..].iter();
            let choice = for_defender(children.map(|child| child.numbers), limits);
            if choice.numbers.verdict().is_some() || choice.numbers.reach(limits) {
                break (choice.numbers, choice.place);
            }
            let next = diagram.play(self.children[start + choice.place].step);
            let numbers = self.attack(ask, &next, length, choice.limits)?;
            self.children[start + choice.place].numbers = numbers;
        };
        let best = self.children[start + place].step;
        self.children.truncate(start);
        let entry = self.table.get(key);
        let entry = match numbers.verdict() {
            Some(true) => entry.with_defence(length, true, None),
            Some(false) => {
                self.remember(length, best);
                entry.with_defence(length, false, Some(best))
            }
            None => entry.with_numbers(length, numbers),
        };
        self.table.put(key, entry, self.nodes - before);
        Ok(numbers)
    }

    /// Gives the replies on the stack what is known or guessed about them, up to the first that refutes; those in front that refuted elsewhere.
    fn weigh_replies(&mut self, diagram: &Diagram, length: u8, start: usize) {
        let end = self.children.len();
        for (rank, killer) in self.killers(length).into_iter().enumerate() {
            let found = (start..end).find(|&place| Some(self.children[place].step) == killer);
            if let Some(place) = found {
                self.children.swap(place, (start + rank).min(end - 1));
            }
        }
        for place in start..end {
            let next = diagram.play(self.children[place].step);
            self.nodes += 1;
            let numbers = self.guess_attack(&next, length);
            self.children[place].numbers = numbers;
            if numbers == Numbers::REFUTED {
                return;
            }
        }
    }

    /// What is known about a position with the attacker to move; with few moves to look at, it is soon refuted.
    fn guess_attack(&mut self, next: &Diagram, length: u8) -> Numbers {
        let guard = next.guard();
        if next.mate_in_one_guarded(&guard, &mut self.nodes).is_some() {
            return Numbers::PROVED;
        }
        if let Some(known) = self.known(next, length) {
            return known;
        }
        match count(next, &guard) {
            0 => Numbers::REFUTED,
            moves => Numbers {
                proof: 1,
                disproof: 1 + moves / 8,
            },
        }
    }
}

/// The number of legal moves.
fn count(diagram: &Diagram, guard: &Guard) -> u32 {
    let mut moves = 0;
    let _ = diagram.visit_all(guard, &mut |_| {
        moves += 1;
        ControlFlow::Continue(())
    });
    moves
}
