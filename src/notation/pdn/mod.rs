//! Games in PDN (Portable Draughts Notation 3.0), read leniently and written strictly.
//!
//! [`decode`] turns the bytes of a file into text, and [`games()`] splits the text into games. The
//! tags of a game specify its variant ([`GameText::variant`]); [`read_game`] plays its moves.
//! [`read`] does all of this for a file of one variant. [`write_game`] is the inverse.
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

mod encoding;
mod filter;
mod games;
mod lexer;
mod moves;
mod reader;
mod record;
mod routes;
mod writer;

pub use encoding::{Decoder, Encoding, UnknownEncoding, contains_utf8};
pub use filter::{DateRange, GameFilter, GameHeader, ResultKind};
pub use games::{BrokenGame, GameText, Games, PdnError, chunks, decode, games};
pub use lexer::TextPosition;
pub use moves::{
    SquareNames, candidate_moves, format_line, format_move, format_numbered_line, landing_squares,
    move_number, parse_move, push_move,
};
pub use reader::{
    MAX_SAMPLE_GAMES, read, read_any_game, read_game, read_game_leniently, variant_of_games,
};
pub use record::{AnnotatedMove, Clocks, GameRecord, MoveLine, ResultText, Tags, today};
pub use writer::{PdnFormat, ResultPoints, game_tag, write_game, write_game_as};
