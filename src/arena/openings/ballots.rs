//! The ballots of tournaments, from which openings are drawn by lot.

use crate::erased::Game;
use crate::notation::{fen, hub};
use crate::rules::Variant;

use super::{Opening, OpeningError};

/// The ballots of each game, one a line: moves in Hub notation from the start position, or a
/// position in FEN. Lines that start with `#` are comments and name the source.
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

/// The ballots in the order of the list.
///
/// # Errors
///
/// There is no list for the variant, or a ballot in it cannot be played.
pub(super) fn openings(variant: Variant) -> Result<Vec<Opening>, OpeningError> {
    let (_, list) =
        LISTS.iter().find(|(variants, _)| variants.contains(&variant)).ok_or_else(|| {
            OpeningError::Input(format!(
                "the program has no ballots of {variant}; 2-ply, 3-ply and 4-ply are for every game"
            ))
        })?;
    let ballots = list.lines().filter(|line| !line.starts_with('#'));
    let openings = ballots.zip(1..).map(|(ballot, number)| {
        let name = format!("ballot {number}");
        let game = game(variant, ballot).ok_or_else(|| {
            OpeningError::Input(format!("{name} of {variant} cannot be played: {ballot}"))
        })?;
        Ok(Opening { name, game })
    });
    openings.collect()
}

/// The game of a ballot; `None` if it is not one.
fn game(variant: Variant, ballot: &str) -> Option<Game> {
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
