//! The claim of an abstraction: of which class it is, how far it looks ahead, and how much it decides in how many blocks.
//!
//! The form of the line, its numbers included, is judged first, then the material, then the profile; and last, whether it
//! names the children of the class, which is known when the class is.
//!
//! Source: `docs/certificate-format.md`, *Claims* and *Kind 8: abstraction*.

use super::claim::names_children;
use super::material::Material;
use super::{Reason, Refusal};

/// What an abstraction claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractionClaim {
    pub(super) material: Material,
    /// How many plies are looked ahead; odd.
    pub horizon: u8,
    /// How many states have a block whose two bounds are the same.
    pub decided: u32,
    /// How many blocks there are.
    pub blocks: u32,
}

impl AbstractionClaim {
    /// Reads a claim.
    ///
    /// # Errors
    ///
    /// [`Reason::UnknownClaim`], [`Reason::UnknownMaterial`] or [`Reason::UnknownRulesProfile`].
    pub fn of(claim: &str) -> Result<AbstractionClaim, Refusal> {
        let refusal = |reason| Refusal::new(reason, format_args!("claim: stored {claim}"));
        let words = Words::of(claim).ok_or_else(|| refusal(Reason::UnknownClaim))?;
        let material = Material::of_name(words.material);
        let found = AbstractionClaim {
            material: material.ok_or_else(|| refusal(Reason::UnknownMaterial))?,
            horizon: words.horizon,
            decided: words.decided,
            blocks: words.blocks,
        };
        if words.profile != "board" {
            return Err(refusal(Reason::UnknownRulesProfile));
        }
        match found.line() == claim {
            true => Ok(found),
            false => Err(refusal(Reason::UnknownClaim)),
        }
    }

    /// The name of the class.
    pub fn class(&self) -> String {
        self.material.name()
    }

    /// The whole line.
    fn line(&self) -> String {
        let AbstractionClaim {
            material,
            horizon,
            decided,
            blocks,
        } = self;
        let (class, from) = (material.name(), material.children_clause());
        format!(
            "abstraction {class} board horizon {horizon} decides {decided} states in {blocks} blocks{from}"
        )
    }
}

/// The words of a claim that differ from claim to claim.
struct Words<'a> {
    material: &'a str,
    profile: &'a str,
    horizon: u8,
    decided: u32,
    blocks: u32,
}

impl<'a> Words<'a> {
    /// The words of a line of the form; none if it is not of the form.
    fn of(claim: &'a str) -> Option<Words<'a>> {
        let rest = claim.strip_prefix("abstraction ")?;
        let (material, rest) = rest.split_once(' ')?;
        let (profile, rest) = rest.split_once(' ')?;
        let (horizon, rest) = rest.strip_prefix("horizon ")?.split_once(" decides ")?;
        let (decided, rest) = rest.split_once(" states in ")?;
        let (blocks, rest) = rest.split_once(" blocks")?;
        let can_end = rest.is_empty() || rest.strip_prefix(' ').is_some_and(names_children);
        let horizon = u8::try_from(number(horizon)?).ok()?;
        let words = Words {
            material,
            profile,
            horizon,
            decided: number(decided)?,
            blocks: number(blocks)?,
        };
        (can_end && horizon % 2 == 1).then_some(words)
    }
}

/// The number below 2³² with a text without leading zeros and without a sign.
pub(super) fn number(text: &str) -> Option<u32> {
    let is_decimal = text.bytes().all(|digit| digit.is_ascii_digit());
    let has_zeros = text.len() > 1 && text.starts_with('0');
    text.parse().ok().filter(|_| is_decimal && !has_zeros)
}

#[cfg(test)]
mod tests {
    use super::super::certificate_kind::CertificateKind;
    use super::super::claim::{class_of, needed_by, rank};
    use super::*;

    #[test]
    fn the_claims_of_the_page() {
        for (claim, class, horizon, decided, blocks) in [
            (
                "abstraction KRK board horizon 3 decides 50015 states in 600 blocks",
                "KRK",
                3,
                50_015,
                600,
            ),
            (
                "abstraction KPK board horizon 255 decides 0 states in 1 blocks from KQK KRK",
                "KPK",
                255,
                0,
                1,
            ),
            (
                "abstraction KPKP board horizon 1 decides 4294967295 states in 4294967295 blocks \
                from KBKP KNKP KPK KQKP KRKP",
                "KPKP",
                1,
                u32::MAX,
                u32::MAX,
            ),
            // No tree has as few leaves, but that is found when they are counted.
            (
                "abstraction KBNK board horizon 1 decides 1 states in 0 blocks",
                "KBNK",
                1,
                1,
                0,
            ),
        ] {
            let found = AbstractionClaim::of(claim).unwrap();
            assert_eq!(found.class(), class);
            assert_eq!(
                (found.horizon, found.decided, found.blocks),
                (horizon, decided, blocks)
            );
            assert_eq!(needed_by(claim), found.material.needed_children());
            assert_eq!(rank(claim), rank(&found.material.claim()));
            for kind in CertificateKind::ALL {
                let is_its = kind == CertificateKind::Abstraction;
                assert_eq!(class_of(kind, claim).is_ok(), is_its);
            }
        }
    }

    #[test]
    fn every_other_line_is_refused() {
        use Reason::{UnknownClaim, UnknownMaterial, UnknownRulesProfile};
        let good = "abstraction KPK board horizon 3 decides 5 states in 7 blocks from KQK KRK";
        assert!(AbstractionClaim::of(good).is_ok());
        for (from, to, reason) in [
            (good, "", UnknownClaim),
            (good, "abstraction", UnknownClaim),
            (good, "abstraction KPK board", UnknownClaim),
            (good, "bounds KPK board from KQK KRK", UnknownClaim),
            ("abstraction", " abstraction", UnknownClaim),
            ("abstraction", "Abstraction", UnknownClaim),
            ("abstraction ", "abstraction  ", UnknownClaim),
            ("KPK ", "KPK  ", UnknownClaim),
            ("KPK ", " ", UnknownMaterial),
            ("board ", " ", UnknownRulesProfile),
            ("KPK", "KXK", UnknownMaterial),
            ("KPK", "kpk", UnknownMaterial),
            ("KPK", "KKP", UnknownMaterial),
            ("KPK board", "KXK fcs", UnknownMaterial),
            ("board", "fcs", UnknownRulesProfile),
            ("board", "Board", UnknownRulesProfile),
            ("board ", "board  ", UnknownClaim),
            ("horizon", "Horizon", UnknownClaim),
            ("horizon 3 ", "", UnknownClaim),
            (" 3 ", " 0 ", UnknownClaim),
            (" 3 ", " 2 ", UnknownClaim),
            (" 3 ", " 03 ", UnknownClaim),
            (" 3 ", " +3 ", UnknownClaim),
            (" 3 ", " -3 ", UnknownClaim),
            (" 3 ", " 256 ", UnknownClaim),
            (" 3 ", " 257 ", UnknownClaim),
            (" 3 ", "  3 ", UnknownClaim),
            (" 3 ", " 3  ", UnknownClaim),
            (" 3 ", "  ", UnknownClaim),
            (" 3 ", " three ", UnknownClaim),
            ("decides", "decide", UnknownClaim),
            (" 5 ", " 05 ", UnknownClaim),
            (" 5 ", " 00 ", UnknownClaim),
            (" 5 ", " +5 ", UnknownClaim),
            (" 5 ", " 4294967296 ", UnknownClaim),
            (" 5 ", " 18446744073709551621 ", UnknownClaim),
            (" 5 ", " 5.0 ", UnknownClaim),
            (" 5 ", " 5  ", UnknownClaim),
            ("states in", "state in", UnknownClaim),
            ("states in", "states of", UnknownClaim),
            (" 7 ", " 07 ", UnknownClaim),
            (" 7 ", " 4294967296 ", UnknownClaim),
            (" 7 ", "  7 ", UnknownClaim),
            (" 7 ", " 7  ", UnknownClaim),
            ("blocks", "block", UnknownClaim),
            ("blocks from KQK KRK", "blocks", UnknownClaim),
            ("blocks from KQK KRK", "blocks ", UnknownClaim),
            ("blocks from", "blocksfrom", UnknownClaim),
            ("blocks from", "blocks  from", UnknownClaim),
            ("from KQK KRK", "from", UnknownClaim),
            ("from KQK KRK", "from ", UnknownClaim),
            ("from KQK KRK", "from KQK", UnknownClaim),
            ("from KQK KRK", "from KRK KQK", UnknownClaim),
            ("KQK KRK", "KQK KRK KRK", UnknownClaim),
            ("KQK KRK", "KQK KRK ", UnknownClaim),
            ("KQK KRK", "KQK  KRK", UnknownClaim),
            ("KQK KRK", " KQK KRK", UnknownClaim),
            ("from", "of", UnknownClaim),
            // A class without children names none.
            ("KPK", "KQK", UnknownClaim),
            // The form comes first, its numbers with it; then the material, then the profile, then the children.
            ("KPK board horizon 3", "KXK fcs horizon 2", UnknownClaim),
            ("KPK board", "KQK fcs", UnknownRulesProfile),
        ] {
            let changed = good.replacen(from, to, 1);
            assert_ne!(changed, good);
            let found = AbstractionClaim::of(&changed).unwrap_err();
            assert_eq!(found.reason, reason, "{changed}");
        }
        let long = good.to_string() + &"1".repeat(1 << 20);
        assert!(AbstractionClaim::of(&long).is_err());
    }
}
