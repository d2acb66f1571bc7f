//! The root of a question, worked on by several searches at once.
//!
//! Each worker has a search with a memory of its own and takes the most promising move that nobody else has taken. A move stays
//! with its worker, whose memory knows it, and is left when another of his becomes more promising. What is found does not depend on who found it: a
//! verdict is a verdict.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::diagram::Diagram;
use super::length::Mover;
use super::meter::{Meter, Stopped};
use super::numbers::{Numbers, for_attacker, for_defender};
use super::search::Search;
use super::step::Step;

/// The legal moves of a position.
pub(super) fn steps(diagram: &Diagram) -> Vec<Step> {
    let mut steps = Vec::new();
    let _ = diagram.visit_all(&diagram.guard(), &mut |step| {
        steps.push(step);
        ControlFlow::Continue(())
    });
    steps
}

/// A move of the root.
struct Branch {
    step: Step,
    numbers: Numbers,
    worker: Option<usize>,
}

/// A root and how far its moves are decided.
struct Root<'a> {
    diagram: &'a Diagram,
    mover: Mover,
    /// Moves that the attacker has after a move of the root.
    length: u8,
    branches: Mutex<Vec<Branch>>,
}

/// Whether the attacker mates from the root, and if he is to move, with which move.
pub(super) type Found = (bool, Option<Step>);

/// Decides with all these searches whether the attacker mates within `length` moves, if the root has these moves and no others.
pub(super) fn decide(
    searches: &mut [Search<'_>],
    meter: &Meter<'_>,
    diagram: &Diagram,
    steps: Vec<Step>,
    mover: Mover,
    length: u8,
) -> Result<Found, Stopped> {
    if steps.is_empty() {
        return Ok((mover == Mover::Defender && diagram.is_check(), None));
    }
    let first = |step| Branch {
        step,
        numbers: Numbers {
            proof: 1,
            disproof: 1,
        },
        worker: None,
    };
    let root = Root {
        diagram,
        mover,
        length: match mover {
            Mover::Attacker => length - 1,
            Mover::Defender => length,
        },
        branches: Mutex::new(steps.into_iter().map(first).collect()),
    };
    std::thread::scope(|scope| {
        for (worker, search) in searches.iter_mut().enumerate() {
            let root = &root;
            scope.spawn(move || {
                // Whether the work is done is seen from the branches.
                let _ = root.work(worker, search, meter);
                let _ = search.report();
            });
        }
    });
    meter.go_on();
    let verdict = root.verdict(&root.lock());
    verdict.ok_or(Stopped)
}

impl Root<'_> {
    fn lock(&self) -> MutexGuard<'_, Vec<Branch>> {
        // A worker that panicked left numbers that were true before.
        self.branches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn verdict(&self, branches: &[Branch]) -> Option<Found> {
        let wanted = self.mover == Mover::Attacker;
        let decisive = |branch: &&Branch| branch.numbers.verdict() == Some(wanted);
        if let Some(branch) = branches.iter().find(decisive) {
            return Some((wanted, wanted.then_some(branch.step)));
        }
        let all = branches
            .iter()
            .all(|branch| branch.numbers.verdict() == Some(!wanted));
        all.then_some((!wanted, None))
    }

    /// Decides moves until nothing is left for this worker.
    fn work(
        &self,
        worker: usize,
        search: &mut Search<'_>,
        meter: &Meter<'_>,
    ) -> Result<(), Stopped> {
        while let Some((place, step, limits)) = self.take(worker) {
            let next = self.diagram.play(step);
            let numbers = match self.mover {
                Mover::Attacker => search.numbers_of_defence(&next, self.length, limits)?,
                Mover::Defender => search.numbers_of_attack(&next, self.length, limits)?,
            };
            let mut branches = self.lock();
            branches[place].numbers = numbers;
            if self.verdict(&branches).is_some() {
                meter.enough();
                break;
            }
        }
        Ok(())
    }

    /// The most promising move for a worker, and the limits up to which it is.
    fn take(&self, worker: usize) -> Option<(usize, Step, Numbers)> {
        let mut branches = self.lock();
        if self.verdict(&branches).is_some() {
            return None;
        }
        let is_open = |branch: &Branch| {
            branch.numbers.verdict().is_none() && branch.worker.is_none_or(|other| other == worker)
        };
        let places: Vec<usize> = (0..branches.len())
            .filter(|&place| is_open(&branches[place]))
            .collect();
        if places.is_empty() {
            return None;
        }
        let numbers = places.iter().map(|&place| branches[place].numbers);
        let choice = match self.mover {
            Mover::Attacker => for_attacker(numbers, Numbers::UNLIMITED),
            Mover::Defender => for_defender(numbers, Numbers::UNLIMITED),
        };
        let place = places[choice.place];
        branches[place].worker = Some(worker);
        Some((place, branches[place].step, choice.limits))
    }
}
