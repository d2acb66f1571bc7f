//! Ctrl-C, and the other polite ways to ask a process to stop.
//!
//! The first request is noted, and the work stops at its next checkpoint without having written
//! anything; the second ends the process at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::{Exit, Failure};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From now on, requests to stop are noted.
pub(crate) fn listen() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            process::exit(Exit::Interrupted as i32);
        }
    })
    .map_err(|error| Failure::context("cannot listen for Ctrl-C", &error))
}

/// Whether the run should stop.
pub(crate) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
