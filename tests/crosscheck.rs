//! `crosscheck` finds a false value, given real Syzygy tables (`DCHESS_DATA`).

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use dchess::certificate::Format;
use support::forge::Forge;

/// The folder of Syzygy tables, if there is one.
fn syzygy() -> Option<PathBuf> {
    let data = std::env::var_os("DCHESS_DATA")?;
    Some(Path::new(&data).join("syzygy"))
}

/// Compares a certificate with the tables.
fn crosscheck(certificate: &[u8], tables: &Path, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("table.bin"), certificate).unwrap();
    support::dchess()
        .args(["crosscheck", "table.bin", "--syzygy"])
        .arg(tables)
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap()
}

#[test]
fn a_true_certificate_agrees_in_every_state() {
    let Some(tables) = syzygy() else {
        println!("NOT RUN: a_true_certificate_agrees_in_every_state");
        return;
    };
    for class in ["KQK", "KRK", "KNK"] {
        let certificate = support::certificate(class, Format::Bin);
        let output = crosscheck(&certificate, &tables, &["--json"]);
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{found}");
        assert_eq!(found["universe"], class);
        for count in ["compared_wdl", "compared_dtz"] {
            assert_eq!(found[count], found["states"], "{found}");
        }
        assert_eq!(
            (&found["mismatches"], &found["cursed"]),
            (&0.into(), &0.into())
        );
    }
}

/// Changes the first value with a byte to another one, and compares: the mismatches that were found.
fn forged(from: u8, to: u8, tables: &Path) -> Vec<String> {
    let mut forge = Forge::of(&support::certificate("KQK", Format::Bin));
    let place = forge.values.iter().position(|&byte| byte == from).unwrap();
    forge.values[place] = to;
    let output = crosscheck(&forge.seal(), tables, &[]);
    assert_eq!(output.status.code(), Some(1), "{from} to {to}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
    lines.map(str::to_owned).collect()
}

#[test]
fn a_false_value_is_found_with_its_position() {
    let Some(tables) = syzygy() else {
        println!("NOT RUN: a_false_value_is_found_with_its_position");
        return;
    };
    // State 0 is the first that is lost in 10 plies (the hexdump of the format page).
    let first = "8/8/8/8/8/8/8/KQk5 b - - 0 1";
    assert_eq!(
        forged(10, 255, &tables),
        [format!("{first}: draw, Syzygy loss")]
    );
    assert_eq!(
        forged(10, 11, &tables),
        [format!("{first}: win in 11 plies, Syzygy loss")]
    );
    assert_eq!(
        forged(10, 12, &tables),
        [format!("{first}: loss in 12 plies, Syzygy DTZ -10")]
    );
    assert_eq!(
        forged(10, 8, &tables),
        [format!("{first}: loss in 8 plies, Syzygy DTZ -10")]
    );
}

#[test]
fn many_false_values_are_all_counted_and_some_are_shown() {
    let Some(tables) = syzygy() else {
        println!("NOT RUN: many_false_values_are_all_counted_and_some_are_shown");
        return;
    };
    let mut forge = Forge::of(&support::certificate("KQK", Format::Bin));
    let states = forge.values.iter_mut().take(1_000);
    let changed = states
        .map(|byte| *byte = if *byte == 255 { 4 } else { 255 })
        .count();
    let output = crosscheck(&forge.seal(), &tables, &["--json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["mismatches"], changed);
    assert_eq!(found["examples"].as_array().unwrap().len(), 20);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_cannot_be_compared_is_no_agreement() {
    let empty = tempfile::tempdir().unwrap();
    let certificate = support::certificate("KNK", Format::Bin);
    let output = crosscheck(&certificate, empty.path(), &[]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("holds no Syzygy tables"), "{text}");
    let output = crosscheck(b"a thesis", empty.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
}
