//! A game in a PDN file, and a position of it.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::erased::Game;
use crate::notation::pdn::{self, GameRecord};
use crate::rules::Variant;
use crate::storage;

use super::Error;
use super::notice::notice;

/// A PDN file, and a game and a position in it.
#[derive(Args, Debug)]
pub struct GameFile {
    /// A PDN file of games
    #[arg(value_name = "GAMES.pdn", conflicts_with_all = ["fen", "pos"])]
    pub file: Option<PathBuf>,
    /// The game in the file, the first is 1
    #[arg(long, value_name = "N", requires = "file",
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub game: Option<usize>,
    /// The number of plies played before the position
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
}

/// A game of a file.
pub struct FileGame {
    /// Its number, the first is 1.
    pub number: usize,
    /// The game, up to its fault if it has one.
    pub record: GameRecord,
}

impl GameFile {
    /// The chosen game up to the chosen ply, by default all of the first game; `None` without a
    /// file. Games that do not tell their variant are of the default one.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or there is no such game or position in it.
    pub fn read(&self, default: Variant) -> Result<Option<Game>, Error> {
        match &self.file {
            Some(path) => self.game(path, default).map(Some),
            None if self.ply.is_some() => Err(Error::refused("--ply needs a PDN file")),
            None => Ok(None),
        }
    }

    /// All games, or the chosen one, as far as they can be read, and the number of those with
    /// faults, which are told. Games that do not tell their variant are of the default one.
    ///
    /// # Errors
    ///
    /// There is no game, or not the chosen one.
    pub fn games(
        &self,
        path: &Path,
        text: &str,
        default: Variant,
    ) -> Result<(Vec<FileGame>, usize), Error> {
        let name = path.display();
        let (mut games, mut faults, mut count) = (Vec::new(), 0, 0);
        for (number, game) in (1..).zip(pdn::games(text)) {
            count = number;
            if self.game.is_some_and(|chosen| chosen != number) {
                continue;
            }
            let mut notes = Vec::new();
            let read = pdn::read_any_game(default, &game, &mut notes);
            for note in notes {
                notice(format_args!("{name}, game {number}, {note}"));
            }
            match read {
                Ok(record) => games.push(FileGame { number, record }),
                Err(broken) => {
                    faults += 1;
                    notice(format_args!("{name}, game {number}, {}", broken.error));
                    let before = broken.before.filter(|record| !record.line.moves.is_empty());
                    games.extend(before.map(|record| FileGame { number, record: *record }));
                }
            }
        }
        match self.game {
            Some(chosen) if chosen > count => {
                Err(Error::Input(format!("{name}: has {count} games, no game {chosen}")))
            }
            _ if count == 0 => Err(Error::Input(format!("{name}: there is no game in it"))),
            _ => Ok((games, faults)),
        }
    }

    fn game(&self, path: &Path, default: Variant) -> Result<Game, Error> {
        let (name, number) = (path.display(), self.game.unwrap_or(1));
        let text = text_of(path)?;
        let Some(game) = pdn::games(&text).nth(number - 1) else {
            let count = pdn::games(&text).count();
            return Err(Error::Input(format!("{name}: has {count} games, no game {number}")));
        };
        let fault = |error: pdn::PdnError| Error::Input(format!("{name}: {error}"));
        let variant = game.variant(default).map_err(fault)?;
        let record = match pdn::read_game(variant, &game) {
            Ok(record) => record,
            // A position before the fault can be had.
            Err(broken) => match (broken.before, self.ply) {
                (Some(record), Some(ply)) if ply <= record.line.moves.len() => *record,
                _ => return Err(fault(broken.error)),
            },
        };
        up_to(record.game(), self.ply)
            .map_err(|played| Error::Input(format!("{name}: game {number} has {played}")))
    }
}

/// The text of a PDN file.
pub fn text_of(path: &Path) -> Result<String, Error> {
    Ok(pdn::decode(&fs::read(path).map_err(storage::with_path(path))?))
}

/// A game up to a ply, or all of it; the error says that it is too short.
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
