//! A **grid**: rows whose cells stand in columns.

use comfy_table::{Table, presets};

/// Rows whose cells stand in columns.
pub(crate) fn columns<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut grid = Table::new();
    grid.load_preset(presets::NOTHING).add_rows(rows);
    let mut text = String::new();
    for line in grid.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
