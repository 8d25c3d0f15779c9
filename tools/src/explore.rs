//! `koma explore`: finds the positions that play leads to, and the value of each.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Context;
use clap::{Args, ValueEnum};
use koma_games::{Explorable, Exploration, RankedUniverse, Reached};
use koma_solver::{Explored, SolveError, explore, exploring_memory_needed};
use koma_tables::{Identity, Kind, Table, Writer, check_material};
use memmap2::Mmap;
use serde::Serialize;

use crate::exit::Exit;
use crate::folder::Folder;
use crate::info::file_bytes;
use crate::query::read_position;
use crate::reporter::Reporter;
use crate::resources::Resources;
use crate::solve::standing;
use crate::wording::{bytes, count};
use crate::{cli, interrupt, output};

const HELP: &str = "\
A position and what the game's symmetries make of it (the colours exchanged, the mirror) are one. Play
stops where the game is over, and:
  rules   where the side to move can take the lion or try safely: it has won
  tanaka  where the side to move can take the lion: it has won; a try is a move like any other,
          and after a safe one the other side has lost. As in Tanaka's analysis (2009)

The table holds the reached positions that a table of `koma solve` holds; of the others, which the
rules decide at once, it holds no list. It is asked by its name, GAME/reachable or
GAME/reachable:tanaka; from other roots than the start position the name ends in their numbers and
is shown. A finished table is not made again without --force, but the positions are counted again.

JSON, one object on one line:
  {\"game\", \"convention\", \"roots\", \"positions\", \"win\", \"loss\", \"draw\", \"max_plies\", \"by_plies\",
   \"open\": {\"positions\", \"win\", \"loss\", \"draw\", \"moves\"},
   \"ended\": {\"lion_can_be_taken\", \"can_try\", \"lost_by_a_try\"}, \"content_hash\", \"bytes\"}
  by_plies      [[plies, count], ..], odd plies are wins, even ones losses
  open          positions from which play goes on, and all their moves; two equal pieces in hand
                give one drop a square
  ended         the other positions
  content_hash  16 hexadecimal digits; equal for equal cells, whatever program wrote them

Examples:
  koma explore dobutsu
  koma explore dobutsu --convention tanaka --threads 2 --memory 3G
  koma explore dobutsu@3x4:ec --root '1l1/3/3/1L1 b EC 1'
  koma query dobutsu/reachable:tanaka gle/1c1/1C1/ELG b - 1";

/// Find the positions that play leads to, and the value of each
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    universe: RankedUniverse,

    /// A position from which play starts, as for `koma query`, in one word or quoted; may be given
    /// several times [default: the start position]
    #[arg(long = "root", value_name = "POSITION")]
    roots: Vec<String>,

    /// Where play stops
    #[arg(long, value_enum, default_value_t = Convention::Rules)]
    convention: Convention,

    /// Make the table again even if there is one, finished or damaged
    #[arg(long)]
    force: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    resources: Resources,
}

#[derive(Clone, Copy, ValueEnum)]
enum Convention {
    /// Where the lion can be taken, and where a safe try can be played.
    Rules,
    /// Where the lion can be taken, and after a safe try.
    Tanaka,
}

/// The table of an exploration: one that stands, or one to be made.
enum File {
    Standing(Box<Table<Mmap>>),
    Missing(Writer),
}

/// What was found.
#[derive(Serialize)]
struct Report {
    /// The name of the exploration.
    game: String,
    convention: &'static str,
    /// As SFEN.
    roots: Vec<String>,
    positions: u64,
    win: u64,
    loss: u64,
    draw: u64,
    max_plies: Option<u32>,
    by_plies: Vec<(u32, u64)>,
    open: Open,
    ended: Ended,
    content_hash: String,
    bytes: u64,
}

/// Positions from which play goes on.
#[derive(Serialize)]
struct Open {
    positions: u64,
    win: u64,
    loss: u64,
    draw: u64,
    moves: u64,
}

/// Positions from which it does not.
#[derive(Serialize)]
struct Ended {
    lion_can_be_taken: u64,
    can_try: u64,
    lost_by_a_try: u64,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let exploration = asked(arguments.universe, &arguments.roots, arguments.convention)?;
    let identity = Identity::from(&exploration);
    let path = arguments
        .folder
        .directory()?
        .path_of(&identity.universe, Kind::Dtm);
    let file = match standing(&path, &identity) {
        Ok(Some(table)) if !arguments.force => File::Standing(Box::new(table)),
        Err(error) if !arguments.force => return Err(error),
        _ => File::Missing(Writer::create(&path)?),
    };

    let (space, ranked) = (exploration.space(), exploration.ranked());
    output::note(format_args!(
        "{exploration}: {} ranks to explore, {} of memory needed\ntable: {}",
        count(space.len()),
        bytes(exploring_memory_needed(space)),
        path.display()
    ));
    interrupt::listen()?;
    let begin = Instant::now();
    let settings = arguments.resources.settings();
    let reporter = Reporter::new();
    let explored = explore(space, exploration.roots(), &settings, &reporter)
        .with_context(|| exploration.to_string())?;
    let table = match file {
        File::Standing(table) => *table,
        File::Missing(writer) => {
            let solution = explored
                .solve(ranked, &settings, &reporter)
                .with_context(|| exploration.to_string())?;
            if interrupt::interrupted() {
                return Err(SolveError::Interrupted.into());
            }
            solution.write(writer, &identity, Kind::Dtm)?;
            Table::open_expecting(&path, &identity)?
        }
    };
    drop(reporter);
    let report = Report::new(&exploration, &explored, &table)?;
    if arguments.json {
        output::json(&report)?;
    } else {
        let seconds = begin.elapsed().as_secs_f64();
        output::text(&report.text(&table)?)?;
        output::text(&format!("time       {seconds:.1} s\n"))?;
    }
    Ok(Exit::Done)
}

/// The exploration that the arguments ask for.
fn asked(
    universe: RankedUniverse,
    roots: &[String],
    convention: Convention,
) -> anyhow::Result<Exploration> {
    let roots = roots
        .iter()
        .map(|root| {
            let root = read_position(&universe, std::slice::from_ref(root))?;
            check_material(&universe, &root)?;
            Ok(root)
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let convention = match convention {
        Convention::Rules => koma_games::Convention::Rules,
        Convention::Tanaka => koma_games::Convention::Tanaka,
    };
    Ok(Exploration::new(universe, convention, &roots)?)
}

impl Report {
    fn new(
        exploration: &Exploration,
        explored: &Explored,
        table: &Table<Mmap>,
    ) -> anyhow::Result<Report> {
        let Reached {
            open,
            moves,
            catches,
            tries,
            tried,
        } = explored.counts();
        let counts = explored.counts_by_value(&table.header().census().positions);
        let (space, game) = (exploration.space(), exploration.game());
        // Of a position and its mirror image either may be the root's name; the start has its own.
        let roots = match game.start() {
            Some(start) if exploration.is_from_start() => vec![game.sfen(&start)],
            _ => {
                let roots = exploration.roots().iter();
                roots.map(|&root| game.sfen(&space.unrank(root))).collect()
            }
        };
        Ok(Report {
            game: exploration.to_string(),
            convention: space.convention().name(),
            roots,
            positions: counts.total(),
            win: counts.win,
            loss: counts.loss,
            draw: counts.draw,
            max_plies: counts.deepest(),
            open: Open {
                positions: open,
                win: counts.win - catches - tries,
                loss: counts.loss - tried,
                draw: counts.draw,
                moves,
            },
            ended: Ended {
                lion_can_be_taken: catches,
                can_try: tries,
                lost_by_a_try: tried,
            },
            by_plies: counts.by_plies,
            content_hash: format!("{:016x}", table.header().content_hash()),
            bytes: file_bytes(table)?,
        })
    }

    fn text(&self, table: &Table<Mmap>) -> anyhow::Result<String> {
        let mut text = String::new();
        writeln!(text, "asked by   {}", self.game)?;
        for root in &self.roots {
            writeln!(text, "root       {root}")?;
        }
        let mut line = |name: &str, number| writeln!(text, "{name:18} {:>15}", count(number));
        line("positions", self.positions)?;
        line("  won", self.win)?;
        line("  lost", self.loss)?;
        line("  drawn", self.draw)?;
        line("play goes on", self.open.positions)?;
        line("  won", self.open.win)?;
        line("  lost", self.open.loss)?;
        line("  drawn", self.open.draw)?;
        line("  moves", self.open.moves)?;
        line("play has ended", self.positions - self.open.positions)?;
        line("  lion can be taken", self.ended.lion_can_be_taken)?;
        // Of these two no convention has both.
        for (name, number) in [
            ("  safe try", self.ended.can_try),
            ("  lost by a try", self.ended.lost_by_a_try),
        ] {
            if number > 0 {
                line(name, number)?;
            }
        }
        if let Some(plies) = self.max_plies {
            writeln!(text, "deepest    {plies} plies")?;
        }
        writeln!(
            text,
            "file       {} ({})",
            table.file().display(),
            bytes(self.bytes)
        )?;
        Ok(text)
    }
}
