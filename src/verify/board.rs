//! A board with any men on it, and the moves on it: the rules of chess for mates, castling included.
//!
//! The board is a set of squares for each side and one for each kind of man. A square is attacked if a man of the other side
//! stands where it aims at the square, with nothing between (`reach`). A move is legal if it is one of a man of the side to
//! move (`candidates`), and that side's king is not attacked afterwards. There are two other writings of the same: `position`
//! for up to five men without castling, and for tests `slow_board`, which steps over a list of squares; the tests compare.
//!
//! Invariants: a square is in one set of each sort, of sides and of kinds, or in none; there is one king a side, and no pawn on
//! rank 1 or 8; the king of the side not to move is not attacked; where a right to castle is left, its king and its rook are
//! at home; an en-passant square is there exactly if the last move was a double step over it and a capture en passant is
//! legal. So two boards are equal exactly if the positions are the same.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 1.4, 3.1 to 3.9; `docs/certificate-format.md`, *Kind 5: mate*.

use std::array;
use std::fmt::{self, Display};

use super::castling::{Rights, Wing};
use super::fen::Fen;
use super::man::{Kind, Man, Side};
use super::reach::{Reach, bit, squares_of};
use super::{Move, Square};

/// A position with any men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    /// The squares of the men of each side.
    pub(super) sides: [u64; 2],
    /// The squares of the men of each kind, of both sides.
    pub(super) kinds: [u64; 6],
    pub(super) to_move: Side,
    pub(super) rights: Rights,
    pub(super) en_passant: Option<Square>,
}

impl Board {
    /// A board without men.
    pub(super) fn empty(to_move: Side, rights: Rights) -> Board {
        Board {
            sides: [0; 2],
            kinds: [0; 6],
            to_move,
            rights,
            en_passant: None,
        }
    }

    /// The position that a FEN says; none if it is not legal.
    pub(super) fn of(fen: &Fen) -> Option<Board> {
        let mut board = Board::empty(fen.to_move, fen.rights);
        for &(man, square) in &fen.men {
            let square = Square::from_low_bits(square.into());
            if man.kind == Kind::Pawn && matches!(square.rank(), 0 | 7) {
                return None;
            }
            board.put(square, man);
        }
        // A king attacks its neighbouring squares, so this says of the kings too that they do not stand side by side.
        if board.is_in_check(board.to_move.other()) {
            return None;
        }
        let stands = |side, kind, square| board.on(square) == Some(Man { side, kind });
        let is_at_home = |wing: &Wing| {
            stands(wing.side, Kind::King, wing.king().0)
                && stands(wing.side, Kind::Rook, wing.rook().0)
        };
        if !board.rights.wings().all(is_at_home) {
            return None;
        }
        if let Some(number) = fen.en_passant {
            let square = Square::from_low_bits(number.into());
            if !board.has_stepped_over(square) || !board.has_capture_on(square) {
                return None;
            }
            board.en_passant = Some(square);
        }
        Some(board)
    }

    /// The squares with men.
    pub(super) fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The squares of the men of a side.
    pub(super) fn men_of(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    /// The squares of such men.
    pub(super) fn all(&self, man: Man) -> u64 {
        self.men_of(man.side) & self.kinds[man.kind as usize]
    }

    /// The men with their squares, ascending.
    pub(super) fn men(&self) -> impl Iterator<Item = (Man, Square)> {
        Square::all().filter_map(|square| Some((self.on(square)?, square)))
    }

    /// The man on a square.
    pub(super) fn on(&self, square: Square) -> Option<Man> {
        let here = |set: &u64| set & bit(square.number()) != 0;
        let side = Side::BOTH
            .into_iter()
            .find(|side| here(&self.sides[side.index()]))?;
        let kind = Kind::ALL
            .into_iter()
            .find(|&kind| here(&self.kinds[kind as usize]))?;
        Some(Man { side, kind })
    }

    /// Puts a man on an empty square.
    pub(super) fn put(&mut self, square: Square, man: Man) {
        self.sides[man.side.index()] |= bit(square.number());
        self.kinds[man.kind as usize] |= bit(square.number());
    }

    /// Takes away what stands on a square.
    fn clear(&mut self, square: Square) {
        let sets = self.sides.iter_mut().chain(&mut self.kinds);
        sets.for_each(|set| *set &= !bit(square.number()));
    }

    /// Whether a side attacks a square.
    pub(super) fn is_attacked(&self, square: Square, by: Side) -> bool {
        let (reach, square, occupied) = (Reach::get(), square.number(), self.occupied());
        Kind::ALL.into_iter().any(|kind| {
            let attackers = self.all(Man { side: by, kind }) & reach.aiming(by, kind, square);
            squares_of(attackers).any(|from| reach.between(from, square) & occupied == 0)
        })
    }

    /// The squares of the men of a side that attack a square.
    pub(super) fn attackers(&self, square: Square, by: Side) -> u64 {
        let (reach, square, occupied) = (Reach::get(), square.number(), self.occupied());
        let aiming = Kind::ALL
            .into_iter()
            .map(|kind| self.all(Man { side: by, kind }) & reach.aiming(by, kind, square));
        let attacks = |from: &u8| reach.between(*from, square) & occupied == 0;
        let attackers = aiming.flat_map(squares_of).filter(attacks);
        attackers.fold(0, |set, from| set | bit(from))
    }

    /// The kind of the man that a candidate captures. (A pawn that goes to the en-passant square captures a pawn: straight ahead
    /// it cannot come there, where the captured one stands before it.)
    pub(super) fn captured_by(&self, candidate: Move) -> Option<Kind> {
        let (from, to) = (candidate.from(), candidate.to());
        let pawn = Man {
            side: self.to_move,
            kind: Kind::Pawn,
        };
        let is_en_passant = self.en_passant == Some(to) && self.on(from) == Some(pawn);
        match is_en_passant {
            true => Some(Kind::Pawn),
            false => self.on(to).map(|man| man.kind),
        }
    }

    /// The legal moves to a square, with the positions after them.
    pub(super) fn moves_onto(&self, square: Square) -> impl Iterator<Item = (Move, Board)> {
        let candidates = self.candidates();
        let candidates = candidates.filter(move |candidate| candidate.to() == square);
        candidates.filter_map(|candidate| Some((candidate, self.after(candidate)?)))
    }

    /// Whether the king of a side is attacked.
    pub(super) fn is_in_check(&self, side: Side) -> bool {
        let kind = Kind::King;
        let mut kings = squares_of(self.all(Man { side, kind }));
        kings.any(|king| self.is_attacked(Square::from_low_bits(king.into()), side.other()))
    }

    /// Whether the side to move is checkmated.
    pub(super) fn is_checkmate(&self) -> bool {
        self.is_in_check(self.to_move) && !self.has_move()
    }

    /// Whether there is a legal move.
    pub(super) fn has_move(&self) -> bool {
        let mut candidates = self.candidates();
        candidates.any(|candidate| self.after(candidate).is_some())
    }

    /// Whether a legal move gives checkmate. Only those are looked at that may give check at all.
    pub(super) fn has_mating_move(&self) -> bool {
        let mut candidates = self.candidates_for_check();
        candidates.any(|candidate| {
            let after = self.after(candidate);
            after.is_some_and(|after| after.is_checkmate())
        })
    }

    /// The legal moves in the order of their UCI texts, with the positions after them.
    pub(super) fn moves(&self) -> Vec<(Move, Board)> {
        let mut candidates: Vec<Move> = self.candidates().collect();
        candidates.sort_unstable_by_key(|candidate| candidate.letters());
        let candidates = candidates.into_iter();
        let legal = candidates.filter_map(|candidate| Some((candidate, self.after(candidate)?)));
        legal.collect()
    }

    /// The position after a move; none if it is not legal.
    pub(super) fn played(&self, stored: Move) -> Option<Board> {
        let mut candidates = self.candidates();
        self.after(candidates.find(|&candidate| candidate == stored)?)
    }

    /// The position after one of the candidates; none if the mover's king is attacked there.
    pub(super) fn after(&self, candidate: Move) -> Option<Board> {
        let (from, to) = (candidate.from(), candidate.to());
        let mover = self.on(from)?;
        let mut after = *self;
        after.clear(from);
        after.clear(to);
        let promoted = Kind::of_promotion_code(candidate.promotion());
        let kind = promoted.unwrap_or(mover.kind);
        after.put(to, Man { kind, ..mover });
        let is_pawn = mover.kind == Kind::Pawn;
        if is_pawn && self.en_passant == Some(to) {
            // The captured pawn stands beside the square that the mover leaves.
            let captured = Square::at(to.file(), from.rank());
            captured.into_iter().for_each(|square| after.clear(square));
        }
        let is_castling = mover.kind == Kind::King && (from.file() - to.file()).abs() == 2;
        if let Some(wing) = Wing::of_king(from, to).filter(|_| is_castling) {
            let (side, kind) = (mover.side, Kind::Rook);
            after.clear(wing.rook().0);
            after.put(wing.rook().1, Man { side, kind });
        }
        after.rights = self.rights.after(from, to);
        after.to_move = self.to_move.other();
        after.en_passant = None;
        if after.is_in_check(self.to_move) {
            return None;
        }
        if is_pawn && (from.rank() - to.rank()).abs() == 2 {
            let passed = from.step((0, ahead(self.to_move)));
            after.en_passant = passed.filter(|&passed| after.has_capture_on(passed));
        }
        Some(after)
    }

    /// Whether a pawn of the side not to move stands where a double step over the square has brought it, and the square
    /// and the one from which it came are empty.
    pub(super) fn has_stepped_over(&self, square: Square) -> bool {
        let side = self.to_move.other();
        let pawn = Man {
            side,
            kind: Kind::Pawn,
        };
        let on = |ranks| square.step((0, ranks)).map(|square| self.on(square));
        on(ahead(side)) == Some(Some(pawn)) && on(0) == Some(None) && on(-ahead(side)) == Some(None)
    }

    /// Whether a capture en passant on a square is legal, if the last move was a double step over it.
    pub(super) fn has_capture_on(&self, square: Square) -> bool {
        let pawn = Man {
            side: self.to_move,
            kind: Kind::Pawn,
        };
        let board = Board {
            en_passant: Some(square),
            ..*self
        };
        let behind = -ahead(self.to_move);
        let froms = [-1, 1]
            .into_iter()
            .filter_map(|file| square.step((file, behind)));
        let mut pawns = froms.filter(|&from| self.on(from) == Some(pawn));
        pawns.any(|from| board.after(Move::new(from, square)).is_some())
    }
}

/// In which direction the pawns of a side go: ranks up.
pub(super) fn ahead(side: Side) -> i8 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}

/// The FEN of the position. The clocks are no part of a position and stand at their start.
impl Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let men: [Option<Man>; 64] =
            array::from_fn(|number| self.on(Square::from_low_bits(number as u16)));
        for (number, rank) in men.chunks(8).rev().enumerate() {
            f.write_str(if number > 0 { "/" } else { "" })?;
            for group in rank.chunk_by(|a, b| a.is_none() && b.is_none()) {
                match group {
                    [Some(man)] => write!(f, "{}", man.letter())?,
                    empty => write!(f, "{}", empty.len())?,
                }
            }
        }
        let side = match self.to_move {
            Side::White => 'w',
            Side::Black => 'b',
        };
        write!(f, " {side} {} ", self.rights)?;
        match self.en_passant {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("-")?,
        }
        f.write_str(" 0 1")
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::material::Material;
    use super::super::position::Position;
    use super::super::root::Root;
    use super::*;

    fn legal(fen: &str) -> Option<Board> {
        let words: Vec<&str> = fen.split(' ').collect();
        Board::of(&Fen::with_castling(&words).unwrap())
    }

    /// The position of a FEN.
    pub(in super::super) fn board(fen: &str) -> Board {
        legal(fen).unwrap()
    }

    /// The legal moves of a position as texts.
    fn texts(fen: &str) -> Vec<String> {
        let moves = board(fen).moves().into_iter();
        moves.map(|(m, _)| m.to_string()).collect()
    }

    /// How many lines of so many moves there are.
    fn perft(board: &Board, depth: u32) -> u64 {
        let moves = board.moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.iter().map(|(_, after)| perft(after, depth - 1)).sum(),
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn there_are_as_many_lines_as_are_known() {
        // The well-known numbers of the literature.
        for (fen, numbers) in [
            (START, &[20, 400, 8902, 197_281, 4_865_609][..]),
            (KIWIPETE, &[48, 2039, 97_862, 4_085_603]),
            (
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                &[6, 264, 9467, 422_333],
            ),
            (
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                &[14, 191, 2812, 43_238, 674_624],
            ),
        ] {
            let board = board(fen);
            for (depth, &number) in (1..).zip(numbers) {
                assert_eq!(perft(&board, depth), number, "{fen} {depth}");
            }
        }
    }

    #[test]
    fn moves_stand_in_the_order_of_their_texts() {
        for fen in [START, KIWIPETE, "7k/1P6/8/8/8/8/8/K7 w - - 0 1"] {
            let found = texts(fen);
            assert!(found.is_sorted(), "{found:?}");
        }
        let promotions = texts("7k/1P6/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(promotions[3..], ["b7b8b", "b7b8n", "b7b8q", "b7b8r"]);
    }

    #[test]
    fn castling() {
        let castles = |fen: &str| -> String {
            let ways = ["e1c1", "e1g1", "e8c8", "e8g8"];
            let found = texts(fen).into_iter().filter(|m| ways.contains(&&m[..]));
            found.collect::<Vec<_>>().join(" ")
        };
        for (fen, wanted) in [
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1 e1g1"),
            ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1c1"),
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", ""),
            ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8c8 e8g8"),
            ("r3k2r/8/8/8/8/8/8/4K3 b k - 0 1", "e8g8"),
            // Out of check, through check, into check.
            ("4k3/8/8/4r3/8/8/8/R3K2R w KQ - 0 1", ""),
            ("4k3/8/8/3r4/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
            ("4k3/8/8/5r2/8/8/8/R3K2R w KQ - 0 1", "e1c1"),
            ("4k3/8/8/6r1/8/8/8/R3K2R w KQ - 0 1", "e1c1"),
            ("4k3/8/8/2r5/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
            ("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", "e1c1"),
            ("4k3/8/8/8/8/8/1p6/R3K2R w KQ - 0 1", "e1g1"),
            ("4k3/8/8/8/8/8/4p3/R3K2R w KQ - 0 1", ""),
            ("3bk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1 e1g1"),
            // The rook may be attacked, or pass an attacked square.
            ("4k3/8/8/1r5r/8/8/8/R3K2R w KQ - 0 1", "e1c1 e1g1"),
            // Nothing stands between.
            ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", ""),
            ("4k3/8/8/8/8/8/8/R1B1KB1R w KQ - 0 1", ""),
            ("4k3/8/8/8/8/8/8/Rn2K2R w KQ - 0 1", "e1g1"),
        ] {
            assert_eq!(castles(fen), wanted, "{fen}");
        }
    }

    /// The position after moves given as texts.
    pub(in super::super) fn played(fen: &str, line: &str) -> Board {
        let moves = line.split_whitespace().map(|text| text.parse().unwrap());
        moves.fold(board(fen), |board, m| board.played(m).unwrap())
    }

    #[test]
    fn positions_after_moves() {
        let open = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (fen, line, wanted) in [
            (open, "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 0 1"),
            (open, "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 0 1"),
            (open, "e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 0 1"),
            (open, "a1a8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"),
            (open, "h1h8 e8d7", "r6R/3k4/8/8/8/8/8/R3K3 w Q - 0 1"),
            // Back home, but without the right.
            (
                open,
                "h1h2 a8b8 h2h1 b8a8",
                "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1",
            ),
            // A double step leaves a square only where a capture is legal.
            (
                START,
                "e2e4",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            ),
            (
                START,
                "e2e4 a7a6 e4e5 d7d5",
                "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1",
            ),
            (
                START,
                "e2e4 a7a6 e4e5 d7d5 e5d6",
                "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            ),
            (
                "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1",
                "d7d5",
                "7k/8/8/K2pP2r/8/8/8/8 w - - 0 1",
            ),
            (
                "8/1P6/8/8/8/8/8/K6k w - - 0 1",
                "b7b8n",
                "1N6/8/8/8/8/8/8/K6k b - - 0 1",
            ),
        ] {
            let found = played(fen, line);
            assert_eq!(found.to_string(), wanted);
            assert_eq!(board(wanted), found);
        }
    }

    #[test]
    fn illegal_positions() {
        for fen in [
            "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1",
            "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
            "7k/8/8/3pP3/8/8/8/7K w - d6 0 1",
            "7k/8/8/8/3pP3/8/8/7K b - e3 0 1",
            // What need not have come about in a game.
            "7k/5N2/6N1/8/8/8/8/K7 b - - 0 1",
            "QQQQQQQk/8/8/8/8/8/8/K7 b - - 0 1",
        ] {
            assert_eq!(legal(fen).map(|b| b.to_string()).as_deref(), Some(fen));
        }
        for fen in [
            // Pawns on edge ranks, kings side by side, the side not to move in check.
            "P6k/8/8/8/8/8/8/K7 w - - 0 1",
            "7k/8/8/8/8/8/8/K6p w - - 0 1",
            "8/8/8/8/8/8/1k6/K7 w - - 0 1",
            "8/8/8/8/8/8/1k6/K7 b - - 0 1",
            "7k/8/8/8/8/8/8/K6R w - - 0 1",
            "7k/6P1/8/8/8/8/8/K7 w - - 0 1",
            // Rights without a king or a rook at home.
            "4k3/8/8/8/8/8/8/R3K3 w K - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w Q - 0 1",
            "4k3/8/8/8/8/8/8/R2K3R w K - 0 1",
            "4k3/8/8/8/8/8/8/R3K2r b K - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w k - 0 1",
            "r2k3r/8/8/8/8/8/8/4K3 w q - 0 1",
            // En passant: no pawn; none that captures; the square or the one behind it taken; pinned.
            "7k/8/8/3pP3/8/8/8/7K w - e6 0 1",
            "7k/8/8/3p1P2/8/8/8/7K w - d6 0 1",
            "7k/8/3N4/3pP3/8/8/8/7K w - d6 0 1",
            "7k/3N4/8/3pP3/8/8/8/7K w - d6 0 1",
            "7k/8/8/3pN3/8/8/8/7K w - d6 0 1",
            "7k/8/8/3nP3/8/8/8/7K w - d6 0 1",
            "7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
        ] {
            assert_eq!(legal(fen), None, "{fen}");
        }
    }

    #[test]
    fn ends() {
        for (fen, is_checkmate, has_move) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true, false),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, false),
            ("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", false, true),
            (START, false, true),
            // The only way out of check is a capture en passant.
            ("3B4/8/R7/7k/6Pp/4N3/8/K5R1 b - g3 0 1", false, true),
            ("3B4/8/R7/7k/6Pp/4N3/8/K5R1 b - - 0 1", true, false),
        ] {
            let board = board(fen);
            assert_eq!(board.is_checkmate(), is_checkmate, "{fen}");
            assert_eq!(board.has_move(), has_move, "{fen}");
        }
    }

    #[test]
    fn mating_moves() {
        for (fen, mates) in [
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7e8 f7f8 f7g7 f7h7"),
            ("7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", "f7g7"),
            (START, ""),
            // Castling, where the rook alone does not suffice, and without the right.
            ("4R3/8/8/8/8/5k1P/7P/4K2R w K - 0 1", "e1g1"),
            ("4R3/8/8/8/8/5k1P/7P/4K2R w - - 0 1", ""),
            // A capture en passant, where only the captured pawn was in the way.
            ("3r1bkb/6pp/8/3pP3/8/8/B7/7K w - d6 0 1", "e5d6"),
            ("3r1bkb/6pp/8/3pP3/8/8/B7/7K w - - 0 1", ""),
            ("6rk/6pp/8/6N1/8/8/8/7K w - - 0 1", "g5f7"),
            // Check, but no mate: the line can be closed.
            ("6k1/5ppp/8/8/8/8/2r5/R6K w - - 0 1", ""),
            // The mating move is not legal.
            ("6k1/5ppp/8/8/8/8/8/r2R3K w - - 0 1", ""),
            ("1r4k1/5ppp/8/8/8/8/1R6/1K6 w - - 0 1", "b2b8"),
        ] {
            let board = board(fen);
            let moves = board.moves().into_iter();
            let found = moves.filter(|(_, after)| after.is_checkmate());
            let found: Vec<String> = found.map(|(mate, _)| mate.to_string()).collect();
            assert_eq!(found.join(" "), mates, "{fen}");
            assert_eq!(board.has_mating_move(), !mates.is_empty(), "{fen}");
        }
    }

    /// The moves of a position in the other writing of the rules.
    fn moves_of_position(position: &Position) -> Vec<String> {
        let mut found = Vec::new();
        position.moves(|change| {
            if !position.is_unsafe(change) {
                found.push(change.as_move().to_string());
            }
        });
        found.sort();
        found
    }

    #[test]
    fn both_writings_of_the_rules_agree() {
        // Positions of five men, spread over the board by a fixed generator.
        let mut number = 1_u64;
        let mut compared = 0;
        for name in ["KQRKB", "KNPKP", "KPPKP", "KBKPP", "KRNKR"] {
            let (material, _) = Material::of_letters(name);
            for _ in 0..4_000 {
                let to_move = match number >> 40 & 1 {
                    0 => Side::White,
                    _ => Side::Black,
                };
                let mut placed = Board::empty(to_move, Rights::NONE);
                for &man in material.men() {
                    number = number
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    let square = Square::from_low_bits((number >> 58) as u16);
                    placed.clear(square);
                    placed.put(square, man);
                }
                let text = placed.to_string();
                let Ok(root) = Root::of(&format!("interval {text} board 0 0")) else {
                    continue;
                };
                let exchanged = root.material.name() != name;
                if exchanged || root.material.men().len() != 5 {
                    continue;
                }
                let (ours, theirs) = (legal(&text), root.position());
                assert_eq!(ours.is_some(), theirs.is_some(), "{text}");
                let (Some(ours), Some(theirs)) = (ours, theirs) else {
                    continue;
                };
                if theirs.to_string() != text {
                    continue;
                }
                assert_eq!(texts(&text), moves_of_position(&theirs), "{text}");
                assert_eq!(ours.to_string(), text);
                compared += 1;
            }
        }
        assert!(compared > 2_000, "{compared}");
    }
}
