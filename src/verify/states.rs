//! The states of a class, and the byte of each.
//!
//! A *tuple* is the squares of the men in the order of the material, those of like men ascending, then the side to
//! move. A *canonical state* is a raw legal state whose tuple is the smallest of its images. Then the white king stands
//! at home, and only where it stands on the long diagonal is there a second image with the king at home: the
//! reflection.
//!
//! An *entry* is a placement with the white king at home: the number of its home, then six bits for the square of each
//! other man. The order of entries, and for each entry White before Black, is the order of tuples. Bytes are kept for
//! each side and entry, besides one bit that says whether there is a state. A state that is not canonical, but whose king
//! is at home, has the byte of its reflection.
//!
//! States are counted and numbered by going through all entries in order; the values of a certificate are handed out
//! in passing. Nothing of it is believed here: what is missing is taken as a draw, and the counts say later that
//! something was missing.
//!
//! Source: `docs/certificate-format.md`, *The states*.

use super::certificate::{Child, EndgameTable};
use super::claim::{MOST_MEN, Material};
use super::man::Side;
use super::position::{Change, Position, Squares};
use super::symmetry::{DIAGONAL, IDENTITY, Symmetry, is_home, on_diagonal};

/// A class with the bytes of its states.
pub(super) struct States {
    pub(super) material: Material,
    /// The tables that the class leads into, as its certificate names them.
    pub(super) children: Vec<Child>,
    homes: Homes,
    /// What the digits of an entry are multiplied by; 0 for places without a man.
    weights: [usize; MOST_MEN],
    /// The same for men that can move without another digit changing: not the white king, and not men that are alike.
    lone_weights: [Option<usize>; MOST_MEN],
    entries: usize,
    bytes: Vec<u8>,
    present: Vec<u64>,
    /// The keys of the canonical en-passant states, ascending, and their bytes.
    en_passant: Vec<u64>,
    en_passant_bytes: Vec<u8>,
}

/// What the enumeration counts.
#[derive(Default)]
pub(super) struct Census {
    pub(super) raw_states: u64,
    pub(super) states: u64,
    pub(super) en_passant_raw_states: u64,
    pub(super) en_passant_states: u64,
    /// For each choice of squares of all men but the last two, how many states come before; only with four or more
    /// men.
    pub(super) starts: Vec<u64>,
}

/// The homes of a class, and how each square comes home.
struct Homes {
    squares: Vec<u8>,
    ways: [(usize, Symmetry); 64],
}

impl Homes {
    fn of(pawns: bool) -> Homes {
        let squares: Vec<u8> = (0..64).filter(|&square| is_home(square, pawns)).collect();
        let mut ways = [(0, DIAGONAL); 64];
        for (from, way) in (0..64).zip(&mut ways) {
            let home = Symmetry::all(pawns).find_map(|symmetry| {
                let image = symmetry.image(from);
                let number = squares.iter().position(|&home| home == image)?;
                Some((number, symmetry))
            });
            *way = home.expect("every square has a home");
        }
        Homes { squares, ways }
    }
}

/// Where a placement is looked up: its entry, and the symmetry that led there.
#[derive(Clone, Copy)]
pub(super) struct Located {
    pub(super) entry: usize,
    pub(super) by: Symmetry,
}

/// The key of an en-passant state.
pub(super) fn en_passant_key(entry: usize, side: Side, square: u8) -> u64 {
    (2 * entry as u64 + side.index() as u64) << 6 | u64::from(square & 63)
}

impl States {
    /// Goes through all entries, and gives the states the values of the table.
    pub(super) fn of(
        material: &Material,
        children: &[Child],
        table: &EndgameTable,
    ) -> (States, Census) {
        let pawns = material.has_pawns();
        let homes = Homes::of(pawns);
        let others = material.men().len().saturating_sub(1) as u32;
        let entries = homes.squares.len() << (6 * others);
        let mut weights = [0; MOST_MEN];
        let mut weight = 1;
        let men = weights.iter_mut().take(material.men().len());
        for digit in men.rev() {
            *digit = weight;
            weight *= 64;
        }
        let mut lone_weights = weights.map(Some);
        let alike = |place| {
            let mut groups = material.groups().iter();
            groups.any(|&(first, last)| (first..=last).contains(&place))
        };
        for (place, weight) in lone_weights.iter_mut().enumerate() {
            if place == 0 || alike(place) {
                *weight = None;
            }
        }
        let mut states = States {
            weights,
            lone_weights,
            material: material.clone(),
            children: children.to_vec(),
            homes,
            entries,
            bytes: vec![0; 2 * entries],
            present: vec![0; (2 * entries).div_ceil(64)],
            en_passant: Vec::new(),
            en_passant_bytes: Vec::new(),
        };
        let mut census = Census::default();
        if material.has_starts() {
            // Counts of the states that begin with these squares, at first.
            census.starts = vec![0; 1 << (6 * (others - 1))];
        }
        let mut values = table.values.iter();
        let en_passant = table.en_passant.as_ref();
        let mut en_passant_values = en_passant.map_or(&[][..], |found| &found.values).iter();
        for entry in 0..entries {
            let Some(mut position) = states.placement(material, entry, Side::White) else {
                continue;
            };
            let reflection = states.reflection(entry, position.squares);
            if reflection < entry {
                continue;
            }
            // A reflection that is the placement itself halves the eight images.
            let images = match (
                pawns,
                reflection == entry && on_diagonal(position.square(0)),
            ) {
                (true, _) => 2,
                (false, false) => 8,
                (false, true) => 4,
            };
            for side in Side::BOTH {
                if position.is_attacked(side.other()) {
                    continue;
                }
                position.to_move = side;
                census.raw_states += images;
                census.states += 1;
                if let Some(start) = census.starts.get_mut(start(&position)) {
                    *start += 1;
                }
                let byte = values.next().copied().unwrap_or(255);
                states.set(entry, side, byte);
                states.set(reflection, side, byte);
                if material.has_en_passant() {
                    for square in position.en_passant_squares() {
                        census.en_passant_raw_states += images;
                        census.en_passant_states += 1;
                        states.en_passant.push(en_passant_key(entry, side, square));
                        let byte = en_passant_values.next().copied();
                        states.en_passant_bytes.push(byte.unwrap_or(255));
                    }
                }
            }
        }
        let mut before = 0;
        for start in &mut census.starts {
            let count = std::mem::replace(start, before);
            before += count;
        }
        (states, census)
    }

    fn set(&mut self, entry: usize, side: Side, byte: u8) {
        let index = side.index() * self.entries + entry;
        if let (Some(stored), Some(word)) =
            (self.bytes.get_mut(index), self.present.get_mut(index / 64))
        {
            *stored = byte;
            *word |= 1 << (index % 64);
        }
    }

    /// The byte of a state; none where there is no state.
    #[inline(always)]
    pub(super) fn byte(&self, entry: usize, side: Side) -> Option<u8> {
        let index = side.index() * self.entries + entry;
        let word = *self.present.get(index / 64)?;
        match word >> (index % 64) & 1 {
            0 => None,
            _ => self.bytes.get(index).copied(),
        }
    }

    /// The byte of an en-passant state; none where there is none.
    pub(super) fn en_passant_byte(&self, key: u64) -> Option<u8> {
        let index = self.en_passant.binary_search(&key).ok()?;
        self.en_passant_bytes.get(index).copied()
    }

    /// The entry of a placement after its king is brought home and its like men are sorted.
    #[inline(always)]
    pub(super) fn locate(&self, squares: Squares) -> Located {
        let [king, ..] = squares;
        let (home, by) = self.homes.ways[usize::from(king & 63)];
        let squares = match by {
            IDENTITY => squares,
            by => squares.map(|square| by.image(square)),
        };
        let entry = self.entry(home, squares);
        Located { entry, by }
    }

    /// Where a placement is looked up after a man moved, found from where it was looked up before: the same as `locate`,
    /// but where only one digit changes the others are not read again.
    #[inline(always)]
    pub(super) fn relocate(&self, before: Located, change: &Change, after: Squares) -> Located {
        match self.lone_weights.get(change.man) {
            Some(&Some(weight)) if before.by == IDENTITY => {
                let from = weight.wrapping_mul(usize::from(change.from));
                let to = weight.wrapping_mul(usize::from(change.to));
                let entry = before.entry.wrapping_add(to).wrapping_sub(from);
                Located { entry, ..before }
            }
            _ => self.locate(after),
        }
    }

    /// The entry with the king at a home and these squares of the other men, which are sorted first.
    #[inline(always)]
    fn entry(&self, home: usize, mut squares: Squares) -> usize {
        for &(first, last) in self.material.groups() {
            if let Some(like) = squares.get_mut(first..=last) {
                match like {
                    [a, b] if *a <= *b => {}
                    [a, b] => std::mem::swap(a, b),
                    more => more.sort_unstable(),
                }
            }
        }
        let [_, a, b, c, d] = squares.map(usize::from);
        let [king, w, x, y, z] = self.weights;
        king * home + w * a + x * b + y * c + z * d
    }

    /// The entry of the reflection in the long diagonal where that leaves the white king at home; otherwise the entry
    /// itself.
    #[inline(always)]
    fn reflection(&self, entry: usize, squares: Squares) -> usize {
        let [king, ..] = squares;
        if self.material.has_pawns() || !on_diagonal(king) {
            return entry;
        }
        let (home, _) = self.homes.ways[usize::from(king & 63)];
        self.entry(home, squares.map(|square| DIAGONAL.image(square)))
    }

    /// The entry of the canonical state among those with the same images.
    #[inline(always)]
    pub(super) fn canonical(&self, entry: usize) -> usize {
        entry.min(self.reflection(entry, self.squares(entry)))
    }

    /// The squares of an entry.
    #[inline(always)]
    pub(super) fn squares(&self, entry: usize) -> Squares {
        let mut squares = [0; MOST_MEN];
        let mut digits = entry;
        let others = squares.iter_mut().take(self.material.men().len()).skip(1);
        for square in others.rev() {
            *square = (digits & 63) as u8;
            digits >>= 6;
        }
        let [king, ..] = &mut squares;
        *king = self.homes.squares.get(digits).copied().unwrap_or_default();
        squares
    }

    /// The placement of an entry; none if its men do not stand on distinct squares, a pawn on an edge rank, like men
    /// out of order, or the kings on neighbouring squares.
    fn placement<'m>(
        &self,
        material: &'m Material,
        entry: usize,
        to_move: Side,
    ) -> Option<Position<'m>> {
        let squares = self.squares(entry);
        let sorted = material.groups().iter().all(|&(first, last)| {
            let like = squares.get(first..=last).unwrap_or_default();
            like.is_sorted()
        });
        sorted.then(|| Position::new(material, squares, to_move))?
    }

    /// The canonical states in order, with their entries.
    pub(super) fn positions(&self) -> impl Iterator<Item = (usize, Position<'_>)> {
        (0..self.entries).flat_map(move |entry| {
            let sides = Side::BOTH.map(|side| self.byte(entry, side).is_some());
            let squares = match sides {
                [false, false] => None,
                _ => Some(self.squares(entry)),
            };
            let squares = squares.filter(|&squares| self.reflection(entry, squares) >= entry);
            let states = Side::BOTH.into_iter().zip(sides);
            states.filter_map(move |(to_move, is_state)| {
                let squares = squares.filter(|_| is_state)?;
                Some((entry, self.position(squares, to_move, None)))
            })
        })
    }

    /// The canonical en-passant states in order.
    pub(super) fn en_passant_positions(&self) -> impl Iterator<Item = (u64, Position<'_>)> {
        self.en_passant.iter().map(|&key| {
            let to_move = match key >> 6 & 1 {
                0 => Side::White,
                _ => Side::Black,
            };
            let squares = self.squares((key >> 7) as usize);
            let square = Some((key & 63) as u8);
            (key, self.position(squares, to_move, square))
        })
    }

    /// A position of the class.
    pub(super) fn position(
        &self,
        squares: Squares,
        to_move: Side,
        en_passant: Option<u8>,
    ) -> Position<'_> {
        Position {
            material: &self.material,
            squares,
            to_move,
            en_passant,
        }
    }
}

/// The squares of all men but the last two, read as digits.
fn start(position: &Position) -> usize {
    let men = position.material.men().len().saturating_sub(2);
    let squares = position.squares.iter().take(men);
    squares.fold(0, |start, &square| start << 6 | usize::from(square))
}
