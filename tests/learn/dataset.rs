//! Sets of positions: nothing is lost, nothing comes twice, and the same games make the same sets.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use manoury::learn::data::{Reader, Sample};
use manoury::learn::dataset::{Made, Settings, Watch, each_game, files, make};
use manoury::learn::selfplay;
use manoury::position::{Pieces, Position};
use manoury::rules::{English, Rules};
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use crate::{contents, play, settings};

/// Somebody who lets the work go on to its end.
pub struct Patience;

impl Watch for Patience {
    fn advance(&self, _: u64) {}

    fn is_stopped(&self) -> bool {
        false
    }
}

/// Somebody who does not.
struct Impatience;

impl Watch for Impatience {
    fn advance(&self, _: u64) {}

    fn is_stopped(&self) -> bool {
        true
    }
}

const SETTINGS: Settings = Settings { seed: 3, validation: 0.2 };

/// Two folders of games, with short openings so that there are doubles.
fn games() -> [TempDir; 2] {
    [1, 2].map(|seed| {
        let folder = tempfile::tempdir().unwrap();
        let settings = selfplay::Settings { seed, random_plies: 1..=3, ..settings(60) };
        play::<English>(folder.path(), &settings, 1, u64::MAX);
        folder
    })
}

fn sources(games: &[TempDir]) -> Vec<PathBuf> {
    files(&games.iter().map(|folder| folder.path().to_owned()).collect::<Vec<_>>()).unwrap()
}

/// The position of a sample as the side to move sees it.
fn position<R: Rules>(sample: &Sample<R::Geometry>) -> Position<R> {
    Pieces::of(&sample.setup.position::<R>().unwrap()).position()
}

/// The samples of the files of a folder whose names begin with a word.
fn set<R: Rules>(folder: &Path, word: &str) -> Vec<Sample<R::Geometry>> {
    let mut all = Vec::new();
    for (name, _) in contents(folder).iter().filter(|(name, _)| name.starts_with(word)) {
        let mut reader = Reader::<R>::open(&folder.join(name)).unwrap();
        let mut samples = Vec::new();
        while reader.read(&mut samples).unwrap() {
            all.append(&mut samples);
        }
    }
    all
}

#[test]
fn each_position_is_in_one_set_as_it_was_found_last() {
    let games = games();
    let sources = sources(&games);
    let mut last = HashMap::new();
    let mut positions = 0;
    each_game::<English>(&sources, |_, game| {
        positions += game.len() as u64;
        last.extend(game.iter().map(|sample| (position::<English>(sample), *sample)));
        Ok(())
    })
    .unwrap();

    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("sets");
    let Made { statistics, training, validation } =
        make::<English>(&sources, &folder, SETTINGS, &Patience).unwrap();
    assert_eq!((statistics.games, statistics.positions), (120, positions));
    assert_eq!(statistics.pieces.values().sum::<u64>(), positions);
    assert_eq!(training + validation, last.len() as u64);
    assert!(training + validation < positions, "there were no doubles");

    let [learn, test] = ["training", "validation"].map(|word| set::<English>(&folder, word));
    assert_eq!((learn.len() as u64, test.len() as u64), (training, validation));
    assert!(test.len() > learn.len() / 10 && test.len() < learn.len() / 2, "{}", test.len());
    let mut found = 0;
    for sample in learn.iter().chain(&test) {
        // What is in both sets stays for validation, although it may have been found later.
        found += usize::from(last.get(&position::<English>(sample)) == Some(sample));
    }
    let others = last.len() - found;
    assert!(others * 50 < last.len(), "{others} of {} are older ones", last.len());
    assert!(!learn.is_sorted_by_key(|sample| sample.ply), "not in any order");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "something was left behind");
}

#[test]
fn sets_depend_on_games_and_settings_alone() {
    let games = games();
    let sources = sources(&games);
    let home = tempfile::tempdir().unwrap();
    let of = |name: &str, threads, settings| {
        let folder = home.path().join(name);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| make::<English>(&sources, &folder, settings, &Patience)).unwrap();
        contents(&folder)
    };
    let one = of("one", 1, SETTINGS);
    assert_eq!(one, of("other", 3, SETTINGS));
    assert_ne!(one, of("third", 1, Settings { seed: 4, ..SETTINGS }));
}

#[test]
fn what_fails_leaves_nothing_behind() {
    let games = games();
    let sources = sources(&games);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("sets");
    assert!(make::<English>(&sources, &folder, SETTINGS, &Impatience).is_err());
    let mut damaged = fs::read(&sources[1]).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&sources[1], damaged).unwrap();
    let error = make::<English>(&sources, &folder, SETTINGS, &Patience).unwrap_err();
    assert_eq!(error.path, sources[1]);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);

    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("diary.txt"), "mine").unwrap();
    let error = make::<English>(&sources[..1], &folder, SETTINGS, &Patience).unwrap_err();
    assert_eq!(error.path, folder);
    assert_eq!(fs::read_to_string(folder.join("diary.txt")).unwrap(), "mine");
}
