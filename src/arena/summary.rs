//! The summary of a match. Its JSON form is the last line of `manoury match --json`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::runtime::machine;

use super::plan::MatchPlan;
use super::played::Termination;
use super::runner::{Cause, MatchProgress, RunEnding};
use super::schedule::tournament::{Board, Round};
use super::stats::{
    Estimate, Pentanomial, RatingError, RatingScale, RatingTable, Sprt, SprtVerdict, logistic_elo,
    normalized_elo, superiority,
};
use super::tally::{DrawReason, EngineTally, MatchTally, MovesTally, PairingTally, WinDrawLoss};

/// The summary of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The variant played.
    pub variant: &'static str,
    /// Whether the match is over: all games have been played, or the sequential test is decided.
    pub finished: bool,
    /// Number of finished games.
    pub games: u64,
    /// Number of games planned for the whole match.
    pub planned_games: u64,
    /// Time by which a move may exceed its time limit, in seconds.
    pub margin: f64,
    /// The engines, in the order of the command line.
    pub engines: Vec<EngineSummary>,
    /// The ratings of the engines, in the same order.
    pub ratings: RatingTable,
    /// The pairings, each from the point of view of its first engine.
    pub pairings: Vec<PairingSummary>,
    /// The sequential test between two engines, if there is one.
    pub sprt: Option<SprtSummary>,
    /// The rounds of a tournament, as far as they are known; empty for other formats.
    pub rounds: Vec<RoundSummary>,
    /// The places of the engines in a tournament, best first; empty for other formats.
    pub places: Vec<PlaceSummary>,
    /// Number of games by termination reason.
    pub reasons: BTreeMap<Termination, u64>,
    /// Number of draws by reason, including details such as the article of the rules for a move
    /// limit.
    pub draws: BTreeMap<DrawReason, u64>,
    /// Number of games lost through a fault of an engine, such as a crash, a hang or an illegal
    /// move.
    pub faults: u64,
    /// Warnings about the results, one sentence each.
    pub warnings: Vec<String>,
    /// The machine.
    pub machine: String,
    /// The name and the version of this program.
    pub referee: &'static str,
    /// Speed and overhead of this run, excluding earlier runs of the match.
    pub run: RunSummary,
}

/// The results of one engine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineSummary {
    /// The name of the engine in the match.
    pub name: String,
    /// The name that the engine reports.
    pub identity: Option<String>,
    /// The parameters that are set, such as `threads=1, book=false`.
    pub settings: String,
    /// The limits of the engine.
    pub limits: String,
    /// The results of all games.
    #[serde(flatten)]
    pub score: WinDrawLoss,
    /// The results as White and as Black.
    pub by_colour: [WinDrawLoss; 2],
    /// Elo relative to the opponents in the match.
    pub elo: Estimate,
    /// Number of moves searched.
    pub moves: u64,
    /// Mean depth per move, in plies.
    pub depth: Option<f64>,
    /// Mean number of nodes per move.
    pub nodes: Option<f64>,
    /// Mean time per move, in seconds.
    pub time: Option<f64>,
    /// Nodes per second.
    pub nps: Option<f64>,
    /// Time of the longest move, in seconds.
    pub longest: f64,
    /// Number of moves that exceeded their time limit, by any amount.
    pub late_moves: u64,
    /// The maximum time by which a move exceeded its limit, in seconds.
    pub latest: f64,
    /// Number of games lost through faults of the engine, for each kind of fault.
    pub faults: BTreeMap<Termination, u64>,
}

/// The results of two engines against each other, from the point of view of the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairingSummary {
    /// The name of the first engine.
    pub first: String,
    /// The name of the second engine.
    pub second: String,
    /// The results of all games.
    #[serde(flatten)]
    pub score: WinDrawLoss,
    /// Number of pairs in which the first engine scored 0, 1/2, 1, 3/2 and 2 of 2 points.
    pub pentanomial: Pentanomial,
    /// Elo with its 95 % interval, computed from pairs.
    pub elo: Estimate,
    /// Normalised Elo with its 95 % interval, computed from pairs.
    pub normalized_elo: Estimate,
    /// Likelihood of superiority of the first engine, 0 to 1, computed from pairs.
    pub los: Option<f64>,
    /// The results if each game is scored by bitbases at its first position that they contain,
    /// whatever happened afterwards.
    pub by_bitbases: BitbaseSummary,
    /// The sequential test of the pairing, if there is one.
    pub sprt: Option<SprtSummary>,
}

/// A round of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoundSummary {
    /// The name, such as `semifinals` or `round 2`.
    pub name: String,
    /// The mini-matches.
    pub boards: Vec<BoardSummary>,
}

/// A mini-match of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoardSummary {
    /// The name of the first engine.
    pub first: String,
    /// The name of the second engine; `None` if the first has a bye.
    pub second: Option<String>,
    /// The points of both engines: two for a win and one for a draw.
    pub points: [u64; 2],
    /// The number of finished pairs of games.
    pub pairs: usize,
    /// Whether the mini-match is over.
    pub over: bool,
    /// The name of the winner, once the mini-match is over; `None` after a tie in a Swiss
    /// tournament.
    pub winner: Option<String>,
}

/// The place of an engine in a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlaceSummary {
    /// The name of the engine.
    pub name: String,
    /// Points in all rounds; in a Swiss tournament, a bye counts as winning all games.
    pub points: u64,
    /// The sum of the points of the opponents.
    pub buchholz: u64,
}

/// The results of a pairing according to bitbases.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct BitbaseSummary {
    /// The results of all games.
    #[serde(flatten)]
    pub score: WinDrawLoss,
    /// Elo with its 95 % interval, computed from pairs.
    pub elo: Estimate,
}

/// The state of the sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    /// Hypotheses, error rates and model.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The bound at or below which H0 is accepted.
    pub lower: f64,
    /// The bound at or above which H1 is accepted.
    pub upper: f64,
    /// The verdict, once the test is decided.
    pub verdict: Option<SprtVerdict>,
}

/// Speed and overhead of a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RunSummary {
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Finished games per second.
    pub games_per_second: f64,
    /// The fraction of the playing time (including engine starts) during which no engine was
    /// thinking.
    pub overhead: f64,
    /// Number of different openings.
    pub openings: usize,
    /// Number of games left out of a file of openings because they were too short or already over.
    pub skipped_openings: usize,
}

impl Summary {
    /// The summary of a match, including earlier runs. `games_before` is the number of games
    /// finished before this run.
    pub fn new(
        plan: &MatchPlan,
        progress: &MatchProgress,
        ending: &RunEnding,
        games_before: u64,
    ) -> Summary {
        let tally = &progress.tally;
        let engines = plan.engines.iter().zip(&tally.engines).zip(&progress.identities);
        let engines: Vec<_> = engines
            .map(|((engine, tally), identity)| EngineSummary {
                identity: identity.clone().filter(|identity| !identity.is_empty()),
                settings: engine.spec.settings(),
                limits: engine.time_control.to_string(),
                ..EngineSummary::new(engine.name.clone(), tally)
            })
            .collect();
        let name = |index: usize| plan.engines[index].name.clone();
        let warnings = plan.engines.iter().zip(&tally.engines);
        let warnings = warnings.flat_map(|(engine, tally)| tally.warnings.texts(&engine.name));
        let (ratings, rating_warning) = ratings(plan, tally);
        let about_match = [plan.warning(), rating_warning, tally.repeated.text(tally.games)];
        let warnings = about_match.into_iter().flatten().chain(warnings).collect();
        let pairings = tally.pairings.iter();
        let pairings = pairings.map(|(&(one, two), pairing)| {
            let sprt = plan.sprt.map(|test| SprtSummary::of(test, pairing));
            PairingSummary { sprt, ..PairingSummary::new(name(one), name(two), pairing) }
        });
        let tournament = plan.schedule().tournament(&tally.pair_results);
        let (rounds, places) = tournament.map_or_else(Default::default, |tournament| {
            let rounds = tournament.rounds.iter().map(|round| RoundSummary::new(round, &name));
            let places = tournament.standings.iter().map(|standing| PlaceSummary {
                name: name(standing.engine),
                points: standing.points,
                buchholz: standing.buchholz,
            });
            (rounds.collect(), places.collect())
        });
        Summary {
            variant: plan.variant.name(),
            finished: matches!(ending.cause, Cause::Complete | Cause::Decided(_)),
            games: tally.games,
            planned_games: plan.planned_games(tally),
            margin: plan.conditions.margin.as_secs_f64(),
            ratings,
            pairings: pairings.collect(),
            sprt: SprtSummary::new(plan, progress),
            rounds,
            places,
            reasons: tally.reasons.clone(),
            draws: tally.draws.clone(),
            faults: engines.iter().flat_map(|engine| engine.faults.values()).sum(),
            warnings,
            machine: machine::description(),
            referee: machine::PROGRAM,
            engines,
            run: RunSummary::new(ending, tally.games - games_before),
        }
    }

    /// The summary of a match in progress, without the speed of this run.
    pub fn interim(plan: &MatchPlan, progress: &MatchProgress) -> Summary {
        let ending = RunEnding {
            cause: Cause::Interrupted,
            wall: Duration::ZERO,
            busy: Duration::ZERO,
            thinking: Duration::ZERO,
            openings: 0,
            skipped_openings: 0,
        };
        Summary::new(plan, progress, &ending, progress.tally.games)
    }
}

/// The ratings of the engines. If the anchor has no rating, their average is 0, and there is a
/// warning; if they cannot be computed, all are unknown.
fn ratings(plan: &MatchPlan, tally: &MatchTally) -> (RatingTable, Option<String>) {
    let names: Vec<_> = plan.engines.iter().map(|engine| engine.name.clone()).collect();
    let games = tally.rated_games();
    let average = RatingScale::Average(0.0);
    let (table, warning) = match RatingTable::new(&names, &games, plan.rating_scale) {
        Err(error @ RatingError::Anchor) if tally.games > 0 => {
            let warning = format!("{error}; the average rating is 0 instead");
            (RatingTable::new(&names, &games, average), Some(warning))
        }
        table => (table, None),
    };
    (table.unwrap_or_else(|_| RatingTable::unrated(&names, &games)), warning)
}

impl EngineSummary {
    fn new(name: String, tally: &EngineTally) -> EngineSummary {
        let moves = tally.moves;
        let MovesTally { depths, nodes, .. } = moves;
        EngineSummary {
            name,
            identity: None,
            settings: String::new(),
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

impl RoundSummary {
    /// Creates the summary of a round. `name` returns the name of the engine with an index.
    fn new(round: &Round, name: &impl Fn(usize) -> String) -> RoundSummary {
        let board = |board: &Board| BoardSummary {
            first: name(board.engines.0),
            second: board.engines.1.map(name),
            points: board.points,
            pairs: board.pairs,
            over: board.is_over,
            winner: board.winner.map(name),
        };
        RoundSummary { name: round.name.clone(), boards: round.boards.iter().map(board).collect() }
    }
}

impl PairingSummary {
    fn new(first: String, second: String, tally: &PairingTally) -> PairingSummary {
        PairingSummary {
            first,
            second,
            score: tally.played.games,
            pentanomial: tally.played.pairs,
            elo: logistic_elo(&tally.played.pairs),
            normalized_elo: normalized_elo(&tally.played.pairs),
            los: superiority(&tally.played.pairs),
            by_bitbases: BitbaseSummary {
                score: tally.by_bitbases.games,
                elo: logistic_elo(&tally.by_bitbases.pairs),
            },
            sprt: None,
        }
    }
}

impl SprtSummary {
    /// The state of the sequential test; `None` unless the match has a test and only two engines.
    pub fn new(plan: &MatchPlan, progress: &MatchProgress) -> Option<SprtSummary> {
        let test = plan.sprt.filter(|_| plan.engines.len() == 2)?;
        let pairing = progress.tally.pairings.get(&(0, 1)).copied().unwrap_or_default();
        Some(SprtSummary::of(test, &pairing))
    }

    /// The state of the test of a pairing.
    fn of(test: Sprt, pairing: &PairingTally) -> SprtSummary {
        let (lower, upper) = test.bounds();
        SprtSummary {
            test,
            llr: test.llr(&pairing.played.pairs),
            lower,
            upper,
            verdict: test.verdict(&pairing.played.pairs),
        }
    }
}

impl RunSummary {
    fn new(ending: &RunEnding, games: u64) -> RunSummary {
        let seconds = ending.wall.as_secs_f64();
        let (busy, thinking) = (ending.busy.as_secs_f64(), ending.thinking.as_secs_f64());
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        RunSummary {
            seconds,
            games_per_second: share(games as f64, seconds),
            overhead: if busy > 0.0 { (1.0 - thinking / busy).max(0.0) } else { 0.0 },
            openings: ending.openings,
            skipped_openings: ending.skipped_openings,
        }
    }
}

fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}
