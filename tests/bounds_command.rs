//! `bounds`: the figures against solved tables and other programs, the certificate against the format page.

mod support;

use std::fs;
use std::path::Path;

use dchess::endgame::Library;
use dchess::rules::parse_fen;
use serde_json::Value;
use shakmaty::Position;
use support::bounds::{KEPT, NEVER, Told};
use support::local_proof::Told as LocalTold;
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
        "witness_lookups",
        "verify_lookups",
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

fn lines(out: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(out).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The value of a position for White, as the table says.
fn value(library: &Library, fen: &str) -> i64 {
    let position = parse_fen(fen).unwrap();
    let own = match library.value(&position).unwrap().outcome() {
        dchess::game::Outcome::Win => 1,
        dchess::game::Outcome::Draw => 0,
        dchess::game::Outcome::Loss => -1,
    };
    if position.turn().is_white() {
        own
    } else {
        -own
    }
}

#[test]
fn local_proofs_find_the_values_of_the_table() {
    hold_to_the_table(&[("KRK", "6")]);
}

#[test]
#[ignore = "the long tier runs it"]
fn many_local_proofs_find_the_values_of_the_table() {
    hold_to_the_table(&[("KRK", "100"), ("KQK", "100"), ("KPK", "100"), ("KNK", "4")]);
}

fn hold_to_the_table(samples: &[(&str, &str)]) {
    for &(class, size) in samples {
        let folder = tempdir().unwrap();
        let arguments = [
            "--universe",
            class,
            "--sample",
            size,
            "--seed",
            "7",
            "--json",
        ];
        let out = run(folder.path(), &arguments);
        let found = lines(&out);
        assert_eq!(found.len().to_string(), size);
        truth::with_library(class, |library| {
            for line in &found {
                let fen = line["fen"].as_str().unwrap();
                let value = value(library, fen);
                assert_eq!(line["interval"], serde_json::json!([value, value]), "{fen}");
                let [expanded, examined, moves] =
                    ["expanded_states", "examined_moves", "legal_moves"]
                        .map(|key| line[key].as_u64().unwrap());
                assert!(expanded >= 1 && examined <= moves, "{line}");
            }
        });
        // Nothing is written, and the same seed gives the same.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(out == run(folder.path(), &arguments));
    }
}

#[test]
fn a_root_may_have_its_colours_the_other_way_round() {
    let folder = tempdir().unwrap();
    let prove = |fen: &str| {
        lines(&run(
            folder.path(),
            &["--universe", "KPK", "--fen", fen, "--json", "--no-check"],
        ))
        .remove(0)
    };
    // The king in front of his pawn on the sixth rank wins, whoever moves.
    let mut white = prove("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1");
    let mut black = prove("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1");
    assert_eq!(white["interval"], serde_json::json!([1, 1]));
    assert_eq!(black["interval"], serde_json::json!([-1, -1]));
    for key in ["fen", "interval", "id"] {
        white.as_object_mut().unwrap().remove(key);
        black.as_object_mut().unwrap().remove(key);
    }
    assert_eq!(white, black);
    let keys: Vec<String> = white.as_object().unwrap().keys().cloned().collect();
    for key in [
        "expanded_states",
        "expanded_share",
        "examined_moves",
        "legal_moves",
    ] {
        assert!(keys.iter().any(|found| found == key), "{keys:?}");
    }
}

#[test]
fn what_was_not_proved_is_not_said() {
    let folder = tempdir().unwrap();
    let output = |arguments: &[&str]| {
        let output = support::dchess()
            .current_dir(&folder)
            .args(["bounds", "--universe", "KRK"])
            .args(arguments)
            .output()
            .unwrap();
        let text =
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    let fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let (code, text) = output(&["--fen", fen, "--nodes", "50"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(
        text.contains("interval [-1, 1]: nothing was proved"),
        "{text}"
    );
    let (code, text) = output(&["--fen", "8/8/8/8/8/2k5/Q7/K7 b - - 0 1"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("the position is KQK, not KRK"), "{text}");
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let (code, text) = output(&["--fen", castling]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("castling rights"), "{text}");
    // What was found out within the budget can be certified all the same.
    let arguments = ["--fen", fen, "--nodes", "50", "--out", "x.bin"];
    let (code, text) = output(&arguments);
    assert_eq!(code, Some(3), "{text}");
    let bytes = fs::read(folder.path().join("x.bin")).unwrap();
    let certificate = dchess::verify::read(&mut &bytes[..]).unwrap();
    assert_eq!(certificate.claim, format!("interval {fen} board -1 1"));
    dchess::verify::verify(&certificate).unwrap();
    // The proof may take the place of what was less.
    let (code, text) = output(&["--fen", fen, "--out", "x.bin", "--force"]);
    assert_eq!(code, Some(0), "{text}");
    // Flags that would do nothing.
    for (flags, word) in [
        (&["--fen", fen, "--format", "json"][..], "--out"),
        (&["--fen", fen, "--force"], "--out"),
        (&["--fen", fen, "--seed", "3"], "--seed"),
        (&["--fen", fen, "--memory", "1G"], "--memory"),
        (&["--fen", fen, "--nodes", "0"], "--nodes"),
        (&["--fen", fen, "--alpha-beta", "0"], "--alpha-beta"),
        (
            &["--fen", fen, "--children", "nowhere"],
            "nowhere is not a folder",
        ),
        (&["--nodes", "9"], "--fen"),
        (&["--alpha-beta", "9"], "--fen"),
    ] {
        let (code, text) = output(flags);
        assert_eq!(code, Some(2), "{flags:?}: {text}");
        assert!(text.contains(word), "{flags:?}: {text}");
    }
    // One position is enough to have a list with the root in it.
    let (code, text) = output(&["--fen", fen, "--nodes", "1"]);
    assert_eq!(code, Some(3), "{text}");
}

#[test]
fn a_local_proof_is_written_as_the_format_page_says() {
    for (class, fen) in [
        ("KRK", "8/8/8/8/8/2k5/1R6/K7 w - - 7 9"),
        ("KPK", "8/8/8/8/4p3/4k3/8/4K3 w - - 0 1"),
    ] {
        let folder = tempdir().unwrap();
        let material: dchess::endgame::Material = class.parse().unwrap();
        let arguments = ["--universe", class, "--fen", fen, "--json", "--no-check"];
        let printed = |out: &str, more: &[&str]| {
            let arguments = [&arguments[..], &["--out", out], more].concat();
            lines(&run(folder.path(), &arguments)).remove(0)
        };
        let line = printed("x.json", &["--threads", "2"]);
        let told = LocalTold::of(&material, &fs::read(folder.path().join("x.json")).unwrap());
        assert_eq!(told.id, told.id_by_hand());
        assert_eq!(line["id"], told.id);
        assert_eq!(line["proof_states"], told.positions.len());
        assert_eq!(line["proof_moves"], told.counts[0]);
        let moves = told.positions.iter().map(|listed| listed.dominators.len());
        assert_eq!(told.counts[0], moves.sum::<usize>() as u64);
        let start = format!(
            "interval {} 0 1 board ",
            fen.rsplitn(3, ' ').nth(2).unwrap()
        );
        let interval = &line["interval"];
        assert_eq!(
            told.claim,
            format!("{start}{} {}", interval[0], interval[1])
        );
        // The binary file says the same, whatever the threads.
        printed("x.bin", &["--threads", "1"]);
        assert!(fs::read(folder.path().join("x.bin")).unwrap() == told.seal());
        let output = support::dchess()
            .current_dir(&folder)
            .args(["verify", "."])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}");
        let verified = format!("s VERIFIED {} {}", told.id, told.claim);
        assert_eq!(
            text.lines().filter(|line| *line == verified).count(),
            2,
            "{text}"
        );
    }
}

#[test]
fn alpha_beta_finds_what_it_can_finish() {
    let folder = tempdir().unwrap();
    let prove = |fen: &str, nodes: &str| {
        let arguments = [
            "--universe",
            "KQK",
            "--fen",
            fen,
            "--json",
            "--alpha-beta",
            nodes,
        ];
        lines(&run(folder.path(), &arguments)).remove(0)["alpha_beta"].clone()
    };
    // Mate in one: the root, and moves until the mate is met.
    let mate = prove("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", "10000");
    assert_eq!(
        (&mate["value"], &mate["depth"]),
        (&Value::from(1), &Value::from(1))
    );
    assert!(mate["nodes"].as_u64().unwrap() < 30, "{mate}");
    // The queen falls at once.
    let taken = prove("7K/8/8/8/8/8/1Q6/k7 b - - 0 1", "10000");
    assert_eq!(taken["value"], Value::from(0));
    // Twenty plies are too many.
    let fen = "8/8/8/8/4k3/8/1Q6/K7 b - - 0 1";
    let unfinished = prove(fen, "10000");
    assert_eq!(
        (&unfinished["value"], &unfinished["nodes"]),
        (&Value::Null, &Value::from(10_000))
    );
}
