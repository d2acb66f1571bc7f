//! The canonical states of a class: for each place one bit, and the number of a state as the count of bits before its
//! own.
//!
//! All placements with the white king on a canonical square are gone through in the order of places. A bit says that
//! the placement is a raw legal state and its own canonical image. So a *number*, the place of a state in canonical
//! order, is what its definition says, and needs no list: 12 bytes for every 64 places say everything.
//!
//! A move of a state is legal exactly if the placement after it is a raw legal state, that is, if the canonical place
//! of that placement has its bit. This is how `sweep` asks.
//!
//! Invariant: `before` counts the bits before each word; there are at most 2³⁰ places.
//!
//! Source: `docs/certificate-format.md`, *The states* and *Payload* (`starts`).

use super::Square;
use super::class::{Class, MOST_MEN};
use super::layout::{Layout, Place, Squares};
use super::man::{Kind, Man, Side};

/// The number of a canonical state, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Number(u32);

impl Number {
    /// The number itself.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The canonical states of a class.
pub(super) struct Index {
    layout: Layout,
    words: Vec<u64>,
    before: Vec<u32>,
    len: u32,
    raw_states: u64,
}

impl Index {
    /// Goes through all placements of the class whose white king can be that of a canonical state.
    pub(super) fn of(class: &Class) -> Index {
        let layout = Layout::of(class);
        let mut states = Enumeration {
            men: class.men(),
            words: vec![0; layout.places().div_ceil(64)],
            layout: &layout,
            board: [false; 64],
            squares: [Square::FIRST; MOST_MEN],
            raw_states: 0,
        };
        for &king in layout.kings() {
            states.put(0, king);
        }
        let (words, raw_states) = (states.words, states.raw_states);
        let mut len = 0;
        let mut before = Vec::with_capacity(words.len());
        for word in &words {
            before.push(len);
            len += word.count_ones();
        }
        Index {
            layout,
            words,
            before,
            len,
            raw_states,
        }
    }

    /// How the places of the class are written.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many canonical states there are.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// How many raw legal states there are: every placement counted as often as its white king has images.
    pub(super) fn raw_states(&self) -> u64 {
        self.raw_states
    }

    /// The number of the canonical state at a place; none if there is none.
    #[inline]
    pub(super) fn number(&self, place: Place) -> Option<Number> {
        let (word, bit) = (place.index() / 64, place.index() % 64);
        let (&bits, &before) = (self.words.get(word)?, self.before.get(word)?);
        let lower = bits & ((1 << bit) - 1);
        (bits >> bit & 1 == 1).then(|| Number(before + lower.count_ones()))
    }

    /// The number of the canonical image of a placement; none if it is not a raw legal state.
    pub(super) fn find(&self, squares: &Squares, to_move: Side) -> Option<Number> {
        self.number(self.layout.place(squares, to_move)?)
    }

    /// The places of the canonical states in order.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(Place::from_index(64 * word + bit))
            })
        })
    }

    /// For each choice of squares of all men but the last two, the number of canonical states whose tuple begins with
    /// smaller squares. (The last two men and the side are 13 bits: a choice begins with a word of its own.)
    pub(super) fn starts(&self) -> impl Iterator<Item = u64> {
        let choices = 64usize.pow(self.layout.men() as u32 - 3);
        let kings = self.layout.kings();
        Square::all().flat_map(move |king| {
            let place = kings.partition_point(|&other| other < king);
            let is_canonical = kings.contains(&king);
            (0..choices).map(move |choice| {
                let choice = if is_canonical { choice } else { 0 };
                let word = (place * choices + choice) * (1 << 13) / 64;
                u64::from(self.before.get(word).copied().unwrap_or(self.len))
            })
        })
    }
}

/// The placements, man by man.
struct Enumeration<'a> {
    men: &'a [Man],
    layout: &'a Layout,
    words: Vec<u64>,
    /// Where a man stands.
    board: [bool; 64],
    squares: Squares,
    raw_states: u64,
}

impl Enumeration<'_> {
    /// Puts a man on a square if it can stand there, and then the men after it on all squares. As deep as there are
    /// men.
    fn put(&mut self, number: usize, square: Square) {
        let Some(&man) = self.men.get(number) else {
            return;
        };
        let misplaced = man.kind == Kind::Pawn && matches!(square.rank(), 0 | 7);
        let taken = self.board[square.index()];
        if misplaced || taken || self.is_out_of_order(number, square) {
            return;
        }
        self.squares[number] = square;
        self.board[square.index()] = true;
        match number + 1 == self.men.len() {
            true => self.judge(),
            false => Square::all().for_each(|next| self.put(number + 1, next)),
        }
        self.board[square.index()] = false;
    }

    /// Whether the man before is a like one on a higher square.
    fn is_out_of_order(&self, number: usize, square: Square) -> bool {
        let before = number.checked_sub(1);
        before.is_some_and(|before| {
            self.men.get(before) == self.men.get(number) && self.squares[before] > square
        })
    }

    /// All men stand: which side may be to move, and is this the canonical image?
    fn judge(&mut self) {
        let [king, ..] = self.squares;
        let images = self.layout.images_of_king(king);
        for to_move in [Side::White, Side::Black] {
            if self.king_is_attacked(to_move.other()) {
                continue;
            }
            self.raw_states += images;
            if let Some(place) = self.layout.canonical_place(&self.squares, to_move) {
                if let Some(word) = self.words.get_mut(place.index() / 64) {
                    *word |= 1 << (place.index() % 64);
                }
            }
        }
    }

    /// Whether a man of the other side attacks the king of a side.
    fn king_is_attacked(&self, side: Side) -> bool {
        let men = || std::iter::zip(self.men, self.squares);
        let mut kings = men().filter(|(man, _)| man.kind == Kind::King);
        let king = kings.find_map(|(man, square)| (man.side == side).then_some(square));
        king.is_some_and(|king| {
            men().any(|(man, from)| {
                man.side != side && man.attacks(from, king, |here| !self.board[here.index()])
            })
        })
    }
}
