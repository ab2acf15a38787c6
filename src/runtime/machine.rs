//! Descriptions of the program and the machine, recorded with results.

use std::env::consts::{ARCH, OS};
use std::num::NonZero;
use std::thread;

/// The name and the version of this program.
pub const PROGRAM: &str = concat!("Manoury ", env!("CARGO_PKG_VERSION"));

/// The machine: its processor if the system reports it, the number of processors that this program may
/// use, system and architecture, such as `AMD EPYC 7B13, 2 processors, linux x86_64`.
pub fn description() -> String {
    let count = thread::available_parallelism().map_or(1, NonZero::get);
    let count = match count {
        1 => "1 processor".to_owned(),
        count => format!("{count} processors"),
    };
    let system = format!("{OS} {ARCH}");
    [processor(), Some(count), Some(system)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The name of the processor, from Linux's `/proc`.
fn processor() -> Option<String> {
    named(&std::fs::read_to_string("/proc/cpuinfo").ok()?)
}

fn named(table: &str) -> Option<String> {
    let fields = table.lines().filter_map(|line| line.split_once(':'));
    let mut names = fields.filter(|(key, _)| key.trim() == "model name");
    let (_, name) = names.next()?;
    Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_has_a_name_and_processors() {
        let table =
            "processor\t: 0\nmodel\t\t: 1\nmodel name\t: Some  CPU @ 2 GHz\n\nprocessor\t: 1\n";
        assert_eq!(named(table).as_deref(), Some("Some CPU @ 2 GHz"));
        assert_eq!(named("processor\t: 0\n"), None);
        assert!(description().contains("processor"), "{}", description());
    }
}
