//! PDN file arguments: a single game and ply, or a stream of games.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::Error;
use crate::cli::error::number;
use crate::cli::output::print_stderr;
use crate::erased::Game;
use crate::notation::pdn::{
    self, BrokenGame, Decoder, Encoding, GameRecord, GameText, Games, PdnError, TextPosition,
};
use crate::rules::Variant;
use crate::storage;

/// A PDN file, optionally with the number of a game and a ply in it.
#[derive(Args, Debug)]
pub struct GameFileArguments {
    /// A PDN file of games; `-` for standard input
    #[arg(value_name = "GAMES.pdn", conflicts_with_all = ["fen", "pos"])]
    pub file: Option<PathBuf>,
    /// Number of the game in the file, from 1
    #[arg(long, value_name = "N", requires = "file",
        value_parser = number::<usize>(1..))]
    pub game: Option<usize>,
    /// Number of plies played before the position
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    #[command(flatten)]
    pub encoding: EncodingArgument,
}

/// The encoding of the files; guessed if not given.
#[derive(Args, Clone, Copy, Debug)]
pub struct EncodingArgument {
    /// Encoding of the file: utf-8, utf-16le, utf-16be, windows-1252 (or latin1), windows-1251,
    /// koi8-r or cp866 [default: detected from its bytes]
    #[arg(long, value_name = "NAME")]
    from_encoding: Option<Encoding>,
}

impl EncodingArgument {
    /// The decoder for the file that begins with `bytes`. A guess other than UTF-8 or Windows-1252
    /// alone is reported on standard error.
    fn decoder(self, path: &Path, bytes: &[u8]) -> Decoder {
        if let Some(given) = self.from_encoding {
            return given.into();
        }
        let (decoder, path) = (Decoder::guess(bytes), path.display());
        match decoder.encoding() {
            Encoding::Utf8 => {}
            encoding if encoding.has_byte_lines() && pdn::contains_utf8(bytes) => {
                print_stderr(format_args!("{path}: read as utf-8, with parts in {encoding}"));
            }
            Encoding::Windows1252 => {}
            encoding => print_stderr(format_args!("{path}: read as {encoding}")),
        }
        decoder
    }

    /// The text of a PDN file; of standard input for `-`.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn text_of(self, path: &Path) -> Result<String, Error> {
        let bytes = read(path)?;
        Ok(self.decoder(path, &bytes).decode(&bytes))
    }
}

/// The bytes of a file, or of standard input for `-`.
///
/// # Errors
///
/// The file cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let read_stdin = || {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    };
    let bytes = if path == Path::new("-") { read_stdin() } else { fs::read(path) };
    Ok(bytes.map_err(storage::with_path(path))?)
}

/// A game read from a file.
pub struct FileGame {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The game, up to its first error.
    pub record: GameRecord,
}

impl GameFileArguments {
    /// The selected game up to the selected ply (by default, the whole first game); `None` if no
    /// file is given. Games without a variant tag are read as games of `default`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or does not contain the selected game and ply.
    pub fn read(&self, default: Variant) -> Result<Option<Game>, Error> {
        match &self.file {
            Some(path) => self.read_game(path, default).map(Some),
            None => self.check_ply().map(|()| None),
        }
    }

    /// Checks that a ply is given only with a file.
    ///
    /// # Errors
    ///
    /// There is a ply, but no file.
    pub fn check_ply(&self) -> Result<(), Error> {
        match (&self.file, self.ply) {
            (None, Some(_)) => Err(Error::usage("--ply needs a PDN file")),
            _ => Ok(()),
        }
    }

    /// Returns all games or only the selected one, each up to its first error, and the number of
    /// games with errors. Reports the errors on standard error. Games without a variant tag are
    /// read as games of `default`.
    ///
    /// # Errors
    ///
    /// There are no games, or the selected game does not exist.
    pub fn games(
        &self,
        path: &Path,
        text: &str,
        default: Variant,
    ) -> Result<(Vec<FileGame>, usize), Error> {
        let name = path.display();
        let default = variant_of_file(path, default, pdn::games(text));
        let (mut games, mut faults, mut count) = (Vec::new(), 0, 0);
        for (number, game) in (1..).zip(pdn::games(text)) {
            count = number;
            if self.game.is_some_and(|chosen| chosen != number) {
                continue;
            }
            let mut notes = Vec::new();
            let read = pdn::read_any_game(default, &game, &mut notes);
            for note in notes {
                print_stderr(format_args!("{name}, game {number}, {note}"));
            }
            match read {
                Ok(record) => games.push(FileGame { number, record }),
                Err(broken) => {
                    faults += 1;
                    let error = with_hint(broken.error, &game);
                    print_stderr(format_args!("{name}, game {number}, {error}"));
                    let before = broken.before.filter(|record| !record.line.moves.is_empty());
                    games.extend(before.map(|record| FileGame { number, record: *record }));
                }
            }
        }
        match self.game {
            Some(chosen) if chosen > count => Err(Error::Input(format!(
                "{name}: there is no game {chosen}; games in the file: {count}"
            ))),
            _ if count == 0 => Err(Error::Input(format!("{name}: contains no games"))),
            _ => Ok((games, faults)),
        }
    }

    fn read_game(&self, path: &Path, default: Variant) -> Result<Game, Error> {
        let (name, number) = (path.display(), self.game.unwrap_or(1));
        let text = self.encoding.text_of(path)?;
        let Some(game) = pdn::games(&text).nth(number - 1) else {
            let count = pdn::games(&text).count();
            return Err(Error::Input(format!(
                "{name}: there is no game {number}; games in the file: {count}"
            )));
        };
        let fault = |error: pdn::PdnError| Error::Input(format!("{name}: {error}"));
        let default = variant_of_file(path, default, pdn::games(&text));
        let mut notes = Vec::new();
        let read = pdn::read_any_game(default, &game, &mut notes);
        // If a ply is given, the notes may be about later moves.
        if self.ply.is_none() {
            notes.iter().for_each(|note| print_stderr(format_args!("{name}, {note}")));
        }
        let record = match read {
            Ok(record) => record,
            // A ply before the error can still be selected.
            Err(broken) => match (broken.before, self.ply) {
                (Some(record), Some(ply)) if ply <= record.line.moves.len() => *record,
                _ => return Err(fault(with_hint(broken.error, &game))),
            },
        };
        up_to(record.game(), self.ply)
            .map_err(|played| Error::Input(format!("{name}: game {number} has {played}")))
    }
}

/// The variant to assume for the games in a file whose tags don't specify one. Reported on standard
/// error unless it is `default`.
fn variant_of_file(path: &Path, default: Variant, games: Games<'_>) -> Variant {
    let games: Vec<_> = games.take(pdn::MAX_SAMPLE_GAMES).collect();
    let variant = pdn::variant_of_games(default, &games);
    if variant != default {
        let path = path.display();
        print_stderr(format_args!("{path}: games without a variant tag are read as {variant}"));
    }
    variant
}

/// The error, with a hint to use `-v` if the variant was only guessed.
fn with_hint(error: PdnError, game: &GameText) -> PdnError {
    match game.stated_variant() {
        Ok(Some(_)) => error,
        _ => PdnError {
            message: format!("{}; use -v to select a different variant", error.message),
            ..error
        },
    }
}

/// Truncates a game to `ply` plies, if given. Fails if the game is too short.
pub fn up_to(mut game: Game, ply: Option<usize>) -> Result<Game, String> {
    let played = game.plies();
    let ply = ply.unwrap_or(played);
    if ply > played {
        return Err(format!("{played} plies, not {ply}"));
    }
    while game.plies() > ply {
        game.undo();
    }
    Ok(game)
}

/// The PDN files from which to read games; standard input if there are none.
#[derive(Args, Debug)]
pub struct GameFilesArgument {
    /// PDN files [default: standard input]
    #[arg(value_name = "GAMES.pdn")]
    files: Vec<PathBuf>,
    /// Variant of games without a variant tag, as in `manoury moves --help` [default: international,
    /// or the variant that their moves fit]
    #[arg(short, long, value_name = "NAME")]
    variant: Option<Variant>,
    #[command(flatten)]
    encoding: EncodingArgument,
}

/// A game read from a stream of PDN files.
pub struct StreamedGame {
    /// The record, or the error and its location in the file.
    pub record: Result<GameRecord, BrokenGame>,
    /// The text of the game in the file; `None` if it shares a line with another game, begins with
    /// a comment, which after another game would belong to that one, or has no end of its own.
    pub text: Option<String>,
}

impl StreamedGame {
    /// The record, cut off before any error; `None` if nothing could be read.
    pub fn up_to_error(self) -> Option<GameRecord> {
        self.record.map_or_else(|broken| broken.before.map(|record| *record), Some)
    }
}

impl GameFilesArgument {
    /// The variant of games without a variant tag.
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or(Variant::International)
    }

    /// The variant given as an argument.
    pub fn given_variant(&self) -> Option<Variant> {
        self.variant
    }

    /// Parses the games leniently and passes each one to `each`, in order. Reports errors, and
    /// guesses that may be wrong, on standard error. Returns the number of games with errors.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or `each` fails.
    pub fn each(
        &self,
        each: &mut dyn FnMut(StreamedGame) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        self.each_of(true, each)
    }

    /// The same as [`Self::each`], but skips side lines without reading them.
    ///
    /// # Errors
    ///
    /// The same as for [`Self::each`].
    pub fn each_main_line(
        &self,
        each: &mut dyn FnMut(StreamedGame) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        self.each_of(false, each)
    }

    fn each_of(
        &self,
        has_variations: bool,
        each: &mut dyn FnMut(StreamedGame) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let standard = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard[..] } else { &self.files };
        let mut faults = 0;
        for path in files {
            let variant = self.variant();
            let faults = &mut faults;
            let mut reader =
                StreamReader { files: self, path, variant, has_variations, faults, each };
            if path == Path::new("-") {
                reader.read(io::stdin().lock())?;
            } else {
                reader.read(BufReader::new(File::open(path).map_err(storage::with_path(path))?))?;
            }
        }
        Ok(faults)
    }
}

/// The number of bytes examined to detect the encoding and the variant of a file.
const SAMPLE_BYTES: u64 = 1 << 18;

struct StreamReader<'a> {
    files: &'a GameFilesArgument,
    path: &'a Path,
    /// The variant of games without a variant tag.
    variant: Variant,
    has_variations: bool,
    faults: &'a mut usize,
    each: &'a mut dyn FnMut(StreamedGame) -> Result<(), Error>,
}

/// Consecutive lines of a file that contain one or more complete games, usually one.
#[derive(Default)]
struct Chunk {
    text: String,
    /// The number of lines in the file before the chunk.
    lines_before: usize,
    /// Whether the chunk contains anything besides tags, comments and blank lines.
    has_moves: bool,
    is_in_comment: bool,
}

impl Chunk {
    /// Whether `line` begins the next game, so that the chunk ends before it.
    fn ends_before(&self, line: &str) -> bool {
        self.has_moves && !self.is_in_comment && line.starts_with('[')
    }

    fn add(&mut self, line: &str) {
        let is_tag = !self.is_in_comment && (line.starts_with('[') || line.starts_with('%'));
        if !is_tag {
            self.scan(line);
        }
        self.text += line;
    }

    /// Looks for comments and moves in a line.
    fn scan(&mut self, line: &str) {
        for character in line.chars() {
            match character {
                '{' => self.is_in_comment = true,
                '}' => self.is_in_comment = false,
                _ if self.is_in_comment || character.is_whitespace() => {}
                // The rest of the line is a comment.
                ';' => return,
                _ => self.has_moves = true,
            }
        }
    }
}

impl StreamReader<'_> {
    /// Detects the encoding and the variant of the file from its first bytes, then reads it line by
    /// line.
    fn read(&mut self, mut input: impl BufRead) -> Result<(), Error> {
        let mut head = Vec::new();
        let failed = storage::with_path(self.path);
        input.by_ref().take(SAMPLE_BYTES).read_to_end(&mut head).map_err(&failed)?;
        let decoder = self.files.encoding.decoder(self.path, &head);
        let (head, decoder) = match decoder.encoding().has_byte_lines() {
            true => (head, decoder),
            false => {
                input.read_to_end(&mut head).map_err(&failed)?;
                (decoder.decode(&head).into_bytes(), Encoding::Utf8.into())
            }
        };
        let sample = &head[..head.len().min(SAMPLE_BYTES as usize)];
        let text = decoder.decode(sample);
        self.variant = variant_of_file(self.path, self.variant, pdn::games(&text));
        self.read_lines(head.chain(input), decoder)
    }

    fn read_lines(&mut self, mut input: impl BufRead, decoder: Decoder) -> Result<(), Error> {
        let (mut chunk, mut bytes, mut lines) = (Chunk::default(), Vec::new(), 0);
        loop {
            bytes.clear();
            if input.read_until(b'\n', &mut bytes).map_err(storage::with_path(self.path))? == 0 {
                return self.pass_on(&chunk);
            }
            let line = decoder.decode(&bytes);
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
        let texts = texts_of(&chunk.text, &games);
        for (mut game, text) in games.into_iter().zip(texts) {
            if !self.has_variations {
                game.drop_variations();
            }
            let mut notes = Vec::new();
            let record = pdn::read_any_game(self.variant, &game, &mut notes);
            let placed = |error: PdnError| in_file(error, chunk.lines_before);
            for note in notes {
                self.report_error(&placed(note));
            }
            let record = record.map_err(|BrokenGame { error, before }| {
                let error = placed(with_hint(error, &game));
                self.report_error(&error);
                *self.faults += 1;
                BrokenGame { error, before }
            });
            let text = text.map(|text| text.trim_end().to_owned() + "\n\n");
            (self.each)(StreamedGame { record, text })?;
        }
        Ok(())
    }

    fn report_error(&self, error: &PdnError) {
        print_stderr(format_args!("{}, {error}", self.path.display()));
    }
}

/// The text of each game of a chunk; `None` if a copy of the text would not be the same game.
fn texts_of<'a>(chunk: &'a str, games: &[GameText]) -> Vec<Option<&'a str>> {
    let mut rest = chunk;
    let mut lines_before = 0;
    let texts = games.iter().enumerate().map(|(index, game)| {
        let next = games.get(index + 1);
        let lines = next.map_or(usize::MAX, |next| next.place().line - 1 - lines_before);
        let (text, others) = split_lines(rest, lines);
        (rest, lines_before) = (others, lines_before.saturating_add(lines));
        let is_alone = games.len() == 1;
        let has_own_lines = next.is_none_or(GameText::starts_with_tag) && game.starts_with_tag();
        let is_whole = is_alone && !game.starts_with_comment() || has_own_lines;
        (is_whole && game.is_complete()).then_some(text)
    });
    texts.collect()
}

/// Splits a text after a number of lines.
fn split_lines(text: &str, lines: usize) -> (&str, &str) {
    let mut ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let end = lines.checked_sub(1).map_or(Some(0), |lines| ends.nth(lines));
    text.split_at(end.unwrap_or(text.len()))
}

/// Converts the location of an error within the chunk to its location in the file.
fn in_file(error: PdnError, lines_before: usize) -> PdnError {
    let TextPosition { line, column } = error.place;
    PdnError { place: TextPosition { line: line + lines_before, column }, ..error }
}
