//! Codec 1: a payload in blocks of 65,536 bytes, compressed one by one.
//!
//! The ends of the blocks are judged before any block is expanded. Then the first block alone tells the claim, and with it
//! how long the payload of such a class may be, before anything else is expanded: a small file cannot ask for much
//! memory. Each block is expanded into room of exactly its length.
//!
//! Source: `docs/certificate-format.md`, *Binary container*, and RFC 1951.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::claim::material_of_endgame;
use super::payload;
use super::{Reason, Refusal};

/// The bytes of a block before compression.
const BLOCK: usize = 1 << 16;

/// The payload of a length that is stored like this.
pub(super) fn expand(stored: &[u8], length: u64) -> Result<Vec<u8>, Refusal> {
    let (ends, mut data) = ends_and_data(stored, length.div_ceil(BLOCK as u64))?;
    let mut payload = Vec::new();
    let mut start = 0;
    for (number, &end) in ends.iter().enumerate() {
        let cut = || malformed(format_args!("block {number} goes beyond the data"));
        let bytes = usize::try_from(end.saturating_sub(start)).map_err(|_| cut())?;
        let (block, rest) = data.split_at_checked(bytes).ok_or_else(cut)?;
        let left = length.saturating_sub(payload.len() as u64);
        let expanded = usize::try_from(left).map_or(BLOCK, |left| left.min(BLOCK));
        expand_block(block, expanded, number, &mut payload)?;
        if number == 0 {
            check_length(&payload, length)?;
        }
        (start, data) = (end, rest);
    }
    Ok(payload)
}

/// The ends of so many blocks, and the data. The ends ascend, and the last one is the length of the data.
fn ends_and_data(stored: &[u8], blocks: u64) -> Result<(Vec<u64>, &[u8]), Refusal> {
    let short = || malformed("the payload ends inside the ends of the blocks");
    let (count, rest) = stored.split_first_chunk().ok_or_else(short)?;
    let count = u64::from_le_bytes(*count);
    if count != blocks {
        return Err(malformed(format_args!(
            "blocks: stored {count}, found {blocks}"
        )));
    }
    let bytes = usize::try_from(count)
        .ok()
        .and_then(|count| count.checked_mul(8));
    let split = bytes.and_then(|bytes| rest.split_at_checked(bytes));
    let (ends, data) = split.ok_or_else(short)?;
    let (ends, _) = ends.as_chunks::<8>();
    let ends: Vec<u64> = ends.iter().map(|&end| u64::from_le_bytes(end)).collect();
    let mut before = 0;
    for (number, &end) in ends.iter().enumerate() {
        if end <= before {
            return Err(malformed(format_args!(
                "end {number}: {end} does not ascend"
            )));
        }
        before = end;
    }
    match before == data.len() as u64 {
        true => Ok((ends, data)),
        false => Err(malformed(format_args!(
            "the last end is {before}, the data has {} bytes",
            data.len()
        ))),
    }
}

/// Expands one block behind the payload so far.
fn expand_block(
    block: &[u8],
    expanded: usize,
    number: usize,
    payload: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let start = payload.len();
    payload.resize(start.saturating_add(expanded), 0);
    let room = payload.get_mut(start..).unwrap_or_default();
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, read, written) = decompress(&mut DecompressorOxide::new(), block, room, 0, flags);
    if status != TINFLStatus::Done || read != block.len() || written != expanded {
        return Err(malformed(format_args!(
            "block {number} is not one stream of {expanded} bytes"
        )));
    }
    Ok(())
}

/// Refuses a length that is over the limit of the class, which the first block tells.
fn check_length(first_block: &[u8], length: u64) -> Result<(), Refusal> {
    let longest = material_of_endgame(&payload::read_claim(first_block)?)?.longest_payload();
    if length > longest {
        let place = format_args!("byte 25: expanded length {length}, the limit is {longest}");
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    Ok(())
}

fn malformed(what: impl std::fmt::Display) -> Refusal {
    Refusal::new(Reason::MalformedBlock, what)
}

#[cfg(test)]
mod tests {
    use miniz_oxide::deflate::compress_to_vec;

    use super::*;

    fn payload_of(claim: &str, length: usize) -> Vec<u8> {
        let mut payload = (claim.len() as u64).to_le_bytes().to_vec();
        payload.extend(claim.bytes());
        let filler = (0..).map(|n: u32| (n % 251) as u8);
        payload.extend(filler.take(length - payload.len()));
        payload
    }

    const CLAIM: &str = "endgame KQK board dtm";

    fn stored(payload: &[u8]) -> (Vec<u64>, Vec<u8>) {
        let mut data = Vec::new();
        let block = |block| {
            data.extend(compress_to_vec(block, 6));
            data.len() as u64
        };
        let ends = payload.chunks(BLOCK).map(block).collect();
        (ends, data)
    }

    fn joined(ends: &[u64], data: &[u8]) -> Vec<u8> {
        let mut bytes = (ends.len() as u64).to_le_bytes().to_vec();
        bytes.extend(ends.iter().flat_map(|end| end.to_le_bytes()));
        bytes.extend(data);
        bytes
    }

    fn reason(stored: &[u8], length: u64) -> Reason {
        expand(stored, length).unwrap_err().reason
    }

    #[test]
    fn blocks_are_expanded() {
        for length in [100, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7] {
            let payload = payload_of(CLAIM, length);
            let (ends, data) = stored(&payload);
            assert_eq!(expand(&joined(&ends, &data), length as u64), Ok(payload));
        }
        assert_eq!(expand(&joined(&[], &[]), 0), Ok(Vec::new()));
    }

    #[test]
    fn malformed_blocks_are_refused() {
        let length = 2 * BLOCK + 7;
        let payload = payload_of(CLAIM, length);
        let (ends, data) = stored(&payload);
        let [a, b, c] = ends[..] else { panic!() };
        let with = |ends: &[u64]| reason(&joined(ends, &data), length as u64);
        for ends in [
            &[a, b][..],
            &[a, b, c, c],
            &[a, b, c + 1],
            &[a, b, c - 1],
            &[a, a, c],
            &[b, a, c],
            &[0, b, c],
            &[a + 1, b, c],
            &[a - 1, b, c],
            &[u64::MAX, b, c],
        ] {
            assert_eq!(with(ends), Reason::MalformedBlock, "{ends:?}");
        }
        let good = joined(&ends, &data);
        for length in 0..good.len() {
            assert_eq!(
                reason(&good[..length], 2 * BLOCK as u64 + 7),
                Reason::MalformedBlock
            );
        }
        for length in [length - 1, length + 1, BLOCK, 0, 4 * BLOCK] {
            assert_eq!(reason(&good, length as u64), Reason::MalformedBlock);
        }
        // A byte behind the stream, inside the block.
        let mut longer = data.clone();
        longer.insert(a as usize, 0);
        let longer = joined(&[a + 1, b + 1, c + 1], &longer);
        assert_eq!(reason(&longer, length as u64), Reason::MalformedBlock);
        assert_eq!(reason(&joined(&[], &[0]), 0), Reason::MalformedBlock);
    }

    #[test]
    fn the_class_bounds_the_length() {
        // The other blocks are no streams, and are not looked at.
        let limit: u64 = 2 * 10 * 64 * 64 + (1 << 24);
        for (claim, over, wanted) in [
            (CLAIM, 0, Reason::MalformedBlock),
            (CLAIM, 1, Reason::LengthOutOfBounds),
            ("endgame KPK board dtm", 1, Reason::MalformedBlock),
            ("endgame KXK board dtm", 0, Reason::UnknownMaterial),
            ("endgame", 0, Reason::UnknownClaim),
            ("endgame KQK fcs dtm", 0, Reason::UnknownRulesProfile),
            ("\n", 0, Reason::MalformedPayload),
        ] {
            let length = limit + over;
            let data = compress_to_vec(&payload_of(claim, BLOCK), 6);
            let first = data.len() as u64;
            let blocks = length.div_ceil(BLOCK as u64);
            let ends: Vec<u64> = (0..blocks).map(|n| first + n).collect();
            let data = [data, vec![0xff; blocks as usize - 1]].concat();
            assert_eq!(reason(&joined(&ends, &data), length), wanted, "{claim}");
        }
    }
}
