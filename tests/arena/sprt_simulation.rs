//! Sequential tests with simulated pairs: how often do they end wrongly?
//!
//! Wald's bounds promise error rates of about 5 %. The last pair carries the ratio beyond its
//! bound, which makes the rates a little smaller; the variance of the pairs is estimated, not
//! known, which makes them a little larger. The result is just below 5 %, too close for counting:
//! if the true rate is 4.9 %, 4.0 to 5.8 % of 2,000 runs end wrongly. The rates are therefore
//! counted, as a check of everything, and also weighted, which is about fifteen times as precise
//! with the same runs.
//!
//! Weighting (importance sampling): the probability at elo0 of a sequence of pairs that ends with
//! H1 is its probability at elo1 times the ratio of the likelihoods. The mean of this ratio over
//! the runs at elo1, with 0 for those that end with H0, is the rate at which runs at elo0 end
//! wrongly; and vice versa. Source: David Siegmund, "Sequential Analysis".

use manoury::arena::stats::{
    EloBounds, EloModel, Pentanomial, Sprt, SprtVerdict, elo_to_score, logistic_elo, normalized_elo,
};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// The error rate that every test promises.
const ERROR_RATE: f64 = 0.05;

/// Frequencies of the scores of a pair between equals, in draughts with fast time controls. If each
/// side wins a game in a twentieth of all pairs, 76 % of the games are drawn.
const EQUALS: [f64; 5] = [0.01, 0.17, 0.64, 0.17, 0.01];

/// Many runs of one test.
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
    fn new(bounds: &str, model: EloModel, seed: u64, runs: u64) -> Self {
        let bounds: EloBounds = bounds.parse().unwrap();
        assert!(bounds.elo0() > 0.0, "equals are to be weaker than H0 says");
        let sprt = Sprt::new(bounds, ERROR_RATE, ERROR_RATE, model).unwrap();
        Simulation { sprt, seed, runs }
    }

    /// Runs the test at the strengths 0, `elo0` and `elo1`; no error rate may be too high.
    fn check(&self) {
        let strengths = [0.0, self.sprt.elo().elo0(), self.sprt.elo().elo1()];
        let [equal, weak, strong] = strengths.map(|elo| at_strength(self.sprt.model(), elo));
        let [at_0, at_elo0, at_elo1] = [&equal, &weak, &strong].map(|scores| self.ends(scores));

        self.check_counted("H1 at 0", &at_0, SprtVerdict::H1);
        self.check_counted("H1 at elo0", &at_elo0, SprtVerdict::H1);
        self.check_counted("H0 at elo1", &at_elo1, SprtVerdict::H0);
        self.check_weighed("H1 at elo0", &at_elo1, SprtVerdict::H1, &strong, &weak);
        self.check_weighed("H0 at elo1", &at_elo0, SprtVerdict::H0, &weak, &strong);
    }

    /// Runs every test from its first pair to its end.
    fn ends(&self, scores: &[f64; 5]) -> Vec<(SprtVerdict, Pentanomial)> {
        (0..self.runs).into_par_iter().map(|run| self.end(scores, run)).collect()
    }

    fn end(&self, scores: &[f64; 5], run: u64) -> (SprtVerdict, Pentanomial) {
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

    /// Checks the counted share of wrong verdicts: only chance may put it above the promised rate.
    fn check_counted(&self, what: &str, ends: &[(SprtVerdict, Pentanomial)], wrong: SprtVerdict) {
        let is_wrong = ends.iter().map(|&(verdict, _)| f64::from(u8::from(verdict == wrong)));
        let rate = Rate::of(is_wrong.collect());
        let pairs = ends.iter().map(|(_, pairs)| pairs.pairs()).sum::<u64>() / self.runs;
        self.print(&format!("{what}, counted, {pairs} pairs on average"), rate);
        assert!(rate.mean - 3.0 * rate.error <= ERROR_RATE, "{what}");
    }

    /// Checks the rate at which runs with the score frequencies `to` would end with `verdict`, from
    /// runs with the frequencies `from`.
    fn check_weighed(
        &self,
        what: &str,
        ends: &[(SprtVerdict, Pentanomial)],
        verdict: SprtVerdict,
        from: &[f64; 5],
        to: &[f64; 5],
    ) {
        let weight = |(end, pairs): &(SprtVerdict, Pentanomial)| {
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

/// The index of a score, selected by a number in 0..1 according to the probabilities.
fn draw(scores: &[f64; 5], mut number: f64) -> usize {
    for (index, probability) in scores.iter().enumerate() {
        number -= probability;
        if number < 0.0 {
            return index;
        }
    }
    2
}

/// [`EQUALS`], tilted until the first engine has the requested strength.
fn at_strength(model: EloModel, elo: f64) -> [f64; 5] {
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

/// The Elo of a distribution, from the statistics of a very long match.
fn strength(model: EloModel, scores: &[f64; 5]) -> f64 {
    let pairs = Pentanomial::from_counts(scores.map(|p| (p * 1e15).round() as u64));
    let estimate = match model {
        EloModel::Logistic => logistic_elo(&pairs),
        EloModel::Normalized => normalized_elo(&pairs),
    };
    estimate.value.unwrap()
}

#[test]
fn simulates_the_requested_strength() {
    let scores = at_strength(EloModel::Logistic, 10.0);
    let mean: f64 = scores.iter().zip(Pentanomial::SCORES).map(|(p, score)| p * score).sum();
    assert!((mean - elo_to_score(10.0)).abs() < 1e-9);
}

#[test]
#[ignore = "slow: thousands of simulated tests"]
fn logistic_tests_keep_their_error_rates() {
    Simulation::new("2,10", EloModel::Logistic, 1, 2000).check();
}

#[test]
#[ignore = "slow: thousands of simulated tests"]
fn normalized_tests_keep_their_error_rates() {
    Simulation::new("20,60", EloModel::Normalized, 1, 2000).check();
}

/// More seeds, and both shorter and longer tests. Measured: 4.4 to 5.0 %.
#[test]
#[ignore = "by hand: takes five minutes"]
fn long_simulations_keep_the_error_rates_by_hand() {
    for seed in 2..7 {
        Simulation::new("1,6", EloModel::Logistic, seed, 2000).check();
        Simulation::new("2,10", EloModel::Logistic, seed, 2000).check();
        Simulation::new("5,25", EloModel::Logistic, seed, 2000).check();
        Simulation::new("3,13", EloModel::Normalized, seed, 2000).check();
        Simulation::new("5,35", EloModel::Normalized, seed, 2000).check();
        Simulation::new("20,60", EloModel::Normalized, seed, 2000).check();
    }
}
