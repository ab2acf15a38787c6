//! The time to look up random positions in bitbases, index included: in memory without compression,
//! and in compressed files.
//!
//! With a folder of bitbases in the environment variable `MANOURY_BITBASES`, positions of five and
//! six pieces are looked up there too. A look-up takes less time than a call through the erased layer
//! of the core, so this measures the typed functions.

#![allow(missing_docs, clippy::unwrap_used)]

use std::env;
use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Bencher, Criterion, criterion_group, criterion_main};
use manoury::engine::bitbase_folder;
use manoury_core::bitbase::{BitbaseSet, Content, Index, Slice, Value, ValueTable, ValueTables};
use manoury_core::board::{Board10, Geometry};
use manoury_core::movegen;
use manoury_core::position::Pieces;
use manoury_core::rules::{International, Variant};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// The number of look-ups per iteration.
const POSITIONS: usize = 1000;

/// Random quiet positions of the slices with `pieces` pieces that have files, uniformly
/// distributed.
fn positions(bitbases: &BitbaseSet<International>, pieces: usize) -> Vec<Pieces<Board10>> {
    let slices = Slice::all(pieces).into_iter();
    let slices = slices.filter(|&slice| bitbases.file(slice, Content::Values).is_some());
    let indices: Vec<_> = slices.map(|slice| Index::new(Board10::GRID, slice)).collect();
    let total: u64 = indices.iter().map(Index::len).sum();
    let mut random = SmallRng::seed_from_u64(1);
    let mut positions = Vec::new();
    while positions.len() < 100 * POSITIONS {
        let mut number = random.random_range(0..total);
        let contains = |index: &&Index| {
            let is_here = number < index.len();
            if !is_here {
                number -= index.len();
            }
            is_here
        };
        let index = indices.iter().find(contains).unwrap();
        let pieces = index.pieces::<Board10>(number);
        if !movegen::has_capture(&pieces.position(International)) {
            positions.push(pieces);
        }
    }
    positions
}

/// Looks up a thousand positions per iteration, different ones each time.
fn look_up(
    bencher: &mut Bencher,
    positions: &[Pieces<Board10>],
    look_up: impl Fn(&Pieces<Board10>) -> Option<Value>,
) {
    let mut chunks = positions.chunks(POSITIONS).cycle();
    bencher.iter_batched(
        || chunks.next().unwrap(),
        |chunk| {
            chunk.iter().filter(|pieces| look_up(black_box(pieces)) == Some(Value::Win)).count()
        },
        BatchSize::SmallInput,
    );
}

fn probe(criterion: &mut Criterion) {
    let mut bitbases = BitbaseSet::embedded(International, Variant::International);
    if let Some(folder) = env::var_os("MANOURY_BITBASES") {
        let errors = bitbases.open(&bitbase_folder(Variant::International, Path::new(&folder)), 6);
        assert!(errors.is_empty(), "{errors:?}");
    }
    let mut tables = ValueTables::new(Value::Loss, false);
    for slice in Slice::all(4) {
        let index = Index::new(Board10::GRID, slice);
        let value = |number| {
            let position = index.pieces::<Board10>(number).position(International);
            bitbases.value(&position).unwrap()
        };
        tables.add(slice, ValueTable::new(index.clone(), value).unwrap());
    }
    let mut group = criterion.benchmark_group("probe");
    group.throughput(criterion::Throughput::Elements(POSITIONS as u64));
    let four = positions(&bitbases, 4);
    group.bench_function("4 pieces, in memory", |bencher| {
        look_up(bencher, &four, |pieces| tables.value(pieces).ok());
    });
    for pieces in 4..=bitbases.pieces() {
        let positions = positions(&bitbases, pieces);
        group.bench_function(format!("{pieces} pieces, compressed"), |bencher| {
            look_up(bencher, &positions, |pieces| {
                bitbases.file(Slice::of(pieces), Content::Values)?.value(pieces)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, probe);
criterion_main!(benches);
