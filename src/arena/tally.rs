//! Counts the results of a match.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::{Serialize, Serializer};

use crate::board::Side;
use crate::game::GameResult;

use super::played::{PlayedGame, PlayedMove, Termination};
use super::schedule::PairResults;
use super::stats::{GamePair, Pentanomial, RatedGames};
use super::warnings::{RepeatedGames, WarningTally};

/// The counts over all games of a match.
#[derive(Clone, Debug, Default)]
pub struct MatchTally {
    /// The results of each engine.
    pub engines: Vec<EngineTally>,
    /// The results of each pairing, by the indices of its engines, the lower index first. The
    /// results are those of the engine with the lower index.
    pub pairings: BTreeMap<(usize, usize), PairingTally>,
    /// Number of games by termination reason.
    pub reasons: BTreeMap<Termination, u64>,
    /// Number of draws by reason, including details such as the article of the rules for a move
    /// limit.
    pub draws: BTreeMap<DrawReason, u64>,
    /// Number of finished games.
    pub games: u64,
    /// Total thinking time of all engines, in seconds.
    pub thinking: f64,
    /// The points of the finished pairs, for the schedule.
    pub pair_results: PairResults,
    /// The games that repeat earlier ones.
    pub repeated: RepeatedGames,
    /// The finished pairs, for ratings.
    finished_pairs: RatedGames,
    /// Pairs of which one game is finished, by the index of the pair.
    unfinished_pairs: HashMap<usize, UnfinishedPair>,
}

/// Why a game was drawn. In JSON, a string.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DrawReason {
    reason: Termination,
    detail: String,
}

impl DrawReason {
    /// The reason, named `name`, with its detail if there is one.
    fn text(&self, name: &str) -> String {
        match &*self.detail {
            "" => name.to_owned(),
            detail => format!("{name}, {detail}"),
        }
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&self.reason.to_string()))
    }
}

impl Serialize for DrawReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text(self.reason.logged_name()))
    }
}

/// A pair of which one game is finished.
#[derive(Clone, Copy, Debug)]
struct UnfinishedPair {
    /// The game, with the engine that has the lower index as the first player.
    game: GamePair,
    /// The result according to the bitbases, for that engine.
    by_bitbases: GameResult,
}

/// Numbers of games won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct WinDrawLoss {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// The results of two engines against each other, from the point of view of the engine with the
/// lower index.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PairingTally {
    /// The results as played.
    pub played: PairingScore,
    /// The results if each game is scored by the bitbases at its first position that they contain.
    pub by_bitbases: PairingScore,
}

/// The score of a pairing.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PairingScore {
    /// The results of all games.
    pub games: WinDrawLoss,
    /// The finished pairs.
    pub pairs: Pentanomial,
}

/// The results of one engine.
#[derive(Clone, Debug, Default)]
pub struct EngineTally {
    /// The results as White and as Black.
    pub scores: [WinDrawLoss; 2],
    /// The finished pairs against all opponents.
    pub pairs: Pentanomial,
    /// Totals over the moves of the engine.
    pub moves: MovesTally,
    /// Number of games lost through faults of the engine, for each kind of fault.
    pub faults: BTreeMap<Termination, u64>,
    /// The statistics for warnings about the engine.
    pub warnings: WarningTally,
}

/// Totals over the moves of an engine.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MovesTally {
    /// Number of moves.
    pub moves: u64,
    /// Time for all moves, in seconds.
    pub seconds: f64,
    /// Time of the longest move, in seconds.
    pub longest: f64,
    /// Number of moves with a known depth, and the sum of these depths.
    pub depths: (u64, u64),
    /// Number of moves with a known node count, the sum of these counts, and the time for these
    /// moves in seconds.
    pub nodes: (u64, u64, f64),
    /// Number of moves that exceeded their time limit, and the largest excess in seconds.
    pub over: (u64, f64),
}

impl WinDrawLoss {
    /// Counts a game.
    pub fn add(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points as in international draughts: two for a win, one for a draw.
    pub fn points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// The share of the points scored, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.points() as f64 / (2 * self.games()).max(1) as f64
    }

    /// The sum of the two results.
    pub fn plus(self, other: WinDrawLoss) -> WinDrawLoss {
        WinDrawLoss {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The same games from the opponent's point of view.
    pub fn reversed(self) -> WinDrawLoss {
        WinDrawLoss { wins: self.losses, losses: self.wins, ..self }
    }
}

impl EngineTally {
    /// The results with both colours.
    pub fn score(&self) -> WinDrawLoss {
        self.scores[0].plus(self.scores[1])
    }
}

impl MovesTally {
    fn add(&mut self, played: &PlayedMove) {
        // Moves of the opening have no time.
        let Some(time) = played.time else { return };
        self.moves += 1;
        self.seconds += time;
        self.longest = self.longest.max(time);
        if let Some(depth) = played.depth {
            self.depths.0 += 1;
            self.depths.1 += u64::from(depth);
        }
        if let Some(nodes) = played.nodes {
            self.nodes.0 += 1;
            self.nodes.1 = self.nodes.1.saturating_add(nodes);
            self.nodes.2 += time;
        }
        if let Some(over) = played.over {
            self.over.0 += 1;
            self.over.1 = self.over.1.max(over);
        }
    }
}

impl MatchTally {
    /// Empty counts for a match between `engines` engines.
    pub fn new(engines: usize) -> MatchTally {
        MatchTally { engines: vec![EngineTally::default(); engines], ..MatchTally::default() }
    }

    /// All games, for ratings.
    pub fn rated_games(&self) -> RatedGames {
        let mut games = self.finished_pairs.clone();
        self.unfinished_pairs.values().for_each(|pair| games.add(pair.game, 1));
        games
    }

    /// Counts a game. `known` is its winner according to the bitbases.
    pub fn add(&mut self, played: &PlayedGame, known: Option<Side>) {
        self.games += 1;
        self.repeated.add(played);
        self.thinking += played.moves.iter().filter_map(|mv| mv.time).sum::<f64>();
        *self.reasons.entry(played.reason).or_default() += 1;
        if played.winner.is_none() {
            let reason = DrawReason { reason: played.reason, detail: played.detail.clone() };
            *self.draws.entry(reason).or_default() += 1;
        }
        for side in Side::ALL {
            self.add_engine(played, side);
        }
        self.add_to_pairing(played, known);
    }

    fn add_engine(&mut self, played: &PlayedGame, side: Side) {
        let result = played.result(side);
        let Some(engine) = self.engines.get_mut(played.slot.engine(side)) else { return };
        engine.scores[side.index()].add(result);
        if played.reason.is_fault() && result == GameResult::Loss {
            *engine.faults.entry(played.reason).or_default() += 1;
        }
        let skipped = usize::from(side != played.first_to_move());
        let moves = played.moves.iter().skip(skipped).step_by(2);
        moves.clone().for_each(|mv| engine.moves.add(mv));
        // A game lost by a fault does not show that the engine's scores were wrong.
        let is_lost_on_board = result == GameResult::Loss && !played.reason.is_fault();
        engine.warnings.add(moves, is_lost_on_board);
    }

    fn add_to_pairing(&mut self, played: &PlayedGame, known: Option<Side>) {
        let slot = played.slot;
        let (low, high) = (slot.white.min(slot.black), slot.white.max(slot.black));
        let side = if slot.white == low { Side::White } else { Side::Black };
        let results = [played.winner, known].map(|winner| GameResult::of(winner, side));
        let PairingTally { played, by_bitbases } = self.pairings.entry((low, high)).or_default();
        played.games.add(results[0]);
        by_bitbases.games.add(results[1]);
        let mut game = GamePair { players: [low, high], results: [None; 2] };
        game.results[side.index()] = Some(results[0]);
        let Some(other) = self.unfinished_pairs.remove(&slot.pair) else {
            let unfinished = UnfinishedPair { game, by_bitbases: results[1] };
            self.unfinished_pairs.insert(slot.pair, unfinished);
            return;
        };
        let both = [0, 1].map(|index| game.results[index].or(other.game.results[index]));
        self.finished_pairs.add(GamePair { results: both, ..game }, 1);
        let pair = both.map(|result| result.unwrap_or(results[0]));
        played.pairs.add(pair);
        let mut score = WinDrawLoss::default();
        pair.into_iter().for_each(|result| score.add(result));
        self.pair_results.add(slot.pair, score.points());
        by_bitbases.pairs.add([results[1], other.by_bitbases]);
        for (engine, pair) in [(low, pair), (high, pair.map(GameResult::reversed))] {
            if let Some(engine) = self.engines.get_mut(engine) {
                engine.pairs.add(pair);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Side;

    use super::super::played::GameSlot;
    use super::*;

    fn played(pair: usize, game: usize, winner: Option<Side>, reason: Termination) -> PlayedGame {
        let (white, black) = if game == 0 { (0, 1) } else { (1, 0) };
        let mv = |time: Option<f64>, depth| PlayedMove {
            mv: "32-28".to_owned(),
            time,
            depth,
            nodes: time.map(|_| 1000),
            ..PlayedMove::default()
        };
        PlayedGame {
            slot: GameSlot { pair, game, white, black },
            round: None,
            identities: Default::default(),
            machine: String::new(),
            date: String::new(),
            opening: String::new(),
            fen: "W:W31-50:B1-20".to_owned(),
            opening_plies: 1,
            winner,
            reason,
            detail: String::new(),
            seconds: 1.0,
            moves: vec![mv(None, None), mv(Some(0.5), Some(9)), mv(Some(0.25), None)],
        }
    }

    #[test]
    fn counts_pairs_when_both_games_are_finished() {
        let mut tally = MatchTally::new(2);
        let white = Some(Side::White);
        tally.add(&played(0, 0, white, Termination::Rules), white);
        assert_eq!(tally.pairings[&(0, 1)].played.pairs.pairs(), 0);
        tally.add(&played(1, 1, None, Termination::Repetition), Some(Side::Black));
        tally.add(&played(0, 1, white, Termination::Crash), white);
        tally.add(&played(1, 0, white, Termination::Rules), white);
        let PairingTally { played: pairing, by_bitbases } = tally.pairings[&(0, 1)];
        assert_eq!(pairing.pairs.counts(), [0, 0, 1, 1, 0]);
        assert_eq!(pairing.games, WinDrawLoss { wins: 2, draws: 1, losses: 1 });
        assert_eq!(by_bitbases.pairs.counts(), [0, 0, 1, 0, 1]);
        assert_eq!(by_bitbases.games, WinDrawLoss { wins: 3, draws: 0, losses: 1 });
        assert_eq!(tally.engines[1].pairs.counts(), [0, 1, 1, 0, 0]);
        assert_eq!(tally.engines[1].score(), pairing.games.reversed());
        assert_eq!(tally.engines[0].scores[1], WinDrawLoss { wins: 0, draws: 1, losses: 1 });
        assert_eq!(tally.engines[0].faults, [(Termination::Crash, 1)].into());
        assert_eq!(tally.engines[1].faults, [].into());
        assert_eq!(tally.reasons[&Termination::Rules], 2);
        // Engine 0 won the first game of pair 0 and lost the second; it won and drew in pair 1.
        let mut results = PairResults::default();
        results.add(0, 2);
        results.add(1, 3);
        assert_eq!(tally.pair_results, results);
        let repetition = DrawReason { reason: Termination::Repetition, detail: String::new() };
        assert_eq!(tally.draws, [(repetition, 1)].into());
        let length = DrawReason { reason: Termination::Length, detail: "in 3 plies".to_owned() };
        assert_eq!(length.to_string(), "move limit, in 3 plies");
        assert_eq!(serde_json::to_value(&length).unwrap(), "length, in 3 plies");
    }

    #[test]
    fn counts_moves_for_the_engine_that_made_them() {
        let mut tally = MatchTally::new(2);
        tally.add(&played(0, 0, None, Termination::Length), None);
        let [white, black] = [0, 1].map(|engine| tally.engines[engine].moves);
        assert_eq!((white.moves, white.seconds, white.depths), (1, 0.25, (0, 0)));
        assert_eq!((black.moves, black.seconds, black.depths), (1, 0.5, (1, 9)));
        assert_eq!(black.nodes, (1, 1000, 0.5));
        assert_eq!(tally.thinking, 0.75);

        let mut reversed = played(1, 0, None, Termination::Length);
        reversed.fen = "B:W31-50:B1-20".to_owned();
        tally.add(&reversed, None);
        assert_eq!(tally.engines[0].moves.seconds, 0.75);
    }
}
