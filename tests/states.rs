//! States of the complete game: both implementations of the rules, their bytes, and what is refused.

mod support;

use dchess::game::Draws;
use dchess::rules::{State, TooManyLines, divide, moves_in_order, parse_fen, state_divide};
use dchess::verify::{self, GameState};
use proptest::prelude::*;
use shakmaty::Move;

fn state(fen: &str) -> State {
    State::new(parse_fen(fen).unwrap()).unwrap()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Two kings, two rooks and blocked pawns: positions come again soon.
const SHUFFLE: &str = "4k2r/8/8/3p4/3P4/8/8/R3K3 w Qk - 7 30";

/// States of a game of so many plies from a seed. Quiet moves are preferred, and the way back.
fn game(fen: &str, seed: u64, plies: usize) -> Vec<State> {
    let mut draws = Draws::new(seed);
    let mut states = vec![state(fen)];
    let mut last: [Option<Move>; 2] = [None; 2];
    for ply in 0..plies {
        let now = states.last().unwrap();
        if now.end().is_some() {
            break;
        }
        let all = moves_in_order(now.position());
        let quiet: Vec<Move> = all.iter().filter(|mv| !mv.is_zeroing()).copied().collect();
        let some = if quiet.is_empty() || draws.below(8) == 0 {
            &all
        } else {
            &quiet
        };
        let back = last[ply % 2].and_then(|last: Move| {
            let is_back = |mv: &&Move| mv.from() == Some(last.to()) && Some(mv.to()) == last.from();
            some.iter().find(is_back)
        });
        let mv = match back {
            Some(&back) if draws.below(2) == 0 => back,
            _ => some[draws.below(some.len() as u32) as usize],
        };
        last[ply % 2] = Some(mv);
        let next = now.after(mv).unwrap();
        states.push(next);
    }
    states
}

/// All lines.
fn total(divided: Result<Vec<(Move, u64)>, TooManyLines>) -> u64 {
    divided.unwrap().iter().map(|(_, lines)| lines).sum()
}

#[test]
fn lines_are_as_many_as_published() {
    // The usual six positions and the cases that go wrong most often, with the counts that move generators are tested against.
    for (fen, plies, published) in [
        (START, 4, 197_281),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            3,
            97_862,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            4,
            422_333,
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
            3,
            62_379,
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1",
            3,
            89_890,
        ),
        // En passant: uncovering the king on the rank, on the diagonal, giving check.
        ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
        ("8/5bk1/8/2Pp4/8/1K6/8/8 w - - 0 1", 6, 824_064),
        ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
        // Castling: giving check on either wing, rights that are lost, squares that are attacked.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
        ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
        ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
        // Promotion: out of check, giving check, to a lesser piece.
        ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
        ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
        ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
        // Discovered and double check, pins, stalemate and mate.
        ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
        ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
        ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
        ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
    ] {
        let position = parse_fen(fen).unwrap();
        assert_eq!(total(divide(&position, plies, 1 << 24)), published, "{fen}");
        assert_eq!(verify::perft(fen, plies), Some(published), "{fen}");
        // No line of so few plies ends by the counts.
        assert_eq!(
            total(state_divide(&state(fen), plies, 0)),
            published,
            "{fen}"
        );
    }
}

/// Lines of the complete game near its ends, where both count state by state.
#[test]
fn lines_of_the_complete_game_are_as_many_in_both() {
    let mut shorter = 0;
    for (fen, plies) in [
        ("8/8/8/3k4/8/8/8/K6R w - - 147 100", 5),
        ("4k2r/8/8/8/8/8/8/R3K3 w Qk - 148 100", 4),
        ("7k/5K2/8/8/8/8/8/6R1 w - - 149 120", 3),
        ("7k/8/8/8/pP6/8/8/7K b - b3 0 30", 4),
    ] {
        let ours = state(fen);
        let theirs = GameState::read(&ours.bytes()).unwrap();
        for plies in 1..=plies {
            let lines = total(state_divide(&ours, plies, 0));
            assert_eq!(theirs.perft(plies), lines, "{fen} {plies}");
            let board = total(divide(ours.position(), plies, 0));
            shorter += u32::from(lines < board);
        }
    }
    assert!(shorter >= 3);
    // The fourth return of a key ends the game: from there no line goes on.
    let late = game_of("g1f3 g8f6 f3g1 f6g8 ".repeat(3).as_str());
    let theirs = GameState::read(&late.bytes()).unwrap();
    let lines = |plies| total(state_divide(&late, plies, 0));
    assert_eq!(lines(4), theirs.perft(4));
    let cut = total(divide(late.position(), 5, 0)) - theirs.perft(5);
    // A knight of each side goes out, and both come back: four ways for each; from there twenty moves go on.
    assert_eq!(cut, 4 * 4 * 20);
}

fn game_of(moves: &str) -> State {
    moves.split_whitespace().fold(state(START), |state, text| {
        let uci: shakmaty::uci::UciMove = text.parse().unwrap();
        state.after(uci.to_move(state.position()).unwrap()).unwrap()
    })
}

#[test]
fn the_initial_position_has_28_bytes() {
    let bytes = state(START).bytes();
    // By hand from the format page.
    assert_eq!(bytes.len(), 28);
    assert_eq!(bytes[..3], [1, 0, 0]);
    assert_eq!(bytes[3..11], [0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff]);
    // a1 rook with its right (13) and b1 knight (5), c1 bishop (4) and d1 queen (2), e1 king (1) and f1 bishop, g1 knight and h1 rook.
    assert_eq!(bytes[11..15], [0x5d, 0x24, 0x41, 0xd5]);
    assert_eq!(bytes[15..19], [0x66; 4]);
    assert_eq!(bytes[19..23], [0xcc; 4]);
    // Black's are 6 more, but for the rooks.
    assert_eq!(bytes[23..27], [0xbd, 0x8a, 0xa7, 0xdb]);
    assert_eq!(bytes[27], 0);
}

proptest! {
    #![proptest_config(support::property(40))]

    /// Every state that play comes to is read back from its bytes by both, and both write the same.
    #[test]
    fn states_come_back_from_their_bytes(seed in any::<u64>(), from_start in any::<bool>()) {
        let fen = if from_start { START } else { SHUFFLE };
        for state in game(fen, seed, 120) {
            let bytes = state.bytes();
            let read = State::of_bytes(&bytes);
            prop_assert_eq!(read.as_ref(), Ok(&state));
            prop_assert_eq!(read.unwrap().bytes(), bytes.clone());
            let other = GameState::read(&bytes);
            prop_assert!(other.is_ok(), "{:?}", other);
            prop_assert_eq!(other.unwrap().bytes(), bytes);
        }
    }

    /// States of two games are equal exactly if their bytes are.
    #[test]
    fn equal_states_have_equal_bytes_and_no_others(seeds in any::<[u32; 2]>()) {
        // Few men, so that the games meet.
        let fen = "8/8/8/8/8/8/1k6/3K4 w - - 0 1";
        let states: Vec<State> = seeds.into_iter().flat_map(|seed| game(fen, u64::from(seed), 60)).collect();
        let bytes: Vec<Vec<u8>> = states.iter().map(State::bytes).collect();
        for one in 0..states.len() {
            for other in 0..states.len() {
                prop_assert_eq!(states[one] == states[other], bytes[one] == bytes[other]);
            }
        }
    }

    /// Whatever is done to the bytes, they are refused by both, or they are the bytes of a state to both.
    #[test]
    fn changed_bytes_are_refused_or_mean_another_state(
        seed in any::<u64>(),
        plies in 0..60_usize,
        place in any::<prop::sample::Index>(),
        mask in 1..=255_u8,
    ) {
        let bytes = game(SHUFFLE, seed, plies).pop().unwrap().bytes();
        let mut changed = bytes.clone();
        changed[place.index(bytes.len())] ^= mask;
        let (ours, theirs) = (State::of_bytes(&changed), GameState::read(&changed));
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?}", ours, theirs);
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            prop_assert_eq!(ours.bytes(), changed.clone());
            prop_assert_eq!(theirs.bytes(), changed);
        }
        for length in 0..bytes.len() {
            prop_assert!(State::of_bytes(&bytes[..length]).is_err());
            prop_assert!(GameState::read(&bytes[..length]).is_err());
        }
        let longer = [&bytes[..], &[mask]].concat();
        prop_assert!(State::of_bytes(&longer).is_err() && GameState::read(&longer).is_err());
    }
}

/// Each fault has its reason, and both refuse.
#[test]
fn impossible_states_are_refused_with_a_reason() {
    let start = state(START).bytes();
    let moved = game_of("g1f3 g8f6").bytes();
    let changed = |bytes: &[u8], change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.to_vec();
        change(&mut bytes);
        bytes
    };
    // The first of the two records of `moved` is that of the key after Nf3.
    let first = 28;
    for (name, bytes, reason) in [
        ("no bytes", Vec::new(), "end inside the version"),
        (
            "another version",
            changed(&start, &|b| b[0] = 2),
            "version 2",
        ),
        (
            "a clock that is too high",
            changed(&start, &|b| b[1] = 151),
            "clock is 151",
        ),
        (
            "a sixth occurrence",
            changed(&start, &|b| b[2] = 10),
            "6 occurrences",
        ),
        (
            "no code",
            changed(&start, &|b| b[15] = 0x06),
            "code 0 on b2",
        ),
        (
            "the last code",
            changed(&start, &|b| b[15] = 0xf6),
            "code 15 on b2",
        ),
        (
            "a right in the middle",
            changed(&start, &|b| b[15] = 0xd6),
            "code 13 on b2",
        ),
        (
            "a double step to rank 2",
            changed(&start, &|b| b[15] = 0xe6),
            "code 14 on b2",
        ),
        (
            "a second white king",
            changed(&start, &|b| b[15] = 0x16),
            "not a legal position",
        ),
        (
            "a pawn on rank 1",
            changed(&start, &|b| b[11] = 0x6d),
            "not a legal position",
        ),
        (
            "two occurrences in no ply",
            changed(&start, &|b| b[2] = 2),
            "2 occurrences",
        ),
        (
            "a byte too many",
            changed(&start, &|b| b.push(0)),
            "1 bytes follow",
        ),
        (
            "a record that is missing",
            changed(&start, &|b| b[27] = 1),
            "end inside the record",
        ),
        (
            "records out of order",
            changed(&moved, &|b| {
                let (one, other) = b[first..].split_at(
                    2 + usize::from(b[first + 1]) + usize::from(b[first + 1]).div_ceil(2),
                );
                let swapped = [other, one].concat();
                b.truncate(first);
                b.extend(swapped);
            }),
            "order",
        ),
        (
            "a clock that is too low",
            changed(&moved, &|b| b[1] = 1),
            "3 occurrences",
        ),
        (
            "a fifth occurrence of another key",
            changed(&moved, &|b| b[first] |= 8),
            "5 occurrences",
        ),
        (
            "the sides out of turn",
            changed(&moved, &|b| b[first] ^= 1),
            "",
        ),
        (
            "squares out of order",
            changed(&moved, &|b| b.swap(first + 2, first + 3)),
            "ascending",
        ),
        (
            "the same content",
            changed(&moved, &|b| b[first + 2] = 0),
            "",
        ),
    ] {
        let ours = State::of_bytes(&bytes).expect_err(name).to_string();
        assert!(ours.contains(reason), "{name}: {ours}");
        assert!(GameState::read(&bytes).is_err(), "{name}");
    }
}
