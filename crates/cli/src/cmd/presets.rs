//! `ludens presets`: the agents of the papers.

use crate::{Console, Failure};
use ludens_search::{PAPERS, PRESETS, Preset};
use serde::Serialize;

/// List the agents of the papers with their specs, and where they differ from the papers
#[derive(clap::Args)]
pub(crate) struct Args {}

#[derive(Serialize)]
struct PaperRow {
    paper: &'static str,
    citation: &'static str,
    about: &'static str,
    presets: Vec<PresetRow>,
}

#[derive(Serialize)]
struct PresetRow {
    name: &'static str,
    spec: &'static str,
    about: &'static str,
}

impl From<&Preset> for PresetRow {
    fn from(preset: &Preset) -> PresetRow {
        let Preset { name, spec, about } = *preset;
        PresetRow { name, spec, about }
    }
}

pub(crate) fn run(_args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let papers: Vec<_> = PAPERS
        .iter()
        .map(|paper| {
            let of_paper = |preset: &&Preset| preset.name.split('/').next() == Some(paper.name);
            let presets = PRESETS.iter().filter(of_paper).map(PresetRow::from).collect();
            PaperRow { paper: paper.name, citation: paper.citation, about: paper.about, presets }
        })
        .collect();
    if console.json {
        return console.json(&papers);
    }
    for (index, paper) in papers.iter().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        writeln!(console.out, "{gap}{}\n{}\n", paper.citation, paper.about)?;
        let columns = [("preset", false), ("spec", false), ("who it is", false)];
        let row = |row: &PresetRow| vec![row.name.to_owned(), row.spec.to_owned(), row.about.to_owned()];
        console.table(&columns, paper.presets.iter().map(row).collect())?;
    }
    Ok(writeln!(console.out, "\nA preset is a player, and may have settings: ppa2015/ppa@threads=2")?)
}
