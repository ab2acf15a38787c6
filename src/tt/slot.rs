//! The place of one entry, which threads share without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use crate::position::Key;

use super::data::Data;

/// The place of one entry: two words with the exclusive-or trick (R. M. Hyatt and T. Mann, *A
/// lock-less transposition table implementation for parallel search*, ICGA Journal 25, 2002). An
/// entry of which two threads have written one word each does not match its key.
#[derive(Debug, Zeroable)]
pub(super) struct Slot {
    /// The key exclusive-or the data.
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The data, whatever the key.
    #[inline(always)]
    pub(super) fn data(&self) -> Data {
        Data(self.data.load(Ordering::Relaxed))
    }

    /// The data if they are about a key. An empty slot is one about key 0.
    #[inline(always)]
    pub(super) fn about(&self, key: Key) -> Option<Data> {
        let data = self.data();
        (self.check.load(Ordering::Relaxed) ^ data.0 == key.0).then_some(data)
    }

    /// Replaces what is here.
    #[inline(always)]
    pub(super) fn set(&self, key: Key, data: Data) {
        self.check.store(key.0 ^ data.0, Ordering::Relaxed);
        self.data.store(data.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_entry_does_not_match() {
        let slot = Slot::zeroed();
        slot.set(Key(1), Data(5));
        assert_eq!(slot.about(Key(1)), Some(Data(5)));
        slot.data.store(6, Ordering::Relaxed);
        assert_eq!(slot.about(Key(1)), None);
    }
}
