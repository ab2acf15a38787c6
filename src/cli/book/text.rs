//! Texts about books.

use std::time::Duration;

use crate::board::Side;
use crate::book::Graph;
use crate::score::Score;

/// The last line of a command that has made a book.
pub fn summary(graph: &Graph, time: Duration) -> String {
    let (expanded, positions, score) = (graph.expanded(), graph.len(), graph.score());
    let time = time.as_secs_f64();
    format!("expanded={expanded} positions={positions} score={score} time={time:.1}")
}

/// A score for `side`, as a signed score for White.
pub fn for_white(score: Score, side: Side) -> String {
    let score = if side == Side::White { score } else { -score };
    let sign = if score.0 > 0 { "+" } else { "" };
    format!("{sign}{score}")
}

/// The move number before a move, `1.` or `1...`; `ply` counts from 0.
pub fn number(ply: usize) -> String {
    // A number covers two plies, whichever side moves first.
    format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
}
