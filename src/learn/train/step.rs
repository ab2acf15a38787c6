//! One step of learning: the slope of the loss over a batch, and the network a little further down.
//!
//! Adagrad (J. Duchi, E. Hazan, Y. Singer, *Adaptive subgradient methods*, 2011): each number has the sum
//! of its squared slopes, and the more it has moved, the less it moves. A row that no example of the batch
//! has is not touched.
//!
//! Whatever the threads do, the sums are made in one order, so that the same data make the same network.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::eval::network::features::{Features, STATES};
use crate::eval::network::{BUCKETS, LEADS, WIDTH, bucket};

use super::examples::{Examples, chance};
use super::model::{HALF, Model, Output, Row, halves, lateness};

/// Examples of one piece of work.
const CHUNK: usize = 128;
/// Keeps the first steps small.
const EPSILON: f32 = 1e-6;

/// How the network learns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rates {
    /// By how much rows move.
    pub rows: f64,
    /// By how much the output rows do.
    pub outputs: f64,
}

impl Rates {
    /// All of them, times a factor.
    pub(super) fn times(self, factor: f64) -> Self {
        Rates { rows: self.rows * factor, outputs: self.outputs * factor }
    }
}

/// What is remembered of all steps, and room to work.
pub(super) struct Memory {
    /// The sums of squared slopes, number by number as in the network.
    pub(super) squares: Model,
    windows: Vec<Slots>,
    kings: Slots,
}

/// The slopes of the rows that a batch has.
struct Slots {
    /// For each row its place in the list, counted from 1.
    places: Vec<u16>,
    list: Vec<(u32, Row)>,
}

impl Memory {
    /// With these sums.
    pub(super) fn new<G: Features>(squares: Model) -> Self {
        let slots = |rows| Slots { places: vec![0; rows], list: Vec::new() };
        let windows = (0..G::WINDOWS).map(|_| slots(STATES)).collect();
        Memory { squares, windows, kings: slots(2 * G::BITS) }
    }
}

/// The slopes of some examples, and what they were made of.
struct Slopes {
    outputs: [Output; BUCKETS],
    /// By example: how the loss changes with the numbers of the sum.
    sums: Vec<Row>,
    loss: f64,
}

/// Learns from a batch. Returns the sum of its losses before.
pub(super) fn step<G: Features>(
    model: &mut Model,
    memory: &mut Memory,
    examples: &Examples,
    order: &[u32],
    rates: Rates,
) -> f64 {
    let chunks: Vec<Slopes> =
        order.par_chunks(CHUNK).map(|chunk| slopes::<G>(model, examples, chunk)).collect();
    let slopes = || order.iter().copied().zip(chunks.iter().flat_map(|chunk| &chunk.sums));
    let Memory { squares, windows, kings } = memory;
    let [rate, output_rate] = [rates.rows, rates.outputs].map(|rate| rate as f32);
    let (rows, king_rows) = model.rows.split_at_mut(G::KINGS);
    let (row_squares, king_squares) = squares.rows.split_at_mut(G::KINGS);
    let rows = rows.par_chunks_mut(STATES).zip(row_squares.par_chunks_mut(STATES));
    let halves = model.halves.par_chunks_mut(2 * HALF);
    let halves = halves.zip(squares.halves.par_chunks_mut(2 * HALF));
    let windows = windows.par_iter_mut().zip(&examples.states).zip(rows.zip(halves));
    windows.for_each(|((slots, states), ((rows, row_squares), (halves, half_squares)))| {
        for (example, slope) in slopes() {
            slots.add(usize::from(states[example as usize]), slope);
        }
        descend(halves, half_squares, &slots.of_halves(), rate);
        slots.apply(rows, row_squares, rate);
    });
    for (example, slope) in slopes() {
        for &king in examples.kings_of(example as usize) {
            kings.add(usize::from(king), slope);
        }
    }
    kings.apply(king_rows, king_squares, rate);
    let mut bias = [0.0; WIDTH];
    let mut outputs = [Output::default(); BUCKETS];
    for chunk in &chunks {
        chunk.sums.iter().for_each(|slope| add(&mut bias, slope));
        for (all, part) in outputs.iter_mut().zip(&chunk.outputs) {
            add(&mut all.weights, &part.weights);
            all.bias += part.bias;
        }
    }
    move_row(&mut model.bias, &mut squares.bias, &bias, rate);
    for ((output, squares), slope) in
        model.outputs.iter_mut().zip(&mut squares.outputs).zip(&outputs)
    {
        move_row(&mut output.weights, &mut squares.weights, &slope.weights, output_rate);
        move_by(&mut output.bias, &mut squares.bias, slope.bias, output_rate);
    }
    chunks.iter().map(|chunk| chunk.loss).sum()
}

impl Slots {
    fn add(&mut self, row: usize, slope: &Row) {
        if self.places[row] == 0 {
            self.list.push((row as u32, [0.0; WIDTH]));
            self.places[row] = self.list.len() as u16;
        }
        add(&mut self.list[usize::from(self.places[row]) - 1].1, slope);
    }

    /// The slopes of the halves of a window.
    fn of_halves(&self) -> Vec<Row> {
        let mut slopes = vec![[0.0; WIDTH]; 2 * HALF];
        for (state, slope) in &self.list {
            for half in halves(*state as usize) {
                add(&mut slopes[half], slope);
            }
        }
        slopes
    }

    /// Moves the rows, and forgets their slopes.
    fn apply(&mut self, rows: &mut [Row], squares: &mut [Row], rate: f32) {
        for (row, slope) in self.list.drain(..) {
            let row = row as usize;
            self.places[row] = 0;
            move_row(&mut rows[row], &mut squares[row], &slope, rate);
        }
    }
}

fn slopes<G: Features>(model: &Model, examples: &Examples, chunk: &[u32]) -> Slopes {
    let mut slopes = Slopes {
        outputs: [Output::default(); BUCKETS],
        sums: Vec::with_capacity(chunk.len()),
        loss: 0.0,
    };
    for &example in chunk {
        let example = example as usize;
        let answer = model.answer::<G>(examples, example);
        let (target, found) = (examples.targets[example], chance(answer.lead));
        slopes.loss += loss(target, found);
        let slope = (found - target) / answer.divisor;
        let (pieces, sum) = (examples.pieces[example], &answer.sum);
        let bucket = bucket(usize::from(pieces));
        let (output, slope_of) = (&model.outputs[bucket], &mut slopes.outputs[bucket]);
        let mut row = [0.0; WIDTH];
        row[0] = slope * (1.0 - lateness(pieces));
        row[1] = slope * lateness(pieces);
        for number in LEADS..WIDTH {
            let active = sum[number].clamp(0.0, 1.0);
            slope_of.weights[number] += slope * active * active;
            let is_between = sum[number] > 0.0 && sum[number] < 1.0;
            row[number] =
                if is_between { slope * output.weights[number] * 2.0 * active } else { 0.0 };
        }
        slope_of.bias += slope;
        slopes.sums.push(row);
    }
    slopes
}

/// The logistic loss, without what no network could do better.
pub(super) fn loss(target: f32, found: f32) -> f64 {
    let [target, found] = [target, found].map(|chance| f64::from(chance).clamp(1e-7, 1.0 - 1e-7));
    let excess = |target: f64, found: f64| target * libm::log(target / found);
    excess(target, found) + excess(1.0 - target, 1.0 - found)
}

/// The losses over all examples, summed up by their output rows, and how many there are of each.
pub(super) fn losses<G: Features>(model: &Model, examples: &Examples) -> [(f64, u64); BUCKETS] {
    let one = |example| {
        loss(examples.targets[example], chance(model.answer::<G>(examples, example).lead))
    };
    let losses: Vec<f64> = (0..examples.len()).into_par_iter().map(one).collect();
    let mut sums = [(0.0, 0); BUCKETS];
    for (loss, &pieces) in losses.iter().zip(&examples.pieces) {
        let sum = &mut sums[bucket(usize::from(pieces))];
        *sum = (sum.0 + loss, sum.1 + 1);
    }
    sums
}

fn descend(rows: &mut [Row], squares: &mut [Row], slopes: &[Row], rate: f32) {
    for ((row, squares), slope) in rows.iter_mut().zip(squares).zip(slopes) {
        move_row(row, squares, slope, rate);
    }
}

fn move_row(row: &mut Row, squares: &mut Row, slopes: &Row, rate: f32) {
    for ((number, square), &slope) in row.iter_mut().zip(squares).zip(slopes) {
        move_by(number, square, slope, rate);
    }
}

fn move_by(number: &mut f32, square: &mut f32, slope: f32, rate: f32) {
    *square += slope * slope;
    *number -= rate * slope / (square.sqrt() + EPSILON);
}

fn add(sum: &mut Row, row: &Row) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += number;
    }
}
