//! What a match has shown. As JSON it is the last line of `manoury match --json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::plan::Plan;
use super::played::Reason;
use super::runner::{Cause, Ending, Progress};
use super::stats::{
    Estimate, Pentanomial, Sprt, Verdict, logistic_elo, normalized_elo, superiority,
};
use super::tally::{EngineTally, MovesTally, PairingTally, Score};

/// The conclusions of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The game.
    pub variant: &'static str,
    /// Whether the match is over: everything is played, or the test is decided.
    pub finished: bool,
    /// Finished games.
    pub games: u64,
    /// Games that the whole match has.
    pub planned_games: u64,
    /// By how many seconds a move may exceed its limit.
    pub margin: f64,
    /// Each engine, in the order of the command line.
    pub engines: Vec<EngineSummary>,
    /// Each pairing, seen from its first engine.
    pub pairings: Vec<PairingSummary>,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtSummary>,
    /// How games have ended.
    pub reasons: BTreeMap<Reason, u64>,
    /// How draws have come about.
    pub draws: BTreeMap<String, u64>,
    /// Games lost by a fault: crash, hang, time, illegal move and the like.
    pub faults: u64,
    /// This run, without those it resumes.
    pub run: RunSummary,
}

/// What an engine has done.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineSummary {
    /// Its name in this match.
    pub name: String,
    /// Who it says it is.
    pub identity: Option<String>,
    /// Its limits.
    pub limits: String,
    /// All its games.
    #[serde(flatten)]
    pub score: Score,
    /// Its games as White and as Black.
    pub by_colour: [Score; 2],
    /// Elo against the field it has met.
    pub elo: Estimate,
    /// Moves that it has thought about.
    pub moves: u64,
    /// Mean plies of a move.
    pub depth: Option<f64>,
    /// Mean nodes of a move.
    pub nodes: Option<f64>,
    /// Mean seconds of a move.
    pub time: Option<f64>,
    /// Nodes a second.
    pub nps: Option<f64>,
    /// The longest move, in seconds.
    pub longest: f64,
    /// Moves that exceeded their limit, within the margin or beyond.
    pub late_moves: u64,
    /// By how much at the most, in seconds.
    pub latest: f64,
    /// Its faults.
    pub faults: BTreeMap<Reason, u64>,
}

/// What two engines have done against each other, from the first one's side.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairingSummary {
    /// The name of one engine.
    pub first: String,
    /// The name of the other.
    pub second: String,
    /// All games.
    #[serde(flatten)]
    pub score: Score,
    /// Pairs in which the first got 0, 1/2, 1, 3/2 and 2 of 2.
    pub pentanomial: Pentanomial,
    /// Elo with its 95 % interval, from pairs.
    pub elo: Estimate,
    /// Normalised Elo with its 95 % interval, from pairs.
    pub normalized_elo: Estimate,
    /// Likelihood that the first is stronger, 0 to 1, from pairs.
    pub los: Option<f64>,
}

/// How the sequential test stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    /// Hypotheses, error rates and model.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At most this accepts H0.
    pub lower: f64,
    /// At least this accepts H1.
    pub upper: f64,
    /// The verdict, once there is one.
    pub verdict: Option<Verdict>,
}

/// What a run took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RunSummary {
    /// Seconds.
    pub seconds: f64,
    /// Games a second.
    pub games_per_second: f64,
    /// The share of the time of games, with all starts of engines, in which none was thinking.
    pub overhead: f64,
    /// Different openings.
    pub openings: usize,
}

impl Summary {
    /// The conclusions from a run and those before it. `games_before` were finished when it began.
    pub fn new(plan: &Plan, progress: &Progress, ending: &Ending, games_before: u64) -> Summary {
        let tally = &progress.tally;
        let engines = plan.engines.iter().zip(&tally.engines).zip(&progress.identities);
        let engines: Vec<_> = engines
            .map(|((engine, tally), identity)| EngineSummary {
                identity: identity.clone().filter(|identity| !identity.is_empty()),
                limits: engine.time_control.to_string(),
                ..EngineSummary::new(engine.name.clone(), tally)
            })
            .collect();
        let name = |index: usize| plan.engines[index].name.clone();
        let pairings = tally.pairings.iter();
        let pairings = pairings
            .map(|(&(one, two), pairing)| PairingSummary::new(name(one), name(two), pairing));
        Summary {
            variant: plan.variant.name(),
            finished: matches!(ending.cause, Cause::Complete | Cause::Decided(_)),
            games: tally.games,
            planned_games: 2 * plan.schedule().len() as u64,
            margin: plan.conditions.margin.as_secs_f64(),
            pairings: pairings.collect(),
            sprt: SprtSummary::new(plan, progress),
            reasons: tally.reasons.clone(),
            draws: tally.draws.clone(),
            faults: engines.iter().flat_map(|engine| engine.faults.values()).sum(),
            engines,
            run: RunSummary::new(ending, tally.games - games_before),
        }
    }
}

impl EngineSummary {
    fn new(name: String, tally: &EngineTally) -> EngineSummary {
        let moves = tally.moves;
        let MovesTally { depths, nodes, .. } = moves;
        EngineSummary {
            name,
            identity: None,
            limits: String::new(),
            score: tally.score(),
            by_colour: tally.scores,
            elo: logistic_elo(&tally.pairs),
            moves: moves.moves,
            depth: mean(depths.1 as f64, depths.0),
            nodes: mean(nodes.1 as f64, nodes.0),
            time: mean(moves.seconds, moves.moves),
            nps: (nodes.2 > 0.0).then(|| nodes.1 as f64 / nodes.2),
            longest: moves.longest,
            late_moves: moves.over.0,
            latest: moves.over.1,
            faults: tally.faults.clone(),
        }
    }
}

impl PairingSummary {
    fn new(first: String, second: String, tally: &PairingTally) -> PairingSummary {
        PairingSummary {
            first,
            second,
            score: tally.score,
            pentanomial: tally.pairs,
            elo: logistic_elo(&tally.pairs),
            normalized_elo: normalized_elo(&tally.pairs),
            los: superiority(&tally.pairs),
        }
    }
}

impl SprtSummary {
    /// How the test of a match stands, if it has one.
    pub fn new(plan: &Plan, progress: &Progress) -> Option<SprtSummary> {
        let test = plan.sprt?;
        let pairing = progress.tally.pairings.get(&(0, 1)).copied().unwrap_or_default();
        let (lower, upper) = test.bounds();
        Some(SprtSummary {
            test,
            llr: test.llr(&pairing.pairs),
            lower,
            upper,
            verdict: test.verdict(&pairing.pairs),
        })
    }
}

impl RunSummary {
    fn new(ending: &Ending, games: u64) -> RunSummary {
        let seconds = ending.wall.as_secs_f64();
        let (busy, thinking) = (ending.busy.as_secs_f64(), ending.thinking.as_secs_f64());
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        RunSummary {
            seconds,
            games_per_second: share(games as f64, seconds),
            overhead: if busy > 0.0 { (1.0 - thinking / busy).max(0.0) } else { 0.0 },
            openings: ending.openings,
        }
    }
}

fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}
