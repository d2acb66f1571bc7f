//! `mate-bench --explain`: the first moves of a position in the orders that are compared, with what they are judged by.

use dchess::mate::{MoveOrdering, Mover, explained};
use dchess::rules::{Notation, parse_fen, position_fen};
use serde::Serialize;

use super::failure::{Exit, Failure};
use super::output::Output;

/// What `--explain --json` prints.
#[derive(Serialize)]
struct Page {
    fen: String,
    orderings: Vec<OrderingPage>,
}

#[derive(Serialize)]
struct OrderingPage {
    name: String,
    criteria: Vec<&'static str>,
    moves: Vec<MoveLine>,
}

#[derive(Serialize)]
struct MoveLine {
    r#move: String,
    san: String,
    keys: Vec<i32>,
}

/// Lists the moves of the side to move, as those of the side that is to mate.
pub(crate) fn explain(
    fen: &str,
    orderings: &[MoveOrdering<'_>],
    json: bool,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let position = parse_fen(fen).map_err(|error| Failure::Error(error.to_string()))?;
    let page = |ordering: &MoveOrdering<'_>| {
        let moves = explained(&position, ordering, Mover::Attacker);
        OrderingPage {
            name: ordering.name.to_owned(),
            criteria: ordering
                .criteria(Mover::Attacker)
                .iter()
                .map(|criterion| criterion.name())
                .collect(),
            moves: moves
                .into_iter()
                .map(|(mv, keys)| {
                    let Notation { uci, san } = Notation::of(&position, mv);
                    MoveLine {
                        r#move: uci,
                        san,
                        keys,
                    }
                })
                .collect(),
        }
    };
    let page = Page {
        fen: position_fen(&position),
        orderings: orderings.iter().map(page).collect(),
    };
    if json {
        output.json(&page)?;
    } else {
        print(&page, output)?;
    }
    Ok(Exit::Established)
}

fn print(page: &Page, output: &mut Output) -> Result<(), Failure> {
    output.line(&page.fen)?;
    for ordering in &page.orderings {
        output.line("")?;
        let mut head = format!("{:9}          ", ordering.name);
        for name in &ordering.criteria {
            head.push_str(&format!("  {name}"));
        }
        output.line(head.trim_end())?;
        for (place, line) in ordering.moves.iter().enumerate() {
            let mut text = format!("{:4}  {:5} {:7}", place + 1, line.r#move, line.san);
            for (key, name) in line.keys.iter().zip(&ordering.criteria) {
                text.push_str(&format!("  {key:>0$}", name.len()));
            }
            output.line(text.trim_end())?;
        }
    }
    Ok(())
}
