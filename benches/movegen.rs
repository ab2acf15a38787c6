//! The speed of move generation: listing, counting and making moves, and perft on one thread.
//!
//! `cargo bench -p manoury-benches --bench movegen` runs all groups; `cargo bench -p manoury-benches --bench movegen perft` runs one. All
//! but perft measure the typed functions of the core: they take less time than a call through its
//! door.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use rayon::{ThreadPool, ThreadPoolBuilder};

use manoury::erased::Position;
use manoury::notation::fen;
use manoury::rules::Variant;
use manoury_core::board::{Bitboard, MoveList, Side};
use manoury_core::movegen;
use manoury_core::position::{BitPosition, Pieces};
use manoury_core::rules::International;

/// Positions of each kind, all with White to move, with a perft depth that takes some milliseconds.
const POSITIONS: [(&str, &str, u32); 5] = [
    ("start", "W:W31-50:B1-20", 7),
    ("middle", "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26", 11),
    ("captures", "W:W23,46:B7,8,9,10,17,18,19,20,27,28,29,30,37,38,39,40", 6),
    ("men and kings", "W:WK1,K7,33:BK50,K46,12", 5),
    ("kings", "W:WK46,K47,K48:BK3", 4),
];

fn positions() -> impl Iterator<Item = (&'static str, Position, u32)> {
    POSITIONS
        .into_iter()
        .map(|(name, text, depth)| (name, fen::parse(Variant::International, text).unwrap(), depth))
}

/// The same positions on bitboards.
fn bit_positions() -> impl Iterator<Item = (&'static str, BitPosition<International>)> {
    positions().map(|(name, position, _)| {
        let men = Side::ALL.map(|side| Bitboard::of_set(position.men(side)));
        let kings = Side::ALL.map(|side| Bitboard::of_set(position.kings(side)));
        (name, Pieces { men, kings }.position(International))
    })
}

fn generation(c: &mut Criterion) {
    let mut group = c.benchmark_group("legal moves");
    for (name, position) in bit_positions() {
        let mut list = MoveList::new();
        group.bench_function(name, |b| {
            b.iter(|| {
                list.clear();
                movegen::legal_moves_into(black_box(&position), &mut list);
                list.len()
            });
        });
    }
}

fn counting(c: &mut Criterion) {
    let mut group = c.benchmark_group("count");
    for (name, position) in bit_positions() {
        group.bench_function(name, |b| b.iter(|| movegen::count(black_box(&position))));
    }
}

fn after(c: &mut Criterion) {
    let mut group = c.benchmark_group("after");
    for (name, position) in bit_positions() {
        let mv = movegen::legal_moves(&position)[0];
        group.bench_function(name, |b| {
            b.iter(|| black_box(&position).after(black_box(mv)).key());
        });
    }
}

fn perft(c: &mut Criterion) {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    for (name, position, depth) in positions() {
        bench_perft(&mut group, &pool, name, &position, depth);
    }
    for (variant, depth) in [(Variant::Frisian, 6), (Variant::Brazilian, 7), (Variant::Canadian, 5)]
    {
        let name = format!("start, {variant}");
        bench_perft(&mut group, &pool, &name, &Position::start(variant), depth);
    }
}

fn bench_perft(
    group: &mut BenchmarkGroup<'_, WallTime>,
    pool: &ThreadPool,
    name: &str,
    position: &Position,
    depth: u32,
) {
    let leaves = || pool.install(|| black_box(position).perft(depth));
    group.throughput(Throughput::Elements(leaves()));
    group.bench_function(name, |b| b.iter(leaves));
}

criterion_group!(benches, generation, counting, after, perft);
criterion_main!(benches);
