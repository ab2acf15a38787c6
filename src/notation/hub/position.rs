//! Hub positions: `W` or `B` to move, then `w`, `b`, `W`, `B` or `e` for each square.

use crate::board::{Geometry, Side, Square};
use crate::notation::TextError;
use crate::notation::letters::Letters;
use crate::notation::squares;
use crate::position::{KingRun, Position};
use crate::rules::Rules;

const LETTERS: Letters =
    Letters { sides: ['W', 'B'], pieces: [['w', 'W'], ['b', 'B']], empty: 'e' };

/// Reads a position: 51 characters on 10x10, 33 on 8x8, 73 on 12x12.
///
/// # Errors
///
/// A wrong letter or length, or pieces that make no legal position.
pub fn parse_position<R: Rules>(text: &str) -> Result<Position<R>, TextError> {
    LETTERS.parse(text)
}

/// Writes a position. The counters of the three-king-moves rule are apart: [`format_wolf`].
pub fn format_position<R: Rules>(position: &Position<R>) -> String {
    LETTERS.format(position)
}

/// Reads the counters of the three-king-moves rule: `W28=2 B13=1` for two moves of White's king
/// on 28 and one of Black's on 13. A game without the rule ignores them.
///
/// # Errors
///
/// A counter that is not of this form, names a square without such a king, or comes twice for one
/// side.
pub fn parse_wolf<R: Rules>(position: Position<R>, text: &str) -> Result<Position<R>, TextError> {
    let mut runs = [None; 2];
    for word in text.split_whitespace() {
        // The word is part of the text, so this is its offset in bytes.
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        let column = text[..offset].chars().count() + 1;
        let fault = |message: String| TextError::new(column, format!("{word}: {message}"));
        let (side, square, count) = parse_counter::<R>(word).map_err(fault)?;
        if R::KING_MOVES_IN_A_ROW > 0 && !position.kings(side).has(square) {
            return Err(fault("there is no such king".to_owned()));
        }
        if runs[side.index()].replace(KingRun::new(square, count)).is_some() {
            return Err(fault("a second counter for this side".to_owned()));
        }
    }
    Ok(position.with_king_runs(runs.map(|run| run.unwrap_or(KingRun::NONE))))
}

fn parse_counter<R: Rules>(word: &str) -> Result<(Side, Square, u8), String> {
    let form = || "not of the form W28=2".to_owned();
    let (king, count) = word.split_once('=').ok_or_else(form)?;
    let side = match king.chars().next() {
        Some('W') => Side::White,
        Some('B') => Side::Black,
        _ => return Err(form()),
    };
    let square = squares::from_number::<R::Geometry>(&king[1..])?;
    let is_number = count.bytes().all(|byte| byte.is_ascii_digit());
    let count = count.parse().ok().filter(|_| is_number).ok_or_else(form)?;
    Ok((side, square, count))
}

/// Writes the counters of the three-king-moves rule; empty if none has started.
pub fn format_wolf<R: Rules>(position: &Position<R>) -> String {
    let counters = Side::ALL.into_iter().filter_map(|side| {
        let run = position.king_run(side);
        let number = R::Geometry::number(run.square()?);
        let letter = LETTERS.sides[side.index()];
        Some(format!("{letter}{number}={}", run.count()))
    });
    counters.collect::<Vec<_>>().join(" ")
}
