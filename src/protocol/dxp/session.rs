//! A series of games on one connection, and the requests for them.

use std::io;
use std::time::Duration;

use crossbeam_channel::{after, never};

use crate::board::Side;
use crate::engine::Engine;
use crate::erased::{Game, Position};
use crate::notation::PositionLetters;

use super::connection::{DxpConnection, DxpEvent};
use super::game::{Continuation, GameInProgress, GameLimits, GameTerms};
use super::outcome::{DxpEnd, DxpGame};
use super::{Acceptance, AfterGame, GameRequest, Message};

/// The timeout for the answer to a request, long enough for a person to accept it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);

/// The opponent may take this many times longer to request another game than to request the first
/// one.
const NEXT_REQUEST_FACTOR: u32 = 10;

/// The engine's name and behaviour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DxpOptions {
    /// The engine's name, at most 32 ASCII characters.
    pub name: String,
    /// The chat messages to send at the start of each game.
    pub chat: Vec<String>,
    /// The time per move in games without a time limit.
    pub move_time: Duration,
    /// Whether the opponent may take moves back.
    pub allows_takeback: bool,
    /// The timeout for the first request on a connection; `None` for no limit. A program that
    /// connects and then stays silent must not block others.
    pub request_timeout: Option<Duration>,
}

/// A game that the engine offers as initiator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOffer {
    /// The side of the engine.
    pub side: Side,
    /// The time for all moves of one side; zero for no limit.
    pub time: Duration,
    /// The number of moves per side after which the game ends; 0 for no limit.
    pub moves: u32,
    /// The start position.
    pub start: Position,
}

/// The reason no game is played.
#[derive(Debug)]
pub enum NoGame {
    /// The opponent refused or did not answer the request; the text says which.
    Refused(&'static str),
    /// The opponent has left.
    Quit,
    /// The connection is closed.
    Lost,
    /// The user wants to stop.
    Stopped,
}

/// A series of games on one connection.
pub struct DxpSession<'a, 'b> {
    engine: &'a mut Engine,
    connection: DxpConnection<'b>,
    options: &'a DxpOptions,
    /// A request from the opponent that has not been answered yet.
    request: Option<GameRequest>,
    /// Whether a game has been requested on the connection.
    has_request: bool,
}

/// A game that was played, and whether another one can follow on the connection.
#[derive(Debug)]
pub struct PlayedGame {
    /// The game.
    pub game: DxpGame,
    /// Whether another game can follow; if not, why.
    pub next: Result<(), NoGame>,
}

impl<'a, 'b> DxpSession<'a, 'b> {
    /// A session over a connection.
    pub fn new(
        engine: &'a mut Engine,
        connection: DxpConnection<'b>,
        options: &'a DxpOptions,
    ) -> Self {
        DxpSession { engine, connection, options, request: None, has_request: false }
    }

    /// As initiator, offers a game and plays it. `next` is whether the engine is willing to play
    /// another one.
    ///
    /// # Errors
    ///
    /// No game is played.
    pub fn offer_game(&mut self, offer: &GameOffer, next: AfterGame) -> Result<PlayedGame, NoGame> {
        self.send_chat()?;
        let request = self.request(offer);
        self.send(&Message::Request(request.clone()))?;
        let opponent = self.await_acceptance()?;
        let start = Game::from_position(offer.start);
        Ok(self.play(start, offer.side, &request, opponent, next))
    }

    /// As follower, waits for a request and plays the game. `next` is whether the engine is willing
    /// to play another one.
    ///
    /// # Errors
    ///
    /// No game is played.
    pub fn accept_game(&mut self, next: AfterGame) -> Result<PlayedGame, NoGame> {
        loop {
            let request = match self.request.take() {
                Some(request) => request,
                None => self.await_request()?,
            };
            let start = self.start(&request);
            let answer =
                if start.is_some() { Acceptance::Accepts } else { Acceptance::NotThisGame };
            self.answer(answer)?;
            let Some(start) = start else { continue };
            self.send_chat()?;
            let opponent = request.name.clone();
            return Ok(self.play(start, request.follower, &request, opponent, next));
        }
    }

    fn play(
        &mut self,
        start: Game,
        side: Side,
        request: &GameRequest,
        opponent: String,
        next: AfterGame,
    ) -> PlayedGame {
        let limits = GameLimits {
            time: Some(request.time).filter(|time| !time.is_zero()),
            moves: Some(request.moves).filter(|&moves| moves > 0),
            move_time: self.options.move_time,
        };
        let terms =
            GameTerms { start, side, limits, allows_takeback: self.options.allows_takeback, next };
        let (game, end, after) =
            GameInProgress::new(self.engine, &mut self.connection, terms).run();
        let next = match after {
            Continuation::AnotherGame(request) => {
                self.request = request;
                Ok(())
            }
            Continuation::Quit => Err(NoGame::Quit),
            Continuation::Lost => Err(NoGame::Lost),
            Continuation::Stopped => Err(NoGame::Stopped),
        };
        PlayedGame { game: self.finished(game, side, opponent, end), next }
    }

    fn finished(&self, game: Game, side: Side, opponent: String, end: DxpEnd) -> DxpGame {
        let own = self.options.name.clone();
        let names = if side == Side::White { [own, opponent] } else { [opponent, own] };
        DxpGame { game, side, names, end }
    }

    fn request(&self, offer: &GameOffer) -> GameRequest {
        let is_start = offer.start == Position::start(offer.start.variant());
        GameRequest {
            name: self.options.name.clone(),
            follower: offer.side.opponent(),
            time: offer.time,
            moves: offer.moves,
            position: (!is_start).then(|| PositionLetters::DXP.format(&offer.start)),
        }
    }

    /// The start of a requested game; `None` if its position is invalid.
    fn start(&self, request: &GameRequest) -> Option<Game> {
        let variant = self.engine.variant();
        let position =
            request.position.as_deref().map(|text| PositionLetters::DXP.parse(variant, text));
        match position.transpose() {
            Ok(position) => Some(position.map_or_else(|| Game::new(variant), Game::from_position)),
            Err(error) => {
                log::warn!("game refused: {error}");
                None
            }
        }
    }

    fn send_chat(&mut self) -> Result<(), NoGame> {
        for text in self.options.chat.clone() {
            self.send(&Message::Chat(text))?;
        }
        Ok(())
    }

    /// Answers a request.
    fn answer(&mut self, answer: Acceptance) -> Result<(), NoGame> {
        self.send(&Message::Accept { name: self.options.name.clone(), answer })
    }

    fn send(&mut self, message: &Message) -> Result<(), NoGame> {
        self.connection.send(message).map_err(|error: io::Error| {
            log::warn!("connection lost: {error}");
            NoGame::Lost
        })
    }

    /// Waits for the answer to a request. Returns the opponent's name.
    fn await_acceptance(&mut self) -> Result<String, NoGame> {
        loop {
            match self.connection.wait(Some(ANSWER_TIMEOUT)) {
                DxpEvent::Message(Message::Accept { name, answer }) => {
                    return match answer {
                        Acceptance::Accepts => Ok(name),
                        Acceptance::OtherVersion => Err(NoGame::Refused(
                            "the opponent does not support this version of DXP",
                        )),
                        Acceptance::NotThisGame => {
                            Err(NoGame::Refused("the opponent does not support this game"))
                        }
                        Acceptance::Refuses => {
                            Err(NoGame::Refused("the opponent declined the game"))
                        }
                    };
                }
                // A message about the previous game.
                DxpEvent::Message(other) => self.connection.ignore(&other),
                event => return Err(no_game(&event)),
            }
        }
    }

    fn await_request(&mut self) -> Result<GameRequest, NoGame> {
        let factor = if self.has_request { NEXT_REQUEST_FACTOR } else { 1 };
        let end = self.options.request_timeout.map_or_else(never, |time| after(time * factor));
        loop {
            match self.connection.wait_until(&end).unwrap_or(DxpEvent::Timeout) {
                DxpEvent::Message(Message::Request(request)) => {
                    self.has_request = true;
                    return Ok(request);
                }
                DxpEvent::Message(Message::OtherVersion { version, .. }) => {
                    log::warn!("game refused: version {version:02} of DXP, expected 01");
                    self.answer(Acceptance::OtherVersion)?;
                }
                DxpEvent::Message(Message::End { next: AfterGame::Quit, .. }) => {
                    return Err(NoGame::Quit);
                }
                DxpEvent::Message(other) => self.connection.ignore(&other),
                event => return Err(no_game(&event)),
            }
        }
    }
}

/// Converts an event other than a message to the reason no game is played.
fn no_game(event: &DxpEvent) -> NoGame {
    match event {
        DxpEvent::Stopped => NoGame::Stopped,
        DxpEvent::Timeout => NoGame::Refused("the opponent was silent for too long"),
        DxpEvent::Closed | DxpEvent::Message(_) => NoGame::Lost,
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use crossbeam_channel::never;

    use super::*;
    use crate::engine::EngineOptions;
    use crate::protocol::dxp::MessageStream;
    use crate::rules::Variant;

    #[test]
    fn a_silent_connection_ends() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stop, notes) = (never(), &mut |_| {});
        let stream = MessageStream::new(listener.accept().unwrap().0).unwrap();
        let options = DxpOptions {
            name: "Manoury".to_owned(),
            chat: Vec::new(),
            move_time: Duration::from_secs(1),
            allows_takeback: false,
            request_timeout: Some(Duration::from_millis(20)),
        };
        let mut engine = Engine::new(
            Variant::International,
            EngineOptions { tt_size: 10, ..EngineOptions::default() },
        );
        let connection = DxpConnection::new(stream, &stop, notes);
        let mut session = DxpSession::new(&mut engine, connection, &options);
        assert!(matches!(session.accept_game(AfterGame::Quit), Err(NoGame::Refused(_))));
    }
}
