//! `mine` finds what there is to find: as many positions as other programs count, each of them with
//! the value that `probe` gives.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::LazyLock;

use tempfile::TempDir;

/// Tables of KPK and KRKN, with all that they rest on.
static TABLES: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    for class in ["KPK", "KRKN"] {
        let file = format!("{class}.bin");
        let output = run(
            folder.path(),
            &["solve-endgame", class, "--quiet", "--out", &file],
        );
        assert!(output.status.success());
    }
    folder
});

fn run(folder: &Path, arguments: &[&str]) -> Output {
    support::dchess()
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// What `mine` prints about a table.
fn mined(file: &str, arguments: &[&str]) -> Vec<String> {
    let output = run(TABLES.path(), &[&["mine", file], arguments].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The rows of a figures file after its head.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = text.lines().filter(|line| line.starts_with('K'));
    rows.map(|line| line.split('\t').collect())
}

#[test]
fn the_longest_mates_are_as_many_as_two_other_programs_count() {
    for name in ["KQK", "KRK", "KPK", "KRKN"] {
        let number = |text: &str| text.parse::<usize>().unwrap();
        let histogram: Vec<(usize, usize)> = rows(include_str!("figures/endgames-dtm.tsv"))
            .filter(|row| row[0] == name)
            .map(|row| (number(row[3]), number(row[4])))
            .collect();
        let longest = histogram.iter().map(|&(plies, _)| plies).max().unwrap();
        let states = histogram.iter().filter(|&&(plies, _)| plies == longest);
        let expected: usize = states.map(|&(_, states)| states).sum();
        let found = mined(&format!("{name}.bin"), &["--longest"]);
        assert_eq!(found.len(), expected, "{name}");
        let words = format!("in {longest} plies");
        assert!(found.iter().all(|line| line.contains(&words)), "{name}");
    }
}

#[test]
fn mutual_zugzwangs_are_as_many_as_two_other_programs_count() {
    let kinds = [
        "white-draws-black-loses",
        "white-loses-black-draws",
        "full-point",
    ];
    for row in rows(include_str!("figures/endgames.tsv")) {
        let name = row[0];
        if !["KQK", "KRK", "KPK", "KRKN"].contains(&name) {
            continue;
        }
        let file = format!("{name}.bin");
        let mut all = 0;
        for (kind, column) in kinds.into_iter().zip(17..) {
            let found = mined(&file, &["--zugzwang", "--kind", kind]);
            assert_eq!(
                found.len(),
                row[column].parse::<usize>().unwrap(),
                "{name} {kind}"
            );
            let words = format!("c0 \"{kind}: White to move ");
            assert!(found.iter().all(|line| line.contains(&words)));
            all += found.len();
        }
        assert_eq!(mined(&file, &["--zugzwang"]).len(), all, "{name}");
    }
}

#[test]
fn only_moves_are_as_many_as_another_program_counts() {
    for row in rows(include_str!("figures/only-moves.tsv")) {
        let found = mined(&format!("{}.bin", row[0]), &["--only-move"]);
        assert_eq!(found.len(), row[1].parse::<usize>().unwrap(), "{}", row[0]);
    }
}

#[test]
fn every_line_says_what_probe_says() {
    for arguments in [
        &["--longest"][..],
        &["--zugzwang"],
        &["--only-move", "--sample", "50"],
    ] {
        let lines = mined("KRKN.bin", arguments);
        assert!(!lines.is_empty());
        for line in lines.iter().step_by(5) {
            let fen: Vec<&str> = line.split(' ').take(4).collect();
            let output = run(
                TABLES.path(),
                &["probe", "KRKN.bin", "--json", &fen.join(" ")],
            );
            let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let plies = found["dtm_plies"].as_i64();
            let evaluation = match (found["value"].as_str().unwrap(), plies) {
                ("win", Some(plies)) => 32_767 - plies,
                ("loss", Some(plies)) => plies - 32_767,
                _ => 0,
            };
            assert!(line.contains(&format!(" ce {evaluation};")), "{line}");
            if let Some((_, rest)) = line.split_once(" bm ") {
                let mv = rest.split(';').next().unwrap();
                let moves = found["moves"].as_array().unwrap();
                let keeping: Vec<_> = moves
                    .iter()
                    .filter(|mv| mv["value"] == found["value"])
                    .map(|mv| mv["san"].as_str().unwrap())
                    .collect();
                assert_eq!(keeping, [mv], "{line}");
                assert!(moves.len() > 1);
            }
        }
    }
}

#[test]
fn lines_come_in_canonical_order_whatever_the_threads() {
    let first = mined("KPK.bin", &["--only-move", "--threads", "1"]);
    for threads in ["2", "7"] {
        assert!(first == mined("KPK.bin", &["--only-move", "--threads", threads]));
    }
    let limited = mined("KPK.bin", &["--only-move", "--limit", "1000"]);
    assert_eq!(limited, first[..1000]);
    // A sample is a part of the whole, under the same names, and follows from its seed.
    let whole: BTreeSet<&String> = first.iter().collect();
    let sample = |seed: &str| {
        mined(
            "KPK.bin",
            &["--only-move", "--sample", "100", "--seed", seed],
        )
    };
    let found = sample("7");
    assert_eq!(found.len(), 100);
    assert!(found.iter().all(|line| whole.contains(line)));
    assert!(found == sample("7") && found != sample("8"));
}

#[test]
fn tables_that_are_missing_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str, to: &str| {
        fs::copy(TABLES.path().join(name), folder.path().join(to)).unwrap();
    };
    copy("KPK.bin", "KPK.bin");
    copy("KQK.bin", "KRK.bin");
    let output = run(folder.path(), &["mine", "KPK.bin", "--only-move"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("KQK.bin is not there"), "{text}");
    assert!(
        text.contains("KRK.bin is not the table sha256:2844"),
        "{text}"
    );
    // The other searches look at the table alone.
    let output = run(folder.path(), &["mine", "KPK.bin", "--zugzwang"]);
    assert_eq!(output.status.code(), Some(0));
    // Nobody vouches for a table whose children are missing.
    let output = run(
        folder.path(),
        &["mine", "KPK.bin", "--zugzwang", "--verify"],
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_table_that_is_refuted_is_not_mined() {
    let mut forge = support::forge::Forge::of(&fs::read(TABLES.path().join("KQK.bin")).unwrap());
    // One more state at the longest distance.
    let place = forge.values.iter().position(|&byte| byte == 18).unwrap();
    forge.values[place] = 20;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("false.bin"), forge.seal()).unwrap();
    let output = run(folder.path(), &["mine", "false.bin", "--longest"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        output.stdout.iter().filter(|&&byte| byte == b'\n').count(),
        9
    );
    let output = run(
        folder.path(),
        &["mine", "false.bin", "--longest", "--verify"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("REFUTED wrong distance")
    );
}

#[test]
fn a_file_of_positions_appears_whole_and_replaces_nothing_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let table = TABLES.path().join("KQK.bin");
    let mine = |more: &[&str]| {
        let arguments = [
            &[
                "mine",
                table.to_str().unwrap(),
                "--longest",
                "--out",
                "x.epd",
            ],
            more,
        ]
        .concat();
        run(folder.path(), &arguments)
    };
    let output = mine(&[]);
    assert_eq!(output.stdout, b"8 positions of KQK, not verified: x.epd\n");
    let text = fs::read_to_string(folder.path().join("x.epd")).unwrap();
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        mined("KQK.bin", &["--longest"])
    );
    let output = mine(&["--limit", "1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("--force")
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("x.epd")).unwrap(),
        text
    );
    assert_eq!(mine(&["--limit", "1", "--force", "--quiet"]).stdout, b"");
    assert_eq!(
        fs::read_to_string(folder.path().join("x.epd"))
            .unwrap()
            .lines()
            .count(),
        1
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
