//! `bounds`: the figures against solved tables and other programs, the certificate against the format page.

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::bounds::{KEPT, NEVER, Told};
use support::truth;
use tempfile::{TempDir, tempdir};

fn run(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = support::dchess()
        .current_dir(folder)
        .arg("bounds")
        .args(arguments)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    output.stdout
}

fn report(folder: &Path, class: &str) -> Value {
    let out = run(folder, &["--universe", class, "--json"]);
    serde_json::from_slice(&out).unwrap()
}

/// The certificate of a class in JSON, in a folder of its own.
fn told(class: &str) -> (TempDir, Told) {
    let folder = tempdir().unwrap();
    run(
        folder.path(),
        &["--universe", class, "--quiet", "--out", "x.json"],
    );
    let told = Told::of(&fs::read(folder.path().join("x.json")).unwrap());
    (folder, told)
}

#[test]
fn every_interval_is_the_point_that_the_table_says() {
    // What perfect knowledge of the results would delete is the ceiling, from another program for the first two.
    for (class, worse) in [
        ("KQK", Some(40_323)),
        ("KRK", Some(40_266)),
        ("KNK", Some(0)),
        ("KPK", None),
    ] {
        let folder = tempdir().unwrap();
        let report = report(folder.path(), class);
        let endgame = truth::endgame(class);
        let summary = &endgame.summary;
        let (white, black) = (summary.white, summary.black);
        assert_eq!(report["states"], summary.states, "{class}");
        assert_eq!(report["decided"], summary.states, "{class}");
        assert_eq!(report["edges"], summary.edges, "{class}");
        let facts = &report["facts"];
        assert_eq!(facts["white_wins"], white.wins + black.losses, "{class}");
        assert_eq!(facts["black_wins"], white.losses + black.wins, "{class}");
        assert_eq!(facts["white_holds"], white.draws + black.draws, "{class}");
        assert_eq!(facts["black_holds"], white.draws + black.draws, "{class}");
        if let Some(worse) = worse {
            assert_eq!(report["strictly_worse"], worse, "{class}");
        }
        // Without children a win is found in the round of its distance, and the round after the last closes.
        if matches!(class, "KQK" | "KRK") {
            assert_eq!(report["rounds"], summary.max_dtm.get() + 1, "{class}");
        }
        let [strict, equal, open] = ["strict", "equal", "open"]
            .map(|kind| report[format!("deleted_{kind}")].as_u64().unwrap());
        assert!(
            open <= strict + equal && strict + equal < summary.edges,
            "{class}"
        );
        let share = report["deleted_open_share"].as_f64().unwrap();
        assert!(
            (share - open as f64 / summary.edges as f64).abs() < 1e-12,
            "{class}"
        );
    }
}

#[test]
fn json_has_exactly_the_promised_keys_in_order() {
    let folder = tempdir().unwrap();
    let text = String::from_utf8(run(folder.path(), &["--universe", "KNK", "--json"])).unwrap();
    let promised = [
        "universe",
        "states",
        "decided",
        "facts",
        "white_wins",
        "black_wins",
        "black_holds",
        "white_holds",
        "closed_sets",
        "edges",
        "deleted_strict",
        "deleted_equal",
        "deleted_open",
        "deleted_open_share",
        "strictly_worse",
        "rounds",
        "lookups",
        "certificate",
        "id",
    ];
    let mut rest = text.as_str();
    for key in promised {
        let key = format!("\"{key}\":");
        let place = rest.find(&key).unwrap_or_else(|| panic!("{key} in {rest}"));
        assert!(!rest[..place].contains("\":"), "before {key}: {rest}");
        rest = &rest[place + key.len()..];
    }
    assert!(!rest.contains("\":") && text.ends_with("}\n"), "{rest}");
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn both_encodings_have_one_id_and_are_verified() {
    let (folder, told) = told("KPK");
    assert_eq!(told.claim, "bounds KPK board from KQK KRK");
    assert_eq!(told.id, told.id_by_hand());
    run(
        folder.path(),
        &["--universe", "KPK", "--quiet", "--out", "x.bin"],
    );
    fs::write(folder.path().join("y.bin"), told.seal()).unwrap();
    let files = ["x.bin", "x.json", "y.bin", "KQK.bin", "KRK.bin"];
    let output = support::dchess()
        .current_dir(&folder)
        .arg("verify")
        .args(files)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let verified = format!("s VERIFIED {} {}", told.id, told.claim);
    assert_eq!(text.matches(&verified).count(), 3, "{text}");
    assert_eq!(text.matches("s VERIFIED").count(), 5, "{text}");
}

#[test]
fn bytes_do_not_depend_on_threads_or_runs() {
    let folder = tempdir().unwrap();
    let bytes = |threads: &str, out: &str| {
        let arguments = [
            "--universe",
            "KQK",
            "--quiet",
            "--no-check",
            "--threads",
            threads,
            "--out",
            out,
        ];
        run(folder.path(), &arguments);
        fs::read(folder.path().join(out)).unwrap()
    };
    let first = bytes("1", "a.bin");
    assert!(first == bytes("2", "b.bin") && first == bytes("5", "c.bin"));
    assert!(
        first
            == run(
                folder.path(),
                &["--universe", "KQK", "--quiet", "--out", "-"]
            )
    );
}

/// A move is kept or deleted, and what is deleted by is kept: counted over the file.
#[test]
fn every_move_has_a_record_and_the_counts_are_theirs() {
    let (_folder, told) = told("KQK");
    assert_eq!(told.dominators.len() as u64, told.edges);
    assert_eq!(told.deletion_rounds.len() as u64, told.edges);
    let deleted = told
        .dominators
        .iter()
        .filter(|&&dominator| dominator != KEPT);
    assert_eq!(deleted.count() as u64, told.counts[0] + told.counts[1]);
    let pairs = told.dominators.iter().zip(&told.deletion_rounds);
    assert!(
        pairs
            .clone()
            .all(|(&dominator, &round)| (dominator == KEPT) == (round == NEVER))
    );
    assert!(
        told.lists
            .iter()
            .all(|list| list.len() as u64 == told.states)
    );
}
