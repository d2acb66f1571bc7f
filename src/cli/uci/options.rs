//! What `setoption` sets.

use super::super::resources::free_memory;

/// A number that can be set.
struct Spin {
    name: &'static str,
    default: u64,
    max: u64,
}

/// The options with their values.
pub(super) struct Options {
    hash: Spin,
    hash_mebibytes: u64,
    /// Threads that work on a search.
    pub(super) threads: usize,
    /// First moves that mate to look for.
    pub(super) multi_pv: usize,
}

const THREADS: Spin = Spin {
    name: "Threads",
    default: 1,
    max: 256,
};

/// No position has more legal moves.
const MULTI_PV: Spin = Spin {
    name: "MultiPV",
    default: 1,
    max: 218,
};

impl Options {
    /// As they are at first. There can be as much memory as is free now.
    pub(super) fn new() -> Options {
        const DEFAULT: u64 = 256;
        let free = free_memory().map_or(1 << 16, |bytes| bytes >> 20);
        let hash = Spin {
            name: "Hash",
            default: DEFAULT,
            max: free.max(DEFAULT),
        };
        Options {
            hash_mebibytes: hash.default,
            hash,
            threads: 1,
            multi_pv: 1,
        }
    }

    /// The memory of a search in bytes.
    pub(super) const fn hash_bytes(&self) -> u64 {
        self.hash_mebibytes << 20
    }

    /// The options as they are introduced.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        [&self.hash, &THREADS, &MULTI_PV].into_iter().map(|spin| {
            let Spin { name, default, max } = spin;
            format!("option name {name} type spin default {default} min 1 max {max}")
        })
    }

    /// Sets an option; the case of its name is all the same. It counts from the next search on.
    ///
    /// # Errors
    ///
    /// Why it stays as it was.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let is = |spin: &Spin| name.eq_ignore_ascii_case(spin.name);
        if is(&self.hash) {
            self.hash_mebibytes = read(&self.hash, value)?;
        } else if is(&THREADS) {
            self.threads = read(&THREADS, value)? as usize;
        } else if is(&MULTI_PV) {
            self.multi_pv = read(&MULTI_PV, value)? as usize;
        } else {
            return Err(format!("there is no option `{name:.40}`"));
        }
        Ok(())
    }
}

fn read(spin: &Spin, value: Option<&str>) -> Result<u64, String> {
    let Spin { name, max, .. } = spin;
    let value = value.unwrap_or("");
    let number = value.parse().ok();
    let number = number.filter(|number| (1..=*max).contains(number));
    number.ok_or_else(|| format!("`{value:.40}` for {name} is no number from 1 to {max}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_by_any_case_of_their_names() {
        let mut options = Options::new();
        assert_eq!(options.hash_bytes(), 256 << 20);
        options.set("hash", Some("16")).unwrap();
        options.set("THREADS", Some("2")).unwrap();
        options.set("MultiPV", Some("5")).unwrap();
        let found = (options.hash_bytes(), options.threads, options.multi_pv);
        assert_eq!(found, (16 << 20, 2, 5));
    }

    #[test]
    fn what_cannot_be_set_stays_as_it_was() {
        let mut options = Options::new();
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("-1")),
            ("Hash", Some("99999999999999999999")),
            ("Threads", Some("many")),
            ("MultiPV", Some("219")),
            ("MultiPV", None),
            ("Contempt", Some("1")),
            ("", None),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value:?}");
        }
        let found = (options.hash_bytes(), options.threads, options.multi_pv);
        assert_eq!(found, (256 << 20, 1, 1));
    }
}
