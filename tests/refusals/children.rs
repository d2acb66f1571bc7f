//! Lies about KPK, which rests on the tables of KQK and KRK.

use std::fs;
use std::sync::LazyLock;

use dchess::certificate::Format;
use dchess::game::{Plies, Value};
use dchess::rules::parse_fen;
use dchess::verify::Reason::{self, *};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, Role};

use super::support;
use super::support::forge::{COUNTS, Forge, claim, move_code, uci_text};
use super::support::suite::{Call, Fixture, hold, island};
use super::support::truth;

const COMPANY: &[&str] = &["KQK", "KRK"];

/// A wrong result can show first at a predecessor, whose result stands but not its distance.
const VALUE: &[Reason] = &[WrongResult, WrongDistance];

pub(super) static KPK: LazyLock<Forge> =
    LazyLock::new(|| Forge::of(&support::certificate("KPK", Format::Bin)));

static POSITIONS: LazyLock<Vec<Chess>> = LazyLock::new(|| truth::positions("KPK"));

/// A re-sealed KPK table with one change, in the company of its children.
fn forged(
    name: impl Into<String>,
    reasons: &'static [Reason],
    change: impl FnOnce(&mut Forge),
) -> Fixture {
    let mut forge = KPK.clone();
    change(&mut forge);
    assert!(forge != *KPK);
    Fixture::new(name, reasons, forge.seal()).among(COMPANY)
}

/// The number of a position in the table.
fn number_of(fen: &str) -> usize {
    let position = parse_fen(fen).unwrap();
    let found = POSITIONS.iter().position(|found| *found == position);
    found.expect("the position is a canonical state")
}

fn false_children() -> Vec<Fixture> {
    let list = |name, change: fn(&mut Vec<(String, [u8; 32])>)| {
        forged(name, &[WrongChildren], |forge| change(&mut forge.children))
    };
    vec![
        forged("a wrong child id", &[WrongChild], |forge| {
            forge.children[0].1[31] ^= 1;
        })
        .at("endgame KQK board dtm"),
        forged("a wrong second child id", &[WrongChild], |forge| {
            forge.children[1].1[0] ^= 0x80;
        })
        .at("endgame KRK board dtm"),
        forged(
            "the ids of the children exchanged",
            &[WrongChild],
            |forge| {
                let id = forge.children[0].1;
                forge.children[0].1 = std::mem::replace(&mut forge.children[1].1, id);
            },
        ),
        list("no children in the list", Vec::clear),
        list("the first child left out", |children| {
            children.remove(0);
        }),
        list("the last child left out", |children| {
            children.pop();
        }),
        list("children out of order", |children| children.swap(0, 1)),
        list("a child named twice", |children| {
            children.insert(1, children[0].clone());
        }),
        list("the last child named twice", |children| {
            children.push(children[1].clone());
        }),
        list("a class of the sink among the children", |children| {
            children.insert(0, (claim("KBK"), [7; 32]));
        }),
        list("a child that no move leads into", |children| {
            children.push((claim("KRKN"), [7; 32]));
        }),
        list("the class as its own child", |children| {
            children.insert(0, (claim("KPK"), [7; 32]));
        }),
        list("a child not written as in the list", |children| {
            children[0].0 = claim("KQvK");
        }),
        list("a child under another rules profile", |children| {
            children[0].0 = "endgame KQK fcs dtm".to_owned();
        }),
        forged("a child of two lines", &[MalformedPayload], |forge| {
            forge.children[0].0.push('\n');
        }),
        Fixture::new("no child in the call", &[MissingChildren], KPK.seal()).at("KQK, KRK"),
        Fixture::new("a child not in the call", &[MissingChildren], KPK.seal())
            .among(&["KQK"])
            .at("KRK"),
        Fixture::new("only others in the call", &[MissingChildren], KPK.seal())
            .among(&["KRK", "KNK"])
            .at("KQK"),
    ]
}

/// With White's king on c6 and his pawn on c7 a queen stalemates the king on a7: a rook mates next move.
const UNDERPROMOTION: &str = "8/k1P5/2K5/8/8/8/8/8 w - - 0 1";

/// Tables that are solved without a fault, but on a false premise.
fn consistent_lies() -> Vec<Fixture> {
    let drawn = |name: &str| vec![255; truth::endgame(name).values.len()];
    let lie = |name: &str, child: &str, values: Vec<u8>| {
        let table = truth::table_over("KPK", &[(child, values)]);
        (name.to_owned(), Forge::of(&table))
    };
    // What is drawn is as good as a bishop or a knight: as if there were no such promotion.
    let no_rook = lie("no promotion to a rook", "KRK", drawn("KRK"));
    let state = number_of(UNDERPROMOTION);
    let mate_in_two = Value::Win(Plies::new(3));
    let found = truth::with_library("KPK", |library| library.value(&POSITIONS[state]));
    assert_eq!(found, Ok(mate_in_two));
    assert_eq!(KPK.values[state], 3);
    assert_ne!(no_rook.1.values[state], 3);
    let lies = [
        no_rook,
        lie("no promotion to a queen", "KQK", drawn("KQK")),
        lie("a rook taken for a queen", "KRK", queens_for_rooks()),
        lie("a child whose mates come late", "KQK", slow_mates().values),
    ];
    lies.into_iter()
        .map(|(name, table)| {
            assert!(table.values != KPK.values, "{name} makes no difference");
            assert_eq!(table.children, KPK.children);
            Fixture::new(name, VALUE, table.seal())
                .among(COMPANY)
                .at("state ")
        })
        .collect()
}

/// The bytes of KRK as if its rook were a queen, where that is legal.
fn queens_for_rooks() -> Vec<u8> {
    let rooks = truth::endgame("KRK").values.clone();
    let positions = truth::positions("KRK");
    truth::with_library("KPK", |library| {
        positions
            .iter()
            .zip(rooks)
            .map(|(position, byte)| {
                let mut setup = position.to_setup(EnPassantMode::Legal);
                let rook = setup.board.by_role(Role::Rook).first().unwrap();
                setup.board.set_piece_at(rook, Role::Queen.of(Color::White));
                let queen = Chess::from_setup(setup, CastlingMode::Standard);
                let value = queen.ok().map(|queen| library.value(&queen).unwrap());
                value.map_or(byte, |value| dchess::endgame::byte_of(value).unwrap())
            })
            .collect()
    })
}

/// A table of KQK that says of every checkmate that it comes in two plies.
fn slow_mates() -> Forge {
    let mut queen = Forge::of(&support::certificate("KQK", Format::Bin));
    for byte in &mut queen.values {
        *byte = if *byte == 0 { 2 } else { *byte };
    }
    queen
}

fn false_values() -> Vec<Fixture> {
    let changed = |name, from: u8, to: u8| {
        forged(name, VALUE, |forge| {
            let places = forge.values.iter_mut().skip(20_000);
            *places.into_iter().find(|byte| **byte == from).unwrap() = to;
        })
    };
    vec![
        forged(
            "an under-promotion overlooked once",
            &[WrongDistance],
            |forge| {
                forge.values[number_of(UNDERPROMOTION)] += 2;
            },
        ),
        changed("a won pawn that is drawn", 21, 255),
        changed("a drawn pawn that wins", 255, 21),
        changed("a lost king that is mated later", 20, 22),
        forged("a value dropped", &[WrongNumberOfValues], |forge| {
            forge.values.remove(20_000);
        }),
    ]
}

fn false_moves() -> Vec<Fixture> {
    let policy = |name, change: fn(&mut u16)| {
        forged(name, &[WrongPolicy], |forge| {
            let state = 10_000
                + forge.values[10_000..]
                    .iter()
                    .position(|&byte| byte == 9)
                    .unwrap();
            change(&mut forge.policy[state]);
        })
    };
    let line = |name, change: fn(&mut Vec<u16>)| {
        forged(name, &[WrongLongestLine], |forge| {
            change(&mut forge.longest_line)
        })
    };
    let promotion = |line: &[u16]| line.iter().position(|mv| mv >> 12 > 0).unwrap();
    assert!((1..KPK.longest_line.len() - 1).contains(&promotion(&KPK.longest_line)));
    vec![
        forged(
            "an optimal move that is not the smallest",
            &[WrongPolicy],
            |forge| {
                let (state, second) = second_best(forge);
                forge.policy[state] = second;
            },
        ),
        policy("no move where there is one", |mv| *mv = 0),
        policy("a move from an empty square", |mv| *mv ^= 0b1),
        policy("a move that stays where it is", |mv| *mv = *mv % 64 * 65),
        policy("a promotion without a pawn", |mv| *mv ^= 4 << 12),
        policy("a code that is no move at all", |mv| *mv = 0xffff),
        forged("a queen where a rook is needed", &[WrongPolicy], |forge| {
            let state = number_of(UNDERPROMOTION);
            assert_eq!(uci_text(forge.policy[state]), "c7c8r");
            forge.policy[state] = move_code("c7c8q");
        }),
        forged("a move where there is none", &[WrongPolicy], |forge| {
            let stalemate = number_of("8/8/8/8/8/3K4/3P4/3k4 b - - 0 1");
            let first = forge.policy.iter().position(|&mv| mv == 0).unwrap();
            assert!(forge.values[stalemate] != 255 && forge.policy[stalemate] != 0);
            forge.policy[first] = 65;
        }),
        forged("a move dropped", &[WrongNumberOfMoves], |forge| {
            forge.policy.pop();
        }),
        forged("a move added", &[WrongNumberOfMoves], |forge| {
            forge.policy.push(0)
        }),
        line("the longest line cut short", |line| {
            line.pop();
        })
        .at("longest_line: "),
        line("the longest line too long", |line| line.push(65)),
        line("no longest line", Vec::clear),
        forged(
            "another man from the pawn in the longest line",
            &[WrongLongestLine],
            |forge| {
                let ply = promotion(&forge.longest_line);
                forge.longest_line[ply] ^= (4 ^ 3) << 12;
            },
        ),
        forged(
            "another move after the conversion",
            &[WrongLongestLine],
            |forge| {
                let ply = promotion(&forge.longest_line) + 1;
                forge.longest_line[ply] ^= 64;
            },
        )
        .at(format!(
            "longest_line ply {}",
            promotion(&KPK.longest_line) + 1
        )),
    ]
}

/// A state with two optimal moves, and the second of them in UCI order.
fn second_best(forge: &Forge) -> (usize, u16) {
    truth::with_library("KPK", |library| {
        for (state, position) in POSITIONS.iter().enumerate().skip(10_000) {
            let moves = library.moves(position).unwrap();
            if let [first, second, ..] = &moves[..]
                && first.value == second.value
            {
                let code = |mv| move_code(&dchess::rules::uci(mv));
                assert_eq!(code(first.mv), forge.policy[state]);
                return (state, code(second.mv));
            }
        }
        panic!("some state has two optimal moves");
    })
}

fn false_counts() -> Vec<Fixture> {
    const COUNT: &[Reason] = &[WrongCount];
    let mut fixtures: Vec<Fixture> = COUNTS
        .into_iter()
        .filter(|&count| count != "states")
        .map(|count| {
            let found = *KPK.clone().count(count);
            forged(format!("{count} off by one"), COUNT, |forge| {
                *forge.count(count) += 1
            })
            .at(format!("{count}: stored {}, found {found}", found + 1))
        })
        .collect();
    fixtures.extend([
        forged("max_dtm_plies too large", COUNT, |forge| {
            forge.max_dtm_plies += 2
        }),
        forged("max_dtm_plies too small", COUNT, |forge| {
            forge.max_dtm_plies -= 2
        }),
        forged("max_dtm_states off by one", COUNT, |forge| {
            forge.max_dtm_states += 1
        }),
        forged("a count near the end of numbers", COUNT, |forge| {
            *forge.count("edges") = u64::MAX
        }),
        forged("states off by one", &[WrongNumberOfStates], |forge| {
            *forge.count("states") += 1
        }),
    ]);
    fixtures
}

#[test]
#[ignore = "the long tier runs it"]
fn every_lie_about_a_class_with_children_is_refused_for_its_reason() {
    let call = |bytes| Call {
        company: COMPANY,
        bytes,
    };
    let accepted = [
        call(KPK.seal()),
        call(serde_json::to_vec(&KPK.json()).unwrap()),
    ];
    let rejected = [
        false_children(),
        consistent_lies(),
        false_values(),
        false_moves(),
        false_counts(),
    ];
    hold(
        &accepted,
        &rejected.into_iter().flatten().collect::<Vec<_>>(),
    );
}

proptest! {
    #![proptest_config(support::property(20))]

    /// Any byte of the table changed, compressed and sealed again, its children in the call.
    #[test]
    #[ignore = "the long tier runs it"]
    fn no_resealed_change_of_a_parent_is_accepted(place in 0..KPK.payload().len(), mask in 1..=255_u8) {
        let mut payload = KPK.payload();
        payload[place] ^= mask;
        let bytes = support::forge::Blocks::of(&payload).seal();
        let judged = island(&Call { company: COMPANY, bytes });
        prop_assert!(judged.is_err());
    }
}

/// Runs `dchess verify` on these files, in a folder of their own: the verdict and reason of each, and the exit
/// code.
fn verify(files: &[(&str, &[u8])]) -> (Vec<String>, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let output = support::dchess()
        .args(["verify", "--json"])
        .args(files.iter().map(|(name, _)| name))
        .current_dir(&folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let verdict = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let word = |key: &str| line[key].as_str().unwrap_or("").to_owned();
        format!("{} {} {}", word("file"), word("verdict"), word("reason"))
            .trim_end()
            .to_owned()
    };
    (text.lines().map(verdict).collect(), output.status.code())
}

#[test]
fn a_parent_is_not_verified_on_a_false_child() {
    let lie = slow_mates();
    let queen = support::certificate("KQK", Format::Bin);
    let rook = support::certificate("KRK", Format::Bin);
    let table = truth::table_over("KPK", &[("KQK", lie.values.clone())]);
    let mut parent = Forge::of(&table);
    assert_ne!(parent.values, KPK.values);
    parent.children[0].1 = lie.id();
    let (lie, parent) = (lie.seal(), parent.seal());

    // The false child is named by its right id, and the parent is what follows from it.
    let alone = verify(&[("parent", &parent), ("rook", &rook), ("queen", &lie)]);
    let told = [
        "parent DECLINED missing children",
        "rook VERIFIED",
        "queen REFUTED wrong distance",
    ];
    assert_eq!(alone, (told.map(str::to_owned).to_vec(), Some(1)));

    // The true child in the call makes it no better.
    let beside = verify(&[
        ("true", &queen),
        ("queen", &lie),
        ("rook", &rook),
        ("parent", &parent),
    ]);
    let told = [
        "true VERIFIED",
        "queen REFUTED wrong distance",
        "rook VERIFIED",
        "parent REFUTED wrong child",
    ];
    assert_eq!(beside, (told.map(str::to_owned).to_vec(), Some(1)));
}

#[test]
fn a_parent_alone_is_declined_and_together_verified() {
    let files = ["KPK", "KQK", "KRK"].map(|name| support::certificate(name, Format::Bin));
    let [parent, queen, rook] = &files;
    let told = |lines: &[&str], code| {
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        (lines, Some(code))
    };
    assert_eq!(
        verify(&[("parent", parent)]),
        told(&["parent DECLINED missing children"], 2)
    );
    assert_eq!(
        verify(&[("queen", queen), ("parent", parent)]),
        told(&["queen VERIFIED", "parent DECLINED missing children"], 2)
    );
    let all = ["parent VERIFIED", "rook VERIFIED", "queen VERIFIED"];
    assert_eq!(
        verify(&[("parent", parent), ("rook", rook), ("queen", queen)]),
        told(&all, 0)
    );
}
