//! How many lines of so many plies there are, under the profile `board` and in the complete game.
//!
//! The numbers for well-known positions are in the literature, so they show that moves, and here the ends of the game too,
//! are what they are meant to be. The moves of the last ply are counted and not played on. What is still to be followed is
//! kept in a list, the last first, so no depth is too large for the machine's stack.
//!
//! Source: `docs/ruleset.txt`, parts 3 to 5.

use super::Move;
use super::board::Board;
use super::fen::Fen;
use super::game_state::GameState;
use super::man::{Kind, Man, Side};

/// The number of lines of so many plies from a position under the profile `board`; none if the FEN (with the clocks `0 1`)
/// is not that of a legal position.
pub fn perft(fen: &str, plies: u32) -> Option<u64> {
    let words: Vec<&str> = fen.split(' ').collect();
    let fen = Fen::with_castling(&words)?;
    let kings = |side| {
        let kind = Kind::King;
        let men = fen.men.iter();
        men.filter(|(man, _)| *man == Man { side, kind }).count()
    };
    if Side::BOTH.into_iter().any(|side| kings(side) != 1) {
        return None;
    }
    let board = Board::of(&fen)?;
    let mut lines = 0_u64;
    let mut open = vec![(board, plies)];
    while let Some((board, left)) = open.pop() {
        match left {
            0 => lines = lines.saturating_add(1),
            1 => lines = lines.saturating_add(legal(&board).count() as u64),
            _ => open.extend(legal(&board).map(|(_, after)| (after, left - 1))),
        }
    }
    Some(lines)
}

impl GameState {
    /// The number of lines of so many plies in the complete game: nothing follows where the game has ended. (Dead positions
    /// and claims are not looked at.)
    pub fn perft(&self, plies: u32) -> u64 {
        let mut lines = 0_u64;
        let mut open = vec![(self.clone(), plies)];
        while let Some((state, left)) = open.pop() {
            let has_ended = state.draw().is_some();
            let moves = legal(&state.board);
            match left {
                0 => lines = lines.saturating_add(1),
                _ if has_ended => {}
                1 => lines = lines.saturating_add(moves.count() as u64),
                _ => open.extend(moves.map(|(m, after)| (state.follow(m, after), left - 1))),
            }
        }
        lines
    }
}

/// The legal moves in any order, with the positions after them.
fn legal(board: &Board) -> impl Iterator<Item = (Move, Board)> {
    let candidates = board.candidates();
    candidates.filter_map(|candidate| Some((candidate, board.after(candidate)?)))
}
