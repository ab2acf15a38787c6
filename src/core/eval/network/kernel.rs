//! The arithmetic of a network, as fast as the processor allows.
//!
//! Plain code that the compiler vectorizes: once for the target of the build, and once for x86-64
//! with AVX2, used where detected at run time.

use crate::position::Pieces;

use super::features::{Features, each_row};
use super::{
    ALL_PIECES, MAN, Network, ONE, OUTPUT_MAN, Output, Row, SHIFT, SQUARE_ONE, WIDTH, bucket,
};

/// One man in the unit that the parts of the evaluation are summed in, fine enough to round only
/// once.
const FINE_MAN: i32 = 100 * 256;

/// The lead of the side to move, in hundredths of a man. Not inlined, so that it is compiled once for
/// a board, not once for each game on it.
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
    lead_anywhere(network, pieces)
}

#[inline(always)]
pub(super) fn lead_anywhere<G: Features>(network: &Network, pieces: &Pieces<G>) -> i32 {
    let sum = sum(network, pieces);
    let count = pieces.occupied().len();
    let early = (count as i32).min(ALL_PIECES);
    let lead = i32::from(sum[0]) * early + i32::from(sum[1]) * (ALL_PIECES - early);
    let lead = i64::from(lead) * i64::from(FINE_MAN) / i64::from(MAN * ALL_PIECES);
    let fine = output(&network.outputs[bucket(count)], &sum) + lead as i32;
    (fine + FINE_MAN / 200).div_euclid(FINE_MAN / 100)
}

/// The bias plus the rows of a position.
#[inline(always)]
fn sum<G: Features>(network: &Network, pieces: &Pieces<G>) -> [i16; WIDTH] {
    let Row(mut sum) = network.bias;
    each_row(pieces, |row| {
        let Row(row) = &network.rows[row];
        for (sum, number) in sum.iter_mut().zip(row) {
            *sum = sum.saturating_add(*number);
        }
    });
    sum
}

/// The output layer: the value of the numbers other than the leads, in 1/[`FINE_MAN`] man.
#[inline(always)]
fn output(output: &Output, sum: &[i16; WIDTH]) -> i32 {
    let Row(weights) = &output.weights;
    // Two loops: a single one is not vectorized.
    let mut squares = *sum;
    for number in &mut squares {
        let active = (*number).clamp(0, (ONE - 1) as i16) << SHIFT;
        *number = ((i32::from(active) * i32::from(active)) >> 16) as i16;
    }
    let products = squares.iter().zip(weights);
    let all: i32 = products.map(|(&square, &weight)| i32::from(square) * i32::from(weight)).sum();
    all / (SQUARE_ONE * OUTPUT_MAN / FINE_MAN) + output.bias * (FINE_MAN / OUTPUT_MAN)
}
