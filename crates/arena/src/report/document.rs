//! A document: what a report says, whatever it is written in.

use super::grid::Grid;
use super::html;

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
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
            Block::Heading(text) => Some(format!("## {text}\n")),
            Block::Text(text) => Some(format!("{text}\n")),
            Block::Table(grid) => Some(grid.markdown()),
            Block::Plot(_) => None,
        });
        [format!("# {}\n", self.title)].into_iter().chain(blocks).collect::<Vec<_>>().join("\n")
    }

    /// As a web page that needs nothing else.
    pub fn html(&self) -> String {
        html::page(self)
    }
}
