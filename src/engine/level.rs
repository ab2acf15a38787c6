//! Playing strength: levels, and the Elo scale behind them.
//!
//! Below full strength the engine searches fewer nodes and picks its move at random by score: worse
//! moves are less likely, and moves that lose too much are excluded. It overlooks what people
//! overlook: long combinations more readily than short ones, because a small node limit allows
//! little depth; at the lowest levels, how an exchange ends; and quiet moves far from the
//! opponent's last move. It uses only the first moves of the book, and no bitbases. The search is
//! limited by nodes, not time, so a strength is the same on every machine.
//!
//! # The scale
//!
//! Strength is given in Elo on a scale specific to this program, on which level 1 is
//! [`Strength::MIN`]. The difference between two neighbouring levels is close to the one measured in
//! international draughts by `scripts/measure_levels.py`, which lets the levels play each other from
//! ballots; full strength searches 100,000 nodes per move there. The scale is unrelated to the
//! ratings of people. Between two levels, the settings are interpolated.
//!
//! The same settings differ by more Elo in a variant with few draws, and by less in one with many.
//! So each variant has its own settings for a level, at equal steps in Elo.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use rand::RngExt;

use crate::board::{Grid, Move};
use crate::erased::{Bitbases, ResumeState};
use crate::rules::Variant;
use crate::search::{Control, Info, Limits, Mode, Quiescence, SearchResult};

use super::{Engine, SearchSlice};

/// The settings that determine a strength.
#[derive(Clone, Copy, PartialEq, Debug)]
struct StrengthSettings {
    /// No new iteration starts after this many nodes, at least 1.
    nodes: f64,
    /// The number of best moves from which one is chosen; with more candidates, fewer nodes are
    /// left for each.
    candidates: f64,
    /// The probability, per move, that the search does not see how exchanges end.
    blindness: f64,
    /// A move that loses this much, in hundredths of a man, is e times less likely than the best
    /// move.
    spread: f64,
    /// The maximum loss of a move compared to the best move, in hundredths of a man.
    max_loss: f64,
    /// The fraction, from 0 to 1, by which each row or column between a quiet move and the
    /// opponent's last move makes the move less likely.
    tunnel_vision: f64,
    /// The number of plies from the start of a game for which the book is used.
    book_plies: f64,
}

/// The Elo of the levels on the program's own scale. `manoury play --help` lists them.
const ELO: [u16; 14] =
    [500, 700, 870, 1090, 1260, 1500, 1660, 1820, 1990, 2170, 2340, 2520, 2690, 2860];

/// Settings, weakest first. The last row is that of full strength and is used only for
/// interpolation below it. [`level_rows`] says which rows the levels have.
const SETTINGS: [StrengthSettings; 14] = [
    settings(1.0, ALL, 1.0, [92.0, 300.0], 0.12, 0.0),
    settings(1.0, ALL, 1.0, [57.0, 250.0], 0.11, 0.0),
    settings(1.0, ALL, 1.0, [34.0, 160.0], 0.10, 0.0),
    settings(1.0, ALL, 0.0, [28.0, 110.0], 0.09, 0.0),
    settings(50.0, ALL, 0.0, [20.0, 50.0], 0.08, 2.0),
    settings(150.0, ALL, 0.0, [14.0, 50.0], 0.07, 2.0),
    settings(300.0, ALL, 0.0, [12.0, 50.0], 0.06, 4.0),
    settings(600.0, ALL, 0.0, [9.0, 40.0], 0.05, 4.0),
    settings(1200.0, ALL, 0.0, [7.0, 30.0], 0.04, 6.0),
    settings(3000.0, 8.0, 0.0, [6.4, 23.0], 0.03, 6.0),
    settings(5600.0, 5.0, 0.0, [5.3, 17.0], 0.02, 8.0),
    settings(12_000.0, 4.0, 0.0, [3.8, 11.0], 0.01, 8.0),
    settings(25_000.0, 3.0, 0.0, [3.0, 8.0], 0.0, 10.0),
    settings(50_000.0, 3.0, 0.0, [2.0, 5.0], 0.0, 12.0),
];

/// The row of [`SETTINGS`] that each level has in a variant, counted from 1; between two rows, the
/// settings are interpolated. `scripts/log.md` has the matches behind them. Frisian draughts has so
/// few draws that 14 levels at the steps of other variants do not reach from the first row to the
/// last.
fn level_rows(variant: Variant) -> [f64; 14] {
    match variant {
        Variant::English => {
            [1.0, 2.02, 2.96, 4.15, 5.02, 5.64, 6.43, 7.44, 8.61, 9.62, 10.54, 11.52, 12.59, 14.0]
        }
        Variant::Russian => {
            [1.0, 1.9, 2.93, 3.94, 5.13, 5.9, 6.9, 7.71, 8.8, 9.75, 10.62, 11.61, 13.01, 14.0]
        }
        Variant::Frisian => [
            3.55, 4.55, 5.52, 6.32, 7.22, 8.15, 8.81, 9.45, 10.09, 10.73, 11.44, 12.21, 13.55, 14.0,
        ],
        _ => [1.0, 1.96, 2.88, 3.75, 4.88, 5.8, 6.8, 7.95, 8.93, 9.84, 10.68, 11.71, 12.98, 14.0],
    }
}

/// A number of candidate moves that includes all moves of most positions.
const ALL: f64 = 30.0;

const fn settings(
    nodes: f64,
    candidates: f64,
    blindness: f64,
    [spread, max_loss]: [f64; 2],
    tunnel_vision: f64,
    book_plies: f64,
) -> StrengthSettings {
    StrengthSettings { nodes, candidates, blindness, spread, max_loss, tunnel_vision, book_plies }
}

/// The number of levels.
const LEVELS: u8 = ELO.len() as u8;

/// The lead that a decisive score is counted as, in hundredths of a man.
const DECISIVE: i32 = 1000;

/// A level of playing strength, [`Level::MIN`] to [`Level::FULL`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

impl Level {
    /// The weakest level.
    pub const MIN: Level = Level(1);
    /// The level at which the engine plays at full strength.
    pub const FULL: Level = Level(LEVELS);

    /// The level with this number; `None` if the number is out of range.
    pub fn new(number: u8) -> Option<Level> {
        Some(Level(number)).filter(|level| (Level::MIN..=Level::FULL).contains(level))
    }

    /// The number of the level, 1 to 14.
    pub const fn number(self) -> u8 {
        self.0
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

/// A playing strength in Elo on the program's own scale, [`Strength::MIN`] to [`Strength::FULL`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Strength(u16);

impl Strength {
    /// The strength of the weakest level.
    pub const MIN: Strength = Strength(ELO[0]);
    /// Full strength.
    pub const FULL: Strength = Strength(ELO[ELO.len() - 1]);

    /// The strength of a level.
    pub const fn of_level(level: Level) -> Strength {
        Strength(ELO[level.0 as usize - 1])
    }

    /// The strength with this Elo; `None` if the number is out of range.
    pub fn new(elo: u16) -> Option<Strength> {
        Some(Strength(elo)).filter(|it| (Strength::MIN..=Strength::FULL).contains(it))
    }

    /// The strength in Elo.
    pub const fn elo(self) -> u16 {
        self.0
    }

    /// The level with this strength; `None` if it is between two levels.
    pub fn level(self) -> Option<Level> {
        let mut levels = (Level::MIN.0..=Level::FULL.0).map(Level);
        levels.find(|&level| Strength::of_level(level) == self)
    }

    /// The settings for this strength in a variant; `None` at full strength.
    fn settings(self, variant: Variant) -> Option<StrengthSettings> {
        let level = ELO.windows(2).position(|pair| self.0 < pair[1])?;
        let [low, high] = [ELO[level], ELO[level + 1]].map(f64::from);
        let share = (f64::from(self.0) - low) / (high - low);
        let rows = level_rows(variant);
        Some(StrengthSettings::of_row(rows[level] + share * (rows[level + 1] - rows[level])))
    }
}

impl Default for Strength {
    fn default() -> Self {
        Strength::FULL
    }
}

impl From<Level> for Strength {
    fn from(level: Level) -> Self {
        Strength::of_level(level)
    }
}

impl FromStr for Strength {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().ok().and_then(Strength::new).ok_or_else(|| {
            let [least, full] = [Strength::MIN, Strength::FULL].map(Strength::elo);
            format!("expected an Elo from {least} to {full}")
        })
    }
}

/// Formats the strength as `level 3`, or as `1234 Elo` between two levels.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level() {
            Some(level) => write!(f, "level {}", level.number()),
            None => write!(f, "{} Elo", self.elo()),
        }
    }
}

impl Engine {
    /// The settings of the engine's strength; `None` at full strength and in an analysis, which is
    /// always at full strength.
    fn strength_settings(&self, limits: &Limits) -> Option<StrengthSettings> {
        self.options.strength.settings(self.variant()).filter(|_| limits.mode != Mode::Analyze)
    }

    /// Adds the node limit of the engine's strength to the limits of a search.
    pub fn strength_limits(&self, limits: Limits) -> Limits {
        let Some(settings) = self.strength_settings(&limits) else {
            return limits;
        };
        let soft_nodes = limits.soft_nodes.unwrap_or(u64::MAX).min(settings.nodes as u64);
        Limits { soft_nodes: Some(soft_nodes), ..limits }
    }

    /// Chooses a move at the engine's strength, from the book during its first moves, and reports
    /// only the line of that move. Returns `None` at full strength and in an analysis.
    pub(super) fn limited_move(
        &mut self,
        limits: &Limits,
        control: &Control,
        sink: &mut dyn FnMut(&Info),
    ) -> Option<SearchResult> {
        let settings = self.strength_settings(limits)?;
        if self.game.plies() < settings.book_plies as usize
            && let Some(best) = self.book_move(limits)
        {
            sink(&best.info);
            return Some(best);
        }
        let mut limits = self.strength_limits(*limits);
        if self.random.random_bool(settings.blindness) {
            limits.quiescence = Quiescence::StandPat;
        }
        let moves = self.game.position().legal_moves();
        if moves.len() == 1 {
            // People do not think about a forced move.
            limits.depth = Some(1);
        }
        let bitbases = Bitbases::none(self.variant());
        let bitbases = Some(&bitbases);
        let multipv = settings.candidates as usize;
        let whole = SearchSlice { limits, multipv, bitbases, control, pause: None };
        let mut lines = BTreeMap::new();
        let best = self.search(whole, &mut ResumeState::default(), &mut |info| {
            lines.insert(info.rank, info.clone());
        })?;
        let lines: Vec<_> = lines.into_values().collect();
        let grid = self.game.position().grid();
        let last_move = self.game.moves().last().copied();
        let distance = |mv| last_move.map_or(0, |last| move_distance(grid, mv, last));
        let Some(info) = settings.choose(&lines, distance, self.random.random()).cloned() else {
            return Some(best);
        };
        sink(&info);
        Some(SearchResult { mv: info.pv.first().copied(), ponder: info.pv.get(1).copied(), info })
    }
}

/// The distance of a move from the square where the opponent's last move ended, in rows or columns,
/// whichever is larger.
fn move_distance(grid: Grid, mv: Move, last: Move) -> u8 {
    let distance = |square| {
        let rows = grid.row(square).abs_diff(grid.row(last.to));
        rows.max(grid.column(square).abs_diff(grid.column(last.to)))
    };
    distance(mv.from).min(distance(mv.to))
}

impl StrengthSettings {
    /// The settings of a row of [`SETTINGS`], counted from 1, interpolated between two rows.
    fn of_row(row: f64) -> StrengthSettings {
        let lower = (row as usize).clamp(1, SETTINGS.len() - 1);
        let share = row - lower as f64;
        let [lower, upper] = [SETTINGS[lower - 1], SETTINGS[lower]];
        let mix = |setting: fn(&StrengthSettings) -> f64| {
            setting(&lower) + share * (setting(&upper) - setting(&lower))
        };
        StrengthSettings {
            nodes: lower.nodes * (upper.nodes / lower.nodes).powf(share),
            candidates: mix(|it| it.candidates),
            blindness: mix(|it| it.blindness),
            spread: mix(|it| it.spread),
            max_loss: mix(|it| it.max_loss),
            tunnel_vision: mix(|it| it.tunnel_vision),
            book_plies: mix(|it| it.book_plies),
        }
    }

    /// Chooses one of the lines at random, given the distance of each first move from the
    /// opponent's last move and a random number from 0 to 1; `None` if there are no lines.
    fn choose<'a>(
        &self,
        lines: &'a [Info],
        distance: impl Fn(Move) -> u8,
        random: f64,
    ) -> Option<&'a Info> {
        let value = |info: &Info| i32::from(info.score.0).clamp(-DECISIVE, DECISIVE);
        let best = lines.iter().map(value).max()?;
        let weight = |info: &Info| {
            let loss = f64::from(best - value(info));
            let distance = info.pv.first().map_or(0, |&mv| distance(mv));
            let noticed = (1.0 - self.tunnel_vision).powi(distance.into());
            if loss <= self.max_loss { noticed * (-loss / self.spread).exp() } else { 0.0 }
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
    use crate::erased::Position;
    use crate::rules::Variant;
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

    /// Settings that choose by score, with this spread and maximum loss.
    fn by_score(spread: f64, max_loss: f64) -> StrengthSettings {
        settings(1.0, ALL, 0.0, [spread, max_loss], 0.0, 0.0)
    }

    /// How often each line is chosen, in percent, given the distance of each first move.
    fn shares(settings: StrengthSettings, scores: &[i16], distances: &[u8]) -> Vec<usize> {
        let lines = lines(scores);
        let distance = |mv: Move| distances.get(usize::from(mv.from) - 1).copied().unwrap_or(0);
        let mut counts = vec![0; scores.len()];
        for number in 0..10_000 {
            let random = (f64::from(number) + 0.5) / 10_000.0;
            counts[settings.choose(&lines, distance, random).unwrap().rank as usize - 1] += 1;
        }
        counts.into_iter().map(|count| (count + 50) / 100).collect()
    }

    #[test]
    fn worse_moves_are_less_likely() {
        let settings = by_score(20.0, 100.0);
        assert_eq!(shares(settings, &[10, 10], &[]), [50, 50]);
        assert_eq!(shares(settings, &[10, -10], &[]), [73, 27]);
        assert_eq!(shares(settings, &[10, -10, -91], &[]), [73, 27, 0], "it loses too much");
        assert_eq!(shares(settings, &[9993, 9991, 20], &[]), [50, 50, 0], "a win is a win");
        assert_eq!(shares(settings, &[-9990], &[]), [100]);
        assert_eq!(settings.choose(&[], |_| 0, 0.5), None);
    }

    #[test]
    fn distant_moves_are_less_likely() {
        let settings = StrengthSettings { tunnel_vision: 0.5, ..by_score(20.0, 100.0) };
        assert_eq!(shares(settings, &[10, 10, 10], &[0, 1, 2]), [57, 29, 14]);
        assert_eq!(shares(settings, &[10, -91], &[9, 0]), [100, 0], "no other move is good enough");
        let grid = Position::start(Variant::International).grid();
        let distance = |from, to| move_distance(grid, Move::quiet(from, to), Move::quiet(17, 22));
        assert_eq!([distance(33, 28), distance(31, 26), distance(50, 45)], [1, 2, 5]);
    }

    #[test]
    fn levels_range_from_1_to_14() {
        assert_eq!((Level::new(0), Level::new(15)), (None, None));
        assert_eq!(Level::new(14), Some(Level::FULL));
        for pair in SETTINGS.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes);
            assert!(pair[0].spread > pair[1].spread && pair[0].max_loss >= pair[1].max_loss);
        }
        // From level 5 on, no move loses more than half a man.
        assert!(SETTINGS[4..].iter().all(|settings| settings.max_loss <= 50.0));
    }

    #[test]
    fn strength_is_a_level_or_between_two() {
        for number in 1..=LEVELS {
            let level = Level::new(number).unwrap();
            assert_eq!(Strength::of_level(level).level(), Some(level));
        }
        let [low, high] = [Strength::MIN, Strength::FULL].map(Strength::elo);
        assert_eq!((Strength::new(low - 1), Strength::new(high + 1)), (None, None));
        let nearly_full = Strength::new(high - 1).unwrap();
        assert_eq!(nearly_full.to_string(), format!("{} Elo", high - 1));
        assert_eq!(nearly_full.level(), None);
    }

    #[test]
    fn settings_grow_with_the_strength_in_every_variant() {
        for &variant in Variant::ALL {
            let rows = level_rows(variant);
            assert!(rows.is_sorted() && rows[0] >= 1.0 && rows[13] == 14.0, "{variant:?}");
            let elo = Strength::MIN.elo()..Strength::FULL.elo();
            let of = |elo| Strength::new(elo).unwrap().settings(variant).unwrap();
            assert!(elo.map(of).is_sorted_by(|one, two| {
                one.nodes <= two.nodes && one.spread >= two.spread && one.max_loss >= two.max_loss
            }));
            assert_eq!(Strength::FULL.settings(variant), None);
        }
        assert_eq!(StrengthSettings::of_row(3.0), SETTINGS[2]);
        assert_eq!(StrengthSettings::of_row(14.0), SETTINGS[13]);
    }
}
