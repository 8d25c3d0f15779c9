//! Writes the fixtures into the folder given as the only argument.

use std::{error::Error, path::PathBuf};

use koma_tables::Writer;

#[path = "../tests/fixtures/contents.rs"]
mod contents;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name a folder")?);
    for fixture in contents::FIXTURES {
        let header = Writer::create(folder.join(fixture.file))?.write_settled(
            &fixture.identity(),
            fixture.kind,
            &fixture.census(),
            &fixture.cells()[..],
            &fixture.outcomes(),
        )?;
        println!(
            "{}: content hash {:016x}",
            fixture.file,
            header.content_hash()
        );
    }
    Ok(())
}
