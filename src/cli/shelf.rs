//! The folder of finished tables: children are taken from it if they hold, and put into it when they
//! are solved.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dchess::certificate::{Format, Id, Sealed, endgame_claim};
use dchess::endgame::{Endgame, Library, Material};
use dchess::verify::{self, Body, Checked, Refusal, Session};
use rayon::prelude::*;

use super::artifact::{self, Written};
use super::failure::Failure;
use super::input::read_certificate;
use super::output::shown_path;
use super::place::is_same;
use super::progress::Progress;

/// Finished tables, by class.
pub(crate) struct Shelf {
    folder: PathBuf,
    session: Session,
    library: Library,
    ids: BTreeMap<Material, Id>,
    /// The classes whose tables were verified in the session.
    verified: BTreeSet<Material>,
    /// Whether tables that are solved stay in memory alone.
    is_read_only: bool,
    /// Whether tables that are solved are verified besides, for what is to be verified with them.
    verifies_all: bool,
}

impl Shelf {
    /// The tables in a folder.
    pub(crate) fn new(folder: PathBuf) -> Shelf {
        Shelf {
            folder,
            session: Session::new(),
            library: Library::new(),
            ids: BTreeMap::new(),
            verified: BTreeSet::new(),
            is_read_only: false,
            verifies_all: false,
        }
    }

    /// The tables in a folder, to which none are added.
    pub(crate) fn read_only(folder: PathBuf) -> Shelf {
        Shelf {
            is_read_only: true,
            ..Shelf::new(folder)
        }
    }

    /// The same, but with every table verified, those that are solved as well: [`Shelf::judge`] needs them.
    pub(crate) fn verifying_all(self) -> Shelf {
        Shelf {
            verifies_all: true,
            ..self
        }
    }

    /// Verifies a certificate that rests on tables of the shelf.
    pub(crate) fn judge(&mut self, sealed: &Sealed) -> Result<Checked, Refusal> {
        self.session.judge(verify::read(&mut sealed.bytes())?, None)
    }

    /// The values of all classes that have been provided or solved.
    pub(crate) const fn library(&self) -> &Library {
        &self.library
    }

    /// The id of the table of a class that has been provided or solved.
    pub(crate) fn id(&self, class: &Material) -> Option<Id> {
        self.ids.get(class).copied()
    }

    /// The classes that the folder has tables of, to judge by the names of its files.
    pub(crate) fn classes(&self) -> Result<Vec<Material>, Failure> {
        let reading = |error: io::Error| {
            Failure::context(&format!("reading {}", shown_path(&self.folder)), &error)
        };
        let mut classes = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(reading)? {
            let name = entry.map_err(reading)?.file_name();
            let class = name.to_str().and_then(|name| name.strip_suffix(".bin"));
            classes.extend(class.and_then(|class| class.parse::<Material>().ok()));
        }
        classes.sort();
        Ok(classes)
    }

    /// Where the table of a class stands.
    pub(crate) fn path(&self, class: &Material) -> PathBuf {
        self.folder.join(format!("{class}.bin"))
    }

    /// Refuses an output in the place of a table that is needed, under whatever name.
    pub(crate) fn check_output(&self, path: &Path, classes: &[Material]) -> Result<(), Failure> {
        let is_table = |class: &&Material| is_same(&self.path(class), path);
        match classes.iter().find(is_table) {
            Some(class) => Err(Failure::Error(format!(
                "{} is where the table of {class} stands or will stand; choose another name",
                shown_path(path)
            ))),
            None => Ok(()),
        }
    }

    /// Makes the values of a class available: from its table if there is one, else by solving it and
    /// writing the table.
    pub(crate) fn provide(&mut self, class: &Material, progress: &Progress) -> Result<(), Failure> {
        let path = self.path(class);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                // Nothing is added that a table could be verified with.
                if !self.is_read_only || self.has_all_below(class) {
                    return self.load(class, &path);
                }
            }
            Ok(_) => {
                let path = shown_path(&path);
                let reason = format!("the child {path} cannot be used: it is not a regular file");
                return Err(Failure::Error(reason));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let path = shown_path(&path);
                return Err(Failure::context(
                    &format!("the child {path} cannot be used"),
                    &error,
                ));
            }
        }
        let endgame = self.solve(class, progress)?;
        let sealed = self.seal(&endgame, format_of(class))?;
        if !self.is_read_only {
            write_certificate(&path, sealed.bytes(), false)?;
        }
        self.ids.insert(class.clone(), sealed.id());
        if self.verifies_all {
            self.judge(&sealed)
                .map_err(|refusal| own_fault(sealed.claim(), &refusal))?;
            self.verified.insert(class.clone());
        }
        Ok(())
    }

    /// Solves a class whose children have been provided.
    pub(crate) fn solve(
        &mut self,
        class: &Material,
        progress: &Progress,
    ) -> Result<Endgame, Failure> {
        Ok(Endgame::solve(class, &mut self.library, progress)?)
    }

    /// The certificate of a class whose children have been provided.
    pub(crate) fn seal(&self, endgame: &Endgame, format: Format) -> Result<Sealed, Failure> {
        Sealed::endgame(endgame, &self.children_of(&endgame.material), format)
            .map_err(|error| Failure::context("cannot build the certificate", &error))
    }

    /// The children of a class and their ids, as far as they have been provided.
    pub(crate) fn children_of(&self, class: &Material) -> Vec<(Material, Id)> {
        let with_id = |child: Material| self.ids.get(&child).map(|&id| (child, id));
        class.children().into_iter().filter_map(with_id).collect()
    }

    /// Makes the values of those classes available whose tables are there and rest on nothing, all at the
    /// same time. Only they can be verified without waiting for others.
    pub(crate) fn provide_leaves(&mut self, classes: &[Material]) -> Result<(), Failure> {
        let is_leaf = |class: &&Material| class.children().is_empty() && self.path(class).is_file();
        let leaves: Vec<&Material> = classes.iter().filter(is_leaf).collect();
        let verified: Vec<(Session, Id, Vec<u8>)> = leaves
            .par_iter()
            .map(|class| {
                let mut session = Session::new();
                let (id, values) = verify(class, &self.path(class), &mut session)?;
                Ok((session, id, values))
            })
            .collect::<Result<_, Failure>>()?;
        for (class, (session, id, values)) in leaves.into_iter().zip(verified) {
            self.session.join(session);
            self.verified.insert(class.clone());
            self.insert(class, id, &values)?;
        }
        Ok(())
    }

    /// Whether the tables that a class rests on, directly or not, are all in the folder.
    fn has_all_below(&self, class: &Material) -> bool {
        let is_there = |child: &Material| self.path(child).exists() && self.has_all_below(child);
        class.children().iter().all(is_there)
    }

    fn load(&mut self, class: &Material, path: &Path) -> Result<(), Failure> {
        if self.ids.contains_key(class) {
            return Ok(());
        }
        // A table is verified only together with those that it rests on, also if they were solved just now.
        for child in class.children() {
            self.verify_with_children(&child)?;
        }
        let (id, values) = self.verify(class, path)?;
        self.insert(class, id, &values)
    }

    fn insert(&mut self, class: &Material, id: Id, values: &[u8]) -> Result<(), Failure> {
        if !self.library.insert(class, values) {
            return Err(Failure::Error(format!(
                "{} does not hold the states of {class}",
                shown_path(&self.path(class))
            )));
        }
        self.ids.insert(class.clone(), id);
        Ok(())
    }

    /// Verifies the table of a class, unless that was done before.
    fn verify_with_children(&mut self, class: &Material) -> Result<(), Failure> {
        if self.verified.contains(class) {
            return Ok(());
        }
        for child in class.children() {
            self.verify_with_children(&child)?;
        }
        self.verify(class, &self.path(class))?;
        Ok(())
    }

    /// Verifies the table of a class whose children were verified: its id and values.
    fn verify(&mut self, class: &Material, path: &Path) -> Result<(Id, Vec<u8>), Failure> {
        let found = verify(class, path, &mut self.session)?;
        self.verified.insert(class.clone());
        Ok(found)
    }
}

/// The verifier does not agree with what this program has just found.
pub(crate) fn own_fault(claim: &str, refusal: &Refusal) -> Failure {
    let verdict = refusal.reason.verdict();
    Failure::Error(format!(
        "`{claim}` was found, but the check says {verdict} {refusal}; this is a fault of dchess, please report it"
    ))
}

/// Verifies the table of a class whose children were verified in the session: its id and values.
fn verify(class: &Material, path: &Path, session: &mut Session) -> Result<(Id, Vec<u8>), Failure> {
    let unusable = |refusal: Refusal| {
        let verdict = refusal.reason.verdict();
        Failure::Error(format!(
            "the child {} cannot be used: {verdict} {refusal}; remove it to have it solved again",
            shown_path(path)
        ))
    };
    let certificate = read_certificate(path).map_err(unusable)?;
    certificate
        .check_claim(&endgame_claim(class))
        .map_err(unusable)?;
    session.verify(&certificate).map_err(unusable)?;
    let Body::EndgameTable(table) = certificate.body else {
        return Err(Failure::Error(format!(
            "{} holds no table",
            shown_path(path)
        )));
    };
    Ok((Id(certificate.id.bytes()), table.values))
}

/// Writes a certificate; if another run has written the same bytes in the meantime, that is as good.
pub(crate) fn write_certificate(
    path: &Path,
    bytes: &[u8],
    force: bool,
) -> Result<Written, Failure> {
    artifact::write_certificate(path, bytes, force).or_else(|failure| match failure {
        Failure::Error(_) if fs::read(path).is_ok_and(|found| found == bytes) => {
            Ok(Written::Unchanged)
        }
        failure => Err(failure),
    })
}

/// Tables of more than three men are compressed.
pub(crate) fn format_of(class: &Material) -> Format {
    if class.men().len() == 3 {
        Format::Bin
    } else {
        Format::Compressed
    }
}
