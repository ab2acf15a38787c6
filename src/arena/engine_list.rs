//! Named engines: a TOML file with the description of each engine.
//!
//! The keys are `command` and the settings of an [`EngineSpec`]:
//!
//! ```toml
//! [Scan]
//! command = "./scan hub"
//! dir = "/opt/scan"
//! proto = "hub1"
//! param.threads = 1
//! tc.move-time = 0.1
//! ```
//!
//! The file `hub.ini` of the Hub GUI, with `engine-command` and `engine-dir`, can also be read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;
use toml::{Table, Value};

use crate::engine::user_config_folder;

use super::spec::EngineSpec;

/// The key of the command line of an engine.
const COMMAND: &str = "command";

/// The engines of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineList {
    /// The description of each engine, by its name.
    descriptions: BTreeMap<String, String>,
}

/// Why a file of engines cannot be used.
#[derive(Debug, Error)]
pub enum EngineListError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system error.
        error: std::io::Error,
    },
    /// The content of the file is invalid.
    #[error("{}: {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The error message, which says where the error is.
        what: String,
    },
}

impl EngineList {
    /// The file that is read by default: `manoury/engines.toml` in the user's configuration folder.
    pub fn default_path() -> Option<PathBuf> {
        user_config_folder().map(|folder| folder.join("manoury").join("engines.toml"))
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or an entry is invalid.
    pub fn read(path: &Path) -> Result<Self, EngineListError> {
        let text = fs::read_to_string(path)
            .map_err(|error| EngineListError::Io { path: path.to_owned(), error })?;
        let is_ini = path.extension().is_some_and(|extension| extension == "ini");
        let list = if is_ini { Self::from_hub_ini(&text) } else { Self::from_toml(&text) };
        list.map_err(|what| EngineListError::Content { path: path.to_owned(), what })
    }

    /// Parses the engines of a TOML file.
    ///
    /// # Errors
    ///
    /// A message that says what is wrong, and where.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
        let mut list = EngineList::default();
        for (name, entry) in table {
            let Value::Table(entry) = entry else {
                return Err(format!("{name}: expected a table, such as [{name}]"));
            };
            check_name(&name).map_err(|what| format!("[{name}]: {what}"))?;
            let description =
                description(&name, entry).map_err(|what| format!("[{name}]: {what}"))?;
            list.descriptions.insert(name, description);
        }
        Ok(list)
    }

    /// Parses the engine of a `hub.ini`.
    ///
    /// # Errors
    ///
    /// A message that says what is wrong.
    pub fn from_hub_ini(text: &str) -> Result<Self, String> {
        let mut entry = Table::new();
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
            let Some((key, value)) = line.split_once('=') else { continue };
            let key = match key.trim() {
                "engine-command" => COMMAND,
                "engine-dir" => "dir",
                _ => continue,
            };
            entry.insert(key.to_owned(), Value::String(value.trim().to_owned()));
        }
        let command = entry.get(COMMAND).and_then(Value::as_str);
        let command = command.ok_or("engine-command is missing")?;
        let spec: EngineSpec = command.parse().map_err(|error| format!("{error}"))?;
        let name = spec.label();
        let description = description(&name, entry)?;
        Ok(EngineList { descriptions: [(name, description)].into() })
    }

    /// The names and descriptions of the engines, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.descriptions.iter().map(|(name, description)| (&name[..], &description[..]))
    }

    /// Expands a description that starts with the name of an engine in this list instead of a
    /// command: the name is replaced by the engine's description, and the settings that follow are
    /// kept. Upper and lower case need not agree unless several names differ only in case. Any other
    /// description is returned unchanged.
    pub fn expanded(&self, text: &str) -> String {
        let (name, settings) = match text.split_once(',') {
            Some((name, settings)) => (name, format!(",{settings}")),
            None => (text, String::new()),
        };
        match self.description(name.trim()) {
            Some(description) => description.to_owned() + &settings,
            None => text.to_owned(),
        }
    }

    fn description(&self, name: &str) -> Option<&str> {
        let exact = self.descriptions.get(name);
        exact.map(String::as_str).or_else(|| {
            let lower = name.to_lowercase();
            let mut alike = self.iter().filter(|(known, _)| known.to_lowercase() == lower);
            let (_, description) = alike.next()?;
            alike.next().is_none().then_some(description)
        })
    }
}

/// Checks that a name can stand for an engine in a description.
fn check_name(name: &str) -> Result<(), String> {
    if name.contains(',') {
        return Err("a name must not contain a comma".to_owned());
    }
    if name.is_empty() || name.trim() != name {
        return Err("a name must not be empty, or start or end with a space".to_owned());
    }
    Ok(())
}

/// Converts an entry to a description: the command, the name and the settings.
fn description(name: &str, mut entry: Table) -> Result<String, String> {
    let command = match entry.remove(COMMAND) {
        Some(Value::String(command)) => command,
        Some(_) => return Err("command must be a string".to_owned()),
        None => String::new(),
    };
    entry.entry("name").or_insert_with(|| Value::String(name.to_owned()));
    let mut text = command;
    for (key, value) in settings("", entry)? {
        text += &format!(",{key}={}", quoted(&value)?);
    }
    text.parse::<EngineSpec>().map_err(|error| error.to_string())?;
    Ok(text)
}

/// The settings of a table; those of a nested table are prefixed with its name and a dot.
fn settings(prefix: &str, table: Table) -> Result<Vec<(String, String)>, String> {
    let mut all = Vec::new();
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            Value::String(text) => all.push((key, text)),
            Value::Integer(number) => all.push((key, number.to_string())),
            Value::Float(number) => all.push((key, number.to_string())),
            Value::Boolean(flag) => all.push((key, flag.to_string())),
            Value::Table(table) => all.extend(settings(&format!("{key}."), table)?),
            Value::Array(_) | Value::Datetime(_) => {
                return Err(format!("{key}: expected a string, a number, true or false"));
            }
        }
    }
    Ok(all)
}

/// Formats the value of a setting, in quotes if it contains a comma or a quote.
fn quoted(value: &str) -> Result<String, String> {
    if !value.contains([',', '"', '\'']) {
        return Ok(value.to_owned());
    }
    let quote = ['"', '\''].into_iter().find(|&quote| !value.contains(quote));
    let quote = quote.ok_or_else(|| format!("{value}: contains both kinds of quotes"))?;
    Ok(format!("{quote}{value}{quote}"))
}

/// Formats the path of a program for the command line of an engine.
///
/// # Errors
///
/// A message if the path contains both kinds of quotes.
pub fn program(path: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@".contains(c);
    match path.chars().all(is_plain) {
        true => Ok(path.to_owned()),
        false if path.contains('\'') => quoted(path),
        false => Ok(format!("'{path}'")),
    }
}

/// Formats the entry of an engine in a TOML file.
///
/// # Errors
///
/// A message if the entry could not be read, because of its name or its settings.
pub fn entry(name: &str, settings: &[(&str, String)]) -> Result<String, String> {
    let text = table(name, settings);
    EngineList::from_toml(&text).map(|_| text)
}

fn table(name: &str, settings: &[(&str, String)]) -> String {
    let is_bare = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let name = if is_bare && !name.is_empty() { name.to_owned() } else { literal(name) };
    let lines = settings.iter().map(|(key, value)| format!("{key} = {}\n", literal(value)));
    format!("[{name}]\n{}", lines.collect::<String>())
}

/// Formats a TOML string; JSON uses the same escapes.
fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::spec::Protocol;
    use super::*;

    const FILE: &str = "[Scan]\ncommand = './scan hub'\ndir = '/opt/my scan, 2'\nproto = 'hub1'\n\
                        param.threads = 1\nparam.book = false\ntc.move-time = 0.1\n\n\
                        ['Moby Dam']\ncommand = 'mobydam -p {port}'\nproto = 'dxp'\ntc.time = 60\n";

    fn spec(list: &EngineList, text: &str) -> EngineSpec {
        list.expanded(text).parse().unwrap()
    }

    #[test]
    fn names_stand_for_descriptions() {
        let list = EngineList::from_toml(FILE).unwrap();
        let expected = "./scan hub,dir=\"/opt/my scan, 2\",name=Scan,param.book=false,param.threads=1,\
                        proto=hub1,tc.move-time=0.1,param.threads=2,name=Two";
        assert_eq!(list.expanded("Scan,param.threads=2,name=Two"), expected);
        assert_eq!(spec(&list, "Scan").dir, Some("/opt/my scan, 2".into()));
        assert_eq!(spec(&list, "Moby Dam").label(), "Moby Dam");
        assert_eq!(list.expanded("scan hub,name=Scan"), "scan hub,name=Scan");
        assert_eq!(list.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["Moby Dam", "Scan"]);
    }

    #[test]
    fn reads_the_file_of_the_hub_gui() {
        let list = EngineList::from_hub_ini(
            "; Hub\nengine-dir = /opt/scan\nlevel=3\n\
                                             engine-command = ./scan hub\n",
        );
        let scan = spec(&list.unwrap(), "scan");
        assert_eq!(
            (scan.command.join(" "), scan.dir),
            ("./scan hub".to_owned(), Some("/opt/scan".into()))
        );
        assert_eq!(EngineList::from_hub_ini("a=b"), Err("engine-command is missing".to_owned()));
    }

    #[test]
    fn errors_name_the_problem() {
        for (file, word) in [
            ("[Scan", "TOML"),
            ("name = 'Scan'", "expected a table"),
            ("['a,b']\ncommand = 'scan'", "comma"),
            ("[Scan]\ndir = '/opt'", "command line"),
            ("[Scan]\ncommand = 1", "must be a string"),
            ("[Scan]\ncommand = 'scan'\ncolour = 'red'", "no such setting"),
            ("[Scan]\ncommand = 'scan'\ntc.nodes = [1]", "tc.nodes: expected"),
        ] {
            let what = EngineList::from_toml(file).unwrap_err();
            assert!(what.contains(word), "{what}");
        }
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let folders = ["/a b", "/a,b", "/it's", "/a\"b", "C:\\a"];
        for path in folders.map(|folder| format!("{folder}/scan")) {
            let command = program(&path).unwrap() + " hub";
            let settings = [("command", command), ("dir", path.clone()), ("proto", "hub1".into())];
            let entry = entry("My \"Scan\"", &settings).unwrap();
            let list = EngineList::from_toml(&entry).unwrap();
            let scan = spec(&list, "My \"Scan\",param.threads=1");
            assert_eq!(scan.command, [path.clone(), "hub".to_owned()]);
            assert_eq!((scan.dir, scan.protocol), (Some(path.into()), Protocol::Hub1));
        }
        assert!(program("/it's \"it\"").is_err());
    }

    #[test]
    fn an_entry_that_could_not_be_read_is_not_written() {
        for (name, word) in [
            ("Joe's \"best\"", "both kinds of quotes"),
            ("", "empty"),
            (" Pad ", "a space"),
            ("a,b", "comma"),
        ] {
            let what = entry(name, &[("command", "scan hub".into())]).unwrap_err();
            assert!(what.contains(word), "{what}");
        }
    }

    #[test]
    fn case_matters_only_between_names_that_differ_in_it() {
        let text = "[Scan]\ncommand = 'a'\n[SCAN]\ncommand = 'b'\n[Dam]\ncommand = 'c'\n";
        let list = EngineList::from_toml(text).unwrap();
        assert_eq!(list.expanded("SCAN"), "b,name=SCAN");
        assert_eq!(list.expanded("scan"), "scan");
        assert_eq!(list.expanded("dam,param.threads=1"), "c,name=Dam,param.threads=1");
    }
}
