//! `mate` on the command line: exit codes, lines of JSON, suites.

mod support;

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::tempdir;

/// A mate in three with three keys.
const THREE: &str = "7k/8/8/6K1/8/8/8/5Q2 w - -";

fn mate(arguments: &[&str]) -> Output {
    support::dchess()
        .arg("mate")
        .args(arguments)
        .output()
        .unwrap()
}

fn mate_of(input: &str, arguments: &[&str]) -> Output {
    let mut child = support::dchess()
        .arg("mate")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn json(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_line_of_json_has_exactly_these_keys() {
    let output = mate(&[THREE, "--max-moves", "4", "--json", "--all-keys"]);
    assert_eq!(output.status.code(), Some(0));
    let lines = json(&output);
    let [Value::Object(report)] = lines.as_slice() else {
        panic!("one line: {lines:?}");
    };
    let mut keys: Vec<&str> = report.keys().map(String::as_str).collect();
    let mut expected = [
        "fen",
        "status",
        "mate_in",
        "plies",
        "keys",
        "nodes",
        "wall_seconds",
        "stands_under_fcs",
        "certificate",
    ];
    keys.sort_unstable();
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!(report["fen"], format!("{THREE} 0 1"));
    assert_eq!(report["status"], "proved");
    assert_eq!(
        (&report["mate_in"], &report["plies"]),
        (&3.into(), &5.into())
    );
    assert_eq!(report["keys"], serde_json::json!(["g5f6", "g5g6", "g5h6"]));
    assert_eq!(report["stands_under_fcs"], true);
    assert_eq!(report["certificate"], Value::Null);
}

#[test]
fn exit_codes_say_what_was_found() {
    let code = |arguments: &[&str]| mate(arguments).status.code();
    assert_eq!(code(&[THREE, "--max-moves", "3", "--quiet"]), Some(0));
    assert_eq!(code(&[THREE, "--max-moves", "2"]), Some(1));
    assert_eq!(
        code(&["7k/8/8/8/8/8/8/K6R w - -", "--max-moves", "2"]),
        Some(2)
    );
    assert_eq!(code(&[THREE]), Some(2));
    assert_eq!(code(&[THREE, "--max-moves", "0"]), Some(2));
    assert_eq!(code(&[THREE, "--max-moves", "3", "--nodes", "1"]), Some(3));
    assert_eq!(
        code(&[THREE, "--max-moves", "100", "--time", "1ms"]),
        Some(0)
    );
    let lone = "8/8/8/4k3/8/8/8/KB6 w - -";
    assert_eq!(
        code(&[lone, "--max-moves", "100", "--time", "50ms"]),
        Some(3)
    );
}

#[test]
fn the_clock_of_the_fen_counts() {
    let stands = |clock: u32| {
        let fen = format!("{THREE} {clock} 90");
        let output = mate(&[&fen, "--max-moves", "3", "--json"]);
        json(&output)[0]["stands_under_fcs"].clone()
    };
    assert_eq!(stands(95), true);
    assert_eq!(stands(96), false);
}

#[test]
fn a_suite_goes_on_after_a_bad_line_and_keeps_its_order() {
    let suite = format!(
        "# remark\n{THREE} bm #3; id \"one\";\n\nnonsense\n7k/8/8/8/8/8/8/K6R w - - bm #1;\n{THREE} dm 3; bm Kg6;\n"
    );
    for jobs in ["1", "3"] {
        let output = mate_of(&suite, &["--epd", "-", "--jobs", jobs]);
        assert_eq!(output.status.code(), Some(2), "a bad line, nothing differs");
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("2\tmate in 3\t") && lines[0].ends_with("\tone"),
            "{text}"
        );
        assert_eq!(
            lines[1],
            "4\terror\ta FEN has 4 to 6 fields separated by spaces, this one has 1 (is it in quotes?)"
        );
        assert!(
            lines[2].contains("the black king on h8 is in check"),
            "{text}"
        );
        assert!(lines[3].contains("Kf6 Kg6 Kh6\tas stated"), "{text}");
        assert!(
            lines[4].starts_with("2 positions: 2 proved, 2 as stated"),
            "{text}"
        );
        let output = mate_of(&suite, &["--epd", "-", "--jobs", jobs, "--json"]);
        let reports = json(&output);
        assert_eq!(reports.len(), 4);
        assert_eq!(reports[1]["line"], 4);
        assert_eq!(reports[3]["mate_in"], 3);
    }
}

#[test]
fn what_differs_from_what_is_stated_is_told() {
    for (operations, comparison, code) in [
        ("bm #3;", "as stated", 0),
        ("bm #4;", "shorter (4 stated)", 1),
        ("bm #2;", "refuted (2 stated)", 1),
        ("bm Kg6; dm 3;", "as stated", 0),
        ("bm Qf7; dm 3;", "other keys (3 stated)", 1),
        ("am Kg6; dm 3;", "other keys (3 stated)", 1),
        ("am Qf7; dm 3;", "as stated", 0),
    ] {
        let output = mate_of(&format!("{THREE} {operations}\n"), &["--epd", "-"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let found = text.lines().next().unwrap().split('\t').nth(3);
        assert_eq!(
            (found, output.status.code()),
            (Some(comparison), Some(code)),
            "{operations}"
        );
    }
    let output = mate_of(
        &format!("{THREE} bm #2;\n"),
        &["--epd", "-", "--max-moves", "3"],
    );
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("longer (2 stated)")
    );
    let output = mate_of(
        &format!("{THREE} bm #3;\n"),
        &["--epd", "-", "--max-moves", "2"],
    );
    assert_eq!(
        output.status.code(),
        Some(3),
        "less was looked at than is stated"
    );
    let mated = "7k/8/6K1/8/8/8/8/5Q2 b - - bm #-2;\n";
    let output = mate_of(mated, &["--epd", "-"]);
    assert_eq!(output.status.code(), Some(0));
    let output = mate_of(&format!("{THREE}\n"), &["--epd", "-"]);
    assert_eq!(output.status.code(), Some(2), "no length is known");
}

#[test]
fn lines_are_written_back_with_what_was_found() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let suite = format!("# remark\n{THREE} bm #3; zz keep; id \"a;b\";\nnonsense\n");
    fs::write(path("in.epd"), suite).unwrap();
    let arguments = [
        "--epd",
        &path("in.epd"),
        "--epd-out",
        &path("out.epd"),
        "--all-keys",
    ];
    assert_eq!(mate(&arguments).status.code(), Some(2));
    let text = fs::read_to_string(path("out.epd")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines[2]), ("# remark", "nonsense"));
    let beginning = format!("{THREE} dm 3; bm Kf6 Kg6 Kh6; pv ");
    assert!(lines[1].starts_with(&beginning), "{text}");
    assert!(lines[1].ends_with("#; zz keep; id \"a;b\";"), "{text}");
    // What is there is not replaced, and the input never.
    assert_eq!(mate(&arguments).status.code(), Some(2));
    let over = mate(&[
        "--epd",
        &path("in.epd"),
        "--epd-out",
        &path("in.epd"),
        "--force",
    ]);
    assert!(
        String::from_utf8(over.stderr)
            .unwrap()
            .contains("is the input")
    );
    // What was written is read again, and is as stated.
    let again = mate(&["--epd", &path("out.epd")]);
    assert!(
        String::from_utf8(again.stdout)
            .unwrap()
            .contains("1 as stated")
    );
}
