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

use super::claim::Material;
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
    let material = &class.states.material;
    let mut raw = 0;
    let mut canonical = 0;
    for (first, second, third) in triples() {
        for to_move in Side::BOTH {
            let squares = Squares::of([first, second, third]);
            let Some(position) = Position::new(material, squares, to_move) else {
                continue;
            };
            let located = class.states.locate(squares);
            let is_state = class.states.byte(located.entry, to_move).is_some();
            let mut is_right = is_state == position.is_raw_legal();
            if is_state {
                raw += 1;
                let smallest = smallest_image(material, squares);
                canonical += u64::from(smallest == squares);
                is_right &= class.states.squares(located.entry) == smallest;
            }
            if !is_right {
                return Err(broken(&position, &position));
            }
        }
    }
    match canonical == class.states.positions().count() as u64 {
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

/// The smallest of the images of a placement of three men, no two of which are alike.
fn smallest_image(material: &Material, squares: Squares) -> Squares {
    let images = Symmetry::all(material.has_pawns());
    let images = images.map(|symmetry| squares.image(symmetry).first(3));
    images.fold(squares, Squares::min)
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
        let ends_alike = !of_image.is_empty() || image.in_check() == state.in_check();
        if of_image != of_state || !ends_alike {
            return Err(broken(state, &image));
        }
        comparisons += 1;
    }
    Ok(comparisons)
}

/// Puts the distinct successors of a position, in order, into a list that is empty or used up.
fn successors(class: &Class, position: &Position, successors: &mut Vec<Successor>) {
    successors.clear();
    successors.reserve(USUAL_MOVES);
    let here = class.states.here(position.squares);
    position.moves(|change| {
        let followed = class.follow(position, here, change);
        successors.extend(followed.map(|(to, _)| to));
    });
    successors.sort_unstable();
    successors.dedup();
}

/// Looks at a sample of the raw placements of a class: whether each is legal exactly if it is found in the list, and
/// leads to the same bytes as the canonical state.
pub(super) fn check_sample(class: &Class) -> Result<(), Refusal> {
    let material = &class.states.material;
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
        let Some(position) = Position::new(material, squares, to_move) else {
            continue;
        };
        let entry = class.states.locate(squares).entry;
        let is_state = class.states.byte(entry, to_move).is_some();
        if is_state != position.is_raw_legal() {
            return Err(broken(&position, &position));
        }
        if !is_state {
            continue;
        }
        let canonical = class
            .states
            .position(class.states.squares(entry), to_move, None);
        let bytes = |position: &Position<'_>| {
            let mut bytes = Vec::new();
            let here = class.states.here(position.squares);
            position.moves(|change| {
                bytes.extend(class.follow(position, here, change).map(|to| to.1));
            });
            bytes.sort_unstable();
            bytes
        };
        // Not the sets alone: images have as many moves into each successor.
        if bytes(&position) != bytes(&canonical) || position.in_check() != canonical.in_check() {
            return Err(broken(&canonical, &position));
        }
    }
    Ok(())
}

fn broken(state: &Position, image: &Position) -> Refusal {
    let place = format_args!("{state} and its image {image}");
    Refusal::new(Reason::SymmetryBroken, place)
}
