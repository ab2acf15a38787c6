//! Files of bitbases: interrupted work that continues, and damaged or misplaced files.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use manoury::bitbase::{BitbaseProblem as Problem, Content, Slice};
use manoury::erased::{Bitbases, Generation, SliceGeneration};
use manoury::progress::{NoProgress, Progress};
use manoury::rules::Variant;
use manoury::storage::FormatError;
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::bitbase::{generation, made};
#[cfg(unix)]
use crate::engine::client::Client;

/// Every file of a folder by name.
pub(crate) fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = |file: fs::DirEntry| {
        (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap())
    };
    let mut contents: Vec<_> = files.map(named).collect();
    contents.sort();
    contents
}

/// Counts the steps, and stops the work after `most` of them.
struct StepLimit {
    steps: AtomicU64,
    most: u64,
}

impl Progress for StepLimit {
    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.steps.load(Ordering::Relaxed) > self.most
    }
}

#[test]
fn resumes_interrupted_work() {
    let whole = tempfile::tempdir().unwrap();
    made(Variant::English, whole.path(), 3);
    let parts = tempfile::tempdir().unwrap();
    let generation = generation(Variant::English, 3);
    let total = 4 * generation.positions();
    for part in 1..4 {
        let progress = StepLimit { steps: 0.into(), most: total * part / 4 };
        let error = generation.run(parts.path(), &progress).unwrap_err();
        assert_eq!(error.to_string(), "stopped");
        let files = contents(parts.path());
        let is_whole = |name: &str| name.ends_with(".bitbase") || name.ends_with(".distances");
        assert!(files.iter().all(|(name, _)| is_whole(name)), "no partial file");
        assert!(files.len() < 2 * (Slice::all(2).len() + Slice::all(3).len()));
    }
    made(Variant::English, parts.path(), 3);
    assert!(contents(parts.path()) == contents(whole.path()));
}

#[test]
fn result_is_independent_of_threads() {
    let of = |threads| {
        let folder = tempfile::tempdir().unwrap();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| made(Variant::English, folder.path(), 3));
        contents(folder.path())
    };
    assert_eq!(of(1), of(4));
}

#[test]
fn reports_every_step() {
    let folder = tempfile::tempdir().unwrap();
    let generation = generation(Variant::English, 3);
    for _ in ["made", "read"] {
        let progress = StepLimit { steps: 0.into(), most: u64::MAX };
        generation.run(folder.path(), &progress).unwrap();
        assert_eq!(progress.steps.into_inner(), 4 * generation.positions());
    }
}

#[test]
fn predicts_its_cost() {
    let variant = Variant::International;
    let generation = |pieces| Generation { variant, pieces, has_distances: false };
    assert_eq!(generation(6).positions(), 47_812_145_845);
    // The largest ending of six pieces has 2.08 G positions for each side to move.
    let gib = |pieces| generation(pieces).memory() as f64 / f64::from(1 << 30);
    assert!(gib(5) < 1.0, "{}", gib(5));
    assert!(gib(6) < 12.0, "{}", gib(6));
    // Single slices of seven pieces: what they lead to, but not all of six pieces, is in memory.
    let of_slice = |slice| SliceGeneration { variant, slices: &[slice] }.memory();
    let most = Slice::all(7).into_iter().map(of_slice).max().unwrap();
    assert!(most < 120 << 30, "{most}");
}

#[test]
fn reports_a_misplaced_file() {
    let folder = tempfile::tempdir().unwrap();
    made(Variant::English, folder.path(), 2);
    let path = |slice: &str| folder.path().join(format!("{slice}.bitbase"));
    let problems = |variant: Variant, name: &str| {
        let faults = Bitbases::none(variant).open(folder.path(), 2).into_iter();
        let of_file = faults.filter(|fault| fault.path == path(name));
        of_file.map(|fault| fault.problem).collect::<Vec<_>>()
    };
    let refusal = |name| problems(Variant::English, name);

    fs::rename(path("0110"), path("1001")).unwrap();
    assert!(matches!(refusal("1001")[..], [Problem::OtherSlice]));
    assert!(refusal("0110").is_empty(), "a missing file is no fault");
    fs::create_dir(path("0110")).unwrap();
    assert!(matches!(refusal("0110")[..], [Problem::Format(FormatError::Io(_))]));
    fs::remove_dir(path("0110")).unwrap();
    fs::write(path("1001"), "a text").unwrap();
    assert!(matches!(refusal("1001")[..], [Problem::Format(FormatError::WrongFormat(_))]));
    fs::write(path("1001"), [0; 10_000]).unwrap();
    assert!(matches!(refusal("1001")[..], [Problem::Format(FormatError::WrongFormat(_))]));
    assert!(matches!(problems(Variant::International, "0011")[..], [Problem::OtherSlice]));
    let mut file = fs::read(path("0011")).unwrap();
    file.pop();
    fs::write(path("0011"), &file).unwrap();
    assert!(matches!(refusal("0011")[..], [Problem::Size { .. }]));
    file[8] = 9;
    fs::write(path("0011"), &file).unwrap();
    assert!(matches!(refusal("0011")[..], [Problem::Format(FormatError::Version { is: 9, .. })]));

    let mut bitbases = Bitbases::none(Variant::English);
    let faults = bitbases.open(folder.path(), 2);
    assert_eq!((faults.len(), bitbases.files(Content::Values).count()), (2, 1));
    let error = generation(Variant::English, 2).run(folder.path(), &NoProgress).unwrap_err();
    assert!(error.to_string().contains("0011.bitbase"), "{error}");
}

/// The engine answers although another program truncates the files that it searches with. They are
/// the distances of four pieces, which the program does not contain.
#[cfg(unix)]
#[test]
#[ignore = "slow: generates the distances of four pieces"]
fn the_engine_survives_the_truncation_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("english");
    generation(Variant::English, 4).run(&files, &NoProgress).unwrap();
    let mut client = Client::start(&[]);
    let dir = format!("bb-dir value=\"{}\"", folder.path().display());
    let set = ["variant value=english", "bb-size value=4", &dir];
    let set = set.map(|parameter| format!("set-param name={parameter}\n")).concat();
    client.send(format!("hub\n{set}init\n").as_bytes());
    client.line_of("ready");
    for file in fs::read_dir(&files).unwrap() {
        let file = fs::OpenOptions::new().write(true).open(file.unwrap().path());
        file.unwrap().set_len(0).unwrap();
    }
    client.send(b"pos pos=WeeBeeeeeeeeeeeeeeeeeeWWeeeeeeWee\nlevel depth=8\ngo think\n");
    client.line_of("done");
}

proptest! {
    /// A changed file is refused when it is opened or by its checksum; looking its positions up
    /// does no harm.
    #[test]
    fn detects_any_change_of_a_file(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 1..20),
        length in any::<prop::sample::Index>(),
        is_shorter in any::<bool>(),
    ) {
        let slice: Slice = "1001".parse().unwrap();
        let folder = tempfile::tempdir().unwrap();
        generation(Variant::English, 2).run(folder.path(), &NoProgress).unwrap();
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
        let mut bitbases = Bitbases::none(Variant::English);
        bitbases.open(folder.path(), 2);
        if let Some(file) = bitbases.file(slice, Content::Values) {
            prop_assert!(file.verify().is_err());
            for number in 0..file.positions() {
                let _ = bitbases.probe(&bitbases.position(file, number));
            }
        }
    }
}
