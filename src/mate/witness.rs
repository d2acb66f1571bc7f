//! What makes an answer checkable: a strategy for the mate, a refutation of shorter ones.
//!
//! Both are read off what the search remembers; what it has forgotten is searched again. So a witness can be had with any
//! memory, and a wrong entry could at most keep it from being built: each move in it is followed to the end.

use thiserror::Error;

use super::dag::TooLarge;
use super::diagram::Diagram;
use super::length::{Mover, Moves};
use super::meter::Stopped;
use super::prover::{Answer, Prover, Question, Verdict};
use super::refutation::{self, Refutation};
use super::root::steps;
use super::search::Search;
use super::step::Step;
use super::strategy::{self, Strategy};

/// Why there is no witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WitnessError {
    /// Nothing was decided that could be witnessed.
    #[error("nothing is decided")]
    Undecided,
    /// The budget was spent, or somebody stopped the work.
    #[error("the search was stopped")]
    Stopped,
    /// The witness would be larger than is wanted.
    #[error("the witness has too many positions and moves")]
    TooLarge,
    /// There is no such mate, or there is one after all.
    #[error("what was to be witnessed does not hold")]
    DoesNotHold,
}

impl From<Stopped> for WitnessError {
    fn from(_: Stopped) -> WitnessError {
        WitnessError::Stopped
    }
}

impl From<TooLarge> for WitnessError {
    fn from(_: TooLarge) -> WitnessError {
        WitnessError::TooLarge
    }
}

/// The witnesses of an answer.
#[derive(Clone, Debug)]
pub struct Witness {
    /// How the attacker mates in the moves that the answer says, with each of its keys.
    pub mate: Option<Strategy>,
    /// That he does not mate in fewer; if the answer is that he does not mate at all, in so many as were asked about. None for
    /// a mate in one, which needs no proof that it is the shortest.
    pub no_shorter: Option<Refutation>,
    /// That no first move mates in so many moves but the keys, if all keys were asked for. Its root lists the other moves.
    pub no_other_key: Option<Refutation>,
}

/// The witnesses of an answer that is decided.
pub(super) fn witness(
    prover: &mut Prover<'_>,
    question: &Question,
    answer: &Answer,
    largest: usize,
) -> Result<Witness, WitnessError> {
    let Question {
        position, mover, ..
    } = question;
    let diagram = Diagram::of(position);
    let Some(search) = prover.searches.first_mut() else {
        return Err(WitnessError::Undecided);
    };
    let mut refuted = |moves: Moves, without: &[Step]| {
        refutation::extract(search, &diagram, *mover, moves.get(), without, largest)
    };
    let length = match answer.verdict {
        Verdict::Undecided => return Err(WitnessError::Undecided),
        Verdict::Refuted => {
            let no_shorter = Some(refuted(question.max_moves, &[])?);
            return Ok(Witness {
                mate: None,
                no_shorter,
                no_other_key: None,
            });
        }
        Verdict::Proved(length) => length,
    };
    let keys: Vec<Step> = answer
        .keys
        .iter()
        .filter_map(|&key| Diagram::to_step(key))
        .collect();
    let shorter = length
        .fewer()
        .filter(|&shorter| *mover == Mover::Defender || shorter > Moves::ZERO);
    let no_shorter = shorter.map(|shorter| refuted(shorter, &[])).transpose()?;
    let has_others = answer.are_all_keys && !keys.is_empty() && steps(&diagram).len() > keys.len();
    let no_other_key = has_others.then(|| refuted(length, &keys)).transpose()?;
    let mate = strategy::extract(search, &diagram, *mover, length.get(), &keys, largest)?;
    Ok(Witness {
        mate: Some(mate),
        no_shorter,
        no_other_key,
    })
}

/// How the attacker mates, if the answer is that he does; that he does not mate in fewer moves is left out.
pub(super) fn strategy(
    prover: &mut Prover<'_>,
    question: &Question,
    answer: &Answer,
    largest: usize,
) -> Result<Strategy, WitnessError> {
    let (Verdict::Proved(length), Some(search)) = (answer.verdict, prover.searches.first_mut())
    else {
        return Err(WitnessError::Undecided);
    };
    let diagram = Diagram::of(&question.position);
    let keys: Vec<Step> = answer
        .keys
        .iter()
        .filter_map(|&key| Diagram::to_step(key))
        .collect();
    strategy::extract(
        search,
        &diagram,
        question.mover,
        length.get(),
        &keys,
        largest,
    )
}

impl Search<'_> {
    /// A mate within `length` moves, if there is one: its length and first move. The shortest if that is one or two, else what is at hand.
    pub(super) fn mating_step(
        &mut self,
        diagram: &Diagram,
        length: u8,
    ) -> Result<Option<(u8, Step)>, Stopped> {
        self.begin();
        for short in 1..=length.min(2) {
            if let Some(step) = self.wins(diagram, short)? {
                return Ok(Some((short, step)));
            }
        }
        let remembered = |search: &Self| {
            let entry = search.table.get(diagram.key());
            let proved = entry.proved().filter(|&proved| proved <= length)?;
            Some((proved, entry.step?))
        };
        if let Some(found) = remembered(self) {
            return Ok(Some(found));
        }
        let step = self.attacker_mates(diagram, length)?;
        Ok(step.map(|step| remembered(self).unwrap_or((length, step))))
    }

    /// A reply after which the attacker does not mate within `length` moves, if there is one.
    pub(super) fn refuting_step(
        &mut self,
        diagram: &Diagram,
        length: u8,
    ) -> Result<Option<Step>, Stopped> {
        let entry = self.table.get(diagram.key());
        if entry.verdict(length) == Some(false) && entry.step.is_some() {
            return Ok(entry.step);
        }
        if self.is_deep(length) {
            let mates = self.defender_is_mated(diagram, length)?;
            let entry = self.table.get(diagram.key());
            if !mates && entry.step.is_some() {
                return Ok(entry.step);
            }
        }
        self.begin();
        let killers = self.killers(length);
        let mut steps = steps(diagram);
        steps.sort_by_key(|&step| !killers.contains(&Some(step)));
        for step in steps {
            if self.attacker_mates(&diagram.play(step), length)?.is_none() {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }
}
