//! `man`: the manual pages.

use clap::Command;
use clap_mangen::Man;

use super::failure::{Exit, Failure};
use super::output::Output;

/// Print a manual page
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  dchess man | man -l -
  dchess man verify > dchess-verify.1")]
pub(crate) struct Args {
    /// The subcommand; without it, the page of dchess itself
    subcommand: Option<String>,
}

pub(crate) fn run(args: &Args, cli: Command, output: &mut Output) -> Result<Exit, Failure> {
    let page = match &args.subcommand {
        None => cli,
        Some(name) => subcommand(cli, name)?,
    };
    let mut text = Vec::new();
    Man::new(page)
        .render(&mut text)
        .map_err(|error| Failure::context("cannot write the manual page", &error))?;
    output.bytes(&text)?;
    Ok(Exit::Established)
}

/// The page of a subcommand, under its full name.
fn subcommand(mut cli: Command, name: &str) -> Result<Command, Failure> {
    cli.build();
    let found = cli
        .find_subcommand(name)
        .filter(|found| found.get_name() != "help");
    let names = || {
        let names: Vec<&str> = cli
            .get_subcommands()
            .map(Command::get_name)
            .filter(|name| *name != "help")
            .collect();
        Failure::Error(format!(
            "there is no subcommand of that name; there are {}",
            names.join(", ")
        ))
    };
    Ok(found
        .cloned()
        .ok_or_else(names)?
        .display_name(format!("dchess-{name}"))
        .version(env!("CARGO_PKG_VERSION")))
}
