//! Engines that speak DamExchange. The arena requests games as the initiator; the engine is the
//! follower.
//!
//! The engine keeps its own clock, which the game request sets. DXP has no limit except the time
//! for the game. If the time control has a number of moves (`moves/time`), the request contains
//! this number, and the engine ends the game after that many moves, because DXP has no second
//! session.

use std::time::{Duration, Instant};

use crate::arena::spec::EngineSpec;
use crate::arena::time_control::{Period, TimeControl};
use crate::game::GameResult;
use crate::notation;
use crate::protocol::dxp::{
    Acceptance, AfterGame, EndReason, GameRequest, Message, MoveMessage, TakebackAnswer,
};
use crate::rules::Variant;

use super::dxp_stream::DxpStream;
use super::{
    Client, EngineFault, EngineReply, GameEnd, GameStart, MatchContext, MoveRequest, STOP_GRACE,
    SearchReport, TimedReply, after,
};

/// The name of the arena in game requests.
const NAME: &str = "Manoury";

/// Maximum time to wait for the engine to end a game that is over by the rules, if the engine is to
/// move.
const END_TIMEOUT: Duration = Duration::from_millis(200);

/// Maximum time to wait until an engine acknowledges the end of a game.
const ACKNOWLEDGEMENT_TIMEOUT: Duration = Duration::from_secs(2);

/// Time for an engine to exit after it has been asked to quit.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// An engine that speaks DXP.
pub struct DxpClient {
    stream: DxpStream,
    identity: String,
    chat: Vec<String>,
    /// Maximum time for the engine to accept a game.
    start_limit: Duration,
    /// Whether the arena started the engine's process.
    is_started_by_arena: bool,
    is_playing: bool,
    /// When the engine accepted the game.
    accepted: Instant,
}

impl DxpClient {
    /// Starts the engine and connects to it. Fails with [`EngineFault::Unsuitable`] if the variant
    /// is not international draughts, the program cannot be started or a chat message cannot be
    /// encoded, and with [`EngineFault::NoStart`] if there is no connection in time.
    pub fn start(spec: &EngineSpec, context: &MatchContext) -> Result<DxpClient, EngineFault> {
        if context.variant != Variant::International {
            let what = format!("DXP supports only international draughts, not {}", context.variant);
            return Err(EngineFault::Unsuitable(what));
        }
        for text in &spec.dxp.chat {
            let chat = Message::Chat(text.clone()).format();
            chat.map_err(|error| EngineFault::Unsuitable(format!("chat cannot be sent: {error}")))?;
        }
        Ok(DxpClient {
            stream: DxpStream::open(spec, context)?,
            identity: String::new(),
            chat: spec.dxp.chat.clone(),
            start_limit: spec.start_limit,
            is_started_by_arena: !spec.command.is_empty(),
            is_playing: false,
            accepted: Instant::now(),
        })
    }

    /// Waits for the answer to a game request. If the engine refuses, the fault quotes its last
    /// chat message. Other messages that arrive before the answer belong to the previous game and
    /// are ignored.
    fn await_acceptance(&mut self) -> Result<(), EngineFault> {
        let deadline = after(Instant::now(), self.start_limit);
        let mut explanation = String::new();
        while let Some((message, at)) = self.stream.receive(deadline)? {
            match message {
                Message::Accept { name, answer: Acceptance::Accepts } => {
                    self.identity = name;
                    self.accepted = at;
                    return Ok(());
                }
                Message::Accept { answer, .. } => {
                    let reason = refusal(answer);
                    return Err(EngineFault::NoStart(format!("{reason}{explanation}")));
                }
                Message::Chat(text) => explanation = format!("; it said {text:?}"),
                _ => {}
            }
        }
        Err(EngineFault::NoStart(format!("no answer to the game request{explanation}")))
    }

    /// Handles a message during a game. Returns the reply it contains, if any.
    fn handle(
        &mut self,
        message: Message,
    ) -> Result<Option<(EngineReply, SearchReport)>, EngineFault> {
        let reply = match message {
            Message::Move(mv) => {
                let time = Some(Duration::from_secs(mv.seconds.into()));
                return Ok(Some((
                    EngineReply::Move(mv.to_hub()),
                    SearchReport { time, ..SearchReport::default() },
                )));
            }
            Message::End { reason, next } => {
                self.acknowledge(next)?;
                match reason {
                    EndReason::Unknown => EngineReply::NoMove,
                    EndReason::Resigns => EngineReply::Resignation,
                    EndReason::Draw => EngineReply::DrawClaim,
                    EndReason::HasWon => EngineReply::WinClaim,
                }
            }
            Message::Takeback { .. } => {
                self.stream.send(&Message::TakebackAnswer(TakebackAnswer::Unable))?;
                return Ok(None);
            }
            Message::Request(_)
            | Message::OtherVersion { .. }
            | Message::Accept { .. }
            | Message::Chat(_)
            | Message::TakebackAnswer(_) => return Ok(None),
        };
        Ok(Some((reply, SearchReport::default())))
    }

    fn acknowledge(&mut self, next: AfterGame) -> Result<(), EngineFault> {
        self.is_playing = false;
        self.stream.send(&Message::End { reason: EndReason::Unknown, next }).map(|_| ())
    }

    /// The end of the game, if the engine has sent it since its last move. Fails with
    /// [`EngineFault::Protocol`] if the engine has sent another move, out of turn.
    fn early_end(&mut self) -> Result<Option<(EngineReply, SearchReport)>, EngineFault> {
        while let Some((message, _)) = self.stream.receive(Instant::now())? {
            match self.handle(message)? {
                Some((EngineReply::Move(mv), _)) => {
                    return Err(EngineFault::Protocol(format!("move out of turn: {mv}")));
                }
                Some(end) => return Ok(Some(end)),
                None => {}
            }
        }
        Ok(None)
    }

    fn send_move(&mut self, mv: &str) -> Result<Instant, EngineFault> {
        let mv = MoveMessage::from_hub(mv, 0)
            .map_err(|error| EngineFault::Protocol(error.to_string()))?;
        self.stream.send(&Message::Move(mv))
    }

    /// Waits until the engine ends the game or acknowledges its end, ignoring moves in transit.
    /// Returns what the engine wants to do next; `None` after `patience`.
    fn await_end(&mut self, patience: Duration) -> Result<Option<AfterGame>, EngineFault> {
        let deadline = Instant::now() + patience;
        while let Some((message, _)) = self.stream.receive(deadline)? {
            if let Message::End { next, .. } = message {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// Ends the game and waits for the engine's acknowledgement.
    fn end(&mut self, reason: EndReason) -> Result<(), EngineFault> {
        self.is_playing = false;
        self.stream.send(&Message::End { reason, next: AfterGame::AnotherGame })?;
        // An engine that does not acknowledge the end may still accept the next game.
        self.await_end(ACKNOWLEDGEMENT_TIMEOUT).map(|_| ())
    }
}

impl Client for DxpClient {
    /// The name of the engine, known once it has accepted its first game.
    fn identity(&self) -> &str {
        &self.identity
    }

    fn new_game(&mut self, start: &GameStart<'_>) -> Result<(), EngineFault> {
        let request = request(start).map_err(EngineFault::Unsuitable)?;
        self.stream.start_request()?;
        if self.is_playing {
            self.end(EndReason::Unknown)?;
        }
        while self.stream.receive(Instant::now())?.is_some() {}
        for text in self.chat.clone() {
            self.stream.send(&Message::Chat(text))?;
        }
        self.stream.send(&request)?;
        self.await_acceptance()?;
        self.is_playing = true;
        Ok(())
    }

    fn think(&mut self, turn: &MoveRequest<'_>) -> Result<TimedReply, EngineFault> {
        // An engine that moves first starts thinking as soon as it accepts the game.
        let mut start = self.accepted;
        if let Some(last) = turn.last {
            self.stream.start_request()?;
            if let Some((reply, report)) = self.early_end()? {
                return Ok(TimedReply { reply, time: Duration::ZERO, report });
            }
            start = self.send_move(last)?;
        }
        let deadline = after(Instant::now(), turn.patience.saturating_add(STOP_GRACE));
        while let Some((message, at)) = self.stream.receive(deadline)? {
            if let Some((reply, report)) = self.handle(message)? {
                return Ok(TimedReply { reply, time: at.saturating_duration_since(start), report });
            }
        }
        Err(EngineFault::Hang)
    }

    fn end_game(&mut self, end: &GameEnd<'_>) -> Result<(), EngineFault> {
        if !self.is_playing {
            return Ok(());
        }
        self.stream.start_request()?;
        if let Some(next) = self.await_end(Duration::ZERO)? {
            return self.acknowledge(next);
        }
        if let Some(last) = end.last {
            self.send_move(last)?;
        }
        // By convention the side to move ends the game.
        if end.is_to_move
            && let Some(next) = self.await_end(END_TIMEOUT)?
        {
            return self.acknowledge(next);
        }
        self.end(reason(end.result))
    }

    fn quit(mut self: Box<Self>) {
        let quit = Message::End { reason: EndReason::Unknown, next: AfterGame::Quit };
        // An engine that the arena did not start is left running: it may be needed again.
        if self.is_started_by_arena && self.stream.send(&quit).is_ok() {
            self.stream.wait(QUIT_TIMEOUT);
        }
    }
}

/// The reason that the arena sends at the end of a game, given the engine's result. The arena
/// speaks as the engine's opponent.
fn reason(result: GameResult) -> EndReason {
    match result {
        GameResult::Loss => EndReason::HasWon,
        GameResult::Draw => EndReason::Draw,
        GameResult::Win => EndReason::Resigns,
    }
}

fn refusal(answer: Acceptance) -> &'static str {
    match answer {
        Acceptance::OtherVersion => "it refuses this version of DXP",
        Acceptance::NotThisGame => "it refuses this game",
        Acceptance::Accepts | Acceptance::Refuses => "it refuses to play",
    }
}

/// The message that requests a game.
fn request(start: &GameStart<'_>) -> Result<Message, String> {
    let (time, moves) = game_time(&start.time_control)?;
    let position = if start.is_initial { None } else { Some(position(start.position)?) };
    let name = NAME.to_owned();
    let request = GameRequest { name, follower: start.side, time, moves, position };
    let message = Message::Request(request);
    message.format().map_err(|error| format!("DXP cannot express the game request: {error}"))?;
    Ok(message)
}

/// The time for the game, and the number of moves; 0 moves if the number is not limited.
fn game_time(control: &TimeControl) -> Result<(Duration, u32), String> {
    let has_other = control.depth.is_some() || control.nodes.is_some();
    let Some(game) = control.game.filter(|_| !has_other && control.move_time.is_none()) else {
        return Err("the only limit that DXP supports is a time for the whole game: set it with \
                    tc.time=60 in the description of the engine"
            .to_owned());
    };
    let Period { time, increment, moves } = game.periods.first;
    if increment > 0.0 || game.delay > 0.0 {
        return Err("DXP does not support an increment or a delay".to_owned());
    }
    if game.periods != game.periods.first.into() {
        return Err("DXP supports only one period".to_owned());
    }
    let time = Duration::try_from_secs_f64(time).map_err(|error| error.to_string())?;
    Ok((time, moves.unwrap_or(0)))
}

/// Converts a position from Hub notation to DXP notation.
fn position(text: &str) -> Result<String, String> {
    let position = notation::hub::parse_position(Variant::International, text);
    let position = position.map_err(|error| error.to_string())?;
    Ok(notation::PositionLetters::DXP.format(&position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::time_control::Periods;
    use crate::board::Side;

    fn start(position: &str, control: TimeControl) -> GameStart<'_> {
        GameStart { position, is_initial: false, side: Side::Black, time_control: control }
    }

    fn control(time: f64) -> TimeControl {
        TimeControl { game: Some(Periods::from(time).into()), ..TimeControl::default() }
    }

    #[test]
    fn requests_have_time_and_position() {
        let squares = |letters: &str| letters.replace('_', &"e".repeat(23));
        let hub = squares("B_wb_WB");
        let text = request(&start(&hub, control(30.0))).unwrap().format().unwrap();
        let name = format!("{NAME:32}");
        assert_eq!(text, format!("R01{name}Z0.5000B{}", squares("Z_wz_WZ")));
        let initial = GameStart { is_initial: true, ..start("", control(300.0)) };
        let text = request(&initial).unwrap().format().unwrap();
        assert_eq!(text, format!("R01{name}Z005000A"));
    }

    #[test]
    fn rejects_limits_and_positions_it_cannot_express() {
        let with = |change: fn(&mut TimeControl)| {
            let mut control = control(60.0);
            change(&mut control);
            control
        };
        let clock = |text: &str| {
            let periods: Periods = text.parse().unwrap();
            TimeControl { game: Some(periods.into()), ..TimeControl::default() }
        };
        for (control, word) in [
            (TimeControl { nodes: Some(1), ..TimeControl::default() }, "time for the whole game"),
            (with(|control| control.depth = Some(3)), "time for the whole game"),
            (with(|control| control.move_time = Some(1.0)), "time for the whole game"),
            (clock("60+1"), "increment"),
            (clock("1000/60"), "digits"),
            (clock("40/60:60"), "one period"),
            (with(|control| control.game.as_mut().unwrap().delay = 1.0), "delay"),
            (TimeControl { nodes: Some(1), ..TimeControl::default() }, "tc.time=60"),
            (self::control(10.0), "use 9.6 or 10.2 seconds"),
            (self::control(61.0), "3 characters"),
            (self::control(100_000.0), "3 characters"),
        ] {
            let start = GameStart { is_initial: true, ..start("", control) };
            let fault = request(&start).unwrap_err();
            assert!(fault.contains(word), "{fault}");
        }
        assert!(request(&start("Wx", control(60.0))).is_err());
    }
}
