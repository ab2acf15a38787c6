//! The transposition table of an engine.

use crate::tt::TranspositionTable;

use super::memory;

/// A table of 2^`size` entries, its memory committed. If there is less memory, it is smaller, which
/// is a fault.
pub(super) fn new_table(size: u32, faults: &mut Vec<String>) -> TranspositionTable {
    let table = TranspositionTable::new(memory::fitting(size));
    if is_smaller(&table, size) {
        let entries = table.len();
        let fault =
            format!("no memory for a table of 2^{size} entries: it has {entries} entries instead");
        log::warn!("{fault}");
        faults.push(fault);
    }
    table
}

/// Whether a table is smaller than wanted.
fn is_smaller(table: &TranspositionTable, size: u32) -> bool {
    // The smallest size of a table that has any entries is 2.
    size >= 2 && table.len().checked_ilog2().is_none_or(|entries| entries < size)
}
