//! The known distances of the positions of a slice, shared between threads.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::bitbase::chunks::CHUNK;

/// No distance: it is unknown, or the position is a draw.
pub(in crate::bitbase) const NONE: u8 = u8::MAX;

/// The distance of each position of a slice, or [`NONE`].
pub(super) struct Cells {
    plies: Vec<AtomicU8>,
    /// By chunk, a bit for each distance that one of its positions has or had.
    present: Vec<[AtomicU64; 4]>,
    /// The greatest distance recorded.
    greatest: AtomicU8,
}

impl Cells {
    /// Cells for `len` positions, without distances yet; `None` if there is not enough memory.
    pub(super) fn new(len: u64) -> Option<Self> {
        let mut plies = Vec::new();
        plies.try_reserve_exact(usize::try_from(len).ok()?).ok()?;
        plies.resize_with(len as usize, || AtomicU8::new(NONE));
        let present = (0..len.div_ceil(CHUNK)).map(|_| Default::default()).collect();
        Some(Cells { plies, present, greatest: AtomicU8::new(0) })
    }

    /// The distance of a position, or [`NONE`].
    #[inline(always)]
    pub(super) fn get(&self, number: u64) -> u8 {
        self.plies[number as usize].load(Ordering::Relaxed)
    }

    /// Lowers the distance of a position to `plies` if it is greater.
    #[inline(always)]
    pub(super) fn lower(&self, number: u64, plies: u8) {
        // Most updates change nothing, and a load costs less than an atomic update.
        let cell = &self.plies[number as usize];
        if self.get(number) > plies && cell.fetch_min(plies, Ordering::Relaxed) > plies {
            let present = &self.present[(number / CHUNK) as usize][usize::from(plies / 64)];
            present.fetch_or(1 << (plies % 64), Ordering::Relaxed);
            self.greatest.fetch_max(plies, Ordering::Relaxed);
        }
    }

    /// Whether a chunk may have a position with a given distance.
    #[inline(always)]
    pub(super) fn may_have(&self, chunk: usize, plies: u8) -> bool {
        let present = self.present[chunk][usize::from(plies / 64)].load(Ordering::Relaxed);
        present >> (plies % 64) & 1 == 1
    }

    /// The greatest distance recorded.
    pub(super) fn greatest(&self) -> u8 {
        self.greatest.load(Ordering::Relaxed)
    }

    /// The distances by position number.
    pub(super) fn into_plies(self) -> Vec<u8> {
        self.plies.into_iter().map(AtomicU8::into_inner).collect()
    }
}
