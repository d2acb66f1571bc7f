//! The long tier: what is exhaustive or takes many samples. `.ci/run` runs it; by hand,
//! `cargo test --test long`.

mod support;

use std::sync::LazyLock;

use dchess::certificate::Format;
use dchess::endgame::{Library, State, Symmetry, Universe, value_of};
use dchess::game::Silent;
use dchess::verify::{Reason, Refusal};
use proptest::prelude::*;
use support::forge::seal_parts;

const HEADER: usize = 33;
const DIGEST: usize = 32;

static KQK: LazyLock<Vec<u8>> = LazyLock::new(|| support::certificate("KQK", Format::Bin));
static KRK: LazyLock<Vec<u8>> = LazyLock::new(|| support::certificate("KRK", Format::Bin));
static JSON: LazyLock<Vec<u8>> = LazyLock::new(|| support::certificate("KRK", Format::Json));

fn island(bytes: &[u8]) -> Result<(), Refusal> {
    let certificate = dchess::verify::read(&mut &*bytes)?;
    dchess::verify::verify(&certificate).map(|_| ())
}

#[test]
fn no_change_of_a_byte_of_header_or_digest_is_accepted() {
    for place in (0..HEADER).chain(KQK.len() - DIGEST..KQK.len()) {
        for byte in 0..=255 {
            let mut bytes = KQK.clone();
            if std::mem::replace(&mut bytes[place], byte) != byte {
                assert!(island(&bytes).is_err(), "byte {place} set to {byte}");
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
        prop_assert_eq!(island(&bytes).unwrap_err().reason, Reason::DigestMismatch);
    }
}

proptest! {
    #![proptest_config(support::property(600))]

    #[test]
    fn no_resealed_change_is_accepted(place in 0..KRK.len() - HEADER - DIGEST, mask in 1..=255_u8) {
        let mut payload = KRK[HEADER..KRK.len() - DIGEST].to_vec();
        payload[place] ^= mask;
        let length = payload.len() as u64;
        prop_assert!(island(&seal_parts(1, 1, 0, length, length, &payload)).is_err());
    }

    /// White space and escapes are the only freedom of a JSON text; any other change is refused.
    #[test]
    fn a_changed_json_text_is_refused_or_says_the_same(place in 0..JSON.len(), mask in 1..=255_u8) {
        let mut bytes = JSON.clone();
        bytes[place] ^= mask;
        let is_space = |byte: u8| b" \t\r\n".contains(&byte);
        if is_space(JSON[place]) && is_space(bytes[place]) {
            prop_assert!(island(&bytes).is_ok());
        } else {
            prop_assert!(island(&bytes).is_err());
        }
    }

    /// Bytes without form, behind a header that is right.
    #[test]
    fn noise_is_refused(noise in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let length = noise.len() as u64;
        prop_assert!(island(&noise).is_err());
        prop_assert!(island(&seal_parts(1, 1, 0, length, length, &noise)).is_err());
    }
}

#[test]
fn every_raw_state_is_looked_up_through_its_images_and_colours() {
    use dchess::rules::exchange_colors;
    let (endgame, library) = support::solved("KRK");
    let material = &endgame.material;
    let universe = Universe::enumerate(material, &Silent).unwrap();
    let mut raw_states = 0;
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
    assert_eq!(raw_states, 399_112);
}

/// Studies of which the result is known from the literature.
#[test]
fn classic_studies() {
    use dchess::game::Outcome;
    use dchess::rules::{parse_fen, uci};
    let (_, library) = support::solved("KRKP");
    let (_, pawns) = support::solved("KPKP");
    let outcome =
        |library: &Library, fen: &str| library.value(&parse_fen(fen).unwrap()).unwrap().outcome();
    // Saavedra (1895): won, and only by promoting to a rook in the end.
    let saavedra = "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1";
    assert_eq!(outcome(&library, saavedra), Outcome::Win);
    let line = library.best_line(&parse_fen(saavedra).unwrap()).unwrap();
    let texts: Vec<String> = line.iter().map(|&mv| uci(mv)).collect();
    assert!(texts.contains(&"c7c8r".to_owned()), "{texts:?}");
    // Reti (1921): the king catches the pawn and is drawn.
    assert_eq!(
        outcome(&pawns, "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"),
        Outcome::Draw
    );
    // The trebuchet: whoever moves loses.
    for turn in ["w", "b"] {
        let fen = format!("8/8/8/3pK3/2kP4/8/8/8 {turn} - - 0 1");
        assert_eq!(outcome(&pawns, &fen), Outcome::Loss);
    }
    // En passant makes the difference.
    let with = outcome(&pawns, "7K/k7/8/Pp6/8/8/8/8 w - b6 0 1");
    assert_ne!(with, outcome(&pawns, "7K/k7/8/Pp6/8/8/8/8 w - - 0 1"));
}

/// The rows of a figures file after the two header lines.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().skip(2).map(|line| line.split('\t').collect())
}

#[test]
fn four_men_have_the_figures_of_two_other_programs() {
    let number = |text: &str| text.parse::<u64>().unwrap();
    for row in rows(include_str!("figures/endgames.tsv")).filter(|row| row[0].len() == 4) {
        let name = row[0];
        let (endgame, _) = support::solved(name);
        let found = &endgame.summary;
        let column = |place: usize| number(row[place]);
        let raw: u64 = [4, 5, 6, 12, 13, 14].into_iter().map(column).sum();
        let longest = [7, 8, 15, 16].into_iter().map(column).max().unwrap();
        assert_eq!(u64::from(found.max_dtm.get()), longest, "{name}");
        // There like men are told apart, here they are not: raw counts are halved, canonical
        // ones cannot be compared.
        if ["KBBK", "KNNK"].contains(&name) {
            assert_eq!(2 * found.raw_states, raw, "{name}");
            continue;
        }
        assert_eq!(found.raw_states, raw, "{name}");
        let results = |side: dchess::endgame::Results| [side.wins, side.draws, side.losses];
        assert_eq!(results(found.white), [1, 2, 3].map(column), "{name}");
        assert_eq!(results(found.black), [9, 10, 11].map(column), "{name}");
        let zugzwangs = found.mutual_zugzwangs;
        let zugzwangs = [
            zugzwangs.white_draws_black_loses,
            zugzwangs.white_loses_black_draws,
            zugzwangs.full_point,
        ];
        assert_eq!(zugzwangs, [17, 18, 19].map(column), "{name}");
        let expected: Vec<_> = rows(include_str!("figures/endgames-dtm.tsv"))
            .filter(|row| row[0] == name)
            .map(|row| {
                (
                    row[1].to_owned(),
                    row[2].to_owned(),
                    number(row[3]),
                    number(row[4]),
                )
            })
            .collect();
        let histogram: Vec<_> = found
            .histogram
            .iter()
            .map(|row| {
                (
                    row.side.to_owned(),
                    row.result.to_owned(),
                    row.plies.into(),
                    row.states,
                )
            })
            .collect();
        assert_eq!(histogram, expected, "{name}");
    }
}

#[test]
fn a_class_with_all_its_children_is_solved_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = support::dchess()
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (text, output.status.code().unwrap())
    };
    assert_eq!(run(&["solve-endgame", "KPKP", "--quiet"]).1, 0);
    let (text, code) = run(&["verify", "certificates"]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(text.matches("s VERIFIED").count(), 18);
    // Alone it rests on nothing, and the checker says so.
    let (text, code) = run(&["verify", "certificates/KPKP.bin"]);
    assert!(
        text.contains("s DECLINED") && text.contains("missing children"),
        "{text}"
    );
    assert_eq!(code, 2);
    // The best line goes through promotion and capture, and the tables of both.
    let fen = "8/1k6/7P/8/8/8/p7/7K w - - 0 1";
    let (text, _) = run(&["probe", "certificates/KPKP.bin", fen]);
    assert!(text.contains("best line") && text.contains("#"), "{text}");
    // A table that was changed is not used, and named.
    let child = folder.path().join("certificates/KQKP.bin");
    let mut bytes = std::fs::read(&child).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&child, bytes).unwrap();
    let output = support::dchess()
        .args(["solve-endgame", "KPKP", "--quiet"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("KQKP.bin") && text.contains("digest mismatch"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(2));
    // The mutual zugzwangs of two other programs (figures/endgames.tsv).
    for (kind, count) in [
        ("white-draws-black-loses", 106),
        ("white-loses-black-draws", 106),
        ("full-point", 30),
    ] {
        let (text, _) = run(&[
            "mine",
            "certificates/KPKP.bin",
            "--zugzwang",
            "--kind",
            kind,
        ]);
        assert_eq!(text.lines().count(), count, "{kind}");
    }
    // The en-passant move of the literature is found through the tables.
    let fen = "7K/k7/8/Pp6/8/8/8/8 w - b6 0 1";
    let (text, _) = run(&["probe", "certificates/KPKP.bin", fen]);
    assert!(text.contains("axb6+"), "{text}");
}

#[test]
fn syzygy_tables_agree() {
    let Some(data) = std::env::var_os("DCHESS_DATA") else {
        println!("NOT RUN: syzygy_tables_agree");
        return;
    };
    let tables = std::path::Path::new(&data).join("syzygy");
    for name in ["KQK", "KPK", "KNNK"] {
        let output = support::dchess()
            .args(["crosscheck", name, "--json", "--syzygy"])
            .arg(&tables)
            .output()
            .unwrap();
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["mismatches"], 0, "{found}");
        assert_eq!(output.status.code(), Some(0), "{found}");
    }
}
