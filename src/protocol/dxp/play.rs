//! A game, move by move.

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::board::{Move, Side};
use crate::engine::Engine;
use crate::game::Game;
use crate::notation::hub;
use crate::rules::Rules;

use super::clock::{GameTime, OwnClock};
use super::finished::Ending;
use super::line::{Event, Line};
use super::think::{Thought, think};
use super::{BackAnswer, EndReason, GameRequest, Message, MoveMessage, Next};

/// It is for the side to move to end a game that is over. If it does not for so long, the other does.
const OWN_END: Duration = Duration::from_secs(5);

/// How long the opponent may take to acknowledge the end of a game.
const ACKNOWLEDGEMENT: Duration = Duration::from_secs(10);

/// The most seconds that a message of a move can tell of.
const MOST_SECONDS: u32 = 9999;

/// What a game is about.
#[derive(Clone, Debug)]
pub struct Terms<R: Rules> {
    /// Its start.
    pub start: Game<R>,
    /// The side of the engine.
    pub side: Side,
    /// What it may take.
    pub time: GameTime,
    /// Whether the opponent may take moves back.
    pub goes_back: bool,
    /// What the engine wants to come after it.
    pub next: Next,
}

/// What comes after a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    /// Perhaps another one, for which the opponent may have asked already.
    Another(Option<GameRequest>),
    /// The opponent does not want any more.
    Quit,
    /// Nothing: the connection is gone.
    Lost,
    /// Nothing: the user wants to stop.
    Stopped,
}

/// A game that is being played.
pub struct Play<'a, 'b, R: Rules> {
    engine: &'a mut Engine<R>,
    line: &'a mut Line<'b>,
    terms: Terms<R>,
    game: Game<R>,
    clock: OwnClock,
}

/// Whether the game goes on.
type Step = ControlFlow<(Ending, After)>;

impl<'a, 'b, R: Rules> Play<'a, 'b, R> {
    /// A game that begins now.
    pub fn new(engine: &'a mut Engine<R>, line: &'a mut Line<'b>, terms: Terms<R>) -> Self {
        engine.new_game();
        let (game, clock) = (terms.start.clone(), OwnClock::new(terms.time));
        Play { engine, line, terms, game, clock }
    }

    /// Plays up to the end. Returns the game, how it has ended, and what comes next.
    pub fn run(mut self) -> (Game<R>, Ending, After) {
        loop {
            // What cannot be sent has no way any more.
            let step = self.step().unwrap_or_else(|error| {
                log::warn!("the connection: {error}");
                Step::Break((Ending::Lost, After::Lost))
            });
            if let Step::Break((ending, after)) = step {
                return (self.game, ending, after);
            }
        }
    }

    fn step(&mut self) -> io::Result<Step> {
        match (self.end(), self.is_our_turn()) {
            (Some(ending), true) => self.end_game(ending),
            (Some(ending), false) => match self.line.listen(Some(OWN_END)) {
                Event::Silence => self.end_game(ending),
                event => self.see_to(event),
            },
            (None, true) => self.think(),
            (None, false) => {
                let event = self.line.listen(None);
                self.see_to(event)
            }
        }
    }

    fn is_our_turn(&self) -> bool {
        self.game.position().side() == self.terms.side
    }

    /// How the game has ended, if it has by itself.
    fn end(&self) -> Option<Ending> {
        let by_rules = self.game.outcome().map(Ending::Rules);
        let moves = self.terms.time.moves.map_or(usize::MAX, |moves| 2 * moves as usize);
        by_rules.or_else(|| (self.game.moves().len() >= moves).then_some(Ending::MovesMade))
    }

    fn think(&mut self) -> io::Result<Step> {
        let began = Instant::now();
        self.engine.set_game(self.game.clone());
        match think(self.engine, self.clock.limits(), self.line)? {
            Thought::Move(mv) => self.play(mv, began),
            Thought::Disturbed(event) => self.see_to(event),
        }
    }

    /// Makes a move of the engine.
    fn play(&mut self, mv: Move<R::Geometry>, began: Instant) -> io::Result<Step> {
        let seconds = self.clock.add(began.elapsed()).min(MOST_SECONDS);
        let message = MoveMessage::from_hub(&hub::format_move(mv), seconds);
        self.line.send(&Message::Move(message.map_err(io::Error::other)?))?;
        self.game.play(mv);
        Ok(Step::Continue(()))
    }

    fn see_to(&mut self, event: Event) -> io::Result<Step> {
        match event {
            Event::Message(Message::Move(mv)) => self.opponent_plays(&mv),
            Event::Message(Message::End { reason, next }) => self.opponent_ends(reason, next),
            Event::Message(Message::Back { number, side }) => self.go_back(number, side),
            Event::Message(Message::Request(request)) => {
                Ok(Step::Break((Ending::Replaced, After::Another(Some(request)))))
            }
            Event::Message(other) => {
                self.line.ignore(&other);
                Ok(Step::Continue(()))
            }
            Event::Closed => Ok(Step::Break((Ending::Lost, After::Lost))),
            Event::Stopped => self.stop(),
            Event::Silence => Ok(Step::Continue(())),
        }
    }

    fn opponent_plays(&mut self, mv: &MoveMessage) -> io::Result<Step> {
        let text = mv.to_hub();
        if self.is_our_turn() {
            return self.end_game(Ending::Fault(format!("a move out of turn: {text}")));
        }
        match hub::parse_move_leniently(self.game.position(), &text) {
            Ok(mv) => {
                self.game.play(mv);
                Ok(Step::Continue(()))
            }
            Err(error) => self.end_game(Ending::Fault(error.to_string())),
        }
    }

    fn opponent_ends(&mut self, reason: EndReason, next: Next) -> io::Result<Step> {
        // The game has ended even if nobody hears the acknowledgement.
        let acknowledged = self.line.send(&Message::End { reason: EndReason::Unknown, next });
        let after = match (acknowledged, next) {
            (Err(_), _) => After::Lost,
            (Ok(()), Next::AnotherGame) => After::Another(None),
            (Ok(()), Next::Quit) => After::Quit,
        };
        let by_itself = self.end().filter(|_| reason == EndReason::Unknown);
        Ok(Step::Break((by_itself.unwrap_or(Ending::Said(reason)), after)))
    }

    /// Goes back to where the side has its move of that number.
    fn go_back(&mut self, number: u32, side: Side) -> io::Result<Step> {
        let first = self.terms.start.position().side();
        let (late, early) = (usize::from(side != Side::White), usize::from(first != Side::White));
        let plies = (number as usize * 2 + late).checked_sub(2 + early);
        let plies = plies.filter(|&plies| plies <= self.game.moves().len());
        let (answer, plies) = match plies {
            Some(plies) if self.terms.goes_back => (BackAnswer::Accepts, plies),
            Some(_) => (BackAnswer::Unable, self.game.moves().len()),
            None => (BackAnswer::Refuses, self.game.moves().len()),
        };
        while self.game.moves().len() > plies {
            self.game.undo();
        }
        let ours = self.game.positions()[..plies].iter();
        self.clock.go_back(ours.filter(|position| position.side() == self.terms.side).count());
        self.line.send(&Message::BackAnswer(answer))?;
        Ok(Step::Continue(()))
    }

    /// Ends the game from this side.
    fn end_game(&mut self, ending: Ending) -> io::Result<Step> {
        let reason = self.reason(&ending);
        let after = self.say_end(reason, self.terms.next).unwrap_or(After::Lost);
        Ok(Step::Break((ending, after)))
    }

    fn stop(&mut self) -> io::Result<Step> {
        let end = Message::End { reason: EndReason::Unknown, next: Next::Quit };
        // Whether anybody hears it makes no difference.
        let _ = self.line.send(&end);
        Ok(Step::Break((Ending::Interrupted, After::Stopped)))
    }

    /// Says that the game is over and waits for the acknowledgement, or what comes in its place.
    fn say_end(&mut self, reason: EndReason, next: Next) -> io::Result<After> {
        self.line.send(&Message::End { reason, next })?;
        let deadline = Instant::now() + ACKNOWLEDGEMENT;
        loop {
            match self.line.listen(Some(deadline.saturating_duration_since(Instant::now()))) {
                Event::Message(Message::End { next: Next::Quit, .. }) => return Ok(After::Quit),
                Event::Message(Message::End { .. }) | Event::Silence => {
                    return Ok(After::Another(None));
                }
                Event::Message(Message::Request(request)) => {
                    return Ok(After::Another(Some(request)));
                }
                // A move that was under way.
                Event::Message(_) => {}
                Event::Closed => return Ok(After::Lost),
                Event::Stopped => return Ok(After::Stopped),
            }
        }
    }

    /// How the engine puts an end.
    fn reason(&self, ending: &Ending) -> EndReason {
        match ending {
            Ending::Rules(outcome) => match outcome.winner {
                None => EndReason::Draw,
                Some(side) if side == self.terms.side => EndReason::HasWon,
                Some(_) => EndReason::GivesUp,
            },
            _ => EndReason::Unknown,
        }
    }
}
