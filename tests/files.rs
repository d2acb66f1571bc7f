//! What a run leaves on disk: whole files, never somebody else's work undone.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::tempdir;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    support::dchess()
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The names of the files in a folder.
fn listing(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_certificate_and_its_cost_have_their_default_places() {
    let folder = tempdir().unwrap();
    assert_eq!(code(&run(folder.path(), &["solve-endgame", "KvKN"])), 0);
    assert_eq!(listing(folder.path()), ["certificates"]);
    let certificates = folder.path().join("certificates");
    assert_eq!(listing(&certificates), ["KNK.bin", "KNK.run.json"]);
    let record = fs::read(certificates.join("KNK.run.json")).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(record["claim"], "endgame KNK board dtm");
    assert!(record["wall_seconds"].as_f64().unwrap() > 0.0);

    assert_eq!(
        code(&run(
            folder.path(),
            &["solve-endgame", "KNK", "--format", "json"]
        )),
        0
    );
    assert_eq!(
        listing(&certificates),
        ["KNK.bin", "KNK.json", "KNK.run.json"]
    );
}

#[test]
fn the_bytes_do_not_depend_on_threads_or_runs() {
    let folder = tempdir().unwrap();
    let bytes_of = |threads: &str, name: &str| {
        let output = run(
            folder.path(),
            &["solve-endgame", "KQK", "--threads", threads, "--out", name],
        );
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        fs::read(folder.path().join(name)).unwrap()
    };
    let first = bytes_of("1", "a.bin");
    for (threads, name) in [("1", "b.bin"), ("2", "c.bin"), ("7", "d.bin")] {
        assert!(bytes_of(threads, name) == first, "{threads} threads");
    }
}

#[test]
fn both_encodings_have_one_id_and_both_are_verified() {
    let folder = tempdir().unwrap();
    for name in ["x.bin", "x.json"] {
        run(
            folder.path(),
            &["solve-endgame", "KRK", "--quiet", "--out", name],
        );
    }
    assert_eq!(fs::read(folder.path().join("x.json")).unwrap()[0], b'{');
    let output = run(folder.path(), &["verify", "x.bin", "x.json", "--json"]);
    assert_eq!(code(&output), 0);
    let lines: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["id"], lines[1]["id"]);
    assert_eq!(lines[0]["verdict"], "VERIFIED");
    assert_eq!(lines[1]["verdict"], "VERIFIED");
}

#[test]
fn another_file_is_kept_unless_forced() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("mine.bin");
    fs::write(&path, "a thesis").unwrap();
    let output = run(
        folder.path(),
        &["solve-endgame", "KNK", "--out", "mine.bin"],
    );
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("--force"), "{}", stderr(&output));
    assert_eq!(fs::read(&path).unwrap(), b"a thesis");
    assert_eq!(listing(folder.path()), ["mine.bin"]);

    assert_eq!(
        code(&run(
            folder.path(),
            &["solve-endgame", "KNK", "--out", "mine.bin", "--force"]
        )),
        0
    );
    assert!(fs::read(&path).unwrap().starts_with(b"\x89DCHESS\n"));
    let again = run(
        folder.path(),
        &["solve-endgame", "KNK", "--out", "mine.bin"],
    );
    assert_eq!(code(&again), 0, "the same certificate again is no conflict");
    assert!(
        String::from_utf8(again.stdout)
            .unwrap()
            .contains("(unchanged)")
    );
}

#[test]
fn what_cannot_be_written_is_an_error_with_the_name() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "x").unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    for out in ["file/x.bin", "folder"] {
        let output = run(folder.path(), &["solve-endgame", "KNK", "--out", out]);
        assert_eq!(code(&output), 2, "{out}");
        assert!(stderr(&output).contains(out), "{}", stderr(&output));
    }
    assert_eq!(listing(folder.path()), ["file", "folder"]);
}

#[test]
fn standard_output_gets_the_certificate_alone() {
    let folder = tempdir().unwrap();
    let output = run(folder.path(), &["solve-endgame", "KNK", "--out", "-"]);
    assert_eq!(code(&output), 0);
    assert!(output.stdout == support::certificate("KNK", dchess::certificate::Format::Bin));
    assert!(stderr(&output).contains("endgame KNK board dtm"));
    assert!(listing(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn a_pipe_or_device_is_not_replaced() {
    let folder = tempdir().unwrap();
    let made = Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let output = run(
        folder.path(),
        &["solve-endgame", "KNK", "--out", "pipe", "--force"],
    );
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("not a regular file"),
        "{}",
        stderr(&output)
    );
    assert_eq!(listing(folder.path()), ["pipe"]);
}

#[cfg(unix)]
#[test]
fn a_link_keeps_pointing_to_its_file() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("target.bin"), "old").unwrap();
    std::os::unix::fs::symlink("target.bin", folder.path().join("link.bin")).unwrap();
    assert_eq!(
        code(&run(
            folder.path(),
            &["solve-endgame", "KNK", "--out", "link.bin", "--force"]
        )),
        0
    );
    let link = fs::symlink_metadata(folder.path().join("link.bin")).unwrap();
    assert!(link.is_symlink());
    assert!(
        fs::read(folder.path().join("target.bin"))
            .unwrap()
            .starts_with(b"\x89DCHESS\n")
    );
}

#[test]
fn only_an_older_record_is_replaced_by_a_record() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.run.json");
    fs::write(&path, "{\"mine\": 1}").unwrap();
    let output = run(folder.path(), &["solve-endgame", "KNK", "--out", "x.bin"]);
    assert_eq!(code(&output), 0, "the certificate is there all the same");
    assert!(
        stderr(&output).contains("x.run.json"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read(&path).unwrap(), b"{\"mine\": 1}");

    fs::remove_file(&path).unwrap();
    for _ in 0..2 {
        let output = run(folder.path(), &["solve-endgame", "KNK", "--out", "x.bin"]);
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    }
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .contains("endgame KNK board dtm")
    );
}

#[cfg(unix)]
#[test]
fn a_record_follows_no_link() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("precious"), "a thesis").unwrap();
    std::os::unix::fs::symlink("precious", folder.path().join("x.run.json")).unwrap();
    let output = run(folder.path(), &["solve-endgame", "KNK", "--out", "x.bin"]);
    assert_eq!(code(&output), 0);
    assert_eq!(
        fs::read(folder.path().join("precious")).unwrap(),
        b"a thesis"
    );
}

#[test]
fn records_have_the_whole_name_of_their_certificate() {
    let folder = tempdir().unwrap();
    for (out, record) in [("v1.KNK", "v1.KNK.run.json"), ("v1.bin", "v1.run.json")] {
        run(
            folder.path(),
            &["solve-endgame", "KNK", "--quiet", "--out", out],
        );
        assert!(folder.path().join(record).exists(), "{record}");
    }
    let output = run(
        folder.path(),
        &["solve-endgame", "KNK", "--out", "x.run.json"],
    );
    assert_eq!(code(&output), 2);
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_no_place_for_a_certificate() {
    let folder = tempdir().unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("x.bin")).unwrap();
    let output = run(
        folder.path(),
        &["solve-endgame", "KNK", "--out", "x.bin", "--force"],
    );
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("link"), "{}", stderr(&output));
    assert_eq!(listing(folder.path()), ["x.bin"]);
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.bin");
    fs::write(&path, "secret").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    run(
        folder.path(),
        &["solve-endgame", "KNK", "--out", "x.bin", "--force"],
    );
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
#[ignore = "the long tier runs it"]
fn of_two_runs_to_one_name_one_is_told() {
    let folder = tempdir().unwrap();
    for _ in 0..8 {
        // Two encodings of one table take the same time, so both often look for the file before
        // either has written it.
        let start = |format: &str| {
            support::dchess()
                .args([
                    "solve-endgame",
                    "KNK",
                    "--quiet",
                    "--threads",
                    "1",
                    "--out",
                    "x.bin",
                ])
                .args(["--format", format])
                .current_dir(&folder)
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        };
        let mut runs = [start("bin"), start("json")];
        let codes = runs
            .each_mut()
            .map(|run| run.wait().unwrap().code().unwrap());
        assert!(codes == [0, 2] || codes == [2, 0], "{codes:?}");
        fs::remove_file(folder.path().join("x.bin")).unwrap();
    }
}

/// Starts a solver over the file `x.bin` of a folder and signals it after some milliseconds: its exit
/// code, if it came to one.
#[cfg(unix)]
fn signalled_run(folder: &Path, class: &str, signal: &str, delay: u64) -> Option<i32> {
    let mut child = support::dchess()
        .args([
            "solve-endgame",
            class,
            "--threads",
            "1",
            "--force",
            "--out",
            "x.bin",
        ])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(delay));
    // The run may be over already: then there is nobody to signal.
    let _ = Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    child.wait().unwrap().code()
}

#[cfg(unix)]
#[test]
fn an_interruption_after_the_rename_comes_too_late() {
    // Whatever the moment: if the run says that nothing was written, nothing was.
    for delay in (40..240).step_by(20) {
        let folder = tempdir().unwrap();
        fs::write(folder.path().join("x.bin"), "old").unwrap();
        let code = signalled_run(folder.path(), "KNK", "INT", delay);
        let is_old = fs::read(folder.path().join("x.bin")).unwrap() == b"old";
        assert_eq!(is_old, code != Some(0), "after {delay} ms");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_deaf_stderr_does_not_change_the_exit_code() {
    for arguments in [
        &["info", "nowhere"][..],
        &["man", "nothing"],
        &["verify", "nowhere"],
    ] {
        let deaf = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let status = support::dchess()
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(deaf)
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(2), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn verify_says_something_about_everything_in_a_folder() {
    let folder = tempdir().unwrap();
    let place = |name: &str| folder.path().join("t").join(name);
    fs::create_dir_all(place("below/.hidden")).unwrap();
    let good = support::certificate("KNK", dchess::certificate::Format::Bin);
    fs::write(place("below/good.bin"), &good).unwrap();
    fs::write(place("below/.hidden/no.bin"), "not looked at").unwrap();
    fs::write(place("below/notes.txt"), "not looked at").unwrap();
    fs::write(place("good.run.json"), "not looked at").unwrap();
    let all_good = run(folder.path(), &["verify", "t"]);
    assert_eq!(code(&all_good), 0);
    assert_eq!(
        String::from_utf8(all_good.stdout).unwrap().lines().count(),
        2
    );

    std::os::unix::fs::symlink("nowhere", place("gone.bin")).unwrap();
    std::os::unix::fs::symlink("..", place("circle.bin")).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(place("pipe.bin"))
            .status()
            .unwrap()
            .success()
    );
    let output = run(folder.path(), &["verify", "t", "--json"]);
    let lines: Vec<serde_json::Value> = String::from_utf8(output.stdout.clone())
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let verdict = |name: &str| {
        let file = format!("t/{name}");
        lines
            .iter()
            .find(|line| line["file"] == file)
            .map(|line| line["verdict"].clone())
    };
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(verdict("below/good.bin"), Some("VERIFIED".into()));
    assert_eq!(verdict("gone.bin"), Some("DECLINED".into()));
    assert_eq!(verdict("pipe.bin"), Some("DECLINED".into()));
    assert_eq!(code(&output), 2);

    fs::write(place("bad.bin"), "x").unwrap();
    assert_eq!(code(&run(folder.path(), &["verify", "t", "nowhere"])), 1);
}

/// Sends a signal at several moments of a run; whatever it hits, a certificate is there whole or
/// not at all.
#[cfg(unix)]
fn signalled(signal: &str, expected: &[Option<i32>]) {
    for delay in [0, 3, 10, 30, 60, 100, 150, 250] {
        let folder = tempdir().unwrap();
        let old = b"the old file".to_vec();
        fs::write(folder.path().join("x.bin"), &old).unwrap();
        let code = signalled_run(folder.path(), "KQK", signal, delay);
        let found = fs::read(folder.path().join("x.bin")).unwrap();
        if code == Some(0) {
            assert!(found.starts_with(b"\x89DCHESS\n") && found.len() == 138_723);
        } else {
            // A run that is signalled before it listens dies of the signal itself.
            assert!(
                expected.contains(&code),
                "SIG{signal} after {delay} ms: {code:?}"
            );
            assert!(
                found == old || found.len() == 138_723,
                "SIG{signal} after {delay} ms"
            );
        }
        if signal == "INT" && code == Some(130) {
            assert_eq!(listing(folder.path()), ["x.bin"], "after {delay} ms");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_the_old_file() {
    signalled("INT", &[Some(130), None]);
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_the_old_file() {
    signalled("KILL", &[None]);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = tempdir().unwrap();
    for arguments in [
        &["solve-endgame", "KNK"][..],
        &["completions", "bash"],
        &["man"],
        &["--help"],
    ] {
        let mut child = support::dchess()
            .args(arguments)
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(stderr(&output), "", "{arguments:?}");
        assert_eq!(code(&output), 0, "{arguments:?}");
    }
}
