//! Numbers from a seed: each draw takes one word of the key stream of ChaCha20, so that draws can be followed by hand.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// Draws from one seed, in order.
#[derive(Debug)]
pub struct Draws(ChaCha20Rng);

impl Draws {
    /// The key is the seed, little-endian, followed by zeros.
    pub fn new(seed: u64) -> Draws {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Draws(ChaCha20Rng::from_seed(key))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key stream for a key of zeros: RFC 8439, A.1, test vector 1.
    #[test]
    fn draws_are_the_words_of_the_key_stream() {
        let mut draws = Draws::new(0);
        let words = [
            0xade0_b876_u32,
            0x903d_f1a0,
            0xe56a_5d40,
            0x28bd_8653,
            0xb819_d2bd,
        ];
        for word in words {
            let bound = u32::MAX;
            let expected = (u64::from(word) * u64::from(bound)) >> 32;
            assert_eq!(u64::from(draws.below(bound)), expected);
        }
        assert!((0..1_000).all(|_| draws.below(3) < 3));
        assert_eq!(draws.below(1), 0);
        assert_ne!(Draws::new(1).below(u32::MAX), Draws::new(2).below(u32::MAX));
    }
}
