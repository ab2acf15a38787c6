//! The transposition table of an engine, and whether it fits the memory of the machine.

use sysinfo::{CGroupLimits, MemoryRefreshKind, RefreshKind, System};

use crate::tt::{ENTRY_BYTES, TranspositionTable};

/// A table of 2^`size` entries, its memory committed. If there is less memory, it is smaller, which
/// is a warning.
pub(super) fn new_table(size: u32, warnings: &mut Vec<String>) -> TranspositionTable {
    let table = TranspositionTable::new(largest_fitting(size));
    if is_smaller(&table, size) {
        let entries = table.len();
        let warning =
            format!("no memory for a table of 2^{size} entries: it has {entries} entries instead");
        log::warn!("{warning}");
        warnings.push(warning);
    }
    table
}

/// Whether a table is smaller than requested.
fn is_smaller(table: &TranspositionTable, size: u32) -> bool {
    // The smallest size of a table that has any entries is 2.
    size >= 2 && table.len().checked_ilog2().is_none_or(|entries| entries < size)
}

/// The memory this program may use, in bytes: what the machine has, or less under a system limit (a
/// container); `None` if the system does not report it.
pub fn total_memory() -> Option<u64> {
    within_limits(System::total_memory, |limits| limits.total_memory)
}

/// The memory that is not in use, in bytes: what the machine has left, or less under a system
/// limit; `None` if the system does not report it.
fn available_memory() -> Option<u64> {
    // Memory that merely caches files is given up on demand: only `rss` is in use.
    within_limits(System::available_memory, |limits| limits.total_memory.saturating_sub(limits.rss))
}

/// The lower of two amounts of memory in bytes, that of the machine and that of a system limit;
/// `None` if the system does not report any.
fn within_limits(
    of_machine: impl Fn(&System) -> u64,
    of_limits: impl Fn(&CGroupLimits) -> u64,
) -> Option<u64> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let refresh = RefreshKind::nothing().with_memory(memory);
    let system = System::new_with_specifics(refresh).ok()?;
    let machine = Some(of_machine(&system)).filter(|&bytes| bytes > 0)?;
    Some(system.cgroup_limits().map_or(machine, |limits| of_limits(&limits).min(machine)))
}

/// A table too large for the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a table of 2^{size} entries takes {:.1} GiB, the machine has {:.1}",
    gib(bytes(*size)),
    gib((*total).into())
)]
pub struct TableTooLarge {
    /// Base-2 logarithm of the number of entries.
    size: u32,
    /// The memory of the machine, in bytes.
    total: u64,
}

/// Checks that a table of 2^`size` entries leaves a quarter of the machine's memory for everything
/// else.
///
/// # Errors
///
/// The table leaves less. If the system does not report its memory, every table fits.
pub fn check_table_size(size: u32) -> Result<(), TableTooLarge> {
    check(size, total_memory())
}

fn check(size: u32, total: Option<u64>) -> Result<(), TableTooLarge> {
    match total {
        Some(total) if bytes(size) > u128::from(total) / 4 * 3 => {
            Err(TableTooLarge { size, total })
        }
        _ => Ok(()),
    }
}

/// The largest size of a table, at most `size`, that leaves an eighth of the available memory to
/// others: a system that overcommits would kill the program when the memory is written to. If the
/// system does not report its memory, every table fits.
fn largest_fitting(size: u32) -> u32 {
    largest(size, available_memory())
}

fn largest(size: u32, available: Option<u64>) -> u32 {
    let room = available.map_or(u128::MAX, |available| u128::from(available) / 8 * 7);
    (0..=size).rev().find(|&size| bytes(size) <= room).unwrap_or_default()
}

/// The size of a table, in bytes.
fn bytes(size: u32) -> u128 {
    1_u128
        .checked_shl(size)
        .map_or(u128::MAX, |entries| entries.saturating_mul(ENTRY_BYTES as u128))
}

fn gib(bytes: u128) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_memory_is_reported() {
        assert!(total_memory().is_none_or(|bytes| bytes > 64 << 20));
    }

    #[test]
    fn a_table_leaves_a_quarter_of_the_memory() {
        let machine = Some(24 << 30);
        assert_eq!(check(30, machine), Ok(()));
        let error = check(31, machine).unwrap_err().to_string();
        assert_eq!(error, "a table of 2^31 entries takes 32.0 GiB, the machine has 24.0");
        assert!(check(200, machine).is_err());
        assert_eq!(check(31, None), Ok(()));
    }

    #[test]
    fn a_table_shrinks_until_an_eighth_of_the_available_memory_is_left() {
        assert!(available_memory() <= total_memory());
        assert_eq!(largest(30, Some(19 << 30)), 30);
        assert_eq!(largest(30, Some(18 << 30)), 29);
        assert_eq!(largest(28, Some(18 << 30)), 28);
        assert_eq!(largest(200, Some(300 << 20)), 24);
        assert_eq!(largest(24, Some(1)), 0);
        assert_eq!(largest(24, None), 24);
    }
}
