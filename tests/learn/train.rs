//! Training: it learns, the same each time, and goes on where it stopped.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use manoury::eval::network::Network;
use manoury::learn::data::Problem;
use manoury::learn::dataset::{self, files};
use manoury::learn::train::{self, Epoch, Rates, Settings, Watch};
use manoury::rules::{English, International, Rules};
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use crate::dataset::Patience;
use crate::{play, settings};

/// Somebody who stops the training after so many epochs.
struct Epochs {
    seen: AtomicU32,
    most: u32,
}

impl Watch for Epochs {
    fn advance(&self, _: u64) {}

    fn see(&self, _: &Epoch) {
        self.seen.fetch_add(1, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= self.most
    }
}

const SETTINGS: Settings = Settings {
    epochs: 3,
    batch: 100,
    rates: Rates { rows: 0.02, outputs: 0.01 },
    decay: 0.6,
    result_share: 0.0,
    seed: 1,
};

/// Sets of some games.
fn sets<R: Rules>() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let games = home.path().join("games");
    play::<R>(&games, &settings(150), 2, u64::MAX);
    let settings = dataset::Settings { seed: 1, validation: 0.2 };
    let files = files(&[games]).unwrap();
    dataset::make::<R>(&files, &home.path().join("sets"), settings, &Patience).unwrap();
    home
}

type Learned<R> = Result<(Network<<R as Rules>::Geometry>, Vec<Epoch>), Problem>;

fn learn<R: Rules>(home: &Path, checkpoint: &str, settings: &Settings, most: u32) -> Learned<R> {
    let watch = Epochs { seen: 0.into(), most };
    let (sets, checkpoint) = (home.join("sets"), home.join(checkpoint));
    let data = train::data::<R>(&sets).unwrap();
    train::train::<R>(&sets, &data, &checkpoint, settings, &watch).map_err(|error| error.problem)
}

fn learns<R: Rules>() {
    let home = sets::<R>();
    let (_, epochs) = learn::<R>(home.path(), "a", &SETTINGS, 9).unwrap();
    let numbers: Vec<_> = epochs.iter().map(|epoch| epoch.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    // The network knows what pieces are worth before it learns, as the first epoch sees it at first.
    let [first, .., last] = &epochs[..] else { panic!("{epochs:?}") };
    assert!(last.training_loss < first.training_loss, "{epochs:?}");
    assert!(last.validation_loss < first.training_loss, "{epochs:?}");
    assert!(epochs.iter().all(|epoch| epoch.examples > 3000), "{epochs:?}");
    let picture = train::curve(&epochs);
    assert_eq!(picture.matches("<polyline").count(), 2);
}

#[test]
fn networks_of_different_games_learn() {
    learns::<International>();
    learns::<English>();
}

#[test]
fn threads_and_stops_make_no_difference() {
    let home = sets::<English>();
    let with = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let name = format!("{threads} threads");
        pool.install(|| learn::<English>(home.path(), &name, &SETTINGS, 9)).unwrap()
    };
    let whole = with(1);
    assert_eq!(with(3), whole);
    assert!(matches!(learn::<English>(home.path(), "part", &SETTINGS, 1), Err(Problem::Stopped)));
    assert_eq!(learn::<English>(home.path(), "part", &SETTINGS, 9).unwrap(), whole);

    let other = Settings { seed: 2, ..SETTINGS };
    assert!(matches!(
        learn::<English>(home.path(), "part", &other, 9),
        Err(Problem::OtherSettings)
    ));
    assert_ne!(learn::<English>(home.path(), "other", &other, 9).unwrap().0, whole.0);
}

#[test]
fn damaged_checkpoints_are_refused() {
    let home = sets::<English>();
    let one = Settings { epochs: 1, ..SETTINGS };
    learn::<English>(home.path(), "whole", &one, 9).unwrap();
    let bytes = fs::read(home.path().join("whole")).unwrap();
    for place in [0, 9, 30, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        fs::write(home.path().join("damaged"), damaged).unwrap();
        let problem = learn::<English>(home.path(), "damaged", &SETTINGS, 9).unwrap_err();
        assert!(matches!(problem, Problem::NoData | Problem::About), "byte {place}: {problem}");
    }
}
