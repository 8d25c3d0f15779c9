//! The **opening** of a table of hasami: it is made first where that takes seconds.

use anyhow::{Context, anyhow};
use clap::Args;
use koma_games::Layered;
use koma_games::hasami::{Game, Position, Universe};
use koma_solver::{KnownLayer, SolveError, layered_memory_needed, solve_layered_from};
use koma_tables::{Directory, HasamiProber, Identity, Kind, OpenFault, Table, Writer};
use memmap2::Mmap;

use crate::exit::Usage;
use crate::folder::Folder;
use crate::reporter::Reporter;
use crate::resources::Resources;
use crate::wording::{count, gibibytes};
use crate::{interrupt, output};

/// The most ranks that are solved unasked: some 10 seconds of two processors.
const SOLVES_IN_SECONDS: u64 = 40_000_000;

#[derive(Args)]
pub(crate) struct Opening {
    /// Never solve the game first, however small
    #[arg(long)]
    no_solve: bool,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    resources: Resources,
}

impl Opening {
    /// Threads to use; `None` for all processors.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.resources.threads()
    }

    /// Opens the table of a universe; makes it first where that takes seconds.
    pub(crate) fn prober(&self, universe: Universe) -> anyhow::Result<HasamiProber<Mmap>> {
        let directory = self.folder.directory()?;
        let table = match directory.open(&Identity::from(&universe)) {
            Ok(table) => table,
            Err(error) if !matches!(error.fault, OpenFault::Missing { .. }) => {
                return Err(error.into());
            }
            Err(_) if !self.no_solve && universe.len() <= SOLVES_IN_SECONDS => {
                let folder = directory.path().display();
                output::note(format_args!(
                    "{folder} holds no table of {universe}; solving it first"
                ));
                make_table(&universe, &directory, Kind::Dtm, &self.resources)?
            }
            Err(error) => {
                let command = format!("`koma solve {universe}` makes it");
                return Err(anyhow!(error).context(command));
            }
        };
        Ok(HasamiProber::new(universe, table)?)
    }
}

/// Solves a universe and writes its table in place of any older one.
pub(crate) fn make_table(
    universe: &Universe,
    directory: &Directory,
    kind: Kind,
    resources: &Resources,
) -> anyhow::Result<Table<Mmap>> {
    let path = directory.path_of(&universe.to_string(), kind);
    output::note(format_args!(
        "{universe}: {} ranks to solve, {} of memory needed\ntable: {}",
        count(universe.len()),
        gibibytes(layered_memory_needed(universe)),
        path.display()
    ));
    interrupt::listen()?;
    let writer = Writer::create(&path)?;
    let smaller = smaller_tables(universe, directory)?;
    let known = known_layers(universe, &smaller);
    let solution = {
        let reporter = Reporter::new();
        solve_layered_from(universe, &known, &resources.settings(), &reporter)
            .context(universe.to_string())?
    };
    if interrupt::interrupted() {
        return Err(SolveError::Interrupted.into());
    }
    let identity = Identity::from(universe);
    solution.write(writer, &identity, kind)?;
    Ok(Table::open_expecting(path, &identity)?)
}

/// The sound tables of other sets of men of the same game.
fn smaller_tables(
    universe: &Universe,
    directory: &Directory,
) -> anyhow::Result<Vec<HasamiProber<Mmap>>> {
    let mut tables = Vec::new();
    for listing in directory.list()? {
        let Ok(header) = listing.header else {
            continue;
        };
        let identity = header.identity();
        let other = header.kind() == Kind::Dtm
            && identity.game == universe.game().rules_name()
            && identity.universe != universe.to_string();
        if let Ok(smaller) = identity.universe.parse::<Universe>()
            && other
            && let Ok(table) = Table::open_expecting(&listing.path, &Identity::from(&smaller))
            && table.verify().is_ok()
        {
            output::note(format_args!(
                "layers of {} are read",
                listing.path.display()
            ));
            tables.push(HasamiProber::new(smaller, table)?);
        }
    }
    Ok(tables)
}

/// The layers of a universe that these tables have.
fn known_layers<'t>(universe: &Universe, tables: &'t [HasamiProber<Mmap>]) -> Vec<KnownLayer<'t>> {
    let mut known = Vec::new();
    for layer in 0..universe.layers().len() {
        let counts = universe.counts(layer);
        for prober in tables {
            let smaller = prober.universe();
            let same = (0..smaller.layers().len()).find(|&same| smaller.counts(same) == counts);
            if let Some(same) = same {
                let first = smaller.layers()[same].first;
                let table = prober.table();
                let value = move |rank| table.cell_unverified(first + rank).value();
                known.push(KnownLayer {
                    layer,
                    value: Box::new(value),
                });
                break;
            }
        }
    }
    known
}

/// The universe of this name. Names are read here and not with the other arguments, so that a
/// subcommand's help can be had with any game.
pub(crate) fn universe(name: &str) -> anyhow::Result<Universe> {
    name.parse()
        .map_err(|error| Usage(format!("{error}")).into())
}

/// The position on the command line, or the start of the game.
pub(crate) fn read_position(universe: &Universe, words: &[String]) -> anyhow::Result<Position> {
    let game = universe.game();
    if words.is_empty() {
        if !universe.has_start() {
            let problem = format!("{universe} has no start position; give a position");
            return Err(Usage(problem).into());
        }
        return Ok(game.start());
    }
    read_position_of(game, words)
}

/// The position on the command line, of a game that need not be numbered.
pub(crate) fn read_position_of(game: &Game, words: &[String]) -> anyhow::Result<Position> {
    let text = words.join(" ");
    let read = game.parse_position(&text);
    read.map_err(|error| Usage(format!("position `{text}`: {error}")).into())
}
