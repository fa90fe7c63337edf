//! A table of texts.

use crate::csv;
use std::borrow::Cow;

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its title, with the unit of its numbers.
    pub title: Cow<'static, str>,
    /// Whether it holds numbers, which are aligned to the right.
    pub is_number: bool,
}

impl Column {
    /// A column of words.
    pub fn text(title: impl Into<Cow<'static, str>>) -> Column {
        Column { title: title.into(), is_number: false }
    }

    /// A column of numbers.
    pub fn number(title: impl Into<Cow<'static, str>>) -> Column {
        Column { title: title.into(), is_number: true }
    }
}

/// Columns and rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, a text per column.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// The same table without some columns.
    #[must_use]
    pub fn without(mut self, titles: &[&str]) -> Grid {
        let keep: Vec<bool> = self.columns.iter().map(|column| !titles.contains(&&*column.title)).collect();
        for row in &mut self.rows {
            let mut kept = keep.iter();
            row.retain(|_| *kept.next().unwrap_or(&true));
        }
        self.columns.retain(|column| !titles.contains(&&*column.title));
        self
    }

    /// A table of Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| {
            let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = line(&mut self.columns.iter().map(|column| column.title.to_string()));
        let rule = |column: &Column| if column.is_number { "---:" } else { "---" };
        text += &format!("|{}|\n", self.columns.iter().map(rule).collect::<Vec<_>>().join("|"));
        for row in &self.rows {
            text += &line(&mut row.iter().cloned());
        }
        text
    }

    /// Comma-separated values as RFC 4180 has them, with a line of titles.
    pub fn csv(&self) -> String {
        let titles = csv::line(self.columns.iter().map(|column| &*column.title));
        let rows = self.rows.iter().map(|row| csv::line(row.iter().map(String::as_str)));
        [titles].into_iter().chain(rows).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_kept_apart() {
        let grid = Grid {
            columns: vec![Column::text("a"), Column::number("b")],
            rows: vec![vec!["x|y".into(), "1".into()], vec!["say \"no\", or".into(), "2".into()]],
        };
        assert_eq!(grid.markdown(), "| a | b |\n|---|---:|\n| x\\|y | 1 |\n| say \"no\", or | 2 |\n");
        assert_eq!(grid.clone().without(&["a"]).csv(), "b\n1\n2\n");
        assert_eq!(grid.csv(), "a,b\nx|y,1\n\"say \"\"no\"\", or\",2\n");
    }
}
