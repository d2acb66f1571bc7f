//! The claim of orderings: how many positions there are, and from which seed they are drawn.
//!
//! Source: `docs/certificate-format.md`, *Claims* and *Kind 7: orderings*.

use super::{Reason, Refusal};

/// The most positions.
const MOST_POSITIONS: u64 = 1_000_000;

/// What is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OrderingsClaim {
    /// How many positions there are; one at least.
    pub(super) positions: u64,
    pub(super) seed: u64,
}

impl OrderingsClaim {
    /// Reads a claim.
    pub(super) fn of(claim: &str) -> Result<OrderingsClaim, Refusal> {
        let numbers = claim.strip_prefix("orderings of ").and_then(|rest| {
            let (positions, seed) = rest.split_once(" positions from seed ")?;
            let positions = number(positions)?;
            let is_known = (1..=MOST_POSITIONS).contains(&positions);
            is_known.then_some(OrderingsClaim {
                positions,
                seed: number(seed)?,
            })
        });
        numbers.ok_or_else(|| {
            let place = format_args!("claim: stored {claim}");
            Refusal::new(Reason::UnknownClaim, place)
        })
    }
}

/// The number with a text without leading zeros and without a sign.
fn number(text: &str) -> Option<u64> {
    let is_decimal = text.bytes().all(|digit| digit.is_ascii_digit());
    let has_zeros = text.len() > 1 && text.starts_with('0');
    text.parse().ok().filter(|_| is_decimal && !has_zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_claims_of_the_page() {
        for (claim, positions, seed) in [
            ("orderings of 8 positions from seed 20260915", 8, 20_260_915),
            ("orderings of 1 positions from seed 0", 1, 0),
            ("orderings of 1000000 positions from seed 1", 1_000_000, 1),
            (
                "orderings of 10 positions from seed 18446744073709551615",
                10,
                u64::MAX,
            ),
        ] {
            let found = OrderingsClaim::of(claim);
            assert_eq!(found, Ok(OrderingsClaim { positions, seed }));
        }
    }

    #[test]
    fn every_other_line_is_refused() {
        let good = "orderings of 8 positions from seed 15";
        assert!(OrderingsClaim::of(good).is_ok());
        let changes = [
            (good, ""),
            (good, "orderings"),
            (good, "orderings of 8 positions"),
            (good, "orderings of 8 positions from seed"),
            (good, "orderings of 8 positions from seed "),
            (good, "orderings of positions from seed 15"),
            (good, "orderings of 15 from seed 8"),
            (good, "bundle of 8 mates"),
            ("orderings", "Orderings"),
            ("orderings", "ordering"),
            ("orderings", " orderings"),
            ("orderings ", "orderings  "),
            ("positions", "position"),
            ("positions", "Positions"),
            ("positions", "positions "),
            (" positions", "  positions"),
            ("from", "of"),
            ("from", " from"),
            ("seed", "seeds"),
            ("seed", "seed "),
            (" 8 ", " 0 "),
            (" 8 ", " 00 "),
            (" 8 ", " 08 "),
            (" 8 ", " +8 "),
            (" 8 ", " -8 "),
            (" 8 ", " 8.0 "),
            (" 8 ", " 8e1 "),
            (" 8 ", " 0x8 "),
            (" 8 ", " 1_000 "),
            (" 8 ", " eight "),
            (" 8 ", " 1000001 "),
            (" 8 ", " 4294967304 "),
            (" 8 ", " 18446744073709551624 "),
            (" 15", " 015"),
            (" 15", " 00"),
            (" 15", " +15"),
            (" 15", " -15"),
            (" 15", " -0"),
            (" 15", " 15 "),
            (" 15", " 15."),
            (" 15", " f"),
            (" 15", " 18446744073709551616"),
            (" 15", " 340282366920938463463374607431768211471"),
            (" 15", " 15 positions from seed 15"),
            (" 15", " \u{661}"),
        ];
        for (from, to) in changes {
            let changed = good.replacen(from, to, 1);
            assert_ne!(changed, good);
            let refusal = OrderingsClaim::of(&changed).unwrap_err();
            assert_eq!(refusal.reason, Reason::UnknownClaim, "{changed}");
        }
        let long = good.to_string() + &"1".repeat(1 << 20);
        assert!(OrderingsClaim::of(&long).is_err());
    }
}
