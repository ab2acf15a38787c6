//! The messages, parsed and formatted.

mod fields;

#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::board::Side;

use fields::{FieldReader, digits, format_minutes, format_name, side_letter, writable_times};

/// The version of the protocol.
const VERSION: u32 = 1;
/// The maximum length of a message in characters.
const MAX_LENGTH: usize = 127;

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// `R`: a request for a game.
    Request(GameRequest),
    /// `R` of a version of the protocol other than 01, of which no more is known.
    OtherVersion {
        /// The version.
        version: u32,
        /// The initiator's name, at most 32 characters.
        name: String,
    },
    /// `A`: the answer to `R`.
    Accept {
        /// The follower's name, at most 32 characters.
        name: String,
        /// The follower's answer.
        answer: Acceptance,
    },
    /// `M`: a move.
    Move(MoveMessage),
    /// `E`: the end of the game, or its acknowledgement.
    End {
        /// The reason the game ends.
        reason: EndReason,
        /// Whether the sender is willing to play another game.
        next: AfterGame,
    },
    /// `C`: chat text, at most 126 characters.
    Chat(String),
    /// `B`: a request to take moves back.
    Takeback {
        /// The number of the move to return to, 1 to 999.
        number: u32,
        /// The side to move at that point.
        side: Side,
    },
    /// `K`: the answer to `B`.
    TakebackAnswer(TakebackAnswer),
}

/// The answers to a request for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    /// Accepted.
    Accepts,
    /// Refused: this version of the protocol is not supported.
    OtherVersion,
    /// Refused: this variant or position is not supported.
    NotThisGame,
    /// Refused for another reason.
    Refuses,
}

/// The reason a game ends, from the point of view of the program that ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// Unspecified; also the acknowledgement of the other program's message.
    Unknown,
    /// The sender resigns.
    Resigns,
    /// The game is drawn.
    Draw,
    /// The sender has won.
    HasWon,
}

/// Whether a program is willing to play another game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterGame {
    /// Possibly another game.
    AnotherGame,
    /// The end of the session.
    Quit,
}

/// The answers to a request to take moves back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TakebackAnswer {
    /// Accepted.
    Accepts,
    /// Refused: the program does not support it.
    Unable,
    /// Refused: the game continues.
    Refuses,
}

/// The codes of [`Acceptance`], in the order of their digits.
const ACCEPTANCES: [Acceptance; 4] =
    [Acceptance::Accepts, Acceptance::OtherVersion, Acceptance::NotThisGame, Acceptance::Refuses];
/// The codes of [`EndReason`].
const REASONS: [EndReason; 4] =
    [EndReason::Unknown, EndReason::Resigns, EndReason::Draw, EndReason::HasWon];
/// The codes of [`AfterGame`].
const NEXTS: [AfterGame; 2] = [AfterGame::AnotherGame, AfterGame::Quit];
/// The codes of [`TakebackAnswer`].
const BACK_ANSWERS: [TakebackAnswer; 3] =
    [TakebackAnswer::Accepts, TakebackAnswer::Unable, TakebackAnswer::Refuses];

/// The reason bytes are not a valid message, or a message cannot be formatted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct MessageError(String);

impl Message {
    /// Parses a message without its terminating zero byte. Anything after the last field is
    /// ignored. In chat, non-ASCII characters are replaced by `?`, and the length is not limited.
    ///
    /// # Errors
    ///
    /// The message is invalid.
    pub fn parse(bytes: &[u8]) -> Result<Message, MessageError> {
        let text: String = bytes.iter().map(|&byte| printable(char::from(byte))).collect();
        let error = |what: &str| {
            let shown: String = text.chars().take(MAX_LENGTH).collect();
            MessageError(format!("invalid DXP message {shown:?}: {what}"))
        };
        let mut fields = FieldReader::new(&text);
        let letter = fields.take(1, "message type").map_err(|what| error(&what))?;
        if letter != "C" && text.len() > MAX_LENGTH {
            return Err(error("longer than 127 characters"));
        }
        parse_body(letter, &mut fields).map_err(|what| error(&what))
    }

    /// Formats a message without the terminating zero byte.
    ///
    /// # Errors
    ///
    /// A field is out of range, too long, or not ASCII.
    pub fn format(&self) -> Result<String, MessageError> {
        let text = self.body().map_err(MessageError)?;
        if text.len() > MAX_LENGTH {
            return Err(MessageError(format!("longer than 127 characters: {text}")));
        }
        if text.chars().any(|c| c != printable(c)) {
            return Err(MessageError(format!("not plain ASCII: {text:?}")));
        }
        Ok(text)
    }

    fn body(&self) -> Result<String, String> {
        let text = match self {
            Message::Request(request) => format!("R{}", request.format()?),
            Message::OtherVersion { version, name } => {
                format!("R{}{}", digits(*version, 2)?, format_name(name)?)
            }
            Message::Accept { name, answer } => {
                format!("A{}{}", format_name(name)?, code(&ACCEPTANCES, *answer))
            }
            Message::Move(mv) => format!("M{}", mv.format()?),
            Message::End { reason, next } => {
                format!("E{}{}", code(&REASONS, *reason), code(&NEXTS, *next))
            }
            Message::Chat(text) => format!("C{text}"),
            Message::Takeback { number, side } => {
                format!("B{}{}", digits(*number, 3)?, side_letter(*side))
            }
            Message::TakebackAnswer(answer) => format!("K{}", code(&BACK_ANSWERS, *answer)),
        };
        Ok(text)
    }
}

fn parse_body(letter: &str, fields: &mut FieldReader<'_>) -> Result<Message, String> {
    let message = match letter {
        "R" => match fields.number(2, "version")? {
            VERSION => Message::Request(GameRequest::parse(fields)?),
            version => Message::OtherVersion { version, name: other_name(fields)? },
        },
        "A" => {
            Message::Accept { name: fields.name()?, answer: fields.code(&ACCEPTANCES, "answer")? }
        }
        "M" => Message::Move(MoveMessage::parse(fields)?),
        "E" => Message::End {
            reason: fields.code(&REASONS, "reason")?,
            next: fields.code(&NEXTS, "code for the next game")?,
        },
        "C" => Message::Chat(fields.rest().to_owned()),
        "B" => Message::Takeback {
            number: fields.number(3, "move number")?,
            side: fields.side("side to move")?,
        },
        "K" => Message::TakebackAnswer(fields.code(&BACK_ANSWERS, "answer")?),
        _ => return Err("unknown type, expected one of R, A, M, E, C, B, K".to_owned()),
    };
    Ok(message)
}

/// The name in a request of another version.
fn other_name(fields: &mut FieldReader<'_>) -> Result<String, String> {
    fields.name().map_err(|_| "unsupported version, expected 01".to_owned())
}

fn code<T: PartialEq>(codes: &[T], wanted: T) -> usize {
    codes.iter().position(|code| *code == wanted).unwrap_or_default()
}

fn printable(c: char) -> char {
    if c.is_ascii() && !c.is_ascii_control() { c } else { '?' }
}

/// The length of a position: the side to move and 50 squares.
const POSITION_LENGTH: usize = 51;

/// A game requested by the initiator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRequest {
    /// The initiator's name, at most 32 characters.
    pub name: String,
    /// The side of the follower.
    pub follower: Side,
    /// The time each side has for all its moves. Only these times can be formatted: multiples of 1
    /// minute up to 999, of 0.1 minutes below 10, and of 0.01 minutes below 1.
    pub time: Duration,
    /// The number of moves per side after which the game ends, at most 999; 0 for no limit.
    pub moves: u32,
    /// The position: `W` or `Z`, and a letter for each square (see
    /// [`crate::notation::PositionLetters::DXP`]); `None` for the start position.
    pub position: Option<String>,
}

impl GameRequest {
    /// Parses what follows the version.
    fn parse(fields: &mut FieldReader<'_>) -> Result<GameRequest, String> {
        let name = fields.name()?;
        let follower = fields.side("colour")?;
        let time = fields.minutes("time")?;
        let moves = fields.number(3, "number of moves")?;
        let position = match fields.take(1, "kind of position")? {
            "A" => None,
            "B" => Some(fields.take(POSITION_LENGTH, "position")?.to_owned()),
            other => return Err(format!("invalid kind of position {other:?}, expected A or B")),
        };
        Ok(GameRequest { name, follower, time, moves, position })
    }

    fn format(&self) -> Result<String, String> {
        let name = format_name(&self.name)?;
        let follower = side_letter(self.follower);
        let time = format_minutes(self.time).ok_or_else(|| unwritable(self.time))?;
        let moves = digits(self.moves, 3)?;
        let position = match &self.position {
            None => "A".to_owned(),
            Some(position) if position.len() == POSITION_LENGTH => format!("B{position}"),
            Some(position) => {
                return Err(format!("not a position of {POSITION_LENGTH} letters: {position:?}"));
            }
        };
        Ok(format!("01{name}{follower}{time}{moves}{position}"))
    }
}

/// The error for a time that cannot be written, with the closest ones that can.
fn unwritable(time: Duration) -> String {
    let seconds = |time: &Duration| time.as_secs_f64().to_string();
    let others: Vec<_> = writable_times(time).iter().map(seconds).collect();
    format!(
        "{} seconds cannot be written as minutes in 3 characters; use {} seconds",
        seconds(&time),
        others.join(" or ")
    )
}

/// A move and the time spent on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveMessage {
    /// The time in seconds, at most 9999.
    pub seconds: u32,
    /// The number of the starting square.
    pub from: u8,
    /// The number of the destination square.
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
        let error = || MessageError(format!("not a move: {text:?}"));
        let numbers: Result<Vec<u8>, _> = text.split(['-', 'x']).map(str::parse::<u8>).collect();
        match numbers.map_err(|_| error())?.as_slice() {
            [from, to, captured @ ..] => {
                Ok(MoveMessage { seconds, from: *from, to: *to, captured: captured.to_vec() })
            }
            _ => Err(error()),
        }
    }

    /// The move in Hub notation.
    pub fn to_hub(&self) -> String {
        let separator = if self.captured.is_empty() { '-' } else { 'x' };
        let captured: String = self.captured.iter().map(|square| format!("x{square}")).collect();
        format!("{}{separator}{}{captured}", self.from, self.to)
    }

    fn parse(fields: &mut FieldReader<'_>) -> Result<MoveMessage, String> {
        let seconds = fields.number(4, "time")?;
        let from = fields.square("source square")?;
        let to = fields.square("target square")?;
        let count = fields.number(2, "number of captured squares")?;
        let captured =
            (0..count).map(|_| fields.square("captured square")).collect::<Result<_, _>>()?;
        Ok(MoveMessage { seconds, from, to, captured })
    }

    fn format(&self) -> Result<String, String> {
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
