//! Whether a position is dead: whether no line of legal moves leads from it to a checkmate of either side.
//!
//! Three reasons are found. The material is such that no checkmate exists; the men are walled in (`walls`); or all positions
//! that can be reached were met, and none is a checkmate. The last is a search in breadth, which goes on from no position
//! that is dead for one of the first two reasons. It is also what finds a position alive, and it ends after as many
//! positions as the caller allows.
//!
//! No value rests on the answer: from a dead position the game is drawn whether this is seen or not.
//!
//! Source: `docs/certificate-format.md`, *Dead positions*; `docs/ruleset.txt`, 5.3.

use std::collections::{HashSet, VecDeque};

use super::board::Board;
use super::game_state::GameState;
use super::man::Kind;
use super::packed_board::PackedBoard;
use super::reach::LIGHT;
use super::walls;

/// Whether a position is dead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadness {
    /// No checkmate can be reached, for a reason.
    Dead(DeadReason),
    /// A checkmate was found.
    Alive,
    /// Neither was found within the positions that were allowed.
    Unknown,
}

/// Why a position is dead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadReason {
    /// With such men there is no checkmate.
    Material,
    /// No man gets where it could mate.
    Walls,
    /// All positions were met, so many.
    Exhausted(u64),
}

impl GameState {
    /// Whether the position is dead, as far as it is found by meeting so many positions.
    pub fn deadness(&self, positions: u64) -> Deadness {
        if let Some(reason) = reason_at_sight(&self.board) {
            return Deadness::Dead(reason);
        }
        let mut search = Search {
            positions,
            met: HashSet::new(),
            open: VecDeque::new(),
        };
        if let Some(answer) = search.meet(&self.board) {
            return answer;
        }
        while let Some(here) = search.open.pop_front() {
            for (_, next) in here.board().moves() {
                if let Some(answer) = search.meet(&next) {
                    return answer;
                }
            }
        }
        Deadness::Dead(DeadReason::Exhausted(search.met.len() as u64))
    }
}

/// The reason for which a position is dead that can be seen without playing.
fn reason_at_sight(board: &Board) -> Option<DeadReason> {
    if is_bare(board) {
        return Some(DeadReason::Material);
    }
    walls::hold(board).then_some(DeadReason::Walls)
}

/// Whether besides the kings there is one knight at most, or bishops on squares of one colour alone.
fn is_bare(board: &Board) -> bool {
    let all = |kind| board.kinds[kind as usize];
    let others = board.occupied() & !all(Kind::King);
    let one_knight = others == all(Kind::Knight) && others.count_ones() == 1;
    let one_colour = others & LIGHT == 0 || others & !LIGHT == 0;
    one_knight || others == all(Kind::Bishop) && one_colour
}

/// A search for a checkmate.
struct Search {
    /// How many positions may be met.
    positions: u64,
    met: HashSet<PackedBoard>,
    /// Those of them from which the search has still to go on.
    open: VecDeque<PackedBoard>,
}

impl Search {
    /// Meets a position. Says what the whole search finds, if it ends here: a checkmate counts even where it is one position
    /// too many.
    fn meet(&mut self, board: &Board) -> Option<Deadness> {
        let packed = PackedBoard::of(board);
        if !self.met.insert(packed) {
            return None;
        }
        if board.is_checkmate() {
            return Some(Deadness::Alive);
        }
        if self.met.len() as u64 > self.positions {
            return Some(Deadness::Unknown);
        }
        if reason_at_sight(board).is_none() {
            self.open.push_back(packed);
        }
        None
    }
}
