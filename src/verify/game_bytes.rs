//! The bytes of a state of the complete game, read and written.
//!
//! A state has one writing. The men of the position are four bits each, with codes of their own for a rook with which its
//! side may still castle and for a pawn that may be captured en passant; of another key is said what stands where on the
//! squares that differ. Reading judges the form here, field by field, and then in `admission` whether there is such a state.
//!
//! Source: `docs/certificate-format.md`, *States of the complete game*.

use super::Square;
use super::admission;
use super::board::{Board, ahead};
use super::castling::Rights;
use super::game_state::{GameState, SEVENTY_FIVE_MOVES};
use super::man::{Kind, Man, Side};
use super::reach::{bit, squares_of};

/// The version of this writing.
const VERSION: u8 = 1;

/// An empty square, in the record of another key.
const EMPTY: u8 = 0;

/// The codes of a rook with which its side may castle, and of a pawn that may be captured en passant.
const CASTLING_ROOK: u8 = 13;
const PASSING_PAWN: u8 = 14;

/// All rights to castle.
fn every_right() -> Rights {
    Rights::of_low_bits(15)
}

impl GameState {
    /// Reads the bytes of a state.
    ///
    /// # Errors
    ///
    /// Why these are no bytes of a state: one line of printable ASCII for people to read.
    pub fn read(bytes: &[u8]) -> Result<GameState, String> {
        let mut rest = Rest(bytes);
        let version = rest.byte("version")?;
        if version != VERSION {
            return Err(format!("version {version} of states is not known"));
        }
        let clock = rest.byte("clock")?;
        if clock > SEVENTY_FIVE_MOVES {
            return Err(format!("the clock is {clock}, above {SEVENTY_FIVE_MOVES}"));
        }
        let now = rest.byte("now")?;
        if now > 9 {
            return Err(format!("now is {now}, above 9"));
        }
        let board = position(&mut rest, side(now & 1))?;
        let mut occurrences = vec![(board, 1 + now / 2)];
        let mut before = None;
        for _ in 0..rest.byte("earlier")? {
            let record = Record::read(&mut rest)?;
            occurrences.push((record.board(&board)?, record.times));
            let order = Some(record.order());
            if before >= order {
                return Err("the records do not ascend strictly".into());
            }
            before = order;
        }
        if !rest.0.is_empty() {
            return Err("there are bytes after the last record".into());
        }
        let state = GameState {
            board,
            clock,
            occurrences,
        };
        admission::judge(&state)?;
        Ok(state)
    }

    /// The bytes of the state.
    pub fn bytes(&self) -> Vec<u8> {
        let now = how(self.board.to_move == Side::Black, self.times());
        let mut bytes = vec![VERSION, self.clock, now];
        bytes.extend(self.board.occupied().to_le_bytes());
        let codes: Vec<u8> = self
            .board
            .men()
            .map(|(man, square)| code_on(&self.board, man, square))
            .collect();
        bytes.extend(packed(&codes));
        let others = self.occurrences.iter();
        let others = others.filter(|(key, _)| *key != self.board);
        let records = others.map(|(key, times)| Record::of(&self.board, key, *times));
        let mut records: Vec<Record> = records.collect();
        records.sort_by_cached_key(Record::order);
        bytes.push(records.len() as u8);
        for record in &records {
            record.write(&mut bytes);
        }
        bytes
    }
}

/// The byte in which a bit is joined with how often a key has occurred.
fn how(bit: bool, times: u8) -> u8 {
    u8::from(bit) | times.saturating_sub(1) << 1
}

/// The side with a number in the lowest bit.
fn side(number: u8) -> Side {
    match number & 1 {
        0 => Side::White,
        _ => Side::Black,
    }
}

/// The code of a man, whatever else it may do.
fn code_of(man: Man) -> u8 {
    6 * man.side.index() as u8 + man.kind as u8 + 1
}

/// The man with a code from 1 to 12.
fn man_of(code: u8) -> Option<Man> {
    let men = Side::BOTH.into_iter();
    let mut men = men.flat_map(|side| Kind::ALL.map(|kind| Man { side, kind }));
    men.find(|&man| code_of(man) == code)
}

/// The code of a man where it stands.
fn code_on(board: &Board, man: Man, square: Square) -> u8 {
    let mut rooks = board.rights.wings().map(|wing| wing.rook().0);
    let behind = square.step((0, -ahead(man.side)));
    if rooks.any(|rook| rook == square) {
        CASTLING_ROOK
    } else if man.kind == Kind::Pawn && behind.is_some() && behind == board.en_passant {
        PASSING_PAWN
    } else {
        code_of(man)
    }
}

/// Codes as bytes: the first of two in the low bits.
fn packed(codes: &[u8]) -> Vec<u8> {
    let pairs = codes.chunks(2);
    let joined = pairs.map(|pair| pair.iter().rev().fold(0, |byte, code| byte << 4 | code));
    joined.collect()
}

/// Reads the men of the present position and what they may do.
fn position(rest: &mut Rest, to_move: Side) -> Result<Board, String> {
    let mut occupied = [0; 8];
    occupied.copy_from_slice(rest.bytes(8, "occupied")?);
    let squares: Vec<u8> = squares_of(u64::from_le_bytes(occupied)).collect();
    let codes = rest.codes(squares.len(), "men")?;
    let mut board = Board::empty(to_move, Rights::NONE);
    let mut rights = 0;
    for (number, code) in squares.into_iter().zip(codes) {
        let square = Square::from_low_bits(number.into());
        let man = match code {
            CASTLING_ROOK => {
                let mut wings = every_right().wings().enumerate();
                let wing = wings.find(|(_, wing)| wing.rook().0 == square);
                let (place, wing) =
                    wing.ok_or("a rook to castle with does not stand in a corner")?;
                rights |= 1 << place;
                let (side, kind) = (wing.side, Kind::Rook);
                Man { side, kind }
            }
            PASSING_PAWN => {
                let side = match square.rank() {
                    3 => Side::White,
                    4 => Side::Black,
                    _ => {
                        return Err("a pawn to capture en passant is not on rank 4 or 5".into());
                    }
                };
                if board.en_passant.is_some() {
                    return Err("there are two pawns to capture en passant".into());
                }
                board.en_passant = square.step((0, -ahead(side)));
                let kind = Kind::Pawn;
                Man { side, kind }
            }
            code => man_of(code).ok_or_else(|| format!("code {code} is not that of a man"))?,
        };
        board.put(square, man);
    }
    board.rights = Rights::of_low_bits(rights);
    Ok(board)
}

/// How another key differs from the present one.
struct Record {
    other_side: bool,
    times: u8,
    /// The squares that differ, ascending.
    places: Vec<u8>,
    /// What stands there in the other key, a code for each square.
    codes: Vec<u8>,
}

impl Record {
    /// The record of a key.
    fn of(present: &Board, key: &Board, times: u8) -> Record {
        let squares = Square::all();
        let differing = squares.filter(|&square| present.on(square) != key.on(square));
        let differing: Vec<Square> = differing.collect();
        let content = |&square: &Square| key.on(square).map_or(EMPTY, code_of);
        Record {
            other_side: key.to_move != present.to_move,
            times,
            places: differing.iter().map(|square| square.number()).collect(),
            codes: differing.iter().map(content).collect(),
        }
    }

    /// Reads a record in form.
    fn read(rest: &mut Rest) -> Result<Record, String> {
        let how = rest.byte("how")?;
        if how > 7 {
            return Err(format!("how is {how} in a record, above 7"));
        }
        let number = rest.byte("squares")?;
        if number > 64 {
            return Err(format!("{number} squares differ in a record, above 64"));
        }
        let places = rest.bytes(number.into(), "where")?.to_vec();
        let ascend = places.iter().zip(places.iter().skip(1)).all(|(a, b)| a < b);
        if !ascend || places.iter().any(|&place| place > 63) {
            return Err("the squares of a record are not ascending ones below 64".into());
        }
        let codes = rest.codes(number.into(), "what")?;
        if let Some(code) = codes.iter().find(|&&code| code > 12) {
            return Err(format!("code {code} is not one for the square of a record"));
        }
        Ok(Record {
            other_side: how & 1 == 1,
            times: 1 + how / 2,
            places,
            codes,
        })
    }

    /// The key that the record says. (It has the present rights, so the codes of rooks do not say them again.)
    fn board(&self, present: &Board) -> Result<Board, String> {
        if self.places.is_empty() && !self.other_side {
            return Err("a record is that of the present key".into());
        }
        let to_move = match self.other_side {
            true => present.to_move.other(),
            false => present.to_move,
        };
        let places = self.places.iter().fold(0, |all, &place| all | bit(place));
        let mut key = Board::empty(to_move, present.rights);
        for (man, square) in present.men() {
            if places & bit(square.number()) == 0 {
                key.put(square, man);
            }
        }
        for (&place, &code) in self.places.iter().zip(&self.codes) {
            let square = Square::from_low_bits(place.into());
            let content = man_of(code);
            if content == present.on(square) {
                return Err(format!("a record says of {square} what stands there"));
            }
            content.into_iter().for_each(|man| key.put(square, man));
        }
        Ok(key)
    }

    /// By what records are ordered.
    fn order(&self) -> (bool, usize, Vec<u8>, Vec<u8>) {
        let (places, codes) = (self.places.clone(), packed(&self.codes));
        (self.other_side, places.len(), places, codes)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(how(self.other_side, self.times));
        bytes.push(self.places.len() as u8);
        bytes.extend(&self.places);
        bytes.extend(packed(&self.codes));
    }
}

/// The bytes that are not yet read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    /// The next bytes, so many.
    fn bytes(&mut self, count: usize, field: &str) -> Result<&'a [u8], String> {
        let split = self.0.split_at_checked(count);
        let (bytes, rest) = split.ok_or_else(|| ends_in(field))?;
        self.0 = rest;
        Ok(bytes)
    }

    /// The next byte.
    fn byte(&mut self, field: &str) -> Result<u8, String> {
        let split = self.0.split_first();
        let (&byte, rest) = split.ok_or_else(|| ends_in(field))?;
        self.0 = rest;
        Ok(byte)
    }

    /// The next codes of four bits, so many. Bits that are left over in the last byte are 0.
    fn codes(&mut self, count: usize, field: &str) -> Result<Vec<u8>, String> {
        let bytes = self.bytes(count.div_ceil(2), field)?;
        let codes = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        let mut codes: Vec<u8> = codes.collect();
        if codes.split_off(count).iter().any(|&code| code != 0) {
            return Err(format!("bits are left over in the field {field}"));
        }
        Ok(codes)
    }
}

/// The reason for bytes that are too few.
fn ends_in(field: &str) -> String {
    format!("the bytes end in the field {field}")
}

#[cfg(test)]
mod tests {
    use super::super::game_state::tests::{START, played, state};
    use super::*;

    /// Some states: at the beginning, after moves with a history, with an en-passant square, with a number of keys.
    fn states() -> Vec<GameState> {
        let start = state(START, 0);
        let rook = state("7k/8/8/8/8/8/8/KR6 w - - 0 1", 20);
        vec![
            played(&start, "g1f3 g8f6"),
            played(&start, "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1"),
            played(&start, "e2e4 a7a6 e4e5 d7d5"),
            played(&rook, &"b1b2 h8h7 b2b1 h7h8 ".repeat(4)),
            played(&rook, "b1b2 h8h7 b2b1 h7g6 b1f1 g6h7"),
            played(&state("7k/8/8/K7/8/8/8/1B3b2 w - - 0 1", 149), "a5b4"),
            state("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 150),
            start,
        ]
    }

    #[test]
    fn the_bytes_are_those_of_the_page() {
        let start = state(START, 0);
        let mut wanted = vec![1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff];
        // a1 to h1 are 13 5 4 2 1 4 5 13, a8 to h8 13 11 10 8 7 10 11 13.
        wanted.extend([0x5d, 0x24, 0x41, 0xd5, 0x66, 0x66, 0x66, 0x66]);
        wanted.extend([0xcc, 0xcc, 0xcc, 0xcc, 0xbd, 0x8a, 0xa7, 0xdb, 0]);
        assert_eq!(start.bytes(), wanted);
        // After Nf3 and Nf6: the beginning (the same side to move, four squares: f3, g1, f6, g8) comes before the
        // position between them (the other side, two squares: f6 = 45, g8 = 62).
        let after = played(&start, "g1f3 g8f6").bytes();
        let records = [2, 0, 4, 6, 21, 45, 62, 0x05, 0xb0, 1, 2, 45, 62, 0xb0];
        assert!(after.ends_with(&records));
        assert_eq!(after[..3], [1, 2, 0]);
        // Black is to move, and the key has occurred three times: 1 + 2 × 2.
        let third = played(&start, &("g1f3 g8f6 f3g1 f6g8 ".repeat(2) + "g1f3"));
        assert_eq!(third.bytes()[..3], [1, 9, 5]);
        // A pawn to capture en passant, and men whose number is odd.
        let passing = state("7k/8/8/3pP3/8/8/8/7K w - d6 0 1", 0);
        let wanted = [1, 0, 0, 0x80, 0, 0, 0, 0x18, 0, 0, 0x80, 0xe1, 0x76, 0];
        assert_eq!(passing.bytes(), wanted);
        let three = state("7k/8/8/8/8/8/8/KR6 w - - 0 1", 7);
        assert_eq!(
            three.bytes(),
            [1, 7, 0, 3, 0, 0, 0, 0, 0, 0, 0x80, 0x31, 0x07, 0]
        );
    }

    #[test]
    fn what_is_written_is_read_as_it_was() {
        for state in states() {
            let bytes = state.bytes();
            let back = GameState::read(&bytes).unwrap();
            assert_eq!(back.board, state.board);
            assert_eq!((back.clock, back.times()), (state.clock, state.times()));
            assert_eq!(back.bytes(), bytes);
            assert_eq!(back.occurrences.len(), state.occurrences.len());
            for key in &state.occurrences {
                assert!(back.occurrences.contains(key));
            }
        }
    }

    #[test]
    fn every_state_of_a_game_can_be_read() {
        let mut number = 1_u64;
        let starts = [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "7k/8/8/8/8/8/8/KR6 w - - 0 1",
            "4kb2/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1",
        ];
        let mut longest = 0;
        for round in 0..40 {
            let mut state = state(starts[round % starts.len()], 0);
            for _ in 0..400 {
                let bytes = state.bytes();
                assert_eq!(GameState::read(&bytes).as_ref(), Ok(&state));
                longest = longest.max(state.occurrences.len());
                let moves = state.moves();
                number = number
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let chosen = moves.get((number >> 33) as usize % moves.len().max(1));
                let Some(next) = chosen.and_then(|&chosen| state.after(chosen)) else {
                    break;
                };
                state = next;
            }
        }
        assert!(longest > 60, "{longest}");
    }

    #[test]
    fn bytes_that_end_early_or_late_are_refused() {
        for state in states() {
            let bytes = state.bytes();
            for length in 0..bytes.len() {
                assert!(GameState::read(&bytes[..length]).is_err(), "{length}");
            }
            for byte in [0, 1, 255] {
                let longer = [&bytes[..], &[byte]].concat();
                assert!(GameState::read(&longer).is_err());
            }
        }
    }

    #[test]
    fn a_state_has_one_writing() {
        let (mut refused, mut read) = (0, 0);
        for state in states() {
            let bytes = state.bytes();
            for place in 0..bytes.len() {
                for byte in 0..=255 {
                    let mut changed = bytes.clone();
                    changed[place] = byte;
                    match GameState::read(&changed) {
                        Ok(other) => {
                            assert_eq!(other.bytes(), changed);
                            assert_eq!(other == state, changed == bytes);
                            read += 1;
                        }
                        Err(reason) => {
                            assert!(reason.bytes().all(|byte| (0x20..0x7f).contains(&byte)));
                            refused += 1;
                        }
                    }
                }
            }
        }
        assert!(refused > 10_000 && read > 1_000, "{refused} {read}");
    }

    /// The bytes of a state with these men.
    fn raw(clock: u8, now: u8, men: &[(u8, u8)], records: &[&[u8]]) -> Vec<u8> {
        let occupied = men.iter().fold(0, |all, &(square, _)| all | bit(square));
        let codes: Vec<u8> = men.iter().map(|&(_, code)| code).collect();
        let mut bytes = vec![1, clock, now];
        bytes.extend(occupied.to_le_bytes());
        bytes.extend(packed(&codes));
        bytes.push(records.len() as u8);
        records.iter().for_each(|record| bytes.extend(*record));
        bytes
    }

    #[test]
    fn every_fault_of_form_has_its_reason() {
        let kings = [(0, 1), (63, 7)];
        // White's king on a1 and rook on b1, Black's king on h8; earlier keys with the rook on c1 or d1.
        let rook = [(0, 1), (1, 3), (63, 7)];
        let there: &[u8] = &[0, 2, 1, 2, 0x30];
        let further: &[u8] = &[0, 2, 1, 3, 0x30];
        let between: &[u8] = &[1, 2, 1, 2, 0x30];
        let good = [
            raw(0, 0, &kings, &[]),
            raw(150, 1, &kings, &[]),
            raw(1, 0, &rook, &[between]),
            raw(9, 0, &rook, &[there, &[3, 2, 1, 2, 0x30]]),
            raw(9, 0, &rook, &[there, further, &[5, 2, 1, 2, 0x30]]),
            raw(3, 2, &rook, &[&[3, 0]]),
        ];
        for bytes in good {
            assert_eq!(GameState::read(&bytes).map(|s| s.bytes()), Ok(bytes));
        }
        let mut version = raw(0, 0, &kings, &[]);
        version[0] = 2;
        let mut left_over = raw(9, 0, &rook, &[]);
        left_over[12] |= 0x10;
        let mut late = raw(9, 0, &rook, &[]);
        late.push(0);
        for (bytes, reason) in [
            (vec![], "the bytes end in the field version"),
            (vec![1], "the bytes end in the field clock"),
            (vec![1, 0], "the bytes end in the field now"),
            (vec![1, 0, 0, 9], "the bytes end in the field occupied"),
            (
                vec![1, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0],
                "the bytes end in the field men",
            ),
            (
                raw(0, 0, &kings, &[])[..12].to_vec(),
                "the bytes end in the field earlier",
            ),
            (raw(9, 0, &rook, &[&[]]), "the bytes end in the field how"),
            (
                raw(9, 0, &rook, &[&[0]]),
                "the bytes end in the field squares",
            ),
            (
                raw(9, 0, &rook, &[&[0, 2, 1]]),
                "the bytes end in the field where",
            ),
            (
                raw(9, 0, &rook, &[&[0, 2, 1, 2]]),
                "the bytes end in the field what",
            ),
            (version, "version 2 of states is not known"),
            (raw(151, 0, &kings, &[]), "the clock is 151, above 150"),
            (raw(100, 10, &kings, &[]), "now is 10, above 9"),
            (
                raw(0, 0, &[(0, 1), (5, 0), (63, 7)], &[]),
                "code 0 is not that of a man",
            ),
            (
                raw(0, 0, &[(0, 1), (5, 15), (63, 7)], &[]),
                "code 15 is not that of a man",
            ),
            (left_over, "bits are left over in the field men"),
            (
                raw(0, 0, &[(1, 13), (4, 1), (60, 7)], &[]),
                "a rook to castle with does not stand in a corner",
            ),
            (
                raw(0, 0, &[(0, 1), (18, 14), (63, 7)], &[]),
                "a pawn to capture en passant is not on rank 4 or 5",
            ),
            (
                raw(0, 0, &[(7, 1), (35, 14), (36, 6), (37, 14), (63, 7)], &[]),
                "there are two pawns to capture en passant",
            ),
            (
                raw(9, 0, &rook, &[&[8, 2, 1, 2, 0x30]]),
                "how is 8 in a record, above 7",
            ),
            (
                raw(9, 0, &rook, &[&[0, 65]]),
                "65 squares differ in a record, above 64",
            ),
            (
                raw(9, 0, &rook, &[&[0, 2, 2, 1, 0x03]]),
                "the squares of a record are not ascending ones below 64",
            ),
            (
                raw(9, 0, &rook, &[&[0, 2, 1, 1, 0x03]]),
                "the squares of a record are not ascending ones below 64",
            ),
            (
                raw(9, 0, &rook, &[&[0, 2, 1, 64, 0x30]]),
                "the squares of a record are not ascending ones below 64",
            ),
            (
                raw(9, 0, &rook, &[&[0, 2, 1, 2, 0xd0]]),
                "code 13 is not one for the square of a record",
            ),
            (
                raw(9, 0, &rook, &[&[0, 1, 1, 0x10]]),
                "bits are left over in the field what",
            ),
            (
                raw(9, 0, &rook, &[&[0, 3, 1, 2, 3, 0x30, 0]]),
                "a record says of d1 what stands there",
            ),
            (
                raw(9, 0, &rook, &[&[0, 2, 1, 2, 0x33]]),
                "a record says of b1 what stands there",
            ),
            (
                raw(9, 0, &rook, &[&[0, 0]]),
                "a record is that of the present key",
            ),
            (
                raw(9, 0, &rook, &[further, there]),
                "the records do not ascend strictly",
            ),
            (
                raw(9, 0, &rook, &[between, there]),
                "the records do not ascend strictly",
            ),
            // The same key twice, even if it has occurred more often.
            (
                raw(9, 0, &rook, &[there, &[2, 2, 1, 2, 0x30]]),
                "the records do not ascend strictly",
            ),
            (late, "there are bytes after the last record"),
        ] {
            assert_eq!(GameState::read(&bytes), Err(reason.into()), "{bytes:?}");
        }
    }

    #[test]
    fn positions_that_are_not_legal_are_refused() {
        for (now, men, reason) in [
            (0, &[(0, 1)][..], "there is not one king a side"),
            (0, &[], "there is not one king a side"),
            (
                0,
                &[(0, 1), (1, 1), (63, 7)],
                "there is not one king a side",
            ),
            (
                0,
                &[(0, 1), (61, 7), (63, 7)],
                "there is not one king a side",
            ),
            (
                0,
                &[(0, 1), (5, 6), (63, 7)],
                "a pawn stands on the first or the last rank",
            ),
            (
                0,
                &[(0, 1), (60, 12), (63, 7)],
                "a pawn stands on the first or the last rank",
            ),
            (
                0,
                &[(0, 1), (7, 3), (63, 7)],
                "the king of the side not to move is attacked",
            ),
            (
                0,
                &[(0, 1), (1, 7)],
                "the king of the side not to move is attacked",
            ),
            (
                0,
                &[(3, 1), (7, 13), (60, 7)],
                "a king or a rook with the right to castle is not at home",
            ),
            (
                0,
                &[(4, 1), (56, 13), (59, 7)],
                "a king or a rook with the right to castle is not at home",
            ),
            (
                1,
                &[(7, 1), (35, 14), (36, 6), (63, 7)],
                "the pawn to capture en passant is of the side to move",
            ),
            // The square behind it, and the one from which it came.
            (
                0,
                &[(7, 1), (35, 14), (36, 6), (43, 2), (63, 7)],
                "the pawn to capture en passant cannot have made a double step",
            ),
            (
                0,
                &[(7, 1), (35, 14), (36, 6), (51, 2), (63, 7)],
                "the pawn to capture en passant cannot have made a double step",
            ),
            (
                0,
                &[(7, 1), (35, 14), (37, 6), (63, 7)],
                "no capture en passant is legal",
            ),
            // White's king and a rook of Black stand on the rank, and nothing else would be between them.
            (
                0,
                &[(32, 1), (35, 14), (36, 6), (39, 9), (63, 7)],
                "no capture en passant is legal",
            ),
        ] {
            let wanted = format!("the position is not legal: {reason}");
            assert_eq!(
                GameState::read(&raw(0, now, men, &[])),
                Err(wanted),
                "{men:?}"
            );
        }
    }
}
