//! A move in a PDN file as a list of squares: `32-28`, `28x19`, `47x38x24x13x36`, `c3d4`.

use crate::board::Square;
use crate::notation::squares;
use crate::rules::Rules;

/// The squares of a move as they are written, legal or not.
pub(super) struct Path {
    pub from: Square,
    /// The squares in between.
    pub via: Vec<Square>,
    pub to: Square,
    /// Whether it is written as a capture; `None` without separators.
    pub is_capture: Option<bool>,
}

impl Path {
    pub fn parse<R: Rules>(text: &str) -> Result<Self, String> {
        let is_capture = is_capture(text)?;
        let names = match is_capture {
            Some(_) => text.split(is_separator).collect(),
            None => names_without_separator(text)?,
        };
        let squares: Vec<_> =
            names.into_iter().map(squares::from_pdn_name::<R>).collect::<Result<_, _>>()?;
        let [from, via @ .., to] = &squares[..] else {
            return Err("a move needs two squares".to_owned());
        };
        if is_capture == Some(false) && !via.is_empty() {
            return Err("a quiet move has two squares".to_owned());
        }
        Ok(Path { from: *from, via: via.to_vec(), to: *to, is_capture })
    }
}

/// Whether a character stands between the squares of a move.
pub(super) fn is_separator(character: char) -> bool {
    is_quiet_sign(character) || is_capture_sign(character)
}

fn is_quiet_sign(character: char) -> bool {
    matches!(character, '-' | '–')
}

fn is_capture_sign(character: char) -> bool {
    matches!(character, 'x' | 'X' | ':' | '×')
}

fn is_capture(text: &str) -> Result<Option<bool>, String> {
    match (text.contains(is_quiet_sign), text.contains(is_capture_sign)) {
        (false, false) => Ok(None),
        (quiet, capture) if quiet != capture => Ok(Some(capture)),
        _ => Err("a mixture of - and x".to_owned()),
    }
}

/// The squares of `3228` or `c3d4`.
fn names_without_separator(text: &str) -> Result<Vec<&str>, String> {
    if !text.is_ascii() {
        return Err("not a move".to_owned());
    }
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        return match text.len() {
            4 => Ok(vec![&text[..2], &text[2..]]),
            _ => Err("a move needs a separator, or two digits a square".to_owned()),
        };
    }
    let starts = text.char_indices().filter(|(_, character)| character.is_ascii_alphabetic());
    let starts: Vec<_> = starts.map(|(index, _)| index).chain([text.len()]).collect();
    Ok(starts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect())
}
