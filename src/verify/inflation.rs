//! One compressed block, expanded while its bytes come.
//!
//! The room is a byte longer than the block has to be, and the compressed bytes are not kept: however long they are, no more
//! memory is needed than for what they expand to.
//!
//! Source: `docs/certificate-format.md`, *Binary container*, and RFC 1951.

use std::fmt::Display;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::Refusal;
use super::blocks::malformed;

/// A block of which some compressed bytes have come.
pub(super) struct Inflation {
    state: Box<DecompressorOxide>,
    /// How long the block has to be.
    length: usize,
    /// What has been expanded, and zeros for the rest: one byte at least, since where there is no room left, a stream of which
    /// only the end is missing could not be told from one that is too long.
    room: Vec<u8>,
    /// How many bytes have been expanded.
    expanded: usize,
    /// Whether the stream is at its end.
    is_done: bool,
}

impl Inflation {
    /// A block that has to expand to so many bytes.
    pub(super) fn of(length: usize) -> Inflation {
        Inflation {
            state: Box::default(),
            length,
            room: vec![0; length.saturating_add(1)],
            expanded: 0,
            is_done: false,
        }
    }

    /// Expands the next bytes. Behind the end of a stream there must be none.
    pub(super) fn push(&mut self, bytes: &[u8], block: impl Display) -> Result<(), Refusal> {
        // More may come: whether enough has come is asked in the end.
        let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
            | inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
        if bytes.is_empty() {
            return Ok(());
        }
        if self.is_done {
            return Err(self.refusal(block));
        }
        let (status, read, written) =
            decompress(&mut self.state, bytes, &mut self.room, self.expanded, flags);
        self.expanded += written;
        self.is_done = status == TINFLStatus::Done;
        let goes_on = self.is_done || status == TINFLStatus::NeedsMoreInput;
        match goes_on && read == bytes.len() {
            true => Ok(()),
            false => Err(self.refusal(block)),
        }
    }

    /// The expanded block, if all of it has come.
    pub(super) fn whole(mut self, block: impl Display) -> Result<Vec<u8>, Refusal> {
        if !self.is_done || self.expanded != self.length {
            return Err(self.refusal(block));
        }
        self.room.truncate(self.length);
        Ok(self.room)
    }

    fn refusal(&self, block: impl Display) -> Refusal {
        let length = self.length;
        malformed(format_args!(
            "block {block} is not one stream of {length} bytes"
        ))
    }
}

#[cfg(test)]
mod tests {
    use miniz_oxide::deflate::compress_to_vec;

    use super::super::Reason;
    use super::*;

    /// What comes out when the bytes come in pieces.
    fn expanded(pieces: &[&[u8]], length: usize) -> Result<Vec<u8>, Refusal> {
        let mut inflation = Inflation::of(length);
        for piece in pieces {
            inflation.push(piece, 7)?;
        }
        inflation.whole(7)
    }

    /// Texts of several kinds, as streams of stored bytes, of fixed and of other codes.
    fn streams() -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut noise = 1_u32;
        let mut noisy = |_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (noise >> 24) as u8
        };
        // No block is empty.
        let texts = [
            b"a".to_vec(),
            b"the same and the same and the same again".to_vec(),
            (0..3_000).map(|n| (n % 7 * n % 11) as u8).collect(),
            (0..700).map(&mut noisy).collect(),
        ];
        let streams = texts.iter().flat_map(|text| {
            [0, 1, 6, 9].map(|level| (text.clone(), compress_to_vec(text, level)))
        });
        streams.collect()
    }

    #[test]
    fn pieces_change_nothing() {
        for (text, stream) in streams() {
            assert_eq!(expanded(&[&stream], text.len()), Ok(text.clone()));
            let bytes: Vec<&[u8]> = stream.chunks(1).collect();
            assert_eq!(expanded(&bytes, text.len()), Ok(text.clone()));
            for at in 0..=stream.len() {
                let (a, b) = stream.split_at(at);
                assert_eq!(expanded(&[a, b], text.len()), Ok(text.clone()), "{at}");
            }
        }
    }

    #[test]
    fn a_stream_ends_at_its_end_and_has_its_length() {
        for (text, stream) in streams() {
            let refused = |pieces: &[&[u8]], length: usize| {
                let refusal = expanded(pieces, length).unwrap_err();
                assert_eq!(refusal.reason, Reason::MalformedBlock);
                assert!(refusal.place.starts_with("block 7 is not one stream of "));
            };
            for length in 0..stream.len() {
                let shorter = &stream[..length];
                refused(&[shorter], text.len());
                refused(&shorter.chunks(1).collect::<Vec<_>>(), text.len());
            }
            for more in [&b"\0"[..], b"\x03\0", &stream] {
                let longer = [&stream[..], more].concat();
                refused(&[&longer], text.len());
                refused(&[&stream, more], text.len());
                refused(&longer.chunks(1).collect::<Vec<_>>(), text.len());
            }
            for length in [text.len() + 1, text.len().wrapping_sub(1)] {
                if length < 1 << 16 {
                    refused(&[&stream], length);
                    refused(&stream.chunks(1).collect::<Vec<_>>(), length);
                }
            }
        }
    }
}
