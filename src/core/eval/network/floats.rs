//! The trainer's loops over rows of floating-point numbers, which take nearly all of its time. They
//! are in this package, and never inlined into `manoury`, because that package is compiled for
//! size.

use super::{LEADS, WIDTH};

/// A row of floating-point numbers. Numbers beyond [`WIDTH`] pad the last vector and are always 0.
pub type FloatRow = [f32; FLOATS];
/// [`WIDTH`], rounded up to whole vectors.
pub const FLOATS: usize = WIDTH.next_multiple_of(8);

/// Prevents division by zero in [`adagrad_step`].
const EPSILON: f32 = 1e-6;

/// Adds a row to a sum.
#[inline(never)]
pub fn add(sum: &mut FloatRow, row: &FloatRow) {
    for number in 0..FLOATS {
        sum[number] += row[number];
    }
}

/// Adds the sum of three rows to a sum.
#[inline(never)]
pub fn add_three(sum: &mut FloatRow, rows: [&FloatRow; 3]) {
    let [first, second, third] = rows;
    for number in 0..FLOATS {
        sum[number] += first[number] + second[number] + third[number];
    }
}

/// The squared clipped ReLU: the number is clamped to 0 .. 1 and squared.
#[inline]
fn screlu(number: f32) -> f32 {
    let active = number.clamp(0.0, 1.0);
    active * active
}

/// Adds the network's output for a sum of rows to `value`. The weights of the leads must be 0.
#[inline(never)]
pub fn add_output(value: f32, weights: &FloatRow, sum: &FloatRow) -> f32 {
    let numbers = sum.iter().zip(weights);
    numbers.fold(value, |value, (number, weight)| value + weight * screlu(*number))
}

/// Adds the gradient with respect to the output weights to `gradient`, given the slope of the loss
/// with respect to the output.
#[inline(never)]
pub fn add_weight_gradient(gradient: &mut FloatRow, slope: f32, sum: &FloatRow) {
    for number in LEADS..FLOATS {
        gradient[number] += slope * screlu(sum[number]);
    }
}

/// The gradient with respect to a sum of rows, given the slope of the loss with respect to the
/// output; 0 for the leads.
#[inline(never)]
pub fn sum_gradient(slope: f32, weights: &FloatRow, sum: &FloatRow) -> FloatRow {
    let mut gradient = [0.0; FLOATS];
    for number in LEADS..FLOATS {
        let is_between = sum[number] > 0.0 && sum[number] < 1.0;
        gradient[number] =
            if is_between { slope * weights[number] * 2.0 * sum[number] } else { 0.0 };
    }
    gradient
}

/// A step of Adagrad for a row: see [`adagrad_step`].
#[inline(never)]
pub fn adagrad_row(row: &mut FloatRow, squares: &mut FloatRow, gradient: &FloatRow, rate: f32) {
    for number in 0..FLOATS {
        adagrad_step(&mut row[number], &mut squares[number], gradient[number], rate);
    }
}

/// A step of Adagrad (J. Duchi, E. Hazan, Y. Singer, *Adaptive subgradient methods*, 2011): the
/// greater the sum of squared gradients, the smaller the step.
#[inline]
pub fn adagrad_step(number: &mut f32, square: &mut f32, gradient: f32, rate: f32) {
    *square += gradient * gradient;
    *number -= rate * gradient / (square.sqrt() + EPSILON);
}

/// Appends numbers to bytes, little-endian.
#[inline(never)]
pub fn push_numbers(bytes: &mut Vec<u8>, numbers: &[f32]) {
    bytes.reserve(size_of_val(numbers));
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
}

/// Sets numbers from the little-endian bytes at the beginning of `bytes`. Returns the rest; `None`
/// if there are too few.
#[inline(never)]
pub fn take_numbers<'a>(bytes: &'a [u8], numbers: &mut [f32]) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(size_of_val(numbers))?;
    for (number, bytes) in numbers.iter_mut().zip(taken.as_chunks().0) {
        *number = f32::from_le_bytes(*bytes);
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights of an output row, and a sum with numbers below, within and above the clamping
    /// range, but none at its bounds.
    fn example() -> (FloatRow, FloatRow) {
        let mut weights = [0.5; FLOATS];
        weights[..LEADS].fill(0.0);
        weights[15] = -2.0;
        (weights, std::array::from_fn(|number| number as f32 / 20.0 - 0.32))
    }

    #[test]
    fn gradients_are_the_slopes_of_the_output() {
        const STEP: f32 = 1e-3;
        let (weights, sum) = example();
        let by_sum = sum_gradient(3.0, &weights, &sum);
        let mut by_weights = [1.0; FLOATS];
        add_weight_gradient(&mut by_weights, 3.0, &sum);
        for number in 0..FLOATS {
            let (mut moved, mut heavier) = (sum, weights);
            moved[number] += STEP;
            heavier[number] += STEP;
            let now = add_output(0.0, &weights, &sum);
            let slope = |then: f32| 3.0 * (then - now) / STEP;
            let found = by_sum[number];
            assert!((slope(add_output(0.0, &weights, &moved)) - found).abs() < 0.1, "{number}");
            let found = by_weights[number] - 1.0;
            let expected =
                if number < LEADS { 0.0 } else { slope(add_output(0.0, &heavier, &sum)) };
            assert!((expected - found).abs() < 0.1, "{number}");
        }
    }

    #[test]
    fn adagrad_steps_get_smaller() {
        let (mut row, mut squares) = ([0.0; FLOATS], [0.0; FLOATS]);
        let mut gradient = [0.5; FLOATS];
        gradient[0] = 0.0;
        adagrad_row(&mut row, &mut squares, &gradient, 0.1);
        let first = row[1];
        adagrad_row(&mut row, &mut squares, &gradient, 0.1);
        assert!(row[0] == 0.0 && (first + 0.1).abs() < 1e-5, "{first}");
        assert!((row[1] - first) > first && row[1] < first, "{}", row[1]);
        assert_eq!((squares[0], squares[1]), (0.0, 0.5));
    }
}
