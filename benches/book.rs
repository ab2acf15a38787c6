//! The time to look up a position in the book in the program, and to open that book.
//!
//! `cargo bench -p manoury-benches --bench book`. The positions are those of the best lines after each pair of first
//! moves, down to the ends of the book.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use manoury::book::Book;
use manoury::erased::Position;
use manoury::rules::Variant;

/// Positions in the book, some of them at its ends.
fn positions(book: &Book) -> Vec<Position> {
    let start = Position::start(book.variant());
    let mut positions = vec![start];
    for first in book.moves(&start) {
        for second in book.moves(&first.next) {
            let mut position = second.next;
            positions.push(position);
            for mv in book.line(&position) {
                position = position.after(mv);
                positions.push(position);
            }
        }
    }
    positions
}

fn probe(c: &mut Criterion) {
    let book = Book::embedded(Variant::International).unwrap();
    let positions = positions(&book);
    let mut group = c.benchmark_group("book");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("moves of a position", |b| {
        b.iter(|| positions.iter().map(|at| black_box(book.moves(at)).len()).sum::<usize>());
    });
    group.finish();
    c.bench_function("open the book", |b| b.iter(|| Book::embedded(Variant::International)));
}

criterion_group!(benches, probe);
criterion_main!(benches);
