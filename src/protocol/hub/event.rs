//! The events that a session waits for: lines from the reader, news from the search thread.

use crate::board::Move;
use crate::engine::Engine;
use crate::search::Info;

/// An event in a session.
pub enum HubEvent {
    /// The client sent a line.
    Line(String),
    /// The input ended.
    EndOfInput,
    /// The running search reported information.
    Info(Info),
    /// The search finished.
    Finished(SearchResult),
}

/// The engine, returned together with its answer. If the search panicked, the engine is discarded
/// and the panic message takes the place of both.
pub type SearchResult = Result<(Box<Engine>, SearchAnswer), String>;

/// The result of a search. All fields are `None` if the game was already over.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchAnswer {
    /// The move to play.
    pub mv: Option<Move>,
    /// The expected reply of the opponent.
    pub ponder: Option<Move>,
    /// The final information of the search.
    pub info: Option<Info>,
}
