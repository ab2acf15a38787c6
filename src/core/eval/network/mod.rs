//! A network over pattern embeddings: the joint value of the men in each window of the board, and
//! of the kings.
//!
//! Each feature of a position selects a row of [`WIDTH`] numbers, and the rows are summed. The
//! first two numbers of the sum are leads in men, one for the opening and one for the ending; the
//! others are clamped, squared and weighted by an output row chosen by the number of pieces.
//!
//! | number | unit |
//! | --- | --- |
//! | leads in rows and sums | 1/1024 man: sums up to 32 men |
//! | other numbers in rows and sums | 1/4096; clamped to 0 .. 4095 |
//! | a number clamped and squared | 1/16384 |
//! | output weights | 1/1600 man |
//!
//! Sums of rows saturate, so no position makes them wrap. That the output fits 32 bits is checked
//! when a network is made.

pub mod features;
mod kernel;

use crate::memory::zeroed;
use crate::position::Pieces;
use features::{Features, Shape};

/// The features and width of a network, in words.
pub const FEATURES: &str = "men in windows of 4 rows and 2 columns, kings; 32 numbers";
/// The width of a row, in numbers.
pub const WIDTH: usize = 32;
/// How many of them are leads: one for the opening, one for the ending.
pub const LEADS: usize = 2;
/// The number of output rows, one for each range of piece counts.
pub const BUCKETS: usize = 5;
/// One man, in the leads of rows.
pub const MAN: i32 = 1024;
/// The value 1, in the other numbers of rows.
pub const ONE: i32 = 4096;
/// One man, in output weights.
pub const OUTPUT_MAN: i32 = 1600;
/// Pieces at the start of a game on 10x10: the opening lead counts fully with all, the ending lead
/// with none.
pub const ALL_PIECES: i32 = 40;
/// Left shift of a clamped number, so that its square has 30 bits.
const SHIFT: u32 = 3;
/// The value 1, in clamped and squared numbers.
const SQUARE_ONE: i32 = 1 << 14;

/// A row of numbers, aligned to a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Row(pub [i16; WIDTH]);

/// An output row: the weights of the numbers of a sum. Those of the leads are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Output {
    /// In 1/1600 man.
    pub weights: Row,
    /// In 1/1600 man.
    pub bias: i32,
}

/// A network for the positions of one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    rows: Box<[Row]>,
    bias: Row,
    outputs: [Output; BUCKETS],
}

/// The output row for a number of pieces.
#[inline(always)]
pub fn bucket(pieces: usize) -> usize {
    (pieces.saturating_sub(1) / 8).min(BUCKETS - 1)
}

impl Network {
    /// Room for the rows of a board, all 0, in huge pages, as they are read at random; `None` if
    /// there is no memory.
    pub fn room(shape: Shape) -> Option<Box<[Row]>> {
        zeroed(shape.rows())
    }

    /// A network for the features of a board, its rows best in [`Network::room`]; `None` if their
    /// number is wrong, an output weight is set for a lead, or an output could overflow.
    pub fn new(
        shape: Shape,
        rows: Box<[Row]>,
        bias: Row,
        outputs: [Output; BUCKETS],
    ) -> Option<Self> {
        let fits = |output: &Output| {
            let Row(weights) = output.weights;
            let most: i64 = weights.iter().map(|&weight| i64::from(weight).abs()).sum();
            let leads = weights[..LEADS].iter().all(|&weight| weight == 0);
            // Less than half the range of 32 bits; the rest is for bias and leads.
            leads && most << 14 < 1 << 30 && output.bias.abs() < 1 << 14
        };
        if rows.len() != shape.rows() || !outputs.iter().all(fits) {
            return None;
        }
        Some(Network { rows, bias, outputs })
    }

    /// The rows of the features.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row that every sum begins with.
    pub fn bias(&self) -> &Row {
        &self.bias
    }

    /// The output rows, by the number of pieces.
    pub fn outputs(&self) -> &[Output; BUCKETS] {
        &self.outputs
    }

    /// The lead of the side to move, in hundredths of a man.
    #[inline(always)]
    pub fn lead<G: Features>(&self, pieces: &Pieces<G>) -> i32 {
        kernel::lead(self, pieces)
    }
}

#[cfg(test)]
mod tests;
