//! Self-play: the samples of games, and that games depend on nothing but the settings.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use manoury::erased::Position;
use manoury::learn::data::{Sample, SampleReader};
use manoury::learn::selfplay::{GAMES_PER_FILE, SelfPlaySettings, count_games};
use manoury::rules::Variant;

use crate::learn::{blocks, contents, play, settings};

/// The games in the first file of a folder.
fn games(variant: Variant, folder: &Path) -> Vec<Vec<Sample>> {
    let mut reader = SampleReader::open(variant, &folder.join("000000000.games")).unwrap();
    let (mut samples, mut games) = (Vec::new(), Vec::new());
    while reader.read(&mut samples).unwrap() {
        games.push(samples.clone());
    }
    games
}

fn check(variant: Variant) {
    let folder = tempfile::tempdir().unwrap();
    play(variant, folder.path(), &settings(40), 2, u64::MAX);
    let games = games(variant, folder.path());
    assert_eq!(games.len(), 40);
    let different: HashSet<_> = games.iter().map(|game| format!("{game:?}")).collect();
    assert_eq!(different.len(), 40, "{variant}");
    for game in &games {
        assert!(game.iter().all(|sample| sample.winner == game[0].winner));
        let mut ply = None;
        for sample in game {
            // Digressions follow the position where they leave the game.
            assert!(Some(sample.ply) > ply, "{sample:?}");
            if !sample.is_digression {
                ply = Some(sample.ply);
            }
            let position = Position::from_setup(variant, &sample.setup).unwrap();
            assert!(!position.has_capture(), "{position}");
            assert!(position.legal_moves().len() > 1, "{position}");
        }
    }
    let samples = games.concat();
    let aside = samples.iter().filter(|sample| sample.is_digression).count();
    let positions = [aside, samples.len() - aside];
    assert!(positions.into_iter().all(|count| count > 400), "{variant}: {positions:?}");
    assert!(games.iter().flatten().any(|sample| sample.winner.is_some()));
}

#[test]
fn games_are_quiet_positions_of_different_games() {
    check(Variant::International);
    check(Variant::Losing);
    check(Variant::Frisian);
    check(Variant::English);
}

#[test]
fn result_is_independent_of_threads() {
    let of = |threads| {
        let folder = tempfile::tempdir().unwrap();
        let settings = SelfPlaySettings { nodes: 5, ..settings(GAMES_PER_FILE + 10) };
        // Games of breakthrough are short.
        play(Variant::Breakthrough, folder.path(), &settings, threads, u64::MAX);
        contents(folder.path())
    };
    assert_eq!(of(1), of(3));
}

#[test]
fn resumes_interrupted_work() {
    let whole = tempfile::tempdir().unwrap();
    play(Variant::International, whole.path(), &settings(30), 1, u64::MAX);
    let parts = tempfile::tempdir().unwrap();
    let file = parts.path().join("000000000.games");
    play(Variant::International, parts.path(), &settings(30), 1, 10);
    assert_eq!(blocks(Variant::International, &file).len(), 10);
    // As if the program had been killed while it wrote the tenth game.
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 5]).unwrap();
    assert_eq!(
        count_games(Variant::International, parts.path(), &settings(30)).unwrap().games(),
        9
    );
    // Fewer games now, more later: it is the same folder.
    play(Variant::International, parts.path(), &settings(20), 1, u64::MAX);
    play(Variant::International, parts.path(), &settings(30), 1, u64::MAX);
    assert_eq!(contents(parts.path()), contents(whole.path()));
}

#[test]
fn other_seeds_are_other_games() {
    let of = |seed| {
        let folder = tempfile::tempdir().unwrap();
        play(
            Variant::English,
            folder.path(),
            &SelfPlaySettings { seed, ..settings(3) },
            1,
            u64::MAX,
        );
        games(Variant::English, folder.path())
    };
    let [one, other] = [of(1), of(2)];
    assert!(one.iter().zip(&other).all(|(one, other)| one != other));
}
