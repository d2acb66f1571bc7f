//! A position in 34 bytes, for those that have to be kept: four bits a square, and what else it has.
//!
//! What was packed is unpacked as it was, so two positions are the same exactly if their bytes are.

use super::Square;
use super::board::Board;
use super::castling::Rights;
use super::man::{Kind, Side};

/// A position, packed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PackedBoard {
    /// Four sets of squares, each with a bit of what stands on a square. The first three are the bits of a number from the
    /// lowest to the highest, 0 empty and 1 to 6 the kind of a man; the last one has the men of Black. (They are kept as
    /// bytes, which need no room between two packed positions.)
    planes: [[u8; 8]; 4],
    /// The side to move in the lowest bit, the rights in the four bits above.
    side_and_rights: u8,
    /// The number of the en-passant square, 64 if there is none.
    en_passant: u8,
}

/// Whether a bit is set in the number of a kind, which is one more than its place.
fn has(kind: Kind, digit: usize) -> bool {
    (kind as usize + 1) >> digit & 1 == 1
}

impl PackedBoard {
    /// Packs a position.
    pub(super) fn of(board: &Board) -> PackedBoard {
        let plane = |digit| {
            let kinds = Kind::ALL.into_iter().filter(|&kind| has(kind, digit));
            kinds.fold(0, |all, kind| all | board.kinds[kind as usize])
        };
        let black = board.men_of(Side::Black);
        PackedBoard {
            planes: [plane(0), plane(1), plane(2), black].map(u64::to_le_bytes),
            side_and_rights: board.to_move.index() as u8 | board.rights.number() << 1,
            en_passant: board.en_passant.map_or(64, Square::number),
        }
    }

    /// The position.
    pub(super) fn board(&self) -> Board {
        let [a, b, c, black] = self.planes.map(u64::from_le_bytes);
        let kinds = Kind::ALL.map(|kind| {
            let planes = [a, b, c].into_iter().enumerate();
            planes.fold(u64::MAX, |all, (digit, plane)| match has(kind, digit) {
                true => all & plane,
                false => all & !plane,
            })
        });
        let en_passant = Some(self.en_passant).filter(|&number| number < 64);
        Board {
            sides: [(a | b | c) & !black, black],
            kinds,
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
