//! Parallel loops on rayon's threads.
//!
//! The work is a trait object, not a type parameter, so that rayon's machinery is compiled once and
//! not for every game. Each piece of work takes long enough for the dynamic call not to matter.

use rayon::prelude::*;

/// Fallible work on one piece, given by its index.
pub type Task<'a, E> = dyn Fn(usize) -> Result<(), E> + Sync + 'a;

/// Processes the pieces `0..count` on all threads of rayon's current pool.
///
/// # Errors
///
/// The error of a piece that failed; pieces not yet started are then skipped.
#[inline(never)]
pub fn try_each<E: Send>(count: usize, work: &Task<E>) -> Result<(), E> {
    (0..count).into_par_iter().try_for_each(work)
}

/// The results of the pieces `0..count`, in order, computed on all threads of rayon's current pool.
#[inline(never)]
pub fn map<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    (0..count).into_par_iter().map(work).collect()
}

/// Fills bytes in pieces of `size`, the last one possibly shorter, on all threads of rayon's
/// current pool. `work` receives the index and the bytes of each piece.
#[inline(never)]
pub fn fill(bytes: &mut [u8], size: usize, work: &(dyn Fn(usize, &mut [u8]) + Sync)) {
    bytes.par_chunks_mut(size).enumerate().for_each(|(number, piece)| work(number, piece));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_keep_their_order() {
        assert_eq!(map(1000, &|piece| piece), (0..1000).collect::<Vec<_>>());
        let mut bytes = [0; 10];
        fill(&mut bytes, 4, &|piece, bytes| bytes.fill(piece as u8));
        assert_eq!(bytes, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
    }

    #[test]
    fn a_failing_piece_ends_the_work() {
        assert_eq!(try_each(100, &|piece| if piece == 50 { Err(piece) } else { Ok(()) }), Err(50));
        assert_eq!(try_each::<()>(0, &|_| Err(())), Ok(()));
    }
}
