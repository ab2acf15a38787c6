//! Engines and searches.

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

/// How often the thread that waits for a search checks for signals such as Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// An engine for one game.
///
/// - ``threads``: number of search threads; with one, results are reproducible
/// - ``tt_size``: base-2 logarithm of the number of entries of the transposition table, 16 bytes each
/// - ``book``: whether to play from the built-in opening book
/// - ``bitbases``: a folder of bitbases, in addition to the built-in ones
/// - ``weights``: a weights file to use instead of the built-in evaluation
/// - ``level``: the strength, from 1 for beginners to 10 for full strength
/// - ``seed``: random seed of book moves and levels; None for a different one each time
///
/// Raises ValueError if an argument is out of range, OSError if a file cannot be used.
///
/// >>> from manoury import Board, Engine
/// >>> engine = Engine()
/// >>> board = Board("W:W27,28,29,33,37,40,43,47,49:B4,5,8,14,16,17,18,26")
/// >>> engine.search(board, depth=9).move
/// '27-21'
#[pyclass(module = "manoury", frozen)]
pub struct Engine {
    variant: Variant,
    /// Locked during a search.
    engine: Mutex<engine::Engine>,
    /// Controls the running search.
    control: Mutex<Control>,
}

/// The progress of a search.
///
/// - ``rank``: rank of the line among the requested ones, 1 for the best
/// - ``depth``: depth of the iteration in plies
/// - ``mean_depth``: mean depth of the leaves of the search tree
/// - ``score``: in men, for the side to move; above 80 for a proven win
/// - ``plies_to_end``: plies to the proven end of the game, or None
/// - ``nodes``: number of positions searched
/// - ``time``: in seconds
/// - ``line``: the principal variation
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

/// The result of a search.
///
/// - ``move``: the best move, or None
/// - ``reply``: the expected reply, or None
/// - ``info``: the last :class:`Info` about the best line
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
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
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
        check_range("threads", threads, 1..=limits::MAX_THREADS)?;
        check_range("tt_size", tt_size, limits::MIN_TT_SIZE..=limits::MAX_TT_SIZE)?;
        check_range("level", level.into(), limits::MIN_LEVEL..=limits::MAX_LEVEL)?;
        let level = Level::new(level).unwrap_or(Level::FULL);
        let weights = weights.map_or(WeightsSource::Embedded, |path| path.into_os_string().into());
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

    /// The name of the game.
    #[getter]
    fn variant(&self) -> &'static str {
        self.variant.name()
    }

    /// Searches a board until a limit is reached: ``depth`` in plies, ``nodes``, or ``time`` in
    /// seconds. ``lines`` is the number of lines, each with a different first move. ``on_info`` is
    /// called with each :class:`Info`; an exception in it stops the search. Other Python threads
    /// keep running.
    ///
    /// Raises ValueError if there is no limit, an argument is out of range or the board is of
    /// another game, RuntimeError if the engine is already searching.
    ///
    /// >>> from manoury import Board, Engine
    /// >>> depths = []
    /// >>> result = Engine().search(Board(), depth=5, on_info=lambda info: depths.append(info.depth))
    /// >>> max(depths) == result.info.depth == 5
    /// True
    #[pyo3(signature = (board, *, depth = None, nodes = None, time = None, lines = 1, on_info = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
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
        check_range("lines", lines, 1..=limits::MAX_MULTIPV)?;
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

    /// Stops a search that is running in another thread. That search then returns the best move
    /// found so far.
    fn stop(&self) {
        self.control.lock().unwrap_or_else(PoisonError::into_inner).stop();
    }

    /// Clears the transposition table and histories, as before a new game.
    fn new_game(&self) -> PyResult<()> {
        self.lock()?.new_game();
        Ok(())
    }
}

impl Engine {
    /// The engine, unless another Python thread is searching with it.
    fn lock(&self) -> PyResult<MutexGuard<'_, engine::Engine>> {
        match self.engine.try_lock() {
            Ok(engine) => Ok(engine),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the engine is already searching"))
            }
        }
    }
}

/// Checks that an argument is within its range.
fn check_range(name: &str, number: u32, range: RangeInclusive<u32>) -> PyResult<()> {
    if range.contains(&number) {
        return Ok(());
    }
    let (min, max) = range.into_inner();
    Err(value_error(format!("{name}={number} is out of range: {min} to {max}")))
}

/// Searches on a separate thread while the calling thread reports the progress. Stops the search if
/// Python raises an exception, in `on_info` or in a signal handler.
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
        let reported = report(&infos, &start, on_info);
        if reported.is_err() {
            control.stop();
        }
        let best = thread.join();
        reported.map(|()| best)
    })?;
    best.map_err(|_| {
        engine.recover();
        PyRuntimeError::new_err("search failed: this is a bug in Manoury")
    })
}

/// Reports the progress of a search until it ends.
fn report(
    infos: &Receiver<search::Info>,
    start: &Position,
    on_info: Option<&Py<PyAny>>,
) -> PyResult<()> {
    loop {
        match infos.recv_timeout(SIGNAL_INTERVAL) {
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
