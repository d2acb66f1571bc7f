//! `refine` from outside: figures, files, explanations and exports, held to graphs that the tests
//! build themselves.

mod support;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use dchess::endgame::{Library, Material, State, Transitions, Universe};
use dchess::game::{GraphBuilder, Plies, Silent, StateIndex, Successor, Value as Worth};
use dchess::rules::{legal_position, parse_fen};
use dchess::solve::refine::refine;
use serde_json::Value;
use shakmaty::san::San;
use shakmaty::{Board, Chess, Color, Position, Setup, Square};
use support::bisimulation::{Lts, Told, count, partitions, read_aut};
use support::forge::{Blocks, DIGEST, HEADER};
use support::runs::{GOOD, command, files, run, told};
use support::truth;
use tempfile::{TempDir, tempdir};

/// Runs `refine` in a folder; what it prints as JSON.
fn report(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(
        folder,
        &[&["refine", "--json", "--universe"], arguments].concat(),
    );
    assert_eq!(told(&output), GOOD);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The certificate of a class in JSON, made in a folder of its own.
fn certificate(name: &str) -> (TempDir, Told) {
    let folder = tempdir().unwrap();
    report(folder.path(), &[name, "--out", "x.json"]);
    let told = Told::of(&fs::read(folder.path().join("x.json")).unwrap());
    (folder, told)
}

#[test]
fn three_men_have_the_figures_of_the_design() {
    let folder = tempdir().unwrap();
    for (name, states, edges, blocks, rounds, compression, classes) in [
        ("KRK", 50_015, 558_816, 49_885, 13, "1.002606", 34),
        ("kvkq", 46_137, 609_873, 45_249, 9, "1.019625", 22),
    ] {
        let found = report(folder.path(), &[name]);
        assert_eq!(found["states"], states);
        assert_eq!(found["edges"], edges);
        assert_eq!(found["blocks"], blocks);
        assert_eq!(found["rounds"], rounds);
        let counts = found["blocks_per_round"].as_array().unwrap();
        assert_eq!(counts.len(), rounds + 1);
        assert_eq!(counts[rounds - 1..], [blocks, blocks]);
        let shown = format!("{:.6}", found["compression"].as_f64().unwrap());
        assert_eq!(shown, compression);
        assert_eq!(found["semantic_classes"], classes);
        let semantic = found["semantic_compression"].as_f64().unwrap();
        let wanted = f64::from(states) / f64::from(classes);
        assert!((semantic - wanted).abs() < 1e-9, "{found}");
    }
    let names: Vec<String> = files(&folder.path().join("certificates"))
        .into_keys()
        .collect();
    assert_eq!(names, ["KQK.refine.bin", "KRK.refine.bin"]);
    let cost = fs::read(folder.path().join("certificates/KRK.refine.run.json")).unwrap();
    let cost: Value = serde_json::from_slice(&cost).unwrap();
    assert_eq!(cost["claim"], "bisimulation KRK board");
    assert!(cost["refinement_cpu_seconds"].is_number(), "{cost}");
}

#[test]
fn json_has_exactly_the_promised_keys_in_order() {
    let folder = tempdir().unwrap();
    let arguments = ["refine", "--json", "--universe", "KRK"];
    let text = String::from_utf8(run(folder.path(), &arguments).stdout).unwrap();
    let keys = "universe states edges blocks rounds blocks_per_round compression semantic_classes \
                semantic_compression certificate id";
    let places: Vec<usize> = keys
        .split_whitespace()
        .map(|key| text.find(&format!("\"{key}\":")).expect(key))
        .collect();
    assert!(places.is_sorted(), "{text}");
    assert_eq!(text.matches("\":").count(), places.len(), "{text}");
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn the_figures_for_people_name_the_conventions() {
    let folder = tempdir().unwrap();
    let output = run(folder.path(), &["refine", "--universe", "KQK"]);
    assert_eq!(told(&output), GOOD);
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "45,249",
        "1.019625x",
        "2097x",
        "sink",
        "label",
        "edge",
        "45,249  45,249",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let again = run(folder.path(), &["refine", "--universe", "KQK"]);
    let text = String::from_utf8(again.stdout).unwrap();
    assert!(text.contains("(unchanged)"), "{text}");
}

/// Another run, another number of threads, another place: the same bytes; another encoding: the same id.
#[test]
fn certificates_are_the_same_for_every_run_and_thread_count() {
    let folder = tempdir().unwrap();
    let bytes: Vec<Vec<u8>> = ["1", "2", "2", "5"]
        .iter()
        .map(|threads| {
            let arguments = ["refine", "--universe", "KQK", "--out", "-", "--quiet"];
            let output = run(
                folder.path(),
                &[&arguments[..], &["--threads", threads]].concat(),
            );
            assert_eq!(told(&output), GOOD);
            output.stdout
        })
        .collect();
    assert!(bytes.iter().all(|other| *other == bytes[0]));
    assert!(files(folder.path()).is_empty());
    let binary = report(folder.path(), &["KQK", "--out", "q.bin"]);
    assert!(fs::read(folder.path().join("q.bin")).unwrap() == bytes[0]);
    let json = report(
        folder.path(),
        &["KQK", "--format", "json", "--out", "q.txt"],
    );
    assert_eq!(json["id"], binary["id"]);
    let told = Told::of(&fs::read(folder.path().join("q.txt")).unwrap());
    assert_eq!(binary["id"], told.id);
}

/// The bytes are those of the format page, laid out here by hand.
#[test]
fn the_payload_is_that_of_the_format_page() {
    let folder = tempdir().unwrap();
    for name in ["KRK", "KPK"] {
        report(folder.path(), &[name, "--out", "x.json", "--force"]);
        let told = Told::of(&fs::read(folder.path().join("x.json")).unwrap());
        assert_eq!(told.id, told.id_by_hand());
        report(folder.path(), &[name, "--out", "x.bin", "--force"]);
        let file = fs::read(folder.path().join("x.bin")).unwrap();
        assert_eq!(file[..17], *b"\x89DCHESS\n\x02\0\0\0\x02\0\0\0\x01");
        let stored = &file[HEADER..file.len() - DIGEST];
        assert!(Blocks::of_stored(stored).expanded() == told.payload());
    }
}

/// Without symmetry there are eight times as many states and as many blocks: a state is bisimilar to its
/// images.
#[test]
#[ignore = "the long tier runs it"]
fn the_graph_without_symmetry_has_as_many_blocks() {
    for (name, raw, blocks) in [("KQK", 368_452, 45_249), ("KRK", 399_112, 49_885)] {
        let material: Material = name.parse().unwrap();
        let positions = raw_positions(&material);
        assert_eq!(positions.len(), raw);
        let key = |position: &Chess| (position.board().clone(), position.turn());
        let numbers: HashMap<(Board, Color), usize> = positions
            .iter()
            .enumerate()
            .map(|(number, position)| (key(position), number))
            .collect();
        let mut graph = GraphBuilder::new();
        let mut labels = Vec::new();
        for position in &positions {
            let moves = position.legal_moves();
            let successors: Vec<Successor> = moves
                .iter()
                .map(|&mv| {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    let number = numbers.get(&key(&next)).copied();
                    number.map_or(Successor::SINK, |number| StateIndex::new(number).into())
                })
                .collect();
            let kind = match (moves.is_empty(), position.is_check()) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => 2,
            };
            match kind {
                0 => graph.push(&successors),
                1 => graph.push_end(Worth::Draw),
                _ => graph.push_end(Worth::Loss(Plies::ZERO)),
            }
            labels.push(2 * kind + u32::from(position.turn().is_black()));
        }
        let found = refine(&graph.finish(), &labels, &Silent).unwrap();
        assert_eq!(found.origins.len(), blocks, "{name}");
    }
}

/// All positions of three different men.
fn raw_positions(material: &Material) -> Vec<Chess> {
    let mut positions = Vec::new();
    for number in 0..64_u32.pow(3) {
        let squares = [number >> 12, number >> 6 & 63, number & 63].map(Square::new);
        let mut board = Board::empty();
        for (square, &man) in squares.into_iter().zip(material.men()) {
            board.set_piece_at(square, man);
        }
        if board.occupied().count() < 3 {
            continue;
        }
        for turn in Color::ALL {
            let setup = Setup {
                board: board.clone(),
                turn,
                ..Setup::empty()
            };
            positions.extend(legal_position(setup));
        }
    }
    positions
}

/// The Aldebaran file, read back and refined by plain full rounds, has the blocks of the certificate in
/// every round, and one each for the root and the sink.
#[test]
fn the_aldebaran_file_has_the_same_rounds() {
    let folder = tempdir().unwrap();
    let arguments = ["KQK", "--out", "q.json", "--export-aut", "q.aut"];
    let found = report(folder.path(), &arguments);
    assert_eq!(found["blocks"], 45_249);
    let lts = read_aut(&fs::read_to_string(folder.path().join("q.aut")).unwrap());
    let states = 46_137;
    assert_eq!(lts.labels.len(), states + 2);
    assert!(lts.successors[0].iter().copied().eq(1..=states));
    assert_eq!(lts.labels[states + 1], "sink");
    for (label, count) in [("black checkmate", 46), ("black stalemate", 109)] {
        let found = lts.labels.iter().filter(|&found| found == label).count();
        assert_eq!(found, count, "{label}");
    }
    let partitions = partitions(&lts);
    let counts: Vec<usize> = partitions.iter().map(|found| count(found)).collect();
    assert_eq!(counts.last(), Some(&(45_249 + 2)));
    let told = Told::of(&fs::read(folder.path().join("q.json")).unwrap());
    let of_certificate = told.partitions();
    assert_eq!(of_certificate.len(), partitions.len());
    for (own, all) in of_certificate.iter().zip(&partitions) {
        // Without the root, whose block is the first, and the sink.
        let vertices = all[1..=states].iter().map(|block| block - 1);
        assert!(own.iter().copied().eq(vertices));
    }
}

/// A class with children, held to the definition: states of children are told apart by side, result
/// and distance.
#[test]
#[ignore = "the long tier runs it"]
fn children_are_told_apart_by_their_values() {
    let (folder, told) = certificate("KPK");
    assert_eq!(
        told.claim,
        "bisimulation KPK board relative to child values"
    );
    let names: Vec<&str> = told
        .children
        .iter()
        .map(|(claim, _)| claim.as_str())
        .collect();
    assert_eq!(names, ["endgame KQK board dtm", "endgame KRK board dtm"]);
    let report = report(folder.path(), &["KPK", "--out", "x.json"]);
    let classes = truth::endgame("KPK").summary.dtm_classes;
    assert_eq!(report["semantic_classes"], classes);
    for (name, id) in ["KQK", "KRK"]
        .iter()
        .zip(told.children.iter().map(|(_, id)| id))
    {
        let hex: String = truth::id(name)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(*id, format!("sha256:{hex}"));
        assert!(folder.path().join(format!("{name}.bin")).exists());
    }
    let lts = truth::with_library("KPK", |library| {
        definition(&"KPK".parse().unwrap(), library)
    });
    let vertices = told.map.len();
    let slow = partitions(&lts);
    assert_eq!(slow.len(), told.blocks_per_round.len());
    for (own, all) in told.partitions().iter().zip(&slow) {
        assert!(own[..] == all[..vertices]);
    }
    // The same graph with ends as states, from the file.
    self::report(
        folder.path(),
        &["KPK", "--out", "x.json", "--export-aut", "k.aut"],
    );
    let lts = read_aut(&fs::read_to_string(folder.path().join("k.aut")).unwrap());
    let ends = lts
        .labels
        .iter()
        .filter(|label| label.starts_with("child_"))
        .count();
    assert!(ends > 5, "{ends}");
    let last = partitions(&lts).pop().unwrap();
    assert_eq!(count(&last), told.parents.len() + 2 + ends);
}

/// The graph of a class by the definition, on positions, with child states labelled by their values.
fn definition(material: &Material, library: &Library) -> Lts {
    let universe = Universe::enumerate(material, &Silent).unwrap();
    let Transitions { graph, .. } = Transitions::generate(&universe, library, &Silent).unwrap();
    let sink = graph.len();
    let mut labels: Vec<String> = graph
        .states()
        .map(
            |state| match (state.get() < universe.len(), graph.end(state)) {
                (true, end) => format!("{:?} {end:?}", universe.state(state).turn()),
                (false, end) => format!("child {end:?}"),
            },
        )
        .collect();
    labels.push("sink".to_owned());
    let target = |successor: &Successor| successor.state().map_or(sink, StateIndex::get);
    let mut successors: Vec<Vec<usize>> = graph
        .states()
        .map(|state| graph.successors(state).iter().map(target).collect())
        .collect();
    successors.push(Vec::new());
    Lts { labels, successors }
}

#[test]
fn the_map_has_a_row_for_every_state_in_order() {
    let folder = tempdir().unwrap();
    let arguments = [
        "refine",
        "--universe",
        "KRK",
        "--export-map",
        "-",
        "--out",
        "r.json",
    ];
    let output = run(folder.path(), &[&arguments[..], &["--quiet"]].concat());
    assert_eq!(told(&output), GOOD);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("state,block,fen"));
    let told = Told::of(&fs::read(folder.path().join("r.json")).unwrap());
    let material: Material = "KRK".parse().unwrap();
    let universe = Universe::enumerate(&material, &Silent).unwrap();
    let mut rows = 0;
    for (number, line) in lines.enumerate() {
        let [state, block, fen] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("three columns in {line}");
        };
        assert_eq!(state, number.to_string());
        assert_eq!(block, told.map[number].to_string());
        let found = State::of(&material, &parse_fen(fen).unwrap());
        assert_eq!(found, universe.state(StateIndex::new(number)));
        rows += 1;
    }
    assert_eq!(rows, 50_015);
}

/// The answer of `--explain`.
fn explained(folder: &Path, name: &str, first: &str, second: &str) -> Value {
    let arguments = [
        "refine",
        "--json",
        "--universe",
        name,
        "--explain",
        first,
        second,
    ];
    let output = run(folder, &arguments);
    assert_eq!(told(&output), GOOD);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Replays an explanation: legal moves, rounds that fall, and in the end two positions that differ by
/// themselves. The round is that in which the certificate lets the states part.
fn check_play(told: &Told, universe: &Universe, answer: &Value) {
    let states = [0, 1].map(|side| answer["states"][side].as_u64().unwrap() as usize);
    let blocks = states.map(|state| told.map[state]);
    assert_eq!(answer["blocks"], serde_json::json!(blocks));
    assert_eq!(answer["same_block"], blocks[0] == blocks[1]);
    let partitions = told.partitions();
    let parted = partitions
        .iter()
        .position(|found| found[states[0]] != found[states[1]]);
    assert_eq!(answer["round"].as_u64(), parted.map(|round| round as u64));
    let mut positions =
        [0, 1].map(|side| parse_fen(answer["fens"][side].as_str().unwrap()).unwrap());
    let mut last = parted.unwrap_or(0) as u64 + 1;
    for step in answer["steps"].as_array().unwrap() {
        let round = step["round"].as_u64().unwrap();
        assert!(0 < round && round < last, "{answer}");
        last = round;
        let telling = usize::from(step["position"] == "second");
        let partition = &partitions[round as usize - 1];
        let block = |position: &Chess| {
            let men = position.board().occupied().count();
            let number =
                (men == 3).then(|| universe.number_of(&State::of(universe.material(), position)));
            number.map(|number| partition[number.unwrap().get()])
        };
        let others = after_all_moves(&positions[1 - telling]);
        for (side, san) in [(telling, &step["san"]), (1 - telling, &step["answer_san"])] {
            let position = &mut positions[side];
            let san = san.as_str().unwrap().trim_end_matches(['+', '#']);
            let san: San = san.parse().unwrap();
            position.play_unchecked(san.to_move(position).unwrap());
            let fen = parse_fen(step["fens"][side].as_str().unwrap()).unwrap();
            assert_eq!(fen.board(), position.board());
        }
        // It does tell: no move of the other position leads into that block.
        let reached = block(&positions[telling]);
        assert!(
            others.iter().all(|other| block(other) != reached),
            "{answer}"
        );
    }
    if parted.is_some() {
        let what = |position: &Chess| {
            let men = position.board().occupied().count();
            (
                men,
                position.turn(),
                position.is_checkmate(),
                position.is_stalemate(),
            )
        };
        assert_ne!(what(&positions[0]), what(&positions[1]), "{answer}");
    }
}

/// The positions after each legal move.
fn after_all_moves(position: &Chess) -> Vec<Chess> {
    let moves = position.legal_moves().into_iter();
    moves
        .map(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            next
        })
        .collect()
}

#[test]
#[ignore = "the long tier runs it"]
fn explanations_are_plays_that_tell_apart() {
    let (folder, told) = certificate("KRK");
    let material: Material = "KRK".parse().unwrap();
    let universe = Universe::enumerate(&material, &Silent).unwrap();
    let fen =
        |state: usize| dchess::rules::position_fen(&universe.position(StateIndex::new(state)));
    // Late partings, from the tree: the first states of a block and of its parent.
    let mut first_of = BTreeMap::new();
    for (state, &block) in told.map.iter().enumerate() {
        first_of.entry(block).or_insert(state);
    }
    for round in [1, 2, 5, 11, 12] {
        let block = told
            .split_rounds
            .iter()
            .position(|&found| found == round)
            .unwrap() as u32;
        let parent = told.parents[block as usize];
        let answer = explained(
            folder.path(),
            "KRK",
            &fen(first_of[&block]),
            &fen(first_of[&parent]),
        );
        assert_eq!(answer["round"], round);
        check_play(&told, &universe, &answer);
    }
    for pair in [[20, 30_000], [4_711, 8_150], [762, 764]] {
        let [first, second] = pair.map(fen);
        check_play(
            &told,
            &universe,
            &explained(folder.path(), "KRK", &first, &second),
        );
    }
    // Two states of a block.
    let first = "8/8/8/8/8/8/8/k1RK4 b - - 0 1";
    let answer = explained(folder.path(), "KRK", first, "8/8/8/8/8/8/8/1kRK4 b - - 0 1");
    assert_eq!(answer["same_block"], true);
    check_play(&told, &universe, &answer);
    // The same state, turned, and with the other colour.
    let answer = explained(folder.path(), "KRK", first, "4kr1K/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(answer["states"][0], answer["states"][1]);
    // Nothing was written.
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    assert_eq!(names, ["x.json"]);
}

#[test]
fn plays_go_on_into_children() {
    let folder = tempdir().unwrap();
    let answer = explained(
        folder.path(),
        "KPK",
        "8/4P3/8/8/8/8/k7/4K3 w - - 0 1",
        "8/4P3/8/8/8/1k6/8/4K3 w - - 0 1",
    );
    assert_eq!(answer["same_block"], false);
    let ends = answer["ends"].to_string();
    assert!(
        ends.contains("in K") && ends.contains("plies for"),
        "{answer}"
    );
    assert!(files(folder.path()).is_empty());
}

#[test]
fn what_cannot_be_done_is_refused_before_work_begins() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("other"), "something").unwrap();
    let krk = "8/8/8/8/8/8/1R6/K1k5 b - -";
    let cases: [(&[&str], &str); 13] = [
        (
            &["KRK", "--out", "other"],
            "other holds something else; use --force",
        ),
        (
            &["KRK", "--export-aut", "other"],
            "other is there already; use --force",
        ),
        (
            &["KRK", "--out", "x", "--export-map", "x"],
            "x is named for two outputs",
        ),
        // However they are spelled.
        (
            &["KRK", "--out", "x", "--export-map", "./x", "--force"],
            "./x is named for two outputs",
        ),
        (
            &["KRK", "--out", "x", "--export-aut", "new/../x", "--force"],
            "new/../x is named for two outputs",
        ),
        (
            &["KPK", "--out", "x", "--export-map", "./KQK.bin", "--force"],
            "./KQK.bin is where the table of KQK stands",
        ),
        (
            &[
                "KPK",
                "--children",
                ".",
                "--out",
                "new/../KRK.bin",
                "--force",
            ],
            "new/../KRK.bin is where the table of KRK stands",
        ),
        (&["KRK", "--out", "-", "--export-map", "-"], "only one of"),
        (
            &["KRK", "--out", "KRK.bin"],
            "KRK.bin is where the table of KRK stands",
        ),
        (&["KRK", "--memory", "10M"], "KRK takes up to"),
        (
            &["KQRKR", "--memory", "900G"],
            "KQRKR is too large to refine",
        ),
        (
            &["KPKP", "--out", "x.json", "--memory", "900G"],
            "too large for JSON text",
        ),
        (
            &["KQK", "--explain", krk, krk],
            "the position is KRK, not KQK",
        ),
    ];
    for (arguments, reason) in cases {
        let output = run(
            folder.path(),
            &[&["refine", "--universe"], arguments].concat(),
        );
        let (code, said) = told(&output);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(reason), "{said} / {reason}");
    }
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    assert_eq!(names, ["other"]);
}

/// Ctrl-C leaves no file, whatever was going on.
#[cfg(unix)]
#[test]
#[ignore = "the long tier runs it"]
fn an_interrupted_run_leaves_nothing() {
    for milliseconds in [300, 1_000, 2_000] {
        let folder = tempdir().unwrap();
        let arguments = [
            "refine",
            "--universe",
            "KBNK",
            "--out",
            "x.bin",
            "--threads",
            "1",
        ];
        let mut child = command(folder.path(), &[&arguments[..], &["--quiet"]].concat())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        let killed = Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success(), "the run was over already");
        // A run that is signalled before it listens dies of the signal itself.
        let code = child.wait().unwrap().code();
        assert!([Some(130), None].contains(&code), "{code:?}");
        assert!(files(folder.path()).is_empty(), "after {milliseconds} ms");
    }
}
