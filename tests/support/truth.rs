//! True tables: every class is solved once in a test binary, with all that it rests on.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use dchess::certificate::{Format, Id, Sealed};
use dchess::endgame::{Endgame, Enumeration, Library, Material, Placement, State};
use dchess::game::{Interrupted, Silent, Value};
use shakmaty::{Chess, EnPassantMode, Position};

/// Solved classes.
#[derive(Default)]
struct Truth {
    library: Library,
    endgames: BTreeMap<Material, (Arc<Endgame>, Id)>,
}

static TRUTH: LazyLock<Mutex<Truth>> = LazyLock::new(Mutex::default);

impl Truth {
    fn solve(&mut self, material: &Material) -> &(Arc<Endgame>, Id) {
        if !self.endgames.contains_key(material) {
            for child in material.children() {
                self.solve(&child);
            }
            let endgame = Endgame::solve(material, &mut self.library, &Silent).unwrap();
            let id = self.sealed(&endgame, Format::Bin).id();
            let entry = (Arc::new(endgame), id);
            self.endgames.insert(material.clone(), entry);
        }
        &self.endgames[material]
    }

    /// The certificate of an endgame over the true certificates of its children.
    fn sealed(&self, endgame: &Endgame, format: Format) -> Sealed {
        let id = |child: Material| {
            let (_, id) = self.endgames[&child];
            (child, id)
        };
        let children: Vec<_> = endgame.material.children().into_iter().map(id).collect();
        Sealed::endgame(endgame, &children, format).unwrap()
    }
}

/// The truth, after a class has been solved. What a failed test left behind is whole.
fn truth(name: &str) -> MutexGuard<'static, Truth> {
    let mut truth = TRUTH.lock().unwrap_or_else(PoisonError::into_inner);
    truth.solve(&name.parse().unwrap());
    truth
}

/// A solved class.
pub fn endgame(name: &str) -> Arc<Endgame> {
    let (endgame, _) = &truth(name).endgames[&name.parse().unwrap()];
    endgame.clone()
}

/// Asks the library, which holds a class and all that it rests on.
pub fn with_library<T>(name: &str, ask: impl FnOnce(&Library) -> T) -> T {
    ask(&truth(name).library)
}

/// The id of the true certificate of a class.
pub fn id(name: &str) -> [u8; 32] {
    truth(name).endgames[&name.parse().unwrap()].1.0
}

/// The true certificate of a class.
pub fn certificate(name: &str, format: Format) -> Vec<u8> {
    let endgame = endgame(name);
    truth(name).sealed(&endgame, format).bytes().to_vec()
}

/// The table that would be right if the tables of some children said something else, given by the
/// bytes of their states. It names the true certificates of its children all the same.
pub fn table_over(name: &str, others: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let material: Material = name.parse().unwrap();
    let mut library = Library::new();
    for child in material.children() {
        let other = others.iter().find(|(name, _)| *name == child.to_string());
        let is_whole = match other {
            Some((_, values)) => library.insert(&child, values),
            None => library.insert(&child, &endgame(&child.to_string()).values),
        };
        assert!(is_whole, "{child} has another number of states");
    }
    let endgame = Endgame::solve(&material, &mut library, &Silent).unwrap();
    truth(name).sealed(&endgame, Format::Bin).bytes().to_vec()
}

/// The positions of the canonical states of a class, in order.
pub fn positions(name: &str) -> Vec<Chess> {
    let material = name.parse().unwrap();
    with_library(name, |library| {
        let ask = |position: &Chess, _| position.clone();
        let mut positions = ask_all(library, &material, ask);
        positions.retain(|position| position.ep_square(EnPassantMode::Legal).is_none());
        positions
    })
}

/// Asks something about every canonical state of a class in order, with its value; en-passant states stand
/// behind the state with the same placement and side to move.
pub fn ask_all<T: Send>(
    library: &Library,
    material: &Material,
    ask: impl Fn(&Chess, Value) -> T + Sync,
) -> Vec<T> {
    let enumeration = Enumeration::of(material, &Silent).unwrap();
    let mut answers = Vec::new();
    let ask_block = |placements: &mut dyn Iterator<Item = Placement>| -> Vec<T> {
        let states = placements.flat_map(|placement| {
            let with_en_passant = |(_, state): (_, State)| {
                let others = placement.en_passant_states().map(|(_, other)| other);
                let others = others.filter(move |other| other.turn() == state.turn());
                std::iter::once(state).chain(others).collect::<Vec<State>>()
            };
            let states = placement.states().flat_map(with_en_passant);
            states.collect::<Vec<State>>()
        });
        states
            .map(|state| {
                let position = state.position(material).unwrap();
                ask(&position, library.value(&position).unwrap())
            })
            .collect()
    };
    let take = |block| {
        answers.extend(block);
        Ok::<_, Interrupted>(ControlFlow::Continue(()))
    };
    enumeration.each_block(&Silent, ask_block, take).unwrap();
    answers
}

/// A solved class, with a library of all that it rests on.
pub fn solved(name: &str) -> (Endgame, Library) {
    fn solve_into(material: &Material, library: &mut Library) -> Endgame {
        for child in material.children() {
            if !library.contains(&child) {
                solve_into(&child, library);
            }
        }
        Endgame::solve(material, library, &Silent).unwrap()
    }
    let mut library = Library::new();
    (solve_into(&name.parse().unwrap(), &mut library), library)
}
