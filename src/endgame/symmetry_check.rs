//! The symmetries of the board, looked at instead of believed: for every canonical state of a class
//! of three men, each image has the same set of successors as the state.

use rayon::prelude::*;
use shakmaty::Color;

use super::EndgameError;
use super::conversion::{Child, Conversions, Landing};
use super::index::Index;
use super::men::Men;
use crate::game::Observer;
use crate::rules::position_fen;

/// Compares the successors of all images of all states; the number of comparisons.
///
/// # Errors
///
/// [`EndgameError::Asymmetric`] if an image differs, which no class has shown.
pub(super) fn compare(
    class: &Child,
    conversions: &Conversions,
    observer: &dyn Observer,
) -> Result<u64, EndgameError> {
    const BLOCK: usize = 1 << 10;
    let index = &class.index;
    observer.begin("comparing images", index.len() as u64);
    (0..index.len().div_ceil(BLOCK))
        .into_par_iter()
        .map(|block| {
            observer.checkpoint(BLOCK as u64)?;
            let mut comparisons = 0;
            let (mut own, mut other) = (Vec::new(), Vec::new());
            for entry in block * BLOCK..((block + 1) * BLOCK).min(index.len()) {
                let squares = index.squares(entry);
                for (turn, _) in class.states_at(entry) {
                    let men = Men::new(index, squares);
                    let is_check = successors(index, conversions, &men, turn, &mut own);
                    for symmetry in index.material().symmetries() {
                        let image = men.with_squares(squares.map(|square| symmetry.apply(square)));
                        let is_image_check =
                            successors(index, conversions, &image, turn, &mut other);
                        if (is_check, &own) != (is_image_check, &other) {
                            let state = position_fen(&index.position(&squares, turn));
                            return Err(EndgameError::Asymmetric(state));
                        }
                        comparisons += 1;
                    }
                }
            }
            Ok(comparisons)
        })
        .sum()
}

/// Collects the distinct canonical successors, quiet ones as entries, and says whether the side to
/// move is in check.
fn successors(
    index: &Index,
    conversions: &Conversions,
    men: &Men,
    turn: Color,
    reached: &mut Vec<(Option<Landing>, usize)>,
) -> bool {
    let targets = men.targets(turn);
    reached.clear();
    conversions.each(men, &targets.sets, turn, |landing| {
        reached.push((Some(conversions.canonical(landing)), 0));
    });
    for man in men.side(turn) {
        for to in targets.sets[man] & !men.converting(man) {
            let mut squares = men.squares;
            squares[man] = to;
            reached.push((None, index.canonical_entry(index.entry(&squares))));
        }
    }
    reached.sort_unstable();
    reached.dedup();
    targets.is_check
}
