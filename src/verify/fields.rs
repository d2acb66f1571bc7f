//! The fields of a payload, read one after the other, and the items of its lists.
//!
//! Integers are little-endian and of fixed width, lists and texts are preceded by their length. A length is compared
//! with the bytes still present before anything is allocated.
//!
//! Source: `docs/certificate-format.md`, *Conventions*.

use std::ops::Range;

use super::{Child, Id, Move, Reason, Refusal};

/// The bytes of a payload, wherever they are.
pub(super) trait Bytes {
    /// How many there are.
    fn length(&self) -> u64;
    /// Fills the room with the bytes from a place on, of which there are enough.
    fn copy(&mut self, at: u64, room: &mut [u8]) -> Result<(), Refusal>;
}

impl Bytes for &[u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn copy(&mut self, at: u64, room: &mut [u8]) -> Result<(), Refusal> {
        let bytes = usize::try_from(at).ok().and_then(|at| self.get(at..));
        for (room, &byte) in room.iter_mut().zip(bytes.unwrap_or_default()) {
            *room = byte;
        }
        Ok(())
    }
}

/// A payload of which some bytes have been read.
pub(super) struct Fields<'a> {
    payload: &'a mut dyn Bytes,
    at: u64,
}

impl<'a> Fields<'a> {
    /// A payload of which nothing has been read.
    pub(super) fn of(payload: &'a mut dyn Bytes) -> Fields<'a> {
        Fields { payload, at: 0 }
    }

    /// How many bytes are still to be read.
    pub(super) fn left(&self) -> u64 {
        self.payload.length().saturating_sub(self.at)
    }

    pub(super) fn array<const N: usize>(&mut self, name: &str) -> Result<[u8; N], Refusal> {
        if self.left() < N as u64 {
            return Err(self.malformed(format_args!("the payload ends inside {name}")));
        }
        let mut field = [0; N];
        self.payload.copy(self.at, &mut field)?;
        self.at += N as u64;
        Ok(field)
    }

    pub(super) fn u64(&mut self, name: &str) -> Result<u64, Refusal> {
        self.array(name).map(u64::from_le_bytes)
    }

    /// The count of a list whose items have at least this many bytes each, all of them present.
    pub(super) fn count(&mut self, name: &str, bytes_each: u64) -> Result<u64, Refusal> {
        let stored = self.u64(name)?;
        match stored <= self.left() / bytes_each {
            true => Ok(stored),
            false => Err(self.malformed(format_args!(
                "{name} has {stored} items, more than there are bytes for"
            ))),
        }
    }

    /// The place of a list whose items have this many bytes each.
    pub(super) fn list(&mut self, name: &str, bytes_each: u64) -> Result<Range<u64>, Refusal> {
        let bytes = self.count(name, bytes_each)? * bytes_each;
        let start = self.at;
        self.at += bytes;
        Ok(start..self.at)
    }

    /// Goes on behind the last byte.
    pub(super) fn leave_the_rest(&mut self) {
        self.at = self.payload.length();
    }

    /// The items of a list that have this many bytes each.
    pub(super) fn bytes(&mut self, name: &str, bytes_each: u64) -> Result<Vec<u8>, Refusal> {
        let range = self.list(name, bytes_each)?;
        let mut bytes = vec![0; (range.end - range.start) as usize];
        self.payload.copy(range.start, &mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn text(&mut self, name: &str) -> Result<String, Refusal> {
        let bytes = self.bytes(name, 1)?;
        let text = printable(&bytes)
            .ok_or_else(|| self.malformed(format_args!("{name} is not printable ASCII")))?;
        Ok(text.to_string())
    }

    pub(super) fn children(&mut self, name: &str) -> Result<Vec<Child>, Refusal> {
        let count = self.count(name, 8 + 32)?;
        check_number_of_children(count)?;
        let mut children = Vec::new();
        for _ in 0..count {
            let claim = self.text(name)?;
            check_claim_of_child(&claim)?;
            children.push(Child {
                claim,
                id: Id::from_bytes(self.array(name)?),
            });
        }
        Ok(children)
    }

    pub(super) fn malformed(&self, what: impl std::fmt::Display) -> Refusal {
        let place = format_args!("payload byte {}: {what}", self.at);
        Refusal::new(Reason::MalformedPayload, place)
    }
}

/// No class needs as many children, and no claim is as long.
const MOST_CHILDREN: u64 = 64;
const LONGEST_CLAIM: usize = 4_096;

/// Refuses a list of children that is too long.
pub(super) fn check_number_of_children(count: u64) -> Result<(), Refusal> {
    if count > MOST_CHILDREN {
        let place = format_args!("children: {count} entries, the limit is {MOST_CHILDREN}");
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    Ok(())
}

/// Refuses the claim of a child that is too long.
pub(super) fn check_claim_of_child(claim: &str) -> Result<(), Refusal> {
    let bytes = claim.len();
    if bytes > LONGEST_CLAIM {
        let place =
            format_args!("children: a claim of {bytes} bytes, the limit is {LONGEST_CLAIM}");
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    Ok(())
}

/// The moves stored in two bytes each; none if a byte is left over.
pub(super) fn moves_from_bytes(bytes: &[u8]) -> Option<Vec<Move>> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    rest.is_empty().then(|| {
        pairs
            .iter()
            .map(|&pair| Move::from_bits(u16::from_le_bytes(pair)))
            .collect()
    })
}

/// The rounds stored in two bytes each; none if a byte is left over.
pub(super) fn rounds_from_bytes(bytes: &[u8]) -> Option<Vec<u16>> {
    let (rounds, rest) = bytes.as_chunks::<2>();
    rest.is_empty().then(|| {
        rounds
            .iter()
            .map(|&round| u16::from_le_bytes(round))
            .collect()
    })
}

/// The numbers stored in four bytes each; none if bytes are left over.
pub(super) fn short_numbers_from_bytes(bytes: &[u8]) -> Option<Vec<u32>> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| {
        numbers
            .iter()
            .map(|&number| u32::from_le_bytes(number))
            .collect()
    })
}

/// The moves stored in two bytes each with a number in four bytes; none if bytes are left over.
pub(super) fn roots_from_bytes(bytes: &[u8]) -> Option<Vec<(Move, u32)>> {
    let (roots, rest) = bytes.as_chunks::<6>();
    let root = |&[a, b, c, d, e, f]: &[u8; 6]| {
        let stored = Move::from_bits(u16::from_le_bytes([a, b]));
        (stored, u32::from_le_bytes([c, d, e, f]))
    };
    rest.is_empty().then(|| roots.iter().map(root).collect())
}

/// The numbers stored in eight bytes each; none if bytes are left over.
pub(super) fn numbers_from_bytes(bytes: &[u8]) -> Option<Vec<u64>> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    rest.is_empty().then(|| {
        numbers
            .iter()
            .map(|&number| u64::from_le_bytes(number))
            .collect()
    })
}

/// The text, if it is printable ASCII.
pub(super) fn printable(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes)
        .ok()
        .filter(|text| text.chars().all(|c| matches!(c, ' '..='~')))
}
