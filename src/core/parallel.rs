//! Parallel loops on rayon's threads.
//!
//! The work is a trait object, not a type parameter, so that rayon's machinery is compiled once
//! instead of once per variant. Each item takes long enough that the dynamic dispatch doesn't
//! matter.

use rayon::prelude::*;

/// Fallible work on one item, given by its index.
pub type Task<'a, E> = dyn Fn(usize) -> Result<(), E> + Sync + 'a;

/// Processes the items `0..count` on all threads of rayon's current pool.
///
/// # Errors
///
/// The error of an item that failed; items not yet started are then skipped.
#[inline(never)]
pub fn try_each<E: Send>(count: usize, work: &Task<E>) -> Result<(), E> {
    (0..count).into_par_iter().try_for_each(work)
}

/// The results for the items `0..count`, in order, computed on all threads of rayon's current pool.
#[inline(never)]
pub fn map<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    (0..count).into_par_iter().map(work).collect()
}

/// Fills `bytes` in chunks of `size` bytes (the last may be shorter) on all threads of rayon's
/// current pool. `work` receives the index and contents of each chunk.
#[inline(never)]
pub fn fill(bytes: &mut [u8], size: usize, work: &(dyn Fn(usize, &mut [u8]) + Sync)) {
    bytes.par_chunks_mut(size).enumerate().for_each(|(number, chunk)| work(number, chunk));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_order() {
        assert_eq!(map(1000, &|item| item), (0..1000).collect::<Vec<_>>());
        let mut bytes = [0; 10];
        fill(&mut bytes, 4, &|chunk, bytes| bytes.fill(chunk as u8));
        assert_eq!(bytes, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
    }

    #[test]
    fn a_failing_item_ends_the_work() {
        assert_eq!(try_each(100, &|item| if item == 50 { Err(item) } else { Ok(()) }), Err(50));
        assert_eq!(try_each::<()>(0, &|_| Err(())), Ok(()));
    }
}
