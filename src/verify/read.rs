//! Reading a certificate: telling the encodings apart, by content and never by name.
//!
//! A file that begins with the magic is a binary container, one that begins with `{` is JSON, anything else is no
//! certificate. Bytes are taken from the source piece by piece, each piece of a size that is known and bounded before it
//! is asked for, so that a source without an end is refused early and in bounded memory.
//!
//! Source: `docs/certificate-format.md`, introduction and *Binary container*.

use std::io::Read;

use super::{Certificate, Reason, Refusal, container, json};

/// The version of the format that this module reads.
pub(super) const VERSION: u32 = 1;

/// The longest payload, stored or expanded, in bytes.
pub(super) const LONGEST_PAYLOAD: u64 = 1 << 24;

/// The longest JSON text, in bytes.
const LONGEST_JSON: u64 = 1 << 25;

/// Reads a certificate to the end of the source and checks its form and its digest or id, but not its claim.
///
/// No more is read than the format allows a certificate to have, and one byte to see that nothing follows.
///
/// # Errors
///
/// The reasons from `empty file` to `id mismatch` of the format page, or [`Reason::Unreadable`] if the source fails.
pub fn read(source: &mut dyn Read) -> Result<Certificate, Refusal> {
    let mut input = Input { source, bytes: Vec::new() };
    input.take(1)?;
    match input.bytes.as_slice() {
        [] => Err(Refusal::new(Reason::EmptyFile, "byte 0")),
        [b'{'] => {
            input.take(LONGEST_JSON)?;
            if input.bytes.len() as u64 > LONGEST_JSON {
                let place = format_args!("byte {LONGEST_JSON}: the JSON text goes on");
                return Err(Refusal::new(Reason::LengthOutOfBounds, place));
            }
            json::read(&input.bytes)
        }
        _ => {
            input.take(7)?;
            if input.bytes != container::MAGIC {
                return Err(Refusal::new(Reason::NotACertificate, "byte 0"));
            }
            container::read(input)
        }
    }
}

/// A source, and all bytes taken from it so far.
pub(super) struct Input<'a> {
    source: &'a mut dyn Read,
    bytes: Vec<u8>,
}

impl Input<'_> {
    /// Takes the next bytes, fewer only where the source ends, and says how many they were.
    pub(super) fn take(&mut self, count: u64) -> Result<u64, Refusal> {
        let taken = (&mut *self.source).take(count).read_to_end(&mut self.bytes);
        taken.map(|taken| taken as u64).map_err(|error| Refusal::new(Reason::Unreadable, error))
    }

    /// Takes the next bytes as a field, all of them.
    pub(super) fn field(&mut self, name: &str, count: u64) -> Result<(), Refusal> {
        if self.take(count)? == count {
            return Ok(());
        }
        let place = format_args!("byte {}: the file ends inside the {name}", self.bytes.len());
        Err(Refusal::new(Reason::Truncated, place))
    }

    /// Takes the next bytes as a field of fixed width.
    pub(super) fn array<const N: usize>(&mut self, name: &str) -> Result<[u8; N], Refusal> {
        self.field(name, N as u64)?;
        Ok(*self.bytes.last_chunk().expect("a whole field was taken"))
    }

    /// All bytes taken so far.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
