//! Saves a book and its log while the book is being extended.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::book::{Book, BookInfo, Effort, FileError, Graph};
use crate::cli::Error;
use crate::cli::progress::ProgressBar;
use crate::erased::Position;
use crate::learn::book::GrowthRecorder;
use crate::notation::hub;
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::{Progress, ProgressCounter};
use crate::storage;

use crate::cli::args::book_failed;

/// The interval between saves.
const INTERVAL: Duration = Duration::from_secs(60);

/// Saves a book at intervals while it is being extended, and stops the work on Ctrl-C or if saving
/// fails.
pub struct BookSaver {
    path: PathBuf,
    about: BookInfo,
    interrupt: Interrupt,
    state: Mutex<SaverState>,
}

/// The mutable state of a [`BookSaver`].
struct SaverState {
    log: Option<File>,
    /// The time of the last save.
    saved: Instant,
    /// The failure that ended the work.
    fault: Option<Error>,
}

/// Opens the book to extend, or creates a new one if the file does not exist.
///
/// # Errors
///
/// The file cannot be read, is damaged, or is for a different variant.
pub fn open(variant: Variant, path: &Path) -> Result<Graph, Error> {
    if !path.exists() {
        return Ok(Graph::new(variant));
    }
    let book = Book::open(variant, path).map_err(book_failed)?;
    Graph::from_book(&book)
        .map_err(|problem| book_failed(FileError { path: path.to_owned(), problem }))
}

/// Prints the summary of a book that has been extended.
///
/// # Errors
///
/// The work was interrupted, or standard output cannot be written.
pub fn conclude(graph: &Graph, time: Duration, was_interrupted: bool) -> Result<(), Error> {
    writeln!(io::stdout().lock(), "{}", super::summary(graph, time))?;
    match was_interrupted {
        true => Err(Error::interrupted(true)),
        false => Ok(()),
    }
}

/// The description to store in a book's file.
fn about(variant: Variant, weights: Option<u32>, effort: Effort) -> BookInfo {
    BookInfo {
        variant: variant.name().to_owned(),
        start: Position::start(variant).key().0,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        weights,
        effort,
        expanded: 0,
    }
}

impl BookSaver {
    /// Creates a saver and installs its Ctrl-C handler. `weights` is the checksum of the evaluation
    /// used to search the book.
    ///
    /// # Errors
    ///
    /// The log cannot be written.
    pub fn new(
        variant: Variant,
        path: &Path,
        log: Option<&Path>,
        weights: Option<u32>,
        effort: Effort,
    ) -> Result<Self, Error> {
        let open = |path: &Path| {
            OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .map_err(storage::with_path(path))
        };
        let state =
            SaverState { log: log.map(open).transpose()?, saved: Instant::now(), fault: None };
        Ok(BookSaver {
            path: path.to_owned(),
            about: about(variant, weights, effort),
            interrupt: Interrupt::on_ctrl_c()?,
            state: Mutex::new(state),
        })
    }

    /// Saves the book, runs `work` while this thread shows the progress, and saves the result.
    /// Returns whether the work was interrupted.
    ///
    /// # Errors
    ///
    /// The book or its log cannot be written.
    pub fn during(
        &self,
        graph: &mut Graph,
        wanted: usize,
        work: impl FnOnce(&mut Graph, &dyn GrowthRecorder) + Send,
    ) -> Result<bool, Error> {
        // Fail now if the file cannot be written, before there is work to lose.
        self.save(&mut self.lock(), graph)?;
        let expanded = graph.expanded() as u64;
        let counter = ProgressCounter::new(wanted as u64, expanded, self.interrupt.clone());
        counter.add_detail(graph.len() as u64);
        ProgressBar::of(counter, 1, "positions").during(
            |counter| work(&mut *graph, &BookRecorder { saver: self, counter }),
            |counter| format!("{} known", counter.detail()),
        );
        let mut state = self.lock();
        match state.fault.take() {
            Some(fault) => Err(fault),
            None => {
                self.save(&mut state, graph)?;
                Ok(self.interrupt.is_set())
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, SaverState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the book, and a line about it to the log.
    fn save(&self, state: &mut SaverState, graph: &Graph) -> Result<(), Error> {
        let about = BookInfo { expanded: graph.expanded() as u64, ..self.about.clone() };
        Book::write(&self.path, &about, &graph.entries()).map_err(book_failed)?;
        if let Some(log) = &mut state.log {
            writeln!(log, "{}", log_line(graph))?;
        }
        state.saved = Instant::now();
        Ok(())
    }
}

/// Records the progress of extending a book.
struct BookRecorder<'a> {
    saver: &'a BookSaver,
    counter: &'a ProgressCounter,
}

impl GrowthRecorder for BookRecorder<'_> {
    fn progress(&self) -> &dyn Progress {
        self.counter
    }

    fn record(&self, graph: &Graph) {
        let mut state = self.saver.lock();
        if state.saved.elapsed() >= INTERVAL
            && let Err(fault) = self.saver.save(&mut state, graph)
        {
            state.fault = Some(fault);
            self.saver.interrupt.set();
        }
    }
}

/// The line of the log: time, size, score and best line.
fn log_line(graph: &Graph) -> String {
    let now = humantime::format_rfc3339_seconds(SystemTime::now());
    let line: Vec<_> = graph.line().into_iter().map(hub::format_move).collect();
    let (expanded, positions, score) = (graph.expanded(), graph.len(), graph.score());
    let line = line.join(" ");
    format!("{now} expanded={expanded} positions={positions} score={score} line=\"{line}\"")
}
