//! Code shared by all parsers: a cursor, error types, and explanations of illegal moves.

use thiserror::Error;

use crate::erased::Position;

/// An error in the text of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("column {column}: {message}")]
pub struct TextError {
    /// The column of the error in characters, starting at 1.
    pub column: usize,
    /// A description of the problem.
    pub message: String,
}

impl TextError {
    pub(super) fn new(column: usize, message: impl Into<String>) -> Self {
        TextError { column, message: message.into() }
    }
}

/// A move that cannot be parsed or is illegal.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {reason}", .text.escape_debug())]
pub struct MoveError {
    /// The move as written, truncated if it is long.
    pub text: String,
    /// The reason the move is rejected.
    pub reason: String,
}

impl MoveError {
    /// Maximum length of the quoted text, in characters.
    const MAX_LENGTH: usize = 80;

    pub(super) fn new(text: &str, reason: impl Into<String>) -> Self {
        MoveError { text: text.chars().take(Self::MAX_LENGTH).collect(), reason: reason.into() }
    }
}

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

    /// The next character, without reading it.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Reads the next character.
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

    /// Reads the next character unless it is a line end.
    pub fn next_in_line(&mut self) -> Option<char> {
        if self.peek() == Some('\n') {
            return None;
        }
        self.next()
    }

    /// Reads the next character if it is `expected`. Returns whether it was.
    pub fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.next();
        }
        found
    }

    /// Reads characters as long as they meet a condition.
    pub fn take_while(&mut self, condition: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !condition(character));
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        for byte in text.bytes() {
            match byte {
                b'\n' => (self.line, self.column) = (self.line + 1, 1),
                // Continuation bytes of a character.
                0x80..0xc0 => {}
                _ => self.column += 1,
            }
        }
        text
    }

    /// Reads ASCII digits.
    pub fn digits(&mut self) -> &'a str {
        self.take_while(|character| character.is_ascii_digit())
    }

    /// Skips white space, including line ends.
    pub fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Describes the next character for an error message.
    pub fn found(&self) -> String {
        match self.peek() {
            Some(character) => format!("found {character:?}"),
            None => "found the end".to_owned(),
        }
    }
}

/// Whether a character is a hyphen, a dash or a minus sign.
pub(super) fn is_quiet_sign(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Explains why a move from a square is illegal, for an error message. `name` is the square as
/// written in the move. `is_capture` is whether the move is written as a capture; `None` if
/// unknown.
pub(super) fn why_illegal(
    position: &Position,
    from: u8,
    name: &str,
    is_capture: Option<bool>,
) -> String {
    let why = if !position.has_move() {
        "the game is over"
    } else if !position.pieces(position.side()).has(from) {
        return format!("not legal here: the side to move has no piece on {name}");
    } else if is_capture == Some(false) && position.has_capture() {
        "a capture is compulsory"
    } else if is_capture == Some(true) && !position.has_capture() {
        "there is nothing to capture"
    } else {
        return "not legal here".to_owned();
    };
    format!("not legal here: {why}")
}
