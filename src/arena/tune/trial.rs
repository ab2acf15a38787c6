//! What is random in a step.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::gains::TuneLength;
use super::parameter::Parameter;

/// The random numbers of a step, which decide what it tries.
#[derive(Clone, PartialEq, Debug)]
pub struct Perturbation {
    /// For each parameter: +1 or -1, with equal probability.
    pub signs: Vec<f64>,
    /// For each pair and parameter: from 0 to 1, where integers are rounded up.
    roundings: Vec<Vec<f64>>,
}

/// The trials of all steps, in order.
#[derive(Clone, Debug)]
pub struct Perturbations {
    random: Xoshiro256PlusPlus,
    parameters: usize,
    pairs: usize,
}

impl Perturbations {
    /// The trials of a seed; they are the same on every machine.
    pub fn new(seed: u64, parameters: usize, length: TuneLength) -> Perturbations {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Perturbations { random, parameters, pairs: length.pairs }
    }

    /// The trial of the next step.
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
    /// The values that a pair of games tries: those of the plus side and those of the minus side,
    /// each `reach` from `value`, within the range.
    ///
    /// Integers are rounded up or down at random, so that on average they are the numbers that they
    /// stand for. Both sides use the same random number, so that equal numbers stay equal.
    pub fn values(
        &self,
        pair: usize,
        index: usize,
        parameter: &Parameter,
        value: f64,
        reach: f64,
    ) -> [f64; 2] {
        [1.0, -1.0].map(|side| {
            let value =
                (value + side * self.signs[index] * reach).clamp(parameter.min, parameter.max);
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

    fn parameter(is_integer: bool) -> Parameter {
        let (name, start, min, max) = (String::new(), 5.0, 0.0, 8.0);
        Parameter { name, is_integer, start, min, max, c_end: 1.0, r_end: 0.002 }
    }

    #[test]
    fn integers_are_right_on_average() {
        let length = TuneLength { steps: 1, pairs: 20_000 };
        let trial = Perturbations::new(1, 1, length).next();
        let pairs = (0..length.pairs).map(|pair| trial.values(pair, 0, &parameter(true), 5.2, 0.3));
        let pairs: Vec<_> = pairs.collect();
        assert!(pairs.iter().flatten().all(|value| [4.0, 5.0, 6.0].contains(value)));
        let mean = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>() / 20_000.0;
        let [low, high] =
            if trial.signs[0] > 0.0 { [mean(1), mean(0)] } else { [mean(0), mean(1)] };
        assert!((low - 4.9).abs() < 0.01 && (high - 5.5).abs() < 0.01, "{low} {high}");
        let differences = pairs.iter().map(|pair| (pair[0] - pair[1]).abs());
        assert!(differences.clone().all(|difference| difference <= 1.0), "one random number");
    }

    #[test]
    fn values_stay_in_the_range() {
        let trial = Perturbations::new(1, 1, TuneLength { steps: 1, pairs: 1 }).next();
        for is_integer in [false, true] {
            let parameter = parameter(is_integer);
            let mut tried = trial.values(0, 0, &parameter, 7.9, 100.0);
            tried.sort_by(f64::total_cmp);
            assert_eq!(tried, [0.0, 8.0]);
        }
        let [plus, minus] = trial.values(0, 0, &parameter(false), 5.0, 0.25);
        assert_eq!((plus + minus, (plus - minus).abs()), (10.0, 0.5));
    }

    #[test]
    fn signs_are_fair_and_repeatable() {
        let length = TuneLength { steps: 2000, pairs: 1 };
        let signs = |seed: u64| {
            let mut trials = Perturbations::new(seed, 5, length);
            (0..2000).flat_map(|_| trials.next().signs).collect::<Vec<_>>()
        };
        assert_eq!(signs(1), signs(1));
        assert_ne!(signs(1), signs(2));
        assert!(signs(1).iter().all(|sign| sign.abs() == 1.0));
        assert!(signs(1).iter().sum::<f64>().abs() < 300.0, "three standard deviations");
    }
}
