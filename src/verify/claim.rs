//! The claim of an endgame table: `endgame <MATERIAL> board dtm`, words separated by single spaces.
//!
//! A claim is matched as it stands: no other case, order, spelling or spacing is known. What follows from it is the
//! class, that is, which men stand on the board in which order of a tuple. The rules profile `board` is the only one,
//! and the rest of the island is written for it.
//!
//! Source: `docs/certificate-format.md`, *Claims*.

use super::class::Class;
use super::{Reason, Refusal};

/// The class of which the claim speaks.
pub(super) fn class_of_claim(claim: &str) -> Result<Class, Refusal> {
    let refusal = |reason| Refusal::new(reason, format_args!("claim: stored {claim}"));
    let words: Vec<&str> = claim.splitn(5, ' ').collect();
    let ["endgame", material, profile, "dtm"] = words[..] else {
        return Err(refusal(Reason::UnknownClaim));
    };
    let class = Class::from_name(material).ok_or_else(|| refusal(Reason::UnknownMaterial))?;
    match profile {
        "board" => Ok(class),
        _ => Err(refusal(Reason::UnknownRulesProfile)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_claims_are_known() {
        for (claim, letter) in [("KQK", 'Q'), ("KRK", 'R'), ("KBK", 'B'), ("KNK", 'N')] {
            let material = material_of_endgame(&format!("endgame {claim} board dtm")).unwrap();
            assert_eq!(material.map(Man::letter), ['K', letter, 'k']);
        }
    }

    #[test]
    fn every_other_line_is_refused() {
        use Reason::{UnknownClaim, UnknownMaterial, UnknownRulesProfile};
        let lines = [
            ("", UnknownClaim),
            ("endgame", UnknownClaim),
            ("endgame KQK board", UnknownClaim),
            ("endgame KQK board dtm ", UnknownClaim),
            (" endgame KQK board dtm", UnknownClaim),
            ("endgame  KQK board dtm", UnknownClaim),
            ("endgame KQK board  dtm", UnknownClaim),
            ("endgame KQK board dtz", UnknownClaim),
            ("endgame KQK board dtm now", UnknownClaim),
            ("Endgame KQK board dtm", UnknownClaim),
            ("table KQK board dtm", UnknownClaim),
            ("endgame\tKQK board dtm", UnknownClaim),
            ("endgame  board dtm", UnknownMaterial),
            ("endgame kqk board dtm", UnknownMaterial),
            ("endgame KQvK board dtm", UnknownMaterial),
            ("endgame KKQ board dtm", UnknownMaterial),
            ("endgame KPK board dtm", UnknownMaterial),
            ("endgame KK fcs dtm", UnknownMaterial),
            ("endgame KQK fcs dtm", UnknownRulesProfile),
            ("endgame KQK Board dtm", UnknownRulesProfile),
            ("endgame KQK  dtm", UnknownRulesProfile),
        ];
        for (line, reason) in lines {
            assert_eq!(
                material_of_endgame(line).unwrap_err().reason,
                reason,
                "{line}"
            );
        }
    }
}
