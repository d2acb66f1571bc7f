//! Lies about classes of four men that rest on others: captures, promotions, en passant.

use std::sync::LazyLock;

use dchess::certificate::Format;
use dchess::endgame::{Material, byte_of};
use dchess::game::Value;
use dchess::rules::{exchange_colors, parse_fen, uci, uci_order};
use dchess::verify::Reason::{self, *};
use proptest::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, Role, Square,
};

use super::support;
use super::support::forge::{Blocks, COUNTS, Forge, move_code};
use super::support::suite::{Call, Fixture, hold, island};
use super::support::truth;

/// All classes that KPKP rests on, children before parents.
const BELOW_KPKP: &[&str] = &[
    "KQK", "KRK", "KPK", "KBKB", "KBKN", "KNKN", "KQKB", "KQKN", "KQKQ", "KQKR", "KRKB", "KRKN",
    "KRKR", "KBKP", "KNKP", "KQKP", "KRKP",
];

/// A wrong result can show first at a predecessor, whose result stands but not its distance.
const VALUE: &[Reason] = &[WrongResult, WrongDistance];

static KPKP: LazyLock<Forge> = LazyLock::new(|| table("KPKP"));

/// The table of a class, which will be stored without compression: that takes as long as a check.
fn table(name: &str) -> Forge {
    let mut forge = Forge::of(&support::certificate(name, Format::Compressed));
    assert_eq!(forge.codec, 1);
    forge.codec = 0;
    forge
}

fn forged(
    table: &Forge,
    name: impl Into<String>,
    reasons: &'static [Reason],
    change: impl FnOnce(&mut Forge),
) -> Fixture {
    let mut forge = table.clone();
    change(&mut forge);
    assert!(forge != *table);
    Fixture::new(name, reasons, forge.seal()).among(BELOW_KPKP)
}

fn call(bytes: Vec<u8>) -> Call {
    Call {
        company: BELOW_KPKP,
        bytes,
    }
}

fn hold_all<const N: usize>(accepted: &[Call], rejected: [Vec<Fixture>; N]) {
    hold(
        accepted,
        &rejected.into_iter().flatten().collect::<Vec<_>>(),
    );
}

/// The number of a position among the states of its class that have no en-passant square.
fn number_of(name: &str, position: &Chess) -> usize {
    let material: Material = name.parse().unwrap();
    let wanted = dchess::endgame::State::of(&material, position)
        .canonical(&material)
        .position(&material)
        .unwrap();
    let is_wanted = |found: &Chess, _: Value| {
        let is_state = found.ep_square(EnPassantMode::Legal).is_none();
        is_state.then_some(*found == wanted)
    };
    let answers = truth::with_library(name, |library| {
        truth::ask_all(library, &material, is_wanted)
    });
    let mut states = answers.into_iter().flatten();
    states.position(|is_wanted| is_wanted).unwrap()
}

/// An en-passant state of KPKP, and what it would be without the capture.
struct EnPassant {
    number: usize,
    position: Box<Chess>,
    byte: u8,
    /// The byte of the state with the same placement.
    without: u8,
}

/// The en-passant states of KPKP in order.
static EN_PASSANT: LazyLock<Vec<EnPassant>> = LazyLock::new(|| {
    let ask = |position: &Chess, value: Value| {
        let square = position.ep_square(EnPassantMode::Legal);
        let position = square.map(|_| Box::new(position.clone()));
        (byte_of(value).unwrap(), position)
    };
    let answers = truth::with_library("KPKP", |library| {
        truth::ask_all(library, &"KPKP".parse().unwrap(), ask)
    });
    let mut found = Vec::new();
    // En-passant states stand behind their placement.
    let mut without = 255;
    for (byte, position) in answers {
        match position {
            None => without = byte,
            Some(position) => found.push(EnPassant {
                number: found.len(),
                position,
                byte,
                without,
            }),
        }
    }
    let bytes: Vec<u8> = found.iter().map(|state| state.byte).collect();
    assert_eq!(bytes, KPKP.en_passant.as_ref().unwrap().values);
    found
});

/// The position before the double step that led to an en-passant state, and that step; none if that position is not
/// legal.
fn before(state: &EnPassant) -> Option<(Chess, UciMove)> {
    let passed = state.position.ep_square(EnPassantMode::Legal).unwrap();
    let mut setup = state.position.to_setup(EnPassantMode::Legal);
    let mover = !setup.turn;
    let step: i32 = if mover == Color::White { 8 } else { -8 };
    let square = |steps: i32| Square::new((i32::from(passed as u8) + steps * step) as u32);
    let (from, to) = (square(-1), square(1));
    setup.board.discard_piece_at(to);
    setup.board.set_piece_at(from, Role::Pawn.of(mover));
    (setup.turn, setup.ep_square) = (mover, None);
    let position = Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .ok()?;
    let mv = UciMove::Normal {
        from,
        to,
        promotion: None,
    };
    Some((position, mv))
}

/// The position before and its byte, if the en-passant state had this one.
fn byte_before(state: &EnPassant, byte: u8) -> Option<(Chess, u8)> {
    let (position, step) = before(state)?;
    let moves = truth::with_library("KPKP", |library| library.moves(&position).unwrap());
    let values = moves.iter().map(|found| {
        let is_step = UciMove::from_standard(found.mv) == step;
        if is_step {
            dchess::endgame::value_of(byte).for_the_mover()
        } else {
            found.value
        }
    });
    let best = values.max().unwrap();
    Some((position, byte_of(best)?))
}

fn false_en_passant() -> Vec<Fixture> {
    let forged = |name, reasons, change: &dyn Fn(&mut Forge)| {
        forged(&KPKP, name, reasons, |forge| change(forge))
    };
    let values = |forge: &mut Forge, change: &dyn Fn(&mut Vec<u8>)| {
        change(&mut forge.en_passant.as_mut().unwrap().values);
    };
    let better = || {
        EN_PASSANT
            .iter()
            .filter(|state| state.byte != state.without)
    };
    // One whose value nobody needs, for there is another move before; and one whose value is needed.
    let true_before = |state: &EnPassant| byte_before(state, state.byte).unwrap().1;
    let is_needed = |state: &&EnPassant| {
        byte_before(state, state.without).is_none_or(|(_, byte)| byte != true_before(state))
    };
    let unneeded = better().find(|state| !is_needed(state)).unwrap();
    let needed = better().find(is_needed).unwrap();
    let (position, byte) = byte_before(needed, needed.without).unwrap();
    let number = number_of("KPKP", &position);
    assert_eq!(KPKP.values[number], true_before(needed));
    assert_ne!(KPKP.values[number], byte);
    let two = better().find(|state| state.byte != unneeded.byte).unwrap();

    let count = |name, change: fn(&mut support::forge::EnPassant), reasons| {
        forged(name, reasons, &|forge| {
            change(forge.en_passant.as_mut().unwrap())
        })
    };
    vec![
        forged("an overlooked capture en passant", VALUE, &|forge| {
            values(forge, &|values| values[unneeded.number] = unneeded.without);
        })
        .at(format!("en-passant state {} ", unneeded.number)),
        forged(
            "an overlooked capture on which a double step rests",
            VALUE,
            &|forge| {
                values(forge, &|values| values[needed.number] = needed.without);
            },
        )
        .at("state "),
        forged("en passant overlooked everywhere", VALUE, &|forge| {
            values(forge, &|values| {
                for (byte, state) in values.iter_mut().zip(EN_PASSANT.iter()) {
                    *byte = state.without;
                }
            });
        }),
        forged(
            "a double step that leads to the ordinary state",
            VALUE,
            &|forge| {
                forge.values[number] = byte;
            },
        )
        .at("state "),
        forged("two en-passant bytes swapped", VALUE, &|forge| {
            values(forge, &|values| values.swap(unneeded.number, two.number));
        }),
        forged("en-passant bytes in reverse", VALUE, &|forge| {
            values(forge, &|values| values.reverse());
        }),
        forged("an en-passant win two plies longer", VALUE, &|forge| {
            values(forge, &|values| {
                let win = values.iter().position(|byte| byte % 2 == 1 && *byte < 99);
                values[win.unwrap()] += 2;
            });
        }),
        count(
            "an en-passant state too few",
            |found| {
                found.values.pop();
                found.states -= 1;
                found.raw_states -= 2;
            },
            &[WrongNumberOfStates],
        )
        .at("en_passant_states"),
        count(
            "an en-passant state too many",
            |found| {
                found.values.push(255);
                found.states += 1;
                found.raw_states += 2;
            },
            &[WrongNumberOfStates],
        )
        .at("en_passant_states"),
        count(
            "no en-passant states",
            |found| {
                found.values.clear();
                (found.states, found.raw_states) = (0, 0);
            },
            &[WrongNumberOfStates],
        ),
        count(
            "an en-passant byte too few",
            |found| {
                found.values.pop();
            },
            &[WrongNumberOfValues],
        )
        .at("en_passant_values"),
        count(
            "an en-passant byte too many",
            |found| found.values.push(255),
            &[WrongNumberOfValues],
        )
        .at("en_passant_values"),
        count(
            "en_passant_raw_states off by one",
            |found| found.raw_states += 1,
            &[WrongCount],
        )
        .at("en_passant_raw_states"),
        forged("no en-passant fields", &[MalformedPayload], &|forge| {
            forge.en_passant = None;
        }),
        forged(
            "en-passant states among the states",
            &[WrongNumberOfStates],
            &|forge| {
                let en_passant = forge.en_passant.clone().unwrap();
                *forge.count("states") += en_passant.states;
                forge.values.extend(en_passant.values);
            },
        ),
        forged(
            "en-passant states among the raw states",
            &[WrongCount],
            &|forge| {
                *forge.count("raw_states") += KPKP.en_passant.as_ref().unwrap().raw_states;
            },
        ),
        forged("edges off by one", &[WrongCount], &|forge| {
            *forge.count("edges") += 1
        }),
    ]
}

fn false_texts() -> Vec<Fixture> {
    let edited = |name: &str, change: fn(&mut serde_json::Map<String, serde_json::Value>)| {
        let mut text = KPKP.json();
        // Short, for the keys are judged before the values.
        text["values"] = serde_json::json!("");
        change(text.as_object_mut().unwrap());
        Fixture::new(name, &[MalformedJson], serde_json::to_vec(&text).unwrap())
    };
    vec![
        edited("JSON: no en-passant key", |text| {
            for key in [
                "en_passant_raw_states",
                "en_passant_states",
                "en_passant_values",
            ] {
                text.remove(key);
            }
        }),
        edited("JSON: no en-passant values", |text| {
            text.remove("en_passant_values");
        }),
        edited("JSON: no starts", |text| {
            text.remove("starts");
        }),
    ]
}

#[test]
fn every_lie_about_en_passant_is_refused_for_its_reason() {
    let text = serde_json::to_vec(&KPKP.json()).unwrap();
    let accepted = [call(KPKP.seal()), call(text)];
    hold_all(&accepted, [false_en_passant(), false_texts()]);
}

/// A longest line as if moves of the same length were chosen by the board of the child, of which the
/// ranks are flipped.
fn line_of_the_flipped_board(table: &Forge) -> Vec<u16> {
    let name = table.name().to_owned();
    let mut position = truth::endgame(&name).summary.longest.clone().unwrap();
    let men = position.board().occupied().count();
    let code = |mv: Move| move_code(&uci(mv));
    let mut line = Vec::new();
    truth::with_library(&name, |library| {
        for &stored in &table.longest_line {
            let moves = library.moves(&position).unwrap();
            let optimal = moves.iter().filter(|found| found.value == moves[0].value);
            let has_left = position.board().occupied().count() < men;
            let flipped = |mv: Move| {
                let [file, rank, to_file, to_rank, promotion] =
                    uci_order(UciMove::from_standard(mv));
                let flip = |rank: u8| b'1' + b'8' - rank;
                [file, flip(rank), to_file, flip(to_rank), promotion]
            };
            let chosen = optimal
                .map(|found| found.mv)
                .min_by_key(|&mv| flipped(mv))
                .unwrap();
            if has_left && code(chosen) != stored {
                line.push(code(chosen));
                position.play_unchecked(chosen);
                line.extend(library.best_line(&position).unwrap().into_iter().map(code));
                break;
            }
            line.push(stored);
            let mv = moves
                .iter()
                .find(|found| code(found.mv) == stored)
                .unwrap()
                .mv;
            position.play_unchecked(mv);
        }
    });
    line
}

#[test]
fn every_lie_about_captures_and_promotions_is_refused_for_its_reason() {
    let drawn = |name: &str| vec![255; truth::endgame(name).values.len()];
    let lie = |name: &str, child: &str| {
        let mut lie = Forge::of(&truth::table_over(name, &[(child, drawn(child))]));
        lie.codec = 0;
        lie
    };
    let sealed = |name: &str, table: &Forge| {
        Fixture::new(name, VALUE, table.seal())
            .among(BELOW_KPKP)
            .at("state ")
    };

    // Saavedra's position with colours exchanged, for White has the rook in the name: only a rook wins.
    let (rooks, no_rook) = (table("KRKP"), lie("KRKP", "KRKR"));
    let saavedra = parse_fen("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1").unwrap();
    let number = number_of("KRKP", &exchange_colors(&saavedra));
    assert!(rooks.values[number] % 2 == 1 && rooks.values[number] < 255);
    assert_eq!(no_rook.values[number], 255);

    let (knights, pawns) = (table("KRKN"), table("KNKP"));
    let wrong_child = lie("KRKN", "KRK");
    assert!(wrong_child.values != knights.values && wrong_child.children == knights.children);
    let flipped = line_of_the_flipped_board(&pawns);
    assert_eq!(flipped.len(), pawns.longest_line.len());

    let capture = |line: &[u16]| {
        let mut position = truth::endgame("KNKP").summary.longest.clone().unwrap();
        line.iter().position(|&code| {
            let men = position.board().occupied().count();
            let moves = position.legal_moves();
            let mv = moves
                .into_iter()
                .find(|&mv| move_code(&uci(mv)) == code)
                .unwrap();
            position.play_unchecked(mv);
            position.board().occupied().count() < men
        })
    };
    let ply = capture(&pawns.longest_line).unwrap() + 1;
    let rejected = vec![
        sealed("no promotion to a rook", &no_rook),
        sealed("no promotion to a queen", &lie("KRKP", "KQKR")),
        sealed("a capture that leads into a drawn class", &wrong_child),
        forged(&knights, "an exchanged child id", &[WrongChild], |forge| {
            forge.children[0].1 = truth::id("KQK");
        }),
        forged(
            &pawns,
            "another move after the conversion in the longest line",
            &[WrongLongestLine],
            |forge| forge.longest_line[ply] ^= 64,
        )
        .at(format!("longest_line ply {ply}")),
        forged(
            &pawns,
            "a longest line as the child's board has it",
            &[WrongLongestLine],
            |forge| forge.longest_line = flipped,
        )
        .at("longest_line ply"),
    ];
    let accepted = [call(rooks.seal()), call(knights.seal()), call(pawns.seal())];
    hold_all(&accepted, [rejected]);
}

#[test]
fn every_wrong_count_of_four_men_is_refused() {
    let table = table("KNNK");
    let off_by_one = COUNTS.into_iter().flat_map(|count| {
        let found = *table.clone().count(count);
        let reasons: &[Reason] = match count {
            "states" => &[WrongNumberOfStates],
            _ => &[WrongCount],
        };
        [found + 1, found.wrapping_sub(1)].map(|stored| {
            forged(&table, count, reasons, |forge| *forge.count(count) = stored)
                .at(format!("{count}: stored {stored}, found {found}"))
        })
    });
    let mut rejected: Vec<Fixture> = off_by_one.collect();
    rejected.push(forged(&table, "max_dtm_plies", &[WrongCount], |forge| {
        forge.max_dtm_plies += 2;
    }));
    rejected.push(forged(&table, "max_dtm_states", &[WrongCount], |forge| {
        forge.max_dtm_states += 1;
    }));
    let accepted = [Call {
        company: &[],
        bytes: table.seal(),
    }];
    let rejected = rejected.into_iter().map(|fixture| fixture.among(&[]));
    hold_all(&accepted, [rejected.collect()]);
}

proptest! {
    #![proptest_config(support::property(12))]

    /// Any byte of the table changed and the file sealed again.
    #[test]
    fn no_resealed_change_of_pawns_is_accepted(share in 0.0..1.0, mask in 1..=255_u8) {
        static PAYLOAD: LazyLock<Vec<u8>> = LazyLock::new(|| KPKP.payload());
        let mut payload = PAYLOAD.clone();
        let place = (share * payload.len() as f64) as usize;
        payload[place] ^= mask;
        let length = payload.len() as u64;
        let bytes = support::forge::seal_parts(support::forge::VERSION, 1, 0, length, length, &payload);
        let judged = island(&call(bytes));
        prop_assert!(judged.is_err(), "byte {} xor {}", place, mask);
    }
}

proptest! {
    #![proptest_config(support::property(100))]

    /// The same for three men, compressed.
    #[test]
    fn no_resealed_change_of_a_pawn_is_accepted(share in 0.0..1.0, mask in 1..=255_u8) {
        static PAYLOAD: LazyLock<Vec<u8>> =
            LazyLock::new(|| Forge::of(&support::certificate("KPK", Format::Bin)).payload());
        let mut payload = PAYLOAD.clone();
        let place = (share * payload.len() as f64) as usize;
        payload[place] ^= mask;
        let call = Call { company: &["KQK", "KRK"], bytes: Blocks::of(&payload).seal() };
        let judged = island(&call);
        prop_assert!(judged.is_err(), "byte {} xor {}", place, mask);
    }
}
