//! Running the command in a folder of its own.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of tables that goes when it is dropped.
pub(crate) struct Folder(TempDir);

/// What a run said and how it ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    /// A folder with the tables of these games.
    pub(crate) fn with(games: &[&str]) -> Folder {
        let folder = Folder::new();
        for game in games {
            folder.koma(["solve", game]).expect(0);
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// The names of the files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The command, with this folder and nothing on stdin.
    pub(crate) fn command<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_koma"));
        command
            .args(arguments)
            .env("KOMA_DIR", self.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn koma<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        Run::of(self.command(arguments).output().unwrap())
    }

    /// A run with a text on stdin.
    pub(crate) fn koma_reading(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(input).unwrap());
            Run::of(child.wait_with_output().unwrap())
        })
    }

    /// The JSON object that a successful run prints.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let run = self.koma(arguments).expect(0);
        assert_eq!(run.out.lines().count(), 1, "{run:?}");
        serde_json::from_str(&run.out).unwrap()
    }
}

impl Run {
    pub(crate) fn of(output: Output) -> Run {
        Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Checks the exit code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Checks that stderr tells of the error in one line with this in it.
    #[track_caller]
    pub(crate) fn complains(self, of: &str) -> Run {
        assert!(self.err.contains(of), "no `{of}` in {self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        self
    }
}

/// The keys of a JSON object in the order in which they are written.
pub(crate) fn keys(line: &str, object: &Value) -> Vec<String> {
    let mut keys: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
    keys.sort_by_key(|key| line.find(&format!("\"{key}\":")));
    keys
}

/// The memory that solving so many ranks takes, as the command words it.
pub(crate) fn memory_of(ranks: u64) -> String {
    let gibibytes = koma_solver::memory_needed(ranks) as f64 / f64::from(1u32 << 30);
    format!("{gibibytes:.2} GiB")
}
