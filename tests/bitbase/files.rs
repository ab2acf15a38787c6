//! Files of bitbases: work that goes on where it was broken off, and files that are not what they
//! should be.

use std::fs;
use std::path::Path;

use manoury::bitbase::{
    Bitbases, Content, File, Index, Problem, Slice, Watch, generate, memory, positions,
};
use manoury::rules::{English, International};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::{Patience, made};

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

/// Somebody who loses patience when so many steps are done.
struct Impatience {
    steps: std::sync::atomic::AtomicU64,
    most: u64,
}

impl Watch for Impatience {
    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, std::sync::atomic::Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.steps.load(std::sync::atomic::Ordering::Relaxed) > self.most
    }
}

#[test]
fn what_was_broken_off_goes_on() {
    let whole = tempfile::tempdir().unwrap();
    made::<English>(whole.path(), 3);
    let parts = tempfile::tempdir().unwrap();
    let total = 4 * positions::<English>(3);
    for part in 1..4 {
        let watch = Impatience { steps: 0.into(), most: total * part / 4 };
        let error = generate::<English>(parts.path(), 3, true, &watch).unwrap_err();
        assert_eq!(error.to_string(), "stopped");
        let files = contents(parts.path());
        let is_whole = |name: &str| name.ends_with(".bitbase") || name.ends_with(".distances");
        assert!(files.iter().all(|(name, _)| is_whole(name)), "nothing half done");
        assert!(files.len() < 2 * (Slice::all(2).len() + Slice::all(3).len()));
    }
    made::<English>(parts.path(), 3);
    assert!(contents(parts.path()) == contents(whole.path()));
}

#[test]
fn threads_make_no_difference() {
    let of = |threads| {
        let folder = tempfile::tempdir().unwrap();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| made::<English>(folder.path(), 3));
        contents(folder.path())
    };
    assert_eq!(of(1), of(4));
}

#[test]
fn all_steps_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for _ in ["made", "read"] {
        let watch = Impatience { steps: 0.into(), most: u64::MAX };
        generate::<English>(folder.path(), 3, true, &watch).unwrap();
        assert_eq!(watch.steps.into_inner(), 4 * positions::<English>(3));
    }
}

#[test]
fn what_it_takes_is_known_before() {
    assert_eq!(positions::<International>(6), 47_812_145_845);
    // The greatest ending of six pieces has 2.08 G positions, once for each side to move.
    let gib = |pieces| memory::<International>(pieces, false) as f64 / f64::from(1 << 30);
    assert!(gib(5) < 1.0, "{}", gib(5));
    assert!(gib(6) < 12.0, "{}", gib(6));
}

#[test]
fn a_file_in_the_wrong_place_is_named() {
    let folder = tempfile::tempdir().unwrap();
    made::<English>(folder.path(), 2);
    let path = |slice: &str| folder.path().join(format!("{slice}.bitbase"));
    let refusal = |name: &str| {
        let error =
            File::<English>::open(&path(name), name.parse().unwrap(), Content::Values).unwrap_err();
        assert_eq!(error.path, path(name));
        error.problem
    };

    fs::rename(path("0110"), path("1001")).unwrap();
    assert!(matches!(refusal("1001"), Problem::OtherSlice));
    assert!(matches!(refusal("0110"), Problem::Io(_)));
    fs::write(path("1001"), "a text").unwrap();
    assert!(matches!(refusal("1001"), Problem::NoBitbase));
    fs::write(path("1001"), [0; 10_000]).unwrap();
    assert!(matches!(refusal("1001"), Problem::NoBitbase));
    let slice = "0011".parse().unwrap();
    let error = File::<International>::open(&path("0011"), slice, Content::Values).unwrap_err();
    assert!(matches!(error.problem, Problem::OtherSlice));
    let mut file = fs::read(path("0011")).unwrap();
    file.pop();
    fs::write(path("0011"), &file).unwrap();
    assert!(matches!(refusal("0011"), Problem::Size { .. }));
    file[8] = 9;
    fs::write(path("0011"), &file).unwrap();
    assert!(matches!(refusal("0011"), Problem::Version(9)));

    let mut bitbases = Bitbases::<English>::none();
    let faults = bitbases.open(folder.path(), 2);
    assert_eq!((faults.len(), bitbases.files(Content::Values).count()), (2, 1));
    let error = generate::<English>(folder.path(), 2, true, &Patience).unwrap_err();
    assert!(error.to_string().contains("0011.bitbase"), "{error}");
}

proptest! {
    /// A file with other bytes is refused when it is opened or by its checksum; its values are still
    /// none or some, and nothing worse.
    #[test]
    fn any_change_of_a_file_is_found(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 1..20),
        length in any::<prop::sample::Index>(),
        is_shorter in any::<bool>(),
    ) {
        let slice: Slice = "1001".parse().unwrap();
        let folder = tempfile::tempdir().unwrap();
        generate::<English>(folder.path(), 2, true, &Patience).unwrap();
        let path = folder.path().join("1001.bitbase");
        let mut bytes = fs::read(&path).unwrap();
        let original = bytes.clone();
        for (index, change) in changes {
            let at = index.index(bytes.len());
            bytes[at] ^= change;
        }
        if is_shorter {
            bytes.truncate(length.index(bytes.len()));
        }
        prop_assume!(bytes != original);
        fs::write(&path, bytes).unwrap();
        if let Ok(file) = File::<English>::open(&path, slice, Content::Values) {
            prop_assert!(file.verify().is_err());
            let index = Index::<English>::new(slice);
            for number in 0..index.len() {
                let _ = file.value(&index.pieces(number));
            }
        }
    }
}
