//! DamExchange (DXP): the protocol by which draughts programs have played each other over TCP since
//! the 1990s.
//!
//! A message is 1 to 127 ASCII characters followed by a zero byte; its first character is its type
//! ([`Message`]). One program listens and the other connects; independently of that, one is the
//! initiator, which requests games, and the other the follower:
//!
//! - The initiator sends `R` with the follower's colour, the time and the position; the follower
//!   answers with `A`.
//! - The programs send their moves, `M`, in turn. Each program measures its own time.
//! - A time of `000` minutes means no limit.
//! - The program to move may end the game with `E`; the other acknowledges it with another `E` that
//!   has reason 0. Then the initiator may request the next game.
//! - `C` is chat, allowed at any time. `B` asks to take back moves, and `K` is the answer.

mod connection;
mod game;
mod messages;
mod outcome;
mod session;

pub use connection::{DxpConnection, MessageStream, Note, connect};
pub use messages::{
    Acceptance, AfterGame, EndReason, GameRequest, Message, MessageError, MoveMessage,
    TakebackAnswer,
};
pub use outcome::{DxpEnd, DxpGame};
pub use session::{DxpOptions, DxpSession, GameOffer, NoGame, PlayedGame};

/// The byte that terminates each message.
pub const END: u8 = 0;

/// The standard port.
pub const PORT: u16 = 27531;
