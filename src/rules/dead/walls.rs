//! Walls: where each man can ever come, at most, and whether a king can be mated there.
//!
//! Every man has a set of squares that is too large rather than too small: it grows by the moves that the men standing fast do not
//! forbid, until it grows no more. A man stands fast if its set has one square and nobody can take it. The rules are those of the
//! format page (*Dead positions*); that no play leaves the sets is proved in `docs/soundness.md`.

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Rank, Role, Square, attacks};

/// A man: what it is, where it may ever stand, and whether it may be taken.
struct Man {
    piece: Piece,
    squares: Bitboard,
    takeable: bool,
}

impl Man {
    /// The square on which it stands fast.
    fn fixed_on(&self) -> Bitboard {
        match self.takeable || self.squares.more_than_one() {
            true => Bitboard::EMPTY,
            false => self.squares,
        }
    }
}

/// What stands fast.
struct Fixed {
    all: Bitboard,
    sides: [Bitboard; 2],
    kings: [Bitboard; 2],
    /// What the pawns among them attack.
    guarded: [Bitboard; 2],
}

impl Fixed {
    fn of(men: &[Man]) -> Fixed {
        let mut fixed = Fixed {
            all: Bitboard::EMPTY,
            sides: [Bitboard::EMPTY; 2],
            kings: [Bitboard::EMPTY; 2],
            guarded: [Bitboard::EMPTY; 2],
        };
        for man in men {
            let (square, color) = (man.fixed_on(), man.piece.color);
            fixed.all |= square;
            fixed.sides[side(color)] |= square;
            match man.piece.role {
                Role::King => fixed.kings[side(color)] |= square,
                Role::Pawn => {
                    for square in square {
                        fixed.guarded[side(color)] |= attacks::pawn_attacks(color, square);
                    }
                }
                _ => {}
            }
        }
        fixed
    }
}

const fn side(color: Color) -> usize {
    color as usize
}

/// Whether walls make the position dead.
pub(super) fn are_dead(position: &Chess) -> bool {
    position.castles().is_empty()
        && men_of(position).is_some_and(|men| {
            let fixed = Fixed::of(&men);
            Color::ALL.iter().all(|&side| is_safe(&men, &fixed, side))
        })
}

/// The men with all the squares on which they may ever stand; none if a pawn may promote.
fn men_of(position: &Chess) -> Option<Vec<Man>> {
    let men = position.board().iter().map(|(square, piece)| Man {
        piece,
        squares: square.into(),
        takeable: false,
    });
    let mut men: Vec<Man> = men.collect();
    let passed = position
        .ep_square(shakmaty::EnPassantMode::Legal)
        .map_or(Bitboard::EMPTY, Bitboard::from);
    loop {
        let before: Vec<(Bitboard, bool)> =
            men.iter().map(|man| (man.squares, man.takeable)).collect();
        for number in 0..men.len() {
            grow(&mut men, number, passed);
        }
        let may_promote = men
            .iter()
            .any(|man| man.piece.role == Role::Pawn && (man.squares & Bitboard::BACKRANKS).any());
        if may_promote {
            return None;
        }
        let is_stable = men
            .iter()
            .zip(before)
            .all(|(man, (squares, takeable))| man.squares == squares && man.takeable == takeable);
        if is_stable {
            return Some(men);
        }
    }
}

/// Applies the rules to a man.
fn grow(men: &mut [Man], number: usize, passed: Bitboard) {
    let fixed = Fixed::of(men);
    let Man { piece, squares, .. } = men[number];
    let (own, other) = (side(piece.color), side(!piece.color));
    if piece.role == Role::Pawn {
        let (steps, captures) = pawn_squares(piece.color, squares, fixed.all);
        men[number].squares |= steps;
        for square in captures {
            let is_taken = take_on(men, !piece.color, square);
            let is_passing = take_passing(men, !piece.color, square, passed);
            if is_taken || is_passing {
                men[number].squares |= Bitboard::from(square);
            }
        }
        return;
    }
    let mut reached = Bitboard::EMPTY;
    for square in squares {
        reached |= attacks::attacks(square, piece, fixed.all);
    }
    reached &= !fixed.sides[own] & !fixed.kings[other];
    if piece.role == Role::King {
        reached &= !fixed.guarded[other];
    }
    for square in reached {
        take_on(men, !piece.color, square);
    }
    men[number].squares |= reached;
}

/// Where the pawn of a side goes straight ahead from some squares, and where it captures.
fn pawn_squares(color: Color, from: Bitboard, fixed: Bitboard) -> (Bitboard, Bitboard) {
    let (mut steps, mut captures) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for square in from {
        captures |= attacks::pawn_attacks(color, square);
        let ahead = |square: Square| square.offset(color.fold_wb(8, -8));
        let free = |square: &Square| !fixed.contains(*square);
        let Some(one) = ahead(square).filter(free) else {
            continue;
        };
        steps |= Bitboard::from(one);
        if square.rank() == color.fold_wb(Rank::Second, Rank::Seventh)
            && let Some(two) = ahead(one).filter(free)
        {
            steps |= Bitboard::from(two);
        }
    }
    (steps, captures)
}

/// Makes the men of a side that may stand on a square takeable, but not its king; whether there is one.
fn take_on(men: &mut [Man], color: Color, square: Square) -> bool {
    let mut any = false;
    for man in men.iter_mut() {
        if man.piece.color == color && man.piece.role != Role::King && man.squares.contains(square)
        {
            man.takeable = true;
            any = true;
        }
    }
    any
}

/// Makes the pawns of a side takeable that may pass a square by a double step, or have just passed it; whether there is one.
fn take_passing(men: &mut [Man], color: Color, square: Square, passed: Bitboard) -> bool {
    let (first, beyond, rank) = match color {
        Color::White => (square.offset(-8), square.offset(8), Rank::Third),
        Color::Black => (square.offset(8), square.offset(-8), Rank::Sixth),
    };
    let (Some(first), Some(beyond), true) = (first, beyond, square.rank() == rank) else {
        return false;
    };
    let mut any = false;
    for man in men.iter_mut() {
        let steps_over = man.squares.contains(first) && man.squares.contains(beyond);
        let has_stepped = passed.contains(square) && man.squares.contains(beyond);
        if man.piece == color.pawn() && (steps_over || has_stepped) {
            man.takeable = true;
            any = true;
        }
    }
    any
}

/// Whether the king of a side cannot be mated.
fn is_safe(men: &[Man], fixed: &Fixed, color: Color) -> bool {
    let attacked_by = |man: &Man| {
        let from = man.squares.into_iter();
        from.fold(Bitboard::EMPTY, |set, square| {
            set | attacks::attacks(square, man.piece, fixed.all)
        })
    };
    let (mut checked, mut covered, mut blocked) =
        (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
    let mut king = Bitboard::EMPTY;
    for man in men {
        match (man.piece.color == color, man.piece.role == Role::King) {
            (true, true) => king = man.squares,
            (true, false) => blocked |= man.squares,
            (false, is_king) => {
                let attacked = attacked_by(man);
                covered |= attacked;
                if !is_king {
                    checked |= attacked;
                }
            }
        }
    }
    let escapes = !(covered | blocked);
    (king & checked)
        .into_iter()
        .all(|square| (attacks::king_attacks(square) & escapes).any())
}
