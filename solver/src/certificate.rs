//! A **certificate** of what a law makes of endless play: labels by which each outcome follows from those of
//! the moves, one move ahead.
//!
//! Of each of two questions (does sente get at least a draw, does sente win) every node, a residue rank and a
//! color to move, is claimed by the player whose answer it is. A claim is right if that player has a way to
//! play on which nothing but good can happen for ever. Endless play is good or bad by what happens again and
//! again in it: *events*, moves that give check or such that don't (see [`Law::settle`]). So the player needs
//! *labels*, pairs of numbers, on the nodes it claims: along a move of its own that it may choose, and along
//! every move of the other player, labels never rise where a bad event has yet to stop, and fall where one
//! happened (a progress measure; Emerson and Jutla 1991, Jurdziński 2000). Pairs can't fall for ever.
//!
//! [`Labels::find`] finds labels for given claims, by attractors over predecessors; how does not matter.
//! [`Labels::verify`] is what counts: it looks at each node and its moves, forward, and trusts nothing else.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use koma_games::{Category, Checker, Checks, Color, Law, Universe};
use rayon::prelude::*;

use crate::progress::Progress;
use crate::residue::Residue;
use crate::retrograde::SolveError;

/// What a label must do along a move from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    /// Nothing: something good happened that outweighs all bad.
    Free,
    /// Its first number must not rise.
    Weak,
    /// Its first number must fall.
    Strict,
    /// Its first number must fall, or the second while the first stays.
    StrictPair,
}

/// What happened on the way into a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Happened {
    Nothing,
    /// An event of the player who claims the node, or of the other.
    Event {
        own: bool,
    },
}

/// What a player who claims nodes needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    nothing: Demand,
    own: Demand,
    other: Demand,
}

impl Needs {
    /// What a player needs to get this much of endless play under a law. `None` if neither player's
    /// events outweigh the other's, which no law says.
    pub(crate) fn of(law: Law, player: Color, least: Category) -> Option<Needs> {
        let any_move = law.terms().checker == Some(Checker::AnyMove);
        // Whether it is good that own events, and the other's, happen for ever.
        let good = |own: bool, other: bool| {
            let mut endless = [other; 2];
            endless[player.index()] = own;
            let checks = endless.map(|endless| {
                let checker = endless == any_move;
                Checks {
                    every: checker,
                    any: checker,
                }
            });
            let outcome = match law.settle(checks).winner {
                None => Category::Draw,
                Some(winner) if winner == player => Category::Win,
                Some(_) => Category::Loss,
            };
            outcome >= least
        };
        let nothing = good(false, false);
        let (own_is_greater, greater, lesser) = if good(true, true) == good(true, false) {
            (true, good(true, true), good(false, true))
        } else if good(true, true) == good(false, true) {
            (false, good(true, true), good(true, false))
        } else {
            return None;
        };
        let [greater, lesser, nothing] = demands([greater, lesser, nothing]);
        let (own, other) = match own_is_greater {
            true => (greater, lesser),
            false => (lesser, greater),
        };
        Some(Needs {
            nothing,
            own,
            other,
        })
    }

    fn demand(&self, happened: Happened) -> Demand {
        match happened {
            Happened::Nothing => self.nothing,
            Happened::Event { own: true } => self.own,
            Happened::Event { own: false } => self.other,
        }
    }

    fn has(&self, demand: Demand) -> bool {
        [self.nothing, self.own, self.other].contains(&demand)
    }
}

/// What labels must do after each, the weightiest first, given whether it is good or bad.
fn demands(good: [bool; 3]) -> [Demand; 3] {
    let mut numbers = 0;
    let mut last_is_good = true;
    good.map(|good| {
        if !good && last_is_good {
            numbers += 1;
        }
        last_is_good = good;
        match (good, numbers) {
            (true, 0) => Demand::Free,
            (true, _) => Demand::Weak,
            (false, 1) => Demand::Strict,
            (false, _) => Demand::StrictPair,
        }
    })
}

/// A question whose answer is claimed for every node.
pub(crate) struct Claims<'a, U> {
    pub(crate) universe: &'a U,
    pub(crate) residue: &'a Residue,
    /// Whether the mover is in check, by the number of the rank.
    pub(crate) checked: &'a [bool],
    pub(crate) law: Law,
    /// What the question is whether sente gets.
    pub(crate) least: Category,
    /// What the mover gets, by the number of the rank and the color to move; nothing if that is damaged.
    pub(crate) outcome: &'a (dyn Fn(u64, Color) -> Option<Category> + Sync),
}

impl<U: Universe> Claims<'_, U> {
    /// Who claims a node.
    fn claimant(&self, number: usize, to_move: Color) -> Option<Color> {
        let outcome = (self.outcome)(number as u64, to_move)?;
        let for_sente = match (to_move, outcome) {
            (Color::Sente, outcome) => outcome,
            (Color::Gote, Category::Win) => Category::Loss,
            (Color::Gote, Category::Draw) => Category::Draw,
            (Color::Gote, Category::Loss) => Category::Win,
        };
        Some(if for_sente >= self.least {
            Color::Sente
        } else {
            Color::Gote
        })
    }

    /// What a player needs who claims nodes. Gote's answer is that sente does not get so much.
    fn needs(&self, player: Color) -> Option<Needs> {
        let least = match (player, self.least) {
            (Color::Sente, least) => least,
            (Color::Gote, Category::Win) => Category::Draw,
            (Color::Gote, _) => Category::Win,
        };
        Needs::of(self.law, player, least)
    }

    fn happened(&self, player: Color, number: usize, to_move: Color) -> Happened {
        let checks = self.law.terms().checker == Some(Checker::AnyMove);
        match self.checked[number] == checks {
            true => Happened::Event {
                own: to_move != player,
            },
            false => Happened::Nothing,
        }
    }
}

/// A label: less is nearer to what the claimant needs.
pub(crate) type Label = (u32, u32);

const NO_LABEL: Label = (u32::MAX, u32::MAX);

/// Whether it is one: the second number may be noted before the first is known.
fn is_label(label: Label) -> bool {
    label.0 != NO_LABEL.0
}

/// The labels of all nodes: twice the number of the rank and the color to move.
pub(crate) struct Labels {
    labels: Vec<Label>,
}

/// Nodes of a player that are not labelled.
const OPEN: u8 = 1;
/// Of these, some that are looked at by themselves.
const PART: u8 = 2;

/// Bytes of memory that labels for so many residue ranks take while they are found.
pub(crate) fn bytes(residue: u64) -> u64 {
    // Two labels; two parts, two distances, two counters.
    residue.saturating_mul(2 * (8 + 1 + 4 + 2))
}

impl Labels {
    /// The label of a node, if one was found.
    pub(crate) fn label(&self, number: usize, to_move: Color) -> Option<Label> {
        let label = self.labels[2 * number + to_move.index()];
        is_label(label).then_some(label)
    }

    /// Finds labels for what is claimed. Where the claims are wrong some nodes get none.
    pub(crate) fn find<U: Universe>(
        claims: &Claims<'_, U>,
        progress: &dyn Progress,
    ) -> Result<Labels, SolveError> {
        let nodes = 2 * claims.checked.len();
        let mut finder = Finder {
            claims,
            progress,
            labels: vec![NO_LABEL; nodes],
            parts: atomics(nodes),
            distances: atomics(nodes),
            counters: atomics(nodes),
            player: Color::Sente,
        };
        for player in Color::BOTH {
            if let Some(needs) = claims.needs(player) {
                finder.label_claims_of(player, needs)?;
            }
        }
        Ok(Labels {
            labels: finder.labels,
        })
    }

    /// Looks at every node and its moves; gives how many claims do not follow, and the first by rank.
    pub(crate) fn verify<U: Universe>(
        &self,
        claims: &Claims<'_, U>,
        progress: &dyn Progress,
    ) -> Result<Option<Wrong>, SolveError> {
        let needs = Color::BOTH.map(|player| claims.needs(player));
        let wrong = claims
            .residue
            .parts()
            .map(|part| {
                let mut wrong: Option<Wrong> = None;
                if progress.interrupted() {
                    return wrong;
                }
                let mut seen = 0;
                for (rank, number) in part {
                    seen += 1;
                    let follows = self.follows(claims, &needs, rank, number);
                    for (color, follows) in Color::BOTH.into_iter().zip(follows) {
                        if !follows {
                            let wrong = wrong.get_or_insert(Wrong {
                                count: 0,
                                rank,
                                to_move: color,
                            });
                            wrong.count += 1;
                        }
                    }
                }
                progress.advance(seen);
                wrong
            })
            .reduce(|| None, earlier);
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        Ok(wrong)
    }

    /// Whether the claims of a rank with sente and with gote to move follow from its moves.
    fn follows<U: Universe>(
        &self,
        claims: &Claims<'_, U>,
        needs: &[Option<Needs>; 2],
        rank: u64,
        number: usize,
    ) -> [bool; 2] {
        let claimants = Color::BOTH.map(|color| claims.claimant(number, color));
        // What must hold of the label after a move.
        let limits = Color::BOTH.map(|color| {
            let player = claimants[color.index()]?;
            let label = self.label(number, color)?;
            let happened = claims.happened(player, number, color);
            Some((label, needs[player.index()]?.demand(happened)))
        });
        let mut some = [false; 2];
        let mut every = [true; 2];
        claims.universe.successors(rank, |after| {
            let Some(after) = claims.residue.number(after) else {
                return;
            };
            for color in Color::BOTH {
                let (player, next) = (claimants[color.index()], color.opponent());
                let kept = player.is_some() && claims.claimant(after, next) == player;
                let lowered = match (limits[color.index()], self.label(after, next)) {
                    (Some((label, demand)), Some(after)) => match demand {
                        Demand::Free => true,
                        Demand::Weak => after.0 <= label.0,
                        Demand::Strict => after.0 < label.0,
                        Demand::StrictPair => after < label,
                    },
                    _ => false,
                };
                some[color.index()] |= kept && lowered;
                every[color.index()] &= kept && lowered;
            }
        });
        Color::BOTH.map(|color| {
            let chooses = claimants[color.index()] == Some(color);
            // A residue rank has a move, so every one means some.
            some[color.index()] && (chooses || every[color.index()])
        })
    }
}

/// Claims that do not follow from those after the moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrong {
    /// How many.
    pub(crate) count: u64,
    /// The lowest rank of one.
    pub(crate) rank: u64,
    /// The color to move there.
    pub(crate) to_move: Color,
}

/// Both together.
fn earlier(a: Option<Wrong>, b: Option<Wrong>) -> Option<Wrong> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let first = if b.rank < a.rank { b } else { a };
            Some(Wrong {
                count: a.count + b.count,
                ..first
            })
        }
        (a, b) => a.or(b),
    }
}

fn atomics<T: Default>(len: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(len).collect()
}

/// Finds labels.
struct Finder<'a, U> {
    claims: &'a Claims<'a, U>,
    progress: &'a dyn Progress,
    labels: Vec<Label>,
    /// [`OPEN`], [`PART`], or 0 for others.
    parts: Vec<AtomicU8>,
    /// How far nodes are from what an attractor started from; `u32::MAX` for those it did not take.
    distances: Vec<AtomicU32>,
    /// Moves yet to be seen to lead into an attractor.
    counters: Vec<AtomicU16>,
    /// Whose claims are labelled.
    player: Color,
}

/// What an attractor is: where a player can force play to some nodes within a part.
#[derive(Clone, Copy)]
struct Attractor {
    part: u8,
    forcer: Color,
    seeds: Seeds,
    /// What the player needs whose claims are labelled.
    needs: Needs,
}

/// What an attractor starts from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seeds {
    /// Nodes after something of this demand.
    After(Demand),
    /// Nodes from which the player can move to a labelled node.
    Labelled,
    /// Nodes that the last attractor did not take.
    Missed,
}

impl<U: Universe> Finder<'_, U> {
    fn label_claims_of(&mut self, player: Color, needs: Needs) -> Result<(), SolveError> {
        self.player = player;
        let claims = self.claims;
        let attractor = |part, forcer, seeds| Attractor {
            part,
            forcer,
            seeds,
            needs,
        };
        self.parts.par_iter().enumerate().for_each(|(node, part)| {
            let claimant = claims.claimant(node / 2, Color::BOTH[node % 2]);
            part.store(if claimant == Some(player) { OPEN } else { 0 }, Relaxed);
        });
        let mut height = 0;
        if needs.has(Demand::Free) {
            // What is good for ever is forced again and again.
            let farthest = self.attract(attractor(OPEN, player, Seeds::After(Demand::Free)))?;
            self.label_taken(OPEN, 0);
            height = farthest + 1;
        }
        let other = player.opponent();
        while self.count(OPEN) > 0 {
            // Where the other player can't force something bad that must stop.
            self.attract(attractor(OPEN, other, Seeds::After(Demand::Strict)))?;
            self.move_missed(OPEN, PART);
            if needs.has(Demand::StrictPair) {
                // Of this, where something good can be forced again and again.
                loop {
                    self.attract(attractor(PART, player, Seeds::After(Demand::Weak)))?;
                    self.note_second();
                    if self.missed(PART) == 0 {
                        break;
                    }
                    self.attract(attractor(PART, other, Seeds::Missed))?;
                    self.move_taken(PART, OPEN);
                }
            }
            if self.count(PART) == 0 {
                // The claims are wrong: the nodes left get no label.
                return Ok(());
            }
            self.label_part(height);
            let farthest = self.attract(attractor(OPEN, player, Seeds::Labelled))?;
            self.label_taken(OPEN, height + 1);
            height += farthest + 2;
        }
        Ok(())
    }

    /// Finds the distances of the nodes of a part from which a player can force play to the seeds; returns
    /// the greatest. Where the other player has no move within the part, it is forced already.
    fn attract(&mut self, attractor: Attractor) -> Result<u32, SolveError> {
        let this = &*self;
        let mut found: Vec<u64> = this
            .claims
            .residue
            .parts()
            .fold(Vec::new, |mut found, ranks| {
                if !this.progress.interrupted() {
                    for (rank, number) in ranks {
                        this.begin(attractor, rank, number, &mut found);
                    }
                }
                found
            })
            .reduce(Vec::new, joined);
        let mut distance = 0;
        // Distances are stored when all seeds are known, since the last ones may be asked for.
        found.par_iter().for_each(|&node| {
            let number = this.claims.residue.number(node / 2);
            let number = number.expect("a residue rank");
            this.distances[2 * number + (node % 2) as usize].store(0, Relaxed);
        });
        loop {
            found = found
                .par_chunks(1024)
                .fold(Vec::new, |mut next, nodes| {
                    if !this.progress.interrupted() {
                        for &node in nodes {
                            let color = Color::BOTH[(node % 2) as usize];
                            this.expand(attractor, node / 2, color, distance + 1, &mut next);
                        }
                    }
                    next
                })
                .reduce(Vec::new, joined);
            if this.progress.interrupted() {
                return Err(SolveError::Interrupted);
            }
            if found.is_empty() {
                return Ok(distance);
            }
            distance += 1;
        }
    }

    /// Lists the nodes of a rank that an attractor starts from, and counts the moves of the others.
    fn begin(&self, attractor: Attractor, rank: u64, number: usize, found: &mut Vec<u64>) {
        let Attractor {
            part,
            forcer,
            seeds,
            needs,
        } = attractor;
        let inside = Color::BOTH.map(|color| self.part(number, color) == part);
        if inside == [false; 2] {
            return;
        }
        let mut moves = [0u16; 2];
        let mut labelled = [false; 2];
        self.claims.universe.successors(rank, |after| {
            let Some(after) = self.claims.residue.number(after) else {
                return;
            };
            for color in Color::BOTH {
                let next = color.opponent();
                moves[color.index()] += u16::from(self.part(after, next) == part);
                labelled[color.index()] |= is_label(self.labels[2 * after + next.index()])
                    && self.claims.claimant(after, next) == Some(self.player);
            }
        });
        for color in Color::BOTH
            .into_iter()
            .filter(|color| inside[color.index()])
        {
            let node = 2 * number + color.index();
            let is_seed = match seeds {
                Seeds::After(demand) => {
                    let happened = self.claims.happened(self.player, number, color);
                    needs.demand(happened) == demand
                }
                Seeds::Labelled => color == self.player && labelled[color.index()],
                Seeds::Missed => self.distances[node].load(Relaxed) == u32::MAX,
            };
            let stuck = color != forcer && moves[color.index()] == 0;
            self.distances[node].store(u32::MAX, Relaxed);
            self.counters[node].store(moves[color.index()], Relaxed);
            if is_seed || stuck {
                found.push(2 * rank + color.index() as u64);
            }
        }
    }

    /// Takes the predecessors of a taken node that are forced into it, and lists them as twice their rank
    /// and the color to move.
    fn expand(
        &self,
        attractor: Attractor,
        rank: u64,
        color: Color,
        distance: u32,
        found: &mut Vec<u64>,
    ) {
        let Attractor { part, forcer, .. } = attractor;
        let before = color.opponent();
        self.claims.universe.predecessors(rank, |source| {
            let Some(number) = self.claims.residue.number(source) else {
                return;
            };
            let node = 2 * number + before.index();
            if self.part(number, before) != part {
                return;
            }
            if before != forcer && self.counters[node].fetch_sub(1, Relaxed) != 1 {
                return;
            }
            let taken = &self.distances[node];
            let taken = taken.compare_exchange(u32::MAX, distance, Relaxed, Relaxed);
            if taken.is_ok() {
                found.push(2 * source + before.index() as u64);
            }
        });
    }

    fn part(&self, number: usize, color: Color) -> u8 {
        self.parts[2 * number + color.index()].load(Relaxed)
    }

    fn count(&self, part: u8) -> usize {
        let parts = self.parts.par_iter();
        parts.filter(|here| here.load(Relaxed) == part).count()
    }

    /// How many nodes of a part the last attractor did not take.
    fn missed(&self, part: u8) -> usize {
        let nodes = self.parts.par_iter().zip(&self.distances);
        nodes
            .filter(|(here, distance)| {
                here.load(Relaxed) == part && distance.load(Relaxed) == u32::MAX
            })
            .count()
    }

    /// Labels what the last attractor took with heights from this one on.
    fn label_taken(&mut self, part: u8, height: u32) {
        let nodes = self
            .labels
            .par_iter_mut()
            .zip(&self.parts)
            .zip(&self.distances);
        nodes.for_each(|((label, here), distance)| {
            let distance = distance.load(Relaxed);
            if here.load(Relaxed) == part && distance != u32::MAX {
                *label = (height + distance, 0);
                here.store(0, Relaxed);
            }
        });
    }

    /// Notes the distances of the last attractor as second numbers.
    fn note_second(&mut self) {
        let nodes = self
            .labels
            .par_iter_mut()
            .zip(&self.parts)
            .zip(&self.distances);
        nodes.for_each(|((label, here), distance)| {
            if here.load(Relaxed) == PART {
                label.1 = distance.load(Relaxed);
            }
        });
    }

    /// Gives the nodes that are looked at by themselves a first number; the second is noted, or 0.
    fn label_part(&mut self, height: u32) {
        let nodes = self.labels.par_iter_mut().zip(&self.parts);
        nodes.for_each(|(label, here)| {
            if here.load(Relaxed) == PART {
                *label = (height, if label.1 == u32::MAX { 0 } else { label.1 });
                here.store(0, Relaxed);
            }
        });
    }

    fn move_missed(&self, from: u8, to: u8) {
        self.move_if(from, to, |distance| distance == u32::MAX);
    }

    fn move_taken(&self, from: u8, to: u8) {
        self.move_if(from, to, |distance| distance != u32::MAX);
    }

    fn move_if(&self, from: u8, to: u8, holds: impl Fn(u32) -> bool + Sync) {
        let nodes = self.parts.par_iter().zip(&self.distances);
        nodes.for_each(|(here, distance)| {
            if here.load(Relaxed) == from && holds(distance.load(Relaxed)) {
                here.store(to, Relaxed);
            }
        });
    }
}

fn joined(mut some: Vec<u64>, mut more: Vec<u64>) -> Vec<u64> {
    some.append(&mut more);
    some
}
