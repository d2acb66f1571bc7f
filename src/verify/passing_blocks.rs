//! Compressed blocks that are expanded while they pass, for a payload that is read once.
//!
//! Kept are the ends of the blocks and the block that is being expanded. As where a payload is read whole, the ends are
//! judged before any block, and the first block tells how long the payload may be before another one is expanded.
//!
//! Source: `docs/certificate-format.md`, *Binary container*.

use super::Refusal;
use super::blocks::{check_length, length_of_block, malformed};
use super::container::Header;
use super::ends::Ends;
use super::inflation::Inflation;

/// A stored payload of which some bytes have passed.
pub(super) struct PassingBlocks {
    header: Header,
    ends: Ends,
    /// How many blocks have passed.
    number: usize,
    /// The block that passes.
    inflation: Inflation,
    /// How many bytes of the data have passed.
    passed: u64,
}

impl PassingBlocks {
    /// A stored payload of which nothing has passed.
    pub(super) fn of(header: &Header) -> Result<PassingBlocks, Refusal> {
        Ok(PassingBlocks {
            header: *header,
            ends: Ends::of(header)?,
            number: 0,
            inflation: Inflation::of(length_of_block(header.expanded, 0)),
            passed: 0,
        })
    }

    /// Takes the next bytes as they are stored, and hands on the blocks that are whole now.
    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        mut each: impl FnMut(&[u8]),
    ) -> Result<(), Refusal> {
        let mut data = self.ends.push(bytes)?;
        while !data.is_empty() {
            let number = self.number;
            let end = self.ends.whole()?.get(number).copied();
            let end = end.ok_or_else(|| malformed(format_args!("there is no block {number}")))?;
            let missing = end.saturating_sub(self.passed).min(data.len() as u64);
            let (now, later) = data.split_at(missing as usize);
            data = later;
            self.inflation.push(now, number)?;
            self.passed += now.len() as u64;
            if self.passed < end {
                break;
            }
            let next = Inflation::of(length_of_block(self.header.expanded, number + 1));
            let block = std::mem::replace(&mut self.inflation, next).whole(number)?;
            if number == 0 {
                check_length(&self.header, &block)?;
            }
            each(&block);
            self.number += 1;
        }
        Ok(())
    }

    /// Refuses what is not whole.
    pub(super) fn end(self) -> Result<(), Refusal> {
        let number = self.number;
        match self.ends.whole()?.len() == number {
            true => Ok(()),
            false => Err(malformed(format_args!("block {number} is not whole"))),
        }
    }
}
