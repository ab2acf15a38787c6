//! A game in progress: keeps the engine's clock, runs its searches and exchanges moves with the
//! opponent.

use std::io;
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use crate::board::{Move, Side};
use crate::engine::Engine;
use crate::erased::Game;
use crate::notation::hub;
use crate::search::{self, Control, Limits, STACK_SIZE};

use super::connection::{DxpConnection, DxpEvent};
use super::outcome::DxpEnd;
use super::{AfterGame, EndReason, GameRequest, Message, MoveMessage, TakebackAnswer};

/// The timeout for the opponent's end message if the game is over and the opponent is to move.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout for the opponent's acknowledgement of the end of a game.
const ACKNOWLEDGEMENT_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum time in a move message, in seconds.
const MAX_SECONDS: u32 = 9999;

/// The time and move limits of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameLimits {
    /// The time for all moves of one side; `None` for no limit.
    pub time: Option<Duration>,
    /// The number of moves per side after which the game ends; `None` for no limit.
    pub moves: Option<u32>,
    /// The time per move in a game without a time limit.
    pub move_time: Duration,
}

/// The engine's clock. Each program keeps its own clock and trusts the other's.
#[derive(Clone, PartialEq, Eq, Debug)]
struct EngineClock {
    limit: GameLimits,
    /// The time spent on each of the engine's moves.
    move_times: Vec<Duration>,
}

impl EngineClock {
    /// A clock at the start of a game.
    fn new(limit: GameLimits) -> Self {
        EngineClock { limit, move_times: Vec::new() }
    }

    /// The limits of the next search.
    fn limits(&self) -> Limits {
        let Some(time) = self.limit.time else {
            return Limits { move_time: Some(self.limit.move_time), ..Limits::default() };
        };
        let moves = self.limit.moves.map(|moves| moves.saturating_sub(self.moves()).max(1));
        let clock = search::Clock {
            remaining: time.saturating_sub(self.total()),
            increment: Duration::ZERO,
            moves,
            ..search::Clock::default()
        };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    /// Adds the time of a move. Returns the whole seconds to report for it, chosen so that the
    /// reported seconds of all moves add up to the total time.
    fn record(&mut self, time: Duration) -> u32 {
        let before = self.total().as_secs();
        self.move_times.push(time);
        u32::try_from(self.total().as_secs() - before).unwrap_or(u32::MAX)
    }

    /// Discards the times of all but the engine's first `moves` moves.
    fn take_back(&mut self, moves: usize) {
        self.move_times.truncate(moves);
    }

    /// The number of moves made.
    fn moves(&self) -> u32 {
        u32::try_from(self.move_times.len()).unwrap_or(u32::MAX)
    }

    /// The total time of all moves made.
    fn total(&self) -> Duration {
        self.move_times.iter().sum()
    }
}

/// The agreed terms of a game.
#[derive(Clone, Debug)]
pub struct GameTerms {
    /// The game at its start.
    pub start: Game,
    /// The side of the engine.
    pub side: Side,
    /// The time and move limits.
    pub limits: GameLimits,
    /// Whether the opponent may take moves back.
    pub allows_takeback: bool,
    /// Whether the engine is willing to play another game.
    pub next: AfterGame,
}

/// The continuation on the connection after a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Continuation {
    /// Possibly another game, and the opponent's request for it if already received.
    AnotherGame(Option<GameRequest>),
    /// Nothing: the opponent wants no more games.
    Quit,
    /// Nothing: the connection is closed.
    Lost,
    /// Nothing: the user wants to stop.
    Stopped,
}

/// A game in progress.
pub struct GameInProgress<'a, 'b> {
    engine: &'a mut Engine,
    connection: &'a mut DxpConnection<'b>,
    terms: GameTerms,
    game: Game,
    clock: EngineClock,
    /// When the engine began to think about its move; `None` unless it has begun.
    began: Option<Instant>,
}

/// Whether the game continues; if not, how it ended and what comes next.
type Flow = ControlFlow<(DxpEnd, Continuation)>;

impl<'a, 'b> GameInProgress<'a, 'b> {
    /// A game that has not started yet.
    pub fn new(
        engine: &'a mut Engine,
        connection: &'a mut DxpConnection<'b>,
        terms: GameTerms,
    ) -> Self {
        engine.new_game();
        let (game, clock) = (terms.start.clone(), EngineClock::new(terms.limits));
        GameInProgress { engine, connection, terms, game, clock, began: None }
    }

    /// Plays to the end. Returns the game, how it ended, and what comes next.
    pub fn run(mut self) -> (Game, DxpEnd, Continuation) {
        loop {
            // A message that cannot be sent means that the connection is lost.
            let flow = self.step().unwrap_or_else(|error| {
                log::warn!("connection lost: {error}");
                Flow::Break((DxpEnd::Lost, Continuation::Lost))
            });
            if let Flow::Break((end, next)) = flow {
                return (self.game, end, next);
            }
        }
    }

    fn step(&mut self) -> io::Result<Flow> {
        match (self.game_end(), self.is_our_turn()) {
            (Some(end), true) => self.end_game(end),
            (Some(end), false) => match self.connection.wait(Some(END_TIMEOUT)) {
                DxpEvent::Timeout => self.end_game(end),
                event => self.handle(event),
            },
            (None, true) => self.search(),
            (None, false) => {
                let event = self.connection.wait(None);
                self.handle(event)
            }
        }
    }

    fn is_our_turn(&self) -> bool {
        self.game.position().side() == self.terms.side
    }

    /// The end of the game, by the rules or at the move limit; `None` if it is not over.
    fn game_end(&self) -> Option<DxpEnd> {
        let by_rules = self.game.outcome().map(DxpEnd::Rules);
        let moves = self.terms.limits.moves.map_or(usize::MAX, |moves| 2 * moves as usize);
        by_rules.or_else(|| (self.game.plies() >= moves).then_some(DxpEnd::MovesMade))
    }

    /// Searches for a move and plays it, unless an event arrives first.
    fn search(&mut self) -> io::Result<Flow> {
        let began = *self.began.get_or_insert_with(Instant::now);
        self.engine.set_game(self.game.clone());
        match search(self.engine, self.clock.limits(), self.connection)? {
            SearchOutcome::Move(mv) => self.play(mv, began),
            SearchOutcome::Interrupted(event) => self.handle(event),
        }
    }

    /// Plays the engine's move and sends it.
    fn play(&mut self, mv: Move, began: Instant) -> io::Result<Flow> {
        let seconds = self.clock.record(began.elapsed()).min(MAX_SECONDS);
        let message = MoveMessage::from_hub(&hub::format_move(mv), seconds);
        self.connection.send(&Message::Move(message.map_err(io::Error::other)?))?;
        self.game.play(mv);
        self.began = None;
        Ok(Flow::Continue(()))
    }

    fn handle(&mut self, event: DxpEvent) -> io::Result<Flow> {
        match event {
            DxpEvent::Message(Message::Move(mv)) => self.opponent_plays(&mv),
            DxpEvent::Message(Message::End { reason, next }) => self.opponent_ends(reason, next),
            DxpEvent::Message(Message::Takeback { number, side }) => self.take_back(number, side),
            DxpEvent::Message(Message::Request(request)) => {
                Ok(Flow::Break((DxpEnd::Replaced, Continuation::AnotherGame(Some(request)))))
            }
            DxpEvent::Message(other) => {
                self.connection.ignore(&other);
                Ok(Flow::Continue(()))
            }
            DxpEvent::Closed => Ok(Flow::Break((DxpEnd::Lost, Continuation::Lost))),
            DxpEvent::Stopped => self.stop(),
            DxpEvent::Timeout => Ok(Flow::Continue(())),
        }
    }

    fn opponent_plays(&mut self, mv: &MoveMessage) -> io::Result<Flow> {
        let text = mv.to_hub();
        if self.is_our_turn() {
            return self.end_game(DxpEnd::Violation(format!("move out of turn: {text}")));
        }
        match hub::parse_move_leniently(self.game.position(), &text) {
            Ok(mv) => {
                self.game.play(mv);
                Ok(Flow::Continue(()))
            }
            Err(error) => self.end_game(DxpEnd::Violation(error.to_string())),
        }
    }

    fn opponent_ends(&mut self, reason: EndReason, next: AfterGame) -> io::Result<Flow> {
        // The game has ended even if the acknowledgement cannot be sent.
        let acknowledged = self.connection.send(&Message::End { reason: EndReason::Unknown, next });
        let continuation = match (acknowledged, next) {
            (Err(_), _) => Continuation::Lost,
            (Ok(()), AfterGame::AnotherGame) => Continuation::AnotherGame(None),
            (Ok(()), AfterGame::Quit) => Continuation::Quit,
        };
        let by_itself = self.game_end().filter(|_| reason == EndReason::Unknown);
        Ok(Flow::Break((by_itself.unwrap_or(DxpEnd::Declared(reason)), continuation)))
    }

    /// Takes moves back until `side` is to play move `number`, if possible, and answers the
    /// request.
    fn take_back(&mut self, number: u32, side: Side) -> io::Result<Flow> {
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
            self.began = None;
        }
        let positions = self.game.positions();
        let ours = positions[..plies].iter().filter(|position| position.side() == self.terms.side);
        self.clock.take_back(ours.count());
        self.connection.send(&Message::TakebackAnswer(answer))?;
        Ok(Flow::Continue(()))
    }

    /// Ends the game and informs the opponent.
    fn end_game(&mut self, end: DxpEnd) -> io::Result<Flow> {
        let reason = self.reason(&end);
        let next = self.announce_end(reason, self.terms.next).unwrap_or(Continuation::Lost);
        Ok(Flow::Break((end, next)))
    }

    fn stop(&mut self) -> io::Result<Flow> {
        let end = Message::End { reason: EndReason::Unknown, next: AfterGame::Quit };
        // The game stops even if the message cannot be sent.
        let _ = self.connection.send(&end);
        Ok(Flow::Break((DxpEnd::Interrupted, Continuation::Stopped)))
    }

    /// Sends the end of the game and waits for its acknowledgement. The wait also ends if a new
    /// request arrives, the connection is lost, or the user stops the game.
    fn announce_end(&mut self, reason: EndReason, next: AfterGame) -> io::Result<Continuation> {
        self.connection.send(&Message::End { reason, next })?;
        let deadline = Instant::now() + ACKNOWLEDGEMENT_TIMEOUT;
        loop {
            match self.connection.wait(Some(deadline.saturating_duration_since(Instant::now()))) {
                DxpEvent::Message(Message::End { next: AfterGame::Quit, .. }) => {
                    return Ok(Continuation::Quit);
                }
                DxpEvent::Message(Message::End { .. }) | DxpEvent::Timeout => {
                    return Ok(Continuation::AnotherGame(None));
                }
                DxpEvent::Message(Message::Request(request)) => {
                    return Ok(Continuation::AnotherGame(Some(request)));
                }
                // The opponent sent this message, such as a move, before receiving the end message.
                DxpEvent::Message(_) => {}
                DxpEvent::Closed => return Ok(Continuation::Lost),
                DxpEvent::Stopped => return Ok(Continuation::Stopped),
            }
        }
    }

    /// The reason to report to the opponent.
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

/// The result of a search.
enum SearchOutcome {
    /// The move to play.
    Move(Move),
    /// An event that interrupted the search and must be handled first.
    Interrupted(DxpEvent),
}

/// Searches the engine's position until a move is found or an event arrives; chat and messages that
/// are ignored do not count as events. The game must not be over.
///
/// # Errors
///
/// The system cannot create a thread.
fn search(
    engine: &mut Engine,
    limits: Limits,
    connection: &mut DxpConnection<'_>,
) -> io::Result<SearchOutcome> {
    let control = Control::new();
    let any_move = engine.game().position().legal_moves().first().copied();
    let (event, found) = thread::scope(|scope| {
        // The search thread owns the sender, so the channel disconnects when the thread ends, even
        // after a panic.
        let (running, end) = crossbeam_channel::bounded::<()>(0);
        let run = || {
            let _running = running;
            engine.go(limits, &control, &mut |_| {}).mv
        };
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE);
        let search = thread.spawn_scoped(scope, run)?;
        let event = wait_for_event(connection, &end);
        control.stop();
        Ok::<_, io::Error>((event, search.join()))
    })?;
    let found = found.unwrap_or_else(|_| {
        log::error!("search failed; continuing with a new engine");
        engine.recover();
        any_move
    });
    Ok(match (event, found.or(any_move)) {
        (None, Some(mv)) => SearchOutcome::Move(mv),
        (Some(event), _) => SearchOutcome::Interrupted(event),
        (None, None) => SearchOutcome::Interrupted(DxpEvent::Timeout),
    })
}

/// Waits for an event that a game must handle, and ignores other messages. Returns `None` if `end`
/// is disconnected first.
fn wait_for_event(connection: &mut DxpConnection<'_>, end: &Receiver<()>) -> Option<DxpEvent> {
    loop {
        match connection.wait_until(end)? {
            DxpEvent::Message(message) if is_ignored(&message) => connection.ignore(&message),
            event => return Some(event),
        }
    }
}

/// Whether a message means nothing during a game.
fn is_ignored(message: &Message) -> bool {
    use Message::{End, Move, Request, Takeback};
    !matches!(message, Move(_) | End { .. } | Takeback { .. } | Request(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn clock(time: Option<Duration>, moves: Option<u32>) -> EngineClock {
        EngineClock::new(GameLimits { time, moves, move_time: Duration::from_secs(2) })
    }

    #[test]
    fn takebacks_restore_the_time_of_the_moves() {
        let mut clock = clock(Some(MINUTE), Some(2));
        let left =
            |clock: &EngineClock| clock.limits().clock.map(|clock| (clock.remaining, clock.moves));
        assert_eq!(left(&clock), Some((MINUTE, Some(2))));
        clock.record(Duration::from_secs(20));
        assert_eq!(left(&clock), Some((Duration::from_secs(40), Some(1))));
        clock.record(Duration::from_secs(50));
        assert_eq!(left(&clock), Some((Duration::ZERO, Some(1))));
        clock.take_back(1);
        assert_eq!((clock.moves(), left(&clock)), (1, Some((Duration::from_secs(40), Some(1)))));
    }

    #[test]
    fn reported_seconds_add_up_to_the_total() {
        let mut clock = clock(Some(MINUTE), None);
        let reported: Vec<u32> = (0..5).map(|_| clock.record(Duration::from_millis(700))).collect();
        assert_eq!(reported, [0, 1, 1, 0, 1]);
    }

    #[test]
    fn games_without_a_time_limit_use_the_move_time() {
        let limits = clock(None, None).limits();
        assert_eq!((limits.clock, limits.move_time), (None, Some(Duration::from_secs(2))));
    }
}
