//! The network being trained, with floating-point parameters.

use std::slice;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::eval::network::features::{FeatureShape, HALF_STATES, STATES, halves};
use crate::eval::network::floats::{
    FLOATS, FloatLayer, FloatRow, FloatUnit, add, add_three, add_times, dot, hidden_output, squares,
};
use crate::eval::network::{
    self, ALL_PIECES, BUCKETS, HIDDEN_ONE, HIDDEN_UNITS, LEADS, MAN, ONE, OUTPUT_MAN, Row, WIDTH,
    bucket,
};
use crate::weights::FactorizedNetwork;

use super::training_set::TrainingSet;

/// The parameters of a network.
#[derive(Clone)]
pub(super) struct Model {
    /// The shape of the features for its board.
    pub(super) shape: FeatureShape,
    /// The rows of windows, then those of kings.
    pub(super) rows: Vec<FloatRow>,
    /// For each window, the rows of its lower half, then those of its upper half. Each half covers
    /// two rows of the board. The rows of halves are added to the rows of the window's states, so
    /// that states that are rare or absent in the training data are still valued by their halves.
    pub(super) halves: Vec<FloatRow>,
    /// The row added to every sum.
    pub(super) bias: FloatRow,
    /// The output rows, by the number of pieces.
    pub(super) outputs: [FloatOutput; BUCKETS],
    /// The output rows for the margin, which is the lead, in men, at which half of all games are
    /// won.
    pub(super) margins: [FloatOutput; BUCKETS],
    /// The hidden layer beside each output row.
    pub(super) hidden: [FloatLayer; BUCKETS],
}

/// An output row. The weights of the leads are 0.
#[derive(Clone, Copy)]
pub(super) struct FloatOutput {
    pub(super) weights: FloatRow,
    pub(super) bias: f32,
}

impl FloatOutput {
    /// An output row with all parameters 0.
    pub(super) const ZERO: Self = FloatOutput { weights: [0.0; FLOATS], bias: 0.0 };

    /// Adds the gradient of an example with the given squares, and the given slope of the loss with
    /// respect to the output.
    pub(super) fn add(&mut self, slope: f32, squares: &FloatRow) {
        add_times(&mut self.weights, slope, squares);
        self.bias += slope;
    }

    /// Scales the weights and clamps the bias to what the engine's integers can represent.
    pub(super) fn limit(&mut self) {
        let factor = limit_factor(&self.weights, 0.0, MAX_WEIGHTS);
        self.weights.iter_mut().for_each(|weight| *weight *= factor);
        self.bias = self.bias.clamp(-MAX_BIAS, MAX_BIAS);
    }
}

/// Scales the parameters of a hidden layer to what the engine's integers can represent.
pub(super) fn limit_layer(layer: &mut FloatLayer) {
    let outputs = layer.map(|unit| unit.output);
    let output_factor = limit_factor(&outputs, 0.0, MAX_WEIGHTS);
    for unit in layer {
        let factor = limit_factor(&unit.weights, unit.bias, MAX_HIDDEN_WEIGHTS);
        unit.weights.iter_mut().for_each(|weight| *weight *= factor);
        unit.bias *= factor;
        unit.output *= output_factor;
    }
}

/// The factor, at most 1, by which weights and a bias are scaled so that the sum of their absolute
/// values is at most `most`.
fn limit_factor(weights: &[f32], bias: f32, most: f32) -> f32 {
    let sum: f32 = weights.iter().chain([&bias]).map(|number| number.abs()).sum();
    if sum > most { most / sum } else { 1.0 }
}

/// The maximum sum of the absolute weights of an output row, in men, and of the output weights of
/// its hidden units: half of what the engine allows for both. Rounding adds at most half a unit for
/// each weight.
const MAX_WEIGHTS: f32 =
    (network::MAX_OUTPUT_WEIGHTS / 2 - WIDTH as i32) as f32 / OUTPUT_MAN as f32;
/// The maximum sum of the absolute weights and bias of a hidden unit. Rounding adds at most half a
/// unit for each.
const MAX_HIDDEN_WEIGHTS: f32 =
    (network::MAX_HIDDEN_WEIGHTS - WIDTH as i32) as f32 / HIDDEN_ONE as f32;
/// The maximum absolute bias of an output row, in men.
const MAX_BIAS: f32 = (network::MAX_OUTPUT_BIAS - 1) as f32 / OUTPUT_MAN as f32;

/// The output of the network for a position.
#[derive(Clone, Copy)]
pub(super) struct Prediction {
    /// The sum of the position's rows.
    pub(super) sum: FloatRow,
    /// The numbers of the sum, clamped and squared.
    pub(super) squares: FloatRow,
    /// The lead of the side to move, in men, divided by the divisor.
    pub(super) lead: f32,
    /// The divisor applied to the lead.
    pub(super) divisor: f32,
}

impl Model {
    /// A network with all parameters 0.
    pub(super) fn zeros(shape: FeatureShape) -> Self {
        Model {
            shape,
            rows: vec![[0.0; FLOATS]; shape.rows()],
            halves: vec![[0.0; FLOATS]; shape.halves()],
            bias: [0.0; FLOATS],
            outputs: [FloatOutput::ZERO; BUCKETS],
            margins: [FloatOutput::ZERO; BUCKETS],
            hidden: [[FloatUnit::ZERO; HIDDEN_UNITS]; BUCKETS],
        }
    }

    /// All parameters, in the order of checkpoints.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let rows = [&mut self.rows, &mut self.halves].map(|rows| rows.as_flattened_mut());
        let outputs = self.outputs.iter_mut().chain(&mut self.margins);
        let outputs = outputs
            .flat_map(|output| [output.weights.as_mut_slice(), slice::from_mut(&mut output.bias)]);
        let units = self.hidden.as_flattened_mut().iter_mut().flat_map(|unit| {
            [
                unit.weights.as_mut_slice(),
                slice::from_mut(&mut unit.bias),
                slice::from_mut(&mut unit.output),
            ]
        });
        rows.into_iter().chain([self.bias.as_mut_slice()]).chain(outputs).chain(units)
    }

    /// An untrained network: material values for men and kings, and small random numbers. The rows
    /// of window states are 0, because the rows of the halves contain the initial values.
    pub(super) fn new(shape: FeatureShape, random: &mut Xoshiro256PlusPlus) -> Self {
        let mut model = Model::zeros(shape);
        let (_, king_rows) = model.rows.split_at_mut(shape.kings());
        for row in king_rows.iter_mut().chain(&mut model.halves) {
            row[..WIDTH].fill_with(|| random.random_range(-0.02..0.02));
        }
        for (window, rows) in model.halves.chunks_mut(2 * HALF_STATES).enumerate() {
            let shares = shares(shape, window);
            for (place, row) in rows.iter_mut().enumerate() {
                let shares = &shares[4 * (place / HALF_STATES)..][..4];
                row[..LEADS].fill(material_value(shares, place % HALF_STATES));
            }
        }
        for (king, row) in king_rows.iter_mut().enumerate() {
            row[..LEADS].fill(if king < shape.king_squares { KING } else { -KING });
        }
        model.bias[LEADS..WIDTH].fill(0.3);
        for output in &mut model.outputs {
            output.weights[LEADS..WIDTH].fill_with(|| random.random_range(-0.3..0.3));
        }
        model.margins.iter_mut().for_each(|margin| margin.bias = INITIAL_MARGIN);
        for unit in model.hidden.as_flattened_mut() {
            unit.weights[LEADS..WIDTH].fill_with(|| random.random_range(-0.3..0.3));
            unit.bias = 0.3;
            unit.output = random.random_range(-0.1..0.1);
        }
        model
    }

    /// Converts a trained network so that it can be trained further. Parameters missing from the
    /// trained network are initialized as in an untrained network.
    pub(super) fn from_network(parts: &FactorizedNetwork, random: &mut Xoshiro256PlusPlus) -> Self {
        let mut model = Model::new(parts.shape, random);
        for row in &mut model.rows {
            row[..parts.width].fill(0.0);
        }
        let places = 0..parts.width;
        let set = |to: &mut FloatRow, from: &Row| {
            places.clone().for_each(|place| to[place] = f32::from(from.0[place]) / unit(place));
        };
        model.halves.iter_mut().zip(&parts.halves).for_each(|(to, from)| set(to, from));
        for (&owner, row) in parts.own_indexes.iter().zip(&parts.own) {
            set(&mut model.rows[owner], row);
        }
        set(&mut model.bias, &parts.bias);
        let in_men = |number: i32| number as f32 / OUTPUT_MAN as f32;
        let outputs = model.outputs.iter_mut().zip(&parts.outputs);
        let margins = model.margins.iter_mut().zip(parts.margins.iter().flatten());
        for (to, from) in outputs.chain(margins) {
            let weights = places.clone().map(|place| in_men(from.weights.0[place].into()));
            to.weights.iter_mut().zip(weights).for_each(|(to, weight)| *to = weight);
            to.bias = in_men(from.bias);
        }
        let layers = parts.hidden.iter().flatten().flatten();
        for (to, from) in model.hidden.as_flattened_mut().iter_mut().zip(layers) {
            let number = |number: i32| number as f32 / HIDDEN_ONE as f32;
            let weights = from.weights.0.map(|weight| number(weight.into()));
            to.weights[..WIDTH].copy_from_slice(&weights);
            (to.bias, to.output) = (number(from.bias), in_men(from.output.into()));
        }
        model
    }

    /// Adds the row of a window's state, and the rows of the state's halves, to a sum.
    #[inline]
    fn add_window(&self, sum: &mut FloatRow, window: usize, state: usize) {
        let rows = &self.halves[window * 2 * HALF_STATES..];
        let [lower, upper] = halves(state).map(|half| &rows[half]);
        add_three(sum, [&self.rows[window * STATES + state], lower, upper]);
    }

    /// The margin, in men, for an example with the given number of pieces and the squares of its
    /// sum of rows.
    #[inline]
    pub(super) fn margin(&self, pieces: u8, squares: &FloatRow) -> f32 {
        let output = &self.margins[bucket(usize::from(pieces))];
        output.bias + dot(&output.weights, squares)
    }

    /// The output of the network for an example.
    #[inline]
    pub(super) fn predict(&self, examples: &TrainingSet, example: usize) -> Prediction {
        let mut sum = self.bias;
        for (window, states) in examples.states.iter().enumerate() {
            self.add_window(&mut sum, window, usize::from(states[example]));
        }
        let king_rows = &self.rows[self.shape.kings()..];
        for &king in examples.kings_of(example) {
            add(&mut sum, &king_rows[usize::from(king)]);
        }
        let pieces = examples.pieces[example];
        let (bucket, squares) = (bucket(usize::from(pieces)), squares(&sum));
        let (output, late) = (&self.outputs[bucket], lateness(pieces));
        let leads = output.bias + (1.0 - late) * sum[0] + late * sum[1];
        let others = dot(&output.weights, &squares) + hidden_output(&self.hidden[bucket], &squares);
        let lead = leads + others;
        let divisor = f32::from(examples.divisors[example][usize::from(lead <= 0.0)]);
        Prediction { sum, squares, lead: lead / divisor, divisor }
    }
}

/// The integer that stands for 1 in the engine (for leads, one man), at the given index of a row.
pub(super) fn unit(place: usize) -> f32 {
    (if place < LEADS { MAN } else { ONE }) as f32
}

/// The initial value of a king, in men.
const KING: f32 = 3.0;
/// The initial margin, in men.
const INITIAL_MARGIN: f32 = 1.0;

/// The top row and the left column of a window. Columns are counted in playable squares.
fn window_corner(shape: FeatureShape, window: usize) -> (usize, usize) {
    (2 * (window / shape.across), window % shape.across)
}

/// For each square of a window, the share of a man's value that this window contributes. The
/// squares are in the order of the digits of a state. The value is divided evenly among the windows
/// that contain the square.
fn shares(shape: FeatureShape, window: usize) -> [f32; 8] {
    let (top, left) = window_corner(shape, window);
    std::array::from_fn(|place| {
        let (row, column) = (top + 3 - place / 2, left + place % 2);
        1.0 / count_windows_with(shape, row, column) as f32
    })
}

/// The material balance of a window's state, in men. `shares` holds the weight of a man on each
/// square of the window.
fn material_value(shares: &[f32], state: usize) -> f32 {
    let digit = |place: usize| state / 3_usize.pow(place as u32) % 3;
    let worth = |place: usize| match digit(place) {
        0 => 0.0,
        1 => shares[place],
        _ => -shares[place],
    };
    (0..shares.len()).map(worth).sum()
}

/// The number of windows that contain a square.
fn count_windows_with(shape: FeatureShape, row: usize, column: usize) -> usize {
    let has = |window: &usize| {
        let (top, left) = window_corner(shape, *window);
        (top..top + 4).contains(&row) && (left..left + 2).contains(&column)
    };
    (0..shape.windows).filter(has).count()
}

/// The progress of the game, by number of pieces: 0 with all pieces on the board, 1 with none.
#[inline]
pub(super) fn lateness(pieces: u8) -> f32 {
    1.0 - (f32::from(pieces) / ALL_PIECES as f32).min(1.0)
}
