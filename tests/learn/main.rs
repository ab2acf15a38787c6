//! Learning: games of the engine against itself, and the files that hold them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod book;
mod cli;
mod dataset;
mod files;
mod selfplay;
mod train;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use manoury::eval::Evaluation;
use manoury::learn::data::Reader;
use manoury::learn::selfplay::{Settings, Tally, Watch, run};
use manoury::rules::Rules;
use rayon::ThreadPoolBuilder;

/// Somebody who stops the games when there are so many.
struct Patience {
    games: AtomicU64,
    most: u64,
}

impl Watch for Patience {
    fn see(&self, game: Tally) {
        self.games.fetch_add(game.games(), Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.games.load(Ordering::Relaxed) >= self.most
    }
}

/// Games that are quickly played.
fn settings(games: u64) -> Settings {
    Settings { games, nodes: 50, weights: None, random_plies: 4..=10, seed: 7 }
}

/// Plays games into a folder until they are complete, or `most` have been played.
fn play<R: Rules>(folder: &Path, settings: &Settings, threads: usize, most: u64) {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let watch = Patience { games: 0.into(), most };
    run::<R>(folder, settings, &Evaluation::by_hand(), &pool, &watch).unwrap();
}

/// Every file of a folder by name.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = |file: fs::DirEntry| {
        (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap())
    };
    let mut contents: Vec<_> = files.map(named).collect();
    contents.sort();
    contents
}

/// How many samples each block of a file has.
fn blocks<R: Rules>(file: &Path) -> Vec<usize> {
    let mut reader = Reader::<R>::open(file).unwrap();
    let (mut samples, mut blocks) = (Vec::new(), Vec::new());
    while reader.read(&mut samples).unwrap() {
        blocks.push(samples.len());
    }
    blocks
}
