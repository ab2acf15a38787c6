//! A table: a thread that plays one pair of games at a time, with two processes of the engine.

use std::io;
use std::thread;

use crossbeam_channel::{Receiver, Sender};

use crate::arena::client::MatchContext;
use crate::arena::interrupt::Interrupt;
use crate::arena::openings::Opening;
use crate::arena::played;
use crate::arena::referee::{self, Abandoned};
use crate::arena::seat::Seat;
use crate::board::Side;

use super::plan::TunePlan;
use super::tuner::{PairResult, PairTask};

/// What a table reports to the runner.
pub(super) enum TableEvent {
    /// A pair, by index, has ended.
    Ended(usize, PairResult),
    /// The table has stopped early.
    Stopped(Abandoned),
}

/// A table of a tuning.
pub(super) struct TuneTable<'a> {
    plan: &'a TunePlan,
    openings: &'a [Opening],
    interrupt: &'a Interrupt,
    tasks: Receiver<PairTask>,
    events: Sender<TableEvent>,
    /// The plus side and the minus side.
    seats: [Seat; 2],
}

impl<'a> TuneTable<'a> {
    /// A table whose engines have not been started. Pair `n` begins from opening `n`.
    pub(super) fn new(
        plan: &'a TunePlan,
        openings: &'a [Opening],
        interrupt: &'a Interrupt,
        tasks: Receiver<PairTask>,
        events: Sender<TableEvent>,
    ) -> TuneTable<'a> {
        let context = MatchContext { variant: plan.variant, interrupt: interrupt.clone() };
        let engine = &plan.engine;
        let seat = || Seat::new(engine.spec.clone(), engine.time_control, context.clone());
        TuneTable { plan, openings, interrupt, tasks, events, seats: [seat(), seat()] }
    }

    /// Starts the thread, which plays until there are no more tasks or the work is interrupted.
    ///
    /// # Errors
    ///
    /// The system refuses the thread.
    pub(super) fn start<'scope>(
        mut self,
        number: usize,
        scope: &'scope thread::Scope<'scope, 'a>,
    ) -> io::Result<()> {
        let name = format!("table {}", number + 1);
        thread::Builder::new().name(name).spawn_scoped(scope, move || {
            if let Err(abandoned) = self.play_pairs() {
                // The receiver outlives all tables, so sending cannot fail.
                let _ = self.events.send(TableEvent::Stopped(abandoned));
            }
            self.seats.iter_mut().for_each(Seat::leave);
        })?;
        Ok(())
    }

    fn play_pairs(&mut self) -> Result<(), Abandoned> {
        while let Ok(task) = self.tasks.recv() {
            let result = self.play_pair(&task)?;
            let _ = self.events.send(TableEvent::Ended(task.index, result));
        }
        Ok(())
    }

    /// Plays two games from one opening; the plus side has White in the first.
    fn play_pair(&mut self, task: &PairTask) -> Result<PairResult, Abandoned> {
        let parameters = &self.plan.tuner.parameters;
        for (seat, values) in self.seats.iter_mut().zip(&task.values) {
            let params = parameters.iter().zip(values);
            let params = params.map(|(param, &value)| (param.name.clone(), param.text(value)));
            seat.set_params(params.collect());
        }
        let opening = &self.openings[task.index];
        let mut scores = Vec::new();
        for plus in Side::ALL {
            if self.interrupt.is_set() {
                return Err(Abandoned::Interrupted);
            }
            let [one, two] = &mut self.seats;
            let seats = if plus == Side::White { [one, two] } else { [two, one] };
            let game = referee::play(seats, opening, &self.plan.conditions)?;
            if game.reason.is_fault() {
                return Ok(PairResult::Faulty(format!("{} {}", game.reason, game.detail)));
            }
            scores.push(played::score(game.winner, plus));
        }
        Ok(PairResult::Played([scores[0], scores[1]]))
    }
}
