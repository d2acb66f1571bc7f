//! `refine --explain`: two positions compared, in words.

use dchess::endgame::{Comparer, Distinction, Material, Place, Quotient};
use dchess::game::{StateIndex, Value};
use dchess::rules::{Notation, parse_fen, position_fen};
use serde::Serialize;
use shakmaty::{Chess, Color, Position};

use super::failure::Failure;
use super::output::{Output, grouped, one_line};

/// Two positions of a class.
pub(crate) struct Pair([Chess; 2]);

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    universe: String,
    fens: [String; 2],
    states: [usize; 2],
    blocks: [u32; 2],
    same_block: bool,
    /// The round in which they part; `null` if they do not.
    round: Option<u32>,
    steps: Vec<StepAnswer>,
    /// What the two positions in the end are; empty if they are in the same block.
    ends: Vec<String>,
}

#[derive(Serialize)]
struct StepAnswer {
    round: u32,
    /// Which position has the move that tells: `first` or `second`.
    position: &'static str,
    san: String,
    answer_san: String,
    fens: [String; 2],
}

impl Pair {
    /// Reads two FENs.
    pub(crate) fn read(material: &Material, fens: &[String]) -> Result<Pair, Failure> {
        let read = |text: &String| {
            let position = parse_fen(text).map_err(|error| error.to_string())?;
            let found = Material::of_board(position.board()).map_err(|error| error.to_string())?;
            match found {
                (class, _) if class == *material => Ok(position),
                (class, _) => Err(format!("the position is {class}, not {material}")),
            }
        };
        let reading = |text: &String| {
            read(text).map_err(|reason| Failure::Error(format!("`{}`: {reason}", one_line(text))))
        };
        match fens {
            [first, second] => Ok(Pair([reading(first)?, reading(second)?])),
            _ => Err(Failure::Error("--explain takes two FENs".to_owned())),
        }
    }
}

/// Compares the positions and prints what comes of it.
pub(crate) fn print(
    comparer: &Comparer,
    quotient: &Quotient,
    pair: &Pair,
    json: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let Pair([first, second]) = pair;
    let found = comparer
        .compare(first, second)
        .map_err(|error| Failure::Error(error.to_string()))?;
    if json {
        return output.json(&answer(comparer.material(), pair, &found));
    }
    let blocks = grouped(quotient.blocks() as u64);
    let [a, b] = found.blocks;
    output.line(&match found.round {
        None if found.states[0] == found.states[1] => {
            format!("the same state up to symmetry and colours, in block {a} of {blocks}")
        }
        None => format!("the same block, {a} of {blocks}"),
        Some(0) => format!("different blocks, {a} and {b} of {blocks}: the labels differ"),
        Some(round) => {
            format!("different blocks, {a} and {b} of {blocks}: they part in round {round}")
        }
    })?;
    output.line("")?;
    output.line(&format!("  first   {}", position_fen(first)))?;
    output.line(&format!("  second  {}", position_fen(second)))?;
    if found.round.is_none() {
        return Ok(());
    }
    output.line("")?;
    let mut before = pair.0.clone();
    for (place, step) in found.steps.iter().enumerate() {
        let (own, other) = (step.side, 1 - step.side);
        let telling = Notation::of(&before[own], step.telling).san;
        let closest = Notation::of(&before[other], step.answer).san;
        output.line(&format!(
            "{}. {telling} in the {} position leads to a block of round {} that no move of the {} reaches.",
            place + 1,
            NAMES[own],
            step.round - 1,
            NAMES[other],
        ))?;
        output.line(&format!(
            "   The answer that stays with it longest is {closest}:"
        ))?;
        output.line(&format!("   first   {}", position_fen(&step.positions[0])))?;
        output.line(&format!("   second  {}", position_fen(&step.positions[1])))?;
        before = step.positions.clone();
    }
    let [first, second] = ends(pair, &found);
    output.line(&format!(
        "{}the first is {first}, the second {second}.",
        if found.steps.is_empty() {
            "They differ: "
        } else {
            "Now they differ: "
        }
    ))
}

const NAMES: [&str; 2] = ["first", "second"];

/// What the positions at the end of the play are.
fn ends(pair: &Pair, found: &Distinction) -> [String; 2] {
    match found.steps.last() {
        Some(step) => [0, 1].map(|side| describe(&step.positions[side], &step.places[side])),
        None => [0, 1].map(|side| describe(&pair.0[side], &Place::Own(found.states[side]))),
    }
}

/// What a position is by itself.
fn describe(position: &Chess, place: &Place) -> String {
    let (side, check) = (position.turn(), position.is_checkmate());
    match place {
        Place::Sink => "the draw sink".to_owned(),
        Place::Child(material, value) => {
            format!("in {material}, {} for {}", value_text(*value), name(side))
        }
        Place::Own(_) if check => format!("checkmate of {}", name(side)),
        Place::Own(_) if position.is_stalemate() => format!("stalemate of {}", name(side)),
        Place::Own(_) => format!("an ordinary state with {} to move", name(side)),
    }
}

fn value_text(value: Value) -> String {
    match value {
        Value::Draw => "a draw".to_owned(),
        value => format!("a {value}"),
    }
}

const fn name(turn: Color) -> &'static str {
    match turn {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn answer(material: &Material, pair: &Pair, found: &Distinction) -> Answer {
    let fens = |positions: &[Chess; 2]| [0, 1].map(|side| position_fen(&positions[side]));
    let mut before = pair.0.clone();
    let steps = found
        .steps
        .iter()
        .map(|step| {
            let answer = StepAnswer {
                round: step.round,
                position: NAMES[step.side],
                san: Notation::of(&before[step.side], step.telling).san,
                answer_san: Notation::of(&before[1 - step.side], step.answer).san,
                fens: fens(&step.positions),
            };
            before = step.positions.clone();
            answer
        })
        .collect();
    Answer {
        universe: material.to_string(),
        fens: fens(&pair.0),
        states: found.states.map(StateIndex::get),
        blocks: found.blocks,
        same_block: found.round.is_none(),
        round: found.round,
        steps,
        ends: match found.round {
            None => Vec::new(),
            Some(_) => ends(pair, found).to_vec(),
        },
    }
}
