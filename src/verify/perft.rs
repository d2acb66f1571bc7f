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

#[cfg(test)]
mod tests {
    use super::super::game_state::tests::{START, played, state};
    use super::*;

    /// Well-known positions and their numbers of the literature (Chess Programming Wiki, *Perft Results*).
    const KNOWN: [(&str, &[u64]); 6] = [
        (START, &[1, 20, 400, 8902, 197_281]),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[1, 48, 2039, 97_862],
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            &[1, 14, 191, 2812, 43_238],
        ),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[1, 6, 264, 9467, 422_333],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
            &[1, 44, 1486, 62_379],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1",
            &[1, 46, 2079, 89_890],
        ),
    ];

    #[test]
    fn the_known_numbers_come_out() {
        for (fen, numbers) in KNOWN {
            for (plies, &number) in (0..).zip(numbers) {
                assert_eq!(perft(fen, plies), Some(number), "{fen} {plies}");
                // So few plies from the beginning of a history no game ends but by mate or stalemate.
                assert_eq!(state(fen, 0).perft(plies), number, "{fen} {plies}");
            }
        }
    }

    #[test]
    fn a_text_that_is_no_legal_position_has_no_number() {
        for fen in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "7k/8/8/8/8/8/8/8 w - - 0 1",
            "7k/8/8/8/8/8/8/KK6 w - - 0 1",
            "7k/8/8/8/8/8/8/K6R w - - 0 1",
            "7k/8/8/8/8/8/8/K7 w - - 3 9",
            "7k/8/8/8/8/8/8/K7 w - - 0 1 ",
            "P6k/8/8/8/8/8/8/K7 w - - 0 1",
            "7k/8/8/8/8/8/8/K7 w K - 0 1",
            "7k/8/8/8/8/8/8/K7 w - e6 0 1",
        ] {
            assert_eq!(perft(fen, 1), None, "{fen}");
        }
        assert_eq!(perft("7k/8/8/8/8/8/8/K7 w - - 0 1", 2), Some(9));
    }

    #[test]
    fn nothing_follows_an_ended_game() {
        let fen = "7k/8/8/8/8/8/P7/K7 w - - 0 1";
        assert_eq!(perft(fen, 2), Some(12));
        // After a pawn move Black has three moves; after one of the king the clock is at 150.
        assert_eq!(state(fen, 148).perft(2), 12);
        assert_eq!(state(fen, 149).perft(1), 4);
        assert_eq!(state(fen, 149).perft(2), 6);
        assert_eq!(state(fen, 150).perft(0), 1);
        assert_eq!(state(fen, 150).perft(1), 0);
        // One of Black's moves brings the beginning for the fifth time: White's twenty moves are not played then.
        let round = "g1f3 g8f6 f3g1 f6g8 ";
        let before = played(&state(START, 0), &(round.repeat(3) + "g1f3 g8f6 f3g1"));
        let all = perft(&before.board.to_string(), 2).unwrap();
        assert_eq!(
            before.perft(1),
            perft(&before.board.to_string(), 1).unwrap()
        );
        assert_eq!(before.perft(2), all - 20);
    }

    #[test]
    fn mates_and_stalemates_are_followed_by_nothing() {
        assert_eq!(perft("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 1), Some(0));
        assert_eq!(perft("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 5), Some(0));
        assert_eq!(perft("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0), Some(1));
    }
}
