//! The games of files, one after another.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::notice::notice;
use crate::notation::pdn::{self, Broken, GameRecord, PdnError, TextPlace};
use crate::rules::Variant;
use crate::storage;

/// Where games come from.
#[derive(Args, Debug)]
pub struct GameFiles {
    /// PDN files [default: standard input]
    #[arg(value_name = "GAMES.pdn")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    game: GameArgument,
}

/// A game of a file.
pub struct StreamedGame {
    /// The record, or its fault, with its place in the file.
    pub record: Result<GameRecord, Broken>,
    /// The game as it is in the file; `None` if it shares its lines with another.
    pub text: Option<String>,
}

impl GameFiles {
    /// The variant of games that do not tell theirs.
    pub fn variant(&self) -> Variant {
        self.game.variant
    }

    /// Passes every game on, in order, read as people write them. Faults and guesses are told.
    /// Returns the number of games with faults.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or those of `each`.
    pub fn each(
        &self,
        each: &mut dyn FnMut(StreamedGame) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let standard = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard[..] } else { &self.files };
        let mut faults = 0;
        for path in files {
            let mut reader = Reader { files: self, path, faults: &mut faults, each };
            if path == Path::new("-") {
                reader.read(io::stdin().lock())?;
            } else {
                reader.read(BufReader::new(File::open(path).map_err(storage::with_path(path))?))?;
            }
        }
        Ok(faults)
    }
}

struct Reader<'a> {
    files: &'a GameFiles,
    path: &'a Path,
    faults: &'a mut usize,
    each: &'a mut dyn FnMut(StreamedGame) -> Result<(), Error>,
}

/// Lines that hold whole games, usually one.
#[derive(Default)]
struct Chunk {
    text: String,
    /// The number of lines before it.
    lines_before: usize,
    /// Whether there was more than tags and blank lines.
    has_moves: bool,
    is_in_comment: bool,
}

impl Chunk {
    /// Whether a line begins another game.
    fn ends_before(&self, line: &str) -> bool {
        self.has_moves && !self.is_in_comment && line.starts_with('[')
    }

    fn add(&mut self, line: &str) {
        let is_tag = !self.is_in_comment && (line.starts_with('[') || line.starts_with('%'));
        if !is_tag && !line.trim().is_empty() {
            self.has_moves = true;
            for character in line.chars() {
                self.is_in_comment = match character {
                    '{' => true,
                    '}' => false,
                    _ => self.is_in_comment,
                };
            }
        }
        self.text += line;
    }
}

impl Reader<'_> {
    fn read(&mut self, mut input: impl BufRead) -> Result<(), Error> {
        let (mut chunk, mut bytes, mut lines) = (Chunk::default(), Vec::new(), 0);
        loop {
            bytes.clear();
            if input.read_until(b'\n', &mut bytes).map_err(storage::with_path(self.path))? == 0 {
                return self.pass_on(&chunk);
            }
            let line = pdn::decode(&bytes);
            if chunk.ends_before(&line) {
                self.pass_on(&chunk)?;
                chunk = Chunk { lines_before: lines, ..Chunk::default() };
            }
            chunk.add(&line);
            lines += 1;
        }
    }

    fn pass_on(&mut self, chunk: &Chunk) -> Result<(), Error> {
        let games: Vec<_> = pdn::games(&chunk.text).collect();
        let is_alone = games.len() == 1;
        for game in games {
            let default = self.files.variant();
            let mut notes = Vec::new();
            let record = pdn::read_any_game(default, &game, &mut notes);
            let placed = |error: PdnError| in_file(error, chunk.lines_before);
            for note in notes {
                self.tell(&placed(note));
            }
            let record = record.map_err(|Broken { error, before }| {
                let error = placed(error);
                self.tell(&error);
                *self.faults += 1;
                Broken { error, before }
            });
            let text = is_alone.then(|| chunk.text.trim_end().to_owned() + "\n\n");
            (self.each)(StreamedGame { record, text })?;
        }
        Ok(())
    }

    fn tell(&self, error: &PdnError) {
        notice(format_args!("{}, {error}", self.path.display()));
    }
}

/// An error in a chunk as one of the file.
fn in_file(error: PdnError, lines_before: usize) -> PdnError {
    let TextPlace { line, column } = error.place;
    PdnError { place: TextPlace { line: line + lines_before, column }, ..error }
}
