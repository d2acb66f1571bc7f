//! A baseline for local proofs: iterative deepening with alpha-beta, as a program that plays would search.
//!
//! Depth by depth, the whole tree of moves down to that depth is searched with the window of all three values; what
//! lies behind the horizon counts as a draw, and so does a state that stands on the path already. Nothing is
//! remembered between paths, so nothing that was found under an assumption about a path is used under another. The
//! search is over when a side wins, or when no path reached the horizon.
//!
//! Nodes are counted, the root and ends included, over all depths. The moves of a state are looked at in
//! the order of the estimates that local proofs use.

use std::collections::HashMap;
use std::rc::Rc;

use super::local::{Expansion, Positions, Target};
use crate::game::{Interrupted, Observer, Player};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The value for the maximizer, if it was found within the budget.
    pub value: Option<i8>,
    /// Nodes of all trees together.
    pub nodes: u64,
    /// Plies of the deepest tree that was searched, to the end or not.
    pub depth: u32,
}

/// Searches one root after the other; the moves of states are kept, since looking them up again is not what is
/// counted.
pub struct AlphaBeta<'a, G: Positions> {
    game: &'a mut G,
    numbers: HashMap<G::State, usize>,
    states: Vec<Known<G::State>>,
}

struct Known<S> {
    state: S,
    player: Player,
    /// None as long as nobody asked.
    moves: Option<Moves>,
    is_on_path: bool,
}

#[derive(Clone)]
enum Moves {
    End(i8),
    To(Rc<[Link]>),
}

#[derive(Clone, Copy)]
enum Link {
    State(usize),
    Known(i8),
}

/// What stops a search.
enum Stop {
    Budget,
    Interrupted(Interrupted),
}

/// One tree.
struct Tree<'a> {
    nodes: &'a mut u64,
    most_nodes: u64,
    /// Whether a path reached the horizon.
    is_cut: bool,
    observer: &'a dyn Observer,
}

impl<'a, G: Positions> AlphaBeta<'a, G> {
    /// A search in a game.
    pub fn new(game: &'a mut G) -> AlphaBeta<'a, G> {
        AlphaBeta {
            game,
            numbers: HashMap::new(),
            states: Vec::new(),
        }
    }

    /// Searches the value of a root with a budget of nodes.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn search(
        &mut self,
        root: &G::State,
        most_nodes: u64,
        observer: &dyn Observer,
    ) -> Result<Searched, Interrupted> {
        observer.begin("alpha-beta", 0);
        let root = self.number(root);
        let mut nodes = 0;
        let mut depth = 0;
        loop {
            depth += 1;
            let mut tree = Tree {
                nodes: &mut nodes,
                most_nodes,
                is_cut: false,
                observer,
            };
            let value = match self.value(root, depth, -1, 1, &mut tree) {
                Ok(0) if tree.is_cut => continue,
                Ok(value) => Some(value),
                Err(Stop::Budget) => None,
                Err(Stop::Interrupted(interrupted)) => return Err(interrupted),
            };
            self.states
                .iter_mut()
                .for_each(|known| known.is_on_path = false);
            return Ok(Searched {
                value,
                nodes,
                depth,
            });
        }
    }

    fn number(&mut self, state: &G::State) -> usize {
        if let Some(&number) = self.numbers.get(state) {
            return number;
        }
        let number = self.states.len();
        self.states.push(Known {
            state: state.clone(),
            player: self.game.player(state),
            moves: None,
            is_on_path: false,
        });
        self.numbers.insert(state.clone(), number);
        number
    }

    fn moves(&mut self, number: usize) -> Moves {
        if let Some(moves) = &self.states[number].moves {
            return moves.clone();
        }
        let state = self.states[number].state.clone();
        let player = self.states[number].player;
        let moves = match self.game.expand(&state) {
            Expansion::End(value) => Moves::End(value),
            Expansion::Moves(targets) => {
                let mut links: Vec<(u32, Link)> = targets
                    .into_iter()
                    .map(|target| match target {
                        Target::Known(value) => (0, Link::Known(value)),
                        Target::State(next) => {
                            let estimate = self.game.estimate(&next, player);
                            (estimate, Link::State(self.number(&next)))
                        }
                    })
                    .collect();
                links.sort_by_key(|&(estimate, _)| estimate);
                Moves::To(links.into_iter().map(|(_, link)| link).collect())
            }
        };
        self.states[number].moves = Some(moves.clone());
        moves
    }

    /// The value of a state as far as it lies between `alpha` and `beta`.
    fn value(
        &mut self,
        number: usize,
        depth: u32,
        mut alpha: i8,
        mut beta: i8,
        tree: &mut Tree<'_>,
    ) -> Result<i8, Stop> {
        /// How often it is asked whether the user wants to stop.
        const STRIDE: u64 = 1 << 12;
        if *tree.nodes >= tree.most_nodes {
            return Err(Stop::Budget);
        }
        *tree.nodes += 1;
        if tree.nodes.is_multiple_of(STRIDE) {
            tree.observer
                .checkpoint(STRIDE)
                .map_err(Stop::Interrupted)?;
        }
        if self.states[number].is_on_path {
            return Ok(0);
        }
        let links = match self.moves(number) {
            Moves::End(value) => return Ok(value),
            Moves::To(_) if depth == 0 => {
                tree.is_cut = true;
                return Ok(0);
            }
            Moves::To(links) => links,
        };
        self.states[number].is_on_path = true;
        let is_max = self.states[number].player == Player::Max;
        for &link in &*links {
            let value = match link {
                Link::Known(value) => {
                    *tree.nodes += 1;
                    value
                }
                Link::State(next) => self.value(next, depth - 1, alpha, beta, tree)?,
            };
            match is_max {
                true => alpha = alpha.max(value),
                false => beta = beta.min(value),
            }
            if alpha >= beta {
                break;
            }
        }
        self.states[number].is_on_path = false;
        Ok(if is_max { alpha } else { beta })
    }
}
