//! Confirmation of marks: a mark based on a short search is confirmed by longer ones.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use crate::erased::Game;

use super::review::{ReviewedPly, SearchOutcome};

/// The factors by which the search limits are multiplied to confirm a mark, by round.
pub const CONFIRMING_FACTORS: [u32; 2] = [3, 10];
/// The loss, in points, above which one confirmation suffices.
const CLEAR_LOSS: f64 = 0.35;
/// A move that loses at least this many points is confirmed. It is less than the loss for a mark, so
/// that whether a move gets a mark depends on the longest searches and not on the first one.
const DOUBTFUL_LOSS: f64 = 0.035;
/// A best move that is ahead of the others by at least this many points is confirmed; less than for
/// a mark, for the same reason.
const DOUBTFUL_LEAD: f64 = 0.12;

/// The lowest round of confirmation that some move still needs, and the plies of the positions to
/// search in it, in ascending order; `None` if all marks are confirmed. `rounds` is the number of
/// completed rounds for each position.
pub fn unconfirmed(
    game: &Game,
    outcomes: &[SearchOutcome],
    rounds: &[usize],
) -> Option<(usize, Vec<usize>)> {
    // The score of a position with a single legal move comes from the next position.
    let source = |mut ply: usize| {
        while outcomes[ply].is_forced && ply + 1 < outcomes.len() {
            ply += 1;
        }
        ply
    };
    let had = |ply: usize| match outcomes[ply].line.is_empty() {
        true => CONFIRMING_FACTORS.len(), // The game is over.
        false => rounds[ply],
    };
    let mut needed: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (ply, (mv, position)) in game.moves().into_iter().zip(game.positions()).enumerate() {
        let reviewed = ReviewedPly::new(position.side(), mv, &outcomes[ply], &outcomes[ply + 1]);
        let (before, after) = (ply, source(ply + 1));
        let round = had(before).min(had(after));
        if round < needed_rounds(&reviewed, &outcomes[ply]) {
            let due = [before, after].into_iter().filter(|&ply| had(ply) == round);
            needed.entry(round).or_default().extend(due);
        }
    }
    let (round, plies) = needed.pop_first()?;
    Some((round, plies.into_iter().collect()))
}

/// The number of confirmations that a move needs before it gets a mark or is left without one.
fn needed_rounds(reviewed: &ReviewedPly, before: &SearchOutcome) -> usize {
    let may_be_only = before.may_be_only(reviewed.mv, DOUBTFUL_LEAD);
    match reviewed.loss {
        CLEAR_LOSS.. => 1,
        DOUBTFUL_LOSS.. => CONFIRMING_FACTORS.len(),
        _ if may_be_only => CONFIRMING_FACTORS.len(),
        _ => 0,
    }
}

/// Copies the score and the line of the next position to each position with only one legal move.
pub fn copy_to_forced(outcomes: &mut [SearchOutcome]) {
    for ply in (0..outcomes.len().saturating_sub(1)).rev() {
        if outcomes[ply].is_forced {
            let next = outcomes[ply + 1].clone();
            let outcome = &mut outcomes[ply];
            outcome.score = -next.score;
            outcome.depth = next.depth;
            let mut line = mem::take(&mut outcome.line);
            line.extend(next.line);
            outcome.line = line;
        }
    }
}
