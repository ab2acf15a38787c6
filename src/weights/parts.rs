//! A network in the parts that are stored.
//!
//! The row of a state of a window is the sum of the rows of its two halves and of one of its own.
//! Nine in ten states never occur in training and have no row of their own, so that the parts are
//! several times smaller than the network.

use crate::eval::network::features::{FeatureShape, HALF_STATES, STATES, halves};
use crate::eval::network::{BUCKETS, Network, Output, PackedRow, Row};

/// The parts of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactorizedNetwork {
    /// The features of its board.
    pub shape: FeatureShape,
    /// How many numbers of its rows the network has, leads first. The others are 0.
    pub width: usize,
    /// The row that every sum begins with.
    pub bias: Row,
    /// The output rows, by the number of pieces.
    pub outputs: [Output; BUCKETS],
    /// The output rows of the margin, the lead that wins half of the games, if it was learned.
    pub margins: Option<[Output; BUCKETS]>,
    /// For each window the rows of its lower half, then those of its upper half.
    pub halves: Vec<Row>,
    /// The indexes, ascending, of the rows that states of windows, and kings, have of their own.
    /// Those of the others are 0.
    pub owners: Vec<usize>,
    /// These rows.
    pub own: Vec<Row>,
}

impl FactorizedNetwork {
    /// The network, its numbers limited to the range of their places. `None` if a part has a wrong
    /// size, or there is no memory.
    pub fn network(&self) -> Option<Network> {
        if self.halves.len() != self.shape.halves() {
            return None;
        }
        let mut rows = Network::room(self.shape)?;
        let mut own = self.owners.iter().zip(&self.own).peekable();
        for (index, row) in rows.iter_mut().enumerate() {
            let own = own.next_if(|(owner, _)| **owner == index).map_or(&Row::ZERO, |(_, own)| own);
            let [lower, upper] = self.halves_of(index).unwrap_or([&Row::ZERO; 2]);
            let part = |row: &Row, place: usize| i32::from(row.0[place]);
            *row =
                PackedRow::new(|place| part(lower, place) + part(upper, place) + part(own, place));
        }
        let is_whole = own.next().is_none();
        if !is_whole {
            return None;
        }
        Network::new(self.shape, rows, self.bias, self.outputs, self.margins)
    }

    /// The rows of the halves of a state, by its index; `None` for a king.
    #[inline]
    fn halves_of(&self, index: usize) -> Option<[&Row; 2]> {
        let window = self.halves.get(index / STATES * 2 * HALF_STATES..)?;
        let [lower, upper] = halves(index % STATES);
        Some([window.get(lower)?, window.get(upper)?])
    }
}
