//! Numbers for different lists of numbers, in the order in which they are met.

/// Lists that have been met. A hash finds the place to look at; what is there is compared exactly.
#[derive(Debug)]
pub(super) struct Interner {
    /// Open addressing: 0, or some bits of a hash above the place of a list plus one. The length is a
    /// power of two, and at least half of the slots are free.
    slots: Vec<u64>,
    /// All lists, one after the other, each behind its number and its length.
    lists: Vec<u32>,
    count: u32,
}

/// A list that is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    list: &'a [u32],
    hash: u64,
}

impl<'a> Wanted<'a> {
    /// A list, ready to be looked for.
    pub(super) fn new(list: &'a [u32]) -> Wanted<'a> {
        Wanted {
            list,
            hash: hash(list),
        }
    }
}

/// Bits of the place in a slot; more than any memory holds. The others are of the hash.
const PLACE_BITS: u32 = 40;

impl Interner {
    /// Without lists; with slots for about as many as are expected.
    pub(super) fn new(expected: usize) -> Interner {
        Interner {
            slots: vec![0; (2 * expected).next_power_of_two().max(1 << 6)],
            lists: Vec::new(),
            count: 0,
        }
    }

    /// How many different lists there are.
    pub(super) const fn len(&self) -> usize {
        self.count as usize
    }

    /// All lists in the order of their numbers.
    pub(super) fn lists(&self) -> impl Iterator<Item = &[u32]> {
        self.places().map(|(_, list)| list)
    }

    /// The same, with the places where they stand.
    fn places(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let mut place = 0;
        std::iter::from_fn(move || {
            let length = *self.lists.get(place + 1)?;
            let own = place;
            place += 2 + length as usize;
            Some((own, &self.lists[own + 2..place]))
        })
    }

    /// Reads what the search for a list will read first. Reading this for several lists in a row, the
    /// processor need not wait for each.
    pub(super) fn touch(&self, wanted: Wanted) -> u64 {
        self.slots[wanted.hash as usize & (self.slots.len() - 1)]
    }

    /// The number of a list, the next one if it is met for the first time.
    pub(super) fn number(&mut self, wanted: Wanted) -> u32 {
        let Wanted { list, hash } = wanted;
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            let found = self.slots[slot];
            if found >> PLACE_BITS == hash >> PLACE_BITS {
                let place = (found & ((1 << PLACE_BITS) - 1)) as usize - 1;
                let start = place + 2;
                let length = self.lists[place + 1] as usize;
                if self.lists[start..start + length] == *list {
                    return self.lists[place];
                }
            }
            slot = (slot + 1) & mask;
        }
        let number = self.count;
        self.slots[slot] = slot_of(hash, self.lists.len());
        self.lists.extend([number, list.len() as u32]);
        self.lists.extend_from_slice(list);
        self.count += 1;
        if 2 * self.len() > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let mut slots = vec![0; 4 * self.slots.len()];
        let mask = slots.len() - 1;
        for (place, list) in self.places() {
            let hash = hash(list);
            let mut slot = hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = slot_of(hash, place);
        }
        self.slots = slots;
    }
}

const fn slot_of(hash: u64, place: usize) -> u64 {
    hash >> PLACE_BITS << PLACE_BITS | (place as u64 + 1)
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
        let mut interner = Interner::new(0);
        let lists: Vec<Vec<u32>> = (0..10_000).map(|n| vec![n % 7; n as usize % 5]).collect();
        let mut met: Vec<Vec<u32>> = Vec::new();
        for list in lists.iter().chain(&lists) {
            let known = met.iter().position(|other| other == list);
            assert_eq!(
                interner.number(Wanted::new(list)) as usize,
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
            let list = [number; 6];
            assert_eq!(interner.number(Wanted::new(&list)), before + number);
        }
        assert_eq!(interner.number(Wanted::new(&[9_999; 6])), before + 9_999);
    }

    /// Hashes that are all the same change nothing: lists are compared.
    #[test]
    fn collisions_are_seen() {
        let mut interner = Interner::new(0);
        let mut number = |list: &[u32]| interner.number(Wanted { list, hash: 7 });
        assert_eq!((number(&[1, 2]), number(&[1, 3]), number(&[])), (0, 1, 2));
        assert_eq!((number(&[]), number(&[1, 3]), number(&[1, 2])), (2, 1, 0));
    }
}
