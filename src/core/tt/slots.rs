//! The memory of a table's slots, zeroed and aligned to cache lines.

use crate::memory::{wipe, zeroed};

use super::slot::Slot;

/// The size of a cache line, in bytes.
const CACHE_LINE: usize = 64;

/// The entries that share an index, which fill a cache line.
pub(super) const CLUSTER: usize = CACHE_LINE / size_of::<Slot>();

/// Slots starting at a cache line.
#[derive(Debug, Default)]
pub(super) struct Slots {
    room: Box<[Slot]>,
    /// The index of the first slot at the start of a cache line.
    first: usize,
}

impl Slots {
    /// Room for `slots` empty slots, all of it committed; `None` if the system refuses the memory.
    ///
    /// Aligned by hand within spare room, as boxes know only the alignment of their type.
    pub(super) fn new(slots: usize) -> Option<Self> {
        const SPARE: usize = CLUSTER - 1;
        let room: Box<[Slot]> = zeroed(slots.checked_add(SPARE)?)?;
        let first = room.as_ptr().align_offset(CACHE_LINE);
        // Where alignment is not possible, unaligned clusters work just as well.
        Some(Slots { first: if first <= SPARE { first } else { 0 }, room })
    }

    /// The slots, at least the number requested.
    #[inline(always)]
    pub(super) fn get(&self) -> &[Slot] {
        &self.room[self.first..]
    }

    /// Empties all slots. The memory is kept.
    pub(super) fn wipe(&mut self) {
        wipe(&mut self.room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_what_was_asked_from_a_cache_line_on() {
        for slots in [0, 1, 4, 1 << 16, (1 << 17) + 4, 1 << 20] {
            let memory = Slots::new(slots).unwrap();
            assert!((slots..slots + CLUSTER).contains(&memory.get().len()), "{slots}");
            assert_eq!(memory.get().as_ptr().addr() % CACHE_LINE, 0, "{slots}");
        }
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert!(Slots::new(usize::MAX).is_none());
        assert!(Slots::new(usize::MAX / 32).is_none());
    }
}
