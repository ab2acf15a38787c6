//! Telling positions what has been decided after them, many at a time.

use crate::bitbase::unmoves::each_unmove;
use crate::bitbase::value::Value;
use crate::position::Pieces;
use crate::rules::Rules;

use super::Half;

/// News on their way to the positions before. Their states lie all over the memory; while many are
/// written, those for the first arrive.
pub(super) struct Letters<'a, R: Rules> {
    to: &'a Half<R>,
    /// Positions of that half with a move to an opponent that loses.
    wins: Vec<u64>,
    /// Those with a move less that can save them.
    losses: Vec<u64>,
}

impl<'a, R: Rules> Letters<'a, R> {
    /// How many go together: their states fit into a small part of the first cache.
    const MANY: usize = 128;

    /// No news yet.
    pub(super) fn new(to: &'a Half<R>) -> Self {
        let none = || Vec::with_capacity(2 * Self::MANY);
        Letters { to, wins: none(), losses: none() }
    }

    /// A position of the other half is worth so much.
    #[inline(always)]
    pub(super) fn write(&mut self, value: Value, pieces: &Pieces<R::Geometry>) {
        let letters = if value == Value::Loss { &mut self.wins } else { &mut self.losses };
        each_unmove::<R>(pieces, &self.to.index, |_, number| {
            self.to.states.prefetch(number);
            letters.push(number);
        });
        if letters.len() >= Self::MANY {
            self.deliver();
        }
    }

    /// Tells what has been written.
    pub(super) fn deliver(&mut self) {
        let Half { states, news, .. } = self.to;
        self.wins.drain(..).filter(|&number| states.win(number)).for_each(|n| news.add(n));
        self.losses.drain(..).filter(|&number| states.lose_one(number)).for_each(|n| news.add(n));
    }
}
