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
//! An attractor is one set whatever the order in which its nodes are found, so threads can't matter.

use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use koma_games::{Color, Universe};
use rayon::prelude::*;

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

/// The most moves of a rank that can be counted.
pub(crate) const MOST_MOVES: u32 = u16::MAX as u32 - 1;

/// The bytes that a game on so many ranks takes.
pub(crate) fn bytes(ranks: u64) -> u64 {
    ranks.saturating_mul(2 * (size_of::<AtomicU8>() + size_of::<AtomicU16>()) as u64)
}

/// The level that a node is at: in the part of the game that is solved at that level.
const LEVEL: u8 = 7;
/// At this level, what an attractor started from.
const SEED: u8 = 1 << 3;
/// At this level, won by the other player in this round.
const LOST: u8 = 1 << 4;
/// At this level, won by the other player in an earlier round: no longer in the game.
const OUT: u8 = 1 << 5;
/// Won by gote, else by sente; of nodes that the level is done with.
const GOTE: u8 = 1 << 6;

fn winner_bit(color: Color) -> u8 {
    match color {
        Color::Sente => 0,
        Color::Gote => GOTE,
    }
}

/// A game and how far it is solved.
pub(crate) struct ParityGame<'a, U> {
    universe: &'a U,
    residue: &'a Residue,
    /// Whether the mover is in check, by the number of the rank.
    checked: &'a [bool],
    progress: &'a dyn Progress,
    /// Twice the number of the rank and the color to move: the state of a node.
    states: Vec<AtomicU8>,
    /// One more than the moves that an attractor has yet to lead into itself; 0 if no move was seen.
    counters: Vec<AtomicU16>,
}

/// What an attractor does.
#[derive(Clone, Copy)]
struct Attractor {
    /// Who forces play into it.
    player: Color,
    /// The state, but for the winner, of nodes that it may take.
    free: u8,
    /// The state that it gives them.
    taken: u8,
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
        self.sweep(
            |number, color, _| {
                if gote_wins(number, color) { GOTE } else { 1 }
            },
        );
        let (lowest, highest) = priorities.range();
        self.solve_level(priorities, lowest, 1, highest)
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
            let rest = self.sweep_and_count(|number, color, state| match state & !GOTE {
                here if here == level => {
                    match priorities.of(color, self.checked[number]) == priority {
                        true => (level | SEED | won, false),
                        false => (deeper, true),
                    }
                }
                here if here & LEVEL == level => (level | OUT | lost, false),
                _ => (state, false),
            });
            let attracted = self.attract(Attractor {
                player,
                free: deeper,
                taken: level,
            })?;
            let mut found = 0;
            if attracted < rest {
                self.solve_level(priorities, lowest, deeper, priority - 1)?;
                found = self.sweep_and_count(|_, _, state| match state & !(GOTE | SEED) {
                    here if here == level => (level | won, false),
                    here if here == deeper => match state & GOTE == lost {
                        true => (level | LOST | SEED | lost, true),
                        false => (level | won, false),
                    },
                    _ => (state, false),
                });
            }
            if found == 0 {
                self.sweep(|_, _, state| match state & LEVEL {
                    here if here == level => level | (state & GOTE),
                    _ => state,
                });
                return Ok(());
            }
            self.attract(Attractor {
                player: player.opponent(),
                free: level,
                taken: level | LOST,
            })?;
        }
    }

    /// Takes every free node from which the player can force play to a seed; returns how many.
    fn attract(&mut self, attractor: Attractor) -> Result<u64, SolveError> {
        self.counters
            .par_iter_mut()
            .for_each(|counter| *counter.get_mut() = 0);
        let this = &*self;
        let seed = attractor.taken | SEED;
        let mut found: Vec<u64> = this
            .residue
            .parts()
            .fold(Vec::new, |mut found, part| {
                if this.progress.interrupted() {
                    return found;
                }
                for (rank, number) in part {
                    for color in Color::BOTH {
                        let state = this.states[2 * number + color.index()].load(Relaxed);
                        if state & !GOTE == seed {
                            this.expand(attractor, rank, color, &mut found);
                        }
                    }
                }
                found
            })
            .reduce(Vec::new, joined);
        let mut taken = 0;
        while !found.is_empty() {
            taken += found.len() as u64;
            found = found
                .par_chunks(PART)
                .fold(Vec::new, |mut next, part| {
                    if this.progress.interrupted() {
                        return next;
                    }
                    for &node in part {
                        let color = Color::BOTH[(node % 2) as usize];
                        this.expand(attractor, node / 2, color, &mut next);
                    }
                    next
                })
                .reduce(Vec::new, joined);
        }
        if self.progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        Ok(taken)
    }

    /// Takes the predecessors of a seed or taken node that are forced into it, and lists them as twice
    /// their rank and the color to move.
    fn expand(&self, attractor: Attractor, rank: u64, color: Color, found: &mut Vec<u64>) {
        let before = color.opponent();
        self.universe.predecessors(rank, |source| {
            let Some(number) = self.residue.number(source) else {
                return;
            };
            let node = 2 * number + before.index();
            let state = self.states[node].load(Relaxed);
            if state & !GOTE != attractor.free {
                return;
            }
            if before != attractor.player && !self.count_down(attractor, source, node, color) {
                return;
            }
            let taken = attractor.taken | winner_bit(attractor.player);
            // Another thread may have taken it meanwhile.
            let exchanged = self.states[node].compare_exchange(state, taken, Relaxed, Relaxed);
            if exchanged.is_ok() {
                found.push(2 * source + before.index() as u64);
            }
        });
    }

    /// Counts a move less that does not lead into the attractor; whether it was the last. The moves are
    /// counted when the first of them is met: few nodes are.
    fn count_down(&self, attractor: Attractor, source: u64, node: usize, after: Color) -> bool {
        let counter = &self.counters[node];
        if counter.load(Relaxed) == 0 {
            let mut moves = 0;
            self.universe.successors(source, |target| {
                if let Some(number) = self.residue.number(target) {
                    let state = self.states[2 * number + after.index()].load(Relaxed);
                    let state = state & !(GOTE | SEED);
                    moves += u16::from(state == attractor.free || state == attractor.taken);
                }
            });
            // Another thread may have counted them meanwhile, and found as many: nodes go from free to
            // taken, and both count.
            let _ = counter.compare_exchange(0, moves + 1, Relaxed, Relaxed);
        }
        counter.fetch_sub(1, Relaxed) == 2
    }

    /// Gives every node the state that follows from its number, color and state.
    fn sweep(&mut self, next: impl Fn(usize, Color, u8) -> u8 + Sync) {
        self.sweep_and_count(|number, color, state| (next(number, color, state), false));
    }

    /// The same; returns for how many nodes the answer says so.
    fn sweep_and_count(&mut self, next: impl Fn(usize, Color, u8) -> (u8, bool) + Sync) -> u64 {
        let ranks = self.states.par_chunks_exact_mut(2).enumerate();
        ranks
            .with_min_len(PART)
            .map(|(number, states)| {
                let mut count = 0;
                for (state, color) in states.iter_mut().zip(Color::BOTH) {
                    let state = state.get_mut();
                    let (after, counts) = next(number, color, *state);
                    *state = after;
                    count += u64::from(counts);
                }
                count
            })
            .sum()
    }
}

/// Nodes that a thread expands in one go.
const PART: usize = 1024;

fn joined(mut some: Vec<u64>, mut more: Vec<u64>) -> Vec<u64> {
    some.append(&mut more);
    some
}
