//! A place in a text that moves forward.

/// The rest of a text, and the line and column where it starts.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    /// The first character: line 1, column 1.
    pub fn new(text: &'a str) -> Self {
        Cursor { rest: text, line: 1, column: 1 }
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The line of the next character, 1 for the first.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column of the next character in its line, in characters, 1 for the first.
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

    /// Reads a character if it is the one wanted.
    pub fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    /// Reads characters as long as they are wanted.
    pub fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let text = self.rest;
        while self.peek().is_some_and(&wanted) {
            self.next();
        }
        &text[..text.len() - self.rest.len()]
    }

    /// Skips white space, line ends included.
    pub fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// The next character as an error shows it.
    pub fn found(&self) -> String {
        match self.peek() {
            Some(character) => format!("found {character:?}"),
            None => "found the end".to_owned(),
        }
    }
}
