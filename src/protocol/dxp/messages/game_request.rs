//! The request for a game.

use std::time::Duration;

use crate::board::Side;

use super::fields::{FieldReader, digits, format_minutes, format_name, side_letter};

/// The characters of a position: the side to move and 50 squares.
const POSITION: usize = 51;

/// A game that the initiator requests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRequest {
    /// The initiator's name, at most 32 characters.
    pub name: String,
    /// The side of the follower.
    pub follower: Side,
    /// The time of each side for the game, or for its first `moves`. Only some times can be
    /// formatted: 1 to 999 whole minutes, tenths of a minute below 10, hundredths below 1.
    pub time: Duration,
    /// The number of moves of each side after which the game ends, at most 999; 0 for no limit.
    pub moves: u32,
    /// The position: `W` or `Z`, and a letter for each square (see [`crate::notation::dxp`]);
    /// `None` for the start position.
    pub position: Option<String>,
}

impl GameRequest {
    pub(super) fn parse(fields: &mut FieldReader<'_>) -> Result<GameRequest, String> {
        if fields.number(2, "version")? != 1 {
            return Err("not version 01".to_owned());
        }
        let name = fields.name()?;
        let follower = fields.side("colour")?;
        let time = fields.minutes("time")?;
        let moves = fields.number(3, "number of moves")?;
        let position = match fields.take(1, "kind of position")? {
            "A" => None,
            "B" => Some(fields.take(POSITION, "position")?.to_owned()),
            other => return Err(format!("{other:?} is no kind of position, A or B")),
        };
        Ok(GameRequest { name, follower, time, moves, position })
    }

    pub(super) fn format(&self) -> Result<String, String> {
        let name = format_name(&self.name)?;
        let follower = side_letter(self.follower);
        let time = format_minutes(self.time).ok_or_else(|| {
            format!(
                "{} seconds cannot be written in 3 characters as minutes",
                self.time.as_secs_f64()
            )
        })?;
        let moves = digits(self.moves, 3)?;
        let position = match &self.position {
            None => "A".to_owned(),
            Some(position) if position.len() == POSITION => format!("B{position}"),
            Some(position) => return Err(format!("not a position of 51 letters: {position}")),
        };
        Ok(format!("01{name}{follower}{time}{moves}{position}"))
    }
}
