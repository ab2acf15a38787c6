//! Reviews of games: the loss and the mark of each move, and the accuracy of each player.

use crate::bitbase::Value;
use crate::board::{Move, Side};
use crate::book::Book;
use crate::erased::{Bitbases, Game, Position};
use crate::eval::{Evaluation, MARGIN_STEP};
use crate::score::Score;

use super::shots::{self, Shot};

/// The depth, in plies, of a search that finds only the obvious moves.
pub const SHALLOW_DEPTH: u32 = 5;

/// The search result for a position.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchOutcome {
    /// The score for the side to move.
    pub score: Score,
    /// The depth in plies; 0 if the position was not searched.
    pub depth: u32,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
    /// The score of the second-best move, if it was searched.
    pub second: Option<Score>,
    /// Whether a shallow search also finds the best move.
    pub is_obvious: bool,
    /// Whether there was only one legal move.
    pub is_forced: bool,
}

impl SearchOutcome {
    /// Whether the second-best move is known to be much worse than the best.
    pub fn has_only_good_move(&self) -> bool {
        self.leads_by(ONLY_MOVE_LOSS)
    }

    /// Whether a move is best, by at least `lead` points, and was neither obvious nor forced. No
    /// capture counts, because most captures are obvious recaptures.
    pub(super) fn may_be_only(&self, mv: Move, lead: f64) -> bool {
        let is_best = self.line.first() == Some(&mv);
        is_best && !self.is_obvious && !mv.is_capture() && self.leads_by(lead)
    }

    /// Whether the second-best move is known to be worse by at least `lead` points.
    fn leads_by(&self, lead: f64) -> bool {
        let points = |score| Chances::from_score(score).points();
        self.second.is_some_and(|second| points(self.score) - points(second) >= lead)
    }
}

/// A reviewed game.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The moves.
    pub plies: Vec<ReviewedPly>,
    /// The score of the last position, for the side to move.
    pub last: Score,
    /// The ply at which the game first reaches a bitbase position, and the winner with best play
    /// from there (`None` for a draw).
    pub ending: Option<(usize, Option<Side>)>,
    /// The ply of the first move after which the book has no moves; `None` if the book has none from
    /// the start, or still has some at the end.
    pub leaves_book: Option<usize>,
    /// The shots that are combinations and whose first move is the only good one.
    pub shots: Vec<FoundShot>,
}

/// A shot in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundShot {
    /// The ply at which the shot was available.
    pub ply: usize,
    /// The shot.
    pub shot: Shot,
    /// Whether it was played.
    pub is_played: bool,
}

/// A reviewed move. Scores are for the side that played it.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedPly {
    /// The side that played the move.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// The score before the move, assuming the best move.
    pub before: Score,
    /// The score after the move.
    pub after: Score,
    /// Expected points lost, 0 to 1 (a win is 1).
    pub loss: f64,
    /// Whether it was the only legal move.
    pub is_forced: bool,
    /// The best line, if another move would have been clearly better.
    pub better: Vec<Move>,
    /// The depth of the search before the move.
    pub depth: u32,
    /// The mark of the move, if any.
    pub mark: Option<Mark>,
}

/// The quality of a player's moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerReview {
    /// Accuracy in percent; `None` if all moves were forced.
    pub accuracy: Option<f64>,
    /// The mean points lost by moves that were not forced.
    pub mean_loss: f64,
    /// Inaccuracies, mistakes and blunders.
    pub faults: [usize; 3],
}

impl Review {
    /// Creates the review of a game from the search outcomes of its positions, in order.
    ///
    /// # Panics
    ///
    /// Panics unless there is one outcome for each position.
    pub fn new(
        game: &Game,
        outcomes: &[SearchOutcome],
        bitbases: &Bitbases,
        book: Option<&Book>,
    ) -> Review {
        let (positions, moves) = (game.positions(), game.moves());
        assert_eq!(positions.len(), outcomes.len(), "one outcome per position");
        let plies = moves.iter().zip(&positions).zip(outcomes.windows(2));
        let plies = plies.map(|((&mv, position), pair)| {
            ReviewedPly::new(position.side(), mv, &pair[0], &pair[1])
        });
        Review {
            plies: plies.collect(),
            last: outcomes.last().map_or(Score::DRAW, |outcome| outcome.score),
            ending: ending(game, bitbases),
            leaves_book: book.and_then(|book| leaves_book(&positions, book)),
            shots: found_shots(&positions, &moves, outcomes),
        }
    }

    /// The shot available at a ply.
    pub fn shot(&self, ply: usize) -> Option<&FoundShot> {
        self.shots.iter().find(|shot| shot.ply == ply)
    }

    /// The quality of a side's moves.
    pub fn player(&self, side: Side) -> PlayerReview {
        let own = self.plies.iter().filter(|ply| ply.side == side && !ply.is_forced);
        let losses: Vec<_> = own.clone().map(|ply| ply.loss).collect();
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            // The sum of no values would be -0.0.
            if losses.is_empty() { 0.0 } else { values.sum::<f64>() / losses.len() as f64 }
        };
        let faults = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];
        PlayerReview {
            accuracy: (!losses.is_empty())
                .then(|| mean(&mut losses.iter().map(|&loss| accuracy(loss)))),
            mean_loss: mean(&mut losses.iter().copied()),
            faults: faults.map(|mark| own.clone().filter(|ply| ply.mark == Some(mark)).count()),
        }
    }
}

impl ReviewedPly {
    /// Rates a move from the search outcomes before and after it.
    pub(super) fn new(
        side: Side,
        mv: Move,
        before: &SearchOutcome,
        after: &SearchOutcome,
    ) -> ReviewedPly {
        let is_best = before.line.first() == Some(&mv);
        let score = -after.score;
        let points = |score| Chances::from_score(score).points();
        // The best move loses nothing, even if the search after it sees further and finds a lower
        // score.
        let loss = match is_best || before.is_forced {
            true => 0.0,
            false => (points(before.score) - points(score)).max(0.0),
        };
        let is_only = before.may_be_only(mv, ONLY_MOVE_LOSS);
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

/// Finds the shots in a game. A shot counts only if it is a combination and its first move is the
/// only good move, so no shots are found for a side that is winning anyway.
fn found_shots(
    positions: &[Position],
    moves: &[Move],
    outcomes: &[SearchOutcome],
) -> Vec<FoundShot> {
    let plies = moves.iter().zip(positions).zip(outcomes).enumerate();
    plies
        .filter(|(_, (_, outcome))| outcome.has_only_good_move())
        .filter_map(|(ply, ((played, position), outcome))| {
            let shot = combination(position, ply.checked_sub(1).map(|last| moves[last]))?;
            let key = *shot.line.first()?;
            let is_best = outcome.line.first() == Some(&key);
            is_best.then_some(FoundShot { ply, is_played: key == *played, shot })
        })
        .collect()
}

/// The combination in a position, given the move that led to it. There is none after a capture,
/// because recapturing is not a shot.
pub(super) fn combination(position: &Position, last: Option<Move>) -> Option<Shot> {
    if last.is_some_and(|mv| mv.is_capture()) {
        return None;
    }
    shots::find(position).filter(|shot| shot.is_combination(position))
}

/// The ply at which the game first reaches a bitbase position, and the winner with best play from
/// there. A win that a move limit prevents counts as a draw.
fn ending(game: &Game, bitbases: &Bitbases) -> Option<(usize, Option<Side>)> {
    let positions = game.positions();
    let (ply, value) = positions.iter().enumerate().find_map(|(ply, position)| {
        let verdict = bitbases.probe(position).filter(|_| position.has_move())?;
        Some((ply, verdict.value))
    })?;
    let mut game = game.clone();
    while game.plies() > ply {
        game.undo();
    }
    let side = game.position().side();
    let winner = match value {
        Value::Draw => None,
        _ if bitbases.wins_within_move_limits(&game) == Some(false) => None,
        Value::Win => Some(side),
        Value::Loss => Some(side.opponent()),
    };
    Some((ply, winner))
}

/// See [`Review::leaves_book`]. The move itself is always in the book: a position with moves has all
/// legal ones, but most of the positions after them are leaves.
fn leaves_book(positions: &[Position], book: &Book) -> Option<usize> {
    let has_moves = |position: &Position| !book.moves(position).is_empty();
    let (first, after) = positions.split_first()?;
    after.iter().position(|position| !has_moves(position)).filter(|_| has_moves(first))
}

/// A mark for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// `!`: the only good move, if a shallow search does not find it and it is neither a capture
    /// nor the only legal move.
    Only,
    /// `?!`: a loss of at least 0.05 points.
    Inaccuracy,
    /// `?`: a loss of at least 0.10 points.
    Mistake,
    /// `??`: a loss of at least 0.20 points.
    Blunder,
}

/// The best move is the only good one if the second-best is worse by at least this many points.
const ONLY_MOVE_LOSS: f64 = 0.15;

impl Mark {
    /// The mark of a move with the given loss of points; `None` if the loss is small.
    fn of_loss(loss: f64) -> Option<Mark> {
        match loss {
            0.20.. => Some(Mark::Blunder),
            0.10.. => Some(Mark::Mistake),
            0.05.. => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// All marks.
    pub const ALL: [Mark; 4] = [Mark::Only, Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The name of the mark in a comment.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Only => "only move",
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }

    /// The mark as written in PDN.
    pub fn as_str(self) -> &'static str {
        match self {
            Mark::Only => "!",
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// The accuracy, in percent, of a move with the given loss of points. Uses the formula of
/// lichess.org, which is familiar to players (<https://lichess.org/page/accuracy>), with expected
/// points in place of the win percentage.
fn accuracy(loss: f64) -> f64 {
    match loss > 0.0 {
        // For a loss of 0, the formula gives slightly less than 100.
        true => (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0),
        false => 100.0,
    }
}

/// The chances of winning and losing a game, for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// The probability of a win, 0 to 1.
    pub win: f64,
    /// The probability of a loss, 0 to 1.
    pub loss: f64,
}

/// The lead at which half of all games are won, and the increase in lead that multiplies the odds
/// of a win by e, both in hundredths of a man. Fitted to 49,000 searches in 800 games of this
/// engine against Scan 2.0 at 0.1 s per move (wins: 7% with no lead, 68% with a lead of one man,
/// 92% with two).
const HALF_WIN_LEAD: f64 = 90.0;
const ODDS_STEP: f64 = 35.0;

impl Chances {
    /// The chances for a score.
    pub fn from_score(score: Score) -> Chances {
        let is_won = |score: Score| score.is_decisive() && score > Score::DRAW;
        match score {
            score if is_won(score) => Chances { win: 1.0, loss: 0.0 },
            score if is_won(-score) => Chances { win: 0.0, loss: 1.0 },
            Score(lead) => Chances::with(lead.into(), HALF_WIN_LEAD, ODDS_STEP),
        }
    }

    /// The chances that an evaluation predicts for a quiet position, in games at 200 nodes per
    /// move; `None` if the evaluation was not trained to predict them.
    pub fn from_evaluation(evaluation: &Evaluation, position: &Position) -> Option<Chances> {
        let margin = position.margin(evaluation)?;
        let Score(lead) = position.score(evaluation);
        Some(Chances::with(lead.into(), margin.into(), MARGIN_STEP.into()))
    }

    /// The chances for a lead, given the lead at which half of all games are won (`half`) and the
    /// increase in lead that multiplies the odds of a win by e (`step`).
    fn with(lead: f64, half: f64, step: f64) -> Chances {
        let logistic = |lead: f64| 1.0 / (1.0 + ((half - lead) / step).exp());
        Chances { win: logistic(lead), loss: logistic(-lead) }
    }

    /// Expected points: 1 for a win, 1/2 for a draw.
    pub fn points(self) -> f64 {
        0.5 + (self.win - self.loss) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::hub;
    use crate::rules::Variant;

    fn outcome(score: i16, best: &str, position: &Position) -> SearchOutcome {
        SearchOutcome {
            score: Score(score),
            depth: 9,
            line: vec![hub::parse_move(position, best).unwrap()],
            second: None,
            is_obvious: false,
            is_forced: false,
        }
    }

    /// The review of a two-ply game: White plays 32-28 although 33-28 is best; Black plays the best
    /// move.
    fn review(scores: [i16; 3]) -> Review {
        let mut game = Game::new(Variant::International);
        for text in ["32-28", "18-23"] {
            game.play(hub::parse_move(game.position(), text).unwrap());
        }
        let positions = game.positions();
        let best = ["33-28", "18-23", "38-32"];
        let outcomes: Vec<_> =
            (0..3).map(|ply| outcome(scores[ply], best[ply], &positions[ply])).collect();
        let bitbases = Bitbases::none(Variant::International);
        Review::new(&game, &outcomes, &bitbases, None)
    }

    #[test]
    fn losses_are_expected_points_of_the_moving_side() {
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
    fn a_better_score_after_a_move_is_no_loss() {
        let review = review([0, -30, 30]);
        assert_eq!(review.plies[0].loss, 0.0);
        assert_eq!(review.player(Side::White).mean_loss, 0.0);
        // Without moves it is 0.0, not -0.0.
        let unplayed = Review { plies: Vec::new(), ..review };
        assert!(unplayed.player(Side::White).mean_loss.is_sign_positive());
    }

    #[test]
    fn marks_by_loss() {
        let marks = [0.0, 0.049, 0.05, 0.1, 0.2, 1.0].map(Mark::of_loss);
        let texts = marks.map(|mark| mark.map_or("", Mark::as_str));
        assert_eq!(texts, ["", "", "?!", "?", "??", "??"]);
    }

    #[test]
    fn accuracy_decreases_with_loss() {
        assert!(accuracy(0.0) > 99.9);
        assert!((60.0..70.0).contains(&accuracy(0.1)));
        assert_eq!(accuracy(1.0), 0.0);
    }

    #[test]
    fn chances_fit_played_games() {
        let level = Chances::from_score(Score::DRAW);
        assert!((0.05..0.09).contains(&level.win) && level.win == level.loss);
        assert_eq!(level.points(), 0.5);
        assert!((0.5..0.7).contains(&Chances::from_score(Score(100)).win));
        assert_eq!(Chances::from_score(Score::loss_in(6)).points(), 0.0);
        assert_eq!(Chances::from_score(Score::BITBASE_WIN).points(), 1.0);
        for score in -800..800 {
            assert!(
                Chances::from_score(Score(score)).points()
                    <= Chances::from_score(Score(score + 1)).points()
            );
        }
    }
}
