//! Splits a PDN file into tokens.

use std::fmt;

use crate::notation::parse::TextCursor;

use super::record::{ResultText, is_name};

/// A position in a text: line and column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPosition {
    /// The line, starting at 1.
    pub line: usize,
    /// The character within the line, starting at 1.
    pub column: usize,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A token. Move numbers and dots are dropped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Tag {
        name: String,
        value: String,
    },
    /// A malformed tag at the start of a line, with the error message.
    BadTag(String),
    /// A word that may be a move, without blanks.
    Move(String),
    Strength(String),
    Nag(u16),
    /// A comment, with runs of white space collapsed to one blank.
    Comment(String),
    Open,
    Close,
    Result(ResultText),
    /// Any other text, with the error message.
    Fault(String),
}

/// A token and the place where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlacedToken {
    pub place: TextPosition,
    pub token: Token,
}

/// An iterator over the tokens of a text.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    cursor: TextCursor<'a>,
    /// If the last token was a move or a strength, the length of the unread text directly after
    /// that token. A `*` at that point marks a forced move. `None` after other tokens.
    after_move: Option<usize>,
}

impl Iterator for Lexer<'_> {
    type Item = PlacedToken;

    fn next(&mut self) -> Option<PlacedToken> {
        loop {
            self.cursor.skip_blanks();
            let place = TextPosition { line: self.cursor.line(), column: self.cursor.column() };
            let first = self.cursor.peek()?;
            if let Some(token) = self.token(first, place) {
                let is_move = matches!(token, Token::Move(_) | Token::Strength(_));
                self.after_move = is_move.then(|| self.cursor.rest().len());
                return Some(PlacedToken { place, token });
            }
        }
    }
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer { cursor: TextCursor::new(text), after_move: None }
    }

    /// Reads a token that begins with `first`; `None` for text that is dropped.
    fn token(&mut self, first: char, place: TextPosition) -> Option<Token> {
        match first {
            '%' if place.column == 1 => {
                self.rest_of_line();
                None
            }
            '[' => Some(self.tag(place)),
            '{' => self.comment(),
            ';' => {
                self.cursor.next();
                let text = self.rest_of_line().replace('}', ")");
                comment(&text)
            }
            '(' => Some(self.open()),
            ')' => Some(self.single(Token::Close)),
            '$' => Some(self.nag()),
            '!' | '?' => Some(self.strength()),
            '*' if self.after_move == Some(self.cursor.rest().len()) => Some(self.strength()),
            '*' => Some(self.single(Token::Result(ResultText::unknown()))),
            '.' => {
                self.cursor.take_while(|character| character == '.');
                None
            }
            first if is_word(first) => self.word(),
            other => Some(self.single(Token::Fault(format!("unexpected {other:?}")))),
        }
    }

    fn single(&mut self, token: Token) -> Token {
        self.cursor.next();
        token
    }

    fn rest_of_line(&mut self) -> &'a str {
        self.cursor.take_while(|character| character != '\n')
    }

    fn tag(&mut self, place: TextPosition) -> Token {
        match self.tag_parts() {
            Ok((name, value)) => Token::Tag { name, value },
            Err(message) => {
                self.rest_of_line();
                if place.column == 1 { Token::BadTag(message) } else { Token::Fault(message) }
            }
        }
    }

    fn tag_parts(&mut self) -> Result<(String, String), String> {
        let is_blank = |character| matches!(character, ' ' | '\t');
        self.cursor.next();
        self.cursor.take_while(is_blank);
        let name = self.cursor.take_while(is_name);
        if name.is_empty() {
            return Err("a tag has no name".to_owned());
        }
        self.cursor.take_while(is_blank);
        if !self.cursor.eat('"') {
            return Err(format!("the value of the tag {name} is not quoted"));
        }
        let mut value = String::new();
        loop {
            match self.cursor.next_in_line() {
                None => return Err(format!("the value of the tag {name} is not closed")),
                Some('\\') if matches!(self.cursor.peek(), Some('"' | '\\')) => {
                    value.extend(self.cursor.next());
                }
                Some('"') if self.cursor.rest().trim_start_matches(is_blank).starts_with(']') => {
                    self.cursor.take_while(is_blank);
                    self.cursor.next();
                    return Ok((name.to_owned(), value));
                }
                Some(character) => value.push(character),
            }
        }
    }

    fn comment(&mut self) -> Option<Token> {
        self.cursor.next();
        let start = self.cursor.clone();
        let text = self.cursor.take_while(|character| character != '}');
        if self.cursor.eat('}') {
            return comment(text);
        }
        self.cursor = start;
        self.skip_to_tag();
        Some(Token::Fault("unclosed comment".to_owned()))
    }

    /// Skips to the next line that looks like a tag, or to the end.
    fn skip_to_tag(&mut self) {
        loop {
            self.rest_of_line();
            if self.cursor.next().is_none() {
                return;
            }
            let mut line = self.cursor.rest().chars();
            if line.next() == Some('[') && line.next().is_some_and(is_name) {
                return;
            }
        }
    }

    /// Reads the start of a side line, or a strength like `(?)`.
    fn open(&mut self) -> Token {
        self.cursor.next();
        let mut ahead = self.cursor.clone();
        let strength = ahead.take_while(is_strength);
        if strength.is_empty() || !ahead.eat(')') {
            return Token::Open;
        }
        self.cursor = ahead;
        Token::Strength(format!("({strength})"))
    }

    fn nag(&mut self) -> Token {
        self.cursor.next();
        match self.cursor.digits().parse() {
            Ok(number) => Token::Nag(number),
            Err(_) => Token::Fault("expected a number after $".to_owned()),
        }
    }

    fn strength(&mut self) -> Token {
        Token::Strength(self.cursor.take_while(is_strength).to_owned())
    }

    /// Reads a move, a result or a move number.
    fn word(&mut self) -> Option<Token> {
        let mut word = self.cursor.take_while(is_word).to_owned();
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number(&word) && self.cursor.peek() == Some('.') {
            return None;
        }
        self.join_blanks(&mut word);
        // A move number without a dot.
        if is_number(&word) && word.len() < 4 {
            return None;
        }
        Some(classify(word))
    }

    /// Extends a move that contains blanks, as in old files that align columns: `7- 1`, `17x 8`.
    fn join_blanks(&mut self, word: &mut String) {
        loop {
            let mut ahead = self.cursor.clone();
            let blanks = ahead.take_while(|character| matches!(character, ' ' | '\t'));
            let mut next = ahead.rest().trim_start_matches(is_separator).trim_start_matches(' ');
            let starts_with_separator = ahead.peek().is_some_and(is_separator);
            if word.ends_with(is_separator) {
                next = ahead.rest();
            } else if !starts_with_separator {
                return;
            }
            let digit_follows = next.starts_with(|next: char| next.is_ascii_digit());
            if blanks.is_empty() || !digit_follows {
                return;
            }
            word.push_str(ahead.take_while(is_word));
            self.cursor = ahead;
        }
    }
}

/// Whether a character may be part of a move, a number or a result.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || is_separator(character) || character == '/'
}

fn is_strength(character: char) -> bool {
    matches!(character, '!' | '?' | '*')
}

/// The token of a comment, `None` for an empty one.
fn comment(text: &str) -> Option<Token> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(Token::Comment(text))
}

/// The token of a word.
fn classify(word: String) -> Token {
    if let Some(result) = ResultText::parse(&word) {
        return Token::Result(result);
    }
    let mut characters = word.chars();
    let is_square = match characters.next() {
        Some(first) if first.is_ascii_alphabetic() => {
            characters.next().is_some_and(|second| second.is_ascii_digit())
        }
        Some(first) => first.is_ascii_digit(),
        None => false,
    };
    if is_square { Token::Move(word) } else { Token::Fault(format!("not a move: {word:?}")) }
}

/// Whether a character separates the squares of a move.
pub(super) fn is_separator(character: char) -> bool {
    is_quiet_sign(character) || is_capture_sign(character)
}

pub(super) fn is_quiet_sign(character: char) -> bool {
    matches!(character, '-' | '–')
}

pub(super) fn is_capture_sign(character: char) -> bool {
    matches!(character, 'x' | 'X' | ':' | '×')
}
