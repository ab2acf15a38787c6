//! Data sets: no position is lost or duplicated, and the same games make the same sets.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use manoury::board::{Side, SquareSet};
use manoury::erased::Position;
use manoury::learn::data::{Origin, Sample, SampleReader, Source};
use manoury::learn::dataset::{DatasetSettings, DatasetSummary, each_game, files, make};
use manoury::learn::selfplay::SelfPlaySettings;
use manoury::position::Setup;
use manoury::progress::{NoProgress, Progress};
use manoury::rules::Variant;
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use crate::learn::{contents, play, settings};

/// Stops the work at once.
struct Stopped;

impl Progress for Stopped {
    fn advance(&self, _: u64) {}

    fn is_stopped(&self) -> bool {
        true
    }
}

const SETTINGS: DatasetSettings =
    DatasetSettings { seed: 3, validation: 0.2, late_percent: 100, lambda_percent: 0 };

/// Two folders of games, with openings so short that there are duplicates.
fn games() -> [TempDir; 2] {
    [1, 2].map(|seed| {
        let folder = tempfile::tempdir().unwrap();
        let settings = SelfPlaySettings { seed, random_plies: 1..=3, ..settings(60) };
        play(Variant::English, folder.path(), &settings, 1, u64::MAX);
        folder
    })
}

fn sources(games: &[TempDir]) -> Vec<PathBuf> {
    files(&games.iter().map(|folder| folder.path().to_owned()).collect::<Vec<_>>()).unwrap()
}

/// The position of a sample as the side to move sees it: with White to move.
fn position(sample: &Sample) -> Position {
    let variant = Variant::English;
    let position = Position::from_setup(variant, &sample.setup).unwrap();
    if position.side() == Side::White {
        return position;
    }
    let rotated = |set: SquareSet| {
        set.numbers().map(|square| variant.grid().rotated(square)).collect::<SquareSet>()
    };
    let pieces = [Side::Black, Side::White]
        .map(|side| [rotated(position.men(side)), rotated(position.kings(side))]);
    Position::from_setup(variant, &Setup { side: Side::White, pieces }).unwrap()
}

/// The samples in the files of a folder whose names begin with `word`.
fn set(folder: &Path, word: &str) -> Vec<Sample> {
    let mut all = Vec::new();
    for (name, _) in contents(folder).iter().filter(|(name, _)| name.starts_with(word)) {
        let mut reader = SampleReader::open(Variant::English, &folder.join(name)).unwrap();
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
    each_game(Variant::English, &sources, |_, game| {
        positions += game.len() as u64;
        last.extend(game.iter().map(|sample| (position(sample), *sample)));
        Ok(())
    })
    .unwrap();

    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("sets");
    let DatasetSummary { statistics, training, validation, late } =
        make(Variant::English, &sources, &folder, SETTINGS, &NoProgress).unwrap();
    assert_eq!((statistics.games, statistics.positions, late), (120, positions, 0));
    assert_eq!(statistics.pieces.values().sum::<u64>(), positions);
    assert_eq!(training + validation, last.len() as u64);
    assert!(training + validation < positions, "there were no duplicates");

    let [learn, test] = ["training", "validation"].map(|word| set(&folder, word));
    assert_eq!((learn.len() as u64, test.len() as u64), (training, validation));
    assert!(test.len() > learn.len() / 10 && test.len() < learn.len() / 2, "{}", test.len());
    let mut found = 0;
    for sample in learn.iter().chain(&test) {
        // Positions in both sets stay for validation, even if the sample for training is newer.
        found += usize::from(last.get(&position(sample)) == Some(sample));
    }
    let others = last.len() - found;
    assert!(others * 50 < last.len(), "{others} of {} are older ones", last.len());
    assert!(!learn.is_sorted_by_key(|sample| sample.ply), "not in any order");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "something was left behind");
}

#[test]
fn part_of_the_late_positions_is_left_out() {
    let games = games();
    let home = tempfile::tempdir().unwrap();
    let count = |late_percent: u8| {
        let folder = home.path().join(late_percent.to_string());
        let settings = DatasetSettings { late_percent, ..SETTINGS };
        make(Variant::English, &sources(&games), &folder, settings, &NoProgress).unwrap();
        let samples = ["training", "validation"].map(|word| set(&folder, word)).concat();
        let late = samples.iter().filter(|sample| sample.pieces() <= 8).count();
        (late, samples.len() - late)
    };
    let [(all, others), (few, same), (none, rest)] = [100, 30, 0].map(count);
    assert!(all > 500 && few > all / 5 && few < all * 2 / 5, "{few} of {all}");
    assert_eq!((none, same, rest), (0, others, others));
}

#[test]
fn scores_look_ahead_in_their_game() {
    let games = games();
    let home = tempfile::tempdir().unwrap();
    let of = |lambda_percent: u8| {
        let folder = home.path().join(lambda_percent.to_string());
        let settings = DatasetSettings { lambda_percent, ..SETTINGS };
        make(Variant::English, &sources(&games), &folder, settings, &NoProgress).unwrap();
        set(&folder, "training")
    };
    let [plain, averaged, results] = [of(0), of(90), of(100)];
    let (mut errors, mut count) = ([0.0; 2], 0);
    for ((one, other), last) in plain.iter().zip(&averaged).zip(&results) {
        assert_eq!(Sample { score: one.score, ..*other }, *one);
        if one.is_digression || one.score.is_decisive() {
            assert_eq!((one.score, one.score), (other.score, last.score));
            continue;
        }
        let result = last.score.for_white(last.setup.side).0;
        let sign = one.winner.map_or(0, |side| if side == Side::White { 1 } else { -1 });
        assert_eq!((result.signum(), result.abs() > 700), (sign, sign != 0), "{last:?}");
        count += 1;
        for (error, sample) in errors.iter_mut().zip([one, other]) {
            let score = f64::from(sample.score.for_white(sample.setup.side).0.clamp(-200, 200));
            *error += (score - 200.0 * f64::from(sign)).abs();
        }
    }
    // On the average, later scores are nearer to the result.
    assert!(count > 1000 && errors[1] < 0.9 * errors[0], "{count}: {errors:?}");
}

#[test]
fn sets_depend_on_games_and_settings_alone() {
    let games = games();
    let sources = sources(&games);
    let home = tempfile::tempdir().unwrap();
    let of = |name: &str, threads, settings| {
        let folder = home.path().join(name);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| make(Variant::English, &sources, &folder, settings, &NoProgress)).unwrap();
        contents(&folder)
    };
    let one = of("one", 1, SETTINGS);
    assert_eq!(one, of("other", 3, SETTINGS));
    assert_ne!(one, of("third", 1, DatasetSettings { seed: 4, ..SETTINGS }));
}

#[test]
fn sets_name_their_games() {
    let games = games();
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("sets");
    make(Variant::English, &sources(&games), &folder, SETTINGS, &NoProgress).unwrap();
    let file = folder.join("training-00000.samples");
    let reader = SampleReader::open(Variant::English, &file).unwrap();
    let Origin::Shuffled { sources: found, .. } = &reader.about().origin else { panic!() };
    let expected = [1, 2].map(|seed| {
        let origin = Origin::SelfPlay {
            seed,
            nodes: 50,
            weights: None,
            bitbase_pieces: None,
            random_plies: [1, 3],
            max_opening_score: 100,
            first_game: 0,
        };
        Source { games: 60, origin }
    });
    assert_eq!(*found, expected);
}

#[test]
fn failures_leave_no_files() {
    let games = games();
    let sources = sources(&games);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("sets");
    assert!(make(Variant::English, &sources, &folder, SETTINGS, &Stopped).is_err());
    let mut damaged = fs::read(&sources[1]).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&sources[1], damaged).unwrap();
    let error = make(Variant::English, &sources, &folder, SETTINGS, &NoProgress).unwrap_err();
    assert_eq!(error.path, sources[1]);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);

    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("diary.txt"), "mine").unwrap();
    let error = make(Variant::English, &sources[..1], &folder, SETTINGS, &NoProgress).unwrap_err();
    assert_eq!(error.path, folder);
    assert_eq!(fs::read_to_string(folder.join("diary.txt")).unwrap(), "mine");
}
