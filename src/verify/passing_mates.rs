//! The payload of a bundle that passes: part by part, and mate by mate.
//!
//! What is wrong in it counts only if the container is good, which is known in the end. So the first fault is remembered, and
//! reading goes on: the mates may still be well formed or not, and all bytes go into the id.
//!
//! Source: `docs/certificate-format.md`, *Kind 6: bundle*.

use std::fmt::Display;

use sha2::{Digest, Sha256};

use super::blocks::BLOCK;
use super::bundle::check_number;
use super::bundle_claim::number_of_mates;
use super::certificate_kind::CertificateKind;
use super::read::{EachMate, LONGEST_PAYLOAD, VERSION};
use super::{Bundle, Checked, Id, Reason, Refusal, mate, payload};

/// The bytes that a mate takes at least: those of its length.
const SHORTEST_MATE: u64 = 8;

/// A part of the payload that is read as a whole.
#[derive(Clone, Copy)]
enum Part {
    /// What is as long as a block, or all there is: the claim is in it.
    Beginning,
    /// How many mates there are.
    Count,
    /// How long the next mate is.
    Length,
    Mate,
}

/// The payload of a bundle of which some bytes have passed.
///
/// Invariant: where it is not well formed, there is a fault. Nothing is read any more then, or when all mates have passed.
pub(super) struct PassingMates<'a> {
    each: EachMate<'a>,
    /// The id of the payload, so far.
    hash: Sha256,
    /// How long the payload is.
    length: u64,
    /// How many bytes of it are behind the part that is being read.
    left: u64,
    /// What is being read, and how many bytes it has.
    part: Option<(Part, u64)>,
    /// What has come of that part.
    bytes: Vec<u8>,
    claim: String,
    /// How many mates there are.
    mates: u64,
    /// How many have passed.
    number: u64,
    /// What was checked of those that have passed.
    checked: Checked,
    /// The first thing that is wrong.
    fault: Option<Refusal>,
    /// Whether all that has passed is well formed.
    is_well_formed: bool,
}

impl PassingMates<'_> {
    /// A payload of this length of which nothing has passed.
    pub(super) fn of(length: u64, each: EachMate) -> PassingMates {
        let beginning = length.min(BLOCK as u64);
        PassingMates {
            each,
            hash: Id::hash(VERSION, CertificateKind::Bundle.number()),
            length,
            left: length - beginning,
            part: Some((Part::Beginning, beginning)),
            bytes: Vec::new(),
            claim: String::new(),
            mates: 0,
            number: 0,
            checked: Checked {
                states: 0,
                edges: 0,
            },
            fault: None,
            is_well_formed: true,
        }
    }

    /// Takes the next bytes of the payload.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.take(bytes);
    }

    /// The id of the payload, and what is known when all of it has passed: the claim and what was found, or why it is not
    /// well formed.
    pub(super) fn end(mut self) -> (Id, Result<(String, Bundle), Refusal>) {
        // A part without bytes may be all there is.
        self.take(&[]);
        if self.part.is_some() {
            self.refuse(self.malformed("the payload is shorter than it should be"));
        }
        let is_judged = self.each.is_none();
        let content = match self.fault.map_or(Ok(self.checked), Err) {
            Err(refusal) if !self.is_well_formed => Err(refusal),
            outcome => {
                let bundle = Bundle {
                    mates: self.mates,
                    outcome: is_judged.then_some(outcome),
                };
                Ok((self.claim, bundle))
            }
        };
        (Id::of_hash(self.hash), content)
    }

    /// Takes bytes that are in the id already.
    fn take(&mut self, mut bytes: &[u8]) {
        while let Some((part, size)) = self.part {
            let missing = size.saturating_sub(self.bytes.len() as u64);
            let (now, later) = bytes.split_at(missing.min(bytes.len() as u64) as usize);
            self.bytes.extend_from_slice(now);
            bytes = later;
            if now.len() as u64 != missing {
                return;
            }
            let content = std::mem::take(&mut self.bytes);
            if let Err(refusal) = self.read(part, &content) {
                self.refuse(refusal);
            }
        }
    }

    /// Remembers why the payload is not well formed, and reads no more of it.
    fn refuse(&mut self, refusal: Refusal) {
        self.fault.get_or_insert(refusal);
        self.is_well_formed = false;
        self.part = None;
    }

    /// Reads a part and says which one is next.
    fn read(&mut self, part: Part, bytes: &[u8]) -> Result<(), Refusal> {
        match part {
            Part::Beginning => self.read_beginning(bytes),
            Part::Count => self.read_count(number(bytes)),
            Part::Length => self.read_length(number(bytes)),
            Part::Mate => self.read_mate(bytes),
        }
    }

    fn read_beginning(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.claim = payload::read_claim(bytes, self.length)?;
        number_of_mates(&self.claim)?;
        let rest = bytes.get(8 + self.claim.len()..).unwrap_or_default();
        self.left += rest.len() as u64;
        self.go_on_with(Part::Count, 8, "mates")?;
        self.take(rest);
        Ok(())
    }

    fn read_count(&mut self, stored: u64) -> Result<(), Refusal> {
        check_number(number_of_mates(&self.claim)?, stored)?;
        if stored > self.left / SHORTEST_MATE {
            let what = format_args!("mates has {stored} items, more than there are bytes for");
            return Err(self.malformed(what));
        }
        self.mates = stored;
        self.next_mate()
    }

    fn read_length(&mut self, length: u64) -> Result<(), Refusal> {
        let number = self.number;
        let is_good = length <= self.left && length <= LONGEST_PAYLOAD;
        if !is_good {
            let what = format_args!("{length} bytes, more than there are or than a mate may have");
            return Err(self.malformed(what).within(mate_name(number)));
        }
        self.go_on_with(Part::Mate, length, "a mate")
    }

    /// Judges a mate as if it had been read by itself, or shows it. What is wrong in its form is found by reading it, all else
    /// only as long as nothing was found before.
    fn read_mate(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let number = self.number;
        let (claim, stored) =
            payload::read_mate(bytes).map_err(|refusal| refusal.within(mate_name(number)))?;
        if let Some(each) = &mut self.each {
            let id = Id::of_content(VERSION, CertificateKind::Mate.number(), bytes);
            each(number, &claim, id);
        } else if self.fault.is_none() {
            match mate::check(&claim, &stored) {
                Ok(checked) => {
                    self.checked.states += checked.states;
                    self.checked.edges += checked.edges;
                }
                Err(refusal) => self.fault = Some(refusal.within(mate_name(number))),
            }
        }
        self.number += 1;
        self.next_mate()
    }

    /// Goes on behind the count or behind a mate.
    fn next_mate(&mut self) -> Result<(), Refusal> {
        if self.number < self.mates {
            let number = self.number;
            let next = self.go_on_with(Part::Length, 8, "its length");
            return next.map_err(|refusal| refusal.within(mate_name(number)));
        }
        self.part = None;
        match self.left {
            0 => Ok(()),
            left => Err(self.malformed(format_args!("{left} bytes after the last mate"))),
        }
    }

    /// Goes on with a part of so many bytes.
    fn go_on_with(&mut self, part: Part, size: u64, name: &str) -> Result<(), Refusal> {
        let left = self.left.checked_sub(size);
        self.left = left.ok_or_else(|| {
            let what = format_args!("the payload ends inside {name}");
            self.malformed(what)
        })?;
        self.part = Some((part, size));
        Ok(())
    }

    /// The refusal of what stands where the next part would begin.
    fn malformed(&self, what: impl Display) -> Refusal {
        let at = self.length.saturating_sub(self.left);
        let place = format_args!("payload byte {at}: {what}");
        Refusal::new(Reason::MalformedPayload, place)
    }
}

/// What the place of a refusal in a mate begins with.
fn mate_name(number: u64) -> String {
    format!("mate {number}")
}

/// The number of which these are the bytes.
fn number(bytes: &[u8]) -> u64 {
    let bytes = bytes.first_chunk::<8>().copied();
    bytes.map_or(0, u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bundle as long as may be, of which little comes: up to the length of its first mate, and some of that.
    fn begun(length_of_mate: u64) -> PassingMates<'static> {
        let claim = "bundle of 2 mates";
        let mut mates = PassingMates::of(1 << 40, None);
        mates.push(&(claim.len() as u64).to_le_bytes());
        mates.push(claim.as_bytes());
        mates.push(&2_u64.to_le_bytes());
        mates.push(&length_of_mate.to_le_bytes());
        for _ in 0..20 {
            mates.push(&[0; BLOCK]);
        }
        mates
    }

    #[test]
    fn memory_is_taken_for_what_has_come() {
        let mates = begun(LONGEST_PAYLOAD);
        assert!(matches!(mates.part, Some((Part::Mate, LONGEST_PAYLOAD))));
        assert!(mates.bytes.len() > 18 * BLOCK && mates.bytes.capacity() < 50 * BLOCK);
        // And one byte more.
        let mates = begun(LONGEST_PAYLOAD + 1);
        assert!(mates.part.is_none() && mates.bytes.capacity() < 50 * BLOCK);
        let fault = mates.fault.unwrap();
        assert_eq!(fault.reason, Reason::MalformedPayload);
        assert!(fault.place.starts_with("mate 0: "), "{fault}");
    }
}
