//! Reviews of games as text and as JSON.

use serde::Serialize;

use crate::analysis::{FoundShot, Mark, PlayerReview, Review, ReviewedPly};
use crate::board::{Move, Side};
use crate::cli::output::{ReportedMove, joined, plural};
use crate::erased::Position;
use crate::notation::hub;
use crate::notation::pdn::GameRecord;

/// A game and its review.
#[derive(Serialize)]
pub struct ReviewedGame {
    number: usize,
    variant: &'static str,
    white: String,
    black: String,
    result: String,
    players: [ReviewedPlayer; 2],
    leaves_book: Option<usize>,
    ending: Option<Ending>,
    shots: Vec<ReviewedShot>,
    moves: Vec<ReviewedMove>,
}

#[derive(Serialize)]
struct ReviewedShot {
    ply: usize,
    played: bool,
    gain: i32,
    line: Vec<ReportedMove>,
}

#[derive(Serialize)]
struct ReviewedPlayer {
    accuracy: Option<f64>,
    mean_loss: f64,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

#[derive(Serialize)]
struct Ending {
    ply: usize,
    /// `white`, `black`, or `null` for a draw.
    winner: Option<&'static str>,
}

#[derive(Serialize)]
struct ReviewedMove {
    r#move: String,
    before: f64,
    after: f64,
    loss: f64,
    forced: bool,
    mark: Option<&'static str>,
    better: Vec<String>,
    depth: u32,
}

impl ReviewedGame {
    /// Creates the report on a game; `number` is the number of the game in the file.
    pub fn new(number: usize, record: &GameRecord, review: &Review) -> ReviewedGame {
        let positions = record.game().positions();
        let name = |tag| record.tags.get(tag).unwrap_or("?").to_owned();
        ReviewedGame {
            number,
            variant: record.start.variant().name(),
            white: name("White"),
            black: name("Black"),
            result: record.result().to_string(),
            players: [Side::White, Side::Black]
                .map(|side| ReviewedPlayer::new(review.player(side))),
            leaves_book: review.leaves_book,
            ending: review
                .ending
                .map(|(ply, winner)| Ending { ply, winner: winner.map(Side::name) }),
            shots: review
                .shots
                .iter()
                .map(|shot| ReviewedShot::new(&positions[shot.ply], shot))
                .collect(),
            moves: review.plies.iter().map(ReviewedMove::new).collect(),
        }
    }

    /// The review as text: a line for the game, one for each player, and one for each shot.
    pub fn text(&self) -> String {
        let [white, black] = &self.players;
        let shots: String = self.shots.iter().map(ReviewedShot::text).collect();
        format!(
            "{}. {} - {} {}, {}\n   White: {}\n   Black: {}\n{shots}",
            self.number,
            self.white,
            self.black,
            self.result,
            plural(self.moves.len(), "ply", "plies"),
            white.text(),
            black.text(),
        )
    }
}

impl ReviewedShot {
    fn new(position: &Position, FoundShot { ply, shot, is_played }: &FoundShot) -> ReviewedShot {
        let line = ReportedMove::line(position, &shot.line);
        ReviewedShot { ply: *ply, played: *is_played, gain: shot.gain, line }
    }

    fn text(&self) -> String {
        let fate = if self.played { "played" } else { "missed" };
        format!("   Shot after ply {}, {fate}: {}\n", self.ply, joined(&self.line))
    }
}

impl ReviewedPlayer {
    fn new(player: PlayerReview) -> ReviewedPlayer {
        let [inaccuracies, mistakes, blunders] = player.faults;
        ReviewedPlayer {
            accuracy: player.accuracy.map(|percent| (percent * 10.0).round() / 10.0),
            mean_loss: (player.mean_loss * 1e4).round() / 1e4,
            inaccuracies,
            mistakes,
            blunders,
        }
    }

    fn text(&self) -> String {
        let Some(accuracy) = self.accuracy else {
            return "only forced moves".to_owned();
        };
        format!(
            "accuracy {accuracy:.1} %, {:.4} points lost per move, {} ?!, {} ?, {} ??",
            self.mean_loss, self.inaccuracies, self.mistakes, self.blunders
        )
    }
}

impl ReviewedMove {
    fn new(ply: &ReviewedPly) -> ReviewedMove {
        let spelled = |&mv: &Move| hub::format_move(mv);
        ReviewedMove {
            r#move: hub::format_move(ply.mv),
            before: f64::from(ply.before.0) / 100.0,
            after: f64::from(ply.after.0) / 100.0,
            loss: (ply.loss * 1e4).round() / 1e4,
            forced: ply.is_forced,
            mark: ply.mark.map(Mark::as_str),
            better: ply.better.iter().map(spelled).collect(),
            depth: ply.depth,
        }
    }
}
