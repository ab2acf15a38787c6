//! Splits the bytes of a file into games.

use std::collections::HashSet;
use std::iter::Peekable;

use crate::rules::Variant;
use thiserror::Error;

use super::encoding::Decoder;
use super::lexer::{Lexer, PlacedToken, TextPosition, Token, UNCLOSED_COMMENT};
use super::record::GameRecord;

/// Decodes the text of a file in the encoding guessed from its bytes ([`Decoder::guess`]). Line ends
/// become `\n`.
pub fn decode(bytes: &[u8]) -> String {
    Decoder::guess(bytes).decode(bytes)
}

/// The games of a text (see [`decode`]) in order, valid or not.
///
/// A game ends after the result that follows its moves and the comments on it, before the tags of
/// the next game, or at the end of the text. If a game has neither moves nor a result, the tags of
/// the next game are those that repeat a tag of this one: a run of tags after an empty line or a
/// comment with a name that the game already has, or the first tag of the game once more. Text
/// without digits before a game is left out, and so are single numbers.
pub fn games(text: &str) -> Games<'_> {
    Games { lexer: Lexer::new(text).peekable() }
}

/// Splits a text into chunks of at least `size` bytes, which several threads can read in parallel.
/// Each chunk except the first begins with a tag after an empty line. If all games in the earlier
/// chunks are complete ([`GameText::is_complete`]) and have no open comment, the chunk begins with
/// a new game; otherwise, what looks like a tag may be part of a comment.
pub fn chunks(text: &str, size: usize) -> Vec<&str> {
    const BOUNDARY: &str = "\n\n[";
    let (mut chunks, mut rest) = (Vec::new(), text);
    loop {
        let least = rest.floor_char_boundary(size);
        let Some(found) = rest[least..].find(BOUNDARY) else { break };
        let (chunk, others) = rest.split_at(least + found + BOUNDARY.len() - 1);
        chunks.push(chunk);
        rest = others;
    }
    chunks.push(rest);
    chunks
}

/// The iterator over the games of a text, returned by [`games`].
pub struct Games<'a> {
    lexer: Peekable<Lexer<'a>>,
}

/// The text of one game, split into tokens but not yet interpreted.
#[derive(Clone, Debug)]
pub struct GameText<'a> {
    pub(super) tokens: Vec<PlacedToken<'a>>,
}

/// The maximum number of tokens (moves, numbers, comments, tags, parentheses) in a game, far more
/// than people write. It bounds the memory that a hostile file can take.
pub(super) const MAX_TOKENS: usize = 1 << 20;

impl<'a> Iterator for Games<'a> {
    type Item = GameText<'a>;

    fn next(&mut self) -> Option<GameText<'a>> {
        loop {
            let game = self.game();
            if game.has_moves_or_tags() {
                return Some(game);
            }
            self.lexer.peek()?;
        }
    }
}

impl<'a> Games<'a> {
    fn game(&mut self) -> GameText<'a> {
        let mut game = GameText { tokens: Vec::new() };
        let (mut head, mut has_moves, mut depth) = (Head::default(), false, 0usize);
        while let Some(placed) = self.lexer.peek() {
            if game.tokens.is_empty() && is_prose(&placed.token) {
                self.lexer.next();
                continue;
            }
            let is_tag = placed.is_tag();
            if is_tag && (has_moves || head.ends_before(&mut self.lexer)) {
                break;
            }
            let Some(placed) = self.lexer.peek() else { break };
            head.add(placed);
            let mut is_end = false;
            match placed.token {
                Token::Tag { .. } | Token::BadTag(_) | Token::Comment(_) | Token::Number(_) => {}
                Token::Result(_) => is_end = depth == 0,
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => has_moves = true,
            }
            game.add(self.lexer.next());
            if is_end {
                self.add_closing_remarks(&mut game);
                break;
            }
        }
        game
    }

    /// Adds the comments, marks and brackets after the result to the game, unless the result stands
    /// alone.
    fn add_closing_remarks(&mut self, game: &mut GameText<'a>) {
        if !game.has_moves_or_tags() {
            return;
        }
        let mut depth = 0_usize;
        while let Some(placed) = self.lexer.next_if(|placed| is_closing_remark(placed, depth)) {
            match placed.token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            game.add(Some(placed));
        }
    }
}

/// Whether a token after the result of a game belongs to the game; `depth` is the number of open
/// brackets after the result.
fn is_closing_remark(placed: &PlacedToken, depth: usize) -> bool {
    match placed.token {
        Token::Comment(_) | Token::Strength(_) | Token::Nag(_) | Token::Open => true,
        _ => depth > 0 && !placed.is_tag(),
    }
}

/// What precedes the moves of a game, as far as it has been read.
#[derive(Default)]
struct Head<'a> {
    names: HashSet<&'a str>,
    first_name: Option<&'a str>,
    /// The line of the last tag and its name, if no other token follows it.
    last_tag: Option<(usize, Option<&'a str>)>,
}

impl<'a> Head<'a> {
    fn add(&mut self, placed: &PlacedToken<'a>) {
        let name = tag_name(placed);
        self.names.extend(name);
        self.first_name = self.first_name.or(name);
        self.last_tag = placed.is_tag().then_some((placed.place.line, name));
    }

    /// Whether the next token, a tag, begins another game.
    fn ends_before(&self, lexer: &mut Peekable<Lexer<'a>>) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let Some(tag) = lexer.peek() else { return false };
        match self.last_tag {
            Some((line, last)) if tag.place.line <= line + 1 => {
                let name = tag_name(tag);
                name.is_some() && name == self.first_name && name != last
            }
            _ => tag_run(lexer.clone()).any(|name| self.names.contains(name)),
        }
    }
}

/// The names of the tags that follow without an empty line in between.
fn tag_run<'a>(lexer: impl Iterator<Item = PlacedToken<'a>>) -> impl Iterator<Item = &'a str> {
    let mut line = None;
    let is_in_run = move |placed: &PlacedToken<'a>| {
        let before = line.replace(placed.place.line);
        placed.is_tag() && before.is_none_or(|before| placed.place.line <= before + 1)
    };
    lexer.take_while(is_in_run).filter_map(|placed| tag_name(&placed))
}

fn tag_name<'a>(placed: &PlacedToken<'a>) -> Option<&'a str> {
    match placed.token {
        Token::Tag { name, .. } => Some(name),
        _ => None,
    }
}

/// Whether a token between two games is text for human readers, such as a headline or the number of
/// a page. Text without a digit, and a single number, cannot be an attempted move.
fn is_prose(token: &Token) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    match token {
        Token::Words(words) => words.contains(char::is_alphabetic) && !words.contains(is_digit),
        Token::Number(_) => true,
        _ => false,
    }
}

impl<'a> GameText<'a> {
    /// Adds a token, unless the game is already too long.
    fn add(&mut self, token: Option<PlacedToken<'a>>) {
        if !self.is_too_long() {
            self.tokens.extend(token);
        }
    }
}

impl GameText<'_> {
    /// Whether the game contains anything other than comments and results.
    fn has_moves_or_tags(&self) -> bool {
        let is_other =
            |placed: &PlacedToken| matches!(placed.token, Token::Comment(_) | Token::Result(_));
        !self.tokens.iter().all(is_other)
    }

    /// The number of tokens: moves, numbers, comments, tags, parentheses.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }

    /// Whether the game has more than [`MAX_TOKENS`] tokens. Those after the first one beyond the
    /// limit are dropped, and the game cannot be read.
    pub(super) fn is_too_long(&self) -> bool {
        self.tokens.len() > MAX_TOKENS
    }

    /// Drops all side lines, unless one of them is unclosed.
    pub fn drop_variations(&mut self) {
        let mut depth = 0_usize;
        let is_in_variation = |placed: &PlacedToken| match placed.token {
            Token::Open => {
                depth += 1;
                true
            }
            Token::Close if depth > 0 => {
                depth -= 1;
                true
            }
            _ => depth > 0,
        };
        let variations: Vec<_> = self.tokens.iter().map(is_in_variation).collect();
        if depth == 0 {
            let mut variations = variations.into_iter();
            self.tokens.retain(|_| variations.next() != Some(true));
        }
    }

    /// Whether comments precede the tags and moves. In a file, they would belong to the game before
    /// this one, if there were one.
    pub fn starts_with_comment(&self) -> bool {
        self.tokens.first().is_some_and(PlacedToken::is_comment)
    }

    /// Whether the game begins with a tag at the start of a line.
    pub fn starts_with_tag(&self) -> bool {
        let is_first = |placed: &PlacedToken| placed.is_tag() && placed.place.column == 1;
        self.tokens.first().is_some_and(is_first)
    }

    /// The value of a tag, as in the file.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let (value, _) = self.placed_tag(name)?;
        Some(value)
    }

    /// The value of a tag and the place where the tag starts.
    pub(super) fn placed_tag(&self, wanted: &str) -> Option<(&str, TextPosition)> {
        self.head().find_map(|placed| match &placed.token {
            Token::Tag { name, value } if *name == wanted => Some((&value[..], placed.place)),
            _ => None,
        })
    }

    /// The tokens before the first move. Any tags after it belong to the next game.
    pub(super) fn head(&self) -> impl Iterator<Item = &PlacedToken<'_>> {
        self.tokens.iter().take_while(|placed| !matches!(placed.token, Token::Move(_)))
    }

    /// The place in the file where the game starts.
    pub fn place(&self) -> TextPosition {
        let first = self.tokens.first();
        first.map_or(TextPosition { line: 1, column: 1 }, |placed| placed.place)
    }

    /// The byte offset at which the game ends and the next one begins.
    pub fn end(&self) -> usize {
        self.tokens.last().map_or(0, |placed| placed.end)
    }

    /// Whether any tag after the game would belong to the next game: the game has moves, or ends
    /// with a result and comments on it.
    pub fn is_complete(&self) -> bool {
        use Token::{BadTag, Close, Comment, Number, Open, Result, Tag};
        let has = |kind: fn(&Token) -> bool| self.tokens.iter().any(|placed| kind(&placed.token));
        has(|token| {
            !matches!(
                token,
                Tag { .. } | BadTag(_) | Result(_) | Open | Close | Comment(_) | Number(_)
            )
        }) || self.last_besides_comments().is_some_and(|token| matches!(token, Result(_)))
            && !has(|token| matches!(token, Open))
    }

    fn last_besides_comments(&self) -> Option<&Token<'_>> {
        let last = self.tokens.iter().rfind(|placed| !placed.is_comment());
        last.map(|placed| &placed.token)
    }

    /// Whether the game has an unclosed comment. If the text is only the first part of a file, the
    /// comment, and whatever seems to follow the game, may continue in the next part.
    pub fn has_open_comment(&self) -> bool {
        let is_open = |token: &Token| matches!(token, Token::Fault(why) if why == UNCLOSED_COMMENT);
        self.tokens.iter().any(|placed| is_open(&placed.token))
    }

    /// The variant: from the number in the `GameType` tag, else from the name in the `Variant` tag;
    /// `None` if there is no such tag, or if the tag only says that the game starts from a given
    /// position, as in exports from lidraughts.
    ///
    /// # Errors
    ///
    /// The tag names an unknown variant.
    pub fn stated_variant(&self) -> Result<Option<Variant>, PdnError> {
        if let Some((value, place)) = self.placed_tag("GameType") {
            let number = value.split(',').next().unwrap_or_default().trim();
            return match number {
                "99" => Ok(None),
                _ => variant_of_game_type(number)
                    .map(Some)
                    .ok_or_else(|| PdnError::new(place, format!("unknown GameType {number:?}"))),
            };
        }
        match self.placed_tag("Variant") {
            Some((value, _)) if value.eq_ignore_ascii_case("From Position") => Ok(None),
            Some((value, place)) => match value.parse() {
                Ok(variant) => Ok(Some(variant)),
                Err(error) => Err(PdnError::new(place, format!("{error}"))),
            },
            None => Ok(None),
        }
    }

    /// The variant specified by the tags, or `default` if there is none.
    ///
    /// # Errors
    ///
    /// A tag names an unknown variant.
    pub fn variant(&self, default: Variant) -> Result<Variant, PdnError> {
        Ok(self.stated_variant()?.unwrap_or(default))
    }

    /// The first word of the game that may be a move.
    pub(super) fn first_move(&self) -> Option<&str> {
        self.tokens.iter().find_map(|placed| match &placed.token {
            Token::Move(word) => Some(&word[..]),
            _ => None,
        })
    }
}

/// The variant with the given number in the `GameType` tag.
fn variant_of_game_type(number: &str) -> Option<Variant> {
    let number: u8 = number.parse().ok()?;
    let mut variants = Variant::ALL.iter().copied();
    variants.find(|variant| variant.setup().pdn_game_type == Some(number))
}

/// An error in a game of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{place}: {message}")]
pub struct PdnError {
    /// The location of the error.
    pub place: TextPosition,
    /// A description of the problem.
    pub message: String,
}

impl PdnError {
    pub(super) fn new(place: TextPosition, message: impl Into<String>) -> Self {
        PdnError { place, message: message.into() }
    }
}

/// A game that cannot be read to the end.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{error}")]
pub struct BrokenGame {
    /// The error.
    pub error: PdnError,
    /// The part of the game before the error; `None` if the start position is unknown.
    pub before: Option<Box<GameRecord>>,
}

impl From<BrokenGame> for PdnError {
    fn from(broken: BrokenGame) -> Self {
        broken.error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_windows_1252_and_utf8() {
        assert_eq!(decode(b"M\xe9ar \x80 \x93\x9f\xff\r\n"), "Méar € “Ÿÿ\n");
        assert_eq!(decode("\u{feff}Méar €".as_bytes()), "Méar €");
    }
}
