//! How far a step tries, and how far it moves.
//!
//! With `N` pairs of games in all, the step that begins with pair `t` (counted from 1) has
//!
//! ```text
//! c = c_end * (N / t)^gamma                           how far it tries, in units of the number
//! a = r_end * c_end^2 * ((A + N) / (A + t))^alpha     A = N / 10
//! number += a / c * (wins - losses) * sign            wins, losses: games of the step
//! ```
//!
//! `c` and `a` fall to `c_end` and `r_end * c_end^2`. The exponents, and the share `A`, are those
//! of Spall (1998), section III. That a user gives the values at the end, and `a` relative to
//! `c^2`, is from fishtest, <https://github.com/official-stockfish/fishtest> (`spsa_handler.py`);
//! so is that wins and losses are added up, not divided by the games, so that `r_end` means the
//! same for steps of any length.

use super::parameter::Parameter;

/// Spall's exponent of how far steps move.
const ALPHA: f64 = 0.602;
/// Spall's exponent of how far steps try.
const GAMMA: f64 = 0.101;
/// Spall's stability constant, as a share of all pairs: the first steps are shorter.
const STABILITY: f64 = 0.1;

/// The length of a tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TuneLength {
    /// The number of steps.
    pub steps: usize,
    /// The number of pairs of games in a step.
    pub pairs: usize,
}

/// The gains of a parameter in one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// How far the step tries up and down from the value.
    pub reach: f64,
    /// How far it moves for a game that is won.
    pub rate: f64,
}

impl TuneLength {
    /// The number of all pairs.
    pub fn all_pairs(self) -> usize {
        self.steps * self.pairs
    }

    /// The number of all games.
    pub fn all_games(self) -> u64 {
        2 * self.all_pairs() as u64
    }

    /// The gains of a step, counted from 0.
    pub fn gains(self, parameter: &Parameter, step: usize) -> Gains {
        let all = self.all_pairs() as f64;
        let pair = (step * self.pairs + 1) as f64;
        let Parameter { c_end, r_end, .. } = *parameter;
        let first = STABILITY * all;
        // The powers of libm are the same on every machine.
        let reach = c_end * libm::pow(all / pair, GAMMA);
        let gain = r_end * c_end * c_end * libm::pow((first + all) / (first + pair), ALPHA);
        Gains { reach, rate: gain / reach }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formulas as fishtest has them: first the constants of a run, then the values of a step.
    fn fishtest(c_end: f64, r_end: f64, all: f64, pair: f64) -> (f64, f64) {
        let (first, a_end) = (0.1 * all, r_end * c_end.powi(2));
        let (c, a) = (c_end * all.powf(0.101), a_end * (first + all).powf(0.602));
        let step = c / pair.powf(0.101);
        (step, a / (first + pair).powf(0.602) / step.powi(2) * step)
    }

    #[test]
    fn gains_are_those_of_fishtest() {
        let (start, min, max) = (0.0, -9.0, 9.0);
        let (c_end, r_end, is_integer) = (3.0, 0.002, false);
        let name = String::new();
        let parameter = Parameter { name, is_integer, start, min, max, c_end, r_end };
        let length = TuneLength { steps: 500, pairs: 4 };
        for step in [0, 1, 250, 499] {
            let Gains { reach, rate } = length.gains(&parameter, step);
            let expected = fishtest(c_end, r_end, 2000.0, (4 * step + 1) as f64);
            assert!((reach / expected.0 - 1.0).abs() < 1e-12, "step {step}");
            assert!((rate / expected.1 - 1.0).abs() < 1e-12, "step {step}");
        }
        let last = length.gains(&parameter, 499);
        assert!((last.reach / c_end - 1.0).abs() < 0.001);
        assert!((last.rate / (r_end * c_end) - 1.0).abs() < 0.001);
        assert!((length.gains(&parameter, 0).reach / c_end - 2.15).abs() < 0.01);
    }
}
