//! `mate` on the command line: exit codes, lines of JSON, suites.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;
use support::mate::{Told, bundle_payload, seal_bundle};
use support::payload;
use tempfile::tempdir;

/// A mate in two.
const TWO: &str = "2R5/8/8/8/8/1K6/8/1k6 w - -";

/// No mate.
const NONE: &str = "7k/8/8/8/8/8/R7/K7 w - -";

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
        "# remark\n{THREE} bm #3; id \"one\";\n\nnonsense\n7k/8/8/8/8/8/8/K6R w - - bm #1;\n{THREE} dm 3; bm Kg6 Kf6 Kh6;\n"
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
            lines[4].starts_with("2 positions: 2 proved, 0 refuted, 0 undecided; 2 bad lines"),
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
        ("bm Kg6; dm 3;", "cooked (3 stated)", 1),
        ("bm Kg6 Kf6 Kh6; dm 3;", "as stated", 0),
        ("bm Kg6 Qf7; dm 3;", "other keys (3 stated)", 1),
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
            .contains("compared with what is stated: 1 the same")
    );
}

/// The mate that the program certifies in a folder.
fn certified(folder: &Path, fen: &str, arguments: &[&str]) -> Told {
    let output = support::dchess()
        .current_dir(folder)
        .args([
            "mate",
            fen,
            "--quiet",
            "--force",
            "--out",
            "told.json",
            "--threads",
            "1",
        ])
        .args(arguments)
        .output()
        .unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    Told::of(&fs::read(folder.join("told.json")).unwrap())
}

fn verified(folder: &Path, file: &str) -> String {
    let output = support::dchess()
        .current_dir(folder)
        .args(["verify", file])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_mate_is_written_as_the_format_page_says() {
    let folder = tempdir().unwrap();
    for (fen, arguments, claim) in [
        (THREE, &["--max-moves", "3"][..], "in 3 shortest"),
        (
            THREE,
            &["--max-moves", "5", "--all-keys"],
            "in 3 shortest keys g5f6 g5g6 g5h6",
        ),
        (THREE, &["--max-moves", "2"], "not in 2"),
        (
            "7k/8/6K1/8/8/8/8/5Q2 b - -",
            &["--max-moves", "3", "--mated"],
            "in 2 shortest",
        ),
        (
            "5k2/3Q4/8/8/8/8/6R1/4K2R w K -",
            &["--max-moves", "1", "--all-keys"],
            "in 1 shortest keys e1g1 h1f1 h1h8",
        ),
        (NONE, &["--max-moves", "100", "--nodes", "1000"], ""),
    ] {
        if claim.is_empty() {
            let path = folder.path().join("open.bin");
            let path = path.display().to_string();
            let output = mate(&[&[fen, "--out", &path], arguments].concat());
            assert_eq!(output.status.code(), Some(3));
            assert!(!Path::new(&path).exists());
            continue;
        }
        let told = certified(folder.path(), fen, arguments);
        let word = if arguments.contains(&"--mated") {
            "mated"
        } else {
            "mate"
        };
        assert_eq!(told.claim, format!("{word} {fen} 0 1 {claim}"));
        assert_eq!(told.id, told.id_by_hand());
        let id = &told.id;
        let expected = |file: &str| format!("c {file}\ns VERIFIED {id} {}\n", told.claim);
        assert_eq!(verified(folder.path(), "told.json"), expected("told.json"));
        fs::write(folder.path().join("by-hand.bin"), told.seal()).unwrap();
        assert_eq!(
            verified(folder.path(), "by-hand.bin"),
            expected("by-hand.bin")
        );
        // The binary file that the program writes is compressed.
        let path = folder.path().join("told.bin").display().to_string();
        mate(
            &[
                &[fen, "--out", &path, "--force", "--threads", "1"],
                arguments,
            ]
            .concat(),
        );
        assert_eq!(verified(folder.path(), "told.bin"), expected("told.bin"));
    }
}

#[test]
fn a_certificate_of_another_answer_is_not_replaced() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("told.bin").display().to_string();
    let run = |arguments: &[&str]| {
        let output = mate(&[&[THREE, "--quiet", "--out", &path], arguments].concat());
        output.status.code()
    };
    let alone = ["--threads", "1"];
    let with = |arguments: &[&str]| run(&[&alone, arguments].concat());
    assert_eq!(with(&["--max-moves", "3"]), Some(0));
    let first = fs::read(&path).unwrap();
    assert_eq!(with(&["--max-moves", "3"]), Some(0), "the same again");
    for arguments in [
        &["--max-moves", "3", "--all-keys"][..],
        &["--max-moves", "2"],
        &["--max-moves", "3", "--mated"],
    ] {
        // Refused before anything is searched, whatever the budget.
        assert_eq!(with(&[arguments, &["--nodes", "1"]].concat()), Some(2));
    }
    assert_eq!(fs::read(&path).unwrap(), first);
    assert_eq!(with(&["--max-moves", "2", "--force"]), Some(1));
    assert_ne!(fs::read(&path).unwrap(), first);
}

/// Three positions with an answer among other lines.
fn suite() -> String {
    format!("# remark\n{THREE} bm #3;\nnonsense\n{TWO} dm 2; bm Rc7;\n{NONE} dm 1;\n")
}

#[test]
fn a_bundle_holds_the_mates_of_a_suite_in_order() {
    let folder = tempdir().unwrap();
    let mates = [
        certified(folder.path(), THREE, &["--max-moves", "3"]),
        certified(folder.path(), TWO, &["--max-moves", "3", "--all-keys"]),
        certified(folder.path(), NONE, &["--max-moves", "1"]),
    ];
    let mates: Vec<&Told> = mates.iter().collect();
    let claim = "bundle of 3 mates";
    let id = payload::id(6, &bundle_payload(claim, &mates));
    let path = folder.path().join("suite.bin").display().to_string();
    for jobs in ["1", "3"] {
        let arguments = ["--epd", "-", "--max-moves", "3", "--threads", "1"];
        let output = mate_of(
            &suite().replace("dm 1", "c0 \"none\"").replace(NONE, TWO),
            &[
                &arguments[..],
                &["--json", "--jobs", jobs, "--force", "--out", &path],
            ]
            .concat(),
        );
        let reports = json(&output);
        let certificates: Vec<&Value> = reports.iter().map(|line| &line["certificate"]).collect();
        let name = |number: u8| Value::from(format!("{path}#{number}"));
        assert_eq!(certificates, [&name(0), &Value::Null, &name(1), &name(2)]);
    }
    for jobs in ["1", "3"] {
        let arguments = ["--epd", "-", "--threads", "1", "--jobs", jobs, "--force"];
        let output = mate_of(&suite(), &[&arguments[..], &["--out", &path]].concat());
        assert_eq!(output.status.code(), Some(1), "there is no mate in one");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(&format!("claim        {claim}\n")), "{text}");
        assert!(text.ends_with(&format!("id           {id}\n")), "{text}");
        let expected = format!("c suite.bin\ns VERIFIED {id} {claim}\n");
        assert_eq!(verified(folder.path(), "suite.bin"), expected);
        let cost = fs::read(folder.path().join("suite.run.json")).unwrap();
        let cost: Value = serde_json::from_slice(&cost).unwrap();
        assert_eq!(
            (&cost["claim"], &cost["id"]),
            (&claim.into(), &id.clone().into())
        );
    }
    fs::write(
        folder.path().join("by-hand.bin"),
        seal_bundle(claim, &mates),
    )
    .unwrap();
    let expected = format!("c by-hand.bin\ns VERIFIED {id} {claim}\n");
    assert_eq!(verified(folder.path(), "by-hand.bin"), expected);

    // The claims are listed, each with the id that it has by itself.
    let listed = support::dchess()
        .current_dir(folder.path())
        .args(["info", "--mates", "suite.bin"])
        .output()
        .unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let lines = mates.iter().enumerate();
    let lines = lines.map(|(number, mate)| format!("{number}\t{}\t{}\n", mate.id, mate.claim));
    assert_eq!(listed, lines.collect::<String>());

    // Another number of mates is another claim.
    let output = support::dchess()
        .current_dir(folder.path())
        .args(["verify", "--claim", "bundle of 2 mates", "suite.bin"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("claim differs"), "{text}");
}

#[test]
fn a_bundle_goes_through_a_pipe() {
    let output = mate_of(&suite(), &["--epd", "-", "--out", "-", "--threads", "1"]);
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(
        report.contains("claim        bundle of 3 mates"),
        "{report}"
    );
    let mut verify = support::dchess()
        .args(["verify", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    verify
        .stdin
        .take()
        .unwrap()
        .write_all(&output.stdout)
        .unwrap();
    let verdict = String::from_utf8(verify.wait_with_output().unwrap().stdout).unwrap();
    assert!(verdict.starts_with("c -\ns VERIFIED sha256:"), "{verdict}");
    assert!(verdict.ends_with(" bundle of 3 mates\n"), "{verdict}");
}

#[test]
fn a_bundle_that_cannot_be_written_is_refused_before_the_work() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("suite.epd"), suite()).unwrap();
    fs::write(path("other.bin"), "something").unwrap();
    let run = |arguments: &[&str]| {
        let output = mate(&[&["--epd", &path("suite.epd")], arguments].concat());
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    for (arguments, reason) in [
        (
            vec!["--out".to_owned(), path("other.bin")],
            "is there already",
        ),
        (
            vec!["--out".to_owned(), path("b.json")],
            "a bundle is binary",
        ),
        (
            vec!["--out".to_owned(), path("suite.epd"), "--force".to_owned()],
            "is the input",
        ),
        (
            vec!["--out".to_owned(), path("b.run.json")],
            "ends in .run.json",
        ),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (code, text) = run(&arguments);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(reason), "{text}");
    }
    assert_eq!(fs::read(path("suite.epd")).unwrap(), suite().as_bytes());
    fs::write(path("suite.epd"), format!("{THREE} dm 3;\n")).unwrap();
    let (code, text) = run(&["--out", &path("none.bin"), "--nodes", "1", "--quiet"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("nothing was certified"), "{text}");
    assert!(!Path::new(&path("none.bin")).exists());
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn solutions_tell_keys_cooks_and_short_solutions_apart() {
    let kinds = |operations: &str| {
        let line = format!("{THREE} {operations}\n");
        let output = mate_of(&line, &["--epd", "-", "--solution", "--json"]);
        let solution = json(&output)[0]["solution"].clone();
        let phases = solution["phases"].as_array().unwrap();
        let phases = phases.iter().filter(|phase| phase["kind"] != "try");
        let kinds: Vec<String> = phases
            .map(|phase| format!("{} {}", phase["kind"], phase["move"]).replace('"', ""))
            .collect();
        (solution, kinds.join(", "))
    };
    let (_, found) = kinds("dm 3;");
    assert_eq!(found, "key g5f6, key g5g6, key g5h6");
    let (solution, found) = kinds("dm 3; bm Kg6;");
    assert_eq!(found, "cook g5f6, key g5g6, cook g5h6");
    assert_eq!(solution["cooks"], serde_json::json!(["g5f6", "g5h6"]));
    assert_eq!(solution["intended"], serde_json::json!(["g5g6"]));
    let (solution, found) = kinds("dm 4; bm Qf7;");
    assert!(found.starts_with("short solution g5f6, "), "{found}");
    assert_eq!(solution["cooks"], serde_json::json!([]));
    let line = format!("{THREE} dm 3; bm Kg6;\n{THREE} dm 4; bm Qf7;\n");
    let text = mate_of(&line, &["--epd", "-", "--solution", "--notation", "san"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("\ncooks: 1.Kf6, 1.Kh6\n"), "{text}");
    assert!(
        text.contains("\nshort solutions: 1.Kf6, 1.Kg6, 1.Kh6\n"),
        "{text}"
    );
}

#[test]
fn a_solution_in_json_is_the_one_in_the_text() {
    // A mate in two by castling, with tries.
    let fen = "8/8/6N1/b7/6R1/2k5/B7/R3K3 w Q - 0 1";
    let arguments = [fen, "--max-moves", "2", "--solution", "--tries", "2"];
    let text = String::from_utf8(mate(&arguments).stdout).unwrap();
    let lines = json(&mate(&[&arguments[..], &["--json"]].concat()));
    let phases = lines[0]["solution"]["phases"].as_array().unwrap().clone();
    let refutations = |phase: &Value| phase["refutations"].as_array().unwrap().len();
    let keys: Vec<&Value> = phases
        .iter()
        .filter(|phase| phase["kind"] == "key")
        .collect();
    assert!(matches!(keys[..], [key] if key["move"] == "e1c1" && refutations(key) == 0));
    let tries = phases.iter().filter(|phase| phase["kind"] == "try").count();
    assert_eq!(
        tries,
        text.lines().filter(|line| *line == "    but").count()
    );
    // Every move of the attacker is a line of the text, except in the set play.
    fn moves(continuation: &Value) -> usize {
        let under = |key: &str, of: fn(&Value) -> usize| {
            let list = continuation[key].as_array().unwrap().iter();
            list.map(of).sum::<usize>()
        };
        1 + under("threats", moves) + under("variations", replies)
    }
    fn replies(variation: &Value) -> usize {
        let list = variation["continuations"].as_array().unwrap().iter();
        list.map(moves).sum()
    }
    let set_play = lines[0]["solution"]["set_play"].as_array().unwrap().iter();
    let expected = phases.iter().map(moves).sum::<usize>() + set_play.map(replies).sum::<usize>();
    let found = text.lines().filter(|line| {
        let line = line.trim_start();
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        number != line && number.starts_with('.') && !number.starts_with("...")
    });
    let in_remarks = text
        .lines()
        .filter(|line| line.starts_with("   1.") && line.contains("1..."))
        .count();
    assert_eq!(found.count() - in_remarks, expected, "{text}");
}

#[test]
fn the_ends_of_games_are_solved() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // Morphy against two noblemen at the opera, before the last two moves; and a game that is none.
    let games = "[White \"Paul Morphy\"]\n[Black \"Duke and Count\"]\n\n1.e4 e5 2.Nf3 d6 3.d4 Bg4 4.dxe5 Bxf3 \
        5.Qxf3 dxe5 6.Bc4 Nf6 7.Qb3 Qe7 8.Nc3 c6 9.Bg5 b5 10.Nxb5 cxb5 11.Bxb5+ Nbd7 12.O-O-O Rd8 13.Rxd7 Rxd7 \
        14.Rd1 Qe6 15.Bxd7+ Nxd7 *\n\n1. e4 e5 2. Ke3 *\n";
    let written = path("ends.epd");
    let arguments = ["--pgn", "-", "--max-moves", "3", "--all-keys"];
    let output = mate_of(games, &[&arguments[..], &["--epd-out", &written]].concat());
    assert_eq!(output.status.code(), Some(2), "one game cannot be used");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("1\tmate in 2\tQb8+\t"), "{text}");
    assert!(
        lines[0].ends_with("\tPaul Morphy - Duke and Count"),
        "{text}"
    );
    assert!(
        lines[1].starts_with("2\terror\t`Ke3` is not a legal move"),
        "{text}"
    );
    let text = fs::read_to_string(&written).unwrap();
    assert!(
        text.contains("bm Qb8+; pv Qb8+ Nxb8 Rd8#; hmvc 0; fmvn 16; id"),
        "{text}"
    );
    assert_eq!(mate(&["--epd", &written]).status.code(), Some(0));
}

/// Lengths and keys as they were published. (One of the problems is known to have nine keys: the United States Chess
/// Federation counts them in its column on the Indian problem.)
#[test]
fn classics_are_as_published() {
    let classics = concat!(env!("CARGO_MANIFEST_DIR"), "/corpora/classics.epd");
    let output = mate(&["--epd", classics, "--all-keys", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let report = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(
        report.contains("stated: 97 the same, 0 shorter"),
        "{report}"
    );
    let count = |line: &Value| line["keys"].as_array().unwrap().len();
    let with_other_keys: Vec<usize> = json(&output).iter().map(count).filter(|&n| n > 1).collect();
    assert_eq!(with_other_keys, [9]);
}

#[test]
fn keys_that_are_not_all_are_not_said_to_be() {
    let folder = tempdir().unwrap();
    let written = folder.path().join("out.epd").display().to_string();
    let run = |operations: &str, flags: &[&str]| {
        let line = format!("{THREE} {operations}\n");
        let arguments = [
            "--epd",
            "-",
            "--threads",
            "1",
            "--force",
            "--epd-out",
            &written,
        ];
        let output = mate_of(&line, &[&arguments[..], flags].concat());
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        (
            text,
            output.status.code(),
            fs::read_to_string(&written).unwrap(),
        )
    };
    // The search for the length takes fewer positions than that for all keys.
    let few = ["--nodes", "1000"];
    let (text, code, epd) = run("dm 3;", &[&["--all-keys"], &few[..]].concat());
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("\tKg6 ...\tas stated\t"), "{text}");
    assert!(
        text.contains("1 proved, but without all keys within the budget"),
        "{text}"
    );
    assert!(epd.contains(" dm 3; ") && !epd.contains("bm"), "{epd}");
    let (text, code, epd) = run("dm 3; bm Kh6;", &few);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("\tundecided (3 stated)\t"), "{text}");
    assert!(
        epd.contains(" bm Kh6;") && !epd.contains("stated_bm"),
        "{epd}"
    );
    // What was stated is kept beside what was found.
    let (_, code, epd) = run("dm 3; bm Kh6;", &[]);
    assert_eq!(code, Some(1));
    assert!(epd.contains(" bm Kf6 Kg6 Kh6; stated_bm Kh6;"), "{epd}");
    let line = json(&mate(&[
        THREE,
        "--max-moves",
        "3",
        "--all-keys",
        "--json",
        "--nodes",
        "1000",
        "--threads",
        "1",
    ]));
    assert_eq!(line[0]["all_keys"], false);
}

/// What is written back says what was found, without contradiction, and a second run finds it as stated.
#[test]
fn what_is_written_back_is_as_stated_the_next_time() {
    let rewritten = |line: &str, flags: &[&str]| {
        let arguments = ["--epd", "-", "--epd-out", "-"];
        let output = mate_of(line, &[&arguments[..], flags].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    const MATED: &str = "6k1/8/6K1/8/8/8/8/5Q2 b - -";
    const MATE: &str = "7k/6Q1/6K1/8/8/8/8/8 b - -";
    for (line, written) in [
        (format!("{THREE} dm 3;"), "dm 3; bm Kf6 Kg6 Kh6; pv "),
        (
            format!("{THREE} bm #4; bm Kf6; id \"x\";"),
            "dm 3; bm Kf6 Kg6 Kh6; stated_bm Kf6; pv ",
        ),
        (
            format!("{THREE} dm 3; bm Kg6; stated_bm Qf7;"),
            "dm 3; bm Kf6 Kg6 Kh6; pv ",
        ),
        (
            format!("{THREE} dm 3; am Kg6;"),
            "dm 3; bm Kf6 Kg6 Kh6; stated_am Kg6; pv ",
        ),
        (
            format!("{THREE} dm 3; am Qf7; bm Kg6;"),
            "dm 3; bm Kf6 Kg6 Kh6; stated_bm Kg6; pv ",
        ),
        (format!("{MATED} bm #-3;"), "dm -1; pv "),
        (format!("{MATE} bm #-2; c0 \"x\";"), "c0 \"x\""),
    ] {
        let once = rewritten(&line, &[]);
        let fen: Vec<&str> = line.split(' ').take(4).collect();
        let start = format!("{} {written}", fen.join(" "));
        assert!(once.starts_with(&start), "{line}: {once}");
        assert_eq!(
            once.contains("stated_bm Qf7;"),
            line.contains("stated_bm Qf7;"),
            "{once}"
        );
        assert_eq!(once.contains(" am "), line.contains("am Qf7"), "{once}");
        if written.starts_with("dm") {
            let operations = |line: &str| {
                let operations: BTreeSet<String> = line
                    .trim()
                    .split("; ")
                    .map(|each| each.trim_end_matches(';').to_owned())
                    .collect();
                operations
            };
            let twice = rewritten(&once, &[]);
            assert_eq!(operations(&twice), operations(&once), "{line}");
            let output = mate_of(&once, &["--epd", "-", "--quiet"]);
            assert_eq!(output.status.code(), Some(0), "{once}");
        }
    }
    // With a budget keys that are not known to be all are not written as if they were.
    let line = format!("{THREE} dm 3;");
    for flags in [&["--any-key"][..], &["--nodes", "100000"]] {
        let once = rewritten(&line, flags);
        assert!(once.contains(" dm 3; pv "), "{once}");
    }
}

#[test]
fn keys_without_a_length_are_no_statement_about_one() {
    let code = |line: &str, flags: &[&str]| {
        mate_of(line, &[&["--epd", "-"][..], flags].concat())
            .status
            .code()
    };
    let line = format!("{THREE} bm Kg6 Kf6 Kh6;");
    assert_eq!(code(&line, &["--max-moves", "2"]), Some(3));
    assert_eq!(code(&line, &["--max-moves", "3"]), Some(0));
    // The moves of a side that is mated are no keys.
    let mated = "6k1/8/6K1/8/8/8/8/5Q2 b - - bm Kh8;";
    assert_eq!(code(mated, &["--max-moves", "2", "--mated"]), Some(0));
    for line in [
        "dm 3; bm Kf6; bm Kg6;",
        "hmvc 3; hmvc 4; dm 3;",
        "dm 3; id \"a\"; id \"b\";",
    ] {
        let output = mate_of(&format!("{THREE} {line}"), &["--epd", "-"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.contains("is said twice, with different words"),
            "{text}"
        );
        assert_eq!(output.status.code(), Some(2));
    }
}

/// What cannot be written is not passed over.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let folder = tempdir().unwrap();
    let suite = folder.path().join("one.epd");
    fs::write(&suite, format!("{THREE} dm 3;\n")).unwrap();
    for flags in [
        &["--epd-out", "-"][..],
        &["--epd-out", "-", "--quiet"],
        &["--json"],
        &[],
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = support::dchess()
            .arg("mate")
            .arg("--epd")
            .arg(&suite)
            .args(flags)
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("cannot write the output"), "{told}");
    }
}

#[test]
fn what_stands_in_a_line_is_not_lost() {
    let folder = tempdir().unwrap();
    let written = folder.path().join("out.epd").display().to_string();
    let fen = THREE;
    let input = format!(
        "{fen} 12 34 dm 3; id \"H\u{f8}eg\";\n{fen} 5 7 hmvc 9; dm 3;\n{fen} dm 3; bm Kg6; am Kg6;\n"
    );
    let output = mate_of(&input, &["--epd", "-", "--epd-out", &written]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("2\terror\ta clock is said to be 9 and 5"),
        "{text}"
    );
    assert!(
        text.contains("3\terror\ta move is said to be best and to be avoided"),
        "{text}"
    );
    let epd = fs::read_to_string(&written).unwrap();
    assert!(epd.contains("id \"H\u{f8}eg\"; hmvc 12; fmvn 34;"), "{epd}");
    // Latin-1 is understood.
    let mut child = support::dchess()
        .args(["mate", "--epd", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let line = [format!("{fen} dm 3; id \"H").as_bytes(), b"\xf8eg\";\n"].concat();
    child.stdin.take().unwrap().write_all(&line).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn flags_that_would_do_nothing_are_refused() {
    let folder = tempdir().unwrap();
    let suite = folder.path().join("suite.epd").display().to_string();
    let out = folder.path().join("out").display().to_string();
    fs::write(&suite, format!("{THREE} dm 3;\n")).unwrap();
    for arguments in [
        vec![THREE, "--max-moves", "3", "--mated", "--all-keys"],
        vec![THREE, "--max-moves", "3", "--solution", "--quiet"],
        vec![
            THREE,
            "--max-moves",
            "3",
            "--solution",
            "--json",
            "--knight",
            "N",
        ],
        vec![THREE, "--max-moves", "3", "--all-keys", "--any-key"],
        vec!["--epd", &suite, "--force"],
        vec!["--epd", &suite, "--pgn", &suite, "--max-moves", "3"],
        vec!["--epd", &suite, "--out", &out, "--epd-out", &out],
        vec!["--epd", &suite, "--out", "-", "--epd-out", "-"],
    ] {
        assert_eq!(mate(&arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert!(!Path::new(&out).exists());
    let empty = mate_of("# nothing\n\n", &["--epd", "-"]);
    assert_eq!(empty.status.code(), Some(2), "there is no position");
    let output = mate(&["--epd", &suite, "--epd-out", "-"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with(THREE) && text.lines().count() == 1,
        "{text}"
    );
}
