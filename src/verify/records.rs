//! Steps 10 and 11 of a local proof: the moves that are deleted, and how many there are. The record of a move is judged in the
//! same way in a proof.
//!
//! A record names the place of the move that dominates, which has to be one that is kept. By what is known in the end the
//! deleted move is no better for the side to move than that.
//!
//! Source: `docs/certificate-format.md`, *Deletions* of kind 4.

use super::branches::branches;
use super::certificate::LocalProof;
use super::interval::Interval;
use super::listing::Listing;
use super::man::Side;
use super::routes::Routes;
use super::table::same;
use super::{Reason, Refusal};

/// What stands in the place of a dominating move where a move is kept.
const KEPT: u8 = u8::MAX;

/// Deletions of each kind.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) strict: u64,
    pub(super) equal: u64,
}

/// Judges the records of the listed positions, which have so many moves.
pub(super) fn check(
    listing: &Listing,
    routes: &Routes,
    stored: &LocalProof,
    moves: u64,
) -> Result<(), Refusal> {
    let length = stored.dominators.len() as u64;
    same(Reason::WrongNumberOfRecords, "dominators", length, moves)?;
    let mut counts = Counts::default();
    let mut left = &stored.dominators[..];
    for (number, position) in listing.positions().enumerate() {
        let to_move = position.to_move;
        let intervals: Vec<Interval> = branches(&position, routes)?
            .into_iter()
            .map(|branch| listing.known(branch, to_move).interval)
            .collect();
        let (records, behind) = left.split_at(intervals.len().min(left.len()));
        left = behind;
        for place in 0..records.len() {
            let checked = check_record(to_move, &intervals, records, place, &mut counts);
            checked.map_err(|reason| {
                let named = listing.named(number);
                Refusal::new(reason, format_args!("{named}: move {place}"))
            })?;
        }
    }
    let reason = Reason::WrongCount;
    same(reason, "moves", stored.moves, moves)?;
    let (strict, equal) = (stored.deleted_strict, stored.deleted_equal);
    same(reason, "deleted_strict", strict, counts.strict)?;
    same(reason, "deleted_equal", equal, counts.equal)
}

/// The record of the move at a place among those of its position.
pub(super) fn check_record(
    to_move: Side,
    intervals: &[Interval],
    records: &[u8],
    place: usize,
    counts: &mut Counts,
) -> Result<(), Reason> {
    let record = |place: usize| Some((*intervals.get(place)?, *records.get(place)?));
    let (deleted, dominator) = record(place).ok_or(Reason::WrongRecord)?;
    if dominator == KEPT {
        return Ok(());
    }
    let other = usize::from(dominator);
    let (dominating, its_dominator) = record(other).ok_or(Reason::WrongRecord)?;
    if other == place {
        return Err(Reason::WrongRecord);
    }
    if its_dominator != KEPT {
        return Err(Reason::DominatingMoveDeleted);
    }
    let order = dominating.against(deleted, to_move);
    match order.is_lt() {
        true => return Err(Reason::NotDominated),
        false if order.is_eq() => counts.equal += 1,
        false => counts.strict += 1,
    }
    Ok(())
}
