//! A PDN move as a list of squares: `32-28`, `28x19`, `47x38x24x13x36`, `c3d4`.

use crate::notation::squares;
use crate::rules::Variant;

/// The squares of a move as written, legal or not.
pub(super) struct WrittenPath {
    pub from: u8,
    /// The squares between start and end.
    pub via: Vec<u8>,
    pub to: u8,
    /// Whether it is written as a capture, `None` without separators.
    pub is_capture: Option<bool>,
}

impl WrittenPath {
    pub fn parse(variant: Variant, text: &str) -> Result<Self, String> {
        let is_capture = is_capture(text)?;
        let names = match is_capture {
            Some(_) => text.split(is_separator).collect(),
            None => names_without_separator(text)?,
        };
        let square = |name| squares::from_pdn_name(variant, name);
        let squares: Vec<_> = names.into_iter().map(square).collect::<Result<_, _>>()?;
        let [from, via @ .., to] = &squares[..] else {
            return Err("a move needs two squares".to_owned());
        };
        if is_capture == Some(false) && !via.is_empty() {
            return Err("a quiet move has two squares".to_owned());
        }
        Ok(WrittenPath { from: *from, via: via.to_vec(), to: *to, is_capture })
    }
}

/// Whether a character separates the squares of a move.
pub(super) fn is_separator(character: char) -> bool {
    is_quiet_sign(character) || is_capture_sign(character)
}

fn is_quiet_sign(character: char) -> bool {
    matches!(character, '-' | '–')
}

fn is_capture_sign(character: char) -> bool {
    matches!(character, 'x' | 'X' | ':' | '×')
}

/// Whether a move is written as a capture, `None` without separators.
fn is_capture(text: &str) -> Result<Option<bool>, String> {
    match (text.contains(is_quiet_sign), text.contains(is_capture_sign)) {
        (false, false) => Ok(None),
        (quiet, capture) if quiet != capture => Ok(Some(capture)),
        _ => Err("a mixture of - and x".to_owned()),
    }
}

/// The square names in `3228` or `c3d4`.
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
