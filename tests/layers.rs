//! The module list is the architecture: every import points downwards, and the verifier is an island.
//!
//! The test reads the sources as text. It knows paths (`a::b`) after comments, strings and
//! character literals are taken out; that is enough to see where a file reaches.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Which layers of the library a layer may name. The same table stands in `docs/architecture.md`.
const ALLOWED: [(&str, &[&str]); 8] = [
    ("game", &[]),
    ("rules", &["game"]),
    ("solve", &["game"]),
    ("endgame", &["game", "rules", "solve"]),
    ("mate", &["game", "rules"]),
    ("proof", &["game", "rules", "solve", "endgame", "mate"]),
    (
        "certificate",
        &["game", "rules", "endgame", "mate", "proof"],
    ),
    ("verify", &[]),
];

/// What the island may name from outside.
const ISLAND_ROOTS: [&str; 9] = [
    "std",
    "core",
    "alloc",
    "serde",
    "serde_json",
    "sha2",
    "miniz_oxide",
    "self",
    "super",
];

/// Words that `game` and `solve` do without.
const CHESS_WORDS: [&str; 14] = [
    "chess",
    "shakmaty",
    "king",
    "queen",
    "rook",
    "bishop",
    "knight",
    "pawn",
    "square",
    "fen",
    "checkmate",
    "stalemate",
    "castling",
    "material",
];

fn sources(layer: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(layer);
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, code_of(&text)));
            }
        }
    }
    assert!(!found.is_empty(), "src/{layer} has sources");
    found
}

/// The text without comments, strings and character literals.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            raw.find("\"#").map_or(rest.len(), |end| end + 5)
        } else if first == '"' {
            string_length(rest)
        } else if first == '\'' {
            character_length(rest)
        } else {
            0
        };
        if skipped > 0 {
            code.push(' ');
            rest = &rest[skipped..];
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    code
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (place, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return place + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal, 0 for the quote of a lifetime.
fn character_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((after, _))) => {
            let end = text[after + 1..].find('\'');
            end.map_or(0, |end| after + 1 + end + 1)
        }
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 0,
    }
}

/// All identifiers with the place where they begin.
fn identifiers(code: &str) -> Vec<(usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut start = None;
    for (place, c) in code.char_indices().chain([(code.len(), ' ')]) {
        match (start, is_part(c)) {
            (None, true) => start = Some(place),
            (Some(begin), false) => {
                found.push((begin, &code[begin..place]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// The layers that a file names through `crate::`, also in braces: `crate::{game, rules}`.
fn layers_named(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (place, prefix) in code.match_indices("crate::") {
        let rest = code[place + prefix.len()..].trim_start();
        match rest.strip_prefix('{') {
            Some(list) => found.extend(top_level_items(list).iter().map(|item| first_word(item))),
            None => {
                found.insert(first_word(rest));
            }
        }
    }
    found.remove("");
    found
}

/// The items of a list in braces, whose opening brace is gone already.
fn top_level_items(list: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut depth = 0;
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(String::new()),
            _ => {}
        }
        items.last_mut().unwrap().push(c);
    }
    items
}

fn first_word(text: &str) -> String {
    identifiers(text)
        .first()
        .map_or_else(String::new, |&(_, word)| word.to_owned())
}

#[test]
fn imports_point_downwards() {
    for (layer, allowed) in ALLOWED {
        for (path, code) in sources(layer) {
            for named in layers_named(&code) {
                assert!(
                    named == layer || allowed.contains(&named.as_str()),
                    "{}: {layer} may not name {named}",
                    path.display()
                );
            }
            // A module of tests inside a file is one step further down.
            let (body, tests) = code.split_once("#[cfg(test)]").unwrap_or((&code, ""));
            assert!(
                !body.contains("super::super") && !tests.contains("super::super::super"),
                "{}: names its way upwards",
                path.display()
            );
            let is_root = path.ends_with(Path::new(layer).join("mod.rs"));
            assert!(
                !(is_root && body.contains("super::")),
                "{}: leaves its layer",
                path.display()
            );
        }
    }
}

#[test]
fn every_layer_has_its_row() {
    let code = code_of(include_str!("../src/lib.rs"));
    let words = identifiers(&code);
    let modules: BTreeSet<&str> = words
        .windows(2)
        .filter(|pair| pair[0].1 == "mod")
        .map(|pair| pair[1].1)
        .collect();
    assert_eq!(modules, ALLOWED.iter().map(|&(layer, _)| layer).collect());
    let page = include_str!("../docs/architecture.md");
    for (layer, allowed) in ALLOWED {
        let names = if allowed.is_empty() {
            "–".to_owned()
        } else {
            allowed.join(", ")
        };
        let row = format!("| `{layer}` | {names} |");
        assert!(
            page.contains(&row),
            "docs/architecture.md lacks the row {row}"
        );
    }
}

#[test]
fn the_command_line_is_invisible_to_the_library() {
    for (layer, _) in ALLOWED {
        for (path, code) in sources(layer) {
            let words = identifiers(&code);
            for foreign in ["clap", "indicatif", "ctrlc", "cli"] {
                assert!(
                    words.iter().all(|&(_, word)| word != foreign),
                    "{}: {foreign}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn the_vocabulary_of_solving_has_no_word_of_chess() {
    for layer in ["game", "solve"] {
        for (path, code) in sources(layer) {
            for (_, word) in identifiers(&code) {
                let lower = word.to_ascii_lowercase();
                let found = CHESS_WORDS.iter().find(|&&chess| lower.contains(chess));
                assert_eq!(found, None, "{}: {word}", path.display());
            }
        }
    }
}

/// What is said of a class by its abstraction comes from its moves, never from its table: nothing that holds or finds
/// values of the class is named where abstractions are found.
#[test]
fn abstractions_do_not_look_values_up() {
    const TABLES: [&str; 10] = [
        "Endgame",
        "Library",
        "TableBytes",
        "Values",
        "Partitioned",
        "retrograde",
        "solver",
        "solved",
        "packed",
        "value_of",
    ];
    let mut seen = 0;
    for (path, code) in sources("endgame").into_iter().chain(sources("solve")) {
        let is_part = |name: &str| path.components().any(|part| part.as_os_str() == name);
        if !(is_part("features")
            || is_part("abstraction")
            || is_part("abstracted.rs")
            || is_part("abstraction.rs"))
        {
            continue;
        }
        seen += 1;
        let body = code
            .split("#[cfg(test)]\nmod tests")
            .next()
            .unwrap_or_default();
        for (_, word) in identifiers(body) {
            assert!(!TABLES.contains(&word), "{}: {word}", path.display());
        }
    }
    assert!(seen > 10, "{seen} files");
}

#[test]
fn the_verifier_is_an_island() {
    for (path, code) in sources("verify") {
        let words = identifiers(&code);
        let declared: BTreeSet<&str> = words
            .windows(2)
            .filter(|pair| pair[0].1 == "mod")
            .map(|pair| pair[1].1)
            .collect();
        let imported = names_imported(&code);
        for (root, place) in path_roots(&code) {
            // What a `use` declaration begins with is brought in by no other one.
            let is_imported = imported.contains(root) && !is_use(&code, place);
            let is_known = ISLAND_ROOTS.contains(&root)
                || declared.contains(root)
                || is_imported
                || is_type(root);
            let line = code[..place].matches('\n').count() + 1;
            assert!(
                is_known,
                "{}: names {root} (about line {line})",
                path.display()
            );
        }
        for forbidden in ["crate", "extern", "unsafe", "include"] {
            let named = words.iter().any(|&(_, word)| word == forbidden);
            assert!(!named, "{}: {forbidden}", path.display());
        }
    }
}

/// The first words of all paths `a::b`, with their places.
fn path_roots(code: &str) -> Vec<(&str, usize)> {
    identifiers(code)
        .into_iter()
        .filter(|&(place, word)| {
            let before = code[..place].trim_end();
            let after = code[place + word.len()..].trim_start();
            let is_path = after.starts_with("::") && !after.starts_with("::<");
            is_path && !before.ends_with("::")
        })
        .filter(|&(place, _)| !in_use_braces(code, place))
        .map(|(place, word)| (word, place))
        .collect()
}

/// Whether a place lies inside the braces of a `use` declaration, where paths continue an outer one.
fn in_use_braces(code: &str, place: usize) -> bool {
    let statement = code[..place].rsplit(';').next().unwrap_or("");
    statement.contains('{') && first_word(statement) == "use"
        || statement.trim_start().starts_with("pub use") && statement.contains('{')
}

/// Whether the path at a place is what a `use` declaration begins with.
fn is_use(code: &str, place: usize) -> bool {
    code[..place].trim_end().ends_with("use")
}

/// The names that `use` declarations bring into a file.
fn names_imported(code: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (place, _) in code.match_indices("use ") {
        if let Some(end) = code[place..].find(';') {
            found.extend(
                // The first word is the root of the path, which is brought in by nobody.
                identifiers(&code[place + 4..place + end])
                    .iter()
                    .skip(1)
                    .map(|&(_, word)| word),
            );
        }
    }
    found
}

/// Types and primitives are no modules.
fn is_type(word: &str) -> bool {
    const PRIMITIVES: [&str; 10] = [
        "u8", "u16", "u32", "u64", "usize", "i8", "i32", "char", "str", "bool",
    ];
    word.starts_with(char::is_uppercase) || PRIMITIVES.contains(&word)
}

#[test]
fn this_test_sees_what_it_should() {
    let code = code_of(
        "use shakmaty::Board; // crate::x\nlet s = \"crate::y\"; let c = ':'; fn f<'a>() {}",
    );
    assert!(!code.contains("crate") && code.contains("<'a>"));
    assert_eq!(path_roots(&code), [("shakmaty", 4)]);
    let layers = layers_named("use crate::{game::{Value, Plies}, rules}; crate::solve::x();");
    assert_eq!(
        layers.into_iter().collect::<Vec<_>>(),
        ["game", "rules", "solve"]
    );
}
