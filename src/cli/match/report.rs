//! The HTML report on a match.

use std::io;
use std::path::Path;

use crate::analysis::{Review, SearchOutcome};
use crate::arena::pdn::{self, InvalidLog, PdnPlayer, PdnStyle};
use crate::arena::plan::MatchPlan;
use crate::arena::played::{PlayedGame, PlayedMove};
use crate::arena::summary::Summary;
use crate::erased::{Bitbases, Game};
use crate::notation::pdn::GameRecord;
use crate::report::page::match_page;
use crate::rules::Variant;
use crate::runtime::machine;
use crate::score::Score;
use crate::storage;

use super::tables;

/// Maximum number of games in a report; more would make the page slow.
const MAX_GAMES: usize = 200;

/// The games for the report, in the order in which they ended.
#[derive(Default)]
pub struct PageGames {
    won: Vec<PlayedGame>,
    drawn: Vec<PlayedGame>,
}

impl PageGames {
    /// Adds a game, unless there are already [`MAX_GAMES`] games of its kind (decisive or drawn).
    pub fn add(&mut self, played: &PlayedGame) {
        let kind = if played.winner.is_some() { &mut self.won } else { &mut self.drawn };
        if kind.len() < MAX_GAMES {
            kind.push(played.clone());
        }
    }

    /// Writes the report with its games in the order of the match. If there are too many, decisive
    /// games are preferred.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or a game contains illegal moves.
    pub fn write(
        self,
        path: &Path,
        plan: &MatchPlan,
        summary: &Summary,
        event: &str,
    ) -> io::Result<()> {
        let mut games: Vec<_> = self.won.into_iter().chain(self.drawn).take(MAX_GAMES).collect();
        games.sort_by_key(|played| (played.slot.pair, played.slot.game));
        let players = PdnPlayer::all(plan);
        let style = PdnStyle { has_comments: true, ..style(event) };
        let games: Result<Vec<_>, _> =
            games.iter().map(|played| reviewed(plan.variant, played, &players, &style)).collect();
        let games = games.map_err(io::Error::other)?;
        let page = match_page(tables::parts(plan, summary), &games);
        storage::write_atomically(path, |file| io::Write::write_all(file, page.as_bytes()))
            .map(drop)
            .map_err(storage::with_path(path))
    }
}

/// The style of games of this program, without comments.
pub fn style(event: &str) -> PdnStyle {
    let referee = machine::PROGRAM.to_owned();
    PdnStyle { event: event.to_owned(), has_comments: false, referee }
}

/// A game as a record, with the scores that the engines reported.
///
/// # Errors
///
/// The game contains an illegal move.
pub fn reviewed(
    variant: Variant,
    played: &PlayedGame,
    players: &[PdnPlayer],
    style: &PdnStyle,
) -> Result<(GameRecord, Review), InvalidLog> {
    let record = pdn::record(variant, played, players, style)?;
    let review = review(&record, &played.moves);
    Ok((record, review))
}

/// The scores that the engines reported in a game, as a review without marks.
fn review(record: &GameRecord, moves: &[PlayedMove]) -> Review {
    let game: Game = record.game();
    let mut score = Score::DRAW;
    let mut findings: Vec<_> = record
        .line
        .moves
        .iter()
        .zip(moves)
        .map(|(annotated, played)| {
            // If a move has no score, the previous score is used, negated for the other side.
            score = played.score.map_or(-score, in_hundredths);
            SearchOutcome {
                score,
                depth: played.depth.unwrap_or(0),
                line: vec![annotated.mv],
                second: None,
                is_obvious: false,
                is_forced: false,
            }
        })
        .collect();
    findings.push(SearchOutcome {
        score: -score,
        depth: 0,
        line: Vec::new(),
        second: None,
        is_obvious: false,
        is_forced: false,
    });
    Review::new(&game, &findings, &Bitbases::none(game.variant()), None)
}

/// Converts a score from men to hundredths of a man. Engines encode wins in different ways, so all
/// large scores count as wins.
pub fn in_hundredths(men: f64) -> Score {
    let hundredths = (men * 100.0).clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16;
    Score(hundredths.clamp(-Score::WIN.0, Score::WIN.0))
}
