//! A move.

use super::MessageError;
use super::fields::{FieldReader, digits};

/// A move and the time spent on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveMessage {
    /// The time in seconds, at most 9999.
    pub seconds: u32,
    /// The number of the square that the piece leaves.
    pub from: u8,
    /// The number of the square that it reaches.
    pub to: u8,
    /// The numbers of the squares of the captured pieces, in any order.
    pub captured: Vec<u8>,
}

impl MoveMessage {
    /// Parses a move in Hub notation: `32-28`, `28x19x23`.
    ///
    /// # Errors
    ///
    /// The text is not a move.
    pub fn from_hub(text: &str, seconds: u32) -> Result<MoveMessage, MessageError> {
        let fault = || MessageError(format!("{text:?} is no move"));
        let numbers: Result<Vec<u8>, _> = text.split(['-', 'x']).map(str::parse::<u8>).collect();
        match numbers.map_err(|_| fault())?.as_slice() {
            [from, to, captured @ ..] => {
                Ok(MoveMessage { seconds, from: *from, to: *to, captured: captured.to_vec() })
            }
            _ => Err(fault()),
        }
    }

    /// The move in Hub notation.
    pub fn to_hub(&self) -> String {
        let separator = if self.captured.is_empty() { '-' } else { 'x' };
        let captured: String = self.captured.iter().map(|square| format!("x{square}")).collect();
        format!("{}{separator}{}{captured}", self.from, self.to)
    }

    pub(super) fn parse(fields: &mut FieldReader<'_>) -> Result<MoveMessage, String> {
        let seconds = fields.number(4, "time")?;
        let from = fields.square("square to start from")?;
        let to = fields.square("square to end on")?;
        let count = fields.number(2, "number of captured squares")?;
        let captured =
            (0..count).map(|_| fields.square("captured square")).collect::<Result<_, _>>()?;
        Ok(MoveMessage { seconds, from, to, captured })
    }

    pub(super) fn format(&self) -> Result<String, String> {
        let count = u32::try_from(self.captured.len()).unwrap_or(u32::MAX);
        let mut text = digits(self.seconds, 4)?;
        for number in [self.from.into(), self.to.into(), count] {
            text += &digits(number, 2)?;
        }
        for &square in &self.captured {
            text += &digits(square.into(), 2)?;
        }
        Ok(text)
    }
}
