//! The position that `position` sets up.

use dchess::rules::parse_fen;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};

/// `startpos` or `fen …`, then perhaps `moves …`.
///
/// # Errors
///
/// Why there is no such position: the first thing that is wrong.
pub(super) fn position(words: &[&str]) -> Result<Chess, String> {
    let place = words.iter().position(|&word| word == "moves");
    let (start, moves) = words.split_at(place.unwrap_or(words.len()));
    let mut position = match start {
        ["startpos"] => Chess::default(),
        ["fen", fields @ ..] => parse_fen(&fields.join(" ")).map_err(|error| error.to_string())?,
        _ => return Err("`position` is followed by `startpos` or `fen` and a FEN".to_owned()),
    };
    for (ply, text) in moves.iter().skip(1).enumerate() {
        let mv = legal_move(&position, text)
            .ok_or_else(|| format!("move {}, `{text:.20}`, is not legal", ply + 1))?;
        position.play_unchecked(mv);
    }
    Ok(position)
}

/// The legal move with this UCI text, if there is one.
pub(super) fn legal_move(position: &Chess, text: &str) -> Option<Move> {
    let read = UciMove::from_ascii(text.as_bytes()).ok()?;
    read.to_move(position).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dchess::rules::position_fen;

    fn fen(line: &str) -> Result<String, String> {
        let words: Vec<&str> = line.split(' ').collect();
        position(&words).map(|position| position_fen(&position))
    }

    #[test]
    fn positions_are_set_up() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(fen("startpos").as_deref(), Ok(start));
        assert_eq!(fen("startpos moves").as_deref(), Ok(start));
        assert_eq!(fen(&format!("fen {start}")).as_deref(), Ok(start));
        assert_eq!(
            fen("fen 4k3/P7/8/8/8/8/8/R3K3 w Q - moves e1c1 e8e7 a7a8q").as_deref(),
            Ok("Q7/4k3/8/8/8/8/8/2KR4 b - - 0 2")
        );
        assert!(fen("startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1").is_ok());
    }

    #[test]
    fn what_cannot_be_set_up_has_its_reason() {
        for (line, part) in [
            ("", "followed by"),
            ("startpos e2e4", "followed by"),
            ("fen", "4 to 6 fields"),
            ("fen 8/8/8/8/8/8/8/8 w - -", "kings"),
            ("startpos moves e2e4 e7e9", "move 2, `e7e9`"),
            ("startpos moves e2e5", "move 1, `e2e5`"),
            ("startpos moves 0000", "move 1"),
            ("startpos moves P@e4", "move 1"),
            ("startpos moves e2e4q", "move 1"),
            ("startpos moves é2e4", "move 1"),
            ("fen 4k3/P7/8/8/8/8/8/4K3 w - - moves a7a8", "move 1"),
            ("fen 4k3/P7/8/8/8/8/8/4K3 w - - moves a7a8k", "move 1"),
        ] {
            let reason = fen(line).unwrap_err();
            assert!(reason.contains(part), "{line}: {reason}");
        }
    }
}
