//! What a run cost: time, processor time, memory. It never enters a certificate.

use std::fs;
use std::time::Instant;

use serde::Serialize;

/// The clock of a piece of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    wall: Instant,
    cpu_seconds: Option<f64>,
}

impl Clock {
    /// Starts now.
    pub(crate) fn start() -> Clock {
        Clock {
            wall: Instant::now(),
            cpu_seconds: process_cpu_seconds(),
        }
    }

    /// Processor seconds of the whole process since the start; `None` where the system does not say.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        let seconds = process_cpu_seconds()? - self.cpu_seconds?;
        // The system counts in microseconds; the rest would be noise.
        Some((seconds * 1e6).round() / 1e6)
    }

    /// Seconds since the start.
    pub(crate) fn wall_seconds(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }
}

/// The record beside a certificate: `X.run.json`.
#[derive(Debug, Serialize)]
pub(crate) struct RunRecord<'a> {
    /// The version of the program.
    pub(crate) dchess: &'static str,
    /// The claim of the certificate.
    pub(crate) claim: &'a str,
    /// Its id.
    pub(crate) id: String,
    /// Threads used.
    pub(crate) threads: usize,
    /// Seconds of the run.
    pub(crate) wall_seconds: f64,
    /// Processor seconds of the run.
    pub(crate) cpu_seconds: Option<f64>,
    /// Processor seconds of a refinement, without the moves that it looks at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refinement_cpu_seconds: Option<f64>,
    /// The most memory that was resident at once.
    pub(crate) peak_rss_bytes: Option<u64>,
    /// The operating system and processor family.
    pub(crate) platform: String,
}

/// The operating system and processor family.
pub(crate) fn platform() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The most memory that this process had resident at once; `None` where the system does not say.
pub(crate) fn peak_rss_bytes() -> Option<u64> {
    // On Linux the resource usage of a fresh process can still show its parent's peak.
    linux_peak_rss_bytes().or_else(unix_peak_rss_bytes)
}

fn linux_peak_rss_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(unix)]
fn unix_peak_rss_bytes() -> Option<u64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let peak = u64::try_from(getrusage(UsageWho::RUSAGE_SELF).ok()?.max_rss()).ok()?;
    Some(if cfg!(target_vendor = "apple") {
        peak
    } else {
        peak * 1024
    })
}

#[cfg(unix)]
fn process_cpu_seconds() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let microseconds =
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Some(microseconds as f64 / 1e6)
}

#[cfg(not(unix))]
fn unix_peak_rss_bytes() -> Option<u64> {
    None
}

#[cfg(not(unix))]
fn process_cpu_seconds() -> Option<f64> {
    None
}
