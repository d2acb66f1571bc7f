//! How the tuples of a class are written as numbers, and which of its images a tuple is named by.
//!
//! A *tuple* is the squares of the men in the order of the class, those of like men ascending, then the side to move.
//! Its *place* is the tuple read as digits: the white king's place among the squares where a canonical state can have
//! it, then 6 bits a man, then 1 bit for the side. Places are ordered as tuples are, and each is below
//! [`Layout::places`].
//!
//! The white king of a canonical state stands in a corner of the board that every square has an image in: on one of
//! ten squares without pawns (a1 b1 c1 d1 b2 c2 d2 c3 d3 d4), on files a to d with pawns. A tuple is therefore made
//! canonical by the symmetry that brings its king there. Where two do, which is on the diagonal from a1 to d4 without
//! pawns, the smaller of the two images is meant.
//!
//! Source: `docs/certificate-format.md`, *The states*.

use std::ops::Range;

use super::Square;
use super::class::{Class, MOST_MEN};
use super::man::Side;
use super::symmetry::Symmetry;

/// The squares of the men in the order of the class; behind the last man anything.
pub(super) type Squares = [Square; MOST_MEN];

/// A canonical placement of the men with a side to move, as a number: see the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place(u32);

impl Place {
    /// The place with a number.
    pub(super) fn from_index(index: usize) -> Place {
        Place(index as u32)
    }

    /// The number.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The side to move.
    pub(super) fn side(self) -> Side {
        match self.0 & 1 {
            0 => Side::White,
            _ => Side::Black,
        }
    }

    /// The same placement with the other side to move.
    pub(super) fn other_side(self) -> Place {
        Place(self.0 ^ 1)
    }

    /// The place with another square for the man whose digit begins at a bit.
    pub(super) fn with(self, bit: u32, square: Square) -> Place {
        Place(self.0 & !(63 << bit) | (square.index() as u32) << bit)
    }

    fn digit(self, bit: u32) -> Square {
        Square::from_low_bits((self.0 >> bit) as u16)
    }
}

/// The places of a class.
pub(super) struct Layout {
    men: usize,
    has_pawns: bool,
    /// The squares of the white king of canonical states, in order.
    kings: Vec<Square>,
    /// For each square of the white king: its images under the symmetry that brings it among `kings`, and its place
    /// there.
    to_king: Vec<(Images, u32)>,
    exchange: Images,
    /// The runs of like men in the order of the class.
    like: Vec<Range<usize>>,
}

/// Where a symmetry sends each square.
#[derive(Clone, Copy)]
pub(super) struct Images([Square; 64]);

impl Images {
    /// Where this symmetry sends each square.
    pub(super) fn of(symmetry: Symmetry) -> Images {
        let mut images = Square::all().map(|square| symmetry.image(square));
        Images(std::array::from_fn(|_| {
            images.next().expect("64 squares have 64 images")
        }))
    }

    /// Where the symmetry sends a square.
    pub(super) fn at(&self, square: Square) -> Square {
        let Images(images) = self;
        images[square.index()]
    }
}

impl Layout {
    /// The layout of a class.
    pub(super) fn of(class: &Class) -> Layout {
        let has_pawns = class.has_pawns();
        let smallest = |square| {
            let images = Symmetry::of(has_pawns).map(|symmetry| (symmetry.image(square), symmetry));
            images.min_by_key(|&(image, _)| image)
        };
        let kings: Vec<Square> = Square::all()
            .filter(|&square| smallest(square).is_some_and(|(image, _)| image == square))
            .collect();
        let to_king = Square::all().filter_map(smallest).map(|(image, symmetry)| {
            let place = kings.iter().position(|&king| king == image);
            let place = place.expect("the smallest image of a square is its own smallest image");
            (Images::of(symmetry), place as u32)
        });
        let to_king = to_king.collect();
        let men = class.men();
        let like = men.chunk_by(|man, next| man == next);
        let mut end = 0;
        let like = like.map(|run| {
            end += run.len();
            end - run.len()..end
        });
        Layout {
            men: men.len(),
            has_pawns,
            to_king,
            kings,
            exchange: Images::of(Symmetry::EXCHANGE),
            like: like.filter(|run| run.len() > 1).collect(),
        }
    }

    /// How many men stand on the board.
    pub(super) fn men(&self) -> usize {
        self.men
    }

    /// How many places there are.
    pub(super) fn places(&self) -> usize {
        (self.kings.len() << (6 * (self.men - 1))) * 2
    }

    /// The squares that the white king of a canonical state can stand on, in order.
    pub(super) fn kings(&self) -> &[Square] {
        &self.kings
    }

    /// Where in a place the square of a man begins; none for the white king, which is not stored as a square.
    pub(super) fn bit(&self, man: usize) -> Option<u32> {
        let behind = self.men.checked_sub(1 + man)?;
        (man > 0).then_some(6 * behind as u32 + 1)
    }

    /// Whether other men are like this one.
    pub(super) fn is_alike(&self, man: usize) -> bool {
        self.like.iter().any(|run| run.contains(&man))
    }

    /// The squares at a place.
    pub(super) fn squares(&self, place: Place) -> Squares {
        let king = place.index() >> (6 * (self.men - 1) + 1);
        let king = self.kings.get(king).copied().unwrap_or(Square::FIRST);
        let mut squares = [king; MOST_MEN];
        for (man, square) in squares.iter_mut().enumerate().skip(1) {
            if let Some(bit) = self.bit(man) {
                *square = place.digit(bit);
            }
        }
        squares
    }

    /// The exchange of files and ranks, if it leaves the white king of a canonical state where it is and is a
    /// symmetry of the class: then two placements are images of each other, and the smaller is meant.
    pub(super) fn reflection(&self, king: Square) -> Option<&Images> {
        (!self.has_pawns && king.file() == king.rank()).then_some(&self.exchange)
    }

    /// The place of the canonical image of a placement.
    pub(super) fn place(&self, squares: &Squares, to_move: Side) -> Option<Place> {
        let [king, ..] = *squares;
        let (images, king_place) = self.to_king.get(king.index())?;
        let image = squares.map(|square| images.at(square));
        let place = self.digits(*king_place, image, to_move);
        let [king, ..] = image;
        Some(match self.reflection(king) {
            None => place,
            Some(reflection) => {
                let reflected = image.map(|square| reflection.at(square));
                place.min(self.digits(*king_place, reflected, to_move))
            }
        })
    }

    /// The place of a placement, its white king on a canonical square and like men in order, if it is its own
    /// canonical image.
    pub(super) fn canonical_place(&self, squares: &Squares, to_move: Side) -> Option<Place> {
        let [king, ..] = *squares;
        let king_place = self.kings.binary_search(&king).ok()? as u32;
        let place = self.digits(king_place, *squares, to_move);
        let is_smaller = self.reflection(king).is_none_or(|reflection| {
            let reflected = squares.map(|square| reflection.at(square));
            place <= self.digits(king_place, reflected, to_move)
        });
        is_smaller.then_some(place)
    }

    /// The place of the reflection of a canonical state, if that names the same state: see [`Layout::reflection`].
    pub(super) fn reflected_place(&self, squares: &Squares, to_move: Side) -> Option<Place> {
        let [king, ..] = *squares;
        let reflection = self.reflection(king)?;
        let king_place = self.kings.binary_search(&king).ok()? as u32;
        let reflected = squares.map(|square| reflection.at(square));
        Some(self.digits(king_place, reflected, to_move))
    }

    /// How many images a square of the white king has.
    pub(super) fn images_of_king(&self, king: Square) -> u64 {
        let images = Symmetry::of(self.has_pawns).count() as u64;
        match self.reflection(king) {
            Some(_) => images / 2,
            None => images,
        }
    }

    fn digits(&self, king: u32, mut squares: Squares, to_move: Side) -> Place {
        for run in &self.like {
            if let Some(alike) = squares.get_mut(run.clone()) {
                alike.sort_unstable();
            }
        }
        let men = squares.iter().take(self.men).skip(1);
        let digits = men.fold(king, |digits, square| digits << 6 | square.index() as u32);
        Place(digits << 1 | u32::from(to_move == Side::Black))
    }
}
