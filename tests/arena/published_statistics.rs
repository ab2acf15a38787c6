//! The statistics on counts for which others have published results.
//!
//! Sources:
//! - fastchess: `app/tests/elo_test.cpp` and `app/tests/sprt_test.cpp` of
//!   <https://github.com/Disservin/fastchess>. It lists counts from two wins downward, and the even
//!   pairs as two numbers: win and loss, and two draws.
//! - fishtest: results of `LLRcalc.py` of <https://github.com/official-stockfish/fishtest>, run on
//!   the counts of its own examples in `stat_util.py` and on some with unobserved scores.
//! - montytest: a test's page of raw statistics,
//!   <https://montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712>.
//! - simul: the sample run in the readme of <https://github.com/vdbergh/simul>.

use manoury::arena::stats::{
    EloBounds, EloModel, Estimate, Pentanomial, Sprt, logistic_elo, normalized_elo, score_to_elo,
    superiority,
};

fn llr(model: EloModel, elo0: f64, elo1: f64, counts: [u64; 5]) -> f64 {
    let bounds = EloBounds::new(elo0, elo1).unwrap();
    let sprt = Sprt::new(bounds, 0.05, 0.05, model).unwrap();
    sprt.llr(&Pentanomial::from_counts(counts))
}

#[track_caller]
fn assert_close(found: f64, published: f64, digits: i32) {
    let half_a_digit = 0.500_001 * 10f64.powi(-digits);
    assert!((found - published).abs() <= half_a_digit, "{found} instead of {published}");
}

#[track_caller]
fn assert_estimate(found: Estimate, value: f64, margin: f64) {
    assert_close(found.value.unwrap(), value, 2);
    assert_close(found.margin().unwrap(), margin, 2);
}

#[test]
fn fastchess_elo() {
    // Counts, Elo, normalised Elo, LOS in per cent, score.
    for (counts, elo, normalized, los, score) in [
        ([34, 54, 63, 64, 75], (55.58, 27.65), (57.94, 28.28), 100.00, 0.579),
        ([332, 433, 498, 333, 334], (-8.64, 10.33), (-9.17, 10.96), 5.05, 0.488),
        ([7895, 8757, 5685, 568, 9999], (-21.04, 2.95), (-19.01, 2.65), 0.00, 0.470),
    ] {
        let pairs = Pentanomial::from_counts(counts);
        assert_estimate(logistic_elo(&pairs), elo.0, elo.1);
        assert_estimate(normalized_elo(&pairs), normalized.0, normalized.1);
        assert_close(superiority(&pairs).unwrap() * 100.0, los, 2);
        assert_close(pairs.score().unwrap(), score, 3);
    }
}

#[test]
fn fastchess_llr() {
    for (model, elo0, elo1, counts, published) in [
        (EloModel::Normalized, 0.0, 2.0, [365, 16_618, 36_229, 16_974, 390], 2.25),
        (EloModel::Normalized, -1.75, 0.25, [127, 4883, 10_712, 5150, 104], 3.01),
        (EloModel::Logistic, 0.5, 2.5, [223, 9863, 21_279, 10_037, 246], -3.07),
        (EloModel::Logistic, 0.0, 2.0, [871, 26_175, 55_983, 26_678, 821], -4.98),
    ] {
        assert_close(llr(model, elo0, elo1, counts), published, 2);
    }
    // Published as 111.82 with a tolerance of one per cent; fishtest has 111.798.
    let found = llr(EloModel::Normalized, 0.0, 5.0, [0, 0, 0, 0, 5550]);
    assert!((found / 111.82 - 1.0).abs() < 0.01);
}

#[test]
fn fishtest_llr() {
    for (model, elo0, elo1, counts, published) in [
        (EloModel::Normalized, 0.0, 5.0, [0, 0, 0, 0, 5550], 111.797_555),
        (EloModel::Normalized, 0.0, 2.0, [365, 16_618, 36_229, 16_974, 390], 2.250_368),
        (EloModel::Normalized, -1.75, 0.25, [127, 4883, 10_712, 5150, 104], 3.010_154),
        (EloModel::Logistic, 0.5, 2.5, [223, 9863, 21_279, 10_037, 246], -3.074_126),
        (EloModel::Logistic, 0.0, 2.0, [871, 26_175, 55_983, 26_678, 821], -4.978_673),
        (EloModel::Logistic, -3.0, 1.0, [10_789, 19_328, 33_806, 19_402, 10_543], 2.131_068),
        (EloModel::Logistic, 0.2, 0.9, [39, 2226, 31_451, 2412, 40], 2.162_543),
        (EloModel::Normalized, 0.764, 3.439, [39, 2226, 31_451, 2412, 40], 2.162_941),
        (EloModel::Normalized, 0.0, 5.0, [0, 12, 300, 25, 0], 0.730_612),
        (EloModel::Logistic, 0.0, 5.0, [0, 12, 300, 25, 0], 2.181_602),
        (EloModel::Normalized, 0.0, 5.0, [0, 0, 50, 0, 0], -0.017_561),
        (EloModel::Logistic, 0.0, 5.0, [0, 0, 50, 0, 0], -0.717_606),
        (EloModel::Normalized, -5.0, 15.0, [0, 0, 0, 0, 1], 0.079_751),
        (EloModel::Logistic, -5.0, 15.0, [0, 3, 0, 0, 1], -0.063_275),
    ] {
        assert_close(llr(model, elo0, elo1, counts), published, 6);
    }
}

#[test]
fn montytest_raw_statistics() {
    let counts = [13, 37, 50, 25, 3];
    let pairs = Pentanomial::from_counts(counts);
    assert_close(pairs.score().unwrap(), 0.4375, 5);
    assert_close(pairs.variance().unwrap(), 0.05762, 5);
    assert_close(normalized_elo(&pairs).value.unwrap(), -63.97, 2);
    assert_close(llr(EloModel::Normalized, 0.0, 4.0, counts), -0.54912, 5);
    // The logistic bound is the equivalent of 4 normalised Elo for the standard deviation of these
    // pairs.
    let deviation = (2.0 * pairs.variance().unwrap()).sqrt();
    let bound = score_to_elo(0.5 + 4.0 * deviation / (800.0 / std::f64::consts::LN_10)).unwrap();
    assert_close(bound, 2.716, 3);
    assert_close(llr(EloModel::Logistic, 0.0, bound, counts), -0.53772, 5);
}

#[test]
fn simul_strength() {
    // Probabilities with six decimals, as the counts of a million pairs.
    let pairs = Pentanomial::from_counts([586, 45_994, 903_702, 49_052, 667]);
    assert_close(logistic_elo(&pairs).value.unwrap(), 0.55915, 3);
    assert_close(normalized_elo(&pairs).value.unwrap(), 2.5, 2);
}
