//! The slow twin of `board`: the same rules, for tests alone.
//!
//! The board is a list of 64 squares, and everything is found by stepping over it. A square is attacked if, going from it
//! as a man goes, the first man that is met is such a man. A move is legal if it is one of a man of the side to move, and
//! that side's king is not attacked afterwards. Nothing is looked up in a table, and nothing is left out because it could
//! make no difference: that is what the fast rules are compared with, on lines of random moves.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 1.4, 3.1 to 3.9; `docs/certificate-format.md`, *Kind 5: mate*.

use std::fmt::{self, Display};
use std::iter;

use super::castling::{Rights, Wing};
use super::fen::Fen;
use super::man::{Kind, Man, Side};
use super::{Move, Square};

/// A position with any men, as a list of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SlowBoard {
    men: [Option<Man>; 64],
    to_move: Side,
    rights: Rights,
    en_passant: Option<Square>,
}

impl SlowBoard {
    /// The position that a FEN says; none if it is not legal.
    pub(super) fn of(fen: &Fen) -> Option<SlowBoard> {
        let mut board = SlowBoard {
            men: [None; 64],
            to_move: fen.to_move,
            rights: fen.rights,
            en_passant: None,
        };
        for &(man, square) in &fen.men {
            let square = Square::from_low_bits(square.into());
            if man.kind == Kind::Pawn && matches!(square.rank(), 0 | 7) {
                return None;
            }
            board.put(square, Some(man));
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

    /// The man on a square.
    fn on(&self, square: Square) -> Option<Man> {
        self.men[square.index()]
    }

    fn put(&mut self, square: Square, man: Option<Man>) {
        self.men[square.index()] = man;
    }

    /// The squares from one on, one step after the other, to the first man or the edge.
    fn way(&self, from: Square, kind: Kind, step: (i8, i8)) -> impl Iterator<Item = Square> {
        let length = if kind.slides() { 7 } else { 1 };
        let squares = iter::successors(from.step(step), move |here| here.step(step));
        let mut is_free = true;
        squares.take(length).take_while(move |&square| {
            let is_reached = is_free;
            is_free = self.on(square).is_none();
            is_reached
        })
    }

    /// Whether a side attacks a square.
    fn is_attacked(&self, square: Square, by: Side) -> bool {
        use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
        // Men go back the way they came, except pawns, which attack from the rank behind.
        let is_seen = |kind: Kind, step: (i8, i8)| {
            let last = self.way(square, kind, step).last();
            last.and_then(|square| self.on(square)) == Some(Man { side: by, kind })
        };
        let mut pieces = [King, Queen, Rook, Bishop, Knight].into_iter();
        pieces.any(|kind| kind.steps().iter().any(|&step| is_seen(kind, step)))
            || [-1, 1]
                .iter()
                .any(|&file| is_seen(Pawn, (file, -ahead(by))))
    }

    /// Whether the king of a side is attacked.
    fn is_in_check(&self, side: Side) -> bool {
        let king = Man {
            side,
            kind: Kind::King,
        };
        let mut kings = Square::all().filter(|&square| self.on(square) == Some(king));
        kings.any(|square| self.is_attacked(square, side.other()))
    }

    /// Whether the side to move is checkmated.
    pub(super) fn is_checkmate(&self) -> bool {
        self.is_in_check(self.to_move) && !self.has_move()
    }

    /// Whether there is a legal move.
    pub(super) fn has_move(&self) -> bool {
        let mut candidates = self.candidates().into_iter();
        candidates.any(|candidate| self.after(candidate).is_some())
    }

    /// The legal moves in the order of their UCI texts, with the positions after them.
    pub(super) fn moves(&self) -> Vec<(Move, SlowBoard)> {
        let candidates = self.candidates().into_iter();
        let legal = candidates.filter_map(|candidate| Some((candidate, self.after(candidate)?)));
        let mut moves: Vec<(Move, SlowBoard)> = legal.collect();
        moves.sort_unstable_by_key(|(candidate, _)| candidate.letters());
        moves
    }

    /// The moves of the side to move, those that leave its king attacked included.
    fn candidates(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::all() {
            match self.on(from).filter(|man| man.side == self.to_move) {
                None => {}
                Some(man) if man.kind == Kind::Pawn => self.pawn_moves(from, &mut moves),
                Some(man) => {
                    let steps = man.kind.steps().iter();
                    let squares = steps.flat_map(|&step| self.way(from, man.kind, step));
                    let is_own = |to: Square| self.on(to).is_some_and(|on| on.side == man.side);
                    let targets = squares.filter(|&to| !is_own(to));
                    moves.extend(targets.map(|to| Move::new(from, to)));
                }
            }
        }
        let wings = self.rights.wings();
        let castling = wings.filter(|wing| wing.side == self.to_move && self.may_castle(wing));
        moves.extend(castling.map(|wing| Move::new(wing.king().0, wing.king().1)));
        moves
    }

    /// Whether castling is possible on a wing whose right is left.
    fn may_castle(&self, wing: &Wing) -> bool {
        let is_safe = |square| !self.is_attacked(square, wing.side.other());
        wing.between().all(|square| self.on(square).is_none()) && wing.way().all(is_safe)
    }

    /// Adds the moves of the pawn on a square.
    fn pawn_moves(&self, from: Square, moves: &mut Vec<Move>) {
        let ahead = ahead(self.to_move);
        let is_empty = |square: &Square| self.on(*square).is_none();
        if let Some(one) = from.step((0, ahead)).filter(is_empty) {
            add_with_promotions(from, one, moves);
            let is_first = from.rank() == if ahead == 1 { 1 } else { 6 };
            let two = one.step((0, ahead)).filter(is_empty);
            if let Some(two) = two.filter(|_| is_first) {
                moves.push(Move::new(from, two));
            }
        }
        for to in [-1, 1].iter().filter_map(|&file| from.step((file, ahead))) {
            let is_capture = self.on(to).is_some_and(|man| man.side != self.to_move);
            if is_capture || self.en_passant == Some(to) {
                add_with_promotions(from, to, moves);
            }
        }
    }

    /// The position after one of the candidates; none if the mover's king is attacked there.
    fn after(&self, candidate: Move) -> Option<SlowBoard> {
        let (from, to) = (candidate.from(), candidate.to());
        let mover = self.on(from)?;
        let mut after = *self;
        after.put(from, None);
        let promoted = Kind::PROMOTIONS
            .into_iter()
            .find(|kind| kind.promotion_code() == u16::from(candidate.promotion()));
        let kind = promoted.unwrap_or(mover.kind);
        after.put(to, Some(Man { kind, ..mover }));
        let is_pawn = mover.kind == Kind::Pawn;
        if is_pawn && self.en_passant == Some(to) {
            // The captured pawn stands beside the square that the mover leaves.
            let captured = Square::at(to.file(), from.rank());
            captured
                .into_iter()
                .for_each(|square| after.put(square, None));
        }
        let is_castling = mover.kind == Kind::King && (from.file() - to.file()).abs() == 2;
        if let Some(wing) = Wing::of_king(from, to).filter(|_| is_castling) {
            let (from, to) = wing.rook();
            after.put(to, after.on(from));
            after.put(from, None);
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
    fn has_stepped_over(&self, square: Square) -> bool {
        let side = self.to_move.other();
        let pawn = Man {
            side,
            kind: Kind::Pawn,
        };
        let on = |ranks| square.step((0, ranks)).map(|square| self.on(square));
        on(ahead(side)) == Some(Some(pawn)) && on(0) == Some(None) && on(-ahead(side)) == Some(None)
    }

    /// Whether a capture en passant on a square is legal, if the last move was a double step over it.
    fn has_capture_on(&self, square: Square) -> bool {
        let pawn = Man {
            side: self.to_move,
            kind: Kind::Pawn,
        };
        let board = SlowBoard {
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
fn ahead(side: Side) -> i8 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}

/// A move of a pawn: four if it reaches the last rank, otherwise one.
fn add_with_promotions(from: Square, to: Square, moves: &mut Vec<Move>) {
    let plain = Move::new(from, to);
    match to.rank() {
        0 | 7 => {
            let kinds = Kind::PROMOTIONS.into_iter();
            moves.extend(kinds.map(|kind| plain.promoting(kind.promotion_code())));
        }
        _ => moves.push(plain),
    }
}

/// The FEN of the position. The clocks are no part of a position and stand at their start.
impl Display for SlowBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, rank) in self.men.chunks(8).rev().enumerate() {
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
mod tests {
    use super::super::board::Board;
    use super::*;

    /// Positions with much of what is rare.
    const BEGINNINGS: [&str; 12] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        // Promotions and castling.
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        // Captures en passant, pinned in a rank, in a file and in a diagonal.
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/pppppppp/8/PPPPPPPP/pppppppp/8/PPPPPPPP/4K3 w - - 0 1",
        "b6k/2p1p1p1/8/1P1P1P1q/1p1p1p1Q/8/2P1P1P1/B6K w - - 0 1",
        "3rk2r/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/3RK2R w Kk - 0 1",
        // Many checks, double ones and discovered ones.
        "q2b2rk/1n1N1Bp1/2n5/8/3QR3/2B2N2/1r4b1/KR5q w - - 0 1",
        "k7/1R1Q1N2/2B5/3N4/4R3/8/6B1/7K w - - 0 1",
        "3QQ3/8/2R5/8/k3N2R/8/1B1P4/K7 w - - 0 1",
    ];

    fn both(fen: &str) -> (Option<Board>, Option<SlowBoard>) {
        let words: Vec<&str> = fen.split(' ').collect();
        let fen = Fen::with_castling(&words).unwrap();
        (Board::of(&fen), SlowBoard::of(&fen))
    }

    /// How often each of the rare things was met.
    #[derive(Default, Debug)]
    struct Met {
        checkmates: u32,
        mating_moves: u32,
        en_passant: u32,
        castling: u32,
        promotions: u32,
    }

    /// Looks at a position in both ways, and at all positions after one move.
    fn compare(fast: &Board, slow: &SlowBoard, met: &mut Met) {
        let text = slow.to_string();
        assert_eq!(fast.to_string(), text);
        assert_eq!(both(&text), (Some(*fast), Some(*slow)));
        for (side, square) in Side::BOTH
            .into_iter()
            .flat_map(|side| Square::all().map(move |square| (side, square)))
        {
            let found = fast.is_attacked(square, side);
            assert_eq!(found, slow.is_attacked(square, side), "{text} {square}");
        }
        let (ours, theirs) = (fast.moves(), slow.moves());
        let list = |moves: Vec<Move>| moves.iter().map(Move::to_string).collect::<Vec<_>>();
        let ours_alone = list(ours.iter().map(|entry| entry.0).collect());
        let theirs_alone = list(theirs.iter().map(|entry| entry.0).collect());
        assert_eq!(ours_alone, theirs_alone, "{text}");
        assert_eq!(fast.has_move(), slow.has_move(), "{text}");
        assert_eq!(fast.is_checkmate(), slow.is_checkmate(), "{text}");
        for ((played, after), (_, theirs)) in ours.iter().zip(&theirs) {
            assert_eq!(after.to_string(), theirs.to_string(), "{text} {played}");
            assert_eq!(
                after.is_checkmate(),
                theirs.is_checkmate(),
                "{text} {played}"
            );
            assert_eq!(fast.played(*played), Some(*after));
            let may_check = fast.candidates_for_check().any(|may| may == *played);
            assert!(
                may_check || !theirs.is_in_check(theirs.to_move),
                "{text} {played}"
            );
        }
        let mates = theirs.iter().any(|(_, after)| after.is_checkmate());
        assert_eq!(fast.has_mating_move(), mates, "{text}");

        met.checkmates += u32::from(slow.is_checkmate());
        met.mating_moves += u32::from(mates);
        met.en_passant += u32::from(slow.en_passant.is_some());
        let is_castling = |played: &Move| {
            let king = slow
                .on(played.from())
                .is_some_and(|man| man.kind == Kind::King);
            king && (played.from().file() - played.to().file()).abs() == 2
        };
        let moves = || theirs.iter().map(|entry| entry.0);
        met.castling += u32::from(moves().any(|played| is_castling(&played)));
        met.promotions += u32::from(moves().any(|played| played.promotion() > 0));
    }

    #[test]
    fn the_fast_rules_are_those_of_the_slow_twin() {
        // Lines of random moves, drawn by a fixed generator.
        let mut number = 1_u64;
        let mut met = Met::default();
        for fen in BEGINNINGS {
            for _ in 0..40 {
                let (Some(mut fast), Some(mut slow)) = both(fen) else {
                    panic!("{fen}");
                };
                for _ in 0..60 {
                    compare(&fast, &slow, &mut met);
                    number = number
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    let (ours, theirs) = (fast.moves(), slow.moves());
                    if ours.is_empty() {
                        break;
                    }
                    let place = (number >> 33) as usize % ours.len();
                    (fast, slow) = (ours[place].1, theirs[place].1);
                }
            }
        }
        let Met {
            checkmates,
            mating_moves,
            en_passant,
            castling,
            promotions,
        } = met;
        let least = [checkmates, mating_moves, en_passant, castling, promotions];
        assert!(least.iter().all(|&count| count > 40), "{met:?}");
    }

    #[test]
    fn both_refuse_the_same_placements() {
        // Men thrown on the board by a fixed generator; in each third round White has his rights to castle.
        let mut number = 1_u64;
        let (mut refused, mut compared) = (0, 0);
        for round in 0..20_000 {
            let mut rows = vec![vec!['1'; 8]; 8];
            let men = ["Kk", "KkQrPp", "KkRRrrPPpp", "KkQqBbNnPPPppp"][round % 4];
            for man in men.chars().rev() {
                number = number
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let square = (number >> 58) as usize;
                rows[square / 8][square % 8] = man;
            }
            if round % 3 == 0 {
                let home: Vec<char> = "R111K11R".chars().collect();
                rows[7].copy_from_slice(&home);
            }
            // A man may have been thrown on a king.
            let men = || rows.iter().flatten();
            let is_one = |king| men().filter(|&&man| man == king).count() == 1;
            if !(is_one('K') && is_one('k')) {
                continue;
            }
            let rows: Vec<String> = rows.into_iter().map(|row| packed(&row)).collect();
            let side = if number >> 40 & 1 == 0 { 'w' } else { 'b' };
            let rights = ["KQ", "-", "-"][round % 3];
            let (fast, slow) = both(&format!("{} {side} {rights} - 0 1", rows.join("/")));
            let texts = [fast.map(|b| b.to_string()), slow.map(|b| b.to_string())];
            assert_eq!(texts[0], texts[1]);
            refused += u32::from(fast.is_none());
            if let (Some(fast), Some(slow)) = (fast, slow) {
                compare(&fast, &slow, &mut Met::default());
                compared += 1;
            }
        }
        assert!(refused > 1_000 && compared > 1_000, "{refused} {compared}");
    }

    /// A rank as in a FEN: no two digits side by side.
    fn packed(row: &[char]) -> String {
        let groups = row.chunk_by(|a, b| a == b && *a == '1');
        let texts = groups.map(|group| match group {
            ['1', ..] => group.len().to_string(),
            men => men.iter().collect(),
        });
        texts.collect()
    }
}
