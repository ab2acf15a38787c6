//! Quantization: the trained network with the integers that the engine calculates with.
//!
//! The numbers of rows are rounded to multiples of a step: files get 2.3 times smaller, and play is
//! the same (Frisian, 3,000 nodes, 1,000 games each against whole numbers: steps of 4 and 32
//! +0 [-15, 16], 8 and 64 +5 [-11, 21], 16 and 128 -6 [-21, 10] Elo). Sums keep their precision.

use crate::eval::network::{self, LEADS, MAN, Network, ONE, OUTPUT_MAN, WIDTH};

use super::model::{FloatRow, Model};

/// The steps of leads and of other numbers in rows, in the units of each.
const LEAD_STEP: i16 = 8;
const STEP: i16 = 64;

/// Rounds all parameters; `None` if some are too large.
pub(super) fn export(model: &Model) -> Option<Network> {
    let shape = model.shape;
    let rows: Vec<_> = (0..shape.rows()).map(|row| coarse_row(&model.row(row))).collect();
    let outputs = model.outputs.map(|output| network::Output {
        weights: network::Row(output.weights.map(|weight| rounded(weight, OUTPUT_MAN))),
        bias: (output.bias * OUTPUT_MAN as f32).round() as i32,
    });
    Network::new(shape, &rows, rounded_row(&model.bias), outputs)
}

fn coarse_row(row: &FloatRow) -> network::Row {
    let step = |place: usize| if place < LEADS { LEAD_STEP } else { STEP };
    let fine = rounded_row(row).0;
    network::Row(std::array::from_fn(|place| {
        let nearest = (f32::from(fine[place]) / f32::from(step(place))).round() as i16;
        nearest.saturating_mul(step(place))
    }))
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

    #[test]
    fn coarse_numbers_are_nearly_as_good_as_others() {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(4);
        let model = model(random);
        let evaluation = Evaluation::by_network(export(&model).unwrap(), 0);
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
            let lead = f32::from(position.score(&evaluation).0) / 100.0;
            let off = (lead - prediction.lead).abs();
            (worst, sum) = (worst.max(off), sum + off);
            let divisor = position.lesson().divisors[usize::from(prediction.lead <= 0.0)];
            assert_eq!(f32::from(divisor), prediction.divisor);
        }
        assert!(examples.len() >= 100_000, "{}", examples.len());
        let mean = sum / examples.len() as f32;
        assert!(worst < 0.25 && mean < 0.03, "{worst} and {mean} men");
    }
}
