//! A game, move by move.

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::board::{Move, Side};
use crate::engine::Engine;
use crate::erased::Game;
use crate::notation::hub;

use super::clock::{GameLimits, OwnClock};
use super::conversation::{DxpConnection, DxpEvent};
use super::finished::DxpEnd;
use super::think::{SearchOutcome, think};
use super::{AfterGame, EndReason, GameRequest, Message, MoveMessage, TakebackAnswer};

/// How long to wait for the side to move to end a game that is over, before the other side does.
const OWN_END: Duration = Duration::from_secs(5);

/// How long the opponent may take to acknowledge the end of a game.
const ACKNOWLEDGEMENT: Duration = Duration::from_secs(10);

/// The maximum time in a move message, in seconds.
const MAX_SECONDS: u32 = 9999;

/// The terms of a game.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The game at its start.
    pub start: Game,
    /// The side of the engine.
    pub side: Side,
    /// The time and move limits.
    pub limits: GameLimits,
    /// Whether the opponent may take moves back.
    pub allows_takeback: bool,
    /// What the engine wants to do after the game.
    pub next: AfterGame,
}

/// What comes after a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    /// Possibly another game, and the opponent's request for it if already received.
    Another(Option<GameRequest>),
    /// Nothing: the opponent wants no more games.
    Quit,
    /// Nothing: the connection is closed.
    Lost,
    /// Nothing: the user wants to stop.
    Stopped,
}

/// A game in progress.
pub struct Play<'a, 'b> {
    engine: &'a mut Engine,
    conversation: &'a mut DxpConnection<'b>,
    terms: Terms,
    game: Game,
    clock: OwnClock,
}

/// Whether the game continues, or how it ended and what comes next.
type Step = ControlFlow<(DxpEnd, After)>;

impl<'a, 'b> Play<'a, 'b> {
    /// A game at its start.
    pub fn new(
        engine: &'a mut Engine,
        conversation: &'a mut DxpConnection<'b>,
        terms: Terms,
    ) -> Self {
        engine.new_game();
        let (game, clock) = (terms.start.clone(), OwnClock::new(terms.limits));
        Play { engine, conversation, terms, game, clock }
    }

    /// Plays to the end. Returns the game, how it ended, and what comes next.
    pub fn run(mut self) -> (Game, DxpEnd, After) {
        loop {
            // A message that cannot be sent means that the connection is lost.
            let step = self.step().unwrap_or_else(|error| {
                log::warn!("the connection: {error}");
                Step::Break((DxpEnd::Lost, After::Lost))
            });
            if let Step::Break((end, after)) = step {
                return (self.game, end, after);
            }
        }
    }

    fn step(&mut self) -> io::Result<Step> {
        match (self.end(), self.is_our_turn()) {
            (Some(end), true) => self.end_game(end),
            (Some(end), false) => match self.conversation.listen(Some(OWN_END)) {
                DxpEvent::Timeout => self.end_game(end),
                event => self.handle(event),
            },
            (None, true) => self.think(),
            (None, false) => {
                let event = self.conversation.listen(None);
                self.handle(event)
            }
        }
    }

    fn is_our_turn(&self) -> bool {
        self.game.position().side() == self.terms.side
    }

    /// How the game has ended by itself; `None` if it has not.
    fn end(&self) -> Option<DxpEnd> {
        let by_rules = self.game.outcome().map(DxpEnd::Rules);
        let moves = self.terms.limits.moves.map_or(usize::MAX, |moves| 2 * moves as usize);
        by_rules.or_else(|| (self.game.plies() >= moves).then_some(DxpEnd::MovesMade))
    }

    fn think(&mut self) -> io::Result<Step> {
        let began = Instant::now();
        self.engine.set_game(self.game.clone());
        match think(self.engine, self.clock.limits(), self.conversation)? {
            SearchOutcome::Move(mv) => self.play(mv, began),
            SearchOutcome::Disturbed(event) => self.handle(event),
        }
    }

    /// Plays and sends a move of the engine.
    fn play(&mut self, mv: Move, began: Instant) -> io::Result<Step> {
        let seconds = self.clock.add(began.elapsed()).min(MAX_SECONDS);
        let message = MoveMessage::from_hub(&hub::format_move(mv), seconds);
        self.conversation.send(&Message::Move(message.map_err(io::Error::other)?))?;
        self.game.play(mv);
        Ok(Step::Continue(()))
    }

    fn handle(&mut self, event: DxpEvent) -> io::Result<Step> {
        match event {
            DxpEvent::Message(Message::Move(mv)) => self.opponent_plays(&mv),
            DxpEvent::Message(Message::End { reason, next }) => self.opponent_ends(reason, next),
            DxpEvent::Message(Message::Takeback { number, side }) => self.go_back(number, side),
            DxpEvent::Message(Message::Request(request)) => {
                Ok(Step::Break((DxpEnd::Replaced, After::Another(Some(request)))))
            }
            DxpEvent::Message(other) => {
                self.conversation.ignore(&other);
                Ok(Step::Continue(()))
            }
            DxpEvent::Closed => Ok(Step::Break((DxpEnd::Lost, After::Lost))),
            DxpEvent::Stopped => self.stop(),
            DxpEvent::Timeout => Ok(Step::Continue(())),
        }
    }

    fn opponent_plays(&mut self, mv: &MoveMessage) -> io::Result<Step> {
        let text = mv.to_hub();
        if self.is_our_turn() {
            return self.end_game(DxpEnd::Violation(format!("a move out of turn: {text}")));
        }
        match hub::parse_move_leniently(self.game.position(), &text) {
            Ok(mv) => {
                self.game.play(mv);
                Ok(Step::Continue(()))
            }
            Err(error) => self.end_game(DxpEnd::Violation(error.to_string())),
        }
    }

    fn opponent_ends(&mut self, reason: EndReason, next: AfterGame) -> io::Result<Step> {
        // The game has ended even if the acknowledgement cannot be sent.
        let acknowledged =
            self.conversation.send(&Message::End { reason: EndReason::Unknown, next });
        let after = match (acknowledged, next) {
            (Err(_), _) => After::Lost,
            (Ok(()), AfterGame::AnotherGame) => After::Another(None),
            (Ok(()), AfterGame::Quit) => After::Quit,
        };
        let by_itself = self.end().filter(|_| reason == EndReason::Unknown);
        Ok(Step::Break((by_itself.unwrap_or(DxpEnd::Declared(reason)), after)))
    }

    /// Takes moves back to the numbered move of a side if possible, and answers the request.
    fn go_back(&mut self, number: u32, side: Side) -> io::Result<Step> {
        let first = self.terms.start.position().side();
        let (late, early) = (usize::from(side != Side::White), usize::from(first != Side::White));
        let plies = (number as usize * 2 + late).checked_sub(2 + early);
        let plies = plies.filter(|&plies| plies <= self.game.plies());
        let (answer, plies) = match plies {
            Some(plies) if self.terms.allows_takeback => (TakebackAnswer::Accepts, plies),
            Some(_) => (TakebackAnswer::Unable, self.game.plies()),
            None => (TakebackAnswer::Refuses, self.game.plies()),
        };
        while self.game.plies() > plies {
            self.game.undo();
        }
        let positions = self.game.positions();
        let ours = positions[..plies].iter().filter(|position| position.side() == self.terms.side);
        self.clock.go_back(ours.count());
        self.conversation.send(&Message::TakebackAnswer(answer))?;
        Ok(Step::Continue(()))
    }

    /// Tells the opponent that the game is over.
    fn end_game(&mut self, end: DxpEnd) -> io::Result<Step> {
        let reason = self.reason(&end);
        let after = self.say_end(reason, self.terms.next).unwrap_or(After::Lost);
        Ok(Step::Break((end, after)))
    }

    fn stop(&mut self) -> io::Result<Step> {
        let end = Message::End { reason: EndReason::Unknown, next: AfterGame::Quit };
        // The game stops even if the message cannot be sent.
        let _ = self.conversation.send(&end);
        Ok(Step::Break((DxpEnd::Interrupted, After::Stopped)))
    }

    /// Sends the end of the game and waits for the acknowledgement, or for what arrives instead.
    fn say_end(&mut self, reason: EndReason, next: AfterGame) -> io::Result<After> {
        self.conversation.send(&Message::End { reason, next })?;
        let deadline = Instant::now() + ACKNOWLEDGEMENT;
        loop {
            match self.conversation.listen(Some(deadline.saturating_duration_since(Instant::now())))
            {
                DxpEvent::Message(Message::End { next: AfterGame::Quit, .. }) => {
                    return Ok(After::Quit);
                }
                DxpEvent::Message(Message::End { .. }) | DxpEvent::Timeout => {
                    return Ok(After::Another(None));
                }
                DxpEvent::Message(Message::Request(request)) => {
                    return Ok(After::Another(Some(request)));
                }
                // A move that was sent before the end arrived.
                DxpEvent::Message(_) => {}
                DxpEvent::Closed => return Ok(After::Lost),
                DxpEvent::Stopped => return Ok(After::Stopped),
            }
        }
    }

    /// The reason that the engine gives for the end.
    fn reason(&self, end: &DxpEnd) -> EndReason {
        match end {
            DxpEnd::Rules(outcome) => match outcome.winner {
                None => EndReason::Draw,
                Some(side) if side == self.terms.side => EndReason::HasWon,
                Some(_) => EndReason::Resigns,
            },
            _ => EndReason::Unknown,
        }
    }
}
