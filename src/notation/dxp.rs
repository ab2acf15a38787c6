//! Positions of DXP (DamExchange): `W` or `Z` for the side to move, then `w`, `z`, `W`, `Z` or `e`
//! for each square. `z` stands for Dutch *zwart*, black.

use crate::erased::Position;
use crate::rules::Variant;

use super::TextError;
use super::letters::PositionLetters;

const LETTERS: PositionLetters =
    PositionLetters { sides: ['W', 'Z'], pieces: [['w', 'W'], ['z', 'Z']], empty: 'e' };

/// Parses a position.
///
/// # Errors
///
/// The text has a wrong letter or length, or its pieces do not make a legal position.
pub fn parse_position(variant: Variant, text: &str) -> Result<Position, TextError> {
    LETTERS.parse(variant, text)
}

/// Formats a position, without the counters of the three-king-moves rule.
pub fn format_position(position: &Position) -> String {
    LETTERS.format(position)
}
