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
    /// A plot that Markdown shows too, from a file beside it.
    Figure {
        /// The name of the file, without its ending.
        file: String,
        /// What it shows.
        title: String,
        /// The drawing.
        svg: String,
    },
}

impl DocumentBlock {
    /// As Markdown, if that can show it.
    pub fn markdown(&self) -> Option<String> {
        match self {
            DocumentBlock::Heading(text) => Some(format!("## {text}\n")),
            DocumentBlock::Text(text) => Some(format!("{text}\n")),
            DocumentBlock::Table(grid) => Some(grid.markdown()),
            DocumentBlock::Plot(_) => None,
            DocumentBlock::Figure { file, title, .. } => Some(format!("![{title}](figures/{file}.svg)\n")),
        }
    }
}

impl Document {
    /// As Markdown.
    pub fn markdown(&self) -> String {
        let blocks = self.blocks.iter().filter_map(DocumentBlock::markdown);
        [format!("# {}\n", self.title)].into_iter().chain(blocks).collect::<Vec<_>>().join("\n")
    }

    /// The names and contents of the files that the Markdown shows, which belong in a folder `figures` beside it.
    pub fn figures(&self) -> impl Iterator<Item = (String, String)> {
        self.blocks.iter().filter_map(|block| match block {
            DocumentBlock::Figure { file, svg, .. } => Some((format!("{file}.svg"), html::standalone(svg))),
            _ => None,
        })
    }

    /// As a web page that needs nothing else.
    pub fn html(&self) -> String {
        html::page(self)
    }
}
