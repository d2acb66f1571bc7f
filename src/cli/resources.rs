//! Memory and disk: how much there is, and amounts as people write them.

use std::fs;
use std::io;
use std::path::Path;

/// An amount of memory as the user wrote it: bytes, or a number with K, M, G or T.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) u64);

impl std::str::FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let wrong = || {
            format!(
                "`{}` is not an amount like 500M or 4G",
                text.escape_default()
            )
        };
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
            "" | "B" => 0,
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            "T" | "TB" | "TIB" => 40,
            _ => return Err(wrong()),
        };
        let number: u64 = digits.parse().map_err(|_| wrong())?;
        number.checked_mul(1 << shift).map(Bytes).ok_or_else(wrong)
    }
}

/// An amount for people.
pub(crate) fn shown(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    UNITS
        .into_iter()
        .find(|&(unit, _)| bytes >= unit)
        .map_or_else(
            || format!("{bytes} B"),
            |(unit, name)| format!("{:.1} {name}", bytes as f64 / unit as f64),
        )
}

/// Memory that a process can have now; `None` where the system does not say.
pub(crate) fn free_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Space for new files where the folder is or will be; `None` where the system does not say.
#[cfg(unix)]
#[allow(
    clippy::useless_conversion,
    reason = "the types differ between systems"
)]
pub(crate) fn free_disk(folder: &Path) -> Option<u64> {
    let existing = folder
        .ancestors()
        .find(|path| path.exists() || path.as_os_str().is_empty())?;
    let existing = if existing.as_os_str().is_empty() {
        Path::new(".")
    } else {
        existing
    };
    let space = nix::sys::statvfs::statvfs(existing).ok()?;
    Some(u64::from(space.blocks_available()).saturating_mul(u64::from(space.fragment_size())))
}

/// Space for new files where the folder is or will be; `None` where the system does not say.
#[cfg(not(unix))]
pub(crate) fn free_disk(_folder: &Path) -> Option<u64> {
    None
}

/// Tries whether files can be made in the folder of a path, which is made if it is not there.
pub(crate) fn can_write_beside(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dchess-").suffix(".tmp");
    // The name of the file that could not be made would only puzzle.
    let made = builder.tempfile_in(folder).map(|_| ());
    made.map_err(|error| io::Error::from(error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_and_shown() {
        let read = |text: &str| text.parse::<Bytes>().ok().map(|bytes| bytes.0);
        assert_eq!(read("4G"), Some(4 << 30));
        assert_eq!(read("500mb"), Some(500 << 20));
        assert_eq!(read("123"), Some(123));
        for wrong in ["", "G", "4X", "-1", "1.5G", "99999999999T", "４G"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(shown(512), "512 B");
        assert_eq!(shown(3 << 29), "1.5 GiB");
    }
}
