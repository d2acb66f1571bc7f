//! Reading certificates from files and from standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use dchess::verify::{Certificate, Id, Outline, Reason, Refusal};

use super::output::one_line;

/// Parses the certificate in a file, or on standard input for `-`.
pub(crate) fn read_certificate(path: &Path) -> Result<Certificate, Refusal> {
    read_with(path, dchess::verify::read)
}

/// Does what [`read_certificate`] does, but shows the number, the claim and the id of each mate of a bundle as it passes, and
/// does not judge it.
pub(crate) fn read_each_mate(
    path: &Path,
    each: &mut dyn FnMut(u64, &str, Id),
) -> Result<Certificate, Refusal> {
    read_with(path, |source| dchess::verify::read_each(source, each))
}

/// Reads the certificate in a file, or on standard input for `-`.
fn read_with(
    path: &Path,
    read: impl FnOnce(&mut dyn Read) -> Result<Certificate, Refusal>,
) -> Result<Certificate, Refusal> {
    if path.as_os_str() == "-" {
        return read(&mut io::stdin().lock());
    }
    // A folder opens like a file on some systems and fails only when read; both are reported alike.
    match File::open(path) {
        Ok(mut file) => read(&mut file),
        Err(error) => {
            let place = one_line(&format!("opening it: {error}"));
            Err(Refusal {
                id: None,
                reason: Reason::Unreadable,
                place,
            })
        }
    }
}

/// What the certificate in a file claims, with as little reading as the encoding allows; none if it is malformed. Nothing
/// of it is verified.
pub(crate) fn claim_of(path: &Path) -> Option<String> {
    match Outline::open(File::open(path).ok()?) {
        Ok(outline) => Some(outline.claim),
        Err(refusal) if refusal.reason == Reason::NotACertificate => {
            read_certificate(path).ok().map(|json| json.claim)
        }
        Err(_) => None,
    }
}
