//! **Output** on stdout, whose errors are reported, and notes on stderr, whose errors are not.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};

use anyhow::Context;
use serde::Serialize;

/// Prints bytes.
pub(crate) fn bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .context("stdout")
}

/// Prints a text.
pub(crate) fn text(text: &str) -> anyhow::Result<()> {
    bytes(text.as_bytes())
}

/// Prints a JSON object on a line of its own.
pub(crate) fn json(object: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(object)?;
    line.push(b'\n');
    bytes(&line)
}

/// Prints a line on stderr. Work goes on even when nobody reads there any more.
pub(crate) fn note(line: impl Display) {
    let _ = writeln!(stderr(), "{line}");
}
