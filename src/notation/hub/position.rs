//! Hub positions: `W` or `B` for the side to move, then `w`, `b`, `W`, `B` or `e` for each square.

use crate::board::{Grid, Side};
use crate::erased::Position;
use crate::notation::TextError;
use crate::notation::letters::PositionLetters;
use crate::notation::squares;
use crate::position::KingRun;
use crate::rules::Variant;

const LETTERS: PositionLetters =
    PositionLetters { sides: ['W', 'B'], pieces: [['w', 'W'], ['b', 'B']], empty: 'e' };

/// Parses a position: 33 characters on the dark squares of 8x8, 51 of 10x10, 73 of 12x12, and 65
/// on all squares of 8x8.
///
/// # Errors
///
/// The text has a wrong letter or length, or its pieces do not make a legal position.
pub fn parse_position(variant: Variant, text: &str) -> Result<Position, TextError> {
    LETTERS.parse(variant, text)
}

/// Formats a position, without the counters of the three-king-moves rule (see [`format_wolf`]).
pub fn format_position(position: &Position) -> String {
    LETTERS.format(position)
}

/// Parses the counters of the three-king-moves rule and adds them to a position. `W28=2 B13=1`
/// means that White's king on 28 has made two moves and Black's on 13 one. Games without the rule
/// ignore the counters.
///
/// # Errors
///
/// A counter is malformed, names a square without such a king, or is the second of its side.
pub fn parse_wolf(position: Position, text: &str) -> Result<Position, TextError> {
    let has_rule = position.variant().move_rules().king_moves_in_a_row > 0;
    let mut runs = [None; 2];
    for word in text.split_whitespace() {
        // The word is a slice of the text: the difference is its offset in bytes.
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        let column = text[..offset].chars().count() + 1;
        let fault = |message: String| TextError::new(column, format!("{word}: {message}"));
        let (side, square, count) = parse_counter(position.grid(), word).map_err(fault)?;
        if has_rule && !position.kings(side).has(square) {
            return Err(fault("there is no such king".to_owned()));
        }
        if runs[side.index()].replace(KingRun::new(square, count)).is_some() {
            return Err(fault("a second counter for this side".to_owned()));
        }
    }
    Ok(position.with_king_runs(runs.map(|run| run.unwrap_or(KingRun::default()))))
}

/// The side, the king's square and the number of moves of `W28=2`.
fn parse_counter(grid: Grid, word: &str) -> Result<(Side, u8, u8), String> {
    let form = || "not of the form W28=2".to_owned();
    let (king, count) = word.split_once('=').ok_or_else(form)?;
    let side = match king.chars().next() {
        Some('W') => Side::White,
        Some('B') => Side::Black,
        _ => return Err(form()),
    };
    let square = squares::from_number(grid, &king[1..])?;
    let is_number = count.bytes().all(|byte| byte.is_ascii_digit());
    let count = count.parse().ok().filter(|_| is_number).ok_or_else(form)?;
    Ok((side, square, count))
}

/// Formats the counters of the three-king-moves rule; empty if none is running.
pub fn format_wolf(position: &Position) -> String {
    let counters = Side::ALL.into_iter().filter_map(|side| {
        let run = position.king_run(side);
        let square = run.square()?;
        let letter = LETTERS.sides[side.index()];
        Some(format!("{letter}{square}={}", run.count()))
    });
    counters.collect::<Vec<_>>().join(" ")
}
