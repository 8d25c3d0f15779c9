//! The **options** of a game of hasami shogi: its rules as data, and what only play needs.

use std::fmt;

use super::grid::{Grid, MAX_SIDE, MIN_SIDE};

/// Captures that win on the usual board.
const USUAL_WIN: u8 = 5;

/// The rules. Every one of them is part of a table's identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Men of each side at the start.
    pub men: u8,
    /// So many captures win at once.
    pub win: u8,
    /// A side that leads by so many captures when its own turn comes has won.
    pub lead: Option<u8>,
    /// Whether the other side has one reply to that lead; else whoever reaches it wins at once.
    pub lead_reply: bool,
    /// A man on a corner is taken when both squares next to it are the mover's and one of them was
    /// just moved to.
    pub corner: bool,
    /// A run of men along an edge is taken when every square next to it is the mover's and one of
    /// them was just moved to.
    pub edge: bool,
    /// A man on a corner can be an end of a capture in a line, whether it stands or has just come.
    pub corner_anchor: bool,
}

impl Rules {
    /// The usual rules with a full row of men on this board.
    pub fn usual(grid: Grid) -> Rules {
        Rules::with_men(grid.width())
    }

    fn with_men(men: u8) -> Rules {
        Rules {
            men,
            win: usual_win(men),
            lead: None,
            lead_reply: true,
            corner: true,
            edge: false,
            corner_anchor: true,
        }
    }

    /// A side with this many men or fewer has lost.
    pub fn lost_at(&self) -> u8 {
        self.men - self.win
    }
}

/// The captures that win if nothing else is said: five, or as many as leave one man where five would
/// leave none.
fn usual_win(men: u8) -> u8 {
    USUAL_WIN.min(men.saturating_sub(1)).max(1)
}

/// Where the men stand at the start that do not fill a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Start {
    /// Sente's from the left, gote's from the right: the board looks the same to both sides.
    #[default]
    Turned,
    /// Both sides' from the left, facing each other.
    Facing,
}

/// How a game ends that is broken off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LimitRule {
    /// It is a draw.
    #[default]
    Draw,
    /// More captures win; equal ones draw.
    Captures,
}

/// What matters to play and not to values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Play {
    /// Where the men stand at the start.
    pub start: Start,
    /// After so many plies the game is broken off.
    pub limit: Option<u32>,
    /// How it ends then.
    pub limit_rule: LimitRule,
}

/// Why a text names no game of hasami shogi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// It does not begin with `hasami`.
    Name(String),
    /// The board's size is unreadable or out of bounds.
    Board(String),
    /// There is no such option, or its value is none it has.
    Option(String),
    /// An option is given twice.
    Twice(&'static str),
    /// The men don't fit on the ranks of their half of the board.
    Start {
        /// Men of each side.
        men: u8,
        /// The board.
        grid: Grid,
    },
    /// More captures win than there are men.
    Win {
        /// Captures that win.
        win: u8,
        /// Men of each side.
        men: u8,
    },
    /// `win=all` where no man can be lost.
    WinAll,
    /// A lead that the goal comes before.
    Lead {
        /// The lead.
        lead: u8,
        /// Captures that win.
        win: u8,
    },
    /// An option that says something only together with another.
    Without(&'static str, &'static str),
    /// An ending that is unreadable.
    Ending(String),
    /// A side of an ending has too many men.
    TooMany {
        /// Men of that side.
        men: u8,
        /// Men at the start.
        most: u8,
    },
    /// A side of an ending has lost already.
    Lost {
        /// Men of that side.
        men: u8,
        /// Captures that win.
        win: u8,
        /// Men at the start.
        most: u8,
    },
    /// More positions than can be numbered.
    TooLarge {
        /// How many there would be, without symmetries.
        positions: u128,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Name(name) => write!(
                f,
                "`{name}` is no game of hasami shogi; one is written hasami@WxH:options, as in \
                 hasami@4x4:lead=2"
            ),
            NameError::Board(size) => write!(
                f,
                "board `{size}`: a size is written WxH, as in 5x4, with {MIN_SIDE} to {MAX_SIDE} files \
                 and ranks"
            ),
            NameError::Option(option) => write!(
                f,
                "hasami has no option `{option}`; its options are: men=N, win=N or win=all, lead=N, \
                 lead-reply=on|off, corner=on|off, edge=on|off, corner-anchor=on|off, \
                 start=turned|facing, limit=N, limit-rule=draw|captures, with N from 1 up; a set \
                 of men is written behind them, as in hasami@9x9:win=all:3v2"
            ),
            NameError::Twice(option) => write!(f, "option {option} is given twice"),
            NameError::Start { men, grid } => write!(
                f,
                "men={men}: the start does not fit: {men} men a side need more than half of the \
                 {height} ranks of {grid}",
                height = grid.height()
            ),
            NameError::Win { win, men } => write!(
                f,
                "options contradict each other: win={win} is more than the {men} men that can be \
                 taken"
            ),
            NameError::WinAll => f.write_str(
                "options contradict each other: with men=1 a side has one man left before any \
                 capture, so win=all has no meaning; say win=1",
            ),
            NameError::Lead { lead, win } => write!(
                f,
                "options contradict each other: lead={lead} is never reached, since {win} captures \
                 win before"
            ),
            NameError::Without(option, other) => write!(
                f,
                "options contradict each other: {option} says nothing without {other}"
            ),
            NameError::Ending(text) => write!(
                f,
                "`{text}` is no set of men; it is written as in 3v2, the men of either side"
            ),
            NameError::TooMany { men, most } => write!(
                f,
                "a side can't have {men} men of {most}; raise men= or take fewer"
            ),
            NameError::Lost { men, win, most } => write!(
                f,
                "a side with {men} of {most} men has lost, since {win} captures win; take more \
                 men, or win=all"
            ),
            NameError::TooLarge { positions } => write!(
                f,
                "too large to be numbered: {positions} positions, {:.1} GiB of memory at two bytes \
                 each and one in eight after folding; take fewer men or a smaller board",
                *positions as f64 / 4.0 / f64::from(1u32 << 30)
            ),
        }
    }
}

impl std::error::Error for NameError {}

/// Reads `WxH`.
pub(crate) fn read_grid(text: &str) -> Result<Grid, NameError> {
    let side = |text: &str| match text.as_bytes() {
        &[digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    };
    text.split_once('x')
        .and_then(|(width, height)| Grid::new(side(width)?, side(height)?))
        .ok_or_else(|| NameError::Board(text.to_owned()))
}

/// An option that was given, so that a second one is noticed.
fn set<T>(
    slot: &mut Option<T>,
    name: &'static str,
    value: Option<T>,
    text: &str,
) -> Result<(), NameError> {
    let value = value.ok_or_else(|| NameError::Option(text.to_owned()))?;
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(NameError::Twice(name)),
    }
}

/// Reads options, separated by commas.
pub(crate) fn read_options(grid: Grid, text: &str) -> Result<(Rules, Play), NameError> {
    enum Win {
        All,
        Captures(u8),
    }
    fn number<T: std::str::FromStr + PartialOrd + From<u8>>(text: &str) -> Option<T> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|number| plain && *number >= T::from(1))
    }
    fn switch(text: &str) -> Option<bool> {
        match text {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        }
    }
    let (mut men, mut win, mut lead, mut lead_reply) = (None, None, None, None);
    let (mut corner, mut edge, mut corner_anchor) = (None, None, None);
    let (mut start, mut limit, mut limit_rule) = (None, None, None);
    for option in text.split(',').filter(|_| !text.is_empty()) {
        let (name, value) = option
            .split_once('=')
            .ok_or_else(|| NameError::Option(option.to_owned()))?;
        match name {
            "men" => set(&mut men, "men", number::<u8>(value), option)?,
            "win" => {
                let goal = match value {
                    "all" => Some(Win::All),
                    _ => number(value).map(Win::Captures),
                };
                set(&mut win, "win", goal, option)?;
            }
            "lead" => set(&mut lead, "lead", number::<u8>(value), option)?,
            "lead-reply" => set(&mut lead_reply, "lead-reply", switch(value), option)?,
            "corner" => set(&mut corner, "corner", switch(value), option)?,
            "edge" => set(&mut edge, "edge", switch(value), option)?,
            "corner-anchor" => set(&mut corner_anchor, "corner-anchor", switch(value), option)?,
            "start" => {
                let value = match value {
                    "turned" => Some(Start::Turned),
                    "facing" => Some(Start::Facing),
                    _ => None,
                };
                set(&mut start, "start", value, option)?;
            }
            "limit" => set(&mut limit, "limit", number::<u32>(value), option)?,
            "limit-rule" => {
                let value = match value {
                    "draw" => Some(LimitRule::Draw),
                    "captures" => Some(LimitRule::Captures),
                    _ => None,
                };
                set(&mut limit_rule, "limit-rule", value, option)?;
            }
            _ => return Err(NameError::Option(option.to_owned())),
        }
    }
    if lead_reply.is_some() && lead.is_none() {
        return Err(NameError::Without("lead-reply", "lead"));
    }
    if limit_rule.is_some() && limit.is_none() {
        return Err(NameError::Without("limit-rule", "limit"));
    }
    let usual = Rules::with_men(men.unwrap_or(grid.width()));
    let rules = Rules {
        win: match win {
            None => usual.win,
            Some(Win::All) if usual.men == 1 => return Err(NameError::WinAll),
            Some(Win::All) => usual.men - 1,
            Some(Win::Captures(captures)) => captures,
        },
        lead,
        lead_reply: lead_reply.unwrap_or(usual.lead_reply),
        corner: corner.unwrap_or(usual.corner),
        edge: edge.unwrap_or(usual.edge),
        corner_anchor: corner_anchor.unwrap_or(usual.corner_anchor),
        ..usual
    };
    let play = Play {
        start: start.unwrap_or_default(),
        limit,
        limit_rule: limit_rule.unwrap_or_default(),
    };
    check(grid, &rules)?;
    Ok((rules, play))
}

/// Refuses rules that contradict each other or the board.
fn check(grid: Grid, rules: &Rules) -> Result<(), NameError> {
    let &Rules { men, win, .. } = rules;
    if u16::from(men.div_ceil(grid.width())) * 2 > u16::from(grid.height()) {
        return Err(NameError::Start { men, grid });
    }
    if win > men {
        return Err(NameError::Win { win, men });
    }
    match rules.lead {
        Some(lead) if lead > win => Err(NameError::Lead { lead, win }),
        _ => Ok(()),
    }
}

/// The options that differ from the usual ones, in their fixed order; what only play needs is left
/// out unless `play` is given.
pub(crate) fn write_options(grid: Grid, rules: &Rules, play: Option<&Play>) -> String {
    let usual = Rules::with_men(rules.men);
    let mut options = Vec::new();
    if rules.men != grid.width() {
        options.push(format!("men={}", rules.men));
    }
    if rules.win != usual.win {
        options.push(if rules.win + 1 == rules.men {
            "win=all".to_owned()
        } else {
            format!("win={}", rules.win)
        });
    }
    if let Some(lead) = rules.lead {
        options.push(format!("lead={lead}"));
        if !rules.lead_reply {
            options.push("lead-reply=off".to_owned());
        }
    }
    for (name, value, usual) in [
        ("corner", rules.corner, usual.corner),
        ("edge", rules.edge, usual.edge),
        ("corner-anchor", rules.corner_anchor, usual.corner_anchor),
    ] {
        if value != usual {
            options.push(format!("{name}={}", if value { "on" } else { "off" }));
        }
    }
    if let Some(play) = play {
        if play.start == Start::Facing {
            options.push("start=facing".to_owned());
        }
        if let Some(limit) = play.limit {
            options.push(format!("limit={limit}"));
            if play.limit_rule == LimitRule::Captures {
                options.push("limit-rule=captures".to_owned());
            }
        }
    }
    options.join(",")
}
