//! States: one placement of the men of a class, the side to move, and the en-passant square.
//!
//! This is the definition, on shakmaty's positions: slow and general. The fast way to look at many
//! placements is [`super::index`].

use shakmaty::{Board, Chess, Color, EnPassantMode, Position, Setup, Square};

use super::{Material, Symmetry};
use crate::rules::legal_position;

/// A state of a class. It need not be legal.
///
/// States are ordered by their tuple: the squares of the men in the order of the class's name (a1 = 0
/// to h8 = 63, like men in ascending order), then the side, White to move before Black. That is
/// *canonical order*. En-passant states are ordered among themselves by tuple and square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    squares: [Square; Material::MOST_MEN],
    turn: Color,
    en_passant: Option<Square>,
}

impl State {
    /// A state of these men, which are brought into the order of a tuple.
    pub fn new(
        material: &Material,
        squares: &[Square],
        turn: Color,
        en_passant: Option<Square>,
    ) -> State {
        let men = material.men();
        let mut ordered = [Square::A1; Material::MOST_MEN];
        for (place, &square) in ordered.iter_mut().zip(squares) {
            *place = square;
        }
        for first in 0..men.len() {
            let like = men[first..]
                .iter()
                .take_while(|&&man| man == men[first])
                .count();
            ordered[first..first + like].sort_unstable();
        }
        State {
            squares: ordered,
            turn,
            en_passant,
        }
    }

    /// The state of a position, which must be of this class in these colours. An en-passant square
    /// counts only if a capture is legal.
    ///
    /// # Panics
    ///
    /// If a man of the class is not on the board.
    pub fn of(material: &Material, position: &Chess) -> State {
        let mut left = position.board().clone();
        let mut squares = Vec::with_capacity(Material::MOST_MEN);
        for &man in material.men() {
            let square = left
                .by_piece(man)
                .first()
                .expect("the board has the men of the class");
            left.discard_piece_at(square);
            squares.push(square);
        }
        let en_passant = position.ep_square(EnPassantMode::Legal);
        State::new(material, &squares, position.turn(), en_passant)
    }

    /// What states are ordered by.
    pub fn order(&self) -> ([Square; Material::MOST_MEN], bool, Option<Square>) {
        (self.squares, self.turn.is_black(), self.en_passant)
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The legal position of this state; `None` if there is none: men share a square, a pawn stands
    /// on the last rank, the side not to move is in check, or no capture en passant is legal where
    /// the state says so.
    pub fn position(&self, material: &Material) -> Option<Chess> {
        let mut board = Board::empty();
        for (&square, &man) in self.squares.iter().zip(material.men()) {
            board.set_piece_at(square, man);
        }
        if board.occupied().count() != material.men().len() {
            return None;
        }
        let setup = Setup {
            board,
            turn: self.turn,
            ep_square: self.en_passant,
            ..Setup::empty()
        };
        let position = legal_position(setup).ok()?;
        (position.ep_square(EnPassantMode::Legal) == self.en_passant).then_some(position)
    }

    /// The image under a symmetry of the board.
    pub fn image(&self, material: &Material, symmetry: Symmetry) -> State {
        let men = material.men().len();
        let squares = self.squares.map(|square| symmetry.apply(square));
        let en_passant = self.en_passant.map(|square| symmetry.apply(square));
        State::new(material, &squares[..men], self.turn, en_passant)
    }

    /// The first of the images in canonical order.
    pub fn canonical(&self, material: &Material) -> State {
        let images = material
            .symmetries()
            .iter()
            .map(|&g| self.image(material, g));
        images.min_by_key(State::order).unwrap_or(*self)
    }

    /// The same placement with an en-passant square.
    pub fn with_en_passant(self, square: Square) -> State {
        State {
            en_passant: Some(square),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_share_their_canonical_state() {
        for name in ["KQK", "KPK", "KBBK", "KRPKR"] {
            let material: Material = name.parse().unwrap();
            let men = material.men().len();
            for number in (0..1_usize << 30).step_by(7_654_321) {
                let squares: Vec<Square> = (0..men)
                    .map(|man| Square::new((number >> (6 * man) & 63) as u32))
                    .collect();
                let state = State::new(
                    &material,
                    &squares,
                    Color::from_white(number % 3 == 0),
                    None,
                );
                let canonical = state.canonical(&material);
                assert!(canonical.order() <= state.order());
                assert_eq!(canonical.canonical(&material), canonical);
                for &symmetry in material.symmetries() {
                    assert_eq!(
                        state.image(&material, symmetry).canonical(&material),
                        canonical
                    );
                }
            }
        }
    }
}
