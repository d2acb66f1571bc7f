//! The kinds of features: the registry, with what each means, what it costs and why it is the same for all images.

use shakmaty::attacks::{attacks, king_attacks};
use shakmaty::{Role, Square};

use super::ManName;
use super::view::{TOO_FAR, View};

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

/// The empty squares that a man attacks.
fn free_targets(view: &View, man: ManName) -> impl Iterator<Item = Square> + use<> {
    (view.attacked_by(man) & !view.occupied()).into_iter()
}

/// Whether a square is not next to the other side's king, or is next to the own king.
fn is_safe(view: &View, man: ManName, square: Square) -> bool {
    let (own, other) = kings(view, man);
    !king_attacks(other).contains(square) || king_attacks(own).contains(square)
}

/// Whether a man that stood on another square would attack the other side's king.
fn would_check(view: &View, man: ManName, square: Square) -> bool {
    let occupied = view.occupied().without(at(view, man));
    let (_, king) = kings(view, man);
    view.piece(man)
        .is_some_and(|piece| attacks(square, piece, occupied).contains(king))
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

/// The squares of a region, those that a king reaches in so many steps.
fn squares_within(view: &View, king: ManName, most: u8) -> u8 {
    let squares = view.region(king).filter(|&(_, steps)| steps <= most);
    squares.count() as u8
}

/// The fewest steps to one of some squares.
fn steps_to(view: &View, king: ManName, squares: impl Iterator<Item = Square>) -> u8 {
    let steps = squares.map(|square| view.walks_to(king, square));
    steps.min().unwrap_or(TOO_FAR)
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
        "margins",
        Man,
        Distance,
        Arithmetic,
        Directionless,
        "how far the two nearest edges are together",
        Man(|view, man| {
            let (x, y) = margins(at(view, man));
            x + y
        })
    ),
    kind!(
        "difference",
        Man,
        Relational,
        Arithmetic,
        Oriented,
        "the diagonal",
        Man(|view, man| {
            let (x, y) = coordinates(at(view, man));
            small(8 + x - y)
        })
    ),
    kind!(
        "sum",
        Man,
        Relational,
        Arithmetic,
        Oriented,
        "the other diagonal",
        Man(|view, man| {
            let (x, y) = coordinates(at(view, man));
            small(1 + x + y)
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
        "shorter",
        Pair,
        Distance,
        Arithmetic,
        Directionless,
        "files or ranks apart, the fewer",
        Pair(|gap| gap.files().min(gap.ranks()))
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
        "right",
        Pair,
        Relational,
        Arithmetic,
        Oriented,
        "how far the second is to the right",
        Pair(|gap| small(8 + gap.right))
    ),
    kind!(
        "up",
        Pair,
        Relational,
        Arithmetic,
        Oriented,
        "how far the second is above",
        Pair(|gap| small(8 + gap.up))
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
        "opposing",
        Position,
        Relational,
        Arithmetic,
        Directionless,
        "how far White's king is from a square in opposition",
        Position(|view| {
            let (white, black) = (view.king(true), view.king(false));
            let opposing = Square::ALL.into_iter().filter(|&square| {
                let gap = Gap::of(square, black);
                gap.files() + gap.ranks() == 2 && gap.distance() == 2
            });
            opposing
                .map(|square| distance(square, white))
                .min()
                .unwrap_or(0)
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
        "near_region",
        King,
        Relational,
        Walk,
        Directionless,
        "how many squares the king can get to in two steps",
        Man(|view, man| squares_within(view, man, 2))
    ),
    kind!(
        "region",
        King,
        Relational,
        Walk,
        Directionless,
        "how many squares the king can get to",
        Man(|view, man| squares_within(view, man, TOO_FAR))
    ),
    kind!(
        "inland",
        King,
        Relational,
        Walk,
        Directionless,
        "how far from the edges the king can get",
        Man(|view, man| view
            .region(man)
            .map(|(square, _)| edge(square))
            .max()
            .unwrap_or(0))
    ),
    kind!(
        "longest_walk",
        King,
        Relational,
        Walk,
        Directionless,
        "how many steps the farthest of these squares takes",
        Man(|view, man| view.region(man).map(|(_, steps)| steps).max().unwrap_or(0))
    ),
    kind!(
        "rim",
        King,
        Relational,
        Walk,
        Directionless,
        "how many squares of an edge the king can get to",
        Man(|view, man| view
            .region(man)
            .filter(|&(square, _)| edge(square) == 0)
            .count() as u8)
    ),
    kind!(
        "approach",
        King,
        Relational,
        Walk,
        Directionless,
        "how near the king can get to the other one",
        Man(|view, man| {
            let (_, other) = kings(view, man);
            view.region(man)
                .map(|(square, _)| distance(square, other))
                .min()
                .unwrap_or(0)
        })
    ),
    kind!(
        "corner_walk",
        King,
        Relational,
        Walk,
        Directionless,
        "how many steps the king needs to a corner",
        Man(|view, man| {
            let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
            steps_to(view, man, corners.into_iter())
        })
    ),
    kind!(
        "centre_walk",
        King,
        Relational,
        Walk,
        Directionless,
        "how many steps the king needs to the centre",
        Man(|view, man| {
            let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
            steps_to(view, man, centre.into_iter())
        })
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
        "safe",
        Piece,
        Relational,
        Attacks,
        Directionless,
        "how many empty squares it attacks that no king of the other side guards alone",
        Man(|view, man| free_targets(view, man)
            .filter(|&square| is_safe(view, man, square))
            .count() as u8)
    ),
    kind!(
        "checks",
        Piece,
        Relational,
        Attacks,
        Directionless,
        "from how many of the empty squares that it attacks it would check",
        Man(|view, man| free_targets(view, man)
            .filter(|&square| would_check(view, man, square))
            .count() as u8)
    ),
    kind!(
        "safe_checks",
        Piece,
        Relational,
        Attacks,
        Directionless,
        "from how many of them safely",
        Man(|view, man| {
            let good =
                |square: &Square| is_safe(view, man, *square) && would_check(view, man, *square);
            free_targets(view, man).filter(good).count() as u8
        })
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
        "short_side",
        Piece,
        Relational,
        Arithmetic,
        Directionless,
        "the shorter side of that box",
        Man(|view, man| {
            let (x, y) = sides_of_box(view, man);
            x.min(y)
        })
    ),
    kind!(
        "long_side",
        Piece,
        Relational,
        Arithmetic,
        Directionless,
        "the longer side of that box",
        Man(|view, man| {
            let (x, y) = sides_of_box(view, man);
            x.max(y)
        })
    ),
    kind!(
        "race",
        Piece,
        Relational,
        Arithmetic,
        Directionless,
        "how much nearer its own king is than the other one",
        Man(|view, man| {
            let (own, other) = kings(view, man);
            let square = at(view, man);
            8 + distance(square, other) - distance(square, own)
        })
    ),
    kind!(
        "inner",
        Piece,
        Relational,
        Arithmetic,
        Directionless,
        "how far its own king is from the square next to it towards the other king",
        Man(|view, man| {
            let (own, other) = kings(view, man);
            let square = at(view, man);
            let (x, y) = coordinates(square);
            let gap = Gap::of(square, other);
            let inner = 8 * (y + gap.up.signum()) + x + gap.right.signum();
            distance(Square::new(u32::from(small(inner))), own)
        })
    ),
    kind!(
        "hunt",
        Piece,
        Relational,
        Walk,
        Directionless,
        "how many steps the other king needs to stand next to it",
        Man(|view, man| {
            let hunter = match man.is_white() {
                true => ManName::BLACK_KING,
                false => ManName::WHITE_KING,
            };
            steps_to(view, hunter, king_attacks(at(view, man)).into_iter())
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
