//! Games in PDN (Portable Draughts Notation 3.0), read leniently and written strictly.
//!
//! [`decode`] turns the bytes of a file into text, and [`games`] splits the text into games. Each
//! game knows its variant ([`GameText::variant`]); [`read_game`] plays its moves. [`read`] does all
//! of this for a file of one variant. [`write_game`] is the inverse.
//!
//! ```
//! use manoury::notation::pdn;
//! use manoury::rules::Variant;
//!
//! let games = pdn::read(Variant::International, b"1. 32-28 19-23 2. 28x19 14x23 *");
//! let record = games[0].as_ref().unwrap();
//! assert_eq!(record.line.moves.len(), 4);
//! let written = pdn::write_game(record);
//! assert_eq!(pdn::read(Variant::International, written.as_bytes()), games);
//! ```

mod clock;
mod date;
mod decode;
mod error;
mod format;
mod game_text;
mod lexer;
mod moves;
mod numbers;
mod path;
mod reader;
mod record;
mod result;
mod routes;
mod tags;
mod writer;

pub use clock::Clocks;
pub use date::today;
pub use decode::decode;
pub use error::{Broken, PdnError, TextPlace};
pub use format::{PdnFormat, ResultPoints, SquareNames};
pub use game_text::{GameText, Games, games};
pub use moves::{format_line, format_move, meant_moves, parse_move, push_move, way};
pub use numbers::move_number;
pub use reader::{read, read_any_game, read_game, read_game_leniently};
pub use record::{AnnotatedMove, GameRecord, MoveLine};
pub use result::ResultText;
pub use tags::Tags;
pub use writer::{write_game, write_game_as};
