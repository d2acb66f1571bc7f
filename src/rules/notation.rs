//! Moves as text: UCI (`h7h8q`) for programs, SAN (`h8=Q#`) for people.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position, Square};

/// A move in both notations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notation {
    /// Origin, target and promotion: `e7e8q`.
    pub uci: String,
    /// Standard algebraic notation with `+` or `#`.
    pub san: String,
}

impl Notation {
    /// The text of a legal move of this position.
    pub fn of(position: &Chess, mv: Move) -> Notation {
        Notation {
            uci: uci(mv),
            san: SanPlus::from_move(position.clone(), mv).to_string(),
        }
    }
}

/// The UCI text of a move of standard chess.
pub fn uci(mv: Move) -> String {
    UciMove::from_standard(mv).to_string()
}

/// A key that orders moves as their UCI texts are ordered, byte by byte.
pub fn uci_order(mv: UciMove) -> [u8; 5] {
    let square = |square: Option<Square>| {
        square.map_or([0, 0], |square| {
            [square.file().char() as u8, square.rank().char() as u8]
        })
    };
    let [from_file, from_rank] = square(mv.from());
    let [to_file, to_rank] = square(mv.to());
    let promotion = mv.promotion().map_or(0, |role| role.char() as u8);
    [from_file, from_rank, to_file, to_rank, promotion]
}

/// The legal moves in the order of their UCI texts.
pub fn moves_in_order(position: &Chess) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.sort_unstable_by_key(|&mv| uci_order(UciMove::from_standard(mv)));
    moves
}

/// A line of legal moves from this position as numbered SAN: `1... Kd4 2. Kb1 Kc5`.
pub fn san_line(position: &Chess, line: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::with_capacity(line.len());
    for (ply, &mv) in line.iter().enumerate() {
        let number = position.fullmoves();
        let prefix = match position.turn() {
            Color::White => format!("{number}. "),
            Color::Black if ply == 0 => format!("{number}... "),
            Color::Black => String::new(),
        };
        words.push(prefix + &SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_fen;

    #[test]
    fn the_order_is_that_of_the_texts() {
        // Promotions and captures on both wings; no castling, whose UCI text is the king's move.
        let position = parse_fen("1n1q1n2/P1P1P3/8/3R4/1B6/7k/8/4K3 w - - 0 1").unwrap();
        let mut by_key: Vec<Move> = position.legal_moves().into_iter().collect();
        by_key.sort_by_key(|&mv| uci_order(UciMove::from_standard(mv)));
        let texts: Vec<String> = by_key.iter().map(|&mv| uci(mv)).collect();
        assert!(texts.len() > 40 && texts.is_sorted(), "{texts:?}");
    }

    #[test]
    fn lines_are_numbered_from_the_side_to_move() {
        let mut position = parse_fen("8/8/8/8/4k3/8/1Q6/K7 b - - 0 1").unwrap();
        let start = position.clone();
        let mut line = Vec::new();
        for text in ["e4d5", "a1b1", "d5c4"] {
            let mv = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            line.push(mv);
        }
        assert_eq!(san_line(&start, &line), "1... Kd5 2. Kb1 Kc4");
    }
}
