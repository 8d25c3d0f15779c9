//! The **making** of a table: solving a game and writing the answers.

use anyhow::Context;
use koma_games::rules::Options;
use koma_games::{Game, Law, RankedUniverse, Universe};
use koma_solver::{SolveError, memory_needed, solve};
use koma_tables::{Directory, Identity, Kind, Table, Writer};
use memmap2::Mmap;

use crate::exit::Usage;
use crate::reporter::Reporter;
use crate::resources::Resources;
use crate::wording::{count, gibibytes};
use crate::{interrupt, output};

/// Solves a game and writes its table in place of any older one. The plan and the progress go to
/// stderr; the file is opened before any work is done.
pub(crate) fn make_table(
    universe: &RankedUniverse,
    directory: &Directory,
    kind: Kind,
    resources: &Resources,
) -> anyhow::Result<Table<Mmap>> {
    check_law(universe)?;
    let path = directory.path_of(&universe.to_string(), kind);
    let settings = resources.settings();
    let ranks = count(universe.len());
    let memory = gibibytes(memory_needed(universe.len()));
    output::note(format_args!(
        "{universe}: {ranks} ranks to solve, {memory} of memory needed\ntable: {}",
        path.display()
    ));
    interrupt::listen()?;
    let writer = Writer::create(&path)?;
    let solution = {
        let reporter = Reporter::new();
        solve(universe, &settings, &reporter).context(universe.to_string())?
    };
    if interrupt::interrupted() {
        return Err(SolveError::Interrupted.into());
    }
    let identity = Identity::from(universe);
    solution.write(writer, &identity, kind)?;
    Ok(Table::open_expecting(path, &identity)?)
}

/// Refuses a law that the analysis does not settle. What neither side can force is the same under
/// every law, so the universe with draws answers the rest.
fn check_law(universe: &RankedUniverse) -> anyhow::Result<()> {
    let game = universe.game();
    if game.law() == Law::Draw {
        return Ok(());
    }
    let options = Options {
        law: Law::Draw,
        ..game.options()
    };
    let drawn = Game::new(game.family(), game.board(), options)?;
    let drawn = RankedUniverse::new(drawn, *universe.material())?;
    Err(Usage(format!(
        "{universe}: endless play under the law `{}` is not solved; `{drawn}` has the same forced wins \
         and losses",
        game.law().name()
    ))
    .into())
}
