//! Measures how fast engines search. The engines take turns searching the same positions, so that
//! other load on the machine affects all of them equally.
//!
//! - [`ratio`]: ratios of speeds, with confidence intervals computed from the rounds of a
//!   measurement.
//! - [`scaling`]: the speed of this program for different numbers of threads and table sizes, and a
//!   chart of it.

pub mod ratio;
pub mod scaling;

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

/// The plan of a measurement.
#[derive(Clone, Debug)]
pub struct SpeedPlan {
    /// The variant of the positions.
    pub variant: Variant,
    /// The engines, with their limits.
    pub engines: Vec<Participant>,
    /// The positions, in none of which the game is over.
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
    /// The peak memory of the engine in bytes; see [`Client::peak_memory`].
    pub memory: Option<u64>,
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
    /// The move found; `None` if the reply is not a legal move.
    pub mv: Option<Move>,
    /// The time from which on the engine's best line began with that move.
    pub settled: Duration,
}

/// Measures all engines. `on_search` is called after each search.
///
/// # Errors
///
/// An engine failed; contains its index and the fault.
pub fn measure(
    plan: &SpeedPlan,
    interrupt: &Interrupt,
    on_search: &mut dyn FnMut(),
) -> Result<Vec<EngineSpeed>, (usize, EngineFault)> {
    let context = MatchContext::new(plan.variant, interrupt.clone());
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
        let (identity, memory) = (client.identity().to_owned(), client.peak_memory());
        client.quit();
        EngineSpeed { identity, memory, ..speed }
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
    // Over DXP the name is known after the first game has been accepted.
    let identity = String::new();
    Ok((client, EngineSpeed { identity, ready, memory: None, rounds: Vec::new() }))
}

/// Searches a position as the first position of a new game.
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
    let first = report.pv.split_whitespace().next();
    let first = first.and_then(|text| hub::parse_move_leniently(position, text).ok());
    let settled = if first.is_some() && first == mv { report.changed } else { time };
    Ok(Search { time, nodes: report.nodes, depth: report.depth, mv, settled })
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

    /// The nodes per second of each round; `None` if the engine does not report its nodes.
    pub fn rates(&self) -> Option<Vec<f64>> {
        let nodes = self.nodes()?.into_iter();
        Some(nodes.zip(self.times()).map(|(nodes, time)| nodes / time).collect())
    }

    /// The mean depth; `None` if the engine does not report it.
    pub fn depth(&self) -> Option<f64> {
        let depths: Option<Vec<f64>> =
            self.rounds.iter().flatten().map(|search| Some(f64::from(search.depth?))).collect();
        let depths = depths?;
        Some(depths.iter().sum::<f64>() / depths.len() as f64)
    }

    /// For each round, the time in seconds from which on the engine's line for each position starts
    /// with a best move, or `None` if the engine played another move. `best` contains the best
    /// moves of each position; positions whose best moves are unknown are left out.
    pub fn solve_times(&self, best: &[Vec<Move>]) -> Vec<Vec<Option<f64>>> {
        let solved = |(search, best): (&Search, &Vec<Move>)| {
            let is_solved = search.mv.is_some_and(|mv| best.contains(&mv));
            is_solved.then_some(search.settled.as_secs_f64())
        };
        let known = |round: &Vec<Search>| {
            let searches = round.iter().zip(best).filter(|(_, best)| !best.is_empty());
            searches.map(solved).collect()
        };
        self.rounds.iter().map(known).collect()
    }

    /// The time of the first search, divided by the mean time of the later searches of the same
    /// position; `None` with only one round.
    pub fn first_search(&self) -> Option<f64> {
        let first = |round: &Vec<Search>| Some(round.first()?.time.as_secs_f64());
        let times: Vec<f64> = self.rounds.iter().filter_map(first).collect();
        let (first, later) = times.split_first()?;
        let mean = later.iter().sum::<f64>() / later.len() as f64;
        (!later.is_empty() && mean > 0.0).then(|| first / mean)
    }
}
