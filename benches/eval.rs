//! The speed of the evaluation, by the hand-chosen weights and by the network in the program, and
//! the time to load the network.
//!
//! `cargo bench -p manoury-benches --bench eval`. The positions come from random games, enough of them that the rows
//! of the network they need fit in no cache. An evaluation takes less time than a call through the
//! erased layer of the core, so this measures the typed function.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

use manoury::eval::Evaluation;
use manoury::rules::Variant;
use manoury::weights;
use manoury_core::game::BitGame;
use manoury_core::movegen::legal_moves;
use manoury_core::position::BitPosition;
use manoury_core::rules::International;

const GAMES: u64 = 200;
const PLIES: usize = 80;

/// Positions of random games.
fn positions() -> Vec<BitPosition<International>> {
    let setup = Variant::International.setup();
    let mut positions = Vec::new();
    for seed in 0..GAMES {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = BitGame::new(setup, BitPosition::start_of(International, setup));
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
    let network = weights::embedded(Variant::International);
    for (name, evaluation) in [("hand", Evaluation::hand_crafted()), ("network", network)] {
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
    c.bench_function("load", |b| b.iter(|| weights::embedded(Variant::International)));
}

criterion_group!(benches, score, load);
criterion_main!(benches);
