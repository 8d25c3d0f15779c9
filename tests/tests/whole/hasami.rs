//! Hasami solved, against an independent solver on small boards and the naive second implementation:
//! about 20 s of processor time in all.

use std::collections::BTreeMap;

use koma_games::hasami::{EndReason, Game, Position, Universe};
use koma_games::{Block, Layered, Successor, Value};
use koma_solver::{
    CheckError, LayeredSolution, NoProgress, Settings, ValueCounts, check_layered, solve_layered,
};
use koma_tables::{Cell, CellSource, Census, Counts, Identity, Kind, Table, Writer};
use koma_tests::naive_hasami::{Lead, NaiveHasami};
use koma_tests::{naive, oracle, parallel};

fn solved(universe: &Universe) -> LayeredSolution {
    let settings = Settings {
        threads: Some(1),
        ..Settings::default()
    };
    solve_layered(universe, &settings, &NoProgress).unwrap()
}

/// The game of a row of the oracle: board, men, the number of men that has lost, lead, and the
/// capture rules.
fn game_of(row: &[&str]) -> String {
    let number = |column: usize| row[column].parse::<u32>().unwrap();
    let switch = |column: usize| if row[column] == "1" { "on" } else { "off" };
    let lead = match row[3] {
        "-" => String::new(),
        lead => format!("lead={lead},"),
    };
    format!(
        "hasami@{}:men={},win={},{lead}corner={},edge={},corner-anchor={}",
        row[0],
        row[1],
        number(1) - number(2),
        switch(4),
        switch(5),
        switch(6)
    )
}

/// A position as the oracle writes it, `X` to move and `o`, as SFEN.
fn sfen(text: &str) -> String {
    let letter = |sign| match sign {
        'X' => 'P',
        'o' => 'p',
        '.' => '1',
        other => other,
    };
    text.chars().map(letter).chain(" b".chars()).collect()
}

fn value(letter: &str, plies: &str) -> Value {
    let plies = || plies.parse().unwrap();
    match letter {
        "W" => Value::Win(plies()),
        "L" => Value::Loss(plies()),
        "D" => Value::Draw,
        other => panic!("{other}"),
    }
}

/// What the oracles say of one set of rules.
#[derive(Default)]
struct Facts {
    counts: Vec<&'static str>,
    histogram: &'static str,
    positions: Vec<[&'static str; 3]>,
}

/// Every row of the three files.
#[test]
fn small_boards_agree_with_an_independent_solver() {
    let mut rules: BTreeMap<Vec<&str>, Facts> = BTreeMap::new();
    for row in oracle::rows(oracle::HASAMI_SMALL) {
        rules.entry(row[..7].to_vec()).or_default().counts = row[7..].to_vec();
    }
    for row in oracle::rows(oracle::HASAMI_HISTOGRAMS) {
        rules.get_mut(&row[..7]).unwrap().histogram = row[7];
    }
    for row in oracle::rows(oracle::HASAMI_POSITIONS) {
        let facts = rules.get_mut(&row[..7]).unwrap();
        facts.positions.push([row[7], row[8], row[9]]);
    }
    assert_eq!(rules.len(), 40);
    parallel::for_each(rules.into_iter().collect(), |(row, facts)| {
        let universe: Universe = game_of(&row).parse().unwrap();
        let solution = solved(&universe);
        compare_counts(&universe, &solution.census().boards, &facts);
        assert_eq!(facts.positions.len(), 60);
        for [position, letter, plies] in facts.positions {
            let position = universe.game().parse_position(&sfen(position)).unwrap();
            let rank = universe.rank(&position).unwrap();
            assert_eq!(
                solution.value(rank),
                value(letter, plies),
                "{universe} {}",
                universe.game().sfen(&position)
            );
        }
        compare_starts(&universe, &solution, facts.counts[8]);
    });
}

fn compare_counts(universe: &Universe, boards: &ValueCounts, facts: &Facts) {
    let deepest =
        |by_plies: &BTreeMap<u32, u64>| by_plies.keys().last().map_or(0, |&plies| plies.into());
    let count =
        |by_plies: &BTreeMap<u32, u64>, plies: u32| by_plies.get(&plies).copied().unwrap_or(0);
    let found = [
        boards.total(),
        boards.won(),
        boards.draws,
        boards.lost(),
        deepest(&boards.wins),
        deepest(&boards.losses),
        count(&boards.wins, 1),
        count(&boards.losses, 0),
    ];
    let expected: Vec<u64> = facts.counts[..8]
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
    assert_eq!(found[..], expected, "{universe}");
    let mut expected = ValueCounts::default();
    for entry in facts.histogram.split(' ') {
        let (value_of, times) = entry.split_once(':').unwrap();
        let (letter, plies) = value_of.split_at(1);
        expected.add(value(letter, plies), times.parse().unwrap());
    }
    assert_eq!(*boards, expected, "{universe}");
}

fn compare_starts(universe: &Universe, solution: &LayeredSolution, starts: &str) {
    for start in starts.split(';') {
        let (name, rest) = start.split_once(':').unwrap();
        let (board, worth) = rest.split_once('=').unwrap();
        let (letter, plies) = worth.split_at(1);
        let position = universe.game().parse_position(&sfen(board)).unwrap();
        let rank = universe.rank(&position).unwrap();
        assert_eq!(
            solution.value(rank),
            value(letter, plies),
            "{universe} {name}"
        );
        let placing = match name {
            "left_aligned" => "start=facing",
            "point_symmetric" | "full_rows" => "start=turned",
            other => panic!("{other}"),
        };
        let grid = universe.game().grid();
        let game: Game = format!("hasami@{grid}:men={},{placing}", universe.men()[0])
            .parse()
            .unwrap();
        let same = universe.rank(&game.start());
        assert_eq!(same, Some(rank), "{universe} {placing}");
    }
}

/// Boards up to 3x4 under every combination of options, placement by placement.
#[test]
fn the_naive_implementation_agrees_under_every_rule() {
    let mut rules = Vec::new();
    for (width, height, men) in [
        (3, 4, 3),
        (4, 3, 3),
        (3, 3, 3),
        (3, 4, 2),
        (4, 3, 2),
        (3, 3, 2),
    ] {
        for win in 1..=men {
            let mut leads = vec![None];
            for by in 1..=win {
                leads.extend([true, false].map(|reply| Some(Lead { by, reply })));
            }
            for lead in leads {
                for switches in 0..8 {
                    let on = |bit: u32| switches >> bit & 1 == 1;
                    // 4x3 is 3x4 on its side: half of the rules there, the others on 3x4.
                    if men == 3 && width + height == 7 && (switches % 2 == 0) != (width == 3) {
                        continue;
                    }
                    rules.push(NaiveHasami {
                        width,
                        height,
                        men,
                        lose_at: men - win,
                        lead,
                        corner: on(0) != on(2),
                        edge: on(1),
                        corner_anchor: on(2),
                    });
                }
            }
        }
    }
    parallel::for_each(rules, |naive| {
        let switch = |on: bool| if on { "on" } else { "off" };
        let lead = naive.lead.map_or(String::new(), |lead| {
            format!("lead={},lead-reply={},", lead.by, switch(lead.reply))
        });
        let universe: Universe = format!(
            "hasami@{}x{}:men={},win={},{lead}corner={},edge={},corner-anchor={}",
            naive.width,
            naive.height,
            naive.men,
            naive.men - naive.lose_at,
            switch(naive.corner),
            switch(naive.edge),
            switch(naive.corner_anchor),
        )
        .parse()
        .unwrap();
        let solution = solved(&universe);
        let values = naive.solve();
        assert_eq!(values.len() as u64, solution.census().boards.total());
        for (text, expected) in values {
            let position = universe.game().parse_position(&sfen(&text)).unwrap();
            let found = match solution.value(universe.rank(&position).unwrap()) {
                Value::Win(plies) => naive::Value::Win(plies),
                Value::Loss(plies) => naive::Value::Loss(plies),
                Value::Draw | Value::Endless(_) => naive::Value::Draw,
            };
            assert_eq!(found, expected, "{universe} {text}");
        }
    });
}

/// The moves that the analysis takes back, and those it counts, are the forward moves.
#[test]
fn moves_and_moves_taken_back_are_converse() {
    let names = [
        "hasami@3x3:edge=on",
        "hasami@3x4:corner=off,edge=on,corner-anchor=off,lead=2",
        "hasami@4x3:men=3,win=3",
        "hasami@3x4:lead=1,lead-reply=off",
        "hasami@4x4:men=3",
        "hasami@5x5:win=all:3v2",
    ];
    parallel::for_each(names.to_vec(), |name| {
        let universe: Universe = name.parse().unwrap();
        for index in 0..universe.layers().len() {
            converse(&universe, index);
        }
    });
}

fn converse(universe: &Universe, index: usize) {
    let layer = universe.layers()[index];
    for number in 0..layer.blocks {
        let block = universe.block(index, number);
        let mut taken_back = vec![Vec::new(); layer.block_len as usize];
        for offset in 0..layer.block_len {
            let before = |before: u32| taken_back[before as usize].push(offset);
            block.quiet_predecessors(offset, before);
        }
        block.for_each_start(|offset, quiet, captures| {
            let (mut boards, mut others) = (Vec::new(), Vec::new());
            block.successors(offset, |after| match after {
                Successor::Quiet(board) => boards.push(board),
                other => others.push(other),
            });
            let mut captures = captures.to_vec();
            captures.sort_unstable();
            others.sort_unstable();
            assert_eq!(captures, others, "{universe} {index} {number} {offset}");
            assert_eq!(quiet as usize, boards.len());
            boards.sort_unstable();
            assert_eq!(
                taken_back[offset as usize], boards,
                "{universe} {index} {number} {offset}"
            );
        });
    }
}

/// The lowest of the ranks that hold a position or its image under a symmetry of the board.
fn lowest_rank(universe: &Universe, position: &Position) -> u64 {
    let grid = universe.game().grid();
    let (width, height) = (grid.width(), grid.height());
    let images = (0..if width == height { 8 } else { 4 }).map(|symmetry: u32| {
        let letter = |file: u8, rank: u8| {
            let file = if symmetry & 1 == 0 {
                file
            } else {
                width - 1 - file
            };
            let rank = if symmetry & 2 == 0 {
                rank
            } else {
                height - 1 - rank
            };
            let (file, rank) = if symmetry & 4 == 0 {
                (file, rank)
            } else {
                (rank, file)
            };
            match position.man(grid.square(file, rank)) {
                None => '1',
                Some(side) if side == position.side() => 'P',
                Some(_) => 'p',
            }
        };
        let row = |rank| {
            (0..width)
                .map(|file| letter(file, rank))
                .collect::<String>()
        };
        let rows: Vec<String> = (0..height).map(row).collect();
        let image = universe.game().parse_position(&(rows.join("/") + " b"));
        universe.rank(&image.unwrap()).unwrap()
    });
    images.min().unwrap()
}

/// The moves that the checker makes are those of the game.
#[test]
fn moves_of_ranks_are_those_of_positions() {
    for name in [
        "hasami@3x3:edge=on",
        "hasami@3x4:lead=1,lead-reply=off",
        "hasami@5x5:win=all:2v2",
    ] {
        let universe: Universe = name.parse().unwrap();
        let game = universe.game();
        let layers = universe.layers().iter().enumerate();
        // Where the rules decide a layer nobody moves.
        for (index, layer) in layers.filter(|(_, layer)| layer.decided.is_none()) {
            for rank in (layer.first..layer.first + layer.len()).step_by(7) {
                let place = rank - layer.first;
                let len = u64::from(layer.block_len);
                let block = universe.block(index, (place / len) as u32);
                let mut found = Vec::new();
                block.successors((place % len) as u32, |after| {
                    let rank = match after {
                        Successor::Won => None,
                        Successor::Captured(rank) => Some(rank),
                        Successor::Quiet(board) => {
                            let opposite = universe.layers()[layer.opposite];
                            let mut rank = None;
                            block.opposites(board, |block, offset| {
                                let blocks = u64::from(block) * u64::from(opposite.block_len);
                                rank = Some(opposite.first + blocks + u64::from(offset));
                            });
                            rank
                        }
                    };
                    found.push(rank.map(|rank| lowest_rank(&universe, &universe.position(rank))));
                });
                let position = universe.position(rank);
                let mut expected = Vec::new();
                game.for_each_move(&position, |mv| {
                    let after = game.play(&position, mv);
                    let over = game.end(&after).is_some_and(|end| {
                        end.reason != EndReason::NoMove && end.winner != after.side()
                    });
                    expected.push((!over).then(|| lowest_rank(&universe, &after)));
                });
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{name} {}", game.sfen(&position));
            }
        }
    }
}

/// Every board has a rank, every rank a board, and a rank is a position's lowest once.
#[test]
fn ranks_are_those_of_boards() {
    for name in [
        "hasami@3x3",
        "hasami@3x4:win=3",
        "hasami@4x4:men=3",
        "hasami@5x5:win=all:2v2",
    ] {
        let universe: Universe = name.parse().unwrap();
        let mut firsts = 0u64;
        let mut boards = 0u64;
        for (index, layer) in universe.layers().iter().enumerate() {
            for number in 0..layer.blocks {
                let block = universe.block(index, number);
                for offset in 0..layer.block_len {
                    let first = layer.first + u64::from(number) * u64::from(layer.block_len);
                    let rank = first + u64::from(offset);
                    let same = universe.rank(&universe.position(rank)).unwrap();
                    assert!(same == rank || block.is_symmetric(), "{name} {rank}");
                    firsts += u64::from(block.is_first(offset));
                    boards += u64::from(block.boards());
                }
            }
        }
        let census = solved(&universe).census().clone();
        assert_eq!(
            (firsts, boards),
            (census.positions.total(), census.boards.total())
        );
        assert_eq!(universe.len(), census.ranks.total());
    }
    let universe: Universe = "hasami@4x4".parse().unwrap();
    assert_eq!(solved(&universe).census().boards.total(), 2_200_380);
}

/// The values depend on the universe alone, not on threads.
#[test]
fn threads_make_no_difference() {
    let universe: Universe = "hasami@4x4:men=3,edge=on,lead=2,win=3".parse().unwrap();
    let one = solved(&universe);
    let settings = Settings {
        threads: Some(5),
        ..Settings::default()
    };
    let five = solve_layered(&universe, &settings, &NoProgress).unwrap();
    assert_eq!(one.census(), five.census());
    for rank in 0..universe.len() {
        assert_eq!(one.value(rank), five.value(rank), "{rank}");
    }
}

/// A solution with one cell changed.
struct Forged<'s>(&'s LayeredSolution, u64, Value);

impl CellSource for Forged<'_> {
    fn rank_count(&self) -> u64 {
        self.0.len()
    }

    fn by_parity(&self) -> bool {
        false
    }

    fn cell(&self, rank: u64) -> Cell {
        Cell::Exact(if rank == self.1 {
            self.2
        } else {
            self.0.value(rank)
        })
    }
}

/// The checker passes what the analysis found and finds every single wrong cell.
#[test]
fn the_checker_finds_a_wrong_cell() {
    let folder = std::env::temp_dir().join(format!("koma-hasami-{}", std::process::id()));
    let universe: Universe = "hasami@3x3:win=3,lead=2,edge=on".parse().unwrap();
    let solution = solved(&universe);
    let identity = Identity::from(&universe);
    let census = Census {
        positions: Counts::from(&solution.census().positions),
        ranks: Counts::from(&solution.census().ranks),
    };
    let checked = |rank: u64, value: Value| {
        let path = folder.join("forged.dtm.koma");
        let cells = Forged(&solution, rank, value);
        let writer = Writer::create(&path).unwrap();
        writer.write(&identity, Kind::Dtm, &census, &cells).unwrap();
        let table = Table::open(std::fs::read(&path).unwrap()).unwrap();
        check_layered(&universe, &table, Some(1), &NoProgress)
    };
    assert!(checked(0, solution.value(0)).is_ok());
    for rank in (0..universe.len()).step_by(97) {
        let truth = solution.value(rank);
        for lie in [Value::Draw, Value::Win(3), Value::Loss(2)] {
            match checked(rank, lie) {
                Ok(()) => assert_eq!(lie, truth),
                Err(CheckError::Wrong { count, first }) => {
                    assert_ne!(lie, truth);
                    assert!(count >= 1 && first.stored != first.expected.unwrap());
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
