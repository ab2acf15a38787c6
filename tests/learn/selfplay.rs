//! Games: what is stored of them, and that nothing but the settings matters to them.

use std::collections::HashSet;
use std::fs;

use manoury::learn::data::{Reader, Sample};
use manoury::learn::selfplay::{SHARD, Settings, stored};
use manoury::movegen;
use manoury::position::Position;
use manoury::rules::{English, Frisian, International, Losing, Rules};

use crate::{blocks, contents, play, settings};

/// The games of a folder's first file.
fn games<R: Rules>(folder: &std::path::Path) -> Vec<Vec<Sample<R::Geometry>>> {
    let mut reader = Reader::<R>::open(&folder.join("000000000.games")).unwrap();
    let (mut samples, mut games) = (Vec::new(), Vec::new());
    while reader.read(&mut samples).unwrap() {
        games.push(samples.clone());
    }
    games
}

fn check<R: Rules>() {
    let folder = tempfile::tempdir().unwrap();
    play::<R>(folder.path(), &settings(40), 2, u64::MAX);
    let games = games::<R>(folder.path());
    assert_eq!(games.len(), 40);
    let different: HashSet<_> = games.iter().map(|game| format!("{game:?}")).collect();
    assert_eq!(different.len(), 40, "{}", R::VARIANT);
    for game in &games {
        assert!(game.iter().all(|sample| sample.winner == game[0].winner));
        let mut ply = None;
        for sample in game {
            // Digressions begin where the game is.
            assert!(Some(sample.ply) > ply, "{sample:?}");
            if !sample.is_aside {
                ply = Some(sample.ply);
            }
            let position: Position<R> = sample.setup.position().unwrap();
            assert!(!movegen::has_capture(&position), "{position}");
            assert!(movegen::legal_moves(&position).len() > 1, "{position}");
        }
    }
    let samples = games.concat();
    let aside = samples.iter().filter(|sample| sample.is_aside).count();
    let positions = [aside, samples.len() - aside];
    assert!(positions.into_iter().all(|count| count > 400), "{}: {positions:?}", R::VARIANT);
    assert!(games.iter().flatten().any(|sample| sample.winner.is_some()));
}

#[test]
fn games_are_quiet_positions_of_different_games() {
    check::<International>();
    check::<Losing>();
    check::<Frisian>();
    check::<English>();
}

#[test]
fn threads_make_no_difference() {
    let of = |threads| {
        let folder = tempfile::tempdir().unwrap();
        play::<English>(folder.path(), &settings(SHARD + 10), threads, u64::MAX);
        contents(folder.path())
    };
    assert_eq!(of(1), of(3));
}

#[test]
fn what_was_broken_off_goes_on() {
    let whole = tempfile::tempdir().unwrap();
    play::<International>(whole.path(), &settings(30), 1, u64::MAX);
    let parts = tempfile::tempdir().unwrap();
    let file = parts.path().join("000000000.games");
    play::<International>(parts.path(), &settings(30), 1, 10);
    assert_eq!(blocks::<International>(&file).len(), 10);
    // As if the program had been killed while it wrote the tenth game.
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 5]).unwrap();
    assert_eq!(stored::<International>(parts.path(), &settings(30)).unwrap().games(), 9);
    // Fewer games now, more later: it is the same folder.
    play::<International>(parts.path(), &settings(20), 1, u64::MAX);
    play::<International>(parts.path(), &settings(30), 1, u64::MAX);
    assert_eq!(contents(parts.path()), contents(whole.path()));
}

#[test]
fn other_seeds_are_other_games() {
    let of = |seed| {
        let folder = tempfile::tempdir().unwrap();
        play::<English>(folder.path(), &Settings { seed, ..settings(3) }, 1, u64::MAX);
        games::<English>(folder.path())
    };
    let [one, other] = [of(1), of(2)];
    assert!(one.iter().zip(&other).all(|(one, other)| one != other));
}
