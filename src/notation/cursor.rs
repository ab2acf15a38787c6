//! A reading position in a text.

/// The unread rest of a text, with the line and column where it starts.
#[derive(Clone)]
pub(super) struct TextCursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> TextCursor<'a> {
    /// A cursor at the first character: line 1, column 1.
    pub fn new(text: &'a str) -> Self {
        TextCursor { rest: text, line: 1, column: 1 }
    }

    /// The unread text.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The line of the next character, starting at 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column of the next character within its line, in characters, starting at 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The next character, which stays unread.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Reads a character.
    pub fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.rest = &self.rest[character.len_utf8()..];
        if character == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(character)
    }

    /// Reads a character unless it ends the line.
    pub fn next_in_line(&mut self) -> Option<char> {
        if self.peek() == Some('\n') {
            return None;
        }
        self.next()
    }

    /// Reads the next character if it is the wanted one; returns whether it is.
    pub fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    /// Reads characters while they meet a condition.
    pub fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let text = self.rest;
        while self.peek().is_some_and(&wanted) {
            self.next();
        }
        &text[..text.len() - self.rest.len()]
    }

    /// Reads ASCII digits.
    pub fn digits(&mut self) -> &'a str {
        self.take_while(|character| character.is_ascii_digit())
    }

    /// Skips white space, including line ends.
    pub fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// The next character, described for an error message.
    pub fn found(&self) -> String {
        match self.peek() {
            Some(character) => format!("found {character:?}"),
            None => "found the end".to_owned(),
        }
    }
}
