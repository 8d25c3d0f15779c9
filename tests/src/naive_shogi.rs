//! **Naive shogi**: a slow and obvious second implementation of minishogi and gorogoro.
//!
//! It shares no code with the library: for every two squares it asks whether the piece on one goes
//! to the other, plays the move on a copy of the board, and looks whether the king can be taken.

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Man {
    sente: bool,
    letter: char,
    promoted: bool,
}

/// Board from the top left corner rank by rank, hands by the letters, sente's first.
#[derive(Clone, Debug)]
struct Placement {
    board: Vec<Option<Man>>,
    hands: [Vec<usize>; 2],
    sente_to_move: bool,
}

/// A game of shogi on a small board.
#[derive(Clone, Copy, Debug)]
pub struct NaiveShogi {
    width: i32,
    height: i32,
    /// The ranks in which pieces promote.
    zone: i32,
    /// The letters of the pieces besides the king, in the order in which hands are written.
    letters: &'static str,
}

/// Minishogi.
pub const MINISHOGI: NaiveShogi = NaiveShogi {
    width: 5,
    height: 5,
    zone: 1,
    letters: "RBGSP",
};

/// Gorogoro dobutsu shogi.
pub const GOROGORO: NaiveShogi = NaiveShogi {
    width: 5,
    height: 6,
    zone: 2,
    letters: "GSP",
};

/// A move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShogiMove {
    /// The move in USI.
    pub usi: String,
    /// The position after it.
    pub child: String,
}

/// Why a position can't stand on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The kings stand next to each other.
    AdjacentKings,
    /// A pawn stands on its last rank.
    DeadPawn,
    /// Two pawns of a side stand on a file.
    DoubledPawns,
    /// The side that is not to move is in check.
    OutOfTurn,
}

impl NaiveShogi {
    /// Every legal move.
    pub fn moves(&self, sfen: &str) -> Vec<ShogiMove> {
        self.moves_of(&self.read(sfen))
            .into_iter()
            .map(|(usi, child)| ShogiMove {
                usi,
                child: self.write(&child),
            })
            .collect()
    }

    /// How many pawn drops are illegal because they mate.
    pub fn pawn_drop_mates(&self, sfen: &str) -> usize {
        let placement = self.read(sfen);
        let drops = self.drops_of(&placement);
        let mates = |(usi, child): &(String, Placement)| {
            usi.starts_with('P')
                && !self.can_be_taken(child, placement.sente_to_move)
                && self.is_mate(child)
        };
        drops.iter().filter(|drop| mates(drop)).count()
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self, sfen: &str) -> bool {
        let placement = self.read(sfen);
        self.can_be_taken(&placement, placement.sente_to_move)
    }

    /// What is wrong with a position that has both kings, if anything.
    pub fn faults(&self, sfen: &str) -> Vec<Fault> {
        let placement = self.read(sfen);
        let mut faults = Vec::new();
        let kings: Vec<(i32, i32)> = [true, false]
            .into_iter()
            .flat_map(|sente| self.king(&placement, sente))
            .collect();
        if let [(x, y), (other_x, other_y)] = kings[..]
            && (x - other_x).abs() <= 1
            && (y - other_y).abs() <= 1
        {
            faults.push(Fault::AdjacentKings);
        }
        for sente in [true, false] {
            let pawns: Vec<(i32, i32)> = self
                .squares()
                .filter(|&at| self.at(&placement, at) == Some(pawn(sente)))
                .collect();
            if pawns.iter().any(|&(_, y)| y == self.last_rank(sente)) {
                faults.push(Fault::DeadPawn);
            }
            let files =
                (0..self.width).filter(|&x| pawns.iter().filter(|at| at.0 == x).count() > 1);
            if files.count() > 0 {
                faults.push(Fault::DoubledPawns);
            }
        }
        if self.can_be_taken(&placement, !placement.sente_to_move) {
            faults.push(Fault::OutOfTurn);
        }
        faults
    }

    fn moves_of(&self, placement: &Placement) -> Vec<(String, Placement)> {
        let side = placement.sente_to_move;
        let mut moves = Vec::new();
        for from in self.squares() {
            for to in self.squares() {
                for promotes in [false, true] {
                    moves.extend(self.step(placement, from, to, promotes));
                }
            }
        }
        let drops = self.drops_of(placement).into_iter();
        moves.extend(drops.filter(|(usi, child)| !usi.starts_with('P') || !self.is_mate(child)));
        moves.retain(|(_, child)| !self.can_be_taken(child, side));
        moves
    }

    /// A step of the piece on a square, if it may make it; its king may be left in check.
    fn step(
        &self,
        placement: &Placement,
        from: (i32, i32),
        to: (i32, i32),
        promotes: bool,
    ) -> Option<(String, Placement)> {
        let side = placement.sente_to_move;
        let man = self.at(placement, from).filter(|man| man.sente == side)?;
        let taken = self.at(placement, to);
        if taken.is_some_and(|taken| taken.sente == side) || !self.reaches(placement, from, to) {
            return None;
        }
        let in_zone = |(_, y): (i32, i32)| (y - self.last_rank(side)).abs() < self.zone;
        if promotes {
            let may = !man.promoted && !"KG".contains(man.letter) && (in_zone(from) || in_zone(to));
            may.then_some(())?;
        } else if man == pawn(side) && to.1 == self.last_rank(side) {
            return None;
        }
        let mut child = placement.clone();
        child.sente_to_move = !side;
        child.board[self.index(from)] = None;
        child.board[self.index(to)] = Some(Man {
            promoted: man.promoted || promotes,
            ..man
        });
        if let Some(taken) = taken
            && let Some(held) = self.letters.find(taken.letter)
        {
            child.hands[usize::from(!side)][held] += 1;
        }
        let plus = if promotes { "+" } else { "" };
        let usi = format!("{}{}{plus}", self.name(from), self.name(to));
        Some((usi, child))
    }

    /// The drops; pawns may mate by them, and the king may be left in check.
    fn drops_of(&self, placement: &Placement) -> Vec<(String, Placement)> {
        let side = placement.sente_to_move;
        let mut drops = Vec::new();
        for (held, letter) in self.letters.chars().enumerate() {
            if placement.hands[usize::from(!side)][held] == 0 {
                continue;
            }
            for to in self.squares() {
                let on_file = |&(x, y): &(i32, i32)| {
                    x == to.0 && self.at(placement, (x, y)) == Some(pawn(side))
                };
                let forbidden = letter == 'P'
                    && (to.1 == self.last_rank(side) || self.squares().any(|at| on_file(&at)));
                if self.at(placement, to).is_some() || forbidden {
                    continue;
                }
                let mut child = placement.clone();
                child.sente_to_move = !side;
                child.hands[usize::from(!side)][held] -= 1;
                child.board[self.index(to)] = Some(Man {
                    sente: side,
                    letter,
                    promoted: false,
                });
                drops.push((format!("{letter}*{}", self.name(to)), child));
            }
        }
        drops
    }

    fn is_mate(&self, placement: &Placement) -> bool {
        self.can_be_taken(placement, placement.sente_to_move) && self.moves_of(placement).is_empty()
    }

    /// Whether a side's king stands where a piece of the other side goes.
    fn can_be_taken(&self, placement: &Placement, sente: bool) -> bool {
        self.king(placement, sente).is_some_and(|king| {
            self.squares().any(|from| {
                let other = self
                    .at(placement, from)
                    .is_some_and(|man| man.sente != sente);
                other && self.reaches(placement, from, king)
            })
        })
    }

    /// Whether the piece on a square goes to another one, whatever stands there.
    fn reaches(&self, placement: &Placement, from: (i32, i32), to: (i32, i32)) -> bool {
        let Some(man) = self.at(placement, from) else {
            return false;
        };
        let right = to.0 - from.0;
        let forward = if man.sente {
            from.1 - to.1
        } else {
            to.1 - from.1
        };
        let one_away = right.abs().max(forward.abs()) == 1;
        let straight = (right == 0) != (forward == 0);
        let diagonal = right.abs() == forward.abs() && right != 0;
        let distance = right.abs().max(forward.abs());
        let clear = (straight || diagonal)
            && (1..distance).all(|n| {
                let (x, y) = (to.0 - from.0, to.1 - from.1);
                let between = (from.0 + x.signum() * n, from.1 + y.signum() * n);
                self.at(placement, between).is_none()
            });
        let gold = one_away && (straight || forward == 1);
        match (man.letter, man.promoted) {
            ('K', _) => one_away,
            ('G', _) | ('S' | 'P', true) => gold,
            ('S', false) => one_away && (diagonal || (right, forward) == (0, 1)),
            ('P', false) => (right, forward) == (0, 1),
            ('R', promoted) => straight && clear || promoted && one_away,
            ('B', promoted) => diagonal && clear || promoted && one_away,
            (letter, _) => panic!("{letter} is no piece"),
        }
    }

    fn king(&self, placement: &Placement, sente: bool) -> Option<(i32, i32)> {
        let king = Some(Man {
            sente,
            letter: 'K',
            promoted: false,
        });
        self.squares().find(|&at| self.at(placement, at) == king)
    }

    /// The files from the left and ranks from the top.
    fn squares(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let width = self.width;
        (0..width * self.height).map(move |index| (index % width, index / width))
    }

    fn index(&self, (x, y): (i32, i32)) -> usize {
        (y * self.width + x) as usize
    }

    fn at(&self, placement: &Placement, at: (i32, i32)) -> Option<Man> {
        placement.board[self.index(at)]
    }

    fn last_rank(&self, sente: bool) -> i32 {
        if sente { 0 } else { self.height - 1 }
    }

    fn name(&self, (x, y): (i32, i32)) -> String {
        format!("{}{}", self.width - x, char::from(b'a' + y as u8))
    }

    fn read(&self, sfen: &str) -> Placement {
        let fields: Vec<&str> = sfen.split(' ').collect();
        let mut board = Vec::new();
        let mut promoted = false;
        for letter in fields[0].chars() {
            match letter {
                '/' => assert_eq!(board.len() as i32 % self.width, 0, "{sfen}"),
                '+' => promoted = true,
                '1'..='9' => board.extend((0..letter as u8 - b'0').map(|_| None)),
                _ => {
                    board.push(Some(Man {
                        sente: letter.is_uppercase(),
                        letter: letter.to_ascii_uppercase(),
                        promoted,
                    }));
                    promoted = false;
                }
            }
        }
        assert_eq!(board.len() as i32, self.width * self.height, "{sfen}");
        let mut hands = [(); 2].map(|()| vec![0; self.letters.len()]);
        let mut count = None;
        for letter in fields[2].chars().filter(|&letter| letter != '-') {
            match letter.to_digit(10) {
                Some(digit) => count = Some(10 * count.unwrap_or(0) + digit as usize),
                None => {
                    let held = self.letters.find(letter.to_ascii_uppercase());
                    let hand = &mut hands[usize::from(letter.is_lowercase())];
                    hand[held.expect("a piece")] += count.take().unwrap_or(1);
                }
            }
        }
        Placement {
            board,
            hands,
            sente_to_move: fields[1] == "b",
        }
    }

    fn write(&self, placement: &Placement) -> String {
        let cased = |letter: char, sente: bool| match sente {
            true => letter,
            false => letter.to_ascii_lowercase(),
        };
        let ranks: Vec<String> = placement
            .board
            .chunks(self.width as usize)
            .map(|rank| {
                let mut text: String = rank
                    .iter()
                    .map(|square| match square {
                        None => "1".to_owned(),
                        Some(man) => {
                            let plus = if man.promoted { "+" } else { "" };
                            format!("{plus}{}", cased(man.letter, man.sente))
                        }
                    })
                    .collect();
                for gap in (2..=self.width as usize).rev() {
                    text = text.replace(&"1".repeat(gap), &gap.to_string());
                }
                text
            })
            .collect();
        let mut hands = String::new();
        for (hand, sente) in placement.hands.iter().zip([true, false]) {
            for (&count, letter) in hand.iter().zip(self.letters.chars()) {
                match count {
                    0 => {}
                    1 => hands.push(cased(letter, sente)),
                    _ => hands.push_str(&format!("{count}{}", cased(letter, sente))),
                }
            }
        }
        if hands.is_empty() {
            hands.push('-');
        }
        let side = if placement.sente_to_move { "b" } else { "w" };
        format!("{} {side} {hands} 1", ranks.join("/"))
    }
}

fn pawn(sente: bool) -> Man {
    Man {
        sente,
        letter: 'P',
        promoted: false,
    }
}
