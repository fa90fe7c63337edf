//! `ludens presets`: the agents of the papers.

use crate::{Console, Failure};
use ludens_search::{PAPERS, Paper, Preset};
use serde::Serialize;

/// List the agents of the papers with their specs and their deviations
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens presets")]
pub(crate) struct Args {}

#[derive(Serialize)]
pub(super) struct PaperRow {
    pub(super) paper: &'static str,
    pub(super) citation: &'static str,
    pub(super) about: &'static str,
    pub(super) presets: Vec<PresetRow>,
}

#[derive(Serialize)]
pub(super) struct PresetRow {
    pub(super) name: &'static str,
    pub(super) spec: &'static str,
    pub(super) about: &'static str,
}

impl From<&Preset> for PresetRow {
    fn from(preset: &Preset) -> PresetRow {
        let Preset { name, spec, about } = *preset;
        PresetRow { name, spec, about }
    }
}

/// The papers with their presets.
pub(super) fn papers() -> Vec<PaperRow> {
    let row = |paper: &Paper| {
        let presets = paper.presets.iter().map(PresetRow::from).collect();
        PaperRow { paper: paper.name, citation: paper.citation, about: paper.about, presets }
    };
    PAPERS.iter().map(row).collect()
}

pub(crate) fn run(_args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let papers = papers();
    if console.json {
        return console.json(&papers);
    }
    for (index, paper) in papers.iter().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        writeln!(console.out, "{gap}{}\n{}\n", paper.citation, paper.about)?;
        let columns = [("preset", false), ("spec", false), ("agent", false)];
        let row = |row: &PresetRow| vec![row.name.to_owned(), row.spec.to_owned(), row.about.to_owned()];
        console.table(&columns, paper.presets.iter().map(row).collect())?;
    }
    Ok(writeln!(console.out, "\nA preset is a player and can take settings: ppa2015/ppa@threads=2")?)
}
