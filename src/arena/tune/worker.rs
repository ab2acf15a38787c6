//! A worker: a thread that plays one pair of games at a time, with two processes of the engine.

use std::io;
use std::thread;

use crate::arena::client::MatchContext;
use crate::arena::engine_handle::EngineHandle;
use crate::arena::openings::Opening;
use crate::arena::referee::{self, Abandoned};
use crate::board::Side;
use crate::game::GameResult;

use super::pair::{EndedPair, PairResult, PairTask};
use super::plan::TunePlan;
use super::queue::TuneQueue;

/// A worker of a tuning.
pub(super) struct TuneWorker<'a, 'b> {
    plan: &'a TunePlan,
    openings: &'a [Opening],
    queue: &'a TuneQueue<'b>,
    /// The plus side and the minus side.
    engines: [EngineHandle; 2],
}

impl<'a, 'b> TuneWorker<'a, 'b> {
    /// A worker whose engines have not been started. Pair `n` begins from opening `n`.
    pub(super) fn new(
        plan: &'a TunePlan,
        openings: &'a [Opening],
        queue: &'a TuneQueue<'b>,
    ) -> TuneWorker<'a, 'b> {
        let interrupt = queue.interrupt().clone();
        let context = MatchContext { variant: plan.variant, interrupt };
        let engine = &plan.engine;
        let handle =
            || EngineHandle::new(engine.spec.clone(), engine.time_control, context.clone());
        TuneWorker { plan, openings, queue, engines: [handle(), handle()] }
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
        let name = format!("worker {}", number + 1);
        thread::Builder::new().name(name).spawn_scoped(scope, move || {
            while let Some(task) = self.queue.next() {
                match self.play_pair(&task) {
                    Ok(result) => self.queue.end_pair(&EndedPair { pair: task.index, result }),
                    Err(abandoned) => self.queue.abandon(abandoned),
                }
            }
            self.engines.iter_mut().for_each(EngineHandle::quit);
        })?;
        Ok(())
    }

    /// Plays two games from one opening; the plus side has White in the first.
    fn play_pair(&mut self, task: &PairTask) -> Result<PairResult, Abandoned> {
        let parameters = &self.plan.tuner.parameters;
        for (engine, values) in self.engines.iter_mut().zip(&task.values) {
            let params = parameters.iter().zip(values);
            let params = params.map(|(param, &value)| (param.name.clone(), param.text(value)));
            engine.set_params(params.collect());
        }
        let mut scores = Vec::new();
        for plus in Side::ALL {
            let [one, two] = &mut self.engines;
            let engines = if plus == Side::White { [one, two] } else { [two, one] };
            let game = referee::play(engines, &self.openings[task.index], &self.plan.conditions)?;
            if game.reason.is_fault() {
                return Ok(PairResult::Faulty(format!("{} {}", game.reason, game.detail)));
            }
            scores.push(GameResult::of(game.winner, plus));
        }
        Ok(PairResult::Played([scores[0], scores[1]]))
    }
}
