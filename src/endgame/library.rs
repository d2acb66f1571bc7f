//! Solved classes, ready to be asked about positions and to be the children of others.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Move, Position, Square};
use thiserror::Error;

use super::Material;
use super::conversion::{Child, Conversions, side};
use super::index::{Index, Squares};
use super::material::normal;
use super::packed::{Packed, TableBytes};
use super::solver::{self, Solution, SolveError};
use super::value_byte::value_of;
use crate::game::{Interrupted, Observer, Plies, Value};
use crate::rules::uci_order;

/// Solved classes by material.
#[derive(Debug, Default)]
pub struct Library {
    classes: BTreeMap<Material, Table>,
}

/// The values of a class: by entry, for solving what rests on it, or as they stand in a certificate,
/// for asking about few positions.
#[derive(Debug)]
enum Table {
    Dense(Child),
    Packed(Packed),
}

/// A legal move and what it is worth to the side that makes it, counted from before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluatedMove {
    /// The move, in the position that was asked about.
    pub mv: Move,
    /// Its value for the mover: the best move has the value of the position.
    pub value: Value,
}

/// Why a legal position has no value here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LookupError {
    /// Its class is not among those that are loaded.
    #[error("the position is {0}, of which no table is loaded")]
    NoTable(Material),
    /// The table of its class is not there or cannot be used.
    #[error("the table of {0} cannot be used: {1}")]
    Unreadable(Material, String),
    /// A side may still castle.
    #[error("the position has castling rights; no position of a table has them")]
    CastlingRights,
}

impl Library {
    /// No class.
    pub fn new() -> Library {
        Library::default()
    }

    /// Whether the class is here.
    pub fn contains(&self, material: &Material) -> bool {
        self.classes.contains_key(material)
    }

    /// Adds a class from the bytes of its canonical states in order, and says whether they are as many
    /// as its states; if not, nothing is added.
    pub fn insert(&mut self, material: &Material, values: &[u8]) -> bool {
        let child = Child::from_values(material, values);
        child.is_some_and(|child| {
            self.classes.insert(material.clone(), Table::Dense(child));
            true
        })
    }

    /// Adds a class of which single bytes are read when they are asked for. The table is opened with the
    /// first question about it; if it cannot be, that is the answer to all. Nothing can be solved that rests
    /// on such a class.
    pub fn insert_packed(
        &mut self,
        material: &Material,
        open: impl Fn() -> Result<Box<dyn TableBytes>, String> + Send + Sync + 'static,
    ) {
        let packed = Packed::new(material, Box::new(open));
        self.classes.insert(material.clone(), Table::Packed(packed));
    }

    /// Solves one class whose children are all here, and keeps its values.
    ///
    /// # Errors
    ///
    /// [`SolveError`].
    ///
    /// # Panics
    ///
    /// If a child is missing.
    pub(super) fn solve(
        &mut self,
        material: &Material,
        observer: &dyn Observer,
    ) -> Result<super::census::Census, SolveError> {
        let index = Index::new(material);
        let conversions = self.conversions(material);
        let Solution { bytes, census } = solver::solve(&index, &conversions, observer)?;
        let solved = Table::Dense(Child { index, bytes });
        self.classes.insert(material.clone(), solved);
        Ok(census)
    }

    /// The number of edges of a class whose children are all here, without solving it: distinct pairs of a state and a
    /// successor, those into the sink included, en-passant states left out.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    ///
    /// # Panics
    ///
    /// If a child is missing.
    pub fn edges(&self, material: &Material, observer: &dyn Observer) -> Result<u64, Interrupted> {
        let index = Index::new(material);
        let census = solver::count(&index, &self.conversions(material), observer)?;
        Ok(census.edges)
    }

    /// The conversions of a class.
    ///
    /// # Panics
    ///
    /// If a child is missing.
    pub(super) fn conversions(&self, material: &Material) -> Conversions<'_> {
        let table = |child: &Material| {
            self.class(child)
                .expect("children are solved before their parents")
        };
        Conversions::new(material, material.children().iter().map(table).collect())
    }

    /// The values of a class by entry; `None` if it is packed.
    pub(super) fn class(&self, material: &Material) -> Option<&Child> {
        match self.classes.get(material) {
            Some(Table::Dense(class)) => Some(class),
            Some(Table::Packed(_)) | None => None,
        }
    }

    /// The value of a position for the side to move.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if the position, or one after a capture en passant in it, is in no table.
    pub fn value(&self, position: &Chess) -> Result<Value, LookupError> {
        let base = self.value_without_en_passant(position)?;
        if position.ep_square(EnPassantMode::Legal).is_none() {
            return Ok(base);
        }
        let moves = position.legal_moves();
        let (captures, others): (Vec<Move>, Vec<Move>) =
            moves.into_iter().partition(|mv| mv.is_en_passant());
        let mut best = (!others.is_empty()).then_some(base);
        for mv in captures {
            let value = self.after(position, mv)?;
            best = Some(best.map_or(value, |best| best.max(value)));
        }
        Ok(best.unwrap_or(base))
    }

    fn value_without_en_passant(&self, position: &Chess) -> Result<Value, LookupError> {
        if !position.castles().is_empty() {
            return Err(LookupError::CastlingRights);
        }
        let (material, is_exchanged) =
            normal(position.board().clone().into_iter().map(|(_, man)| man));
        let Some(class) = self.classes.get(&material) else {
            return if material.is_sink() {
                Ok(Value::Draw)
            } else {
                Err(LookupError::NoTable(material))
            };
        };
        let (mut left, turn) = if is_exchanged {
            (position.board().clone().into_mirrored(), !position.turn())
        } else {
            (position.board().clone(), position.turn())
        };
        let mut squares: Squares = [Square::A1; Material::MOST_MEN];
        for (square, &man) in squares.iter_mut().zip(material.men()) {
            *square = left
                .by_piece(man)
                .first()
                .expect("the board has the men of its class");
            left.discard_piece_at(*square);
        }
        match class {
            Table::Dense(class) => {
                let entry = class.index.entry(&squares);
                Ok(value_of(class.bytes[side(turn)][entry]))
            }
            Table::Packed(class) => class.value(&squares, turn),
        }
    }

    /// What a legal move is worth to the side that makes it, counted from before the move.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if the position after the move is in no table.
    pub fn after(&self, position: &Chess, mv: Move) -> Result<Value, LookupError> {
        let mut next = position.clone();
        next.play_unchecked(mv);
        Ok(self.value(&next)?.for_the_mover())
    }

    /// All legal moves of a position with their values, the best first, then by UCI text.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if a position after a move is in no table.
    pub fn moves(&self, position: &Chess) -> Result<Vec<EvaluatedMove>, LookupError> {
        let evaluate = |mv| {
            Ok(EvaluatedMove {
                mv,
                value: self.after(position, mv)?,
            })
        };
        let mut moves: Vec<EvaluatedMove> = position
            .legal_moves()
            .into_iter()
            .map(evaluate)
            .collect::<Result<_, _>>()?;
        moves.sort_unstable_by_key(|found| {
            (
                Reverse(found.value),
                uci_order(UciMove::from_standard(found.mv)),
            )
        });
        Ok(moves)
    }

    /// The optimal move with the smallest UCI text; `None` where there is no legal move.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if a position after a move is in no table.
    pub fn best_move(&self, position: &Chess) -> Result<Option<Move>, LookupError> {
        Ok(self.moves(position)?.first().map(|best| best.mv))
    }

    /// Optimal play to mate from a position: of the optimal moves always the one with the smallest
    /// UCI text. Empty for a draw. No longer than the distance says, whatever the values are.
    ///
    /// # Errors
    ///
    /// [`LookupError`] if a position on the way is in no table.
    pub fn best_line(&self, position: &Chess) -> Result<Vec<Move>, LookupError> {
        let plies = self.value(position)?.distance().unwrap_or(Plies::ZERO);
        let mut position = position.clone();
        let mut line = Vec::new();
        for _ in 0..plies.get() {
            let Some(best) = self.best_move(&position)? else {
                break;
            };
            line.push(best);
            position.play_unchecked(best);
        }
        Ok(line)
    }
}
