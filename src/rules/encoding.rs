//! States as bytes: one writing a state, and one state a writing.
//!
//! The format page says which bytes there are and which states (*States of the complete game*). Reading is strict: a byte that is
//! not as it would be written is refused.

use std::collections::HashMap;
use std::num::NonZeroU32;

use sha2::{Digest, Sha256};
use shakmaty::{
    Bitboard, Board, Chess, Color, EnPassantMode, Piece, Position, Rank, Role, Setup, Square,
};
use thiserror::Error;

use super::position::legal_position;
use super::state::{FIVEFOLD, SEVENTY_FIVE_MOVES, State, has_en_passant};

/// The version of the encoding.
const VERSION: u8 = 1;

/// The code of a rook with a castling right.
const CASTLING_ROOK: u8 = 13;

/// The code of a pawn that may be captured en passant.
const PASSING_PAWN: u8 = 14;

/// The roles in the order of their codes, from 1 for White and 7 for Black.
const ROLES: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// Why bytes are no state.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the message of each says what it is
pub enum NoEncoding {
    #[error("the bytes end inside {0}")]
    Truncated(&'static str),
    #[error("{0} bytes follow the last record")]
    TrailingBytes(usize),
    #[error("version {0} of the encoding is not known; this is version 1")]
    Version(u8),
    #[error("the clock is {0}, above 150")]
    Clock(u8),
    #[error("{0} occurrences of a key: a game ends with the fifth, and none is left after it")]
    Count(u8),
    #[error("code {code} on {square} is no man that can stand there")]
    Code { code: u8, square: Square },
    #[error("bits are set behind the last code")]
    Padding,
    #[error("{0} pawns that may be captured en passant")]
    PassingPawns(usize),
    #[error("not a legal position: {0}")]
    Position(String),
    #[error("the castling rights or the en-passant square do not fit the position")]
    Rights,
    #[error("there is a capture en passant, but the clock is {0}")]
    EnPassantClock(u8),
    #[error("{occurrences} occurrences of keys in {plies} plies since the last irreversible move")]
    TooManyOccurrences { occurrences: u32, plies: u8 },
    #[error("of {all} occurrences {same} are of keys with the side to move that is to move now")]
    Turns { all: u32, same: u32 },
    #[error("the key has occurred {0} times, but the game ended when it occurred first")]
    Ended(u8),
    #[error("earlier key {0}: {1}")]
    Earlier(usize, EarlierFault),
}

/// What is wrong with the record of another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum EarlierFault {
    #[error("the record does not follow the one before in order")]
    Order,
    #[error("the squares are not ascending")]
    Squares,
    #[error("a square does not differ from the present position")]
    Same,
    #[error("a man that cannot have moved or come")]
    Man,
    #[error("the men are not those of the present position")]
    Men,
    #[error("not a legal position")]
    Position,
    #[error("the game ended there")]
    Ended,
    #[error("it is the present key")]
    Present,
}

impl State {
    /// The bytes of the state.
    pub fn bytes(&self) -> Vec<u8> {
        let position = self.position();
        let mut bytes = vec![
            VERSION,
            self.clock_plies() as u8,
            u8::from(position.turn().is_black()) | (self.occurrences() - 1) << 1,
        ];
        let occupied = position.board().occupied();
        bytes.extend(occupied.0.to_le_bytes());
        let codes = codes(position);
        bytes.extend(nibbles(
            occupied.into_iter().map(|square| codes[square.to_usize()]),
        ));
        let mut records: Vec<Record> = self
            .earlier()
            .map(|(key, count)| Record::of(position, key, count))
            .collect();
        records.sort_unstable_by(|a, b| a.order().cmp(&b.order()));
        bytes.push(records.len() as u8);
        bytes.extend(records.iter().flat_map(Record::bytes));
        bytes
    }

    /// SHA-256 of the bytes.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.bytes()).into()
    }

    /// The state of some bytes.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn of_bytes(bytes: &[u8]) -> Result<State, NoEncoding> {
        let mut rest = Rest(bytes);
        let version = rest.byte("the version")?;
        if version != VERSION {
            return Err(NoEncoding::Version(version));
        }
        let clock = rest.byte("the clock")?;
        if u32::from(clock) > SEVENTY_FIVE_MOVES {
            return Err(NoEncoding::Clock(clock));
        }
        let now = rest.byte("the present key")?;
        let (turn, count) = (turn_of(now & 1), (now >> 1) + 1);
        if count > FIVEFOLD {
            return Err(NoEncoding::Count(count));
        }
        let position = read_position(&mut rest, turn, clock)?;
        if clock > 0 && has_en_passant(&position) {
            return Err(NoEncoding::EnPassantClock(clock));
        }
        if count > 1 && position.legal_moves().is_empty() {
            return Err(NoEncoding::Ended(count));
        }
        let mut occurred = HashMap::from([(position.clone(), count)]);
        let mut last: Option<Record> = None;
        for number in 0..usize::from(rest.byte("the number of other keys")?) {
            let fault = |fault| NoEncoding::Earlier(number, fault);
            let record = Record::read(&mut rest, number)?;
            if last.is_some_and(|last| last.order() >= record.order()) {
                return Err(fault(EarlierFault::Order));
            }
            let key = record.key(&position).map_err(fault)?;
            occurred.insert(key, record.count);
            last = Some(record);
        }
        if !rest.0.is_empty() {
            return Err(NoEncoding::TrailingBytes(rest.0.len()));
        }
        check_occurrences(&position, clock, &occurred)?;
        Ok(State::of_parts(position, occurred))
    }
}

/// That so many occurrences can have come about, with the sides taking turns.
fn check_occurrences(
    position: &Chess,
    plies: u8,
    occurred: &HashMap<Chess, u8>,
) -> Result<(), NoEncoding> {
    let sum = |turn: Option<Color>| -> u32 {
        let of_turn = occurred
            .iter()
            .filter(|(key, _)| turn.is_none_or(|turn| key.turn() == turn));
        of_turn.map(|(_, &count)| u32::from(count)).sum()
    };
    let (all, same) = (sum(None), sum(Some(position.turn())));
    if all > u32::from(plies) + 1 {
        return Err(NoEncoding::TooManyOccurrences {
            occurrences: all,
            plies,
        });
    }
    match same == all.div_ceil(2) {
        true => Ok(()),
        false => Err(NoEncoding::Turns { all, same }),
    }
}

/// What stands on each square, 0 for nothing.
fn codes(position: &Chess) -> [u8; 64] {
    let mut codes = [0; 64];
    for (square, piece) in position.board() {
        codes[square.to_usize()] = code_of(piece);
    }
    for rook in position.castles().castling_rights() {
        codes[rook.to_usize()] = CASTLING_ROOK;
    }
    if let Some(behind) = position.ep_square(EnPassantMode::Legal) {
        let rank = match behind.rank() {
            Rank::Third => Rank::Fourth,
            _ => Rank::Fifth,
        };
        codes[Square::from_coords(behind.file(), rank).to_usize()] = PASSING_PAWN;
    }
    codes
}

fn code_of(piece: Piece) -> u8 {
    let place = ROLES.iter().position(|&role| role == piece.role);
    let side = match piece.color {
        Color::White => 1,
        Color::Black => 7,
    };
    side + place.unwrap_or(0) as u8
}

/// The man of a code from 1 to 12.
fn piece_of(code: u8) -> Option<Piece> {
    let (color, place) = match code {
        1..=6 => (Color::White, code - 1),
        7..=12 => (Color::Black, code - 7),
        _ => return None,
    };
    Some(ROLES[usize::from(place)].of(color))
}

const fn turn_of(bit: u8) -> Color {
    match bit {
        0 => Color::White,
        _ => Color::Black,
    }
}

/// Codes of four bits, two a byte.
fn nibbles(codes: impl Iterator<Item = u8>) -> Vec<u8> {
    let codes: Vec<u8> = codes.collect();
    let pairs = codes.chunks(2);
    pairs
        .map(|pair| pair[0] | pair.get(1).copied().unwrap_or(0) << 4)
        .collect()
}

fn read_position(rest: &mut Rest, turn: Color, clock: u8) -> Result<Chess, NoEncoding> {
    let occupied = Bitboard(u64::from_le_bytes(rest.array("the occupied squares")?));
    let codes = rest.codes(occupied.count(), "the men")?;
    let mut setup = Setup::empty();
    setup.turn = turn;
    setup.halfmoves = u32::from(clock);
    setup.fullmoves = NonZeroU32::MIN;
    let mut passing = 0;
    for (square, code) in occupied.into_iter().zip(codes) {
        let piece = match code {
            CASTLING_ROOK => {
                setup.castling_rights.add(square);
                castling_rook(square)
            }
            PASSING_PAWN => {
                passing += 1;
                let (pawn, behind) = passing_pawn(square);
                setup.ep_square = behind;
                pawn
            }
            _ => piece_of(code),
        };
        let piece = piece.ok_or(NoEncoding::Code { code, square })?;
        setup.board.set_piece_at(square, piece);
    }
    if passing > 1 {
        return Err(NoEncoding::PassingPawns(passing));
    }
    let (rights, behind) = (setup.castling_rights, setup.ep_square);
    let position = checked_position(setup).map_err(NoEncoding::Position)?;
    let fits = position.castles().castling_rights() == rights
        && position.ep_square(EnPassantMode::Legal) == behind;
    match fits {
        true => Ok(position),
        false => Err(NoEncoding::Rights),
    }
}

/// The legal position of a setup; a pawn on an edge rank and kings that touch are faults of it as any other.
fn checked_position(setup: Setup) -> Result<Chess, String> {
    legal_position(setup).map_err(|error| error.to_string())
}

/// The rook that has a right on a square.
fn castling_rook(square: Square) -> Option<Piece> {
    match square {
        Square::A1 | Square::H1 => Some(Color::White.rook()),
        Square::A8 | Square::H8 => Some(Color::Black.rook()),
        _ => None,
    }
}

/// The pawn that has just gone two steps to a square, and the square behind it.
fn passing_pawn(square: Square) -> (Option<Piece>, Option<Square>) {
    let (color, behind) = match square.rank() {
        Rank::Fourth => (Color::White, Rank::Third),
        Rank::Fifth => (Color::Black, Rank::Sixth),
        _ => return (None, None),
    };
    let behind = Square::from_coords(square.file(), behind);
    (Some(color.pawn()), Some(behind))
}

/// How another key differs from the present one.
struct Record {
    /// Whether the other side was to move.
    other_turn: bool,
    count: u8,
    /// The squares with another content, ascending, and what stands there.
    squares: Vec<u8>,
    codes: Vec<u8>,
}

impl Record {
    fn of(present: &Chess, key: &Chess, count: u8) -> Record {
        let (here, there) = (codes(present), codes(key));
        let differ =
            || (0..64_u8).filter(|&square| here[usize::from(square)] != there[usize::from(square)]);
        Record {
            other_turn: key.turn() != present.turn(),
            count,
            squares: differ().collect(),
            codes: differ().map(|square| there[usize::from(square)]).collect(),
        }
    }

    /// Records stand in ascending order of this.
    fn order(&self) -> (bool, usize, &[u8], Vec<u8>) {
        let what = nibbles(self.codes.iter().copied());
        (self.other_turn, self.squares.len(), &self.squares, what)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![
            u8::from(self.other_turn) | (self.count - 1) << 1,
            self.squares.len() as u8,
        ];
        bytes.extend(&self.squares);
        bytes.extend(nibbles(self.codes.iter().copied()));
        bytes
    }

    fn read(rest: &mut Rest, number: usize) -> Result<Record, NoEncoding> {
        const WHERE: &str = "the record of another key";
        let how = rest.byte(WHERE)?;
        let count = (how >> 1) + 1;
        if count >= FIVEFOLD {
            return Err(NoEncoding::Count(count));
        }
        let squares = rest.byte(WHERE)?;
        let squares = rest.take(usize::from(squares), WHERE)?.to_vec();
        if !squares.is_sorted_by(|a, b| a < b) || squares.last().is_some_and(|&last| last > 63) {
            return Err(NoEncoding::Earlier(number, EarlierFault::Squares));
        }
        let codes = rest.codes(squares.len(), WHERE)?;
        Ok(Record {
            other_turn: how & 1 != 0,
            count,
            squares,
            codes,
        })
    }

    /// The key, with the present castling rights.
    fn key(&self, present: &Chess) -> Result<Chess, EarlierFault> {
        if self.squares.is_empty() && !self.other_turn {
            return Err(EarlierFault::Present);
        }
        let here = codes(present);
        let mut setup = present.to_setup(EnPassantMode::Legal);
        if setup.ep_square.take().is_some() {
            return Err(EarlierFault::Man);
        }
        for (&square, &code) in self.squares.iter().zip(&self.codes) {
            let before = here[usize::from(square)];
            if code == before {
                return Err(EarlierFault::Same);
            }
            let is_bound = |code| matches!(piece_of(code), Some(piece) if piece.role == Role::Pawn);
            if code > 12 || before > 12 || is_bound(code) || is_bound(before) {
                return Err(EarlierFault::Man);
            }
            let square = Square::new(u32::from(square));
            match piece_of(code) {
                Some(piece) => setup.board.set_piece_at(square, piece),
                None => drop(setup.board.remove_piece_at(square)),
            }
        }
        if census(&setup.board) != census(present.board()) {
            return Err(EarlierFault::Men);
        }
        if self.other_turn {
            setup.turn = !setup.turn;
        }
        let key = checked_position(setup).map_err(|_| EarlierFault::Position)?;
        match key.legal_moves().is_empty() {
            true => Err(EarlierFault::Ended),
            false => Ok(key),
        }
    }
}

/// How many men of each colour and role there are, of bishops on the dark and on the light squares.
fn census(board: &Board) -> [usize; 14] {
    let mut counts = [0; 14];
    for (square, piece) in board {
        let light = usize::from(piece.role == Role::Bishop && square.is_light());
        let place = match light {
            0 => usize::from(code_of(piece)) - 1,
            _ => 12 + usize::from(piece.color.is_black()),
        };
        counts[place] += 1;
    }
    counts
}

/// The bytes that are still to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, bytes: usize, place: &'static str) -> Result<&'a [u8], NoEncoding> {
        let (taken, rest) = self
            .0
            .split_at_checked(bytes)
            .ok_or(NoEncoding::Truncated(place))?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self, place: &'static str) -> Result<u8, NoEncoding> {
        Ok(self.array::<1>(place)?[0])
    }

    fn array<const N: usize>(&mut self, place: &'static str) -> Result<[u8; N], NoEncoding> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, place)?);
        Ok(array)
    }

    /// So many codes of four bits.
    fn codes(&mut self, count: usize, place: &'static str) -> Result<Vec<u8>, NoEncoding> {
        let bytes = self.take(count.div_ceil(2), place)?;
        let mut codes: Vec<u8> = bytes
            .iter()
            .flat_map(|&pair| [pair & 15, pair >> 4])
            .collect();
        match codes.len() > count && codes.pop() != Some(0) {
            true => Err(NoEncoding::Padding),
            false => Ok(codes),
        }
    }
}
