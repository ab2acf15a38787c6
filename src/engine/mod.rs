//! The engine: a search with its options and knowledge, for protocols, matches and tools.

pub mod bench;
mod bitbase_folder;
mod book;
mod endings;
mod level;
pub mod memory;
mod playout;
mod table;

pub use bitbase_folder::{bitbase_folder, default_bitbase_folder};
pub use book::BookOptions;
pub use endings::bitbase_result;
pub use level::Level;
pub use playout::{game_rng, playout};

use std::ops::RangeInclusive;
use std::path::PathBuf;

use rand::rngs::{SysRng, Xoshiro256PlusPlus};
use rand::{SeedableRng, TryRng};

use crate::bitbase;
use crate::book::Book;
use crate::erased::{self, Bitbases, Game, Job, Position, ResumeState};
use crate::eval::Evaluation;
use crate::instant::Instant;
use crate::rules::Variant;
use crate::search::{self, Control, Info, Limits, Params, SearchResult, ThreadPool};
use crate::storage;
use crate::tt::TranspositionTable;
use crate::weights::{self, WeightsSource};

use table::new_table;

/// The most search threads.
pub const MAX_THREADS: u32 = 256;
/// The base-2 logarithms of sizes that a transposition table can have.
pub const TT_SIZES: RangeInclusive<u32> = 16..=30;
/// The most lines of a search: more than a position has moves, but for rare ones.
pub const MAX_MULTIPV: u32 = 128;

/// The options of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOptions {
    /// The number of search threads, at least 1. With one, a search is the same each time.
    pub threads: usize,
    /// Base-2 logarithm of the number of entries of the transposition table (16 bytes each).
    pub tt_size: u32,
    /// The number of root moves with a line of their own, the best ones; 1 to [`MAX_MULTIPV`].
    pub multipv: u32,
    /// The most pieces of positions that are looked up in bitbases; 0 for none. If bitbases know
    /// the position on the board with its distance, the engine answers at once and without error.
    /// If they know only its value, it searches among the moves that keep the value.
    pub bb_size: usize,
    /// The folder of bitbases; `None` for [`default_bitbase_folder`].
    pub bb_dir: Option<PathBuf>,
    /// The source of the evaluation.
    pub weights: WeightsSource,
    /// How the book is used; `None` for no book.
    pub book: Option<BookOptions>,
    /// The strength.
    pub level: Level,
    /// The seed of random choices, those of book moves and of levels; `None` for a different one
    /// each time.
    pub seed: Option<u64>,
    /// The tunable search parameters.
    pub params: Params,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            threads: 1,
            tt_size: 24,
            multipv: 1,
            bb_size: bitbase::MAX_PIECES,
            bb_dir: None,
            weights: WeightsSource::default(),
            book: None,
            level: Level::FULL,
            seed: None,
            params: Params::default(),
        }
    }
}

/// The most pieces on the board at which bitbases are downloaded, where they have to be: searches
/// from here on can reach them.
pub const BITBASE_DOWNLOAD_PIECES: usize = 12;

/// An engine that plays one variant.
pub struct Engine {
    options: EngineOptions,
    game: Game,
    /// Like the pool and the knowledge made at construction, because that takes time that no search
    /// has to spare.
    tt: TranspositionTable,
    pool: ThreadPool,
    resources: Resources,
    /// Whether the bitbases are open; until then there are none.
    has_bitbases: bool,
    /// The random number generator for book moves and those of levels.
    random: Xoshiro256PlusPlus,
    /// The faults not yet returned by [`Engine::take_warnings`].
    faults: Vec<String>,
}

/// A search, or a part of one.
struct Slice<'a> {
    limits: Limits,
    /// The number of lines.
    multipv: usize,
    /// Bitbases to use instead of the engine's own.
    bitbases: Option<&'a Bitbases>,
    control: &'a Control,
    /// When it pauses; `None` for the whole search.
    pause: Option<Instant>,
}

/// What an engine knows before it searches.
#[derive(Debug)]
pub struct Resources {
    /// The values of endings.
    pub bitbases: Bitbases,
    /// The static evaluation of other positions.
    pub evaluation: Evaluation,
    /// The scores of positions at the start of games; `None` for no book.
    pub book: Option<Book>,
}

impl Resources {
    /// The bitbases named by the options, an evaluation and optionally a book, all of one game.
    pub fn new(
        variant: Variant,
        options: &EngineOptions,
        evaluation: Evaluation,
        book: Option<Book>,
    ) -> Self {
        // The faults are logged.
        let bitbases = open_bitbases(variant, options, &mut Vec::new());
        Resources { bitbases, evaluation, book }
    }

    /// An evaluation and the bitbases in the program, without a book: the same on every machine.
    pub fn embedded(variant: Variant, evaluation: Evaluation) -> Self {
        Resources { bitbases: Bitbases::embedded(variant), evaluation, book: None }
    }
}

impl Engine {
    /// An engine at the start position of a game.
    pub fn new(variant: Variant, options: EngineOptions) -> Self {
        let mut faults = Vec::new();
        let evaluation = load_evaluation(variant, &options.weights, &mut faults);
        let bitbases = Bitbases::none(variant);
        let book = book::open(variant, &options, &mut faults);
        let resources = Resources { bitbases, evaluation, book };
        let mut engine = Engine::with(variant, resources, options);
        engine.faults.splice(..0, faults);
        engine.has_bitbases = false;
        engine.open_bitbases();
        engine
    }

    /// An engine at the start position with given knowledge. The files named by the options are not
    /// opened, so it plays the same on every machine that has the memory for its table. The
    /// knowledge must be of this game.
    pub fn with(variant: Variant, resources: Resources, options: EngineOptions) -> Self {
        let mut faults = Vec::new();
        let tt = new_table(options.tt_size, &mut faults);
        let pool = erased::new_thread_pool(variant, options.threads);
        let random = generator(options.seed);
        let game = Game::new(variant);
        Engine { options, game, tt, pool, resources, has_bitbases: true, random, faults }
    }

    /// The game it plays.
    pub fn variant(&self) -> Variant {
        self.game.variant()
    }

    /// Forgets what searches have learned and replaces their threads, but not the knowledge: for
    /// use after a search that failed in an unknown way.
    pub fn renew(&mut self) {
        self.tt.clear();
        self.pool = erased::new_thread_pool(self.variant(), self.options.threads);
    }

    /// Changes the options; what searches have learned may be lost.
    pub fn set_options(&mut self, options: EngineOptions) {
        let variant = self.variant();
        self.set_tt_size(options.tt_size);
        if options.threads != self.options.threads {
            self.pool = erased::new_thread_pool(variant, options.threads);
        }
        let has_other_bitbases =
            (options.bb_size, &options.bb_dir) != (self.options.bb_size, &self.options.bb_dir);
        if options.book != self.options.book {
            self.resources.book = book::open(variant, &options, &mut self.faults);
        }
        if options.seed != self.options.seed {
            self.random = generator(options.seed);
        }
        if options.weights != self.options.weights {
            self.resources.evaluation =
                load_evaluation(variant, &options.weights, &mut self.faults);
            // It rests on scores of the old evaluation.
            self.forget();
        }
        self.options = options;
        if has_other_bitbases {
            self.has_bitbases = false;
            self.open_bitbases();
        }
    }

    /// Opens the bitbases that the options allow, unless it has them. Where they have to be
    /// downloaded, that waits for a position in which they matter.
    fn open_bitbases(&mut self) {
        let pieces = self.game.position().occupied().len();
        if !self.has_bitbases && (!storage::IS_HOSTED || pieces <= BITBASE_DOWNLOAD_PIECES) {
            self.has_bitbases = true;
            let variant = self.variant();
            self.resources.bitbases = open_bitbases(variant, &self.options, &mut self.faults);
        }
    }

    /// Changes the size of the transposition table: the base-2 logarithm of its number of entries.
    /// They are lost.
    pub fn set_tt_size(&mut self, size: u32) {
        if size != self.options.tt_size {
            // The old table goes first: there may not be memory for both.
            self.tt = TranspositionTable::new(0);
            self.tt = new_table(size, &mut self.faults);
            self.options.tt_size = size;
        }
    }

    /// The bitbases that it uses.
    pub fn bitbases(&self) -> &Bitbases {
        &self.resources.bitbases
    }

    /// Changes the number of lines. Returns the old one.
    pub fn set_multipv(&mut self, multipv: u32) -> u32 {
        std::mem::replace(&mut self.options.multipv, multipv)
    }

    /// The files named by the options that cannot be used, and why; the engine works without them.
    /// Also a transposition table that is smaller than wanted. Each fault is returned once.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// Starts a new game: forgets what earlier searches have learned.
    pub fn new_game(&mut self) {
        self.game = Game::new(self.variant());
        self.forget();
    }

    /// Forgets what searches have learned.
    fn forget(&mut self) {
        self.tt.clear();
        erased::clear_thread_pool(self.variant(), &mut self.pool);
    }

    /// Sets the game whose last position is searched.
    ///
    /// # Panics
    ///
    /// The game is of another variant.
    pub fn set_game(&mut self, game: Game) {
        assert_eq!(game.variant(), self.variant(), "an engine plays one variant");
        self.game = game;
        self.open_bitbases();
    }

    /// Sets the position to search, without the moves that led to it.
    pub fn set_position(&mut self, position: Position) {
        self.set_game(Game::from_position(position));
    }

    /// The game whose last position is searched.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Searches the position until a limit is reached or `control` stops it. `sink` receives the
    /// information during the search, on the calling thread: at least one if there is a legal move.
    /// Positions in the book are not searched, except in an analysis or for more than one line.
    /// Below full strength there is only one piece of information, on the move that is chosen; an
    /// analysis is always at full strength.
    ///
    /// A ponder search returns only after the ponder-hit or a stop. A search without limits returns
    /// only after a stop, unless the game is over. If nothing is left to search before that, they
    /// sleep.
    pub fn go(
        &mut self,
        limits: Limits,
        control: &Control,
        sink: &mut dyn FnMut(&Info),
    ) -> SearchResult {
        let mut resume = ResumeState::default();
        let best = loop {
            if let Some(best) = self.go_on(limits, None, &mut resume, control, sink) {
                break best;
            }
        };
        search::wait_until_allowed(&self.level_limits(limits), control, best.mv.is_none());
        best
    }

    /// One slice of a search, for hosts whose only thread has other work to do in between: until the
    /// search is over or the pause comes. Returns `None` at a pause: another call with the same
    /// position, limits and state resumes it. The caller must withhold an answer
    /// that [has to wait](search::must_wait).
    pub fn go_on(
        &mut self,
        limits: Limits,
        pause: Option<Instant>,
        resume: &mut ResumeState,
        control: &Control,
        sink: &mut dyn FnMut(&Info),
    ) -> Option<SearchResult> {
        if !resume.is_paused() {
            if let Some(best) = self.level_move(&limits, control, sink) {
                return Some(best);
            }
            if let Some(best) = self.book_move(&limits) {
                sink(&best.info);
                return Some(best);
            }
        }
        let multipv = self.options.multipv as usize;
        self.search(Slice { limits, multipv, bitbases: None, control, pause }, resume, sink)
    }

    /// A slice of a search of the position, from the beginning or from where it paused.
    fn search(
        &mut self,
        slice: Slice<'_>,
        resume: &mut ResumeState,
        sink: &mut dyn FnMut(&Info),
    ) -> Option<SearchResult> {
        if !resume.is_paused() {
            self.tt.age();
        }
        let Slice { limits, multipv, bitbases, control, pause } = slice;
        let job = Job {
            game: &self.game,
            tt: &self.tt,
            bitbases: bitbases.unwrap_or(&self.resources.bitbases),
            evaluation: &self.resources.evaluation,
            params: self.options.params,
            multipv,
            limits,
            control,
            pause,
        };
        erased::think(job, &mut self.pool, resume, sink)
    }
}

/// The random number generator of an engine.
fn generator(seed: Option<u64>) -> Xoshiro256PlusPlus {
    // On a system without random numbers, the choices are the same each time.
    let seed = seed.or_else(|| SysRng.try_next_u64().ok());
    Xoshiro256PlusPlus::seed_from_u64(seed.unwrap_or_default())
}

/// The evaluation named by the options. A file that cannot be used is a fault, and the engine plays
/// with the evaluation in the program.
fn load_evaluation(
    variant: Variant,
    source: &WeightsSource,
    faults: &mut Vec<String>,
) -> Evaluation {
    source.load(variant).unwrap_or_else(|error| {
        log::warn!("weights not used: {error}");
        faults.push(format!("weights not used: {error}"));
        weights::embedded(variant)
    })
}

/// The bitbases allowed by the options. The engine plays without files that cannot be used; they
/// are faults if they are in a folder named by the options.
fn open_bitbases(variant: Variant, options: &EngineOptions, faults: &mut Vec<String>) -> Bitbases {
    if options.bb_size == 0 {
        return Bitbases::none(variant);
    }
    let mut bitbases = Bitbases::embedded(variant);
    if let Some(folder) = options.bb_dir.as_ref().filter(|folder| !folder.is_dir()) {
        let fault = format!("bitbases not used: {}: no such folder", folder.display());
        log::warn!("{fault}");
        faults.push(fault);
    }
    if let Some(folder) = options.bb_dir.clone().or_else(default_bitbase_folder) {
        for fault in bitbases.open(&bitbase_folder(variant, &folder), options.bb_size) {
            log::warn!("bitbase not used: {fault}");
            if options.bb_dir.is_some() {
                faults.push(format!("bitbase not used: {fault}"));
            }
        }
    }
    bitbases.limit(options.bb_size);
    bitbases
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes of the searches of a short game. The table is so small that it overflows.
    fn nodes(engine: &mut Engine, moves: usize) -> Vec<u64> {
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let mut game = Game::new(Variant::International);
        (0..moves)
            .map(|_| {
                engine.set_game(game.clone());
                let best = engine.go(limits, &Control::new(), &mut |_| {});
                game.play(best.mv.unwrap());
                best.info.nodes
            })
            .collect()
    }

    #[test]
    fn a_new_game_is_searched_as_by_a_new_engine() {
        let options = EngineOptions { tt_size: 10, ..EngineOptions::default() };
        let fresh = nodes(&mut Engine::new(Variant::International, options.clone()), 6);
        let mut engine = Engine::new(Variant::International, options);
        for _ in 0..2 {
            assert_eq!(nodes(&mut engine, 6), fresh);
            engine.new_game();
        }
        assert_eq!(nodes(&mut engine, 2), fresh[..2]);
        assert_ne!(nodes(&mut engine, 2), fresh[..2], "nothing was there to forget");
    }
}
