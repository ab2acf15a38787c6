//! Writes reviews into PDN records.

use crate::board::Side;
use crate::notation::pdn::{AnnotatedMove, GameRecord, MoveLine, ResultText};

use super::problems::Goal;
use super::review::{FoundShot, Mark, Review, ReviewedPly};
use super::shots;

/// Maximum length of a better line, in moves.
const MAX_MOVES: usize = 12;

/// Writes a review into the record of its game. It replaces any earlier review: the evaluations,
/// marks and better lines of the earlier review are removed, and all other annotations are kept.
///
/// The comment after each move contains the score for White in men, as `[%eval -0.35]`, and also
/// mentions shots, the move that leaves the book, and the verdict of bitbases. If the review gives
/// the move a mark, the mark is added, or named in the comment if the move already has one. For a
/// bad move, the points that it costs and the better line, as a side line, are added too.
pub fn annotate(record: &mut GameRecord, review: &Review) {
    for (ply, (annotated, reviewed)) in record.line.moves.iter_mut().zip(&review.plies).enumerate()
    {
        remove_review(annotated);
        let mark = reviewed.mark.filter(|_| annotated.strength.is_empty());
        if let Some(mark) = mark {
            annotated.strength = mark.as_str().to_owned();
        }
        annotated.comments.push(comment(review, reviewed, ply, mark));
        if !reviewed.better.is_empty() {
            annotated.variations.push(better_line(reviewed));
        }
    }
}

/// Removes everything that [`annotate`] adds to a move, and all other evaluations in its comments.
fn remove_review(annotated: &mut AnnotatedMove) {
    let mut comments = Vec::new();
    for comment in annotated.comments.drain(..) {
        let Some((before, after)) = around_evaluation(&comment) else {
            comments.push(comment);
            continue;
        };
        let is_own = before.is_empty();
        let (mark, rest) = if is_own { without_notes(after) } else { (None, after) };
        if mark.is_some_and(|mark| annotated.strength == mark.as_str()) {
            annotated.strength.clear();
        }
        let rest = [before, rest].map(str::trim).join(" ");
        if !rest.trim().is_empty() {
            comments.push(rest.trim().to_owned());
        }
    }
    annotated.comments = comments;
    annotated.variations.retain(|line| !is_better_line(line));
}

/// The text before and after the evaluation in a comment.
fn around_evaluation(comment: &str) -> Option<(&str, &str)> {
    let (before, rest) = comment.split_once("[%eval ")?;
    let (_, after) = rest.split_once(']')?;
    Some((before, after))
}

/// The text after the notes of a review, and the mark named in the notes.
fn without_notes(text: &str) -> (Option<Mark>, &str) {
    let (mut mark, mut rest) = (None, text);
    'notes: loop {
        for of in Mark::ALL {
            if let Some(after) =
                rest.strip_prefix(' ').and_then(|rest| rest.strip_prefix(of.name()))
            {
                (mark, rest) = (Some(of), after);
                continue 'notes;
            }
        }
        if let Some(after) = NOTES.iter().find_map(|note| rest.strip_prefix(note)) {
            rest = after;
        } else if let Some(after) = without_cost(rest) {
            rest = after;
        } else {
            return (mark, rest);
        }
    }
}

/// The text after a note such as ` costs 0.12 points`.
fn without_cost(text: &str) -> Option<&str> {
    let (points, after) = text.strip_prefix(COSTS)?.split_once(POINTS)?;
    points.parse::<f64>().is_ok().then_some(after)
}

/// Whether a side line looks like one added by [`annotate`]: its only annotation is the evaluation
/// of its first move.
fn is_better_line(line: &MoveLine) -> bool {
    let Some((first, others)) = line.moves.split_first() else {
        return false;
    };
    let has_evaluation = matches!(&first.comments[..], [comment]
        if around_evaluation(comment) == Some(("", "")));
    let is_bare = |annotated: &AnnotatedMove| {
        annotated.strength.is_empty()
            && annotated.nags.is_empty()
            && annotated.variations.is_empty()
    };
    has_evaluation
        && is_bare(first)
        && line.comments.is_empty()
        && others.iter().all(|mv| is_bare(mv) && mv.comments.is_empty())
}

/// The text before and after the points that a move costs.
const COSTS: &str = " costs ";
const POINTS: &str = " points";
const SHOT: &str = " a shot";
const MISSED_SHOT: &str = " misses a shot";
const LEAVES_BOOK: &str = " leaves the book";
const WHITE_WINS: &str = " bitbases: won for White";
const BLACK_WINS: &str = " bitbases: won for Black";
const DRAWN: &str = " bitbases: drawn";
/// All notes other than the name of a mark and the points it costs.
const NOTES: [&str; 6] = [SHOT, MISSED_SHOT, LEAVES_BOOK, WHITE_WINS, BLACK_WINS, DRAWN];

fn comment(review: &Review, reviewed: &ReviewedPly, ply: usize, mark: Option<Mark>) -> String {
    let mut text = format!("[%eval {}]", reviewed.after.for_white(reviewed.side));
    if let Some(mark) = mark {
        text += &format!(" {}", mark.name());
    }
    if !reviewed.better.is_empty() {
        text += &format!("{COSTS}{:.2}{POINTS}", reviewed.loss);
    }
    match review.shot(ply) {
        Some(shot) if shot.is_played => text += SHOT,
        Some(_) => text += MISSED_SHOT,
        None => {}
    }
    if review.leaves_book == Some(ply) {
        text += LEAVES_BOOK;
    }
    match review.ending {
        Some((first, winner)) if first == ply + 1 => {
            text += match winner {
                Some(Side::White) => WHITE_WINS,
                Some(Side::Black) => BLACK_WINS,
                None => DRAWN,
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

/// Converts the shots in a game to problems. The solution of each problem is the line of the shot.
/// `name` identifies the game in the `Round` tag.
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
