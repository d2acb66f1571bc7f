//! Suites of mates with their proofs, and that nothing but the budget changes an answer.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::tempdir;

use super::support;

/// A suite, if the data is there.
fn suite(name: &str) -> Option<PathBuf> {
    let Some(data) = std::env::var_os("DCHESS_DATA") else {
        println!("NOT RUN: DCHESS_DATA is not set");
        return None;
    };
    Some(Path::new(&data).join("mates").join(name))
}

/// The lines of a suite that state one of these lengths.
fn of_lengths(path: &Path, lengths: std::ops::RangeInclusive<u8>) -> String {
    let text = fs::read_to_string(path).unwrap();
    let is_meant = |line: &&str| {
        let mut lengths = lengths.clone();
        lengths.any(|length| line.contains(&format!(" bm #{length};")))
    };
    let lines = text.lines().filter(is_meant);
    lines.map(|line| format!("{line}\n")).collect()
}

/// Proves every line of a suite, all as stated, and verifies the bundle of the proofs.
fn assert_proved(text: &str, count: usize) {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("suite.epd"), text).unwrap();
    let proved = support::dchess()
        .current_dir(&folder)
        .args(["mate", "--epd", "suite.epd", "--out", "suite.bin"])
        .output()
        .unwrap();
    let report = String::from_utf8(proved.stdout).unwrap();
    assert_eq!(proved.status.code(), Some(0), "{report}");
    let expected =
        format!("{count} positions: {count} proved, 0 refuted, 0 undecided; 0 bad lines");
    assert!(report.contains(&expected), "{report}");
    let verified = support::dchess()
        .current_dir(&folder)
        .args(["verify", "suite.bin", "--claim"])
        .arg(format!("bundle of {count} mates"))
        .output()
        .unwrap();
    let verdict = String::from_utf8(verified.stdout).unwrap();
    assert_eq!(verified.status.code(), Some(0), "{verdict}");
}

#[test]
fn suites_of_exact_mates_are_proved_and_verified() {
    for (name, length) in [("mate-in-2-dev.epd", 2), ("mate-in-3-dev.epd", 3)] {
        let Some(path) = suite(name) else { return };
        assert_proved(&of_lengths(&path, length..=length), 600);
    }
}

#[test]
fn best_known_mates_up_to_five_are_proved_and_verified() {
    let Some(path) = suite("matetrack-dev.epd") else {
        return;
    };
    assert_proved(&of_lengths(&path, 1..=5), 150);
}

#[test]
fn what_must_not_be_a_mate_in_two_is_refuted_and_verified() {
    let Some(path) = suite("must-not-be-mate-in-2.epd") else {
        return;
    };
    let folder = tempdir().unwrap();
    let output = support::dchess()
        .current_dir(&folder)
        .args([
            "mate",
            "--max-moves",
            "2",
            "--json",
            "--out",
            "none.bin",
            "--epd",
        ])
        .arg(path)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("\"status\":\"refuted\"").count(), 3, "{text}");
    let verified = support::dchess()
        .current_dir(&folder)
        .args(["verify", "none.bin"])
        .output()
        .unwrap();
    assert_eq!(verified.status.code(), Some(0));
}

/// What the lines of a suite say, without what may differ from run to run.
fn answers(path: &Path, flags: &[&str]) -> Vec<Value> {
    let output = support::dchess()
        .args(["mate", "--json", "--epd"])
        .arg(path)
        .args(flags)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let fields = line.as_object_mut().unwrap();
        fields.remove("nodes");
        fields.remove("wall_seconds");
        line
    });
    lines.collect()
}

#[test]
fn without_a_budget_neither_memory_nor_threads_change_an_answer() {
    let classics = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/classics.epd");
    let suites = [
        Some((classics, 97)),
        suite("mate-in-3-dev.epd").map(|path| (path, 600)),
    ];
    for (path, count) in suites.into_iter().flatten() {
        for keys in [&["--all-keys"][..], &[]] {
            let answers = |flags: &[&str]| answers(&path, &[keys, flags].concat());
            let expected = answers(&["--threads", "1"]);
            assert_eq!(expected.len(), count);
            for flags in [
                &["--threads", "1", "--hash", "1K"][..],
                &["--threads", "3", "--jobs", "1", "--hash", "1K"],
                &["--threads", "3", "--jobs", "1", "--hash", "1G"],
                &["--threads", "2", "--jobs", "2"],
            ] {
                assert!(answers(flags) == expected, "{path:?} {keys:?} {flags:?}");
            }
        }
    }
}
