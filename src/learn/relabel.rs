//! Labels from deeper searches: chosen positions of games against itself are searched again.
//!
//! The scores of self-play come from few nodes, as many games teach more than deep ones. What a
//! network still misjudges after that, a deeper search of a part of the positions tells. Which
//! positions are chosen and what their scores are depends only on the games and the settings.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::RngExt;
use rayon::{BroadcastContext, ThreadPool};

use crate::engine::{Engine, EngineOptions, Resources, game_rng};
use crate::erased::{Game, Position};
use crate::learn::data::{
    DataError, DataProblem, Origin, Relabelling, Sample, SampleReader, SampleWriter, Shares,
};
use crate::rules::Variant;
use crate::runtime::progress::Progress;
use crate::search::{Control, Limits, Mode};

/// Separates the random numbers of the choice from those of the games.
const STREAM: u64 = 0x7e1a_be1e;
/// The transposition table: for searches of some thousands of nodes, within the cache.
const TT_SIZE: u32 = 16;

/// Searches chosen positions of files of games again and writes them to another folder, with all
/// threads of a pool: those of each file to one with its number in the list. Files there that are
/// complete stay, those that were begun are continued. `knowledge` gives each thread what its engine
/// knows. Progress is counted in positions read, with those searched as the detail.
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
        let mut searcher = Searcher::new(variant, settings, resources());
        while !progress.is_stopped() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(number) else { break };
            searcher.relabel(file, &target(folder, number), progress)?;
        }
        Ok(())
    };
    pool.broadcast(work).into_iter().collect()
}

/// The new file for the file with a number. Files of several folders may have the same name, so it
/// does not keep that.
fn target(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number:06}.games"))
}

/// Searches positions.
struct Searcher<'a> {
    variant: Variant,
    settings: &'a Relabelling,
    engine: Engine,
}

impl<'a> Searcher<'a> {
    fn new(variant: Variant, settings: &'a Relabelling, resources: Resources) -> Self {
        let options = EngineOptions { tt_size: TT_SIZE, ..EngineOptions::default() };
        Searcher { variant, settings, engine: Engine::with_resources(variant, resources, options) }
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
                let chosen = self.game(&samples, seed, first + number);
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
    fn game(&mut self, samples: &[Sample], seed: u64, number: u64) -> Vec<Sample> {
        let mut random = game_rng(seed ^ STREAM, number);
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

impl Shares {
    /// The share of positions like this one, in percent.
    fn of(self, sample: &Sample) -> u8 {
        let [[_, white], [_, black]] = sample.setup.pieces;
        match () {
            () if (white | black).is_some() => self.kings,
            () if sample.pieces() <= Shares::FEW => self.few,
            () => self.many,
        }
    }
}
