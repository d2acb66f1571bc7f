//! The long tier: what is exhaustive or takes many samples. `.ci/run` runs it; by hand,
//! `cargo test --test long`.

mod support;

use std::sync::LazyLock;

use dchess::certificate::Format;
use dchess::endgame::{State, Symmetry};
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
    use shakmaty::{CastlingMode, Chess, Position};
    let endgame = support::solved("KRK");
    let (table, universe) = (&endgame.table, endgame.table.universe());
    let mut raw_states = 0;
    for state in State::all() {
        let Some(index) = universe.number_of(&state) else {
            continue;
        };
        raw_states += 1;
        let value = table.values().of(index);
        let position = universe.position(&state);
        assert_eq!(table.value(&position), Ok(value));
        let mirrored = position
            .to_setup(shakmaty::EnPassantMode::Legal)
            .into_mirrored();
        let mirrored: Chess = mirrored.position(CastlingMode::Standard).unwrap();
        assert_eq!(mirrored.turn(), !position.turn());
        assert_eq!(table.value(&mirrored), Ok(value));
        for symmetry in Symmetry::ALL {
            assert_eq!(universe.number_of(&state.image(symmetry)), Some(index));
        }
        let moves = table.moves(&position).unwrap();
        let best = moves.first().map(|best| best.value);
        assert!(
            best.is_none_or(|best| best == value),
            "the best move has the value of the position"
        );
        assert_eq!(moves.len(), position.legal_moves().len());
    }
    assert_eq!(raw_states, 399_112);
}
