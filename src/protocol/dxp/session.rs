//! What two programs say to each other between games.

use std::io;
use std::time::Duration;

use crate::board::Side;
use crate::engine::Engine;
use crate::game::Game;
use crate::notation::dxp;
use crate::position::Position;
use crate::rules::Rules;

use super::clock::GameTime;
use super::finished::{Ending, Finished};
use super::line::{Event, Line};
use super::play::{After, Play, Terms};
use super::{Acceptance, GameRequest, Message, Next};

/// How long the answer to a request may take: a person may have to say yes.
const ANSWER: Duration = Duration::from_secs(120);

/// How the engine plays with others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manners {
    /// Its name, at most 32 ASCII characters.
    pub name: String,
    /// What it says at the start of each game.
    pub chat: Vec<String>,
    /// The time for a move in games without a limit of time.
    pub move_time: Duration,
    /// Whether the opponent may take moves back.
    pub goes_back: bool,
}

/// A game that the engine asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wish<R: Rules> {
    /// The side of the engine.
    pub side: Side,
    /// The time for all moves of a side; zero: no limit.
    pub time: Duration,
    /// The moves of each side after which the game ends; 0: it has no such end.
    pub moves: u32,
    /// Where it starts.
    pub start: Position<R>,
}

/// Why there is no game.
#[derive(Debug)]
pub enum NoGame {
    /// The opponent does not want to play: what it says.
    Refused(&'static str),
    /// The opponent has left.
    Quit,
    /// The connection is gone.
    Lost,
    /// The user wants to stop.
    Stopped,
}

/// The games on one connection.
pub struct Session<'a, 'b, R: Rules> {
    engine: &'a mut Engine<R>,
    line: Line<'b>,
    manners: &'a Manners,
    /// What the opponent has asked for already.
    request: Option<GameRequest>,
}

/// A game that was played, and whether there can be another one on the connection.
pub type Played<R> = (Finished<R>, Result<(), NoGame>);

impl<'a, 'b, R: Rules> Session<'a, 'b, R> {
    /// Begins to talk.
    pub fn new(engine: &'a mut Engine<R>, line: Line<'b>, manners: &'a Manners) -> Self {
        Session { engine, line, manners, request: None }
    }

    /// As initiator: asks for a game and plays it. `next` is what is to come after it.
    ///
    /// # Errors
    ///
    /// There is no game.
    pub fn ask(&mut self, wish: &Wish<R>, next: Next) -> Result<Played<R>, NoGame> {
        self.greet()?;
        let request = self.request(wish);
        self.send(&Message::Request(request.clone()))?;
        let opponent = self.await_acceptance()?;
        let start = Game::new(wish.start);
        Ok(self.play(start, wish.side, &request, opponent, next))
    }

    /// As follower: waits for a request and plays the game. `next` is what is to come after it.
    ///
    /// # Errors
    ///
    /// There is no game.
    pub fn follow(&mut self, next: Next) -> Result<Played<R>, NoGame> {
        loop {
            let request = match self.request.take() {
                Some(request) => request,
                None => self.await_request()?,
            };
            let start = self.start(&request);
            let answer =
                if start.is_some() { Acceptance::Accepts } else { Acceptance::NotThisGame };
            self.send(&Message::Accept { name: self.manners.name.clone(), answer })?;
            let Some(start) = start else { continue };
            self.greet()?;
            let opponent = request.name.clone();
            return Ok(self.play(start, request.follower, &request, opponent, next));
        }
    }

    fn play(
        &mut self,
        start: Game<R>,
        side: Side,
        request: &GameRequest,
        opponent: String,
        next: Next,
    ) -> Played<R> {
        let time = GameTime {
            time: Some(request.time).filter(|time| !time.is_zero()),
            moves: Some(request.moves).filter(|&moves| moves > 0),
            move_time: self.manners.move_time,
        };
        let terms = Terms { start, side, time, goes_back: self.manners.goes_back, next };
        let (game, ending, after) = Play::new(self.engine, &mut self.line, terms).run();
        let after = match after {
            After::Another(request) => {
                self.request = request;
                Ok(())
            }
            After::Quit => Err(NoGame::Quit),
            After::Lost => Err(NoGame::Lost),
            After::Stopped => Err(NoGame::Stopped),
        };
        (self.finished(game, side, opponent, ending), after)
    }

    fn finished(&self, game: Game<R>, side: Side, opponent: String, ending: Ending) -> Finished<R> {
        let own = self.manners.name.clone();
        let names = if side == Side::White { [own, opponent] } else { [opponent, own] };
        Finished { game, side, names, ending }
    }

    fn request(&self, wish: &Wish<R>) -> GameRequest {
        let is_start = wish.start == Position::start();
        GameRequest {
            name: self.manners.name.clone(),
            follower: wish.side.opponent(),
            time: wish.time,
            moves: wish.moves,
            position: (!is_start).then(|| dxp::format_position(&wish.start)),
        }
    }

    /// Where a game starts that the opponent asks for; `None` if there is no such game.
    fn start(&self, request: &GameRequest) -> Option<Game<R>> {
        let position = request.position.as_deref().map(dxp::parse_position::<R>);
        match position.transpose() {
            Ok(position) => Some(position.map_or_else(Game::default, Game::new)),
            Err(error) => {
                log::warn!("a game refused: {error}");
                None
            }
        }
    }

    fn greet(&mut self) -> Result<(), NoGame> {
        for text in self.manners.chat.clone() {
            self.send(&Message::Chat(text))?;
        }
        Ok(())
    }

    fn send(&mut self, message: &Message) -> Result<(), NoGame> {
        self.line.send(message).map_err(|error: io::Error| {
            log::warn!("the connection: {error}");
            NoGame::Lost
        })
    }

    /// Waits for the answer to a request; the opponent's name.
    fn await_acceptance(&mut self) -> Result<String, NoGame> {
        loop {
            match self.line.listen(Some(ANSWER)) {
                Event::Message(Message::Accept { name, answer }) => {
                    return match answer {
                        Acceptance::Accepts => Ok(name),
                        Acceptance::OtherVersion => Err(NoGame::Refused("another version of DXP")),
                        Acceptance::NotThisGame => Err(NoGame::Refused("not this game")),
                        Acceptance::Refuses => Err(NoGame::Refused("no")),
                    };
                }
                // Of the game before.
                Event::Message(other) => self.line.ignore(&other),
                event => return Err(no_game(&event)),
            }
        }
    }

    fn await_request(&mut self) -> Result<GameRequest, NoGame> {
        loop {
            match self.line.listen(None) {
                Event::Message(Message::Request(request)) => return Ok(request),
                Event::Message(Message::End { next: Next::Quit, .. }) => return Err(NoGame::Quit),
                Event::Message(other) => self.line.ignore(&other),
                event => return Err(no_game(&event)),
            }
        }
    }
}

/// Why there is no game after something that is no message.
fn no_game(event: &Event) -> NoGame {
    match event {
        Event::Stopped => NoGame::Stopped,
        Event::Silence => NoGame::Refused("no answer to the request for a game"),
        Event::Closed | Event::Message(_) => NoGame::Lost,
    }
}
