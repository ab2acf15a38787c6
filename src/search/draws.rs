//! Draws within the search, by the rules of the game played so far and of the line searched.

use crate::game::Game;
use crate::rules::Rules;

use super::params::ENDING_PIECES;

/// Whether the search takes the last position of a line as drawn. The side to move must have a
/// move: a win comes before a draw.
///
/// A position that comes back once could come back again, so its second occurrence counts as a draw
/// already. That saves the search from walking in circles.
#[inline]
pub(super) fn is_draw<R: Rules>(line: &Game<R>) -> bool {
    /// Nothing can come back sooner: both sides go and return.
    const SHORTEST_CYCLE: usize = 4;

    let reversible = line.reversible_plies();
    let rules = R::DRAWS;
    (rules.repetition > 0 && reversible >= SHORTEST_CYCLE && line.occurrences() >= 2)
        || (rules.king_moves > 0 && reversible >= usize::from(rules.king_moves))
        || (may_be_limited(line) && line.draw().is_some())
}

/// Whether the limit of an ending is worth a look: it takes longer than the other rules.
#[inline]
fn may_be_limited<R: Rules>(line: &Game<R>) -> bool {
    !R::DRAWS.endings.is_empty() && line.position().occupied().len() <= ENDING_PIECES
}
