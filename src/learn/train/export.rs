//! Quantization: the trained network with the integers that the engine calculates with.
//!
//! What rounding takes from the bias goes to rows of halves, and what it takes from these to the
//! rows of states, so that errors do not add up. Rows this coarse play as well as finer ones
//! (Frisian, 3,000 nodes, 1,000 games each against steps 8 times finer for leads and 64 times for
//! others: steps of 1/256 man and 1/128 +0 [-15, 16] Elo, these +5 [-11, 21], twice these -6 [-21,
//! 10]).

use crate::eval::network::features::{HALF_STATES, STATES, halves};
use crate::eval::network::floats::{FLOATS, FloatRow, add};
use crate::eval::network::{OUTPUT_MAN, Output, Row, WIDTH};
use crate::weights::FactorizedNetwork;

use super::model::{FloatOutput, Model, unit};

/// Rounds all parameters.
pub(super) fn export(model: &Model) -> FactorizedNetwork {
    let mut model = model.clone();
    let lost = lost(&model.bias);
    // Every position has one of the lower halves of the first window.
    model.halves[..HALF_STATES].iter_mut().for_each(|row| add(row, &lost));
    let (owners, own) = own_rows(&model);
    FactorizedNetwork {
        shape: model.shape,
        width: WIDTH,
        bias: rounded_row(&model.bias),
        outputs: model.outputs.map(rounded_output),
        margins: Some(model.margins.map(rounded_output)),
        halves: model.halves.iter().map(rounded_row).collect(),
        owners,
        own,
    }
}

/// The rows that are not 0, with what rounding took from their halves, and their indexes.
fn own_rows(model: &Model) -> (Vec<usize>, Vec<Row>) {
    let own = |index: usize| {
        let mut row = model.rows[index];
        if row != [0.0; FLOATS] && index < model.shape.kings() {
            let window = &model.halves[index / STATES * 2 * HALF_STATES..];
            halves(index % STATES).iter().for_each(|&half| add(&mut row, &lost(&window[half])));
        }
        (index, rounded_row(&row))
    };
    (0..model.rows.len()).map(own).filter(|(_, row)| *row != Row::ZERO).unzip()
}

/// What a row loses when it is rounded.
fn lost(row: &FloatRow) -> FloatRow {
    let rounded = rounded_row(row);
    let lost = |place: usize| row[place] - f32::from(rounded.0[place]) / unit(place);
    std::array::from_fn(|place| if place < WIDTH { lost(place) } else { 0.0 })
}

fn rounded_output(output: FloatOutput) -> Output {
    let weight = |place: usize| rounded(output.weights[place], OUTPUT_MAN as f32);
    let bias = (output.bias * OUTPUT_MAN as f32).round() as i32;
    Output { weights: Row(std::array::from_fn(weight)), bias }
}

fn rounded_row(row: &FloatRow) -> Row {
    Row(std::array::from_fn(|place| rounded(row[place], unit(place))))
}

/// The number as a multiple of 1/`unit`, limited to 16 bits.
fn rounded(number: f32, unit: f32) -> i16 {
    (number * unit).round() as i16
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::erased::{Game, Position};
    use crate::eval::Evaluation;
    use crate::eval::network::LEADS;
    use crate::learn::data::Sample;
    use crate::learn::train::examples::Examples;
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
                samples.push(Sample { setup, score, ply, winner, is_aside: false });
                if ply == 300 {
                    break;
                }
            }
        }
        samples
    }

    /// A network like a trained one: leads of a few men in rows, other numbers around 1, output
    /// weights of half a man.
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
        model
    }

    /// How far the lead by whole numbers is off at most and in the mean, in men, from that of a
    /// network in training, or of the same network with its parameters rounded.
    fn deviation(is_rounded: bool) -> (f32, f32) {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(4);
        let mut model = model(random);
        let parts = export(&model);
        if is_rounded {
            model = Model::of_parts(&parts, random);
        }
        let evaluation = Evaluation::from_network(parts.network().unwrap(), 0);
        let mut examples = Examples::new(model.shape);
        let (mut worst, mut sum) = (0.0_f32, 0.0);
        for sample in samples(2000, random) {
            let before = examples.len();
            examples.add(VARIANT, &sample, 0.0);
            if examples.len() == before {
                continue;
            }
            let position = Position::from_setup(VARIANT, &sample.setup).unwrap();
            let prediction = model.predict(&examples, before);
            // The engine divides whole hundredths: with errors below a hundredth before the
            // division and the rest of it, the result is less than a hundredth off for any divisor.
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
    fn whole_numbers_are_as_good_as_others() {
        let (worst, _) = deviation(true);
        assert!(worst < 0.01, "{worst} men");
    }

    #[test]
    fn coarse_rows_shift_scores_little() {
        let (worst, mean) = deviation(false);
        assert!(worst < 0.35 && mean < 0.05, "{worst} and {mean} men");
    }
}
