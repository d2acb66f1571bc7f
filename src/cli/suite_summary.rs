//! What a suite came to.

use dchess::mate::{Mover, Verdict};

use super::cost::Clock;
use super::failure::Exit;
use super::mate::Args;
use super::mate_report::{lacks_keys, length};
use super::mate_suite::Outcome;
use super::output::grouped;
use super::suite_comparison::Comparison;

/// Counts over the lines of a suite.
#[derive(Default)]
pub(crate) struct Summary {
    proved: u64,
    refuted: u64,
    undecided: u64,
    bad: u64,
    stated: Comparisons,
    /// Decided positions without a certificate where there should be one.
    uncertified: u64,
    /// Mates without all the keys that were asked for.
    without_keys: u64,
    /// Mates without the solution that was asked for.
    unsolved: u64,
    nodes: u64,
}

/// Of the positions of which something is stated.
#[derive(Default)]
struct Comparisons {
    as_stated: u64,
    shorter: u64,
    longer: u64,
    refuted: u64,
    cooked: u64,
    other_keys: u64,
    open: u64,
}

impl Summary {
    pub(crate) fn add(&mut self, outcome: &Outcome, args: &Args) {
        let entry = match outcome {
            Outcome::Remark => return,
            Outcome::Bad(_) => {
                self.bad += 1;
                return;
            }
            Outcome::Solved(entry) => entry,
        };
        let answer = &entry.solved.answer;
        self.nodes += answer.nodes;
        *match answer.verdict {
            Verdict::Proved(_) => &mut self.proved,
            Verdict::Refuted => &mut self.refuted,
            Verdict::Undecided => &mut self.undecided,
        } += 1;
        let is_open = args.out.is_some() && entry.certificate.is_none();
        self.uncertified += u64::from(is_open && answer.verdict != Verdict::Undecided);
        let is_short_of_keys = lacks_keys(&entry.question, answer) && length(answer).is_some();
        self.without_keys += u64::from(is_short_of_keys);
        let has_solution = args.solution && entry.question.mover == Mover::Attacker;
        let is_unsolved = has_solution && entry.solved.solution.is_none();
        self.unsolved += u64::from(is_unsolved && length(answer).is_some());
        let stated = &mut self.stated;
        *match entry.comparison {
            Comparison::AsStated => &mut stated.as_stated,
            Comparison::Shorter => &mut stated.shorter,
            Comparison::Longer => &mut stated.longer,
            Comparison::Refuted => &mut stated.refuted,
            Comparison::Cooked => &mut stated.cooked,
            Comparison::OtherKeys => &mut stated.other_keys,
            Comparison::Undecided => &mut stated.open,
            Comparison::NothingStated => return,
        } += 1;
    }

    pub(crate) fn lines(&self, clock: &Clock) -> Vec<String> {
        let mut lines = vec![format!(
            "{} positions: {} proved, {} refuted, {} undecided; {} bad lines",
            self.proved + self.refuted + self.undecided,
            self.proved,
            self.refuted,
            self.undecided,
            self.bad,
        )];
        let stated = &self.stated;
        if stated.any() {
            lines.push(format!(
                "compared with what is stated: {} the same, {} shorter, {} longer, {} without such a mate, \
                 {} cooked, {} with other keys, {} open",
                stated.as_stated,
                stated.shorter,
                stated.longer,
                stated.refuted,
                stated.cooked,
                stated.other_keys,
                stated.open,
            ));
        }
        if self.uncertified > 0 {
            let count = self.uncertified;
            lines.push(format!(
                "{count} decided, but not certified within the budget"
            ));
        }
        if self.without_keys > 0 {
            let count = self.without_keys;
            lines.push(format!(
                "{count} proved, but without all keys within the budget"
            ));
        }
        if self.unsolved > 0 {
            let count = self.unsolved;
            lines.push(format!(
                "{count} proved, but without the whole solution within the budget"
            ));
        }
        let nodes = grouped(self.nodes);
        let mut spent = format!(
            "{nodes} positions looked at in {:.2} s",
            clock.wall_seconds()
        );
        if let Some(seconds) = clock.cpu_seconds() {
            spent.push_str(&format!(", {seconds:.2} s of processor time"));
        }
        lines.push(spent);
        lines
    }

    /// Whether there was nothing to be solved.
    pub(crate) const fn is_empty(&self) -> bool {
        self.proved + self.refuted + self.undecided + self.bad == 0
    }

    /// What differs weighs more than what cannot be used, and that more than what is open.
    pub(crate) fn exit(&self) -> Exit {
        if self.stated.differ() {
            Exit::DoesNotHold
        } else if self.bad > 0 {
            Exit::Unusable
        } else if self.undecided
            + self.stated.open
            + self.uncertified
            + self.without_keys
            + self.unsolved
            > 0
        {
            Exit::Undecided
        } else {
            Exit::Established
        }
    }
}

impl Comparisons {
    const fn differ(&self) -> bool {
        self.shorter + self.longer + self.refuted + self.cooked + self.other_keys > 0
    }

    const fn any(&self) -> bool {
        self.differ() || self.as_stated + self.open > 0
    }
}
