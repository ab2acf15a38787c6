//! Filters for games: by player, event, result and date.

use std::fmt;
use std::str::FromStr;

use crate::board::Side;

use super::record::{GameRecord, ResultText, Tags};

/// Who won a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultKind {
    /// White.
    White,
    /// Neither side.
    Draw,
    /// Black.
    Black,
    /// No result is known, or both sides lost.
    Unknown,
}

impl ResultKind {
    /// All kinds.
    pub const ALL: [ResultKind; 4] =
        [ResultKind::White, ResultKind::Draw, ResultKind::Black, ResultKind::Unknown];

    /// The name in arguments, file names and requests.
    pub const fn name(self) -> &'static str {
        match self {
            ResultKind::White => "white",
            ResultKind::Draw => "draw",
            ResultKind::Black => "black",
            ResultKind::Unknown => "unknown",
        }
    }
}

impl fmt::Display for ResultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ResultKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let kind = ResultKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| {
            format!("not a result: {name:?}; expected white, draw, black or unknown")
        })
    }
}

impl ResultText {
    /// Who won.
    pub fn kind(&self) -> ResultKind {
        match self.winner() {
            Some(Some(Side::White)) => ResultKind::White,
            Some(None) => ResultKind::Draw,
            Some(Some(Side::Black)) => ResultKind::Black,
            None => ResultKind::Unknown,
        }
    }
}

/// The tags that a list of games shows and searches; empty if unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameHeader {
    /// The white player.
    pub white: String,
    /// The black player.
    pub black: String,
    /// The event.
    pub event: String,
    /// The date as in the file, such as `1995.04.??`.
    pub date: String,
    /// The result.
    pub result: ResultText,
}

impl GameHeader {
    /// The header of a game.
    pub fn of(record: &GameRecord) -> Self {
        GameHeader::new(&record.tags, record.result())
    }

    /// A header from tags.
    pub fn new(tags: &Tags, result: ResultText) -> Self {
        let value = |name| match tags.get(name) {
            None | Some("?") => String::new(),
            Some(value) => value.trim().to_owned(),
        };
        GameHeader {
            white: value("White"),
            black: value("Black"),
            event: value("Event"),
            date: value("Date"),
            result,
        }
    }
}

/// Conditions on the header of a game. A condition that is not set holds for every game; strings
/// match parts of names, ignoring case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameFilter {
    /// The name of either player.
    pub player: Option<String>,
    /// The name of the white player.
    pub white: Option<String>,
    /// The name of the black player.
    pub black: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The result.
    pub result: Option<ResultKind>,
    /// The earliest date. A game with an incomplete date may have been played on any day that fits
    /// it.
    pub since: Option<DateRange>,
    /// The latest date.
    pub until: Option<DateRange>,
}

impl GameFilter {
    /// Whether a game meets all conditions.
    pub fn is_met(&self, header: &GameHeader) -> bool {
        let GameHeader { white, black, event, result, .. } = header;
        contains(&self.player, &[white, black])
            && contains(&self.white, &[white])
            && contains(&self.black, &[black])
            && contains(&self.event, &[event])
            && self.result.is_none_or(|wanted| wanted == result.kind())
            && self.is_in_time(&header.date)
    }

    /// Whether a game may have been played in the period; `false` without a date.
    fn is_in_time(&self, date: &str) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        date.parse::<DateRange>().is_ok_and(|date| {
            self.since.is_none_or(|since| date.last >= since.first)
                && self.until.is_none_or(|until| date.first <= until.last)
        })
    }
}

fn contains(wanted: &Option<String>, names: &[&String]) -> bool {
    let wanted = wanted.as_ref().map(|wanted| wanted.to_lowercase());
    wanted.is_none_or(|wanted| names.iter().any(|name| name.to_lowercase().contains(&wanted)))
}

/// Whether a part of a date consists of zeros.
fn is_zero(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte == b'0')
}

/// The first and last day that a date may mean, each as year, month and day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DateRange {
    first: [u32; 3],
    last: [u32; 3],
}

impl DateRange {
    /// The first day that the date may mean.
    pub fn first(self) -> [u32; 3] {
        self.first
    }
}

impl FromStr for DateRange {
    type Err = String;

    /// Parses a date such as `1995.04.17`, `1995-04-17`, `17.4.1995`, `1995.04.??` or `1995`. Zeros
    /// stand for an unknown part, as question marks do: `1995.00.00`.
    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || format!("not a date such as 1995 or 1995.04.17: {text:?}");
        let mut parts: Vec<_> = text.trim().split(['.', '-', '/']).collect();
        if parts.len() == 3 && parts[2].len() == 4 {
            parts.reverse();
        }
        let number = |place: usize| match parts.get(place) {
            None => Ok(None),
            Some(part) if part.contains('?') || is_zero(part) => Ok(None),
            Some(part) => part.parse::<u32>().map(Some).map_err(|_| fault()),
        };
        let [Some(year), month, day] = [number(0)?, number(1)?, number(2)?] else {
            return Err(fault());
        };
        if parts.len() > 3 || month > Some(12) || day > Some(31) {
            return Err(fault());
        }
        // If the month is unknown, so is the day.
        let day = day.filter(|_| month.is_some());
        let filled =
            |month_or: u32, day_or: u32| [year, month.unwrap_or(month_or), day.unwrap_or(day_or)];
        Ok(DateRange { first: filled(1, 1), last: filled(12, 31) })
    }
}
