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

/// Searches all positions with each order, and then those that all of them decided with each order in turn, so many times, against the clock.
pub(crate) fn measure<'a>(
    orderings: &[MoveOrdering<'a>],
    positions: &[Chess],
    within: Moves,
    limit: u64,
    repetitions: u16,
    observer: &impl Observer,
) -> Result<Vec<Measured<'a>>, Failure> {
    let searches = orderings.len() * (1 + usize::from(repetitions)) * positions.len();
    observer.begin("searching", searches as u64);
    let search = |ordering: MoveOrdering<'a>, positions: &mut dyn Iterator<Item = &Chess>| {
        let mut prover = PlainProver::new(ordering, limit, observer);
        let mut proofs = Vec::new();
        for position in positions {
            observer.checkpoint(1)?;
            proofs.push(prover.prove(position, within));
        }
        observer.checkpoint(0)?;
        Ok::<_, Failure>(proofs)
    };
    let mut measured = Vec::new();
    for &ordering in orderings {
        measured.push(Measured {
            ordering,
            proofs: search(ordering, &mut positions.iter())?,
            wall_seconds: 0.0,
            cpu_seconds: None,
        });
    }
    let is_decided = |place: &usize| measured.iter().all(|each| each.proofs[*place].is_some());
    let decided: Vec<usize> = (0..positions.len()).filter(is_decided).collect();
    let mut times: Vec<(Vec<f64>, Vec<f64>)> = vec![Default::default(); orderings.len()];
    for _ in 0..repetitions {
        for (&ordering, (walls, cpus)) in orderings.iter().zip(&mut times) {
            let clock = Clock::start();
            search(
                ordering,
                &mut decided.iter().map(|&place| &positions[place]),
            )?;
            walls.push(clock.wall_seconds());
            cpus.extend(clock.cpu_seconds());
        }
    }
    for (each, (walls, cpus)) in measured.iter_mut().zip(times) {
        each.wall_seconds = median(walls).unwrap_or_default();
        each.cpu_seconds = median(cpus);
    }
    Ok(measured)
}

/// The median; of an even number of values the upper one.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
