//! An **exit**: what the exit code of the command says.

use std::fmt;
use std::io;
use std::process::ExitCode;

use koma_games::{ExplorationError, PositionError};
use koma_solver::{CheckError, SettleError, SolveError};
use koma_tables::ProbeError;

/// The exit codes, as the help of every subcommand lists them.
pub(crate) const HELP: &str = "\
Exit codes:
  0    done
  1    the answer is no, or a check failed
  2    bad usage or bad input
  3    the environment: disk, memory, a missing or damaged file
  130  interrupted by Ctrl-C";

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Done. So is a run whose output nobody reads any more.
    Done = 0,
    /// A check failed.
    No = 1,
    /// Bad usage or bad input.
    Input = 2,
    /// Disk, memory or a file.
    Environment = 3,
    /// Interrupted; 128 and the number of the signal, as shells have it.
    Interrupted = 130,
}

/// An error in what the user asked for, with its message.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

impl Exit {
    /// The exit of a run that ended with this error.
    pub(crate) fn of(error: &anyhow::Error) -> Exit {
        let io = error.downcast_ref().map(io::Error::kind);
        let json = error.downcast_ref();
        if let Some(kind) = io.or(json.and_then(serde_json::Error::io_error_kind)) {
            return match kind {
                io::ErrorKind::BrokenPipe => Exit::Done,
                _ => Exit::Environment,
            };
        }
        if let Some(error) = error.downcast_ref::<ProbeError>() {
            return match error {
                ProbeError::Material { .. }
                | ProbeError::NoUniverse { .. }
                | ProbeError::Unnumbered { .. }
                | ProbeError::Unreached { .. } => Exit::Input,
                _ => Exit::Environment,
            };
        }
        if error.is::<Usage>() || error.is::<PositionError>() || error.is::<ExplorationError>() {
            return Exit::Input;
        }
        let interrupted = matches!(error.downcast_ref(), Some(SolveError::Interrupted))
            || matches!(
                error.downcast_ref(),
                Some(SettleError::Solve(SolveError::Interrupted))
            )
            || matches!(error.downcast_ref(), Some(CheckError::Interrupted));
        if interrupted {
            Exit::Interrupted
        } else {
            Exit::Environment
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
