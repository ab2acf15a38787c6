//! A network in the parts that are stored.
//!
//! The row of a state of a window is the sum of the rows of its two halves and of one of its own.
//! Nine in ten states never occur in training and have no row of their own, so that the parts are
//! several times smaller than the network.

use crate::eval::network::features::{HALF_STATES, STATES, Shape, halves};
use crate::eval::network::{BUCKETS, LEADS, Network, Output, Row, WIDTH};

/// The parts of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The features of its board.
    pub shape: Shape,
    /// The row that every sum begins with.
    pub bias: Row,
    /// The output rows, by the number of pieces.
    pub outputs: [Output; BUCKETS],
    /// What the numbers in `halves` and `own` are multiples of.
    pub steps: Steps,
    /// For each window the rows of its lower half, then those of its upper half.
    pub halves: Vec<Row>,
    /// The rows that states of windows, and kings, have of their own: their indexes, ascending, and
    /// their numbers. Those that are not listed are 0.
    pub own: Vec<(usize, Row)>,
}

/// What the numbers of rows are multiples of, in their units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// For leads.
    pub leads: u16,
    /// For the other numbers.
    pub others: u16,
}

impl Steps {
    /// The step of the number at a place of a row.
    pub fn at(self, place: usize) -> u16 {
        if place < LEADS { self.leads } else { self.others }
    }

    /// The row with its numbers multiplied by the steps, if they still fit.
    fn times(self, mut row: Row) -> Option<Row> {
        for (place, number) in row.0.iter_mut().enumerate() {
            *number = i16::try_from(i32::from(*number) * i32::from(self.at(place))).ok()?;
        }
        Some(row)
    }
}

impl Parts {
    /// The network. `None` if a part has a wrong size, a number does not fit, or there is no memory.
    pub fn network(&self) -> Option<Network> {
        let shape = self.shape;
        if self.halves.len() != shape.halves() {
            return None;
        }
        let mut rows = vec![Row([0; WIDTH]); shape.rows()];
        let windows = rows.chunks_mut(STATES).zip(self.halves.chunks(2 * HALF_STATES));
        for (rows, of_halves) in windows {
            for (state, row) in rows.iter_mut().enumerate() {
                let [lower, upper] = halves(state).map(|half| of_halves[half]);
                *row = sum(lower, upper)?;
            }
        }
        for &(index, own) in &self.own {
            let row = rows.get_mut(index)?;
            *row = sum(*row, own)?;
        }
        for row in &mut rows {
            *row = self.steps.times(*row)?;
        }
        Network::new(shape, &rows, self.bias, self.outputs)
    }
}

/// The sum of two rows, if its numbers fit.
fn sum(mut row: Row, other: Row) -> Option<Row> {
    let mut fits = true;
    for (number, other) in row.0.iter_mut().zip(other.0) {
        let (sum, has_wrapped) = number.overflowing_add(other);
        *number = sum;
        fits &= !has_wrapped;
    }
    fits.then_some(row)
}
