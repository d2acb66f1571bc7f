//! `bounds --fen`, `bounds --sample`: the values of single positions, each from few others.

use std::ops::ControlFlow;

use dchess::certificate::{Format, Id, Sealed, interval_claim};
use dchess::endgame::{Enumeration, Library, LocalGame, LocalProof, Material};
use dchess::game::Interval;
use dchess::rules::{exchange_colors, parse_fen, position_fen};
use dchess::solve::alpha_beta::{AlphaBeta, Searched};
use dchess::solve::local::{Budget, Proof, prove};
use rayon::prelude::*;
use shakmaty::{Chess, Position};

use super::failure::Failure;
use super::output::one_line;
use super::progress::Progress;
use super::sample::Sample;
use super::shelf::{Shelf, own_fault};

/// Positions whose values are asked for.
pub(crate) enum Roots {
    /// This one.
    One(Box<Root>),
    /// So many states of the class at random, following from a seed.
    Sample { size: usize, seed: u64 },
}

/// A position whose value is asked for.
pub(crate) struct Root {
    /// As it was given.
    position: Chess,
    /// With the colours that the class has.
    pub(crate) in_class: Chess,
    /// Whether these are the other way round.
    pub(crate) is_exchanged: bool,
}

impl Root {
    /// Reads a FEN of a class.
    pub(crate) fn read(material: &Material, text: &str) -> Result<Root, Failure> {
        let read = || {
            let position = parse_fen(text).map_err(|error| error.to_string())?;
            let found = Material::of_board(position.board()).map_err(|error| error.to_string())?;
            let (class, is_exchanged) = found;
            if class != *material {
                return Err(format!("the position is {class}, not {material}"));
            }
            if position.castles().any() {
                return Err(
                    "the position has castling rights; no position of a class has them".to_owned(),
                );
            }
            Ok(Root {
                in_class: match is_exchanged {
                    true => exchange_colors(&position),
                    false => position.clone(),
                },
                position,
                is_exchanged,
            })
        };
        read().map_err(|reason| Failure::Error(format!("`{}`: {reason}", one_line(text))))
    }
}

impl Root {
    /// The FEN of the position as it was given.
    pub(crate) fn fen(&self) -> String {
        position_fen(&self.position)
    }

    /// What may be found out.
    pub(crate) fn claims(&self) -> impl Iterator<Item = String> {
        let bounds = (-1..=1).flat_map(|lower| (lower..=1).map(move |upper| (lower, upper)));
        bounds.map(|(lower, upper)| interval_claim(&self.position, Interval { lower, upper }))
    }
}

/// What is done with each position.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    /// For a proof.
    pub(crate) budget: Budget,
    /// Nodes for alpha-beta, the baseline, if it is asked for.
    pub(crate) alpha_beta_nodes: Option<u64>,
    /// Whether proofs are verified.
    pub(crate) is_checked: bool,
    /// How certificates are encoded.
    pub(crate) format: Format,
}

/// How large a class is, for shares.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    /// States, en-passant states included.
    pub(crate) states: usize,
    /// Distinct pairs of a state and a successor; those of en-passant states left out.
    pub(crate) edges: u64,
}

/// What was found out about a position.
pub(crate) struct Found {
    /// Its FEN.
    pub(crate) fen: String,
    /// The bounds of its value, in its own colours.
    pub(crate) interval: Interval,
    /// States that were looked at.
    pub(crate) expanded: usize,
    /// Their moves.
    pub(crate) moves: usize,
    /// Those of them behind which was looked.
    pub(crate) examined: usize,
    /// How often a move was followed to find the proof.
    pub(crate) lookups: u64,
    /// What the proof rests on.
    pub(crate) proof: LocalProof,
    /// Its certificate.
    pub(crate) sealed: Sealed,
    /// What became of the baseline.
    pub(crate) alpha_beta: Option<Searched>,
}

impl Found {
    /// How often a checker follows a move: each move of the proof in the two steps that look at moves, for the bounds and
    /// for the deletions (steps 9 and 10 of the format page).
    pub(crate) const fn verify_lookups(&self) -> u64 {
        2 * self.proof.moves()
    }
}

/// Proves what can be proved. The tables of the children are on the shelf.
pub(crate) fn run(
    material: &Material,
    shelf: &mut Shelf,
    roots: Roots,
    plan: Plan,
    progress: &Progress,
) -> Result<(Size, Vec<Found>), Failure> {
    let library = shelf.library();
    let enumeration = Enumeration::of(material, progress)?;
    let size = Size {
        states: enumeration.ordinary() + enumeration.en_passant(),
        edges: library.edges(material, progress)?,
    };
    let roots = match roots {
        Roots::One(root) => vec![*root],
        Roots::Sample { size, seed } => draw(&enumeration, size, seed, progress)?,
    };
    let children = shelf.children_of(material);
    let mut found: Vec<Found> = roots
        .par_iter()
        .map(|root| find(material, library, &children, root, plan, progress))
        .collect::<Result<_, Failure>>()?;
    if let Some(nodes) = plan.alpha_beta_nodes {
        let searched = search(material, library, &roots, nodes, progress)?;
        for (found, searched) in found.iter_mut().zip(searched) {
            found.alpha_beta = Some(searched);
        }
    }
    if plan.is_checked {
        for found in &found {
            shelf
                .judge(&found.sealed)
                .map_err(|refusal| own_fault(found.sealed.claim(), &refusal))?;
        }
    }
    Ok((size, found))
}

fn find(
    material: &Material,
    library: &Library,
    children: &[(Material, Id)],
    root: &Root,
    plan: Plan,
    progress: &Progress,
) -> Result<Found, Failure> {
    let mut game = LocalGame::new(material, library);
    let state = game.state(&root.in_class);
    let found: Proof<_> = prove(&mut game, &state, plan.budget, progress)?;
    let proof = LocalProof::of(game, &found).map_err(|error| Failure::Error(error.to_string()))?;
    let Interval { lower, upper } = found.interval;
    let interval = match root.is_exchanged {
        true => Interval {
            lower: -upper,
            upper: -lower,
        },
        false => found.interval,
    };
    let sealed = Sealed::local_proof(&root.position, interval, &proof, children, plan.format)
        .map_err(|error| Failure::context("cannot build the certificate", &error))?;
    Ok(Found {
        fen: position_fen(&root.position),
        interval,
        expanded: found.expanded,
        moves: found.moves,
        examined: found.examined,
        lookups: found.lookups,
        proof,
        sealed,
        alpha_beta: None,
    })
}

/// Searches all positions with the baseline. What each search finds does not depend on the others, which share what they
/// know of the moves.
fn search(
    material: &Material,
    library: &Library,
    roots: &[Root],
    nodes: u64,
    progress: &Progress,
) -> Result<Vec<Searched>, Failure> {
    let share = roots.len().div_ceil(rayon::current_num_threads()).max(1);
    let shares: Vec<Vec<Searched>> = roots
        .par_chunks(share)
        .map(|roots| {
            let mut game = LocalGame::new(material, library);
            let states: Vec<_> = roots
                .iter()
                .map(|root| (root.is_exchanged, game.state(&root.in_class)))
                .collect();
            let mut baseline = AlphaBeta::new(&mut game);
            let mut searched = Vec::with_capacity(roots.len());
            for (is_exchanged, state) in states {
                let mut found = baseline.search(&state, nodes, progress)?;
                if is_exchanged {
                    found.value = found.value.map(|value| -value);
                }
                searched.push(found);
            }
            match game.lacking() {
                Some(error) => Err(Failure::Error(error.to_string())),
                None => Ok(searched),
            }
        })
        .collect::<Result<_, Failure>>()?;
    Ok(shares.into_iter().flatten().collect())
}

/// States at random.
fn draw(
    enumeration: &Enumeration,
    size: usize,
    seed: u64,
    progress: &Progress,
) -> Result<Vec<Root>, Failure> {
    let mut sample = Sample::new(size, seed);
    (0..enumeration.ordinary() as u64).for_each(|number| sample.offer(number, ()));
    let wanted: Vec<u64> = sample.into_order().into_iter().map(|(n, ())| n).collect();
    let mut roots = Vec::with_capacity(wanted.len());
    enumeration.each_block(
        progress,
        |placements| {
            let mut found = Vec::new();
            for placement in placements {
                for (number, state) in placement.states() {
                    if wanted.binary_search(&(number.get() as u64)).is_ok() {
                        found.push(placement.position(state.turn()));
                    }
                }
            }
            found
        },
        |found| {
            roots.extend(found.into_iter().map(|position| Root {
                in_class: position.clone(),
                position,
                is_exchanged: false,
            }));
            Ok::<_, Failure>(ControlFlow::Continue(()))
        },
    )?;
    Ok(roots)
}
