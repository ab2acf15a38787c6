//! The messages, read and written.

use std::fmt;
use std::time::Duration;

use crate::board::Side;

use super::fields::{Fields, format_minutes, side_letter};

/// The most characters of a message.
const LONGEST: usize = 127;

/// The width of a program's name.
const NAME: usize = 32;

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// `R`: let us play.
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
    /// `E`: the game is over, or the acknowledgement of that.
    End {
        /// Why.
        reason: EndReason,
        /// What comes next.
        next: Next,
    },
    /// `C`: a text for people, at most 126 characters.
    Chat(String),
    /// `B`: let us go back.
    Back {
        /// The number of the move to go back to, from 1; at most 999.
        number: u32,
        /// The side that is to move there.
        side: Side,
    },
    /// `K`: the answer to `B`.
    BackAnswer(BackAnswer),
}

/// What the initiator wants to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRequest {
    /// The initiator's name, at most 32 characters.
    pub name: String,
    /// The side of the follower.
    pub follower: Side,
    /// The time for the game, or for its first `moves`. Not every time can be written: 1 to 999
    /// whole minutes, tenths of a minute below 10, hundredths below 1.
    pub time: Duration,
    /// The moves of each side after which the game ends, at most 999; 0: it has no such end.
    pub moves: u32,
    /// The position: `W` or `Z`, and a letter for each square ([`crate::notation::dxp`]); `None`:
    /// the start position.
    pub position: Option<String>,
}

/// A move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveMessage {
    /// The time spent on it, in seconds; at most 9999.
    pub seconds: u32,
    /// The number of the square it starts from.
    pub from: u8,
    /// The number of the square it ends on.
    pub to: u8,
    /// The numbers of the squares captured, in any order.
    pub captured: Vec<u8>,
}

/// The answers to a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    /// Yes.
    Accepts,
    /// Not this version of the protocol.
    OtherVersion,
    /// Not this game.
    NotThisGame,
    /// No, for some other reason.
    Refuses,
}

/// Why a game ends, in the words of the program that ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// No reason; also the acknowledgement of another's end.
    Unknown,
    /// I give up.
    GivesUp,
    /// The game is drawn.
    Draw,
    /// I have won.
    HasWon,
}

/// What comes after a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Perhaps another one.
    AnotherGame,
    /// Nothing.
    Quit,
}

/// The answers to a wish to go back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackAnswer {
    /// Yes.
    Accepts,
    /// This program never goes back.
    Unable,
    /// No, let us go on.
    Refuses,
}

/// The codes, in the order of their digits.
const ACCEPTANCES: [Acceptance; 4] =
    [Acceptance::Accepts, Acceptance::OtherVersion, Acceptance::NotThisGame, Acceptance::Refuses];
const REASONS: [EndReason; 4] =
    [EndReason::Unknown, EndReason::GivesUp, EndReason::Draw, EndReason::HasWon];
const NEXTS: [Next; 2] = [Next::AnotherGame, Next::Quit];
const BACK_ANSWERS: [BackAnswer; 3] =
    [BackAnswer::Accepts, BackAnswer::Unable, BackAnswer::Refuses];

/// Why bytes are no message, or a message cannot be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageError(String);

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MessageError {}

impl Message {
    /// Reads a message, without the zero byte. Blanks and whatever else stands behind it do not
    /// count. In chat, whatever is no ASCII is replaced by `?`, and too long a text is fine.
    ///
    /// # Errors
    ///
    /// No message: what is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Message, MessageError> {
        let text: String = bytes.iter().map(|&byte| printable(char::from(byte))).collect();
        let fault = |what: &str| {
            let shown: String = text.chars().take(LONGEST).collect();
            MessageError(format!("the DXP message {shown:?}: {what}"))
        };
        let mut fields = Fields::new(&text);
        let letter = fields.take(1, "first letter").map_err(|what| fault(&what))?;
        if letter != "C" && text.len() > LONGEST {
            return Err(fault("longer than 127 characters"));
        }
        parse_body(letter, &mut fields).map_err(|what| fault(&what))
    }

    /// Writes a message, without the zero byte.
    ///
    /// # Errors
    ///
    /// Something in it is too large, too long or no ASCII.
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
            Message::Back { number, side } => {
                format!("B{}{}", digits(*number, 3)?, side_letter(*side))
            }
            Message::BackAnswer(answer) => format!("K{}", code(&BACK_ANSWERS, *answer)),
        };
        Ok(text)
    }
}

fn parse_body(letter: &str, fields: &mut Fields<'_>) -> Result<Message, String> {
    let message = match letter {
        "R" => Message::Request(GameRequest::parse(fields)?),
        "A" => Message::Accept {
            name: fields.take(NAME, "name")?.trim().to_owned(),
            answer: fields.code(&ACCEPTANCES, "answer")?,
        },
        "M" => Message::Move(MoveMessage::parse(fields)?),
        "E" => Message::End {
            reason: fields.code(&REASONS, "reason")?,
            next: fields.code(&NEXTS, "word on what comes next")?,
        },
        "C" => Message::Chat(fields.rest().to_owned()),
        "B" => Message::Back {
            number: fields.number(3, "move number")?,
            side: fields.side("side to move")?,
        },
        "K" => Message::BackAnswer(fields.code(&BACK_ANSWERS, "answer")?),
        _ => return Err("none of R, A, M, E, C, B, K".to_owned()),
    };
    Ok(message)
}

impl GameRequest {
    fn parse(fields: &mut Fields<'_>) -> Result<GameRequest, String> {
        if fields.number(2, "version")? != 1 {
            return Err("not version 01".to_owned());
        }
        let name = fields.take(NAME, "name")?.trim().to_owned();
        let follower = fields.side("colour")?;
        let time = fields.minutes("time")?;
        let moves = fields.number(3, "number of moves")?;
        let position = match fields.take(1, "kind of position")? {
            "A" => None,
            "B" => Some(fields.take(51, "position")?.to_owned()),
            other => return Err(format!("{other:?} is no kind of position, A or B")),
        };
        Ok(GameRequest { name, follower, time, moves, position })
    }

    fn format(&self) -> Result<String, String> {
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
            Some(position) if position.len() == 51 => format!("B{position}"),
            Some(position) => return Err(format!("not a position of 51 letters: {position}")),
        };
        Ok(format!("01{name}{follower}{time}{moves}{position}"))
    }
}

impl MoveMessage {
    /// Reads a move in Hub notation: `32-28`, `28x19x23`.
    ///
    /// # Errors
    ///
    /// Text that is no move.
    pub fn from_hub(text: &str, seconds: u32) -> Result<MoveMessage, MessageError> {
        let fault = || MessageError(format!("{text:?} is no move"));
        let numbers: Result<Vec<u8>, _> = text.split(['-', 'x']).map(str::parse).collect();
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

    fn parse(fields: &mut Fields<'_>) -> Result<MoveMessage, String> {
        let seconds = fields.number(4, "time")?;
        let from = fields.square("square to start from")?;
        let to = fields.square("square to end on")?;
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

fn code<T: PartialEq>(codes: &[T], wanted: T) -> usize {
    codes.iter().position(|code| *code == wanted).unwrap_or_default()
}

fn digits(number: u32, width: usize) -> Result<String, String> {
    let text = format!("{number:0width$}");
    if text.len() > width {
        Err(format!("{number} has more than {width} digits"))
    } else {
        Ok(text)
    }
}

fn format_name(name: &str) -> Result<String, String> {
    if name.len() > NAME {
        return Err(format!("the name {name:?} has more than {NAME} characters"));
    }
    Ok(format!("{name:NAME$}"))
}

fn printable(c: char) -> char {
    if c.is_ascii() && !c.is_ascii_control() { c } else { '?' }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Message {
        Message::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn requests() {
        let text = "R01Tester                          Z005000A";
        let request = GameRequest {
            name: "Tester".to_owned(),
            follower: Side::Black,
            time: Duration::from_secs(300),
            moves: 0,
            position: None,
        };
        assert_eq!(parse(text), Message::Request(request.clone()));
        assert_eq!(Message::Request(request.clone()).format().unwrap(), text);
        let position = format!("W{}", "e".repeat(50));
        let request = GameRequest {
            follower: Side::White,
            time: Duration::from_secs(30),
            moves: 75,
            position: Some(position.clone()),
            ..request
        };
        let text = format!("R01Tester                          W0.5075B{position}");
        assert_eq!(Message::Request(request).format().unwrap(), text);
    }

    #[test]
    fn answers_moves_and_ends() {
        for (text, message) in [
            (
                "AMoby Dam                        2",
                Message::Accept { name: "Moby Dam".to_owned(), answer: Acceptance::NotThisGame },
            ),
            (
                "M0007322800",
                Message::Move(MoveMessage { seconds: 7, from: 32, to: 28, captured: vec![] }),
            ),
            (
                "M00122809021319",
                Message::Move(MoveMessage { seconds: 12, from: 28, to: 9, captured: vec![13, 19] }),
            ),
            ("E10", Message::End { reason: EndReason::GivesUp, next: Next::AnotherGame }),
            ("E01", Message::End { reason: EndReason::Unknown, next: Next::Quit }),
            ("Chello there", Message::Chat("hello there".to_owned())),
            ("C", Message::Chat(String::new())),
            ("B012Z", Message::Back { number: 12, side: Side::Black }),
            ("K1", Message::BackAnswer(BackAnswer::Unable)),
        ] {
            assert_eq!(parse(text), message);
            assert_eq!(message.format().unwrap(), text);
        }
    }

    #[test]
    fn moves_are_those_of_hub() {
        for text in ["32-28", "28x19x23", "5x46x10x41"] {
            assert_eq!(MoveMessage::from_hub(text, 0).unwrap().to_hub(), text);
        }
        for text in ["", "32", "32-", "a-b", "300-28"] {
            assert!(MoveMessage::from_hub(text, 0).is_err(), "{text}");
        }
    }

    #[test]
    fn faults_are_explained() {
        for (text, word) in [
            ("", "first letter"),
            ("X", "none of"),
            ("M00", "time"),
            ("M000032", "square to end on"),
            ("M00003228", "number of captured"),
            ("M000032190223", "captured square"),
            ("E9", "reason"),
            ("E1", "next"),
            ("Ashort0", "name"),
            ("R02", "version"),
            ("R01Tester                          X005000A", "colour"),
            ("R01Tester                          W0x5000A", "time"),
            ("R01Tester                          W005000C", "kind of position"),
            ("R01Tester                          W005000BWwz", "position"),
            ("K7", "answer"),
        ] {
            let fault = Message::parse(text.as_bytes()).unwrap_err().to_string();
            assert!(fault.contains(word), "{fault}");
        }
        assert!(Message::parse(&[b'E'; 200]).is_err());
        assert!(Message::parse(&[b'C'; 200]).is_ok());
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let long = |length| "x".repeat(length);
        for message in [
            Message::Chat(long(127)),
            Message::Chat("dämme".to_owned()),
            Message::Chat("two\0".to_owned()),
            Message::Accept { name: long(33), answer: Acceptance::Accepts },
            Message::Move(MoveMessage { seconds: 10_000, from: 1, to: 2, captured: vec![] }),
            Message::Move(MoveMessage { seconds: 0, from: 100, to: 2, captured: vec![] }),
            Message::Move(MoveMessage { seconds: 0, from: 1, to: 2, captured: vec![1; 60] }),
            Message::Back { number: 1000, side: Side::White },
        ] {
            assert!(message.format().is_err(), "{message:?}");
        }
    }

    fn side() -> impl Strategy<Value = Side> {
        prop_oneof![Just(Side::White), Just(Side::Black)]
    }

    fn name() -> impl Strategy<Value = String> {
        "([!-~]([ -~]{0,30}[!-~])?)?"
    }

    fn request() -> impl Strategy<Value = Message> {
        let time = prop_oneof![
            (0u64..=999).prop_map(|minutes| 60_000 * minutes),
            (0u64..100).prop_map(|tenths| 6_000 * tenths),
            (0u64..100).prop_map(|hundredths| 600 * hundredths),
        ];
        let position = proptest::option::of("[WZ][wzWZe]{50}");
        (name(), side(), time, 0u32..1000, position).prop_map(
            |(name, follower, time, moves, position)| {
                let time = Duration::from_millis(time);
                Message::Request(GameRequest { name, follower, time, moves, position })
            },
        )
    }

    fn any_message() -> impl Strategy<Value = Message> {
        let squares = proptest::collection::vec(0u8..100, 0..=58);
        prop_oneof![
            request(),
            (name(), 0usize..4)
                .prop_map(|(name, code)| Message::Accept { name, answer: ACCEPTANCES[code] }),
            (0u32..10_000, 0u8..100, 0u8..100, squares).prop_map(
                |(seconds, from, to, captured)| {
                    Message::Move(MoveMessage { seconds, from, to, captured })
                }
            ),
            (0usize..4, 0usize..2).prop_map(|(reason, next)| {
                Message::End { reason: REASONS[reason], next: NEXTS[next] }
            }),
            "[ -~]{0,126}".prop_map(Message::Chat),
            (0u32..1000, side()).prop_map(|(number, side)| Message::Back { number, side }),
            (0usize..3).prop_map(|code| Message::BackAnswer(BACK_ANSWERS[code])),
        ]
    }

    proptest! {
        #[test]
        fn messages_survive_a_round_trip(message in any_message()) {
            let text = message.format().unwrap();
            prop_assert!((1..=LONGEST).contains(&text.len()));
            prop_assert_eq!(Message::parse(text.as_bytes()).unwrap(), message);
        }

        #[test]
        fn any_bytes_are_a_message_or_an_error(
            letter in "[RAMECBK]?",
            bytes in proptest::collection::vec(any::<u8>(), 0..140),
        ) {
            let bytes = [letter.as_bytes(), &bytes].concat();
            if let Err(fault) = Message::parse(&bytes) {
                prop_assert!(fault.to_string().starts_with("the DXP message"));
            }
        }
    }
}
