//! The claim of a local proof: a position, and what is said of its value.
//!
//! The *root* is the position as its class has it: if Black has the men that the name of the class gives to White, colours
//! and ranks are exchanged, the other side is to move, and what is said of the value changes its sign.
//!
//! Source: `docs/certificate-format.md`, *Claims* and *Kind 4: local proof*.

use super::fen::Fen;
use super::interval::Interval;
use super::man::{Man, Side};
use super::material::Material;
use super::position::Position;
use super::squares::Squares;
use super::symmetry::RANKS_FLIPPED;
use super::{Reason, Refusal};

/// The position of a claim as its class has it, whether it is legal or not, and what is said of its value.
pub(super) struct Root {
    pub(super) material: Material,
    squares: Squares,
    to_move: Side,
    en_passant: Option<u8>,
    pub(super) interval: Interval,
}

impl Root {
    /// The root of a claim: first its form as far as the position goes, then the material, the profile, and the bounds.
    pub(super) fn of(claim: &str) -> Result<Root, Refusal> {
        let refusal = |reason| Refusal::new(reason, format_args!("claim: stored {claim}"));
        let unknown = || refusal(Reason::UnknownClaim);
        // One word more than there can be shows that a line goes on.
        let words: Vec<&str> = claim.split(' ').take(11).collect();
        let ["interval", fen @ .., profile, low, high] = &words[..] else {
            return Err(unknown());
        };
        let fen = Fen::of_words(fen).ok_or_else(unknown)?;
        let men: Vec<_> = fen.men.iter().map(|&(man, _)| man).collect();
        let material = Material::of_class(&men);
        let (material, flipped) = material.ok_or_else(|| refusal(Reason::UnknownMaterial))?;
        if *profile != "board" {
            return Err(refusal(Reason::UnknownRulesProfile));
        }
        let interval = interval(low, high).ok_or_else(unknown)?;
        let root = Root {
            squares: placed(&material, &fen.men, flipped),
            material,
            to_move: fen.to_move,
            en_passant: fen.en_passant,
            interval,
        };
        Ok(match flipped {
            true => root.exchanged(),
            false => root,
        })
    }

    /// The root on the other side of the board, for the other side.
    fn exchanged(self) -> Root {
        Root {
            squares: self.squares.image(RANKS_FLIPPED),
            to_move: self.to_move.other(),
            en_passant: self.en_passant.map(|square| RANKS_FLIPPED.image(square)),
            interval: self.interval.exchanged(),
            ..self
        }
    }

    /// The position, if it is a raw legal state, or with an en-passant square a raw en-passant state.
    pub(super) fn position(&self) -> Option<Position<'_>> {
        let position = Position::new(&self.material, self.squares, self.to_move)?;
        let is_legal = position.is_raw_legal() && position.may_have(self.en_passant);
        is_legal.then_some(Position {
            en_passant: self.en_passant,
            ..position
        })
    }
}

/// The squares of men in the order of the material, which is theirs, with colours exchanged if they are so in the class.
pub(super) fn placed(material: &Material, men: &[(Man, u8)], flipped: bool) -> Squares {
    let mut left = men.to_vec();
    Squares::of(material.men().iter().map(|wanted| {
        let side = match flipped {
            true => wanted.side.other(),
            false => wanted.side,
        };
        let mut men = left.iter();
        let index = men.position(|(man, _)| man.side == side && man.kind == wanted.kind);
        index.map_or(0, |index| left.remove(index).1)
    }))
}

/// The bounds with these texts, the lower one not above the upper one.
pub(super) fn interval(low: &str, high: &str) -> Option<Interval> {
    let [low, high] = [low, high].map(|text| match text {
        "-1" => Some(-1),
        "0" => Some(0),
        "1" => Some(1),
        _ => None,
    });
    let (low, high) = (low?, high?);
    (low <= high).then_some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_is_as_its_class_has_it() {
        // The claim, the class, the position there and its interval; the men of the last class are the same for both sides.
        let claims = [
            (
                "8/8/8/8/8/2k5/1R6/K7 w - - 0 1 board 0 1",
                "KRK",
                "8/8/8/8/8/2k5/1R6/K7 w - - 0 1",
                (0, 1),
            ),
            (
                "8/8/8/8/8/2K5/1r6/k7 b - - 0 1 board -1 0",
                "KRK",
                "K7/1R6/2k5/8/8/8/8/8 w - - 0 1",
                (0, 1),
            ),
            (
                "8/8/8/8/8/2K5/1r6/k7 w - - 0 1 board -1 -1",
                "KRK",
                "K7/1R6/2k5/8/8/8/8/8 b - - 0 1",
                (1, 1),
            ),
            (
                "7k/8/8/3pP3/8/8/r7/7K w - d6 0 1 board -1 1",
                "KRPKP",
                "7k/R7/8/8/3Pp3/8/8/7K b - d3 0 1",
                (-1, 1),
            ),
            (
                "7k/8/8/3pP3/8/8/8/7K w - d6 0 1 board 0 0",
                "KPKP",
                "7k/8/8/3pP3/8/8/8/7K w - d6 0 1",
                (0, 0),
            ),
        ];
        for (claim, name, fen, (low, high)) in claims {
            let root = Root::of(&format!("interval {claim}")).unwrap();
            assert_eq!(root.material.name(), name);
            assert_eq!(root.position().unwrap().to_string(), fen);
            assert_eq!(root.interval, Interval { low, high });
        }
    }

    #[test]
    fn every_other_line_is_refused() {
        use Reason::{UnknownClaim, UnknownMaterial, UnknownRulesProfile};
        let good = "interval 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 board 1 1";
        assert!(Root::of(good).is_ok());
        let changes = [
            (good, "", UnknownClaim),
            (good, "interval", UnknownClaim),
            (good, "interval   ", UnknownClaim),
            (good, "interval         ", UnknownClaim),
            ("interval ", "", UnknownClaim),
            ("interval ", "Interval ", UnknownClaim),
            ("interval ", "interval  ", UnknownClaim),
            ("interval ", " interval ", UnknownClaim),
            ("interval ", "bounds ", UnknownClaim),
            (" board", "", UnknownClaim),
            (" board", "  board", UnknownClaim),
            ("board 1 1", "board 1", UnknownClaim),
            ("board 1 1", "board", UnknownClaim),
            ("board 1 1", "board 1 1 ", UnknownClaim),
            ("board 1 1", "board 1 1 1", UnknownClaim),
            ("board 1 1", "board  1 1", UnknownClaim),
            ("board 1 1", "board 1  1", UnknownClaim),
            ("board 1 1", "board 1 0", UnknownClaim),
            ("board 1 1", "board 0 -1", UnknownClaim),
            ("board 1 1", "board 2 2", UnknownClaim),
            ("board 1 1", "board 0 2", UnknownClaim),
            ("board 1 1", "board -2 0", UnknownClaim),
            ("board 1 1", "board +1 1", UnknownClaim),
            ("board 1 1", "board -0 0", UnknownClaim),
            ("board 1 1", "board 01 1", UnknownClaim),
            ("board 1 1", "board - 1", UnknownClaim),
            (" w ", " x ", UnknownClaim),
            ("K7", "K6", UnknownClaim),
            ("K7", "K61", UnknownClaim),
            (" 0 1 ", " 0 2 ", UnknownClaim),
            ("- - 0", "- e3 0", UnknownClaim),
            // The form of the position comes before the material, that before the profile, and that before the bounds.
            ("1R6/K7 w - - 0 1", "8/K7 w - - 1 1", UnknownClaim),
            ("1R6", "8", UnknownMaterial),
            ("1R6", "RRRR4", UnknownMaterial),
            ("2k5", "8", UnknownMaterial),
            ("2k5", "2kk4", UnknownMaterial),
            ("K7", "8", UnknownMaterial),
            ("K7", "KK6", UnknownMaterial),
            ("8/8", "PPPPPPPP/8", UnknownMaterial),
            (
                "1R6/K7 w - - 0 1 board",
                "8/K7 w - - 0 1 fcs",
                UnknownMaterial,
            ),
            (
                "1R6/K7 w - - 0 1 board 1",
                "8/K7 w - - 0 1 board 2",
                UnknownMaterial,
            ),
            ("board", "fcs", UnknownRulesProfile),
            ("board", "Board", UnknownRulesProfile),
            ("board 1 1", "fcs 1 0", UnknownRulesProfile),
            ("board 1 1", " 1 1", UnknownRulesProfile),
        ];
        for (from, to, reason) in changes {
            let changed = good.replacen(from, to, 1);
            assert_ne!(changed, good);
            let found = Root::of(&changed).map(|_| ()).unwrap_err();
            assert_eq!(found.reason, reason, "{changed}");
        }
        let long = good.to_string() + &" ".repeat(1 << 20);
        assert_eq!(Root::of(&long).err().unwrap().reason, UnknownClaim);
    }

    #[test]
    fn illegal_positions() {
        let is_legal = |fen: &str| {
            let root = Root::of(&format!("interval {fen} board -1 1")).unwrap();
            root.position().is_some()
        };
        for fen in [
            "8/8/8/8/8/2k5/1R6/K7 b - - 0 1",
            "8/8/8/8/8/2k4R/8/K7 b - - 0 1",
            "7k/8/8/3pP3/8/8/8/7K w - d6 0 1",
            "7k/8/8/3pP3/8/8/8/7K w - - 0 1",
            "7k/8/8/8/3pP3/8/8/7K b - e3 0 1",
            // What need not have come about in a game.
            "7k/5N2/6N1/8/8/8/8/K7 b - - 0 1",
        ] {
            assert!(is_legal(fen), "{fen}");
        }
        for fen in [
            // Black is in check and White to move; kings side by side; pawns on edge ranks.
            "8/8/8/8/8/2k4R/8/K7 w - - 0 1",
            "8/8/8/8/8/7R/1k6/K7 w - - 0 1",
            "8/8/8/8/8/7R/1k6/K7 b - - 0 1",
            "7k/8/8/8/8/8/8/K6P w - - 0 1",
            "6Pk/8/8/8/8/8/8/K7 w - - 0 1",
            "k7/8/8/8/8/8/8/6pK w - - 0 1",
            // No pawn; none that captures; the square or the one behind it taken; the wrong side; a class without.
            "7k/8/8/3pP3/8/8/8/7K w - e6 0 1",
            "7k/8/8/3pP3/8/8/8/7K w - c6 0 1",
            "7k/8/8/3p1P2/8/8/8/7K w - d6 0 1",
            "7k/8/3N4/3pP3/8/8/8/7K w - d6 0 1",
            "7k/3N4/8/3pP3/8/8/8/7K w - d6 0 1",
            "7k/8/8/3pP3/8/8/8/7K b - d3 0 1",
            "8/8/8/8/8/2k5/1R6/K7 w - a6 0 1",
            "7k/8/8/3pN3/8/8/8/7K w - d6 0 1",
            // The capture lays the king open.
            "7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
        ] {
            assert!(!is_legal(fen), "{fen}");
        }
    }
}
