//! Sequential tests with simulated pairs: how often do they end wrongly?
//!
//! The bounds of Wald promise error rates of about 5 %. The last pair carries the ratio beyond its
//! bound, which makes them somewhat smaller; that the deviation of the pairs is estimated, not
//! known, makes them a little greater. What remains is close below 5 %, too close for counting: of
//! 2,000 runs 4.0 to 5.8 % end wrongly if 4.9 % is the truth. So the rates are counted, as a check
//! of everything, and weighed, which is some fifteen times as exact with the same runs.
//!
//! Weighing: a sequence of pairs that ends with H1 is as probable at elo0 as at elo1 times the
//! ratio of its likelihoods. The mean of this ratio over the runs at elo1 that end rightly, with 0
//! for the others, is the rate at which runs at elo0 end wrongly; and the same the other way round.
//! Source: David Siegmund, "Sequential Analysis", on importance sampling.

use manoury::arena::stats::{
    EloBounds, Model, Pentanomial, Sprt, Verdict, elo_to_score, logistic_elo, normalized_elo,
};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// The promise of every test.
const ERROR_RATE: f64 = 0.05;

/// How often a pair between equals has each score, in draughts at a fast pace. If a twentieth of
/// the pairs are a win for each, 76 % of the games are drawn.
const EQUALS: [f64; 5] = [0.01, 0.17, 0.64, 0.17, 0.01];

/// Tests of one kind, many times.
struct Simulation {
    sprt: Sprt,
    seed: u64,
    runs: u64,
}

/// A rate and its standard error.
#[derive(Clone, Copy)]
struct Rate {
    mean: f64,
    error: f64,
}

impl Simulation {
    fn new(bounds: &str, model: Model, seed: u64, runs: u64) -> Self {
        let bounds: EloBounds = bounds.parse().unwrap();
        assert!(bounds.elo0() > 0.0, "equals are to be weaker than H0 says");
        let sprt = Sprt::new(bounds, ERROR_RATE, ERROR_RATE, model).unwrap();
        Simulation { sprt, seed, runs }
    }

    /// Runs tests at the strengths 0, `elo0` and `elo1`; none may end wrongly too often.
    fn check(&self) {
        let strengths = [0.0, self.sprt.elo().elo0(), self.sprt.elo().elo1()];
        let [equal, weak, strong] = strengths.map(|elo| at_strength(self.sprt.model(), elo));
        let [at_0, at_elo0, at_elo1] = [&equal, &weak, &strong].map(|scores| self.ends(scores));

        self.check_counted("H1 at 0", &at_0, Verdict::H1);
        self.check_counted("H1 at elo0", &at_elo0, Verdict::H1);
        self.check_counted("H0 at elo1", &at_elo1, Verdict::H0);
        self.check_weighed("H1 at elo0", &at_elo1, Verdict::H1, &strong, &weak);
        self.check_weighed("H0 at elo1", &at_elo0, Verdict::H0, &weak, &strong);
    }

    /// Every test from its first pair to its end.
    fn ends(&self, scores: &[f64; 5]) -> Vec<(Verdict, Pentanomial)> {
        (0..self.runs).into_par_iter().map(|run| self.end(scores, run)).collect()
    }

    fn end(&self, scores: &[f64; 5], run: u64) -> (Verdict, Pentanomial) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64((self.seed << 32) + run);
        let mut counts = [0; 5];
        loop {
            counts[draw(scores, random.random())] += 1;
            let pairs = Pentanomial::from_counts(counts);
            if let Some(verdict) = self.sprt.verdict(&pairs) {
                return (verdict, pairs);
            }
        }
    }

    /// The share of wrong ends may be above the promise by chance only.
    fn check_counted(&self, what: &str, ends: &[(Verdict, Pentanomial)], wrong: Verdict) {
        let is_wrong = ends.iter().map(|&(verdict, _)| f64::from(u8::from(verdict == wrong)));
        let rate = Rate::of(is_wrong.collect());
        let pairs = ends.iter().map(|(_, pairs)| pairs.pairs()).sum::<u64>() / self.runs;
        self.print(&format!("{what}, counted, {pairs} pairs on average"), rate);
        assert!(rate.mean - 3.0 * rate.error <= ERROR_RATE, "{what}");
    }

    /// The rate at which runs with the scores `to` would end with `verdict`, from runs with the
    /// scores `from`, must be below the promise.
    fn check_weighed(
        &self,
        what: &str,
        ends: &[(Verdict, Pentanomial)],
        verdict: Verdict,
        from: &[f64; 5],
        to: &[f64; 5],
    ) {
        let weight = |(end, pairs): &(Verdict, Pentanomial)| {
            let ratios = pairs.counts().into_iter().zip(from).zip(to);
            let log: f64 = ratios.map(|((count, from), to)| count as f64 * (to / from).ln()).sum();
            if *end == verdict { log.exp() } else { 0.0 }
        };
        let rate = Rate::of(ends.iter().map(weight).collect());
        self.print(&format!("{what}, weighed"), rate);
        assert!(rate.mean <= ERROR_RATE, "{what}");
        assert!(rate.mean > ERROR_RATE / 2.0, "{what}: too rare to be true");
    }

    fn print(&self, what: &str, rate: Rate) {
        let (sprt, Rate { mean, error }) = (self.sprt, rate);
        let (model, elo) = (sprt.model(), sprt.elo());
        println!("{model} {elo}, seed {}: {what}: {mean:.4} +- {error:.4}", self.seed);
    }
}

impl Rate {
    fn of(samples: Vec<f64>) -> Self {
        let count = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / count;
        let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        Rate { mean, error: squares.sqrt() / count }
    }
}

/// The index of a score, drawn with its probability by a number from 0 to 1.
fn draw(scores: &[f64; 5], mut number: f64) -> usize {
    for (index, probability) in scores.iter().enumerate() {
        number -= probability;
        if number < 0.0 {
            return index;
        }
    }
    2
}

/// The scores of [`EQUALS`], tilted until the first engine has the wanted strength.
fn at_strength(model: Model, elo: f64) -> [f64; 5] {
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if strength(model, &tilted(middle)) < elo { low = middle } else { high = middle }
    }
    tilted(low)
}

fn tilted(tilt: f64) -> [f64; 5] {
    let mut scores = EQUALS;
    for (probability, score) in scores.iter_mut().zip(Pentanomial::SCORES) {
        *probability *= (tilt * score).exp();
    }
    let total: f64 = scores.iter().sum();
    scores.map(|probability| probability / total)
}

/// The Elo of a distribution, by the statistics of a very long match with it.
fn strength(model: Model, scores: &[f64; 5]) -> f64 {
    let pairs = Pentanomial::from_counts(scores.map(|p| (p * 1e15).round() as u64));
    let estimate = match model {
        Model::Logistic => logistic_elo(&pairs),
        Model::Normalized => normalized_elo(&pairs),
    };
    estimate.value.unwrap()
}

#[test]
fn the_simulated_strength_is_the_wanted_one() {
    let scores = at_strength(Model::Logistic, 10.0);
    let mean: f64 = scores.iter().zip(Pentanomial::SCORES).map(|(p, score)| p * score).sum();
    assert!((mean - elo_to_score(10.0)).abs() < 1e-9);
}

#[test]
fn logistic_tests_keep_their_promise() {
    Simulation::new("2,10", Model::Logistic, 1, 2000).check();
}

#[test]
fn normalized_tests_keep_their_promise() {
    Simulation::new("5,35", Model::Normalized, 1, 2000).check();
}

/// More seeds, and tests both shorter and longer. Measured: 4.4 to 5.0 %.
#[test]
#[ignore = "takes five minutes"]
fn long_simulations_keep_the_promise() {
    for seed in 2..7 {
        Simulation::new("1,6", Model::Logistic, seed, 2000).check();
        Simulation::new("2,10", Model::Logistic, seed, 2000).check();
        Simulation::new("5,25", Model::Logistic, seed, 2000).check();
        Simulation::new("3,13", Model::Normalized, seed, 2000).check();
        Simulation::new("5,35", Model::Normalized, seed, 2000).check();
        Simulation::new("20,60", Model::Normalized, seed, 2000).check();
    }
}
