//! The **rules** of the drop games as data: kinds of pieces, how they step, and the options.
//!
//! A further drop game is a further [`Family`], not further code.

use crate::law::Law;
use crate::rays::DIRECTIONS;

/// How far a step goes: files to the right, ranks downwards, as sente sees the board.
pub type Step = (i8, i8);

/// One kind of piece, unpromoted and promoted.
#[derive(Debug)]
pub struct Kind {
    /// The letter in position strings, uppercase.
    pub letter: char,
    /// A letter of its own for the promoted piece; without one it is `+` and the letter.
    pub promoted_letter: Option<char>,
    /// The Japanese name in moves.
    pub japanese: &'static str,
    /// The Japanese name of the promoted piece.
    pub promoted_japanese: Option<&'static str>,
    /// The two letters of Tanaka's notation, and those of the promoted piece.
    pub tanaka: [&'static str; 2],
    /// Where sente's piece steps.
    pub steps: &'static [Step],
    /// Where sente's promoted piece steps; none if the kind does not promote.
    pub promoted_steps: &'static [Step],
    /// The directions in which sente's piece slides, promoted or not, over empty squares.
    pub slides: &'static [Step],
}

impl Kind {
    /// Whether pieces of this kind promote.
    pub fn promotes(&self) -> bool {
        !self.promoted_steps.is_empty()
    }
}

/// Which rules hold; the switches that options turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// A royal that reaches the far rank and can't be taken there at once wins.
    pub try_wins: bool,
    /// Captured pieces go to the captor's hand; otherwise they leave the game.
    pub drops: bool,
    /// A piece may be dropped where it can never move.
    pub dead_drops: bool,
    /// A move may leave the own royal where it can be taken.
    pub exposure: bool,
    /// A pawn may be dropped on a file with an unpromoted pawn of its side.
    pub doubled_pawns: bool,
    /// A pawn may be dropped so that it mates.
    pub pawn_drop_mates: bool,
    /// What endless play is worth.
    pub law: Law,
}

/// An option that a game's name can carry.
#[derive(Debug)]
pub struct GameOption {
    /// The name, as in `dobutsu:no-try`.
    pub name: &'static str,
    /// What it says, for help texts.
    pub meaning: &'static str,
    /// What it does.
    pub apply: fn(&mut Options),
}

/// A drop game before its options are chosen.
///
/// Kind 0 is the royal, of which each side has one; the game is over when it is taken. The others
/// are listed in the order in which hands are written.
#[derive(Debug)]
pub struct Family {
    /// The name of the game.
    pub name: &'static str,
    /// The board of the unmarked game, files and ranks.
    pub board: (u8, u8),
    /// Whether the game is played on other boards, too.
    pub other_boards: bool,
    /// The kinds, the royal first.
    pub kinds: &'static [Kind],
    /// The kind that the rules about dropped pawns are about, if there is one.
    pub pawn: Option<u8>,
    /// How many pieces of each kind both sides have together.
    pub material: &'static [u8],
    /// Letters of promoted pieces, each with its kind, that are read besides the kinds' own letters
    /// and never written.
    pub read_letters: &'static [(char, u8)],
    /// Other programs' alphabets, the letters of the kinds in order: read, never written. No two
    /// alphabets of a family share the royal's letter, by which a text's alphabet is known.
    pub other_alphabets: &'static [&'static str],
    /// Whether positions are read in the form of clausecker/dobutsu.
    pub clausecker: bool,
    /// The kinds in the order of the hand digits in Tanaka's positions; empty if the family has no
    /// such notation.
    pub tanaka_hands: &'static [u8],
    /// Sente's pieces at the start: index of the kind, file from the left and rank from the bottom,
    /// both from 0. Gote's are these, turned around.
    pub start: &'static [(usize, u8, u8)],
    /// The depth of the promotion zone in ranks.
    pub zone: u8,
    /// How often a position must occur for a game to be over by repetition.
    pub occurrences: usize,
    /// In how many plies a side to move without a move has lost.
    pub no_move_plies: u32,
    /// The rules without any option.
    pub options: Options,
    /// The options there are.
    pub choices: &'static [GameOption],
}

const ORTHOGONAL: &[Step] = &[(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: &[Step] = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
const ALL_EIGHT: &[Step] = &DIRECTIONS;
const GOLD: &[Step] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const SILVER: &[Step] = &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const FORWARD: &[Step] = &[(0, -1)];

/// Dobutsu shogi: 3x4, or any board at least three files wide with the same eight pieces.
pub static DOBUTSU: Family = Family {
    name: "dobutsu",
    board: (3, 4),
    other_boards: true,
    kinds: &[
        Kind {
            letter: 'L',
            promoted_letter: None,
            japanese: "らいおん",
            promoted_japanese: None,
            tanaka: ["LI", "LI"],
            steps: ALL_EIGHT,
            promoted_steps: &[],
            slides: &[],
        },
        Kind {
            letter: 'E',
            promoted_letter: None,
            japanese: "ぞう",
            promoted_japanese: None,
            tanaka: ["ZO", "ZO"],
            steps: DIAGONAL,
            promoted_steps: &[],
            slides: &[],
        },
        Kind {
            letter: 'G',
            promoted_letter: None,
            japanese: "きりん",
            promoted_japanese: None,
            tanaka: ["KI", "KI"],
            steps: ORTHOGONAL,
            promoted_steps: &[],
            slides: &[],
        },
        Kind {
            letter: 'C',
            promoted_letter: Some('H'),
            japanese: "ひよこ",
            promoted_japanese: Some("にわとり"),
            tanaka: ["HI", "NI"],
            steps: FORWARD,
            promoted_steps: GOLD,
            slides: &[],
        },
    ],
    // Two chicks on a file and a chick dropped to mate are legal.
    pawn: None,
    material: &[2, 2, 2, 2],
    // The hen of clausecker/dobutsu.
    read_letters: &[('R', 3)],
    // scalashogi's.
    other_alphabets: &["KBRP"],
    clausecker: true,
    tanaka_hands: &[3, 1, 2],
    start: &[(1, 0, 0), (0, 1, 0), (2, 2, 0), (3, 1, 1)],
    zone: 1,
    occurrences: 3,
    // The counting of the published tables; see ARCHITECTURE.md.
    no_move_plies: 2,
    options: Options {
        try_wins: true,
        drops: true,
        dead_drops: true,
        exposure: true,
        doubled_pawns: true,
        pawn_drop_mates: true,
        law: Law::Draw,
    },
    choices: &[
        GameOption {
            name: "no-try",
            meaning: "reaching the far rank with the lion does not win",
            apply: |options| options.try_wins = false,
        },
        GameOption {
            name: "no-drops",
            meaning: "captured pieces leave the game",
            apply: |options| options.drops = false,
        },
        GameOption {
            name: "no-last-rank-chick-drop",
            meaning: "a chick may not be dropped on the last rank",
            apply: |options| options.dead_drops = false,
        },
    ],
};

const KING: Kind = Kind {
    letter: 'K',
    promoted_letter: None,
    japanese: "玉",
    promoted_japanese: None,
    tanaka: ["OU", "OU"],
    steps: ALL_EIGHT,
    promoted_steps: &[],
    slides: &[],
};

const ROOK: Kind = Kind {
    letter: 'R',
    promoted_letter: None,
    japanese: "飛",
    promoted_japanese: Some("龍"),
    tanaka: ["HI", "RY"],
    steps: &[],
    promoted_steps: DIAGONAL,
    slides: ORTHOGONAL,
};

const BISHOP: Kind = Kind {
    letter: 'B',
    promoted_letter: None,
    japanese: "角",
    promoted_japanese: Some("馬"),
    tanaka: ["KA", "UM"],
    steps: &[],
    promoted_steps: ORTHOGONAL,
    slides: DIAGONAL,
};

const GOLD_GENERAL: Kind = Kind {
    letter: 'G',
    promoted_letter: None,
    japanese: "金",
    promoted_japanese: None,
    tanaka: ["KI", "KI"],
    steps: GOLD,
    promoted_steps: &[],
    slides: &[],
};

const SILVER_GENERAL: Kind = Kind {
    letter: 'S',
    promoted_letter: None,
    japanese: "銀",
    promoted_japanese: Some("成銀"),
    tanaka: ["GI", "NG"],
    steps: SILVER,
    promoted_steps: GOLD,
    slides: &[],
};

const PAWN: Kind = Kind {
    letter: 'P',
    promoted_letter: None,
    japanese: "歩",
    promoted_japanese: Some("と"),
    tanaka: ["FU", "TO"],
    steps: FORWARD,
    promoted_steps: GOLD,
    slides: &[],
};

/// The rules of shogi about drops and the king.
const SHOGI_OPTIONS: Options = Options {
    try_wins: false,
    drops: true,
    dead_drops: false,
    exposure: false,
    doubled_pawns: false,
    pawn_drop_mates: false,
    law: Law::Draw,
};

/// The laws a game of shogi can be played under.
const REPETITIONS: &[GameOption] = &[
    GameOption {
        name: "repetition=draw",
        meaning: "endless play is a draw",
        apply: |options| options.law = Law::Draw,
    },
    GameOption {
        name: "repetition=uec",
        meaning: "endless play loses for sente, but a perpetual checker loses",
        apply: |options| options.law = Law::Uec,
    },
    GameOption {
        name: "repetition=pcl",
        meaning: "endless play is a draw, but a perpetual checker loses",
        apply: |options| options.law = Law::Pcl,
    },
    GameOption {
        name: "repetition=inventor",
        meaning: "endless play loses for sente, but a side that gives check in it while the other does not loses",
        apply: |options| options.law = Law::Inventor,
    },
];

/// Minishogi (5x5) by the rules of the UEC cup.
pub static MINISHOGI: Family = Family {
    name: "minishogi",
    board: (5, 5),
    other_boards: false,
    kinds: &[KING, ROOK, BISHOP, GOLD_GENERAL, SILVER_GENERAL, PAWN],
    pawn: Some(5),
    material: &[2, 2, 2, 2, 2, 2],
    read_letters: &[],
    other_alphabets: &[],
    clausecker: false,
    tanaka_hands: &[],
    start: &[
        (0, 0, 0),
        (3, 1, 0),
        (4, 2, 0),
        (2, 3, 0),
        (1, 4, 0),
        (5, 0, 1),
    ],
    zone: 1,
    occurrences: 4,
    no_move_plies: 0,
    options: Options {
        law: Law::Uec,
        ..SHOGI_OPTIONS
    },
    choices: REPETITIONS,
};

/// Gorogoro dobutsu shogi (5x6).
pub static GOROGORO: Family = Family {
    name: "gorogoro",
    board: (5, 6),
    other_boards: false,
    kinds: &[
        Kind {
            japanese: "らいおん",
            ..KING
        },
        Kind {
            japanese: "いぬ",
            ..GOLD_GENERAL
        },
        Kind {
            japanese: "ねこ",
            promoted_japanese: Some("ぱわーあっぷねこ"),
            ..SILVER_GENERAL
        },
        Kind {
            japanese: "ひよこ",
            promoted_japanese: Some("にわとり"),
            ..PAWN
        },
    ],
    pawn: Some(3),
    material: &[2, 4, 4, 6],
    read_letters: &[],
    other_alphabets: &[],
    clausecker: false,
    tanaka_hands: &[],
    start: &[
        (2, 0, 0),
        (1, 1, 0),
        (0, 2, 0),
        (1, 3, 0),
        (2, 4, 0),
        (3, 1, 2),
        (3, 2, 2),
        (3, 3, 2),
    ],
    zone: 2,
    occurrences: 4,
    no_move_plies: 0,
    options: Options {
        law: Law::Pcl,
        ..SHOGI_OPTIONS
    },
    choices: REPETITIONS,
};

/// Every drop game there is.
pub static FAMILIES: &[&Family] = &[&DOBUTSU, &MINISHOGI, &GOROGORO];
