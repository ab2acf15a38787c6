//! Where the slots of a table live: memory that starts at a cache line and is empty.

use crate::memory::zeroed;

use super::slot::Slot;

/// The bytes of a cache line.
const CACHE_LINE: usize = 64;

/// Entries that share an index: a cache line of them.
pub(super) const CLUSTER: usize = CACHE_LINE / size_of::<Slot>();

/// Slots from the start of a cache line on.
#[derive(Debug, Default)]
pub(super) struct Slots {
    room: Box<[Slot]>,
    /// The first slot at the start of a cache line.
    first: usize,
}

impl Slots {
    /// Room for so many empty slots, `None` if the system refuses it. It is taken from the system as
    /// it is first used.
    ///
    /// The start is sought within more room than needed: the allocator clears aligned room at once,
    /// while ordinary room comes cleared from the system.
    pub(super) fn new(slots: usize) -> Option<Self> {
        const SPARE: usize = CLUSTER - 1;
        let room: Box<[Slot]> = zeroed(slots.checked_add(SPARE)?)?;
        let first = room.as_ptr().align_offset(CACHE_LINE);
        // Where nothing can be aligned, unaligned clusters are as good.
        Some(Slots { first: if first <= SPARE { first } else { 0 }, room })
    }

    /// The slots, at least as many as were asked for.
    #[inline(always)]
    pub(super) fn get(&self) -> &[Slot] {
        &self.room[self.first..]
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
