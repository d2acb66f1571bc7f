//! States: one placement of the men of a class, and the side to move.

use shakmaty::{Board, Color, Square};

use super::{Material, Symmetry};

/// A placement of the men of a [`Material`] and the side to move. It need not be legal.
///
/// States are ordered by their tuple `(white king, white piece, black king, side)`, squares from
/// a1 = 0 to h8 = 63 and White to move before Black: that is *canonical order*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    squares: [Square; State::MEN],
    turn: Color,
}

impl State {
    const MEN: usize = 3;

    /// The number of tuples of any class, legal or not: 2 × 64³.
    pub const TUPLES: usize = 2 * 64_usize.pow(State::MEN as u32);

    /// All tuples in canonical order.
    pub fn all() -> impl ExactSizeIterator<Item = State> {
        (0..State::TUPLES).map(|tuple| State {
            squares: [tuple >> 13, tuple >> 7, tuple >> 1]
                .map(|code| Square::new((code % 64) as u32)),
            turn: Color::from_white(tuple % 2 == 0),
        })
    }

    /// The state with the men of a board, which must be of this class.
    ///
    /// # Panics
    ///
    /// If a man of the class is not on the board.
    pub fn of_board(material: &Material, board: &Board, turn: Color) -> State {
        let place = |man| {
            board
                .by_piece(man)
                .first()
                .expect("the board has the men of the class")
        };
        State {
            squares: [0, 1, 2].map(|man| place(material.men()[man])),
            turn,
        }
    }

    /// The place of the tuple among all tuples, by which states are ordered.
    pub fn tuple_number(&self) -> usize {
        let men = self
            .squares
            .iter()
            .fold(0, |number, &square| number * 64 + square.to_usize());
        men * 2 + usize::from(self.turn.is_black())
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The placement as a board; `None` if two men share a square.
    pub fn board(&self, material: &Material) -> Option<Board> {
        let mut board = Board::empty();
        for (&square, &man) in self.squares.iter().zip(material.men()) {
            board.set_piece_at(square, man);
        }
        (board.occupied().count() == State::MEN).then_some(board)
    }

    /// The image under a symmetry of the board.
    pub fn image(&self, symmetry: Symmetry) -> State {
        State {
            squares: self.squares.map(|square| symmetry.apply(square)),
            ..*self
        }
    }

    /// The first of the eight images in canonical order.
    pub fn canonical(&self) -> State {
        let images = Symmetry::ALL.map(|symmetry| self.image(symmetry));
        images
            .into_iter()
            .min_by_key(State::tuple_number)
            .unwrap_or(*self)
    }

    /// The state after a man has moved from one square to another, without a capture.
    pub fn after_quiet_move(&self, from: Square, to: Square) -> State {
        let step = |square| if square == from { to } else { square };
        State {
            squares: self.squares.map(step),
            turn: !self.turn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_numbered_in_order() {
        let mut count = 0;
        for (number, state) in State::all().enumerate() {
            assert_eq!(state.tuple_number(), number);
            count += 1;
        }
        assert_eq!(count, 524_288);
    }

    #[test]
    fn images_share_their_canonical_state() {
        for state in State::all().step_by(97) {
            let canonical = state.canonical();
            assert!(canonical.tuple_number() <= state.tuple_number());
            assert_eq!(canonical.canonical(), canonical);
            assert!(
                Symmetry::ALL
                    .iter()
                    .all(|&g| state.image(g).canonical() == canonical)
            );
        }
    }
}
