//! `uci` through pipes: what a graphical program relies on, and what hostile input meets.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use dchess::rules::parse_fen;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

/// A mate in three with the keys g5f6, g5g6 and g5h6.
const THREE: &str = "7k/8/8/6K1/8/8/8/5Q2 w - - 0 1";

/// Mated in two.
const MATED: &str = "7k/8/6K1/8/8/8/8/5Q2 b - - 0 1";

/// Castling is the only key of a mate in two.
const CASTLING: &str = "8/8/6N1/b7/6R1/2k5/B7/R3K3 w Q - 0 1";

/// Nothing hangs as long as this; that is all that is asserted about time.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program with its standard streams.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = support::dchess()
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Engine {
            child,
            input,
            lines,
        }
    }

    fn at(fen: &str) -> Engine {
        let mut engine = Engine::start();
        engine.send(&format!("position fen {fen}"));
        engine
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// The lines up to one that begins so.
    fn until(&mut self, beginning: &str) -> Vec<String> {
        let end = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(rest) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no `{beginning}`, {error}: {lines:#?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(beginning)) {
                return lines;
            }
        }
    }

    fn ask(&mut self, line: &str, beginning: &str) -> Vec<String> {
        self.send(line);
        self.until(beginning)
    }

    fn go(&mut self, what: &str) -> Vec<String> {
        self.ask(&format!("go {what}"), "bestmove ")
    }

    /// What is printed up to the answer to `isready`.
    fn settled(&mut self) -> Vec<String> {
        self.ask("isready", "readyok")
    }

    /// Closes the input; the rest of the output.
    fn end(mut self) -> Vec<String> {
        self.input = None;
        self.finish()
    }

    fn finish(mut self) -> Vec<String> {
        let end = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(rest) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it goes on: {lines:#?}"),
            }
        }
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        lines
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended long ago.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The word behind another one.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut words = line.split(' ').skip_while(|&found| found != word);
    words.nth(1)
}

fn scores(lines: &[String]) -> Vec<&String> {
    let scores = lines.iter().filter(|line| line.contains(" score mate "));
    scores.collect()
}

fn best(lines: &[String]) -> &str {
    let is_best = |line: &&String| line.starts_with("bestmove");
    assert_eq!(lines.iter().filter(is_best).count(), 1, "{lines:#?}");
    after(lines.last().unwrap(), "bestmove").unwrap()
}

fn is_legal(fen: &str, text: &str) -> bool {
    let position = parse_fen(fen).unwrap();
    let mv: UciMove = text.parse().unwrap();
    mv.to_move(&position).is_ok()
}

/// The line of a score ends in mate and has the length that is said.
fn check_score(fen: &str, line: &str) {
    let length: i64 = after(line, "mate").unwrap().parse().unwrap();
    let (_, moves) = line.split_once(" pv ").unwrap_or_else(|| panic!("{line}"));
    let mut position: Chess = parse_fen(fen).unwrap();
    let moves: Vec<&str> = moves.split(' ').collect();
    for text in &moves {
        let mv: UciMove = text.parse().unwrap();
        position.play_unchecked(mv.to_move(&position).unwrap());
    }
    let plies = if length > 0 {
        2 * length - 1
    } else {
        -2 * length
    };
    assert!(position.is_checkmate(), "{line}");
    assert_eq!(moves.len() as i64, plies, "{line}");
}

#[test]
fn it_introduces_itself() {
    let mut engine = Engine::start();
    let lines = engine.ask("uci", "uciok");
    for option in ["Hash", "Threads", "MultiPV"] {
        let beginning = format!("option name {option} type spin default ");
        let is_option = |line: &String| line.starts_with(&beginning);
        assert!(lines.iter().any(is_option), "{lines:#?}");
    }
    assert!(lines[0].starts_with("id name dchess"));
    assert_eq!(engine.settled(), ["readyok"]);
    engine.send("quit");
    assert!(engine.finish().is_empty());
}

#[test]
fn a_mate_is_proved_with_its_line() {
    for (fen, length) in [(THREE, "3"), (CASTLING, "2")] {
        let mut engine = Engine::at(fen);
        for limits in [
            "mate 4",
            "nodes 10000000",
            "movetime 20000",
            "depth 9",
            "",
            "wtime 400000 btime 400000",
        ] {
            let lines = engine.go(limits);
            let last = scores(&lines).last().copied().unwrap();
            assert_eq!(after(last, "mate"), Some(length), "{limits}");
            assert!(!last.contains("bound"), "{last}");
            check_score(fen, last);
            assert_eq!(after(last, "pv"), Some(best(&lines)));
        }
    }
}

#[test]
fn castling_is_written_as_the_move_of_the_king() {
    let lines = Engine::at(CASTLING).go("mate 2");
    assert_eq!(best(&lines), "e1c1");
}

#[test]
fn the_side_that_is_mated_has_a_length_below_zero() {
    for limits in ["mate 3", "mate -3", ""] {
        let lines = Engine::at(MATED).go(limits);
        let last = scores(&lines).last().copied().unwrap();
        assert_eq!(after(last, "mate"), Some("-2"), "{lines:#?}");
        check_score(MATED, last);
        assert_eq!(after(last, "pv"), Some(best(&lines)));
    }
    let lines = Engine::at(MATED).go("mate -1");
    assert!(scores(&lines).is_empty());
    assert!(lines.contains(&"info string refuted in -1".to_owned()));
}

#[test]
fn what_is_refuted_is_said_and_nothing_is_claimed() {
    let mut engine = Engine::at(THREE);
    let lines = engine.go("mate 2");
    assert!(scores(&lines).is_empty());
    assert!(
        lines.contains(&"info string refuted in 2".to_owned()),
        "{lines:#?}"
    );
    assert!(!lines.iter().any(|line| line.contains("undecided")));
    assert!(is_legal(THREE, best(&lines)));
    assert_eq!(best(&engine.go("mate 2")), best(&lines));
    engine.send("position startpos");
    let lines = engine.go("nodes 20000");
    assert!(scores(&lines).is_empty());
    assert!(
        lines.contains(&"info string undecided".to_owned()),
        "{lines:#?}"
    );
    assert_eq!(best(&engine.go("nodes 0")), best(&lines));
}

#[test]
fn several_keys_come_shortest_first() {
    let mut engine = Engine::at(THREE);
    engine.send("setoption name MultiPV value 5");
    let lines = engine.go("mate 4");
    let found = scores(&lines);
    let part = |word: &str| -> Vec<&str> {
        let parts = found.iter().map(|line| after(line, word).unwrap());
        parts.collect()
    };
    assert_eq!(part("multipv"), ["1", "2", "3", "4", "5"]);
    assert_eq!(part("mate"), ["3", "3", "3", "4", "4"]);
    let mut keys = part("pv");
    assert_eq!(keys[0], best(&lines));
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 5);
    for line in found {
        check_score(THREE, line);
    }
}

#[test]
fn first_moves_can_be_chosen() {
    let mut engine = Engine::at(THREE);
    let lines = engine.go("mate 4 searchmoves g5h6");
    let last = scores(&lines).last().copied().unwrap();
    assert_eq!((after(last, "mate"), best(&lines)), (Some("3"), "g5h6"));
    let lines = engine.go("searchmoves f1f7 mate 3");
    assert!(scores(&lines).is_empty() && best(&lines) == "f1f7");
    let lines = engine.go("mate 3 searchmoves a1a2 f1f7");
    assert!(lines[0].starts_with("info string `a1a2`") && best(&lines) == "f1f7");
    // Each of these loses, and the better one holds out longer.
    let fen = "7k/7p/8/6K1/8/8/8/5Q2 b - - 0 1";
    engine.send(&format!("position fen {fen}"));
    for first in ["h7h6", "h8g7", "h8g8"] {
        let lines = engine.go(&format!("mate 6 searchmoves {first}"));
        assert_eq!(best(&lines), first);
        for line in scores(&lines) {
            check_score(fen, line);
            assert_eq!(after(line, "pv"), Some(first));
        }
    }
}

#[test]
fn without_legal_moves_there_is_no_best_move() {
    for (fen, said) in [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "info depth 0 score mate 0"),
        ("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1", "info string stalemate"),
    ] {
        let mut engine = Engine::at(fen);
        for limits in ["", "mate 3", "movetime 10", "searchmoves h8g8"] {
            let lines = engine.go(limits);
            assert!(lines.contains(&said.to_owned()), "{lines:#?}");
            assert_eq!(best(&lines), "(none)");
        }
        engine.send("go infinite");
        assert_eq!(engine.settled(), ["readyok"]);
        assert_eq!(best(&engine.ask("stop", "bestmove")), "(none)");
    }
}

#[test]
fn an_infinite_search_says_what_it_found_and_waits_for_stop() {
    let mut engine = Engine::at(THREE);
    let mut lines = engine.ask("go infinite", "info depth 5 multipv 1 score mate 3 ");
    // Time to say too much.
    thread::sleep(Duration::from_millis(300));
    lines.extend(engine.settled());
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    let best_move = best(&engine.ask("stop", "bestmove")).to_owned();
    assert_eq!(after(scores(&lines)[0], "pv"), Some(best_move.as_str()));
    engine.send("stop");
    assert_eq!(engine.settled(), ["readyok"], "one bestmove each");
}

#[test]
fn a_search_without_end_is_answered_and_stopped_at_once() {
    for threads in [1, 2] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send("position startpos moves e2e4 e7e5");
        for _ in 0..3 {
            engine.send("go infinite");
            for _ in 0..3 {
                let lines = engine.settled();
                assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
            }
            let lines = engine.ask("stop", "bestmove");
            assert_eq!(lines.last().unwrap().split(' ').count(), 2);
        }
        // A second `go` ends the first.
        engine.send("go infinite");
        engine.send("go nodes 1");
        assert_eq!(best(&engine.until("bestmove")).len(), 4);
        assert_eq!(best(&engine.until("bestmove")).len(), 4);
        engine.send("stop");
        assert_eq!(engine.settled(), ["readyok"]);
    }
}

#[test]
fn searches_with_a_clock_end_by_themselves() {
    let mut engine = Engine::start();
    for limits in [
        "movetime 50",
        "wtime 1000 btime 1000",
        "wtime 0 btime 0 winc 0 binc 0 movestogo 1",
        "nodes 1000",
        "depth 1",
    ] {
        assert_eq!(best(&engine.go(limits)).len(), 4, "{limits}");
    }
    engine.send("go ponder movetime 50");
    thread::sleep(Duration::from_millis(100));
    let lines = engine.settled();
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    assert_eq!(best(&engine.ask("ponderhit", "bestmove")).len(), 4);
}

#[test]
fn malformed_input_has_its_reason_and_ends_nothing() {
    let mut engine = Engine::at(CASTLING);
    let lines = [
        "nonsense",
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position fen 7k/8/8/6K1/8/8/8/5Q2 w KQkq - 0 1",
        "setoption",
        "setoption name Nothing value 1",
        "setoption name Hash value 0",
        "setoption name Threads value 99999999999999999999999",
        "setoption name MultiPV",
    ];
    for line in lines {
        engine.send(line);
        let said = engine.settled();
        assert_eq!(said.len(), 2, "{line}: {said:#?}");
        assert!(said[0].starts_with("info string "), "{line}: {said:#?}");
    }
    let long = "a ".repeat(1 << 20);
    let ranks = "8/".repeat(30_000);
    for bytes in [
        b"\xff\xfe\x00\xc3\n".to_vec(),
        b"position fen \xff w - - 0 1\n".to_vec(),
        format!("{long}\n").into_bytes(),
        format!("position fen {ranks} w - - 0 1\n").into_bytes(),
        "position startpos moves é2e4 \u{1b}[31m\n".into(),
    ] {
        engine.send_bytes(&bytes);
        let said = engine.settled();
        assert_eq!(said.len(), 2, "{said:#?}");
        let is_plain = said[0]
            .chars()
            .all(|c| c == ' ' || c.is_alphanumeric() || c.is_ascii_graphic());
        assert!(said[0].starts_with("info string ") && is_plain, "{said:#?}");
        assert!(said[0].len() < 300);
    }
    for quiet in ["", "   ", "ucinewgame", "debug on", "ponderhit", "stop"] {
        engine.send(quiet);
        assert_eq!(engine.settled(), ["readyok"], "{quiet}");
    }
    // The last good position is still there.
    for limits in [
        "mate 2",
        "mate 2 mate",
        "mate 2 nodes x nonsense",
        "mate 2 searchmoves e9",
    ] {
        assert_eq!(best(&engine.go(limits)), "e1c1", "{limits}");
    }
}

#[test]
fn quit_and_the_end_of_the_input_end_a_search() {
    for limits in ["infinite", "mate 60", "movetime 100000", "ponder"] {
        let mut engine = Engine::start();
        engine.send("position startpos");
        engine.send(&format!("go {limits}"));
        engine.send("quit");
        best(&engine.finish());
    }
    let mut engine = Engine::start();
    engine.send("go infinite");
    best(&engine.end());
    assert!(Engine::start().end().is_empty());
}

#[test]
fn a_script_gets_the_answer_to_its_last_question() {
    let mut engine = Engine::at(THREE);
    engine.send("go mate 3");
    let lines = engine.end();
    assert_eq!(after(scores(&lines)[0], "mate"), Some("3"));
    best(&lines);
}

#[test]
fn a_bound_comes_only_before_the_shortest() {
    // A leap finds a mate before the shorter ones are refuted.
    let fen = "1b2r3/2B2n2/k2P2b1/3n2Pp/3P3P/2P1qBK1/2Q1p3/8 w - - 0 1";
    for threads in [1, 2] {
        let mut engine = Engine::at(fen);
        engine.send(&format!("setoption name Threads value {threads}"));
        let lines = engine.go("mate 12");
        let found = scores(&lines);
        let lengths = found
            .iter()
            .map(|line| after(line, "mate").unwrap().parse().unwrap());
        let lengths: Vec<u8> = lengths.collect();
        assert!(lengths.is_sorted_by(|one, next| one >= next), "{lines:#?}");
        let bounds: Vec<bool> = found
            .iter()
            .map(|line| line.contains(" lowerbound "))
            .collect();
        assert!(bounds.is_sorted_by(|one, next| one >= next), "{lines:#?}");
        for line in found.iter().filter(|line| line.contains(" pv ")) {
            check_score(fen, line);
        }
        let last = found.last().unwrap();
        assert_eq!(after(last, "mate"), Some("8"));
        assert!(bounds == [true, false] || threads > 1, "{lines:#?}");
        assert_eq!(bounds.last(), Some(&false));
        assert_eq!(after(last, "pv"), Some(best(&lines)));
    }
}

#[test]
fn a_script_gets_the_answers_to_all_its_questions() {
    let mut engine = Engine::start();
    for (fen, moves) in [
        ("7k/8/8/6K1/8/8/8/5Q2 w - - 0 1", 3),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 1),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send(&format!("go mate {moves}"));
    }
    let lines = engine.end();
    let best: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("bestmove"))
        .collect();
    assert_eq!(best.len(), 3, "{lines:?}");
    assert_eq!(best[1..], ["bestmove a1a6", "bestmove f1f8"]);
    let scores: Vec<bool> = [3, 2, 1]
        .iter()
        .map(|moves| {
            lines
                .iter()
                .any(|line| line.contains(&format!("score mate {moves} nodes")))
        })
        .collect();
    assert_eq!(scores, [true; 3], "{lines:?}");
}
