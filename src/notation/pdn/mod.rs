//! Games as PDN files (Portable Draughts Notation 3.0), read with much patience and written to the
//! letter.
//!
//! Bytes become text ([`decode`]), text becomes tokens and these become games one by one
//! ([`games`]); each knows its variant ([`GameText::variant`]), and [`read_game`] plays it through.
//! [`read`] does all of it for a file of one variant, [`write_game`] is the way back.
//!
//! ```
//! use manoury::notation::pdn;
//! use manoury::rules::International;
//!
//! let games = pdn::read::<International>(b"1. 32-28 19-23 2. 28x19 14x23 *");
//! let record = games[0].as_ref().unwrap();
//! assert_eq!(record.line.moves.len(), 4);
//! assert_eq!(pdn::read(pdn::write_game(record).as_bytes()), games);
//! ```

mod clock;
mod decode;
mod error;
mod game_text;
mod lexer;
mod moves;
mod path;
mod reader;
mod record;
mod result;
mod routes;
mod tags;
mod writer;

pub use clock::Clocks;
pub use decode::decode;
pub use error::{Broken, PdnError, Place};
pub use game_text::{GameText, Games, games};
pub use moves::{format_move, parse_move};
pub use reader::{read, read_game};
pub use record::{AnnotatedMove, GameRecord, Line};
pub use result::{GameResult, Verdict};
pub use tags::Tags;
pub use writer::write_game;
