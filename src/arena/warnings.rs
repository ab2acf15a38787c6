//! Warnings about a match: signs that its results are unreliable although every game was played by
//! the rules.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::played::{PlayedGame, PlayedMove};

/// Minimum number of games for comparing the first quarter with the last.
const MIN_GAMES: usize = 16;
/// The maximum fraction of its speed that an engine may lose from the first quarter of its games to
/// the last without a warning. Different openings and game lengths alone change the speed of a
/// quarter by a few percent.
const SPEED_LOSS: f64 = 0.2;
/// The minimum score, in men, at which an engine counts as having considered a game won.
const LEAD: f64 = 2.0;
/// Minimum number of lost games with such a score for a warning, and their minimum fraction of all
/// lost games.
const MIN_LOST: u64 = 3;
const LOST_SHARE: f64 = 0.1;
/// The fraction of moves with a clock gap above which a warning is given.
const CLOCK_SHARE: f64 = 0.05;

/// Minimum number of repeated games for a warning, and their minimum fraction of all games.
const MIN_REPEATED: u64 = 3;
const REPEATED_SHARE: f64 = 0.02;

/// Counts the games that repeat an earlier game of the same engines move for move. Engines whose
/// moves do not depend on time repeat every game whose opening is played again.
#[derive(Clone, Debug, Default)]
pub struct RepeatedGames {
    /// Hashes of the games so far.
    seen: HashSet<u64>,
    repeated: u64,
}

impl RepeatedGames {
    /// Adds a game. One without a move of the engines repeats none.
    pub fn add(&mut self, played: &PlayedGame) {
        if played.moves.len() <= played.opening_plies {
            return;
        }
        let mut hasher = DefaultHasher::new();
        (played.slot.white, played.slot.black, &played.fen).hash(&mut hasher);
        played.moves.iter().for_each(|mv| mv.mv.hash(&mut hasher));
        self.repeated += u64::from(!self.seen.insert(hasher.finish()));
    }

    /// A warning if many of the match's games are repeated.
    pub fn text(&self, games: u64) -> Option<String> {
        let repeated = self.repeated;
        let are_many = repeated >= MIN_REPEATED && repeated as f64 >= REPEATED_SHARE * games as f64;
        are_many.then(|| {
            format!(
                "{repeated} of {games} games repeat earlier games move for move, so the 95 % \
                 intervals are too narrow: use more openings or --random-plies"
            )
        })
    }
}

/// The statistics of an engine's games from which its warnings are derived.
#[derive(Clone, Debug, Default)]
pub struct WarningTally {
    /// Nodes per second in each game for which they are known, in the order in which the games
    /// ended.
    speeds: Vec<f64>,
    lost: u64,
    /// Number of lost games in which the engine reported a score of at least [`LEAD`].
    lost_in_lead: u64,
    moves: u64,
    /// Number of moves with a clock gap, and the largest gap in seconds.
    gaps: (u64, f64),
}

impl WarningTally {
    /// Adds a game: the engine's moves, and whether it lost the game by its play rather than by a
    /// fault.
    pub fn add<'a>(&mut self, moves: impl Iterator<Item = &'a PlayedMove>, is_lost: bool) {
        let (mut nodes, mut seconds, mut has_led) = (0.0, 0.0, false);
        for mv in moves {
            let Some(time) = mv.time else { continue };
            self.moves += 1;
            if let Some(count) = mv.nodes {
                (nodes, seconds) = (nodes + count as f64, seconds + time);
            }
            has_led |= mv.score.is_some_and(|score| score >= LEAD);
            if let Some(gap) = mv.clock_gap {
                self.gaps = (self.gaps.0 + 1, self.gaps.1.max(gap));
            }
        }
        if nodes > 0.0 && seconds > 0.0 {
            self.speeds.push(nodes / seconds);
        }
        if is_lost {
            self.lost += 1;
            self.lost_in_lead += u64::from(has_led);
        }
    }

    /// The warnings about the engine, which is called `name`.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let mut texts = Vec::new();
        if let Some(loss) = self.speed_loss().filter(|&loss| loss > SPEED_LOSS) {
            let percent = 100.0 * loss;
            texts.push(format!(
                "{name} searched {percent:.0} % fewer nodes per second in the last quarter of its \
                 games than in the first: other programs may have slowed down the machine"
            ));
        }
        if self.lost_in_lead >= MIN_LOST
            && self.lost_in_lead as f64 >= LOST_SHARE * self.lost as f64
        {
            texts.push(format!(
                "{name} reported a score of {LEAD:.0} men or more in its favour in {} of the {} \
                 games that it lost",
                self.lost_in_lead, self.lost
            ));
        }
        let (gaps, longest) = self.gaps;
        if gaps as f64 > CLOCK_SHARE * self.moves as f64 {
            texts.push(format!(
                "{name} reported longer times than the arena measured on {gaps} of {} moves, by \
                 up to {longest:.3} s: its clock runs fast",
                self.moves
            ));
        }
        texts
    }

    /// The fraction of its speed that the engine lost from the first quarter of its games to the
    /// last; `None` if there are too few games.
    fn speed_loss(&self) -> Option<f64> {
        let quarter = self.speeds.len() / 4;
        let first = median(self.speeds.get(..quarter)?);
        let last = median(&self.speeds[self.speeds.len() - quarter..]);
        (self.speeds.len() >= MIN_GAMES).then(|| 1.0 - last / first)
    }
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mv(nodes: u64, score: f64, clock_gap: Option<f64>) -> PlayedMove {
        PlayedMove {
            time: Some(1.0),
            nodes: Some(nodes),
            score: Some(score),
            clock_gap,
            ..PlayedMove::default()
        }
    }

    #[test]
    fn a_slower_engine_is_noticed() {
        let mut tally = WarningTally::default();
        for game in 0..16 {
            let nodes = if game < 12 { 1000 + game } else { 700 };
            tally.add([mv(nodes, 0.0, None)].iter(), false);
        }
        let texts = tally.texts("Scan");
        assert_eq!(texts.len(), 1);
        assert!(texts[0].starts_with("Scan searched 30 % fewer"), "{texts:?}");

        let mut falling = WarningTally::default();
        (0..15).for_each(|game| falling.add([mv(1000 - 50 * game, 0.0, None)].iter(), false));
        assert!(falling.texts("Scan").is_empty(), "too few games");
        falling.add([mv(250, 0.0, None)].iter(), false);
        assert_eq!(falling.texts("Scan").len(), 1);

        let mut steady = WarningTally::default();
        (0..40).for_each(|game| steady.add([mv(1000 - 10 * (game % 10), 0.0, None)].iter(), false));
        assert!(steady.texts("Scan").is_empty());
    }

    #[test]
    fn repeated_games_are_noticed() {
        let game = |white: usize, moves: &[&str]| {
            let moves: Vec<_> = moves.iter().map(|mv| json!({ "move": mv })).collect();
            let game = json!({
                "pair": 0, "game": 0, "white": white, "black": 1 - white, "date": "", "opening": "",
                "fen": "", "opening_plies": 0, "winner": null, "reason": "repetition",
                "seconds": 1.0, "moves": moves,
            });
            serde_json::from_value::<PlayedGame>(game).unwrap()
        };
        let mut games = RepeatedGames::default();
        games.add(&game(0, &["32-28", "19-23"]));
        games.add(&game(1, &["32-28", "19-23"]));
        games.add(&game(0, &["32-28", "19-24"]));
        for _ in 0..3 {
            games.add(&game(0, &[]));
        }
        assert_eq!(games.text(6), None, "other colours, other moves, no moves");
        games.add(&game(0, &["32-28", "19-23"]));
        games.add(&game(1, &["32-28", "19-23"]));
        assert_eq!(games.text(8), None, "too few");
        games.add(&game(0, &["32-28", "19-24"]));
        assert!(games.text(9).unwrap().starts_with("3 of 9 games repeat earlier games"));
        assert_eq!(games.text(300), None, "one percent");
    }

    #[test]
    fn leads_that_are_lost_and_fast_clocks_are_noticed() {
        let mut tally = WarningTally::default();
        for _ in 0..3 {
            tally.add([mv(10, 0.5, None), mv(10, 2.5, Some(0.3))].iter(), true);
        }
        let texts = tally.texts("Dam");
        assert!(texts[0].contains("in 3 of the 3 games that it lost"), "{texts:?}");
        assert!(texts[1].contains("on 3 of 6 moves, by up to 0.300 s"), "{texts:?}");
        // A lead in a game that was won does not count.
        let mut sound = WarningTally::default();
        (0..9).for_each(|_| sound.add([mv(10, 3.0, None)].iter(), false));
        (0..9).for_each(|_| sound.add([mv(10, -3.0, None)].iter(), true));
        assert!(sound.texts("Dam").is_empty());
    }
}
