//! Quantization of a trained network to the engine's integers.
//!
//! The rounding error of the bias is carried over to the rows of halves, and the rounding errors of
//! those rows to the rows of states, so that errors do not accumulate. The coarse resolution costs
//! no strength. This was measured in Frisian draughts at 3,000 nodes per move, in matches of 1,000
//! games against the same network with much finer steps (1/1024 man for leads, 1/4096 for other
//! numbers). The results were +0 [-15, 16] Elo for steps of 1/256 man for leads and 1/128 for other
//! numbers, +5 [-11, 21] for the steps used here (1/128 man and 1/64), and -6 [-21, 10] for steps
//! twice as large.

use crate::eval::network::features::{HALF_STATES, STATES, halves};
use crate::eval::network::floats::{FLOATS, FloatRow, FloatUnit, add};
use crate::eval::network::{self, HIDDEN_ONE, HiddenUnit, OUTPUT_MAN, Output, Row, WIDTH};
use crate::weights::FactorizedNetwork;

use super::model::{FloatOutput, Model, unit};

/// Numbers of specific rows whose saliency is less than this become 0, which makes a file a fifth to a
/// quarter smaller. The saliency of a number is its square times the sum of its squared gradients,
/// an estimate of what the training loss would gain without it (Y. LeCun, J. Denker, S. Solla,
/// *Optimal brain damage*, 1990). With 0.0005 the validation losses of networks of four variants
/// grew by 0.1 % at most; the loss counts few of the rare positions that a search visits, so the
/// limit is lower than that.
const MIN_SALIENCY: f32 = 0.00015;

/// Rounds all parameters to the engine's integers, given the sum of squared gradients of each.
pub(super) fn quantize(model: &Model, squares: &Model) -> FactorizedNetwork {
    let mut model = model.clone();
    let error = rounding_error(&model.bias);
    // Every position adds exactly one row of the lower half of the first window.
    model.halves[..HALF_STATES].iter_mut().for_each(|row| add(row, &error));
    let (own_indexes, own) = own_rows(&model, squares);
    FactorizedNetwork {
        shape: model.shape,
        width: WIDTH,
        bias: rounded_bias(&model.bias),
        outputs: model.outputs.map(rounded_output),
        margins: Some(model.margins.map(rounded_output)),
        hidden: Some(model.hidden.map(|layer| layer.map(rounded_unit))),
        halves: model.halves.iter().map(rounded_row).collect(),
        own_indexes,
        own,
    }
}

/// The indices of the rows that are not zero after rounding, and the rows themselves. Each window
/// row is corrected by the rounding errors of its halves, and loses its least salient numbers.
fn own_rows(model: &Model, squares: &Model) -> (Vec<usize>, Vec<Row>) {
    let own = |index: usize| {
        let mut row = model.rows[index];
        if index < model.shape.kings() {
            let window = &model.halves[index / STATES * 2 * HALF_STATES..];
            halves(index % STATES)
                .iter()
                .for_each(|&half| add(&mut row, &rounding_error(&window[half])));
            prune(&mut row, &squares.rows[index]);
        }
        (index, rounded_row(&row))
    };
    let learned = (0..model.rows.len()).filter(|&index| model.rows[index] != [0.0; FLOATS]);
    learned.map(own).filter(|(_, row)| *row != Row::ZERO).unzip()
}

/// Sets the numbers to 0 whose saliency is low.
fn prune(row: &mut FloatRow, squares: &FloatRow) {
    for (number, square) in row.iter_mut().zip(squares) {
        if *number * *number * square < MIN_SALIENCY {
            *number = 0.0;
        }
    }
}

/// A row minus its rounded value.
fn rounding_error(row: &FloatRow) -> FloatRow {
    let rounded = rounded_row(row);
    let error = |place: usize| row[place] - f32::from(rounded.0[place]) / unit(place);
    std::array::from_fn(|place| if place < WIDTH { error(place) } else { 0.0 })
}

fn rounded_output(output: FloatOutput) -> Output {
    let weight = |place: usize| rounded(output.weights[place], OUTPUT_MAN as f32);
    let bias = (output.bias * OUTPUT_MAN as f32).round() as i32;
    Output { weights: Row(std::array::from_fn(weight)), bias }
}

fn rounded_unit(unit: FloatUnit) -> HiddenUnit {
    let weight = |place: usize| rounded(unit.weights[place], HIDDEN_ONE as f32);
    HiddenUnit {
        weights: Row(std::array::from_fn(weight)),
        bias: (unit.bias * HIDDEN_ONE as f32).round() as i32,
        output: rounded(unit.output, OUTPUT_MAN as f32),
    }
}

/// The bias row in the engine's integers.
fn rounded_bias(row: &FloatRow) -> Row {
    let most = network::MAX_BIAS as i16;
    Row(rounded_row(row).0.map(|number| number.clamp(-most, most)))
}

fn rounded_row(row: &FloatRow) -> Row {
    Row(std::array::from_fn(|place| rounded(row[place], unit(place))))
}

/// The number in multiples of 1/`unit`, rounded and saturated to 16 bits.
fn rounded(number: f32, unit: f32) -> i16 {
    (number * unit).round() as i16
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use super::super::model::limit_layer;
    use super::super::training_set::TrainingSet;
    use super::*;
    use crate::erased::{Game, Position};
    use crate::eval::Evaluation;
    use crate::eval::network::LEADS;
    use crate::eval::network::features::FeatureShape;
    use crate::learn::data::Sample;
    use crate::rules::Variant;
    use crate::score::Score;

    const VARIANT: Variant = Variant::International;

    /// Positions of random games.
    fn samples(games: usize, random: &mut Xoshiro256PlusPlus) -> Vec<Sample> {
        let mut samples = Vec::new();
        for _ in 0..games {
            let mut game = Game::new(VARIANT);
            while let Some(&mv) = game.position().legal_moves().choose(random) {
                game.play(mv);
                let (setup, ply) = (game.position().setup(), game.plies() as u16);
                let (score, winner) = (Score::DRAW, None);
                samples.push(Sample { setup, score, ply, winner, is_digression: false });
                if ply == 300 {
                    break;
                }
            }
        }
        samples
    }

    /// A network with parameters of about the same magnitude as in a trained one: leads of a few
    /// men in rows, other numbers around 1, output weights of half a man.
    fn model(random: &mut Xoshiro256PlusPlus) -> Model {
        let mut model = Model::new(VARIANT.feature_shape(), random);
        for row in &mut model.rows {
            for number in &mut row[..WIDTH] {
                *number += random.random_range(-0.15..0.15);
            }
        }
        for output in &mut model.outputs {
            for weight in &mut output.weights[LEADS..WIDTH] {
                *weight += random.random_range(-0.8..0.8);
            }
        }
        for unit in model.hidden.as_flattened_mut() {
            unit.output += random.random_range(-0.8..0.8);
        }
        model
    }

    /// Sums of squared gradients of parameters that are used so often that all are salient.
    fn used(shape: FeatureShape) -> Model {
        let mut squares = Model::zeros(shape);
        squares.rows.as_flattened_mut().fill(1e9);
        squares
    }

    /// The maximum and mean difference, in men, between the engine's lead and the lead of the
    /// floating-point network, whose parameters are rounded if `is_rounded`.
    fn lead_errors(is_rounded: bool) -> (f32, f32) {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(4);
        let mut model = model(random);
        let parts = quantize(&model, &used(model.shape));
        if is_rounded {
            model = Model::from_network(&parts, random);
        }
        let evaluation = Evaluation::from_network(parts.network().unwrap(), 0);
        let mut examples = TrainingSet::new(model.shape);
        let (mut worst, mut sum) = (0.0_f32, 0.0);
        for sample in samples(2000, random) {
            let before = examples.len();
            examples.add(VARIANT, &sample, 0.0);
            if examples.len() == before {
                continue;
            }
            let position = Position::from_setup(VARIANT, &sample.setup).unwrap();
            let prediction = model.predict(&examples, before);
            // The engine divides an integer number of hundredths. An error below one hundredth
            // before the division, together with the discarded remainder, leaves the result less
            // than one hundredth off for any divisor.
            let lead = f32::from(position.score(&evaluation).0) / 100.0;
            let off = (lead - prediction.lead).abs();
            (worst, sum) = (worst.max(off), sum + off);
            let divisor = position.network_input().divisors[usize::from(prediction.lead <= 0.0)];
            assert_eq!(f32::from(divisor), prediction.divisor);
        }
        assert!(examples.len() >= 100_000, "{}", examples.len());
        (worst, sum / examples.len() as f32)
    }

    #[test]
    fn integer_leads_match_rounded_parameters() {
        let (worst, _) = lead_errors(true);
        assert!(worst < 0.01, "{worst} men");
    }

    #[test]
    fn limited_outputs_fit_the_engine() {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(5);
        let mut model = model(random);
        model.bias.fill(1e4);
        for output in model.outputs.iter_mut().chain(&mut model.margins) {
            output.weights[LEADS..WIDTH].fill_with(|| random.random_range(-30.0..30.0));
            output.bias = -40.0;
        }
        for unit in model.hidden.as_flattened_mut() {
            unit.weights[LEADS..WIDTH].fill_with(|| random.random_range(-30.0..30.0));
            (unit.bias, unit.output) = (-30.0, random.random_range(-20.0..20.0));
        }
        let mut limited = model.clone();
        limited.outputs.iter_mut().chain(&mut limited.margins).for_each(FloatOutput::limit);
        assert!(quantize(&limited, &used(model.shape)).network().is_none());
        limited.hidden.iter_mut().for_each(limit_layer);
        assert!(quantize(&limited, &used(model.shape)).network().is_some());
        model.hidden = limited.hidden;
        assert!(quantize(&model, &used(model.shape)).network().is_none());
        let mut small = FloatOutput { weights: [0.5; FLOATS], bias: 2.0 };
        small.limit();
        assert_eq!((small.weights, small.bias), ([0.5; FLOATS], 2.0));
    }

    #[test]
    fn numbers_of_low_saliency_are_left_out() {
        let (mut row, mut squares) = ([0.1; FLOATS], [1.0; FLOATS]);
        squares[..8].fill(0.01);
        row[8] = -0.01;
        prune(&mut row, &squares);
        assert_eq!(row[..9], [0.0; 9]);
        assert_eq!(row[9..], [0.1; FLOATS - 9]);
    }

    #[test]
    fn quantization_changes_leads_little() {
        let (worst, mean) = lead_errors(false);
        assert!(worst < 0.35 && mean < 0.05, "{worst} and {mean} men");
    }
}
