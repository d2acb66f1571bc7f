//! Kind 6: bundles, mates one after the other.
//!
//! A bundle may be larger than the memory, and its claim, which comes first, says how many mates follow. So they wait in a
//! file until the last one is there; then the whole is compressed, block by block, into another one, because a container
//! begins with its length; then it is written.

use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::mate::CertifiedMate;
use super::sealed::{BLOCK, Id, Kind, SealError, compressed, header, id_digest};

const KIND: Kind = Kind {
    number: 6,
    name: "bundle",
    has_class: false,
};

/// Blocks that are compressed at a time.
const BLOCKS_AT_A_TIME: u64 = 64;

/// Why a bundle could not be written.
#[derive(Debug, Error)]
pub enum BundleError {
    /// A fault of this program.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There are more mates than a bundle can count.
    #[error("a bundle holds at most 4,294,967,295 mates")]
    Full,
}

/// Whether a claim is that of a bundle.
pub fn is_bundle_claim(claim: &str) -> bool {
    claim.starts_with("bundle of ")
}

/// A bundle in the making. `S` is a place for what cannot be written yet, such as a temporary file.
pub struct Bundle<S: Write> {
    spool: BufWriter<S>,
    mates: u32,
}

/// What is known of a bundle when it was written.
#[derive(Clone, Debug)]
pub struct WrittenBundle {
    /// The id.
    pub id: Id,
    /// The claim.
    pub claim: String,
    /// The length of the file in bytes.
    pub bytes: u64,
}

impl<S: Read + Write + Seek> Bundle<S> {
    /// A bundle of no mates yet, with an empty place for them.
    pub fn new(spool: S) -> Bundle<S> {
        Bundle {
            spool: BufWriter::new(spool),
            mates: 0,
        }
    }

    /// How many mates are in it.
    pub const fn mates(&self) -> u32 {
        self.mates
    }

    /// Adds a mate behind the others, and says its number.
    ///
    /// # Errors
    ///
    /// [`BundleError`]; then the bundle is of no more use.
    pub fn add(&mut self, mate: &CertifiedMate) -> Result<u32, BundleError> {
        let payload = mate.payload()?;
        let number = self.mates;
        self.mates = number.checked_add(1).ok_or(BundleError::Full)?;
        self.spool
            .write_all(&(payload.len() as u64).to_le_bytes())?;
        self.spool.write_all(&payload)?;
        Ok(number)
    }

    /// Writes the whole, with another empty place for what cannot be written yet.
    ///
    /// # Errors
    ///
    /// [`BundleError`].
    pub fn write(self, mut room: S, out: &mut impl Write) -> Result<WrittenBundle, BundleError> {
        let claim = format!("bundle of {} mates", self.mates);
        let mut beginning = (claim.len() as u64).to_le_bytes().to_vec();
        beginning.extend(claim.as_bytes());
        beginning.extend(u64::from(self.mates).to_le_bytes());
        let mut spool = self
            .spool
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        let expanded = beginning.len() as u64 + spool.stream_position()?;
        spool.rewind()?;

        let mut payload = beginning.as_slice().chain(BufReader::new(&mut spool));
        let mut id = id_digest(KIND);
        let mut ends = Vec::new();
        let mut end = 0;
        let mut blocks = Vec::new();
        loop {
            blocks.clear();
            let mut some = (&mut payload).take(BLOCKS_AT_A_TIME * BLOCK as u64);
            if some.read_to_end(&mut blocks)? == 0 {
                break;
            }
            id.update(&blocks);
            for block in compressed(&blocks) {
                end += block.len() as u64;
                ends.push(end);
                room.write_all(&block)?;
            }
        }
        let stored = 8 + 8 * ends.len() as u64 + end;

        let mut out = Digesting::new(out);
        if KIND.may_expand(expanded, stored) {
            out.write_all(&header(KIND, 1, stored, expanded))?;
            out.write_all(&(ends.len() as u64).to_le_bytes())?;
            for end in &ends {
                out.write_all(&end.to_le_bytes())?;
            }
            room.rewind()?;
            io::copy(&mut room, &mut out)?;
        } else {
            out.write_all(&header(KIND, 0, expanded, expanded))?;
            out.write_all(&beginning)?;
            spool.seek(SeekFrom::Start(0))?;
            io::copy(&mut spool, &mut out)?;
        }
        Ok(WrittenBundle {
            id: Id(id.finalize().into()),
            claim,
            bytes: out.finish()?,
        })
    }
}

/// Passes on what is written, and puts its digest behind it.
struct Digesting<'a, W> {
    sink: &'a mut W,
    digest: Sha256,
    bytes: u64,
}

impl<'a, W: Write> Digesting<'a, W> {
    fn new(sink: &'a mut W) -> Digesting<'a, W> {
        Digesting {
            sink,
            digest: Sha256::new(),
            bytes: 0,
        }
    }

    /// Writes the digest; the length of the whole.
    fn finish(self) -> io::Result<u64> {
        let digest = self.digest.finalize();
        self.sink.write_all(&digest)?;
        Ok(self.bytes + digest.len() as u64)
    }
}

impl<W: Write> Write for Digesting<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}
