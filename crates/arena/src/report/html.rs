//! A document as one web page: no scripts, no other files, dark where the reader prefers it.

use super::document::{Document, DocumentBlock};
use super::grid::Grid;

const STYLE: &str = include_str!("page.css");

/// The page.
pub(super) fn page(document: &Document) -> String {
    let title = escape(&document.title);
    let body: String = document.blocks.iter().map(block).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn block(block: &DocumentBlock) -> String {
    match block {
        DocumentBlock::Heading(text) => format!("<h2>{}</h2>\n", escape(text)),
        DocumentBlock::Text(text) => format!("<p>{}</p>\n", escape(text)),
        DocumentBlock::Table(grid) => table(grid),
        DocumentBlock::Plot(svg) | DocumentBlock::Figure { svg, .. } => format!("<figure>{svg}</figure>\n"),
    }
}

fn table(grid: &Grid) -> String {
    let class = |column: usize| if grid.columns[column].is_number { " class=\"number\"" } else { "" };
    let head =
        grid.columns.iter().enumerate().map(|(i, column)| format!("<th{}>{}</th>", class(i), escape(&column.title)));
    let cell = |(i, text): (usize, &String)| match text.as_str() {
        "agrees" | "differs" | "too few games" => {
            format!("<td><span class=\"{}\">{text}</span></td>", text.replace(' ', "-"))
        }
        _ => format!("<td{}>{}</td>", class(i), escape(text)),
    };
    let row = |row: &Vec<String>| format!("<tr>{}</tr>\n", row.iter().enumerate().map(cell).collect::<String>());
    format!(
        "<div class=\"table\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
        head.collect::<String>(),
        grid.rows.iter().map(row).collect::<String>()
    )
}

/// A drawing as a file of its own, with colours and a background.
pub(super) fn standalone(svg: &str) -> String {
    let (head, content) = svg.split_once(">\n").unwrap_or((svg, ""));
    format!(
        "{head}>\n<style>\n{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" style=\"fill: var(--page)\"/>\n{content}\n"
    )
}

/// Text in HTML and SVG.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
