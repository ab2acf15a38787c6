//! Labels from deeper searches of chosen self-play positions.
//!
//! The scores of self-play come from few nodes, since many games teach more than deep ones. Deeper
//! searches of some positions correct what a network still misjudges. The chosen positions and their
//! scores depend only on the games and the settings.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::RngExt;
use rayon::{BroadcastContext, ThreadPool};

use crate::engine::{Engine, EngineOptions, Resources, game_rng};
use crate::erased::{Game, Position};
use crate::learn::data::{
    DataError, DataProblem, Origin, RelabelShares, Relabelling, Sample, SampleReader, SampleWriter,
};
use crate::rules::Variant;
use crate::runtime::progress::Progress;
use crate::search::{Control, Limits, Mode};

/// Separates the random numbers of the choice from those of the games.
const RNG_STREAM: u64 = 0x7e1a_be1e;
/// The transposition table: for searches of some thousands of nodes, within the cache.
const TT_SIZE: u32 = 16;

/// Searches chosen positions of files of games again with all threads of a pool, and writes those of
/// each file to a file in another folder, named by its number in the list. Complete files there are
/// kept, incomplete ones resumed. `resources` makes those of the engine of each
/// thread. Progress is counted in positions read, with those searched as the detail.
///
/// # Errors
///
/// A file cannot be read or written, is damaged, has no games, or was made with other settings.
pub fn run(
    variant: Variant,
    files: &[PathBuf],
    folder: &Path,
    settings: &Relabelling,
    resources: &(impl Fn() -> Resources + Sync),
    pool: &ThreadPool,
    progress: &dyn Progress,
) -> Result<(), DataError> {
    fs::create_dir_all(folder).map_err(|error| DataProblem::Io(error).of(folder))?;
    let next = AtomicUsize::new(0);
    let work = |_: BroadcastContext| {
        let mut relabeller = Relabeller::new(variant, settings, resources());
        while !progress.is_stopped() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(number) else { break };
            relabeller.relabel(file, &target(folder, number), progress)?;
        }
        Ok(())
    };
    pool.broadcast(work).into_iter().collect()
}

/// The new file for the file with a number; the names of files from several folders may be equal.
fn target(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number:06}.games"))
}

/// Searches the positions of games.
struct Relabeller<'a> {
    variant: Variant,
    settings: &'a Relabelling,
    engine: Engine,
}

impl<'a> Relabeller<'a> {
    fn new(variant: Variant, settings: &'a Relabelling, resources: Resources) -> Self {
        let options = EngineOptions { tt_size: TT_SIZE, ..EngineOptions::default() };
        Relabeller {
            variant,
            settings,
            engine: Engine::with_resources(variant, resources, options),
        }
    }

    /// Relabels the games of a file that its new file still lacks.
    fn relabel(
        &mut self,
        from: &Path,
        to: &Path,
        progress: &dyn Progress,
    ) -> Result<(), DataError> {
        let mut reader = SampleReader::open(self.variant, from)?;
        let games = reader.about().origin.clone();
        let Some((seed, first)) = games.games() else {
            return Err(DataProblem::OtherOrigin.of(from));
        };
        let origin = Origin::Relabelled { games: Box::new(games), by: *self.settings };
        let (mut writer, done) = match to.exists() {
            true => SampleWriter::resume(self.variant, to, origin)?,
            false => (SampleWriter::create(self.variant, to, origin)?, 0),
        };
        let (mut samples, mut number) = (Vec::new(), 0);
        while !progress.is_stopped() && reader.read(&mut samples)? {
            let read = samples.len() as u64;
            let mut searched = 0;
            if number >= done {
                let chosen = self.relabel_game(&samples, seed, first + number);
                searched = chosen.len() as u64;
                writer.append(&chosen)?;
            }
            progress.advance(read);
            progress.add_detail(searched);
            number += 1;
        }
        Ok(())
    }

    /// The chosen positions of a game, with their new scores.
    fn relabel_game(&mut self, samples: &[Sample], seed: u64, number: u64) -> Vec<Sample> {
        let mut random = game_rng(seed ^ RNG_STREAM, number);
        self.engine.new_game();
        let mut chosen = Vec::new();
        for sample in samples {
            let percent = self.settings.shares.of(sample);
            if random.random_range(0..100) < percent
                && let Some(sample) = self.search(sample)
            {
                chosen.push(sample);
            }
        }
        chosen
    }

    /// A sample with the score of a new search; `None` if there is nothing to search.
    fn search(&mut self, sample: &Sample) -> Option<Sample> {
        let position = Position::from_setup(self.variant, &sample.setup).ok()?;
        self.engine.set_game(Game::from_position(position));
        let limits = Limits {
            soft_nodes: Some(self.settings.nodes),
            mode: Mode::Analyze,
            ..Limits::default()
        };
        let best = self.engine.go(limits, &Control::new(), &mut |_| {});
        best.mv?;
        Some(Sample { score: best.info.score, ..*sample })
    }
}

impl RelabelShares {
    /// The share of positions like this one, in percent.
    fn of(self, sample: &Sample) -> u8 {
        let [[_, white], [_, black]] = sample.setup.pieces;
        match () {
            () if (white | black).is_some() => self.kings,
            () if sample.pieces() <= RelabelShares::FEW => self.few,
            () => self.many,
        }
    }
}
