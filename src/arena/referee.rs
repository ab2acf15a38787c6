//! The referee of a game: requests moves from the engines in turn, applies the rules and the
//! clocks, and decides when the game is over.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::Side;
use crate::engine::bitbase_result;
use crate::erased::{Bitbases, Game, Position};
use crate::game::{self, GameResult};
use crate::notation::hub;

use super::adjudication::{Adjudication, Adjudicator};
use super::client::{
    EngineFault, EngineHandle, EngineReply, GameEnd, GameStart, MoveRequest, TimedReply,
};
use super::openings::Opening;
use super::played::{PlayedMove, Termination};
use super::time_control::EngineClock;

/// The conditions common to all games of a match.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Time by which a move may exceed its time limit, to allow for communication.
    pub margin: Duration,
    /// How long to wait for a move that has no time limit.
    pub patience: Duration,
    /// The rules for ending games early.
    pub adjudication: Adjudication,
    /// The bitbases that end games whose result they contain; `None` if no bitbases end games.
    pub bitbases: Option<Arc<Bitbases>>,
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct DecidedGame {
    /// The winner, `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Termination,
    /// Details of the reason, empty if there are none.
    pub detail: String,
    /// All moves, starting with those of the opening.
    pub moves: Vec<PlayedMove>,
    /// Time from the first move request to the end of the game.
    pub time: Duration,
}

/// Why a game has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Abandoned {
    /// The match was interrupted.
    Interrupted,
    /// The engine of this side cannot play in the match; contains the reason.
    Unsuitable(Side, String),
}

/// The winner, the reason for the end of the game, and details of the reason.
type Decision = (Option<Side>, Termination, String);

/// Why a game stops.
enum Halt {
    Over(Decision),
    Abandoned(Abandoned),
}

impl From<Decision> for Halt {
    fn from(decision: Decision) -> Halt {
        Halt::Over(decision)
    }
}

/// A game in progress, after its start or after a move.
#[derive(Clone, Copy, Debug)]
pub struct GameUpdate<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// Its moves, starting with those of the opening.
    pub moves: &'a [PlayedMove],
    /// The principal variation of the engine that moved last, in that engine's notation; empty if
    /// unknown.
    pub pv: &'a str,
    /// The time that White and Black have left for the game; `None` without such a limit.
    pub clocks: [Option<Duration>; 2],
}

/// Receives the game at its start and after each move.
pub type UpdateHandler<'a> = dyn FnMut(&GameUpdate<'_>) + 'a;

/// Plays a game. The first engine plays White.
///
/// # Errors
///
/// The game has no result, because the match was interrupted or an engine cannot play.
pub fn play(
    engines: [&mut EngineHandle; 2],
    opening: &Opening,
    conditions: &Conditions,
    on_update: &mut UpdateHandler<'_>,
) -> Result<DecidedGame, Abandoned> {
    RefereedGame::new(engines, opening, conditions).play(on_update)
}

/// Two engines and the game between them.
struct RefereedGame<'a> {
    engines: [&'a mut EngineHandle; 2],
    conditions: &'a Conditions,
    game: Game,
    /// The moves of the game, in Hub notation (`texts`) and as records (`moves`).
    texts: Vec<String>,
    moves: Vec<PlayedMove>,
    clocks: [EngineClock; 2],
    adjudicator: Adjudicator,
    /// Whether the start of the game has been announced to each engine.
    is_playing: [bool; 2],
    opening_plies: usize,
}

impl<'a> RefereedGame<'a> {
    fn new(
        engines: [&'a mut EngineHandle; 2],
        opening: &Opening,
        conditions: &'a Conditions,
    ) -> RefereedGame<'a> {
        let game = opening.game.clone();
        let texts: Vec<_> = game.moves().into_iter().map(hub::format_move).collect();
        let clocks =
            [&engines[0], &engines[1]].map(|engine| EngineClock::new(engine.time_control()));
        RefereedGame {
            engines,
            conditions,
            moves: texts.iter().cloned().map(PlayedMove::of_opening).collect(),
            opening_plies: texts.len(),
            adjudicator: Adjudicator::new(conditions.adjudication, texts.len()),
            texts,
            clocks,
            game,
            is_playing: [false; 2],
        }
    }

    fn play(mut self, on_update: &mut UpdateHandler<'_>) -> Result<DecidedGame, Abandoned> {
        // An engine that moves first may start its clock when the game is announced to it, so its
        // announcement is sent last.
        let first = self.game.position().side();
        let started =
            [first.opponent(), first].into_iter().try_for_each(|side| self.start_game(side));
        let start = Instant::now();
        let halt = match started {
            Err(halt) => halt,
            Ok(()) => self.play_moves(on_update),
        };
        let time = start.elapsed();
        match halt {
            Halt::Abandoned(abandoned) => Err(abandoned),
            Halt::Over((winner, reason, detail)) => {
                self.end(winner)?;
                Ok(DecidedGame { winner, reason, detail, moves: self.moves, time })
            }
        }
    }

    /// Tells an engine that the game starts.
    fn start_game(&mut self, side: Side) -> Result<(), Halt> {
        let position = hub::format_position(self.game.position());
        let start = GameStart {
            position: &position,
            is_initial: *self.game.position() == Position::start(self.game.variant()),
            side,
            time_control: self.engines[side.index()].time_control(),
        };
        let started = self.engines[side.index()].with_client(|client| client.new_game(&start));
        started.map_err(|fault| consequence(side, fault))?;
        self.is_playing[side.index()] = true;
        Ok(())
    }

    fn play_moves(&mut self, on_update: &mut UpdateHandler<'_>) -> Halt {
        let mut pv = String::new();
        loop {
            on_update(&self.update(&pv));
            if let Some(decision) = self.decision() {
                return decision.into();
            }
            match self.play_move() {
                Ok(line) => pv = line,
                Err(halt) => return halt,
            }
        }
    }

    fn update<'b>(&'b self, pv: &'b str) -> GameUpdate<'b> {
        let left = |clock: &EngineClock| Some(clock.limits().clock?.remaining);
        let clocks = [&self.clocks[0], &self.clocks[1]].map(left);
        GameUpdate { game: &self.game, moves: &self.moves, pv, clocks }
    }

    /// The decision by the rules or by adjudication, if the game is over.
    fn decision(&self) -> Option<Decision> {
        if let Some(outcome) = self.game.outcome() {
            return Some(by_rules(outcome));
        }
        let bitbases = self.conditions.bitbases.as_ref();
        let known = bitbases.and_then(|known| bitbase_result(&self.game, known));
        if let Some((winner, plies)) = known {
            let detail = plies.map_or(String::new(), distance);
            return Some((winner, Termination::Bitbase, detail));
        }
        let (winner, reason) = self.adjudicator.verdict()?;
        Some((winner, reason, String::new()))
    }

    /// Requests the move of the side to move, and plays it. Returns the engine's principal
    /// variation.
    fn play_move(&mut self) -> Result<String, Halt> {
        let side = self.game.position().side();
        let (reply, limit) = self.request_move(side).map_err(|fault| consequence(side, fault))?;
        let TimedReply { reply, time, report } = reply;
        if limit.is_some_and(|limit| time > limit + self.conditions.margin) {
            let limit = limit.unwrap_or_default().as_secs_f64();
            let detail = format!("{:.3} s of {limit:.3} s", time.as_secs_f64());
            return Err(lost(side, Termination::Time, detail));
        }
        let error_message = report.error.as_deref().unwrap_or_default();
        let text = self.interpret(side, reply, error_message)?;
        let mv = hub::parse_move_leniently(self.game.position(), &text).map_err(|error| {
            lost(side, Termination::IllegalMove, with_error(error.to_string(), error_message))
        })?;
        self.clocks[side.index()].spend(time);
        self.adjudicator.add(side, report.score);
        let text = hub::format_move(mv);
        self.moves.push(PlayedMove::new(text.clone(), time, limit, &report));
        self.texts.push(text);
        self.game.play(mv);
        Ok(report.pv)
    }

    /// Requests a move from an engine. Returns the reply and the time limit of the move.
    fn request_move(&mut self, side: Side) -> Result<(TimedReply, Option<Duration>), EngineFault> {
        let limits = self.clocks[side.index()].limits();
        let limit = limits.limit();
        // The engine is sent the earliest position that matters for the draw rules, and the moves
        // played from that position.
        let first = self.game.plies() - self.game.draw_lookback();
        let position = &self.game.positions()[first];
        let is_first_move = self.texts.len() == self.opening_plies;
        let request = MoveRequest {
            position: &hub::format_position(position),
            wolf: &hub::format_wolf(position),
            moves: &self.texts[first..],
            last: self.texts.last().filter(|_| !is_first_move).map(String::as_str),
            limits,
            patience: limit
                .map_or(self.conditions.patience, |limit| limit + self.conditions.margin),
        };
        let reply = self.engines[side.index()].with_client(|client| client.think(&request))?;
        Ok((reply, limit))
    }

    /// Returns the text of the move if the reply is a move; any other reply ends the game.
    fn interpret(
        &self,
        side: Side,
        reply: EngineReply,
        error_message: &str,
    ) -> Result<String, Halt> {
        let claim = |winner: Option<Side>, reason, what: &str| -> Halt {
            if self.adjudicator.agrees_with(side, winner) {
                return (winner, reason, what.to_owned()).into();
            }
            lost(side, Termination::FalseClaim, format!("{what}, but the opponent does not agree"))
        };
        match reply {
            EngineReply::Move(text) => Ok(text),
            EngineReply::NoMove => {
                Err(lost(side, Termination::NoMove, with_error(String::new(), error_message)))
            }
            EngineReply::Resignation => Err(lost(side, Termination::Resigned, String::new())),
            EngineReply::DrawClaim => Err(claim(None, Termination::AgreedDraw, "draw claimed")),
            EngineReply::WinClaim => Err(claim(Some(side), Termination::AgreedWin, "win claimed")),
        }
    }

    /// Tells the running engines how the game ended. An engine that fails at this point does not
    /// change the result.
    fn end(&mut self, winner: Option<Side>) -> Result<(), Abandoned> {
        let to_move = self.game.position().side();
        for side in Side::ALL {
            let is_to_move = side == to_move;
            let has_moved = self.texts.len() > self.opening_plies;
            let last = self.texts.last().filter(|_| is_to_move && has_moved);
            let result = GameResult::of(winner, side);
            let end = GameEnd { last: last.map(String::as_str), is_to_move, result };
            let engine = &mut self.engines[side.index()];
            if !self.is_playing[side.index()] || !engine.is_running() {
                continue;
            }
            match engine.with_client(|client| client.end_game(&end)) {
                Err(EngineFault::Interrupted) => return Err(Abandoned::Interrupted),
                Err(fault) => log::warn!("{side:?}, after the game: {fault}"),
                Ok(()) => {}
            }
        }
        Ok(())
    }
}

/// The end of a game that `side` lost by a fault or by resignation.
fn lost(side: Side, reason: Termination, detail: String) -> Halt {
    Halt::Over((Some(side.opponent()), reason, detail))
}

/// A detail, followed by the engine's error message if there is one.
fn with_error(detail: String, error_message: &str) -> String {
    let parts = [detail, error_message.to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; it said: ")
}

/// The consequence of an engine's fault for the game.
fn consequence(side: Side, fault: EngineFault) -> Halt {
    match fault {
        EngineFault::Interrupted => Halt::Abandoned(Abandoned::Interrupted),
        EngineFault::Unsuitable(what) => Halt::Abandoned(Abandoned::Unsuitable(side, what)),
        EngineFault::NoStart(what) => lost(side, Termination::NoStart, what),
        EngineFault::Crash(how) => lost(side, Termination::Crash, how),
        EngineFault::Hang => lost(side, Termination::Hang, String::new()),
        EngineFault::Flood => lost(side, Termination::Flood, String::new()),
        EngineFault::Protocol(what) => lost(side, Termination::Protocol, what),
    }
}

/// The decision that follows from an outcome by the rules.
fn by_rules(outcome: game::Outcome) -> Decision {
    let (reason, detail) = match outcome.reason {
        game::Reason::Repetition => (Termination::Repetition, String::new()),
        game::Reason::KingMoves => (Termination::KingMoves, String::new()),
        game::Reason::Ending(article) => (Termination::EndingLimit, format!("article {article}")),
        game::Reason::NoPieces | game::Reason::Blocked | game::Reason::King => {
            (Termination::Rules, outcome.reason.to_string())
        }
    };
    (outcome.winner, reason, detail)
}

/// The number of plies in which the game would end: `in 1 ply`, `in 2 plies`.
fn distance(plies: u8) -> String {
    match plies {
        1 => "in 1 ply".to_owned(),
        _ => format!("in {plies} plies"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_ply_is_singular() {
        assert_eq!([1, 2].map(distance), ["in 1 ply", "in 2 plies"]);
    }
}
