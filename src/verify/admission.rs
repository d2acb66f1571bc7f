//! Which states of the complete game there are: what is asked of one that is read, beyond its form.
//!
//! The present position and the other keys are legal positions; the plies that were counted, the sides to move and the men
//! are such that the keys may have followed from one another since the last irreversible move. Not all that pass can arise in
//! a game, but all that can arise from one that passes do pass.
//!
//! Source: `docs/certificate-format.md`, *States of the complete game*, *Which states there are*.

use super::board::Board;
use super::game_state::GameState;
use super::man::{Kind, Man, Side};
use super::reach::LIGHT;

/// The squares on which no pawn stands.
const EDGE_RANKS: u64 = 0xff00_0000_0000_00ff;

/// Finds whether there is such a state. The faults are looked for in the order of the page; the first one is said.
pub(super) fn judge(state: &GameState) -> Result<(), String> {
    let board = &state.board;
    if let Some(fault) = fault_of(board) {
        return Err(format!("the position is not legal: {fault}"));
    }
    if board.en_passant.is_some() && state.clock != 0 {
        return Err("a pawn may be captured en passant, but the clock is not 0".into());
    }
    let times = |side| -> u64 {
        let keys = state.occurrences.iter();
        let keys = keys.filter(|(key, _)| key.to_move == side);
        keys.map(|&(_, times)| u64::from(times)).sum()
    };
    let (ours, theirs) = (times(board.to_move), times(board.to_move.other()));
    if ours + theirs > u64::from(state.clock) + 1 {
        return Err("there are more occurrences than the clock allows".into());
    }
    // Of N occurrences half, rounded up, are of the side to move: as many as of the other side, or one more.
    if ours != (ours + theirs).div_ceil(2) {
        return Err("the sides have not taken turns".into());
    }
    if state.times() > 1 && !board.has_move() {
        return Err("the position has occurred before, but has no legal move".into());
    }
    let others = state.occurrences.iter().filter(|(key, _)| key != board);
    for (key, _) in others {
        if let Some(fault) = fault_of(key).or_else(|| strangeness(board, key)) {
            return Err(format!("another key cannot have been before: {fault}"));
        }
    }
    Ok(())
}

/// Why a position is not legal, if it is not.
fn fault_of(board: &Board) -> Option<&'static str> {
    let count = |side, kind| board.all(Man { side, kind }).count_ones();
    let has_one_king = |side: &Side| count(*side, Kind::King) == 1;
    if !Side::BOTH.iter().all(has_one_king) {
        return Some("there is not one king a side");
    }
    if board.kinds[Kind::Pawn as usize] & EDGE_RANKS != 0 {
        return Some("a pawn stands on the first or the last rank");
    }
    if board.is_in_check(board.to_move.other()) {
        return Some("the king of the side not to move is attacked");
    }
    let stands = |side, kind, square| board.on(square) == Some(Man { side, kind });
    let mut wings = board.rights.wings();
    let are_at_home = wings.all(|wing| {
        stands(wing.side, Kind::King, wing.king().0) && stands(wing.side, Kind::Rook, wing.rook().0)
    });
    if !are_at_home {
        return Some("a king or a rook with the right to castle is not at home");
    }
    let passed = board.en_passant?;
    let side = board.to_move.other();
    let rank_passed = match side {
        Side::White => 2,
        Side::Black => 5,
    };
    if passed.rank() != rank_passed {
        return Some("the pawn to capture en passant is of the side to move");
    }
    if !board.has_stepped_over(passed) {
        return Some("the pawn to capture en passant cannot have made a double step");
    }
    let has_capture = board.has_capture_on(passed);
    (!has_capture).then_some("no capture en passant is legal")
}

/// Why a legal position cannot have been before another without an irreversible move between them, if that can be seen.
fn strangeness(board: &Board, key: &Board) -> Option<&'static str> {
    if men(board) != men(key) {
        return Some("it has not the same men");
    }
    let pawns = |board: &Board, side| {
        let kind = Kind::Pawn;
        board.all(Man { side, kind })
    };
    if Side::BOTH
        .into_iter()
        .any(|side| pawns(board, side) != pawns(key, side))
    {
        return Some("a pawn stands elsewhere");
    }
    let has_move = key.has_move();
    (!has_move).then_some("it has no legal move")
}

/// How many men of each side and kind there are, of bishops on the light and on the dark squares.
fn men(board: &Board) -> Vec<u32> {
    let men = Side::BOTH.into_iter();
    let men = men.flat_map(|side| Kind::ALL.map(|kind| Man { side, kind }));
    let counts = men.flat_map(|man| {
        let squares = board.all(man);
        let light = match man.kind {
            Kind::Bishop => squares & LIGHT,
            _ => 0,
        };
        [light.count_ones(), (squares & !light).count_ones()]
    });
    counts.collect()
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::board;
    use super::*;

    /// A state with other keys, each with how often it has occurred.
    fn with(fen: &str, clock: u8, times: u8, others: &[(&str, u8)]) -> GameState {
        let present = board(fen);
        let others = others.iter().map(|&(fen, times)| (board(fen), times));
        GameState {
            board: present,
            clock,
            occurrences: [(present, times)].into_iter().chain(others).collect(),
        }
    }

    fn reason(state: &GameState) -> String {
        judge(state).err().unwrap_or_default()
    }

    const ROOK: &str = "7k/8/8/8/8/8/8/KR6 w - - 0 1";
    const ROOK_BEFORE: &str = "7k/8/8/8/8/8/8/KR6 b - - 0 1";
    const ROOK_AWAY: &str = "7k/8/8/8/8/8/1R6/K7 w - - 0 1";
    const ROOK_AWAY_BEFORE: &str = "7k/8/8/8/8/8/1R6/K7 b - - 0 1";

    #[test]
    fn an_en_passant_square_comes_with_a_clock_of_0() {
        let passing = "7k/8/8/3pP3/8/8/8/7K w - d6 0 1";
        assert_eq!(reason(&with(passing, 0, 1, &[])), "");
        let wanted = "a pawn may be captured en passant, but the clock is not 0";
        assert_eq!(reason(&with(passing, 1, 1, &[])), wanted);
    }

    #[test]
    fn occurrences_are_no_more_than_the_plies_allow() {
        let wanted = "there are more occurrences than the clock allows";
        let others = [(ROOK_AWAY, 1), (ROOK_BEFORE, 1), (ROOK_AWAY_BEFORE, 2)];
        assert_eq!(reason(&with(ROOK, 5, 2, &others)), "");
        assert_eq!(reason(&with(ROOK, 4, 2, &others)), wanted);
        assert_eq!(reason(&with(ROOK, 0, 1, &[(ROOK_BEFORE, 1)])), wanted);
        assert_eq!(reason(&with(ROOK, 1, 1, &[(ROOK_BEFORE, 1)])), "");
    }

    #[test]
    fn the_sides_take_turns() {
        let wanted = "the sides have not taken turns";
        for (times, others, reason_wanted) in [
            (1, &[][..], ""),
            (2, &[], wanted),
            (2, &[(ROOK_BEFORE, 1)], ""),
            (2, &[(ROOK_BEFORE, 2)], ""),
            (2, &[(ROOK_BEFORE, 3)], wanted),
            (1, &[(ROOK_BEFORE, 1)], ""),
            (1, &[(ROOK_BEFORE, 2)], wanted),
            (1, &[(ROOK_AWAY, 1)], wanted),
            (1, &[(ROOK_AWAY, 1), (ROOK_BEFORE, 1)], ""),
            (3, &[(ROOK_BEFORE, 1)], wanted),
        ] {
            let found = reason(&with(ROOK, 50, times, others));
            assert_eq!(found, reason_wanted, "{times} {others:?}");
        }
    }

    #[test]
    fn what_occurs_again_had_a_move() {
        let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        let other = "7k/4Q3/6K1/8/8/8/8/8 w - - 0 1";
        assert_eq!(reason(&with(mate, 50, 1, &[(other, 1)])), "");
        let wanted = "the position has occurred before, but has no legal move";
        assert_eq!(reason(&with(mate, 50, 2, &[(other, 1)])), wanted);
    }

    #[test]
    fn other_keys_are_such_as_may_have_been_before() {
        let present = "7k/p7/8/8/8/8/3r4/KB5N w - - 0 1";
        for (other, reason_wanted) in [
            (
                "7k/p7/8/8/8/B7/3r4/K6N b - - 0 1",
                "it has not the same men",
            ),
            ("7k/p7/8/8/8/3B4/3r4/K6N b - - 0 1", ""),
            ("7k/p7/8/8/8/8/3r4/KB6 b - - 0 1", "it has not the same men"),
            (
                "7k/p7/8/8/8/8/3R4/KB5N b - - 0 1",
                "it has not the same men",
            ),
            (
                "7k/p7/8/8/8/8/3r4/KB5Q b - - 0 1",
                "it has not the same men",
            ),
            (
                "7k/p6p/8/8/8/8/3r4/KB5N b - - 0 1",
                "it has not the same men",
            ),
            (
                "7k/1p6/8/8/8/8/3r4/KB5N b - - 0 1",
                "a pawn stands elsewhere",
            ),
            ("7k/p7/8/8/8/8/2r5/KB5N b - - 0 1", ""),
        ] {
            let wanted = match reason_wanted {
                "" => String::new(),
                fault => format!("another key cannot have been before: {fault}"),
            };
            let found = reason(&with(present, 9, 1, &[(other, 1)]));
            assert_eq!(found, wanted, "{other}");
        }
        let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
        let after = "6k1/8/5QK1/8/8/8/8/8 w - - 0 1";
        let wanted = "another key cannot have been before: it has no legal move";
        assert_eq!(reason(&with(after, 9, 1, &[(stalemate, 1)])), wanted);
        // A key that is no legal position: the king is attacked, or one that may castle is not at home.
        let mut illegal = with(ROOK, 9, 1, &[(ROOK_BEFORE, 1)]);
        illegal.occurrences[1].0 = board("7k/8/8/8/8/8/8/K6R b - - 0 1");
        assert_eq!(reason(&illegal), "");
        illegal.occurrences[1].0.to_move = Side::White;
        illegal.occurrences[1].1 = 1;
        illegal.occurrences.push((board(ROOK_BEFORE), 1));
        assert_eq!(
            reason(&illegal),
            "another key cannot have been before: the king of the side not to move is attacked"
        );
        let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let mut moved = with(castling, 9, 1, &[("4k3/8/8/8/8/8/8/4K2R b K - 0 1", 1)]);
        assert_eq!(reason(&moved), "");
        moved.occurrences[1].0 = board("4k3/8/8/8/8/8/8/4KR2 b - - 0 1");
        moved.occurrences[1].0.rights = moved.board.rights;
        assert_eq!(
            reason(&moved),
            "another key cannot have been before: a king or a rook with the right to castle is not at home"
        );
    }
}
