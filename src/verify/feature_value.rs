//! The values of features, a function for each: what is read off a position in its oriented placement.
//!
//! A man is named by its place in the material. Attacks are those of the Laws, whoever is to move: a man attacks the squares
//! that it sees, and never its own.
//!
//! Source: `docs/certificate-format.md`, *Features*.

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

/// How many squares a man attacks.
pub(super) fn mobility(at: &Oriented, place: usize) -> u8 {
    let mut men = at.position.men().filter(|man| man.0 == place);
    let man = men.next();
    man.map_or(0, |(place, man, from)| {
        size(at.attacked_by(place, man, from, None))
    })
}
