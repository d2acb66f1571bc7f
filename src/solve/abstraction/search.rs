//! Making a finished tree smaller: cut something out of it, let it grow again, keep it if it did not get larger.
//!
//! A trial takes a question of the tree at random and forgets it, with all that follows from it or from one of its
//! answers. The vertices from there go where the rest of the tree leads them, everything is decided anew from the ends
//! of the game, and the tree may grow again at that place, with some chance in what it asks. If every block
//! is decided in the end with as many leaves as before or fewer, the new tree takes the place of the old one.

use super::growth::{End, Growth, Taste};
use super::tree::{DecisionTree, Node, NodeIndex};
use crate::game::{Draws, Interrupted, Observer};

/// The most leaves that are forgotten in one trial.
const MOST_LEAVES: usize = 60;

/// A tree and where each vertex is in it.
pub(super) struct Placed {
    pub(super) tree: DecisionTree,
    pub(super) leaf_of: Vec<NodeIndex>,
}

/// One trial; whether the tree was replaced. The question at the root stays.
///
/// # Errors
///
/// [`Interrupted`] if the observer says so.
pub(super) fn trial(
    growth: &mut Growth,
    placed: &mut Placed,
    draws: &mut Draws,
    most_depth: u32,
    observer: &dyn Observer,
) -> Result<bool, Interrupted> {
    let nodes = placed.tree.len() as u32;
    let node = draws.below(nodes);
    let Node::Test { next, .. } = placed.tree.node(node) else {
        return Ok(false);
    };
    if node == DecisionTree::ROOT {
        return Ok(false);
    }
    let most_leaves = placed.tree.leaves(node).len();
    // Forget everything below, or what follows one answer.
    let kept = match draws.below(3) {
        0 => None,
        answer => Some(answer as usize - 1),
    };
    let mut gone = match kept {
        None => placed.tree.leaves(node),
        Some(kept) => placed.tree.leaves(next[1 - kept]),
    };
    if gone.len() > MOST_LEAVES {
        return Ok(false);
    }
    let mut tree = placed.tree.clone();
    match kept {
        None => tree.set(node, Node::Leaf),
        Some(kept) => {
            let stays = placed.tree.node(next[kept]);
            tree.set(node, stays);
            if stays == Node::Leaf {
                gone.push(next[kept]);
            }
        }
    }
    let mut is_gone = vec![false; nodes as usize];
    for leaf in gone {
        is_gone[leaf as usize] = true;
    }
    let mut leaf_of = placed.leaf_of.clone();
    for (vertex, leaf) in leaf_of.iter_mut().enumerate() {
        if is_gone[*leaf as usize] {
            *leaf = tree.leaf(node, growth.row(vertex));
        }
    }
    growth.begin(&tree, &leaf_of);
    let mut taste = Taste {
        draws: Some(draws),
        most_leaves,
        most_depth,
    };
    let end = growth.grow(node, &mut taste, observer, &mut |_| true)?;
    // No more leaves than before: it could not grow further.
    let is_kept = end == End::Decided;
    if is_kept {
        (placed.tree, placed.leaf_of) = growth.tidied();
    }
    Ok(is_kept)
}
