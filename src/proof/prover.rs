//! The value of a position, as far as an effort gets: on the board first, then with the clock, then with the history.

use shakmaty::{Chess, Position};

use super::ground::Ground;
use super::node::{KEPT, Node, NodeKind};
use super::node_list::{Beliefs, NodeList};
use super::places::{Place, Places, Profile, win_of};
use super::state_tree::StateTree;
use super::support::{least_for, of_move};
use crate::game::{Interrupted, Interval, Observer};
use crate::mate::{Budget, Keys, Mover, Moves, Question, mating_strategy};
use crate::rules::State;
use crate::solve::local::{Limits, Proved as Believed, prove_in_turns};

/// Plies that are looked ahead with the whole history, where nodes do not decide.
const MOST_PLIES_OF_HISTORY: usize = 4;

/// Clocks with which it pays to search with the clock: later, the history looks far enough.
const LAST_CLOCK_SEARCHED: u32 = 148;

/// A mate is looked for up to so many moves.
const LONGEST_MATE: u8 = 12;

/// Positions that are looked at for a mate, at most: what is no quick mate is left to the search.
const MATE_NODES: u64 = 300_000;

/// Memory for that.
const MATE_HASH_BYTES: u64 = 16 << 20;

/// Positions and moves of a mate, at most.
const LARGEST_MATE: usize = 1 << 20;

/// How much may be spent.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Positions to look at, at most.
    pub nodes: usize,
    /// Positions to keep, at most.
    pub kept: usize,
    /// Says whether the time is up.
    pub is_late: &'a (dyn Fn() -> bool + Sync),
}

/// Why nothing more was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The value is known.
    Decided,
    /// The budget was spent.
    Budget,
    /// Everything that is tried was tried.
    Exhausted,
}

/// What was proved of a position.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The rules.
    pub profile: Profile,
    /// The bounds of White's value.
    pub interval: Interval,
    /// The nodes; on the board the first is the root.
    pub nodes: Vec<Node>,
    /// The states; on the board none.
    pub tree: StateTree,
    /// Positions that were looked at.
    pub expanded: usize,
    /// Their moves.
    pub edges: usize,
    /// Why the search ended.
    pub stop: Stop,
}

/// How many moves are deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Those that are certainly worse than one that is kept.
    pub strict: u64,
    /// Those that are at best as good.
    pub equal: u64,
}

impl Proved {
    /// The moves of nodes that are deleted.
    pub fn deleted(&self) -> Deleted {
        let mut deleted = Deleted::default();
        for node in &self.nodes {
            let side = node.position.turn();
            let known = |place: u8| {
                let mv = node.moves.get(usize::from(place)).copied();
                mv.map_or(Interval::UNKNOWN, |mv| {
                    of_move(self.profile, &self.nodes, node, mv)
                })
            };
            for (place, mv) in node.moves.iter().enumerate() {
                if mv.dominator == KEPT {
                    continue;
                }
                let least = least_for(known(mv.dominator), side);
                let most = -least_for(known(place as u8), !side);
                match least > most {
                    true => deleted.strict += 1,
                    false => deleted.equal += 1,
                }
            }
        }
        deleted
    }

    /// What is known of the moves of a node, in the order of their UCI texts.
    pub fn moves_of(&self, number: usize) -> Vec<Interval> {
        let Some(node) = self.nodes.get(number) else {
            return Vec::new();
        };
        let moves = node.moves.iter();
        moves
            .map(|&mv| of_move(self.profile, &self.nodes, node, mv))
            .collect()
    }

    /// The positions whose tables the nodes rest on.
    pub fn table_positions(&self) -> impl Iterator<Item = &Chess> {
        let tables = self
            .nodes
            .iter()
            .filter(|node| node.kind == NodeKind::Table);
        tables.map(|node| &node.position)
    }
}

/// Proves bounds of the value of a state; on the board, of its position.
///
/// # Errors
///
/// [`Interrupted`] if the observer says so.
pub fn prove(
    profile: Profile,
    state: &State,
    ground: Ground<'_>,
    effort: Effort<'_>,
    observer: &dyn Observer,
) -> Result<Proved, Interrupted> {
    let mut search = Search {
        profile,
        state,
        ground,
        effort,
        observer,
        beliefs: Beliefs::default(),
        expanded: 0,
        edges: 0,
        is_spent: false,
    };
    search.look_for_mates();
    let mut proved = search.proved(0);
    if !proved.interval.is_point() {
        search.look(Places::on_the_board(ground), 0)?;
        proved = search.proved(0);
    }
    if profile == Profile::Board || proved.interval.is_point() {
        return Ok(proved);
    }
    let mut plies = 1;
    proved = search.proved(plies);
    let clock = state.clock_plies();
    if !proved.interval.is_point() && (1..=LAST_CLOCK_SEARCHED).contains(&clock) {
        search.look(Places::with_clock(ground), clock as u8)?;
        proved = search.proved(plies);
    }
    while !proved.interval.is_point() && plies < MOST_PLIES_OF_HISTORY && has_history(state) {
        plies += 1;
        proved = search.proved(plies);
    }
    Ok(proved)
}

/// Whether something has occurred that a draw may be claimed for.
fn has_history(state: &State) -> bool {
    state.occurrences() > 1 || state.earlier().any(|(_, count)| count > 1)
}

struct Search<'a> {
    profile: Profile,
    state: &'a State,
    ground: Ground<'a>,
    effort: Effort<'a>,
    observer: &'a dyn Observer,
    beliefs: Beliefs,
    expanded: usize,
    edges: usize,
    is_spent: bool,
}

impl Search<'_> {
    /// Looks for a forced mate by either side.
    fn look_for_mates(&mut self) {
        for mover in [Mover::Attacker, Mover::Defender] {
            let question = Question {
                position: self.state.position().clone(),
                mover,
                max_moves: Moves::new(LONGEST_MATE).unwrap_or(Moves::ZERO),
                keys: Keys::Any,
                line: false,
            };
            let budget = Budget {
                nodes: MATE_NODES.min(self.effort.nodes as u64 / 4),
                hash_bytes: MATE_HASH_BYTES,
                ..Budget::default()
            };
            let (answer, strategy) =
                mating_strategy(&question, &budget, LARGEST_MATE, self.observer);
            self.expanded += usize::try_from(answer.nodes).unwrap_or(usize::MAX);
            let Ok(strategy) = strategy else {
                continue;
            };
            let turn = self.state.position().turn();
            let winner = match mover {
                Mover::Attacker => turn,
                Mover::Defender => !turn,
            };
            let dag = &strategy.dag;
            self.edges += dag.edges();
            self.beliefs.add(dag.nodes().map(|node| Believed {
                state: Place {
                    position: dag.position(node),
                    clock: 0,
                },
                interval: Interval::point(win_of(winner)),
                rank: Some(u32::from(dag.plies(node).get())),
            }));
            return;
        }
    }

    /// Searches a game from the position of the state.
    fn look(&mut self, mut game: Places<'_>, clock: u8) -> Result<(), Interrupted> {
        let root = Place {
            position: self.state.position().clone(),
            clock,
        };
        let limits = Limits {
            states: self.effort.nodes.saturating_sub(self.expanded),
            kept_states: self.effort.kept,
            is_late: self.effort.is_late,
        };
        let (proof, is_spent) = prove_in_turns(&mut game, &root, limits, self.observer)?;
        self.expanded += proof.expanded;
        self.edges += proof.moves;
        self.is_spent |= is_spent;
        self.beliefs.add(proof.states);
        Ok(())
    }

    /// What follows from what was found, with the history looked into so many plies deep.
    fn proved(&self, plies: usize) -> Proved {
        let list = NodeList::of(self.profile, self.ground, &self.beliefs);
        let (interval, tree, roots) = match self.profile {
            Profile::Board => {
                let position = self.state.position().clone();
                let root = list.number(&Place { position, clock: 0 });
                let interval = root.map_or(Interval::UNKNOWN, |root| {
                    list.nodes()[root as usize].interval
                });
                (interval, StateTree::default(), root.into_iter().collect())
            }
            Profile::Fcs => {
                let tree = StateTree::of(self.state, &list, plies);
                let roots = tree.nodes();
                (tree.interval(), tree, roots)
            }
        };
        let (nodes, numbers) = list.arranged(&roots);
        Proved {
            profile: self.profile,
            interval,
            nodes,
            tree: tree.renumbered(|number| numbers.get(&number).copied()),
            expanded: self.expanded,
            edges: self.edges,
            stop: match (interval.is_point(), self.is_spent) {
                (true, _) => Stop::Decided,
                (false, true) => Stop::Budget,
                (false, false) => Stop::Exhausted,
            },
        }
    }
}
