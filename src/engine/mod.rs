//! The engine: a search with its options, its book and its knowledge, for protocols, matches and tools.

pub mod bench;
mod bitbase_folder;
mod book;
mod endings;
pub mod memory;
mod playout;

pub use bitbase_folder::{folder_of, standard_folder};
pub use book::BookOptions;
pub use endings::by_bitbases;
pub use playout::playout;

use std::path::PathBuf;

use rand::rngs::Xoshiro256PlusPlus;

use crate::bitbase;
use crate::book::Book;
use crate::door::{self, Bitbases, Game, Job, Position, any_rules};
use crate::eval::Evaluation;
use crate::rules::Variant;
use crate::search::{self, Best, Control, Info, Limits, Params, Pool};
use crate::tt::TranspositionTable;
use crate::weights::{self, WeightsSource};

/// What an engine is built with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads that search, at least one. With one, a search is the same each time.
    pub threads: usize,
    /// Base-2 logarithm of the number of entries of the transposition table (16 bytes each).
    pub tt_size: u32,
    /// How many root moves get a line of their own, the best ones; at least one.
    pub multipv: u32,
    /// The most pieces of positions that are looked up in bitbases; 0 for none. If bitbases know
    /// the position on the board with its distance, the engine answers at once and without error.
    /// If they know only its value, it searches among the moves that keep the value.
    pub bb_size: usize,
    /// The folder of bitbases; `None` means where they are usually found.
    pub bb_dir: Option<PathBuf>,
    /// What positions are worth.
    pub weights: WeightsSource,
    /// How the book is used; `None` for no book.
    pub book: Option<BookOptions>,
    /// The tunables of the search.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            threads: 1,
            tt_size: 24,
            multipv: 1,
            bb_size: bitbase::MOST_PIECES,
            bb_dir: None,
            weights: WeightsSource::default(),
            book: None,
            params: Params::default(),
        }
    }
}

/// An engine that plays one variant.
pub struct Engine {
    options: Options,
    game: Game,
    /// Made by the first search that needs it.
    tt: Option<TranspositionTable>,
    /// Made by the first search too.
    pool: Option<Pool>,
    /// Opened at once: it takes time that no search has to spare.
    knowledge: Knowledge,
    /// What moves of the book are drawn by.
    random: Xoshiro256PlusPlus,
    /// What could not be used and has not been asked about yet.
    faults: Vec<String>,
}

/// What an engine knows before it searches.
#[derive(Debug)]
pub struct Knowledge {
    /// What endings are worth.
    pub bitbases: Box<dyn Bitbases>,
    /// What other positions are worth.
    pub evaluation: Evaluation,
    /// What positions at the start of games are worth.
    pub book: Option<Book>,
}

impl Knowledge {
    /// The bitbases that the options name, an evaluation and perhaps a book, all of one game.
    pub fn new(
        variant: Variant,
        options: &Options,
        evaluation: Evaluation,
        book: Option<Book>,
    ) -> Self {
        // Faults are in the log.
        let bitbases = open_bitbases(variant, options, &mut Vec::new());
        Knowledge { bitbases, evaluation, book }
    }

    /// An evaluation and the bitbases of the program, no book: the same on every machine.
    pub fn of_program(variant: Variant, evaluation: Evaluation) -> Self {
        Knowledge { bitbases: <dyn Bitbases>::of_program(variant), evaluation, book: None }
    }
}

impl Engine {
    /// An engine at the start position of a game.
    pub fn new(variant: Variant, options: Options) -> Self {
        let mut faults = Vec::new();
        let evaluation = load_evaluation(variant, &options.weights, &mut faults);
        let bitbases = open_bitbases(variant, &options, &mut faults);
        let book = book::open(variant, &options, &mut faults);
        let knowledge = Knowledge { bitbases, evaluation, book };
        Engine { faults, ..Engine::with(variant, knowledge, options) }
    }

    /// An engine at the start position with given knowledge, whatever the options would find: it plays
    /// the same on every machine. The knowledge must be of this game.
    pub fn with(variant: Variant, knowledge: Knowledge, options: Options) -> Self {
        let random = book::generator(&options);
        let (game, faults) = (Game::start_of(variant), Vec::new());
        Engine { options, game, tt: None, pool: None, knowledge, random, faults }
    }

    /// Which game it plays.
    pub fn variant(&self) -> Variant {
        self.game.variant()
    }

    /// Begins anew with what the engine knows: after a search that has failed in an unknown way.
    pub fn renew(&mut self) {
        (self.tt, self.pool) = (None, None);
    }

    /// Changes the options; what has been learned by searching may be forgotten.
    pub fn set_options(&mut self, options: Options) {
        let variant = self.variant();
        if options.tt_size != self.options.tt_size {
            self.tt = None;
        }
        if options.threads != self.options.threads {
            self.pool = None;
        }
        if (options.bb_size, &options.bb_dir) != (self.options.bb_size, &self.options.bb_dir) {
            self.knowledge.bitbases = open_bitbases(variant, &options, &mut self.faults);
        }
        if options.book != self.options.book {
            self.knowledge.book = book::open(variant, &options, &mut self.faults);
            self.random = book::generator(&options);
        }
        if options.weights != self.options.weights {
            self.knowledge.evaluation =
                load_evaluation(variant, &options.weights, &mut self.faults);
            // They hold scores of the other evaluation.
            (self.tt, self.pool) = (None, None);
        }
        self.options = options;
    }

    /// What the options name and the engine goes without, as it cannot be used: each file and why. Each
    /// is returned once.
    pub fn take_faults(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// The next search has nothing to do with earlier ones.
    pub fn new_game(&mut self) {
        self.game = Game::start_of(self.variant());
        if let Some(tt) = &mut self.tt {
            tt.clear();
        }
        if let Some(pool) = &mut self.pool {
            any_rules(self.game.variant()).forget(pool);
        }
    }

    /// Sets the position to search, with the game that led to it.
    ///
    /// # Panics
    ///
    /// It is a game of another variant.
    pub fn set_game(&mut self, game: Game) {
        assert_eq!(game.variant(), self.variant(), "an engine plays one variant");
        self.game = game;
    }

    /// Sets the position to search, without the moves that led to it.
    pub fn set_position(&mut self, position: Position) {
        self.set_game(Game::new(position));
    }

    /// The game whose last position is searched.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Searches the position until a limit is reached or `control` stops it. `sink` gets the
    /// information on the way, on the calling thread: at least one if there is a legal move. Positions in
    /// the book are not searched, unless they are analyzed.
    ///
    /// A ponder search returns after the ponder-hit or a stop, a search without limits after a
    /// stop, even if there is nothing left to search before; it is quiet then.
    pub fn go(&mut self, limits: Limits, control: &Control, sink: &mut dyn FnMut(&Info)) -> Best {
        if let Some(best) = self.book_move(&limits) {
            sink(&best.info);
            search::hold_back(&limits, control, false);
            return best;
        }
        let tt = self.tt.get_or_insert_with(|| TranspositionTable::new(self.options.tt_size));
        tt.age();
        let threads = self.options.threads;
        let variant = self.game.variant();
        let pool = self.pool.get_or_insert_with(|| door::new_pool(variant, threads));
        let job = Job {
            game: &self.game,
            tt,
            bitbases: self.knowledge.bitbases.as_ref(),
            evaluation: &self.knowledge.evaluation,
            params: self.options.params,
            multipv: self.options.multipv as usize,
            limits,
            control,
        };
        door::think(job, pool, sink)
    }
}

/// The evaluation that the options name. With a file that cannot be used, which is a fault, the engine
/// plays with what is in the program.
fn load_evaluation(
    variant: Variant,
    source: &WeightsSource,
    faults: &mut Vec<String>,
) -> Evaluation {
    source.load(variant).unwrap_or_else(|error| {
        log::warn!("weights not used: {error}");
        faults.push(format!("weights not used: {error}"));
        weights::of_program(variant)
    })
}

/// The bitbases that the options allow. The engine plays without files that cannot be used; they are
/// faults if they are in a folder that the options name.
fn open_bitbases(
    variant: Variant,
    options: &Options,
    faults: &mut Vec<String>,
) -> Box<dyn Bitbases> {
    // The bitbases of games with a limit of king moves in a row do not count them.
    let counts_king_moves = any_rules(variant).mechanics().king_moves_in_a_row > 0;
    if options.bb_size == 0 || counts_king_moves {
        return <dyn Bitbases>::none(variant);
    }
    let mut bitbases = <dyn Bitbases>::of_program(variant);
    if let Some(folder) = options.bb_dir.clone().or_else(standard_folder) {
        for fault in bitbases.open(&folder_of(variant, &folder), options.bb_size) {
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
        let mut game = Game::start_of(Variant::International);
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
        let options = Options { tt_size: 10, ..Options::default() };
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
