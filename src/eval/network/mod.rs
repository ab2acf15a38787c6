//! A network over pattern embeddings: what the men in each window of the board, and the kings, are worth
//! together.
//!
//! Each feature of a position is a row of [`WIDTH`] numbers, and the rows are added up. The first two of
//! the sum are leads in men, one for the start of the game and one for its end; the others are clamped,
//! squared and weighted by an output row that belongs to the number of pieces.
//!
//! | number | unit |
//! | --- | --- |
//! | leads in rows and sums | 1/1024 man: sums up to 32 men |
//! | other numbers in rows and sums | 1/4096; clamped to 0 .. 4095 |
//! | a number clamped and squared | 1/16384 |
//! | output weights | 1/1600 man |
//!
//! Sums of rows saturate: no position makes them wrap. That the sum of the output fits 32 bits is checked
//! when a network is made.

pub mod features;
pub mod file;
mod kernel;

use std::marker::PhantomData;

use crate::memory::zeroed;
use crate::position::Pieces;
use features::Features;

/// What a network sees, in words.
pub const FEATURES: &str = "men in windows of 4 rows and 2 columns, kings; 32 numbers";
/// Numbers of a row.
pub const WIDTH: usize = 32;
/// The first of them are leads: at the start of the game, at its end.
pub const LEADS: usize = 2;
/// Output rows, by the number of pieces.
pub const BUCKETS: usize = 5;
/// A man, in the leads of rows.
pub const MAN: i32 = 1024;
/// 1, in the other numbers of rows.
pub const ONE: i32 = 4096;
/// A man, in output weights.
pub const OUTPUT_MAN: i32 = 1600;
/// Pieces at the start of a game on 10x10: the game is at its end with none.
pub const ALL_PIECES: i32 = 40;
/// How far a clamped number is shifted, so that its square is one of 30 bits.
const SHIFT: u32 = 3;
/// 1, in numbers clamped and squared.
const SQUARE_ONE: i32 = 1 << 14;

/// A row of numbers, on one line of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Row(pub [i16; WIDTH]);

/// What the numbers of a sum count for. The first ones, of the leads, are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Output {
    /// In 1/1600 man.
    pub weights: Row,
    /// In 1/1600 man.
    pub bias: i32,
}

/// A network for positions on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<G: Features> {
    rows: Box<[Row]>,
    bias: Row,
    outputs: [Output; BUCKETS],
    board: PhantomData<G>,
}

/// Where the number of pieces leads to.
#[inline(always)]
pub fn bucket(pieces: usize) -> usize {
    (pieces.saturating_sub(1) / 8).min(BUCKETS - 1)
}

impl<G: Features> Network<G> {
    /// A network; `None` if there are too few or too many rows, if an output could be too large, or if
    /// there is no memory.
    pub fn new(rows: &[Row], bias: Row, outputs: [Output; BUCKETS]) -> Option<Self> {
        let fits = |output: &Output| {
            let Row(weights) = output.weights;
            let most: i64 = weights.iter().map(|&weight| i64::from(weight).abs()).sum();
            let leads = weights[..LEADS].iter().all(|&weight| weight == 0);
            // Less than half of what 32 bits hold, and the rest is for bias and leads.
            leads && most << 14 < 1 << 30 && output.bias.abs() < 1 << 14
        };
        if rows.len() != G::ROWS || !outputs.iter().all(fits) {
            return None;
        }
        // They are read at random.
        let mut in_huge_pages = zeroed(rows.len())?;
        in_huge_pages.copy_from_slice(rows);
        Some(Network { rows: in_huge_pages, bias, outputs, board: PhantomData })
    }

    /// The lead of the side to move, in hundredths of a man.
    #[inline(always)]
    pub fn lead(&self, pieces: &Pieces<G>) -> i32 {
        kernel::lead(self, pieces)
    }
}

#[cfg(test)]
mod tests;
