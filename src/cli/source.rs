//! What positions are looked up in: a table and those that it rests on, of which only the bytes that are
//! asked for are read.
//!
//! A table is opened when the first position of its class is met, and used only if it has the id that
//! the tables above it name; that costs one reading of its payload. What was verified is
//! held in memory, so that what is answered is what was checked.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use dchess::certificate::endgame_claim;
use dchess::endgame::{Library, Material, TableBytes};
use dchess::verify::{Body, Child, EndgameTable, Id, Outline, Reason, Refusal};

use super::failure::Failure;
use super::input::read_certificate;
use super::output::shown_path;
use super::plan::closure;
use super::table::{Table, beside, class_of, refused};

/// A table and those that it rests on, ready to be asked.
pub(crate) struct Source {
    /// The class of the table.
    pub(crate) material: Material,
    /// The tables.
    pub(crate) library: Library,
    /// Whether they were checked.
    pub(crate) is_verified: bool,
}

impl Source {
    /// Opens a table and, if wanted, checks it together with the tables that it rests on.
    ///
    /// # Errors
    ///
    /// [`Failure::DoesNotHold`] if the check refutes it; otherwise why it cannot be used.
    pub(crate) fn open(path: &Path, verify: bool) -> Result<Source, Failure> {
        let outline = match verify {
            true => None,
            false => outline(path)?,
        };
        let (material, children, bytes): (_, _, Box<dyn TableBytes>) = match outline {
            Some(outline) => (
                class_of(path, &outline.claim)?,
                outline.children.clone(),
                Box::new(OnDisk(outline)),
            ),
            None => {
                let table = Table::open(path, verify)?;
                let Table {
                    material,
                    children,
                    body,
                    ..
                } = table;
                (material, children, Box::new(InMemory(body)))
            }
        };
        Ok(Source {
            library: library(path, &material, &children, bytes, verify),
            material,
            is_verified: verify,
        })
    }
}

/// The outline of a certificate; `None` if it has to be read whole: a JSON text, or no regular file.
fn outline(path: &Path) -> Result<Option<Outline<File>>, Failure> {
    if !path.is_file() {
        return Ok(None);
    }
    let file = File::open(path)
        .map_err(|error| Failure::context(&format!("cannot read {}", shown_path(path)), &error))?;
    match Outline::open(file) {
        Ok(outline) => Ok(Some(outline)),
        Err(refusal) if refusal.reason == Reason::NotACertificate => Ok(None),
        Err(refusal) => Err(refused(path, &refusal, false)),
    }
}

/// The library of a table and those that it rests on.
fn library(
    path: &Path,
    material: &Material,
    children: &[Child],
    bytes: Box<dyn TableBytes>,
    in_memory: bool,
) -> Library {
    let mut library = Library::new();
    let named = Named::default();
    named.add(children);
    for class in closure(material) {
        let (path, named, claim) = (beside(path, &class), named.clone(), endgame_claim(&class));
        library.insert_packed(&class, move || named.open(&path, &claim, in_memory));
    }
    // The table itself is open; it is asked for once.
    let bytes = Mutex::new(Some(bytes));
    library.insert_packed(material, move || {
        let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.take().ok_or_else(|| "it is open already".to_owned())
    });
    library
}

/// The ids that the tables opened so far name, by claim.
#[derive(Clone, Default)]
struct Named(Arc<Mutex<BTreeMap<String, Id>>>);

impl Named {
    /// Remembers the children of a table. (All true tables name the same ones.)
    fn add(&self, children: &[Child]) {
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for child in children {
            ids.entry(child.claim.clone()).or_insert(child.id);
        }
    }

    /// Opens the table with a claim, if it is the one that is named.
    fn open(
        &self,
        path: &Path,
        claim: &str,
        in_memory: bool,
    ) -> Result<Box<dyn TableBytes>, String> {
        let ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let named = ids.get(claim).copied();
        drop(ids);
        let named = named.ok_or("no certificate that leads there names it")?;
        let unreadable = |refusal: Refusal| format!("{}: {refusal}", shown_path(path));
        if !path.exists() {
            return Err(format!("{} is not there", shown_path(path)));
        }
        let (id, children, bytes): (_, _, Box<dyn TableBytes>) = if in_memory {
            let certificate = read_certificate(path).map_err(unreadable)?;
            let Body::EndgameTable(table) = certificate.body else {
                return Err(format!("{} holds no table", shown_path(path)));
            };
            (
                certificate.id,
                certificate.children,
                Box::new(InMemory(table)),
            )
        } else {
            let file =
                File::open(path).map_err(|error| format!("{}: {error}", shown_path(path)))?;
            let mut outline = Outline::open(file).map_err(unreadable)?;
            let id = outline.id().map_err(unreadable)?;
            (id, outline.children.clone(), Box::new(OnDisk(outline)))
        };
        if id != named {
            return Err(format!("{} is not the table {named}", shown_path(path)));
        }
        self.add(&children);
        Ok(bytes)
    }
}

/// A table in a file, of which only the blocks are read that are asked for.
struct OnDisk(Outline<File>);

impl TableBytes for OnDisk {
    fn start(&mut self, place: u64) -> Result<Option<u64>, String> {
        self.0.start(place).map_err(|refusal| refusal.to_string())
    }

    fn value(&mut self, number: u64) -> Result<Option<u8>, String> {
        self.0.value(number).map_err(|refusal| refusal.to_string())
    }
}

/// A table that was read whole.
struct InMemory(EndgameTable);

impl TableBytes for InMemory {
    fn start(&mut self, place: u64) -> Result<Option<u64>, String> {
        let start = usize::try_from(place)
            .ok()
            .and_then(|place| self.0.starts.get(place));
        Ok(start.copied())
    }

    fn value(&mut self, number: u64) -> Result<Option<u8>, String> {
        let value = usize::try_from(number)
            .ok()
            .and_then(|number| self.0.values.get(number));
        Ok(value.copied())
    }
}
