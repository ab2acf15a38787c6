//! Maximum-likelihood estimation of the score distribution of a pair of games: among all
//! distributions with a given strength, finds the one under which the observed pairs are most
//! likely.
//!
//! Strength is given either as a mean score or as a t-value; both lead to the same equation. By
//! Lagrange's method the most likely distribution is `p_i = f_i / (1 + theta * v_i)`, where `f_i`
//! is the observed frequency of score `i` and the values `v_i` express the constraint `sum p_i *
//! v_i = 0`.
//!
//! Source: Michel Van den Bergh, "Comparing the approximations for the generalized log likelihood
//! ratio of a multinomial distribution" (proposition 1.1) and "Comments on normalized Elo" (section
//! 4.1).

use super::Pentanomial;

/// One probability, frequency or other value for each score of a pair: 0, 1/4, 1/2, 3/4 and 1.
pub(super) type PerScore = [f64; 5];

/// Maximum number of iterations; about five are usually enough.
const MAX_STEPS: usize = 100;
/// The iteration has converged once every probability changes by less than this.
const PRECISION: f64 = 1e-12;
/// The maximum error of the t-value of a solution.
const T_PRECISION: f64 = 1e-6;

/// The most likely distribution with the mean score `score`, which must be strictly between 0 and
/// 1. Every frequency must be positive.
pub(super) fn with_mean(frequencies: &PerScore, score: f64) -> PerScore {
    constrained(frequencies, &Pentanomial::SCORES.map(|value| value - score))
}

/// The most likely distribution whose mean is `t` standard deviations above 1/2. Every frequency
/// must be positive. The method is reliable for `t` from -0.9 to 0.9.
///
/// There may be two local maxima: if nearly all pairs score 1/2, the deviation `t` can come from a
/// few pairs that score 0 or 1, or from a few that score 1/4 or 3/4. Iterating from the uniform
/// distribution finds the maximum with scores of 0 or 1, so the iteration is repeated from a
/// distribution with more pairs at 1/4, and from one with more pairs at 3/4. The most likely
/// distribution found is returned.
pub(super) fn with_t_value(frequencies: &PerScore, t: f64) -> PerScore {
    let uniform = maximum_from([0.2; 5], frequencies, t);
    let others = [1, 3]
        .into_iter()
        .map(|score| maximum_from(moved_to(score, frequencies, t * t), frequencies, t));
    let fits = |found: &PerScore| (t_value(found) - t).abs() < T_PRECISION;
    others.filter(fits).fold(uniform, |best, found| {
        if log_likelihood(frequencies, &found) > log_likelihood(frequencies, &best) {
            found
        } else {
            best
        }
    })
}

/// A copy of the distribution, with the fraction `part` of every probability moved to one score.
fn moved_to(score: usize, distribution: &PerScore, part: f64) -> PerScore {
    let mut moved = distribution.map(|p| p * (1.0 - part));
    moved[score] += part;
    moved
}

/// Finds a local maximum for [`with_t_value`], starting from `start`. The constraint is not linear,
/// so each iteration replaces it with its tangent at the current distribution, until the
/// distribution no longer changes.
fn maximum_from(start: PerScore, frequencies: &PerScore, t: f64) -> PerScore {
    let mut found = start;
    for _ in 0..MAX_STEPS {
        let next = constrained(frequencies, &tangent(&found, t));
        let change = found.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        found = next;
        if change < PRECISION {
            break;
        }
    }
    found
}

/// The log-likelihood per pair of the observed frequencies under a distribution.
fn log_likelihood(frequencies: &PerScore, distribution: &PerScore) -> f64 {
    frequencies.iter().zip(distribution).map(|(f, p)| f * p.ln()).sum()
}

/// The distance of the mean from 1/2 in standard deviations.
fn t_value(distribution: &PerScore) -> f64 {
    let (mean, variance) = moments(distribution);
    (mean - 0.5) / variance.sqrt()
}

/// The constraint of [`with_t_value`], linearised at a distribution.
fn tangent(distribution: &PerScore, t: f64) -> PerScore {
    let (mean, variance) = moments(distribution);
    let deviation = variance.sqrt();
    Pentanomial::SCORES.map(|score| {
        let standard = (score - mean) / deviation;
        score - 0.5 - t * deviation * (1.0 + standard * standard) / 2.0
    })
}

/// Mean and variance of a distribution.
fn moments(distribution: &PerScore) -> (f64, f64) {
    let scores = Pentanomial::SCORES;
    let mean = distribution.iter().zip(scores).map(|(p, score)| p * score).sum();
    let square = |(p, score): (&f64, f64)| p * (score - mean) * (score - mean);
    (mean, distribution.iter().zip(scores).map(square).sum())
}

/// The most likely distribution under which the values have mean 0. If all values have the same
/// sign, no distribution has mean 0, and the frequencies are returned unchanged.
///
/// At each end of the range of theta, `1 + theta * v_i` is 0 for the smallest or the largest value.
/// If that score was hardly ever observed, the solution is so close to that end of the range that
/// the distance would be lost in rounding. The equation is therefore solved for `s`, the fraction
/// of the way from that end back to theta = 0: with `w_i = v_i / extreme`, `1 + theta * v_i = (1 -
/// w_i) + s * w_i`, which is exact for the extreme value, where `w_i` is 1.
fn constrained(frequencies: &PerScore, values: &PerScore) -> PerScore {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    if least >= 0.0 || greatest <= 0.0 {
        return *frequencies;
    }
    let mean: f64 = frequencies.iter().zip(values).map(|(f, value)| f * value).sum();
    let extreme = if mean > 0.0 { least } else { greatest };
    let weights = values.map(|value| value / extreme);
    let s = solve_fraction(frequencies, &weights);
    let mut distribution = *frequencies;
    for (p, weight) in distribution.iter_mut().zip(weights) {
        *p /= (1.0 - weight) + s * weight;
    }
    distribution
}

/// Solves `sum f_i * w_i / ((1 - w_i) + s * w_i) = 0` for `s` from 0 to 1 by Newton's method. The
/// largest weight must be 1.
///
/// The sum decreases from +inf at 0 to at most 0 at 1. A step that would leave the current bracket
/// is replaced by bisection.
fn solve_fraction(frequencies: &PerScore, weights: &PerScore) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let mut s = 1.0;
    for _ in 0..MAX_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (frequency, weight) in frequencies.iter().zip(weights) {
            let ratio = weight / ((1.0 - weight) + s * weight);
            sum += frequency * ratio;
            slope += frequency * ratio * ratio;
        }
        if sum > 0.0 {
            low = s;
        } else {
            high = s;
        }
        let newton = s + sum / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        let step = (next - s).abs();
        s = next;
        if step <= f64::EPSILON * s {
            break;
        }
    }
    s
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Random frequencies, in which some scores are almost never observed.
    fn frequencies() -> impl Strategy<Value = PerScore> {
        let count = prop_oneof![Just(1e-3), 1.0..10.0, 1.0..1e6];
        proptest::array::uniform5(count).prop_map(|counts: PerScore| {
            let total: f64 = counts.iter().sum();
            counts.map(|count| count / total)
        })
    }

    fn assert_is_distribution(distribution: &PerScore) {
        assert!(distribution.iter().all(|&p| p > 0.0), "{distribution:?}");
        assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{distribution:?}");
    }

    /// Almost all pairs score 1/2. Starting from the uniform distribution, the iteration converges
    /// to a maximum in which the other pairs score 1; the maximum in which they score 3/4 is more
    /// likely.
    #[test]
    fn finds_the_greatest_of_several_maxima() {
        let counts: PerScore = [1e-3, 1e-3, 755_000.0, 1.0, 1e-3];
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let from_uniform = maximum_from([0.2; 5], &observed, 0.02);
        let best = with_t_value(&observed, 0.02);
        assert!(from_uniform[4] > 1e-4 && best[3] > 1e-4, "{from_uniform:?} {best:?}");
        assert!(log_likelihood(&observed, &best) > log_likelihood(&observed, &from_uniform) + 1e-6);
    }

    /// Regression test: for these observations the iteration once stopped too early.
    #[test]
    fn solves_a_nearly_certain_observation() {
        let rare = 6.202950943469287e-9;
        let observed = [0.9999999751881965, rare, rare, rare, rare];
        let seldom = 1.0938793567008557e-9;
        let other = [seldom, seldom, seldom, seldom, 0.9999999956244826];
        for (best, another) in [
            (with_mean(&observed, 0.5), with_mean(&other, 0.5)),
            (with_t_value(&observed, 0.0), with_t_value(&other, 0.0)),
        ] {
            assert!(log_likelihood(&observed, &another) <= log_likelihood(&observed, &best) + 1e-9);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn has_the_requested_mean(observed in frequencies(), score in 0.1..0.9) {
            let distribution = with_mean(&observed, score);
            assert_is_distribution(&distribution);
            prop_assert!((moments(&distribution).0 - score).abs() < 1e-6);
        }

        #[test]
        fn has_the_requested_t_value(observed in frequencies(), t in -0.82..0.82) {
            let distribution = with_t_value(&observed, t);
            assert_is_distribution(&distribution);
            let found = t_value(&distribution);
            prop_assert!((found - t).abs() < 1e-6, "{} for {}", found, t);
        }

        #[test]
        fn no_other_distribution_is_likelier(
            observed in frequencies(),
            other in frequencies(),
            t in -0.4..0.4,
        ) {
            for (best, another) in [
                (with_mean(&observed, 0.5 + t), with_mean(&other, 0.5 + t)),
                (with_t_value(&observed, t), with_t_value(&other, t)),
            ] {
                let best = log_likelihood(&observed, &best);
                let another = log_likelihood(&observed, &another);
                prop_assert!(another <= best + 1e-9, "{} above {}", another, best);
            }
        }
    }
}
