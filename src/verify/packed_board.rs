//! A position in 34 bytes, for those that have to be kept: four bits a square, and what else it has.
//!
//! What was packed is unpacked as it was, so two positions are the same exactly if their bytes are.

use super::Square;
use super::board::Board;
use super::castling::Rights;
use super::man::{Kind, Man, Side};

/// A position, packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedBoard {
    /// Two squares a byte, the first one in the lower half: 0 empty, 1 to 6 a man of White, 9 to 14 one of Black.
    men: [u8; 32],
    /// The side to move in the lowest bit, the rights in the four bits above.
    side_and_rights: u8,
    /// The number of the en-passant square, 64 if there is none.
    en_passant: u8,
}

/// The kinds in the order of their numbers, which begin with 1.
const KINDS: [Kind; 6] = [
    Kind::King,
    Kind::Queen,
    Kind::Rook,
    Kind::Bishop,
    Kind::Knight,
    Kind::Pawn,
];

/// The four bits of what stands on a square.
fn code(man: Option<Man>) -> u8 {
    man.map_or(0, |man| 1 + man.kind as u8 + 8 * man.side.index() as u8)
}

/// What four bits say that stands on a square.
fn man(code: u8) -> Option<Man> {
    let side = match code & 8 {
        0 => Side::White,
        _ => Side::Black,
    };
    let place = usize::from(code & 7).checked_sub(1)?;
    KINDS.get(place).map(|&kind| Man { side, kind })
}

impl PackedBoard {
    /// Packs a position.
    pub(super) fn of(board: &Board) -> PackedBoard {
        let mut men = [0; 32];
        let pairs = board.men.as_chunks::<2>().0;
        for (byte, &[low, high]) in men.iter_mut().zip(pairs) {
            *byte = code(low) | code(high) << 4;
        }
        PackedBoard {
            men,
            side_and_rights: board.to_move.index() as u8 | board.rights.number() << 1,
            en_passant: board.en_passant.map_or(64, Square::number),
        }
    }

    /// The position.
    pub(super) fn board(&self) -> Board {
        let mut men = [None; 64];
        let pairs = men.as_chunks_mut::<2>().0;
        for (pair, &byte) in pairs.iter_mut().zip(&self.men) {
            *pair = [man(byte & 15), man(byte >> 4)];
        }
        let en_passant = Some(self.en_passant).filter(|&number| number < 64);
        Board {
            men,
            to_move: match self.side_and_rights & 1 {
                0 => Side::White,
                _ => Side::Black,
            },
            rights: Rights::of_low_bits(self.side_and_rights >> 1),
            en_passant: en_passant.map(|number| Square::from_low_bits(number.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::board;
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let texts = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQk - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "3B4/8/R7/7k/6Pp/4N3/8/K5R1 b - g3 0 1",
            "3B4/8/R7/7k/6Pp/4N3/8/K5R1 b - - 0 1",
            "7k/8/8/3pP3/8/8/8/7K w - d6 0 1",
        ];
        let packed = texts.map(|text| PackedBoard::of(&board(text)));
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(packed[number].board(), board(text));
            assert_eq!(packed[number].board().to_string(), *text);
            let same = packed.iter().filter(|other| **other == packed[number]);
            assert_eq!(same.count(), 1);
        }
        assert_eq!(size_of::<PackedBoard>(), 34);
    }
}
