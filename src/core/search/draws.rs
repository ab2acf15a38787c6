//! Draws within the search, by the rules and over both the game played so far and the line
//! searched.

use crate::game::BitGame;
use crate::rules::Rules;

use super::params::ENDING_PIECES;

/// Whether the search scores the last position of a line as a draw. The side to move must have a
/// legal move: a win takes precedence over a draw.
///
/// The second occurrence of a position already counts as a draw, since what was repeated once can
/// be repeated again. This keeps the search from going in circles.
#[inline]
pub(super) fn is_draw<R: Rules>(line: &BitGame<R>) -> bool {
    /// The shortest cycle, in plies: each side moves out and back.
    const SHORTEST_CYCLE: usize = 4;

    let reversible = line.reversible_plies();
    let rules = &line.setup().draws;
    (rules.repetition > 0 && reversible >= SHORTEST_CYCLE && line.occurrences() >= 2)
        || (rules.king_moves > 0 && reversible >= usize::from(rules.king_moves))
        || (may_be_limited(line) && line.draw().is_some())
}

/// Whether to check the draw limits of endings, which are slower than the other rules.
#[inline]
fn may_be_limited<R: Rules>(line: &BitGame<R>) -> bool {
    !line.setup().draws.endings.is_empty() && line.position().occupied().len() <= ENDING_PIECES
}
