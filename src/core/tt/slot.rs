//! The place of one entry, shared between threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use crate::position::Key;

use super::data::Data;

/// The place of one entry: two words with the XOR trick (R. M. Hyatt and T. Mann, *A lock-less
/// transposition table implementation for parallel search*, ICGA Journal 25, 2002). A torn entry,
/// of which two threads wrote one word each, does not match its key.
#[derive(Debug, Zeroable)]
pub(super) struct Slot {
    /// The key XOR the data.
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The data, whatever the key.
    #[inline(always)]
    pub(super) fn data(&self) -> Data {
        Data(self.data.load(Ordering::Relaxed))
    }

    /// The data if they belong to a key. An empty slot belongs to key 0.
    #[inline(always)]
    pub(super) fn about(&self, key: Key) -> Option<Data> {
        let data = self.data();
        (self.check.load(Ordering::Relaxed) ^ data.0 == key.0).then_some(data)
    }

    /// Replaces the contents.
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
