//! The moves of groups and of single placements against those of shakmaty, which shares nothing with
//! them but the tables of attacks.

use proptest::prelude::*;
use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Move, Position, Role, Setup, Square};

use self::property::property;
use super::Material;
use super::group::Group;
use super::index::{Index, Squares};
use super::men::Men;
use crate::rules::legal_position;

#[path = "../../tests/support/property.rs"]
#[allow(unreachable_pub, reason = "the other tests share the file")]
mod property;

/// A class of three to five men.
fn class() -> impl Strategy<Value = Material> {
    let men = prop::collection::vec(
        (any::<bool>(), prop::sample::select(b"QRBNP".as_slice())),
        1..=3,
    );
    men.prop_map(|men| {
        let side = |color: bool| {
            let own = men
                .iter()
                .filter(|man| man.0 == color)
                .map(|man| char::from(man.1));
            own.collect::<String>()
        };
        format!("K{}vK{}", side(true), side(false)).parse().unwrap()
    })
}

/// The first state at or behind an entry, and who is to move there.
fn state_from(index: &Index, entry: usize, turn: Color) -> Option<(Squares, Color)> {
    let groups = index.len() / 64;
    let start = entry / 64;
    (start..groups).chain(0..start).find_map(|number| {
        let group = Group::new(index, number);
        let states = group.states()[usize::from(turn.is_black())];
        let wanted = Square::new((entry % 64) as u32);
        let square = if states.contains(wanted) {
            Some(wanted)
        } else {
            states.first()
        };
        square.map(|square| (group.with_last(square), turn))
    })
}

fn setup(index: &Index, squares: &Squares, turn: Color) -> Setup {
    let mut board = Board::empty();
    for (&square, &man) in squares.iter().zip(index.pieces()) {
        board.set_piece_at(square, man);
    }
    Setup {
        board,
        turn,
        ..Setup::empty()
    }
}

fn is_quiet(mv: Move) -> bool {
    !mv.is_capture() && mv.promotion().is_none()
}

/// The squares of the men after a quiet move, or before one that is taken back.
fn moved(squares: &Squares, men: usize, from: Square, to: Square) -> Squares {
    let mut moved = *squares;
    for square in moved[..men].iter_mut().filter(|square| **square == from) {
        *square = to;
    }
    moved
}

/// The entries of states that quiet moves lead to; after a double step only where no capture en
/// passant answers it.
fn entries_after(index: &Index, position: &Chess, squares: &Squares) -> Vec<usize> {
    let mut entries = Vec::new();
    for mv in position
        .legal_moves()
        .into_iter()
        .filter(|&mv| is_quiet(mv))
    {
        let mut next = position.clone();
        next.play_unchecked(mv);
        if next.ep_square(EnPassantMode::Legal).is_none() {
            let from = mv.from().unwrap();
            entries.push(index.entry(&moved(squares, index.men(), from, mv.to())));
        }
    }
    entries
}

/// All entries from which a move taken back on the board leads to a state.
fn entries_before(index: &Index, entry: usize, turn: Color) -> Vec<usize> {
    let group = Group::new(index, entry / 64);
    let square = Square::new((entry % 64) as u32);
    let mut entries = Vec::new();
    group.each_origin(turn, square.into(), |number, origins| {
        let states = Group::new(index, number).states()[usize::from(!turn.is_black())];
        entries.extend(
            (origins & states)
                .into_iter()
                .map(|from| number * 64 + from.to_usize()),
        );
    });
    entries
}

proptest! {
    #![proptest_config(property(2_000))]

    /// A quiet move leads from one state to another if and only if it is found when it is taken back.
    #[test]
    fn moves_and_moves_taken_back_are_the_same(
        class in class(),
        place in any::<prop::sample::Index>(),
        is_white in any::<bool>(),
    ) {
        let index = Index::new(&class);
        let turn = Color::from_white(is_white);
        let Some((squares, turn)) = state_from(&index, place.index(index.len()), turn) else {
            return Ok(());
        };
        let position = index.position(&squares, turn);
        let entry = index.entry(&squares);
        for after in entries_after(&index, &position, &squares) {
            let before = entries_before(&index, after, !turn);
            let images = [entry, index.canonical_entry(entry)];
            prop_assert!(
                before.iter().any(|before| images.contains(before)),
                "{class}: the move from {entry} to {after} is not taken back"
            );
        }
        for before in entries_before(&index, entry, turn) {
            let squares = index.squares(before);
            let reached = entries_after(&index, &index.position(&squares, !turn), &squares);
            let canonical = index.canonical_entry(entry);
            prop_assert!(
                reached.iter().any(|&reached| index.canonical_entry(reached) == canonical),
                "{class}: no move leads from {before} to {entry}"
            );
        }
    }

    /// The targets of single placements are shakmaty's legal moves, en passant left out.
    #[test]
    fn targets_are_legal_moves(
        class in class(),
        place in any::<prop::sample::Index>(),
        is_white in any::<bool>(),
    ) {
        let index = Index::new(&class);
        let turn = Color::from_white(is_white);
        let Some((squares, turn)) = state_from(&index, place.index(index.len()), turn) else {
            return Ok(());
        };
        let men = Men::new(&index, squares);
        let targets = men.targets(turn);
        let position = index.position(&squares, turn);
        prop_assert_eq!(targets.is_check, position.is_check());
        for man in men.side(turn) {
            let from = men.squares[man];
            let legal: Bitboard = position
                .legal_moves()
                .into_iter()
                .filter(|mv| mv.from() == Some(from))
                .map(|mv| mv.to())
                .collect();
            prop_assert_eq!(targets.sets[man], legal, "{} {}", position.board(), from);
            let converting: Bitboard = position
                .legal_moves()
                .into_iter()
                .filter(|&mv| mv.from() == Some(from) && !is_quiet(mv))
                .map(|mv| mv.to())
                .collect();
            prop_assert_eq!(targets.sets[man] & men.converting(man), converting);
        }
    }

    /// The states of a group are the placements that shakmaty takes for legal positions.
    #[test]
    fn states_are_legal_positions(class in class(), place in any::<prop::sample::Index>()) {
        let index = Index::new(&class);
        let group = Group::new(&index, place.index(index.len()) / 64);
        let states = group.states();
        for square in Square::ALL {
            let men = Men::new(&index, group.with_last(square));
            for turn in [Color::White, Color::Black] {
                let is_state = states[usize::from(turn.is_black())].contains(square);
                let is_legal = men.is_placement()
                    && index.is_ordered(&men.squares)
                    && legal_position(setup(&index, &men.squares, turn)).is_ok();
                prop_assert_eq!(is_state, is_legal, "{} {:?} {}", class, men.squares, turn);
            }
        }
    }
}

/// Two knights that check at the same time are a state, though no move can bring it about.
#[test]
fn two_knights_may_check_at_the_same_time() {
    let index = Index::new(&"KNNK".parse().unwrap());
    // White Ka1, Nc6, Nd5; Black to move with the king on e7. The triangle holds the white king already.
    let squares = [Square::A1, Square::D5, Square::C6, Square::E7, Square::A1];
    let group = Group::new(&index, index.entry(&squares) >> 6);
    for man in [1, 2] {
        let attacked = shakmaty::attacks::knight_attacks(group.squares[man]);
        assert!(group.piece(man).role == Role::Knight && attacked.contains(Square::E7));
    }
    assert!(group.states()[1].contains(Square::E7));
}
