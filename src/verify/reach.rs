//! What a man reaches from each square of an otherwise empty board: found once, by stepping.
//!
//! A *way* is the squares that a man comes to one after the other in one direction; a king and a knight have ways of one
//! square. A man *aims* at the squares of its ways, and a pawn at the two in front of it; whether it attacks them also
//! depends on what stands *between*. Sets of squares are `u64`s with a bit for each square.
//!
//! Source: Laws of Chess (FIDE Handbook E.01), articles 3.2 to 3.8.1.

use std::sync::LazyLock;

use super::Square;
use super::man::{Kind, Man, Side};

/// The squares of a way, in order; the first `length` count.
#[derive(Clone, Copy, Default)]
pub(super) struct Way {
    squares: [u8; 7],
    length: usize,
}

impl Way {
    /// The squares in the order in which the man comes to them.
    pub(super) fn squares(&self) -> &[u8] {
        self.squares.get(..self.length).unwrap_or_default()
    }
}

/// The tables.
pub(super) struct Reach {
    ways: [[[Way; 8]; 64]; 5],
    aims: [[u64; 64]; 7],
    between: [[u64; 64]; 64],
}

static REACH: LazyLock<Box<Reach>> = LazyLock::new(|| Box::new(Reach::new()));

/// The set of one square.
pub(super) fn bit(square: u8) -> u64 {
    1 << (square & 63)
}

impl Reach {
    /// The tables, made when they are first asked for.
    pub(super) fn get() -> &'static Reach {
        &REACH
    }

    fn new() -> Reach {
        let mut reach = Reach {
            ways: [[[Way::default(); 8]; 64]; 5],
            aims: [[0; 64]; 7],
            between: [[0; 64]; 64],
        };
        use Kind::{Bishop, King, Knight, Queen, Rook};
        for kind in [King, Queen, Rook, Bishop, Knight] {
            for from in Square::all() {
                reach.walk(kind, from);
            }
        }
        for (table, ahead) in [(5, 1), (6, -1)] {
            for from in Square::all() {
                let targets = [-1, 1]
                    .into_iter()
                    .filter_map(|side| from.step((side, ahead)));
                let aims = targets.fold(0, |aims, to| aims | bit(to.number()));
                reach.aims[table][from.index()] = aims;
            }
        }
        reach
    }

    fn walk(&mut self, kind: Kind, from: Square) {
        let table = kind as usize;
        for (&step, way) in kind.steps().iter().zip(&mut self.ways[table][from.index()]) {
            let mut passed = 0;
            let mut here = from;
            while let Some(next) = here.step(step) {
                way.squares[way.length] = next.number();
                way.length += 1;
                self.aims[table][from.index()] |= bit(next.number());
                if !kind.slides() {
                    break;
                }
                self.between[from.index()][next.index()] = passed;
                passed |= bit(next.number());
                here = next;
            }
        }
    }

    /// The ways of a king or a piece; those that its kind does not have are empty, as all of a pawn's are.
    pub(super) fn ways(&self, kind: Kind, from: u8) -> &[Way] {
        let ways = self.ways.get(kind as usize);
        ways.map_or(&[], |ways| ways[usize::from(from & 63)].as_slice())
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

    /// Whether a man attacks a square on a board with men on these squares.
    pub(super) fn attacks(&self, man: Man, from: u8, to: u8, occupied: u64) -> bool {
        let way = self.between[usize::from(from & 63)][usize::from(to & 63)];
        self.aims(man, from) & bit(to) != 0 && (!man.kind.slides() || way & occupied == 0)
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
            let squares = 0..64;
            let ways = squares.clone().flat_map(|from| reach.ways(kind, from));
            assert_eq!(ways.map(|way| way.squares().len()).sum::<usize>(), sum);
            let aims = squares.map(|from| reach.aims(Man { side, kind }, from));
            assert_eq!(aims.map(u64::count_ones).sum::<u32>(), sum as u32);
        }
        let pawn = |side, from| reach.aims(Man { side, kind: Pawn }, from);
        assert_eq!(pawn(Side::White, 8), bit(17));
        assert_eq!(pawn(Side::White, 12), bit(19) | bit(21));
        assert_eq!(pawn(Side::Black, 39), bit(30));
        assert!(reach.ways(Pawn, 8).is_empty());
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
                    }
                }
            }
        }
    }
}
