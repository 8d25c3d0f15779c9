//! Captures of hasami shogi against a reference that looks square by square, and the ends of games.

use koma_games::Color;
use koma_games::hasami::{EndReason, Game, Move, PLAYED_OCCURRENCES, Position};

/// Whose man stands on each square, and the rule options: a board without bit sets.
struct Reference<'g> {
    game: &'g Game,
    width: i32,
    height: i32,
    men: Vec<Option<Color>>,
}

impl Reference<'_> {
    fn new<'g>(game: &'g Game, position: &Position) -> Reference<'g> {
        let grid = game.grid();
        Reference {
            game,
            width: grid.width().into(),
            height: grid.height().into(),
            men: (0..grid.squares())
                .map(|square| position.man(square))
                .collect(),
        }
    }

    fn at(&self, file: i32, rank: i32) -> Option<Option<Color>> {
        let on_board = (0..self.width).contains(&file) && (0..self.height).contains(&rank);
        on_board.then(|| self.men[(rank * self.width + file) as usize])
    }

    fn is_corner(&self, file: i32, rank: i32) -> bool {
        (file == 0 || file == self.width - 1) && (rank == 0 || rank == self.height - 1)
    }

    /// The squares of the men that a move takes.
    fn taken(&mut self, mv: Move, side: Color) -> Vec<u8> {
        const STEPS: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        let (own, other) = (Some(Some(side)), Some(Some(side.opponent())));
        self.men[usize::from(mv.from)] = None;
        self.men[usize::from(mv.to)] = Some(side);
        let (to_file, to_rank) = (i32::from(mv.to) % self.width, i32::from(mv.to) / self.width);
        let rules = *self.game.rules();
        let mut taken = vec![false; self.men.len()];
        for (files, ranks) in STEPS {
            let mut length = 1;
            while self.at(to_file + files * length, to_rank + ranks * length) == other {
                length += 1;
            }
            let (file, rank) = (to_file + files * length, to_rank + ranks * length);
            let ends = [(to_file, to_rank), (file, rank)];
            let on_corner = ends.iter().any(|&(file, rank)| self.is_corner(file, rank));
            let closed = self.at(file, rank) == own && (rules.corner_anchor || !on_corner);
            for step in (1..length).filter(|_| closed) {
                let (file, rank) = (to_file + files * step, to_rank + ranks * step);
                taken[(rank * self.width + file) as usize] = true;
            }
        }
        for file in 0..self.width {
            for rank in 0..self.height {
                if self.at(file, rank) != other {
                    continue;
                }
                // The neighbors of one man in a corner.
                let next: Vec<(i32, i32)> = STEPS
                    .map(|(files, ranks)| (file + files, rank + ranks))
                    .into_iter()
                    .filter(|&(file, rank)| self.at(file, rank).is_some())
                    .collect();
                if rules.corner
                    && self.is_corner(file, rank)
                    && next.contains(&(to_file, to_rank))
                    && next.iter().all(|&(file, rank)| self.at(file, rank) == own)
                {
                    taken[(rank * self.width + file) as usize] = true;
                }
                // The run through it along an edge, both ways from here.
                for (files, ranks) in [(1, 0), (0, 1)].into_iter().filter(|_| rules.edge) {
                    let on_edge = if files == 1 {
                        rank == 0 || rank == self.height - 1
                    } else {
                        file == 0 || file == self.width - 1
                    };
                    if !on_edge {
                        continue;
                    }
                    let mut run = vec![(file, rank)];
                    for way in [1, -1] {
                        let mut step = way;
                        while self.at(file + files * step, rank + ranks * step) == other {
                            run.push((file + files * step, rank + ranks * step));
                            step += way;
                        }
                    }
                    let mut around = Vec::new();
                    for &(file, rank) in &run {
                        for (files, ranks) in STEPS {
                            let square = (file + files, rank + ranks);
                            if self.at(square.0, square.1).is_some() && !run.contains(&square) {
                                around.push(square);
                            }
                        }
                    }
                    if around.contains(&(to_file, to_rank))
                        && around
                            .iter()
                            .all(|&(file, rank)| self.at(file, rank) == own)
                    {
                        taken[(rank * self.width + file) as usize] = true;
                    }
                }
            }
        }
        (0..)
            .zip(taken)
            .filter(|&(_, taken)| taken)
            .map(|(square, _)| square)
            .collect()
    }
}

/// A fixed sequence of numbers that look random (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

/// A random position, its men dense near the edges so that every rule is met.
fn random_position(game: &Game, numbers: &mut Numbers) -> Position {
    let grid = game.grid();
    let most = u64::from(game.rules().men);
    let mut squares: Vec<u8> = (0..grid.squares()).collect();
    let near_edge = numbers.below(2) == 0;
    let on_edge = |&square: &u8| {
        let (file, rank) = (grid.file(square), grid.rank(square));
        file < 2 || rank < 2 || file + 2 >= grid.width() || rank + 2 >= grid.height()
    };
    squares.retain(|square| !near_edge || on_edge(square));
    for last in (1..squares.len()).rev() {
        squares.swap(last, numbers.below(last as u64 + 1) as usize);
    }
    let room = squares.len() / 2;
    let mut board = vec![0u8; usize::from(grid.squares())];
    for letter in [b'P', b'p'] {
        let count = (1 + numbers.below(most)).min(room as u64);
        for _ in 0..count {
            board[usize::from(squares.pop().unwrap())] = letter;
        }
    }
    let rows: Vec<String> = board
        .chunks(usize::from(grid.width()))
        .map(|row| {
            let letters = row
                .iter()
                .map(|&letter| if letter == 0 { '1' } else { char::from(letter) });
            letters.collect()
        })
        .collect();
    let side = ["b", "w"][numbers.below(2) as usize];
    game.parse_position(&format!("{} {side}", rows.join("/")))
        .unwrap()
}

/// Three million moves on random boards with every combination of the capture options, most of them on
/// 9x9 with up to 27 men a side: about 3 s of processor time.
#[test]
fn captures_agree_with_a_reference_square_by_square() {
    let mut numbers = Numbers(1);
    let mut moves = [0u64; 8];
    let mut captures = 0u64;
    let mut by_edge = 0u64;
    let boards = [("9x9", 27), ("9x9", 18), ("9x9", 9), ("9x4", 9), ("3x5", 3)];
    while moves.iter().sum::<u64>() < 3_000_000 {
        for options in 0..8 {
            let switch = |bit: u32| if options >> bit & 1 == 0 { "off" } else { "on" };
            let (board, men) = boards[numbers.below(5) as usize];
            let game: Game = format!(
                "hasami@{board}:men={men},win={men},corner={},edge={},corner-anchor={}",
                switch(0),
                switch(1),
                switch(2)
            )
            .parse()
            .unwrap();
            let lines: Game =
                format!("hasami@{board}:men={men},win={men},corner=off,corner-anchor=off")
                    .parse()
                    .unwrap();
            for _ in 0..20 {
                let position = random_position(&game, &mut numbers);
                game.for_each_move(&position, |mv| {
                    let expected = Reference::new(&game, &position).taken(mv, position.side());
                    let found = game.taken(&position, mv);
                    let set = expected
                        .iter()
                        .fold(0u128, |set, &square| set | 1 << square);
                    assert_eq!(
                        found,
                        set,
                        "{game} {} {}",
                        game.sfen(&position),
                        game.squares(mv)
                    );
                    let after = game.play(&position, mv);
                    assert_eq!(after.own(), position.other() & !set);
                    moves[options] += 1;
                    captures += u64::from(set != 0);
                    if options == 2 {
                        // Neither corner captures nor corners as ends: what a lone edge rule adds.
                        by_edge += u64::from(lines.taken(&position, mv) != found);
                    }
                });
            }
        }
    }
    assert!(moves.iter().all(|&moves| moves > 300_000), "{moves:?}");
    assert!(captures > 80_000 && by_edge > 1_000, "{captures} {by_edge}");
}

/// Plays moves and gives the position.
fn play(game: &Game, sfen: &str, moves: &[&str]) -> Position {
    let mut position = game.parse_position(sfen).unwrap();
    for text in moves {
        let mv = game.parse_move(&position, text).unwrap();
        position = game.play(&position, mv);
    }
    position
}

fn game(name: &str) -> Game {
    name.parse().unwrap()
}

#[test]
fn case_96_the_rules_are_named() {
    let usual = game("hasami");
    assert_eq!(usual.to_string(), "hasami@9x9");
    let named = game("hasami@9x9:men=9,win=5,corner=on,edge=off,corner-anchor=on");
    assert_eq!(usual.rules(), named.rules());
    assert_eq!(PLAYED_OCCURRENCES, 4);
}

#[test]
fn case_99_edge_enclosure_is_an_option() {
    for (edge, enclosed) in [("off", 0), ("on", 2)] {
        let game = game(&format!("hasami@9x9:win=9,edge={edge}"));
        // Three between two men are taken in every rule set.
        let sfen = "1Pppp4/2PPP4/9/9/9/5P3/9/9/9 b";
        assert_eq!(play(&game, sfen, &["f6f2"]).count(Color::Gote), 3);
        assert_eq!(play(&game, sfen, &["f6f1"]).count(Color::Gote), 0);
        // Two in a corner, with one outlet and with none.
        let open = play(&game, "pp7/P8/9/9/1P7/9/9/9/9 b", &["b5b2"]);
        assert_eq!(open.count(Color::Gote), 2);
        let shut = play(&game, "ppP6/P8/9/9/1P7/9/9/9/9 b", &["b5b2"]);
        assert_eq!(shut.count(Color::Gote), 2 - enclosed);
    }
}

#[test]
fn case_100_moving_in_between_is_safe() {
    let game = game("hasami@9x9:win=9");
    let between = play(&game, "9/9/9/2P1P4/9/9/9/9/3p5 w", &["d9d4"]);
    assert_eq!(between.count(Color::Gote), 1);
    // A man of sente leaves and comes back.
    let moves = ["d9d4", "c4c5", "i8i7", "c5c4"];
    let back = play(&game, "9/9/9/2P1P4/9/9/9/8p/3p5 w", &moves);
    assert_eq!(back.count(Color::Gote), 1);
    assert_eq!(back.man(30), None);
}

#[test]
fn case_101_a_lead_of_three_has_one_reply() {
    let end = |name: &str, sfen: &str, moves: &[&str]| {
        let game = game(name);
        let end = game.end(&play(&game, sfen, moves));
        end.map(|end| (end.winner, end.reason))
    };
    let sfen = "Pppp5/9/9/4P4/7Pp/9/pppp5/6p2/PPPPPP3 b 0-0";
    let lead = Some((Color::Sente, EndReason::Lead));
    let with_reply = |moves: &[&str]| end("hasami@9x9:lead=3", sfen, moves);
    assert_eq!(with_reply(&["e4e1"]), None);
    // 3-1, and the game goes on; or nothing is taken, and it is over.
    assert_eq!(with_reply(&["e4e1", "g8g5"]), None);
    assert_eq!(with_reply(&["e4e1", "g8g7"]), lead);
    assert_eq!(
        end("hasami@9x9:lead=3,lead-reply=off", sfen, &["e4e1"]),
        lead
    );
    // The fifth capture ends the game before any reply.
    let sfen = "Pppp5/9/9/4P4/7Pp/9/pp7/6p2/PPPPPP3 b 2-0";
    let captures = Some((Color::Sente, EndReason::Captures));
    assert_eq!(end("hasami@9x9:lead=3", sfen, &["e4e1"]), captures);
    assert_eq!(end("hasami@9x9", sfen, &["e4e1"]), captures);
}

#[test]
fn case_103_a_side_without_a_move_loses() {
    let game = game("hasami@3x3:men=2,win=2,corner=off");
    let position = game.parse_position("pP1/P2/3 w").unwrap();
    let end = game.end(&position).unwrap();
    assert_eq!((end.winner, end.reason), (Color::Sente, EndReason::NoMove));
    let mut moves = 0;
    game.for_each_legal_move(&position, |_| moves += 1);
    assert_eq!(moves, 0);
}
