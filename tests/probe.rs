//! `probe` reads single bytes of a file, or has the table in memory; nobody can tell which.

mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use dchess::endgame::Universe;
use dchess::game::Silent;
use dchess::rules::{exchange_colors, position_fen};
use tempfile::TempDir;

fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = support::dchess()
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    output
}

/// A folder with the table of KPK in both encodings, and those that it rests on.
fn tables() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["KPK.bin", "KPK.json"] {
        let output = run(
            folder.path(),
            &["solve-endgame", "KPK", "--quiet", "--out", file],
            "",
        );
        assert!(output.status.success());
    }
    folder
}

#[test]
#[ignore = "the long tier runs it"]
fn a_file_and_its_copy_in_memory_answer_alike() {
    let folder = tables();
    let universe = Universe::enumerate(&"KPK".parse().unwrap(), &Silent).unwrap();
    let mut fens = String::new();
    for number in universe.indices().step_by(4_999) {
        let position = universe.position(number);
        for position in [exchange_colors(&position), position] {
            fens += &position_fen(&position);
            fens.push('\n');
        }
    }
    let probe = |arguments: &[&str]| {
        let output = run(
            folder.path(),
            &[&["probe"], arguments, &["-"]].concat(),
            &fens,
        );
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let on_disk = probe(&["KPK.bin"]);
    assert_eq!(on_disk.lines().count(), fens.lines().count());
    assert!(on_disk == probe(&["KPK.json"]));
    let verified = probe(&["KPK.bin", "--verify"]);
    assert!(on_disk == verified.replace("\tverified", "\tnot verified"));
    // The library of the solver has the same values.
    let (_, library) = support::solved("KPK");
    for line in on_disk.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let value = library
            .value(&dchess::rules::parse_fen(fields[0]).unwrap())
            .unwrap();
        assert_eq!(fields[1], value.outcome().word(), "{line}");
        let plies = value
            .distance()
            .map_or("-".to_owned(), |plies| plies.get().to_string());
        assert_eq!(fields[2], plies, "{line}");
        assert!(!fields[3].contains("=?"), "{line}");
    }
}

#[test]
fn a_table_that_is_not_the_one_that_is_named_gives_no_values() {
    let folder = tables();
    let promotion = "8/4P3/8/8/8/8/k7/4K3 w - - 0 1";
    let probe = || {
        let output = run(folder.path(), &["probe", "KPK.bin", promotion], "");
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!probe().contains("unknown"));
    fs::copy(folder.path().join("KRK.bin"), folder.path().join("KQK.bin")).unwrap();
    assert!(
        probe().contains("e8=Q     e7e8q  unknown, its table is not there"),
        "{}",
        probe()
    );
    fs::remove_file(folder.path().join("KQK.bin")).unwrap();
    assert!(probe().contains("e8=Q     e7e8q  unknown, its table is not there"));
    assert!(probe().contains("e8=R     e7e8r  win in"));
}

#[test]
fn a_damaged_file_is_refused_before_anything_is_said() {
    let folder = tables();
    let path = folder.path().join("KPK.bin");
    let good = fs::read(&path).unwrap();
    let fen = "8/8/8/8/8/8/k3P3/4K3 w - - 0 1";
    for (change, reason) in [
        (100, "digest mismatch"),
        (good.len() - 1, "digest mismatch"),
        (8, "unknown version"),
        (0, "not a certificate"),
    ] {
        let mut bytes = good.clone();
        bytes[change] ^= 1;
        fs::write(&path, bytes).unwrap();
        for (verify, code) in [(false, 2), (true, if change == 8 { 2 } else { 1 })] {
            let more: &[&str] = if verify { &["--verify"] } else { &[] };
            let output = run(
                folder.path(),
                &[&["probe", "KPK.bin", fen], more].concat(),
                "",
            );
            assert_eq!(output.status.code(), Some(code), "byte {change}");
            assert!(output.stdout.is_empty());
            let text = String::from_utf8(output.stderr).unwrap();
            assert!(
                text.starts_with("dchess: KPK.bin: ") && text.contains(reason),
                "{text}"
            );
        }
    }
}

#[test]
fn a_table_too_short_for_its_class_says_so() {
    let folder = tables();
    let mut forge = support::forge::Forge::of(&fs::read(folder.path().join("KQK.bin")).unwrap());
    forge.values.truncate(10);
    fs::write(folder.path().join("short.bin"), forge.seal()).unwrap();
    let fens = [
        "8/8/8/8/8/8/8/KQk5 b - - 0 1",
        "8/8/8/8/4k3/8/8/K6Q b - - 0 1",
    ];
    let output = run(folder.path(), &["probe", "short.bin", fens[0], fens[1]], "");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with(&format!("{}\tloss\t10\t", fens[0])),
        "{text}"
    );
    assert!(
        lines[1]
            .contains("\terror\tthe table of KQK cannot be used: it has no value for this state"),
        "{text}"
    );
}
