//! Names of files: whether two of them, however they are spelled, are one place.

use std::fs;
use std::path::{Path, PathBuf};

/// Whether two names are those of one file, or will be.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    real(a) == real(b)
}

/// The name without links and detours. Of what is not there yet, as far as its folders are.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    for ancestor in path.ancestors() {
        if let Ok(found) = fs::canonicalize(ancestor) {
            let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            // A detour through a folder that is not there is none through a link.
            return rest.components().fold(found, |mut place, part| {
                match part {
                    std::path::Component::ParentDir => {
                        place.pop();
                    }
                    std::path::Component::CurDir => {}
                    part => place.push(part),
                }
                place
            });
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).unwrap();
        fs::write(at("a"), "x").unwrap();
        assert!(is_same(&at("a"), &at("./a")) && is_same(&at("a"), &at("in/../a")));
        assert!(is_same(&at("b"), &at("in/../b")) && is_same(&at("new/b"), &at("new/./b")));
        assert!(is_same(&at("b"), &at("new/../b")) && is_same(Path::new("b"), Path::new("./b")));
        assert!(!is_same(&at("a"), &at("b")) && !is_same(&at("in/a"), &at("a")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
            std::os::unix::fs::symlink(at("in"), at("out")).unwrap();
            assert!(is_same(&at("link"), &at("a")) && is_same(&at("out/c"), &at("in/c")));
        }
    }
}
