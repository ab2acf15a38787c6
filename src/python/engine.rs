//! Searches.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use manoury::engine::{self, BookOptions, EngineOptions, Level, limits};
use manoury::erased::{Game, Position};
use manoury::notation::pdn;
use manoury::rules::Variant;
use manoury::search::{Control, Limits, STACK_SIZE};
use manoury::{search, weights::WeightsSource};

use crate::board::Board;
use crate::{value_error, variant};

/// How often a waiting caller looks for signals such as Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(20);

/// An engine of one game.
///
/// - ``threads``: the number of search threads; with one, results are reproducible
/// - ``tt_size``: the transposition table has 2 to the power of this many entries of 16 bytes
/// - ``book``: whether to play from the built-in opening book
/// - ``bitbases``: the folder of bitbases, besides those built in
/// - ``weights``: a weights file, instead of the built-in evaluation
/// - ``level``: the strength, from 1, for beginners, to 10
/// - ``seed``: the random seed of book moves and levels; None for a different one each time
///
/// Raises ValueError for an argument out of range, OSError for a file that cannot be used.
///
/// >>> from manoury import Board, Engine
/// >>> engine = Engine()
/// >>> board = Board("W:W27,28,29,33,37,40,43,47,49:B4,5,8,14,16,17,18,26")
/// >>> engine.search(board, depth=9).move
/// '27-21'
#[pyclass(module = "manoury", frozen)]
pub struct Engine {
    variant: Variant,
    /// Held by a search.
    engine: Mutex<engine::Engine>,
    /// That of the search under way.
    control: Mutex<Control>,
}

/// What a search has found so far.
///
/// - ``rank``: of the line among those asked for, 1 for the best
/// - ``depth``: of the iteration in plies; ``mean_depth``: of its leaves
/// - ``score``: in men, for the side to move; above 80 a win is proven
/// - ``plies_to_end``: to the proven end of the game, or None
/// - ``nodes``, ``time``: positions searched, seconds
/// - ``line``: the moves expected
#[pyclass(module = "manoury", frozen, get_all)]
pub struct Info {
    rank: u32,
    depth: u32,
    mean_depth: f64,
    score: f64,
    plies_to_end: Option<u32>,
    nodes: u64,
    time: f64,
    line: Vec<String>,
}

/// The outcome of a search.
///
/// - ``move``: the move to play; None if there is none
/// - ``reply``: the reply expected; None if there is none
/// - ``info``: an :class:`Info`, the last on the best line
#[pyclass(module = "manoury", frozen, get_all)]
pub struct SearchResult {
    r#move: Option<String>,
    reply: Option<String>,
    info: Py<Info>,
}

impl Info {
    fn new(start: &Position, info: &search::Info) -> Self {
        let search::Info { rank, depth, mean_depth, score, nodes, time, ref pv } = *info;
        let mut position = *start;
        let step = |&mv| {
            let text = pdn::format_move(&position, mv);
            position = position.after(mv);
            text
        };
        Info {
            rank,
            depth,
            mean_depth,
            score: f64::from(score.0) / 100.0,
            plies_to_end: score.plies_to_end(),
            nodes,
            time: time.as_secs_f64(),
            line: pv.iter().map(step).collect(),
        }
    }
}

#[pymethods]
impl Info {
    fn __repr__(&self) -> String {
        let Info { depth, score, line, .. } = self;
        format!("<Info: depth {depth}, {score:+.2}, {}>", line.join(" "))
    }
}

#[pymethods]
impl SearchResult {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mv = self.r#move.as_deref().unwrap_or("no move");
        Ok(format!("<SearchResult: {mv}, {}>", self.info.bind(py).repr()?))
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (
        *, variant = "international", threads = 1, tt_size = 20, book = false, bitbases = None,
        weights = None, level = 10, seed = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        variant: &str,
        threads: u32,
        tt_size: u32,
        book: bool,
        bitbases: Option<PathBuf>,
        weights: Option<PathBuf>,
        level: u8,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let variant = self::variant(variant)?;
        within("threads", threads, 1..=limits::MAX_THREADS)?;
        within("tt_size", tt_size, limits::MIN_TT_SIZE..=limits::MAX_TT_SIZE)?;
        within("level", level.into(), limits::MIN_LEVEL..=limits::MAX_LEVEL)?;
        let level = Level::new(level).unwrap_or(Level::FULL);
        let weights = weights.map_or(WeightsSource::Program, |path| path.into_os_string().into());
        let book = book.then(BookOptions::default);
        let options = EngineOptions {
            threads: threads as usize,
            tt_size,
            bb_dir: bitbases,
            weights,
            book,
            level,
            seed,
            ..EngineOptions::default()
        };
        let mut engine = py.detach(|| engine::Engine::new(variant, options));
        match engine.take_warnings().into_iter().next() {
            Some(fault) => Err(PyOSError::new_err(fault)),
            None => Ok(Engine { variant, engine: Mutex::new(engine), control: Mutex::default() }),
        }
    }

    /// The game, by name.
    #[getter]
    fn variant(&self) -> &'static str {
        self.variant.name()
    }

    /// Searches a board until a limit is reached: ``depth`` in plies, ``nodes``, or ``time`` in
    /// seconds. ``lines``: how many moves get a line. ``on_info`` is called with each :class:`Info`;
    /// what it raises stops the search. Other threads of Python run meanwhile.
    ///
    /// Raises ValueError without a limit, for an argument out of range and for a board of another
    /// game; RuntimeError if the engine is searching already.
    ///
    /// >>> from manoury import Board, Engine
    /// >>> depths = []
    /// >>> result = Engine().search(Board(), depth=5, on_info=lambda info: depths.append(info.depth))
    /// >>> max(depths) == result.info.depth == 5
    /// True
    #[pyo3(signature = (board, *, depth = None, nodes = None, time = None, lines = 1, on_info = None))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn search(
        &self,
        py: Python<'_>,
        board: &Board,
        depth: Option<u32>,
        nodes: Option<u64>,
        time: Option<f64>,
        lines: u32,
        on_info: Option<Py<PyAny>>,
    ) -> PyResult<SearchResult> {
        if (depth, nodes, time) == (None, None, None) {
            return Err(value_error("no limit: give depth, nodes or time"));
        }
        within("lines", lines, 1..=limits::MAX_MULTIPV)?;
        let seconds = |time: f64| {
            let time = Duration::try_from_secs_f64(time);
            time.map_err(|problem| value_error(format!("time: {problem}")))
        };
        let move_time = time.map(seconds).transpose()?;
        let limits = Limits { depth, nodes, move_time, ..Limits::default() };
        board.check(self.variant)?;
        let mut engine = self.lock()?;
        engine.set_multipv(lines);
        let control = Control::new();
        *self.control.lock().unwrap_or_else(PoisonError::into_inner) = control.clone();
        let game = board.game.clone();
        let (engine, on_info) = (&mut *engine, on_info.as_ref());
        let best = py.detach(|| go(engine, game, limits, &control, on_info))?;
        let start = board.game.position();
        let info = Info::new(start, &best.info);
        let after = best.mv.map(|mv| start.after(mv));
        Ok(SearchResult {
            r#move: best.mv.map(|mv| pdn::format_move(start, mv)),
            reply: after.zip(best.ponder).map(|(after, mv)| pdn::format_move(&after, mv)),
            info: Py::new(py, info)?,
        })
    }

    /// Stops the search that another thread has begun; it returns the best move so far.
    fn stop(&self) {
        self.control.lock().unwrap_or_else(PoisonError::into_inner).stop();
    }

    /// Forgets what searches have learned, before another game.
    fn new_game(&self) -> PyResult<()> {
        self.lock()?.new_game();
        Ok(())
    }
}

impl Engine {
    /// The engine, which no other thread of Python may be searching with.
    fn lock(&self) -> PyResult<MutexGuard<'_, engine::Engine>> {
        match self.engine.try_lock() {
            Ok(engine) => Ok(engine),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the engine is searching: stop it, or use another one"))
            }
        }
    }
}

/// Checks an argument.
fn within(name: &str, number: u32, range: RangeInclusive<u32>) -> PyResult<()> {
    if range.contains(&number) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(value_error(format!("{name}={number}, should be from {least} to {most}")))
}

/// Searches on a thread of its own, while this one passes on what it finds, and stops it if Python
/// raises an exception: by `on_info` or by a signal.
fn go(
    engine: &mut engine::Engine,
    game: Game,
    limits: Limits,
    control: &Control,
    on_info: Option<&Py<PyAny>>,
) -> PyResult<search::SearchResult> {
    let start = *game.position();
    engine.set_game(game);
    let (sender, infos) = mpsc::channel();
    let searching = &mut *engine;
    let best = thread::scope(|scope| {
        // Sending fails only after an exception.
        let search =
            move || searching.go(limits, control, &mut |info| drop(sender.send(info.clone())));
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE);
        let thread = thread.spawn_scoped(scope, search)?;
        let watched = watch(&infos, &start, on_info);
        if watched.is_err() {
            control.stop();
        }
        let best = thread.join();
        watched.map(|()| best)
    })?;
    best.map_err(|_| {
        engine.recover();
        PyRuntimeError::new_err("the search failed: this is a fault of Manoury")
    })
}

/// Passes on what a search finds until it is over.
fn watch(
    infos: &Receiver<search::Info>,
    start: &Position,
    on_info: Option<&Py<PyAny>>,
) -> PyResult<()> {
    loop {
        match infos.recv_timeout(SIGNALS) {
            Ok(info) => {
                if let Some(on_info) = on_info {
                    Python::attach(|py| on_info.call1(py, (Info::new(start, &info),)))?;
                }
            }
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}
