//! Output for people: boards as text and pictures, and reviews and matches as HTML pages.

pub mod board;
#[cfg(feature = "program")]
pub mod board_text;
pub mod language;
pub mod page;
mod script;
