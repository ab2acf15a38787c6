//! The propagation of decided positions to their predecessors, in batches.

use crate::bitbase::unmoves::each_unmove;
use crate::bitbase::value::Value;
use crate::board::Geometry;
use crate::position::Pieces;
use crate::rules::Rules;

use super::Half;

/// A batch of updates to predecessors. Their states are scattered over memory and are prefetched
/// while the batch fills.
pub(super) struct Letters<'a, G: Geometry> {
    to: &'a Half<G>,
    /// Predecessors with a move to a loss for the opponent.
    wins: Vec<u64>,
    /// Predecessors that lose one of the moves that could save them.
    losses: Vec<u64>,
}

impl<'a, G: Geometry> Letters<'a, G> {
    /// The size of a batch: its states fit in a small part of the first-level cache.
    const MANY: usize = 128;

    /// An empty batch.
    pub(super) fn new(to: &'a Half<G>) -> Self {
        let none = || Vec::with_capacity(2 * Self::MANY);
        Letters { to, wins: none(), losses: none() }
    }

    /// Adds the predecessors of a position of the other half that has been decided.
    #[inline(always)]
    pub(super) fn write<R: Rules<Geometry = G>>(&mut self, value: Value, pieces: &Pieces<G>) {
        let letters = if value == Value::Loss { &mut self.wins } else { &mut self.losses };
        each_unmove::<R>(pieces, &self.to.index, |_, number| {
            self.to.states.prefetch(number);
            letters.push(number);
        });
        if letters.len() >= Self::MANY {
            self.deliver();
        }
    }

    /// Applies the updates of the batch.
    pub(super) fn deliver(&mut self) {
        let Half { states, news, .. } = self.to;
        self.wins.drain(..).filter(|&number| states.win(number)).for_each(|n| news.add(n));
        self.losses.drain(..).filter(|&number| states.lose_one(number)).for_each(|n| news.add(n));
    }
}
