//! Learning: self-play, data sets, training and growing books, with their files and commands.

mod book;
mod cli;
mod dataset;
mod files;
mod relabel;
mod selfplay;
mod train;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use manoury::engine::Resources;
use manoury::eval::Evaluation;
use manoury::learn::data::SampleReader;
use manoury::learn::selfplay::{SelfPlaySettings, run};
use manoury::progress::Progress;
use manoury::rules::Variant;
use rayon::ThreadPoolBuilder;

/// Stops self-play after `most` games.
struct GameLimit {
    games: AtomicU64,
    most: u64,
}

impl Progress for GameLimit {
    fn advance(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.games.load(Ordering::Relaxed) >= self.most
    }
}

/// Settings for fast games.
fn settings(games: u64) -> SelfPlaySettings {
    SelfPlaySettings {
        games,
        nodes: 50,
        weights: None,
        bitbase_pieces: None,
        random_plies: 4..=10,
        max_opening_score: 100,
        seed: 7,
    }
}

/// Plays games into a folder until they are complete, or `most` have been played.
fn play(variant: Variant, folder: &Path, settings: &SelfPlaySettings, threads: usize, most: u64) {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let limit = GameLimit { games: 0.into(), most };
    let resources = || Ok(Resources::embedded(variant, Evaluation::hand_crafted()));
    run(variant, folder, settings, &resources, &pool, &limit).unwrap();
}

/// The contents of all files in a folder, sorted by name.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = |file: fs::DirEntry| {
        (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap())
    };
    let mut contents: Vec<_> = files.map(named).collect();
    contents.sort();
    contents
}

/// The numbers of samples in the blocks of a file.
fn blocks(variant: Variant, file: &Path) -> Vec<usize> {
    let mut reader = SampleReader::open(variant, file).unwrap();
    let (mut samples, mut blocks) = (Vec::new(), Vec::new());
    while reader.read(&mut samples).unwrap() {
        blocks.push(samples.len());
    }
    blocks
}
