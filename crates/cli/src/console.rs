//! Where a command writes, and how.

use crate::Failure;
use comfy_table::{CellAlignment, ContentArrangement, Table, TableComponent, presets};
use ludens_game::{Charset, Style};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// Standard output with the user's wishes about it.
pub(crate) struct Console<'o> {
    /// Where all results go.
    pub(crate) out: &'o mut dyn Write,
    /// What the terminal can show.
    pub(crate) style: Style,
    /// Whether to print JSON instead of text.
    pub(crate) json: bool,
}

impl<'o> Console<'o> {
    /// A console on standard output, which `out` writes to.
    pub(crate) fn new(out: &'o mut dyn Write, json: bool) -> Console<'o> {
        let style = Style::detect(|name| std::env::var(name).ok(), io::stdout().is_terminal());
        Console { out, style, json }
    }

    /// One value as a line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        write_json(self.out, value)
    }

    /// A table. Columns marked `true` hold numbers and are aligned to the right.
    pub(crate) fn table(&mut self, columns: &[(&str, bool)], rows: Vec<Vec<String>>) -> Result<(), Failure> {
        let mut table = Table::new();
        let rule = if self.style.charset == Charset::Unicode { '─' } else { '-' };
        table.load_preset(presets::NOTHING).set_style(TableComponent::HeaderLines, rule);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_header(columns.iter().map(|column| column.0)).add_rows(rows);
        for (column, _) in table.column_iter_mut().zip(columns).filter(|(_, (_, number))| *number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        Ok(writeln!(self.out, "{}", table.trim_fmt())?)
    }
}

/// One value as a line of JSON.
pub(crate) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

/// A count with a comma between thousands.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
