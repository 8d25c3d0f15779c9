//! The **text** of placements and moves: SFEN and USI.

use super::NaiveShogi;
use super::placement::{Man, Placement};
use super::rules::Move;

impl NaiveShogi {
    pub(super) fn usi(&self, mv: &Move) -> String {
        match *mv {
            Move::Step { from, to, promotes } => {
                let plus = if promotes { "+" } else { "" };
                format!("{}{}{plus}", self.name(from), self.name(to))
            }
            Move::Drop { letter, to } => format!("{}*{}", char::from(letter), self.name(to)),
        }
    }

    fn name(&self, (x, y): (i32, i32)) -> String {
        format!("{}{}", self.width - x, char::from(b'a' + y as u8))
    }

    pub(super) fn read(&self, sfen: &str) -> Placement {
        let fields: Vec<&str> = sfen.split(' ').collect();
        let mut placement = Placement::empty(fields[1] == "b");
        let mut square = 0;
        let mut promoted = false;
        for letter in fields[0].bytes() {
            match letter {
                b'/' => assert_eq!(square % self.width as usize, 0, "{sfen}"),
                b'+' => promoted = true,
                b'1'..=b'9' => square += usize::from(letter - b'0'),
                _ => {
                    placement.board[square] = Some(Man {
                        sente: letter.is_ascii_uppercase(),
                        letter: letter.to_ascii_uppercase(),
                        promoted,
                    });
                    square += 1;
                    promoted = false;
                }
            }
        }
        assert_eq!(square, (self.width * self.height) as usize, "{sfen}");
        let mut count = None;
        for letter in fields[2].bytes().filter(|&letter| letter != b'-') {
            if letter.is_ascii_digit() {
                count = Some(10 * count.unwrap_or(0) + (letter - b'0'));
            } else {
                let held = self.held(letter.to_ascii_uppercase()).expect("a piece");
                let hand = &mut placement.hands[usize::from(letter.is_ascii_lowercase())];
                hand[held] += count.take().unwrap_or(1);
            }
        }
        placement
    }

    pub(super) fn write(&self, placement: &Placement) -> String {
        let cased = |letter: u8, sente: bool| match sente {
            true => char::from(letter),
            false => char::from(letter.to_ascii_lowercase()),
        };
        let mut text = String::new();
        for y in 0..self.height {
            if y > 0 {
                text.push('/');
            }
            let mut gap = 0;
            for x in 0..self.width {
                let Some(man) = self.at(placement, (x, y)) else {
                    gap += 1;
                    continue;
                };
                push_gap(&mut text, std::mem::take(&mut gap));
                if man.promoted {
                    text.push('+');
                }
                text.push(cased(man.letter, man.sente));
            }
            push_gap(&mut text, gap);
        }
        text.push_str(if placement.sente_to_move {
            " b "
        } else {
            " w "
        });
        let hands = text.len();
        for (hand, sente) in placement.hands.iter().zip([true, false]) {
            for (&count, letter) in hand.iter().zip(self.letters.bytes()) {
                if count > 1 {
                    text.push_str(&count.to_string());
                }
                if count > 0 {
                    text.push(cased(letter, sente));
                }
            }
        }
        if text.len() == hands {
            text.push('-');
        }
        text.push_str(" 1");
        text
    }
}

/// So many empty squares, if any.
fn push_gap(text: &mut String, gap: u32) {
    text.extend((gap > 0).then(|| char::from_digit(gap, 10)).flatten());
}
