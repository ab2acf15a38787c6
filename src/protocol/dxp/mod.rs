//! DamExchange (DXP): the protocol in which draughts programs have played each other since the
//! 1990s, over TCP.
//!
//! A message is 1 to 127 ASCII characters and a zero byte; its first character says what it is
//! ([`Message`]). One program listens and the other connects; independently of that one is the
//! initiator, who asks for games, and the other the follower:
//!
//! - The initiator sends `R`, with the follower's colour, the time and the position; the follower
//!   answers with `A`.
//! - The programs send their moves, `M`, in turn. Each keeps the clocks by itself.
//! - A time of `000` minutes means no limit.
//! - The program that is to move may end the game with `E`, the other acknowledges with another
//!   `E` of reason 0. Then the initiator may ask for the next game.
//! - `C` is chat, at any time. `B` asks to take moves back, and `K` answers.

mod clock;
mod connection;
mod dial;
mod fields;
mod finished;
mod line;
mod messages;
mod play;
mod session;
mod think;

pub use connection::Connection;
pub use dial::dial;
pub use finished::{Ending, Finished, Verdict};
pub use line::{Line, Note};
pub use messages::{
    Acceptance, BackAnswer, EndReason, GameRequest, Message, MessageError, MoveMessage, Next,
};
pub use session::{Manners, NoGame, Played, Session, Wish};

/// The byte behind each message.
pub const END: u8 = 0;

/// The port that programs agree on.
pub const PORT: u16 = 27531;
