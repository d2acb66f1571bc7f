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
