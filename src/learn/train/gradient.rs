//! Loss functions and their gradients.
//!
//! The loss of a lead is the logistic loss. Margins are trained on game results: with the logistic
//! function σ, the probability of a win is σ(lead - margin), that of a loss is σ(-lead - margin),
//! and the remainder is the probability of a draw (P. Rao and L. Kupper, *Ties in paired-comparison
//! experiments*, 1967).

use rayon::prelude::*;

use crate::eval;
use crate::eval::network::floats::{
    FloatLayer, FloatRow, FloatUnit, add_hidden_gradient, sum_gradient,
};
use crate::eval::network::{BUCKETS, HIDDEN_UNITS, bucket};
use crate::game::GameResult;
use crate::learn::correlation::winning_chance;

use super::model::{FloatOutput, Model, Prediction, lateness};
use super::training_set::TrainingSet;

/// The gradient of the loss over a set of examples.
pub(super) struct Gradient {
    /// With respect to the output rows.
    pub(super) outputs: [FloatOutput; BUCKETS],
    /// With respect to the output rows for margins.
    pub(super) margins: [FloatOutput; BUCKETS],
    /// With respect to the hidden layers.
    pub(super) hidden: [FloatLayer; BUCKETS],
    /// With respect to each example's sum of rows, in the order of the examples.
    pub(super) sums: Vec<FloatRow>,
    /// The sum of the losses of the examples.
    pub(super) loss: f64,
}

impl Gradient {
    /// The gradient over the examples with the given numbers.
    pub(super) fn of(model: &Model, examples: &TrainingSet, numbers: &[u32]) -> Self {
        let mut gradient = Gradient {
            outputs: [FloatOutput::ZERO; BUCKETS],
            margins: [FloatOutput::ZERO; BUCKETS],
            hidden: [[FloatUnit::ZERO; HIDDEN_UNITS]; BUCKETS],
            sums: Vec::with_capacity(numbers.len()),
            loss: 0.0,
        };
        for &example in numbers {
            gradient.add(model, examples, example as usize);
        }
        gradient
    }

    fn add(&mut self, model: &Model, examples: &TrainingSet, example: usize) {
        let prediction = model.predict(examples, example);
        let (target, found) = (examples.targets[example], winning_chance(prediction.lead));
        self.loss += loss(target, found);
        let slope = (found - target) / prediction.divisor;
        let (pieces, squares) = (examples.pieces[example], &prediction.squares);
        let bucket = bucket(usize::from(pieces));
        let mut by_squares = model.outputs[bucket].weights.map(|weight| slope * weight);
        let (of_layer, layer) = (&mut self.hidden[bucket], &model.hidden[bucket]);
        add_hidden_gradient(of_layer, &mut by_squares, slope, layer, squares);
        let mut gradient = sum_gradient(&by_squares, &prediction.sum);
        gradient[0] = slope * (1.0 - lateness(pieces));
        gradient[1] = slope * lateness(pieces);
        self.sums.push(gradient);
        self.outputs[bucket].add(slope, squares);
        if let Some(result) = examples.results[example] {
            self.add_margin(model, pieces, &prediction, result);
        }
    }

    /// Adds the gradient of the margin, without propagating it to the rows.
    fn add_margin(&mut self, model: &Model, pieces: u8, found: &Prediction, result: GameResult) {
        let margin = model.margin(pieces, &found.squares);
        let (_, slope) = margin_gradient(result, found.lead, margin);
        self.margins[bucket(usize::from(pieces))].add(slope, &found.squares);
    }
}

/// The logistic loss minus its minimum for the target, i.e. the Kullback-Leibler divergence.
fn loss(target: f32, found: f32) -> f64 {
    let [target, found] = [target, found].map(|chance| f64::from(chance).clamp(1e-7, 1.0 - 1e-7));
    let excess = |target: f64, found: f64| target * libm::log(target / found);
    excess(target, found) + excess(1.0 - target, 1.0 - found)
}

/// For each output row, the sum of its examples' losses, and the number of its examples.
pub(super) fn losses(model: &Model, examples: &TrainingSet) -> [(f64, u64); BUCKETS] {
    let one = |example| {
        loss(examples.targets[example], winning_chance(model.predict(examples, example).lead))
    };
    let losses: Vec<f64> = (0..examples.len()).into_par_iter().map(one).collect();
    let mut sums = [(0.0, 0); BUCKETS];
    for (loss, &pieces) in losses.iter().zip(&examples.pieces) {
        let sum = &mut sums[bucket(usize::from(pieces))];
        *sum = (sum.0 + loss, sum.1 + 1);
    }
    sums
}

/// The mean margin loss over the examples with a game result; 0 if there are none.
pub(super) fn margin_loss(model: &Model, examples: &TrainingSet) -> f64 {
    let one = |example: usize| {
        let result = examples.results[example]?;
        let found = model.predict(examples, example);
        let margin = model.margin(examples.pieces[example], &found.squares);
        Some(f64::from(margin_gradient(result, found.lead, margin).0))
    };
    let losses: Vec<Option<f64>> = (0..examples.len()).into_par_iter().map(one).collect();
    let losses: Vec<f64> = losses.into_iter().flatten().collect();
    losses.iter().sum::<f64>() / losses.len().max(1) as f64
}

/// The increase in lead, in men, that multiplies the odds of a win by e.
const STEP: f32 = eval::MARGIN_STEP as f32 / 100.0;
/// Minimum margin, in men.
const MIN_MARGIN: f32 = eval::MIN_MARGIN as f32 / 100.0;
/// The margin loss (the negative logarithm of the probability of the result), and its derivative
/// with respect to the margin.
fn margin_gradient(result: GameResult, lead: f32, margin: f32) -> (f32, f32) {
    let logistic = |lead: f32| 1.0 / (1.0 + libm::expf(-lead / STEP));
    let margin = margin.max(MIN_MARGIN);
    let [win, loss] = [lead, -lead].map(|lead| logistic(lead - margin).clamp(1e-7, 1.0));
    let draw = (1.0 - win - loss).max(1e-7);
    let (chance, slope) = match result {
        GameResult::Win => (win, 1.0 - win),
        GameResult::Loss => (loss, 1.0 - loss),
        GameResult::Draw => (draw, -(win * (1.0 - win) + loss * (1.0 - loss)) / draw),
    };
    (-libm::logf(chance), slope / STEP)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::board::Side;
    use crate::erased::Game;
    use crate::learn::data::Sample;
    use crate::rules::Variant;
    use crate::score::Score;

    const VARIANT: Variant = Variant::International;

    /// The gradient for a sample of the start position from a game with the given winner, or from a
    /// digression.
    fn gradient(winner: Option<Side>, is_digression: bool) -> Gradient {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(1);
        let model = Model::new(VARIANT.feature_shape(), random);
        let setup = Game::new(VARIANT).position().setup();
        let mut examples = TrainingSet::new(model.shape);
        let sample = Sample { setup, score: Score(30), ply: 0, winner, is_digression };
        examples.add(VARIANT, &sample, 0.0);
        Gradient::of(&model, &examples, &[0])
    }

    #[test]
    fn margins_learn_from_results_alone() {
        let bias = |gradient: &Gradient| gradient.margins[BUCKETS - 1].bias;
        let (drawn, won) = (gradient(None, false), gradient(Some(Side::White), false));
        // Steps go against the gradient, so draws increase the margin, and wins and losses decrease
        // it.
        assert!(bias(&drawn) < 0.0 && bias(&won) > 0.0, "{} {}", bias(&drawn), bias(&won));
        assert_eq!((&drawn.sums, drawn.loss), (&won.sums, won.loss));
        assert!(drawn.margins[0].bias == 0.0 && bias(&gradient(None, true)) == 0.0);
    }

    const RESULTS: [GameResult; 3] = [GameResult::Win, GameResult::Draw, GameResult::Loss];

    #[test]
    fn result_probabilities_sum_to_one() {
        for (lead, margin) in [(0.0, 1.0), (2.5, 0.7), (-1.0, 4.0), (-6.0, 0.05)] {
            let chances =
                RESULTS.map(|result| libm::expf(-margin_gradient(result, lead, margin).0));
            assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{chances:?}");
        }
        let [win, draw, lost] = RESULTS.map(|result| margin_gradient(result, 1.5, 1.5).0);
        assert!((libm::expf(-win) - 0.5).abs() < 1e-6 && draw < lost);
    }

    #[test]
    fn margin_slope_matches_finite_differences() {
        const STEP: f32 = 1e-2;
        for result in RESULTS {
            for (lead, margin) in [(0.0, 1.0), (2.0, 0.7), (-1.0, 2.0), (-0.3, 0.4)] {
                let [below, above] =
                    [-STEP, STEP].map(|change| margin_gradient(result, lead, margin + change).0);
                let slope = margin_gradient(result, lead, margin).1;
                let measured = (above - below) / (2.0 * STEP);
                assert!((slope - measured).abs() < 1e-2, "{result:?}: {slope}, {measured}");
            }
        }
    }

    #[test]
    fn results_are_for_the_side_to_move() {
        let result = |winner| GameResult::of(winner, Side::Black);
        let winners = [Some(Side::Black), None, Some(Side::White)];
        assert_eq!(winners.map(result), RESULTS);
    }
}
