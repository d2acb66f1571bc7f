//! `bounds --fen`, `bounds --sample`: the values of single positions, from as few positions as can be.

use std::ops::ControlFlow;

use dchess::endgame::{Enumeration, Library, LocalGame, Material, State};
use dchess::game::Interval;
use dchess::rules::{exchange_colors, parse_fen, position_fen};
use dchess::solve::local::{Budget, Proof, prove};
use rayon::prelude::*;
use serde::Serialize;
use shakmaty::{Chess, Position};

use super::failure::{Exit, Failure};
use super::output::{Output, grouped, one_line};
use super::progress::Progress;
use super::sample::Sample;

/// Positions whose values are asked for.
pub(crate) enum Roots {
    /// This one.
    One(Box<Root>),
    /// So many states of the class at random, following from a seed.
    Sample { size: usize, seed: u64 },
}

/// A position whose value is asked for.
pub(crate) struct Root {
    fen: String,
    /// With the colours that the class has.
    position: Chess,
    /// Whether the colours are the other way round in the FEN.
    is_exchanged: bool,
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
            Ok(Root {
                fen: position_fen(&position),
                position: match is_exchanged {
                    true => exchange_colors(&position),
                    false => position,
                },
                is_exchanged,
            })
        };
        read().map_err(|reason| Failure::Error(format!("`{}`: {reason}", one_line(text))))
    }
}

/// What `--json` prints for a position.
#[derive(Serialize)]
struct Report {
    fen: String,
    interval: [i8; 2],
    expanded_states: usize,
    expanded_share: f64,
    examined_moves: usize,
    legal_moves: usize,
    proof_states: usize,
    lookups: u64,
}

/// Proves what can be proved, and prints it. The tables of the children are in the library.
pub(crate) fn run(
    material: &Material,
    library: &Library,
    roots: Roots,
    budget: Budget,
    json: bool,
    progress: &Progress,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let enumeration = Enumeration::of(material, progress)?;
    let states = enumeration.ordinary() + enumeration.en_passant();
    let is_one = matches!(roots, Roots::One(_));
    let roots = match roots {
        Roots::One(root) => vec![*root],
        Roots::Sample { size, seed } => draw(&enumeration, size, seed, progress)?,
    };
    let reports: Vec<Report> = roots
        .into_par_iter()
        .map(|root| {
            let proof = prove_root(material, library, &root, budget, progress)?;
            Ok(report(root, &proof, states))
        })
        .collect::<Result<_, Failure>>()?;
    for found in &reports {
        if json {
            output.json(found)?;
        } else if is_one {
            print(found, states, output)?;
        }
    }
    if !json && !is_one {
        print_summary(&reports, states, output)?;
    }
    let is_decided = |found: &Report| found.interval[0] == found.interval[1];
    Ok(match reports.iter().all(is_decided) {
        true => Exit::Established,
        false => Exit::Undecided,
    })
}

fn prove_root(
    material: &Material,
    library: &Library,
    root: &Root,
    budget: Budget,
    progress: &Progress,
) -> Result<Proof<State>, Failure> {
    let mut game = LocalGame::new(material, library);
    let state = game.state(&root.position);
    let proof = prove(&mut game, &state, budget, progress)?;
    match game.lacking() {
        Some(error) => Err(Failure::Error(error.to_string())),
        None => Ok(proof),
    }
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
                fen: position_fen(&position),
                position,
                is_exchanged: false,
            }));
            Ok::<_, Failure>(ControlFlow::Continue(()))
        },
    )?;
    Ok(roots)
}

fn report(root: Root, proof: &Proof<State>, states: usize) -> Report {
    let Interval { lower, upper } = proof.interval;
    Report {
        fen: root.fen,
        interval: match root.is_exchanged {
            true => [-upper, -lower],
            false => [lower, upper],
        },
        expanded_states: proof.expanded,
        expanded_share: proof.expanded as f64 / states as f64,
        examined_moves: proof.examined,
        legal_moves: proof.moves,
        proof_states: proof.states.len(),
        lookups: proof.lookups,
    }
}

fn print(found: &Report, states: usize, output: &mut Output) -> Result<(), Failure> {
    let [lower, upper] = found.interval;
    let meaning = match (lower, upper) {
        (1, 1) => "White wins",
        (0, 0) => "a draw",
        (-1, -1) => "Black wins",
        (0, 1) => "White does not lose",
        (-1, 0) => "Black does not lose",
        _ => "nothing was proved",
    };
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    output.line(&found.fen)?;
    output.line(&format!("interval [{lower}, {upper}]: {meaning}"))?;
    output.line("")?;
    for (name, figure) in [
        (
            "states looked at",
            format!(
                "{} of {} ({:.2} %)",
                grouped(found.expanded_states as u64),
                grouped(states as u64),
                share(found.expanded_states, states)
            ),
        ),
        (
            "states that the proof needs",
            grouped(found.proof_states as u64),
        ),
        ("their moves looked behind", {
            let (examined, all) = (found.examined_moves, found.legal_moves);
            let share = share(examined, all);
            format!(
                "{} of {} ({share:.2} %)",
                grouped(examined as u64),
                grouped(all as u64)
            )
        }),
        ("looked at a successor, times", grouped(found.lookups)),
    ] {
        output.line(&format!("{name:41} {figure}"))?;
    }
    Ok(())
}

/// The quartiles of a sample.
fn print_summary(reports: &[Report], states: usize, output: &mut Output) -> Result<(), Failure> {
    let open = reports
        .iter()
        .filter(|found| found.interval[0] != found.interval[1]);
    output.line(&format!(
        "{} roots, {} of them not decided within the budget",
        grouped(reports.len() as u64),
        grouped(open.count() as u64)
    ))?;
    output.line("")?;
    output.line(&format!(
        "{:41} {:>12} {:>12} {:>12}",
        "", "quartile", "median", "quartile"
    ))?;
    let mut row = |name: &str, figure: &dyn Fn(&Report) -> f64, decimals: usize| {
        let mut figures: Vec<f64> = reports.iter().map(figure).collect();
        figures.sort_unstable_by(f64::total_cmp);
        let at = |part: usize| {
            figures
                .get(part * figures.len() / 4)
                .copied()
                .unwrap_or(0.0)
        };
        let [first, median, third] = [1, 2, 3].map(at);
        output.line(&format!(
            "{name:41} {first:>12.decimals$} {median:>12.decimals$} {third:>12.decimals$}"
        ))
    };
    row("states looked at", &|found| found.expanded_states as f64, 0)?;
    row(
        &format!("  per cent of {}", grouped(states as u64)),
        &|found| 100.0 * found.expanded_share,
        2,
    )?;
    row(
        "states that the proof needs",
        &|found| found.proof_states as f64,
        0,
    )?;
    row(
        "moves of these looked behind, per cent",
        &|found| 100.0 * found.examined_moves as f64 / found.legal_moves.max(1) as f64,
        2,
    )
}
