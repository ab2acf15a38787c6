//! Engines that speak DamExchange. The arena asks for games, and the engine follows.
//!
//! The engine keeps its own clock, as the request for the game sets it. DXP has no limits but a time
//! for the game; if the match counts moves (`moves/time`), the engine hears of them and ends the
//! game after so many moves: there is no second session.

use std::time::{Duration, Instant};

use crate::arena::spec::EngineSpec;
use crate::arena::stats::GameScore;
use crate::arena::time_control::TimeControl;
use crate::notation;
use crate::position::Position;
use crate::protocol::dxp::{
    Acceptance, BackAnswer, EndReason, GameRequest, Message, MoveMessage, Next,
};
use crate::rules::{International, Variant};

use super::link::Link;
use super::{Answer, Client, End, Fault, GRACE, Occasion, Report, Said, Start, Turn, after};

/// The name of the arena.
const NAME: &str = "Manoury";

/// How long an engine that is to move may take to end a game that is over by itself.
const OWN_END: Duration = Duration::from_millis(200);

/// How long an engine may take to acknowledge the end of a game.
const ACKNOWLEDGEMENT: Duration = Duration::from_secs(2);

/// How long an engine that is asked to leave may take.
const FAREWELL: Duration = Duration::from_millis(500);

/// An engine that speaks DXP.
pub struct Dxp {
    link: Link,
    identity: String,
    chat: Vec<String>,
    /// How long it may take to accept a game.
    start_limit: Duration,
    /// Whether its process is the arena's.
    is_ours: bool,
    is_playing: bool,
    /// When it has accepted the game.
    accepted: Instant,
}

impl Dxp {
    /// Starts the engine and connects with it.
    ///
    /// # Errors
    ///
    /// [`Fault::Unsuitable`]: another variant, a program that cannot be started, or a chat that
    /// cannot be written. [`Fault::NoStart`]: no connection in time.
    pub fn start(spec: &EngineSpec, occasion: &Occasion) -> Result<Dxp, Fault> {
        if occasion.variant != Variant::International {
            let what = format!("DXP knows only international draughts, not {}", occasion.variant);
            return Err(Fault::Unsuitable(what));
        }
        for text in &spec.dxp.chat {
            let chat = Message::Chat(text.clone()).format();
            chat.map_err(|error| Fault::Unsuitable(format!("chat cannot be sent: {error}")))?;
        }
        Ok(Dxp {
            link: Link::open(spec, occasion)?,
            identity: String::new(),
            chat: spec.dxp.chat.clone(),
            start_limit: spec.start_limit,
            is_ours: !spec.command.is_empty(),
            is_playing: false,
            accepted: Instant::now(),
        })
    }

    /// Waits for the answer to a request. Whatever comes before it belongs to the last game.
    fn await_acceptance(&mut self) -> Result<(), Fault> {
        let deadline = after(Instant::now(), self.start_limit);
        let mut explanation = String::new();
        while let Some((message, at)) = self.link.receive(deadline)? {
            match message {
                Message::Accept { name, answer: Acceptance::Accepts } => {
                    self.identity = name;
                    self.accepted = at;
                    return Ok(());
                }
                Message::Accept { answer, .. } => {
                    let reason = refusal(answer);
                    return Err(Fault::NoStart(format!("{reason}{explanation}")));
                }
                Message::Chat(text) => explanation = format!("; it said {text:?}"),
                _ => {}
            }
        }
        Err(Fault::NoStart(format!("no answer to the request for a game{explanation}")))
    }

    /// Takes a message during a game: what it says about it, if anything.
    fn take(&mut self, message: Message) -> Result<Option<(Said, Report)>, Fault> {
        let said = match message {
            Message::Move(mv) => {
                let time = Some(Duration::from_secs(mv.seconds.into()));
                return Ok(Some((Said::Move(mv.to_hub()), Report { time, ..Report::default() })));
            }
            Message::End { reason, next } => {
                self.acknowledge(next)?;
                match reason {
                    EndReason::Unknown => Said::Nothing,
                    EndReason::GivesUp => Said::Resigns,
                    EndReason::Draw => Said::ClaimsDraw,
                    EndReason::HasWon => Said::ClaimsWin,
                }
            }
            Message::Back { .. } => {
                self.link.send(&Message::BackAnswer(BackAnswer::Unable))?;
                return Ok(None);
            }
            Message::Request(_)
            | Message::Accept { .. }
            | Message::Chat(_)
            | Message::BackAnswer(_) => return Ok(None),
        };
        Ok(Some((said, Report::default())))
    }

    fn acknowledge(&mut self, next: Next) -> Result<(), Fault> {
        self.is_playing = false;
        self.link.send(&Message::End { reason: EndReason::Unknown, next }).map(|_| ())
    }

    /// What the engine has said since its last move. Only an end of the game makes sense.
    fn pending(&mut self) -> Result<Option<(Said, Report)>, Fault> {
        while let Some((message, _)) = self.link.receive(Instant::now())? {
            match self.take(message)? {
                Some((Said::Move(mv), _)) => {
                    return Err(Fault::Protocol(format!("a move out of turn: {mv}")));
                }
                Some(end) => return Ok(Some(end)),
                None => {}
            }
        }
        Ok(None)
    }

    fn tell_move(&mut self, mv: &str) -> Result<Instant, Fault> {
        let mv =
            MoveMessage::from_hub(mv, 0).map_err(|error| Fault::Protocol(error.to_string()))?;
        self.link.send(&Message::Move(mv))
    }

    /// Waits until the engine ends the game or acknowledges its end: how. Moves that were under way
    /// do not count any more.
    fn await_end(&mut self, patience: Duration) -> Result<Option<Next>, Fault> {
        let deadline = Instant::now() + patience;
        while let Some((message, _)) = self.link.receive(deadline)? {
            if let Message::End { next, .. } = message {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// Ends the game from this side.
    fn end(&mut self, reason: EndReason) -> Result<(), Fault> {
        self.is_playing = false;
        self.link.send(&Message::End { reason, next: Next::AnotherGame })?;
        // An engine that does not acknowledge may still accept the next game.
        self.await_end(ACKNOWLEDGEMENT).map(|_| ())
    }
}

impl Client for Dxp {
    /// Known when it has accepted its first game.
    fn identity(&self) -> &str {
        &self.identity
    }

    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Fault> {
        let request = request(start).map_err(Fault::Unsuitable)?;
        self.link.begin()?;
        if self.is_playing {
            self.end(EndReason::Unknown)?;
        }
        while self.link.receive(Instant::now())?.is_some() {}
        for text in self.chat.clone() {
            self.link.send(&Message::Chat(text))?;
        }
        self.link.send(&request)?;
        self.await_acceptance()?;
        self.is_playing = true;
        Ok(())
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        // An engine that begins the game does so when it accepts it, and does not wait for us.
        let mut asked = self.accepted;
        if let Some(last) = turn.last {
            self.link.begin()?;
            if let Some((said, report)) = self.pending()? {
                return Ok(Answer { said, time: Duration::ZERO, report });
            }
            asked = self.tell_move(last)?;
        }
        let deadline = after(Instant::now(), turn.patience.saturating_add(GRACE));
        while let Some((message, at)) = self.link.receive(deadline)? {
            if let Some((said, report)) = self.take(message)? {
                return Ok(Answer { said, time: at.saturating_duration_since(asked), report });
            }
        }
        Err(Fault::Hang)
    }

    fn end_game(&mut self, end: &End<'_>) -> Result<(), Fault> {
        if !self.is_playing {
            return Ok(());
        }
        self.link.begin()?;
        if let Some(next) = self.await_end(Duration::ZERO)? {
            return self.acknowledge(next);
        }
        if let Some(last) = end.last {
            self.tell_move(last)?;
        }
        // It is for the side to move to end the game.
        if end.is_to_move
            && let Some(next) = self.await_end(OWN_END)?
        {
            return self.acknowledge(next);
        }
        self.end(reason(end.result))
    }

    fn quit(mut self: Box<Self>) {
        let farewell = Message::End { reason: EndReason::Unknown, next: Next::Quit };
        // One who waits elsewhere may be wanted again.
        if self.is_ours && self.link.send(&farewell).is_ok() {
            self.link.wait(FAREWELL);
        }
    }
}

/// What the arena says at the end of a game in which the engine has got `result`.
fn reason(result: GameScore) -> EndReason {
    match result {
        GameScore::Loss => EndReason::HasWon,
        GameScore::Draw => EndReason::Draw,
        GameScore::Win => EndReason::GivesUp,
    }
}

fn refusal(answer: Acceptance) -> &'static str {
    match answer {
        Acceptance::OtherVersion => "it refuses this version of DXP",
        Acceptance::NotThisGame => "it refuses this game",
        Acceptance::Accepts | Acceptance::Refuses => "it refuses to play",
    }
}

/// The request for a game.
fn request(start: &Start<'_>) -> Result<Message, String> {
    let (time, moves) = game_time(&start.time_control)?;
    let position = if start.is_initial { None } else { Some(position(start.position)?) };
    let name = NAME.to_owned();
    let request = GameRequest { name, follower: start.side, time, moves, position };
    let message = Message::Request(request);
    message.format().map_err(|error| format!("DXP cannot say it: {error}"))?;
    Ok(message)
}

/// The time for the game and the number of its moves, 0 for any.
fn game_time(control: &TimeControl) -> Result<(Duration, u32), String> {
    let has_other = control.depth.is_some() || control.nodes.is_some();
    let Some(game) = control.game.filter(|_| !has_other && control.move_time.is_none()) else {
        return Err("DXP has no limits but a time for the game".to_owned());
    };
    if game.increment > 0.0 {
        return Err("DXP has no increment".to_owned());
    }
    let time = Duration::try_from_secs_f64(game.time).map_err(|error| error.to_string())?;
    Ok((time, game.moves.unwrap_or(0)))
}

/// A position in the letters of DXP.
fn position(text: &str) -> Result<String, String> {
    let position: Position<International> =
        notation::hub::parse_position(text).map_err(|error| error.to_string())?;
    Ok(notation::dxp::format_position(&position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::time_control::GameTime;
    use crate::board::Side;

    fn start(position: &str, control: TimeControl) -> Start<'_> {
        Start { position, is_initial: false, side: Side::Black, time_control: control }
    }

    fn control(time: f64) -> TimeControl {
        let game = GameTime { time, increment: 0.0, moves: None };
        TimeControl { game: Some(game), ..TimeControl::default() }
    }

    #[test]
    fn requests_say_everything() {
        let squares = |letters: &str| letters.replace('_', &"e".repeat(23));
        let hub = squares("B_wb_WB");
        let text = request(&start(&hub, control(30.0))).unwrap().format().unwrap();
        let name = format!("{NAME:32}");
        assert_eq!(text, format!("R01{name}Z0.5000B{}", squares("Z_wz_WZ")));
        let initial = Start { is_initial: true, ..start("", control(300.0)) };
        let text = request(&initial).unwrap().format().unwrap();
        assert_eq!(text, format!("R01{name}Z005000A"));
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        let with = |change: fn(&mut TimeControl)| {
            let mut control = control(60.0);
            change(&mut control);
            control
        };
        for (control, word) in [
            (TimeControl { nodes: Some(1), ..TimeControl::default() }, "time for the game"),
            (with(|control| control.depth = Some(3)), "time for the game"),
            (with(|control| control.move_time = Some(1.0)), "time for the game"),
            (with(|control| control.game.as_mut().unwrap().increment = 1.0), "increment"),
            (with(|control| control.game.as_mut().unwrap().moves = Some(1000)), "digits"),
            (self::control(61.0), "3 characters"),
            (self::control(100_000.0), "3 characters"),
        ] {
            let start = Start { is_initial: true, ..start("", control) };
            let fault = request(&start).unwrap_err();
            assert!(fault.contains(word), "{fault}");
        }
        assert!(request(&start("Wx", control(60.0))).is_err());
    }
}
