//! Progress on stderr, and only if that is a terminal.

use std::path::Path;
use std::time::Duration;

use dchess::endgame::Material;
use dchess::game::Observer;
use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt;
use super::output::shown_path;

/// Shows the stage and how far it is; passes on requests to stop.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Shows progress unless the user wants quiet.
    pub(crate) fn new(quiet: bool) -> Progress {
        let bar = if quiet {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        let style = ProgressStyle::with_template(
            "{prefix}{msg:24} {wide_bar} {human_pos}/{human_len} {eta:>5}",
        );
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress { bar }
    }
}

impl Progress {
    /// The next class of several is worked on.
    pub(crate) fn class(&self, place: usize, classes: usize, class: &Material) {
        if classes > 1 {
            self.bar.set_prefix(format!("{place}/{classes} {class:6} "));
        }
    }

    /// The next file of several is worked on.
    pub(crate) fn file(&self, place: usize, files: usize, path: &Path) {
        self.bar.set_length(files as u64);
        self.bar.set_position(place as u64 - 1);
        self.bar.set_message(shown_path(path));
    }

    /// Does something that prints without the bar in its way.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Observer for Progress {
    fn begin(&self, stage: &str, steps: u64) {
        self.bar.reset();
        self.bar.set_length(steps);
        self.bar.set_message(stage.to_owned());
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    fn is_interrupted(&self) -> bool {
        interrupt::is_requested()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
