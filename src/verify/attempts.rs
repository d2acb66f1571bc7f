//! The attempts of a seed, and the positions among them that are admitted.
//!
//! An attempt puts men on an empty board, one after the other, each drawn from the words of the seed. It fails where there is
//! no square left for a man, or if the black king is attacked in the end. What is admitted is judged of the position alone: the
//! cheap tests come first, since most attempts fail at them, and White's mate in two last. So an attempt that gives a position
//! again gives one that was admitted before, or one that never is.
//!
//! Source: `docs/certificate-format.md`, *The draws*.

use std::collections::HashSet;

use super::board::Board;
use super::castling::Rights;
use super::key_stream::KeyStream;
use super::man::{Kind, Man, Side};
use super::reach::{Reach, bit, squares_of};
use super::{Move, Square};

/// The kinds of the men around the target, in the order in which they are drawn.
const KINDS: [Kind; 5] = [
    Kind::Pawn,
    Kind::Knight,
    Kind::Bishop,
    Kind::Rook,
    Kind::Queen,
];

/// The kinds of the white man that may stand anywhere.
const HEAVY: [Kind; 2] = [Kind::Rook, Kind::Queen];

/// The kinds of the other men.
const OTHERS: [Kind; 4] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook];

/// One more than the most other men.
const OTHER_MEN: u32 = 5;

/// The first and the last rank, where no pawn stands.
const EDGE_RANKS: u64 = 0xff00_0000_0000_00ff;

/// The attempts of a seed of which some were made.
pub(super) struct Attempts {
    words: KeyStream,
    /// The number of the last one.
    number: u64,
    /// The positions that were admitted, as texts.
    admitted: HashSet<String>,
}

/// A position that is admitted.
pub(super) struct Admitted {
    pub(super) board: Board,
    pub(super) fen: String,
    /// The number of its attempt.
    pub(super) attempt: u64,
}

impl Attempts {
    /// The attempts of a seed, of which none was made.
    pub(super) fn of(seed: u64) -> Attempts {
        Attempts {
            words: KeyStream::of(seed),
            number: 0,
            admitted: HashSet::new(),
        }
    }

    /// Makes attempts until one gives a position that is admitted.
    pub(super) fn next_admitted(&mut self) -> Admitted {
        loop {
            self.number += 1;
            let board = position(&mut self.words);
            let Some(board) = board.filter(is_mate_in_two_with_a_recapture) else {
                continue;
            };
            let fen = board.to_string();
            if self.admitted.insert(fen.clone()) {
                return Admitted {
                    board,
                    fen,
                    attempt: self.number,
                };
            }
        }
    }
}

/// The position of an attempt; none if it fails.
fn position(words: &mut KeyStream) -> Option<Board> {
    placed(words).filter(|board| !board.is_in_check(Side::Black))
}

/// The board with all men of an attempt; none if there is no square for one.
fn placed(words: &mut KeyStream) -> Option<Board> {
    use Side::{Black, White};
    let mut board = Board::empty(White, Rights::NONE);
    let king = Man {
        side: White,
        kind: Kind::King,
    };
    let white_king = words.square_of(u64::MAX)?;
    put(&mut board, white_king, king);
    let near = bit(white_king) | Reach::get().aims(king, white_king);
    let black_king = words.square_of(!near)?;
    put(
        &mut board,
        black_king,
        Man {
            side: Black,
            kind: Kind::King,
        },
    );
    let target = anywhere(words, &mut board, Black, &KINDS)?;
    attacking(words, &mut board, White, target)?;
    attacking(words, &mut board, Black, target)?;
    anywhere(words, &mut board, White, &HEAVY)?;
    for _ in 0..words.below(OTHER_MEN) {
        let side = words.one_of(&Side::BOTH)?;
        anywhere(words, &mut board, side, &OTHERS)?;
    }
    Some(board)
}

/// Puts a man of a side, its kind drawn from some, on a free square.
fn anywhere(words: &mut KeyStream, board: &mut Board, side: Side, kinds: &[Kind]) -> Option<u8> {
    let kind = words.one_of(kinds)?;
    let square = words.square_of(free(board, kind))?;
    put(board, square, Man { side, kind });
    Some(square)
}

/// Puts a man of a side on a free square from which it attacks the target.
fn attacking(words: &mut KeyStream, board: &mut Board, side: Side, target: u8) -> Option<u8> {
    let kind = words.one_of(&KINDS)?;
    let man = Man { side, kind };
    let occupied = board.occupied();
    let attacks = |from: &u8| Reach::get().attacks(man, *from, target, occupied);
    let squares = squares_of(free(board, kind)).filter(attacks);
    let square = words.square_of(squares.fold(0, |set, square| set | bit(square)))?;
    put(board, square, man);
    Some(square)
}

/// The squares that are free for a man.
fn free(board: &Board, kind: Kind) -> u64 {
    match kind {
        Kind::Pawn => !board.occupied() & !EDGE_RANKS,
        _ => !board.occupied(),
    }
}

fn put(board: &mut Board, square: u8, man: Man) {
    board.put(Square::from_low_bits(square.into()), man);
}

/// Whether White mates in two moves and not in one, and has a capture after which Black has one on the same square.
fn is_mate_in_two_with_a_recapture(board: &Board) -> bool {
    has_recapture(board) && !board.has_mating_move() && has_move_to_mate(board)
}

/// Whether there is a legal capture after which there is one on the same square.
fn has_recapture(board: &Board) -> bool {
    let is_capture = |m: &Move| board.captured_by(*m).is_some();
    let captures = board.candidates().filter(is_capture);
    let mut after = captures.filter_map(|m| Some((m, board.after(m)?)));
    after.any(|(m, after)| after.moves_onto(m.to()).next().is_some())
}

/// Whether there is a legal move after which the other side has moves, and is mated after each.
fn has_move_to_mate(board: &Board) -> bool {
    let after = |m| board.after(m);
    let mut positions = board.candidates().filter_map(after);
    positions.any(|position| is_mated_after_each_move(&position))
}

/// Whether the side to move has a legal move, and is mated by the next one after each.
fn is_mated_after_each_move(board: &Board) -> bool {
    let mut replies = board.candidates().filter_map(|m| board.after(m)).peekable();
    replies.peek().is_some() && replies.all(|after| after.has_mating_move())
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::board;
    use super::*;

    #[test]
    fn an_attempt_by_hand() {
        // The words of seed 0 (RFC 8439, A.1) as fractions of 2³²: .679 .563 .896 .159 .719 .105 .801 .778 .486 .552 .250 .216
        // .956 .112. The white king on 43 of 64; the black one on 30 of 55; a queen on 9 of 62; a rook on 1 of the 14 squares
        // from which it attacks b2; a queen on 17 of 22; a rook on 32 of 59; one man more, white, a rook, on 6 of 58.
        let mut words = KeyStream::of(0);
        let found = placed(&mut words).unwrap();
        assert_eq!(found.to_string(), "8/8/3K1q2/3R4/6k1/8/Rq6/6R1 w - - 0 1");
        // The next attempt begins with the next word, the first of 64 × .413.
        assert_eq!(words.below(64), 26);
        // This one fails: the rook on g1 attacks the king on g4.
        assert!(position(&mut KeyStream::of(0)).is_none());
    }

    #[test]
    fn an_attempt_fails_where_no_square_is_left() {
        // A pawn attacks nothing on its own first two ranks from a square where it may stand.
        let (mut failed, mut stopped) = (0, 0);
        let mut words = KeyStream::of(1);
        for _ in 0..10_000 {
            match placed(&mut words) {
                None => stopped += 1,
                Some(board) if board.is_in_check(Side::Black) => failed += 1,
                Some(board) => {
                    // What is there is a position.
                    let text = board.to_string();
                    assert_eq!(super::super::board::tests::board(&text), board);
                    let men = board.occupied().count_ones();
                    assert!((6..=10).contains(&men), "{text}");
                }
            }
        }
        assert!(stopped > 100 && failed > 1_000, "{stopped} {failed}");
    }

    #[test]
    fn squares_that_are_free_or_attack_the_target() {
        let board = board("7k/8/8/3p4/8/8/8/K7 w - - 0 1");
        assert_eq!(free(&board, Kind::Rook), !board.occupied());
        assert_eq!(free(&board, Kind::Pawn).count_ones(), 47);
        // d5 is attacked by white pawns from c4 and e4, and by black ones from c6 and e6.
        for (side, number) in [(Side::White, 2), (Side::Black, 2)] {
            let mut found = HashSet::new();
            for seed in 0..2_000 {
                let (mut words, mut board) = (KeyStream::of(seed), board);
                if let Some(square) = attacking(&mut words, &mut board, side, 35) {
                    let pawn = Man {
                        side,
                        kind: Kind::Pawn,
                    };
                    if board.all(pawn) & bit(square) != 0 {
                        found.insert(square);
                    }
                }
            }
            assert_eq!(found.len(), number);
            let squares: [u8; 2] = match side {
                Side::White => [26, 28],
                Side::Black => [42, 44],
            };
            assert!(squares.iter().all(|square| found.contains(square)));
        }
    }

    /// *M(s, d)* with the side to move as the attacker, as the page says it.
    fn forces(board: &Board, attacker: Side, plies: u8) -> bool {
        let attacker_moves = board.to_move == attacker;
        if !attacker_moves && board.is_checkmate() {
            return true;
        }
        let moves = board.moves();
        if plies == 0 || moves.is_empty() {
            return false;
        }
        let mut forced = moves
            .iter()
            .map(|(_, after)| forces(after, attacker, plies - 1));
        match attacker_moves {
            true => forced.any(|forced| forced),
            false => forced.all(|forced| forced),
        }
    }

    #[test]
    fn what_is_admitted_is_what_the_page_says() {
        let mut words = KeyStream::of(3);
        let mut admitted = 0;
        for _ in 0..3_000 {
            let Some(board) = position(&mut words) else {
                continue;
            };
            let moves = board.moves().into_iter();
            let mut captures = moves.filter(|(m, _)| {
                let black = board.men_of(Side::Black);
                black & bit(m.to().number()) != 0
            });
            let is_retaken = captures.any(|(m, after)| {
                let replies = after.moves();
                replies.iter().any(|(reply, _)| reply.to() == m.to())
            });
            let is_mate = |plies| forces(&board, Side::White, plies);
            let wanted = is_retaken && !is_mate(1) && is_mate(3);
            assert_eq!(is_mate_in_two_with_a_recapture(&board), wanted, "{board}");
            admitted += u32::from(wanted);
        }
        assert!(admitted > 20, "{admitted}");
    }

    #[test]
    fn positions_that_are_admitted() {
        // Mate in two, without a capture that is retaken; with one; in one; none; none, but a move to stalemate.
        for (fen, wanted) in [
            ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", false),
            ("7k/8/5K2/8/4p3/3p4/4P3/6R1 w - - 0 1", true),
            ("7k/8/6K1/8/4p3/3p4/4P3/R7 w - - 0 1", false),
            ("7k/8/8/5K2/4p3/3p4/4P3/6R1 w - - 0 1", false),
            ("7k/7p/7P/8/8/3B4/8/K7 w - - 0 1", false),
        ] {
            let found = is_mate_in_two_with_a_recapture(&board(fen));
            assert_eq!(found, wanted, "{fen}");
        }
    }

    #[test]
    fn no_position_is_admitted_twice() {
        let mut attempts = Attempts::of(5);
        let first = attempts.next_admitted();
        let second = attempts.next_admitted();
        assert!(first.fen != second.fen && first.attempt < second.attempt);
        // The second one is known already: it is passed over.
        let mut again = Attempts::of(5);
        again.admitted.insert(first.fen);
        let found = again.next_admitted();
        assert_eq!((found.fen, found.attempt), (second.fen, second.attempt));
        assert_eq!(found.board, second.board);
    }
}
