//! `manoury pdn filter`: some of the games.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};

use crate::board::Side;
use crate::cli::Error;
use crate::cli::range;
use crate::erased::Position;
use crate::notation::fen;
use crate::notation::pdn::{self, GameRecord};

use super::stream::{GameFiles, StreamedGame};

/// Print the games that meet all conditions, as they are
///
/// Games with faults are left out.
///
/// Examples:
///   manoury pdn filter games.pdn --player clerc --result white
///   manoury pdn filter games.pdn --plies 80..120 --pieces 6
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    #[command(flatten)]
    files: GameFiles,
    /// Part of the name of a player, of either side; capitals do not matter
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Part of the name of the player of White
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Part of the name of the player of Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// The result
    #[arg(long, value_enum, value_name = "WHO")]
    result: Option<ResultChoice>,
    /// The earliest date, as 1995 or 1995.04.17
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// The latest date
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// The length in plies, as 80..120
    #[arg(long, value_name = "A..B", value_parser = plies)]
    plies: Option<RangeInclusive<usize>>,
    /// A position that is reached, as FEN
    #[arg(long, value_name = "FEN")]
    position: Option<String>,
    /// A position with this many pieces or fewer is reached
    #[arg(long, value_name = "N")]
    pieces: Option<usize>,
    /// Print the games that do not meet the conditions instead
    #[arg(long)]
    not: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum ResultChoice {
    White,
    Draw,
    Black,
    Unknown,
}

fn plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    range::parse(text, "80..120")
}

/// Prints the games.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut output = io::stdout().lock();
    arguments.files.each(&mut |StreamedGame { record, text }| {
        let Ok(record) = record else {
            return Ok(());
        };
        if arguments.is_met(&record)? != arguments.not {
            let text = text.unwrap_or_else(|| pdn::write_game(&record) + "\n");
            output.write_all(text.as_bytes())?;
        }
        Ok(())
    })?;
    Ok(output.flush()?)
}

impl Arguments {
    /// Whether a game meets all conditions.
    fn is_met(&self, record: &GameRecord) -> Result<bool, Error> {
        let name = |tag| record.tags.get(tag).unwrap_or_default().to_lowercase();
        let (white, black) = (name("White"), name("Black"));
        let is_in = |wanted: &Option<String>, names: &[&str]| {
            let wanted = wanted.as_ref().map(|wanted| wanted.to_lowercase());
            wanted.is_none_or(|wanted| names.iter().any(|name| name.contains(&wanted)))
        };
        let is_named = is_in(&self.player, &[&white, &black])
            && is_in(&self.white, &[&white])
            && is_in(&self.black, &[&black]);
        let length = record.line.moves.len();
        let is_long = self.plies.as_ref().is_none_or(|plies| plies.contains(&length));
        let has_result = self.result.is_none_or(|wanted| wanted == result(record));
        Ok(is_named
            && is_long
            && has_result
            && self.is_in_time(record)
            && self.is_reached(record)?)
    }

    /// Dates are compared as far as the condition goes.
    fn is_in_time(&self, record: &GameRecord) -> bool {
        let date = record.tags.get("Date").unwrap_or_default();
        let part = |wanted: &str| date.get(..wanted.len()).unwrap_or_default().to_owned();
        self.since.as_ref().is_none_or(|since| part(since) >= *since)
            && self.until.as_ref().is_none_or(|until| !date.is_empty() && part(until) <= *until)
    }

    /// Whether the positions that are wanted occur.
    fn is_reached(&self, record: &GameRecord) -> Result<bool, Error> {
        if self.position.is_none() && self.pieces.is_none() {
            return Ok(true);
        }
        let variant = record.start.variant();
        let wanted = match self.position.as_deref().map(|text| fen::parse(variant, text)) {
            Some(Ok(position)) => Some(position),
            // A position of another board.
            Some(Err(_)) if variant != self.files.variant() => return Ok(false),
            Some(Err(error)) => return Err(Error::refused(format!("--position, {error}"))),
            None => None,
        };
        let positions = record.game().positions();
        let has = |condition: &dyn Fn(&Position) -> bool| positions.iter().any(condition);
        Ok(wanted.is_none_or(|wanted| has(&|position| position.setup() == wanted.setup()))
            && self
                .pieces
                .is_none_or(|pieces| has(&|position| position.occupied().len() <= pieces)))
    }
}

fn result(record: &GameRecord) -> ResultChoice {
    match record.result().winner() {
        Some(Some(Side::White)) => ResultChoice::White,
        Some(None) => ResultChoice::Draw,
        Some(Some(Side::Black)) => ResultChoice::Black,
        None => ResultChoice::Unknown,
    }
}
