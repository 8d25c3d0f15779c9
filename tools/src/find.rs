//! `koma find`: the positions of a game with some property.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write, stdout};
use std::ops::ControlFlow;

use anyhow::Context;
use clap::Args;
use fastrand::Rng;
use koma_games::{RankedUniverse, Universe};
use koma_solver::{Passes, Scan, Settings, Solution, SolveError, tsume, tsume_memory_needed};
use koma_tables::Prober;
use memmap2::Mmap;
use serde::Serialize;

use crate::answer::signed;
use crate::exit::Exit;
use crate::filter::Filter;
use crate::opening::Opening;
use crate::reporter::Reporter;
use crate::wanted::Wanted;
use crate::wording::gibibytes;
use crate::{cli, interrupt, output};

const HELP: &str = "\
All given properties must hold. A position and its mirror image are one, and so are a position and
the same seen by the other player: positions are shown with sente to move, so uppercase letters are
the side to move. They come in the order of their ranks, or of a sample's.

A tsume is a position from which threats alone win, as `koma stats` counts them: every move of the
attacker leaves a threat to take the lion or to try safely, but for the last, which does it. Its
length is that to the end of the game, against the longest defence: 3 plies are what problems call
a mate in 1. What wins at once is no tsume. The shortest win may be another and shorter one
(--plies). The table must know distances.

--material says all that a side owns besides its lion. In a game with drops the other side owns the
rest.

Positions that the rules decide at once, in which the lions attack each other or one has tried, are
in no table and are not found.

JSON, one object a line: {\"game\", \"position\", \"category\", \"dtm\"}, as in `koma query --json`, and
with --tsume its length as \"tsume\"; with --count one object {\"game\", \"count\"}.

Examples:
  koma find dobutsu --plies 173                       the deepest wins
  koma find dobutsu --value draw --hands 0 --limit 10
  koma find dobutsu --value loss --plies 100.. --count
  koma find dobutsu --only-move --check --value win --sample 5 --seed 1
  koma find dobutsu --hand G --board h --zugzwang --json
  koma find dobutsu --tsume 29
  koma find dobutsu --material C --value win --count
  koma find dobutsu:no-drops --material GCvEG --value draw --count";

/// Find the positions with some property
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    universe: RankedUniverse,

    #[command(flatten)]
    filter: Filter,

    /// Only say how many there are
    #[arg(long = "count", conflicts_with_all = ["sample", "limit"])]
    only_count: bool,

    /// Show this many of them, chosen at random
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// Makes the choice of a sample; the same seed chooses the same positions
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,

    /// Stop after this many
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    opening: Opening,
}

#[derive(Serialize)]
struct Count<'a> {
    game: &'a str,
    count: u64,
}

#[derive(Serialize)]
struct Found<'a> {
    game: &'a str,
    position: String,
    category: &'static str,
    dtm: Option<i64>,
    /// The length of the tsume, where that is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    tsume: Option<u32>,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let filter = arguments.filter;
    let pieces = filter.pieces(&arguments.universe)?;
    filter.check_tsume(arguments.universe.game())?;
    let threads = arguments.opening.threads();
    let prober = arguments.opening.prober(arguments.universe)?;
    filter.check_table(&prober)?;
    // The scan reads cells without a look at their checksums.
    prober.table().verify()?;
    interrupt::listen()?;

    let tsume = match filter.asks_for_tsume() {
        false => None,
        true => Some(solve_tsume(&prober, &arguments.opening.settings())?),
    };
    let wanted = filter.wanted(&prober, pieces, tsume);
    let scan = Scan::new(prober.universe(), prober.table(), &wanted);
    let name = prober.universe().to_string();
    let counted = |reporter: &Reporter| scan.count(threads, reporter);
    if arguments.only_count {
        let count = counted(&Reporter::new())?;
        if arguments.json {
            output::json(&Count { game: &name, count })?;
        } else {
            output::text(&format!("{count}\n"))?;
        }
        return Ok(answer(count));
    }

    let reporter = Reporter::new();
    let chosen = match arguments.sample {
        None => None,
        Some(size) => Some(choose(counted(&reporter)?, size, arguments.seed)),
    };
    let mut printer = Printer {
        prober: &prober,
        wanted: &wanted,
        name: &name,
        json: arguments.json,
        out: BufWriter::new(stdout().lock()),
    };
    let limit = arguments.limit.unwrap_or(u64::MAX);
    let (mut seen, mut shown) = (0, 0);
    let mut failed = None;
    let mut rest = chosen;
    scan.for_each(threads, &reporter, |rank| {
        let place = seen;
        seen += 1;
        let done = |rest: &Option<BTreeSet<u64>>| rest.as_ref().is_some_and(BTreeSet::is_empty);
        if shown == limit || done(&rest) {
            return ControlFlow::Break(());
        }
        if rest.as_mut().is_some_and(|rest| !rest.remove(&place)) {
            return ControlFlow::Continue(());
        }
        shown += 1;
        match printer.print(rank) {
            Ok(()) if shown < limit && !done(&rest) => ControlFlow::Continue(()),
            Ok(()) => ControlFlow::Break(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })
    .map_err(|error: SolveError| anyhow::Error::from(error))?;
    if let Some(error) = failed {
        return Err(error);
    }
    printer.out.flush().context("stdout")?;
    Ok(answer(shown))
}

/// The tsume of a game: for them it is solved a second time, in memory.
fn solve_tsume(prober: &Prober<Mmap>, settings: &Settings) -> anyhow::Result<Solution> {
    let (universe, table) = (prober.universe(), prober.table());
    let memory = gibibytes(tsume_memory_needed(universe.len()));
    output::note(format_args!(
        "the tsume of {universe} are to be found first, {memory} of memory needed"
    ));
    let reporter = Reporter::new();
    let passes = Passes::find(universe, table, settings, &reporter)?;
    Ok(tsume(universe, &passes, settings, &reporter)?)
}

/// Whether anything was found.
fn answer(count: u64) -> Exit {
    if count == 0 { Exit::No } else { Exit::Done }
}

/// So many different places below `count`, all choices equally likely (Floyd's method).
pub(crate) fn choose(count: u64, size: u64, seed: u64) -> BTreeSet<u64> {
    let mut random = Rng::with_seed(seed);
    let mut chosen = BTreeSet::new();
    for last in count.saturating_sub(size)..count {
        let place = random.u64(0..=last);
        if !chosen.insert(place) {
            chosen.insert(last);
        }
    }
    chosen
}

/// Prints positions as they are found.
struct Printer<'a, O> {
    prober: &'a Prober<Mmap>,
    wanted: &'a Wanted<'a>,
    name: &'a str,
    json: bool,
    out: O,
}

impl<O: Write> Printer<'_, O> {
    fn print(&mut self, rank: u64) -> anyhow::Result<()> {
        let position = self.prober.universe().unrank(rank);
        let sfen = self.prober.game().sfen(&position);
        if self.json {
            let probe = self.prober.probe(&position)?;
            let found = Found {
                game: self.name,
                position: sfen,
                category: probe.category.name(),
                dtm: signed(probe),
                tsume: self.wanted.tsume_at(rank),
            };
            serde_json::to_writer(&mut self.out, &found)?;
            self.out.write_all(b"\n").context("stdout")
        } else {
            writeln!(self.out, "{sfen}").context("stdout")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn a_sample_has_its_size_and_depends_on_the_seed_alone() {
        for (count, size, expected) in [(10, 3, 3), (10, 10, 10), (3, 10, 3), (0, 5, 0)] {
            let sample = choose(count, size, 7);
            assert_eq!(sample.len(), expected);
            assert!(sample.iter().all(|&place| place < count));
            assert_eq!(sample, choose(count, size, 7));
        }
        assert_ne!(choose(1_000_000, 3, 1), choose(1_000_000, 3, 2));
    }
}
