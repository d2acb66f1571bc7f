//! A position of the *board* profile as the search holds it: placement, side to move, castling, en passant.
//!
//! The search plays millions of moves, asks of most positions only whether they are mate, and hashes
//! the rest. So it has a board of its own: eight sets of squares and no clocks. It is made from a position of shakmaty,
//! and its moves go back to shakmaty when they are shown; the tests compare both, move by move.
//!
//! The en-passant square is there if a pawn can capture there but for what happens to its king.

use shakmaty::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use shakmaty::{
    Bitboard, Board, ByColor, Chess, Color, EnPassantMode, Move, Piece, Position, Role, Setup,
    Square,
};

use super::step::{Kind, Step, first_rank};
use crate::rules::legal_position;

/// A position without history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Diagram {
    colors: ByColor<Bitboard>,
    roles: [Bitboard; 6],
    /// The squares of rooks that may castle.
    castling: Bitboard,
    king: ByColor<Square>,
    turn: Color,
    en_passant: Option<Square>,
}

/// All of a [`Diagram`] in 256 bits: equal keys, equal positions.
///
/// Three words hold bits of the role on each square, 1 for a pawn to 6 for a king, and the fourth the black
/// men. Role 7 is left for three things that cannot be mistaken for each other:
///
/// - the king of the side to move, which is the side without a king of role 6;
/// - a rook that may castle: it stands in a corner, and its king, whatever its role, on the e-file;
/// - the en-passant square, in the colour of the side that is not to move, on rank 3 or 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Key(pub(crate) [u64; 4]);

impl Key {
    /// A number that differs for different keys, nearly always.
    pub(crate) const fn hash(self) -> u64 {
        const FACTORS: [u64; 4] = [
            0x9e37_79b9_7f4a_7c15,
            0xbf58_476d_1ce4_e5b9,
            0x94d0_49bb_1331_11eb,
            0xd6e8_feb8_6659_fd93,
        ];
        let mut hash = 0_u64;
        let mut word = 0;
        while word < 4 {
            hash = (hash ^ self.0[word]).wrapping_mul(FACTORS[word]);
            hash ^= hash >> 29;
            word += 1;
        }
        hash
    }
}

impl Diagram {
    /// The position without its history.
    pub(crate) fn of(position: &Chess) -> Diagram {
        let board = position.board();
        let king = |color| board.king_of(color).unwrap_or(Square::A1);
        Diagram {
            colors: ByColor {
                black: board.black(),
                white: board.white(),
            },
            roles: Role::ALL.map(|role| board.by_role(role)),
            castling: position.castles().castling_rights(),
            king: ByColor {
                black: king(Color::Black),
                white: king(Color::White),
            },
            turn: position.turn(),
            en_passant: position.ep_square(EnPassantMode::PseudoLegal),
        }
    }

    pub(crate) const fn turn(&self) -> Color {
        self.turn
    }

    pub(crate) const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    pub(crate) const fn castling(&self) -> Bitboard {
        self.castling
    }

    pub(crate) const fn of_color(&self, color: Color) -> Bitboard {
        *self.colors.get(color)
    }

    pub(crate) const fn of_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize - 1]
    }

    pub(crate) fn occupied(&self) -> Bitboard {
        self.colors.white | self.colors.black
    }

    pub(crate) const fn king(&self, color: Color) -> Square {
        *self.king.get(color)
    }

    /// The men of a side that move along ranks and files, and those that move along diagonals.
    pub(crate) fn sliders(&self, color: Color) -> (Bitboard, Bitboard) {
        let own = self.of_color(color);
        let queens = self.of_role(Role::Queen);
        (
            own & (self.of_role(Role::Rook) | queens),
            own & (self.of_role(Role::Bishop) | queens),
        )
    }

    /// What stands on a square.
    pub(crate) fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|&role| self.of_role(role).contains(square))
    }

    /// The men of a side that attack a square if these squares are occupied.
    #[inline]
    pub(crate) fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let (straight, diagonal) = self.sliders(by);
        let steppers = pawn_attacks(!by, square) & self.of_role(Role::Pawn)
            | knight_attacks(square) & self.of_role(Role::Knight)
            | king_attacks(square) & self.of_role(Role::King);
        steppers & self.of_color(by)
            | rook_attacks(square, occupied) & straight
            | bishop_attacks(square, occupied) & diagonal
    }

    /// Whether a side attacks a square if these squares are occupied.
    #[inline]
    pub(crate) fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let steppers = pawn_attacks(!by, square) & self.of_role(Role::Pawn)
            | knight_attacks(square) & self.of_role(Role::Knight)
            | king_attacks(square) & self.of_role(Role::King);
        if (steppers & self.of_color(by)).any() {
            return true;
        }
        let (straight, diagonal) = self.sliders(by);
        (rook_attacks(square, occupied) & straight).any()
            || (bishop_attacks(square, occupied) & diagonal).any()
    }

    /// The men that give check to the side to move.
    pub(crate) fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn, self.occupied())
    }

    /// Whether the side to move is in check.
    pub(crate) fn is_check(&self) -> bool {
        self.is_attacked(self.king(self.turn), !self.turn, self.occupied())
    }

    /// The position after a legal move of it.
    #[inline]
    pub(crate) fn play(&self, step: Step) -> Diagram {
        let us = self.turn;
        let from = Bitboard::from_square(step.from);
        let to = Bitboard::from_square(step.to);
        let mut next = *self;
        next.turn = !us;
        next.en_passant = None;
        next.castling &= !(from | to);
        for role in &mut next.roles {
            *role &= !(from | to);
        }
        *next.colors.get_mut(us) ^= from | to;
        *next.colors.get_mut(!us) &= !to;
        next.roles[step.placed() as usize - 1] |= to;
        if step.role == Role::King {
            *next.king.get_mut(us) = step.to;
            next.castling &= !first_rank(us);
        }
        match step.kind {
            Kind::Plain | Kind::Promotion(_) => {}
            Kind::Double => {
                let middle = jumped_over(step);
                let capturers =
                    pawn_attacks(us, middle) & next.of_role(Role::Pawn) & next.of_color(!us);
                if capturers.any() {
                    next.en_passant = Some(middle);
                }
            }
            Kind::EnPassant => {
                let captured = Bitboard::from_square(captured_en_passant(step));
                next.roles[Role::Pawn as usize - 1] &= !captured;
                *next.colors.get_mut(!us) &= !captured;
            }
            Kind::Castle => {
                let (rook_from, rook_to) = step.rook();
                let both = Bitboard::from_square(rook_from) | Bitboard::from_square(rook_to);
                next.roles[Role::Rook as usize - 1] ^= both;
                *next.colors.get_mut(us) ^= both;
            }
        }
        next
    }

    /// The position in which the other side is to move instead, without a right to capture en passant.
    pub(crate) fn pass(&self) -> Diagram {
        Diagram {
            turn: !self.turn,
            en_passant: None,
            ..*self
        }
    }

    /// The same position, with the en-passant square only if a pawn may really capture there.
    pub(crate) fn with_legal_en_passant(&self) -> Diagram {
        let mut same = *self;
        if self.en_passant.is_some() && !self.can_capture_en_passant() {
            same.en_passant = None;
        }
        same
    }

    /// The position as a key.
    pub(crate) fn key(&self) -> Key {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles.map(|role| role.0);
        let en_passant = self.en_passant.map_or(0, |square| 1 << square.to_u32());
        let mark = 1 << self.king(self.turn).to_u32() | self.castling.0 | en_passant;
        let black = match self.turn {
            Color::White => self.colors.black.0 | en_passant,
            Color::Black => self.colors.black.0,
        };
        Key([
            pawns | bishops | queens | mark,
            knights | bishops | kings | mark,
            rooks | queens | kings | mark,
            black,
        ])
    }

    /// The position in the terms of shakmaty, with clocks that say nothing.
    pub(crate) fn to_position(self) -> Chess {
        let mut board = Board::empty();
        for role in Role::ALL {
            for color in Color::ALL {
                for square in self.of_role(role) & self.of_color(color) {
                    board.set_piece_at(square, Piece { color, role });
                }
            }
        }
        let mut setup = Setup::empty();
        setup.board = board;
        setup.turn = self.turn;
        setup.castling_rights = self.castling;
        setup.ep_square = self.en_passant;
        legal_position(setup).expect("moves lead from legal positions to legal ones")
    }

    /// A move in the terms of shakmaty.
    pub(crate) fn to_move(self, step: Step) -> Move {
        step.to_move(self.role_at(step.to))
    }

    /// A legal move in the terms of the search.
    pub(crate) fn to_step(mv: Move) -> Option<Step> {
        let (from, to, kind) = match mv {
            Move::Normal {
                role,
                from,
                to,
                promotion,
                ..
            } => {
                let is_double = role == Role::Pawn && from.rank().distance(to.rank()) == 2;
                let kind = match promotion {
                    Some(role) => Kind::Promotion(role),
                    None if is_double => Kind::Double,
                    None => Kind::Plain,
                };
                (from, to, kind)
            }
            Move::EnPassant { from, to } => (from, to, Kind::EnPassant),
            Move::Castle { king, .. } => {
                let side = mv.castling_side()?;
                (king, side.king_to(Color::White), Kind::Castle)
            }
            Move::Put { .. } => return None,
        };
        let to = match kind {
            Kind::Castle => Square::from_coords(to.file(), from.rank()),
            _ => to,
        };
        Some(Step {
            from,
            to,
            role: mv.role(),
            kind,
        })
    }
}

/// The square that a double step jumps over.
const fn jumped_over(step: Step) -> Square {
    Square::new((step.from.to_u32() + step.to.to_u32()) / 2)
}

/// The square of the pawn that is captured en passant.
pub(crate) const fn captured_en_passant(step: Step) -> Square {
    Square::from_coords(step.to.file(), step.from.rank())
}
