//! The memory of the machine, and whether a transposition table fits it.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use crate::tt::ENTRY_BYTES;

/// The most memory this program may use, in bytes: what the machine has, or less under a system
/// limit (a container); `None` if the system does not report it.
pub fn installed() -> Option<u64> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let wanted = RefreshKind::nothing().with_memory(memory);
    let system = System::new_with_specifics(wanted).ok()?;
    let machine = system.total_memory();
    let limit = system.cgroup_limits().map_or(machine, |limits| limits.total_memory);
    Some(machine.min(limit)).filter(|&bytes| bytes > 0)
}

/// A table too large for the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a table of 2^{size} entries takes {:.1} GiB, the machine has {:.1}",
    gib(bytes(*size)),
    gib((*installed).into())
)]
pub struct NoRoom {
    /// Base-2 logarithm of the number of entries.
    size: u32,
    /// The memory of the machine, in bytes.
    installed: u64,
}

/// Checks that a table of 2^`size` entries leaves a quarter of the machine's memory for everything
/// else.
///
/// # Errors
///
/// The table leaves less. If the system does not report its memory, every table fits.
pub fn check_room(size: u32) -> Result<(), NoRoom> {
    check(size, installed())
}

fn check(size: u32, installed: Option<u64>) -> Result<(), NoRoom> {
    match installed {
        Some(installed) if bytes(size) > u128::from(installed) / 4 * 3 => {
            Err(NoRoom { size, installed })
        }
        _ => Ok(()),
    }
}

/// The size of a table, in bytes.
fn bytes(size: u32) -> u128 {
    (ENTRY_BYTES as u128).checked_shl(size).unwrap_or(u128::MAX)
}

fn gib(bytes: u128) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_runs_this_has_some_memory() {
        assert!(installed().is_none_or(|bytes| bytes > 64 << 20));
    }

    #[test]
    fn a_quarter_of_the_memory_is_left() {
        let machine = Some(24 << 30);
        assert_eq!(check(30, machine), Ok(()));
        let error = check(31, machine).unwrap_err().to_string();
        assert_eq!(error, "a table of 2^31 entries takes 32.0 GiB, the machine has 24.0");
        assert!(check(200, machine).is_err());
        assert_eq!(check(31, None), Ok(()));
    }
}
