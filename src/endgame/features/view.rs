//! A state as features see it: its men in the oriented placement, what they attack, where the kings can walk.

use shakmaty::attacks::{attacks, king_attacks};
use shakmaty::{Bitboard, Chess, Color, Piece, Position, Square};

use super::ManName;
use crate::endgame::{Material, State, Symmetry};

/// A state in its oriented placement: of the images under the symmetries of the class the one whose list *black king, white
/// king, White's other men, Black's other men* is smallest. It is the same for all images of a state, and so is everything
/// that is read off it.
pub(super) struct View {
    men: [Option<(Piece, Square)>; 6],
    occupied: Bitboard,
    white: Bitboard,
    /// The side to move.
    pub(super) turn: Color,
    /// The en-passant square.
    pub(super) en_passant: Option<Square>,
    /// Legal moves.
    pub(super) moves: usize,
}

impl View {
    /// The view of a state and its position.
    pub(super) fn new(material: &Material, state: &State, position: &Chess) -> View {
        let pieces = material.men();
        let men = |image: &State| -> [Option<(Piece, Square)>; 6] {
            let (squares, _, _) = image.order();
            let mut men = [None; 6];
            let (mut white, mut black) = (ManName::WHITE_KING.place(), ManName::BLACK_KING.place());
            for (&piece, &square) in pieces.iter().zip(&squares) {
                let next = piece.color.fold_wb(&mut white, &mut black);
                men[*next] = Some((piece, square));
                *next += 1;
            }
            men
        };
        // The black king, the white king, White's other men, Black's other men.
        let order = |men: &[Option<(Piece, Square)>; 6]| {
            [4, 0, 1, 2, 3, 5].map(|place: usize| men[place].map(|(_, square)| square))
        };
        let images = material.symmetries().iter().map(|&symmetry: &Symmetry| {
            let image = state.image(material, symmetry);
            (men(&image), image.order().2)
        });
        let (men, en_passant) = images
            .min_by_key(|(men, _)| order(men))
            .unwrap_or(([None; 6], None));
        let mut occupied = Bitboard::EMPTY;
        let mut white = Bitboard::EMPTY;
        for &(piece, square) in men.iter().flatten() {
            occupied.add(square);
            if piece.color.is_white() {
                white.add(square);
            }
        }
        View {
            men,
            occupied,
            white,
            turn: state.turn(),
            en_passant,
            moves: position.legal_moves().len(),
        }
    }

    /// Where a man stands, if it is there.
    pub(super) fn square(&self, man: ManName) -> Option<Square> {
        self.men[man.place()].map(|(_, square)| square)
    }

    /// Which kind of man it is, if it is there.
    pub(super) fn piece(&self, man: ManName) -> Option<Piece> {
        self.men[man.place()].map(|(piece, _)| piece)
    }

    /// The squares with men of one side.
    fn side(&self, is_white: bool) -> Bitboard {
        match is_white {
            true => self.white,
            false => self.occupied ^ self.white,
        }
    }

    /// The king of a side.
    pub(super) fn king(&self, is_white: bool) -> Square {
        let king = match is_white {
            true => ManName::WHITE_KING,
            false => ManName::BLACK_KING,
        };
        self.square(king).unwrap_or(Square::A1)
    }

    /// The squares that a man attacks.
    pub(super) fn attacked_by(&self, man: ManName) -> Bitboard {
        match self.men[man.place()] {
            Some((piece, square)) => attacks(square, piece, self.occupied),
            None => Bitboard::EMPTY,
        }
    }

    /// How many men of a side attack a square.
    pub(super) fn attackers(&self, is_white: bool, square: Square) -> usize {
        let own = ManName::all().filter(|man| man.is_white() == is_white);
        own.filter(|&man| self.attacked_by(man).contains(square))
            .count()
    }

    /// Whether the king of the side to move is attacked.
    pub(super) fn is_check(&self) -> bool {
        let is_white = self.turn.is_white();
        self.attackers(!is_white, self.king(is_white)) > 0
    }

    /// The squares that a king may not step on: its own men, and what the other side attacks when the king is off the board.
    fn barred(&self, king: ManName) -> Bitboard {
        let occupied = self.occupied.without(self.king(king.is_white()));
        let others = ManName::all().filter(|man| man.is_white() != king.is_white());
        let attacked = others
            .filter_map(|man| self.men[man.place()])
            .fold(Bitboard::EMPTY, |all, (piece, square)| {
                all | attacks(square, piece, occupied)
            });
        attacked | self.side(king.is_white())
    }

    /// The steps that a king has.
    pub(super) fn steps(&self, king: ManName) -> Bitboard {
        king_attacks(self.king(king.is_white())) & !self.barred(king)
    }

    /// The squares that a king can get to by steps while all other men stay, its own included.
    pub(super) fn region(&self, king: ManName) -> Bitboard {
        let free = !self.barred(king);
        let mut front = Bitboard::from(self.king(king.is_white()));
        let mut region = front;
        while front.any() {
            let next = front
                .into_iter()
                .fold(Bitboard::EMPTY, |all, square| all | king_attacks(square));
            front = next & free & !region;
            region |= front;
        }
        region
    }
}
