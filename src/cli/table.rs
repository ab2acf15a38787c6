//! Tables of numbers as text.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

/// Rows below a header, every column aligned to the right.
pub fn numbers(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    format(header, rows.into_iter().collect())
}

/// Compiled once, not for each kind of rows.
fn format(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header).add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt() + "\n"
}
