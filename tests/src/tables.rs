//! **Tables** made for tests: solved, written to a file and read back.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use koma_games::RankedUniverse;
use koma_solver::{NoProgress, Settings, Solution, solve};
use koma_tables::{Identity, Kind, Outcomes, Prober, Table, Writer, file_name};

/// Answers for the positions of the whole game. It is solved the first time this is called in a
/// process; the file passes through `folder`.
pub fn whole_game(folder: &str) -> &'static Prober<Vec<u8>> {
    static WHOLE_GAME: OnceLock<Prober<Vec<u8>>> = OnceLock::new();
    WHOLE_GAME.get_or_init(|| {
        let universe = "dobutsu".parse().expect("the game has a universe");
        prober(universe, None, folder)
    })
}

/// Answers for the positions of a universe, which is solved for it by so many threads, or all. The
/// file passes through `folder`.
pub fn prober(universe: RankedUniverse, threads: Option<usize>, folder: &str) -> Prober<Vec<u8>> {
    let settings = Settings {
        threads,
        ..Settings::default()
    };
    let solution = solve(&universe, &settings, &NoProgress)
        .unwrap_or_else(|error| panic!("{universe}: {error}"));
    let bytes = table_bytes(&universe, &solution, folder);
    let table = Table::open(bytes).unwrap_or_else(|error| panic!("{universe}: {error}"));
    table
        .verify()
        .unwrap_or_else(|error| panic!("{universe}: {error}"));
    Prober::new(universe, table).expect("the table is of the universe")
}

/// The bytes of the file that a solution is written to. It passes through `folder`, where no other
/// thread may be writing one of the same universe.
pub fn table_bytes(universe: &RankedUniverse, solution: &Solution, folder: &str) -> Vec<u8> {
    settled_bytes(universe, solution, &[], folder)
}

/// The same with what laws make of the residue.
pub fn settled_bytes(
    universe: &RankedUniverse,
    solution: &Solution,
    outcomes: &[Outcomes],
    folder: &str,
) -> Vec<u8> {
    // Several test runs may share a folder.
    let name = file_name(&universe.to_string(), Kind::Dtm);
    let path = Path::new(folder).join(format!("{}-{name}", std::process::id()));
    let writer = Writer::create(&path).expect("the test folder can be written to");
    solution
        .write_settled(writer, &Identity::from(universe), Kind::Dtm, outcomes)
        .expect("the table is written");
    let bytes = fs::read(&path).expect("the table is there");
    fs::remove_file(&path).expect("the table can be removed");
    bytes
}
