//! A book grows: the engine searches what is to be added to it.

mod grow;
mod searcher;

pub use grow::{add_games, grow};

use crate::book::{Effort, Graph};
use crate::rules::Rules;

/// How a book grows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How many positions it is to have that are expanded.
    pub positions: usize,
    /// How long each new position is searched.
    pub effort: Effort,
}

/// Looks on while a book grows.
pub trait Watch<R: Rules>: Sync {
    /// A position has been expanded.
    fn see(&self, graph: &Graph<R>);

    /// Whether to stop. What is being searched then is given up.
    fn is_stopped(&self) -> bool;
}
