//! A **parity game** on the residue: who wins endless play, if the greatest priority that is met again
//! and again decides.
//!
//! Its nodes are the residue ranks, each with sente and with gote to move; its edges are the moves that
//! stay in the residue. Play never ends. If the greatest priority met infinitely often is even, sente
//! wins, else gote. Each node is won by one of the two, who need not look back for it (McNaughton 1993,
//! Zielonka 1998).
//!
//! Solved by nested attractors, a level for each priority but the lowest. Let the greatest priority of
//! a part of the game be `d`, good for player A. Leave out what A can force to a node of priority `d`,
//! and solve the rest. Where the other player wins there, and from wherever that can be forced, the
//! other player wins the whole part; take that away and start again. When nothing is found, all that
//! is left is A's: B loses the rest, and each visit to what was left out brings a `d`.
//!
//! Attractors are in `attractor`.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use koma_games::{Color, Universe};
use rayon::prelude::*;

use crate::attractor::{Attractor, Origin};
use crate::backward::for_each_before;
use crate::prefetch::prefetch;
use crate::progress::Progress;
use crate::residue::Residue;
use crate::retrograde::SolveError;

/// What a node's priority depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Priorities {
    /// Of nodes without an event.
    pub(crate) base: u8,
    /// Of nodes after an event of sente's (gote is to move), and after one of gote's.
    pub(crate) events: [u8; 2],
    /// Whether moves that give check are the events, or those that don't.
    pub(crate) checks: bool,
}

impl Priorities {
    /// The priority of a node by the color to move and whether it is in check.
    #[inline(always)]
    fn of(&self, color: Color, checked: bool) -> u8 {
        if checked == self.checks {
            self.events[color.opponent().index()]
        } else {
            self.base
        }
    }

    /// Whether nodes of this priority are those after some move of the player for whom it is good.
    fn is_own_event(&self, priority: u8) -> bool {
        let player = player(priority);
        let is = |color: Color| self.events[color.index()] == priority;
        is(player) && !is(player.opponent()) && self.base != priority
    }

    fn range(&self) -> (u8, u8) {
        let all = [self.base, self.events[0], self.events[1]];
        let fold = |pick: fn(u8, u8) -> u8| all.into_iter().reduce(pick).expect("three of them");
        (fold(u8::min), fold(u8::max))
    }
}

/// The player for whom a priority is good.
fn player(priority: u8) -> Color {
    Color::BOTH[usize::from(priority % 2)]
}

/// The bytes that a game on so many ranks takes, and a list of as many of its nodes.
pub(crate) fn bytes(ranks: u64) -> u64 {
    let node = size_of::<AtomicU8>() + size_of::<AtomicU16>();
    let each = 2 * node + size_of::<AtomicU32>() + size_of::<u64>();
    ranks.saturating_mul(each as u64)
}

/// The level of the whole game.
const FIRST: u8 = 1;

/// The level that a node is at: in the part of the game that is solved at that level.
const LEVEL: u8 = 7;
/// At this level, what an attractor started from.
pub(crate) const SEED: u8 = 1 << 3;
/// At this level, won by the other player in this round.
const LOST: u8 = 1 << 4;
/// At this level, won by the other player in an earlier round: no longer in the game.
const OUT: u8 = 1 << 5;
/// Won by gote, else by sente; of nodes that the level is done with.
pub(crate) const GOTE: u8 = 1 << 6;
/// Listed to be looked at by an attractor.
pub(crate) const LISTED: u8 = 1 << 7;

pub(crate) fn winner_bit(color: Color) -> u8 {
    match color {
        Color::Sente => 0,
        Color::Gote => GOTE,
    }
}

/// A game and how far it is solved.
pub(crate) struct ParityGame<'a, U> {
    pub(crate) universe: &'a U,
    pub(crate) residue: &'a Residue,
    /// Whether the mover is in check, by the number of the rank.
    checked: &'a [bool],
    pub(crate) progress: &'a dyn Progress,
    /// Twice the number of the rank and the color to move: the state of a node.
    pub(crate) states: Vec<AtomicU8>,
    /// At the first level, by the number of a rank, the moves that its player has there to nodes of the
    /// greatest priority, if that is good after moves of the player's own. Else empty.
    direct: Vec<AtomicU32>,
    /// Twice the number of the rank and the color to move: of nodes that an attractor has looked at, their
    /// moves to free nodes; 0 of others.
    pub(crate) counters: Vec<AtomicU16>,
}

impl<'a, U: Universe> ParityGame<'a, U> {
    pub(crate) fn new(
        universe: &'a U,
        residue: &'a Residue,
        checked: &'a [bool],
        progress: &'a dyn Progress,
    ) -> ParityGame<'a, U> {
        let nodes = 2 * checked.len();
        ParityGame {
            universe,
            residue,
            checked,
            progress,
            states: std::iter::repeat_with(AtomicU8::default)
                .take(nodes)
                .collect(),
            direct: Vec::new(),
            counters: std::iter::repeat_with(AtomicU16::default)
                .take(nodes)
                .collect(),
        }
    }

    /// Whether sente wins from a node; after [`solve`](ParityGame::solve).
    pub(crate) fn sente_wins(&self, number: usize, to_move: Color) -> bool {
        self.states[2 * number + to_move.index()].load(Relaxed) & GOTE == 0
    }

    /// Solves the game without the nodes that gote is known to win, which become gote's. Of the others,
    /// gote can't move into those and sente need not, so they have moves among themselves.
    pub(crate) fn solve(
        &mut self,
        priorities: Priorities,
        gote_wins: impl Fn(usize, Color) -> bool + Sync,
    ) -> Result<(), SolveError> {
        self.sweep(|number, color, _| {
            if gote_wins(number, color) {
                GOTE
            } else {
                FIRST
            }
        });
        let (lowest, highest) = priorities.range();
        self.direct.clear();
        if priorities.is_own_event(highest) {
            let none = std::iter::repeat_with(AtomicU32::default);
            self.direct.extend(none.take(self.checked.len()));
            self.count_direct(priorities, highest, FIRST, |direct| {
                direct.fetch_add(1, Relaxed);
            });
        }
        self.solve_level(priorities, lowest, FIRST, highest)
    }

    /// Changes the counts of direct moves for each that leads to a node of a priority and in a state.
    fn count_direct(
        &self,
        priorities: Priorities,
        priority: u8,
        state: u8,
        change: impl Fn(&AtomicU32) + Sync,
    ) {
        let to_move = player(priority).opponent();
        self.residue.parts().for_each(|part| {
            let ranks: Vec<u64> = part
                .filter(|&(_, number)| {
                    priorities.of(to_move, self.checked[number]) == priority
                        && self.state(number, to_move) & !SEED == state
                })
                .map(|(rank, _)| rank)
                .collect();
            for_each_before(self.universe, self.residue, &ranks, |sources| {
                for source in sources {
                    prefetch(&self.direct, source.number);
                }
                for source in sources {
                    change(&self.direct[source.number]);
                }
            });
        });
    }

    /// Solves the part of the game at a level, in which no priority is greater than this one.
    fn solve_level(
        &mut self,
        priorities: Priorities,
        lowest: u8,
        level: u8,
        priority: u8,
    ) -> Result<(), SolveError> {
        let player = player(priority);
        let (won, lost) = (winner_bit(player), winner_bit(player.opponent()));
        if priority == lowest {
            self.sweep(|_, _, state| match state & LEVEL == level {
                true => level | won,
                false => state,
            });
            return Ok(());
        }
        let deeper = level + 1;
        loop {
            let attractor = Attractor {
                player,
                free: deeper,
                taken: level,
            };
            let rest = match level == FIRST && !self.direct.is_empty() {
                true => self.hold_out(priorities, priority, attractor)?,
                false => self.leave_out(priorities, priority, attractor)?,
            };
            let [mut found, mut kept] = [0; 2];
            if rest > 0 {
                self.solve_level(priorities, lowest, deeper, priority - 1)?;
                [found, kept] = self.sweep_and_count(|_, _, state| match state & !(GOTE | SEED) {
                    here if here == level => (level | won, Some(1)),
                    here if here == deeper => match state & GOTE == lost {
                        true => (level | LOST | SEED | lost, Some(0)),
                        false => (level | won, Some(1)),
                    },
                    _ => (state, None),
                });
            }
            if found > 0 {
                let left = self.attract(
                    Attractor {
                        player: player.opponent(),
                        free: level,
                        taken: level | LOST,
                    },
                    Origin::Seeds(found),
                    kept,
                )?;
                // Otherwise what is left without them is solved: what was left out before is the same,
                // and the player wins the rest of the rest.
                if left < kept {
                    continue;
                }
            }
            self.sweep(|_, _, state| match state & LEVEL {
                here if here == level => level | (state & GOTE),
                _ => state,
            });
            return Ok(());
        }
    }

    /// Leaves out what the player can force to a node of the priority; returns how many nodes are left,
    /// at the next level.
    fn leave_out(
        &mut self,
        priorities: Priorities,
        priority: u8,
        attractor: Attractor,
    ) -> Result<u64, SolveError> {
        let (level, deeper) = (attractor.taken, attractor.free);
        let (won, lost) = (
            winner_bit(attractor.player),
            winner_bit(attractor.player.opponent()),
        );
        let [seeds, rest] = self.sweep_and_count(|number, color, state| match state & !GOTE {
            here if here == level => match priorities.of(color, self.checked[number]) == priority {
                true => (level | SEED | won, Some(0)),
                false => (deeper, Some(1)),
            },
            here if here & LEVEL == level => (level | OUT | lost, None),
            _ => (state, None),
        });
        self.attract(attractor, Origin::Seeds(seeds), rest)
    }

    /// The same from the other end, for the first level where nearly everything is left out at once: what
    /// may be left are nodes of the player without a direct move to a node of the priority, and nodes of
    /// the opponent from which moves lead to them. Of these the player takes what can be forced out.
    fn hold_out(
        &mut self,
        priorities: Priorities,
        priority: u8,
        attractor: Attractor,
    ) -> Result<u64, SolveError> {
        let Attractor {
            player,
            free,
            taken: level,
        } = attractor;
        let (won, lost) = (winner_bit(player), winner_bit(player.opponent()));
        self.count_direct(priorities, priority, level | LOST, |direct| {
            direct.fetch_sub(1, Relaxed);
        });
        let direct = std::mem::take(&mut self.direct);
        let [held, _] = self.sweep_and_count(|number, color, state| match state & !GOTE {
            here if here == level => match priorities.of(color, self.checked[number]) == priority {
                true => (level | SEED | won, None),
                false if color == player && direct[number].load(Relaxed) == 0 => (free, Some(0)),
                false => (level | won, None),
            },
            here if here & LEVEL == level => (level | OUT | lost, None),
            _ => (state, None),
        });
        self.direct = direct;
        let nodes = self.all_free(attractor);
        let freed: u64 = nodes
            .par_chunks(PART)
            .map(|nodes| {
                let ranks: Vec<u64> = nodes.iter().map(|node| node / 2).collect();
                let mut freed = 0;
                for_each_before(self.universe, self.residue, &ranks, |sources| {
                    for source in sources {
                        prefetch(&self.states, 2 * source.number);
                    }
                    for source in sources {
                        let state = &self.states[2 * source.number + player.opponent().index()];
                        let exchanged = state.compare_exchange(level | won, free, Relaxed, Relaxed);
                        freed += u64::from(exchanged.is_ok());
                    }
                });
                freed
            })
            .sum();
        self.attract(attractor, Origin::Listed(nodes), held + freed)
    }

    /// Gives every node the state that follows from its number, color and state.
    fn sweep(&mut self, next: impl Fn(usize, Color, u8) -> u8 + Sync) {
        self.sweep_and_count(|number, color, state| (next(number, color, state), None));
    }

    /// The same; returns how many nodes are counted in each of two places.
    fn sweep_and_count(
        &mut self,
        next: impl Fn(usize, Color, u8) -> (u8, Option<usize>) + Sync,
    ) -> [u64; 2] {
        let states = self.states.par_chunks_mut(2 * PART).enumerate();
        states
            .map(|(part, states)| {
                let mut counts = [0; 2];
                let numbers = part * PART..;
                for (number, states) in numbers.zip(states.as_chunks_mut::<2>().0) {
                    for (state, color) in states.iter_mut().zip(Color::BOTH) {
                        let state = state.get_mut();
                        let (after, place) = next(number, color, *state);
                        *state = after;
                        if let Some(place) = place {
                            counts[place] += 1;
                        }
                    }
                }
                counts
            })
            .reduce(|| [0; 2], |[a, b], [c, d]| [a + c, b + d])
    }
}

/// Nodes that a thread works on in one go.
pub(crate) const PART: usize = 1024;
