//! The comparison of images with their states: each has to lead to the same successors.
//!
//! With three men every raw placement is looked at: whether it is a raw legal state exactly if its image is in the list,
//! and whether its smallest image is the canonical state that it is looked up by. Then each canonical state is compared
//! with all of its images. With more men a sample is looked at: placements with the white king anywhere, drawn with a
//! fixed seed, so that the answer is always the same.
//!
//! That the images of a state have the moves of the state follows from the Laws; what is tested here is the island.
//!
//! Source: `docs/certificate-format.md`, *What a checker must establish*.

use super::class::{Class, Successor};
use super::man::Side;
use super::position::Position;
use super::squares::Squares;
use super::symmetry::Symmetry;
use super::{Reason, Refusal};

/// Room for the moves of most positions; a list that needs more grows.
const USUAL_MOVES: usize = 32;

/// How many placements are drawn for the sample.
const TRIES: usize = 2_000;

/// Looks at all raw placements of a class of three men, and counts the raw legal ones.
pub(super) fn check_coverage(class: &Class) -> Result<u64, Refusal> {
    let states = class.states;
    let mut raw = 0;
    let mut canonical = 0;
    for (first, second, third) in triples() {
        for to_move in Side::BOTH {
            let squares = Squares::of([first, second, third]);
            let position = Position::new(&states.material, squares, to_move);
            if let Some(state) = position.map_or(Ok(None), |found| state_of(class, &found))? {
                raw += 1;
                canonical += u64::from(state.squares == squares);
            }
        }
    }
    match canonical == states.positions().count() as u64 {
        true => Ok(raw),
        false => Err(Refusal::new(
            Reason::SymmetryBroken,
            format_args!("{canonical} states are their own smallest image"),
        )),
    }
}

fn triples() -> impl Iterator<Item = (u8, u8, u8)> {
    (0..64).flat_map(|a| (0..64).flat_map(move |b| (0..64).map(move |c| (a, b, c))))
}

/// The canonical state of a placement, none if it is not a raw legal state: what the list says, if it agrees with the
/// definitions.
fn state_of<'a>(class: &Class<'a>, position: &Position) -> Result<Option<Position<'a>>, Refusal> {
    let (states, material) = (class.states, &class.states.material);
    let entry = states.locate(position.squares).entry;
    let found = states.position(states.squares(entry), position.to_move, None);
    let is_state = states.number(entry, position.to_move).is_some();
    let images = Symmetry::all(material.has_pawns());
    let images = images.map(|symmetry| {
        let image = states.sorted(position.squares.image(symmetry));
        image.first(material.men().len())
    });
    let is_smallest = !is_state || images.min() == Some(found.squares);
    match is_smallest && is_state == position.is_raw_legal() {
        true => Ok(is_state.then_some(found)),
        false => Err(broken(&found, position)),
    }
}

/// Compares all images of a state of three men with the state, and returns how many comparisons that were.
pub(super) fn check_images(class: &Class, state: &Position) -> Result<u64, Refusal> {
    let (mut of_state, mut of_image) = (Vec::new(), Vec::new());
    successors(class, state, &mut of_state);
    // The identity is a comparison of the state with itself.
    let mut comparisons = 1;
    for symmetry in Symmetry::all(state.material.has_pawns()).skip(1) {
        let image = Position {
            squares: state.squares.image(symmetry),
            ..*state
        };
        successors(class, &image, &mut of_image);
        check_alike(state, &of_state, &image, &of_image)?;
        comparisons += 1;
    }
    Ok(comparisons)
}

/// Puts what each move of a position leads to, in order, into a list that is empty or used up.
fn successors(class: &Class, position: &Position, successors: &mut Vec<Successor>) {
    successors.clear();
    successors.reserve(USUAL_MOVES);
    let here = class.states.here(position.squares);
    position.moves(|change| {
        let arrival = class.arrive(position, here, change);
        successors.extend(arrival.map(|arrival| arrival.successor()));
    });
    successors.sort_unstable();
}

/// Refuses an image that does not have as many moves into each successor as its state, or ends the game otherwise.
fn check_alike(
    state: &Position,
    of_state: &[Successor],
    image: &Position,
    of_image: &[Successor],
) -> Result<(), Refusal> {
    let ends_alike = !of_image.is_empty() || image.in_check() == state.in_check();
    match of_image == of_state && ends_alike {
        true => Ok(()),
        false => Err(broken(state, image)),
    }
}

/// Looks at a sample of the placements of a class as at all placements and images of three men.
pub(super) fn check_sample(class: &Class) -> Result<(), Refusal> {
    let material = &class.states.material;
    let (mut of_state, mut of_image) = (Vec::new(), Vec::new());
    let mut seed = 0x5eed_u64;
    let mut draw = || {
        // The linear congruential generator of Knuth's MMIX; its high bits are the good ones.
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 58) as u8
    };
    for number in 0..TRIES {
        let to_move = match number % 2 {
            0 => Side::White,
            _ => Side::Black,
        };
        let squares = Squares::of(material.men().iter().map(|_| draw()));
        let position = Position::new(material, squares, to_move);
        if let Some(image) = position
            && let Some(state) = state_of(class, &image)?
        {
            successors(class, &state, &mut of_state);
            successors(class, &image, &mut of_image);
            check_alike(&state, &of_state, &image, &of_image)?;
        }
    }
    Ok(())
}

fn broken(state: &Position, image: &Position) -> Refusal {
    let place = format_args!("{state} and its image {image}");
    Refusal::new(Reason::SymmetryBroken, place)
}
