//! `koma report`: a page of results of all sets of a game.

use std::fmt::Write as _;

use anyhow::Context;
use clap::Args;
use koma_games::{Color, Law, RankedUniverse, Sets};
use koma_solver::Ends;
use koma_tables::{Identity, Table};
use memmap2::Mmap;

use crate::exit::{Exit, Usage};
use crate::folder::Folder;
use crate::reporter::Reporter;
use crate::resources::Threads;
use crate::wording::count;
use crate::{cli, ending, interrupt, output};

const HELP: &str = "\
The page is Markdown and depends on the tables alone: two runs give the same bytes. Every set must have a
table with distances; `koma solve 'minishogi:*3'` makes them.

Examples:
  koma solve 'minishogi:*3'
  koma report 'minishogi:*3' > docs/results/minishogi.md";

/// Write a page of results of all sets of a game
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The sets: `minishogi:*3` is all of up to three pieces, at most two of a kind
    #[arg(value_name = "SETS")]
    sets: Sets,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    threads: Threads,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let sets = arguments.sets;
    let directory = arguments.folder.directory()?;
    let universes = sets
        .universes()
        .map_err(|error| Usage(format!("{sets}: {error}")))?;
    interrupt::listen()?;
    let mut pages = Vec::with_capacity(universes.len());
    for universe in &universes {
        let table = directory
            .open(&Identity::from(universe))
            .with_context(|| format!("`koma solve '{sets}'` makes the tables of all sets"))?;
        table.verify()?;
        let reporter = Reporter::new();
        let ends = Ends::of(universe, &table, arguments.threads.count(), &reporter)?;
        pages.push((universe, table, ends));
    }
    output::text(&page(&sets, &pages)?)?;
    Ok(Exit::Done)
}

type Set<'a> = (&'a RankedUniverse, Table<Mmap>, Ends);

fn page(sets: &Sets, pages: &[Set<'_>]) -> anyhow::Result<String> {
    let game = sets.game();
    let law = game.law().name();
    let total = |number: fn(&Set<'_>) -> u64| count(pages.iter().map(number).sum());
    let mut text = format!(
        "# {game}: all sets {sets}\n\n\
         Made by `koma report '{sets}'` from the tables of `koma solve '{sets}'`. Two kings and the pieces \
         named, on the board or in hand, of either side: every legal position. A position and what the \
         game's symmetries make of it (the colors exchanged, the mirror) are one. Distances are in plies, \
         counted to the mate or stalemate, against the longest defense.\n\n\
         {} sets, {} positions: {} won and {} lost for the side to move by force; of {} neither side can \
         force the end (*open*), and a law decides: `{law}` by the rules of the game.\n\n",
        pages.len(),
        total(|(_, table, _)| table.header().census().positions.total()),
        total(|(_, table, _)| table.header().census().positions.win),
        total(|(_, table, _)| table.header().census().positions.loss),
        total(|(_, table, _)| table.header().census().positions.draw),
    );
    text.push_str("## Forced wins and losses\n\n");
    text.push_str("The same under every law.\n\n");
    text.push_str("| set | positions | won | lost | open | mated | stalemated | longest |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (universe, table, ends) in pages {
        let positions = &table.header().census().positions;
        let longest = ends.longest.map_or(0, |(plies, _)| plies);
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {longest} |",
            letters(universe),
            count(positions.total()),
            count(positions.win),
            count(positions.loss),
            count(positions.draw),
            count(ends.mates),
            count(ends.stalemates),
        )?;
    }
    text.push_str("\n## The longest\n\nA position of the longest distance of each set, the one of the lowest rank.\n\n");
    text.push_str("| set | plies | for the side to move | position |\n|---|---:|---|---|\n");
    for (universe, _, ends) in pages {
        let Some((plies, rank)) = ends.longest else {
            continue;
        };
        let value = if plies % 2 == 1 { "won" } else { "lost" };
        let sfen = game.sfen(&universe.unrank(rank));
        writeln!(
            text,
            "| {} | {plies} | {value} | `{sfen}` |",
            letters(universe)
        )?;
    }
    // Under the law `draw` tables say nothing of the others.
    let laws = Law::ALL.into_iter();
    for by_law in laws.filter(|&law| law != Law::Draw && game.law() != Law::Draw) {
        text.push_str(&settled(by_law, pages)?);
    }
    Ok(text)
}

/// What a law makes of the open positions.
fn settled(law: Law, pages: &[Set<'_>]) -> anyhow::Result<String> {
    let mut text = format!(
        "\n## Endless play under `{}`\n\n{}\n\n",
        law.name(),
        meaning(law)
    );
    text.push_str("| set | open | sente to move: sente wins | draw | gote wins | gote to move: gote wins | draw | sente wins |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (universe, table, _) in pages {
        let header = table.header();
        let found = header.outcomes().iter().find(|counts| counts.law == law);
        let found = found.with_context(|| {
            format!(
                "{}: holds no outcomes under `{}`",
                table.file().display(),
                law.name()
            )
        })?;
        let [sente, gote] = Color::BOTH.map(|mover| found.positions.of(mover).map(count));
        writeln!(
            text,
            "| {} | {} | {} | {} |",
            letters(universe),
            count(header.census().positions.draw),
            sente.join(" | "),
            gote.join(" | "),
        )?;
    }
    Ok(text)
}

/// What a law says.
fn meaning(law: Law) -> String {
    let terms = law.terms();
    let plain = match terms.loser {
        None => "Endless play is a draw".to_owned(),
        Some(loser) => format!("Endless play loses for {}", ending::name(loser)),
    };
    match terms.checker {
        None => format!("{plain}."),
        Some(koma_games::Checker::EveryMove) => format!(
            "{plain}, but a side that gives check with every move while the other does not loses."
        ),
        Some(koma_games::Checker::AnyMove) => format!(
            "{plain}, but a side that gives check again and again while the other does not loses."
        ),
    }
}

/// The pieces of a set besides the royals.
fn letters(universe: &RankedUniverse) -> String {
    universe.material().letters(universe.game()).to_uppercase()
}
