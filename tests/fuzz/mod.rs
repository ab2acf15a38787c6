//! A short run of all fuzz targets: every seed, and randomly mutated seeds. `scripts/fuzz.sh` runs
//! them for long, guided by coverage; the inputs it finds become seeds.

mod mutation;
mod targets;

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use mutation::mutate;
use targets::*;

/// The seeds of a target.
fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut files: Vec<_> =
        fs::read_dir(&folder).expect(target).map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no seeds in {}", folder.display());
    files.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Checks all seeds, and `rounds` mutated ones.
fn run(target: &str, check: fn(&[u8]), rounds: usize) {
    let seeds = seeds(target);
    for (path, bytes) in &seeds {
        look(check, bytes, &path.display().to_string());
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for round in 0..rounds {
        let bytes = mutate(&seeds, &mut random);
        look(check, &bytes, &format!("{target}, round {round}"));
    }
}

/// Checks an input; if that panics, keeps the input and names it.
fn look(check: fn(&[u8]), bytes: &[u8], what: &str) {
    if panic::catch_unwind(|| check(bytes)).is_err() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("finding");
        fs::write(&path, bytes).unwrap();
        panic!("{what}: the input is in {}", path.display());
    }
}

macro_rules! fuzz {
    ($($target:ident: $rounds:expr;)*) => {$(
        #[test]
        fn $target() {
            run(stringify!($target), $target::check, $rounds);
        }
    )*};
}

fuzz! {
    bitbase_file: 2_000;
    book_file: 2_000;
    dxp_message: 20_000;
    engine_list: 5_000;
    engine_spec: 20_000;
    fen: 20_000;
    http_request: 20_000;
    hub_line: 20_000;
    hub_move: 20_000;
    hub_position: 20_000;
    hub_session: 50;
    page_request: 2_000;
    pdn: 1_000;
    samples_file: 2_000;
    tune_list: 20_000;
    tune_log: 20_000;
    weights_file: 200;
}

#[test]
#[ignore = "slow: 5,000 rounds"]
fn pdn_for_long() {
    run("pdn", pdn::check, 5_000);
}
