//! Results of games.

use std::fmt;

/// A result as spelled in its file: `2-0`, `1/2-1/2`, `*`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GameResult(String);

/// The winner of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameVerdict {
    /// White has won, or has scored more points.
    White,
    /// Black has won, or has scored more points.
    Black,
    /// Neither side.
    Draw,
    /// The result does not say, or both sides have lost.
    Unknown,
}

impl GameResult {
    /// A win for White in the points of international draughts: `2-0`.
    pub const WHITE: &'static str = "2-0";
    /// A draw: `1-1`.
    pub const DRAW: &'static str = "1-1";
    /// A win for Black: `0-2`.
    pub const BLACK: &'static str = "0-2";

    /// No result: `*`.
    pub fn unknown() -> Self {
        GameResult("*".to_owned())
    }

    /// Parses a result that cannot be mistaken for a move.
    pub fn parse(text: &str) -> Option<Self> {
        const RESULTS: [&str; 11] =
            ["*", "2-0", "1-1", "0-2", "1-0", "1/2-1/2", "½-½", "0-1", "0-0", "10-0", "0-10"];
        RESULTS.contains(&text).then(|| GameResult(text.to_owned()))
    }

    /// Parses a result, including ten points shared by the Delft system: `4-6`. Such points may
    /// look like a move.
    pub fn parse_with_points(text: &str) -> Option<Self> {
        let shared = || {
            let (white, black) = points(text)?;
            (white + black == 10).then(|| GameResult(text.to_owned()))
        };
        Self::parse(text).or_else(shared)
    }

    /// The result as spelled.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The winner.
    pub fn verdict(&self) -> GameVerdict {
        match (self.as_str(), points(&self.0)) {
            ("0-0", _) => GameVerdict::Unknown,
            ("1/2-1/2" | "½-½", _) => GameVerdict::Draw,
            (_, Some((white, black))) if white > black => GameVerdict::White,
            (_, Some((white, black))) if white < black => GameVerdict::Black,
            (_, Some(_)) => GameVerdict::Draw,
            (_, None) => GameVerdict::Unknown,
        }
    }
}

/// The points of White and Black: `4-6`.
fn points(text: &str) -> Option<(u8, u8)> {
    let is_number = |text: &str| text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (white, black) = text.split_once('-')?;
    if !is_number(white) || !is_number(black) {
        return None;
    }
    Some((white.parse().ok()?, black.parse().ok()?))
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
