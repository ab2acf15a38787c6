//! Arguments about single games, common to `match` and `tune`.

use std::time::Duration;

use clap::Args;
use serde_json::json;

use crate::arena::adjudication::{Adjudication, Agreement};
use crate::arena::openings::OpeningSource;
use crate::arena::referee::Conditions;
use crate::arena::time_control::TimeSettings;
use crate::rules::Variant;
use crate::runtime::log::LogSettings;

use super::Error;
use super::start_of_games::OPENING_PLIES;

/// The limits of each move.
#[derive(Args, Debug)]
pub struct MoveLimitArguments {
    /// Seconds for a move
    #[arg(long, value_name = "S")]
    move_time: Option<f64>,
    /// Nodes for a move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Plies for a move
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Seconds for a game
    #[arg(long, value_name = "S")]
    time: Option<f64>,
    /// Seconds added before each move
    #[arg(long, value_name = "S")]
    inc: Option<f64>,
    /// Moves after which --time comes again
    #[arg(long, value_name = "N")]
    moves: Option<u32>,
    /// Seconds by which a move may exceed its limit before the game is lost
    #[arg(long, value_name = "S", default_value_t = 0.05)]
    margin: f64,
    /// Seconds to wait for a move that no time limits
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    patience: f64,
}

/// When games are ended early.
#[derive(Args, Debug)]
pub struct AdjudicationArguments {
    /// A side has won when both engines see it this many men ahead ..
    #[arg(long, value_name = "MEN")]
    win_score: Option<f64>,
    /// .. for this many moves in a row of each
    #[arg(long, value_name = "N", default_value_t = 3)]
    win_moves: u32,
    /// A game is drawn when both engines see at most this many men either way ..
    #[arg(long, value_name = "MEN")]
    draw_score: Option<f64>,
    /// .. for this many moves in a row of each ..
    #[arg(long, value_name = "N", default_value_t = 8)]
    draw_moves: u32,
    /// .. and not before this many moves
    #[arg(long, value_name = "N", default_value_t = 40)]
    draw_after: u32,
    /// A game is drawn after this many moves of each side
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// A game ends as soon as the bitbases of the program know how: international draughts with at
    /// most 4 pieces
    #[arg(long)]
    bitbases: bool,
}

/// The longest margin or patience, a day, in seconds.
const LONGEST: f64 = 24.0 * 3600.0;

/// The conditions of all games.
///
/// # Errors
///
/// A margin or patience that is too long.
pub fn conditions(
    limits: &MoveLimitArguments,
    adjudication: &AdjudicationArguments,
) -> Result<Conditions, Error> {
    Ok(Conditions {
        margin: seconds("--margin", limits.margin)?,
        patience: seconds("--patience", limits.patience)?,
        adjudication: adjudication.rules(),
    })
}

/// The settings of games that must be the same when work is resumed, for its log.
pub fn game_settings(
    variant: Variant,
    openings: &OpeningSource,
    random_plies: usize,
    seed: u64,
    conditions: &Conditions,
) -> LogSettings {
    let value = json!({
        "variant": variant.name(),
        "openings": openings.to_string(),
        "random_plies": random_plies,
        "seed": seed,
        "margin": conditions.margin.as_secs_f64(),
        "patience": conditions.patience.as_secs_f64(),
        "adjudication": conditions.adjudication,
    });
    let mut settings = value.as_object().cloned().unwrap_or_default();
    if let Some(plies) = openings.plies() {
        settings.insert(OPENING_PLIES.to_owned(), json!(plies));
    }
    settings
}

impl MoveLimitArguments {
    /// The limits, as settings of an engine.
    pub fn settings(&self) -> TimeSettings {
        TimeSettings {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time,
            time: self.time,
            increment: self.inc,
            moves: self.moves,
        }
    }
}

impl AdjudicationArguments {
    fn rules(&self) -> Adjudication {
        let agreement = |moves| move |score: f64| Agreement { score: score.abs(), moves };
        Adjudication {
            win: self.win_score.map(agreement(self.win_moves.max(1))),
            draw: self.draw_score.map(agreement(self.draw_moves.max(1))),
            draw_after: self.draw_after,
            length: self.max_moves,
            bitbases: self.bitbases,
        }
    }
}

fn seconds(name: &str, seconds: f64) -> Result<Duration, Error> {
    if !(0.0..=LONGEST).contains(&seconds) {
        return Err(Error::refused(format!("{name} must be from 0 to {LONGEST} seconds")));
    }
    Ok(Duration::from_secs_f64(seconds))
}
