//! Joining, sorting and splitting collections of games, and changing their tags.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cli::Error;
use crate::cli::args::games::{GameFilesArgument, StreamedGame};
use crate::cli::output::{plural, print_stderr};
use crate::notation::pdn::{self, DateRange, GameRecord, ResultText};
use crate::storage;

use super::GameHashes;

/// Print the games of several files, unchanged
///
/// Games with errors are skipped, and the exit code is then 1.
///
/// Examples:
///   manoury pdn join games.pdn games.pdn --unique
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct JoinArguments {
    #[command(flatten)]
    files: GameFilesArgument,
    /// Skip duplicates: games with the same start position and moves as an earlier one
    #[arg(long)]
    unique: bool,
}

/// Prints the games.
pub fn join(arguments: &JoinArguments) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    let mut seen = GameHashes::default();
    let faults = arguments.files.each(&mut |StreamedGame { record, text }| {
        let Ok(record) = record else {
            return Ok(());
        };
        if !arguments.unique || seen.insert(&record) {
            output.write_all(unchanged(&record, text).as_bytes())?;
        }
        Ok(())
    })?;
    output.flush()?;
    Error::check_faults(faults)
}

/// The text of a game as it is in the file or, if it shares a line with another game, as the
/// program writes it.
pub fn unchanged(record: &GameRecord, text: Option<String>) -> String {
    text.unwrap_or_else(|| pdn::write_game(record) + "\n")
}

/// Print the games sorted by tags, result or length, otherwise unchanged
///
/// Games that compare equal keep their order, and numbers within strings are compared numerically
/// (natural sort order). Games without the tag come last. The games are kept in a temporary file,
/// so they need not fit in memory. Games with errors are skipped, and the exit code is then 1.
///
/// Examples:
///   manoury pdn sort games.pdn --by event,date,round
///   manoury pdn sort games.pdn --by plies --reverse
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct SortArguments {
    #[command(flatten)]
    files: GameFilesArgument,
    /// Fields to sort by; each additional field breaks ties in the ones before it
    #[arg(long, value_enum, value_name = "FIELD", value_delimiter = ',', default_value = "date")]
    by: Vec<SortField>,
    /// Sort in descending order
    #[arg(long)]
    reverse: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum SortField {
    Date,
    Event,
    Site,
    Round,
    White,
    Black,
    Result,
    Plies,
    Variant,
}

/// The values by which a game is sorted; `None` for a field that the game lacks.
type SortKey = Vec<Option<Vec<KeyPart>>>;

/// A part of a value: text, or a number within a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum KeyPart {
    Number(u64),
    Text(String),
}

/// Prints the games in order.
pub fn sort(arguments: &SortArguments) -> Result<(), Error> {
    let folder = env::temp_dir();
    let failed = storage::with_path(&folder);
    let mut spool = BufWriter::new(tempfile::tempfile_in(&folder).map_err(&failed)?);
    let (mut places, mut end) = (Vec::new(), 0);
    let faults = arguments.files.each(&mut |StreamedGame { record, text }| {
        let Ok(record) = record else {
            return Ok(());
        };
        let key: SortKey = arguments.by.iter().map(|field| field.value(&record)).collect();
        let text = unchanged(&record, text);
        spool.write_all(text.as_bytes()).map_err(&failed)?;
        places.push((key, end, text.len()));
        end += text.len() as u64;
        Ok(())
    })?;
    places.sort_by(|(one, ..), (other, ..)| compare(one, other, arguments.reverse));
    let spool = spool.into_inner().map_err(io::IntoInnerError::into_error);
    let mut spool = spool.map_err(&failed)?;
    let (mut output, mut game) = (io::stdout().lock(), Vec::new());
    for (_, start, length) in places {
        game.resize(length, 0);
        spool.seek(SeekFrom::Start(start)).map_err(&failed)?;
        spool.read_exact(&mut game).map_err(&failed)?;
        output.write_all(&game)?;
    }
    output.flush()?;
    Error::check_faults(faults)
}

/// The order of two games; a missing value comes last, even in descending order.
fn compare(one: &SortKey, other: &SortKey, is_reversed: bool) -> Ordering {
    let order = |(one, other): (&Option<Vec<KeyPart>>, &Option<Vec<KeyPart>>)| match (one, other) {
        (Some(one), Some(other)) if is_reversed => other.cmp(one),
        (Some(one), Some(other)) => one.cmp(other),
        _ => one.is_none().cmp(&other.is_none()),
    };
    one.iter().zip(other).map(order).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

impl SortField {
    /// The value of a game.
    fn value(self, record: &GameRecord) -> Option<Vec<KeyPart>> {
        let number = KeyPart::Number;
        let tag = |name| natural_key(record.tags.get(name).unwrap_or_default());
        match self {
            SortField::Date => {
                date(record).map(|date| date.first().map(|part| number(part.into())).to_vec())
            }
            SortField::Event => tag("Event"),
            SortField::Site => tag("Site"),
            SortField::Round => tag("Round"),
            SortField::White => tag("White"),
            SortField::Black => tag("Black"),
            SortField::Result => Some(vec![number(record.result().kind() as u64)]),
            SortField::Plies => Some(vec![number(record.line.moves.len() as u64)]),
            SortField::Variant => natural_key(record.start.variant().name()),
        }
    }
}

/// The days on which a game may have been played.
fn date(record: &GameRecord) -> Option<DateRange> {
    record.tags.get("Date")?.parse().ok()
}

/// The year of a game, empty if unknown.
pub fn year(record: &GameRecord) -> String {
    date(record).map(|date| date.first()[0].to_string()).unwrap_or_default()
}

/// Text split into numbers and the words between them, ignoring case; `None` for an unknown value.
fn natural_key(text: &str) -> Option<Vec<KeyPart>> {
    let text = text.trim().to_lowercase();
    if is_unknown(&text) {
        return None;
    }
    let characters: Vec<char> = text.chars().collect();
    let parts = characters.chunk_by(|one, next| one.is_ascii_digit() == next.is_ascii_digit());
    let part = |part: &[char]| {
        let text: String = part.iter().collect();
        text.parse().map_or(KeyPart::Text(text), KeyPart::Number)
    };
    Some(parts.map(part).collect())
}

/// Whether the value of a tag means "unknown".
pub fn is_unknown(value: &str) -> bool {
    matches!(value.trim(), "" | "?" | "-" | "*")
}

/// Write the games to one file per event, player, year or other field
///
/// A game is written to the files of both its players. Existing files are not overwritten. Each
/// file is named after the value of the field, without characters that are not allowed in file
/// names. Prints the number of games in each. Games with errors are skipped, and the exit code is
/// then 1.
///
/// Examples:
///   manoury pdn split games.pdn --by player --out players
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct SplitArguments {
    #[command(flatten)]
    files: GameFilesArgument,
    /// Field by which to split the games
    #[arg(long, value_enum, value_name = "FIELD")]
    by: SplitField,
    /// Folder of the new files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum SplitField {
    Event,
    Site,
    Player,
    Year,
    Result,
    Variant,
}

impl SplitField {
    /// The values of a game.
    fn values(self, record: &GameRecord) -> Vec<String> {
        let tag = |name| record.tags.get(name).unwrap_or_default().to_owned();
        match self {
            SplitField::Event => vec![tag("Event")],
            SplitField::Site => vec![tag("Site")],
            SplitField::Player => vec![tag("White"), tag("Black")],
            SplitField::Year => vec![year(record)],
            SplitField::Result => vec![record.result().kind().to_string()],
            SplitField::Variant => vec![record.start.variant().name().to_owned()],
        }
    }
}

/// Writes the files and prints their names.
pub fn split(arguments: &SplitArguments) -> Result<(), Error> {
    let SplitArguments { files, by, out } = arguments;
    fs::create_dir_all(out).map_err(storage::with_path(out))?;
    let mut folder = OutputFolder { folder: out, files: BTreeMap::new(), buffered: 0 };
    let faults = files.each(&mut |StreamedGame { record, text }| {
        let Ok(record) = record else {
            return Ok(());
        };
        folder.add(&by.values(&record), &unchanged(&record, text))
    })?;
    folder.flush()?;
    let mut output = io::stdout().lock();
    for file in folder.files.values() {
        let games = plural(file.games, "game", "games");
        writeln!(output, "{}: {games}", out.join(&file.name).display())?;
    }
    output.flush()?;
    Error::check_faults(faults)
}

/// The maximum size of the text waiting to be written, in bytes.
const MAX_BUFFERED: usize = 16 << 20;

/// A folder of files that are opened one at a time for writing, because there may be more of them
/// than a process can keep open.
struct OutputFolder<'a> {
    folder: &'a Path,
    /// The files, by name in lower case because some file systems ignore case.
    files: BTreeMap<String, OutputFile>,
    buffered: usize,
}

#[derive(Default)]
struct OutputFile {
    name: String,
    games: usize,
    buffer: Vec<u8>,
    is_created: bool,
}

impl OutputFolder<'_> {
    /// Adds a game to the files of some values, once to each file.
    fn add(&mut self, values: &[String], text: &str) -> Result<(), Error> {
        let names = values.iter().map(|value| file_name(value));
        let names: BTreeMap<_, _> = names.map(|name| (name.to_lowercase(), name)).collect();
        for (key, name) in names {
            let file = self.files.entry(key).or_default();
            if file.games == 0 {
                file.name = name;
            }
            file.games += 1;
            file.buffer.extend_from_slice(text.as_bytes());
            self.buffered += text.len();
        }
        if self.buffered > MAX_BUFFERED { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        for file in self.files.values_mut().filter(|file| !file.buffer.is_empty()) {
            let path = self.folder.join(&file.name);
            let mut options = OpenOptions::new();
            let options = match file.is_created {
                true => options.append(true),
                false => options.write(true).create_new(true),
            };
            let mut output: File = options.open(&path).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => Error::Input(format!(
                    "{} already exists; choose another folder",
                    path.display()
                )),
                _ => storage::with_path(&path)(error).into(),
            })?;
            output.write_all(&file.buffer).map_err(storage::with_path(&path))?;
            file.is_created = true;
            file.buffer = Vec::new();
        }
        self.buffered = 0;
        Ok(())
    }
}

/// The name of the file for a value.
fn file_name(value: &str) -> String {
    /// Maximum length of a name without its extension, in characters.
    const MAX_LENGTH: usize = 60;
    let value = if is_unknown(value) { "unknown" } else { value };
    let is_kept = |character: char| character.is_alphanumeric() || "-_. ".contains(character);
    let kept = value.chars().map(|character| if is_kept(character) { character } else { '_' });
    let name: String = kept.take(MAX_LENGTH).collect();
    let name = name.trim_matches(['.', ' ']).replace(' ', "_");
    format!("{}.pdn", if name.is_empty() { "unknown" } else { &name })
}

/// Set, rename and remove tags
///
/// Tags are renamed first, then removed, then set. The games are printed in the format of `pdn
/// clean`. Games with errors are skipped, and the exit code is then 1.
///
/// Examples:
///   manoury pdn tag games.pdn --rename Tournament=Event --set "Annotator=S. Dame" --remove Time
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct TagArguments {
    #[command(flatten)]
    files: GameFilesArgument,
    /// Set a tag to a value, in all games
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    set: Vec<(String, String)>,
    /// Rename a tag
    #[arg(long, value_name = "OLD=NEW", value_parser = two_names)]
    rename: Vec<(String, String)>,
    /// Remove a tag
    #[arg(long, value_name = "NAME", value_parser = name)]
    remove: Vec<String>,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (tag, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let tag = name(tag)?;
    if tag == "Result" && !is_unknown(value) && ResultText::parse(value).is_none() {
        return Err(format!("not a result: {value:?}; expected 2-0, 1-1, 0-2, or * if unknown"));
    }
    Ok((tag, value.to_owned()))
}

fn two_names(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or("expected OLD=NEW")?;
    Ok((name(old)?, name(new)?))
}

/// Parses the name of a tag, except one that is derived from the game.
fn name(text: &str) -> Result<String, String> {
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    match text {
        "FEN" | "SetUp" => Err(format!("the {text} tag is derived from the start position")),
        "" => Err("the tag name is missing".to_owned()),
        _ if text.chars().all(is_name) => Ok(text.to_owned()),
        _ => Err(format!("not a tag name: {text:?}; expected letters, digits and _")),
    }
}

/// Prints the games.
pub fn tag(arguments: &TagArguments) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    let faults = arguments.files.each(&mut |game| {
        let Ok(mut record) = game.record else {
            return Ok(());
        };
        arguments.change(&mut record);
        let text = pdn::write_game(&record) + "\n";
        check_variant(&record, &text)?;
        Ok(output.write_all(text.as_bytes())?)
    })?;
    output.flush()?;
    Error::check_faults(faults)
}

/// Checks that the tags of a written game do not name another variant, as which its moves could
/// not be read.
fn check_variant(record: &GameRecord, text: &str) -> Result<(), Error> {
    let variant = record.start.variant();
    let stated = pdn::games(text).next().map_or(Ok(variant), |game| game.variant(variant));
    if stated.is_ok_and(|stated| stated == variant) {
        return Ok(());
    }
    Err(Error::Input(format!(
        "the tags of a game of {variant} would name another variant; GameType and Variant can only \
         be set to that of the game"
    )))
}

impl TagArguments {
    fn change(&self, record: &mut GameRecord) {
        for (replaced, value) in record.tags.rename(&self.rename) {
            print_stderr(format_args!("tag {replaced}: {value:?} is replaced by a renamed tag"));
        }
        for name in &self.remove {
            record.tags.remove(name);
        }
        for (name, value) in &self.set {
            match &name[..] {
                "Result" => record.set_result(value),
                _ => record.tags.set(name, value),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_within_texts_are_sorted_as_numbers() {
        let mut rounds = ["10", "2.10", "Round 3", "2.9", "?", "1"];
        let sort = |rounds: &mut [&str], is_reversed| {
            let key = |round: &str| vec![natural_key(round)];
            rounds.sort_by(|one, other| compare(&key(one), &key(other), is_reversed));
        };
        sort(&mut rounds, false);
        assert_eq!(rounds, ["1", "2.9", "2.10", "10", "Round 3", "?"]);
        sort(&mut rounds, true);
        assert_eq!(rounds, ["Round 3", "10", "2.10", "2.9", "1", "?"]);
    }

    #[test]
    fn file_names_are_safe() {
        assert_eq!(file_name("Sijbrands, T."), "Sijbrands__T.pdn");
        assert_eq!(file_name("../../etc/x"), "_.._etc_x.pdn");
        assert_eq!(file_name("?"), "unknown.pdn");
        assert_eq!(file_name(" ... "), "unknown.pdn");
        assert_eq!(file_name("Чижов"), "Чижов.pdn");
    }
}
