//! Where the lines or rows of a command go: standard output, or a file that appears whole.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;

use super::artifact::Draft;
use super::failure::Failure;
use super::output::{Output, shown_path};
use super::place::is_same;

/// A place for lines or rows.
pub(crate) enum Sink<'a> {
    /// Standard output.
    Stream(&'a mut Output),
    /// A file.
    File(Draft),
}

impl<'a> Sink<'a> {
    /// The file of `--out`, or standard output without it or for `-`. Another file of that name is
    /// replaced only by `force`, and the input never.
    pub(crate) fn open(
        out: Option<&Path>,
        input: Option<&Path>,
        force: bool,
        stdout: &'a mut Output,
    ) -> Result<Sink<'a>, Failure> {
        match out.filter(|path| path.as_os_str() != "-") {
            None => Ok(Sink::Stream(stdout)),
            Some(path) if input.is_some_and(|input| is_same(path, input)) => Err(Failure::Error(
                format!("{} is the input; choose another name", shown_path(path)),
            )),
            Some(path) => Ok(Sink::File(Draft::begin(path, force)?)),
        }
    }

    /// Whether a person sees it on a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Sink::Stream(_)) && io::stdout().is_terminal()
    }

    /// Writes bytes, and says whether anybody wants more.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<ControlFlow<()>, Failure> {
        match self {
            Sink::Stream(output) => {
                output.bytes(bytes)?;
                Ok(match output.is_closed() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                })
            }
            Sink::File(draft) => {
                draft
                    .write_all(bytes)
                    .map_err(|error| draft.failure(&error))?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Makes the file appear, or what was written to the stream; says whether there is a file.
    pub(crate) fn finish(self) -> Result<bool, Failure> {
        match self {
            Sink::Stream(output) => output.flush().map(|()| false),
            Sink::File(draft) => draft.finish().map(|()| true),
        }
    }
}
