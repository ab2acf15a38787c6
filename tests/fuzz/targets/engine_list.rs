//! Any text as a file of engines: each engine that it names can be started, and its name stands for it.

use manoury::arena::engine_list::EngineList;
use manoury::arena::spec::EngineSpec;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    for list in [EngineList::from_toml(text), EngineList::from_hub_ini(text)].into_iter().flatten()
    {
        for (name, description) in list.iter() {
            assert!(description.parse::<EngineSpec>().is_ok(), "{description}");
            if !name.contains(',') && name.trim() == name {
                assert_eq!(list.expanded(name), description);
            }
        }
    }
}
