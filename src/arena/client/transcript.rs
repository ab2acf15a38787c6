//! The transcript of a match: a file that records all messages to and from the engines.
//!
//! Each line contains, separated by tabs: the seconds since the file was opened, the game (`-`
//! before the first one), the engine, the direction (`>` for text sent to the engine, `<` for its
//! replies, `#` for remarks by the arena), and the text. The time of a reply is that of its
//! arrival, although the line is not written until the arena reads the reply.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A handle to the file, for one of the engines that share it.
#[derive(Clone, Debug)]
pub struct Transcript {
    file: Arc<Mutex<File>>,
    start: Instant,
    engine: String,
    game: Arc<Mutex<String>>,
}

/// The direction of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the engine.
    Sent,
    /// From the engine.
    Received,
    /// Neither: a remark by the arena.
    Remark,
}

impl Direction {
    fn sign(self) -> char {
        match self {
            Direction::Sent => '>',
            Direction::Received => '<',
            Direction::Remark => '#',
        }
    }
}

impl Transcript {
    /// Opens a file for appending, creating it if necessary, and adds a line with the date.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn open(path: &Path, date: &str) -> io::Result<Transcript> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let transcript = Transcript {
            file: Arc::new(Mutex::new(file)),
            start: Instant::now(),
            engine: "-".to_owned(),
            game: Arc::default(),
        };
        transcript.write(Direction::Remark, date.as_bytes(), transcript.start)?;
        Ok(transcript)
    }

    /// A handle to the same file for the engine with this name.
    pub fn of_engine(&self, name: &str) -> Transcript {
        Transcript { engine: name.to_owned(), game: Arc::default(), ..self.clone() }
    }

    /// Sets the game for the following lines of this engine.
    pub fn set_game(&self, game: String) {
        *self.game.lock().unwrap_or_else(PoisonError::into_inner) = game;
    }

    /// Adds a text, line by line. A write error is logged and does not stop the match.
    pub fn add(&self, direction: Direction, text: &[u8], at: Instant) {
        for line in text.trim_ascii_end().split(|&byte| byte == b'\n') {
            if let Err(error) = self.write(direction, line, at) {
                log::warn!("the transcript cannot be written: {error}");
            }
        }
    }

    fn write(&self, direction: Direction, line: &[u8], at: Instant) -> io::Result<()> {
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let game = self.game.lock().unwrap_or_else(PoisonError::into_inner);
        let game = if game.is_empty() { "-" } else { &game[..] };
        let (engine, sign) = (&self.engine, direction.sign());
        let text = String::from_utf8_lossy(line);
        let line = format!("{seconds:.6}\t{game}\t{engine}\t{sign}\t{}\n", text.trim_end());
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_game_engine_and_direction() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("traffic");
        let transcript = Transcript::open(&path, "today").unwrap();
        let scan = transcript.of_engine("Scan 2.0");
        scan.add(Direction::Sent, b"hub\n", Instant::now());
        scan.set_game("1.2".to_owned());
        transcript.of_engine("Other").add(Direction::Received, b"id \xff\r", Instant::now());
        scan.add(Direction::Sent, b"pos pos=W\ngo think\n", Instant::now());
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<_> = text.lines().map(|line| line.split_once('\t').unwrap()).collect();
        let expected = [
            "-\t-\t#\ttoday",
            "-\tScan 2.0\t>\thub",
            "-\tOther\t<\tid \u{fffd}",
            "1.2\tScan 2.0\t>\tpos pos=W",
            "1.2\tScan 2.0\t>\tgo think",
        ];
        assert!(lines.iter().map(|(_, rest)| *rest).eq(expected), "{text}");
        assert!(lines.iter().all(|(seconds, _)| seconds.parse::<f64>().is_ok()), "{text}");
    }
}
