//! The words of a seed: the key stream of ChaCha20, and what is drawn with it.
//!
//! A block is sixteen words that follow from a key, a counter and a nonce: a state of constants, key, counter and nonce goes
//! through twenty rounds, of which every second one mixes its columns and the others its diagonals, and is added to itself as it
//! was. Here the key is the seed and the nonce is 0; the counter goes up from 0, block by block. (It starts anew after 2³²
//! blocks, which no claim of the list comes to.)
//!
//! Source: `docs/certificate-format.md`, *The draws*, and RFC 8439, 2.1 to 2.3.

use super::reach::squares_of;

/// The words of a seed of which some were taken.
pub(super) struct KeyStream {
    key: [u32; 8],
    /// The number of the next block.
    counter: u32,
    block: [u32; 16],
    /// How many words of the block were taken.
    taken: usize,
}

impl KeyStream {
    /// The words of a seed, of which none was taken.
    pub(super) fn of(seed: u64) -> KeyStream {
        let (low, high) = (seed as u32, (seed >> 32) as u32);
        KeyStream {
            key: [low, high, 0, 0, 0, 0, 0, 0],
            counter: 0,
            block: [0; 16],
            taken: 16,
        }
    }

    /// Takes the next word.
    fn word(&mut self) -> u32 {
        if let Some(&word) = self.block.get(self.taken) {
            self.taken += 1;
            return word;
        }
        self.block = block(self.key, self.counter, [0; 3]);
        self.counter = self.counter.wrapping_add(1);
        self.taken = 1;
        let [word, ..] = self.block;
        word
    }

    /// Draws a number below another one.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        let product = u64::from(self.word()) * u64::from(bound);
        (product >> 32) as u32
    }

    /// Draws one of some things; none if there is none, and then no word is taken.
    pub(super) fn one_of<T: Copy>(&mut self, things: &[T]) -> Option<T> {
        if things.is_empty() {
            return None;
        }
        let number = self.below(things.len() as u32);
        things.get(number as usize).copied()
    }

    /// Draws a square of a set; none if it is empty, and then no word is taken.
    pub(super) fn square_of(&mut self, squares: u64) -> Option<u8> {
        let squares: Vec<u8> = squares_of(squares).collect();
        self.one_of(&squares)
    }
}

/// The constants of the state.
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// The places of the state that a quarter round mixes: four columns, then four diagonals.
const QUARTERS: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];

/// A block of the key stream.
fn block(key: [u32; 8], counter: u32, nonce: [u32; 3]) -> [u32; 16] {
    let [a, b, c, d] = CONSTANTS;
    let [e, f, g, h, i, j, k, l] = key;
    let [x, y, z] = nonce;
    let start = [a, b, c, d, e, f, g, h, i, j, k, l, counter, x, y, z];
    let mut state = start;
    for _ in 0..10 {
        for places in QUARTERS {
            let mixed = quarter_round(places.map(|place| state[place]));
            for (place, word) in places.into_iter().zip(mixed) {
                state[place] = word;
            }
        }
    }
    for (word, before) in state.iter_mut().zip(start) {
        *word = word.wrapping_add(before);
    }
    state
}

/// Mixes four words.
fn quarter_round([mut a, mut b, mut c, mut d]: [u32; 4]) -> [u32; 4] {
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(16);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(12);
    a = a.wrapping_add(b);
    d = (d ^ a).rotate_left(8);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_left(7);
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_round_is_that_of_the_rfc() {
        // Source: RFC 8439, 2.1.1.
        let before = [0x1111_1111, 0x0102_0304, 0x9b8d_6f43, 0x0123_4567];
        let after = [0xea2a_92f4, 0xcb1c_f8ce, 0x4581_472e, 0x5881_c4bb];
        assert_eq!(quarter_round(before), after);
    }

    #[test]
    fn a_block_is_that_of_the_rfc() {
        // Source: RFC 8439, 2.3.2. The key is the bytes 0 to 31, the nonce 00:00:00:09:00:00:00:4a:00:00:00:00.
        let key = std::array::from_fn(|word| {
            u32::from_le_bytes(std::array::from_fn(|byte| (4 * word + byte) as u8))
        });
        let words = [
            0xe4e7_f110,
            0x1559_3bd1,
            0x1fdd_0f50,
            0xc471_20a3,
            0xc7f4_d1c7,
            0x0368_c033,
            0x9aaa_2204,
            0x4e6c_d4c3,
            0x4664_82d2,
            0x09aa_9f07,
            0x05d7_c214,
            0xa202_8bd9,
            0xd19c_12b5,
            0xb94e_16de,
            0xe883_d0cb,
            0x4e3c_50a2,
        ];
        assert_eq!(block(key, 1, [0x0900_0000, 0x4a00_0000, 0]), words);
    }

    #[test]
    fn the_stream_of_a_text_is_that_of_the_rfc() {
        // Source: RFC 8439, 2.4.2: the beginning of a text, and of what it becomes by the stream from block 1 on.
        let key = std::array::from_fn(|word| {
            u32::from_le_bytes(std::array::from_fn(|byte| (4 * word + byte) as u8))
        });
        let words = block(key, 1, [0, 0x4a00_0000, 0]);
        let stream = words.iter().flat_map(|word| word.to_le_bytes());
        let text = b"Ladies and Gentl";
        let found: Vec<u8> = stream.zip(text).map(|(key, text)| key ^ text).collect();
        let wanted = [
            0x6e, 0x2e, 0x35, 0x9a, 0x25, 0x68, 0xf9, 0x80, 0x41, 0xba, 0x07, 0x28, 0xdd, 0x0d,
            0x69, 0x81,
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn the_words_of_seed_0_are_those_of_the_key_0() {
        // Source: RFC 8439, A.1, test vectors 1 and 2: the first bytes of blocks 0 and 1.
        let mut stream = KeyStream::of(0);
        let words: Vec<u32> = (0..18).map(|_| stream.word()).collect();
        let word = u32::from_le_bytes;
        assert_eq!(words[0], word([0x76, 0xb8, 0xe0, 0xad]));
        assert_eq!(words[1], word([0xa0, 0xf1, 0x3d, 0x90]));
        assert_eq!(words[15], word([0xb2, 0xee, 0x65, 0x86]));
        assert_eq!(words[16], word([0x9f, 0x07, 0xe7, 0xbe]));
        assert_eq!(words[17], word([0x55, 0x51, 0x38, 0x7a]));
    }

    #[test]
    fn a_seed_is_the_first_eight_bytes_of_the_key() {
        let seed = 0x0706_0504_0302_0100;
        let mut stream = KeyStream::of(seed);
        let key = [0x0302_0100, 0x0706_0504, 0, 0, 0, 0, 0, 0];
        let words = [block(key, 0, [0; 3]), block(key, 1, [0; 3])].concat();
        for word in words {
            assert_eq!(stream.word(), word);
        }
        // The counter is the only thing that is different after a block.
        assert_ne!(block(key, 0, [0; 3]), block(key, 1, [0; 3]));
    }

    #[test]
    fn draws_are_bounded_and_in_order() {
        let (mut stream, mut twin) = (KeyStream::of(7), KeyStream::of(7));
        let mut found = [0; 5];
        for _ in 0..10_000 {
            let number = stream.below(5);
            let word = twin.word();
            // The integer part of word × 5 / 2³², which is that of 5 parts of the range of words.
            let parts = (1..5_u64).filter(|part| u64::from(word) * 5 >= part << 32);
            assert_eq!(number as usize, parts.count());
            found[number as usize] += 1;
        }
        assert!(
            found.iter().all(|&n| (1_800..2_200).contains(&n)),
            "{found:?}"
        );
        assert_eq!(stream.below(1), 0);
        twin.word();
        // Nothing is taken for an empty list.
        assert_eq!(stream.one_of::<u8>(&[]), None);
        assert_eq!(stream.square_of(0), None);
        assert_eq!(stream.one_of(&[9]), Some(9));
        twin.word();
        let squares = 1 << 63 | 1 << 40 | 1;
        for _ in 0..100 {
            let place = twin.below(3) as usize;
            assert_eq!(stream.square_of(squares), Some([0, 40, 63][place]));
        }
    }
}
