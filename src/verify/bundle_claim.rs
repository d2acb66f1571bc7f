//! The claim of a bundle: how many mates are in it.
//!
//! Source: `docs/certificate-format.md`, *Claims* and *Kind 6: bundle*.

use super::{Reason, Refusal};

/// How many mates a claim says that there are; one at least.
pub(super) fn number_of_mates(claim: &str) -> Result<u32, Refusal> {
    let number = claim.strip_prefix("bundle of ").and_then(|rest| {
        let number = rest.strip_suffix(" mates")?;
        // Without leading zeros, so not 0 either, and without a sign.
        let is_decimal = number.bytes().all(|digit| digit.is_ascii_digit());
        let has_zeros = number.starts_with('0');
        number.parse().ok().filter(|_| is_decimal && !has_zeros)
    });
    number.ok_or_else(|| {
        let place = format_args!("claim: stored {claim}");
        Refusal::new(Reason::UnknownClaim, place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_claims_of_the_page() {
        for (number, text) in [(1, "1"), (10, "10"), (600, "600"), (u32::MAX, "4294967295")] {
            let claim = format!("bundle of {text} mates");
            assert_eq!(number_of_mates(&claim), Ok(number));
        }
    }

    #[test]
    fn every_other_line_is_refused() {
        for claim in [
            "",
            "bundle",
            "bundle of mates",
            "bundle of  mates",
            "bundle of 0 mates",
            "bundle of 00 mates",
            "bundle of 01 mates",
            "bundle of +1 mates",
            "bundle of -1 mates",
            "bundle of 1.0 mates",
            "bundle of 1e3 mates",
            "bundle of 0x10 mates",
            "bundle of 1_000 mates",
            "bundle of 1,000 mates",
            "bundle of 4294967296 mates",
            "bundle of 18446744073709551617 mates",
            "bundle of one mates",
            "bundle of 1 mate",
            "bundle of 2 mates ",
            " bundle of 2 mates",
            "bundle of  2 mates",
            "bundle of 2  mates",
            "bundle  of 2 mates",
            "Bundle of 2 mates",
            "bundle of 2 Mates",
            "bundle of 2 tables",
            "bundle of 2",
            "2 mates",
            "mate 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1 in 1",
        ] {
            let refusal = number_of_mates(claim).unwrap_err();
            assert_eq!(refusal.reason, Reason::UnknownClaim, "{claim}");
        }
    }
}
