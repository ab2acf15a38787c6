//! Games of PDN files that a book is to know.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::Error;
use crate::cli::notice::notice;
use crate::game::Game;
use crate::notation::pdn;
use crate::position::Position;
use crate::rules::Rules;

/// The first plies of the games of files. Games that begin elsewhere than at the start are left out, and of
/// a faulty game all that comes after the fault; both are told of.
///
/// # Errors
///
/// A file cannot be read.
pub fn read<R: Rules>(files: &[PathBuf], plies: usize) -> Result<Vec<Game<R>>, Error> {
    let mut games = Vec::new();
    for path in files {
        let bytes = fs::read(path).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
        let (mut elsewhere, mut faulty) = (0, 0);
        for text in pdn::games(&pdn::decode(&bytes)) {
            let record = match pdn::read_game::<R>(&text) {
                Ok(record) => Some(record),
                Err(broken) => {
                    faulty += 1;
                    broken.before.map(|record| *record)
                }
            };
            match record {
                Some(record) if record.start == Position::start() => {
                    games.push(beginning(&record.game(), plies));
                }
                Some(_) => elsewhere += 1,
                None => {}
            }
        }
        tell(path, elsewhere, faulty);
    }
    Ok(games)
}

fn tell(path: &Path, elsewhere: usize, faulty: usize) {
    let path = path.display();
    if elsewhere > 0 {
        notice(format_args!("{path}: left out {elsewhere} games that do not begin at the start"));
    }
    if faulty > 0 {
        notice(format_args!("{path}: {faulty} faulty games, used up to the fault"));
    }
}

/// The first plies of a game.
fn beginning<R: Rules>(game: &Game<R>, plies: usize) -> Game<R> {
    let mut beginning = Game::default();
    for &mv in game.moves().iter().take(plies) {
        beginning.play(mv);
    }
    beginning
}

/// Games up to the first position that fewer than `least` of them come to.
pub fn frequent<R: Rules>(games: &[Game<R>], least: usize) -> Vec<Game<R>> {
    let mut counts = HashMap::new();
    for position in games.iter().flat_map(|game| game.positions()) {
        *counts.entry(position.key()).or_insert(0_usize) += 1;
    }
    let is_frequent = |position: &&Position<R>| counts[&position.key()] >= least;
    let common = |game: &Game<R>| game.positions().iter().take_while(is_frequent).count();
    let common = games.iter().map(|game| (game, common(game)));
    common
        .filter(|&(_, positions)| positions > 0)
        .map(|(game, positions)| beginning(game, positions - 1))
        .collect()
}
