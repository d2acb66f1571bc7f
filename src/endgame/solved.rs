//! A solved endgame: everything that its certificate says.

use std::cmp::Reverse;

use rayon::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{Color, Move};
use thiserror::Error;

use super::conversion::{Child, Conversions, side};
use super::men::Men;
use super::solver::SolveError;
use super::symmetry_check;
use super::value_byte::{byte_of, value_of};
use super::{Library, LookupError, Material, Summary, en_passant};
use crate::game::{Interrupted, Observer, Value};
use crate::rules::uci_order;

/// A class with the values of its states, policy and longest line.
#[derive(Clone, Debug)]
pub struct Endgame {
    /// The class.
    pub material: Material,
    /// The byte of every canonical state, in canonical order.
    pub values: Vec<u8>,
    /// With three men the optimal move with the smallest UCI text, by state; `None` where there is no
    /// move. Empty with more men.
    pub policy: Vec<Option<UciMove>>,
    /// With more than three men: for all choices of squares of all men but the last two, how many
    /// states come before. Empty with three men.
    pub starts: Vec<u64>,
    /// The en-passant states, if both sides have a pawn.
    pub en_passant: Option<EnPassant>,
    /// Optimal play from the first state with the longest distance; empty if every state is drawn.
    pub longest_line: Vec<Move>,
    /// The figures.
    pub summary: Summary,
}

/// The en-passant states of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnPassant {
    /// Before symmetry.
    pub raw_states: u64,
    /// The byte of every canonical en-passant state, in canonical order.
    pub values: Vec<u8>,
}

/// Why a class was not solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EndgameError {
    /// Somebody stopped the work.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A mate takes too many plies.
    #[error("a mate takes more plies than a table of this format can hold")]
    TooLong,
    /// A class that the longest line enters is not loaded.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// An image of a state has other successors than the state: a fault of this program.
    #[error("the rules are not symmetric at {0}; this is a fault of dchess, please report it")]
    Asymmetric(String),
}

impl From<SolveError> for EndgameError {
    fn from(error: SolveError) -> EndgameError {
        match error {
            SolveError::Interrupted(interrupted) => EndgameError::Interrupted(interrupted),
            SolveError::TooLong => EndgameError::TooLong,
        }
    }
}

impl Endgame {
    /// Solves a class on the current rayon pool and adds it to the library, which holds its children.
    /// The result is the same for any number of threads.
    ///
    /// # Errors
    ///
    /// [`EndgameError`].
    ///
    /// # Panics
    ///
    /// If a child is not in the library.
    pub fn solve(
        material: &Material,
        library: &mut Library,
        observer: &dyn Observer,
    ) -> Result<Endgame, EndgameError> {
        let census = library.solve(material, observer)?;
        let class = library.class(material).expect("it has just been solved");
        let conversions = library.conversions(material);
        let three_men = material.men().len() == 3;
        let symmetry_comparisons = if three_men {
            symmetry_check::compare(class, &conversions, observer)?
        } else {
            0
        };
        let (values, starts) = in_canonical_order(class, census.states, observer)?;
        let mut summary = Summary::of(class, &census, symmetry_comparisons);
        let en_passant = if material.has_en_passant() {
            let (found, results) = en_passant_states(class, &conversions)?;
            summary.en_passant = results;
            Some(found)
        } else {
            None
        };
        let policy = if three_men {
            policy(class, &conversions)
        } else {
            Vec::new()
        };
        let longest_line = match &summary.longest {
            Some(start) => library.best_line(start)?,
            None => Vec::new(),
        };
        Ok(Endgame {
            material: material.clone(),
            values,
            policy,
            starts: if three_men { Vec::new() } else { starts },
            en_passant,
            longest_line,
            summary,
        })
    }
}

/// The bytes of the canonical states in order, and for each choice of squares of all men but the last
/// two the number of states before.
fn in_canonical_order(
    class: &Child,
    states: u64,
    observer: &dyn Observer,
) -> Result<(Vec<u8>, Vec<u64>), Interrupted> {
    /// Groups that share the squares of all men but the last two.
    const GROUPS: usize = 64;
    /// Choices of these squares that are put in order at the same time: enough for all threads, and
    /// little memory beside the result.
    const BATCH: usize = 1 << 10;
    let index = &class.index;
    observer.begin("putting states in order", index.len() as u64);
    let mut values = Vec::with_capacity(usize::try_from(states).unwrap_or(0));
    let mut starts = vec![0; 64_usize.pow(index.men() as u32 - 2)];
    let prefixes = index.len() / 64 / GROUPS;
    for batch in (0..prefixes).step_by(BATCH) {
        let parts: Vec<Vec<u8>> = (batch..(batch + BATCH).min(prefixes))
            .into_par_iter()
            .map(|prefix| {
                observer.checkpoint(64 * GROUPS as u64)?;
                let groups = prefix * GROUPS..(prefix + 1) * GROUPS;
                let states = groups.flat_map(|group| class.states_in(group));
                Ok(states.map(|(_, _, byte)| byte).collect())
            })
            .collect::<Result<_, Interrupted>>()?;
        for (prefix, part) in (batch..).zip(&parts) {
            starts[index.choice_of_prefix(prefix)] = part.len() as u64;
            values.extend(part);
        }
    }
    let mut before = 0;
    for start in &mut starts {
        before += std::mem::replace(start, before);
    }
    Ok((values, starts))
}

/// The en-passant states in canonical order, and their results for the side to move.
fn en_passant_states(
    class: &Child,
    conversions: &Conversions,
) -> Result<(EnPassant, super::summary::EnPassantSummary), EndgameError> {
    let index = &class.index;
    let mut found = EnPassant::default();
    let mut results = super::summary::EnPassantSummary::default();
    for entry in 0..index.len() {
        for (turn, byte) in class.states_at(entry) {
            let men = Men::new(index, index.squares(entry));
            let weight = index.material().symmetries().len() as u64;
            for passed in en_passant::passed_squares(&men, turn) {
                if !en_passant::is_capturable(&men, turn, passed) {
                    continue;
                }
                let has_move = men.targets(turn).sets.iter().any(|set| set.any());
                let base = has_move.then(|| value_of(byte));
                let value = en_passant::value(&men, turn, passed, base, conversions);
                found.raw_states += weight;
                found
                    .values
                    .push(byte_of(value).ok_or(EndgameError::TooLong)?);
                results.add(value.outcome());
            }
        }
    }
    results.raw_states = found.raw_states;
    Ok((found, results))
}

/// The optimal moves with the smallest UCI texts, in the order of the states.
fn policy(class: &Child, conversions: &Conversions) -> Vec<Option<UciMove>> {
    let index = &class.index;
    (0..index.len() / 64)
        .into_par_iter()
        .flat_map_iter(|group| {
            class.states_in(group).map(move |(entry, turn, _)| {
                let men = Men::new(index, index.squares(entry));
                best_move(class, conversions, &men, turn)
            })
        })
        .collect()
}

/// The optimal move with the smallest UCI text; `None` where there is no legal move.
fn best_move(class: &Child, conversions: &Conversions, men: &Men, turn: Color) -> Option<UciMove> {
    let mut best: Option<(Value, UciMove)> = None;
    let mut offer = |value: Value, mv: UciMove| {
        let is_better = best.is_none_or(|(most, found)| {
            (Reverse(value), uci_order(mv)) < (Reverse(most), uci_order(found))
        });
        if is_better {
            best = Some((value, mv));
        }
    };
    let targets = men.targets(turn);
    for man in men.side(turn) {
        let from = men.squares[man];
        for to in targets.sets[man] {
            let quiet = UciMove::Normal {
                from,
                to,
                promotion: None,
            };
            if !men.converting(man).contains(to) {
                let mut squares = men.squares;
                squares[man] = to;
                let byte = class.bytes[side(!turn)][class.index.entry(&squares)];
                offer(value_of(byte).for_the_mover(), quiet);
                continue;
            }
            conversions.each_to(men, man, to, |promotion, landing| {
                let mv = UciMove::Normal {
                    from,
                    to,
                    promotion,
                };
                offer(conversions.value(landing).for_the_mover(), mv);
            });
        }
    }
    best.map(|(_, mv)| mv)
}
