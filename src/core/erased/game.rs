//! Games of any variant.

use std::any::Any;
use std::fmt::Debug;

use crate::board::Move;
use crate::game::{BitGame, Outcome, Reason};
use crate::rules::{Rules, Variant};

use super::position::Position;
use super::variant_ops::{to_moves, typed_move, value, variant_ops};

/// A game from a starting position, with all the history the draw rules need.
#[derive(Debug)]
pub struct Game {
    start: Position,
    position: Position,
    /// The same game on bitboards, which records the moves and applies the draw rules.
    inner: Box<dyn GameOps>,
}

impl Clone for Game {
    fn clone(&self) -> Self {
        Game { start: self.start, position: self.position, inner: self.inner.copy() }
    }
}

/// Games are equal if they have the same moves from the same starting position.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start && self.moves() == other.moves()
    }
}

impl Eq for Game {}

impl Game {
    /// A game from the start position of a variant.
    pub fn new(variant: Variant) -> Self {
        Game::from_position(Position::start(variant))
    }

    /// A game that starts from a position.
    pub fn from_position(start: Position) -> Self {
        Game { start, position: start, inner: variant_ops(start.variant()).game(&start) }
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.start.variant()
    }

    /// The position the game started from.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// All positions so far, the starting position first: one more than the number of moves.
    pub fn positions(&self) -> Vec<Position> {
        self.inner.positions(self.variant())
    }

    /// Plays a legal move. A draw does not end the game by itself: the caller checks
    /// [`Game::outcome`].
    ///
    /// # Panics
    ///
    /// Panics if a square of the move is not on the board.
    pub fn play(&mut self, mv: Move) {
        self.position = self.inner.play(&self.position, mv);
    }

    /// Plays a move if it is legal; otherwise returns `false` and changes nothing.
    pub fn try_play(&mut self, mv: Move) -> bool {
        let is_legal = self.position.legal_moves().contains(&mv);
        if is_legal {
            self.play(mv);
        }
        is_legal
    }

    /// Takes back the last move; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let (mv, position) = self.inner.undo(self.variant())?;
        self.position = position;
        Some(mv)
    }

    /// The game on bitboards.
    pub(super) fn inner(&self) -> &dyn GameOps {
        self.inner.as_ref()
    }
}

/// Declares methods of [`Game`] whose bodies are generic over the rules. For each, the macro writes
/// a method of [`GameOps`], its implementation, and a method of [`Game`] that calls it.
macro_rules! typed_methods {
    (|$game:ident| $(
        $(#[$doc:meta])*
        fn $name:ident() -> $output:ty $body:block
    )*) => {
        /// A game on bitboards, regardless of the type of its rules.
        pub trait GameOps: Debug + Send + Sync {
            /// The underlying type, for downcasts.
            fn as_any(&self) -> &dyn Any;

            /// A copy of the game.
            fn copy(&self) -> Box<dyn GameOps>;

            /// See [`Game::play`]. `before` is the position before the move; returns the position
            /// after it.
            fn play(&mut self, before: &Position, mv: Move) -> Position;

            /// See [`Game::undo`]. `variant` is that of the game; returns the move and the position
            /// before it.
            fn undo(&mut self, variant: Variant) -> Option<(Move, Position)>;

            /// See [`Game::positions`]; `variant` is that of the game.
            fn positions(&self, variant: Variant) -> Vec<Position>;

            $(
                #[doc = concat!("See [`Game::", stringify!($name), "`].")]
                fn $name(&self) -> $output;
            )*
        }

        impl<R: Rules> GameOps for BitGame<R> {
            fn as_any(&self) -> &dyn Any {
                self
            }

            fn copy(&self) -> Box<dyn GameOps> {
                Box::new(self.clone())
            }

            fn play(&mut self, before: &Position, mv: Move) -> Position {
                BitGame::play(self, typed_move(mv));
                value(before.variant, self.position())
            }

            fn undo(&mut self, variant: Variant) -> Option<(Move, Position)> {
                let mv = BitGame::undo(self)?;
                Some((mv.to_move(), value(variant, self.position())))
            }

            fn positions(&self, variant: Variant) -> Vec<Position> {
                BitGame::positions(self).iter().map(|position| value(variant, position)).collect()
            }

            $(
                fn $name(&self) -> $output {
                    let $game = self;
                    $body
                }
            )*
        }

        impl Game {
            $(
                $(#[$doc])*
                pub fn $name(&self) -> $output {
                    self.inner.$name()
                }
            )*
        }
    };
}

typed_methods! { |game|
    /// The moves so far.
    fn moves() -> Vec<Move> {
        to_moves(game.moves())
    }

    /// The number of moves played.
    fn plies() -> usize {
        game.moves().len()
    }

    /// The outcome of the game; `None` while it is in progress. A win takes precedence over a draw:
    /// the last move within a limit may still win.
    fn outcome() -> Option<Outcome> {
        game.outcome()
    }

    /// The number of times that the current position has occurred, including now.
    fn occurrences() -> usize {
        game.occurrences()
    }

    /// The number of plies since the last conversion, that is, a capture or a man's move forward.
    fn reversible_plies() -> usize {
        game.reversible_plies()
    }

    /// The number of past plies on which the draw rules may depend, at most the length of the game.
    /// A game that starts from the position that many plies ago and continues with the same moves
    /// is drawn exactly when this game is, now and after any further moves.
    fn draw_lookback() -> usize {
        game.draw_lookback()
    }

    /// The number of plies counted towards each move limit, the limit on king moves first; `None`
    /// where the count has not started.
    fn move_counts() -> Vec<Option<usize>> {
        game.move_counts()
    }

    /// The rule by which the game is drawn now, if any, assuming that the side to move has a legal
    /// move.
    fn draw() -> Option<Reason> {
        game.draw()
    }

    /// The move limit that has been reached, if any, assuming that the side to move has a legal
    /// move.
    fn move_limit() -> Option<Reason> {
        game.move_limit()
    }
}
