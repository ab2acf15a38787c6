//! Measures how fast engines search: the same positions for each, in turns, so that whatever else the
//! machine does meets them alike.

use std::time::{Duration, Instant};

use crate::board::Move;
use crate::erased::Position;
use crate::notation::hub;
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;

use super::client::{
    self, Client, EngineFault, EngineReply, GameStart, MatchContext, MoveRequest, TimedReply,
};
use super::spec::Participant;
use super::time_control::EngineClock;

/// What is measured.
#[derive(Clone, Debug)]
pub struct SpeedPlan {
    /// The variant of the positions.
    pub variant: Variant,
    /// The engines, with their limits.
    pub engines: Vec<Participant>,
    /// The positions, none of them over.
    pub positions: Vec<Position>,
    /// How often each engine searches all positions.
    pub rounds: usize,
    /// How long to wait for a move that has no time limit.
    pub patience: Duration,
}

/// The measurements of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpeed {
    /// The name that the engine reports.
    pub identity: String,
    /// The time from the start of the process until the engine was ready.
    pub ready: Duration,
    /// The searches of each round, in the order of the positions.
    pub rounds: Vec<Vec<Search>>,
}

/// A search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Search {
    /// The time until the reply.
    pub time: Duration,
    /// Nodes, if the engine reports them.
    pub nodes: Option<u64>,
    /// Depth in plies, if the engine reports it.
    pub depth: Option<u32>,
    /// The move found; `None` if the reply is no legal move.
    pub mv: Option<Move>,
}

/// Measures all engines. `on_search` is called after each search.
///
/// # Errors
///
/// The index of an engine that failed, and how.
pub fn measure(
    plan: &SpeedPlan,
    interrupt: &Interrupt,
    on_search: &mut dyn FnMut(),
) -> Result<Vec<EngineSpeed>, (usize, EngineFault)> {
    let context = MatchContext { variant: plan.variant, interrupt: interrupt.clone() };
    let engines = plan.engines.iter().enumerate();
    let mut clients = engines
        .map(|(index, engine)| start(engine, &context).map_err(|fault| (index, fault)))
        .collect::<Result<Vec<_>, _>>()?;
    for round in 0..plan.rounds {
        for turn in 0..clients.len() {
            // The order rotates, so that no engine always follows the same one.
            let index = (round + turn) % clients.len();
            let (client, speed) = &mut clients[index];
            let searches = plan.positions.iter().map(|position| {
                let search = search(client.as_mut(), &plan.engines[index], position, plan.patience);
                on_search();
                search
            });
            let searches = searches.collect::<Result<_, _>>().map_err(|fault| (index, fault))?;
            speed.rounds.push(searches);
        }
    }
    let quit = |(client, speed): (Box<dyn Client>, EngineSpeed)| {
        client.quit();
        speed
    };
    Ok(clients.into_iter().map(quit).collect())
}

fn start(
    engine: &Participant,
    context: &MatchContext,
) -> Result<(Box<dyn Client>, EngineSpeed), EngineFault> {
    let began = Instant::now();
    let client = client::start(&engine.spec, context)?;
    let ready = began.elapsed();
    let identity = client.identity().to_owned();
    Ok((client, EngineSpeed { identity, ready, rounds: Vec::new() }))
}

/// Searches a position as the first one of a new game.
fn search(
    client: &mut dyn Client,
    engine: &Participant,
    position: &Position,
    patience: Duration,
) -> Result<Search, EngineFault> {
    let text = hub::format_position(position);
    let start = GameStart {
        position: &text,
        is_initial: *position == Position::start(position.variant()),
        side: position.side(),
        time_control: engine.time_control,
    };
    client.new_game(&start)?;
    let limits = EngineClock::new(engine.time_control).limits();
    let request = MoveRequest {
        position: &text,
        wolf: &hub::format_wolf(position),
        moves: &[],
        last: None,
        limits,
        patience: limits.limit().map_or(patience, |limit| limit + patience),
    };
    let TimedReply { reply, time, report } = client.think(&request)?;
    let mv = match reply {
        EngineReply::Move(text) => hub::parse_move_leniently(position, &text).ok(),
        _ => None,
    };
    Ok(Search { time, nodes: report.nodes, depth: report.depth, mv })
}

impl EngineSpeed {
    /// The time of each round, in seconds.
    pub fn times(&self) -> Vec<f64> {
        let time = |round: &Vec<Search>| round.iter().map(|search| search.time).sum::<Duration>();
        self.rounds.iter().map(|round| time(round).as_secs_f64()).collect()
    }

    /// The nodes of each round; `None` if the engine does not report them.
    pub fn nodes(&self) -> Option<Vec<f64>> {
        let nodes =
            |round: &Vec<Search>| round.iter().map(|search| search.nodes).sum::<Option<u64>>();
        self.rounds.iter().map(|round| Some(nodes(round)? as f64)).collect()
    }

    /// The mean depth; `None` if the engine does not report it.
    pub fn depth(&self) -> Option<f64> {
        let depths: Option<Vec<f64>> =
            self.rounds.iter().flatten().map(|search| Some(f64::from(search.depth?))).collect();
        let depths = depths?;
        Some(depths.iter().sum::<f64>() / depths.len() as f64)
    }

    /// How many of the positions with known best moves the engine solved in each round. `best` has the
    /// best moves of each position, none where they are not known.
    pub fn solved(&self, best: &[Vec<Move>]) -> Vec<usize> {
        let is_solved =
            |(search, best): &(&Search, &Vec<Move>)| search.mv.is_some_and(|mv| best.contains(&mv));
        self.rounds.iter().map(|round| round.iter().zip(best).filter(is_solved).count()).collect()
    }

    /// The time of the very first search, over the mean of the later searches of the same position;
    /// `None` with one round.
    pub fn first_search(&self) -> Option<f64> {
        let first = |round: &Vec<Search>| Some(round.first()?.time.as_secs_f64());
        let times: Vec<f64> = self.rounds.iter().filter_map(first).collect();
        let (first, later) = times.split_first()?;
        let mean = later.iter().sum::<f64>() / later.len() as f64;
        (!later.is_empty() && mean > 0.0).then(|| first / mean)
    }
}

/// A ratio with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Ratio {
    /// The geometric mean of the ratios of the rounds.
    pub value: f64,
    /// The ends of the interval; `None` with one round.
    pub interval: Option<[f64; 2]>,
}

/// The 97.5 % points of Student's t distribution with 1 to 30 degrees of freedom.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];
/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.96;

impl Ratio {
    /// The ratio of `one` to `other`, whose elements belong to the same rounds. The logarithms of the
    /// ratios of the rounds are taken as normally distributed. `None` without rounds, or if a value is
    /// not positive.
    pub fn of(one: &[f64], other: &[f64]) -> Option<Ratio> {
        let logs: Vec<f64> = one.iter().zip(other).map(|(one, other)| (one / other).ln()).collect();
        if logs.is_empty() || logs.iter().any(|log| !log.is_finite()) {
            return None;
        }
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let interval = (logs.len() > 1).then(|| {
            let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
            let error = (squares / (count - 1.0) / count).sqrt();
            let margin = T.get(logs.len() - 2).unwrap_or(&Z) * error;
            [mean - margin, mean + margin].map(f64::exp)
        });
        Some(Ratio { value: mean.exp(), interval })
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn ratios_are_geometric_means() {
        let ratio = Ratio::of(&[2.0, 8.0], &[1.0, 1.0]).unwrap();
        assert!((ratio.value - 4.0).abs() < 1e-12);
        let [low, high] = ratio.interval.unwrap();
        assert!(low < 1.0 && high > 16.0, "two rounds say little: {low} {high}");
        assert_eq!(Ratio::of(&[2.0], &[1.0]).unwrap().interval, None);
        assert_eq!(Ratio::of(&[], &[]), None);
        assert_eq!(Ratio::of(&[0.0, 1.0], &[1.0, 1.0]), None);
    }

    /// Of 1,000 measurements with noise, 95 % contain the true ratio.
    #[test]
    fn intervals_contain_the_true_ratio() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        // The sum of twelve uniform numbers is nearly normal.
        let mut noise = || (0..12).map(|_| random.random::<f64>() - 0.5).sum::<f64>() * 0.05;
        let mut contained = 0;
        for _ in 0..1000 {
            let one: Vec<f64> = (0..5).map(|_| 3.0 * noise().exp()).collect();
            let other: Vec<f64> = (0..5).map(|_| noise().exp()).collect();
            let [low, high] = Ratio::of(&one, &other).unwrap().interval.unwrap();
            contained += u32::from(low <= 3.0 && 3.0 <= high);
        }
        assert!((930..=970).contains(&contained), "{contained}");
    }
}
