//! A remarkable position of a table, and the line that says so.

use dchess::endgame::{State, Zugzwang};
use dchess::game::{Outcome, Value};
use dchess::rules::{Notation, position_fen};
use serde::Serialize;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move};

use super::epd::Epd;
use super::table::Table;

/// A state that was looked for.
pub(crate) struct Find {
    /// The state.
    pub(crate) state: State,
    /// Its value for the side to move.
    pub(crate) value: Value,
    /// What is remarkable about it.
    pub(crate) why: Why,
}

/// What is remarkable about a state.
pub(crate) enum Why {
    /// No distance of the table is longer.
    Longest,
    /// It is a mutual zugzwang, with this value when Black is to move.
    Zugzwang(Zugzwang, Value),
    /// This move alone keeps the result.
    OnlyMove(UciMove),
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    id: String,
    fen: String,
    verified: bool,
    #[serde(flatten)]
    value: ValueAnswer,
    /// The kind of mutual zugzwang.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black_to_move: Option<ValueAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    only_move: Option<MoveAnswer>,
}

#[derive(Serialize)]
struct ValueAnswer {
    value: &'static str,
    dtm_plies: Option<u16>,
}

#[derive(Serialize)]
struct MoveAnswer {
    uci: String,
    san: String,
}

impl Find {
    /// The line of the find at a place of its list, with its end: JSON or EPD. `None` if the state is no
    /// position or the move is not legal in it.
    pub(crate) fn line(&self, table: &Table, place: u64, json: bool) -> Option<String> {
        let position = self.state.position(&table.material)?;
        let only_move = match self.why {
            Why::OnlyMove(mv) => Some(mv.to_move(&position).ok()?),
            Why::Longest | Why::Zugzwang(..) => None,
        };
        let id = format!("{} {} {place}", table.material, self.why.word());
        let mut line = if json {
            let answer = self.answer(id, table.is_verified, &position, only_move);
            serde_json::to_string(&answer).ok()?
        } else {
            let checked = if table.is_verified {
                "verified"
            } else {
                "not verified"
            };
            let epd = Epd {
                position: &position,
                value: self.value,
                best: only_move,
                comments: &[&self.in_words(), checked],
                id: &id,
            };
            epd.line()
        };
        line.push('\n');
        Some(line)
    }

    fn answer(
        &self,
        id: String,
        verified: bool,
        position: &Chess,
        only_move: Option<Move>,
    ) -> Answer {
        let (kind, black) = match self.why {
            Why::Zugzwang(kind, black) => (Some(kind.word()), Some(black)),
            Why::Longest | Why::OnlyMove(_) => (None, None),
        };
        Answer {
            id,
            fen: position_fen(position),
            verified,
            value: ValueAnswer::of(self.value),
            kind,
            black_to_move: black.map(ValueAnswer::of),
            only_move: only_move.map(|mv| {
                let Notation { uci, san } = Notation::of(position, mv);
                MoveAnswer { uci, san }
            }),
        }
    }

    fn in_words(&self) -> String {
        let value = self.value;
        match self.why {
            Why::Longest => value.to_string(),
            Why::Zugzwang(kind, black) => {
                let (white, black) = (fate(value), fate(black));
                format!(
                    "{}: White to move {white}, Black to move {black}",
                    kind.word()
                )
            }
            Why::OnlyMove(_) if value.outcome() == Outcome::Win => {
                format!("{value}, the only winning move")
            }
            Why::OnlyMove(_) => format!("{value}, the only drawing move"),
        }
    }
}

impl Why {
    /// The name of such finds.
    const fn word(&self) -> &'static str {
        match self {
            Why::Longest => "longest",
            Why::Zugzwang(..) => "zugzwang",
            Why::OnlyMove(_) => "only-move",
        }
    }
}

/// What becomes of the side to move.
fn fate(value: Value) -> String {
    match value {
        Value::Win(plies) => format!("wins in {plies}"),
        Value::Draw => "draws".to_owned(),
        Value::Loss(plies) => format!("loses in {plies}"),
    }
}

impl ValueAnswer {
    fn of(value: Value) -> ValueAnswer {
        ValueAnswer {
            value: value.outcome().word(),
            dtm_plies: value.distance().map(|plies| plies.get()),
        }
    }
}
