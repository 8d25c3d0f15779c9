//! **Small sets**: games so small that the naive implementation can look at all of them.

use koma_games::{Game, Material, RankedUniverse};

use crate::naive::{NaiveGame, Options};

/// A board, the pieces besides the lions, and the options.
#[derive(Clone, Copy, Debug)]
pub struct SmallSet {
    /// Files.
    pub width: u8,
    /// Ranks.
    pub height: u8,
    /// The letters of the pieces besides the lions.
    pub letters: &'static str,
    /// The options.
    pub options: Options,
}

/// Every combination of options that does not contradict itself.
pub const OPTIONS: [Options; 6] = {
    const NONE: Options = Options {
        no_try: false,
        no_drops: false,
        no_last_rank_chick_drop: false,
    };
    const NO_TRY: Options = Options {
        no_try: true,
        ..NONE
    };
    [
        NONE,
        Options {
            no_last_rank_chick_drop: true,
            ..NONE
        },
        Options {
            no_drops: true,
            ..NONE
        },
        NO_TRY,
        Options {
            no_last_rank_chick_drop: true,
            ..NO_TRY
        },
        Options {
            no_drops: true,
            ..NO_TRY
        },
    ]
};

/// The boards and sets that are compared under all options.
const UNDER_ALL_OPTIONS: &[(u8, u8, &[&str])] = &[
    (
        3,
        3,
        &["", "e", "g", "c", "ee", "gg", "cc", "gc", "ec", "eg"],
    ),
    (3, 4, &["", "e", "g", "c", "cc", "gc"]),
    (4, 3, &["e", "c"]),
    (5, 3, &["c"]),
    (3, 5, &["c"]),
    (4, 4, &["c"]),
];

/// Larger sets, under the options of their own.
const LARGER: &[(u8, u8, &str, Options)] = &[
    (3, 3, "egc", OPTIONS[0]),
    (3, 3, "gcc", OPTIONS[1]),
    (3, 3, "ecc", OPTIONS[4]),
    (3, 3, "ecc", OPTIONS[2]),
    (3, 3, "egc", OPTIONS[3]),
    (3, 4, "ec", OPTIONS[0]),
    (3, 4, "ee", OPTIONS[0]),
    (3, 4, "gg", OPTIONS[3]),
    (4, 3, "gc", OPTIONS[0]),
];

/// All small sets.
pub fn small_sets() -> Vec<SmallSet> {
    let mut sets = Vec::new();
    for &(width, height, all_letters) in UNDER_ALL_OPTIONS {
        for &letters in all_letters {
            for options in OPTIONS {
                sets.push(SmallSet {
                    width,
                    height,
                    letters,
                    options,
                });
            }
        }
    }
    for &(width, height, letters, options) in LARGER {
        sets.push(SmallSet {
            width,
            height,
            letters,
            options,
        });
    }
    sets
}

impl SmallSet {
    /// The naive game.
    pub fn naive(&self) -> NaiveGame {
        let count = |letter| self.letters.matches(letter).count() as u8;
        NaiveGame::new(
            usize::from(self.width),
            usize::from(self.height),
            [count('e'), count('g'), count('c')],
            self.options,
        )
    }

    /// The game in the library.
    pub fn game(&self) -> Game {
        let name = self.game_name();
        name.parse()
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The universe in the library.
    pub fn universe(&self) -> RankedUniverse {
        let game = self.game();
        let material = Material::from_letters(&game, self.letters)
            .unwrap_or_else(|error| panic!("{self}: {error}"));
        RankedUniverse::new(game, material).unwrap_or_else(|error| panic!("{self}: {error}"))
    }

    /// The name of the game in the library: `dobutsu@3x3:no-try`.
    pub fn game_name(&self) -> String {
        let mut name = format!("dobutsu@{}x{}", self.width, self.height);
        let Options {
            no_try,
            no_drops,
            no_last_rank_chick_drop,
        } = self.options;
        let mut separator = ':';
        for (on, option) in [
            (no_try, "no-try"),
            (no_drops, "no-drops"),
            (no_last_rank_chick_drop, "no-last-rank-chick-drop"),
        ] {
            if on {
                name.push(separator);
                name.push_str(option);
                separator = ',';
            }
        }
        name
    }
}

impl std::fmt::Display for SmallSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} with `{}`", self.game_name(), self.letters)
    }
}
