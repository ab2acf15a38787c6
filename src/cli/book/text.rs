//! What is told about books.

use std::time::Duration;

use crate::board::Side;
use crate::book::Graph;
use crate::rules::Rules;
use crate::score::Score;

/// The last line about a book that has grown.
pub fn summary<R: Rules>(graph: &Graph<R>, time: Duration) -> String {
    let (expanded, positions, score) = (graph.expanded(), graph.len(), graph.score());
    let time = time.as_secs_f64();
    format!("expanded={expanded} positions={positions} score={score} time={time:.1}")
}

/// A score for White, with its sign.
pub fn for_white(score: Score, side: Side) -> String {
    let score = if side == Side::White { score } else { -score };
    let sign = if score.0 > 0 { "+" } else { "" };
    format!("{sign}{score}")
}

/// The number before a move, `1.` or `1...`, of the ply counted from 0.
pub fn number(ply: usize) -> String {
    // Two plies are a pair, and the side that begins comes first.
    format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
}
