//! The states of a class, their numbers, and the byte of each.
//!
//! A *tuple* is the squares of the men in the order of the material, those of like men ascending, then the side to
//! move. A *canonical state* is a raw legal state whose tuple is the smallest of its images. Then the white king stands
//! at home, and only where it stands on the long diagonal is there a second image with the king at home: the
//! reflection.
//!
//! An *entry* is a placement with the white king at home as a number, with a digit for each man: the number of the home,
//! then squares; a pawn has only 48. The order of entries, and for each entry White before Black, is the order of tuples.
//! The entries in which all men but the last stand alike are a *row*: it has a bit for each square of the last man and each
//! side to move, set where there is a canonical state, and knows how many states come before it. So the number of a state
//! is found by counting bits, and the bytes stay as the certificate lists them.
//!
//! Source: `docs/certificate-format.md`, *The states*.

use super::certificate::Child;
use super::man::{Kind, Side};
use super::material::{MOST_MEN, Material};
use super::position::Position;
use super::reach::{bit, squares_of};
use super::squares::Squares;
use super::symmetry::{DIAGONAL, IDENTITY, Symmetry, is_home, on_diagonal};

/// A class with the bytes of its states.
pub(super) struct States {
    pub(super) material: Material,
    /// The tables that the class leads into, as its certificate names them.
    pub(super) children: Vec<Child>,
    homes: Homes,
    /// What the home of the white king and the squares of the other men are multiplied by; 0 for places without a man.
    weights: [usize; MOST_MEN],
    /// The first square of each man, 8 for a pawn, and what that makes an entry smaller.
    firsts: [u8; MOST_MEN],
    below: usize,
    digits: [Digits; MOST_MEN],
    rows: Vec<Row>,
    values: Vec<u8>,
    /// The keys of the canonical en-passant states, ascending, and their bytes.
    en_passant: Vec<u64>,
    en_passant_values: Vec<u8>,
}

/// The states that differ only in the last man and the side to move. Bit 2 × square + side is set where there is one.
#[derive(Clone, Copy, Default)]
struct Row {
    bits: [u32; 4],
    /// How many states there are in the rows before.
    before: u32,
    /// How many states of this row there are before each of the four numbers of `bits`.
    within: [u8; 4],
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
        let mut ways = [(0, IDENTITY); 64];
        // Two ways lead home from squares on a long diagonal; the first of them is taken.
        for symmetry in Symmetry::all(pawns).rev() {
            for (from, way) in (0..64).zip(&mut ways) {
                let image = symmetry.image(from);
                if let Some(number) = squares.iter().position(|&home| home == image) {
                    *way = (number, symmetry);
                }
            }
        }
        Homes { squares, ways }
    }
}

/// Where a placement is looked up.
#[derive(Clone, Copy)]
pub(super) struct Located {
    pub(super) entry: usize,
    /// The symmetry that brought the king home. (Where there are pawns, it leads to the canonical state.)
    pub(super) by: Symmetry,
}

/// A placement from which men move.
#[derive(Clone, Copy)]
pub(super) struct Here {
    squares: Squares,
    entry: usize,
    /// From this place on, a man that moves changes no digit but its own and those of men like it: the placement is its own
    /// smallest image, and stays so. [`MOST_MEN`] if that is so for none.
    plain_from: usize,
}

/// How the digits of an entry follow a man that moves.
#[derive(Clone, Copy)]
enum Digits {
    /// The man has a digit to itself, of this weight.
    Lone(usize),
    /// Two men alike have two digits, the smaller square in the first.
    Pair { partner: usize, weights: [usize; 2] },
    /// Anything else: the white king, and three men alike.
    Others,
}

/// The key of an en-passant state.
pub(super) fn en_passant_key(entry: usize, side: Side, square: u8) -> u64 {
    (2 * entry as u64 + side.index() as u64) << 6 | u64::from(square & 63)
}

impl Row {
    /// The number of the state at a place of the row, if there is one.
    #[inline(always)]
    fn number(&self, place: usize) -> Option<usize> {
        let word = (place / 32) & 3;
        let bits = self.bits[word] >> (place % 32);
        if bits & 1 == 0 {
            return None;
        }
        let below = self.bits[word] & ((1 << (place % 32)) - 1);
        Some(self.before as usize + usize::from(self.within[word]) + below.count_ones() as usize)
    }

    /// The places at which there are states, in order.
    fn places(&self) -> impl Iterator<Item = usize> {
        let [a, b, c, d] = self.bits.map(u64::from);
        let halves = [a | b << 32, c | d << 32].into_iter().zip([0, 64]);
        halves
            .flat_map(|(half, first)| squares_of(half).map(move |place| first + usize::from(place)))
    }
}

impl States {
    /// Goes through all rows. The bytes are still missing.
    pub(super) fn of(material: &Material, children: Vec<Child>) -> (States, Census) {
        let pawns = material.has_pawns();
        let homes = Homes::of(pawns);
        let mut states = States {
            material: material.clone(),
            children,
            weights: [0; MOST_MEN],
            firsts: [0; MOST_MEN],
            below: 0,
            digits: [Digits::Others; MOST_MEN],
            rows: Vec::new(),
            values: Vec::new(),
            en_passant: Vec::new(),
            en_passant_values: Vec::new(),
            homes,
        };
        let mut weight = 1;
        let last = material.men().len().saturating_sub(1);
        for (place, man) in material.men().iter().enumerate().rev() {
            // The last man has all squares, so that a row is 64 entries.
            let (first, count) = match man.kind {
                _ if place == 0 => (0, states.homes.squares.len()),
                Kind::Pawn if place < last => (8, 48),
                _ => (0, 64),
            };
            states.weights[place] = weight;
            states.firsts[place] = first;
            states.below += weight * usize::from(first);
            weight *= count;
        }
        for place in 1..=last {
            let weight = |place| states.weights.get(place).copied().unwrap_or_default();
            let mut groups = material.groups().iter();
            let group = groups.find(|&&(first, last)| (first..=last).contains(&place));
            states.digits[place] = match group {
                None => Digits::Lone(weight(place)),
                Some(&(first, last)) if last - first == 1 => Digits::Pair {
                    partner: first + last - place,
                    weights: [weight(first), weight(last)],
                },
                Some(_) => Digits::Others,
            };
        }
        let mut census = Census::default();
        if material.has_starts() {
            census.starts = vec![0; 1 << (6 * material.men().len().saturating_sub(2))];
        }
        states.rows = vec![Row::default(); weight / 64];
        for row in 0..states.rows.len() {
            states.enumerate_row(row, &mut census);
        }
        let mut before = 0;
        for start in &mut census.starts {
            let count = std::mem::replace(start, before);
            before += count;
        }
        (states, census)
    }

    /// Finds the states of a row and counts them.
    fn enumerate_row(&mut self, number: usize, census: &mut Census) {
        let squares = self.squares(64 * number);
        let [white, black] = self.states_of_row(squares);
        let mut row = Row {
            before: census.states as u32,
            ..Row::default()
        };
        // Of the images of a placement on the diagonal, two and two are the same.
        let king = squares.at(0);
        let pawns = self.material.has_pawns();
        let mut images = [if pawns { 2 } else { 8 }; 64];
        let mut canonical = u64::MAX;
        if !pawns && on_diagonal(king) {
            for last in squares_of(white | black) {
                let entry = 64 * number + usize::from(last);
                let reflection = self.reflection(entry);
                if reflection < entry {
                    canonical &= !bit(last);
                } else if reflection == entry {
                    images[usize::from(last & 63)] = 4;
                }
            }
        }
        for last in squares_of((white | black) & canonical) {
            for (side, states) in Side::BOTH.into_iter().zip([white, black]) {
                if states & bit(last) == 0 {
                    continue;
                }
                census.states += 1;
                census.raw_states += images[usize::from(last & 63)];
                let place = 2 * usize::from(last) + side.index();
                row.bits[(place / 32) & 3] |= 1 << (place % 32);
                self.enumerate_en_passant(64 * number + usize::from(last), side, census);
            }
        }
        let mut before = 0;
        for (within, bits) in row.within.iter_mut().zip(row.bits) {
            *within = before;
            before += bits.count_ones() as u8;
        }
        if let Some(start) = census.starts.get_mut(start(&self.material, squares)) {
            *start += u64::from(before);
        }
        if let Some(place) = self.rows.get_mut(number) {
            *place = row;
        }
    }

    /// The squares on which the last man makes a raw legal state of the others, for each side to move.
    fn states_of_row(&self, squares: Squares) -> [u64; 2] {
        let mut groups = self.material.groups().iter();
        let is_sorted =
            groups.all(|&(first, last)| (first..=last).map(|place| squares.at(place)).is_sorted());
        let position = self.position(squares, Side::White, None);
        match is_sorted {
            true => Side::BOTH.map(|side| position.legal_squares_of_last(side)),
            false => [0, 0],
        }
    }

    /// Finds the en-passant states of a state.
    fn enumerate_en_passant(&mut self, entry: usize, side: Side, census: &mut Census) {
        // Where both sides have a pawn the last man is one of them, and stands on the fourth or fifth rank.
        if !self.material.has_en_passant() || !(24..40).contains(&(entry % 64)) {
            return;
        }
        let position = self.position(self.squares(entry), side, None);
        let squares: Vec<u8> = position.en_passant_squares().collect();
        census.en_passant_raw_states += 2 * squares.len() as u64;
        census.en_passant_states += squares.len() as u64;
        let keys = squares
            .into_iter()
            .map(|square| en_passant_key(entry, side, square));
        self.en_passant.extend(keys);
    }

    /// Gives the states their bytes, in order.
    pub(super) fn set_values(&mut self, values: Vec<u8>, en_passant_values: Vec<u8>) {
        self.values = values;
        self.en_passant_values = en_passant_values;
    }

    /// How many bytes of memory they need.
    pub(super) fn size(&self) -> usize {
        let rows = self.rows.len() * size_of::<Row>();
        rows + self.values.len() + self.en_passant.len() * 9
    }

    /// How many canonical states there are.
    pub(super) fn count(&self) -> usize {
        self.rows.last().map_or(0, |row| {
            let own: u32 = row.bits.iter().map(|bits| bits.count_ones()).sum();
            row.before as usize + own as usize
        })
    }

    /// How many canonical en-passant states there are.
    pub(super) fn en_passant_count(&self) -> usize {
        self.en_passant.len()
    }

    /// The number of a state; none where there is no state.
    #[inline(always)]
    pub(super) fn number(&self, entry: usize, side: Side) -> Option<usize> {
        let place = 2 * (entry % 64) + side.index();
        self.rows.get(entry / 64)?.number(place)
    }

    /// The number of an en-passant state; none where there is none.
    pub(super) fn en_passant_number(&self, key: u64) -> Option<usize> {
        self.en_passant.binary_search(&key).ok()
    }

    /// The byte of the state with a number; none if there is no such state, or if its byte is still missing.
    #[inline(always)]
    pub(super) fn value(&self, number: usize) -> Option<u8> {
        self.values.get(number).copied()
    }

    /// The byte of the en-passant state with a number; none as for states.
    pub(super) fn en_passant_value(&self, number: usize) -> Option<u8> {
        self.en_passant_values.get(number).copied()
    }

    /// The byte of a state; none where there is no state.
    #[inline(always)]
    pub(super) fn byte(&self, entry: usize, side: Side) -> Option<u8> {
        self.value(self.number(entry, side)?)
    }

    /// The byte of an en-passant state; none where there is none.
    pub(super) fn en_passant_byte(&self, key: u64) -> Option<u8> {
        self.en_passant_value(self.en_passant_number(key)?)
    }

    /// The entry of the canonical image of a placement.
    #[inline(always)]
    pub(super) fn locate(&self, squares: Squares) -> Located {
        let (home, by) = self.homes.ways[usize::from(squares.at(0))];
        let squares = squares.image(by);
        let entry = self.entry(home, squares);
        if self.material.has_pawns() || !on_diagonal(squares.at(0)) {
            return Located { entry, by };
        }
        let reflection = self.entry(home, squares.image(DIAGONAL));
        let entry = entry.min(reflection);
        Located { entry, by }
    }

    /// Prepares for looking up what a placement becomes when a man moves.
    #[inline(always)]
    pub(super) fn here(&self, squares: Squares) -> Here {
        let (home, by) = self.homes.ways[usize::from(squares.at(0))];
        let entry = self.entry(home, squares);
        let plain_from = match by {
            IDENTITY if self.material.has_pawns() || !on_diagonal(squares.at(0)) => 1,
            IDENTITY => self.plain_from(squares),
            _ => MOST_MEN,
        };
        Here {
            squares,
            entry,
            plain_from,
        }
    }

    /// The place behind the first men in which a placement, its king on the diagonal, is smaller than its reflection.
    fn plain_from(&self, squares: Squares) -> usize {
        let [squares, reflection] = [squares, squares.image(DIAGONAL)].map(|s| self.sorted(s));
        let count = self.material.men().len();
        let differing = (0..count).find(|&place| squares.at(place) != reflection.at(place));
        let Some(place) = differing.filter(|&place| squares.at(place) < reflection.at(place))
        else {
            return MOST_MEN;
        };
        let mut groups = self.material.groups().iter();
        let group = groups.find(|&&(first, last)| (first..=last).contains(&place));
        group.map_or(place, |&(_, last)| last) + 1
    }

    /// Where a placement is looked up after a man moved: what `locate` says, but digits that stay are not read again.
    #[inline(always)]
    pub(super) fn relocate(&self, here: Here, man: usize, from: u8, to: u8) -> Located {
        let [from_digit, to_digit] = [from, to].map(usize::from);
        let entry = match self.digits.get(man) {
            Some(&Digits::Lone(weight)) if man >= here.plain_from => {
                let put = weight.wrapping_mul(to_digit);
                put.wrapping_sub(weight.wrapping_mul(from_digit))
            }
            Some(&Digits::Pair { partner, weights }) if man >= here.plain_from => {
                let partner = usize::from(here.squares.at(partner));
                let [first, second] = weights;
                let pair = |square: usize| {
                    let smaller = first.wrapping_mul(square.min(partner));
                    smaller.wrapping_add(second.wrapping_mul(square.max(partner)))
                };
                pair(to_digit).wrapping_sub(pair(from_digit))
            }
            _ => return self.locate(here.squares.with(man, to)),
        };
        Located {
            entry: here.entry.wrapping_add(entry),
            by: IDENTITY,
        }
    }

    /// The squares with men that are alike in ascending order.
    #[inline(always)]
    pub(super) fn sorted(&self, squares: Squares) -> Squares {
        let groups = self.material.groups().iter();
        groups.fold(squares, |squares, &(first, last)| {
            sorted(squares, first, last)
        })
    }

    /// The entry with the king at a home and these squares of the other men, which are sorted first.
    #[inline(always)]
    fn entry(&self, home: usize, squares: Squares) -> usize {
        let squares = self.sorted(squares);
        let [king, a, b, c, d] = self.weights;
        let at = |place| usize::from(squares.at(place));
        (king * home + a * at(1) + b * at(2) + c * at(3) + d * at(4)).wrapping_sub(self.below)
    }

    /// The entry of the reflection in the long diagonal of a placement whose king stands on it.
    fn reflection(&self, entry: usize) -> usize {
        let squares = self.squares(entry);
        let (home, _) = self.homes.ways[usize::from(squares.at(0))];
        self.entry(home, squares.image(DIAGONAL))
    }

    /// The squares of an entry.
    pub(super) fn squares(&self, entry: usize) -> Squares {
        let mut left = entry;
        let digits = self
            .weights
            .iter()
            .zip(&self.firsts)
            .map(|(&weight, &first)| {
                let digit = left.checked_div(weight).unwrap_or_default();
                left -= digit * weight;
                digit as u8 + first
            });
        let squares = Squares::of(digits);
        let home = self.homes.squares.get(usize::from(squares.at(0)));
        squares.with(0, home.copied().unwrap_or_default())
    }

    /// The canonical states in order, with their entries.
    pub(super) fn positions(&self) -> impl Iterator<Item = (usize, Position<'_>)> {
        self.rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.bits != [0; 4])
            .flat_map(move |(number, row)| {
                let squares = self.squares(64 * number);
                let places = row.places();
                places.map(move |place| (64 * number + place / 2, self.at_place(squares, place)))
            })
    }

    /// The canonical en-passant states in order.
    pub(super) fn en_passant_positions(&self) -> impl Iterator<Item = (u64, Position<'_>)> {
        let keys = self.en_passant.iter();
        keys.map(|&key| (key, self.en_passant_position(key)))
    }

    fn en_passant_position(&self, key: u64) -> Position<'_> {
        let to_move = match key >> 6 & 1 {
            0 => Side::White,
            _ => Side::Black,
        };
        let squares = self.squares((key >> 7) as usize);
        self.position(squares, to_move, Some((key & 63) as u8))
    }

    /// The canonical state with a number.
    pub(super) fn nth(&self, number: usize) -> Option<Position<'_>> {
        // Of the rows with as many states before them, all but the last are empty.
        let rows = self
            .rows
            .partition_point(|row| row.before as usize <= number);
        let index = rows.checked_sub(1)?;
        let row = self.rows.get(index)?;
        let place = row.places().nth(number - row.before as usize)?;
        Some(self.at_place(self.squares(64 * index), place))
    }

    /// The canonical en-passant state with a number.
    pub(super) fn nth_en_passant(&self, number: usize) -> Option<Position<'_>> {
        let key = self.en_passant.get(number)?;
        Some(self.en_passant_position(*key))
    }

    /// The position at a place of the row with these squares.
    fn at_place(&self, squares: Squares, place: usize) -> Position<'_> {
        let last = self.material.men().len().saturating_sub(1);
        let side = match place % 2 {
            0 => Side::White,
            _ => Side::Black,
        };
        self.position(squares.with(last, (place / 2) as u8), side, None)
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

/// The squares after the men from one place to another, up to three, were put in ascending order.
#[inline(always)]
fn sorted(squares: Squares, first: usize, last: usize) -> Squares {
    let in_order = |squares: Squares, place: usize| {
        let (a, b) = (squares.at(place), squares.at(place + 1));
        squares.with(place, a.min(b)).with(place + 1, a.max(b))
    };
    let squares = in_order(squares, first);
    match last - first {
        1 => squares,
        _ => in_order(in_order(squares, first + 1), first),
    }
}

/// The squares of all men but the last two, read as digits.
fn start(material: &Material, squares: Squares) -> usize {
    let men = material.men().len().saturating_sub(2);
    let squares = squares.iter().take(men);
    squares.fold(0, |start, square| start << 6 | usize::from(square))
}

#[cfg(test)]
mod tests {
    use super::super::claim::material_of_endgame;
    use super::*;

    fn states(name: &str) -> (States, Census) {
        let material = material_of_endgame(&format!("endgame {name} board dtm")).unwrap();
        States::of(&material, Vec::new())
    }

    /// The squares of men that are drawn at random, from the seed on.
    fn drawn(states: &States, seed: &mut u64) -> Squares {
        let mut draw = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (*seed >> 58) as u8
        };
        Squares::of(states.material.men().iter().map(|_| draw()))
    }

    #[test]
    fn rows_hold_what_each_placement_says() {
        for name in ["KQK", "KPK", "KBNK", "KNNK", "KQKR", "KBKP", "KPKP", "KRPK"] {
            let (states, _) = states(name);
            let step = if name.len() == 3 { 1 } else { 97 };
            for row in (0..states.rows.len()).step_by(step) {
                let squares = states.squares(64 * row);
                let last = name.len() - 1;
                let mut wanted = [0, 0];
                for square in 0..64 {
                    for (side, wanted) in Side::BOTH.into_iter().zip(&mut wanted) {
                        let squares = squares.with(last, square);
                        let position = Position::new(&states.material, squares, side);
                        let is_legal = position.is_some_and(|position| position.is_raw_legal());
                        *wanted |= if is_legal { bit(square) } else { 0 };
                    }
                }
                let found = Side::BOTH.map(|side| {
                    states
                        .position(squares, side, None)
                        .legal_squares_of_last(side)
                });
                assert_eq!(found, wanted, "{name} row {row}");
            }
        }
    }

    #[test]
    fn numbers_are_places_in_the_order_of_tuples() {
        for name in ["KQK", "KPK", "KNNK", "KQKR", "KPKP"] {
            let (mut states, census) = states(name);
            let byte = |number: usize| (number % 251) as u8;
            states.set_values((0..census.states as usize).map(byte).collect(), Vec::new());
            let mut before = None;
            let mut count = 0;
            for (number, (entry, position)) in states.positions().enumerate() {
                let tuple = Some((position.squares, position.to_move));
                assert!(before < tuple);
                before = tuple;
                assert_eq!(states.byte(entry, position.to_move), Some(byte(number)));
                assert_eq!(states.squares(entry), position.squares);
                count += 1;
            }
            assert_eq!(count, census.states, "{name}");
        }
    }

    #[test]
    fn a_state_is_found_by_its_number() {
        for name in ["KQK", "KPK", "KNNK", "KPKP"] {
            let (states, census) = states(name);
            let step = if name.len() == 3 { 1 } else { 31 };
            let parts =
                |position: Position| (position.squares, position.to_move, position.en_passant);
            for (number, (entry, position)) in states.positions().enumerate().step_by(step) {
                assert_eq!(states.nth(number).map(parts), Some(parts(position)));
                assert_eq!(states.number(entry, position.to_move), Some(number));
            }
            for (number, (key, position)) in states.en_passant_positions().enumerate() {
                assert_eq!(
                    states.nth_en_passant(number).map(parts),
                    Some(parts(position))
                );
                assert_eq!(states.en_passant_number(key), Some(number));
            }
            let counts = [states.count(), states.en_passant_count()];
            assert_eq!(
                counts,
                [census.states as usize, census.en_passant_states as usize]
            );
            for beyond in [0, 1, 1 << 20, u32::MAX as usize, usize::MAX - counts[0]] {
                assert!(states.nth(counts[0] + beyond).is_none());
            }
            assert!(states.nth_en_passant(counts[1]).is_none());
        }
    }

    #[test]
    fn a_placement_is_found_by_its_smallest_image() {
        found_by_their_smallest_images(&["KPK", "KNNK", "KPKP"]);
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn placements_of_five_men_are_found_by_their_smallest_images() {
        let four = ["KQRK", "KBBK", "KRPK"];
        let five = ["KQQQK", "KNPPK", "KBNKR"];
        found_by_their_smallest_images(&[four, five].concat());
    }

    fn found_by_their_smallest_images(names: &[&str]) {
        for &name in names {
            let (states, _) = states(name);
            let mut seed = 7;
            for _ in 0..5_000 {
                let squares = drawn(&states, &mut seed);
                let Some(position) = Position::new(&states.material, squares, Side::White) else {
                    continue;
                };
                // The tuples of all images, as the page defines them.
                let tuples = Symmetry::all(states.material.has_pawns()).map(|symmetry| {
                    let mut tuple: Vec<u8> = squares.image(symmetry).iter().collect();
                    for &(first, last) in states.material.groups() {
                        tuple[first..=last].sort_unstable();
                    }
                    Squares::of(tuple).first(name.len())
                });
                let smallest = tuples.min().unwrap();
                let located = states.locate(squares);
                let here = states.here(squares);
                assert_eq!(states.squares(located.entry), smallest, "{name} {position}");
                // And after any man went to any square.
                for (man, _, from) in position.men().collect::<Vec<_>>() {
                    let to = drawn(&states, &mut seed).at(1);
                    let after = squares.with(man, to);
                    if Position::new(&states.material, after, Side::White).is_some() {
                        let relocated = states.relocate(here, man, from, to);
                        assert_eq!(relocated.entry, states.locate(after).entry);
                        assert!(
                            !states.material.has_pawns() || relocated.by == states.locate(after).by
                        );
                    }
                }
            }
        }
    }
}
