//! A position as a line of EPD: four fields of a FEN, then operations, each an opcode with operands.
//!
//! Opcodes and their operands are those of the PGN standard, section 16.2, in the order of their
//! names. `ce` says the value exactly: 32767 less the plies to mate, the other sign if the side to move
//! is mated, 0 for a draw.

use dchess::game::Value;
use dchess::rules::placement_fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move};

/// What is said about a position.
pub(crate) struct Epd<'a> {
    /// The position.
    pub(crate) position: &'a Chess,
    /// Its value for the side to move.
    pub(crate) value: Value,
    /// `bm`: the best move.
    pub(crate) best: Option<Move>,
    /// `c0`, `c1`, …: comments, printable and without quotation marks.
    pub(crate) comments: &'a [&'a str],
    /// `id`: the name of the position, printable and without quotation marks.
    pub(crate) id: &'a str,
}

impl Epd<'_> {
    /// The line, without its end.
    pub(crate) fn line(&self) -> String {
        let mut line = placement_fen(self.position);
        let mut operation = |text: String| {
            line.push(' ');
            line.push_str(&text);
            line.push(';');
        };
        if let Some(mv) = self.best {
            operation(format!(
                "bm {}",
                SanPlus::from_move(self.position.clone(), mv)
            ));
        }
        for (place, comment) in self.comments.iter().enumerate() {
            operation(format!("c{place} \"{comment}\""));
        }
        operation(format!("ce {}", centipawns(self.value)));
        if let Value::Win(plies) = self.value {
            operation(format!("dm {}", plies.get().div_ceil(2)));
        }
        operation(format!("id \"{}\"", self.id));
        line
    }
}

/// The evaluation for the side to move as `ce` writes it.
fn centipawns(value: Value) -> i32 {
    match value {
        Value::Win(plies) => 32_767 - i32::from(plies.get()),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies.get()) - 32_767,
    }
}

#[cfg(test)]
mod tests {
    use dchess::game::Plies;

    use super::*;

    #[test]
    fn evaluations_are_those_of_the_standard() {
        // The examples of section 16.2.5.6.
        let mate_in = |moves: u16| Value::Win(Plies::new(2 * moves - 1));
        let mated_in = |moves: u16| Value::Loss(Plies::new(2 * moves));
        assert_eq!([1, 5].map(mate_in).map(centipawns), [32_766, 32_758]);
        assert_eq!([1, 5].map(mated_in).map(centipawns), [-32_765, -32_757]);
        assert_eq!(centipawns(Value::Draw), 0);
    }
}
