//! What is random in a step.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::gains::Length;
use super::parameter::Parameter;

/// The random numbers of a step, which decide what it tries.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// For each parameter: +1 or -1, with equal probability.
    pub signs: Vec<f64>,
    /// For each pair and parameter: from 0 to 1, where integers are rounded up.
    roundings: Vec<Vec<f64>>,
}

/// The trials of all steps, in order.
#[derive(Clone, Debug)]
pub struct Trials {
    random: Xoshiro256PlusPlus,
    parameters: usize,
    pairs: usize,
}

impl Trials {
    /// The trials of a seed; they are the same on every machine.
    pub fn new(seed: u64, parameters: usize, length: Length) -> Trials {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Trials { random, parameters, pairs: length.pairs }
    }

    /// The trial of the next step.
    pub fn next(&mut self) -> Trial {
        let Trials { random, parameters, pairs } = self;
        let mut sign = || if random.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
        let signs = (0..*parameters).map(|_| sign()).collect();
        let mut share = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let roundings = (0..*pairs).map(|_| (0..*parameters).map(|_| share()).collect());
        Trial { signs, roundings: roundings.collect() }
    }
}

impl Trial {
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
