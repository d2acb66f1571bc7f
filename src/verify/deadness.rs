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
pub(super) fn is_bare(board: &Board) -> bool {
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

#[cfg(test)]
mod tests {
    use super::super::game_state::tests::{START, state};
    use super::*;

    fn deadness(fen: &str, positions: u64) -> Deadness {
        state(fen, 0).deadness(positions)
    }

    const MATERIAL: Deadness = Deadness::Dead(DeadReason::Material);

    fn exhausted(positions: u64) -> Deadness {
        Deadness::Dead(DeadReason::Exhausted(positions))
    }

    #[test]
    fn some_material_never_mates() {
        for fen in [
            "7k/8/8/8/8/8/8/K7 w - - 0 1",
            "7k/8/8/8/8/8/8/KN6 w - - 0 1",
            "7k/8/8/8/8/8/8/Kn6 b - - 0 1",
            "7k/8/8/8/8/8/8/KB6 w - - 0 1",
            // Bishops of both sides, all on light squares: b1, d1, h7.
            "7k/7b/8/8/8/8/8/KB1B4 w - - 0 1",
            // All on dark squares: c1, g7 and h8.
            "5k1b/6b1/8/8/8/8/K7/2B5 b - - 0 1",
        ] {
            assert_eq!(deadness(fen, 0), MATERIAL, "{fen}");
        }
    }

    #[test]
    fn other_material_may_mate() {
        // In each of these the side to move mates at once.
        for fen in [
            // A bishop and a bishop on the other colour, whose own men leave no square: Be4.
            "kb6/8/1K6/8/8/8/6B1/8 b - - 0 1",
            // A knight and a knight: Nb6 or Nc7, for the own knight takes b8.
            "kn6/8/K7/3N4/8/8/8/8 w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1",
            "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
        ] {
            assert_ne!(deadness(fen, 0), MATERIAL, "{fen}");
            assert_eq!(deadness(fen, 10_000), Deadness::Alive, "{fen}");
        }
        for fen in [
            "7k/8/8/8/8/8/8/KNN5 w - - 0 1",
            "7k/8/8/8/8/8/8/KNB5 w - - 0 1",
            "7k/7p/8/8/8/8/8/K7 w - - 0 1",
            "7k/8/8/8/8/8/8/KBB5 w - - 0 1",
            "7k/8/8/8/8/8/8/KR6 w - - 0 1",
        ] {
            assert_eq!(reason_at_sight(&state(fen, 0).board), None, "{fen}");
        }
    }

    #[test]
    fn a_checkmate_shows_that_a_position_is_alive() {
        let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        assert_eq!(deadness(mate, 1), Deadness::Alive);
        // It is looked for first, even if nothing may be met.
        assert_eq!(deadness(mate, 0), Deadness::Alive);
        // The fool's mate takes four plies.
        assert_eq!(deadness(START, 1_000), Deadness::Unknown);
        assert_eq!(deadness(START, 100_000), Deadness::Alive);
    }

    #[test]
    fn what_can_be_reached_is_exhausted() {
        for (fen, positions) in [
            // Stalemate.
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1),
            // The king has to take the queen, and two kings are left.
            ("k7/8/8/8/8/8/1q6/K7 w - - 0 1", 2),
            // The rook and the bishop on g1 are shut in for ever, so White can only play Kd1 or Kf1. Then no right to castle is
            // left, and the walls are seen.
            ("4k3/8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/4K1BR w K - 0 1", 3),
        ] {
            assert_eq!(deadness(fen, 1_000), exhausted(positions), "{fen}");
            assert_eq!(deadness(fen, positions), exhausted(positions), "{fen}");
            assert_eq!(deadness(fen, positions - 1), Deadness::Unknown, "{fen}");
        }
    }

    #[test]
    fn history_makes_no_difference() {
        let fen = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";
        assert_eq!(state(fen, 150).deadness(100), Deadness::Alive);
    }

    #[test]
    fn walls_come_before_the_search() {
        let fen = "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1";
        assert_eq!(deadness(fen, 0), Deadness::Dead(DeadReason::Walls));
    }
}
