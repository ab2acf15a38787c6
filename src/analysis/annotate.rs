//! Writes reviews into PDN records.

use crate::board::Side;
use crate::notation::pdn::{AnnotatedMove, GameRecord, MoveLine, ResultText};

use super::problems::Goal;
use super::review::{FoundShot, Mark, Review, ReviewedPly};
use super::shots;

/// Maximum length of a better line, in moves.
const MAX_MOVES: usize = 12;

/// Adds a review to the record of its game. The comment after each move contains the score for
/// White in men, as `[%eval -0.35]`, and also mentions shots, the move that leaves the book, and
/// the verdict of bitbases. The mark of the move, if any, is added. For a bad move, the points that
/// it costs and the better line, as a side line, are added too. Existing annotations are kept.
pub fn annotate(record: &mut GameRecord, review: &Review) {
    for (ply, (annotated, reviewed)) in record.line.moves.iter_mut().zip(&review.plies).enumerate()
    {
        if annotated.strength.is_empty() {
            annotated.strength = reviewed.mark.map_or("", Mark::as_str).to_owned();
        }
        annotated.comments.push(comment(review, reviewed, ply));
        if !reviewed.better.is_empty() {
            annotated.variations.push(better_line(reviewed));
        }
    }
}

fn comment(review: &Review, reviewed: &ReviewedPly, ply: usize) -> String {
    let mut text = format!("[%eval {}]", reviewed.after.for_white(reviewed.side));
    if !reviewed.better.is_empty() {
        text += &format!(" costs {:.2} points", reviewed.loss);
    }
    match review.shot(ply) {
        Some(shot) if shot.is_played => text += " a shot",
        Some(_) => text += " misses a shot",
        None => {}
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

fn better_line(reviewed: &ReviewedPly) -> MoveLine {
    let moves = reviewed.better.iter().take(MAX_MOVES).map(|&mv| AnnotatedMove::new(mv));
    let mut line = MoveLine { comments: Vec::new(), moves: moves.collect() };
    if let Some(first) = line.moves.first_mut() {
        first.comments.push(format!("[%eval {}]", reviewed.before.for_white(reviewed.side)));
    }
    line
}

/// Converts the shots of a game to problems. The solution of each is the line of the shot. `name`
/// identifies the game in the tag `Round`.
pub fn shot_problems(record: &GameRecord, review: &Review, name: &str) -> Vec<GameRecord> {
    let positions = record.game().positions();
    let problem = |FoundShot { ply, shot, is_played }: &FoundShot| {
        let start = positions[*ply];
        let mut problem = GameRecord::new(start);
        for tag in ["Event", "Date", "White", "Black"] {
            if let Some(value) = record.tags.get(tag) {
                problem.tags.set(tag, value);
            }
        }
        problem.tags.set("Round", &format!("{name}, ply {ply}"));
        let winner = match start.side() {
            Side::White => "White",
            Side::Black => "Black",
        };
        let text = match shot.gain {
            shots::WINS_GAME => "wins".to_owned(),
            1 => "wins a man".to_owned(),
            gain => format!("wins material worth {gain} men"),
        };
        let goal = if shot.gain == shots::WINS_GAME { Goal::Win } else { Goal::Gain(shot.gain) };
        problem.tags.set("Goal", &goal.to_string());
        let status = if *is_played { "played" } else { "missed" };
        problem.line.comments.push(format!("{winner} to move {text}; {status} in the game"));
        problem.line.moves = shot.line.iter().map(|&mv| AnnotatedMove::new(mv)).collect();
        problem.set_result(ResultText::of(Some(start.side())));
        problem
    };
    review.shots.iter().map(problem).collect()
}
