//! A state of the complete game: a position, the clock, and how often each key has occurred since the last irreversible
//! move.
//!
//! The key of a state is its position: the men, the side to move, the rights to castle, and the en-passant square where a
//! capture on it is legal. That is what a [`Board`] is, and two boards are equal exactly if the keys are. What has occurred is
//! kept as a plain list of boards with a number each, the present one among them. How a state is written, and which states
//! there are, is said in `game_bytes` and `admission`; whether a position is dead, in `deadness`.
//!
//! Invariants: the list names no board twice, and the present one once; no number in it is 0; the clock is at most 150.
//!
//! Source: `docs/ruleset.txt`, parts 4 to 6; `docs/certificate-format.md`, *States of the complete game*.

use super::Move;
use super::board::Board;
use super::man::Kind;

/// How often a key occurs until its player may claim a draw, and until the game is drawn.
const THREEFOLD: u8 = 3;
const FIVEFOLD: u8 = 5;

/// How many plies without a pawn move or a capture are played until a player may claim a draw, and until the game is
/// drawn.
const FIFTY_MOVES: u8 = 100;
pub(super) const SEVENTY_FIVE_MOVES: u8 = 150;

/// A state of the complete game. Two are equal exactly if their bytes are.
#[derive(Clone, Debug)]
pub struct GameState {
    pub(super) board: Board,
    /// *h*: the plies since the last pawn move or capture, or since the beginning.
    pub(super) clock: u8,
    /// R: the keys that have occurred since the last irreversible move, in any order, and how often each has.
    pub(super) occurrences: Vec<(Board, u8)>,
}

/// A claim of a draw by the side to move; `Some` if it rests on a move that the player intends to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The position occurs for the third time at least.
    Threefold(Option<Move>),
    /// Fifty moves of each side without a pawn move or a capture.
    FiftyMoves(Option<Move>),
}

/// An end of the complete game. That a position is dead is left to [`GameState::deadness`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The side to move has lost.
    Checkmate,
    /// The side to move has no legal move, and its king is not attacked.
    Stalemate,
    /// The position has occurred five times.
    Fivefold,
    /// Seventy-five moves of each side without a pawn move or a capture.
    SeventyFive,
}

/// The order of what has occurred makes no difference, so the writings are compared, of which a state has one.
impl PartialEq for GameState {
    fn eq(&self, other: &GameState) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for GameState {}

impl GameState {
    /// The legal moves of the position in the order of their UCI texts, whether or not the game has ended.
    pub fn moves(&self) -> Vec<Move> {
        let moves = self.board.moves().into_iter();
        moves.map(|(legal, _)| legal).collect()
    }

    /// The state after a move; none if it is not legal, or if the game has ended here.
    pub fn after(&self, played: Move) -> Option<GameState> {
        if self.draw().is_some() {
            return None;
        }
        let board = self.board.played(played)?;
        Some(self.follow(played, board))
    }

    /// The state after a legal move, which leads to a position.
    pub(super) fn follow(&self, played: Move, board: Board) -> GameState {
        let mover = self.board.on(played.from());
        let is_pawn_move = mover.is_some_and(|man| man.kind == Kind::Pawn);
        let counts_anew = is_pawn_move || self.board.captured_by(played).is_some();
        let loses_right = board.rights != self.board.rights;
        let is_irreversible = counts_anew || loses_right || self.board.en_passant.is_some();
        let mut occurrences = match is_irreversible {
            true => Vec::new(),
            false => self.occurrences.clone(),
        };
        match occurrences.iter_mut().find(|(key, _)| *key == board) {
            Some((_, times)) => *times = times.saturating_add(1),
            None => occurrences.push((board, 1)),
        }
        let clock = match counts_anew {
            true => 0,
            false => self.clock.saturating_add(1),
        };
        GameState {
            board,
            clock,
            occurrences,
        }
    }

    /// How often the present key has occurred, this occurrence included.
    pub(super) fn times(&self) -> u8 {
        let mut keys = self.occurrences.iter();
        let present = keys.find(|(key, _)| *key == self.board);
        present.map_or(0, |&(_, times)| times)
    }

    /// The claims that the side to move may make, in the order of the moves that they intend: first those that intend none,
    /// threefold repetition before fifty moves. None where the game has ended (a dead position apart).
    pub fn claims(&self) -> Vec<Claim> {
        if self.end().is_some() {
            return Vec::new();
        }
        let mut claims = Vec::from_iter(self.grounds(None));
        for (intended, board) in self.board.moves() {
            claims.extend(self.follow(intended, board).grounds(Some(intended)));
        }
        claims
    }

    /// The claims for which there are grounds in this state, to which an intended move has led.
    fn grounds(&self, intended: Option<Move>) -> impl Iterator<Item = Claim> + use<> {
        let threefold = (self.times() >= THREEFOLD).then_some(Claim::Threefold(intended));
        let fifty_moves = (self.clock >= FIFTY_MOVES).then_some(Claim::FiftyMoves(intended));
        threefold.into_iter().chain(fifty_moves)
    }

    /// The end of the game in this state, the first that applies; none if it goes on (or if the position is dead).
    pub fn end(&self) -> Option<End> {
        if self.board.has_move() {
            return self.draw();
        }
        match self.board.is_in_check(self.board.to_move) {
            true => Some(End::Checkmate),
            false => Some(End::Stalemate),
        }
    }

    /// The end by what is counted, if the position is none.
    pub(super) fn draw(&self) -> Option<End> {
        if self.times() >= FIVEFOLD {
            return Some(End::Fivefold);
        }
        (self.clock >= SEVENTY_FIVE_MOVES).then_some(End::SeventyFive)
    }
}
