//! The folder of finished tables: children are taken from it if they hold, and put into it when they
//! are solved.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dchess::certificate::{Format, Id, Sealed, endgame_claim};
use dchess::endgame::{Endgame, Library, Material};
use dchess::verify::{Body, Session};

use super::artifact;
use super::failure::Failure;
use super::input::read_certificate;
use super::output::shown_path;
use super::progress::Progress;

/// Finished tables, by class.
pub(crate) struct Shelf {
    folder: PathBuf,
    session: Session,
    library: Library,
    ids: BTreeMap<Material, Id>,
    /// Classes that a table found in the folder rests on: they are verified even if they were solved
    /// just now.
    rested_on: BTreeSet<Material>,
}

impl Shelf {
    /// The tables in a folder that the classes, children before parents, will need.
    pub(crate) fn new(folder: PathBuf, classes: &[Material]) -> Shelf {
        let mut rested_on = BTreeSet::new();
        for class in classes.iter().rev() {
            if rested_on.contains(class) || path_in(&folder, class).exists() {
                rested_on.extend(class.children());
            }
        }
        Shelf {
            folder,
            session: Session::new(),
            library: Library::new(),
            ids: BTreeMap::new(),
            rested_on,
        }
    }

    /// Where the table of a class stands.
    pub(crate) fn path(&self, class: &Material) -> PathBuf {
        path_in(&self.folder, class)
    }

    /// Makes the values of a class available: from its table if there is one, else by solving it and
    /// writing the table.
    pub(crate) fn provide(&mut self, class: &Material, progress: &Progress) -> Result<(), Failure> {
        let path = self.path(class);
        if path.exists() {
            return self.load(class, &path);
        }
        let endgame = self.solve(class, progress)?;
        let sealed = self.seal(&endgame, format_of(class))?;
        artifact::write_certificate(&path, sealed.bytes(), false)?;
        self.ids.insert(class.clone(), sealed.id());
        if self.rested_on.contains(class) {
            self.verify(class, &path)?;
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

    fn load(&mut self, class: &Material, path: &Path) -> Result<(), Failure> {
        let (id, values) = self.verify(class, path)?;
        if !self.library.insert(class, &values) {
            return Err(Failure::Error(format!(
                "{} does not hold the states of {class}",
                shown_path(path)
            )));
        }
        self.ids.insert(class.clone(), id);
        Ok(())
    }

    /// Verifies the table of a class: its id and values.
    fn verify(&mut self, class: &Material, path: &Path) -> Result<(Id, Vec<u8>), Failure> {
        let unusable = |refusal: dchess::verify::Refusal| {
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
        self.session.verify(&certificate).map_err(unusable)?;
        let Body::EndgameTable(table) = certificate.body;
        Ok((Id(certificate.id.bytes()), table.values))
    }
}

fn path_in(folder: &Path, class: &Material) -> PathBuf {
    folder.join(format!("{class}.bin"))
}

/// Tables of more than three men are compressed.
pub(crate) fn format_of(class: &Material) -> Format {
    if class.men().len() == 3 {
        Format::Bin
    } else {
        Format::Compressed
    }
}
