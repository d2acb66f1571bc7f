//! The printed figures against two other sources: the table of the design (reproduced by
//! independent programs, and by C2) and the distance histograms of two further programs.

mod support;

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use serde_json::{Value, json};

/// Class, then the figures that the design lists, by JSON key.
fn design_table() -> [(&'static str, Value); 2] {
    [
        (
            "KQK",
            json!({
                "raw_states": 368_452, "states": 46_137, "edges": 609_873, "legal_moves": 612_173,
                "symmetry_comparisons": 369_096, "checkmates": 46, "stalemates": 109,
                "wins": 18_081, "losses": 25_160, "draws": 2_896,
                "max_dtm_plies": 20, "max_dtm_states": 8,
                "longest_fen": "8/8/8/8/4k3/8/1Q6/K7 b - - 0 1", "dtm_classes": 22,
            }),
        ),
        (
            "KRK",
            json!({
                "raw_states": 399_112, "states": 50_015, "edges": 558_816, "legal_moves": 560_244,
                "symmetry_comparisons": 400_120, "checkmates": 27, "stalemates": 9,
                "wins": 21_959, "losses": 25_260, "draws": 2_796,
                "max_dtm_plies": 32, "max_dtm_states": 390,
                "longest_fen": "8/8/8/8/8/8/1Rk5/K7 b - - 0 1", "dtm_classes": 34,
            }),
        ),
    ]
}

/// What `solve-endgame` prints of a class with `--json`; each class is solved once.
fn solved(name: &str) -> Value {
    static SOLVED: LazyLock<Mutex<BTreeMap<String, Value>>> = LazyLock::new(Mutex::default);
    let mut solved = SOLVED.lock().unwrap();
    let found = solved
        .entry(name.to_owned())
        .or_insert_with(|| json_of(&["solve-endgame", name]));
    found.clone()
}

/// What a command prints with `--json`, in a folder of its own.
fn json_of(arguments: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let mut command = support::dchess();
    let output = command
        .args(arguments)
        .arg("--json")
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn rounded(value: &Value, places: i32) -> f64 {
    let scale = 10_f64.powi(places);
    (value.as_f64().unwrap() * scale).round() / scale
}

/// The rows of a figures file after the two header lines.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().skip(2).map(|line| line.split('\t').collect())
}

#[test]
fn solve_endgame_prints_the_figures_of_the_design() {
    for (name, expected) in design_table() {
        let found = solved(name);
        assert_eq!(found["universe"], name);
        for (key, figure) in expected.as_object().unwrap() {
            assert_eq!(&found[key], figure, "{name} {key}");
        }
    }
}

#[test]
fn branching_and_compression_are_those_of_the_design() {
    for (name, branching, compression) in [("KQK", 13.2633, 2_097.0), ("KRK", 11.1810, 1_471.0)] {
        let found = solved(name);
        assert_eq!(rounded(&found["branching"], 4), branching);
        assert_eq!(rounded(&found["class_compression"], 0), compression);
    }
}

#[test]
fn pruning_prints_the_ceiling_of_the_design() {
    // C2, section 8.
    for (name, edges, worse, percent, branching, optimal) in [
        ("KQK", 609_873, 40_323, 6.61, 13.2633, 2.3062),
        ("KRK", 558_816, 40_266, 7.21, 11.1810, 1.8880),
    ] {
        let found = json_of(&["pruning", "--universe", name]);
        assert_eq!(found["edges"], edges);
        assert_eq!(found["strictly_worse"], worse);
        let share = json!(found["strictly_worse_share"].as_f64().unwrap() * 100.0);
        assert_eq!(rounded(&share, 2), percent);
        assert_eq!(rounded(&found["branching"], 4), branching);
        assert_eq!(rounded(&found["optimal_branching"], 4), optimal);
    }
}

#[test]
fn histograms_are_those_of_two_other_programs() {
    for name in ["KQK", "KRK", "KBK", "KNK", "KPK"] {
        let expected: Vec<Value> = rows(include_str!("figures/endgames-dtm.tsv"))
            .filter(|row| row[0] == name)
            .map(|row| {
                let number = |text: &str| text.parse::<u64>().unwrap();
                json!({"side": row[1], "result": row[2], "plies": number(row[3]), "states": number(row[4])})
            })
            .collect();
        let found = solved(name);
        assert_eq!(found["histogram"], json!(expected), "{name}");
    }
}

#[test]
fn results_of_each_side_are_those_of_two_other_programs() {
    for row in rows(include_str!("figures/endgames.tsv")).filter(|row| row[0].len() == 3) {
        let number = |column: usize| row[column].parse::<u64>().unwrap();
        let found = json_of(&["solve-endgame", row[0]]);
        let side = |wins, draws, losses| json!({"wins": number(wins), "losses": number(losses), "draws": number(draws)});
        assert_eq!(
            found["by_side"],
            json!({"white": side(1, 2, 3), "black": side(9, 10, 11)})
        );
        let raw: u64 = [4, 5, 6, 12, 13, 14].into_iter().map(number).sum();
        assert_eq!(found["raw_states"], raw, "{}", row[0]);
        let longest = [7, 8, 15, 16].into_iter().map(number).max();
        assert_eq!(found["max_dtm_plies"].as_u64(), longest, "{}", row[0]);
    }
}

#[test]
fn three_men_have_every_figure_of_two_other_programs() {
    let classes = support::figures::classes().into_iter();
    let classes: Vec<_> = classes.filter(|name| name.len() == 3).collect();
    assert_eq!(classes.len(), 5);
    for name in classes {
        support::figures::check(name);
    }
}

#[test]
fn bishop_and_knight_draw_everywhere() {
    for name in ["KBK", "KNK"] {
        let found = solved(name);
        assert_eq!(found["draws"], found["states"]);
        assert_eq!(found["max_dtm_plies"], 0);
        assert_eq!(found["max_dtm_states"], 0);
        assert_eq!(found["longest_fen"], Value::Null);
        assert_eq!(found["histogram"], json!([]));
    }
}

#[test]
fn the_keys_are_the_documented_ones() {
    let keys = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let mut expected = vec![
        "universe",
        "raw_states",
        "states",
        "edges",
        "legal_moves",
        "symmetry_comparisons",
        "checkmates",
        "stalemates",
        "wins",
        "losses",
        "draws",
        "by_side",
        "max_dtm_plies",
        "max_dtm_states",
        "longest_fen",
        "branching",
        "dtm_classes",
        "class_compression",
        "histogram",
        "certificate",
        "id",
        "children",
        "en_passant",
        "mutual_zugzwangs",
        "transfers_at_h0",
        "bytes_per_state",
    ];
    expected.sort_unstable();
    assert_eq!(keys(&solved("KNK")), expected);
    let mut expected = vec![
        "universe",
        "edges",
        "strictly_worse",
        "strictly_worse_share",
        "branching",
        "optimal_branching",
    ];
    expected.sort_unstable();
    assert_eq!(keys(&json_of(&["pruning", "--universe", "KNK"])), expected);
}
