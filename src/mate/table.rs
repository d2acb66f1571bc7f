//! What a search remembers about positions.
//!
//! An entry holds the whole position, so that nothing is ever read about another one. Facts are bounds that
//! hold at every remaining length: *mates within p moves* also within more, *no mate within r moves* also within fewer. Proof
//! numbers belong to one remaining length and order the work only. Forgetting costs time, never truth.

use super::diagram::Key;
use super::numbers::Numbers;
use super::step::Step;

/// What is known about a position, with the attacker to move or the defender.
///
/// Lengths are counted in moves that the attacker still has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The attacker mates within so many moves; [`Entry::UNPROVED`] if that is not known for any.
    proved: u8,
    /// He cannot mate within fewer moves than this.
    open: u8,
    /// The length that the numbers are about.
    pub(crate) length: u8,
    /// With the attacker to move, the move that mates within `proved`; with the defender, the reply that
    /// refutes the longest mate that is refuted, if it was remembered.
    pub(crate) step: Option<Step>,
    pub(crate) numbers: Numbers,
}

impl Entry {
    /// Longer than any search.
    const UNPROVED: u8 = u8::MAX;

    /// Nothing is known.
    pub(crate) const UNKNOWN: Entry = Entry {
        proved: Entry::UNPROVED,
        open: 0,
        length: 0,
        step: None,
        numbers: Numbers {
            proof: 1,
            disproof: 1,
        },
    };

    /// Whether the attacker mates within `length` moves, if that is known.
    #[inline]
    pub(crate) const fn verdict(&self, length: u8) -> Option<bool> {
        if self.proved <= length {
            Some(true)
        } else if length < self.open {
            Some(false)
        } else {
            None
        }
    }

    /// The shortest mate that is proved.
    pub(crate) const fn proved(&self) -> Option<u8> {
        match self.proved {
            Entry::UNPROVED => None,
            proved => Some(proved),
        }
    }

    /// With a fact about the attacker to move: the move that mates within `length`, or that there is none.
    pub(crate) fn with_attack(mut self, length: u8, mating: Option<Step>) -> Entry {
        if mating.is_none() {
            self.open = self.open.max(length + 1);
        } else if length < self.proved {
            self.proved = length;
            self.step = mating;
        }
        self
    }

    /// With a fact about the defender to move, and a reply that refutes, if it is to be remembered.
    pub(crate) fn with_defence(mut self, length: u8, mates: bool, reply: Option<Step>) -> Entry {
        if mates {
            self.proved = self.proved.min(length);
        } else if length >= self.open {
            self.open = length + 1;
            self.step = reply;
        }
        self
    }

    /// With numbers of a question that is open.
    pub(crate) const fn with_numbers(mut self, length: u8, numbers: Numbers) -> Entry {
        self.length = length;
        self.numbers = numbers;
        self
    }
}

#[derive(Clone, Copy)]
struct Slot {
    key: Key,
    entry: Entry,
    /// How much work stands behind the entry, on a scale of its own; 0 if the slot is empty.
    worth: u32,
}

const EMPTY: Slot = Slot {
    key: Key([0; 4]),
    entry: Entry::UNKNOWN,
    worth: 0,
};

/// Slots that a position may be in.
const WAYS: usize = 4;

/// The memory of a search. It grows with the search, up to its size.
pub(crate) struct Table {
    slots: Vec<Slot>,
    largest: usize,
    used: usize,
}

impl Table {
    /// A table of at most so many bytes, and room for a few entries at least.
    pub(crate) fn new(bytes: u64) -> Table {
        let slots = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Slot>();
        let largest = (slots / WAYS).max(1) * WAYS;
        Table {
            slots: vec![EMPTY; largest.min(1 << 10)],
            largest,
            used: 0,
        }
    }

    #[inline]
    fn set(&self, key: Key) -> std::ops::Range<usize> {
        let sets = (self.slots.len() / WAYS) as u128;
        let set = ((u128::from(key.hash()) * sets) >> 64) as usize;
        set * WAYS..(set + 1) * WAYS
    }

    /// What is known about a position.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Entry {
        self.slots[self.set(key)]
            .iter()
            .find(|slot| slot.key == key)
            .map_or(Entry::UNKNOWN, |slot| slot.entry)
    }

    /// Remembers an entry; the cheapest of its set makes way.
    pub(crate) fn put(&mut self, key: Key, entry: Entry, worth: u64) {
        if self.used * 2 > self.slots.len() && self.slots.len() < self.largest {
            self.grow();
        }
        let set = self.set(key);
        let slots = &mut self.slots[set];
        let worth = worth.clamp(1, 1 << 31) as u32;
        let place = match slots.iter().position(|slot| slot.key == key) {
            Some(place) => place,
            None => {
                let cheapest = (0..WAYS).min_by_key(|&place| slots[place].worth);
                let cheapest = cheapest.unwrap_or(0);
                if slots[cheapest].worth == 0 {
                    self.used += 1;
                }
                // What was dear once and is not asked for any more must go some time.
                for slot in slots.iter_mut() {
                    slot.worth -= slot.worth / 8;
                }
                cheapest
            }
        };
        slots[place] = Slot { key, entry, worth };
    }

    /// How much of the largest size is in use, and that size, in slots.
    pub(crate) const fn use_of(&self) -> (usize, usize) {
        (self.used, self.largest)
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 4).min(self.largest);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
        self.used = 0;
        for slot in old.into_iter().filter(|slot| slot.worth > 0) {
            self.put(slot.key, slot.entry, u64::from(slot.worth));
        }
    }
}
