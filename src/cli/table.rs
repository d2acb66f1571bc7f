//! A table that a command was given: the certificate of a class, and the tables beside it that it
//! rests on.
//!
//! Captures and promotions are looked up in the tables that the certificate names by their ids, if
//! they stand in its folder as `CLASS.bin`.

use std::path::{Path, PathBuf};

use dchess::certificate::endgame_claim;
use dchess::endgame::{Library, Material};
use dchess::verify::{Body, Certificate, Child, EndgameTable, Refusal, Session, Verdict};

use super::failure::Failure;
use super::input::read_certificate;
use super::output::{one_line, shown_path};
use super::plan::closure;

/// The table of a class, as its certificate has it.
pub(crate) struct Table {
    /// The class.
    pub(crate) material: Material,
    /// Whether the certificate was checked, with all that it rests on.
    pub(crate) is_verified: bool,
    /// The certificates that it names.
    pub(crate) children: Vec<Child>,
    /// Everything else that it says.
    pub(crate) body: EndgameTable,
    path: PathBuf,
}

impl Table {
    /// Reads a table and, if wanted, checks it together with the tables that it rests on.
    ///
    /// # Errors
    ///
    /// [`Failure::DoesNotHold`] if the check refutes it; otherwise why it cannot be used.
    pub(crate) fn open(path: &Path, verify: bool) -> Result<Table, Failure> {
        let certificate =
            read_certificate(path).map_err(|refusal| refused(path, &refusal, verify))?;
        let material = class_of(path, &certificate.claim)?;
        if verify {
            verify_with_children(&certificate, &material, path)
                .map_err(|(file, refusal)| refused(&file, &refusal, true))?;
        }
        let Body::EndgameTable(body) = certificate.body else {
            return Err(Failure::Error(format!(
                "{} holds no table",
                shown_path(path)
            )));
        };
        Ok(Table {
            material,
            is_verified: verify,
            path: path.to_path_buf(),
            children: certificate.children,
            body,
        })
    }

    /// The byte of every canonical state, in canonical order.
    pub(crate) fn values(&self) -> &[u8] {
        &self.body.values
    }

    /// The byte of every canonical en-passant state, in canonical order.
    pub(crate) fn en_passant_values(&self) -> &[u8] {
        let en_passant = self.body.en_passant.as_ref();
        en_passant.map_or(&[], |en_passant| &en_passant.values)
    }

    /// Its values and those of the tables beside it that one move leads into; and for each of these
    /// that cannot be used, what is wrong with it.
    ///
    /// # Errors
    ///
    /// If the certificate has not one value for each state.
    pub(crate) fn library(&self) -> Result<(Library, Vec<String>), Failure> {
        let mut library = Library::new();
        if !library.insert(&self.material, self.values()) {
            return Err(self.wrong_number());
        }
        let mut lacking = Vec::new();
        for class in self.material.children() {
            let inserted = self.child(&class).and_then(|certificate| {
                let Body::EndgameTable(table) = certificate.body else {
                    return Err(format!(
                        "{} holds no table",
                        shown_path(&beside(&self.path, &class))
                    ));
                };
                let is_whole = library.insert(&class, &table.values);
                is_whole.then_some(()).ok_or_else(|| {
                    let file = shown_path(&beside(&self.path, &class));
                    format!("{file} does not have one value for each state")
                })
            });
            lacking.extend(inserted.err());
        }
        Ok((library, lacking))
    }

    /// The failure of a table that has not one value for each state.
    pub(crate) fn wrong_number(&self) -> Failure {
        Failure::Error(format!(
            "{} does not have one value for each state of {}",
            shown_path(&self.path),
            self.material
        ))
    }

    /// The table of a class that this one rests on, or what is wrong with it.
    fn child(&self, class: &Material) -> Result<Certificate, String> {
        let path = beside(&self.path, class);
        let file = shown_path(&path);
        let claim = endgame_claim(class);
        let named = self.children.iter().find(|named| named.claim == claim);
        let named = named.ok_or_else(|| format!("the certificate names no table of {class}"))?;
        if !path.exists() {
            return Err(format!("{file} is not there"));
        }
        let child = read_certificate(&path).map_err(|refusal| format!("{file}: {refusal}"))?;
        if child.id == named.id {
            Ok(child)
        } else {
            Err(format!("{file} is not the table {}", named.id))
        }
    }
}

/// The failure of a table that is refused. A refutation that was asked for is an answer.
pub(crate) fn refused(path: &Path, refusal: &Refusal, verify: bool) -> Failure {
    let verdict = refusal.reason.verdict();
    let text = format!("{}: {verdict} {refusal}", shown_path(path));
    match verdict {
        Verdict::Refuted if verify => Failure::DoesNotHold(text),
        _ => Failure::Error(text),
    }
}

/// The class that the certificate in a file is about.
///
/// # Errors
///
/// If its claim is about something else.
pub(crate) fn class_of(path: &Path, claim: &str) -> Result<Material, Failure> {
    let name = claim
        .strip_prefix("endgame ")
        .and_then(|rest| rest.strip_suffix(" board dtm"));
    name.and_then(|name| name.parse().ok())
        .filter(|material| claim == endgame_claim(material))
        .ok_or_else(|| {
            let (file, claim) = (shown_path(path), one_line(claim));
            Failure::Error(format!(
                "{file} holds no table to look at: its claim is `{claim}`"
            ))
        })
}

/// Where the table of a class stands that a certificate rests on.
pub(crate) fn beside(certificate: &Path, class: &Material) -> PathBuf {
    let folder = certificate.parent().unwrap_or(Path::new(""));
    folder.join(format!("{class}.bin"))
}

/// Verifies a table after the tables that it rests on, which stand in the same folder. A refusal comes
/// with the file that it is about.
fn verify_with_children(
    certificate: &Certificate,
    material: &Material,
    path: &Path,
) -> Result<(), (PathBuf, Refusal)> {
    let mut session = Session::new();
    for class in closure(material) {
        let child = beside(path, &class);
        if class == *material || !child.exists() {
            continue;
        }
        session.make_room_for(&endgame_claim(&class));
        let file = child.clone();
        let again = Box::new(move || read_certificate(&file));
        let verified = read_certificate(&child).and_then(|read| session.judge(read, Some(again)));
        verified.map_err(|refusal| (child, refusal))?;
    }
    session.make_room_for(&certificate.claim);
    let verified = session.verify(certificate);
    verified.map_err(|refusal| (path.to_path_buf(), refusal))?;
    Ok(())
}
