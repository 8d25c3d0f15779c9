//! Tests of koma-tables through its public interface.

mod damage;
mod directory;
mod fixtures;
mod garbage;
mod round_trip;
mod scratch;
mod threads;
mod writing;

#[path = "../fixtures/contents.rs"]
mod contents;
