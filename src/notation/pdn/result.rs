//! Results of games.

use std::cmp::Ordering;
use std::fmt;

use crate::board::Side;

/// A result as spelled in its file: `2-0`, `1/2-1/2`, `*`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResultText(String);

impl ResultText {
    /// A win for White in the points of international draughts: `2-0`.
    pub const WHITE: &'static str = "2-0";
    /// A draw: `1-1`.
    pub const DRAW: &'static str = "1-1";
    /// A win for Black: `0-2`.
    pub const BLACK: &'static str = "0-2";

    /// The result of a game with this winner, `None` for a draw, in the points of international
    /// draughts.
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

    /// Parses a result that cannot be mistaken for a move.
    pub fn parse(text: &str) -> Option<Self> {
        const RESULTS: [&str; 11] =
            ["*", "2-0", "1-1", "0-2", "1-0", "1/2-1/2", "½-½", "0-1", "0-0", "10-0", "0-10"];
        RESULTS.contains(&text).then(|| ResultText(text.to_owned()))
    }

    /// Parses a result, including ten points shared by the Delft system: `4-6`. Such points may
    /// look like a move.
    pub fn parse_with_points(text: &str) -> Option<Self> {
        let shared = || {
            let (white, black) = points(text)?;
            (white + black == 10).then(|| ResultText(text.to_owned()))
        };
        Self::parse(text).or_else(shared)
    }

    /// The result as spelled.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The winner, or who scored more points, within `Some(None)` for a draw; `None` where the text does
    /// not say or both sides have lost.
    pub fn winner(&self) -> Option<Option<Side>> {
        match (self.as_str(), points(&self.0)) {
            ("1/2-1/2" | "½-½", _) => Some(None),
            ("0-0", _) | (_, None) => None,
            (_, Some((white, black))) => Some(match white.cmp(&black) {
                Ordering::Greater => Some(Side::White),
                Ordering::Equal => None,
                Ordering::Less => Some(Side::Black),
            }),
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

impl fmt::Display for ResultText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
