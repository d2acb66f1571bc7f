//! The solver: the values of a class from those of its children.
//!
//! First every entry is looked at once: is it a state, how many moves has it, what is its best
//! conversion, is it mate or stalemate. Then distances are found layer by layer, as in
//! [`crate::solve::retrograde`], but without a graph: moves are taken back on the board, and a state whose moves
//! may all be refuted is checked by looking forward. A state with a winning conversion waits with that
//! distance in its byte, a shorter win overwrites it.
//!
//! En passant: a double step after which a capture en passant is legal does not lead to the ordinary
//! state. The few states with such a move are looked at forward in every layer instead.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use rayon::prelude::*;
use shakmaty::{Color, Role, Square};
use thiserror::Error;

use super::cells::{Cells, HELD, ILLEGAL, LONGEST, UNKNOWN};
use super::census::Census;
use super::conversion::{Conversions, side};
use super::en_passant;
use super::index::{Index, Squares};
use super::men::{Men, Targets, is_double_step};
use super::value_byte::{DRAWN, value_of};
use crate::game::{Interrupted, Observer, Value};

/// Why a class was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// Somebody stopped the work.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A mate takes too many plies for one byte.
    #[error("a mate takes more than {LONGEST} plies, which this solver cannot hold")]
    TooLong,
}

/// The values of a class by entry, and what was counted on the way.
pub(super) struct Solution {
    /// White to move, Black to move: a distance, [`DRAWN`], or [`ILLEGAL`] where no state is.
    pub(super) bytes: [Vec<u8>; 2],
    /// Moves, mates and stalemates.
    pub(super) census: Census,
}

const SIDES: [Color; 2] = [Color::White, Color::Black];
const BLOCK: usize = 1 << 12;

/// Solves a class on the current rayon pool. The result is the same for any number of threads.
///
/// # Errors
///
/// [`SolveError`].
pub(super) fn solve(
    index: &Index,
    conversions: &Conversions,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    let solver = Solver {
        index,
        conversions,
        cells: [Cells::new(index.len()), Cells::new(index.len())],
        highest: AtomicU16::new(0),
        is_too_long: AtomicBool::new(false),
    };
    solver.mark_states(observer)?;
    let (census, watched) = solver.look_at_states(observer)?;
    solver.run_layers(&watched, observer)?;
    if solver.is_too_long.load(Ordering::Relaxed) {
        return Err(SolveError::TooLong);
    }
    let bytes = solver.cells.map(|cells| {
        let mut bytes = cells.into_bytes();
        bytes
            .par_iter_mut()
            .filter(|byte| **byte == HELD)
            .for_each(|byte| *byte = DRAWN);
        bytes
    });
    Ok(Solution { bytes, census })
}

struct Solver<'a> {
    index: &'a Index,
    conversions: &'a Conversions<'a>,
    cells: [Cells; 2],
    /// The highest layer in which there is something to do.
    highest: AtomicU16,
    is_too_long: AtomicBool,
}

/// A state with a double step into an en-passant state: its side to move and its entry.
type Watched = (Color, usize);

impl Solver<'_> {
    fn blocks(&self) -> impl IndexedParallelIterator<Item = std::ops::Range<usize>> + use<> {
        let entries = self.index.len();
        (0..entries.div_ceil(BLOCK))
            .into_par_iter()
            .map(move |block| block * BLOCK..((block + 1) * BLOCK).min(entries))
    }

    fn men(&self, entry: usize) -> Men<'_> {
        Men::new(self.index, self.index.squares(entry))
    }

    fn cells(&self, turn: Color) -> &Cells {
        &self.cells[side(turn)]
    }

    /// Finds out which entries are states.
    fn mark_states(&self, observer: &dyn Observer) -> Result<(), Interrupted> {
        observer.begin("finding the states", self.index.len() as u64);
        self.blocks().try_for_each(|block| {
            observer.checkpoint(block.len() as u64)?;
            for entry in block {
                let men = self.men(entry);
                if !men.is_placement() || !self.index.is_ordered(&men.squares) {
                    continue;
                }
                for turn in SIDES {
                    if !men.is_king_attacked(!turn) {
                        self.cells(turn).set_mark(entry, UNKNOWN);
                    }
                }
            }
            Ok(())
        })
    }

    /// Looks at the moves of every state: counts, ends, conversions.
    fn look_at_states(
        &self,
        observer: &dyn Observer,
    ) -> Result<(Census, Vec<Watched>), Interrupted> {
        observer.begin("looking at moves", self.index.len() as u64);
        let parts: Vec<(Census, Vec<Watched>)> = self
            .blocks()
            .map(|block| {
                observer.checkpoint(block.len() as u64)?;
                let mut census = Census::default();
                let mut watched = Vec::new();
                for entry in block {
                    for turn in SIDES {
                        if self.cells(turn).get(entry) != ILLEGAL {
                            self.look_at(entry, turn, &mut census, &mut watched);
                        }
                    }
                }
                Ok((census, watched))
            })
            .collect::<Result<_, Interrupted>>()?;
        let mut census = Census::default();
        let mut watched = Vec::new();
        for (part, some) in parts {
            census.add(&part);
            watched.extend(some);
        }
        Ok((census, watched))
    }

    fn look_at(&self, entry: usize, turn: Color, census: &mut Census, watched: &mut Vec<Watched>) {
        let men = self.men(entry);
        let targets = men.targets(turn);
        let mut best: Option<Value> = None;
        self.conversions.each(&men, &targets.sets, turn, |landing| {
            let value = self.conversions.value(landing).for_the_mover();
            best = Some(best.map_or(value, |best| best.max(value)));
        });
        let has_move = targets.sets.iter().any(|set| set.any());
        let has_quiet_move = has_move && self.has_quiet_move(&men, &targets, turn);
        match best {
            None if !has_move && targets.is_check => self.set_distance(turn, entry, 0),
            None if !has_move => self.cells(turn).set_mark(entry, HELD),
            None => {}
            Some(Value::Win(plies)) => self.set_distance(turn, entry, plies.get()),
            Some(Value::Draw) => self.cells(turn).set_mark(entry, HELD),
            Some(Value::Loss(plies)) if !has_quiet_move => {
                self.set_distance(turn, entry, plies.get());
            }
            Some(Value::Loss(_)) => {}
        }
        if self.index.material().has_en_passant()
            && self.double_steps(&men, &targets, turn).any(|to| {
                let (after, passed) = after_double_step(&men, to);
                en_passant::is_capturable(&after, !turn, passed)
            })
        {
            watched.push((turn, entry));
        }
        if let Some(weight) = self.index.raw_weight(&men.squares) {
            census.count(self.index, self.conversions, &men, &targets, turn, weight);
        }
    }

    fn has_quiet_move(&self, men: &Men, targets: &Targets, turn: Color) -> bool {
        men.side(turn)
            .any(|man| (targets.sets[man] & !men.converting(man)).any())
    }

    /// The targets of legal double steps, with the pawn that makes them.
    fn double_steps<'m>(
        &self,
        men: &'m Men,
        targets: &'m Targets,
        turn: Color,
    ) -> impl Iterator<Item = (usize, Square)> + 'm {
        let pawns = men
            .side(turn)
            .filter(|&man| men.piece(man).role == Role::Pawn);
        pawns.flat_map(|man| {
            let from = men.squares[man];
            targets.sets[man]
                .into_iter()
                .filter(move |&to| is_double_step(from, to))
                .map(move |to| (man, to))
        })
    }

    fn set_distance(&self, turn: Color, entry: usize, plies: u16) {
        match u8::try_from(plies) {
            Ok(byte) if plies <= LONGEST => {
                self.cells(turn).set_distance(entry, byte);
                self.highest.fetch_max(plies, Ordering::Relaxed);
            }
            _ => self.is_too_long.store(true, Ordering::Relaxed),
        }
    }

    /// Finds all distances, from mate upwards.
    fn run_layers(&self, watched: &[Watched], observer: &dyn Observer) -> Result<(), Interrupted> {
        // A capture en passant can decide a watched state as late as the longest mate of a child.
        if !watched.is_empty() {
            let bytes = self
                .conversions
                .children()
                .iter()
                .flat_map(|child| &child.bytes)
                .flatten();
            let longest = bytes.filter(|&&byte| u16::from(byte) <= LONGEST).max();
            let later = longest.map_or(0, |&byte| u16::from(byte) + 2);
            self.highest
                .fetch_max(later.min(LONGEST), Ordering::Relaxed);
        }
        observer.begin("finding distances", 0);
        let mut plies = 0;
        while plies <= self.highest.load(Ordering::Relaxed) {
            let byte = plies as u8;
            for turn in SIDES {
                let cells = self.cells(turn);
                cells
                    .touched(byte)
                    .par_iter()
                    .enumerate()
                    .try_for_each(|(word, bits)| {
                        let bits = bits.load(Ordering::Relaxed);
                        if bits == 0 {
                            return Ok(());
                        }
                        observer.checkpoint(1)?;
                        for entry in cells.entries_in(word, bits, byte) {
                            if plies.is_multiple_of(2) {
                                self.spread_loss(entry, turn, plies);
                            } else {
                                self.spread_win(entry, turn);
                            }
                        }
                        Ok(())
                    })?;
                if plies % 2 == 1 {
                    self.judge_suspects(!turn, plies);
                }
            }
            watched
                .par_iter()
                .for_each(|&(turn, entry)| self.look_again(entry, turn, plies));
            plies += 1;
        }
        Ok(())
    }

    /// A state is lost in `plies`: whoever can move into it wins one ply later.
    fn spread_loss(&self, entry: usize, turn: Color, plies: u16) {
        self.each_origin(entry, turn, |origin| {
            self.offer_win(!turn, origin, plies + 1)
        });
    }

    /// A state is won: whoever can move into it may have no better move.
    fn spread_win(&self, entry: usize, turn: Color) {
        let before = self.cells(!turn);
        self.each_origin(entry, turn, |origin| {
            if before.get(origin) == UNKNOWN {
                before.suspect(origin);
            }
        });
    }

    /// Looks forward from the states of a side that may have become lost with the wins in `plies`.
    fn judge_suspects(&self, turn: Color, plies: u16) {
        self.cells(turn)
            .suspects()
            .par_iter()
            .enumerate()
            .for_each(|(word, bits)| {
                let mut left = bits.load(Ordering::Relaxed);
                if left == 0 {
                    return;
                }
                bits.store(0, Ordering::Relaxed);
                while left != 0 {
                    let entry = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    if let Some(distance) = self.check_lost(entry, turn, plies) {
                        self.set_distance(turn, entry, distance);
                    }
                }
            });
    }

    fn offer_win(&self, turn: Color, entry: usize, plies: u16) {
        let byte = self.cells(turn).get(entry);
        let is_later_win = u16::from(byte) <= LONGEST && byte % 2 == 1 && u16::from(byte) > plies;
        if byte == UNKNOWN || byte == HELD || is_later_win {
            self.set_distance(turn, entry, plies);
        }
    }

    /// Visits the entries from which a quiet move of the other side leads into this state, but for
    /// double steps after which a capture en passant is legal.
    fn each_origin(&self, entry: usize, turn: Color, mut visit: impl FnMut(usize)) {
        let men = self.men(entry);
        for man in men.side(!turn) {
            let is_pawn = men.piece(man).role == Role::Pawn;
            for from in men.origins(man) {
                if is_pawn
                    && self.index.material().has_en_passant()
                    && is_double_step(from, men.squares[man])
                {
                    let passed = middle(from, men.squares[man]);
                    if en_passant::is_capturable(&men, turn, passed) {
                        continue;
                    }
                }
                let origin = self.moved(entry, &men.squares, man, from);
                visit(origin);
                // With White's king moving onto the long diagonal there are two entries. (Where it stays there,
                // the other one is found from the other entry of this state.)
                if man == 0
                    && let Some(reflection) = self.index.reflection(origin)
                {
                    visit(reflection);
                }
            }
        }
    }

    /// The entry after one man has moved.
    fn moved(&self, entry: usize, squares: &Squares, man: usize, to: Square) -> usize {
        if man > 0 && !self.index.has_like(man) {
            let shift = self.index.shift(man);
            return (entry & !(63 << shift)) | to.to_usize() << shift;
        }
        let mut squares = *squares;
        squares[man] = to;
        self.index.entry(&squares)
    }

    /// If every move of a state leads to a win of the other side in at most `plies`, the distance of
    /// its loss.
    fn check_lost(&self, entry: usize, turn: Color, plies: u16) -> Option<u16> {
        let men = self.men(entry);
        let after = self.cells(!turn);
        for man in men.side(turn) {
            let quiet = men.pseudo_targets(man) & !men.converting(man);
            for to in quiet {
                let byte = after.get(self.moved(entry, &men.squares, man, to));
                let is_won = byte % 2 == 1 && u16::from(byte) <= plies;
                if byte != ILLEGAL && !is_won {
                    return None;
                }
            }
        }
        // A double step into an en-passant state is not what was looked at above.
        if self.index.material().has_en_passant() && self.is_watched(&men, turn) {
            return None;
        }
        Some((plies + 1).max(self.latest_conversion(&men, turn)))
    }

    fn is_watched(&self, men: &Men, turn: Color) -> bool {
        let targets = men.targets(turn);
        self.double_steps(men, &targets, turn).any(|to| {
            let (after, passed) = after_double_step(men, to);
            en_passant::is_capturable(&after, !turn, passed)
        })
    }

    /// Of a state that is not held, so that all of its conversions lose: how long the longest takes.
    fn latest_conversion(&self, men: &Men, turn: Color) -> u16 {
        let mut latest = 0;
        self.conversions
            .each(men, &men.targets(turn).sets, turn, |landing| {
                let value = self.conversions.value(landing).for_the_mover();
                latest = latest.max(value.distance().map_or(0, |plies| plies.get()));
            });
        latest
    }

    /// Looks forward from a watched state: what follows from all that is decided in at most `plies`?
    fn look_again(&self, entry: usize, turn: Color, plies: u16) {
        let byte = self.cells(turn).get(entry);
        let is_decided =
            u16::from(byte) <= LONGEST && (byte.is_multiple_of(2) || u16::from(byte) <= plies);
        if is_decided {
            return;
        }
        let men = self.men(entry);
        let targets = men.targets(turn);
        let mut win: Option<u16> = None;
        let mut loss = Some(0);
        for man in men.side(turn) {
            for to in targets.sets[man] & !men.converting(man) {
                let reached = self.decided_after(&men, entry, turn, man, to, plies);
                match reached.map(Value::for_the_mover) {
                    Some(Value::Win(distance)) => {
                        let distance = distance.get();
                        win = Some(win.map_or(distance, |win| win.min(distance)));
                    }
                    Some(Value::Loss(distance)) => {
                        loss = loss.map(|loss: u16| loss.max(distance.get()));
                    }
                    Some(Value::Draw) | None => loss = None,
                }
            }
        }
        if let Some(distance) = win {
            self.offer_win(turn, entry, distance);
        } else if let Some(distance) = loss
            && byte == UNKNOWN
        {
            let distance = distance.max(self.latest_conversion(&men, turn));
            self.set_distance(turn, entry, distance);
        }
    }

    /// The value after a quiet move, if it is decided in at most `plies`.
    fn decided_after(
        &self,
        men: &Men,
        entry: usize,
        turn: Color,
        man: usize,
        to: Square,
        plies: u16,
    ) -> Option<Value> {
        let byte = self
            .cells(!turn)
            .get(self.moved(entry, &men.squares, man, to));
        let base = (u16::from(byte) <= plies).then(|| value_of(byte));
        let from = men.squares[man];
        if men.piece(man).role != Role::Pawn || !is_double_step(from, to) {
            return base;
        }
        let (after, passed) = after_double_step(men, (man, to));
        if !en_passant::is_capturable(&after, !turn, passed) {
            return base;
        }
        let has_other_move = after.targets(!turn).sets.iter().any(|set| set.any());
        let is_within = |value: &Value| {
            value
                .distance()
                .is_some_and(|distance| distance.get() <= plies)
        };
        let captured = en_passant::value(&after, !turn, passed, None, self.conversions);
        match (has_other_move, base) {
            (false, _) => Some(captured).filter(is_within),
            (true, Some(base)) => match base.max(captured) {
                Value::Draw => Some(Value::Draw),
                value => Some(value).filter(is_within),
            },
            // The other moves are open: only a winning capture decides.
            (true, None) => {
                Some(captured).filter(|value| matches!(value, Value::Win(_)) && is_within(value))
            }
        }
    }
}

/// The square that a pawn jumps over.
fn middle(from: Square, to: Square) -> Square {
    Square::new((from.to_u32() + to.to_u32()) / 2)
}

/// The placement after a double step, and the square that was jumped over.
fn after_double_step<'m>(men: &Men<'m>, (man, to): (usize, Square)) -> (Men<'m>, Square) {
    let mut squares = men.squares;
    let passed = middle(squares[man], to);
    squares[man] = to;
    (men.with_squares(squares), passed)
}
