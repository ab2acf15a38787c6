//! The time to look a position up in the book of the program, and to open that book.
//!
//! `cargo bench --bench book`. The positions are those of the best lines after each of the first two moves,
//! and the ends of these.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use manoury::book::Book;
use manoury::position::Position;
use manoury::rules::International;

/// Positions in the book, with some at its ends.
fn positions(book: &Book<International>) -> Vec<Position<International>> {
    let mut positions = vec![Position::start()];
    for first in book.moves(&Position::start()) {
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
    let book = Book::<International>::of_program().unwrap();
    let positions = positions(&book);
    let mut group = c.benchmark_group("book");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("moves of a position", |b| {
        b.iter(|| positions.iter().map(|at| black_box(book.moves(at)).len()).sum::<usize>());
    });
    group.finish();
    c.bench_function("open the book", |b| b.iter(Book::<International>::of_program));
}

criterion_group!(benches, probe);
criterion_main!(benches);
