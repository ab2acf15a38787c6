//! Lists of openings to choose from.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::game::Game;
use crate::rules::Rules;

use super::{Opening, OpeningError, ballots, files, plies};

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The start position of the game, as text `start`.
    Start,
    /// Every position that many plies after the start position without a pending capture; `2-ply`,
    /// `3-ply` and `4-ply`. Each further ply has about four times as many.
    Plies(u8),
    /// The 79 ballots of two moves that engine tournaments on 10x10 use; `ballots`.
    Ballots,
    /// A file of PDN games, whose main lines are the openings, or of positions, one a line, as FEN
    /// or as Hub writes them.
    File(PathBuf),
}

impl Source {
    /// All openings, in the order of the source, no position twice: there is at least one.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, is faulty, has no opening or one in which the game is over;
    /// ballots for a game in which they cannot be played.
    pub fn openings<R: Rules>(&self) -> Result<Vec<Opening<R>>, OpeningError> {
        let openings = match self {
            Source::Start => vec![Opening { name: self.to_string(), game: Game::default() }],
            Source::Plies(plies) => plies::openings(*plies),
            Source::Ballots => ballots::openings()?,
            Source::File(path) => files::read(path)?,
        };
        if openings.is_empty() {
            return Err(OpeningError::Input(format!("{self}: there is no opening in it")));
        }
        Ok(openings)
    }
}

impl FromStr for Source {
    type Err = OpeningError;

    /// Reads the name of a source; any other text is the path of a file.
    fn from_str(text: &str) -> Result<Self, OpeningError> {
        match text {
            "" => Err(OpeningError::Input(
                "openings are start, 2-ply, 3-ply, 4-ply, ballots or a file".to_owned(),
            )),
            "start" => Ok(Source::Start),
            "2-ply" => Ok(Source::Plies(2)),
            "3-ply" => Ok(Source::Plies(3)),
            "4-ply" => Ok(Source::Plies(4)),
            "ballots" => Ok(Source::Ballots),
            path => Ok(Source::File(path.into())),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Start => f.write_str("start"),
            Source::Plies(plies) => write!(f, "{plies}-ply"),
            Source::Ballots => f.write_str("ballots"),
            Source::File(path) => path.display().fmt(f),
        }
    }
}
