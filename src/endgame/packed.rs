//! Packed tables: the values of a class as its certificate has them, one byte a canonical state in
//! canonical order, of which single ones are read when they are asked for.
//!
//! The number of a state is the number of states before its *block* (all placements that share the
//! squares of all men but the last two), which a table says, and the states of the block before it,
//! which are counted. Tables of three men say no such numbers; there the blocks are few, and are counted
//! once.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use shakmaty::Color;

use super::enumeration::{BLOCK, placements};
use super::index::{Index, Squares};
use super::value_byte::value_of;
use super::{LookupError, Material};
use crate::game::Value;

/// The bytes of one table, wherever they are.
pub trait TableBytes: Send {
    /// The entry of `starts` at a place, `None` if there are not as many.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn start(&mut self, place: u64) -> Result<Option<u64>, String>;

    /// The byte of the canonical state with a number, `None` if there are not as many.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    fn value(&mut self, number: u64) -> Result<Option<u8>, String>;
}

/// Opens a table; called once at most.
type Open = Box<dyn Fn() -> Result<Box<dyn TableBytes>, String> + Send + Sync>;

/// A table of which single values are read, opened when the first one is.
pub(super) struct Packed {
    index: Index,
    open: Open,
    bytes: OnceLock<Result<Mutex<Box<dyn TableBytes>>, String>>,
    /// With three men, the number of states before each block.
    counted: OnceLock<Vec<u64>>,
}

impl Packed {
    pub(super) fn new(material: &Material, open: Open) -> Packed {
        Packed {
            index: Index::new(material),
            open,
            bytes: OnceLock::new(),
            counted: OnceLock::new(),
        }
    }

    /// The value of the state with this placement and side to move.
    pub(super) fn value(&self, squares: &Squares, turn: Color) -> Result<Value, LookupError> {
        self.read(squares, turn)
            .map_err(|reason| LookupError::Unreadable(self.index.material().clone(), reason))
    }

    fn read(&self, squares: &Squares, turn: Color) -> Result<Value, String> {
        let bytes = self.bytes.get_or_init(|| (self.open)().map(Mutex::new));
        let bytes = bytes.as_ref().map_err(String::clone)?;
        let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = self.index.canonical_entry(self.index.entry(squares));
        let block = entry / BLOCK;
        let start = if self.index.men() == 3 {
            Some(self.counted.get_or_init(|| self.count_blocks())[block])
        } else {
            bytes.start(self.index.choice_of_prefix(block) as u64)?
        };
        let number = start.and_then(|start| start.checked_add(self.behind_start(entry, turn)));
        let byte = match number {
            Some(number) => bytes.value(number)?,
            None => None,
        };
        byte.map(value_of)
            .ok_or_else(|| "it has no value for this state".to_owned())
    }

    /// How many states of a block come before a state in it.
    fn behind_start(&self, entry: usize, turn: Color) -> u64 {
        let before = placements(&self.index, entry / BLOCK).take_while(|found| found.entry < entry);
        let before: u64 = before.map(|found| count(found.is_state)).sum();
        // With White to move the state comes before that with Black to move, if it is one.
        let own = turn.is_black() && self.is_state(entry, Color::White);
        before + u64::from(own)
    }

    fn is_state(&self, entry: usize, turn: Color) -> bool {
        let men = super::men::Men::new(&self.index, self.index.squares(entry));
        !men.is_king_attacked(!turn)
    }

    /// For each block the number of states before it.
    fn count_blocks(&self) -> Vec<u64> {
        let blocks = 0..self.index.len() / BLOCK;
        let mut before = 0;
        let counts = blocks.map(|block| {
            let own: u64 = placements(&self.index, block)
                .map(|found| count(found.is_state))
                .sum();
            before += own;
            before - own
        });
        counts.collect()
    }
}

fn count(is_state: [bool; 2]) -> u64 {
    is_state.into_iter().map(u64::from).sum()
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut packed = f.debug_struct("Packed");
        packed.field("material", self.index.material());
        packed.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, File, Rank, Square};

    use super::super::{Endgame, Library, State, Universe};
    use super::*;
    use crate::game::Silent;

    /// A table in memory.
    struct InMemory {
        starts: Vec<u64>,
        values: Vec<u8>,
    }

    impl TableBytes for InMemory {
        fn start(&mut self, place: u64) -> Result<Option<u64>, String> {
            Ok(self.starts.get(place as usize).copied())
        }

        fn value(&mut self, number: u64) -> Result<Option<u8>, String> {
            Ok(self.values.get(number as usize).copied())
        }
    }

    /// A class in a library that reads single bytes, and in the library in which it was solved.
    fn packed_and_dense(name: &str) -> (Endgame, Library, Library) {
        let (mut packed, mut dense) = (Library::new(), Library::new());
        let endgame = solve_into(&name.parse().unwrap(), &mut packed, &mut dense);
        (endgame, packed, dense)
    }

    fn solve_into(material: &Material, packed: &mut Library, dense: &mut Library) -> Endgame {
        for child in material.children() {
            if !dense.contains(&child) {
                solve_into(&child, packed, dense);
            }
        }
        let endgame = Endgame::solve(material, dense, &Silent).unwrap();
        let (starts, values) = (endgame.starts.clone(), endgame.values.clone());
        packed.insert_packed(material, move || {
            Ok(Box::new(InMemory {
                starts: starts.clone(),
                values: values.clone(),
            }))
        });
        endgame
    }

    /// Some of the states of four men, with an en-passant square on one of the files if wanted, and as many with
    /// exchanged colours.
    fn some_positions(material: &Material, step: usize, has_en_passant: bool) -> Vec<Chess> {
        let mut positions = Vec::new();
        for number in (0..1_u64 << 24).step_by(step) {
            let squares: Vec<Square> = (0..4)
                .map(|man| Square::new((number >> (6 * man) & 63) as u32))
                .collect();
            for turn in [Color::White, Color::Black] {
                let rank = turn.fold_wb(Rank::Sixth, Rank::Third);
                let passed: Vec<Option<Square>> = match has_en_passant {
                    true => File::ALL
                        .map(|file| Some(Square::from_coords(file, rank)))
                        .into(),
                    false => vec![None],
                };
                for passed in passed {
                    let state = State::new(material, &squares, turn, passed);
                    if let Some(position) = state.position(material) {
                        positions.extend([crate::rules::exchange_colors(&position), position]);
                    }
                }
            }
        }
        positions
    }

    #[test]
    fn three_men_have_the_same_values_dense_and_packed() {
        let (endgame, packed, dense) = packed_and_dense("KPK");
        let universe = Universe::enumerate(&endgame.material, &Silent).unwrap();
        for number in universe.indices().step_by(11) {
            let position = universe.position(number);
            assert_eq!(packed.value(&position), dense.value(&position));
            if number.get().is_multiple_of(101) {
                assert_eq!(packed.moves(&position), dense.moves(&position));
            }
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn images_and_exchanged_colours_have_the_same_values_dense_and_packed() {
        // With and without like men.
        for name in ["KNNK", "KBNK"] {
            let (endgame, packed, dense) = packed_and_dense(name);
            let positions = some_positions(&endgame.material, 20_011, false);
            assert!(positions.len() > 400, "{name}: {}", positions.len());
            for position in positions {
                let value = packed.value(&position);
                assert_eq!(value, dense.value(&position), "{position:?}");
            }
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn pawns_on_both_sides_have_the_same_values_dense_and_packed() {
        let (endgame, packed, dense) = packed_and_dense("KPKP");
        let mut positions = some_positions(&endgame.material, 4_001, false);
        let en_passant = some_positions(&endgame.material, 211, true);
        assert!(positions.len() > 2_000, "{}", positions.len());
        assert!(en_passant.len() > 100, "{}", en_passant.len());
        positions.extend(en_passant);
        for position in positions {
            assert_eq!(packed.value(&position), dense.value(&position));
            assert_eq!(packed.moves(&position), dense.moves(&position));
        }
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let mut library = Library::new();
        let material: Material = "KQK".parse().unwrap();
        let position = crate::rules::parse_fen("8/8/8/8/4k3/8/1Q6/K7 b - - 0 1").unwrap();
        library.insert_packed(&material, || Err("the shelf is empty".to_owned()));
        let unreadable = |reason: &str| {
            let reason = reason.to_owned();
            Err(LookupError::Unreadable(material.clone(), reason))
        };
        assert_eq!(library.value(&position), unreadable("the shelf is empty"));
        library.insert_packed(&material, || {
            let (starts, values) = (Vec::new(), vec![0; 10]);
            Ok(Box::new(InMemory { starts, values }))
        });
        assert_eq!(
            library.value(&position),
            unreadable("it has no value for this state")
        );
    }

    #[test]
    fn starts_beyond_all_numbers_are_no_state() {
        let mut library = Library::new();
        let material: Material = "KBNK".parse().unwrap();
        library.insert_packed(&material, || {
            let (starts, values) = (vec![u64::MAX; 4096], vec![0; 10]);
            Ok(Box::new(InMemory { starts, values }))
        });
        let position = crate::rules::parse_fen("8/8/8/8/4k3/8/1BN5/K7 b - - 0 1").unwrap();
        let reason = "it has no value for this state".to_owned();
        assert_eq!(
            library.value(&position),
            Err(LookupError::Unreadable(material, reason))
        );
    }
}
