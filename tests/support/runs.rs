//! Runs of the program in a folder, and what they leave there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::tempdir;

/// The program in a folder.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = super::dchess();
    command.args(arguments).current_dir(folder);
    command
}

/// Runs the program in a folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Exit code and what was said on stderr.
pub fn told(output: &Output) -> (Option<i32>, String) {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    (output.status.code(), text)
}

/// What is told of a run in which all went well.
pub const GOOD: (Option<i32>, String) = (Some(0), String::new());

/// The files of a folder with their bytes; without the records of cost, which differ from run to run.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    files
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .filter(|(name, _)| !name.ends_with(".run.json"))
        .collect()
}

/// What `--plan` says of the class itself, the last one.
pub fn planned(folder: &Path, arguments: &[&str]) -> Value {
    let plan = [&["solve-endgame", "--plan", "--json"], arguments].concat();
    let output = run(folder, &plan);
    assert_eq!(told(&output), GOOD);
    let plan: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    plan.into_iter().next_back().unwrap()
}

/// When a run is stopped.
pub enum Moment {
    /// After so many milliseconds.
    After(u64),
    /// As soon as the file is there.
    With(&'static str),
}

/// Every table that stands under its name is whole, and where the class itself had a file it still
/// has that or the new one.
fn check_whole(folder: &Path, class: &str, tables: &BTreeMap<String, Vec<u8>>, when: &str) {
    for (name, table) in tables {
        // A file that is not there is none that is half written.
        let Ok(found) = fs::read(folder.join(name)) else {
            continue;
        };
        let is_old = *name == format!("{class}.bin") && found == b"the old file";
        assert!(is_old || found == *table, "{name} {when}");
    }
}

/// Runs a class again and again in one folder, each time stopped by a signal (with this exit code if
/// the program ends by itself), and then in peace. The tables are all that come to be.
#[cfg(unix)]
pub fn stopped_again_and_again(
    class: &str,
    tables: &BTreeMap<String, Vec<u8>>,
    moments: &[Moment],
    signal: &str,
    code: Option<i32>,
) {
    use std::os::unix::fs::MetadataExt;
    let folder = tempdir().unwrap();
    let own = format!("{class}.bin");
    fs::write(folder.path().join(&own), "the old file").unwrap();
    let arguments = [
        "solve-endgame",
        class,
        "--quiet",
        "--force",
        "--threads",
        "1",
        "--out",
        &own,
    ];
    let mut finished: BTreeMap<String, u64> = BTreeMap::new();
    for moment in moments {
        let mut child = command(folder.path(), &arguments)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let when = match moment {
            Moment::After(milliseconds) => {
                thread::sleep(Duration::from_millis(*milliseconds));
                format!("after {milliseconds} ms")
            }
            Moment::With(name) => {
                while !folder.path().join(name).exists() && child.try_wait().unwrap().is_none() {
                    check_whole(folder.path(), class, tables, "on the way");
                }
                format!("with {name}")
            }
        };
        // The run may be over already: then there is nobody to signal.
        let _ = Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .stderr(Stdio::null())
            .status();
        let found = child.wait().unwrap().code();
        // A run that is signalled before it listens dies of the signal itself.
        assert!([code, None, Some(0)].contains(&found), "{when}: {found:?}");
        check_whole(folder.path(), class, tables, &when);
        if found == Some(130) {
            let hidden = files(folder.path())
                .into_keys()
                .find(|name| name.starts_with('.'));
            assert_eq!(hidden, None, "{when}");
        }
        // What was finished is used, not made again.
        for name in tables.keys().filter(|name| **name != own) {
            if let Ok(metadata) = fs::metadata(folder.path().join(name)) {
                let file = finished.entry(name.clone()).or_insert(metadata.ino());
                assert_eq!(*file, metadata.ino(), "{name} {when}");
            }
        }
    }
    assert_eq!(told(&run(folder.path(), &arguments)), GOOD);
    let mut found = files(folder.path());
    // A run that was killed outright can leave its temporary file behind.
    found.retain(|name, _| !name.starts_with('.'));
    assert!(found == *tables);
    for (name, inode) in finished {
        let metadata = fs::metadata(folder.path().join(&name)).unwrap();
        assert_eq!(metadata.ino(), inode, "{name} in the end");
    }
}
