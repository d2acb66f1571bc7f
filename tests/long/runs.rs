//! Runs of the program on classes of four men, and its comparison with real Syzygy tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use dchess::certificate::Format;
use tempfile::tempdir;

use super::support;
use super::support::runs::{GOOD, command, files, planned, run, told};
#[cfg(unix)]
use super::support::runs::{Moment, stopped_again_and_again};

/// The true table of a class, as the program stores it.
fn table(name: &str) -> Vec<u8> {
    let format = match name.len() {
        3 => Format::Bin,
        _ => Format::Compressed,
    };
    support::certificate(name, format)
}

fn tables(names: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let named = |name: &&str| (format!("{name}.bin"), table(name));
    names.iter().map(named).collect()
}

/// A run took no more memory than its plan says.
fn check_memory(folder: &Path, plan: &serde_json::Value, record: &str) {
    let record = fs::read(folder.join(record)).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    let planned = plan["memory_bytes"].as_u64().unwrap();
    if let Some(peak) = record["peak_rss_bytes"].as_u64() {
        println!("peak {peak} bytes, planned {planned}");
        assert!(peak <= planned, "{peak} bytes: {plan}");
    }
}

#[test]
fn a_class_with_all_its_children_is_solved_and_verified() {
    let folder = tempdir().unwrap();
    let plan = planned(folder.path(), &["KPKP"]);
    assert_eq!(
        told(&run(folder.path(), &["solve-endgame", "KPKP", "--quiet"])),
        GOOD
    );
    check_memory(folder.path(), &plan, "certificates/KPKP.run.json");
    let found = files(&folder.path().join("certificates"));
    assert_eq!(found.len(), 18);
    for (name, bytes) in found {
        let planned = planned(folder.path(), &[&name[..name.len() - 4]]);
        let at_most = planned["bytes_at_most"].as_u64().unwrap();
        assert!(
            bytes.len() as u64 <= at_most,
            "{name}: {} bytes",
            bytes.len()
        );
        assert!(bytes == table(&name[..name.len() - 4]), "{name}");
    }

    let verify = |path: &str| {
        let output = run(folder.path(), &["verify", path]);
        (
            String::from_utf8(output.stdout).unwrap(),
            output.status.code(),
        )
    };
    let (text, code) = verify("certificates");
    assert_eq!(
        (text.matches("s VERIFIED").count(), code),
        (18, Some(0)),
        "{text}"
    );
    // Alone it rests on nothing, and the checker says so.
    let (text, code) = verify("certificates/KPKP.bin");
    assert!(
        text.contains("s DECLINED") && text.contains("missing children"),
        "{text}"
    );
    assert_eq!(code, Some(2));
    // The en-passant move of the literature is found through the tables.
    let fen = "7K/k7/8/Pp6/8/8/8/8 w - b6 0 1";
    let output = run(folder.path(), &["probe", "certificates/KPKP.bin", fen]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("axb6+"), "{text}");
    // A best line goes through promotions and a capture, and the tables of all.
    let fen = "8/1k5P/8/8/8/p7/8/7K w - - 0 1";
    let output = run(folder.path(), &["probe", "certificates/KPKP.bin", fen]);
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().last().unwrap();
    assert!(
        line.contains("h8=Q") && line.contains('x') && line.ends_with('#'),
        "{text}"
    );
    // The mutual zugzwangs of figures/endgames.tsv, one by one.
    for (kind, count) in [
        ("white-draws-black-loses", 106),
        ("white-loses-black-draws", 106),
        ("full-point", 30),
    ] {
        let arguments = [
            "mine",
            "certificates/KPKP.bin",
            "--zugzwang",
            "--kind",
            kind,
        ];
        let output = run(folder.path(), &arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), count, "{kind}");
    }

    // Children that are there take more memory, for they are verified.
    let arguments = ["KRKP", "--children", "certificates", "--out", "KRKP.bin"];
    let plan = planned(folder.path(), &arguments);
    let arguments = [&["solve-endgame", "--quiet"], &arguments[..]].concat();
    assert_eq!(told(&run(folder.path(), &arguments)), GOOD);
    check_memory(folder.path(), &plan, "KRKP.run.json");

    // A table that was changed is not used, and named.
    let child = folder.path().join("certificates/KRKN.bin");
    let mut bytes = fs::read(&child).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&child, bytes).unwrap();
    let before = files(&folder.path().join("certificates"));
    let (code, text) = told(&run(folder.path(), &arguments));
    assert!(
        text.contains("KRKN.bin") && text.contains("digest mismatch"),
        "{text}"
    );
    assert_eq!(code, Some(2));
    assert!(files(&folder.path().join("certificates")) == before);
}

#[test]
fn four_men_have_the_same_bytes_for_any_threads() {
    let tables = tables(&["KQK", "KRK", "KQKR"]);
    for threads in ["1", "2", "5"] {
        let folder = tempdir().unwrap();
        let arguments = [
            "solve-endgame",
            "KQKR",
            "--quiet",
            "--out",
            "KQKR.bin",
            "--threads",
            threads,
        ];
        assert_eq!(told(&run(folder.path(), &arguments)), GOOD);
        assert!(files(folder.path()) == tables, "{threads} threads");
    }
}

/// A child of KBKP rests on others, so that each run meets tables of the other one.
#[test]
fn two_runs_at_once_over_several_layers_come_to_the_same_tables() {
    let names = ["KQK", "KRK", "KPK", "KBKB", "KBKN", "KQKB", "KRKB", "KBKP"];
    let folder = tempdir().unwrap();
    let arguments = [
        "solve-endgame",
        "KBKP",
        "--quiet",
        "--threads",
        "1",
        "--out",
        "KBKP.bin",
    ];
    let start = || {
        command(folder.path(), &arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    for run in [start(), start()] {
        assert_eq!(told(&run.wait_with_output().unwrap()), GOOD);
    }
    assert!(files(folder.path()) == tables(&names));
}

#[cfg(unix)]
#[test]
fn runs_of_four_men_that_are_stopped_come_to_the_same_tables() {
    let tables = tables(&["KQK", "KRK", "KQKR"]);
    for (signal, code) in [("KILL", None), ("INT", Some(130))] {
        let moments = [
            Moment::After(20),
            Moment::With("KQK.bin"),
            Moment::With("KRK.bin"),
            Moment::After(400),
            Moment::After(800),
            Moment::After(1_600),
            Moment::After(2_400),
        ];
        stopped_again_and_again("KQKR", &tables, &moments, signal, code);
    }
}

/// Every state of the classes of three men and of KPKP, result and distance to zeroing. (The other classes
/// of four men take minutes each, most of them in the probing of Syzygy tables; `dchess crosscheck` does
/// them one by one.)
#[test]
fn syzygy_tables_agree() {
    let Some(data) = std::env::var_os("DCHESS_DATA") else {
        println!("NOT RUN: syzygy_tables_agree");
        return;
    };
    let folder = Path::new(&data).join("syzygy");
    let names: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_suffix(".rtbw")?.replace('v', "")))
        .filter(|name| name.len() == 3 || name == "KPKP")
        .collect();
    assert_eq!(names.len(), 6, "{names:?}");
    for name in names {
        let start = Instant::now();
        let output = support::dchess()
            .args(["crosscheck", &name, "--json", "--quiet", "--syzygy"])
            .arg(&folder)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{name}: {text}");
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let endgame = support::truth::endgame(&name);
        let en_passant = endgame
            .en_passant
            .as_ref()
            .map_or(0, |found| found.values.len());
        let states = endgame.values.len() + en_passant;
        for key in ["states", "compared_wdl", "compared_dtz"] {
            assert_eq!(found[key], states, "{name} {key}");
        }
        assert_eq!(found["mismatches"], 0, "{found}");
        println!(
            "{name}: {states} states agree, {:.1} s",
            start.elapsed().as_secs_f64()
        );
    }
}
