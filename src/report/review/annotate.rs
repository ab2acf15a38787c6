//! Reviews as annotations of a record.

use crate::board::Side;
use crate::notation::pdn::{AnnotatedMove, GameRecord, MoveLine};
use crate::score::Score;

use super::{Review, ReviewedPly};

/// The most moves of a better line.
const LONGEST: usize = 12;

/// Adds a review to the record of its game: after every move the score, for White and in men, as
/// `[%eval -0.35]`; marks, and what a fault has lost, with the better line as a side line; where the
/// game leaves the book, and the word of bitbases. What is there stays.
pub fn annotate(record: &mut GameRecord, review: &Review) {
    for (ply, (annotated, reviewed)) in record.line.moves.iter_mut().zip(&review.plies).enumerate()
    {
        if annotated.strength.is_empty() {
            annotated.strength = reviewed.mark.map_or("", super::Mark::as_str).to_owned();
        }
        annotated.comments.push(comment(review, reviewed, ply));
        if !reviewed.better.is_empty() {
            annotated.variations.push(better(reviewed));
        }
    }
}

fn comment(review: &Review, reviewed: &ReviewedPly, ply: usize) -> String {
    let mut text = format!("[%eval {}]", shown(reviewed.after, reviewed.side));
    if !reviewed.better.is_empty() {
        text += &format!(" loses {:.2} points", reviewed.loss);
    }
    if review.leaves_book == Some(ply) {
        text += " leaves the book";
    }
    match review.ending {
        Some((first, winner)) if first == ply + 1 => {
            text += match winner {
                Some(Side::White) => " bitbases: won for White",
                Some(Side::Black) => " bitbases: won for Black",
                None => " bitbases: drawn",
            };
        }
        _ => {}
    }
    text
}

fn better(reviewed: &ReviewedPly) -> MoveLine {
    let moves = reviewed.better.iter().take(LONGEST).map(|&mv| AnnotatedMove::new(mv));
    let mut line = MoveLine { comments: Vec::new(), moves: moves.collect() };
    if let Some(first) = line.moves.first_mut() {
        first.comments.push(format!("[%eval {}]", shown(reviewed.before, reviewed.side)));
    }
    line
}

/// A score of a side, for White.
fn shown(score: Score, side: Side) -> Score {
    if side == Side::White { score } else { -score }
}
