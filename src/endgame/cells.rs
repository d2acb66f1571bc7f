//! The memory of the solver: one byte for each entry and side, and sets of states for each group.
//!
//! A byte is a distance, or 255 as long as none is known. A distance is final once its layer has been
//! reached; before that, a win may still become shorter.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use shakmaty::Bitboard;

use super::value_byte::DRAWN;

/// No state: men on one square, a pawn on the last rank, the side not to move in check, or like men
/// in another order.
pub(super) const ILLEGAL: u8 = 253;
/// The longest distance that a byte holds here.
pub(super) const LONGEST: u16 = 252;

/// The states of one side to move.
pub(super) struct Cells {
    bytes: Vec<AtomicU8>,
    sets: Vec<Sets>,
    /// For each layer a bit for each group in which that distance was written.
    touched: Vec<OnceLock<Vec<AtomicU64>>>,
    /// A bit for each group that has suspects.
    suspicious: Vec<AtomicU64>,
}

/// Sets of states of one group, as squares of the last man.
#[derive(Default)]
struct Sets {
    /// Not known to be won in the layers so far.
    live: AtomicU64,
    /// May still be lost: neither decided nor held by a move to a draw outside.
    open: AtomicU64,
    /// With a distance whose layer has not been reached.
    waiting: AtomicU64,
    /// Open ones that may have become lost.
    suspects: AtomicU64,
}

impl Cells {
    /// No states.
    pub(super) fn new(groups: usize) -> Cells {
        Cells {
            bytes: std::iter::repeat_with(|| AtomicU8::new(ILLEGAL))
                .take(groups * 64)
                .collect(),
            sets: std::iter::repeat_with(Sets::default).take(groups).collect(),
            touched: (0..=LONGEST).map(|_| OnceLock::new()).collect(),
            suspicious: zeros(groups / 64 + 1),
        }
    }

    /// Declares the states of a group.
    pub(super) fn set_states(&self, group: usize, states: Bitboard) {
        self.sets[group].live.store(states.0, Ordering::Relaxed);
        for square in states {
            self.bytes[group * 64 + square.to_usize()].store(DRAWN, Ordering::Relaxed);
        }
    }

    /// Declares which states of a group may be lost.
    pub(super) fn set_open(&self, group: usize, open: Bitboard) {
        self.sets[group].open.store(open.0, Ordering::Relaxed);
    }

    /// The byte of an entry.
    pub(super) fn get(&self, entry: usize) -> u8 {
        self.bytes[entry].load(Ordering::Relaxed)
    }

    /// The states of a group that are not known to be won in the layers so far; before the first layer
    /// all states.
    pub(super) fn live(&self, group: usize) -> Bitboard {
        Bitboard(self.sets[group].live.load(Ordering::Relaxed))
    }

    /// Writes a distance.
    pub(super) fn set_distance(&self, group: usize, states: Bitboard, plies: u8) {
        for square in states {
            self.bytes[group * 64 + square.to_usize()].store(plies, Ordering::Relaxed);
        }
        self.sets[group]
            .waiting
            .fetch_or(states.0, Ordering::Relaxed);
        let layer =
            self.touched[usize::from(plies)].get_or_init(|| zeros(self.sets.len() / 64 + 1));
        set(layer, group);
    }

    /// Writes the distance of a win to those of these states that are not won earlier, and says
    /// whether there are any.
    pub(super) fn win(&self, group: usize, states: Bitboard, plies: u8) -> bool {
        let live = &self.sets[group].live;
        if live.load(Ordering::Relaxed) & states.0 == 0 {
            return false;
        }
        let won = live.fetch_and(!states.0, Ordering::Relaxed) & states.0;
        if won == 0 {
            return false;
        }
        self.set_distance(group, Bitboard(won), plies);
        true
    }

    /// Writes the distance of a loss to open states.
    pub(super) fn lose(&self, group: usize, states: Bitboard, plies: u8) {
        self.sets[group]
            .open
            .fetch_and(!states.0, Ordering::Relaxed);
        self.set_distance(group, states, plies);
    }

    /// Takes the states of a group whose layer is reached; wins are live no longer.
    pub(super) fn take_reached(&self, group: usize, plies: u8) -> Bitboard {
        let sets = &self.sets[group];
        let mut reached = Bitboard::EMPTY;
        for square in Bitboard(sets.waiting.load(Ordering::Relaxed)) {
            if self.get(group * 64 + square.to_usize()) == plies {
                reached.add(square);
            }
        }
        sets.waiting.fetch_and(!reached.0, Ordering::Relaxed);
        if plies % 2 == 1 {
            sets.live.fetch_and(!reached.0, Ordering::Relaxed);
        }
        reached
    }

    /// Notes those of these states that may have become lost.
    pub(super) fn suspect(&self, group: usize, states: Bitboard) {
        let sets = &self.sets[group];
        let open = sets.open.load(Ordering::Relaxed) & sets.live.load(Ordering::Relaxed);
        let suspects = open & states.0;
        if suspects & !sets.suspects.load(Ordering::Relaxed) != 0 {
            sets.suspects.fetch_or(suspects, Ordering::Relaxed);
            set(&self.suspicious, group);
        }
    }

    /// Takes the states noted by [`Cells::suspect`].
    pub(super) fn take_suspects(&self, group: usize) -> Bitboard {
        Bitboard(self.sets[group].suspects.swap(0, Ordering::Relaxed))
    }

    /// The groups that have suspects, as words of 64 groups.
    pub(super) fn suspicious(&self) -> &[AtomicU64] {
        &self.suspicious
    }

    /// The groups in which a distance was written, as words of 64 groups; empty if it was nowhere.
    pub(super) fn touched(&self, plies: u8) -> &[AtomicU64] {
        self.touched[usize::from(plies)]
            .get()
            .map_or(&[], Vec::as_slice)
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
