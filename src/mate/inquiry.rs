//! Questions about some first moves of a position, in the order that their asker likes, with one memory.
//!
//! [`shortest_mate`](super::shortest_mate) goes through the lengths by itself and answers once. Who wants to hear of each length, to leave out first moves, to
//! ask about a long mate before the short ones are refuted, or to divide his time between two questions, asks an [`Inquiry`]. Facts
//! that are found for one question help with the next, whatever its length. A [`Meter`] can pause a search; asked again, it goes on from what it remembers.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};

use super::diagram::Diagram;
use super::length::{Mover, Moves};
use super::meter::{Meter, Stopped};
use super::prover::{Budget, Prover};
use super::root;
use super::step::Step;
use crate::rules::uci_order;

/// Whether the attacker mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mates {
    /// He does; if he is to move, with this move.
    Yes(Option<Move>),
    /// He does not.
    No,
}

/// A position and what is remembered about it, for one attacker.
pub struct Inquiry<'a> {
    prover: Prover<'a>,
    position: Chess,
    diagram: Diagram,
    mover: Mover,
}

impl<'a> Inquiry<'a> {
    /// Questions about a position, with the memory and the threads of a budget. The positions are those of the meter.
    pub fn new(position: &Chess, mover: Mover, budget: &Budget, meter: &'a Meter<'a>) -> Self {
        Inquiry {
            prover: Prover::new(meter, budget),
            position: position.clone(),
            diagram: Diagram::of(position),
            mover,
        }
    }

    /// Whether the attacker mates within so many moves, if the side to move has these first moves and no others.
    ///
    /// No first moves at all are no mate, except in a checkmate.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the meter ended the search, or paused it.
    pub fn decide(&mut self, first: &[Move], length: Moves) -> Result<Mates, Stopped> {
        let steps: Vec<Step> = first.iter().copied().filter_map(Diagram::to_step).collect();
        let length = length.get();
        let (mates, step) = if steps.len() == root::steps(&self.diagram).len() {
            self.prover.decide(&self.diagram, self.mover, length)?
        } else if length == 0 || steps.is_empty() {
            (false, None)
        } else {
            let mover = self.mover;
            self.prover
                .decide_among(&self.diagram, steps, mover, length)?
        };
        if mates {
            Ok(Mates::Yes(step.map(|step| self.diagram.to_move(step))))
        } else {
            Ok(Mates::No)
        }
    }

    /// A line of a mate within so many moves that begins with one of these first moves, each of which loses or mates within them.
    ///
    /// If no shorter mate can be had with them, the defender plays so that the mate takes all the moves. Otherwise the line may be shorter. It ends in mate, or
    /// is empty: that the moves do what is said of them is the business of the caller.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the meter ended the search, or paused it.
    pub fn line(
        &mut self,
        first: &[Move],
        length: Moves,
        is_shortest: bool,
    ) -> Result<Vec<Move>, Stopped> {
        let Some(begin) = self.beginning(first, length.get(), is_shortest)? else {
            return Ok(Vec::new());
        };
        let Some(search) = self.prover.searches.first_mut() else {
            return Ok(Vec::new());
        };
        let mut after = self.position.clone();
        let mut line = begin.clone();
        for &mv in &begin {
            after.play_unchecked(mv);
        }
        let left = length.get().saturating_sub(1);
        line.extend(if is_shortest {
            search.line(&after, Mover::Defender, left, None)?
        } else {
            search.proved_line(&after, left)?
        });
        for &mv in &line[begin.len()..] {
            after.play_unchecked(mv);
        }
        Ok(if after.is_checkmate() {
            line
        } else {
            Vec::new()
        })
    }

    /// The moves up to the first of the attacker, and so with the defender to move after them.
    fn beginning(
        &mut self,
        first: &[Move],
        length: u8,
        is_shortest: bool,
    ) -> Result<Option<Vec<Move>>, Stopped> {
        let mut first = first.to_vec();
        first.sort_by_key(|&mv| uci_order(UciMove::from_standard(mv)));
        if self.mover == Mover::Attacker {
            return Ok(first.first().map(|&key| vec![key]));
        }
        let Some(search) = self.prover.searches.first_mut() else {
            return Ok(None);
        };
        let mut longest: Option<(u8, Vec<Move>)> = None;
        for reply in first {
            let Some(step) = Diagram::to_step(reply) else {
                continue;
            };
            let next = self.diagram.play(step);
            // A proof that is at hand may be longer than need be.
            let is_short =
                is_shortest && length > 1 && search.attacker_mates(&next, length - 1)?.is_some();
            let Some((proved, answer)) = search.mating_step(&next, length)? else {
                return Ok(None);
            };
            let moves = if is_short { 0 } else { proved };
            if longest.as_ref().is_none_or(|&(most, _)| moves > most) {
                longest = Some((moves, vec![reply, next.to_move(answer)]));
            }
        }
        Ok(longest.map(|(_, begin)| begin))
    }

    /// How full the memory is, in thousandths of what it may become.
    pub fn permille_remembered(&self) -> u16 {
        let uses = self
            .prover
            .searches
            .iter()
            .map(|search| search.table.use_of());
        let (used, largest) = uses.fold((0, 0), |(used, largest), (more, size)| {
            (used + more, largest + size)
        });
        (used as u64 * 1000 / (largest as u64).max(1)).min(1000) as u16
    }

    /// Positions looked at, over all questions of the meter.
    pub fn nodes(&mut self) -> u64 {
        self.prover.nodes()
    }
}

impl std::fmt::Debug for Inquiry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inquiry")
            .field("position", &self.position)
            .field("mover", &self.mover)
            .finish_non_exhaustive()
    }
}
