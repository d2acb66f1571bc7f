//! A stored payload in blocks of 65,536 bytes, any of which can be read alone.
//!
//! With codec 1 the blocks are compressed one by one. Their ends are judged before any block is expanded. Then the first
//! block alone tells the claim, and with it how long the payload of such a class may be, before anything else is expanded:
//! a small file cannot ask for much memory. Each block is expanded into room of exactly its length. With codec 0 the blocks
//! are just pieces.
//!
//! Source: `docs/certificate-format.md`, *Binary container*, and RFC 1951.

use std::io::{Cursor, Read, Seek, SeekFrom};

use super::claim::class_of;
use super::container::Header;
use super::ends::Ends;
use super::fields::Bytes;
use super::inflation::Inflation;
use super::payload;
use super::read::unreadable;
use super::{Reason, Refusal};

/// The bytes of a block before compression.
pub(super) const BLOCK: usize = 1 << 16;

/// How many blocks are kept: enough for those that hold the successors of one state.
const KEPT: usize = 32;

/// The payload with this header that is stored like this, with codec 1.
pub(super) fn expand(header: &Header, stored: &[u8]) -> Result<Vec<u8>, Refusal> {
    let mut blocks = Blocks::new(Cursor::new(stored), 0, header)?;
    let mut payload = Vec::new();
    blocks.each(|block| payload.extend_from_slice(block))?;
    Ok(payload)
}

/// The blocks of a payload in its source.
pub(super) struct Blocks<S> {
    source: S,
    is_compressed: bool,
    /// Where in the source each block begins, and then where the last one ends.
    bounds: Vec<u64>,
    /// The length of the expanded payload.
    length: u64,
    /// Blocks expanded before with their numbers, those used last at the end.
    kept: Vec<(usize, Vec<u8>)>,
}

impl<S: Read + Seek> Blocks<S> {
    /// The blocks of a payload that is stored in the source from a byte on.
    pub(super) fn new(mut source: S, at: u64, header: &Header) -> Result<Blocks<S>, Refusal> {
        let count = header.expanded.div_ceil(BLOCK as u64);
        let is_compressed = header.codec == 1;
        let bounds = match is_compressed {
            true => bounds(&mut source, at, header)?,
            false => {
                let starts = (0..count).map(|number| at + BLOCK as u64 * number);
                starts.chain([at + header.expanded]).collect()
            }
        };
        let mut blocks = Blocks {
            source,
            is_compressed,
            bounds,
            length: header.expanded,
            kept: Vec::new(),
        };
        if is_compressed && count > 0 {
            check_length(header, blocks.block(0)?)?;
        }
        Ok(blocks)
    }

    /// Goes through all blocks in order, without keeping them.
    pub(super) fn each(&mut self, mut visit: impl FnMut(&[u8])) -> Result<(), Refusal> {
        for number in 0..self.bounds.len().saturating_sub(1) {
            visit(&self.expanded(number)?);
        }
        Ok(())
    }

    /// A block, from those that are kept if it is among them.
    fn block(&mut self, number: usize) -> Result<&[u8], Refusal> {
        let block = match self.kept.iter().position(|kept| kept.0 == number) {
            Some(index) => self.kept.remove(index),
            None => (number, self.expanded(number)?),
        };
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push(block);
        Ok(self.kept.last().map_or(&[], |kept| &kept.1))
    }

    /// Reads a block from the source.
    fn expanded(&mut self, number: usize) -> Result<Vec<u8>, Refusal> {
        let (start, end) = match self.bounds.get(number..) {
            Some([start, end, ..]) => (*start, *end),
            _ => return Err(malformed(format_args!("there is no block {number}"))),
        };
        let block = bytes_of(&mut self.source, start, end.saturating_sub(start))?;
        if !self.is_compressed {
            return Ok(block);
        }
        let mut inflation = Inflation::of(length_of_block(self.length, number));
        inflation.push(&block, number)?;
        inflation.whole(number)
    }
}

impl<S: Read + Seek> Bytes for Blocks<S> {
    fn length(&self) -> u64 {
        self.length
    }

    fn copy(&mut self, mut at: u64, mut room: &mut [u8]) -> Result<(), Refusal> {
        while !room.is_empty() {
            let (number, offset) = (at / BLOCK as u64, at % BLOCK as u64);
            let block = self.block(number as usize)?;
            let block = block.get(offset as usize..).unwrap_or_default();
            let (now, later) = room.split_at_mut(block.len().min(room.len()));
            match block.get(..now.len()).filter(|bytes| !bytes.is_empty()) {
                Some(bytes) => now.copy_from_slice(bytes),
                None => return Err(malformed(format_args!("block {number} is too short"))),
            }
            at += now.len() as u64;
            room = later;
        }
        Ok(())
    }
}

/// So many bytes of a source, from a place on.
fn bytes_of(source: &mut (impl Read + Seek), at: u64, count: u64) -> Result<Vec<u8>, Refusal> {
    source.seek(SeekFrom::Start(at)).map_err(unreadable)?;
    let mut bytes = Vec::new();
    let read = source.take(count).read_to_end(&mut bytes);
    match read.map_err(unreadable)? as u64 == count {
        true => Ok(bytes),
        false => Err(Refusal::new(
            Reason::Unreadable,
            "the file is shorter than before",
        )),
    }
}

/// How long a block of a payload of this length is before compression.
pub(super) fn length_of_block(payload: u64, number: usize) -> usize {
    let before = (BLOCK as u64).saturating_mul(number as u64);
    payload.saturating_sub(before).min(BLOCK as u64) as usize
}

/// Where the compressed blocks of a payload that is stored from a byte on begin and end in their source.
fn bounds(source: &mut (impl Read + Seek), at: u64, header: &Header) -> Result<Vec<u64>, Refusal> {
    let mut ends = Ends::of(header)?;
    let mut start = at;
    while ends.missing() > 0 {
        let bytes = bytes_of(source, start, ends.missing())?;
        ends.push(&bytes)?;
        start += bytes.len() as u64;
    }
    let ends = [0].into_iter().chain(ends.whole()?.iter().copied());
    Ok(ends.map(|end| start.saturating_add(end)).collect())
}

/// Refuses a length that is over the limit of the kind and the class, which the first block tells. Mates, bundles,
/// orderings and proofs are of no class: their payload may be so many times as long as what is stored.
pub(super) fn check_length(header: &Header, first_block: &[u8]) -> Result<(), Refusal> {
    let length = header.expanded;
    let material = class_of(header.kind, &payload::read_claim(first_block, length)?)?;
    let longest = material.map_or_else(
        || header.stored.saturating_mul(32).saturating_add(1 << 20),
        |material| material.longest_payload(header.kind),
    );
    if length > longest {
        let place = format_args!("byte 25: expanded length {length}, the limit is {longest}");
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    Ok(())
}

/// The refusal of blocks.
pub(super) fn malformed(what: impl std::fmt::Display) -> Refusal {
    Refusal::new(Reason::MalformedBlock, what)
}

#[cfg(test)]
pub(super) mod tests {
    use miniz_oxide::deflate::compress_to_vec;

    use super::super::certificate_kind::CertificateKind;
    use super::*;

    /// The payload of a kind and a length that is stored like this.
    fn expand(kind: CertificateKind, stored: &[u8], expanded: u64) -> Result<Vec<u8>, Refusal> {
        let header = Header {
            kind,
            codec: 1,
            stored: stored.len() as u64,
            expanded,
        };
        super::expand(&header, stored)
    }

    fn payload_of(claim: &str, length: usize) -> Vec<u8> {
        let mut payload = (claim.len() as u64).to_le_bytes().to_vec();
        payload.extend(claim.bytes());
        let filler = (0..).map(|n: u32| (n % 251) as u8);
        payload.extend(filler.take(length - payload.len()));
        payload
    }

    const CLAIM: &str = "endgame KQK board dtm";
    const KIND: CertificateKind = CertificateKind::EndgameTable;

    /// A payload as it is stored with codec 1.
    pub(in super::super) fn compressed(payload: &[u8]) -> Vec<u8> {
        let (ends, data) = stored(payload);
        joined(&ends, &data)
    }

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

    fn reason_of_kind(kind: CertificateKind, stored: &[u8], length: u64) -> Reason {
        expand(kind, stored, length).unwrap_err().reason
    }

    fn reason(stored: &[u8], length: u64) -> Reason {
        reason_of_kind(KIND, stored, length)
    }

    #[test]
    fn blocks_are_expanded() {
        for length in [100, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7] {
            let payload = payload_of(CLAIM, length);
            let (ends, data) = stored(&payload);
            let stored = joined(&ends, &data);
            assert_eq!(expand(KIND, &stored, length as u64), Ok(payload));
        }
        assert_eq!(expand(KIND, &joined(&[], &[]), 0), Ok(Vec::new()));
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
    fn a_claim_that_is_longer_than_a_block_is_unknown() {
        let with_claim = |count: u64, line: u8, length: usize| {
            let mut payload = count.to_le_bytes().to_vec();
            payload.resize(length, line);
            reason(&compressed(&payload), length as u64)
        };
        let block = BLOCK as u64;
        for (count, line, length, wanted) in [
            (70_000, b'x', 70_008, Reason::UnknownClaim),
            (70_000, b'x', 70_009, Reason::UnknownClaim),
            (block - 8, b'x', BLOCK + 1, Reason::UnknownClaim),
            (block - 7, b'x', BLOCK + 1, Reason::UnknownClaim),
            // It is not all there, or no line.
            (70_000, b'x', 70_007, Reason::MalformedPayload),
            (block - 7, b'x', BLOCK, Reason::MalformedPayload),
            (u64::MAX, b'x', 70_008, Reason::MalformedPayload),
            (70_000, b'\n', 70_008, Reason::MalformedPayload),
        ] {
            let found = with_claim(count, line, length);
            assert_eq!(found, wanted, "{count} {line} {length}");
        }
    }

    #[test]
    fn the_class_and_the_kind_bound_the_length() {
        use CertificateKind::{Abstraction, Bisimulation, Bounds, EndgameTable, LocalProof, Mate};
        // The other blocks are no streams, and are not looked at.
        let refusal = |kind, claim: &str, length: u64| {
            let data = compress_to_vec(&payload_of(claim, BLOCK), 6);
            let first = data.len() as u64;
            let blocks = length.div_ceil(BLOCK as u64);
            let ends: Vec<u64> = (0..blocks).map(|n| first + n).collect();
            let data = [data, vec![0xff; blocks as usize - 1]].concat();
            reason_of_kind(kind, &joined(&ends, &data), length)
        };
        let limit: u64 = 2 * 10 * 64 * 64 + (1 << 24);
        for (claim, over, wanted) in [
            (CLAIM, 0, Reason::MalformedBlock),
            (CLAIM, 1, Reason::LengthOutOfBounds),
            ("endgame KPK board dtm", 1, Reason::MalformedBlock),
            ("endgame KXK board dtm", 0, Reason::UnknownMaterial),
            ("endgame", 0, Reason::UnknownClaim),
            ("endgame KQK fcs dtm", 0, Reason::UnknownRulesProfile),
            ("bisimulation KQK board", 0, Reason::UnknownClaim),
            ("\n", 0, Reason::MalformedPayload),
        ] {
            assert_eq!(
                refusal(EndgameTable, claim, limit + over),
                wanted,
                "{claim}"
            );
        }
        for (claim, factor) in [
            ("bisimulation KQK board", 24 * 10 * 64 * 64),
            (
                "bisimulation KPK board relative to child values",
                24 * 32 * 64 * 64,
            ),
            ("bisimulation KBNK board", 24 * 10 * 64 * 64 * 64),
        ] {
            for (over, wanted) in [(0, Reason::MalformedBlock), (1, Reason::LengthOutOfBounds)] {
                let length = factor + (1 << 24) + over;
                assert_eq!(refusal(Bisimulation, claim, length), wanted, "{claim}");
            }
        }
        for (class, from) in [("KQK", ""), ("KPK", " from KQK KRK"), ("KBNK", "")] {
            let claim =
                format!("abstraction {class} board horizon 3 decides 1 states in 2 blocks{from}");
            for (over, wanted) in [(0, Reason::MalformedBlock), (1, Reason::LengthOutOfBounds)] {
                let length = (1 << 26) + over;
                assert_eq!(refusal(Abstraction, &claim, length), wanted, "{claim}");
            }
        }
        for (claim, factor) in [
            ("bounds KQK board", 128 * 10 * 64 * 64),
            ("bounds KPK board from KQK KRK", 128 * 32 * 64 * 64),
            ("bounds KBNK board", 128 * 10 * 64 * 64 * 64),
        ] {
            for (over, wanted) in [(0, Reason::MalformedBlock), (1, Reason::LengthOutOfBounds)] {
                let length = factor + (1 << 24) + over;
                assert_eq!(refusal(Bounds, claim, length), wanted, "{claim}");
            }
        }
        for (fen, factor) in [
            ("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", 128 * 10 * 64 * 64),
            ("8/8/8/8/8/2k5/1p6/K7 w - - 0 1", 128 * 32 * 64 * 64),
            ("8/8/8/8/8/2k5/1RN5/K7 w - - 0 1", 128 * 10 * 64 * 64 * 64),
        ] {
            let claim = format!("interval {fen} board -1 1");
            for (over, wanted) in [(0, Reason::MalformedBlock), (1, Reason::LengthOutOfBounds)] {
                let length = factor + (1 << 24) + over;
                assert_eq!(refusal(LocalProof, &claim, length), wanted, "{claim}");
            }
        }
        // Of a mate the bytes that are stored count: those of the first block, of the ends, and one for each other block.
        let claim = "mate 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1 in 1";
        let first = compress_to_vec(&payload_of(claim, BLOCK), 6).len() as u64;
        let limit = |blocks: u64| 32 * (8 + 8 * blocks + first + blocks - 1) + (1 << 20);
        let longest = (1..100)
            .rev()
            .find(|&blocks| limit(blocks) > (blocks - 1) << 16);
        let length = limit(longest.unwrap()).min(longest.unwrap() << 16);
        assert_eq!(refusal(Mate, claim, length), Reason::MalformedBlock);
        let over = (longest.unwrap() << 16) + 1;
        assert_eq!(refusal(Mate, claim, over), Reason::LengthOutOfBounds);
        assert_eq!(refusal(Mate, CLAIM, 1 << 20), Reason::UnknownClaim);
        for claim in [CLAIM, "bounds KQK board"] {
            assert_eq!(refusal(LocalProof, claim, 1 << 20), Reason::UnknownClaim);
        }
        for claim in [CLAIM, "bisimulation KQK board", "bounds KPK board"] {
            assert_eq!(refusal(Bounds, claim, 1 << 20), Reason::UnknownClaim);
        }
        for claim in [CLAIM, "bisimulation KPK board"] {
            assert_eq!(refusal(Bisimulation, claim, 1 << 20), Reason::UnknownClaim);
        }
    }
}
