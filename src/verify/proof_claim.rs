//! The claim of a proof: a position with any men, in which game it is played, and what is said of its value.
//!
//! In the complete game the fifth word of the position is the clock, and what has occurred before is nothing, or what a state
//! says that is named by its digest.
//!
//! Source: `docs/certificate-format.md`, *Claims* and *Kind 9: proof*.

use super::fen::Fen;
use super::game_state::SEVENTY_FIVE_MOVES;
use super::interval::Interval;
use super::man::Side;
use super::mate_claim::{decimal, kings};
use super::root::interval;
use super::{Id, Reason, Refusal};

/// What a claim of a proof says. The position need not be legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ProofClaim {
    pub(super) fen: Fen,
    pub(super) game: Game,
    pub(super) interval: Interval,
}

/// The game in which a position has the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Game {
    /// `board`: nothing counts that has happened.
    Board,
    /// `fcs`: the complete game.
    Complete {
        /// The clock of the position, at most 150.
        clock: u8,
        /// The digest of the state; none if no key has occurred before.
        after: Option<Id>,
    },
}

impl ProofClaim {
    /// Reads a claim: first the form of the position with its clock, then its kings, then the rest.
    pub(super) fn of(claim: &str) -> Result<ProofClaim, Refusal> {
        let refusal = |reason| Refusal::new(reason, format_args!("claim: stored {claim}"));
        let unknown = || refusal(Reason::UnknownClaim);
        // One word more than there can be shows that a line goes on.
        let words: Vec<&str> = claim.split(' ').take(13).collect();
        let [
            "interval",
            placement,
            to_move,
            rights,
            square,
            clock,
            number,
            profile,
            rest @ ..,
        ] = &words[..]
        else {
            return Err(unknown());
        };
        // Only the complete game has a clock.
        let most = if *profile == "fcs" {
            SEVENTY_FIVE_MOVES
        } else {
            0
        };
        let clock = decimal(clock, most).ok_or_else(unknown)?;
        let fen = Fen::with_castling(&[placement, to_move, rights, square, "0", number]);
        let fen = fen.ok_or_else(unknown)?;
        if Side::BOTH.into_iter().any(|side| kings(&fen, side) != 1) {
            return Err(refusal(Reason::UnknownMaterial));
        }
        let (game, low, high) = match (*profile, rest) {
            ("board", [low, high]) => (Game::Board, low, high),
            ("fcs", [low, high]) => (Game::Complete { clock, after: None }, low, high),
            ("fcs", ["after", digest, low, high]) => {
                let after = Some(digest.parse().map_err(|_| unknown())?);
                (Game::Complete { clock, after }, low, high)
            }
            ("board" | "fcs", _) => return Err(unknown()),
            _ => return Err(refusal(Reason::UnknownRulesProfile)),
        };
        let interval = interval(low, high).ok_or_else(unknown)?;
        Ok(ProofClaim {
            fen,
            game,
            interval,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4k3/8/8/8/8/8/4p3/4K2R w K - 0 1";
    const DIGEST: &str = "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn claim(line: &str) -> ProofClaim {
        ProofClaim::of(line).unwrap()
    }

    #[test]
    fn a_claim_is_read() {
        let found = claim(&format!("interval {FEN} board -1 0"));
        assert_eq!(found.game, Game::Board);
        assert_eq!((found.interval.low, found.interval.high), (-1, 0));
        assert_eq!(found.fen.rights.to_string(), "K");
        for clock in [0, 1, 99, 150] {
            let fen = FEN.replace(" 0 1", &format!(" {clock} 1"));
            let found = claim(&format!("interval {fen} fcs 0 0"));
            assert_eq!(found.game, Game::Complete { clock, after: None });
            let found = claim(&format!("interval {fen} fcs after {DIGEST} 1 1"));
            let after = Some(DIGEST.parse().unwrap());
            assert_eq!(found.game, Game::Complete { clock, after });
        }
    }

    #[test]
    fn every_other_line_is_refused() {
        use Reason::{UnknownClaim, UnknownMaterial, UnknownRulesProfile};
        let board = format!("interval {FEN} board -1 0");
        let fcs = board.replace("board", "fcs");
        let after = format!("interval {FEN} fcs after {DIGEST} 0 1");
        for (line, from, to, reason) in [
            (&board, "interval", "Interval", UnknownClaim),
            (&board, "interval", "interval ", UnknownClaim),
            (&board, "interval", " interval", UnknownClaim),
            (&board, " -1 0", "", UnknownClaim),
            (&board, " -1 0", " -1", UnknownClaim),
            (&board, " -1 0", " -1 0 ", UnknownClaim),
            (&board, " -1 0", " -1 0 1", UnknownClaim),
            (&board, " -1 0", " 0 -1", UnknownClaim),
            (&board, " -1 0", " 1 0", UnknownClaim),
            (&board, " -1 0", " -1 2", UnknownClaim),
            (&board, " -1 0", " -0 0", UnknownClaim),
            (&board, " -1 0", " after -1 0", UnknownClaim),
            (
                &board,
                "board",
                &format!("board after {DIGEST}"),
                UnknownClaim,
            ),
            (&board, " board -1 0", "", UnknownClaim),
            (&board, " 0 1 ", " 1 1 ", UnknownClaim),
            (&board, " 0 1 ", " 0 2 ", UnknownClaim),
            (&board, " K ", " QK ", UnknownClaim),
            (&fcs, " 0 1 ", " 151 1 ", UnknownClaim),
            (&fcs, " 0 1 ", " 256 1 ", UnknownClaim),
            (&fcs, " 0 1 ", " 00 1 ", UnknownClaim),
            (&fcs, " 0 1 ", " 07 1 ", UnknownClaim),
            (&fcs, " 0 1 ", " +7 1 ", UnknownClaim),
            (&fcs, " 0 1 ", " -7 1 ", UnknownClaim),
            (&fcs, " 0 1 ", "  1 ", UnknownClaim),
            (&fcs, " 0 1 ", " 7 2 ", UnknownClaim),
            (&after, "after ", "", UnknownClaim),
            (&after, "after", "before", UnknownClaim),
            (&after, "sha256:0", "sha256:", UnknownClaim),
            (&after, "sha256", "SHA256", UnknownClaim),
            (&after, "ff 0 1", "FF 0 1", UnknownClaim),
            (&after, "ff 0 1", "ff 0 1 0", UnknownClaim),
            (&after, "ff 0 1", "ff 0", UnknownClaim),
            // The profile comes before what stands behind it, and after the kings.
            (&board, "board", "Board", UnknownRulesProfile),
            (&board, "board", "", UnknownRulesProfile),
            (&board, "board -1 0", "dtm", UnknownRulesProfile),
            (&board, "board -1 0", "fcs2 0 1 2 3", UnknownRulesProfile),
            (&board, "4k3", "8", UnknownMaterial),
            (&board, "4k3", "3kk3", UnknownMaterial),
            (&fcs, "4k3", "8", UnknownMaterial),
        ] {
            let changed = line.replacen(from, to, 1);
            assert_ne!(&changed, line);
            let found = ProofClaim::of(&changed).unwrap_err();
            assert_eq!(found.reason, reason, "{changed}");
        }
        let kings = board.replace("4k3", "8").replace("board -1", "dtm x");
        assert_eq!(ProofClaim::of(&kings).unwrap_err().reason, UnknownMaterial);
        // A clock belongs to the complete game.
        let clock = board.replace(" 0 1 board", " 5 1 dtm").replace("4k3", "8");
        assert_eq!(ProofClaim::of(&clock).unwrap_err().reason, UnknownClaim);
        let long = board + &" ".repeat(1 << 20);
        assert_eq!(ProofClaim::of(&long).unwrap_err().reason, UnknownClaim);
    }
}
