//! An analysis as a person likes to read it.

use super::{Analysis, Question};
use crate::console::{grouped, table_text};
use ludens_engine::{Arm, Playouts, Thought, Weight};
use ludens_game::Style;

/// So many moves that the policy likes most are shown, and as many that it likes least.
const EXTREMES: usize = 4;

/// So many moves of the expected line are shown.
const LINE_SHOWN: usize = 12;

/// The whole analysis, with the `top` most visited moves.
pub(super) fn draw(analysis: &Analysis, top: usize, style: Style) -> String {
    let Question { game, step, role, player, budget, seed } = &analysis.question;
    let mut text = format!("{game} after {step} steps, {role} to move: {player}, {budget}, seed {seed}\n\n");
    if !analysis.thought.arms.is_empty() {
        text.push_str(&arms(&analysis.thought.arms, top, style));
        text.push_str("\n\n");
    }
    let lines: Vec<_> = remarks(analysis).into_iter().map(|(label, remark)| format!("{label:<9} {remark}")).collect();
    text + &lines.join("\n")
}

fn arms(arms: &[Arm], top: usize, style: Style) -> String {
    let share = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    let with_amaf = arms.iter().any(|arm| arm.amaf.is_some());
    let mut columns = vec![("move", false), ("visits", true), ("score", true)];
    columns.extend(with_amaf.then_some(("amaf", true)));
    let mut rows: Vec<_> = arms
        .iter()
        .take(top)
        .map(|arm| {
            let mut row = vec![arm.name.clone(), grouped(arm.visits), share(arm.score)];
            row.extend(with_amaf.then(|| share(arm.amaf)));
            row
        })
        .collect();
    if let Some(rest) = arms.get(top..).filter(|rest| !rest.is_empty()) {
        rows.push(vec![format!("{} more", rest.len()), grouped(rest.iter().map(|arm| arm.visits).sum())]);
    }
    table_text(style, &columns, rows)
}

/// What is to be said besides, with a label each.
fn remarks(analysis: &Analysis) -> Vec<(&'static str, String)> {
    let Thought { proven, line, playouts, policy, nodes, tree_bytes, is_full, simulations, steps, seconds, .. } =
        &analysis.thought;
    let mut remarks = Vec::new();
    if let Some(chosen) = &analysis.chosen {
        let proven = proven.map_or(String::new(), |score| format!(", proven to score {score}"));
        remarks.push(("plays", format!("{chosen}{proven}")));
    }
    if !line.is_empty() {
        let more = if line.len() > LINE_SHOWN { " ..." } else { "" };
        remarks.push(("expects", format!("{}{more}", line[..line.len().min(LINE_SHOWN)].join(" "))));
    }
    if !playouts.is_empty() {
        remarks.push(("playouts", playouts.iter().map(described).collect::<Vec<_>>().join(", ")));
    }
    if !policy.is_empty() {
        let shown = EXTREMES.min(policy.len().div_ceil(2));
        remarks.push(("likes", values(policy.iter().take(shown))));
        remarks.push(("dislikes", values(policy.iter().rev().take(shown))));
    }
    let full = if *is_full { ", full (raise the setting mem to let it grow)" } else { "" };
    let mebibytes = *tree_bytes as f64 / f64::from(1 << 20);
    remarks.push(("tree", format!("{} nodes, {mebibytes:.1} MiB{full}", grouped(*nodes as u64))));
    let length = *steps as f64 / (*simulations).max(1) as f64;
    let pace = grouped(analysis.thought.simulations_per_s.round() as u64);
    let simulations = grouped(*simulations);
    remarks
        .push(("effort", format!("{simulations} simulations of {length:.1} steps in {seconds:.3} s: {pace} sims/s")));
    remarks
}

/// How often `auto` used a policy, and how the role fared with it.
fn described(playouts: &Playouts) -> String {
    let score = playouts.score.map_or(String::new(), |score| format!(" (score {score:.3})"));
    format!("{} {:.0} %{score}", playouts.policy, 100.0 * playouts.share)
}

fn values<'l>(weights: impl Iterator<Item = &'l Weight>) -> String {
    weights.map(|weight| format!("{} {:.2}", weight.name, weight.value)).collect::<Vec<_>>().join(", ")
}
