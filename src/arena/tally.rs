//! Counting what has happened in a match.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::board::Side;

use super::played::{Played, PlayedMove, Reason};
use super::stats::{GameScore, Pentanomial};

/// Everything counted in the games of a match.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By engine.
    pub engines: Vec<EngineTally>,
    /// By pairing, the lower index first, from its side.
    pub pairings: BTreeMap<(usize, usize), PairingTally>,
    /// How games have ended.
    pub reasons: BTreeMap<Reason, u64>,
    /// How draws have come about, with the article of a move limit.
    pub draws: BTreeMap<String, u64>,
    /// Games.
    pub games: u64,
    /// Seconds in which engines have thought, added over all tables.
    pub thinking: f64,
    /// Pairs of which one game is finished: the points of the lower engine.
    halves: HashMap<usize, GameScore>,
}

/// Won, drawn, lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// What two engines have done against each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairingTally {
    /// All games.
    pub score: Score,
    /// Finished pairs.
    pub pairs: Pentanomial,
}

/// What an engine has done.
#[derive(Clone, Debug, Default)]
pub struct EngineTally {
    /// As White, as Black.
    pub scores: [Score; 2],
    /// Its pairs against everybody.
    pub pairs: Pentanomial,
    /// Its moves.
    pub moves: MovesTally,
    /// Its faults.
    pub faults: BTreeMap<Reason, u64>,
}

/// The moves of an engine.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MovesTally {
    /// How many.
    pub moves: u64,
    /// Seconds for all of them.
    pub seconds: f64,
    /// The longest, in seconds.
    pub longest: f64,
    /// Moves with a known depth, and the sum of these.
    pub depths: (u64, u64),
    /// Moves with known nodes, the sum of these, and the seconds for them.
    pub nodes: (u64, u64, f64),
    /// Moves that took longer than their limit, and the most by which one did, in seconds.
    pub over: (u64, f64),
}

impl Score {
    /// Counts a game.
    pub fn add(&mut self, result: GameScore) {
        match result {
            GameScore::Win => self.wins += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Loss => self.losses += 1,
        }
    }

    /// Games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points as international draughts counts them: two for a win.
    pub fn points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Both together.
    pub fn and(self, other: Score) -> Score {
        Score {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The same games from the other side.
    pub fn reversed(self) -> Score {
        Score { wins: self.losses, losses: self.wins, ..self }
    }
}

impl EngineTally {
    /// Its games with both colours.
    pub fn score(&self) -> Score {
        self.scores[0].and(self.scores[1])
    }
}

impl MovesTally {
    fn add(&mut self, played: &PlayedMove) {
        // The moves of the opening took no time.
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

impl Tally {
    /// An empty count of so many engines.
    pub fn new(engines: usize) -> Tally {
        Tally { engines: vec![EngineTally::default(); engines], ..Tally::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, played: &Played) {
        self.games += 1;
        self.thinking += played.moves.iter().filter_map(|mv| mv.time).sum::<f64>();
        *self.reasons.entry(played.reason).or_default() += 1;
        if played.winner.is_none() {
            let rule = match played.detail.as_str() {
                "" => played.reason.to_string(),
                detail => format!("{}, {detail}", played.reason),
            };
            *self.draws.entry(rule).or_default() += 1;
        }
        for side in Side::ALL {
            self.add_engine(played, side);
        }
        self.add_to_pairing(played);
    }

    fn add_engine(&mut self, played: &Played, side: Side) {
        let result = played.score(side);
        let Some(engine) = self.engines.get_mut(played.slot.engine(side)) else { return };
        engine.scores[side.index()].add(result);
        if played.reason.is_fault() && result == GameScore::Loss {
            *engine.faults.entry(played.reason).or_default() += 1;
        }
        let skipped = usize::from(side != played.first_to_move());
        for mv in played.moves.iter().skip(skipped).step_by(2) {
            engine.moves.add(mv);
        }
    }

    fn add_to_pairing(&mut self, played: &Played) {
        let slot = played.slot;
        let (low, high) = (slot.white.min(slot.black), slot.white.max(slot.black));
        let side = if slot.white == low { Side::White } else { Side::Black };
        let result = played.score(side);
        let pairing = self.pairings.entry((low, high)).or_default();
        pairing.score.add(result);
        let Some(other) = self.halves.remove(&slot.pair) else {
            self.halves.insert(slot.pair, result);
            return;
        };
        let pair = [result, other];
        pairing.pairs.add(pair);
        for (engine, pair) in [(low, pair), (high, pair.map(GameScore::reversed))] {
            if let Some(engine) = self.engines.get_mut(engine) {
                engine.pairs.add(pair);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::played::{Slot, Winner};
    use super::*;

    fn played(pair: usize, game: usize, winner: Option<Winner>, reason: Reason) -> Played {
        let (white, black) = if game == 0 { (0, 1) } else { (1, 0) };
        let mv = |time: Option<f64>, depth| PlayedMove {
            mv: "32-28".to_owned(),
            time,
            depth,
            nodes: time.map(|_| 1000),
            ..PlayedMove::default()
        };
        Played {
            slot: Slot { pair, game, white, black },
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
    fn pairs_are_counted_when_both_games_are_there() {
        let mut tally = Tally::new(2);
        tally.add(&played(0, 0, Some(Winner::White), Reason::Rules));
        assert_eq!(tally.pairings[&(0, 1)].pairs.pairs(), 0);
        tally.add(&played(1, 1, None, Reason::Repetition));
        tally.add(&played(0, 1, Some(Winner::White), Reason::Crash));
        tally.add(&played(1, 0, Some(Winner::White), Reason::Rules));
        let pairing = tally.pairings[&(0, 1)];
        assert_eq!(pairing.pairs.counts(), [0, 0, 1, 1, 0]);
        assert_eq!(pairing.score, Score { wins: 2, draws: 1, losses: 1 });
        assert_eq!(tally.engines[1].pairs.counts(), [0, 1, 1, 0, 0]);
        assert_eq!(tally.engines[1].score(), pairing.score.reversed());
        assert_eq!(tally.engines[0].scores[1], Score { wins: 0, draws: 1, losses: 1 });
        assert_eq!(tally.engines[0].faults, [(Reason::Crash, 1)].into());
        assert_eq!(tally.engines[1].faults, [].into());
        assert_eq!(tally.reasons[&Reason::Rules], 2);
        assert_eq!(tally.draws, [("repetition".to_owned(), 1)].into());
    }

    #[test]
    fn moves_belong_to_who_made_them() {
        let mut tally = Tally::new(2);
        tally.add(&played(0, 0, None, Reason::Length));
        let [white, black] = [0, 1].map(|engine| tally.engines[engine].moves);
        assert_eq!((white.moves, white.seconds, white.depths), (1, 0.25, (0, 0)));
        assert_eq!((black.moves, black.seconds, black.depths), (1, 0.5, (1, 9)));
        assert_eq!(black.nodes, (1, 1000, 0.5));
        assert_eq!(tally.thinking, 0.75);

        let mut reversed = played(1, 0, None, Reason::Length);
        reversed.fen = "B:W31-50:B1-20".to_owned();
        tally.add(&reversed);
        assert_eq!(tally.engines[0].moves.seconds, 0.75);
    }
}
