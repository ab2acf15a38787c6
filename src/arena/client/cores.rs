//! Dedicated processor cores for the engines of each game.

use std::io;

/// The logical cores on which the engines of a game run, as numbered by the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoreSet(Vec<usize>);

impl CoreSet {
    /// Divides the available cores among concurrent games: into disjoint sets of equal size, with
    /// the logical cores of a physical core in the same set where possible.
    ///
    /// # Errors
    ///
    /// A message for the user, if this program may use fewer cores than there are games, or the
    /// system does not support pinning.
    pub fn for_games(games: usize) -> Result<Vec<CoreSet>, String> {
        let cores = system::cores()?;
        CoreSet::divide(&cores, games).ok_or_else(|| {
            let count = cores.len();
            format!(
                "{games} concurrent games cannot have dedicated cores: there are only {count}; use \
                 --concurrency {count}"
            )
        })
    }

    /// The cores divided into this number of sets; `None` if there are too few.
    fn divide(cores: &[usize], sets: usize) -> Option<Vec<CoreSet>> {
        let size = cores.len().checked_div(sets).filter(|&size| size > 0)?;
        Some(cores.chunks_exact(size).take(sets).map(|cores| CoreSet(cores.to_vec())).collect())
    }

    /// Calls `start` so that any process it starts runs only on these cores.
    ///
    /// # Errors
    ///
    /// The system refuses, or `start` fails.
    pub fn pin<T>(&self, start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        system::pin(&self.0, start)
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::io;

    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// The cores on which this program may run, ordered by package and physical core.
    pub fn cores() -> Result<Vec<usize>, String> {
        let allowed = sched_getaffinity(None)
            .map_err(|error| format!("the system does not report its cores: {error}"))?;
        let mut cores: Vec<_> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
        cores.sort_by_key(|&core| {
            let number = |name: &str| {
                let path = format!("/sys/devices/system/cpu/cpu{core}/topology/{name}");
                fs::read_to_string(path).ok()?.trim().parse::<usize>().ok()
            };
            (number("physical_package_id"), number("core_id"), core)
        });
        Ok(cores)
    }

    /// Calls `start` while the thread is pinned to these cores, which a process that it starts
    /// inherits.
    pub fn pin<T>(cores: &[usize], start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let before = sched_getaffinity(None)?;
        let mut set = CpuSet::new();
        cores.iter().for_each(|&core| set.set(core));
        sched_setaffinity(None, &set)?;
        let started = start();
        sched_setaffinity(None, &before)?;
        started
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub fn cores() -> Result<Vec<usize>, String> {
        Err("dedicated cores are supported only on Linux".to_owned())
    }

    pub fn pin<T>(_: &[usize], start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        start()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_as_many_cores() {
        let sets = |count| CoreSet::divide(&[0, 4, 1, 5, 2, 6, 3], count);
        let expected = [[0, 4, 1], [5, 2, 6]].map(|cores| CoreSet(cores.to_vec()));
        assert_eq!(sets(2), Some(expected.to_vec()));
        assert_eq!(sets(7).map(|sets| sets.len()), Some(7));
        assert_eq!(sets(8), None);
        assert_eq!(sets(0), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_runs_on_its_cores() {
        let allowed = |sets: &[CoreSet]| {
            let status = || std::process::Command::new("cat").arg("/proc/self/status").output();
            let output = sets[0].pin(status).unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
            list.unwrap().trim().to_owned()
        };
        let all = system::cores().unwrap();
        let single = CoreSet::divide(&all, all.len()).unwrap();
        assert_eq!(allowed(&single), all[0].to_string());
        // The cores of this thread are restored.
        assert_eq!(system::cores().unwrap(), all);
    }
}
