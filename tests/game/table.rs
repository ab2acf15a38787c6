//! Reads the tables under `tests/data`: tab-separated columns, with the column names in the first
//! line.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use manoury::rules::Variant;

/// A row: the value of each column by name.
pub struct Row {
    values: HashMap<String, String>,
}

impl Row {
    /// The value of a column.
    pub fn get(&self, column: &str) -> &str {
        &self.values[column]
    }

    /// The game named in the column `variant`.
    pub fn variant(&self) -> Variant {
        self.get("variant").parse().unwrap()
    }
}

/// The path of a file under `tests/data`.
pub fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file)
}

/// All rows of a table.
pub fn rows(file: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(data(file)).expect(file);
    let mut lines = text.lines();
    let names = lines.next().expect("column names");
    let names: Vec<&str> = names.split('\t').collect();
    lines
        .map(|text| Row {
            values: names
                .iter()
                .map(|name| name.to_string())
                .zip(text.split('\t').map(str::to_owned))
                .collect(),
        })
        .collect()
}
