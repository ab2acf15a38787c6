//! Allocates the transposition table of an engine, within the memory of the machine.

use crate::search::STACK_SIZE;
use crate::tt::{ENTRY_BYTES, TranspositionTable};

/// The memory that a search needs besides the table and the stacks of its threads, in bytes: for
/// the histories, the evaluation, the bitbases that it decompresses, and messages.
const SEARCH_MEMORY: usize = 32 << 20;

/// The address space that the C library reserves for the heap of a thread at its first allocation,
/// in bytes. Without room for these heaps, the threads would use up the memory that the check has
/// just found for the search. If a heap cannot be reserved, threads share one.
const THREAD_HEAP: usize = 64 << 20;

/// Maximum number of thread heaps for which room is left.
const MAX_HEAPS: usize = 4;

/// Base-2 logarithm of the number of entries at or below which a table is not reduced to leave
/// memory for the search.
const MIN_REDUCED_SIZE: u32 = 12;

/// Allocates a table of 2^`size` entries and commits its memory. If there is not enough memory for
/// it and for a search on `threads` threads, adds a warning and returns a smaller table.
pub(super) fn new_table(
    size: u32,
    threads: usize,
    warnings: &mut Vec<String>,
) -> TranspositionTable {
    let mut table = TranspositionTable::new(largest_fitting(size));
    while table.len() > 1 << MIN_REDUCED_SIZE && !has_search_memory(threads) {
        let smaller = table.len().ilog2() - 1;
        // Frees the memory of the old table before the new one is allocated.
        drop(table);
        table = TranspositionTable::new(smaller);
    }
    if is_smaller(&table, size) {
        let entries = table.len();
        let warning =
            format!("not enough memory for a table of 2^{size} entries: it has {entries} entries");
        log::warn!("{warning}");
        warnings.push(warning);
    }
    table
}

/// Whether the memory that a search needs can still be reserved. Only an attempt reveals a limit on
/// the program's address space, because the memory reported by the system does not take it into
/// account.
fn has_search_memory(threads: usize) -> bool {
    // One stack more than there are threads: the thread that starts the search has one too.
    let stacks = threads.saturating_add(1).saturating_mul(STACK_SIZE);
    let heaps = threads.saturating_add(2).min(MAX_HEAPS) * THREAD_HEAP;
    let all = stacks.saturating_add(SEARCH_MEMORY + heaps);
    Vec::<u8>::new().try_reserve_exact(all).is_ok()
}

/// Whether a table is smaller than requested.
fn is_smaller(table: &TranspositionTable, size: u32) -> bool {
    // The smallest table that has any entries has size 2.
    size >= 2 && table.len().checked_ilog2().is_none_or(|entries| entries < size)
}

/// The total memory that this program may use, in bytes: that of the machine, or less if a system
/// limit applies, as in a container. `None` if the system does not report it.
pub fn total_memory() -> Option<u64> {
    SystemMemory::read().map(|memory| memory.total)
}

/// The unused memory that this program may use, in bytes: that of the machine, or less if a system
/// limit applies. `None` if the system does not report it.
fn available_memory() -> Option<u64> {
    SystemMemory::read().map(|memory| memory.available)
}

/// The memory as reported by the system, in bytes.
struct SystemMemory {
    total: u64,
    available: u64,
}

#[cfg(target_os = "linux")]
impl SystemMemory {
    /// Reads `/proc` and the root control group; inside a container, the root is the container's
    /// group.
    fn read() -> Option<SystemMemory> {
        let bytes = |key| table_value("/proc/meminfo", key).map(|kibibytes| kibibytes << 10);
        let (total, available) = (bytes("MemTotal:")?, bytes("MemAvailable:")?);
        // The system reclaims file caches on demand, so only resident anonymous pages count as
        // used.
        let group = |limit, resident| {
            let limit = std::fs::read_to_string(format!("{CONTROL_GROUP}/{limit}")).ok()?;
            let [file, key] = resident;
            Some((
                limit.trim().parse().ok()?,
                table_value(&format!("{CONTROL_GROUP}/{file}"), key)?,
            ))
        };
        let limits = group("memory/memory.limit_in_bytes", ["memory/memory.stat", "total_rss"])
            .or_else(|| group("memory.max", ["memory.stat", "anon"]));
        Some(match limits.filter(|&(limit, _)| limit <= total) {
            Some((limit, resident)) => SystemMemory {
                total: limit,
                available: available.min(u64::saturating_sub(limit, resident)),
            },
            None => SystemMemory { total, available },
        })
    }
}

#[cfg(target_os = "linux")]
const CONTROL_GROUP: &str = "/sys/fs/cgroup";

/// The number that follows a key in a file with one key per line.
#[cfg(target_os = "linux")]
fn table_value(path: &str, key: &str) -> Option<u64> {
    let table = std::fs::read_to_string(path).ok()?;
    table.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace();
        (words.next() == Some(key)).then(|| words.next()?.parse().ok())?
    })
}

#[cfg(not(target_os = "linux"))]
impl SystemMemory {
    fn read() -> Option<SystemMemory> {
        use sysinfo::{MemoryRefreshKind, RefreshKind, System};

        let memory = MemoryRefreshKind::nothing().with_ram();
        let wanted = RefreshKind::nothing().with_memory(memory);
        let system = System::new_with_specifics(wanted).ok()?;
        let total = Some(system.total_memory()).filter(|&bytes| bytes > 0)?;
        Some(SystemMemory { total, available: system.available_memory() })
    }
}

/// A table too large for the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a table of 2^{size} entries takes {:.1} GiB, but the machine has only {:.1}",
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
/// The table would leave less. If the system does not report its memory, every table fits.
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

/// The largest table size, at most `size`, that leaves an eighth of the available memory free.
/// Without this limit, a system that overcommits memory would kill the program when it writes to
/// the table. If the system does not report its memory, every table fits.
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
    fn a_table_must_leave_a_quarter_of_the_memory() {
        let machine = Some(24 << 30);
        assert_eq!(check(30, machine), Ok(()));
        let error = check(31, machine).unwrap_err().to_string();
        assert_eq!(error, "a table of 2^31 entries takes 32.0 GiB, but the machine has only 24.0");
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
