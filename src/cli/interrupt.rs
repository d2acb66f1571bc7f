//! Ctrl-C.
//!
//! Work that looks out for it notes the first one, and stops at its next checkpoint without having written
//! anything. The second one, and the first where nothing looks out for it, ends the process at once, and takes
//! with it the temporary files that may be there. A process that was started with Ctrl-C ignored, in the background of a script say, goes on ignoring it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::{Exit, Failure};

static IS_LOOKED_OUT_FOR: AtomicBool = AtomicBool::new(false);
static REQUESTED: AtomicBool = AtomicBool::new(false);
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// From now on, the work looks out for requests to stop.
pub(crate) fn listen() {
    IS_LOOKED_OUT_FOR.store(true, Ordering::SeqCst);
}

/// Takes charge of Ctrl-C, at the beginning of the program.
pub(crate) fn install() -> Result<(), Failure> {
    if is_ignored() {
        return Ok(());
    }
    ctrlc::set_handler(|| {
        let is_repeated = REQUESTED.swap(true, Ordering::SeqCst);
        if is_repeated || !IS_LOOKED_OUT_FOR.load(Ordering::SeqCst) {
            for path in TEMPORARY.lock().iter().flat_map(|paths| paths.iter()) {
                // There is nobody left to tell if this fails.
                let _ = fs::remove_file(path);
            }
            Failure::Interrupted.report();
            process::exit(Exit::Interrupted as i32);
        }
    })
    .map_err(|error| Failure::context("cannot listen for Ctrl-C", &error))
}

/// Whether the run should stop.
pub(crate) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// A temporary file that is to go if the process ends at once.
pub(crate) fn remember_temporary(path: &Path) {
    if let Ok(mut temporary) = TEMPORARY.lock() {
        temporary.push(path.to_path_buf());
    }
}

/// A temporary file has become what it was for, or is gone.
pub(crate) fn forget_temporary(path: &Path) {
    if let Ok(mut temporary) = TEMPORARY.lock() {
        temporary.retain(|known| known != path);
    }
}

/// Whether whoever started this process had it ignore Ctrl-C; `false` where the system does not say.
fn is_ignored() -> bool {
    const SIGINT: u64 = 2;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (SIGINT - 1) & 1 != 0)
}
