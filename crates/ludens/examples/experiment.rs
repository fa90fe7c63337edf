//! An experiment from a file: games, budgets and pairings, played and summed up with 95 % intervals.
//!
//!     cargo run --release --example experiment

use ludens::experiment::{Counting, OpenGames, Run, Store, load};

const FILE: &str = r#"
name = "own-experiment"
games = ["breakthrough:5", "nogo:5"]
budgets = ["sims=50", "sims=100"]
games-per-cell = 10
against = "uct"

[players]
ppa = "uct+ppa"
uct = "uct"
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let games = OpenGames::default();
    let experiment = load("own-experiment.toml", FILE, &games)?;
    let mut store = Store::default();
    Run::new(&experiment, &games).go(&mut store, &())?;
    for planned in &experiment.cells {
        let results = &store.results.cells[&planned.cell.id(experiment.seed)];
        let standing = results.standing(Counting::Players, 0, u64::MAX);
        let interval = standing.points.wilson();
        println!(
            "{} {}: {} wins of {}, {:.0} to {:.0} %",
            planned.cell.game,
            planned.cell.budget,
            standing.wins,
            results.games.len(),
            100.0 * interval.low,
            100.0 * interval.high
        );
        assert_eq!(results.games.len(), 10);
    }
    Ok(())
}
