//! Rows packed into one cache line each.
//!
//! A packed row has a byte for each number, but two for a lead, which needs a wider range: its lower
//! part and the multiple of [`UPPER`] that is left. They are summed like the others, and put
//! together in the sum.

use super::{BUCKETS, LEADS, Output, Row, WIDTH};

/// The number of bytes in a packed row.
const BYTES: usize = LEADS + WIDTH;
/// The unit of the upper part of a lead, in units of the lower one.
const UPPER: i32 = 64;
/// The greatest lead in a packed row.
const MAX_LEAD: i32 = UPPER * 126;

/// The numbers of a row as signed bytes: upper and lower part of each lead, then the other numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct PackedRow(pub(super) [i8; BYTES]);

/// A sum of packed rows, or weights for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Sum(pub(super) [i16; BYTES]);

/// An output row for the numbers of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedOutput {
    /// In 1/1600 man; those of leads are 0.
    pub(super) weights: Sum,
    /// In 1/1600 man.
    pub(super) bias: i32,
}

impl PackedRow {
    /// The numbers `at` each place of a row, each limited to the range of its place.
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
    /// The sum of no rows but a bias.
    pub(super) fn of_bias(bias: &Row) -> Self {
        let mut sum = Self::of_others(bias);
        for place in 0..LEADS {
            [sum.0[2 * place], sum.0[2 * place + 1]] =
                parts(bias.0[place].into()).map(|part| part as i16);
        }
        sum
    }

    /// The numbers of a row that are no leads, with 0 for the leads.
    fn of_others(row: &Row) -> Self {
        let mut sum = [0; BYTES];
        sum[2 * LEADS..].copy_from_slice(&row.0[LEADS..]);
        Sum(sum)
    }

    /// A lead: the opening one is at place 0, the ending one at place 1.
    #[inline(always)]
    pub(super) fn lead(&self, place: usize) -> i32 {
        UPPER * i32::from(self.0[2 * place]) + i32::from(self.0[2 * place + 1])
    }
}

/// Output rows for the numbers of sums.
pub(super) fn packed(outputs: &[Output; BUCKETS]) -> [PackedOutput; BUCKETS] {
    outputs.map(|Output { weights, bias }| PackedOutput { weights: Sum::of_others(&weights), bias })
}

/// The upper and the lower part of a lead, the latter -32 to 31.
#[inline(always)]
fn parts(lead: i32) -> [i32; 2] {
    let upper = (lead + UPPER / 2).div_euclid(UPPER);
    [upper, lead - UPPER * upper]
}
