//! The amount of memory available.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_runs_this_has_some_memory() {
        assert!(installed().is_none_or(|bytes| bytes > 64 << 20));
    }
}
