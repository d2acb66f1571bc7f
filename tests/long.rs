//! The long tier: what is exhaustive or takes many samples. `.ci/run` runs it; by hand,
//! `cargo test --test long`.

mod support;

#[path = "long/games.rs"]
mod games;
#[path = "long/lies.rs"]
mod lies;
#[path = "long/mates.rs"]
mod mates;
#[path = "long/quotients.rs"]
mod quotients;
#[path = "long/runs.rs"]
mod runs;

use std::sync::LazyLock;

use dchess::certificate::Format;
use dchess::endgame::{State, Symmetry, Universe, value_of};
use dchess::game::{Outcome, Silent};
use dchess::rules::{parse_fen, uci};
use dchess::verify::Reason;
use proptest::prelude::*;
use support::forge::{DIGEST, HEADER, VERSION, seal_parts};
use support::suite::alone;
use support::truth;

static KQK: LazyLock<Vec<u8>> = LazyLock::new(|| support::certificate("KQK", Format::Bin));
static KRK: LazyLock<Vec<u8>> = LazyLock::new(|| support::certificate("KRK", Format::Bin));
static JSON: LazyLock<Vec<u8>> = LazyLock::new(|| support::certificate("KRK", Format::Json));

#[test]
fn no_change_of_a_byte_of_header_or_digest_is_accepted() {
    for place in (0..HEADER).chain(KQK.len() - DIGEST..KQK.len()) {
        for byte in 0..=255 {
            let mut bytes = KQK.clone();
            if std::mem::replace(&mut bytes[place], byte) != byte {
                assert!(alone(&bytes).is_err(), "byte {place} set to {byte}");
            }
        }
    }
}

proptest! {
    #![proptest_config(support::property(20_000))]

    #[test]
    fn no_change_of_a_byte_of_the_payload_is_accepted(
        place in HEADER..KQK.len() - DIGEST,
        mask in 1..=255_u8,
    ) {
        let mut bytes = KQK.clone();
        bytes[place] ^= mask;
        prop_assert_eq!(alone(&bytes).unwrap_err().reason, Reason::DigestMismatch);
    }
}

proptest! {
    #![proptest_config(support::property(100))]

    #[test]
    fn no_resealed_change_is_accepted(place in 0..KRK.len() - HEADER - DIGEST, mask in 1..=255_u8) {
        let mut payload = KRK[HEADER..KRK.len() - DIGEST].to_vec();
        payload[place] ^= mask;
        let length = payload.len() as u64;
        prop_assert!(alone(&seal_parts(VERSION, 1, 0, length, length, &payload)).is_err());
    }
}

proptest! {
    #![proptest_config(support::property(1_000))]

    /// White space and escapes are the only freedom of a JSON text; any other change is refused.
    #[test]
    fn a_changed_json_text_is_refused_or_says_the_same(place in 0..JSON.len(), mask in 1..=255_u8) {
        let mut bytes = JSON.clone();
        bytes[place] ^= mask;
        let is_space = |byte: u8| b" \t\r\n".contains(&byte);
        if is_space(JSON[place]) && is_space(bytes[place]) {
            prop_assert!(alone(&bytes).is_ok());
        } else {
            prop_assert!(alone(&bytes).is_err());
        }
    }

    /// Bytes without form, behind a header that is right.
    #[test]
    fn noise_is_refused(noise in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let length = noise.len() as u64;
        prop_assert!(alone(&noise).is_err());
        prop_assert!(alone(&seal_parts(VERSION, 1, 0, length, length, &noise)).is_err());
    }
}

#[test]
fn every_raw_state_is_looked_up_through_its_images_and_colours() {
    use dchess::rules::exchange_colors;
    let endgame = truth::endgame("KRK");
    let material = &endgame.material;
    let universe = Universe::enumerate(material, &Silent).unwrap();
    let mut raw_states = 0;
    truth::with_library("KRK", |library| {
        for index in universe.indices() {
            let state = universe.state(index);
            let value = value_of(endgame.values[index.get()]);
            let mut images: Vec<State> = Symmetry::ALL
                .iter()
                .map(|&symmetry| state.image(material, symmetry))
                .collect();
            images.sort_by_key(State::order);
            images.dedup();
            for image in images {
                raw_states += 1;
                assert_eq!(universe.number_of(&image), Some(index));
                let position = image.position(material).unwrap();
                assert_eq!(library.value(&position), Ok(value));
                assert_eq!(library.value(&exchange_colors(&position)), Ok(value));
                let moves = library.moves(&position).unwrap();
                let best = moves.first().map(|best| best.value);
                assert!(
                    best.is_none_or(|best| best == value),
                    "the best move has the position's value"
                );
            }
        }
    });
    assert_eq!(raw_states, 399_112);
}

/// Studies of which the result is known from the literature.
#[test]
fn classic_studies() {
    let outcome = |class, fen: &str| {
        let position = parse_fen(fen).unwrap();
        truth::with_library(class, |library| library.value(&position).unwrap().outcome())
    };
    // Saavedra (1895): won, and at the critical point a queen would not do: the rook gives itself up for stalemate.
    let start = "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1";
    assert_eq!(outcome("KRKP", start), Outcome::Win);
    let critical = parse_fen("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1").unwrap();
    let moves = truth::with_library("KRKP", |library| library.moves(&critical).unwrap());
    assert_eq!(uci(moves[0].mv), "c7c8r");
    let promotions: Vec<(String, Outcome)> = moves
        .iter()
        .filter(|found| found.mv.is_promotion())
        .map(|found| (uci(found.mv), found.value.outcome()))
        .collect();
    assert_eq!(promotions[0], ("c7c8r".to_owned(), Outcome::Win));
    assert!(promotions.contains(&("c7c8q".to_owned(), Outcome::Draw)));
    assert!(
        promotions[1..]
            .iter()
            .all(|(_, outcome)| *outcome != Outcome::Win)
    );
    // Reti (1921): the king catches the pawn and is drawn.
    assert_eq!(
        outcome("KPKP", "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"),
        Outcome::Draw
    );
    // The trebuchet: whoever moves loses.
    for turn in ["w", "b"] {
        let fen = format!("8/8/8/3pK3/2kP4/8/8/8 {turn} - - 0 1");
        assert_eq!(outcome("KPKP", &fen), Outcome::Loss);
    }
    // En passant makes the difference.
    let with = outcome("KPKP", "7K/k7/8/Pp6/8/8/8/8 w - b6 0 1");
    assert_ne!(with, outcome("KPKP", "7K/k7/8/Pp6/8/8/8/8 w - - 0 1"));
}

#[test]
fn four_men_have_every_figure_of_two_other_programs() {
    let classes = support::figures::classes().into_iter();
    let classes: Vec<_> = classes.filter(|name| name.len() == 4).collect();
    assert_eq!(classes.len(), 10);
    for name in classes {
        support::figures::check(name);
    }
}
