//! The check of a strategy: that the attacker forces mate within the plies that are claimed.
//!
//! Source: `docs/certificate-format.md`, *Kind 5: mate*, steps 5 to 7 of what a checker must establish.

use super::board::Board;
use super::mate_claim::{Demand, MateClaim};
use super::nodes::{LEAF, Node, Nodes, plies_of};
use super::reached::Reached;
use super::{Move, Reason, Refusal};

/// Establishes that the strategy is one, from the position of the claim.
pub(super) fn check(
    claim: &MateClaim,
    board: &Board,
    nodes: &Nodes,
    roots: &[(Move, u32)],
) -> Result<(), Refusal> {
    let mut reached = Reached::default();
    check_roots(claim, board, roots, &mut reached)?;
    for (number, node) in nodes.backwards() {
        let (board, _) = reached.take(nodes.name, number)?;
        let attacker_moves = board.to_move == claim.attacker();
        check_node(&board, attacker_moves, node, &mut reached).map_err(|(reason, what)| {
            Refusal::new(
                reason,
                format_args!("strategy node {number}, {board}: {what}"),
            )
        })?;
    }
    check_plies(claim, nodes, roots)
}

/// Why something is refused, and what it is.
type Wrong = (Reason, String);

/// Step 5: the roots are those of the claim.
fn check_roots(
    claim: &MateClaim,
    board: &Board,
    roots: &[(Move, u32)],
    reached: &mut Reached,
) -> Result<(), Refusal> {
    let refusal = |number: usize, reason, what: String| {
        Refusal::new(
            reason,
            format_args!("strategy_roots entry {number}: {what}"),
        )
    };
    let keys: &[Move] = match &claim.demand {
        Demand::Keys(keys) => keys,
        _ => &[],
    };
    let wanted = match claim.demand {
        Demand::Keys(_) => keys.len(),
        Demand::Forced | Demand::Shortest => 1,
        Demand::NotForced => 0,
    };
    if roots.len() != wanted {
        let stored = roots.len();
        let place = format_args!("strategy_roots: stored {stored} entries, claimed {wanted}");
        return Err(Refusal::new(Reason::WrongRoots, place));
    }
    for (number, ((stored, _), key)) in roots.iter().zip(keys).enumerate() {
        if stored != key {
            let what = format!("stored {stored}, claimed {key}");
            return Err(refusal(number, Reason::WrongRoots, what));
        }
    }
    let mut positions = Vec::new();
    for (number, &(stored, _)) in roots.iter().enumerate() {
        let after = match claim.attacker_moves {
            true => board.played(stored),
            false => stored.is_none().then_some(*board),
        };
        let illegal = || refusal(number, Reason::IllegalMove, format!("{stored} in {board}"));
        positions.push(after.ok_or_else(illegal)?);
    }
    for (number, (&(_, reference), after)) in roots.iter().zip(&positions).enumerate() {
        if reference == LEAF && !after.is_checkmate() {
            return Err(refusal(number, Reason::NoCheckmate, after.to_string()));
        }
        reached.reach(reference, after, 0);
    }
    Ok(())
}

/// Step 6, but that the node was reached, and with one position.
fn check_node(
    board: &Board,
    attacker_moves: bool,
    node: Node,
    reached: &mut Reached,
) -> Result<(), Wrong> {
    match (node, attacker_moves) {
        (Node::One(stored, reference), true) => {
            let illegal = || (Reason::IllegalMove, stored.to_string());
            let after = board.played(stored).ok_or_else(illegal)?;
            if reference == LEAF && !after.is_checkmate() {
                return Err((Reason::NoCheckmate, stored.to_string()));
            }
            reached.reach(reference, &after, 0);
        }
        (Node::All(references), false) => {
            let moves = board.moves();
            if references.len() != moves.len() {
                let (stored, found) = (references.len(), moves.len());
                let what = format!("stored {stored} references, found {found} moves");
                return Err((Reason::WrongNumberOfReplies, what));
            }
            // After a move of the defender it is not his turn, so he is not checkmated.
            for (reference, (reply, after)) in node.references().zip(&moves) {
                if reference == LEAF {
                    return Err((Reason::NoCheckmate, format!("a leaf after {reply}")));
                }
                reached.reach(reference, after, 0);
            }
        }
        (Node::One(..), false) => {
            let what = "one move, but the defender is to move";
            return Err((Reason::WrongNode, what.to_string()));
        }
        (Node::All(_), true) => {
            let what = "all moves, but the attacker is to move";
            return Err((Reason::WrongNode, what.to_string()));
        }
    }
    Ok(())
}

/// Step 7: mate comes in time.
fn check_plies(claim: &MateClaim, nodes: &Nodes, roots: &[(Move, u32)]) -> Result<(), Refusal> {
    let plies = nodes.plies();
    let most = u32::from(claim.plies_of_strategy());
    for (number, &(_, reference)) in roots.iter().enumerate() {
        let found = plies_of(&plies, reference);
        if found > most {
            let place =
                format_args!("strategy_roots entry {number}: {found} plies, claimed {most}");
            return Err(Refusal::new(Reason::TooManyPlies, place));
        }
    }
    Ok(())
}
