//! The engine behind the Python class `Engine`.

use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::{process, thread};

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use manoury::engine::limits;
use manoury::search::STACK_SIZE;
use manoury::weights::WeightsSource;
use manoury::{
    BookOptions, Clock, EngineOptions, Game, Level, Limits, Mode, Position, SearchResult, Strength,
    Variant, search,
};

use crate::arguments::{seconds, small, whole};
use crate::board::Board;
use crate::moves::Move;
use crate::{SIGNAL_INTERVAL, variant};

/// The search behind :class:`Engine`.
#[pyclass(module = "manoury", frozen)]
pub struct NativeEngine {
    variant: Variant,
    /// Locked during a search.
    state: Mutex<EngineState>,
}

struct EngineState {
    engine: ManuallyDrop<manoury::Engine>,
    options: EngineOptions,
    /// The process in which the engine was created: its threads do not survive a fork.
    process: u32,
}

/// Stops a search from another thread.
#[pyclass(module = "manoury", frozen)]
pub struct Control(search::Control);

#[pymethods]
impl Control {
    #[new]
    fn new() -> Self {
        Control(search::Control::new())
    }

    /// Stops the search, even if it has not started yet.
    fn stop(&self) {
        self.0.stop();
    }
}

/// A search's report on a line: rank, depth, mean depth, score in hundredths of a man, nodes,
/// seconds, and moves.
type Report = (u32, u32, f64, i16, u64, f64, Vec<Move>);

fn report_of(start: &Position, info: &search::Info) -> Report {
    let search::Info { rank, depth, mean_depth, score, nodes, time, ref pv } = *info;
    (rank, depth, mean_depth, score.0, nodes, time.as_secs_f64(), Move::line(start, pv))
}

/// The options of an engine, as passed from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options<'py> {
    threads: Bound<'py, PyAny>,
    tt_size: Bound<'py, PyAny>,
    book: bool,
    bitbases: Option<PathBuf>,
    weights: Option<PathBuf>,
    level: Bound<'py, PyAny>,
    elo: Option<Bound<'py, PyAny>>,
    seed: Option<Bound<'py, PyAny>>,
}

impl Options<'_> {
    fn checked(self) -> PyResult<EngineOptions> {
        let Options { threads, tt_size, book, bitbases, weights, level, elo, seed } = self;
        let level = small("level", &level, limits::MIN_LEVEL..=limits::MAX_LEVEL)?;
        let strength = match elo {
            Some(elo) => {
                let elo = small("elo", &elo, limits::MIN_ELO..=limits::MAX_ELO)?;
                Strength::new(elo as u16)
            }
            None => Level::new(level as u8).map(Strength::from),
        };
        Ok(EngineOptions {
            threads: small("threads", &threads, 1..=limits::MAX_THREADS)? as usize,
            tt_size: small("tt_size", &tt_size, limits::MIN_TT_SIZE..=limits::MAX_TT_SIZE)?,
            bb_dir: bitbases,
            weights: weights.map_or(WeightsSource::Embedded, |path| path.into_os_string().into()),
            book: book.then(BookOptions::default),
            strength: strength.unwrap_or_default(),
            seed: seed.map(|seed| whole("seed", &seed, 0..=u64::MAX)).transpose()?,
            ..EngineOptions::default()
        })
    }
}

/// The limits of a search, as passed from Python; all optional.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct SearchLimits<'py> {
    depth: Option<Bound<'py, PyAny>>,
    nodes: Option<Bound<'py, PyAny>>,
    time: Option<Bound<'py, PyAny>>,
    clock: Option<Bound<'py, PyAny>>,
    increment: Option<Bound<'py, PyAny>>,
    moves: Option<Bound<'py, PyAny>>,
}

impl SearchLimits<'_> {
    fn checked(self, mode: Mode) -> PyResult<Limits> {
        let time = |name, value: Option<Bound<'_, PyAny>>| {
            value.map(|value| seconds(name, &value)).transpose()
        };
        let depth = self.depth.map(|depth| small("depth", &depth, 0..=u32::MAX)).transpose()?;
        let nodes = self.nodes.map(|nodes| whole("nodes", &nodes, 0..=u64::MAX)).transpose()?;
        let moves = self.moves.map(|moves| small("moves", &moves, 1..=u32::MAX)).transpose()?;
        let increment = time("increment", self.increment)?.unwrap_or_default();
        let clock = time("clock", self.clock)?.map(|clock| Clock {
            remaining: clock.saturating_add(increment),
            increment,
            moves,
            ..Clock::default()
        });
        let move_time = time("time", self.time)?;
        Ok(Limits { depth, nodes, move_time, clock, mode, ..Limits::default() })
    }
}

#[pymethods]
impl NativeEngine {
    #[new]
    fn new(py: Python<'_>, variant: &str, options: Options<'_>) -> PyResult<Self> {
        let variant = self::variant(variant)?;
        let options = options.checked()?;
        let mut engine = py.detach(|| manoury::Engine::new(variant, options.clone()));
        check_warnings(&mut engine)?;
        let engine = ManuallyDrop::new(engine);
        let state = Mutex::new(EngineState { engine, options, process: process::id() });
        Ok(NativeEngine { variant, state })
    }

    /// Changes all options. Raises ValueError or OSError as for a new engine.
    fn set_options(&self, py: Python<'_>, options: Options<'_>) -> PyResult<()> {
        let options = options.checked()?;
        let mut state = self.lock()?;
        let state = &mut *state;
        state.options = options.clone();
        py.detach(|| state.engine.set_options(options));
        check_warnings(&mut state.engine)
    }

    /// Searches a board, and calls ``on_report`` with each report. Returns the best move, the
    /// expected reply, and the last report.
    #[expect(clippy::too_many_arguments, reason = "called by the Python class only")]
    fn search(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        limits: SearchLimits<'_>,
        lines: &Bound<'_, PyAny>,
        analyze: bool,
        control: &Control,
        on_report: Option<Py<PyAny>>,
    ) -> PyResult<(Option<Move>, Option<Move>, Report)> {
        let lines = small("lines", lines, 1..=limits::MAX_MULTIPV)?;
        let limits = limits.checked(if analyze { Mode::Analyze } else { Mode::Think })?;
        // The board is copied, so that it may be changed during the search.
        let game = {
            let board = board.borrow();
            board.check(self.variant)?;
            board.game.clone()
        };
        let start = *game.position();
        let mut state = self.lock()?;
        let engine = &mut state.engine;
        engine.set_multipv(lines);
        let best = py.detach(|| go(engine, game, limits, &control.0, on_report.as_ref()))?;
        let mut next = start;
        let mut wrapped = |mv| {
            let wrapped = Move { position: next, mv };
            next = next.after(mv);
            wrapped
        };
        let mv = best.mv.map(&mut wrapped);
        let reply = best.ponder.filter(|_| mv.is_some()).map(wrapped);
        Ok((mv, reply, report_of(&start, &best.info)))
    }

    /// Clears the transposition table and the histories, as is done before a new game.
    fn new_game(&self) -> PyResult<()> {
        self.lock()?.engine.new_game();
        Ok(())
    }
}

impl NativeEngine {
    /// The engine, unless another Python thread is searching with it. After a fork, the engine is
    /// created again.
    fn lock(&self) -> PyResult<MutexGuard<'_, EngineState>> {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyRuntimeError::new_err("the engine is already searching"));
            }
        };
        if state.process != process::id() {
            state.process = process::id();
            let engine = manoury::Engine::new(self.variant, state.options.clone());
            // The old engine is not dropped, as its threads exist only in the parent process.
            state.engine = ManuallyDrop::new(engine);
        }
        Ok(state)
    }
}

impl Drop for EngineState {
    fn drop(&mut self) {
        if self.process == process::id() {
            // SAFETY: the engine is not used after this.
            unsafe { ManuallyDrop::drop(&mut self.engine) };
            return_memory();
        }
    }
}

/// Returns the freed memory of an engine to the system. By default, glibc keeps freed blocks of
/// this size: a hundred closed engines still occupied 2.3 GB.
fn return_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: `malloc_trim` takes no pointers and locks the state it changes.
        unsafe { malloc_trim(0) };
    }
}

/// Raises OSError if a file named in the options could not be used.
fn check_warnings(engine: &mut manoury::Engine) -> PyResult<()> {
    match engine.take_warnings().into_iter().next() {
        Some(fault) => Err(PyOSError::new_err(fault)),
        None => Ok(()),
    }
}

/// Searches on a separate thread while the calling thread reports the progress. Stops the search if
/// Python raises an exception, in `on_report` or in a signal handler.
fn go(
    engine: &mut manoury::Engine,
    game: Game,
    limits: Limits,
    control: &search::Control,
    on_report: Option<&Py<PyAny>>,
) -> PyResult<SearchResult> {
    let start = *game.position();
    engine.set_game(game);
    let (sender, reports) = mpsc::channel();
    let searching = &mut *engine;
    let best = thread::scope(|scope| {
        // Sending fails only after an exception.
        let search =
            move || searching.go(limits, control, &mut |info| drop(sender.send(info.clone())));
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE);
        let thread = thread.spawn_scoped(scope, search)?;
        let reported = report(&reports, &start, on_report);
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
    reports: &Receiver<search::Info>,
    start: &Position,
    on_report: Option<&Py<PyAny>>,
) -> PyResult<()> {
    loop {
        match reports.recv_timeout(SIGNAL_INTERVAL) {
            Ok(info) => {
                if let Some(on_report) = on_report {
                    Python::attach(|py| on_report.call1(py, (report_of(start, &info),)))?;
                }
            }
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}
