//! Ratings of all players of a tournament, computed from the results of all games.
//!
//! The model is that of Bradley and Terry (*Rank analysis of incomplete block designs*, 1952) with
//! draws counted as half a win and an advantage for White: the ratings are chosen so that each
//! player's expected points equal its actual points. The difference between two ratings therefore
//! means the same as the Elo difference of a match, whatever the draw rate, and agrees with that
//! computed by the program Ordo.
//!
//! The errors are computed from the observed variance of the pairs of games (the estimator of Liang
//! and Zeger, *Longitudinal data analysis using generalized linear models*, 1986). This requires no
//! model of draws, and does not assume that the two games of a pair are independent.

mod fit;

use std::collections::BTreeMap;
use std::f64::consts::{LN_10, SQRT_2};

use serde::Serialize;

use crate::game::GameResult;

use super::Estimate;
use super::elo::Z_95;
use fit::{Fit, FitGame, GameAgainst};

/// Elo per unit of the natural logarithm of the odds.
const SCALE: f64 = 400.0 / LN_10;
/// The maximum number of players that can be rated; the running time is cubic in this number.
pub const MAX_RATED_PLAYERS: usize = 1000;

/// One or two games between the same players; two games start from the same opening.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GamePair {
    /// The indices of the players.
    pub players: [usize; 2],
    /// The results of the first player, as White and as Black; `None` for a game not played.
    pub results: [Option<GameResult>; 2],
}

/// The games of a tournament.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RatedGames(BTreeMap<GamePair, u64>);

/// How the ratings are anchored.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RatingScale {
    /// The mean of all known ratings is this value.
    Average(f64),
    /// The player with this index has this rating.
    Anchor(usize, f64),
}

/// The ratings of the players of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// The rating of each player, in Elo. A player that won or lost all its games against rated
    /// players has only a bound; a player without such games has neither.
    pub players: Vec<Estimate>,
    /// White's advantage, in Elo.
    pub white_advantage: Estimate,
    /// The row of each player in the fit; `None` for a player without a rating.
    rows: Vec<Option<usize>>,
    fit: Option<Fit>,
}

/// Why a tournament cannot be rated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingError {
    /// Too many players.
    #[error("{0} players have both won and lost points; at most {MAX_RATED_PLAYERS} can be rated")]
    TooManyPlayers(usize),
    /// The anchor has no rating.
    #[error(
        "the anchor has no rating: it won or lost all its games, or played none against rated players"
    )]
    Anchor,
}

impl RatedGames {
    /// Adds `count` pairs with the same players and results.
    pub fn add(&mut self, pair: GamePair, count: u64) {
        *self.0.entry(pair).or_default() += count;
    }

    /// Adds a single game, given White's result.
    pub fn add_game(&mut self, white: usize, black: usize, result: GameResult) {
        self.add(GamePair { players: [white, black], results: [Some(result), None] }, 1);
    }

    /// The games of a player against players that have a row.
    fn against(&self, player: usize, rows: &[Option<usize>]) -> Vec<GameAgainst> {
        let mut games = Vec::new();
        for (pair, &count) in &self.0 {
            let Some(place) = pair.players.iter().position(|&other| other == player) else {
                continue;
            };
            let Some(row) = rows[pair.players[1 - place]] else { continue };
            for (result, first_is_white) in pair.results.into_iter().zip([true, false]) {
                let Some(result) = result else { continue };
                let (is_white, result) = match place {
                    0 => (first_is_white, result),
                    _ => (!first_is_white, result.reversed()),
                };
                games.push(GameAgainst { row, is_white, result, count: count as f64 });
            }
        }
        games
    }

    /// The number of games and the points of each player.
    fn points(&self, players: usize) -> Vec<(u64, f64)> {
        let mut all = vec![(0, 0.0); players];
        for (pair, &count) in &self.0 {
            for result in pair.results.into_iter().flatten() {
                for (player, result) in pair.players.into_iter().zip([result, result.reversed()]) {
                    all[player].0 += count;
                    all[player].1 += count as f64 * points(result);
                }
            }
        }
        all
    }

    /// The pairs between players that have a row, with their counts. `rows` maps players to rows.
    fn pairs(&self, rows: &[Option<usize>]) -> Vec<(Vec<FitGame>, f64)> {
        let pairs = self.0.iter().filter_map(|(pair, &count)| {
            let [first, second] = pair.players;
            let (first, second) = (rows[first]?, rows[second]?);
            let [white, black] = pair.results;
            let white = white.map(|result| (first, second, points(result)));
            let black = black.map(|result| (second, first, points(result.reversed())));
            Some((white.into_iter().chain(black).collect(), count as f64))
        });
        pairs.collect()
    }
}

/// The points for a result, 0 to 1.
fn points(result: GameResult) -> f64 {
    f64::from(result.half_points()) / 2.0
}

impl Ratings {
    /// Rates the players with indices from 0 to `players` - 1. If no two of them took points from
    /// each other, one of them has a rating, to which the bounds of the others refer.
    ///
    /// # Errors
    ///
    /// See [`RatingError`].
    pub fn new(
        games: &RatedGames,
        players: usize,
        scale: RatingScale,
    ) -> Result<Self, RatingError> {
        let mut group = connected_group(games, players);
        if group.is_empty() {
            group.extend(reference(games, players, scale));
        }
        if group.len() > MAX_RATED_PLAYERS {
            return Err(RatingError::TooManyPlayers(group.len()));
        }
        let mut rows = vec![None; players];
        for (row, &player) in group.iter().enumerate() {
            rows[player] = Some(row);
        }
        let fit = (!group.is_empty()).then(|| Fit::new(&games.pairs(&rows), group.len()));
        let mut ratings = Ratings {
            players: vec![Estimate::default(); players],
            white_advantage: Estimate::default(),
            rows,
            fit,
        };
        ratings.set_estimates(games, scale)?;
        Ok(ratings)
    }

    /// The probability that one player is stronger than another, given a uniform prior; `None` if
    /// one of them has no rating, or there are too few games.
    pub fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        let fit = self.fit.as_ref()?;
        let (one, other) = (self.rows[one]?, self.rows[other]?);
        let variance = fit.variance_of_difference(one, other)?;
        let deviation = Some(variance.sqrt()).filter(|&deviation| deviation > 0.0)?;
        let deviations = (fit.values[one] - fit.values[other]) / deviation;
        Some(libm::erfc(-deviations / SQRT_2) / 2.0)
    }

    fn set_estimates(&mut self, games: &RatedGames, scale: RatingScale) -> Result<(), RatingError> {
        let Some(fit) = &self.fit else {
            return match scale {
                RatingScale::Average(_) => Ok(()),
                RatingScale::Anchor(..) => Err(RatingError::Anchor),
            };
        };
        let count = fit.values.len() - 1;
        let (anchor, shift) = match scale {
            RatingScale::Average(elo) => (None, elo),
            RatingScale::Anchor(player, elo) => {
                let row = self.rows[player].ok_or(RatingError::Anchor)?;
                (Some(row), elo - SCALE * fit.values[row])
            }
        };
        for (player, row) in self.rows.iter().enumerate() {
            self.players[player] = match row {
                Some(row) => {
                    let variance = match anchor {
                        Some(anchor) => fit.variance_of_difference(*row, anchor),
                        None => fit.variance(*row),
                    };
                    estimate(SCALE * fit.values[*row] + shift, variance)
                }
                None => {
                    let (low, high) = fit.bound(&games.against(player, &self.rows));
                    let [low, high] = [low, high].map(|end| end.map(|end| SCALE * end + shift));
                    Estimate { value: None, low, high }
                }
            };
        }
        if count > 1 {
            self.white_advantage = estimate(SCALE * fit.values[count], fit.variance(count));
        }
        Ok(())
    }
}

/// An estimate in Elo with the given variance in logarithmic units.
fn estimate(elo: f64, variance: Option<f64>) -> Estimate {
    let margin = variance.map(|variance| Z_95 * SCALE * variance.sqrt());
    Estimate {
        value: Some(elo),
        low: margin.map(|margin| elo - margin),
        high: margin.map(|margin| elo + margin),
    }
}

/// The player to rate if none can be compared with another: the anchor, or else the one with the
/// score nearest to one half. `None` if it has no games.
fn reference(games: &RatedGames, players: usize, scale: RatingScale) -> Option<usize> {
    let points = games.points(players);
    let distance = |player: usize| {
        let (games, points) = points[player];
        (points / games as f64 - 0.5).abs()
    };
    let is_candidate = |&player: &usize| match scale {
        RatingScale::Anchor(anchor, _) => player == anchor,
        RatingScale::Average(_) => true,
    };
    let has_games = |&player: &usize| points[player].0 > 0;
    let candidates = (0..players).filter(is_candidate).filter(has_games);
    candidates.min_by(|&one, &other| distance(one).total_cmp(&distance(other)))
}

/// The connected group of players with the most games, in ascending order. In a connected group,
/// every player has taken points from every other, directly or through other players; only within
/// such a group are ratings finite (L. R. Ford, *Solution of a ranking problem from binary
/// comparisons*, 1957).
fn connected_group(games: &RatedGames, players: usize) -> Vec<usize> {
    let (mut beaten, mut beaten_by) = (vec![Vec::new(); players], vec![Vec::new(); players]);
    let mut played = vec![0; players];
    for (pair, count) in &games.0 {
        let [first, second] = pair.players;
        for result in pair.results.into_iter().flatten() {
            played[first] += count;
            played[second] += count;
            if result != GameResult::Loss {
                beaten[first].push(second);
                beaten_by[second].push(first);
            }
            if result != GameResult::Win {
                beaten[second].push(first);
                beaten_by[first].push(second);
            }
        }
    }
    let mut best = (0, Vec::new());
    let mut is_grouped = vec![false; players];
    for start in 0..players {
        if is_grouped[start] {
            continue;
        }
        let (below, above) = (reachable(start, &beaten), reachable(start, &beaten_by));
        let group: Vec<_> = (0..players).filter(|&player| below[player] && above[player]).collect();
        group.iter().for_each(|&player| is_grouped[player] = true);
        let games: u64 = group.iter().map(|&player| played[player]).sum();
        if games > best.0 && group.len() > 1 {
            best = (games, group);
        }
    }
    best.1
}

/// For each player, whether it can be reached from `start`, given the players `next` to each.
fn reachable(start: usize, next: &[Vec<usize>]) -> Vec<bool> {
    let mut is_reached = vec![false; next.len()];
    let mut left = vec![start];
    is_reached[start] = true;
    while let Some(player) = left.pop() {
        for &other in &next[player] {
            if !std::mem::replace(&mut is_reached[other], true) {
                left.push(other);
            }
        }
    }
    is_reached
}

/// The ratings of a tournament, as printed. Its JSON form is the output of `manoury match --rate
/// --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingTable {
    /// The players, in the order in which they were given.
    pub players: Vec<RatingRow>,
    /// White's advantage, in Elo.
    pub white_advantage: Estimate,
}

/// The rating of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingRow {
    /// The name of the player.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The share of points, 0 to 1; `None` without games.
    pub score: Option<f64>,
    /// The rating, in Elo.
    pub elo: Estimate,
    /// The probability of being stronger than each of the players, in the order of the table;
    /// `None` where unknown.
    pub superiority: Vec<Option<f64>>,
}

impl RatingTable {
    /// Creates the table of the players with these names.
    ///
    /// # Errors
    ///
    /// See [`RatingError`].
    pub fn new(
        names: &[String],
        games: &RatedGames,
        scale: RatingScale,
    ) -> Result<Self, RatingError> {
        Ok(Self::of_ratings(names, games, &Ratings::new(games, names.len(), scale)?))
    }

    /// Creates a table in which all ratings are unknown.
    pub fn unrated(names: &[String], games: &RatedGames) -> Self {
        let ratings = Ratings {
            players: vec![Estimate::default(); names.len()],
            white_advantage: Estimate::default(),
            rows: vec![None; names.len()],
            fit: None,
        };
        Self::of_ratings(names, games, &ratings)
    }

    fn of_ratings(names: &[String], games: &RatedGames, ratings: &Ratings) -> Self {
        let counts = games.points(names.len());
        let players = names.iter().zip(&ratings.players).zip(counts).enumerate();
        let players = players.map(|(player, ((name, &elo), (games, points)))| RatingRow {
            name: name.clone(),
            games,
            score: (games > 0).then(|| points / games as f64),
            elo,
            superiority: (0..names.len())
                .map(|other| ratings.superiority(player, other).filter(|_| player != other))
                .collect(),
        });
        RatingTable { players: players.collect(), white_advantage: ratings.white_advantage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult::{Draw, Loss, Win};

    fn pair(players: [usize; 2], results: [GameResult; 2]) -> GamePair {
        GamePair { players, results: results.map(Some) }
    }

    fn rate(games: &RatedGames, players: usize) -> Ratings {
        Ratings::new(games, players, RatingScale::Average(0.0)).unwrap()
    }

    fn assert_near(one: Option<f64>, other: f64) {
        let one = one.unwrap();
        assert!((one - other).abs() < 0.05, "{one} is not {other}");
    }

    /// The ratings of two players differ by the Elo of their match.
    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let mut games = RatedGames::default();
        let mut pairs = super::super::Pentanomial::default();
        // White has no advantage.
        let results = [
            ([Win, Draw], 15),
            ([Draw, Win], 15),
            ([Draw, Draw], 50),
            ([Loss, Draw], 6),
            ([Draw, Loss], 6),
            ([Win, Loss], 4),
            ([Loss, Win], 4),
        ];
        for (results, count) in results {
            games.add(pair([0, 1], results), count);
            (0..count).for_each(|_| pairs.add(results));
        }
        let elo = super::super::logistic_elo(&pairs);
        let ratings = rate(&games, 2);
        let [one, two] = ratings.players[..] else { panic!() };
        assert!((one.value.unwrap() - two.value.unwrap() - elo.value.unwrap()).abs() < 0.1);
        // Each rating has half the margin of their difference.
        assert!((2.0 * one.margin().unwrap() / elo.margin().unwrap() - 1.0).abs() < 0.02);
        let anchored = Ratings::new(&games, 2, RatingScale::Anchor(1, 2000.0)).unwrap();
        assert_near(anchored.players[0].value, 2000.0 + elo.value.unwrap());
        assert_eq!(anchored.players[1].margin(), Some(0.0));
        let superiority = super::super::superiority(&pairs).unwrap();
        assert!((ratings.superiority(0, 1).unwrap() - superiority).abs() < 0.005);
    }

    #[test]
    fn who_won_or_lost_everything_has_a_bound() {
        let mut games = RatedGames::default();
        for results in
            [[Win, Draw], [Draw, Win], [Win, Draw], [Draw, Win], [Loss, Draw], [Draw, Loss]]
        {
            games.add(pair([0, 1], results), 1);
        }
        games.add(pair([2, 0], [Win, Win]), 10);
        games.add(pair([1, 3], [Win, Win]), 10);
        let ratings = rate(&games, 5);
        let [first, _, winner, loser, absent] = ratings.players[..] else { panic!() };
        // At an expected score of 86 %, or 316 Elo, the probability of 20 wins in 20 games is 5 %.
        assert_eq!((winner.value, winner.high), (None, None));
        assert!((winner.low.unwrap() - first.value.unwrap() - 316.0).abs() < 3.0, "{winner:?}");
        assert!(loser.value.is_none() && loser.low.is_none() && loser.high.unwrap() < -300.0);
        assert_eq!(absent, Estimate::default());
        assert_eq!(ratings.superiority(2, 0), None);
        let anchor = Ratings::new(&games, 5, RatingScale::Anchor(2, 0.0));
        assert_eq!(anchor, Err(RatingError::Anchor));
    }

    #[test]
    fn without_comparable_players_the_others_have_bounds_to_one_of_them() {
        let mut games = RatedGames::default();
        // The third wins all games and the first loses all.
        for players in [[1, 0], [2, 0], [2, 1]] {
            games.add(pair(players, [Win, Win]), 10);
        }
        let ratings = rate(&games, 3);
        let [weak, middle, strong] = ratings.players[..] else { panic!() };
        assert_eq!(middle, Estimate { value: Some(0.0), low: None, high: None });
        assert!((strong.low.unwrap() - 316.0).abs() < 3.0 && strong.high.is_none());
        assert_near(weak.high, -strong.low.unwrap());
        assert_eq!(ratings.white_advantage, Estimate::default());
        let anchored = Ratings::new(&games, 3, RatingScale::Anchor(2, 1000.0)).unwrap();
        assert_near(anchored.players[2].value, 1000.0);
        assert_near(anchored.players[1].high, 1000.0 - strong.low.unwrap());
    }

    #[test]
    fn white_may_win_everything() {
        let mut games = RatedGames::default();
        games.add(pair([0, 1], [Win, Loss]), 20);
        let ratings = rate(&games, 2);
        assert_near(ratings.players[0].value, 0.0);
        assert!(ratings.white_advantage.value.unwrap() > 300.0);
    }

    #[test]
    fn nobody_is_rated_without_games() {
        assert_eq!(rate(&RatedGames::default(), 3).players, vec![Estimate::default(); 3]);
    }
}
