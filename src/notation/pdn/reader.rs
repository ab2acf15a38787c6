//! Reads games and plays their moves.

use std::slice::Iter;

use crate::board::Move;
use crate::erased::Position;
use crate::notation::{MoveError, fen};
use crate::rules::Variant;

use super::games::{BrokenGame, GameText, MAX_TOKENS, PdnError, decode, games};
use super::lexer::{PlacedToken, TextPosition, Token};
use super::moves::{candidates_of_word, format_move, parse_word};
use super::record::{AnnotatedMove, GameRecord, MoveLine, ResultText, Tags};

/// Maximum nesting depth of side lines.
const MAX_DEPTH: usize = 50;

/// Reads all games of a file. Each game must either be of this variant or not specify one.
pub fn read(variant: Variant, bytes: &[u8]) -> Vec<Result<GameRecord, BrokenGame>> {
    games(&decode(bytes)).map(|game| read_game(variant, &game)).collect()
}

/// Reads a game.
///
/// # Errors
///
/// The game is of another variant, its start position is invalid, the movetext contains a word that
/// is not a move, a move is illegal or ambiguous, or a comment or side line is unclosed. The error
/// contains the game up to that point.
pub fn read_game(variant: Variant, text: &GameText) -> Result<GameRecord, BrokenGame> {
    read_game_with(variant, text, Strictness::Strict)
}

/// Reads a game leniently. A capture may be written with dashes and a quiet move as a capture, and
/// the route of a capture may be ambiguous: the reader then chooses the capture after which the
/// most of the following moves are legal. An error in a side line ends only that side line. Words
/// without digits between the moves, and numbers that are not move numbers, become comments.
/// Everything that was guessed or left out is reported in `notes`.
///
/// # Errors
///
/// All other errors from [`read_game`].
pub fn read_game_leniently(
    variant: Variant,
    text: &GameText,
    notes: &mut Vec<PdnError>,
) -> Result<GameRecord, BrokenGame> {
    read_game_with(variant, text, Strictness::Lenient(notes))
}

/// Reads a game of any variant leniently (see [`read_game_leniently`]). If no tag specifies a known
/// variant, the game is read as `default` if all its moves are legal in that variant. Otherwise, it
/// is read as the first variant in which they are all legal, and a note is added.
///
/// # Errors
///
/// The errors of [`read_game_leniently`] for the variant of the tag, or for `default`.
pub fn read_any_game(
    default: Variant,
    text: &GameText,
    notes: &mut Vec<PdnError>,
) -> Result<GameRecord, BrokenGame> {
    match text.stated_variant() {
        Ok(Some(variant)) => return read_game_leniently(variant, text, notes),
        Ok(None) => {}
        Err(unknown) => notes.push(unknown),
    }
    let mut own = Vec::new();
    let mut record = read_as(default, text, &mut own);
    if record.is_err() {
        for other in likely_variants(default, has_letters(text)).skip(1) {
            let mut others = Vec::new();
            if let Ok(record) = read_as(other, text, &mut others) {
                notes.push(PdnError::new(text.place(), format!("read as variant {other}")));
                notes.append(&mut others);
                return Ok(record);
            }
        }
    }
    notes.append(&mut own);
    if let Err(BrokenGame { error, .. }) = &mut record {
        error.message += &format!(" (read as variant {default})");
    }
    record
}

/// The number of games in a file that [`variant_of_games`] needs.
pub const MAX_SAMPLE_GAMES: usize = 100;

/// The number of games that [`variant_of_games`] plays.
const SAMPLE: usize = 20;

/// The variant of the games in a file whose tags do not specify one: the variant in which most of
/// the first games can be read to the end, or `default` in case of a tie. If the start positions
/// show a smaller board than that of `default`, English draughts takes the place of `default`.
pub fn variant_of_games<'a>(
    default: Variant,
    games: impl IntoIterator<Item = &'a GameText<'a>>,
) -> Variant {
    let is_unstated = |game: &&GameText<'_>| !matches!(game.stated_variant(), Ok(Some(_)));
    let mut games: Vec<_> = games.into_iter().filter(is_unstated).collect();
    let default = match has_small_board(&games) {
        true if default.grid().squares() > SMALL_BOARD => Variant::English,
        _ => default,
    };
    games.retain(|game| game.first_move().is_some());
    games.truncate(SAMPLE);
    let has_letters = games.iter().any(|game| has_letters(game));
    let readable = |variant: &Variant| {
        games.iter().filter(|game| read_as(*variant, game, &mut Vec::new()).is_ok()).count()
    };
    let mut best = (default, readable(&default));
    for variant in likely_variants(default, has_letters).skip(1) {
        if best.1 == games.len() {
            break;
        }
        let count = readable(&variant);
        if count > best.1 {
            best = (variant, count);
        }
    }
    best.0
}

/// The number of squares on a board with eight rows.
const SMALL_BOARD: u8 = 32;

/// The number of pieces that the start positions in a file must have in total to show the size of
/// the board.
const SHOWN_PIECES: usize = 20;

/// Whether the start positions of games, with enough pieces in total, show a board with eight rows:
/// on a larger board, some of the pieces would be further down.
fn has_small_board(games: &[&GameText<'_>]) -> bool {
    let fens = games.iter().filter_map(|game| game.tag("FEN"));
    let pieces = |fen: &str| {
        let numbers = fen.split(|character: char| !character.is_ascii_digit());
        numbers.filter_map(|number| number.parse::<u8>().ok()).collect::<Vec<_>>()
    };
    let squares: Vec<u8> = fens.flat_map(pieces).collect();
    squares.len() >= SHOWN_PIECES && squares.iter().all(|&square| square <= SMALL_BOARD)
}

/// All variants, starting with the most likely ones for a game without a variant tag: the default,
/// and Russian draughts if its squares have letters.
fn likely_variants(default: Variant, has_letters: bool) -> impl Iterator<Item = Variant> {
    let first = [Some(default), has_letters.then_some(Variant::Russian)];
    first.into_iter().flatten().chain(Variant::ALL.iter().copied())
}

/// Whether the squares of a game are written with letters.
fn has_letters(text: &GameText) -> bool {
    text.first_move().is_some_and(|word| word.starts_with(char::is_alphabetic))
}

/// Reads a game whose tags do not specify a variant.
fn read_as(
    variant: Variant,
    text: &GameText,
    notes: &mut Vec<PdnError>,
) -> Result<GameRecord, BrokenGame> {
    read_moves(variant, text, Strictness::Lenient(notes))
}

/// How to treat moves that are not written as PDN requires.
enum Strictness<'a> {
    /// Reports an error.
    Strict,
    /// Guesses the move, and adds a note.
    Lenient(&'a mut Vec<PdnError>),
}

fn read_game_with(
    variant: Variant,
    text: &GameText,
    strictness: Strictness<'_>,
) -> Result<GameRecord, BrokenGame> {
    match check_variant(variant, text) {
        Ok(()) => read_moves(variant, text, strictness),
        Err(error) => {
            let start = start(variant, text).ok();
            let before = start.map(|start| {
                let tags = tags(variant, text);
                Box::new(GameRecord { tags, ..GameRecord::new(start) })
            });
            Err(BrokenGame { error, before })
        }
    }
}

/// Reads a game as one of `variant`, regardless of its tags.
fn read_moves(
    variant: Variant,
    text: &GameText,
    strictness: Strictness<'_>,
) -> Result<GameRecord, BrokenGame> {
    let start = start(variant, text).map_err(|error| BrokenGame { error, before: None })?;
    if text.is_too_long() {
        let message = format!("the game has more than {MAX_TOKENS} moves, numbers and comments");
        let error = PdnError::new(text.place(), message);
        return Err(BrokenGame { error, before: None });
    }
    let mut record = GameRecord::new(start);
    record.tags = tags(variant, text);
    let (tokens, terminator) = (text.tokens.iter(), ResultText::unknown());
    let mut reader = LineReader { text, tokens, terminator, strictness };
    let result = reader.line(&mut record.line, start, None, 0);
    record.terminator = reader.result();
    match result {
        Ok(()) => Ok(record),
        Err(error) => Err(BrokenGame { error, before: Some(Box::new(record)) }),
    }
}

fn start(variant: Variant, text: &GameText) -> Result<Position, PdnError> {
    match text.placed_tag("FEN") {
        None | Some(("", _)) => Ok(usual_start(variant, text)),
        Some((fen, place)) => fen::parse(variant, fen)
            .map_err(|error| PdnError::new(place, format!("FEN tag: {error}"))),
    }
}

/// The start position of pool checkers for the associations in which Black begins.
const BLACK_BEGINS: &str = "B:W21-32:B1-12";

/// The position in which a game without a `FEN` tag starts. In a game whose tags specify pool
/// checkers, the first move shows who begins, on which associations disagree.
fn usual_start(variant: Variant, text: &GameText) -> Position {
    let start = Position::start(variant);
    // Without a tag, the game could as well be one of English draughts.
    let is_pool = variant == Variant::Pool && text.stated_variant() == Ok(Some(Variant::Pool));
    let other = is_pool.then(|| fen::parse(variant, BLACK_BEGINS).ok());
    let can_begin = |position: &Position| {
        let moves = text.first_move().map(|word| candidates_of_word(position, word));
        matches!(moves, Some(Ok(moves)) if !moves.is_empty())
    };
    other.flatten().filter(|other| !can_begin(&start) && can_begin(other)).unwrap_or(start)
}

fn check_variant(wanted: Variant, text: &GameText) -> Result<(), PdnError> {
    let variant = text.variant(wanted)?;
    if variant == wanted {
        return Ok(());
    }
    let message = format!("the variant is {variant}, not {wanted}");
    Err(PdnError::new(text.place(), message))
}

/// The tags that cannot be derived from the rest of the record.
fn tags(variant: Variant, text: &GameText) -> Tags {
    let mut tags = Tags::default();
    let variant_tags = ["GameType", "Variant"].map(|name| (name, text.tag(name)));
    // The first of several tags for the variant takes precedence.
    let contradicts = |name: &str, value: &str| {
        variant_tags.iter().any(|&(known, first)| known == name && first != Some(value))
    };
    for placed in text.head() {
        if let Token::Tag { name, value } = &placed.token
            && !is_derived(variant, name, value)
            && !contradicts(name, value)
        {
            match ResultText::parse_tag(value).filter(|_| *name == "Result") {
                Some(result) => tags.push(name, result.as_str()),
                None => tags.push(name, value),
            }
        }
    }
    tags
}

fn is_derived(variant: Variant, name: &str, value: &str) -> bool {
    match name {
        "FEN" | "SetUp" => true,
        "GameType" => {
            value == "99"
                || value.parse().is_ok_and(|number| variant.setup().pdn_game_type == Some(number))
        }
        "Variant" => value == variant.name() || value.eq_ignore_ascii_case("From Position"),
        _ => false,
    }
}

/// Reads the moves of a game from its tokens.
struct LineReader<'a> {
    text: &'a GameText<'a>,
    tokens: Iter<'a, PlacedToken<'a>>,
    terminator: ResultText,
    strictness: Strictness<'a>,
}

impl LineReader<'_> {
    /// Reads a line up to its end. `opened` is the place of the opening bracket of a side line;
    /// `None` for the main line.
    fn line(
        &mut self,
        line: &mut MoveLine,
        start: Position,
        opened: Option<TextPosition>,
        depth: usize,
    ) -> Result<(), PdnError> {
        let (mut before, mut position) = (start, start);
        let mut is_over = false;
        while let Some(PlacedToken { place, token, is_numbered, .. }) = self.tokens.next() {
            let fault = |message: &str| PdnError::new(*place, message);
            // After the result, only comments belong to the last move.
            let is_remark = is_over && !matches!(token, Token::Comment(_));
            let last = line.moves.last_mut().filter(|_| !is_remark);
            match (token, last) {
                (Token::Tag { .. }, _) => {}
                (Token::Move(word), _) => {
                    if let Some(result) = self.as_result(word, &position, *is_numbered) {
                        self.terminator = result;
                        continue;
                    }
                    let mv = self.read_move(&position, word, *place);
                    let mv = mv.map_err(|error| fault(&error.to_string()))?;
                    (before, position) = (position, position.after(mv));
                    line.moves.push(AnnotatedMove::new(mv));
                }
                (Token::Comment(text), Some(last)) => last.comments.push(text.clone()),
                (Token::Comment(text), None) => line.comments.push(text.clone()),
                (Token::Strength(strength), Some(last)) => last.strength.push_str(strength),
                (Token::Nag(number), Some(last)) => last.nags.push(*number),
                (Token::Open, Some(_)) if depth == MAX_DEPTH => {
                    self.object(fault("variations are nested too deeply"))?;
                    self.skip_variation(*place)?;
                }
                (Token::Open, Some(last)) => {
                    last.add_variation(self.variation(before, *place, depth + 1)?);
                }
                (Token::Open, None) => {
                    self.object(fault("a variation needs a move before it"))?;
                    let skipped = self.skip_variation(*place);
                    if !is_over {
                        skipped?;
                    }
                }
                (Token::Strength(_) | Token::Nag(_), None) => {
                    self.object(fault("a strength mark needs a move before it"))?;
                }
                (Token::NullMove, _) => return Err(fault("a null move")),
                (Token::Setup(text), _) => match fen::parse(position.variant(), text) {
                    Ok(setup) if setup.setup() == position.setup() => {}
                    Ok(_) => self.object(fault("not the position in the game at this point"))?,
                    Err(error) => self.object(fault(&format!("the position: {error}")))?,
                },
                (Token::Close, _) if opened.is_some() => return Ok(()),
                (Token::Close, _) => return Err(fault("unmatched closing bracket")),
                (Token::Result(result), _) if opened.is_none() => {
                    (self.terminator, is_over) = (result.clone(), true);
                }
                (Token::Result(_), _) => {}
                (Token::Words(words), Some(last)) => {
                    self.object(fault(&format!("not a move: {words:?}")))?;
                    last.comments.extend((words != "}").then(|| words.clone()));
                }
                (Token::Words(words), None) => {
                    return Err(fault(&format!("not a move: {words:?}")));
                }
                (Token::Number(number), last) => {
                    self.object(fault(&format!("not a move: {number:?}")))?;
                    last.map_or(&mut line.comments, |last| &mut last.comments).push(number.clone());
                }
                (Token::BadMove(error), _) => return Err(fault(&error.to_string())),
                (Token::BadTag(message) | Token::Fault(message), _) => return Err(fault(message)),
            }
        }
        match opened {
            Some(place) => Err(PdnError::new(place, "unclosed variation")),
            None => Ok(()),
        }
    }

    /// Reads a side line; it has no moves if its first move is already invalid.
    fn variation(
        &mut self,
        start: Position,
        opened: TextPosition,
        depth: usize,
    ) -> Result<MoveLine, PdnError> {
        let mut variation = MoveLine::default();
        let read = self.line(&mut variation, start, Some(opened), depth);
        let Err(PdnError { place, message }) = read else { return Ok(variation) };
        if let Strictness::Strict = self.strictness {
            return Err(PdnError { place, message });
        }
        self.object(PdnError::new(
            place,
            format!("{message}; the rest of the variation is left out"),
        ))?;
        self.skip_variation(opened)?;
        Ok(variation)
    }

    /// Skips to the end of the current side line.
    fn skip_variation(&mut self, opened: TextPosition) -> Result<(), PdnError> {
        let mut depth = 0_usize;
        for PlacedToken { token, .. } in self.tokens.by_ref() {
            match token {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => return Ok(()),
                Token::Close => depth -= 1,
                _ => {}
            }
        }
        Err(PdnError::new(opened, "unclosed variation"))
    }

    /// Notes a fault if reading leniently, or else fails with it.
    fn object(&mut self, fault: PdnError) -> Result<(), PdnError> {
        match &mut self.strictness {
            Strictness::Lenient(notes) => notes.push(fault),
            Strictness::Strict => return Err(fault),
        }
        Ok(())
    }

    /// The result after the moves, or the result in the tag if the two contradict each other.
    fn result(&mut self) -> ResultText {
        let tag = self.text.placed_tag("Result");
        let tag = tag.and_then(|(value, place)| Some((ResultText::parse_tag(value)?, place)));
        let Some((tag, place)) = tag else { return self.terminator.clone() };
        let winners = [&tag, &self.terminator].map(|result| result.winner());
        match winners {
            [Some(one), Some(other)] if one != other => {
                let text = format!(
                    "the Result tag says {tag}, but the moves end with {}",
                    self.terminator
                );
                if let Strictness::Lenient(notes) = &mut self.strictness {
                    notes.push(PdnError::new(place, text));
                }
                tag
            }
            _ => self.terminator.clone(),
        }
    }

    /// Parses a word as a move.
    fn read_move(
        &mut self,
        position: &Position,
        word: &str,
        place: TextPosition,
    ) -> Result<Move, MoveError> {
        let strict = parse_word(position, word);
        let notes = match &mut self.strictness {
            Strictness::Lenient(notes) if strict.is_err() => notes,
            _ => return strict,
        };
        let moves = candidates_of_word(position, word)?;
        let rest = |mv: &Move| count_playable(position.after(*mv), self.tokens.clone());
        // The order is reversed because `max_by_key` returns the last maximum, but the first move
        // should win a tie.
        let Some(best) = moves.iter().rev().copied().max_by_key(rest) else {
            return strict;
        };
        if moves.len() > 1 {
            let text = format_move(position, best);
            notes.push(PdnError::new(place, format!("{word} is ambiguous, read as {text}")));
        }
        Ok(best)
    }

    /// Interprets points such as `4-6` at the end of a game as a result if the `Result` tag says the
    /// same, or if they are neither a legal move nor numbered as a move would be here.
    fn as_result(&self, word: &str, position: &Position, is_numbered: bool) -> Option<ResultText> {
        if !self.tokens.clone().all(PlacedToken::is_comment) {
            return None;
        }
        let points = ResultText::parse_points(word)?;
        if self.text.tag("Result").and_then(ResultText::parse_tag).as_ref() == Some(&points) {
            return Some(points);
        }
        let is_move = is_numbered || !self.numbers_moves_of(position);
        let is_result = !is_move && points.has_usual_total();
        (is_result && parse_word(position, word).is_err()).then_some(points)
    }

    /// Whether the game has move numbers, and the moves of the side to move come after them.
    fn numbers_moves_of(&self, position: &Position) -> bool {
        let mut tokens = self.text.tokens.iter();
        let first = tokens.find(|placed| matches!(placed.token, Token::Move(_)));
        position.side() == position.variant().setup().first
            && first.is_some_and(|placed| placed.is_numbered)
    }
}

/// The maximum number of tokens after an ambiguous move that are considered to resolve it. Without
/// a limit, a game full of ambiguous moves would take quadratic time.
const LOOKAHEAD: usize = 200;

/// Counts the legal moves that follow a position, up to the first illegal move or the end of the
/// line.
fn count_playable(mut position: Position, tokens: Iter<'_, PlacedToken<'_>>) -> usize {
    let (mut depth, mut count) = (0_usize, 0);
    for PlacedToken { token, .. } in tokens.take(LOOKAHEAD) {
        match token {
            Token::Open => depth += 1,
            Token::Close if depth == 0 => break,
            Token::Close => depth -= 1,
            Token::Move(word) if depth == 0 => {
                let moves = candidates_of_word(&position, word).unwrap_or_default();
                let Some(&mv) = moves.first() else { break };
                position = position.after(mv);
                count += 1;
            }
            _ => {}
        }
    }
    count
}
