//! A session: certificates verified one after the other, so that each can rest on the tables before it.
//!
//! What a verified table gives to what rests on it is the byte of each of its states. A session remembers the id of every
//! table that it verified, and never takes a table for a child by its claim alone: the id has to be the one that the
//! parent names.
//!
//! The bytes of all tables may be too many for the memory. So they are dropped while no table is judged that rests on them,
//! where the caller has said how to read the certificate once more, and read again when they are wanted: that they are the
//! same bytes is known by the id.
//!
//! Source: `docs/certificate-format.md`, *What a checker must establish*.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::claim::{name_in, needed_by};
use super::states::States;
use super::{
    Body, Certificate, Checked, Child, Id, Reason, Refusal, abstraction, bisimulation, bounds,
    bundle, local_proof, mate, orderings, proof, table,
};

/// The bytes of memory for tables that nothing rests on now.
pub(super) const SPARE: usize = 40 << 20;

/// Certificates that were verified together.
#[derive(Default)]
pub struct Session {
    tables: Tables,
}

/// How to read a certificate once more.
pub type Again = Box<dyn Fn() -> Result<Certificate, Refusal> + Send + Sync>;

impl Session {
    /// A session in which nothing has been verified.
    pub fn new() -> Session {
        Session::default()
    }

    /// Establishes the claim of a certificate from its witnesses and the certificates verified before. The session keeps
    /// a copy of its values.
    ///
    /// # Errors
    ///
    /// As those of [`verify`](super::verify()).
    pub fn verify(&mut self, certificate: &Certificate) -> Result<Checked, Refusal> {
        self.judge(certificate.clone(), None)
    }

    /// Does what [`Session::verify`] does, without a copy. If it is told how to read the certificate once more, the
    /// session does not keep the values longer than it has to.
    ///
    /// # Errors
    ///
    /// As those of [`verify`](super::verify()).
    pub fn judge(
        &mut self,
        certificate: Certificate,
        again: Option<Again>,
    ) -> Result<Checked, Refusal> {
        let Certificate {
            id,
            claim,
            children,
            body,
            ..
        } = certificate;
        match body {
            Body::EndgameTable(table) => {
                let checked = table::check(&claim, children, table, &mut self.tables);
                let (checked, states) = checked.map_err(|refusal| refusal.of(id))?;
                self.tables.insert(id, claim, states, again);
                Ok(checked)
            }
            // Nothing rests on a bisimulation.
            Body::Bisimulation(stored) => {
                let checked = bisimulation::check(&claim, children, &stored, &mut self.tables);
                checked.map_err(|refusal| refusal.of(id))
            }
            // Nor on bounds.
            Body::Bounds(stored) => {
                let checked = bounds::check(&claim, children, &stored, &mut self.tables);
                checked.map_err(|refusal| refusal.of(id))
            }
            // Nor on an abstraction.
            Body::Abstraction(stored) => {
                let checked = abstraction::check(&claim, children, &stored, &mut self.tables);
                checked.map_err(|refusal| refusal.of(id))
            }
            // Nor on a local proof.
            Body::LocalProof(stored) => {
                let checked = local_proof::check(&claim, &children, &stored, &mut self.tables);
                checked.map_err(|refusal| refusal.of(id))
            }
            // Nor on a proof, which may rest on tables of any classes.
            Body::Proof(stored) => {
                let checked = proof::check(&claim, &children, &stored, &mut self.tables);
                checked.map_err(|refusal| refusal.of(id))
            }
            // A mate rests on no table either.
            Body::Mate(stored) => {
                let checked = mate::check(&claim, &stored);
                checked.map_err(|refusal| refusal.of(id))
            }
            // Nor do orderings.
            Body::Orderings(stored) => {
                let checked = orderings::check(&claim, &stored);
                checked.map_err(|refusal| refusal.of(id))
            }
            // The mates of a bundle were judged when they were read.
            Body::Bundle(bundle) => {
                let checked = bundle::check(&claim, &bundle);
                checked.map_err(|refusal| refusal.of(id))
            }
        }
    }

    /// Takes over what was verified in another session.
    pub fn join(&mut self, other: Session) {
        let Tables { tables, requests } = other.tables;
        self.tables.tables.extend(tables);
        self.tables.requests = self.tables.requests.max(requests);
    }

    /// Drops what the certificate with this claim does not rest on, as far as it can be read again and needs more than a
    /// little memory. This is for before that certificate is read.
    pub fn make_room_for(&mut self, claim: &str) {
        let needed = needed_by(claim);
        let is_needed = |claim: &str| needed.contains(claim);
        self.tables.drop_except(is_needed, SPARE);
    }
}

/// The verified tables.
#[derive(Default)]
pub(super) struct Tables {
    tables: BTreeMap<Id, Table>,
    /// How often a table was asked for.
    requests: u64,
}

/// A verified table.
struct Table {
    claim: String,
    /// None when they were dropped.
    states: Option<Arc<States>>,
    again: Option<Again>,
    /// When it was last asked for.
    request: u64,
}

impl Tables {
    fn insert(&mut self, id: Id, claim: String, states: Arc<States>, again: Option<Again>) {
        self.requests += 1;
        let table = Table {
            claim,
            states: Some(states),
            again,
            request: self.requests,
        };
        self.tables.insert(id, table);
    }

    /// The id of the table with a claim. (There is one at most: all of a payload follows from its claim.)
    pub(super) fn id_of(&self, claim: &str) -> Option<Id> {
        let mut tables = self.tables.iter();
        let (id, _) = tables.find(|(_, table)| table.claim == claim)?;
        Some(*id)
    }

    /// The states of a child, read again if they were dropped.
    ///
    /// # Errors
    ///
    /// [`Reason::MissingChildren`] if it was not verified, or cannot be read again as it was.
    pub(super) fn states_of(&mut self, child: &Child) -> Result<Arc<States>, Refusal> {
        let missing = || Refusal::new(Reason::MissingChildren, name_in(&child.claim));
        let table = self.tables.get_mut(&child.id).ok_or_else(missing)?;
        self.requests += 1;
        table.request = self.requests;
        if let Some(states) = &table.states {
            return Ok(states.clone());
        }
        let again = table.again.as_ref().and_then(|again| again().ok());
        let again = again.filter(|certificate| certificate.id == child.id);
        let Some(Certificate {
            claim,
            children,
            body: Body::EndgameTable(content),
            ..
        }) = again
        else {
            return Err(missing());
        };
        let states = Arc::new(table::states_of(&claim, children, content)?);
        table.states = Some(states.clone());
        Ok(states)
    }

    /// Drops the states of tables that can be read again and whose claim is not needed, until those that are left need no
    /// more than some bytes. Those asked for last are left.
    pub(super) fn drop_except(&mut self, is_needed: impl Fn(&str) -> bool, bytes: usize) {
        let tables = self.tables.values_mut();
        let mut spare: Vec<&mut Table> = tables
            .filter(|table| table.again.is_some() && !is_needed(&table.claim))
            .collect();
        spare.sort_unstable_by_key(|table| std::cmp::Reverse(table.request));
        let mut size = 0_usize;
        for table in spare {
            size = size.saturating_add(table.states.as_ref().map_or(0, |states| states.size()));
            if size > bytes {
                table.states = None;
            }
        }
    }
}

#[cfg(test)]
impl Tables {
    /// One table.
    pub(super) fn of_one(id: Id, states: States) -> Tables {
        let mut tables = Tables::default();
        tables.add(id, states);
        tables
    }

    /// Adds a table as if it had been verified.
    pub(super) fn add(&mut self, id: Id, states: States) {
        self.insert(id, states.material.claim(), Arc::new(states), None);
    }
}

#[cfg(test)]
impl Session {
    /// The verified tables.
    pub(super) fn tables_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::super::Encoding;
    use super::super::claim::material_of_endgame;
    use super::*;

    #[test]
    fn dropped_tables_are_read_again_and_must_be_the_same() {
        let certificate = Certificate::example(Encoding::Json);
        let child = Child {
            claim: certificate.claim.clone(),
            id: certificate.id,
        };
        let other = Certificate {
            id: Id::from_bytes([1; 32]),
            ..certificate.clone()
        };
        let unreadable = || Refusal::new(Reason::Unreadable, "gone");
        let missing = Refusal::new(Reason::MissingChildren, "KQK");
        let reading = Arc::new(AtomicUsize::new(0));
        let readings = reading.clone();
        let again = move || match readings.fetch_add(1, Relaxed) {
            1 => Ok(other.clone()),
            2 => Err(unreadable()),
            _ => Ok(certificate.clone()),
        };
        let states = || {
            let material = material_of_endgame("endgame KQK board dtm").unwrap();
            Arc::new(States::of(&material, Vec::new()).0)
        };
        let mut tables = Tables::default();
        let claim = child.claim.clone();
        tables.insert(child.id, claim.clone(), states(), Some(Box::new(again)));
        let size = states().size();
        // What is kept is not read.
        tables.drop_except(|_| true, 0);
        tables.drop_except(|_| false, size);
        assert!(tables.states_of(&child).is_ok());
        assert_eq!(reading.load(Relaxed), 0);
        for (count, is_good) in [(1, true), (2, false), (3, false), (4, true)] {
            tables.drop_except(|_| false, size - 1);
            let found = tables.states_of(&child).map(|_| ());
            assert_eq!(
                found,
                if is_good {
                    Ok(())
                } else {
                    Err(missing.clone())
                }
            );
            assert_eq!(reading.load(Relaxed), count);
            assert_eq!(tables.id_of(&claim), Some(child.id));
        }
        // What cannot be read again is not dropped.
        let mut tables = Tables::of_one(child.id, States::of(&states().material, Vec::new()).0);
        tables.drop_except(|_| false, 0);
        assert!(tables.states_of(&child).is_ok());
        let unknown = Child {
            id: Id::from_bytes([2; 32]),
            ..child
        };
        assert_eq!(tables.states_of(&unknown).err(), Some(missing));
    }

    #[test]
    fn room_is_made_for_a_bisimulation_but_not_for_its_children() {
        let mut session = Session::new();
        for (number, name) in [(1, "KQK"), (2, "KBK")] {
            let claim = format!("endgame {name} board dtm");
            let material = material_of_endgame(&claim).unwrap();
            let (mut states, _) = States::of(&material, Vec::new());
            // More than what is spared.
            states.set_values(vec![0; SPARE + 1], Vec::new());
            let again: Again = Box::new(|| Err(Refusal::new(Reason::Unreadable, "gone")));
            let id = Id::from_bytes([number; 32]);
            session
                .tables
                .insert(id, claim, Arc::new(states), Some(again));
        }
        let kept = |session: &Session| {
            let kept = session
                .tables
                .tables
                .values()
                .map(|table| table.states.is_some());
            kept.collect::<Vec<_>>()
        };
        session.make_room_for("bisimulation KPK board relative to child values");
        assert_eq!(kept(&session), [true, false]);
        session.make_room_for("bisimulation KRK board");
        assert_eq!(kept(&session), [false, false]);
    }

    #[test]
    fn those_asked_for_last_are_kept() {
        let mut tables = Tables::default();
        let mut children = Vec::new();
        for (number, name) in [(1, "KQK"), (2, "KRK"), (3, "KBK")] {
            let claim = format!("endgame {name} board dtm");
            let material = material_of_endgame(&claim).unwrap();
            let id = Id::from_bytes([number; 32]);
            let states = Arc::new(States::of(&material, Vec::new()).0);
            let again: Again = Box::new(|| Err(Refusal::new(Reason::Unreadable, "gone")));
            tables.insert(id, claim.clone(), states, Some(again));
            children.push(Child { claim, id });
        }
        assert!(tables.states_of(&children[0]).is_ok());
        let kept = |tables: &Tables| {
            let kept = tables.tables.values().map(|table| table.states.is_some());
            kept.collect::<Vec<_>>()
        };
        let size = tables.states_of(&children[0]).unwrap().size();
        tables.drop_except(|_| false, 2 * size);
        assert_eq!(kept(&tables), [true, false, true]);
        tables.drop_except(|claim| claim.contains("KBK"), 0);
        assert_eq!(kept(&tables), [false, false, true]);
    }
}
