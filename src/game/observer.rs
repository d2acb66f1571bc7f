//! How long work reports where it is, and learns that nobody waits for it any more.

use thiserror::Error;

/// Watches long work. Implementations must be cheap: they are asked often and from many threads.
pub trait Observer: Sync {
    /// A new stage begins, of `steps` steps in all.
    fn begin(&self, stage: &str, steps: u64);

    /// Some more steps of the current stage are done.
    fn advance(&self, steps: u64);

    /// Whether the work should stop as soon as it can.
    fn is_interrupted(&self) -> bool;

    /// [`Observer::advance`] and [`Observer::is_interrupted`] as one `?`.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the work should stop.
    fn checkpoint(&self, steps: u64) -> Result<(), Interrupted> {
        self.advance(steps);
        if self.is_interrupted() {
            Err(Interrupted)
        } else {
            Ok(())
        }
    }
}

/// The work was told to stop and has produced nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Nobody is watching.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn begin(&self, _stage: &str, _steps: u64) {}

    fn advance(&self, _steps: u64) {}

    fn is_interrupted(&self) -> bool {
        false
    }
}
