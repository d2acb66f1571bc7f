//! What a comparison is about: a class, to be solved, or the certificate of one.

use std::ffi::OsString;
use std::path::PathBuf;

use dchess::endgame::{Material, MaterialError};

/// A class or a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The name of a class.
    Class(Material),
    /// A file, `-` for standard input.
    File(PathBuf),
}

impl Subject {
    /// Tells them apart: an argument with a dot or a separator in it, or with the name of a file that
    /// is there, is a file; any other is a class.
    pub(crate) fn parse(argument: OsString) -> Result<Subject, MaterialError> {
        let path = PathBuf::from(argument);
        let text = path.to_string_lossy();
        if text == "-" || text.contains(['.', '/', std::path::MAIN_SEPARATOR]) || path.is_file() {
            return Ok(Subject::File(path));
        }
        Ok(Subject::Class(text.parse()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_files_are_told_apart() {
        let parse = |text: &str| Subject::parse(text.into());
        let class = |name: &str| Ok(Subject::Class(name.parse().unwrap()));
        let file = |name: &str| Ok(Subject::File(name.into()));
        assert_eq!(parse("kqvk"), class("KQK"));
        // The tests run in the root of the package, where this file is.
        for name in ["KQK.bin", "tables/KQK", "-", "./KQK", "LICENSE"] {
            assert_eq!(parse(name), file(name));
        }
        assert_eq!(parse("nothing"), Err(MaterialError::Kings));
        assert_eq!(parse(""), Err(MaterialError::Kings));
    }
}
