//! The kinds of features: the registry, with what each means, what it costs and why it is the same for all images.

use shakmaty::attacks::king_attacks;
use shakmaty::{Role, Square};

use super::ManName;
use super::view::View;

/// Which men a feature is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The position as a whole.
    Position,
    /// Any man.
    Man,
    /// A king.
    King,
    /// A man that is no king.
    Piece,
    /// Any two men.
    Pair,
}

/// The signature languages: each has the features of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// The side to move, and whether the game is over.
    Material,
    /// Where men stand, and how far from each other, from edges and from corners.
    Distance,
    /// Lines, protection, attacks, room, opposition, mobility, coordinates.
    Relational,
}

/// What one value takes to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Arithmetic on squares.
    Arithmetic,
    /// Squares that men attack.
    Attacks,
    /// A walk of a king over the board.
    Walk,
    /// The legal moves.
    Moves,
}

/// Why a feature is the same for all images of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariance {
    /// Its definition names no direction of the board (beyond that of pawns, which symmetries keep).
    Directionless,
    /// It is read off the oriented placement, which all images share.
    Oriented,
}

/// A kind of feature.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Which men it is about.
    pub about: About,
    /// The first language that has it.
    pub language: Language,
    /// What a value takes to compute.
    pub effort: Effort,
    /// Why it is invariant.
    pub invariance: Invariance,
    /// What it is, in a few words; the format page has the definition.
    pub meaning: &'static str,
    pub(super) value: Value,
}

/// How a value is found. Men that are named are there.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Position(fn(&View) -> u8),
    Man(fn(&View, ManName) -> u8),
    Pair(fn(Gap) -> u8),
}

/// Two men, from the first to the second: files to the right and ranks upwards.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    right: i8,
    up: i8,
}

impl Gap {
    pub(super) fn of(from: Square, to: Square) -> Gap {
        let (x, y) = coordinates(from);
        let (to_x, to_y) = coordinates(to);
        Gap {
            right: to_x - x,
            up: to_y - y,
        }
    }

    fn files(self) -> u8 {
        self.right.unsigned_abs()
    }

    fn ranks(self) -> u8 {
        self.up.unsigned_abs()
    }

    fn distance(self) -> u8 {
        self.files().max(self.ranks())
    }
}

/// File and rank, 0 to 7.
fn coordinates(square: Square) -> (i8, i8) {
    let number = square.to_u32() as i8;
    (number % 8, number / 8)
}

/// A number that is not negative and small.
fn small(number: i8) -> u8 {
    number.max(0).unsigned_abs()
}

fn distance(a: Square, b: Square) -> u8 {
    Gap::of(a, b).distance()
}

/// How far a coordinate is from the nearer end.
fn margin(coordinate: i8) -> u8 {
    small(coordinate.min(7 - coordinate))
}

/// The margins of a square, by file and by rank.
fn margins(square: Square) -> (u8, u8) {
    let (x, y) = coordinates(square);
    (margin(x), margin(y))
}

fn edge(square: Square) -> u8 {
    let (x, y) = margins(square);
    x.min(y)
}

/// What is known of a man: its square.
fn at(view: &View, man: ManName) -> Square {
    view.square(man).unwrap_or(Square::A1)
}

/// The king of the same side, and that of the other side.
fn kings(view: &View, man: ManName) -> (Square, Square) {
    (view.king(man.is_white()), view.king(!man.is_white()))
}

/// The sides of the box that a man's file and rank leave to the other side's king.
fn sides_of_box(view: &View, man: ManName) -> (u8, u8) {
    let (x, y) = coordinates(at(view, man));
    let (king_x, king_y) = coordinates(kings(view, man).1);
    let side = |own: i8, king: i8| match own.cmp(&king) {
        std::cmp::Ordering::Greater => small(own),
        std::cmp::Ordering::Less => small(7 - own),
        std::cmp::Ordering::Equal => 8,
    };
    (side(x, king_x), side(y, king_y))
}

/// 0 if a number lies between two others, 1 if it is one of them, 2 if it lies beside them.
fn between(number: i8, one: i8, other: i8) -> u8 {
    small((number - one).signum() * (number - other).signum() + 1)
}

/// The promotion square of a pawn, the square before it, and how many ranks it has to go.
fn way(view: &View, man: ManName) -> Option<(Square, Square, u8)> {
    let is_pawn = view
        .piece(man)
        .is_some_and(|piece| piece.role == Role::Pawn);
    let square = at(view, man);
    let (x, y) = coordinates(square);
    let (last, step) = if man.is_white() { (7, 1) } else { (0, -1) };
    let on_file = |rank: i8| Square::new(u32::from(small(8 * rank.clamp(0, 7) + x)));
    is_pawn.then(|| (on_file(last), on_file(y + step), (last - y).unsigned_abs()))
}

macro_rules! kind {
    ($name:literal, $about:ident, $language:ident, $effort:ident, $invariance:ident, $meaning:literal, $value:expr) => {
        Kind {
            name: $name,
            about: About::$about,
            language: Language::$language,
            effort: Effort::$effort,
            invariance: Invariance::$invariance,
            meaning: $meaning,
            value: $value,
        }
    };
}

use Value::{Man, Pair, Position};

/// All kinds, in the order of the format page.
pub static KINDS: &[Kind] = &[
    kind!(
        "side",
        Position,
        Material,
        Arithmetic,
        Directionless,
        "the side to move",
        Position(|view| u8::from(view.turn.is_black()))
    ),
    kind!(
        "end",
        Position,
        Material,
        Moves,
        Directionless,
        "whether there is a legal move, or checkmate, or stalemate",
        Position(|view| match (view.moves, view.is_check()) {
            (0, true) => 1,
            (0, false) => 2,
            _ => 0,
        })
    ),
    kind!(
        "en_passant",
        Position,
        Distance,
        Arithmetic,
        Oriented,
        "the file of the en-passant square",
        Position(|view| view
            .en_passant
            .map_or(0, |square| 1 + small(coordinates(square).0)))
    ),
    kind!(
        "check",
        Position,
        Relational,
        Attacks,
        Directionless,
        "whether the side to move is in check",
        Position(|view| u8::from(view.is_check()))
    ),
    kind!(
        "moves",
        Position,
        Relational,
        Moves,
        Directionless,
        "how many legal moves there are",
        Position(|view| u8::try_from(view.moves).unwrap_or(u8::MAX))
    ),
    kind!(
        "file",
        Man,
        Distance,
        Arithmetic,
        Oriented,
        "the file",
        Man(|view, man| 1 + small(coordinates(at(view, man)).0))
    ),
    kind!(
        "rank",
        Man,
        Distance,
        Arithmetic,
        Oriented,
        "the rank",
        Man(|view, man| 1 + small(coordinates(at(view, man)).1))
    ),
    kind!(
        "edge",
        Man,
        Distance,
        Arithmetic,
        Directionless,
        "how far the nearest edge is",
        Man(|view, man| edge(at(view, man)))
    ),
    kind!(
        "corner",
        Man,
        Distance,
        Arithmetic,
        Directionless,
        "how far the nearest corner is",
        Man(|view, man| {
            let (x, y) = margins(at(view, man));
            x.max(y)
        })
    ),
    kind!(
        "distance",
        Pair,
        Distance,
        Arithmetic,
        Directionless,
        "how many king's moves apart",
        Pair(Gap::distance)
    ),
    kind!(
        "steps",
        Pair,
        Distance,
        Arithmetic,
        Directionless,
        "files and ranks apart together",
        Pair(|gap| gap.files() + gap.ranks())
    ),
    kind!(
        "files",
        Pair,
        Relational,
        Arithmetic,
        Oriented,
        "files apart",
        Pair(Gap::files)
    ),
    kind!(
        "ranks",
        Pair,
        Relational,
        Arithmetic,
        Oriented,
        "ranks apart",
        Pair(Gap::ranks)
    ),
    kind!(
        "opposition",
        Position,
        Relational,
        Arithmetic,
        Directionless,
        "whether the kings stand in opposition, or a knight's move apart",
        Position(|view| {
            let gap = Gap::of(view.king(true), view.king(false));
            match (gap.files().max(gap.ranks()), gap.files().min(gap.ranks())) {
                (2, 0) => 1,
                (2, 1) => 2,
                _ => 0,
            }
        })
    ),
    kind!(
        "kings_parity",
        Position,
        Relational,
        Arithmetic,
        Directionless,
        "whether the kings stand on squares of different colours",
        Position(|view| {
            let gap = Gap::of(view.king(true), view.king(false));
            (gap.files() + gap.ranks()) % 2
        })
    ),
    kind!(
        "room",
        King,
        Relational,
        Attacks,
        Directionless,
        "how many steps the king has",
        Man(|view, man| view.steps(man).count() as u8)
    ),
    kind!(
        "region",
        King,
        Relational,
        Walk,
        Directionless,
        "how many squares the king can get to",
        Man(|view, man| view.region(man).count() as u8)
    ),
    kind!(
        "protected",
        Piece,
        Relational,
        Attacks,
        Directionless,
        "by how many men",
        Man(|view, man| view.attackers(man.is_white(), at(view, man)) as u8)
    ),
    kind!(
        "attacked",
        Piece,
        Relational,
        Attacks,
        Directionless,
        "by how many men",
        Man(|view, man| view.attackers(!man.is_white(), at(view, man)) as u8)
    ),
    kind!(
        "loose",
        Piece,
        Relational,
        Attacks,
        Directionless,
        "whether it is attacked and not protected",
        Man(|view, man| {
            let square = at(view, man);
            let is_attacked = view.attackers(!man.is_white(), square) > 0;
            u8::from(is_attacked && view.attackers(man.is_white(), square) == 0)
        })
    ),
    kind!(
        "mobility",
        Piece,
        Relational,
        Attacks,
        Directionless,
        "how many squares it attacks",
        Man(|view, man| view.attacked_by(man).count() as u8)
    ),
    kind!(
        "siege",
        Man,
        Relational,
        Attacks,
        Directionless,
        "how many squares next to the other king it attacks",
        Man(|view, man| (view.attacked_by(man) & king_attacks(kings(view, man).1)).count() as u8)
    ),
    kind!(
        "files_between",
        Piece,
        Relational,
        Arithmetic,
        Oriented,
        "whether its file lies between those of the kings",
        Man(|view, man| {
            let (own, other) = kings(view, man);
            between(
                coordinates(at(view, man)).0,
                coordinates(own).0,
                coordinates(other).0,
            )
        })
    ),
    kind!(
        "ranks_between",
        Piece,
        Relational,
        Arithmetic,
        Oriented,
        "whether its rank lies between those of the kings",
        Man(|view, man| {
            let (own, other) = kings(view, man);
            between(
                coordinates(at(view, man)).1,
                coordinates(own).1,
                coordinates(other).1,
            )
        })
    ),
    kind!(
        "box",
        Piece,
        Relational,
        Arithmetic,
        Directionless,
        "the area that its file and rank leave to the other king",
        Man(|view, man| {
            let (x, y) = sides_of_box(view, man);
            x * y
        })
    ),
    kind!(
        "catch",
        Piece,
        Relational,
        Arithmetic,
        Directionless,
        "of a pawn: how far the other king is from where it promotes, against the ranks to go",
        Man(|view, man| {
            let (_, other) = kings(view, man);
            way(view, man).map_or(0, |(goal, _, ranks)| 8 + distance(other, goal) - ranks)
        })
    ),
    kind!(
        "escort",
        Piece,
        Relational,
        Arithmetic,
        Directionless,
        "of a pawn: how far its own king is from where it promotes",
        Man(|view, man| {
            let (own, _) = kings(view, man);
            way(view, man).map_or(0, |(goal, _, _)| distance(own, goal))
        })
    ),
    kind!(
        "block",
        Piece,
        Relational,
        Arithmetic,
        Directionless,
        "of a pawn: how far the other king is from the square before it",
        Man(|view, man| {
            let (_, other) = kings(view, man);
            way(view, man).map_or(0, |(_, next, _)| distance(other, next))
        })
    ),
    kind!(
        "lead",
        Piece,
        Relational,
        Arithmetic,
        Directionless,
        "of a pawn: how far its own king is from the square before it",
        Man(|view, man| {
            let (own, _) = kings(view, man);
            way(view, man).map_or(0, |(_, next, _)| distance(own, next))
        })
    ),
];
