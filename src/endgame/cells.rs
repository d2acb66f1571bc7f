//! The memory of the solver: one byte for each entry and side, and which parts of it a layer touches.
//!
//! A byte is a distance or one of three marks. A distance is final once its layer has been reached;
//! before that, a win may still become shorter.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// No state: men on one square, a pawn on the last rank, the side not to move in check, or like men
/// in another order.
pub(super) const ILLEGAL: u8 = 253;
/// Not decided, and never lost: a move leads to a draw outside, or it is stalemate.
pub(super) const HELD: u8 = 254;
/// Not decided.
pub(super) const UNKNOWN: u8 = 255;
/// The longest distance that a byte holds here.
pub(super) const LONGEST: u16 = 252;

const CHUNK: usize = 1 << 8;

/// The bytes of one side to move.
pub(super) struct Cells {
    bytes: Vec<AtomicU8>,
    /// For each layer a bit for each chunk in which that distance was written.
    touched: Vec<OnceLock<Vec<AtomicU64>>>,
    /// A bit for each entry that may have become lost.
    suspects: Vec<AtomicU64>,
}

impl Cells {
    /// All entries illegal.
    pub(super) fn new(entries: usize) -> Cells {
        Cells {
            bytes: std::iter::repeat_with(|| AtomicU8::new(ILLEGAL))
                .take(entries)
                .collect(),
            touched: (0..=LONGEST).map(|_| OnceLock::new()).collect(),
            suspects: zeros(entries / 64 + 1),
        }
    }

    /// The byte of an entry.
    pub(super) fn get(&self, entry: usize) -> u8 {
        self.bytes[entry].load(Ordering::Relaxed)
    }

    /// Sets the mark of an entry before the layers begin.
    pub(super) fn set_mark(&self, entry: usize, mark: u8) {
        self.bytes[entry].store(mark, Ordering::Relaxed);
    }

    /// Writes a distance. Whoever writes at the same time writes the same.
    pub(super) fn set_distance(&self, entry: usize, plies: u8) {
        self.bytes[entry].store(plies, Ordering::Relaxed);
        let words = self.bytes.len() / CHUNK / 64 + 1;
        let layer = self.touched[usize::from(plies)].get_or_init(|| zeros(words));
        set(layer, entry / CHUNK);
    }

    /// Notes an entry that may have become lost.
    pub(super) fn suspect(&self, entry: usize) {
        set(&self.suspects, entry);
    }

    /// The words of the entries noted by [`Cells::suspect`].
    pub(super) fn suspects(&self) -> &[AtomicU64] {
        &self.suspects
    }

    /// The chunks in which a distance was written, as words of 64 chunks; empty if it was nowhere.
    pub(super) fn touched(&self, plies: u8) -> &[AtomicU64] {
        self.touched[usize::from(plies)]
            .get()
            .map_or(&[], Vec::as_slice)
    }

    /// The entries with this distance in a word of [`Cells::touched`].
    pub(super) fn entries_in<'a>(
        &'a self,
        word: usize,
        bits: u64,
        plies: u8,
    ) -> impl Iterator<Item = usize> + 'a {
        let chunks = (0..64).filter(move |chunk| bits >> chunk & 1 != 0);
        chunks.flat_map(move |chunk| {
            let first = (word * 64 + chunk) * CHUNK;
            let chunk = &self.bytes[first..(first + CHUNK).min(self.bytes.len())];
            let has_distance = move |cell: &AtomicU8| cell.load(Ordering::Relaxed) == plies;
            let matching = chunk
                .iter()
                .enumerate()
                .filter(move |(_, cell)| has_distance(cell));
            matching.map(move |(place, _)| first + place)
        })
    }

    /// The plain bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_iter().map(AtomicU8::into_inner).collect()
    }
}

fn zeros(words: usize) -> Vec<AtomicU64> {
    std::iter::repeat_with(AtomicU64::default)
        .take(words)
        .collect()
}

/// Sets a bit. Most are set already, and looking is cheaper than writing.
fn set(words: &[AtomicU64], bit: usize) {
    let (word, mask) = (&words[bit / 64], 1 << (bit % 64));
    if word.load(Ordering::Relaxed) & mask == 0 {
        word.fetch_or(mask, Ordering::Relaxed);
    }
}
