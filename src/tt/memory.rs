//! Where the slots of a table live: memory that starts at a cache line, lies in huge pages where the
//! system offers them, and is empty.

use super::slot::Slot;

/// The bytes of a cache line.
pub(super) const CACHE_LINE: usize = 64;

/// The bytes of a huge page.
const HUGE_PAGE: usize = 2 << 20;

/// Slots from the start of a cache line on.
#[derive(Debug, Default)]
pub(super) struct Memory {
    slots: Box<[Slot]>,
    /// The first slot at the start of a cache line, or of a huge page.
    first: usize,
}

impl Memory {
    /// Room for so many empty slots, `None` if the system refuses it. It is taken from the system as
    /// it is first used.
    ///
    /// The start is sought within more room than needed: the allocator clears aligned room at once,
    /// while ordinary room comes cleared from the system.
    pub(super) fn new(slots: usize) -> Option<Self> {
        let alignment = if slots >= HUGE_PAGE / size_of::<Slot>() { HUGE_PAGE } else { CACHE_LINE };
        let spare = alignment / size_of::<Slot>() - 1;
        let room: Box<[Slot]> =
            bytemuck::allocation::try_zeroed_slice_box(slots.checked_add(spare)?).ok()?;
        let first = room.as_ptr().align_offset(alignment);
        let memory = Memory {
            // Where nothing can be aligned, unaligned clusters are as good.
            first: if first <= spare { first } else { 0 },
            slots: room,
        };
        ask_for_huge_pages(&memory.slots()[..slots]);
        Some(memory)
    }

    /// The slots, at least as many as were asked for.
    #[inline(always)]
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots[self.first..]
    }
}

/// Asks the system to back the whole huge pages among the slots by such pages: they make the search
/// faster, as nearly every probe would miss the address cache for ordinary ones.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn ask_for_huge_pages(slots: &[Slot]) {
    use rustix::mm::{Advice, madvise};

    let bytes = size_of_val(slots) / HUGE_PAGE * HUGE_PAGE;
    if bytes == 0 {
        return;
    }
    let start = slots.as_ptr().cast_mut().cast();
    // SAFETY: the bytes are those of `slots`, and this advice leaves their contents alone.
    let advised = unsafe { madvise(start, bytes, Advice::LinuxHugepage) };
    // Without huge pages the table is slower and just as good.
    advised.unwrap_or_default();
}

/// Other systems choose the pages themselves.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn ask_for_huge_pages(_slots: &[Slot]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_what_was_asked_and_little_more() {
        for slots in [0, 1, 4, 1 << 16, 1 << 17, (1 << 17) + 4, 1 << 24] {
            let memory = Memory::new(slots).unwrap();
            assert!(memory.slots().len() >= slots);
            assert!(size_of_val(&*memory.slots) <= slots * 16 + HUGE_PAGE);
        }
    }

    #[test]
    fn slots_start_at_a_cache_line_and_many_at_a_huge_page() {
        for (slots, alignment) in [(4, CACHE_LINE), (1 << 16, CACHE_LINE), (1 << 17, HUGE_PAGE)] {
            let memory = Memory::new(slots).unwrap();
            assert_eq!(memory.slots().as_ptr().addr() % alignment, 0, "{slots}");
        }
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert!(Memory::new(usize::MAX).is_none());
        assert!(Memory::new(usize::MAX / 32).is_none());
    }
}
