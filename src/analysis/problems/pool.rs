//! A pool of threads that solve problems.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::rules::Variant;
use crate::search::Control;

use super::problem::{Problem, Solution};
use super::solver::Solver;

/// Solves problems with several threads, and passes the solutions on in order.
pub struct SolverPool<'a, E> {
    /// Creates a solver for a variant.
    pub make_solver: &'a (dyn Fn(Variant) -> Result<Solver, E> + Sync),
    /// The number of threads.
    pub threads: usize,
    /// Stops the work.
    pub control: &'a Control,
}

impl<E: Send> SolverPool<'_, E> {
    /// Solves problems. `sink` receives the index and the solution of each, in order.
    ///
    /// # Errors
    ///
    /// The errors of `sink` and of `make_solver`.
    pub fn solve(
        &self,
        problems: &[Problem],
        sink: &mut dyn FnMut(usize, &Solution) -> Result<(), E>,
    ) -> Result<(), E> {
        let next = AtomicUsize::new(0);
        let (sender, solutions) = crossbeam_channel::unbounded();
        thread::scope(|scope| {
            for _ in 0..self.threads.min(problems.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut worker = Worker { pool: self, solver: None };
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(problem) = problems.get(index) else { break };
                        let solution = worker.solve(problem);
                        let is_last = !matches!(solution, Ok(Some(_)));
                        // Sending fails once the receiver has been dropped after an error.
                        if sender.send((index, solution)).is_err() || is_last {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // Solutions held back until those of all earlier problems have been passed on.
            let mut early = BTreeMap::new();
            let mut done = 0;
            for (index, solution) in solutions {
                let Some(solution) = solution.inspect_err(|_| self.control.stop())? else { break };
                early.insert(index, solution);
                while let Some(solution) = early.remove(&done) {
                    sink(done, &solution).inspect_err(|_| self.control.stop())?;
                    done += 1;
                }
            }
            Ok(())
        })
    }
}

/// A thread of the pool, with a solver for the variant of its last problem.
struct Worker<'a, E> {
    pool: &'a SolverPool<'a, E>,
    solver: Option<(Variant, Solver)>,
}

impl<E> Worker<'_, E> {
    fn solve(&mut self, problem: &Problem) -> Result<Option<Solution>, E> {
        let variant = problem.game.variant();
        let solver = match self.solver.take().filter(|(of, _)| *of == variant) {
            Some((_, solver)) => solver,
            None => (self.pool.make_solver)(variant)?,
        };
        let (_, solver) = self.solver.insert((variant, solver));
        Ok(solver.solve(problem, self.pool.control))
    }
}
