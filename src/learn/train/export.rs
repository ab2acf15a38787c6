//! Quantization: the trained network with the integers that the engine calculates with.
//!
//! The numbers of rows are rounded to multiples of a step: files get smaller, and play is the same
//! (Frisian, 3,000 nodes, 1,000 games each against whole numbers: steps of 4 and 32 +0 [-15, 16], 8
//! and 64 +5 [-11, 21], 16 and 128 -6 [-21, 10] Elo). Sums keep their precision.

use crate::eval::network::features::{HALF_STATES, STATES, halves};
use crate::eval::network::{self, OUTPUT_MAN, WIDTH};
use crate::weights::{Parts, Steps};

use super::model::{FloatRow, Model, per_one};

/// The steps of exported networks.
const STEPS: Steps = Steps { leads: 8, others: 64 };

/// Rounds all parameters.
pub(super) fn export(model: &Model) -> Parts {
    rounded_parts(model, STEPS)
}

fn rounded_parts(model: &Model, steps: Steps) -> Parts {
    let outputs = model.outputs.map(|output| network::Output {
        weights: network::Row(output.weights.map(|weight| rounded(weight, OUTPUT_MAN as f32))),
        bias: (output.bias * OUTPUT_MAN as f32).round() as i32,
    });
    let (owners, own) = own_rows(model, steps);
    Parts {
        shape: model.shape,
        bias: rounded_row(&model.bias, Steps { leads: 1, others: 1 }),
        outputs,
        steps,
        halves: model.halves.iter().map(|row| rounded_row(row, steps)).collect(),
        owners,
        own,
    }
}

/// The rows that are not 0, with what rounding took from their halves, and their indexes.
fn own_rows(model: &Model, steps: Steps) -> (Vec<usize>, Vec<network::Row>) {
    let nothing = network::Row([0; WIDTH]);
    let own = |index: usize| {
        let mut row = model.rows[index];
        if row != [0.0; WIDTH] && index < model.shape.kings() {
            let window = &model.halves[index / STATES * 2 * HALF_STATES..];
            for half in halves(index % STATES) {
                add_lost(&mut row, &window[half], steps);
            }
        }
        (index, rounded_row(&row, steps))
    };
    (0..model.rows.len()).map(own).filter(|(_, row)| *row != nothing).unzip()
}

/// Adds to a row what another one loses when it is rounded.
fn add_lost(row: &mut FloatRow, other: &FloatRow, steps: Steps) {
    for (place, number) in row.iter_mut().enumerate() {
        let per_one = per_one(place, steps);
        *number += other[place] - (other[place] * per_one).round() / per_one;
    }
}

fn rounded_row(row: &FloatRow, steps: Steps) -> network::Row {
    let number = |place: usize| rounded(row[place], per_one(place, steps));
    network::Row(std::array::from_fn::<_, WIDTH, _>(number))
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
    use crate::door::{Game, Position, any_rules};
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
            let mut game = Game::start_of(VARIANT);
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

    /// A network like a trained one: leads of a few men in rows, other numbers around 1.
    fn model(random: &mut Xoshiro256PlusPlus) -> Model {
        let mut model = Model::new(any_rules(VARIANT).shape(), random);
        for row in &mut model.rows {
            for number in row {
                *number += random.random_range(-0.15..0.15);
            }
        }
        for output in &mut model.outputs {
            for weight in &mut output.weights[LEADS..] {
                *weight += random.random_range(-0.6..0.6);
            }
        }
        model
    }

    /// How far the lead by whole numbers with these steps is off at most and in the mean, in men.
    fn deviation(steps: Steps) -> (f32, f32) {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(4);
        let model = model(random);
        let evaluation = Evaluation::by_network(rounded_parts(&model, steps).network().unwrap(), 0);
        let mut examples = Examples::new(model.shape);
        let (mut worst, mut sum) = (0.0_f32, 0.0);
        for sample in samples(2000, random) {
            let before = examples.len();
            examples.add(VARIANT, &sample, 0.0);
            if examples.len() == before {
                continue;
            }
            let position = Position::new(VARIANT, &sample.setup).unwrap();
            let prediction = model.predict(&examples, before);
            // The engine divides whole hundredths: with errors below a hundredth before the
            // division and the rest of it, the result is less than a hundredth off for any divisor.
            let lead = f32::from(position.score(&evaluation).0) / 100.0;
            let off = (lead - prediction.lead).abs();
            (worst, sum) = (worst.max(off), sum + off);
            let divisor = position.lesson().divisors[usize::from(prediction.lead <= 0.0)];
            assert_eq!(f32::from(divisor), prediction.divisor);
        }
        assert!(examples.len() >= 100_000, "{}", examples.len());
        (worst, sum / examples.len() as f32)
    }

    #[test]
    fn whole_numbers_are_as_good_as_others() {
        let (worst, _) = deviation(Steps { leads: 1, others: 1 });
        assert!(worst < 0.01, "{worst} men");
    }

    #[test]
    fn coarse_rows_shift_scores_little() {
        let (worst, mean) = deviation(STEPS);
        assert!(worst < 0.25 && mean < 0.03, "{worst} and {mean} men");
    }
}
