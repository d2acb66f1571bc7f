//! The number of threads of a run.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::failure::Failure;

/// `--threads`
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Threads {
    /// Threads to use; the result does not depend on it [default: all processors]
    #[arg(long = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    count: Option<u16>,
}

impl Threads {
    /// What runs on a single thread.
    pub(crate) const ONE: Threads = Threads { count: Some(1) };

    /// How many threads.
    pub(crate) fn count(self) -> usize {
        let all = || available_parallelism().map_or(1, NonZeroUsize::get);
        self.count.map_or_else(all, usize::from)
    }

    /// A pool with that many threads.
    pub(crate) fn pool(self) -> Result<ThreadPool, Failure> {
        ThreadPoolBuilder::new()
            .num_threads(self.count())
            .build()
            .map_err(|error| Failure::Error(format!("cannot start the threads: {error}")))
    }
}
