//! Properties of the statistics of any match.

use manoury::arena::stats::{
    EloBounds, EloModel, Estimate, Pentanomial, Sprt, SprtVerdict, elo_to_score, logistic_elo,
    normalized_elo, score_to_elo, superiority,
};
use proptest::prelude::*;

/// Matches of up to about `max` pairs, often with unobserved scores.
fn matches_up_to(max: u64) -> impl Strategy<Value = Pentanomial> {
    let count = prop_oneof![Just(0), 0..5u64, 0..1000u64, 0..max];
    proptest::array::uniform5(count).prop_map(Pentanomial::from_counts)
}

/// Matches of any length.
fn matches() -> impl Strategy<Value = Pentanomial> {
    matches_up_to(u64::MAX)
}

/// Tests with bounds up to `max` Elo.
fn tests(max: f64) -> impl Strategy<Value = Sprt> {
    let model = prop_oneof![Just(EloModel::Logistic), Just(EloModel::Normalized)];
    (model, -max..max, 0.001..1.0, 0.001..0.5, 0.001..0.5).prop_map(
        move |(model, elo0, part, alpha, beta)| {
            let elo1 = elo0 + (max - elo0) * part;
            Sprt::new(EloBounds::new(elo0, elo1).unwrap(), alpha, beta, model).unwrap()
        },
    )
}

fn ends(estimate: Estimate) -> [Option<f64>; 3] {
    [estimate.low, estimate.value, estimate.high]
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * (1.0 + a.abs())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn everything_is_finite(pairs in matches(), sprt in tests(EloBounds::MAX)) {
        prop_assert!(sprt.llr(&pairs).is_finite());
        for estimate in [logistic_elo(&pairs), normalized_elo(&pairs)] {
            prop_assert!(ends(estimate).into_iter().flatten().all(f64::is_finite));
            prop_assert!(!serde_json::to_string(&estimate).unwrap().contains('N'));
        }
        prop_assert!(superiority(&pairs).is_none_or(|los| (0.0..=1.0).contains(&los)));
    }

    #[test]
    fn an_interval_holds_its_value(pairs in matches()) {
        for estimate in [logistic_elo(&pairs), normalized_elo(&pairs)] {
            let known: Vec<_> = ends(estimate).into_iter().flatten().collect();
            prop_assert!(known.is_sorted());
        }
    }

    #[test]
    fn swapping_the_engines_flips_the_signs(pairs in matches_up_to(1_000_000)) {
        for elo in [logistic_elo, normalized_elo] {
            let mut other = ends(elo(&pairs.reversed())).map(|end| end.map(|elo| -elo));
            other.reverse();
            for (a, b) in ends(elo(&pairs)).into_iter().zip(other) {
                prop_assert_eq!(a.is_some(), b.is_some());
                prop_assert!(a.zip(b).is_none_or(|(a, b)| is_near(a, b)), "{:?} {:?}", a, b);
            }
        }
        let los = superiority(&pairs).zip(superiority(&pairs.reversed()));
        prop_assert!(los.is_none_or(|(a, b)| is_near(a + b, 1.0)));
    }

    #[test]
    fn the_reversed_test_has_the_opposite_ratio(pairs in matches_up_to(1_000_000), sprt in tests(50.0)) {
        let elo = EloBounds::new(-sprt.elo().elo1(), -sprt.elo().elo0()).unwrap();
        let reversed = Sprt::new(elo, 0.05, 0.05, sprt.model()).unwrap();
        let (a, b) = (sprt.llr(&pairs), reversed.llr(&pairs.reversed()));
        prop_assert!(is_near(a, -b), "{} {}", a, b);
    }

    #[test]
    fn score_and_elo_are_inverse(elo in -1000.0..1000.0) {
        prop_assert!(is_near(score_to_elo(elo_to_score(elo)).unwrap(), elo));
    }
}

#[test]
fn known_points_of_the_curve() {
    assert_eq!(elo_to_score(0.0), 0.5);
    assert!(is_near(elo_to_score(400.0), 10.0 / 11.0));
    assert_eq!(score_to_elo(0.5), Some(0.0));
    for score in [-1.0, 0.0, 1.0, 2.0, f64::NAN, f64::MIN_POSITIVE / 2.0] {
        assert!(score_to_elo(score).is_none_or(f64::is_finite), "{score}");
    }
    assert_eq!((score_to_elo(0.0), score_to_elo(1.0)), (None, None));
}

#[test]
fn unknown_statistics_are_none() {
    let unknown = Estimate::default();
    let no_pair = Pentanomial::default();
    assert_eq!((logistic_elo(&no_pair), normalized_elo(&no_pair)), (unknown, unknown));
    assert_eq!(superiority(&no_pair), None);

    // Pairs that all have one score: a value, but no interval.
    for counts in [[0, 0, 1, 0, 0], [0, 0, 500, 0, 0]] {
        let pairs = Pentanomial::from_counts(counts);
        assert_eq!(logistic_elo(&pairs), Estimate { value: Some(0.0), ..unknown });
        assert_eq!((normalized_elo(&pairs), superiority(&pairs)), (unknown, None));
    }
    // All games won or lost: one bound.
    for counts in [[0, 0, 0, 0, 1], [500, 0, 0, 0, 0]] {
        let pairs = Pentanomial::from_counts(counts);
        let elo = logistic_elo(&pairs);
        assert!(elo.value.is_none() && elo.low.is_some() != elo.high.is_some(), "{elo:?}");
        assert_eq!(normalized_elo(&pairs), unknown);
    }

    // The interval of the score extends beyond 1, so the upper end is open.
    let elo = logistic_elo(&Pentanomial::from_counts([0, 0, 0, 1, 9]));
    assert!(elo.low < elo.value && elo.value.is_some() && elo.high.is_none());
    assert_eq!(elo.margin(), None);
    let text = serde_json::to_string(&logistic_elo(&no_pair)).unwrap();
    assert_eq!(text, r#"{"value":null,"low":null,"high":null}"#);
}

#[test]
fn a_test_ends_at_its_bounds() {
    let sprt = Sprt::new("0,5".parse().unwrap(), 0.05, 0.1, EloModel::Normalized).unwrap();
    let (lower, upper) = sprt.bounds();
    assert!(is_near(lower, (0.1f64 / 0.95).ln()) && is_near(upper, 18f64.ln()));
    assert_eq!(sprt.llr(&Pentanomial::default()), 0.0);
    for (counts, verdict) in [
        ([0, 0, 0, 0, 0], None),
        ([10, 170, 640, 180, 10], None),
        ([100, 1700, 6400, 2100, 110], Some(SprtVerdict::H1)),
        ([110, 2100, 6400, 1700, 100], Some(SprtVerdict::H0)),
    ] {
        assert_eq!(sprt.verdict(&Pentanomial::from_counts(counts)), verdict, "{counts:?}");
    }
}

#[test]
fn refuses_wrong_settings() {
    let bounds: EloBounds = "0,5".parse().unwrap();
    for (alpha, beta, complaint) in [
        (0.0, 0.05, "alpha = 0: it must be between 0 and 0.5, such as 0.05"),
        (0.05, 0.5, "beta = 0.5: it must be between 0 and 0.5, such as 0.05"),
        (-0.1, 0.05, "alpha = -0.1: it must be between 0 and 0.5, such as 0.05"),
        (0.05, f64::NAN, "beta = NaN: it must be between 0 and 0.5, such as 0.05"),
    ] {
        let error = Sprt::new(bounds, alpha, beta, EloModel::Logistic).unwrap_err();
        assert_eq!(error.to_string(), complaint);
    }
    assert_eq!("normalized".parse(), Ok(EloModel::Normalized));
    assert_eq!("logistic".parse(), Ok(EloModel::Logistic));
    let error = "trinomial".parse::<EloModel>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"trinomial\" is not an Elo model: expected logistic or normalized"
    );
}
