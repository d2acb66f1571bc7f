//! `completions`: what a shell needs to complete the command line.

use clap::Command;
use clap_complete::Shell;

use super::failure::{Exit, Failure};
use super::output::Output;

/// Print the completion script of a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  dchess completions bash > ~/.local/share/bash-completion/completions/dchess")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, cli: &mut Command, output: &mut Output) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, cli, "dchess", &mut script);
    output.bytes(&script)?;
    Ok(Exit::Established)
}
