//! Reviews of games: what every move was worth.
//!
//! [`Examiner`] searches the positions of a game; [`Review`] draws the conclusions from what it
//! finds; [`annotate`] writes them into the record of the game.

mod annotate;
mod chances;
mod examiner;
mod marks;

pub use annotate::{annotate, problems};
pub use chances::Chances;
pub use examiner::{Examiner, Finding};
pub use marks::Mark;

use crate::board::{Move, Side};
use crate::book::Book;
use crate::erased::{Bitbases, Game, Position};
use crate::report::shots::{self, Shot};
use crate::score::Score;

/// A game and what its moves were worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The moves.
    pub plies: Vec<ReviewedPly>,
    /// The score at the end, for the side to move there.
    pub last: Score,
    /// The ply before which bitbases know the position for the first time, and the winner with
    /// best play, `None` for a draw.
    pub ending: Option<(usize, Option<Side>)>,
    /// The first ply that is not in the book, if there is a book and the game begins in it.
    pub leaves_book: Option<usize>,
    /// The shots that were there, as far as the search finds no better move.
    pub shots: Vec<FoundShot>,
}

/// A shot in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundShot {
    /// The ply before which it was there.
    pub ply: usize,
    /// The shot.
    pub shot: Shot,
    /// Whether it was played, not missed.
    pub is_played: bool,
}

/// A move and what it was worth. Scores are for the side that made it.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedPly {
    /// The side that made it.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// The score before it, with the best move.
    pub before: Score,
    /// The score after it.
    pub after: Score,
    /// The points it lost of 1 for a win, from 0 on.
    pub loss: f64,
    /// Whether it was the only legal move.
    pub is_forced: bool,
    /// The best line, if it begins with another move that would have been better.
    pub better: Vec<Move>,
    /// The depth of the search before it.
    pub depth: u32,
    /// What people would say to it.
    pub mark: Option<Mark>,
}

/// How a player did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerReview {
    /// Accuracy in percent; `None` without a move that was not forced.
    pub accuracy: Option<f64>,
    /// The mean points lost by a move that was not forced.
    pub mean_loss: f64,
    /// Inaccuracies, mistakes and blunders.
    pub faults: [usize; 3],
}

impl Review {
    /// The review of a game from the findings for each of its positions, the start first.
    ///
    /// # Panics
    ///
    /// There is not one finding for each position.
    pub fn new(
        game: &Game,
        findings: &[Finding],
        bitbases: &Bitbases,
        book: Option<&Book>,
    ) -> Review {
        let (positions, moves) = (game.positions(), game.moves());
        assert_eq!(positions.len(), findings.len(), "each position has a finding");
        let plies = moves.iter().zip(&positions).zip(findings.windows(2));
        let plies = plies.map(|((&mv, position), pair)| {
            ReviewedPly::new(position.side(), mv, &pair[0], &pair[1])
        });
        Review {
            plies: plies.collect(),
            last: findings.last().map_or(Score::DRAW, |finding| finding.score),
            ending: ending(&positions, bitbases),
            leaves_book: book.and_then(|book| leaves_book(&positions, &moves, book)),
            shots: found_shots(&positions, &moves, findings),
        }
    }

    /// The shot that was there before a ply.
    pub fn shot(&self, ply: usize) -> Option<&FoundShot> {
        self.shots.iter().find(|shot| shot.ply == ply)
    }

    /// How a side did.
    pub fn player(&self, side: Side) -> PlayerReview {
        let own = self.plies.iter().filter(|ply| ply.side == side && !ply.is_forced);
        let losses: Vec<_> = own.clone().map(|ply| ply.loss).collect();
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let count = losses.len().max(1) as f64;
            values.sum::<f64>() / count
        };
        let faults = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];
        PlayerReview {
            accuracy: (!losses.is_empty())
                .then(|| mean(&mut losses.iter().map(|&loss| marks::accuracy(loss)))),
            mean_loss: mean(&mut losses.iter().copied()),
            faults: faults.map(|mark| own.clone().filter(|ply| ply.mark == Some(mark)).count()),
        }
    }
}

impl ReviewedPly {
    fn new(side: Side, mv: Move, before: &Finding, after: &Finding) -> ReviewedPly {
        let is_best = before.line.first() == Some(&mv);
        let score = -after.score;
        let points = |score| Chances::of(score).points();
        // Of two searches, the later one sees further: a move that looked best loses nothing.
        let loss = match is_best || before.is_forced {
            true => 0.0,
            false => (points(before.score) - points(score)).max(0.0),
        };
        // That a capture takes back is nothing to praise.
        let is_only = is_best
            && !mv.is_capture()
            && before
                .second
                .is_some_and(|second| points(before.score) - points(second) >= marks::ONLY);
        let mark = if is_only { Some(Mark::Only) } else { Mark::of_loss(loss) };
        let better = match mark {
            Some(Mark::Only) | None => Vec::new(),
            Some(_) => before.line.clone(),
        };
        ReviewedPly {
            side,
            mv,
            before: before.score,
            after: score,
            loss,
            is_forced: before.is_forced,
            better,
            depth: before.depth,
            mark,
        }
    }
}

/// The shots of a game whose first move is also the best one that the search has found. After a
/// capture of the opponent there is none: taking a man back is no shot.
fn found_shots(positions: &[Position], moves: &[Move], findings: &[Finding]) -> Vec<FoundShot> {
    let plies = moves.iter().zip(positions).zip(findings).enumerate();
    plies
        .filter(|(ply, _)| *ply == 0 || !moves[ply - 1].is_capture())
        .filter_map(|(ply, ((played, position), finding))| {
            let shot = shots::find(position)?;
            let key = shot.line.first()?;
            let is_best = finding.line.first() == Some(key);
            is_best.then(|| FoundShot { ply, is_played: key == played, shot: shot.clone() })
        })
        .collect()
}

/// The first position that bitbases know, and its winner.
fn ending(positions: &[Position], bitbases: &Bitbases) -> Option<(usize, Option<Side>)> {
    use crate::bitbase::Value;
    positions.iter().enumerate().find_map(|(ply, position)| {
        if !position.has_move() {
            return None;
        }
        let winner = match bitbases.verdict(position)?.value {
            Value::Win => Some(position.side()),
            Value::Draw => None,
            Value::Loss => Some(position.side().opponent()),
        };
        Some((ply, winner))
    })
}

/// The first ply that a book does not know, if it knows the position before it.
fn leaves_book(positions: &[Position], moves: &[Move], book: &Book) -> Option<usize> {
    let is_known =
        |ply: usize| book.moves(&positions[ply]).iter().any(|known| known.mv == moves[ply]);
    let first = (0..moves.len()).find(|&ply| !is_known(ply))?;
    (!book.moves(&positions[first]).is_empty()).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::hub;
    use crate::rules::Variant;

    fn finding(score: i16, best: &str, position: &Position) -> Finding {
        Finding {
            score: Score(score),
            depth: 9,
            line: vec![hub::parse_move(position, best).unwrap()],
            second: None,
            is_forced: false,
        }
    }

    /// A game of two plies and its review: White plays 32-28 where 33-28 was best, Black plays the
    /// best move.
    fn review(scores: [i16; 3]) -> Review {
        let mut game = Game::new(Variant::International);
        for text in ["32-28", "18-23"] {
            game.play(hub::parse_move(game.position(), text).unwrap());
        }
        let positions = game.positions();
        let best = ["33-28", "18-23", "38-32"];
        let findings: Vec<_> =
            (0..3).map(|ply| finding(scores[ply], best[ply], &positions[ply])).collect();
        let bitbases = Bitbases::none(Variant::International);
        Review::new(&game, &findings, &bitbases, None)
    }

    #[test]
    fn losses_are_points_of_the_side_that_moves() {
        let review = review([0, 100, -100]);
        let [white, black] = &review.plies[..] else { panic!() };
        assert_eq!((white.before, white.after), (Score(0), Score(-100)));
        assert!((0.25..0.35).contains(&white.loss), "{white:?}");
        assert_eq!(white.mark, Some(Mark::Blunder));
        assert_eq!(white.better.len(), 1);
        assert_eq!((black.loss, black.mark), (0.0, None));
        assert_eq!(review.player(Side::White).faults, [0, 0, 1]);
        assert_eq!(review.player(Side::Black).accuracy, Some(100.0));
        assert_eq!(review.ending, None);
    }

    #[test]
    fn a_move_that_turns_out_better_loses_nothing() {
        let review = review([0, -30, 30]);
        assert_eq!(review.plies[0].loss, 0.0);
        assert_eq!(review.player(Side::White).mean_loss, 0.0);
    }
}
