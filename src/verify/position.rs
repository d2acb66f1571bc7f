//! A position on a board of 64 squares, and the rules of moving on it.
//!
//! Written from the definition: a man attacks the squares that it steps to; it may move to them unless a man of its
//! own side stands there; a move is legal if afterwards the mover's king is not attacked. A king that is attacked and
//! has no move is checkmated. With these men there is neither promotion nor castling nor en passant.
//!
//! Invariant: no two men stand on the same square.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 1.4, 3.1 and 3.9; `docs/certificate-format.md`, *The game*.

use std::fmt::{self, Display};
use std::iter;

use super::claim::{MEN, Material};
use super::man::{Kind, Man, Side};
use super::square::Step;
use super::symmetry::Symmetry;
use super::{Move, Square};

/// The squares of the men in the order of the material; none for a man that was captured.
pub(super) type Squares = [Option<Square>; MEN];

/// Room for the moves of most positions; a list that needs more grows.
const USUAL_MOVES: usize = 32;

/// A position: which man stands where, and who is to move.
pub(super) struct Position<'m> {
    material: &'m Material,
    squares: Squares,
    to_move: Side,
}

impl<'m> Position<'m> {
    /// The position with all men on the board; none if two stand on the same square.
    pub(super) fn new(
        material: &'m Material,
        squares: [Square; MEN],
        to_move: Side,
    ) -> Option<Position<'m>> {
        let [a, b, c] = squares;
        (a != b && a != c && b != c).then_some(Position {
            material,
            squares: squares.map(Some),
            to_move,
        })
    }

    /// The side to move.
    pub(super) fn side(&self) -> Side {
        self.to_move
    }

    /// Where a symmetry sends the position; the side to move stays.
    pub(super) fn image(&self, symmetry: Symmetry) -> Position<'m> {
        Position {
            squares: self.squares.map(|square| Some(symmetry.image(square?))),
            ..*self
        }
    }

    /// Whether this is a raw legal state: the kings not on neighbouring squares, and the king of the side not to move
    /// not attacked. The first is part of the second, since a king attacks its neighbouring squares.
    pub(super) fn is_raw_legal(&self) -> bool {
        !self.king_is_attacked(self.to_move.other())
    }

    /// Whether the king of the side to move is attacked.
    pub(super) fn in_check(&self) -> bool {
        self.king_is_attacked(self.to_move)
    }

    /// The legal moves of the side to move, each with the squares of the men after it.
    pub(super) fn legal_moves(&self) -> Vec<(Move, Squares)> {
        let mut moves = Vec::with_capacity(USUAL_MOVES);
        for (man, from) in self.men().filter(|(man, _)| man.side == self.to_move) {
            for &step in man.kind.steps() {
                for to in self.along(from, step, man.kind.slides()) {
                    if self.side_on(to) == Some(self.to_move) {
                        continue;
                    }
                    let after = self.after(from, to);
                    if !after.king_is_attacked(self.to_move) {
                        moves.push((Move::new(from, to), after.squares));
                    }
                }
            }
        }
        moves
    }

    /// The position after the man on one square went to another and captured what stood there.
    pub(super) fn after(&self, from: Square, to: Square) -> Position<'m> {
        let squares = self.squares.map(|square| match square? {
            square if square == from => Some(to),
            square if square == to => None,
            square => Some(square),
        });
        let to_move = self.to_move.other();
        Position {
            squares,
            to_move,
            ..*self
        }
    }

    /// The men on the board and their squares.
    fn men(&self) -> impl Iterator<Item = (Man, Square)> {
        let squares = self.squares.iter();
        iter::zip(self.material, squares).filter_map(|(&man, &square)| Some((man, square?)))
    }

    /// Which side has a man on a square.
    fn side_on(&self, square: Square) -> Option<Side> {
        let mut men = self.men();
        men.find_map(|(man, stands)| (stands == square).then_some(man.side))
    }

    /// Whether the king of a side stands on a square that a man of the other side attacks.
    fn king_is_attacked(&self, side: Side) -> bool {
        let kind = Kind::King;
        let mut men = self.men();
        let Some((_, king)) = men.find(|&(man, _)| man == Man { side, kind }) else {
            return false;
        };
        let mut men = self.men();
        men.any(|(man, from)| man.side != side && self.attacks(man.kind, from, king))
    }

    /// Whether a man on one square attacks another. A man that slides is followed along the only step that can lead
    /// there: its files and ranks are the signs of the differences.
    fn attacks(&self, kind: Kind, from: Square, to: Square) -> bool {
        let (files, ranks) = (to.file() - from.file(), to.rank() - from.rank());
        let step = (files.signum(), ranks.signum());
        let mut way = self.along(from, step, true);
        kind.aims_at(files, ranks) && (!kind.slides() || way.any(|square| square == to))
    }

    /// The squares that a man can step to one after the other: one, or if it slides, all up to the first man.
    fn along(&self, from: Square, step: Step, slides: bool) -> impl Iterator<Item = Square> {
        let mut ahead = from.step(step);
        iter::from_fn(move || {
            let here = ahead?;
            let goes_on = slides && !self.squares.contains(&Some(here));
            ahead = if goes_on { here.step(step) } else { None };
            Some(here)
        })
    }
}

/// The FEN of the position. The clocks are no part of a position and stand at their start.
impl Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let here = |&(_, square): &(Man, Square)| Square::at(file, rank) == Some(square);
                match self.men().find(here) {
                    None => empty += 1,
                    Some((man, _)) => {
                        write_empty(f, empty)?;
                        empty = 0;
                        write!(f, "{}", man.letter())?;
                    }
                }
            }
            write_empty(f, empty)?;
            f.write_str(if rank > 0 { "/" } else { "" })?;
        }
        f.write_str(match self.to_move {
            Side::White => " w - - 0 1",
            Side::Black => " b - - 0 1",
        })
    }
}

fn write_empty(f: &mut fmt::Formatter<'_>, squares: u8) -> fmt::Result {
    match squares {
        0 => Ok(()),
        _ => write!(f, "{squares}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::claim::material_of_endgame;
    use super::*;

    const KINDS: [Kind; 5] = [
        Kind::King,
        Kind::Queen,
        Kind::Rook,
        Kind::Bishop,
        Kind::Knight,
    ];

    fn material(name: &str) -> Material {
        material_of_endgame(&format!("endgame {name} board dtm")).unwrap()
    }

    fn square(name: &str) -> Square {
        Square::all()
            .find(|square| square.to_string() == name)
            .unwrap()
    }

    fn position<'m>(material: &'m Material, squares: &str, side: Side) -> Position<'m> {
        let squares: Vec<Square> = squares.split(' ').map(square).collect();
        Position::new(material, [squares[0], squares[1], squares[2]], side).unwrap()
    }

    fn moves(position: &Position) -> Vec<String> {
        let moves = position.legal_moves().into_iter();
        let mut moves: Vec<String> = moves.map(|(m, _)| m.to_string()).collect();
        moves.sort();
        moves
    }

    #[test]
    fn attacks_are_the_squares_that_a_man_steps_to() {
        // The two formulations of how men move, on boards with a blocker on every square.
        for kind in KINDS {
            let man = |side, kind| Man { side, kind };
            let material = [
                man(Side::White, kind),
                man(Side::Black, Kind::Knight),
                man(Side::White, kind),
            ];
            for from in Square::all() {
                for blocker in Square::all().filter(|&blocker| blocker != from) {
                    let squares = [Some(from), Some(blocker), None];
                    let to_move = Side::White;
                    let position = Position {
                        material: &material,
                        squares,
                        to_move,
                    };
                    let mut stepped: Vec<Square> = Vec::new();
                    for &step in kind.steps() {
                        stepped.extend(position.along(from, step, kind.slides()));
                    }
                    stepped.sort();
                    let other = Square::all().filter(|&to| to != from);
                    let attacked: Vec<Square> = other
                        .filter(|&to| position.attacks(kind, from, to))
                        .collect();
                    assert_eq!(stepped, attacked, "{kind:?} {from} {blocker}");
                }
            }
        }
    }

    #[test]
    fn men_move_as_they_do() {
        // Mobility on the empty board, summed over the squares: the classic numbers of each man.
        let sums = [420, 1456, 896, 560, 336];
        for (kind, sum) in iter::zip(KINDS, sums) {
            let material = [Man {
                side: Side::White,
                kind,
            }; MEN];
            let mut squares = 0;
            for from in Square::all() {
                let to_move = Side::White;
                let position = Position {
                    material: &material,
                    squares: [Some(from), None, None],
                    to_move,
                };
                squares += Square::all()
                    .filter(|&to| to != from && position.attacks(kind, from, to))
                    .count();
            }
            assert_eq!(squares, sum, "{kind:?}");
        }
    }

    #[test]
    fn a_king_may_not_step_into_attack_even_along_the_line_it_leaves() {
        let rook = material("KRK");
        let checked = position(&rook, "a1 e8 e4", Side::Black);
        assert!(checked.in_check() && checked.is_raw_legal());
        assert_eq!(
            moves(&checked),
            ["e4d3", "e4d4", "e4d5", "e4f3", "e4f4", "e4f5"]
        );
    }

    #[test]
    fn a_king_captures_what_is_not_defended() {
        let queen = material("KQK");
        let loose = position(&queen, "a1 e5 e4", Side::Black);
        assert_eq!(moves(&loose), ["e4d3", "e4e5", "e4f3"]);
        let capture = loose.after(square("e4"), square("e5"));
        assert_eq!(
            capture.squares,
            [Some(square("a1")), None, Some(square("e5"))]
        );
        assert_eq!(capture.to_string(), "8/8/8/4k3/8/8/8/K7 w - - 0 1");
        let defended = position(&queen, "d6 e5 e4", Side::Black);
        assert_eq!(moves(&defended), ["e4d3", "e4f3"]);
    }

    #[test]
    fn mate_stalemate_and_illegal_placements() {
        let queen = material("KQK");
        let mate = position(&queen, "c6 c7 c8", Side::Black);
        assert!(mate.in_check() && moves(&mate).is_empty());
        let stalemate = position(&queen, "h1 b6 a8", Side::Black);
        assert!(!stalemate.in_check() && moves(&stalemate).is_empty());
        assert!(!position(&queen, "c6 c7 c8", Side::White).is_raw_legal());
        assert!(!position(&queen, "a1 h8 b2", Side::Black).is_raw_legal());
        let [a1, b2] = [square("a1"), square("b2")];
        for squares in [[a1, a1, b2], [a1, b2, a1], [b2, a1, a1]] {
            assert!(Position::new(&queen, squares, Side::White).is_none());
        }
    }

    #[test]
    fn fens() {
        let queen = material("KQK");
        assert_eq!(
            position(&queen, "b3 c1 a1", Side::Black).to_string(),
            "8/8/8/8/8/1K6/8/k1Q5 b - - 0 1"
        );
        assert_eq!(
            position(&queen, "h8 a8 d8", Side::White).to_string(),
            "Q2k3K/8/8/8/8/8/8/8 w - - 0 1"
        );
    }
}
