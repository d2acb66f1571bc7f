//! The endgame tables that nodes of a proof rest on, and what they say of a position.
//!
//! Source: `docs/certificate-format.md`, *Kind 9: proof* and *The game* of kind 1.

use std::sync::Arc;

use super::board::Board;
use super::castling::Rights;
use super::man::Man;
use super::material::{MOST_MEN, Material};
use super::root::placed;
use super::states::{States, en_passant_key};
use super::symmetry::RANKS_FLIPPED;

/// The tables of the children, and which of them were asked.
pub(super) struct ProofTables<'a> {
    children: &'a [Arc<States>],
    asked: Vec<bool>,
}

/// A position as the table of its class has it.
struct Entered {
    /// The number of the child.
    child: usize,
    material: Material,
    /// The men of the position with their squares, and whether colours are exchanged in the class.
    men: Vec<(Man, u8)>,
    flipped: bool,
}

impl<'a> ProofTables<'a> {
    pub(super) fn of(children: &'a [Arc<States>]) -> ProofTables<'a> {
        let asked = vec![false; children.len()];
        ProofTables { children, asked }
    }

    /// Whether a position has no castling right and its men, or those with colours exchanged, are the class of a child.
    pub(super) fn have(&self, board: &Board) -> bool {
        self.enter(board).is_some()
    }

    /// The byte of a position; none if no child has it.
    pub(super) fn byte(&mut self, board: &Board) -> Option<u8> {
        let Entered {
            child,
            material,
            men,
            flipped,
        } = self.enter(board)?;
        let states = self.children.get(child)?;
        if let Some(asked) = self.asked.get_mut(child) {
            *asked = true;
        }
        let mut squares = placed(&material, &men, flipped);
        let mut to_move = board.to_move;
        let mut passed = board.en_passant.map(|square| square.number());
        if flipped {
            squares = squares.image(RANKS_FLIPPED);
            to_move = to_move.other();
            passed = passed.map(|square| RANKS_FLIPPED.image(square));
        }
        let located = states.locate(squares);
        match passed {
            None => states.byte(located.entry, to_move),
            Some(square) => {
                let square = located.by.image(square);
                states.en_passant_byte(en_passant_key(located.entry, to_move, square))
            }
        }
    }

    /// The first child that was never asked.
    pub(super) fn unasked(&self) -> Option<usize> {
        self.asked.iter().position(|asked| !asked)
    }

    fn enter(&self, board: &Board) -> Option<Entered> {
        // Most positions have more men than any class.
        let are_few = board.occupied().count_ones() as usize <= MOST_MEN;
        if self.children.is_empty() || !are_few || board.rights != Rights::NONE {
            return None;
        }
        let men = board.men().map(|(man, square)| (man, square.number()));
        let men: Vec<(Man, u8)> = men.collect();
        let kinds: Vec<Man> = men.iter().map(|&(man, _)| man).collect();
        let (material, flipped) = Material::of_class(&kinds)?;
        let mut children = self.children.iter();
        let child = children.position(|states| states.material == material)?;
        Some(Entered {
            child,
            material,
            men,
            flipped,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::board;
    use super::super::claim::material_of_endgame;
    use super::*;

    /// The states of a class with bytes that differ from one to the next.
    fn states(name: &str) -> Arc<States> {
        let material = material_of_endgame(&format!("endgame {name} board dtm")).unwrap();
        let (mut states, census) = States::of(&material, Vec::new());
        let bytes = |count: u64| (0..count).map(|n| (n.wrapping_mul(0x9e37_79b9) >> 8) as u8);
        let values = bytes(census.states).collect();
        states.set_values(values, bytes(census.en_passant_states).collect());
        Arc::new(states)
    }

    /// The text of a position with files mirrored, or with colours and ranks exchanged.
    fn changed(fen: &str, exchanged: bool) -> String {
        let words: Vec<&str> = fen.split(' ').collect();
        let mut ranks: Vec<String> = words[0].split('/').map(str::to_string).collect();
        let mut square = words[3].to_string();
        let mut side = words[1];
        if exchanged {
            ranks.reverse();
            let letters = ranks.join("/");
            let exchange = |letter: char| match letter.is_ascii_uppercase() {
                true => letter.to_ascii_lowercase(),
                false => letter.to_ascii_uppercase(),
            };
            ranks = vec![letters.chars().map(exchange).collect()];
            side = if side == "w" { "b" } else { "w" };
            square = square.replace('6', "x").replace('3', "6").replace('x', "3");
        } else {
            ranks = ranks
                .iter()
                .map(|rank| rank.chars().rev().collect())
                .collect();
            let mirror = |letter: char| match letter {
                'a'..='h' => char::from(b'a' + b'h' - letter as u8),
                other => other,
            };
            square = square.chars().map(mirror).collect();
        }
        format!("{} {side} - {square} 0 1", ranks.join("/"))
    }

    #[test]
    fn every_position_has_its_own_byte() {
        for (name, step) in [("KRK", 97), ("KPK", 997), ("KPKP", 99_991)] {
            let children = [states(name)];
            let mut tables = ProofTables::of(&children);
            let child = &children[0];
            let mut compared = 0;
            let plain = child.positions().step_by(step).map(|(entry, position)| {
                let byte = child.byte(entry, position.to_move);
                (position.to_string(), byte)
            });
            let passing = child
                .en_passant_positions()
                .step_by(7)
                .map(|(key, position)| (position.to_string(), child.en_passant_byte(key)));
            for (fen, byte) in plain.chain(passing) {
                assert!(byte.is_some());
                assert_eq!(tables.byte(&board(&fen)), byte, "{fen}");
                assert_eq!(tables.byte(&board(&changed(&fen, false))), byte, "{fen}");
                // With as many men of both sides the other colours are another state.
                if name != "KPKP" {
                    assert_eq!(tables.byte(&board(&changed(&fen, true))), byte, "{fen}");
                }
                compared += 1;
            }
            assert!(compared > 100, "{name} {compared}");
            assert_eq!(tables.unasked(), None);
        }
    }

    #[test]
    fn others_have_none() {
        let children = [states("KRK")];
        let mut tables = ProofTables::of(&children);
        for fen in [
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "4k3/8/8/8/8/8/8/4K2Q w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/pppp4/8/8/8/8/8/4K2R w - - 0 1",
            "4k2r/8/8/8/8/8/8/4K2R w - - 0 1",
        ] {
            assert!(!tables.have(&board(fen)));
            assert_eq!(tables.byte(&board(fen)), None, "{fen}");
        }
        assert_eq!(tables.unasked(), Some(0));
        assert!(tables.have(&board("4k3/8/8/8/8/8/8/4K2R w - - 0 1")));
        assert!(tables.have(&board("4k2r/8/8/8/8/8/8/4K3 w - - 0 1")));
        assert_eq!(tables.unasked(), Some(0));
    }
}
