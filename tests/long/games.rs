//! The complete rules at length: published counts of lines, and random games by both implementations.

use dchess::rules::{divide, parse_fen};
use dchess::verify;

use super::support;

#[test]
fn deep_lines_are_as_many_as_published() {
    for (fen, plies, published) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            6,
            119_060_324,
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            5,
            193_690_690,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            5,
            15_833_292,
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
            5,
            89_941_194,
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1",
            5,
            164_075_551,
        ),
    ] {
        let position = parse_fen(fen).unwrap();
        for memory_bytes in [0, 64 << 20] {
            let divided = divide(&position, plies, memory_bytes).unwrap();
            let lines: u64 = divided.iter().map(|(_, lines)| lines).sum();
            assert_eq!(lines, published, "{fen}");
        }
        assert_eq!(verify::perft(fen, plies), Some(published), "{fen}");
    }
}

/// Both agree at every ply, and every way in which a game ends is met.
#[test]
fn random_games_are_the_same_to_both() {
    let output = support::dchess()
        .args([
            "rules", "closure", "--games", "120", "--seed", "20260915", "--json", "--quiet",
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for end in ["checkmate", "stalemate", "dead", "fivefold", "seventy-five"] {
        assert!(report["ends"][end].as_u64() > Some(0), "{end}: {report}");
    }
    let kinds = [
        "threefold now",
        "threefold with a move",
        "fifty-move now",
        "fifty-move with a move",
    ];
    for claim in kinds {
        assert!(
            report["claims"][claim].as_u64() > Some(0),
            "{claim}: {report}"
        );
    }
    assert_eq!(report["initial_bytes"], 28);
    assert!(report["longest_game_plies"].as_u64() < report["published_bound_plies"].as_u64());
}
