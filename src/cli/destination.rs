//! Where a certificate goes, in which encoding, and the record of its cost beside it.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use dchess::certificate::{Format, Id, Sealed};

use super::artifact::{self, Written};
use super::cost::{self, Clock, RunRecord};
use super::failure::Failure;
use super::input::read_certificate;
use super::output::{Output, grouped, shown_path};
use super::resources::can_write_beside;
use super::shelf;
use super::threads::Threads;

/// The longest JSON certificate, as on the format page. Base64 makes four bytes of three.
pub(crate) const LONGEST_JSON: u64 = 1 << 26;

/// `--format` of a certificate.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FormatArg {
    /// The binary container
    Bin,
    /// JSON text
    Json,
}

/// The encoding and the path of a certificate.
#[derive(Clone, Debug)]
pub(crate) struct Destination {
    /// The encoding.
    pub(crate) format: Format,
    /// The path; none for standard output.
    pub(crate) path: Option<PathBuf>,
}

impl Destination {
    /// What `--out` and `--format` say; by default `certificates/<stem>.<extension>`, and the binary
    /// format that is given.
    pub(crate) fn of(
        out: Option<&Path>,
        format: Option<FormatArg>,
        stem: &str,
        binary: Format,
    ) -> Result<Destination, Failure> {
        let named_json = || {
            let extension = out.and_then(Path::extension);
            extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
        };
        let (format, extension) = match format {
            Some(FormatArg::Json) => (Format::Json, "json"),
            None if named_json() => (Format::Json, "json"),
            Some(FormatArg::Bin) | None => (binary, "bin"),
        };
        let path = match out {
            Some(path) if path.as_os_str() == "-" => None,
            Some(path) => Some(path.to_path_buf()),
            None => Some(Path::new("certificates").join(format!("{stem}.{extension}"))),
        };
        if let Some(folder) = path
            .as_ref()
            .filter(|path| path.to_string_lossy().ends_with('/'))
        {
            let reason = format!("{} is a folder; name a file in it", shown_path(folder));
            return Err(Failure::Error(reason));
        }
        if path
            .as_ref()
            .is_some_and(|path| path.to_string_lossy().ends_with(".run.json"))
        {
            let reason =
                "a name that ends in .run.json is for the cost of a run, not for a certificate";
            return Err(Failure::Error(reason.to_owned()));
        }
        Ok(Destination { format, path })
    }

    /// The folder of the tables that the certificate rests on: the one that was given, or where the
    /// certificate goes.
    pub(crate) fn children_folder(&self, children: Option<&Path>) -> Result<PathBuf, Failure> {
        children.map(existing_folder).transpose()?;
        let beside = || self.path.as_deref().and_then(Path::parent);
        let folder = children.or_else(beside);
        Ok(folder.unwrap_or(Path::new("certificates")).to_path_buf())
    }

    /// Refuses to begin what could not be written in the end: the work would be lost. A certificate with a
    /// claim that the run may come to may be there already.
    pub(crate) fn check(&self, may_be: impl Fn(&str) -> bool, force: bool) -> Result<(), Failure> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let wrong = |what: &str| Err(Failure::Error(format!("{} {what}", shown_path(path))));
        if path.exists() && !path.is_file() {
            return wrong("is not a regular file; use `-` for standard output");
        }
        let holds_the_claim = path.exists()
            && read_certificate(path).is_ok_and(|certificate| may_be(&certificate.claim));
        if path.exists() && !force && !holds_the_claim {
            return wrong(
                "holds something else; use --force to replace it, or choose another name",
            );
        }
        match can_write_beside(path) {
            // Nothing will have to be written, most likely.
            Err(_) if holds_the_claim && !force => Ok(()),
            tried => tried.map_err(|error| {
                Failure::context(&format!("cannot write {}", shown_path(path)), &error)
            }),
        }
    }

    /// The path for people.
    pub(crate) fn shown(&self) -> String {
        self.path.as_deref().map_or("-".to_owned(), shown_path)
    }

    /// This place, or if something else is there that is not to be replaced, one beside it that is named after the id, and what to say
    /// of it: for runs that cannot know before their end whether they come to the same.
    pub(crate) fn or_spare(self, sealed: &Sealed, force: bool) -> (Destination, Option<String>) {
        let Some(path) = &self.path else {
            return (self, None);
        };
        let is_taken = !force
            && path.is_file()
            && std::fs::read(path).is_ok_and(|bytes| bytes != sealed.bytes());
        if !is_taken {
            return (self, None);
        }
        let extension = path
            .extension()
            .map_or("", |text| text.to_str().unwrap_or(""));
        let id = sealed.id().to_string();
        let name = format!("{}.{extension}", &id["sha256:".len()..][..16]);
        let spare = path.with_extension(name);
        let text = format!(
            "{} holds something else; what was found is in {}; use --force to replace the other, or choose another name",
            shown_path(path),
            shown_path(&spare)
        );
        let format = self.format;
        let path = Some(spare);
        (Destination { format, path }, Some(text))
    }

    /// Puts a certificate where it goes, and the record of its cost beside a file. `None` if the reader of
    /// standard output left before it had the certificate.
    pub(crate) fn deliver(
        &self,
        sealed: &Sealed,
        cost: &Cost,
        force: bool,
        stdout: &mut Output,
    ) -> Result<Option<Written>, Failure> {
        let Some(path) = &self.path else {
            stdout.bytes(sealed.bytes())?;
            stdout.flush()?;
            return Ok((!stdout.is_closed()).then_some(Written::New));
        };
        let written = shelf::write_certificate(path, sealed.bytes(), force)?;
        cost.write(path, sealed.claim(), sealed.id())?;
        Ok(Some(written))
    }

    /// Says what was delivered: claim, certificate and id.
    pub(crate) fn print(
        &self,
        sealed: &Sealed,
        written: Written,
        report: &mut Output,
    ) -> Result<(), Failure> {
        let note = match written {
            Written::Unchanged => " (unchanged)",
            Written::New => "",
        };
        let bytes = sealed.bytes().len() as u64;
        self.print_lines(sealed.claim(), bytes, note, sealed.id(), report)
    }

    /// The lines about a certificate.
    pub(crate) fn print_lines(
        &self,
        claim: &str,
        bytes: u64,
        note: &str,
        id: Id,
        report: &mut Output,
    ) -> Result<(), Failure> {
        report.line("")?;
        report.line(&format!("claim        {claim}"))?;
        let (shown, bytes) = (self.shown(), grouped(bytes));
        report.line(&format!("certificate  {shown}, {bytes} bytes{note}"))?;
        report.line(&format!("id           {id}"))
    }
}

/// The folder of tables that was given. A slip in its name would cost the work of solving the tables again.
pub(crate) fn existing_folder(folder: &Path) -> Result<&Path, Failure> {
    match folder.is_dir() {
        true => Ok(folder),
        false => Err(Failure::Error(format!(
            "{} is not a folder; make it first if the tables are to go there",
            shown_path(folder)
        ))),
    }
}

/// What a certificate cost.
pub(crate) struct Cost {
    /// Since the beginning.
    pub(crate) clock: Clock,
    /// As they were asked for.
    pub(crate) threads: Threads,
    /// Processor seconds of the refinement alone, if there was one.
    pub(crate) refinement_seconds: Option<f64>,
}

impl Cost {
    /// Writes what a certificate cost beside it.
    pub(crate) fn write(&self, path: &Path, claim: &str, id: Id) -> Result<(), Failure> {
        let record = RunRecord {
            dchess: env!("CARGO_PKG_VERSION"),
            claim,
            id: id.to_string(),
            threads: self.threads.count(),
            wall_seconds: self.clock.wall_seconds(),
            cpu_seconds: self.clock.cpu_seconds(),
            refinement_cpu_seconds: self.refinement_seconds,
            peak_rss_bytes: cost::peak_rss_bytes(),
            platform: cost::platform(),
        };
        let mut text = serde_json::to_vec_pretty(&record)
            .map_err(|error| Failure::context("cannot write the cost of the run", &error))?;
        text.push(b'\n');
        artifact::write_record(&record_path(path), &text);
        Ok(())
    }
}

/// Where the record of a certificate goes: `X.run.json` beside `X.bin` and `X.json`.
pub(crate) fn record_path(path: &Path) -> PathBuf {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let mut name = match extension {
        Some("bin" | "json") => path.with_extension(""),
        _ => path.to_path_buf(),
    }
    .into_os_string();
    name.push(".run.json");
    PathBuf::from(name)
}
