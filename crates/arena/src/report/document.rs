//! A document: what a report says, whatever it is written in.

use super::grid::Grid;
use super::html;

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// What it says.
    pub blocks: Vec<DocumentBlock>,
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum DocumentBlock {
    /// The title of a section.
    Heading(String),
    /// A paragraph of plain text.
    Text(String),
    /// A table.
    Table(Grid),
    /// A plot, as SVG; only web pages show it.
    Plot(String),
}

impl Document {
    /// As Markdown.
    pub fn markdown(&self) -> String {
        let blocks = self.blocks.iter().filter_map(|block| match block {
            DocumentBlock::Heading(text) => Some(format!("## {text}\n")),
            DocumentBlock::Text(text) => Some(format!("{text}\n")),
            DocumentBlock::Table(grid) => Some(grid.markdown()),
            DocumentBlock::Plot(_) => None,
        });
        [format!("# {}\n", self.title)].into_iter().chain(blocks).collect::<Vec<_>>().join("\n")
    }

    /// As a web page that needs nothing else.
    pub fn html(&self) -> String {
        html::page(self)
    }
}
