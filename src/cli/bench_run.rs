//! One plain search with several orders of moves: what each takes.

use dchess::game::Observer;
use dchess::mate::{MoveOrdering, Moves, PlainProof, PlainProver};
use shakmaty::Chess;

use super::cost::Clock;
use super::failure::Failure;

/// The orders that are compared, those of C6 first.
pub(crate) const ORDERINGS: [MoveOrdering<'static>; 5] = [
    MoveOrdering::LEXICAL,
    MoveOrdering::FORCING,
    MoveOrdering::TENSION,
    MoveOrdering::EXCHANGE,
    MoveOrdering::BEST,
];

/// The place of forcing among them.
pub(crate) const FORCING: usize = 1;

/// The place of tension among them.
pub(crate) const TENSION: usize = 2;

/// The place of exchange among them.
pub(crate) const EXCHANGE: usize = 3;

/// The place of best among them.
pub(crate) const BEST: usize = 4;

/// What an order takes.
#[derive(Clone, Debug)]
pub(crate) struct Measured<'a> {
    pub(crate) ordering: MoveOrdering<'a>,
    /// Of each position; none if it took more than allowed.
    pub(crate) proofs: Vec<Option<PlainProof>>,
    /// Median over the repetitions.
    pub(crate) wall_seconds: f64,
    /// Median over the repetitions; none where the system does not say.
    pub(crate) cpu_seconds: Option<f64>,
}

/// Searches all positions with each order in turn, and all of that so many times.
pub(crate) fn measure<'a>(
    orderings: &[MoveOrdering<'a>],
    positions: &[Chess],
    within: Moves,
    limit: u64,
    repetitions: u16,
    observer: &impl Observer,
) -> Result<Vec<Measured<'a>>, Failure> {
    let mut measured = Vec::new();
    let mut times: Vec<(Vec<f64>, Vec<f64>)> = vec![Default::default(); orderings.len()];
    let searches = orderings.len() * usize::from(repetitions) * positions.len();
    observer.begin("searching", searches as u64);
    for repetition in 0..repetitions {
        for (&ordering, (walls, cpus)) in orderings.iter().zip(&mut times) {
            let mut prover = PlainProver::new(ordering, limit);
            let mut proofs = Vec::with_capacity(positions.len());
            let clock = Clock::start();
            for position in positions {
                observer.checkpoint(1)?;
                proofs.push(prover.prove(position, within));
            }
            walls.push(clock.wall_seconds());
            cpus.extend(clock.cpu_seconds());
            if repetition == 0 {
                measured.push((ordering, proofs));
            }
        }
    }
    let with_times = measured.into_iter().zip(times);
    Ok(with_times
        .map(|((ordering, proofs), (walls, cpus))| Measured {
            ordering,
            proofs,
            wall_seconds: median(walls).unwrap_or_default(),
            cpu_seconds: median(cpus),
        })
        .collect())
}

/// The median; of an even number of values the upper one.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
