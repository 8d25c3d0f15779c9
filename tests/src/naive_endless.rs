//! **Naive endless** play: what a law makes of it, by the words of the law.
//!
//! A law looks at which moves of each side come again and again. What a side can force of that is found
//! by trial: suppose that it holds in all positions, or in none, look from which ones it can then be
//! had, suppose it holds in those, and so on until nothing changes.

use crate::look_ahead::Moves;

/// What endless play is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveLaw {
    /// Sente loses, except that a side that checks with every move from some ply on loses if the other
    /// does not; if both do it is a draw.
    Uec,
    /// A draw, except that a side that checks with every move from some ply on loses if the other does
    /// not.
    Pcl,
    /// A side that checks again and again loses if the other does not; if both do it is a draw. If
    /// neither does sente loses.
    Inventor,
    /// The same, but a draw if neither does.
    InventorDraw,
}

/// What endless play is worth for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveOutcome {
    /// It wins.
    Win,
    /// Nobody wins.
    Draw,
    /// It loses.
    Loss,
}

/// Moves of one side: all those that check, or all those that do not.
#[derive(Clone, Copy, Debug)]
struct Events {
    by_sente: bool,
    check: bool,
}

/// The positions in which neither side can force the end of the game, and the moves among them.
#[derive(Debug, Default)]
pub struct NaiveEndless {
    places: Vec<usize>,
    sente_to_move: Vec<bool>,
    in_check: Vec<bool>,
    moves: Moves,
}

impl NaiveEndless {
    /// Adds a position, known by its place somewhere else; those of lower places come before it. Its moves lead to positions of these numbers,
    /// in the order in which they are added.
    ///
    /// # Panics
    /// If there are no moves.
    pub fn push(
        &mut self,
        place: usize,
        sente_to_move: bool,
        in_check: bool,
        after: impl Iterator<Item = u32>,
    ) {
        self.places.push(place);
        self.sente_to_move.push(sente_to_move);
        self.in_check.push(in_check);
        for number in after {
            self.moves.push(number);
        }
        self.moves.end();
        let number = self.places.len() as u32 - 1;
        assert!(!self.moves.of(number).is_empty(), "play goes on at {place}");
    }

    /// The places of the positions, in the order of their numbers.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// The number of the position at a place.
    pub fn number(&self, place: usize) -> Option<usize> {
        self.places.binary_search(&place).ok()
    }

    /// Whether sente is to move, by number.
    pub fn sente_to_move(&self) -> &[bool] {
        &self.sente_to_move
    }

    /// The outcomes, by number.
    pub fn settle(&self, law: NaiveLaw) -> Vec<NaiveOutcome> {
        let checks = |by_sente| Events {
            by_sente,
            check: true,
        };
        let quiet = |by_sente| Events {
            by_sente,
            check: false,
        };
        let (sente, gote) = (true, false);
        let not = |forced: Vec<bool>| forced.into_iter().map(|forced| !forced).collect();
        // What sente can force to be at least a draw, and to be a win.
        let (draw, win): (Vec<bool>, Vec<bool>) = match law {
            // Gote checks with every move; and sente does not.
            NaiveLaw::Uec => (
                self.forced(sente, None, Some(quiet(gote))),
                self.forced(sente, Some(quiet(sente)), Some(quiet(gote))),
            ),
            // Gote can't make sente the only one who checks with every move; gote is the only one.
            NaiveLaw::Pcl => (
                not(self.forced(gote, Some(quiet(gote)), Some(quiet(sente)))),
                self.forced(sente, Some(quiet(sente)), Some(quiet(gote))),
            ),
            // Gote checks again and again; and sente does not.
            NaiveLaw::Inventor => (
                self.forced(sente, Some(checks(gote)), None),
                self.forced(sente, Some(checks(gote)), Some(checks(sente))),
            ),
            // Gote can't make sente the only one who checks again and again; gote is the only one.
            NaiveLaw::InventorDraw => (
                not(self.forced(gote, Some(checks(sente)), Some(checks(gote)))),
                self.forced(sente, Some(checks(gote)), Some(checks(sente))),
            ),
        };
        let outcome = |number: usize| match (draw[number], win[number]) {
            (true, false) => NaiveOutcome::Draw,
            (true, true) if self.sente_to_move[number] => NaiveOutcome::Win,
            (false, false) if !self.sente_to_move[number] => NaiveOutcome::Win,
            (true, true) | (false, false) => NaiveOutcome::Loss,
            (false, true) => panic!("a win is at least a draw"),
        };
        (0..self.places.len()).map(outcome).collect()
    }

    /// From where a side can force that some events come again and again, if any are named, and that
    /// others come to an end.
    fn forced(&self, sente: bool, again: Option<Events>, ends: Option<Events>) -> Vec<bool> {
        let before = self.before();
        // Positions in which it is so after a few more of the events that end.
        let mut forced = vec![false; self.places.len()];
        loop {
            // Positions from which, without more of the events that end, the others can be met as many
            // times as there were rounds; or the former ones are reached.
            let mut met = vec![true; self.places.len()];
            loop {
                let starts = |number: u32| {
                    if self.is_event(number, ends) {
                        self.can_reach(sente, number, &forced)
                    } else {
                        (again.is_none() || self.is_event(number, again))
                            && self.can_reach(sente, number, &met)
                    }
                };
                let passes = |number: u32| {
                    !(self.is_event(number, ends)
                        || again.is_none()
                        || self.is_event(number, again))
                };
                let next = self.reaching(sente, starts, passes, &before);
                if next == met {
                    break;
                }
                met = next;
            }
            if met == forced {
                return forced;
            }
            forced = met;
        }
    }

    /// Whether the move into a position was one of the events.
    fn is_event(&self, number: u32, events: Option<Events>) -> bool {
        let number = number as usize;
        events.is_some_and(|Events { by_sente, check }| {
            self.sente_to_move[number] != by_sente && self.in_check[number] == check
        })
    }

    /// Whether a side can make the next position one of these.
    fn can_reach(&self, sente: bool, number: u32, these: &[bool]) -> bool {
        let mut after = self.moves.of(number).iter();
        match self.sente_to_move[number as usize] == sente {
            true => after.any(|&after| these[after as usize]),
            false => after.all(|&after| these[after as usize]),
        }
    }

    /// From where a side can force play to a start by passing through others.
    fn reaching(
        &self,
        sente: bool,
        starts: impl Fn(u32) -> bool,
        passes: impl Fn(u32) -> bool,
        before: &Moves,
    ) -> Vec<bool> {
        let mut reached = vec![false; self.places.len()];
        let numbers = 0..self.places.len() as u32;
        let mut found: Vec<u32> = numbers.filter(|&number| starts(number)).collect();
        for &number in &found {
            reached[number as usize] = true;
        }
        while let Some(number) = found.pop() {
            for &earlier in before.of(number) {
                if !reached[earlier as usize]
                    && passes(earlier)
                    && self.can_reach(sente, earlier, &reached)
                {
                    reached[earlier as usize] = true;
                    found.push(earlier);
                }
            }
        }
        reached
    }

    /// From where moves lead to each position.
    fn before(&self) -> Moves {
        let mut moves: Vec<(u32, u32)> = Vec::new();
        for number in 0..self.places.len() as u32 {
            moves.extend(self.moves.of(number).iter().map(|&after| (after, number)));
        }
        moves.sort_unstable();
        let mut before = Moves::default();
        let mut moves = moves.into_iter().peekable();
        for number in 0..self.places.len() as u32 {
            while let Some((_, earlier)) = moves.next_if(|&(after, _)| after == number) {
                before.push(earlier);
            }
            before.end();
        }
        before
    }
}
