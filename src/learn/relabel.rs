//! Relabelling: searching selected self-play positions again, more deeply, for better scores.
//!
//! Self-play searches are shallow, because many shallow games train a network better than a few
//! deep ones. Searching some of the positions more deeply corrects the network's remaining
//! misjudgements. The selected positions and their scores depend only on the games and the
//! settings.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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

/// XORed with the seed so that the selection does not use the same random numbers as the games.
const RNG_STREAM: u64 = 0x7e1a_be1e;
/// Base-2 logarithm of the number of entries in the transposition table: enough for a few thousand
/// nodes, and small enough for the CPU cache.
const TT_SIZE: u32 = 16;

/// Selects positions from game files and searches them again, using all threads of a pool. The
/// results for each input file go to a file in `folder`, named after the index of the input file.
/// Complete files in `folder` are kept, and incomplete ones are resumed. `resources` opens the
/// engine resources for each thread. Progress counts the positions read; its detail counts the
/// positions searched.
///
/// # Errors
///
/// A file cannot be read or written, is damaged, has no games, or was made with different settings;
/// or the resources cannot be opened.
pub fn run(
    variant: Variant,
    files: &[PathBuf],
    folder: &Path,
    settings: &Relabelling,
    resources: &(impl Fn() -> io::Result<Resources> + Sync),
    pool: &ThreadPool,
    progress: &dyn Progress,
) -> Result<(), DataError> {
    fs::create_dir_all(folder).map_err(|error| DataProblem::Io(error).of(folder))?;
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |_: BroadcastContext| {
        let resources = resources().map_err(|error| DataProblem::Io(error).of(folder))?;
        let mut relabeller = Relabeller::new(variant, settings, resources);
        while !progress.is_stopped() && !has_failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(number) else { break };
            let written = relabeller.relabel(file, &target(folder, number), progress);
            written.inspect_err(|_| has_failed.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    };
    pool.broadcast(work).into_iter().collect()
}

/// The output path for the input file with the given index. Input files from different folders may
/// have the same name.
fn target(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number:06}.games"))
}

/// Selects and searches the positions of games.
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

    /// Relabels the games of a file that are still missing from its output file.
    fn relabel(
        &mut self,
        from: &Path,
        to: &Path,
        progress: &dyn Progress,
    ) -> Result<(), DataError> {
        let mut reader = SampleReader::open(self.variant, from)?;
        let games = reader.about().origin.clone();
        let Some((seed, first)) = games.games() else {
            return Err(DataProblem::NotGames.of(from));
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

    /// Selects positions of a game, and returns them with their new scores.
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

    /// Searches a sample's position, and returns the sample with the new score; `None` if there is
    /// no legal move.
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
    /// The percentage of positions of the sample's kind that are searched again.
    fn of(self, sample: &Sample) -> u8 {
        let [[_, white], [_, black]] = sample.setup.pieces;
        match () {
            () if (white | black).is_some() => self.kings,
            () if sample.pieces() <= RelabelShares::FEW => self.few,
            () => self.many,
        }
    }
}
