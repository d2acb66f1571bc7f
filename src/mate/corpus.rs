//! The corpus of C6 §3: positions drawn from a seed and admitted by what is in them, whatever an ordering makes of them.
//!
//! The format page says how, because the verifier draws the positions again.

use std::collections::HashSet;

use rayon::prelude::*;
use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Setup, Square, attacks};

use super::diagram::Diagram;
use super::length::Moves;
use super::ordering::MoveOrdering;
use super::plain::PlainProver;
use crate::game::Draws;
use crate::game::{Interrupted, Observer, Silent};
use crate::rules::{legal_position, position_fen};

/// A position and the attempt, from 1, that gave it.
#[derive(Clone, Debug)]
pub struct CorpusPosition {
    /// The position, with White to move.
    pub position: Chess,
    /// The number of the attempt.
    pub attempt: u64,
}

/// The first positions of a seed that are admitted.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The seed.
    pub seed: u64,
    /// The positions, in the order in which they were drawn.
    pub positions: Vec<CorpusPosition>,
}

/// Attempts that are judged together.
const BATCH: usize = 1 << 10;

impl Corpus {
    /// Draws until so many positions are admitted.
    ///
    /// # Errors
    ///
    /// If the observer ends it.
    pub fn draw(seed: u64, count: usize, observer: &impl Observer) -> Result<Corpus, Interrupted> {
        let mut draws = Draws::new(seed);
        let mut known = HashSet::new();
        let mut positions = Vec::new();
        let mut attempts = 0;
        while positions.len() < count {
            let batch: Vec<Option<Chess>> = (0..BATCH).map(|_| draws.attempt()).collect();
            let admitted: Vec<Option<Chess>> = batch
                .into_par_iter()
                .map(|position| position.filter(is_admitted))
                .collect();
            for position in admitted {
                attempts += 1;
                if let Some(position) = position
                    && positions.len() < count
                    && known.insert(position_fen(&position))
                {
                    observer.advance(1);
                    positions.push(CorpusPosition {
                        position,
                        attempt: attempts,
                    });
                }
            }
            observer.checkpoint(0)?;
        }
        Ok(Corpus { seed, positions })
    }

    /// Attempts up to the last position.
    pub fn attempts(&self) -> u64 {
        self.positions.last().map_or(0, |last| last.attempt)
    }
}

/// A legal capture with a legal recapture, no mate in one, and a mate in two.
fn is_admitted(position: &Chess) -> bool {
    let diagram = Diagram::of(position);
    if diagram.mate_in_one(&mut 0).is_some() {
        return false;
    }
    let has_recapture = position.capture_moves().into_iter().any(|capture| {
        let mut next = position.clone();
        next.play_unchecked(capture);
        let answers = next.capture_moves();
        answers.iter().any(|answer| answer.to() == capture.to())
    });
    let two = Moves::new(2).unwrap_or(Moves::ZERO);
    has_recapture
        && PlainProver::new(MoveOrdering::FORCING, u64::MAX, &Silent)
            .prove(position, two)
            .is_some_and(|proof| proof.mates)
}

impl Draws {
    fn role(&mut self, roles: &[Role]) -> Role {
        roles[self.below(roles.len() as u32) as usize]
    }

    /// One of these squares, if there is one.
    fn square(&mut self, squares: Bitboard) -> Option<Square> {
        let count = squares.count() as u32;
        if count == 0 {
            return None;
        }
        squares.into_iter().nth(self.below(count) as usize)
    }

    /// The position of the next attempt, or none if it fails before it is one.
    fn attempt(&mut self) -> Option<Chess> {
        const ANY: [Role; 5] = [
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
        ];
        let mut board = Board::empty();
        let white_king = self.square(Bitboard::FULL)?;
        put(&mut board, Color::White, Role::King, white_king);
        let near = attacks::king_attacks(white_king).with(white_king);
        let black_king = self.square(!near)?;
        put(&mut board, Color::Black, Role::King, black_king);
        // The target, who attacks it, and who defends it.
        let role = self.role(&ANY);
        let target = self.square(free(&board, role))?;
        put(&mut board, Color::Black, role, target);
        for color in [Color::White, Color::Black] {
            let role = self.role(&ANY);
            let from = free(&board, role) & attackers_of(&board, target, color, role);
            let square = self.square(from)?;
            put(&mut board, color, role, square);
        }
        // A major piece that attacks, and some more.
        let role = self.role(&[Role::Rook, Role::Queen]);
        let square = self.square(free(&board, role))?;
        put(&mut board, Color::White, role, square);
        for _ in 0..self.below(5) {
            let color = [Color::White, Color::Black][self.below(2) as usize];
            let role = self.role(&ANY[..4]);
            let square = self.square(free(&board, role))?;
            put(&mut board, color, role, square);
        }
        let mut setup = Setup::empty();
        setup.board = board;
        legal_position(setup).ok()
    }
}

fn put(board: &mut Board, color: Color, role: Role, square: Square) {
    board.set_piece_at(square, role.of(color));
}

/// Where a man can stand.
fn free(board: &Board, role: Role) -> Bitboard {
    match role {
        Role::Pawn => !board.occupied() & !Bitboard::BACKRANKS,
        _ => !board.occupied(),
    }
}

/// From where such a man attacks a square.
fn attackers_of(board: &Board, square: Square, color: Color, role: Role) -> Bitboard {
    // A pawn attacks as one of the other colour does from the other end.
    attacks::attacks(square, role.of(!color), board.occupied())
}
