//! The trainer's loops over rows of floating-point numbers, which take nearly all of its time. They
//! are in this package, and never inlined into `manoury`, because that package is compiled for
//! size.

use super::{HIDDEN_UNITS, LEADS, WIDTH};

/// A row of floating-point numbers. Numbers beyond [`WIDTH`] pad the last vector and are always 0.
pub type FloatRow = [f32; FLOATS];
/// [`WIDTH`], rounded up to whole vectors.
pub const FLOATS: usize = WIDTH.next_multiple_of(8);

/// The number of partial sums of a sum of products, which the compiler keeps in a vector.
const LANES: usize = 8;

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
#[inline(always)]
fn screlu(number: f32) -> f32 {
    let active = number.clamp(0.0, 1.0);
    active * active
}

/// The slope of [`screlu`].
#[inline(always)]
fn screlu_slope(number: f32) -> f32 {
    if number > 0.0 && number < 1.0 { 2.0 * number } else { 0.0 }
}

/// The numbers of a sum of rows, clamped and squared; 0 for the leads.
#[inline(never)]
pub fn squares(sum: &FloatRow) -> FloatRow {
    let mut squares = sum.map(screlu);
    squares[..LEADS].fill(0.0);
    squares
}

/// The sum of the products of two rows.
#[inline(never)]
pub fn dot(one: &FloatRow, other: &FloatRow) -> f32 {
    let mut sums = [0.0; LANES];
    for (one, other) in one.as_chunks::<LANES>().0.iter().zip(other.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum()
}

/// Adds a row to a sum, multiplied by a factor.
#[inline(never)]
pub fn add_times(sum: &mut FloatRow, factor: f32, row: &FloatRow) {
    for number in 0..FLOATS {
        sum[number] += factor * row[number];
    }
}

/// The gradient with respect to a sum of rows, given the gradient with respect to its squares; 0
/// for the leads.
#[inline(never)]
pub fn sum_gradient(by_squares: &FloatRow, sum: &FloatRow) -> FloatRow {
    let mut gradient = [0.0; FLOATS];
    for number in LEADS..FLOATS {
        gradient[number] = by_squares[number] * screlu_slope(sum[number]);
    }
    gradient
}

/// A unit of a hidden layer. The weights of the leads are 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatUnit {
    /// The weights of the squares.
    pub weights: FloatRow,
    /// The bias.
    pub bias: f32,
    /// The weight of the unit in the output, in men.
    pub output: f32,
}

/// A hidden layer.
pub type FloatLayer = [FloatUnit; HIDDEN_UNITS];

impl FloatUnit {
    /// A unit with all parameters 0.
    pub const ZERO: Self = FloatUnit { weights: [0.0; FLOATS], bias: 0.0, output: 0.0 };
}

/// The part of the output that comes from a hidden layer, in men.
#[inline(never)]
pub fn hidden_output(layer: &FloatLayer, squares: &FloatRow) -> f32 {
    layer.iter().map(|unit| unit.output * screlu(unit.bias + dot(&unit.weights, squares))).sum()
}

/// Adds the gradient with respect to the parameters of a hidden layer to `gradient`, and that with
/// respect to the squares to `by_squares`, given the slope of the loss with respect to the output.
#[inline(never)]
pub fn add_hidden_gradient(
    gradient: &mut FloatLayer,
    by_squares: &mut FloatRow,
    slope: f32,
    layer: &FloatLayer,
    squares: &FloatRow,
) {
    for (unit, gradient) in layer.iter().zip(gradient) {
        let sum = unit.bias + dot(&unit.weights, squares);
        gradient.output += slope * screlu(sum);
        let slope = slope * unit.output * screlu_slope(sum);
        if slope != 0.0 {
            gradient.bias += slope;
            add_times(&mut gradient.weights, slope, squares);
            add_times(by_squares, slope, &unit.weights);
        }
    }
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

    /// A sum with numbers below, within and above the clamping range, but none at its bounds.
    fn sum() -> FloatRow {
        std::array::from_fn(|number| number as f32 / 20.0 - 0.32)
    }

    /// A layer whose units are below, within and above the clamping range.
    fn layer() -> FloatLayer {
        std::array::from_fn(|unit| {
            let weights = std::array::from_fn(|number| {
                if number < LEADS { 0.0 } else { ((number * 7 + unit) % 5) as f32 / 100.0 - 0.02 }
            });
            FloatUnit { weights, bias: unit as f32 / 5.0 - 0.21, output: 1.5 - unit as f32 }
        })
    }

    /// Checks that a slope is the change of `value` when a number is moved a little.
    fn check(found: f32, now: f32, moved: f32, what: &str) {
        assert!((3.0 * (moved - now) / STEP - found).abs() < 0.1, "{what}: {found}");
    }

    const STEP: f32 = 1e-3;

    #[test]
    fn gradients_are_the_slopes_of_the_output() {
        let (sum, layer) = (sum(), layer());
        let value = |layer: &FloatLayer, sum: &FloatRow| hidden_output(layer, &squares(sum));
        let now = value(&layer, &sum);
        let (mut gradient, mut by_squares) = ([FloatUnit::ZERO; HIDDEN_UNITS], [0.0; FLOATS]);
        add_hidden_gradient(&mut gradient, &mut by_squares, 3.0, &layer, &squares(&sum));
        let by_sum = sum_gradient(&by_squares, &sum);
        for number in 0..FLOATS {
            let mut moved = sum;
            moved[number] += STEP;
            check(by_sum[number], now, value(&layer, &moved), &format!("number {number}"));
        }
        for unit in 0..HIDDEN_UNITS {
            let with = |change: fn(&mut FloatUnit)| {
                let mut moved = layer;
                change(&mut moved[unit]);
                value(&moved, &sum)
            };
            let FloatUnit { weights, bias, output } = gradient[unit];
            let what = format!("unit {unit}");
            check(weights[20], now, with(|unit| unit.weights[20] += STEP), &what);
            check(bias, now, with(|unit| unit.bias += STEP), &what);
            check(output, now, with(|unit| unit.output += STEP), &what);
        }
        assert!(gradient.iter().any(|unit| unit.bias == 0.0));
        assert!(gradient.iter().any(|unit| unit.bias != 0.0));
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
