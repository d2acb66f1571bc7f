//! Numbers for different lists of numbers, in the order in which they are met.

/// Lists that have been met. A hash finds the place to look at; what is there is compared exactly.
#[derive(Debug)]
pub(super) struct Interner {
    /// Open addressing: 0, or some bits of the hash above the number of a list plus one. The length is
    /// a power of two, and at least half of the slots are free.
    slots: Vec<u64>,
    /// All lists, one after the other.
    lists: Vec<u32>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Interner {
    pub(super) fn new() -> Interner {
        Interner {
            slots: vec![0; 1 << 8],
            lists: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// How many different lists there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The list with a number.
    pub(super) fn list(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lists[start..self.ends[number]]
    }

    /// All lists in the order of their numbers.
    pub(super) fn lists(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|number| self.list(number))
    }

    /// The number of a list, the next one if it is met for the first time.
    pub(super) fn number(&mut self, list: &[u32]) -> u32 {
        self.number_with(list, hash(list))
    }

    fn number_with(&mut self, list: &[u32], hash: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                break;
            }
            let number = slot as u32 - 1;
            if slot >> 32 == hash >> 32 && self.list(number as usize) == list {
                return number;
            }
            place = (place + 1) & mask;
        }
        let number = self.len() as u32;
        self.slots[place] = slot_of(hash, number);
        self.lists.extend_from_slice(list);
        self.ends.push(self.lists.len());
        if 2 * self.len() > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let mut slots = vec![0; 4 * self.slots.len()];
        let mask = slots.len() - 1;
        for (number, list) in self.lists().enumerate() {
            let hash = hash(list);
            let mut place = hash as usize & mask;
            while slots[place] != 0 {
                place = (place + 1) & mask;
            }
            slots[place] = slot_of(hash, number as u32);
        }
        self.slots = slots;
    }
}

fn slot_of(hash: u64, number: u32) -> u64 {
    hash >> 32 << 32 | u64::from(number + 1)
}

/// A hash that is the same in every run.
fn hash(list: &[u32]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR);
        product as u64 ^ (product >> 64) as u64
    };
    let mut pairs = list.chunks_exact(2);
    let mut state = FACTOR ^ list.len() as u64;
    for pair in &mut pairs {
        state = mix(state, u64::from(pair[0]) << 32 | u64::from(pair[1]));
    }
    for &last in pairs.remainder() {
        state = mix(state, u64::from(last));
    }
    mix(state, FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_numbered_as_they_are_met() {
        let mut interner = Interner::new();
        let lists: Vec<Vec<u32>> = (0..10_000).map(|n| vec![n % 7; n as usize % 5]).collect();
        let mut met: Vec<Vec<u32>> = Vec::new();
        for list in lists.iter().chain(&lists) {
            let known = met.iter().position(|other| other == list);
            assert_eq!(
                interner.number(list) as usize,
                known.unwrap_or(met.len()),
                "{list:?}"
            );
            if known.is_none() {
                met.push(list.clone());
            }
        }
        assert!(interner.lists().eq(met.iter().map(Vec::as_slice)));
        let before = interner.len() as u32;
        for number in 0..10_000 {
            assert_eq!(interner.number(&[number; 3]), before + number);
        }
    }

    /// Hashes that are all the same change nothing: lists are compared.
    #[test]
    fn collisions_are_seen() {
        let mut interner = Interner::new();
        let mut number = |list: &[u32]| interner.number_with(list, 7);
        assert_eq!((number(&[1, 2]), number(&[1, 3]), number(&[])), (0, 1, 2));
        assert_eq!((number(&[]), number(&[1, 3]), number(&[1, 2])), (2, 1, 0));
    }
}
