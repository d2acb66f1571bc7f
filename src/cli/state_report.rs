//! What is said of a state of the complete game.

use dchess::rules::{
    Claim, DeadReason, Deadness, End, Notation, State, deadness, placement_fen, position_fen,
    san_line, uci,
};
use serde::Serialize;
use shakmaty::{Chess, Color, Piece, Position, Square};

use super::failure::Failure;
use super::output::Output;
use super::state::hex;

/// A state, and where it comes from.
pub(crate) struct Told {
    pub(crate) state: State,
    /// The number of the game in a file, from 1.
    pub(crate) game: Option<usize>,
    /// Plies from the beginning, if all states of a history are told.
    pub(crate) ply: Option<usize>,
    /// Whether occurrences may be missing, because the history began with a FEN; bytes do not say.
    pub(crate) assumes: Option<bool>,
}

impl Told {
    /// A state of which nothing else is known.
    pub(crate) const fn alone(state: State) -> Told {
        Told {
            state,
            game: None,
            ply: None,
            assumes: None,
        }
    }
}

/// What `--json` prints.
#[derive(Serialize)]
pub(crate) struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    fen: String,
    bytes: String,
    digest: String,
    h: u32,
    /// The present key first.
    occurrences: Vec<Occurrences>,
    claims: Vec<ClaimReport>,
    terminal: Option<&'static str>,
    dead: DeadReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    assumes_no_earlier_occurrences: Option<bool>,
}

#[derive(Serialize)]
struct Occurrences {
    key: String,
    count: u8,
}

#[derive(Serialize)]
struct ClaimReport {
    rule: &'static str,
    /// The intended move; none for a claim on the board.
    r#move: Option<String>,
}

/// Whether a position is dead, for JSON.
#[derive(Serialize)]
pub(crate) struct DeadReport {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
}

impl DeadReport {
    pub(crate) fn of(deadness: &Deadness) -> DeadReport {
        let (verdict, reason, positions) = match *deadness {
            Deadness::Alive(_) => ("alive", None, None),
            Deadness::Unknown => ("unknown", None, None),
            Deadness::Dead(DeadReason::Material) => ("dead", Some("material"), None),
            Deadness::Dead(DeadReason::Walls) => ("dead", Some("walls"), None),
            Deadness::Dead(DeadReason::Exhausted { positions }) => {
                ("dead", Some("exhausted"), Some(positions))
            }
        };
        let line = match deadness {
            Deadness::Alive(line) => Some(line.iter().map(|&mv| uci(mv)).collect()),
            _ => None,
        };
        DeadReport {
            verdict,
            reason,
            positions,
            line,
        }
    }
}

impl Report {
    pub(crate) fn of(told: &Told, nodes: usize) -> Report {
        let state = &told.state;
        let deadness = deadness(state.position(), nodes);
        let claims = match deadness {
            Deadness::Dead(_) => Vec::new(),
            _ => state.claims(),
        };
        Report {
            game: told.game,
            ply: told.ply,
            fen: position_fen(state.position()),
            bytes: hex(&state.bytes()),
            digest: format!("sha256:{}", hex(&state.digest())),
            h: state.clock_plies(),
            occurrences: occurrences(state),
            claims: claims.into_iter().map(claim_report).collect(),
            terminal: terminal(state, &deadness),
            dead: DeadReport::of(&deadness),
            assumes_no_earlier_occurrences: told.assumes,
        }
    }
}

/// The keys since the last irreversible move, the present one first, then those that occurred most often.
fn occurrences(state: &State) -> Vec<Occurrences> {
    let of = |key: &Chess, count| Occurrences {
        key: placement_fen(key),
        count,
    };
    let mut all: Vec<Occurrences> = state.earlier().map(|(key, count)| of(key, count)).collect();
    all.sort_unstable_by(|a, b| (b.count, &a.key).cmp(&(a.count, &b.key)));
    all.insert(0, of(state.position(), state.occurrences()));
    all
}

fn claim_report(claim: Claim) -> ClaimReport {
    ClaimReport {
        rule: match claim {
            Claim::Threefold(_) => "threefold",
            Claim::FiftyMoves(_) => "fifty-move",
        },
        r#move: claim.intended().map(uci),
    }
}

/// How the game has ended, in the order of the ruleset; none if it goes on as far as is known.
fn terminal(state: &State, deadness: &Deadness) -> Option<&'static str> {
    match (state.end(), deadness) {
        (end @ Some(End::Checkmate | End::Stalemate), _) => Some(end_name(end)),
        (_, Deadness::Dead(_)) => Some("dead"),
        (None, _) => None,
        (end, _) => Some(end_name(end)),
    }
}

/// The word for an end.
pub(crate) const fn end_name(end: Option<End>) -> &'static str {
    match end {
        Some(End::Checkmate) => "checkmate",
        Some(End::Stalemate) => "stalemate",
        Some(End::Fivefold) => "fivefold",
        Some(End::SeventyFiveMoves) => "seventy-five",
        None => "none",
    }
}

/// Prints a state as it comes out of its bytes: the FEN, then how often each key has occurred.
pub(crate) fn print_decoded(state: &State, output: &mut Output) -> Result<(), Failure> {
    output.line(&position_fen(state.position()))?;
    for Occurrences { key, count } in occurrences(state) {
        output.line(&format!("{count} {key}"))?;
    }
    Ok(())
}

/// Prints a state for people.
pub(crate) fn print_state(told: &Told, nodes: usize, output: &mut Output) -> Result<(), Failure> {
    let state = &told.state;
    let position = state.position();
    let deadness = deadness(position, nodes);
    print_board(position, output)?;
    output.line("")?;
    output.line(&position_fen(position))?;
    let bytes = state.bytes();
    for (name, text) in [
        ("to move", side(position.turn()).to_owned()),
        (
            "clock",
            format!(
                "{} plies since the last capture or pawn move",
                state.clock_plies()
            ),
        ),
        ("occurred", times(state.occurrences())),
        ("terminal", terminal_line(state, &deadness)),
        ("dead", dead_line(position, &deadness)),
        ("bytes", format!("{}: {}", bytes.len(), hex(&bytes))),
        ("digest", format!("sha256:{}", hex(&state.digest()))),
    ] {
        output.line(&format!("{name:9} {text}"))?;
    }
    print_claims(state, &deadness, output)?;
    let others = occurrences(state).split_off(1);
    if !others.is_empty() {
        output.line("\noccurred since the last irreversible move")?;
    }
    for Occurrences { key, count } in others {
        output.line(&format!("  {:8} {key}", times(count)))?;
    }
    match told.assumes {
        Some(true) => output.line("\nassumes no earlier occurrences"),
        _ => Ok(()),
    }
}

fn print_board(position: &Chess, output: &mut Output) -> Result<(), Failure> {
    for rank in (0..8).rev() {
        let man = |file: u32| {
            let piece = position.board().piece_at(Square::new(8 * rank + file));
            piece.map_or('.', Piece::char).to_string()
        };
        let men: Vec<String> = (0..8).map(man).collect();
        output.line(&format!("{} {}", rank + 1, men.join(" ")))?;
    }
    output.line("  a b c d e f g h")
}

fn print_claims(state: &State, deadness: &Deadness, output: &mut Output) -> Result<(), Failure> {
    let claims = match deadness {
        Deadness::Dead(_) => Vec::new(),
        _ => state.claims(),
    };
    if claims.is_empty() {
        return output.line("claims    none");
    }
    output.line(&format!(
        "claims    {} may claim a draw",
        side(state.position().turn())
    ))?;
    for claim in claims {
        let move_text = claim
            .intended()
            .map(|mv| Notation::of(state.position(), mv).san);
        let why = match (claim, move_text) {
            (Claim::Threefold(_), None) => {
                format!(
                    "now: this position has occurred {} (9.2.2)",
                    times(state.occurrences())
                )
            }
            (Claim::FiftyMoves(_), None) => {
                "now: the clock is at least 100 plies (9.3.2)".to_owned()
            }
            (Claim::Threefold(_), Some(san)) => {
                format!(
                    "intending {san}: the position after it would occur for the third time or more (9.2.1)"
                )
            }
            (Claim::FiftyMoves(_), Some(san)) => {
                format!("intending {san}: the clock would be at least 100 plies (9.3.1)")
            }
        };
        output.line(&format!("  {why}"))?;
    }
    Ok(())
}

fn terminal_line(state: &State, deadness: &Deadness) -> String {
    let loser = side(state.position().turn());
    match terminal(state, deadness) {
        None => "no".to_owned(),
        Some("checkmate") => format!("checkmate, {loser} has lost (5.1.1)"),
        Some("stalemate") => "stalemate, draw (5.2.1)".to_owned(),
        Some("dead") => "dead position, draw (5.2.2)".to_owned(),
        Some("fivefold") => "fivefold repetition, draw (9.6.1)".to_owned(),
        Some(_) => "75 moves, draw (9.6.2)".to_owned(),
    }
}

/// A line to a mate is printed up to so many plies; a longer one helps nobody, and `--json` has it.
const PRINTED_PLIES: usize = 60;

/// What is known of whether a position is dead.
pub(crate) fn dead_line(position: &Chess, deadness: &Deadness) -> String {
    match deadness {
        Deadness::Unknown => "unknown: neither a proof nor a mate within the budget".to_owned(),
        Deadness::Dead(DeadReason::Material) => "yes: no mate exists with this material".to_owned(),
        Deadness::Dead(DeadReason::Walls) => {
            "yes: nobody passes the walls, and no king can be mated behind them".to_owned()
        }
        Deadness::Dead(DeadReason::Exhausted { positions: 1 }) => {
            "yes: no other position can be reached, and this one is no checkmate".to_owned()
        }
        Deadness::Dead(DeadReason::Exhausted { positions }) => {
            format!("yes: of the {positions} positions that can be reached none is a checkmate")
        }
        Deadness::Alive(line) if line.is_empty() => "no: it is checkmate".to_owned(),
        Deadness::Alive(line) if line.len() > PRINTED_PLIES => format!(
            "no: a line to a mate was found, of {} plies (--json has it)",
            line.len()
        ),
        Deadness::Alive(line) => format!("no: {}", san_line(position, line)),
    }
}

fn times(count: u8) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
