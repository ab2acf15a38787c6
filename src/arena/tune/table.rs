//! A table: a thread that plays one pair of games at a time, with two processes of the engine.

use std::io;
use std::thread;

use crate::arena::client::MatchContext;
use crate::arena::openings::Opening;
use crate::arena::played;
use crate::arena::referee::{self, Abandoned};
use crate::arena::seat::Seat;
use crate::board::Side;

use super::hall::Hall;
use super::pair::{EndedPair, PairResult, PairTask};
use super::plan::TunePlan;

/// A table of a tuning.
pub(super) struct TuneTable<'a, 'b> {
    plan: &'a TunePlan,
    openings: &'a [Opening],
    hall: &'a Hall<'b>,
    /// The plus side and the minus side.
    seats: [Seat; 2],
}

impl<'a, 'b> TuneTable<'a, 'b> {
    /// A table whose engines have not been started. Pair `n` begins from opening `n`.
    pub(super) fn new(
        plan: &'a TunePlan,
        openings: &'a [Opening],
        hall: &'a Hall<'b>,
    ) -> TuneTable<'a, 'b> {
        let interrupt = hall.interrupt().clone();
        let context = MatchContext { variant: plan.variant, interrupt };
        let engine = &plan.engine;
        let seat = || Seat::new(engine.spec.clone(), engine.time_control, context.clone());
        TuneTable { plan, openings, hall, seats: [seat(), seat()] }
    }

    /// Starts the thread, which plays until the run is over.
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
            while let Some(task) = self.hall.next() {
                match self.play_pair(&task) {
                    Ok(result) => self.hall.end_pair(&EndedPair { pair: task.index, result }),
                    Err(abandoned) => self.hall.abandon(abandoned),
                }
            }
            self.seats.iter_mut().for_each(Seat::leave);
        })?;
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
        let mut scores = Vec::new();
        for plus in Side::ALL {
            let [one, two] = &mut self.seats;
            let seats = if plus == Side::White { [one, two] } else { [two, one] };
            let game = referee::play(seats, &self.openings[task.index], &self.plan.conditions)?;
            if game.reason.is_fault() {
                return Ok(PairResult::Faulty(format!("{} {}", game.reason, game.detail)));
            }
            scores.push(played::score(game.winner, plus));
        }
        Ok(PairResult::Played([scores[0], scores[1]]))
    }
}
