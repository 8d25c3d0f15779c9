//! A **scanner**: a text and how far it has been read.

/// A text and how far it has been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Where the rest begins, in bytes.
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    /// What has not been read yet.
    pub(super) fn rest(self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character.
    pub(super) fn peek(self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads the next character.
    pub(super) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Reads this character if it comes next.
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let next = self.peek() == Some(wanted);
        if next {
            self.at += wanted.len_utf8();
        }
        next
    }

    /// Reads this word if it comes next.
    pub(super) fn eat_word(&mut self, wanted: &str) -> bool {
        let next = self.rest().starts_with(wanted);
        if next {
            self.at += wanted.len();
        }
        next
    }

    /// Reads the characters for which `wanted` holds; whether there were any.
    pub(super) fn skip(&mut self, wanted: impl Fn(char) -> bool) -> bool {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        self.at > start
    }

    /// Reads a decimal number if a digit comes next. A number too great for the type is its
    /// greatest.
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|next| next.to_digit(10)) {
            let before: u32 = number.unwrap_or(0);
            number = Some(before.saturating_mul(10).saturating_add(digit));
            self.at += 1;
        }
        number
    }

    /// The line of the next character, from 1.
    pub(super) fn line(self) -> usize {
        1 + self.text[..self.at].matches('\n').count()
    }

    /// The column of the next character in its line, in characters from 1.
    pub(super) fn column(self) -> usize {
        let read = &self.text[..self.at];
        let line = read.rsplit('\n').next().unwrap_or(read);
        1 + line.chars().count()
    }
}

/// Whether a character separates fields: white space, or `_`, which stands for a blank where a
/// blank can't be written, as in an address.
pub(super) fn is_blank(c: char) -> bool {
    c == '_' || c.is_whitespace()
}

/// The ASCII character of a full-width one.
pub(super) fn half_width(c: char) -> char {
    match c {
        '！'..='～' => {
            char::from_u32(u32::from(c) - u32::from('！') + u32::from('!')).unwrap_or(c)
        }
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_of_the_line() {
        let mut scanner = Scanner::new("ひよこ\nB2");
        assert!(scanner.eat_word("ひよ"));
        assert_eq!((scanner.line(), scanner.column()), (1, 3));
        assert!(scanner.eat_word("こ\nB"));
        assert_eq!((scanner.line(), scanner.column()), (2, 2));
        assert_eq!(scanner.bump(), Some('2'));
        assert_eq!(scanner.bump(), None);
        assert_eq!(scanner.column(), 3);
    }

    #[test]
    fn numbers_saturate() {
        assert_eq!(Scanner::new("x").number(), None);
        assert_eq!(Scanner::new("012x").number(), Some(12));
        assert_eq!(Scanner::new("99999999999").number(), Some(u32::MAX));
    }
}
