//! `manoury match --rate`: ratings from PDN files of games already played.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::arena::stats::{RatedGames, RatingScale, RatingTable};
use crate::board::Side;
use crate::cli::Error;
use crate::cli::args::games::EncodingArgument;
use crate::cli::error::decimal;
use crate::cli::output::{print_stderr, write_json};
use crate::game::GameResult;
use crate::notation::pdn::{self, GameText, ResultText};

use super::tables;

/// The options for ratings.
#[derive(Args, Debug)]
pub struct RatingArguments {
    /// Play no games, but rate the players in these PDN files by the results of all games. Only
    /// tags are read; games without a result or a name are skipped
    ///
    /// JSON: one object with players (name, games, score, elo, superiority: for each player, the
    /// probability of being stronger) and white_advantage (in Elo).
    #[arg(long, value_name = "GAMES.pdn", num_args = 1.., conflicts_with = "engines")]
    rate: Vec<PathBuf>,
    /// Rating of one player, to which all ratings are relative, such as Scan=2000
    #[arg(long, value_name = "NAME=ELO", conflicts_with = "average")]
    anchor: Option<Anchor>,
    /// Mean of all ratings
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_hyphen_values = true, value_parser = decimal(f64::MIN..=f64::MAX))]
    average: f64,
    #[command(flatten)]
    encoding: EncodingArgument,
}

/// A player with a given rating.
#[derive(Clone, PartialEq, Debug)]
struct Anchor {
    name: String,
    elo: f64,
}

impl FromStr for Anchor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected NAME=ELO, such as Scan=2000";
        let (name, elo) = text.rsplit_once('=').ok_or(expected)?;
        let elo = elo.parse().ok().filter(|elo: &f64| elo.is_finite()).ok_or(expected)?;
        Ok(Anchor { name: name.to_owned(), elo })
    }
}

impl RatingArguments {
    /// Whether to rate games instead of playing.
    pub fn is_rating(&self) -> bool {
        !self.rate.is_empty()
    }

    /// The reference point of the ratings of these players.
    ///
    /// # Errors
    ///
    /// There is no player with the name of the anchor.
    pub fn scale(&self, names: &[String]) -> Result<RatingScale, Error> {
        let Some(Anchor { name, elo }) = &self.anchor else {
            return Ok(RatingScale::Average(self.average));
        };
        match names.iter().position(|player| player == name) {
            Some(player) => Ok(RatingScale::Anchor(player, *elo)),
            None => Err(Error::usage(format!("--anchor: no player {name:?}"))),
        }
    }

    /// Rates the players of the files and prints the result.
    ///
    /// # Errors
    ///
    /// A file cannot be read, has no game with a result, or the players cannot be rated.
    pub fn run(&self, is_json: bool, is_styled: bool) -> Result<(), Error> {
        let mut players = Players::default();
        for path in &self.rate {
            let text = self.encoding.text_of(path)?;
            let skipped = pdn::games(&text).filter(|game| !players.add(game)).count();
            if skipped > 0 {
                let path = path.display();
                print_stderr(format_args!("{path}: games without a result or a name: {skipped}"));
            }
        }
        if players.names.is_empty() {
            return Err(Error::Input("no games with a result".to_owned()));
        }
        let scale = self.scale(&players.names)?;
        let table = RatingTable::new(&players.names, &players.games, scale)
            .map_err(|error| Error::Input(error.to_string()))?;
        let mut output = io::stdout().lock();
        if is_json {
            return write_json(&mut output, &table);
        }
        Ok(output.write_all(tables::ratings_text(&table, is_styled).as_bytes())?)
    }
}

/// The players of PDN files and their games.
#[derive(Default)]
struct Players {
    names: Vec<String>,
    indexes: HashMap<String, usize>,
    games: RatedGames,
}

impl Players {
    /// Adds a game if it has a result and two different names; returns whether it does.
    fn add(&mut self, game: &GameText) -> bool {
        let [white, black] = ["White", "Black"].map(|tag| {
            game.tag(tag).map(str::trim).filter(|name| !matches!(*name, "" | "?" | "-"))
        });
        let result = game.tag("Result").and_then(ResultText::parse);
        match (white, black, result.and_then(|result| result.winner())) {
            (Some(white), Some(black), Some(winner)) if white != black => {
                let (white, black) = (self.index(white), self.index(black));
                self.games.add_game(white, black, GameResult::of(winner, Side::White));
                true
            }
            _ => false,
        }
    }

    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.indexes.get(name) {
            return index;
        }
        self.names.push(name.to_owned());
        self.indexes.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }
}
