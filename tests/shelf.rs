//! Runs of a class that rests on others: what is finished stays, is used only if it holds, and is
//! never undone; whatever stops a run, the next one goes on and comes to the same bytes.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use dchess::certificate::Format;
use support::forge::Forge;
use support::runs::{GOOD, command, files, planned, run, told};
#[cfg(unix)]
use support::runs::{Moment, stopped_again_and_again};
use tempfile::{TempDir, tempdir};

/// The tables of KPK and all that it rests on, by file name.
static TABLES: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
    let table = |name: &str| {
        (
            format!("{name}.bin"),
            support::certificate(name, Format::Bin),
        )
    };
    ["KPK", "KQK", "KRK"].map(table).into()
});

const KPK: &[&str] = &["solve-endgame", "KPK", "--quiet", "--out", "KPK.bin"];

/// A folder with some of the tables.
fn folder_with(names: &[&str]) -> TempDir {
    let folder = tempdir().unwrap();
    for name in names {
        fs::write(folder.path().join(name), &TABLES[*name]).unwrap();
    }
    folder
}

#[test]
fn children_are_solved_and_written_beside_with_the_same_bytes_for_any_threads() {
    for threads in ["1", "2"] {
        let folder = tempdir().unwrap();
        let output = run(folder.path(), &[KPK, &["--threads", threads]].concat());
        assert_eq!(told(&output), GOOD);
        assert!(files(folder.path()) == *TABLES, "{threads} threads");
    }
}

#[test]
fn children_in_another_encoding_are_as_good() {
    let folder = folder_with(&["KRK.bin"]);
    let text = support::certificate("KQK", Format::Json);
    fs::write(folder.path().join("KQK.bin"), &text).unwrap();
    assert_eq!(told(&run(folder.path(), KPK)), GOOD);
    let found = files(folder.path());
    assert!(found["KPK.bin"] == TABLES["KPK.bin"]);
    assert!(found["KQK.bin"] == text, "a child was written anew");
}

/// Something in the place of a child that is none, and what is said of it.
type Obstacle = (&'static str, fn(&Path), &'static str);

#[test]
fn what_is_no_table_of_the_child_is_named_and_nothing_is_overwritten() {
    let obstacles: [Obstacle; 8] = [
        (
            "a changed byte",
            |child| {
                let mut bytes = TABLES["KQK.bin"].clone();
                bytes[70_000] ^= 4;
                fs::write(child, bytes).unwrap();
            },
            "REFUTED digest mismatch",
        ),
        (
            "a file cut short",
            |child| fs::write(child, &TABLES["KQK.bin"][..100_000]).unwrap(),
            "REFUTED truncated",
        ),
        (
            "an empty file",
            |child| fs::write(child, "").unwrap(),
            "REFUTED empty file",
        ),
        (
            "a thesis",
            |child| fs::write(child, "a thesis").unwrap(),
            "REFUTED not a certificate",
        ),
        (
            "the table of another class",
            |child| fs::write(child, &TABLES["KRK.bin"]).unwrap(),
            "REFUTED claim differs",
        ),
        (
            "a lie with a right digest",
            |child| {
                let mut lie = Forge::of(&TABLES["KQK.bin"]);
                let mate = lie.values.iter().position(|&byte| byte == 0).unwrap();
                lie.values[mate] = 2;
                fs::write(child, lie.seal()).unwrap();
            },
            "REFUTED wrong distance",
        ),
        (
            "a newer format",
            |child| {
                let mut newer = Forge::of(&TABLES["KQK.bin"]);
                newer.version = 3;
                fs::write(child, newer.seal()).unwrap();
            },
            "DECLINED unknown version",
        ),
        (
            "a folder",
            |child| fs::create_dir(child).unwrap(),
            "not a regular file",
        ),
    ];
    for (name, put, said) in obstacles {
        let folder = folder_with(&["KRK.bin"]);
        fs::write(folder.path().join("KPK.bin"), "the old file").unwrap();
        put(&folder.path().join("KQK.bin"));
        let before = files(folder.path());
        let (code, text) = told(&run(folder.path(), &[KPK, &["--force"]].concat()));
        assert_eq!(code, Some(2), "{name}: {text}");
        assert!(
            text.contains("KQK.bin") && text.contains(said),
            "{name}: {text}"
        );
        assert!(files(folder.path()) == before, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_table() {
    let folder = folder_with(&["KRK.bin"]);
    let made = Command::new("mkfifo")
        .arg(folder.path().join("KQK.bin"))
        .status()
        .unwrap();
    assert!(made.success());
    // Whoever opens the pipe all the same reads nothing instead of waiting for ever.
    let mut writer = Command::new("sh")
        .args(["-c", ": > KQK.bin"])
        .current_dir(&folder)
        .spawn()
        .unwrap();
    let (code, text) = told(&run(folder.path(), KPK));
    writer.kill().unwrap();
    writer.wait().unwrap();
    assert_eq!(code, Some(2));
    assert!(
        text.contains("KQK.bin") && text.contains("not a regular file"),
        "{text}"
    );
    assert!(!folder.path().join("KPK.bin").exists());
}

#[test]
fn children_have_their_own_folder_if_one_is_named() {
    let folder = tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let with = |children: &str| {
        let arguments = ["solve-endgame", "KPK", "--quiet", "--out", "out/KPK.bin"];
        let children = ["--children", children];
        told(&run(folder.path(), &[&arguments[..], &children].concat()))
    };
    // A file is no folder, and that is found out before anything is solved.
    fs::write(place("file"), "a thesis").unwrap();
    let (code, text) = with("file");
    assert_eq!(code, Some(2));
    assert!(text.contains("file is not a folder"), "{text}");
    assert!(!place("out").exists());

    // So is a slip in its name.
    let (code, text) = with("new/tables");
    assert_eq!(code, Some(2));
    assert!(text.contains("new/tables is not a folder"), "{text}");
    assert!(!place("out").exists() && !place("new").exists());

    // What is there is taken, what is missing made, in that folder alone.
    fs::create_dir_all(place("new/tables")).unwrap();
    let (mut children, mut table) = (TABLES.clone(), TABLES.clone());
    children.remove("KPK.bin");
    table.retain(|name, _| name == "KPK.bin");
    assert_eq!(with("new/tables"), GOOD);
    assert!(files(&place("new/tables")) == children && files(&place("out")) == table);
    fs::create_dir(place("one")).unwrap();
    fs::write(place("one/KRK.bin"), &TABLES["KRK.bin"]).unwrap();
    assert_eq!(with("one"), GOOD);
    assert!(files(&place("one")) == children && files(&place("out")) == table);
}

#[test]
fn a_place_that_cannot_be_written_to_is_found_out_before_the_work() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "x").unwrap();
    fs::write(folder.path().join("thesis.bin"), "a thesis").unwrap();
    fs::write(folder.path().join("KQK.bin"), &TABLES["KQK.bin"]).unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    fs::create_dir(folder.path().join("children")).unwrap();
    let before = files(folder.path());
    for (out, said) in [
        ("file/KPK.bin", "cannot write file/KPK.bin"),
        ("folder", "not a regular file"),
        ("/dev/full", "not a regular file"),
        ("/dev/full/KPK.bin", "cannot write /dev/full/KPK.bin"),
        ("thesis.bin", "--force"),
        ("KQK.bin", "--force"),
    ] {
        let arguments = [
            "solve-endgame",
            "KPK",
            "--children",
            "children",
            "--out",
            out,
        ];
        let (code, text) = told(&run(folder.path(), &arguments));
        assert_eq!(code, Some(2), "{out}: {text}");
        assert!(text.contains(out) && text.contains(said), "{out}: {text}");
        assert!(files(folder.path()) == before, "{out}");
        assert!(files(&folder.path().join("children")).is_empty(), "{out}");
    }
}

/// Permissions do not bind root, so the run has to be somebody else's.
#[cfg(unix)]
#[test]
fn a_folder_without_the_right_to_write_is_an_error_with_the_name() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    let folder = folder_with(&["KQK.bin", "KRK.bin"]);
    let readable = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let program = tempdir().unwrap();
    readable(program.path(), 0o755);
    let copy = program.path().join("dchess");
    fs::copy(assert_cmd::cargo::cargo_bin!("dchess"), &copy).unwrap();
    readable(&copy, 0o755);
    readable(folder.path(), 0o555);
    let as_nobody = || {
        let mut command = Command::new(&copy);
        command.current_dir(&folder);
        // The folder belongs to whoever runs the test.
        if fs::metadata(folder.path()).unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    };
    let mut command = as_nobody();
    command.args(KPK);
    let (code, text) = told(&command.output().unwrap());
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("KPK.bin") && text.contains("denied"),
        "{text}"
    );
    // What is there already need not be written.
    let mut command = as_nobody();
    command.args(["solve-endgame", "KQK", "--out", "KQK.bin", "--json"]);
    let output = command.output().unwrap();
    readable(folder.path(), 0o755);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("sha256:96bb5c62")
    );
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    assert_eq!(names, ["KQK.bin", "KRK.bin"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_certificate_that_standard_output_does_not_take_is_an_error() {
    let folder = folder_with(&["KQK.bin", "KRK.bin"]);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let arguments = [
        "solve-endgame",
        "KPK",
        "--quiet",
        "--children",
        ".",
        "--out",
        "-",
    ];
    let mut command = command(folder.path(), &arguments);
    let (code, text) = told(
        &command
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap(),
    );
    assert_eq!(code, Some(2));
    assert!(text.contains("cannot write the output"), "{text}");
}

/// A file that cannot grow to the size of the table: KQK.bin and KRK.bin have some 150,000 bytes each,
/// KPK.bin has 497,502. (A block of `ulimit -f` has 512 or 1,024 bytes.)
#[cfg(unix)]
fn run_with_short_files(folder: &Path, before: &str) -> Output {
    let script = format!("{before} ulimit -f 400; exec \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &script])
        .arg(assert_cmd::cargo::cargo_bin!("dchess"))
        .args(KPK)
        .arg("--force")
        .current_dir(folder)
        .output()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn a_table_that_does_not_fit_leaves_the_old_file_and_whole_children() {
    let mut expected = TABLES.clone();
    expected.insert("KPK.bin".to_owned(), b"the old file".to_vec());
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("KPK.bin"), "the old file").unwrap();

    // The system says no: an error, and nothing is left behind.
    let (code, text) = told(&run_with_short_files(folder.path(), "trap '' XFSZ;"));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("cannot write KPK.bin"), "{text}");
    assert!(files(folder.path()) == expected);

    // The system kills the run: it can leave a hidden temporary file behind.
    let output = run_with_short_files(folder.path(), "");
    assert_eq!(output.status.code(), None);
    let mut found = files(folder.path());
    found.retain(|name, _| !name.starts_with('.'));
    assert!(found == expected);

    let output = run(folder.path(), &[KPK, &["--force"]].concat());
    assert_eq!(told(&output), GOOD);
    let mut found = files(folder.path());
    found.retain(|name, _| !name.starts_with('.'));
    assert!(found == *TABLES);
}

/// A disk of its own for the run, where the system allows that to be made.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_too_small_is_found_out_before_the_work() {
    let folder = tempdir().unwrap();
    let script = "mount -t tmpfs -o size=300k tmpfs . && cd \"$PWD\" || exit 77
        echo 'the old file' > KPK.bin; \"$0\" \"$@\"; code=$?; ls -A; cat KPK.bin; exit $code";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(assert_cmd::cargo::cargo_bin!("dchess"))
        .args(KPK)
        .arg("--force")
        .current_dir(&folder)
        .output();
    let output = match output {
        Ok(output) if output.status.code() != Some(77) => output,
        _ => {
            println!("NOT RUN: a_disk_that_is_too_small_is_found_out_before_the_work");
            return;
        }
    };
    let (code, text) = told(&output);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("KiB are free in "), "{text}");
    assert_eq!(output.stdout, b"KPK.bin\nthe old file\n");
}

#[test]
fn a_run_that_needs_too_much_memory_is_refused_with_the_figure() {
    let folder = tempdir().unwrap();
    let needed = planned(folder.path(), &["KPK", "--out", "KPK.bin"])["memory_bytes"]
        .as_u64()
        .unwrap();
    let with = |memory: &str| told(&run(folder.path(), &[KPK, &["--memory", memory]].concat()));
    for memory in ["1M", "0", &(needed - 1).to_string()] {
        let (code, text) = with(memory);
        assert_eq!(code, Some(2), "{text}");
        let figure = format!(
            "KPK takes {:.1} MiB of memory",
            needed as f64 / f64::from(1 << 20)
        );
        assert!(text.contains(&figure), "{text}");
        if memory == "1M" {
            assert!(text.contains("1.0 MiB are allowed"), "{text}");
        }
        assert!(files(folder.path()).is_empty());
    }
    assert_eq!(with(&needed.to_string()), GOOD);
}

#[test]
fn a_plan_keeps_its_word() {
    let folder = tempdir().unwrap();
    let arguments = ["solve-endgame", "KPK", "--quiet", "--out", "KPK.bin"];
    // Fresh, and with children that are there and have to be verified.
    for _ in 0..2 {
        let plan = planned(folder.path(), &["KPK", "--out", "KPK.bin"]);
        let at_most = |key: &str| plan[key].as_u64().unwrap();
        assert_eq!(told(&run(folder.path(), &arguments)), GOOD);
        assert!(TABLES["KPK.bin"].len() as u64 <= at_most("bytes_at_most"));
        assert!(Forge::of(&TABLES["KPK.bin"]).values.len() as u64 <= at_most("states_at_most"));
        let record = fs::read(folder.path().join("KPK.run.json")).unwrap();
        let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
        if let Some(peak) = record["peak_rss_bytes"].as_u64() {
            assert!(peak <= at_most("memory_bytes"), "{peak} bytes: {plan}");
        }
        fs::remove_file(folder.path().join("KPK.bin")).unwrap();
    }
    for (name, table) in TABLES.iter() {
        let plan = planned(folder.path(), &[&name[..3]]);
        assert!(
            table.len() as u64 <= plan["bytes_at_most"].as_u64().unwrap(),
            "{plan}"
        );
    }
}

#[test]
fn a_plan_runs_nothing_and_writes_nothing() {
    let folder = tempdir().unwrap();
    let plan = ["solve-endgame", "krpkr", "--plan", "--out", "new/x.bin"];
    let output = run(folder.path(), &[&plan[..], &["--memory", "1"]].concat());
    assert_eq!(told(&output), GOOD);
    let text = String::from_utf8(output.stdout).unwrap();
    // Every class once, the way a run goes: a child before its parents.
    let classes: Vec<&str> = text
        .lines()
        .skip(1)
        .filter(|line| line.starts_with('K'))
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!((classes.len(), classes.last()), (18, Some(&"KRPKR")));
    assert!(text.contains("to be solved"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

    // What is in the folder is not even read.
    let folder = folder_with(&["KQK.bin"]);
    fs::write(folder.path().join("KRK.bin"), "a thesis").unwrap();
    fs::write(folder.path().join("KPK.bin"), "another").unwrap();
    let before = files(folder.path());
    let output = run(
        folder.path(),
        &["solve-endgame", "KPK", "--plan", "--children", "."],
    );
    assert_eq!(told(&output), GOOD);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("there, to be verified").count(), 2, "{text}");
    assert_eq!(text.matches("to be solved").count(), 1, "{text}");
    assert!(files(folder.path()) == before);
}

#[test]
fn two_runs_at_once_come_to_the_same_tables() {
    for _ in 0..2 {
        let folder = tempdir().unwrap();
        let start = || {
            let mut command = command(folder.path(), &[KPK, &["--threads", "1"]].concat());
            command.stderr(Stdio::piped()).spawn().unwrap()
        };
        let runs = [start(), start()];
        for run in runs {
            assert_eq!(told(&run.wait_with_output().unwrap()), GOOD);
        }
        assert!(files(folder.path()) == *TABLES);
    }
}

#[cfg(unix)]
fn stop_again_and_again(signal: &str, code: Option<i32>) {
    let moments = [
        Moment::After(5),
        Moment::After(40),
        Moment::With("KQK.bin"),
        Moment::After(60),
        Moment::With("KRK.bin"),
        Moment::After(100),
        Moment::After(300),
    ];
    stopped_again_and_again("KPK", &TABLES, &moments, signal, code);
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_tables() {
    stop_again_and_again("KILL", None);
}

#[cfg(unix)]
#[test]
#[ignore = "the long tier runs it"]
fn a_run_that_is_interrupted_again_and_again_comes_to_the_same_tables() {
    stop_again_and_again("INT", Some(130));
}

#[test]
fn with_a_claim_only_what_it_rests_on_may_claim_something_else() {
    let folder = folder_with(&["KPK.bin", "KQK.bin", "KRK.bin"]);
    fs::write(
        folder.path().join("KNK.bin"),
        support::certificate("KNK", Format::Bin),
    )
    .unwrap();
    let verdicts = |files: &[&str], class: &str| {
        let claim = format!("endgame {class} board dtm");
        let output = run(
            folder.path(),
            &[&["verify", "--claim", &claim], files].concat(),
        );
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = text.lines().filter_map(|line| line.strip_prefix("s "));
        let verdicts: Vec<String> = lines
            .map(|line| {
                let is_other = line.contains("claim differs");
                line.split(' ').next().unwrap().to_owned() + if is_other { " differs" } else { "" }
            })
            .collect();
        (output.status.code().unwrap(), verdicts.join(", "))
    };
    let good = "VERIFIED, VERIFIED, VERIFIED".to_owned();
    assert_eq!(
        verdicts(&["KPK.bin", "KRK.bin", "KQK.bin"], "KPK"),
        (0, good)
    );
    // KNK is none of its children, and KPK no child of KQK.
    let other = "REFUTED differs, VERIFIED, VERIFIED, VERIFIED".to_owned();
    assert_eq!(verdicts(&["."], "KPK"), (1, other));
    let other = "REFUTED differs, VERIFIED, REFUTED differs".to_owned();
    assert_eq!(
        verdicts(&["KPK.bin", "KQK.bin", "KRK.bin"], "KQK"),
        (1, other)
    );
    // Children of what is not there are only something else.
    let other = "REFUTED differs, REFUTED differs".to_owned();
    assert_eq!(verdicts(&["KQK.bin", "KRK.bin"], "KPK"), (1, other));
}

#[test]
fn a_claim_that_is_none_is_a_mistake_of_the_caller() {
    let folder = folder_with(&["KQK.bin"]);
    for line in [
        "",
        "KQK",
        "endgame KQK board",
        "endgame KRKQ board dtm",
        "bisimulation KPK board",
        "endgame KQK board dtm\n",
    ] {
        let output = run(folder.path(), &["verify", "--claim", line, "KQK.bin"]);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.contains("is no claim"), "{message}");
        assert!(message.contains("`endgame KQK board dtm`"), "{message}");
    }
}
