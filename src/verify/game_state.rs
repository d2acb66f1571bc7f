//! A state of the complete game: a position, the clock, and how often each key has occurred since the last irreversible
//! move.
//!
//! The key of a state is its position: the men, the side to move, the rights to castle, and the en-passant square where a
//! capture on it is legal. That is what a [`Board`] is, and two boards are equal exactly if the keys are. What has occurred is
//! kept as a plain list of boards with a number each, the present one among them. How a state is written, and which states
//! there are, is said in `game_bytes` and `admission`; whether a position is dead, in `deadness`.
//!
//! Invariants: the list names no board twice, and the present one once; no number in it is 0; the clock is at most 150.
//!
//! Source: `docs/ruleset.txt`, parts 4 to 6; `docs/certificate-format.md`, *States of the complete game*.

use super::Move;
use super::board::Board;
use super::man::Kind;

/// How often a key occurs until its player may claim a draw, and until the game is drawn.
const THREEFOLD: u8 = 3;
const FIVEFOLD: u8 = 5;

/// How many plies without a pawn move or a capture are played until a player may claim a draw, and until the game is
/// drawn.
pub(super) const FIFTY_MOVES: u8 = 100;
pub(super) const SEVENTY_FIVE_MOVES: u8 = 150;

/// A state of the complete game. Two are equal exactly if their bytes are.
#[derive(Clone, Debug)]
pub struct GameState {
    pub(super) board: Board,
    /// *h*: the plies since the last pawn move or capture, or since the beginning.
    pub(super) clock: u8,
    /// R: the keys that have occurred since the last irreversible move, in any order, and how often each has.
    pub(super) occurrences: Vec<(Board, u8)>,
}

/// A claim of a draw by the side to move; `Some` if it rests on a move that the player intends to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The position occurs for the third time at least.
    Threefold(Option<Move>),
    /// Fifty moves of each side without a pawn move or a capture.
    FiftyMoves(Option<Move>),
}

/// An end of the complete game. That a position is dead is left to [`GameState::deadness`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The side to move has lost.
    Checkmate,
    /// The side to move has no legal move, and its king is not attacked.
    Stalemate,
    /// The position has occurred five times.
    Fivefold,
    /// Seventy-five moves of each side without a pawn move or a capture.
    SeventyFive,
}

/// The order of what has occurred makes no difference, so the writings are compared, of which a state has one.
impl PartialEq for GameState {
    fn eq(&self, other: &GameState) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for GameState {}

impl GameState {
    /// The legal moves of the position in the order of their UCI texts, whether or not the game has ended.
    pub fn moves(&self) -> Vec<Move> {
        let moves = self.board.moves().into_iter();
        moves.map(|(legal, _)| legal).collect()
    }

    /// The state after a move; none if it is not legal, or if the game has ended here.
    pub fn after(&self, played: Move) -> Option<GameState> {
        if self.draw().is_some() {
            return None;
        }
        let board = self.board.played(played)?;
        Some(self.follow(played, board))
    }

    /// The state after a legal move, which leads to a position.
    pub(super) fn follow(&self, played: Move, board: Board) -> GameState {
        let counts_anew = counts_anew(&self.board, played);
        let loses_right = board.rights != self.board.rights;
        let is_irreversible = counts_anew || loses_right || self.board.en_passant.is_some();
        let mut occurrences = match is_irreversible {
            true => Vec::new(),
            false => self.occurrences.clone(),
        };
        match occurrences.iter_mut().find(|(key, _)| *key == board) {
            Some((_, times)) => *times = times.saturating_add(1),
            None => occurrences.push((board, 1)),
        }
        let clock = match counts_anew {
            true => 0,
            false => self.clock.saturating_add(1),
        };
        GameState {
            board,
            clock,
            occurrences,
        }
    }

    /// How often the present key has occurred, this occurrence included.
    pub(super) fn times(&self) -> u8 {
        let mut keys = self.occurrences.iter();
        let present = keys.find(|(key, _)| *key == self.board);
        present.map_or(0, |&(_, times)| times)
    }

    /// The claims that the side to move may make, in the order of the moves that they intend: first those that intend none,
    /// threefold repetition before fifty moves. None where the game has ended (a dead position apart).
    pub fn claims(&self) -> Vec<Claim> {
        if self.end().is_some() {
            return Vec::new();
        }
        let mut claims = Vec::from_iter(self.grounds(None));
        for (intended, board) in self.board.moves() {
            claims.extend(self.follow(intended, board).grounds(Some(intended)));
        }
        claims
    }

    /// The claims for which there are grounds in this state, to which an intended move has led.
    fn grounds(&self, intended: Option<Move>) -> impl Iterator<Item = Claim> + use<> {
        let threefold = (self.times() >= THREEFOLD).then_some(Claim::Threefold(intended));
        let fifty_moves = (self.clock >= FIFTY_MOVES).then_some(Claim::FiftyMoves(intended));
        threefold.into_iter().chain(fifty_moves)
    }

    /// The end of the game in this state, the first that applies; none if it goes on (or if the position is dead).
    pub fn end(&self) -> Option<End> {
        if self.board.has_move() {
            return self.draw();
        }
        match self.board.is_in_check(self.board.to_move) {
            true => Some(End::Checkmate),
            false => Some(End::Stalemate),
        }
    }

    /// The end by what is counted, if the position is none.
    pub(super) fn draw(&self) -> Option<End> {
        if self.times() >= FIVEFOLD {
            return Some(End::Fivefold);
        }
        (self.clock >= SEVENTY_FIVE_MOVES).then_some(End::SeventyFive)
    }
}

/// Whether a legal move is a pawn move or a capture, after which plies are counted anew.
pub(super) fn counts_anew(board: &Board, played: Move) -> bool {
    let mover = board.on(played.from());
    let is_pawn_move = mover.is_some_and(|man| man.kind == Kind::Pawn);
    is_pawn_move || board.captured_by(played).is_some()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::board::tests::board;
    use super::*;

    pub(in super::super) const START: &str =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Back at the beginning after four plies.
    const ROUND: &str = "g1f3 g8f6 f3g1 f6g8 ";

    /// A position without a history.
    pub(in super::super) fn state(fen: &str, clock: u8) -> GameState {
        let board = board(fen);
        GameState {
            board,
            clock,
            occurrences: vec![(board, 1)],
        }
    }

    /// The state after moves given as texts.
    pub(in super::super) fn played(start: &GameState, line: &str) -> GameState {
        let mut moves = line.split_whitespace().map(|text| text.parse().unwrap());
        let after = moves.try_fold(start.clone(), |state, m| state.after(m));
        after.unwrap()
    }

    /// Claims as texts: `3` or `50`, and the intended move.
    fn claims(state: &GameState) -> String {
        let texts = state.claims().into_iter().map(|claim| match claim {
            Claim::Threefold(None) => "3".to_string(),
            Claim::FiftyMoves(None) => "50".to_string(),
            Claim::Threefold(Some(intended)) => format!("3{intended}"),
            Claim::FiftyMoves(Some(intended)) => format!("50{intended}"),
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    fn m(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn a_position_that_occurs_three_times_may_be_claimed() {
        let start = state(START, 0);
        assert_eq!(claims(&start), "");
        let once = played(&start, ROUND);
        assert_eq!((once.times(), once.clock), (2, 4));
        assert_eq!(claims(&once), "");
        // Before the knight goes home for the second time, Black may claim with that move.
        let before = played(&once, "g1f3 g8f6 f3g1");
        assert_eq!(claims(&before), "3f6g8");
        // Then the beginning stands on the board for the third time, and with Nf3 the position after it would occur for the
        // third time too.
        let twice = played(&before, "f6g8");
        assert_eq!((twice.times(), twice.end()), (3, None));
        assert_eq!(claims(&twice), "3 3g1f3");
        // The other knights go out and home again: what counts is the position, not how it came about.
        let others = played(&twice, "b1c3 b8c6 c3b1");
        assert_eq!(claims(&others), "3c6b8");
    }

    #[test]
    fn a_position_that_occurs_five_times_ends_the_game() {
        let start = state(START, 0);
        let four = played(&start, &ROUND.repeat(3));
        assert_eq!((four.times(), four.end()), (4, None));
        let five = played(&four, ROUND);
        assert_eq!((five.times(), five.end()), (5, Some(End::Fivefold)));
        assert_eq!(claims(&five), "");
        assert_eq!(five.moves().len(), 20);
        assert_eq!(five.after(m("e2e4")), None);
        // Before the last move it may be claimed that the game is a draw, although it would be over anyway.
        let before = played(&four, "g1f3 g8f6 f3g1");
        assert!(claims(&before).contains("3f6g8"));
    }

    #[test]
    fn the_clock_is_set_back_by_pawn_moves_and_captures_alone() {
        let fen = "r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1";
        for (line, clock, keys) in [
            // Castling and the loss of rights go on counting plies, but no key from before can come again.
            ("e1g1", 11, 1),
            ("e1g1 e8e7", 12, 1),
            ("e1g1 e8e7 f1e1 e7f7", 14, 3),
            ("h1h8", 0, 1),
            ("a2a4", 0, 1),
            ("a2a3 e8e7 a3a4", 0, 1),
        ] {
            let after = played(&state(fen, 10), line);
            assert_eq!(
                (after.clock, after.occurrences.len()),
                (clock, keys),
                "{line}"
            );
        }
    }

    #[test]
    fn fifty_moves_may_be_claimed_and_seventy_five_end_the_game() {
        let fen = "7k/8/8/8/8/8/P7/K7 w - - 0 1";
        let at = |clock| state(fen, clock);
        assert_eq!(claims(&at(98)), "");
        // A pawn move would set the clock back.
        assert_eq!(claims(&at(99)), "50a1b1 50a1b2");
        assert_eq!(claims(&at(100)), "50 50a1b1 50a1b2");
        assert_eq!(claims(&at(149)), "50 50a1b1 50a1b2");
        assert_eq!(at(149).end(), None);
        assert_eq!(at(150).end(), Some(End::SeventyFive));
        assert_eq!(claims(&at(150)), "");
        assert_eq!(at(150).after(m("a2a3")), None);
        assert_eq!(at(150).moves().len(), 4);
        let over = played(&at(149), "a1b1");
        assert_eq!((over.clock, over.end()), (150, Some(End::SeventyFive)));
        assert_eq!(played(&at(149), "a2a4").clock, 0);
    }

    #[test]
    fn claims_stand_in_their_order() {
        let start = state("7k/8/8/8/8/8/8/KR6 w - - 0 1", 92);
        let twice = played(&start, &"b1b2 h8h7 b2b1 h7h8 ".repeat(2));
        assert_eq!((twice.clock, twice.times()), (100, 3));
        let found = claims(&twice);
        assert!(found.starts_with("3 50 50a1a2 50a1b2 "), "{found}");
        assert!(found.contains(" 3b1b2 50b1b2 50b1b3 "), "{found}");
        assert_eq!(twice.claims().len(), 2 + twice.moves().len() + 1);
    }

    #[test]
    fn mate_and_stalemate_come_before_all_counts() {
        let queen = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1";
        for (line, end) in [
            ("f2f8", End::Checkmate),
            ("f2f7", End::Stalemate),
            ("f2f6", End::SeventyFive),
        ] {
            let over = played(&state(queen, 149), line);
            assert_eq!((over.clock, over.end()), (150, Some(end)));
            assert_eq!(claims(&over), "");
        }
        // A mated or stalemated player claims nothing.
        for line in ["f2f8", "f2f7"] {
            assert_eq!(claims(&played(&state(queen, 119), line)), "");
        }
        // Even in a position that is said to have occurred five times.
        let mut mate = played(&state(queen, 40), "f2f8");
        assert!(mate.moves().is_empty());
        mate.occurrences = vec![(mate.board, 5)];
        assert_eq!(
            (mate.draw(), mate.end()),
            (Some(End::Fivefold), Some(End::Checkmate))
        );
        // Repetition comes before the clock.
        let mut five = state(START, 150);
        five.occurrences[0].1 = 5;
        assert_eq!(five.end(), Some(End::Fivefold));
    }

    #[test]
    fn the_en_passant_right_is_part_of_the_key() {
        let fen = "rnbqkbnr/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let right = played(&state(fen, 0), "d7d5");
        assert!(right.board.en_passant.is_some());
        let round = "g1f3 g8f6 f3g1 f6g8 ";
        // The men stand as they did after the double step, but without the right: that is another key, and no key from
        // before the first move can come again.
        let once = played(&right, round);
        assert_eq!(
            (once.times(), once.clock, once.occurrences.len()),
            (1, 4, 4)
        );
        let twice = played(&once, round);
        assert_eq!((twice.times(), twice.occurrences.len()), (2, 4));
        assert!(!claims(&twice).starts_with("3 "));
        assert!(claims(&played(&twice, round)).starts_with("3 "));
        // A double step past nobody leaves no trace.
        let none = played(&state(fen, 0), "a7a5");
        assert_eq!(none.board.en_passant, None);
        assert_eq!(played(&none, round).times(), 2);
        assert!(claims(&played(&none, &round.repeat(2))).starts_with("3 "));
    }

    #[test]
    fn a_castling_right_is_part_of_the_key() {
        let start = state("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0);
        let round = "a1b1 a8b8 b1a1 b8a8 ";
        let once = played(&start, round);
        // The last irreversible move was Rb8; since then three keys have occurred.
        assert_eq!(
            (once.times(), once.clock, once.occurrences.len()),
            (1, 4, 3)
        );
        let twice = played(&once, round);
        assert_eq!(
            (twice.times(), twice.clock, twice.occurrences.len()),
            (2, 8, 4)
        );
        // The position after Rb8 has occurred twice as well; White would make it occur for the third time only with
        // another round.
        assert_eq!(claims(&twice), "");
        assert!(claims(&played(&twice, round)).starts_with("3 "));
    }

    #[test]
    fn no_other_move_is_played() {
        let start = state(START, 0);
        for text in ["e2e5", "e7e5", "e2e4q", "e1g1", "a3a4"] {
            assert_eq!(start.after(m(text)), None, "{text}");
        }
        assert_eq!(start.after(Move::NONE), None);
        let texts: Vec<String> = start.moves().iter().map(Move::to_string).collect();
        assert_eq!(texts[..3], ["a2a3", "a2a4", "b1a3"]);
        assert!(texts.is_sorted() && texts.len() == 20);
    }

    #[test]
    fn states_are_equal_whatever_the_order_of_what_has_occurred() {
        let one = played(&state(START, 0), "g1f3 g8f6 b1c3 b8c6");
        let mut other = one.clone();
        other.occurrences.reverse();
        assert_eq!(one, other);
        other.clock += 1;
        assert_ne!(one, other);
        assert_ne!(one, played(&state(START, 0), "b1c3 g8f6 g1f3 b8c6"));
    }
}
