//! The **rules** of the drop games as data: kinds of pieces, how they step, and the options.
//!
//! A further drop game is a further [`Family`], not further code.

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
/// Kind 0 is the royal, of which each side has one; the game is over when it is taken, and moving
/// it into attack is legal. The others are listed in the order in which hands are written.
#[derive(Debug)]
pub struct Family {
    /// The name of the game.
    pub name: &'static str,
    /// The board of the unmarked game, files and ranks.
    pub board: (u8, u8),
    /// The kinds, the royal first.
    pub kinds: &'static [Kind],
    /// How many pieces of each kind both sides have together.
    pub material: &'static [u8],
    /// Letters of promoted pieces, each with its kind, that are read besides the kinds' own letters
    /// and never written.
    pub read_letters: &'static [(char, u8)],
    /// Other programs' alphabets, the letters of the kinds in order: read, never written. No two
    /// alphabets of a family share the royal's letter, by which a text's alphabet is known.
    pub other_alphabets: &'static [&'static str],
    /// The kinds in the order of the hand digits in Tanaka's positions; empty if the family has no
    /// such notation.
    pub tanaka_hands: &'static [u8],
    /// Sente's pieces at the start: index of the kind, file from the left and rank from the bottom,
    /// both from 0. Gote's are these, turned around.
    pub start: &'static [(usize, u8, u8)],
    /// The depth of the promotion zone in ranks.
    pub zone: u8,
    /// The rules without any option.
    pub options: Options,
    /// The options there are.
    pub choices: &'static [GameOption],
}

const ORTHOGONAL: &[Step] = &[(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: &[Step] = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
const ALL_EIGHT: &[Step] = &[
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];
const GOLD: &[Step] = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const FORWARD: &[Step] = &[(0, -1)];

/// Dobutsu shogi: 3x4, or any board at least three files wide with the same eight pieces.
pub static DOBUTSU: Family = Family {
    name: "dobutsu",
    board: (3, 4),
    kinds: &[
        Kind {
            letter: 'L',
            promoted_letter: None,
            japanese: "らいおん",
            promoted_japanese: None,
            tanaka: ["LI", "LI"],
            steps: ALL_EIGHT,
            promoted_steps: &[],
        },
        Kind {
            letter: 'E',
            promoted_letter: None,
            japanese: "ぞう",
            promoted_japanese: None,
            tanaka: ["ZO", "ZO"],
            steps: DIAGONAL,
            promoted_steps: &[],
        },
        Kind {
            letter: 'G',
            promoted_letter: None,
            japanese: "きりん",
            promoted_japanese: None,
            tanaka: ["KI", "KI"],
            steps: ORTHOGONAL,
            promoted_steps: &[],
        },
        Kind {
            letter: 'C',
            promoted_letter: Some('H'),
            japanese: "ひよこ",
            promoted_japanese: Some("にわとり"),
            tanaka: ["HI", "NI"],
            steps: FORWARD,
            promoted_steps: GOLD,
        },
    ],
    material: &[2, 2, 2, 2],
    // The hen of clausecker/dobutsu.
    read_letters: &[('R', 3)],
    // scalashogi's.
    other_alphabets: &["KBRP"],
    tanaka_hands: &[3, 1, 2],
    start: &[(1, 0, 0), (0, 1, 0), (2, 2, 0), (3, 1, 1)],
    zone: 1,
    options: Options {
        try_wins: true,
        drops: true,
        dead_drops: true,
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

/// Every drop game there is.
pub static FAMILIES: &[&Family] = &[&DOBUTSU];
