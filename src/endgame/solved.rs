//! A solved endgame: everything that its certificate says.

use rayon::prelude::*;
use shakmaty::{Chess, Color, Move};
use thiserror::Error;

use super::cells::ILLEGAL;
use super::conversion::{Child, Conversions, side};
use super::men::Men;
use super::solver::SolveError;
use super::symmetry_check;
use super::value_byte::{byte_of, value_of};
use super::{Library, LookupError, Material, Summary, en_passant};
use crate::game::{Interrupted, Observer};

/// A class with the values of its states, policy and longest line.
#[derive(Clone, Debug)]
pub struct Endgame {
    /// The class.
    pub material: Material,
    /// The byte of every canonical state, in canonical order.
    pub values: Vec<u8>,
    /// With three men the optimal move with the smallest UCI text, by state; `None` where there is no
    /// move. Empty with more men.
    pub policy: Vec<Option<Move>>,
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
            symmetry_check::compare(&class.index, &conversions, &class.bytes, observer)?
        } else {
            0
        };
        let (values, starts) = in_canonical_order(class, observer)?;
        let mut summary = Summary::of(class, &census, symmetry_comparisons);
        let en_passant = if material.has_en_passant() {
            let (found, results) = en_passant_states(class, &conversions)?;
            summary.en_passant = results;
            Some(found)
        } else {
            None
        };
        let policy = if three_men { policy(library, class, observer)? } else { Vec::new() };
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

const SIDES: [Color; 2] = [Color::White, Color::Black];

/// The bytes of the canonical states in order, and for each choice of squares of all men but the last
/// two the number of states before.
fn in_canonical_order(
    class: &Child,
    observer: &dyn Observer,
) -> Result<(Vec<u8>, Vec<u64>), Interrupted> {
    /// Entries that share the squares of all men but the last two.
    const PREFIX: usize = 1 << 12;
    let index = &class.index;
    observer.begin("putting states in order", index.len() as u64);
    let parts: Vec<Vec<u8>> = (0..index.len() / PREFIX)
        .into_par_iter()
        .map(|prefix| {
            observer.checkpoint(PREFIX as u64)?;
            let mut bytes = Vec::new();
            for entry in prefix * PREFIX..(prefix + 1) * PREFIX {
                let present = SIDES.map(|turn| class.bytes[side(turn)][entry]);
                if present != [ILLEGAL; 2] && index.raw_weight(&index.squares(entry)).is_some() {
                    bytes.extend(present.into_iter().filter(|&byte| byte != ILLEGAL));
                }
            }
            Ok(bytes)
        })
        .collect::<Result<_, Interrupted>>()?;
    let choices = 64_usize.pow(index.men() as u32 - 2);
    let mut starts = vec![0; choices];
    for (prefix, part) in parts.iter().enumerate() {
        starts[index.choice_of_prefix(prefix)] = part.len() as u64;
    }
    let mut before = 0;
    for start in &mut starts {
        before += std::mem::replace(start, before);
    }
    Ok((parts.concat(), starts))
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
        for turn in SIDES {
            let byte = class.bytes[side(turn)][entry];
            if byte == ILLEGAL {
                continue;
            }
            let men = Men::new(index.pieces(), index.squares(entry));
            let Some(weight) = index.raw_weight(&men.squares) else { continue };
            for passed in en_passant::passed_squares(&men, turn) {
                if !en_passant::is_capturable(&men, turn, passed) {
                    continue;
                }
                let has_move = men.targets(turn).sets.iter().any(|set| set.any());
                let base = has_move.then(|| value_of(byte));
                let value = en_passant::value(&men, turn, passed, base, conversions);
                found.raw_states += weight;
                found.values.push(byte_of(value).ok_or(EndgameError::TooLong)?);
                results.add(value.outcome());
            }
        }
    }
    results.raw_states = found.raw_states;
    Ok((found, results))
}

fn policy(
    library: &Library,
    class: &Child,
    observer: &dyn Observer,
) -> Result<Vec<Option<Move>>, EndgameError> {
    let states: Vec<Chess> = canonical_positions(class).collect();
    observer.begin("choosing moves", states.len() as u64);
    states
        .par_chunks(1 << 10)
        .map(|chunk| {
            observer.checkpoint(chunk.len() as u64)?;
            chunk.iter().map(|state| Ok(library.best_move(state)?)).collect()
        })
        .collect::<Result<Vec<Vec<Option<Move>>>, EndgameError>>()
        .map(|chunks| chunks.concat())
}

/// The positions of the canonical states, in order.
fn canonical_positions(class: &Child) -> impl Iterator<Item = Chess> + '_ {
    let index = &class.index;
    (0..index.len()).flat_map(move |entry| {
        let squares = index.squares(entry);
        let is_present = move |turn: &Color| class.bytes[side(*turn)][entry] != ILLEGAL;
        let sides = index.raw_weight(&squares).map_or([].as_slice(), |_| &SIDES);
        sides.iter().copied().filter(is_present).map(move |turn| index.position(&squares, turn))
    })
}
