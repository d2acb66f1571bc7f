//! `pruning`: how much a perfect oracle could prune (C2.3).

use dchess::endgame::{Endgame, Library, Material, Transitions, Universe};
use dchess::solve::ceiling::Ceiling;
use dchess::solve::retrograde;
use serde::Serialize;

use super::failure::{Exit, Failure};
use super::interrupt;
use super::output::{Output, grouped};
use super::plan::closure;
use super::progress::Progress;
use super::threads::Threads;

/// Measure the ceiling of pruning: how many moves perfect knowledge would delete
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The table itself is the oracle, so this is an upper bound on what any sound pruning can save, not a
method. An edge is strictly worse if its result is worse than the best one of its state.

Examples:
  dchess pruning --universe KRK
  dchess pruning --universe KQK --json")]
pub(crate) struct Args {
    /// The class, like KQK or KRvK
    #[arg(long, value_name = "MATERIAL")]
    universe: Material,

    /// Print the figures as one line of JSON
    #[arg(long)]
    json: bool,

    /// Print no progress
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    threads: Threads,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    universe: String,
    edges: usize,
    strictly_worse: usize,
    strictly_worse_share: Option<f64>,
    branching: Option<f64>,
    optimal_branching: Option<f64>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<Exit, Failure> {
    interrupt::listen();
    let progress = Progress::new(args.quiet);
    let ceiling = args
        .threads
        .pool()?
        .install(|| measure(&args.universe, &progress))?;
    drop(progress);
    if args.json {
        output.json(&Report {
            universe: args.universe.to_string(),
            edges: ceiling.edges,
            strictly_worse: ceiling.strictly_worse,
            strictly_worse_share: ceiling.strictly_worse_share(),
            branching: ceiling.branching(),
            optimal_branching: ceiling.optimal_branching(),
        })?;
    } else {
        print(&args.universe, &ceiling, output)?;
    }
    Ok(Exit::Established)
}

/// Solves the class as a graph, after the classes that it rests on.
fn measure(universe: &Material, progress: &Progress) -> Result<Ceiling, Failure> {
    if universe.men().len() > 4 {
        return Err(Failure::Error(format!(
            "{universe} is too large for a graph; take at most four men"
        )));
    }
    let classes = closure(universe);
    let mut library = Library::new();
    for (place, class) in classes.iter().enumerate() {
        progress.class(place + 1, classes.len(), class);
        if class != universe {
            Endgame::solve(class, &mut library, progress)?;
        }
    }
    let states = Universe::enumerate(universe, progress)?;
    let transitions = Transitions::generate(&states, &library, progress)?;
    let values = retrograde::solve(&transitions.graph, progress)?;
    Ok(Ceiling::measure(
        &transitions.graph,
        &values,
        states.ordinary(),
    ))
}

fn print(universe: &Material, ceiling: &Ceiling, output: &mut Output) -> Result<(), Failure> {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    let share = ceiling.strictly_worse_share().unwrap_or(0.0) * 100.0;
    let worse = grouped(ceiling.strictly_worse as u64);
    output.line(&format!("{universe}  what a perfect oracle could prune"))?;
    output.line("")?;
    for (name, figure) in [
        ("edges", grouped(ceiling.edges as u64)),
        ("branching", number(ceiling.branching())),
        (
            "strictly worse in win, draw or loss",
            format!("{worse} ({share:.2} %)"),
        ),
        (
            "optimal branching, distance included",
            number(ceiling.optimal_branching()),
        ),
    ] {
        output.line(&format!("{name:36} {figure}"))?;
    }
    Ok(())
}
