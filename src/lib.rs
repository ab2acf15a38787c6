//! Manoury: a library for sixteen draughts variants, and an engine that plays them.
//!
//! The types that most programs need are re-exported here. The examples use international draughts;
//! all sixteen variants, from Russian to Canadian and Turkish draughts, work in the same way (see
//! [`Variant`]).
//!
//! # Legal moves
//!
//! ```
//! use manoury::{Position, Variant, pdn};
//!
//! let position = Position::start(Variant::International);
//! let moves: Vec<_> =
//!     position.sorted_moves().into_iter().map(|mv| pdn::format_move(&position, mv)).collect();
//! assert_eq!(moves.join(" "), "31-26 31-27 32-27 32-28 33-28 33-29 34-29 34-30 35-30");
//! ```
//!
//! # Playing a game to its result
//!
//! ```
//! use manoury::{Game, Variant};
//!
//! let mut game = Game::new(Variant::English);
//! // Always play the first legal move. A `Game` applies the draw rules, so the loop ends.
//! while game.outcome().is_none() {
//!     let mv = game.position().sorted_moves()[0];
//!     game.play(mv);
//! }
//! let outcome = game.outcome().unwrap();
//! println!("{} after {} plies, winner: {:?}", outcome.reason, game.plies(), outcome.winner);
//! ```
//!
//! # FEN and PDN
//!
//! ```
//! use manoury::{Game, Variant, fen, pdn};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//!
//! let position = fen::parse(Variant::International, "W:W31-50:B1-20")?;
//! let mut game = Game::from_position(position);
//! for text in ["32-28", "19-23", "28x19", "14x23"] {
//!     let mv = pdn::parse_move(game.position(), text)?;
//!     game.play(mv);
//! }
//! assert_eq!(fen::format(game.position()), "W:W31,33-50:B1-13,15-18,20,23");
//!
//! let record = pdn::GameRecord::from_game(&game);
//! let written = pdn::write_game(&record);
//! assert!(written.ends_with("1. 32-28 19-23 2. 28x19 14x23 *\n"));
//! let read = pdn::read(Variant::International, written.as_bytes());
//! assert_eq!(read[0].as_ref().unwrap().game(), game);
//! # Ok(())
//! # }
//! ```
//!
//! # A search with limits and a callback
//!
//! ```
//! use std::time::Duration;
//!
//! use manoury::{Control, Engine, EngineOptions, Limits, Variant};
//!
//! let mut engine = Engine::new(Variant::International, EngineOptions::default());
//! let limits = Limits { depth: Some(8), ..Limits::time(Duration::from_secs(5)) };
//! // Another thread can stop the search with a clone of this `Control`.
//! let control = Control::new();
//! let result = engine.go(limits, &control, &mut |info| {
//!     println!("depth {}: {} after {} nodes", info.depth, info.score, info.nodes);
//! });
//! assert!(result.mv.is_some());
//! ```
//!
//! # Several lines
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use manoury::{Control, Engine, EngineOptions, Limits, Position, Variant, pdn};
//!
//! let options = EngineOptions { multipv: 3, ..EngineOptions::default() };
//! let mut engine = Engine::new(Variant::International, options);
//! let mut lines = BTreeMap::new();
//! engine.go(Limits::depth(6), &Control::new(), &mut |info| {
//!     lines.insert(info.rank, (info.score, info.pv.clone()));
//! });
//! let start = Position::start(Variant::International);
//! for (rank, (score, moves)) in &lines {
//!     println!("{rank}. {score} {}", pdn::format_line(&start, moves));
//! }
//! assert_eq!(lines.len(), 3);
//! ```
//!
//! # A bitbase probe
//!
//! ```
//! use manoury::{Bitbases, Variant, fen};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // The bitbases embedded in the program; `Bitbases::open` adds the files of a folder.
//! let bitbases = Bitbases::embedded(Variant::International);
//! let position = fen::parse(Variant::International, "W:WK28:BK5")?;
//! let verdict = bitbases.probe(&position).ok_or("not in the bitbases")?;
//! assert_eq!(verdict.to_string(), "win in 3 plies");
//! # Ok(())
//! # }
//! ```
//!
//! # A match of two engines
//!
//! ```
//! use manoury::{Engine, EngineOptions, Game, Limits, Side, Variant};
//!
//! let options = EngineOptions { tt_size: 16, ..EngineOptions::default() };
//! let new = || Engine::new(Variant::Frisian, options.clone());
//! let mut engines = [(new(), Limits::nodes(300)), (new(), Limits::nodes(100))];
//! let mut points = [0, 0];
//! for round in 0..2 {
//!     let mut game = Game::new(Variant::Frisian);
//!     let outcome = loop {
//!         if let Some(outcome) = game.outcome() {
//!             break outcome;
//!         }
//!         // The engines swap sides after each game.
//!         let (engine, limits) = &mut engines[(game.position().side().index() + round) % 2];
//!         let mv = engine.best_move(&game, *limits).mv.expect("the game is not over");
//!         game.play(mv);
//!     };
//!     match outcome.winner {
//!         Some(side) => points[(side.index() + round) % 2] += 2,
//!         None => points = points.map(|points| points + 1),
//!     }
//! }
//! println!("{} - {}", points[0], points[1]);
//! assert_eq!(points[0] + points[1], 4);
//! ```
//!
//! # A board as SVG
//!
//! ```
//! use manoury::{Diagram, Position, Side, Variant, svg};
//!
//! let position = Position::start(Variant::International);
//! let diagram = Diagram { arrows: vec![[32, 28]], ..Diagram::new(position, Side::White) };
//! assert!(svg(&diagram).starts_with("<svg "));
//! ```
//!
//! # Modules
//!
//! The library has two halves. In `manoury-core` ([`erased`] and the modules below it) the rules of
//! a variant are a type, so that move generation, search and retrograde analysis are fast. In this
//! package a variant is a value, and types such as [`Position`], [`Game`] and [`Move`] have no type
//! parameters. Without the `program` feature, only the library is built.
//!
//! The modules form layers. Each uses only those below it, which a test checks:
//!
//! - [`cli`]: the command line.
//! - [`serve`]: a local server for the page, with the engine behind it.
//! - [`arena`]: matches between engines.
//! - [`learn`]: self-play, data sets, training, and building opening books.
//! - [`protocol`]: Hub and DXP; [`page_api`]: the JSON requests of a page.
//! - [`analysis`]: reviews of games, shots and problems; [`report`]: boards and reviews as text,
//!   pictures and pages.
//! - [`engine`]: an engine with its options, book, bitbases, weights and levels.
//! - [`weights`]: the weights of the static evaluation for a variant, and their files.
//! - [`book`]: opening books.
//! - [`notation`]: positions, moves and games as text.
//! - [`runtime`]: logs, interruption and progress of long-running work.
//! - [`erased`], [`rules`], [`board`], [`score`], [`storage`], ...: the modules of `manoury-core`.

pub mod analysis;
#[cfg(feature = "program")]
pub mod arena;
pub mod book;
#[cfg(feature = "program")]
pub mod cli;
pub mod engine;
#[cfg(feature = "program")]
pub mod learn;
pub mod notation;
pub mod page_api;
pub mod protocol;
pub mod report;
#[cfg(feature = "program")]
pub mod runtime;
#[cfg(feature = "program")]
pub mod serve;
pub mod weights;

pub use manoury_core::{
    bitbase, board, erased, eval, game, instant, memory, parallel, position, progress, rules,
    score, search, storage, tt,
};

pub use bitbase::{Value, Verdict};
pub use board::{Kind, Move, Piece, Side, SquareSet};
pub use engine::{BookOptions, Engine, EngineOptions, Level, Strength};
pub use erased::{Bitbases, Game, Position};
pub use game::{GameResult, Outcome, Reason};
pub use notation::{fen, pdn};
pub use position::{Setup, SetupError};
pub use report::board::{Diagram, svg};
pub use rules::{UnknownVariant, Variant};
pub use score::Score;
pub use search::{Clock, Control, Info, Limits, Mode, SearchResult};
