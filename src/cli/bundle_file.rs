//! A bundle in the making: where it goes, and where its mates wait until the last one is there.

use std::fs::File;
use std::path::{Path, PathBuf};

use dchess::certificate::{Bundle, BundleError, CertifiedMate, Format, WrittenBundle};

use super::artifact::Draft;
use super::destination::{Cost, Destination, FormatArg};
use super::failure::Failure;
use super::output::{Output, shown_path};
use super::place::is_same;

/// The file of a bundle, or standard output.
pub(crate) struct BundleFile {
    destination: Destination,
    /// None for standard output.
    draft: Option<Draft>,
    bundle: Bundle<File>,
}

impl BundleFile {
    /// Begins a bundle. Another file of that name is replaced only by `force`, and the input never.
    pub(crate) fn begin(
        out: &Path,
        format: Option<FormatArg>,
        input: &Path,
        force: bool,
    ) -> Result<BundleFile, Failure> {
        let destination = Destination::of(Some(out), format, "", Format::Compressed)?;
        if destination.format == Format::Json {
            let reason = "a bundle is binary; choose --out with another name, and no --format json";
            return Err(Failure::Error(reason.to_owned()));
        }
        let draft = match &destination.path {
            None => None,
            Some(path) if is_same(path, input) => {
                let reason = format!("{} is the input; choose another name", shown_path(path));
                return Err(Failure::Error(reason));
            }
            Some(path) => Some(Draft::begin(path, force)?),
        };
        let bundle = Bundle::new(destination.room()?);
        Ok(BundleFile {
            destination,
            draft,
            bundle,
        })
    }

    /// Whether standard output is for the bundle alone.
    pub(crate) const fn is_stream(&self) -> bool {
        self.draft.is_none()
    }

    /// Adds a mate, and gives the name under which people find it: `suite.bin#17`.
    pub(crate) fn add(&mut self, mate: &CertifiedMate) -> Result<String, Failure> {
        let added = self.bundle.add(mate);
        let number = added.map_err(|error| failure(&self.destination, &error))?;
        Ok(format!("{}#{number}", self.destination.shown()))
    }

    /// Writes the whole. A bundle of nothing is not written.
    pub(crate) fn finish(self, cost: &Cost, stdout: &mut Output) -> Result<Delivered, Failure> {
        let BundleFile {
            destination,
            draft,
            bundle,
        } = self;
        if bundle.mates() == 0 {
            super::failure::warn("nothing was certified, so there is no bundle");
            return Ok(Delivered::Nothing);
        }
        let room = destination.room()?;
        let failure = |error| failure(&destination, &error);
        let written = match draft {
            None => {
                let written = bundle.write(room, stdout).map_err(failure)?;
                stdout.flush()?;
                written
            }
            Some(mut draft) => {
                let written = bundle.write(room, &mut draft).map_err(failure)?;
                draft.finish()?;
                written
            }
        };
        match &destination.path {
            Some(path) => cost.write(path, &written.claim, written.id)?,
            None if stdout.is_closed() => return Ok(Delivered::Lost),
            None => {}
        }
        Ok(Delivered::Whole(DeliveredBundle {
            destination,
            written,
        }))
    }
}

/// What became of a bundle.
pub(crate) enum Delivered {
    /// It is where it should be.
    Whole(DeliveredBundle),
    /// There was nothing to be written.
    Nothing,
    /// The reader of standard output left before he had it.
    Lost,
}

/// A bundle that was written.
pub(crate) struct DeliveredBundle {
    destination: Destination,
    written: WrittenBundle,
}

impl DeliveredBundle {
    /// Says where it is: claim, certificate and id.
    pub(crate) fn print(&self, report: &mut Output) -> Result<(), Failure> {
        let WrittenBundle { id, claim, bytes } = &self.written;
        self.destination.print_lines(claim, *bytes, "", *id, report)
    }
}

/// What to say when a bundle cannot be written.
fn failure(destination: &Destination, error: &BundleError) -> Failure {
    let shown = destination.shown();
    Failure::context(&format!("cannot write the bundle {shown}"), error)
}

impl Destination {
    /// A place for what cannot be written yet. It has no name, so nothing of it can be left.
    fn room(&self) -> Result<File, Failure> {
        let folder = self.path.as_deref().and_then(Path::parent);
        let folder = match folder {
            None => std::env::temp_dir(),
            Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
            Some(folder) => folder.to_path_buf(),
        };
        tempfile::tempfile_in(&folder).map_err(|error| {
            let folder = shown_path(&folder);
            Failure::context(
                &format!("cannot write a temporary file in {folder}"),
                &error,
            )
        })
    }
}
