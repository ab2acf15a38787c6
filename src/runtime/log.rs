//! The log of long-running work such as a match: a line of JSON with the settings, then a line for
//! each finished item, such as a game. Interrupted work is resumed from its log.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Map, Value};
use thiserror::Error;

/// The maximum time to wait for a log that is in use. If a process is killed while starting an
/// engine, the child process, which has inherited the lock, holds it until it executes the engine.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// An open log, to which finished items are appended. It is locked against other processes.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

/// The settings that the work was started with, by name.
pub type LogSettings = Map<String, Value>;

/// The names used in messages for the work and for one of its items.
#[derive(Clone, Copy, Debug)]
pub struct LogLabels {
    /// The work: `match`.
    pub work: &'static str,
    /// The name of one item of work, recorded as one line of the log: `game`.
    pub part: &'static str,
}

/// The reason a log cannot be used.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file is not a log, or belongs to a different run. The message gives the line and the
    /// problem.
    #[error("{0}")]
    Content(String),
    /// The log is of work with other settings.
    #[error("{0}")]
    Settings(Box<LogDifference>),
    /// The file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
}

/// A setting that is not the one that the work of a log was started with.
#[derive(Clone, Debug, Error)]
#[error(
    "{}, line 1: this {work} was started with {name} = {then}, not {now}; use the same value, or \
     another log for a new {work}",
    path.display()
)]
pub struct LogDifference {
    /// The log.
    pub path: PathBuf,
    /// The work, as in [`LogLabels`].
    pub work: &'static str,
    /// The name of the setting.
    pub name: String,
    /// The value in the log; null if it has none.
    pub then: Value,
    /// The value now; null if there is none.
    pub now: Value,
}

impl LogError {
    /// Whether the file does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, LogError::File(_, error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl Log {
    /// Opens or creates a log, and passes its lines after the first to `each`, in order; `each`
    /// returns an error message for an invalid line. An incomplete last line is removed.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, is in use, is not a log, or is the log of work with
    /// different settings.
    pub fn open(
        path: &Path,
        labels: LogLabels,
        settings: &LogSettings,
        each: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<Log, LogError> {
        let failed = |error| LogError::File(path.to_owned(), error);
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        lock(&file, path, labels)?;
        let mut position = LogPosition::default();
        LogReader { path, labels, settings, each }.read(&file, &mut position)?;
        let end = position.end;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        let mut log = Log { path: path.to_owned(), file };
        if end == 0 {
            log.write(settings).map_err(failed)?;
        }
        Ok(log)
    }

    /// Appends an item. On return, its line has been handed to the operating system.
    ///
    /// # Errors
    ///
    /// The file cannot be written; the message names it.
    pub fn add(&mut self, part: &impl Serialize) -> io::Result<()> {
        self.write(part).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
        })
    }

    fn write(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}

/// A log that another process may be writing.
#[derive(Debug)]
pub struct LogFollower {
    path: PathBuf,
    labels: LogLabels,
    /// The position up to which the log has been read.
    position: LogPosition,
}

impl LogFollower {
    /// A log that has not been read and may not exist yet.
    pub fn new(path: PathBuf, labels: LogLabels) -> LogFollower {
        LogFollower { path, labels, position: LogPosition::default() }
    }

    /// Passes the lines added since the last `read` to `each`, as in [`Log::open`]. An incomplete
    /// last line is left for the next `read`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not a log, or is the log of work with different settings.
    pub fn read(
        &mut self,
        settings: &LogSettings,
        each: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), LogError> {
        let LogFollower { path, labels, position } = self;
        let failed = |error| LogError::File(path.clone(), error);
        let mut file = File::open(&*path).map_err(failed)?;
        file.seek(SeekFrom::Start(position.end)).map_err(failed)?;
        LogReader { path, labels: *labels, settings, each }.read(&file, position)
    }
}

/// The position up to which a log has been read.
#[derive(Clone, Copy, Debug, Default)]
struct LogPosition {
    /// The byte offset of the end of the last complete line.
    end: u64,
    /// The number of complete lines.
    lines: u32,
}

/// The settings in a log; `None` if there is no log that [`Log::open`] would accept.
pub fn settings(path: &Path) -> Option<LogSettings> {
    let mut line = Vec::new();
    BufReader::new(File::open(path).ok()?).read_until(b'\n', &mut line).ok()?;
    serde_json::from_slice(line.strip_suffix(b"\n")?).ok()
}

fn lock(file: &File, path: &Path, labels: LogLabels) -> Result<(), LogError> {
    let until = Instant::now() + LOCK_TIMEOUT;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(LogError::File(path.to_owned(), error)),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => {
                let (path, work) = (path.display(), labels.work);
                let message = format!("{path}: another {work} is using this log");
                return Err(LogError::Content(message));
            }
        }
    }
}

/// Reads an existing log.
struct LogReader<'a> {
    path: &'a Path,
    labels: LogLabels,
    settings: &'a LogSettings,
    each: &'a mut dyn FnMut(&[u8]) -> Result<(), String>,
}

impl LogReader<'_> {
    /// Reads the file from `position`, and advances `position`.
    fn read(&mut self, file: &File, position: &mut LogPosition) -> Result<(), LogError> {
        let mut input = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            let number = position.lines + 1;
            line.clear();
            let length = input
                .read_until(b'\n', &mut line)
                .map_err(|error| LogError::File(self.path.to_owned(), error))?;
            if !line.ends_with(b"\n") {
                return self.check_remainder(number, &line);
            }
            self.line(number, &line)?;
            *position = LogPosition { end: position.end + length as u64, lines: number };
        }
    }

    /// Refuses to overwrite an incomplete first line, unless it looks like the start of a log.
    fn check_remainder(&self, number: u32, line: &[u8]) -> Result<(), LogError> {
        if number == 1 && !line.is_empty() && !line.starts_with(b"{") {
            return Err(self.foreign());
        }
        Ok(())
    }

    fn line(&mut self, number: u32, line: &[u8]) -> Result<(), LogError> {
        if number == 1 {
            let settings: LogSettings = serde_json::from_slice(line).map_err(|_| self.foreign())?;
            return self.compare(&settings);
        }
        (self.each)(line).map_err(|what| self.fault(number, &self.not_a_part(&what)))
    }

    fn compare(&self, logged: &LogSettings) -> Result<(), LogError> {
        let names = self.settings.keys().chain(logged.keys());
        for name in names {
            let [now, then] =
                [self.settings, logged].map(|settings| settings.get(name).unwrap_or(&Value::Null));
            if now != then {
                return Err(LogError::Settings(Box::new(LogDifference {
                    path: self.path.to_owned(),
                    work: self.labels.work,
                    name: name.clone(),
                    then: then.clone(),
                    now: now.clone(),
                })));
            }
        }
        Ok(())
    }

    fn not_a_part(&self, what: &str) -> String {
        let LogLabels { work, part } = self.labels;
        format!("not a {part} of this {work}: {what}")
    }

    fn foreign(&self) -> LogError {
        self.fault(1, &format!("this is not the log of {}", with_article(self.labels.work)))
    }

    fn fault(&self, line: u32, what: &str) -> LogError {
        LogError::Content(format!("{}, line {line}: {what}", self.path.display()))
    }
}

/// A noun with its indefinite article: `a match`, `an analysis`.
fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    /// An example of a logged item.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Part {
        game: usize,
        seconds: f64,
        moves: Vec<String>,
    }

    fn part(game: usize) -> Part {
        Part {
            game,
            seconds: 1.25,
            moves: vec!["32-28".to_owned(), "32-99: no such square".to_owned()],
        }
    }

    const LABELS: LogLabels = LogLabels { work: "match", part: "game" };

    fn settings(seed: u32) -> LogSettings {
        json!({"seed": seed, "engines": ["a", "b"]}).as_object().unwrap().clone()
    }

    fn open(path: &Path, seed: u32) -> Result<(Log, Vec<Part>), String> {
        let mut games = Vec::new();
        let log = Log::open(path, LABELS, &settings(seed), &mut |line| {
            games.push(serde_json::from_slice(line).map_err(|error| error.to_string())?);
            Ok(())
        });
        log.map(|log| (log, games)).map_err(|error| error.to_string())
    }

    #[test]
    fn reads_parts_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.log");
        let (mut log, games) = open(&path, 1).unwrap();
        assert_eq!(games, []);
        log.add(&part(0)).unwrap();
        assert!(open(&path, 1).unwrap_err().contains("another match is using"));
        drop(log);
        let (mut log, games) = open(&path, 1).unwrap();
        assert_eq!(games, [part(0)]);
        log.add(&part(1)).unwrap();
        drop(log);
        assert_eq!(open(&path, 1).unwrap().1, [part(0), part(1)]);
    }

    #[test]
    fn waits_for_a_log_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.log");
        let (mut log, _) = open(&path, 1).unwrap();
        log.add(&part(0)).unwrap();
        thread::scope(|scope| {
            scope.spawn(move || {
                thread::sleep(Duration::from_millis(100));
                drop(log);
            });
            assert_eq!(open(&path, 1).unwrap().1, [part(0)]);
        });
    }

    #[test]
    fn cuts_off_an_incomplete_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.log");
        let (mut log, _) = open(&path, 1).unwrap();
        log.add(&part(0)).unwrap();
        drop(log);
        let whole = fs::read(&path).unwrap();
        for length in [whole.len() - 1, whole.len() - 30, 20, 0] {
            fs::write(&path, &whole[..length]).unwrap();
            let (mut log, games) = open(&path, 1).unwrap();
            assert_eq!(games, []);
            log.add(&part(0)).unwrap();
            drop(log);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {length}");
        }
    }

    #[test]
    fn rejects_the_log_of_another_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.log");
        drop(open(&path, 1).unwrap());
        let message = open(&path, 2).unwrap_err();
        assert!(message.contains("seed = 1, not 2"), "{message}");
        assert!(open(&path, 1).is_ok());
    }

    #[test]
    fn articles() {
        assert_eq!(with_article("match"), "a match");
        assert_eq!(with_article("analysis"), "an analysis");
    }

    #[test]
    fn leaves_other_files_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("thesis.txt");
        for text in ["dear reader\nthis is\n", "dear reader", "{}\n{}\n", "[1]\n"] {
            fs::write(&path, text).unwrap();
            assert!(open(&path, 1).unwrap_err().contains("thesis.txt, line"));
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert!(open(folder.path(), 1).is_err(), "a folder");
    }
}
