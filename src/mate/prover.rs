//! The shortest mate of a position: found, and proved to be the shortest.
//!
//! Lengths are asked about one after the other, so a mate in N comes with the proof that there is none in N − 1. What
//! was found out about shorter mates orders the search for longer ones.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move};

use super::diagram::Diagram;
use super::length::{Mover, Moves};
use super::meter::{Meter, Stopped};
use super::root::{self, Found};
use super::search::Search;
use super::step::Step;
use super::strategy::Strategy;
use super::witness::{self, Witness, WitnessError, witness};
use crate::game::Observer;
use crate::rules::uci_order;

/// From so many moves on a root is shared between threads.
const SHARED: u8 = 4;

/// What is asked about a position.
#[derive(Clone, Debug)]
pub struct Question {
    /// The position. Its clocks play no part.
    pub position: Chess,
    /// Whether the side to move is to mate or to be mated.
    pub mover: Mover,
    /// Longer mates are not looked for.
    pub max_moves: Moves,
    /// Which first moves are wanted.
    pub keys: Keys,
    /// Whether a line is wanted.
    pub line: bool,
}

/// First moves that mate in the shortest way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The one that is found first. It may depend on the memory and the threads of the search.
    Any,
    /// The first one in an order that follows from the position alone. If the budget is spent on the way it is any.
    First,
    /// Every one.
    All,
}

/// What may be spent on an answer.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Positions to look at for an answer, about.
    pub nodes: u64,
    /// Memory for what the searches remember, over all threads.
    pub hash_bytes: u64,
    /// Threads that work on one position.
    pub threads: usize,
    /// Whether what mates after one reply is played again, move by move, after the next one (`docs/forcing.md`). It changes what a search takes, and no
    /// verdict.
    pub forcing_graph: bool,
}

impl Budget {
    /// The memory of a search unless the user says otherwise.
    pub const DEFAULT_HASH_BYTES: u64 = 256 << 20;
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            nodes: u64::MAX,
            hash_bytes: Budget::DEFAULT_HASH_BYTES,
            threads: 1,
            forcing_graph: false,
        }
    }
}

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a mate in so many moves, and none in fewer.
    Proved(Moves),
    /// There is no mate within the moves that were asked about.
    Refuted,
    /// The budget was spent, or somebody stopped the work.
    Undecided,
}

/// The answer to a [`Question`].
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The longest mate that was refuted.
    pub refuted: Option<Moves>,
    /// First moves that mate in the shortest way, in the order of their UCI texts. Empty if the side to move is
    /// to be mated.
    pub keys: Vec<Move>,
    /// Whether these are all; [`Keys::All`] asks for them.
    pub are_all_keys: bool,
    /// A line of the shortest mate from the first key on, if one was asked for: as long as the defender can make it.
    pub line: Vec<Move>,
    /// Positions looked at.
    pub nodes: u64,
}

/// Answers a question.
pub fn shortest_mate(question: &Question, budget: &Budget, observer: &dyn Observer) -> Answer {
    let meter = Meter::new(budget.nodes, observer);
    Prover::new(&meter, budget).answer(question)
}

/// Answers a question, with the witnesses of the answer, each of at most `largest` positions and moves.
///
/// The budget is that of the answer; the witnesses of an answer that is decided may take as much again.
pub fn witnessed_mate(
    question: &Question,
    budget: &Budget,
    largest: usize,
    observer: &dyn Observer,
) -> (Answer, Result<Witness, WitnessError>) {
    let meter = Meter::new(budget.nodes, observer);
    let mut prover = Prover::new(&meter, budget);
    let answer = prover.answer(question);
    // What is proved is worth most with its proof.
    meter.allow(budget.nodes);
    let witness = witness(&mut prover, question, &answer, largest);
    (answer, witness)
}

/// Answers a question, with a strategy of at most `largest` positions and moves if there is a mate.
pub fn mating_strategy(
    question: &Question,
    budget: &Budget,
    largest: usize,
    observer: &dyn Observer,
) -> (Answer, Result<Strategy, WitnessError>) {
    let meter = Meter::new(budget.nodes, observer);
    let mut prover = Prover::new(&meter, budget);
    let answer = prover.answer(question);
    meter.allow(budget.nodes);
    let strategy = witness::strategy(&mut prover, question, &answer, largest);
    (answer, strategy)
}

/// The searches that work on a question.
pub(super) struct Prover<'a> {
    meter: &'a Meter<'a>,
    pub(super) searches: Vec<Search<'a>>,
}

impl<'a> Prover<'a> {
    pub(super) fn new(meter: &'a Meter<'a>, budget: &Budget) -> Prover<'a> {
        let threads = budget.threads.max(1);
        let bytes = budget.hash_bytes / threads as u64;
        Prover {
            meter,
            searches: (0..threads)
                .map(|_| Search::new(bytes, budget.forcing_graph, meter))
                .collect(),
        }
    }

    /// Answers a question, from the shortest mate on.
    pub(super) fn answer(&mut self, question: &Question) -> Answer {
        let diagram = Diagram::of(&question.position);
        let mut answer = Answer {
            verdict: Verdict::Refuted,
            refuted: None,
            keys: Vec::new(),
            are_all_keys: false,
            line: Vec::new(),
            nodes: 0,
        };
        let shortest = match question.mover {
            Mover::Attacker => 1,
            Mover::Defender => 0,
        };
        for moves in (shortest..=question.max_moves.get()).filter_map(Moves::new) {
            match self.decide(&diagram, question.mover, moves.get()) {
                Ok((false, _)) => answer.refuted = Some(moves),
                Ok((true, key)) => {
                    answer.verdict = Verdict::Proved(moves);
                    self.add_keys(&mut answer, &diagram, key, question.keys);
                    if question.line {
                        answer.line = self.line(question, moves, &answer.keys);
                    }
                    break;
                }
                Err(Stopped) => {
                    answer.verdict = Verdict::Undecided;
                    break;
                }
            }
        }
        answer.nodes = self.nodes();
        answer
    }

    /// The line, or none if the budget was spent on the way.
    fn line(&mut self, question: &Question, moves: Moves, keys: &[Move]) -> Vec<Move> {
        let key = keys.first().and_then(|&key| Diagram::to_step(key));
        let search = self.searches.first_mut();
        let line =
            search.map(|search| search.line(&question.position, question.mover, moves.get(), key));
        line.and_then(Result::ok).unwrap_or_default()
    }

    /// Adds the keys that are wanted, or the one that is known.
    fn add_keys(
        &mut self,
        answer: &mut Answer,
        diagram: &Diagram,
        key: Option<Step>,
        wanted: Keys,
    ) {
        let Verdict::Proved(moves) = answer.verdict else {
            return;
        };
        let keys = self.keys(diagram, key, moves.get(), wanted);
        answer.are_all_keys = wanted == Keys::All && keys.is_ok();
        let keys = keys.unwrap_or_else(|Stopped| key.into_iter().collect());
        answer.keys = keys.into_iter().map(|key| diagram.to_move(key)).collect();
        answer
            .keys
            .sort_by_key(|&key| uci_order(UciMove::from_standard(key)));
    }

    /// Tells the meter what all searches spent.
    fn report(&mut self) -> Result<(), Stopped> {
        self.searches.iter_mut().try_for_each(Search::report)
    }

    /// Positions looked at by all searches.
    pub(super) fn nodes(&mut self) -> u64 {
        // Nothing is left that could be stopped.
        let _ = self.report();
        self.meter.spent()
    }

    /// Whether the attacker mates within `length` moves, and with which move.
    pub(super) fn decide(
        &mut self,
        diagram: &Diagram,
        mover: Mover,
        length: u8,
    ) -> Result<Found, Stopped> {
        self.report()?;
        let is_shared = self.searches.len() > 1 && length >= SHARED;
        match self.searches.as_mut_slice() {
            [search, ..] if !is_shared => match mover {
                Mover::Attacker => {
                    let key = search.attacker_mates(diagram, length)?;
                    Ok((key.is_some(), key))
                }
                Mover::Defender => Ok((search.defender_is_mated(diagram, length)?, None)),
            },
            searches => {
                let steps = root::steps(diagram);
                root::decide(searches, self.meter, diagram, steps, mover, length)
            }
        }
    }

    /// The same, if the position has these moves and no others.
    pub(super) fn decide_among(
        &mut self,
        diagram: &Diagram,
        steps: Vec<Step>,
        mover: Mover,
        length: u8,
    ) -> Result<Found, Stopped> {
        self.report()?;
        let workers = if length >= SHARED {
            self.searches.len()
        } else {
            1
        };
        let searches = &mut self.searches[..workers];
        root::decide(searches, self.meter, diagram, steps, mover, length)
    }

    /// The keys that are wanted, when one is known.
    fn keys(
        &mut self,
        diagram: &Diagram,
        known: Option<Step>,
        length: u8,
        wanted: Keys,
    ) -> Result<Vec<Step>, Stopped> {
        let Some(known) = known else {
            return Ok(Vec::new());
        };
        match wanted {
            Keys::Any => Ok(vec![known]),
            Keys::First => {
                let before = in_order(diagram).into_iter();
                let before: Vec<Step> = before.take_while(|&step| step != known).collect();
                let mut found = self.mating(diagram, &before, length, true)?;
                found.push(known);
                found.truncate(1);
                Ok(found)
            }
            Keys::All => {
                let mut others = root::steps(diagram);
                others.retain(|&step| step != known);
                let mut found = self.mating(diagram, &others, length, false)?;
                found.push(known);
                Ok(found)
            }
        }
    }

    /// Those of some first moves, in their order, that mate within `length` moves: all or the first one.
    fn mating(
        &mut self,
        diagram: &Diagram,
        steps: &[Step],
        length: u8,
        is_one_enough: bool,
    ) -> Result<Vec<Step>, Stopped> {
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        let work = |search: &mut Search<'_>| -> Result<(), Stopped> {
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(&step) = steps.get(place) else {
                    break;
                };
                if search.defender_is_mated(&diagram.play(step), length - 1)? {
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    found.push(place);
                    if is_one_enough {
                        // Those before it are taken already.
                        next.fetch_max(steps.len(), Ordering::Relaxed);
                    }
                }
            }
            search.report()
        };
        match self.searches.as_mut_slice() {
            [search] => work(search)?,
            searches => std::thread::scope(|scope| {
                let workers: Vec<_> = searches
                    .iter_mut()
                    .map(|search| scope.spawn(|| work(search)))
                    .collect();
                let mut joined = workers.into_iter().map(|worker| worker.join());
                joined.try_for_each(|done| done.unwrap_or(Err(Stopped)))
            })?,
        }
        let mut places = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        places.sort_unstable();
        Ok(places.into_iter().map(|place| steps[place]).collect())
    }
}

/// The legal moves in an order that follows from the position: checks before others, and each with few replies first, then by
/// their UCI texts. Keys of long mates are more often in front than behind.
fn in_order(diagram: &Diagram) -> Vec<Step> {
    let mut steps = root::steps(diagram);
    steps.sort_by_cached_key(|&step| {
        let next = diagram.play(step);
        let replies = root::steps(&next).len();
        let text = uci_order(UciMove::from_standard(diagram.to_move(step)));
        (!next.is_check(), replies, text)
    });
    steps
}
