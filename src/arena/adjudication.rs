//! Adjudication: ends games early once their result is clear. Each kind of adjudication is
//! optional.

use serde::{Deserialize, Serialize};

use crate::board::Side;

use super::played::Termination;

/// The rules for ending games early.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// When to adjudicate a win for the side that both engines score as winning.
    pub win: Option<Agreement>,
    /// When to adjudicate a draw because both engines score the position as even.
    pub draw: Option<Agreement>,
    /// Number of moves per side, including the opening, before which equal scores do not end the
    /// game.
    pub draw_after: u32,
    /// Number of moves per side, including the opening, after which any game is adjudicated as a
    /// draw.
    pub length: Option<u32>,
    /// Whether a game ends as soon as the bitbases contain its result.
    #[serde(default)]
    pub bitbases: bool,
}

/// A condition on the scores of both engines.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Agreement {
    /// Threshold in men: the minimum score for a win, or the maximum absolute score for a draw.
    pub score: f64,
    /// The number of consecutive moves of each engine for which the score must meet the condition.
    pub moves: u32,
}

/// Tracks the scores of one game.
#[derive(Clone, Copy, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    plies: u32,
    /// For each side: number of consecutive plies, up to the last, with a winning score for this
    /// side.
    wins: [u32; 2],
    /// Number of consecutive plies, up to the last, whose score is even.
    even: u32,
    /// The last score of each side, in men, from its own point of view.
    scores: [Option<f64>; 2],
}

impl Adjudicator {
    /// Creates the adjudicator of a game whose opening has `plies` plies.
    pub fn new(rules: Adjudication, plies: usize) -> Adjudicator {
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        Adjudicator { rules, plies, wins: [0; 2], even: 0, scores: [None; 2] }
    }

    /// Records the score that `side` reported with its move. A missing score counts as
    /// disagreement.
    pub fn add(&mut self, side: Side, score: Option<f64>) {
        self.plies = self.plies.saturating_add(1);
        self.scores[side.index()] = score;
        let count = |streak: &mut u32, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        if let Some(win) = self.rules.win {
            let [ours, theirs] = [side, side.opponent()].map(Side::index);
            count(&mut self.wins[ours], score.is_some_and(|score| score >= win.score));
            count(&mut self.wins[theirs], score.is_some_and(|score| score <= -win.score));
        }
        if let Some(draw) = self.rules.draw {
            count(&mut self.even, score.is_some_and(|score| score.abs() <= draw.score));
        }
    }

    /// The winner (`None` for a draw) and the reason, if the game should end now.
    pub fn verdict(&self) -> Option<(Option<Side>, Termination)> {
        let is_long = |streak: u32, agreement: Option<Agreement>| {
            agreement.is_some_and(|agreement| streak >= plies(agreement.moves))
        };
        let winner =
            Side::ALL.into_iter().find(|side| is_long(self.wins[side.index()], self.rules.win));
        if winner.is_some() {
            return Some((winner, Termination::AgreedWin));
        }
        if is_long(self.even, self.rules.draw) && self.plies >= plies(self.rules.draw_after) {
            return Some((None, Termination::AgreedDraw));
        }
        let is_over = self.rules.length.is_some_and(|moves| self.plies >= plies(moves));
        is_over.then_some((None, Termination::Length))
    }

    /// Whether the last score reported by the opponent of `side` agrees with a win for `winner`, or
    /// with a draw if `winner` is `None`.
    pub fn agrees_with(&self, side: Side, winner: Option<Side>) -> bool {
        let agreement = if winner.is_some() { self.rules.win } else { self.rules.draw };
        let score = self.scores[side.opponent().index()];
        let Some((agreement, score)) = agreement.zip(score) else { return false };
        match winner {
            None => score.abs() <= agreement.score,
            Some(winner) if winner == side => score <= -agreement.score,
            Some(_) => score >= agreement.score,
        }
    }
}

/// The number of plies in which each side makes this number of moves.
fn plies(moves: u32) -> u32 {
    moves.saturating_mul(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjudicator(scores: &[f64]) -> Adjudicator {
        let rules = Adjudication {
            win: Some(Agreement { score: 5.0, moves: 2 }),
            draw: Some(Agreement { score: 0.1, moves: 2 }),
            draw_after: 3,
            length: Some(10),
            bitbases: false,
        };
        let mut adjudicator = Adjudicator::new(rules, 0);
        for (index, &score) in scores.iter().enumerate() {
            adjudicator.add(Side::ALL[index % 2], Some(score));
        }
        adjudicator
    }

    #[test]
    fn needs_winning_scores_of_both_engines() {
        let win = |side| Some((Some(side), Termination::AgreedWin));
        assert_eq!(adjudicator(&[6.0, -6.0, 6.0, -5.0]).verdict(), win(Side::White));
        assert_eq!(adjudicator(&[-6.0, 6.0, -6.0, 5.0]).verdict(), win(Side::Black));
        assert_eq!(adjudicator(&[6.0, -6.0, 6.0, -4.9]).verdict(), None);
        assert_eq!(adjudicator(&[6.0, 6.0, 6.0, 6.0]).verdict(), None);
    }

    #[test]
    fn waits_before_adjudicating_a_draw() {
        assert_eq!(adjudicator(&[0.0; 4]).verdict(), None);
        assert_eq!(adjudicator(&[0.0; 6]).verdict(), Some((None, Termination::AgreedDraw)));
        assert_eq!(adjudicator(&[0.0, 0.0, 0.0, 0.0, 0.5, 0.0]).verdict(), None);
    }

    #[test]
    fn draws_long_games() {
        assert_eq!(adjudicator(&[1.0; 19]).verdict(), None);
        assert_eq!(adjudicator(&[1.0; 20]).verdict(), Some((None, Termination::Length)));
    }

    #[test]
    fn numbers_of_moves_do_not_wrap() {
        let mut adjudicator = adjudicator(&[6.0; 2]);
        let many = 1 << 31;
        adjudicator.rules.length = Some(many);
        adjudicator.rules.win = Some(Agreement { score: 5.0, moves: many });
        assert_eq!(adjudicator.verdict(), None);
    }

    #[test]
    fn treats_a_missing_score_as_disagreement() {
        let mut adjudicator = adjudicator(&[0.0; 3]);
        adjudicator.add(Side::Black, None);
        adjudicator.add(Side::White, Some(0.0));
        adjudicator.add(Side::Black, Some(0.0));
        assert_eq!(adjudicator.verdict(), None);
        assert!(adjudicator.agrees_with(Side::White, None));
        adjudicator.add(Side::Black, None);
        assert!(!adjudicator.agrees_with(Side::White, None));
    }

    #[test]
    fn claims_need_the_opponents_score() {
        let adjudicator = adjudicator(&[6.0, -6.0]);
        assert!(adjudicator.agrees_with(Side::White, Some(Side::White)));
        assert!(!adjudicator.agrees_with(Side::Black, Some(Side::Black)));
        assert!(!adjudicator.agrees_with(Side::White, None));
    }
}
