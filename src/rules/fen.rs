//! Reading a FEN written by anybody, with a reason when it is not a legal position.
//!
//! The reader is stricter than shakmaty's: four to six fields, no variant notation, and castling
//! rights and the en-passant square must fit the placement.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{Board, Chess, Color, PositionErrorKinds, Rank, Setup, Square};
use thiserror::Error;

use super::position;

/// Why a text is not the FEN of a legal position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the message of each says what it is
pub enum FenError {
    #[error("a FEN has 4 to 6 fields separated by spaces, this one has {found}{hint}", hint = quotes_hint(*.found))]
    Fields { found: usize },
    #[error("the placement has {found} ranks instead of 8")]
    Ranks { found: usize },
    #[error("rank {rank} has {found} squares instead of 8")]
    RankLength { rank: usize, found: usize },
    #[error("`{}` in rank {rank} is neither a piece (KQRBNP, kqrbnp) nor a digit from 1 to 8", .found.escape_default())]
    Piece { rank: usize, found: char },
    #[error("the side to move is `{found}` instead of `w` or `b`")]
    Turn { found: String },
    #[error("the castling field is `{found}` instead of `-` or some of `KQkq`")]
    Castling { found: String },
    #[error("the castling rights `{found}` do not fit the places of kings and rooks")]
    CastlingPlaces { found: String },
    #[error(
        "the en-passant field `{found}` is neither `-` nor a square that a pawn has just jumped over"
    )]
    EnPassant { found: String },
    #[error("the halfmove clock `{found}` is not a number of plies below 1,000,000")]
    Halfmoves { found: String },
    #[error("the move number `{found}` is not a number below 1,000,000")]
    Fullmoves { found: String },
    #[error("{color} has {found} kings instead of 1", color = side_name(*.color))]
    Kings { color: Color, found: usize },
    #[error("a pawn stands on {square}")]
    PawnRank { square: Square },
    #[error("the kings on {white} and {black} stand on neighbouring squares")]
    KingsTouch { white: Square, black: Square },
    #[error(
        "it is {turn}'s move but the {other} king on {square} is in check",
        turn = side_name(*.turn), other = side_name(!*.turn).to_lowercase()
    )]
    OpponentInCheck { turn: Color, square: Square },
    #[error("not a legal position: {found}")]
    Position { found: String },
}

/// What a single field most often comes from.
const fn quotes_hint(fields: usize) -> &'static str {
    if fields == 1 {
        " (is it in quotes?)"
    } else {
        ""
    }
}

const fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The legal position that a FEN of four to six fields describes.
///
/// # Errors
///
/// The first thing that is wrong with it, from left to right, then with the position as a whole.
pub fn parse_fen(text: &str) -> Result<Chess, FenError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let &[placement, turn, castling, en_passant, ref clocks @ ..] = fields.as_slice() else {
        return Err(FenError::Fields {
            found: fields.len(),
        });
    };
    if clocks.len() > 2 {
        return Err(FenError::Fields {
            found: fields.len(),
        });
    }
    check_placement(placement)?;
    check_castling(castling)?;
    check_en_passant(en_passant)?;
    let halfmoves = clocks.first().copied().unwrap_or("0");
    let fullmoves = clocks.get(1).copied().unwrap_or("1");
    for (clock, error) in [
        (
            halfmoves,
            FenError::Halfmoves {
                found: shown(halfmoves),
            },
        ),
        (
            fullmoves,
            FenError::Fullmoves {
                found: shown(fullmoves),
            },
        ),
    ] {
        if !clock.bytes().all(|byte| byte.is_ascii_digit()) || clock.len() > 6 {
            return Err(error);
        }
    }
    let strict = [placement, turn, castling, en_passant, halfmoves, fullmoves].join(" ");
    let fen = Fen::from_ascii(strict.as_bytes()).map_err(|error| match error {
        ParseFenError::InvalidTurn => FenError::Turn { found: shown(turn) },
        ParseFenError::InvalidCastling => FenError::Castling {
            found: shown(castling),
        },
        ParseFenError::InvalidEpSquare => FenError::EnPassant {
            found: shown(en_passant),
        },
        ParseFenError::InvalidHalfmoveClock => FenError::Halfmoves {
            found: shown(halfmoves),
        },
        ParseFenError::InvalidFullmoves => FenError::Fullmoves {
            found: shown(fullmoves),
        },
        other => FenError::Position {
            found: other.to_string(),
        },
    })?;
    let setup = fen.into_setup();
    check_kings_and_pawns(&setup.board)?;
    legal_position(setup, castling, en_passant)
}

/// A field of the input as it may be repeated in a message: one short line of printable text.
fn shown(field: &str) -> String {
    const LONGEST: usize = 24;
    let escaped: String = field.chars().flat_map(char::escape_default).collect();
    if escaped.len() <= LONGEST {
        escaped
    } else {
        format!("{}…", &escaped[..LONGEST])
    }
}

fn check_placement(placement: &str) -> Result<(), FenError> {
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::Ranks { found: ranks.len() });
    }
    for (row, text) in ranks.iter().enumerate() {
        let rank = 8 - row;
        let mut squares = 0;
        for found in text.chars() {
            squares += match found {
                '1'..='8' => found as usize - '0' as usize,
                _ if "KQRBNPkqrbnp".contains(found) => 1,
                _ => return Err(FenError::Piece { rank, found }),
            };
        }
        if squares != 8 {
            return Err(FenError::RankLength {
                rank,
                found: squares,
            });
        }
    }
    Ok(())
}

fn check_castling(castling: &str) -> Result<(), FenError> {
    let distinct = |(place, right): (usize, char)| {
        "KQkq".contains(right) && !castling[..place].contains(right)
    };
    if castling == "-" || castling.char_indices().all(distinct) {
        Ok(())
    } else {
        Err(FenError::Castling {
            found: shown(castling),
        })
    }
}

fn check_en_passant(en_passant: &str) -> Result<(), FenError> {
    let on_rank_3_or_6 = |square: Square| matches!(square.rank(), Rank::Third | Rank::Sixth);
    if en_passant == "-" || en_passant.parse().is_ok_and(on_rank_3_or_6) {
        Ok(())
    } else {
        Err(FenError::EnPassant {
            found: shown(en_passant),
        })
    }
}

fn check_kings_and_pawns(board: &Board) -> Result<(), FenError> {
    let kings = |color| board.by_piece(shakmaty::Role::King.of(color));
    for color in [Color::White, Color::Black] {
        let found = kings(color).count();
        if found != 1 {
            return Err(FenError::Kings { color, found });
        }
    }
    let last_ranks = shakmaty::Bitboard::BACKRANKS;
    if let Some(square) = (board.pawns() & last_ranks).first() {
        return Err(FenError::PawnRank { square });
    }
    if let (Some(white), Some(black)) = (board.king_of(Color::White), board.king_of(Color::Black))
        && white.distance(black) == 1
    {
        return Err(FenError::KingsTouch { white, black });
    }
    Ok(())
}

fn legal_position(setup: Setup, castling: &str, en_passant: &str) -> Result<Chess, FenError> {
    let turn = setup.turn;
    let other_king = setup.board.king_of(!turn);
    position::legal_position(setup).map_err(|error| {
        let kinds = error.kinds();
        match other_king {
            Some(square) if kinds.contains(PositionErrorKinds::OPPOSITE_CHECK) => {
                FenError::OpponentInCheck { turn, square }
            }
            _ if kinds.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS) => {
                FenError::CastlingPlaces {
                    found: shown(castling),
                }
            }
            _ if kinds.contains(PositionErrorKinds::INVALID_EP_SQUARE) => FenError::EnPassant {
                found: shown(en_passant),
            },
            _ => FenError::Position {
                found: error.to_string(),
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(fen: &str) -> String {
        parse_fen(fen).unwrap_err().to_string()
    }

    #[test]
    fn four_five_and_six_fields_are_read() {
        for fen in [
            "8/8/8/8/4k3/8/1Q6/K7 b - -",
            "8/8/8/8/4k3/8/1Q6/K7 b - - 7",
            "8/8/8/8/4k3/8/1Q6/K7 b - - 7 40",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        ] {
            assert!(parse_fen(fen).is_ok(), "{fen}");
        }
    }

    #[test]
    fn a_check_by_two_knights_is_a_position() {
        assert!(parse_fen("8/8/8/3N1N2/8/4k3/8/K7 b - - 0 1").is_ok());
    }

    #[test]
    fn every_fault_has_its_reason() {
        let faults = [
            (
                "",
                "a FEN has 4 to 6 fields separated by spaces, this one has 0",
            ),
            ("8/8/8/8/4k3/8/1Q6/K7 b", "this one has 2"),
            ("8/8/8/8/4k3/8/1Q6/K7 b - - 0 1 2", "this one has 7"),
            ("8/8/8/4k3/8/1Q6/K7 b - -", "7 ranks"),
            ("8/8/8/8/4k3/8/1Q5/K7 b - -", "rank 2 has 7 squares"),
            ("8/8/8/8/4k4/8/1Q6/K7 b - -", "rank 4 has 9 squares"),
            ("8/8/8/8/4k3/8/1X6/K7 b - -", "`X` in rank 2"),
            ("8/8/8/8/4k3/8/1Q~6/K7 b - -", "`~` in rank 2"),
            ("8/8/8/8/4k3/8/1Q6/K7 x - -", "the side to move is `x`"),
            ("8/8/8/8/4k3/8/1Q6/K7 b KK -", "the castling field is `KK`"),
            ("8/8/8/8/4k3/8/1Q6/K7 b HA -", "the castling field is `HA`"),
            (
                "8/8/8/8/4k3/8/1Q6/K7 b Q -",
                "the castling rights `Q` do not fit",
            ),
            ("8/8/8/8/4k3/8/1Q6/K7 b - e9", "the en-passant field `e9`"),
            ("8/8/8/8/4k3/8/1Q6/K7 b - e4", "the en-passant field `e4`"),
            ("8/8/8/8/4k3/8/1Q6/K7 b - e3", "the en-passant field `e3`"),
            ("8/8/8/8/4k3/8/1Q6/K7 b - - x 1", "the halfmove clock `x`"),
            ("8/8/8/8/4k3/8/1Q6/K7 b - - 0 -1", "the move number `-1`"),
            ("8/8/8/8/8/8/1Q6/K7 b - -", "Black has 0 kings"),
            ("8/8/8/8/4k3/8/1Q6/KK6 b - -", "White has 2 kings"),
            ("P7/8/8/8/4k3/8/8/K7 b - -", "a pawn stands on a8"),
            ("8/8/8/8/8/8/1k6/K7 b - -", "the kings on a1 and b2"),
            (
                "8/8/8/4Q3/4k3/8/8/K7 w - -",
                "it is White's move but the black king on e4 is in check",
            ),
            (
                "8/8/8/4k3/4q3/8/8/4K3 b - -",
                "it is Black's move but the white king on e1 is in check",
            ),
        ];
        for (fen, part) in faults {
            let found = reason(fen);
            assert!(
                found.contains(part),
                "{fen}: `{found}` does not say `{part}`"
            );
        }
    }

    #[test]
    fn hostile_text_is_shown_escaped_and_short() {
        let found = reason("8/8/8/8/4k3/8/1Q6/K7 \u{1b}[31mAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA - -");
        assert!(found.is_ascii() || found.contains('…'), "{found}");
        assert!(!found.contains('\u{1b}') && found.len() < 100, "{found}");
        assert!(reason("8/8/8/8/4k3/8/1\u{fe0f}6/K7 w - -").contains("rank 2"));
    }
}
