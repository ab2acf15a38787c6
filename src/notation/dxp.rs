//! Positions of DXP (DamExchange): `W` or `Z` to move, then `w`, `z`, `W`, `Z` or `e` for each
//! square. `z` is Dutch *zwart*, black.

use crate::position::Position;
use crate::rules::Rules;

use super::TextError;
use super::letters::Letters;

const LETTERS: Letters =
    Letters { sides: ['W', 'Z'], pieces: [['w', 'W'], ['z', 'Z']], empty: 'e' };

/// Reads a position.
///
/// # Errors
///
/// A wrong letter or length, or pieces that make no legal position.
pub fn parse_position<R: Rules>(text: &str) -> Result<Position<R>, TextError> {
    LETTERS.parse(text)
}

/// Writes a position. The counters of the three-king-moves rule are not part of it.
pub fn format_position<R: Rules>(position: &Position<R>) -> String {
    LETTERS.format(position)
}
