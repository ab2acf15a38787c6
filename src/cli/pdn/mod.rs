//! `manoury pdn`: filters, converts, cleans, collects and counts games in PDN files.

mod collect;
mod stats;

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::ops::RangeInclusive;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::erased::Position;
use crate::notation::fen;
use crate::notation::pdn::{
    self, DateRange, GameFilter, GameHeader, GameRecord, MoveLine, PdnFormat, ResultKind,
    ResultPoints, SquareNames,
};
use crate::rules::Variant;

use crate::cli::Error;
use crate::cli::args::games::{GameFilesArgument, StreamedGame};
use crate::cli::args::{JsonArgument, parse_range};
use crate::cli::output::write_json;

/// Filter, convert, clean, collect and count the games in PDN files
///
/// Games are streamed, so a file may be larger than memory. Without a file, or with `-`, they come
/// from standard input; games are written to standard output. Errors in games are reported on
/// standard error, with file, line and column.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: PdnCommand,
}

#[derive(Subcommand, Debug)]
enum PdnCommand {
    Filter(Box<FilterArguments>),
    Convert(ConvertArguments),
    Clean(CleanArguments),
    Join(collect::JoinArguments),
    Sort(collect::SortArguments),
    Split(collect::SplitArguments),
    Tag(collect::TagArguments),
    Count(CountArguments),
    Stats(stats::StatsArguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match &arguments.command {
        PdnCommand::Filter(arguments) => filter(arguments),
        PdnCommand::Convert(arguments) => convert(arguments),
        PdnCommand::Clean(arguments) => clean(arguments),
        PdnCommand::Join(arguments) => collect::join(arguments),
        PdnCommand::Sort(arguments) => collect::sort(arguments),
        PdnCommand::Split(arguments) => collect::split(arguments),
        PdnCommand::Tag(arguments) => collect::tag(arguments),
        PdnCommand::Count(arguments) => count(arguments),
        PdnCommand::Stats(arguments) => stats::stats(arguments),
    }
}

/// Print the games that meet all conditions, unchanged
///
/// Games with errors are skipped. --variant is a condition, too: only games of that variant are
/// printed, which includes games without a variant tag if their moves fit it.
///
/// Examples:
///   manoury pdn filter games.pdn --player clerc --result white
///   manoury pdn filter games.pdn --plies 80..120 --pieces 6
#[derive(Args, Debug)]
#[command(verbatim_doc_comment, mut_arg("variant", |argument| argument.help(FILTER_VARIANT)))]
pub struct FilterArguments {
    #[command(flatten)]
    files: GameFilesArgument,
    /// Part of the name of either player, ignoring case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Part of the name of the white player
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Part of the name of the black player
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Part of the name of the event
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// The result
    #[arg(long, value_name = "WHO", value_parser = result_parser())]
    result: Option<ResultKind>,
    /// Earliest date, such as 1995 or 1995.04.17; a game with an incomplete date matches if it may
    /// have been played then
    #[arg(long, value_name = "DATE")]
    since: Option<DateRange>,
    /// Latest date
    #[arg(long, value_name = "DATE")]
    until: Option<DateRange>,
    /// Length in plies, such as 80..120
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = plies)]
    plies: Option<RangeInclusive<usize>>,
    /// A position that occurs in the game, as FEN
    #[arg(long, value_name = "FEN")]
    position: Option<String>,
    /// Only games that reach a position with at most this many pieces
    #[arg(long, value_name = "N")]
    pieces: Option<usize>,
    /// Print the games that do not meet the conditions instead
    #[arg(long)]
    not: bool,
}

/// The help of `--variant`, which the other commands only use for games without a variant tag.
const FILTER_VARIANT: &str = "Print only games of this variant; games without a variant tag count \
                              if their moves fit it [default: games of all variants]";

/// Parses a result by its name.
fn result_parser() -> impl TypedValueParser<Value = ResultKind> {
    let names = ResultKind::ALL.map(ResultKind::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<ResultKind>())
}

fn plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    parse_range(text, "80..120")
}

/// Prints the games.
pub fn filter(arguments: &FilterArguments) -> Result<(), Error> {
    arguments.check_position()?;
    let mut output = io::stdout().lock();
    arguments.files.each(&mut |StreamedGame { record, text }| {
        let Ok(record) = record else {
            return Ok(());
        };
        if arguments.is_met(&record) != arguments.not {
            output.write_all(collect::unchanged(&record, text).as_bytes())?;
        }
        Ok(())
    })?;
    Ok(output.flush()?)
}

impl FilterArguments {
    /// Checks that the position fits the board of some variant, or that of the given one.
    fn check_position(&self) -> Result<(), Error> {
        let Some(text) = &self.position else { return Ok(()) };
        let fits = |variant| fen::parse(variant, text).map(|_| ());
        let given = self.files.given_variant();
        let fits_another =
            || given.is_none() && Variant::ALL.iter().any(|&other| fits(other).is_ok());
        match fits(self.files.variant()) {
            Err(error) if !fits_another() => Err(Error::usage(format!("--position, {error}"))),
            _ => Ok(()),
        }
    }

    /// Whether a game meets all conditions.
    fn is_met(&self, record: &GameRecord) -> bool {
        let length = record.line.moves.len();
        let is_long = self.plies.as_ref().is_none_or(|plies| plies.contains(&length));
        let variant = record.start.variant();
        let is_of_variant = self.files.given_variant().is_none_or(|given| given == variant);
        is_long
            && is_of_variant
            && self.header_filter().is_met(&GameHeader::of(record))
            && self.is_reached(record)
    }

    fn header_filter(&self) -> GameFilter {
        GameFilter {
            player: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            result: self.result,
            since: self.since,
            until: self.until,
        }
    }

    /// Whether the game reaches the required position and number of pieces. A position that does not
    /// fit the board of its variant is not reached.
    fn is_reached(&self, record: &GameRecord) -> bool {
        if self.position.is_none() && self.pieces.is_none() {
            return true;
        }
        let positions = record.game().positions();
        let has = |condition: &dyn Fn(&Position) -> bool| positions.iter().any(condition);
        let is_there = |text: &String| {
            fen::parse(record.start.variant(), text)
                .is_ok_and(|wanted| has(&|position| position.setup() == wanted.setup()))
        };
        self.position.as_ref().is_none_or(is_there)
            && self.pieces.is_none_or(|pieces| has(&|position| position.occupied().len() <= pieces))
    }
}

/// Convert games to another notation, result system or encoding
///
/// Games with errors are skipped, and the exit code is then 1.
///
/// Examples:
///   manoury pdn convert games.pdn --notation algebraic --results one
///   manoury pdn convert games.pdn --notation book --encoding latin1
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct ConvertArguments {
    #[command(flatten)]
    files: GameFilesArgument,
    /// Notation of moves [default: the PDN notation of the game]
    #[arg(long, value_enum)]
    notation: Option<NotationChoice>,
    /// Points for a win [default: unchanged]
    #[arg(long, value_enum)]
    results: Option<ResultsChoice>,
    /// Encoding of the output; characters that are not in Latin-1 become question marks
    #[arg(long, value_enum, default_value_t = EncodingChoice::Utf8)]
    encoding: EncodingChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum NotationChoice {
    /// Square numbers: 32-28.
    Numeric,
    /// Files and ranks: c3-d4.
    Algebraic,
    /// Book notation: the second player's moves in brackets, without comments or variations.
    Book,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum ResultsChoice {
    /// 2-0, 1-1, 0-2.
    Two,
    /// 1-0, 1/2-1/2, 0-1, as in chess.
    One,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum EncodingChoice {
    #[value(name = "utf-8", alias = "utf8")]
    Utf8,
    #[value(alias = "latin-1")]
    Latin1,
}

/// Prints the games.
pub fn convert(arguments: &ConvertArguments) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    let format = arguments.format();
    let faults = arguments.files.each(&mut |game| {
        let Ok(record) = game.record else {
            return Ok(());
        };
        let text = pdn::write_game_as(&record, format) + "\n";
        let bytes = match arguments.encoding {
            EncodingChoice::Utf8 => text.into_bytes(),
            EncodingChoice::Latin1 => latin1(&text),
        };
        Ok(output.write_all(&bytes)?)
    })?;
    output.flush()?;
    Error::check_faults(faults)
}

impl ConvertArguments {
    fn format(&self) -> PdnFormat {
        PdnFormat {
            squares: match self.notation {
                Some(NotationChoice::Numeric) => SquareNames::Numeric,
                Some(NotationChoice::Algebraic) => SquareNames::Algebraic,
                Some(NotationChoice::Book) | None => SquareNames::OfVariant,
            },
            results: match self.results {
                Some(ResultsChoice::Two) => ResultPoints::Two,
                Some(ResultsChoice::One) => ResultPoints::One,
                None => ResultPoints::Unchanged,
            },
            has_brackets: self.notation == Some(NotationChoice::Book),
        }
    }
}

/// Encodes text as ISO 8859-1.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(character).unwrap_or(b'?')).collect()
}

/// Convert games in any dialect of PDN to PDN 3.0
///
/// Games are read leniently: either result system, captures written with a dash, ambiguous
/// captures, Latin-1 or UTF-8. Games with errors are skipped, and the exit code is then 1.
///
/// Examples:
///   manoury pdn clean games.pdn --unique --no-comments
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct CleanArguments {
    #[command(flatten)]
    files: GameFilesArgument,
    /// Skip duplicates: games with the same start position and moves as an earlier one
    #[arg(long)]
    unique: bool,
    /// Remove comments, including clock times
    #[arg(long)]
    no_comments: bool,
    /// Remove variations
    #[arg(long)]
    no_variations: bool,
    /// Keep games with errors, up to the error
    #[arg(long)]
    keep_faulty: bool,
}

/// Prints the games.
pub fn clean(arguments: &CleanArguments) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    let mut seen = GameHashes::default();
    let mut each = |game: StreamedGame| {
        if game.record.is_err() && !arguments.keep_faulty {
            return Ok(());
        }
        let Some(record) = game.up_to_error() else {
            return Ok(());
        };
        if arguments.unique && !seen.insert(&record) {
            return Ok(());
        }
        let text = pdn::write_game(&arguments.stripped(record)) + "\n";
        Ok(output.write_all(text.as_bytes())?)
    };
    let faults = match arguments.no_variations {
        true => arguments.files.each_main_line(&mut each)?,
        false => arguments.files.each(&mut each)?,
    };
    output.flush()?;
    Error::check_faults(faults)
}

/// Hashes of the variants, start positions and moves of games, and of the tags of games without
/// moves. 64 bits suffice to tell millions of games apart.
#[derive(Default)]
struct GameHashes {
    hasher: RandomState,
    seen: HashSet<u64>,
}

impl GameHashes {
    /// Adds a game. Returns whether it is new.
    fn insert(&mut self, record: &GameRecord) -> bool {
        let moves: Vec<_> = record.line.moves.iter().map(|annotated| annotated.mv).collect();
        let tags: Vec<_> = record.tags.iter().filter(|_| moves.is_empty()).collect();
        let (variant, start) = (record.start.variant().name(), record.start.key());
        self.seen.insert(self.hasher.hash_one((variant, start, moves, tags)))
    }
}

impl CleanArguments {
    fn stripped(&self, mut record: GameRecord) -> GameRecord {
        self.strip(&mut record.line);
        record
    }

    fn strip(&self, line: &mut MoveLine) {
        if self.no_comments {
            line.comments.clear();
        }
        for annotated in &mut line.moves {
            if self.no_comments {
                annotated.comments.clear();
            }
            annotated.variations.iter_mut().for_each(|line| self.strip(line));
        }
    }
}

/// Count games, plies and results
///
/// The last line is `games=N plies=N white=N draws=N black=N unknown=N faults=N`. Games with errors
/// count up to the error; if there are any, the exit code is 1.
///
/// JSON: one object with games, plies, white, draws, black, unknown, faults, and variants (the
/// number of games in each).
///
/// Examples:
///   manoury pdn count games.pdn
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct CountArguments {
    #[command(flatten)]
    files: GameFilesArgument,
    #[command(flatten)]
    json: JsonArgument,
}

#[derive(Serialize, Default)]
struct GameCounts {
    games: u64,
    plies: u64,
    white: u64,
    draws: u64,
    black: u64,
    unknown: u64,
    faults: usize,
    variants: BTreeMap<&'static str, u64>,
}

impl GameCounts {
    /// Counts a game; `None` is a game that could not be read.
    fn add(&mut self, record: Option<&GameRecord>) {
        self.games += 1;
        let Some(record) = record else {
            self.unknown += 1;
            return;
        };
        self.plies += record.line.moves.len() as u64;
        *self.variants.entry(record.start.variant().name()).or_default() += 1;
        match record.result().kind() {
            ResultKind::White => self.white += 1,
            ResultKind::Draw => self.draws += 1,
            ResultKind::Black => self.black += 1,
            ResultKind::Unknown => self.unknown += 1,
        }
    }
}

/// Counts the games and prints the totals.
pub fn count(arguments: &CountArguments) -> Result<(), Error> {
    let mut counts = GameCounts::default();
    counts.faults = arguments.files.each(&mut |game| {
        counts.add(game.up_to_error().as_ref());
        Ok(())
    })?;
    print_counts(&counts, arguments.json.is_on())?;
    Error::check_faults(counts.faults)
}

fn print_counts(counts: &GameCounts, json: bool) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    if json {
        return write_json(&mut output, counts);
    }
    for (variant, games) in &counts.variants {
        writeln!(output, "{variant} {games}")?;
    }
    let GameCounts { games, plies, white, draws, black, unknown, faults, .. } = counts;
    Ok(writeln!(
        output,
        "games={games} plies={plies} white={white} draws={draws} black={black} \
         unknown={unknown} faults={faults}"
    )?)
}
