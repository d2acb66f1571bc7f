//! A session: certificates verified one after the other, so that each can rest on those before it.
//!
//! What a verified table gives to its parents is the byte of each of its states. A session keeps them under the id of
//! the certificate until it is told to forget them. It never takes a table for a child by its claim alone: the id has
//! to be the one that the parent names.
//!
//! Source: `docs/certificate-format.md`, *What a checker must establish*.

use std::collections::{BTreeMap, BTreeSet};

use super::states::States;
use super::{Body, Certificate, Checked, Child, Id, Refusal, table};

/// Certificates that were verified together.
#[derive(Default)]
pub struct Session {
    tables: Tables,
}

/// The verified tables.
#[derive(Default)]
pub(super) struct Tables(BTreeMap<Id, States>);

impl Tables {
    /// The states of the table with an id.
    pub(super) fn states_of(&self, id: Id) -> Option<&States> {
        self.0.get(&id)
    }

    /// The id of the table with a claim. (There is one at most: all of a payload follows from its claim.)
    pub(super) fn id_of(&self, claim: &str) -> Option<Id> {
        let mut tables = self.0.iter();
        let (id, _) = tables.find(|(_, states)| states.material.claim() == claim)?;
        Some(*id)
    }
}

#[cfg(test)]
impl Tables {
    /// One table.
    pub(super) fn of_one(id: Id, states: States) -> Tables {
        Tables(BTreeMap::from([(id, states)]))
    }
}

impl Session {
    /// A session in which nothing has been verified.
    pub fn new() -> Session {
        Session::default()
    }

    /// Establishes the claim of a certificate from its witnesses and the certificates verified before.
    ///
    /// # Errors
    ///
    /// As those of [`verify`](super::verify()).
    pub fn verify(&mut self, certificate: &Certificate) -> Result<Checked, Refusal> {
        let (claim, children) = (&certificate.claim, &certificate.children);
        let checked = match &certificate.body {
            Body::EndgameTable(table) => table::check(claim, children, table, &self.tables),
        };
        let (checked, states) = checked.map_err(|refusal| refusal.of(certificate.id))?;
        self.tables.0.insert(certificate.id, states);
        Ok(checked)
    }

    /// Forgets what was verified under an id, and frees its memory.
    ///
    /// A parent verified later is declined; so may be a parent of its parents, whose longest line may lead into it.
    pub fn forget(&mut self, id: &Id) {
        self.tables.0.remove(id);
    }
}

/// An order in which to verify certificates, of which the ids and the children are given: children before parents, and
/// otherwise as they stand.
///
/// Every index is in it once, whatever the children are. Of several certificates with one id the first counts as the
/// child; where children are parents of their parents, the first that is left comes next.
pub fn order(certificates: &[(Id, Vec<Child>)]) -> Vec<usize> {
    let mut first: BTreeMap<Id, usize> = BTreeMap::new();
    for (index, (id, _)) in certificates.iter().enumerate() {
        first.entry(*id).or_insert(index);
    }
    // For each certificate how many of its children are still to come, and those that wait for it.
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); certificates.len()];
    let mut to_come: Vec<usize> = Vec::with_capacity(certificates.len());
    for (index, (_, children)) in certificates.iter().enumerate() {
        let children = children.iter().filter_map(|child| first.get(&child.id));
        let children: BTreeSet<usize> = children.copied().filter(|&child| child != index).collect();
        to_come.push(children.len());
        for child in children {
            if let Some(parents) = waiting.get_mut(child) {
                parents.push(index);
            }
        }
    }
    let mut left: BTreeSet<usize> = (0..certificates.len()).collect();
    let is_ready = |to_come: &[usize], index: usize| to_come.get(index) == Some(&0);
    let mut ready: BTreeSet<usize> = left
        .iter()
        .copied()
        .filter(|&index| is_ready(&to_come, index))
        .collect();
    let mut order = Vec::with_capacity(certificates.len());
    while let Some(next) = ready.pop_first().or_else(|| left.first().copied()) {
        left.remove(&next);
        order.push(next);
        for &parent in waiting.get(next).into_iter().flatten() {
            if let Some(count) = to_come.get_mut(parent) {
                *count = count.saturating_sub(1);
            }
            if is_ready(&to_come, parent) && left.contains(&parent) {
                ready.insert(parent);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> Id {
        Id::from_bytes([number; 32])
    }

    fn ordered(certificates: &[(u8, &[u8])]) -> Vec<usize> {
        let child = |&number: &u8| Child {
            claim: String::new(),
            id: id(number),
        };
        let certificates: Vec<_> = certificates
            .iter()
            .map(|(number, children)| (id(*number), children.iter().map(child).collect()))
            .collect();
        order(&certificates)
    }

    #[test]
    fn children_come_before_their_parents() {
        assert!(ordered(&[]).is_empty());
        assert_eq!(ordered(&[(1, &[]), (2, &[]), (3, &[1])]), [0, 1, 2]);
        assert_eq!(ordered(&[(1, &[2, 3, 3]), (2, &[3]), (3, &[9])]), [2, 1, 0]);
        assert_eq!(ordered(&[(1, &[3]), (2, &[]), (3, &[])]), [1, 2, 0]);
    }

    #[test]
    fn cycles_and_duplicates_are_no_trouble() {
        assert_eq!(ordered(&[(1, &[1])]), [0]);
        assert_eq!(ordered(&[(1, &[2]), (2, &[1]), (3, &[])]), [2, 0, 1]);
        assert_eq!(
            ordered(&[(1, &[2]), (1, &[2]), (2, &[1]), (2, &[])]),
            [3, 0, 2, 1]
        );
        let chain: Vec<(Id, Vec<Child>)> = (0..100_000_u32)
            .map(|n| {
                let id = |n: u32| Id::of_content(1, 1, &n.to_le_bytes());
                let claim = String::new();
                (
                    id(n),
                    vec![Child {
                        claim,
                        id: id(n + 1),
                    }],
                )
            })
            .collect();
        assert!(order(&chain).into_iter().eq((0..100_000).rev()));
    }
}
