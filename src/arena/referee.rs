//! One game: asks the engines in turn, knows the rules, the clocks, and when it is over.

use std::time::{Duration, Instant};

use crate::bitbase::Bitbases;
use crate::board::Side;
use crate::game::{self, Game};
use crate::notation::hub;
use crate::rules::Rules;

use super::adjudication::{Adjudication, Judge, by_bitbases};
use super::client::{Answer, End, Fault, Said, Start, Turn};
use super::openings::Opening;
use super::played::{self, PlayedMove, Reason};
use super::seat::Seat;
use super::time_control::Clock;

/// What holds for all games of a match.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// How far a move may exceed its limit, for the way between arena and engine.
    pub margin: Duration,
    /// How long to wait for a move that no time limits.
    pub patience: Duration,
    /// When games are ended early.
    pub adjudication: Adjudication,
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Who has won.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
    /// What there is to say about it.
    pub detail: String,
    /// All moves, those of the opening first.
    pub moves: Vec<PlayedMove>,
    /// From the first question to the end.
    pub time: Duration,
}

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Abandoned {
    /// The match was interrupted.
    Interrupted,
    /// The engine of this side cannot play in this match: why.
    Unsuitable(Side, String),
}

/// Who has won, why, and what there is to say about it.
type Verdict = (Option<Side>, Reason, String);

/// Why a game does not go on.
enum Halt {
    Over(Verdict),
    Abandoned(Abandoned),
}

impl From<Verdict> for Halt {
    fn from(verdict: Verdict) -> Halt {
        Halt::Over(verdict)
    }
}

/// Plays a game. The first seat is White's.
///
/// # Errors
///
/// There is no result: the match was interrupted, or an engine cannot take part.
pub fn play<R: Rules>(
    seats: [&mut Seat; 2],
    opening: &Opening<R>,
    conditions: &Conditions,
) -> Result<Finished, Abandoned> {
    Table::new(seats, opening, conditions).play()
}

/// Two engines and the game between them.
struct Table<'a, R: Rules> {
    seats: [&'a mut Seat; 2],
    conditions: &'a Conditions,
    game: Game<R>,
    /// The moves of the game in Hub notation, and what is known of them.
    texts: Vec<String>,
    moves: Vec<PlayedMove>,
    clocks: [Clock; 2],
    judge: Judge,
    /// What ends games early, if that is wanted.
    bitbases: Option<Bitbases<R>>,
    /// Whether each engine has been told that a game has begun.
    is_playing: [bool; 2],
    opening_plies: usize,
}

impl<'a, R: Rules> Table<'a, R> {
    fn new(
        seats: [&'a mut Seat; 2],
        opening: &Opening<R>,
        conditions: &'a Conditions,
    ) -> Table<'a, R> {
        let game = opening.game.clone();
        let texts: Vec<_> = game.moves().iter().copied().map(hub::format_move).collect();
        let clocks = [&seats[0], &seats[1]].map(|seat| Clock::new(seat.time_control()));
        Table {
            seats,
            conditions,
            moves: texts.iter().cloned().map(PlayedMove::of_opening).collect(),
            opening_plies: texts.len(),
            judge: Judge::new(conditions.adjudication, texts.len()),
            bitbases: conditions.adjudication.bitbases.then(Bitbases::embedded),
            texts,
            clocks,
            game,
            is_playing: [false; 2],
        }
    }

    fn play(mut self) -> Result<Finished, Abandoned> {
        // The clock of an engine that begins may run as soon as it knows: it is told last.
        let first = self.game.position().side();
        let begun = [first.opponent(), first].into_iter().try_for_each(|side| self.begin(side));
        let start = Instant::now();
        let halt = match begun {
            Err(halt) => halt,
            Ok(()) => self.play_moves(),
        };
        let time = start.elapsed();
        match halt {
            Halt::Abandoned(abandoned) => Err(abandoned),
            Halt::Over((winner, reason, detail)) => {
                self.end(winner)?;
                Ok(Finished { winner, reason, detail, moves: self.moves, time })
            }
        }
    }

    /// Tells an engine that the game begins.
    fn begin(&mut self, side: Side) -> Result<(), Halt> {
        let position = hub::format_position(self.game.position());
        let start = Start {
            position: &position,
            is_initial: *self.game.position() == crate::position::Position::start(),
            side,
            time_control: self.seats[side.index()].time_control(),
        };
        let begun = self.seats[side.index()].with(|client| client.new_game(&start));
        begun.map_err(|fault| blame(side, fault))?;
        self.is_playing[side.index()] = true;
        Ok(())
    }

    fn play_moves(&mut self) -> Halt {
        loop {
            if let Some(verdict) = self.verdict() {
                return verdict.into();
            }
            if let Err(halt) = self.play_move() {
                return halt;
            }
        }
    }

    /// The end by the rules or by adjudication.
    fn verdict(&self) -> Option<Verdict> {
        if let Some(outcome) = self.game.outcome() {
            return Some(by_rules(outcome));
        }
        let known = self.bitbases.as_ref().and_then(|known| by_bitbases(&self.game, known));
        if let Some((winner, plies)) = known {
            let detail = plies.map_or(String::new(), |plies| format!("in {plies} plies"));
            return Some((winner, Reason::Bitbase, detail));
        }
        let (winner, reason) = self.judge.verdict()?;
        Some((winner, reason, String::new()))
    }

    /// Asks the side to move and plays its answer.
    fn play_move(&mut self) -> Result<(), Halt> {
        let side = self.game.position().side();
        let (answer, most) = self.ask(side).map_err(|fault| blame(side, fault))?;
        let Answer { said, time, report } = answer;
        if most.is_some_and(|most| time > most + self.conditions.margin) {
            let most = most.unwrap_or_default().as_secs_f64();
            let detail = format!("{:.3} s of {most:.3} s", time.as_secs_f64());
            return Err(lost(side, Reason::Time, detail));
        }
        let complaint = report.error.as_deref().unwrap_or_default();
        let text = self.heard(side, said, complaint)?;
        let mv = hub::parse_move_leniently(self.game.position(), &text).map_err(|error| {
            lost(side, Reason::IllegalMove, with_complaint(error.to_string(), complaint))
        })?;
        self.clocks[side.index()].spend(time);
        self.judge.note(side, report.score);
        let text = hub::format_move(mv);
        self.moves.push(PlayedMove::new(text.clone(), time, most, &report));
        self.texts.push(text);
        self.game.play(mv);
        Ok(())
    }

    /// Asks an engine for its move; the answer, and the most time it might have taken.
    fn ask(&mut self, side: Side) -> Result<(Answer, Option<Duration>), Fault> {
        let limits = self.clocks[side.index()].limits();
        let most = limits.most();
        // The position before the moves that matter, and those.
        let first = self.game.moves().len() - self.game.memory();
        let position = &self.game.positions()[first];
        let is_first_move = self.texts.len() == self.opening_plies;
        let turn = Turn {
            position: &hub::format_position(position),
            wolf: &hub::format_wolf(position),
            moves: &self.texts[first..],
            last: self.texts.last().filter(|_| !is_first_move).map(String::as_str),
            limits,
            patience: most.map_or(self.conditions.patience, |most| most + self.conditions.margin),
        };
        let answer = self.seats[side.index()].with(|client| client.think(&turn))?;
        Ok((answer, most))
    }

    /// The move that was said, or what follows from something else.
    fn heard(&self, side: Side, said: Said, complaint: &str) -> Result<String, Halt> {
        let claim = |winner: Option<Side>, reason, what: &str| -> Halt {
            if self.judge.agrees_with(side, winner) {
                return (winner, reason, what.to_owned()).into();
            }
            lost(side, Reason::FalseClaim, format!("{what}, the opponent does not agree"))
        };
        match said {
            Said::Move(text) => Ok(text),
            Said::Nothing => {
                Err(lost(side, Reason::NoMove, with_complaint(String::new(), complaint)))
            }
            Said::Resigns => Err(lost(side, Reason::Resigned, String::new())),
            Said::ClaimsDraw => Err(claim(None, Reason::AgreedDraw, "draw claimed")),
            Said::ClaimsWin => Err(claim(Some(side), Reason::AgreedWin, "win claimed")),
        }
    }

    /// Tells the engines that still run how the game has ended. The game has its result whatever
    /// becomes of them.
    fn end(&mut self, winner: Option<Side>) -> Result<(), Abandoned> {
        let to_move = self.game.position().side();
        for side in Side::ALL {
            let is_to_move = side == to_move;
            let has_moved = self.texts.len() > self.opening_plies;
            let last = self.texts.last().filter(|_| is_to_move && has_moved);
            let result = played::score(winner, side);
            let end = End { last: last.map(String::as_str), is_to_move, result };
            let seat = &mut self.seats[side.index()];
            if !self.is_playing[side.index()] || !seat.is_running() {
                continue;
            }
            match seat.with(|client| client.end_game(&end)) {
                Err(Fault::Interrupted) => return Err(Abandoned::Interrupted),
                Err(fault) => log::warn!("{side:?}, after the game: {fault}"),
                Ok(()) => {}
            }
        }
        Ok(())
    }
}

/// A game that `side` has lost by its own fault, or by giving up.
fn lost(side: Side, reason: Reason, detail: String) -> Halt {
    Halt::Over((Some(side.opponent()), reason, detail))
}

/// A detail, and what the engine itself has complained about.
fn with_complaint(detail: String, complaint: &str) -> String {
    let parts = [detail, complaint.to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; it said: ")
}

/// What follows from the failure of an engine.
fn blame(side: Side, fault: Fault) -> Halt {
    match fault {
        Fault::Interrupted => Halt::Abandoned(Abandoned::Interrupted),
        Fault::Unsuitable(what) => Halt::Abandoned(Abandoned::Unsuitable(side, what)),
        Fault::NoStart(what) => lost(side, Reason::NoStart, what),
        Fault::Crash(how) => lost(side, Reason::Crash, how),
        Fault::Hang => lost(side, Reason::Hang, String::new()),
        Fault::Flood => lost(side, Reason::Flood, String::new()),
        Fault::Protocol(what) => lost(side, Reason::Protocol, what),
    }
}

/// The end of a game as the rules have it.
fn by_rules(outcome: game::Outcome) -> Verdict {
    let (reason, detail) = match outcome.reason {
        game::Reason::Repetition => (Reason::Repetition, String::new()),
        game::Reason::KingMoves => (Reason::KingMoves, String::new()),
        game::Reason::Ending(article) => (Reason::EndingLimit, format!("article {article}")),
        game::Reason::NoPieces | game::Reason::Blocked | game::Reason::King => {
            (Reason::Rules, outcome.reason.to_string())
        }
    };
    (outcome.winner, reason, detail)
}
