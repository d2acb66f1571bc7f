//! Reading a certificate: telling the encodings apart, by content and never by name.
//!
//! A file that begins with the magic is a binary container, one that begins with `{` is JSON, anything else is no
//! certificate. Bytes are taken from the source piece by piece, each piece of a size that is known and bounded before
//! it is asked for, so that a source without an end is refused early and in bounded memory.
//!
//! Source: `docs/certificate-format.md`, introduction and *Binary container*.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

use super::{Certificate, Id, Reason, Refusal, container, json};

/// The version of the format that this module reads.
pub(super) const VERSION: u32 = 2;

/// The longest payload of all kinds but bundles, stored or expanded, in bytes.
pub(super) const LONGEST_PAYLOAD: u64 = 1 << 31;

/// The longest JSON text, in bytes.
const LONGEST_JSON: u64 = 1 << 26;

/// Who is shown the number, the claim and the id of each mate of a bundle. If it is nobody, the mates are judged.
pub(super) type EachMate<'a> = Option<&'a mut dyn FnMut(u64, &str, Id)>;

/// Reads a certificate to the end of the source and checks its form and its digest or id, and that its claim is in the
/// list, but not whether it is true.
///
/// No more is read than the format allows a certificate to have, and one byte to see that nothing follows. A bundle is not
/// kept, so its mates are judged here; what was found is told by a [`Session`](super::Session).
///
/// # Errors
///
/// The reasons of the format page from `empty file` to `unknown rules profile`, or [`Reason::Unreadable`] if the source
/// fails. A bundle that is not well formed is refused for whatever comes first in it, which may be a claim that does not
/// hold.
pub fn read(source: &mut dyn Read) -> Result<Certificate, Refusal> {
    read_within(source, LONGEST_JSON, None)
}

/// Does what [`read()`] does, but shows the mates of a bundle as they pass instead of judging them: the number, the claim and
/// the id of each, until one is not well formed. A bundle that was read like this is declined as unreadable by a
/// [`Session`](super::Session).
///
/// They are shown before the end of the file has been seen: nothing is known of them before this returns, and then only
/// that they are well formed.
///
/// # Errors
///
/// Those of [`read()`], but of a bundle nothing that is about the truth of a claim.
pub fn read_each(
    source: &mut dyn Read,
    each: &mut dyn FnMut(u64, &str, Id),
) -> Result<Certificate, Refusal> {
    read_within(source, LONGEST_JSON, Some(each))
}

/// Reads a certificate; a JSON text has no more bytes than the limit.
fn read_within(
    source: &mut dyn Read,
    longest_json: u64,
    each: EachMate,
) -> Result<Certificate, Refusal> {
    let mut input = Input::new(source);
    let mut text = Vec::new();
    input.take(1, &mut text)?;
    if text != b"{" {
        return container::read(input, &text, each);
    }
    input.take(longest_json, &mut text)?;
    if text.len() as u64 > longest_json {
        let place = format_args!("byte {longest_json}: the JSON text goes on");
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    json::read(&text)
}

/// The refusal of a source that fails.
pub(super) fn unreadable(error: io::Error) -> Refusal {
    Refusal::new(Reason::Unreadable, format_args!("reading it: {error}"))
}

/// A source, with the number and the digest of the bytes taken from it so far.
pub(super) struct Input<'a> {
    source: &'a mut dyn Read,
    taken: u64,
    digest: Sha256,
}

impl<'a> Input<'a> {
    /// A source from which nothing was taken.
    pub(super) fn new(source: &'a mut dyn Read) -> Input<'a> {
        let digest = Sha256::new();
        Input {
            source,
            taken: 0,
            digest,
        }
    }

    /// Puts the next bytes behind those that are there, fewer only where the source ends, and says how many they were.
    pub(super) fn take(&mut self, count: u64, bytes: &mut Vec<u8>) -> Result<u64, Refusal> {
        let before = bytes.len();
        let taken = (&mut *self.source).take(count).read_to_end(bytes);
        let taken = taken.map_err(unreadable)? as u64;
        self.digest.update(bytes.get(before..).unwrap_or_default());
        self.taken += taken;
        Ok(taken)
    }

    /// Takes the next bytes as a field of fixed width.
    pub(super) fn array<const N: usize>(&mut self, name: &str) -> Result<[u8; N], Refusal> {
        let mut field = Vec::with_capacity(N);
        self.take(N as u64, &mut field)?;
        <[u8; N]>::try_from(field).map_err(|_| self.truncated(name))
    }

    /// The refusal of a source that ends inside a field.
    pub(super) fn truncated(&self, name: &str) -> Refusal {
        let place = format_args!("byte {}: the file ends inside the {name}", self.taken);
        Refusal::new(Reason::Truncated, place)
    }

    /// How many bytes were taken so far.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// The digest of all bytes taken so far.
    pub(super) fn digest(&self) -> [u8; 32] {
        self.digest.clone().finalize().into()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::ruleset::ruleset;
    use super::*;

    /// Says the start, then zeros without an end, and counts what was taken.
    struct Endless {
        start: Vec<u8>,
        taken: usize,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            for byte in buffer.iter_mut() {
                *byte = self.start.get(self.taken).copied().unwrap_or(b' ');
                self.taken += 1;
            }
            Ok(buffer.len())
        }
    }

    fn endless(start: &[u8]) -> (Reason, usize) {
        let start = start.to_vec();
        let mut source = Endless { start, taken: 0 };
        let refusal = read_within(&mut source, 1 << 20, None).unwrap_err();
        (refusal.reason, source.taken)
    }

    #[test]
    fn a_source_without_end_is_left_early() {
        assert_eq!(endless(b""), (Reason::NotACertificate, 8));
        assert_eq!(endless(b"{"), (Reason::LengthOutOfBounds, (1 << 20) + 1));
        let header = |version: u32, length: u64| {
            let mut bytes = b"\x89DCHESS\n".to_vec();
            bytes.extend(version.to_le_bytes());
            bytes.extend(b"\x01\0\0\0\0");
            bytes.extend(length.to_le_bytes());
            bytes.extend(length.to_le_bytes());
            bytes.extend(ruleset().bytes());
            bytes
        };
        assert_eq!(endless(&header(1, 0)), (Reason::UnknownVersion, 12));
        assert_eq!(
            endless(&header(VERSION, 1 << 63)),
            (Reason::LengthOutOfBounds, 25)
        );
        assert_eq!(
            endless(&header(VERSION, 100)),
            (Reason::TrailingBytes, 65 + 100 + 32 + 1)
        );
    }

    /// Gives one byte at a time, and an interruption before each.
    pub(in super::super) struct Dripping<'a> {
        rest: &'a [u8],
        interrupt: bool,
    }

    impl Dripping<'_> {
        pub(in super::super) fn of(rest: &[u8]) -> Dripping<'_> {
            Dripping {
                rest,
                interrupt: false,
            }
        }
    }

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.interrupt = !self.interrupt;
            match (self.interrupt, self.rest.split_first(), buffer.first_mut()) {
                (true, _, _) => Err(io::ErrorKind::Interrupted.into()),
                (false, Some((&byte, rest)), Some(place)) => {
                    *place = byte;
                    self.rest = rest;
                    Ok(1)
                }
                _ => Ok(0),
            }
        }
    }

    #[test]
    fn short_reads_and_interruptions_change_nothing() {
        for file in [
            &b"\x89DCHESS\n\x01\0\0\0\x01"[..],
            b"{\"format\": 1",
            b"",
            b"x",
        ] {
            assert_eq!(read(&mut Dripping::of(file)), read(&mut &file[..]));
        }
    }

    #[test]
    fn a_source_that_fails_is_unreadable() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk\nis on fire"))
            }
        }
        let refusal = read(&mut Failing).unwrap_err();
        assert_eq!(refusal.reason, Reason::Unreadable);
        assert_eq!(refusal.place, "reading it: the disk\\u{a}is on fire");
        let mut breaks_later = (&b"{\"format\""[..]).chain(Failing);
        assert_eq!(
            read(&mut breaks_later).unwrap_err().reason,
            Reason::Unreadable
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_opened_but_cannot_be_read() {
        let mut folder = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
        let refusal = read(&mut folder).unwrap_err();
        assert_eq!(refusal.reason, Reason::Unreadable);
        let place = "reading it: Is a directory";
        assert!(refusal.place.starts_with(place), "{refusal}");
    }

    #[test]
    fn other_files_are_no_certificates() {
        let files: [&[u8]; 6] = [
            b"[]",
            b" {}",
            b"\xef\xbb\xbf{}",
            b"\x89DCHESS\r",
            b"\x89PNG\r\n\x1a\n",
            b"\0",
        ];
        for file in files {
            assert_eq!(
                read(&mut &file[..]).unwrap_err().reason,
                Reason::NotACertificate
            );
        }
        assert_eq!(read(&mut &b""[..]).unwrap_err().reason, Reason::EmptyFile);
    }
}
