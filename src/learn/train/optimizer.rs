//! Gradient descent with Adagrad.
//!
//! The steps of a parameter get smaller as the sum of its squared gradients grows. Rows that do not
//! occur in a batch are left unchanged. Gradients are summed in a fixed order, so the result does
//! not depend on the number of threads.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::eval::network::features::{HALF_STATES, STATES, halves};
use crate::eval::network::floats::{
    FLOATS, FloatLayer, FloatRow, FloatUnit, adagrad_row, adagrad_step, add,
};
use crate::eval::network::{BUCKETS, HIDDEN_UNITS};

use super::gradient::Gradient;
use super::model::{FloatOutput, Model, limit_layer};
use super::training_set::TrainingSet;

/// The number of examples per unit of parallel work.
const CHUNK: usize = 128;

/// Learning rates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearningRates {
    /// The learning rate of rows.
    pub rows: f64,
    /// The learning rate of output rows.
    pub outputs: f64,
}

impl LearningRates {
    /// Both rates multiplied by a factor.
    pub(super) fn times(self, factor: f64) -> Self {
        LearningRates { rows: self.rows * factor, outputs: self.outputs * factor }
    }
}

/// The state of the optimizer, with reusable buffers.
pub(super) struct Optimizer {
    /// The sum of squared gradients of each parameter of the network.
    pub(super) squares: Model,
    windows: Vec<RowGradients>,
    kings: RowGradients,
}

/// The gradients of the rows that occur in a batch.
struct RowGradients {
    /// The index of each row in `list`, counted from 1; 0 for rows not in the list.
    places: Vec<u16>,
    list: Vec<(u32, FloatRow)>,
}

impl Optimizer {
    /// An optimizer with the given sums of squared gradients.
    pub(super) fn new(squares: Model) -> Self {
        let shape = squares.shape;
        let windows = (0..shape.windows).map(|_| RowGradients::new(STATES)).collect();
        let kings = RowGradients::new(2 * shape.king_squares);
        Optimizer { squares, windows, kings }
    }

    /// Performs an optimizer step for a batch of examples, given by their numbers. Returns the sum
    /// of their losses before the step.
    pub(super) fn step(
        &mut self,
        model: &mut Model,
        examples: &TrainingSet,
        batch: &[u32],
        rates: LearningRates,
    ) -> f64 {
        let chunks: Vec<Gradient> =
            batch.par_chunks(CHUNK).map(|chunk| Gradient::of(model, examples, chunk)).collect();
        let gradients = chunks.iter().flat_map(|chunk| &chunk.sums);
        let gradients: Vec<(u32, &FloatRow)> = batch.iter().copied().zip(gradients).collect();
        let Optimizer { squares, windows, kings } = self;
        let [rate, output_rate] = [rates.rows, rates.outputs].map(|rate| rate as f32);
        let first_king = model.shape.kings();
        let (rows, king_rows) = model.rows.split_at_mut(first_king);
        let (row_squares, king_squares) = squares.rows.split_at_mut(first_king);
        let rows = rows.par_chunks_mut(STATES).zip(row_squares.par_chunks_mut(STATES));
        let halves = model.halves.par_chunks_mut(2 * HALF_STATES);
        let halves = halves.zip(squares.halves.par_chunks_mut(2 * HALF_STATES));
        let windows = windows.par_iter_mut().zip(&examples.states).zip(rows.zip(halves));
        windows.for_each(|((window, states), ((rows, row_squares), (halves, half_squares)))| {
            for &(example, gradient) in &gradients {
                window.add(usize::from(states[example as usize]), gradient);
            }
            update_rows(halves, half_squares, &window.of_halves(), rate);
            window.apply(rows, row_squares, rate);
        });
        for &(example, gradient) in &gradients {
            for &king in examples.kings_of(example as usize) {
                kings.add(usize::from(king), gradient);
            }
        }
        kings.apply(king_rows, king_squares, rate);
        let mut bias = [0.0; FLOATS];
        gradients.iter().for_each(|(_, gradient)| add(&mut bias, gradient));
        adagrad_row(&mut model.bias, &mut squares.bias, &bias, rate);
        let outputs = sum(chunks.iter().map(|chunk| &chunk.outputs));
        let margins = sum(chunks.iter().map(|chunk| &chunk.margins));
        let hidden = sum_layers(chunks.iter().map(|chunk| &chunk.hidden));
        step_layers(&mut model.hidden, &mut squares.hidden, &hidden, output_rate);
        let rows = model.outputs.iter_mut().chain(&mut model.margins);
        let squares = squares.outputs.iter_mut().chain(&mut squares.margins);
        for ((output, squares), gradient) in rows.zip(squares).zip(outputs.iter().chain(&margins)) {
            adagrad_row(&mut output.weights, &mut squares.weights, &gradient.weights, output_rate);
            adagrad_step(&mut output.bias, &mut squares.bias, gradient.bias, output_rate);
            output.limit();
        }
        chunks.iter().map(|chunk| chunk.loss).sum()
    }
}

/// Sums the gradients of output rows.
fn sum<'a>(parts: impl Iterator<Item = &'a [FloatOutput; BUCKETS]>) -> [FloatOutput; BUCKETS] {
    let mut outputs = [FloatOutput::ZERO; BUCKETS];
    for part in parts {
        for (all, part) in outputs.iter_mut().zip(part) {
            add(&mut all.weights, &part.weights);
            all.bias += part.bias;
        }
    }
    outputs
}

/// Sums the gradients of hidden layers.
fn sum_layers<'a>(parts: impl Iterator<Item = &'a [FloatLayer; BUCKETS]>) -> [FloatLayer; BUCKETS] {
    let mut layers = [[FloatUnit::ZERO; HIDDEN_UNITS]; BUCKETS];
    for part in parts {
        for (all, part) in layers.as_flattened_mut().iter_mut().zip(part.as_flattened()) {
            add(&mut all.weights, &part.weights);
            all.bias += part.bias;
            all.output += part.output;
        }
    }
    layers
}

/// Performs a step for hidden layers, given their gradients.
fn step_layers(
    layers: &mut [FloatLayer; BUCKETS],
    squares: &mut [FloatLayer; BUCKETS],
    gradients: &[FloatLayer; BUCKETS],
    rate: f32,
) {
    let squares = squares.as_flattened_mut().iter_mut().zip(gradients.as_flattened());
    for (unit, (squares, gradient)) in layers.as_flattened_mut().iter_mut().zip(squares) {
        adagrad_row(&mut unit.weights, &mut squares.weights, &gradient.weights, rate);
        adagrad_step(&mut unit.bias, &mut squares.bias, gradient.bias, rate);
        adagrad_step(&mut unit.output, &mut squares.output, gradient.output, rate);
    }
    layers.iter_mut().for_each(limit_layer);
}

impl RowGradients {
    /// An empty list of gradients for the given number of rows.
    fn new(rows: usize) -> Self {
        RowGradients { places: vec![0; rows], list: Vec::new() }
    }

    #[inline]
    fn add(&mut self, row: usize, gradient: &FloatRow) {
        if self.places[row] == 0 {
            self.list.push((row as u32, *gradient));
            self.places[row] = self.list.len() as u16;
        } else {
            add(&mut self.list[usize::from(self.places[row]) - 1].1, gradient);
        }
    }

    /// The gradients of the halves of a window.
    fn of_halves(&self) -> Vec<FloatRow> {
        let mut gradients = vec![[0.0; FLOATS]; 2 * HALF_STATES];
        for (state, gradient) in &self.list {
            for half in halves(*state as usize) {
                add(&mut gradients[half], gradient);
            }
        }
        gradients
    }

    /// Updates the rows, and clears their gradients.
    fn apply(&mut self, rows: &mut [FloatRow], squares: &mut [FloatRow], rate: f32) {
        for (row, gradient) in self.list.drain(..) {
            let row = row as usize;
            self.places[row] = 0;
            adagrad_row(&mut rows[row], &mut squares[row], &gradient, rate);
        }
    }
}

fn update_rows(rows: &mut [FloatRow], squares: &mut [FloatRow], gradients: &[FloatRow], rate: f32) {
    for ((row, squares), gradient) in rows.iter_mut().zip(squares).zip(gradients) {
        adagrad_row(row, squares, gradient, rate);
    }
}
