//! Solvers side by side, whose answers come in order.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::cli::Error;
use crate::cli::progress::Bar;
use crate::engine::{Engine, EngineOptions, Resources};
use crate::report::problems::{Problem, Solution, Solver};
use crate::rules::Variant;
use crate::search::Control;

use super::{Arguments, Numbered};

/// What solves problems.
pub struct Crew<'a> {
    pub arguments: &'a Arguments,
    pub control: &'a Control,
}

/// Receives the number of a problem, the problem and its solution.
type Sink<'a> = &'a mut dyn FnMut(usize, &Problem, &Solution) -> Result<(), Error>;

impl Crew<'_> {
    /// Solves problems and passes them on in order, until the crew is told to stop.
    ///
    /// # Errors
    ///
    /// Those of `sink`, or the files named by the arguments cannot be used.
    pub fn solve(&self, problems: &[Numbered], bar: &Bar, sink: Sink<'_>) -> Result<(), Error> {
        let next = AtomicUsize::new(0);
        let (sender, answers) = crossbeam_channel::unbounded();
        thread::scope(|scope| {
            for _ in 0..self.size().min(problems.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut member = Member { crew: self, solver: None };
                    loop {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some((_, problem)) = problems.get(place) else { break };
                        let solution = member.solve(problem);
                        let is_last = !matches!(solution, Ok(Some(_)));
                        // Nobody listens after an error.
                        if sender.send((place, solution)).is_err() || is_last {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // The solutions that wait for earlier ones, by place.
            let mut early = BTreeMap::new();
            let mut done = 0;
            for (place, solution) in answers {
                let Some(solution) = solution.inspect_err(|_| self.control.stop())? else { break };
                early.insert(place, solution);
                while let Some(solution) = early.remove(&done) {
                    let (number, problem) = &problems[done];
                    sink(*number, problem, &solution).inspect_err(|_| self.control.stop())?;
                    done += 1;
                    bar.set(done as u64, String::new());
                }
            }
            Ok(())
        })
    }

    fn size(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.arguments.threads.map_or_else(cores, usize::from)
    }

    fn solver(&self, variant: Variant) -> Result<Solver, Error> {
        let Arguments { table, folder, weights, .. } = self.arguments;
        let resources = Resources {
            bitbases: folder.open(variant)?,
            evaluation: weights.open(variant)?,
            book: None,
        };
        let options = EngineOptions { tt_size: table.tt_size, ..EngineOptions::default() };
        let engine = Engine::with(variant, resources, options);
        Ok(Solver::new(engine, self.arguments.search_limits()))
    }
}

/// One of the crew, with the solver of the game it looked at last.
struct Member<'a> {
    crew: &'a Crew<'a>,
    solver: Option<(Variant, Solver)>,
}

impl Member<'_> {
    fn solve(&mut self, problem: &Problem) -> Result<Option<Solution>, Error> {
        let variant = problem.game.variant();
        let solver = match self.solver.take().filter(|(of, _)| *of == variant) {
            Some((_, solver)) => solver,
            None => self.crew.solver(variant)?,
        };
        let (_, solver) = self.solver.insert((variant, solver));
        Ok(solver.solve(problem, self.crew.control))
    }
}
