//! The figures of a solved class.

use rayon::prelude::*;
use serde::Serialize;
use shakmaty::{Chess, Color};

use super::cells::ILLEGAL;
use super::census::Census;
use super::conversion::{Child, side};
use super::group::Group;
use super::value_byte::{DRAWN, value_of};
use super::zugzwang::Zugzwang;
use crate::game::{Outcome, Plies};
use crate::rules::win_transfers;

/// How many canonical states are won, lost and drawn for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// States that the side to move wins.
    pub wins: u64,
    /// States that the side to move loses.
    pub losses: u64,
    /// Drawn states.
    pub draws: u64,
}

impl Results {
    fn add(&mut self, outcome: Outcome, states: u64) {
        match outcome {
            Outcome::Win => self.wins += states,
            Outcome::Loss => self.losses += states,
            Outcome::Draw => self.draws += states,
        }
    }
}

/// The en-passant states, which are left out of all other counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EnPassantSummary {
    /// Before symmetry.
    pub raw_states: u64,
    /// Canonical ones.
    pub states: u64,
    /// Their results for the side to move.
    #[serde(flatten)]
    pub results: Results,
}

impl EnPassantSummary {
    pub(super) fn add(&mut self, outcome: Outcome) {
        self.states += 1;
        self.results.add(outcome, 1);
    }
}

/// Placements in which nobody wants to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MutualZugzwangs {
    /// White to move: draw; Black to move: Black loses.
    pub white_draws_black_loses: u64,
    /// White to move: White loses; Black to move: draw.
    pub white_loses_black_draws: u64,
    /// Whoever moves loses.
    pub full_point: u64,
}

/// How many canonical states have one side to move, one result and one distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HistogramRow {
    /// The side to move: `white` or `black`.
    pub side: &'static str,
    /// The result for the side to move: `win` or `loss`.
    pub result: &'static str,
    /// The distance to mate.
    pub plies: u16,
    /// Canonical states.
    pub states: u64,
}

/// What there is to count in a solved class. Counts are of canonical states where nothing else is
/// said.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Legal states before symmetry.
    pub raw_states: u64,
    /// Canonical states.
    pub states: u64,
    /// Distinct pairs of a state and a successor, the sink included.
    pub edges: u64,
    /// Legal moves.
    pub legal_moves: u64,
    /// Successor sets of images compared with those of their state.
    pub symmetry_comparisons: u64,
    /// States that are checkmate.
    pub checkmates: u64,
    /// States that are stalemate.
    pub stalemates: u64,
    /// States with White to move.
    pub white: Results,
    /// States with Black to move.
    pub black: Results,
    /// The longest distance to mate; zero if every state is drawn.
    pub max_dtm: Plies,
    /// How many states have it; zero if every state is drawn.
    pub max_dtm_states: u64,
    /// The first state that has it; `None` if every state is drawn.
    pub longest: Option<Chess>,
    /// Classes of states with the same side, result and distance.
    pub dtm_classes: u64,
    /// The classes that are won or lost: White first, wins before losses, by distance.
    pub histogram: Vec<HistogramRow>,
    /// Placements in which nobody wants to move.
    pub mutual_zugzwangs: MutualZugzwangs,
    /// States won by the side to move whose win stands under the complete rules with a fresh clock.
    pub transfers_at_h0: u64,
    /// The en-passant states.
    pub en_passant: EnPassantSummary,
}

/// States by side to move and byte.
#[derive(Clone)]
struct Tally {
    bytes: [[u64; 256]; 2],
    zugzwangs: MutualZugzwangs,
}

impl Tally {
    const EMPTY: Tally = Tally {
        bytes: [[0; 256]; 2],
        zugzwangs: MutualZugzwangs {
            white_draws_black_loses: 0,
            white_loses_black_draws: 0,
            full_point: 0,
        },
    };

    /// Counts a placement with its bytes for White and Black to move.
    fn count(&mut self, bytes: [u8; 2]) {
        for (count, byte) in self.bytes.iter_mut().zip(bytes) {
            if byte != ILLEGAL {
                count[usize::from(byte)] += 1;
            }
        }
        if !bytes.contains(&ILLEGAL) {
            let [white, black] = bytes.map(|byte| value_of(byte).outcome());
            let found = &mut self.zugzwangs;
            match Zugzwang::of(white, black) {
                Some(Zugzwang::WhiteDrawsBlackLoses) => found.white_draws_black_loses += 1,
                Some(Zugzwang::WhiteLosesBlackDraws) => found.white_loses_black_draws += 1,
                Some(Zugzwang::FullPoint) => found.full_point += 1,
                None => {}
            }
        }
    }

    fn merge(mut self, other: &Tally) -> Tally {
        for (counts, others) in self.bytes.iter_mut().zip(&other.bytes) {
            for (count, other) in counts.iter_mut().zip(others) {
                *count += other;
            }
        }
        let (own, other) = (&mut self.zugzwangs, &other.zugzwangs);
        own.white_draws_black_loses += other.white_draws_black_loses;
        own.white_loses_black_draws += other.white_loses_black_draws;
        own.full_point += other.full_point;
        self
    }

    fn of(class: &Child) -> Tally {
        const GROUPS: usize = 1 << 10;
        let groups = class.index.len() / 64;
        (0..groups.div_ceil(GROUPS))
            .into_par_iter()
            .map(|block| {
                let mut tally = Tally::EMPTY;
                for group in block * GROUPS..((block + 1) * GROUPS).min(groups) {
                    for square in Group::new(&class.index, group).canonical() {
                        let entry = group * 64 + square.to_usize();
                        tally.count([class.bytes[0][entry], class.bytes[1][entry]]);
                    }
                }
                tally
            })
            .reduce(|| Tally::EMPTY, |a, b| a.merge(&b))
    }
}

impl Summary {
    /// Counts the values of a class; the en-passant states are counted elsewhere.
    pub(super) fn of(class: &Child, census: &Census, symmetry_comparisons: u64) -> Summary {
        let tally = Tally::of(class);
        let mut results = [Results::default(); 2];
        let mut histogram = Vec::new();
        let mut transfers_at_h0 = 0;
        for (turn, counts) in [Color::White, Color::Black].into_iter().zip(&tally.bytes) {
            for outcome in [Outcome::Win, Outcome::Loss, Outcome::Draw] {
                for (byte, &states) in (0..=DRAWN).zip(counts).filter(|&(_, &states)| states > 0) {
                    let value = value_of(byte);
                    if value.outcome() != outcome {
                        continue;
                    }
                    results[side(turn)].add(outcome, states);
                    let Some(plies) = value.distance() else {
                        continue;
                    };
                    if outcome == Outcome::Win && win_transfers(plies, 0) {
                        transfers_at_h0 += states;
                    }
                    histogram.push(HistogramRow {
                        side: if turn.is_white() { "white" } else { "black" },
                        result: outcome.word(),
                        plies: plies.get(),
                        states,
                    });
                }
            }
        }
        let max_dtm = histogram.iter().map(|row| row.plies).max();
        let drawn_classes = results.iter().filter(|results| results.draws > 0).count();
        Summary {
            raw_states: census.raw_states,
            states: census.states,
            edges: census.edges,
            legal_moves: census.legal_moves,
            symmetry_comparisons,
            checkmates: census.checkmates,
            stalemates: census.stalemates,
            white: results[0],
            black: results[1],
            max_dtm: Plies::new(max_dtm.unwrap_or(0)),
            max_dtm_states: histogram
                .iter()
                .filter(|row| Some(row.plies) == max_dtm)
                .map(|row| row.states)
                .sum(),
            longest: max_dtm.and_then(|plies| first_with(class, plies)),
            dtm_classes: (histogram.len() + drawn_classes) as u64,
            histogram,
            mutual_zugzwangs: tally.zugzwangs,
            transfers_at_h0,
            en_passant: EnPassantSummary::default(),
        }
    }

    /// Results for the side to move, both sides together.
    pub fn results(&self) -> Results {
        Results {
            wins: self.white.wins + self.black.wins,
            losses: self.white.losses + self.black.losses,
            draws: self.white.draws + self.black.draws,
        }
    }

    /// Edges a state that has a legal move.
    pub fn branching(&self) -> f64 {
        self.edges as f64 / (self.states - self.checkmates - self.stalemates) as f64
    }

    /// States a class of [`Summary::dtm_classes`].
    pub fn class_compression(&self) -> f64 {
        self.states as f64 / self.dtm_classes as f64
    }
}

/// The first canonical state with this distance.
fn first_with(class: &Child, plies: u16) -> Option<Chess> {
    let index = &class.index;
    let with_distance = |group: usize| {
        let mut states = class.states_in(group);
        states.find(|&(_, _, byte)| u16::from(byte) == plies)
    };
    let groups = (0..index.len() / 64).into_par_iter();
    let (entry, turn, _) = groups.find_map_first(with_distance)?;
    Some(index.position(&index.squares(entry), turn))
}
