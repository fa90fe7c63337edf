//! What a referee shows: matches as they end, standings while they are played.

use crate::{Console, Failure, console::table_text};
use indicatif::{ProgressBar, ProgressStyle};
use ludens_game::Style;
use ludens_ggp::{MatchRecord, Standing, TournamentProgress};
use serde::Serialize;

pub(super) struct Show<'s, 'o> {
    console: &'s mut Console<'o>,
    roles: Vec<String>,
    /// The live table; nothing where there is no terminal.
    live: ProgressBar,
    matches: Vec<MatchRow>,
}

#[derive(Serialize)]
struct MatchRow {
    id: String,
    players: Vec<String>,
    goals: Option<Vec<i32>>,
    steps: usize,
    errors: usize,
}

#[derive(Serialize)]
struct StandingRow<'s> {
    player: &'s str,
    matches: u64,
    mean: Option<f64>,
    best: u64,
    late: u64,
    illegal: u64,
    unreachable: u64,
}

#[derive(Serialize)]
struct Outcome<'s> {
    game: &'s str,
    matches: Vec<MatchRow>,
    standings: Vec<StandingRow<'s>>,
}

const COLUMNS: [(&str, bool); 7] = [
    ("player", false),
    ("matches", true),
    ("mean goal", true),
    ("best", true),
    ("late", true),
    ("illegal", true),
    ("unreachable", true),
];

impl<'s, 'o> Show<'s, 'o> {
    pub(super) fn new(console: &'s mut Console<'o>, roles: Vec<String>) -> Show<'s, 'o> {
        let style = ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
        Show { console, roles, live: ProgressBar::new_spinner().with_style(style), matches: Vec::new() }
    }

    pub(super) fn progress(&mut self, progress: &TournamentProgress<'_>) -> Result<(), Failure> {
        let TournamentProgress { index, is_over, record, standings } = progress;
        if *is_over {
            let row = row(record);
            if !self.console.json {
                let line = line(*index, &row, &self.roles);
                let out = &mut self.console.out;
                self.live.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
            }
            self.matches.push(row);
        }
        let state = format!("match {}, step {}", index + 1, record.moves.len());
        self.live.set_message(format!("{state}\n{}", table(self.console.style, standings)));
        Ok(())
    }

    pub(super) fn end(self, game: &str, standings: &[Standing]) -> Result<(), Failure> {
        self.live.finish_and_clear();
        if self.console.json {
            let standings = standings.iter().map(standing_row).collect();
            return self.console.json(&Outcome { game, matches: self.matches, standings });
        }
        Ok(writeln!(self.console.out, "\n{}", table(self.console.style, standings))?)
    }
}

fn row(record: &MatchRecord) -> MatchRow {
    MatchRow {
        id: record.match_id.clone(),
        players: record.player_names_from_host.clone(),
        goals: record.goal_values.clone(),
        steps: record.moves.len(),
        errors: record.errors.iter().flatten().filter(|error| !error.is_empty()).count(),
    }
}

/// A match in one line.
fn line(index: u64, row: &MatchRow, roles: &[String]) -> String {
    let goal = |role: usize| row.goals.as_ref().map_or(String::new(), |goals| format!(" {}", goals[role]));
    let seats = row.players.iter().enumerate().map(|(role, player)| format!("{} {player}{}", roles[role], goal(role)));
    let errors = match row.errors {
        0 => String::new(),
        1 => ", 1 error".to_owned(),
        count => format!(", {count} errors"),
    };
    let how = if row.goals.is_some() { "" } else { "aborted, " };
    format!("match {}: {how}{}; {} steps{errors}", index + 1, seats.collect::<Vec<_>>().join(", "), row.steps)
}

fn standing_row(standing: &Standing) -> StandingRow<'_> {
    let Standing { name, matches, best, late, illegal, unreachable, .. } = standing;
    StandingRow {
        player: name,
        matches: *matches,
        mean: standing.mean(),
        best: *best,
        late: *late,
        illegal: *illegal,
        unreachable: *unreachable,
    }
}

fn table(style: Style, standings: &[Standing]) -> String {
    let rows = standings.iter().map(|standing| {
        vec![
            standing.name.clone(),
            standing.matches.to_string(),
            standing.mean().map_or("-".to_owned(), |mean| format!("{mean:.1}")),
            standing.best.to_string(),
            standing.late.to_string(),
            standing.illegal.to_string(),
            standing.unreachable.to_string(),
        ]
    });
    table_text(style, &COLUMNS, rows.collect())
}
