//! Results of games.

use std::fmt;

/// A result in the spelling of its file: `2-0`, `1/2-1/2`, `*`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GameResult(String);

/// Who has won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// White has won, or has got more points.
    White,
    /// Black has won, or has got more points.
    Black,
    /// Nobody.
    Draw,
    /// The result does not say, or both have lost.
    Unknown,
}

impl GameResult {
    /// White wins, as international draughts counts: `2-0`.
    pub const WHITE: &'static str = "2-0";
    /// A draw: `1-1`.
    pub const DRAW: &'static str = "1-1";
    /// Black wins: `0-2`.
    pub const BLACK: &'static str = "0-2";

    /// No result: `*`.
    pub fn unknown() -> Self {
        GameResult("*".to_owned())
    }

    /// Reads a result that cannot be mistaken for a move.
    pub fn parse(text: &str) -> Option<Self> {
        const RESULTS: [&str; 11] =
            ["*", "2-0", "1-1", "0-2", "1-0", "1/2-1/2", "½-½", "0-1", "0-0", "10-0", "0-10"];
        RESULTS.contains(&text).then(|| GameResult(text.to_owned()))
    }

    /// Reads a result or ten points shared by the Delft system, `4-6`, which may look like a move.
    pub fn parse_with_points(text: &str) -> Option<Self> {
        let shared = || {
            let (white, black) = points(text)?;
            (white + black == 10).then(|| GameResult(text.to_owned()))
        };
        Self::parse(text).or_else(shared)
    }

    /// The result as it is spelled.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Who has won.
    pub fn verdict(&self) -> Verdict {
        match (self.as_str(), points(&self.0)) {
            ("0-0", _) => Verdict::Unknown,
            ("1/2-1/2" | "½-½", _) => Verdict::Draw,
            (_, Some((white, black))) if white > black => Verdict::White,
            (_, Some((white, black))) if white < black => Verdict::Black,
            (_, Some(_)) => Verdict::Draw,
            (_, None) => Verdict::Unknown,
        }
    }
}

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
