//! Ratios of speeds, with confidence intervals computed from the rounds of a measurement.

/// A ratio with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Ratio {
    /// The geometric mean of the ratios of the rounds.
    pub value: f64,
    /// The ends of the interval; `None` with only one round.
    pub interval: Option<[f64; 2]>,
}

/// The 97.5 % points of Student's t distribution with 1 to 30 degrees of freedom.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];
/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.96;

impl Ratio {
    /// The ratio of `one` to `other`, which contain one value per round. The logarithms of the
    /// ratios are assumed to be normally distributed. `None` without rounds, or if a value is not
    /// positive.
    pub fn of(one: &[f64], other: &[f64]) -> Option<Ratio> {
        let logs: Vec<f64> = one.iter().zip(other).map(|(one, other)| (one / other).ln()).collect();
        if logs.is_empty() || logs.iter().any(|log| !log.is_finite()) {
            return None;
        }
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let interval = (logs.len() > 1).then(|| {
            let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
            let error = (squares / (count - 1.0) / count).sqrt();
            let margin = T.get(logs.len() - 2).unwrap_or(&Z) * error;
            [mean - margin, mean + margin].map(f64::exp)
        });
        Some(Ratio { value: mean.exp(), interval })
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn ratios_are_geometric_means() {
        let ratio = Ratio::of(&[2.0, 8.0], &[1.0, 1.0]).unwrap();
        assert!((ratio.value - 4.0).abs() < 1e-12);
        let [low, high] = ratio.interval.unwrap();
        assert!(low < 1.0 && high > 16.0, "the interval from two rounds is wide: {low} {high}");
        assert_eq!(Ratio::of(&[2.0], &[1.0]).unwrap().interval, None);
        assert_eq!(Ratio::of(&[], &[]), None);
        assert_eq!(Ratio::of(&[0.0, 1.0], &[1.0, 1.0]), None);
    }

    /// About 95 % of 1,000 intervals from noisy measurements contain the true ratio.
    #[test]
    fn intervals_contain_the_true_ratio() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        // The sum of twelve uniform numbers is nearly normal.
        let mut noise = || (0..12).map(|_| random.random::<f64>() - 0.5).sum::<f64>() * 0.05;
        let mut contained = 0;
        for _ in 0..1000 {
            let one: Vec<f64> = (0..5).map(|_| 3.0 * noise().exp()).collect();
            let other: Vec<f64> = (0..5).map(|_| noise().exp()).collect();
            let [low, high] = Ratio::of(&one, &other).unwrap().interval.unwrap();
            contained += u32::from(low <= 3.0 && 3.0 <= high);
        }
        assert!((930..=970).contains(&contained), "{contained}");
    }
}
