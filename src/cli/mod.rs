//! The command line: arguments, standard streams, progress, files and clocks. One file a subcommand.

mod abstraction;
mod abstraction_bench;
mod abstraction_features;
mod abstraction_plot;
mod abstraction_report;
mod abstraction_transfer;
mod abstraction_universe;
mod aldebaran;
mod artifact;
mod bench_plot;
mod bench_report;
mod bench_run;
mod block_map;
mod bootstrap;
mod bounds;
mod bundle_file;
mod closure;
mod completions;
mod cost;
mod crosscheck;
mod dead;
mod destination;
mod epd;
mod epd_line;
mod exchange;
mod explain;
mod export;
mod failure;
mod find;
mod gate;
mod history;
mod info;
mod input;
mod interrupt;
mod local_bounds;
mod local_report;
mod man;
mod mate;
mod mate_bench;
mod mate_report;
mod mate_suite;
mod mine;
mod move_text;
mod npy;
mod ordering_page;
mod output;
mod perft;
mod pgn_games;
mod place;
mod plan;
mod popeye;
mod probe;
mod progress;
mod prove;
mod prove_report;
mod pruning;
mod refine;
mod refinement_report;
mod resources;
mod rules;
mod sample;
mod seconds;
mod shelf;
mod sink;
mod solution_json;
mod solve_endgame;
mod source;
mod state;
mod state_report;
mod subject;
mod suite_comparison;
mod suite_source;
mod suite_summary;
mod syzygy_files;
mod table;
mod text_line;
mod threads;
mod tried_ordering;
mod uci;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use failure::Failure;
use output::Output;

/// Exact claims about chess, each with a certificate that an independent verifier checks.
#[derive(Debug, Parser)]
#[command(name = "dchess", version, about, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  dchess solve-endgame KQK           solve it and write certificates/KQK.bin
  dchess verify certificates         check every certificate of a folder
  dchess probe certificates/KQK.bin '8/8/8/8/4k3/8/1Q6/K7 b - - 0 1'

Exit codes: 0 the claim is established or the question answered, 1 established that it does
not hold, 2 usage or input error, 3 undecided within the budget, 130 interrupted.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    SolveEndgame(solve_endgame::Args),
    Refine(refine::Args),
    Bounds(bounds::Args),
    Abstract(Box<abstraction::Args>),
    Crosscheck(crosscheck::Args),
    Pruning(pruning::Args),
    Mate(mate::Args),
    MateBench(mate_bench::Args),
    Exchange(exchange::Args),
    Uci(uci::Args),
    Prove(prove::Args),
    Gate(gate::Args),
    State(state::Args),
    Rules(rules::Args),
    Probe(probe::Args),
    Mine(mine::Args),
    Export(export::Args),
    Info(info::Args),
    Verify(verify::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Parses the arguments of the process and runs the subcommand.
pub(crate) fn run() -> ExitCode {
    let command = Cli::parse().command;
    let mut output = Output::stdout();
    let outcome = interrupt::install().and_then(|()| match command {
        Command::SolveEndgame(args) => solve_endgame::run(&args, &mut output),
        Command::Refine(args) => refine::run(&args, &mut output),
        Command::Bounds(args) => bounds::run(&args, &mut output),
        Command::Abstract(args) => abstraction::run(&args, &mut output),
        Command::Crosscheck(args) => crosscheck::run(&args, &mut output),
        Command::Pruning(args) => pruning::run(&args, &mut output),
        Command::Mate(args) => mate::run(&args, &mut output),
        Command::MateBench(args) => mate_bench::run(&args, &mut output),
        Command::Exchange(args) => exchange::run(&args, &mut output),
        Command::Uci(args) => uci::run(&args, &mut output),
        Command::Prove(args) => prove::run(&args, &mut output),
        Command::Gate(args) => gate::run(&args, &mut output),
        Command::State(args) => state::run(&args, &mut output),
        Command::Rules(args) => rules::run(&args, &mut output),
        Command::Probe(args) => probe::run(&args, &mut output),
        Command::Mine(args) => mine::run(&args, &mut output),
        Command::Export(args) => export::run(&args, &mut output),
        Command::Info(args) => info::run(&args, &mut output),
        Command::Verify(args) => verify::run(&args, &mut output),
        Command::Completions(args) => completions::run(&args, &mut Cli::command(), &mut output),
        Command::Man(args) => man::run(&args, Cli::command(), &mut output),
    });
    let outcome = outcome.and_then(|exit| output.finish().map(|()| exit));
    outcome.unwrap_or_else(Failure::report).into()
}
