//! The values of features, a function for each: what is read off a position in its oriented placement.
//!
//! A man is named by its place in the material. Attacks are those of the Laws, whoever is to move: a man attacks the squares
//! that it sees, and never its own.
//!
//! Source: `docs/certificate-format.md`, *Features*.

use std::cmp::Ordering;

use super::man::{Kind, Man, Side};
use super::oriented::Oriented;
use super::reach::{Reach, bit, squares_of};

impl Oriented<'_> {
    /// The file and the rank of a man, 0 to 7.
    fn coordinates(&self, man: usize) -> (u8, u8) {
        let square = self.position.square(man);
        (square % 8, square / 8)
    }

    /// How far a man is from the nearer edge, by files and by ranks.
    fn edge_distances(&self, man: usize) -> (u8, u8) {
        let (file, rank) = self.coordinates(man);
        (file.min(7 - file), rank.min(7 - rank))
    }

    /// The place of the king of the side of a man.
    fn own_king(&self, man: usize) -> usize {
        self.position.material.king(self.side_of(man))
    }

    /// The place of the king of the other side than a man's.
    fn other_king(&self, man: usize) -> usize {
        self.position.material.king(self.side_of(man).other())
    }

    /// How many steps of a king a man is from a square.
    fn distance_to(&self, man: usize, square: u8) -> u8 {
        let (file, rank) = self.coordinates(man);
        let (files, ranks) = (file.abs_diff(square % 8), rank.abs_diff(square / 8));
        files.max(ranks)
    }

    /// The way of a man that is a pawn.
    fn way(&self, man: usize) -> Option<Way> {
        let is_pawn = self.position.material.men().get(man)?.kind == Kind::Pawn;
        let (file, rank) = self.coordinates(man);
        let way = match self.side_of(man) {
            Side::White => Way {
                last: 8 * 7 + file,
                ranks: 7 - rank,
                next: 8 * (rank + 1) + file,
            },
            // It stands above the first rank.
            Side::Black => Way {
                last: file,
                ranks: rank,
                next: 8 * rank.saturating_sub(1) + file,
            },
        };
        is_pawn.then_some(way)
    }

    /// The files and the ranks of a man, of the king of its side and of that of the other side.
    fn with_kings(&self, man: usize) -> [(u8, u8); 3] {
        [man, self.own_king(man), self.other_king(man)].map(|man| self.coordinates(man))
    }

    /// How far two men are from each other, by files and by ranks.
    fn apart(&self, one: usize, other: usize) -> (u8, u8) {
        let [(file, rank), (other_file, other_rank)] =
            [one, other].map(|man| self.coordinates(man));
        (file.abs_diff(other_file), rank.abs_diff(other_rank))
    }

    /// The side of a man.
    fn side_of(&self, man: usize) -> Side {
        let men = self.position.material.men();
        men.get(man).map_or(Side::White, |man| man.side)
    }

    /// The squares that a man attacks with all men on the board, or all but one, by its place.
    fn attacked_by(&self, place: usize, man: Man, from: u8, but: Option<usize>) -> u64 {
        let others = self.position.men();
        let others = others.filter(|other| other.0 != place && Some(other.0) != but);
        Reach::get().sees(man, from, others.map(|other| other.2))
    }

    /// How many men of a side attack the square of a man.
    fn attackers(&self, man: usize, side: Side) -> u8 {
        let square = bit(self.position.square(man));
        let men = self.position.men().filter(|(_, man, _)| man.side == side);
        let attackers = men
            .filter(|&(place, man, from)| self.attacked_by(place, man, from, None) & square != 0);
        small(attackers.count())
    }

    /// The squares that a king may step to if they are next to it: those without a man of its own side that no man of the
    /// other side attacks when the king is not on the board.
    fn open_to(&self, king: usize) -> u64 {
        let side = self.side_of(king);
        let mut open = u64::MAX;
        for (place, man, square) in self.position.men().filter(|man| man.0 != king) {
            open &= match man.side == side {
                true => !bit(square),
                false => !self.attacked_by(place, man, square, Some(king)),
            };
        }
        open
    }
}

/// What a pawn has before it.
struct Way {
    /// The square where it promotes.
    last: u8,
    /// How many ranks it has to go there.
    ranks: u8,
    /// The square one rank further.
    next: u8,
}

/// The squares next to a square.
fn next_to(square: u8) -> u64 {
    let (side, kind) = (Side::White, Kind::King);
    Reach::get().aims(Man { side, kind }, square)
}

/// A count of something of which there are not many.
fn small(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// The size of a set of squares.
fn size(set: u64) -> u8 {
    small(set.count_ones() as usize)
}

/// Which side is to move.
pub(super) fn side(at: &Oriented) -> u8 {
    small(at.position.to_move.index())
}

/// Whether and how the game ends.
pub(super) fn end(at: &Oriented) -> u8 {
    match (moves(at), at.position.in_check()) {
        (1.., _) => 0,
        (0, true) => 1,
        (0, false) => 2,
    }
}

/// The file of the en-passant square, from 1.
pub(super) fn en_passant(at: &Oriented) -> u8 {
    at.position.en_passant.map_or(0, |square| 1 + square % 8)
}

/// The file of a man, from 1.
pub(super) fn file(at: &Oriented, man: usize) -> u8 {
    1 + at.coordinates(man).0
}

/// The rank of a man, from 1.
pub(super) fn rank(at: &Oriented, man: usize) -> u8 {
    1 + at.coordinates(man).1
}

/// How far a man is from the nearest edge.
pub(super) fn edge(at: &Oriented, man: usize) -> u8 {
    let (files, ranks) = at.edge_distances(man);
    files.min(ranks)
}

/// How many steps of a king a man is from the nearest corner.
pub(super) fn corner(at: &Oriented, man: usize) -> u8 {
    let (files, ranks) = at.edge_distances(man);
    files.max(ranks)
}

/// How many steps of a king two men are from each other.
pub(super) fn distance(at: &Oriented, one: usize, other: usize) -> u8 {
    let (files, ranks) = at.apart(one, other);
    files.max(ranks)
}

/// How many steps of a rook's way, square by square, two men are from each other.
pub(super) fn steps(at: &Oriented, one: usize, other: usize) -> u8 {
    let (files, ranks) = at.apart(one, other);
    files + ranks
}

/// By how many files two men are apart.
pub(super) fn files(at: &Oriented, one: usize, other: usize) -> u8 {
    at.apart(one, other).0
}

/// By how many ranks two men are apart.
pub(super) fn ranks(at: &Oriented, one: usize, other: usize) -> u8 {
    at.apart(one, other).1
}

/// How far the kings are from each other, by files and by ranks.
fn kings_apart(at: &Oriented) -> (u8, u8) {
    let [white, black] = Side::BOTH.map(|side| at.position.material.king(side));
    at.apart(white, black)
}

/// Whether the kings stand in opposition, or a knight's move apart.
pub(super) fn opposition(at: &Oriented) -> u8 {
    match kings_apart(at) {
        (2, 0) | (0, 2) => 1,
        (1, 2) | (2, 1) => 2,
        _ => 0,
    }
}

/// Whether the kings stand on squares of different colours: each step by a file or a rank changes the colour.
pub(super) fn kings_parity(at: &Oriented) -> u8 {
    let (files, ranks) = kings_apart(at);
    (files + ranks) % 2
}

/// Whether the king of the side to move is attacked.
pub(super) fn check(at: &Oriented) -> u8 {
    u8::from(at.position.in_check())
}

/// How many legal moves there are.
pub(super) fn moves(at: &Oriented) -> u8 {
    let mut count = 0;
    at.position.moves(|change| {
        count += usize::from(!at.position.is_unsafe(change));
    });
    small(count)
}

/// How many steps a king has.
pub(super) fn room(at: &Oriented, king: usize) -> u8 {
    size(next_to(at.position.square(king)) & at.open_to(king))
}

/// How many squares a king can get to while all other men stay where they are, its own included.
pub(super) fn region(at: &Oriented, king: usize) -> u8 {
    let open = at.open_to(king);
    let mut region = bit(at.position.square(king));
    loop {
        let around = squares_of(region).fold(0, |set, square| set | next_to(square));
        let larger = region | around & open;
        if larger == region {
            return size(region);
        }
        region = larger;
    }
}

/// How many men of its own side attack the square of a man.
pub(super) fn protected(at: &Oriented, man: usize) -> u8 {
    at.attackers(man, at.side_of(man))
}

/// How many men of the other side attack the square of a man.
pub(super) fn attacked(at: &Oriented, man: usize) -> u8 {
    at.attackers(man, at.side_of(man).other())
}

/// Whether a man is attacked and not protected.
pub(super) fn loose(at: &Oriented, man: usize) -> u8 {
    u8::from(attacked(at, man) > 0 && protected(at, man) == 0)
}

/// The squares that the man at a place attacks.
fn attacks(at: &Oriented, place: usize) -> u64 {
    let mut men = at.position.men().filter(|man| man.0 == place);
    let man = men.next();
    man.map_or(0, |(place, man, from)| {
        at.attacked_by(place, man, from, None)
    })
}

/// How many squares a man attacks.
pub(super) fn mobility(at: &Oriented, man: usize) -> u8 {
    size(attacks(at, man))
}

/// How many squares next to the other king a man attacks. (That king stands in the way of lines that go on behind it.)
pub(super) fn siege(at: &Oriented, man: usize) -> u8 {
    let king = at.position.square(at.other_king(man));
    size(attacks(at, man) & next_to(king))
}

/// Where a file or rank lies between two others: strictly between them, on one of them, or outside.
fn between(here: u8, one: u8, other: u8) -> u8 {
    let (low, high) = (one.min(other), one.max(other));
    match here {
        _ if low < here && here < high => 0,
        _ if here == low || here == high => 1,
        _ => 2,
    }
}

/// Where the file of a man lies between those of the kings.
pub(super) fn files_between(at: &Oriented, man: usize) -> u8 {
    let [here, own, other] = at.with_kings(man);
    between(here.0, own.0, other.0)
}

/// Where the rank of a man lies between those of the kings.
pub(super) fn ranks_between(at: &Oriented, man: usize) -> u8 {
    let [here, own, other] = at.with_kings(man);
    between(here.1, own.1, other.1)
}

/// How many files or ranks are left to a king on its side of a man; 8 if it stands on the same.
fn left_to(king: u8, man: u8) -> u8 {
    match king.cmp(&man) {
        Ordering::Less => man,
        Ordering::Equal => 8,
        Ordering::Greater => 7 - man,
    }
}

/// The size of the box that the lines through a man leave to the other king.
pub(super) fn boxed(at: &Oriented, man: usize) -> u8 {
    let [here, _, other] = at.with_kings(man);
    left_to(other.0, here.0) * left_to(other.1, here.1)
}

/// By how much the other king is late for the promotion of a pawn: 8 if it has as many steps as the pawn has ranks.
pub(super) fn catch(at: &Oriented, man: usize) -> u8 {
    at.way(man).map_or(0, |way| {
        8 + at.distance_to(at.other_king(man), way.last) - way.ranks
    })
}

/// How far the own king is from where a pawn promotes.
pub(super) fn escort(at: &Oriented, man: usize) -> u8 {
    let king = at.own_king(man);
    at.way(man).map_or(0, |way| at.distance_to(king, way.last))
}

/// How far the other king is from the square before a pawn.
pub(super) fn block(at: &Oriented, man: usize) -> u8 {
    let king = at.other_king(man);
    at.way(man).map_or(0, |way| at.distance_to(king, way.next))
}

/// How far the own king is from the square before a pawn.
pub(super) fn lead(at: &Oriented, man: usize) -> u8 {
    let king = at.own_king(man);
    at.way(man).map_or(0, |way| at.distance_to(king, way.next))
}
