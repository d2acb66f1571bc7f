//! The list of features: how they are written, of which men they are, and which function gives their value.
//!
//! A feature is known by its number in the list. It is looked up by its name once, when a tree is read; and of a vertex it
//! has one value, which is found when it is first asked for. The order of the list means nothing to a certificate.
//!
//! To add a feature is to add its name and its function to one of the three lists below.
//!
//! Source: `docs/certificate-format.md`, *Features*.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::feature_value as value;
use super::man::Side;
use super::oriented::Oriented;
use super::position::Position;

/// The features of a vertex as a whole.
const OF_VERTICES: [(&str, OfVertex); 7] = [
    ("side", value::side),
    ("end", value::end),
    ("en_passant", value::en_passant),
    ("check", value::check),
    ("moves", value::moves),
    ("opposition", value::opposition),
    ("kings_parity", value::kings_parity),
];

/// The features of a man.
const OF_MEN: [(&str, Which, OfMan); 18] = [
    ("file", Which::All, value::file),
    ("rank", Which::All, value::rank),
    ("edge", Which::All, value::edge),
    ("corner", Which::All, value::corner),
    ("room", Which::Kings, value::room),
    ("region", Which::Kings, value::region),
    ("protected", Which::Others, value::protected),
    ("attacked", Which::Others, value::attacked),
    ("loose", Which::Others, value::loose),
    ("mobility", Which::Others, value::mobility),
    ("siege", Which::All, value::siege),
    ("files_between", Which::Others, value::files_between),
    ("ranks_between", Which::Others, value::ranks_between),
    ("box", Which::Others, value::boxed),
    ("catch", Which::Others, value::catch),
    ("escort", Which::Others, value::escort),
    ("block", Which::Others, value::block),
    ("lead", Which::Others, value::lead),
];

/// The features of two men.
const OF_PAIRS: [(&str, OfPair); 4] = [
    ("distance", value::distance),
    ("steps", value::steps),
    ("files", value::files),
    ("ranks", value::ranks),
];

/// The men in the order in which two of them are named.
const MEN: [Named; 6] = [
    Named::new("wK", Side::White, 0),
    Named::new("w1", Side::White, 1),
    Named::new("w2", Side::White, 2),
    Named::new("w3", Side::White, 3),
    Named::new("bK", Side::Black, 0),
    Named::new("b1", Side::Black, 1),
];

/// The value of a position; for a man or two, by their places in the material.
type OfVertex = fn(&Oriented) -> u8;
type OfMan = fn(&Oriented, usize) -> u8;
type OfPair = fn(&Oriented, usize, usize) -> u8;

/// For which men there is a feature.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    Kings,
    /// All but kings.
    Others,
}

/// A man by its name: which one of its side, the king being the first.
#[derive(Clone, Copy)]
struct Named {
    name: &'static str,
    side: Side,
    number: usize,
}

impl Named {
    const fn new(name: &'static str, side: Side, number: usize) -> Named {
        Named { name, side, number }
    }

    /// Whether a feature of such men is one of this man.
    fn is_of(self, which: Which) -> bool {
        match which {
            Which::All => true,
            Which::Kings => self.number == 0,
            Which::Others => self.number != 0,
        }
    }
}

/// A feature.
#[derive(Clone, Copy)]
enum Feature {
    Vertex(OfVertex),
    Man(OfMan, Named),
    Pair(OfPair, Named, Named),
}

impl Feature {
    /// The value at a position: 0 if a man is not there.
    fn value(self, at: &Oriented) -> u8 {
        let place = |man: Named| at.place(man.side, man.number);
        match self {
            Feature::Vertex(value) => value(at),
            Feature::Man(value, man) => place(man).map_or(0, |man| value(at, man)),
            Feature::Pair(value, one, other) => match (place(one), place(other)) {
                (Some(one), Some(other)) => value(at, one, other),
                _ => 0,
            },
        }
    }
}

/// All features with the numbers of their names.
struct Features {
    list: Vec<Feature>,
    numbers: BTreeMap<String, u16>,
}

static FEATURES: LazyLock<Features> = LazyLock::new(Features::new);

impl Features {
    fn new() -> Features {
        let mut features = Features {
            list: Vec::new(),
            numbers: BTreeMap::new(),
        };
        for (name, value) in OF_VERTICES {
            features.add(name.to_string(), Feature::Vertex(value));
        }
        for (name, which, value) in OF_MEN {
            for man in MEN.into_iter().filter(|man| man.is_of(which)) {
                features.add(format!("{name} {}", man.name), Feature::Man(value, man));
            }
        }
        for (name, value) in OF_PAIRS {
            for (place, one) in MEN.into_iter().enumerate() {
                for other in MEN.into_iter().skip(place + 1) {
                    let name = format!("{name} {} {}", one.name, other.name);
                    features.add(name, Feature::Pair(value, one, other));
                }
            }
        }
        features
    }

    fn add(&mut self, name: String, feature: Feature) {
        self.numbers.insert(name, self.list.len() as u16);
        self.list.push(feature);
    }
}

/// The number of the feature with a name; none if it is not in the list.
pub(super) fn number_of(name: &str) -> Option<u16> {
    FEATURES.numbers.get(name).copied()
}

/// The values of the features at one position after another. The room for them is made once.
pub(super) struct Values {
    known: Vec<Option<u8>>,
}

impl Values {
    pub(super) fn new() -> Values {
        Values {
            known: vec![None; FEATURES.list.len()],
        }
    }

    /// The values at a position, none of which is known yet.
    pub(super) fn at<'v>(&'v mut self, position: &Position<'v>) -> ValuesAt<'v> {
        self.known.fill(None);
        ValuesAt {
            known: &mut self.known,
            at: Oriented::of(position),
        }
    }
}

/// The values of the features at a position.
pub(super) struct ValuesAt<'v> {
    known: &'v mut [Option<u8>],
    at: Oriented<'v>,
}

impl ValuesAt<'_> {
    /// The value of the feature with a number.
    pub(super) fn of(&mut self, number: u16) -> u8 {
        let number = usize::from(number);
        let (Some(known), Some(feature)) = (self.known.get_mut(number), FEATURES.list.get(number))
        else {
            return 0;
        };
        *known.get_or_insert_with(|| feature.value(&self.at))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::fen::Fen;
    use super::super::material::Material;
    use super::super::squares::Squares;
    use super::super::symmetry::Symmetry;
    use super::*;

    /// The names of all features.
    pub(in super::super) fn names() -> Vec<&'static str> {
        FEATURES.numbers.keys().map(String::as_str).collect()
    }

    /// The value of a feature at a position.
    pub(in super::super) fn value_of(name: &str, position: &Position) -> u8 {
        let mut values = Values::new();
        values.at(position).of(number_of(name).unwrap())
    }

    #[test]
    fn the_names_are_those_of_the_page() {
        let page = include_page();
        let section = page.split("### Features").nth(1).unwrap();
        let section = section.split("### Payload").next().unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        let men: Vec<&str> = MEN.iter().map(|man| man.name).collect();
        let mut wanted = Vec::new();
        let mut kinds = 0;
        for row in rows {
            let (name, rest) = row.split_once("` | ").unwrap();
            let (of, _) = rest.split_once(" | ").unwrap();
            let (kings, others): (Vec<&str>, Vec<&str>) =
                men.iter().partition(|man| man.ends_with('K'));
            let (name, named) = match (of, name.split(' ').collect::<Vec<_>>().as_slice()) {
                ("the position", &[name]) => {
                    wanted.push(name.to_string());
                    (name, Vec::new())
                }
                ("every man", &[name, "m"]) => (name, men.clone()),
                ("every king", &[name, "m"]) => (name, kings),
                ("every man but kings", &[name, "m"]) => (name, others),
                ("every two men", &[name, "m", "n"]) => {
                    for (place, one) in men.iter().enumerate() {
                        let others = men[place + 1..].iter();
                        wanted.extend(others.map(|other| format!("{name} {one} {other}")));
                    }
                    (name, Vec::new())
                }
                _ => panic!("{row}"),
            };
            wanted.extend(named.iter().map(|man| format!("{name} {man}")));
            kinds += 1;
        }
        assert_eq!(kinds, 29);
        wanted.sort();
        assert_eq!(names(), wanted);
        assert_eq!(names().len(), 7 + 5 * 6 + 2 * 2 + 11 * 4 + 4 * 15);
        for name in [
            "",
            "leaf",
            "Side",
            "side ",
            " side",
            "side wK",
            "file",
            "file w0",
            "file w4",
            "file b2",
            "file  wK",
            "file wK ",
            "file wK w1",
            "room w1",
            "region b1",
            "protected wK",
            "attacked bK",
            "mobility bK",
            "distance wK",
            "distance wK wK",
            "distance bK wK",
            "distance w1 wK",
            "distance b1 bK",
            "distance wK bK w1",
            "files bK wK",
            "ranks",
            "opposition wK",
            "opposition wK bK",
            "kings_parity bK",
            "kings parity",
            "loose wK",
            "siege",
            "siege w1 bK",
            "files_between bK",
            "box wK",
            "boxed w1",
            "catch bK",
            "block w4",
        ] {
            assert_eq!(number_of(name), None, "{name}");
        }
        let mut numbers: Vec<u16> = names().iter().filter_map(|name| number_of(name)).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..FEATURES.list.len() as u16));
    }

    /// The format page.
    fn include_page() -> String {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/certificate-format.md");
        std::fs::read_to_string(page).unwrap()
    }

    /// The class of the men of a position, their squares in its order, the side to move, and the en-passant square.
    fn placed(fen: &str) -> (Material, Squares, Side, Option<u8>) {
        let words: Vec<&str> = fen.split(' ').collect();
        let fen = Fen::with_castling(&words).unwrap();
        let men: Vec<_> = fen.men.iter().map(|&(man, _)| man).collect();
        let (material, flipped) = Material::of(&men).unwrap();
        assert!(!flipped);
        let mut left = fen.men.clone();
        let squares = material.men().iter().map(|man| {
            let place = left.iter().position(|(other, _)| other == man).unwrap();
            left.remove(place).1
        });
        let squares = Squares::of(squares.collect::<Vec<_>>());
        (material, squares, fen.to_move, fen.en_passant)
    }

    /// Goes through the images of a position: eight, or two with pawns.
    fn each_image(fen: &str, mut visit: impl FnMut(&Position)) {
        let (material, squares, to_move, en_passant) = placed(fen);
        for symmetry in Symmetry::all(material.has_pawns()) {
            let squares = squares.image(symmetry).first(material.men().len());
            let mut position = Position::new(&material, squares, to_move).unwrap();
            position.en_passant = en_passant.map(|square| symmetry.image(square));
            assert!(position.is_raw_legal() && position.may_have(position.en_passant));
            visit(&position);
        }
    }

    /// Some values at a position.
    fn check_some(fen: &str, wanted: &[(&str, u8)]) {
        each_image(fen, |position| {
            for &(name, value) in wanted {
                assert_eq!(value_of(name, position), value, "{name} of {position}");
            }
        });
    }

    /// All values at a position, those of the names that are given, and all others as a check that they are 0. How many
    /// files and ranks two men are apart is not given, since that follows from their files and ranks.
    fn check(fen: &str, wanted: &[(&str, u8)]) {
        let given = |name: &str| {
            let value = wanted.iter().find(|(wanted, _)| *wanted == name);
            value.map_or(0, |&(_, value)| value)
        };
        let value = |name: &str| match *name.split(' ').collect::<Vec<_>>() {
            [feature @ ("files" | "ranks"), one, other] => {
                let one = given(&format!("{} {one}", &feature[..4]));
                let other = given(&format!("{} {other}", &feature[..4]));
                match one.min(other) {
                    0 => 0,
                    _ => one.abs_diff(other),
                }
            }
            _ => given(name),
        };
        each_image(fen, |position| {
            for name in names() {
                assert_eq!(
                    value_of(name, position),
                    value(name),
                    "{name} of {position}"
                );
            }
        });
    }

    #[test]
    fn five_men_have_names() {
        // White Ka1 Qb2 Rc3 Bd4, Black Kh8 is turned round: h8 to a1, b2 to g7, c3 to f6, d4 to e5.
        let (material, squares, to_move, _) = placed("7k/8/8/8/3B4/2R5/1Q6/K7 b - - 0 1");
        let position = Position::new(&material, squares, to_move).unwrap();
        let names = [
            ("file wK", 8),
            ("rank w1", 7),
            ("rank w2", 6),
            ("file w3", 5),
            ("file bK", 1),
            ("file b1", 0),
            ("distance w2 w3", 1),
            ("steps w3 bK", 8),
            ("distance bK b1", 0),
            ("attacked w3", 0),
            ("attacked b1", 0),
            // The queen by the king; the rook by queen and bishop; the bishop by nobody, since the rook stands between.
            ("protected w1", 1),
            ("protected w2", 2),
            ("protected w3", 0),
        ];
        for (name, value) in names {
            assert_eq!(value_of(name, &position), value, "{name}");
        }
    }

    #[test]
    fn attacked_squares_are_no_way_for_a_king() {
        // White Kc2 Rb3, Black Ka1, which is where the black king comes to stand. It can go to a2 and back, no further.
        check(
            "8/8/8/8/8/1R6/2K5/k7 b - - 0 1",
            &[
                ("side", 1),
                ("moves", 1),
                ("file wK", 3),
                ("rank wK", 2),
                ("edge wK", 1),
                ("corner wK", 2),
                ("file w1", 2),
                ("rank w1", 3),
                ("edge w1", 1),
                ("corner w1", 2),
                ("file bK", 1),
                ("rank bK", 1),
                ("distance wK w1", 1),
                ("steps wK w1", 2),
                ("distance wK bK", 2),
                ("steps wK bK", 3),
                ("distance w1 bK", 2),
                ("steps w1 bK", 3),
                ("room wK", 5),
                ("room bK", 1),
                ("region wK", 59),
                ("region bK", 2),
                ("protected w1", 1),
                ("mobility w1", 14),
                ("opposition", 2),
                ("kings_parity", 1),
                ("siege wK", 2),
                ("siege w1", 2),
                ("siege bK", 2),
                ("ranks_between w1", 2),
                ("box w1", 2),
            ],
        );
    }

    #[test]
    fn an_en_passant_state() {
        // White Ke1 Pb5, Black Kh8 Pa5 after a7-a5: the board is mirrored, so the square is h6.
        check(
            "7k/8/8/pP6/8/8/8/4K3 w - a6 0 1",
            &[
                ("en_passant", 8),
                ("moves", 7),
                ("file wK", 4),
                ("rank wK", 1),
                ("corner wK", 3),
                ("file w1", 7),
                ("rank w1", 5),
                ("edge w1", 1),
                ("corner w1", 3),
                ("file bK", 1),
                ("rank bK", 8),
                ("file b1", 8),
                ("rank b1", 5),
                ("corner b1", 3),
                ("distance wK w1", 4),
                ("steps wK w1", 7),
                ("distance wK bK", 7),
                ("steps wK bK", 10),
                ("distance wK b1", 4),
                ("steps wK b1", 8),
                ("distance w1 bK", 6),
                ("steps w1 bK", 9),
                ("distance w1 b1", 1),
                ("steps w1 b1", 1),
                ("distance bK b1", 7),
                ("steps bK b1", 10),
                ("room wK", 5),
                ("room bK", 3),
                ("region wK", 58),
                ("region bK", 55),
                ("mobility w1", 2),
                ("mobility b1", 1),
                ("files_between w1", 2),
                ("files_between b1", 2),
                ("box w1", 18),
                ("box b1", 28),
                ("catch w1", 11),
                ("catch b1", 8),
                ("escort w1", 7),
                ("escort b1", 7),
                ("block w1", 6),
                ("block b1", 4),
                ("lead w1", 5),
                ("lead b1", 7),
            ],
        );
    }

    #[test]
    fn the_state_without_the_capture() {
        // The same without the right to capture.
        check(
            "7k/8/8/pP6/8/8/8/4K3 w - - 0 1",
            &[
                ("moves", 6),
                ("file wK", 4),
                ("rank wK", 1),
                ("corner wK", 3),
                ("file w1", 7),
                ("rank w1", 5),
                ("edge w1", 1),
                ("corner w1", 3),
                ("file bK", 1),
                ("rank bK", 8),
                ("file b1", 8),
                ("rank b1", 5),
                ("corner b1", 3),
                ("distance wK w1", 4),
                ("steps wK w1", 7),
                ("distance wK bK", 7),
                ("steps wK bK", 10),
                ("distance wK b1", 4),
                ("steps wK b1", 8),
                ("distance w1 bK", 6),
                ("steps w1 bK", 9),
                ("distance w1 b1", 1),
                ("steps w1 b1", 1),
                ("distance bK b1", 7),
                ("steps bK b1", 10),
                ("room wK", 5),
                ("room bK", 3),
                ("region wK", 58),
                ("region bK", 55),
                ("mobility w1", 2),
                ("mobility b1", 1),
                ("files_between w1", 2),
                ("files_between b1", 2),
                ("box w1", 18),
                ("box b1", 28),
                ("catch w1", 11),
                ("catch b1", 8),
                ("escort w1", 7),
                ("escort b1", 7),
                ("block w1", 6),
                ("block b1", 4),
                ("lead w1", 5),
                ("lead b1", 7),
            ],
        );
    }

    #[test]
    fn like_men_are_told_apart_by_their_squares() {
        // White Ka1 Nb1 Nc3, Black Kh8: turned round, the knight of c3 is on f6 and comes before that of b1 on h7.
        check(
            "7k/8/8/8/8/2N5/8/KN6 w - - 0 1",
            &[
                ("moves", 11),
                ("file wK", 8),
                ("rank wK", 8),
                ("file w1", 6),
                ("rank w1", 6),
                ("edge w1", 2),
                ("corner w1", 2),
                ("file w2", 8),
                ("rank w2", 7),
                ("corner w2", 1),
                ("file bK", 1),
                ("rank bK", 1),
                ("distance wK w1", 2),
                ("steps wK w1", 4),
                ("distance wK w2", 1),
                ("steps wK w2", 1),
                ("distance wK bK", 7),
                ("steps wK bK", 14),
                ("distance w1 w2", 2),
                ("steps w1 w2", 3),
                ("distance w1 bK", 5),
                ("steps w1 bK", 10),
                ("distance w2 bK", 7),
                ("steps w2 bK", 13),
                ("room wK", 2),
                ("room bK", 3),
                ("region wK", 58),
                ("region bK", 51),
                ("protected w1", 1),
                ("mobility w1", 8),
                ("protected w2", 2),
                ("mobility w2", 3),
                ("files_between w2", 1),
                ("box w1", 25),
                ("box w2", 42),
            ],
        );
    }

    #[test]
    fn a_check_and_rooks_that_attack_each_other() {
        // White Kb6 Ra1, Black Ka8 Rh1: the kings come to c2 and a1, the rooks to h1 and h8.
        check(
            "k7/8/1K6/8/8/8/8/R6r b - - 0 1",
            &[
                ("side", 1),
                ("check", 1),
                ("moves", 2),
                ("file wK", 3),
                ("rank wK", 2),
                ("edge wK", 1),
                ("corner wK", 2),
                ("file w1", 8),
                ("rank w1", 1),
                ("file bK", 1),
                ("rank bK", 1),
                ("file b1", 8),
                ("rank b1", 8),
                ("distance wK w1", 5),
                ("steps wK w1", 6),
                ("distance wK bK", 2),
                ("steps wK bK", 3),
                ("distance wK b1", 6),
                ("steps wK b1", 11),
                ("distance w1 bK", 7),
                ("steps w1 bK", 7),
                ("distance w1 b1", 7),
                ("steps w1 b1", 7),
                ("distance bK b1", 7),
                ("steps bK b1", 14),
                ("room wK", 6),
                ("room bK", 1),
                ("region wK", 46),
                ("region bK", 45),
                ("attacked w1", 1),
                ("mobility w1", 14),
                ("attacked b1", 1),
                ("mobility b1", 14),
                ("opposition", 2),
                ("kings_parity", 1),
                ("loose w1", 1),
                ("loose b1", 1),
                ("siege wK", 2),
                ("siege w1", 1),
                ("siege bK", 2),
                ("files_between w1", 2),
                ("ranks_between w1", 1),
                ("files_between b1", 2),
                ("ranks_between b1", 2),
                ("box w1", 56),
                ("box b1", 49),
            ],
        );
    }

    #[test]
    fn a_promotion_is_four_moves() {
        // White Kh1 Pb7, Black Ka2: with pawns the king stays on a2.
        check(
            "8/1P6/8/8/8/8/k7/7K w - - 0 1",
            &[
                ("moves", 7),
                ("file wK", 8),
                ("rank wK", 1),
                ("file w1", 2),
                ("rank w1", 7),
                ("edge w1", 1),
                ("corner w1", 1),
                ("file bK", 1),
                ("rank bK", 2),
                ("corner bK", 1),
                ("distance wK w1", 6),
                ("steps wK w1", 12),
                ("distance wK bK", 7),
                ("steps wK bK", 8),
                ("distance w1 bK", 5),
                ("steps w1 bK", 6),
                ("room wK", 3),
                ("room bK", 5),
                ("region wK", 57),
                ("region bK", 58),
                ("mobility w1", 2),
                ("ranks_between w1", 2),
                ("box w1", 6),
                ("catch w1", 13),
                ("escort w1", 7),
                ("block w1", 6),
                ("lead w1", 7),
            ],
        );
    }

    #[test]
    fn a_checkmate() {
        // White Kb3 Rh1, Black Ka1: reflected, the king comes to c2 and the rook to a8, which attacks a2 through the king.
        check(
            "8/8/8/8/8/1K6/8/k6R b - - 0 1",
            &[
                ("side", 1),
                ("end", 1),
                ("check", 1),
                ("file wK", 3),
                ("rank wK", 2),
                ("edge wK", 1),
                ("corner wK", 2),
                ("file w1", 1),
                ("rank w1", 8),
                ("file bK", 1),
                ("rank bK", 1),
                ("distance wK w1", 6),
                ("steps wK w1", 8),
                ("distance wK bK", 2),
                ("steps wK bK", 3),
                ("distance w1 bK", 7),
                ("steps w1 bK", 7),
                ("room wK", 6),
                ("region wK", 59),
                ("region bK", 1),
                ("mobility w1", 14),
                ("opposition", 2),
                ("kings_parity", 1),
                ("siege wK", 2),
                ("siege w1", 1),
                ("siege bK", 2),
                ("files_between w1", 1),
                ("ranks_between w1", 2),
                ("box w1", 56),
            ],
        );
    }

    #[test]
    fn a_stalemate() {
        // White Kh1 Qb3, Black Ka1.
        check(
            "8/8/8/8/8/1Q6/8/k6K b - - 0 1",
            &[
                ("side", 1),
                ("end", 2),
                ("file wK", 8),
                ("rank wK", 1),
                ("file w1", 2),
                ("rank w1", 3),
                ("edge w1", 1),
                ("corner w1", 2),
                ("file bK", 1),
                ("rank bK", 1),
                ("distance wK w1", 6),
                ("steps wK w1", 8),
                ("distance wK bK", 7),
                ("steps wK bK", 7),
                ("distance w1 bK", 2),
                ("steps w1 bK", 3),
                ("room wK", 3),
                ("region wK", 59),
                ("region bK", 1),
                ("mobility w1", 23),
                ("kings_parity", 1),
                ("siege w1", 3),
                ("ranks_between w1", 2),
                ("box w1", 2),
            ],
        );
    }

    #[test]
    fn a_black_pawn() {
        // White Kf2 Rd8, Black Kc4 Pd3. The black king gets to the right by way of the rook, which nobody protects.
        check(
            "3R4/8/8/8/2k5/3p4/5K2/8 w - - 0 1",
            &[
                ("moves", 19),
                ("file wK", 6),
                ("rank wK", 2),
                ("edge wK", 1),
                ("corner wK", 2),
                ("file w1", 4),
                ("rank w1", 8),
                ("corner w1", 3),
                ("file bK", 3),
                ("rank bK", 4),
                ("edge bK", 2),
                ("corner bK", 3),
                ("file b1", 4),
                ("rank b1", 3),
                ("edge b1", 2),
                ("corner b1", 3),
                ("distance wK w1", 6),
                ("steps wK w1", 8),
                ("distance wK bK", 3),
                ("steps wK bK", 5),
                ("distance wK b1", 2),
                ("steps wK b1", 3),
                ("distance w1 bK", 4),
                ("steps w1 bK", 5),
                ("distance w1 b1", 5),
                ("steps w1 b1", 5),
                ("distance bK b1", 1),
                ("steps bK b1", 2),
                ("kings_parity", 1),
                ("room wK", 7),
                ("room bK", 5),
                ("region wK", 52),
                ("region bK", 43),
                ("protected b1", 1),
                ("attacked b1", 1),
                ("mobility w1", 12),
                ("mobility b1", 2),
                ("siege w1", 3),
                ("siege b1", 1),
                ("ranks_between w1", 2),
                ("box w1", 21),
                ("box b1", 8),
                ("catch b1", 8),
                ("escort b1", 3),
                ("block b1", 2),
                ("lead b1", 2),
            ],
        );
    }

    #[test]
    fn two_bishops() {
        // White Kc2 Bd3 Bg3, Black Ka1: the lines of the first end at its king.
        check(
            "8/8/8/8/8/3B2B1/2K5/k7 b - - 0 1",
            &[
                ("side", 1),
                ("moves", 1),
                ("file wK", 3),
                ("rank wK", 2),
                ("edge wK", 1),
                ("corner wK", 2),
                ("file w1", 4),
                ("rank w1", 3),
                ("edge w1", 2),
                ("corner w1", 3),
                ("file w2", 7),
                ("rank w2", 3),
                ("edge w2", 1),
                ("corner w2", 2),
                ("file bK", 1),
                ("rank bK", 1),
                ("distance wK w1", 1),
                ("steps wK w1", 2),
                ("distance wK w2", 4),
                ("steps wK w2", 5),
                ("distance wK bK", 2),
                ("steps wK bK", 3),
                ("distance w1 w2", 3),
                ("steps w1 w2", 3),
                ("distance w1 bK", 3),
                ("steps w1 bK", 5),
                ("distance w2 bK", 6),
                ("steps w2 bK", 8),
                ("opposition", 2),
                ("kings_parity", 1),
                ("room wK", 5),
                ("room bK", 1),
                ("region wK", 58),
                ("region bK", 37),
                ("protected w1", 1),
                ("mobility w1", 10),
                ("mobility w2", 9),
                ("siege wK", 2),
                ("siege bK", 2),
                ("files_between w1", 2),
                ("ranks_between w1", 2),
                ("files_between w2", 2),
                ("ranks_between w2", 2),
                ("box w1", 6),
                ("box w2", 12),
            ],
        );
    }

    #[test]
    fn two_pawns() {
        // White Kf6 Pe5 Ph5, Black Kg8: mirrored to Kc6 Pd5 Pa5 and Kb8, so the pawn of h5 is the first.
        check(
            "6k1/8/5K2/4P2P/8/8/8/8 w - - 0 1",
            &[
                ("moves", 7),
                ("file wK", 3),
                ("rank wK", 6),
                ("edge wK", 2),
                ("corner wK", 2),
                ("file w1", 1),
                ("rank w1", 5),
                ("corner w1", 3),
                ("file w2", 4),
                ("rank w2", 5),
                ("edge w2", 3),
                ("corner w2", 3),
                ("file bK", 2),
                ("rank bK", 8),
                ("corner bK", 1),
                ("distance wK w1", 2),
                ("steps wK w1", 3),
                ("distance wK w2", 1),
                ("steps wK w2", 2),
                ("distance wK bK", 2),
                ("steps wK bK", 3),
                ("distance w1 w2", 3),
                ("steps w1 w2", 3),
                ("distance w1 bK", 3),
                ("steps w1 bK", 4),
                ("distance w2 bK", 3),
                ("steps w2 bK", 5),
                ("opposition", 2),
                ("kings_parity", 1),
                ("room wK", 5),
                ("room bK", 3),
                ("region wK", 56),
                ("region bK", 54),
                ("protected w2", 1),
                ("mobility w1", 1),
                ("mobility w2", 2),
                ("siege wK", 2),
                ("siege bK", 2),
                ("files_between w1", 2),
                ("ranks_between w1", 2),
                ("files_between w2", 2),
                ("ranks_between w2", 2),
                ("box w1", 21),
                ("box w2", 9),
                ("catch w1", 6),
                ("catch w2", 7),
                ("escort w1", 2),
                ("escort w2", 2),
                ("block w1", 2),
                ("block w2", 2),
                ("lead w1", 2),
                ("lead w2", 1),
            ],
        );
    }

    #[test]
    fn a_loose_queen_and_kings_in_opposition() {
        // White Kd2 Qa1, Black Kb2: the queen does not attack c3, behind the king.
        check_some(
            "8/8/8/8/8/8/1k1K4/Q7 b - - 0 1",
            &[
                ("opposition", 1),
                ("kings_parity", 0),
                ("files wK bK", 2),
                ("ranks wK bK", 0),
                ("protected w1", 0),
                ("attacked w1", 1),
                ("loose w1", 1),
                ("siege wK", 3),
                ("siege w1", 4),
                ("siege bK", 3),
                ("files_between w1", 2),
                ("ranks_between w1", 2),
                ("box w1", 49),
                ("catch w1", 0),
                ("lead w1", 0),
            ],
        );
    }

    #[test]
    fn a_king_before_its_pawn() {
        // White Ke3 Pe2, Black Ke5, mirrored to the file d.
        check_some(
            "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",
            &[
                ("moves", 4),
                ("file w1", 4),
                ("opposition", 1),
                ("kings_parity", 0),
                ("files wK bK", 0),
                ("ranks wK bK", 2),
                ("ranks w1 bK", 3),
                ("files_between w1", 1),
                ("ranks_between w1", 2),
                ("box w1", 48),
                ("catch w1", 5),
                ("escort w1", 5),
                ("block w1", 2),
                ("lead w1", 0),
            ],
        );
    }
}
