//! Files that a run leaves: whole or not at all.
//!
//! A file is written under a temporary name in the same folder, synced, renamed over the old one,
//! and the folder is synced. Whatever stops the run, the old file is there or the new one is.

use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::failure::Failure;
use super::interrupt;
use super::output::shown_path;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// It was not there before, or another one was and was replaced.
    New,
    /// The same bytes were there already.
    Unchanged,
}

/// Writes a certificate. Another file of that name is replaced only by `force`.
pub(crate) fn write_certificate(
    path: &Path,
    bytes: &[u8],
    force: bool,
) -> Result<Written, Failure> {
    if is_regular(path)? {
        if fs::read(path).is_ok_and(|old| old == bytes) {
            return Ok(Written::Unchanged);
        }
        if !force {
            return Err(Failure::Error(format!(
                "{} holds something else; use --force to replace it, or choose another name",
                shown_path(path)
            )));
        }
    }
    let mut draft = Draft::begin(path, force)?;
    draft
        .write_all(bytes)
        .map_err(|error| draft.failure(&error))?;
    draft.finish()?;
    Ok(Written::New)
}

/// A file that is being written, under a temporary name until it is finished.
pub(crate) struct Draft {
    /// The name that the user gave.
    path: PathBuf,
    /// Where it goes: a link keeps pointing to the file that it points to.
    target: PathBuf,
    force: bool,
    temporary: BufWriter<NamedTempFile>,
}

impl Draft {
    /// Begins a file, and makes its folder. Another file of that name is replaced only by `force`.
    pub(crate) fn begin(path: &Path, force: bool) -> Result<Draft, Failure> {
        let exists = is_regular(path)?;
        if exists && !force {
            return Err(Failure::Error(format!(
                "{} is there already; use --force to replace it, or choose another name",
                shown_path(path)
            )));
        }
        let begin = || -> io::Result<(PathBuf, NamedTempFile)> {
            let target = if exists {
                fs::canonicalize(path)?
            } else {
                path.to_path_buf()
            };
            fs::create_dir_all(folder_of(&target))?;
            let temporary = temporary_for(&target)?;
            Ok((target, temporary))
        };
        let (target, temporary) = begin().map_err(|error| cannot_write(path, &error))?;
        Ok(Draft {
            path: path.to_path_buf(),
            target,
            force,
            temporary: BufWriter::new(temporary),
        })
    }

    /// Gives the file its name, unless the run was interrupted.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Draft {
            path,
            target,
            force,
            temporary,
        } = self;
        let place = || -> io::Result<bool> {
            let temporary = temporary.into_inner().map_err(IntoInnerError::into_error)?;
            temporary.as_file().sync_all()?;
            if interrupt::is_requested() {
                return Ok(false);
            }
            let name = temporary.path().to_path_buf();
            if force {
                temporary.persist(&target)?;
            } else {
                // Another run may have written the file in the meantime.
                temporary.persist_noclobber(&target)?;
            }
            interrupt::forget_temporary(&name);
            sync_folder(&folder_of(&target))?;
            Ok(true)
        };
        match place() {
            Ok(true) => Ok(()),
            Ok(false) => Err(Failure::Interrupted),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Failure::Error(format!(
                    "{} was written by another run in the meantime",
                    shown_path(&path)
                )))
            }
            Err(error) => Err(cannot_write(&path, &error)),
        }
    }

    /// What to say when writing fails.
    pub(crate) fn failure(&self, error: &io::Error) -> Failure {
        cannot_write(&self.path, error)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

/// Whether a regular file of that name exists; anything else there is a failure.
fn is_regular(path: &Path) -> Result<bool, Failure> {
    let wrong = |what: &str| Err(Failure::Error(format!("{} {what}", shown_path(path))));
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(true),
        Ok(_) => wrong("is not a regular file; use `-` for standard output"),
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            wrong("is a link to a file that is not there")
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(cannot_write(path, &error)),
    }
}

/// Writes the record of what a certificate cost, over an older record of the same kind; any other
/// file of that name is left alone. A record that cannot be written is worth a warning: the
/// certificate is there.
pub(crate) fn write_record(path: &Path, bytes: &[u8]) {
    let write = || -> io::Result<()> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(metadata) => {
                if !metadata.is_file() || !is_record(&fs::read(path)?) {
                    return Err(io::Error::other("another file has that name"));
                }
            }
        }
        let mut temporary = temporary_for(path)?;
        temporary.write_all(bytes)?;
        temporary.as_file().sync_all()?;
        let name = temporary.path().to_path_buf();
        temporary.persist(path)?;
        interrupt::forget_temporary(&name);
        sync_folder(&folder_of(path))
    };
    if let Err(error) = write() {
        let path = shown_path(path);
        super::failure::warn(&format!(
            "the cost of the run was not written to {path}: {error}"
        ));
    }
}

/// Whether some bytes are a record of a run of ours.
fn is_record(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(bytes)
        .is_ok_and(|record| record.get("dchess").is_some() && record.get("claim").is_some())
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// An empty file beside the target, with the permissions that the target has or, if it is new, would
/// have as an ordinary file.
fn temporary_for(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".dchess-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let temporary = builder.tempfile_in(folder_of(target));
    // The name of a file that could not be made would only puzzle.
    let temporary = temporary.map_err(|error| match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::from(error.kind()),
    })?;
    interrupt::remember_temporary(temporary.path());
    if let Ok(metadata) = fs::metadata(target) {
        temporary
            .as_file()
            .set_permissions(metadata.permissions())?;
    }
    Ok(temporary)
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
    Failure::context(&format!("cannot write {}", shown_path(path)), error)
}
