//! What a page with a board asks about the rules, in JSON.
//!
//! A page draws, and knows no rules. It sends questions through the channel on which it speaks Hub,
//! each a line that begins with a brace, as no line of Hub does:
//!
//! - `{"id": 1, "ask": "games"}`: the games, and the drawings of the pieces.
//! - `{"id": 2, "ask": "board", "variant": "russian"}`: the board of a game.
//! - `{"id": 3, "ask": "position", ...}`: a position after moves, with its legal moves.
//! - `{"id": 4, "ask": "setup", ...}`: the position that pieces on a board make.
//! - `{"id": 5, "ask": "read", ...}`, `write`: games and positions from text, and a game to PDN.
//! - `{"id": 6, "ask": "lines", ...}`: what the `info` lines of a search say, for people.
//! - `{"id": 7, "ask": "review", ...}`: what the moves of a game were worth, from such lines.
//! - `{"id": 8, "ask": "words", ...}`: what book and bitbases say about a position.
//!
//! The answer repeats the number: `{"id": 1, "answer": {...}}` or `{"id": 1, "error": "..."}`. A
//! position is given by its start, a FEN (empty for the start position), and moves in Hub notation.

mod games;
mod place;
mod position;
mod question;
mod record;
mod searches;
mod words;

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use place::Place;
use question::{Ask, Question};
use words::Knowledge;

/// Answers questions. It keeps what it has loaded for the game it was asked about last.
#[derive(Debug, Default)]
pub struct PageApi {
    /// The folder of bitbases besides those of the program.
    folder: Option<PathBuf>,
    knowledge: Option<Knowledge>,
}

/// What a question gets.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Answer(Value),
    Error(String),
}

#[derive(Serialize)]
struct Reply {
    id: u64,
    #[serde(flatten)]
    outcome: Outcome,
}

impl PageApi {
    /// A desk that also looks into bitbases of a folder, with a subfolder for each game.
    pub fn with_bitbases(folder: Option<PathBuf>) -> PageApi {
        PageApi { folder, knowledge: None }
    }

    /// Whether a line from a page is a question, not a line of Hub.
    pub fn is_request(line: &str) -> bool {
        line.starts_with('{')
    }

    /// The answer to a question, as a line. What cannot be read as a question has the number 0.
    pub fn answer(&mut self, line: &str) -> String {
        let (id, outcome) = match serde_json::from_str::<Question>(line) {
            Ok(Question { id, ask }) => (id, self.outcome(ask)),
            Err(error) => (number_of(line), Err(error.to_string())),
        };
        let outcome = outcome.map_or_else(Outcome::Error, Outcome::Answer);
        serde_json::to_string(&Reply { id, outcome }).unwrap_or_default()
    }

    fn outcome(&mut self, ask: Ask) -> Result<Value, String> {
        match ask {
            Ask::Games => json(games::games()),
            Ask::Board { variant } => json(games::board(place::variant(&variant)?)),
            Ask::Position(place) => json(position::position(&place.game()?)),
            Ask::Setup { variant, side, pieces } => {
                json(position::setup(place::variant(&variant)?, side, &pieces)?)
            }
            Ask::Read { variant, text } => json(record::read(place::variant(&variant)?, &text)?),
            Ask::Write(game) => json(record::write(&game)?),
            Ask::Lines { place, infos } => json(searches::lines(&place.game()?, &infos)),
            Ask::Review { place, names, searches } => {
                json(searches::review(&place.game()?, &names, &searches, self.knowledge(&place)?)?)
            }
            Ask::Words(place) => json(self.knowledge(&place)?.words(&place.game()?)),
        }
    }

    /// Book and bitbases of a game.
    fn knowledge(&mut self, place: &Place) -> Result<&Knowledge, String> {
        let variant = place::variant(&place.variant)?;
        let known = self.knowledge.take().filter(|knowledge| knowledge.variant() == variant);
        let opened = || Knowledge::new(variant, self.folder.as_deref());
        Ok(self.knowledge.insert(known.unwrap_or_else(opened)))
    }
}

fn json(answer: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(answer).map_err(|error| error.to_string())
}

/// The number of a question that is wrong otherwise.
fn number_of(line: &str) -> u64 {
    let value: Option<Value> = serde_json::from_str(line).ok();
    value.and_then(|value| value.get("id")?.as_u64()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
