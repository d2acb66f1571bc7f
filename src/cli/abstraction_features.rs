//! `abstract --features`: the registry of what can be read off a position.

use dchess::endgame::features::{About, Effort, Invariance, KINDS, Kind, Language};
use serde::Serialize;

use super::failure::Failure;
use super::output::Output;

/// What `--json` prints, a line a kind.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    of: &'static str,
    signature: &'static str,
    cost: &'static str,
    invariant: &'static str,
    meaning: &'static str,
}

impl Row {
    fn of(kind: &Kind) -> Row {
        Row {
            name: kind.name,
            of: match kind.about {
                About::Position => "position",
                About::Man => "man",
                About::King => "king",
                About::Piece => "man but kings",
                About::Pair => "two men",
            },
            signature: match kind.language {
                Language::Material => "material",
                Language::Distance => "distance",
                Language::Relational => "relational",
            },
            cost: match kind.effort {
                Effort::Arithmetic => "arithmetic",
                Effort::Attacks => "attacks",
                Effort::Walk => "a walk",
                Effort::Moves => "moves",
            },
            invariant: match kind.invariance {
                Invariance::Directionless => "no direction",
                Invariance::Oriented => "oriented",
            },
            meaning: kind.meaning,
        }
    }
}

/// Prints the kinds of features.
pub(crate) fn print(is_json: bool, stdout: &mut Output) -> Result<(), Failure> {
    let rows = KINDS.iter().map(Row::of);
    if is_json {
        return rows.into_iter().try_for_each(|row| stdout.json(&row));
    }
    for row in rows {
        stdout.line(&format!(
            "{:14} {:14} {:11} {:11} {:13} {}",
            row.name, row.of, row.signature, row.cost, row.invariant, row.meaning
        ))?;
    }
    stdout.line("")?;
    for line in [
        "Cost: arithmetic on squares, squares that men attack, a walk of a king over the board, legal moves.",
        "Invariant: the definition names no direction of the board, or it is read off the oriented placement, which all",
        "images share. The definitions are in docs/certificate-format.md.",
    ] {
        stdout.line(line)?;
    }
    Ok(())
}
