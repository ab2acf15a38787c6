//! The questions.

use serde::Deserialize;

use crate::board::Side;

use super::place::Place;
use super::record::PageRecord;

/// A question with its number.
#[derive(Debug, Deserialize)]
pub struct Question {
    pub id: u64,
    #[serde(flatten)]
    pub ask: Ask,
}

/// What is asked.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Ask {
    Games,
    Board {
        variant: String,
    },
    Position(Place),
    Setup {
        variant: String,
        side: Side,
        /// A letter or a dot for each square.
        pieces: String,
    },
    Read {
        /// The game of what does not say its own.
        variant: String,
        text: String,
    },
    Write(PageRecord),
    Lines {
        #[serde(flatten)]
        place: Place,
        /// Lines of Hub.
        infos: Vec<String>,
    },
    Review {
        #[serde(flatten)]
        place: Place,
        /// The players, White first.
        names: [String; 2],
        /// The `info` lines of the search of each position, the start first.
        searches: Vec<Vec<String>>,
    },
    Words(Place),
}
