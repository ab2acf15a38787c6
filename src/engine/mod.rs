//! The engine: a search with its options and resources, for protocols, matches and tools.

pub mod bench;
mod level;
mod options;
mod playout;
mod resources;
mod table;

pub use level::{Level, Strength};
pub use options::{BookOptions, EngineOptions, limits};
pub use playout::{game_rng, playout};
pub use resources::{
    BitbaseFault, Resources, bitbase_folder, bitbase_result, default_bitbase_folder,
    user_config_folder,
};
pub use table::{TableTooLarge, check_table_size, total_memory};

use rand::rngs::{SysRng, Xoshiro256PlusPlus};
use rand::{SeedableRng, TryRng};

use crate::book;
use crate::erased::{self, Bitbases, Game, Job, Position, ResumeState};
use crate::instant::Instant;
use crate::rules::Variant;
use crate::search::{self, Control, Info, Limits, Mode, SearchResult, ThreadPool};
use crate::storage;
use crate::tt::TranspositionTable;

use resources::{load_evaluation, open_bitbases, open_book};
use table::new_table;

/// On hosts that must download bitbases: the maximum number of pieces on the board at which they
/// are downloaded. Searches from such positions can reach positions in the bitbases.
pub const BITBASE_DOWNLOAD_PIECES: usize = 12;

/// An engine that plays one variant.
pub struct Engine {
    options: EngineOptions,
    game: Game,
    /// Allocated at construction, as are the threads, so that no search spends time on allocation.
    tt: TranspositionTable,
    pool: ThreadPool,
    resources: Resources,
    /// Whether the bitbases that the options allow have been opened.
    has_bitbases: bool,
    /// The random number generator for book moves and for moves below full strength.
    random: Xoshiro256PlusPlus,
    /// The warnings not yet returned by [`Engine::take_warnings`].
    warnings: Vec<String>,
}

/// A search, or a part of one.
struct SearchSlice<'a> {
    limits: Limits,
    /// The number of lines.
    multipv: usize,
    /// The bitbases to use instead of those in the resources.
    bitbases: Option<&'a Bitbases>,
    control: &'a Control,
    /// When to pause; `None` for the whole search.
    pause: Option<Instant>,
}

impl Engine {
    /// Creates an engine for a variant, at the start position.
    pub fn new(variant: Variant, options: EngineOptions) -> Self {
        let mut warnings = Vec::new();
        let evaluation = load_evaluation(variant, &options.weights, &mut warnings);
        let bitbases = Bitbases::none(variant);
        let book = open_book(variant, &options, &mut warnings);
        let resources = Resources { bitbases, evaluation, book };
        let mut engine = Engine::with_resources(variant, resources, options);
        engine.warnings.splice(..0, warnings);
        engine.has_bitbases = false;
        engine.open_bitbases();
        engine
    }

    /// Creates an engine at the start position, with the given resources, which must be for this
    /// variant. The files named by the options are not opened, so the engine plays the same on
    /// every machine that has enough memory for its table.
    pub fn with_resources(variant: Variant, resources: Resources, options: EngineOptions) -> Self {
        let mut warnings = Vec::new();
        let tt = new_table(options.tt_size, options.threads, &mut warnings);
        let pool = erased::new_thread_pool(variant, options.threads);
        let random = generator(options.seed);
        let game = Game::new(variant);
        Engine { options, game, tt, pool, resources, has_bitbases: true, random, warnings }
    }

    /// The variant that the engine plays.
    pub fn variant(&self) -> Variant {
        self.game.variant()
    }

    /// Clears the transposition table and replaces the threads, after a search that panicked.
    pub fn recover(&mut self) {
        self.tt.clear();
        self.pool = erased::new_thread_pool(self.variant(), self.options.threads);
    }

    /// Changes the options. Clears the transposition table and the histories if the change requires
    /// it.
    pub fn set_options(&mut self, options: EngineOptions) {
        let variant = self.variant();
        self.set_tt_size(options.tt_size);
        if options.threads != self.options.threads {
            self.pool = erased::new_thread_pool(variant, options.threads);
        }
        let has_other_bitbases =
            (options.bb_size, &options.bb_dir) != (self.options.bb_size, &self.options.bb_dir);
        if options.book != self.options.book {
            self.resources.book = open_book(variant, &options, &mut self.warnings);
        }
        if options.seed != self.options.seed {
            self.random = generator(options.seed);
        }
        if options.weights != self.options.weights {
            self.resources.evaluation =
                load_evaluation(variant, &options.weights, &mut self.warnings);
            // The scores in the table and the histories come from the old evaluation.
            self.clear_search_state();
        }
        self.options = options;
        if has_other_bitbases {
            self.has_bitbases = false;
            self.open_bitbases();
        }
    }

    /// Opens the bitbases that the options allow, unless they are already open. On hosts that must
    /// download bitbases, opening is postponed until the engine has a position from which a search
    /// can reach them.
    fn open_bitbases(&mut self) {
        let pieces = self.game.position().occupied().len();
        if !self.has_bitbases && (!storage::IS_HOSTED || pieces <= BITBASE_DOWNLOAD_PIECES) {
            self.has_bitbases = true;
            let variant = self.variant();
            self.resources.bitbases = open_bitbases(variant, &self.options, &mut self.warnings);
        }
    }

    /// Changes the size of the transposition table, which also clears it. The size is the base-2
    /// logarithm of the number of entries.
    pub fn set_tt_size(&mut self, size: u32) {
        if size != self.options.tt_size {
            // Frees the old table first, since there may not be enough memory for both.
            self.tt = TranspositionTable::new(0);
            self.tt = new_table(size, self.options.threads, &mut self.warnings);
            self.options.tt_size = size;
        }
    }

    /// The open bitbases.
    pub fn bitbases(&self) -> &Bitbases {
        &self.resources.bitbases
    }

    /// Changes the number of lines. Returns the old one.
    pub fn set_multipv(&mut self, multipv: u32) -> u32 {
        std::mem::replace(&mut self.options.multipv, multipv)
    }

    /// Returns the warnings since the last call: which files named by the options could not be used
    /// and why, and whether the transposition table is smaller than requested. The engine works
    /// regardless.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Starts a new game, with an empty transposition table and empty histories.
    pub fn new_game(&mut self) {
        self.game = Game::new(self.variant());
        self.clear_search_state();
    }

    /// Clears the transposition table and the histories.
    fn clear_search_state(&mut self) {
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

    /// Sets the game and searches its last position, without reports; see [`Engine::go`].
    ///
    /// # Panics
    ///
    /// The game is of another variant.
    pub fn best_move(&mut self, game: &Game, limits: Limits) -> SearchResult {
        self.set_game(game.clone());
        self.go(limits, &Control::new(), &mut |_| {})
    }

    /// Searches the position until a limit is reached or `control` stops it. `sink` receives
    /// reports during the search, on the calling thread: at least one if there is a legal move.
    /// Positions in the book are not searched, except in an analysis or for more than one line.
    /// Below full strength there is only one report, on the chosen move; an analysis is always at
    /// full strength.
    ///
    /// Unless the game is over, a ponder search returns only after a ponder-hit or a stop, and a
    /// search without limits only after a stop. Both sleep once nothing is left to search.
    pub fn go(
        &mut self,
        limits: Limits,
        control: &Control,
        sink: &mut dyn FnMut(&Info),
    ) -> SearchResult {
        let mut resume = ResumeState::default();
        let best = loop {
            if let Some(best) = self.go_slice(limits, None, &mut resume, control, sink) {
                break best;
            }
        };
        search::wait_until_allowed(&self.strength_limits(limits), control, best.mv.is_none());
        best
    }

    /// Runs a search until it ends or until the instant `pause`, for hosts whose only thread must
    /// also do other work. Returns `None` if the search is paused; another call with the same
    /// position, limits and state resumes the search. The caller must withhold a result while
    /// [`search::must_wait`] returns true.
    pub fn go_slice(
        &mut self,
        limits: Limits,
        pause: Option<Instant>,
        resume: &mut ResumeState,
        control: &Control,
        sink: &mut dyn FnMut(&Info),
    ) -> Option<SearchResult> {
        if !resume.is_paused() {
            if let Some(best) = self.limited_move(&limits, control, sink) {
                return Some(best);
            }
            if let Some(best) = self.book_move(&limits) {
                sink(&best.info);
                return Some(best);
            }
        }
        let multipv = self.options.multipv as usize;
        self.search(SearchSlice { limits, multipv, bitbases: None, control, pause }, resume, sink)
    }

    /// Starts the search of the position, or resumes it after a pause.
    fn search(
        &mut self,
        slice: SearchSlice<'_>,
        resume: &mut ResumeState,
        sink: &mut dyn FnMut(&Info),
    ) -> Option<SearchResult> {
        let SearchSlice { limits, multipv, bitbases, control, pause } = slice;
        if !resume.is_paused() {
            let threads = self.options.threads as u64;
            self.tt.age(limits.max_nodes().saturating_mul(threads));
        }
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

    /// Chooses a book move. Returns `None` if there is none, in an analysis, or if several lines
    /// are requested.
    fn book_move(&mut self, limits: &Limits) -> Option<SearchResult> {
        let began = Instant::now();
        if limits.mode == Mode::Analyze || self.options.multipv > 1 {
            return None;
        }
        let (options, book) = (self.options.book.as_ref()?, self.resources.book.as_ref()?);
        let moves = book.moves(self.game.position());
        let is_early = self.game.plies() < options.plies as usize;
        let chosen = match is_early {
            true => book::choose_move(&moves, options.margin, &mut self.random)?,
            false => *moves.first()?,
        };
        let mut pv = vec![chosen.mv];
        pv.extend(book.line(&chosen.next));
        let info = Info {
            rank: 1,
            depth: pv.len() as u32,
            mean_depth: pv.len() as f64,
            score: chosen.score,
            nodes: 0,
            time: began.elapsed(),
            pv,
        };
        Some(SearchResult { mv: Some(chosen.mv), ponder: info.pv.get(1).copied(), info })
    }
}

/// The random number generator of an engine.
fn generator(seed: Option<u64>) -> Xoshiro256PlusPlus {
    // If the system provides no random numbers, the choices are always the same.
    let seed = seed.or_else(|| SysRng.try_next_u64().ok());
    Xoshiro256PlusPlus::seed_from_u64(seed.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the first moves of a game and returns the node count of the search for each.
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
    fn new_game_clears_the_search_state() {
        // The table is so small that it overflows.
        let options = EngineOptions { tt_size: 10, ..EngineOptions::default() };
        let fresh = nodes(&mut Engine::new(Variant::International, options.clone()), 6);
        let mut engine = Engine::new(Variant::International, options);
        for _ in 0..2 {
            assert_eq!(nodes(&mut engine, 6), fresh);
            engine.new_game();
        }
        assert_eq!(nodes(&mut engine, 2), fresh[..2]);
        assert_ne!(nodes(&mut engine, 2), fresh[..2], "the earlier searches left nothing to clear");
    }
}
