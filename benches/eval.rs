//! The speed of the evaluation: by hand and by the network in the program, and the time to load the latter.
//!
//! `cargo bench --bench eval`. The positions are those of random games, so many that no cache holds all
//! rows of the network they need.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

use manoury::eval::Evaluation;
use manoury::game::Game;
use manoury::movegen::legal_moves;
use manoury::position::Position;
use manoury::rules::International;

const GAMES: u64 = 200;
const PLIES: usize = 80;

/// Positions of random games.
fn positions() -> Vec<Position<International>> {
    let mut positions = Vec::new();
    for seed in 0..GAMES {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::<International>::default();
        for _ in 0..PLIES {
            let Some(&mv) = legal_moves(game.position()).choose(&mut random) else { break };
            game.play(mv);
            positions.push(*game.position());
        }
    }
    positions
}

fn score(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("score");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let evaluations = [("hand", Evaluation::by_hand()), ("network", Evaluation::of_program())];
    for (name, evaluation) in evaluations {
        group.bench_function(name, |b| {
            b.iter(|| {
                let scores =
                    black_box(&positions).iter().map(|position| evaluation.score(position));
                scores.map(|score| i32::from(score.0)).sum::<i32>()
            });
        });
    }
}

fn load(c: &mut Criterion) {
    c.bench_function("load", |b| b.iter(Evaluation::<International>::of_program));
}

criterion_group!(benches, score, load);
criterion_main!(benches);
