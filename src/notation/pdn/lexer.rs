//! Splits a PDN file into tokens.

use std::borrow::Cow;
use std::fmt;

use crate::notation::parse::{MoveError, TextCursor, is_quiet_sign};

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

/// A token. Move numbers and dots are dropped, but see [`PlacedToken::is_numbered`]. Words borrow
/// from the text, so that the millions of words in a large file need no extra memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Tag {
        name: &'a str,
        value: Cow<'a, str>,
    },
    /// A malformed tag at the start of a line, with the error message.
    BadTag(String),
    /// A word that may be a move, without spaces.
    Move(Cow<'a, str>),
    Strength(Cow<'a, str>),
    Nag(u16),
    /// A move that passes: `--`.
    NullMove,
    /// The position at this point of the game, as FEN between slashes.
    Setup(&'a str),
    /// A comment, with runs of white space collapsed to a single space.
    Comment(String),
    Open,
    Close,
    Result(ResultText),
    /// Words without digits that are not in a comment: `White resigns`.
    Words(String),
    /// A number between the moves that is not a move number, such as a time or a score: `0.05`.
    Number(String),
    /// Words that cannot be a move because of how they are written.
    BadMove(MoveError),
    /// Any other text, with the error message.
    Fault(String),
}

/// A token and the position where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlacedToken<'a> {
    pub place: TextPosition,
    /// The byte offset at which it ends.
    pub end: usize,
    /// Whether a move number precedes it, except for comments in between.
    pub is_numbered: bool,
    pub token: Token<'a>,
}

impl PlacedToken<'_> {
    pub fn is_comment(&self) -> bool {
        matches!(self.token, Token::Comment(_))
    }

    /// Whether it is a tag, well-formed or not.
    pub fn is_tag(&self) -> bool {
        matches!(self.token, Token::Tag { .. } | Token::BadTag(_))
    }
}

/// The error message for a comment that is not closed before the end of the text.
pub(super) const UNCLOSED_COMMENT: &str = "unclosed comment";

/// An iterator over the tokens of a text.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    cursor: TextCursor<'a>,
    /// The length of the text in bytes.
    length: usize,
    /// If the last token was a move or a strength mark, the length of the unread text directly
    /// after that token. A `*` at that point marks a forced move. `None` after other tokens.
    after_move: Option<usize>,
    /// Whether a move number has been dropped since the last token other than a comment.
    after_number: bool,
    /// The last move number in the line of moves; `None` before the first.
    last_number: Option<u32>,
    /// Whether the rest of the text is known to contain no closing brace. Otherwise the rest of the
    /// text would be searched again for every unclosed comment.
    has_no_close: bool,
}

impl<'a> Iterator for Lexer<'a> {
    type Item = PlacedToken<'a>;

    fn next(&mut self) -> Option<PlacedToken<'a>> {
        loop {
            self.cursor.skip_blanks();
            let place = TextPosition { line: self.cursor.line(), column: self.cursor.column() };
            let first = self.cursor.peek()?;
            if let Some(token) = self.token(first, place) {
                let is_move = matches!(token, Token::Move(_) | Token::Strength(_));
                let rest = self.cursor.rest().len();
                self.after_move = is_move.then_some(rest);
                let is_numbered = self.after_number;
                self.after_number &= matches!(token, Token::Comment(_));
                if ends_numbering(&token) {
                    self.last_number = None;
                }
                let end = self.length - rest;
                return Some(PlacedToken { place, end, is_numbered, token });
            }
        }
    }
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        let cursor = TextCursor::new(text);
        Lexer {
            cursor,
            length: text.len(),
            after_move: None,
            after_number: false,
            last_number: None,
            has_no_close: false,
        }
    }

    /// Reads a token that begins with `first`; `None` if the text is dropped.
    fn token(&mut self, first: char, place: TextPosition) -> Option<Token<'a>> {
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
            '/' => Some(self.setup()),
            first if is_glyph(first) || self.is_glyph_with_dash(first) => Some(self.glyph()),
            '.' => {
                self.cursor.take_while(|character| character == '.');
                None
            }
            '}' => Some(self.single(Token::Words("}".to_owned()))),
            first if is_word(first) => self.word(),
            other => Some(self.single(Token::Fault(format!("unexpected {other:?}")))),
        }
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.cursor.next();
        token
    }

    fn rest_of_line(&mut self) -> &'a str {
        self.cursor.take_while(|character| character != '\n')
    }

    fn tag(&mut self, place: TextPosition) -> Token<'a> {
        match self.tag_parts() {
            Ok((name, value)) => Token::Tag { name, value },
            Err(message) => {
                self.rest_of_line();
                if place.column == 1 { Token::BadTag(message) } else { Token::Fault(message) }
            }
        }
    }

    fn tag_parts(&mut self) -> Result<(&'a str, Cow<'a, str>), String> {
        self.cursor.next();
        self.cursor.take_while(is_blank);
        let name = self.cursor.take_while(is_name);
        if name.is_empty() {
            return Err("a tag has no name".to_owned());
        }
        self.cursor.take_while(is_blank);
        if !self.cursor.eat('"') {
            return Err(format!("the value of the {name} tag is not quoted"));
        }
        // Values rarely contain escapes.
        let start = self.cursor.take_while(|character| !matches!(character, '"' | '\\' | '\n'));
        let mut value = Cow::Borrowed(start);
        loop {
            match self.cursor.next_in_line() {
                None => return Err(format!("the value of the {name} tag has no closing quote")),
                Some('\\') if matches!(self.cursor.peek(), Some('"' | '\\')) => {
                    value.to_mut().extend(self.cursor.next());
                }
                Some('"') if self.cursor.rest().trim_start_matches(is_blank).starts_with(']') => {
                    self.cursor.take_while(is_blank);
                    self.cursor.next();
                    return Ok((name, value));
                }
                Some(character) => value.to_mut().push(character),
            }
        }
    }

    fn comment(&mut self) -> Option<Token<'a>> {
        self.cursor.next();
        self.has_no_close = self.has_no_close || !self.cursor.rest().contains('}');
        if !self.has_no_close {
            let text = self.cursor.take_while(|character| character != '}');
            self.cursor.next();
            return comment(text);
        }
        self.skip_to_tag();
        Some(Token::Fault(UNCLOSED_COMMENT.to_owned()))
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

    /// Reads the start of a side line, or a strength mark like `(?)`.
    fn open(&mut self) -> Token<'a> {
        self.cursor.next();
        let mut ahead = self.cursor.clone();
        let strength = ahead.take_while(is_strength);
        if strength.is_empty() || !ahead.eat(')') {
            return Token::Open;
        }
        self.cursor = ahead;
        Token::Strength(format!("({strength})").into())
    }

    fn nag(&mut self) -> Token<'a> {
        self.cursor.next();
        match self.cursor.digits().parse() {
            Ok(number) => Token::Nag(number),
            Err(_) => Token::Fault("expected a number after $".to_owned()),
        }
    }

    /// Reads a position between slashes, which PDN 3.0 allows in the movetext.
    fn setup(&mut self) -> Token<'a> {
        self.cursor.next();
        let text = self.cursor.take_while(|character| !matches!(character, '/' | '\n'));
        match self.cursor.eat('/') {
            true => Token::Setup(text.trim()),
            false => Token::Fault("unclosed position: expected /".to_owned()),
        }
    }

    /// Whether a dash begins an evaluation symbol or a null move.
    fn is_glyph_with_dash(&self, first: char) -> bool {
        let second = self.cursor.rest().chars().nth(1);
        is_quiet_sign(first)
            && second
                .is_some_and(|second| is_glyph(second) || is_quiet_sign(second) || second == '/')
    }

    /// Reads an evaluation symbol such as `+=`, or a null move.
    fn glyph(&mut self) -> Token<'a> {
        let text = self
            .cursor
            .take_while(|sign| is_glyph(sign) || is_quiet_sign(sign) || sign == '/')
            .to_owned();
        let plain: String =
            text.chars().map(|sign| if is_quiet_sign(sign) { '-' } else { sign }).collect();
        match (&plain[..], nag_of(&plain)) {
            ("--", _) => Token::NullMove,
            (_, Some(nag)) => Token::Nag(nag),
            _ => Token::Fault(format!("unexpected {text:?}")),
        }
    }

    fn strength(&mut self) -> Token<'a> {
        Token::Strength(self.cursor.take_while(is_strength).into())
    }

    /// Reads a move, a result or a move number.
    fn word(&mut self) -> Option<Token<'a>> {
        let start = self.cursor.clone();
        let mut word = Cow::Borrowed(self.cursor.take_while(is_word));
        if is_number(&word) && self.cursor.peek() == Some('.') {
            return self.dotted_number(&word);
        }
        if let Some(length) = move_before_words(&word) {
            self.cursor = start;
            let mv = (0..length).filter_map(|_| self.cursor.next()).collect::<String>();
            return Some(classify(mv.into()));
        }
        if is_plain_word(&word) && nag_of(&word).is_none() {
            let mut words = word.into_owned();
            self.join_words(&mut words);
            return Some(Token::Words(words));
        }
        self.join_stars(&mut word);
        self.join_blanks(&mut word);
        if is_number(&word) && word.len() <= MAX_NUMBER_LENGTH {
            return self.number(&word);
        }
        Some(classify(word))
    }

    /// Reads what follows a number with a dot: a move number unless it is part of a decimal number
    /// or no move follows it.
    fn dotted_number(&mut self, number: &str) -> Option<Token<'a>> {
        let mut ahead = self.cursor.clone();
        ahead.next();
        let decimals = ahead.take_while(is_word);
        let is_move = ahead.rest().trim_start_matches(is_blank).starts_with(is_separator);
        if is_short_number(decimals) && ahead.peek() != Some('.') && !is_move {
            self.cursor = ahead;
            return Some(Token::Number(format!("{number}.{decimals}")));
        }
        self.cursor.take_while(|character| character == '.');
        if self.cursor.rest().trim_start().starts_with(')') {
            return Some(Token::Number(number.to_owned()));
        }
        self.drop_number(number);
        None
    }

    /// Reads what follows a number without a dot: a move number if a move follows it and it
    /// continues the numbering.
    fn number(&mut self, number: &str) -> Option<Token<'a>> {
        let rest = self.cursor.rest();
        let in_line = rest.trim_start_matches(is_blank);
        let next = in_line.split(|character| !is_word(character)).next().unwrap_or_default();
        let is_dotted = in_line[next.len()..].starts_with('.');
        if is_short_number(next) && !is_dotted {
            let reason = "a move needs a separator between its squares";
            return Some(Token::BadMove(MoveError::new(&format!("{number} {next}"), reason)));
        }
        if !precedes_move(rest.trim_start()) || !self.continues_numbering(number) {
            self.last_number = None;
            return Some(Token::Number(number.to_owned()));
        }
        self.drop_number(number);
        None
    }

    /// Whether a number is the last move number or the next one.
    fn continues_numbering(&self, number: &str) -> bool {
        let number = number.parse::<u32>().ok();
        self.last_number.is_none_or(|last| number == Some(last) || number == last.checked_add(1))
    }

    fn drop_number(&mut self, number: &str) {
        self.after_number = true;
        self.last_number = number.parse().ok();
    }

    /// Extends a capture written with stars: `28*19`. After a move, as in `32-28*`, a star is a
    /// strength mark.
    fn join_stars(&mut self, word: &mut Cow<'a, str>) {
        let mut part = &word[..];
        let mut joined = String::new();
        loop {
            let after = self.cursor.rest().strip_prefix('*');
            let is_square =
                after.is_some_and(|rest| rest.starts_with(|next: char| next.is_alphanumeric()));
            if !is_square || part.contains(is_quiet_sign) {
                break;
            }
            self.cursor.next();
            part = self.cursor.take_while(is_word);
            joined.push('*');
            joined.push_str(part);
        }
        if !joined.is_empty() {
            word.to_mut().push_str(&joined);
        }
    }

    /// Extends a word by the words that follow it on the same line.
    fn join_words(&mut self, words: &mut String) {
        loop {
            let mut ahead = self.cursor.clone();
            ahead.take_while(|character| matches!(character, ' ' | '\t' | ',' | '\''));
            let next = ahead.take_while(is_word);
            if !is_plain_word(next) {
                return;
            }
            words.push(' ');
            words.push_str(next);
            self.cursor = ahead;
        }
    }

    /// Extends a move or a result that contains spaces, as in old files with aligned columns:
    /// `7- 1`, `17x 8`, `1 - 1`.
    fn join_blanks(&mut self, word: &mut Cow<'a, str>) {
        loop {
            let mut ahead = self.cursor.clone();
            let blanks = ahead.take_while(is_blank);
            let mut next = ahead.rest().trim_start_matches(is_separator).trim_start_matches(' ');
            let starts_with_separator = ahead.peek().is_some_and(is_separator);
            if word.ends_with(is_separator) {
                next = ahead.rest();
            } else if !starts_with_separator {
                return;
            }
            let continues = starts_with_square(next) || next.starts_with('½');
            if blanks.is_empty() || !continues {
                return;
            }
            word.to_mut().push_str(ahead.take_while(is_word));
            self.cursor = ahead;
        }
    }
}

/// The maximum number of digits of a move number without a dot; the digits of a move such as `3228`
/// are more.
const MAX_NUMBER_LENGTH: usize = 3;

/// Whether a text is a number that is too short to be a move.
fn is_short_number(text: &str) -> bool {
    (1..=MAX_NUMBER_LENGTH).contains(&text.len()) && is_number(text)
}

/// Whether a text after a number without a dot may begin with a move or with the dot: it begins
/// neither with another number nor with a result, a mark, a bracket or a tag, and is not empty.
fn precedes_move(text: &str) -> bool {
    let word = text.split(|character| !is_word(character)).next().unwrap_or_default();
    let is_end = text.is_empty() || text.starts_with(['*', '(', ')', '[', '$', '!', '?']);
    !is_end && !is_short_number(word) && ResultText::parse(word).is_none()
}

/// Whether the moves after a token may be numbered anew.
fn ends_numbering(token: &Token) -> bool {
    matches!(
        token,
        Token::Tag { .. } | Token::BadTag(_) | Token::Result(_) | Token::Open | Token::Close
    )
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// Whether a text begins with the name of a square: `28`, `c3`.
fn starts_with_square(text: &str) -> bool {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if first.is_ascii_alphabetic() => {
            characters.next().is_some_and(|second| second.is_ascii_digit())
        }
        Some(first) => first.is_ascii_digit(),
        None => false,
    }
}

/// The length, in characters, of the move at the start of a word to which other words are attached,
/// as in `26-22White`.
fn move_before_words(word: &str) -> Option<usize> {
    let mut characters = word.chars().peekable();
    let (mut length, mut squares) = (0, 0);
    loop {
        let first = characters.next_if(char::is_ascii_alphanumeric)?;
        let mut square = 1;
        while characters.next_if(char::is_ascii_digit).is_some() {
            square += 1;
        }
        if first.is_ascii_alphabetic() && square == 1 {
            return None;
        }
        length += square;
        squares += 1;
        match characters.next()? {
            separator if is_separator(separator) => length += 1,
            letter if letter.is_alphabetic() && squares > 1 => break,
            _ => return None,
        }
    }
    // A letter followed by a digit may be a further square.
    characters.next().is_none_or(char::is_alphabetic).then_some(length)
}

/// Whether a word has letters, but no digits.
fn is_plain_word(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && !word.contains(char::is_numeric)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a character occurs only in evaluation symbols.
fn is_glyph(character: char) -> bool {
    matches!(character, '=' | '+' | '#' | '±' | '∓' | '⩲' | '⩱' | '∞' | '□' | '⊕')
}

/// The numeric annotation glyph (NAG) for an evaluation symbol, as in the PGN standard.
fn nag_of(sign: &str) -> Option<u16> {
    Some(match sign {
        "□" => 7,
        "=" => 10,
        "∞" => 13,
        "+=" | "+/=" | "⩲" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" => 18,
        "-+" => 19,
        "⊕" => 138,
        "N" => 146,
        _ => return None,
    })
}

/// Whether a character may be part of a move, a number or a result.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || is_separator(character) && character != '*' || character == '/'
}

fn is_strength(character: char) -> bool {
    matches!(character, '!' | '?' | '*')
}

/// The token for a comment; `None` if the comment is empty.
fn comment<'a>(text: &str) -> Option<Token<'a>> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(Token::Comment(text))
}

/// The token for a word.
fn classify(word: Cow<'_, str>) -> Token<'_> {
    if let Some(result) = ResultText::parse(&word) {
        return Token::Result(result);
    }
    match nag_of(&word) {
        Some(nag) => Token::Nag(nag),
        None if starts_with_square(&word) || short_move(&word).is_some() => Token::Move(word),
        None => Token::BadMove(MoveError::new(&word, "not a move")),
    }
}

/// The parts of a move in the short notation of Russian books: the file on which it starts and the
/// square on which it ends. `cd4` is c3-d4, `c:e5` and `ce5` are captures by a piece on the c file.
pub(super) fn short_move(word: &str) -> Option<(char, &str)> {
    let is_file = |letter: &char| matches!(letter.to_ascii_lowercase(), 'a'..='l');
    let mut characters = word.chars();
    let file = characters.next().filter(is_file)?;
    let rest = characters.as_str();
    let to = rest.strip_prefix(is_separator).unwrap_or(rest);
    let rank = to.strip_prefix(|letter| is_file(&letter))?;
    (matches!(rank.len(), 1 | 2) && is_number(rank)).then_some((file, to))
}

/// Whether a character separates the squares of a move.
pub(super) fn is_separator(character: char) -> bool {
    is_quiet_sign(character) || is_capture_sign(character)
}

pub(super) fn is_capture_sign(character: char) -> bool {
    matches!(character, 'x' | 'X' | ':' | '×' | '*')
}
