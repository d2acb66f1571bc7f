//! The check of a local proof: steps 2 to 11 of what a checker must establish.
//!
//! The class is not enumerated, however many men it has: what is looked at are the listed positions, and where their moves
//! lead. These come from the island's own move generator, their canonical images from the symmetries, the bytes of children
//! from tables that were verified before. Why this proves the claim is said in the soundness argument of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 4: local proof*.

use super::branches::branches;
use super::certificate::{Child, LocalProof};
use super::interval::Interval;
use super::listing::{Known, Listing, NO_RANK};
use super::man::Side;
use super::position::Position;
use super::root::Root;
use super::routes::Routes;
use super::session::Tables;
use super::table::check_children;
use super::tuple::Tuple;
use super::{Checked, Reason, Refusal, records};

/// Establishes the claim, or says why not.
pub(super) fn check(
    claim: &str,
    named: &[Child],
    stored: &LocalProof,
    tables: &mut Tables,
) -> Result<Checked, Refusal> {
    let root = Root::of(claim)?;
    let material = &root.material;
    check_children(material, named, tables)?;
    let children = named.iter().map(|child| tables.states_of(child));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    let position = root.position().ok_or_else(|| {
        let place = format_args!("claim: stored {claim}");
        Refusal::new(Reason::IllegalPosition, place)
    })?;
    let listing = Listing::of(material, stored)?;
    check_root(&listing, &position, root.interval)?;
    let routes = Routes::of(material, &children);
    let moves = check_bounds(&listing, &routes)?;
    records::check(&listing, &routes, stored, moves)?;
    Ok(Checked {
        states: listing.len() as u64,
        edges: moves,
    })
}

/// Step 8.
fn check_root(listing: &Listing, root: &Position, claimed: Interval) -> Result<(), Refusal> {
    let Some(place) = listing.find(Tuple::canonical(root)) else {
        return Err(Refusal::new(Reason::MissingRoot, root));
    };
    let stored = listing.at(place).interval;
    if stored == claimed {
        return Ok(());
    }
    let named = listing.named(place);
    let place = format_args!(
        "{named}: stored {} to {}, claimed {} to {}",
        stored.low, stored.high, claimed.low, claimed.high
    );
    Err(Refusal::new(Reason::WrongInterval, place))
}

/// Step 9. Returns how many moves the positions have.
fn check_bounds(listing: &Listing, routes: &Routes) -> Result<u64, Refusal> {
    let mut moves = 0;
    for (place, position) in listing.positions().enumerate() {
        let branches = branches(&position, routes)?;
        moves += branches.len() as u64;
        let known = branches.into_iter();
        let known: Vec<Known> = known
            .map(|branch| listing.known(branch, position.to_move))
            .collect();
        let stored = listing.at(place);
        let checked = match known.is_empty() {
            true => check_end(&position, stored),
            false => check_moves(position.to_move, stored, &known),
        };
        checked.map_err(|(reason, what)| {
            let named = listing.named(place);
            Refusal::new(reason, format_args!("{named}: {what}"))
        })?;
    }
    Ok(moves)
}

/// Why something said of a position is refused, and what it is.
type Wrong = (Reason, String);

/// A position without a legal move: mate or stalemate.
fn check_end(position: &Position, stored: Known) -> Result<(), Wrong> {
    let mated = position.in_check().then_some(position.to_move);
    if stored.interval != Interval::won_by(mated.map(Side::other)) {
        let what = match mated {
            Some(_) => "a checkmate with other bounds",
            None => "a stalemate with other bounds",
        };
        return Err((Reason::UnwitnessedBound, what.to_string()));
    }
    check_rank(stored, mated.map_or(Rank::None, |_| Rank::Plies(0)))
}

/// A position with legal moves, of which this is known.
fn check_moves(to_move: Side, stored: Known, moves: &[Known]) -> Result<(), Wrong> {
    for (least, reason) in [(1, Reason::UnwitnessedBound), (0, Reason::LeakingSet)] {
        for side in Side::BOTH {
            if stored.interval.least_for(side) != least {
                continue;
            }
            // The side needs one move that gives it as much; the other side must have none that gives it less.
            let mut gives = moves
                .iter()
                .map(|known| known.interval.least_for(side) >= least);
            let is_witnessed = match to_move == side {
                true => gives.any(|gives| gives),
                false => gives.all(|gives| gives),
            };
            if !is_witnessed {
                let what = match (side, least) {
                    (Side::White, 1) => "lower 2",
                    (Side::White, _) => "lower 1",
                    (Side::Black, 1) => "upper 0",
                    (Side::Black, _) => "upper 1",
                };
                return Err((reason, format!("{what} does not follow from the moves")));
            }
        }
    }
    check_rank(stored, rank(to_move, stored.interval, moves))
}

/// Refuses a rank that is not the one found. If a rank is found that cannot be written, none is right.
fn check_rank(stored: Known, found: Rank) -> Result<(), Wrong> {
    let is_right = match found {
        Rank::None => stored.rank == NO_RANK,
        Rank::Plies(plies) => u32::from(stored.rank) == plies && stored.rank != NO_RANK,
    };
    if is_right {
        return Ok(());
    }
    let what = match found {
        Rank::None => format!("rank stored {}, found none", stored.rank),
        Rank::Plies(plies) => format!("rank stored {}, found {plies}", stored.rank),
    };
    Err((Reason::WrongRank, what))
}

/// The rank that follows for a position.
#[derive(Clone, Copy)]
enum Rank {
    /// Nobody is said to win.
    None,
    /// The winner needs so many plies, which may be more than can be written.
    Plies(u32),
}

/// The rank of a position with moves.
fn rank(to_move: Side, interval: Interval, moves: &[Known]) -> Rank {
    let mut sides = Side::BOTH.into_iter();
    let Some(winner) = sides.find(|&side| interval.least_for(side) == 1) else {
        return Rank::None;
    };
    let won = moves
        .iter()
        .filter(|known| known.interval.least_for(winner) == 1);
    let ranks = won.map(|known| u32::from(known.rank));
    let rank = match to_move == winner {
        true => ranks.min(),
        false => ranks.max(),
    };
    // A win that is witnessed has a move to one.
    rank.map_or(Rank::None, |rank| Rank::Plies(rank + 1))
}
