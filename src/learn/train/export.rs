//! Quantization: the trained network with the integers that the engine calculates with.
//!
//! The numbers of rows are rounded to multiples of a step: files get 2.3 times smaller, and play is
//! the same (Frisian, 3,000 nodes, 1,000 games each against whole numbers: steps of 4 and 32
//! +0 [-15, 16], 8 and 64 +5 [-11, 21], 16 and 128 -6 [-21, 10] Elo). Sums keep their precision.

use crate::eval::network::{self, LEADS, MAN, Network, ONE, OUTPUT_MAN, WIDTH};

use super::model::{FloatRow, Model};

/// The steps that the numbers of rows are rounded to, in their units.
#[derive(Clone, Copy)]
struct Steps {
    leads: i16,
    others: i16,
}

/// The steps of exported networks.
const STEPS: Steps = Steps { leads: 8, others: 64 };

/// Rounds all parameters; `None` if some are too large.
pub(super) fn export(model: &Model) -> Option<Network> {
    rounded_network(model, STEPS)
}

fn rounded_network(model: &Model, steps: Steps) -> Option<Network> {
    let shape = model.shape;
    let rows: Vec<_> =
        (0..shape.rows()).map(|row| coarse(rounded_row(&model.row(row)), steps)).collect();
    let outputs = model.outputs.map(|output| network::Output {
        weights: network::Row(output.weights.map(|weight| rounded(weight, OUTPUT_MAN))),
        bias: (output.bias * OUTPUT_MAN as f32).round() as i32,
    });
    Network::new(shape, &rows, rounded_row(&model.bias), outputs)
}

/// The row with its numbers rounded to multiples of the steps.
fn coarse(mut row: network::Row, steps: Steps) -> network::Row {
    for (place, number) in row.0.iter_mut().enumerate() {
        let step = if place < LEADS { steps.leads } else { steps.others };
        let nearest = (f32::from(*number) / f32::from(step)).round() as i16;
        *number = nearest.saturating_mul(step);
    }
    row
}

fn rounded_row(row: &FloatRow) -> network::Row {
    let unit = |place: usize| if place < LEADS { MAN } else { ONE };
    network::Row(std::array::from_fn::<_, WIDTH, _>(|place| rounded(row[place], unit(place))))
}

/// The number as a multiple of 1/`unit`, limited to 16 bits.
fn rounded(number: f32, unit: i32) -> i16 {
    (number * unit as f32).round() as i16
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::door::{Game, Position, any_rules};
    use crate::eval::Evaluation;
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
        let evaluation = Evaluation::by_network(rounded_network(&model, steps).unwrap(), 0);
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
