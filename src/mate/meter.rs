//! What a proof may cost, counted over all threads.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use thiserror::Error;

use crate::game::Observer;

/// The search ended before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// Counts positions that searches look at, and tells them when to stop.
///
/// Its observer hears of them as steps, and is asked about as often whether the work should end.
pub struct Meter<'a> {
    spent: AtomicU64,
    limit: AtomicU64,
    /// Where the work is to pause, to be gone on with later.
    pause: AtomicU64,
    is_stopped: AtomicBool,
    /// The question is answered; what still works on it can stop.
    is_enough: AtomicBool,
    observer: &'a dyn Observer,
}

impl<'a> Meter<'a> {
    /// A meter for so many positions, about.
    pub fn new(limit: u64, observer: &'a dyn Observer) -> Meter<'a> {
        Meter {
            spent: AtomicU64::new(0),
            limit: AtomicU64::new(limit),
            pause: AtomicU64::new(u64::MAX),
            is_stopped: AtomicBool::new(false),
            is_enough: AtomicBool::new(false),
            observer,
        }
    }

    /// Positions looked at so far, as far as they were reported.
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Searches stop after so many positions from here, for the time being; without a number they do not.
    pub fn pause_after(&self, nodes: Option<u64>) {
        let pause = nodes.map_or(u64::MAX, |nodes| self.spent().saturating_add(nodes));
        self.pause.store(pause, Ordering::Relaxed);
    }

    /// Allows so many more positions from here, whatever was spent before.
    pub(crate) fn allow(&self, nodes: u64) {
        let limit = self.spent().saturating_add(nodes);
        self.limit.store(limit, Ordering::Relaxed);
        self.is_stopped.store(false, Ordering::Relaxed);
    }

    /// Whether the work is at its end: the limit is reached, or the observer ended it. A pause is no end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Counts some more positions.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the search is to end.
    pub(crate) fn spend(&self, nodes: u64) -> Result<(), Stopped> {
        let spent = self.spent.fetch_add(nodes, Ordering::Relaxed) + nodes;
        self.observer.advance(nodes);
        if spent > self.limit.load(Ordering::Relaxed) || self.observer.is_interrupted() {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
        let is_paused = spent > self.pause.load(Ordering::Relaxed);
        if is_paused || self.is_stopped() || self.is_enough.load(Ordering::Relaxed) {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// The question is answered: stops whoever still works on it.
    pub(crate) fn enough(&self) {
        self.is_enough.store(true, Ordering::Relaxed);
    }

    /// There is another question.
    pub(crate) fn go_on(&self) {
        self.is_enough.store(false, Ordering::Relaxed);
    }
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter")
            .field("spent", &self.spent)
            .field("limit", &self.limit)
            .field("pause", &self.pause)
            .field("is_stopped", &self.is_stopped)
            .finish_non_exhaustive()
    }
}
