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

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use koma_games::{Color, Universe};
use rayon::prelude::*;

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
    let each = 2 * size_of::<AtomicU8>() + size_of::<AtomicU32>() + size_of::<u64>();
    ranks.saturating_mul(each as u64)
}

/// The level of the whole game.
const FIRST: u8 = 1;

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
/// Listed to be looked at by an attractor.
const LISTED: u8 = 1 << 7;

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
    /// At the first level, by the number of a rank, the moves that its player has there to nodes of the
    /// greatest priority, if that is good after moves of the player's own. Else empty.
    direct: Vec<AtomicU32>,
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

impl Attractor {
    /// The state, but for the winner, of the nodes that it starts from.
    fn seed(&self) -> u8 {
        self.taken | SEED
    }
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

    /// Takes every free node from which the player can force play to taken ones, given how many free
    /// ones there are; returns how many are left.
    fn attract(&self, attractor: Attractor, origin: Origin, free: u64) -> Result<u64, SolveError> {
        let mut free = free;
        let mut frontier = Vec::new();
        let (mut sources, mut found) = match origin {
            Origin::Seeds(seeds) => (seeds, None),
            Origin::Listed(listed) => (
                listed.len() as u64,
                Some(Found {
                    listed,
                    taken: Vec::new(),
                }),
            ),
        };
        while sources > 0 && free > 0 {
            let found = match found.take() {
                Some(found) => found,
                None if sources / WORTH_LOOKING_AHEAD > free => Found {
                    listed: self.all_free(attractor),
                    taken: Vec::new(),
                },
                // The first sources are seeds, which are not listed.
                None if frontier.is_empty() => self.before_seeds(attractor),
                None => self.before(attractor, &frontier),
            };
            let taken: Vec<u64> = found
                .listed
                .par_chunks(PART)
                .map(|nodes| self.look_ahead(attractor, nodes))
                .flatten_iter()
                .collect();
            frontier = found.taken;
            frontier.extend(taken);
            // Predecessors are found segment by segment.
            frontier.par_sort_unstable();
            sources = frontier.len() as u64;
            free -= sources;
            if self.progress.interrupted() {
                return Err(SolveError::Interrupted);
            }
        }
        Ok(free)
    }

    /// Takes or lists the free nodes from which moves lead to seeds.
    fn before_seeds(&self, attractor: Attractor) -> Found {
        let parts = self.residue.parts();
        parts
            .fold(Found::default, |mut found, part| {
                let mut ranks = [const { Vec::new() }; 2];
                for (rank, number) in part {
                    for color in Color::BOTH {
                        if self.state(number, color) == attractor.seed() {
                            ranks[color.index()].push(rank);
                        }
                    }
                }
                self.step_back(attractor, &ranks, &mut found);
                found
            })
            .reduce(Found::default, Found::joined)
    }

    /// Takes or lists the free nodes from which moves lead to these, which ascend.
    fn before(&self, attractor: Attractor, nodes: &[u64]) -> Found {
        let parts = nodes.par_chunks(PART);
        parts
            .fold(Found::default, |mut found, nodes| {
                let ranks = Color::BOTH.map(|color| {
                    let nodes = nodes.iter();
                    nodes
                        .filter(|&node| color_of(*node) == color)
                        .map(|node| node / 2)
                        .collect()
                });
                self.step_back(attractor, &ranks, &mut found);
                found
            })
            .reduce(Found::default, Found::joined)
    }

    /// Takes the free nodes of the player from which moves lead to some ranks with each color to move, and
    /// lists those of the opponent.
    fn step_back(&self, attractor: Attractor, ranks: &[Vec<u64>; 2], found: &mut Found) {
        if self.progress.interrupted() {
            return;
        }
        for color in Color::BOTH {
            let mover = color.opponent();
            let takes = mover == attractor.player;
            let (after, into) = match takes {
                true => (
                    attractor.taken | winner_bit(attractor.player),
                    &mut found.taken,
                ),
                false => (LISTED, &mut found.listed),
            };
            let states = &self.states;
            for_each_before(
                self.universe,
                self.residue,
                &ranks[color.index()],
                |sources| {
                    for source in sources {
                        prefetch(states, 2 * source.number);
                    }
                    for source in sources {
                        let state = &states[2 * source.number + mover.index()];
                        let before = state.load(Relaxed);
                        if before & !GOTE != attractor.free {
                            continue;
                        }
                        let after = if takes { after } else { before | after };
                        // Another thread may have found it meanwhile.
                        let exchanged = state.compare_exchange(before, after, Relaxed, Relaxed);
                        if exchanged.is_ok() {
                            into.push(2 * source.rank + mover.index() as u64);
                        }
                    }
                },
            );
        }
    }

    /// Lists every free node.
    fn all_free(&self, attractor: Attractor) -> Vec<u64> {
        let parts = self.residue.parts();
        parts
            .flat_map_iter(|part| {
                part.flat_map(|(rank, number)| {
                    Color::BOTH.into_iter().filter_map(move |color| {
                        let free = self.state(number, color) == attractor.free;
                        free.then(|| 2 * rank + color.index() as u64)
                    })
                })
            })
            .collect()
    }

    /// Takes those of some free nodes from which the moves lead to taken ones: one of the player's moves,
    /// or all that the opponent has in this part of the game.
    fn look_ahead(&self, attractor: Attractor, nodes: &[u64]) -> Vec<u64> {
        let mut taken = Vec::new();
        for &node in nodes {
            if self.progress.interrupted() {
                break;
            }
            let (rank, color) = (node / 2, color_of(node));
            let [mut leads_in, mut leads_on] = [false; 2];
            self.universe.successors(rank, |target| {
                if let Some(number) = self.residue.number(target) {
                    let state = self.state(number, color.opponent());
                    leads_in |= state & !SEED == attractor.taken;
                    leads_on |= state == attractor.free;
                }
            });
            let number = self.residue.number(rank).expect("a node of the residue");
            let state = &self.states[2 * number + color.index()];
            let is_forced = leads_in && (color == attractor.player || !leads_on);
            // No other thread changes this node, and both the old and the new state are right for those
            // that come to it from another.
            if is_forced {
                state.store(attractor.taken | winner_bit(attractor.player), Relaxed);
                taken.push(node);
            } else {
                state.fetch_and(!LISTED, Relaxed);
            }
        }
        taken
    }

    /// The state of a node but for its winner and whether it is listed.
    #[inline(always)]
    fn state(&self, number: usize, color: Color) -> u8 {
        self.states[2 * number + color.index()].load(Relaxed) & !(GOTE | LISTED)
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

/// Where an attractor starts.
enum Origin {
    /// From so many seeds.
    Seeds(u64),
    /// From the free ones of these nodes whose moves lead to taken ones.
    Listed(Vec<u64>),
}

/// What a step of an attractor finds, as twice the rank and the color to move.
#[derive(Default)]
struct Found {
    /// Nodes of its player, taken.
    taken: Vec<u64>,
    /// Nodes that are taken if all their moves lead to taken ones.
    listed: Vec<u64>,
}

impl Found {
    fn joined(mut self, mut other: Found) -> Found {
        self.taken.append(&mut other.taken);
        self.listed.append(&mut other.listed);
        self
    }
}

/// The color to move at a node.
fn color_of(node: u64) -> Color {
    Color::BOTH[(node % 2) as usize]
}

/// Nodes that a thread works on in one go.
const PART: usize = 1024;

/// Where there are fewer free nodes than one for so many sources, their moves are looked at instead of
/// those that lead to the sources: a move forward takes longer than one of many backward.
const WORTH_LOOKING_AHEAD: u64 = 8;
