//! The solver: the values of a class from those of its children.
//!
//! Distances are found layer by layer, as in [`crate::solve::retrograde`], but without a graph: moves
//! are taken back on the board, and a state whose moves may all be refuted is checked by looking
//! forward. All of this is done for a [`Group`] of 64 placements at once. A state with a winning
//! conversion waits with that distance in its byte, a shorter win overwrites it.
//!
//! En passant: a double step after which a capture en passant is legal does not lead to the ordinary
//! state. The few states with such a move are looked at forward in every layer instead.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use rayon::prelude::*;
use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Color, Role, Square};
use thiserror::Error;

use super::cells::{Cells, LONGEST};
use super::census::Census;
use super::conversion::{Conversions, side};
use super::en_passant;
use super::group::{Direction, Group};
use super::index::Index;
use super::men::{Men, after_double_step, is_double_step};
use super::survey::{Survey, Surveyor};
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
    /// White to move, Black to move: a distance, [`DRAWN`], or [`ILLEGAL`](super::cells::ILLEGAL) where
    /// no state is.
    pub(super) bytes: [Vec<u8>; 2],
    /// Moves, mates and stalemates.
    pub(super) census: Census,
}

const SIDES: [Color; 2] = [Color::White, Color::Black];

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
    let solver = Solver::new(index, conversions);
    solver.mark_states(observer)?;
    let (census, watched) = solver.survey(observer)?;
    solver.run_layers(&watched, observer)?;
    if solver.is_too_long.load(Ordering::Relaxed) {
        return Err(SolveError::TooLong);
    }
    Ok(Solution {
        bytes: solver.cells.map(Cells::into_bytes),
        census,
    })
}

/// Counts the states and moves of a class without solving it.
pub(super) fn count(
    index: &Index,
    conversions: &Conversions,
    observer: &dyn Observer,
) -> Result<Census, Interrupted> {
    let solver = Solver::new(index, conversions);
    solver.mark_states(observer)?;
    Ok(solver.survey(observer)?.0)
}

struct Solver<'a> {
    index: &'a Index,
    conversions: &'a Conversions<'a>,
    cells: [Cells; 2],
    /// For each group, the open states with conversions, all of which lose.
    converting: [Vec<AtomicU64>; 2],
    /// The highest layer in which there is something to do.
    highest: AtomicU16,
    is_too_long: AtomicBool,
}

/// A state with a double step into an en-passant state.
struct Watched {
    turn: Color,
    entry: usize,
    /// Whether it may be lost as far as its conversions go.
    is_open: bool,
}

impl<'a> Solver<'a> {
    fn new(index: &'a Index, conversions: &'a Conversions<'a>) -> Solver<'a> {
        let groups = index.len() / 64;
        Solver {
            index,
            conversions,
            cells: [Cells::new(groups), Cells::new(groups)],
            converting: [zeros(groups), zeros(groups)],
            highest: AtomicU16::new(0),
            is_too_long: AtomicBool::new(false),
        }
    }

    fn cells(&self, turn: Color) -> &Cells {
        &self.cells[side(turn)]
    }

    /// The numbers of all groups, in blocks.
    fn blocks(&self) -> impl IndexedParallelIterator<Item = std::ops::Range<usize>> + use<> {
        const BLOCK: usize = 1 << 6;
        let groups = self.index.len() / 64;
        (0..groups.div_ceil(BLOCK))
            .into_par_iter()
            .map(move |block| block * BLOCK..((block + 1) * BLOCK).min(groups))
    }

    /// Finds out which entries are states.
    fn mark_states(&self, observer: &dyn Observer) -> Result<(), Interrupted> {
        observer.begin("finding the states", self.index.len() as u64);
        self.blocks().try_for_each(|block| {
            observer.checkpoint(64 * block.len() as u64)?;
            for number in block {
                let states = Group::new(self.index, number).states();
                for (cells, states) in self.cells.iter().zip(states) {
                    cells.set_states(number, states);
                }
            }
            Ok(())
        })
    }

    /// Looks at the moves of every state: counts, ends, conversions.
    fn survey(&self, observer: &dyn Observer) -> Result<(Census, Vec<Watched>), Interrupted> {
        observer.begin("looking at moves", self.index.len() as u64);
        let parts: Vec<(Census, Vec<Watched>)> = self
            .blocks()
            .map(|block| {
                observer.checkpoint(64 * block.len() as u64)?;
                let mut surveyor = Surveyor::new(self.conversions, &self.cells);
                let mut watched = Vec::new();
                for number in block {
                    let group = Group::new(self.index, number);
                    for turn in SIDES {
                        let survey = surveyor.look_at(&group, turn);
                        self.note(&survey, number, turn, &mut watched);
                    }
                }
                Ok((surveyor.census, watched))
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

    fn note(&self, survey: &Survey, group: usize, turn: Color, watched: &mut Vec<Watched>) {
        for &(square, plies) in &survey.distances {
            if let Some(byte) = self.layer(plies) {
                self.cells(turn).set_distance(group, square.into(), byte);
            }
        }
        // Whether a watched state is lost is not found by taking moves back.
        self.cells(turn)
            .set_open(group, survey.open & !survey.watched);
        self.converting[side(turn)][group].store(survey.converting.0, Ordering::Relaxed);
        watched.extend(survey.watched.into_iter().map(|square| Watched {
            turn,
            entry: group * 64 + square.to_usize(),
            is_open: survey.open.contains(square),
        }));
    }

    /// The byte of a distance, whose layer will be looked at; `None` if it is too long.
    fn layer(&self, plies: u16) -> Option<u8> {
        let byte = u8::try_from(plies).ok().filter(|_| plies <= LONGEST);
        match byte {
            None => self.is_too_long.store(true, Ordering::Relaxed),
            Some(_) if self.highest.load(Ordering::Relaxed) < plies => {
                self.highest.fetch_max(plies, Ordering::Relaxed);
            }
            Some(_) => {}
        }
        byte
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
            for turn in SIDES {
                self.spread(turn, plies, observer)?;
                if plies % 2 == 1 {
                    self.judge_suspects(!turn, plies, observer)?;
                }
            }
            watched
                .par_iter()
                .for_each(|state| self.look_again(state, plies));
            plies += 1;
        }
        Ok(())
    }

    /// Takes moves back from all states of one side that are decided in `plies`.
    fn spread(&self, turn: Color, plies: u16, observer: &dyn Observer) -> Result<(), Interrupted> {
        let cells = self.cells(turn);
        let byte = plies as u8;
        each_group(cells.touched(byte), observer, |number| {
            let reached = cells.take_reached(number, byte);
            if reached.is_empty() {
                return;
            }
            let group = Group::new(self.index, number);
            if plies.is_multiple_of(2) {
                // Lost: whoever can move here wins one ply later.
                group.each_origin(turn, reached, |number, origins| {
                    self.offer_win(!turn, number, origins, plies + 1);
                });
            } else {
                // Won: whoever can move here may have no better move.
                group.each_origin(turn, reached, |number, origins| {
                    self.cells(!turn).suspect(number, origins);
                });
            }
        })
    }

    fn offer_win(&self, turn: Color, group: usize, states: Bitboard, plies: u16) {
        match u8::try_from(plies).ok().filter(|_| plies <= LONGEST) {
            None if (self.cells(turn).live(group) & states).any() => {
                self.is_too_long.store(true, Ordering::Relaxed);
            }
            Some(byte) if self.cells(turn).win(group, states, byte) => {
                self.layer(plies);
            }
            _ => {}
        }
    }

    /// Looks forward from the states of a side that may have become lost with the wins in `plies`.
    fn judge_suspects(
        &self,
        turn: Color,
        plies: u16,
        observer: &dyn Observer,
    ) -> Result<(), Interrupted> {
        let cells = self.cells(turn);
        each_group(cells.suspicious(), observer, |number| {
            cells.suspicious()[number / 64].fetch_and(!(1 << (number % 64)), Ordering::Relaxed);
            let suspects = cells.take_suspects(number);
            let lost = self.without_escape(&Group::new(self.index, number), turn, suspects);
            if lost.is_empty() {
                return;
            }
            let converting =
                Bitboard(self.converting[side(turn)][number].load(Ordering::Relaxed)) & lost;
            if let Some(byte) = self.layer(plies + 1) {
                cells.lose(number, lost & !converting, byte);
            }
            for square in converting {
                let entry = number * 64 + square.to_usize();
                let men = Men::new(self.index, self.index.squares(entry));
                let distance = (plies + 1).max(self.latest_conversion(&men, turn));
                if let Some(byte) = self.layer(distance) {
                    cells.lose(number, square.into(), byte);
                }
            }
        })
    }

    /// Those of these states in which every quiet move leads to a state that is won for the other
    /// side.
    fn without_escape(&self, group: &Group, turn: Color, states: Bitboard) -> Bitboard {
        let after = self.cells(!turn);
        let mut left = states;
        if turn.is_black() {
            let escapes = after.live(group.number);
            let last = group.piece(group.last());
            for square in states {
                let reached = if last.role == Role::Pawn {
                    group.steps_of_last(square, Direction::Forward)
                } else {
                    attacks(square, last, group.occupied)
                };
                if (reached & escapes).any() {
                    left.discard(square);
                }
            }
        }
        for man in group.fixed(turn) {
            if left.is_empty() {
                break;
            }
            group.each_step(man, left, Direction::Forward, |to, places| {
                let place = group.after(man, to);
                let escapes = place.symmetry.undo_on_all(after.live(place.group));
                left &= !(places & escapes);
            });
        }
        left
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
    fn look_again(&self, state: &Watched, plies: u16) {
        let &Watched {
            turn,
            entry,
            is_open,
        } = state;
        let byte = self.cells(turn).get(entry);
        let is_decided =
            u16::from(byte) <= LONGEST && (byte.is_multiple_of(2) || u16::from(byte) <= plies);
        if is_decided {
            return;
        }
        let men = Men::new(self.index, self.index.squares(entry));
        let targets = men.targets(turn);
        let mut win: Option<u16> = None;
        let mut loss = Some(0);
        for man in men.side(turn) {
            for to in targets.sets[man] & !men.converting(man) {
                let reached = self.decided_after(&men, turn, man, to, plies);
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
        let (group, square) = (entry / 64, Square::new((entry % 64) as u32));
        if let Some(distance) = win {
            // A conversion may win as early.
            if u16::from(byte) > distance {
                self.offer_win(turn, group, square.into(), distance);
            }
        } else if let Some(distance) = loss
            && is_open
            && byte == DRAWN
        {
            let distance = distance.max(self.latest_conversion(&men, turn));
            if let Some(byte) = self.layer(distance) {
                self.cells(turn).lose(group, square.into(), byte);
            }
        }
    }

    /// The value after a quiet move, if it is decided in at most `plies`.
    fn decided_after(
        &self,
        men: &Men,
        turn: Color,
        man: usize,
        to: Square,
        plies: u16,
    ) -> Option<Value> {
        let mut squares = men.squares;
        squares[man] = to;
        let byte = self.cells(!turn).get(self.index.entry(&squares));
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

/// Visits the groups of a set, given as words of 64 groups, on the current rayon pool.
fn each_group(
    words: &[AtomicU64],
    observer: &dyn Observer,
    visit: impl Fn(usize) + Sync,
) -> Result<(), Interrupted> {
    words.par_iter().enumerate().try_for_each(|(word, bits)| {
        let mut left = bits.load(Ordering::Relaxed);
        if left == 0 {
            return Ok(());
        }
        observer.checkpoint(1)?;
        while left != 0 {
            visit(word * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
        Ok(())
    })
}

fn zeros(words: usize) -> Vec<AtomicU64> {
    std::iter::repeat_with(AtomicU64::default)
        .take(words)
        .collect()
}
