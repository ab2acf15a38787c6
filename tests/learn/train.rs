//! Training: the loss falls, runs are reproducible, and interrupted ones continue.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use manoury::learn::data::DataProblem;
use manoury::learn::dataset::{self, DatasetSettings, files};
use manoury::learn::train::{self, Epoch, LearningRates, TrainRecorder, TrainSettings};
use manoury::progress::{NoProgress, Progress};
use manoury::rules::Variant;
use manoury::weights::FactorizedNetwork;
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use crate::learn::{play, settings};

/// Stops the training after `most` epochs.
struct EpochLimit {
    seen: AtomicU32,
    most: u32,
}

impl TrainRecorder for EpochLimit {
    fn progress(&self) -> &dyn Progress {
        self
    }

    fn record(&self, _: &Epoch) {
        self.seen.fetch_add(1, Ordering::Relaxed);
    }
}

impl Progress for EpochLimit {
    fn advance(&self, _: u64) {}

    fn is_stopped(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= self.most
    }
}

const SETTINGS: TrainSettings = TrainSettings {
    epochs: 3,
    batch: 100,
    rates: LearningRates { rows: 0.02, outputs: 0.01 },
    decay: 0.6,
    result_share: 0.0,
    seed: 1,
    from: None,
};

/// A data set of some games.
fn sets(variant: Variant) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let games = home.path().join("games");
    play(variant, &games, &settings(150), 2, u64::MAX);
    let settings =
        DatasetSettings { seed: 1, validation: 0.2, late_percent: 100, lambda_percent: 0 };
    let files = files(&[games]).unwrap();
    dataset::make(variant, &files, &home.path().join("sets"), settings, &NoProgress).unwrap();
    home
}

type Learned = Result<(FactorizedNetwork, Vec<Epoch>), DataProblem>;

fn learn(
    variant: Variant,
    home: &Path,
    checkpoint: &str,
    settings: &TrainSettings,
    most: u32,
) -> Learned {
    let limit = EpochLimit { seen: 0.into(), most };
    let (sets, checkpoint) = (home.join("sets"), home.join(checkpoint));
    let data = train::data(variant, &sets).unwrap();
    train::train(variant, &sets, &data, &checkpoint, settings, None, &limit)
        .map_err(|error| error.problem)
}

#[test]
fn a_network_is_trained_further() {
    let variant = Variant::English;
    let home = sets(variant);
    let (parts, first) = learn(variant, home.path(), "first", &SETTINGS, 9).unwrap();
    // With a tenth of the rates, as scripts/README.md recommends.
    let settings = TrainSettings {
        from: Some(7),
        rates: LearningRates { rows: 0.002, outputs: 0.001 },
        ..SETTINGS
    };
    let further = |checkpoint: &str, most| {
        let limit = EpochLimit { seen: 0.into(), most };
        let (sets, checkpoint) = (home.path().join("sets"), home.path().join(checkpoint));
        let data = train::data(variant, &sets).unwrap();
        train::train(variant, &sets, &data, &checkpoint, &settings, Some(&parts), &limit)
    };
    let (_, second) = further("second", 9).unwrap();
    // It starts where the first ended, but for rounding and the first steps, and improves on it.
    assert!(second[0].training_loss < first[0].training_loss, "{first:?} {second:?}");
    let (last, next) = (first.last().unwrap(), &second[0]);
    assert!(next.training_loss < 1.1 * last.training_loss, "{first:?} {second:?}");
    assert!(next.validation_loss < last.validation_loss, "{first:?} {second:?}");
    assert!(further("part", 1).is_err());
    assert_eq!(further("part", 9).unwrap().1, second);
    let other = learn(variant, home.path(), "second", &SETTINGS, 9);
    assert!(matches!(other, Err(DataProblem::OtherSettings)));
}

fn learns(variant: Variant) {
    let home = sets(variant);
    let (_, epochs) = learn(variant, home.path(), "a", &SETTINGS, 9).unwrap();
    let numbers: Vec<_> = epochs.iter().map(|epoch| epoch.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    // The first network has the material values, which the loss of the first epoch starts from.
    let [first, .., last] = &epochs[..] else { panic!("{epochs:?}") };
    assert!(last.training_loss < first.training_loss, "{epochs:?}");
    assert!(last.validation_loss.unwrap() < first.training_loss, "{epochs:?}");
    assert!(epochs.iter().all(|epoch| epoch.examples > 3000), "{epochs:?}");
    // A network that knows nothing of results has the loss ln 3.
    let knows = |epoch: &Epoch| epoch.margin_loss > 0.0 && epoch.margin_loss < 0.9 * 3_f64.ln();
    assert!(epochs.iter().all(knows), "{epochs:?}");
    let picture = train::loss_chart(&epochs);
    assert_eq!(picture.matches("<polyline").count(), 2);
}

#[test]
fn networks_of_different_games_learn() {
    learns(Variant::International);
    learns(Variant::English);
}

#[test]
fn result_is_independent_of_threads_and_stops() {
    let home = sets(Variant::English);
    let with = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let name = format!("{threads} threads");
        pool.install(|| learn(Variant::English, home.path(), &name, &SETTINGS, 9)).unwrap()
    };
    let whole = with(1);
    assert_eq!(with(3), whole);
    assert!(matches!(
        learn(Variant::English, home.path(), "part", &SETTINGS, 1),
        Err(DataProblem::Stopped)
    ));
    assert_eq!(learn(Variant::English, home.path(), "part", &SETTINGS, 9).unwrap(), whole);

    let other = TrainSettings { seed: 2, ..SETTINGS };
    assert!(matches!(
        learn(Variant::English, home.path(), "part", &other, 9),
        Err(DataProblem::OtherSettings)
    ));
    assert_ne!(learn(Variant::English, home.path(), "other", &other, 9).unwrap().0, whole.0);
}

#[test]
fn damaged_checkpoints_are_refused() {
    let home = sets(Variant::English);
    let one = TrainSettings { epochs: 1, ..SETTINGS };
    learn(Variant::English, home.path(), "whole", &one, 9).unwrap();
    let bytes = fs::read(home.path().join("whole")).unwrap();
    for place in [0, 9, 30, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        fs::write(home.path().join("damaged"), damaged).unwrap();
        let problem = learn(Variant::English, home.path(), "damaged", &SETTINGS, 9).unwrap_err();
        assert!(
            matches!(problem, DataProblem::NotSamples | DataProblem::Header),
            "byte {place}: {problem}"
        );
    }
    // A whole file, but of a network with one parameter less.
    let mut narrower = bytes[..bytes.len() - 8].to_vec();
    narrower.extend(crc32fast::hash(&narrower).to_le_bytes());
    fs::write(home.path().join("damaged"), narrower).unwrap();
    let problem = learn(Variant::English, home.path(), "damaged", &SETTINGS, 9).unwrap_err();
    assert!(matches!(problem, DataProblem::Header), "{problem}");
}
