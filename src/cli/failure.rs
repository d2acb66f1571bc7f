//! How a run ends: the exit code, or an error with its reason.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use dchess::endgame::{EndgameError, TransitionError};
use dchess::game::Interrupted;

/// The exit code of a run that came to its end. The same meaning for every subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The claim is established, the question answered.
    Established = 0,
    /// It is established that the claim does not hold.
    DoesNotHold = 1,
    /// The input or the use of the command is wrong.
    Unusable = 2,
    /// The budget was spent before there was an answer.
    Undecided = 3,
    /// Somebody stopped the run.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a run came to no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Somebody stopped it.
    Interrupted,
    /// What the run was about does not hold; the text says why.
    DoesNotHold(String),
    /// Something is wrong with the input, the file system or the use; the text says what.
    Error(String),
}

impl Failure {
    /// A failure with the whole chain of causes in its text, after a few words on what was tried.
    pub(crate) fn context(doing: &str, error: &dyn Error) -> Failure {
        let mut text = format!("{doing}: {error}");
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        Failure::Error(text)
    }

    /// Says on stderr why the run failed.
    pub(crate) fn report(self) -> Exit {
        match self {
            Failure::Interrupted => {
                warn("interrupted; no unfinished file is left");
                Exit::Interrupted
            }
            Failure::DoesNotHold(text) => {
                warn(&text);
                Exit::DoesNotHold
            }
            Failure::Error(text) => {
                warn(&text);
                Exit::Unusable
            }
        }
    }
}

/// Says something on stderr; if nobody can hear it, that is no reason to end otherwise.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "dchess: {text}");
}

impl From<Interrupted> for Failure {
    fn from(_: Interrupted) -> Failure {
        Failure::Interrupted
    }
}

impl From<EndgameError> for Failure {
    fn from(error: EndgameError) -> Failure {
        match error {
            EndgameError::Interrupted(Interrupted) => Failure::Interrupted,
            error => Failure::Error(error.to_string()),
        }
    }
}

impl From<TransitionError> for Failure {
    fn from(error: TransitionError) -> Failure {
        match error {
            TransitionError::Interrupted(Interrupted) => Failure::Interrupted,
            error @ TransitionError::Lookup(_) => Failure::Error(error.to_string()),
        }
    }
}
