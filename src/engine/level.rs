//! The levels of playing strength.
//!
//! A level below the highest searches fewer nodes and picks its move at random by score: worse
//! moves are less likely, and moves that lose too much for the level are excluded. The search is
//! limited by nodes, not time, so a level is equally strong on every machine. Neither the book nor
//! bitbases are used.

use std::collections::BTreeMap;
use std::str::FromStr;

use rand::RngExt;

use crate::erased::{Bitbases, ResumeState};
use crate::search::{Control, Info, Limits, Mode, Quiescence, SearchResult};

use super::{Engine, SearchSlice};

/// A level of playing strength, [`Level::MIN`] to [`Level::FULL`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// The settings of a level, which determine its strength.
#[derive(Clone, Copy, PartialEq, Debug)]
struct LevelSettings {
    /// No new iteration starts after this many nodes.
    nodes: u64,
    /// The kind of quiescence search.
    quiescence: Quiescence,
    /// A move that loses this much, in hundredths of a man, is e times less likely than the best
    /// move.
    spread: f64,
    /// The maximum loss of a move compared to the best move, in hundredths of a man.
    max_loss: i32,
}

const fn settings(nodes: u64, quiescence: Quiescence, spread: f64, max_loss: i32) -> LevelSettings {
    LevelSettings { nodes, quiescence, spread, max_loss }
}

/// The levels below the highest, the weakest first. Neighbours are about 150 to 200 Elo
/// apart; `manoury play --help` has the table.
const SETTINGS: [LevelSettings; 9] = [
    settings(1, Quiescence::StandPat, 92.0, 300),
    settings(1, Quiescence::StandPat, 57.0, 250),
    settings(1, Quiescence::StandPat, 34.0, 160),
    settings(1, Quiescence::Full, 33.0, 150),
    settings(50, Quiescence::Full, 20.0, 50),
    settings(150, Quiescence::Full, 14.0, 50),
    settings(300, Quiescence::Full, 12.0, 50),
    settings(600, Quiescence::Full, 9.0, 40),
    settings(1200, Quiescence::Full, 7.0, 30),
];

/// The lead that a decisive score counts as, in hundredths of a man.
const DECISIVE: i32 = 1000;

impl Level {
    /// The weakest level.
    pub const MIN: Level = Level(1);
    /// The level at which the engine plays at full strength.
    pub const FULL: Level = Level(SETTINGS.len() as u8 + 1);

    /// The level with this number; `None` if the number is out of range.
    pub fn new(number: u8) -> Option<Level> {
        Some(Level(number)).filter(|level| (Level::MIN..=Level::FULL).contains(level))
    }

    /// The number of the level, 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The settings of the level; `None` at full strength.
    fn settings(self) -> Option<LevelSettings> {
        SETTINGS.get(usize::from(self.0) - 1).copied()
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().ok().and_then(Level::new).ok_or_else(|| {
            let [least, full] = [Level::MIN, Level::FULL].map(Level::number);
            format!("expected a level from {least} to {full}")
        })
    }
}

impl Default for Level {
    fn default() -> Self {
        Level::FULL
    }
}

impl Engine {
    /// Adds the restrictions of the engine's level to the limits of a search. An analysis is always
    /// at full strength.
    pub fn level_limits(&self, limits: Limits) -> Limits {
        let settings = self.options.level.settings().filter(|_| limits.mode != Mode::Analyze);
        let Some(LevelSettings { nodes, quiescence, .. }) = settings else {
            return limits;
        };
        let soft_nodes = limits.soft_nodes.unwrap_or(u64::MAX).min(nodes);
        Limits { soft_nodes: Some(soft_nodes), quiescence, ..limits }
    }

    /// Chooses a move at the engine's level, and reports only the line of that move. Returns `None`
    /// at full strength and in an analysis.
    pub(super) fn level_move(
        &mut self,
        limits: &Limits,
        control: &Control,
        sink: &mut dyn FnMut(&Info),
    ) -> Option<SearchResult> {
        let settings = self.options.level.settings().filter(|_| limits.mode != Mode::Analyze)?;
        let limits = self.level_limits(*limits);
        let bitbases = Bitbases::none(self.variant());
        let bitbases = Some(&bitbases);
        let whole = SearchSlice { limits, multipv: ALL_MOVES, bitbases, control, pause: None };
        let mut lines = BTreeMap::new();
        let best = self.search(whole, &mut ResumeState::default(), &mut |info| {
            lines.insert(info.rank, info.clone());
        })?;
        let lines: Vec<_> = lines.into_values().collect();
        let Some(info) = settings.choose(&lines, self.random.random()).cloned() else {
            return Some(best);
        };
        sink(&info);
        Some(SearchResult { mv: info.pv.first().copied(), ponder: info.pv.get(1).copied(), info })
    }
}

/// A `multipv` value large enough to search a line for every move.
const ALL_MOVES: usize = usize::MAX;

impl LevelSettings {
    /// Chooses one of the lines at random, given a random number from 0 to 1; `None` if there are
    /// no lines.
    fn choose<'a>(&self, lines: &'a [Info], random: f64) -> Option<&'a Info> {
        let value = |info: &Info| i32::from(info.score.0).clamp(-DECISIVE, DECISIVE);
        let best = lines.iter().map(value).max()?;
        let weight = |info: &Info| match best - value(info) {
            loss if loss <= self.max_loss => (-f64::from(loss) / self.spread).exp(),
            _ => 0.0,
        };
        let mut left = random * lines.iter().map(weight).sum::<f64>();
        let drawn = lines.iter().find(|&info| {
            left -= weight(info);
            left < 0.0
        });
        drawn.or_else(|| lines.iter().find(|&info| value(info) == best))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Move;
    use crate::score::Score;

    /// Lines with these scores, best first.
    fn lines(scores: &[i16]) -> Vec<Info> {
        let line = |(rank, &score): (u32, &i16)| Info {
            rank,
            depth: 1,
            mean_depth: 1.0,
            score: Score(score),
            nodes: 1,
            time: Duration::ZERO,
            pv: vec![Move::quiet(rank as u8, 50)],
        };
        (1..).zip(scores).map(line).collect()
    }

    /// How often each line is chosen, in percent.
    fn shares(settings: LevelSettings, scores: &[i16]) -> Vec<usize> {
        let lines = lines(scores);
        let mut counts = vec![0; scores.len()];
        for number in 0..10_000 {
            let random = (f64::from(number) + 0.5) / 10_000.0;
            counts[settings.choose(&lines, random).unwrap().rank as usize - 1] += 1;
        }
        counts.into_iter().map(|count| (count + 50) / 100).collect()
    }

    #[test]
    fn worse_moves_are_less_likely() {
        let settings = settings(1, Quiescence::Full, 20.0, 100);
        assert_eq!(shares(settings, &[10, 10]), [50, 50]);
        assert_eq!(shares(settings, &[10, -10]), [73, 27]);
        assert_eq!(shares(settings, &[10, -10, -91]), [73, 27, 0], "it loses more than the limit");
        assert_eq!(shares(settings, &[9993, 9991, 20]), [50, 50, 0], "a win is a win");
        assert_eq!(shares(settings, &[-9990]), [100]);
        assert_eq!(settings.choose(&[], 0.5), None);
    }

    #[test]
    fn levels_range_from_1_to_10() {
        assert_eq!((Level::new(0), Level::new(11)), (None, None));
        assert_eq!(Level::new(10), Some(Level::FULL));
        let settings: Vec<_> =
            (1..=9).map(|number| Level::new(number).unwrap().settings()).collect();
        assert!(settings.iter().all(Option::is_some));
        for pair in SETTINGS.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].spread > pair[1].spread);
            assert!(pair[0].max_loss >= pair[1].max_loss);
        }
        // From level 5 on, no move loses more than half a man.
        assert!(SETTINGS[4..].iter().all(|settings| settings.max_loss <= 50));
    }
}
