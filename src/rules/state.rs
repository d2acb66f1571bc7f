//! States of the complete game FCS-2023: a position with its clock and with what has occurred.
//!
//! A key is a position as `shakmaty` compares them: men, side to move, castling rights, and the en-passant square if the capture
//! is legal. The clock is that of the position. What has occurred is kept since the last irreversible move alone, because no key
//! from before it can come again (C2.1; ruleset, part 4).

use std::collections::HashMap;

use shakmaty::{Chess, EnPassantMode, Move, Position};
use thiserror::Error;

/// Occurrences of a key with which a draw can be claimed (FIDE 9.2).
pub(super) const THREEFOLD: u8 = 3;

/// Occurrences of a key with which the game is drawn (FIDE 9.6.1).
pub(super) const FIVEFOLD: u8 = 5;

/// Plies without capture or pawn move with which a draw can be claimed (FIDE 9.3).
pub(super) const FIFTY_MOVES: u32 = 100;

/// Plies after which the game is drawn, unless the last of them mates (FIDE 9.6.2).
pub(super) const SEVENTY_FIVE_MOVES: u32 = 150;

/// A state of the complete game: (B, t, C, E, h, R) of C2.1.
#[derive(Clone, Debug)]
pub struct State {
    /// (B, t, C, E), and h as its clock.
    position: Chess,
    /// R: how often each key has occurred. The present one is among them.
    occurred: HashMap<Chess, u8>,
}

/// Why a position given without a history cannot begin a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoState {
    /// The game would have ended before.
    #[error("the halfmove clock is {0}, but a game ends when it reaches 150 (FIDE 9.6.2)")]
    Clock(u32),
    /// A double step is a pawn move.
    #[error(
        "there is a capture en passant, so the last move was a pawn's, but the halfmove clock is {0}"
    )]
    EnPassantClock(u32),
}

/// How a game ends by itself, dead positions apart (ruleset, part 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side to move has lost.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The key has occurred five times.
    Fivefold,
    /// 150 plies without capture or pawn move.
    SeventyFiveMoves,
}

/// A claim of a draw by the side to move; with a move that is intended and not made, or on the board (ruleset, part 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A key that has occurred, or would occur, for at least the third time.
    Threefold(Option<Move>),
    /// A clock of at least 100, now or then.
    FiftyMoves(Option<Move>),
}

impl State {
    /// The state of a position of which no earlier occurrence of any key is known.
    ///
    /// # Errors
    ///
    /// If its clock says that the game has ended before, or does not fit its en-passant square.
    pub fn new(position: Chess) -> Result<State, NoState> {
        let clock = position.halfmoves();
        if clock > SEVENTY_FIVE_MOVES {
            return Err(NoState::Clock(clock));
        }
        if clock > 0 && has_en_passant(&position) {
            return Err(NoState::EnPassantClock(clock));
        }
        let occurred = HashMap::from([(position.clone(), 1)]);
        Ok(State { position, occurred })
    }

    /// A state of which all parts are known to fit.
    pub(super) fn of_parts(position: Chess, occurred: HashMap<Chess, u8>) -> State {
        State { position, occurred }
    }

    /// The position. Its clock is that of the state.
    pub const fn position(&self) -> &Chess {
        &self.position
    }

    /// Plies since the last capture or pawn move, or since the beginning.
    pub fn clock_plies(&self) -> u32 {
        self.position.halfmoves()
    }

    /// How often the present key has occurred, this occurrence included.
    pub fn occurrences(&self) -> u8 {
        self.occurred.get(&self.position).copied().unwrap_or(1)
    }

    /// How often a position has occurred since the last irreversible move.
    pub fn occurrences_of(&self, key: &Chess) -> u8 {
        self.occurred.get(key).copied().unwrap_or(0)
    }

    /// The other keys that have occurred since the last irreversible move, in no order.
    pub fn earlier(&self) -> impl Iterator<Item = (&Chess, u8)> {
        let all = self.occurred.iter().map(|(key, &count)| (key, count));
        all.filter(|&(key, _)| *key != self.position)
    }

    /// Whether no key has occurred before, nor the present one more than once.
    pub fn has_no_past(&self) -> bool {
        self.occurred.len() == 1 && self.occurrences() == 1
    }

    /// The state after a legal move; none if the game has ended before it, dead positions apart.
    pub fn after(&self, mv: Move) -> Option<State> {
        if self.end_by_count().is_some() {
            return None;
        }
        let mut position = self.position.clone();
        position.play_unchecked(mv);
        let mut occurred = match self.is_irreversible(mv, &position) {
            true => HashMap::new(),
            false => self.occurred.clone(),
        };
        let count = occurred.entry(position.clone()).or_insert(0);
        *count += 1;
        Some(State { position, occurred })
    }

    /// How the game ends here, if it does; that the position is dead is left out.
    pub fn end(&self) -> Option<End> {
        if self.position.legal_moves().is_empty() {
            return Some(match self.position.is_check() {
                true => End::Checkmate,
                false => End::Stalemate,
            });
        }
        self.end_by_count()
    }

    /// The same where there is a legal move.
    fn end_by_count(&self) -> Option<End> {
        if self.occurrences() >= FIVEFOLD {
            Some(End::Fivefold)
        } else if self.clock_plies() >= SEVENTY_FIVE_MOVES {
            Some(End::SeventyFiveMoves)
        } else {
            None
        }
    }

    /// What the side to move can claim; nothing where the game has ended (dead positions apart). Claims on the board come first, then
    /// those with a move in the order of the moves.
    pub fn claims(&self) -> Vec<Claim> {
        if self.end().is_some() {
            return Vec::new();
        }
        let mut claims = Vec::new();
        if self.occurrences() >= THREEFOLD {
            claims.push(Claim::Threefold(None));
        }
        if self.clock_plies() >= FIFTY_MOVES {
            claims.push(Claim::FiftyMoves(None));
        }
        for mv in super::moves_in_order(&self.position) {
            let mut next = self.position.clone();
            next.play_unchecked(mv);
            let before = match self.is_irreversible(mv, &next) {
                true => 0,
                false => self.occurrences_of(&next),
            };
            if before + 1 >= THREEFOLD {
                claims.push(Claim::Threefold(Some(mv)));
            }
            if next.halfmoves() >= FIFTY_MOVES {
                claims.push(Claim::FiftyMoves(Some(mv)));
            }
        }
        claims
    }

    /// Whether no present or earlier key can occur after a move to `next`.
    fn is_irreversible(&self, mv: Move, next: &Chess) -> bool {
        mv.is_zeroing()
            || has_en_passant(&self.position)
            || self.position.castles().castling_rights() != next.castles().castling_rights()
    }
}

/// States are equal if they allow the same play; the number of the move does not matter.
impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.position == other.position
            && self.clock_plies() == other.clock_plies()
            && self.occurred == other.occurred
    }
}

impl Eq for State {}

impl Claim {
    /// The intended move.
    pub const fn intended(self) -> Option<Move> {
        match self {
            Claim::Threefold(mv) | Claim::FiftyMoves(mv) => mv,
        }
    }
}

/// Whether a capture en passant is legal.
pub(super) fn has_en_passant(position: &Chess) -> bool {
    position.ep_square(EnPassantMode::Legal).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;
    use shakmaty::uci::UciMove;

    fn state(fen: &str) -> State {
        State::new(parse_fen(fen).unwrap()).unwrap()
    }

    fn played(state: &State, moves: &str) -> State {
        moves.split_whitespace().fold(state.clone(), |state, text| {
            let uci: UciMove = text.parse().unwrap();
            state.after(uci.to_move(state.position()).unwrap()).unwrap()
        })
    }

    fn claims(state: &State) -> String {
        let text = |claim: &Claim| {
            let with = claim
                .intended()
                .map_or_else(|| "now".to_owned(), crate::rules::uci);
            match claim {
                Claim::Threefold(_) => format!("3 {with}"),
                Claim::FiftyMoves(_) => format!("50 {with}"),
            }
        };
        let texts: Vec<String> = state.claims().iter().map(text).collect();
        texts.join(", ")
    }

    const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8";

    #[test]
    fn a_key_that_comes_again_can_be_claimed() {
        let start = State::new(Chess::default()).unwrap();
        let once = played(&start, KNIGHTS);
        assert_eq!((once.occurrences(), claims(&once)), (2, String::new()));
        let before = played(&once, "g1f3 g8f6 f3g1");
        assert_eq!(claims(&before), "3 f6g8");
        let twice = played(&before, "f6g8");
        assert_eq!(twice.occurrences(), 3);
        // Nf3 would bring the key after it for the third time as well.
        assert_eq!(claims(&twice), "3 now, 3 g1f3");
        // The intended move that makes a key occur for the fourth time.
        let fourth = played(&twice, "b1c3 b8c6 c3b1");
        assert_eq!(claims(&fourth), "3 c6b8");
        let five = played(&start, &[KNIGHTS; 4].join(" "));
        assert_eq!((five.occurrences(), five.end()), (5, Some(End::Fivefold)));
        assert_eq!(claims(&five), "");
    }

    #[test]
    fn what_cannot_come_again_is_forgotten() {
        let start = State::new(Chess::default()).unwrap();
        let pawn = played(&played(&start, KNIGHTS), "e2e3");
        assert_eq!((pawn.occurrences(), pawn.earlier().count()), (1, 0));
        // Kings step out and back: a right is lost with the first move of each, and then nothing.
        let castling = state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 10 1");
        let moved = played(&castling, "e1e2 e8e7 e2e1 e7e8");
        assert_eq!((moved.occurrences(), moved.earlier().count()), (1, 2));
        assert_eq!(moved.clock_plies(), 14);
        // With a capture en passant the position is another one, although the men are the same.
        let right = state("7k/8/8/8/p7/8/1P6/7K w - - 3 1");
        let stepped = played(&right, "b2b4");
        let back = played(&stepped, "h8h7 h1h2 h7h8 h2h1");
        assert_eq!((back.occurrences(), back.earlier().count()), (1, 3));
    }

    #[test]
    fn the_clock_can_be_claimed_and_ends_the_game() {
        let at = |clock: u32| state(&format!("8/8/8/4k3/8/8/P7/K6R w - - {clock} 90"));
        assert_eq!(claims(&at(98)), "");
        // Only quiet moves of king and rook: a pawn move starts the clock anew.
        let intended = claims(&at(99));
        assert!(
            intended.contains("50 h1h2") && !intended.contains("a2a3"),
            "{intended}"
        );
        assert!(claims(&at(100)).starts_with("50 now, 50 a1b1"));
        assert_eq!(
            (at(149).end(), at(150).end()),
            (None, Some(End::SeventyFiveMoves))
        );
        assert_eq!(claims(&at(150)), "");
        let mate = state("7k/5K2/8/8/8/8/8/6R1 w - - 149 120");
        assert_eq!(played(&mate, "g1h1").end(), Some(End::Checkmate));
        assert_eq!(played(&mate, "g1g2").end(), Some(End::SeventyFiveMoves));
    }

    #[test]
    fn a_position_may_be_no_state() {
        let refused = |fen: &str| State::new(parse_fen(fen).unwrap()).unwrap_err();
        assert_eq!(
            refused("8/8/8/4k3/8/8/P7/K6R w - - 151 90"),
            NoState::Clock(151)
        );
        assert_eq!(
            refused("7k/8/8/8/pP6/8/8/7K b - b3 1 1"),
            NoState::EnPassantClock(1)
        );
    }
}
