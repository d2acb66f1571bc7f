//! The table of the ends of compressed blocks, which stands before them.
//!
//! It is taken in pieces, as its bytes come, and each number is judged as soon as it is there. So it grows only with bytes
//! that were really read, whatever a header says.
//!
//! Source: `docs/certificate-format.md`, *Binary container*.

use super::blocks::{BLOCK, malformed};
use super::container::Header;
use super::{Reason, Refusal};

/// The bytes of a number of the table.
const NUMBER: u64 = 8;

/// A table of ends of which some bytes have come.
///
/// Invariant: `ends` ascends strictly and has no more than `blocks` numbers, the last of which is `data`; `number` has fewer
/// bytes than a number.
pub(super) struct Ends {
    /// How many blocks there have to be.
    blocks: u64,
    /// Whether the number of blocks has come, and was that.
    is_counted: bool,
    ends: Vec<u64>,
    /// How many bytes of data there have to be.
    data: u64,
    /// What has come of the next number.
    number: Vec<u8>,
}

impl Ends {
    /// The table of a stored payload, of which nothing has come.
    pub(super) fn of(header: &Header) -> Result<Ends, Refusal> {
        let blocks = header.expanded.div_ceil(BLOCK as u64);
        Ok(Ends {
            blocks,
            is_counted: false,
            ends: Vec::new(),
            data: header.stored.checked_sub(NUMBER).ok_or_else(short)?,
            number: Vec::new(),
        })
    }

    /// How many bytes of the table are still to come, as far as is known. It is all there when they are none.
    pub(super) fn missing(&self) -> u64 {
        let numbers = match self.is_counted {
            true => self.blocks.saturating_sub(self.ends.len() as u64),
            false => 1,
        };
        (numbers * NUMBER).saturating_sub(self.number.len() as u64)
    }

    /// Takes what is of the table from the next bytes of the payload, and gives the rest back.
    pub(super) fn push<'a>(&mut self, mut bytes: &'a [u8]) -> Result<&'a [u8], Refusal> {
        while self.missing() > 0 && !bytes.is_empty() {
            let wanted = (NUMBER as usize).saturating_sub(self.number.len());
            let (now, later) = bytes.split_at(wanted.min(bytes.len()));
            self.number.extend_from_slice(now);
            bytes = later;
            if let Ok(number) = <[u8; 8]>::try_from(self.number.as_slice()) {
                self.number.clear();
                self.number_is(u64::from_le_bytes(number))?;
            }
        }
        Ok(bytes)
    }

    /// The table, if it is all there.
    pub(super) fn whole(&self) -> Result<&[u64], Refusal> {
        match self.missing() {
            0 => Ok(&self.ends),
            _ => Err(short()),
        }
    }

    /// Judges the next number.
    fn number_is(&mut self, number: u64) -> Result<(), Refusal> {
        let blocks = self.blocks;
        if !self.is_counted {
            if number != blocks {
                let place = format_args!("blocks: stored {number}, found {blocks}");
                return Err(malformed(place));
            }
            self.is_counted = true;
            let ends = blocks.saturating_mul(NUMBER);
            self.data = self.data.checked_sub(ends).ok_or_else(short)?;
        } else {
            if number <= self.last() {
                let place = format_args!("end {}: {number} does not ascend", self.ends.len());
                return Err(malformed(place));
            }
            self.ends.push(number);
        }
        let (last, data) = (self.last(), self.data);
        if self.missing() == 0 && last != data {
            let place = format_args!("the last end is {last}, the data has {data} bytes");
            return Err(malformed(place));
        }
        Ok(())
    }

    /// The last end that has come.
    fn last(&self) -> u64 {
        self.ends.last().copied().unwrap_or_default()
    }
}

fn short() -> Refusal {
    let place = "the payload ends inside the ends of the blocks";
    Refusal::new(Reason::MalformedBlock, place)
}

#[cfg(test)]
mod tests {
    use super::super::certificate_kind::CertificateKind;
    use super::*;

    fn ends(stored: u64, expanded: u64) -> Result<Ends, Refusal> {
        Ends::of(&Header {
            kind: CertificateKind::Bundle,
            codec: 1,
            stored,
            expanded,
        })
    }

    fn bytes(numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
    }

    /// The table that comes in pieces of this size, and how many bytes come behind it.
    fn table(
        numbers: &[u64],
        stored: u64,
        blocks: u64,
        size: usize,
    ) -> Result<(Vec<u64>, usize), Refusal> {
        let mut ends = ends(stored, blocks * BLOCK as u64)?;
        let mut behind = 0;
        for piece in bytes(numbers).chunks(size) {
            behind += ends.push(piece)?.len();
        }
        Ok((ends.whole()?.to_vec(), behind))
    }

    #[test]
    fn a_table_comes_in_pieces() {
        for size in [1, 3, 7, 8, 9, 16, 100] {
            assert_eq!(table(&[0], 8, 0, size), Ok((vec![], 0)));
            assert_eq!(table(&[1, 5], 21, 1, size), Ok((vec![5], 0)));
            let behind = table(&[3, 5, 7, 9, 0xaa, 0xbb], 32 + 9, 3, size);
            assert_eq!(behind, Ok((vec![5, 7, 9], 16)));
        }
    }

    #[test]
    fn other_tables_are_refused() {
        for (numbers, stored, blocks, place) in [
            (&[][..], 0, 0, "the payload ends inside the ends"),
            (&[], 7, 1, "the payload ends inside the ends"),
            (&[], 9, 1, "the payload ends inside the ends"),
            (&[1], 15, 1, "the payload ends inside the ends"),
            (&[2, 1], 25, 2, "the payload ends inside the ends"),
            (&[1], 8, 0, "blocks: stored 1, found 0"),
            (&[u64::MAX], 8, 1, "blocks: stored 18446744073709551615"),
            (&[0], 9, 0, "the last end is 0, the data has 1 bytes"),
            (&[1, 0], 16, 1, "end 0: 0 does not ascend"),
            (&[2, 3, 3], 27, 2, "end 1: 3 does not ascend"),
            (&[2, 3, 2], 26, 2, "end 1: 2 does not ascend"),
            (&[2, 3, 4], 27, 2, "the last end is 4, the data has 3 bytes"),
            (&[2, 3, 4], 29, 2, "the last end is 4, the data has 5 bytes"),
        ] {
            for size in [1, 8, 100] {
                let refusal = table(numbers, stored, blocks, size).unwrap_err();
                assert_eq!(refusal.reason, Reason::MalformedBlock);
                assert!(refusal.place.starts_with(place), "{refusal}");
            }
        }
    }

    #[test]
    fn a_table_grows_only_with_what_has_come() {
        let mut ends = ends(1 << 40, 1 << 40).unwrap();
        assert_eq!(ends.missing(), 8);
        assert_eq!(ends.push(&bytes(&[1 << 24])), Ok(&[][..]));
        assert_eq!(ends.missing(), 8 << 24);
        for end in 1..100 {
            assert_eq!(ends.push(&bytes(&[end])), Ok(&[][..]));
        }
        assert!(ends.ends.capacity() < 1_000 && ends.number.capacity() < 1_000);
    }
}
