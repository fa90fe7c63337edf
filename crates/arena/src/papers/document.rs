//! The reproduction as a document.

use super::{
    Comparison, Entry, Paper, Rate, Table, Tally, Verdict, compare,
    timing::{timing_grid, timings},
};
use crate::{
    report::{
        Column, Document, DocumentBlock, Grid, percent,
        plot::{Curve, LinePlot, Sample, ScatterPlot, Spot, Whisker, WhiskerGroup, WhiskerPlot},
    },
    results::Results,
};

/// Tables with the results of their papers, as one document. Tables of which nothing is measured are only counted.
pub fn reproduction_document(title: &str, tables: &[(Table, &Results)]) -> Document {
    let compared: Vec<(&Table, Vec<Comparison>)> =
        tables.iter().map(|(table, results)| (table, compare(table, results))).collect();
    let mut blocks = vec![
        DocumentBlock::Text(
            "Published win rates beside ours, with 95 % intervals: the papers' own where they print them, Wilson's otherwise. A \
             figure agrees if the difference lies within the joint interval. Otherwise it is on the same side if both rates are \
             on the same side of 50 % or their intervals overlap, and differs if not. A handful of games agrees with almost \
             anything: the interval shows how much a verdict is worth. This document is generated from the records by \
             ludens reproduce."
                .into(),
        ),
        DocumentBlock::Text(provenance(tables)),
        DocumentBlock::Table(overview_grid(&compared)),
    ];
    let all = || compared.iter().filter(|(table, _)| table.info.is_published()).flat_map(|(_, list)| list);
    if tables.len() > 1 && all().any(|comparison| comparison.verdict.is_some()) {
        blocks.push(DocumentBlock::Plot(scatter("Ours against published, all tables", all())));
    }
    let mut introduced: Option<&str> = None;
    for ((table, results), (_, list)) in tables.iter().zip(&compared) {
        let before = blocks.len();
        let times = timings(table, results);
        if let Some(times) = times.filter(|times| times.iter().any(|timing| timing.ours.is_some())) {
            blocks.push(heading(table));
            blocks.push(DocumentBlock::Text(TIMES.into()));
            blocks.push(DocumentBlock::Table(timing_grid(&times)));
        } else if list.iter().any(|comparison| comparison.ours.is_some()) {
            blocks.push(heading(table));
            blocks.push(DocumentBlock::Text(count(&Tally::of(list))));
            blocks.push(DocumentBlock::Table(comparison_grid(list)));
            blocks.extend(plots(table, list).into_iter().map(DocumentBlock::Plot));
        }
        if blocks.len() > before && introduced != Some(table.paper.name) {
            introduced = Some(table.paper.name);
            blocks.insert(before + 1, DocumentBlock::Text(introduction(table.paper)));
        }
    }
    Document { title: title.to_owned(), blocks }
}

fn heading(table: &Table) -> DocumentBlock {
    DocumentBlock::Heading(format!("{} {}: {}", table.paper.name, table.info.name(), table.info.title))
}

/// What the times are.
const TIMES: &str = "Milliseconds for 1,000 simulations, and relative to random playouts. Ours come from the faster half of \
the games, because other load on the machine can only make them slower.";

/// The paper, and how its agents are read.
fn introduction(paper: &Paper) -> String {
    let source = paper.source();
    format!("{}. {}", source.citation, source.about)
}

/// Seeds, versions and machines.
fn provenance(tables: &[(Table, &Results)]) -> String {
    let mut versions = std::collections::BTreeSet::new();
    let mut machines = std::collections::BTreeSet::new();
    for (_, results) in tables {
        let (of_version, of_machine) = results.provenance();
        versions.extend(of_version);
        machines.extend(of_machine);
    }
    let list = |set: std::collections::BTreeSet<&str>| set.into_iter().collect::<Vec<_>>().join(" and ");
    match versions.is_empty() {
        true => format!("Seed {}; nothing measured yet.", super::SEED),
        false => format!("Seed {}, ludens {}, on {}.", super::SEED, list(versions), list(machines)),
    }
}

/// "40 published figures, 30 measured: 20 agree, …".
fn count(tally: &Tally) -> String {
    let [agree, same, differ] = tally.verdicts;
    if tally.published == 0 {
        return format!("{} points measured; the paper prints no numbers.", tally.measured);
    }
    let (published, measured) = (tally.published, tally.measured);
    format!(
        "{published} published figures, {measured} measured: {agree} agree, {same} on the same side, {differ} differ."
    )
}

/// A row per table: how many of its figures are measured, and what came of them. The last row counts the published ones.
pub fn overview_grid(compared: &[(&Table, Vec<Comparison>)]) -> Grid {
    let row = |name: String, title: &str, tally: Tally| {
        let numbers = [tally.published, tally.measured].into_iter().chain(tally.verdicts).map(|n| n.to_string());
        [name, title.to_owned()].into_iter().chain(numbers).collect::<Vec<_>>()
    };
    let mut rows: Vec<_> =
        compared.iter().map(|(table, list)| row(table.id(), table.info.title, Tally::of(list))).collect();
    let published = compared.iter().filter(|(table, _)| table.info.is_published()).flat_map(|(_, list)| list);
    rows.push(row("all".into(), "all published figures", Tally::of(published)));
    let columns = vec![
        Column::text("table"),
        Column::text("shows"),
        Column::number("published"),
        Column::number("measured"),
        Column::number("agree"),
        Column::number("same side"),
        Column::number("differ"),
    ];
    Grid { columns, rows }
}

/// A row per figure: published, ours, verdict.
pub fn comparison_grid(list: &[Comparison]) -> Grid {
    let columns = vec![
        Column::text("table"),
        Column::text("game"),
        Column::text("budget"),
        Column::text("player"),
        Column::text("against"),
        Column::number("published %"),
        Column::number("ours %"),
        Column::number("95 % interval"),
        Column::number("games"),
        Column::text("verdict"),
    ];
    let row = |line: &Comparison| {
        let published = line.published.map_or("-".into(), |rate| percent(rate.rate));
        let interval = |rate: Rate| format!("{} to {}", percent(rate.interval.low), percent(rate.interval.high));
        vec![
            line.table.clone(),
            line.game.clone(),
            line.budget.clone(),
            line.player.clone(),
            line.opponent.clone(),
            published,
            line.ours.map_or("-".into(), |rate| percent(rate.rate)),
            line.ours.map_or("-".into(), interval),
            line.ours.map_or("0".into(), |rate| rate.games.to_string()),
            line.verdict.map_or("-", Verdict::text).to_owned(),
        ]
    };
    Grid { columns, rows: list.iter().filter(|line| line.ours.is_some()).map(row).collect() }
}

/// The plots of a table: curves for figures; whiskers and a scatter for tables.
fn plots(table: &Table, list: &[Comparison]) -> Vec<String> {
    let curves = curves(table, list);
    if !curves.is_empty() {
        return curves;
    }
    let mut plots = whiskers(table, list);
    if list.iter().any(|comparison| comparison.verdict.is_some()) {
        plots.push(scatter(&format!("{}: ours against published", table.id()), list.iter()));
    }
    plots
}

/// A plot per axis.
fn curves(table: &Table, list: &[Comparison]) -> Vec<String> {
    let points: Vec<_> =
        table.entries.iter().zip(list).filter_map(|(entry, line)| Some((entry.point.as_ref()?, line.ours?))).collect();
    let mut axes: Vec<(&str, bool)> = Vec::new();
    for (point, _) in &points {
        if !axes.contains(&(point.axis, point.is_log)) {
            axes.push((point.axis, point.is_log));
        }
    }
    let plot = |(axis, is_log): (&str, bool)| {
        let mut lines: Vec<Curve> = Vec::new();
        for (point, ours) in points.iter().filter(|(point, _)| point.axis == axis) {
            let sample = Sample { x: point.x, rate: ours.rate, interval: ours.interval };
            match lines.iter_mut().find(|line| line.name == point.curve) {
                Some(line) => line.samples.push(sample),
                None => lines.push(Curve { name: point.curve.clone(), samples: vec![sample] }),
            }
        }
        LinePlot { title: format!("{}: {axis}", table.id()), axis: axis.to_owned(), is_log, lines }.svg()
    };
    axes.into_iter().map(plot).collect()
}

/// A plot per budget, grouped by game.
fn whiskers(table: &Table, list: &[Comparison]) -> Vec<String> {
    let measured: Vec<(&Entry, &Comparison)> =
        table.entries.iter().zip(list).filter(|(_, line)| line.ours.is_some()).collect();
    let mut budgets: Vec<&str> = measured.iter().map(|(_, line)| line.budget.as_str()).collect();
    budgets.dedup();
    budgets.sort_unstable_by_key(|budget| (budget.len(), *budget));
    budgets.dedup();
    let plot = |budget: &&str| {
        let mut series: Vec<String> = Vec::new();
        let mut groups: Vec<WhiskerGroup> = Vec::new();
        for (entry, line) in measured.iter().filter(|(_, line)| line.budget == *budget) {
            let name = format!("{} vs {}", entry.player, entry.opponent);
            let place = series.iter().position(|known| *known == name).unwrap_or_else(|| {
                series.push(name);
                series.len() - 1
            });
            let pair = |rate: Rate| (rate.rate, rate.interval);
            let whisker = Whisker { series: place, ours: line.ours.map(pair), published: line.published.map(pair) };
            match groups.iter_mut().find(|group| group.label == entry.game) {
                Some(group) => group.whiskers.push(whisker),
                None => groups.push(WhiskerGroup { label: entry.game.clone(), whiskers: vec![whisker] }),
            }
        }
        WhiskerPlot { title: format!("{}: win rate per game, {budget}", table.id()), series, groups }.svg()
    };
    budgets.iter().map(plot).collect()
}

/// Ours against published.
fn scatter<'c>(title: &str, list: impl Iterator<Item = &'c Comparison>) -> String {
    let colours = ["var(--good)", "var(--fair)", "var(--bad)"];
    let kinds =
        Verdict::ALL.iter().zip(colours).map(|(verdict, colour)| (verdict.text().to_owned(), colour.to_owned()));
    let spot = |line: &Comparison| {
        let (published, ours) = (line.published?, line.ours?);
        Some(Spot {
            label: format!("{}, {}, {} vs {}", line.game, line.budget, line.player, line.opponent),
            kind: line.verdict? as usize,
            published: (published.rate, published.interval),
            ours: (ours.rate, ours.interval),
        })
    };
    ScatterPlot { title: title.to_owned(), kinds: kinds.collect(), spots: list.filter_map(spot).collect() }.svg()
}
