//! Built-in openings: every position a few plies after the start position, and ballots, the
//! openings that tournaments draw by lot.

use std::collections::HashSet;

use crate::erased::Game;
use crate::notation::{fen, hub};
use crate::rules::Variant;

use super::{Opening, OpeningError};

/// The positions after `plies` plies in which the side to move has no capture and the game is not
/// over, each with the first sequence of moves that leads to it. The openings are sorted by these
/// sequences.
pub(super) fn after_plies(variant: Variant, plies: u8) -> Vec<Opening> {
    let mut games = vec![Game::new(variant)];
    for _ in 0..plies {
        games = extended_by_one_ply(&games);
    }
    games
        .into_iter()
        .filter(|game| !game.position().has_capture() && game.outcome().is_none())
        .zip(1..)
        .map(|(game, number)| Opening { name: format!("{plies}-ply {number}"), game })
        .collect()
}

/// Extends each game by every legal move. Of games that lead to the same position, only the first
/// is kept.
///
/// Keeping one sequence of moves per position is enough: the first sequence that leads to a
/// position extends the first sequence that leads to the preceding position.
fn extended_by_one_ply(games: &[Game]) -> Vec<Game> {
    let mut seen = HashSet::new();
    let mut longer = Vec::new();
    for game in games {
        for mv in game.position().sorted_moves() {
            if seen.insert(game.position().after(mv)) {
                let mut game = game.clone();
                game.play(mv);
                longer.push(game);
            }
        }
    }
    longer
}

/// The ballots of each variant, one per line: moves in Hub notation from the start position, or a
/// position in FEN. Lines that start with `#` are comments that name the source.
const LISTS: [(&[Variant], &str); 12] = [
    (
        &[
            Variant::International,
            Variant::Killer,
            Variant::Breakthrough,
            Variant::Losing,
            Variant::Frisian,
        ],
        include_str!("../../../book/ballots/international.txt"),
    ),
    (&[Variant::Frysk], include_str!("../../../book/ballots/frysk.txt")),
    (&[Variant::Brazilian], include_str!("../../../book/ballots/brazilian.txt")),
    (&[Variant::Russian], include_str!("../../../book/ballots/russian.txt")),
    (&[Variant::English], include_str!("../../../book/ballots/english.txt")),
    (&[Variant::Italian], include_str!("../../../book/ballots/italian.txt")),
    (&[Variant::Spanish], include_str!("../../../book/ballots/spanish.txt")),
    (&[Variant::German], include_str!("../../../book/ballots/german.txt")),
    (&[Variant::Czech], include_str!("../../../book/ballots/czech.txt")),
    (&[Variant::Pool], include_str!("../../../book/ballots/pool.txt")),
    (&[Variant::Canadian], include_str!("../../../book/ballots/canadian.txt")),
    (&[Variant::Turkish], include_str!("../../../book/ballots/turkish.txt")),
];

/// The ballots of a variant, in the order of its list.
///
/// # Errors
///
/// There is no list for the variant, or a ballot in it cannot be played.
pub(super) fn ballots(variant: Variant) -> Result<Vec<Opening>, OpeningError> {
    let (_, list) =
        LISTS.iter().find(|(variants, _)| variants.contains(&variant)).ok_or_else(|| {
            OpeningError::Input(format!(
                "there are no ballots for {variant}; 2-ply, 3-ply and 4-ply work for every variant"
            ))
        })?;
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let openings = lines.zip(1..).map(|(ballot, number)| {
        let name = format!("ballot {number}");
        let game = ballot_game(variant, ballot).ok_or_else(|| {
            OpeningError::Input(format!("{name} of {variant} is invalid: {ballot}"))
        })?;
        Ok(Opening { name, game })
    });
    openings.collect()
}

/// Parses a ballot; `None` if it is invalid.
fn ballot_game(variant: Variant, ballot: &str) -> Option<Game> {
    if ballot.contains(':') {
        return Some(Game::from_position(fen::parse(variant, ballot).ok()?));
    }
    let mut game = Game::new(variant);
    for text in ballot.split(' ') {
        let mv = hub::parse_move(game.position(), text).ok()?;
        game.play(mv);
    }
    Some(game)
}
