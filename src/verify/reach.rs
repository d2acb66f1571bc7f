//! What a man reaches from each square of an otherwise empty board: found once, by stepping.
//!
//! A man *aims* at the squares that it steps to, and a pawn at the two in front of it. Of these it sees those that are not
//! *behind* another man: on a line through its own square, beyond that man. Sets of squares are `u64`s with a bit for each
//! square.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 3.2 to 3.8.1.

use std::iter;
use std::sync::LazyLock;

use super::Square;
use super::man::{Kind, Man, Side};

/// The tables.
pub(super) struct Reach {
    aims: [[u64; 64]; 7],
    behind: [[u64; 64]; 64],
    between: [[u64; 64]; 64],
}

static REACH: LazyLock<Box<Reach>> = LazyLock::new(|| Box::new(Reach::new()));

/// The light squares: b1, a2, and so on.
pub(super) const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;

/// The set of one square.
pub(super) fn bit(square: u8) -> u64 {
    1 << (square & 63)
}

/// The squares of a set in ascending order.
pub(super) fn squares_of(mut set: u64) -> impl Iterator<Item = u8> {
    iter::from_fn(move || {
        let square = (set != 0).then_some(set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        square
    })
}

impl Reach {
    /// The tables, made when they are first asked for.
    pub(super) fn get() -> &'static Reach {
        &REACH
    }

    fn new() -> Reach {
        let mut reach = Reach {
            aims: [[0; 64]; 7],
            behind: [[0; 64]; 64],
            between: [[0; 64]; 64],
        };
        use Kind::{Bishop, King, Knight, Queen, Rook};
        for from in Square::all() {
            for kind in [King, Queen, Rook, Bishop, Knight] {
                for &step in kind.steps() {
                    let way = iter::successors(from.step(step), |here| here.step(step));
                    let length = if kind.slides() { 7 } else { 1 };
                    reach.walk(kind, from, way.take(length));
                }
            }
            for (table, ahead) in [(5, 1), (6, -1)] {
                let targets = [-1, 1].map(|side| from.step((side, ahead)));
                let targets = targets.into_iter().flatten();
                reach.aims[table][from.index()] =
                    targets.fold(0, |aims, to| aims | bit(to.number()));
            }
        }
        reach
    }

    /// Follows a man in one direction.
    fn walk(&mut self, kind: Kind, from: Square, way: impl Iterator<Item = Square>) {
        let mut passed = 0;
        for to in way {
            self.aims[kind as usize][from.index()] |= bit(to.number());
            self.between[from.index()][to.index()] = passed;
            for blocker in squares_of(passed) {
                self.behind[from.index()][usize::from(blocker)] |= bit(to.number());
            }
            passed |= bit(to.number());
        }
    }

    /// The squares that a man aims at.
    pub(super) fn aims(&self, man: Man, from: u8) -> u64 {
        let table = match man {
            Man {
                kind: Kind::Pawn,
                side: Side::Black,
            } => 6,
            man => man.kind as usize,
        };
        let aims = self.aims.get(table);
        aims.map_or(0, |aims| aims[usize::from(from & 63)])
    }

    /// The squares from which such a man aims at a square: men go back the way they came, and a pawn comes from where one
    /// of the other side would go.
    pub(super) fn aiming(&self, side: Side, kind: Kind, to: u8) -> u64 {
        let side = side.other();
        self.aims(Man { side, kind }, to)
    }

    /// Of the squares that a man aims at those that it sees when there are others on the board.
    pub(super) fn sees(&self, man: Man, from: u8, others: impl Iterator<Item = u8>) -> u64 {
        let behind = &self.behind[usize::from(from & 63)];
        let hidden = others.fold(0, |hidden, other| hidden | behind[usize::from(other & 63)]);
        self.aims(man, from) & !hidden
    }

    /// The squares on a line between two.
    pub(super) fn between(&self, from: u8, to: u8) -> u64 {
        self.between[usize::from(from & 63)][usize::from(to & 63)]
    }

    /// Whether a man attacks a square on a board with men on these squares.
    pub(super) fn attacks(&self, man: Man, from: u8, to: u8, occupied: u64) -> bool {
        self.aims(man, from) & bit(to) != 0 && self.between(from, to) & occupied == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_move_as_they_do() {
        // Mobility on the empty board, summed over the squares: the classic numbers of each man.
        use Kind::{Bishop, King, Knight, Pawn, Queen, Rook};
        let sums = [
            (King, 420),
            (Queen, 1456),
            (Rook, 896),
            (Bishop, 560),
            (Knight, 336),
        ];
        let reach = Reach::get();
        for (kind, sum) in sums {
            let side = Side::Black;
            let aims = (0..64).map(|from| reach.aims(Man { side, kind }, from));
            assert_eq!(aims.map(u64::count_ones).sum::<u32>(), sum);
        }
        let pawn = |side, from| reach.aims(Man { side, kind: Pawn }, from);
        assert_eq!(pawn(Side::White, 8), bit(17));
        assert_eq!(pawn(Side::White, 12), bit(19) | bit(21));
        assert_eq!(pawn(Side::Black, 39), bit(30));
    }

    #[test]
    fn attacks_are_what_the_laws_say() {
        // The definition: differences of files and ranks, and on a line no man between.
        let reach = Reach::get();
        let lines = [(0, 0, true, true), (1, 1, true, false), (2, 2, false, true)];
        for (kind, (_, _, straight, diagonal)) in [Kind::Queen, Kind::Rook, Kind::Bishop]
            .into_iter()
            .zip(lines)
        {
            let man = Man {
                side: Side::White,
                kind,
            };
            for from in 0..64u8 {
                for to in (0..64u8).filter(|&to| to != from) {
                    let files = (to % 8) as i8 - (from % 8) as i8;
                    let ranks = (to / 8) as i8 - (from / 8) as i8;
                    let on_line = straight && (files == 0 || ranks == 0)
                        || diagonal && files.abs() == ranks.abs();
                    assert_eq!(reach.attacks(man, from, to, bit(from) | bit(to)), on_line);
                    let steps = files.abs().max(ranks.abs());
                    for blocker in 0..64u8 {
                        let between = (1..steps).any(|i| {
                            let file = (from % 8) as i8 + files.signum() * i;
                            let rank = (from / 8) as i8 + ranks.signum() * i;
                            blocker as i8 == 8 * rank + file
                        });
                        let seen = reach.attacks(man, from, to, bit(blocker));
                        assert_eq!(seen, on_line && !between);
                        if on_line && blocker != from {
                            let seen = reach.sees(man, from, [blocker].into_iter());
                            assert_eq!(seen & bit(to) == 0, between);
                        }
                    }
                }
            }
        }
    }
}
