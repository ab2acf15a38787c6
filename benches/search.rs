//! The speed of the search: nodes per second, and time to depth.
//!
//! `cargo bench -p manoury-benches --bench search` runs both groups; `cargo bench -p manoury-benches --bench search depth` runs one. For
//! the start position and the position after the opening there are published figures of other
//! engines.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use manoury::engine::bench::{self, BenchSettings};
use manoury::engine::{Engine, EngineOptions};
use manoury::notation::fen;
use manoury::rules::Variant;
use manoury::search::{Control, Limits};
use manoury::weights;

const START: &str = "W:W31-50:B1-20";
const OPENING: &str = "W:W26,27,31,32,33,36,37,38,39,41,42,43,44,45,48,49:\
                       B2,3,4,7,8,9,12,13,14,16,17,18,19,20,23,24";

/// The size of the transposition table: 64 MiB.
const TT_SIZE: u32 = 22;

/// The nodes of a search that starts with an empty table.
fn search(text: &str, depth: u32, threads: usize) -> u64 {
    let options = EngineOptions { threads, tt_size: TT_SIZE, ..EngineOptions::default() };
    let mut engine = Engine::new(Variant::International, options);
    engine.set_position(fen::parse(Variant::International, text).unwrap());
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.go(limits, &Control::new(), &mut |_| {}).info.nodes
}

fn nodes(c: &mut Criterion) {
    const DEPTH: u32 = 9;
    let search = || {
        bench::run(
            Variant::International,
            Some(DEPTH),
            BenchSettings::default(),
            &weights::embedded(Variant::International),
        )
    };
    let mut group = c.benchmark_group("nodes");
    group.sample_size(10).throughput(Throughput::Elements(search().nodes));
    group.bench_function("bench positions", |b| b.iter(search));
}

fn time_to_depth(c: &mut Criterion) {
    let mut group = c.benchmark_group("depth");
    group.sample_size(10).warm_up_time(Duration::from_millis(1));
    for (name, text) in [("start", START), ("opening", OPENING)] {
        for depth in [15, 17, 19] {
            let name = format!("{name}, {depth} plies");
            group.bench_function(name, |b| b.iter(|| search(text, depth, 1)));
        }
    }
    group.bench_function("start, 17 plies, two threads", |b| b.iter(|| search(START, 17, 2)));
}

criterion_group!(benches, nodes, time_to_depth);
criterion_main!(benches);
