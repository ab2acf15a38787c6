//! An API through which a page with a board uses the rules of the variants: JSON requests and
//! responses.
//!
//! The page draws the board but does not know the rules. It sends requests over the same channel as
//! its Hub lines. Each request is a line that begins with a brace, which no Hub line does:
//!
//! - `{"id": 1, "ask": "games"}`: the variants, and the drawings of the pieces.
//! - `{"id": 2, "ask": "board", "variant": "russian"}`: the board of a variant.
//! - `{"id": 3, "ask": "position", ...}`: a position after moves, with its legal moves.
//! - `{"id": 4, "ask": "setup", ...}`: a position from the pieces on a board.
//! - `{"id": 5, "ask": "read", ...}`: games and positions from text.
//! - `{"id": 6, "ask": "lines", ...}`: the `info` lines of a search, formatted for display.
//! - `{"id": 7, "ask": "review", ...}`: the marks for the moves of a game, computed from the `info`
//!   lines of its positions. Before it, `confirm` returns the positions to search again for longer.
//! - `{"id": 8, "ask": "words", ...}`: the book moves and the bitbase result of a position.
//! - `{"id": 9, "ask": "encoding", ...}`: the encoding of a file, from its first bytes.
//! - `{"id": 10, "ask": "open", ...}` opens a file of games, which replaces the previous one; each
//!   `{"id": 11, "ask": "add", ...}` adds a part of its text. Then `find` searches the games,
//!   `export` returns the PDN of the games found, `game` reads one, and `explore` counts the moves
//!   played in a position.
//!
//! The response repeats the id: `{"id": 1, "answer": {...}}` or `{"id": 1, "error": "..."}`. A
//! position is given as a FEN to start from (empty for the start position) and the moves in Hub
//! notation.

mod analysis;
mod collection;
mod position;
mod record;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::board::Side;
use crate::erased::{Game, Position};
use crate::notation::pdn::Encoding;
use crate::notation::{fen, hub};
use crate::rules::{UnknownVariant, Variant};

use analysis::GameResources;
use collection::{Collection, Query};

pub use collection::MAX_FILE;

/// The maximum size of a text that [`PageApi`] reads, in bytes. The page learns this limit from the
/// response to `games`.
pub const MAX_TEXT: usize = 8 << 20;

/// The maximum size of a request in bytes: a text in which every byte needs an escape, plus the
/// other fields.
pub const MAX_REQUEST: usize = 2 * MAX_TEXT + (64 << 10);

/// The maximum number of moves in a game.
const MAX_MOVES: usize = 10_000;

/// The error for requests about the games in a file when no file is open.
const NO_FILE: &str = "no file is open";

/// Answers requests, and caches the resources for the variant of the last request.
#[derive(Debug, Default)]
pub struct PageApi {
    /// A folder of bitbases to use in addition to the embedded ones.
    folder: Option<PathBuf>,
    resources: Option<GameResources>,
    /// The games in the opened file.
    collection: Option<Collection>,
}

/// A request with its id.
#[derive(Debug, Deserialize)]
struct Request {
    id: u64,
    #[serde(flatten)]
    kind: RequestKind,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum RequestKind {
    Games,
    Board {
        variant: String,
    },
    Position(GamePosition),
    Setup {
        variant: String,
        side: Side,
        /// A letter or a dot for each square.
        pieces: String,
    },
    Read {
        /// The variant to assume if the text does not specify one.
        variant: String,
        text: String,
    },
    Lines {
        #[serde(flatten)]
        position: GamePosition,
        /// Hub lines.
        infos: Vec<String>,
    },
    Review {
        #[serde(flatten)]
        position: GamePosition,
        /// The players, White first.
        names: [String; 2],
        /// The `info` lines of the search of each position, from the start position onwards.
        searches: Vec<Vec<String>>,
    },
    Confirm {
        #[serde(flatten)]
        position: GamePosition,
        /// The searches, as for a review.
        searches: Vec<Vec<String>>,
        /// The number of rounds of confirmation that each position has had.
        rounds: Vec<usize>,
    },
    #[serde(rename = "words")]
    PositionInfo(GamePosition),
    Encoding {
        /// The first bytes of a file, each as a character.
        bytes: String,
    },
    Open {
        /// The variant to assume for games that don't specify one.
        variant: String,
    },
    Add {
        text: String,
        /// Whether this is the last part of the file.
        last: bool,
    },
    Find {
        #[serde(default)]
        query: Query,
        /// Only games that contain this position.
        position: Option<GamePosition>,
        offset: usize,
        limit: usize,
    },
    Export {
        #[serde(default)]
        query: Query,
        position: Option<GamePosition>,
        offset: usize,
    },
    Game {
        index: usize,
    },
    Explore(GamePosition),
}

/// A position, as a start position and the moves played from it.
#[derive(Debug, Deserialize)]
struct GamePosition {
    /// The name of the variant.
    variant: String,
    /// A FEN, empty for the start position.
    #[serde(default)]
    start: String,
    /// The moves, in Hub notation.
    #[serde(default)]
    moves: Vec<String>,
}

/// A response with the id of its request.
#[derive(Serialize)]
struct Response {
    id: u64,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Answer(Value),
    Error(String),
}

impl PageApi {
    /// Creates an API that also probes the bitbases in a folder, which has a subfolder for each
    /// variant.
    pub fn with_bitbases(folder: Option<PathBuf>) -> PageApi {
        PageApi { folder, ..PageApi::default() }
    }

    /// Whether a line from a page is a request rather than a Hub line.
    pub fn is_request(line: &str) -> bool {
        line.starts_with('{')
    }

    /// Answers a request with one line. The response has id 0 if the request has no id.
    pub fn answer(&mut self, line: &str) -> String {
        let (id, result) = if line.len() > MAX_REQUEST {
            (id_of(line), Err(too_large("request", MAX_REQUEST)))
        } else {
            match serde_json::from_str::<Request>(line) {
                Ok(Request { id, kind }) => (id, self.handle(kind)),
                Err(error) => (id_of(line), Err(error.to_string())),
            }
        };
        let outcome = result.map_or_else(Outcome::Error, Outcome::Answer);
        serde_json::to_string(&Response { id, outcome }).unwrap_or_default()
    }

    fn handle(&mut self, request: RequestKind) -> Result<Value, String> {
        use RequestKind::{
            Add, Board, Confirm, Encoding, Explore, Export, Find, Game, Games, Lines, Open,
            Position, PositionInfo, Read, Review, Setup,
        };
        match request {
            Games => json(position::games()),
            Board { variant } => json(position::board(parse_variant(&variant)?)),
            Position(position) => json(position::position(&position.game()?)),
            Setup { variant, side, pieces } => {
                json(position::setup(parse_variant(&variant)?, side, &pieces)?)
            }
            Read { text, .. } if text.len() > MAX_TEXT => Err(too_large("text", MAX_TEXT)),
            Read { variant, text } => json(record::read(parse_variant(&variant)?, &text)?),
            Lines { position, infos } => json(analysis::lines(&position.game()?, &infos)),
            Review { position, names, searches } => {
                let resources = self.resources(&position)?;
                json(analysis::review(&position.game()?, &names, &searches, resources)?)
            }
            Confirm { position, searches, rounds } => {
                json(analysis::confirmation(&position.game()?, &searches, &rounds)?)
            }
            PositionInfo(position) => {
                json(self.resources(&position)?.position_info(&position.game()?))
            }
            Encoding { bytes } => json(encoding(&bytes)),
            Open { variant } => {
                self.collection = Some(Collection::new(parse_variant(&variant)?));
                Ok(Value::Null)
            }
            Add { text, last } => {
                let collection = self.collection.as_mut().ok_or(NO_FILE)?;
                collection.add(&text, last)?;
                json(serde_json::json!({ "games": collection.count() }))
            }
            Find { query, position, offset, limit } => {
                let position = last_position(position.as_ref())?;
                json(self.collection()?.find(&query, position.as_ref(), offset, limit)?)
            }
            Export { query, position, offset } => {
                let position = last_position(position.as_ref())?;
                json(self.collection()?.export(&query, position.as_ref(), offset)?)
            }
            Game { index } => {
                let (variant, text) = self.collection()?.game(index)?;
                json(record::read(variant, text)?)
            }
            Explore(position) => {
                let game = position.game()?;
                let book = self.resources(&position)?.book_moves(game.position());
                json(self.collection()?.explore(game.position(), &book))
            }
        }
    }

    fn collection(&self) -> Result<&Collection, String> {
        self.collection.as_ref().ok_or_else(|| NO_FILE.to_owned())
    }

    /// The book and bitbases for a position.
    fn resources(&mut self, position: &GamePosition) -> Result<&GameResources, String> {
        let variant = parse_variant(&position.variant)?;
        let loaded = self.resources.take().filter(|resources| resources.variant() == variant);
        let load = || GameResources::new(variant, self.folder.as_deref());
        Ok(self.resources.insert(loaded.unwrap_or_else(load)))
    }
}

impl GamePosition {
    /// The game up to this position.
    fn game(&self) -> Result<Game, String> {
        let mut game = Game::from_position(parse_start(&self.variant, &self.start)?);
        if self.moves.len() > MAX_MOVES {
            return Err(format!("more than {MAX_MOVES} moves"));
        }
        for (index, text) in self.moves.iter().enumerate() {
            let mv = hub::parse_move(game.position(), text);
            game.play(mv.map_err(|error| format!("move {}: {error}", index + 1))?);
        }
        Ok(game)
    }
}

/// The last position of a game, if one is given.
fn last_position(game: Option<&GamePosition>) -> Result<Option<Position>, String> {
    game.map(|game| Ok(*game.game()?.position())).transpose()
}

/// The encoding of a file, by its name in browsers. Each character of `bytes` is one byte.
fn encoding(bytes: &str) -> String {
    let bytes: Vec<_> = bytes.chars().map(|byte| u8::try_from(byte).unwrap_or(b'?')).collect();
    Encoding::guess(&bytes).to_string()
}

/// Parses the start of a game: a FEN, empty for the start position.
fn parse_start(variant: &str, text: &str) -> Result<Position, String> {
    let variant = parse_variant(variant)?;
    match text {
        "" => Ok(Position::start(variant)),
        text => fen::parse(variant, text).map_err(|error| format!("FEN: {error}")),
    }
}

fn parse_variant(name: &str) -> Result<Variant, String> {
    name.parse().map_err(|error: UnknownVariant| error.to_string())
}

fn json(answer: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(answer).map_err(|error| error.to_string())
}

fn too_large(what: &str, limit: usize) -> String {
    format!("the {what} is larger than {} MB", limit >> 20)
}

/// The id of an otherwise invalid request.
fn id_of(line: &str) -> u64 {
    // A value, not a struct, which would refuse a field that is given twice.
    let request: Value = serde_json::from_str(line).unwrap_or_default();
    request["id"].as_u64().unwrap_or_default()
}
