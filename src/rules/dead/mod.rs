//! Dead positions (FIDE 5.2.2): no sequence of legal moves leads to a checkmate of either side.
//!
//! The answer has three values. *Dead* comes with a reason that can be checked: the material, walls that no man can pass
//! ([`walls`]), or a search that met every position there is. *Alive* comes with a line that ends in checkmate. What neither is
//! found for within the budget is *unknown*; nothing is guessed. No value depends on any of it, since no mate can be reached from
//! a dead position.

mod helpmate;
mod walls;

use shakmaty::{Bitboard, Chess, Move, Position};

/// Whether a position is dead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deadness {
    /// No sequence of legal moves leads to a checkmate.
    Dead(DeadReason),
    /// This line of legal moves leads to a checkmate.
    Alive(Vec<Move>),
    /// Neither was found within the budget.
    Unknown,
}

/// Why a position is dead (format page, *Dead positions*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadReason {
    /// Kings, or one knight besides, or bishops besides that all stand on squares of one colour.
    Material,
    /// Nobody can pass the walls, and behind them neither king can be mated.
    Walls,
    /// All positions that can be reached were met, and none of them is a checkmate.
    Exhausted {
        /// How many, the position itself included.
        positions: usize,
    },
}

/// Judges a position, going on for at most so many positions.
pub fn deadness(position: &Chess, positions: usize) -> Deadness {
    match reason_at_sight(position) {
        Some(reason) => Deadness::Dead(reason),
        None => helpmate::search(position, positions),
    }
}

/// A reason that needs no search.
pub fn reason_at_sight(position: &Chess) -> Option<DeadReason> {
    if is_insufficient(position) {
        Some(DeadReason::Material)
    } else if walls::are_dead(position) {
        Some(DeadReason::Walls)
    } else {
        None
    }
}

/// Whether there is too little material for any checkmate, whatever stands where.
fn is_insufficient(position: &Chess) -> bool {
    let board = position.board();
    let (knights, bishops) = (board.knights(), board.bishops());
    let others = board.occupied() ^ board.kings() ^ knights ^ bishops;
    let one_colour =
        bishops.is_subset(Bitboard::LIGHT_SQUARES) || bishops.is_subset(Bitboard::DARK_SQUARES);
    others.is_empty()
        && match knights.count() {
            0 => one_colour,
            1 => bishops.is_empty(),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    fn judged(fen: &str, positions: usize) -> Deadness {
        deadness(&parse_fen(fen).unwrap(), positions)
    }

    /// A line of legal moves that ends in checkmate.
    fn mates(fen: &str, line: &[Move]) -> bool {
        let mut position = parse_fen(fen).unwrap();
        line.iter().all(|&mv| {
            let legal = position.is_legal(mv);
            position.play_unchecked(mv);
            legal
        }) && position.is_checkmate()
    }

    #[test]
    fn material() {
        for fen in [
            "8/8/8/4k3/8/8/8/K7 w - - 0 1",
            "8/8/8/4k3/8/8/8/KN6 w - - 0 1",
            "8/8/8/4k3/8/8/8/Kn6 w - - 0 1",
            "8/8/8/4k3/8/8/8/KB6 w - - 0 1",
            // Bishops of both sides, in any number, all on light squares.
            "b1b1b3/8/8/4k3/8/8/8/KB1B1B1B w - - 0 1",
        ] {
            assert_eq!(
                judged(fen, 0),
                Deadness::Dead(DeadReason::Material),
                "{fen}"
            );
        }
        // Two knights, a knight each, a knight and a bishop, bishops on both colours: a helpmate in a corner.
        for fen in [
            "8/8/8/4k3/8/8/8/KNN5 w - - 0 1",
            "8/8/8/4k3/8/8/8/Kn3N2 w - - 0 1",
            "8/8/8/4k3/8/8/8/Kb3N2 w - - 0 1",
            "8/8/8/4k3/8/8/8/KBb5 w - - 0 1",
            "8/8/8/4k3/8/8/7P/K7 w - - 0 1",
        ] {
            let Deadness::Alive(line) = judged(fen, 100_000) else {
                panic!("{fen}");
            };
            assert!(mates(fen, &line), "{fen}");
        }
    }

    #[test]
    fn walls_and_what_has_a_gap() {
        // Pawns face each other on every second file and guard the squares between; the kings have nowhere to go through.
        for fen in [
            "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1",
            "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1",
            "8/8/4k3/p1p1p1p1/P1P1P1P1/8/4K3/8 b - - 0 1",
        ] {
            assert_eq!(judged(fen, 0), Deadness::Dead(DeadReason::Walls), "{fen}");
        }
        // One pawn less, and a king walks through and queens a pawn.
        for fen in [
            "4k3/8/8/1p1p1p2/1P1P1P1P/8/8/4K3 w - - 0 1",
            "4k3/8/8/1p1p3p/1P1P3P/8/8/4K3 w - - 0 1",
        ] {
            let Deadness::Alive(line) = judged(fen, 200_000) else {
                panic!("{fen}");
            };
            assert!(mates(fen, &line), "{fen}");
        }
    }

    #[test]
    fn forced_lines() {
        // White must take the queen, the only move, and bare kings are left.
        let fen = "8/8/8/8/2k5/8/1q6/K7 w - - 0 1";
        assert_eq!(judged(fen, 0), Deadness::Unknown);
        let exhausted = Deadness::Dead(DeadReason::Exhausted { positions: 2 });
        assert_eq!(judged(fen, 100), exhausted);
        // With the king on c1 the queen is guarded, and that is mate.
        let mate = judged("8/8/8/8/8/8/1q6/K1k5 w - - 0 1", 0);
        assert_eq!(mate, Deadness::Alive(Vec::new()));
    }
}
