//! The check of a refutation: that the attacker does not force mate within the plies that are denied.
//!
//! Source: `docs/certificate-format.md`, *Kind 5: mate*, steps 8 and 9 of what a checker must establish.

use super::board::Board;
use super::man::Side;
use super::mate_claim::{Demand, MateClaim};
use super::nodes::{LEAF, Node, Nodes};
use super::reached::Reached;
use super::{Reason, Refusal};

/// Establishes that the refutation is one, of all that the claim denies.
pub(super) fn check(
    claim: &MateClaim,
    board: &Board,
    nodes: &Nodes,
    roots: &[u32],
) -> Result<(), Refusal> {
    let mut reached = Reached::default();
    check_roots(claim, board, roots, &mut reached)?;
    for (number, node) in nodes.backwards() {
        let (board, left) = reached.take(nodes.name, number)?;
        check_node(&board, left, claim.attacker(), node, &mut reached).map_err(
            |(reason, what)| {
                let place = format_args!("refutation node {number}, {board}: {what}");
                Refusal::new(reason, place)
            },
        )?;
    }
    Ok(())
}

/// Why something is refused, and what it is.
type Wrong = (Reason, String);

/// Step 8: the roots are what the claim denies. They are the position of the claim, where a mate in fewer moves or any mate
/// is denied, and the positions after all moves that are no keys, where the keys are all there are.
fn check_roots(
    claim: &MateClaim,
    board: &Board,
    roots: &[u32],
    reached: &mut Reached,
) -> Result<(), Refusal> {
    let denied = claim.plies_denied().map(|left| (*board, left));
    let mut wanted: Vec<(Board, u8)> = denied.into_iter().collect();
    if let Demand::Keys(keys) = &claim.demand {
        let moves = board.moves().into_iter();
        let others = moves.filter(|(legal, _)| !keys.contains(legal));
        wanted.extend(others.map(|(_, after)| (after, claim.plies_of_strategy())));
    }
    if roots.len() != wanted.len() {
        let (stored, wanted) = (roots.len(), wanted.len());
        let place = format_args!("refutation_roots: stored {stored} entries, claimed {wanted}");
        return Err(Refusal::new(Reason::WrongRoots, place));
    }
    for (number, (&reference, (board, left))) in roots.iter().zip(&wanted).enumerate() {
        reach(reached, reference, board, *left, claim.attacker()).map_err(|(reason, what)| {
            Refusal::new(
                reason,
                format_args!("refutation_roots entry {number}: {what}"),
            )
        })?;
    }
    Ok(())
}

/// Step 9, but that the node was reached, and with one position and one number of plies.
fn check_node(
    board: &Board,
    left: u8,
    attacker: Side,
    node: Node,
    reached: &mut Reached,
) -> Result<(), Wrong> {
    let no_ply = || (Reason::WrongNode, "no ply is left".to_string());
    let left = left.checked_sub(1).ok_or_else(no_ply)?;
    match (node, board.to_move == attacker) {
        (Node::One(stored, reference), false) => {
            let illegal = || (Reason::IllegalMove, stored.to_string());
            let after = board.played(stored).ok_or_else(illegal)?;
            reach(reached, reference, &after, left, attacker)
        }
        (Node::All(references), true) => {
            let moves = board.moves();
            if references.len() != moves.len() {
                let (stored, found) = (references.len(), moves.len());
                let what = format!("stored {stored} references, found {found} moves");
                return Err((Reason::WrongNumberOfReplies, what));
            }
            let mut references = node.references().zip(&moves);
            references.try_for_each(|(reference, (_, after))| {
                reach(reached, reference, after, left, attacker)
            })
        }
        (Node::One(..), true) => {
            let what = "one move, but the attacker is to move";
            Err((Reason::WrongNode, what.to_string()))
        }
        (Node::All(_), false) => {
            let what = "all moves, but the defender is to move";
            Err((Reason::WrongNode, what.to_string()))
        }
    }
}

/// Follows a reference: to a node, or to a leaf where nothing is left to be shown.
fn reach(
    reached: &mut Reached,
    reference: u32,
    board: &Board,
    left: u8,
    attacker: Side,
) -> Result<(), Wrong> {
    if reference == LEAF && !is_seen_at_once(board, left, attacker) {
        let what = format!("a leaf with {left} plies left, {board}");
        return Err((Reason::UnfinishedLeaf, what));
    }
    reached.reach(reference, board, left);
    Ok(())
}

/// Whether it can be seen at once that the attacker does not force mate within so many plies.
fn is_seen_at_once(board: &Board, left: u8, attacker: Side) -> bool {
    match board.to_move == attacker {
        false => !board.is_checkmate() && (left == 0 || !board.has_move()),
        // Without a move there is none that gives checkmate.
        true if left == 1 => !board.has_mating_move(),
        true => !board.has_move(),
    }
}
