//! A network in the parts that are stored.
//!
//! The row of a state of a window is the sum of the rows of its two halves and of one of its own.
//! Nine in ten states never occur in training and have no row of their own, so that the parts are
//! several times smaller than the network.

use crate::eval::network::features::{HALF_STATES, STATES, Shape, halves};
use crate::eval::network::{BUCKETS, LEADS, Network, Output, Row, WIDTH};

/// The largest step: three numbers of 16 bits times a step fit 32 bits.
const MOST_STEP: u16 = 1 << 14;

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
    /// The indexes, ascending, of the rows that states of windows, and kings, have of their own.
    /// Those of the others are 0.
    pub owners: Vec<usize>,
    /// These rows.
    pub own: Vec<Row>,
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
}

impl Parts {
    /// The network. `None` if a part has a wrong size, a number does not fit, or there is no memory.
    pub fn network(&self) -> Option<Network> {
        let has_sane_steps = self.steps.leads.max(self.steps.others) <= MOST_STEP;
        if self.halves.len() != self.shape.halves() || !has_sane_steps {
            return None;
        }
        let mut rows = Network::room(self.shape)?;
        let steps: [i32; WIDTH] = std::array::from_fn(|place| i32::from(self.steps.at(place)));
        let nothing = Row([0; WIDTH]);
        let mut own = self.owners.iter().zip(&self.own).peekable();
        let mut lost = 0;
        for (index, row) in rows.iter_mut().enumerate() {
            let own = own.next_if(|(owner, _)| **owner == index).map_or(&nothing, |(_, own)| own);
            let [lower, upper] = self.halves_of(index).unwrap_or([&nothing; 2]);
            lost |= set(row, |place| {
                let part = |row: &Row| i32::from(row.0[place]);
                (part(lower) + part(upper) + part(own)) * steps[place]
            });
        }
        let is_whole = own.next().is_none() && lost == 0;
        if is_whole { Network::new(self.shape, rows, self.bias, self.outputs) } else { None }
    }

    /// The rows of the halves of a state, by its index; `None` for a king.
    #[inline]
    fn halves_of(&self, index: usize) -> Option<[&Row; 2]> {
        let window = self.halves.get(index / STATES * 2 * HALF_STATES..)?;
        let [lower, upper] = halves(index % STATES);
        Some([window.get(lower)?, window.get(upper)?])
    }
}

/// Sets the numbers of a row. Returns 0 if they fit; no branch, so that it is vector code.
#[inline(always)]
fn set(row: &mut Row, number: impl Fn(usize) -> i32) -> i32 {
    let mut lost = 0;
    for (place, to) in row.0.iter_mut().enumerate() {
        let number = number(place);
        *to = number as i16;
        lost |= number ^ i32::from(*to);
    }
    lost
}
