//! The network as the engine has it: in whole numbers.

use crate::eval::network::features::Features;
use crate::eval::network::{self, LEADS, MAN, Network, ONE, OUTPUT_MAN, WIDTH};

use super::model::{self, Model};

/// Rounds all numbers; `None` if they are too large.
pub(super) fn export<G: Features>(model: &Model) -> Option<Network<G>> {
    let rows: Vec<_> = (0..G::ROWS).map(|row| rounded_row(&model.row::<G>(row))).collect();
    let outputs = model.outputs.map(|output| network::Output {
        weights: network::Row(output.weights.map(|weight| rounded(weight, OUTPUT_MAN))),
        bias: (output.bias * OUTPUT_MAN as f32).round() as i32,
    });
    Network::new(&rows, rounded_row(&model.bias), outputs)
}

fn rounded_row(row: &model::Row) -> network::Row {
    let unit = |place: usize| if place < LEADS { MAN } else { ONE };
    network::Row(std::array::from_fn::<_, WIDTH, _>(|place| rounded(row[place], unit(place))))
}

/// In units, no more than 16 bits hold.
fn rounded(number: f32, unit: i32) -> i16 {
    (number * unit as f32).round() as i16
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::eval::divisor;
    use crate::game::Game;
    use crate::learn::data::Sample;
    use crate::learn::train::examples::Examples;
    use crate::movegen::legal_moves;
    use crate::position::{Pieces, Setup};
    use crate::rules::{International, Rules};
    use crate::score::Score;

    type Board = <International as Rules>::Geometry;

    /// Positions of random games.
    fn samples(games: usize, random: &mut Xoshiro256PlusPlus) -> Vec<Sample<Board>> {
        let mut samples = Vec::new();
        for _ in 0..games {
            let mut game = Game::<International>::default();
            while let Some(&mv) = legal_moves(game.position()).choose(random) {
                game.play(mv);
                let setup = Setup::from(game.position());
                let ply = game.moves().len() as u16;
                let (score, winner) = (Score::DRAW, None);
                samples.push(Sample { setup, score, ply, winner, is_aside: false });
                if ply == 300 {
                    break;
                }
            }
        }
        samples
    }

    /// A network as training leaves it: leads of rows within a few men, the other numbers around 1.
    fn model(random: &mut Xoshiro256PlusPlus) -> Model {
        let mut model = Model::new::<Board>(random);
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
        let network = export::<Board>(&model).unwrap();
        let mut examples = Examples::new::<Board>();
        let mut worst = 0.0_f32;
        for sample in samples(2000, random) {
            let before = examples.len();
            examples.add::<International>(&sample, 0.0);
            if examples.len() == before {
                continue;
            }
            let position = sample.setup.position::<International>().unwrap();
            let answer = model.answer::<Board>(&examples, before);
            let lead = network.lead(&Pieces::of(&position)) as f32 / 100.0 / answer.divisor;
            worst = worst.max((lead - answer.lead).abs());
            let side = position.side();
            let ahead = if answer.lead > 0.0 { side } else { side.opponent() };
            assert_eq!(divisor(&position, ahead) as f32, answer.divisor);
        }
        assert!(examples.len() >= 100_000, "{}", examples.len());
        assert!(worst < 0.01, "{worst} men");
    }
}
