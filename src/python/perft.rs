//! Counting leaves with dedicated threads, so that it works after a fork and responds to Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use pyo3::prelude::*;

use manoury::Position;

use crate::SIGNAL_INTERVAL;

/// The depth up to which leaves are counted without checking for an interruption.
const PIECE: u32 = 4;

/// The number of subtrees needed to balance the load.
const ENOUGH: usize = 1000;

/// The number of sequences of `depth` legal moves. Raises any exception raised by a signal handler.
pub(crate) fn perft(py: Python<'_>, position: &Position, depth: u32) -> PyResult<u64> {
    if depth <= PIECE {
        return Ok(position.count_leaves(depth, None));
    }
    let (positions, depth) = split(position, depth);
    let (next, leaves, stop) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let work = || {
        while let Some(position) = positions.get(next.fetch_add(1, Relaxed)) {
            match count(position, depth, &stop) {
                Some(count) => leaves.fetch_add(count, Relaxed),
                None => return,
            };
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(positions.len());
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, done) = mpsc::channel::<()>();
            for _ in 0..threads {
                let (work, sender) = (&work, sender.clone());
                thread::Builder::new().spawn_scoped(scope, move || {
                    work();
                    drop(sender);
                })?;
            }
            drop(sender);
            while done.recv_timeout(SIGNAL_INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
                Python::attach(|py| py.check_signals())
                    .inspect_err(|_| stop.store(true, Relaxed))?;
            }
            PyResult::Ok(())
        })
    })?;
    Ok(leaves.into_inner())
}

/// The positions after enough plies to distribute them among threads, and the remaining depth below
/// them.
fn split(position: &Position, mut depth: u32) -> (Vec<Position>, u32) {
    let mut positions = vec![*position];
    while depth > PIECE && positions.len() < ENOUGH && !positions.is_empty() {
        let next = |position: &Position| {
            position.legal_moves().into_iter().map(|mv| position.after(mv)).collect::<Vec<_>>()
        };
        positions = positions.iter().flat_map(next).collect();
        depth -= 1;
    }
    (positions, depth)
}

/// The number of leaves below a position; `None` if the count was stopped.
fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Relaxed) {
        return None;
    }
    if depth <= PIECE {
        return Some(position.count_leaves(depth, None));
    }
    let moves = position.legal_moves().into_iter();
    moves.map(|mv| count(&position.after(mv), depth - 1, stop)).sum()
}
