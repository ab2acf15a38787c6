//! One set of pieces among the squares that are left to it.

use crate::board::{Bitboard, Geometry, Square};

use super::binomial::{MOST_PIECES, MOST_SQUARES, binomial, greatest};

/// A subset of some squares that goes through all of its size, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subset<G: Geometry> {
    /// The squares to choose from, ascending: the first `count`.
    squares: [Square; MOST_SQUARES],
    count: usize,
    /// The places of the chosen ones among them, ascending: the first `size`.
    places: [u8; MOST_PIECES],
    size: usize,
    chosen: Bitboard<G>,
}

impl<G: Geometry> Default for Subset<G> {
    fn default() -> Self {
        Subset {
            squares: [Square::new(0); MOST_SQUARES],
            count: 0,
            places: [0; MOST_PIECES],
            size: 0,
            chosen: Bitboard::EMPTY,
        }
    }
}

impl<G: Geometry> Subset<G> {
    /// Makes it the subset with a number among those of `size` squares of a set.
    #[inline(always)]
    pub(super) fn choose(&mut self, of: Bitboard<G>, size: usize, rank: u64) {
        self.size = size;
        self.chosen = Bitboard::EMPTY;
        if size == 0 {
            return;
        }
        self.count = of.len();
        for (place, square) in self.squares.iter_mut().zip(of.squares()) {
            *place = square;
        }
        if rank == 0 {
            self.restart(size);
        } else {
            self.unrank(rank);
        }
        self.collect();
    }

    /// The squares chosen.
    #[inline(always)]
    pub(super) fn chosen(&self) -> Bitboard<G> {
        self.chosen
    }

    /// Goes on to the next subset; `false`, and no change, at the last.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> bool {
        let limit = |piece: usize| match self.places[..self.size].get(piece + 1) {
            Some(&next) => next,
            None => self.count as u8,
        };
        let Some(moved) = (0..self.size).find(|&piece| self.places[piece] + 1 < limit(piece))
        else {
            return false;
        };
        self.places[moved] += 1;
        self.restart(moved);
        self.collect();
        true
    }

    /// Puts the first pieces on the first places.
    #[inline(always)]
    fn restart(&mut self, pieces: usize) {
        for (place, piece) in self.places[..pieces].iter_mut().zip(0..) {
            *place = piece;
        }
    }

    fn unrank(&mut self, mut rank: u64) {
        for piece in (0..self.size).rev() {
            let place = greatest(rank, piece + 1);
            rank -= binomial(place, piece + 1);
            self.places[piece] = place as u8;
        }
    }

    #[inline(always)]
    fn collect(&mut self) {
        let places = self.places[..self.size].iter();
        let squares = places.map(|&place| Bitboard::of(self.squares[usize::from(place)]));
        self.chosen = squares.fold(Bitboard::EMPTY, |all, square| all | square);
    }
}
