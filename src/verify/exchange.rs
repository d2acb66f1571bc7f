//! What men are worth, what a move gains, and what a capture is worth when both sides go on capturing on its square.
//!
//! An exchange graph has the position after a capture as its first node, and with a position those after each legal capture on
//! the same square. After each capture one man is less on the board, and it is the other side's turn. So the nodes stand in
//! *layers*, one for each capture in a row: two ways to the same position have the same length, and what was gained on both is the
//! same, since it can be counted on the board. A node is in its layer once, and its value follows from the next layer.
//!
//! Source: `docs/certificate-format.md`, *Exchanges*.

use super::Move;
use super::board::Board;
use super::man::Kind;

/// What a man is worth, in hundredths of a pawn.
pub(super) fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::King => 0,
        Kind::Queen => 900,
        Kind::Rook => 500,
        Kind::Bishop => 330,
        Kind::Knight => 320,
        Kind::Pawn => 100,
    }
}

/// What a move gains: what it captures, and what a pawn becomes.
pub(super) fn gain(board: &Board, played: Move) -> i32 {
    let captured = board.captured_by(played).map_or(0, worth);
    let promoted = Kind::of_promotion_code(played.promotion());
    let promoted = promoted.map_or(0, |kind| worth(kind) - worth(Kind::Pawn));
    captured + promoted
}

/// What is said of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ExchangeGraph {
    /// What the capture is worth for the side that makes it.
    pub(super) value: i32,
    pub(super) nodes: u64,
    /// The most captures in a row.
    pub(super) capture_plies: u64,
    /// The nodes in which the side to move is in check.
    pub(super) checked_nodes: u64,
}

/// A position of an exchange graph.
struct Node {
    board: Board,
    /// What the player has gained up to here.
    change: i32,
    /// The places of the successors in the next layer.
    successors: Vec<usize>,
}

impl ExchangeGraph {
    /// The graph of a capture, with the position after it.
    pub(super) fn of(before: &Board, capture: Move, after: Board) -> ExchangeGraph {
        let first = Node {
            board: after,
            change: gain(before, capture),
            successors: Vec::new(),
        };
        let mut layers = vec![vec![first]];
        while let Some(layer) = layers.last_mut() {
            // The player has made the capture, so his opponent has the next one.
            let sign = match layer.first() {
                Some(node) if node.board.to_move == before.to_move => 1,
                _ => -1,
            };
            let next = next_layer(layer, capture, sign);
            if next.is_empty() {
                break;
            }
            layers.push(next);
        }
        let nodes = || layers.iter().flatten();
        let is_checked = |node: &&Node| node.board.is_in_check(node.board.to_move);
        ExchangeGraph {
            value: value(&layers, before),
            nodes: nodes().count() as u64,
            capture_plies: layers.len() as u64,
            checked_nodes: nodes().filter(is_checked).count() as u64,
        }
    }
}

/// The positions after all captures on the square of the first one, each of them once, with the sign of what is gained.
fn next_layer(layer: &mut [Node], first: Move, sign: i32) -> Vec<Node> {
    let mut next: Vec<Node> = Vec::new();
    for node in layer {
        let captures: Vec<(Move, Board)> = node.board.moves_onto(first.to()).collect();
        for (capture, board) in captures {
            let known = next.iter().position(|known| known.board == board);
            let place = known.unwrap_or(next.len());
            if known.is_none() {
                next.push(Node {
                    board,
                    change: node.change + sign * gain(&node.board, capture),
                    successors: Vec::new(),
                });
            }
            node.successors.push(place);
        }
    }
    next
}

/// The value of the first node: of a node the largest of its change and the values of its successors if the player is to move,
/// otherwise the smallest.
fn value(layers: &[Vec<Node>], before: &Board) -> i32 {
    let mut values: Vec<i32> = Vec::new();
    for layer in layers.iter().rev() {
        let of_node = |node: &Node| {
            let successors = node.successors.iter();
            let all = successors.filter_map(|&place| values.get(place).copied());
            let all = all.chain([node.change]);
            let best = match node.board.to_move == before.to_move {
                true => all.max(),
                false => all.min(),
            };
            best.unwrap_or(node.change)
        };
        values = layer.iter().map(of_node).collect();
    }
    values.first().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::board;
    use super::*;

    fn graph(fen: &str, capture: &str) -> ExchangeGraph {
        let board = board(fen);
        let capture = capture.parse().unwrap();
        ExchangeGraph::of(&board, capture, board.played(capture).unwrap())
    }

    #[test]
    fn gains() {
        for (fen, played, wanted) in [
            ("7k/1b6/8/3n4/8/8/3Q4/1K1R4 w - - 0 1", "d2d5", 320),
            ("7k/1b6/8/3n4/8/8/3Q4/1K1R4 w - - 0 1", "d2d4", 0),
            ("7k/8/8/3pP3/8/8/8/7K w - d6 0 1", "e5d6", 100),
            ("7k/8/8/3pP3/8/8/8/7K w - d6 0 1", "e5e6", 0),
            ("7k/8/8/8/3pP3/8/8/7K b - e3 0 1", "d4e3", 100),
            // A piece that goes to the en-passant square captures nothing.
            ("7k/8/1R6/3pP3/8/8/8/7K w - d6 0 1", "b6d6", 0),
            ("3rk3/2P5/8/8/8/8/8/K7 w - - 0 1", "c7d8q", 1300),
            ("3rk3/2P5/8/8/8/8/8/K7 w - - 0 1", "c7d8n", 720),
            ("3rk3/2P5/8/8/8/8/8/K7 w - - 0 1", "c7c8b", 230),
            ("3rk3/2P5/8/8/8/8/8/K7 w - - 0 1", "c7c8r", 400),
            ("3qk3/8/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", 900),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        ] {
            let board = board(fen);
            assert_eq!(
                gain(&board, played.parse().unwrap()),
                wanted,
                "{fen} {played}"
            );
        }
    }

    #[test]
    fn exchanges_by_hand() {
        for (fen, capture, value, nodes, capture_plies, checked_nodes) in [
            // The queen takes the knight, the bishop retakes, the rook behind the queen avenges it: 320 - 900 + 330.
            (
                "7k/1b6/8/3n4/8/8/3Q4/1K1R4 w - - 0 1",
                "d2d5",
                -250,
                3,
                3,
                0,
            ),
            // The bishop is pinned.
            ("8/Rb4k1/8/3n4/8/8/3Q4/1K6 w - - 0 1", "d2d5", 320, 1, 1, 0),
            // The rook behind the queen is pinned.
            (
                "7k/1b6/8/3n4/8/8/3Q4/1K1R3r w - - 0 1",
                "d2d5",
                -580,
                2,
                2,
                0,
            ),
            // The king retakes, in check; then not, since the square is attacked.
            ("8/8/8/3pk3/8/8/3R4/1K6 w - - 0 1", "d2d5", -400, 2, 2, 1),
            ("8/8/8/3pk3/8/8/3R2B1/1K6 w - - 0 1", "d2d5", 100, 1, 1, 1),
            ("8/8/8/3pk3/8/8/3R2B1/1K6 w - - 0 1", "g2d5", 100, 1, 1, 0),
            // The king takes first.
            ("7k/8/8/8/8/8/1p6/1K6 w - - 0 1", "b1b2", 100, 1, 1, 0),
            // Promotions of the player: 500 and what is gained and lost again by the new man.
            ("3rk3/2P5/8/8/8/8/8/K7 w - - 0 1", "c7d8q", 400, 2, 2, 1),
            ("3rk3/2P5/8/8/8/8/8/K7 w - - 0 1", "c7d8r", 400, 2, 2, 1),
            ("3rk3/2P5/8/8/8/8/8/K7 w - - 0 1", "c7d8b", 400, 2, 2, 0),
            ("3rk3/2P5/8/8/8/8/8/K7 w - - 0 1", "c7d8n", 400, 2, 2, 0),
            // And of his opponent, in all four ways: 320 - 330 - 800.
            ("7k/8/8/8/8/4B3/1p5K/2n5 w - - 0 1", "e3c1", -810, 5, 2, 0),
            // En passant, and retaken.
            ("7k/8/8/3pP3/8/8/8/7K w - d6 0 1", "e5d6", 100, 1, 1, 0),
            ("7k/2p5/8/3pP3/8/8/8/7K w - d6 0 1", "e5d6", 0, 2, 2, 0),
            // For Black it is the same: the first example with colours exchanged.
            (
                "1k1r4/3q4/8/8/3N4/8/1B6/7K b - - 0 1",
                "d7d4",
                -250,
                3,
                3,
                0,
            ),
            // Several ways to the same position: 1 + 2 + 4 + 4 + 2 nodes, of which the last two are reached twice.
            (
                "8/1b5k/5n2/3p4/8/2N5/6B1/1K1R4 w - - 0 1",
                "c3d5",
                100,
                13,
                5,
                0,
            ),
            // The opponent stops when it is bad for him to go on, and so does the player.
            ("3r3k/8/8/3p4/8/2N5/6B1/1K6 w - - 0 1", "c3d5", 100, 3, 3, 0),
        ] {
            let wanted = ExchangeGraph {
                value,
                nodes,
                capture_plies,
                checked_nodes,
            };
            assert_eq!(graph(fen, capture), wanted, "{fen} {capture}");
        }
    }

    /// What the page says of the value, word for word: without layers, and with each position as often as it is reached.
    fn plain_value(
        board: &Board,
        player: super::super::man::Side,
        square: super::super::Square,
        change: i32,
    ) -> i32 {
        let moves = board.moves().into_iter();
        let captures = moves.filter(|(m, _)| m.to() == square);
        let values = captures.map(|(m, after)| {
            let sign = if board.to_move == player { 1 } else { -1 };
            plain_value(&after, player, square, change + sign * gain(board, m))
        });
        let values = values.chain([change]);
        match board.to_move == player {
            true => values.max().unwrap(),
            false => values.min().unwrap(),
        }
    }

    #[test]
    fn values_are_those_of_all_lines() {
        let mut compared = 0;
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "r1bq1rk1/pp3ppp/2n1pn2/2bp4/3P4/2N1PN2/PPB2PPP/R1BQ1RK1 w - - 0 1",
            "3rk3/2P1P3/8/8/8/8/8/K2R4 w - - 0 1",
        ] {
            for (_, board) in board(fen).moves() {
                for (m, after) in board.moves() {
                    if board.captured_by(m).is_none() {
                        continue;
                    }
                    let value = plain_value(&after, board.to_move, m.to(), gain(&board, m));
                    assert_eq!(
                        ExchangeGraph::of(&board, m, after).value,
                        value,
                        "{board} {m}"
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared > 300, "{compared}");
    }
}
