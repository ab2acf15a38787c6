//! The speed of the game: listing, counting and making moves, and perft.
//!
//! `cargo bench --bench movegen` times all; `cargo bench --bench movegen perft` one group.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

use manoury::board::MoveList;
use manoury::movegen;
use manoury::notation::fen;
use manoury::position::Position;
use manoury::rules::{Brazilian, Canadian, Frisian, International, Rules};

/// Positions of each kind, with a depth that takes some milliseconds.
const POSITIONS: [(&str, &str, u32); 5] = [
    ("start", "W:W31-50:B1-20", 7),
    ("middle", "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26", 11),
    ("captures", "W:W23,46:B7,8,9,10,17,18,19,20,27,28,29,30,37,38,39,40", 6),
    ("men and kings", "W:WK1,K7,33:BK50,K46,12", 5),
    ("kings", "W:WK46,K47,K48:BK3", 4),
];

fn positions() -> impl Iterator<Item = (&'static str, Position<International>, u32)> {
    POSITIONS.into_iter().map(|(name, text, depth)| (name, fen::parse(text).unwrap(), depth))
}

fn generation(c: &mut Criterion) {
    let mut group = c.benchmark_group("legal moves");
    for (name, position, _) in positions() {
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
    for (name, position, _) in positions() {
        group.bench_function(name, |b| b.iter(|| movegen::count(black_box(&position))));
    }
}

fn after(c: &mut Criterion) {
    let mut group = c.benchmark_group("after");
    for (name, position, _) in positions() {
        let mv = movegen::legal_moves(&position)[0];
        group.bench_function(name, |b| {
            b.iter(|| black_box(&position).after(black_box(mv)).key());
        });
    }
}

fn perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    for (name, position, depth) in positions() {
        bench_perft(&mut group, name, &position, depth);
    }
    bench_perft(&mut group, "start, frisian", &Position::<Frisian>::start(), 6);
    bench_perft(&mut group, "start, brazilian", &Position::<Brazilian>::start(), 7);
    bench_perft(&mut group, "start, canadian", &Position::<Canadian>::start(), 5);
}

fn bench_perft<R: Rules>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    position: &Position<R>,
    depth: u32,
) {
    group.throughput(Throughput::Elements(movegen::perft(position, depth)));
    group.bench_function(name, |b| b.iter(|| movegen::perft(black_box(position), depth)));
}

criterion_group!(benches, generation, counting, after, perft);
criterion_main!(benches);
