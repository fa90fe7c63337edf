//! Tasks: an experiment cut into parts of about equal cost, for schedulers of clusters.
//!
//! A plan says for every task which games it plays. Each task has a journal of its own, named after the plan, so that tasks never
//! write to the same file and a task that died goes on where it stopped.

use crate::cell::CellId;
use ludens_game::Seed;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Games of one cell, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Games {
    /// The cell.
    pub cell: CellId,
    /// The first game.
    pub from: u64,
    /// The one after the last.
    pub to: u64,
}

/// What one task plays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// What it is expected to take on one core, in seconds.
    pub seconds: f64,
    /// Its games.
    pub games: Vec<Games>,
}

impl Task {
    /// Whether a game belongs to it.
    pub fn has(&self, cell: CellId, index: u64) -> bool {
        self.games.iter().any(|games| games.cell == cell && (games.from..games.to).contains(&index))
    }

    /// How many games of a cell below a number it has.
    pub fn count(&self, cell: CellId, below: u64) -> u64 {
        let ours = self.games.iter().filter(|games| games.cell == cell);
        ours.map(|games| games.to.min(below).saturating_sub(games.from)).sum()
    }

    /// How many games it has.
    pub fn len(&self) -> u64 {
        self.games.iter().map(|games| games.to - games.from).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// All tasks, the longest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskPlan {
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's seed.
    pub seed: u64,
    /// The tasks.
    pub tasks: Vec<Task>,
}

impl TaskPlan {
    /// The name of the plan: eight digits that depend on the games of its tasks.
    pub fn name(&self) -> String {
        let text = format!("{} {} {:?}", self.experiment, self.seed, self.tasks);
        let hash = Seed::new(self.seed).named(&text).value();
        format!("{:08x}", hash >> 32)
    }

    /// The name of the plan's file.
    pub fn file_name(&self) -> String {
        format!("plan-{}.json", self.name())
    }

    /// The name of a task's journal.
    pub fn journal_name(&self, task: usize) -> String {
        format!("task-{}-{task}.jsonl", self.name())
    }
}

/// What is left of a cell, and what one of its games takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// The cell.
    pub cell: CellId,
    /// The games that are left, as ranges.
    pub games: Vec<Range<u64>>,
    /// Seconds per game.
    pub seconds: f64,
}

/// Cuts work into at most so many tasks of about equal cost, the longest first.
///
/// All games are laid in a line, the costliest cells first, and the line is cut at equal distances. So a task has games of few
/// cells, and its cost differs from the mean by one game at most.
pub fn cut(mut work: Vec<Work>, tasks: usize) -> Vec<Task> {
    work.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let count = |work: &Work| work.games.iter().map(|games| games.end - games.start).sum::<u64>();
    let total: f64 = work.iter().map(|work| work.seconds * count(work) as f64).sum();
    let share = total / tasks.max(1) as f64;
    let mut cut: Vec<Task> = vec![Task::default()];
    let mut laid = 0.0;
    for Work { cell, games, seconds } in work {
        for Range { start, end } in games {
            let mut from = start;
            while from < end {
                // The next cut is where as many shares are laid as there are tasks.
                let next = share * cut.len() as f64;
                let fit =
                    if cut.len() >= tasks || seconds <= 0.0 { f64::MAX } else { ((next - laid) / seconds).round() };
                let taken = (fit.max(0.0) as u64).min(end - from);
                if taken > 0 {
                    let task = cut.last_mut().expect("there is a task");
                    task.games.push(Games { cell, from, to: from + taken });
                    task.seconds += seconds * taken as f64;
                    laid += seconds * taken as f64;
                    from += taken;
                }
                if from < end {
                    cut.push(Task::default());
                }
            }
        }
    }
    cut.retain(|task| !task.is_empty());
    cut.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games from one number to before another.
    fn work(cell: u64, games: &[(u64, u64)], seconds: f64) -> Work {
        Work { cell: CellId(cell), games: games.iter().map(|&(from, to)| from..to).collect(), seconds }
    }

    fn texts(tasks: &[Task]) -> Vec<String> {
        let games = |games: &Games| format!("{}:{}-{}", games.cell.0, games.from, games.to);
        tasks.iter().map(|task| task.games.iter().map(games).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn tasks_by_hand() {
        // 20 games of a second and 4 of ten make 60 seconds: 20 for each of three tasks.
        let all = vec![work(1, &[(0, 20)], 1.0), work(2, &[(0, 4)], 10.0)];
        let tasks = cut(all.clone(), 3);
        assert_eq!(texts(&tasks), ["2:0-2", "2:2-4", "1:0-20"]);
        assert!(tasks.iter().all(|task| task.seconds == 20.0));
        // One task has everything; more tasks than games are not made.
        assert_eq!(texts(&cut(all, 1)), ["2:0-4 1:0-20"]);
        assert_eq!(cut(vec![work(1, &[(0, 3)], 5.0)], 9).len(), 3);
        assert!(cut(vec![work(1, &[], 5.0)], 9).is_empty());
        // What is done is left out, wherever it is.
        let tasks = cut(vec![work(1, &[(2, 4), (7, 9)], 1.0)], 2);
        assert_eq!(texts(&tasks), ["1:2-4", "1:7-9"]);
        assert!(tasks[1].has(CellId(1), 8) && !tasks[1].has(CellId(1), 9) && !tasks[1].has(CellId(2), 8));
        assert_eq!((tasks[1].count(CellId(1), 8), tasks[1].len()), (1, 2));
    }

    #[test]
    fn every_game_is_in_one_task_and_costs_differ_by_a_game() {
        let seconds = [0.01, 3.0, 0.2, 10.0, 0.0, 1.7];
        let all: Vec<Work> =
            (0..).zip(seconds).map(|(cell, seconds)| work(cell, &[(3, 40), (50, 91)], seconds)).collect();
        let total: f64 = all.iter().map(|work| work.seconds * 78.0).sum();
        for count in [1, 2, 7, 30] {
            let tasks = cut(all.clone(), count);
            assert!(tasks.len() <= count);
            for cell in 0..6 {
                for index in 0..100 {
                    let owners = tasks.iter().filter(|task| task.has(CellId(cell), index)).count();
                    assert_eq!(owners, usize::from((3..40).contains(&index) || (50..91).contains(&index)));
                }
            }
            assert!(tasks.is_sorted_by(|a, b| a.seconds >= b.seconds));
            let mean = total / count as f64;
            assert!(tasks.iter().all(|task| (task.seconds - mean).abs() <= 10.0 + 1e-6), "{count}");
        }
    }

    #[test]
    fn a_plan_is_named_by_its_games() {
        let plan = |to| {
            let games = vec![Games { cell: CellId(7), from: 0, to }];
            TaskPlan { experiment: "e".into(), seed: 1, tasks: vec![Task { seconds: 1.0, games }] }
        };
        assert_eq!(plan(3).name(), plan(3).name());
        assert_ne!(plan(3).name(), plan(4).name());
        assert_eq!(plan(3).journal_name(5), format!("task-{}-5.jsonl", plan(3).name()));
    }
}
