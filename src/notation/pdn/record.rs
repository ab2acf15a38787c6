//! A game record as in PDN: an annotated tree of moves, with tags, a result and clock times.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::time::{Duration, SystemTime};

use crate::board::{Move, Side};
use crate::erased::{Game, Position};
use crate::notation::parse::is_quiet_sign;

/// A game with its tags and annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The tags, except those derived from other fields: `FEN`, `SetUp`, and a `GameType` or
    /// `Variant` that specifies nothing but the variant.
    pub tags: Tags,
    /// The start position.
    pub start: Position,
    /// The main line.
    pub line: MoveLine,
    /// The result at the end of the movetext; `*` if the file gives it only in a tag or not at all.
    pub terminator: ResultText,
}

/// The moves of a main line or a side line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveLine {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<AnnotatedMove>,
}

/// A move with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnnotatedMove {
    /// The move.
    pub mv: Move,
    /// Its strength marks: `!`, `?!`, `(?)`, `*` for a forced move.
    pub strength: String,
    /// Its numeric annotation glyphs (NAGs): 1 for `$1`.
    pub nags: Vec<u16>,
    /// The comments after the move, with runs of white space collapsed to a single space.
    pub comments: Vec<String>,
    /// The side lines: each starts with an alternative to the move.
    pub variations: Vec<MoveLine>,
}

impl AnnotatedMove {
    /// A move without annotations.
    pub fn new(mv: Move) -> Self {
        AnnotatedMove {
            mv,
            strength: String::new(),
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// Adds a side line. If it has no moves, its comments become comments on the move.
    pub fn add_variation(&mut self, line: MoveLine) {
        match line.moves.is_empty() {
            true => self.comments.extend(line.comments),
            false => self.variations.push(line),
        }
    }

    /// The clock times in the comments on the move; `None` if there are none.
    pub fn clocks(&self) -> Option<Clocks> {
        self.comments.iter().find_map(|comment| Clocks::find(comment))
    }

    /// The evaluation after the move in a comment such as `[%eval -0.35]`, in men from White's
    /// point of view; `None` if there is none, or if it is a distance such as `#5`.
    pub fn evaluation(&self) -> Option<f64> {
        self.comments.iter().find_map(|comment| {
            let (_, rest) = comment.split_once("[%eval ")?;
            let men: f64 = rest.split_once(']')?.0.trim().parse().ok()?;
            men.is_finite().then_some(men)
        })
    }
}

impl GameRecord {
    /// A game without moves.
    pub fn new(start: Position) -> Self {
        GameRecord {
            tags: Tags::default(),
            start,
            line: MoveLine::default(),
            terminator: ResultText::unknown(),
        }
    }

    /// The record of a game, without tags and annotations.
    pub fn from_game(game: &Game) -> Self {
        let mut record = GameRecord::new(*game.start());
        record.line.moves = game.moves().into_iter().map(AnnotatedMove::new).collect();
        record
    }

    /// Sets the `Result` tag to a text, and the terminator to the result that [`ResultText::parse`]
    /// reads from it, or to `*` if there is none.
    pub fn set_result(&mut self, text: &str) {
        self.tags.set("Result", text);
        self.terminator = ResultText::parse(text).unwrap_or_else(ResultText::unknown);
    }

    /// The main line as a game.
    pub fn game(&self) -> Game {
        let mut game = Game::from_position(self.start);
        for annotated in &self.line.moves {
            game.play(annotated.mv);
        }
        game
    }

    /// The result: the terminator unless it is `*`, else the `Result` tag, else `*`.
    pub fn result(&self) -> ResultText {
        let unknown = ResultText::unknown();
        if self.terminator != unknown {
            return self.terminator.clone();
        }
        let tag = self.tags.get("Result");
        tag.and_then(ResultText::parse_tag).unwrap_or(unknown)
    }
}

/// The tags of a game, such as `[White "Sijbrands, T."]`, in file order. A name consists of ASCII
/// letters, digits and `_`; a value is a single line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of the first tag with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// Sets the value of a tag, or adds the tag. Characters not allowed in a name are dropped from
    /// it; control characters in the value become spaces.
    pub fn set(&mut self, name: &str, value: &str) {
        let (name, value) = (clean_name(name), clean_value(value));
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None if name.is_empty() => {}
            None => self.0.push((name, value)),
        }
    }

    /// Removes all tags with this name.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }

    /// Renames tags from the first name of each pair to the second, all at once. A tag whose name
    /// is taken by a renamed tag is removed. Returns the tags that are lost in this way, except
    /// those without a value. Characters not allowed in a name are dropped from it.
    pub fn rename(&mut self, names: &[(String, String)]) -> Vec<(String, String)> {
        let has_tag = |old: &str| self.get(old).is_some();
        let renames: Vec<_> = names.iter().map(|(old, new)| (&old[..], clean_name(new))).collect();
        let renames: Vec<_> =
            renames.into_iter().filter(|(old, new)| !new.is_empty() && has_tag(old)).collect();
        let new_name = |name: &str| renames.iter().find(|(old, _)| *old == name);
        let mut lost = Vec::new();
        for (name, value) in std::mem::take(&mut self.0) {
            match new_name(&name) {
                Some((_, new)) => self.0.push((new.clone(), value)),
                None if renames.iter().any(|(_, new)| *new == name) => lost.push((name, value)),
                None => self.0.push((name, value)),
            }
        }
        lost.retain(|(_, value)| !matches!(value.trim(), "" | "?"));
        lost
    }

    /// Adds a tag, even if one with this name exists.
    pub fn push(&mut self, name: &str, value: &str) {
        self.0.push((clean_name(name), clean_value(value)));
    }

    /// All names and values, in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&name[..], &value[..]))
    }
}

/// Whether a tag name may contain a character.
pub fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn clean_name(name: &str) -> String {
    name.chars().filter(|&character| is_name(character)).collect()
}

fn clean_value(value: &str) -> String {
    value.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// A result as spelled in its file: `2-0`, `1/2-1/2`, `*`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResultText(String);

impl ResultText {
    /// A win for White, in the points of international draughts: `2-0`.
    pub const WHITE: &'static str = "2-0";
    /// A draw: `1-1`.
    pub const DRAW: &'static str = "1-1";
    /// A win for Black: `0-2`.
    pub const BLACK: &'static str = "0-2";

    /// The result of a game, in the points of international draughts. `winner` is `None` for a
    /// draw.
    pub const fn of(winner: Option<Side>) -> &'static str {
        match winner {
            Some(Side::White) => Self::WHITE,
            Some(Side::Black) => Self::BLACK,
            None => Self::DRAW,
        }
    }

    /// No result: `*`.
    pub fn unknown() -> Self {
        ResultText("*".to_owned())
    }

    /// Parses a result that cannot be mistaken for a move. `½-½` becomes `1/2-1/2`, which PDN has.
    pub fn parse(text: &str) -> Option<Self> {
        const RESULTS: [&str; 12] = [
            "*", "2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0", "10-0", "0-10", "12-0",
            "0-12",
        ];
        let text = match with_hyphens(text) {
            text if text == "½-½" => "1/2-1/2".into(),
            text => text,
        };
        RESULTS.contains(&&text[..]).then(|| ResultText(text.into_owned()))
    }

    /// Parses a result, including points other than those of a win, draw or loss: `4-6` in the Delft
    /// system, `12-8`. Such a result may look like a move.
    pub fn parse_points(text: &str) -> Option<Self> {
        const MAX_POINTS: u8 = 20;
        let shared = || {
            let text = with_hyphens(text);
            let (white, black) = points(&text)?;
            (white.max(black) <= MAX_POINTS).then(|| ResultText(text.into_owned()))
        };
        Self::parse(text).or_else(shared)
    }

    /// Parses the value of a `Result` tag, which is a result or points and may contain blanks.
    pub fn parse_tag(value: &str) -> Option<Self> {
        Self::parse_points(&value.split_whitespace().collect::<String>())
    }

    /// Whether the points add up to a total that is divided between the players: ten, twelve or
    /// twenty.
    pub(super) fn has_usual_total(&self) -> bool {
        let total = points(&self.0).map(|(white, black)| white + black);
        matches!(total, Some(10 | 12 | 20))
    }

    /// The result as spelled, but with hyphens and halves in ASCII.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The winner, i.e. the side with more points; `Some(None)` for a draw, `None` if unknown or if
    /// both sides lost.
    pub fn winner(&self) -> Option<Option<Side>> {
        match (self.as_str(), points(&self.0)) {
            ("1/2-1/2", _) => Some(None),
            ("0-0", _) | (_, None) => None,
            (_, Some((white, black))) => Some(match white.cmp(&black) {
                Ordering::Greater => Some(Side::White),
                Ordering::Equal => None,
                Ordering::Less => Some(Side::Black),
            }),
        }
    }
}

/// Replaces every dash in a text with a hyphen.
fn with_hyphens(text: &str) -> Cow<'_, str> {
    match text.is_ascii() {
        true => text.into(),
        false => text.chars().map(|sign| if is_quiet_sign(sign) { '-' } else { sign }).collect(),
    }
}

/// Parses the points scored by White and Black: `4-6`.
fn points(text: &str) -> Option<(u8, u8)> {
    let is_number = |text: &str| text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (white, black) = text.split_once('-')?;
    if !is_number(white) || !is_number(black) {
        return None;
    }
    Some((white.parse().ok()?, black.parse().ok()?))
}

impl fmt::Display for ResultText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The clock times in a comment: `[%clock w0:35:38 B0:29:39]`, with a lower-case letter for a
/// stopped clock. The comment does not say whether these are times used or times left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// The times by [`Side::index`]; `None` if not given.
    pub times: [Option<Duration>; 2],
    /// The side whose clock is running; `None` if both have stopped.
    pub running: Option<Side>,
}

impl Clocks {
    /// Finds the clock times in a comment; `None` if it has no valid clock command.
    pub fn find(comment: &str) -> Option<Self> {
        let (_, command) = comment.split_once("[%clock ")?;
        let (command, _) = command.split_once(']')?;
        let mut clocks = Clocks::default();
        for word in command.split_whitespace() {
            let letter = word.chars().next()?;
            let side = match letter {
                'W' | 'w' => Side::White,
                'B' | 'b' => Side::Black,
                _ => continue,
            };
            clocks.times[side.index()] = Some(parse_time(&word[1..])?);
            if letter.is_ascii_uppercase() {
                clocks.running = Some(side);
            }
        }
        Some(clocks)
    }
}

/// Parses hours, minutes and seconds, separated by `:` or `.`; leading parts may be missing.
fn parse_time(text: &str) -> Option<Duration> {
    let mut seconds = 0u64;
    for number in text.split([':', '.']) {
        let number: u64 = number.parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(number)?;
    }
    Some(Duration::from_secs(seconds))
}

/// Formats the clock times as a command in a comment. Fractions of a second are dropped.
impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[%clock")?;
        for (side, letters) in Side::ALL.into_iter().zip([('w', 'W'), ('b', 'B')]) {
            let letter = if self.running == Some(side) { letters.1 } else { letters.0 };
            if let Some(time) = self.times[side.index()] {
                let seconds = time.as_secs();
                let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
                write!(f, " {letter}{hours}:{minutes:02}:{:02}", seconds % 60)?;
            }
        }
        f.write_str("]")
    }
}

/// Today's date (UTC) in the format of PDN tags: `2026.11.23`.
pub fn today() -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    now.get(..10).unwrap_or_default().replace('-', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_round_trip_through_comments() {
        let clocks = Clocks::find("quick! [%clock w0:35:38 B1:29:39] yes").unwrap();
        let seconds = clocks.times.map(|time| time.unwrap().as_secs());
        assert_eq!(seconds, [35 * 60 + 38, 3600 + 29 * 60 + 39]);
        assert_eq!(clocks.running, Some(Side::Black));
        assert_eq!(clocks.to_string(), "[%clock w0:35:38 B1:29:39]");
        assert_eq!(Clocks::find("[%clock wé]"), None);
        assert_eq!(Clocks::find("[%clock w99999999999999999999:0]"), None);
        assert_eq!(Clocks::find("no clock"), None);
    }
}
