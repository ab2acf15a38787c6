//! What all parsers share: a cursor, errors, and why a move is illegal.

use thiserror::Error;

use crate::erased::Position;

/// An error in the text of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("column {column}: {message}")]
pub struct TextError {
    /// The column of the error in characters, starting at 1.
    pub column: usize,
    /// What is wrong.
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
    /// Why it is not a legal move.
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

    /// Reads the next character if it is the expected one; returns whether it is.
    pub fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.next();
        }
        found
    }

    /// Reads characters while they meet a condition.
    pub fn take_while(&mut self, condition: impl Fn(char) -> bool) -> &'a str {
        let text = self.rest;
        while self.peek().is_some_and(&condition) {
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

/// Why no move from a square is legal, for an error message. `name` is the square as the text of the
/// move spells it; `is_capture` is whether the text is a capture, `None` if unknown.
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
