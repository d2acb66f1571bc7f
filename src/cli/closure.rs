//! `rules closure`: random games of the complete rules, played by both implementations side by side.

use std::collections::BTreeMap;

use dchess::game::{Draws, Observer};
use dchess::rules::{
    Claim, DeadReason, Deadness, End, State, deadness, moves_in_order, position_fen, uci,
};
use dchess::verify::{self, GameState};
use rayon::prelude::*;
use serde::Serialize;
use shakmaty::{Chess, Move};

use super::failure::{Exit, Failure, warn};
use super::output::{Output, grouped};
use super::progress::Progress;
use super::state_report::end_name;
use super::threads::Threads;

/// The most plies of a game under the Laws of 2023, as published (Yim, "The maximum length of a chess game under the 2023 FIDE Laws").
const LONGEST_GAME_PLIES: usize = 17_697;

/// Play random games of the complete rules to their ends, and compare both implementations at every ply
#[derive(Debug, clap::Args)]
#[command(after_help = "\
At each ply: the state is written in bytes and read again by both implementations, which must give the same state
and the same bytes; the legal moves, the claims and the ends must be the same; and neither may call dead what the
other calls alive. Every other game moves pieces to and fro, so that positions come again and clocks run up.
Exit code 1 with the state, if anything differs.

Example:
  dchess rules closure --games 1000 --seed 1")]
pub(crate) struct Args {
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// The seed of the games
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The most positions to look at to see whether a position is dead, by either implementation
    #[arg(long, value_name = "N", default_value_t = 8)]
    nodes: u32,

    #[command(flatten)]
    threads: Threads,

    /// Show no progress
    #[arg(long)]
    quiet: bool,

    /// Print the report as one line of JSON
    #[arg(long)]
    json: bool,
}

/// What was met.
#[derive(Clone, Debug, Default, Serialize)]
struct Report {
    games: u32,
    seed: u64,
    states: u64,
    longest_game_plies: usize,
    published_bound_plies: usize,
    /// How the games ended.
    ends: BTreeMap<&'static str, u64>,
    /// States in which a draw could be claimed, by the rule and whether with an intended move.
    claims: BTreeMap<&'static str, u64>,
    /// What was found out about dead positions.
    dead: BTreeMap<&'static str, u64>,
    /// The same by the verifier.
    verifier_dead: BTreeMap<&'static str, u64>,
    most_keys: usize,
    most_bytes: usize,
    initial_bytes: usize,
    /// Of the states after fifty plies, in games that are as long.
    median_bytes_after_50_plies: usize,
    #[serde(skip)]
    bytes_after_50_plies: Vec<usize>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    let progress = Progress::new(args.quiet);
    progress.begin("random games", u64::from(args.games));
    let seeds = seeds(args.games, args.seed);
    let pool = args.threads.pool()?;
    let reports: Result<Vec<Report>, Failure> = pool.install(|| {
        let games = seeds.par_iter().enumerate();
        games
            .map(|(number, &seed)| {
                progress.checkpoint(0)?;
                let report = play(seed, number % 2 == 1, args.nodes);
                progress.advance(1);
                report
                    .map_err(|fault| Failure::DoesNotHold(format!("game {}: {fault}", number + 1)))
            })
            .collect()
    });
    drop(progress);
    let mut total = Report {
        games: args.games,
        seed: args.seed,
        published_bound_plies: LONGEST_GAME_PLIES,
        ..Report::default()
    };
    reports?.into_iter().for_each(|report| total.add(report));
    total.bytes_after_50_plies.sort_unstable();
    let middle = total.bytes_after_50_plies.len() / 2;
    total.median_bytes_after_50_plies =
        total.bytes_after_50_plies.get(middle).copied().unwrap_or(0);
    print(&total, args.json, output)?;
    if total.longest_game_plies > LONGEST_GAME_PLIES {
        warn("a game was longer than any can be");
        return Ok(Exit::DoesNotHold);
    }
    Ok(Exit::Established)
}

impl Report {
    fn add(&mut self, other: Report) {
        let sums = [
            (&mut self.ends, other.ends),
            (&mut self.claims, other.claims),
            (&mut self.dead, other.dead),
            (&mut self.verifier_dead, other.verifier_dead),
        ];
        for (sum, parts) in sums {
            for (name, count) in parts {
                *sum.entry(name).or_insert(0) += count;
            }
        }
        self.states += other.states;
        self.initial_bytes = other.initial_bytes;
        self.bytes_after_50_plies.extend(other.bytes_after_50_plies);
        self.longest_game_plies = self.longest_game_plies.max(other.longest_game_plies);
        self.most_keys = self.most_keys.max(other.most_keys);
        self.most_bytes = self.most_bytes.max(other.most_bytes);
    }
}

/// Each game has a seed of its own, so that it does not matter which thread plays it.
fn seeds(games: u32, seed: u64) -> Vec<u64> {
    let mut draws = Draws::new(seed);
    (0..games)
        .map(|_| u64::from(draws.below(u32::MAX)) << 32 | u64::from(draws.below(u32::MAX)))
        .collect()
}

/// Plays games as the command does, and says how many states were met, or what was wrong.
pub(crate) fn states_of_games(games: u32, seed: u64, nodes: u32) -> Result<u64, String> {
    let seeds = seeds(games, seed);
    let played = seeds.par_iter().enumerate();
    played
        .map(|(number, &seed)| Ok(play(seed, number % 2 == 1, nodes)?.states))
        .sum()
}

/// Plays a game to its end.
fn play(seed: u64, to_and_fro: bool, nodes: u32) -> Result<Report, String> {
    let mut draws = Draws::new(seed);
    let mut report = Report::default();
    let mut state = State::new(Chess::default()).map_err(|error| error.to_string())?;
    let mut last: [Option<Move>; 2] = [None; 2];
    loop {
        let end = compare(&state, nodes, &mut report).map_err(|fault| {
            format!(
                "{fault} in {}, bytes {}",
                position_fen(state.position()),
                super::state::hex(&state.bytes())
            )
        })?;
        if let Some(end) = end {
            *report.ends.entry(end).or_insert(0) += 1;
            return Ok(report);
        }
        let mover = report.longest_game_plies % 2;
        let mv = choose(
            state.position(),
            last[mover].filter(|_| to_and_fro),
            to_and_fro,
            &mut draws,
        );
        let Some((mv, next)) = mv.and_then(|mv| Some((mv, state.after(mv)?))) else {
            return Err("no move, and no end".to_owned());
        };
        last[mover] = Some(mv);
        state = next;
        report.longest_game_plies += 1;
    }
}

/// A move by chance. A game that goes to and fro takes the last move of the side back half the time, and spares pawns and men.
fn choose(
    position: &Chess,
    last: Option<Move>,
    to_and_fro: bool,
    draws: &mut Draws,
) -> Option<Move> {
    let all = moves_in_order(position);
    let pick = |moves: &[Move], draws: &mut Draws| {
        let count = u32::try_from(moves.len()).unwrap_or(u32::MAX);
        moves.get(draws.below(count) as usize).copied()
    };
    if to_and_fro {
        let back = last.and_then(|last| {
            let is_back = |mv: &&Move| mv.from() == Some(last.to()) && Some(mv.to()) == last.from();
            all.iter().find(is_back).copied()
        });
        if back.is_some() && draws.below(2) == 0 {
            return back;
        }
        let quiet: Vec<Move> = all.iter().filter(|mv| !mv.is_zeroing()).copied().collect();
        if !quiet.is_empty() && draws.below(16) > 0 {
            return pick(&quiet, draws);
        }
    }
    pick(&all, draws)
}

/// Compares both implementations in a state; how the game ends there, if it does.
fn compare(state: &State, nodes: u32, report: &mut Report) -> Result<Option<&'static str>, String> {
    let bytes = state.bytes();
    let read = State::of_bytes(&bytes).map_err(|error| format!("not a state: {error}"))?;
    let other = GameState::read(&bytes).map_err(|reason| format!("the verifier: {reason}"))?;
    if read != *state || read.bytes() != bytes || other.bytes() != bytes {
        return Err("another state or other bytes".to_owned());
    }
    let moves = moves_in_order(state.position());
    let ours: Vec<String> = moves.iter().map(|&mv| uci(mv)).collect();
    let theirs: Vec<String> = other.moves().iter().map(ToString::to_string).collect();
    if ours != theirs {
        return Err(format!("the moves {ours:?} and {theirs:?}"));
    }
    // That both play every move alike.
    for (mv, theirs) in moves.iter().zip(other.moves()) {
        let ours = state.after(*mv).map(|next| next.bytes());
        let theirs = other.after(theirs).map(|next| next.bytes());
        let legal = state.end().is_none();
        if legal && (ours != theirs || ours.is_none()) {
            return Err(format!("other states after {}", uci(*mv)));
        }
    }
    let ours: Vec<String> = state.claims().into_iter().map(claim_text).collect();
    let theirs: Vec<String> = other.claims().into_iter().map(other_claim_text).collect();
    if ours != theirs {
        return Err(format!("the claims {ours:?} and {theirs:?}"));
    }
    let (ours, theirs) = (end_name(state.end()), other_end_name(other.end()));
    if ours != theirs {
        return Err(format!("the ends {ours} and {theirs}"));
    }
    let dead = compare_dead(state.position(), &other, nodes, report)?;
    report.states += 1;
    report.most_keys = report.most_keys.max(1 + state.earlier().count());
    report.most_bytes = report.most_bytes.max(bytes.len());
    match report.longest_game_plies {
        0 => report.initial_bytes = bytes.len(),
        50 => report.bytes_after_50_plies.push(bytes.len()),
        _ => {}
    }
    for claim in state.claims() {
        *report.claims.entry(claim_kind(claim)).or_insert(0) += 1;
    }
    Ok(match (state.end(), dead) {
        (Some(End::Checkmate | End::Stalemate), _) => Some(ours),
        (_, true) => Some("dead"),
        (None, false) => None,
        (Some(_), false) => Some(ours),
    })
}

/// Compares what both find out about a dead position; whether it is one.
fn compare_dead(
    position: &Chess,
    other: &GameState,
    nodes: u32,
    report: &mut Report,
) -> Result<bool, String> {
    let ours = deadness(position, nodes as usize);
    let theirs = other.deadness(u64::from(nodes));
    let our_name = match ours {
        Deadness::Alive(_) => "alive",
        Deadness::Unknown => "unknown",
        Deadness::Dead(DeadReason::Material) => "material",
        Deadness::Dead(DeadReason::Walls) => "walls",
        Deadness::Dead(DeadReason::Exhausted { .. }) => "exhausted",
    };
    let their_name = match theirs {
        verify::Deadness::Alive => "alive",
        verify::Deadness::Unknown => "unknown",
        verify::Deadness::Dead(verify::DeadReason::Material) => "material",
        verify::Deadness::Dead(verify::DeadReason::Walls) => "walls",
        verify::Deadness::Dead(verify::DeadReason::Exhausted(_)) => "exhausted",
    };
    *report.dead.entry(our_name).or_insert(0) += 1;
    *report.verifier_dead.entry(their_name).or_insert(0) += 1;
    let differ = match (&ours, &theirs) {
        (Deadness::Unknown, _) | (_, verify::Deadness::Unknown) => false,
        (
            Deadness::Dead(DeadReason::Exhausted { positions }),
            verify::Deadness::Dead(verify::DeadReason::Exhausted(found)),
        ) => *positions as u64 != *found,
        _ => our_name != their_name,
    };
    match differ {
        true => Err(format!("dead: {ours:?} and {theirs:?}")),
        false => {
            Ok(matches!(ours, Deadness::Dead(_)) || matches!(theirs, verify::Deadness::Dead(_)))
        }
    }
}

fn claim_text(claim: Claim) -> String {
    let with = claim.intended().map_or_else(String::new, uci);
    match claim {
        Claim::Threefold(_) => format!("threefold {with}"),
        Claim::FiftyMoves(_) => format!("fifty {with}"),
    }
}

fn other_claim_text(claim: verify::Claim) -> String {
    let text = |mv: Option<verify::Move>| mv.map_or_else(String::new, |mv| mv.to_string());
    match claim {
        verify::Claim::Threefold(mv) => format!("threefold {}", text(mv)),
        verify::Claim::FiftyMoves(mv) => format!("fifty {}", text(mv)),
    }
}

const fn claim_kind(claim: Claim) -> &'static str {
    match claim {
        Claim::Threefold(None) => "threefold now",
        Claim::Threefold(Some(_)) => "threefold with a move",
        Claim::FiftyMoves(None) => "fifty-move now",
        Claim::FiftyMoves(Some(_)) => "fifty-move with a move",
    }
}

const fn other_end_name(end: Option<verify::End>) -> &'static str {
    match end {
        None => "none",
        Some(verify::End::Checkmate) => "checkmate",
        Some(verify::End::Stalemate) => "stalemate",
        Some(verify::End::Fivefold) => "fivefold",
        Some(verify::End::SeventyFive) => "seventy-five",
    }
}

fn print(report: &Report, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        return output.json(report);
    }
    let number = |number: usize| grouped(number as u64);
    for (name, text) in [
        ("games", grouped(u64::from(report.games))),
        ("states compared", grouped(report.states)),
        ("longest game, plies", number(report.longest_game_plies)),
        (
            "published bound, plies",
            number(report.published_bound_plies),
        ),
        ("most keys in a state", number(report.most_keys)),
        ("most bytes of a state", number(report.most_bytes)),
        ("bytes of the initial state", number(report.initial_bytes)),
        (
            "median after 50 plies",
            number(report.median_bytes_after_50_plies),
        ),
    ] {
        output.line(&format!("{name:30} {text:>12}"))?;
    }
    for (title, counts) in [
        ("how games ended", &report.ends),
        ("claims", &report.claims),
        ("dead positions", &report.dead),
        ("dead positions, verifier", &report.verifier_dead),
    ] {
        output.line("")?;
        output.line(title)?;
        for (name, count) in counts {
            output.line(&format!("  {name:28} {:>12}", grouped(*count)))?;
        }
    }
    Ok(())
}
