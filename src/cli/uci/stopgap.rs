//! The move that is played when nothing is proved. It claims nothing.
//!
//! It leaves no mate in one and does not stalemate if that can be helped, then takes what it can without losing what it takes with. Of equal moves it is the first
//! by its UCI text, so that the same position always has the same move.

use dchess::rules::uci_order;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position, Role};

/// A move of these, if there is one.
pub(super) fn stopgap(position: &Chess, moves: &[Move]) -> Option<Move> {
    moves.iter().copied().min_by_key(|&mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let order = uci_order(UciMove::from_standard(mv));
        (
            is_blunder(&after),
            -gain(&after, mv, position.turn()),
            order,
        )
    })
}

fn is_blunder(after: &Chess) -> bool {
    let mates = |&reply: &Move| {
        let mut next = after.clone();
        next.play_unchecked(reply);
        next.is_checkmate()
    };
    after.is_stalemate() || after.legal_moves().iter().any(mates)
}

/// What the move takes, less what it takes with if that can be retaken.
fn gain(after: &Chess, mv: Move, mover: Color) -> i32 {
    let taken = mv.capture().map_or(0, value);
    let promoted = mv
        .promotion()
        .map_or(0, |role| value(role) - value(Role::Pawn));
    let board = after.board();
    let attackers = board.attacks_to(mv.to(), !mover, board.occupied());
    let risked = match board.role_at(mv.to()) {
        Some(role) if role != Role::King && attackers.any() => value(role),
        _ => 0,
    };
    taken + promoted - risked
}

const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dchess::rules::{parse_fen, uci};

    fn of(fen: &str) -> Option<String> {
        let position = parse_fen(fen).unwrap();
        let moves: Vec<Move> = position.legal_moves().into_iter().collect();
        stopgap(&position, &moves).map(uci)
    }

    #[test]
    fn it_takes_what_is_not_protected() {
        assert_eq!(of("4k3/8/8/3r4/4P3/8/8/4K3 w - -").unwrap(), "e4d5");
        assert_ne!(of("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - -").unwrap(), "d2d6");
    }

    #[test]
    fn it_does_not_stalemate_nor_walk_into_mate() {
        assert_ne!(of("7k/8/8/6K1/8/8/8/5Q2 w - -").unwrap(), "f1f7");
        assert_eq!(of("6k1/5ppp/8/8/8/8/q4PPP/1R4K1 b - -").unwrap(), "a2b1");
    }

    #[test]
    fn without_moves_there_is_none() {
        assert_eq!(of("7k/5KQ1/8/8/8/8/8/8 b - -"), None);
    }
}
