//! Keeps a book that grows in its file, and a log beside it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::arena::interrupt::Interrupt;
use crate::book::{About, Book, Effort, Graph};
use crate::cli::Error;
use crate::cli::interrupt::on_ctrl_c;
use crate::cli::progress::Bar;
use crate::eval::Evaluation;
use crate::learn::book::Watch;
use crate::notation::hub;
use crate::position::Position;
use crate::rules::Rules;

use super::place::file_failed;

/// Between two times that the book is kept.
const INTERVAL: Duration = Duration::from_secs(60);

/// Looks on while a book grows.
pub struct Keeper {
    path: PathBuf,
    about: About,
    interrupt: Interrupt,
    state: Mutex<State>,
}

/// What changes.
struct State {
    log: Option<File>,
    kept: Instant,
    /// Why the work has to end.
    fault: Option<Error>,
    expanded: usize,
    positions: usize,
}

/// The book of a file, to grow further; a new one if there is no file.
///
/// # Errors
///
/// The file cannot be read, is damaged or for another game.
pub fn open<R: Rules>(path: &Path) -> Result<Graph<R>, Error> {
    if !path.exists() {
        return Ok(Graph::default());
    }
    let book = Book::open(path).map_err(file_failed)?;
    Graph::of_book(&book).map_err(|problem| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{}: {problem}", path.display())).into()
    })
}

/// What a file says about a book.
fn about<R: Rules>(weights: Option<u32>, effort: Effort) -> About {
    About {
        variant: R::VARIANT.name().to_owned(),
        start: Position::<R>::start().key().0,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        weights,
        effort,
        expanded: 0,
    }
}

impl Keeper {
    /// Keeps a book in a file from now on; Ctrl-C will end the work.
    ///
    /// # Errors
    ///
    /// The log cannot be written.
    pub fn new<R: Rules>(
        path: &Path,
        log: Option<&Path>,
        evaluation: &Evaluation<R>,
        effort: Effort,
    ) -> Result<Self, Error> {
        let open = |path: &Path| {
            OpenOptions::new().create(true).append(true).open(path).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            })
        };
        let state = State {
            log: log.map(open).transpose()?,
            kept: Instant::now(),
            fault: None,
            expanded: 0,
            positions: 0,
        };
        Ok(Keeper {
            path: path.to_owned(),
            about: about::<R>(evaluation.checksum(), effort),
            interrupt: on_ctrl_c()?,
            state: Mutex::new(state),
        })
    }

    /// Keeps the book and works, while this thread shows how far it is; then keeps what has become of it.
    /// Returns whether the work was interrupted.
    ///
    /// # Errors
    ///
    /// The book or its log could not be written.
    pub fn during<R: Rules>(
        &self,
        graph: &mut Graph<R>,
        wanted: usize,
        work: impl FnOnce(&mut Graph<R>) + Send,
    ) -> Result<bool, Error> {
        self.count(&mut self.lock(), graph);
        // A file that cannot be written is told of before there is work to lose.
        self.keep(&mut self.lock(), graph)?;
        let bar = Bar::new(wanted as u64, graph.expanded() as u64, "positions");
        bar.during(
            || work(&mut *graph),
            |bar| {
                let State { expanded, positions, .. } = *self.lock();
                bar.set(expanded as u64, format!("{positions} known"));
            },
        );
        let mut state = self.lock();
        match state.fault.take() {
            Some(fault) => Err(fault),
            None => {
                self.keep(&mut state, graph)?;
                Ok(self.interrupt.is_set())
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count<R: Rules>(&self, state: &mut State, graph: &Graph<R>) {
        (state.expanded, state.positions) = (graph.expanded(), graph.len());
    }

    /// Writes the book, and a line about it into the log.
    fn keep<R: Rules>(&self, state: &mut State, graph: &Graph<R>) -> Result<(), Error> {
        let about = About { expanded: graph.expanded() as u64, ..self.about.clone() };
        Book::<R>::write(&self.path, &about, &graph.entries()).map_err(file_failed)?;
        if let Some(log) = &mut state.log {
            writeln!(log, "{}", log_line(graph))?;
        }
        state.kept = Instant::now();
        Ok(())
    }
}

impl<R: Rules> Watch<R> for Keeper {
    fn see(&self, graph: &Graph<R>) {
        let mut state = self.lock();
        self.count(&mut state, graph);
        if state.kept.elapsed() >= INTERVAL
            && let Err(fault) = self.keep(&mut state, graph)
        {
            state.fault = Some(fault);
            self.interrupt.set();
        }
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}

/// When, how large, and the best line.
fn log_line<R: Rules>(graph: &Graph<R>) -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now());
    let line: Vec<_> = graph.line().into_iter().map(hub::format_move).collect();
    let (expanded, positions, score) = (graph.expanded(), graph.len(), graph.score());
    let line = line.join(" ");
    format!("{now} expanded={expanded} positions={positions} score={score} line=\"{line}\"")
}
