//! The arithmetic of a network, as fast as the processor allows.
//!
//! Plain code that the compiler vectorizes: once for the target of the build, and once for x86-64
//! with AVX2, used where detected at run time.

use crate::position::Pieces;

use super::features::{Features, ROOM, each_king_row, window_rows};
use super::packed::{PackedOutput, PackedRow, Sum};
use super::{ALL_PIECES, BUCKETS, MAN, Network, ONE, OUTPUT_MAN, bucket};

/// One man in the unit that the parts of the evaluation are summed in, fine enough to round only
/// once.
const FINE_MAN: i32 = 100 * 256;
/// The numbers in a vector.
const LANES: usize = 16;

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
    let lead = sum.lead(0) * early + sum.lead(1) * (ALL_PIECES - early);
    let lead = lead * const { FINE_MAN / (MAN * ALL_PIECES) };
    let fine = output(&network.outputs[bucket(count)], &sum) + lead;
    hundredths(fine)
}

/// The lead that wins half of the games, in hundredths of a man. For people, so it need not be fast.
#[inline(never)]
pub(super) fn margin<G: Features>(
    network: &Network,
    margins: &[PackedOutput; BUCKETS],
    pieces: &Pieces<G>,
) -> i32 {
    let count = pieces.occupied().len();
    hundredths(output(&margins[bucket(count)], &sum(network, pieces)))
}

/// The nearest hundredth of a man.
#[inline(always)]
fn hundredths(fine: i32) -> i32 {
    (fine + FINE_MAN / 200).div_euclid(FINE_MAN / 100)
}

/// The bias plus the rows of a position. The loop over rows is the inner one, so that a vector of
/// sums stays in a register.
#[inline(always)]
fn sum<G: Features>(network: &Network, pieces: &Pieces<G>) -> Sum {
    let indexes = window_rows(pieces);
    let mut windows = [&network.rows[0]; ROOM];
    // Not `map`, a function of its own that knows nothing of AVX2: it made searches 4 % slower.
    for (row, &index) in windows[..G::WINDOWS].iter_mut().zip(&indexes) {
        *row = &network.rows[index as usize];
    }
    let mut sum = network.bias;
    for (part, place) in sum.0.as_chunks_mut().0.iter_mut().zip(0..) {
        let mut in_register = *part;
        windows[..G::WINDOWS].iter().for_each(|row| add(&mut in_register, row, place));
        *part = in_register;
    }
    each_king_row(pieces, |row| {
        for (part, place) in sum.0.as_chunks_mut().0.iter_mut().zip(0..) {
            add(part, &network.rows[row], place);
        }
    });
    sum
}

/// Adds a vector of numbers of a row.
#[inline(always)]
fn add(sum: &mut [i16; LANES], row: &PackedRow, place: usize) {
    let row: [i8; LANES] = row.0.as_chunks().0[place];
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += i16::from(number);
    }
}

/// The output layer: the value of the numbers other than the leads, in 1/[`FINE_MAN`] man.
#[inline(always)]
fn output(output: &PackedOutput, sum: &Sum) -> i32 {
    // Two loops: a single one is not vectorized.
    let mut squares = sum.0;
    for number in &mut squares {
        let active = (*number).clamp(0, ONE as i16);
        *number = active * active;
    }
    let products = squares.iter().zip(&output.weights.0);
    let all: i32 = products.map(|(&square, &weight)| i32::from(square) * i32::from(weight)).sum();
    all / const { ONE * ONE * OUTPUT_MAN / FINE_MAN } + output.bias * (FINE_MAN / OUTPUT_MAN)
}
