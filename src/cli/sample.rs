//! A sample of things that come one after the other, nobody knows how many.
//!
//! Each thing gets a number that follows from the seed and its place alone, and those with the
//! smallest numbers are kept. The numbers are those of SplitMix64 (Steele, Lea, Flood 2014), a
//! permutation of 64 bits, so none comes twice and every choice is equally likely as far as the
//! generator is good. It is written out here because a sample must stay the same for ever, whatever
//! a library does with its seeds.

use std::collections::BTreeMap;

/// The sample so far.
pub(crate) struct Sample<T> {
    size: usize,
    start: u64,
    /// By number: the place and the thing.
    kept: BTreeMap<u64, (u64, T)>,
}

impl<T> Sample<T> {
    /// At most `size` things will be kept.
    pub(crate) fn new(size: usize, seed: u64) -> Sample<T> {
        Sample {
            size,
            start: mix(seed),
            kept: BTreeMap::new(),
        }
    }

    /// Offers the thing at a place.
    pub(crate) fn offer(&mut self, place: u64, thing: T) {
        self.kept
            .insert(mix(self.start.wrapping_add(place)), (place, thing));
        if self.kept.len() > self.size {
            self.kept.pop_last();
        }
    }

    /// The things that were kept, with their places, in their order.
    pub(crate) fn into_order(self) -> Vec<(u64, T)> {
        let mut kept: Vec<(u64, T)> = self.kept.into_values().collect();
        kept.sort_unstable_by_key(|&(place, _)| place);
        kept
    }
}

/// The output of SplitMix64 for a state.
const fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(size: usize, seed: u64, things: u64) -> Vec<u64> {
        let mut sample = Sample::new(size, seed);
        (0..things).for_each(|place| sample.offer(place, ()));
        let kept = sample.into_order();
        kept.into_iter().map(|(place, ())| place).collect()
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs for seed 1234567, from the reference implementation (Vigna, splitmix64.c).
        const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
        let outputs =
            [0, 1, 2].map(|n: u64| mix(1_234_567_u64.wrapping_add(n.wrapping_mul(GAMMA))));
        assert_eq!(
            outputs,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn a_sample_has_its_size_and_follows_from_its_seed() {
        assert_eq!(places(5, 1, 1_000).len(), 5);
        assert_eq!(places(5, 1, 1_000), places(5, 1, 1_000));
        assert_ne!(places(5, 1, 1_000), places(5, 2, 1_000));
        assert!(places(5, 1, 1_000).is_sorted());
        assert_eq!(places(5, 1, 3), [0, 1, 2]);
        // A smaller sample is a part of a larger one.
        let large = places(20, 7, 1_000);
        assert!(
            places(5, 7, 1_000)
                .iter()
                .all(|place| large.contains(place))
        );
    }

    #[test]
    fn every_place_is_kept_about_equally_often() {
        let mut kept = [0_u32; 20];
        for seed in 0..2_000 {
            for place in places(5, seed, 20) {
                kept[place as usize] += 1;
            }
        }
        // 500 each, with a standard deviation of about 19.
        assert!(
            kept.iter().all(|count| (400..600).contains(count)),
            "{kept:?}"
        );
    }
}
