//! A network over pattern embeddings of the men in each window of the board, and of the kings.
//!
//! Each feature of a position selects a row of [`WIDTH`] numbers, and the rows are summed. The
//! first two numbers of the sum are leads in men, one for the opening and one for the ending; the
//! others are clamped, squared and weighted by an output row chosen by the number of pieces. A
//! network may have a hidden layer beside each output row: each of its units weights the same
//! squares, and is clamped, squared and weighted in turn.
//!
//! | number | unit |
//! | --- | --- |
//! | leads in rows and sums | 1/128 man; in a row at most 63 men |
//! | other numbers in rows and sums | 1/64; from -2 to 1.98 in a row, clamped to 0 .. 1 in a sum |
//! | a number clamped and squared | 1/4096 |
//! | output weights | 1/1600 man |
//! | weights of hidden units | 1/1024 |
//! | sums of hidden units | 1/4194304 (the product of the units of weights and squares) |
//!
//! The row of a feature fills one cache line. Sums of rows fit in 16 bits for any position;
//! [`Network::new`] checks that the output fits in 32 bits.

mod factorized;
pub mod features;
pub mod floats;
mod kernel;

use std::iter;

use crate::memory::zeroed;
use crate::position::Pieces;
use features::{FeatureShape, Features};
use kernel::{PackedHidden, PackedOutput, Sum, packed};

pub use factorized::FactorizedNetwork;
pub use kernel::PackedRow;

/// A description of the features and the width of a network.
pub const FEATURES: &str =
    "men in windows of 4 rows and 2 columns, kings; 62 numbers, 8 hidden units";
/// The width of a row, in numbers.
pub const WIDTH: usize = 62;
/// The number of lead values stored in each row: one for the opening, one for the ending.
pub const LEADS: usize = 2;
/// The number of output rows, one for each range of piece counts.
pub const BUCKETS: usize = 5;
/// The number of units of a hidden layer.
pub const HIDDEN_UNITS: usize = 8;
/// One man, in the unit of leads.
pub const MAN: i32 = 128;
/// The value 1, in the unit of the other numbers of rows.
pub const ONE: i32 = 64;
/// One man, in the unit of output weights.
pub const OUTPUT_MAN: i32 = 1600;
/// The value 1, in the unit of the weights of hidden units.
pub const HIDDEN_ONE: i32 = 1024;
/// The number of pieces at the start of a game on a 10x10 board. With all pieces, only the opening
/// lead counts; as their number falls, the weight shifts linearly to the ending lead.
pub const ALL_PIECES: i32 = 40;

/// A row of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row(pub [i16; WIDTH]);

impl Row {
    /// A row of zeros.
    pub const ZERO: Row = Row([0; WIDTH]);
}

/// An output row: the bias, and the weights of the numbers in a sum; the weights of the leads are
/// 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Output {
    /// The weights, in 1/1600 man.
    pub weights: Row,
    /// The bias, in 1/1600 man.
    pub bias: i32,
}

/// A unit of a hidden layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HiddenUnit {
    /// The weights of the numbers in a sum, in 1/1024; those of the leads are 0.
    pub weights: Row,
    /// The bias, in 1/1024.
    pub bias: i32,
    /// The weight of the unit in the output, in 1/1600 man.
    pub output: i16,
}

/// A hidden layer.
pub type HiddenLayer = [HiddenUnit; HIDDEN_UNITS];

/// A network for the positions of one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    rows: Box<[PackedRow]>,
    bias: Sum,
    outputs: [PackedOutput; BUCKETS],
    hidden: Option<[PackedHidden; BUCKETS]>,
    margins: Option<[PackedOutput; BUCKETS]>,
}

/// The maximum absolute value of any number in the bias row. This ensures that the sum of the bias,
/// the rows of all windows and a king on each square fits in 16 bits on every board.
pub const MAX_BIAS: u16 = 1 << 14;

/// The maximum sum of the absolute weights of an output row and of its hidden units, in 1/1600 man,
/// so that the output uses less than half the range of 32 bits; the rest is left for the bias and
/// the leads.
pub const MAX_OUTPUT_WEIGHTS: i32 = (1 << 30) / (ONE * ONE) - 1;
/// The maximum sum of the absolute weights and bias of a hidden unit, in 1/1024, so that its sum
/// uses at most half the range of 32 bits.
pub const MAX_HIDDEN_WEIGHTS: i32 = (1 << 30) / (ONE * ONE);
/// The maximum absolute bias of an output row, in 1/1600 man.
pub const MAX_OUTPUT_BIAS: i32 = (1 << 14) - 1;

/// The index of the output row for a number of pieces.
#[inline(always)]
pub fn bucket(pieces: usize) -> usize {
    (pieces.saturating_sub(1) / 8).min(BUCKETS - 1)
}

impl Network {
    /// Allocates zeroed rows for a board, in huge pages because rows are accessed randomly; `None`
    /// if memory runs out.
    pub fn allocate_rows(shape: FeatureShape) -> Option<Box<[PackedRow]>> {
        zeroed(shape.rows())
    }

    /// A network for the features of a board. Its rows should come from [`Network::allocate_rows`].
    /// Returns `None` if the number of rows is wrong, a number in the bias row is too large, a
    /// weight of a lead is not 0, or an output could overflow.
    pub fn new(
        shape: FeatureShape,
        rows: Box<[PackedRow]>,
        bias: Row,
        outputs: [Output; BUCKETS],
        hidden: Option<[HiddenLayer; BUCKETS]>,
        margins: Option<[Output; BUCKETS]>,
    ) -> Option<Self> {
        let has_sane_bias = bias.0.iter().all(|number| number.unsigned_abs() <= MAX_BIAS);
        let layers =
            hidden.iter().flatten().map(HiddenLayer::as_slice).chain(iter::repeat(&[][..]));
        let fits = outputs.iter().zip(layers).all(|(output, layer)| fits(output, layer))
            && margins.iter().flatten().all(|margin| fits(margin, &[]));
        if rows.len() != shape.rows() || !has_sane_bias || !fits {
            return None;
        }
        Some(Network {
            rows,
            bias: Sum::of_bias(&bias),
            outputs: packed(&outputs),
            hidden: hidden.map(|layers| layers.map(|layer| PackedHidden::of(&layer))),
            margins: margins.map(|margins| packed(&margins)),
        })
    }

    /// The rows of the features.
    pub fn rows(&self) -> &[PackedRow] {
        &self.rows
    }

    /// The lead of the side to move, in hundredths of a man.
    #[inline(always)]
    pub fn lead<G: Features>(&self, pieces: &Pieces<G>) -> i32 {
        kernel::lead(self, pieces)
    }

    /// The margin of a quiet position: the lead at which half of all games are won, in hundredths
    /// of a man. It is large if a lead is hard to convert. `None` if the network has no margins.
    pub fn margin<G: Features>(&self, pieces: &Pieces<G>) -> Option<i32> {
        Some(kernel::margin(self, self.margins.as_ref()?, pieces))
    }
}

/// Whether the weights of the leads are 0, and an output row with its hidden units cannot overflow.
fn fits(output: &Output, hidden: &[HiddenUnit]) -> bool {
    let total = |row: &Row| row.0.iter().map(|&weight| i64::from(weight).abs()).sum::<i64>();
    let has_leads = |row: &Row| row.0[..LEADS].iter().any(|&weight| weight != 0);
    let of_units: i64 = hidden.iter().map(|unit| i64::from(unit.output).abs()).sum();
    let unit_fits = |unit: &HiddenUnit| {
        let most = total(&unit.weights) + i64::from(unit.bias).abs();
        !has_leads(&unit.weights) && most <= MAX_HIDDEN_WEIGHTS.into()
    };
    !has_leads(&output.weights)
        && total(&output.weights) + of_units <= MAX_OUTPUT_WEIGHTS.into()
        && output.bias.abs() <= MAX_OUTPUT_BIAS
        && hidden.iter().all(unit_fits)
}

#[cfg(test)]
mod tests;
