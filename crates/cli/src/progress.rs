//! Games as they are played: a live table on a terminal, a line now and then elsewhere.

use crate::open::note;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use ludens_arena::{BrokenRecord, CellResults, Counting, Experiment, GameRecord, RunObserver};
use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// If no game ends for so long, the searches tell that the run goes on.
const QUIET: Duration = Duration::from_secs(5);

/// Watches a run.
pub(crate) struct LiveTable {
    state: Mutex<State>,
}

struct State {
    screen: Option<MultiProgress>,
    counting: Counting,
    total: ProgressBar,
    cells: Vec<CellState>,
    begun: Instant,
    last_game: Instant,
    /// Searches since the last game ended, where many games are played at once.
    searches: u64,
    last_line: Instant,
}

/// A cell in this run.
struct CellState {
    results: CellResults,
    bar: Option<ProgressBar>,
    left: u64,
    /// Games of this run, and the milliseconds of thinking that they took.
    games: u64,
    ms: f64,
}

impl LiveTable {
    /// Watches an experiment that has the results so far of each of its cells.
    pub(crate) fn new(experiment: &Experiment, so_far: Vec<CellResults>) -> LiveTable {
        let screen = std::io::stderr().is_terminal().then(MultiProgress::new);
        let cells = so_far.into_iter().map(|results| CellState { results, bar: None, left: 0, games: 0, ms: 0.0 });
        let now = Instant::now();
        LiveTable {
            state: Mutex::new(State {
                screen,
                counting: experiment.counting,
                total: ProgressBar::hidden(),
                cells: cells.collect(),
                begun: now,
                last_game: now,
                searches: 0,
                last_line: now,
            }),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Clears the screen: the run is over.
    pub(crate) fn finish(&self) {
        self.with(|state| {
            state.cells.iter().filter_map(|cell| cell.bar.as_ref()).for_each(ProgressBar::finish_and_clear);
            state.total.finish_and_clear();
        });
    }
}

impl RunObserver for LiveTable {
    fn begin(&self, left: &[u64]) {
        self.with(|state| {
            for (cell, &left) in state.cells.iter_mut().zip(left) {
                cell.left = left;
            }
            if let Some(screen) = &state.screen {
                let bar = ProgressBar::new(left.iter().sum()).with_style(style("{bar:40} {pos} of {len} games{msg}"));
                state.total = screen.add(bar);
            }
        });
    }

    fn searched(&self) {
        self.with(State::searched);
    }

    fn game(&self, cell: usize, game: &GameRecord) {
        self.with(|state| state.game(cell, game));
    }

    fn broken(&self, cell: usize, game: &BrokenRecord) {
        self.with(|state| {
            state.cells[cell].left = state.cells[cell].left.saturating_sub(1);
            state.total.inc(1);
            let text = format!("a game of {} failed: {game}", state.cells[cell].results.cell);
            state.say(&text);
            if state.cells[cell].left == 0 {
                state.close(cell);
            }
        });
    }

    fn note(&self, text: &str) {
        self.with(|state| state.say(text));
    }

    fn decided(&self, cell: usize) {
        self.with(|state| {
            let left = std::mem::take(&mut state.cells[cell].left);
            state.total.set_length(state.total.length().unwrap_or(left).saturating_sub(left));
            state.close(cell);
        });
    }
}

impl State {
    fn searched(&mut self) {
        self.searches += 1;
        if self.last_game.elapsed() >= QUIET {
            let searches = format!("{} searches in games under way", self.searches);
            self.tell(&searches);
        }
    }

    fn game(&mut self, number: usize, game: &GameRecord) {
        let cell = &mut self.cells[number];
        cell.left = cell.left.saturating_sub(1);
        cell.games += 1;
        (self.last_game, self.searches) = (Instant::now(), 0);
        cell.ms += game.ms.iter().sum::<f64>();
        cell.results.games.insert(game.index, GameRecord { moves: Vec::new(), ..game.clone() });
        self.total.inc(1);
        if let Some(screen) = &self.screen {
            let bar = cell.bar.get_or_insert_with(|| {
                let bar =
                    ProgressBar::new(cell.games + cell.left).with_style(style("  {bar:12} {pos:>4}/{len:4} {msg}"));
                screen.insert_before(&self.total, bar)
            });
            bar.set_position(cell.games);
            bar.set_message(summary(&cell.results, self.counting));
            if cell.left == 0 {
                self.close(number);
            }
        }
        let pace = self.pace();
        self.tell(&pace);
    }

    /// Says how far the run is.
    fn tell(&mut self, how: &str) {
        if self.screen.is_some() {
            self.total.set_message(format!(", {how}"));
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let (done, left) = self.counts();
            // Whoever closed standard error does not want to know.
            let _ = writeln!(std::io::stderr(), "{done} of {} games, {how}", done + left);
        }
    }

    /// Says something above the live part of the screen.
    fn say(&self, text: &str) {
        match &self.screen {
            // A remark that cannot be shown is no reason not to play.
            Some(screen) => drop(screen.println(format!("note: {text}"))),
            None => note(text),
        }
    }

    /// A finished cell leaves the live part of the screen as a line.
    fn close(&mut self, number: usize) {
        let cell = &mut self.cells[number];
        if let (Some(bar), Some(screen)) = (cell.bar.take(), &self.screen) {
            bar.finish_and_clear();
            let _ = screen.println(format!("  {}", summary(&cell.results, self.counting)));
        }
    }

    fn counts(&self) -> (u64, u64) {
        (self.cells.iter().map(|cell| cell.games).sum(), self.cells.iter().map(|cell| cell.left).sum())
    }

    /// Games a minute and the time left. Cells differ in what a game costs: those that have been played tell, the others
    /// are taken for their mean.
    fn pace(&self) -> String {
        let (done, _) = self.counts();
        let spent: f64 = self.cells.iter().map(|cell| cell.ms).sum();
        let mean = spent / done.max(1) as f64;
        let cost = |cell: &CellState| if cell.games > 0 { cell.ms / cell.games as f64 } else { mean };
        let ahead: f64 = self.cells.iter().map(|cell| cell.left as f64 * cost(cell)).sum();
        let elapsed = self.begun.elapsed().as_secs_f64().max(1e-3);
        let left = if spent > 0.0 { ahead / spent * elapsed } else { 0.0 };
        format!("{:.1} a minute, {} left", done as f64 * 60.0 / elapsed, duration(left))
    }
}

/// The cell and how its first player stands.
fn summary(results: &CellResults, counting: Counting) -> String {
    let standing = results.standing(counting, 0, u64::MAX);
    let interval = standing.points.wilson();
    let rate = standing.points.mean().map_or("-".into(), |rate| format!("{:.1} %", 100.0 * rate));
    let score = if results.cell.players.len() == 1 { "mean score " } else { "" };
    format!("{score}{rate} ({:.1} to {:.1})  {}", 100.0 * interval.low, 100.0 * interval.high, results.cell)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A time as a person says it.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_are_short() {
        assert_eq!([3.4, 89.0, 100.0, 7200.0].map(duration), ["3 s", "89 s", "2 min", "2.0 h"]);
    }
}
