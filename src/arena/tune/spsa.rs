//! The gains and the random perturbations of a tuning step.
//!
//! With `N` pairs of games in total, the step that starts with pair `t` (counted from 1) has
//!
//! ```text
//! c = c_end * (N / t)^gamma                           the offset to try, in units of the parameter
//! a = r_end * c_end^2 * ((A + N) / (A + t))^alpha     A = N / 10
//! value += a / c * (wins - losses) * sign             wins, losses: games of the step
//! ```
//!
//! `c` and `a` fall to `c_end` and `r_end * c_end^2`. The exponents and the fraction 1/10 for `A`
//! are those of Spall (1998), section III. Two choices come from fishtest,
//! <https://github.com/official-stockfish/fishtest> (`spsa_handler.py`): the user specifies the
//! final values, with `a` as a multiple of `c^2`; and wins and losses are summed, not averaged,
//! which makes `r_end` independent of the number of pairs per step.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::parameter::Parameter;

/// Spall's exponent of the gain `a`.
const ALPHA: f64 = 0.602;
/// Spall's exponent of the offset `c`.
const GAMMA: f64 = 0.101;
/// Spall's stability constant `A`, as a fraction of all pairs. It reduces the size of the first
/// steps.
const STABILITY: f64 = 0.1;

/// The length of a tuning run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TuneLength {
    /// The number of steps.
    pub steps: usize,
    /// The number of pairs of games per step.
    pub pairs: usize,
}

/// The gains of a parameter in one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// The distance from the current value to each of the two values tried.
    pub offset: f64,
    /// The change of the value for each net win of the plus side.
    pub rate: f64,
}

impl TuneLength {
    /// The total number of pairs.
    pub fn all_pairs(self) -> usize {
        self.steps * self.pairs
    }

    /// The total number of games.
    pub fn all_games(self) -> u64 {
        2 * self.all_pairs() as u64
    }

    /// The gains of a parameter in the step with this index, from 0.
    pub fn gains(self, parameter: &Parameter, step: usize) -> Gains {
        let all = self.all_pairs() as f64;
        let pair = (step * self.pairs + 1) as f64;
        let Parameter { c_end, r_end, .. } = *parameter;
        let first = STABILITY * all;
        // `libm::pow` gives the same result on every machine.
        let offset = c_end * libm::pow(all / pair, GAMMA);
        let gain = r_end * c_end * c_end * libm::pow((first + all) / (first + pair), ALPHA);
        Gains { offset, rate: gain / offset }
    }
}

/// The random numbers that determine the values tried in a step.
#[derive(Clone, PartialEq, Debug)]
pub struct Perturbation {
    /// For each parameter: +1 or -1, with equal probability.
    pub signs: Vec<f64>,
    /// For each pair and parameter: a random number from 0 to 1, added to the value of an integer
    /// parameter before rounding down.
    roundings: Vec<Vec<f64>>,
}

/// The perturbations of all steps, in order.
#[derive(Clone, Debug)]
pub struct Perturbations {
    random: Xoshiro256PlusPlus,
    parameters: usize,
    pairs: usize,
}

impl Perturbations {
    /// The perturbations for a seed, the same on every machine.
    pub fn new(seed: u64, parameters: usize, length: TuneLength) -> Perturbations {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Perturbations { random, parameters, pairs: length.pairs }
    }

    /// The perturbation of the next step.
    pub fn next(&mut self) -> Perturbation {
        let Perturbations { random, parameters, pairs } = self;
        let mut sign = || if random.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
        let signs = (0..*parameters).map(|_| sign()).collect();
        let mut share = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let roundings = (0..*pairs).map(|_| (0..*parameters).map(|_| share()).collect());
        Perturbation { signs, roundings: roundings.collect() }
    }
}

impl Perturbation {
    /// The two values of a parameter in a pair of games, for the plus side and the minus side: each
    /// differs from `value` by `offset`, and is clamped to the range.
    ///
    /// Integers are rounded up or down at random, so that their expected value is exact. Both sides
    /// use the same random number, so that equal values stay equal.
    pub fn values(
        &self,
        pair: usize,
        index: usize,
        parameter: &Parameter,
        value: f64,
        offset: f64,
    ) -> [f64; 2] {
        [1.0, -1.0].map(|side| {
            let value =
                (value + side * self.signs[index] * offset).clamp(parameter.min, parameter.max);
            match parameter.is_integer {
                true => (value + self.roundings[pair][index]).floor().min(parameter.max),
                false => value,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offset and rate by the formulas of fishtest, which computes constants for the run before the
    /// values for a step.
    fn fishtest(c_end: f64, r_end: f64, all: f64, pair: f64) -> (f64, f64) {
        let (first, a_end) = (0.1 * all, r_end * c_end.powi(2));
        let (c, a) = (c_end * all.powf(0.101), a_end * (first + all).powf(0.602));
        let step = c / pair.powf(0.101);
        (step, a / (first + pair).powf(0.602) / step.powi(2) * step)
    }

    #[test]
    fn has_the_gains_of_fishtest() {
        let (start, min, max) = (0.0, -9.0, 9.0);
        let (c_end, r_end, is_integer) = (3.0, 0.002, false);
        let name = String::new();
        let parameter = Parameter { name, is_integer, start, min, max, c_end, r_end };
        let length = TuneLength { steps: 500, pairs: 4 };
        for step in [0, 1, 250, 499] {
            let Gains { offset, rate } = length.gains(&parameter, step);
            let expected = fishtest(c_end, r_end, 2000.0, (4 * step + 1) as f64);
            assert!((offset / expected.0 - 1.0).abs() < 1e-12, "step {step}");
            assert!((rate / expected.1 - 1.0).abs() < 1e-12, "step {step}");
        }
        let last = length.gains(&parameter, 499);
        assert!((last.offset / c_end - 1.0).abs() < 0.001);
        assert!((last.rate / (r_end * c_end) - 1.0).abs() < 0.001);
        assert!((length.gains(&parameter, 0).offset / c_end - 2.15).abs() < 0.01);
    }

    fn parameter(is_integer: bool) -> Parameter {
        let (name, start, min, max) = (String::new(), 5.0, 0.0, 8.0);
        Parameter { name, is_integer, start, min, max, c_end: 1.0, r_end: 0.002 }
    }

    #[test]
    fn integers_have_the_exact_mean() {
        let length = TuneLength { steps: 1, pairs: 20_000 };
        let perturbation = Perturbations::new(1, 1, length).next();
        let pairs =
            (0..length.pairs).map(|pair| perturbation.values(pair, 0, &parameter(true), 5.2, 0.3));
        let pairs: Vec<_> = pairs.collect();
        assert!(pairs.iter().flatten().all(|value| [4.0, 5.0, 6.0].contains(value)));
        let mean = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>() / 20_000.0;
        let [low, high] =
            if perturbation.signs[0] > 0.0 { [mean(1), mean(0)] } else { [mean(0), mean(1)] };
        assert!((low - 4.9).abs() < 0.01 && (high - 5.5).abs() < 0.01, "{low} {high}");
        let differences = pairs.iter().map(|pair| (pair[0] - pair[1]).abs());
        assert!(differences.clone().all(|difference| difference <= 1.0), "one random number");
    }

    #[test]
    fn keeps_values_in_the_range() {
        let perturbation = Perturbations::new(1, 1, TuneLength { steps: 1, pairs: 1 }).next();
        for is_integer in [false, true] {
            let parameter = parameter(is_integer);
            let mut tried = perturbation.values(0, 0, &parameter, 7.9, 100.0);
            tried.sort_by(f64::total_cmp);
            assert_eq!(tried, [0.0, 8.0]);
        }
        let [plus, minus] = perturbation.values(0, 0, &parameter(false), 5.0, 0.25);
        assert_eq!((plus + minus, (plus - minus).abs()), (10.0, 0.5));
    }

    #[test]
    fn signs_are_fair_and_reproducible() {
        let length = TuneLength { steps: 2000, pairs: 1 };
        let signs = |seed: u64| {
            let mut perturbations = Perturbations::new(seed, 5, length);
            (0..2000).flat_map(|_| perturbations.next().signs).collect::<Vec<_>>()
        };
        assert_eq!(signs(1), signs(1));
        assert_ne!(signs(1), signs(2));
        assert!(signs(1).iter().all(|sign| sign.abs() == 1.0));
        assert!(signs(1).iter().sum::<f64>().abs() < 300.0, "three standard deviations");
    }
}
