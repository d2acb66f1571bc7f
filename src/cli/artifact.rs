//! Files that a run leaves: whole or not at all.
//!
//! A file is written under a temporary name in the same folder, synced, renamed over the old one,
//! and the folder is synced. Whatever stops the run, the old file is there or the new one is.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

use super::failure::Failure;
use super::interrupt;
use super::output::one_line;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// It was not there before, or another one was and was replaced.
    New,
    /// The same bytes were there already.
    Unchanged,
}

/// Writes a certificate. Another certificate of that name is replaced only by `force`.
pub(crate) fn write_certificate(
    path: &Path,
    bytes: &[u8],
    force: bool,
) -> Result<Written, Failure> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => {
            let shown = one_line(&path.to_string_lossy());
            return Err(Failure::Error(format!(
                "{shown} is not a regular file; use `--out -` for standard output"
            )));
        }
        Ok(metadata) => {
            let is_same = metadata.len() == bytes.len() as u64
                && fs::read(path).is_ok_and(|old| old == bytes);
            if is_same {
                return Ok(Written::Unchanged);
            }
            if !force {
                let shown = one_line(&path.to_string_lossy());
                return Err(Failure::Error(format!(
                    "{shown} holds something else; use --force to replace it, or --out for another name"
                )));
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(cannot_write(path, &error)),
    }
    replace(path, bytes)?;
    Ok(Written::New)
}

/// Writes a file of ours, over an older one if there is one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    // A link keeps pointing to the file that it points to.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let write = || -> io::Result<bool> {
        fs::create_dir_all(&folder)?;
        let mut temporary = temporary_in(&folder)?;
        temporary.write_all(bytes)?;
        temporary.as_file().sync_all()?;
        if interrupt::is_requested() {
            return Ok(false);
        }
        temporary.persist(&target)?;
        sync_folder(&folder)?;
        Ok(true)
    };
    match write() {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::Interrupted),
        Err(error) => Err(cannot_write(path, &error)),
    }
}

fn temporary_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".dchess-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // An ordinary file, less what the umask takes, instead of a private one.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::context(
        &format!("cannot write {}", one_line(&path.to_string_lossy())),
        error,
    )
}
