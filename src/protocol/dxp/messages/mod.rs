//! The messages, parsed and formatted.

mod fields;
mod game_request;
mod move_message;

#[cfg(test)]
mod tests;

use crate::board::Side;

use fields::{FieldReader, digits, format_name, side_letter};
pub use game_request::GameRequest;
pub use move_message::MoveMessage;

/// The maximum length of a message in characters.
const LONGEST: usize = 127;

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// `R`: a request for a game.
    Request(GameRequest),
    /// `A`: the answer to `R`.
    Accept {
        /// The follower's name, at most 32 characters.
        name: String,
        /// Its answer.
        answer: Acceptance,
    },
    /// `M`: a move.
    Move(MoveMessage),
    /// `E`: the end of the game, or its acknowledgement.
    End {
        /// Why the game ends.
        reason: EndReason,
        /// What comes next.
        next: AfterGame,
    },
    /// `C`: chat text, at most 126 characters.
    Chat(String),
    /// `B`: a request to take moves back.
    Takeback {
        /// The number of the move to return to, 1 to 999.
        number: u32,
        /// The side to move there.
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
    /// Refused: this game is not supported.
    NotThisGame,
    /// Refused for another reason.
    Refuses,
}

/// Why a game ends, from the point of view of the program that ends it.
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

/// What comes after a game.
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

/// Why bytes are not a valid message, or a message cannot be formatted.
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
        let fault = |what: &str| {
            let shown: String = text.chars().take(LONGEST).collect();
            MessageError(format!("the DXP message {shown:?}: {what}"))
        };
        let mut fields = FieldReader::new(&text);
        let letter = fields.take(1, "first letter").map_err(|what| fault(&what))?;
        if letter != "C" && text.len() > LONGEST {
            return Err(fault("longer than 127 characters"));
        }
        parse_body(letter, &mut fields).map_err(|what| fault(&what))
    }

    /// Formats a message without the terminating zero byte.
    ///
    /// # Errors
    ///
    /// A field is out of range, too long, or not ASCII.
    pub fn format(&self) -> Result<String, MessageError> {
        let text = self.body().map_err(MessageError)?;
        if text.len() > LONGEST {
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
        "R" => Message::Request(GameRequest::parse(fields)?),
        "A" => {
            Message::Accept { name: fields.name()?, answer: fields.code(&ACCEPTANCES, "answer")? }
        }
        "M" => Message::Move(MoveMessage::parse(fields)?),
        "E" => Message::End {
            reason: fields.code(&REASONS, "reason")?,
            next: fields.code(&NEXTS, "word on what comes next")?,
        },
        "C" => Message::Chat(fields.rest().to_owned()),
        "B" => Message::Takeback {
            number: fields.number(3, "move number")?,
            side: fields.side("side to move")?,
        },
        "K" => Message::TakebackAnswer(fields.code(&BACK_ANSWERS, "answer")?),
        _ => return Err("none of R, A, M, E, C, B, K".to_owned()),
    };
    Ok(message)
}

fn code<T: PartialEq>(codes: &[T], wanted: T) -> usize {
    codes.iter().position(|code| *code == wanted).unwrap_or_default()
}

fn printable(c: char) -> char {
    if c.is_ascii() && !c.is_ascii_control() { c } else { '?' }
}
