//! Positions of games searched again.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use manoury::engine::Resources;
use manoury::eval::Evaluation;
use manoury::learn::data::{DataProblem, RelabelShares, Relabelling, Sample, SampleReader};
use manoury::learn::dataset;
use manoury::learn::relabel::run;
use manoury::progress::Progress;
use manoury::rules::Variant;
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use super::{contents, play, settings};

const VARIANT: Variant = Variant::International;

/// All positions, with more nodes than those of the games.
const DEEPER: Relabelling = Relabelling {
    nodes: 500,
    weights: None,
    bitbase_pieces: 4,
    shares: RelabelShares { kings: 100, few: 100, many: 100 },
};

/// Stops after some positions of games have been read.
struct ReadLimit {
    read: AtomicU64,
    most: u64,
}

impl Progress for ReadLimit {
    fn advance(&self, read: u64) {
        self.read.fetch_add(read, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.read.load(Ordering::Relaxed) >= self.most
    }
}

/// A folder with `games`, two files of them.
fn games() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    for (number, seed) in [1, 2].into_iter().enumerate() {
        let one = home.path().join("one");
        play(
            VARIANT,
            &one,
            &manoury::learn::selfplay::SelfPlaySettings { seed, ..settings(6) },
            1,
            9,
        );
        fs::create_dir_all(home.path().join("games")).unwrap();
        let to = home.path().join(format!("games/{number}.games"));
        fs::rename(one.join("000000000.games"), to).unwrap();
    }
    home
}

fn files(folder: &Path) -> Vec<PathBuf> {
    dataset::files(&[folder.to_owned()]).unwrap()
}

/// Relabels the games of a home into one of its folders.
fn relabel(
    home: &TempDir,
    to: &str,
    settings: &Relabelling,
    threads: usize,
    most: u64,
) -> Result<PathBuf, DataProblem> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let resources = || Ok(Resources::embedded(VARIANT, Evaluation::hand_crafted()));
    let limit = ReadLimit { read: 0.into(), most };
    let (from, to) = (files(&home.path().join("games")), home.path().join(to));
    match run(VARIANT, &from, &to, settings, &resources, &pool, &limit) {
        Ok(()) => Ok(to),
        Err(error) => Err(error.problem),
    }
}

fn samples(folder: &Path) -> Vec<Sample> {
    let mut all = Vec::new();
    for file in files(folder) {
        let (mut reader, mut block) = (SampleReader::open(VARIANT, &file).unwrap(), Vec::new());
        while reader.read(&mut block).unwrap() {
            all.append(&mut block);
        }
    }
    all
}

#[test]
fn positions_stay_and_scores_change() {
    let home = games();
    let before = samples(&home.path().join("games"));
    let after = samples(&relabel(&home, "all", &DEEPER, 1, u64::MAX).unwrap());
    assert_eq!(before.len(), after.len());
    let same = before.iter().zip(&after).filter(|(before, after)| before.score == after.score);
    assert!(same.count() < before.len() * 3 / 4);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(Sample { score: after.score, ..*before }, *after);
    }
}

#[test]
fn shares_are_of_each_kind() {
    let home = games();
    let kinds = |samples: &[Sample]| {
        let mut kinds = HashMap::new();
        for sample in samples {
            let [[_, white], [_, black]] = sample.setup.pieces;
            let kind = ((white | black).is_some(), sample.pieces() <= RelabelShares::FEW);
            *kinds.entry(kind).or_insert(0) += 1;
        }
        kinds
    };
    let all = kinds(&samples(&home.path().join("games")));
    let shares = RelabelShares { kings: 0, few: 100, many: 40 };
    let some = relabel(&home, "some", &Relabelling { nodes: 20, shares, ..DEEPER }, 1, u64::MAX);
    let some = kinds(&samples(&some.unwrap()));
    assert!(!some.contains_key(&(true, true)) && !some.contains_key(&(true, false)));
    assert_eq!(some[&(false, true)], all[&(false, true)]);
    let (few, many) = (some[&(false, false)], all[&(false, false)]);
    assert!((many * 25..many * 55).contains(&(few * 100)), "{few} of {many}");
}

#[test]
fn result_is_independent_of_threads_and_stops() {
    let home = games();
    let whole = contents(&relabel(&home, "whole", &DEEPER, 1, u64::MAX).unwrap());
    assert_eq!(contents(&relabel(&home, "threads", &DEEPER, 3, u64::MAX).unwrap()), whole);
    relabel(&home, "parts", &DEEPER, 1, 1).unwrap();
    assert_ne!(contents(&home.path().join("parts")), whole);
    assert_eq!(contents(&relabel(&home, "parts", &DEEPER, 2, u64::MAX).unwrap()), whole);
    let other = relabel(&home, "whole", &Relabelling { nodes: 501, ..DEEPER }, 1, u64::MAX);
    assert!(matches!(other, Err(DataProblem::OtherSettings)));
}
