//! The first look at a group: its moves are counted, and what can be said without knowing the values
//! of other states of the class is said: mates, stalemates, and what captures and promotions lead to.

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Color, Role, Square};

use super::cells::Cells;
use super::census::{Census, merged_moves};
use super::conversion::{Conversions, Landing, side};
use super::en_passant;
use super::group::{DIAGONAL, Direction, Group};
use super::men::{Men, Targets, after_double_step, double_steps};
use crate::game::Value;

/// The symmetries that keep some squares where they are, with these squares.
const REFLECTIONS: [Reflection; 2] = [
    (Square::flip_diagonal, DIAGONAL),
    (Square::flip_anti_diagonal, Bitboard(0x0102_0408_1020_4080)),
];
type Reflection = (fn(Square) -> Square, Bitboard);

/// What is known of the states of a group with one side to move before the first layer.
#[derive(Default)]
pub(super) struct Survey {
    /// Neither decided nor held: these may be lost.
    pub(super) open: Bitboard,
    /// Distances: mates, wins by a conversion, and losses by conversions alone.
    pub(super) distances: Vec<(Square, u16)>,
    /// Open states that have conversions.
    pub(super) converting: Bitboard,
    /// States with a double step into an en-passant state.
    pub(super) watched: Bitboard,
}

/// A tool for surveys, with memory that is used again.
pub(super) struct Surveyor<'a> {
    conversions: &'a Conversions<'a>,
    cells: &'a [Cells; 2],
    pub(super) census: Census,
    /// The conversions of the states of a group.
    landings: Vec<(Square, Landing)>,
}

impl<'a> Surveyor<'a> {
    /// A surveyor that has counted nothing.
    pub(super) fn new(conversions: &'a Conversions<'a>, cells: &'a [Cells; 2]) -> Surveyor<'a> {
        Surveyor {
            conversions,
            cells,
            census: Census::default(),
            landings: Vec::new(),
        }
    }

    /// Looks at the states of a group with one side to move.
    pub(super) fn look_at(&mut self, group: &Group, turn: Color) -> Survey {
        let states = self.cells[side(turn)].live(group.number);
        let canonical = states & group.canonical();
        let mut survey = Survey::default();
        if states.is_empty() {
            return survey;
        }
        let (movable, quiet_moves) = self.quiet_moves(group, turn, states, canonical);
        self.find_landings(group, turn, states);
        self.census.raw_states += group.raw_states(canonical);
        self.census.states += canonical.count() as u64;
        self.census.legal_moves += quiet_moves;
        self.census.edges += quiet_moves;
        if !group.index().material().has_pawns() {
            self.census.edges -= self.merged(group, turn, canonical);
        }
        self.count_landings(canonical);

        let mut converting = Bitboard::EMPTY;
        let mut held = Bitboard::EMPTY;
        for some in self.landings.chunk_by(|a, b| a.0 == b.0) {
            let square = some[0].0;
            converting.add(square);
            let values = some
                .iter()
                .map(|&(_, landing)| self.conversions.value(landing).for_the_mover());
            match values.max().unwrap_or(Value::Draw) {
                Value::Draw => held.add(square),
                Value::Win(plies) => survey.distances.push((square, plies.get())),
                // Only where no other move is left; elsewhere it is looked up when the others are lost.
                Value::Loss(plies) if !movable.contains(square) => {
                    survey.distances.push((square, plies.get()));
                }
                Value::Loss(_) => {}
            }
        }
        let ends = states & !movable & !converting;
        // In check is who could not have let the other side move here.
        let checkmates = ends & !self.cells[side(!turn)].live(group.number);
        self.census.checkmates += (checkmates & canonical).count() as u64;
        self.census.stalemates += (ends & !checkmates & canonical).count() as u64;
        let mut decided = ends;
        decided.extend(survey.distances.iter().map(|&(square, _)| square));
        survey
            .distances
            .extend(checkmates.into_iter().map(|square| (square, 0)));
        survey.open = states & !held & !decided;
        survey.converting = converting & survey.open;
        if group.index().material().has_en_passant() {
            survey.watched = self.watched(group, turn, states);
        }
        survey
    }

    /// The states that have a quiet move, and the number of quiet moves of the canonical ones.
    fn quiet_moves(
        &self,
        group: &Group,
        turn: Color,
        states: Bitboard,
        canonical: Bitboard,
    ) -> (Bitboard, u64) {
        let after = &self.cells[side(!turn)];
        let mut movable = Bitboard::EMPTY;
        let mut moves = 0;
        for man in group.fixed(turn) {
            group.each_step(man, states, Direction::Forward, |to, places| {
                let place = group.after(man, to);
                let legal = places & place.symmetry.undo_on_all(after.live(place.group));
                movable |= legal;
                moves += (legal & canonical).count() as u64;
            });
        }
        if turn.is_black() {
            let legal = after.live(group.number);
            for square in states {
                let targets = group.steps_of_last(square, Direction::Forward) & legal;
                if targets.any() {
                    movable.add(square);
                }
                if canonical.contains(square) {
                    moves += targets.count() as u64;
                }
            }
        }
        (movable, moves)
    }

    /// Collects the legal conversions, sorted by the square of the last man.
    fn find_landings(&mut self, group: &Group, turn: Color, states: Bitboard) {
        self.landings.clear();
        let last = group.last();
        let is_last_taken = turn.is_white() && group.piece(last).role != Role::King;
        for man in group.fixed(turn) {
            let (piece, from) = (group.piece(man), group.squares[man]);
            let reach = attacks(from, piece, group.occupied);
            if is_last_taken {
                for square in reach & states {
                    self.add_landings(group, man, square, square);
                }
            }
            for other in group
                .fixed(!turn)
                .filter(|&other| group.piece(other).role != Role::King)
            {
                let to = group.squares[other];
                if reach.contains(to) {
                    let free = states & !shakmaty::attacks::between(from, to);
                    for square in free {
                        self.add_landings(group, man, square, to);
                    }
                }
            }
            if let Some(to) = promotion_step(piece, from, group.occupied) {
                for square in states.without(to) {
                    self.add_landings(group, man, square, to);
                }
            }
        }
        if turn.is_black() {
            let piece = group.piece(last);
            let takeable: Bitboard = group
                .fixed(Color::White)
                .skip(1)
                .map(|man| group.squares[man])
                .collect();
            for square in states {
                for to in attacks(square, piece, group.occupied) & takeable {
                    self.add_landings(group, last, square, to);
                }
                if let Some(to) = promotion_step(piece, square, group.occupied) {
                    self.add_landings(group, last, square, to);
                }
            }
        }
        // The order of several conversions of one state plays no part.
        self.landings.sort_unstable_by_key(|&(square, _)| square);
    }

    /// Adds the legal conversions of one man to one square, of the state with the last man on `last`.
    fn add_landings(&mut self, group: &Group, man: usize, last: Square, to: Square) {
        let men = Men::new(group.index(), group.with_last(last));
        let conversions = self.conversions;
        conversions.each_to(&men, man, to, |_, landing| {
            if conversions.is_legal(&men, man, to, landing) {
                self.landings.push((last, landing));
            }
        });
    }

    /// Counts the conversions of canonical states, and where they lead.
    fn count_landings(&mut self, canonical: Bitboard) {
        let mut seen: Vec<Landing> = Vec::new();
        for some in self.landings.chunk_by(|a, b| a.0 == b.0) {
            if !canonical.contains(some[0].0) {
                continue;
            }
            self.census.legal_moves += some.len() as u64;
            if let [_] = some {
                self.census.edges += 1;
                continue;
            }
            seen.clear();
            seen.extend(
                some.iter()
                    .map(|&(_, landing)| self.conversions.canonical(landing)),
            );
            seen.sort_unstable();
            seen.dedup();
            self.census.edges += seen.len() as u64;
        }
    }

    /// How many quiet moves of canonical states lead where another one leads.
    ///
    /// If two moves of one side lead to images of each other, the symmetry keeps the men of the other
    /// side where they are, and all men of this side but at most two.
    fn merged(&self, group: &Group, turn: Color, canonical: Bitboard) -> u64 {
        let mut suspected = Bitboard::EMPTY;
        for (flip, axis) in REFLECTIONS {
            let is_moved = |man: &usize| {
                let image = flip(group.squares[*man]);
                !group.fixed(group.piece(*man).color).any(|other| {
                    group.piece(other) == group.piece(*man) && group.squares[other] == image
                })
            };
            let moved = |color: Color| group.fixed(color).filter(is_moved).count();
            if moved(!turn) == 0 && moved(turn) <= 2 {
                // The last man is one of Black's.
                suspected |= if turn.is_white() {
                    axis
                } else {
                    Bitboard::FULL
                };
            }
        }
        (canonical & suspected)
            .into_iter()
            .map(|square| merged_moves(&Men::new(group.index(), group.with_last(square)), turn))
            .sum()
    }

    /// The states with a double step after which a capture en passant is legal.
    fn watched(&self, group: &Group, turn: Color, states: Bitboard) -> Bitboard {
        let is_watched = |square: &Square| {
            let men = Men::new(group.index(), group.with_last(*square));
            let pawns = men.side(turn).filter(|&man| men.is_pawn_at_start(man));
            if pawns.count() == 0 {
                return false;
            }
            let targets: Targets = men.targets(turn);
            double_steps(&men, &targets, turn).any(|step| {
                let (after, passed) = after_double_step(&men, step);
                en_passant::is_capturable(&after, !turn, passed)
            })
        };
        states.into_iter().filter(is_watched).collect()
    }
}

/// Where a pawn promotes without capturing.
fn promotion_step(piece: shakmaty::Piece, from: Square, occupied: Bitboard) -> Option<Square> {
    let offset = if piece.color.is_white() { 8 } else { -8 };
    let to = from.offset(offset).filter(|_| piece.role == Role::Pawn)?;
    (Bitboard::BACKRANKS.contains(to) && !occupied.contains(to)).then_some(to)
}
