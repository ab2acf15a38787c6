//! Quantization: the trained network with the integers that the engine calculates with.

use crate::eval::network::{self, LEADS, MAN, Network, ONE, OUTPUT_MAN, WIDTH};

use super::model::{FloatRow, Model};

/// Rounds all parameters; `None` if some are too large.
pub(super) fn export(model: &Model) -> Option<Network> {
    let shape = model.shape;
    let rows: Vec<_> = (0..shape.rows()).map(|row| rounded_row(&model.row(row))).collect();
    let outputs = model.outputs.map(|output| network::Output {
        weights: network::Row(output.weights.map(|weight| rounded(weight, OUTPUT_MAN))),
        bias: (output.bias * OUTPUT_MAN as f32).round() as i32,
    });
    Network::new(shape, &rows, rounded_row(&model.bias), outputs)
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
    fn whole_numbers_are_as_good_as_others() {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(4);
        let model = model(random);
        let evaluation = Evaluation::by_network(export(&model).unwrap(), 0);
        let mut examples = Examples::new(model.shape);
        let mut worst = 0.0_f32;
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
            worst = worst.max((lead - prediction.lead).abs());
            let divisor = position.lesson().divisors[usize::from(prediction.lead <= 0.0)];
            assert_eq!(f32::from(divisor), prediction.divisor);
        }
        assert!(examples.len() >= 100_000, "{}", examples.len());
        assert!(worst < 0.01, "{worst} men");
    }
}
