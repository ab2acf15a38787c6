//! Tuning simulated engines whose best values are known.
//!
//! The strength of the simulated engine falls with the square of the distance from the best values,
//! by a stated number of Elo at a distance of `c_end`; half of the games are drawn. Everything else
//! is as in a real tuning: the pairs are handed out ahead of the results, and end in any order.

use manoury::arena::stats::elo_to_score;
use manoury::arena::tune::{
    AppliedStep, PairResult, PairTask, Parameter, TuneLength, Tuner, TunerSettings,
};
use manoury::game::GameResult;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// The share of drawn games.
const DRAWS: f64 = 0.5;

/// A number of the simulated engine.
struct Number {
    parameter: Parameter,
    /// Its best value.
    best: f64,
    /// The loss at a distance of `c_end` from it, in Elo.
    loss: f64,
}

/// The numbers: coarse and fine integers, and reals. They start two to five `c_end` from the best
/// values.
fn numbers(r_end: f64) -> Vec<Number> {
    let number = |name: &str, is_integer, [start, min, max, c_end]: [f64; 4], best, loss| Number {
        parameter: Parameter { name: name.to_owned(), is_integer, start, min, max, c_end, r_end },
        best,
        loss,
    };
    vec![
        number("slope", true, [70.0, 0.0, 150.0, 5.0], 95.0, 2.0),
        number("depth", true, [4.0, 0.0, 12.0, 0.7], 6.2, 3.0),
        number("history", true, [8000.0, 1000.0, 40000.0, 800.0], 5200.0, 2.0),
        number("scale", false, [1.0, 0.1, 2.0, 0.05], 0.9, 4.0),
    ]
}

/// The simulated engine.
struct Simulation {
    numbers: Vec<Number>,
    length: TuneLength,
    ahead: usize,
    seed: u64,
}

impl Simulation {
    /// A tuning of 20,000 games.
    fn new(pairs: usize, seed: u64) -> Simulation {
        let length = TuneLength { steps: 10_000 / pairs, pairs };
        Simulation { numbers: numbers(0.006), length, ahead: 16, seed }
    }

    fn tuner(&self) -> Tuner {
        Tuner::new(TunerSettings {
            parameters: self.numbers.iter().map(|number| number.parameter.clone()).collect(),
            length: self.length,
            ahead: self.ahead,
            seed: self.seed,
            part: None,
        })
    }

    /// The Elo lost by values that are not the best.
    fn loss(&self, values: &[f64]) -> f64 {
        let losses = self.numbers.iter().zip(values);
        let losses = losses.map(|(number, value)| {
            number.loss * ((value - number.best) / number.parameter.c_end).powi(2)
        });
        losses.sum()
    }

    /// The result of a pair, always the same for the same pair and values.
    fn play(&self, task: &PairTask) -> PairResult {
        let mut random = Xoshiro256PlusPlus::seed_from_u64((self.seed << 32) + task.index as u64);
        let [plus, minus] = &task.values;
        let score = elo_to_score(self.loss(minus) - self.loss(plus));
        let wins = (score - DRAWS / 2.0).clamp(0.0, 1.0 - DRAWS);
        let mut game = || match random.random::<f64>() {
            number if number < wins => GameResult::Win,
            number if number < wins + DRAWS => GameResult::Draw,
            _ => GameResult::Loss,
        };
        PairResult::Played([game(), game()])
    }

    /// Plays all steps, `concurrency` pairs at a time, which end in random order.
    fn run(&self, tuner: &mut Tuner, concurrency: usize) -> Vec<AppliedStep> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(concurrency as u64);
        let (mut playing, mut steps) = (Vec::new(), Vec::new());
        while !tuner.is_finished() {
            while playing.len() < concurrency
                && let Some(task) = tuner.next_pair()
            {
                playing.push(task);
            }
            let task = playing.swap_remove(random.random_range(0..playing.len()));
            tuner.add(task.index, &self.play(&task));
            steps.extend(std::iter::from_fn(|| tuner.apply()));
        }
        steps
    }

    /// The distance of each number from its best value, in units of its `c_end`.
    fn distances(&self, values: &[f64]) -> Vec<f64> {
        let numbers = self.numbers.iter().zip(values);
        numbers.map(|(number, value)| (value - number.best) / number.parameter.c_end).collect()
    }
}

#[test]
fn finds_the_best_values() {
    for pairs in [1, 8] {
        for seed in 1..=6 {
            let simulation = Simulation::new(pairs, seed);
            let mut tuner = simulation.tuner();
            let before = simulation.loss(tuner.values());
            simulation.run(&mut tuner, 4);
            let after = simulation.loss(tuner.values());
            let distances = simulation.distances(tuner.values());
            println!("{pairs} pairs, seed {seed}: {before:.1} to {after:.1} Elo, {distances:.2?}");
            assert!(after < before / 40.0);
            assert!(distances.iter().all(|distance| distance.abs() < 1.0));
        }
    }
}

/// The opposite test: where the worse values win the games, the numbers move away from the best.
#[test]
fn parameters_move_towards_the_winner() {
    let simulation = Simulation::new(1, 1);
    let mut tuner = simulation.tuner();
    let before = simulation.distances(tuner.values());
    while let Some(task) = tuner.next_pair() {
        let PairResult::Played(scores) = simulation.play(&task) else { continue };
        tuner.add(task.index, &PairResult::Played(scores.map(GameResult::reversed)));
        tuner.apply();
    }
    assert!(tuner.is_finished());
    let after = simulation.distances(tuner.values());
    assert!(
        before.iter().zip(&after).all(|(before, after)| after.abs() > before.abs()),
        "{after:?}"
    );
}

#[test]
fn the_order_of_the_games_does_not_matter() {
    let simulation =
        Simulation { length: TuneLength { steps: 300, pairs: 3 }, ..Simulation::new(1, 9) };
    let steps = |concurrency| simulation.run(&mut simulation.tuner(), concurrency);
    let one = steps(1);
    assert_eq!(one.len(), 300);
    for concurrency in [2, 7, 48] {
        assert!(steps(concurrency) == one, "{concurrency} pairs at a time");
    }
    let other = Simulation { seed: 10, ..Simulation::new(1, 9) };
    assert!(other.run(&mut other.tuner(), 1)[..300] != one[..]);
}

#[test]
fn replays_logged_steps() {
    let simulation =
        Simulation { length: TuneLength { steps: 100, pairs: 2 }, ..Simulation::new(1, 3) };
    let steps = simulation.run(&mut simulation.tuner(), 5);
    let mut resumed = simulation.tuner();
    for step in &steps[..60] {
        resumed.replay(step).unwrap();
    }
    assert_eq!((resumed.steps(), resumed.finished_games()), (60, 240));
    assert!(simulation.run(&mut resumed, 3) == steps[60..]);

    let replay = |change: fn(&mut AppliedStep)| {
        let mut step = steps[0].clone();
        change(&mut step);
        simulation.tuner().replay(&step).unwrap_err()
    };
    assert!(replay(|step| step.step = 2).contains("expected step 1, found step 2"));
    assert!(replay(|step| step.values[1] += 0.1).contains("do not follow"));
    assert!(replay(|step| step.values.truncate(3)).contains("do not follow"));
    assert!(replay(|step| step.wins = u64::MAX).contains("games"));
    assert!(resumed.replay(&steps[0]).is_err(), "after the last step");
}

#[test]
fn faulty_pairs_do_not_count() {
    let simulation =
        Simulation { length: TuneLength { steps: 2, pairs: 2 }, ..Simulation::new(1, 4) };
    let mut tuner = simulation.tuner();
    let fault = PairResult::Faulty("crash".to_owned());
    tuner.next_pair();
    tuner.next_pair();
    tuner.add(0, &fault);
    assert_eq!(tuner.apply(), None);
    tuner.add(1, &PairResult::Played([GameResult::Win, GameResult::Draw]));
    let step = tuner.apply().unwrap();
    assert_eq!((step.wins, step.draws, step.losses, step.faults), (1, 1, 0, 1));
    assert_ne!(tuner.history()[0], tuner.history()[1]);
    for index in [2, 3] {
        tuner.next_pair();
        tuner.add(index, &fault);
    }
    assert_eq!(tuner.apply().unwrap().faults, 2);
    assert_eq!(tuner.history()[1], tuner.history()[2], "no game, no move");
    assert_eq!((tuner.faults(), tuner.tally().games(), tuner.finished_games()), (3, 2, 8));
}
