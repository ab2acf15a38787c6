//! The arithmetic of a network, optimized for speed.
//!
//! Plain code that the compiler vectorizes. It is compiled for the build target and, on x86-64, a
//! second time for AVX2, which is used if detected at run time; only the sums of hidden units need
//! intrinsics there. Vectors of 512 bits with the dot products of VNNI were as fast (an EPYC with
//! both, ten benches in pairs: 1.00). Nothing overflows, see [`Network::new`]; operations in loops
//! wrap, because overflow checks, which test builds have, would keep the compiler from vectorizing
//! them.

use crate::position::Pieces;

use super::features::{Features, MAX_WINDOWS, for_each_king_row, window_rows};
use super::{
    ALL_PIECES, BUCKETS, HIDDEN_ONE, HIDDEN_UNITS, HiddenLayer, LEADS, MAN, Network, ONE,
    OUTPUT_MAN, Output, Row, WIDTH, bucket,
};

/// One man in the unit in which the parts of the evaluation are summed. The unit is fine enough
/// that only the result is rounded.
const FINE_MAN: i32 = 100 * 256;
/// The number of elements in a vector.
const LANES: usize = 16;

/// The lead of the side to move, in hundredths of a man. Not inlined, so that it is compiled once
/// per board rather than once per variant.
#[inline(never)]
pub(super) fn lead<G: Features>(network: &Network, pieces: &Pieces<G>) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor supports AVX2, which the function is compiled for.
        return unsafe { lead_avx2(network, pieces) };
    }
    lead_anywhere(network, pieces)
}

/// [`lead_anywhere`] with 256-bit vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn lead_avx2<G: Features>(network: &Network, pieces: &Pieces<G>) -> i32 {
    lead_with(network, pieces, |squares, weights| avx2::dots(squares, weights))
}

#[inline(always)]
pub(super) fn lead_anywhere<G: Features>(network: &Network, pieces: &Pieces<G>) -> i32 {
    lead_with(network, pieces, |squares, weights| weights.each_ref().map(|unit| dot(squares, unit)))
}

/// The lead, given a function for the sums of products of hidden units.
#[inline(always)]
fn lead_with<G: Features>(
    network: &Network,
    pieces: &Pieces<G>,
    dots: impl Fn(&Sum, &[Sum; HIDDEN_UNITS]) -> [i32; HIDDEN_UNITS],
) -> i32 {
    let sum = sum(network, pieces);
    let count = pieces.occupied().len();
    let early = (count as i32).min(ALL_PIECES);
    let lead = sum.lead(0) * early + sum.lead(1) * (ALL_PIECES - early);
    let lead = lead * const { FINE_MAN / (MAN * ALL_PIECES) };
    let (bucket, squares) = (bucket(count), sum.squares());
    let output = &network.outputs[bucket];
    let mut all = dot(&squares, &output.weights);
    if let Some(hidden) = &network.hidden {
        let hidden = &hidden[bucket];
        all += hidden.output(dots(&squares, &hidden.weights));
    }
    hundredths(output.value(all) + lead)
}

/// The lead at which half of all games are won, in hundredths of a man. It is only displayed, so it
/// need not be fast.
#[inline(never)]
pub(super) fn margin<G: Features>(
    network: &Network,
    margins: &[PackedOutput; BUCKETS],
    pieces: &Pieces<G>,
) -> i32 {
    let margin = &margins[bucket(pieces.occupied().len())];
    hundredths(margin.value(dot(&sum(network, pieces).squares(), &margin.weights)))
}

/// Rounds a value in 1/[`FINE_MAN`] man to hundredths of a man.
#[inline(always)]
fn hundredths(fine: i32) -> i32 {
    (fine + FINE_MAN / 200).div_euclid(FINE_MAN / 100)
}

/// The bias plus the rows of a position. The loop over rows is the inner one, so that a vector of
/// sums stays in a register.
#[inline(always)]
fn sum<G: Features>(network: &Network, pieces: &Pieces<G>) -> Sum {
    let indexes = window_rows(pieces);
    let rows = &network.rows[..G::ROWS];
    let mut windows = [&rows[0]; MAX_WINDOWS];
    // Not `map`, which is compiled as a separate function without AVX2 and made searches 4 %
    // slower. `min` changes no index; it lets the compiler omit the check of each.
    for (row, &index) in windows[..G::WINDOWS].iter_mut().zip(&indexes) {
        *row = &rows[(index as usize).min(G::ROWS - 1)];
    }
    let mut sum = network.bias;
    for (part, place) in sum.0.as_chunks_mut().0.iter_mut().zip(0..) {
        let mut in_register = *part;
        windows[..G::WINDOWS].iter().for_each(|row| add(&mut in_register, row, place));
        *part = in_register;
    }
    for_each_king_row(pieces, |row| {
        for (part, place) in sum.0.as_chunks_mut().0.iter_mut().zip(0..) {
            add(part, &network.rows[row], place);
        }
    });
    sum
}

/// Adds the vector at index `place` of a row to a sum.
#[inline(always)]
fn add(sum: &mut [i16; LANES], row: &PackedRow, place: usize) {
    let row: [i8; LANES] = row.0.as_chunks().0[place];
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_add(number.into());
    }
}

/// The sum of the products of squares and weights.
#[inline(always)]
fn dot(squares: &Sum, weights: &Sum) -> i32 {
    let products = squares.0.iter().zip(&weights.0);
    let products = products.map(|(&square, &weight)| i32::from(square).wrapping_mul(weight.into()));
    products.fold(0, i32::wrapping_add)
}

/// Sums of products by the instruction that multiplies and adds pairs, which the compiler uses only
/// in vectors of half the size.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{HIDDEN_UNITS, Sum};

    /// The products of two sums, in eight parts.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn products(squares: &Sum, weights: &Sum) -> __m256i {
        let vectors = |sum: &Sum| -> [__m256i; 4] { bytemuck::must_cast(*sum) };
        let (squares, weights) = (vectors(squares), vectors(weights));
        let [a, b, c, d] =
            std::array::from_fn(|place| _mm256_madd_epi16(squares[place], weights[place]));
        _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d))
    }

    /// The sum of the products of squares and the weights of each unit.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn dots(squares: &Sum, weights: &[Sum; HIDDEN_UNITS]) -> [i32; HIDDEN_UNITS] {
        let [a, b, c, d, e, f, g, h] = weights.each_ref().map(|unit| products(squares, unit));
        // Each half of these contains the sums of four units over half of the numbers.
        let four = |a, b, c, d| _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        let (first, second) = (four(a, b, c, d), four(e, f, g, h));
        let lower = _mm256_permute2x128_si256::<0x20>(first, second);
        let upper = _mm256_permute2x128_si256::<0x31>(first, second);
        bytemuck::must_cast(_mm256_add_epi32(lower, upper))
    }
}

/// The number of bytes in a packed row.
const BYTES: usize = LEADS + WIDTH;
/// The unit of the upper part of a lead, in units of the lower part.
const UPPER: i32 = 64;
/// The maximum absolute value of a lead in a packed row.
const MAX_LEAD: i32 = UPPER * 126;

/// The numbers of a row as signed bytes: upper and lower part of each lead, then the other numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct PackedRow(pub(super) [i8; BYTES]);

/// A sum of packed rows, or the output weights for such a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(super) struct Sum(pub(super) [i16; BYTES]);

/// An output row in the layout of a [`Sum`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedOutput {
    /// The weights, in 1/1600 man; those of the leads are 0.
    pub(super) weights: Sum,
    /// The bias, in 1/1600 man.
    pub(super) bias: i32,
}

impl PackedOutput {
    /// The value of an output, in 1/[`FINE_MAN`] man, from the sum of its weighted squares.
    #[inline(always)]
    fn value(&self, weighted: i32) -> i32 {
        weighted / const { ONE * ONE * OUTPUT_MAN / FINE_MAN } + self.bias * (FINE_MAN / OUTPUT_MAN)
    }
}

/// The number of fractional bits of a clamped hidden unit. Its square is rounded down to the unit of
/// the other squares.
const ACTIVE_BITS: u32 = 15;

/// A hidden layer in the layout of a [`Sum`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PackedHidden {
    /// The weights of each unit, in 1/1024; those of the leads are 0.
    weights: [Sum; HIDDEN_UNITS],
    /// The bias of each unit, in the unit of its sum.
    biases: [i32; HIDDEN_UNITS],
    /// The weight of each unit in the output, in 1/1600 man.
    outputs: [i32; HIDDEN_UNITS],
}

impl PackedHidden {
    /// Converts a layer.
    pub(super) fn of(layer: &HiddenLayer) -> Self {
        PackedHidden {
            weights: layer.each_ref().map(|unit| Sum::of_others(&unit.weights)),
            biases: layer.each_ref().map(|unit| unit.bias * ONE * ONE),
            outputs: layer.each_ref().map(|unit| unit.output.into()),
        }
    }

    /// The sum of the weighted squares of the units, given the sum of the products of each.
    #[inline(always)]
    fn output(&self, dots: [i32; HIDDEN_UNITS]) -> i32 {
        const FULL: i32 = 1 << ACTIVE_BITS;
        const STEP: i32 = HIDDEN_ONE * ONE * ONE / FULL;
        let mut all = 0;
        for ((dot, bias), weight) in dots.into_iter().zip(self.biases).zip(self.outputs) {
            let active = ((dot + bias) / STEP).clamp(0, FULL);
            all += weight * (active * active / (FULL * FULL / (ONE * ONE)));
        }
        all
    }
}

impl PackedRow {
    /// The row whose value at each index is `at(index)`, clamped to what fits there.
    #[inline(always)]
    pub fn new(at: impl Fn(usize) -> i32) -> Self {
        let mut bytes = [0; BYTES];
        for place in 0..LEADS {
            let [upper, lower] = parts(at(place).clamp(-MAX_LEAD, MAX_LEAD));
            [bytes[2 * place], bytes[2 * place + 1]] = [upper as i8, lower as i8];
        }
        for place in LEADS..WIDTH {
            bytes[LEADS + place] = at(place).clamp(i8::MIN.into(), i8::MAX.into()) as i8;
        }
        PackedRow(bytes)
    }

    /// The numbers of the row.
    pub fn numbers(&self) -> Row {
        let sum = Sum(self.0.map(i16::from));
        let number = |place: usize| {
            if place < LEADS { sum.lead(place) as i16 } else { sum.0[LEADS + place] }
        };
        Row(std::array::from_fn(number))
    }
}

impl Sum {
    /// The initial sum, which is the bias.
    pub(super) fn of_bias(bias: &Row) -> Self {
        let mut sum = Self::of_others(bias);
        for place in 0..LEADS {
            [sum.0[2 * place], sum.0[2 * place + 1]] =
                parts(bias.0[place].into()).map(|part| part as i16);
        }
        sum
    }

    /// The numbers of a row other than the leads, with 0 for the leads.
    fn of_others(row: &Row) -> Self {
        let mut sum = [0; BYTES];
        sum[2 * LEADS..].copy_from_slice(&row.0[LEADS..]);
        Sum(sum)
    }

    /// The numbers clamped and squared; those of the leads have no meaning.
    #[inline(always)]
    fn squares(&self) -> Sum {
        // A loop of its own: one with the products is not vectorized.
        let mut squares = *self;
        for number in &mut squares.0 {
            let active = (*number).clamp(0, ONE as i16);
            *number = active.wrapping_mul(active);
        }
        squares
    }

    /// The lead at a place: 0 for the opening lead, 1 for the ending lead.
    #[inline(always)]
    pub(super) fn lead(&self, place: usize) -> i32 {
        UPPER * i32::from(self.0[2 * place]) + i32::from(self.0[2 * place + 1])
    }
}

/// Converts output rows to the layout of a [`Sum`].
pub(super) fn packed(outputs: &[Output; BUCKETS]) -> [PackedOutput; BUCKETS] {
    outputs.map(|Output { weights, bias }| PackedOutput { weights: Sum::of_others(&weights), bias })
}

/// The upper and the lower part of a lead; the lower part is from -32 to 31.
#[inline(always)]
fn parts(lead: i32) -> [i32; 2] {
    let upper = (lead + UPPER / 2).div_euclid(UPPER);
    [upper, lead - UPPER * upper]
}
