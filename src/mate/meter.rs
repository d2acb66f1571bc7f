//! What a proof may cost, counted over all threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::game::Observer;

/// The search ended before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Counts positions that searches look at, and tells them when to stop.
pub(crate) struct Meter<'a> {
    spent: AtomicU64,
    limit: u64,
    is_stopped: AtomicBool,
    /// The question is answered; what still works on it can stop.
    is_enough: AtomicBool,
    observer: &'a dyn Observer,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limit: u64, observer: &'a dyn Observer) -> Meter<'a> {
        Meter {
            spent: AtomicU64::new(0),
            limit,
            is_stopped: AtomicBool::new(false),
            is_enough: AtomicBool::new(false),
            observer,
        }
    }

    /// Positions looked at so far, as far as they were reported.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Counts some more positions.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the search is to end.
    pub(crate) fn spend(&self, nodes: u64) -> Result<(), Stopped> {
        let spent = self.spent.fetch_add(nodes, Ordering::Relaxed) + nodes;
        if spent > self.limit || self.observer.is_interrupted() {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
        if self.is_stopped.load(Ordering::Relaxed) || self.is_enough.load(Ordering::Relaxed) {
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
