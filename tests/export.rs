//! `export` against the library: every row is a state with the value that the library gives.

mod support;

use std::fs;
use std::process::{Output, Stdio};

use dchess::endgame::byte_of;
use dchess::rules::parse_fen;
use shakmaty::{Position, Square};
use tempfile::TempDir;

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    support::dchess()
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// A folder with the table of a class.
fn folder_with(class: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let output = run(
        &folder,
        &[
            "solve-endgame",
            class,
            "--quiet",
            "--out",
            &format!("{class}.bin"),
        ],
    );
    assert!(output.status.success());
    folder
}

/// The lines of an export to standard output.
fn exported(folder: &TempDir, arguments: &[&str]) -> Vec<String> {
    let output = run(folder, &[&["export"], arguments].concat());
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// What stands between two texts.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).unwrap().1;
    rest.split_once(after).unwrap().0
}

#[test]
fn every_row_is_a_state_with_its_value() {
    rows_are_states_with_their_values("KQK");
    rows_are_states_with_their_values("KPK");
}

#[test]
#[ignore = "the long tier runs it"]
fn every_row_of_like_men_is_a_state_with_its_value() {
    rows_are_states_with_their_values("KNNK");
}

fn rows_are_states_with_their_values(class: &str) {
    let folder = folder_with(class);
    let (endgame, library) = support::solved(class);
    let file = format!("{class}.bin");
    let rows = exported(&folder, &[&file]);
    let by_square = exported(&folder, &[&file, "--squares"]);
    let output = run(&folder, &["export", &file, "--out", "x.npy"]);
    assert!(output.status.success());
    let array = fs::read(folder.path().join("x.npy")).unwrap();
    let head_end = 10 + usize::from(u16::from_le_bytes([array[8], array[9]]));
    let head = std::str::from_utf8(&array[10..head_end]).unwrap();
    let records = &array[head_end..];

    let states = endgame.summary.states as usize;
    let men = class.len();
    assert_eq!(rows[0], "fen,side,value,plies");
    assert_eq!(
        (rows.len() - 1, by_square.len() - 1),
        (states, states),
        "{class}"
    );
    assert_eq!(between(head, "'shape': (", ",)"), states.to_string());
    assert_eq!(records.len(), states * (men + 3), "{class}");
    let names: Vec<&str> = by_square[0].split(',').collect();
    let fields: Vec<String> = names.iter().map(|name| format!("('{name}', ")).collect();
    assert!(fields.iter().all(|field| head.contains(field)), "{head}");
    assert_eq!(head.matches("'|u1'").count(), men + 2);

    for (number, record) in records.chunks(men + 3).enumerate().step_by(7) {
        let fields: Vec<&str> = rows[number + 1].split(',').collect();
        let [fen, side, word, plies] = fields[..] else {
            panic!("{class}: {fields:?}")
        };
        let position = parse_fen(fen).unwrap();
        let value = library.value(&position).unwrap();
        let byte = byte_of(value).unwrap();
        assert_eq!(byte, endgame.values[number], "{class} {fen}");
        assert_eq!(word, value.outcome().word());
        assert_eq!(
            plies,
            value
                .distance()
                .map_or(String::new(), |plies| plies.get().to_string())
        );
        assert_eq!(side, position.turn().char().to_string());
        let sign = match word {
            "win" => 1,
            "loss" => 255,
            _ => 0,
        };
        let turn = u8::from(position.turn().is_black());
        assert_eq!(record[men..], [turn, sign, byte], "{class} {fen}");
        let squares: Vec<Square> = record[..men]
            .iter()
            .map(|&square| Square::new(square.into()))
            .collect();
        for (&square, &man) in squares.iter().zip(endgame.material.men()) {
            assert_eq!(
                position.board().piece_at(square),
                Some(man),
                "{class} {fen}"
            );
        }
        let squares: Vec<String> = squares.iter().map(Square::to_string).collect();
        let expected = format!("{},{side},{word},{plies}", squares.join(","));
        assert_eq!(by_square[number + 1], expected);
    }
}

#[test]
fn the_rows_do_not_depend_on_threads() {
    let folder = folder_with("KPK");
    let first = exported(&folder, &["KPK.bin", "--threads", "1"]);
    assert!(first == exported(&folder, &["KPK.bin", "--threads", "5"]));
}

#[test]
fn numpy_goes_down_a_pipe_and_json_certificates_are_read() {
    let folder = folder_with("KQK");
    run(&folder, &["export", "KQK.bin", "--out", "x.npy"]);
    let file = fs::read(folder.path().join("x.npy")).unwrap();
    assert!(run(&folder, &["export", "KQK.bin", "--format", "npy"]).stdout == file);
    run(
        &folder,
        &["solve-endgame", "KQK", "--quiet", "--out", "KQK.json"],
    );
    let table = fs::File::open(folder.path().join("KQK.json")).unwrap();
    let output = support::dchess()
        .args(["export", "-", "--format", "npy", "--verify"])
        .stdin(Stdio::from(table))
        .output()
        .unwrap();
    assert!(output.status.success() && output.stdout == file);
}

#[test]
fn a_table_without_one_value_for_each_state_is_no_table() {
    let folder = folder_with("KNK");
    let table = fs::read(folder.path().join("KNK.bin")).unwrap();
    let mut forge = support::forge::Forge::of(&table);
    forge.values.pop();
    fs::write(folder.path().join("short.bin"), forge.seal()).unwrap();
    for command in [
        &["export", "short.bin", "--out", "x.csv"][..],
        &["mine", "short.bin", "--longest"],
        &["mine", "short.bin", "--only-move"],
    ] {
        let output = run(&folder, command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            text.contains("short.bin does not have one value for each state of KNK"),
            "{text}"
        );
    }
    assert!(!folder.path().join("x.csv").exists());
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = folder_with("KQK");
    for command in [
        &["export", "KQK.bin"][..],
        &["export", "KQK.bin", "--format", "npy"],
        &["mine", "KQK.bin", "--only-move"],
        &["mine", "KQK.bin", "--only-move", "--sample", "2000"],
    ] {
        let mut child = support::dchess()
            .args(command)
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{command:?}");
        assert_eq!(output.status.code(), Some(0), "{command:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_export_leaves_the_old_file() {
    let folder = folder_with("KPK");
    let whole = run(&folder, &["export", "KPK.bin"]).stdout;
    for delay in [0, 5, 20, 60, 150, 400] {
        fs::write(folder.path().join("x.csv"), "old").unwrap();
        let mut child = support::dchess()
            .args([
                "export",
                "KPK.bin",
                "--threads",
                "1",
                "--force",
                "--out",
                "x.csv",
            ])
            .current_dir(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(delay));
        // The run may be over already: then there is nobody to signal.
        let _ = std::process::Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .stderr(Stdio::null())
            .status();
        let code = child.wait().unwrap().code();
        let found = fs::read(folder.path().join("x.csv")).unwrap();
        let expected = if code == Some(0) { &whole[..] } else { b"old" };
        assert!(found == expected, "{code:?} after {delay} ms");
        // A run that is signalled before it listens dies of the signal itself.
        assert!([Some(0), Some(130), None].contains(&code), "{code:?}");
        let names = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let temporary = names.filter(|name| name.to_string_lossy().ends_with(".tmp"));
        assert_eq!(temporary.count(), 0, "after {delay} ms");
    }
}
