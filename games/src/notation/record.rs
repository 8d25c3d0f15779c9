//! The **text of a record**: a start position, unless it is the usual one, and moves.
//!
//! Words are separated by blanks and line ends and read one after the other; the first that can't
//! be what it should stops the reading. Nothing but this is skipped:
//!
//! - comments: what follows `#` in a line, lines that begin with `*` or `'`, words in parentheses
//!   that stand apart (times, in KIF files), and `!` and `?` behind a move;
//! - lines of KIF files that hold no move: before the first move those with a full-width colon, and
//!   those that begin with `手数` or `まで`.

use crate::color::Color;
use crate::game::Game;
use crate::position::Position;
use crate::record::{Outcome, Record};

use super::move_error::MoveError;
use super::record_error::{RecordError, RecordProblem};
use super::scanner::half_width;

/// Words by which a side gives up.
const RESIGNATIONS: [&str; 3] = ["投了", "resign", "%TORYO"];

/// Words by which a record says that the game ended by repetition.
const REPETITIONS: [&str; 2] = ["千日手", "%SENNICHITE"];

/// Words by which a record says that the game was broken off.
const BREAKS: [&str; 2] = ["中断", "%CHUDAN"];

/// The signs of the sides in Japanese and in Tanaka's notation; a number may stand right before.
const SIGNS: [char; 6] = ['▲', '△', '☗', '☖', '+', '-'];

/// What may stand between a number and its move.
const AFTER_NUMBER: [char; 5] = ['.', ':', '．', '：', '手'];

/// A record that was read.
#[derive(Clone, Debug)]
pub struct ReadRecord<'g> {
    /// The record.
    pub record: Record<'g>,
    /// The line of each move, from 1.
    pub lines: Vec<usize>,
}

impl Game {
    /// Reads a record: a position, in any notation that fits on one line, or else `start`; then
    /// moves in any notation, numbered or not, one or many a line. USI's `position startpos moves
    /// ..` and `position sfen .. moves ..` are read too.
    ///
    /// # Errors
    /// [`RecordError`] tells line, column and ply of the first word that is unreadable or illegal,
    /// and what is wrong with it.
    ///
    /// ```
    /// use koma_games::Game;
    /// let game: Game = "dobutsu".parse().unwrap();
    /// let text = "1 ▲C3キリン 2 △A2キリン # both giraffes";
    /// let read = game.read_record(game.start(), text).unwrap();
    /// assert_eq!(game.sfen(read.record.position()), "1le/gc1/1CG/EL1 b - 1");
    /// let error = game.read_record(game.start(), "C4C3\nA1A2 C3A3").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2, column 6, ply 3, `C3A3`: the piece on the from-square can't step there"
    /// );
    /// ```
    pub fn read_record(
        &self,
        start: Option<Position>,
        text: &str,
    ) -> Result<ReadRecord<'_>, RecordError> {
        let words = words(text);
        let (start, taken) = self.read_start(start, &words)?;
        let mut reader = RecordReader {
            record: Record::new(self, start),
            lines: Vec::new(),
            numbering: Numbering::default(),
        };
        for word in &words[taken..] {
            reader.read(word)?;
        }
        let RecordReader { record, lines, .. } = reader;
        Ok(ReadRecord { record, lines })
    }

    /// The start position, and how many words say so.
    fn read_start(
        &self,
        usual: Option<Position>,
        words: &[Word<'_>],
    ) -> Result<(Position, usize), RecordError> {
        let first = words.first().copied().unwrap_or(Word::NONE);
        let usual = || usual.ok_or_else(|| first.error(1, RecordProblem::NoStart));
        let length = words
            .iter()
            .take_while(|word| word.number == first.number)
            .count();
        let line = &words[..length];
        if !line.iter().any(Word::is_of_position) {
            return Ok((usual()?, 0));
        }
        let moves = line.iter().position(|word| word.text == "moves");
        let end = moves.unwrap_or(length);
        let mut fields = &line[..end];
        for keyword in ["position", "sfen"] {
            if let [word, rest @ ..] = fields
                && word.text == keyword
            {
                fields = rest;
            }
        }
        let start = match fields {
            [only] if only.text == "startpos" => usual()?,
            _ => self.read_fields(first, fields)?,
        };
        Ok((start, length.min(end + 1)))
    }

    /// The position that these words of a line say together.
    fn read_fields(&self, first: Word<'_>, fields: &[Word<'_>]) -> Result<Position, RecordError> {
        let (from, to) = match fields {
            [] => (first.line.len(), first.line.len()),
            [first, .., last] => (first.at, last.at + last.text.len()),
            [only] => (only.at, only.at + only.text.len()),
        };
        self.parse_position(&first.line[from..to])
            .map_err(|mut error| {
                error.column += first.line[..from].chars().count();
                first.error(1, RecordProblem::Position(error))
            })
    }
}

/// A word of a text.
#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    /// The number of its line, from 1.
    number: usize,
    line: &'t str,
    /// Where it begins in the line, in bytes.
    at: usize,
    text: &'t str,
}

impl<'t> Word<'t> {
    /// What stands in a text without words.
    const NONE: Word<'static> = Word {
        number: 1,
        line: "",
        at: 0,
        text: "",
    };

    /// Whether it belongs to a position: a keyword of USI, or a board.
    fn is_of_position(&self) -> bool {
        matches!(self.text, "position" | "startpos" | "sfen") || self.text.contains('/')
    }

    /// How many characters stand before it in its line.
    fn before(&self) -> usize {
        self.line[..self.at].chars().count()
    }

    fn error(&self, ply: usize, problem: RecordProblem) -> RecordError {
        RecordError {
            line: self.number,
            column: self.before() + 1,
            ply,
            word: self.text.to_owned(),
            problem,
        }
    }

    /// The number before the move, and the move; either may be missing.
    fn split_number(&self) -> (Option<u32>, Word<'t>) {
        let behind = self
            .text
            .trim_start_matches(|c| half_width(c).is_ascii_digit());
        let rest = behind.trim_start_matches(AFTER_NUMBER);
        let digits = self.text[..self.text.len() - behind.len()].chars();
        let number: String = digits.map(half_width).collect();
        let ends = rest.len() < behind.len() || rest.is_empty() || rest.starts_with(SIGNS);
        // The move `2c2b` begins with a digit, too.
        if number.is_empty() || !ends {
            return (None, *self);
        }
        let at = self.at + self.text.len() - rest.len();
        // A number too great to be one does not go on from any other.
        let number = number.parse().unwrap_or(u32::MAX);
        (
            Some(number),
            Word {
                at,
                text: rest,
                ..*self
            },
        )
    }
}

/// The words of a text that are no comments.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let content = line.split('#').next().unwrap_or_default();
        let is_note = ["*", "'", "手数", "まで"]
            .iter()
            .any(|mark| content.trim_start().starts_with(mark));
        if is_note || (words.is_empty() && is_heading(content)) {
            continue;
        }
        let mut at = 0;
        let mut aside = 0;
        for text in content.split(char::is_whitespace) {
            let mut is_open = false;
            if at >= aside && text.starts_with(['(', '（']) {
                let length = aside_length(&content[at..]);
                aside = at + length.unwrap_or(0);
                is_open = length.is_none();
            }
            if at >= aside && !text.is_empty() {
                words.push(Word {
                    number,
                    line,
                    at,
                    text,
                });
            }
            if is_open {
                // No move begins so: the reading stops here.
                return words;
            }
            at += text.len();
            at += content[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    words
}

/// Whether a line is a heading of a KIF file, `先手：..`. Every move has a digit in it.
fn is_heading(line: &str) -> bool {
    line.split_once('：')
        .is_some_and(|(name, _)| !name.contains(char::is_numeric))
}

/// The length in bytes of the parentheses with which a text begins; `None` unless they are closed
/// right before a blank or the end.
fn aside_length(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let rest = &text[at + c.len_utf8()..];
            let is_apart = rest.chars().next().is_none_or(char::is_whitespace);
            return is_apart.then_some(text.len() - rest.len());
        }
    }
    None
}

/// A record that is being read.
struct RecordReader<'g> {
    record: Record<'g>,
    lines: Vec<usize>,
    numbering: Numbering,
}

impl RecordReader<'_> {
    /// Reads the next word: a number, a move, or both.
    fn read(&mut self, word: &Word<'_>) -> Result<(), RecordError> {
        let ply = self.record.ply() + 1;
        let (number, rest) = word.split_number();
        if let Some(number) = number
            && !self.numbering.goes_on(number, &self.record)
        {
            return Err(word.error(ply, RecordProblem::Number));
        }
        self.read_move(&rest)
            .map_err(|problem| rest.error(ply, problem))
    }

    /// Reads a move or a word that ends the game; there may be nothing.
    fn read_move(&mut self, word: &Word<'_>) -> Result<(), RecordProblem> {
        let text = word.text.trim_end_matches(['!', '?', '！', '？']);
        let outcome = self.record.outcome();
        if text.is_empty() || BREAKS.contains(&text) {
            return Ok(());
        }
        if REPETITIONS.contains(&text) {
            return match outcome {
                Some(Outcome::Repetition { .. }) => Ok(()),
                _ => Err(RecordProblem::NoRepetition {
                    found: self.record.occurrences(self.record.position()).len(),
                    needed: self.record.game().occurrences(),
                }),
            };
        }
        if let Some(outcome) = outcome {
            return Err(RecordProblem::GameOver(outcome));
        }
        if word.is_of_position() {
            return Err(RecordProblem::SecondPosition);
        }
        let played = if RESIGNATIONS.contains(&text) {
            self.record.resign()
        } else {
            let game = self.record.game();
            let mv = game
                .parse_move(self.record.position(), text)
                .map_err(|error| RecordProblem::Move(shifted(error, word.before())))?;
            self.lines.push(word.number);
            self.record.play(mv)
        };
        played.map_err(|illegal| RecordProblem::Move(illegal.into()))
    }
}

/// A move error whose column counts from the begin of the line.
fn shifted(mut error: MoveError, by: usize) -> MoveError {
    if let MoveError::Unreadable { column, .. }
    | MoveError::OtherSide { column, .. }
    | MoveError::OtherPiece { column, .. } = &mut error
    {
        *column += by;
    }
    error
}

/// How the moves are numbered: one by one, or with one number for a move of each side, as far as
/// the numbers so far tell.
struct Numbering {
    /// The number that came first, and what it would be in a game from its start: one by one, and
    /// in pairs.
    first: Option<(u32, [usize; 2])>,
    fits: [bool; 2],
}

impl Default for Numbering {
    fn default() -> Numbering {
        Numbering {
            first: None,
            fits: [true; 2],
        }
    }
}

impl Numbering {
    /// Whether this number of the next move goes on from those before it.
    fn goes_on(&mut self, number: u32, record: &Record<'_>) -> bool {
        let ply = record.ply() + 1;
        // Gote's first move stands in a pair that it does not begin.
        let late = usize::from(record.positions()[0].side() == Color::Gote);
        let counts = [ply, (ply + late).div_ceil(2)];
        let (first, first_counts) = *self.first.get_or_insert((number, counts));
        let gone = number.checked_sub(first).map(|gone| gone as usize);
        for (index, fits) in self.fits.iter_mut().enumerate() {
            *fits &= gone == Some(counts[index] - first_counts[index]);
        }
        self.fits.contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::SettlementReason;

    /// The published game that is a draw after 8 plies.
    const SHUTTLE: &str = "1 ▲C3キリン 2 △A2キリン 3 ▲C4キリン 4 △A1キリン\n\
                           5 ▲C3キリン 6 △A2キリン 7 ▲C4キリン 8 △A1キリン";

    /// After ply 14 the board stands for the third time, but with other hands. The position stands
    /// for the third time after ply 28, when the pieces have come back by drops.
    const OTHER_HANDS: &str = "B3B2 B1C2 C4C3 C2B2 C3C4 B2C2 C4C3 C2B2 C3C4 B2C2 C*C3 C2B2 C3C2 B2C2 \
                               C4C3 C2B2 C3C4 B2C2 B4A3 C*B4 A3B4 C2B1 C*B2 B1C2 C4C3 C2B2 C3C4 B2C2";

    fn dobutsu() -> Game {
        "dobutsu".parse().unwrap()
    }

    fn read<'g>(game: &'g Game, text: &str) -> ReadRecord<'g> {
        game.read_record(game.start(), text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn repetition(plies: [usize; 3]) -> Option<Outcome> {
        Some(Outcome::Repetition {
            winner: None,
            reason: SettlementReason::Repetition,
            plies: plies.to_vec(),
        })
    }

    #[test]
    fn case_1_the_third_occurrence_is_a_draw() {
        let game = dobutsu();
        let record = read(&game, SHUTTLE).record;
        assert_eq!(record.outcome(), repetition([0, 4, 8]));
    }

    #[test]
    fn case_3_the_route_to_the_third_occurrence_does_not_matter() {
        let game = dobutsu();
        let text = "C4-C3 A1-A2 C3-C4 A2-A1\nB4-A3 B1-C2 A3-B4 C2-B1";
        assert_eq!(read(&game, text).record.outcome(), repetition([0, 4, 8]));
    }

    #[test]
    fn case_12_hands_make_another_position_of_the_same_board() {
        let game = dobutsu();
        let words: Vec<&str> = OTHER_HANDS.split_whitespace().collect();
        assert_eq!(words.len(), 28);
        let early = read(&game, &words[..14].join(" ")).record;
        let squares = |ply: usize| {
            let position = &early.positions()[ply];
            (0..12)
                .map(|square| position.piece(square))
                .collect::<Vec<_>>()
        };
        assert!(squares(6) == squares(10) && squares(10) == squares(14));
        assert_eq!(early.outcome(), None);
        let whole = read(&game, OTHER_HANDS).record;
        assert_eq!(whole.outcome(), repetition([14, 18, 28]));
    }

    /// Every way to write the shuttle of the giraffes.
    #[test]
    fn every_notation_and_numbering_is_read() {
        let game = dobutsu();
        let shuttle = read(&game, SHUTTLE).record;
        let squares = "C4C3 A1A2 C3C4 A2A1 C4C3 A1A2 C3C4 A2A1";
        let usi = "1d1c 3a3b 1c1d 3b3a 1d1c 3a3b 1c1d 3b3a";
        for text in [
            squares.to_owned(),
            squares.replace(' ', "\n"),
            squares.replace(' ', "\r\n\r\n"),
            squares.replace(' ', "\u{3000}"),
            usi.to_owned(),
            format!("position startpos moves {usi}"),
            format!("startpos moves {usi}"),
            format!("position startpos\n{squares}"),
            format!("position sfen gle/1c1/1C1/ELG b - 1 moves {usi}"),
            format!("sfen gle/1c1/1C1/ELG_b_-_1 moves {usi}"),
            format!("gle/1c1/1C1/ELG b - 1\n{squares}"),
            format!("S/gle/-c-/-C-/ELG/-\n{squares}"),
            format!("gle/1c1/1C1/ELG[] w 0 1\n{squares}"),
            format!("-KI-LI-ZO/ . -HI . / . +HI . /+ZO+LI+KI/000000/+\n{squares}"),
            "+C4C3KI -A1A2KI +C3C4KI -A2A1KI +C4C3KI -A1A2KI +C3C4KI -A2A1KI".to_owned(),
            "1+C4C3KI 2-A1A2KI 3 ☗C4きりん 4. A2A1 5: 1d1c 6手 3a3b 7▲Ｃ４キリン 8．A2A1"
                .to_owned(),
            squares.replace("C4C3", "C4-C3").replace("A2A1", "A2-A1"),
            "１▲C3キリン ２ △A2キリン ３．C3C4 ４手 A2A1 ５ C4C3 6 A1A2 ７：C3C4 8 A2A1".to_owned(),
            "1. C4C3 A1A2 2. C3C4 A2A1 3. C4C3 A1A2 4. C3C4 A2A1".to_owned(),
            "1. C4C3 1... A1A2 2. C3C4 2... A2A1 3. C4C3 A1A2 C3C4 4... A2A1".to_owned(),
            "17 C4C3 18 A1A2 C3C4 A2A1 21 C4C3 A1A2 C3C4 24 A2A1".to_owned(),
            format!("# C4C3\n* C4C3\n'C4C3\n{squares} # C4C3"),
            "C4C3! A1A2?? (0:01/00:00:01) C3C4!? ( 0:01/ (0:02) ) A2A1 C4C3 A1A2 C3C4 A2A1？"
                .to_owned(),
            format!(
                "#KIF version=2.0\n先手：A1\n手合割：平手\n手数----指手---------消費時間--\n\
                 {SHUTTLE}\n   9 千日手   ( 0:01/00:00:01)\nまで8手で千日手\n"
            ),
        ] {
            let record = read(&game, &text).record;
            assert_eq!(record.positions(), shuttle.positions(), "{text}");
        }
    }

    /// Case 56: nothing may follow `moves`.
    #[test]
    fn case_56_a_record_may_have_no_moves() {
        let game = dobutsu();
        for text in [
            "",
            "\n\n",
            "# nothing",
            "position startpos",
            "position startpos moves",
            "中断",
        ] {
            let record = read(&game, text).record;
            assert_eq!((record.ply(), record.outcome()), (0, None), "{text}");
        }
    }

    #[test]
    fn each_move_knows_its_line() {
        let game = dobutsu();
        let read = read(&game, "# giraffes\n\n1 C4C3 2 A1A2\n\n3 C3C4");
        assert_eq!(read.lines, [3, 3, 5]);
    }

    #[test]
    fn a_resignation_ends_the_record() {
        let game = dobutsu();
        for word in ["投了", "resign", "%TORYO", "2 投了"] {
            let record = read(&game, &format!("1 C4C3 {word}")).record;
            let winner = Color::Sente;
            assert_eq!(
                record.outcome(),
                Some(Outcome::Resignation { winner }),
                "{word}"
            );
        }
    }

    /// Text, and the whole message.
    #[test]
    fn the_first_wrong_word_is_named() {
        let game = dobutsu();
        let after_end = format!("{SHUTTLE}\n9 C4C3");
        let garbage_after_end = format!("{SHUTTLE} ?x");
        for (text, message) in [
            (
                "1 C4C3\n\n2 A1A2 3 C3D2 4 x",
                "line 3, column 10, ply 3, `C3D2`: to-square, column 12: found `D`, expected a file from A to C",
            ),
            (
                "C4C3 C3C2",
                "line 1, column 6, ply 2, `C3C2`: no piece of the side to move stands on the from-square",
            ),
            (
                "▲C3キリン ▲C4キリン",
                "line 1, column 8, ply 2, `▲C4キリン`: side, column 8: it is gote's move",
            ),
            (
                "  ▲C3ゾウ",
                "line 1, column 3, ply 1, `▲C3ゾウ`: no ぞう of the side to move can go to C3",
            ),
            (
                "C4C3 A1A2 hello",
                "line 1, column 11, ply 3, `hello`: from-square, column 11: found `h`, expected a move, as in `3d2c` or `A4B3`",
            ),
            (
                "1 C4C3 3 A1A2",
                "line 1, column 8, ply 2, `3`: the number does not go on from those before it; a move is missing or too many",
            ),
            (
                "1. C4C3 A1A2 4. C3C4",
                "line 1, column 14, ply 3, `4.`: the number does not go on from those before it; a move is missing or too many",
            ),
            (
                &after_end,
                "line 3, column 3, ply 9, `C4C3`: the game is over before this",
            ),
            (
                &garbage_after_end,
                "line 2, column 37, ply 9, `?x`: the game is over before this",
            ),
            (
                "C4C3 投了 A1A2",
                "line 1, column 9, ply 2, `A1A2`: the game is over before this",
            ),
            (
                "C4C3 千日手",
                "line 1, column 6, ply 2, `千日手`: this is no repetition; the position has occurred 1 of 3 times",
            ),
            (
                "C4C3\nposition startpos",
                "line 2, column 1, ply 2, `position`: a position may stand before the first move only",
            ),
            (
                "\nposition sfen gle/1c1/1C1/ELG x - 1 moves 1d1c",
                "line 2, start position: side to move, column 31: found `x`, expected `b` (sente) or `w` (gote)",
            ),
            (
                "C4C3 (A1A2 C3C4",
                "line 1, column 6, ply 2, `(A1A2`: from-square, column 6: found `(`, expected a move, as in `3d2c` or `A4B3`",
            ),
            (
                "C4C3 (a (b) c)A1A2",
                "line 1, column 6, ply 2, `(a`: from-square, column 6: found `(`, expected a move, as in `3d2c` or `A4B3`",
            ),
            (
                "C4C3：A1A2",
                "line 1, column 1, ply 1, `C4C3：A1A2`: end, column 5: found `：`, expected the end of the move",
            ),
            (
                "position moves 1d1c",
                "line 1, start position: board, column 20: the rank ends after 0 of 3 squares",
            ),
            (
                "1：C4D3",
                "line 1, column 3, ply 1, `C4D3`: to-square, column 5: found `D`, expected a file from A to C",
            ),
        ] {
            let error = game.read_record(game.start(), text).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        }
        let error = game.read_record(None, "C4C3").unwrap_err();
        assert_eq!(error.problem, RecordProblem::NoStart);
        let error = game.read_record(None, "position startpos").unwrap_err();
        assert_eq!(error.problem, RecordProblem::NoStart);
    }

    /// Texts with random faults are read or refused, and what is read is a legal game.
    #[test]
    fn any_text_is_a_record_or_an_error() {
        let game = dobutsu();
        let sources: Vec<Vec<char>> = [
            SHUTTLE,
            OTHER_HANDS,
            "position sfen gle/1c1/1C1/ELG b - 1 moves 1d1c 3a3b (a) # b",
        ]
        .map(|text| text.chars().collect())
        .to_vec();
        let letters: Vec<char> = " \n#()（*'1２.：/手▲△+-A1ひキ千打%!？\u{3000}\u{0}\u{301}"
            .chars()
            .collect();
        // Knuth's MMIX generator.
        let mut state = 1u64;
        let mut below = |end: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as usize % end
        };
        let mut legal = 0;
        for _ in 0..20_000 {
            let mut text = sources[below(sources.len())].clone();
            for _ in 0..=below(3) {
                let at = below(text.len());
                match below(3) {
                    0 => text[at] = letters[below(letters.len())],
                    1 => text.insert(at, letters[below(letters.len())]),
                    _ => drop(text.remove(at)),
                }
            }
            let text: String = text.into_iter().collect();
            match game.read_record(game.start(), &text) {
                Ok(read) => {
                    legal += 1;
                    assert_eq!(read.lines.len(), read.record.ply(), "{text}");
                }
                Err(error) => assert!(error.to_string().starts_with("line "), "{text}"),
            }
        }
        assert!((500..15_000).contains(&legal), "{legal}");
    }
}
